// Types: clang::QualType to tc_type.
#include "plugin/convert.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;

namespace tilecheck {

void Converter::pointer(tc_type &out, QualType pointee, QualType self, bool reference) {
    out.is_reference = reference;
    out.kind = pointee->isFunctionType() ? TC_TY_FUNCTION : TC_TY_POINTER;
    if (pointee->isFunctionType())
        return;
    out.is_const = pointee.isConstQualified();
    out.is_restrict = self.isRestrictQualified();
    out.elem = type(pointee);
}

void Converter::scalar(tc_type &out, QualType t) {
    if (t->isVoidType())
        out.kind = TC_TY_VOID;
    else if (t->isBooleanType())
        out.kind = TC_TY_BOOL;
    else if (t->isRealFloatingType())
        out.kind = TC_TY_FLOAT;
    else if (t->isIntegralOrEnumerationType() && !t->isBitIntType() && out.size <= 8) {
        out.kind = TC_TY_INT;
        out.is_signed = t->isSignedIntegerOrEnumerationType();
    }
}

const tc_type *Converter::opaque(const char *name, uint64_t size) {
    tc_type *out = new (memory) tc_type();
    out->kind = TC_TY_OTHER;
    out->name = name;
    out->size = size;
    return out;
}

// Fields of r and of its base classes, in layout order; false when r has parts that a list of fields cannot say.
bool Converter::fields(const RecordDecl *r, uint64_t base, llvm::SmallVectorImpl<tc_field> &out) {
    const ASTRecordLayout &layout = ctx.getASTRecordLayout(r);
    if (const auto *c = dyn_cast<CXXRecordDecl>(r)) {
        if (c->getNumVBases())
            return false;
        for (const CXXBaseSpecifier &b : c->bases()) {
            const CXXRecordDecl *parent = b.getType()->getAsCXXRecordDecl();
            uint64_t offset = static_cast<uint64_t>(layout.getBaseClassOffset(parent).getQuantity());
            if (!fields(parent, base + offset, out))
                return false;
        }
    }
    for (const FieldDecl *f : r->fields()) {
        uint64_t offset = base + layout.getFieldOffset(f->getFieldIndex()) / 8;
        const RecordDecl *inner = f->isAnonymousStructOrUnion() ? f->getType()->getAsRecordDecl() : nullptr;
        if (inner && !inner->isUnion()) {
            if (!fields(inner, offset, out))
                return false;
            continue;
        }
        tc_field field = {};
        field.name = save(f->getName());
        if (f->isUnnamedBitField())
            continue; // padding
        // A bit-field shares the bytes that its bits lie in.
        const uint64_t first = layout.getFieldOffset(f->getFieldIndex()) % 8;
        field.type = f->isBitField() ? opaque("bit-field", (first + f->getBitWidthValue() + 7) / 8) : type(f->getType());
        field.offset = offset;
        field.attrs = attributes({f}, nullptr, {});
        field.loc = source.place(f->getLocation());
        out.push_back(field);
    }
    return true;
}

void Converter::record(tc_type &out, const RecordDecl *r) {
    // Members of a union share their storage: no list of independent fields.
    if (r->isUnion())
        return;
    llvm::SmallVector<tc_field, 8> found;
    if (!fields(r, 0, found))
        return;
    out.kind = TC_TY_STRUCT;
    out.fields = array(llvm::ArrayRef<tc_field>(found));
    out.nfields = found.size();
}

const tc_type *Converter::type(QualType t) {
    tc_type *&slot = types[t.getAsOpaquePtr()];
    if (slot)
        return slot;
    // In the table before its parts are made: a struct may point to itself.
    tc_type *out = slot = new (memory) tc_type();
    out->kind = TC_TY_OTHER;
    out->name = save(t.getUnqualifiedType().getAsString(policy));
    if (t->isDependentType() || t->isUndeducedType())
        return out;
    QualType target = t.getNonReferenceType();
    const RecordDecl *r = target->getAsRecordDecl();
    bool complete = !target->isIncompleteType() && !(r && r->isInvalidDecl());
    if (complete && !target->isFunctionType() && !target->isVoidType()) {
        TypeInfoChars info = ctx.getTypeInfoInChars(t->isReferenceType() ? ctx.getPointerType(target) : t);
        out->size = static_cast<uint64_t>(info.Width.getQuantity());
        out->align = static_cast<uint64_t>(info.Align.getQuantity());
    }
    if (t->isReferenceType())
        pointer(*out, target, t, true);
    else if (t->isPointerType())
        pointer(*out, t->getPointeeType(), t, false);
    else if (const ArrayType *a = ctx.getAsArrayType(t)) {
        const auto *bounded = dyn_cast<ConstantArrayType>(a);
        out->kind = TC_TY_ARRAY;
        out->elem = type(a->getElementType());
        out->count = bounded ? bounded->getZExtSize() : 0;
    } else if (const auto *v = t->getAs<VectorType>()) {
        out->kind = TC_TY_ARRAY;
        out->elem = type(v->getElementType());
        out->count = v->getNumElements();
    } else if (r) {
        if (complete)
            record(*out, r->getDefinition());
        else
            out->kind = TC_TY_STRUCT;
    } else
        scalar(*out, t);
    return out;
}

} // namespace tilecheck
