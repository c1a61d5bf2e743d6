"""Checks of tk_norm.h against PyTorch."""
import itertools
import math

import torch

import tk

TYPES = [torch.float32, torch.float16, torch.bfloat16]
EPS = 1e-6


def name_of(dtype):
    return str(dtype).replace("torch.", "")


def seed(n):
    torch.manual_seed(n)


def rows_of(rows, cols, dtype, layout):
    """A random matrix, and where an output of that shape and layout lies: (x, out, base of out)."""
    def base():
        if layout == "dense":
            return torch.empty(rows, cols, dtype=dtype, device="cuda"), (slice(None), slice(None))
        if layout == "slice":  # rows further apart, aligned to 16 bytes
            return torch.empty(rows, cols + (-cols) % 8 + 16, dtype=dtype, device="cuda"), (slice(None), slice(8, 8 + cols))
        return torch.empty(rows, cols + 5, dtype=dtype, device="cuda"), (slice(None), slice(1, 1 + cols))  # odd: no two elements in one access

    b, at = base()
    b.copy_(torch.randn(b.shape, device="cuda", dtype=torch.float32))
    x = b[at]
    o, at = base()
    o.fill_(math.nan)
    return x, o[at], o


def check_gaps(base, out, what):
    assert bool(base.isnan().sum() == base.numel() - out.numel()), "%s: a gap between rows was written, or an element was not" % what


def rms(x, weight, eps=EPS):
    x = x.double()
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight.double()


def layer(x, weight, bias, eps=EPS):
    x = x.double()
    x = x - x.mean(-1, keepdim=True)
    y = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight.double()
    return y if bias is None else y + bias.double()


def qwen3(x, weight, eps=EPS):
    h = x.float()
    h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps)
    return weight * h.to(x.dtype)


# Roundings allowed: one of the result, one more where the quotient is rounded first; in float what sums and the root add.
def units(dtype, round_first=False):
    return 16 if dtype == torch.float32 else 2.2 if round_first else 1.1


def sizes(dtype):
    w = 16 // dtype.itemsize
    yield from ((r, c) for r, c in [(1, 1), (3, 2), (5, 3), (9, 127), (2, 128), (3, 129), (4, 1000), (2, 1025), (1, 4097), (3, 9001)])
    for packs in (1, 2, 15, 16, 17, 32, 33, 64, 65, 128, 256, 257, 512, 513, 1024, 1025, 2048, 2049, 4096, 4097, 6000):
        yield (7 if packs < 100 else 3, packs * w)


def check_rmsnorm(lib, dtype, layout):
    for n, (rows, cols) in enumerate(sizes(dtype)):
        seed(n)
        x, out, base = rows_of(rows, cols, dtype, layout)
        weight = torch.randn(cols, device="cuda").to(dtype)
        for round_first in (0, 1):
            what = "rmsnorm %s %s %d x %d, %d" % (name_of(dtype), layout, rows, cols, round_first)
            base.fill_(math.nan)
            before = x.clone()
            lib.rmsnorm(out, x, weight, EPS, round_first)
            tk.close(out, rms(x, weight), units(dtype, round_first), 1e-3, what)
            check_gaps(base, out, what)
            tk.equal(x, before, what)
        want = out.clone()
        lib.rmsnorm(x, x, weight, EPS, 1)
        tk.equal(x, want, "rmsnorm in place %s %s %d x %d" % (name_of(dtype), layout, rows, cols))


def check_qwen3(lib, dtype):
    """Rounded as the model does: nearly all results are the very same."""
    for cols in (128, 1024, 2560, 4096, 5120):
        seed(cols)
        x = torch.randn(257, cols, device="cuda").to(dtype)
        weight = torch.randn(cols, device="cuda").to(dtype)
        out = tk.poison(257, cols, dtype=dtype)
        lib.rmsnorm(out, x, weight, EPS, 1)
        same = (out == qwen3(x, weight)).float().mean()
        assert same > 0.995, "%s, %d columns: %.2f %% are the same" % (name_of(dtype), cols, 100 * same)


def check_add(lib, dtype, layout):
    for n, (rows, cols) in enumerate(sizes(dtype)):
        seed(n)
        what = "rmsnorm_add %s %s %d x %d" % (name_of(dtype), layout, rows, cols)
        x, out, base = rows_of(rows, cols, dtype, layout)
        residual, _, _ = rows_of(rows, cols, dtype, layout)
        weight = torch.randn(cols, device="cuda").to(dtype)
        sum = (x.float() + residual.float()).to(dtype)
        first, x_before = residual.clone(), x.clone()
        lib.rmsnorm_add(out, residual, x, weight, EPS, 0)
        tk.equal(residual, sum, what + ": residual")
        tk.equal(x, x_before, what + ": x")
        tk.close(out, rms(sum, weight), units(dtype), 1e-3, what)
        check_gaps(base, out, what)
        want = out.clone()
        residual.copy_(first)
        lib.rmsnorm_add(x, residual, x, weight, EPS, 0)
        tk.equal(residual, sum, what + " in place: residual")
        tk.equal(x, want, what + " in place")


