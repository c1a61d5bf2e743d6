#include "plugin/consumer.h"

#include <chrono>

#include "plugin/casts.h"
#include "plugin/convert.h"
#include "plugin/embed.h"
#include "plugin/names.h"
#include "plugin/resolve.h"
#include "plugin/run.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/CodeGenOptions.h"
#include "llvm-c/Core.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace clang;

namespace tilecheck {

// ---- what the front end tells ----

void Consumer::note(Event::Kind kind, const void *decl) {
    if (pass == Pass::Check || pass == Pass::Launches)
        events.push_back({kind, const_cast<void *>(decl)});
}

bool Consumer::HandleTopLevelDecl(DeclGroupRef group) {
    for (Decl *d : group)
        attrs.take(d);
    note(Event::TopLevel, group.getAsOpaquePtr());
    return true;
}

void Consumer::HandleInlineFunctionDefinition(FunctionDecl *f) {
    attrs.take(f);
    note(Event::InlineFunction, f);
}

void Consumer::HandleTagDeclDefinition(TagDecl *t) {
    attrs.take(t);
    note(Event::Tag, t);
}

void Consumer::HandleTagDeclRequiredDefinition(const TagDecl *t) {
    note(Event::RequiredTag, t);
}

void Consumer::HandleCXXStaticMemberVarInstantiation(VarDecl *v) {
    attrs.take(v);
    note(Event::StaticMember, v);
}

void Consumer::CompleteTentativeDefinition(VarDecl *v) {
    note(Event::Tentative, v);
}

void Consumer::CompleteExternalDeclaration(DeclaratorDecl *d) {
    note(Event::External, d);
}

void Consumer::HandleVTable(CXXRecordDecl *r) {
    note(Event::VTable, r);
}

void Consumer::replay(ASTConsumer &to) const {
    for (const Event &e : events)
        switch (e.kind) {
        case Event::TopLevel:
            to.HandleTopLevelDecl(DeclGroupRef::getFromOpaquePtr(e.decl));
            break;
        case Event::InlineFunction:
            to.HandleInlineFunctionDefinition(static_cast<FunctionDecl *>(e.decl));
            break;
        case Event::Tag:
            to.HandleTagDeclDefinition(static_cast<TagDecl *>(e.decl));
            break;
        case Event::RequiredTag:
            to.HandleTagDeclRequiredDefinition(static_cast<TagDecl *>(e.decl));
            break;
        case Event::StaticMember:
            to.HandleCXXStaticMemberVarInstantiation(static_cast<VarDecl *>(e.decl));
            break;
        case Event::Tentative:
            to.CompleteTentativeDefinition(static_cast<VarDecl *>(e.decl));
            break;
        case Event::External:
            to.CompleteExternalDeclaration(static_cast<DeclaratorDecl *>(e.decl));
            break;
        case Event::VTable:
            to.HandleVTable(static_cast<CXXRecordDecl *>(e.decl));
            break;
        }
}

// ---- code generation ----

// As -O1 -g with no pass run: no optnone, variables and columns in the debug info.
static CodeGenOptions codegenOptions(const CompilerInstance &ci) {
    CodeGenOptions o;
    o.OptimizationLevel = 1;
    o.DisableLLVMPasses = true;
    o.RelaxedAliasing = true;
    o.StrictEnums = ci.getCodeGenOpts().StrictEnums; // a promise, see checker/lift_bool.c
    o.setDebugInfo(llvm::codegenoptions::LimitedDebugInfo);
    o.DebugColumnInfo = true;
    o.MainFileName = ci.getCodeGenOpts().MainFileName;
    o.DebugCompilationDir = ci.getCodeGenOpts().DebugCompilationDir;
    return o;
}

namespace {

// The second code generation, with diagnostics of its own: whatever it has to say, the first one says.
struct Codegen {
    Codegen(CompilerInstance &ci, ASTContext &ctx)
        : code(codegenOptions(ci)),
          diags(llvm::makeIntrusiveRefCnt<DiagnosticIDs>(), options, new IgnoringDiagConsumer()) {
        diags.setSourceManager(&ci.getSourceManager());
        generator = CreateLLVMCodeGen(diags, "tilecheck", &ci.getVirtualFileSystem(), ci.getHeaderSearchOpts(),
                                      ci.getPreprocessorOpts(), code, context);
        generator->Initialize(ctx);
    }

