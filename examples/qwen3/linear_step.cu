// One token through a linear layer of a decode step: y = W x, W read once at the speed of memory, with what stands before and after it fused in:
// RMSNorm of x before; the residual, or SiLU of a gate, behind.
//
// Shapes: W is n x k (and for the gate: two of them), row-major and dense, x and the norm's weight have k elements, y has n; bf16, sums in float.
// k is a multiple of 8 and at most 32768. A warp has a row, or where there are few of them SPLIT warps share one, each a part of k. The grid is two blocks a
// multiprocessor, of half its registers each: when one ends, one of the next kernel takes its place. That asks for its first packs of W, which no kernel of a
// step writes, and for the norm's weight, and only then waits for the kernels before it, for x.
// Proved for all n and k: a block writes only the rows of its own warps, every pack of W and x is in bounds and aligned, the staged x is complete before
// it is read, and the parts of a row are there before they are added.
#include "linear_shape.h"
#include "q3_kernels.h"
#include "tk_device.h"
#include "tk_host.h"

#include <tilecheck.h>

constexpr int PACK = 8;        // elements in 16 bytes
constexpr int MAX_K = 32768;
constexpr int WARPS = 16, THREADS = 32 * WARPS;
constexpr int SPLIT = 4;       // warps that share a row, where they do
constexpr int MAX_ROWS = 64;   // of a block then
constexpr int PACKS_AHEAD = 4; // that a lane has under way

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

// The packs at from, from + 32, … of a row, as far as they go.
template <int AHEAD> __device__ inline void fetch(pack (&ahead)[AHEAD], const pack *row, int from, int to)
{
#pragma unroll
    for (int j = 0; j < AHEAD; ++j)
        if (from + 32 * j < to)
            ahead[j] = row[from + 32 * j];
}

// Packs from … to - 1 of a row times those of the staged x: this lane's share. ahead holds the first ones already.
template <int AHEAD> __device__ inline float part_times(pack (&ahead)[AHEAD], const pack *row, const pack *x, int from, int to)
{
    float sum = 0.0f;
    for (int i = from; i < to; i += 32 * AHEAD) {
        if (i != from)
            fetch(ahead, row, i, to);
#pragma unroll
        for (int j = 0; j < AHEAD; ++j)
            if (i + 32 * j < to)
                sum += dot(ahead[j], x[i + 32 * j]);
    }
    return sum;
}

// What this thread needs of the norm's weight first.
__device__ inline pack first_weight(const bf16 *norm, int k)
{
    pack first = {};
    if (norm != nullptr && threadIdx.x < k / PACK)
        first = ((const pack *)norm)[threadIdx.x];
    return first;
}

// x, or RMSNorm of x, in shared memory: all threads of the block come here together. first is the thread's first_weight.
__device__ inline void stage(pack *staged, const bf16 *x, const bf16 *norm, pack first, float eps, int k)
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
        const pack g = i == threadIdx.x ? first : by[i];
        for (int j = 0; j < PACK; ++j) // rounded before it is multiplied, as the model was trained
            p.at[j] = tk_round<bf16>(tk_float(tk_round<bf16>(tk_float(p.at[j]) * scale)) * tk_float(g.at[j]));
        staged[i] = p;
    }
    __syncthreads();
}

// What is added to row r, in the thread that stores it: asked for early, used late.
__device__ inline bf16 addend(const bf16 *residual, int r, bool stores) { return residual != nullptr && stores ? residual[r] : bf16(); }

// ---- a row a warp ----

