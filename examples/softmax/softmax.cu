// Softmax of each row, in float: e^(x - largest) / sum.
//
// Shapes: x and out are rows x cols, with rows x_ld and out_ld elements apart. G threads hold a row in registers, each K packs of W elements; with
// LONG a row may have more, which is read twice. A block of THREADS has THREADS / G rows. Longer rows are a block's each, and are read once as far as
// shared memory holds what registers do not. Few long rows are cut into parts instead: a first kernel leaves the largest and the sum of each part in
// the workspace, a second one reads x again and writes. In kernels of their own, out is x.
// Proved for all sizes that the launches let through: each block writes its own rows or part, all of out, and nothing of the gaps between rows; the
// wide accesses are aligned; no index overflows; the partial results do not race; copies into shared memory are awaited.
#include <tilecheck.h>

#include <cuda_pipeline.h>

#include "softmax.h"
#include "softmax_shape.h"

template <typename T, int W, int THREADS, int G, int K, bool LONG>
__device__ inline void softmax_rows(T *out, const T *x, int64_t rows, int64_t cols, int64_t out_ld, int64_t x_ld)
{
    using bits = tk_bits<T, W>;
    __shared__ float part[2][THREADS / 32];
    const int lane = threadIdx.x % G, packs = (int)(cols / W);
    const int64_t row = (int64_t)blockIdx.x * (THREADS / G) + threadIdx.x / G;
    const bool live = row < rows;
    const bits *from = (const bits *)(x + row * x_ld);
    bits *to = (bits *)(out + row * out_ld);

    bits v[K];
    for (int k = 0; k < K; ++k) {
        const int i = k * G + lane;
        if (live && i < packs)
            v[k] = from[i];
    }
    softmax_sum mine = {-INFINITY, 0.0f};
    if constexpr (LONG) // while what the registers hold is on its way
        for (int i = K * G + lane; i < packs; i += G)
            softmax_add<T, W>(&mine, from[i]);
    float top = mine.top;
    for (int k = 0; k < K; ++k)
        if (live && k * G + lane < packs) {
            top = softmax_top<T, W>(v[k], top);
            tk_anew(v[k]);
        }
    top = tk_reduce<tk_max, G>(top, part[0]);

    const float base = softmax_base(top);
    float sum = LONG ? softmax_moved<T>(mine, base) : 0.0f;
    for (int k = 0; k < K; ++k)
        if (live && k * G + lane < packs) {
            sum += softmax_exps<T, W>(v[k], base);
            tk_anew(v[k]);
        }
    const float scale = 1.0f / tk_reduce<tk_sum, G>(sum, part[1]);
    if (!live)
        return;

    for (int k = 0; k < K; ++k) {
        const int i = k * G + lane;
        if (i < packs)
            to[i] = softmax_result<T, W>(v[k], base, scale);
    }
    if constexpr (LONG)
        for (int i = K * G + lane; i < packs; i += G)
            to[i] = softmax_result<T, W>(from[i], base, scale);
}

template <typename T, int W, int THREADS, int G, int K, bool LONG>
tc_block(THREADS) tc_grid(tc_cdiv(rows, THREADS / G))
tc_requires(rows >= 1 && rows <= TK_ROWS_MAX && cols >= 1 && cols % W == 0 && (LONG || cols <= W * G * K))
tc_requires(cols <= x_ld && x_ld <= TK_LD_MAX && x_ld % W == 0 && cols <= out_ld && out_ld <= TK_LD_MAX && out_ld % W == 0)
__global__ void __launch_bounds__(THREADS, W == 1 ? 1 : tk_blocks(THREADS, K > 4 ? 64 : 40))
softmax(tc_out tc_shape(rows, cols) tc_stride(out_ld, 1) tc_tile(THREADS / G, cols) tc_at(blockIdx.x, 0) tc_align(sizeof(T) * W) T *out,
        tc_shared tc_shape(rows, cols) tc_stride(x_ld, 1) tc_align(sizeof(T) * W) const T *x,
        int64_t rows, int64_t cols, int64_t out_ld, int64_t x_ld)
{
    softmax_rows<T, W, THREADS, G, K, LONG>(out, x, rows, cols, out_ld, x_ld);
}

