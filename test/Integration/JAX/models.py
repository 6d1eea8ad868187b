"""Steps of models with the operations and shardings that their authors write; made by `programs.py` as its own are."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from programs import integers, normal, program, sharding

# ---- pictures ---------------------------------------------------------------------------------------------------------

IMAGE = ("NHWC", "HWIO", "NHWC")


def convolve(x, w, stride=1, padding="SAME", **options):
    return lax.conv_general_dilated(x, w, (stride, stride), padding, dimension_numbers=IMAGE, **options)


CNN = {
    "stem": 0.3 * normal(3, 3, 2, 8),
    "down": 0.2 * normal(3, 3, 8, 16),
    "depth": 0.3 * normal(3, 3, 1, 16),
    "point": 0.3 * normal(1, 1, 16, 8),
    "skip": 0.3 * normal(1, 1, 8, 8),
    "head": 0.3 * normal(8, 5),
}
CNN_SHARDINGS = {
    "stem": sharding(None, None, None, "model"),
    "down": sharding(None, None, "model", None),
    "depth": None,
    "point": None,
    "skip": None,
    "head": None,
}


@program(
    CNN,
    normal(4, 8, 8, 2),
    integers(0, 5, 4),
    in_shardings=(CNN_SHARDINGS, sharding("data", None, None, None), sharding("data")),
    donate_argnums=0,
    meshes=("", "data=4", "data=1"),
    check=True,
    tolerance="1e-4",
)
def cnn_step(p, images, labels):
    """Convolutions (strided, depthwise, 1 x 1), pooling and a skip connection, with the step of gradient descent."""

    def loss(p):
        x = jax.nn.relu(convolve(images, p["stem"]))
        pooled = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
        y = jax.nn.silu(convolve(x, p["down"], stride=2))
        y = jax.nn.gelu(convolve(y, p["depth"], feature_group_count=16))
        y = convolve(y, p["point"]) + convolve(pooled, p["skip"])
        means = lax.reduce_window(y, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4
        logits = jnp.mean(means, axis=(1, 2)) @ p["head"]
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1))

    value, gradients = jax.value_and_grad(loss)(p)
    return jax.tree.map(lambda p, g: p - 0.1 * g, p, gradients), value


@program(
    {"patch": 0.3 * normal(4, 4, 3, 8), "up": 0.3 * normal(4, 4, 8, 3), "wide": 0.3 * normal(3, 3, 8, 8)},
    normal(4, 8, 12, 3),
    in_shardings=({"patch": None, "up": None, "wide": None}, sharding("data", None, None, None)),
    meshes=("", "data=1"),
    check=True,
    tolerance="1e-4",
)
def patches_step(p, images):
    """Patches and their inverse (windows that do not overlap), and dilated kernels, in loss and gradient."""

    def loss(p, images):
        x = jnp.tanh(convolve(images, p["patch"], stride=4, padding="VALID"))
        x = x + convolve(x, p["wide"], rhs_dilation=(2, 2))
        y = lax.conv_transpose(x, p["up"], (4, 4), "VALID", dimension_numbers=IMAGE)
        return jnp.mean((y - images) ** 2)

    return jax.value_and_grad(loss, argnums=(0, 1))(p, images)


# ---- planes -----------------------------------------------------------------------------------------------------------


@program(
    normal(2, 8, 8),
    normal(8, 8),
    in_shardings=(sharding("data", "model", None), sharding("model", None)),
    meshes=("", "data=1"),
    check=True,
)
def stencil_step(u, source):
    """A step of a wave equation: rolls, slices and padding of a plane whose rows are on several devices."""
    laplace = sum(jnp.roll(u, shift, axis) for shift in (-1, 1) for axis in (1, 2)) - 4 * u
    inner = jnp.pad(u[:, 1:-1, 1:-1], ((0, 0), (1, 1), (1, 1)))
    damped = 0.9 * inner + 0.1 * jnp.pad(u, ((0, 0), (1, 1), (0, 0)), mode="edge")[:, 2:]
    return damped + 0.1 * (laplace + source)


# ---- experts ----------------------------------------------------------------------------------------------------------

EXPERTS = {"gate": normal(8, 4), "up": 0.3 * normal(4, 8, 16), "down": 0.3 * normal(4, 16, 8)}


@program(
    EXPERTS,
    normal(4, 16, 8),
    in_shardings=(
        {"gate": None, "up": sharding("model", None, None), "down": sharding("model", None, None)},
        sharding("data", None, None),
    ),
    meshes=("", "data=1"),
    check=True,
    tolerance="1e-4",
)
def experts_step(p, x):
    """A mixture of experts: the two best of four for every token, a capacity per expert, dispatch and combine by products."""
    capacity = 10

    def layer(p, x):
        probabilities = jax.nn.softmax(x @ p["gate"])
        weights, chosen = lax.top_k(probabilities, 2)
        weights = weights / jnp.sum(weights, axis=-1, keepdims=True)
        mask = jax.nn.one_hot(chosen, 4)  # batch, token, choice, expert
        flat = mask.transpose(0, 2, 1, 3).reshape(4, 32, 4)
        place = (jnp.cumsum(flat, axis=1) - flat).reshape(4, 2, 16, 4).transpose(0, 2, 1, 3)
        place = jnp.sum(place * mask, axis=-1).astype(jnp.int32)
        slots = jax.nn.one_hot(place, capacity) * (place < capacity)[..., None]
        combine = jnp.einsum("btk,btke,btkc->btec", weights, mask, slots)
        dispatched = jnp.einsum("btec,btd->ebcd", (combine > 0).astype(x.dtype), x)
        dispatched = lax.with_sharding_constraint(dispatched, sharding("model", "data", None, None))
        hidden = jax.nn.gelu(jnp.einsum("ebcd,edf->ebcf", dispatched, p["up"]))
        outputs = jnp.einsum("ebcf,efd->ebcd", hidden, p["down"])
        fraction = jnp.mean(mask[:, :, 0], axis=(0, 1))
        balance = 4 * jnp.sum(fraction * jnp.mean(probabilities, axis=(0, 1)))
        return x + jnp.einsum("btec,ebcd->btd", combine, outputs), balance

    def loss(p):
        y, balance = layer(p, x)
        return jnp.mean(y**2) + 0.01 * balance

    return jax.value_and_grad(loss)(p)


@program(normal(16, 8), integers(0, 4, 16), 0.3 * normal(4, 8, 8), meshes=("",))
def sorted_experts(x, expert, w):
    """Tokens sorted by their expert, each group times its own matrix, and back."""
    order = jnp.argsort(expert)
    sizes = jnp.bincount(expert, length=4)
    return lax.ragged_dot(x[order], w, sizes)[jnp.argsort(order)]


# ---- language ---------------------------------------------------------------------------------------------------------


def rms_norm(x, scale):
    return x * lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6) * scale


def rotate(x, positions):
    """Rotary embeddings of the heads in `x`: batch, token, head, feature."""
    half = x.shape[-1] // 2
    angles = positions[..., None] * 10000.0 ** (-jnp.arange(half) / half)
    sin, cos = jnp.sin(angles)[:, :, None], jnp.cos(angles)[:, :, None]
    first, second = x[..., :half], x[..., half:]
    return jnp.concatenate([first * cos - second * sin, first * sin + second * cos], axis=-1)


LLAMA = {
    "embed": normal(32, 16),
    "norm": 1 + 0.1 * normal(2, 16),
    "q": 0.3 * normal(2, 16, 8, 4),
    "kv": 0.3 * normal(2, 16, 2, 4, 4),
    "o": 0.3 * normal(2, 8, 4, 16),
    "up": 0.3 * normal(2, 16, 2, 32),
    "down": 0.3 * normal(2, 32, 16),
}
LLAMA_SHARDINGS = {
    "embed": sharding("model", None),
    "norm": None,
    "q": sharding(None, None, "model", None),
    "kv": sharding(None, None, None, "model", None),
    "o": sharding(None, "model", None, None),
    "up": sharding(None, None, None, "model"),
    "down": sharding(None, "model", None),
}


def attend(q, k, v, mask):
    """Grouped queries: eight heads of `q` on four of `k` and `v`."""
    q = q.reshape(*q.shape[:2], 4, 2, 4)
    scores = jnp.where(mask, jnp.einsum("bshgk,bthk->bhgst", q, k) * 0.5, -1e30)
    return jnp.einsum("bhgst,bthk->bshgk", jax.nn.softmax(scores), v).reshape(*q.shape[:2], 8, 4)


def feed_forward(x, layer):
    gate, up = jnp.moveaxis(jnp.einsum("bsd,dcf->bscf", x, layer["up"]), 2, 0)
    return (jax.nn.silu(gate) * up) @ layer["down"]


@program(
    LLAMA,
    {name: 0.1 * np.abs(normal(*value.shape)) for name, value in LLAMA.items()},
    integers(0, 32, 4, 9),
    in_shardings=(LLAMA_SHARDINGS, LLAMA_SHARDINGS, sharding("data", None)),
    donate_argnums=(0, 1),
    meshes=("", "data=4", "model=4", "data=1"),
    check=True,
    tolerance="1e-4",
)
def llama_step(p, momentum, tokens):
    """Two scanned, checkpointed layers with rotary embeddings and grouped queries; clipping by the global norm; momentum."""
    positions = jnp.arange(8)[None]

    def block(x, layer):
        y = rms_norm(x, layer["norm"])
        q = rotate(jnp.einsum("bsd,dhk->bshk", y, layer["q"]), positions)
        k, v = jnp.moveaxis(jnp.einsum("bsd,dchk->bschk", y, layer["kv"]), 2, 0)
        attended = attend(q, rotate(k, positions), v, jnp.tril(jnp.ones((8, 8), bool)))
        x = x + jnp.einsum("bshk,hkd->bsd", attended, layer["o"])
        return x + feed_forward(rms_norm(x, layer["norm"]), layer), None

    def loss(p):
        layers = {name: value for name, value in p.items() if name != "embed"}
        x, _ = lax.scan(jax.checkpoint(block), p["embed"][tokens[:, :-1]], layers)
        logits = x @ p["embed"].T
        picked = jnp.take_along_axis(jax.nn.log_softmax(logits), tokens[:, 1:, None], axis=-1)
        return -jnp.mean(picked)

    value, gradients = jax.value_and_grad(loss)(p)
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(gradients)))
    gradients = jax.tree.map(lambda g: g * jnp.minimum(1.0, 1.0 / norm), gradients)
    momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, gradients)
    return jax.tree.map(lambda p, m: p - 0.1 * m, p, momentum), momentum, value


@program(
    {name: value[0] if name != "embed" else value for name, value in LLAMA.items()},
    0.3 * normal(2, 4, 12, 4, 4),
    integers(0, 32, 4),
    np.int32(5),
    in_shardings=(
        {
            "embed": sharding("model", None),
            "norm": None,
            "q": sharding(None, "model", None),
            "kv": sharding(None, None, "model", None),
            "o": sharding("model", None, None),
            "up": sharding(None, None, "model"),
            "down": sharding("model", None),
        },
        sharding(None, "data", None, "model", None),
        sharding("data"),
        None,
    ),
    donate_argnums=1,
    meshes=("", "data=4,model=2", "data=1"),
    check=True,
)
def decode_step(p, cache, tokens, position):
    """One token of each sequence: keys and values into the cache at a traced position, the best four tokens and the best."""
    x = p["embed"][tokens][:, None]
    y = rms_norm(x, p["norm"])
    here = jnp.full((4, 1), position)
    q = rotate(jnp.einsum("bsd,dhk->bshk", y, p["q"]), here)
    k, v = jnp.moveaxis(jnp.einsum("bsd,dchk->bschk", y, p["kv"]), 2, 0)
    update = jnp.stack([rotate(k, here), v])
    cache = lax.dynamic_update_slice(cache, update, (0, 0, position, 0, 0))
    attended = attend(q, cache[0], cache[1], jnp.arange(12) <= position)
    x = x + jnp.einsum("bshk,hkd->bsd", attended, p["o"])
    x = x + feed_forward(rms_norm(x, p["norm"]), p)
    logits = (x @ p["embed"].T)[:, 0]
    return cache, lax.top_k(logits, 4), jnp.argmax(logits, axis=-1)