tc_block(THREADS) tc_smem(k * 2)
tc_requires(n >= 1 && n <= 1 << 24 && k >= PACK && k <= MAX_K && k % PACK == 0)
tc_requires(gridDim.x <= 1 << 16 && gridDim.y == 1 && gridDim.z == 1)
__global__ void __launch_bounds__(THREADS, Q3_BLOCKS_EACH)
    linear(tc_out tc_shape(n) tc_tile(WARPS) tc_owner(i; i % gridDim.x) tc_inplace(residual) bf16 *y,
           tc_shared tc_shape(n, k) tc_align(16) const bf16 *w, tc_shared tc_shape(k) tc_align(16) const bf16 *x,
           tc_shared tc_optional tc_shape(k) tc_align(16) const bf16 *norm, tc_shared tc_optional tc_shape(n) const bf16 *residual,
           int n, int k, float eps)
{
    extern __shared__ __align__(16) unsigned char memory[];
    tk_let_next_start();
    pack *staged = (pack *)memory;
    const int packs = k / PACK, lane = threadIdx.x % 32;
    int r = blockIdx.x * WARPS + threadIdx.x / 32;
    pack ahead[PACKS_AHEAD];
    if (r < n)
        fetch(ahead, (const pack *)(w + (long long)r * k), lane, packs);
    const pack weight = first_weight(norm, k);
    tk_wait_for_previous();
    bf16 add = addend(residual, r, lane == 0 && r < n);
    stage(staged, x, norm, weight, eps, k);
    while (r < n) {
        const float sum = warp_sum(part_times(ahead, (const pack *)(w + (long long)r * k), staged, lane, packs));
        const int next = r + gridDim.x * WARPS;
        if (next < n)
            fetch(ahead, (const pack *)(w + (long long)next * k), lane, packs);
        const bf16 out = tk_round<bf16>(sum);
        if (lane == 0)
            y[r] = residual == nullptr ? out : tk_round<bf16>(tk_float(out) + tk_float(add));
        add = addend(residual, next, lane == 0 && next < n);
        r = next;
    }
}

tc_block(THREADS) tc_smem(k * 2)
tc_requires(n >= 1 && n <= 1 << 24 && k >= PACK && k <= MAX_K && k % PACK == 0)
tc_requires(gridDim.x <= 1 << 16 && gridDim.y == 1 && gridDim.z == 1)
__global__ void __launch_bounds__(THREADS, Q3_BLOCKS_EACH)
    gated(tc_out tc_shape(n) tc_tile(WARPS) tc_owner(i; i % gridDim.x) bf16 *y,
          tc_shared tc_shape(n, k) tc_align(16) const bf16 *gate, tc_shared tc_shape(n, k) tc_align(16) const bf16 *up,
          tc_shared tc_shape(k) tc_align(16) const bf16 *x, tc_shared tc_optional tc_shape(k) tc_align(16) const bf16 *norm,
          int n, int k, float eps)
{
    extern __shared__ __align__(16) unsigned char memory[];
    tk_let_next_start();
    pack *staged = (pack *)memory;
    const int packs = k / PACK, lane = threadIdx.x % 32;
    int r = blockIdx.x * WARPS + threadIdx.x / 32;
    pack ahead[PACKS_AHEAD];
    if (r < n)
        fetch(ahead, (const pack *)(gate + (long long)r * k), lane, packs);
    const pack weight = first_weight(norm, k);
    tk_wait_for_previous();
    stage(staged, x, norm, weight, eps, k);
    while (r < n) {
        const float g = part_times(ahead, (const pack *)(gate + (long long)r * k), staged, lane, packs);
        fetch(ahead, (const pack *)(up + (long long)r * k), lane, packs);
        const float g_sum = tk_float(tk_round<bf16>(warp_sum(g)));
        const float u = part_times(ahead, (const pack *)(up + (long long)r * k), staged, lane, packs);
        const int next = r + gridDim.x * WARPS;
        if (next < n)
            fetch(ahead, (const pack *)(gate + (long long)next * k), lane, packs);
        const float u_sum = tk_float(tk_round<bf16>(warp_sum(u)));
        if (lane == 0)
            y[r] = tk_round<bf16>(tk_float(tk_round<bf16>(g_sum / (1.0f + __expf(-g_sum)))) * u_sum);
        r = next;
    }
}