template <typename T, int W, int THREADS, int G, int K, bool LONG>
tc_block(THREADS) tc_grid(tc_cdiv(rows, THREADS / G))
tc_requires(rows >= 1 && rows <= TK_ROWS_MAX && cols >= 1 && cols % W == 0 && (LONG || cols <= W * G * K))
tc_requires(cols <= ld && ld <= TK_LD_MAX && ld % W == 0)
__global__ void __launch_bounds__(THREADS, W == 1 ? 1 : tk_blocks(THREADS, K > 4 ? 64 : 40))
softmax_inplace(tc_mut tc_shape(rows, cols) tc_stride(ld, 1) tc_tile(THREADS / G, cols) tc_at(blockIdx.x, 0) tc_align(sizeof(T) * W) T *x,
                int64_t rows, int64_t cols, int64_t ld)
{
    softmax_rows<T, W, THREADS, G, K, LONG>(x, x, rows, cols, ld, ld);
}

// ---- a row a block ----

// Of the packs of a row, a thread holds K in registers and `slots` in shared memory; the rest is read again for the result. ODD: rows that begin
// anywhere; less than a pack on either side is left to single elements.
constexpr int STAGES = 4;

// The packs in shared memory come in STAGES groups of copies: what a thread asks for in one, and takes up as it arrives.
template <typename T, int W, int THREADS, int K, int S>
__device__ inline void softmax_ask(tk_bits<T, W> *kept, const tk_bits<T, W> *from, int packs, int slots)
{
    const int each = (slots + STAGES - 1) / STAGES;
    for (int s = S * each; s < (S + 1) * each && s < slots; ++s)
        if ((K + s) * THREADS + (int)threadIdx.x < packs)
            __pipeline_memcpy_async(&kept[s * THREADS + threadIdx.x], &from[(K + s) * THREADS + threadIdx.x], sizeof(tk_bits<T, W>));
    __pipeline_commit();
}

template <typename T, int W, int THREADS, int K, int S>
__device__ inline void softmax_take(softmax_sum *mine, const tk_bits<T, W> *kept, int packs, int slots)
{
    const int each = (slots + STAGES - 1) / STAGES;
    __pipeline_wait_prior(STAGES - 1 - S);
    for (int s = S * each; s < (S + 1) * each && s < slots; ++s)
        if ((K + s) * THREADS + (int)threadIdx.x < packs)
            softmax_add<T, W>(mine, kept[s * THREADS + threadIdx.x]);
}

template <typename T, int W, int THREADS, int K, bool ODD>
__device__ inline void softmax_long_row(T *out, const T *x, int64_t cols, int64_t out_ld, int64_t x_ld, int slots)
{
    using bits = tk_bits<T, W>;
    extern __shared__ uint4 softmax_kept[];
    bits *const kept = (bits *)softmax_kept;
    __shared__ float part[2][THREADS / 32];
    const int lane = threadIdx.x;
    const T *const row = x + blockIdx.x * x_ld;
    T *const result = out + blockIdx.x * out_ld;
    const int head = ODD ? (int)((W - blockIdx.x * x_ld % W) % W) : 0; // so many before the first pack
    const int packs = (int)((cols - head) / W), tail = head + packs * W;
    const bits *from = (const bits *)(row + head);
    bits *to = (bits *)(result + head);

    bits v[K];
    for (int k = 0; k < K; ++k)
        if (k * THREADS + lane < packs)
            v[k] = from[k * THREADS + lane];
    softmax_ask<T, W, THREADS, K, 0>(kept, from, packs, slots);
    softmax_ask<T, W, THREADS, K, 1>(kept, from, packs, slots);
    softmax_ask<T, W, THREADS, K, 2>(kept, from, packs, slots);
    softmax_ask<T, W, THREADS, K, 3>(kept, from, packs, slots);

    softmax_sum mine = {-INFINITY, 0.0f};
    if constexpr (ODD) {
        if (lane < head)
            softmax_add<T, 1>(&mine, *(const tk_bits<T, 1> *)(row + lane));
        if (tail + lane < cols)
            softmax_add<T, 1>(&mine, *(const tk_bits<T, 1> *)(row + tail + lane));
    }
    for (int k = 0; k < K; ++k)
        if (k * THREADS + lane < packs) {
            softmax_add<T, W>(&mine, v[k]);
            tk_anew(v[k]);
        }
    softmax_take<T, W, THREADS, K, 0>(&mine, kept, packs, slots);
    softmax_take<T, W, THREADS, K, 1>(&mine, kept, packs, slots);
    softmax_take<T, W, THREADS, K, 2>(&mine, kept, packs, slots);
    softmax_take<T, W, THREADS, K, 3>(&mine, kept, packs, slots);
    for (int i = (K + slots) * THREADS + lane; i < packs; i += THREADS)
        softmax_add<T, W>(&mine, from[i]);
    const float base = softmax_base(tk_reduce<tk_max, THREADS>(mine.top, part[0]));
    const float scale = 1.0f / tk_reduce<tk_sum, THREADS>(softmax_moved<T>(mine, base), part[1]);

    for (int i = (K + slots) * THREADS + lane; i < packs; i += THREADS) // first, as it may still be in a cache
        to[i] = softmax_result<T, W>(from[i], base, scale);
    for (int s = 0; s < slots; ++s)
        if ((K + s) * THREADS + lane < packs)
            to[(K + s) * THREADS + lane] = softmax_result<T, W>(kept[s * THREADS + lane], base, scale);
    for (int k = 0; k < K; ++k)
        if (k * THREADS + lane < packs)
            to[k * THREADS + lane] = softmax_result<T, W>(v[k], base, scale);
    if constexpr (ODD) {
        if (lane < head)
            *(tk_bits<T, 1> *)(result + lane) = softmax_result<T, 1>(*(const tk_bits<T, 1> *)(row + lane), base, scale);
        if (tail + lane < cols)
            *(tk_bits<T, 1> *)(result + tail + lane) = softmax_result<T, 1>(*(const tk_bits<T, 1> *)(row + tail + lane), base, scale);
    }
}

