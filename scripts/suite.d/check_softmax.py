"""Checks of tk_softmax.h against PyTorch."""
import math

import torch

import tk

TYPES = [torch.float32, torch.float16, torch.bfloat16]


def name_of(dtype):
    return str(dtype).replace("torch.", "")


def softmax(lib, out, x):
    w, keep = tk.workspace(lib.bytes("softmax", x))
    lib.softmax(out, x, w)
    return keep


def argmax(lib, out, x):
    w, keep = tk.workspace(lib.bytes("argmax", x))
    lib.argmax(out, x, w)
    return keep


def sample(lib, out, x, u, temperature, top_k, top_p):
    w, keep = tk.workspace(lib.bytes("sample", x))
    lib.sample(out, x, u, temperature, top_k, top_p, w)
    return keep


def view_of(base_of, rows, cols, layout):
    """A matrix of this layout within what base_of makes: (base, matrix)."""
    if layout == "dense":
        b = base_of(rows, cols)
        return b, b
    if layout == "slice":
        b = base_of(rows, cols + (-cols) % 8 + 16)
        return b, b[:, 8:8 + cols]
    b = base_of(rows, cols + 5)
    return b, b[:, 1:1 + cols]


# ---- softmax ----

def sizes(dtype):
    w = 16 // dtype.itemsize
    yield from [(1, 1), (1000, 1), (3, 2), (65, 7), (65, 8), (9, 9), (70, 127), (70, 129), (66, 2047), (66, 2049), (65, 9001), (3, 8191), (3, 50257),
                (1, 151936), (2, 151937), (1, 262144), (70, 70001), (64, 262144), (65, 151936)]
    for packs in (1, 8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 256, 257, 512, 513, 1024, 1025, 2048, 2049, 4096, 4097, 8192, 8193, 9000):
        yield (67, packs * w)


def check_softmax(lib, dtype, layout):
    for n, (rows, cols) in enumerate(sizes(dtype)):
        torch.manual_seed(n)
        what = "softmax %s %s %d x %d" % (name_of(dtype), layout, rows, cols)
        _, x = view_of(lambda r, c: (4 * torch.randn(r, c, device="cuda")).to(dtype), rows, cols, layout)
        base, out = view_of(lambda r, c: tk.poison(r, c, dtype=dtype), rows, cols, layout)
        softmax(lib, out, x)
        want = torch.softmax(x.double() if rows * cols < 1 << 22 else x.float(), -1)
        # The exponent's rounding grows with the distance to the largest; below 2^-24 an fp16 has no digits left.
        tk.close(out, want, 64 if dtype == torch.float32 else 1.3, 1e-3 if dtype == torch.float16 else 1e-30, what)
        assert int(base.isnan().sum()) == base.numel() - out.numel(), "%s: a gap between rows was written" % what
        want = out.clone()
        softmax(lib, x, x)
        tk.equal(x, want, what + " in place")


