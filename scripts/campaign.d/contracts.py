"""Kernels whose contract says more: facts for all elements, null pointers, strides, shapes of three dimensions, owners that are computed;
kernels for blocks of any size, with several barriers, and with elements of mixed widths."""
from kernel import Kernel, Param
from skeletons import guard, guarded, index_type, size_type, small

WIDTHS = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long long", "unsigned long long"]


def pieces(R, name):
    """A block reads a piece of x that two arrays name; a fact for all pieces keeps it inside."""
    fact = R.choice(["p[i] + q[i] <= n", "q[i] <= n - p[i]", "p[i] + q[i] < n + 1"])
    loop = R.choice(["for (int j = threadIdx.x; j < q[b]; j += 2) { a = a + x[p[b] + j]; }",
                     "int j = p[b] + threadIdx.x; while (j < p[b] + q[b]) { a = a + x[j]; j += 2; }",
                     "for (int j = q[b] - 1; j >= 0; j--) { a = a + x[p[b] + j]; }",
                     "int e = p[b] + q[b]; if (q[b] > 0) { a = a + x[e - 1]; }",
                     "const float *w = x + p[b]; for (int j = 0; j < q[b]; j++) { a = a + w[j]; }"])
    k = Kernel(name, [2], ["k"], [("int", "n"), ("int", "k")],
               [Param("shared", "int", "p", shape=["k"], range=["0", "n + 1"]), Param("shared", R.choice(["int", "int", "unsigned", "short"]), "q", shape=["k"], range=["0", "n + 1"]),
                Param("shared", "float", "x", shape=["n"]), Param("mut", "float", "y", shape=["k"], **R.choice([{}, {"tile": [1]}]))],
               "int b = blockIdx.x; float a = 0.0f; " + loop + " if (threadIdx.x == 0) { y[b] = a; }",
               ["k >= 1", "n >= 0 && n <= %d" % R.choice([50, 30000, 1 << 29])])
    k.facts(["i"], fact)
    return k


def paged(R, name):
    """Tables of pages, used up to a length."""
    page = R.choice([2, 4])
    k = Kernel(name, [page], ["k"], [("int", "n"), ("int", "k"), ("int", "m")],
               [Param("shared", "int", "p", shape=["k"], range=["0", "m * %d + 1" % page]),
                Param("shared", "int", "q", shape=["k", "m"], range=["0", "n"]),
                Param("shared", "float", "x", shape=["n", str(page)]), Param("mut", "float", "y", shape=["k", "m * %d" % page])],
               "int s = blockIdx.x; for (int t = 0; t < m; t++) { int i = t * %d + threadIdx.x; " % page
               + R.choice(["if (i < p[s]) { y[s * m * %d + i] = x[q[s * m + t] * %d + threadIdx.x]; }",
                           "if (i >= p[s]) break; int at = q[s * m + i / %d] * %d + threadIdx.x; y[s * (m * " + str(page) + ") + i] = x[at];"]) % (page, page) + " }",
               ["k >= 1 && m >= 1 && n >= 1", "k <= 1000 && m <= 1000 && n <= %d" % R.choice([40, 100000])])
    if R.random() < 0.3:
        k.facts(["i"], "p[i] <= m * %d" % page)
    return k


def biased(R, name):
    """A pointer that may be null."""
    b = R.choice([2, 4, 8])
    test = R.choice(["if (q) { a = a + q[i]; }", "a = a + (q ? q[i] : 0.0f);", "if (!q) { a = a * 2.0f; } else { a = a + q[i]; }"])
    body = "int i = blockIdx.x * %d + threadIdx.x; " % b + guarded(R, guard(R, "i", "n"), "float a = x[i]; %s y[i] = a;" % test)
    if R.random() < 0.3:
        body = "int i = blockIdx.x * %d + threadIdx.x; if (i >= n) return; y[i] = x[i]; if (z) z[i] = y[i];" % b
        extra = Param("mut", "float", "z", shape=["n"], optional=True, **R.choice([{}, {"tile": [b]}]))
    else:
        extra = Param("shared", "float", "q", shape=["n"], optional=True)
    return Kernel(name, [b], ["tc_cdiv(n, %d)" % b], [(size_type(R), "n")],
                  [Param("shared", "float", "x", shape=["n"]), extra, Param("mut", "float", "y", shape=["n"], **R.choice([{}, {"tile": [b]}]))],
                  body, ["n >= 1"] + small(R, "n"))


