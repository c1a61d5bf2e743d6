"""Attention against softmax(scale q k^T) v in float64."""
import math

import tk

NAN = math.nan


def reference(torch, q, k, v, scale, causal):
    """q (S, H, D), k and v (L, Hkv, D): the result, and the same with |v|, in which roundings of weights are measured."""
    q, k, v = q.double(), k.double(), v.double()
    group = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
    s = torch.einsum("shd,lhd->hsl", q, k) * scale
    if causal:
        i = torch.arange(q.shape[0], device=q.device)[:, None] + k.shape[0] - q.shape[0]
        s = s.masked_fill(torch.arange(k.shape[0], device=q.device)[None, :] > i, -math.inf)
    p = torch.softmax(s, -1)
    p = p.masked_fill((s == -math.inf).all(-1, keepdim=True), 0.0)  # a query that sees no key
    return torch.einsum("hsl,lhd->shd", p, v), torch.einsum("hsl,lhd->shd", p, v.abs())


def near(torch, got, want, scale, units, what):
    """Within so many roundings of the sum of weight * |value|: one comes from the weights, one from the result."""
    assert got.shape == want.shape, "%s: shape" % what
    assert bool((got.isnan() == want.isnan()).all()), "%s: not the same NaN" % what
    error, limit = (got.double() - want).abs(), units * tk.UNIT[got.dtype] * scale + 1e-6
    worst = (error / limit).nan_to_num(nan=0.0)
    assert float(worst.max()) <= 1.0 if worst.numel() else True, "%s: off by %.3g of what is allowed" % (what, float(worst.max()))


def rows(torch, *shape, dtype, gap=0, generator=None, lift=0, spread=1.0):
    """Random tokens of dense heads, with gap elements of NaN behind each, and lift elements before the first."""
    *outer, heads, dim = shape
    tokens, ld = math.prod(outer), heads * dim + gap
    base = torch.full((lift + tokens * ld,), NAN, dtype=dtype, device="cuda")
    stride = [1, dim, ld]
    for n in reversed(outer[1:]):
        stride.append(stride[-1] * n)
    t = base.as_strided(shape, stride[::-1], lift)
    t.copy_(torch.randn(shape, device="cuda", generator=generator) * spread)
    return t


