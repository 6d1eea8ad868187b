"""Trains a small Llama from scratch on eight ranks, FSDP by two and tensor parallelism by four, and compares every loss with jax.jit's.

    pip install ./python[jax] && python examples/llama/train.py [--steps=N]

The model (model.py) is annotated by plan.yaml alone; `tessera.jit` takes both. `jax.jit` runs the same step on a mesh of 2 x 4 CPU devices,
with the shardings written by hand; losses.txt has what it gives on one device. The text is that of examples/gpt/batches.safetensors.
"""

import argparse
import pathlib
import sys

import jax
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
from safetensors.numpy import load_file

import model
import tessera

FOLDER = pathlib.Path(__file__).resolve().parent
LENGTH, TOLERANCE = 32, 1e-4


def shardings(p):
    """What plan.yaml says, for jax.jit: on a dimension of each weight `model`, on the other one `data`."""
    columns, rows = P("data", "model"), P("model", "data")
    weights = {name: columns for name in ("wq", "wk", "wv", "gate", "up", "head")} | {name: rows for name in ("wo", "down", "embed")}
    mesh = jax.make_mesh((2, 4), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
    of = jax.tree_util.tree_map_with_path(lambda path, _: NamedSharding(mesh, weights.get(path[-1].key, P())), p)
    return of, {"step": NamedSharding(mesh, P()), "m": of, "v": of}, NamedSharding(mesh, P("data"))


def train(step, state, batches):
    """The losses of a step on each of the batches."""
    p, opt = jax.tree.map(np.array, state)
    losses = []
    for batch in batches:
        p, opt, loss = step(p, opt, batch)
        losses.append(float(loss))
    return np.array(losses)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--write", action="store_true", help="write losses.txt instead")
    options = parser.parse_args()
    c = model.Config()
    state = jax.jit(lambda: model.initialize(c))()
    batches = load_file(FOLDER.parent / "gpt" / "batches.safetensors")["batch"][: options.steps, :, : LENGTH + 1]
    step = model.step_of(c)
    if options.write:
        (FOLDER / "losses.txt").write_text("".join(f"{loss:.6f}\n" for loss in train(jax.jit(step), state, batches)))
        return 0
    expected = np.loadtxt(FOLDER / "losses.txt")[: len(batches)]
    split = shardings(state[0])
    by_jax = train(jax.jit(step, in_shardings=split, out_shardings=(*split[:2], None), donate_argnums=(0, 1)), state, batches)
    losses = train(tessera.jit(step, plan=FOLDER / "plan.yaml", donate_argnums=(0, 1)), state, batches)
    for row in zip(losses, by_jax, expected):
        print("{:.6f} {:.6f} {:.6f}".format(*row))
    error = max(np.max(np.abs(losses / other - 1)) for other in (by_jax, expected))
    is_good = len(losses) == len(expected) and error <= TOLERANCE
    print(f"{len(losses)} steps on 2x4 ranks, losses of tessera.jit, of jax.jit, of one device: largest difference {error:.1e}{'' if is_good else ': WRONG'}")
    return 0 if is_good else 1


if __name__ == "__main__":
    jax.config.update("jax_num_cpu_devices", 8)
    sys.exit(main())
