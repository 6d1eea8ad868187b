"""From a JAX function to a model file."""

from . import stablehlo
from .names import override_result_names
from .stages import export_parameters


def _without_device(argument):
    """The shape of an array that JAX put on its default device unasked: it must not contradict the shardings of an abstract mesh."""
    import jax

    if not isinstance(argument, jax.Array) or argument.committed:
        return argument
    # Random keys have no weak types.
    return jax.ShapeDtypeStruct(argument.shape, argument.dtype, weak_type=getattr(argument, "weak_type", False))


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

    jitted = fn if hasattr(fn, "trace") else jax.jit(fn, keep_unused=True)
    traced = jitted.trace(*jax.tree.map(_without_device, args))
    lowered = traced.lower(lowering_platforms=("cpu",), _private_parameters=export_parameters())
    # JAX keeps what it lowered: change a copy.
    module = stablehlo.copy(lowered.compiler_ir("stablehlo"))
    stablehlo.resolve_donations(module)
    if result_names is not None:
        stablehlo.name_results(module, override_result_names(traced.out_info, result_names))
    text = stablehlo.print_generic(module, root=root)
    if path is not None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return text
