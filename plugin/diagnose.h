// Findings to Clang's diagnostics.
#ifndef TC_PLUGIN_DIAGNOSE_H
#define TC_PLUGIN_DIAGNOSE_H

#include "plugin/source.h"
#include "clang/Basic/Diagnostic.h"

namespace tilecheck {

void showFinding(clang::DiagnosticsEngine &diags, SourceMap *source, const tc_finding &f, tc_unknown_mode unknown);

// An error of the plugin itself (options, files).
void showError(clang::DiagnosticsEngine &diags, llvm::StringRef text);

} // namespace tilecheck

#endif
