"""A byte-level GPT and its training step, written for one device.

Everything a cluster has to know stands in `shardings`: the batch is split on the mesh axis `data`, attention heads and the
width of the MLP on `model`. Nothing else is annotated.
"""

import functools
from dataclasses import dataclass

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AbstractMesh, NamedSharding, PartitionSpec as P


@dataclass(frozen=True)
class Config:
    """Sizes of the model. `scan` stacks the layers' parameters and loops over them instead of unrolling. Parameters and
    optimizer state are float32; `compute` is what the layers compute in, but for norms, softmax and loss."""

    layers: int = 4
    width: int = 256
    heads: int = 8
    sequence: int = 128
    batch: int = 16
    vocabulary: int = 256
    scan: bool = False
    compute: str = "float32"

    @property
    def head_width(self):
        return self.width // self.heads

    @property
    def mlp_width(self):
        return 4 * self.width


def layer_shapes(c):
    """Name -> shape of one layer's parameters. Heads are a dimension of their own, so that they can be sharded."""
    return {
        "ln1_scale": (c.width,),
        "ln1_bias": (c.width,),
        "wqkv": (c.width, 3, c.heads, c.head_width),
        "bqkv": (3, c.heads, c.head_width),
        "wo": (c.heads, c.head_width, c.width),
        "bo": (c.width,),
        "ln2_scale": (c.width,),
        "ln2_bias": (c.width,),
        "w1": (c.width, c.mlp_width),
        "b1": (c.mlp_width,),
        "w2": (c.mlp_width, c.width),
        "b2": (c.width,),
    }


def parameter_shapes(c):
    """The tree of all parameters' shapes; with `scan`, layers are one more leading dimension."""
    layer = layer_shapes(c)
    if c.scan:
        layers = {name: (c.layers, *shape) for name, shape in layer.items()}
    else:
        layers = [dict(layer) for _ in range(c.layers)]
    return {
        "wte": (c.vocabulary, c.width),
        "wpe": (c.sequence, c.width),
        "layers": layers,
        "lnf_scale": (c.width,),
        "lnf_bias": (c.width,),
        "head": (c.width, c.vocabulary),
    }


def map_parameters(function, c):
    """The tree of `function(name, shape)` over all parameters; `name` is the last component of a parameter's path."""
    return jax.tree_util.tree_map_with_path(
        lambda path, shape: function(path[-1].key, shape), parameter_shapes(c), is_leaf=lambda x: isinstance(x, tuple)
    )


# ---- forward ----------------------------------------------------------------------------------------------------------


def layer_norm(x, scale, bias):
    wide = x.astype(jnp.float32)
    mean = jnp.mean(wide, axis=-1, keepdims=True)
    centred = wide - mean
    variance = jnp.mean(centred * centred, axis=-1, keepdims=True)
    return (centred * lax.rsqrt(variance + 1e-5) * scale + bias).astype(x.dtype)


def attention(x, layer):
    """Causal multi-head attention; b batch, s and t positions, h heads, k width of a head, d width of the model."""
    qkv = jnp.einsum("bsd,dzhk->bszhk", x, layer["wqkv"]) + layer["bqkv"]
    q, k, v = qkv[:, :, 0], qkv[:, :, 1], qkv[:, :, 2]
    scores = jnp.einsum("bshk,bthk->bhst", q, k).astype(jnp.float32) * (q.shape[-1] ** -0.5)
    position = jnp.arange(x.shape[1])
    causal = position[:, None] >= position[None, :]
    weights = jax.nn.softmax(jnp.where(causal, scores, -1e30), axis=-1).astype(x.dtype)
    mixed = jnp.einsum("bhst,bthk->bshk", weights, v)
    return jnp.einsum("bshk,hkd->bsd", mixed, layer["wo"]) + layer["bo"]


def mlp(x, layer):
    hidden = jax.nn.gelu(x @ layer["w1"] + layer["b1"], approximate=True)
    return hidden @ layer["w2"] + layer["b2"]


def block(x, layer):
    x = x + attention(layer_norm(x, layer["ln1_scale"], layer["ln1_bias"]), layer)
    return x + mlp(layer_norm(x, layer["ln2_scale"], layer["ln2_bias"]), layer)


def forward(p, tokens, compute="float32"):
    """Logits [b, s, vocabulary] of the next byte after each position."""
    p = jax.tree.map(lambda x: x.astype(compute), p)
    x = p["wte"][tokens] + p["wpe"]
    if isinstance(p["layers"], dict):
        x, _ = lax.scan(lambda x, layer: (block(x, layer), None), x, p["layers"])
    else:
        for layer in p["layers"]:
            x = block(x, layer)
    return layer_norm(x, p["lnf_scale"], p["lnf_bias"]) @ p["head"]


