#include "plugin/resolve.h"

#include "clang/AST/DeclCXX.h"
#include "clang/Sema/Lookup.h"

using namespace clang;
using llvm::StringRef;

namespace tilecheck {

// Names recurse on their template arguments.
static constexpr size_t longestName = 1024;

// Splits at the first separator that is outside of "<…>"; the whole text when there is none.
static std::pair<StringRef, StringRef> cut(StringRef text, StringRef separator) {
    size_t depth = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '<')
            ++depth;
        else if (text[i] == '>' && depth)
            --depth;
        else if (depth == 0 && text.substr(i).starts_with(separator))
            return {text.take_front(i).trim(), text.drop_front(i + separator.size()).trim()};
    }
    return {text.trim(), ""};
}

// "name<args>": the name; args without the brackets, and no data at all without them.
static StringRef cutArguments(StringRef part, StringRef &args) {
    size_t open = part.find('<');
    args = StringRef();
    if (open == StringRef::npos || !part.ends_with(">"))
        return part.trim();
    args = part.slice(open + 1, part.size() - 1).trim();
    return part.take_front(open).trim();
}

// ---- constants ----

std::optional<llvm::APSInt> Resolver::constant(VarDecl *v) {
    if (!v->getType().isConstQualified() || v->getType().isVolatileQualified() || v->isWeak() ||
        !v->getType()->isIntegralOrEnumerationType())
        return std::nullopt;
    // The initializer of a static member of a class template is instantiated at the first use.
    if (!v->getAnyInitializer() && v->getTemplateInstantiationPattern() &&
        isTemplateInstantiation(v->getTemplateSpecializationKind()))
        sema.InstantiateVariableDefinition(v->getLocation(), v, true);
    const VarDecl *definition = nullptr;
    const Expr *init = v->getAnyInitializer(definition);
    if (!init || init->isValueDependent())
        return std::nullopt;
    const APValue *value = definition->evaluateValue();
    if (!value || !value->isInt() || (ctx.getLangOpts().CPlusPlus && !definition->hasConstantInitialization()))
        return std::nullopt;
    return value->getInt();
}

// ---- types ----

QualType Resolver::builtin(StringRef text) {
    llvm::StringMap<unsigned> words;
    llvm::SmallVector<StringRef, 4> list;
    text.split(list, ' ', -1, false);
    for (StringRef w : list)
        ++words[w];
    auto take = [&](StringRef w) {
        unsigned n = words.lookup(w);
        words.erase(w);
        return n;
    };
    bool isUnsigned = take("unsigned"), isSigned = take("signed");
    unsigned longs = take("long"), shorts = take("short");
    bool isInt = take("int");
    QualType t;
    if (take("char"))
        t = isUnsigned ? ctx.UnsignedCharTy : isSigned ? ctx.SignedCharTy : ctx.CharTy;
    else if (take("bool") || take("_Bool"))
        t = ctx.BoolTy;
    else if (take("float"))
        t = ctx.FloatTy;
    else if (take("double"))
        t = ctx.DoubleTy;
    else if (take("void"))
        t = ctx.VoidTy;
    else if (longs > 1)
        t = isUnsigned ? ctx.UnsignedLongLongTy : ctx.LongLongTy;
    else if (longs)
        t = isUnsigned ? ctx.UnsignedLongTy : ctx.LongTy;
    else if (shorts)
        t = isUnsigned ? ctx.UnsignedShortTy : ctx.ShortTy;
    else if (isUnsigned || isSigned || isInt)
        t = isUnsigned ? ctx.UnsignedIntTy : ctx.IntTy;
    return words.empty() ? t : QualType();
}

// A type as C spells it without a declarator but for pointers: "const T *", "unsigned long long", "ns::vec<float>".
QualType Resolver::type(const FunctionDecl *from, StringRef text) {
    text = text.trim();
    unsigned stars = 0;
    for (; text.consume_back("*"); text = text.rtrim())
        ++stars;
    for (bool again = true; again;) {
        again = false;
        for (StringRef noise : {"const ", "volatile ", "struct ", "class ", "enum ", "union ", "typename "})
            if (text.consume_front(noise)) {
                text = text.ltrim();
                again = true;
            }
    }
    if (text.consume_back(" const"))
        text = text.rtrim();
    QualType t = builtin(text);
    if (t.isNull())
        t = lookup(from, text).type;
    for (; !t.isNull() && stars; --stars)
        t = ctx.getPointerType(t);
    return t;
}

