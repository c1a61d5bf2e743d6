// Fault: the guard is the leading dimension: the gap behind each row is copied too.
// The repaired kernel is ../copy-pitched.cu.
#include <tilecheck.h>

tc_block(32, 8) tc_grid(tc_cdiv(cols, 32), tc_cdiv(rows, 8))
tc_requires(cols <= lds && cols <= ldd && lds <= 1 << 20 && ldd <= 1 << 20)
__global__ void copy_pitched(tc_mut tc_shape(rows, cols) tc_stride(ldd, 1) tc_tile(8, 32) float *dst, int ldd,
                             tc_shared tc_shape(rows, cols) tc_stride(lds, 1) const float *src, int lds,
                             int rows, int cols)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < rows && c < ldd)
        dst[(long long)r * ldd + c] = src[(long long)r * lds + c];
}
