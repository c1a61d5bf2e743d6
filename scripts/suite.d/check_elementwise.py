"""Copies, casts, sums, products and activations against PyTorch."""
import itertools
import math

import tk

SHAPES = [(), (1,), (7,), (8192 + 5,), (3, 5), (33, 128), (129, 1000), (2, 3, 4, 40), (70, 17), (65, 4104), (1, 100003)]
LAYOUTS = ["dense", "shifted", "gaps", "shifted gaps"]
SPECIAL = [0.0, -0.0, math.inf, -math.inf, math.nan, 50.0, -50.0, 1e-3, -1e-3, 1e-7]
LARGE = [3e38, -3e38, 1e19, -1e19]


def blank(torch, shape, dtype, layout, value):
    """A tensor in a layout, and all of its memory, every element of which holds value."""
    shape = list(shape)
    if not shape:
        layout = "dense"
    pad = {"dense": 0, "shifted": 0, "gaps": 8, "shifted gaps": 3}[layout]
    shift = 1 if layout.startswith("shifted") else 0
    wide = shape[:-1] + [shape[-1] + pad] if shape else []
    memory = torch.full((math.prod(wide) + shift,), value, dtype=dtype, device="cuda")
    t = memory[shift:].view(wide)
    return (t[..., :shape[-1]] if pad else t), memory


def random(torch, shape, dtype, layout, seed, special=(), scale=3.0):
    """Normal numbers, and the special ones at random places."""
    t, _ = blank(torch, shape, dtype, layout, 0)
    g = torch.Generator(device="cuda").manual_seed(seed)
    x = torch.randn(tuple(shape), generator=g, device="cuda") * scale
    if special and x.numel() > 4:
        pick = torch.randint(0, len(special), x.shape, generator=g, device="cuda")
        some = torch.rand(x.shape, generator=g, device="cuda") < 0.3
        x = torch.where(some, torch.tensor(special, device="cuda")[pick], x)
    t.copy_(x)
    return t


def output(torch, shape, dtype, layout):
    return blank(torch, shape, dtype, layout, math.nan if dtype.is_floating_point else 0x5A5A)


def untouched(torch, out, memory, what):
    """What lies between and before the rows is as it was: their number of poisoned elements, once the rows are poisoned again."""
    if not out.dtype.is_floating_point:
        return
    out.fill_(math.nan)
    assert bool(memory.isnan().all()), "%s: an element outside the output was written" % what


def alike(got, want, what):
    """The same numbers, NaN where the other has it."""
    if got.dtype.is_floating_point:
        tk.close(got, want, 0.0, what=what)
    else:
        tk.equal(got, want, what)


def silu(x):
    return x / (1 + (-x).exp())


def references(torch):
    erf = lambda x: 0.5 * x * torch.special.erfc(-x / math.sqrt(2.0))
    tanh = lambda x: 0.5 * x * (1 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x)))
    return {"silu": silu, "gelu_erf": erf, "gelu_tanh": tanh}


def tolerance(torch, name, dtype):
    """Roundings, and the floor that they are taken of. GELU's tail in f32 is as good as the argument of the exponential."""
    if dtype == torch.float32:
        return (6, 1e-30) if name == "silu" else (16, 0.05)
    if dtype == torch.float16:
        return 1.5, (1e-3 if name == "gelu_erf" else 6.2e-5)
    return 1.5, (4e-6 if name.startswith("gelu") else 1e-30)


def cases(lib, torch):
    floats = [torch.float32, torch.float16, torch.bfloat16]
    yield "copy", lambda: check_copy(lib, torch, floats + [torch.int32, torch.int64])
    yield "cast", lambda: check_cast(lib, torch, floats)
    for name in ["add", "mul"]:
        yield name, lambda name=name: check_sum(lib, torch, name, floats)
    for name in ["silu", "gelu_erf", "gelu_tanh"]:
        yield name, lambda name=name: check_activation(lib, torch, name, floats)
    yield "swiglu", lambda: check_swiglu(lib, torch, floats)
    yield "every 16-bit number", lambda: check_every(lib, torch)
    yield "in place", lambda: check_in_place(lib, torch, floats)
    yield "more than 2^31 elements", lambda: check_large(lib, torch)
    yield "empty", lambda: check_empty(lib, torch)
    yield "refusals", lambda: check_refusals(lib, torch)


def check_copy(lib, torch, types):
    for seed, (shape, dtype) in enumerate(itertools.product(SHAPES, types)):
        for a, b in [("dense", "dense"), ("shifted", "dense"), ("gaps", "dense"), ("dense", "gaps"), ("gaps", "gaps"), ("gaps", "shifted gaps")]:
            what = "copy %s %s %s to %s" % (shape, dtype, b, a)
            x = random(torch, shape, dtype, b, seed, SPECIAL if dtype.is_floating_point else ())
            out, memory = output(torch, shape, dtype, a)
            lib.copy(out, x)
            alike(out, x, what)
            untouched(torch, out, memory, what)


