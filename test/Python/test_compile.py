import os
import pathlib
import tempfile
import unittest
import unittest.mock

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AbstractMesh, NamedSharding, PartitionSpec as P
from safetensors.numpy import load_file

import tessera

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "Integration" / "JAX"
MESH = AbstractMesh((2, 4), ("data", "model"))


def step(p, x):
    loss, gradients = jax.value_and_grad(lambda p: jnp.mean(jnp.tanh(x @ p["w"] + p["b"]) ** 2))(p)
    return jax.tree.map(lambda p, g: p - 0.1 * g, p, gradients), loss


def arguments(batch):
    random = np.random.default_rng(batch)
    p = {"w": random.standard_normal((6, 8), np.float32), "b": random.standard_normal(8, np.float32)}
    return p, random.standard_normal((batch, 6), np.float32)


class Compile(unittest.TestCase):
    def check(self, got, expected):
        self.assertEqual(jax.tree.structure(got), jax.tree.structure(expected))
        for value, reference in zip(jax.tree.leaves(got), jax.tree.leaves(expected)):
            np.testing.assert_allclose(value, reference, rtol=1e-5, atol=1e-6)

    def test_a_plain_function_takes_and_returns_its_own_trees(self):
        self.check(tessera.compile(step)(*arguments(4)), step(*arguments(4)))

    def test_a_sharded_function_runs_on_any_mesh(self):
        sharding = lambda *dimensions: NamedSharding(MESH, P(*dimensions))
        jitted = jax.jit(step, in_shardings=({"w": sharding(None, "model"), "b": None}, sharding("data", None)))
        for mesh in (None, "data=4,model=2", {"data": 1, "model": 1}):
            self.check(tessera.compile(jitted, mesh=mesh)(*arguments(8)), step(*arguments(8)))

    def test_each_shape_is_compiled_once(self):
        compiled = tessera.compile(step)
        for batch in (4, 8, 4):
            self.check(compiled(*arguments(batch)), step(*arguments(batch)))
        self.assertEqual(len(compiled.programs), 2)

    def test_arrays_in_another_order_of_dimensions_are_read_right(self):
        p, x = arguments(4)
        self.check(tessera.compile(step)(p, np.asfortranarray(x)), step(p, x))

    def test_numbers_are_narrowed_as_jax_does(self):
        scaled = jax.jit(lambda x, n, s: x * n + s)
        self.check(tessera.compile(scaled)(np.arange(4.0), np.arange(4), 0.5), scaled(np.arange(4.0), np.arange(4), 0.5))

    def test_random_keys_are_passed_and_returned(self):
        drop = jax.jit(lambda key, x: (jax.random.split(key), jnp.where(jax.random.bernoulli(key, 0.5, x.shape), x, 0)))
        key, x = jax.random.key(7), np.ones((4, 4), np.float32)
        keys, dropped = tessera.compile(drop)(key, x)
        expected_keys, expected = drop(key, x)
        self.assertEqual(keys.dtype, expected_keys.dtype)
        self.check((jax.random.key_data(keys), dropped), (jax.random.key_data(expected_keys), expected))

    def test_bfloat16_is_passed_and_returned(self):
        double = jax.jit(lambda x: x * 2)
        x = np.arange(4, dtype=jnp.bfloat16)
        doubled = tessera.compile(double)(x)
        self.assertEqual(doubled.dtype, jnp.bfloat16)
        np.testing.assert_array_equal(doubled, double(x))

    def test_complex_numbers_are_passed_and_returned(self):
        turn = jax.jit(lambda z: (jnp.exp(z) * 1j, jnp.abs(z)))
        z = np.array([[1 + 2j, -3j], [0.5, -1 + 1j]])
        for wide in False, True:
            with jax.enable_x64(wide):
                turned, _ = got = tessera.compile(turn)(z)
                self.assertEqual(turned.dtype, np.complex128 if wide else np.complex64)
                self.check(got, turn(z))

    def test_short_types_are_passed_and_returned(self):
        turn = jax.jit(lambda x, n: (x[::-1], (x.astype(jnp.float32) * 2).astype(jnp.float8_e5m2), n + n))
        x = np.array([0.5, -448, np.nan, 3.25], jnp.float8_e4m3fn)
        for n in np.array([1, -8, 7, -3], jnp.int4), np.array([1, 3, 2, 0], jnp.uint2):
            for arrays in (x, n), (jnp.asarray(x), jnp.asarray(n)):
                for compiled in tessera.compile(turn), tessera.jit(lambda x, n: turn(x, n)):
                    got, expected = compiled(*arrays), turn(*arrays)
                    self.assertEqual([g.dtype for g in got], [e.dtype for e in expected])
                    self.check([np.asarray(g, np.float32) for g in got], [np.asarray(e, np.float32) for e in expected])

    def test_unused_arguments_are_allowed(self):
        unused = jax.jit(lambda x, y: x * 2)
        self.check(tessera.compile(unused)(np.ones(3, np.float32), np.ones(2, np.float32)), np.full(3, 2, np.float32))

    def test_values_of_static_arguments_make_programs_of_their_own(self):
        power = jax.jit(lambda x, n, *, scale=1.0: scale * x**n, static_argnums=1, static_argnames="scale")
        compiled, x = tessera.compile(power), np.arange(1, 5, dtype=np.float32)
        for n, scale in ((2, 1.0), (3, 1.0), (2, 0.5), (2, 1.0)):
            self.check(compiled(x, n, scale=scale), power(x, n, scale=scale))
        self.assertEqual(len(compiled.programs), 3)

        def select(mode, x):
            return x + 1 if mode == "up" else x - 1

        compiled = tessera.compile(jax.jit(select, static_argnames="mode"))
        for mode in ("up", "down", "up"):
            self.check(compiled(mode, x), select(mode, x))

    def test_modes_of_jax_make_programs_of_their_own(self):
        compiled = tessera.compile(jax.jit(lambda x: (x @ x, jnp.arange(3) / 3)))
        x = np.linspace(0, 1, 16).reshape(4, 4)
        dtypes = []
        for wide in (False, True, False):
            with jax.enable_x64(wide):
                results = compiled(x)
                self.check(results, (x @ x, np.arange(3) / 3))
                dtypes.append([result.dtype for result in results])
        self.assertEqual(dtypes, [[np.float32] * 2, [np.float64] * 2, [np.float32] * 2])

        # A mode that changes no type, only what the program says.
        def draw(key):
            return jax.random.bits(key, (5,))

        compiled, key = tessera.compile(jax.jit(draw)), jax.random.key(3)
        drawn = []
        for partitionable in (True, False, True):
            with jax.threefry_partitionable(partitionable):
                drawn.append(compiled(key))
                np.testing.assert_array_equal(drawn[-1], jax.jit(draw)(key))
        self.assertTrue((drawn[0] != drawn[1]).any())
        with jax.default_matmul_precision("highest"):
            highest = tessera.compile(jax.jit(lambda x: x @ x)).program(x)[0]
        self.assertIsNotNone(highest)

    def test_every_mode_that_changes_a_program_is_told_from_others(self):
        modes = {
            "default_matmul_precision": (None, "highest"),
            "enable_x64": (False, True),
            "threefry_partitionable": (True, False),
            "numpy_dtype_promotion": ("standard", "strict"),
        }
        contexts = []
        for mode, values in modes.items():
            before = getattr(jax.config, f"jax_{mode}")
            try:
                for value in values:
                    jax.config.update(f"jax_{mode}", value)
                    contexts.append(tessera.jitting._modes())
            finally:
                jax.config.update(f"jax_{mode}", before)
        self.assertNotIn(None, contexts)
        for first, second in zip(contexts[::2], contexts[1::2]):
            self.assertNotEqual(first, second)

    def test_programs_are_told_apart_by_their_text_where_jax_has_no_modes(self):
        compiled, x = tessera.compile(jax.jit(lambda x, n: x * n, static_argnums=1)), np.ones(3, np.float32)
        with unittest.mock.patch("tessera.jitting._modes", lambda: None):
            for n in (2, 3, 2):
                self.check(compiled(x, n), np.full(3, n, np.float32))
        self.assertEqual((len(compiled.programs), len(compiled.known)), (2, 0))

    def test_classes_without_keys_are_trees(self):
        @jax.tree_util.register_pytree_node_class
        class Pair:
            def __init__(self, first, second):
                self.first, self.second = first, second

            def tree_flatten(self):
                return (self.first, self.second), None

            @classmethod
            def tree_unflatten(cls, data, children):
                return cls(*children)

        compiled = tessera.compile(jax.jit(lambda pair, x: (Pair(pair.second, {"sum": pair.first + x}), None)))
        result, nothing = compiled(Pair(np.ones(2, np.float32), np.zeros(3, np.float32)), np.float32(2))
        self.assertIsNone(nothing)
        np.testing.assert_array_equal(result.first, np.zeros(3))
        np.testing.assert_array_equal(result.second["sum"], np.full(2, 3))

    def test_arguments_are_passed_by_name_and_by_the_dozen(self):
        compiled = tessera.compile(lambda x, *rest, factor, **others: (x + sum(rest)) * factor + others["y"]["z"])
        x = np.ones(3, np.float32)
        self.check(compiled(x, 2 * x, 3 * x, factor=4 * x, y={"z": x}), 25 * x)

    def test_a_file_is_called_by_name_or_in_order(self):
        inputs = load_file(PROGRAMS / "mlp_step.inputs.safetensors")
        expected = load_file(PROGRAMS / "mlp_step.expected.safetensors")
        program = tessera.compile(PROGRAMS / "mlp_step.mlir", mesh="data=2,model=2")
        self.assertEqual({argument["name"] for argument in program.arguments}, set(inputs))
        self.check(program.run(inputs), expected)
        in_order = program(*(inputs[argument["name"]] for argument in program.arguments))
        self.check(dict(zip((result["name"] for result in program.results), in_order)), expected)

    def test_a_program_for_gpus_runs_on_emulated_ones(self):
        program = tessera.compile(PROGRAMS / "mlp_step.mlir", mesh="data=2,model=2", target="cuda:sm_80", backend="emulated")
        self.check(program.run(load_file(PROGRAMS / "mlp_step.inputs.safetensors")), load_file(PROGRAMS / "mlp_step.expected.safetensors"))

    def test_the_compiled_file_can_be_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kept.tsx")
            tessera.compile(PROGRAMS / "mlp_step.mlir", output=path)
            inputs = load_file(PROGRAMS / "mlp_step.inputs.safetensors")
            self.check(tessera.Program(path).run(inputs), load_file(PROGRAMS / "mlp_step.expected.safetensors"))

    def test_a_diagnostic_of_the_compiler_is_raised(self):
        with self.assertRaisesRegex(tessera.TesseraError, "error: ") as raised:
            tessera.compile(PROGRAMS / "mlp_step.mlir", mesh="data=zero")
        self.assertEqual(raised.exception.status, 1)

    def test_a_wrong_shape_is_raised(self):
        program = tessera.compile(PROGRAMS / "mlp_step.mlir")
        inputs = load_file(PROGRAMS / "mlp_step.inputs.safetensors")
        inputs["x"] = inputs["x"][:3]
        with self.assertRaisesRegex(tessera.TesseraError, "expected .*8.*6.*, got .*3.*6"):
            program.run(inputs)


if __name__ == "__main__":
    unittest.main()
