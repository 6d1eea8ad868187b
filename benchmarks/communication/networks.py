"""Training steps of networks and objectives that are no plain transformers: experts beside a shared one, low ranks, chunks of a state
space, normalized channels, adapters, two losses, averaged targets, policies, compressed gradients."""

import functools

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from architectures import count, descent
from case import case, constraints, on, sds
from training import SPLIT, TENSOR_PARALLEL, sizes
from transformer import Config, cross_entropy, loss, mlp, named, rms_norm


def top_two(x, router, up, down, capacity, annotate):
    """Each token to its two best experts, as long as they have room, and the loss that keeps experts equally busy."""
    experts = router.shape[1]
    gates = jax.nn.softmax(x @ router, axis=-1)
    weights, best = lax.top_k(gates, 2)
    chosen = jax.nn.one_hot(best, experts)
    order = jnp.swapaxes(chosen, 1, 2).reshape(x.shape[0], -1, experts)
    place = jnp.swapaxes((jnp.cumsum(order, axis=1) * order - 1).reshape(x.shape[0], 2, -1, experts), 1, 2)
    dispatch = jax.nn.one_hot(place.astype(jnp.int32), capacity) * chosen[..., None]
    inputs = annotate(jnp.einsum("bsjec,bsd->ebcd", dispatch, x), "experts")
    hidden = jax.nn.relu(jnp.einsum("ebcd,edf->ebcf", inputs, up))
    outputs = annotate(jnp.einsum("ebcf,efd->ebcd", hidden, down), "experts")
    mixed = annotate(jnp.einsum("bsj,bsjec,ebcd->bsd", weights, dispatch, outputs), "tokens")
    return mixed, experts * jnp.sum(jnp.mean(gates, axis=(0, 1)) * jnp.mean(chosen, axis=(0, 1, 2)))


