"""Training steps that say nothing of stages, cut into stages under several schedules; made by `programs.py` as its own are."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from programs import integers, normal, program

WIDTH, HEADS, WORDS = 16, 2, 32
# On GPUs.
ONE_AND_FOUR = ("", "--stages=4 --microbatches=4 --schedule=zb-h1")


def attention(q, x, y, causal):
    """Of `x`, with keys and values of `y`; `q` holds the four matrices."""
    heads = lambda x, w: (x @ w).reshape(*x.shape[:2], HEADS, -1)
    scores = jnp.einsum("bthd,bshd->bhts", heads(x, q["q"]), heads(y, q["k"])) / 2.8
    if causal:
        scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -1e9)
    return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(scores), heads(y, q["v"])).reshape(x.shape) @ q["o"]


def matrices(*layers):
    return {name: normal(*layers, WIDTH, WIDTH) / 4 for name in "qkvo"}


def feed_forward(*layers):
    return {"up": normal(*layers, WIDTH, 2 * WIDTH) / 4, "down": normal(*layers, 2 * WIDTH, WIDTH) / 6}


def rms(x):
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5)


def cross_entropy(logits, labels):
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[..., None], -1))


def zeros(tree):
    return jax.tree.map(np.zeros_like, tree)


# ---- stacked layers ---------------------------------------------------------------------------------------------------

STACKED = {"words": 0.1 * normal(WORDS, WIDTH), "layers": matrices(4) | feed_forward(4), "head": normal(WIDTH, WORDS) / 4}


@program(
    STACKED,
    zeros(STACKED),
    zeros(STACKED),
    np.int32(0),
    integers(0, WORDS, 8, 9),
    donate_argnums=(0, 1, 2, 3),
    gpus=ONE_AND_FOUR,
    stages=(
        "--stages=2 --microbatches=4 --schedule=1f1b --check-phases",
        "--stages=4 --microbatches=8 --schedule=zb-h1",
        "--stages=2 --microbatches=4 --schedule=chimera",
        "--stages=2 --microbatches=4 --mesh=data=2",
    ),
    tolerance="5e-4",
)
def stacked_adam(p, m, v, step, tokens):
    """A scan over layers, Adam, clipping by the global norm: rows of parameters and momenta live with their layers."""

    def loss(p):
        def layer(x, w):
            x = x + attention(w, rms(x), rms(x), causal=True)
            return x + jax.nn.gelu(rms(x) @ w["up"]) @ w["down"], None

        x, _ = lax.scan(layer, p["words"][tokens[:, :-1]], p["layers"])
        return cross_entropy(x @ p["head"], tokens[:, 1:])

    value, g = jax.value_and_grad(loss)(p)
    norm = jnp.sqrt(sum(jnp.sum(x * x) for x in jax.tree.leaves(g)))
    g = jax.tree.map(lambda x: x * jnp.minimum(1.0, 0.5 / norm), g)
    step = step + 1
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
    v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, v, g)
    scale = jnp.sqrt(1 - 0.99**step) / (1 - 0.9**step)
    return jax.tree.map(lambda p, m, v: p - 0.01 * scale * m / (jnp.sqrt(v) + 1e-3), p, m, v), m, v, step, value, norm


# ---- encoder and decoder ----------------------------------------------------------------------------------------------

TWO_SIDED = {
    "words": 0.1 * normal(WORDS, WIDTH),
    "encoder": [{"self": matrices()} | feed_forward() for _ in range(2)],
    "decoder": [{"self": matrices(), "cross": matrices()} | feed_forward() for _ in range(2)],
}


@program(
    TWO_SIDED,
    zeros(TWO_SIDED),
    integers(0, WORDS, 8, 6),
    integers(0, WORDS, 8, 8),
    donate_argnums=(0, 1),
    gpus=ONE_AND_FOUR,
    stages=(
        "--stages=2 --microbatches=4 --schedule=1f1b --check-phases",
        "--stages=4 --microbatches=4",
        "--stages=2 --microbatches=8 --schedule=zb-v",
    ),
    tolerance="2e-4",
)
def encoder_decoder(p, momentum, source, target):
    """What the encoder gives is used by every layer of the decoder; one table for both sides and for the output."""

    def loss(p):
        x = p["words"][source]
        for w in p["encoder"]:
            x = x + attention(w["self"], rms(x), rms(x), causal=False)
            x = x + jax.nn.relu(rms(x) @ w["up"]) @ w["down"]
        y = p["words"][target[:, :-1]]
        for w in p["decoder"]:
            y = y + attention(w["self"], rms(y), rms(y), causal=True)
            y = y + attention(w["cross"], rms(y), rms(x), causal=False)
            y = y + jax.nn.relu(rms(y) @ w["up"]) @ w["down"]
        return cross_entropy(rms(y) @ p["words"].T, target[:, 1:])

    value, g = jax.value_and_grad(loss)(p)
    momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, g)
    return jax.tree.map(lambda p, m: p - 0.05 * m, p, momentum), momentum, value


# ---- skip connections, dropout, what is measured ------------------------------------------------------------------------

NETWORK = {"down": [normal(WIDTH, WIDTH) / 4 for _ in range(3)], "up": [normal(2 * WIDTH, WIDTH) / 6 for _ in range(3)], "head": normal(WIDTH, 5)}
AVERAGES = [np.zeros(WIDTH, np.float32) for _ in range(3)]


@program(
    NETWORK,
    AVERAGES,
    np.array([1, 2], np.uint32),
    normal(16, WIDTH),
    integers(0, 5, 16),
    donate_argnums=(0, 1),
    gpus=ONE_AND_FOUR,
    stages=(
        "--stages=2 --microbatches=4 --schedule=1f1b --check-phases",
        "--stages=3 --microbatches=8 --schedule=eager-1f1b",
        "--stages=2 --microbatches=4 --schedule=chimera",
    ),
    tolerance="2e-4",
)
def skips_and_averages(p, averages, key, x, labels):
    """A U-shaped network with dropout; running averages of activations, losses and guesses per row, an accuracy."""

    def loss(p):
        h, skips, means = x, [], []
        for w in p["down"]:
            h = jax.nn.silu(h @ w)
            means.append(lax.stop_gradient(jnp.mean(h, 0)))
            skips.append(h)
        for w, k in zip(p["up"], jax.random.split(key, 3)):
            h = jnp.tanh(jnp.concatenate([h, skips.pop()], -1) @ w)
            h = jnp.where(jax.random.bernoulli(k, 0.9, h.shape), h / 0.9, 0.0)
        logits = h @ p["head"]
        losses = -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], -1)[:, 0]
        return jnp.mean(losses), (means, losses, jnp.argmax(logits, -1), jnp.mean(jnp.argmax(logits, -1) == labels))

    (value, (means, *measured)), g = jax.value_and_grad(loss, has_aux=True)(p)
    averages = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, averages, means)
    return jax.tree.map(lambda p, g: p - 0.1 * g, p, g), averages, value, measured


# ---- layers in a scan that are computed again, with their dropout -------------------------------------------------------


@program(
    {"layers": feed_forward(4), "head": normal(WIDTH, WORDS) / 4},
    np.array([3, 4], np.uint32),
    integers(0, WORDS, 8, 4),
    normal(8, 4, WIDTH),
    donate_argnums=(0,),
    gpus=ONE_AND_FOUR,
    stages=(
        "--stages=2 --microbatches=4 --schedule=1f1b --check-phases",
        "--stages=4 --microbatches=2 --schedule=zb-h1",
    ),
    tolerance="2e-4",
)
def recomputed_dropout(p, key, labels, x):
    """Every layer draws a mask for the whole batch, in the forward pass and once more in the backward pass."""

    @jax.checkpoint
    def layer(h, given):
        q, key = given
        drop = lambda y, number: jnp.where(jax.random.bernoulli(jax.random.fold_in(key, number), 0.9, y.shape), y / 0.9, 0.0)
        h = h + drop(jnp.tanh(rms(h) @ q["up"]) @ q["down"], 1)
        return h + drop(jax.nn.gelu(rms(h) @ q["up"]) @ q["down"], 2), None

    def loss(p):
        h, _ = lax.scan(layer, x, (p["layers"], jax.random.split(key, 4)))
        return cross_entropy(h @ p["head"], labels)

    value, g = jax.value_and_grad(loss)(p)
    return jax.tree.map(lambda p, g: p - 0.1 * g, p, g), value


# ---- an output layer that is dearer than the rest ------------------------------------------------------------------------

MANY = 1536


@program(
    {"words": normal(MANY, WIDTH), "layers": [feed_forward() for _ in range(4)], "head": normal(WIDTH, MANY) / 4},
    integers(0, MANY, 16, 32),
    integers(0, MANY, 16, 32),
    donate_argnums=(0,),
    gpus=ONE_AND_FOUR,
    stages=(
        "--stages=2 --microbatches=4 --mesh=data=2",
        "--stages=4 --microbatches=8",
        "--stages=4 --microbatches=4 --schedule=vocabulary-2",
    ),
    tolerance="2e-4",
)
def large_vocabulary(p, tokens, labels):
    """A few small layers below a large vocabulary: no cut along the depth makes stages even."""

    def loss(p):
        h = p["words"][tokens]
        for q in p["layers"]:
            h = h + jax.nn.gelu(rms(h) @ q["up"]) @ q["down"]
        return cross_entropy(rms(h) @ p["head"], labels)

    value, g = jax.value_and_grad(loss)(p)
    return jax.tree.map(lambda p, g: p - 0.1 * g, p, g), value


# ---- what waits for all rows ----------------------------------------------------------------------------------------------

ENCODER = {"in": normal(12, WIDTH) / 3, "out": normal(WIDTH, 8) / 4}


@program(
    ENCODER,
    ENCODER,
    normal(32, 8),
    np.int32(24),
    normal(8, 12),
    normal(8, 12),
    donate_argnums=(0, 1, 2, 3),
    gpus=(),
    stages=(
        "--microbatches=4 --check-phases",
        "--stages=2 --microbatches=4 --schedule=1f1b --check-phases",
        "--stages=2 --microbatches=2 --schedule=zb-v",
    ),
    tolerance="2e-4",
)
def contrast_with_queue(p, average, queue, place, x, y):
    """Momentum contrast: rows are compared with a queue, which then takes the whole batch; measures of all rows that no gradient needs."""
    encode = lambda p, x: rms(jax.nn.relu(x @ p["in"]) @ p["out"])
    keys = lax.stop_gradient(encode(average, y))

    def loss(p):
        rows = encode(p, x)
        likeness = jnp.concatenate([jnp.sum(rows * keys, -1, keepdims=True), rows @ queue.T], 1) / 4
        losses = -jax.nn.log_softmax(likeness)[:, 0]
        return jnp.mean(losses), (rows, losses)

    (value, (rows, losses)), g = jax.value_and_grad(loss, has_aux=True)(p)
    p = jax.tree.map(lambda p, g: p - 0.1 * g, p, g)
    average = jax.tree.map(lambda a, p: 0.99 * a + 0.01 * p, average, p)
    queue = lax.dynamic_update_slice(queue, keys, (place, 0))
    explained = 1 - jnp.var(rows - keys) / jnp.var(rows)
    return p, average, queue, (place + 8) % 32, value, jnp.median(losses), lax.top_k(losses, 3), explained


# ---- layers that are loops over time, an optimizer in a branch --------------------------------------------------------------

GATED = {
    "words": 0.3 * normal(WORDS, WIDTH),
    "layers": [{"gates": normal(2 * WIDTH, 2 * WIDTH) / 6, "new": normal(2 * WIDTH, WIDTH) / 6} for _ in range(4)],
    "head": normal(WIDTH, WORDS) / 4,
}


@program(
    GATED,
    zeros(GATED),
    np.int32(0),
    integers(0, WORDS, 5, 8),
    integers(0, WORDS, 8),
    donate_argnums=(0, 1, 2),
    gpus=(),
    stages=(
        "--stages=2 --microbatches=4 --schedule=1f1b --check-phases",
        "--stages=4 --microbatches=8 --schedule=zb-h1",
        "--stages=2 --microbatches=4 --schedule=zb-v",
    ),
    tolerance="2e-4",
)
def gated_layers(p, momentum, skipped, tokens, labels):
    """Recurrent layers over time, which comes first; a step whose gradients are not finite is skipped, with all it would update."""

    def layer(x, w):
        def cell(h, x):
            z, r = jnp.split(jax.nn.sigmoid(jnp.concatenate([h, x], -1) @ w["gates"]), 2, -1)
            h = (1 - z) * h + z * jnp.tanh(jnp.concatenate([r * h, x], -1) @ w["new"])
            return h, h

        return lax.scan(cell, jnp.zeros(x.shape[1:]), x)[1]

    def loss(p):
        x = p["words"][tokens]
        for w in p["layers"]:
            x = x + layer(x, w)
        return cross_entropy(x[-1] @ p["head"], labels)

    def update(p, momentum, g):
        momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, g)
        return jax.tree.map(lambda p, m: p - 0.1 * m, p, momentum), momentum

    value, g = jax.value_and_grad(loss)(p)
    is_finite = jnp.all(jnp.stack([jnp.all(jnp.isfinite(x)) for x in jax.tree.leaves(g)]))
    p, momentum = lax.cond(is_finite, update, lambda p, momentum, g: (p, momentum), p, momentum, g)
    return p, momentum, skipped + 1 - is_finite, value


# ---- an optimizer whose factors all stages share ----------------------------------------------------------------------------

DEEP = {"layers": [feed_forward() | {"gain": np.ones(WIDTH, np.float32)} for _ in range(4)], "head": normal(WIDTH, WORDS) / 4}


@program(
    DEEP,
    zeros(DEEP),
    zeros(DEEP),
    np.int32(0),
    normal(8, WIDTH),
    integers(0, WORDS, 8),
    donate_argnums=(0, 1, 2, 3),
    gpus=(),
    stages=("--stages=2 --microbatches=4 --schedule=1f1b --check-phases", "--stages=4 --microbatches=4 --schedule=zb-h1", "--stages=4 --microbatches=2 --mesh=data=2"),
    tolerance="2e-4",
)
def clipped_adam(p, m, v, t, x, labels):
    """Adam behind a clipped norm, with decay of matrices only: factors of all parameters, as optax writes them."""

    def loss(p):
        h = x
        for w in p["layers"]:
            h = h + jax.nn.gelu(rms(h) * w["gain"] @ w["up"]) @ w["down"]
        return cross_entropy(h @ p["head"], labels)

    value, g = jax.value_and_grad(loss)(p)
    norm = jnp.sqrt(sum(jnp.sum(x * x) for x in jax.tree.leaves(g)))
    g = jax.tree.map(lambda x: jnp.where(norm < 0.1, x, x / norm * 0.1), g)
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
    v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, v, g)
    t = t + 1
    first, second = 1 - 0.9 ** t.astype(jnp.float32), 1 - 0.99 ** t.astype(jnp.float32)
    update = lambda p, m, v: p - 0.01 * (m / first / (jnp.sqrt(v / second) + 1e-4) + (0.1 * p if p.ndim > 1 else 0))
    return jax.tree.map(update, p, m, v), m, v, t, value
