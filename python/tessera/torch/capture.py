"""From a module of PyTorch to a `Graph`, by `torch.export`.

The exporter's training IR is made functional without decomposing anything, so that norms, attention and losses stay single operations; only what the table lacks is decomposed. What
the module changes in place becomes results; autocast becomes conversions.
"""

import operator
import os
import re
import traceback
from dataclasses import dataclass

from ..errors import LocatedError
from .graph import Graph, Node, Place, Value, has_gradient
from .interpreting import GraphName, missing, unsupported
from .operations import find
from .tensors import to_numpy

# Where tensors lie, which does not concern what is computed.
_PLACEMENT = {"device", "layout", "pin_memory", "memory_format", "non_blocking", "requires_grad", "generator"}


@dataclass
class Captured:
    """A module's graph.

    graph         the `Graph`.
    parameters    names of the parameters that have gradients of the first result, in the module's order; of tied ones the first name.
    tensors       the name of a parameter or buffer -> the tensor of PyTorch. Under the first name, if it has several.
    first_names   every name -> the first name of the same tensor.
    takes         numbers of the inputs' leaves that are tensors.
    output_types  of the results' leaves: (whether it is a tensor, its value else, dtype if that is known).
    out_spec      by which PyTorch puts the results together.
    is_random     whether any operation takes a key.
    """

    graph: Graph
    parameters: list
    tensors: dict
    first_names: dict
    takes: list
    output_types: list
    out_spec: object
    is_random: bool

    def tensor_leaves(self, leaves):
        return [leaves[number] for number in self.takes]


def capture(module, args, kwargs=None, input_names=None, prefix=""):
    """The `Captured` of a call `module(*args, **kwargs)`, in the module's present mode.

    input_names  a name for each leaf of the inputs; by default the exporter's.
    prefix       of names of tensors and modules that is left out.

    Raises ValueError with one diagnostic where the model has what the table has not.
    """
    import torch

    program, loss = _exported(module, tuple(args), kwargs or {}), getattr(module, "loss", None) if prefix else None
    translator = _Translator(program, prefix, loss)
    graph = translator.graph()
    if lacking := missing(graph):
        program = _decompose(program, lacking)
        translator = _Translator(program, prefix, loss)
        graph = translator.graph()
    if lacking := missing(graph):
        raise unsupported(lacking[0], f"operation '{lacking[0].operation}' is not in the table")
    if input_names:
        _rename_inputs(graph, [input_names[number] for number in translator.takes])
    tensors, names = _state(module, prefix)
    graph.tensors = {value: names[tensor] for value, tensor in graph.tensors.items()}
    graph.mutations = {names[tensor]: value for tensor, value in graph.mutations.items()}
    for name in graph.mutations:
        if prefix and tensors[name].requires_grad:
            raise ValueError(f"expected a model that leaves parameters that are trained as they are, got one that changes '{name}'")
    reached = has_gradient(graph, graph.outputs[:1])
    parameters = [name for name, tensor in tensors.items() if isinstance(tensor, torch.nn.Parameter) and tensor.requires_grad and name in reached]
    return Captured(
        graph, parameters, tensors, names, translator.takes, _output_types(graph), program.call_spec.out_spec, _is_random(graph)
    )


def _exported(module, args, kwargs):
    """The exporter's program, with functions in place of what changes tensors."""
    import torch

    try:
        program = torch.export.export(module, args, kwargs, strict=False)
        _detach_parts_without_gradient(program.graph_module)
        return program.run_decompositions({})
    except (RuntimeError, ValueError, TypeError) as error:
        frame = _user_frame(error.__traceback__)
        place = f"{frame.filename}:{frame.lineno}: error: " if frame else "error: "
        raise LocatedError(f"{place}PyTorch cannot export the module: {str(error).partition(chr(10))[0]}") from error


def _detach_parts_without_gradient(module):
    """Cuts the derivative behind what `torch.no_grad` has computed: decomposing forgets where that was."""
    import torch

    for inner in module.modules():
        for node in list(inner.graph.nodes) if isinstance(inner, torch.fx.GraphModule) else ():
            if node.target is torch.ops.higher_order.wrap_with_set_grad_enabled and not node.args[0]:
                for result in list(node.users):
                    _detach(inner.graph, result, is_outermost=inner is module)


