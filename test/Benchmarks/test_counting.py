import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "benchmarks" / "communication"))

import crediting
import hlo
from bytes_sent import bytes_sent

ADD = """%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(%a, %b)
}
"""
# Groups of four consecutive devices, of two a stride of four apart, and all.
FOUR, TWO, ALL = "[2,4]<=[8]", "[4,2]<=[2,4]T(1,0)", "[1,8]<=[8]"
KB = 1024  # bytes of an f32[16,16]


def reduce(name, operand, groups=FOUR, shape="f32[16,16]"):
    return f"%{name} = {shape}{{1,0}} all-reduce({operand}), channel_id=1, replica_groups={groups}, to_apply=%add"


def module(*lines, before=""):
    """A module whose entry has these lines, the last of them the root, on the parameters x and y."""
    parameters = ["%x = f32[16,16]{1,0} parameter(0)", "%y = f32[16,16]{1,0} parameter(1)"]
    body = [*parameters, *lines[:-1], "ROOT " + lines[-1]]
    head = "ENTRY %main (x: f32[16,16], y: f32[16,16]) -> f32[16,16] {"
    return "\n".join(["HloModule test", "", ADD, before, head, *("  " + line for line in body), "}"])


def count(text):
    """Bytes as the program stands, and credited."""
    graph = hlo.build(hlo.parse(text))
    return sum(c.bytes for c in graph.collectives(8)), sum(c.bytes for c in crediting.credited(graph, 8))


class Ring(unittest.TestCase):
    def test_each_kind(self):
        expected = {"all_reduce": 150, "all_gather": 75, "reduce_scatter": 75, "all_to_all": 75, "permute": 100, "broadcast": 100}
        self.assertEqual({kind: bytes_sent(kind, 4, 100) for kind in expected}, expected)

    def test_every_iteration_sends(self):
        self.assertEqual(bytes_sent("all_gather", 4, 100, times=3), 225)


class Groups(unittest.TestCase):
    def check(self, text, expected):
        self.assertEqual(hlo.groups(f"channel_id=1, replica_groups={text}, to_apply=%add", 8), expected)

    def test_lists(self):
        self.check("{{0,2},{1,3}}", [[0, 2], [1, 3]])

    def test_none_is_one_group_of_all(self):
        self.check("{}", [list(range(8))])

    def test_counted(self):
        self.check("[2,4]<=[8]", [[0, 1, 2, 3], [4, 5, 6, 7]])
        self.check("[4,2]<=[2,4]T(1,0)", [[0, 4], [1, 5], [2, 6], [3, 7]])
        self.check("[4,2]<=[2,2,2]T(0,2,1)", [[0, 2], [1, 3], [4, 6], [5, 7]])

    def test_axes_of_a_mesh(self):
        self.check("mesh['a'=2,'b'=1,'c'=4] {'a'}", [[0, 4], [1, 5], [2, 6], [3, 7]])
        self.check("mesh['a'=2,'b'=2,'c'=2] {'a','c'}", [[0, 1, 4, 5], [2, 3, 6, 7]])

    def test_part_of_an_axis(self):
        self.check("mesh['a'=2,'b'=4] {'b':(1)2}", [[0, 2], [1, 3], [4, 6], [5, 7]])
        self.check("mesh['a'=2,'b'=4] {'b':(2)2}", [[0, 1], [2, 3], [4, 5], [6, 7]])

    def test_mesh_with_devices_in_another_order(self):
        self.check("mesh['a'=4,'b'=2], device_ids=([2,4]T(1,0)) {'b'}", [[0, 4], [1, 5], [2, 6], [3, 7]])


class AsItStands(unittest.TestCase):
    def test_operands_of_one_collective_are_counted_each(self):
        text = module(
            "%r = (f32[16,16]{1,0}, /*index=1*/f32[16,16]{1,0}) all-reduce(%x, %y), replica_groups=[2,4]<=[8], to_apply=%add",
            "%z = f32[16,16]{1,0} get-tuple-element(%r), index=0",
        )
        self.assertEqual(count(text)[0], 2 * 1536)

    def test_gather_counts_its_result(self):
        text = module("%g = f32[64,16]{1,0} all-gather(%x), replica_groups=[2,4]<=[8], dimensions={0}")
        self.assertEqual(count(text)[0], 3 * KB)

    def test_exchange_with_an_operand_per_member_is_one_tensor(self):
        text = module("%e = (f32[16,16]{1,0}, f32[16,16]{1,0}) all-to-all(%x, %y), replica_groups={{0,4},{1,5},{2,6},{3,7}}")
        self.assertEqual(count(text)[0], KB)

    def test_permute_to_oneself_sends_nothing(self):
        text = module("%p = f32[16,16]{1,0} collective-permute(%x), source_target_pairs={{0,0},{1,1}}")
        self.assertEqual(count(text)[0], 0)
        text = module("%p = f32[16,16]{1,0} collective-permute(%x), source_target_pairs={{0,1},{1,0}}")
        self.assertEqual(count(text)[0], KB)

    def test_groups_of_one_send_nothing(self):
        self.assertEqual(count(module(reduce("r", "%x", "[8,1]<=[8]")))[0], 0)

    def test_fused_computations_are_part_of_the_program(self):
        fused = "%f (p: f32[16,16]) -> f32[16,16] {\n  %p = f32[16,16]{1,0} parameter(0)\n  ROOT " + reduce("r", "%p") + "\n}\n"
        self.assertEqual(count(module("%z = f32[16,16]{1,0} fusion(%x), kind=kLoop, calls=%f", before=fused))[0], 1536)


