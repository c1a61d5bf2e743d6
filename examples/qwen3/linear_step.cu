// One token through a linear layer of a decode step: y = W x, W read once at the speed of memory, with what stands before and after it fused in:
// RMSNorm of x before; the residual, or SiLU of a gate, behind.
//
// Shapes: W is n x k (and for the gate: two of them), row-major and dense, x and the norm's weight have k elements, y has n; bf16, sums in float.
// k is a multiple of 8 and at most 32768. Each warp takes rows in turn, its lanes 16 bytes each.
// Proved for all n and k: a block writes only the rows of its own warps, every pack of W and x is in bounds and aligned, the staged x is complete before
// it is read.
#include "q3_kernels.h"
#include "tk_device.h"
#include "tk_host.h"

#include <tilecheck.h>

constexpr int WARPS = 8, THREADS = 32 * WARPS;
constexpr int PACK = 8;    // elements in 16 bytes
constexpr int AHEAD = 4;   // packs of a row that a lane has under way
constexpr int MAX_K = 32768;

typedef __nv_bfloat16 bf16;
typedef tk_pack<bf16, PACK> pack;

__device__ inline float warp_sum(float x)
{
    for (int d = 16; d > 0; d >>= 1)
        x += __shfl_xor_sync(0xffffffffu, x, d);
    return x;
}

__device__ inline float dot(pack a, pack b)
{
    float s = 0.0f;
    for (int i = 0; i < PACK; ++i)
        s += tk_float(a.at[i]) * tk_float(b.at[i]);
    return s;
}

// Row r of w times the staged x; the same in all lanes.
__device__ inline float row_times(const bf16 *w, const pack *x, long long r, int k)
{
    const pack *row = (const pack *)(w + r * k);
    const int packs = k / PACK, lane = threadIdx.x % 32;
    float sum = 0.0f;
    int i = lane;
    for (; i + 32 * (AHEAD - 1) < packs; i += 32 * AHEAD) {
        pack ahead[AHEAD];
        for (int j = 0; j < AHEAD; ++j)
            ahead[j] = row[i + 32 * j];
        for (int j = 0; j < AHEAD; ++j)
            sum += dot(ahead[j], x[i + 32 * j]);
    }
    for (; i < packs; i += 32)
        sum += dot(row[i], x[i]);
    return warp_sum(sum);
}

// x, or RMSNorm of x, in shared memory: all threads of the block come here together.
__device__ inline void stage(pack *staged, const bf16 *x, const bf16 *norm, float eps, int k)
{
    __shared__ float of_warp[WARPS];
    const int packs = k / PACK;
    const pack *in = (const pack *)x;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < packs; i += THREADS) {
        const pack p = in[i];
        staged[i] = p;
        sum += dot(p, p);
    }
    if (norm == nullptr) {
        __syncthreads();
        return;
    }
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0.0f;
    for (int w = 0; w < WARPS; ++w)
        sum += of_warp[w];
    const float scale = rsqrtf(sum / k + eps);
    const pack *by = (const pack *)norm;
    for (int i = threadIdx.x; i < packs; i += THREADS) { // each thread its own packs again
        pack p = staged[i];
        const pack g = by[i];
        for (int j = 0; j < PACK; ++j) // rounded before it is multiplied, as the model was trained
            p.at[j] = tk_round<bf16>(tk_float(tk_round<bf16>(tk_float(p.at[j]) * scale)) * tk_float(g.at[j]));
        staged[i] = p;
    }
    __syncthreads();
}

tc_block(THREADS) tc_smem(k * 2)
tc_requires(n >= 1 && n <= 1 << 24 && k >= PACK && k <= MAX_K && k % PACK == 0)
tc_requires(gridDim.x <= 1 << 16 && gridDim.y == 1 && gridDim.z == 1)
__global__ void linear(tc_out tc_shape(n) tc_tile(WARPS) tc_owner(i; i % gridDim.x) bf16 *y,
                       tc_shared tc_shape(n, k) tc_align(16) const bf16 *w, tc_shared tc_shape(k) tc_align(16) const bf16 *x,
                       tc_shared tc_optional tc_shape(k) tc_align(16) const bf16 *norm, tc_shared tc_optional tc_shape(n) const bf16 *residual,
                       int n, int k, float eps)
{
    extern __shared__ __align__(16) unsigned char memory[];
    pack *staged = (pack *)memory;
    stage(staged, x, norm, eps, k);
    for (int r = blockIdx.x * WARPS + threadIdx.x / 32; r < n; r += gridDim.x * WARPS) {
        const bf16 out = tk_round<bf16>(row_times(w, staged, r, k));
        if (threadIdx.x % 32 == 0)
            y[r] = residual == nullptr ? out : tk_round<bf16>(tk_float(out) + tk_float(residual[r]));
    }
}

