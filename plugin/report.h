// The report file.
#ifndef TC_PLUGIN_REPORT_H
#define TC_PLUGIN_REPORT_H

#include <string>

#include "llvm/ADT/StringRef.h"

namespace tilecheck {

// Writes text to path so that a reader sees the old file or the whole new one. Empty, or what went wrong.
std::string writeReport(llvm::StringRef path, llvm::StringRef text);

} // namespace tilecheck

#endif
