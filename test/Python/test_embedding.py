"""Compiled functions as operations of JAX: transformed and compiled as part of others, with the values and gradients of JAX."""

import os
import threading
import unittest
from unittest import mock

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P

import tessera

MESH = Mesh(np.array(jax.devices()).reshape(2, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
random = np.random.default_rng(0)
W, X = (random.standard_normal(shape, np.float32) for shape in ((6, 8), (8, 6)))


def on(*axes):
    return NamedSharding(MESH, P(*axes))


def layer(w, x):
    return jnp.tanh(x @ w).sum(0)


def loss_of(function):
    return lambda w, x: (function(w, x) ** 2).sum()


ONE = {}
FOUR = {"in_shardings": (on(None, "model"), on("data")), "out_shardings": on("model")}


class EmbeddingTest(unittest.TestCase):
    def check(self, got, expected):
        for one, other in zip(jax.tree.leaves(got), jax.tree.leaves(expected), strict=True):
            self.assertEqual((one.shape, one.dtype), (other.shape, other.dtype))
            np.testing.assert_allclose(one, other, rtol=2e-5, atol=1e-5 * max(1, np.abs(other).max()))

    def calls(self, function, *args):
        """How many programs a function of JAX calls."""
        return jax.jit(function).lower(*args).as_text().count("custom_call @tessera_call(")

    def test_transformations_are_those_of_jax(self):
        for options in (ONE, FOUR):
            loss, expected = loss_of(tessera.jit(layer, **options)), loss_of(layer)
            for transform in (
                jax.jit,
                jax.grad,
                lambda f: jax.jit(jax.value_and_grad(f, (0, 1))),
                lambda f: jax.grad(jax.checkpoint(f)),
                lambda f: lambda w, x: jax.jvp(f, (w, x), (x.T[:6, :8], x)),
                lambda f: lambda w, x: jax.jit(jax.grad(lambda w: jax.grad(f)(w, x).sum()))(w),
            ):
                self.check(transform(loss)(W, X), transform(expected)(W, X))
            # What runs on several devices is left to JAX.
            self.assertEqual(self.calls(loss, W, X), options is ONE)
            self.assertEqual(self.calls(jax.grad(loss), W, X), 2 * (options is ONE))

    def test_batches_and_second_derivatives(self):
        fast = tessera.jit(lambda x: jnp.sin(x).prod())
        x = X[0]
        self.check(jax.vmap(fast)(X), jax.vmap(lambda x: jnp.sin(x).prod())(X))
        self.check(jax.hessian(fast)(x), jax.hessian(lambda x: jnp.sin(x).prod())(x))

    def test_shardings_stay(self):
        loss = loss_of(tessera.jit(layer, **FOUR))
        w, x = jax.device_put((W, X), (on(None, "model"), on("data")))
        gradient = jax.jit(jax.grad(loss))(w, x)
        self.assertTrue(gradient.sharding.is_equivalent_to(on(None, "model"), 2))
        self.check(gradient, jax.grad(loss_of(layer))(W, X))

    def test_loops_and_several_calls(self):
        def steps(function):
            return lambda w, x: jax.lax.scan(lambda w, _: (w + 0.1 * function(w, x), None), w, None, length=20)[0]

        def several(function):
            return lambda w, x: function(w, x) + function(2 * w, x) * function(w, 3 * x)

        for options in (ONE, FOUR):
            fast = tessera.jit(layer, **options)
            self.check(jax.jit(steps(fast))(W, X), steps(layer)(W, X))
            self.check(jax.jit(several(fast))(W, X), several(layer)(W, X))

    def test_threads_call_at_the_same_time(self):
        fast = jax.jit(loss_of(tessera.jit(layer)))
        expected, wrong = loss_of(layer)(W, X), []

        def work():
            for _ in range(50):
                if abs(fast(W, X) - expected) > 1e-3:
                    wrong.append(1)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_temporary_functions_may_go_while_they_run(self):
        results = [jax.jit(jax.grad(loss_of(tessera.jit(layer))))(W, X) for _ in range(3)]
        for result in results:
            self.check(result, results[0])

    def test_static_arguments_names_and_keys(self):
        @tessera.jit(static_argnames="power")
        def noisy(x, *, key, power):
            return x**power + jax.random.normal(key, x.shape)

        def plain(x, *, key, power):
            return x**power + jax.random.normal(key, x.shape)

        key = jax.random.key(3)
        for power in (2, 3):
            outer = [jax.jit(lambda x, key: jax.grad(lambda x: f(x, key=key, power=power).sum())(x)) for f in (noisy, plain)]
            self.check(outer[0](X, key), outer[1](X, key))
            self.check(noisy(X, key=key, power=power), plain(X, key=key, power=power))

    def test_functions_within_others_are_one_program(self):
        inner = tessera.jit(lambda x: jnp.sin(x) * 2)
        outer = tessera.jit(lambda x: inner(x) + 1)
        self.check(outer(X), np.sin(X) * 2 + 1)
        self.assertEqual(self.calls(outer, X), 1)

    def test_what_programs_cannot_be_called_for_is_left_to_jax(self):
        seen = []

        def noted(x):
            jax.debug.callback(lambda value: seen.append(float(value)), x.sum())
            return 2 * x

        fast = tessera.jit(noted)
        self.check(jax.jit(lambda x: fast(x) + 1)(X), 2 * X + 1)
        jax.effects_barrier()
        self.assertEqual(len(seen), 1)

    def test_donated_memory_is_that_of_the_result(self):
        fast, x = tessera.jit(lambda x, y: (x + y, x.sum()), donate_argnums=0), jnp.arange(64.0)
        address = x.unsafe_buffer_pointer()
        y, total = fast(x, jnp.ones(64))
        self.assertTrue(x.is_deleted())
        self.assertEqual(y.unsafe_buffer_pointer(), address)
        self.check((y, total), (np.arange(1.0, 65.0, dtype=np.float32), np.float32(2016)))

    def test_ranks_may_be_several_on_one_device(self):
        mesh = jax.sharding.AbstractMesh((4,), ("x",))
        rows = NamedSharding(mesh, P("x"))
        fast = tessera.jit(lambda x: jax.lax.with_sharding_constraint(jnp.sin(x), rows).sum(0))
        self.check(fast(X), np.sin(X).sum(0))

    def test_ranks_have_taken_what_is_donated_before_another_one_writes_there(self):
        """`n` and `w` are on all ranks, one of which writes the results, in the memory of the arguments."""
        mesh = jax.sharding.AbstractMesh((4,), ("x",))
        split = lambda x: jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P("x")))
        fast = tessera.jit(lambda n, w, x: (n + 1, w * 2, split(x) + n * w[0]), donate_argnums=(0, 1, 2))
        for _ in range(50):
            n, w, x = fast(np.float32(1), np.ones(64, np.float32), np.zeros(4096, np.float32))
            self.check((n, w, x), (np.float32(2), np.full(64, 2, np.float32), np.ones(4096, np.float32)))

    def test_results_are_asynchronous(self):
        def slow(x):
            for _ in range(20):
                x = jnp.tanh(x @ x)
            return x

        fast, x = tessera.jit(slow), jnp.full((500, 500), 1e-3)
        fast(x).block_until_ready()
        pending = [fast(x) for _ in range(3)]
        self.assertFalse(pending[-1].is_ready())
        self.check(pending[-1], slow(x))

    def test_calls_of_jax_pass_errors_on(self):
        fast = tessera.jit(layer, compiler_options={"backend": "mpi"})
        with self.assertRaisesRegex(Exception, "mpi"):
            jax.block_until_ready(jax.jit(fast)(W, X))
        with mock.patch("tessera.compiling.run_compiler", side_effect=tessera.TesseraError("tesserac", 1, "model.mlir:1:1: error: no")):
            with self.assertRaisesRegex(tessera.TesseraError, "error: no"):
                jax.jit(tessera.jit(lambda x: x + 3))(X)


if __name__ == "__main__":
    unittest.main()
