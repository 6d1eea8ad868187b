"""Trees of arrays in files that `tessera-run` reads and writes."""

import numbers
import os

import numpy as np

from . import checkpoint
from .entry_points import describe
from .names import nearest
from .tensor_files import read_tensors, write_tensors
from .trees import flatten_with_names, is_key, unflatten


def _names_of(tree, name):
    """(name, leaf) of all leaves, with the names that a program's arguments or results have."""
    if name is None and _is_by_name(tree):
        return [(key + path, leaf) for key in sorted(tree) for path, leaf in flatten_with_names(tree[key])]
    return [((name or "result") + path, leaf) for path, leaf in flatten_with_names(tree)]


def _is_by_name(tree):
    return isinstance(tree, dict) and all(isinstance(key, str) for key in tree)


def _as_array(leaf):
    """What a program expects for a leaf: of numbers without a type, what JAX makes of them unless it has been told to use 64 bits."""
    if is_key(leaf):
        import jax

        leaf = jax.random.key_data(leaf)
    if isinstance(leaf, (bool, np.bool_)) or hasattr(leaf, "dtype"):
        return np.asarray(leaf)
    if isinstance(leaf, numbers.Integral):
        return np.asarray(leaf, np.int32 if -(2**31) <= leaf < 2**31 else np.int64)
    if isinstance(leaf, numbers.Real):
        return np.asarray(leaf, np.float32)
    raise TypeError(f"expected arrays and numbers, got {type(leaf).__name__}")


def save(tree, file, name=None):
    """Writes a tree of arrays to a .safetensors file, with the names that its leaves have in exported programs.

    tree  arrays of NumPy or JAX, numbers and random keys in dictionaries, lists, tuples, data classes and, with JAX, whatever it
          knows as a tree.
    name  of the argument that the tree is, as `"p"` for `p['layers'][0]['w1']`. By default a dictionary is one of arguments by their
          names, `{"p": parameters, "batch": batch}`, for `tessera-run --inputs`; anything else is what a function returns, `result`, for
          `tessera-run --expect`.
    """
    tensors = {}
    for leaf_name, leaf in _names_of(tree, name):
        try:
            tensors[leaf_name] = _as_array(leaf)
        except TypeError as error:
            raise TypeError(f"'{leaf_name}': {error}") from None
    write_tensors(tensors, file)


def load(file, like=None, name=None):
    """Reads what `save` or `tessera-run --outputs` has written, or a checkpoint: a folder, in which the latest counts.

    like  a tree like the one to return: of arrays, numbers, keys, or shapes (`jax.ShapeDtypeStruct`), which the file's must match. Arrays of
          JAX are returned as such, all others as NumPy's. Without it, a dictionary of arrays by their names in the file.
    name  as for `save`; by default also the one name under which the file has all of the tree.
    """
    tensors = checkpoint.read(file) if os.path.isdir(file) else read_tensors(file)
    if like is None:
        return tensors
    named = None if name is None and not _is_by_name(like) else _names_of(like, name)
    if name is None and (named is None or any(leaf_name not in tensors for leaf_name, _ in named)):
        named = _find_name(like, tensors) or named or _names_of(like, "result")
    return unflatten(like, [_as_like(leaf, leaf_name, tensors, file) for leaf_name, leaf in named])


def _find_name(like, tensors):
    """The leaves of `like` by the only name that the file has all of them under; None if there is none."""
    leaves = flatten_with_names(like)
    if not leaves:
        return []
    first = leaves[0][0]
    candidates = {name[: len(name) - len(first)] for name in tensors if name.endswith(first)}
    found = [base for base in candidates if base and all(base + path in tensors for path, _ in leaves)]
    return [(found[0] + path, leaf) for path, leaf in leaves] if len(found) == 1 else None


def _as_like(leaf, name, tensors, file):
    if name not in tensors:
        raise ValueError(f"{file}: no tensor '{name}'{nearest(name, tensors)}")
    array = tensors[name]
    if hasattr(leaf, "shape") and hasattr(leaf, "dtype"):
        expected = _key_shape(leaf) if is_key(leaf) else (tuple(leaf.shape), np.dtype(leaf.dtype))
        if (array.shape, array.dtype) != expected:
            raise ValueError(f"{file}: tensor '{name}': expected {describe(*expected)}, got {describe(array.shape, array.dtype)}")
    elif array.shape != ():
        raise ValueError(f"{file}: tensor '{name}': expected a number, got {describe(array.shape, array.dtype)}")
    if is_key(leaf):
        import jax

        return jax.random.wrap_key_data(array, impl=leaf.dtype._impl.name)
    if isinstance(leaf, (bool, int, float)):
        return type(leaf)(array)
    if type(leaf).__module__.startswith("jax") and type(leaf).__name__ != "ShapeDtypeStruct":
        import jax

        return jax.numpy.asarray(array)
    return array


def _key_shape(key):
    import jax

    data = jax.eval_shape(jax.random.key_data, key)
    return tuple(data.shape), np.dtype(data.dtype)