def check_layernorm(lib, dtype, layout):
    for n, (rows, cols) in enumerate(sizes(dtype)):
        seed(n)
        x, out, base = rows_of(rows, cols, dtype, layout)
        weight = torch.randn(cols, device="cuda").to(dtype)
        for bias in (None, torch.randn(cols, device="cuda").to(dtype)):
            what = "layernorm %s %s %d x %d%s" % (name_of(dtype), layout, rows, cols, " bias" if bias is not None else "")
            base.fill_(math.nan)
            lib.layernorm(out, x, weight, bias, EPS)
            # The scale multiplies the rounding of the mean: with few columns it may be large.
            tk.close(out, layer(x, weight, bias), 2 * units(dtype), 50.0 if cols < 100 else 1.0 if dtype == torch.float32 else 0.05, what)
            check_gaps(base, out, what)
        want = out.clone()
        lib.layernorm(x, x, weight, bias, EPS)
        tk.equal(x, want, "layernorm in place %s %s %d x %d" % (name_of(dtype), layout, rows, cols))


def check_layernorm_offset(lib):
    """A mean far from 0: the variance comes from the distances, not from squares of the values."""
    seed(5)
    x = 1000 + torch.randn(33, 4096, device="cuda")
    weight = torch.ones(4096, device="cuda")
    out = tk.poison(33, 4096, dtype=torch.float32)
    lib.layernorm(out, x, weight, None, EPS)
    error = (out.double() - layer(x, weight, None)).abs().max()
    assert error < 2e-3, "off by %g" % error


def check_heads(lib, dtype):
    for n, (d, heads, tokens, layout) in enumerate(itertools.product((64, 128), (1, 3, 8, 40), (1, 5, 300), ("dense", "qkv", "heads first", "odd"))):
        seed(n)
        what = "rmsnorm_heads %s %s %d x %d x %d" % (name_of(dtype), layout, tokens, heads, d)

        def base():
            if layout == "dense":
                b = torch.randn(tokens, heads, d, device="cuda").to(dtype)
                return b, b
            if layout == "qkv":  # some heads of a wider projection
                b = torch.randn(tokens, heads + 5, d, device="cuda").to(dtype)
                return b, b[:, 2:2 + heads]
            if layout == "heads first":
                b = torch.randn(heads, tokens, d, device="cuda").to(dtype)
                return b, b.transpose(0, 1)
            b = torch.randn(tokens, heads, d + 3, device="cuda").to(dtype)
            return b, b[:, :, 1:1 + d]

        _, x = base()
        o, out = base()
        o.fill_(math.nan)
        weight = torch.randn(d, device="cuda").to(dtype)
        for round_first in (0, 1):
            out.fill_(math.nan)
            lib.rmsnorm_heads(out, x, weight, EPS, round_first)
            tk.close(out, rms(x, weight), units(dtype, round_first), 1e-3, what)
            check_gaps(o, out, what)
        want = out.clone()
        lib.rmsnorm_heads(x, x, weight, EPS, 1)
        tk.equal(x, want, what + " in place")


def check_extremes(lib, dtype):
    """What float makes of it: squares that overflow or vanish, NaN, infinity."""
    big, small = (3e38, 1e-30) if dtype != torch.float16 else (6e4, 1e-7)
    for cols in (8, 100, 4096, 40000):
        x = torch.ones(6, cols, device="cuda")
        x[0, 3] = math.nan
        x[1, 2] = math.inf
        x[2] = big
        x[3] = small
        x[4] = 0
        x[5, cols // 2] = -big
        x = x.to(dtype)
        weight = torch.full((cols,), 0.5, device="cuda").to(dtype)
        h = x.float()
        want = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + EPS) * 0.5
        out = tk.poison(6, cols, dtype=dtype)
        lib.rmsnorm(out, x, weight, EPS, 0)
        want = want.to(dtype)
        tk.close(out, want, 2 * units(dtype), 1e-3, "rmsnorm of extremes, %s, %d columns" % (name_of(dtype), cols))


