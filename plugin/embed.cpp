#include "plugin/embed.h"

#include "plugin/contract_c.h"
#include "plugin/convert.h"
#include "plugin/handover.h"
#include "plugin/report.h"
#include "plugin/resolve.h"
#include "plugin/run.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/CodeGenOptions.h"
#include "llvm/IR/LLVMContext.h"

extern "C" {
#include "runtime-shim/contract.h"
}
#include "llvm/Support/MemoryBuffer.h"

using namespace clang;

namespace tilecheck {

static bool isHostOfCuda(const LangOptions &lang) {
    return lang.CUDA && !lang.CUDAIsDevice;
}

bool embedsContracts(const CompilerInstance &ci, const std::vector<std::string> &args) {
    if (llvm::is_contained(args, "noembed") || !ci.getLangOpts().CUDA)
        return false;
    // The host's pass may be for a system whose object files have no notes.
    const llvm::Triple host(ci.getLangOpts().CUDAIsDevice ? ci.getFrontendOpts().AuxTriple : ci.getTargetOpts().Triple);
    switch (ci.getFrontendOpts().ProgramAction) {
    case frontend::EmitAssembly:
    case frontend::EmitBC:
    case frontend::EmitLLVM:
    case frontend::EmitObj:
        return host.isOSBinFormatELF();
    default:
        return false;
    }
}

// FILE of the option inferred=: what one pass leaves and the other takes, where no driver runs both.
static llvm::StringRef inferredFile(const std::vector<std::string> &args) {
    for (llvm::StringRef arg : args)
        if (arg.consume_front("inferred="))
            return arg;
    return "";
}

bool wantsContracts(const CompilerInstance &ci, const std::vector<std::string> &args) {
    return !inferredFile(args).empty() || embedsContracts(ci, args) || ci.getFrontendOpts().ProgramAction == frontend::ParseSyntaxOnly;
}

static std::string mainFile(const CompilerInstance &ci) {
    return ci.getFrontendOpts().Inputs.empty() ? std::string() : ci.getFrontendOpts().Inputs[0].getFile().str();
}

void handOverContracts(const CompilerInstance &ci, const std::vector<std::string> &args, llvm::StringRef notes) {
    // After an error no pass for the host comes. What cannot be left is not checked for the shim, and nothing worse.
    if (llvm::StringRef file = inferredFile(args); !file.empty()) {
        (void)writeReport(file.str(), notes.str()); // the launches then say that nothing is known
        return;
    }
    if (wantsContracts(ci, args) && !ci.getDiagnostics().hasErrorOccurred() && !notes.empty() && tc_handover_expected())
        (void)tc_handover_leave(mainFile(ci).c_str(), notes.data(), notes.size());
}

// ---- without the device's pass ----

namespace {

struct Encoding {
    const tc_unit *unit;
    const std::vector<std::string> *args;
    std::string *out;
};

// Only for names as the device's code has them: it generates nothing.
struct Names {
    Names(CompilerInstance &ci, ASTContext &ctx)
        : diags(llvm::makeIntrusiveRefCnt<DiagnosticIDs>(), options, new IgnoringDiagConsumer()) {
        diags.setSourceManager(&ci.getSourceManager());
        generator = CreateLLVMCodeGen(diags, "tilecheck", &ci.getVirtualFileSystem(), ci.getHeaderSearchOpts(),
                                      ci.getPreprocessorOpts(), code, context);
        generator->Initialize(ctx);
    }

