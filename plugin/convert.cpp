#include "plugin/convert.h"

#include "plugin/names.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace tilecheck {

template <class Vec, class T> static void setVec(Vec &vec, T *data, size_t n) {
    vec.data = data;
    vec.len = vec.cap = n;
}

// A stable sort of a few things.
template <class V, class Place> static void sortByPlace(const SourceManager &sm, V &v, Place place) {
    auto before = [&](const auto &a, const auto &b) { return sm.isBeforeInTranslationUnit(place(a), place(b)); };
    for (auto it = v.begin(); it != v.end(); ++it)
        std::rotate(std::upper_bound(v.begin(), it, *it, before), it, it + 1);
}

static PrintingPolicy sourcePolicy(const ASTContext &ctx) {
    PrintingPolicy p = ctx.getPrintingPolicy();
    p.SuppressUnwrittenScope = true;
    p.SuppressTagKeyword = true;
    p.Bool = true;
    return p;
}

Converter::Converter(ASTContext &context, const AttrTable &table, SourceMap &places, CodeGenerator &generator)
    : ctx(context), attrs(table), source(places), codegen(generator), policy(sourcePolicy(context)), saver(memory) {
    collect();
}

// ---- which kernels ----

static bool isKernelHere(const FunctionDecl *f) {
    if (f->isInvalidDecl() || f->isDependentContext())
        return false;
    // An instantiation that nobody needed has no body although its template has one: nothing is launched.
    const FunctionDecl *pattern = f->getTemplateInstantiationPattern();
    return f->isDefined() || !pattern || !pattern->isDefined();
}

void Converter::collect() {
    llvm::SetVector<const FunctionDecl *> all;
    for (const FunctionDecl *f : attrs.kernels())
        all.insert(f);
    for (const FunctionTemplateDecl *t : attrs.templates())
        for (const FunctionDecl *f : t->specializations())
            all.insert(f->getCanonicalDecl());
    for (const FunctionDecl *f : all)
        if (isKernelHere(f))
            decls.push_back(f->getDefinition() ? f->getDefinition() : f);
    sortByPlace(ctx.getSourceManager(), decls, [](const FunctionDecl *f) { return f->getLocation(); });
}

// ---- attributes ----

// The declarations whose words are the function's: its redeclarations and those of the template that it comes from.
static llvm::SmallVector<const FunctionDecl *, 4> relatives(const FunctionDecl *f) {
    llvm::SmallVector<const FunctionDecl *, 4> out;
    if (const FunctionDecl *pattern = f->getTemplateInstantiationPattern())
        out.append(pattern->redecls_begin(), pattern->redecls_end());
    out.append(f->redecls_begin(), f->redecls_end());
    return out;
}

// Every place where a word stands on these functions or on their parameters.
static void placesOfWords(const AttrTable &attrs, llvm::ArrayRef<const FunctionDecl *> from,
                          llvm::DenseSet<SourceLocation> &out) {
    Words words;
    for (const FunctionDecl *f : from) {
        attrs.words(f, words);
        for (const ParmVarDecl *p : f->parameters())
            attrs.words(p, words);
    }
    for (const AnnotateAttr *a : words)
        out.insert(a->getLocation());
}

// The words that f does not take over. Clang lets an explicit specialization inherit the template's attributes; one
// that says anything itself says everything.
static llvm::DenseSet<SourceLocation> overridden(const AttrTable &attrs, const FunctionDecl *f) {
    llvm::DenseSet<SourceLocation> theirs, own;
    if (f->getTemplateSpecializationKind() != TSK_ExplicitSpecialization || !f->getPrimaryTemplate())
        return theirs;
    const FunctionDecl *primary = f->getPrimaryTemplate()->getTemplatedDecl();
    llvm::SmallVector<const FunctionDecl *, 4> family(primary->redecls_begin(), primary->redecls_end());
    placesOfWords(attrs, family, theirs);
    placesOfWords(attrs, relatives(f), own);
    bool any = llvm::any_of(own, [&](SourceLocation at) { return !theirs.count(at); });
    return any ? theirs : llvm::DenseSet<SourceLocation>();
}