tc_block(THREADS) tc_smem(k * 2)
tc_requires(n >= 1 && n <= 1 << 24 && k >= PACK && k <= MAX_K && k % PACK == 0)
tc_requires(gridDim.x <= 1 << 16 && gridDim.y == 1 && gridDim.z == 1)
__global__ void gated(tc_out tc_shape(n) tc_tile(WARPS) tc_owner(i; i % gridDim.x) bf16 *y,
                      tc_shared tc_shape(n, k) tc_align(16) const bf16 *gate, tc_shared tc_shape(n, k) tc_align(16) const bf16 *up,
                      tc_shared tc_shape(k) tc_align(16) const bf16 *x, tc_shared tc_optional tc_shape(k) tc_align(16) const bf16 *norm,
                      int n, int k, float eps)
{
    extern __shared__ __align__(16) unsigned char memory[];
    pack *staged = (pack *)memory;
    stage(staged, x, norm, eps, k);
    for (int r = blockIdx.x * WARPS + threadIdx.x / 32; r < n; r += gridDim.x * WARPS) {
        const float g = tk_float(tk_round<bf16>(row_times(gate, staged, r, k)));
        const float u = tk_float(tk_round<bf16>(row_times(up, staged, r, k)));
        if (threadIdx.x % 32 == 0)
            y[r] = tk_round<bf16>(tk_float(tk_round<bf16>(g / (1.0f + __expf(-g)))) * u);
    }
}

// ---- host ----

// Blocks that fit the device at once, and no more than there are rows for.
static unsigned blocks_for(int64_t n)
{
    const int64_t wanted = (n + WARPS - 1) / WARPS, fit = 4 * (int64_t)tk_multiprocessors();
    const int64_t most = fit < 1 ? 1 : fit < 1 << 16 ? fit : 1 << 16;
    return (unsigned)(wanted < most ? wanted : most);
}

static tk_status check_sizes(int64_t n, int64_t k)
{
    if (k < PACK || k > MAX_K || k % PACK != 0)
        return tk_fail(TK_SHAPE, "k is %lld: a multiple of %d up to %d is wanted", (long long)k, PACK, MAX_K);
    if (n < 0 || n > 1 << 24)
        return tk_fail(TK_SIZE, "n is %lld: up to 2^24 rows are supported", (long long)n);
    return TK_OK;
}

static tk_status check_packs(const void *p, const char *name, bool optional)
{
    if (p == nullptr)
        return optional ? TK_OK : tk_fail(TK_NULL, "%s is null", name);
    return tk_is_aligned(p, 16) ? TK_OK : tk_fail(TK_ALIGNMENT, "%s is %p, not aligned to 16 bytes", name, p);
}

// More dynamic shared memory than 48 KB has to be asked for.
template <typename K> static tk_status allow_memory(K *kernel)
{
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, MAX_K * 2) == cudaSuccess
               ? TK_OK
               : tk_launched("linear layer: 64 KB of shared memory");
}

extern "C" tk_status q3_linear(void *y, const void *w, const void *x, const void *norm, const void *residual, int64_t n, int64_t k, float eps,
                               tk_stream stream)
{
    TK_TRY(check_sizes(n, k));
    TK_TRY(check_packs(w, "w", n == 0));
    TK_TRY(check_packs(x, "x", false));
    TK_TRY(check_packs(norm, "norm", true));
    if (n == 0)
        return TK_OK;
    if (y == nullptr)
        return tk_fail(TK_NULL, "y is null");
    TK_TRY(allow_memory(linear));
    linear<<<blocks_for(n), THREADS, (size_t)k * sizeof(bf16), stream>>>((bf16 *)y, (const bf16 *)w, (const bf16 *)x, (const bf16 *)norm,
                                                                         (const bf16 *)residual, (int)n, (int)k, eps);
    return tk_launched("linear");
}

extern "C" tk_status q3_gated(void *y, const void *gate, const void *up, const void *x, const void *norm, int64_t n, int64_t k, float eps,
                              tk_stream stream)
{
    TK_TRY(check_sizes(n, k));
    TK_TRY(check_packs(gate, "gate", n == 0));
    TK_TRY(check_packs(up, "up", n == 0));
    TK_TRY(check_packs(x, "x", false));
    TK_TRY(check_packs(norm, "norm", true));
    if (n == 0)
        return TK_OK;
    if (y == nullptr)
        return tk_fail(TK_NULL, "y is null");
    TK_TRY(allow_memory(gated));
    gated<<<blocks_for(n), THREADS, (size_t)k * sizeof(bf16), stream>>>((bf16 *)y, (const bf16 *)gate, (const bf16 *)up, (const bf16 *)x,
                                                                        (const bf16 *)norm, (int)n, (int)k, eps);
    return tk_launched("gated");
}
