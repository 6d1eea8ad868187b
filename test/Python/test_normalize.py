import io
import re
import unittest

import jax
import jax.numpy as jnp
from jax import export as jax_export
from jax.sharding import AbstractMesh, NamedSharding, PartitionSpec as P

import tessera
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
