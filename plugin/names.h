// Names in the text of a contract: redeclarations may name parameters differently, and calls must be emitted.
#ifndef TC_PLUGIN_NAMES_H
#define TC_PLUGIN_NAMES_H

#include <string>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace tilecheck {

// Replaces identifiers that stand alone (not after '.', '->' or '::') by what the map says.
std::string renamed(llvm::StringRef text, const llvm::StringMap<std::string> &names);

// Calls each(name) for every name that is called in the text: "f", "ns::f", "f<32>".
void eachCall(llvm::StringRef text, llvm::function_ref<void(llvm::StringRef)> each);

} // namespace tilecheck

#endif
