import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import jax
import jax.numpy as jnp
from jax.sharding import AbstractMesh, NamedSharding, PartitionSpec as P

import tessera

MESH = AbstractMesh((2, 4), ("data", "model"))
SHAPE = jax.ShapeDtypeStruct


def sharding(*dimensions):
    return NamedSharding(MESH, P(*dimensions))


def step(p, x):
    return {"w": p["w"] - jnp.mean(x), "b": p["b"] * 2}, jnp.sum(x @ p["w"])


ARGUMENTS = {"w": SHAPE((8, 4), jnp.float32), "b": SHAPE((4,), jnp.float32)}, SHAPE((16, 8), jnp.float32)
SHARDINGS = {"w": sharding(None, "model"), "b": None}, sharding("data", None)


class Export(unittest.TestCase):
    def test_arguments_are_named_by_their_paths(self):
        text = tessera.export(step, *ARGUMENTS)
        arguments = re.findall(r'%arg\d+: (tensor<\w+>) loc\("([^"]+)"\)', text)
        self.assertEqual(arguments[:3], [("tensor<4xf32>", "p['b']"), ("tensor<8x4xf32>", "p['w']"), ("tensor<16x8xf32>", "x")])

    def test_shardings_of_arguments_and_the_mesh_are_kept(self):
        text = tessera.export(jax.jit(step, in_shardings=SHARDINGS), *ARGUMENTS)
        self.assertIn('#sdy.mesh<["data"=2, "model"=4]>', text)
        self.assertEqual(
            re.findall(r"sdy\.sharding = #sdy\.sharding<@mesh, (\[.*?\])>", text), ['[{}, {"model"}]', '[{"data"}, {}]']
        )

    def test_arrays_serve_for_their_shapes_under_an_abstract_mesh(self):
        arrays = jax.tree.map(lambda shape: jnp.zeros(shape.shape, shape.dtype), ARGUMENTS)
        jitted = jax.jit(step, in_shardings=SHARDINGS)
        self.assertEqual(tessera.export(jitted, *arrays), tessera.export(jitted, *ARGUMENTS))

    def test_each_donated_argument_names_the_result_that_may_reuse_it(self):
        for options in ({}, {"in_shardings": SHARDINGS}):
            text = tessera.export(jax.jit(step, donate_argnums=0, **options), *ARGUMENTS)
            self.assertEqual(re.findall(r"tf\.aliasing_output = (\d+)", text), ["0", "1"])
            self.assertNotIn("jax.buffer_donor", text)

    def test_a_donated_argument_without_a_fitting_result_stays_a_donor(self):
        text = tessera.export(jax.jit(lambda x, y: x[0] + y, donate_argnums=0, in_shardings=(sharding("data"), None)),
                              SHAPE((4, 2), jnp.float32), SHAPE((2,), jnp.float32))  # fmt: skip
        self.assertNotIn("tf.aliasing_output", text)

    def test_result_names_can_be_replaced(self):
        names = lambda text: re.findall(r'jax\.result_info = "([^"]+)"', text)
        default = ["result[0]['b']", "result[0]['w']", "result[1]"]
        self.assertEqual(names(tessera.export(step, *ARGUMENTS)), default)
        rename = lambda name: name.replace("result[0]", "p")
        self.assertEqual(names(tessera.export(step, *ARGUMENTS, result_names=rename)), ["p['b']", "p['w']", "result[1]"])
        replaced = tessera.export(step, *ARGUMENTS, result_names={"result[1]": "loss"})
        self.assertEqual(names(replaced), [*default[:2], "loss"])
        tree = {"w": "weights", "b": "bias"}, "loss"
        self.assertEqual(names(tessera.export(step, *ARGUMENTS, result_names=tree)), ["bias", "weights", "loss"])

    def test_a_tree_of_names_of_another_size_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "expected a tree of 3 result names, got 1"):
            tessera.export(step, *ARGUMENTS, result_names=("loss",))

    def test_exporting_does_not_change_the_function(self):
        jitted = jax.jit(step)
        before = jitted.lower(*ARGUMENTS).as_text()
        tessera.export(jitted, *ARGUMENTS, result_names=lambda name: "renamed " + name)
        self.assertEqual(jitted.lower(*ARGUMENTS).as_text(), before)

    def test_locations_are_relative_and_name_the_line(self):
        folder = pathlib.Path(__file__).resolve().parent
        text = tessera.export(step, *ARGUMENTS, root=folder)
        line = 1 + next(i for i, line in enumerate(open(__file__)) if "return {" in line)
        self.assertRegex(text, rf'loc\("test_export.py":{line}:\d+\)')
        self.assertNotIn(str(folder), text)
        self.assertNotIn("site-packages", text)

    def test_the_file_parses_in_its_generic_form(self):
        self.assertTrue(tessera.export(step, *ARGUMENTS).startswith('"builtin.module"()'))


MODULE = '''
import jax, jax.numpy as jnp
def function(x):
    return jnp.tanh(x)
jitted = jax.jit(function)
jitted.example_args = (jax.ShapeDtypeStruct((3,), jnp.float32),)
def example():
    return jitted, jitted.example_args
def wrong():
    return 3
'''


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        pathlib.Path(self.folder.name, "model.py").write_text(MODULE)

    def run_tool(self, *arguments):
        command = [sys.executable, "-m", "tessera", *arguments]
        return subprocess.run(command, cwd=self.folder.name, capture_output=True, text=True, env=os.environ)

    def test_both_ways_to_name_a_function_give_the_same_program(self):
        texts = []
        for name in ("jitted", "example"):
            done = self.run_tool("export", f"model:{name}", "-o", f"{name}.mlir")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            texts.append(pathlib.Path(self.folder.name, f"{name}.mlir").read_text())
        self.assertIn('"stablehlo.tanh"', texts[0])
        self.assertIn('loc("model.py":4:', texts[0])
        self.assertEqual(*texts)

    def test_mistakes_are_one_line_and_status_1(self):
        for target, message in {
            "model": "error: expected MODULE:FUNCTION, got 'model'\n",
            "absent:f": "error: no module named 'absent'\n",
            "model:absent": "error: module 'model' has no function 'absent'\n",
            "model:wrong": "error: expected 'model:wrong' to have example_args or to return (function, arguments)\n",
        }.items():
            done = self.run_tool("export", target)
            self.assertEqual((done.returncode, done.stderr), (1, message))


if __name__ == "__main__":
    unittest.main()
