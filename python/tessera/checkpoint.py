"""Checkpoints (docs/checkpoints.md) as dictionaries of arrays, and of other systems' checkpoints.

    tessera.checkpoint.from_orbax("orbax/1000", "run", name="p", step=1000)   # then: tessera-run step.tsx --checkpoint=run --resume

Each converter needs the package that wrote what it reads, and brings all of it into memory.
"""

import json
import math
import os
import pathlib
import re
import shutil
import zlib

import numpy as np

from .names import nearest
from .tensor_files import dtype_of_ml, read_tensors, write_tensors
from .trees import flatten_with_names

__all__ = ["from_hugging_face", "from_orbax", "from_torch", "latest", "read", "write"]

_BLOCK = 1 << 20
_TYPES = {"bool": "i1", "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64"} | {
    f"{sign}int{bits}": f"{letter}{bits}" for sign, letter in (("", "i"), ("u", "u")) for bits in (8, 16, 32, 64)
}
_SHORT = {
    "float8_e4m3fn": "f8E4M3FN",
    "float8_e4m3fnuz": "f8E4M3FNUZ",
    "float8_e5m2": "f8E5M2",
    "float8_e5m2fnuz": "f8E5M2FNUZ",
    "float8_e8m0fnu": "f8E8M0FNU",
}


def latest(folder):
    """The latest checkpoint in a folder, or the folder itself if it is one."""
    folder = pathlib.Path(folder)
    if (folder / "index.json").exists():
        return folder
    steps = [int(entry.name[5:]) for entry in folder.glob("step-*") if re.fullmatch(r"step-\d+", entry.name) and (entry / "index.json").exists()]
    if not steps:
        raise ValueError(f"{folder}: no checkpoint there")
    return folder / f"step-{max(steps)}"


