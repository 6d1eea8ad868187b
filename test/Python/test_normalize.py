import io
import pathlib
import re
import tempfile
import unittest

import jax
import jax.numpy as jnp
from jax import export as jax_export
from jax.sharding import AbstractMesh, NamedSharding, PartitionSpec as P

import tessera
from tessera import stablehlo
from tessera.compiler import run_compiler
from tessera.stablehlo import normalize, pack_booleans

MESH = AbstractMesh((2,), ("data",))
ARGUMENTS = (jax.ShapeDtypeStruct((4, 3), jnp.float32), jax.ShapeDtypeStruct((3,), jnp.float32))


def function(x, w):
    return jnp.tanh(x) @ w, w * 2


def jitted():
    shardings = NamedSharding(MESH, P("data", None)), None
    return jax.jit(function, in_shardings=shardings, donate_argnums=1)


def without_locations(text):
    """The operations alone: forms differ in what they can say about locations."""
    text = re.sub(r" loc\((?:[^()]|\([^()]*\))*\)", "", text)
    return "\n".join(line for line in text.splitlines() if not line.startswith("#loc"))


class Normalize(unittest.TestCase):
    def setUp(self):
        self.lowered = jitted().trace(*ARGUMENTS).lower(lowering_platforms=("cpu",))
        self.exported = tessera.export(jitted(), *ARGUMENTS)

    def check(self, data):
        text = normalize(data)
        self.assertEqual(without_locations(text), without_locations(self.exported))
        return text

    def test_pretty_text(self):
        pretty = self.lowered.as_text()
        self.assertIn("stablehlo.tanh %", pretty)
        self.assertIn('loc("pretty.mlir":', normalize(pretty.encode(), name="pretty.mlir"))
        self.check(pretty.encode())

    def test_pretty_text_with_locations_keeps_names(self):
        self.assertIn('%arg0: tensor<4x3xf32> loc("x")', self.check(self.lowered.as_text(debug_info=True).encode()))

    def test_generic_text_stays_as_it_is(self):
        self.assertEqual(normalize(self.exported.encode()), self.exported)

    def test_bytecode(self):
        buffer = io.BytesIO()
        self.lowered.compiler_ir("stablehlo").operation.write_bytecode(buffer)
        self.assertIn('%arg1: tensor<3xf32> loc("w")', self.check(buffer.getvalue()))

    def test_jax_export_files(self):
        blob = jax_export.export(jitted(), platforms=["cpu"])(*ARGUMENTS).serialize()
        text = normalize(bytes(blob))
        self.assertIn('"stablehlo.tanh"', text)
        self.assertIn('#sdy.sharding<@mesh, [{"data"}, {}]>', text)
        self.assertIn('%arg1: tensor<3xf32> loc("w")', text)

    def test_anything_else_is_an_error(self):
        for data in (b"func.func @main() {", b"\x7fELF\0\0\0", b"ML\xefRnonsense", "ä".encode("latin-1")):
            with self.assertRaisesRegex(ValueError, "expected StableHLO text, MLIR bytecode or a jax.export file"):
                normalize(data)


def layers(x, key, table, batch):
    """What small models are made of."""
    image = batch.reshape(2, 4, 4, 1)
    kernel = jax.random.normal(key, (3, 3, 1, 2)).astype(jnp.bfloat16)
    image = jax.lax.conv_general_dilated(image.astype(jnp.bfloat16), kernel, (2, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    image = jax.lax.reduce_window(image, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 1, 1, 1), "VALID").astype(jnp.float32)
    rows = table[jnp.argsort(x[:, 0])[:2]]
    rows = jax.lax.fori_loop(0, 3, lambda i, r: jnp.where(jnp.tril(jnp.ones((2, 3), bool)), r + i, r.at[0].set(1.5)), rows)
    part = jax.shard_map(lambda y: jax.lax.psum(y @ y.T, "data"), mesh=MESH, in_specs=P(None, "data"), out_specs=P())(x)
    return jnp.sum(rows) + jnp.cumsum(image.reshape(-1)), part, jnp.fft.fft(x).imag, jax.lax.erf_inv(jnp.clip(x, -1, 1))


class ReadWithoutPython(unittest.TestCase):
    """`tesserac` reads the bytecode that JAX writes to what it reads from text."""

    def check(self, fn, *arguments):
        data = bytes(jax_export.export(fn, platforms=["cpu"])(*arguments).serialize())
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "model.jax"
            file.write_bytes(data)
            bytecode = run_compiler(["--compile-to=import", str(file)]).decode()
        text = run_compiler(["--compile-to=import"], normalize(data)).decode()
        self.assertEqual(bytecode, text)

    def test_shardings_and_donations(self):
        self.check(jitted(), *ARGUMENTS)

    def test_layers(self):
        key = jax.eval_shape(lambda: jax.random.key_data(jax.random.key(0)))
        shapes = (jax.ShapeDtypeStruct(shape, jnp.float32) for shape in ((4, 6), (5, 3), (2, 16)))
        x, table, batch = shapes
        self.check(jax.jit(lambda x, key, table, batch: layers(x, jax.random.wrap_key_data(key), table, batch)), x, key, table, batch)

    def test_what_the_plugin_finds_in_a_module(self):
        data = jax_export.export(jitted(), platforms=["cpu"])(*ARGUMENTS).mlir_module_serialized
        text = stablehlo.read(data)
        self.assertEqual(stablehlo.name_in(text), "jit_function")
        identity = stablehlo.without_locations(text)
        self.assertIn('"stablehlo.tanh"(%arg0) : (tensor<4x3xf32>) -> tensor<4x3xf32>\n', identity)
        self.assertNotIn("loc", identity)
        constrained = jax.jit(lambda x: jax.lax.with_sharding_constraint(x, NamedSharding(MESH, P("data"))))
        exported = jax_export.export(constrained, platforms=["cpu"])(ARGUMENTS[0])
        self.assertIsNone(stablehlo.read(exported.mlir_module_serialized))

    def test_gradients(self):
        loss = jax.jit(jax.grad(lambda x, w: jnp.sum(function(x, w)[0] ** 2)))
        self.check(loss, *ARGUMENTS)


class Booleans(unittest.TestCase):
    def test_large_constants_have_eight_elements_in_a_byte(self):
        text = 'value = dense<"0x01000001000000000001"> : tensor<2x5xi1>'
        self.assertEqual(pack_booleans(text), 'value = dense<"0x0902"> : tensor<2x5xi1>')

    def test_other_constants_stay_as_they_are(self):
        for text in ('dense<"0x0902"> : tensor<2x5xi1>', 'dense<"0x0100"> : tensor<2xi8>', "dense<true> : tensor<2x5xi1>"):
            self.assertEqual(pack_booleans(text), text)

    def test_the_exporter_packs_a_table_of_the_model(self):
        table = jnp.tril(jnp.ones((16, 16), bool))
        text = tessera.export(jax.jit(lambda x: jnp.where(table, x, 0)), jax.ShapeDtypeStruct((16, 16), jnp.float32))
        found = re.search(r'dense<"0x([0-9A-F]+)"> : tensor<16x16xi1>', text)
        self.assertEqual(bytes.fromhex(found[1])[:6], bytes([1, 0, 3, 0, 7, 0]))


if __name__ == "__main__":
    unittest.main()
