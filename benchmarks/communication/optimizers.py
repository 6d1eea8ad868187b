"""Training steps whose optimizer, or whose way to split parameters, is not the usual one: of a stack of perceptrons on a split batch."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from architectures import descent
from case import case, constraints, on, sds

WIDTH, HIDDEN, LAYERS, BATCH = 256, 1024, 2, 2048
SHAPES = {"up": (WIDTH, HIDDEN), "down": (HIDDEN, WIDTH)}
COUNT = LAYERS * 2 * WIDTH * HIDDEN


def mean_error(p, x, target):
    for layer in p:
        x = x + jax.nn.gelu(x @ layer["up"], approximate=True) @ layer["down"]
    return jnp.mean(jnp.square(x - target))


def optimized(mesh, update, specs, state, state_specs, batch="data"):
    """The jitted step p, state, x, target -> p, state, loss and its arguments. `update(p, g, s)` returns the new parameter and the
    new state of one matrix; `state` has the shapes of a layer's states by name, `specs` and `state_specs` what they are split by."""
    is_shape = lambda s: isinstance(s, tuple)
    p = [{name: sds(*shape) for name, shape in SHAPES.items()}] * LAYERS
    states = [jax.tree.map(lambda s: sds(*s), state, is_leaf=is_shape)] * LAYERS

    def step(p, states, x, target):
        value, gradients = jax.value_and_grad(mean_error)(p, x, target)
        new = [{n: update(w[n], g[n], s[n]) for n in w} for w, g, s in zip(p, gradients, states)]
        part = lambda i: [{n: layer[n][i] for n in layer} for layer in new]
        return part(0), part(1), value

    inputs = on(mesh, ([specs] * LAYERS, [state_specs] * LAYERS, P(batch), P(batch)))
    arguments = p, states, sds(BATCH, WIDTH), sds(BATCH, WIDTH)
    return jax.jit(step, in_shardings=inputs, out_shardings=(*inputs[:2], None), donate_argnums=(0, 1)), arguments


def rows(spec):
    return {name: spec for name in SHAPES}


def fsdp_plan(plan, n=8):
    """Parameters gathered once, gradients reduce-scattered."""
    plan.all_gather("parameters", n, COUNT)
    plan.reduce_scatter("gradients", n, COUNT)


@case(replica=2, shard=4)
def hybrid_fsdp(mesh, plan):
    """HSDP: parameters and momentum split on `shard`, the batch on both axes. Gradients are reduce-scattered over `shard`, and only
    their parts summed over `replica`."""
    fsdp_plan(plan, 4)
    plan.all_reduce("parts of gradients", 2, COUNT // 4)
    plan.all_reduce("loss", 8)

    def update(p, g, m):
        m = 0.9 * m + g
        return p - 0.01 * m, m

    return optimized(mesh, update, rows(P("shard")), SHAPES, rows(P("shard")), batch=("replica", "shard"))


@case(data=8)
def adafactor(mesh, plan):
    """Adafactor with parameters split by rows: the squares' means of rows are split like them, those of columns are summed, and so
    are two numbers for each matrix."""
    fsdp_plan(plan)
    plan.all_reduce("means over rows", 8, LAYERS * (WIDTH + HIDDEN))
    plan.all_reduce("mean of the rows' means, size of the update", 8, times=2 * 2 * LAYERS)
    plan.all_reduce("loss", 8)

    def update(p, g, s):
        square = g * g + 1e-30
        row = 0.9 * s["row"] + 0.1 * jnp.mean(square, axis=1)
        column = 0.9 * s["column"] + 0.1 * jnp.mean(square, axis=0)
        change = g / (jnp.sqrt(row[:, None] * column / jnp.mean(row)) + 1e-3)
        change = change / jnp.maximum(1.0, jnp.sqrt(jnp.mean(jnp.square(change))))
        return p - 0.01 * change, {"row": row, "column": column}

    state = {name: {"row": shape[:1], "column": shape[1:]} for name, shape in SHAPES.items()}
    return optimized(mesh, update, rows(P("data")), state, rows({"row": P("data"), "column": P()}))


@case(data=8)
def lamb(mesh, plan):
    """LAMB, the moments split and parameters whole: the norms of parameter and update of every matrix, the first of which all devices
    know, and new parameters gathered."""
    plan.reduce_scatter("gradients", 8, COUNT)
    plan.all_reduce("norms of updates", 8, times=2 * LAYERS)
    plan.all_gather("new parameters", 8, COUNT)
    plan.all_reduce("loss", 8)

    def update(p, g, s):
        m, v = 0.9 * s["m"] + 0.1 * g, 0.99 * s["v"] + 0.01 * g * g
        change = m / (jnp.sqrt(v) + 1e-3) + 0.01 * p
        ratio = jnp.sqrt(jnp.sum(p * p)) / (jnp.sqrt(jnp.sum(change * change)) + 1e-3)
        return p - 0.001 * ratio * change, {"m": m, "v": v}

    state = {name: {"m": shape, "v": shape} for name, shape in SHAPES.items()}
    return optimized(mesh, update, rows(P()), state, rows({"m": P("data"), "v": P("data")}))


@case(data=8)
def muon(mesh, plan):
    """Muon with every matrix split along its longer side: five steps of Newton and Schulz, each with a sum of the small square matrix,
    the longer products staying split."""
    fsdp_plan(plan)
    plan.all_reduce("norms of momenta", 8, times=2 * LAYERS)
    plan.all_reduce("square matrices", 8, WIDTH, WIDTH, times=2 * 5 * LAYERS)
    plan.all_reduce("loss", 8)

    def update(p, g, m):
        m = 0.9 * m + g
        x = m if m.shape[0] < m.shape[1] else m.T
        x = x / (jnp.sqrt(jnp.sum(x * x)) + 1e-7)
        for _ in range(5):
            a = x @ x.T
            x = 3.4445 * x + (-4.7750 * a + 2.0315 * a @ a) @ x
        return p - 0.01 * (x if m.shape[0] < m.shape[1] else x.T), m

    specs = {"up": P(None, "data"), "down": P("data", None)}
    return optimized(mesh, update, specs, SHAPES, specs)


@case(data=8)
def averaged_and_clipped(mesh, plan):
    """FSDP with gradients scaled by their common norm and a moving average of the parameters: both within the parts."""
    fsdp_plan(plan)
    plan.all_reduce("squared norm", 8)
    plan.all_reduce("loss", 8)
    p = [{name: sds(*shape) for name, shape in SHAPES.items()}] * LAYERS

    def step(p, average, x, target):
        value, gradients = jax.value_and_grad(mean_error)(p, x, target)
        norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(gradients)))
        p = jax.tree.map(lambda p, g: p - 0.1 * g * jnp.minimum(1.0, 0.01 / norm), p, gradients)
        return p, jax.tree.map(lambda a, p: 0.99 * a + 0.01 * p, average, p), value

    inputs = on(mesh, ([rows(P("data"))] * LAYERS,) * 2 + (P("data"),) * 2)
    step = jax.jit(step, in_shardings=inputs, out_shardings=(*inputs[:2], None), donate_argnums=(0, 1))
    return step, (p, p, sds(BATCH, WIDTH), sds(BATCH, WIDTH))


