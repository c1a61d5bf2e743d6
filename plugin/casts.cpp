#include "plugin/casts.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;

namespace tilecheck {

namespace {

// Instantiated bodies too; patterns are never emitted, and their casts depend.
class Finder : public RecursiveASTVisitor<Finder> {
public:
    bool shouldVisitTemplateInstantiations() const {
        return true;
    }
    bool shouldVisitImplicitCode() const {
        return true;
    }
    bool VisitExplicitCastExpr(ExplicitCastExpr *e) {
        found.insert(e); // an initialiser list is visited in two forms, which share their expressions
        return true;
    }

    llvm::SetVector<ExplicitCastExpr *> found;
};

} // namespace

static bool isObjectPointer(QualType t) {
    return t->isPointerType() && t->getPointeeType()->isObjectType() && !t->isDependentType();
}

static bool isPointerCast(const CastExpr *e) {
    CastKind kind = e->getCastKind();
    return (kind == CK_BitCast || kind == CK_NoOp || kind == CK_AddressSpaceConversion) &&
           isObjectPointer(e->getType()) && isObjectPointer(e->getSubExpr()->getType());
}

static bool isReferenceCast(const CastExpr *e) {
    return e->getCastKind() == CK_LValueBitCast && !e->isTypeDependent() && !e->getSubExpr()->isTypeDependent() &&
           e->getSubExpr()->getObjectKind() == OK_Ordinary;
}

static Expr *pointerCast(ASTContext &ctx, QualType to, Expr *from) {
    return ImplicitCastExpr::Create(ctx, to, CK_BitCast, from, nullptr, VK_PRValue, FPOptionsOverride());
}

static Expr *throughVoid(ASTContext &ctx, Expr *pointer) {
    Qualifiers quals = pointer->getType()->getPointeeType().getQualifiers();
    return pointerCast(ctx, ctx.getPointerType(ctx.getQualifiedType(ctx.VoidTy, quals)), pointer);
}

static Expr *unary(ASTContext &ctx, UnaryOperatorKind op, Expr *of, QualType type, ExprValueKind value) {
    return UnaryOperator::Create(ctx, of, op, type, value, OK_Ordinary, of->getExprLoc(), false, FPOptionsOverride());
}

// *(T *)(void *)&operand
static Expr *asReferent(ASTContext &ctx, QualType type, Expr *operand) {
    Expr *address = unary(ctx, UO_AddrOf, operand, ctx.getPointerType(operand->getType()), VK_PRValue);
    Expr *pointer = pointerCast(ctx, ctx.getPointerType(type), throughVoid(ctx, address));
    return unary(ctx, UO_Deref, pointer, type, VK_LValue);
}

BelievedCasts::BelievedCasts(ASTContext &ctx) {
    Finder finder;
    finder.TraverseDecl(ctx.getTranslationUnitDecl());
    for (ExplicitCastExpr *e : finder.found) {
        Expr *operand = e->getSubExpr();
        if (isPointerCast(e)) {
            edits.push_back({e, operand, e->getCastKind()});
            e->setSubExpr(throughVoid(ctx, operand));
            if (e->getCastKind() == CK_NoOp)
                e->setCastKind(CK_BitCast);
        } else if (isReferenceCast(e)) {
            edits.push_back({e, operand, e->getCastKind()});
            e->setSubExpr(asReferent(ctx, e->getType(), operand));
        }
    }
}

BelievedCasts::~BelievedCasts() {
    for (const Edit &e : edits) {
        e.cast->setSubExpr(e.operand);
        e.cast->setCastKind(e.kind);
    }
}

} // namespace tilecheck