// ---- few rows: SPLIT warps a row, each rows a block ----

tc_block(THREADS) tc_grid(tc_cdiv(n, each)) tc_smem(k * 2)
tc_requires(n >= 1 && n <= 1 << 24 && k >= PACK && k <= MAX_K && k % PACK == 0 && each >= 1 && each <= MAX_ROWS)
__global__ void __launch_bounds__(THREADS, Q3_BLOCKS_EACH)
    linear_split(tc_out tc_shape(n) tc_tile(each) tc_inplace(residual) bf16 *y,
                 tc_shared tc_shape(n, k) tc_align(16) const bf16 *w, tc_shared tc_shape(k) tc_align(16) const bf16 *x,
                 tc_shared tc_optional tc_shape(k) tc_align(16) const bf16 *norm, tc_shared tc_optional tc_shape(n) const bf16 *residual,
                 int n, int k, int each, float eps)
{
    constexpr int ROWS = WARPS / SPLIT; // at a time
    extern __shared__ __align__(16) unsigned char memory[];
    tk_let_next_start();
    __shared__ float part[MAX_ROWS][SPLIT];
    pack *staged = (pack *)memory;
    const int packs = k / PACK, lane = threadIdx.x % 32, warp = threadIdx.x / 32, share = warp % SPLIT;
    const int some = (packs + SPLIT - 1) / SPLIT, from = share * some + lane, to = min(share * some + some, packs);
    const int first = blockIdx.x * each, rows = min(each, n - first);
    const bf16 *row = w + (long long)first * k;
    pack ahead[PACKS_AHEAD];
    int r = warp / SPLIT;
    if (r < rows)
        fetch(ahead, (const pack *)(row + (long long)r * k), from, to);
    const pack weight = first_weight(norm, k);
    tk_wait_for_previous();
    const int at = first + threadIdx.x;
    const bf16 add = addend(residual, at, (int)threadIdx.x < rows);
    stage(staged, x, norm, weight, eps, k);
    while (r < rows) {
        const float sum = warp_sum(part_times(ahead, (const pack *)(row + (long long)r * k), staged, from, to));
        if (r + ROWS < rows)
            fetch(ahead, (const pack *)(row + (long long)(r + ROWS) * k), from, to);
        if (lane == 0)
            part[r][share] = sum;
        r += ROWS;
    }
    __syncthreads();
    if ((int)threadIdx.x >= rows)
        return;
    float sum = 0.0f;
    for (int i = 0; i < SPLIT; ++i)
        sum += part[threadIdx.x][i];
    const bf16 out = tk_round<bf16>(sum);
    y[at] = residual == nullptr ? out : tk_round<bf16>(tk_float(out) + tk_float(add));
}

// ---- host ----

