"""Names of arguments and results: the paths that JAX gives them in exported files."""

import inspect


def argument_names(fn, args):
    """One name per leaf of `args`, as `p['layers'][0]['w1']`, in the order of the exported arguments."""
    import jax

    parameters = list(inspect.signature(fn).parameters.values())
    names = []
    for index, arg in enumerate(args):
        positional = min(index, len(parameters) - 1)
        base = parameters[positional].name
        if parameters[positional].kind is inspect.Parameter.VAR_POSITIONAL:
            base = f"{base}[{index - positional}]"
        names += [base + jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_flatten_with_path(arg)[0]]
    return names


def default_result_names(results):
    """One name per leaf of `results`, as `result[0]['w1']`."""
    import jax

    return ["result" + jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_flatten_with_path(results)[0]]


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