def _detach(graph, result, is_outermost):
    """Lets all that use a result use it without its derivative; the program's own results keep their names."""
    import torch

    if not _types(result.meta.get("val"))[0] or not result.meta["val"].is_floating_point():
        return
    with graph.inserting_after(result):
        detached = graph.call_function(torch.ops.aten.detach.default, (result,))
    detached.meta = dict(result.meta)
    result.replace_all_uses_with(detached, lambda user: user is not detached and not (is_outermost and user.op == "output"))


def _user_frame(trace):
    """The innermost frame that is neither PyTorch's nor this package's; None if there is none."""
    frames = [frame for frame in traceback.extract_tb(trace) if not frame.filename.startswith(_library_folders())]
    frames = [frame for frame in frames if frame.name not in ("_exported", "<module>") and os.path.isfile(frame.filename)]
    return frames[-1] if frames else None


def _state(module, prefix):
    """The tensors of a module by their first names, and every name's first name."""
    first, tensors, names = {}, {}, {}
    for named in (module.named_parameters, module.named_buffers):
        for name, tensor in named(remove_duplicate=False):
            name = name.removeprefix(prefix)
            names[name] = first.setdefault(id(tensor), name)
            tensors.setdefault(names[name], tensor)
    return tensors, names


def _rename_inputs(graph, names):
    """Gives the inputs the names by which programs have them; values keep theirs."""
    graph.input_values, graph.inputs = graph.inputs, names


def _output_types(graph):
    types = {node.name: node.types[0][0] for node in graph.nodes if node.types and node.types[0]}
    return [(True, None, types.get(value.name)) if isinstance(value, Value) else (False, value, None) for value in graph.outputs]


def _is_random(graph):
    return any(getattr(find(node.operation), "random", False) and not _is_quiet(node) for node in graph.nodes) or any(map(_is_random, graph.graphs.values()))


def _is_quiet(node):
    """Whether an operation that may draw numbers does not."""
    return node.operation.startswith("scaled_dot_product_attention") and not (node.args[4:5] or (0.0,))[0] and not node.kwargs.get("dropout_p")


def _decompose(program, nodes):
    """The program without these nodes' operations, as far as PyTorch knows of what they are made."""
    import torch

    table = torch.export.default_decompositions()
    wanted = {node.operation for node in nodes}
    chosen = {overload: rule for overload, rule in table.items() if _name_of(overload) in wanted}
    return program.run_decompositions(chosen)


def _name_of(target):
    """Of an operation as the table has it."""
    if target is operator.getitem:
        return "getitem"
    schema = getattr(target, "_schema", None)
    if schema is None:
        return getattr(target, "__name__", str(target))
    space, _, name = schema.name.partition("::")
    name = name if space in ("aten", "prims") else f"{space}.{name}"
    return f"{name}.{schema.overload_name}" if schema.overload_name else name