    llvm::LLVMContext context;
    CodeGenOptions code; // the generator refers to them
    DiagnosticOptions options;
    DiagnosticsEngine diags;
    std::unique_ptr<CodeGenerator> generator;
};

} // namespace

// Emits what the kernels' contracts call, used by the code or not.
static void emitCalled(Codegen &codegen, Resolver &resolver, const Converter &convert, const tc_unit &unit) {
    for (size_t i = 0; i < unit.nkernels; ++i) {
        const auto *from = static_cast<const FunctionDecl *>(unit.kernels[i].decl);
        llvm::SmallVector<const char *, 8> texts;
        convert.texts(unit.kernels[i], texts);
        for (const char *text : texts)
            eachCall(text, [&](llvm::StringRef name) {
                const FunctionDecl *f = resolver.function(from, name);
                if (f && (f->getLangOpts().CUDAIsDevice || f->hasAttr<CUDAHostAttr>())) // a device's function is no code of the host
                    codegen.generator->GetAddrOfGlobal(GlobalDecl(f), false);
            });
    }
}

static bool resolveName(void *ctx, const tc_kernel *k, const char *name, tc_name *out) {
    return static_cast<Resolver *>(ctx)->resolve(static_cast<const FunctionDecl *>(k->decl), name, *out);
}

static bool describeFunction(void *ctx, const char *mangled, tc_host_function *out) {
    return static_cast<Resolver *>(ctx)->converter().describe(mangled, *out);
}

static llvm::SmallVector<const char *, 16> cStrings(const std::vector<std::string> &from) {
    llvm::SmallVector<const char *, 16> out;
    for (const std::string &s : from)
        out.push_back(s.c_str());
    return out;
}

void Consumer::check(ASTContext &ctx) {
    Run run(ci.getDiagnostics(), args);
    SourceMap source(ci.getSourceManager(), ci.getLangOpts());
    Codegen codegen(ci, ctx);
    Converter convert(ctx, attrs, source, *codegen.generator);
    Resolver resolver(ci.getSema(), convert);

    BelievedCasts casts(ctx);
    replay(*codegen.generator);
    tc_unit unit = {};
    convert.fill(unit);
    emitCalled(codegen, resolver, convert, unit);
    codegen.generator->HandleTranslationUnit(ctx);
    llvm::Module *module = codegen.generator->GetModule();
    if (!module) {
        showError(ci.getDiagnostics(), "tilecheck: no code could be generated for checking");
        return;
    }
    source.addFiles(*module, codegen.code.DebugCompilationDir);
    llvm::SmallVector<const char *, 16> files = cStrings(source.files());
    unit.files = files.data();
    unit.nfiles = files.size();
    unit.module = llvm::wrap(module);
    unit.resolve = resolveName;
    unit.ctx = &resolver;
    if (pass == Pass::Launches) {
        unit.describe = describeFunction;
        unit.records = handed.data();
        unit.nrecords = handed.size();
        if (!run.checkLaunches(unit, &source) && alone)
            checkNothing();
        return;
    }
    run.showStrays(source, attrs);
    if (attrs.empty() && ci.getFrontendOpts().Inputs[0].getKind().isPreprocessed())
        run.showPreprocessed();
    if (wantsContracts(ci, args))
        run.wantContracts();
    run.check(unit, &source);
    handOverContracts(ci, args, run.contracts());
}

// A unit without kernels has a report and a summary too.
void Consumer::checkNothing() {
    Run run(ci.getDiagnostics(), args);
    SourceMap source(ci.getSourceManager(), ci.getLangOpts());
    llvm::LLVMContext context;
    llvm::Module module("tilecheck", context);
    llvm::SmallVector<const char *, 16> files = cStrings(source.files());
    tc_unit unit = {};
    unit.files = files.data();
    unit.nfiles = files.size();
    unit.module = llvm::wrap(&module);
    unit.resolve = [](void *, const tc_kernel *, const char *, tc_name *) { return false; };
    run.check(unit, &source);
}

namespace {

class LaunchFinder : public RecursiveASTVisitor<LaunchFinder> {
public:
    bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *) {
        found = true;
        return false;
    }
    bool VisitDeclRefExpr(DeclRefExpr *e) {
        const IdentifierInfo *name = e->getDecl()->getIdentifier();
        found |= name && name->getName().starts_with("cudaLaunch");
        return !found;
    }
    bool VisitUnresolvedLookupExpr(UnresolvedLookupExpr *e) { // in a template
        const IdentifierInfo *name = e->getName().getAsIdentifierInfo();
        found |= name && name->getName().starts_with("cudaLaunch");
        return !found;
    }
    bool found = false;
};

} // namespace

// What system headers launch is theirs.
bool Consumer::launches() const {
    LaunchFinder finder;
    for (const Event &e : events) {
        if (e.kind != Event::TopLevel || finder.found)
            continue;
        for (Decl *d : DeclGroupRef::getFromOpaquePtr(e.decl))
            if (!ci.getSourceManager().isInSystemHeader(d->getLocation()))
                finder.TraverseDecl(d);
    }
    return finder.found;
}

void Consumer::HandleTranslationUnit(ASTContext &ctx) {
    // The compiler's own errors speak for themselves.
    if (ci.getDiagnostics().hasUncompilableErrorOccurred())
        return;
    if (!ci.getLangOpts().CUDAIsDevice)
        handed = takeContracts(ci, args);
    if (pass == Pass::Check)
        check(ctx);
    else if (pass == Pass::Launches && !attrs.empty() && launches())
        check(ctx);
    else if (pass == Pass::Launches && alone)
        checkNothing();
    else if (pass == Pass::NoCode)
        checkNothing();
    embedContracts(ci, ctx, attrs, args, std::move(handed));
}

} // namespace tilecheck
