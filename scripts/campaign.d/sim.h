// What generated kernels are compiled over to be run on the CPU: integers that know how they came about, pointers that
// know their object, threads with barriers, blocks that remember who touched what. Shares nothing with the checker.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <ucontext.h>
#include <unordered_map>
#include <vector>

typedef __int128 W;
enum {
    OVERFLOWED = 1,
    UNWRITTEN = 2,
    CHANGED = 4
}; // CHANGED: an unsigned wrap, a narrowing, a change of sign on the way

struct NoValue {}; // a contract that divides by zero
struct Stop {};    // a thread that runs too long

inline void fault(const char *rule, const char *what, W index = 0);

template <class T> struct Int {
    T v;
    uint8_t f;
    Int() : v(T(0x55)), f(UNWRITTEN) {}
    template <class U, class = std::enable_if_t<std::is_integral_v<U>>> explicit Int(U x) : v(T(x)), f(0) {}
    template <class U> Int(Int<U> o) : v(T(o.v)), f(uint8_t(o.f | (W(T(o.v)) == W(o.v) ? 0 : CHANGED))) {}
};
typedef Int<signed char> i8;
typedef Int<unsigned char> u8;
typedef Int<short> i16;
typedef Int<unsigned short> u16;
typedef Int<int> i32;
typedef Int<unsigned> u32;
typedef Int<long long> i64;
typedef Int<unsigned long long> u64;

struct Real {
    double v;
    Real() : v(0) {}
    explicit Real(double x) : v(x) {}
    template <class T> Real(Int<T> o) : v(double(o.v)) {}
    template <class T> operator Int<T>() const {
        return Int<T>(v > -1e9 && v < 1e9 ? (long long)v : 0ll);
    }
};

template <class R> Int<R> made(W r, int f) {
    Int<R> out(R(0));
    out.v = R(r);
    out.f = uint8_t(f | (W(out.v) == r ? 0 : std::is_signed_v<R> ? OVERFLOWED : CHANGED));
    return out;
}
template <class A, class B> using Both = decltype(A() + B());
#define ARITHMETIC(op)                                                                                                 \
    template <class A, class B> Int<Both<A, B>> operator op(Int<A> a, Int<B> b) {                                      \
        Int<Both<A, B>> x(a), y(b);                                                                                    \
        return made<Both<A, B>>(W(x.v) op W(y.v), x.f | y.f);                                                          \
    }
ARITHMETIC(+)
ARITHMETIC(-) ARITHMETIC(*) ARITHMETIC(&) ARITHMETIC(|) ARITHMETIC(^)
#define QUOTIENT(op)                                                                                                   \
    template <class A, class B> Int<Both<A, B>> operator op(Int<A> a, Int<B> b) {                                      \
        Int<Both<A, B>> x(a), y(b);                                                                                    \
        if (y.v == 0) {                                                                                                \
            fault("TC2004", "division by zero");                                                                       \
            return made<Both<A, B>>(0, x.f | y.f);                                                                     \
        }                                                                                                              \
        int over = std::is_signed_v<Both<A, B>> && W(y.v) == -1 && x.v == std::numeric_limits<Both<A, B>>::min();      \
        return made<Both<A, B>>(over ? W(0) : W(x.v) op W(y.v), x.f | y.f | (over ? OVERFLOWED : 0));                  \
    }
    QUOTIENT(/) QUOTIENT(%) template <class A, class B>
    bool bad_shift(Int<B> b) {
    if (W(b.v) >= 0 && W(b.v) < W(sizeof(Both<A, int>) * 8))
        return false;
    fault("TC2004", "shift out of range");
    return true;
}
template <class A, class B> Int<decltype(A() << 1)> operator<<(Int<A> a, Int<B> b) {
    typedef decltype(A() << 1) R;
    if (bad_shift<R>(b))
        return made<R>(0, a.f | b.f);
    Int<R> r = made<R>(W(R(a.v)) << int(b.v), 0);
    r.f = uint8_t(a.f | b.f | (r.f ? CHANGED : 0));
    return r;
}
template <class A, class B> Int<decltype(A() << 1)> operator>>(Int<A> a, Int<B> b) {
    typedef decltype(A() << 1) R;
    return made<R>(bad_shift<R>(b) ? W(0) : W(R(a.v)) >> int(b.v), a.f | b.f);
}
#define COMPARISON(op)                                                                                                 \
    template <class A, class B> i32 operator op(Int<A> a, Int<B> b) {                                                  \
        i32 r(int(Both<A, B>(a.v) op Both<A, B>(b.v)));                                                                \
        r.f = uint8_t(a.f | b.f);                                                                                      \
        return r;                                                                                                      \
    }                                                                                                                  \
    inline i32 operator op(Real a, Real b) {                                                                           \
        return i32(int(a.v op b.v));                                                                                   \
    }                                                                                                                  \
    template <class A> i32 operator op(Int<A> a, Real b) {                                                             \
        return Real(a) op b;                                                                                           \
    }                                                                                                                  \
    template <class A> i32 operator op(Real a, Int<A> b) {                                                             \
        return a op Real(b);                                                                                           \
    }
