// Draws one index from each row of logits by a given uniform number: softmax at a temperature, of the top_k and of these of the top_p alone.
//
// Shapes: x is rows x cols (cols up to 2^18), with rows ld elements apart; uniform and out have one element a row. Each row is cut into parts, of
// which a block each takes one in every kernel, so that one row occupies the whole device; all that they leave is in the workspace.
//
// The elements kept are those above a cut: a key (the bits of the logit, put in order), and of the elements that have that very key the first few.
// It is found digit by digit, four bits each, as in a radix sort: sample_count adds up how many elements, and what weight, each digit has among
// those that share the digits found so far; whoever comes next takes from that the digit where the count comes to top_k, or the weight to top_p of
// the whole. Then sample_part leaves the weight and the ties of each part, and sample_pick finds the part, and in it the element.
//
// Weights are integers, 2^35 for the largest logit, and sums of 2^18 of them are at most 2^53: exact in double, in any order, so atomics leave the
// same in each run, and every kernel finds the same borders.
//
// Proved for all sizes that the launches let through: what several blocks add to is touched by atomics alone, everything else is written by one
// block, all of out is written; the wide accesses are aligned; no index overflows; the partial results in shared memory do not race.
#include <float.h>
#include <tilecheck.h>

#include "softmax.h"

constexpr int64_t SAMPLE_COLS_MAX = (int64_t)1 << 18, SAMPLE_ROWS_MAX = 65535;
constexpr int DIGITS = 16;            // values of a digit
constexpr int BINS = 2 * DIGITS;      // a row has: counts, then weights
constexpr int STATE = 4;              // of a row, beside the digits: count, weight, target, top; sample_part leaves: keep, one, 0, top
constexpr int SCAN_COLS = PART_THREADS * 8; // columns that sample_pick takes at a time
constexpr float ONE = 34359738368.0f; // 2^35

// What a kernel has to do first with the counts of the one before.
enum { NOTHING, BY_COUNT, BY_WEIGHT, TURN, BEGIN }; // TURN: the last digit by count, then the first by weight. BEGIN: the first by weight

// The digits found so far, count and weight of what is above them, what these are to come to, the largest logit.
struct sample_state {
    unsigned prefix;
    double count, weight, target, top;
};

// ---- keys and weights ----

// Bits of a key.
template <typename T> constexpr int KEY_BITS = sizeof(T) * 8;

__device__ inline unsigned size_bits(float x) { return __float_as_uint(x) & 0x7fffffffu; }
__device__ inline unsigned size_bits(__half x) { return (unsigned)__half_as_short(__habs(x)) & 0x7fffu; }
__device__ inline unsigned size_bits(__nv_bfloat16 x) { return (__float_as_uint(tk_float(x)) & 0x7fffffffu) >> 16; }

template <typename T> __device__ inline float of_size_bits(unsigned size);
template <> __device__ inline float of_size_bits<float>(unsigned size) { return __uint_as_float(size); }
template <> __device__ inline float of_size_bits<__half>(unsigned size) { return __half2float(__ushort_as_half((unsigned short)size)); }
template <> __device__ inline float of_size_bits<__nv_bfloat16>(unsigned size) { return __uint_as_float(size << 16); }

// In the order of the values, 0 and -0 the same; below all others for NaN.
template <typename T> __device__ inline unsigned long long key_of(T x)
{
    constexpr unsigned long long HALF = 1ull << (KEY_BITS<T> - 1);
    const float v = tk_float(x);
    const unsigned long long size = size_bits(x);
    return v != v ? 0 : v < 0.0f ? HALF - 1 - size : HALF + size;
}

template <typename T> __device__ inline float value_of(unsigned key)
{
    constexpr unsigned long long HALF = 1ull << (KEY_BITS<T> - 1);
    const unsigned long long k = key & (2 * HALF - 1);
    return k < HALF ? -of_size_bits<T>((unsigned)(HALF - 1 - k)) : of_size_bits<T>((unsigned)(k - HALF));
}

