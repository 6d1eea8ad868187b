"""The table of operations gives what eager PyTorch gave, and gradients; PyTorch itself is not needed."""

import json
import math
import pathlib
import sys
import unittest

import jax
import jax.numpy as jnp
import numpy as np

import tessera
from tessera.tensor_files import read_tensors
from tessera.torch.operations import TABLE, find

INPUTS = pathlib.Path(__file__).parent / "Inputs" / "torch"


class Operations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tensors = read_tensors(INPUTS / "operations.safetensors")
        cls.calls = json.loads((INPUTS / "operations.json").read_text())

    def load(self, value):
        if isinstance(value, dict):
            return value["dtype"] if "dtype" in value else self.tensors[value["tensor"]]
        return [self.load(entry) for entry in value] if isinstance(value, list) else value

    def function(self, call):
        """A function of the real arguments to (results, gradients), and those arguments."""
        entry = find(call["name"])
        args, kwargs = self.load(call["args"]), {name: self.load(value) for name, value in call["kwargs"].items()}
        if entry.random:
            kwargs["key"] = None
        leaves, tree = jax.tree.flatten((args, kwargs), is_leaf=lambda leaf: leaf is None)
        real = [place for place, leaf in enumerate(leaves) if isinstance(leaf, np.ndarray) and jnp.issubdtype(leaf.dtype, jnp.floating)]
        leaves = [jnp.asarray(leaf) if isinstance(leaf, np.ndarray) else leaf for leaf in leaves]

        def forward(*tensors):
            given = list(leaves)
            for place, tensor in zip(real, tensors):
                given[place] = tensor
            args, kwargs = jax.tree.unflatten(tree, given)
            result = entry.function(*args, **kwargs)
            return list(result) if isinstance(result, (list, tuple)) else [result]

        def with_gradients(*tensors):
            if not call["gradients"]:
                return forward(*tensors), ()
            results, pull = jax.vjp(forward, *tensors)
            weights = [_weights(result) for result in results[: len(call["results"])]]
            return results, pull(weights + [_zeros(result) for result in results[len(weights) :]])

        return with_gradients, [leaves[place] for place in real]

    def test_results_and_gradients_are_those_of_eager_pytorch(self):
        functions, arguments = zip(*map(self.function, self.calls))
        # One program for all of them, which is quicker to compile.
        everything = tessera.jit(lambda arguments: [function(*own) for function, own in zip(functions, arguments)])(list(arguments))
        for number, (call, (results, gradients)) in enumerate(zip(self.calls, everything)):
            with self.subTest(call["name"], number=number):
                for got, expected in zip(results, self.load(call["results"])):
                    self.same(got, expected)
                for got, expected in zip(gradients, self.load(call["gradients"]), strict=True):
                    if expected is not None:
                        self.same(got, expected)

    def same(self, got, expected):
        self.assertEqual((got.shape, got.dtype), (expected.shape, jax.dtypes.canonicalize_dtype(expected.dtype)))
        got, expected = (np.asarray(value).astype(np.float64) for value in (got, expected))
        np.testing.assert_allclose(got, expected, rtol=2e-5, atol=2e-6 * max(1, np.max(np.abs(np.nan_to_num(expected)), initial=0)))

    def test_products_by_group(self):
        random = np.random.default_rng(0)
        x, weights = random.standard_normal((6, 3), np.float32), random.standard_normal((3, 3, 2), np.float32)
        got = tessera.jit(find("_grouped_mm").function)(x, weights, np.array([2, 2, 6], np.int32))
        np.testing.assert_allclose(got, np.concatenate([x[:2] @ weights[0], x[2:] @ weights[2]]), rtol=1e-5, atol=1e-6)

    def test_most_of_the_table_has_a_case(self):
        self.assertGreater(len({id(find(call["name"])) for call in self.calls}), 150)
        self.assertGreater(len(self.calls), 200)
        self.assertIsNone(find("no_such_operation"))
        self.assertIn("max.dim", TABLE)


def _weights(result):
    if not jnp.issubdtype(result.dtype, jnp.floating):
        return _zeros(result)
    return jnp.cos(jnp.arange(math.prod(result.shape), dtype=jnp.float32)).reshape(result.shape).astype(result.dtype)


def _zeros(result):
    is_real = jnp.issubdtype(result.dtype, jnp.floating)
    return jnp.zeros_like(result) if is_real else np.zeros(result.shape, jax.dtypes.float0)


if __name__ == "__main__":
    sys.exit(unittest.main())