static unsigned blocks_for(int64_t n, int64_t at_a_time)
{
    const int64_t wanted = (n + at_a_time - 1) / at_a_time, there = Q3_BLOCKS_EACH * (int64_t)tk_multiprocessors();
    const int64_t most = there < 1 ? 1 : there < 1 << 16 ? there : 1 << 16;
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

typedef struct arguments {
    bf16 *y;
    const bf16 *w, *x, *norm, *residual;
    int n, k;
    float eps;
    tk_stream stream;
} arguments;

// Where the vectors lie: y may be the residual, and meets nothing else. up is null but for gated.
static tk_status check_places(const arguments *a, const char *w_name, const bf16 *up)
{
    const int64_t n = a->n, k = a->k;
    if (a->norm != nullptr)
        TK_TRY(tk_check_eps(a->eps));
    const tk_tensor vectors[] = {tk_vector(a->y, TK_BF16, n), tk_vector((void *)a->w, TK_BF16, n * k), tk_vector((void *)up, TK_BF16, up ? n * k : 0),
                                 tk_vector((void *)a->x, TK_BF16, k), tk_vector((void *)a->norm, TK_BF16, a->norm ? k : 0)};
    const char *const names[] = {"y", w_name, "up", "x", "norm"};
    const tk_tensor residual = tk_vector((void *)a->residual, TK_BF16, a->residual ? n : 0);
    TK_TRY(tk_check_vectors(5, 1, vectors, names));
    TK_TRY(tk_check(&residual, "residual", 1, TK_OF(TK_BF16)));
    return tk_check_apart(&vectors[0], "y", &residual, "residual", true);
}

static tk_status check_arguments(const arguments *a)
{
    TK_TRY(check_sizes(a->n, a->k));
    TK_TRY(check_packs(a->w, "w", false));
    TK_TRY(check_packs(a->x, "x", false));
    TK_TRY(check_packs(a->norm, "norm", true));
    if (a->n < 1)
        return tk_fail(TK_SIZE, "n is %d", a->n);
    return a->y == nullptr ? tk_fail(TK_NULL, "y is null") : TK_OK;
}

static tk_status launch_linear(const arguments *given)
{
    const arguments a = *given;
    TK_TRY(allow_memory(linear));
    TK_TRY(check_arguments(&a));
    tk_launch(linear, blocks_for(a.n, WARPS), THREADS, (size_t)a.k * sizeof(bf16), a.stream, a.y, a.w, a.x, a.norm, a.residual, a.n, a.k, a.eps);
    return tk_launched("linear");
}

static tk_status launch_split(const arguments *given)
{
    const arguments a = *given;
    TK_TRY(allow_memory(linear_split));
    TK_TRY(check_arguments(&a));
    const int64_t each = q3_rows_each(a.n);
    if (each < 1 || each > MAX_ROWS)
        return tk_fail(TK_SIZE, "n is %d: too many rows for rows that warps share", a.n);
    const unsigned blocks = (unsigned)((a.n + each - 1) / each);
    tk_launch(linear_split, blocks, THREADS, (size_t)a.k * sizeof(bf16), a.stream, a.y, a.w, a.x, a.norm, a.residual, a.n, a.k, (int)each,
              a.eps);
    return tk_launched("linear_split");
}

static tk_status launch_gated(const arguments *given, const bf16 *up)
{
    const arguments a = *given;
    TK_TRY(allow_memory(gated));
    TK_TRY(check_arguments(&a));
    TK_TRY(check_packs(up, "up", false));
    tk_launch(gated, blocks_for(a.n, WARPS), THREADS, (size_t)a.k * sizeof(bf16), a.stream, a.y, a.w, up, a.x, a.norm, a.n, a.k, a.eps);
    return tk_launched("gated");
}

extern "C" tk_status q3_linear(void *y, const void *w, const void *x, const void *norm, const void *residual, int64_t n, int64_t k, float eps,
                               tk_stream stream)
{
    TK_TRY(check_sizes(n, k));
    if (n == 0)
        return TK_OK;
    const arguments a = {(bf16 *)y, (const bf16 *)w, (const bf16 *)x, (const bf16 *)norm, (const bf16 *)residual, (int)n, (int)k, eps, stream};
    TK_TRY(check_places(&a, "w", nullptr));
    return q3_is_few(n) ? launch_split(&a) : launch_linear(&a);
}

extern "C" tk_status q3_gated(void *y, const void *gate, const void *up, const void *x, const void *norm, int64_t n, int64_t k, float eps,
                              tk_stream stream)
{
    TK_TRY(check_sizes(n, k));
    if (n == 0)
        return TK_OK;
    const arguments a = {(bf16 *)y, (const bf16 *)gate, (const bf16 *)x, (const bf16 *)norm, nullptr, (int)n, (int)k, eps, stream};
    TK_TRY(check_places(&a, "gate", (const bf16 *)up));
    return launch_gated(&a, (const bf16 *)up);
}