// scale is log2(e) / temperature.
__device__ inline float weight_of(float v, float top, float scale)
{
    return v != v ? 0.0f : v == top ? ONE : rintf(exp2f((v - top) * scale) * ONE);
}

// ---- the search ----

// Takes the digit in which what is above and in it comes to the target.
__device__ inline void take_digit(sample_state *s, const double *bins, bool by_weight)
{
    bool found = false;
    int digit = 0;
    for (int i = 0; i < DIGITS; ++i) {
        tc_invariant(0 <= digit && digit < DIGITS);
        const int d = DIGITS - 1 - i;
        const double count = bins[d], weight = bins[DIGITS + d];
        if (!found && (d == 0 || (by_weight ? s->weight + weight : s->count + count) >= s->target)) {
            found = true;
            digit = d;
        }
        if (!found) {
            s->count += count;
            s->weight += weight;
        }
    }
    s->prefix = s->prefix % (1u << 28) * DIGITS + (unsigned)digit;
}

// The state in front of a kernel's own work. bins and state are those that the kernel before left, first those of the first digit.
template <typename T>
__device__ inline sample_state look(int before, const double *bins, const double *first, unsigned prefix, const double *state, const float *tops,
                                    int parts, double top_k, float top_p, float scale)
{
    __shared__ float part[PART_THREADS / 32];
    if (before == NOTHING) {
        float top = -INFINITY;
        for (int p = threadIdx.x; p < parts; p += PART_THREADS)
            top = fmaxf(top, tops[p]);
        return {0, 0.0, 0.0, top_k, tk_reduce<tk_max, PART_THREADS>(top, part)};
    }
    sample_state s = {prefix, state[0], state[1], state[2], state[3]};
    if (before == BY_COUNT || before == TURN)
        take_digit(&s, bins, false);
    if (before == BY_WEIGHT)
        take_digit(&s, bins, true);
    if (before == TURN || before == BEGIN) {
        double whole = 0.0;
        if (before == TURN)
            whole = s.weight + (s.target - s.count) * weight_of(value_of<T>(s.prefix), (float)s.top, scale);
        else
            for (int d = 0; d < DIGITS; ++d)
                whole += first[DIGITS + d];
        s = {0, 0.0, 0.0, fmax(1.0, fmin(whole, ceil(whole * top_p))), s.top};
        take_digit(&s, first, true);
    }
    return s;
}

// ---- kernels ----

// The largest of each part, and bins set to 0.
template <typename T, int W>
tc_block(PART_THREADS) tc_grid(parts, rows)
tc_requires(rows >= 1 && rows <= SAMPLE_ROWS_MAX && cols >= 1 && cols <= SAMPLE_COLS_MAX && cols % W == 0)
tc_requires(cols <= ld && ld <= TK_LD_MAX && ld % W == 0 && parts >= 1 && parts <= PARTS_MAX && stages >= 1 && stages <= 32)
tc_requires(part_cols >= PART_COLS && part_cols <= TK_LD_MAX && part_cols % PART_COLS == 0)
__global__ void __launch_bounds__(PART_THREADS)
sample_top(tc_out tc_shape(rows, parts) tc_tile(1, 1) float *tops, tc_out tc_shape(stages, rows, BINS) double *bins,
           tc_shared tc_shape(rows, cols) tc_stride(ld, 1) tc_align(sizeof(T) * W) const T *x,
           int64_t rows, int64_t cols, int64_t ld, int64_t parts, int64_t part_cols, int64_t stages)
{
    using pack = tk_pack<T, W>;
    __shared__ float part[PART_THREADS / 32];
    const int64_t first = blockIdx.x * part_cols, end = min(cols, first + part_cols);
    const T *from = x + blockIdx.y * ld;
    float top = -INFINITY;
    for (int64_t c = first + threadIdx.x * W; c < end; c += PART_THREADS * W) {
        const pack u = *(const pack *)(from + c);
        for (int w = 0; w < W; ++w)
            top = fmaxf(top, tk_float(u.at[w]));
    }
    top = tk_reduce<tk_max, PART_THREADS>(top, part);
    if (threadIdx.x == 0)
        tops[blockIdx.y * parts + blockIdx.x] = top;
    if (blockIdx.x == 0 && threadIdx.x < BINS)
        for (int64_t s = 0; s < stages; ++s)
            bins[(s * rows + blockIdx.y) * BINS + threadIdx.x] = 0.0;
}

