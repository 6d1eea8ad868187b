"""Trees of arrays: their leaves with the paths that name them, with JAX or without.

With JAX a tree is what it says: a pytree, of registered classes too. Without it, and within what JAX takes for leaves, dictionaries (in the order of their keys), lists, tuples,
named tuples and data classes are nodes, `None` is an empty one, and all else is a leaf. The paths are the same: those that JAX gives the
arguments and results of exported functions, as `['layers'][0].w`.
"""

import dataclasses
import sys

from .names import path_text


def _uses_jax():
    return sys.modules.get("jax") is not None


def is_key(leaf):
    """Whether a leaf, or the shape of one, is a random key of JAX."""
    if not _uses_jax() or not hasattr(leaf, "dtype"):
        return False
    import jax

    return jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key)


def flatten_with_names(tree):
    """The leaves with their paths, in JAX's order: a list of (path, leaf)."""
    if _uses_jax():
        import jax

        leaves, _ = jax.tree_util.tree_flatten_with_path(tree)
        return [named for path, leaf in leaves for named in _leaves(path_text(path), leaf)]
    return list(_leaves("", tree))


def unflatten(like, leaves):
    """A tree as `like`, with `leaves` in its place, which are in the order of `flatten_with_names`."""
    if _uses_jax():
        import jax

        leaves = iter(leaves)
        old, structure = jax.tree.flatten(like)
        return jax.tree.unflatten(structure, [_rebuild(leaf, leaves) for leaf in old])
    return _rebuild(like, iter(leaves))


def _children(node):
    """(path's end, child) of a node; None of a leaf."""
    if node is None:
        return []
    if isinstance(node, dict):
        return [(f"[{key!r}]", node[key]) for key in sorted(node)]
    if isinstance(node, tuple) and hasattr(node, "_fields"):
        return [(f".{name}", getattr(node, name)) for name in node._fields]
    if isinstance(node, (list, tuple)):
        return [(f"[{index}]", child) for index, child in enumerate(node)]
    if dataclasses.is_dataclass(node) and not isinstance(node, type):
        return [(f".{field.name}", getattr(node, field.name)) for field in dataclasses.fields(node)]
    return None


def _leaves(path, node):
    children = _children(node)
    if children is None:
        yield path, node
    else:
        for end, child in children:
            yield from _leaves(path + end, child)


def _rebuild(like, leaves):
    children = _children(like)
    if children is None:
        return next(leaves)
    values = [_rebuild(child, leaves) for _, child in children]
    if like is None:
        return None
    if isinstance(like, dict):
        made = dict(zip(sorted(like), values))
        return type(like)((key, made[key]) for key in like)
    if isinstance(like, tuple) and hasattr(like, "_fields"):
        return type(like)(*values)
    if isinstance(like, (list, tuple)):
        return type(like)(values)
    return dataclasses.replace(like, **{field.name: value for field, value in zip(dataclasses.fields(like), values)})
