"""One token through the linear layers of Qwen3: the share of the copy speed, beside PyTorch's matrix times vector."""
import q3

MODELS = {"0.6B": (1024, 3072, 16), "4B": (2560, 9728, 32), "8B": (4096, 12288, 32)}
EPS = 1e-6


def cases(lib, torch, tk):
    g = torch.Generator("cuda").manual_seed(1)

    def draw(*shape):
        return torch.randn(*shape, device="cuda", generator=g, dtype=torch.bfloat16) * 0.02

    for model, (hidden, inner, heads) in MODELS.items():
        shapes = (("qkv", (heads + 16) * 128, hidden, True), ("o", hidden, heads * 128, False), ("down", hidden, inner, False),
                  ("lm_head", 151936, hidden, True))
        for what, n, k, with_norm in shapes:
            sets = max(2, min(64, (256 << 20) // (2 * n * k)))
            w = [draw(n, k) for _ in range(sets)]
            x, norm, residual, y = draw(k), draw(k), draw(n), draw(n)
            yield tk.Case("%s %s %dx%d" % (model, what, n, k),
                          lambda i: q3.call(lib, "linear", y, w[i % sets], x, norm if with_norm else None, None if with_norm else residual, n, k, EPS),
                          lambda i: torch.mv(w[i % sets], x, out=y), "torch.mv", bytes=2 * n * k + 2 * n + 2 * k, goal=0.9, of_copy=True)
        sets = max(2, min(64, (256 << 20) // (4 * inner * hidden)))
        gate, up = [draw(inner, hidden) for _ in range(sets)], [draw(inner, hidden) for _ in range(sets)]
        x, norm, y = draw(hidden), draw(hidden), draw(inner)
        yield tk.Case("%s gate/up %dx%d" % (model, inner, hidden), lambda i: q3.call(lib, "gated", y, gate[i % sets], up[i % sets], x, norm, inner, hidden, EPS),
                      lambda i: (torch.mv(gate[i % sets], x), torch.mv(up[i % sets], x)), "2 torch.mv", bytes=4 * inner * hidden, goal=0.9, of_copy=True)
