"""Waves through a lens, on a grid that 2 x 2 ranks divide: each step, ranks hand two rows or columns of their borders to their neighbours.

    pip install ./python[jax] && python examples/waves/simulate.py [--steps=N]

The acoustic wave equation in two dimensions, with differences of the fourth order in space: a stencil of nine points. The step is written for
the whole grid, with slices of an array with zeros around it; nothing in it knows of ranks. `tessera.jit` gets the shardings of its arguments.
energies.txt is what jax.jit gives on one device. Prints the collectives of the compiled program, whose loop makes ten steps.
"""

import argparse
import collections
import pathlib
import re
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

FOLDER = pathlib.Path(__file__).resolve().parent
SIZE, AT_ONCE, COURANT = 128, 10, 0.5
WEIGHTS = (-5 / 2, 4 / 3, -1 / 12)  # Of a point, its neighbours, and theirs, for a second derivative.


def initialize():
    """The pressure of a pulse left of the middle, now and one step before, and the squared speed: a lens slows waves down."""
    y, x = np.meshgrid(*2 * [np.linspace(-1, 1, SIZE, dtype=np.float32)], indexing="ij")
    pulse = np.exp(-(((x + 0.6) / 0.08) ** 2) - (y / 0.3) ** 2)
    lens = ((x - 0.1) / 0.25) ** 2 + (y / 0.6) ** 2 < 1
    return pulse, pulse.copy(), np.where(lens, np.float32(0.4), np.float32(1))


def laplacian(u):
    around = jnp.pad(u, 2)
    total = 2 * WEIGHTS[0] * u
    for distance in (1, 2):
        for dy, dx in ((-distance, 0), (distance, 0), (0, -distance), (0, distance)):
            total += WEIGHTS[distance] * around[2 + dy : 2 + dy + SIZE, 2 + dx : 2 + dx + SIZE]
    return total


def simulate(now, before, speed):
    """Ten steps, and the energy after them."""
    one = lambda _, state: (2 * state[0] - state[1] + COURANT**2 * speed * laplacian(state[0]), state[0])
    now, before = jax.lax.fori_loop(0, AT_ONCE, one, (now, before))
    return now, before, jnp.sum((now - before) ** 2 / speed) - COURANT**2 * jnp.sum(now * laplacian(before))


def run(function, steps):
    now, before, speed = initialize()
    energies = []
    for _ in range(steps // AT_ONCE):
        now, before, energy = function(now, before, speed)
        energies.append(float(energy))
    return np.array(energies)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--write", action="store_true", help="write energies.txt instead")
    options = parser.parse_args()
    if options.write:
        (FOLDER / "energies.txt").write_text("".join(f"{energy:.5f}\n" for energy in run(jax.jit(simulate), options.steps)))
        return 0
    import tessera

    mesh = jax.make_mesh((2, 2), ("y", "x"), axis_types=(AxisType.Auto,) * 2)
    grid = NamedSharding(mesh, P("y", "x"))
    fast = tessera.jit(simulate, in_shardings=(grid,) * 3, out_shardings=(grid, grid, NamedSharding(mesh, P())))
    energies = run(fast, options.steps)
    text = fast.lower(*initialize()).compile().as_text()
    print(dict(sorted(collections.Counter(re.findall(r" spmd\.(all_\w+|reduce_scatter|permute)", text)).items())))
    error = np.abs(energies / np.loadtxt(FOLDER / "energies.txt")[: len(energies)] - 1).max()
    print(f"{options.steps} steps on 2x2 ranks, energy {energies[0]:.4f} to {energies[-1]:.4f}, largest difference from JAX {error:.1e}")
    return 0 if error <= 1e-4 else 1


if __name__ == "__main__":
    jax.config.update("jax_num_cpu_devices", 4)
    sys.exit(main())
