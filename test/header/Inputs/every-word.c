#include <tilecheck.h>

#define ROWS 64

struct tensor {
    tc_shared tc_shape(rows, ROWS) const float *in;
    float *out tc_mut tc_shape(rows);
    int rows;
};

static tc_atomic tc_init(0) int ticket;

tc_block(ROWS) tc_grid(tc_cdiv(n, ROWS)) tc_requires(n > 0)
int kernel(tc_shared tc_shape(n) const float *x, float *y tc_mut tc_shape(n) tc_owner(i; i % gridDim.x), struct tensor t, int n);

int kernel(const float *x, float *y, struct tensor t, int n)
{
    int sum = ticket;
    for (int i = 0; i < n; i++) {
        tc_invariant(i >= 0 && i <= n);
        tc_assert(i < n);
        tc_assume(x[i] > 0.0f, "positive");
        sum += (int)tc_cdiv(i, 3);
        y[i] = x[i] + t.in[i];
    }
    return sum;
}
