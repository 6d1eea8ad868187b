import functools
import gc
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import jax

jax.config.update("jax_num_cpu_devices", 4)

import jax.numpy as jnp
import numpy as np
from jax.sharding import AbstractMesh, AxisType, NamedSharding, PartitionSpec as P

import tessera

MESH = jax.make_mesh((2, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)


def on(*dimensions, mesh=MESH):
    return NamedSharding(mesh, P(*dimensions))


def step(p, x):
    loss, gradients = jax.value_and_grad(lambda p: jnp.mean(jnp.tanh(x @ p["w"] + p["b"]) ** 2))(p)
    return jax.tree.map(lambda p, g: p - 0.1 * g, p, gradients), loss


def arguments(batch=8):
    random = np.random.default_rng(batch)
    p = {"w": random.standard_normal((6, 8), np.float32), "b": random.standard_normal(8, np.float32)}
    return p, random.standard_normal((batch, 6), np.float32)


class Jit(unittest.TestCase):
    def check(self, got, expected):
        """Whether results are those of JAX, in types, values and places."""
        self.assertEqual(jax.tree.structure(got), jax.tree.structure(expected))
        for value, reference in zip(jax.tree.leaves(got), jax.tree.leaves(expected)):
            self.assertIsInstance(value, jax.Array)
            self.assertEqual((value.dtype, value.weak_type), (reference.dtype, reference.weak_type))
            self.assertEqual((value.sharding, value.committed), (reference.sharding, reference.committed))
            np.testing.assert_allclose(value, reference, rtol=1e-5, atol=1e-6)

    def same(self, fn, *args, options=None, **kwargs):
        """Whether a function does what it does under `jax.jit`, which is called first."""
        expected = jax.jit(fn, **(options or {}))(*args, **kwargs)
        compiled = tessera.jit(fn, **(options or {}))
        for _ in range(2):
            self.check(compiled(*args, **kwargs), expected)
        return compiled

    def test_results_are_arrays_of_jax_on_one_device(self):
        self.same(step, *arguments())
        self.same(step, *jax.tree.map(jnp.asarray, arguments()))
        self.same(step, *jax.device_put(arguments(), jax.devices()[2]))
        self.same(lambda x: (x + 1, 3.0, x.sum(), jnp.arange(3, dtype=jnp.int8)), jnp.ones(4))

    def test_results_are_sharded_as_asked(self):
        p_shardings = {"w": on(None, "model"), "b": on("model")}
        options = dict(in_shardings=(p_shardings, on("data")), out_shardings=(p_shardings, on()))
        compiled = self.same(step, *arguments(), options=options)
        p, x = jax.device_put(arguments(), options["in_shardings"])
        self.check(compiled(p, x), jax.jit(step, **options)(p, x))
        # A prefix of the tree, and shardings that differ from those of the arguments.
        self.same(step, p, x, options=dict(out_shardings=on()))
        moved = jax.device_put(p, on())
        with self.assertRaisesRegex(ValueError, "Sharding passed to jit does not match"):
            compiled(moved, x)

    def test_shardings_of_arguments_decide(self):
        x = jax.device_put(np.arange(32, dtype=np.float32).reshape(8, 4), on("data", "model"))
        doubled = tessera.jit(lambda x: 2 * x)(x)
        self.assertTrue(doubled.sharding.is_equivalent_to(x.sharding, 2))
        np.testing.assert_array_equal(doubled, 2 * np.asarray(x))

    def test_shards_are_not_copied(self):
        x = jax.device_put(np.ones((8, 4), np.float32), on("data", "model"))
        compiled = tessera.jit(lambda x: 2 * x)
        compiled(x)
        call = tessera.runtime.Job.call
        passed = []

        def watch(job, *addresses):
            passed.append([None if address is None else np.ctypeslib.as_array((np.ctypeslib.ctypes.c_uint64 * 4).from_address(address)).copy() for address in addresses])
            return call(job, *addresses)

        with unittest.mock.patch("tessera.runtime.Job.call", watch):
            doubled = compiled(x)
        _, given, _, taken = passed[0]
        self.assertEqual(list(given), [shard.unsafe_buffer_pointer() for shard in x._arrays])
        self.assertEqual(list(taken), [shard.unsafe_buffer_pointer() for shard in doubled._arrays])

    def test_a_mesh_places_specs(self):
        options = dict(in_shardings=(P(), P("data")), out_shardings=(P(), None))
        compiled = tessera.jit(step, mesh=MESH, **options)
        expected = jax.jit(step, in_shardings=(on(), on("data")), out_shardings=(on(), None))(*arguments())
        got = compiled(*arguments())
        self.assertEqual(got[0]["w"].sharding, on())
        np.testing.assert_allclose(got[0]["w"], expected[0]["w"], rtol=1e-5, atol=1e-6)

    def test_more_ranks_than_devices_make_whole_arrays(self):
        mesh = AbstractMesh((2, 4), ("data", "model"))
        compiled = tessera.jit(step, in_shardings=({"w": on(None, "model", mesh=mesh), "b": None}, on("data", mesh=mesh)))
        p, loss = compiled(*arguments())
        expected, expected_loss = jax.jit(step)(*arguments())
        np.testing.assert_allclose(p["w"], expected["w"], rtol=1e-5, atol=1e-6)
        self.assertEqual(loss.sharding.num_devices, 1)
        p, loss = compiled(p, arguments()[1])
        self.assertTrue(np.isfinite(loss))

    def test_donated_arrays_are_deleted(self):
        for place in (lambda tree: jax.tree.map(jnp.asarray, tree), lambda tree: jax.device_put(tree, on())):
            p, x = place(arguments())
            compiled = tessera.jit(step, donate_argnums=0)
            new, _ = compiled(p, x)
            self.assertTrue(p["w"].is_deleted() and p["b"].is_deleted())
            self.assertFalse(x.is_deleted())
            newer, _ = compiled(new, x)
            self.assertTrue(new["w"].is_deleted())
            self.check(newer, jax.jit(step)(jax.jit(step)(*place(arguments()))[0], x)[0])
            with self.assertRaisesRegex((RuntimeError, ValueError), "deleted|donated"):
                compiled(new, x)
            # What NumPy looks at stays as it is.
            view = np.asarray(newer["w"])
            before = view.copy()
            compiled(newer, x)
            np.testing.assert_array_equal(view, before)
        compiled = tessera.jit(lambda *, state, x: state + x, donate_argnames="state")
        state = jnp.ones(3)
        compiled(state=state, x=jnp.ones(3))
        self.assertTrue(state.is_deleted())

    def test_static_keyword_and_partial_arguments(self):
        def power(x, n, *, scale=1.0, mode="up"):
            return scale * x**n if mode == "up" else x

        x = jnp.arange(1.0, 5.0)
        compiled = tessera.jit(power, static_argnums=1, static_argnames=("scale", "mode"))
        reference = jax.jit(power, static_argnums=1, static_argnames=("scale", "mode"))
        for call in (dict(n=2), dict(n=3), dict(n=2, scale=0.5), dict(n=2, mode="down"), dict(n=2)):
            self.check(compiled(x, **call), reference(x, **call))
        self.check(compiled(x, 3), reference(x, 3))
        self.assertEqual(len(compiled.programs), 4)
        self.check(tessera.jit(functools.partial(power, n=2))(x), reference(x, 2))
        self.check(tessera.jit(jax.vmap(lambda x, y: x * y, in_axes=(0, None)))(x, x), jax.vmap(lambda x, y: x * y, in_axes=(0, None))(x, x))

        @tessera.jit
        def plain(x):
            return x + 1

        @functools.partial(tessera.jit, static_argnums=0)
        def chosen(n, x):
            return n * x

        self.check((plain(x), chosen(2, x)), (x + 1, 2 * x))
        self.assertEqual(chosen.__name__, "chosen")

    def test_methods_are_bound(self):
        class Scale:
            @functools.partial(tessera.jit, static_argnums=0)
            def apply(self, x):
                return 2 * x

        self.check(Scale().apply(jnp.ones(3)), 2 * jnp.ones(3))

    def test_random_keys_and_modes(self):
        key = jax.random.key(7)
        keys, drawn = tessera.jit(lambda key: (jax.random.split(key), jax.random.normal(key, (4,))))(key)
        self.assertEqual(keys.dtype, key.dtype)
        np.testing.assert_array_equal(jax.random.key_data(keys), jax.random.key_data(jax.random.split(key)))
        compiled = tessera.jit(lambda x: x @ x)
        for wide in (False, True):
            with jax.enable_x64(wide):
                x = np.linspace(0, 1, 16).reshape(4, 4)
                self.check(compiled(x), jax.jit(lambda x: x @ x)(x))

    def test_within_transformations_it_is_part_of_them(self):
        compiled, x = tessera.jit(lambda x: jnp.sum(jnp.sin(x))), jnp.arange(4.0)
        self.check(jax.grad(compiled)(x), jnp.cos(x))
        self.check(jax.jit(lambda x: 2 * compiled(x))(x), 2 * jnp.sum(jnp.sin(x)))
        self.check(jax.vmap(compiled)(jnp.ones((2, 3))), jax.vmap(lambda x: jnp.sum(jnp.sin(x)))(jnp.ones((2, 3))))
        outer = tessera.jit(jax.grad(compiled))
        self.check(outer(x), jnp.cos(x))

    def test_what_is_known_ahead_of_calls(self):
        options = dict(in_shardings=({"w": on(None, "model"), "b": None}, on("data")), donate_argnums=0)
        compiled = tessera.jit(step, **options)
        traced = compiled.trace(*arguments())
        self.assertEqual(traced.out_info[1].shape, ())
        self.assertIn("tanh", str(traced.jaxpr))
        lowered = compiled.lower(*arguments())
        self.assertIn("stablehlo.tanh", lowered.as_text())
        ahead = lowered.compile()
        cost, memory = ahead.cost_analysis(), ahead.memory_analysis()
        # Of each device: x (4x6) times w (6x4), and for the gradient the same again.
        self.assertGreaterEqual(cost["flops"], 2 * 2 * 4 * 6 * 4)
        self.assertGreater(cost["bytes communicated"], 0)
        self.assertEqual(memory.argument_size_in_bytes, 4 * (6 * 4 + 4 + 4 * 6))
        self.assertIn("tessera_spmd", ahead.as_text().replace("spmd.", "tessera_spmd."))
        (p_shardings, x_sharding), _ = ahead.input_shardings
        self.assertEqual((p_shardings["w"], x_sharding), (on(None, "model"), on("data")))
        self.assertEqual(ahead.runtime_executable().ranks, 4)
        p, x = jax.tree.map(jnp.asarray, arguments())
        self.check(ahead(p, x)[1], jax.jit(step, in_shardings=options["in_shardings"])(*arguments())[1])
        with self.assertRaisesRegex(TypeError, "expected arguments like"):
            ahead(x)
        self.assertEqual(compiled.eval_shape(*arguments())[1].shape, ())

    def test_references_are_changed_in_place(self):
        for place in (lambda x: x, lambda x: jax.device_put(x, on("data"))):
            x, held = place(jnp.arange(8.0)), jax.new_ref(place(jnp.ones(8)))

            def f(reference, x):
                reference[...] += x
                held[...] = held[...] * 2 + reference[0]
                return reference[...].sum()

            fast, reference = tessera.jit(f), jax.new_ref(x)
            for turn in (2, 3):
                before = held[...]
                np.testing.assert_allclose(fast(reference, x), turn * x.sum())
                np.testing.assert_allclose(reference[...], turn * x)
                np.testing.assert_allclose(held[...], before * 2)
            self.assertEqual(reference.sharding, x.sharding)
            np.testing.assert_allclose(tessera.jit(lambda x: (held[...] * x).sum())(np.ones(8, np.float32)), held[...].sum(), rtol=1e-6)
            ahead = fast.lower(reference, x).compile()
            np.testing.assert_allclose(ahead(reference, x), 4 * x.sum())
        matrix = jax.new_ref(jnp.ones((4, 2)))

        def g():
            matrix[1, 0] = 5.0

        tessera.jit(g)()
        self.assertEqual(float(matrix[1, 0]), 5)
        scale = tessera.jit(lambda factor: (matrix[...] * factor).sum())
        ahead = scale.lower(jnp.float32(2)).compile()
        self.assertEqual((len(ahead.input_shardings[0]), len(jax.tree.leaves(ahead.output_shardings))), (1, 1))
        self.assertEqual([float(scale(2.0)), float(scale(np.float32(3)))], [24, 36])

    def test_compiled_functions_are_kept_on_disk(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(os.environ, TESSERA_CACHE=folder):
            x = jnp.ones(3)

            def add(x):
                return x + 1

            tessera.jit(add)(x)
            (kept,) = pathlib.Path(folder).iterdir()
            with unittest.mock.patch("tessera.compiling.run_compiler") as tool:
                self.check(tessera.jit(add)(x), x + 1)
                tool.assert_not_called()
            tessera.jit(add, compiler_options={"cpu": "x86-64-v3"})(x)
            self.assertEqual(len(list(pathlib.Path(folder).iterdir())), 2)
            jax.clear_caches()  # Which keep programs loaded.
            gc.collect()
            kept.write_bytes(kept.read_bytes()[:100])
            self.check(tessera.jit(add)(x), x + 1)

    def test_files_and_libraries_that_programs_depend_on_are_part_of_their_key(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "schedule.csv"
            compiler = tessera.compiling.Compiler(flags=[f"--schedule={file}"])
            keys = [compiler._key("")]
            for content in ("F0", "F1"):
                file.write_text(content)
                keys.append(compiler._key(""))
            with unittest.mock.patch.dict(os.environ, TESSERA_CPU="x86-64-v4"):
                keys.append(compiler._key(""))
            with unittest.mock.patch("tessera.compiling._libraries", return_value=[str(file)]):
                # Asked once in a process, which goes on with the libraries that it has.
                tessera.compiling._compiler_versions.cache_clear()
                keys.append(compiler._key(""))
                os.utime(file, (1, 1))
                self.assertEqual(compiler._key(""), keys[-1])
                tessera.compiling._compiler_versions.cache_clear()
                keys.append(compiler._key(""))
            tessera.compiling._compiler_versions.cache_clear()
            self.assertEqual(len(set(keys)), 6)
            file.write_text("F1")
            self.assertEqual(compiler._key(""), keys[2])
        self.assertTrue(any("LLVM" in path for path in tessera.compiling._libraries(tessera.compiler.find_compiler())))

    def test_arrays_of_other_types_are_refused_ahead_of_calls(self):
        for place, where in ((jnp.asarray, None), (lambda x: jax.device_put(x, on("data")), on("data"))):
            x = place(np.ones((8, 8), np.float32))
            compiled = tessera.jit(lambda x: 2 * x, in_shardings=where).lower(x).compile()
            self.assertEqual(compiled(x)[7, 7], 2)
            for wrong, got in (((2, 2), np.float32), r"float32\[2x2\]"), (((8, 8), np.int32), r"int32\[8x8\]"):
                for array in (place(np.ones(*wrong)), np.ones(*wrong)):
                    with self.assertRaisesRegex(TypeError, r"expected float32\[8x8\], got " + got):
                        compiled(array)

    def test_arrays_in_another_order_of_dimensions(self):
        from jax.experimental.layout import Format, Layout

        values = np.arange(32, dtype=np.float32).reshape(8, 4)
        for where in (jax.sharding.SingleDeviceSharding(jax.devices()[0]), on("data", "model")):
            rows, columns = jax.device_put(values, where), jax.device_put(values, Format(Layout((1, 0)), where))
            function = tessera.jit(lambda x: 2 * x)
            compiled = function.lower(rows).compile()
            for x in (rows, columns, rows):
                np.testing.assert_array_equal(compiled(x), 2 * values)
            np.testing.assert_array_equal(function(rows), 2 * values)
            # Here JAX asks for a program that takes such arguments.
            with self.assertRaisesRegex(tessera.TesseraError, "mhlo.layout_mode"):
                function(columns)

    def test_numbers_without_room_are_refused(self):
        compiled = tessera.jit(lambda x: x - 1)
        self.assertEqual(compiled(1), 0)
        for number in (2**40, 2**70, -(2**31) - 1):
            with self.assertRaisesRegex(OverflowError, f"(expected a number of type int32, got|with value) {number}"):
                compiled(number)
        self.assertEqual(compiled(2**31 - 1), 2**31 - 2)
        with jax.enable_x64(True):
            self.assertEqual(compiled(2**40), 2**40 - 1)

    def test_errors_of_the_compiler_and_of_requests_are_raised(self):
        with self.assertRaisesRegex(tessera.TesseraError, "error: "):
            tessera.jit(lambda x: x, mesh={"data": 0})(jnp.ones(3))
        with self.assertRaisesRegex(TypeError, "expected no donate_argnums for a function that is jitted already"):
            tessera.jit(jax.jit(lambda x: x), donate_argnums=0)
        with self.assertRaisesRegex(TypeError, "non-array argument|not a valid JAX type"):
            tessera.jit(lambda x: x)("text")

    def test_several_options_of_the_ranks(self):
        compiled = tessera.jit(lambda x: x @ x, compiler_options={"threads": 2, "timeout": 5})
        x = jnp.ones((8, 8))
        self.check(compiled(x), x @ x)
        emulated = tessera.jit(lambda x: x + 1, compiler_options={"target": "cuda:sm_80", "backend": "emulated"})
        self.check(emulated(x), x + 1)


class Libraries(unittest.TestCase):
    """Programs of others, unchanged but for the jit."""

    def setUp(self):
        random = np.random.default_rng(0)
        self.x, self.y = random.standard_normal((16, 4), np.float32), random.standard_normal((16, 2), np.float32)

    def compare(self, train):
        """Whether five steps of training lose the same as with the jit of the library."""
        expected, got = train(lambda jitted: jitted), train(tessera.jit)
        np.testing.assert_allclose(got, expected, rtol=1e-5)
        self.assertLess(got[-1], got[0])

    def test_optax(self):
        try:
            import optax
        except ImportError:
            self.skipTest("optax is not installed")

        def train(jit):
            optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(optax.cosine_decay_schedule(0.1, 20)))
            p = {"w": jnp.full((4, 2), 0.1), "b": jnp.zeros(2)}
            state, losses = optimizer.init(p), []

            def step(p, state, x, y):
                loss, gradients = jax.value_and_grad(lambda p: jnp.mean((x @ p["w"] + p["b"] - y) ** 2))(p)
                updates, state = optimizer.update(gradients, state, p)
                return optax.apply_updates(p, updates), state, loss

            step = jit(jax.jit(step, donate_argnums=(0, 1)))
            for _ in range(5):
                p, state, loss = step(p, state, self.x, self.y)
                losses.append(float(loss))
            return losses

        self.compare(train)

    def test_equinox(self):
        try:
            import equinox as eqx
            import optax
        except ImportError:
            self.skipTest("equinox or optax is not installed")

        def train(jit):
            model = eqx.nn.MLP(4, 2, 8, 2, key=jax.random.key(0))
            optimizer = optax.adam(0.01)
            state, losses = optimizer.init(eqx.filter(model, eqx.is_array)), []

            def loss_of(model, x, y):
                return jnp.mean((jax.vmap(model)(x) - y) ** 2)

            def step(model, state, x, y):
                loss, gradients = eqx.filter_value_and_grad(loss_of)(model, x, y)
                updates, state = optimizer.update(gradients, state, eqx.filter(model, eqx.is_array))
                return eqx.apply_updates(model, updates), state, loss

            step = jit(eqx.filter_jit(step))
            for _ in range(5):
                model, state, loss = step(model, state, self.x, self.y)
                losses.append(float(loss))
            return losses

        self.compare(train)

    def test_nnx(self):
        try:
            import optax
            from flax import nnx
        except ImportError:
            self.skipTest("flax or optax is not installed")

        class Model(nnx.Module):
            def __init__(self, rngs):
                self.first, self.norm = nnx.Linear(4, 8, rngs=rngs), nnx.BatchNorm(8, rngs=rngs)
                self.dropout, self.second = nnx.Dropout(0.2, rngs=rngs), nnx.Linear(8, 2, rngs=rngs)

            def __call__(self, x):
                return self.second(self.dropout(nnx.relu(self.norm(self.first(x)))))

        def train(jit):
            model = Model(nnx.Rngs(0))
            optimizer, losses = nnx.Optimizer(model, optax.adam(0.05), wrt=nnx.Param), []

            def step(model, optimizer, x, y):
                loss, gradients = nnx.value_and_grad(lambda model: jnp.mean((model(x) - y) ** 2))(model)
                optimizer.update(model, gradients)
                return loss

            step = jit(nnx.jit(step))
            for _ in range(5):
                losses.append(float(step(model, optimizer, self.x, self.y)))
            return losses

        self.compare(train)


if __name__ == "__main__":
    unittest.main()