template <typename T, int W>
tc_block(PART_THREADS) tc_grid(parts, rows)
tc_requires(rows >= 1 && rows <= SAMPLE_ROWS_MAX && cols >= 1 && cols <= SAMPLE_COLS_MAX && cols % W == 0)
tc_requires(cols <= ld && ld <= TK_LD_MAX && ld % W == 0 && parts >= 1 && parts <= PARTS_MAX)
tc_requires(part_cols >= PART_COLS && part_cols <= TK_LD_MAX && part_cols % PART_COLS == 0 && shift >= 0 && shift < 32)
__global__ void __launch_bounds__(PART_THREADS)
sample_count(tc_atomic tc_shape(rows, BINS) double *to, tc_out tc_shape(rows) unsigned *to_prefix, tc_out tc_shape(rows, STATE) double *to_state,
             tc_shared tc_shape(rows, BINS) const double *bins, tc_shared tc_shape(rows, BINS) const double *first_bins,
             tc_shared tc_shape(rows) const unsigned *prefixes, tc_shared tc_shape(rows, STATE) const double *state,
             tc_shared tc_shape(rows, parts) const float *tops,
             tc_shared tc_shape(rows, cols) tc_stride(ld, 1) tc_align(sizeof(T) * W) const T *x,
             int64_t rows, int64_t cols, int64_t ld, int64_t parts, int64_t part_cols, int before, int shift, double top_k, float top_p, float scale)
{
    using pack = tk_pack<T, W>;
    __shared__ double of_warp[PART_THREADS / 32][BINS];
    const int64_t row = blockIdx.y;
    const sample_state s = look<T>(before, bins + row * BINS, first_bins + row * BINS, prefixes[row], state + row * STATE, tops + row * parts,
                                   (int)parts, top_k, top_p, scale);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        to_prefix[row] = s.prefix;
        to_state[row * STATE] = s.count;
        to_state[row * STATE + 1] = s.weight;
        to_state[row * STATE + 2] = s.target;
        to_state[row * STATE + 3] = s.top;
    }

    const unsigned long long prefix = s.prefix;
    const float top = (float)s.top;
    const int64_t first = blockIdx.x * part_cols, end = min(cols, first + part_cols);
    const T *from = x + row * ld;
    float counts[DIGITS];
    double weights[DIGITS];
    for (int d = 0; d < DIGITS; ++d) {
        counts[d] = 0.0f;
        weights[d] = 0.0;
    }
    for (int64_t c = first + threadIdx.x * W; c < end; c += PART_THREADS * W) {
        const pack u = *(const pack *)(from + c);
        for (int w = 0; w < W; ++w) {
            const unsigned long long digits = key_of(u.at[w]) >> shift;
            if (digits / DIGITS != prefix)
                continue;
            const int digit = (int)(digits % DIGITS);
            const float weight = weight_of(tk_float(u.at[w]), top, scale);
            for (int d = 0; d < DIGITS; ++d) {
                counts[d] += digit == d ? 1.0f : 0.0f;
                weights[d] += digit == d ? weight : 0.0f;
            }
        }
    }
    for (int d = 0; d < DIGITS; ++d) {
        for (int lanes = 16; lanes > 0; lanes /= 2) {
            counts[d] += __shfl_xor_sync(0xffffffffu, counts[d], lanes);
            weights[d] += __shfl_xor_sync(0xffffffffu, weights[d], lanes);
        }
        if (threadIdx.x % 32 == 0) {
            of_warp[threadIdx.x / 32][d] = counts[d];
            of_warp[threadIdx.x / 32][DIGITS + d] = weights[d];
        }
    }
    __syncthreads();
    if (threadIdx.x < BINS) {
        double sum = 0.0;
        for (int w = 0; w < PART_THREADS / 32; ++w)
            sum += of_warp[w][threadIdx.x];
        if (sum != 0.0)
            atomicAdd(&to[row * BINS + threadIdx.x], sum);
    }
}