def check_cast(lib, torch, types):
    for seed, (shape, to, of) in enumerate(itertools.product(SHAPES, types, types)):
        for a, b in itertools.product(LAYOUTS, LAYOUTS) if to != of else [("dense", "dense")]:
            what = "cast %s %s %s to %s %s" % (shape, of, b, to, a)
            x = random(torch, shape, of, b, seed, SPECIAL + LARGE, 300.0)
            out, memory = output(torch, shape, to, a)
            lib.cast(out, x)
            alike(out, x.to(to), what)
            untouched(torch, out, memory, what)


def check_sum(lib, torch, name, types):
    op = torch.add if name == "add" else torch.mul
    for seed, (shape, dtype) in enumerate(itertools.product(SHAPES, types)):
        for layouts in [("dense",) * 3, ("shifted", "dense", "dense"), ("dense", "gaps", "dense"), ("gaps",) * 3, ("dense", "dense", "shifted gaps")]:
            what = "%s %s %s %s" % (name, shape, dtype, layouts)
            a = random(torch, shape, dtype, layouts[1], seed, SPECIAL + LARGE)
            b = random(torch, shape, dtype, layouts[2], seed + 1000, SPECIAL + LARGE)
            out, memory = output(torch, shape, dtype, layouts[0])
            getattr(lib, name)(out, a, b)
            alike(out, op(a.float(), b.float()).to(dtype), what)
            untouched(torch, out, memory, what)


def check_activation(lib, torch, name, types):
    reference = references(torch)[name]
    for seed, (shape, dtype) in enumerate(itertools.product(SHAPES, types)):
        for a, b in [("dense", "dense"), ("shifted", "dense"), ("gaps", "gaps"), ("dense", "shifted gaps")]:
            what = "%s %s %s %s %s" % (name, shape, dtype, a, b)
            x = random(torch, shape, dtype, b, seed, SPECIAL + LARGE)
            out, memory = output(torch, shape, dtype, a)
            getattr(lib, name)(out, x)
            units, floor = tolerance(torch, name, dtype)
            tk.close(out, reference(x.double()), units, floor, what)
            untouched(torch, out, memory, what)


def check_swiglu(lib, torch, types):
    for seed, (shape, dtype) in enumerate(itertools.product(SHAPES, types)):
        for layouts in [("dense",) * 3, ("shifted", "dense", "dense"), ("dense", "gaps", "gaps"), ("gaps", "shifted gaps", "dense")]:
            what = "swiglu %s %s %s" % (shape, dtype, layouts)
            gate = random(torch, shape, dtype, layouts[1], seed, SPECIAL)
            up = random(torch, shape, dtype, layouts[2], seed + 1000, SPECIAL)
            out, memory = output(torch, shape, dtype, layouts[0])
            lib.swiglu(out, gate, up)
            tk.close(out, silu(gate.double()) * up.double(), 8 if dtype == torch.float32 else 1.5,
                     6.2e-5 if dtype == torch.float16 else 1e-30, what)
            untouched(torch, out, memory, what)
    for dtype in types:  # the halves of a fused projection's rows
        both = random(torch, (37, 2 * 384), dtype, "dense", 5)
        out = tk.poison(37, 384, dtype=dtype)
        lib.swiglu(out, both[:, :384], both[:, 384:])
        tk.close(out, silu(both[:, :384].double()) * both[:, 384:].double(), 8 if dtype == torch.float32 else 1.5,
                 6.2e-5 if dtype == torch.float16 else 1e-30, "halves")


def check_every(lib, torch):
    bits = torch.arange(-2 ** 15, 2 ** 15, dtype=torch.int32, device="cuda").to(torch.int16)
    for dtype in [torch.float16, torch.bfloat16]:
        x = bits.view(dtype)
        for name, reference in references(torch).items():
            out = tk.poison(x.numel(), dtype=dtype)
            getattr(lib, name)(out, x)
            units, floor = tolerance(torch, name, dtype)
            tk.close(out, reference(x.double()), units, floor, "%s of every %s" % (name, dtype))
        for to in [torch.float32, torch.float16, torch.bfloat16]:
            out = tk.poison(x.numel(), dtype=to)
            lib.cast(out, x)
            alike(out, x.to(to), "every %s to %s" % (dtype, to))
        out = torch.zeros_like(bits).view(dtype)
        lib.copy(out, x)
        tk.equal(out.view(torch.int16), bits, "copy of every %s, NaN's bits included" % dtype)


def check_in_place(lib, torch, types):
    for dtype, layout, shape in itertools.product(types, LAYOUTS, [(5000,), (129, 1000), (70, 17)]):
        what = "%s %s %s" % (dtype, layout, shape)
        b = random(torch, shape, dtype, "dense", 2)
        for name, second in [("add", False), ("add", True), ("mul", False), ("mul", True)]:
            x = random(torch, shape, dtype, layout, 1)
            want = getattr(torch, name)(x.float(), b.float()).to(dtype)
            getattr(lib, name)(x, *((b, x) if second else (x, b)))
            alike(x, want, "%s in place, %s" % (name, what))
        for name, reference in references(torch).items():
            x = random(torch, shape, dtype, layout, 3)
            want = reference(x.double())
            getattr(lib, name)(x, x)
            tk.close(x, want, *tolerance(torch, name, dtype), "%s in place, %s" % (name, what))
        x = random(torch, shape, dtype, layout, 4)
        want = silu(x.double()) * b.double()
        lib.swiglu(x, x, b)
        tk.close(x, want, 8 if dtype == torch.float32 else 1.5, 6.2e-5 if dtype == torch.float16 else 1e-30, "swiglu in place, %s" % what)


