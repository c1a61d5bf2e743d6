// Places in the source: Clang's locations to tc_loc and back.
#ifndef TC_PLUGIN_SOURCE_H
#define TC_PLUGIN_SOURCE_H

#include <string>
#include <vector>

#include "plugin/contract_c.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringMap.h"

namespace llvm {
class Module;
}
namespace clang {
class LangOptions;
}

namespace tilecheck {

// Files are named as diagnostics name them (after #line), which is also what debug info says.
class SourceMap {
public:
    SourceMap(clang::SourceManager &sm, const clang::LangOptions &lang);

    // Where the source as written says it: of a macro, the use. The end is one past the last character.
    tc_loc place(clang::SourceRange range);
    tc_loc place(clang::SourceLocation at) {
        return place(clang::SourceRange(at, at));
    }

    // Adds the files that the module's debug info names. folder: where the compilation runs.
    void addFiles(const llvm::Module &module, llvm::StringRef folder);
    const std::vector<std::string> &files() const {
        return names;
    }

    // Invalid when the file cannot be read or the line is unknown.
    clang::CharSourceRange range(const tc_loc &loc);
    // "file:line:column", for a place that range cannot give; empty when unknown.
    std::string text(const tc_loc &loc) const;

private:
    uint32_t file(llvm::StringRef name);
    clang::SourceLocation location(uint32_t file, uint32_t line, uint32_t column);

    clang::SourceManager &sm;
    const clang::LangOptions &lang;
    std::vector<std::string> names;
    llvm::StringMap<uint32_t> index;
};

} // namespace tilecheck

#endif
