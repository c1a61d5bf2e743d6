// Names in contracts: constants, types and device functions, looked up as the kernel would see them.
#ifndef TC_PLUGIN_RESOLVE_H
#define TC_PLUGIN_RESOLVE_H

#include "plugin/convert.h"
#include "clang/AST/APValue.h"
#include "clang/Sema/Sema.h"

namespace tilecheck {

class Resolver {
public:
    Resolver(clang::Sema &sema, Converter &convert) : sema(sema), ctx(sema.getASTContext()), convert(convert) {}

    Converter &converter() {
        return convert;
    }
    bool resolve(const clang::FunctionDecl *from, llvm::StringRef name, tc_name &out);

    // The device function that a call of this name means; null when there is none or more than one.
    const clang::FunctionDecl *function(const clang::FunctionDecl *from, llvm::StringRef name);

private:
    // What a qualified name means: at most one of these. A declaration that is none of them hides outer ones all the
    // same.
    struct Meaning {
        bool declared = false;
        std::optional<llvm::APSInt> value;
        clang::QualType type;
        llvm::SmallVector<const clang::FunctionDecl *, 2> functions;
        clang::DeclContext *scope = nullptr; // a namespace
    };

    // Template arguments as written.
    struct Arguments {
        bool given = false, understood = true;
        llvm::SmallVector<clang::QualType, 4> types; // null for a value
        llvm::SmallVector<std::optional<llvm::APSInt>, 4> values;
    };

    Meaning lookup(const clang::FunctionDecl *from, llvm::StringRef name);
    Meaning first(const clang::FunctionDecl *from, llvm::StringRef part);
    Meaning member(const clang::FunctionDecl *from, const Meaning &outer, llvm::StringRef part);
    Meaning in(const clang::FunctionDecl *from, clang::DeclContext *scope, llvm::StringRef part);
    Meaning templateArgument(const clang::FunctionDecl *from, llvm::StringRef name);
    void add(clang::NamedDecl *d, const Arguments &args, Meaning &m);
    void addTemplate(clang::TemplateDecl *d, const Arguments &args, Meaning &m);
    Arguments arguments(const clang::FunctionDecl *from, llvm::StringRef text);
    bool match(const Arguments &args, llvm::ArrayRef<clang::TemplateArgument> have, bool whole);
    std::optional<llvm::APSInt> constant(clang::VarDecl *v);
    clang::QualType type(const clang::FunctionDecl *from, llvm::StringRef text);
    clang::QualType builtin(llvm::StringRef text);

    clang::Sema &sema;
    clang::ASTContext &ctx;
    Converter &convert;
};

} // namespace tilecheck

#endif
