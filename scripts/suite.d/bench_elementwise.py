"""Copies, casts, sums, products and activations: of the copy speed, beside PyTorch's own kernels."""
import math

BYTES = 192 << 20  # of all sets together, so that no cache holds them


def sets(bytes):
    return max(2, math.ceil(BYTES / bytes))


def cases(lib, torch, tk):
    F = torch.nn.functional
    swiglu = torch.compile(lambda g, u: F.silu(g) * u)
    sizes = [("64 Mi", (1 << 26,)), ("4096 x 4096", (4096, 4096))]
    types = [torch.bfloat16, torch.float16, torch.float32]

    def name(what, dtype, size):
        return "%s %s %s" % (what, str(dtype).replace("torch.", ""), size)

    def make(shape, dtype, tensors):
        """Sets of so many tensors; the first is the output."""
        count = sets(tensors * math.prod(shape) * dtype.itemsize)
        return [[torch.randn(shape, device="cuda").to(dtype) for _ in range(tensors)] for _ in range(count)]

    def case(what, dtype, size, data, bytes, ours, peer, peer_name):
        n = len(data)
        return tk.Case(name(what, dtype, size), lambda i: ours(*data[i % n]), lambda i: peer(*data[i % n]), peer_name, bytes=bytes, goal=0.97,
                       of_copy=True)

    for size, shape in sizes:
        numel = math.prod(shape)
        for dtype in types:
            width = dtype.itemsize
            if dtype != torch.float16:
                data = make(shape, dtype, 2)
                yield case("copy", dtype, size, data, 2 * width * numel, lib.copy, lambda o, a: o.copy_(a), "copy_")
            data = make(shape, dtype, 3)
            yield case("add", dtype, size, data, 3 * width * numel, lib.add, lambda o, a, b: torch.add(a, b, out=o), "torch.add")
            if dtype != torch.float16:
                yield case("mul", dtype, size, data, 3 * width * numel, lib.mul, lambda o, a, b: torch.mul(a, b, out=o), "torch.mul")
                yield case("residual in place", dtype, size, data, 3 * width * numel, lambda o, a, b: lib.add(a, a, b),
                           lambda o, a, b: a.add_(b), "add_")
            yield case("swiglu", dtype, size, data, 3 * width * numel, lib.swiglu, lambda o, g, u: swiglu(g, u), "torch.compile")
            data = make(shape, dtype, 2)
            yield case("silu", dtype, size, data, 2 * width * numel, lib.silu, lambda o, a: torch.ops.aten.silu.out(a, out=o), "silu")
            yield case("gelu_erf", dtype, size, data, 2 * width * numel, lib.gelu_erf,
                       lambda o, a: torch.ops.aten.gelu.out(a, approximate="none", out=o), "gelu")
            yield case("gelu_tanh", dtype, size, data, 2 * width * numel, lib.gelu_tanh,
                       lambda o, a: torch.ops.aten.gelu.out(a, approximate="tanh", out=o), "gelu tanh")
        for to, of in [(torch.float32, torch.bfloat16), (torch.bfloat16, torch.float32), (torch.float16, torch.bfloat16)]:
            bytes = (to.itemsize + of.itemsize) * numel
            data = [[torch.empty(shape, dtype=to, device="cuda"), torch.randn(shape, device="cuda").to(of)] for _ in range(sets(bytes))]
            yield case("cast to", to, "from %s %s" % (str(of).replace("torch.", ""), size), data, bytes, lib.cast, lambda o, a: o.copy_(a),
                       "copy_")

    # Rows with gaps: the halves of a fused projection (4B: 2 x 9728), and slices of fused q, k, v (4B: 4096 + 2 x 1024).
    tokens, inner = 2048, 9728
    count = sets(tokens * inner * 6)
    data = [(torch.empty(tokens, inner, dtype=torch.bfloat16, device="cuda"), torch.randn(tokens, 2 * inner, device="cuda").bfloat16())
            for _ in range(count)]
    fused_swiglu = torch.compile(lambda x: F.silu(x[:, :inner]) * x[:, inner:])
    yield tk.Case("swiglu of fused rows bfloat16 2048 x 9728",
                  lambda i: lib.swiglu(data[i % count][0], data[i % count][1][:, :inner], data[i % count][1][:, inner:]),
                  lambda i: fused_swiglu(data[i % count][1]), "torch.compile", bytes=6 * tokens * inner, goal=0.95, of_copy=True)
    tokens = 8192
    slices = sets(tokens * 4096 * 4)
    fused = [(torch.empty(tokens, 4096, dtype=torch.bfloat16, device="cuda"), torch.randn(tokens, 6144, device="cuda").bfloat16())
             for _ in range(slices)]
    yield tk.Case("copy of a slice bfloat16 8192 x 4096 of 6144", lambda i: lib.copy(fused[i % slices][0], fused[i % slices][1][:, :4096]),
                  lambda i: fused[i % slices][0].copy_(fused[i % slices][1][:, :4096]), "copy_", bytes=4 * tokens * 4096, goal=0.95, of_copy=True)
    # Small ones: what a launch costs.
    small = [[torch.randn(2560, device="cuda").bfloat16() for _ in range(3)] for _ in range(2)]
    yield tk.Case("add bfloat16 2560", lambda i: lib.add(*small[i % 2]), lambda i: torch.add(small[i % 2][1], small[i % 2][2], out=small[i % 2][0]),
                  "torch.add", bytes=6 * 2560, goal=1.0)