COMPARISON(<)
COMPARISON(<=) COMPARISON(>) COMPARISON(>=) COMPARISON(==) COMPARISON(!=)
#define REALS(op)                                                                                                      \
    inline Real operator op(Real a, Real b) {                                                                          \
        return Real(a.v op b.v);                                                                                       \
    }                                                                                                                  \
    template <class A> Real operator op(Int<A> a, Real b) {                                                            \
        return Real(a) op b;                                                                                           \
    }                                                                                                                  \
    template <class A> Real operator op(Real a, Int<A> b) {                                                            \
        return a op Real(b);                                                                                           \
    }
    REALS(+) REALS(-) REALS(*) REALS(/) inline Real
    operator-(Real a) {
    return Real(-a.v);
}
template <class A> Int<Both<A, int>> operator-(Int<A> a) {
    return Int<Both<A, int>>(Both<A, int>(0)) - a;
}
template <class A> Int<Both<A, int>> operator~(Int<A> a) {
    return made<Both<A, int>>(W(Both<A, int>(~Both<A, int>(a.v))), a.f);
}
template <class T> Int<T> sim_min(Int<T> a, Int<T> b) {
    Int<T> r(b.v < a.v ? b.v : a.v);
    r.f = uint8_t(a.f | b.f);
    return r;
}
template <class T> Int<T> sim_max(Int<T> a, Int<T> b) {
    Int<T> r(a.v < b.v ? b.v : a.v);
    r.f = uint8_t(a.f | b.f);
    return r;
}
inline Real sim_min(Real a, Real b) {
    return a.v < b.v ? a : b;
}
inline Real sim_max(Real a, Real b) {
    return a.v < b.v ? b : a;
}

template <class T> bool guard(Int<T> c) {
    if (c.f & OVERFLOWED)
        fault("TC2002", "guard");
    if (c.f & UNWRITTEN)
        fault("TC2005", "guard");
    if (c.f & CHANGED)
        fault("TC2002", "changed guard");
    return c.v != 0;
}
inline bool guard(Real c) {
    return c.v != 0;
}
template <class T> long long choice(Int<T> c) {
    guard(c);
    return (long long)c.v;
}
// A loop's invariant that does not hold has no rule of its own.
inline void invariant(bool holds) {
    if (!holds)
        fault("TC0000", "invariant");
}
template <class T> W address(Int<T> i) {
    if (i.f & OVERFLOWED)
        fault("TC2002", "address");
    if (i.f & UNWRITTEN)
        fault("TC2005", "address");
    if (i.f & CHANGED)
        fault("TC2002", "changed address");
    return W(i.v);
}
template <class A, class B> i64 flat(Int<A> a, Int<B> b, int width) {
    i64 r((long long)(address(a) * width + address(b)));
    return r;
}

