"""Solvers, statistics and networks over fields and time: products with a split matrix in loops, and halos in three dimensions."""

import functools
import math

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from architectures import descent
from case import case, constraints, on, sds
from moves import jitted


@case(x=2, y=4)
def weight_stationary(mesh, plan):
    """Inference with weights split along both dimensions and few rows: weights stay, and so each product is summed, over one axis
    after the other (R. Pope et al., 2022)."""
    rows, width, hidden, layers = 16, 512, 2048, 2
    plan.all_reduce("hidden layer", 2, rows, hidden // 4, times=layers)
    plan.all_reduce("output", 4, rows, width // 2, times=layers)

    def forward(p, x):
        for layer in p:
            x = x + jax.nn.gelu(x @ layer["up"], approximate=True) @ layer["down"]
        return x

    p = [{"up": sds(width, hidden), "down": sds(hidden, width)}] * layers
    specs = [{"up": P("x", "y"), "down": P("y", "x")}] * layers
    return jitted(mesh, forward, (specs, P(None, "x")), P(None, "x")), (p, sds(rows, width))


@case(x=2, y=4)
def product_of_blocks(mesh, plan):
    """Three matrices in blocks: a row of blocks of one factor and a column of the other are gathered (SUMMA)."""
    size = 512
    plan.all_gather("rows of blocks", 4, size // 2, size)
    plan.all_gather("columns of blocks", 2, size, size // 4)
    return jitted(mesh, jnp.dot, (P("x", "y"),) * 2, P("x", "y")), (sds(size, size), sds(size, size))


@case(data=8)
def conjugate_gradients(mesh, plan):
    """A dense system split by rows: per step the direction is gathered, and two numbers are summed."""
    size, steps = 1024, 20
    plan.all_gather("direction", 8, size, times=steps)
    plan.all_reduce("products", 8, times=2 * steps + 1)

    def solve(a, b):
        def step(_, state):
            x, r, p, old = state
            ap = a @ p + 4.0 * p
            alpha = old / jnp.dot(p, ap)
            x, r = x + alpha * p, r - alpha * ap
            new = jnp.dot(r, r)
            return x, r, r + new / old * p, new

        return lax.fori_loop(0, steps, step, (jnp.zeros_like(b), b, b, jnp.dot(b, b)))[0]

    # The matrix is small beside the identity, so a few steps suffice.
    shrunk = lambda a, b: solve(0.01 * a, b)
    return jitted(mesh, shrunk, (P("data", None), P("data")), P("data")), (sds(size, size), sds(size))


@case(data=8)
def power_iteration(mesh, plan):
    """Principal components of rows that are split: one sum of the small product per step, and of the mean."""
    rows, width, components, steps = 4096, 256, 8, 10
    plan.all_reduce("mean", 8, width)
    plan.all_reduce("products", 8, width, components, times=steps)

    def components_of(x, start):
        x = x - jnp.mean(x, axis=0)

        def step(v, _):
            v = x.T @ (x @ v)
            return v / (jnp.sqrt(jnp.sum(v * v, axis=0)) + 1e-6), None

        return lax.scan(step, start, length=steps)[0]

    return jitted(mesh, components_of, (P("data"), P()), P()), (sds(rows, width), sds(width, components))


@case(data=8)
def k_means(mesh, plan):
    """Points are split, centres whole: per step the sums and the numbers of the points of each centre."""
    points, width, centres, steps = 4096, 64, 16, 5
    plan.all_reduce("sums", 8, centres, width, times=steps)
    plan.all_reduce("numbers of points", 8, centres, times=steps)

    def cluster(x, start):
        def step(centre, _):
            distance = jnp.sum(centre * centre, axis=1) - 2 * x @ centre.T
            nearest = jnp.argmin(distance, axis=1)
            sums = jax.ops.segment_sum(x, nearest, num_segments=centres)
            number = jax.ops.segment_sum(jnp.ones(points), nearest, num_segments=centres)
            return jnp.where(number[:, None] > 0, sums / jnp.maximum(number, 1)[:, None], centre), None

        return lax.scan(step, start, length=steps)[0]

    return jitted(mesh, cluster, (P("data"), P()), P()), (sds(points, width), sds(centres, width))


@case(data=2, model=4)
def convolution_channels(mesh, plan):
    """Residual blocks whose inner channels are split, as the columns of an MLP are: a sum behind the second convolution of each, and one
    of the input's gradient."""
    batch, size, outer, inner, blocks = 8, 16, 32, 128, 2
    shapes = {"stem": (3, 3, 4, outer), "blocks": [{"up": (3, 3, outer, inner), "down": (3, 3, inner, outer)}] * blocks}
    plan.all_reduce("outputs of blocks and gradients of their inputs", 4, batch // 2, size, size, outer, times=2 * blocks)
    plan.all_reduce("gradients", 2, 9 * 4 * outer + blocks * 2 * 9 * outer * inner // 4)
    plan.all_reduce("loss", 2)
    convolve = functools.partial(
        lax.conv_general_dilated, window_strides=(1, 1), padding="SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )

    def loss(p, images):
        x = convolve(images, p["stem"])
        for block in p["blocks"]:
            x = x + convolve(jax.nn.relu(convolve(x, block["up"])), block["down"])
        return jnp.mean(jnp.square(x))

    specs = {"stem": P(), "blocks": [{"up": P(None, None, None, "model"), "down": P(None, None, "model", None)}] * blocks}
    return descent(mesh, loss, shapes, specs, (sds(batch, size, size, 4),), (P("data"),))


@case(x=2, y=4)
def volumes(mesh, plan):
    """Convolutions of volumes that are split along two of three dimensions: a slab to every neighbour, of the second dimension with
    the halo of the first. The network's input has no gradient."""
    batch, size, channels = 2, 16, (2, 8, 8)
    for number in (*channels[:2], channels[2]):
        plan.permute("slabs of the first dimension", batch, 1, size // 4, size, number, times=2)
        plan.permute("slabs of the second dimension", batch, size // 2 + 2, 1, size, number, times=2)
    shapes = {"first": (3, 3, 3, *channels[:2]), "second": (3, 3, 3, *channels[1:])}
    plan.all_reduce("gradients", 8, sum(math.prod(shape) for shape in shapes.values()))
    plan.all_reduce("loss", 8)
    convolve = functools.partial(
        lax.conv_general_dilated, window_strides=(1, 1, 1), padding="SAME", dimension_numbers=("NDHWC", "DHWIO", "NDHWC")
    )

    def loss(p, x):
        return jnp.mean(jnp.square(convolve(jax.nn.relu(convolve(x, p["first"])), p["second"])))

    specs = {name: P() for name in shapes}
    return descent(mesh, loss, shapes, specs, (sds(batch, size, size, size, channels[0]),), (P(None, "x", "y"),))


@case(seq=8)
def mixed_by_products(mesh, plan):
    """An FNet that transforms by matrices: along the width everybody by himself, along the sequence, which is split, after an exchange
    for the width and back; in both passes but for the gradient of the network's input."""
    batch, sequence, width, hidden, layers = 4, 256, 128, 512, 2
    part = batch, sequence // 8, width
    plan.all_to_all("sequence for width and back", 8, *part, times=2 * layers + 2 * (layers - 1))
    plan.all_reduce("gradients", 8, layers * 2 * width * hidden)
    plan.all_reduce("loss", 8)
    wave = lambda n: jnp.cos(2 * math.pi / n * jnp.arange(n)[:, None] * jnp.arange(n)) / math.sqrt(n)

    def loss(p, x):
        for layer in p:
            x = x + jnp.einsum("st,btd,de->bse", wave(sequence), x, wave(width))
            x = x + jax.nn.gelu(x @ layer["up"], approximate=True) @ layer["down"]
        return jnp.mean(jnp.square(x))

    shapes = [{"up": (width, hidden), "down": (hidden, width)}] * layers
    specs = [{"up": P(), "down": P()}] * layers
    return descent(mesh, loss, shapes, specs, (sds(batch, sequence, width),), (P(None, "seq"),))


@case(data=2, model=4)
def memory_cells(mesh, plan):
    """An LSTM whose cells are split: in every step the outputs are gathered, and in every step back their gradient is
    reduce-scattered; the weights' gradients once."""
    batch, length, width = 16, 16, 256
    plan.all_gather("outputs", 4, batch // 2, width, times=length)
    plan.reduce_scatter("gradients of outputs", 4, batch // 2, width, times=length)
    plan.all_reduce("gradients", 2, 2 * width * 4 * width // 4)
    plan.all_reduce("loss", 8)
    annotate = constraints(mesh, cells=P("data", "model"))

    def loss(p, xs):
        inputs = jnp.einsum("tbd,dgh->tbgh", xs, p["input"])

        def step(state, now):
            h, c = state
            i, f, g, o = jnp.moveaxis(now + jnp.einsum("bd,dgh->bgh", h, p["hidden"]), 1, 0)
            c = annotate(jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g), "cells")
            return (annotate(jax.nn.sigmoid(o) * jnp.tanh(c), "cells"), c), None

        zero = jnp.zeros((batch, width))
        return jnp.mean(jnp.square(lax.scan(step, (zero, zero), inputs)[0][0]))

    shapes = {"input": (width, 4, width), "hidden": (width, 4, width)}
    specs = {"input": P(None, None, "model"), "hidden": P(None, None, "model")}
    return descent(mesh, loss, shapes, specs, (sds(length, batch, width),), (P(None, "data"),))


@case(data=2, stage=4)
def pipelined_by_rolls(mesh, plan):
    """A pipeline as praxis writes it: stages are a dimension, all run at once by `vmap`, and `roll` hands on what they made, in both passes.
    The last stage's results are collected in the loop, each stage in its own part, and sent to all behind it."""
    stages, microbatches, batch, width = 4, 8, 4, 128
    turns = microbatches + stages - 1
    plan.permute("activations, both passes", batch // 2, width, times=2 * turns)
    plan.all_reduce("gradients", 2, width * width)
    plan.all_reduce("loss", 2)
    annotate = constraints(mesh, state=P("stage", "data"))

    def loss(p, x):
        def turn(state, now):
            state = annotate(state.at[0].set(now), "state")
            made = annotate(jax.vmap(lambda w, x: x + jnp.tanh(x @ w))(p, state), "state")
            return annotate(jnp.roll(made, 1, axis=0), "state"), jnp.sum(jnp.square(made[-1]))

        fed = jnp.concatenate([x, jnp.zeros((stages - 1, batch, width))])
        state = annotate(jnp.zeros((stages, batch, width)), "state")
        _, errors = lax.scan(turn, state, fed)
        return jnp.mean(errors[stages - 1 :])

    return descent(mesh, loss, (stages, width, width), P("stage"), (sds(microbatches, batch, width),), (P(None, "data"),))