// ---- templates ----

Resolver::Arguments Resolver::arguments(const FunctionDecl *from, StringRef text) {
    Arguments out;
    out.given = true;
    while (!text.empty()) {
        auto [arg, rest] = cut(text, ",");
        text = rest;
        llvm::APInt number;
        std::optional<llvm::APSInt> value;
        QualType t;
        if (!arg.getAsInteger(0, number))
            value = llvm::APSInt(number, true);
        else if (arg == "true" || arg == "false")
            value = llvm::APSInt::get(arg == "true");
        else if (arg.ends_with("*") || arg.contains(' '))
            t = type(from, arg);
        else if ((t = builtin(arg)).isNull()) {
            // One look-up for an argument: names nest.
            Meaning m = lookup(from, arg);
            value = m.value;
            t = m.type;
        }
        out.understood &= value || !t.isNull();
        out.values.push_back(value);
        out.types.push_back(t);
    }
    return out;
}

// Do the arguments name exactly these (or, if not whole, the first of these)?
bool Resolver::match(const Arguments &args, llvm::ArrayRef<TemplateArgument> have, bool whole) {
    size_t n = args.types.size();
    if (!args.understood || n > have.size() || (whole && n != have.size()))
        return false;
    for (size_t i = 0; i < n; ++i) {
        bool same = false;
        if (have[i].getKind() == TemplateArgument::Type)
            same = !args.types[i].isNull() && ctx.hasSameType(args.types[i], have[i].getAsType());
        else if (const std::optional<llvm::APSInt> &v = args.values[i];
                 v && have[i].getKind() == TemplateArgument::Integral)
            same = llvm::APSInt::isSameValue(*v, have[i].getAsIntegral());
        if (!same)
            return false;
    }
    return true;
}

Resolver::Meaning Resolver::templateArgument(const FunctionDecl *from, StringRef name) {
    Meaning m;
    auto bound = [&](const TemplateParameterList *params, llvm::ArrayRef<TemplateArgument> args) {
        for (unsigned i = 0; i < params->size() && i < args.size(); ++i) {
            if (params->getParam(i)->getName() != name)
                continue;
            m.declared = true;
            if (args[i].getKind() == TemplateArgument::Type)
                m.type = args[i].getAsType();
            else if (args[i].getKind() == TemplateArgument::Integral)
                m.value = args[i].getAsIntegral();
            return true;
        }
        return false;
    };
    if (const TemplateArgumentList *args = from->getTemplateSpecializationArgs()) {
        const FunctionDecl *pattern = from->getTemplateInstantiationPattern();
        const FunctionTemplateDecl *t = pattern ? pattern->getDescribedFunctionTemplate() : nullptr;
        if (bound((t ? t : from->getPrimaryTemplate())->getTemplateParameters(), args->asArray()))
            return m;
    }
    for (const DeclContext *c = from->getDeclContext(); c; c = c->getParent())
        if (const auto *s = dyn_cast<ClassTemplateSpecializationDecl>(c))
            if (bound(s->getSpecializedTemplate()->getTemplateParameters(), s->getTemplateArgs().asArray()))
                return m;
    return m;
}

// ---- lookup ----

static bool callable(const FunctionDecl *f, const LangOptions &lang) {
    return f->isDefined() && !f->isDependentContext() && (!lang.CUDA || f->hasAttr<CUDADeviceAttr>());
}

// Of a template, the instantiation with these arguments that the file has. A function's may be left out.
void Resolver::addTemplate(TemplateDecl *d, const Arguments &args, Meaning &m) {
    if (auto *functions = dyn_cast<FunctionTemplateDecl>(d)) {
        for (const FunctionDecl *f : functions->specializations())
            if (callable(f, ctx.getLangOpts()) && match(args, f->getTemplateSpecializationArgs()->asArray(), false))
                m.functions.push_back(f->getDefinition());
    } else if (auto *classes = dyn_cast<ClassTemplateDecl>(d)) {
        for (ClassTemplateSpecializationDecl *s : classes->specializations())
            if (args.given && match(args, s->getTemplateArgs().asArray(), true))
                m.type = ctx.getCanonicalTagType(s);
    } else if (auto *variables = dyn_cast<VarTemplateDecl>(d)) {
        for (VarTemplateSpecializationDecl *s : variables->specializations())
            if (args.given && match(args, s->getTemplateArgs().asArray(), true))
                m.value = constant(s);
    }
}

