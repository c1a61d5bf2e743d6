// Contracts in the object file: what the device's pass encoded becomes a note of the host's.
#ifndef TC_PLUGIN_EMBED_H
#define TC_PLUGIN_EMBED_H

#include <string>
#include <vector>

#include "plugin/attrs.h"
#include "clang/Frontend/CompilerInstance.h"

namespace tilecheck {

// Does the command make an object file, assembly or bitcode that is to have the contracts?
bool embedsContracts(const clang::CompilerInstance &ci, const std::vector<std::string> &args);

// In the device's pass: leaves the notes for the host's.
void handOverContracts(const clang::CompilerInstance &ci, const std::vector<std::string> &args, llvm::StringRef notes);

// Are the notes wanted of the device's pass: for the object file, or for launches that the host's pass looks at?
bool wantsContracts(const clang::CompilerInstance &ci, const std::vector<std::string> &args);

// In the host's pass: what the device's has left, or what the file of the option inferred= holds; "" where there is nothing. Once.
std::string takeContracts(const clang::CompilerInstance &ci, const std::vector<std::string> &args);

// In the host's pass, when all is parsed and before its code is finished: gives the user's own code generation a constant with the
// notes, those of takeContracts. Where the device's pass has left none (distributed compiles, --cuda-host-only), they are made from what the host sees, with
// the verdict "not checked".
void embedContracts(clang::CompilerInstance &ci, clang::ASTContext &ctx, const AttrTable &attrs, const std::vector<std::string> &args,
                    std::string notes);

} // namespace tilecheck

#endif
