"""Prefill against FlashAttention-2 (SDPA's flash backend), decode against the copy speed over the bytes of keys and values."""


def dense(torch, *shape):
    return torch.randn(*shape, device="cuda", dtype=torch.float32).bfloat16()


def prefill(lib, torch, tk, batch, seq, heads, heads_kv, dim, causal):
    from torch.nn.attention import SDPBackend, sdpa_kernel
    scale = dim ** -0.5
    bytes = 2 * batch * seq * dim * 2 * (heads + heads_kv)
    sets = max(2, -(-120_000_000 // bytes) + 1)
    data = [tuple(dense(torch, batch, seq, n, dim) for n in (heads, heads_kv, heads_kv)) for _ in range(sets)]
    out = torch.empty(batch, seq, heads, dim, dtype=torch.bfloat16, device="cuda")

    def call(q, k, v, **gqa):
        with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
            return torch.nn.functional.scaled_dot_product_attention(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), is_causal=bool(causal),
                                                                    scale=scale, **gqa)

    gqa, theirs = {}, data
    if heads != heads_kv:
        try:
            call(*data[0], enable_gqa=True)
            gqa = {"enable_gqa": True}
        except (RuntimeError, TypeError):  # older: the heads of keys are repeated, before the clock runs
            theirs = [(q, k.repeat_interleave(heads // heads_kv, 2), v.repeat_interleave(heads // heads_kv, 2)) for q, k, v in data]

    def ours(i):
        q, k, v = data[i % sets]
        lib.attention_prefill(out, q, k, v, scale, causal)

    def peer(i):
        return call(*theirs[i % sets], **gqa)

    flops = 4 * batch * heads * seq * seq * dim / (2 if causal else 1)
    name = "prefill %s B%d S%d H%d/%d D%d" % ("causal" if causal else "full", batch, seq, heads, heads_kv, dim)
    return tk.Case(name, ours, peer, "SDPA flash", bytes=bytes, flops=flops, goal=0.95)


def decode(lib, torch, tk, batch, length, heads, heads_kv, dim, page=0):
    bytes = 2 * batch * length * heads_kv * dim * 2
    sets = max(2, -(-150_000_000 // bytes) + 1)
    n = torch.full((batch,), length, dtype=torch.int32, device="cuda")
    q, out = dense(torch, batch, heads, dim), torch.empty(batch, heads, dim, dtype=torch.bfloat16, device="cuda")
    name = "decode %sB%d L%d H%d/%d D%d" % ("pages of %d " % page if page else "", batch, length, heads, heads_kv, dim)
    if page:
        per = length // page
        data = [(dense(torch, batch * per, page, heads_kv, dim), dense(torch, batch * per, page, heads_kv, dim)) for _ in range(sets)]
        table = torch.randperm(batch * per, device="cuda").int().reshape(batch, per)
        w, keep = tk.workspace(lib.bytes("attention_decode_paged", batch, heads, heads_kv, dim, per, page))

        def ours(i):
            lib.attention_decode_paged(out, q, *data[i % sets], table, n, dim ** -0.5, w)
    else:
        data = [(dense(torch, batch, length, heads_kv, dim), dense(torch, batch, length, heads_kv, dim)) for _ in range(sets)]
        w, keep = tk.workspace(lib.bytes("attention_decode", batch, heads, heads_kv, dim, length))

        def ours(i):
            lib.attention_decode(out, q, *data[i % sets], n, dim ** -0.5, w)

    ours.keep = keep
    return tk.Case(name, ours, bytes=bytes, flops=4 * batch * heads * length * dim, goal=0.85, of_copy=True)


def cases(lib, torch, tk):
    for causal in (0, 1):
        yield prefill(lib, torch, tk, 4, 4096, 32, 8, 128, causal)
        yield prefill(lib, torch, tk, 1, 16384, 32, 8, 128, causal)
        yield prefill(lib, torch, tk, 16, 1024, 32, 32, 128, causal)
        yield prefill(lib, torch, tk, 4, 4096, 32, 8, 64, causal)
    for batch, length in ((1, 4096), (1, 32768), (1, 131072), (16, 4096), (64, 4096), (128, 2048)):
        yield decode(lib, torch, tk, batch, length, 32, 8, 128)
    yield decode(lib, torch, tk, 16, 8192, 16, 8, 128)
    yield decode(lib, torch, tk, 16, 8192, 32, 32, 128)
    yield decode(lib, torch, tk, 16, 8192, 64, 8, 64)
    yield decode(lib, torch, tk, 64, 4096, 32, 8, 128, page=16)
    yield decode(lib, torch, tk, 64, 4096, 32, 8, 128, page=256)
