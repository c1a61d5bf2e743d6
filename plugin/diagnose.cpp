#include "plugin/diagnose.h"

#include <cstring>

using namespace clang;

namespace tilecheck {

static DiagnosticsEngine::Level levelOf(const tc_finding &f, tc_unknown_mode unknown) {
    if (f.code && !strcmp(f.code, "TC9002") && f.severity == TC_SEV_WARNING)
        return unknown == TC_UNKNOWN_ERROR    ? DiagnosticsEngine::Error
               : unknown == TC_UNKNOWN_IGNORE ? DiagnosticsEngine::Ignored
                                              : DiagnosticsEngine::Warning;
    switch (f.severity) {
    case TC_SEV_REMARK:
        return DiagnosticsEngine::Remark;
    case TC_SEV_NOTE:
        return DiagnosticsEngine::Note;
    case TC_SEV_WARNING:
        return DiagnosticsEngine::Warning;
    case TC_SEV_ERROR:
        return DiagnosticsEngine::Error;
    }
    return DiagnosticsEngine::Error;
}

// The text is an argument and not the format: it may contain '%'.
static unsigned formatOf(DiagnosticsEngine &diags, DiagnosticsEngine::Level level) {
    return diags.getCustomDiagID(level, "%0");
}

static void show(DiagnosticsEngine &diags, SourceMap *source, DiagnosticsEngine::Level level, const tc_loc &loc,
                 const std::string &text) {
    unsigned id = formatOf(diags, level);
    CharSourceRange range = source ? source->range(loc) : CharSourceRange();
    if (range.getBegin().isInvalid()) {
        std::string where = source ? source->text(loc) : "";
        diags.Report(id) << (where.empty() ? text : where + ": " + text);
        return;
    }
    DiagnosticBuilder report = diags.Report(range.getBegin(), id);
    report << text;
    if (range.getEnd().isValid() && range.getEnd() != range.getBegin())
        report << range;
}

void showFinding(DiagnosticsEngine &diags, SourceMap *source, const tc_finding &f, tc_unknown_mode unknown) {
    DiagnosticsEngine::Level level = levelOf(f, unknown);
    if (level == DiagnosticsEngine::Ignored)
        return;
    std::string text = f.text ? f.text : "";
    if (f.code)
        text += std::string(" [") + f.code + "]";
    show(diags, source, level, f.loc, text);
    for (size_t i = 0; i < f.notes.len; ++i)
        show(diags, source, DiagnosticsEngine::Note, f.notes.data[i].loc, f.notes.data[i].text);
}

void showError(DiagnosticsEngine &diags, llvm::StringRef text) {
    diags.Report(formatOf(diags, DiagnosticsEngine::Error)) << text;
}

} // namespace tilecheck
