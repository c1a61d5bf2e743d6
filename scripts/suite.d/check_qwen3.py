"""The fused kernels of a Qwen3 layer against the same steps in PyTorch, rounded where the model rounds."""
import ctypes

import tk
import torch

import q3

BF16 = torch.bfloat16
EPS = 1e-6


def normed(x, weight):
    x32 = x.float()
    return weight * (x32 * torch.rsqrt(x32.pow(2).mean(-1, keepdim=True) + EPS)).to(BF16)


def draw(g, *shape, scale=1.0):
    return (torch.randn(*shape, device="cuda", generator=g) * scale).to(BF16)


def linear(lib, n, k, with_norm, with_residual, in_place, scale):
    g = torch.Generator("cuda").manual_seed(n * 31 + k)
    w, x = draw(g, n, k, scale=k ** -0.5), draw(g, k, scale=scale)
    norm = draw(g, k) if with_norm else None
    residual = draw(g, n) if with_residual else None
    y = residual.clone() if in_place else tk.poison(n, dtype=BF16)
    q3.call(lib, "linear", y, w, x, norm, y if in_place else residual, n, k, EPS)
    xin = normed(x, norm) if with_norm else x
    want = w.double() @ xin.double()
    size = w.double().abs() @ xin.double().abs()
    if with_residual:
        want = want.to(BF16).double() + residual.double()
    # the sum is in float, in another order; the product may round the other way
    error = (y.double() - want).abs()
    allowed = 2 * tk.UNIT[BF16] * want.abs() + size * 2.0 ** -18 + (2 * tk.UNIT[BF16] * (want - residual.double()).abs() if with_residual else 0)
    assert bool((error <= allowed).all()), "off by %g at most" % float((error - allowed).max())


def gated(lib, n, k, with_norm, scale):
    g = torch.Generator("cuda").manual_seed(n * 37 + k)
    gate, up, x = draw(g, n, k, scale=k ** -0.5), draw(g, n, k, scale=k ** -0.5), draw(g, k, scale=scale)
    norm = draw(g, k) if with_norm else None
    y = tk.poison(n, dtype=BF16)
    q3.call(lib, "gated", y, gate, up, x, norm, n, k, EPS)
    xin = normed(x, norm) if with_norm else x
    a, b = gate.double() @ xin.double(), up.double() @ xin.double()
    want = torch.nn.functional.silu(a) * b
    error = (y.double() - want).abs()
    # each factor is off by a rounding, and silu's slope is at most 1.1
    unit = tk.UNIT[BF16]
    allowed = 5 * unit * want.abs() + 1.1 * 2 * unit * (a.abs() * b.abs()) + 1e-3 * unit
    assert bool((error <= allowed).all()), "off by %g at most" % float((error - allowed).max())


def rotate_half(x):
    return torch.cat((-x[..., 64:], x[..., :64]), -1)


def heads(lib, tokens, h, kv, capacity, position):
    g = torch.Generator("cuda").manual_seed(tokens * 7 + h)
    qkv = draw(g, tokens, h + 2 * kv, 128)
    qn, kn = draw(g, 128), draw(g, 128)
    angle = torch.arange(capacity, device="cuda").float()[:, None] * (1e6 ** (-torch.arange(0, 128, 2, device="cuda").float() / 128))[None]
    cos, sin = angle.cos().to(BF16), angle.sin().to(BF16)
    q = tk.poison(tokens, h, 128, dtype=BF16)
    keys, values = tk.poison(capacity, kv, 128, dtype=BF16), tk.poison(capacity, kv, 128, dtype=BF16)
    before = keys.clone(), values.clone()
    pos = torch.tensor([position], dtype=torch.int32, device="cuda")
    q3.call(lib, "heads", q, keys, values, qkv, qn, kn, cos, sin, pos, tokens, h, kv, capacity, EPS)
    at = slice(position, position + tokens)
    c, s = torch.cat((cos, cos), -1)[at, None], torch.cat((sin, sin), -1)[at, None]

    def rope(x):
        return x * c + rotate_half(x) * s

    # A norm that rounds the other way moves what follows by a rounding or two of the larger of the pair.
    for got, x, weight, what in ((q, qkv[:, :h], qn, "q"), (keys[at], qkv[:, h:h + kv], kn, "k")):
        want = rope(normed(x, weight))
        big = want.float().abs().maximum(rotate_half(want).float().abs())
        error = (got.float() - want.float()).abs() / (tk.UNIT[BF16] * big.clamp_min(1e-3))
        assert not bool(error.isnan().any()) and float(error.max()) <= 8, "%s: off by %g roundings" % (what, float(error.max()))
        assert float((error > 0).float().mean()) < 0.05, "%s: %g of the elements differ" % (what, float((error > 0).float().mean()))
    tk.equal(values[at], qkv[:, h + kv:], "v")
    rest = torch.ones(capacity, dtype=torch.bool, device="cuda")
    rest[at] = False
    for got, was, what in ((keys, before[0], "k"), (values, before[1], "v")):
        assert bool(got[rest].isnan().all() == was[rest].isnan().all()), "%s: rows outside were written" % what


