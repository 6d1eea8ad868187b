"""The plugin: what a program computes on the platform `tessera` is what it computes on JAX's own CPU."""

import functools
import unittest

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P

CPU = jax.devices("cpu")[0]


def mesh_of(sizes, names, devices=None):
    return jax.make_mesh(sizes, names, devices=devices or jax.devices()[: np.prod(sizes)], axis_types=(AxisType.Auto,) * len(names))


def on_cpu(fn, *args):
    """What `fn` gives on JAX's CPU."""
    with jax.default_device(CPU):
        return jax.tree.map(np.asarray, fn(*jax.device_put(args, CPU)))


class PluginTest(unittest.TestCase):
    def check(self, fn, *args, rtol=1e-5, atol=1e-6):
        """`fn` gives the same on both platforms; returns what it gives on this one."""
        results = fn(*args)
        for got, expected in zip(jax.tree.leaves(results), jax.tree.leaves(on_cpu(fn, *args))):
            self.assertEqual(got.dtype, expected.dtype)
            np.testing.assert_allclose(np.asarray(got), expected, rtol=rtol, atol=atol)
        return results

    def test_devices(self):
        self.assertEqual([(device.platform, device.id) for device in jax.devices()], [("tessera", number) for number in range(8)])
        self.assertEqual(jax.default_backend(), "tessera")
        self.assertEqual(jax.devices()[0].default_memory().kind, "device")

    def test_eager_operations(self):
        x = np.linspace(-2, 2, 24, dtype=np.float32).reshape(4, 6)
        self.check(lambda x: jnp.tanh(x) @ x.T + x.sum(axis=1), x)
        self.check(lambda x: (jnp.sort(x, axis=0), jnp.argmax(x, axis=1), x[1:3, ::2], jnp.where(x > 0, x, 0)), x)
        self.check(lambda x: x.astype(jnp.bfloat16).astype(jnp.float32), x)
        self.check(lambda x: (x > 0, jnp.fft.rfft(x), x[:0]), x, atol=1e-4)

    def test_an_operation_on_another_device_stays_there(self):
        x = jax.device_put(np.arange(4.0, dtype=np.float32), jax.devices()[5])
        self.assertEqual((x * 2).devices(), {jax.devices()[5]})
        np.testing.assert_array_equal(jax.device_put(x * 2, jax.devices()[1]), [0, 2, 4, 6])

    def test_a_training_step_on_a_mesh(self):
        mesh = mesh_of((2, 2), ("data", "model"))
        weights, data = NamedSharding(mesh, P("data", "model")), NamedSharding(mesh, P("data"))

        def step(w, x):
            loss, gradient = jax.value_and_grad(lambda w: jnp.mean((x @ w) ** 2))(w)
            return w - 0.1 * gradient, loss

        w, x = np.random.default_rng(0).normal(size=(8, 8)).astype(np.float32), np.ones((16, 8), np.float32)
        sharded, expected = jax.jit(step, in_shardings=(weights, data), donate_argnums=0), w
        w, x = jax.device_put(w, weights), jax.device_put(x, data)
        for _ in range(3):
            given = w
            w, loss = sharded(w, x)
            expected, expected_loss = on_cpu(step, expected, np.asarray(x))
            self.assertTrue(given.is_deleted())
            self.assertEqual(w.sharding, weights)
            self.assertEqual({shard.data.shape for shard in w.addressable_shards}, {(4, 4)})
            np.testing.assert_allclose(np.asarray(w), expected, rtol=1e-5)
            np.testing.assert_allclose(loss, expected_loss, rtol=1e-5)
        with self.assertRaisesRegex(ValueError, "deleted or donated"):
            sharded(given, x)

    def test_a_donated_array_that_is_looked_at_stays(self):
        double = jax.jit(lambda x: x * 2, donate_argnums=0)
        x = jnp.arange(64.0)
        view = np.asarray(x)
        np.testing.assert_array_equal(double(x), np.arange(64) * 2)
        np.testing.assert_array_equal(view, np.arange(64))

    def test_a_donated_array_occurs_once(self):
        add = jax.jit(lambda x, y: x + y, donate_argnums=0)
        x = jnp.arange(4.0)
        with self.assertRaisesRegex(Exception, "donate"):
            add(x, x)

    def test_a_donated_array_of_a_step_that_fails_is_gone(self):
        def fail(x):
            raise ValueError("too late")

        x = jnp.arange(64.0)
        step = jax.jit(lambda x: (x + 1, jax.pure_callback(fail, jax.ShapeDtypeStruct((), x.dtype), x[0])), donate_argnums=0)
        with self.assertRaisesRegex(Exception, "too late"):
            step(x)
        self.assertTrue(x.is_deleted())

    def test_an_array_that_is_deleted_during_a_step_stays_until_its_end(self):
        x = jnp.ones((2048, 2048), np.float32)

        def forget(y):
            x.delete()
            return y

        doubled = jax.jit(lambda x: x * jax.pure_callback(forget, jax.ShapeDtypeStruct((), x.dtype), x[0, 0] * 2))(x)
        self.assertTrue(x.is_deleted())
        self.assertEqual(float(doubled.sum()), 2 * 2048 * 2048)

    def test_shardings_that_nobody_asked_for(self):
        mesh = mesh_of((2, 4), ("x", "y"))
        x = jax.device_put(np.arange(64, dtype=np.float32).reshape(8, 8), NamedSharding(mesh, P("x", "y")))
        product = jax.jit(lambda x: x @ x.T)(x)
        np.testing.assert_array_equal(product, np.asarray(x) @ np.asarray(x).T)
        self.assertEqual(len(product.sharding.device_set), 8)
        constrained = jax.jit(lambda x: jax.lax.with_sharding_constraint(x + 1, NamedSharding(mesh, P(None, "y"))))(x)
        self.assertEqual(constrained.sharding.spec, P(None, "y"))
        text = jax.jit(lambda x: jax.lax.with_sharding_constraint(x + 1, NamedSharding(mesh, P(None, "y")))).lower(x).compile().as_text()
        self.assertIn("add", text)

    def test_a_mesh_in_another_order(self):
        mesh = Mesh(np.array(jax.devices()[:4])[::-1].reshape(2, 2), ("a", "b"))
        x = np.arange(16, dtype=np.float32).reshape(4, 4)
        placed = jax.device_put(x, NamedSharding(mesh, P("a", "b")))
        result = jax.jit(lambda x: x + x.T)(placed)
        np.testing.assert_array_equal(result, x + x.T)
        for shard in result.addressable_shards:
            np.testing.assert_array_equal(shard.data, (x + x.T)[shard.index])

    def test_shard_map(self):
        mesh = mesh_of((4,), ("x",))

        @functools.partial(jax.shard_map, mesh=mesh, in_specs=P("x"), out_specs=(P(), P("x")))
        def collect(x):
            return jax.lax.psum(x, "x"), jax.lax.ppermute(x, "x", [(i, (i + 1) % 4) for i in range(4)])

        total, shifted = collect(jnp.arange(8.0).reshape(4, 2))
        np.testing.assert_array_equal(total, [[12, 16]])
        np.testing.assert_array_equal(shifted, [[6, 7], [0, 1], [2, 3], [4, 5]])

    def test_arrays_from_shards(self):
        sharding, whole = NamedSharding(mesh_of((4, 2), ("x", "y")), P("y", "x")), np.arange(32, dtype=np.int32).reshape(4, 8)
        made = jax.make_array_from_callback(whole.shape, sharding, lambda index: whole[index])
        np.testing.assert_array_equal(made, whole)
        self.assertEqual(int(made.sum()), whole.sum())
        transposed = jax.device_put(np.asfortranarray(whole), sharding)
        np.testing.assert_array_equal(jnp.flip(transposed, 0), whole[::-1])

    def test_random_keys(self):
        key = jax.random.key(7)
        self.check(lambda data: jax.random.normal(jax.random.wrap_key_data(data), (4, 3)), jax.random.key_data(key))
        self.check(lambda data: jax.random.permutation(jax.random.wrap_key_data(data), 10), jax.random.key_data(key))

    def test_wide_types(self):
        with jax.enable_x64(True):
            self.check(lambda x: (x / 3, x.astype(jnp.int64) << 40, x + 1j), np.arange(5, dtype=np.float64))

    def test_linear_algebra(self):
        x = np.eye(4, dtype=np.float32) * 3 + 0.1
        self.check(lambda x: (jnp.linalg.cholesky(x), jnp.linalg.solve(x, x[0]), jnp.linalg.eigvalsh(x), jnp.linalg.det(x)), x)

    def test_control_flow(self):
        self.check(lambda x: jax.lax.scan(lambda c, x: (c + x, c * x), 1.0, x), np.arange(5, dtype=np.float32))
        self.check(lambda x: jax.lax.fori_loop(0, 3, lambda i, x: jax.lax.cond(i > 1, jnp.sin, jnp.cos, x), x), np.arange(5, dtype=np.float32))

    def test_what_nothing_divides(self):
        mesh = mesh_of((2, 2), ("x", "y"))
        whole = jax.device_put(np.arange(4, dtype=np.float32), NamedSharding(mesh, P()))
        doubled = jax.jit(lambda x: x * 2, donate_argnums=0)(whole)
        self.assertTrue(whole.is_deleted())
        self.assertEqual(len(doubled.sharding.device_set), 4)
        for shard in doubled.addressable_shards:
            np.testing.assert_array_equal(shard.data, [0, 2, 4, 6])

    def test_sums_that_stay_open(self):
        mesh = jax.make_mesh((4,), ("x",), devices=jax.devices()[:4], axis_types=(AxisType.Explicit,))
        with jax.set_mesh(mesh):
            x = jax.device_put(np.arange(16, dtype=np.float32).reshape(4, 4), P(None, "x"))
            product = jax.jit(lambda x, y: jnp.einsum("ab,bc->ac", x, y, out_sharding=P(None, None, unreduced={"x"})))(x, jax.device_put(np.eye(4, dtype=np.float32), P("x", None)))
            self.assertEqual(product.sharding.spec, P(None, None, unreduced={"x"}))
            np.testing.assert_array_equal(jax.jit(lambda p: jax.reshard(p, P(None, None)))(product), np.arange(16).reshape(4, 4))

    def test_a_function_of_python_that_calls_its_program_again(self):
        device = jax.devices()[0]

        @jax.jit
        def countdown(n):
            def host(n):
                return np.asarray(countdown(jax.device_put(np.float32(n - 1), device)) if n > 0 else n)

            return jax.pure_callback(host, jax.ShapeDtypeStruct((), n.dtype), n) + 1

        # JAX refuses a first call of a function that calls the function.
        self.assertEqual([countdown(np.float32(n)) for n in range(4)], [1, 2, 3, 4])

    def test_fewer_rows_than_devices(self):
        rows = NamedSharding(mesh_of((8,), ("x",)), P("x"))
        x = np.arange(12, dtype=np.float32).reshape(4, 3)
        got = jax.jit(lambda x: jax.lax.with_sharding_constraint(x * 2, rows))(x)
        np.testing.assert_array_equal(got, x * 2)

    def test_approximate_top_k(self):
        x = np.random.default_rng(0).standard_normal((8, 64), np.float32)
        for top, sign in ((jax.lax.approx_max_k, -1), (jax.lax.approx_min_k, 1)):
            numbers, places = jax.jit(top, static_argnums=1)(x, 5)
            np.testing.assert_array_equal(numbers, sign * np.sort(sign * x)[:, :5])
            np.testing.assert_array_equal(np.take_along_axis(x, np.asarray(places), 1), numbers)
        self.assertGreaterEqual(jax.lax.approx_max_k(x.T, 5, 0, aggregate_to_topk=False)[0].shape[0], 5)

    def test_functions_of_python(self):
        def host(x):
            return np.asarray(x) * 2

        def call(x):
            return jax.pure_callback(host, jax.ShapeDtypeStruct(x.shape, x.dtype), x) + 1

        x, seen = np.arange(8, dtype=np.float32), []
        np.testing.assert_array_equal(jax.jit(call)(x), x * 2 + 1)
        sharded = jax.device_put(x, NamedSharding(mesh_of((4,), ("x",)), P("x")))
        np.testing.assert_array_equal(jax.jit(call)(sharded), x * 2 + 1)
        jax.jit(lambda x: jax.debug.callback(lambda s: seen.append(float(s)), x.sum()))(sharded)
        jax.effects_barrier()
        self.assertEqual(seen, [28.0])

        @jax.jit
        def in_order(x):
            io_callback(lambda v: seen.append(float(v)), None, x[0], ordered=True)
            io_callback(lambda v: seen.append(-float(v)), None, x[1], ordered=True)
            return x * 2

        np.testing.assert_array_equal(in_order(in_order(x)), x * 4)
        jax.effects_barrier()
        self.assertEqual(seen[1:], [0, -1, 0, -2])

        def fail(x):
            raise ValueError("no such number")

        with self.assertRaisesRegex(Exception, "no such number"):
            jax.jit(lambda x: jax.pure_callback(fail, jax.ShapeDtypeStruct((), x.dtype), x))(np.float32(1))

    def test_analyses(self):
        compiled = jax.jit(lambda x: x @ x).lower(np.ones((16, 16), np.float32)).compile()
        self.assertGreaterEqual(compiled.cost_analysis()["flops"], 2 * 16**3 - 16**2)
        memory = compiled.memory_analysis()
        self.assertEqual((memory.argument_size_in_bytes, memory.output_size_in_bytes), (1024, 1024))
        self.assertIn("dot", compiled.as_text())

    def test_what_is_not_supported_is_said_in_a_line(self):
        def call(x):
            return jax.ffi.ffi_call("no_such_routine", jax.ShapeDtypeStruct(x.shape, x.dtype))(x)

        with self.assertRaisesRegex(Exception, r"test_plugin.py.*no_such_routine"):
            jax.jit(call)(np.ones(3, np.float32))

    def test_layouts_other_than_rows_are_refused(self):
        from jax.experimental.layout import Format, Layout

        columns = Format(Layout((1, 0)), jax.sharding.SingleDeviceSharding(jax.devices()[0]))
        with self.assertRaisesRegex(Exception, "layout"):
            jax.device_put(np.ones((2, 3), np.float32), columns)


if __name__ == "__main__":
    unittest.main()
