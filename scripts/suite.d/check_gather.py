"""Embedding lookup, rotary embedding and appending to caches against PyTorch."""
import itertools
import math

import tk

INDICES = ["int32", "int64"]


def blank(torch, shape, dtype, pad=0, shift=0, value=0.0):
    """A tensor whose last dimension but one is padded and that begins shift elements into its memory; and the memory."""
    wide = list(shape[:-1]) + [shape[-1] + pad]
    memory = torch.full((math.prod(wide) + shift,), value, dtype=dtype, device="cuda")
    return memory[shift:].view(wide)[..., :shape[-1]], memory


def random(torch, shape, dtype, seed, pad=0, shift=0):
    t, _ = blank(torch, shape, dtype, pad, shift)
    g = torch.Generator(device="cuda").manual_seed(seed)
    t.copy_(torch.randn(tuple(shape), generator=g, device="cuda"))
    return t


def integers(torch, high, shape, dtype, seed):
    g = torch.Generator(device="cuda").manual_seed(seed)
    return torch.randint(0, high, shape, generator=g, device="cuda").to(getattr(torch, dtype) if isinstance(dtype, str) else dtype)


def cases(lib, torch):
    floats = [torch.float32, torch.float16, torch.bfloat16]
    yield "embedding", lambda: check_embedding(lib, torch, floats)
    yield "count outside", lambda: check_count(lib, torch)
    yield "rope", lambda: check_rope(lib, torch, floats)
    yield "rope of fused projections", lambda: check_rope_fused(lib, torch, floats)
    yield "append", lambda: check_append(lib, torch, floats)
    yield "append in pages", lambda: check_paged(lib, torch, floats)
    yield "more than 2^31 elements", lambda: check_large(lib, torch)
    yield "empty", lambda: check_empty(lib, torch)
    yield "refusals", lambda: check_refusals(lib, torch)


def check_embedding(lib, torch, types):
    shapes = [(1, 1, 1), (7, 10, 5), (33, 100, 2560), (1000, 151, 1024), (65, 70, 24), (3, 9, 8200), (17, 4, 1023)]
    for seed, ((tokens, rows, dim), dtype, index) in enumerate(itertools.product(shapes, types, INDICES)):
        for pad, shift in [(0, 0), (8, 0), (3, 1), (0, 1)]:
            what = "embedding %d of %d x %d %s %s pad %d shift %d" % (tokens, rows, dim, dtype, index, pad, shift)
            table = random(torch, (rows, dim), dtype, seed, pad, shift)
            ids = integers(torch, rows, (tokens,), index, seed)
            ids[0], ids[-1] = rows - 1, 0
            out, memory = blank(torch, (tokens, dim), dtype, pad, 0, math.nan)
            lib.embedding(out, table, ids)
            tk.equal(out, table[ids.long()], what)
            out.fill_(math.nan)
            assert bool(memory.isnan().all()), what + ": written between rows"


def check_count(lib, torch):
    for index, n in itertools.product(INDICES, [0, 1, 1023, 1024, 1025, 50000]):
        ids = integers(torch, 120, (n,), index, n) - 10
        count = torch.full((1,), -1, dtype=torch.int64, device="cuda")
        lib.count_outside(count, ids, 100)
        want = int(((ids < 0) | (ids >= 100)).sum())
        assert int(count) == want, "count of %d %s: %d, not %d" % (n, index, int(count), want)


def turned(x, cos, sin, positions):
    half = x.shape[-1] // 2
    c, s = cos[positions.long()].double()[:, None, :], sin[positions.long()].double()[:, None, :]
    a, b = x[..., :half].double(), x[..., half:].double()
    want = x.double()
    want[..., :half], want[..., half:] = a * c - b * s, b * c + a * s
    return want


def tables(torch, rows, half, dtype, pad=0, shift=0):
    angle = torch.arange(rows, device="cuda").double()[:, None] / 1e4 ** (torch.arange(half, device="cuda").double() / half)
    cos, _ = blank(torch, (rows, half), dtype, pad, shift)
    sin, _ = blank(torch, (rows, half), dtype, pad, shift)
    cos.copy_(angle.cos())
    sin.copy_(angle.sin())
    return cos, sin