def check_large(lib, torch):
    n = 2 ** 31 + 5
    a = torch.full((n,), 1.0, dtype=torch.bfloat16, device="cuda")
    b = torch.full((n,), 2.0, dtype=torch.bfloat16, device="cuda")
    for place in [0, 2 ** 31 - 1, 2 ** 31, n - 1]:
        a[place] = 5.0
    lib.add(b, a, b)
    assert int((b == 3).sum()) == n - 4 and int((b == 7).sum()) == 4, "add of 2^31 + 5 elements"
    lib.copy(a, b)
    assert bool((a == b).all()), "copy of 2^31 + 5 elements"
    del a, b
    x = torch.zeros(70000, 32768, dtype=torch.bfloat16, device="cuda")
    x[:, :120] = torch.arange(70000, device="cuda").remainder(200).to(torch.bfloat16)[:, None]
    out = tk.poison(70000, 120, dtype=torch.bfloat16)
    lib.copy(out, x[:, :120])
    tk.equal(out, x[:, :120], "copy of rows over 2^31 elements")
    lib.silu(x[:, :120], x[:, :120])
    tk.close(x[:, :120], silu(out.double()), 1.5, what="silu of rows over 2^31 elements")
    assert bool((x[:, 120:] == 0).all()), "silu between rows"
    del x, out
    torch.cuda.empty_cache()


def check_empty(lib, torch):
    for shape in [(0,), (0, 5), (5, 0), (2, 0, 3, 4)]:
        x = torch.empty(shape, device="cuda")
        y = torch.empty(shape, device="cuda")
        z = torch.empty(shape, device="cuda")
        for name in ["copy", "cast", "silu", "gelu_erf", "gelu_tanh"]:
            getattr(lib, name)(y, x)
        for name in ["add", "mul", "swiglu"]:
            getattr(lib, name)(z, x, y)


def check_refusals(lib, torch):
    S = tk.STATUS
    f = lambda *shape, dtype=torch.float32: torch.zeros(shape, dtype=dtype, device="cuda")
    one = ["copy", "cast", "silu", "gelu_erf", "gelu_tanh"]
    two = ["add", "mul", "swiglu"]
    for name in one:
        call = getattr(lib, name)
        tk.refused(S["NULL"], lambda: call(None, f(4)), name)
        tk.refused(S["NULL"], lambda: call(f(4), None), name)
        tk.refused(S["SHAPE"], lambda: call(f(4), f(5)), name)
        tk.refused(S["SHAPE"], lambda: call(f(4), f(4, 1)), name)
        tk.refused(S["SHAPE"], lambda: call(f(1).expand(4), f(4)), name + " to one place")
        tk.refused(S["SHAPE"], lambda: call(f(4, 8), f(1, 8).expand(4, 8)), name + " of one row for all")
        tk.refused(S["UNSUPPORTED"], lambda: call(f(4, 8), f(4, 16)[:, ::2]), name + " of every other element")
        tk.refused(S["UNSUPPORTED"], lambda: call(f(4, 8), f(8, 4).t()), name + " of columns")
        both = f(100)
        tk.refused(S["OVERLAP"], lambda: call(both[:64], both[1:65]), name)
        if name != "cast":
            tk.refused(S["TYPE"], lambda: call(f(4), f(4, dtype=torch.bfloat16)), name)
        if name != "copy":
            tk.refused(S["TYPE"], lambda: call(f(4, dtype=torch.int32), f(4, dtype=torch.int32)), name)
    x = f(64)
    tk.refused(S["OVERLAP"], lambda: lib.copy(x, x), "copy in place")
    for name in two:
        call = getattr(lib, name)
        tk.refused(S["NULL"], lambda: call(None, f(4), f(4)), name)
        tk.refused(S["NULL"], lambda: call(f(4), None, f(4)), name)
        tk.refused(S["NULL"], lambda: call(f(4), f(4), None), name)
        tk.refused(S["SHAPE"], lambda: call(f(4), f(5), f(4)), name)
        tk.refused(S["SHAPE"], lambda: call(f(4), f(4), f(2, 2)), name)
        tk.refused(S["TYPE"], lambda: call(f(4), f(4), f(4, dtype=torch.float16)), name)
        tk.refused(S["TYPE"], lambda: call(*[f(4, dtype=torch.int64)] * 3), name)
        both = f(100)
        tk.refused(S["OVERLAP"], lambda: call(both[:64], both[8:72], f(64)), name)
        tk.refused(S["OVERLAP"], lambda: call(both[:64], f(64), both[8:72]), name)
    x = f(64)
    tk.refused(S["OVERLAP"], lambda: lib.swiglu(x, f(64), x), "swiglu in the place of up")
    tk.refused(S["OVERLAP"], lambda: lib.add(x, x, x), "all one tensor")