def _block_sizes(shape, itemsize, block):
    """The bytes of each block of a piece, which follow each other."""
    most, inner, dims = max(1, block // itemsize), 1, list(shape)
    if 0 in dims:
        return []
    while dims and inner * dims[-1] <= most:
        inner *= dims.pop()
    if not dims:
        return [inner * itemsize]
    size, step, rows = dims.pop(), most // inner, int(np.prod(dims, dtype=np.int64))
    return [min(step, size - first) * inner * itemsize for _ in range(rows) for first in range(0, size, step)]


def _checksums(data, shape, itemsize, block):
    sums, at = [], 0
    for size in _block_sizes(shape, itemsize, block):
        sums.append(zlib.crc32(data[at : at + size]))
        at += size
    return sums


def read_index(folder):
    """The index of a checkpoint, if it is as it was written."""
    path = pathlib.Path(folder) / "index.json"
    text = path.read_bytes()
    first, _, rest = text.partition(b"\n")
    if first != b'{"crc32": "%08x",' % zlib.crc32(rest):
        raise ValueError(f"{path}: damaged: the checksum at the beginning of the index is not that of what follows")
    index = json.loads(text)
    if (index.get("format"), index.get("version")) != ("tessera-checkpoint", 1):
        raise ValueError(f"{path}: expected version 1 of the format of checkpoints, got {index.get('version')}")
    return index


def _cover(shape, pieces):
    """Whether pieces are the cells of a grid, which has each element of a tensor once."""
    if 0 in shape:
        return not pieces
    cuts = [sorted({piece["begin"][dim] for piece in pieces}) + [size] for dim, size in enumerate(shape)]
    ends = [dict(zip(cut, cut[1:])) for cut in cuts]
    cells = {tuple(piece["begin"]) for piece in pieces}
    return (
        all(cut[0] == 0 and cut == sorted(set(cut)) for cut in cuts)
        and len(cells) == len(pieces) == math.prod(map(len, ends))
        and all(ends[dim][begin] == begin + piece["size"][dim] for piece in pieces for dim, begin in enumerate(piece["begin"]))
    )


def read(folder):
    """All tensors of a checkpoint, or of the latest in a folder, by name. What is damaged is a ValueError."""
    folder = latest(folder)
    index = read_index(folder)
    dtypes = {code: name for name, code in _TYPES.items()}
    shorts = {code: name for name, code in _SHORT.items()}
    tensors = {}
    for name, tensor in index["tensors"].items():
        dtype_name = shorts.get(tensor.get("short_type"), dtypes[tensor["dtype"]])
        dtype = dtype_of_ml(dtype_name) if dtype_name.startswith(("bf", "float8")) else np.dtype(dtype_name)
        if not _cover(tensor["shape"], tensor["pieces"]):
            raise ValueError(f"{folder}: the pieces of tensor '{name}' do not cover it, each element once")
        array = np.empty(tensor["shape"], dtype)
        for piece in tensor["pieces"]:
            file = index["files"][piece["file"]]["name"]
            if os.sep in file or (folder / file).is_symlink():
                raise ValueError(f"{folder}: expected the name of a file in the checkpoint's folder, got '{file}'")
            with open(folder / file, "rb") as stream:
                stream.seek(piece["at"])
                data = stream.read(int(np.prod(piece["size"], dtype=np.int64)) * dtype.itemsize)
            if _checksums(data, piece["size"], dtype.itemsize, index["block"]) != piece["crc32"]:
                raise ValueError(f"{folder / file}: damaged: tensor '{name}' does not have its checksum")
            array[tuple(slice(begin, begin + size) for begin, size in zip(piece["begin"], piece["size"]))] = np.frombuffer(data, dtype).reshape(piece["size"])
        tensors[name] = array
    return tensors


def write(tensors, folder, step=0):
    """Writes arrays by name as the checkpoint `folder/step-N`, which `tessera-run --resume` goes on from; returns its path."""
    folder = pathlib.Path(folder)
    target, partial = folder / f"step-{step}", folder / f"step-{step}.tmp-{os.getpid()}"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    tensors = {name: np.ascontiguousarray(array).reshape(np.shape(array)) for name, array in tensors.items()}
    file = partial / "tensors.safetensors"
    write_tensors(tensors, file)
    with open(file, "rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        header = json.loads(stream.read(length))
        entries = {}
        for name, array in tensors.items():
            entries[name] = _entry(array, header[name], 8 + length, stream)
        os.fsync(stream.fileno())
    index = {
        "format": "tessera-checkpoint",
        "version": 1,
        "step": step,
        "position": step,
        "mesh": "tessera.checkpoint",
        "program": "",
        "block": _BLOCK,
        "files": [{"name": file.name, "size": file.stat().st_size}],
        "tensors": entries,
    }
    rest = json.dumps(index)[1:].encode() + b"\n"
    with open(partial / "index.json", "wb") as stream:
        stream.write(b'{"crc32": "%08x",\n' % zlib.crc32(rest) + rest)
        stream.flush()
        os.fsync(stream.fileno())
    if target.exists():
        old = folder / f"step-{step}.tmp-old"
        shutil.rmtree(old, ignore_errors=True)
        target.rename(old)
        partial.rename(target)
        shutil.rmtree(old)
    else:
        partial.rename(target)
    return target


def _entry(array, header, start, stream):
    """What an index says of an array that stands in a file as one piece."""
    entry = {"dtype": "u8", "short_type": _SHORT[array.dtype.name]} if array.dtype.name in _SHORT else {"dtype": _TYPES.get(array.dtype.name, "f32")}
    shape, itemsize = list(array.shape), array.dtype.itemsize
    if array.dtype.kind == "c":  # A program has both parts in a last dimension.
        entry, shape, itemsize = {"dtype": f"f{4 * itemsize}"}, shape + [2], itemsize // 2
    begin, end = header["data_offsets"]
    stream.seek(start + begin)
    piece = {"file": 0, "at": start + begin, "begin": [0] * len(shape), "size": shape, "crc32": _checksums(stream.read(end - begin), shape, itemsize, _BLOCK)}
    return entry | {"shape": shape, "pieces": [piece] if array.size else []}


def _renamed(tensors, names):
    """The arrays under the names of a program.

    names  None for the same names; a function of a name, which returns what an entry of the dictionary says; or a dictionary of patterns, in which each `*` stands for a part without a dot and comes back, in
           order, for each `*` of the name that it leads to. A pair of a name and a function changes the array, too (`np.transpose` for matrices that are
           stored by outputs); None leaves a tensor out.
    """
    if names is None:
        return tensors
    if callable(names):
        find = names
    else:
        patterns = [(re.compile(re.escape(pattern).replace(r"\*", r"([^.]*)")), target) for pattern, target in names.items()]

        def find(name):
            match, target = next(((match, target) for pattern, target in patterns if (match := pattern.fullmatch(name))), (None, None))
            if match is None:
                raise ValueError(f"no name for tensor '{name}'{nearest(name, list(names))}")
            if target is None:
                return None
            parts = iter(match.groups())
            target, change = target if isinstance(target, tuple) else (target, None)
            return re.sub(r"\*", lambda _: next(parts), target), change

    renamed = {}
    for name, array in tensors.items():
        target = find(name)
        if target is None:
            continue
        found, change = target if isinstance(target, tuple) else (target, None)
        if found in renamed:
            raise ValueError(f"two tensors become '{found}', the second is '{name}'")
        renamed[found] = change(array) if change else array
    return renamed


def from_orbax(path, folder, name=None, names=None, step=0):
    """Makes a checkpoint of one that Orbax has written: a tree, whose leaves are called as those of `tessera.save(tree, file, name=name)`."""
    import orbax.checkpoint as orbax

    path = pathlib.Path(path).resolve()
    with orbax.PyTreeCheckpointer() as checkpointer:
        metadata = checkpointer.metadata(path)
        tree = getattr(getattr(metadata, "item_metadata", metadata), "tree", metadata)
        import jax

        arguments = jax.tree.map(lambda _: orbax.RestoreArgs(restore_type=np.ndarray), tree)
        restored = checkpointer.restore(path, args=orbax.args.PyTreeRestore(restore_args=arguments))
    if name is None and isinstance(restored, dict):
        leaves = [(key + rest, leaf) for key in sorted(restored) for rest, leaf in flatten_with_names(restored[key])]
    else:
        leaves = [((name or "result") + rest, leaf) for rest, leaf in flatten_with_names(restored)]
    return write(_renamed({leaf_name: np.asarray(leaf) for leaf_name, leaf in leaves}, names), folder, step)


def from_torch(path, folder, names=None, step=0):
    """Makes a checkpoint of one of PyTorch's DCP (`torch.distributed.checkpoint`): its tensors; other objects are left out.

    DCP's metadata is a pickle: read only what you trust."""
    import torch
    import torch.distributed.checkpoint as dcp

    reader = dcp.FileSystemReader(path)
    described = reader.read_metadata().state_dict_metadata
    state = {key: torch.empty(entry.size, dtype=entry.properties.dtype) for key, entry in described.items() if hasattr(entry, "size")}
    dcp.load(state, storage_reader=reader, no_dist=True)
    return write(_renamed({key: _as_numpy(tensor) for key, tensor in state.items()}, names), folder, step)


def _as_numpy(tensor):
    """An array of a tensor of PyTorch's, also of types that NumPy lacks."""
    import torch

    if tensor.dtype == torch.bfloat16 or tensor.dtype.itemsize == 1 and tensor.dtype.is_floating_point:
        bits = tensor.view(torch.int16 if tensor.dtype.itemsize == 2 else torch.uint8).numpy()
        return bits.view(dtype_of_ml(str(tensor.dtype).removeprefix("torch.")))
    return tensor.numpy()


def from_hugging_face(path, folder, names=None, step=0):
    """Makes a checkpoint of a model in `.safetensors` files: one, or a folder of them with or without `model.safetensors.index.json`."""
    path = pathlib.Path(path)
    index = path / "model.safetensors.index.json"
    if path.is_file():
        files = [path]
    elif index.exists():
        files = [path / file for file in sorted(set(json.loads(index.read_text())["weight_map"].values()))]
    else:
        files = sorted(path.glob("*.safetensors"))
    if not files:
        raise ValueError(f"{path}: no .safetensors file there")
    tensors = {}
    for file in files:
        for name, array in read_tensors(file).items():
            if name in tensors:
                raise ValueError(f"{file}: tensor '{name}' is in another file, too")
            tensors[name] = array
    return write(_renamed(tensors, names), folder, step)
