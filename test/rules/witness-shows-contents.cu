// A counterexample that needs contents of index arrays shows the elements that its threads read.
// RUN: %exits 2 %tilecheck %s --rules=TC1,TC2 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s --check-prefix=VERDICT
#include <tilecheck.h>

// VERDICT: kernel histogram violated
tc_block(64) tc_grid(1) tc_requires(n <= 1 << 20)
__global__ void histogram(tc_shared tc_shape(n) const unsigned char *data, tc_mut tc_shape(64) unsigned *bins, int n)
{
    for (int i = threadIdx.x; i < n; i += 64)
        // CHECK: [[@LINE+2]]:{{[0-9]+}}: error: {{.*}}of 'bins', which has 256{{.*}}[TC2001]
        // CHECK: note: with n = {{.*}}, data[{{[0-9]+}}] = {{12[89]|1[3-9][0-9]|2[0-9][0-9]}}{{$}}
        bins[data[i] >> 1] = 1;
}

// VERDICT: kernel histogram_shifted_once_more proved
tc_block(64) tc_grid(1) tc_requires(n <= 1 << 20)
__global__ void histogram_shifted_once_more(tc_shared tc_shape(n) const unsigned char *data, tc_mut tc_shape(64) unsigned *bins,
                                            int n)
{
    for (int i = threadIdx.x; i < n; i += 64)
        bins[data[i] >> 2] = 1;
}

// Subscripts as in the shape.
// VERDICT: kernel paged violated
tc_block(32) tc_grid(rows) tc_requires(rows >= 1 && rows <= 1000 && pages <= 1000000)
__global__ void paged(tc_shared tc_shape(rows, 4) tc_range(0, pages + 1) const int *table,
                      tc_shared tc_shape(pages, 32) const float *data, tc_mut tc_shape(rows, 32) tc_tile(1, 32) tc_at(blockIdx.x, 0) float *y,
                      int rows, int pages)
{
    // CHECK: [[@LINE+2]]:{{[0-9]+}}: error: {{.*}}of 'data'{{.*}}[TC2001]
    // CHECK: note: with {{.*}}, table[{{[0-9]+}}][3] = {{[0-9]+$}}
    y[blockIdx.x * 32 + threadIdx.x] = data[table[blockIdx.x * 4 + 3] * 32 + threadIdx.x];
}
