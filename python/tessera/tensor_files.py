"""Files of named tensors (.safetensors) as dictionaries of NumPy arrays, bfloat16 included."""

import json
import os
import pathlib
import stat
import tempfile

import numpy as np

_NAMES = {
    "BOOL": "bool",
    "U8": "uint8",
    "I8": "int8",
    "U16": "uint16",
    "I16": "int16",
    "U32": "uint32",
    "I32": "int32",
    "U64": "uint64",
    "I64": "int64",
    "F16": "float16",
    "BF16": "bfloat16",
    "F32": "float32",
    "F64": "float64",
    "C64": "complex64",
    "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2": "float8_e5m2",
    "F8_E8M0": "float8_e8m0fnu",
    "F8_E4M3FNUZ": "float8_e4m3fnuz",
    "F8_E5M2FNUZ": "float8_e5m2fnuz",
}


def dtype_of_ml(name):
    """A type that NumPy itself does not have, by its name there: "bfloat16", "int4"."""
    import ml_dtypes  # JAX brings this.

    return np.dtype(getattr(ml_dtypes, name))


def dtype_named(code):
    """NumPy's type for a name of the file format: "F32", "BOOL", "BF16"."""
    name = _NAMES[code]
    return dtype_of_ml(name) if code.startswith(("BF", "F8")) else np.dtype(name)


def _as_file_has(array):
    """`array` with its least byte first, or, as there is no code for them, both parts of double precision complex numbers in a last dimension."""
    array = array.astype(array.dtype.newbyteorder("<")) if array.dtype.byteorder == ">" else array
    return array.reshape(*array.shape, 1).view(np.float64) if array.dtype == np.complex128 else array


def write_tensors(tensors, path):
    """Writes arrays by name. A regular file appears whole or not at all; links and devices are written through."""
    codes = {name: code for code, name in _NAMES.items()}
    # The order of their dimensions is the file's.
    arrays = {name: _as_file_has(np.asarray(array, order="C")) for name, array in tensors.items()}
    header, offset = {}, 0
    for name, array in arrays.items():
        if array.dtype.name not in codes:
            raise TypeError(f"tensor '{name}': expected numbers of a type that programs have, got {array.dtype.name}")
        header[name] = {"dtype": codes[array.dtype.name], "shape": list(array.shape), "data_offsets": [offset, offset + array.nbytes]}
        offset += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with _open_whole(path) as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for array in arrays.values():
            file.write(array.tobytes())


class _open_whole:
    """A file to write to that takes the place of `path` when all has been written."""

    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()
        self.is_replaced = not self.path.exists() or stat.S_ISREG(self.path.stat().st_mode)

    def __enter__(self):
        if not self.is_replaced:
            self.file = open(self.path, "wb")
        else:
            self.file = tempfile.NamedTemporaryFile(dir=self.path.parent, prefix=f".{self.path.name}.", delete=False)
        return self.file

    def __exit__(self, kind, error, trace):
        self.file.close()
        if not self.is_replaced:
            return
        if error is not None:
            os.unlink(self.file.name)
            return
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(self.file.name, self.path.stat().st_mode & 0o777 if self.path.exists() else 0o666 & ~mask)
        os.replace(self.file.name, self.path)


def read_tensors(path):
    """All arrays of a file by name, in its order. Raises ValueError, which begins with the path, for what is no such file."""
    data = pathlib.Path(path).read_bytes()
    length = int.from_bytes(data[:8], "little")
    try:
        if len(data) < 8 + length:
            raise ValueError("truncated header")
        header = json.loads(data[8 : 8 + length])
        header.pop("__metadata__", None)
        tensors = {}
        for name, entry in header.items():
            first, last = entry["data_offsets"]
            dtype = dtype_named(entry["dtype"])
            if not 0 <= first <= last <= len(data) - 8 - length or last - first != dtype.itemsize * int(np.prod(entry["shape"], dtype=object)):
                raise ValueError(f"tensor '{name}' does not have the bytes of its shape")
            tensors[name] = np.frombuffer(data[8 + length + first : 8 + length + last], dtype).reshape(entry["shape"]).copy()
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path}: not a safetensors file: {error}") from None
    return tensors