def decode_case(lib, torch, dtype, batch, heads, heads_kv, dim, capacity, lengths, gap=0, lift=0, spread=1.0, units=2.1, page=0, tail=NAN):
    g = torch.Generator("cuda").manual_seed(batch * 1000 + heads + capacity)
    scale = dim ** -0.5
    q = rows(torch, batch, heads, dim, dtype=dtype, gap=gap, generator=g, lift=lift, spread=spread)
    k = rows(torch, batch, capacity, heads_kv, dim, dtype=dtype, gap=gap, generator=g, lift=lift)
    v = rows(torch, batch, capacity, heads_kv, dim, dtype=dtype, gap=gap, generator=g, lift=lift)
    out = tk.poison(batch, heads, dim, dtype=dtype)
    n = torch.tensor(lengths, dtype=torch.int32, device="cuda")
    for b, length in enumerate(lengths):  # what lies behind the length is nobody's
        k[b, max(length, 0):] = tail
        v[b, max(length, 0):] = tail
    if page:
        pages = capacity // page
        order = torch.randperm(batch * pages + 3, generator=torch.Generator().manual_seed(7))[:batch * pages].reshape(batch, pages)
        pk = torch.full((batch * pages + 3, page, heads_kv, dim), NAN, dtype=dtype, device="cuda")
        pv = pk.clone()
        pk[order.cuda().flatten()] = k.reshape(batch * pages, page, heads_kv, dim)
        pv[order.cuda().flatten()] = v.reshape(batch * pages, page, heads_kv, dim)
        table = order.int().cuda()
        for b, length in enumerate(lengths):  # entries that hold no token are not read
            table[b, (max(length, 0) + page - 1) // page:] = -(1 << 30)
        w, keep = tk.workspace(lib.bytes("attention_decode_paged", batch, heads, heads_kv, dim, pages, page))
        keep.fill_(255)
        lib.attention_decode_paged(out, q, pk, pv, table, n, scale, w)
    else:
        w, keep = tk.workspace(lib.bytes("attention_decode", batch, heads, heads_kv, dim, capacity))
        keep.fill_(255)
        lib.attention_decode(out, q, k, v, n, scale, w)
    for b, length in enumerate(lengths):
        length = min(max(length, 0), capacity)
        want, size = reference(torch, q[b:b + 1], k[b, :length], v[b, :length], scale, False)
        near(torch, out[b:b + 1], want, size, units, "sequence %d of length %d" % (b, length))


def prefill_case(lib, torch, dtype, batch, seq_q, seq_kv, heads, heads_kv, dim, causal, gap=0, lift=0, spread=1.0, units=2.1):
    g = torch.Generator("cuda").manual_seed(seq_q * 7 + seq_kv + heads)
    scale = dim ** -0.5
    q = rows(torch, batch, seq_q, heads, dim, dtype=dtype, gap=gap, generator=g, lift=lift, spread=spread)
    k = rows(torch, batch, seq_kv, heads_kv, dim, dtype=dtype, gap=gap, generator=g, lift=lift)
    v = rows(torch, batch, seq_kv, heads_kv, dim, dtype=dtype, gap=gap, generator=g, lift=lift)
    out = tk.poison(batch, seq_q, heads, dim, dtype=dtype)
    lib.attention_prefill(out, q, k, v, scale, causal)
    for b in range(batch):
        want, size = reference(torch, q[b], k[b], v[b], scale, causal)
        near(torch, out[b], want, size, units, "sequence %d" % b)


def ragged_case(lib, torch, dtype, lengths_q, lengths_kv, heads, heads_kv, dim, causal, gap=0):
    g = torch.Generator("cuda").manual_seed(sum(lengths_q) + heads)
    scale = dim ** -0.5
    before, behind = 3, 5  # rows of no sequence
    starts = [[before], [before]]
    for a, b in zip(lengths_q, lengths_kv):
        starts[0].append(starts[0][-1] + a)
        starts[1].append(starts[1][-1] + b)
    q = rows(torch, starts[0][-1] + behind, heads, dim, dtype=dtype, gap=gap, generator=g)
    k = rows(torch, starts[1][-1] + behind, heads_kv, dim, dtype=dtype, gap=gap, generator=g)
    v = rows(torch, starts[1][-1] + behind, heads_kv, dim, dtype=dtype, gap=gap, generator=g)
    for t, s in ((q, starts[0]), (k, starts[1]), (v, starts[1])):
        t[:before] = NAN
        t[s[-1]:] = NAN
    out = tk.poison(*q.shape, dtype=dtype)
    sq, skv = (torch.tensor(s, dtype=torch.int32, device="cuda") for s in starts)
    lib.attention_prefill_ragged(out, q, k, v, sq, skv, max(lengths_q) + 130, scale, causal)
    assert bool(out[:before].isnan().all()) and bool(out[starts[0][-1]:].isnan().all()), "rows of no sequence are written"
    for b in range(len(lengths_q)):
        i, j = slice(starts[0][b], starts[0][b + 1]), slice(starts[1][b], starts[1][b + 1])
        want, size = reference(torch, q[i], k[j], v[j], scale, causal)
        near(torch, out[i], want, size, 2.1, "sequence %d" % b)


def decode_far(lib, torch):
    """Offsets beyond 2^31 elements."""
    heads, dim, ld, capacity = 2, 128, 8192, 300000
    g = torch.Generator("cuda").manual_seed(5)
    k, v = (torch.empty(capacity * ld, dtype=torch.bfloat16, device="cuda").as_strided((1, capacity, heads, dim), (capacity * ld, ld, dim, 1))
            for _ in range(2))
    for t in (k, v):
        t.copy_(torch.randn(t.shape, device="cuda", generator=g))
    q = torch.randn(1, 8, dim, device="cuda", generator=g).bfloat16()
    q[:, 0] *= 8  # few keys count, which may be the last ones
    out = tk.poison(1, 8, dim, dtype=torch.bfloat16)
    n = torch.tensor([capacity], dtype=torch.int32, device="cuda")
    w, keep = tk.workspace(lib.bytes("attention_decode", 1, 8, heads, dim, capacity))
    lib.attention_decode(out, q, k, v, n, dim ** -0.5, w)
    want, size = reference(torch, q, k[0], v[0], dim ** -0.5, False)
    near(torch, out, want, size, 2.1, "far")


def prefill_far(lib, torch):
    seq, heads, dim, far = 200, 2, 64, (1 << 31) + 4096
    base = [torch.empty(far + seq * heads * dim, dtype=torch.float16, device="cuda") for _ in range(4)]
    q, k, v, out = (t.as_strided((2, seq, heads, dim), (far, heads * dim, dim, 1)) for t in base)
    g = torch.Generator("cuda").manual_seed(6)
    for t in (q, k, v):
        t.copy_(torch.randn(t.shape, device="cuda", generator=g))
    out.fill_(NAN)
    lib.attention_prefill(out, q, k, v, dim ** -0.5, 1)
    for b in range(2):
        want, size = reference(torch, q[b], k[b], v[b], dim ** -0.5, True)
        near(torch, out[b], want, size, 2.1, "sequence %d" % b)


def nan_stays(lib, torch):
    """NaN in one head's query, and in one query: nowhere else."""
    g = torch.Generator("cuda").manual_seed(9)
    q = torch.randn(2, 8, 128, device="cuda", generator=g).half()
    k, v = (torch.randn(2, 512, 2, 128, device="cuda", generator=g).half() for _ in range(2))
    q[1, 3, 17] = NAN
    out = tk.poison(2, 8, 128, dtype=torch.float16)
    n = torch.tensor([512, 300], dtype=torch.int32, device="cuda")
    w, keep = tk.workspace(lib.bytes("attention_decode", 2, 8, 2, 128, 512))
    lib.attention_decode(out, q, k, v, n, 0.09, w)
    bad = out.isnan().all(-1)
    assert bool(bad[1, 3]) and int(bad.sum()) == 1 and int(out.isnan().sum()) == 128, "decode: NaN in the wrong place"
    q = torch.randn(1, 150, 4, 64, device="cuda", generator=g).bfloat16()
    k, v = (torch.randn(1, 150, 4, 64, device="cuda", generator=g).bfloat16() for _ in range(2))
    q[0, 77, 2, 0] = NAN
    out = tk.poison(1, 150, 4, 64, dtype=torch.bfloat16)
    lib.attention_prefill(out, q, k, v, 0.125, 0)
    bad = out.isnan().all(-1)
    assert bool(bad[0, 77, 2]) and int(bad.sum()) == 1 and int(out.isnan().sum()) == 64, "prefill: NaN in the wrong place"


def empties(lib, torch):
    def z(*shape, dtype=torch.bfloat16):
        return torch.zeros(*shape, dtype=dtype, device="cuda")

    none, ints = tk.Workspace(None, 0), torch.zeros(2, dtype=torch.int32, device="cuda")
    lib.attention_decode(z(0, 4, 64), z(0, 4, 64), z(0, 16, 2, 64), z(0, 16, 2, 64), ints[:0], 1.0, none)
    lib.attention_prefill(z(2, 0, 4, 64), z(2, 0, 4, 64), z(2, 8, 2, 64), z(2, 8, 2, 64), 1.0, 1)
    lib.attention_prefill_ragged(z(0, 4, 64), z(0, 4, 64), z(8, 2, 64), z(8, 2, 64), ints[:1], ints[:1], 0, 1.0, 0)
    out = tk.poison(2, 4, 64, dtype=torch.bfloat16)  # no cache at all
    lib.attention_decode(out, z(2, 4, 64), z(2, 0, 2, 64), z(2, 0, 2, 64), ints, 1.0, none)
    tk.equal(out, torch.zeros_like(out), "decode of nothing")
    out = tk.poison(1, 130, 4, 64, dtype=torch.bfloat16)
    lib.attention_prefill(out, z(1, 130, 4, 64), z(1, 0, 2, 64), z(1, 0, 2, 64), 1.0, 0)
    tk.equal(out, torch.zeros_like(out), "prefill of nothing")


def refusals(lib, torch):
    def r(*shape, dtype=torch.bfloat16):
        return torch.zeros(*shape, dtype=dtype, device="cuda")

    S = tk.STATUS
    q, k, n = r(2, 8, 64), r(2, 32, 2, 64), torch.zeros(2, dtype=torch.int32, device="cuda")
    none = tk.Workspace(None, 0)

    def decode(status, what, out=None, q=q, k=k, v=None, n=n, scale=1.0, w=none):
        out = r(*q.shape, dtype=q.dtype) if out is None else out
        v = r(*k.shape, dtype=k.dtype) if v is None else v
        tk.refused(S[status], lambda: lib.attention_decode(out, q, k, v, n, scale, w), what)

    tk.refused(S["NULL"], lambda: lib.attention_decode(None, q, k, k, n, 1.0, none), "no out")
    tk.refused(S["NULL"], lambda: lib.attention_decode(q.clone(), q, k, None, n, 1.0, none), "no v")
    decode("TYPE", "float", q=q.float(), k=k.float())
    decode("TYPE", "two types", v=k.half())
    decode("TYPE", "lengths of 64 bits", n=n.long())
    decode("SHAPE", "rank", q=r(16, 64))
    decode("SHAPE", "heads", q=r(2, 7, 64))
    decode("SHAPE", "another head dimension", k=r(2, 32, 2, 128), v=r(2, 32, 2, 128))
    decode("SHAPE", "other values", v=r(2, 31, 2, 64))
    decode("SHAPE", "another batch", k=r(3, 32, 2, 64))
    decode("SHAPE", "heads apart", k=r(2, 2, 32, 64).transpose(1, 2))
    decode("UNSUPPORTED", "head dimension", q=r(2, 8, 96), k=r(2, 32, 2, 96))
    decode("VALUE", "scale", scale=0.0)
    decode("VALUE", "scale", scale=math.nan)
    decode("OVERLAP", "in place", out=q)
    decode("ALIGNMENT", "misaligned", q=r(2 * 8 * 64 + 1)[1:].view(2, 8, 64), out=r(2, 8, 64))
    long, many = r(1, 1 << 16, 2, 64), r(1, 8, 64)
    decode("NULL", "no workspace", q=many, k=long, n=n[:1])
    w, keep = tk.workspace(lib.bytes("attention_decode", 1, 8, 2, 64, 1 << 16))
    assert w.bytes > 0, "a long cache needs no workspace"
    decode("WORKSPACE", "workspace", q=many, k=long, n=n[:1], w=tk.Workspace(w.data, w.bytes - 4))
    table = torch.zeros(2, 2, dtype=torch.int32, device="cuda")
    out = r(2, 8, 64)
    tk.refused(S["UNSUPPORTED"], lambda: lib.attention_decode_paged(out, q, r(4, 24, 2, 64), r(4, 24, 2, 64), table, n, 1.0, none), "page of 24")
    tk.refused(S["SHAPE"], lambda: lib.attention_decode_paged(out, q, r(4, 16, 2, 64), r(4, 16, 2, 64), table.t()[:, :1].expand(2, 2), n, 1.0, none),
               "table not dense")
    p, c = r(2, 5, 8, 64), r(2, 6, 2, 64)
    tk.refused(S["OVERLAP"], lambda: lib.attention_prefill(p, p, c, c, 1.0, 1), "in place")
    tk.refused(S["SHAPE"], lambda: lib.attention_prefill(r(2, 4, 8, 64), p, c, c, 1.0, 1), "out")
    tk.refused(S["SHAPE"], lambda: lib.attention_prefill(r(2, 5, 8, 64), p, r(1, 6, 2, 64), r(1, 6, 2, 64), 1.0, 1), "batch")
    tk.refused(S["SHAPE"], lambda: lib.attention_prefill_ragged(r(5, 8, 64), p[0], c[0], c[0], n, n[:1], 5, 1.0, 1), "starts")
    tk.refused(S["VALUE"], lambda: lib.attention_prefill_ragged(r(5, 8, 64), p[0], c[0], c[0], n, n, -1, 1.0, 1), "longest_q")


def cases(lib, torch):
    b, h = torch.bfloat16, torch.float16

    def of(name, f, *args, **kw):
        return name, lambda: f(lib, torch, *args, **kw)

    for dtype, word in ((b, "bf16"), (h, "fp16")):
        for dim in (64, 128):
            at = "%s D%d" % (word, dim)
            yield of("decode %s lengths" % at, decode_case, dtype, 7, 8, 2, dim, 333, [0, 1, 15, 16, 17, 332, 333])
            yield of("decode %s lengths out of range" % at, decode_case, dtype, 2, 4, 4, dim, 64, [-5, 1000])
            yield of("decode %s splits" % at, decode_case, dtype, 2, 8, 2, dim, 9000, [8999, 130], gap=24, lift=8)
            yield of("decode %s paged" % at, decode_case, dtype, 4, 8, 2, dim, 320, [0, 17, 160, 319], page=16)
            yield of("decode %s pages of 48, splits" % at, decode_case, dtype, 2, 6, 3, dim, 4800, [4799, 49], page=48)
            yield of("decode %s one split of many sequences" % at, decode_case, dtype, 300, 2, 2, dim, 40, [i % 41 for i in range(300)])
            for causal in (0, 1):
                t = "%s %s" % (at, "causal" if causal else "full")
                yield of("prefill %s small" % t, prefill_case, dtype, 2, 5, 5, 4, 2, dim, causal)
                yield of("prefill %s odd" % t, prefill_case, dtype, 2, 333, 333, 6, 2, dim, causal, gap=16, lift=8)
                yield of("prefill %s tiles" % t, prefill_case, dtype, 1, 512, 512, 4, 4, dim, causal)
                yield of("prefill %s short q" % t, prefill_case, dtype, 2, 17, 450, 8, 1, dim, causal)
                yield of("prefill %s long q" % t, prefill_case, dtype, 1, 300, 70, 3, 3, dim, causal)
                yield of("prefill %s one key" % t, prefill_case, dtype, 1, 129, 1, 2, 1, dim, causal)
                yield of("ragged %s" % t, ragged_case, dtype, [1, 0, 128, 200, 63, 5], [1, 9, 128, 77, 300, 0], 4, 2, dim, causal, gap=8)
        for group in (1, 3, 7, 16, 17, 40):
            yield of("decode %s group of %d" % (word, group), decode_case, dtype, 2, 2 * group, 2, 128, 700, [700, 613])
        yield of("prefill %s group of 5" % word, prefill_case, dtype, 1, 140, 140, 10, 2, 128, 1)
    yield of("decode bf16 peaked", decode_case, b, 2, 8, 2, 128, 2000, [2000, 1500], spread=12.0, units=3.0)
    yield of("decode bf16 flat", decode_case, b, 2, 8, 2, 128, 2000, [2000, 1500], spread=1e-6)
    yield of("decode fp16 infinities behind the length", decode_case, h, 2, 8, 2, 64, 200, [1, 199], tail=math.inf)
    yield of("prefill bf16 peaked", prefill_case, b, 1, 300, 300, 4, 2, 128, 1, spread=12.0, units=3.0)
    yield of("prefill bf16 long", prefill_case, b, 1, 3000, 3000, 2, 1, 128, 1)
    yield of("decode far", decode_far)
    yield of("prefill far", prefill_far)
    yield of("NaN stays in its row", nan_stays)
    yield of("empty", empties)
    yield of("refusals", refusals)