// Of each part the weight above the cut, and how many elements are on it; of each row the cut, how many of those on it are kept, and the weight
// of one.
template <typename T, int W>
tc_block(PART_THREADS) tc_grid(parts, rows)
tc_requires(rows >= 1 && rows <= SAMPLE_ROWS_MAX && cols >= 1 && cols <= SAMPLE_COLS_MAX && cols % W == 0)
tc_requires(cols <= ld && ld <= TK_LD_MAX && ld % W == 0 && parts >= 1 && parts <= PARTS_MAX)
tc_requires(part_cols >= PART_COLS && part_cols <= TK_LD_MAX && part_cols % PART_COLS == 0)
__global__ void __launch_bounds__(PART_THREADS)
sample_part(tc_out tc_shape(rows, parts) tc_tile(1, 1) double *above, tc_out tc_shape(rows, parts) tc_tile(1, 1) double *ties,
            tc_out tc_shape(rows) unsigned *to_prefix, tc_out tc_shape(rows, STATE) double *to_state,
            tc_shared tc_shape(rows, BINS) const double *bins, tc_shared tc_shape(rows) const unsigned *prefixes,
            tc_shared tc_shape(rows, STATE) const double *state, tc_shared tc_shape(rows, parts) const float *tops,
            tc_shared tc_shape(rows, cols) tc_stride(ld, 1) tc_align(sizeof(T) * W) const T *x,
            int64_t rows, int64_t cols, int64_t ld, int64_t parts, int64_t part_cols, int before, float scale)
{
    using pack = tk_pack<T, W>;
    __shared__ double of_warp[PART_THREADS / 32][2];
    const int64_t row = blockIdx.y;
    const sample_state s = look<T>(before, bins + row * BINS, bins + row * BINS, prefixes[row], state + row * STATE, tops + row * parts,
                                   (int)parts, 0.0, 1.0f, scale);
    const float top = (float)s.top;
    const unsigned long long cut = s.prefix;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        const double one = weight_of(value_of<T>(s.prefix), top, scale);
        to_prefix[row] = s.prefix;
        double keep = INFINITY;
        if (before == BY_COUNT)
            keep = s.target - s.count;
        else if (before == BY_WEIGHT && one > 0.0)
            keep = ceil((s.target - s.weight) / one);
        to_state[row * STATE] = keep;
        to_state[row * STATE + 1] = one;
        to_state[row * STATE + 2] = 0.0;
        to_state[row * STATE + 3] = s.top;
    }

    const int64_t first = blockIdx.x * part_cols, end = min(cols, first + part_cols);
    const T *from = x + row * ld;
    double weight = 0.0, on = 0.0;
    for (int64_t c = first + threadIdx.x * W; c < end; c += PART_THREADS * W) {
        const pack u = *(const pack *)(from + c);
        for (int w = 0; w < W; ++w) {
            const unsigned long long key = key_of(u.at[w]);
            weight += key > cut ? weight_of(tk_float(u.at[w]), top, scale) : 0.0f;
            on += key == cut ? 1.0 : 0.0;
        }
    }
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        weight += __shfl_xor_sync(0xffffffffu, weight, lanes);
        on += __shfl_xor_sync(0xffffffffu, on, lanes);
    }
    if (threadIdx.x % 32 == 0) {
        of_warp[threadIdx.x / 32][0] = weight;
        of_warp[threadIdx.x / 32][1] = on;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        weight = on = 0.0;
        for (int w = 0; w < PART_THREADS / 32; ++w) {
            weight += of_warp[w][0];
            on += of_warp[w][1];
        }
        above[row * parts + blockIdx.x] = weight;
        ties[row * parts + blockIdx.x] = on;
    }
}

