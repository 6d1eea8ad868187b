"""Reads the text of XLA's compiled HLO into a graph in which fused and called computations are inlined.

    module = parse(text)          computations by name, as they stand
    graph = build(module)         the entry: a `Graph` of `Node`s; loops and branches are nodes with graphs of their own
    graph.collectives()           every collective of the program with its number of executions

Only what concerns communication is understood; all other operations are opaque nodes with operands and users.
"""

import dataclasses
import math
import re

from bytes_sent import bytes_sent

WIDTHS = {"pred": 1, "s4": 0.5, "u4": 0.5, "token": 0}
KINDS = {
    "all-reduce": "all_reduce",
    "all-gather": "all_gather",
    "reduce-scatter": "reduce_scatter",
    "all-to-all": "all_to_all",
    "ragged-all-to-all": "all_to_all",
    "collective-permute": "permute",
    "collective-broadcast": "broadcast",
}


def width(element_type):
    """Bytes of one element."""
    if element_type in WIDTHS:
        return WIDTHS[element_type]
    return int(re.search(r"\d+", element_type)[0]) / 8


@dataclasses.dataclass(frozen=True)
class Shape:
    element_type: str
    dims: tuple

    @property
    def elements(self):
        return math.prod(self.dims)

    @property
    def bytes(self):
        return int(self.elements * width(self.element_type))

    def __str__(self):
        return "x".join(map(str, (*self.dims, self.element_type)))


@dataclasses.dataclass
class Instruction:
    """A line of HLO. `shapes` has one entry, or one per element of a tuple; `attributes` is the text behind the operands."""

    name: str
    shapes: list
    is_tuple: bool
    opcode: str
    operands: list
    literal: str
    attributes: str


@dataclasses.dataclass
class Computation:
    instructions: list
    root: str


# ---- text -------------------------------------------------------------------------------------------------------------

_HEAD = re.compile(r"^(ENTRY )?%?([\w.\-]+) \(.*\) -> .* \{$")
_LINE = re.compile(r"^\s+(ROOT )?%?([\w.\-]+) = (.*)$")
_SHAPE = re.compile(r"\b([a-z]\w*)\[([\d,<= ]*)\]")


def _closing(text, start):
    """The index behind the bracket that closes the one at `start`; strings are skipped."""
    depth, index = 0, start
    while index < len(text):
        character = text[index]
        if character == '"':
            index = text.index('"', index + 1)
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if depth == 0:
                return index + 1
        index += 1
    raise ValueError(f"expected a closing bracket in '{text[start:start + 80]}'")


def _split(text):
    """Splits at the commas that stand in no bracket."""
    parts, depth, begin = [], 0, 0
    for index, character in enumerate(text):
        depth += character in "([{"
        depth -= character in ")]}"
        if character == "," and depth == 0:
            parts.append(text[begin:index])
            begin = index + 1
    parts.append(text[begin:])
    return [part.strip() for part in parts if part.strip()]


def _shapes(text):
    return [Shape(kind, tuple(int(d) for d in re.findall(r"\d+", dims))) for kind, dims in _SHAPE.findall(text)]


def _instruction(name, text):
    text = re.sub(r"/\*.*?\*/", "", text)
    end = _closing(text, 0) if text.startswith("(") else text.index(" ")
    type_text, rest = text[:end], text[end:].lstrip()
    opcode = rest[: rest.index("(")]
    close = _closing(rest, len(opcode))
    inner = rest[len(opcode) + 1 : close - 1]
    literal = opcode in ("constant", "parameter", "iota")
    operands = [] if literal else [part.split("%")[-1].split(" ")[-1] for part in _split(inner)]
    attributes = re.sub(r", (metadata|frontend_attributes)=\{[^}]*\}", lambda m: m[0] if "metadata" in m[0] else "", rest[close:])
    return Instruction(name, _shapes(type_text), text.startswith("("), opcode, operands, inner if literal else "", attributes)


def parse(text):
    """The computations of a module, by name; the entry also under the name None."""
    computations, current, name = {}, None, None
    for line in text.splitlines():
        head = _HEAD.match(line)
        if head:
            current = Computation([], None)
            computations[head[2]] = current
            if head[1]:
                computations[None] = current
        elif current and line.strip() == "}":
            current = None
        elif current:
            match = _LINE.match(line)
            if not match:
                continue
            instruction = _instruction(match[2], match[3])
            current.instructions.append(instruction)
            if match[1]:
                current.root = instruction.name
    return computations


def attribute(text, name):
    """The value of `name=` in an attribute list, with its brackets, or None."""
    match = re.search(rf"(?:^|[ ,{{]){re.escape(name)}=", text)
    if not match:
        return None
    start = match.end()
    if start < len(text) and text[start] in "{[(":
        return text[start : _closing(text, start)]
    return re.match(r"[^,\s]*", text[start:])[0].lstrip("%")


