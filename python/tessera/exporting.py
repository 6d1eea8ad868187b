"""From a JAX function to a model file."""

from . import stablehlo
from .files import write_text
from .names import override_result_names
from .stages import export_parameters


def _without_device(argument):
    """The shape of an array that JAX put on its default device unasked: it must not contradict the shardings of an abstract mesh."""
    import jax

    if not isinstance(argument, jax.Array) or argument.committed:
        return argument
    # Random keys have no weak types.
    return jax.ShapeDtypeStruct(argument.shape, argument.dtype, weak_type=getattr(argument, "weak_type", False))


def jitted(fn):
    """`fn` as a function that JAX can trace: itself, if it is one."""
    import jax

    return fn if hasattr(fn, "trace") else jax.jit(fn, keep_unused=True)


def trace(fn, args, kwargs=None):
    """What JAX makes of a call of a jitted function: the same object for the same types, static arguments and modes."""
    import jax

    args, kwargs = jax.tree.map(_without_device, (args, kwargs or {}))
    return fn.trace(*args, **kwargs)


def lowered(traced):
    """JAX's `Lowered` of a function that has been traced, with what `tesserac` knows and JAX does not."""
    return traced.lower(lowering_platforms=("cpu",), _private_parameters=export_parameters())


def lower_text(lowered, result_names=None, root=".", in_process=False, argument_names=None):
    """The text of the model file for a function that has been lowered; see `export`. With `in_process`, it runs in this process only, where the
    functions of Python are that it calls. `argument_names` has one name for each argument."""
    # JAX keeps what it lowered: change a copy.
    module = stablehlo.copy(lowered.compiler_ir("stablehlo"))
    stablehlo.resolve_donations(module)
    if argument_names is not None:
        stablehlo.name_arguments(module, argument_names)
    if result_names is not None:
        stablehlo.name_results(module, override_result_names(lowered.out_info, result_names))
    if in_process and lowered._lowering.compile_args.get("host_callbacks"):
        stablehlo.allow_host_callbacks(module)
    return stablehlo.print_generic(module, root=root)


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
    text = lower_text(lowered(trace(jitted(fn), args)), result_names, root)
    if path is not None:
        write_text(path, text)
    return text
