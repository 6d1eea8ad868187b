"""Makes the files of these examples that need Python: programs, those of what they begin with, and what JAX computes on one device.

    pip install ./python[jax] && python examples/science/export.py [flow] [process] [circuit]     (all of them by default)
"""

import importlib
import math
import os
import pathlib
import sys

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import tessera

FOLDER = pathlib.Path(__file__).resolve().parent
REPOSITORY = FOLDER.parent.parent
EXAMPLES = ("flow", "process", "circuit")


def build(example, single=False):
    """The jitted step, which takes and gives the state, and takes what stays as it is."""
    sizes = tuple(1 if single else size for size in example.MESH.values())
    mesh = Mesh(np.array(jax.devices()[: math.prod(sizes)]).reshape(sizes), tuple(example.MESH))
    step, *specs = example.step(mesh)
    state, data = jax.tree.map(lambda spec: NamedSharding(mesh, spec), specs, is_leaf=lambda spec: isinstance(spec, PartitionSpec))
    return jax.jit(step, in_shardings=(state, data), out_shardings=(state, None), donate_argnums=0)


def make(name):
    example = importlib.import_module(name)
    # The results of the one program are the arguments of the other.
    arguments = ("state", "_" if not example.initial()[1] else "points")
    rename = lambda default: arguments[int(default[len("result[")])] + default[len("result[0]") :]
    tessera.export(jax.jit(example.initial), path=FOLDER / f"{name}-initial.mlir", result_names=rename, root=REPOSITORY)
    state, data = example.initial()
    tessera.export(build(example), state, data, path=FOLDER / f"{name}.mlir", root=REPOSITORY)
    advance, lines = build(example, single=True), []
    for _ in range(example.STEPS):
        state, results = advance(state, data)
        lines += [f"{float(value):.8g}\n" for value in results.values()]
    (FOLDER / f"{name}.txt").write_text("".join(lines))


if __name__ == "__main__":
    for name in sys.argv[1:] or EXAMPLES:
        make(name)
    table = (FOLDER / "bytes.txt").read_text().splitlines()
    rows = [f"{name} {importlib.import_module(name).bytes_by_hand()} {sent}" for name, _, sent in map(str.split, table[1:])]
    (FOLDER / "bytes.txt").write_text("\n".join([table[0], *rows, ""]))
