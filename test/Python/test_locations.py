import unittest

from tessera.locations import shorten


class Shorten(unittest.TestCase):
    def check(self, text, expected):
        self.assertEqual(shorten(text, root="/home/me/project"), expected)

    def test_a_frame_becomes_relative_to_the_root_and_loses_its_range(self):
        self.check('op loc("/home/me/project/a/model.py":41:8 to :25)\n', 'op loc(#loc1)\n#loc1 = loc("a/model.py":41:8)\n')

    def test_a_frame_elsewhere_keeps_only_its_file_name(self):
        self.check('op loc("/opt/other.py":1:2)\n', 'op loc(#loc1)\n#loc1 = loc("other.py":1:2)\n')

    def test_of_a_call_stack_the_innermost_frame_stays(self):
        self.check(
            "op loc(#loc3)\n"
            '#loc1 = loc("inner"("/home/me/project/model.py":3:4))\n'
            '#loc2 = loc("/home/me/project/train.py":9:1)\n'
            '#loc3 = loc("jit(f)/tanh"(callsite(#loc1 at #loc2)))\n',
            'op loc(#loc2)\n#loc1 = loc("model.py":3:4)\n#loc2 = loc("jit(f)/tanh"(#loc1))\n',
        )

    def test_frames_of_the_library_itself_are_skipped(self):
        import tessera.names

        self.check(
            f'op loc(callsite("{tessera.names.__file__}":1:1 at "/home/me/project/model.py":5:6))\n',
            'op loc(#loc1)\n#loc1 = loc("model.py":5:6)\n',
        )

    def test_a_name_by_itself_stands_where_it_is_used(self):
        self.check('%arg0: tensor<f32> loc("p[\'w\']")\n', '%arg0: tensor<f32> loc("p[\'w\']")\n')

    def test_of_fused_locations_the_first_frame_stays(self):
        self.check(
            'op loc(fused<{a = "]>"}>["x", "/home/me/project/b.py":7:8])\n', 'op loc(#loc1)\n#loc1 = loc("b.py":7:8)\n'
        )

    def test_equal_locations_share_an_alias(self):
        self.check(
            'a loc("/home/me/project/b.py":7:8 to :9)\nb loc("/home/me/project/b.py":7:8)\n',
            'a loc(#loc1)\nb loc(#loc1)\n#loc1 = loc("b.py":7:8)\n',
        )

    def test_text_that_looks_like_a_location_inside_a_string_stays(self):
        self.check('op {s = "loc(\\"x\\":1:2) #loc9"} loc(unknown)\n', 'op {s = "loc(\\"x\\":1:2) #loc9"} loc(unknown)\n')

    def test_operations_read_from_a_text_are_located_in_it(self):
        self.assertEqual(shorten('op loc("-":3:5)\n', name="m.mlir"), 'op loc(#loc1)\n#loc1 = loc("m.mlir":3:5)\n')

    def test_an_undefined_alias_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "expected a definition of the location '#loc7'"):
            shorten("op loc(#loc7)\n")

    def test_a_location_that_does_not_parse_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "expected a location, got '7'"):
            shorten("op loc(7)\n")


if __name__ == "__main__":
    unittest.main()