def strided(R, name):
    """Strides of every dimension: rows apart, columns first, planes."""
    form = R.choice(["rows", "columns", "planes", "both"])
    t = index_type(R)
    if form == "planes":
        body = ("%s c = blockIdx.x * 2 + threadIdx.x; %s r = blockIdx.y; %s p = blockIdx.z; " % (t, t, t)
                + guarded(R, "c < m", "y[p * sp + r * sr + c] = x[c];"))
        return Kernel(name, [2], ["tc_cdiv(m, 2)", "h", "k"], [("int", "k"), ("int", "h"), ("int", "m"), ("int", "sp"), ("int", "sr")],
                      [Param("shared", "float", "x", shape=["m"]),
                       Param("mut", "float", "y", shape=["k", "h", "m"], stride=["sp", "sr", "1"], **R.choice([{}, {"tile": [1, 1, 2]}]))], body,
                      ["k >= 1 && h >= 1 && m >= 1", "sr >= m && sp >= h * sr", "k <= 100 && h <= %d && m <= 1000 && sr <= 2000 && sp <= 2000000" % R.choice([100, 1000])])
    at, stride, needs = {"rows": ("r * ld + c", ["ld", "1"], "ld >= m"), "columns": ("c * ld + r", ["1", "ld"], "ld >= h"),
                         "both": ("r * ld + c * 2", ["ld", "2"], "ld >= 2 * m")}[form]
    body = ("%s c = blockIdx.x * 4 + threadIdx.x; %s r = blockIdx.y * 2 + threadIdx.y; " % (t, t)
            + guarded(R, "r < h && c < m", "y[%s] = x[%s];" % (at, R.choice(["r", "c", "c * h + r"]))))
    xs = "h * m" if "x[c * h" in body else "m" if "x[c]" in body else "h"
    return Kernel(name, [4, 2], ["tc_cdiv(m, 4)", "tc_cdiv(h, 2)"], [("int", "h"), ("int", "m"), ("int", "ld")],
                  [Param("shared", "float", "x", shape=[xs]),
                   Param("mut", "float", "y", shape=["h", "m"], stride=stride, **R.choice([{}, {"tile": [2, 4]}]))], body,
                  ["h >= 1 && m >= 1", needs, "h <= %d && m <= %d && ld <= 46340" % (R.choice([40, 1000, 30000]), R.choice([50, 1000, 20000]))])


def volumes(R, name):
    """Tiles of three dimensions, or a plane for each block."""
    bx, by = R.choice([(4, 2), (2, 2), (8, 1)])
    tiled = R.choice([{}, {"tile": [1, by, bx]}, {"rows": ["blockIdx.z", "blockIdx.z + 1"]}])
    body = ("int c = blockIdx.x * %d + threadIdx.x; int r = blockIdx.y * %d + threadIdx.y; int p = blockIdx.z; " % (bx, by)
            + guarded(R, "r < h && c < m", "y[(p * h + r) * m + c] = x[%s];" % R.choice(["p", "(r + h * p) * m + c"])))
    grid = ["tc_cdiv(m, %d)" % bx, "tc_cdiv(h, %d)" % by, "k"]
    if "rows" in tiled:
        body = ("int p = blockIdx.z; for (int r = threadIdx.y; r < h; r += %d) { for (int c = threadIdx.x; c < m; c += %d) { y[(p * h + r) * m + c] = x[p]; } }" % (by, bx))
        grid = [1, 1, "k"]
    return Kernel(name, [bx, by], grid, [("int", "k"), ("int", "h"), ("int", "m")],
                  [Param("shared", "float", "x", shape=["k" if "x[p]" in body else "k * h * m"]), Param("mut", "float", "y", shape=["k", "h", "m"], **tiled)], body,
                  ["k >= 1 && h >= 1 && m >= 1", "k <= %d && h <= %d && m <= %d" % (R.choice([9, 1000]), R.choice([9, 1000]), R.choice([9, 1000]))])