template <typename T, int W, int THREADS, int K, bool ODD>
tc_block(THREADS) tc_grid(rows) tc_smem(slots * THREADS * 16)
tc_requires(rows >= 1 && rows <= TK_ROWS_MAX && cols >= W && (ODD || cols % W == 0) && slots >= 0 && slots <= SOFTMAX_SLOTS)
tc_requires(cols <= x_ld && x_ld <= TK_LD_MAX && cols <= out_ld && out_ld <= TK_LD_MAX && (ODD ? out_ld == x_ld : x_ld % W == 0 && out_ld % W == 0))
__global__ void __launch_bounds__(THREADS, tk_blocks(THREADS, 64))
softmax_long(tc_out tc_shape(rows, cols) tc_stride(out_ld, 1) tc_tile(1, cols) tc_at(blockIdx.x, 0) tc_align(16) T *out,
             tc_shared tc_shape(rows, cols) tc_stride(x_ld, 1) tc_align(16) const T *x,
             int64_t rows, int64_t cols, int64_t out_ld, int64_t x_ld, int slots)
{
    softmax_long_row<T, W, THREADS, K, ODD>(out, x, cols, out_ld, x_ld, slots);
}

template <typename T, int W, int THREADS, int K, bool ODD>
tc_block(THREADS) tc_grid(rows) tc_smem(slots * THREADS * 16)
tc_requires(rows >= 1 && rows <= TK_ROWS_MAX && cols >= W && (ODD || cols % W == 0) && slots >= 0 && slots <= SOFTMAX_SLOTS)
tc_requires(cols <= ld && ld <= TK_LD_MAX && (ODD || ld % W == 0))
__global__ void __launch_bounds__(THREADS, tk_blocks(THREADS, 64))
softmax_long_inplace(tc_mut tc_shape(rows, cols) tc_stride(ld, 1) tc_tile(1, cols) tc_at(blockIdx.x, 0) tc_align(16) T *x,
                     int64_t rows, int64_t cols, int64_t ld, int slots)
{
    softmax_long_row<T, W, THREADS, K, ODD>(x, x, cols, ld, ld, slots);
}

// ---- a row in parts ----

