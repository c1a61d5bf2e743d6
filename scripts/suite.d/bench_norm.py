"""Benchmarks of tk_norm.h: against compiled PyTorch, and the copy speed."""
import torch.nn.functional as F

EPS = 1e-6
CACHES = 256 << 20  # what the rotating inputs hold together: no cache keeps them


def sets(bytes):
    return max(2, -(-CACHES // bytes))


def rmsnorm(x, weight):
    return F.rms_norm(x, (x.shape[-1],), weight, EPS)


def qwen3(x, weight):
    h = x.float()
    h = h * (h.pow(2).mean(-1, keepdim=True) + EPS).rsqrt()
    return weight * h.to(x.dtype)


def rmsnorm_add(residual, x, weight):
    residual += x
    return qwen3(residual, weight)


def layernorm(x, weight, bias):
    return F.layer_norm(x, (x.shape[-1],), weight, bias, EPS)


def cases(lib, torch, tk):
    def made(f):
        return torch.compile(f, dynamic=False)

    def tensors(n, *shape, dtype):
        return [torch.randn(shape, device="cuda").to(dtype) for _ in range(n)]

    shapes = [(16384, 1024), (16384, 2560), (16384, 4096), (16384, 5120), (8192, 8192), (4096, 16384), (2048, 32768), (1, 4096)]
    compared = {(16384, 2560), (16384, 4096), (1, 4096)}  # with compiled PyTorch too: compiling takes seconds each
    for dtype, (rows, cols) in [(torch.bfloat16, s) for s in shapes] + [(torch.float16, (16384, 4096)), (torch.float32, (16384, 4096))]:
        name = "%s %d x %d" % (str(dtype).replace("torch.", ""), rows, cols)
        big = rows >= 1024
        one = rows * cols * dtype.itemsize
        n = min(sets(2 * one), 64)
        x, out, res = (tensors(n, rows, cols, dtype=dtype) for _ in range(3))
        w = torch.randn(cols, device="cuda").to(dtype)
        b = torch.randn(cols, device="cuda").to(dtype)
        peers = dtype == torch.bfloat16 and (rows, cols) in compared
        # A compiled function for each shape: compiled code is for the shapes that it was first called with.
        plain, model, add, layer = made(rmsnorm), made(qwen3), made(rmsnorm_add), made(layernorm)
        yield tk.Case("rmsnorm " + name, lambda i, x=x, out=out, w=w, n=n: lib.rmsnorm(out[i % n], x[i % n], w, EPS, 0),
                      (lambda i, x=x, w=w, n=n, f=plain: f(x[i % n], w)) if peers else None, "torch.compile", bytes=2 * one,
                      goal=0.9 if big else 1.0, of_copy=big)
        yield tk.Case("rmsnorm qwen3 " + name, lambda i, x=x, out=out, w=w, n=n: lib.rmsnorm(out[i % n], x[i % n], w, EPS, 1),
                      (lambda i, x=x, w=w, n=n, f=model: f(x[i % n], w)) if peers else None, "torch.compile", bytes=2 * one,
                      goal=0.9 if big else 1.0, of_copy=big)
        yield tk.Case("rmsnorm add " + name, lambda i, x=x, out=out, res=res, w=w, n=n: lib.rmsnorm_add(out[i % n], res[i % n], x[i % n], w, EPS, 1),
                      (lambda i, x=x, res=res, w=w, n=n, f=add: f(res[i % n], x[i % n], w)) if peers else None, "torch.compile", bytes=4 * one,
                      goal=0.9 if big else 1.0, of_copy=big)
        yield tk.Case("layernorm " + name, lambda i, x=x, out=out, w=w, b=b, n=n: lib.layernorm(out[i % n], x[i % n], w, b, EPS),
                      (lambda i, x=x, w=w, b=b, n=n, f=layer: f(x[i % n], w, b)) if peers else None, "torch.compile", bytes=2 * one,
                      goal=0.9 if big else 1.0, of_copy=big)
        del x, out, res

    dtype = torch.bfloat16
    for tokens, heads, d in [(16384, 32, 128), (16384, 8, 128), (1, 40, 128), (16384, 32, 64)]:
        one = tokens * heads * d * dtype.itemsize
        n = min(sets(2 * one), 64)
        wide = tensors(n, tokens, heads + 16, d, dtype=dtype)  # heads of a projection to queries, keys and values
        out = tensors(n, tokens, heads, d, dtype=dtype)
        w = torch.randn(d, device="cuda").to(dtype)
        big = tokens >= 1024
        yield tk.Case("rmsnorm heads %d x %d x %d" % (tokens, heads, d),
                      lambda i, wide=wide, out=out, w=w, n=n, h=heads: lib.rmsnorm_heads(out[i % n], wide[i % n][:, :h], w, EPS, 1),
                      lambda i, wide=wide, w=w, n=n, h=heads, f=made(qwen3): f(wide[i % n][:, :h], w), "torch.compile", bytes=2 * one,
                      goal=0.9 if big else 1.0, of_copy=big)
        yield tk.Case("rmsnorm heads in place %d x %d x %d" % (tokens, heads, d),
                      lambda i, wide=wide, w=w, n=n, h=heads: lib.rmsnorm_heads(wide[i % n][:, :h], wide[i % n][:, :h], w, EPS, 1),
                      None, bytes=2 * one, goal=0.9 if big else 0.0, of_copy=True)
        del wide, out
