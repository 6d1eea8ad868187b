"""Inference: caches that roll, are shared, or have fewer heads than devices; programs that generate; tokens drawn from a split vocabulary."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from case import case, on, sds
from moves import jitted
from transformer import rms_norm


def perceptron(x, layer):
    return jax.nn.gelu(x @ layer["up"], approximate=True) @ layer["down"]


def layer_shapes(width, heads, keys, head, hidden):
    return {
        "wq": sds(width, heads, head), "wk": sds(width, keys, head), "wv": sds(width, keys, head),
        "wo": sds(heads, head, width), "up": sds(width, hidden), "down": sds(hidden, width),
    }  # fmt: skip


def layer_specs(keys):
    split = {"wq": P(None, "model"), "wo": P("model"), "up": P(None, "model"), "down": P("model")}
    return split | {"wk": keys, "wv": keys}


@case(data=2, model=4)
def rolling_cache(mesh, plan):
    """A window of the last positions in a ring, grouped keys, heads of keys split like those of queries; every sequence is at a position of
    its own. Two sums per layer."""
    batch, width, heads, keys, head, hidden, window, layers = 16, 256, 16, 4, 16, 1024, 128, 2
    plan.all_reduce("attention and MLP", 4, batch // 2, width, times=2 * layers)

    def step(p, caches, x, position):
        new = []
        write = jax.vmap(lambda cache, now, at: lax.dynamic_update_slice(cache, now[None], (at, 0, 0)))
        age = (position[:, None] - jnp.arange(window)) % window
        for layer, (ks, vs) in zip(p, caches):
            y = rms_norm(x, 1.0)
            q, k, v = (jnp.einsum("bd,dhk->bhk", y, layer[name]) for name in ("wq", "wk", "wv"))
            ks, vs = write(ks, k, position % window), write(vs, v, position % window)
            q = q.reshape(batch, keys, heads // keys, head)
            scores = jnp.einsum("bgqk,btgk->bgqt", q, ks) * head**-0.5
            weights = jax.nn.softmax(jnp.where((age <= position[:, None])[:, None, None], scores, -1e30), axis=-1)
            mixed = jnp.einsum("bgqt,btgk->bgqk", weights, vs).reshape(batch, heads, head)
            x = x + jnp.einsum("bhk,hkd->bd", mixed, layer["wo"])
            x = x + perceptron(rms_norm(x, 1.0), layer)
            new.append((ks, vs))
        return x, new

    p = [layer_shapes(width, heads, keys, head, hidden)] * layers
    cache = (sds(batch, window, keys, head),) * 2
    caches = [(P("data", None, "model"),) * 2] * layers
    inputs = on(mesh, ([layer_specs(P(None, "model"))] * layers, caches, P("data"), P("data")))
    step = jax.jit(step, in_shardings=inputs, out_shardings=on(mesh, (P("data"), caches)), donate_argnums=(1,))
    return step, (p, [cache] * layers, sds(batch, width), sds(batch, dtype="int32"))


@case(data=2, model=4)
def one_head_cache_by_batch(mesh, plan):
    """One head of keys, so the cache is split by batch over all devices while weights are split by heads: queries are exchanged, heads for
    batch, results back (R. Pope et al., 2022); keys and values of the new position are computed for the own part."""
    batch, width, heads, head, hidden, length, layers = 32, 512, 8, 64, 2048, 256, 2
    plan.all_to_all("queries there, results back", 4, batch // 2, heads // 4, head, times=2 * layers)
    plan.all_reduce("attention and MLP", 4, batch // 2, width, times=2 * layers)

    def step(p, caches, x, position):
        new = []
        for layer, (ks, vs) in zip(p, caches):
            y = rms_norm(x, 1.0)
            q = jnp.einsum("bd,dhk->bhk", y, layer["wq"])
            k, v = (jnp.einsum("bd,dhk->bhk", y, layer[name]) for name in ("wk", "wv"))
            ks, vs = (lax.dynamic_update_slice(a, b, (0, position, 0)) for a, b in ((ks, k), (vs, v)))
            scores = jnp.einsum("bhk,btk->bht", q, ks) * head**-0.5
            weights = jax.nn.softmax(jnp.where(jnp.arange(length) <= position, scores, -1e30), axis=-1)
            x = x + jnp.einsum("bht,btk,hkd->bd", weights, vs, layer["wo"])
            x = x + perceptron(rms_norm(x, 1.0), layer)
            new.append((ks, vs))
        return x, new

    p = [layer_shapes(width, heads, 1, head, hidden)] * layers
    cache = (sds(batch, length, head),) * 2
    caches = [(P(("data", "model")),) * 2] * layers
    inputs = on(mesh, ([layer_specs(P())] * layers, caches, P("data"), P()))
    step = jax.jit(step, in_shardings=inputs, out_shardings=on(mesh, (P("data"), caches)), donate_argnums=(1,))
    return step, (p, [cache] * layers, sds(batch, width), sds(dtype="int32"))


@case(data=2, model=4)
def few_heads_cache_by_positions(mesh, plan):
    """Two heads of keys for four devices, so the cache is split by positions, and each sequence writes at its own place: queries are gathered;
    maximum and sum of the softmax are reduced, the weighted values reduce-scattered to heads."""
    batch, width, heads, keys, head, hidden, length, layers = 16, 512, 8, 2, 64, 2048, 512, 2
    plan.all_gather("queries", 4, batch // 2, width, times=layers)
    plan.all_reduce("maximum and sum", 4, batch // 2, heads, times=2 * layers)
    plan.reduce_scatter("weighted values", 4, batch // 2, width, times=layers)
    plan.all_reduce("attention and MLP", 4, batch // 2, width, times=2 * layers)

    def step(p, caches, x, position):
        new = []
        rows = jnp.arange(batch)
        for layer, (ks, vs) in zip(p, caches):
            y = rms_norm(x, 1.0)
            q, k, v = (jnp.einsum("bd,dhk->bhk", y, layer[name]) for name in ("wq", "wk", "wv"))
            ks, vs = ks.at[rows, position].set(k), vs.at[rows, position].set(v)
            scores = jnp.einsum("bhk,bthk->bht", q, jnp.repeat(ks, heads // keys, axis=2)) * head**-0.5
            seen = jnp.arange(length) <= position[:, None]
            weights = jax.nn.softmax(jnp.where(seen[:, None], scores, -1e30), axis=-1)
            mixed = jnp.einsum("bht,bthk->bhk", weights, jnp.repeat(vs, heads // keys, axis=2))
            x = x + jnp.einsum("bhk,hkd->bd", mixed, layer["wo"])
            x = x + perceptron(rms_norm(x, 1.0), layer)
            new.append((ks, vs))
        return x, new

    p = [layer_shapes(width, heads, keys, head, hidden)] * layers
    cache = (sds(batch, length, keys, head),) * 2
    caches = [(P("data", "model"),) * 2] * layers
    inputs = on(mesh, ([layer_specs(P())] * layers, caches, P("data"), P("data")))
    step = jax.jit(step, in_shardings=inputs, out_shardings=on(mesh, (P("data"), caches)), donate_argnums=(1,))
    return step, (p, [cache] * layers, sds(batch, width), sds(batch, dtype="int32"))


@case(data=2, model=4, limit=4096)
def generation(mesh, plan):
    """A prompt and then twelve tokens in one program, greedily: two sums per layer, one for the look-up in the split table, for the prompt
    and for each token; and the best scores of every part. Of the prompt only the last position has scores."""
    batch, width, heads, head, hidden, vocabulary = 4, 256, 8, 32, 1024, 4096
    prompt, tokens, layers = 32, 12, 2
    length = prompt + tokens
    plan.all_reduce("look-up, attention and MLP of the prompt", 4, batch // 2, prompt, width, times=1 + 2 * layers)
    plan.all_reduce("look-up, attention and MLP of a token", 4, batch // 2, width, times=(1 + 2 * layers) * tokens)
    plan.all_gather("best scores and their places", 4, batch // 2, 4, times=2 * (tokens + 1))

    def network(p, caches, tokens, start):
        x, new = p["embed"][tokens], []
        seen = jnp.arange(length) <= start + jnp.arange(tokens.shape[1])[:, None]
        for layer, (ks, vs) in zip(p["layers"], caches):
            y = rms_norm(x, 1.0)
            q, k, v = (jnp.einsum("bsd,dhk->bshk", y, layer[name]) for name in ("wq", "wk", "wv"))
            ks, vs = (lax.dynamic_update_slice(a, b, (0, start, 0, 0)) for a, b in ((ks, k), (vs, v)))
            scores = jnp.where(seen, jnp.einsum("bshk,bthk->bhst", q, ks) * head**-0.5, -1e30)
            x = x + jnp.einsum("bhst,bthk,hkd->bsd", jax.nn.softmax(scores, axis=-1), vs, layer["wo"])
            x = x + perceptron(rms_norm(x, 1.0), layer)
            new.append((ks, vs))
        return jnp.argmax(rms_norm(x[:, -1], 1.0) @ p["embed"].T, axis=-1), new

    def generate(p, text):
        empty = jnp.zeros((batch, length, heads, head))
        token, caches = network(p, [(empty, empty)] * layers, text, 0)

        def step(state, i):
            token, caches = state
            following, caches = network(p, caches, token[:, None], prompt + i)
            return (following.astype(token.dtype), caches), token

        return lax.scan(step, (token, caches), jnp.arange(tokens))[1].T

    p = {"embed": sds(vocabulary, width), "layers": [layer_shapes(width, heads, heads, head, hidden)] * layers}
    specs = {"embed": P("model"), "layers": [layer_specs(P(None, "model"))] * layers}
    return jitted(mesh, generate, (specs, P("data")), P("data")), (p, sds(batch, prompt, dtype="int32"))


@case(data=2, model=4)
def drawn_tokens(mesh, plan):
    """`random.categorical` from a split vocabulary: noise is added to the scores where they are, and the best of every part gathered."""
    batch, width, vocabulary = 32, 256, 8192
    plan.all_gather("best scores and their places", 4, batch // 2, 4, times=2)
    draw = lambda head, x, key: jax.random.categorical(key, x @ head / 0.8, axis=-1)
    arguments = sds(width, vocabulary), sds(batch, width), sds(2, dtype="uint32")
    return jitted(mesh, draw, (P(None, "model"), P("data"), P()), P("data")), arguments


@case(data=2, model=4, limit=4096)
def penalized_scores(mesh, plan):
    """Scores of tokens that were used before are lowered, and the eight best taken with their logarithms of probability: tokens are
    marked where they are, maximum and sum are reduced, the best of every part gathered."""
    batch, width, vocabulary, past, best = 32, 256, 4096, 64, 8
    plan.all_reduce("maximum and sum", 4, batch // 2, times=2)
    plan.all_gather("candidates and their places", 4, batch // 2, 4 * best, times=2)

    def step(head, x, history):
        used = jnp.zeros((batch, vocabulary)).at[jnp.arange(batch)[:, None], history].add(1.0)
        scores = x @ head
        scores = jnp.where(used > 0, scores - 0.2 * used, scores)
        return lax.top_k(jax.nn.log_softmax(scores, axis=-1), best)

    arguments = sds(width, vocabulary), sds(batch, width), sds(batch, past, dtype="int32")
    return jitted(mesh, step, (P(None, "model"), P("data"), P("data")), P("data")), arguments


@case(expert=8)
def experts_for_few_tokens(mesh, plan):
    """Decoding with experts: the tokens are few and everybody has them, each device runs its experts on those that chose them; what they
    make is summed, once per layer."""
    tokens, width, hidden, number, layers = 64, 256, 512, 16, 2
    plan.all_reduce("results of experts", 8, tokens, width, times=layers)

    def step(p, x):
        for layer in p:
            y = rms_norm(x, 1.0)
            gates, choice = lax.top_k(jax.nn.softmax(y @ layer["router"], axis=-1), 2)
            weights = jnp.sum(jax.nn.one_hot(choice, number) * gates[..., None], axis=1)
            inner = jax.nn.silu(jnp.einsum("td,edh->eth", y, layer["gate"])) * jnp.einsum("td,edh->eth", y, layer["up"])
            x = x + jnp.einsum("eth,ehd,te->td", inner, layer["down"], weights)
        return x

    shapes = {"gate": sds(number, width, hidden), "up": sds(number, width, hidden), "down": sds(number, hidden, width)}
    shapes |= {"router": sds(width, number)}
    specs = {"gate": P("expert"), "up": P("expert"), "down": P("expert"), "router": P()}
    return jitted(mesh, step, ([specs] * layers, P()), P()), ([shapes] * layers, sds(tokens, width))


@case(data=8)
def shared_prefix(mesh, plan):
    """All sequences begin with one long prefix, whose cache is split by positions; what follows is split by batch. Queries are gathered;
    of the prefix' attention the maximum is reduced, and sums and weighted values are reduce-scattered to their sequences."""
    batch, heads, head, prefix, own = 32, 4, 32, 2048, 64
    plan.all_gather("queries", 8, batch, heads, head)
    plan.all_reduce("maximum", 8, batch, heads)
    plan.reduce_scatter("sums and weighted values", 8, batch, heads, head + 1)

    def attend(scores, values, equation):
        largest = jnp.max(scores, axis=-1)
        weights = jnp.exp(scores - largest[..., None])
        return largest, jnp.sum(weights, axis=-1), jnp.einsum(equation, weights, values)

    def step(q, shared, own):
        m1, s1, o1 = attend(jnp.einsum("bhk,thk->bht", q, shared["k"]), shared["v"], "bht,thk->bhk")
        m2, s2, o2 = attend(jnp.einsum("bhk,bthk->bht", q, own["k"]), own["v"], "bht,bthk->bhk")
        m = jnp.maximum(m1, m2)
        a, b = jnp.exp(m1 - m), jnp.exp(m2 - m)
        return (o1 * a[..., None] + o2 * b[..., None]) / (s1 * a + s2 * b)[..., None]

    caches = {name: sds(prefix, heads, head) for name in "kv"}, {name: sds(batch, own, heads, head) for name in "kv"}
    specs = P("data"), {name: P("data") for name in "kv"}, {name: P("data") for name in "kv"}
    return jitted(mesh, step, specs, P("data")), (sds(batch, heads, head), *caches)


