// From the AST to the plain structs of checker/unit.h.
#ifndef TC_PLUGIN_CONVERT_H
#define TC_PLUGIN_CONVERT_H

#include "plugin/attrs.h"
#include "plugin/source.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/StringSaver.h"

namespace tilecheck {

// Owns all that the structs point to. Nothing here is on the checker's arenas: a failed allocation there jumps, and
// must not jump over C++ objects.
class Converter {
public:
    Converter(clang::ASTContext &ctx, const AttrTable &attrs, SourceMap &source, clang::CodeGenerator &codegen);

    // All kernels in source order: functions, then each instantiation or specialization of a template.
    llvm::ArrayRef<const clang::FunctionDecl *> kernelDecls() const {
        return decls;
    }
    void fill(tc_unit &unit);
    // The function of the source with this name in the module; false when there is none.
    bool describe(llvm::StringRef mangled, tc_host_function &out);

    const tc_type *type(clang::QualType t);
    const char *save(llvm::StringRef s) {
        return saver.save(s).data();
    }
    const char *mangled(clang::GlobalDecl d) {
        return save(codegen.GetMangledName(d));
    }

    // All texts of contract words that the kernel can see: its own, its parameters', their fields'.
    void texts(const tc_kernel &k, llvm::SmallVectorImpl<const char *> &out) const;

private:
    void collect();
    tc_kernel kernel(const clang::FunctionDecl *f);
    tc_device_var variable(const clang::VarDecl *v);
    void templateArguments(const clang::FunctionDecl *f, llvm::SmallVectorImpl<tc_targ> &out);
    void templateArguments(const clang::TemplateParameterList *params, llvm::ArrayRef<clang::TemplateArgument> args,
                           llvm::SmallVectorImpl<tc_targ> &out);
    // The words on these declarations, with their names as the function names them, but for those at some places.
    tc_attrs attributes(llvm::ArrayRef<const clang::Decl *> from, const clang::FunctionDecl *names,
                        const llvm::DenseSet<clang::SourceLocation> &without);
    tc_attr attribute(const clang::AnnotateAttr *a, llvm::StringRef text, bool hasText);

    void pointer(tc_type &out, clang::QualType pointee, clang::QualType self, bool reference);
    void scalar(tc_type &out, clang::QualType t);
    void record(tc_type &out, const clang::RecordDecl *r);
    const tc_type *opaque(const char *name, uint64_t size); // name is static; size in bytes
    bool fields(const clang::RecordDecl *r, uint64_t base, llvm::SmallVectorImpl<tc_field> &out);

    template <class T> T *array(llvm::ArrayRef<T> from) {
        T *to = memory.Allocate<T>(from.size());
        std::copy(from.begin(), from.end(), to);
        return to;
    }

    clang::ASTContext &ctx;
    const AttrTable &attrs;
    SourceMap &source;
    clang::CodeGenerator &codegen;
    clang::PrintingPolicy policy;
    llvm::BumpPtrAllocator memory;
    llvm::StringSaver saver;
    llvm::SmallVector<const clang::FunctionDecl *, 8> decls;
    llvm::DenseMap<const void *, tc_type *> types;
};

} // namespace tilecheck

#endif
