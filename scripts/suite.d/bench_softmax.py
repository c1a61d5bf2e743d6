"""Benchmarks of tk_softmax.h: against PyTorch, compiled where that helps it, and the copy speed."""

CACHES = 256 << 20  # what the rotating inputs hold together: no cache keeps them


def sets(bytes):
    return min(64, max(2, -(-CACHES // bytes)))


def cases(lib, torch, tk):
    def tensors(n, *shape, dtype):
        return [torch.randn(shape, device="cuda").to(dtype) for _ in range(n)]

    def room(call, x):
        w, keep = tk.workspace(lib.bytes(call, x))
        return w, keep

    bf16 = torch.bfloat16
    shapes = [(1 << 20, 64), (1 << 18, 256), (65536, 1024), (16384, 4096), (16384, 8192), (8192, 16384), (4096, 32768), (2048, 65536), (1024, 131072),
              (512, 151936), (512, 262144), (1, 151936), (8, 151936), (1, 262144)]
    for dtype, (rows, cols) in [(bf16, s) for s in shapes] + [(torch.float32, (16384, 4096)), (torch.float16, (16384, 4096)),
                                                              (torch.float32, (4096, 32768)), (bf16, (4096, 50257))]:
        name = "softmax %s %d x %d" % (str(dtype).replace("torch.", ""), rows, cols)
        one = rows * cols * dtype.itemsize
        n = sets(2 * one)
        x, out = (tensors(n, rows, cols, dtype=dtype) for _ in range(2))
        w, keep = room("softmax", x[0])
        big = rows >= 512
        yield tk.Case(name, lambda i, x=x, out=out, w=w, keep=keep, n=n: lib.softmax(out[i % n], x[i % n], w),
                      lambda i, x=x, n=n: torch.softmax(x[i % n], -1), "torch.softmax", bytes=2 * one,
                      goal=0.9 if big else 1.0, of_copy=big)
        if (rows, cols) not in {(16384, 4096), (4096, 32768)} or dtype != bf16:
            continue
        f = torch.compile(lambda x: torch.softmax(x, -1), dynamic=False)
        yield tk.Case(name + " (compiled peer)", lambda i, x=x, out=out, w=w, keep=keep, n=n: lib.softmax(out[i % n], x[i % n], w),
                      lambda i, x=x, n=n, f=f: f(x[i % n]), "torch.compile", bytes=2 * one, goal=1.0)

    for dtype, rows, cols in [(bf16, 1, 151936), (bf16, 16, 151936), (bf16, 256, 151936), (torch.float32, 1, 151936), (bf16, 1, 262144),
                              (bf16, 65536, 1024)]:
        one = rows * cols * dtype.itemsize
        n = sets(one)
        x = tensors(n, rows, cols, dtype=dtype)
        out = torch.empty(rows, dtype=torch.int32, device="cuda")
        w, keep = room("argmax", x[0])
        yield tk.Case("argmax %s %d x %d" % (str(dtype).replace("torch.", ""), rows, cols),
                      lambda i, x=x, out=out, w=w, keep=keep, n=n: lib.argmax(out, x[i % n], w),
                      lambda i, x=x, n=n: torch.argmax(x[i % n], -1), "torch.argmax", bytes=one, goal=1.0)
        del x

    # As little work as PyTorch can do it with: the sorted probabilities, cut, added up, and the first that exceeds the number.
    def draw(x, u, temperature, top_k, top_p):
        if top_k:
            v, at = torch.topk(x, top_k, -1)
        else:
            v, at = torch.sort(x, -1, descending=True)
        p = torch.softmax(v.float() / temperature, -1)
        before = p.cumsum(-1) - p
        p = torch.where(before < top_p, p, 0.0)
        upto = p.cumsum(-1)
        first = (upto <= u.unsqueeze(-1) * upto[:, -1:]).sum(-1, keepdim=True).clamp_max(p.shape[-1] - 1)
        return at.gather(-1, first)

    settings = [(bf16, 1, 20, 0.95), (bf16, 1, 0, 0.95), (bf16, 1, 0, 1.0), (bf16, 1, 50, 1.0), (bf16, 16, 20, 0.95), (bf16, 128, 20, 0.95),
                (torch.float32, 1, 20, 0.95)]
    cols = 151936
    for dtype, rows, top_k, top_p in settings:
        one = rows * cols * dtype.itemsize
        n = sets(one)
        x = [3 * t for t in tensors(n, rows, cols, dtype=dtype)]
        u = torch.rand(rows, device="cuda")
        out = torch.empty(rows, dtype=torch.int32, device="cuda")
        w, keep = room("sample", x[0])
        yield tk.Case("sample %s %d x %d, top_k %d, top_p %g" % (str(dtype).replace("torch.", ""), rows, cols, top_k, top_p),
                      lambda i, x=x, u=u, out=out, w=w, keep=keep, n=n, k=top_k, p=top_p: lib.sample(out, x[i % n], u, 0.6, k, p, w),
                      lambda i, x=x, u=u, n=n, k=top_k, p=top_p: draw(x[i % n], u, 0.6, k, p), "PyTorch", bytes=one, goal=1.0)
        del x