@case(data=2, expert=4)
def shared_expert(mesh, plan):
    """A DeepSeek: two of eight experts per token beside one that sees all, and a loss for an equal load: how many tokens every
    expert has got is summed, how likely it was joins the loss."""
    width, hidden, experts, capacity, batch, sequence = 256, 512, 8, 48, 16, 128
    shapes = {"in": (width, width), "router": (width, experts), "up": (experts, width, hidden), "down": (experts, hidden, width)}
    shapes |= {"shared_up": (width, hidden), "shared_down": (hidden, width)}
    whole = count({name: shapes[name] for name in ("in", "router", "shared_up", "shared_down")})
    plan.all_to_all("tokens to experts and back, both passes", 4, experts, batch // 8, capacity, width, times=4)
    plan.all_reduce("numbers of tokens", 8, experts)
    plan.all_reduce("gradients outside of the experts", 8, whole)
    plan.all_reduce("gradients of the experts", 2, 2 * experts * width * hidden // 4)
    plan.all_reduce("loss", 8)
    annotate = constraints(mesh, experts=P("expert", "data"), tokens=P(("data", "expert")))

    def error(p, x):
        x = jnp.tanh(x @ p["in"])
        mixed, load = top_two(x, p["router"], p["up"], p["down"], capacity, annotate)
        return jnp.mean(jnp.square(x + mixed + jax.nn.relu(x @ p["shared_up"]) @ p["shared_down"])) + 0.01 * load

    specs = dict.fromkeys(shapes, P()) | {"up": P("expert"), "down": P("expert")}
    return descent(mesh, error, shapes, specs, (sds(batch, sequence, width),), (P(("data", "expert")),))


@case(data=2, model=4)
def sorted_experts(mesh, plan):
    """Tokens sorted by expert within each sequence and put into places by number; experts split over `model`, on which all tokens are:
    every device serves its own experts, one sum of the tokens per pass."""
    width, hidden, experts, capacity, batch, sequence, chosen = 256, 512, 8, 48, 16, 128, 2
    shapes = {"in": (width, width), "router": (width, experts), "up": (experts, width, hidden), "down": (experts, hidden, width)}
    plan.all_reduce("tokens, both passes", 4, batch // 2, sequence, width, times=2)
    plan.all_reduce("gradients", 2, width * width + width * experts + 2 * experts * width * hidden // 4)
    plan.all_reduce("loss", 2)
    annotate = constraints(mesh, experts=P("data", "model"), tokens=P("data"))

    def places(gates):
        """Of one sequence: the tokens in every expert's places (`sequence` where there is none), and with which weight."""
        weights, best = lax.top_k(gates, chosen)
        expert = best.reshape(-1)
        order = jnp.argsort(expert, stable=True)
        first = jnp.searchsorted(expert[order], jnp.arange(experts))
        slot = jnp.arange(expert.size) - first[expert[order]]
        slot = jnp.where(slot < capacity, slot, capacity)
        token = jnp.full((experts, capacity), sequence).at[expert[order], slot].set(order // chosen, mode="drop")
        weight = jnp.zeros((experts, capacity)).at[expert[order], slot].set(weights.reshape(-1)[order], mode="drop")
        return token, weight

    def error(p, x):
        x = jnp.tanh(x @ p["in"])
        token, weight = jax.vmap(places)(jax.nn.softmax(x @ p["router"], axis=-1))
        taken = jax.vmap(lambda x, t: x.at[t].get(mode="fill", fill_value=0))(x, token)
        inner = jax.nn.gelu(jnp.einsum("becd,edf->becf", annotate(taken, "experts"), p["up"]), approximate=True)
        outer = annotate(jnp.einsum("becf,efd->becd", inner, p["down"]), "experts") * weight[..., None]
        mixed = jax.vmap(lambda t, y: jnp.zeros((sequence, width)).at[t].add(y, mode="drop"))(token, outer)
        return jnp.mean(jnp.square(x + annotate(mixed, "tokens")))

    specs = {"in": P(), "router": P(), "up": P("model"), "down": P("model")}
    return descent(mesh, error, shapes, specs, (sds(batch, sequence, width),), (P("data"),))


@case(data=2, model=4)
def low_rank_layers(mesh, plan):
    """An MLP whose matrices are products of two, only the wide sides split: what is summed, in both passes, is of the small rank."""
    width, hidden, rank, layers, batch, sequence = 256, 1024, 32, 3, 16, 128
    shapes = [{"a": (width, rank), "b": (rank, hidden), "c": (hidden, rank), "d": (rank, width)}] * layers
    plan.all_reduce("small inner values, both passes", 4, batch // 2, sequence, rank, times=2 * layers)
    plan.all_reduce("gradients", 2, layers * (2 * width * rank + 2 * rank * hidden // 4))
    plan.all_reduce("loss", 2)

    def error(p, x):
        for w in p:
            x = x + jax.nn.gelu(rms_norm(x, 1.0) @ w["a"] @ w["b"], approximate=True) @ w["c"] @ w["d"]
        return jnp.mean(jnp.square(x))

    specs = [{"a": P(), "b": P(None, "model"), "c": P("model"), "d": P()}] * layers
    return descent(mesh, error, shapes, specs, (sds(batch, sequence, width),), (P("data"),))


@case(data=2, seq=4)
def state_space_chunks(mesh, plan):
    """A Mamba 2 in chunks, the sequence split: within chunks everybody by himself; the chunks' states and decays are gathered, the
    gradient of the states is reduce-scattered."""
    batch, sequence, width, heads, head, state, chunk = 4, 512, 128, 4, 32, 16, 32
    chunks = sequence // chunk
    shapes = {"x": (width, heads, head), "b": (width, state), "c": (width, state), "dt": (width, heads), "a": (heads,), "o": (heads, head, width)}
    plan.all_gather("states of chunks", 4, batch // 2, chunks, heads, head, state)
    plan.reduce_scatter("their gradient", 4, batch // 2, chunks, heads, head, state)
    plan.all_gather("decays of chunks", 4, batch // 2, chunks, heads)
    plan.reduce_scatter("their gradient", 4, batch // 2, chunks, heads)
    plan.all_reduce("gradients", 8, count(shapes))
    plan.all_reduce("loss", 8)

    def between(a):
        """exp of the sums of a over i < k <= j, for all j, i; zero above the diagonal."""
        total = jnp.cumsum(a, axis=-1)
        return jnp.exp(jnp.where(jnp.tri(a.shape[-1], dtype=bool), total[..., :, None] - total[..., None, :], -jnp.inf))

    def layer(p, u):
        split = lambda t: t.reshape(batch, chunks, chunk, *t.shape[2:])
        x, b, c = split(jnp.einsum("bsd,dhp->bshp", u, p["x"])), split(u @ p["b"]), split(u @ p["c"])
        dt = split(jax.nn.softplus(u @ p["dt"]))
        a = jnp.moveaxis(-jnp.exp(p["a"]) * dt, 3, 1)
        x, total = x * dt[..., None], jnp.cumsum(a, axis=-1)
        inside = jnp.einsum("bcln,bcsn,bhcls,bcshp->bclhp", c, b, between(a), x)
        states = jnp.einsum("bcln,bhcl,bclhp->bchpn", b, jnp.exp(total[..., -1:] - total), x)
        states = jnp.concatenate([jnp.zeros_like(states[:, :1]), states], axis=1)
        decay = between(jnp.pad(total[..., -1], ((0, 0), (0, 0), (1, 0))))
        entering = jnp.einsum("bhzc,bchpn->bzhpn", decay, states)[:, :-1]
        y = inside + jnp.einsum("bcln,bchpn,bhcl->bclhp", c, entering, jnp.exp(total))
        return jnp.einsum("bshp,hpd->bsd", y.reshape(batch, sequence, heads, head), p["o"])

    error = lambda p, u: jnp.mean(jnp.square(u + layer(p, u)))
    return descent(mesh, error, shapes, dict.fromkeys(shapes, P()), (sds(batch, sequence, width),), (P("data", "seq"),))


@case(data=4, model=2)
def normalized_channels(mesh, plan):
    """Residual blocks with inner channels on `model`, all channels normalized over the batch on `data`: two sums per channel and pass, of which those
    of the backward pass are the gradients of gain and bias."""
    batch, size, outer, inner, blocks = 16, 16, 32, 128, 2
    block = {"up": (3, 3, outer, inner), "down": (3, 3, inner, outer), "gain1": (inner,), "bias1": (inner,), "gain2": (outer,), "bias2": (outer,)}
    plan.all_reduce("outputs of blocks and gradients of their inputs", 2, batch // 4, size, size, outer, times=2 * blocks - 1)
    plan.all_reduce("means and squares", 4, blocks * 2 * (inner // 2 + outer))
    plan.all_reduce("gradients", 4, blocks * (2 * 9 * outer * inner // 2 + 2 * (inner // 2 + outer)))
    plan.all_reduce("loss", 4)
    convolve = functools.partial(
        lax.conv_general_dilated, window_strides=(1, 1), padding="SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )

    def normalize(x, gain, bias):
        mean, square = jnp.mean(x, axis=(0, 1, 2)), jnp.mean(x * x, axis=(0, 1, 2))
        return (x - mean) * lax.rsqrt(square - mean * mean + 1e-3) * gain + bias

    def error(p, x):
        for w in p:
            inside = jax.nn.relu(normalize(convolve(x, w["up"]), w["gain1"], w["bias1"]))
            x = jax.nn.relu(x + normalize(convolve(inside, w["down"]), w["gain2"], w["bias2"]))
        return jnp.mean(jnp.square(x - 1))

    specs = {"up": P(None, None, None, "model"), "down": P(None, None, "model", None), "gain1": P("model"), "bias1": P("model")}
    specs = [specs | {"gain2": P(), "bias2": P()}] * blocks
    return descent(mesh, error, [block] * blocks, specs, (sds(batch, size, size, outer),), (P("data"),))


@case(data=2, model=4)
def adapted_attention(mesh, plan):
    """Adapters of queries and values in a frozen tensor-parallel model: only they have gradients, those of the inner matrix summed over all
    devices. The input gradient of the first layer's attention is not needed."""
    c, rank = Config(), 8
    plan.all_reduce("activations", 4, c.batch // 2, c.sequence, c.width, times=4 * c.layers - 1)
    plan.all_reduce("gradients of inner matrices", 8, c.layers * 2 * c.width * rank)
    plan.all_reduce("gradients of outer matrices", 2, c.layers * 2 * rank * c.width // 4)
    plan.all_reduce("loss", 2)

    def error(adapters, p, tokens, targets):
        adapt = lambda w, a: w + jnp.einsum("dr,rhk->dhk", a["in"], a["out"])
        layers = [l | {n: adapt(l[n], a[n]) for n in ("wq", "wv")} for l, a in zip(p["layers"], adapters)]
        return loss(p | {"layers": layers}, tokens, targets)

    def step(adapters, p, tokens, targets):
        value, gradients = jax.value_and_grad(error)(adapters, p, tokens, targets)
        return jax.tree.map(lambda p, g: p - 0.1 * g, adapters, gradients), value

    shapes = jax.tree.map(lambda s: sds(*s), c.shapes(), is_leaf=lambda s: isinstance(s, tuple))
    adapters = [{n: {"in": sds(c.width, rank), "out": sds(rank, c.heads, c.head)} for n in ("wq", "wv")}] * c.layers
    split = [{n: {"in": P(), "out": P(None, "model", None)} for n in ("wq", "wv")}] * c.layers
    inputs = on(mesh, (split, named(TENSOR_PARALLEL, c, P()), P("data"), P("data")))
    tokens = sds(c.batch, c.sequence, dtype="int32")
    step = jax.jit(step, in_shardings=inputs, out_shardings=(inputs[0], None), donate_argnums=(0,))
    return step, (adapters, shapes, tokens, tokens)


@case(data=8)
def adversaries(mesh, plan):
    """A generator and a discriminator, each with its loss, parameters split: both gathered once, of each the gradients of its own
    loss reduce-scattered."""
    noise, hidden, width, batch = 64, 512, 256, 1024
    shapes = {"g": {"in": (noise, hidden), "out": (hidden, width)}, "d": {"in": (width, hidden), "out": (hidden, 8)}}
    plan.all_gather("parameters", 8, count(shapes))
    plan.reduce_scatter("gradients", 8, count(shapes))
    plan.all_reduce("losses", 8, 2)
    run = lambda p, x: jax.nn.leaky_relu(x @ p["in"]) @ p["out"]

    def step(p, x, z):
        judge = lambda d, x: jnp.sum(run(d, x), axis=-1)
        theirs = lambda d: jnp.mean(jax.nn.softplus(judge(d, run(p["g"], z))) + jax.nn.softplus(-judge(d, x)))
        ours = lambda g: jnp.mean(jax.nn.softplus(-judge(p["d"], run(g, z))))
        (first, of_d), (second, of_g) = jax.value_and_grad(theirs)(p["d"]), jax.value_and_grad(ours)(p["g"])
        return jax.tree.map(lambda p, g: p - 0.1 * g, p, {"g": of_g, "d": of_d}), first, second

    specs = jax.tree.map(lambda s: P("data"), shapes, is_leaf=lambda s: isinstance(s, tuple))
    p = jax.tree.map(lambda s: sds(*s), shapes, is_leaf=lambda s: isinstance(s, tuple))
    inputs = on(mesh, (specs, P("data"), P("data")))
    step = jax.jit(step, in_shardings=inputs, out_shardings=(inputs[0], None, None), donate_argnums=(0,))
    return step, (p, sds(batch, width), sds(batch, noise))


@case(data=8)
def gated_cells(mesh, plan):
    """A GRU over sixteen steps with split weights: gathered once before the loops, gradients reduce-scattered once behind them."""
    batch, length, width = 64, 16, 256
    shapes = {"input": (width, 3 * width), "hidden": (width, 3 * width)}
    plan.all_gather("weights", 8, count(shapes))
    plan.reduce_scatter("gradients", 8, count(shapes))
    plan.all_reduce("loss", 8)

    def error(p, xs):
        def step(h, x):
            i, o = jnp.split(x @ p["input"], 3, axis=-1), jnp.split(h @ p["hidden"], 3, axis=-1)
            r, z = jax.nn.sigmoid(i[0] + o[0]), jax.nn.sigmoid(i[1] + o[1])
            h = (1 - z) * jnp.tanh(i[2] + r * o[2]) + z * h
            return h, h

        return jnp.mean(jnp.square(lax.scan(step, jnp.zeros((batch, width)), xs)[1] - 1))

    return descent(mesh, error, shapes, dict.fromkeys(shapes, P("data")), (sds(length, batch, width),), (P(None, "data"),))


@case(data=2, model=4)
def compressed_gradients(mesh, plan):
    """PowerSGD in a `shard_map` over `data`, the MLP split over `model` by annotation: of the gradients only products with thin matrices
    are summed over `data`."""
    width, hidden, layers, batch, rank = 256, 1024, 2, 1024, 4
    shapes = [{"up": (width, hidden), "down": (hidden, width)}] * layers
    plan.all_reduce("activations", 4, batch // 2, width, times=2 * layers - 1)
    plan.all_reduce("thin products over both axes", 8, layers * 2 * width * rank)
    plan.all_reduce("thin products over data", 2, layers * 2 * hidden * rank // 4)
    plan.all_reduce("norms of split columns", 4, layers * rank)
    plan.all_reduce("loss", 2)

    def error(p, x, target):
        for w in p:
            x = x + jax.nn.gelu(x @ w["up"], approximate=True) @ w["down"]
        return jnp.mean(jnp.square(x - target))

    def compress(g, q):
        a = lax.pmean(g @ q, "data")
        a = a / (jnp.sqrt(jnp.sum(a * a, axis=0)) + 1e-3)
        q = lax.pmean(g.T @ a, "data")
        return a @ q.T, q

    @functools.partial(
        jax.shard_map, mesh=mesh, in_specs=(P(), P(), P("data"), P("data")), out_specs=P(), axis_names={"data"}, check_vma=False
    )
    def step(p, q, x, target):
        value, gradients = jax.value_and_grad(error)(p, x, target)
        new = [{n: compress(g[n], k[n]) for n in g} for g, k in zip(gradients, q)]
        part = lambda i: [{n: layer[n][i] for n in layer} for layer in new]
        return jax.tree.map(lambda p, g: p - 0.1 * g, p, part(0)), part(1), lax.pmean(value, "data")

    p = [{n: sds(*s) for n, s in layer.items()} for layer in shapes]
    q = [{n: sds(s[1], rank) for n, s in layer.items()} for layer in shapes]
    split = [{"up": P(None, "model"), "down": P("model", None)}] * layers
    inputs = on(mesh, (split, [{"up": P("model", None), "down": P()}] * layers, P("data"), P("data")))
    step = jax.jit(step, in_shardings=inputs, out_shardings=(*inputs[:2], None), donate_argnums=(0, 1))
    return step, (p, q, sds(batch, width), sds(batch, width))


@case(data=8)
def averaged_target(mesh, plan):
    """BYOL: an online network learns what a moving average of itself makes of another view; both are split: both gathered, the gradients
    reduce-scattered, the average taken within the parts."""
    width, hidden, batch = 256, 1024, 1024
    tower = {"up": (width, hidden), "down": (hidden, width)}
    shapes = tower | {"predict": (width, width)}
    plan.all_gather("parameters", 8, count(shapes) + count(tower))
    plan.reduce_scatter("gradients", 8, count(shapes))
    plan.all_reduce("loss", 8)
    project = lambda p, x: jax.nn.relu(x @ p["up"]) @ p["down"]
    unit = lambda x: x * lax.rsqrt(jnp.sum(x * x, axis=-1, keepdims=True) + 1e-6)

    def error(p, target, a, b):
        one = lambda a, b: jnp.mean(jnp.sum(unit(project(p, a) @ p["predict"]) * unit(project(target, b)), axis=-1))
        return -one(a, b) - one(b, a)

    def step(p, target, a, b):
        value, gradients = jax.value_and_grad(error)(p, target, a, b)
        p = jax.tree.map(lambda p, g: p - 0.1 * g, p, gradients)
        return p, {n: 0.99 * t + 0.01 * p[n] for n, t in target.items()}, value

    inputs = on(mesh, (dict.fromkeys(shapes, P("data")), dict.fromkeys(tower, P("data")), P("data"), P("data")))
    arrays = {n: sds(*s) for n, s in shapes.items()}, {n: sds(*s) for n, s in tower.items()}
    step = jax.jit(step, in_shardings=inputs, out_shardings=(*inputs[:2], None), donate_argnums=(0, 1))
    return step, (*arrays, sds(batch, width), sds(batch, width))


@case(data=8, limit=16)
def clipped_policy(mesh, plan):
    """PPO on split episodes: advantages by a scan from the end, normalized over all of them (two numbers), one sum of the gradients."""
    episodes, length, width, hidden, actions = 64, 32, 64, 256, 16
    shapes = {"body": (width, hidden), "policy": (hidden, actions), "value": (hidden,)}
    plan.all_reduce("mean and variance of advantages", 8, times=2)
    plan.all_reduce("gradients", 8, count(shapes))
    plan.all_reduce("loss", 8)

    def error(p, seen, action, reward, before):
        hidden = jnp.tanh(seen @ p["body"])
        chances, value = jax.nn.log_softmax(hidden @ p["policy"]), hidden @ p["value"]
        held = lax.stop_gradient(value)

        def back(sum, now):
            reward, value, following = now
            sum = reward + 0.99 * following - value + 0.95 * sum
            return sum, sum

        following = jnp.concatenate([held[:, 1:], jnp.zeros((episodes, 1))], axis=1)
        _, gain = lax.scan(back, jnp.zeros(episodes), (reward.T, held.T, following.T), reverse=True)
        gain = gain.T
        wanted = gain + held
        gain = (gain - jnp.mean(gain)) / (jnp.std(gain) + 1e-3)
        ratio = jnp.exp(jnp.take_along_axis(chances, action[..., None], axis=-1)[..., 0] - before)
        surrogate = jnp.minimum(ratio * gain, jnp.clip(ratio, 0.8, 1.2) * gain)
        entropy = -jnp.sum(jnp.exp(chances) * chances, axis=-1)
        return jnp.mean(-surrogate + 0.5 * jnp.square(value - wanted) - 0.01 * entropy)

    arrays = sds(episodes, length, width), sds(episodes, length, dtype="int32"), sds(episodes, length), sds(episodes, length)
    return descent(mesh, error, shapes, dict.fromkeys(shapes, P()), arrays, (P("data"),) * 4)


@case(x=2, y=4)
def weights_in_blocks(mesh, plan):
    """An MLP whose weights stay where they are, in blocks over both axes, the width of the activations on `x`: each product ends in a sum over the
    axis that it contracts, in both passes; gradients of weights need nothing."""
    width, hidden, layers, batch = 512, 2048, 2, 64
    plan.all_reduce("hidden layers, both passes", 2, batch, hidden // 4, times=2 * layers)
    plan.all_reduce("outputs, and gradients of inputs", 4, batch, width // 2, times=2 * layers - 1)
    plan.all_reduce("loss", 2)
    annotate = constraints(mesh, x=P(None, "x"))

    def error(p, x):
        for w in p:
            x = annotate(x + jax.nn.gelu(x @ w["up"], approximate=True) @ w["down"], "x")
        return jnp.mean(jnp.square(x))

    shapes = [{"up": (width, hidden), "down": (hidden, width)}] * layers
    specs = [{"up": P("x", "y"), "down": P("y", "x")}] * layers
    return descent(mesh, error, shapes, specs, (sds(batch, width),), (P(None, "x"),))