def attend(lib, h, kv, capacity, position, scale):
    g = torch.Generator("cuda").manual_seed(h * 11 + position)
    qkv = draw(g, h + 2 * kv, 128, scale=scale)
    qn, kn = draw(g, 128), draw(g, 128)
    angle = torch.arange(capacity, device="cuda").float()[:, None] * (1e6 ** (-torch.arange(0, 128, 2, device="cuda").float() / 128))[None]
    cos, sin = angle.cos().to(BF16), angle.sin().to(BF16)
    keys, values = tk.poison(capacity, kv, 128, dtype=BF16), tk.poison(capacity, kv, 128, dtype=BF16)
    keys[:position], values[:position] = draw(g, position, kv, 128), draw(g, position, kv, 128)
    before = keys.clone(), values.clone()
    out = tk.poison(h, 128, dtype=BF16)
    lib.lib.q3_attend_workspace.restype = ctypes.c_size_t
    work, kept = tk.workspace(lib.lib.q3_attend_workspace(ctypes.c_int64(h), ctypes.c_int64(kv), ctypes.c_int64(capacity)))
    pos = torch.tensor([position], dtype=torch.int32, device="cuda")
    q3.call(lib, "attend", out, keys, values, qkv, qn, kn, cos, sin, pos, h, kv, capacity, EPS, 128 ** -0.5, work)
    c, s = torch.cat((cos, cos), -1)[position], torch.cat((sin, sin), -1)[position]
    q, k = (normed(x, w) * c + rotate_half(normed(x, w)) * s for x, w in ((qkv[:h], qn), (qkv[h:h + kv], kn)))
    big = k.float().abs().maximum(rotate_half(k).float().abs())
    error = (keys[position].float() - k.float()).abs() / (tk.UNIT[BF16] * big.clamp_min(1e-3))
    assert not bool(error.isnan().any()) and float(error.max()) <= 8, "k: off by %g roundings" % float(error.max())
    tk.equal(values[position], qkv[h + kv:], "v")
    for got, was, what in ((keys, before[0], "k"), (values, before[1], "v")):
        rest = torch.arange(capacity, device="cuda") != position
        assert bool((got[rest].view(torch.int16) == was[rest].view(torch.int16)).all()), "%s: rows beside the token's were written" % what
    all_k, all_v = (t[:position + 1].double().repeat_interleave(h // kv, 1).transpose(0, 1) for t in (keys, values))
    scores = torch.softmax(q.double()[:, None] @ all_k.transpose(1, 2) * 128 ** -0.5, -1)
    want = (scores @ all_v)[:, 0]
    size = (scores @ all_v.abs())[:, 0]
    # q may round the other way here and there, which moves a score by some hundredths; weights are rounded for the product
    allowed = 2 * tk.UNIT[BF16] * want.abs() + 0.05 * size + 1e-6
    error = (out.double() - want).abs()
    assert bool((error <= allowed).all()), "off by %g at most" % float((error - allowed).max())
    assert float(error.norm() / want.norm()) < 0.01, "off by %g of the whole" % float(error.norm() / want.norm())


def refusals(lib):
    x = torch.zeros(4096, dtype=BF16, device="cuda")
    p = torch.zeros(1, dtype=torch.int32, device="cuda")
    odd = x[1:]
    y, w = torch.zeros(64, dtype=BF16, device="cuda"), torch.zeros(64, dtype=BF16, device="cuda")
    tk.refused(tk.STATUS["NULL"], lambda: q3.call(lib, "linear", None, x, x, None, None, 8, 8, EPS))
    tk.refused(tk.STATUS["NULL"], lambda: q3.call(lib, "linear", x, None, x, None, None, 8, 8, EPS))
    tk.refused(tk.STATUS["ALIGNMENT"], lambda: q3.call(lib, "linear", y, odd, x, None, None, 8, 8, EPS))
    tk.refused(tk.STATUS["ALIGNMENT"], lambda: q3.call(lib, "linear", y, w, x, odd, None, 8, 8, EPS))
    tk.refused(tk.STATUS["OVERLAP"], lambda: q3.call(lib, "linear", x, x, y, None, None, 8, 8, EPS))
    tk.refused(tk.STATUS["OVERLAP"], lambda: q3.call(lib, "linear", y, w, x, None, y[1:], 8, 8, EPS))
    tk.refused(tk.STATUS["VALUE"], lambda: q3.call(lib, "linear", y, w, x, x[128:], None, 8, 8, -1.0))
    tk.refused(tk.STATUS["SHAPE"], lambda: q3.call(lib, "linear", x, x, x, None, None, 8, 12, EPS))
    tk.refused(tk.STATUS["SHAPE"], lambda: q3.call(lib, "linear", x, x, x, None, None, 8, 1 << 20, EPS))
    tk.refused(tk.STATUS["SIZE"], lambda: q3.call(lib, "linear", x, x, x, None, None, 1 << 40, 8, EPS))
    tk.refused(tk.STATUS["SIZE"], lambda: q3.call(lib, "linear", x, x, x, None, None, -1, 8, EPS))
    tk.refused(tk.STATUS["NULL"], lambda: q3.call(lib, "gated", y, w, None, x, None, 8, 8, EPS))
    tk.refused(tk.STATUS["SIZE"], lambda: q3.call(lib, "heads", x, x, x, x, x, x, x, x, p, 9, 1, 1, 8, EPS))
    tk.refused(tk.STATUS["NULL"], lambda: q3.call(lib, "heads", x, x, x, x, x, x, x, x, None, 1, 1, 1, 8, EPS))
    nothing = tk.Workspace(x.data_ptr(), 256)
    tk.refused(tk.STATUS["SHAPE"], lambda: q3.call(lib, "attend", x, x, x, x, x, x, x, x, p, 9, 1, 8, EPS, 1.0, nothing))
    tk.refused(tk.STATUS["SHAPE"], lambda: q3.call(lib, "attend", x, x, x, x, x, x, x, x, p, 3, 2, 8, EPS, 1.0, nothing))
    tk.refused(tk.STATUS["SIZE"], lambda: q3.call(lib, "attend", x, x, x, x, x, x, x, x, p, 2, 2, 0, EPS, 1.0, nothing))
    tk.refused(tk.STATUS["ALIGNMENT"], lambda: q3.call(lib, "attend", x, odd, x, x, x, x, x, x, p, 2, 2, 8, EPS, 1.0, nothing))
    tk.refused(tk.STATUS["NULL"], lambda: q3.call(lib, "attend", x, x, x, x, x, x, x, x, None, 2, 2, 8, EPS, 1.0, nothing))
    apart = [torch.zeros(n, dtype=BF16, device="cuda") for n in (256, 1 << 20, 1 << 20, 768, 128, 128, 1 << 18, 1 << 18)]
    tk.refused(tk.STATUS["WORKSPACE"], lambda: q3.call(lib, "attend", *apart, p, 2, 2, 4096, EPS, 1.0, nothing))
    tk.refused(tk.STATUS["OVERLAP"], lambda: q3.call(lib, "attend", apart[1], *apart[1:], p, 2, 2, 4096, EPS, 1.0, nothing))
    tk.refused(tk.STATUS["OVERLAP"], lambda: q3.call(lib, "attend", *apart, p, 2, 2, 4096, EPS, 1.0, tk.Workspace(apart[1].data_ptr(), 1 << 20)))
    q3.call(lib, "linear", None, None, x, None, None, 0, 8, EPS)
    q3.call(lib, "heads", None, None, None, None, None, None, None, None, None, 0, 1, 1, 8, EPS)


def cases(lib, torch):
    for n, k in ((1, 8), (7, 64), (64, 1024), (1000, 1032), (4096, 2560), (2560, 9728), (5120, 25600), (33, 32768), (151936, 1024)):
        for with_norm, with_residual, in_place, scale in ((0, 0, 0, 1), (1, 0, 0, 1), (0, 1, 0, 1), (1, 1, 1, 1), (1, 0, 0, 1e3), (1, 0, 0, 1e-4)):
            yield ("linear %dx%d norm=%d residual=%d in_place=%d scale=%g" % (n, k, with_norm, with_residual, in_place, scale),
                   lambda a=(n, k, with_norm, with_residual, in_place, scale): linear(lib, *a))
    for n, k in ((1, 8), (65, 1032), (3072, 1024), (9728, 2560)):
        for with_norm, scale in ((0, 1), (1, 1), (1, 50)):
            yield "gated %dx%d norm=%d scale=%g" % (n, k, with_norm, scale), lambda a=(n, k, with_norm, scale): gated(lib, *a)
    for tokens, h, kv, capacity, position in ((1, 16, 8, 64, 63), (1, 32, 8, 4096, 0), (17, 32, 8, 40, 23), (5, 1, 1, 5, 0), (3, 40, 8, 1000, 500)):
        yield ("heads %d tokens, %d/%d heads, %d of %d" % (tokens, h, kv, position, capacity),
               lambda a=(tokens, h, kv, capacity, position): heads(lib, *a))
    for h, kv, capacity, position, scale in ((16, 8, 64, 63, 1), (16, 8, 500, 0, 1), (16, 8, 1024, 1023, 1), (32, 8, 1025, 17, 1), (32, 8, 4096, 4095, 1),
                                             (40, 8, 9000, 8191, 1), (64, 8, 700, 555, 30), (1, 1, 1, 0, 1), (7, 7, 2049, 2048, 1), (32, 8, 40000, 33333, 1)):
        yield ("attend %d/%d heads, %d of %d, scale %g" % (h, kv, position, capacity, scale),
               lambda a=(h, kv, capacity, position, scale): attend(lib, *a))
    yield "refusals", lambda: refusals(lib)