void Resolver::add(NamedDecl *d, const Arguments &args, Meaning &m) {
    d = d->getUnderlyingDecl();
    if (auto *t = dyn_cast<TemplateDecl>(d))
        addTemplate(t, args, m);
    else if (args.given)
        return;
    else if (auto *f = dyn_cast<FunctionDecl>(d)) {
        if (callable(f, ctx.getLangOpts()))
            m.functions.push_back(f->getDefinition());
    } else if (auto *e = dyn_cast<EnumConstantDecl>(d))
        m.value = e->getInitVal();
    else if (auto *v = dyn_cast<VarDecl>(d))
        m.value = constant(v);
    else if (auto *tag = dyn_cast<TagDecl>(d))
        m.type = ctx.getCanonicalTagType(tag);
    else if (auto *alias = dyn_cast<TypedefNameDecl>(d))
        m.type = ctx.getTypeDeclType(ElaboratedTypeKeyword::None, std::nullopt, alias);
    else if (auto *space = dyn_cast<NamespaceDecl>(d))
        m.scope = space;
}

Resolver::Meaning Resolver::in(const FunctionDecl *from, DeclContext *scope, StringRef part) {
    StringRef text;
    StringRef name = cutArguments(part, text);
    Meaning m;
    if (name.empty())
        return m;
    LookupResult found(sema, DeclarationName(&ctx.Idents.get(name)), SourceLocation(), Sema::LookupOrdinaryName);
    found.suppressDiagnostics();
    if (!sema.LookupQualifiedName(found, scope)) {
        found.clear(Sema::LookupTagName);
        if (!sema.LookupQualifiedName(found, scope))
            return m;
    }
    m.declared = true;
    Arguments args;
    if (text.data())
        args = arguments(from, text);
    for (NamedDecl *d : found)
        add(d, args, m);
    return m;
}

Resolver::Meaning Resolver::first(const FunctionDecl *from, StringRef part) {
    Meaning m = templateArgument(from, part);
    for (const DeclContext *c = from->getDeclContext(); c && !m.declared; c = c->getParent())
        m = in(from, const_cast<DeclContext *>(c), part);
    return m;
}

Resolver::Meaning Resolver::member(const FunctionDecl *from, const Meaning &outer, StringRef part) {
    if (outer.scope)
        return in(from, outer.scope, part);
    TagDecl *tag = outer.type.isNull() ? nullptr : outer.type->getAsTagDecl();
    tag = tag ? tag->getDefinition() : nullptr;
    return tag ? in(from, tag, part) : Meaning();
}

Resolver::Meaning Resolver::lookup(const FunctionDecl *from, StringRef name) {
    auto [part, rest] = cut(name.trim(), "::");
    Meaning m;
    if (part.empty())
        m.scope = ctx.getTranslationUnitDecl();
    else
        m = first(from, part);
    while (!rest.empty()) {
        std::tie(part, rest) = cut(rest, "::");
        m = member(from, m, part);
    }
    return m;
}

const FunctionDecl *Resolver::function(const FunctionDecl *from, StringRef name) {
    if (name.size() > longestName)
        return nullptr;
    Meaning m = lookup(from, name);
    return m.functions.size() == 1 ? m.functions.front() : nullptr;
}

bool Resolver::resolve(const FunctionDecl *from, StringRef name, tc_name &out) {
    out = tc_name();
    if (name.size() > longestName)
        return false;
    QualType named = builtin(name.trim());
    Meaning m;
    if (named.isNull() && !name.ends_with("*"))
        m = lookup(from, name);
    if (m.value && m.value->getBitWidth() <= 64) {
        out.kind = TC_NAME_VALUE;
        out.value = m.value->isSigned() ? static_cast<tc_i128>(m.value->getSExtValue())
                                        : static_cast<tc_i128>(static_cast<tc_u128>(m.value->getZExtValue()));
    } else if (m.functions.size() == 1) {
        out.kind = TC_NAME_FUNCTION;
        out.mangled = convert.mangled(GlobalDecl(m.functions.front()));
        out.type = convert.type(m.functions.front()->getReturnType());
    } else if (m.functions.empty()) {
        QualType t = type(from, name);
        if (!t.isNull()) {
            out.kind = TC_NAME_TYPE;
            out.type = convert.type(t);
        }
    }
    return out.kind != TC_NAME_NONE;
}

} // namespace tilecheck
