// Softmax of each row, in float: e^(x - largest) / sum.
//
// Shapes: x and out are rows x cols, with rows x_ld and out_ld elements apart. G threads hold a row in registers, each K packs of W elements; with
// LONG a row may have more, which is read twice. A block of THREADS has THREADS / G rows. Few long rows are cut into parts instead: a first kernel
// leaves the largest and the sum of each part in the workspace, a second one reads x again and writes. In kernels of their own, out is x.
// Proved for all sizes that the launches let through: each block writes its own rows or part, all of out, and nothing of the gaps between rows; the
// wide accesses are aligned; no index overflows; the partial results do not race.
#include <tilecheck.h>

#include "softmax.h"

template <typename T, int W, int THREADS, int G, int K, bool LONG>
__device__ inline void softmax_rows(T *out, const T *x, int64_t rows, int64_t cols, int64_t out_ld, int64_t x_ld)
{
    using pack = tk_pack<T, W>;
    __shared__ float part[2][G > 32 ? G / 32 : 1];
    const int lane = threadIdx.x % G, packs = (int)(cols / W);
    const int64_t row = (int64_t)blockIdx.x * (THREADS / G) + threadIdx.x / G;
    const bool live = row < rows;
    const T *from = x + row * x_ld;
    T *to = out + row * out_ld;

    pack v[K];
    for (int k = 0; k < K; ++k) {
        const int i = k * G + lane;
        if (live && i < packs)
            v[k] = *(const pack *)(from + (int64_t)i * W);
    }
    softmax_sum mine = {-INFINITY, 0.0f};
    if constexpr (LONG) // while what the registers hold is on its way
        for (int i = K * G + lane; i < packs; i += G)
            softmax_add<T, W>(&mine, *(const pack *)(from + (int64_t)i * W));
    float top = mine.top;
    for (int k = 0; k < K; ++k)
        if (live && k * G + lane < packs)
            for (int w = 0; w < W; ++w)
                top = fmaxf(top, tk_float(v[k].at[w]));
    top = tk_reduce<tk_max, G>(top, part[0]);

    const float base = softmax_base(top);
    float sum = LONG ? softmax_moved<T>(mine, base) : 0.0f;
    for (int k = 0; k < K; ++k)
        if (live && k * G + lane < packs)
            for (int w = 0; w < W; ++w)
                sum += softmax_exp<T>(tk_float(v[k].at[w]) - base);
    const float scale = 1.0f / tk_reduce<tk_sum, G>(sum, part[1]);
    if (!live)
        return;

    for (int k = 0; k < K; ++k) {
        const int i = k * G + lane;
        if (i < packs) {
            pack y;
            for (int w = 0; w < W; ++w)
                y.at[w] = tk_round<T>(softmax_exp<T>(tk_float(v[k].at[w]) - base) * scale);
            *(pack *)(to + (int64_t)i * W) = y;
        }
    }
    if constexpr (LONG)
        for (int i = K * G + lane; i < packs; i += G) {
            const pack u = *(const pack *)(from + (int64_t)i * W);
            pack y;
            for (int w = 0; w < W; ++w)
                y.at[w] = tk_round<T>(softmax_exp<T>(tk_float(u.at[w]) - base) * scale);
            *(pack *)(to + (int64_t)i * W) = y;
        }
}

