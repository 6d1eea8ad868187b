"""One step of decoding: a token per sequence, a cache of keys and values."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from case import case, constraints, on, sds
from training import TENSOR_PARALLEL
from transformer import Config, named, rms_norm


def decode_step(c, annotate):
    """step(p, cache, token, position) -> (scores of the next token, cache). The cache is [layers, b, t, heads, k], twice."""

    def step(p, cache, token, position):
        x = p["embed"][token]
        keys, values = [], []
        for layer, old_keys, old_values in zip(p["layers"], cache["k"], cache["v"]):
            y = rms_norm(x, layer["ln1"])
            q, k, v = (jnp.einsum("bd,dhk->bhk", y, layer[name]) for name in ("wq", "wk", "wv"))
            ks = annotate(lax.dynamic_update_slice(old_keys, k[:, None], (0, position, 0, 0)), "cache")
            vs = annotate(lax.dynamic_update_slice(old_values, v[:, None], (0, position, 0, 0)), "cache")
            scores = jnp.einsum("bhk,bthk->bht", q, ks) * c.head**-0.5
            scores = jnp.where(jnp.arange(ks.shape[1]) <= position, scores, -1e30)
            mixed = jnp.einsum("bht,bthk->bhk", jax.nn.softmax(scores, axis=-1), vs)
            x = x + jnp.einsum("bhk,hkd->bd", mixed, layer["wo"])
            y = rms_norm(x, layer["ln2"])
            x = x + jax.nn.gelu(y @ layer["up"], approximate=True) @ layer["down"]
            keys.append(ks)
            values.append(vs)
        return rms_norm(x, p["lnf"]) @ p["head"], {"k": keys, "v": values}

    return step


def decoding(mesh, c, cache, greedy=False):
    shape = sds(c.batch, c.sequence, c.heads, c.head)
    p = jax.tree.map(lambda s: sds(*s), c.shapes(), is_leaf=lambda s: isinstance(s, tuple))
    arguments = p, {"k": [shape] * c.layers, "v": [shape] * c.layers}, sds(c.batch, dtype="int32"), sds(dtype="int32")
    specs = named(TENSOR_PARALLEL | {"head": P(None, "model")}, c, None)
    caches = {"k": [cache] * c.layers, "v": [cache] * c.layers}
    inputs = on(mesh, (specs, caches, P("data"), P()))
    scores = decode_step(c, constraints(mesh, cache=cache))

    def best(*arguments):
        next_scores, new_cache = scores(*arguments)
        return jnp.argmax(next_scores, axis=-1), new_cache

    step = best if greedy else scores
    outputs = on(mesh, (P("data") if greedy else P("data", "model"), caches))
    return jax.jit(step, in_shardings=inputs, out_shardings=outputs, donate_argnums=(1,)), arguments


@case(data=2, model=4)
def decode_heads(mesh, plan):
    """The cache split by heads, like the weights: per layer two sums of one position."""
    c = Config(width=512, hidden=2048, sequence=256)
    plan.all_reduce("attention and MLP", 4, c.batch // 2, c.width, times=2 * c.layers)
    return decoding(mesh, c, P("data", None, "model", None))


@case(data=2, model=4)
def decode_sequence(mesh, plan):
    """The cache split by positions, weights by heads: query, key and value of one position are gathered; maximum and sum of
    the softmax are reduced, the weighted values reduce-scattered to heads."""
    c = Config(width=512, hidden=2048, sequence=256)
    plan.all_gather("query, key, value", 4, c.batch // 2, c.width, times=3 * c.layers)
    plan.all_reduce("maximum and sum", 4, c.batch // 2, c.heads, times=2 * c.layers)
    plan.reduce_scatter("weighted values", 4, c.batch // 2, c.width, times=c.layers)
    plan.all_reduce("attention and MLP", 4, c.batch // 2, c.width, times=2 * c.layers)
    return decoding(mesh, c, P("data", "model", None, None))


@case(data=2, model=4, limit=8192)
def decode_greedy(mesh, plan):
    """The best of a large vocabulary is chosen on the devices: each offers its best score and where that is."""
    c = Config(width=512, hidden=2048, sequence=256, vocabulary=8192)
    plan.all_reduce("attention and MLP", 4, c.batch // 2, c.width, times=2 * c.layers)
    plan.all_gather("best scores and their places", 4, c.batch // 2, 4, times=2)
    return decoding(mesh, c, P("data", None, "model", None), greedy=True)


@case(data=2, model=4)
def best_of_vocabulary(mesh, plan):
    """The eight best of scores split by vocabulary: the best of every part are gathered, not the scores."""
    batch, vocabulary, width, best = 64, 8192, 256, 8
    plan.all_gather("candidates and their places", 4, batch // 2, 4 * best, times=2)
    arguments = sds(batch, width), sds(width, vocabulary)
    inputs = on(mesh, (P("data", None), P(None, "model")))
    function = lambda x, head: jax.lax.top_k(x @ head, best)
    return jax.jit(function, in_shardings=inputs, out_shardings=on(mesh, P("data", None))), arguments
