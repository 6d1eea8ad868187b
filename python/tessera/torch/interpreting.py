"""A captured graph as a function of JAX.

Operations are looked up in the table and called in their order. Each stands in the name scope of its module, and in a frame that has the user's file and line: what JAX notes as the
place of an operation is then the line of the model, not one of the table. A result has the type that PyTorch has found for it.
"""

import contextlib
import functools

import jax
import jax.numpy as jnp
import numpy as np

from ..errors import LocatedError
from .graph import Value, map_values
from .operations import find
from .operations.types import dtype_of


# Operations that only check, and those whose result is one of several.
_CHECKS = frozenset({"_assert_tensor_metadata", "_assert_async", "_assert_scalar", "sym_constrain_range", "sym_constrain_range_for_size"})


def missing(graph):
    """The nodes whose operations the table lacks."""
    nodes = [node for node in graph.nodes if node.operation not in _SPECIAL and not _is_check(node) and find(node.operation) is None]
    return nodes + [node for inner in graph.graphs.values() for node in missing(inner)]


def _is_check(node):
    return node.operation.partition(".")[0] in _CHECKS


def unsupported(node, message):
    """The error that says so of a node, in one line that begins with the user's."""
    place = f"{node.place.file}:{node.place.line}: " if node.place else ""
    within = f" in '{node.scope}'" if node.scope else ""
    return LocatedError(f"{place}error: {message}{within}")


@functools.lru_cache(maxsize=None)
def _frame(place):
    """A function that calls another one from a frame at this place of the user's."""
    source = "\n" * (place.line - 1) + "def call(function): return function()"
    scope = {}
    exec(compile(source, place.file, "exec"), scope)
    call = scope["call"]
    call.__code__ = call.__code__.replace(co_name=place.function, co_qualname=place.function)
    return call


class Interpreter:
    """Runs a graph once.

    key  the random key of this run; None where nothing is random.
    """

    def __init__(self, graph, key=None):
        self.graph, self.key, self.values, self.count = graph, key, {}, 0

    def run(self, tensors, inputs):
        """(results, tensors of the state that have changed), of the state by names and the inputs in their order."""
        for name, tensor in self.graph.tensors.items():
            self.values[name] = tensors[tensor]
        self.values.update(zip(self.graph.input_values or self.graph.inputs, inputs, strict=True))
        self.values.update({name: jnp.asarray(value) if isinstance(value, np.ndarray) else value for name, value in self.graph.constants.items()})
        for node in self.graph.nodes:
            self.values[node.name] = self._compute(node)
        results = [map_values(self._value, output) for output in self.graph.outputs]
        return results, {tensor: self._value(value) for tensor, value in self.graph.mutations.items()}

    def _value(self, value):
        return self.values[value.name]

    def _compute(self, node):
        if _is_check(node):
            return None
        args, kwargs = map_values(self._value, node.args), map_values(self._value, node.kwargs)
        if node.operation == "getitem":
            return args[0][args[1]]
        call = functools.partial(self._call, node, args, kwargs)
        with jax.named_scope(node.scope) if node.scope else contextlib.nullcontext():
            return _frame(node.place)(call) if node.place else call()

    def _call(self, node, args, kwargs):
        if node.operation in _SPECIAL:
            return _SPECIAL[node.operation](self, *args, **kwargs)
        entry = find(node.operation)
        if entry is None:
            raise unsupported(node, f"operation '{node.operation}' is not in the table")
        if entry.random:
            kwargs["key"] = jax.random.fold_in(self.key, self.count) if self.key is not None else None
            self.count += 1
        try:
            result = entry.function(*args, **kwargs)
        except (TypeError, ValueError, NotImplementedError) as error:
            reason = str(error).partition("\n")[0]
            raise unsupported(node, f"operation '{node.operation}' is not supported so: {reason}") from error
        return _checked(node, result)

    def run_inner(self, name, inputs):
        """The results of another graph of this one."""
        inner = Interpreter(self.graph.graphs[name], self.key)
        inner.count = self.count
        results, _ = inner.run({}, inputs)
        self.count = inner.count
        return results


def _checked(node, result):
    """The result with PyTorch's types; of other shapes than PyTorch's there must be none."""
    several = isinstance(result, (list, tuple))
    results = list(result) if several else [result]
    for place, expected in enumerate(node.types[: len(results)]):
        value = results[place]
        if expected is None or value is None:
            continue
        dtype, shape = expected
        if tuple(jnp.shape(value)) != tuple(shape) and jnp.size(value):
            raise unsupported(node, f"expected '{node.operation}' to have shape {list(shape)}, got {list(jnp.shape(value))}")
        results[place] = jnp.asarray(value, dtype_of(dtype))
    return results if several else results[0]


def _set_grad_enabled(interpreter, enabled, graph, *inputs):
    """A part without derivatives, or with."""
    results = interpreter.run_inner(graph.name, inputs)
    return results if enabled else [jax.lax.stop_gradient(result) for result in results]


def _checkpoint(interpreter, graph, *inputs, **_):
    """A part that is computed again for its derivative."""
    return jax.checkpoint(lambda *inputs: interpreter.run_inner(graph.name, inputs))(*inputs)


def _autocast(interpreter, device, dtype, enabled, cache, graph, *inputs):
    return interpreter.run_inner(graph.name, inputs)


class GraphName(Value):
    """A graph as an argument of a higher-order operation."""


_SPECIAL = {
    "getitem": None,
    "wrap_with_set_grad_enabled": _set_grad_enabled,
    "wrap_with_autocast": _autocast,
    "tag_activation_checkpoint": _checkpoint,
}
