"""Products of matrices against cuBLAS (torch.matmul with out=): squares, and the shapes of Qwen3 at 1, 16, 512 and 4096 tokens."""
import ctypes

import torch
import torch.nn.functional as F

BF16 = torch.bfloat16
CACHES = 200 << 20  # bytes that the inputs' sets have together, at least

# hidden, intermediate, q heads, kv heads
MODELS = {"0.6B": (1024, 3072, 16, 8), "4B": (2560, 9728, 32, 8), "8B": (4096, 12288, 32, 8)}
VOCABULARY = 151936


def sets(bytes):
    return max(2, min(64, -(-CACHES // bytes)))


def normal(*shape, dtype=BF16):
    return torch.empty(*shape, device="cuda", dtype=dtype).normal_()


def plain(lib, tk, name, m, n, k, goal, of_copy=False, dtype=BF16, by_k=True, residual=False):
    size = dtype.itemsize
    bytes = (m * k + n * k + m * n * (2 if residual else 1)) * size
    count = sets(bytes)
    a = [normal(m, k, dtype=dtype) for _ in range(count)]
    b = [normal(n, k, dtype=dtype).t() if by_k else normal(k, n, dtype=dtype) for _ in range(count)]
    out = [torch.empty(m, n, dtype=dtype, device="cuda") for _ in range(count)]
    other = [torch.empty(m, n, dtype=dtype, device="cuda") for _ in range(count)]
    w, keep = tk.workspace(lib.bytes("gemm", m, n, k))

    def ours(i, keep=keep):
        lib.gemm(out[i % count], a[i % count], b[i % count], None, out[i % count] if residual else None, w)

    def peer(i):
        if residual:
            torch.addmm(other[i % count], a[i % count], b[i % count], out=other[i % count])
        else:
            torch.matmul(a[i % count], b[i % count], out=other[i % count])

    return tk.Case(name, ours, peer, "cuBLAS", bytes=bytes, flops=2 * m * n * k, goal=goal, of_copy=of_copy)


def milliseconds(f, n=5):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    f()
    begin.record()
    for _ in range(n):
        f()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / n


def beside_peer(lib, tk, n, goal):
    """A square product beside the fastest variant of the library of --gemm-peer."""
    peer_lib = ctypes.CDLL(tk.gemm_peer)
    case = plain(lib, tk, "gemm bf16 %d, beside mma.sync of the peer" % n, n, n, n, goal)
    count = sets(case.bytes)
    a, b = [normal(n, n) for _ in range(count)], [normal(n, n) for _ in range(count)]
    out = torch.empty(n, n, dtype=BF16, device="cuda")

    def call(variant, i=0):
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        pointers = [ctypes.c_void_p(x.data_ptr()) for x in (out, a[i % count], b[i % count])]
        return peer_lib.tk_peer_gemm(variant, *pointers, n, n, n, stream)

    want = a[0].float() @ b[0].float().t()
    times = {}
    for v in range(peer_lib.tk_peer_variants()):
        if call(v) == 0 and (out.float() - want).abs().max() <= 0.02 * want.abs().max():
            times[v] = milliseconds(lambda: call(v))
    if not times:
        raise RuntimeError("no variant of the peer computes the product")
    best = min(times, key=times.get)
    case.peer, case.peer_name = lambda i: call(best, i), "the peer's variant %d" % best
    return case


def gated(lib, tk, name, m, n, k, goal, of_copy=False):
    bytes = (m * k + 2 * n * k + m * n) * 2
    count = sets(bytes)
    a = [normal(m, k) for _ in range(count)]
    b = [normal(2 * n, k) for _ in range(count)]
    out = [torch.empty(m, n, dtype=BF16, device="cuda") for _ in range(count)]
    both = torch.empty(m, 2 * n, dtype=BF16, device="cuda")
    other = torch.empty(m, n, dtype=BF16, device="cuda")

    def ours(i):
        x = b[i % count]
        lib.gemm_gated(out[i % count], a[i % count], x[:n].t(), x[n:].t())

    def peer(i):
        torch.matmul(a[i % count], b[i % count].t(), out=both)
        torch.mul(F.silu(both[:, :n]), both[:, n:], out=other)

    return tk.Case(name, ours, peer, "cuBLAS, silu and mul", bytes=bytes, flops=4 * m * n * k, goal=goal, of_copy=of_copy)


def cases(lib, torch, tk):
    for n in (1024, 2048, 4096, 8192, 16384):
        yield plain(lib, tk, "gemm bf16 %d" % n, n, n, n, 0.6)
        if tk.gemm_peer:
            yield beside_peer(lib, tk, n, 0.95)
    yield plain(lib, tk, "gemm fp16 8192", 8192, 8192, 8192, 0.6, dtype=torch.float16)
    yield plain(lib, tk, "gemm bf16 8192, B along N", 8192, 8192, 8192, 0.6, by_k=False)
    for n in (1024, 4096, 8192):
        yield plain(lib, tk, "gemm f32 %d" % n, n, n, n, 0.6, dtype=torch.float32, by_k=False)
    for model, (hidden, middle, heads, kv) in MODELS.items():
        for m in (1, 16, 512, 4096):
            goal, of_copy = (0.9, True) if m == 1 else (1.0, False) if m == 16 else (0.6, False)
            at = "Qwen3 %s, %d tokens, " % (model, m)
            yield plain(lib, tk, at + "qkv", m, (heads + 2 * kv) * 128, hidden, goal, of_copy)
            yield plain(lib, tk, at + "o + residual", m, hidden, heads * 128, goal, of_copy, residual=True)
            yield gated(lib, tk, at + "gate, up", m, middle, hidden, goal, of_copy)
            yield plain(lib, tk, at + "down + residual", m, hidden, middle, goal, of_copy, residual=True)
            if m <= 16:
                yield plain(lib, tk, at + "lm_head", m, VOCABULARY, hidden, goal, of_copy)
