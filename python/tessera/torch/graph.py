"""A captured model: the operations that PyTorch's exporter has found, without any object of PyTorch's."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Value:
    """What a node computes, as an argument of another one."""

    name: str


@dataclass(frozen=True)
class Place:
    """A line of the user's."""

    file: str
    line: int
    function: str = "forward"


@dataclass
class Node:
    """One operation.

    name        of its result, by which others refer to it.
    operation   as in the table, `add.Tensor`; `getitem` for one of several results.
    scope       the path of the module that it belongs to, `layers.3.mlp`.
    place       the user's line, if it is known.
    types       (dtype, shape) of each of its results, None for what is no tensor.
    """

    name: str
    operation: str
    args: tuple
    kwargs: dict
    scope: str = ""
    place: Place | None = None
    types: list = field(default_factory=list)


@dataclass
class Graph:
    """The operations in their order.

    tensors    the name of a value -> that of the tensor of the state (`layers.0.weight`) that it is.
    inputs     names of what a call passes, in the order of their leaves, and
    input_values  the values that they are.
    constants  the name of a value -> a NumPy array.
    mutations  the name of a tensor of the state -> the value that it has afterwards.
    outputs    the leaves of the result: values, numbers, or None.
    graphs     other graphs, by the names that higher-order operations have for them.
    """

    tensors: dict
    inputs: list
    constants: dict
    nodes: list
    mutations: dict
    outputs: list
    graphs: dict = field(default_factory=dict)
    input_values: list = field(default_factory=list)


def map_values(function, argument):
    """An argument with `function` of each `Value` in it."""
    if isinstance(argument, Value):
        return function(argument)
    if isinstance(argument, (list, tuple)):
        return type(argument)(map_values(function, entry) for entry in argument)
    if isinstance(argument, dict):
        return {key: map_values(function, entry) for key, entry in argument.items()}
    return argument


def has_gradient(graph, output):
    """Names of the tensors of the state by which PyTorch differentiates a value, which gives others no gradient, not even zeros."""
    reached = set()
    map_values(lambda value: reached.add(value.name), output)
    for node in reversed(graph.nodes):
        if node.name in reached and not _is_constant(node):
            map_values(lambda value: reached.add(value.name), (node.args, node.kwargs))
    return {tensor for value, tensor in graph.tensors.items() if value in reached}


def _is_constant(node):
    """Whether a node's result has no derivative."""
    if node.operation == "wrap_with_set_grad_enabled":
        return not node.args[0]
    types = [entry[0] for entry in node.types if entry]
    return node.operation.startswith("detach") or bool(types) and not any("float" in name or "complex" in name for name in types)
