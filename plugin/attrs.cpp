#include "plugin/attrs.h"

#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace tilecheck {

bool isWord(const Attr *attr) {
    const auto *a = dyn_cast<AnnotateAttr>(attr);
    return a && a->getAnnotation().starts_with("tilecheck:");
}

static bool onDevice(const VarDecl *v) {
    return (v->hasAttr<CUDADeviceAttr>() || v->hasAttr<CUDAConstantAttr>()) && !v->hasAttr<CUDASharedAttr>();
}

// Moves the words of one declaration into the table; true when it has or had any.
bool AttrTable::strip(Decl *d) {
    if (d->hasAttrs() && llvm::any_of(d->getAttrs(), isWord)) {
        Words &to = taken[d];
        for (const Attr *a : d->getAttrs())
            if (isWord(a))
                to.push_back(cast<AnnotateAttr>(a));
        llvm::erase_if(d->getAttrs(), isWord);
        if (d->getAttrs().empty())
            d->dropAttrs();
    }
    return taken.count(d) != 0;
}

void AttrTable::words(const Decl *d, Words &out) const {
    auto found = taken.find(d);
    if (found != taken.end())
        out.append(found->second.begin(), found->second.end());
    if (d->hasAttrs())
        for (const Attr *a : d->getAttrs())
            if (isWord(a))
                out.push_back(cast<AnnotateAttr>(a));
}

void AttrTable::takeFunction(FunctionDecl *f) {
    bool any = strip(f);
    for (ParmVarDecl *p : f->parameters())
        any |= strip(p);
    if (f->hasAttr<CUDAGlobalAttr>())
        kernelDecls.insert(f->getCanonicalDecl());
    else if (any)
        strayDecls.insert(f);
}

void AttrTable::takeVariable(VarDecl *v) {
    if (isa<ParmVarDecl>(v))
        return;
    bool worded = strip(v);
    if (onDevice(v))
        deviceVars.insert(v->getCanonicalDecl());
    else if (worded)
        strayDecls.insert(v);
}

void AttrTable::takeField(FieldDecl *f) {
    if (strip(f) && f->getParent()->isUnion())
        strayDecls.insert(f);
}

void AttrTable::takeTemplate(FunctionTemplateDecl *t) {
    if (t->getTemplatedDecl()->hasAttr<CUDAGlobalAttr>())
        kernelTemplates.insert(t->getCanonicalDecl());
}

void AttrTable::take(Decl *d) {
    if (auto *t = dyn_cast<FunctionTemplateDecl>(d)) {
        takeTemplate(t);
        return;
    }
    if (d->isTemplated())
        return;
    if (auto *f = dyn_cast<FunctionDecl>(d))
        takeFunction(f);
    else if (auto *v = dyn_cast<VarDecl>(d))
        takeVariable(v);
    else if (auto *field = dyn_cast<FieldDecl>(d))
        takeField(field);
    if (auto *context = dyn_cast<DeclContext>(d))
        for (Decl *inner : context->decls())
            take(inner);
}

} // namespace tilecheck