template <typename T, int W>
tc_block(PART_THREADS) tc_grid(parts, rows)
tc_requires(rows >= 1 && rows <= 65535 && cols >= 1 && cols % W == 0 && cols <= x_ld && x_ld <= TK_LD_MAX && x_ld % W == 0)
tc_requires(part_cols >= PART_COLS && part_cols <= TK_LD_MAX && part_cols % PART_COLS == 0)
tc_requires(parts >= 1 && parts <= PARTS_MAX && parts * part_cols >= cols)
__global__ void __launch_bounds__(PART_THREADS)
softmax_part(tc_out tc_shape(rows, parts) tc_tile(1, 1) float *tops,
             tc_out tc_shape(rows, parts) tc_tile(1, 1) float *sums,
             tc_shared tc_shape(rows, cols) tc_stride(x_ld, 1) tc_align(sizeof(T) * W) const T *x,
             int64_t rows, int64_t cols, int64_t parts, int64_t part_cols, int64_t x_ld)
{
    __shared__ float part[2][PART_THREADS / 32];
    const int64_t first = blockIdx.x * part_cols, end = min(cols, first + part_cols);
    const T *from = x + blockIdx.y * x_ld;
    softmax_sum mine = {-INFINITY, 0.0f};
    for (int64_t c = first + threadIdx.x * W; c < end; c += PART_THREADS * W)
        softmax_add<T, W>(&mine, *(const tk_bits<T, W> *)(from + c));
    const float top = tk_reduce<tk_max, PART_THREADS>(mine.top, part[0]);
    const float sum = tk_reduce<tk_sum, PART_THREADS>(softmax_moved<T>(mine, softmax_base(top)), part[1]);
    if (threadIdx.x == 0) {
        tops[(int64_t)blockIdx.y * parts + blockIdx.x] = top;
        sums[(int64_t)blockIdx.y * parts + blockIdx.x] = sum;
    }
}

template <typename T, int W>
__device__ inline void softmax_scale_part(T *to, const T *from, const float *tops, const float *sums, int64_t cols, int parts, int64_t part_cols)
{
    __shared__ float part[2][PART_THREADS / 32];
    float top = -INFINITY, sum = 0.0f;
    for (int p = threadIdx.x; p < parts; p += PART_THREADS)
        top = fmaxf(top, tops[p]);
    const float base = softmax_base(tk_reduce<tk_max, PART_THREADS>(top, part[0]));
    for (int p = threadIdx.x; p < parts; p += PART_THREADS)
        sum += softmax_moved<T>({tops[p], sums[p]}, base);
    const float scale = 1.0f / tk_reduce<tk_sum, PART_THREADS>(sum, part[1]);

    const int64_t first = blockIdx.x * part_cols, end = min(cols, first + part_cols);
    for (int64_t c = first + threadIdx.x * W; c < end; c += PART_THREADS * W)
        *(tk_bits<T, W> *)(to + c) = softmax_result<T, W>(*(const tk_bits<T, W> *)(from + c), base, scale);
}

template <typename T, int W>
tc_block(PART_THREADS) tc_grid(parts, rows)
tc_requires(rows >= 1 && rows <= 65535 && cols >= 1 && cols % W == 0)
tc_requires(cols <= x_ld && x_ld <= TK_LD_MAX && x_ld % W == 0 && cols <= out_ld && out_ld <= TK_LD_MAX && out_ld % W == 0)
tc_requires(part_cols >= PART_COLS && part_cols <= TK_LD_MAX && part_cols % PART_COLS == 0)
tc_requires(parts >= 1 && parts <= PARTS_MAX && parts * part_cols >= cols)
__global__ void __launch_bounds__(PART_THREADS)
softmax_scale(tc_out tc_shape(rows, cols) tc_stride(out_ld, 1) tc_tile(1, part_cols) tc_align(sizeof(T) * W) T *out,
              tc_shared tc_shape(rows, cols) tc_stride(x_ld, 1) tc_align(sizeof(T) * W) const T *x,
              tc_shared tc_shape(rows, parts) const float *tops,
              tc_shared tc_shape(rows, parts) const float *sums,
              int64_t rows, int64_t cols, int64_t parts, int64_t part_cols, int64_t out_ld, int64_t x_ld)
{
    const int64_t row = blockIdx.y;
    softmax_scale_part<T, W>(out + row * out_ld, x + row * x_ld, tops + row * parts, sums + row * parts, cols, (int)parts, part_cols);
}

