"""Rows and entries of split tables: looked up, sorted, counted, compared; Gram matrices; reshards that split otherwise."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from case import case, sds
from moves import jitted


@case(x=2, y=4, limit=4096)
def bags_of_rows_and_columns(mesh, plan):
    """Sums of looked-up rows of a table in blocks, bags split on the axis that splits its rows: their places are gathered, sums of the own
    rows and columns reduce-scattered to their bags, and columns gathered."""
    rows, width, bags, items = 4096, 128, 256, 16
    plan.all_gather("places", 2, bags, items)
    plan.reduce_scatter("sums", 2, bags, width // 4)
    plan.all_gather("columns", 4, bags // 2, width)
    function = lambda table, places: jnp.tanh(jnp.sum(table[places], axis=1))
    arguments = sds(rows, width), sds(bags, items, dtype="int32")
    return jitted(mesh, function, (P("x", "y"), P("x")), P("x")), arguments


@case(data=8, limit=8192)
def few_rows_taken(mesh, plan):
    """Few rows taken out of many, all split: places are gathered, and what each device has of the rows is reduce-scattered."""
    rows, width, taken = 8192, 64, 512
    plan.all_gather("places", 8, taken)
    plan.reduce_scatter("rows", 8, taken, width)
    arguments = sds(rows, width), sds(taken, dtype="int32")
    return jitted(mesh, lambda x, places: jnp.take(x, places, axis=0), (P("data"), P("data")), P("data")), arguments


@case(data=8, limit=512)
def many_rows_taken(mesh, plan):
    """Many rows taken out of few, all split: the few are gathered."""
    rows, width, taken = 512, 64, 8192
    plan.all_gather("table", 8, rows, width)
    arguments = sds(rows, width), sds(taken, dtype="int32")
    return jitted(mesh, lambda x, places: x[places] * 2, (P("data"), P("data")), P("data")), arguments


@case(data=8)
def quantiles(mesh, plan):
    """Columns scaled by their quantiles, rows split: rows are exchanged for columns, sorted, and the quantiles of all columns gathered."""
    rows, width = 4096, 64
    plan.all_to_all("rows for columns", 8, rows // 8, width)
    plan.all_gather("quantiles", 8, 3, width)

    def scale(x):
        low, middle, high = jnp.quantile(x, jnp.array([0.25, 0.5, 0.75]), axis=0)
        return (x - middle) / (high - low + 1e-3)

    return jitted(mesh, scale, (P("data"),), P("data")), (sds(rows, width),)


@case(data=8)
def running_sums(mesh, plan):
    """Sums from the beginning of a split dimension on: each device's own, and the totals of all, gathered."""
    rows, length = 16, 8192
    plan.all_gather("totals", 8, rows, 8)
    return jitted(mesh, lambda x: jnp.cumsum(x, axis=1), (P(None, "data"),), P(None, "data")), (sds(rows, length),)