// What the threads before have in sum; *sum: all of them. Behind it s may be used again.
__device__ inline double sum_before(double v, double *sum, double *s)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    double upto = v;
    for (int d = 1; d < 32; d *= 2) {
        const double u = __shfl_up_sync(0xffffffffu, upto, d);
        upto += lane >= d ? u : 0.0;
    }
    if (lane == 31)
        s[warp] = upto;
    __syncthreads();
    double before = 0.0;
    *sum = 0.0;
    for (int w = 0; w < PART_THREADS / 32; ++w) {
        before += w < warp ? s[w] : 0.0;
        *sum += s[w];
    }
    __syncthreads();
    return before + upto - v;
}

// How many of n elements on the cut are kept, where so many stand before them.
__device__ inline double kept(double n, double before, double keep) { return fmin(n, fmax(0.0, keep - before)); }

template <typename T>
tc_block(PART_THREADS) tc_grid(rows)
tc_requires(rows >= 1 && rows <= SAMPLE_ROWS_MAX && cols >= 1 && cols <= SAMPLE_COLS_MAX && cols <= ld && ld <= TK_LD_MAX)
tc_requires(parts >= 1 && parts <= PARTS_MAX && part_cols >= PART_COLS && part_cols <= TK_LD_MAX)
__global__ void __launch_bounds__(PART_THREADS)
sample_pick(tc_out tc_shape(rows) tc_tile(1) int *out, tc_shared tc_shape(rows, parts) const double *above,
            tc_shared tc_shape(rows, parts) const double *ties, tc_shared tc_shape(rows) const unsigned *cuts,
            tc_shared tc_shape(rows, STATE) const double *state, tc_shared tc_shape(rows) const float *uniform,
            tc_shared tc_shape(rows, cols) tc_stride(ld, 1) const T *x,
            int64_t rows, int64_t cols, int64_t ld, int64_t parts, int64_t part_cols, float scale)
{
    __shared__ double scan[PART_THREADS / 32], start[2];
    __shared__ int part, at;
    const int64_t row = blockIdx.x;
    const double *of_row = state + row * STATE, *weights = above + row * parts, *on = ties + row * parts;
    const unsigned long long cut = cuts[row];
    const double keep = of_row[0], one = of_row[1];
    const float top = (float)of_row[3];
    if (threadIdx.x == 0)
        part = at = 0x7fffffff;
    __syncthreads();

    // The part: each thread has a few, one after the other.
    const int each = (int)(parts + PART_THREADS - 1) / PART_THREADS, begin = threadIdx.x * each;
    double sum, whole, mine = 0.0;
    for (int i = 0; i < each; ++i)
        mine += begin + i < parts ? on[begin + i] : 0.0;
    const double ties_before = sum_before(mine, &sum, scan);
    double ties_here = ties_before;
    mine = 0.0;
    for (int i = 0; i < each; ++i)
        if (begin + i < parts) {
            mine += weights[begin + i] + kept(on[begin + i], ties_here, keep) * one;
            ties_here += on[begin + i];
        }
    const double before = sum_before(mine, &whole, scan);
    const double target = fmin(floor(fminf(fmaxf(uniform[row], 0.0f), 1.0f) * whole), whole - 1.0);
    double here = before;
    ties_here = ties_before;
    for (int i = 0; i < each; ++i)
        if (begin + i < parts) {
            const double weight = weights[begin + i] + kept(on[begin + i], ties_here, keep) * one;
            if (here <= target && target < here + weight)
                atomicMin(&part, begin + i);
            here += weight;
            ties_here += on[begin + i];
        }
    __syncthreads();
    const int chosen = min(max(part, 0), (int)parts - 1);
    if (threadIdx.x == chosen / each) {
        here = before;
        ties_here = ties_before;
        for (int i = 0; i < each; ++i)
            if (begin + i < chosen) {
                here += weights[begin + i] + kept(on[begin + i], ties_here, keep) * one;
                ties_here += on[begin + i];
            }
        start[0] = here;
        start[1] = ties_here;
    }
    __syncthreads();

    // The element in it.
    const int64_t first = chosen * part_cols, end = min(cols, first + part_cols);
    const T *from = x + row * ld;
    double weight_before = start[0], on_before = start[1];
    for (int64_t c = first; c < end; c += SCAN_COLS) {
        float weight[8];
        double n = 0.0, sum_of_on, sum_of_weight;
        bool is_on[8];
        for (int e = 0; e < 8; ++e) {
            const int64_t i = c + threadIdx.x * 8 + e;
            weight[e] = 0.0f;
            is_on[e] = false;
            if (i < end) {
                const unsigned long long key = key_of(from[i]);
                is_on[e] = key == cut;
                weight[e] = key >= cut ? weight_of(tk_float(from[i]), top, scale) : 0.0f;
            }
            n += is_on[e] ? 1.0 : 0.0;
        }
        const double on_here = on_before + sum_before(n, &sum_of_on, scan);
        double m = 0.0, nth = on_here;
        for (int e = 0; e < 8; ++e) {
            weight[e] = is_on[e] && nth >= keep ? 0.0f : weight[e];
            nth += is_on[e] ? 1.0 : 0.0;
            m += weight[e];
        }
        double upto = weight_before + sum_before(m, &sum_of_weight, scan);
        for (int e = 0; e < 8; ++e) {
            if (upto <= target && target < upto + weight[e])
                atomicMin(&at, (int)(c + threadIdx.x * 8 + e));
            upto += weight[e];
        }
        on_before += sum_of_on;
        weight_before += sum_of_weight;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        out[row] = at == 0x7fffffff ? 0 : at;
}

// ---- host ----

struct sample_call {
    int64_t rows, cols, ld, parts, part_cols;
    float top_p, scale;
    cudaStream_t stream;
};

// What every launch here asks of the sizes.
static bool fits(const sample_call &c, int width)
{
    return c.rows >= 1 && c.rows <= SAMPLE_ROWS_MAX && c.cols >= 1 && c.cols <= SAMPLE_COLS_MAX && c.cols % width == 0 && c.cols <= c.ld &&
           c.ld <= TK_LD_MAX && c.ld % width == 0 && c.parts >= 1 && c.parts <= PARTS_MAX && c.part_cols >= PART_COLS && c.part_cols <= TK_LD_MAX &&
           c.part_cols % PART_COLS == 0;
}

static tk_status unfit(const sample_call &c)
{
    return tk_fail(TK_SIZE, "sample: %lld rows of %lld, %lld apart", (long long)c.rows, (long long)c.cols, (long long)c.ld);
}

template <typename T, int W> static tk_status launch_top(float *tops, double *bins, const T *x, int64_t stages, const sample_call &c)
{
    if (!fits(c, W) || stages < 1 || stages > 32 || (uintptr_t)x % sizeof(tk_pack<T, W>))
        return unfit(c);
    const dim3 grid((unsigned)c.parts, (unsigned)c.rows);
    sample_top<T, W><<<grid, PART_THREADS, 0, c.stream>>>(tops, bins, x, c.rows, c.cols, c.ld, c.parts, c.part_cols, stages);
    return tk_launched("sample");
}

template <typename T, int W>
static tk_status launch_count(double *to, unsigned *to_prefix, double *to_state, const double *bins, const double *first, const unsigned *prefixes,
                              const double *state, const float *tops, const T *x, int before, int shift, double top_k, const sample_call &c)
{
    if (!fits(c, W) || shift < 0 || shift >= 32 || (uintptr_t)x % sizeof(tk_pack<T, W>))
        return unfit(c);
    const dim3 grid((unsigned)c.parts, (unsigned)c.rows);
    sample_count<T, W><<<grid, PART_THREADS, 0, c.stream>>>(to, to_prefix, to_state, bins, first, prefixes, state, tops, x, c.rows, c.cols, c.ld,
                                                            c.parts, c.part_cols, before, shift, top_k, c.top_p, c.scale);
    return tk_launched("sample");
}

template <typename T, int W>
static tk_status launch_part(double *above, double *ties, unsigned *to_prefix, double *to_state, const double *bins, const unsigned *prefixes,
                             const double *state, const float *tops, const T *x, int before, const sample_call &c)
{
    if (!fits(c, W) || (uintptr_t)x % sizeof(tk_pack<T, W>))
        return unfit(c);
    const dim3 grid((unsigned)c.parts, (unsigned)c.rows);
    sample_part<T, W><<<grid, PART_THREADS, 0, c.stream>>>(above, ties, to_prefix, to_state, bins, prefixes, state, tops, x, c.rows, c.cols, c.ld,
                                                           c.parts, c.part_cols, before, c.scale);
    return tk_launched("sample");
}

template <typename T>
static tk_status launch_pick(int *out, const double *above, const double *ties, const unsigned *cuts, const double *state, const float *uniform,
                             const T *x, const sample_call &c)
{
    if (!fits(c, 1))
        return unfit(c);
    sample_pick<T><<<(unsigned)c.rows, PART_THREADS, 0, c.stream>>>(out, above, ties, cuts, state, uniform, x, c.rows, c.cols, c.ld, c.parts,
                                                                    c.part_cols, c.scale);
    return tk_launched("sample");
}

template <typename T> struct launchers {
    tk_status (*top)(float *, double *, const T *, int64_t, const sample_call &);
    tk_status (*count)(double *, unsigned *, double *, const double *, const double *, const unsigned *, const double *, const float *, const T *,
                       int, int, double, const sample_call &);
    tk_status (*part)(double *, double *, unsigned *, double *, const double *, const unsigned *, const double *, const float *, const T *, int,
                      const sample_call &);
    tk_status (*pick)(int *, const double *, const double *, const unsigned *, const double *, const float *, const T *, const sample_call &);
};

template <typename T, int W = 16 / sizeof(T)>
static const launchers<T> by_width[] = {{launch_top<T, 1>, launch_count<T, 1>, launch_part<T, 1>, launch_pick<T>},
                                        {launch_top<T, W>, launch_count<T, W>, launch_part<T, W>, launch_pick<T>}};

// The workspace: bins, digits and state of each launch of sample_count and a place that nobody writes, digits and state of sample_part, and the
// results of the parts.
static int64_t key_digits(tk_type type) { return (int64_t)tk_type_bytes(type) * 2; }

static int64_t bytes_for(tk_type type, int64_t rows, int64_t parts)
{
    const int64_t counts = 2 * key_digits(type);
    return counts * rows * (int64_t)((BINS + STATE) * sizeof(double) + sizeof(unsigned)) +
           rows * (int64_t)(STATE * sizeof(double) + sizeof(unsigned)) + rows * parts * (int64_t)(2 * sizeof(double) + sizeof(float));
}

template <typename T>
static tk_status run(const tk_tensor *out, const tk_tensor *logits, const tk_tensor *uniform, int64_t top_k, const sample_call &c, tk_workspace w)
{
    const bool is_wide = tk_alignment(logits) == 16 && c.cols * sizeof(T) % 16 == 0;
    const launchers<T> &l = by_width<T>[is_wide];
    const T *x = (const T *)logits->data;
    const int digits = (int)key_digits(logits->type), counts = 2 * digits; // 2 * digits - 1 at most, and a place that nobody writes
    double *bins = (double *)w.data, *states = bins + counts * c.rows * BINS, *above = states + (counts + 1) * c.rows * STATE,
           *ties = above + c.rows * c.parts;
    unsigned *prefixes = (unsigned *)(ties + c.rows * c.parts);
    float *tops = (float *)(prefixes + (counts + 1) * c.rows);

    const bool by_count = top_k > 0 && top_k < c.cols, by_weight = c.top_p < 1.0f;
    const int first = by_count ? digits : by_weight ? 1 : 0, all = first + (by_weight ? digits - 1 : 0);
    TK_TRY(l.top(tops, bins, x, all > 0 ? all : 1, c));
    int from = counts - 1; // whose results come before: none has them yet
    for (int i = 0; i < all; ++i) {
        const int digit = i < first ? i : i - first + 1;
        const int before = i == 0 ? NOTHING : i < first ? BY_COUNT : i > first ? BY_WEIGHT : by_count ? TURN : BEGIN;
        TK_TRY(l.count(bins + i * c.rows * BINS, prefixes + i * c.rows, states + i * c.rows * STATE, bins + from * c.rows * BINS,
                       bins + (i ? 0 : from) * c.rows * BINS, prefixes + from * c.rows, states + from * c.rows * STATE, tops, x, before,
                       (digits - 1 - digit) * 4, (double)top_k, c));
        from = i;
    }
    const int before = by_weight ? BY_WEIGHT : by_count ? BY_COUNT : NOTHING;
    unsigned *cuts = prefixes + counts * c.rows;
    double *state = states + counts * c.rows * STATE;
    TK_TRY(l.part(above, ties, cuts, state, bins + from * c.rows * BINS, prefixes + from * c.rows, states + from * c.rows * STATE, tops, x, before,
                  c));
    return l.pick((int *)out->data, above, ties, cuts, state, (const float *)uniform->data, x, c);
}

// Of many rows there are more passes over what a cache holds: more threads, to have more of it on its way.
static softmax_parts sample_split(int64_t rows, int64_t cols) { return softmax_split(rows, cols, rows < 64 ? PARTS_WANTED : 4 * PARTS_WANTED); }

extern "C" size_t tk_sample_workspace(const tk_tensor *logits)
{
    int64_t rows, cols;
    if (!softmax_sizes(logits, &rows, &cols) || rows > SAMPLE_ROWS_MAX || cols > SAMPLE_COLS_MAX)
        return 0;
    return (size_t)bytes_for(logits->type, rows, sample_split(rows, cols).parts);
}

extern "C" tk_status tk_sample(const tk_tensor *out, const tk_tensor *logits, const tk_tensor *uniform, float temperature, int64_t top_k, float top_p,
                               tk_workspace w, tk_stream stream)
{
    TK_TRY(tk_check(logits, "logits", 2, SOFTMAX_TYPES));
    TK_TRY(tk_check_written(out, "out", 1, TK_OF(TK_I32)));
    TK_TRY(tk_check(uniform, "uniform", 1, TK_OF(TK_F32)));
    TK_TRY(tk_check_extent(out, "out", 0, logits->extent[0]));
    TK_TRY(tk_check_extent(uniform, "uniform", 0, logits->extent[0]));
    TK_TRY(tk_check_apart(out, "out", logits, "logits", false));
    TK_TRY(tk_check_apart(out, "out", uniform, "uniform", false));
    const float scale = 1.44269504f / temperature; // 1 / ln 2: weights are powers of two
    if (!(temperature > 0.0f && temperature <= FLT_MAX && scale <= FLT_MAX) || top_k < 0 || !(top_p > 0.0f && top_p <= 1.0f))
        return tk_fail(TK_VALUE, "temperature %g, top_k %lld, top_p %g", (double)temperature, (long long)top_k, (double)top_p);
    if (!tk_is_dense(out) || !tk_is_dense(uniform))
        return tk_fail(TK_UNSUPPORTED, "out or uniform is not contiguous");
    const int64_t rows = logits->extent[0], cols = logits->extent[1];
    if (rows == 0)
        return TK_OK;
    if (cols == 0)
        return tk_fail(TK_SHAPE, "logits has rows without an element");
    if (rows > SAMPLE_ROWS_MAX || cols > SAMPLE_COLS_MAX)
        return tk_fail(TK_SIZE, "%lld rows of %lld; up to 65535 of up to 2^18 are supported", (long long)rows, (long long)cols);
    if (cols > 1 && logits->stride[1] != 1)
        return tk_fail(TK_UNSUPPORTED, "the rows of logits are not contiguous");
    const tk_tensor *const tensors[] = {out, logits, uniform};
    const char *const names[] = {"out", "logits", "uniform"};
    TK_TRY(tk_check_scratch(w, tk_sample_workspace(logits), 3, tensors, names));
    const softmax_parts p = sample_split(rows, cols);
    const sample_call c = {rows, cols, rows > 1 ? logits->stride[0] : cols, p.parts, p.cols, top_p, scale, stream};
    return logits->type == TK_F32   ? run<float>(out, logits, uniform, top_k, c, w)
           : logits->type == TK_F16 ? run<__half>(out, logits, uniform, top_k, c, w)
                                    : run<__nv_bfloat16>(out, logits, uniform, top_k, c, w);
}