def loss(p, batch, compute="float32"):
    """Mean cross entropy in nats. `batch` is uint8 [batch, sequence + 1]: inputs and, one position later, targets."""
    tokens = batch.astype(jnp.int32)
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    log_probabilities = jax.nn.log_softmax(forward(p, inputs, compute).astype(jnp.float32), axis=-1)
    return -jnp.mean(jnp.take_along_axis(log_probabilities, targets[..., None], axis=-1))


# ---- training ---------------------------------------------------------------------------------------------------------

# With the usual epsilon of 1e-8, gradients that are zero but for rounding (the bias of the keys has no influence on the
# loss) become updates as large as any, and parameters could not be compared between machines.
LEARNING_RATE, BETA1, BETA2, EPSILON, WEIGHT_DECAY = 5e-4, 0.9, 0.99, 1e-6, 0.01


def adamw(p, gradients, opt):
    """One step of AdamW (Loshchilov and Hutter 2019) on every parameter; `opt` holds both moments and the step number."""
    step = opt["step"] + 1
    correction1 = 1 - BETA1 ** step.astype(jnp.float32)
    correction2 = 1 - BETA2 ** step.astype(jnp.float32)
    m = jax.tree.map(lambda m, g: BETA1 * m + (1 - BETA1) * g, opt["m"], gradients)
    v = jax.tree.map(lambda v, g: BETA2 * v + (1 - BETA2) * g * g, opt["v"], gradients)

    def update(p, m, v):
        direction = (m / correction1) / (jnp.sqrt(v / correction2) + EPSILON)
        return p - LEARNING_RATE * (direction + WEIGHT_DECAY * p)

    return jax.tree.map(update, p, m, v), {"m": m, "v": v, "step": step}


def step(p, opt, batch, compute="float32"):
    """The training step: forward, backward, optimizer."""
    value, gradients = jax.value_and_grad(loss)(p, batch, compute)
    p, opt = adamw(p, gradients, opt)
    return p, opt, value


def step_of(c):
    """`step` as the model of these sizes computes."""
    return functools.partial(step, compute=c.compute)


# ---- state, shardings, shapes -----------------------------------------------------------------------------------------


def uniform(shape, offset):
    """Numbers in [-1, 1) that depend only on the position and `offset`: a bit mixer (lowbias32) of the flat index."""
    x = jnp.full(shape, offset, jnp.uint32)
    stride = 1
    for dimension in reversed(range(len(shape))):
        x += lax.broadcasted_iota(jnp.uint32, shape, dimension) * jnp.uint32(stride)
        stride *= shape[dimension]
    x = (x ^ (x >> 16)) * jnp.uint32(0x7FEB352D)
    x = (x ^ (x >> 15)) * jnp.uint32(0x846CA68B)
    x = x ^ (x >> 16)
    return (x >> 8).astype(jnp.float32) * jnp.float32(2**-23) - 1


def initialize(c):
    """Initial parameters (deviation 0.02, less where they enter the residual stream) and zero optimizer state."""
    offset = 0

    def initial(name, shape):
        nonlocal offset
        if name.endswith("scale"):
            return jnp.ones(shape, jnp.float32)
        if name.endswith("bias") or name.startswith("b"):
            return jnp.zeros(shape, jnp.float32)
        deviation = 0.02 / (2 * c.layers) ** 0.5 if name in ("wo", "w2") else 0.02
        values = uniform(shape, offset) * (deviation * 3**0.5)
        offset += values.size
        return values

    p = map_parameters(initial, c)
    zeros = lambda: jax.tree.map(jnp.zeros_like, p)
    return p, {"m": zeros(), "v": zeros(), "step": jnp.zeros((), jnp.int32)}


def shardings(c, mesh):
    """Shardings of the arguments of `step` on a mesh with the axes `data` and `model`; None: left to the compiler."""
    layer = {
        "wqkv": P(None, None, "model", None),
        "bqkv": P(None, "model", None),
        "wo": P("model", None, None),
        "w1": P(None, "model"),
        "b1": P("model"),
        "w2": P("model", None),
    }

    def sharding(name, shape):
        if name not in layer:
            return None
        spec = P(None, *layer[name]) if c.scan else layer[name]
        return NamedSharding(mesh, spec)

    return map_parameters(sharding, c), None, NamedSharding(mesh, P("data", None))


def arguments(c):
    """Shapes and element types of the arguments of `step`."""
    p, opt = jax.eval_shape(lambda: initialize(c))
    return p, opt, jax.ShapeDtypeStruct((c.batch, c.sequence + 1), jnp.uint8)


def sharded_step(c, mesh):
    """`step`, jitted with its shardings; parameters and optimizer state are donated."""
    return jax.jit(step_of(c), in_shardings=shardings(c, mesh), donate_argnums=(0, 1))


def example(c=Config()):
    """What `python -m tessera export model:example` exports. No devices are needed for an abstract mesh."""
    return sharded_step(c, AbstractMesh((2, 4), ("data", "model"))), arguments(c)