// The argument text of a word; false without parentheses.
static bool wordText(const AnnotateAttr *a, llvm::StringRef &text) {
    if (a->args_size() == 0)
        return false;
    const auto *s = dyn_cast<StringLiteral>((*a->args_begin())->IgnoreParenImpCasts());
    if (s)
        text = s->getString();
    return s != nullptr;
}

static tc_word wordNamed(llvm::StringRef name) {
    static const char *const names[] = {
#define TC_WORD(id, name, where, min, max, help) name,
#include "checker/words.def"
#undef TC_WORD
    };
    for (unsigned i = 0; i < TC_WORD_COUNT; ++i)
        if (name == names[i])
            return static_cast<tc_word>(i);
    return TC_WORD_COUNT;
}

tc_attr Converter::attribute(const AnnotateAttr *a, llvm::StringRef text, bool hasText) {
    llvm::StringRef name = a->getAnnotation();
    name.consume_front("tilecheck:");
    tc_attr out = {};
    out.word = wordNamed(name);
    out.name = save(name);
    out.text = hasText ? save(text) : nullptr;
    out.loc = source.place(a->getRange());
    return out;
}

static const TemplateParameterList *templateParameters(const FunctionDecl *f) {
    const FunctionTemplateDecl *t = f->getDescribedFunctionTemplate();
    return t ? t->getTemplateParameters() : nullptr;
}

static void mapName(const NamedDecl *from, const NamedDecl *to, llvm::StringMap<std::string> &names) {
    if (!from->getName().empty() && !to->getName().empty() && from->getName() != to->getName())
        names[from->getName()] = to->getName().str();
}

// How names of the declaration that has the words are called where the body is.
static llvm::StringMap<std::string> translation(const Decl *from, const FunctionDecl *to) {
    llvm::StringMap<std::string> names;
    const auto *f = dyn_cast<FunctionDecl>(from);
    if (!f)
        f = dyn_cast<FunctionDecl>(from->getDeclContext());
    if (!f || !to)
        return names;
    for (unsigned i = 0; i < f->getNumParams() && i < to->getNumParams(); ++i)
        mapName(f->getParamDecl(i), to->getParamDecl(i), names);
    const FunctionDecl *pattern = to->getTemplateInstantiationPattern();
    const TemplateParameterList *a = templateParameters(f), *b = pattern ? templateParameters(pattern) : nullptr;
    if (a && b)
        for (unsigned i = 0; i < a->size() && i < b->size(); ++i)
            mapName(a->getParam(i), b->getParam(i), names);
    return names;
}

static bool sameWord(const tc_attr &a, const tc_attr &b) {
    return llvm::StringRef(a.name) == b.name && !a.text == !b.text && (!a.text || llvm::StringRef(a.text) == b.text);
}

// Each word with the declaration that it was written on. An inherited or instantiated word is a copy at the same place.
static void gather(const AttrTable &attrs, llvm::ArrayRef<const Decl *> from, bool inherited,
                   const llvm::DenseSet<SourceLocation> &without,
                   llvm::SmallVectorImpl<std::pair<const AnnotateAttr *, const Decl *>> &found) {
    for (const Decl *d : from) {
        Words words;
        attrs.words(d, words);
        for (const AnnotateAttr *a : words)
            if (a->isInherited() == inherited && !without.count(a->getLocation()) &&
                llvm::none_of(found, [&](const auto &f) { return f.first->getLocation() == a->getLocation(); }))
                found.push_back({a, d});
    }
}

tc_attrs Converter::attributes(llvm::ArrayRef<const Decl *> from, const FunctionDecl *names,
                               const llvm::DenseSet<SourceLocation> &without) {
    llvm::SmallVector<std::pair<const AnnotateAttr *, const Decl *>, 8> found;
    gather(attrs, from, false, without, found);
    gather(attrs, from, true, without, found);
    sortByPlace(ctx.getSourceManager(), found, [](const auto &f) { return f.first->getLocation(); });
    llvm::SmallVector<tc_attr, 8> out;
    llvm::SmallVector<const Decl *, 8> origin;
    for (const auto &f : found) {
        llvm::StringRef text;
        bool hasText = wordText(f.first, text);
        tc_attr a = attribute(f.first, renamed(text, translation(f.second, names)), hasText);
        // A redeclaration may repeat what an earlier one said.
        bool repeated = false;
        for (size_t i = 0; i < out.size(); ++i)
            repeated |= origin[i] != f.second && sameWord(out[i], a);
        if (repeated)
            continue;
        out.push_back(a);
        origin.push_back(f.second);
    }
    tc_attrs result = {};
    setVec(result, array(llvm::ArrayRef<tc_attr>(out)), out.size());
    return result;
}

