"""Tensors of PyTorch as arrays, and back: without a copy where both can share memory."""

import numpy as np

# Types that NumPy has from ml_dtypes, by PyTorch's names: they pass as integers.
_AS_INTEGERS = {"bfloat16": "int16", "float8_e4m3fn": "uint8", "float8_e5m2": "uint8"}


def name_of(dtype):
    """`float32` for `torch.float32`."""
    return str(dtype).partition(".")[2]


def to_numpy(tensor):
    """A tensor as an array, in the tensor's memory if that lies in rows on the CPU; what is no tensor as it is."""
    import torch

    if not isinstance(tensor, torch.Tensor):
        return tensor
    tensor = tensor.detach().cpu().contiguous()
    name = name_of(tensor.dtype)
    if name not in _AS_INTEGERS:
        return tensor.numpy()
    import ml_dtypes

    return tensor.view(getattr(torch, _AS_INTEGERS[name])).numpy().view(getattr(ml_dtypes, name))


def to_torch(array, dtype=None):
    """An array as a tensor, by dlpack if it is whole on one device; of `dtype`, if PyTorch computes in one that JAX narrows."""
    import torch

    if hasattr(array, "sharding") and array.sharding.num_devices == 1 and array.dtype != bool and array.size:
        tensor = torch.from_dlpack(array)
    else:
        array = np.array(array)
        name = array.dtype.name
        integers = _AS_INTEGERS.get(name)
        tensor = torch.from_numpy(array.view(integers)).view(getattr(torch, name)) if integers else torch.from_numpy(array)
    return tensor if dtype is None or tensor.dtype == dtype else tensor.to(dtype)