def grouped(R, name):
    """Tiles in groups of rows; the owner is computed."""
    g = R.choice([2, 3])
    body = ("int tm = (h + 1) / 2; int tn = (m + 3) / 4; for (int t = blockIdx.x; t < tm * tn; t += gridDim.x) { int bi = %s; int bj = %s; "
            "int r = bi * 2 + threadIdx.y; int c = bj * 4 + threadIdx.x; if (r < h && c < m) { y[r * m + c] = x[r]; } }")
    row_major = R.random() < 0.6
    body = body % (("t / tn", "t % tn") if row_major else ("t % tm", "t / tm"))
    number = "i * tc_cdiv(m, 4) + j" if row_major else "j * tc_cdiv(h, 2) + i"
    words = {"tile": [2, 4], "owner": (["i", "j"], "(%s) %% gridDim.x" % number)} if R.random() < 0.8 else {}
    return Kernel(name, [4, 2], None, [("int", "h"), ("int", "m")],
                  [Param("shared", "float", "x", shape=["h"]), Param("mut", "float", "y", shape=["h", "m"], **words)], body,
                  ["h >= 1 && m >= 1 && h <= %d && m <= %d" % (R.choice([30, 2000]), R.choice([30, 2000])), "gridDim.x <= %d" % R.choice([g, 100])])


def widened(R, name):
    """Elements of one width, an index of another, a size of a third."""
    a, b = R.choice(WIDTHS), R.choice(WIDTHS)
    t = R.choice(["int", "unsigned", "long long", "short", "unsigned short", "unsigned char", "unsigned long long"])
    block = R.choice([2, 4])
    body = R.choice(["%s i = blockIdx.x * %d + threadIdx.x; " % (t, block) + guarded(R, guard(R, "i", "n"), "y[i] = x[i];"),
                     "for (%s i = blockIdx.x * %d + threadIdx.x; i < n; i += %d * gridDim.x) { y[i] = x[i] + 1; }" % (t, block, block),
                     "%s i = blockIdx.x * %d; i += threadIdx.x; if (i < n) { y[n - 1 - i] = x[i]; }" % (t, block),
                     "%s i = blockIdx.x * %d + threadIdx.x; if (i < n) { if (x[i] >= 0 && x[i] < 8) { y[i] = c[x[i]]; } }" % (t, block)])
    params = [Param("shared", a, "x", shape=["n"]), Param("mut", b, "y", shape=["n"])]
    if "c[" in body:
        params.append(Param("shared", "short", "c", shape=[8]))
    return Kernel(name, [block], None if "gridDim" in body else ["tc_cdiv(n, %d)" % block], [(size_type(R), "n")], params, body,
                  ["n >= 1"] + small(R, "n") + (["gridDim.x <= 1000"] if "gridDim" in body else []))


def any_block(R, name):
    """For blocks of any size."""
    dims = R.choice([1, 2])
    if dims == 1:
        body = R.choice(["int i = blockIdx.x * blockDim.x + threadIdx.x; " + guarded(R, guard(R, "i", "n"), "y[i] = x[i];"),
                         "for (int i = threadIdx.x; i < n; i += blockDim.x) { if (blockIdx.x == 0) y[i] = x[i]; }",
                         "int i = blockIdx.x * blockDim.x; int e = min(n, i + (int)blockDim.x); for (int j = i + threadIdx.x; j < e; j += blockDim.x) { y[j] = x[j]; }"])
        return Kernel(name, None, ["tc_cdiv(n, blockDim.x)"], [("int", "n")],
                      [Param("shared", "int", "x", shape=["n"]), Param("mut", "int", "y", shape=["n"], **R.choice([{}, {"tile": ["blockDim.x"]}]))], body,
                      ["n >= 1 && n <= %d" % R.choice([100, 1 << 20]), "blockDim.y == 1 && blockDim.z == 1"])
    body = ("int c = blockIdx.x * blockDim.x + threadIdx.x; int r = blockIdx.y * blockDim.y + threadIdx.y; "
            + guarded(R, "r < h && c < m", "y[r * m + c] = x[r];"))
    return Kernel(name, None, ["tc_cdiv(m, blockDim.x)", "tc_cdiv(h, blockDim.y)"], [("int", "h"), ("int", "m")],
                  [Param("shared", "float", "x", shape=["h"]),
                   Param("mut", "float", "y", shape=["h", "m"], **R.choice([{}, {"tile": ["blockDim.y", "blockDim.x"]}]))], body,
                  ["h >= 1 && m >= 1 && h <= %d && m <= %d" % (R.choice([30, 1000]), R.choice([30, 1000])), "blockDim.z == 1"])


