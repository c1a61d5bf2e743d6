// Explicit casts, while code is generated for checking: each is believed.
#ifndef TC_PLUGIN_CASTS_H
#define TC_PLUGIN_CASTS_H

#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace tilecheck {

// Clang looks through `*(float4 *)&s[i]` to the array that it sees declared, and gives the access the array's alignment.
// The access is as wide as the source says, and has the alignment of its type. For the life of this object the operand
// of each explicit cast between object pointers goes through `void *`, behind which Clang looks at the target type
// alone; a cast to a reference likewise. Other code generation must not run meanwhile.
class BelievedCasts {
public:
    explicit BelievedCasts(clang::ASTContext &ctx);
    ~BelievedCasts();
    BelievedCasts(const BelievedCasts &) = delete;
    BelievedCasts &operator=(const BelievedCasts &) = delete;

private:
    struct Edit {
        clang::CastExpr *cast;
        clang::Expr *operand; // as it was
        clang::CastKind kind;
    };
    std::vector<Edit> edits;
};

} // namespace tilecheck

#endif
