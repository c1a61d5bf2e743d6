// Sees a translation unit: takes the contract words, and at its end generates code in memory, checks and reports.
#ifndef TC_PLUGIN_CONSUMER_H
#define TC_PLUGIN_CONSUMER_H

#include <string>
#include <vector>

#include "plugin/attrs.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"

namespace tilecheck {

// What this run of the front end is for. Clang runs once for each architecture and once for the host.
enum class Pass {
    Check,  // the device pass whose code is checked
    Launches, // the host's: launch sites are checked
    NoCode, // nothing to check, and no other pass will say so
    Silent, // another pass reports
};

class Consumer : public clang::ASTConsumer {
public:
    // alone: no other pass tells of a unit without launches.
    Consumer(clang::CompilerInstance &ci, Pass pass, bool alone, std::vector<std::string> args)
        : ci(ci), pass(pass), alone(alone), args(std::move(args)) {}

    bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
    void HandleInlineFunctionDefinition(clang::FunctionDecl *f) override;
    void HandleTagDeclDefinition(clang::TagDecl *t) override;
    void HandleTagDeclRequiredDefinition(const clang::TagDecl *t) override;
    void HandleCXXStaticMemberVarInstantiation(clang::VarDecl *v) override;
    void CompleteTentativeDefinition(clang::VarDecl *v) override;
    void CompleteExternalDeclaration(clang::DeclaratorDecl *d) override;
    void HandleVTable(clang::CXXRecordDecl *r) override;
    void HandleTranslationUnit(clang::ASTContext &ctx) override;

private:
    // What the front end told, for the code generation that follows when the file turns out to be correct.
    struct Event {
        enum Kind { TopLevel, InlineFunction, Tag, RequiredTag, StaticMember, Tentative, External, VTable } kind;
        void *decl; // of TopLevel: a DeclGroupRef
    };
    void note(Event::Kind kind, const void *decl);
    void replay(clang::ASTConsumer &to) const;
    bool launches() const; // does the unit launch kernels?
    void check(clang::ASTContext &ctx);
    void checkNothing();

    clang::CompilerInstance &ci;
    Pass pass;
    bool alone;
    std::vector<std::string> args;
    AttrTable attrs;
    std::vector<Event> events;
    std::string handed; // in the host's pass: the notes of the device's
};

} // namespace tilecheck

#endif
