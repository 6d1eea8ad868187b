"""Trains a mixture of experts on four ranks, an expert or two on each: tokens go to their experts and back by all-to-all.

    pip install ./python[jax] && python examples/experts/train.py [--steps=N]

Every token is sent to the better of its experts (of two, weighted, as in GShard), as far as their queues have room. Tokens and experts are
split over the same axis, so that a queue is filled by all ranks and computed on by one; the two shardings of `moe` say that, and nothing else does.
losses.txt is what jax.jit gives on one device. Prints the collectives of the compiled step.
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
RANKS, EXPERTS, WIDTH, HIDDEN, GROUPS, TOKENS = 4, 8, 32, 64, 8, 32
ROOM = 2 * 2 * TOKENS // EXPERTS  # Of a queue: twice what even use of two experts a token would need.


def initialize():
    keys = iter(jax.random.split(jax.random.key(0), 4))
    sizes = {"router": (WIDTH, EXPERTS), "up": (EXPERTS, WIDTH, HIDDEN), "down": (EXPERTS, HIDDEN, WIDTH), "head": (WIDTH, WIDTH)}
    return {name: jax.random.normal(next(keys), shape) * shape[-2] ** -0.5 for name, shape in sizes.items()}


def batch(random):
    """Groups of tokens, and what is to come of them: each of four kinds of tokens is turned in another way."""
    x, turns = random.standard_normal((GROUPS, TOKENS, WIDTH), np.float32), np.random.default_rng(7).standard_normal((4, WIDTH, WIDTH), np.float32)
    kind = (x[..., 0] > 0) * 2 + (x[..., 1] > 0)
    return x, np.tanh(np.einsum("gtd,gtdf->gtf", x, turns[kind.astype(int)]) / WIDTH**0.5)


def routes(scores):
    """For each token of a group, expert and place in its queue: whether the token is there, and by which weight it counts."""
    weights, chosen = jax.lax.top_k(jax.nn.softmax(scores), 2)
    is_for = jax.nn.one_hot(chosen, EXPERTS, dtype=jnp.int32)  # group, token, choice, expert
    # First choices before second ones, each in the order of tokens.
    in_turn = is_for.swapaxes(1, 2).reshape(len(scores), -1, EXPERTS)
    places = (jnp.cumsum(in_turn, 1) * in_turn - 1).reshape(len(scores), 2, TOKENS, EXPERTS).swapaxes(1, 2)
    sent = jax.nn.one_hot(places, ROOM)  # Zero where the place is -1, or the queue is full.
    return sent.sum(2), jnp.einsum("gtc,gtceq->gteq", weights / weights.sum(-1, keepdims=True), sent)


def moe(p, x, mesh):
    split = lambda value, *axes: value if mesh is None else jax.lax.with_sharding_constraint(value, NamedSharding(mesh, P(*axes)))
    sent, weights = routes(x @ p["router"])
    queues = split(jnp.einsum("gteq,gtd->egqd", sent, x), "expert")  # There …
    results = jnp.einsum("egqh,ehd->egqd", jax.nn.gelu(jnp.einsum("egqd,edh->egqh", queues, p["up"])), p["down"])
    return jnp.einsum("gteq,egqd->gtd", weights, split(results, None, "expert"))  # … and back.


def step_of(mesh=None):
    def loss_of(p, x, y):
        return jnp.mean((moe(p, x, mesh) + x @ p["head"] - y) ** 2)

    def step(p, x, y):
        loss, gradients = jax.value_and_grad(loss_of)(p, x, y)
        return jax.tree.map(lambda p, g: p - 2.0 * g, p, gradients), loss

    return step


def train(step, steps):
    p, random, losses = jax.jit(initialize)(), np.random.default_rng(0), []
    for _ in range(steps):
        p, loss = step(p, *batch(random))
        losses.append(float(loss))
    return np.array(losses)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--write", action="store_true", help="write losses.txt instead")
    options = parser.parse_args()
    if options.write:
        (FOLDER / "losses.txt").write_text("".join(f"{loss:.6f}\n" for loss in train(jax.jit(step_of()), options.steps)))
        return 0
    import tessera

    mesh = jax.make_mesh((RANKS,), ("expert",), axis_types=(AxisType.Auto,))
    on = lambda *axes: NamedSharding(mesh, P(*axes))
    p = {"router": on(), "up": on("expert"), "down": on("expert"), "head": on()}
    step = tessera.jit(step_of(mesh), in_shardings=(p, on("expert"), on("expert")), out_shardings=(p, on()), donate_argnums=0)
    losses = train(step, options.steps)
    text = step.lower(jax.jit(initialize)(), *batch(np.random.default_rng(0))).compile().as_text()
    print(dict(sorted(collections.Counter(re.findall(r" spmd\.(all_\w+|reduce_scatter|permute)", text)).items())))
    error = np.abs(losses / np.loadtxt(FOLDER / "losses.txt")[: options.steps] - 1).max()
    print(f"{options.steps} steps on {RANKS} ranks, loss {losses[0]:.6f} to {losses[-1]:.6f}, largest difference from JAX {error:.1e}")
    return 0 if error <= 1e-4 else 1


if __name__ == "__main__":
    jax.config.update("jax_num_cpu_devices", RANKS)
    sys.exit(main())