@case(data=2, model=4, limit=16)
def histogram_boosting(mesh, plan):
    """A split of a boosted tree: rows on one axis, features on the other. Histograms are summed over rows; of the gains the best of every
    part are gathered, and the chosen feature's column is summed over those who have it."""
    rows, features, bins = 4096, 64, 16
    plan.all_reduce("histograms", 2, features // 4, bins, 2)
    plan.all_gather("best gains and their places", 4, 4, times=2)
    plan.all_reduce("chosen column", 4, rows // 2)

    def split(binned, gradient, hessian):
        values = jnp.stack([gradient, jnp.abs(hessian) + 0.1], axis=1)
        marks = jax.nn.one_hot(binned, bins)
        histogram = jnp.einsum("rfb,rv->fbv", marks, values)
        left = jnp.cumsum(histogram, axis=1)
        right = left[:, -1:] - left
        gain = jnp.sum(jnp.stack([left, right])[..., 0] ** 2 / (jnp.stack([left, right])[..., 1] + 1.0), axis=0)
        best = jnp.argmax(gain.reshape(-1))
        column = lax.dynamic_index_in_dim(binned, best // bins, axis=1, keepdims=False)
        return best, column > best % bins

    arguments = sds(rows, features, dtype="int32"), sds(rows), sds(rows)
    return jitted(mesh, split, (P("data", "model"), P("data"), P("data")), (P(), P("data"))), arguments


@case(data=8, limit=2048)
def page_rank(mesh, plan):
    """Ranks of split pages by split links: ranks are gathered, each device sums what its links bring, and the sums are reduce-scattered; in
    every step."""
    pages, links, steps = 2048, 16384, 8
    plan.all_reduce("numbers of links", 8, pages)
    plan.all_gather("ranks", 8, pages, times=steps)
    plan.reduce_scatter("sums", 8, pages, times=steps)

    def run(start, source, target):
        number = jax.ops.segment_sum(jnp.ones(links), source, num_segments=pages)
        share = 0.85 / jnp.maximum(number, 1.0)

        def step(rank, _):
            brought = jax.ops.segment_sum((rank * share)[source], target, num_segments=pages)
            return 0.15 / pages + brought, None

        return lax.scan(step, start, length=steps)[0]

    arguments = sds(pages), sds(links, dtype="int32"), sds(links, dtype="int32")
    return jitted(mesh, run, (P("data"),) * 3, P("data")), arguments


@case(data=8)
def particles_in_cells(mesh, plan):
    """Split particles leave their charge in a grid that all have: it is summed once per step; the field is everybody's own work."""
    particles, cells, steps = 8192, 512, 5
    plan.all_reduce("charge", 8, cells, times=steps)

    def run(place, speed):
        def step(state, _):
            place, speed = state
            at = (place - jnp.floor(place)) * cells
            left = at.astype(jnp.int32) % cells
            share = at - jnp.floor(at)
            charge = jnp.zeros(cells).at[left].add(1 - share).at[(left + 1) % cells].add(share)
            field = jnp.cumsum(charge * cells / particles - 1.0) / cells
            speed = speed - 0.01 * ((1 - share) * field[left] + share * field[(left + 1) % cells])
            return (place + 0.01 * speed, speed), None

        return lax.scan(step, (place, speed), length=steps)[0]

    return jitted(mesh, run, (P("data"), P("data")), (P("data"), P("data"))), (sds(particles), sds(particles))


@case(data=8)
def kernel_regression(mesh, plan):
    """Few points are estimated from many, all split by rows: the few are gathered, and their weighted sums reduce-scattered."""
    known, asked, width = 8192, 256, 32
    plan.all_gather("points that are asked for", 8, asked, width)
    plan.reduce_scatter("weighted sums and sums of weights", 8, asked, 2)

    def estimate(x, y, at):
        apart = jnp.sum(at**2, axis=1)[:, None] + jnp.sum(x**2, axis=1) - 2 * at @ x.T
        weights = jnp.exp(-4 * apart)
        return weights @ y / jnp.sum(weights, axis=1)

    arguments = sds(known, width), sds(known), sds(asked, width)
    return jitted(mesh, estimate, (P("data"),) * 3, P("data")), arguments


@case(x=2, y=4)
def gram_of_blocks(mesh, plan):
    """A wide matrix in blocks times its transpose, in blocks again: rows are gathered over one axis, products reduce-scattered over the
    other."""
    rows, width = 512, 2048
    plan.all_gather("rows", 2, rows, width // 4)
    plan.reduce_scatter("products", 4, rows // 2, rows)
    return jitted(mesh, lambda a: a @ a.T, (P("x", "y"),), P("x", "y")), (sds(rows, width),)


@case(x=2, y=4)
def merged_dimensions(mesh, plan):
    """Heads that are split become the minor half of a merged dimension that is wanted split by its major half: heads are exchanged for
    positions, within the rows that one device has."""
    batch, length, heads, head = 8, 64, 16, 32
    plan.all_to_all("heads for positions", 4, batch // 2, length, heads // 4, head)
    function = lambda t: jnp.sin(t).reshape(batch * length, heads * head) + 1
    return jitted(mesh, function, (P("x", None, "y", None),), P(("x", "y"), None)), (sds(batch, length, heads, head),)


@case(x=2, y=4)
def axes_in_other_order(mesh, plan):
    """[x, y] -> [(y, x), -]: every device lacks nearly all of its new rows, and sends its part at most."""
    plan.permute("rows", 512 // 8, 512)
    return jitted(mesh, lambda t: jnp.cos(t), (P("x", "y"),), P(("y", "x"), None)), (sds(512, 512),)


@case(x=2, y=2, z=2)
def three_axes_turned(mesh, plan):
    """[x, y, z] -> [y, z, x]: blocks change places."""
    plan.permute("blocks", 64 // 2, 64 // 2, 64 // 2)
    return jitted(mesh, lambda t: jnp.cos(t), (P("x", "y", "z"),), P("y", "z", "x")), (sds(64, 64, 64),)


@case(x=2, y=4)
def transposed_matrix(mesh, plan):
    """A matrix in blocks plus its transpose: of the transposed blocks each device lacks nearly all, at most its part."""
    plan.permute("blocks", 512 // 2, 512 // 4)
    return jitted(mesh, lambda a: a + a.T, (P("x", "y"),), P("x", "y")), (sds(512, 512),)


@case(data=8)
def joined_and_cut(mesh, plan):
    """Two split sequences behind one another, and a window from the middle of the first on, split again: every device sends one of its parts."""
    length, width, kept = 512, 64, 512
    plan.permute("parts", length // 8, width)
    function = lambda a, b: jnp.tanh(jnp.concatenate([a, b])[256 : 256 + kept])
    return jitted(mesh, function, (P("data"), P("data")), P("data")), (sds(length, width), sds(length, width))


@case(data=8)
def shared_statistics(mesh, plan):
    """A network's inputs scaled by mean and variance over rows, and clipped by the norm of all: sums of columns, of squares, one number."""
    rows, width = 4096, 256
    plan.all_reduce("sums and squares", 8, width, times=2)
    plan.all_reduce("norm", 8)

    def scale(x):
        x = (x - jnp.mean(x, axis=0)) / jnp.sqrt(jnp.var(x, axis=0) + 1e-3)
        return x * jnp.minimum(1.0, 100.0 / jnp.sqrt(jnp.sum(x * x)))

    return jitted(mesh, scale, (P("data"),), P("data")), (sds(rows, width),)


@case(data=2, model=4)
def branches(mesh, plan):
    """Either a dense layer or a low-rank one, as a number of all rows says: each branch has one sum, of its result or of what is narrow."""
    rows, width, hidden, rank = 512, 256, 1024, 16
    plan.all_reduce("measure", 8)
    plan.all_reduce("result", 4, rows // 2, width)

    def forward(p, x):
        dense = lambda x: jax.nn.relu(x @ p["up"]) @ p["down"]
        narrow = lambda x: (x @ p["a"]) @ p["b"]
        return lax.cond(jnp.mean(x) > 10.0, narrow, dense, x) + x

    p = {"up": sds(width, hidden), "down": sds(hidden, width), "a": sds(width, rank), "b": sds(rank, width)}
    specs = {"up": P(None, "model"), "down": P("model"), "a": P(), "b": P()}
    return jitted(mesh, forward, (specs, P("data")), P("data")), (p, sds(rows, width))


@case(data=8)
def ranks(mesh, plan):
    """The rank of every row's element in its column, by sorting places twice: rows are exchanged for columns, and back."""
    rows, width = 4096, 64
    plan.all_to_all("rows for columns, and back", 8, rows // 8, width, times=2)
    function = lambda x: jnp.argsort(jnp.argsort(x, axis=0), axis=0)
    return jitted(mesh, function, (P("data"),), P("data")), (sds(rows, width),)


@case(data=8, limit=1024)
def graph_attention(mesh, plan):
    """Attention along split edges: nodes are gathered, maxima reduced, sums of weights and of weighted nodes reduce-scattered."""
    nodes, edges, width = 1024, 16384, 32
    plan.all_gather("nodes", 8, nodes, width)
    plan.all_reduce("maxima", 8, nodes)
    plan.reduce_scatter("sums", 8, nodes, width + 1)

    def attend(p, x, source, target):
        h = x @ p["w"]
        score = jax.nn.leaky_relu((h @ p["a"])[source] + (h @ p["b"])[target])
        most = jax.ops.segment_max(score, target, num_segments=nodes)
        weight = jnp.exp(score - most[target])
        total = jax.ops.segment_sum(weight, target, num_segments=nodes)
        mixed = jax.ops.segment_sum(weight[:, None] * h[source], target, num_segments=nodes)
        return mixed / (total[:, None] + 1e-6)

    p = {"w": sds(width, width), "a": sds(width), "b": sds(width)}
    edge = sds(edges, dtype="int32")
    return jitted(mesh, attend, (P(), P("data"), P("data"), P("data")), P("data")), (p, sds(nodes, width), edge, edge)


@case(data=8)
def orthonormal_columns(mesh, plan):
    """Gram and Schmidt on split rows: per column its norm and its products with the others are summed."""
    rows, columns = 4096, 16
    plan.all_reduce("norms", 8, times=columns)
    plan.all_reduce("products", 8, columns, times=columns)

    def orthonormal(a):
        def step(k, q):
            column = lax.dynamic_slice_in_dim(q, k, 1, axis=1)
            column = column / (jnp.sqrt(jnp.sum(column * column)) + 1e-6)
            products = jnp.where(jnp.arange(columns) > k, column.T @ q, 0)
            return lax.dynamic_update_slice_in_dim(q - column @ products, column, k, axis=1)

        return lax.fori_loop(0, columns, step, a)

    return jitted(mesh, orthonormal, (P("data"),), P("data")), (sds(rows, columns),)
