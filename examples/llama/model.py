"""A model as Llama: RMS norms, rotary positions, fewer heads for keys than for queries, gated layers. It says nothing of devices."""

import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Config:
    vocabulary: int = 256
    width: int = 64
    heads: int = 8
    groups: int = 4  # Heads of keys and values.
    hidden: int = 192
    layers: int = 2
    rate: float = 1e-2
    decay: float = 0.1


def initialize(c, seed=0):
    """Parameters, and the state of AdamW."""
    size = c.width // c.heads
    shapes = {"norm1": (c.width,), "norm2": (c.width,), "wq": (c.width, c.width), "wk": (c.width, c.groups * size), "wv": (c.width, c.groups * size)}
    shapes |= {"wo": (c.width, c.width), "gate": (c.width, c.hidden), "up": (c.width, c.hidden), "down": (c.hidden, c.width)}
    keys = iter(jax.random.split(jax.random.key(seed), 16 * c.layers + 2))

    def weight(shape):
        return jnp.ones(shape) if len(shape) == 1 else jax.random.normal(next(keys), shape) * shape[0] ** -0.5

    p = {"embed": jax.random.normal(next(keys), (c.vocabulary, c.width)) * 0.1, "norm": jnp.ones(c.width), "head": weight((c.width, c.vocabulary))}
    p["layers"] = [{name: weight(shape) for name, shape in shapes.items()} for _ in range(c.layers)]
    zeros = jax.tree.map(jnp.zeros_like, p)
    return p, {"step": jnp.float32(0), "m": zeros, "v": zeros}


def normed(x, scale):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * scale


def rotated(x):
    """Rotary positions: pairs of a head turn by an angle that grows along the sequence (dimension 1)."""
    half = x.shape[-1] // 2
    angles = jnp.arange(x.shape[1])[:, None] * 10000.0 ** (-jnp.arange(half) / half)
    cos, sin = (f(angles)[None, :, None, :] for f in (jnp.cos, jnp.sin))
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * cos - b * sin, b * cos + a * sin], -1)


def attention(c, x, p):
    rows, length, _ = x.shape
    q, k, v = ((x @ p[name]).reshape(rows, length, -1, c.width // c.heads) for name in ("wq", "wk", "wv"))
    q = rotated(q).reshape(rows, length, c.groups, c.heads // c.groups, -1)
    scores = jnp.einsum("bsgnd,btgd->bgnst", q, rotated(k)) * (c.width // c.heads) ** -0.5
    scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e30)
    return jnp.einsum("bgnst,btgd->bsgnd", jax.nn.softmax(scores), v).reshape(x.shape) @ p["wo"]


def loss_of(c, p, tokens):
    x = p["embed"][tokens[:, :-1]]
    for number, layer in enumerate(p["layers"]):
        with jax.named_scope(f"layers.{number}"):
            with jax.named_scope("attention"):
                x = x + attention(c, normed(x, layer["norm1"]), layer)
            with jax.named_scope("mlp"):
                n = normed(x, layer["norm2"])
                x = x + (jax.nn.silu(n @ layer["gate"]) * (n @ layer["up"])) @ layer["down"]
    logits = jax.nn.log_softmax(normed(x, p["norm"]) @ p["head"])
    return -jnp.mean(jnp.take_along_axis(logits, tokens[:, 1:, None], -1))


def step_of(c):
    """One step of AdamW: parameters, state and a batch of tokens to parameters, state and loss."""

    def step(p, opt, tokens):
        loss, gradients = jax.value_and_grad(lambda p: loss_of(c, p, tokens))(p)
        t = opt["step"] + 1
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, opt["m"], gradients)
        v = jax.tree.map(lambda v, g: 0.95 * v + 0.05 * g * g, opt["v"], gradients)

        def updated(p, m, v):
            change = m / (1 - 0.9**t) / (jnp.sqrt(v / (1 - 0.95**t)) + 1e-8)
            return p - c.rate * (change + (c.decay * p if p.ndim > 1 else 0))

        return jax.tree.map(updated, p, m, v), {"step": t, "m": m, "v": v}, loss

    return step