template <typename T, int W>
tc_block(PART_THREADS) tc_grid(parts, rows)
tc_requires(rows >= 1 && rows <= 65535 && cols >= 1 && cols % W == 0 && cols <= ld && ld <= TK_LD_MAX && ld % W == 0)
tc_requires(part_cols >= PART_COLS && part_cols <= TK_LD_MAX && part_cols % PART_COLS == 0)
tc_requires(parts >= 1 && parts <= PARTS_MAX && parts * part_cols >= cols)
__global__ void __launch_bounds__(PART_THREADS)
softmax_scale_inplace(tc_mut tc_shape(rows, cols) tc_stride(ld, 1) tc_tile(1, part_cols) tc_align(sizeof(T) * W) T *x,
                      tc_shared tc_shape(rows, parts) const float *tops,
                      tc_shared tc_shape(rows, parts) const float *sums,
                      int64_t rows, int64_t cols, int64_t parts, int64_t part_cols, int64_t ld)
{
    const int64_t row = blockIdx.y;
    softmax_scale_part<T, W>(x + row * ld, x + row * ld, tops + row * parts, sums + row * parts, cols, (int)parts, part_cols);
}

// ---- host ----

struct softmax_call {
    int64_t rows, cols, out_ld, x_ld;
    cudaStream_t stream;
};

template <typename T, int W, int THREADS, int G, int K, bool LONG> static tk_status launch(T *out, const T *x, const softmax_call &c)
{
    if (c.rows < 1 || c.rows > TK_ROWS_MAX || c.cols < 1 || c.cols % W || (!LONG && c.cols > W * G * K))
        return tk_fail(TK_SIZE, "softmax: %lld rows of %lld", (long long)c.rows, (long long)c.cols);
    if (c.cols > c.x_ld || c.x_ld > TK_LD_MAX || c.x_ld % W || c.cols > c.out_ld || c.out_ld > TK_LD_MAX || c.out_ld % W)
        return tk_fail(TK_SIZE, "softmax: rows are %lld and %lld elements apart", (long long)c.x_ld, (long long)c.out_ld);
    if ((uintptr_t)out % sizeof(tk_pack<T, W>) || (uintptr_t)x % sizeof(tk_pack<T, W>))
        return tk_fail(TK_ALIGNMENT, "softmax: accesses of %d bytes", (int)sizeof(T) * W);
    const unsigned blocks = (unsigned)((c.rows + THREADS / G - 1) / (THREADS / G));
    if (out == x && c.out_ld == c.x_ld)
        softmax_inplace<T, W, THREADS, G, K, LONG><<<blocks, THREADS, 0, c.stream>>>(out, c.rows, c.cols, c.x_ld);
    else
        softmax<T, W, THREADS, G, K, LONG><<<blocks, THREADS, 0, c.stream>>>(out, x, c.rows, c.cols, c.out_ld, c.x_ld);
    return tk_launched("softmax");
}

template <typename T, int THREADS, int K, bool ODD> static tk_status launch_long(T *out, const T *x, int slots, const softmax_call &c)
{
    constexpr int W = 16 / sizeof(T);
    const int64_t rows = c.rows, cols = c.cols, out_ld = c.out_ld, x_ld = c.x_ld;
    if (rows < 1 || rows > TK_ROWS_MAX || cols < W || (!ODD && cols % W) || slots < 0 || slots > SOFTMAX_SLOTS)
        return tk_fail(TK_SIZE, "softmax: %lld rows of %lld", (long long)rows, (long long)cols);
    if (cols > x_ld || x_ld > TK_LD_MAX || cols > out_ld || out_ld > TK_LD_MAX)
        return tk_fail(TK_SIZE, "softmax: rows are %lld and %lld elements apart", (long long)x_ld, (long long)out_ld);
    if (ODD ? out_ld != x_ld : x_ld % W || out_ld % W)
        return tk_fail(TK_UNSUPPORTED, "softmax: rows are %lld and %lld elements apart", (long long)x_ld, (long long)out_ld);
    if (!tk_is_aligned(out, 16) || !tk_is_aligned(x, 16))
        return tk_fail(TK_ALIGNMENT, "softmax: accesses of 16 bytes");
    if (out == x && out_ld == x_ld) {
        if (cudaFuncSetAttribute(softmax_long_inplace<T, W, THREADS, K, ODD>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 slots * THREADS * 16) != cudaSuccess)
            return tk_launched("softmax");
        softmax_long_inplace<T, W, THREADS, K, ODD><<<(unsigned)rows, THREADS, slots * THREADS * 16, c.stream>>>(out, rows, cols, x_ld, slots);
    } else {
        if (cudaFuncSetAttribute(softmax_long<T, W, THREADS, K, ODD>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 slots * THREADS * 16) != cudaSuccess)
            return tk_launched("softmax");
        softmax_long<T, W, THREADS, K, ODD><<<(unsigned)rows, THREADS, slots * THREADS * 16, c.stream>>>(out, x, rows, cols, out_ld, x_ld, slots);
    }
    return tk_launched("softmax");
}

