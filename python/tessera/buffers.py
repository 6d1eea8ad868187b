"""Memory for the results of calls, aligned as ranks write it in place and JAX takes it without a copy."""

import re

import numpy as np

from .tensor_files import dtype_named, dtype_of_ml

ALIGNMENT = 64
# Types of which JAX has several elements in a byte.
_PACKED = re.compile(r"u?int[24]|float[46]_\w+")
# Results up to this size share one piece of memory, which costs less than one for each; a result that is kept keeps it all.
_SMALL = 256


def dtype_of(name):
    """NumPy's type for one of a manifest: "f32", "i1", "bf16", "f8E4M3FN"."""
    # The file format has no double precision complex numbers.
    if name == "c128":
        return np.dtype(np.complex128)
    short = re.fullmatch(r"f(\d)(E\w+)|(u?)i([24])", name)
    if not short:
        return dtype_named({"i1": "BOOL"}.get(name, name.upper()))
    bits, format, sign, width = short.groups()
    return dtype_of_ml(f"float{bits}_{format.lower()}" if format else f"{sign}int{width}")


def is_packed(dtype):
    """Whether JAX has several elements of this type in a byte."""
    return bool(_PACKED.fullmatch(dtype.name))


def lying(array):
    """What tells how an array of JAX lies in memory: equal for arrays for which `lies_in_rows` is."""
    if not hasattr(array, "platform") or array.is_deleted():  # JAX has no layout of these, and ends the process if asked.
        return None
    return array.platform(), getattr(array, "_pjrt_layout", None)


def lies_in_rows(array):
    """Whether an array of JAX is in the host's memory, row by row; False where this JAX does not tell."""
    if array.is_deleted() or array.platform() != "cpu" or is_packed(array.dtype):
        return False
    layout = getattr(getattr(array, "format", None), "layout", None)
    return layout is not None and tuple(layout.major_to_minor) == tuple(range(array.ndim))


def _aligned(size):
    return -(-size // ALIGNMENT) * ALIGNMENT


def _memory(size):
    """(bytes, address), where the address is aligned."""
    memory = np.empty(size + ALIGNMENT, np.uint8)
    address = memory.__array_interface__["data"][0]
    offset = -address % ALIGNMENT
    return memory, offset, address + offset


class ResultBuffers:
    """Makes arrays of fixed shapes and types, again for each call; `shapes` are pairs of shape and type."""

    def __init__(self, shapes):
        self.pieces, self.shared = [], 0
        for shape, dtype in shapes:
            size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
            is_small = size <= _SMALL
            self.pieces.append((shape, dtype, size, self.shared if is_small else None))
            self.shared += _aligned(size) if is_small else 0

    def allocate(self):
        """Arrays with undefined content, and their addresses."""
        memory, start, address = _memory(self.shared)
        arrays, addresses = [], []
        for shape, dtype, size, offset in self.pieces:
            if offset is None:
                own, own_start, own_address = _memory(size)
                arrays.append(np.ndarray(shape, dtype, own, own_start))
                addresses.append(own_address)
            else:
                arrays.append(np.ndarray(shape, dtype, memory, start + offset))
                addresses.append(address + offset)
        return arrays, addresses