// ---- contracts ----
inline W w_div(W a, W b) {
    if (b == 0)
        throw NoValue();
    return a / b;
}
inline W w_rem(W a, W b) {
    if (b == 0)
        throw NoValue();
    return a % b;
}
inline W w_shl(W a, W b) {
    if (b < 0 || b > 62)
        throw NoValue();
    return a * (W(1) << int(b));
}
inline W w_shr(W a, W b) {
    if (b < 0 || b > 62)
        throw NoValue();
    return a >> int(b);
}
inline W w_min(W a, W b) {
    return a < b ? a : b;
}
inline W w_max(W a, W b) {
    return a < b ? b : a;
}
inline W w_tc_cdiv(W a, W b) {
    W q = w_div(a, b);
    return q + (a % b > 0 ? 1 : 0);
}

// ---- memory ----
inline uint64_t mixed(uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}
struct Cell {
    long long v = 0;
    double r = 0;
    uint8_t f = 0;
    bool set = false;
    long long wrote = -1, read = -1; // a block; read: -2 for several
};
enum Kind { READ_ONLY, MUT, ATOMIC, OWN };
struct Obj {
    std::string name;
    Kind kind = OWN;
    W rows = 0, cols = 1, stride = 1, span = 0; // elements; span: the last that exists, plus 1
    bool ranged = false, injective = false, monotone = false, zeroed = false, uninit = false;
    W lo = 0, hi = 0;
    int region = -1; // the parameter whose region it is
    std::vector<Cell> dense;
    std::unordered_map<long long, Cell> sparse;
    std::map<long long, long long> given;
    bool exists(W i) const {
        return i >= 0 && i < span && (cols == stride || i % stride < cols);
    }
    Cell &cell(W i) {
        if (dense.empty() && span <= 4096)
            dense.resize(size_t(span < 1 ? 1 : span));
        Cell &c = span <= 4096 ? dense[size_t(i)] : sparse[(long long)i];
        if (!c.set) {
            c.set = true;
            fill(c, (long long)i);
        }
        return c;
    }
    void fill(Cell &c, long long i);
};

struct Dim {
    u32 x, y, z;
};
extern Dim threadIdx, blockIdx, blockDim, gridDim;
extern int fill_mode;
extern bool sampled;
extern W span_low, span_high;
inline long long block_number() {
    return (long long)blockIdx.x.v +
           (long long)gridDim.x.v * ((long long)blockIdx.y.v + (long long)gridDim.y.v * blockIdx.z.v);
}
bool owned(const Obj &o, W i);
void barrier();
void fuel();

inline void touch(Obj &o, Cell &c, W i, bool write, bool atomic) {
    if (o.kind == ATOMIC && !atomic)
        fault("TC1006", o.name.c_str(), i);
    if (o.kind != MUT)
        return;
    if (o.name == "y") {
        span_low = i < span_low ? i : span_low;
        span_high = i > span_high ? i : span_high;
    }
    long long b = block_number();
    if (write) {
        if (!owned(o, i))
            fault("TC1004", o.name.c_str(), i);
        if (c.wrote >= 0 && c.wrote != b)
            fault("TC1001", o.name.c_str(), i);
        if (c.read == -2 || (c.read >= 0 && c.read != b))
            fault("TC1002", o.name.c_str(), i);
        c.wrote = b;
    }
    if (!write || atomic) {
        if (c.wrote >= 0 && c.wrote != b)
            fault("TC1002", o.name.c_str(), i);
        c.read = c.read == -1 || c.read == b ? b : -2;
    }
}
template <class T> void load(const Cell &c, Int<T> &out) {
    out = Int<T>(T(c.v));
    out.f = c.f;
}
inline void load(const Cell &c, Real &out) {
    out = Real(c.r);
}
template <class T> void store(Cell &c, Int<T> v) {
    c.v = (long long)v.v;
    c.f = v.f;
    c.r = double(v.v);
}
inline void store(Cell &c, Real v) {
    c.r = v.v;
    c.f = 0;
}