# ---- groups of devices ------------------------------------------------------------------------------------------------


def _reshape_transpose(dims, permutation):
    """The numbers 0..n-1 in row-major order of `dims`, read in the order of the permuted dimensions."""
    strides = [math.prod(dims[i + 1 :]) for i in range(len(dims))]
    numbers = [0]
    for axis in permutation:
        numbers = [base + index * strides[axis] for base in numbers for index in range(dims[axis])]
    return numbers


def _iota_groups(text):
    match = re.match(r"\[([\d,]+)\]<=\[([\d,]+)\](?:T\(([\d,]+)\))?", text)
    count_size, dims = ([int(d) for d in match[i].split(",")] for i in (1, 2))
    permutation = [int(d) for d in match[3].split(",")] if match[3] else list(range(len(dims)))
    numbers = _reshape_transpose(dims, permutation)
    size = count_size[-1]
    return [numbers[i : i + size] for i in range(0, len(numbers), size)]


def _mesh_groups(text):
    """`mesh['a'=2,'b'=4] {'b'}`; an axis may be cut, `'b':(1)2`: the part of size 2 with 1 part before it."""
    axes = [(name, int(size)) for name, size in re.findall(r"'(\w+)'=(\d+)", text[: text.index("]")])]
    order = re.search(r"device_ids=\(([^)]*\)?)\)", text)
    used = re.findall(r"'(\w+)'(?::\((\d+)\)(\d+))?", text[text.rindex("{") :])
    pieces, chosen = [], []
    for name, size in axes:
        cuts = sorted((int(before), int(part)) for other, before, part in used if other == name and before)
        if any(other == name and not before for other, before, _ in used):
            chosen.append(len(pieces))
            pieces.append(size)
            continue
        position = 1
        for before, part in cuts:
            if before > position:
                pieces.append(before // position)
            chosen.append(len(pieces))
            pieces.append(part)
            position = before * part
        pieces.append(size // position)
    kept = [i for i in range(len(pieces)) if i not in chosen]
    numbers = _reshape_transpose(pieces, kept + chosen)
    if order:
        devices = [number for group in _iota_groups("[1,%d]<=" % len(numbers) + order[1].split("<=")[-1]) for number in group]
        numbers = [devices[number] for number in numbers]
    size = math.prod(pieces[i] for i in chosen)
    return [numbers[i : i + size] for i in range(0, len(numbers), size)]


def groups(attributes, devices):
    """The groups of devices that take part together; one group of all where none is given."""
    start = attributes.find("replica_groups=")
    text = attributes[start + len("replica_groups=") :] if start >= 0 else "{}"
    if text.startswith("mesh["):
        return _mesh_groups(text[: text.index("}") + 1])
    if text.startswith("["):
        return _iota_groups(text)
    if text.startswith("{{"):
        return [[int(n) for n in g.split(",")] for g in re.findall(r"\{([\d,]+)\}", text[: text.index("}}") + 2])]
    if not text.startswith("{}"):
        raise ValueError(f"expected replica groups, got '{text[:60]}'")
    return [list(range(devices))]


def pairs(attributes):
    """Source and target of every message of a permute."""
    return [tuple(map(int, pair)) for pair in re.findall(r"\{(\d+),(\d+)\}", attribute(attributes, "source_target_pairs"))]


# ---- graphs -----------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(eq=False)
class Node:
    """An operation, fused computations and calls inlined. `graphs` are the bodies of a loop (condition left out) or branches."""

    opcode: str
    shapes: list
    operands: list
    attributes: str = ""
    literal: str = ""
    name: str = ""
    graph: object = None
    graphs: list = dataclasses.field(default_factory=list)
    trips: int = 1
    users: list = dataclasses.field(default_factory=list)

    @property
    def shape(self):
        return self.shapes[0]


@dataclasses.dataclass(eq=False)
class Graph:
    """Nodes in execution order. In a loop's body `parameters` is the tuple of the loop's state and `root` its next value."""

    nodes: list
    parameters: list
    root: Node
    owner: Node = None

    def inner(self):
        """All graphs of loops and branches directly in this one, with their executions per execution of this one."""
        return [(graph, node.trips) for node in self.nodes for graph in node.graphs]

    def collectives(self, devices, times=1):
        """All collectives in execution order as `Collective`s; of branches those of the dearest."""
        result = [c for node in self.nodes for c in collectives_of(node, devices, times)]
        for node in self.nodes:
            branches = [graph.collectives(devices, times * node.trips) for graph in node.graphs]
            result += max(branches, key=lambda branch: sum(c.bytes for c in branch), default=[])
        return result


@dataclasses.dataclass(eq=False)
class Collective:
    """One tensor that a collective moves. `groups` are sets of devices, or for a permute its pairs."""

    node: Node
    index: int
    kind: str
    size: int
    groups: frozenset
    participants: int
    times: int

    @property
    def operand(self):
        return self.node.operands[self.index]

    @property
    def bytes(self):
        return bytes_sent(self.kind, self.participants, self.size, self.times)

    def describe(self):
        source = re.search(r'op_name="([^"]*)"', self.node.attributes)
        return {
            "kind": self.kind,
            "participants": self.participants,
            "groups": len(self.groups),
            "type": str(self.operand.shape),
            "times": self.times,
            "bytes": self.bytes,
            "location": source[1][:160] if source else self.node.name,
        }


def collectives_of(node, devices, times):
    """The tensors that `node` moves if it is a collective."""
    opcode = node.opcode.removesuffix("-start")
    if opcode not in KINDS:
        return []
    kind = KINDS[opcode]
    if kind == "permute":
        moves = frozenset(pair for pair in pairs(node.attributes) if pair[0] != pair[1])
        return [Collective(node, 0, kind, node.operands[0].shape.bytes, moves, 2, times)] if moves else []
    parts = groups(node.attributes, devices)
    n = max(map(len, parts))
    if n == 1:
        return []
    sets = frozenset(map(frozenset, parts))
    if kind == "all_to_all" and len(node.operands) > 1:
        # One operand per member: together they are one tensor.
        return [Collective(node, 0, kind, sum(o.shape.bytes for o in node.operands), sets, n, times)]
    result = []
    for index, operand in enumerate(node.operands):
        size = operand.shape.bytes * (n if kind == "all_gather" else 1)
        result.append(Collective(node, index, kind, size, sets, n, times))
    return result


class _Builder:
    def __init__(self, module):
        self.module = module

    def graph(self, computation, arguments, owner=None):
        """The graph of a computation that runs on its own: the entry, a loop's body, a branch."""
        graph = Graph([], list(arguments), None, owner)
        graph.nodes += arguments
        for node in arguments:
            node.graph = graph
        graph.root = self.inline(computation, arguments, graph)
        return graph

    def inline(self, computation, arguments, graph):
        """Appends a computation's operations to `graph`; returns its root."""
        values, root = {}, None
        for instruction in computation.instructions:
            node = self.instruction(instruction, values, arguments, graph)
            values[instruction.name] = node
            if instruction.name == computation.root:
                root = node
        return root

    def instruction(self, instruction, values, arguments, graph):
        opcode, attributes = instruction.opcode, instruction.attributes
        if opcode == "parameter":
            return arguments[int(instruction.literal)]
        operands = [values[name] for name in instruction.operands]
        if opcode == "get-tuple-element" and operands[0].opcode == "tuple":
            return operands[0].operands[int(attribute(attributes, "index"))]
        called = attribute(attributes, "calls") or (attribute(attributes, "to_apply") if opcode == "call" else None)
        if opcode in ("fusion", "call") and called in self.module:
            return self.inline(self.module[called], operands, graph)
        if opcode.endswith("-done"):
            return operands[0]
        node = Node(opcode, instruction.shapes, operands, attributes, instruction.literal, instruction.name, graph)
        for operand in operands:
            operand.users.append(node)
        if opcode == "while":
            node.trips = self.trip_count(attributes)
            node.graphs = [self.body(attribute(attributes, "body"), operands, node)]
        elif opcode == "conditional":
            names = attribute(attributes, "branch_computations")
            names = _split(names[1:-1]) if names else [attribute(attributes, f"{b}_computation") for b in ("true", "false")]
            node.graphs = [self.body(name.lstrip("%"), [operand], node) for name, operand in zip(names, operands[1:])]
        graph.nodes.append(node)
        return node

    def body(self, name, operands, owner):
        arguments = [Node("parameter", o.shapes, [], name=f"{name}.{i}") for i, o in enumerate(operands)]
        return self.graph(self.module[name], arguments, owner)

    def trip_count(self, attributes):
        known = re.search(r'"known_trip_count":\{"n":"(\d+)"\}', attributes)
        if known:
            return int(known[1])
        condition = self.module[attribute(attributes, "condition")]
        bounds = [i.literal for i in condition.instructions if i.opcode == "constant"]
        if len(bounds) == 1 and bounds[0].isdigit():
            return int(bounds[0])
        raise ValueError(f"expected a loop with a known trip count, got '{attributes[:120]}'")


def build(module):
    """The graph of the entry computation."""
    entry = module[None]
    parameters = sorted((i for i in entry.instructions if i.opcode == "parameter"), key=lambda i: int(i.literal))
    return _Builder(module).graph(entry, [Node("parameter", i.shapes, [], name=i.name) for i in parameters])