def check_softmax_extremes(lib, dtype):
    for rows, cols in ((8, 3), (8, 100), (8, 4096), (8, 20000), (80, 20000), (80, 70000), (80, 90000)):
        x = torch.zeros(rows, cols, device="cuda")
        big = 6e4 if dtype == torch.float16 else 1e38
        x[0] = -math.inf
        x[1] = -math.inf
        x[1, cols - 1] = 3
        x[2, cols // 2] = math.nan
        x[3, 1] = math.inf
        x[4] = -big
        x[4, 0] = -big * 0.5
        x[5, 2] = big
        x[6, :cols // 2] = -math.inf
        x = x.to(dtype)
        out = tk.poison(rows, cols, dtype=dtype)
        softmax(lib, out, x)
        tk.close(out, torch.softmax(x.double(), -1), 64 if dtype == torch.float32 else 1.3, 1e-3 if dtype == torch.float16 else 1e-30,
                 "softmax of extremes, %s, %d x %d" % (name_of(dtype), rows, cols))


def check_softmax_huge(lib):
    """More than 2^31 elements."""
    rows, cols = (1 << 19) + 3, 4096 + 8
    x = torch.empty(rows, cols, dtype=torch.bfloat16, device="cuda")
    x.normal_()
    ends = [slice(0, 3), slice(rows // 2, rows // 2 + 3), slice(rows - 3, rows)]
    wants = [torch.softmax(x[e].double(), -1) for e in ends]
    softmax(lib, x, x)
    for e, want in zip(ends, wants):
        tk.close(x[e], want, 1.3, 1e-30, "2^31 elements")


# ---- argmax ----

def check_argmax(lib, dtype, layout):
    for n, (rows, cols) in enumerate(list(sizes(dtype)) + [(600, 33), (600, 4096), (5000, 17)]):
        torch.manual_seed(n)
        what = "argmax %s %s %d x %d" % (name_of(dtype), layout, rows, cols)
        for kind in ("random", "ties", "equal"):
            def base(r, c):
                if kind == "random":
                    return torch.randn(r, c, device="cuda").to(dtype)
                if kind == "ties":
                    return torch.randint(-2, 3, (r, c), device="cuda").to(dtype)
                return torch.full((r, c), -math.inf, device="cuda", dtype=dtype)
            _, x = view_of(base, rows, cols, layout)
            out = tk.poison(rows, dtype=torch.int32)
            argmax(lib, out, x)
            first = torch.where(x == x.amax(-1, keepdim=True), torch.arange(cols, device="cuda"), cols).amin(-1)
            tk.equal(out, first.int(), what + " " + kind)


def check_argmax_odd_values(lib, dtype):
    for rows, cols in ((6, 8), (6, 1001), (6, 40000), (700, 512)):
        x = torch.zeros(rows, cols, device="cuda")
        x[0, cols - 3] = math.nan
        x[0, cols - 1] = math.nan
        x[1, cols // 2] = math.inf
        x[2, cols // 3] = math.inf
        x[2, cols - 1] = math.nan
        x[3] = -0.0
        x[3, 5] = 0.0
        x[4] = -math.inf
        x[4, 6] = torch.finfo(dtype).min
        x[5] = math.nan
        x = x.to(dtype)
        out = tk.poison(rows, dtype=torch.int32)
        argmax(lib, out, x)
        want = [cols - 3, cols // 2, cols - 1, 0, 6, 0]
        assert out[:6].tolist() == want, "%s, %d columns: %s, not %s" % (name_of(dtype), cols, out[:6].tolist(), want)


# ---- sampling ----

def kept(x, temperature, top_k, top_p):
    """Probabilities of what is kept, in double, 0 for the rest; and whether top_p cuts so near a border that it may go either way."""
    p = torch.softmax(x.double().nan_to_num(nan=-math.inf, posinf=math.inf, neginf=-math.inf) / temperature, -1)
    order = torch.sort(x.float().nan_to_num(nan=-math.inf, posinf=math.inf, neginf=-math.inf), descending=True, stable=True).indices
    sorted = p.gather(-1, order)
    if 0 < top_k < x.shape[-1]:
        sorted[:, top_k:] = 0
    sorted = sorted / sorted.sum(-1, keepdim=True)
    near = torch.zeros(x.shape[0], dtype=torch.bool, device="cuda")
    if top_p < 1:
        before = sorted.cumsum(-1) - sorted
        top_p = float(torch.tensor(top_p, dtype=torch.float32))
        near = ((before - top_p).abs() < 1e-5).logical_and(sorted > 0).any(-1)
        sorted = torch.where(before < top_p, sorted, 0.0)
    result = torch.zeros_like(p).scatter_(-1, order, sorted)
    return result / result.sum(-1, keepdim=True), near


def check_draws(out, x, u, temperature, top_k, top_p, what):
    p, near = kept(x, temperature, top_k, top_p)
    after = p.cumsum(-1)
    at = out.long().unsqueeze(-1)
    assert bool((out >= 0).logical_and(out < x.shape[-1]).all()), "%s: an index out of range" % what
    mine, upto = p.gather(-1, at).squeeze(-1), after.gather(-1, at).squeeze(-1)
    fine = (u.double() >= upto - mine - 2e-5).logical_and(u.double() <= upto + 2e-5).logical_and(mine > 0).logical_or(near)
    assert bool(fine.all()), "%s: row %d drew %d" % (what, int((~fine).nonzero()[0]), int(out[(~fine).nonzero()[0]]))
    assert float(near.float().mean()) < 0.5, "%s: too many rows near a border" % what


def check_sample(lib, dtype, layout):
    settings = [(1.0, 0, 1.0), (0.6, 20, 0.95), (1.0, 1, 1.0), (1.3, 50, 1.0), (0.7, 0, 0.9), (1.0, 1000, 0.5), (2.0, 3, 0.3)]
    shapes = [(1, 1), (5, 2), (33, 100), (9, 1025), (3, 32000), (1, 151936), (2, 151937), (1, 262144), (64, 50257), (700, 3000)]
    for n, (rows, cols) in enumerate(shapes):
        torch.manual_seed(n)
        _, x = view_of(lambda r, c: (3 * torch.randn(r, c, device="cuda")).to(dtype), rows, cols, layout)
        u = torch.rand(rows, device="cuda")
        for temperature, top_k, top_p in settings:
            what = "sample %s %s %d x %d, temperature %g, top_k %d, top_p %g" % (name_of(dtype), layout, rows, cols, temperature, top_k, top_p)
            out = tk.poison(rows, dtype=torch.int32)
            sample(lib, out, x, u, temperature, top_k, top_p)
            # Many rows have a probability within 1e-5 of top_p when there are many kept: then only the range is looked at.
            if top_p == 1 or 0 < top_k <= 1000 or rows == 1:
                check_draws_or_near(out, x, u, temperature, top_k, top_p, what)
            again = tk.poison(rows, dtype=torch.int32)
            sample(lib, again, x, u, temperature, top_k, top_p)
            tk.equal(again, out, what + ": once more")


def check_draws_or_near(out, x, u, temperature, top_k, top_p, what):
    if x.shape[0] > 1:
        return check_draws(out, x, u, temperature, top_k, top_p, what)
    p, near = kept(x, temperature, top_k, top_p)
    if bool(near.any()):  # a border more or less moves sums by its probability alone
        at = int(out)
        upto = float(p[0, :at + 1].sum())
        assert abs(upto - float(u)) < 1e-3 + float(p[0, at]), "%s: drew %d" % (what, at)
        return
    check_draws(out, x, u, temperature, top_k, top_p, what)


def check_sample_ties(lib, dtype):
    """All logits equal: the lowest indices are kept, and drawn from evenly."""
    for cols in (1000, 40000):
        x = torch.zeros(64, cols, device="cuda", dtype=dtype)
        u = (torch.arange(64, device="cuda") + 0.5) / 64
        for top_k, top_p, n in ((0, 1.0, cols), (100, 1.0, 100), (100, 0.5, 50), (0, 0.25, cols // 4)):
            out = tk.poison(64, dtype=torch.int32)
            sample(lib, out, x, u, 1.0, top_k, top_p)
            want = (u.double() * n).floor()
            what = "%s, %d columns, top_k %d, top_p %g" % (name_of(dtype), cols, top_k, top_p)
            assert bool(((out - want).abs() <= 1).all()), "%s: %s" % (what, out.tolist())


def check_sample_odd_values(lib, dtype):
    x = torch.zeros(6, 5000, device="cuda")
    x[0] = math.nan
    x[1] = math.nan
    x[1, 4321] = -5
    x[2] = -math.inf
    x[2, 17] = -3
    x[3, 99] = math.inf
    x[4] = -0.0
    x[4, 7] = 0.0
    x[5, 3] = torch.finfo(dtype).max
    x = x.to(dtype)
    u = torch.tensor([0.5, 0.999, 0.0, 0.7, 0.0, 0.99], device="cuda")
    for top_k, top_p in ((0, 1.0), (1, 1.0), (0, 0.9), (5, 0.9)):
        out = tk.poison(6, dtype=torch.int32)
        sample(lib, out, x, u, 1.0, top_k, top_p)
        assert out.tolist() == [0, 4321, 17, 99, 0, 3], "%s, top_k %d, top_p %g: %s" % (name_of(dtype), top_k, top_p, out.tolist())
    for value in (1.0, math.nan, -1.0, 2.0):  # no number below 1: some index all the same
        out = tk.poison(6, dtype=torch.int32)
        sample(lib, out, x, torch.full((6,), value, device="cuda"), 1.0, 0, 1.0)
        assert bool((out >= 0).logical_and(out < 5000).all()), "uniform %g: %s" % (value, out.tolist())


def check_sample_frequencies(lib):
    """A million draws of one distribution."""
    torch.manual_seed(3)
    logits = torch.randn(1, 16, device="cuda")
    n = 65535
    x = logits.expand(n, 16).contiguous()
    counts = torch.zeros(16, device="cuda")
    for _ in range(16):
        out = tk.poison(n, dtype=torch.int32)
        sample(lib, out, x, torch.rand(n, device="cuda"), 1.0, 0, 1.0)
        counts += torch.bincount(out.long(), minlength=16)
    p = torch.softmax(logits[0], -1)
    error = (counts / (16 * n) - p).abs() / (p * (1 - p) / (16 * n)).sqrt()
    assert error.max() < 6, "off by %g standard deviations" % error.max()


# ---- all of them ----

def check_empty(lib):
    x = torch.empty(0, 8, device="cuda")
    softmax(lib, torch.empty_like(x), x)
    softmax(lib, torch.empty(3, 0, device="cuda"), torch.empty(3, 0, device="cuda"))
    argmax(lib, torch.empty(0, dtype=torch.int32, device="cuda"), x)
    sample(lib, torch.empty(0, dtype=torch.int32, device="cuda"), x, torch.empty(0, device="cuda"), 1.0, 0, 1.0)


def check_refusals(lib):
    s = tk.STATUS
    none = tk.Workspace(None, 0)
    x, out = torch.ones(4, 64, device="cuda"), torch.ones(4, 64, device="cuda")
    i, u = torch.zeros(4, dtype=torch.int32, device="cuda"), torch.zeros(4, device="cuda")
    tk.refused(s["NULL"], lambda: lib.softmax(None, x, none), "out null")
    tk.refused(s["NULL"], lambda: lib.softmax(out, None, none), "x null")
    tk.refused(s["TYPE"], lambda: lib.softmax(out.half(), x, none), "types differ")
    tk.refused(s["SHAPE"], lambda: lib.softmax(out[:, :63], x, none), "fewer columns")
    tk.refused(s["OVERLAP"], lambda: lib.softmax(x[1:], x[:3], none), "overlap")
    long = torch.ones(1, 100000, device="cuda")
    tk.refused(s["NULL"], lambda: lib.softmax(torch.empty_like(long), long, none), "workspace null")
    w, keep = tk.workspace(lib.bytes("softmax", long))
    w.bytes -= 4
    tk.refused(s["WORKSPACE"], lambda: lib.softmax(torch.empty_like(long), long, w), "workspace too small")
    tk.refused(s["TYPE"], lambda: lib.argmax(u, x, none), "out not of integers")
    tk.refused(s["SHAPE"], lambda: lib.argmax(i[:3], x, none), "fewer rows")
    tk.refused(s["SHAPE"], lambda: lib.argmax(i, torch.empty(4, 0, device="cuda"), none), "no columns")
    tk.refused(s["NULL"], lambda: lib.argmax(i[:1], long, none), "workspace null")
    w, keep = tk.workspace(lib.bytes("sample", x))
    for t, k, p in ((0.0, 0, 1.0), (-1.0, 0, 1.0), (math.nan, 0, 1.0), (1.0, -1, 1.0), (1.0, 0, 0.0), (1.0, 0, 1.5), (1.0, 0, math.nan)):
        tk.refused(s["VALUE"], lambda: lib.sample(i, x, u, t, k, p, w), "temperature %g, top_k %d, top_p %g" % (t, k, p))
    tk.refused(s["SHAPE"], lambda: lib.sample(i, x, u[:3], 1.0, 0, 1.0, w), "fewer uniform numbers")
    tk.refused(s["TYPE"], lambda: lib.sample(i, x, u.half(), 1.0, 0, 1.0, w), "uniform of halves")
    tk.refused(s["SIZE"], lambda: lib.sample(i[:1], torch.ones(1, 262145, device="cuda"), u[:1], 1.0, 0, 1.0, w), "vocabulary too large")
    tk.refused(s["NULL"], lambda: lib.sample(i, x, u, 1.0, 0, 1.0, none), "workspace null")


def cases(lib, torch):
    for dtype in TYPES:
        for layout in ("dense", "slice", "odd"):
            yield "softmax %s %s" % (name_of(dtype), layout), lambda d=dtype, l=layout: check_softmax(lib, d, l)
            yield "argmax %s %s" % (name_of(dtype), layout), lambda d=dtype, l=layout: check_argmax(lib, d, l)
            yield "sample %s %s" % (name_of(dtype), layout), lambda d=dtype, l=layout: check_sample(lib, d, l)
        yield "softmax extremes %s" % name_of(dtype), lambda d=dtype: check_softmax_extremes(lib, d)
        yield "argmax odd values %s" % name_of(dtype), lambda d=dtype: check_argmax_odd_values(lib, d)
        yield "sample ties %s" % name_of(dtype), lambda d=dtype: check_sample_ties(lib, d)
        yield "sample odd values %s" % name_of(dtype), lambda d=dtype: check_sample_odd_values(lib, d)
    yield "sample frequencies", lambda: check_sample_frequencies(lib)
    yield "softmax of nothing", lambda: check_empty(lib)
    yield "softmax refused", lambda: check_refusals(lib)
    yield "softmax of more than 2^31 elements", lambda: check_softmax_huge(lib)
