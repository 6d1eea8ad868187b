"""From a JAX function to a model file."""

from . import stablehlo


def _result_names(result_names, shapes):
    """One name per result, from a callable on the default name, a dictionary from default names, or a tree of names."""
    import jax

    paths = [path for path, _ in jax.tree_util.tree_flatten_with_path(shapes)[0]]
    defaults = ["result" + jax.tree_util.keystr(path) for path in paths]
    if callable(result_names):
        return [result_names(name) for name in defaults]
    if isinstance(result_names, dict) and all(isinstance(key, str) and key in defaults for key in result_names):
        return [result_names.get(name, name) for name in defaults]
    names = jax.tree.leaves(result_names)
    if len(names) != len(defaults):
        raise ValueError(f"expected a tree of {len(defaults)} result names, got {len(names)}")
    return names


def export(fn, *args, path=None, result_names=None, root="."):
    """Lowers the JAX function `fn` for the arguments `args` and returns the text of the model file.

    fn            a function that `jax.jit` has seen (with its shardings and donations), or a plain one. Meshes may be
                  `jax.sharding.AbstractMesh`, so that no devices are needed.
    args          arrays, or `jax.ShapeDtypeStruct` for their shapes alone.
    path          also write the text to this file.
    result_names  names for the results instead of `result[0]['w']`: a callable from the default name to the new one, a
                  dictionary from default names, or a tree of strings with the shape of the result. With the names of
                  another program's arguments, this program's output file is that program's input file.
    root          source paths in locations become relative to this folder.
    """
    import jax

    jitted = fn if hasattr(fn, "trace") else jax.jit(fn)
    traced = jitted.trace(*args)
    lowered = traced.lower(lowering_platforms=("cpu",))
    # JAX keeps what it lowered: change a copy.
    module = stablehlo.copy(lowered.compiler_ir("stablehlo"))
    stablehlo.resolve_donations(module)
    if result_names is not None:
        stablehlo.name_results(module, _result_names(result_names, traced.out_info))
    text = stablehlo.print_generic(module, root)
    if path is not None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return text
