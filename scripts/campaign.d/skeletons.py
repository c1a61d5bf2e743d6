"""Kernels that are correct, or nearly: the ground from which mutations start. Each function draws its sizes and forms from R."""
from kernel import Kernel, Param


def guard(R, i, n):
    """Conditions that say i < n for i >= 0."""
    return R.choice(["%(i)s < %(n)s", "%(i)s < %(n)s", "%(i)s <= %(n)s - 1", "!(%(i)s >= %(n)s)", "%(n)s > %(i)s", "%(n)s - %(i)s > 0",
                     "(unsigned)%(i)s < (unsigned)%(n)s", "%(i)s >= 0 && %(i)s < %(n)s", "%(i)s + 1 <= %(n)s",
                     "!(%(i)s < 0 || %(i)s >= %(n)s)"]) % {"i": i, "n": n}


def guarded(R, cond, body):
    if R.random() < 0.3:
        return "if (!(%s)) return; %s" % (cond, body)
    return "if (%s) { %s }" % (cond, body)


def small(R, n):
    return ["%s <= %d" % (n, R.choice([100, 1000, 4096, 1 << 15, 1 << 20, 1 << 30]))] if R.random() < 0.6 else []


def size_type(R):
    return R.choice(["int", "int", "int", "unsigned", "long long", "short", "unsigned short", "unsigned long long"])


def index_type(R):
    return R.choice(["int", "int", "int", "unsigned", "long long", "unsigned long long"])


def elementwise(R, name):
    b = R.choice([1, 2, 4, 8, 8, 16, 32])
    w = R.choice([1, 1, 1, 2, 3, 4])
    t, s = index_type(R), size_type(R)
    body = "%s i = blockIdx.x * %s + threadIdx.x%s;" % (t, R.choice(["blockDim.x", str(b)]) + (" * %d" % w if w > 1 else ""),
                                                       " * %d" % w if w > 1 else "")
    one = "y[i + u] = x[i + u];" if w > 1 else "y[i] = x[i] + %s;" % R.choice(["1", "y[i]", "i"])
    if w > 1:
        body += "for (int u = 0; u < %d; u++) { %s }" % (w, guarded(R, guard(R, "i + u", "n"), one).replace("return", "break"))
    else:
        body += guarded(R, guard(R, "i", "n"), one)
    words = {"shape": ["n"]}
    if R.random() < 0.6:
        words["tile"] = [b * w]
    if R.random() < 0.3 and "y[i]" not in body.replace("y[i] =", ""):
        words["inplace"] = "x"
    if w == 1 and "tile" not in words and "blockDim.x" in body and R.random() < 0.2:  # for blocks of any size
        return Kernel(name, None, ["tc_cdiv(n, blockDim.x)"], [(s, "n")],
                      [Param("shared", "int", "x", shape=["n"]), Param("mut", "int", "y", **words)], body,
                      ["n >= 1 && n <= 100000", "blockDim.x <= 64 && blockDim.y == 1 && blockDim.z == 1"])
    return Kernel(name, [b], ["tc_cdiv(n, %d)" % (b * w)], [(s, "n")],
                  [Param("shared", "int", "x", shape=["n"]), Param("mut", "int", "y", **words)], body,
                  small(R, "n") + (["n >= 1"] if s.startswith("unsigned") or R.random() < 0.3 else []))


def grid_stride(R, name):
    b = R.choice([2, 4, 8, 32])
    t = index_type(R)
    step = R.choice(["blockDim.x * gridDim.x", "%d * gridDim.x" % b])
    body = "for (%s i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += %s) { y[i] = x[i]; }" % (t, step)
    if R.random() < 0.4:
        body = "%s i = blockIdx.x * blockDim.x + threadIdx.x; while (i < n) { y[i] = x[i]; i += %s; }" % (t, step)
    words = {"shape": ["n"]}
    if R.random() < 0.7:
        words.update(tile=[b], owner=(["q"], "q % gridDim.x"))
    return Kernel(name, [b], None, [(R.choice(["int", "unsigned", "long long"]), "n")],
                  [Param("shared", "float", "x", shape=["n"]), Param("mut", "float", "y", **words)], body,
                  ["n <= %d" % (1 << R.choice([10, 20, 30])), "gridDim.x <= %d" % R.choice([7, 1024, 65536])])


