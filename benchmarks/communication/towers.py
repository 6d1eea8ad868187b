"""Models with several parts: towers, teachers, conditions, retrieval; single positions of split sequences."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from architectures import ATTENTION, attend, attention_shapes, count, descent, perceptron
from case import case, constraints, on, sds
from training import TENSOR_PARALLEL
from transformer import cross_entropy, rms_norm

LAYER = ATTENTION | {name: TENSOR_PARALLEL[name] for name in ("up", "down")}


@case(data=2, model=4)
def conditioned_diffusion(mesh, plan):
    """A DiT: every layer scales, shifts and gates what it takes by numbers computed from a condition of the example, all from one
    split matrix: they are gathered, and their gradients reduce-scattered; the rest is tensor parallelism."""
    batch, tokens, width, heads, hidden, layers = 16, 64, 256, 8, 1024, 2
    split = attention_shapes(width, heads) | {"up": (width, hidden), "down": (hidden, width)}
    layer = split | {"condition": (width, 6 * width)}
    plan.all_reduce("activations", 4, batch // 2, tokens, width, times=4 * layers - 1)
    plan.all_gather("conditions", 4, batch // 2, 6 * width, times=layers)
    plan.reduce_scatter("their gradients", 4, batch // 2, 6 * width, times=layers)
    plan.all_reduce("gradients", 2, layers * count(layer) // 4)
    plan.all_reduce("loss", 2)

    def loss(p, x, condition, noise):
        y = x
        for layer in p:
            parts = jnp.split((condition @ layer["condition"])[:, None], 6, axis=-1)
            inner = rms_norm(y, 1.0) * (1 + parts[0]) + parts[1]
            y = y + parts[2] * attend(inner, inner, layer)
            inner = rms_norm(y, 1.0) * (1 + parts[3]) + parts[4]
            y = y + parts[5] * perceptron(inner, layer)
        return jnp.mean(jnp.square(y - noise))

    specs = [LAYER | {"condition": P(None, "model")}] * layers
    arrays = sds(batch, tokens, width), sds(batch, width), sds(batch, tokens, width)
    return descent(mesh, loss, [layer] * layers, specs, arrays, (P("data"),) * 3)


@case(data=2, model=4, limit=2048)
def distillation(mesh, plan):
    """A student learns a frozen teacher's distribution over a split vocabulary: of both the maximum and the sum, and the sum of the
    products; the gradient of the student's input."""
    batch, sequence, width, vocabulary = 8, 64, 256, 2048
    plan.all_reduce("maxima, sums, products", 4, batch // 2, sequence, times=5)
    plan.all_reduce("gradient of the input", 4, batch // 2, sequence, width)
    plan.all_reduce("gradients", 2, width * vocabulary // 4 + width * width)
    plan.all_reduce("loss", 2)

    def loss(p, teacher, x):
        student = jax.nn.log_softmax(jnp.tanh(x @ p["in"]) @ p["head"], axis=-1)
        return -jnp.mean(jnp.sum(jax.nn.softmax(x @ teacher, axis=-1) * student, axis=-1))

    def step(p, teacher, x):
        value, gradients = jax.value_and_grad(loss)(p, teacher, x)
        return jax.tree.map(lambda p, g: p - 0.1 * g, p, gradients), value

    inputs = on(mesh, ({"in": P(), "head": P(None, "model")}, P(None, "model"), P("data")))
    p = {"in": sds(width, width), "head": sds(width, vocabulary)}
    step = jax.jit(step, in_shardings=inputs, out_shardings=(inputs[0], None), donate_argnums=(0,))
    return step, (p, sds(width, vocabulary), sds(batch, sequence, width))


@case(data=2, model=4)
def picture_and_text(mesh, plan):
    """Features of a picture, projected by a split MLP, stand before a text's tokens, and a tensor-parallel layer sees both."""
    batch, patches, words, features, width, heads, hidden, vocabulary = 8, 64, 64, 128, 256, 8, 1024, 512
    split = attention_shapes(width, heads) | {"up": (width, hidden), "down": (hidden, width)}
    projection = {"up": (features, hidden), "down": (hidden, width)}
    shapes = {"embed": (vocabulary, width), "layer": split, "projection": projection, "head": (width, vocabulary)}
    both = batch // 2, patches + words, width
    plan.all_reduce("projection", 4, batch // 2, patches, width)
    plan.all_reduce("activations, both passes", 4, *both, times=4)
    plan.all_reduce("gradients", 2, 2 * vocabulary * width + (count(split) + count(projection)) // 4)
    plan.all_reduce("loss", 2)

    def loss(p, picture, tokens, targets):
        x = jnp.concatenate([perceptron(picture, p["projection"]), p["embed"][tokens]], axis=1)
        y = rms_norm(x, 1.0)
        x = x + attend(y, y, p["layer"], causal=True)
        x = x + perceptron(rms_norm(x, 1.0), p["layer"])
        return cross_entropy(rms_norm(x[:, patches:], 1.0) @ p["head"], targets)

    specs = {"embed": P(), "layer": LAYER, "projection": {n: TENSOR_PARALLEL[n] for n in projection}, "head": P()}
    arrays = sds(batch, patches, features), sds(batch, words, dtype="int32"), sds(batch, words, dtype="int32")
    return descent(mesh, loss, shapes, specs, arrays, (P("data"),) * 3)


@case(data=2, seq=4)
def last_position(mesh, plan):
    """Prefill of a prompt that is split by positions: keys and values (a quarter of the heads) are gathered, and of the result only the
    last position goes to the head: one device has it."""
    batch, sequence, width, heads, groups, vocabulary = 4, 512, 256, 8, 2, 1024
    head = width // heads
    plan.all_gather("keys and values", 4, batch // 2, sequence, groups, head, times=2)
    plan.all_reduce("last position", 4, batch // 2, width)

    def prefill(p, x):
        q, k, v = (jnp.einsum("bsd,dhk->bshk", x, p[name]) for name in ("wq", "wk", "wv"))
        q = q.reshape(batch, sequence, groups, -1, head)
        scores = jnp.einsum("bsgrk,btgk->bgrst", q, k) * head**-0.5
        weights = jax.nn.softmax(jnp.where(jnp.tri(sequence, dtype=bool), scores, -1e30), axis=-1)
        mixed = jnp.einsum("bgrst,btgk->bsgrk", weights, v).reshape(batch, sequence, heads, head)
        x = x + jnp.einsum("bshk,hkd->bsd", mixed, p["wo"])
        return rms_norm(x[:, -1], 1.0) @ p["head"], k, v

    p = attention_shapes(width, heads) | {"wk": (width, groups, head), "wv": (width, groups, head), "head": (width, vocabulary)}
    p = jax.tree.map(lambda s: sds(*s), p, is_leaf=lambda s: isinstance(s, tuple))
    inputs = on(mesh, (P(), P("data", "seq")))
    outputs = on(mesh, (P("data"), P("data", "seq"), P("data", "seq")))
    return jax.jit(prefill, in_shardings=inputs, out_shardings=outputs), (p, sds(batch, sequence, width))


@case(data=2, rows=4)
def nearest_rows(mesh, plan):
    """The ten nearest of split rows for every query: each part offers its own."""
    queries, rows, width, kept = 64, 8192, 128, 10
    plan.all_gather("candidates and their places", 4, queries // 2, 4 * kept, times=2)

    def search(table, query):
        distance = jnp.sum(jnp.square(table), axis=1) - 2 * query @ table.T
        score, place = lax.top_k(-distance, kept)
        return score, place

    arguments = sds(rows, width), sds(queries, width)
    inputs = on(mesh, (P("rows"), P("data")))
    return jax.jit(search, in_shardings=inputs, out_shardings=on(mesh, (P("data"), P("data")))), arguments


@case(data=2, model=4)
def one_key_head(mesh, plan):
    """A Falcon: one head of keys and values, whole on every device, queries split, attention and MLP side by side: one sum per layer and
    pass, in which the input's gradients by the keys join; those of the keys' weights are sums over `model` too."""
    batch, sequence, width, heads, hidden, layers, vocabulary = 16, 128, 256, 8, 1024, 2, 512
    head = width // heads
    split = {"wq": (width, heads, head), "wo": (heads, head, width), "up": (width, hidden), "down": (hidden, width)}
    layer = split | {"wk": (width, head), "wv": (width, head)}
    shapes = {"embed": (vocabulary, width), "layers": [layer] * layers, "head": (width, vocabulary)}
    plan.all_reduce("activations", 4, batch // 2, sequence, width, times=2 * layers)
    plan.all_reduce("gradients of keys and values", 8, layers * 2 * width * head)
    plan.all_reduce("gradients", 2, layers * count(split) // 4 + 2 * vocabulary * width)
    plan.all_reduce("loss", 2)

    def loss(p, tokens, targets):
        x = p["embed"][tokens]
        for layer in p["layers"]:
            y = rms_norm(x, 1.0)
            q, k, v = jnp.einsum("bsd,dhk->bshk", y, layer["wq"]), y @ layer["wk"], y @ layer["wv"]
            scores = jnp.einsum("bshk,btk->bhst", q, k) * head**-0.5
            weights = jax.nn.softmax(jnp.where(jnp.tri(sequence, dtype=bool), scores, -1e30), axis=-1)
            x = x + jnp.einsum("bhst,btk,hkd->bsd", weights, v, layer["wo"]) + perceptron(y, layer)
        return cross_entropy(rms_norm(x, 1.0) @ p["head"], targets)

    specs = {name: TENSOR_PARALLEL[name] for name in split} | {"wk": P(), "wv": P()}
    specs = {"embed": P(), "layers": [specs] * layers, "head": P()}
    tokens = sds(batch, sequence, dtype="int32")
    return descent(mesh, loss, shapes, specs, (tokens, tokens), (P("data"), P("data")))


@case(data=2, seq=4, limit=64)
def first_token(mesh, plan):
    """Sequences that are split by positions and judged by what their first position takes from all by attention: it is sent to all, keys and
    values stay where they are, and the softmax is reduced."""
    batch, sequence, width, heads, classes = 8, 256, 256, 8, 64
    shapes = attention_shapes(width, heads) | {"in": (width, width), "head": (width, classes)}
    plan.all_reduce("first token and its query's gradient", 4, batch // 2, width, times=2)
    plan.all_reduce("maximum and sum, and what their gradient needs", 4, batch // 2, heads, times=3)
    plan.all_reduce("weighted values", 4, batch // 2, width)
    plan.all_reduce("gradients", 8, count(shapes))
    plan.all_reduce("loss", 2)

    def loss(p, x, labels):
        x = jnp.tanh(x @ p["in"])
        x = x[:, :1] + attend(x[:, :1], x, p)
        return cross_entropy(x[:, 0] @ p["head"], labels)

    specs = dict.fromkeys(shapes, P())
    arrays = sds(batch, sequence, width), sds(batch, dtype="int32")
    return descent(mesh, loss, shapes, specs, arrays, (P("data", "seq"), P("data")))


@case(data=8)
def curvature(mesh, plan):
    """A product of the loss's Hessian with a vector, by a derivative of the gradient: one sum, of the result."""
    width, hidden, batch = 256, 1024, 512
    plan.all_reduce("products", 8, 2 * width * hidden)

    def product(p, v, x):
        loss = lambda p: jnp.mean(jnp.square(jnp.tanh(x @ p["up"]) @ p["down"]))
        return jax.jvp(jax.grad(loss), (p,), (v,))[1]

    p = {"up": sds(width, hidden), "down": sds(hidden, width)}
    inputs = on(mesh, (P(), P(), P("data")))
    return jax.jit(product, in_shardings=inputs, out_shardings=on(mesh, P())), (p, p, sds(batch, width))
