"""A byte-level decoder in the manner of Llama, and how it generates: one function reads the prompt, another makes one token more.

Written for one device. What a cluster has to know stands in `parameter_shardings` and `state_shardings`: sequences are split on the mesh
axis `data`, heads, those of the cache with them, and the width of the MLP on `model`.

What `prefill` leaves for `decode` has the same names in both: `cache`, `tokens`, `position`. Compiled as entry points of one program it
stays on the devices between them, and `decode`, to which all three are donated, writes into the cache in place.
"""

import itertools
import math
from dataclasses import dataclass

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AbstractMesh, NamedSharding, PartitionSpec as P


@dataclass(frozen=True)
class Config:
    """Sizes of the model. The cache has room for `positions` tokens of each sequence, the first `prompt` of which are given."""

    layers: int = 2
    width: int = 64
    heads: int = 8
    cached_heads: int = 4
    head_width: int = 16
    mlp_width: int = 128
    vocabulary: int = 256
    batch: int = 4
    positions: int = 48
    prompt: int = 16


def parameter_shapes(c):
    layer = {
        "norm1": (c.width,),
        "wq": (c.width, c.heads, c.head_width),
        "wk": (c.width, c.cached_heads, c.head_width),
        "wv": (c.width, c.cached_heads, c.head_width),
        "wo": (c.heads, c.head_width, c.width),
        "norm2": (c.width,),
        "gate": (c.width, c.mlp_width),
        "up": (c.width, c.mlp_width),
        "down": (c.mlp_width, c.width),
    }
    shapes = {"embedding": (c.vocabulary, c.width), "layers": [dict(layer) for _ in range(c.layers)]}
    return shapes | {"norm": (c.width,), "head": (c.width, c.vocabulary)}


def map_parameters(function, c):
    """The tree of `function(name, shape)` over all parameters; `name` is the last component of a parameter's path."""
    return jax.tree_util.tree_map_with_path(
        lambda path, shape: function(path[-1].key, shape), parameter_shapes(c), is_leaf=lambda x: isinstance(x, tuple)
    )


def initialize(c):
    """Random parameters, always the same: a trained model's would come from a file."""
    shapes, tree = jax.tree.flatten(parameter_shapes(c), is_leaf=lambda x: isinstance(x, tuple))
    ends = [0, *itertools.accumulate(map(math.prod, shapes))]
    values = 0.2 * jax.random.normal(jax.random.key(0), (ends[-1],))
    pieces = [values[begin:end].reshape(shape) for begin, end, shape in zip(ends, ends[1:], shapes)]
    # Scales of norms are about 1.
    return jax.tree.unflatten(tree, [piece + 1 if piece.ndim == 1 else piece for piece in pieces])


# ---- one layer --------------------------------------------------------------------------------------------------------


def rms_norm(x, scale):
    return x * lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-5) * scale


def rotate(x, position):
    """Rotary embedding of x [b, s, h, k], whose tokens stand at `position` [s]."""
    half = x.shape[-1] // 2
    angle = position[:, None] * 10000.0 ** (-jnp.arange(half) / half)
    cos, sin = jnp.cos(angle)[:, None], jnp.sin(angle)[:, None]
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