def check_huge(lib):
    """More than 2^31 elements."""
    rows, cols = (1 << 21) + 5, 1024
    x = torch.empty(rows, cols, dtype=torch.bfloat16, device="cuda")
    x.normal_()
    weight = torch.randn(cols, device="cuda").bfloat16()
    ends = [slice(0, 3), slice(rows // 2, rows // 2 + 3), slice(rows - 7, rows)]
    wants = [rms(x[e], weight) for e in ends]
    lib.rmsnorm(x, x, weight, EPS, 0)
    for e, want in zip(ends, wants):
        tk.close(x[e], want, 1.1, 1e-3, "2^31 elements")


def check_ranks(lib):
    seed(1)
    x = torch.randn(2, 3, 5, 96, device="cuda")
    weight = torch.randn(96, device="cuda")
    out = tk.poison(2, 3, 5, 96, dtype=torch.float32)
    lib.rmsnorm(out, x, weight, EPS, 0)
    tk.close(out, rms(x, weight), 16, 1e-3, "rank 4")
    out = tk.poison(96, dtype=torch.float32)
    lib.rmsnorm(out, x[1, 1, 1], weight, EPS, 0)
    tk.close(out, rms(x[1, 1, 1], weight), 16, 1e-3, "rank 1")


def check_empty(lib):
    weight = torch.ones(64, device="cuda")
    for shape in ((0, 64), (3, 0)):
        x = torch.empty(shape, device="cuda")
        w = torch.ones(shape[1], device="cuda")
        lib.rmsnorm(torch.empty_like(x), x, w, EPS, 0)
        lib.rmsnorm_add(torch.empty_like(x), torch.empty_like(x), x, w, EPS, 0)
        lib.layernorm(torch.empty_like(x), x, w, None, EPS)
    x = torch.empty(0, 3, 64, device="cuda")
    lib.rmsnorm_heads(torch.empty_like(x), x, weight, EPS, 0)


def check_refusals(lib):
    x, out, w = torch.ones(4, 64, device="cuda"), torch.ones(4, 64, device="cuda"), torch.ones(64, device="cuda")
    s = tk.STATUS
    tk.refused(s["NULL"], lambda: lib.rmsnorm(None, x, w, EPS, 0), "out null")
    tk.refused(s["NULL"], lambda: lib.rmsnorm(out, None, w, EPS, 0), "x null")
    tk.refused(s["NULL"], lambda: lib.rmsnorm(out, x, None, EPS, 0), "weight null")
    tk.refused(s["TYPE"], lambda: lib.rmsnorm(out.half(), x, w, EPS, 0), "types differ")
    tk.refused(s["TYPE"], lambda: lib.rmsnorm(out.int(), x.int(), w.int(), EPS, 0), "integers")
    tk.refused(s["SHAPE"], lambda: lib.rmsnorm(out[:3], x, w, EPS, 0), "fewer rows")
    tk.refused(s["SHAPE"], lambda: lib.rmsnorm(out, x, w[:63], EPS, 0), "weight too short")
    tk.refused(s["OVERLAP"], lambda: lib.rmsnorm(x[1:], x[:3], w, EPS, 0), "out a row further")
    tk.refused(s["OVERLAP"], lambda: lib.rmsnorm(out, x, out[0], EPS, 0), "weight in out")
    tk.refused(s["SHAPE"], lambda: lib.rmsnorm(out[0].expand(4, 64), x, w, EPS, 0), "rows of out in one place")
    turned = torch.ones(4, 64, device="cuda").t()
    tk.refused(s["UNSUPPORTED"], lambda: lib.rmsnorm(torch.ones(64, 4, device="cuda"), turned, w[:4], EPS, 0), "columns apart")
    tk.refused(s["OVERLAP"], lambda: lib.rmsnorm_add(out, out, x, w, EPS, 0), "residual is out")
    tk.refused(s["OVERLAP"], lambda: lib.rmsnorm_add(out, x, x, w, EPS, 0), "residual is x")
    tk.refused(s["NULL"], lambda: lib.rmsnorm_add(out, None, x, w, EPS, 0), "residual null")
    tk.refused(s["SHAPE"], lambda: lib.layernorm(out, x, w, w[:3], EPS), "bias too short")
    tk.refused(s["OVERLAP"], lambda: lib.layernorm(out, x, w, out[2], EPS), "bias in out")
    h = torch.ones(2, 3, 96, device="cuda")
    tk.refused(s["UNSUPPORTED"], lambda: lib.rmsnorm_heads(torch.empty_like(h), h, torch.ones(96, device="cuda"), EPS, 0), "heads of 96")
    tk.refused(s["SHAPE"], lambda: lib.rmsnorm_heads(out, x, w, EPS, 0), "two dimensions")


def cases(lib, torch):
    for dtype in TYPES:
        for layout in ("dense", "slice", "odd"):
            yield "rmsnorm %s %s" % (name_of(dtype), layout), lambda d=dtype, l=layout: check_rmsnorm(lib, d, l)
            yield "rmsnorm_add %s %s" % (name_of(dtype), layout), lambda d=dtype, l=layout: check_add(lib, d, l)
            yield "layernorm %s %s" % (name_of(dtype), layout), lambda d=dtype, l=layout: check_layernorm(lib, d, l)
        yield "rmsnorm_heads %s" % name_of(dtype), lambda d=dtype: check_heads(lib, d)
        yield "rmsnorm extremes %s" % name_of(dtype), lambda d=dtype: check_extremes(lib, d)
    yield "rmsnorm as Qwen3 bfloat16", lambda: check_qwen3(lib, torch.bfloat16)
    yield "rmsnorm as Qwen3 float16", lambda: check_qwen3(lib, torch.float16)
    yield "layernorm far from 0", lambda: check_layernorm_offset(lib)
    yield "norms of other ranks", lambda: check_ranks(lib)
    yield "norms of nothing", lambda: check_empty(lib)
    yield "norms refused", lambda: check_refusals(lib)
    yield "rmsnorm of more than 2^31 elements", lambda: check_huge(lib)