@case(data=8)
def adapters_of_split_weights(mesh, plan):
    """Low-rank adapters of frozen weights that are split (LoRA with FSDP): the weights are gathered once, the adapters summed."""
    rank = 8
    plan.all_gather("frozen weights", 8, COUNT)
    plan.all_reduce("gradients of adapters", 8, LAYERS * 2 * rank * (WIDTH + HIDDEN))
    plan.all_reduce("loss", 8)

    def loss(adapters, frozen, x, target):
        for a, w in zip(adapters, frozen):
            hidden = jax.nn.gelu(x @ w["up"] + x @ a["up_in"] @ a["up_out"], approximate=True)
            x = x + hidden @ w["down"] + hidden @ a["down_in"] @ a["down_out"]
        return jnp.mean(jnp.square(x - target))

    def step(adapters, frozen, x, target):
        value, gradients = jax.value_and_grad(loss)(adapters, frozen, x, target)
        return jax.tree.map(lambda p, g: p - 0.1 * g, adapters, gradients), value

    frozen = [{name: sds(*shape) for name, shape in SHAPES.items()}] * LAYERS
    into = {name + "_in": sds(shape[0], rank) for name, shape in SHAPES.items()}
    adapters = [into | {name + "_out": sds(rank, shape[1]) for name, shape in SHAPES.items()}] * LAYERS
    inputs = on(mesh, (P(), [rows(P("data"))] * LAYERS, P("data"), P("data")))
    step = jax.jit(step, in_shardings=inputs, out_shardings=(inputs[0], None), donate_argnums=(0,))
    return step, (adapters, frozen, sds(BATCH, WIDTH), sds(BATCH, WIDTH))


@case(data=2, model=4, limit=1021)
def chunked_loss(mesh, plan):
    """The loss of a large vocabulary in chunks of positions, each recomputed in the backward pass; scores are split by words, whose number
    does not divide, although the head is whole. Maximum, sum and target's score per token, the first two once more, and the input's
    gradient; the head's gradient is summed over `data` in parts, once, and gathered."""
    batch, sequence, width, vocabulary, chunks = 16, 128, 256, 1021, 4
    plan.all_reduce("maximum, sum, target; maximum and sum again", 4, batch // 2, sequence // chunks, times=5 * chunks)
    plan.all_reduce("gradient of the input", 4, batch // 2, sequence, width)
    plan.all_reduce("gradient of the head in parts", 2, width * 1024 // 4)
    plan.all_gather("gradient of the head", 4, width, 1024)
    plan.all_reduce("gradient of the other matrix", 2, width, width)
    plan.all_reduce("loss", 2)
    annotate = constraints(mesh, scores=P("data", None, "model"))

    def loss(p, x, targets):
        x = jnp.tanh(x @ p["in"])
        split = lambda t: jnp.swapaxes(t.reshape(batch, chunks, -1, *t.shape[2:]), 0, 1)

        @jax.checkpoint
        def one(total, chunk):
            x, targets = chunk
            scores = annotate(x @ p["head"], "scores")
            target = jnp.take_along_axis(scores, targets[..., None], axis=-1)[..., 0]
            return total + jnp.sum(jax.nn.logsumexp(scores, axis=-1) - target), None

        return lax.scan(one, jnp.zeros(()), (split(x), split(targets)))[0] / (batch * sequence)

    shapes = {"in": (width, width), "head": (width, vocabulary)}
    arrays = sds(batch, sequence, width), sds(batch, sequence, dtype="int32")
    return descent(mesh, loss, shapes, {"in": P(), "head": P()}, arrays, (P("data"), P("data")))
