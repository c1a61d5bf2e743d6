#include "plugin/run.h"

#include "plugin/report.h"
extern "C" {
#include "runtime-shim/contract.h"
}
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace tilecheck {

// A failed allocation of the checker jumps out of a trap. Functions given to tc_trap_run therefore hold nothing that
// has a destructor while they call C.

void Run::show(const tc_result &result, const tc_options &options, bool timed) {
    for (size_t i = 0; i < result.findings.len; ++i)
        showFinding(diags, source, result.findings.data[i], options.unknown);
    if (result.dump)
        llvm::outs() << result.dump;
    llvm::outs().flush();
    if (options.report && result.report) {
        std::string error = writeReport(options.report, result.report);
        if (!error.empty())
            showError(diags, "tilecheck: cannot write the report to '" + std::string(options.report) + "': " + error);
    }
    if (!result.summary_line)
        return;
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    llvm::errs() << result.summary_line;
    if (timed)
        llvm::errs() << llvm::format(" (%.2f s)", seconds.count());
    llvm::errs() << '\n';
}

tc_status parseAll(tc_arena *a, const std::vector<std::string> &args, tc_options *o, const char **error) {
    const char *ignored = nullptr;
    error = error ? error : &ignored;
    tc_options_init(o);
    for (const std::string &arg : args)
        TC_TRY(tc_options_parse(o, a, arg.c_str(), error));
    return TC_OK;
}

// The contracts of this name are to be compiled.
static bool isSourceFile(const char *path) {
    return path && llvm::StringRef(path).ends_with(".c");
}

void Run::keepContracts(const tc_result &result, const tc_options &options, const char *asSource) {
    llvm::StringRef bytes(reinterpret_cast<const char *>(result.contracts), result.ncontracts);
    notes.assign(bytes.begin(), bytes.end());
    if (!options.contracts)
        return;
    std::string error = writeReport(options.contracts, asSource ? llvm::StringRef(asSource) : bytes);
    if (!error.empty())
        showError(diags, "tilecheck: cannot write the contracts to '" + std::string(options.contracts) + "': " + error);
}

// The image in `path`: the file itself, or the one that an object of the host holds. "" and *error where there is none.
static llvm::StringRef imageIn(llvm::StringRef file, std::string *error) {
    auto object = llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(file, ""));
    if (!object)
        llvm::consumeError(object.takeError());
    bool ofHost = object && (*object)->getArch() != llvm::Triple::UnknownArch && (*object)->getArch() != llvm::Triple::nvptx64;
    llvm::StringRef image = ofHost ? "" : file;
    std::vector<llvm::object::SectionRef> sections;
    if (ofHost)
        sections.assign((*object)->section_begin(), (*object)->section_end());
    for (const llvm::object::SectionRef &section : sections) {
        llvm::Expected<llvm::StringRef> name = section.getName(), bytes = section.getContents();
        if (name && bytes && *name == ".nv_fatbin")
            image = *bytes;
        llvm::consumeError(name.takeError());
        llvm::consumeError(bytes.takeError());
    }
    uint64_t size = tc_embedded_image_size(image.data(), image.size());
    if (size == 0)
        *error = "no device code is in it";
    else if (image.drop_front(size).find_first_not_of('\0') != llvm::StringRef::npos && image.data() != file.data())
        *error = "code of several files is in it: the object of one is needed";
    return error->empty() ? image.take_front(size) : "";
}

// The contracts are about the code of this file.
static void bindTo(const char *path, const tc_result &result, DiagnosticsEngine &diags) {
    auto file = llvm::MemoryBuffer::getFile(path, false, false);
    std::string error = file ? "" : file.getError().message();
    llvm::StringRef image = file ? imageIn((*file)->getBuffer(), &error) : "";
    if (error.empty())
        tc_embedded_bind_code(const_cast<uint8_t *>(result.contracts), result.ncontracts, image.size(),
                              tc_embedded_image_hash(image.data(), image.size()));
    else
        showError(diags, "tilecheck: the code in '" + std::string(path) + "': " + error);
}

void Run::inTrap(tc_trap *trap, void *arg) {
    Run *run = static_cast<Run *>(arg);
    tc_arena *a = tc_arena_new(trap);
    tc_options options;
    tc_result result = {};
    const char *error = nullptr;
    if (parseAll(a, run->args, &options, &error) != TC_OK)
        return; // shown when the plugin was loaded
    options.embed = run->wanted || options.contracts;
    tc_check_unit(a, run->unit, &options, &result);
    if (options.code)
        bindTo(options.code, result, run->diags);
    const char *text = nullptr;
    if (isSourceFile(options.contracts)) {
        const tc_bytes notes = {const_cast<uint8_t *>(result.contracts), result.ncontracts, result.ncontracts};
        text = tc_embed_c_text(a, &notes, run->unit->files[0]);
    }
    run->show(result, options, result.summary.kernels > 0);
    run->keepContracts(result, options, text);
}

