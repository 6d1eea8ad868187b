"""What XLA's program would send after every rewrite of collectives that its GPU pipeline has, counted generously.

The CPU pipeline leaves collectives as the partitioner made them. `credited(graph, devices)` lists them as if these rewrites
had run, each wherever it might apply and without asking whether its pattern is met to the letter:

- duplicates: collectives of equal operands over equal groups are one. Operands are compared by value numbers that look
  through reshapes, transposes and copies, so that a use of the transposed value is the same.
- folding: a sum over `a` of a sum over `b` is one sum over both.
- reassociation: sums over the same groups that linear operations bring together in additions are one sum.
- reduce-scatter: a sum of which, behind element-wise operations, every user takes its own slice only.
- motion out of loops: a sum that the loop only accumulates runs once, likewise what is the same in every iteration.
"""

import dataclasses
import re

from bytes_sent import bytes_sent
from hlo import attribute, collectives_of

RELABELLING = {"bitcast", "reshape", "transpose", "copy", "get-tuple-element", "optimization-barrier"}
LINEAR = {"bitcast", "reshape", "transpose", "copy", "negate", "convert", "slice", "pad", "concatenate", "reverse", "broadcast"}
NOT_ELEMENTWISE = {
    "dot", "convolution", "reduce", "reduce-window", "gather", "scatter", "while", "conditional", "sort", "custom-call", "rng",
    "tuple", "concatenate", "pad", "slice", "dynamic-slice", "dynamic-update-slice", "broadcast", "select-and-scatter", "iota",
    "cholesky", "triangular-solve", "fft", "reverse", "all-reduce", "all-gather", "all-to-all", "reduce-scatter",
    "collective-permute",
}  # fmt: skip


