import collections
import dataclasses
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import tessera
from tessera.tensor_files import read_tensors

try:
    import jax
    import ml_dtypes
except ImportError:
    jax = None

Point = collections.namedtuple("Point", ["x", "y"])


@dataclasses.dataclass
class Layer:
    w: np.ndarray
    scale: float


def tree():
    return {"p": {"layers": [Layer(np.arange(6, dtype=np.float32).reshape(2, 3), 0.5)], "at": Point(np.int8(3), (np.ones(2, bool),))}, "n": 7}


NAMES = ["n", "p['at'].x", "p['at'].y[0]", "p['layers'][0].scale", "p['layers'][0].w"]


class Saving(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "tensors.safetensors")

    def check(self, got, expected):
        """Trees without JAX's help: they print alike, with the types of their arrays."""
        with np.printoptions(legacy="1.25"):
            self.assertEqual(repr(got), repr(expected))

    def test_leaves_are_named_as_in_exported_programs(self):
        tessera.save(tree(), self.path)
        self.assertEqual(sorted(read_tensors(self.path)), NAMES)
        tessera.save((tree()["p"], 1.5), self.path)
        self.assertEqual(sorted(read_tensors(self.path))[:2], ["result[0]['at'].x", "result[0]['at'].y[0]"])
        tessera.save(tree()["p"], self.path, name="weights")
        self.assertEqual(sorted(read_tensors(self.path))[0], "weights['at'].x")

    def test_trees_return_as_they_were(self):
        for saved, name in ((tree(), None), ((tree(), 1.5), None), ([], None), (tree()["p"], "p"), (np.float32(2), "x")):
            tessera.save(saved, self.path, name=name)
            loaded = tessera.load(self.path, like=saved, name=name)
            self.assertIs(type(loaded), type(saved) if not isinstance(saved, np.generic) else np.ndarray)
            self.check(jax.tree.map(np.asarray, loaded) if jax else _arrays(loaded), jax.tree.map(np.asarray, saved) if jax else _arrays(saved))

    def test_the_name_of_a_tree_is_found(self):
        tessera.save({"params": tree()["p"], "n": 3}, self.path)
        self.assertEqual(tessera.load(self.path, like=tree()["p"])["layers"][0].scale, 0.5)
        self.assertEqual(sorted(tessera.load(self.path))[0], "n")

    def test_arrays_in_another_order_of_dimensions_are_written_right(self):
        array = np.asfortranarray(np.arange(6).reshape(2, 3))
        tessera.save({"x": array, "y": array[:, ::2]}, self.path)
        np.testing.assert_array_equal(read_tensors(self.path)["x"], array)
        np.testing.assert_array_equal(read_tensors(self.path)["y"], array[:, ::2])

    def test_links_are_followed_and_devices_are_written_to(self):
        link = os.path.join(self.folder.name, "link.safetensors")
        os.symlink(self.path, link)
        tessera.save(tree(), link)
        self.assertTrue(os.path.islink(link))
        self.assertEqual(len(read_tensors(self.path)), 5)
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["link.safetensors", "tensors.safetensors"])
        tessera.save(tree(), "/dev/null")
        self.assertTrue(pathlib.Path("/dev/null").is_char_device())
        with self.assertRaises(OSError):
            tessera.save(tree(), "/dev/full")

    def test_mistakes_are_one_line(self):
        tessera.save(tree(), self.path)
        like = tree()
        like["p"]["layers"][0].w = like["p"]["layers"][0].w[:1]
        with self.assertRaisesRegex(ValueError, r"tensor 'p\['layers'\]\[0\].w': expected float32\[1x3\], got float32\[2x3\]"):
            tessera.load(self.path, like=like)
        with self.assertRaisesRegex(ValueError, "no tensor 'm'; did you mean 'n'|no tensor 'm'"):
            tessera.load(self.path, like={"m": 1})
        with self.assertRaisesRegex(TypeError, "'x': expected arrays and numbers, got str"):
            tessera.save({"x": "text"}, self.path)
        self.assertEqual(len(read_tensors(self.path)), 5)  # What was there is whole.
        data = pathlib.Path(self.path).read_bytes()
        for damaged in (b"", data[:4], data[:-1], b"\xff" * 16, data.replace(b"F32", b"F33")):
            pathlib.Path(self.path).write_bytes(damaged)
            with self.assertRaisesRegex(ValueError, "not a safetensors file"):
                tessera.load(self.path)

    @unittest.skipUnless(jax, "needs JAX")
    def test_arrays_keys_and_classes_of_jax(self):
        @jax.tree_util.register_pytree_node_class
        class Pair:
            def __init__(self, *children):
                self.children = children

            def tree_flatten(self):
                return self.children, None

            @classmethod
            def tree_unflatten(cls, data, children):
                return cls(*children)

        saved = {"pair": Pair(jax.numpy.ones(3, jax.numpy.bfloat16), jax.random.key(5)), "w": np.ones(2, ml_dtypes.bfloat16), "none": None}
        tessera.save(saved, self.path)
        self.assertEqual(sorted(read_tensors(self.path)), ["pair[0]", "pair[1]", "w"])
        loaded = tessera.load(self.path, like=saved)
        first, key = loaded["pair"].children
        self.assertIsInstance(first, jax.Array)
        self.assertEqual(first.dtype, jax.numpy.bfloat16)
        self.assertEqual(loaded["w"].dtype, ml_dtypes.bfloat16)
        self.assertTrue((jax.random.key_data(key) == jax.random.key_data(jax.random.key(5))).all())
        shapes = jax.eval_shape(lambda: saved["pair"].children[0])
        self.assertIsInstance(tessera.load(self.path, like={"w": jax.ShapeDtypeStruct((2,), ml_dtypes.bfloat16)})["w"], np.ndarray)
        self.assertIsNotNone(shapes)

    @unittest.skipUnless(jax, "needs JAX")
    def test_files_feed_programs_and_take_their_results(self):
        def step(p, x):
            return {"w": p["w"] * 2, "h": p["h"] + 1}, (p["w"] @ x).sum()

        p, x = {"w": np.arange(6, dtype=np.float32).reshape(2, 3), "h": np.ones(4, ml_dtypes.bfloat16)}, np.ones(3, np.float32)
        program, results = tessera.compile(step).program(p, x)
        outputs = os.path.join(self.folder.name, "out.safetensors")
        tessera.save({"p": p, "x": x}, self.path)
        run = [os.path.join(os.environ["TESSERA_BIN"], "tessera-run"), program.path]
        subprocess.run([*run, f"--inputs={self.path}", f"--outputs={outputs}"], check=True, stdout=subprocess.DEVNULL)
        updated, total = tessera.load(outputs, like=results)
        np.testing.assert_array_equal(updated["w"], p["w"] * 2)
        np.testing.assert_array_equal(updated["h"], p["h"] + 1)
        self.assertEqual(total, 15)
        # What a step should return, as a file to compare with.
        tessera.save(step(p, x), self.path + ".expected")
        tessera.save({"p": p, "x": x}, self.path)
        os.rename(self.path + ".expected", os.path.join(self.folder.name, "expected.safetensors"))
        expected = os.path.join(self.folder.name, "expected.safetensors")
        subprocess.run([*run, f"--inputs={self.path}", f"--expect={expected}"], check=True, stdout=subprocess.DEVNULL)

    @unittest.skipUnless(jax, "is run without JAX anyway")
    def test_everything_else_works_without_jax(self):
        program = "import sys; sys.modules['jax'] = None; sys.argv = ['test']; exec(open(%r).read())" % os.path.abspath(__file__)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("skipped=3", done.stderr)


def _arrays(tree):
    from tessera.trees import flatten_with_names, unflatten

    return unflatten(tree, [np.asarray(leaf) for _, leaf in flatten_with_names(tree)])


if __name__ == "__main__":
    unittest.main()
