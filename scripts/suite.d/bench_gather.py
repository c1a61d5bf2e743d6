"""Embedding lookup, rotary embedding and appending to caches, at the sizes of Qwen3: of the copy speed, beside PyTorch."""
import math

BYTES = 192 << 20  # of all sets together, so that no cache holds them


def sets(bytes):
    return max(2, math.ceil(BYTES / bytes))


def cases(lib, torch, tk):
    g = torch.Generator(device="cuda").manual_seed(0)
    randint = lambda high, shape: torch.randint(0, high, shape, generator=g, device="cuda")

    for dim in [1024, 2560, 5120]:  # 0.6B, 4B, 32B
        table = torch.randn(151936, dim, device="cuda").bfloat16()
        for tokens in [8192, 1]:
            bytes = 4 * tokens * dim
            n = min(sets(bytes), 256)
            ids = [randint(151936, (tokens,)) for _ in range(n)]
            out = [torch.empty(tokens, dim, dtype=torch.bfloat16, device="cuda") for _ in range(n)]
            yield tk.Case("embedding bfloat16 %d x %d" % (tokens, dim),
                          lambda i, table=table, ids=ids, out=out, n=n: lib.embedding(out[i % n], table, ids[i % n]),
                          lambda i, table=table, ids=ids, out=out, n=n: torch.index_select(table, 0, ids[i % n], out=out[i % n]), "index_select",
                          bytes=bytes, goal=0.9 if tokens > 1 else 1.0, of_copy=tokens > 1)
        del table

    rows, d = 40960, 128
    angle = torch.arange(rows, device="cuda").double()[:, None] / 1e6 ** (torch.arange(d // 2, device="cuda").double() / (d // 2))

    def rotate(x, cos, sin, p):
        a, b = x.float().chunk(2, -1)
        c, s = cos[p][:, None, :], sin[p][:, None, :]
        return torch.cat([a * c - b * s, b * c + a * s], -1).to(x.dtype)

    compiled = torch.compile(rotate)
    for dtype, heads, tokens in [(torch.bfloat16, 40, 8192), (torch.bfloat16, 8, 8192), (torch.float32, 32, 8192), (torch.bfloat16, 40, 1)]:
        cos, sin = angle.cos().to(dtype), angle.sin().to(dtype)
        bytes = 2 * tokens * heads * d * dtype.itemsize + (tokens * d * dtype.itemsize if tokens > 1 else 0)
        n = min(sets(bytes), 256)
        x = [torch.randn(tokens, heads, d, device="cuda").to(dtype) for _ in range(n)]
        out = [torch.empty_like(t) for t in x]
        positions = torch.arange(tokens, device="cuda", dtype=torch.int32) + 100
        kind = "%s %d x %d x 128" % (str(dtype).replace("torch.", ""), tokens, heads)
        of_copy = tokens > 1
        peer = lambda i, x=x, cos=cos, sin=sin, p=positions.long(), n=n: compiled(x[i % n], cos, sin, p)
        yield tk.Case("rope %s" % kind, lambda i, x=x, out=out, cos=cos, sin=sin, p=positions, n=n: lib.rope(out[i % n], x[i % n], cos, sin, p),
                      peer, "torch.compile", bytes=bytes, goal=0.9 if of_copy else 1.0, of_copy=of_copy)
        yield tk.Case("rope in place %s" % kind, lambda i, x=x, cos=cos, sin=sin, p=positions, n=n: lib.rope(x[i % n], x[i % n], cos, sin, p),
                      peer, "torch.compile", bytes=bytes, goal=0.9 if of_copy else 1.0, of_copy=of_copy)

    heads = 8
    for batch, count, capacity in [(4, 4096, 8192), (64, 1, 4096)]:
        bytes = 8 * batch * count * heads * d
        n = min(sets(bytes), 16)
        caches = [[torch.zeros(batch, capacity, heads, d, dtype=torch.bfloat16, device="cuda") for _ in range(2)] for _ in range(2)]
        new = [[torch.randn(batch, count, heads, d, device="cuda").bfloat16() for _ in range(2)] for _ in range(n)]
        start = torch.full((batch,), 1000, dtype=torch.int32, device="cuda")
        at = torch.arange(batch, device="cuda")[:, None], start.long()[:, None] + torch.arange(count, device="cuda")

        def peer(i, caches=caches, new=new, at=at, n=n):
            caches[i % 2][0][at] = new[i % n][0]
            caches[i % 2][1][at] = new[i % n][1]

        yield tk.Case("append bfloat16 %d x %d" % (batch, count),
                      lambda i, caches=caches, new=new, start=start, n=n: lib.kv_append(*caches[i % 2], *new[i % n], start), peer, "index_put",
                      bytes=bytes, goal=0.9 if count > 1 else 1.0, of_copy=count > 1)
        page, most = 16, capacity // 16
        pages = batch * most
        table = torch.randperm(pages, generator=g, device="cuda").view(batch, most).int()
        paged = [[c.view(pages, page, heads, d) for c in pair] for pair in caches]
        where = table.long().gather(1, at[1].expand(batch, count) // page), (at[1] % page).expand(batch, count)

        def peer_paged(i, paged=paged, new=new, where=where, n=n):
            paged[i % 2][0][where] = new[i % n][0]
            paged[i % 2][1][where] = new[i % n][1]

        yield tk.Case("append in pages bfloat16 %d x %d" % (batch, count),
                      lambda i, paged=paged, new=new, table=table, start=start, n=n: lib.kv_append_paged(*paged[i % 2], *new[i % n], table, start),
                      peer_paged, "index_put", bytes=bytes, goal=0.9 if count > 1 else 1.0, of_copy=count > 1)
