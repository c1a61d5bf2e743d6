// A byte that is read as `bool` is 0 or 1, says the code to the compiler, which uses the whole byte. Where the declarations and the
// stores do not show it, it is an assumption of the proof.
// RUN: %verdicts %s --standin | FileCheck %s
#include <tilecheck.h>

struct pair { bool set; int value; };
struct flags { unsigned char bits; bool set; };

// CHECK: kernel b_bytes_of_the_contract assumed
// CHECK-NEXT: assumption [[@LINE+4]] the byte that is read as bool is 0 or 1
tc_block(32) tc_grid(1)
__global__ void b_bytes_of_the_contract(tc_shared tc_shape(32) const unsigned char *flag, tc_mut tc_shape(32, 2) int *y)
{
    const bool set = *reinterpret_cast<const bool *>(flag + threadIdx.x);
    y[threadIdx.x * 2 + set] = 1;
}

// CHECK: kernel bools_of_the_contract proved
tc_block(32) tc_grid(1)
__global__ void bools_of_the_contract(tc_shared tc_shape(32) const bool *flag, tc_mut tc_shape(32, 2) int *y)
{
    const bool set = flag[threadIdx.x];
    y[threadIdx.x * 2 + set] = 1;
}

// CHECK: kernel tested_byte proved
tc_block(32) tc_grid(1)
__global__ void tested_byte(tc_shared tc_shape(32) const unsigned char *flag, tc_mut tc_shape(32, 2) int *y)
{
    if (flag[threadIdx.x] > 1)
        return;
    const bool set = *reinterpret_cast<const bool *>(flag + threadIdx.x);
    y[threadIdx.x * 2 + set] = 1;
}

// CHECK: kernel b_in_a_union assumed
// CHECK-NEXT: assumption [[@LINE+6]] the byte that is read as bool is 0 or 1
tc_block(1) tc_grid(1)
__global__ void b_in_a_union(tc_mut tc_shape(2) int *y, int n)
{
    union { unsigned char c; bool b; } u;
    u.c = n;
    y[u.b] = 1;
}

// CHECK: kernel in_a_union proved
tc_block(1) tc_grid(1)
__global__ void in_a_union(tc_mut tc_shape(2) int *y, int n)
{
    union { unsigned char c; bool b; } u;
    u.c = n > 3;
    y[u.b] = 1;
}

// CHECK: kernel b_stored_as_char assumed
// CHECK-NEXT: assumption [[@LINE+5]] the byte that is read as bool is 0 or 1
tc_block(1) tc_grid(1)
__global__ void b_stored_as_char(tc_mut tc_shape(2) bool *m, tc_mut tc_shape(2) int *y)
{
    ((char *)m)[1] = 7;
    y[m[0]] = 1;
}

// CHECK: kernel stored_as_bool proved
tc_block(1) tc_grid(1)
__global__ void stored_as_bool(tc_mut tc_shape(2) bool *m, tc_mut tc_shape(2) int *y, int n)
{
    m[1] = n & 7;
    ((char *)m)[0] = 1;
    y[m[0]] = 1;
    y[m[1]] = 1;
}

// CHECK: kernel b_stored_wider assumed
// CHECK-NEXT: assumption [[@LINE+5]] the byte that is read as bool is 0 or 1
tc_block(1) tc_grid(1)
__global__ void b_stored_wider(tc_mut tc_shape(4) tc_align(4) bool *m, tc_mut tc_shape(2) int *y)
{
    *(int *)m = 7;
    y[m[0]] = 1;
}

// CHECK: kernel b_copied assumed
// CHECK-NEXT: assumption [[@LINE+6]] the byte that is read as bool is 0 or 1
tc_block(1) tc_grid(1)
__global__ void b_copied(tc_mut tc_shape(2) int *y, int n)
{
    bool b;
    memcpy(&b, &n, 1);
    y[b] = 1;
}

