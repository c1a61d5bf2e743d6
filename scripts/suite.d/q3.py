"""The kernels of examples/qwen3/q3_kernels.h from Python: raw pointers."""
import ctypes

import torch
import tk


def call(lib, name, *args):
    keep = []
    for a in args:
        if a is None:
            keep.append(ctypes.c_void_p())
        elif isinstance(a, torch.Tensor):
            keep.append(ctypes.c_void_p(a.data_ptr()))
        elif isinstance(a, ctypes.Structure):
            keep.append(a)
        elif isinstance(a, float):
            keep.append(ctypes.c_float(a))
        else:
            keep.append(ctypes.c_int64(int(a)))
    status = getattr(lib.lib, "q3_" + name)(*keep, ctypes.c_void_p(torch.cuda.current_stream().cuda_stream))
    if status:
        raise tk.Failed(status, lib.lib.tk_message().decode())
