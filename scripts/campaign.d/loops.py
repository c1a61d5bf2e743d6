"""More correct kernels to start mutations from: index arithmetic with masks and shifts, loops whose counters do not simply count,
local memory, regions that are computed."""
from kernel import Kernel, Param
from skeletons import guarded, small


def swizzled(R, name):
    b = R.choice([4, 8, 16])
    rows = R.choice([4, 8])
    mask = b - 1
    put = R.choice(["s[%d * r + (c ^ (r & %d))]" % (b, mask), "s[((r << %d) | c) ^ ((r >> 1) & %d)]" % (b.bit_length() - 1, mask),
                    "s[r * %d + ((c + r) & %d)]" % (b, mask), "s[(r * %d + c) ^ 1]" % b])
    body = ("__shared__ float s[%d]; for (int u = threadIdx.x; u < %d; u += %d) { int r = u / %d; int c = u %% %d; %s = x[u]; } __syncthreads(); "
            % (b * rows, b * rows, b, b, b, put)
            + "for (int u = threadIdx.x; u < %d; u += %d) { int r = u >> %d; int c = u & %d; y[blockIdx.x * %d + u] = %s; }"
            % (b * rows, b, b.bit_length() - 1, mask, b * rows, put))
    return Kernel(name, [b], ["k"], [("int", "k")], [Param("shared", "float", "x", shape=[b * rows]),
                  Param("mut", "float", "y", shape=["k * %d" % (b * rows)], **R.choice([{}, {"tile": [b * rows]}]))], body,
                  ["k >= 1 && k <= %d" % R.choice([100, 1000000])])


def raster(R, name):
    """One grid dimension for the tiles of two."""
    b = R.choice([2, 4])
    order = R.choice([("blockIdx.x / tx", "blockIdx.x % tx"), ("blockIdx.x % ty", "blockIdx.x / ty")])
    body = ("int bi = %s; int bj = %s; int r = bi * %d + threadIdx.y; int c = bj * %d + threadIdx.x; " % (order[0], order[1], b, b)
            + guarded(R, "r < h && c < m", "y[r * m + c] = x[%s];" % R.choice(["r * m + c", "c", "r"])))
    xs = "h * m" if "x[r * m" in body else "m" if "x[c]" in body else "h"
    pre = {"tx": "tc_cdiv(m, %d)" % b, "ty": "tc_cdiv(h, %d)" % b}
    needs = "tx" if "tx" in order[0] + order[1] else "ty"
    words = {"tile": [b, b], "at": list(order)} if R.random() < 0.7 else {}
    return Kernel(name, [b, b], ["tc_cdiv(h, %d) * tc_cdiv(m, %d)" % (b, b)], [("int", "h"), ("int", "m"), ("int", needs)],
                  [Param("shared", "float", "x", shape=[xs]), Param("mut", "float", "y", shape=["h", "m"], **words)], body,
                  ["h >= 1 && m >= 1 && h <= %d && m <= 20000" % R.choice([30, 20000]), "%s == %s" % (needs, pre[needs])])


def chunked(R, name):
    """A stretch of rows for each block, the last one shorter."""
    lo, hi = "blockIdx.x * c", "min(n, (blockIdx.x + 1) * c)"
    loop = R.choice(["for (int i = lo + threadIdx.x; i < hi; i += 4) { y[i] = x[i]; }",
                     "for (int i = hi - 1 - threadIdx.x; i >= lo; i -= 4) { y[i] = x[i]; }",
                     "int i = lo + threadIdx.x; while (i < hi) { y[i] = x[i]; i += blockDim.x; }",
                     "for (int i = threadIdx.x; i < hi - lo; i += 4) { y[i + lo] = x[i + lo]; }",
                     "int i = lo; do { if (i + threadIdx.x < hi) y[i + threadIdx.x] = x[i]; i += 4; } while (i < hi);"])
    body = "int lo = blockIdx.x * c; int hi = min(n, lo + c); " + loop
    words = R.choice([{}, {"rows": [lo, hi]}, {"tile": ["c"]}])
    return Kernel(name, [4], ["tc_cdiv(n, c)"], [("int", "n"), ("int", "c")],
                  [Param("shared", "int", "x", shape=["n"]), Param("mut", "int", "y", shape=["n"], **words)], body,
                  ["n >= 1 && c >= 1", "n <= %d && c <= 100000" % R.choice([1000, 1 << 30])])


