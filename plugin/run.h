// One run of the checker: options in, findings, report and summary out.
#ifndef TC_PLUGIN_RUN_H
#define TC_PLUGIN_RUN_H

#include <chrono>
#include <string>
#include <vector>

#include "plugin/attrs.h"
#include "plugin/diagnose.h"

namespace tilecheck {

class Run {
public:
    Run(clang::DiagnosticsEngine &diags, const std::vector<std::string> &args)
        : diags(diags), args(args), start(std::chrono::steady_clock::now()) {}

    // Checks the unit and tells what was found. source: where findings' places are.
    void check(const tc_unit &unit, SourceMap *source);

    // Contracts as bytes are wanted of the check, for the object file; afterwards they are here, "" where there are none.
    void wantContracts() {
        wanted = true;
    }
    const std::string &contracts() const {
        return notes;
    }

    // Checks the launch sites of the unit, in the host's compilation. False: there are none.
    bool checkLaunches(const tc_unit &unit, SourceMap *source);

    // Warns of contract words where there is no contract.
    void showStrays(SourceMap &source, const AttrTable &attrs);

    // Warns that the words were lost before Clang came here (-save-temps, a compiler cache).
    void showPreprocessed();

private:
    void show(const tc_result &result, const tc_options &options, bool timed);
    void keepContracts(const tc_result &result, const tc_options &options, const char *asSource);
    void warn(const char *code, const tc_loc &loc, const std::string &text);
    static void inTrap(tc_trap *trap, void *arg);
    static void launchesInTrap(tc_trap *trap, void *arg);

    clang::DiagnosticsEngine &diags;
    const std::vector<std::string> &args;
    std::chrono::steady_clock::time_point start;
    const tc_unit *unit = nullptr;
    bool launched = false; // there are launch sites
    SourceMap *source = nullptr;
    bool wanted = false;
    std::string notes;
};

// All arguments as options; *error (may be NULL) says what is wrong with the first that is.
tc_status parseAll(tc_arena *a, const std::vector<std::string> &args, tc_options *o, const char **error = nullptr);

// Shows an error for the first argument that is not understood, and returns false. An explain=CODE is answered on
// standard output when speak is true; *explained says that there was one.
bool parseArguments(clang::DiagnosticsEngine &diags, const std::vector<std::string> &args, bool speak, bool *explained);

} // namespace tilecheck

#endif