@case(data=2, model=4)
def fused_projections(mesh, plan):
    """A GPT-2 whose weights for queries, keys and values are one matrix, split by columns, as are gate and up: its thirds and halves do not
    lie as they are used. Every device's columns of the weights are sent to those that use them, at most its part, for that is smaller than
    what they make."""
    batch, length, width, heads, hidden, layers = 4, 256, 256, 8, 1024, 2
    plan.permute("columns of the weights", width, (3 * width + 2 * hidden) // 4, times=layers)
    plan.all_reduce("attention and MLP", 4, batch // 2, length, width, times=2 * layers)

    def forward(p, x):
        for layer in p:
            qkv = jnp.split(rms_norm(x, 1.0) @ layer["qkv"], 3, axis=-1)
            q, k, v = (t.reshape(batch, length, heads, width // heads) for t in qkv)
            weights = jax.nn.softmax(jnp.einsum("bshk,bthk->bhst", q, k), axis=-1)
            x = x + jnp.einsum("bhst,bthk->bshk", weights, v).reshape(batch, length, width) @ layer["out"]
            gate, up = jnp.split(rms_norm(x, 1.0) @ layer["in"], 2, axis=-1)
            x = x + (jax.nn.silu(gate) * up) @ layer["down"]
        return x

    shapes = {"qkv": (width, 3 * width), "out": (width, width), "in": (width, 2 * hidden), "down": (hidden, width)}
    p = {name: sds(*shape) for name, shape in shapes.items()}
    specs = {"qkv": P(None, "model"), "out": P("model"), "in": P(None, "model"), "down": P("model")}
    return jitted(mesh, forward, ([specs] * layers, P("data")), P("data")), ([p] * layers, sds(batch, length, width))


@case(data=8)
def guided_denoising(mesh, plan):
    """Classifier-free guidance as it is written: the batch beside itself, with and without a condition, and its halves combined. Every device
    may keep both for its own pictures, so nothing moves."""
    batch, width, hidden, steps = 32, 256, 512, 4

    def denoise(p, x, condition):
        def step(x, _):
            both = jnp.concatenate([x, x]) @ p["in"]
            both = both + jnp.concatenate([condition @ p["condition"], jnp.zeros((batch, hidden))])
            with_it, without = jnp.split(jnp.tanh(both) @ p["out"], 2)
            return x - 0.1 * (without + 3.0 * (with_it - without)), None

        return lax.scan(step, x, length=steps)[0]

    p = {"in": sds(width, hidden), "condition": sds(width, hidden), "out": sds(hidden, width)}
    return jitted(mesh, denoise, (P(), P("data"), P("data")), P("data")), (p, sds(batch, width), sds(batch, width))


@case(data=2, model=4, limit=4096)
def scores_of_tokens(mesh, plan):
    """The logarithms of probability of given tokens, named by row, position and token, from a split vocabulary: maximum, sum and score."""
    batch, length, width, vocabulary = 8, 64, 256, 4096
    plan.all_reduce("maximum, sum, score", 4, batch // 2, length, times=3)

    def scores(head, x, tokens):
        logarithms = jax.nn.log_softmax(x @ head, axis=-1)
        return logarithms[jnp.arange(batch)[:, None], jnp.arange(length)[None], tokens]

    arguments = sds(width, vocabulary), sds(batch, length, width), sds(batch, length, dtype="int32")
    return jitted(mesh, scores, (P(None, "model"), P("data"), P("data")), P("data")), arguments


@case(data=2, model=4, limit=8)
def adapters_by_sequence(mesh, plan):
    """Every sequence names a low-rank adapter of eight; the matrices are split as in an MLP: one sum, of the result."""
    batch, length, width, hidden, rank, number = 8, 16, 256, 1024, 8, 8
    plan.all_reduce("result", 4, batch // 2, length, width)

    def forward(p, x, which):
        low = jnp.einsum("btd,bdr->btr", x, p["a"][which])
        inner = jax.nn.relu(x @ p["up"] + jnp.einsum("btr,brh->bth", low, p["b"][which]))
        return inner @ p["down"]

    p = {"up": sds(width, hidden), "down": sds(hidden, width), "a": sds(number, width, rank), "b": sds(number, rank, hidden)}
    specs = {"up": P(None, "model"), "down": P("model"), "a": P(), "b": P(None, None, "model")}
    return jitted(mesh, forward, (specs, P("data"), P("data")), P("data")), (p, sds(batch, length, width), sds(batch, dtype="int32"))