def two_counters(R, name):
    body = R.choice([
        "int j = n - 1; for (int i = 0; i < j; i++) { y[i] = x[j]; y[j] = x[i]; j--; }",
        "int j = 0; for (int i = 0; i < n; i++) { if (x[i] > 3) { y[j] = i; j++; } }",
        "int j = n; for (int i = 0; i < n; i++) { if (x[i] & 1) continue; j--; y[j] = i; }",
        "int i = 0; int j = 0; while (i < n && j < n) { if (x[i] <= x[j]) { i++; } else { j++; } if (i < n) y[i] = j; }",
        "unsigned i = 0; for (unsigned s = n; s > 1; s /= 2) { i++; y[s - 1] = i; }",
        "for (int s = 1; s < n; s *= 2) { y[s] = 1; for (int i = 0; i < s; i++) { y[i] += y[s]; } }",
        "int lo = 0; int hi = n; while (lo < hi) { int mid = lo + (hi - lo) / 2; if (x[mid] < 5) { lo = mid + 1; } else { hi = mid; } } if (lo < n) y[lo] = 1;",
        "int p = -1; for (int i = 0; i < n; i++) { if (p >= 0) y[p] = i; if (x[i] == 2) p = i; }",
        "int last = 0; for (int i = 0; i < n; i += 2) { last = i; if (x[i] == 7) break; } y[last] = 1;",
        "int d = 1; for (int i = 0; i >= 0 && i < n; i += d) { y[i] = 1; if (x[i] > 6 && d < 4) d = d + 1; }",
        "int c = 0; for (int i = 0; i < n; i++) { for (int j = i; j < n; j++) { if (x[j] == i) c = j; } y[c] = i; }",
        "unsigned g = 0; for (unsigned i = n; i-- > 0;) { y[i] = g; g = i; }".replace("i-- > 0;)", "i > 0; i--)").replace("y[i]", "y[i - 1]"),
        "int i = 0; while (i < n) { tc_invariant(i >= 0 && i < n); y[i] = 1; i += x[i] > 2 ? 2 : 1; }",
        "int c = 0; for (int i = 0; i < n; i++) { tc_invariant(c <= i && c >= 0); if (x[i] > 1) { y[c] = i; c++; } }",
        "int lo = 0; int hi = n; while (lo < hi) { tc_invariant(lo >= 0 && hi <= n && lo < hi); int mid = (lo + hi) >> 1; y[mid] = 1; if (x[mid] < 5) { lo = mid + 1; } else { hi = mid; } }",
        "int f = found(x, n, 3); if (f >= 0) { y[f] = 1; } int g = found(x + f + 1, n - f - 1, 4); if (g >= 0) y[f + 1 + g] = 2;",
        "for (unsigned char i = 0; i < 200; i++) { if (i < n) y[i] = x[i]; }",
        "for (short i = 0; i < n; i++) { y[i] = 1; if (i == 32000) break; }"])
    if R.random() < 0.5:
        body = "if (threadIdx.x == 0) { %s }" % body
    return Kernel(name, [R.choice([1, 2])], [1], [(R.choice(["int", "int", "short", "unsigned short"]), "n")],
                  [Param("shared", "int", "x", shape=["n"], **({"range": ["0", "9"]} if R.random() < 0.4 else {})),
                   Param("mut", "int", "y", shape=["n"])], body, ["n >= 1"] + small(R, "n"))


def looked_up(R, name):
    """Through local arrays and structs."""
    body = R.choice([
        "int tab[8]; for (int z = 0; z < 8; z++) { tab[z] = z * 3; } int v = tab[n & 7]; y[v] = 1;",
        "int tab[4]; for (int z = 0; z < 4; z++) { tab[z] = x[z]; } for (int z = 0; z < 4; z++) { y[tab[z]] = z; }",
        "int cnt[8]; for (int z = 0; z < 8; z++) { cnt[z] = 0; } for (int z = 0; z < 8; z++) { cnt[x[z] & 7]++; } y[cnt[n & 7]] = 1;",
        "pair p; p.a = n & 15; p.b = p.a + 2; p.c = p.b + 4; y[p.c] = 1; if (p.a > 3) { p.b = 21; } y[p.b] = 2;",
        "int st[8]; int top = 0; for (int z = 0; z < 12; z++) { if (x[z & 7] > 2 && top < 8) { st[top] = z; top++; } else { if (top > 0) { top--; y[st[top]] = 1; } } }",
        "int k = 0; int m = n; while (m > 0 && k < 21) { k++; m >>= 1; } y[k] = 1;",
        "switch (n & 3) { case 0: y[x[0]] = 1; break; case 1: y[x[1] + 1] = 1; case 2: y[3] = 1; break; default: y[21] = 2; }",
        "unsigned u = n; u = u * 2654435769u; y[u >> 28] = 1; y[(u & 7) + (u >> 29)] = 2;",
        "signed char q = n; if (q < 0) q = ~q; y[q % 22] = 1; unsigned short e = n; y[e * 22 >> 16] = 1;",
        "long long w = n; w = w * w; y[w % 22] = 1; y[((unsigned)n ^ 5u) % 22u] = 3; y[(n >> 31) & 7] = 2;",
        "int f = found(x, 8, n); if (f >= 0) { y[f] = 1; } y[f + 1] = 2; int tab[4]; for (int z = 0; z < 4; z++) { tab[z] = z; } y[found(tab, 4, n & 3) * 7] = 1;",
        "int r = n % 22; if (r < 0) r += 22; y[r] = 1; y[21 - r] = 2; y[clamped(n, 22)] = 1; y[halves(n, 3)] = 1;"])
    return Kernel(name, [R.choice([1, 4])], [1], [("int", "n")],
                  [Param("shared", "int", "x", shape=[8], range=["0", R.choice(["8", "21"])]), Param("mut", "int", "y", shape=[22])], body, [])


