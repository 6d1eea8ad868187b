"""A decoder-only transformer and its training step, as a JAX user writes them: for one device, with annotations beside.

Dimensions: b batch, s and t positions, d width, h heads, g heads of keys and values, k width of a head, f width of the MLP.
"""

from dataclasses import dataclass, field

import jax
import jax.numpy as jnp
from jax import lax

# What models are unless they say otherwise; `--small` makes it less.
DEFAULTS = {"layers": 2, "optimizer": "adamw"}


@dataclass(frozen=True)
class Config:
    layers: int = field(default_factory=lambda: DEFAULTS["layers"])
    width: int = 256
    heads: int = 8
    kv_heads: int = 8
    hidden: int = 1024
    sequence: int = 128
    batch: int = 16
    vocabulary: int = 512
    gated: bool = False
    scan: bool = False
    recompute: bool = False
    clip: bool = False
    tied: bool = False
    optimizer: str = field(default_factory=lambda: DEFAULTS["optimizer"])

    @property
    def head(self):
        return self.width // self.heads

    def layer_shapes(self):
        d, h, g, k, f = self.width, self.heads, self.kv_heads, self.head, self.hidden
        shapes = {"ln1": (d,), "wq": (d, h, k), "wk": (d, g, k), "wv": (d, g, k), "wo": (h, k, d), "ln2": (d,)}
        return shapes | ({"gate": (d, f)} if self.gated else {}) | {"up": (d, f), "down": (f, d)}

    def shapes(self):
        layer = self.layer_shapes()
        layers = {n: (self.layers, *s) for n, s in layer.items()} if self.scan else [dict(layer) for _ in range(self.layers)]
        head = {} if self.tied else {"head": (self.width, self.vocabulary)}
        return {"embed": (self.vocabulary, self.width), "layers": layers, "lnf": (self.width,)} | head


def keep(x, name):
    """Marks an activation that an annotation may name; by itself it says nothing."""
    return x


def rms_norm(x, gain):
    return x * lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-5) * gain


def attention(x, layer, annotate):
    q = annotate(jnp.einsum("bsd,dhk->bshk", x, layer["wq"]), "heads")
    k = annotate(jnp.einsum("bsd,dgk->bsgk", x, layer["wk"]), "kv")
    v = annotate(jnp.einsum("bsd,dgk->bsgk", x, layer["wv"]), "kv")
    if q.shape[2] != k.shape[2]:
        q = q.reshape(*q.shape[:2], k.shape[2], -1, q.shape[3])
    else:
        q = q[:, :, :, None]
    scores = jnp.einsum("bsgrk,btgk->bgrst", q, k) * q.shape[-1] ** -0.5
    position = jnp.arange(x.shape[1])
    weights = jax.nn.softmax(jnp.where(position[:, None] >= position[None, :], scores, -1e30), axis=-1)
    mixed = jnp.einsum("bgrst,btgk->bsgrk", weights, v)
    mixed = annotate(mixed.reshape(*mixed.shape[:2], -1, mixed.shape[4]), "mixed")
    return jnp.einsum("bshk,hkd->bsd", mixed, layer["wo"])


def mlp(x, layer, annotate):
    hidden = annotate(x @ layer["up"], "hidden")
    hidden = jax.nn.silu(x @ layer["gate"]) * hidden if "gate" in layer else jax.nn.gelu(hidden, approximate=True)
    return hidden @ layer["down"]


def block(x, layer, annotate):
    x = annotate(x + attention(rms_norm(x, layer["ln1"]), layer, annotate), "residual")
    return annotate(x + mlp(rms_norm(x, layer["ln2"]), layer, annotate), "residual")


def logits(p, tokens, annotate, recompute=False):
    x = annotate(p["embed"][tokens], "residual")
    if isinstance(p["layers"], dict):
        one = jax.checkpoint(block, static_argnums=(2,)) if recompute else block
        x, _ = lax.scan(lambda x, layer: (one(x, layer, annotate), None), x, p["layers"])
    else:
        for layer in p["layers"]:
            x = block(x, layer, annotate)
    x = rms_norm(x, p["lnf"])
    return annotate(x @ p["head"] if "head" in p else jnp.einsum("bsd,vd->bsv", x, p["embed"]), "logits")


def cross_entropy(scores, targets):
    target = jnp.take_along_axis(scores, targets[..., None], axis=-1)[..., 0]
    return jnp.mean(jax.nn.logsumexp(scores, axis=-1) - target)


def loss(p, tokens, targets, annotate=keep, recompute=False):
    return cross_entropy(logits(p, tokens, annotate, recompute), targets)


def adamw(p, gradients, opt):
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, opt["m"], gradients)
    v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, opt["v"], gradients)
    update = lambda p, m, v: p - 1e-3 * (m / (jnp.sqrt(v) + 1e-3) + 0.01 * p)
    return jax.tree.map(update, p, m, v), {"m": m, "v": v}


def momentum(p, gradients, opt):
    m = jax.tree.map(lambda m, g: 0.9 * m + g, opt["m"], gradients)
    return jax.tree.map(lambda p, m: p - 1e-2 * m, p, m), {"m": m}


def clip(gradients):
    """Gradients scaled to a norm of at most 1 over all parameters together."""
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(gradients)))
    return jax.tree.map(lambda g: g / jnp.maximum(norm, 1.0), gradients)


OPTIMIZERS = {"adamw": (adamw, ("m", "v")), "momentum": (momentum, ("m",))}


def train_step(c, annotate=keep, microbatches=1):
    """step(p, opt, tokens, targets) -> (p, opt, loss); gradients of several microbatches are accumulated in a scan."""
    update = OPTIMIZERS[c.optimizer][0]

    def gradients(p, tokens, targets):
        if microbatches == 1:
            return jax.value_and_grad(loss)(p, tokens, targets, annotate, c.recompute)

        def accumulate(total, batch):
            value, g = jax.value_and_grad(loss)(p, *batch, annotate, c.recompute)
            return jax.tree.map(jnp.add, total, (value, g)), None

        zero = (jnp.zeros(()), jax.tree.map(jnp.zeros_like, p))
        total, _ = lax.scan(accumulate, zero, (tokens, targets))
        return jax.tree.map(lambda x: x / microbatches, total)

    def step(p, opt, tokens, targets):
        value, g = gradients(p, tokens, targets)
        g = clip(g) if c.clip else g
        return *update(p, g, opt), value

    return step


def arguments(c, microbatches=1):
    """Shapes of the arguments of a training step: parameters, optimizer state, tokens, targets."""
    p = jax.tree.map(lambda s: jax.ShapeDtypeStruct(s, jnp.float32), c.shapes(), is_leaf=lambda s: isinstance(s, tuple))
    shape = (c.batch, c.sequence) if microbatches == 1 else (microbatches, c.batch // microbatches, c.sequence)
    tokens = jax.ShapeDtypeStruct(shape, jnp.int32)
    return p, {moment: p for moment in OPTIMIZERS[c.optimizer][1]}, tokens, tokens


def named(specs, c, default):
    """The tree of specs of all parameters, given those of some by name; stacked layers have one more dimension in front."""

    def spec(path, shape):
        found = specs.get(path[-1].key, default)
        if found is None or not c.scan or path[0].key != "layers":
            return found
        return type(found)(None, *found)

    return jax.tree_util.tree_map_with_path(spec, c.shapes(), is_leaf=lambda s: isinstance(s, tuple))


