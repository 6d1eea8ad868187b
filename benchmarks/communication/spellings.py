"""Training steps in other words: flat and fused matrices, layers on an axis, randomness, shifts, recurrences, windows, latents."""

import functools

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from architectures import ATTENTION, attend, attention_shapes, count, descent, perceptron
from case import case, constraints, on, sds
from networks import top_two
from training import TENSOR_PARALLEL
from transformer import cross_entropy, rms_norm


def flat_attention(x, q, k, v, heads, groups):
    """Causal attention of matrices [b, s, heads x width of a head]."""
    batch, sequence, width = q.shape
    head = width // heads
    q = q.reshape(batch, sequence, groups, heads // groups, head)
    k, v = (t.reshape(batch, sequence, groups, head) for t in (k, v))
    scores = jnp.einsum("bsgrk,btgk->bgrst", q, k) * head**-0.5
    weights = jax.nn.softmax(jnp.where(jnp.tri(sequence, dtype=bool), scores, -1e30), axis=-1)
    return jnp.einsum("bgrst,btgk->bsgrk", weights, v).reshape(batch, sequence, width)


@case(data=2, model=4)
def flat_key_heads(mesh, plan):
    """A Llama with matrices of two dimensions and two heads of keys on four devices: each has half the columns of a head, gets the other half of
    the matrix from its neighbour, and they reduce-scatter its gradient."""
    batch, sequence, width, heads, groups, hidden, layers = 16, 128, 256, 8, 2, 1024, 2
    keys = width, groups * width // heads
    split = {"wq": (width, width), "wo": (width, width), "gate": (width, hidden), "up": (width, hidden), "down": (hidden, width)}
    layer = split | {"wk": keys, "wv": keys}
    plan.all_reduce("activations", 4, batch // 2, sequence, width, times=4 * layers - 1)
    plan.all_gather("matrix of one head", 2, width, width // heads, times=2 * layers)
    plan.reduce_scatter("its gradient", 2, width, width // heads, times=2 * layers)
    plan.all_reduce("gradients", 2, layers * count(layer) // 4)
    plan.all_reduce("loss", 2)

    def loss(p, x):
        for w in p:
            y = rms_norm(x, 1.0)
            x = x + flat_attention(y, y @ w["wq"], y @ w["wk"], y @ w["wv"], heads, groups) @ w["wo"]
            y = rms_norm(x, 1.0)
            x = x + (jax.nn.silu(y @ w["gate"]) * (y @ w["up"])) @ w["down"]
        return jnp.mean(jnp.square(x))

    specs = [{name: P("model") if name in ("wo", "down") else P(None, "model") for name in layer}] * layers
    return descent(mesh, loss, [layer] * layers, specs, (sds(batch, sequence, width),), (P("data"),))


@case(data=2, model=4)
def fused_matrices(mesh, plan):
    """A nanoGPT: one matrix for queries, keys and values and one for gate and up, columns split although the parts' borders lie elsewhere: columns
    of the matrices change places, two thirds and half of them, and those of the gradients change back."""
    batch, sequence, width, heads, hidden, layers = 16, 128, 256, 8, 1024, 2
    layer = {"qkv": (width, 3 * width), "wo": (width, width), "gate_up": (width, 2 * hidden), "down": (hidden, width)}
    plan.all_reduce("activations", 4, batch // 2, sequence, width, times=4 * layers - 1)
    plan.permute("columns and their gradients", width, 3 * width // 4 * 2 // 3, times=2 * layers)
    plan.permute("columns and their gradients", width, 2 * hidden // 4 // 2, times=2 * layers)
    plan.all_reduce("gradients", 2, layers * count(layer) // 4)
    plan.all_reduce("loss", 2)

    def loss(p, x):
        for w in p:
            y = rms_norm(x, 1.0)
            x = x + flat_attention(y, *jnp.split(y @ w["qkv"], 3, axis=-1), heads, heads) @ w["wo"]
            gate, up = jnp.split(rms_norm(x, 1.0) @ w["gate_up"], 2, axis=-1)
            x = x + (jax.nn.silu(gate) * up) @ w["down"]
        return jnp.mean(jnp.square(x))

    specs = [{"qkv": P(None, "model"), "wo": P("model"), "gate_up": P(None, "model"), "down": P("model")}] * layers
    return descent(mesh, loss, [layer] * layers, specs, (sds(batch, sequence, width),), (P("data"),))


@case(layer=8)
def layers_on_an_axis(mesh, plan):
    """Stacked layers split by number, the batch on the same axis: every device has two of sixteen; all are gathered once, gradients
    reduce-scattered once."""
    layers, width, hidden, batch = 16, 128, 512, 1024
    shapes = {"up": (layers, width, hidden), "down": (layers, hidden, width)}
    plan.all_gather("layers", 8, count(shapes))
    plan.reduce_scatter("gradients", 8, count(shapes))
    plan.all_reduce("loss", 8)

    def loss(p, x):
        body = lambda x, w: (x + jax.nn.gelu(rms_norm(x, 1.0) @ w["up"], approximate=True) @ w["down"], None)
        return jnp.mean(jnp.square(lax.scan(body, x, p)[0]))

    return descent(mesh, loss, shapes, dict.fromkeys(shapes, P("layer")), (sds(batch, width),), (P("layer"),))


@case(data=2, model=4)
def dropped_out(mesh, plan):
    """A tensor-parallel layer with dropout of hidden columns and of its results: every device draws what it needs."""
    batch, sequence, width, heads, hidden, layers = 16, 128, 256, 8, 1024, 2
    layer = attention_shapes(width, heads) | {"up": (width, hidden), "down": (hidden, width)}
    plan.all_reduce("activations", 4, batch // 2, sequence, width, times=4 * layers - 1)
    plan.all_reduce("gradients", 2, layers * count(layer) // 4)
    plan.all_reduce("loss", 2)

    def drop(x, key):
        return jnp.where(jax.random.bernoulli(key, 0.9, x.shape), x / 0.9, 0)

    def loss(p, x, seed):
        keys = jax.random.split(jax.random.wrap_key_data(seed, impl="threefry2x32"), 3 * layers)
        for i, w in enumerate(p):
            y = rms_norm(x, 1.0)
            x = x + drop(attend(y, y, w), keys[3 * i])
            inner = drop(jax.nn.gelu(rms_norm(x, 1.0) @ w["up"], approximate=True), keys[3 * i + 1])
            x = x + drop(inner @ w["down"], keys[3 * i + 2])
        return jnp.mean(jnp.square(x))

    specs = [ATTENTION | {n: TENSOR_PARALLEL[n] for n in ("up", "down")}] * layers
    arrays = sds(batch, sequence, width), sds(2, dtype="uint32")
    return descent(mesh, loss, [layer] * layers, specs, arrays, (P("data"), P()))


@case(data=2, seq=4)
def shifted_tokens(mesh, plan):
    """An RWKV's token shift and a causal convolution of four taps, the sequence split: one position and three come from the neighbour before, and
    their gradients go back."""
    batch, sequence, width, hidden, taps = 8, 256, 128, 512, 4
    shapes = {"in": (width, width), "mix": (width,), "taps": (taps, width), "up": (width, hidden), "down": (hidden, width)}
    plan.permute("last position, and its gradient", batch // 2, 1, width, times=2)
    plan.permute("last positions, and their gradients", batch // 2, taps - 1, width, times=2)
    plan.all_reduce("gradients", 8, count(shapes))
    plan.all_reduce("loss", 8)

    def loss(p, x):
        x = jnp.tanh(x @ p["in"])
        before = jnp.pad(x, ((0, 0), (1, 0), (0, 0)))[:, :-1]
        x = x + p["mix"] * (before - x)
        x = jax.nn.silu(x)
        padded = jnp.pad(x, ((0, 0), (taps - 1, 0), (0, 0)))
        x = x + sum(padded[:, i : i + sequence] * p["taps"][i] for i in range(taps))
        return jnp.mean(jnp.square(x + jnp.square(jax.nn.relu(x @ p["up"])) @ p["down"]))

    return descent(mesh, loss, shapes, dict.fromkeys(shapes, P()), (sds(batch, sequence, width),), (P("data", "seq"),))


@case(data=2, model=4)
def linear_recurrence(mesh, plan):
    """A Griffin: gates and a linear recurrence by `associative_scan`, channels split: what mixes channels is summed, the recurrence is not."""
    batch, sequence, width, channels = 8, 128, 256, 512
    shapes = {"x": (width, channels), "gate": (width, channels), "decay": (channels,), "keep": (width, channels), "out": (channels, width)}
    plan.all_reduce("output", 4, batch // 2, sequence, width)
    plan.all_reduce("gradient of the input", 4, batch // 2, sequence, width)
    plan.all_reduce("gradients", 2, count(shapes) // 4 + width * width)
    plan.all_reduce("loss", 2)

    def loss(p, x):
        x = jnp.tanh(x @ p["in"])
        a = jnp.exp(-8 * jax.nn.softplus(p["decay"]) * jax.nn.sigmoid(x @ p["keep"]))
        b = jnp.sqrt(1 - a * a + 1e-3) * (x @ p["x"])
        join = lambda left, right: (left[0] * right[0], left[1] * right[0] + right[1])
        _, h = lax.associative_scan(join, (a, b), axis=1)
        return jnp.mean(jnp.square(x + (h * jax.nn.gelu(x @ p["gate"], approximate=True)) @ p["out"]))

    specs = {"in": P(), "x": P(None, "model"), "gate": P(None, "model"), "keep": P(None, "model"), "decay": P("model"), "out": P("model")}
    return descent(mesh, loss, shapes | {"in": (width, width)}, specs, (sds(batch, sequence, width),), (P("data"),))


@case(data=2, rows=4)
def shifted_windows(mesh, plan):
    """A Swin: attention within windows of 8 x 8, then within windows moved by four, rows of the picture split into whole windows: four
    rows come from the next device, results go back, in both passes."""
    batch, size, width, heads, window = 4, 64, 64, 4, 8
    layer = attention_shapes(width, heads)
    rows = batch // 2, window // 2, size, width
    plan.permute("rows, results, and both gradients", *rows, times=4)
    plan.all_reduce("gradients", 8, 2 * count(layer))
    plan.all_reduce("loss", 8)

    def windows(x, w):
        n = size // window
        y = x.reshape(batch, n, window, n, window, width).transpose(0, 1, 3, 2, 4, 5).reshape(batch * n * n, window * window, width)
        y = attend(y, y, w).reshape(batch, n, n, window, window, width)
        return y.transpose(0, 1, 3, 2, 4, 5).reshape(batch, size, size, width)

    def loss(p, x):
        x = x + windows(rms_norm(x, 1.0), p[0])
        y = jnp.roll(rms_norm(x, 1.0), (-window // 2, -window // 2), axis=(1, 2))
        x = x + jnp.roll(windows(y, p[1]), (window // 2, window // 2), axis=(1, 2))
        return jnp.mean(jnp.square(x))

    return descent(mesh, loss, [layer] * 2, [dict.fromkeys(layer, P())] * 2, (sds(batch, size, size, width),), (P("data", "rows"),))


@case(data=2, seq=4)
def latents(mesh, plan):
    """A Perceiver: 32 latents read a long input that is split: the softmax over positions is reduced, and the weighted values; the rest is of the
    latents alone, which every device of a group computes."""
    batch, sequence, width, heads, number, hidden = 8, 1024, 128, 4, 32, 512
    read = attention_shapes(width, heads)
    shapes = {"latents": (number, width), "read": read, "think": attention_shapes(width, heads) | {"up": (width, hidden), "down": (hidden, width)}}
    plan.all_reduce("maximum, sum, and what their gradient needs", 4, batch // 2, heads, number, times=3)
    plan.all_reduce("weighted values, gradient of queries", 4, batch // 2, number, width, times=2)
    plan.all_reduce("gradients of keys and values", 8, 2 * width * width)
    plan.all_reduce("gradients", 2, count(shapes) - 2 * width * width)
    plan.all_reduce("loss", 2)

    def loss(p, x):
        z = jnp.broadcast_to(p["latents"], (batch, number, width))
        z = z + attend(z, x, p["read"])
        y = rms_norm(z, 1.0)
        z = z + attend(y, y, p["think"])
        return jnp.mean(jnp.square(z + perceptron(rms_norm(z, 1.0), p["think"])))

    specs = jax.tree.map(lambda s: P(), shapes, is_leaf=lambda s: isinstance(s, tuple))
    return descent(mesh, loss, shapes, specs, (sds(batch, sequence, width),), (P("data", "seq"),))


@case(data=2, expert=4)
def experts_in_a_loop(mesh, plan):
    """Three layers of experts in a recomputed loop, batch on both axes: the exchanges of the forward pass once more in the backward pass, but for the
    last one, whose result is not needed again."""
    width, hidden, experts, capacity, batch, sequence, layers = 256, 512, 8, 48, 16, 64, 3
    layer = {"router": (width, experts), "up": (experts, width, hidden), "down": (experts, hidden, width)}
    shapes = {name: (layers, *shape) for name, shape in layer.items()}
    plan.all_to_all("tokens to experts and back, both passes, and again", 4, experts, batch // 8, capacity, width, times=6 * layers)
    plan.all_reduce("gradients of routers", 8, layers * width * experts)
    plan.all_reduce("gradients of the experts", 2, layers * 2 * experts * width * hidden // 4)
    plan.all_reduce("numbers of tokens", 8, experts, times=layers)
    plan.all_reduce("loss", 8)
    annotate = constraints(mesh, experts=P("expert", "data"), tokens=P(("data", "expert")))

    def loss(p, x):
        @jax.checkpoint
        def one(x, w):
            y, load = top_two(rms_norm(x, 1.0), w["router"], w["up"], w["down"], capacity, annotate)
            return annotate(x + y, "tokens"), load

        x, loads = lax.scan(one, x, p)
        return jnp.mean(jnp.square(x)) + 0.01 * jnp.sum(loads)

    specs = {"router": P(), "up": P(None, "expert"), "down": P(None, "expert")}
    return descent(mesh, loss, shapes, specs, (sds(batch, sequence, width),), (P(("data", "expert")),))


@case(data=2, model=4, limit=2048)
def preferences(mesh, plan):
    """DPO: sums over the words of chosen and rejected sequences by a model and a frozen one, the vocabulary split: three numbers per token and
    model, the gradient of the input of the head."""
    batch, sequence, width, vocabulary = 8, 64, 256, 2048
    plan.all_reduce("maximum, sum, target of both models, both sequences", 4, batch // 2, sequence, times=3 * 2 * 2)
    plan.all_reduce("gradient of the input, of both sequences", 4, batch // 2, sequence, width, times=2)
    plan.all_reduce("gradients", 2, width * width + width * vocabulary // 4)
    plan.all_reduce("loss", 2)

    def chance(p, x, words):
        scores = jax.nn.log_softmax(jnp.tanh(x @ p["in"]) @ p["head"], axis=-1)
        return jnp.sum(jnp.take_along_axis(scores, words[..., None], axis=-1)[..., 0], axis=-1)

    def loss(p, frozen, good, bad, good_words, bad_words):
        margin = lambda p: chance(p, good, good_words) - chance(p, bad, bad_words)
        return -jnp.mean(jax.nn.log_sigmoid(0.1 * (margin(p) - margin(frozen))))

    def step(p, frozen, *batch):
        value, gradients = jax.value_and_grad(loss)(p, frozen, *batch)
        return jax.tree.map(lambda p, g: p - 0.1 * g, p, gradients), value

    spec = {"in": P(), "head": P(None, "model")}
    inputs = on(mesh, (spec, spec, *(P("data"),) * 4))
    p = {"in": sds(width, width), "head": sds(width, vocabulary)}
    jitted = jax.jit(step, in_shardings=inputs, out_shardings=(inputs[0], None), donate_argnums=(0,))
    x, words = sds(batch, sequence, width), sds(batch, sequence, dtype="int32")
    return jitted, (p, p, x, x, words, words)


@case(data=2, rows=4)
def normalized_rows(mesh, plan):
    """Convolutions and batch normalization of pictures that are split by examples and by rows: a row from each neighbour, statistics over all
    devices."""
    batch, size, channels = 8, 32, (4, 16, 16)
    shapes = [{"kernel": (3, 3, i, o), "gain": (o,), "bias": (o,)} for i, o in zip(channels, channels[1:])]
    for number, times in ((channels[0], 2), (channels[1], 4)):
        plan.permute("rows from both neighbours; gradients", batch // 2, 1, size, number, times=times)
    plan.all_reduce("means and squares", 8, 2 * sum(channels[1:]))
    plan.all_reduce("sums of the backward pass", 8, sum(channels[1:]))
    plan.all_reduce("gradients", 8, count(shapes))
    plan.all_reduce("loss", 8)
    convolve = functools.partial(
        lax.conv_general_dilated, window_strides=(1, 1), padding="SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )

    def loss(p, x):
        for w in p:
            x = convolve(x, w["kernel"])
            mean = jnp.mean(x, axis=(0, 1, 2))
            x = (x - mean) * lax.rsqrt(jnp.var(x, axis=(0, 1, 2)) + 1e-3) * w["gain"] + w["bias"]
            x = jax.nn.relu(x)
        return jnp.mean(jnp.square(x - 1))

    specs = [{name: P() for name in layer} for layer in shapes]
    return descent(mesh, loss, shapes, specs, (sds(batch, size, size, channels[0]),), (P("data", "rows"),))