@dataclasses.dataclass(eq=False)
class Credit:
    """A collective that remains, and the collectives of the program that it stands for."""

    kind: str
    size: int
    participants: int
    times: int
    members: list
    slices: int = 1
    """For an `all_reduce`: into how many parts its result is cut at once, so that it is a reduce-scatter over so many."""

    @property
    def index(self):
        """Which of its call's tensors the first of its collectives moves."""
        return self.members[0].index

    @property
    def bytes(self):
        n, k = self.participants, self.slices
        if self.kind != "all_reduce" or k == 1:
            return bytes_sent(self.kind, n, self.size, self.times)
        rest = bytes_sent("all_reduce", n // k, self.size // k, self.times) if n > k else 0
        return bytes_sent("reduce_scatter", k, self.size, self.times) + rest

    def describe(self):
        kind = "reduce_scatter" if self.slices > 1 else self.kind
        row = {**self.members[0].describe(), "kind": kind, "times": self.times, "bytes": self.bytes}
        return {**row, "participants": self.participants, "merged": len(self.members)}


def _joined(collectives, devices):
    """The number of devices in the groups that follow from all groups of some collectives together."""
    block = {device: frozenset([device]) for device in range(devices)}
    for one in collectives:
        for group in one.groups:
            union = frozenset().union(*(block[device] for device in group))
            block.update(dict.fromkeys(union, union))
    return max(map(len, block.values()))


class _ValueNumbers:
    """Equal numbers for values computed in the same way, up to relabelling of dimensions."""

    def __init__(self, devices):
        self.devices, self.numbers, self.of_node = devices, {}, {}

    def __call__(self, node):
        todo = [node]
        while todo:
            current = todo[-1]
            missing = [operand for operand in current.operands if operand not in self.of_node]
            if missing:
                todo += missing
                continue
            todo.pop()
            if current not in self.of_node:
                self.of_node[current] = self._number(current)
        return self.of_node[node]

    def _number(self, node):
        operands = tuple(self.of_node[operand] for operand in node.operands)
        if node.opcode in RELABELLING and node.opcode != "get-tuple-element" and len(operands) == 1:
            return operands[0]
        if node.opcode == "parameter" or node.graphs:
            return len(self.of_node), node.name
        collectives = collectives_of(node, self.devices, 1)
        if collectives:
            key = collectives[0].kind, operands, collectives[0].groups, tuple(sorted(node.shape.dims))
            return self.numbers.setdefault(key, (len(self.numbers), node.opcode))
        attributes = re.sub(r"(metadata|backend_config|frontend_attributes)=\{.*?\}|channel_id=\d+", "", node.attributes)
        key = (node.opcode, node.literal, attributes, tuple(map(str, node.shapes)) if not operands else (), operands)
        return self.numbers.setdefault(key, (len(self.numbers), node.opcode))


class _Crediting:
    def __init__(self, graph, devices):
        self.devices, self.number, self.partitioned, self.invariant = devices, _ValueNumbers(devices), {}, {}
        self.credits = []
        self.visit(graph, 1)

    # -- what is known of values --

    def depends(self, node, cache, leaf):
        """Whether `leaf` holds for `node` or anything it is computed from."""
        todo = [node]
        while todo:
            current = todo[-1]
            if current in cache:
                todo.pop()
                continue
            sources = self.sources(current)
            missing = [source for source in sources if source not in cache]
            if missing and not leaf(current):
                todo += missing
                continue
            cache[current] = leaf(current) or any(cache[source] for source in sources)
            todo.pop()
        return cache[node]

    def sources(self, node):
        """What a value is computed from: its operands; for an element of a loop's state, the state before the loop."""
        state = node.operands[0] if node.opcode == "get-tuple-element" else None
        if state is None or state.opcode != "parameter" or not state.graph.owner or state.graph.owner.opcode != "while":
            return node.operands
        before = state.graph.owner.operands[0]
        return [before.operands[int(attribute(node.attributes, "index"))]] if before.opcode == "tuple" else [before]

    def is_partitioned(self, node):
        """Whether a value differs between devices because of their number: the offset of a device's own slice."""
        return self.depends(node, self.partitioned, lambda n: n.opcode in ("partition-id", "replica-id"))

    def is_varying(self, node, graph):
        """Whether a value in a loop's body differs between iterations; what is called otherwise is taken to."""
        if graph.owner.opcode != "while":
            return True
        root, state = graph.root, graph.parameters[0] if graph.parameters else None

        def varies(n):
            if n.opcode == "get-tuple-element" and n.operands[0] is state:
                index = int(attribute(n.attributes, "index"))
                return not (root.opcode == "tuple" and root.operands[index] is n)
            return n is state

        return self.depends(node, self.invariant.setdefault(graph, {}), varies)

    def is_scalar(self, node):
        """Whether all elements are one number: a factor that a sum can be taken through."""
        return node.shape.elements == 1 or node.opcode == "constant" or (
            node.opcode in ("broadcast", *RELABELLING) and self.is_scalar(node.operands[0]))

    # -- rewrites --

    def slices(self, node, depth=0):
        """Into how many parts the users of a value cut it, each device taking its own part; 1: some use all of it."""
        if not node.users or node is node.graph.root or depth > 40:
            return 1
        result = None
        for user in node.users:
            if user.opcode == "dynamic-slice" and user.operands[0] is node and any(map(self.is_partitioned, user.operands[1:])):
                parts = node.shape.elements // user.shape.elements
            elif user.opcode in RELABELLING or (
                user.opcode not in NOT_ELEMENTWISE and user.shapes[0].elements == node.shape.elements):
                parts = self.slices(user, depth + 1)
            else:
                parts = 1
            result = parts if result is None else min(result, parts)
            if result == 1:
                break
        return result

    def linear_chain(self, node):
        """The values that a value becomes through single uses by linear operations, itself first."""
        chain = [node]
        while len(set(chain[-1].users)) == 1 and chain[-1] is not chain[-1].graph.root:
            value, user = chain[-1], chain[-1].users[0]
            others = [operand for operand in user.operands if operand is not value]
            linear = user.opcode in LINEAR or user.opcode in ("add", "subtract")
            linear |= user.opcode in ("multiply", "divide") and len(others) == 1 and self.is_scalar(others[0])
            linear |= user.opcode in ("reduce", "dynamic-slice") and user.operands[0] is value
            if not linear or (user.opcode == "divide" and user.operands[0] is not value):
                break
            chain.append(user)
        return chain

    def visit(self, graph, times):
        unique = {}
        for node in graph.nodes:
            for one in collectives_of(node, self.devices, times):
                key = one.kind, self.number(one.operand), one.groups, one.size
                unique.setdefault(key, []).append(one)
        self.reductions([same for same in unique.values() if same[0].kind == "all_reduce"], graph)
        for same in unique.values():
            if same[0].kind != "all_reduce":
                once = graph.owner and not self.is_varying(same[0].operand, graph)
                self.credits.append(Credit(same[0].kind, same[0].size, same[0].participants, 1 if once else times, same))
        for node in graph.nodes:
            for inner in node.graphs[:1] if node.opcode == "while" else node.graphs:
                self.visit(inner, times * node.trips)

    def reductions(self, all_same, graph):
        """Folds and merges sums; each ends as one credit."""
        chains = {id(same): self.linear_chain(self.result(same[0])) if len(same) == 1 else [] for same in all_same}
        leader = {id(same): same for same in all_same}
        outer = {(one.node, one.operand): same for same in all_same for one in same}

        def find(same):
            while leader[id(same)] is not same:
                same = leader[id(same)]
            return same

        # Another reduction at the end of a chain folds this one into it.
        for same in reversed(all_same):
            last = chains[id(same)][-1] if chains[id(same)] else None
            users = set(last.users) if last else set()
            folded = outer.get((next(iter(users)), last)) if len(users) == 1 else None
            cut = any(value.opcode == "dynamic-slice" for value in chains[id(same)])
            if folded is not None and len(folded) == 1 and not cut:
                leader[id(find(same))] = find(folded)
                chains[id(same)] = chains[id(same)] + chains[id(folded)]
        # An addition on the way of several sums joins them.
        meeting = {}
        for same in all_same:
            for value in chains[id(same)]:
                if value.opcode not in ("add", "subtract"):
                    continue
                key = value, same[0].groups
                if key in meeting:
                    leader[id(find(same))] = find(meeting[key])
                meeting.setdefault(key, same)
        members = {}
        for same in all_same:
            members.setdefault(id(find(same)), []).append(same)
        for group in members.values():
            self.reduction(group, chains, graph)

    def result(self, one):
        """The value that holds the result of a reduction: the node itself, or an element of its tuple."""
        if len(one.node.operands) == 1:
            return one.node
        for user in one.node.users:
            if user.opcode == "get-tuple-element" and int(attribute(user.attributes, "index")) == one.index:
                return user
        return one.node

    def reduction(self, group, chains, graph):
        first = max((same[0] for same in group), key=lambda one: one.size)
        members = [one for same in group for one in same]
        common = self.common(group, chains)
        parts = max(min(self.slices(value) for value in common), min(self.passed(chains[id(same)], common) for same in group))
        times = first.times
        if graph.owner and graph.owner.opcode == "while":
            sink = self.accumulated(common, graph) if len(group) > 1 or len(group[0]) == 1 else None
            if sink is not None:
                times //= graph.owner.trips
                parts = max(parts, self.slices(sink)) if sink is not graph.owner else parts
            elif not any(self.is_varying(one.operand, graph) for one in members):
                times //= graph.owner.trips
        participants = _joined(members, self.devices)
        parts = min(parts, participants)
        parts = parts if participants % parts == 0 else 1
        self.credits.append(Credit("all_reduce", first.size, participants, times, members, parts))

    def passed(self, chain, common):
        """Into how many parts a sum is cut by device on its way to where it meets others."""
        parts = 1
        for value, following in zip(chain, chain[1:]):
            if value in common:
                break
            if following.opcode == "dynamic-slice" and any(map(self.is_partitioned, following.operands[1:])):
                parts *= value.shape.elements // following.shape.elements
        return parts

    def common(self, group, chains):
        """The values of which all uses must be slices: the sum of merged reductions, or all copies of one."""
        if len(group) == 1:
            return [self.result(one) for one in group[0]]
        shared = set.intersection(*(set(chains[id(same)]) for same in group))
        first = [value for value in chains[id(group[0])] if value in shared]
        return first[:1] or [self.result(same[0]) for same in group]

    def accumulated(self, values, graph):
        """Where values are only added to the loop's state: the loop's result of that state (or the loop, if unused)."""
        root, state = graph.root, graph.parameters[0]
        if root.opcode != "tuple":
            return None
        for last in [self.linear_chain(value) for value in values[:1]]:
            adds = [value for value in last if value.opcode == "add"]
            if not adds or last[-1].users != [root]:
                return None
            index = root.operands.index(last[-1])
            carried = [o for add in adds for o in add.operands if self.is_state(o, state, index)]
            if not carried:
                return None
        for user in graph.owner.users:
            if user.opcode == "get-tuple-element" and int(attribute(user.attributes, "index")) == index:
                return user
        return graph.owner

    def is_state(self, node, state, index):
        while node.opcode in RELABELLING - {"get-tuple-element"}:
            node = node.operands[0]
        return node.opcode == "get-tuple-element" and node.operands[0] is state and int(attribute(node.attributes, "index")) == index


def credited(graph, devices):
    """The collectives that remain of a program, as `Credit`s."""
    return _Crediting(graph, devices).credits
