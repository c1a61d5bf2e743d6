"""Products of matrices (examples/tk/tk_gemm.h) against PyTorch.

Most cases are of small integers: their sums are exact in float, so that every element is the exact sum rounded once, and equal bit for bit. What
lies around the matrices (rows' padding, what comes before and behind) is NaN where it is read from, and has to stay NaN where it is written to."""
import math

import torch

import tk

BF16, F16, F32 = torch.bfloat16, torch.float16, torch.float32


def integers(*shape, dtype, most=2):
    return torch.randint(-most, most + 1, shape, device="cuda").to(dtype)


def place(x, by_second=True, pad=0, offset=0):
    """x in memory of its own: contiguous along the second dimension or the first, rows pad elements apart, offset elements behind the
    allocation's beginning, NaN all around."""
    y = x if by_second else x.t()
    rows, cols = y.shape
    memory = torch.full((offset + rows * (cols + pad) + 64,), math.nan, dtype=x.dtype, device="cuda")
    view = memory.as_strided((rows, cols), (cols + pad, 1), offset)
    view.copy_(y)
    return view if by_second else view.t()


def output(m, n, dtype, pad=0, offset=0):
    memory = tk.poison(offset + m * (n + pad) + 64, dtype=dtype)
    return memory, memory.as_strided((m, n), (n + pad, 1), offset)


def untouched(memory, m, n, pad, offset, what):
    """All but the output's elements is still NaN."""
    rest = memory.clone()
    rest.as_strided((m, n), (n + pad, 1), offset).fill_(math.nan)
    assert bool(rest.isnan().all()), "%s: written outside of the output" % what


def product(a, b, bias=None, residual=None):
    want = a.double() @ b.double()
    if bias is not None:
        want = want + bias.double()
    if residual is not None:
        want = want + residual.double()
    return want


def scratch(lib, m, n, k, yes=True):
    return tk.workspace(lib.bytes("gemm", m, n, k) if yes else 0)


def exact(lib, m, n, k, dtype, out_type, a_by_k=True, b_by_k=True, pads=(0, 0, 0), offsets=(0, 0, 0), extras=False, in_place=False, split=True):
    torch.manual_seed(m * 31 + n * 17 + k)
    what = "%d x %d x %d %s" % (m, n, k, dtype)
    a = place(integers(m, k, dtype=dtype), a_by_k, pads[0], offsets[0])
    b = place(integers(k, n, dtype=dtype), not b_by_k, pads[1], offsets[1])
    bias = integers(n, dtype=dtype) if extras else None
    residual = integers(m, n, dtype=out_type) if extras or in_place else None
    memory, out = output(m, n, out_type, pads[2], offsets[2])
    want = product(a, b, bias, residual).to(out_type)
    if in_place:
        out.copy_(residual)
        residual = out
    w, keep = scratch(lib, m, n, k, split)
    lib.gemm(out, a, b, bias, residual, w)
    tk.equal(out, want, what)
    untouched(memory, m, n, pads[2], offsets[2], what)
    del keep


def near(lib, m, n, k, dtype, out_type, scale=1.0):
    """Any numbers: within a rounding of the output's type, and what sums of K terms in float lose."""
    torch.manual_seed(m + n + k)
    a = torch.randn(m, k, device="cuda").mul(scale).to(dtype)
    b = torch.randn(n, k, device="cuda").to(dtype)
    out = tk.poison(m, n, dtype=out_type)
    w, keep = scratch(lib, m, n, k)
    lib.gemm(out, a, b.t(), None, None, w)
    mass = float((a.abs().double() @ b.t().abs().double()).max())
    tk.close(out, product(a, b.t()), 1.1, floor=mass * math.sqrt(k) * 8 * 2.0 ** -24 / tk.UNIT[out_type], what="%d x %d x %d" % (m, n, k))
    again = tk.poison(m, n, dtype=out_type)
    lib.gemm(again, a, b.t(), None, None, w)
    tk.equal(again, out, "the same call once more")
    del keep


def gated(lib, m, n, k, dtype, how, pad=0):
    torch.manual_seed(m + n + k)
    a = torch.randn(m, k, device="cuda").to(dtype)
    weights = (torch.randn(2 * n, k, device="cuda") / math.sqrt(k)).to(dtype)
    if how == "rows":  # every second row
        gate, up = weights[0::2], weights[1::2]
    elif how == "halves":
        gate, up = weights[:n], weights[n:]
    else:
        gate, up = weights[:n].clone(), weights[n:].clone()
    memory, out = output(m, n, dtype, pad)
    lib.gemm_gated(out, a, gate.t(), up.t())
    g, u = product(a, gate.t()), product(a, up.t())
    want = g * torch.sigmoid(g) * u
    tk.close(out, want, 2, floor=float(want.abs().max()) * 2.0 ** -6, what="gated %d x %d x %d" % (m, n, k))
    untouched(memory, m, n, pad, 0, "gated")