// ---- kernels ----

static tc_i128 toInt128(const llvm::APSInt &v) {
    return v.isSigned() ? static_cast<tc_i128>(v.getSExtValue())
                        : static_cast<tc_i128>(static_cast<tc_u128>(v.getZExtValue()));
}

void Converter::templateArguments(const TemplateParameterList *params, llvm::ArrayRef<TemplateArgument> args,
                                  llvm::SmallVectorImpl<tc_targ> &out) {
    for (unsigned i = 0; i < params->size() && i < args.size(); ++i) {
        tc_targ t = {};
        t.name = save(params->getParam(i)->getName());
        if (args[i].getKind() == TemplateArgument::Type) {
            t.is_type = true;
            t.type = type(args[i].getAsType());
        } else if (args[i].getKind() == TemplateArgument::Integral && args[i].getAsIntegral().getBitWidth() <= 64)
            t.value = toInt128(args[i].getAsIntegral());
        else
            continue;
        out.push_back(t);
    }
}

void Converter::templateArguments(const FunctionDecl *f, llvm::SmallVectorImpl<tc_targ> &out) {
    if (const TemplateArgumentList *args = f->getTemplateSpecializationArgs()) {
        const FunctionDecl *pattern = f->getTemplateInstantiationPattern();
        const TemplateParameterList *params = pattern ? templateParameters(pattern) : nullptr;
        templateArguments(params ? params : f->getPrimaryTemplate()->getTemplateParameters(), args->asArray(), out);
    }
    for (const DeclContext *c = f->getDeclContext(); c; c = c->getParent())
        if (const auto *s = dyn_cast<ClassTemplateSpecializationDecl>(c))
            templateArguments(s->getSpecializedTemplate()->getTemplateParameters(), s->getTemplateArgs().asArray(),
                              out);
}

static uint64_t launchBound(const ASTContext &ctx, const FunctionDecl *f) {
    const auto *bounds = f->getAttr<CUDALaunchBoundsAttr>();
    Expr::EvalResult value;
    if (!bounds || bounds->getMaxThreads()->isValueDependent() || !bounds->getMaxThreads()->EvaluateAsInt(value, ctx) ||
        !value.Val.getInt().isStrictlyPositive())
        return 0;
    return value.Val.getInt().getZExtValue();
}

static void clusterExtents(const ASTContext &ctx, const FunctionDecl *f, uint64_t (&out)[3]) {
    const auto *dims = f->getAttr<CUDAClusterDimsAttr>();
    if (!dims)
        return;
    const Expr *extents[] = {dims->getX(), dims->getY(), dims->getZ()};
    for (unsigned i = 0; i < 3; ++i) {
        Expr::EvalResult value;
        if (extents[i] && !extents[i]->isValueDependent() && extents[i]->EvaluateAsInt(value, ctx) && value.Val.getInt().isStrictlyPositive())
            out[i] = value.Val.getInt().getZExtValue();
    }
}

