import importlib.util
import json
import pathlib
import subprocess
import tempfile
import unittest
import zlib

import numpy as np

import tessera
from tessera import checkpoint
from tessera.tensor_files import write_tensors

TOOL = "tessera-checkpoint"


def has(*packages):
    return all(importlib.util.find_spec(package) for package in packages)


class Checkpoints(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def tensors(self):
        return {
            "w": np.arange(1200 * 700, dtype=np.float32).reshape(1200, 700),
            "deep": np.arange(3 * 2 * 300000, dtype=np.int16).reshape(3, 2, 300000),
            "flags": np.array([True, False]),
            "none": np.zeros((0, 3)),
            "step": np.int32(7),
            "z": np.array([1 + 2j], np.complex64),
        }

    def check(self, got, expected):
        self.assertEqual(sorted(got), sorted(expected))
        for name, array in expected.items():
            np.testing.assert_array_equal(got[name], array, err_msg=name)
            self.assertEqual(got[name].dtype, np.asarray(array).dtype, name)

    def test_are_those_of_the_tools(self):
        tensors = self.tensors()
        path = checkpoint.write(tensors, self.folder / "run", step=3)
        checkpoint.write({"w": tensors["w"]}, self.folder / "run", step=2)
        out = subprocess.run([TOOL, "verify", self.folder / "run"], capture_output=True, text=True)
        self.assertEqual(out.stderr, "")
        file = self.folder / "all.safetensors"
        subprocess.run([TOOL, "to-safetensors", self.folder / "run", file], check=True)
        self.assertEqual(subprocess.run([TOOL, "diff", path, file]).returncode, 0)
        made = self.folder / "made"
        subprocess.run([TOOL, "from-safetensors", file, made], check=True)
        # A program has the parts of complex numbers in a last dimension.
        tensors["z"] = np.array([[1, 2]], np.float32)
        for folder in (path, self.folder / "run", made):
            self.check(checkpoint.read(folder), tensors)
        self.check(tessera.load(made), tensors)
        self.assertEqual(tessera.load(made, like={"step": np.int32(0)})["step"], 7)

    def test_damage_is_found(self):
        path = checkpoint.write(self.tensors(), self.folder, step=1)
        file, index = path / "tensors.safetensors", path / "index.json"
        data, text = file.read_bytes(), index.read_bytes()
        file.write_bytes(data[:-8] + b"abcdefgh")
        with self.assertRaisesRegex(ValueError, "damaged: tensor 'z' does not have its checksum"):
            checkpoint.read(path)
        file.write_bytes(data)
        index.write_bytes(text.replace(b'"step": 1', b'"step": 2', 1))
        with self.assertRaisesRegex(ValueError, "index.json: damaged: the checksum at the beginning"):
            checkpoint.read(self.folder)
        with self.assertRaisesRegex(ValueError, "no checkpoint there"):
            checkpoint.read(self.folder / "absent")

    def test_what_is_made_up_is_refused(self):
        path = checkpoint.write({"w": np.arange(6.0).reshape(2, 3)}, self.folder, step=1)
        file, index = path / "tensors.safetensors", path / "index.json"
        found = json.loads(index.read_bytes())
        piece = found["tensors"]["w"]["pieces"][0]

        def write(pieces, shape=(2, 3)):
            entry = found["tensors"]["w"] | {"pieces": pieces, "shape": shape}
            rest = json.dumps(found | {"tensors": {"w": entry}} | {"crc32": None}).partition(", ")[2].encode()
            index.write_bytes(b'{"crc32": "%08x",\n' % zlib.crc32(rest) + rest)

        del found["crc32"]
        found = {"crc32": None} | found
        write([piece])
        np.testing.assert_array_equal(checkpoint.read(path)["w"], np.arange(6.0).reshape(2, 3))
        moved = piece | {"begin": [-2, 0]}
        for pieces, shape in (([], (2, 3)), ([piece], (3, 3)), ([piece, piece], (2, 3)), ([moved], (2, 3)), ([piece], (0, 3)), ([piece, moved], (4, 3)), ([piece, piece | {"begin": [3, 0], "size": [-1, 3]}], (2, 3))):
            write(pieces, shape)
            with self.assertRaisesRegex(ValueError, "the pieces of tensor 'w' do not cover it, each element once"):
                checkpoint.read(path)
        write([piece])
        file.rename(self.folder / "elsewhere")
        file.symlink_to(self.folder / "elsewhere")
        with self.assertRaisesRegex(ValueError, "expected the name of a file in the checkpoint's folder, got 'tensors.safetensors'"):
            checkpoint.read(path)

    def test_of_arrays_with_the_greatest_byte_first(self):
        path = checkpoint.write({"w": np.arange(3, dtype=">f4"), "z": np.array([1 + 2j], ">c16")}, self.folder)
        read = checkpoint.read(path)
        np.testing.assert_array_equal(read["w"], [0, 1, 2])
        np.testing.assert_array_equal(read["z"], [[1, 2]])

    def test_names_of_hugging_face(self):
        model = self.folder / "model"
        model.mkdir()
        q = [np.arange(6, dtype=np.float32).reshape(2, 3) + i for i in range(2)]
        write_tensors({"layers.0.q.weight": q[0], "rotary": np.ones(2)}, model / "a.safetensors")
        write_tensors({"layers.1.q.weight": q[1], "norm.weight": np.ones(3)}, model / "b.safetensors")
        weights = {"layers.0.q.weight": "a.safetensors", "rotary": "a.safetensors", "layers.1.q.weight": "b.safetensors", "norm.weight": "b.safetensors"}
        (model / "model.safetensors.index.json").write_text(json.dumps({"weight_map": weights}))
        names = {"layers.*.q.weight": ("p['layers'][*]['q']", np.transpose), "norm.weight": "p['norm']", "rotary": None}
        path = checkpoint.from_hugging_face(model, self.folder / "run", names=names, step=5)
        self.check(checkpoint.read(path), {"p['layers'][0]['q']": q[0].T, "p['layers'][1]['q']": q[1].T, "p['norm']": np.ones(3)})
        with self.assertRaisesRegex(ValueError, "no name for tensor 'norm.weight'"):
            checkpoint.from_hugging_face(model, self.folder / "run", names={"layers.*.q.weight": "a[*]", "rotary": "b"})
        with self.assertRaisesRegex(ValueError, "two tensors become 'a', the second is"):
            checkpoint.from_hugging_face(model, self.folder / "run", names={"layers.*.*.*": "a", "norm.weight": "b", "rotary": "a"})
        path = checkpoint.from_hugging_face(model, self.folder / "run", names=lambda name: (name[:6], np.transpose) if "0" in name or "m" in name else None)
        self.check(checkpoint.read(path), {"layers": q[0].T, "norm.w": np.ones(3)})
        with self.assertRaisesRegex(ValueError, "two tensors become 'all', the second is"):
            checkpoint.from_hugging_face(model, self.folder / "run", names=lambda name: "all")
        with self.assertRaisesRegex(ValueError, "no .safetensors file there"):
            checkpoint.from_hugging_face(self.folder / "run", self.folder / "x")

    @unittest.skipUnless(has("jax", "orbax.checkpoint") if has("jax", "orbax") else False, "needs Orbax")
    def test_of_orbax(self):
        import jax.numpy as jnp
        import orbax.checkpoint as orbax

        tree = {"p": {"layers": [{"w": jnp.arange(6.0).reshape(2, 3)}, {"w": jnp.ones(2, jnp.bfloat16)}]}, "step": jnp.int32(4)}
        with orbax.PyTreeCheckpointer() as checkpointer:
            checkpointer.save(self.folder / "orbax", tree)
        path = checkpoint.from_orbax(self.folder / "orbax", self.folder / "run", step=4)
        expected = {"p['layers'][0]['w']": tree["p"]["layers"][0]["w"], "p['layers'][1]['w']": tree["p"]["layers"][1]["w"], "step": np.int32(4)}
        self.check(checkpoint.read(path), {name: np.asarray(array) for name, array in expected.items()})

    @unittest.skipUnless(has("torch", "ml_dtypes"), "needs PyTorch")
    def test_of_torch(self):
        import torch
        import torch.distributed.checkpoint as dcp

        state = {"model": {"a.weight": torch.arange(6.0).reshape(2, 3), "b": torch.ones(3, dtype=torch.bfloat16)}, "note": "text"}
        dcp.save(state, checkpoint_id=self.folder / "dcp", no_dist=True)
        path = checkpoint.from_torch(self.folder / "dcp", self.folder / "run", names={"model.a.weight": "p['a']", "model.b": "p['b']"})
        read = checkpoint.read(path)
        np.testing.assert_array_equal(read["p['a']"], np.arange(6, dtype=np.float32).reshape(2, 3))
        self.assertEqual(read["p['b']"].dtype.name, "bfloat16")


if __name__ == "__main__":
    unittest.main()
