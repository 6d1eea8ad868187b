"""Functions of Python that a program calls while it runs: once for each call of the model, on however many devices, in the model's order."""

import contextlib
import io
import os
import unittest
from unittest import mock

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

import tessera

MESH = Mesh(np.array(jax.devices()).reshape(4), ("x",))
FLOAT = jax.ShapeDtypeStruct((), jnp.float32)


def on(*axes):
    return NamedSharding(MESH, P(*axes))


class CallbacksTest(unittest.TestCase):
    def setUp(self):
        self.seen = []

    def note(self, value, *_):
        self.seen.append(np.asarray(value).tolist())
        return np.asarray(value)

    def printed(self, function, *args):
        """What `function` prints, and what it gives."""
        stream = io.StringIO()
        with contextlib.redirect_stdout(stream):
            result = function(*args)
        return stream.getvalue(), result

    def test_pure_functions_see_whole_arrays_and_run_once_on_several_devices(self):
        def f(x):
            sine = jax.pure_callback(lambda value: (self.note(value.shape), np.sin(value))[1], jax.ShapeDtypeStruct(x.shape, x.dtype), x)
            return 2 * sine + x

        x = np.arange(8, dtype=np.float32)
        np.testing.assert_allclose(tessera.jit(f)(x), 2 * np.sin(x) + x, rtol=1e-6)
        self.assertEqual(self.seen, [[8]])
        sharded = jax.device_put(x, on("x"))
        np.testing.assert_allclose(tessera.jit(f, in_shardings=on("x"), out_shardings=on("x"))(sharded), 2 * np.sin(x) + x, rtol=1e-6)
        self.assertEqual(self.seen, [[8], [8]])

    def test_types_and_several_results(self):
        shapes = [jax.ShapeDtypeStruct((2,), dtype) for dtype in (jnp.bfloat16, jnp.bool_, jnp.uint8, jnp.complex64, jnp.int32)]

        def f(*values):
            return jax.pure_callback(lambda *values: values[::-1], shapes[::-1], *values)

        values = [jnp.asarray([1, 0]).astype(shape.dtype) for shape in shapes]
        for got, expected in zip(tessera.jit(f)(*values), values[::-1]):
            self.assertEqual(got.dtype, expected.dtype)
            np.testing.assert_array_equal(np.asarray(got), np.asarray(expected))

    def test_each_effect_happens_once_in_each_call(self):
        def f(x):
            jax.debug.print("sum {}", x.sum())
            jax.debug.print("sum {}", x.sum())
            io_callback(self.note, FLOAT, x.max())
            return 2 * x

        x = np.arange(8, dtype=np.float32)
        for fast in (tessera.jit(f), tessera.jit(f, in_shardings=on("x"), out_shardings=on("x"))):
            for _ in range(2):
                self.seen.clear()
                text, result = self.printed(fast, x)
                self.assertEqual(text, "sum 28.0\nsum 28.0\n")
                self.assertEqual(self.seen, [7.0])
                np.testing.assert_array_equal(result, 2 * x)

    def test_effects_in_loops_and_branches_keep_their_order(self):
        def f(x):
            def body(i, x):
                jax.lax.cond(i % 2 == 0, lambda: jax.debug.print("even {}", i), lambda: None)
                jax.debug.print("turn {}", i)
                return x + 1

            x = jax.lax.fori_loop(0, 3, body, x)
            jax.debug.print("between")
            x = jax.lax.while_loop(lambda x: x[0] < 5, lambda x: (jax.debug.print("x {}", x[0]), x + 1)[1], x)
            _, rows = jax.lax.scan(lambda c, row: (c + row, io_callback(self.note, FLOAT, c + row)), 0.0, x)
            return rows

        text, rows = self.printed(tessera.jit(f), jnp.zeros(2))
        self.assertEqual(text, "even 0\nturn 0\nturn 1\neven 2\nturn 2\nbetween\nx 3.0\nx 4.0\n")
        self.assertEqual(self.seen, [5.0, 10.0])
        np.testing.assert_array_equal(rows, [5, 10])

    def test_a_limit_of_memory_repeats_no_effect(self):
        size = 1 << 16

        def f(x):
            y = io_callback(lambda value: np.full(size, self.note(value)), jax.ShapeDtypeStruct((size,), jnp.float32), x[0])
            double = 2 * jnp.sin(x)
            total = jnp.sin(y).sum() + double.sum()
            square = x.reshape(256, 256)
            for _ in range(3):
                total = jnp.tanh(square @ (square * total)).sum()
            return (y * total)[:4], (double * total)[:4]

        x, peaks = jnp.ones(size), []
        for options in ({}, {"memory_limit": "1100KB"}):
            fast = tessera.jit(f, compiler_options=options)
            np.testing.assert_array_equal(fast(x)[0], np.full(4, size))
            peaks.append(fast.lower(x).compile().memory_analysis().peak_memory_in_bytes)
        self.assertGreater(peaks[0], peaks[1])
        self.assertEqual(self.seen, [1.0, 1.0])

    def test_answers_are_forgotten_when_all_ranks_have_them(self):
        class Counted(tessera.calling.HostCallbacks):
            most, left = 0, 0

            def _run(host, *args):
                Counted.most = max(Counted.most, len(host.answers))
                return super(Counted, host)._run(*args)

            def close(host):
                Counted.left += len(host.answers)
                super(Counted, host).close()

        def f(x):
            return jax.lax.scan(lambda c, row: (c + row.sum(), io_callback(self.note, FLOAT, row.sum())), 0.0, x)

        x = np.ones((200, 4), np.float32)
        with mock.patch.object(tessera.calling, "HostCallbacks", Counted):
            for options in ({}, {"in_shardings": on(None, "x"), "out_shardings": on()}):
                _, rows = tessera.jit(f, **options)(x)
                np.testing.assert_array_equal(rows, np.full(200, 4))
                if not options:  # One of several ranks may be ahead of the others.
                    self.assertEqual(Counted.most, 0)
        self.assertEqual((len(self.seen), Counted.left), (400, 0))

    def test_routines_of_libraries_are_not_loaded_for_functions(self):
        double = tessera.jit(lambda x: jax.pure_callback(lambda value: 2 * value, FLOAT, x))
        self.assertEqual(float(double(jnp.float32(3))), 6)
        with open("/proc/self/maps") as maps:
            self.assertNotIn("libtessera_routines", maps.read())

    def test_ordered_effects(self):
        def f(x):
            first = io_callback(self.note, FLOAT, x, ordered=True)
            jax.debug.print("first {}", first, ordered=True)
            return io_callback(lambda value: self.note(value + 1), FLOAT, first, ordered=True)

        text, result = self.printed(tessera.jit(f), jnp.float32(3))
        self.assertEqual((text, float(result), self.seen), ("first 3.0\n", 4.0, [3.0, 4.0]))

    def test_functions_of_equal_programs_are_told_apart(self):
        def maker(factor):
            return tessera.jit(lambda x: jax.pure_callback(lambda value: np.asarray(factor * value), FLOAT, x))

        one, two = maker(1), maker(2)
        self.assertEqual([float(one(jnp.float32(3))), float(two(jnp.float32(3))), float(one(jnp.float32(4)))], [3, 6, 4])

    def test_what_a_function_raises_ends_the_call(self):
        def fail(value):
            if value > 1:
                raise ValueError("too large\nby far")
            return value

        for options in ({}, {"in_shardings": on(), "out_shardings": on()}):
            fast = tessera.jit(lambda x: jax.pure_callback(fail, FLOAT, x), **options)
            with self.assertRaisesRegex(tessera.TesseraError, "ValueError: too large$") as caught:
                fast(jnp.float32(2))
            self.assertIsInstance(caught.exception.__cause__, ValueError)
            self.assertEqual(float(fast(jnp.float32(1))), 1)

    def test_errors_that_cannot_be_said(self):
        class Mute(Exception):
            def __str__(self):
                raise RuntimeError("no words")

        for error, words in ((Mute(), "Mute"), (ValueError("\udcff bad"), "ValueError: . bad")):

            def fail(value, error=error):
                raise error

            with self.assertRaisesRegex(tessera.TesseraError, words + "$"):
                tessera.jit(lambda x: jax.pure_callback(fail, FLOAT, x))(jnp.float32(2))

    def test_a_function_may_give_the_same_memory_again(self):
        memory = np.zeros(1 << 14, np.float32)

        def count(_):
            memory[:] += 1
            return memory

        def f(x):
            return jax.lax.fori_loop(0, 20, lambda i, total: total + io_callback(count, jax.ShapeDtypeStruct(x.shape, x.dtype), i), x)

        for _ in range(3):
            memory[:] = 0
            x = jax.device_put(np.zeros_like(memory), on("x"))
            np.testing.assert_array_equal(tessera.jit(f, in_shardings=on("x"), out_shardings=on("x"))(x), np.full_like(memory, 210))

    def test_functions_on_arrays_of_numpy(self):
        fast = tessera.compile(lambda x: jax.pure_callback(lambda value: np.asarray(value) + 1, FLOAT, x))
        self.assertEqual(fast(np.float32(2)), 3)

    def test_files_know_the_functions_of_no_process(self):
        program, _ = tessera.jit(lambda x: jax.pure_callback(lambda value: value, FLOAT, x)).program(jnp.float32(1))
        with self.assertRaisesRegex(tessera.TesseraError, "expected a Python process, whose function is called"):
            program(np.float32(1))

    def test_programs_for_gpus_call_functions_on_the_host(self):
        def f(x):
            doubled = jax.pure_callback(lambda value: 2 * value, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
            jax.debug.callback(self.note, doubled.sum())
            return doubled + x

        emulated = tessera.jit(f, in_shardings=on("x"), compiler_options={"target": "cuda:sm_80", "backend": "emulated"})
        x = jnp.arange(8.0)
        for call in range(3):
            np.testing.assert_array_equal(emulated(x), 3 * x)
        self.assertEqual(self.seen, [56.0] * 3)

    def test_effects_in_per_device_code_are_refused(self):
        def inner(x):
            io_callback(self.note, FLOAT, x.sum())
            return x

        f = jax.shard_map(inner, mesh=MESH, in_specs=P("x"), out_specs=P("x"))
        with self.assertRaisesRegex(tessera.TesseraError, "expected no effects in 'tessera.manual_computation', got a call of Python; call it outside of the region"):
            tessera.jit(f)(jnp.ones(8))


if __name__ == "__main__":
    unittest.main()