template <typename T, int W>
static tk_status launch_parts(T *out, const T *x, float *tops, float *sums, int64_t parts, int64_t part_cols, const softmax_call &c)
{
    const int64_t rows = c.rows, cols = c.cols, out_ld = c.out_ld, x_ld = c.x_ld;
    const cudaStream_t stream = c.stream;
    if (rows < 1 || rows > 65535 || cols < 1 || cols % W || part_cols < PART_COLS || part_cols > TK_LD_MAX || part_cols % PART_COLS || parts < 1 ||
        parts > PARTS_MAX || parts * part_cols < cols)
        return tk_fail(TK_SIZE, "softmax: %lld rows of %lld", (long long)rows, (long long)cols);
    if (cols > x_ld || x_ld > TK_LD_MAX || x_ld % W || cols > out_ld || out_ld > TK_LD_MAX || out_ld % W)
        return tk_fail(TK_SIZE, "softmax: rows are %lld and %lld elements apart", (long long)x_ld, (long long)out_ld);
    if ((uintptr_t)out % sizeof(tk_pack<T, W>) || (uintptr_t)x % sizeof(tk_pack<T, W>))
        return tk_fail(TK_ALIGNMENT, "softmax: accesses of %d bytes", (int)sizeof(T) * W);
    const dim3 grid((unsigned)parts, (unsigned)rows);
    softmax_part<T, W><<<grid, PART_THREADS, 0, stream>>>(tops, sums, x, rows, cols, parts, part_cols, x_ld);
    TK_TRY(tk_launched("softmax"));
    if (out == x && out_ld == x_ld)
        softmax_scale_inplace<T, W><<<grid, PART_THREADS, 0, stream>>>(out, tops, sums, rows, cols, parts, part_cols, x_ld);
    else
        softmax_scale<T, W><<<grid, PART_THREADS, 0, stream>>>(out, x, tops, sums, rows, cols, parts, part_cols, out_ld, x_ld);
    return tk_launched("softmax");
}

template <typename T> using launcher = tk_status (*)(T *, const T *, const softmax_call &);
template <typename T> using parts_launcher = tk_status (*)(T *, const T *, float *, float *, int64_t, int64_t, const softmax_call &);

// By the length of a row. The last of the narrow ones takes any, the last of the wide ones what has at most WIDE_MAX packs.
template <typename T>
static const launcher<T> narrow[] = {launch<T, 1, 128, 8, 1, false>, launch<T, 1, 128, 32, 4, false>, launch<T, 1, 256, 256, 8, false>,
                                     launch<T, 1, 1024, 1024, 8, true>};
template <typename T, int W = 16 / sizeof(T)>
static const launcher<T> wide[] = {launch<T, W, 128, 4, 2, false>,   launch<T, W, 128, 8, 2, false>,   launch<T, W, 128, 16, 2, false>,
                                   launch<T, W, 128, 32, 2, false>,  launch<T, W, 128, 32, 4, false>,  launch<T, W, 128, 64, 4, false>,
                                   launch<T, W, 128, 128, 4, false>, launch<T, W, 256, 256, 3, false>, launch<T, W, 256, 256, 4, false>,
                                   launch<T, W, 512, 512, 3, false>, launch<T, W, 512, 512, 4, false>, launch<T, W, 512, 512, 6, false>,
                                   launch<T, W, 512, 512, 8, false>};
constexpr int64_t WIDE_MAX = 4096, ODD_MIN = 1024;
template <typename T> static const parts_launcher<T> in_parts[] = {launch_parts<T, 1>, launch_parts<T, 16 / sizeof(T)>};