// The report that the device's compilation has written before, to be added to; a device or a pipe holds none.
static const char *readBefore(tc_arena *a, const char *path) {
    if (!path || !llvm::sys::fs::is_regular_file(path))
        return nullptr;
    auto file = llvm::MemoryBuffer::getFile(path);
    return file ? tc_strndup(a, (*file)->getBufferStart(), (*file)->getBufferSize()) : nullptr;
}

void Run::launchesInTrap(tc_trap *trap, void *arg) {
    Run *run = static_cast<Run *>(arg);
    tc_arena *a = tc_arena_new(trap);
    tc_options options;
    tc_result result = {};
    const char *error = nullptr;
    if (parseAll(a, run->args, &options, &error) != TC_OK)
        return;
    tc_check_launches(a, run->unit, &options, readBefore(a, options.report), &result);
    run->launched = result.summary_line != nullptr;
    if (!run->launched && result.findings.len == 0)
        return;
    if (options.report && llvm::sys::fs::exists(options.report) && !llvm::sys::fs::is_regular_file(options.report))
        options.report = nullptr; // it has the device's
    run->show(result, options, true);
}

bool Run::checkLaunches(const tc_unit &u, SourceMap *places) {
    unit = &u;
    source = places;
    const char *why = nullptr;
    if (tc_trap_run(launchesInTrap, this, &why) != TC_OK)
        warn("TC9002", tc_loc(), std::string("no launch was checked: ") + (why ? why : "internal error"));
    return launched;
}

void Run::check(const tc_unit &u, SourceMap *places) {
    unit = &u;
    source = places;
    const char *why = nullptr;
    if (tc_trap_run(inTrap, this, &why) == TC_OK)
        return;
    warn("TC9002", tc_loc(), std::string("nothing was checked: ") + (why ? why : "internal error"));
}

void Run::warn(const char *code, const tc_loc &loc, const std::string &text) {
    tc_finding f = {};
    f.code = code;
    f.severity = TC_SEV_WARNING;
    f.loc = loc;
    f.text = text.c_str();
    showFinding(diags, source, f, TC_UNKNOWN_WARNING);
}

static const char *whyStray(const NamedDecl *d) {
    if (isa<FieldDecl>(d))
        return "is a member of a union";
    if (const auto *v = dyn_cast<VarDecl>(d); v && v->hasAttr<CUDASharedAttr>())
        return "is a block's own memory";
    return "is not a kernel, a parameter or field of one, or a device variable";
}

void Run::showStrays(SourceMap &places, const AttrTable &attrs) {
    source = &places;
    llvm::SmallVector<const NamedDecl *, 8> found;
    llvm::DenseSet<SourceLocation> seen; // instantiations stand at one place
    for (const NamedDecl *d : attrs.strays())
        if (seen.insert(d->getLocation()).second)
            found.push_back(d);
    llvm::sort(found, [](const NamedDecl *x, const NamedDecl *y) {
        return x->getASTContext().getSourceManager().isBeforeInTranslationUnit(x->getLocation(), y->getLocation());
    });
    for (const NamedDecl *d : found)
        warn("TC9001", places.place(d->getLocation()),
             "'" + d->getNameAsString() + "' " + whyStray(d) + ": its tilecheck attributes say nothing");
}

void Run::showPreprocessed() {
    warn("TC9002", tc_loc(), "this input is preprocessed, and without the plugin: it has lost its attributes");
}

namespace {
struct Parse {
    DiagnosticsEngine &diags;
    const std::vector<std::string> &args;
    bool speak, good, explained;
};
} // namespace

static void parseInTrap(tc_trap *trap, void *arg) {
    Parse *p = static_cast<Parse *>(arg);
    tc_arena *a = tc_arena_new(trap);
    tc_options options;
    const char *error = nullptr;
    p->good = parseAll(a, p->args, &options, &error) == TC_OK;
    if (!p->good) {
        showError(p->diags, error ? error : "tilecheck: an option that is not understood");
        return;
    }
    p->explained = options.explain != nullptr;
    if (!p->explained)
        return;
    const char *text = tc_explain(a, options.explain);
    p->good = text != nullptr;
    if (!text)
        showError(p->diags, llvm::StringRef("tilecheck: there is no rule ").str() + options.explain);
    else if (p->speak)
        llvm::outs() << text;
    llvm::outs().flush();
}

bool parseArguments(DiagnosticsEngine &diags, const std::vector<std::string> &args, bool speak, bool *explained) {
    Parse p = {diags, args, speak, false, false};
    const char *why = nullptr;
    if (tc_trap_run(parseInTrap, &p, &why) != TC_OK)
        showError(diags, std::string("tilecheck: ") + (why ? why : "internal error"));
    *explained = p.explained;
    return p.good;
}

} // namespace tilecheck