def special(lib, dtype, m):
    """Infinity and NaN stay where they belong, tiny and large numbers are not lost."""
    torch.manual_seed(m)
    a, b = integers(m, 256, dtype=dtype), integers(264, 256, dtype=dtype)
    b[b == 0] = 1
    a[0, 0], a[m // 2, 255] = math.inf, math.nan
    out = tk.poison(m, 264, dtype=dtype)
    w, keep = scratch(lib, m, 264, 256)
    lib.gemm(out, a, b.t(), None, None, w)
    # A NaN of a matrix product is any NaN; an infinity meets no other one here.
    tk.close(out, product(a, b.t()), 1.1, what="infinity and NaN")
    tiny, big = (2.0 ** -14, 2.0 ** 10) if dtype == F16 else (2.0 ** -120, 2.0 ** 100)
    x, y = torch.full((m, 64), tiny, device="cuda").to(dtype), torch.full((64, 64), big, device="cuda").to(dtype)
    out = tk.poison(m, 64, dtype=dtype)
    w, keep = scratch(lib, m, 64, 64)
    lib.gemm(out, x, y.t(), None, None, w)
    tk.equal(out, product(x, y.t()).to(dtype), "tiny times large")


def empty(lib):
    w, keep = tk.workspace(0)
    for m, n in ((0, 64), (64, 0), (0, 0)):
        lib.gemm(torch.empty(m, n, dtype=BF16, device="cuda"), torch.empty(m, 64, dtype=BF16, device="cuda"),
                 torch.empty(n, 64, dtype=BF16, device="cuda").t(), None, None, w)
    lib.gemm_gated(torch.empty(0, 64, dtype=BF16, device="cuda"), torch.empty(0, 64, dtype=BF16, device="cuda"),
                   torch.empty(64, 64, dtype=BF16, device="cuda").t(), torch.empty(64, 64, dtype=BF16, device="cuda").t())


def refusals(lib):
    S = tk.STATUS
    w, keep = tk.workspace(0)
    m, n, k = 32, 48, 64
    a, b = torch.zeros(m, k, dtype=BF16, device="cuda"), torch.zeros(n, k, dtype=BF16, device="cuda").t()
    out, bias = torch.zeros(m, n, dtype=BF16, device="cuda"), torch.zeros(n, dtype=BF16, device="cuda")
    half = torch.zeros(k, n, dtype=F16, device="cuda")

    def bad(status, what, *args):
        tk.refused(S[status], lambda: lib.gemm(*args, w), what)

    bad("NULL", "no output", None, a, b, None, None)
    bad("NULL", "no a", out, None, b, None, None)
    bad("NULL", "no b", out, a, None, None, None)
    bad("TYPE", "two types", out, a, half, None, None)
    bad("TYPE", "output of another type", torch.zeros(m, n, dtype=F16, device="cuda"), a, b, None, None)
    bad("TYPE", "integers", out, torch.zeros(m, k, dtype=torch.int32, device="cuda"), b, None, None)
    bad("TYPE", "bias of another type", out, a, b, bias.float(), None)
    bad("TYPE", "residual of another type", out, a, b, None, out.float())
    bad("SHAPE", "inner extents", out, a[:, :32], b, None, None)
    bad("SHAPE", "output too narrow", out[:, :40], a, b, None, None)
    bad("SHAPE", "output too short", out[:16], a, b, None, None)
    bad("SHAPE", "bias too short", out, a, b, bias[:40], None)
    bad("SHAPE", "residual too short", out, a, b, None, torch.zeros(16, n, dtype=BF16, device="cuda"))
    bad("SHAPE", "rank", out, a[0], b, None, None)
    bad("SHAPE", "output's rows in one place", torch.zeros(1, n, dtype=BF16, device="cuda").expand(m, n), a, b, None, None)
    bad("SHAPE", "rows in one place", out, a[:1].expand(m, k), b, None, None)
    bad("OVERLAP", "output is a", a[:, :n], a, b, None, None)
    bad("OVERLAP", "output meets the residual", out[1:], a[1:], b, None, out[:-1])
    bad("OVERLAP", "output is bias", out, a, b, out[0], None)
    bad("UNSUPPORTED", "no contiguous dimension", out, torch.zeros(m, 2 * k, dtype=BF16, device="cuda")[:, ::2], b, None, None)
    bad("UNSUPPORTED", "output by columns", torch.zeros(n, m, dtype=BF16, device="cuda").t(), a, b, None, None)
    bad("UNSUPPORTED", "K is 0", out, a[:, :0], b[:0], None, None)
    tk.refused(S["TYPE"], lambda: lib.gemm_gated(out.float(), a, b, b), "gated, to f32")
    tk.refused(S["SHAPE"], lambda: lib.gemm_gated(out, a, b, b[:, :40]), "gated, up too narrow")
    tk.refused(S["UNSUPPORTED"], lambda: lib.gemm_gated(out, a, b.contiguous(), b), "gated, not along K")
    tk.refused(S["OVERLAP"], lambda: lib.gemm_gated(a[:, :n], a, b, b), "gated, output is a")


def long_offsets(lib):
    """Rows that lie beyond 2^31 elements."""
    m, k, n, ld = 70000, 64, 64, 32768
    memory = torch.empty(m * ld, dtype=BF16, device="cuda")
    a = memory.as_strided((m, k), (ld, 1))
    torch.manual_seed(1)
    a.copy_(integers(m, k, dtype=BF16))
    b = integers(n, k, dtype=BF16).t()
    out = memory.as_strided((m, n), (ld, 1), 128)  # between the rows of a
    lib.gemm(out, a, b, None, None, tk.Workspace(None, 0))
    tk.equal(out, product(a, b).to(BF16), "an output between the rows of an input")
    out = memory.as_strided((m, n), (ld, 1), 32)
    tk.refused(tk.STATUS["OVERLAP"], lambda: lib.gemm(out, a, b, None, None, tk.Workspace(None, 0)), "half of it in the rows")
    out = tk.poison(m, n, dtype=BF16)
    lib.gemm(out, a, b, None, None, tk.Workspace(None, 0))
    tk.equal(out, product(a, b).to(BF16), "inputs beyond 2^31 elements")
    x = out.clone()
    lib.gemm(a, x, b, None, None, tk.Workspace(None, 0))
    tk.equal(a, product(x, b).to(BF16), "outputs beyond 2^31 elements")


def cases(lib, torch):
    def case(name, f, *args, **kw):
        return name, lambda: f(lib, *args, **kw)

    both = ((True, True), (True, False), (False, True), (False, False))
    for dtype, short in ((BF16, "bf16"), (F16, "fp16"), (F32, "f32")):
        types = (dtype,) if dtype == F32 else (dtype, F32)
        for out_type in types:
            to = "%s to %s" % (short, str(out_type)[6:])
            for ak, bk in both:
                name = "%s, %s%s" % (to, "A along K" if ak else "A along M", ", B along K" if bk else ", B along N")
                yield case(name + ", tiles", exact, 384, 512, 256, dtype, out_type, ak, bk)
                yield case(name + ", edges", exact, 264, 328, 200, dtype, out_type, ak, bk, extras=True)
                yield case(name + ", odd", exact, 131, 77, 93, dtype, out_type, ak, bk, (3, 5, 1), (1, 3, 1), extras=True)
                yield case(name + ", padded rows", exact, 136, 200, 72, dtype, out_type, ak, bk, (8, 16, 4), (8, 8, 4), in_place=True)
                yield case(name + ", cut along K", exact, 128, 256, 2048, dtype, out_type, ak, bk, extras=True)
                yield case(name + ", cut along K, in place", exact, 128, 136, 1032, dtype, out_type, ak, bk, in_place=True)
                yield case(name + ", no workspace", exact, 128, 256, 2048, dtype, out_type, ak, bk, split=False)
                yield case(name + ", many tiles", exact, 2056, 3080, 136, dtype, out_type, ak, bk, extras=True)
            for m in (1, 2, 3, 4, 5, 8, 16, 17, 33, 64):
                yield case("%s, %d rows" % (to, m), exact, m, 520, 1160, dtype, out_type, extras=True)
                yield case("%s, %d rows, in place" % (to, m), exact, m, 132, 8, dtype, out_type, in_place=True)
                yield case("%s, %d rows, no workspace" % (to, m), exact, m, 264, 2056, dtype, out_type, split=False)
                yield case("%s, %d rows, odd" % (to, m), exact, m, 65, 259, dtype, out_type, extras=True)
            for m, n, k in ((1, 1, 1), (1, 8, 8), (7, 1, 5), (1, 40000, 64), (2, 40004, 64), (64, 4, 8), (128, 4, 4096)):
                yield case("%s, %d x %d x %d" % (to, m, n, k), exact, m, n, k, dtype, out_type)
            for m, n, k in ((1, 1024, 3072), (4, 512, 1000), (16, 1024, 3072), (512, 1024, 1024), (1024, 4096, 512)):
                yield case("%s, any numbers, %d x %d x %d" % (to, m, n, k), near, m, n, k, dtype, out_type)
        if dtype == F32:
            continue
        for m in (1, 2, 3, 4, 5, 16, 64, 65, 130, 1030):
            for how in ("two", "halves", "rows"):
                yield case("%s, gated, %s, %d rows" % (short, how, m), gated, m, 264, 200, dtype, how, pad=4)
        yield case("%s, gated, many tiles" % short, gated, 2048, 2056, 136, dtype, "two")
        for m in (1, 4, 16, 200):
            yield case("%s, special values, %d rows" % (short, m), special, dtype, m)
    yield case("empty", empty)
    yield case("refusals", refusals)
    yield case("beyond 2^31 elements", long_offsets)