# a cos - b sin may cancel: a rounding in float of each product, and one of the output's type.
def close(torch, out, want, what):
    tk.close(out, want, 4 if out.dtype == torch.float32 else 1.3, 4.0 if out.dtype == torch.float32 else 1e-2, what)


def check_rope(lib, torch, types):
    shapes = [(1, 1, 2), (5, 3, 128), (67, 32, 128), (130, 8, 128), (9, 40, 64), (4, 17, 256), (6, 5, 80), (3, 2, 6), (2, 33, 1024)]
    for seed, ((tokens, heads, d), dtype) in enumerate(itertools.product(shapes, types)):
        for kind, index in itertools.product(sorted({dtype, torch.float32}, key=str), INDICES):
            for pad, shift in [(0, 0), (8, 0), (3, 1)]:
                what = "rope %d x %d x %d %s, tables %s, %s, pad %d shift %d" % (tokens, heads, d, dtype, kind, index, pad, shift)
                rows = 300
                cos, sin = tables(torch, rows, d // 2, kind, pad, shift)
                positions = integers(torch, rows, (tokens,), index, seed)
                positions[0] = rows - 1
                x = random(torch, (tokens, heads, d), dtype, seed, pad, shift)
                want = turned(x, cos, sin, positions)
                out, memory = blank(torch, (tokens, heads, d), dtype, pad, 0, math.nan)
                lib.rope(out, x, cos, sin, positions)
                close(torch, out, want, what)
                out.fill_(math.nan)
                assert bool(memory.isnan().all()), what + ": written between heads"
                lib.rope(x, x, cos, sin, positions)
                close(torch, x, want, what + ", in place")


def check_rope_fused(lib, torch, types):
    for dtype in types:
        tokens, q, kv, d = 77, 16, 8, 128
        fused = random(torch, (tokens, (q + 2 * kv) * d), dtype, 1)
        cos, sin = tables(torch, 100, d // 2, dtype)
        positions = torch.arange(tokens, device="cuda")
        heads = fused.view(tokens, q + 2 * kv, d)
        before = heads.clone()
        want = turned(before[:, :q + kv], cos, sin, positions)
        lib.rope(heads[:, :q + kv], heads[:, :q + kv], cos, sin, positions)
        close(torch, heads[:, :q + kv], want, "q and k in place")
        tk.equal(heads[:, q + kv:], before[:, q + kv:], "v is as it was")
        out = tk.poison(tokens, kv, d, dtype=dtype)
        lib.rope(out, before[:, q:q + kv], cos, sin, positions)
        close(torch, out, want[:, q:], "k out of place")
        out = tk.poison(tokens, 2, d, dtype=dtype)  # angles far out, and values that are not finite
        bad = before[:, :2].clone()
        bad[3, 0, 5], bad[4, 1, 70], bad[5, 0, 0] = math.inf, math.nan, 1e-30
        lib.rope(out, bad, cos, sin, positions)
        close(torch, out, turned(bad, cos, sin, positions), "not finite")


def check_append(lib, torch, types):
    shapes = [(1, 1, 16, 8, 128), (3, 5, 40, 2, 64), (4, 33, 100, 8, 128), (2, 7, 7, 1, 5), (65, 1, 9, 3, 40), (1, 300, 512, 4, 256)]
    for seed, ((batch, count, capacity, heads, d), dtype) in enumerate(itertools.product(shapes, types)):
        for shift, fused in itertools.product([0, 1], [False, True]):
            what = "append %s %s shift %d fused %d" % ((batch, count, capacity, heads, d), dtype, shift, fused)
            start = integers(torch, capacity - count + 1, (batch,), "int32", seed)
            start[0] = capacity - count
            k_cache, _ = blank(torch, (batch, capacity, heads, d), dtype, 0, shift, math.nan)
            v_cache, _ = blank(torch, (batch, capacity, heads, d), dtype, 0, 0, math.nan)
            if fused:
                x = random(torch, (batch, count, 3 * heads, d), dtype, seed)
                k, v = x[:, :, heads:2 * heads], x[:, :, 2 * heads:]
            else:
                k, v = random(torch, (batch, count, heads, d), dtype, seed), random(torch, (batch, count, heads, d), dtype, seed + 1)
            lib.kv_append(k_cache, v_cache, k, v, start)
            for cache, new in [(k_cache, k), (v_cache, v)]:
                for b, s in enumerate(start.tolist()):
                    tk.equal(cache[b, s:s + count], new[b], what)
                    cache[b, s:s + count] = math.nan
                assert bool(cache.isnan().all()), what + ": written elsewhere"


def check_paged(lib, torch, types):
    shapes = [(1, 1, 16, 4, 8, 128), (3, 5, 16, 6, 2, 64), (4, 100, 32, 9, 8, 128), (2, 7, 5, 3, 1, 5), (65, 1, 64, 2, 3, 40),
              (2, 300, 256, 4, 4, 128)]
    for seed, ((batch, count, page, most, heads, d), dtype) in enumerate(itertools.product(shapes, types)):
        for shift, unused in itertools.product([0, 1], [-1, 2 ** 31 - 1]):
            what = "append in pages %s %s shift %d" % ((batch, count, page, most, heads, d), dtype, shift)
            start = integers(torch, most * page - count + 1, (batch,), "int32", seed)
            start[0] = most * page - count
            pages = batch * most + 3
            g = torch.Generator(device="cuda").manual_seed(seed)
            table = torch.randperm(pages, generator=g, device="cuda")[:batch * most].view(batch, most).to(torch.int32).contiguous()
            for b, s in enumerate(start.tolist()):  # entries that are not written through may be anything
                table[b, :s // page] = unused
                table[b, (s + count - 1) // page + 1:] = unused
            k_cache, _ = blank(torch, (pages, page, heads, d), dtype, 0, shift, math.nan)
            v_cache, _ = blank(torch, (pages, page, heads, d), dtype, 0, 0, math.nan)
            k, v = random(torch, (batch, count, heads, d), dtype, seed), random(torch, (batch, count, heads, d), dtype, seed + 1)
            lib.kv_append_paged(k_cache, v_cache, k, v, table, start)
            at = start.long()[:, None] + torch.arange(count, device="cuda")
            rows = table.long().gather(1, at // page) * page + at % page
            for cache, new in [(k_cache, k), (v_cache, v)]:
                flat = cache.view(pages * page, heads, d)
                tk.equal(flat[rows], new, what)
                flat[rows.flatten()] = math.nan
                assert bool(cache.isnan().all()), what + ": written elsewhere"


def check_large(lib, torch):
    table = torch.zeros(2 ** 20 + 3, 2056, dtype=torch.bfloat16, device="cuda")
    table[-1], table[2 ** 20] = 3.0, 2.0
    ids = torch.tensor([2 ** 20 + 2, 0, 2 ** 20], device="cuda")
    out = tk.poison(3, 2056, dtype=torch.bfloat16)
    lib.embedding(out, table, ids)
    tk.equal(out, table[ids], "embedding of a table of more than 2^31 elements")
    del table, out
    x = torch.zeros(2 ** 19 + 1, 33, 128, dtype=torch.bfloat16, device="cuda")
    x[-1, :, :64] = 1.0
    x[0, :, 64:] = 1.0
    cos, sin = tables(torch, 10, 64, torch.bfloat16)
    positions = torch.full((x.shape[0],), 7, dtype=torch.int32, device="cuda")
    want = turned(x[[0, -1]], cos, sin, positions[:2])
    lib.rope(x, x, cos, sin, positions)
    close(torch, x[[0, -1]], want, "rope of more than 2^31 elements")
    assert bool((x[1:-1] == 0).all()), "rope of more than 2^31 elements: the others"
    del x
    cache = [torch.zeros(9, 2 ** 18, 8, 128, dtype=torch.bfloat16, device="cuda") for _ in range(2)]
    new = torch.ones(9, 2, 8, 128, dtype=torch.bfloat16, device="cuda")
    start = torch.arange(9, dtype=torch.int32, device="cuda") * 1000 + 2 ** 18 - 9000
    lib.kv_append(cache[0], cache[1], new, new, start)
    for c in cache:
        assert int((c == 1).sum()) == new.numel() and bool((c[8, 2 ** 18 - 1000:2 ** 18 - 998] == 1).all()), "cache of more than 2^31 elements"
    del cache
    torch.cuda.empty_cache()


def check_empty(lib, torch):
    f = lambda *shape: torch.empty(shape, device="cuda")
    i = lambda *shape: torch.empty(shape, dtype=torch.int32, device="cuda")
    lib.embedding(f(0, 8), f(5, 8), i(0))
    lib.embedding(f(0, 8), f(0, 8), i(0))
    lib.rope(f(0, 2, 8), f(0, 2, 8), f(3, 4), f(3, 4), i(0))
    lib.rope(f(2, 0, 8), f(2, 0, 8), f(3, 4), f(3, 4), i(2))
    lib.kv_append(f(2, 9, 1, 8), f(2, 9, 1, 8), f(2, 0, 1, 8), f(2, 0, 1, 8), i(2))
    lib.kv_append_paged(f(2, 9, 1, 8), f(2, 9, 1, 8), f(0, 3, 1, 8), f(0, 3, 1, 8), i(0, 4), i(0))


def check_refusals(lib, torch):
    S = tk.STATUS
    f = lambda *shape, dtype=torch.float32: torch.zeros(shape, dtype=dtype, device="cuda")
    i = lambda *shape, dtype=torch.int32: torch.zeros(shape, dtype=dtype, device="cuda")
    e = lib.embedding
    for at in range(3):
        args = [f(4, 8), f(9, 8), i(4)]
        args[at] = None
        tk.refused(S["NULL"], lambda: e(*args), "embedding, null")
    tk.refused(S["TYPE"], lambda: e(f(4, 8), f(9, 8, dtype=torch.float16), i(4)), "table of another type")
    tk.refused(S["TYPE"], lambda: e(f(4, 8), f(9, 8), f(4)), "ids are floats")
    tk.refused(S["SHAPE"], lambda: e(f(4, 8), f(9, 7), i(4)), "columns")
    tk.refused(S["SHAPE"], lambda: e(f(4, 8), f(9, 8), i(5)), "tokens")
    tk.refused(S["SHAPE"], lambda: e(f(4, 8), f(0, 8), i(4)), "no rows")
    tk.refused(S["SHAPE"], lambda: e(f(4, 2, 4), f(9, 8), i(4)), "rank")
    tk.refused(S["UNSUPPORTED"], lambda: e(f(4, 8), f(9, 16)[:, ::2], i(4)), "columns apart")
    tk.refused(S["UNSUPPORTED"], lambda: e(f(4, 8), f(9, 8), i(8)[::2]), "ids apart")
    t = f(9, 8)
    tk.refused(S["OVERLAP"], lambda: e(t[:4], t, i(4)), "in the table")

    r = lib.rope
    for at in range(5):
        args = [f(4, 2, 8), f(4, 2, 8), f(9, 4), f(9, 4), i(4)]
        args[at] = None
        tk.refused(S["NULL"], lambda: r(*args), "rope, null")
    tk.refused(S["SHAPE"], lambda: r(f(4, 2, 7), f(4, 2, 7), f(9, 3), f(9, 3), i(4)), "odd")
    tk.refused(S["SHAPE"], lambda: r(f(4, 2, 8), f(4, 3, 8), f(9, 4), f(9, 4), i(4)), "heads")
    tk.refused(S["SHAPE"], lambda: r(f(4, 2, 8), f(4, 2, 8), f(9, 8), f(9, 8), i(4)), "tables of whole heads")
    tk.refused(S["SHAPE"], lambda: r(f(4, 2, 8), f(4, 2, 8), f(9, 4), f(8, 4), i(4)), "rows of sin")
    tk.refused(S["SHAPE"], lambda: r(f(4, 2, 8), f(4, 2, 8), f(9, 4), f(9, 4), i(3)), "positions")
    tk.refused(S["TYPE"], lambda: r(f(4, 2, 8), f(4, 2, 8), f(9, 4, dtype=torch.float16), f(9, 4, dtype=torch.float16), i(4)), "tables")
    tk.refused(S["TYPE"], lambda: r(f(4, 2, 8), f(4, 2, 8), f(9, 4), f(9, 4), f(4)), "positions are floats")
    tk.refused(S["UNSUPPORTED"], lambda: r(f(2, 4, 8).transpose(0, 1), f(4, 2, 8), f(9, 4), f(9, 4), i(4)), "heads before tokens")
    x = f(5, 2, 8)
    tk.refused(S["OVERLAP"], lambda: r(x[1:], x[:4], f(9, 4), f(9, 4), i(4)), "rope beside")

    a = lib.kv_append
    for at in range(5):
        args = [f(2, 9, 1, 8), f(2, 9, 1, 8), f(2, 3, 1, 8), f(2, 3, 1, 8), i(2)]
        args[at] = None
        tk.refused(S["NULL"], lambda: a(*args), "append, null")
    tk.refused(S["SHAPE"], lambda: a(f(2, 9, 1, 8), f(2, 9, 1, 8), f(2, 10, 1, 8), f(2, 10, 1, 8), i(2)), "more than the capacity")
    tk.refused(S["SHAPE"], lambda: a(f(2, 9, 1, 8), f(2, 9, 1, 8), f(3, 3, 1, 8), f(3, 3, 1, 8), i(3)), "more sequences")
    tk.refused(S["SHAPE"], lambda: a(f(2, 9, 2, 8), f(2, 9, 2, 8), f(2, 3, 1, 8), f(2, 3, 1, 8), i(2)), "heads")
    tk.refused(S["SHAPE"], lambda: a(f(2, 9, 1, 8), f(2, 9, 1, 8), f(2, 3, 1, 8), f(2, 3, 1, 8), i(3)), "starts")
    tk.refused(S["TYPE"], lambda: a(f(2, 9, 1, 8), f(2, 9, 1, 8), f(2, 3, 1, 8), f(2, 3, 1, 8), i(2, dtype=torch.int64)), "starts of 64 bits")
    tk.refused(S["TYPE"], lambda: a(*[f(2, 9, 1, 8, dtype=torch.float16)] * 2, f(2, 3, 1, 8), f(2, 3, 1, 8), i(2)), "types")
    tk.refused(S["UNSUPPORTED"], lambda: a(f(2, 9, 1, 8), f(2, 9, 1, 16)[..., :8], f(2, 3, 1, 8), f(2, 3, 1, 8), i(2)), "strides of the caches")
    c = f(2, 9, 1, 8)
    tk.refused(S["OVERLAP"], lambda: a(c, c, f(2, 3, 1, 8), f(2, 3, 1, 8), i(2)), "one cache")
    tk.refused(S["OVERLAP"], lambda: a(c, f(2, 9, 1, 8), c[:, :3], c[:, 3:6], i(2)), "of the cache")

    p = lib.kv_append_paged
    for at in range(6):
        args = [f(7, 4, 1, 8), f(7, 4, 1, 8), f(2, 3, 1, 8), f(2, 3, 1, 8), i(2, 3), i(2)]
        args[at] = None
        tk.refused(S["NULL"], lambda: p(*args), "append in pages, null")
    tk.refused(S["SHAPE"], lambda: p(f(7, 4, 1, 8), f(7, 4, 1, 8), f(2, 13, 1, 8), f(2, 13, 1, 8), i(2, 3), i(2)), "more than the pages")
    tk.refused(S["SHAPE"], lambda: p(f(7, 4, 1, 8), f(7, 4, 1, 8), f(2, 3, 1, 8), f(2, 3, 1, 8), i(3, 3), i(2)), "rows of the table")
    tk.refused(S["UNSUPPORTED"], lambda: p(f(7, 4, 1, 8), f(7, 4, 1, 8), f(2, 3, 1, 8), f(2, 3, 1, 8), i(2, 5)[:, :3], i(2)), "table with gaps")
    tk.refused(S["TYPE"], lambda: p(f(7, 4, 1, 8), f(7, 4, 1, 8), f(2, 3, 1, 8), f(2, 3, 1, 8), i(2, 3, dtype=torch.int64), i(2)), "table of 64 bits")