    llvm::LLVMContext context;
    CodeGenOptions code;
    DiagnosticOptions options;
    DiagnosticsEngine diags;
    std::unique_ptr<CodeGenerator> generator;
};

} // namespace

static void encode(tc_trap *trap, void *arg) {
    Encoding *e = static_cast<Encoding *>(arg);
    tc_arena *a = tc_arena_new(trap);
    tc_options options;
    tc_bytes notes = {};
    if (parseAll(a, *e->args, &options) != TC_OK)
        return;
    tc_embed_unit(a, e->unit, &options, &notes);
    if (notes.len)
        e->out->assign(reinterpret_cast<const char *>(notes.data), notes.len);
}

static bool resolveName(void *ctx, const tc_kernel *k, const char *name, tc_name *out) {
    return static_cast<Resolver *>(ctx)->resolve(static_cast<const FunctionDecl *>(k->decl), name, *out);
}

static std::string encodeHere(CompilerInstance &ci, ASTContext &ctx, const AttrTable &attrs, const std::vector<std::string> &args) {
    SourceMap source(ci.getSourceManager(), ci.getLangOpts());
    Names names(ci, ctx);
    Converter convert(ctx, attrs, source, *names.generator);
    Resolver resolver(ci.getSema(), convert);
    tc_unit unit = {};
    convert.fill(unit);
    // A launch knows the kernel by its name on the device; the host's code has a stub of another name.
    llvm::SmallVector<tc_kernel, 8> kernels(unit.kernels, unit.kernels + unit.nkernels);
    for (tc_kernel &k : kernels)
        k.mangled = convert.mangled(GlobalDecl(static_cast<const FunctionDecl *>(k.decl), KernelReferenceKind::Kernel));
    unit.kernels = kernels.data();
    llvm::SmallVector<const char *, 16> files;
    for (const std::string &file : source.files())
        files.push_back(file.c_str());
    unit.files = files.data();
    unit.nfiles = files.size();
    unit.resolve = resolveName;
    unit.ctx = &resolver;
    std::string out;
    Encoding e = {&unit, &args, &out};
    if (tc_trap_run(encode, &e, nullptr) != TC_OK)
        out.clear(); // no memory: no contracts
    return out;
}

// ---- the constant ----

// A variable, and no assembly: it goes through every way to an object file, link-time optimisation included. `used` keeps it in
// the compiler, its section's type (LLVM makes a section whose name begins with .note one of notes) in the linker.
static void addConstant(CompilerInstance &ci, ASTContext &ctx, llvm::StringRef notes) {
    QualType type = ctx.getConstantArrayType(ctx.CharTy.withConst(), llvm::APInt(ctx.getTypeSize(ctx.getSizeType()), notes.size()),
                                             nullptr, ArraySizeModifier::Normal, 0);
    TranslationUnitDecl *unit = ctx.getTranslationUnitDecl();
    VarDecl *v = VarDecl::Create(ctx, unit, SourceLocation(), SourceLocation(), &ctx.Idents.get("__tilecheck_contracts"), type,
                                 ctx.getTrivialTypeSourceInfo(type), SC_Static);
    SourceLocation nowhere;
    v->setInit(StringLiteral::Create(ctx, notes, StringLiteralKind::Ordinary, false, type, nowhere));
    v->setImplicit();
    v->setReferenced();
    v->addAttr(SectionAttr::CreateImplicit(ctx, TC_REC_SECTION));
    v->addAttr(UsedAttr::CreateImplicit(ctx));
    v->addAttr(NoDebugAttr::CreateImplicit(ctx));
    // Sanitizers would surround it with zones of their own: no note.
    v->addAttr(DisableSanitizerInstrumentationAttr::CreateImplicit(ctx));
    Expr *four = IntegerLiteral::Create(ctx, llvm::APInt(32, 4), ctx.IntTy, nowhere);
    v->addAttr(AlignedAttr::CreateImplicit(ctx, true, ConstantExpr::Create(ctx, four)));
    unit->addDecl(v);
    ci.getASTConsumer().HandleTopLevelDecl(DeclGroupRef(v));
}

// The fat binary goes into the object file as it is, so what the driver is given at run time are these bytes. Code that is linked once more
// (-fgpu-rdc) is another one then; nothing is said of it.
static void bindToCode(const CompilerInstance &ci, std::string &notes) {
    const std::string &path = ci.getCodeGenOpts().CudaGpuBinaryFileName;
    if (path.empty() || ci.getLangOpts().GPURelocatableDeviceCode)
        return;
    auto file = llvm::MemoryBuffer::getFile(path, false, false);
    if (!file)
        return;
    llvm::StringRef image = (*file)->getBuffer();
    if (uint64_t size = tc_embedded_image_size(image.data(), image.size()))
        tc_embedded_bind_code(notes.data(), notes.size(), size, tc_embedded_image_hash(image.data(), size));
}

std::string takeContracts(const CompilerInstance &ci, const std::vector<std::string> &args) {
    if (llvm::StringRef from = inferredFile(args); !from.empty()) {
        auto file = llvm::MemoryBuffer::getFile(from);
        return file ? (*file)->getBuffer().str() : std::string();
    }
    void *bytes = nullptr;
    size_t size = 0;
    if (!isHostOfCuda(ci.getLangOpts()) || !tc_handover_take(mainFile(ci).c_str(), &bytes, &size))
        return "";
    std::string notes(static_cast<const char *>(bytes), size);
    free(bytes);
    return notes;
}

void embedContracts(CompilerInstance &ci, ASTContext &ctx, const AttrTable &attrs, const std::vector<std::string> &args,
                    std::string notes) {
    if (!isHostOfCuda(ci.getLangOpts()) || attrs.empty() || !embedsContracts(ci, args))
        return;
    if (notes.empty())
        notes = encodeHere(ci, ctx, attrs, args);
    if (notes.empty())
        return;
    bindToCode(ci, notes);
    addConstant(ci, ctx, notes);
}

} // namespace tilecheck
