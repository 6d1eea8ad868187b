"""Trains the GPT of examples/gpt on all devices that JAX has, two in three dimensions of its mesh, and compares losses with those of JAX."""

import pathlib
import sys

import jax
import jax.numpy as jnp
from jax.sharding import AxisType
from safetensors.numpy import load_file

FOLDER, STEPS = pathlib.Path(sys.argv[1]), int(sys.argv[2])
sys.path.insert(0, str(FOLDER))
import model  # noqa: E402

c = model.Config()
mesh = jax.make_mesh((2, len(jax.devices()) // 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
step = model.sharded_step(c, mesh)
p, opt = jax.jit(lambda: model.initialize(c))()
p = jax.device_put(p, model.shardings(c, mesh)[0])
expected = [float(line) for line in (FOLDER / "losses.txt").read_text().split()]
for batch, wanted in zip(load_file(FOLDER / "batches.safetensors")["batch"][:STEPS], expected):
    p, opt, loss = step(p, opt, jnp.asarray(batch))
    print(f"{float(loss):.6f} {wanted:.6f}")
    assert abs(float(loss) - wanted) < 1e-4 * wanted, (float(loss), wanted)
print(f"{STEPS} steps on {len(jax.devices())} devices of {jax.devices()[0].platform}")