template <class T> struct Ptr {
    Obj *o = nullptr;
    W at = 0;
    uint8_t f = 0;
    Ptr() : f(UNWRITTEN) {}
    Ptr(Obj *obj, W i) : o(obj), at(i) {}
    bool reach(W i, uint8_t bits) {
        if (bits) {
            u64 whole(0ull);
            whole.f = bits;
            address(whole);
        }
        if (o && o->exists(i))
            return true;
        fault("TC2001", o ? o->name.c_str() : "no object", i);
        return false;
    }
    template <class I> T rd(Int<I> i) {
        fuel();
        T out;
        if (!reach(at + W(i.v), f | i.f))
            return T(Int<long long>(7ll));
        Cell &c = o->cell(at + W(i.v));
        touch(*o, c, at + W(i.v), false, false);
        load(c, out);
        return out;
    }
    template <class I> void wr(Int<I> i, T v) {
        fuel();
        if (!reach(at + W(i.v), f | i.f))
            return;
        Cell &c = o->cell(at + W(i.v));
        touch(*o, c, at + W(i.v), true, false);
        store(c, v);
    }
    template <class I, class F> T atomic(Int<I> i, F next) {
        fuel();
        T out;
        if (!reach(at + W(i.v), f | i.f))
            return T(Int<long long>(7ll));
        Cell &c = o->cell(at + W(i.v));
        touch(*o, c, at + W(i.v), true, true);
        load(c, out);
        T after = next(out);
        store(c, after);
        if constexpr (!std::is_same_v<T, Real>) {
            c.f = 0;
            out.f = 0;
        }
        return out;
    }
    template <class I, class V> T atomicAdd(Int<I> i, V v) {
        return atomic(i, [&](T o) { return T(o + T(v)); });
    }
    template <class I, class V> T atomicMax(Int<I> i, V v) {
        return atomic(i, [&](T o) { return sim_max(o, T(v)); });
    }
    template <class I, class V> T atomicExch(Int<I> i, V v) {
        return atomic(i, [&](T) { return T(v); });
    }
    template <class I> Ptr operator+(Int<I> i) const {
        Ptr p = *this;
        p.at += W(i.v);
        p.f |= i.f;
        return p;
    }
    template <class I> Ptr operator-(Int<I> i) const {
        Ptr p = *this;
        p.at -= W(i.v);
        p.f |= i.f;
        return p;
    }
};
template <class T> struct Arr {
    Obj o;
    Arr(const char *name, int n) {
        o.name = name;
        o.rows = o.span = n;
        o.uninit = true;
    }
    Arr(const Arr &) = delete;
    operator Ptr<T>() {
        return Ptr<T>(&o, 0);
    }
    template <class I> Ptr<T> operator+(Int<I> i) {
        return Ptr<T>(&o, 0) + i;
    }
    template <class I> T rd(Int<I> i) {
        return Ptr<T>(&o, 0).rd(i);
    }
    template <class I, class V> void wr(Int<I> i, V v) {
        Ptr<T>(&o, 0).wr(i, T(v));
    }
    template <class I, class V> T atomicAdd(Int<I> i, V v) {
        return Ptr<T>(&o, 0).atomicAdd(i, v);
    }
    template <class I, class V> T atomicMax(Int<I> i, V v) {
        return Ptr<T>(&o, 0).atomicMax(i, v);
    }
};
struct pair {
    i32 a;
    u16 b;
    u8 c;
};

struct AnyShared {
    virtual ~AnyShared() {}
};
template <class T> struct SharedSlot : AnyShared {
    Arr<T> a;
    SharedSlot(const char *n, int k) : a(n, k) {}
};
extern std::map<std::string, AnyShared *> shared_slots;
template <class T> Arr<T> &shared_array(const char *name, int n) {
    AnyShared *&slot = shared_slots[name];
    if (!slot) {
        slot = new SharedSlot<T>(name, n);
    }
    return static_cast<SharedSlot<T> *>(slot)->a;
}

// ---- kernels ----
struct Scalar {
    const char *name;
    W lo, hi;
    W *place;
};
struct Param {
    const char *name;
    int kind, region, inplace;
    bool ranged, injective, monotone, zeroed;
};
struct Kernel {
    const char *name;
    std::vector<Scalar> scalars;
    std::vector<Param> params;
    std::vector<long long> hints;
    bool grid_free, block_free, barriers;
    bool (*allowed)();               // the contract and the inferred preconditions, for at
    void (*dims)(W *grid, W *block); // what the contract says of the launch
    void (*shape)(int param, Obj &o);
    bool (*owns)(int param, W row, W col); // for at.blockIdx
    void (*body)(std::vector<Obj *> &objects);
};
