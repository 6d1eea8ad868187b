"""Products, reshards, stencils and convolutions: where one tensor has to move, and how far; regions written by hand."""

import functools
import math

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from case import case, on, sds


def jitted(mesh, function, inputs, outputs):
    return jax.jit(function, in_shardings=on(mesh, inputs), out_shardings=on(mesh, outputs))


# ---- products and reshards --------------------------------------------------------------------------------------------


@case(data=2, model=4)
def low_rank(mesh, plan):
    """(x A) B with the first matmul split and a narrow second result: the sum is taken of the narrow one."""
    plan.all_reduce("the second product", 4, 1024, 64)
    function = lambda x, a, b: jnp.dot(jnp.dot(x, a), b)
    arguments = sds(2048, 1024), sds(1024, 1024), sds(1024, 64)
    return jitted(mesh, function, (P("data", "model"), P("model", None), P()), P("data", None)), arguments


@case(data=2, model=4)
def low_rank_adapters(mesh, plan):
    """Training low-rank adapters of a frozen tensor-parallel MLP: the adapters' products join the sums there are."""
    tokens, width, hidden, rank = 2048, 512, 2048, 16
    plan.all_reduce("output", 4, tokens // 2, width)
    plan.all_reduce("gradients of a1 and b2", 8, 2 * width * rank)
    plan.all_reduce("gradients of b1 and a2", 2, 2 * rank * hidden // 4)
    plan.all_reduce("loss", 2)

    def loss(adapters, frozen, x, target):
        hidden = jax.nn.gelu(x @ frozen["up"] + x @ adapters["a1"] @ adapters["b1"], approximate=True)
        return jnp.mean(jnp.square(hidden @ frozen["down"] + hidden @ adapters["a2"] @ adapters["b2"] - target))

    def step(adapters, frozen, x, target):
        value, gradients = jax.value_and_grad(loss)(adapters, frozen, x, target)
        return jax.tree.map(lambda p, g: p - 0.1 * g, adapters, gradients), value

    adapters = {"a1": sds(width, rank), "b1": sds(rank, hidden), "a2": sds(hidden, rank), "b2": sds(rank, width)}
    frozen = {"up": sds(width, hidden), "down": sds(hidden, width)}
    specs = {"a1": P(), "b1": P(None, "model"), "a2": P("model", None), "b2": P()}
    inputs = specs, {"up": P(None, "model"), "down": P("model", None)}, P("data"), P("data")
    return jitted(mesh, step, inputs, (specs, P())), (adapters, frozen, sds(tokens, width), sds(tokens, width))


@case(x=2, y=4)
def transposed_product(mesh, plan):
    """xla#4062: the result's rows and columns lie on the axes the other way round. One operand is gathered over `x` and the small
    product of the local operands is reduce-scattered."""
    plan.all_gather("rows of a", 2, 128, 4096 // 4)
    plan.reduce_scatter("product", 4, 128, 128 // 2)
    arguments = sds(128, 4096), sds(4096, 128)
    return jitted(mesh, jnp.dot, (P("x", "y"), P("y", "x")), P("y", "x")), arguments


@case(x=2, y=4)
def product_by_columns(mesh, plan):
    """Both operands split along the contracted dimension, the result wanted by columns: local product, reduce-scatter."""
    plan.reduce_scatter("product", 8, 256, 256)
    arguments = sds(256, 4096), sds(4096, 256)
    return jitted(mesh, jnp.dot, (P(None, ("x", "y")), P(("x", "y"), None)), P(None, ("x", "y"))), arguments


@case(x=2, y=4)
def chain_of_products(mesh, plan):
    """Three products in a row, sums over `y`, the result wanted in rows over all devices: the sum of the last product alone, after
    which rows are reduce-scattered."""
    plan.all_reduce("first product", 4, 1024 // 2, 256)
    plan.reduce_scatter("last product", 4, 1024 // 2, 256)
    function = lambda x, a, b, c: jnp.tanh(jnp.tanh(x @ a) @ b) @ c
    arguments = sds(1024, 1024), sds(1024, 256), sds(256, 1024), sds(1024, 256)
    inputs = P("x", "y"), P("y", None), P(None, "y"), P("y", None)
    return jitted(mesh, function, inputs, P(("x", "y"), None)), arguments


@case(x=2, y=4)
def reshard_to_middle(mesh, plan):
    """jax#21562, xla#15207: [y, -, x] -> [-, xy, -]: one exchange among all devices."""
    plan.all_to_all("blocks", 8, 64, 256, 128 // 8)
    function = lambda t: jnp.sin(lax.with_sharding_constraint(jnp.cos(t), on(mesh, P(None, ("x", "y"), None))))
    return jitted(mesh, function, (P("y", None, "x"),), P(None, ("x", "y"), None)), (sds(64, 256, 128),)


@case(x=2, y=4)
def reshard_axes_moved(mesh, plan):
    """[x, y] -> [y, x]: blocks change places; every device sends its own block at most once."""
    plan.permute("blocks", 1024 // 8, 1024)
    return jitted(mesh, lambda t: t * 2 + 1, (P("x", "y"),), P("y", "x")), (sds(1024, 1024),)


# ---- fields -----------------------------------------------------------------------------------------------------------


@case(x=2, y=4)
def stencil(mesh, plan):
    """Enzyme-JAX#822: eight steps of a heat equation on a padded field: each sends one row or column to every neighbour."""
    plan.permute("rows up and down", 1, 512 // 4, times=2 * 8)
    plan.permute("columns left and right", 512 // 2, 1, times=2 * 8)

    def heat(u):
        def step(_, u):
            p = jnp.pad(u, 1)
            return u + 0.1 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4 * u)

        return lax.fori_loop(0, 8, step, u)

    return jitted(mesh, heat, (P("x", "y"),), P("x", "y")), (sds(512, 512),)


@case(x=2, y=4)
def stencil_periodic(mesh, plan):
    """The same on a torus, with `jnp.roll`."""
    plan.permute("rows up and down", 1, 512 // 4, times=2 * 8)
    plan.permute("columns left and right", 512 // 2, 1, times=2 * 8)

    def heat(u):
        def step(_, u):
            neighbours = jnp.roll(u, 1, 0) + jnp.roll(u, -1, 0) + jnp.roll(u, 1, 1) + jnp.roll(u, -1, 1)
            return u + 0.1 * (neighbours - 4 * u)

        return lax.fori_loop(0, 8, step, u)

    return jitted(mesh, heat, (P("x", "y"),), P("x", "y")), (sds(512, 512),)


@case(x=2, y=4)
def stencil_edges(mesh, plan):
    """As before on a field whose edges are repeated: the same rows and columns, of the field itself."""
    size, steps = 512, 4
    plan.permute("rows to both neighbours", 1, size // 4, times=2 * steps)
    plan.permute("columns to both neighbours", size // 2, 1, times=2 * steps)

    def heat(u):
        def step(u, _):
            p = jnp.pad(u, 1, mode="edge")
            return 0.25 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]), None

        return lax.scan(step, u, length=steps)[0]

    return jitted(mesh, heat, (P("x", "y"),), P("x", "y")), (sds(size, size),)


def convolutions(p, x):
    convolve = functools.partial(
        lax.conv_general_dilated, window_strides=(1, 1), padding="SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    x = jax.nn.relu(convolve(x, p["first"]))
    x = jax.nn.relu(convolve(x, p["second"]))
    return jnp.mean(x, axis=(1, 2)) @ p["head"]


def convolution_step(p, x, target):
    loss = lambda p: jnp.mean(jnp.square(convolutions(p, x) - target))
    value, gradients = jax.value_and_grad(loss)(p)
    return jax.tree.map(lambda p, g: p - 0.1 * g, p, gradients), value


def convolutional(mesh, image):
    p = {"first": sds(3, 3, 8, 32), "second": sds(3, 3, 32, 32), "head": sds(32, 16)}
    inputs = P(), image, P(image[0])
    return jitted(mesh, convolution_step, inputs, (P(), P())), (p, sds(16, 32, 32, 8), sds(16, 16))


WEIGHTS = 9 * 8 * 32 + 9 * 32 * 32 + 32 * 16


@case(data=8)
def convolution_data(mesh, plan):
    """Convolutions on a split batch: gradients alone."""
    plan.all_reduce("gradients", 8, WEIGHTS)
    plan.all_reduce("loss", 8)
    return convolutional(mesh, P("data"))


@case(data=2, space=4)
def convolution_space(mesh, plan):
    """Images split by rows as well: one row to either neighbour for each convolution, and for the input gradient of the
    second; the rows that came are kept for the gradients of the kernels."""
    plan.permute("rows of the images", 8, 1, 32, 8, times=2)
    plan.permute("rows of the first layer and of the second's gradient", 8, 1, 32, 32, times=4)
    plan.all_reduce("sums over the image", 4, 8, 32)
    plan.all_reduce("gradients of kernels", 8, WEIGHTS - 32 * 16)
    plan.all_reduce("gradient of the head", 2, 32 * 16)
    plan.all_reduce("loss", 2)
    return convolutional(mesh, P("data", "space"))


@case(x=2, y=4)
def unet(mesh, plan):
    """A U-Net on images split along both dimensions: a mean pool down, copies up, the fine layer beside the coarse ones. One
    row and one column to every neighbour for each convolution and each input gradient; pooling and its gradient move nothing."""
    batch, size, down = 2, 64, 32
    shapes = {"fine": (3, 3, 4, 16), "coarse": (3, 3, 16, 32), "back": (3, 3, 32, 16), "out": (3, 3, 32, 4)}
    for side, channels in ((size, (4, 32, 4)), (down, (16, 32, 16, 32))):
        for number in channels:
            plan.permute("rows up and down", batch, 1, side // 4, number, times=2)
            plan.permute("columns left and right", batch, side // 2 + 2, 1, number, times=2)
    plan.all_reduce("gradients", 8, sum(math.prod(shape) for shape in shapes.values()))
    plan.all_reduce("loss", 8)
    convolve = functools.partial(
        lax.conv_general_dilated, window_strides=(1, 1), padding="SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )

    def loss(p, images, targets):
        fine = jax.nn.relu(convolve(images, p["fine"]))
        x = lax.reduce_window(fine, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4
        x = jax.nn.relu(convolve(jax.nn.relu(convolve(x, p["coarse"])), p["back"]))
        x = jnp.repeat(jnp.repeat(x, 2, axis=1), 2, axis=2)
        return jnp.mean(jnp.square(convolve(jnp.concatenate([fine, x], axis=-1), p["out"]) - targets))

    def step(p, images, targets):
        value, gradients = jax.value_and_grad(loss)(p, images, targets)
        return jax.tree.map(lambda p, g: p - 0.1 * g, p, gradients), value

    images = P(None, "x", "y")
    p = {name: sds(*shape) for name, shape in shapes.items()}
    return jitted(mesh, step, (P(), images, images), (P(), P())), (p, *[sds(batch, size, size, 4)] * 2)


@case(data=8, limit=1024)
def graph_network(mesh, plan):
    """Messages along edges: nodes and edges are split; per layer all nodes are gathered, each device sums the messages of its
    edges for all nodes, and the sums are reduce-scattered; the other way round backward."""
    nodes, edges, width = 1024, 8192, 128
    plan.all_gather("nodes; gradients of sums", 8, nodes, width, times=4)
    plan.reduce_scatter("sums; gradients of nodes", 8, nodes, width, times=3)
    plan.all_reduce("gradients", 8, 4 * width * width)
    plan.all_reduce("loss", 8)

    def loss(p, x, senders, receivers):
        for layer in p:
            messages = jnp.tanh(x[senders] @ layer["message"])
            sums = jax.ops.segment_sum(messages, receivers, num_segments=nodes)
            x = x + jnp.tanh(sums @ layer["update"])
        return jnp.mean(jnp.square(x))

    def step(p, x, senders, receivers):
        value, gradients = jax.value_and_grad(loss)(p, x, senders, receivers)
        return jax.tree.map(lambda p, g: p - g, p, gradients), value

    layer = {"message": sds(width, width), "update": sds(width, width)}
    edge = sds(edges, dtype="int32")
    return jitted(mesh, step, (P(), P("data"), P("data"), P("data")), (P(), P())), ([layer] * 2, sds(nodes, width), edge, edge)


@case(data=8)
def recurrent(mesh, plan):
    """A gated recurrent network over 64 positions: the gradients of its weights are sums over the loop, reduced once."""
    batch, length, width = 64, 64, 256
    plan.all_reduce("gradients", 8, 2 * width * 3 * width + 3 * width)
    plan.all_reduce("loss", 8)

    def cell(p, h, x):
        reset, update, new = jnp.split(x @ p["input"] + p["bias"], 3, axis=-1)
        hidden_reset, hidden_update, hidden_new = jnp.split(h @ p["hidden"], 3, axis=-1)
        gate = jax.nn.sigmoid(update + hidden_update)
        candidate = jnp.tanh(new + jax.nn.sigmoid(reset + hidden_reset) * hidden_new)
        return gate * h + (1 - gate) * candidate

    def loss(p, xs, target):
        last, _ = lax.scan(lambda h, x: (cell(p, h, x), None), jnp.zeros((batch, width)), xs)
        return jnp.mean(jnp.square(last - target))

    def step(p, xs, target):
        value, gradients = jax.value_and_grad(loss)(p, xs, target)
        return jax.tree.map(lambda p, g: p - g, p, gradients), value

    p = {"input": sds(width, 3 * width), "hidden": sds(width, 3 * width), "bias": sds(3 * width)}
    inputs = P(), P(None, "data"), P("data")
    return jitted(mesh, step, inputs, (P(), P())), (p, sds(length, batch, width), sds(batch, width))


# ---- by hand ----------------------------------------------------------------------------------------------------------


@case(data=2, model=4)
def manual_mlp(mesh, plan):
    """An MLP in `shard_map` over all axes with its sum written out: what the user wrote, and the sums of its gradient."""
    tokens, width, hidden = 2048, 256, 1024
    plan.all_reduce("output; gradient of the input", 4, tokens // 2, width, times=2)
    plan.all_reduce("gradients", 2, 2 * width * hidden // 4 + width * width)
    plan.all_reduce("loss", 2)

    specs = P("data", None), P(None, "model"), P("model", None)

    @functools.partial(jax.shard_map, mesh=mesh, in_specs=specs, out_specs=P("data", None))
    def mlp(x, up, down):
        return lax.psum(jax.nn.gelu(x @ up, approximate=True) @ down, "model")

    def step(p, x):
        loss = lambda p: jnp.mean(jnp.square(mlp(jnp.tanh(x @ p["in"]), p["up"], p["down"])))
        value, gradients = jax.value_and_grad(loss)(p)
        return jax.tree.map(lambda p, g: p - 0.1 * g, p, gradients), value

    p = {"in": sds(width, width), "up": sds(width, hidden), "down": sds(hidden, width)}
    layout = {"in": P(), "up": specs[1], "down": specs[2]}
    return jitted(mesh, step, (layout, P("data")), (layout, P())), (p, sds(tokens, width))


@case(data=2, seq=4)
def manual_ulysses(mesh, plan):
    """Attention in a `shard_map` over `seq` only, the batch left to the compiler: exchanges carry a data group's batch."""
    batch, sequence, heads, head = 4, 512, 8, 32
    width = heads * head
    local = batch // 2, sequence // 4, heads, head
    plan.all_to_all("queries, keys, values, result and their gradients", 4, *local, times=8)
    plan.all_reduce("gradients", 8, 4 * width * width)
    plan.all_reduce("loss", 8)

    sequences = P(None, "seq", None, None)

    @functools.partial(jax.shard_map, mesh=mesh, in_specs=(sequences,) * 3, out_specs=sequences, axis_names={"seq"})
    def attention(q, k, v):
        q, k, v = (lax.all_to_all(t, "seq", split_axis=2, concat_axis=1, tiled=True) for t in (q, k, v))
        weights = jax.nn.softmax(jnp.einsum("bshk,bthk->bhst", q, k) * head**-0.5, axis=-1)
        mixed = jnp.einsum("bhst,bthk->bshk", weights, v)
        return lax.all_to_all(mixed, "seq", split_axis=1, concat_axis=2, tiled=True)

    def loss(p, x):
        q, k, v = (jnp.einsum("bsd,dhk->bshk", x, p[name]) for name in ("wq", "wk", "wv"))
        return jnp.mean(jnp.square(jnp.einsum("bshk,hkd->bsd", attention(q, k, v), p["wo"])))

    def step(p, x):
        value, gradients = jax.value_and_grad(loss)(p, x)
        return jax.tree.map(lambda p, g: p - 0.1 * g, p, gradients), value

    p = {name: sds(width, heads, head) for name in ("wq", "wk", "wv")} | {"wo": sds(heads, head, width)}
    return jitted(mesh, step, (P(), P("data", "seq")), (P(), P())), (p, sds(batch, sequence, width))


@case(data=2, seq=4)
def manual_ring(mesh, plan):
    """Ring attention by hand: keys and values go round in a loop, one step less than there are devices."""
    batch, sequence, heads, head = 4, 512, 8, 32
    plan.permute("keys and values", batch // 2, sequence // 4, heads, head, times=2 * 3)
    plan.all_reduce("mean", 8)
    spec = P("data", "seq", None, None)

    def attend(q, k, v, total, largest, mixed):
        """Adds one block of keys and values to the softmax of what was seen before."""
        scores = jnp.einsum("bshk,bthk->bhst", q, k) * head**-0.5
        new = jnp.maximum(largest, jnp.max(scores, axis=-1))
        weights, old = jnp.exp(scores - new[..., None]), jnp.exp(largest - new)
        mixed = mixed * old[..., None] + jnp.einsum("bhst,bthk->bhsk", weights, v)
        return total * old + jnp.sum(weights, axis=-1), new, mixed

    @functools.partial(jax.shard_map, mesh=mesh, in_specs=(spec,) * 3, out_specs=spec)
    def attention(q, k, v):
        devices = lax.axis_size("seq")
        ring = [(i, (i + 1) % devices) for i in range(devices)]
        first = jnp.einsum("bshk,bshk->bhs", q, q) * 0
        state = first, first - 1e30, jnp.einsum("bhs,bshk->bhsk", first, q)

        def turn(carry, _):
            k, v, *state = carry
            state = attend(q, k, v, *state)
            return (lax.ppermute(k, "seq", ring), lax.ppermute(v, "seq", ring), *state), None

        (k, v, *state), _ = lax.scan(turn, (k, v, *state), length=devices - 1)
        total, _, mixed = attend(q, k, v, *state)
        return jnp.einsum("bhsk->bshk", mixed / total[..., None])

    def mean(q, k, v):
        return jnp.mean(jnp.square(attention(q, k, v)))

    return jitted(mesh, mean, (spec,) * 3, P()), (sds(batch, sequence, heads, head),) * 3


@case(data=8)
def manual_fsdp(mesh, plan):
    """Weights gathered by hand in a `shard_map` over all axes; the gradient of a gather is a reduce-scatter."""
    tokens, width, hidden = 4096, 256, 1024
    plan.all_gather("weights", 8, 2 * width * hidden)
    plan.reduce_scatter("gradients", 8, 2 * width * hidden)
    plan.all_reduce("loss", 8)
    specs = P("data", None), P("data", None), P("data", None)

    @functools.partial(jax.shard_map, mesh=mesh, in_specs=specs, out_specs=P())
    def loss(x, up, down):
        up, down = (lax.all_gather(w, "data", tiled=True) for w in (up, down))
        out = jax.nn.gelu(x @ up, approximate=True) @ down
        return lax.psum(jnp.sum(jnp.square(out - x)), "data") / (tokens * width)

    def step(p, x):
        value, gradients = jax.value_and_grad(lambda p: loss(x, p["up"], p["down"]))(p)
        return jax.tree.map(lambda p, g: p - 0.1 * g, p, gradients), value

    p = {"up": sds(width, hidden), "down": sds(hidden, width)}
    layout = {"up": specs[1], "down": specs[2]}
    return jitted(mesh, step, (layout, P("data")), (layout, P())), (p, sds(tokens, width))