static int of_narrow(int64_t cols) { return cols <= 8 ? 0 : cols <= 128 ? 1 : cols <= 2048 ? 2 : 3; }

static int of_wide(int64_t packs)
{
    static const int64_t most[] = {8, 16, 32, 64, 128, 256, 512, 768, 1024, 1536, 2048, 3072};
    int i = 0;
    while (i < 12 && packs > most[i])
        ++i;
    return i;
}

template <typename T, bool ODD> static tk_status choose_long(T *out, const T *x, const softmax_call &c)
{
    const int64_t packs = (c.cols * (int64_t)sizeof(T) + 15) / 16;
    const int threads = softmax_threads(packs, ODD);
    if constexpr (ODD)
        if (threads == 128)
            return launch_long<T, 128, 4, ODD>(out, x, softmax_slots(packs, 128, 4), c);
    return threads == 512 ? launch_long<T, 512, 4, ODD>(out, x, softmax_slots(packs, 512, 4), c)
                          : launch_long<T, 1024, 8, ODD>(out, x, softmax_slots(packs, 1024, 8), c);
}

// Rows of which a block each would leave most of the device idle, and long enough to be cut.
static bool is_cut(int64_t rows, int64_t cols) { return rows < 64 && cols >= 8 * PART_COLS; }

template <typename T> static tk_status choose(const tk_tensor *out, const tk_tensor *x, const softmax_call &c, tk_workspace w)
{
    const bool is_wide = tk_alignment(out) == 16 && tk_alignment(x) == 16 && c.cols * sizeof(T) % 16 == 0;
    const bool is_odd = tk_is_aligned(out->data, 16) && tk_is_aligned(x->data, 16) && c.out_ld == c.x_ld && c.cols >= ODD_MIN;
    const int64_t packs = c.cols * (int64_t)sizeof(T) / 16;
    T *to = (T *)out->data;
    const T *from = (const T *)x->data;
    if (is_cut(c.rows, c.cols)) {
        const softmax_parts p = softmax_split(c.rows, c.cols);
        float *tops = (float *)w.data;
        return in_parts<T>[is_wide](to, from, tops, tops + c.rows * p.parts, p.parts, p.cols, c);
    }
    if (is_wide)
        return packs <= WIDE_MAX ? wide<T>[of_wide(packs)](to, from, c) : choose_long<T, false>(to, from, c);
    return is_odd ? choose_long<T, true>(to, from, c) : narrow<T>[of_narrow(c.cols)](to, from, c);
}

extern "C" size_t tk_softmax_workspace(const tk_tensor *x)
{
    int64_t rows, cols;
    if (!softmax_sizes(x, &rows, &cols) || !is_cut(rows, cols))
        return 0;
    return (size_t)(rows * softmax_split(rows, cols).parts) * 2 * sizeof(float);
}

extern "C" tk_status tk_softmax(const tk_tensor *out, const tk_tensor *x, tk_workspace w, tk_stream stream)
{
    int64_t rows, cols, x_ld, out_ld;
    TK_TRY(softmax_check_x(x, "x"));
    TK_TRY(out ? tk_check_written(out, "out", x->rank, TK_OF(x->type)) : tk_fail(TK_NULL, "out is null"));
    for (int d = 0; d < TK_RANK && d < x->rank; ++d)
        TK_TRY(tk_check_extent(out, "out", d, x->extent[d]));
    TK_TRY(tk_check_apart(out, "out", x, "x", true));
    if (!tk_elements(x))
        return TK_OK;
    if (!tk_as_rows(x, &rows, &cols, &x_ld) || !tk_as_rows(out, &rows, &cols, &out_ld))
        return tk_fail(TK_UNSUPPORTED, "the strides of x or out are not those of rows at one distance");
    const tk_tensor *const tensors[] = {out, x};
    const char *const names[] = {"out", "x"};
    TK_TRY(tk_check_scratch(w, tk_softmax_workspace(x), 2, tensors, names));
    const softmax_call c = {rows, cols, out_ld, x_ld, stream};
    return x->type == TK_F32 ? choose<float>(out, x, c, w) : x->type == TK_F16 ? choose<__half>(out, x, c, w) : choose<__nv_bfloat16>(out, x, c, w);
}
