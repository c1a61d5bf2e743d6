"""The library tk (examples/tk/tk.h) from Python, on tensors of PyTorch, and what the checks and benchmarks of the suite share."""
import ctypes
import math

import torch

RANK = 4
TYPES = {torch.float32: 0, torch.float16: 1, torch.bfloat16: 2, torch.int32: 3, torch.int64: 4}


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("type", ctypes.c_int), ("rank", ctypes.c_int),
                ("extent", ctypes.c_int64 * RANK), ("stride", ctypes.c_int64 * RANK)]


class Workspace(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("bytes", ctypes.c_size_t)]


class Failed(Exception):
    """A call's status, and its text."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def tensor(t):
    return Tensor(t.data_ptr(), TYPES[t.dtype], t.dim(), (ctypes.c_int64 * RANK)(*t.shape), (ctypes.c_int64 * RANK)(*t.stride()))


class Library:
    """lib.add(out, a, b) calls tk_add on the current stream. A tensor is passed by pointer, None as a null pointer, a float as float, an int as
    int64_t, a Workspace and other ctypes values as they are."""

    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        self.lib.tk_message.restype = ctypes.c_char_p

    def __getattr__(self, name):
        function = getattr(self.lib, "tk_" + name)

        def call(*args):
            keep = [convert(a) for a in args]
            stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
            status = function(*keep, stream)
            if status:
                raise Failed(status, self.lib.tk_message().decode())

        return call

    def bytes(self, name, *args):
        """What tk_NAME_workspace says."""
        function = getattr(self.lib, "tk_%s_workspace" % name)
        function.restype = ctypes.c_size_t
        return function(*[convert(a) for a in args])


def convert(a):
    if a is None:
        return ctypes.c_void_p()
    if isinstance(a, torch.Tensor):
        return ctypes.byref(tensor(a))
    if isinstance(a, float):
        return ctypes.c_float(a)
    if isinstance(a, (bool, int)):
        return ctypes.c_int64(int(a))
    return a


def workspace(bytes):
    """Fresh scratch memory, and the tensor that keeps it."""
    t = torch.empty(max(bytes, 256), dtype=torch.uint8, device="cuda")
    return Workspace(t.data_ptr(), bytes), t


# ---- checks ----

UNIT = {torch.float32: 2.0 ** -24, torch.float16: 2.0 ** -11, torch.bfloat16: 2.0 ** -8}


def poison(*shape, dtype):
    """An output in which an element that nobody writes shows: NaN, or a large integer."""
    return torch.full(shape, math.nan if dtype.is_floating_point else 0x5A5A5A5A, dtype=dtype, device="cuda")


def close(got, want, units, floor=0.0, what=""):
    """got is within units roundings of its type of want (float32 or float64); a rounding is of the larger of |want| and floor. NaN and
    infinity only where want has the same."""
    g, w = got.double(), want.double()
    odd = ~torch.isfinite(w)
    assert bool((g[odd] == w[odd]).logical_or(g[odd].isnan() & w[odd].isnan()).all()), "%s: not the same NaN or infinity" % what
    g, w = g[~odd], w[~odd]
    if not g.numel():
        return
    error = (g - w).abs() / (UNIT[got.dtype] * w.abs().clamp_min(floor).clamp_min(1e-30))
    worst = float(error.nan_to_num(nan=math.inf).max())
    assert worst <= units, "%s: off by %.3g roundings at most, %.3g allowed" % (what, worst, units)


def equal(got, want, what=""):
    assert torch.equal(got, want), "%s: %d of %d elements differ" % (what, int((got != want).sum()), got.numel())


def refused(status, call, what=""):
    """call fails with this status (its number in tk.h) and a text."""
    try:
        call()
    except Failed as f:
        assert f.status == status, "%s: status %d, not %d: %s" % (what, f.status, status, f)
        assert str(f), "%s: no text" % what
        return
    assert False, "%s: was not refused" % what


STATUS = {name: i for i, name in enumerate(
    ["OK", "NULL", "TYPE", "SHAPE", "ALIGNMENT", "OVERLAP", "SIZE", "WORKSPACE", "VALUE", "UNSUPPORTED", "DEVICE", "MEMORY", "FILE"])}


# ---- benchmarks ----

gemm_peer = None  # a library's path


class Case:
    """ours and peer: functions that launch once, on inputs that rotate (sets of them, so that no cache holds them); peer: None where the
    measure is the copy speed alone. bytes: what has to move, for the share of the copy speed. goal: the ratio to reach; of the peer's time to ours, or with
    of_copy of the copy speed."""

    def __init__(self, name, ours, peer=None, peer_name="", bytes=0, flops=0, goal=0.0, of_copy=False, graph=True):
        self.name, self.ours, self.peer, self.peer_name = name, ours, peer, peer_name
        self.bytes, self.flops, self.goal, self.of_copy, self.graph = bytes, flops, goal, of_copy, graph
