"""Compiled functions within what JAX compiles: the operation `tessera_call`.

A call is one operation with the function's jaxpr, which JAX transforms as it transforms any call: derivatives, batches and loops of it are calls
again. Where JAX lowers one for the CPU, Tessera compiles its jaxpr, and XLA calls the program by `tessera_xla_call` of the runtime, on
whole arrays in memory of XLA's. What cannot be called so, as programs whose ranks are JAX's devices, is lowered as JAX itself does.
"""

import functools
import threading

import numpy as np

from .buffers import dtype_of, is_packed
from .calling import NotEmbedded, physical
from .runtime import XlaCalls, register_xla_target

_TARGET = "tessera_call"


class _Current(threading.local):
    """The call of a compiled function that a thread is in: (function, args, kwargs)."""

    call = None


current = _Current()


def bind(function, args, kwargs):
    """The results of a call of `function`, a `CompiledFunction`, as one operation."""
    import jax
    from jax._src import api_util, linear_util

    (dynamic, _), trees = function.split(args, kwargs), []
    leaves, tree = jax.tree.flatten(dynamic)

    def flat(*leaves):
        results, out_tree = jax.tree.flatten(function.call_with(jax.tree.unflatten(tree, leaves), args, kwargs))
        trees.append(out_tree)
        return results

    info = api_util.debug_info("tessera_call", flat, tuple(leaves), {})
    results = primitive().bind(*leaves, subfuns=(linear_util.wrap_init(flat, debug_info=info),), function=function)
    return jax.tree.unflatten(trees[0], results)


@functools.cache
def primitive():
    """The operation; made when first needed."""
    import jax
    from jax._src import core, dispatch
    from jax._src.interpreters import ad, mlir, partial_eval
    from jax._src.state import discharge

    operation = core.ClosedCallPrimitive(_TARGET)
    operation.def_impl(core.call_impl)

    def types(*_, call_jaxpr, **__):
        return call_jaxpr.out_avals, core.positional_effects(call_jaxpr)

    def transpose(cotangents, *args, call_jaxpr, **params):
        jaxpr = partial_eval.convert_constvars_jaxpr(call_jaxpr.jaxpr)
        ad.call_transpose_fancy(operation, cotangents, *call_jaxpr.consts, *args, call_jaxpr=jaxpr, **params)

    operation.def_effectful_abstract_eval(types)
    core.custom_typechecks[operation] = lambda _, *atoms, **params: types(*atoms, **params)
    ad.fancy_transposes[operation] = transpose
    partial_eval.partial_eval_jaxpr_custom_rules[operation] = functools.partial(
        partial_eval.closed_call_partial_eval_custom_rule, "call_jaxpr", lambda *params: params[-2:]
    )
    discharge.register_discharge_rule(operation)(_discharge)
    dispatch.prim_requires_devices_during_lowering.add(operation)
    mlir.register_lowering(operation, lower_inline, cacheable=False)
    mlir.register_lowering(operation, _lower, platform="cpu", cacheable=False)
    register_xla_target(_TARGET)
    return operation


def _discharge(avals, out_avals, *args, call_jaxpr, function, **_):
    """A call with references, which programs do not have within what JAX compiles, becomes a call of JAX's."""
    from jax._src import core
    from jax._src.state import discharge

    if _is_of(current.call, function):
        raise NotEmbedded("references")
    rule = discharge._discharge_rules[core.closed_call_p]
    return rule(avals, out_avals, *args, call_jaxpr=call_jaxpr)


def lower_inline(context, *args, call_jaxpr, **_):
    """As JAX lowers a call."""
    from jax._src.interpreters import mlir

    return mlir.core_call_lowering(context, *args, name=_TARGET, call_jaxpr=call_jaxpr)


def _lower(context, *args, call_jaxpr, function, **params):
    """As a call of a program, if there is one."""
    from jax._src.interpreters import mlir

    call, executable = current.call, None
    if getattr(context.module_context.axis_context, "num_devices", None) == 1:
        executable = function.called_executable(call) if _is_of(call, function) else function.executable_of_jaxpr(call_jaxpr)
    if executable is None or not _can_be_called(executable):
        if _is_of(call, function):
            raise NotEmbedded
        return lower_inline(context, *args, call_jaxpr=call_jaxpr)
    calls = XlaCalls(executable.program.job)
    context.module_context.add_keepalive(calls)  # Until XLA has compiled the module.
    embedded = _Embedded(executable, calls)
    return mlir.lower_fun(lambda *leaves: embedded(leaves), multiple_results=True)(context, *args)


def _is_of(call, function):
    """Whether `call` is one of `function` with values, which decide where the arguments are, and not one that is part of another."""
    import jax

    return call is not None and call[0] is function and not any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(call[1:]))


def _can_be_called(executable):
    """Whether XLA can call a program."""
    if executable.references or executable.host_functions or executable.placement.devices:
        return False
    tensors = [*executable.program.arguments, *executable.results]
    return not any(is_packed(dtype_of(tensor["dtype"])) for tensor in tensors)


class _Embedded:
    """The results of a program, as a function of JAX of all leaves of the arguments."""

    def __init__(self, executable, calls):
        import jax

        self.executable, self.address = executable, np.uint64(calls.address)
        arguments = executable.program.arguments
        self.results = [jax.ShapeDtypeStruct(result["shape"], dtype_of(result["dtype"])) for result in executable.results]
        # The first operand is that of `_first`.
        self.aliases = {index + 1: argument["donated"] for index, argument in enumerate(arguments) if argument["donated"] is not None}

    def __call__(self, leaves):
        import jax

        executable = self.executable
        arguments = [leaves[leaf] for leaf in executable.kept]
        arguments = [jax.random.key_data(value) if is_key else value for value, is_key in zip(arguments, executable.takes_key)]
        call = jax.ffi.ffi_call(_TARGET, self.results, input_output_aliases=self.aliases)
        results = call(self._first(arguments), *arguments, program=self.address)
        return [
            value if physical(aval) is aval else jax.random.wrap_key_data(value, impl=aval.dtype._impl.name)
            for value, aval in zip(results, executable.out_avals)
        ]

    def _first(self, arguments):
        """A number that takes, for XLA, as long to compute as the program. XLA computes in the thread of the caller what takes fewer than 1,000
        operations, of which it knows none in calls; all else after the call has returned."""
        import jax
        import jax.numpy as jnp

        numbers = [value for value in arguments if value.size and jnp.issubdtype(value.dtype, jnp.inexact)]
        if not numbers or self.executable.program.work()["flops"] < 1000:
            return np.uint32(0)
        number = jnp.real(numbers[0][(0,) * numbers[0].ndim]).astype(np.float32)

        def long(number):
            matrix = number + jnp.arange(256, dtype=np.float32).reshape(16, 16)
            return ((matrix @ matrix).sum() > 0).astype(np.uint32)

        return jax.lax.cond(number != number, long, lambda _: jnp.uint32(0), number)