def attend(q, k, v, position):
    """Of queries at `position` [s] to all cached tokens that are not behind them. Each cached head serves several of the queries'."""
    b, s, h, width = q.shape
    q = q.reshape(b, s, k.shape[2], h // k.shape[2], width)
    scores = jnp.einsum("bsgrk,btgk->bgrst", q, k) * width**-0.5
    seen = jnp.arange(k.shape[1])[None, :] <= position[:, None]
    weights = jax.nn.softmax(jnp.where(seen, scores, -1e30), axis=-1)
    return jnp.einsum("bgrst,btgk->bsgrk", weights, v).reshape(b, s, h, width)


def layer(x, p, cache, position):
    """x [b, s, d] at `position` [s], which is consecutive; returns also the cache with these tokens in it."""
    y = rms_norm(x, p["norm1"])
    q, k, v = (jnp.einsum("bsd,dhk->bshk", y, p[name]) for name in ("wq", "wk", "wv"))
    place = (0, position[0], 0, 0)
    cache = {
        "k": lax.dynamic_update_slice(cache["k"], rotate(k, position), place),
        "v": lax.dynamic_update_slice(cache["v"], v, place),
    }
    mixed = attend(rotate(q, position), cache["k"], cache["v"], position)
    x = x + jnp.einsum("bshk,hkd->bsd", mixed, p["wo"])
    y = rms_norm(x, p["norm2"])
    return x + (jax.nn.silu(y @ p["gate"]) * (y @ p["up"])) @ p["down"], cache


def next_tokens(p, cache, tokens, position):
    """The likeliest token [b] behind `tokens` [b, s], which stand at `position` [s]."""
    x, filled = p["embedding"][tokens], []
    for parameters, cached in zip(p["layers"], cache):
        x, cached = layer(x, parameters, cached, position)
        filled.append(cached)
    logits = rms_norm(x[:, -1], p["norm"]) @ p["head"]
    return jnp.argmax(logits, axis=-1).astype(jnp.int32), filled


# ---- entry points -----------------------------------------------------------------------------------------------------


def make_entry_points(c):
    """(init, prefill, decode), plain functions."""

    def init():
        return initialize(c)

    def prefill(p, prompt):
        """The state behind a prompt [b, s]: the cache, all tokens so far, and the position of the last."""
        shape = (c.batch, c.positions, c.cached_heads, c.head_width)
        cache = [{"k": jnp.zeros(shape), "v": jnp.zeros(shape)} for _ in range(c.layers)]
        token, cache = next_tokens(p, cache, prompt, jnp.arange(c.prompt))
        tokens = jnp.zeros((c.batch, c.positions), jnp.int32).at[:, : c.prompt].set(prompt).at[:, c.prompt].set(token)
        return cache, tokens, jnp.int32(c.prompt)

    def decode(p, cache, tokens, position):
        """One token more."""
        last = lax.dynamic_slice_in_dim(tokens, position, 1, axis=1)
        token, cache = next_tokens(p, cache, last, position[None])
        return cache, lax.dynamic_update_slice_in_dim(tokens, token[:, None], position + 1, axis=1), position + 1

    return init, prefill, decode


def mesh_of(data=2, model=2):
    return AbstractMesh((data, model), ("data", "model"))


def parameter_shardings(c, mesh):
    split = {
        "wq": P(None, "model", None),
        "wk": P(None, "model", None),
        "wv": P(None, "model", None),
        "wo": P("model", None, None),
        "gate": P(None, "model"),
        "up": P(None, "model"),
        "down": P("model", None),
        "head": P(None, "model"),
    }
    return map_parameters(lambda name, shape: NamedSharding(mesh, split.get(name, P())), c)


def state_shardings(c, mesh):
    """Of cache, tokens, position."""
    cached = NamedSharding(mesh, P("data", None, "model", None))
    return [{"k": cached, "v": cached}] * c.layers, NamedSharding(mesh, P("data", None)), NamedSharding(mesh, P())


def examples(c=Config(), mesh=None):
    """Name -> (jitted function, arguments) of the entry points, with shardings."""
    mesh = mesh or mesh_of()
    init, prefill, decode = make_entry_points(c)
    parameters, state = parameter_shardings(c, mesh), state_shardings(c, mesh)
    p = jax.eval_shape(init)
    prompt = jax.ShapeDtypeStruct((c.batch, c.prompt), jnp.int32)
    left = jax.eval_shape(prefill, p, prompt)
    return {
        "init": (jax.jit(init, out_shardings=parameters), ()),
        "prefill": (jax.jit(prefill, in_shardings=(parameters, NamedSharding(mesh, P("data", None))), out_shardings=state), (p, prompt)),
        "decode": (jax.jit(decode, in_shardings=(parameters, *state), out_shardings=state, donate_argnums=(1, 2, 3)), (p, *left)),
    }
