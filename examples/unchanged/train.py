"""Trains a small network of flax by optax, on all devices that JAX has. Nothing in this file is made for Tessera, which runs it as it is:

    JAX_PLATFORMS=tessera TESSERA_DEVICES=8 python examples/unchanged/train.py
    JAX_NUM_CPU_DEVICES=8 python examples/unchanged/train.py                        by JAX's own compiler

Needs `pip install ./python[jax] flax optax`. losses.txt is what the second line prints, but for the last line; `--compare=losses.txt` compares.
The task: the class of a point in a plane of spirals. Batches are split over the devices, the parameters are on each of them.
"""

import argparse
import sys

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training import train_state
from jax.sharding import NamedSharding, PartitionSpec as P

CLASSES, BATCH, STEPS = 3, 64, 30


class Network(nn.Module):
    """Layers with a residual each."""

    width: int = 32
    layers: int = 2

    @nn.compact
    def __call__(self, x, train):
        x = nn.Dense(self.width)(x)
        for _ in range(self.layers):
            y = nn.gelu(nn.Dense(2 * self.width)(nn.LayerNorm()(x)))
            x = x + nn.Dense(self.width)(nn.Dropout(0.1, deterministic=not train)(y))
        return nn.Dense(CLASSES)(nn.LayerNorm()(x))


def spirals(random):
    """A batch of points, and to which of the spirals each belongs."""
    labels, radius = random.integers(CLASSES, size=BATCH), random.uniform(0.1, 1, BATCH)
    angle = 5 * radius + 2 * np.pi * labels / CLASSES + 0.1 * random.standard_normal(BATCH)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1).astype(np.float32), labels.astype(np.int32)


@jax.jit
def step(state, key, points, labels):
    def loss_of(params):
        logits = state.apply_fn({"params": params}, points, train=True, rngs={"dropout": jax.random.fold_in(key, state.step)})
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    loss, gradients = jax.value_and_grad(loss_of)(state.params)
    return state.apply_gradients(grads=gradients), loss


@jax.jit
def accuracy(state, points, labels):
    return (state.apply_fn({"params": state.params}, points, train=False).argmax(-1) == labels).mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--compare", metavar="FILE", help="losses to compare with")
    options = parser.parse_args()
    mesh = jax.sharding.Mesh(jax.devices(), ("data",))
    rows, whole = NamedSharding(mesh, P("data")), NamedSharding(mesh, P())
    network, random = Network(), np.random.default_rng(0)
    key, params_key = jax.random.split(jax.random.key(0))
    schedule = optax.warmup_cosine_decay_schedule(0.0, 2e-2, 5, STEPS)
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule))
    params = network.init(params_key, jnp.zeros((1, 2)), train=False)["params"]
    state = jax.device_put(train_state.TrainState.create(apply_fn=network.apply, params=params, tx=optimizer), whole)
    losses = []
    for _ in range(options.steps):
        state, loss = step(state, key, *jax.device_put(spirals(random), rows))
        losses.append(float(loss))
        print(f"{losses[-1]:.6f}")
    right = float(accuracy(state, *jax.device_put(spirals(random), rows)))
    print(f"{options.steps} steps on {len(jax.devices())} devices of {jax.devices()[0].platform}: {right:.0%} of new points are right")
    if options.compare:
        error = np.abs(losses - np.loadtxt(options.compare)[: options.steps]).max()
        print(f"largest difference of a loss {error:.1e}")
        return 0 if error <= 1e-4 else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
