"""Transformers whose attention, or whose block, is not the usual one."""

import functools

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from architectures import ATTENTION, attend, attention_shapes, count, descent, perceptron
from case import case, constraints, on, sds
from training import TENSOR_PARALLEL
from transformer import cross_entropy, rms_norm


def language_model(layers, layer, vocabulary, width):
    """Shapes of a decoder, given those of a layer."""
    return {"embed": (vocabulary, width), "layers": [layer] * layers, "head": (width, vocabulary)}


def next_token(block):
    """The loss of a decoder with these blocks."""

    def loss(p, tokens, targets):
        x = p["embed"][tokens]
        for layer in p["layers"]:
            x = block(x, layer)
        return cross_entropy(rms_norm(x, 1.0) @ p["head"], targets)

    return loss


@case(data=2, model=4)
def few_key_heads(mesh, plan):
    """A Llama 3 with fewer heads of keys (2) than devices on the axis (4): those weights are whole on every device, and repeated
    heads are split. Every device needs one head of the two; the gradients of the two heads are sums over `model`, too."""
    batch, sequence, width, heads, groups, hidden, layers, vocabulary = 16, 128, 256, 8, 2, 1024, 2, 512
    head = width // heads
    shapes = attention_shapes(width, heads) | {"wk": (width, groups, head), "wv": (width, groups, head)}
    split = {"wq": shapes["wq"], "wo": shapes["wo"], "gate": (width, hidden), "up": (width, hidden), "down": (hidden, width)}
    layer = shapes | split
    model = language_model(layers, layer, vocabulary, width)
    keys = 2 * width * groups * head
    plan.all_reduce("activations", 4, batch // 2, sequence, width, times=4 * layers)
    plan.all_reduce("gradients of keys and values", 8, layers * keys)
    plan.all_reduce("gradients", 2, count(model) - layers * (count(split) + keys) + layers * count(split) // 4)
    plan.all_reduce("loss", 2)
    annotate = constraints(mesh, heads=P("data", None, "model", None))

    def block(x, layer):
        y = rms_norm(x, 1.0)
        q, k, v = (jnp.einsum("bsd,dhk->bshk", y, layer[name]) for name in ("wq", "wk", "wv"))
        k, v = (annotate(jnp.repeat(t, heads // groups, axis=2), "heads") for t in (k, v))
        scores = jnp.einsum("bshk,bthk->bhst", q, k) * head**-0.5
        weights = jax.nn.softmax(jnp.where(jnp.tri(sequence, dtype=bool), scores, -1e30), axis=-1)
        x = x + jnp.einsum("bhst,bthk,hkd->bsd", weights, v, layer["wo"])
        y = rms_norm(x, 1.0)
        return x + (jax.nn.silu(y @ layer["gate"]) * (y @ layer["up"])) @ layer["down"]

    specs = {name: TENSOR_PARALLEL[name] for name in split} | {"wk": P(), "wv": P()}
    specs = {"embed": P(), "layers": [specs] * layers, "head": P()}
    tokens = sds(batch, sequence, dtype="int32")
    return descent(mesh, next_token(block), model, specs, (tokens, tokens), (P("data"), P("data")))


@case(data=2, model=4)
def parallel_block(mesh, plan):
    """A PaLM: attention and a GeGLU of the same input, their results added: one sum per layer and pass."""
    batch, sequence, width, heads, hidden, layers, vocabulary = 16, 128, 256, 8, 1024, 2, 512
    layer = attention_shapes(width, heads) | {"gate": (width, hidden), "up": (width, hidden), "down": (hidden, width)}
    model = language_model(layers, layer, vocabulary, width)
    plan.all_reduce("activations", 4, batch // 2, sequence, width, times=2 * layers)
    plan.all_reduce("gradients", 2, layers * count(layer) // 4 + 2 * vocabulary * width)
    plan.all_reduce("loss", 2)

    def block(x, layer):
        y = rms_norm(x, 1.0)
        hidden = jax.nn.gelu(y @ layer["gate"], approximate=True) * (y @ layer["up"])
        return x + attend(y, y, layer, causal=True) + hidden @ layer["down"]

    specs = {"embed": P(), "layers": [{name: TENSOR_PARALLEL[name] for name in layer}] * layers, "head": P()}
    tokens = sds(batch, sequence, dtype="int32")
    return descent(mesh, next_token(block), model, specs, (tokens, tokens), (P("data"), P("data")))


@case(data=2, model=4)
def parallel_block_sequence(mesh, plan):
    """The same with the sequence of the residual stream split: one gather and one reduce-scatter per layer and pass."""
    batch, sequence, width, heads, hidden, layers, vocabulary = 4, 128, 512, 16, 2048, 2, 128
    layer = attention_shapes(width, heads) | {"gate": (width, hidden), "up": (width, hidden), "down": (hidden, width)}
    model = language_model(layers, layer, vocabulary, width)
    activations = batch // 2, sequence, width
    plan.all_gather("inputs; gradients of outputs", 4, *activations, times=2 * layers)
    plan.reduce_scatter("outputs; gradients of inputs", 4, *activations, times=2 * layers)
    plan.all_reduce("gradients of split weights", 2, layers * count(layer) // 4)
    plan.all_reduce("gradients of table and head", 8, 2 * vocabulary * width)
    plan.all_reduce("loss", 8)
    annotate = constraints(mesh, residual=P("data", "model", None))

    def block(x, layer):
        x = annotate(x, "residual")
        y = rms_norm(x, 1.0)
        hidden = jax.nn.gelu(y @ layer["gate"], approximate=True) * (y @ layer["up"])
        return annotate(x + attend(y, y, layer, causal=True) + hidden @ layer["down"], "residual")

    specs = {"embed": P(), "layers": [{name: TENSOR_PARALLEL[name] for name in layer}] * layers, "head": P()}
    tokens = sds(batch, sequence, dtype="int32")
    return descent(mesh, next_token(block), model, specs, (tokens, tokens), (P("data"), P("data")))


@case(data=2, model=4)
def latent_attention(mesh, plan):
    """A DeepSeek: keys and values come from a narrow latent, queries from another, heads are split. The latents are whole on every
    device, so backward their gradients are summed over `model`, instead of the input's."""
    batch, sequence, width, heads, head, queries, latent, hidden, layers, vocabulary = 16, 128, 512, 8, 64, 128, 64, 1024, 2, 256
    split = {"q_up": (queries, heads, head), "k_up": (latent, heads, head), "v_up": (latent, heads, head), "wo": (heads, head, width)}
    split |= {"up": (width, hidden), "down": (hidden, width)}
    layer = {"q_down": (width, queries), "kv_down": (width, latent)} | split
    model = language_model(layers, layer, vocabulary, width)
    plan.all_reduce("outputs of attention and MLP, input gradient of the MLP", 4, batch // 2, sequence, width, times=3 * layers)
    plan.all_reduce("gradients of the latents", 4, batch // 2, sequence, queries + latent, times=layers)
    plan.all_reduce("gradients", 2, count(model) - layers * count(split) + layers * count(split) // 4)
    plan.all_reduce("loss", 2)

    def block(x, layer):
        y = rms_norm(x, 1.0)
        latent_q, latent_kv = rms_norm(y @ layer["q_down"], 1.0), rms_norm(y @ layer["kv_down"], 1.0)
        q = jnp.einsum("bsd,dhk->bshk", latent_q, layer["q_up"])
        k, v = (jnp.einsum("bsd,dhk->bshk", latent_kv, layer[name]) for name in ("k_up", "v_up"))
        scores = jnp.einsum("bshk,bthk->bhst", q, k) * head**-0.5
        weights = jax.nn.softmax(jnp.where(jnp.tri(sequence, dtype=bool), scores, -1e30), axis=-1)
        x = x + jnp.einsum("bhst,bthk,hkd->bsd", weights, v, layer["wo"])
        return x + perceptron(rms_norm(x, 1.0), layer)

    heads_of = P(None, "model", None)
    specs = {"q_down": P(), "kv_down": P(), "q_up": heads_of, "k_up": heads_of, "v_up": heads_of, "wo": P("model", None, None)}
    specs |= {"up": P(None, "model"), "down": P("model", None)}
    specs = {"embed": P(), "layers": [specs] * layers, "head": P()}
    tokens = sds(batch, sequence, dtype="int32")
    return descent(mesh, next_token(block), model, specs, (tokens, tokens), (P("data"), P("data")))


@case(data=2, seq=4)
def ring_gradient(mesh, plan):
    """Training with ring attention written in a `shard_map`: keys and values go round forward, and in the backward pass their
    gradients go all the way back."""
    batch, sequence, width, heads, head = 4, 512, 256, 8, 32
    block = batch // 2, sequence // 4, heads, head
    plan.permute("keys and values, forward", *block, times=2 * 3)
    plan.permute("their gradients", *block, times=2 * 3)
    plan.all_reduce("gradients", 8, 4 * width * width)
    plan.all_reduce("loss", 8)
    spec = P("data", "seq", None, None)

    @functools.partial(jax.shard_map, mesh=mesh, in_specs=(spec,) * 3, out_specs=spec)
    def attention(q, k, v):
        devices = lax.axis_size("seq")
        ring = [(i, (i + 1) % devices) for i in range(devices)]
        total = largest = mixed = None
        for turn in range(devices):
            scores = jnp.einsum("bshk,bthk->bhst", q, k) * head**-0.5
            new = jnp.max(scores, axis=-1) if turn == 0 else jnp.maximum(largest, jnp.max(scores, axis=-1))
            weights = jnp.exp(scores - new[..., None])
            part, sums = jnp.einsum("bhst,bthk->bhsk", weights, v), jnp.sum(weights, axis=-1)
            old = 0 if turn == 0 else jnp.exp(largest - new)
            mixed = part if turn == 0 else mixed * old[..., None] + part
            total, largest = sums if turn == 0 else total * old + sums, new
            if turn + 1 < devices:
                k, v = (lax.ppermute(t, "seq", ring) for t in (k, v))
        return jnp.einsum("bhsk->bshk", mixed / total[..., None])

    def loss(p, x):
        q, k, v = (jnp.einsum("bsd,dhk->bshk", x, p[name]) for name in ("wq", "wk", "wv"))
        return jnp.mean(jnp.square(jnp.einsum("bshk,hkd->bsd", attention(q, k, v), p["wo"])))

    shapes = attention_shapes(width, heads)
    return descent(mesh, loss, shapes, dict.fromkeys(shapes, P()), (sds(batch, sequence, width),), (P("data", "seq"),))
