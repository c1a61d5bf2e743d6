// The plugin "tilecheck": loaded by -fplugin=, it runs beside the user's own action.
#include "plugin/consumer.h"
#include "plugin/run.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"

#include <fstream>

using namespace clang;

namespace tilecheck {

// Of several device passes one is checked: that of the first architecture in the list that the driver gives to each.
static bool isFirstArchitecture(const CompilerInstance &ci) {
    llvm::StringRef list;
    for (const auto &macro : ci.getPreprocessorOpts().Macros) {
        llvm::StringRef text = macro.first;
        if (!macro.second && text.consume_front("__CUDA_ARCH_LIST__="))
            list = text;
    }
    llvm::StringRef mine = ci.getTargetOpts().CPU;
    mine.consume_front("sm_");
    mine = mine.take_while(llvm::isDigit);
    return list.empty() || list.split(',').first == mine.str() + "0";
}

// The driver starts a process for each pass unless there is one only, which it runs itself.
static bool isOnlyPass() {
    std::ifstream in("/proc/self/cmdline");
    std::string program, first;
    std::getline(in, program, '\0');
    std::getline(in, first, '\0');
    return in && first != "-cc1";
}

static Pass passOf(const CompilerInstance &ci) {
    const LangOptions &lang = ci.getLangOpts();
    if (lang.CUDAIsDevice)
        return isFirstArchitecture(ci) ? Pass::Check : Pass::Silent;
    return lang.CUDA ? Pass::Launches : Pass::NoCode;
}

namespace {

class Action : public PluginASTAction {
public:
    bool ParseArgs(const CompilerInstance &ci, const std::vector<std::string> &given) override {
        pass = passOf(ci);
        bool explained = false;
        if (!parseArguments(ci.getDiagnostics(), given, speaks(), &explained) || explained)
            return false;
        args = given;
        return true;
    }

    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &ci, llvm::StringRef) override {
        Preprocessor &pp = ci.getPreprocessor();
        if (pp.TUKind != TU_Complete) // a header to be precompiled keeps its words
            return std::make_unique<ASTConsumer>();
        pp.setPredefines(pp.getPredefines() + "#define __TILECHECK__ 1\n");
        bool adds = llvm::is_contained(args, "launches");
        return std::make_unique<Consumer>(ci, pass, isOnlyPass() && !adds, args);
    }

    ActionType getActionType() override {
        return AddBeforeMainAction;
    }

private:
    bool speaks() const {
        return pass == Pass::Check || pass == Pass::NoCode || (pass == Pass::Launches && isOnlyPass());
    }

    Pass pass = Pass::Silent;
    std::vector<std::string> args;
};

} // namespace

static FrontendPluginRegistry::Add<Action> registration("tilecheck", "the borrow checker for CUDA C");

} // namespace tilecheck
