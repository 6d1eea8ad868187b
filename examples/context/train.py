"""Trains on one long text at a time, whose tokens four ranks divide: what a rank keeps of it is a fourth.

    pip install ./python[jax] && python examples/context/train.py [--steps=N]

Norms, projections and gated layers need no other rank's tokens. Attention does, of all tokens before: keys and values, of few heads, come from all
ranks, in the backward pass their gradients go back, and that is all that is sent of activations. The sharding of the batch is all that says so: its
second dimension is the sequence. losses.txt is what jax.jit gives on one device. Prints collectives, and the arena of a rank beside that of one device alone.
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
RANKS, LENGTH, WIDTH, HEADS, HIDDEN, LAYERS, VOCABULARY, RATE = 4, 512, 64, 4, 128, 2, 64, 0.5


def initialize():
    keys = iter(jax.random.split(jax.random.key(0), 7 * LAYERS + 2))
    weight = lambda *shape: jax.random.normal(next(keys), shape) * shape[0] ** -0.5
    size = WIDTH // HEADS
    layers = [{"q": weight(WIDTH, HEADS, size), "k": weight(WIDTH, size), "v": weight(WIDTH, size), "out": weight(WIDTH, WIDTH).reshape(HEADS, size, WIDTH),
               "gate": weight(WIDTH, HIDDEN), "up": weight(WIDTH, HIDDEN), "down": weight(HIDDEN, WIDTH)} for _ in range(LAYERS)]
    return {"embed": weight(VOCABULARY, WIDTH), "head": weight(WIDTH, VOCABULARY), "layers": layers}


def normed(x):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5)


def turned(x, places):
    """Rotary positions: pairs of numbers are turned by angles that grow with the place."""
    angles = places[:, None] * 1000.0 ** -jnp.linspace(0, 1, x.shape[-1] // 2)
    angles = angles.reshape(1, -1, *(1,) * (x.ndim - 3), x.shape[-1] // 2)
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([a * jnp.cos(angles) - b * jnp.sin(angles), a * jnp.sin(angles) + b * jnp.cos(angles)], -1)


def attention(p, x):
    places = jnp.arange(LENGTH)
    q, k, v = turned(jnp.einsum("bsd,dhe->bshe", x, p["q"]), places), turned(x @ p["k"], places), x @ p["v"]
    scores = jnp.where(places[:, None] >= places, jnp.einsum("bshe,bte->bhst", q, k) * q.shape[-1] ** -0.5, -jnp.inf)
    return jnp.einsum("bhst,bte,hed->bsd", jax.nn.softmax(scores), v, p["out"])


def loss_of(p, tokens, targets):
    x = p["embed"][tokens]
    for layer in p["layers"]:
        x = x + attention(layer, normed(x))
        x = x + (jax.nn.silu(normed(x) @ layer["gate"]) * (normed(x) @ layer["up"])) @ layer["down"]
    logs = jax.nn.log_softmax(normed(x) @ p["head"])
    return -jnp.mean(jnp.take_along_axis(logs, targets[..., None], -1))


def step(p, tokens, targets):
    loss, gradients = jax.value_and_grad(loss_of)(p, tokens, targets)
    return jax.tree.map(lambda p, g: p - RATE * g, p, gradients), loss


def batch(number):
    """A text that says again what stood half its length before."""
    half = np.random.default_rng(number).integers(0, VOCABULARY, (1, LENGTH // 2), dtype=np.int32)
    text = np.concatenate([half, half], 1)
    return text, np.roll(text, -1, 1)


def train(step, steps):
    p, losses = jax.jit(initialize)(), []
    for number in range(steps):
        p, loss = step(p, *batch(number))
        losses.append(float(loss))
    return np.array(losses)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--write", action="store_true", help="write losses.txt instead")
    options = parser.parse_args()
    if options.write:
        (FOLDER / "losses.txt").write_text("".join(f"{loss:.6f}\n" for loss in train(jax.jit(step), options.steps)))
        return 0
    import tessera

    mesh = jax.make_mesh((RANKS,), ("sequence",), axis_types=(AxisType.Auto,))
    rows, whole = NamedSharding(mesh, P(None, "sequence")), NamedSharding(mesh, P())
    fast = tessera.jit(step, in_shardings=(whole, rows, rows), out_shardings=(whole, whole), donate_argnums=0)
    arguments = (jax.jit(initialize)(), *batch(0))
    compiled, alone = (function.lower(*arguments).compile() for function in (fast, tessera.jit(step)))
    losses = train(compiled, options.steps)
    print(dict(sorted(collections.Counter(re.findall(r" spmd\.(all_\w+|reduce_scatter|permute)", compiled.as_text())).items())))
    arenas = [program.memory_analysis().temp_size_in_bytes / 1e6 for program in (compiled, alone)]
    print(f"arena of a rank: {arenas[0]:.1f} MB, of one device alone: {arenas[1]:.1f} MB")
    error = np.abs(losses / np.loadtxt(FOLDER / "losses.txt")[: options.steps] - 1).max()
    print(f"{options.steps} steps on {RANKS} ranks, loss {losses[0]:.6f} to {losses[-1]:.6f}, largest difference from JAX {error:.1e}")
    return 0 if error <= 1e-4 and arenas[0] < 0.5 * arenas[1] else 1


if __name__ == "__main__":
    jax.config.update("jax_num_cpu_devices", RANKS)
    sys.exit(main())
