import unittest

import jax
import jax.numpy as jnp
import numpy as np

import tessera

MARK = 'call_target_name = "tessera.stage_end"'


def marks(fn, *args):
    return tessera.export(fn, *args).count(MARK)


def loss(p, x):
    for w in p:
        x = tessera.stage_end(jnp.tanh(x @ w))
    return jnp.sum(x)


def loss_scanned(p, x):
    return jnp.sum(jax.lax.scan(lambda x, w: (tessera.stage_end(jnp.tanh(x @ w)), None), x, p)[0])


P, X = np.full((3, 4, 4), 0.5, np.float32), np.ones((2, 4), np.float32)


class StageEnd(unittest.TestCase):
    def test_a_mark_is_exported(self):
        self.assertEqual(marks(tessera.stage_end, X), 1)

    def test_every_array_of_a_tree_is_marked(self):
        self.assertEqual(marks(lambda x: tessera.stage_end({"a": x, "b": (x * 2, x)}), X), 3)

    def test_derivatives_pass_unmarked(self):
        self.assertEqual(marks(loss, list(P), X), 3)
        self.assertEqual(marks(jax.value_and_grad(loss), list(P), X), 3)
        self.assertEqual(marks(lambda p, x, t: jax.jvp(loss, (p, x), (p, t)), list(P), X, X), 3)

    def test_scan_and_vmap_keep_marks(self):
        self.assertEqual(marks(jax.value_and_grad(loss_scanned), P, X), 1)
        self.assertEqual(marks(jax.vmap(tessera.stage_end), X), 1)

    def test_jax_computes_what_it_would_without_marks(self):
        def plain(p, x):
            for w in p:
                x = jnp.tanh(x @ w)
            return jnp.sum(x)

        expected = jax.value_and_grad(plain)(list(P), X)
        jitted = jax.jit(jax.value_and_grad(loss))
        for _ in range(2):
            value, gradients = jitted(list(P), X)
            np.testing.assert_allclose(value, expected[0], rtol=1e-6)
            for gradient, reference in zip(gradients, expected[1]):
                np.testing.assert_allclose(gradient, reference, rtol=1e-6)
            self.assertEqual(marks(jitted, list(P), X), 3)

    def test_a_marked_model_compiles(self):
        program = tessera.compile(jax.value_and_grad(loss))
        value, _ = program(list(P), X)
        np.testing.assert_allclose(value, loss(list(P), X), rtol=1e-5)


if __name__ == "__main__":
    unittest.main()
