// Each error has the line of its word, the text and a caret at the place.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

// CHECK: syntax-errors.cu:[[@LINE+3]]:{{[0-9]+}}: error: {{.*}}[TC9001]
// CHECK: n + {{ *\*|\* }} 2
// CHECK-NEXT: {{^ *(\| )? *\^}}
__global__ void operator_twice(tc_mut tc_shape(n + * 2) float *out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 0.0f; }

// CHECK: syntax-errors.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC9001]
__global__ void empty_dimension(tc_mut tc_shape(n, , 2) float *out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 0.0f; }

// CHECK: syntax-errors.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC9001]
__global__ void nothing(tc_mut tc_shape() float *out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 0.0f; }

// CHECK: syntax-errors.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC9001]
__global__ void ends_early(tc_mut tc_shape(n *) float *out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 0.0f; }

// CHECK: syntax-errors.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC9001]
__global__ void two_values(tc_mut tc_shape(n 2) float *out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 0.0f; }

// CHECK: syntax-errors.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC9001]
__global__ void half_a_choice(tc_mut tc_shape(n > 2 ? n) float *out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 0.0f; }

// CHECK: syntax-errors.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC9001]
__global__ void assignment(tc_mut tc_shape(n = 2) float *out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 0.0f; }

// CHECK: syntax-errors.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC9001]
__global__ void text(tc_mut tc_shape("n") float *out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 0.0f; }

// CHECK: syntax-errors.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC9001]
__global__ void fraction(tc_mut tc_shape(1.5) float *out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 0.0f; }

// CHECK: syntax-errors.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC9001]
__global__ void open_owner(tc_mut tc_shape(n) tc_tile(4) tc_owner(i % gridDim.x) float *out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 0.0f; }

// CHECK: syntax-errors.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC9001]
__global__ void number_too_long(tc_mut tc_shape(123456789012345678901234567890123456789012345678901234567890) float *out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 0.0f; }

// CHECK: syntax-errors.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC9001]
__global__ void bad_octal(tc_mut tc_shape(089) float *out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 0.0f; }

// CHECK: syntax-errors.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC9001]
__global__ void unknown_function(tc_mut tc_shape(half(n)) float *out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 0.0f; }

// CHECK: syntax-errors.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC9001]
__global__ void float_in_expression(tc_mut tc_shape(scale) float *out, float scale) { out[threadIdx.x] = 0.0f; }