tc_kernel Converter::kernel(const FunctionDecl *f) {
    llvm::SmallVector<const FunctionDecl *, 4> family = relatives(f);
    llvm::DenseSet<SourceLocation> without = overridden(attrs, f);
    llvm::SmallVector<tc_param, 8> params;
    for (unsigned i = 0; i < f->getNumParams(); ++i) {
        const ParmVarDecl *p = f->getParamDecl(i);
        llvm::SmallVector<const Decl *, 4> same;
        for (const FunctionDecl *d : family)
            if (i < d->getNumParams())
                same.push_back(d->getParamDecl(i));
        tc_param out = {};
        out.name = save(p->getName());
        out.type = type(p->getType());
        out.attrs = attributes(same, f, without);
        out.loc = source.place(p->getLocation());
        params.push_back(out);
    }
    llvm::SmallVector<tc_targ, 4> targs;
    templateArguments(f, targs);
    std::string name;
    llvm::raw_string_ostream os(name);
    f->getNameForDiagnostic(os, policy, true);
    llvm::SmallVector<const Decl *, 4> self(family.begin(), family.end());

    tc_kernel k = {};
    k.name = save(name);
    k.mangled = mangled(GlobalDecl(f));
    k.loc = source.place(f->getLocation());
    k.attrs = attributes(self, f, without);
    k.params = array(llvm::ArrayRef<tc_param>(params));
    k.nparams = params.size();
    k.targs = array(llvm::ArrayRef<tc_targ>(targs));
    k.ntargs = targs.size();
    k.has_body = f->isDefined();
    k.max_threads = launchBound(ctx, f);
    clusterExtents(ctx, f, k.cluster);
    k.decl = f;
    return k;
}

bool Converter::describe(llvm::StringRef mangledName, tc_host_function &out) {
    const auto *f = dyn_cast_or_null<FunctionDecl>(codegen.GetDeclForMangledName(mangledName));
    if (!f)
        return false;
    if (f->getDefinition())
        f = f->getDefinition();
    llvm::SmallVector<tc_param, 8> params;
    for (const ParmVarDecl *p : f->parameters()) {
        tc_param param = {};
        param.name = save(p->getName());
        param.type = type(p->getType());
        param.loc = source.place(p->getLocation());
        params.push_back(param);
    }
    std::string name;
    llvm::raw_string_ostream os(name);
    f->getNameForDiagnostic(os, policy, true);
    out = {};
    out.name = save(name);
    out.loc = source.place(f->getLocation());
    out.params = array(llvm::ArrayRef<tc_param>(params));
    out.nparams = params.size();
    return true;
}

tc_device_var Converter::variable(const VarDecl *v) {
    llvm::SmallVector<const Decl *, 4> family(v->redecls_begin(), v->redecls_end());
    if (const VarDecl *pattern = v->getTemplateInstantiationPattern())
        family.append(pattern->redecls_begin(), pattern->redecls_end());
    tc_device_var out = {};
    out.name = save(v->getName());
    out.mangled = mangled(GlobalDecl(v));
    out.type = type(v->getType());
    out.attrs = attributes(family, nullptr, {});
    out.loc = source.place(v->getLocation());
    for (const Decl *d : family)
        out.managed |= llvm::any_of(d->specific_attrs<AnnotateAttr>(), [](const AnnotateAttr *a) { return a->getAnnotation() == "managed"; });
    return out;
}

void Converter::fill(tc_unit &unit) {
    llvm::SmallVector<tc_kernel, 8> kernels;
    for (const FunctionDecl *f : decls)
        kernels.push_back(kernel(f));
    llvm::SmallVector<tc_device_var, 4> vars;
    for (const VarDecl *v : attrs.variables())
        vars.push_back(variable(v));
    unit.kernels = array(llvm::ArrayRef<tc_kernel>(kernels));
    unit.nkernels = kernels.size();
    unit.vars = array(llvm::ArrayRef<tc_device_var>(vars));
    unit.nvars = vars.size();
}

static void textsOf(const tc_attrs &attrs, llvm::SmallVectorImpl<const char *> &out) {
    for (size_t i = 0; i < attrs.len; ++i)
        if (attrs.data[i].text)
            out.push_back(attrs.data[i].text);
}

static void textsIn(const tc_type *t, llvm::SmallVectorImpl<const char *> &out) {
    for (; t->kind == TC_TY_ARRAY; t = t->elem)
        ;
    for (size_t i = 0; i < t->nfields; ++i) {
        textsOf(t->fields[i].attrs, out);
        textsIn(t->fields[i].type, out);
    }
}

void Converter::texts(const tc_kernel &k, llvm::SmallVectorImpl<const char *> &out) const {
    textsOf(k.attrs, out);
    for (size_t i = 0; i < k.nparams; ++i) {
        textsOf(k.params[i].attrs, out);
        textsIn(k.params[i].type, out);
    }
}

} // namespace tilecheck