def walking(R, name):
    """Pointers that move."""
    b = R.choice([2, 4])
    body = R.choice([
        "const float *p = x + (blockIdx.x * m + threadIdx.x); float *q = y + (blockIdx.x * m + threadIdx.x); for (int j = threadIdx.x; j < m; j += %(b)d) { *q = *p; p += %(b)d; q += %(b)d; }",
        "for (int j = threadIdx.x; j < m; j += %(b)d) { put(y + blockIdx.x * m, j, x[blockIdx.x * m + j]); }",
        "float *q = y + blockIdx.x * m; q += m; for (int j = m; j > 0; j--) { q = q - 1; if (j %% %(b)d == threadIdx.x) { *q = 1.0f; } }",
        "const float *p = x; p = p + (long long)blockIdx.x * m; float *q = y + (long long)blockIdx.x * m; int left = m - threadIdx.x; while (left > 0) { q[threadIdx.x] = p[threadIdx.x]; p += %(b)d; q += %(b)d; left -= %(b)d; }",
        "float *q = blockIdx.x + 1 < h ? y + (blockIdx.x + 1) * m : y + h * m; q = q - m; for (int j = threadIdx.x; j < m; j += %(b)d) { q[j] = x[j]; }"]) % {"b": b}
    return Kernel(name, [b], ["h"], [("int", "h"), ("int", "m")],
                  [Param("shared", "float", "x", shape=["h", "m"]),
                   Param("mut", "float", "y", shape=["h", "m"], **R.choice([{}, {"rows": ["blockIdx.x", "blockIdx.x + 1"]}]))],
                  body, ["h >= 1 && m >= 1 && h <= %d && m <= 40000" % R.choice([60, 40000])])


def indirect_rows(R, name):
    """Rows that an index array names."""
    return Kernel(name, [4], ["k"], [("int", "k"), ("int", "h"), (R.choice(["int", "unsigned", "long long"]), "m")],
                  [Param("shared", R.choice(["int", "unsigned", "long long"]), "x", shape=["k"], range=["0", "h"],
                         **({"injective": True} if R.random() < 0.8 else {})),
                   Param("shared", "float", "a", shape=["h", "m"]), Param("mut", "float", "y", shape=["h", "m"])],
                  R.choice(["int r = x[blockIdx.x]; for (int j = threadIdx.x; j < m; j += 4) { y[(long long)r * m + j] = a[r * m + j]; }",
                            "int r = x[k - 1 - blockIdx.x]; for (int j = threadIdx.x; j < m; j += 4) { y[r * m + j] = a[blockIdx.x % h * m + j]; }"]),
                  ["k >= 1 && h >= 1 && m >= 1 && m <= 1000 && h <= 100000"])


def blocks_of_tiles(R, name):
    """Several tiles a block, in one of a few orders."""
    b, g = R.choice([(2, 2), (4, 2), (2, 3)])
    form = R.choice([("blockIdx.x * %d + u" % g, "q / %d" % g), ("blockIdx.x + u * gridDim.x", "q % gridDim.x"),
                     ("(gridDim.x - 1 - blockIdx.x) * %d + u" % g, "gridDim.x - 1 - q / %d" % g)])
    body = ("for (int u = 0; u < %d; u++) { int i = (%s) * %d + threadIdx.x; " % (g, form[0], b)
            + R.choice(["if (i < n) y[i] = x[i]; }", "if (i >= n) continue; y[i] = x[i]; }"]))
    return Kernel(name, [b], ["tc_cdiv(n, %d)" % (b * g)], [("int", "n")],
                  [Param("shared", "int", "x", shape=["n"]),
                   Param("mut", "int", "y", shape=["n"], **({"tile": [b], "owner": (["q"], form[1])} if R.random() < 0.7 else {}))],
                  body, ["n >= 1"] + small(R, "n"))


ALL = [swizzled, raster, chunked, two_counters, two_counters, looked_up, looked_up, walking, indirect_rows, blocks_of_tiles]
