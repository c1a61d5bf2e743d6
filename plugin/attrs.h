// The contract words of a translation unit: found, and taken off the declarations.
#ifndef TC_PLUGIN_ATTRS_H
#define TC_PLUGIN_ATTRS_H

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace tilecheck {

using Words = llvm::SmallVector<const clang::AnnotateAttr *, 4>;

// Is this annotation one of tilecheck.h's?
bool isWord(const clang::Attr *attr);

// Clang would emit an annotation of a parameter or field as a call and a string, so the words are moved into this table
// before any code generation sees the declaration. Template patterns keep theirs: instantiations copy them, and a
// pattern is never emitted.
class AttrTable {
public:
    // Takes the words of D and of everything declared in it, and notes kernels and variables.
    void take(clang::Decl *d);

    // Words on this very declaration, taken or not, appended to out.
    void words(const clang::Decl *d, Words &out) const;

    // No declaration had a word.
    bool empty() const {
        return taken.empty();
    }

    const llvm::SetVector<const clang::FunctionDecl *> &kernels() const {
        return kernelDecls;
    }
    const llvm::SetVector<const clang::FunctionTemplateDecl *> &templates() const {
        return kernelTemplates;
    }
    const llvm::SetVector<const clang::VarDecl *> &variables() const {
        return deviceVars;
    }
    // Declarations with words that can have none: host and device functions, their parameters, ordinary variables,
    // shared arrays, members of a union.
    const llvm::SetVector<const clang::NamedDecl *> &strays() const {
        return strayDecls;
    }

private:
    bool strip(clang::Decl *d);
    void takeFunction(clang::FunctionDecl *f);
    void takeVariable(clang::VarDecl *v);
    void takeField(clang::FieldDecl *f);
    void takeTemplate(clang::FunctionTemplateDecl *t);

    llvm::DenseMap<const clang::Decl *, Words> taken;
    llvm::SetVector<const clang::FunctionDecl *> kernelDecls; // canonical declarations
    llvm::SetVector<const clang::FunctionTemplateDecl *> kernelTemplates;
    llvm::SetVector<const clang::VarDecl *> deviceVars;
    llvm::SetVector<const clang::NamedDecl *> strayDecls;
};

} // namespace tilecheck

#endif