OFFSET = ["%id = u32[] partition-id()", "%begin = s32[] convert(%id)", "%none = s32[] constant(0)"]


def loop(*lines, result, trips='backend_config={"known_trip_count":{"n":"4"}}'):
    """A loop over (counter, total, kept); `lines` compute in its body and `result` is the next total."""
    state = "(s32[], f32[16,16]{1,0}, f32[16,16]{1,0})"
    body = [
        f"%s = {state} parameter(0)",
        "%i = s32[] get-tuple-element(%s), index=0",
        "%total = f32[16,16]{1,0} get-tuple-element(%s), index=1",
        "%kept = f32[16,16]{1,0} get-tuple-element(%s), index=2",
        *lines,
        f"ROOT %next = {state} tuple(%i, {result}, %kept)",
    ]
    condition = [f"%s = {state} parameter(0)", "%n = s32[] constant(4)", "ROOT %c = pred[] constant(true)"]
    part = lambda name, lines, type: f"%{name} (s: {state}) -> {type} {{\n" + "\n".join("  " + line for line in lines) + "\n}\n"
    before = part("body", body, state) + "\n" + part("condition", condition, "pred[]")
    zero, init = "%zero = s32[] constant(0)", f"%init = {state} tuple(%zero, %x, %y)"
    run = f"%w = {state} while(%init), condition=%condition, body=%body, {trips}"
    return module(zero, init, run, "%z = f32[16,16]{1,0} get-tuple-element(%w), index=1", before=before)


class Loops(unittest.TestCase):
    def test_trips_are_counted(self):
        text = loop(reduce("r", "%total"), result="%r")
        self.assertEqual(count(text), (4 * 1536, 4 * 1536))

    def test_accumulated_sum_moves_behind_the_loop(self):
        term = "%term = f32[16,16]{1,0} multiply(%total2, %kept)"
        lines = ["%total2 = f32[16,16]{1,0} broadcast(%i), dimensions={}", term, reduce("r", "%term")]
        text = loop(*lines, "%sum = f32[16,16]{1,0} add(%total, %r)", result="%sum")
        self.assertEqual(count(text), (4 * 1536, 1536))

    def test_accumulated_part_of_a_sum_is_one_reduce_scatter(self):
        pad = "%whole = f32[16,16]{1,0} pad(%part, %nothing), padding=0_12x0_0"
        lines = [*OFFSET, "%total2 = f32[16,16]{1,0} broadcast(%i), dimensions={}", reduce("r", "%total2")]
        lines += ["%part = f32[4,16]{1,0} dynamic-slice(%r, %begin, %none), dynamic_slice_sizes={4,16}"]
        lines += ["%nothing = f32[] constant(0)", pad, "%sum = f32[16,16]{1,0} add(%total, %whole)"]
        self.assertEqual(count(loop(*lines, result="%sum")), (4 * 1536, 768))

    def test_what_is_the_same_in_every_iteration_moves_before_the_loop(self):
        gather = "%g = f32[64,16]{1,0} all-gather(%kept), replica_groups=[2,4]<=[8], dimensions={0}"
        use = "%u = f32[16,16]{1,0} dot(%g, %total), lhs_contracting_dims={0}, rhs_contracting_dims={0}"
        self.assertEqual(count(loop(gather, use, result="%u")), (4 * 3 * KB, 3 * KB))

    def test_what_depends_on_the_state_stays(self):
        gather = "%g = f32[64,16]{1,0} all-gather(%total), replica_groups=[2,4]<=[8], dimensions={0}"
        use = "%u = f32[16,16]{1,0} dot(%g, %kept), lhs_contracting_dims={0}, rhs_contracting_dims={0}"
        self.assertEqual(count(loop(gather, use, result="%u")), (4 * 3 * KB, 4 * 3 * KB))