// CHECK: kernel b_masked assumed
// CHECK-NEXT: assumption [[@LINE+6]] the byte that is read as bool is 0 or 1
tc_block(1) tc_grid(1)
__global__ void b_masked(tc_mut tc_shape(2) int *y, int n)
{
    bool b;
    *(unsigned char *)&b = n & 3;
    y[b] = 1;
}

// CHECK: kernel masked proved
tc_block(1) tc_grid(1)
__global__ void masked(tc_mut tc_shape(2) int *y, int n)
{
    bool b;
    *(unsigned char *)&b = n & 1;
    y[b] = 1;
}

// CHECK: kernel b_shared_bytes assumed
// CHECK-NEXT: assumption [[@LINE+7]] the byte that is read as bool is 0 or 1
tc_block(32) tc_grid(1)
__global__ void b_shared_bytes(tc_shared tc_shape(32) const unsigned char *x, tc_mut tc_shape(32, 2) int *y)
{
    __shared__ unsigned char s[32];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x * 2 + ((bool *)s)[31 - threadIdx.x]] = 1;
}

// CHECK: kernel shared_bools proved
tc_block(32) tc_grid(1)
__global__ void shared_bools(tc_shared tc_shape(32) const unsigned char *x, tc_mut tc_shape(32, 2) int *y)
{
    __shared__ bool s[32];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x * 2 + s[31 - threadIdx.x]] = 1;
}

__device__ bool seen[32];
__device__ pair last;
__device__ unsigned char raw[32];

// CHECK: kernel device_variables proved
tc_block(32) tc_grid(1)
__global__ void device_variables(tc_mut tc_shape(32, 4) int *y)
{
    y[threadIdx.x * 4 + seen[threadIdx.x] + last.set] = last.value;
}

// CHECK: kernel b_device_variable assumed
// CHECK-NEXT: assumption [[@LINE+4]] the byte that is read as bool is 0 or 1
tc_block(32) tc_grid(1)
__global__ void b_device_variable(tc_mut tc_shape(32, 2) int *y)
{
    y[threadIdx.x * 2 + ((bool *)raw)[threadIdx.x]] = 1;
}

// CHECK: kernel members proved
tc_block(32) tc_grid(1)
__global__ void members(tc_mut tc_shape(32) pair *p, tc_shared tc_shape(32) const pair *q, flags by_value, bool argument,
                        tc_mut tc_shape(32, 8) int *y)
{
    const int t = threadIdx.x;
    pair mine = q[t];
    y[t * 8 + mine.set + by_value.set + argument] = 1;
    mine.set = mine.value > 3;
    p[t] = mine;
    p[t].value = 5;
    y[t * 8 + p[t].set] = 1;
    p[t] = q[t];
    y[t * 8 + p[t].set] = 1;
}

// CHECK: kernel b_other_member assumed
// CHECK-NEXT: assumption [[@LINE+6]] the byte that is read as bool is 0 or 1
tc_block(1) tc_grid(1)
__global__ void b_other_member(tc_mut tc_shape(2) flags *f, tc_mut tc_shape(2) int *y, int n)
{
    f[1].bits = n;
    f[0].set = n > 2;
    y[*(bool *)&f[1].bits] = 1;
    y[f[0].set] = 1;
}

__device__ bool either(const bool &a, bool b) { return a || b; }

// CHECK: kernel locals proved
tc_block(32) tc_grid(1)
__global__ void locals(tc_shared tc_shape(n) const int *x, tc_mut tc_shape(32, 2) int *y, int n)
{
    bool done = false, odd = true, table[8] = {};
    for (int i = 0; i < n; i++) {
        done = either(done, x[i] > 3);
        odd = !odd;
        table[i & 7] |= x[i] == 5;
    }
    y[threadIdx.x * 2 + done] = 1;
    y[threadIdx.x * 2 + odd] = 1;
    y[threadIdx.x * 2 + table[n & 7]] = 1;
    memset(table, 1, sizeof table);
    y[threadIdx.x * 2 + table[n & 7]] = 1;
}
