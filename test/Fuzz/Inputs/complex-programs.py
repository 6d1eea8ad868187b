"""Random programs of complex numbers under random shardings, compiled, run and compared with JAX.

    python test/Fuzz/Inputs/complex-programs.py BUILD COUNT [SEED]

needs JAX. Prints what differs, is refused, or fails, with its seed; exits with 1 if there is any.
"""

import os
import pathlib
import random
import subprocess
import sys
import tempfile

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path[:0] = [str(ROOT / "python")]
from tessera.tensor_files import read_tensors, write_tensors

MESHES = [{"a": 2, "b": 4}, {"a": 2, "b": 2}, {"a": 4}, {"a": 3, "b": 2}, {"a": 8}]
UNARY = [jnp.exp, jnp.conj, jnp.sin, jnp.tanh, jnp.sqrt, jnp.square, jnp.sign, lax.neg, lambda x: jnp.log(x + 3), lambda x: jnp.arctan(x / 4), lambda x: x**3, lambda x: 1 / (x + 4)]
BINARY = [lax.add, lax.sub, lax.mul, lambda x, y: x / (y + 5), lambda x, y: jnp.where(jnp.abs(x) > 1, x, y), lambda x, y: lax.complex(x.real, y.imag), lambda x, y: jnp.where(x == y, x, y)]
SHAPES = [
    lambda x: x.T,
    lambda x: x[::-1],
    lambda x: jnp.roll(x, 1, 0),
    lambda x: x.at[1].add(x[0]),
    lambda x: x[jnp.arange(x.shape[0]) ** 2 % x.shape[0]],
    lambda x: x.at[jnp.arange(3)].set(x[:3] * 2j),
    lambda x: jnp.cumsum(x, 0) / 8,
    lambda x: jnp.pad(x, ((1, 1), (0, 0)))[1:-1],
    lambda x: x - x.mean(1, keepdims=True),
    lambda x: x / (1 + jnp.max(jnp.abs(x), 0)),
    lambda x: jnp.concatenate([x[1:], x[:1]], 0),
    lambda x: x.reshape(-1).reshape(x.shape[1], x.shape[0]),
    lambda x: lax.fori_loop(0, 2, lambda i, z: z * 0.5 + z[::-1] * 0.25j, x),
    lambda x: lax.dynamic_update_slice(x, x[:2, :2] * 1j, (1, 1)),
    lambda x: lax.cond(x[0, 0].real > 0, lambda z: z * 1j, lambda z: z.conj(), x),
    lambda x: x * (0.01 + jnp.prod(x[:3] * 0.5, 0)),
    lambda x: jnp.sort(x, 1),
]


def random_sharding(mesh, rank, rng):
    axes = list(mesh.axis_names)
    rng.shuffle(axes)
    split = [[] for _ in range(rank)]
    for axis in axes[: rng.randint(0, len(axes))]:
        rng.choice(split).append(axis)
    return NamedSharding(mesh, PartitionSpec(*[tuple(dimension) or None for dimension in split]))


def random_program(mesh, rng):
    """A function of two arguments, which the same seed makes again."""

    def step(x, y):
        values = [x, y]
        for _ in range(rng.randint(2, 6)):
            kind = rng.random()
            x, y = rng.choice(values), rng.choice(values)
            if kind < 0.25:
                value = rng.choice(UNARY)(x)
            elif kind < 0.5:
                value = rng.choice(BINARY)(x, y) if x.shape == y.shape else x * y.sum()
            elif kind < 0.65:
                value = (x @ y if x.shape[1] == y.shape[0] else jnp.einsum("ij,kl->il", x, y)) * 0.1
            else:
                value = rng.choice(SHAPES)(x)
            if rng.random() < 0.3:
                value = lax.with_sharding_constraint(value, random_sharding(mesh, value.ndim, rng))
            values.append(value)
        return values[-1], jnp.abs(values[-1]).sum()

    return step


def run_one(build, seed, folder):
    """What is wrong with the program of `seed`; empty if nothing is."""
    rng = random.Random(seed)
    sizes = rng.choice(MESHES)
    devices = np.array(jax.devices()[: int(np.prod(list(sizes.values())))]).reshape(list(sizes.values()))
    mesh = jax.sharding.Mesh(devices, list(sizes))
    numbers = np.random.default_rng(seed)
    shapes = [rng.choice([(8, 8), (8, 4), (12, 6), (5, 7)]) for _ in range(2)]
    arguments = [(numbers.normal(size=s) + 1j * numbers.normal(size=s)).astype(np.complex64) for s in shapes]
    fits = lambda s, sharding: all(n % int(np.prod([sizes[a] for a in (axes or ())])) == 0 for n, axes in zip(s, tuple(sharding.spec) + (None,) * len(s)))
    shardings = [random_sharding(mesh, 2, rng) for _ in shapes]
    shardings = [sharding if fits(s, sharding) else NamedSharding(mesh, PartitionSpec()) for s, sharding in zip(shapes, shardings)]
    program = jax.jit(random_program(mesh, rng), in_shardings=shardings, keep_unused=True)
    lowered = program.trace(*arguments).lower()
    expected = lowered.compile()(*arguments)
    model, inputs, outputs, package = (folder / name for name in ("model.mlir", "in.safetensors", "out.safetensors", "model.tsx"))
    model.write_text(lowered.compiler_ir("stablehlo").operation.get_asm(print_generic_op_form=True, enable_debug_info=True))
    write_tensors({f"arg{i}": array for i, array in enumerate(arguments)}, inputs)
    for command in ([build / "bin/tesserac", model, "--check-phases", "-o", package], [build / "bin/tessera-run", package, f"--inputs={inputs}", f"--outputs={outputs}"]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return f"{pathlib.Path(command[0]).name}: {done.returncode}: {done.stderr[:300]}"
    for got, want in zip(read_tensors(outputs).values(), expected):
        want = np.asarray(want)
        got = got.view(np.complex64).reshape(want.shape) if want.dtype.kind == "c" and got.dtype.kind != "c" else got
        error = np.abs(got - want).max() / max(np.abs(want).max(), 1e-6)
        if not error < 1e-4:
            return f"differs by {error}"
    return ""


def main():
    build, count, seed = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(seed, seed + count):
            problem = run_one(build, number, pathlib.Path(folder))
            wrong += bool(problem)
            if problem:
                print(f"seed {number}: {problem}", flush=True)
    print(f"{count - wrong} of {count} programs agree with JAX")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