template <typename T, int W, int THREADS, int G, int K, bool LONG>
tc_block(THREADS) tc_grid(tc_cdiv(rows, THREADS / G))
tc_requires(rows >= 1 && rows <= TK_ROWS_MAX && cols >= 1 && cols % W == 0 && (LONG || cols <= W * G * K))
tc_requires(cols <= x_ld && x_ld <= TK_LD_MAX && x_ld % W == 0 && cols <= out_ld && out_ld <= TK_LD_MAX && out_ld % W == 0)
__global__ void __launch_bounds__(THREADS)
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
__global__ void __launch_bounds__(THREADS)
softmax_inplace(tc_mut tc_shape(rows, cols) tc_stride(ld, 1) tc_tile(THREADS / G, cols) tc_at(blockIdx.x, 0) tc_align(sizeof(T) * W) T *x,
                int64_t rows, int64_t cols, int64_t ld)
{
    softmax_rows<T, W, THREADS, G, K, LONG>(x, x, rows, cols, ld, ld);
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
    using pack = tk_pack<T, W>;
    __shared__ float part[2][PART_THREADS / 32];
    const int64_t first = blockIdx.x * part_cols, end = min(cols, first + part_cols);
    const T *from = x + blockIdx.y * x_ld;
    softmax_sum mine = {-INFINITY, 0.0f};
    for (int64_t c = first + threadIdx.x * W; c < end; c += PART_THREADS * W)
        softmax_add<T, W>(&mine, *(const pack *)(from + c));
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
    using pack = tk_pack<T, W>;
    __shared__ float part[2][PART_THREADS / 32];
    float top = -INFINITY, sum = 0.0f;
    for (int p = threadIdx.x; p < parts; p += PART_THREADS)
        top = fmaxf(top, tops[p]);
    const float base = softmax_base(tk_reduce<tk_max, PART_THREADS>(top, part[0]));
    for (int p = threadIdx.x; p < parts; p += PART_THREADS)
        sum += softmax_moved<T>({tops[p], sums[p]}, base);
    const float scale = 1.0f / tk_reduce<tk_sum, PART_THREADS>(sum, part[1]);

    const int64_t first = blockIdx.x * part_cols, end = min(cols, first + part_cols);
    for (int64_t c = first + threadIdx.x * W; c < end; c += PART_THREADS * W) {
        const pack u = *(const pack *)(from + c);
        pack y;
        for (int w = 0; w < W; ++w)
            y.at[w] = tk_round<T>(softmax_exp<T>(tk_float(u.at[w]) - base) * scale);
        *(pack *)(to + c) = y;
    }
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

// By the length of a row; the last takes any.
template <typename T>
static const launcher<T> narrow[] = {launch<T, 1, 128, 8, 1, false>, launch<T, 1, 128, 32, 4, false>, launch<T, 1, 256, 256, 8, false>,
                                     launch<T, 1, 1024, 1024, 8, true>};
template <typename T, int W = 16 / sizeof(T)>
static const launcher<T> wide[] = {launch<T, W, 128, 8, 1, false>,     launch<T, W, 128, 16, 1, false>,     launch<T, W, 128, 32, 1, false>,
                                   launch<T, W, 128, 32, 2, false>,    launch<T, W, 128, 32, 4, false>,     launch<T, W, 128, 128, 2, false>,
                                   launch<T, W, 128, 128, 4, false>,   launch<T, W, 256, 256, 4, false>,    launch<T, W, 512, 512, 4, false>,
                                   launch<T, W, 1024, 1024, 4, false>, launch<T, W, 1024, 1024, 8, false>,  launch<T, W, 1024, 1024, 6, true>};
template <typename T> static const parts_launcher<T> in_parts[] = {launch_parts<T, 1>, launch_parts<T, 16 / sizeof(T)>};

static int of_narrow(int64_t cols) { return cols <= 8 ? 0 : cols <= 128 ? 1 : cols <= 2048 ? 2 : 3; }

static int of_wide(int64_t packs)
{
    static const int64_t most[] = {8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192};
    int i = 0;
    while (i < 11 && packs > most[i])
        ++i;
    return i;
}

// Rows of which a block each would leave most of the device idle, and long enough to be cut.
static bool is_cut(int64_t rows, int64_t cols) { return rows < 64 && cols >= 8 * PART_COLS; }

template <typename T> static tk_status choose(const tk_tensor *out, const tk_tensor *x, const softmax_call &c, tk_workspace w)
{
    const bool is_wide = tk_alignment(out) == 16 && tk_alignment(x) == 16 && c.cols * sizeof(T) % 16 == 0;
    T *to = (T *)out->data;
    const T *from = (const T *)x->data;
    if (!is_cut(c.rows, c.cols))
        return (is_wide ? wide<T>[of_wide(c.cols * (int64_t)sizeof(T) / 16)] : narrow<T>[of_narrow(c.cols)])(to, from, c);
    const softmax_parts p = softmax_split(c.rows, c.cols);
    float *tops = (float *)w.data;
    return in_parts<T>[is_wide](to, from, tops, tops + c.rows * p.parts, p.parts, p.cols, c);
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
    TK_TRY(tk_check_workspace(w, tk_softmax_workspace(x)));
    const softmax_call c = {rows, cols, out_ld, x_ld, stream};
    return x->type == TK_F32 ? choose<float>(out, x, c, w) : x->type == TK_F16 ? choose<__half>(out, x, c, w) : choose<__nv_bfloat16>(out, x, c, w);
}
