"""Training and inference steps of models that are no decoder-only transformers, and transformers with parts of others."""

import dataclasses
import functools
import math

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from case import case, constraints, on, sds
from transformer import Config, cross_entropy, logits, named, rms_norm
from training import TENSOR_PARALLEL, tensor_parallel_plan


def descent(mesh, loss, parameters, specs, batch, batch_specs):
    """The jitted step of gradient descent, p, *batch -> p, loss, and the shapes of its arguments. Shapes are trees of tuples."""
    p = jax.tree.map(lambda s: sds(*s), parameters, is_leaf=lambda s: isinstance(s, tuple))

    def step(p, *batch):
        value, gradients = jax.value_and_grad(loss)(p, *batch)
        return jax.tree.map(lambda p, g: p - 0.1 * g, p, gradients), value

    inputs = on(mesh, (specs, *batch_specs))
    return jax.jit(step, in_shardings=inputs, out_shardings=(inputs[0], None), donate_argnums=(0,)), (p, *batch)


def attention_shapes(width, heads):
    head = width // heads
    return {name: (width, heads, head) for name in ("wq", "wk", "wv")} | {"wo": (heads, head, width)}


ATTENTION = {name: TENSOR_PARALLEL[name] for name in ("wq", "wk", "wv", "wo")}


def attend(x, memory, layer, causal=False):
    q, (k, v) = jnp.einsum("bsd,dhk->bshk", x, layer["wq"]), (jnp.einsum("btd,dhk->bthk", memory, layer[n]) for n in ("wk", "wv"))
    scores = jnp.einsum("bshk,bthk->bhst", q, k) * q.shape[-1] ** -0.5
    if causal:
        scores = jnp.where(jnp.tri(scores.shape[-1], dtype=bool), scores, -1e30)
    return jnp.einsum("bhst,bthk,hkd->bsd", jax.nn.softmax(scores, axis=-1), v, layer["wo"])


def perceptron(x, layer):
    return jax.nn.gelu(x @ layer["up"], approximate=True) @ layer["down"]


def count(tree):
    return sum(math.prod(s) for s in jax.tree.leaves(tree, is_leaf=lambda s: isinstance(s, tuple)))


