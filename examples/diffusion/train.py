"""Trains a diffusion model, a U-Net that finds the noise in pictures of discs and bars, on 2 x 2 ranks.

    pip install ./python[jax] && python examples/diffusion/train.py [--steps=N]

Pictures are divided over one axis of the mesh, channels over the other, by plan.yaml alone. losses.txt is what jax.jit gives on one device.
Prints the collectives of a step.
"""

import argparse
import collections
import pathlib
import re
import sys

import jax
import jax.numpy as jnp
import numpy as np

import model

FOLDER = pathlib.Path(__file__).resolve().parent
SIZE, BATCH, RATE = 16, 8, 0.3


def mixed(pictures, noise, time):
    """Pictures less and less seen behind noise as time goes from 0 to 1."""
    angle = time[:, None, None, None] * (jnp.pi / 2)
    return jnp.cos(angle) * pictures + jnp.sin(angle) * noise


def step(p, pictures, noise, time):
    loss_of = lambda p: jnp.mean((model.unet(p, mixed(pictures, noise, time), time) - noise) ** 2)
    loss, gradients = jax.value_and_grad(loss_of)(p)
    length = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(gradients)))
    return jax.tree.map(lambda p, g: p - RATE * g / jnp.maximum(length, 1), p, gradients), loss


def batch(random):
    """Discs and bars anywhere, noise, and times."""
    y, x = np.mgrid[:SIZE, :SIZE]
    cy, cx = random.integers(4, SIZE - 4, (2, BATCH, 1, 1))
    disc, bar = (y - cy) ** 2 + (x - cx) ** 2 < 12, (abs(y - cy) < 2) & (abs(x - cx) < 5)
    pictures = np.where(np.where(random.random((BATCH, 1, 1)) < 0.5, disc, bar), np.float32(1), np.float32(-1))[..., None]
    return pictures, random.standard_normal(pictures.shape, np.float32), random.random(BATCH, np.float32)


def train(step, steps):
    p, random, losses = jax.jit(model.initialize)(), np.random.default_rng(0), []
    for _ in range(steps):
        p, loss = step(p, *batch(random))
        losses.append(float(loss))
    return np.array(losses)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--write", action="store_true", help="write losses.txt instead")
    options = parser.parse_args()
    if options.write:
        (FOLDER / "losses.txt").write_text("".join(f"{loss:.6f}\n" for loss in train(jax.jit(step), options.steps)))
        return 0
    import tessera

    fast = tessera.jit(step, plan=FOLDER / "plan.yaml", donate_argnums=0).lower(jax.jit(model.initialize)(), *batch(np.random.default_rng(0))).compile()
    losses = train(fast, options.steps)
    print(dict(sorted(collections.Counter(re.findall(r" spmd\.(all_\w+|reduce_scatter|permute)", fast.as_text())).items())))
    error = np.abs(losses / np.loadtxt(FOLDER / "losses.txt")[: options.steps] - 1).max()
    print(f"{options.steps} steps on 2x2 ranks, loss {losses[0]:.6f} to {losses[-1]:.6f}, largest difference from JAX {error:.1e}")
    return 0 if error <= 1e-3 else 1


if __name__ == "__main__":
    sys.exit(main())