def tiles_2d(R, name):
    bx, by = R.choice([(4, 4), (8, 2), (2, 3), (8, 4), (1, 4)])
    ld = R.random() < 0.4
    t = index_type(R)
    col, row = "blockIdx.x * %d + threadIdx.x" % bx, "blockIdx.y * %d + threadIdx.y" % by
    at = "r * %s + c" % ("ld" if ld else "m")
    if R.random() < 0.3:
        at = "(long long)r * %s + c" % ("ld" if ld else "m")
    words = {"shape": ["h", "m"]}
    if ld:
        words["stride"] = ["ld", "1"]
    swap = R.random() < 0.3
    if R.random() < 0.7:
        words["tile"] = [by, bx]
        if swap:
            words["at"] = ["blockIdx.x", "blockIdx.y"]
    grid = ["tc_cdiv(m, %d)" % bx, "tc_cdiv(h, %d)" % by]
    if swap:
        col, row = col.replace("Idx.x *", "Idx.y *"), row.replace("Idx.y *", "Idx.x *")
        grid.reverse()
    body = "%s c = %s; %s r = %s; " % (t, col, t, row)
    body += guarded(R, R.choice(["%s && %s", "%s && %s", "!(!(%s) || !(%s))"]) % (guard(R, "r", "h"), guard(R, "c", "m")),
                    "y[%s] = x[%s];" % (at, R.choice(["c", "r * m + c", "c * h + r"])))
    xs = "m" if "x[c]" in body else "h * m"
    return Kernel(name, [bx, by], grid, [("int", "h"), ("int", "m")] + ([("int", "ld")] if ld else []),
                  [Param("shared", "float", "x", shape=[xs]), Param("mut", "float", "y", **words)], body,
                  ["h >= 1 && m >= 1", "h <= %d && m <= %d" % (R.choice([50, 1000, 30000]), R.choice([64, 3000, 40000]))]
                  + (["ld >= m && ld <= 46340"] if ld else []))


def row_blocks(R, name):
    b = R.choice([4, 8, 32])
    body = "for (int j = threadIdx.x; j < m; j += %s) { y[%s + j] = x[%s + j]; }" % (
        R.choice([str(b), "blockDim.x"]), R.choice(["blockIdx.x * m", "(long long)blockIdx.x * m"]), "blockIdx.x * m")
    if R.random() < 0.5:
        body = "const float *px = x + blockIdx.x * m; float *py = y + blockIdx.x * m; for (int j = threadIdx.x; j < m; j += %d) { py[j] = px[j]; }" % b
    if R.random() < 0.3:
        body = ("const float *px = x + (blockIdx.x * m + threadIdx.x); float *py = y + (blockIdx.x * m + threadIdx.x); "
                "for (int j = m - threadIdx.x; j > 0; j -= %d) { *py = *px; px += %d; py += %d; }" % (b, b, b))
    words = {"shape": ["h", "m"]}
    words.update(R.choice([{}, {"tile": ["1", "m"], "at": ["blockIdx.x", "0"]}, {"rows": ["blockIdx.x", "blockIdx.x + 1"]}]))
    return Kernel(name, [b], ["h"], [("int", "h"), ("int", "m")],
                  [Param("shared", "float", "x", shape=["h", "m"]), Param("mut", "float", "y", **words)], body,
                  ["h >= 1 && m >= 1", "h <= %d && m <= %d" % (R.choice([7, 1000, 40000]), R.choice([33, 1000, 40000]))])