def exchanged(R, name):
    """Shared memory that is written, read, written again, with barriers between; indices come from it too."""
    b = R.choice([4, 8])
    body = ("__shared__ int s[%d]; __shared__ int f[%d]; int t = threadIdx.x; s[t] = t < n ? x[t] : 0; f[t] = 0; __syncthreads(); " % (b, b)
            + R.choice(["for (int d = 1; d < %d; d *= 2) { int v = 0; if (t >= d) v = s[t - d]; __syncthreads(); s[t] = s[t] + v; __syncthreads(); } " % b,
                        "for (int d = %d; d > 0; d >>= 1) { if (t < d) { s[t] += s[t + d]; } __syncthreads(); } " % (b // 2),
                        "f[(t + 1) %% %d] = s[t]; __syncthreads(); s[t] = f[t] + f[%d - t]; __syncthreads(); " % (b, b - 1)])
            + R.choice(["if (t < n) y[t] = s[%d - t];" % (b - 1), "y[min(t, n - 1)] = s[t];", "int v = s[t] & 7; if (v < n) y[v] = t;",
                        "int v = s[t]; if (v >= 0 && v < n) y[v] = f[t];", "if (t == 0) { for (int j = 0; j < %d; j++) { if (j < n) y[j] = s[j]; } }" % b]))
    return Kernel(name, [b], [1], [("int", "n")], [Param("shared", "int", "x", shape=["n"]), Param("mut", "int", "y", shape=["n"])], body,
                  ["n >= 1"] + small(R, "n"))


def nested(R, name):
    """Loops in loops: while, do, counting down, with breaks."""
    body = R.choice([
        "for (int i = 0; i < h; i++) { int j = i; while (j < m) { y[i * m + j] = 1; j++; if (j == k) break; } }",
        "int i = h; do { i--; for (int j = m; j-- > 0;) { y[i * m + j] = i; } } while (i > 0);".replace("j-- > 0;)", "j > 0; j--)").replace("+ j]", "+ j - 1]"),
        "for (int i = h - 1; i >= 0; i--) { for (int j = 0; j <= i && j < m; j++) { y[i * m + j] = j; } }",
        "float *p = y; for (int i = 0; i < h; i++) { for (int j = 0; j < m; j++) { *p = 1.0f; p += 1; } }",
        "float *p = y + h * m; for (int i = 0; i < h; i++) { p -= m; for (int j = 0; j < m; j++) { p[j] = 1.0f; } }",
        "int q = 0; for (int i = 0; i < h; i++) { for (int j = 0; j < m; j++) { y[q] = 1; q++; } }",
        "for (int i = 0; i < h; i += 2) { for (int j = 0; j < m; j++) { y[i * m + j] = 1; if (i + 1 < h) { y[(i + 1) * m + j] = 2; } } }",
        "int i = 0; while (i < h) { int j = 0; do { y[i * m + j] = 1; j += 2; } while (j < m); i++; }",
        "for (int b = 0; b < h; b += 4) { int e = min(b + 4, h); for (int i = b; i < e; i++) { for (int j = 0; j < m; j++) { if (j == k) continue; y[i * m + j] = b; } } }",
        "for (int i = 0; i * i < h; i++) { for (int j = i; j < m; j += i + 1) { y[i * m + j] = 1; } }"])
    return Kernel(name, [1], [1], [("int", "h"), ("int", "m"), (R.choice(["int", "short", "unsigned"]), "k")],
                  [Param("mut", "float", "y", shape=["h", "m"])], body,
                  ["h >= 1 && m >= 1 && h <= %d && m <= %d" % (R.choice([20, 1000, 40000]), R.choice([20, 1000, 40000]))])


ALL = [pieces, paged, biased, strided, strided, volumes, grouped, widened, widened, any_block, exchanged, nested, nested]
