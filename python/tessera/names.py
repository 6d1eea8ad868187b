"""Names of arguments and results: the paths that JAX gives them in exported files."""

import difflib
import inspect
import re


def path_text(path):
    """A path of JAX as text, as in exported files: children of classes without keys have their number."""
    import jax

    return re.sub(r"<flat index (\d+)>", r"\1", jax.tree_util.keystr(path))


def named_leaves(fn, args, kwargs=None):
    """The leaves of a call's arguments by name, as `p['layers'][0]['w1']`: the names that exported files have.

    Arguments that are static, which are not in the file, have names here too.
    """
    import jax

    try:
        bound = inspect.signature(fn).bind(*args, **(kwargs or {}))
    except ValueError:  # A function that does not tell what it takes.
        given = {"args": args, "kwargs": kwargs or {}}
    else:
        given = bound.arguments
    return {name + path_text(path): leaf for name, arg in given.items() for path, leaf in jax.tree_util.tree_flatten_with_path(arg)[0]}


def argument_names(fn, args):
    """One name per leaf of `args`, in the order of the exported arguments."""
    return list(named_leaves(fn, args))


def default_result_names(results):
    """One name per leaf of `results`, as `result[0]['w1']`."""
    import jax

    return ["result" + path_text(path) for path, _ in jax.tree_util.tree_flatten_with_path(results)[0]]


def override_result_names(results, override):
    """Names from a callable on the default name, a dictionary from default names, or a tree of names like `results`."""
    import jax

    defaults = default_result_names(results)
    if override is None:
        return defaults
    if callable(override):
        return [override(name) for name in defaults]
    if isinstance(override, dict) and all(isinstance(key, str) and key in defaults for key in override):
        return [override.get(name, name) for name in defaults]
    names = jax.tree.leaves(override)
    if len(names) != len(defaults):
        raise ValueError(f"expected a tree of {len(defaults)} result names, got {len(names)}")
    return names


def nearest(name, names):
    """The end of a message about a name that is not among `names`: the one that may have been meant, if there is one."""
    near = difflib.get_close_matches(name, list(names), 1)
    return f"; did you mean '{near[0]}'?" if near else ""