def segments(R, name):
    b = R.choice([2, 4, 8])
    loop = R.choice(["for (int i = off[s] + threadIdx.x; i < off[s + 1]; i += %d) { y[i] = %s; }" % (b, R.choice(["1", "y[i] + s"])),
                     "int lo = off[s]; int hi = off[s + 1]; for (int i = threadIdx.x; i < hi - lo; i += %d) { y[lo + i] = 1; }" % b,
                     "int e = off[s + 1]; for (int i = e - 1 - threadIdx.x; i >= off[s]; i -= %d) { y[i] = 2; }" % b])
    words = R.choice([{"rows": ["off[blockIdx.x]", "off[blockIdx.x + 1]"]}, {}])
    return Kernel(name, [b], ["k"], [("int", "n"), ("int", "k")],
                  [Param("shared", "int", "off", shape=["k + 1"], range=["0", "n + 1"], monotone=True),
                   Param("mut", "float", "y", shape=["n"], **words)],
                  "int s = blockIdx.x; " + loop, ["k >= 1", "n >= 0 && n <= %d && k <= 100000" % R.choice([50, 100000, 1 << 30])])


def scatter(R, name):
    b = R.choice([2, 8])
    return Kernel(name, [b], ["tc_cdiv(n, %d)" % b], [(R.choice(["int", "unsigned", "short"]), "n"), ("int", "m")],
                  [Param("shared", R.choice(["int", "unsigned", "unsigned short", "long long"]), "x", shape=["n"],
                         range=[R.choice(["0", "0", "1"]), "m"], **({"injective": True} if R.random() < 0.7 else {})),
                   Param("mut", "float", "y", shape=["m"])],
                  "int i = blockIdx.x * %d + threadIdx.x; " % b + guarded(R, guard(R, "i", "n"), R.choice(
                      ["y[x[i]] = 1;", "int v = x[i]; y[v] = y[v] + 1;", "y[m - 1 - x[i]] = 1;", "if (x[i] < m - 1) y[x[i] + 1] = 1;"])),
                  ["n >= 1", "m >= 2", "m <= %d" % R.choice([300, 60000, 1 << 30])])


def backwards(R, name):
    b = R.choice([4, 8])
    return Kernel(name, [b], ["tc_cdiv(n, %d)" % b], [("int", "n")],
                  [Param("shared", "int", "x", shape=["n"]),
                   Param("mut", "int", "y", shape=["n"], tile=[b], at=["gridDim.x - 1 - blockIdx.x"])],
                  "int i = (gridDim.x - 1 - blockIdx.x) * %d + threadIdx.x; " % b
                  + guarded(R, guard(R, "i", "n"), "y[i] = x[n - 1 - i];"), ["n >= 1"] + small(R, "n"))


