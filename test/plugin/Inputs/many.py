"""many.py N: a file of N kernels; every seventh reads one element too far."""
import sys

print("#include <tilecheck.h>")
for i in range(int(sys.argv[1])):
    print("""
tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void k%d(tc_mut tc_shape(n, m) float *y, tc_shared tc_shape(n, m) const float *x, int n, int m) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        for (int j = 0; j < m; j++)
            y[(size_t)i * m + j] = x[(size_t)i * m + j%s];
}""" % (i, " + 1" if i % 7 == 3 else ""))
