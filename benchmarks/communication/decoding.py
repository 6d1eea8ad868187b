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


@case(data=2, model=4)
def beam_search(mesh, plan):
    """One step of a beam search, the vocabulary split: every part offers its best continuations of all beams together."""
    batch, beams, width, vocabulary, length = 16, 4, 256, 4096, 32
    plan.all_reduce("maximum and sum of the softmax", 4, batch // 2, beams, times=2)
    plan.all_gather("candidates and their places", 4, batch // 2, 4 * beams, times=2)

    def step(head, x, total, history):
        scores = total[..., None] + jax.nn.log_softmax(x @ head, axis=-1)
        total, best = lax.top_k(scores.reshape(batch, beams * vocabulary), beams)
        history = jnp.take_along_axis(history, (best // vocabulary)[..., None], axis=1)
        return total, jnp.concatenate([history, (best % vocabulary)[..., None]], axis=-1)

    arguments = sds(width, vocabulary), sds(batch, beams, width), sds(batch, beams), sds(batch, beams, length, dtype="int32")
    inputs = on(mesh, (P(None, "model"), P("data"), P("data"), P("data")))
    return jax.jit(step, in_shardings=inputs, out_shardings=on(mesh, (P("data"), P("data")))), arguments


@case(data=2, model=4)
def nucleus_sampling(mesh, plan):
    """Drawing the next token among the most probable ones (top-k, then top-p), the vocabulary split: candidates are gathered."""
    batch, width, vocabulary, kept = 32, 256, 8192, 32
    plan.all_gather("candidates and their places", 4, batch // 2, 4 * kept, times=2)

    def step(head, x, uniform):
        scores, tokens = lax.top_k(x @ head / 0.7, kept)
        probabilities = jax.nn.softmax(scores, axis=-1)
        before = jnp.cumsum(probabilities, axis=-1) - probabilities
        probabilities = jnp.where(before < 0.9, probabilities, 0)
        reached = jnp.cumsum(probabilities, axis=-1)
        choice = jnp.sum(reached < jnp.abs(uniform)[:, None] * reached[:, -1:], axis=-1)
        return jnp.take_along_axis(tokens, choice[:, None], axis=-1)[:, 0]

    arguments = sds(width, vocabulary), sds(batch, width), sds(batch)
    inputs = on(mesh, (P(None, "model"), P("data"), P("data")))
    return jax.jit(step, in_shardings=inputs, out_shardings=on(mesh, P("data"))), arguments


@case(data=2, model=4, limit=4096)
def speculative_decoding(mesh, plan):
    """Tokens of a draft model accepted or replaced, the vocabulary split: of both models the sums of the softmax and the drafted
    token's probability, then the best of what the draft left out."""
    batch, drafted, width, vocabulary = 16, 4, 256, 4096
    plan.all_reduce("maximum, sum and the token's score, twice", 4, batch // 2, drafted, times=6)
    plan.all_gather("best replacements and their places", 4, batch // 2, drafted, 4, times=2)

    def step(p, x, token, uniform):
        target, draft = (jax.nn.softmax(x[name] @ p[name], axis=-1) for name in ("target", "draft"))
        at = lambda probabilities: jnp.take_along_axis(probabilities, token[..., None], axis=-1)[..., 0]
        accepted = jnp.cumprod(jnp.abs(uniform) * at(draft) < at(target), axis=1)
        other = jnp.argmax(jnp.maximum(target - draft, 0), axis=-1)
        return jnp.where(accepted, token, other), jnp.sum(accepted, axis=1)

    p = {"target": sds(width, vocabulary), "draft": sds(width, vocabulary)}
    x = {"target": sds(batch, drafted, width), "draft": sds(batch, drafted, width)}
    inputs = on(mesh, ({"target": P(None, "model"), "draft": P(None, "model")}, P("data"), P("data"), P("data")))
    arguments = p, x, sds(batch, drafted, dtype="int32"), sds(batch, drafted)
    return jax.jit(step, in_shardings=inputs, out_shardings=on(mesh, (P("data"), P("data")))), arguments


@case(data=2, seq=4, limit=64)
def chunked_prefill(mesh, plan):
    """A chunk of a prompt enters a cache split by positions: its queries look at all positions before, every device at its own;
    maximum and sum of the softmax are reduced, and the weighted values."""
    batch, chunk, positions, heads, head = 4, 32, 512, 8, 32
    width = heads * head
    plan.all_reduce("maximum and sum", 4, batch // 2, heads, chunk, times=2)
    plan.all_reduce("weighted values", 4, batch // 2, chunk, width)

    def step(p, keys, values, x, start):
        q, k, v = (jnp.einsum("bsd,dhk->bshk", x, p[name]) for name in ("wq", "wk", "wv"))
        keys, values = (lax.dynamic_update_slice(old, new, (0, start, 0, 0)) for old, new in ((keys, k), (values, v)))
        scores = jnp.einsum("bshk,bthk->bhst", q, keys) * head**-0.5
        seen = jnp.arange(positions) <= start + jnp.arange(chunk)[:, None]
        weights = jax.nn.softmax(jnp.where(seen, scores, -1e30), axis=-1)
        return keys, values, jnp.einsum("bhst,bthk,hkd->bsd", weights, values, p["wo"])

    p = {name: sds(width, heads, head) for name in ("wq", "wk", "wv")} | {"wo": sds(heads, head, width)}
    cache, specs = sds(batch, positions, heads, head), on(mesh, (P("data", "seq"), P("data")))
    inputs = on(mesh, P()), specs[0], specs[0], specs[1], on(mesh, P())
    outputs = specs[0], specs[0], specs[1]
    step = jax.jit(step, in_shardings=inputs, out_shardings=outputs, donate_argnums=(1, 2))
    return step, (p, cache, cache, sds(batch, chunk, width), sds(dtype="int32"))