def staged(R, name):
    b = R.choice([4, 8])
    pad = R.choice([0, 1])
    rows = R.choice([b, b, b // 2])
    body = ("__shared__ float s[%d][%d]; int c = blockIdx.x * %d + threadIdx.x; int r0 = blockIdx.y * %d; " % (b, b + pad, b, b)
            + "for (int j = threadIdx.y; j < %d; j += %d) { if (c < m && r0 + j < h) s[j][threadIdx.x] = x[(r0 + j) * m + c]; } __syncthreads(); "
            % (b, rows)
            + "int c2 = blockIdx.y * %d + threadIdx.x; int r2 = blockIdx.x * %d; " % (b, b)
            + "for (int j = threadIdx.y; j < %d; j += %d) { if (c2 < h && r2 + j < m) y[(r2 + j) * h + c2] = s[threadIdx.x][j]; }" % (b, rows))
    words = {"shape": ["m", "h"]}
    if R.random() < 0.7:
        words.update(tile=[b, b], at=["blockIdx.x", "blockIdx.y"])
    return Kernel(name, [b, rows], ["tc_cdiv(m, %d)" % b, "tc_cdiv(h, %d)" % b], [("int", "h"), ("int", "m")],
                  [Param("shared", "float", "x", shape=["h", "m"]), Param("mut", "float", "y", **words)], body,
                  ["h >= 1 && m >= 1 && h <= %d && m <= 40000" % R.choice([40, 1000, 40000])])


def reduced(R, name):
    b = R.choice([4, 8, 16, 32])
    loop = R.choice(["for (int d = %d; d > 0; d >>= 1)" % (b // 2), "for (int d = %d; d > 0; d /= 2)" % (b // 2),
                     "for (unsigned d = blockDim.x / 2; d > 0; d >>= 1)"])
    body = ("__shared__ float s[%d]; int i = blockIdx.x * %d + threadIdx.x; s[threadIdx.x] = %s; __syncthreads(); " % (
        b, b, R.choice(["i < n ? x[i] : 0.0f", "x[min(i, n - 1)]"]))
        + loop + " { if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d]; __syncthreads(); } "
        + R.choice(["if (threadIdx.x == 0) y[blockIdx.x] = s[0];", "if (threadIdx.x < 1) { y[blockIdx.x] = s[threadIdx.x]; }"]))
    return Kernel(name, [b], ["tc_cdiv(n, %d)" % b], [("int", "n")],
                  [Param("shared", "float", "x", shape=["n"]),
                   Param("mut", "float", "y", shape=["tc_cdiv(n, %d)" % b], **R.choice([{}, {"tile": [1]}]))], body, ["n >= 1"] + small(R, "n"))


def halo(R, name):
    b = R.choice([4, 8])
    h = R.choice([1, 2])
    body = ("__shared__ int s[%d]; int i = blockIdx.x * %d + threadIdx.x; int l = threadIdx.x + %d; s[l] = i < n ? x[i] : 0; " % (b + 2 * h, b, h)
            + "if (threadIdx.x < %d) { s[l - %d] = i >= %d && i - %d < n ? x[i - %d] : 0; s[l + %d] = i + %d < n ? x[i + %d] : 0; } "
            % (h, h, h, h, h, b, b, b)
            + "__syncthreads(); if (i < n) { int a = 0; for (int d = -%d; d <= %d; d++) { a += s[l + d]; } y[i] = a; }" % (h, h))
    return Kernel(name, [b], ["tc_cdiv(n, %d)" % b], [("int", "n")],
                  [Param("shared", "int", "x", shape=["n"]), Param("mut", "int", "y", shape=["n"], tile=[b])], body, ["n >= 1"] + small(R, "n"))


def counted(R, name):
    bins = R.choice([4, 7, 16, 256])
    at = R.choice(["x[i] %% %d" % bins, "x[i] & %d" % (bins - 1 if bins != 7 else 3), "(unsigned char)x[i] %% %d" % bins,
                   "x[i] >> %d" % R.choice([5, 24, 28, 29])])
    t = R.choice(["unsigned", "unsigned char", "unsigned short", "int"])
    words = {"range": ["0", str(bins)]} if R.random() < 0.4 else {}
    if words:
        at = R.choice(["x[i]", "%d - x[i]" % (bins - 1), "x[i] ^ 1" if bins != 7 else "x[i]"])
    return Kernel(name, [8], None, [("int", "n")],
                  [Param("shared", t, "x", shape=["n"], **words), Param("atomic", "int", "c", shape=[bins])],
                  "for (int i = blockIdx.x * 8 + threadIdx.x; i < n; i += gridDim.x * 8) { atomicAdd(&c[%s], 1); }" % at,
                  ["n <= 1000000 && gridDim.x <= 1000"])


def persistent(R, name):
    b = R.choice([2, 4, 8])
    words = {"shape": ["n"]}
    if R.random() < 0.7:
        words.update(tile=[b], owner=(["q"], "q % gridDim.x"))
    count = R.choice(["(n + %d) / %d" % (b - 1, b), "tc"])
    body = ("int tiles = %s; " % count if count != "tc" else "int tiles = n / %d; if (n %% %d != 0) tiles++; " % (b, b))
    body += "for (int t = blockIdx.x; t < tiles; t += gridDim.x) { int i = t * %d + threadIdx.x; " % b
    body += R.choice(["if (i >= n) continue; y[i] = x[i];", "if (i < n) y[i] = x[i];", "if (i >= n) break; y[i] = x[i];"]) + " }"
    return Kernel(name, [b], None, [("int", "n")],
                  [Param("shared", "int", "x", shape=["n"]), Param("mut", "int", "y", **words)], body,
                  ["n >= 1 && n <= %d && gridDim.x <= 4096" % R.choice([300, 1 << 20, 1 << 29])])


def divided(R, name):
    b = R.choice([4, 8])
    m = R.choice(["m", "m", str(R.choice([3, 4, 7, 8]))])
    t = R.choice(["int", "unsigned", "int"])
    body = "%s i = blockIdx.x * %d + threadIdx.x; " % (t, b)
    inner = R.choice(["%s r = i / %s; %s c = i %% %s;" % (t, m, t, m), "%s r = i / %s; %s c = i - r * %s;" % (t, m, t, m)])
    inner += R.choice([" y[r * %s + c] = x[c * h + r];", " y[i] = x[c * h + r];"]).replace("%s", m)
    body += guarded(R, "i < h * %s" % m, inner)
    return Kernel(name, [b], ["tc_cdiv(h * %s, %d)" % (m, b)], [(t, "h")] + ([(t, "m")] if m == "m" else []),
                  [Param("shared", "float", "x", shape=["h * %s" % m]), Param("mut", "float", "y", shape=["h", m])], body,
                  ["h >= 1 && h <= %d" % R.choice([100, 10000, 40000])] + (["m >= 1 && m <= %d" % R.choice([64, 10000, 50000])] if m == "m" else []))


def boxes(R, name):
    bx, by, bz = R.choice([(4, 2, 1), (2, 2, 2), (4, 1, 2)])
    body = ("int x0 = blockIdx.x * %d + threadIdx.x; int y0 = blockIdx.y * %d + threadIdx.y; int z0 = blockIdx.z * %d + threadIdx.z; " % (bx, by, bz)
            + guarded(R, "x0 < a && y0 < b && z0 < c", "y[(z0 * b + y0) * a + x0] = x[%s];" % R.choice(["z0", "x0 + a * (y0 + b * z0)"])))
    return Kernel(name, [bx, by, bz], ["tc_cdiv(a, %d)" % bx, "tc_cdiv(b, %d)" % by, "tc_cdiv(c, %d)" % bz],
                  [("int", "a"), ("int", "b"), ("int", "c")],
                  [Param("shared", "float", "x", shape=["c" if "x[z0]" in body else "a * b * c"]),
                   Param("mut", "float", "y", shape=["c * b", "a"])], body,
                  ["a >= 1 && b >= 1 && c >= 1", "a <= %d && b <= %d && c <= %d" % (R.choice([9, 500]), R.choice([20, 1000]), R.choice([7, 1000]))])


def tickets(R, name):
    body = R.choice(["int k = atomicAdd(&c[0], 1); if (k >= 0 && k < n) y[k] = 1;",
                     "if (threadIdx.x == 0) { int k = atomicAdd(&c[0], 4); for (int j = 0; j < 4; j++) { if (k >= 0 && k + j < n) y[k + j] = 1; } }",
                     "if (x[threadIdx.x & 3] > 0.0f) { unsigned k = atomicAdd(&c[0], 1); if (k < n) y[k] = 1; }"])
    return Kernel(name, [4], None, [("int", "n")],
                  [Param("shared", "float", "x", shape=[4]), Param("atomic", "int", "c", shape=[1], **({"init": ["0"]} if R.random() < 0.6 else {})),
                   Param("mut", "float", "y", shape=["n"])], body, ["n >= 1 && n <= 1000000", "gridDim.x <= %d" % R.choice([1000, 1 << 20])])


ALL = [elementwise, grid_stride, tiles_2d, row_blocks, segments, scatter, backwards, staged, reduced, halo, counted, persistent, divided,
       boxes, tickets]