class _Translator:
    """Makes a `Graph` of an exported program."""

    def __init__(self, program, prefix, loss):
        self.program, self.prefix, self.takes, self.loss = program, prefix, [], loss

    def graph(self):
        from torch.export.graph_signature import ConstantArgument, InputKind, OutputKind

        graph = self._translate(self.program.graph_module)
        values, leaves = graph.inputs, 0
        graph.inputs, signature = [], self.program.graph_signature
        for value, spec in zip(values, signature.input_specs, strict=True):
            if spec.kind in (InputKind.PARAMETER, InputKind.BUFFER):
                graph.tensors[value] = spec.target.removeprefix(self.prefix)
            elif spec.kind == InputKind.CONSTANT_TENSOR:
                graph.constants[value] = to_numpy(self.program.constants[spec.target])
            elif isinstance(spec.arg, ConstantArgument):
                graph.constants[value], leaves = spec.arg.value, leaves + 1
            else:
                graph.inputs.append(value)
                self.takes.append(leaves)
                leaves += 1
        graph.input_values = list(graph.inputs)
        outputs, graph.outputs = graph.outputs, []
        for output, spec in zip(outputs, signature.output_specs, strict=True):
            if spec.kind in (OutputKind.BUFFER_MUTATION, OutputKind.PARAMETER_MUTATION):
                graph.mutations[spec.target.removeprefix(self.prefix)] = output
            elif spec.kind == OutputKind.USER_INPUT_MUTATION:
                raise ValueError(f"expected a model that leaves its inputs as they are, got one that changes '{spec.target}'")
            else:
                graph.outputs.append(output)
        return graph

    def _translate(self, module):
        """The graph of a module of the exporter's, all of whose placeholders are inputs."""
        graph = Graph({}, [], {}, [], {}, [])
        for node in module.graph.nodes:
            if node.op == "placeholder":
                graph.inputs.append(node.name)
            elif node.op == "get_attr":
                self._attribute(module, node, graph)
            elif node.op == "output":
                graph.outputs = list(self._argument(node.args[0]))
            else:
                graph.nodes.append(self._node(node))
        return graph

    def _attribute(self, module, node, graph):
        import torch

        held = module
        for part in node.target.split("."):
            held = getattr(held, part)
        if isinstance(held, torch.fx.GraphModule):
            graph.graphs[node.name] = self._translate(held)
        else:
            graph.constants[node.name] = to_numpy(held)

    def _node(self, node):
        kwargs = {name: self._argument(value) for name, value in node.kwargs.items() if name not in _PLACEMENT}
        args = tuple(self._argument(value) for value in node.args)
        return Node(node.name, _name_of(node.target), args, kwargs, self._scope(node), place_of(node, self.loss), _types(node.meta.get("val")))

    def _argument(self, value):
        import torch

        if isinstance(value, torch.fx.Node):
            is_graph = value.op == "get_attr" and "val" not in value.meta and isinstance(self._held(value), torch.fx.GraphModule)
            return GraphName(value.name) if is_graph else Value(value.name)
        if isinstance(value, torch.dtype):
            return str(value).partition(".")[2]
        if isinstance(value, (torch.device, torch.layout, torch.memory_format)):
            return None
        if isinstance(value, (list, tuple)):
            return type(value)(self._argument(entry) for entry in value) if type(value) in (list, tuple) else [self._argument(entry) for entry in value]
        return value

    def _scope(self, node):
        """The path of the innermost module that a node belongs to."""
        stack = list((node.meta.get("nn_module_stack") or {}).values())
        path = (stack[-1][0] if isinstance(stack[-1], tuple) else stack[-1]) if stack else ""
        path = re.sub(r"@\d+$", "", path) + "."
        return path.removeprefix(self.prefix).removesuffix(".")

    def _held(self, node):
        held = node.graph.owning_module
        for part in node.target.split("."):
            held = getattr(held, part)
        return held


def _types(val):
    """The dtypes and shapes of what a node computes."""
    values = val if isinstance(val, (list, tuple)) else [val]
    return [(str(value.dtype).partition(".")[2], tuple(value.shape)) if hasattr(value, "dtype") else None for value in values]


_FRAME = re.compile(r'File "([^"]+)", line (\d+), in (\S+)')


def place_of(node, function=None):
    """The innermost line in the stack that a node of the exporter's has, outside of PyTorch; else where the function `function` begins, None without one.

    The exporter notes the frames of modules alone.
    """
    frames = _FRAME.findall(node.meta.get("stack_trace") or "")
    frames = [frame for frame in frames if not frame[0].startswith(_library_folders())]
    if frames:
        file, line, name = frames[-1]
        return Place(file, int(line), name)
    code = getattr(function, "__code__", None)
    return Place(code.co_filename, code.co_firstlineno, code.co_name) if code else None


def _library_folders():
    """Folders whose frames are not the user's: PyTorch's and this one."""
    import torch

    return tuple(os.path.dirname(os.path.abspath(file)) + os.sep for file in (torch.__file__, __file__))