SLICE = "%slice = f32[4,16]{1,0} dynamic-slice(%r, %begin, %none), dynamic_slice_sizes={4,16}"


class Credited(unittest.TestCase):
    def test_sum_cut_by_device_is_a_reduce_scatter(self):
        self.assertEqual(count(module(*OFFSET, reduce("r", "%x"), SLICE)), (1536, 768))

    def test_sum_of_which_all_is_used_stays(self):
        use = "%use = f32[16,16]{1,0} dot(%r, %r), lhs_contracting_dims={1}, rhs_contracting_dims={1}"
        both = "%both = (f32[4,16]{1,0}, f32[16,16]{1,0}) tuple(%slice, %use)"
        self.assertEqual(count(module(*OFFSET, reduce("r", "%x"), SLICE, use, both)), (1536, 1536))

    def test_slice_that_is_the_same_on_all_devices_does_not_help(self):
        begin = ["%begin = s32[] constant(4)", "%none = s32[] constant(0)"]
        self.assertEqual(count(module(*begin, reduce("r", "%x"), SLICE)), (1536, 1536))

    def test_sum_over_eight_cut_in_four(self):
        # A reduce-scatter over four and a sum over two of a quarter.
        self.assertEqual(count(module(*OFFSET, reduce("r", "%x", ALL), SLICE)), (1792, 768 + 256))

    def test_sums_that_are_added_are_one(self):
        turned = "%t = f32[16,16]{0,1} transpose(%r), dimensions={1,0}"
        text = module(reduce("r", "%x"), turned, reduce("s", "%y"), "%z = f32[16,16]{1,0} add(%t, %s)")
        self.assertEqual(count(text), (2 * 1536, 1536))

    def test_parts_of_sums_that_are_added_are_one_reduce_scatter(self):
        cut = "%{} = f32[4,16]{{1,0}} dynamic-slice(%{}, %begin, %none), dynamic_slice_sizes={{4,16}}"
        lines = [*OFFSET, reduce("r", "%x"), reduce("s", "%y"), cut.format("a", "r"), cut.format("b", "s")]
        self.assertEqual(count(module(*lines, "%z = f32[4,16]{1,0} add(%a, %b)")), (2 * 1536, 768))

    def test_sums_that_are_multiplied_stay(self):
        text = module(reduce("r", "%x"), reduce("s", "%y"), "%z = f32[16,16]{1,0} multiply(%r, %s)")
        self.assertEqual(count(text), (2 * 1536, 2 * 1536))

    def test_sums_over_other_groups_stay(self):
        text = module(reduce("r", "%x"), reduce("s", "%y", TWO), "%z = f32[16,16]{1,0} add(%r, %s)")
        self.assertEqual(count(text), (1536 + 1024, 1536 + 1024))

    def test_sum_of_a_sum_is_one_over_both_groups(self):
        text = module(reduce("r", "%x"), reduce("s", "%r", TWO))
        self.assertEqual(count(text), (1536 + 1024, 1792))

    def test_sums_of_sums_among_many_operands(self):
        both = "(f32[16,16], f32[16,16])"
        reduce_both = "%{} = " + both + " all-reduce(%{}, %{}), channel_id=1, replica_groups={}, to_apply=%add"
        take = "%{} = f32[16,16] get-tuple-element(%{}), index={}"
        first = [reduce_both.format("r", "x", "y", FOUR), take.format("r0", "r", 0), take.format("r1", "r", 1)]
        second = [reduce_both.format("s", "r1", "r0", TWO), take.format("s0", "s", 0), take.format("s1", "s", 1)]
        text = module(*first, *second, f"%z = {both} tuple(%s0, %s1)")
        self.assertEqual(count(text), (2 * (1536 + 1024), 2 * 1792))

    def test_equal_values_are_gathered_once(self):
        gather = "%{} = f32[64,16]{{1,0}} all-gather(%{}), channel_id={}, replica_groups={}, dimensions={{0}}"
        turned = "%t = f32[16,16]{0,1} transpose(%x), dimensions={1,0}"
        spelled = "{{0,1,2,3},{4,5,6,7}}"
        first, second = gather.format("g", "x", 1, FOUR), gather.format("h", "t", 2, spelled)
        text = module(first, turned, second, "%z = f32[64,16]{1,0} add(%g, %h)")
        self.assertEqual(count(text), (2 * 3 * KB, 3 * KB))
        text = module(first, gather.format("h", "y", 2, spelled), "%z = f32[64,16]{1,0} add(%g, %h)")
        self.assertEqual(count(text), (2 * 3 * KB, 2 * 3 * KB))


if __name__ == "__main__":
    unittest.main()