@case(data=2, model=4, limit=64)
def vision_transformer(mesh, plan):
    """A ViT: patches by a strided convolution, tensor-parallel layers, a class from the mean of the tokens."""
    batch, image, patch, width, heads, hidden, layers, classes = 16, 64, 8, 256, 8, 1024, 2, 64
    tokens = (image // patch) ** 2
    split = attention_shapes(width, heads) | {"up": (width, hidden), "down": (hidden, width)}
    layer = {"ln1": (width,), "ln2": (width,)} | split
    shapes = {"patch": (patch, patch, 3, width), "place": (tokens, width), "layers": [layer] * layers, "head": (width, classes)}
    whole = count(shapes) - layers * count(split)
    plan.all_reduce("activations", 4, batch // 2, tokens, width, times=4 * layers)
    plan.all_reduce("gradients", 2, whole + layers * count(split) // 4)
    plan.all_reduce("loss", 2)

    def loss(p, images, labels):
        x = lax.conv_general_dilated(images, p["patch"], (patch, patch), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        x = x.reshape(x.shape[0], -1, width) + p["place"]
        for layer in p["layers"]:
            y = rms_norm(x, layer["ln1"])
            x = x + attend(y, y, layer)
            x = x + perceptron(rms_norm(x, layer["ln2"]), layer)
        return cross_entropy(jnp.mean(x, axis=1) @ p["head"], labels)

    specs = {"ln1": P(), "ln2": P()} | ATTENTION | {n: TENSOR_PARALLEL[n] for n in ("up", "down")}
    specs = {"patch": P(), "place": P(), "layers": [specs] * layers, "head": P()}
    arrays = sds(batch, image, image, 3), sds(batch, dtype="int32")
    return descent(mesh, loss, shapes, specs, arrays, (P("data"), P("data")))


@case(data=2, model=4)
def encoder_decoder(mesh, plan):
    """A T5: the decoder's layers look at the encoder's output, whose gradient is added up over them before it is summed."""
    batch, sequence, width, heads, hidden, layers, vocabulary = 16, 128, 256, 8, 1024, 2, 512
    attentions = lambda name: {name + n: s for n, s in attention_shapes(width, heads).items()}
    mlp = {"up": (width, hidden), "down": (hidden, width)}
    encoder, decoder = attentions("self_") | mlp, attentions("self_") | attentions("cross_") | mlp
    split = layers * (count(encoder) + count(decoder))
    shapes = {"embed": (vocabulary, width), "encoder": [encoder] * layers, "decoder": [decoder] * layers, "head": (width, vocabulary)}
    # Two sums per layer of the encoder and three per layer of the decoder, in both passes, and one for the memory.
    plan.all_reduce("activations", 4, batch // 2, sequence, width, times=2 * layers * (2 + 3) + 1)
    plan.all_reduce("gradients", 2, count(shapes) - split + split // 4)
    plan.all_reduce("loss", 2)

    part = lambda layer, name: {n.removeprefix(name): w for n, w in layer.items() if n.startswith(name)}

    def loss(p, source, target, next_target):
        x = p["embed"][source]
        for layer in p["encoder"]:
            y = rms_norm(x, 1.0)
            x = x + attend(y, y, part(layer, "self_"))
            x = x + perceptron(rms_norm(x, 1.0), layer)
        memory, x = rms_norm(x, 1.0), p["embed"][target]
        for layer in p["decoder"]:
            y = rms_norm(x, 1.0)
            x = x + attend(y, y, part(layer, "self_"), causal=True)
            x = x + attend(rms_norm(x, 1.0), memory, part(layer, "cross_"))
            x = x + perceptron(rms_norm(x, 1.0), layer)
        return cross_entropy(rms_norm(x, 1.0) @ p["head"], next_target)

    spec = lambda name: TENSOR_PARALLEL[name.split("_")[-1]]
    specs = {"embed": P(), "head": P()}
    specs |= {k: [{n: spec(n) for n in layer}] * layers for k, layer in (("encoder", encoder), ("decoder", decoder))}
    tokens = sds(batch, sequence, dtype="int32")
    return descent(mesh, loss, shapes, specs, (tokens,) * 3, (P("data"),) * 3)


@case(data=8)
def top2_experts(mesh, plan):
    """Each token to its two best experts, as long as they have room (GShard): the exchanges are those of one expert."""
    width, hidden, experts, capacity, batch, sequence = 256, 512, 8, 64, 16, 128
    shapes = {"router": (width, experts), "up": (experts, width, hidden), "down": (experts, hidden, width), "head": (width, width)}
    # The input is given: its gradient does not go back.
    plan.all_to_all("tokens to experts and back, results back", 8, experts, batch // 8, capacity, width, times=3)
    plan.all_reduce("gradients outside of the experts", 8, width * experts + width * width)
    plan.all_reduce("loss", 8)
    annotate = constraints(mesh, experts=P("data"), tokens=P("data"))

    def mixture(p, x):
        gates = jax.nn.softmax(x @ p["router"], axis=-1)
        weights, best = lax.top_k(gates, 2)
        weights = weights / jnp.sum(weights, axis=-1, keepdims=True)
        chosen = jax.nn.one_hot(best, experts)
        # Places are given first to all first choices, then to the second ones.
        order = jnp.swapaxes(chosen, 1, 2).reshape(x.shape[0], -1, experts)
        place = jnp.swapaxes((jnp.cumsum(order, axis=1) * order - 1).reshape(x.shape[0], 2, -1, experts), 1, 2)
        dispatch = jax.nn.one_hot(place.astype(jnp.int32), capacity) * chosen[..., None]
        combine = jnp.einsum("bsj,bsjec->bsec", weights, dispatch)
        inputs = annotate(jnp.einsum("bsjec,bsd->ebcd", dispatch, x), "experts")
        hidden = jax.nn.relu(jnp.einsum("ebcd,edf->ebcf", inputs, p["up"]))
        outputs = annotate(jnp.einsum("ebcf,efd->ebcd", hidden, p["down"]), "experts")
        return annotate(jnp.einsum("bsec,ebcd->bsd", combine, outputs), "tokens")

    loss = lambda p, x: jnp.mean(jnp.square((x + mixture(p, x)) @ p["head"]))
    specs = {"router": P(), "up": P("data"), "down": P("data"), "head": P()}
    return descent(mesh, loss, shapes, specs, (sds(batch, sequence, width),), (P("data"),))


@case(data=2, model=4)
def selective_scan(mesh, plan):
    """A Mamba layer, its channels split: what depends on all channels (step, input and output of the state) is summed."""
    batch, sequence, width, channels, state, rank, kernel = 8, 64, 256, 512, 16, 16, 4
    shapes = {"into": (width, 2, channels), "taps": (kernel, channels), "mix": (channels, rank + 2 * state), "rate": (rank, channels)}
    shapes |= {"decay": (channels, state), "skip": (channels,), "out": (channels, width)}
    plan.all_reduce("output and the gradient of the state's parameters", 4, batch // 2, sequence, width)
    plan.all_reduce("step, input and output of the state, both passes", 4, batch // 2, sequence, rank + 2 * state, times=2)
    plan.all_reduce("gradients", 2, count(shapes) // 4)
    plan.all_reduce("loss", 2)

    def layer(p, x):
        u, gate = jnp.moveaxis(jnp.einsum("bsd,die->bsie", x, p["into"]), 2, 0)
        padded = jnp.pad(u, ((0, 0), (kernel - 1, 0), (0, 0)))
        u = jax.nn.silu(sum(padded[:, i : i + u.shape[1]] * p["taps"][i] for i in range(kernel)))
        step, enter, leave = jnp.split(u @ p["mix"], (rank, rank + state), axis=-1)
        step = jax.nn.softplus(step @ p["rate"])
        keep = jnp.exp(-step[..., None] * jnp.exp(p["decay"]))
        add = (step * u)[..., None] * enter[:, :, None]

        def tick(h, now):
            keep, add, leave = now
            h = keep * h + add
            return h, jnp.einsum("ben,bn->be", h, leave)

        first = jnp.zeros_like(add[:, 0])
        _, y = lax.scan(tick, first, tuple(jnp.swapaxes(a, 0, 1) for a in (keep, add, leave)))
        return ((jnp.swapaxes(y, 0, 1) + p["skip"] * u) * jax.nn.silu(gate)) @ p["out"]

    loss = lambda p, x: jnp.mean(jnp.square(x + layer(p, x)))
    specs = {"into": P(None, None, "model"), "taps": P(None, "model"), "mix": P("model"), "rate": P(None, "model")}
    specs |= {"decay": P("model"), "skip": P("model"), "out": P("model")}
    return descent(mesh, loss, shapes, specs, (sds(batch, sequence, width),), (P("data"),))


@case(data=2, seq=4)
def local_attention(mesh, plan):
    """Attention within blocks of 64 positions and to the block before (Longformer), the sequence split: keys and values of one
    block move on, and their gradient comes back."""
    batch, sequence, width, heads, head, block = 8, 512, 256, 8, 32, 64
    shapes = attention_shapes(width, heads)
    plan.permute("last block of keys and of values, both passes", batch // 2, block, heads, head, times=4)
    plan.all_reduce("gradients", 8, count(shapes))
    plan.all_reduce("loss", 8)

    def with_previous(x):
        before = jnp.pad(x, ((0, 0), (1, 0), (0, 0), (0, 0), (0, 0)))[:, :-1]
        return jnp.concatenate([before, x], axis=2)

    def loss(p, x):
        split = lambda name: jnp.einsum("bsd,dhk->bshk", x, p[name]).reshape(batch, sequence // block, block, heads, head)
        q, k, v = split("wq"), with_previous(split("wk")), with_previous(split("wv"))
        weights = jax.nn.softmax(jnp.einsum("bnqhk,bnthk->bnhqt", q, k) * head**-0.5, axis=-1)
        mixed = jnp.einsum("bnhqt,bnthk->bnqhk", weights, v).reshape(batch, sequence, heads, head)
        return jnp.mean(jnp.square(jnp.einsum("bshk,hkd->bsd", mixed, p["wo"])))

    specs = {name: P() for name in shapes}
    return descent(mesh, loss, shapes, specs, (sds(batch, sequence, width),), (P("data", "seq"),))


@case(data=8)
def contrastive(mesh, plan):
    """A CLIP: the scores of all images with all texts of the batch. The texts' features are gathered, their gradient is
    reduce-scattered; for the softmax over images two numbers per text are reduced."""
    batch, inputs, width = 512, 512, 256
    shapes = {"image": (inputs, width), "text": (inputs, width)}
    plan.all_gather("features of the texts", 8, batch, width)
    plan.reduce_scatter("their gradient", 8, batch, width)
    plan.all_reduce("maximum and sum over images", 8, batch, times=2)
    plan.all_reduce("gradients", 8, count(shapes))
    plan.all_reduce("loss", 8)

    def loss(p, images, texts):
        unit = lambda x: x / jnp.sqrt(jnp.sum(x * x, axis=-1, keepdims=True) + 1e-6)
        scores = 10 * unit(images @ p["image"]) @ unit(texts @ p["text"]).T
        same = jnp.diagonal(scores)
        return jnp.mean(jax.nn.logsumexp(scores, axis=0) + jax.nn.logsumexp(scores, axis=1) - 2 * same)

    arrays = (sds(batch, inputs),) * 2
    return descent(mesh, loss, shapes, {"image": P(), "text": P()}, arrays, (P("data"), P("data")))


@case(model=8, limit=64)
def paged_decoding(mesh, plan):
    """One token per sequence with a cache in pages that a table names, heads split: two sums per layer."""
    c = Config(width=512, hidden=2048)
    pages, size, per_sequence = 256, 16, 8
    plan.all_reduce("attention and MLP", 8, c.batch, c.width, times=2 * c.layers)

    def step(p, cache, table, token, position):
        x, new = p["embed"][token], {"k": [], "v": []}
        page = jnp.take_along_axis(table, position[:, None] // size, axis=1)[:, 0]
        for layer, keys, values in zip(p["layers"], cache["k"], cache["v"]):
            y = rms_norm(x, layer["ln1"])
            q, k, v = (jnp.einsum("bd,dhk->bhk", y, layer[name]) for name in ("wq", "wk", "wv"))
            keys, values = (old.at[page, position % size].set(n) for old, n in ((keys, k), (values, v)))
            ks, vs = (a[table].reshape(x.shape[0], -1, *a.shape[2:]) for a in (keys, values))
            scores = jnp.einsum("bhk,bthk->bht", q, ks) * c.head**-0.5
            seen = jnp.arange(ks.shape[1]) <= position[:, None]
            weights = jax.nn.softmax(jnp.where(seen[:, None], scores, -1e30), axis=-1)
            x = x + jnp.einsum("bht,bthk,hkd->bd", weights, vs, layer["wo"])
            y = rms_norm(x, layer["ln2"])
            x = x + perceptron(y, layer)
            new["k"].append(keys)
            new["v"].append(values)
        return rms_norm(x, p["lnf"]) @ p["head"], new

    p = jax.tree.map(lambda s: sds(*s), c.shapes(), is_leaf=lambda s: isinstance(s, tuple))
    whole = sds(pages, size, c.heads, c.head)
    ints = sds(c.batch, per_sequence, dtype="int32"), sds(c.batch, dtype="int32"), sds(c.batch, dtype="int32")
    caches = {name: [P(None, None, "model")] * c.layers for name in ("k", "v")}
    specs = named(TENSOR_PARALLEL | {"head": P(None, "model")}, c, None)
    inputs, outputs = on(mesh, (specs, caches, P(), P(), P())), on(mesh, (P(None, "model"), caches))
    jitted = jax.jit(step, in_shardings=inputs, out_shardings=outputs, donate_argnums=(1,))
    return jitted, (p, {name: [whole] * c.layers for name in ("k", "v")}, *ints)


@case(data=2, model=4, limit=2048)
def label_smoothing(mesh, plan):
    """A vocabulary-parallel loss with smoothed labels: beside maximum, sum and the target's score the sum of all scores."""
    c = Config(vocabulary=2048)
    tensor_parallel_plan(plan, dataclasses.replace(c, vocabulary=0), 2, 4)
    plan.all_reduce("lookup, input gradient of the head", 4, c.batch // 2, c.sequence, c.width, times=2)
    plan.all_reduce("maximum, sum, target and all scores", 4, c.batch // 2, c.sequence, times=4)
    plan.all_reduce("gradients of table and head", 2, 2 * c.vocabulary * c.width // 4)

    def loss(p, tokens, targets):
        scores = jax.nn.log_softmax(logits(p, tokens, lambda x, name: x), axis=-1)
        return -jnp.mean(0.9 * jnp.take_along_axis(scores, targets[..., None], axis=-1)[..., 0] + 0.1 * jnp.mean(scores, axis=-1))

    specs = named(TENSOR_PARALLEL | {"embed": P("model", None), "head": P(None, "model")}, c, P())
    tokens = sds(c.batch, c.sequence, dtype="int32")
    return descent(mesh, loss, c.shapes(), specs, (tokens, tokens), (P("data"), P("data")))


@case(data=8)
def batch_normalization(mesh, plan):
    """Statistics over the whole batch: a sum and a sum of squares per channel, two sums in the backward pass."""
    batch, size, channels = 32, 16, (8, 32, 64)
    shapes = [{"kernel": (3, 3, i, o), "gain": (o,), "bias": (o,)} for i, o in zip(channels, channels[1:])]
    plan.all_reduce("mean and variance", 8, sum(channels[1:]), times=2)
    plan.all_reduce("sums of the gradient", 8, sum(channels[1:]))
    plan.all_reduce("gradients", 8, count(shapes))
    plan.all_reduce("loss", 8)

    def loss(p, x):
        for layer in p:
            x = lax.conv_general_dilated(x, layer["kernel"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            mean, square = jnp.mean(x, axis=(0, 1, 2)), jnp.mean(x * x, axis=(0, 1, 2))
            x = (x - mean) * lax.rsqrt(square - mean * mean + 1e-3) * layer["gain"] + layer["bias"]
            x = jax.nn.relu(x)
        return jnp.mean(jnp.square(x - 1))

    specs = [{name: P() for name in layer} for layer in shapes]
    return descent(mesh, loss, shapes, specs, (sds(batch, size, size, channels[0]),), (P("data"),))


@case(data=8, limit=4096)
def table_lookups(mesh, plan):
    """A DLRM: eight tables of features, one per device, looked up for the whole batch; the batch is split in what follows.
    Numbers and rows change places by one exchange each, the gradient of the rows by another."""
    tables, rows, width, batch = 8, 4096, 64, 1024
    shapes = {"tables": (tables, rows, width), "first": (tables * width, 256), "second": (256, 1)}
    plan.all_to_all("numbers to the tables", 8, batch // 8, tables)
    plan.all_to_all("rows to the batch, their gradient back", 8, batch // 8, tables, width, times=2)
    plan.all_reduce("gradients of the products", 8, tables * width * 256 + 256)
    plan.all_reduce("loss", 8)
    annotate = constraints(mesh, tables=P("data"), batch=P("data"))

    def loss(p, numbers, clicked):
        found = annotate(jax.vmap(lambda table, number: table[number])(p["tables"], numbers.T), "tables")
        x = annotate(jnp.swapaxes(found, 0, 1), "batch").reshape(numbers.shape[0], -1)
        score = (jax.nn.relu(x @ p["first"]) @ p["second"])[:, 0]
        return jnp.mean(jax.nn.softplus(score) - clicked * score)

    specs = {"tables": P("data"), "first": P(), "second": P()}
    arrays = sds(batch, tables, dtype="int32"), sds(batch)
    return descent(mesh, loss, shapes, specs, arrays, (P("data"), P("data")))


@case(data=2, stage=4)
def pipelined_by_hand(mesh, plan):
    """GPipe in a `shard_map` over `stage`, the batch by annotation: in every tick one microbatch goes on to the next stage,
    and its gradient comes back; the last stage's results are summed over the stages."""
    stages, microbatches, rows, width = 4, 8, 16, 256
    shapes = {"w": (stages, width, width)}
    ticks = microbatches + stages - 1
    plan.permute("one microbatch to the next stage, both passes", rows // 2, width, times=2 * ticks)
    plan.all_reduce("results of the last stage", 4, microbatches, rows // 2, width)
    plan.all_reduce("gradients", 2, width, width)
    plan.all_reduce("loss", 2)

    @functools.partial(jax.shard_map, mesh=mesh, in_specs=(P("stage"), P()), out_specs=P(), axis_names={"stage"})
    def run(w, x):
        stage, number = lax.axis_index("stage"), lax.axis_size("stage")
        onwards = [(i, i + 1) for i in range(number - 1)]

        def tick(carry, t):
            arrived, results = carry
            mine = jnp.where(stage == 0, x[jnp.clip(t, 0, microbatches - 1)], arrived)
            made = functools.reduce(lambda x, layer: jnp.tanh(x @ layer), w, mine)
            slot = jnp.clip(t - (number - 1), 0, microbatches - 1)
            kept = jnp.where((stage == number - 1) & (t >= number - 1), made, results[slot])
            return (lax.ppermute(made, "stage", onwards), results.at[slot].set(kept)), None

        start = lax.pcast(jnp.zeros_like(x[0]), "stage", to="varying"), lax.pcast(jnp.zeros_like(x), "stage", to="varying")
        (_, results), _ = lax.scan(tick, start, jnp.arange(microbatches + number - 1))
        return lax.psum(jnp.where(stage == number - 1, results, 0), "stage")

    loss = lambda p, x: jnp.mean(jnp.square(run(p["w"], x)))
    x = sds(microbatches, rows, width)
    return descent(mesh, loss, shapes, {"w": P("stage")}, (x,), (P(None, "data"),))
