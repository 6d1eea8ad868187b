"""GPT as Megatron trains it, in JAX: mixed precision, full recomputation, tensor parallelism with the vocabulary split.

Nothing is allocated: shapes alone are exported. b batch, s and t positions, h heads, k width of a head, d width.
"""

import dataclasses

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AbstractMesh, NamedSharding, PartitionSpec as P


@dataclasses.dataclass(frozen=True)
class Config:
    """A model and the batch of a step, in sequences."""

    layers: int
    width: int
    heads: int
    sequence: int
    batch: int
    vocabulary: int = 51200
    stages: int = 1

    @property
    def head_width(self):
        return self.width // self.heads


# Name -> shape of one layer's parameters, and how they are split.
def layer(c):
    d, h, k = c.width, c.heads, c.head_width
    return {
        "ln1_scale": ((d,), P(None)),
        "ln1_bias": ((d,), P(None)),
        "wqkv": ((d, 3, h, k), P(None, None, "model", None)),
        "bqkv": ((3, h, k), P(None, "model", None)),
        "wo": ((h, k, d), P("model", None, None)),
        "bo": ((d,), P(None)),
        "ln2_scale": ((d,), P(None)),
        "ln2_bias": ((d,), P(None)),
        "w1": ((d, 4 * d), P(None, "model")),
        "b1": ((4 * d,), P("model")),
        "w2": ((4 * d, d), P("model", None)),
        "b2": ((d,), P(None)),
    }


def parameters(c, leaf):
    """The tree of `leaf(shape, spec)` over all parameters."""
    count = c.layers // c.stages
    stacked = lambda: {name: leaf((count, *shape), P(None, *spec)) for name, (shape, spec) in layer(c).items()}
    layers = [stacked() for _ in range(c.stages)]
    return {
        "wte": leaf((c.vocabulary, c.width), P("model", None)),
        "wpe": leaf((c.sequence, c.width), P(None, None)),
        "layers": layers,
        "lnf_scale": leaf((c.width,), P(None)),
        "lnf_bias": leaf((c.width,), P(None)),
        "head": leaf((c.width, c.vocabulary), P(None, "model")),
    }


def layer_norm(x, scale, bias):
    wide = x.astype(jnp.float32)
    centred = wide - jnp.mean(wide, axis=-1, keepdims=True)
    variance = jnp.mean(centred * centred, axis=-1, keepdims=True)
    return (centred * lax.rsqrt(variance + 1e-5) * scale + bias).astype(x.dtype)


def attention(x, p):
    """Written out, as Megatron-DeepSpeed did: scores stand in memory."""
    qkv = jnp.einsum("bsd,dzhk->bszhk", x, p["wqkv"]) + p["bqkv"]
    q, k, v = qkv[:, :, 0], qkv[:, :, 1], qkv[:, :, 2]
    scores = jnp.einsum("bshk,bthk->bhst", q, k).astype(jnp.float32) * (q.shape[-1] ** -0.5)
    position = jnp.arange(x.shape[1])
    weights = jax.nn.softmax(jnp.where(position[:, None] >= position[None, :], scores, -1e30), axis=-1).astype(x.dtype)
    mixed = jnp.einsum("bhst,bthk->bshk", weights, v)
    return jnp.einsum("bshk,hkd->bsd", mixed, p["wo"]) + p["bo"]


def block(x, p):
    x = x + attention(layer_norm(x, p["ln1_scale"], p["ln1_bias"]), p)
    hidden = jax.nn.gelu(layer_norm(x, p["ln2_scale"], p["ln2_bias"]) @ p["w1"] + p["b1"], approximate=True)
    return x + hidden @ p["w2"] + p["b2"]


def loss(p, tokens, targets):
    x = p["wte"][tokens] + p["wpe"]
    one = jax.checkpoint(block)
    # A loop over the layers of each pipeline stage.
    for layers in p["layers"]:
        x, _ = lax.scan(lambda x, layer: (one(x, layer), None), x, layers)
    scores = (layer_norm(x, p["lnf_scale"], p["lnf_bias"]) @ p["head"]).astype(jnp.float32)
    target = jnp.take_along_axis(scores, targets[..., None], axis=-1)[..., 0]
    return jnp.mean(jax.nn.logsumexp(scores, axis=-1) - target)


def step(p, master, m, v, tokens, targets):
    """A training step with Adam: parameters are bf16, their masters and moments f32."""
    value, g = jax.value_and_grad(loss)(p, tokens, targets)
    g = jax.tree.map(lambda g: g.astype(jnp.float32), g)
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
    v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, v, g)
    master = jax.tree.map(lambda p, m, v: p - 1e-4 * m / (jnp.sqrt(v) + 1e-6), master, m, v)
    return jax.tree.map(lambda p: p.astype(jnp.bfloat16), master), master, m, v, value


def training(c, data, model):
    """The jitted step on a mesh of data x model devices, and the shapes of its arguments."""
    mesh = AbstractMesh((data, model), ("data", "model"))
    specs = parameters(c, lambda shape, spec: NamedSharding(mesh, spec))
    low, high = (parameters(c, lambda shape, spec: jax.ShapeDtypeStruct(shape, kind)) for kind in (jnp.bfloat16, jnp.float32))
    batch = NamedSharding(mesh, P("data", None))
    tokens = jax.ShapeDtypeStruct((c.batch, c.sequence), jnp.int32)
    inputs = (specs, specs, specs, specs, batch, batch)
    jitted = jax.jit(step, in_shardings=inputs, out_shardings=(*inputs[:4], None), donate_argnums=(0, 1, 2, 3))
    return jitted, (low, high, high, high, tokens, tokens)
