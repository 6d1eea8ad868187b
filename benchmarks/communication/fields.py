"""Equations on split grids: several levels, lattices, solves along either dimension, wide and dilated windows."""

import functools

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from case import case, sds
from moves import jitted


@case(x=2, y=2, z=2)
def relaxed_volume(mesh, plan):
    """Jacobi steps on a volume split along all dimensions, with the right side's residual as a measure: a face to each neighbour per step; one
    number at the end."""
    size, steps = 64, 6
    plan.permute("faces", size // 2, size // 2, times=6 * steps + 6)
    plan.all_reduce("residual", 8)

    def around(u):
        p = jnp.pad(u, 1)
        inner = slice(1, -1)
        faces = p[2:, inner, inner] + p[:-2, inner, inner] + p[inner, 2:, inner] + p[inner, :-2, inner]
        return faces + p[inner, inner, 2:] + p[inner, inner, :-2]

    def solve(f):
        u = lax.fori_loop(0, steps, lambda _, u: (around(u) + f) / 6, f)
        return u, jnp.sqrt(jnp.sum(jnp.square(6 * u - around(u) - f)))

    return jitted(mesh, solve, (P("x", "y", "z"),), (P("x", "y", "z"), P())), (sds(size, size, size),)


@case(x=2, y=4)
def lattice_boltzmann(mesh, plan):
    """Nine populations on a torus, each streaming its own way: three of them cross a side of a block, diagonal ones one side after the
    other."""
    size, steps = 128, 5
    ways = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)]
    plan.permute("rows", 3, size // 4, times=2 * steps)
    plan.permute("columns", 3, size // 2, times=2 * steps)
    weight = [4 / 9] + [1 / 9] * 4 + [1 / 36] * 4

    def step(f, _):
        density = jnp.sum(f, axis=0) + 1.0
        u = sum(f[i] * w[0] for i, w in enumerate(ways)) / density
        v = sum(f[i] * w[1] for i, w in enumerate(ways)) / density
        moved = []
        for i, (a, b) in enumerate(ways):
            along = a * u + b * v
            rest = weight[i] * (density - 1.0 + 3 * along + 4.5 * along**2 - 1.5 * (u * u + v * v))
            moved.append(jnp.roll(f[i] + 0.6 * (rest - f[i]), (a, b), (0, 1)))
        return jnp.stack(moved), None

    run = lambda f: lax.scan(step, f, length=steps)[0]
    return jitted(mesh, run, (P(None, "x", "y"),), P(None, "x", "y")), (sds(9, size, size),)


@case(rows=8)
def alternating_directions(mesh, plan):
    """Tridiagonal solves along the rows' dimension and along the other in turn (ADI), each a loop over positions there and back: rows are
    exchanged for columns and back, once per step."""
    size, steps = 256, 4
    plan.all_to_all("rows for columns, and back", 8, size // 8, size, times=2 * steps)

    def solve_first(d):
        """Solves (-a, 1 + 2a, -a) x = d along the first dimension."""
        a = 0.3

        def forward(state, d):
            c, e = state
            below = 1 + 2 * a - a * c
            return (a / below, (d + a * e) / below), (jnp.full_like(d, a / below), (d + a * e) / below)

        def backward(x, row):
            c, e = row
            return e + c * x, e + c * x

        _, rows = lax.scan(forward, (0.0, jnp.zeros_like(d[0])), d)
        return lax.scan(backward, jnp.zeros_like(d[0]), rows, reverse=True)[1]

    def step(u, _):
        return solve_first(solve_first(u).T).T, None

    run = lambda u: lax.scan(step, u, length=steps)[0]
    return jitted(mesh, run, (P(None, "rows"),), P(None, "rows")), (sds(size, size),)


@case(x=2, y=4)
def multigrid(mesh, plan):
    """V-cycles of three levels: every sweep and residual sends a row or a column to each neighbour; means of blocks and copies move nothing."""
    size, cycles, levels = 256, 2, 3

    # Per cycle: a sweep from zero needs nothing, then residual and two sweeps on the levels above the coarsest, four sweeps there.
    for level in range(levels):
        sweeps = 3 + 1 + 2 if level < levels - 1 else 8
        side = size >> level
        plan.permute("rows", side // 4, times=2 * sweeps * cycles)
        plan.permute("columns", side // 2, times=2 * sweeps * cycles)

    def around(u):
        p = jnp.pad(u, 1)
        return p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2]

    def sweep(u, f, times):
        for _ in range(times):
            u = 0.2 * u + 0.8 * (around(u) + f) / 4
        return u

    def cycle(u, f, level):
        if level == levels - 1:
            return sweep(u, f, 8)
        u = sweep(u, f, 3)
        rest = f - (4 * u - around(u))
        side = u.shape[0] // 2
        coarse = 4 * jnp.mean(rest.reshape(side, 2, side, 2), axis=(1, 3))
        correction = cycle(0 * coarse + 0.25 * coarse, coarse, level + 1)
        return sweep(u + jnp.repeat(jnp.repeat(correction, 2, axis=0), 2, axis=1), f, 2)

    def solve(f):
        return lax.fori_loop(0, cycles, lambda _, u: cycle(u, f, 0), f)

    return jitted(mesh, solve, (P("x", "y"),), P("x", "y")), (sds(size, size),)


@case(time=8)
def wide_window(mesh, plan):
    """A filter that reaches further than a neighbour's part: one and a half parts from either side."""
    batch, length, channels, reach = 4, 512, 16, 96
    plan.permute("the neighbours' parts", batch, length // 8, channels, times=2)
    plan.permute("of those behind", batch, reach - length // 8, channels, times=2)

    def smooth(x, kernel):
        numbers = ("NWC", "WIO", "NWC")
        return jnp.tanh(lax.conv_general_dilated(x, kernel, (1,), "SAME", dimension_numbers=numbers))

    arguments = sds(batch, length, channels), sds(2 * reach + 1, channels, 8)
    return jitted(mesh, smooth, (P(None, "time"), P()), P(None, "time")), arguments


@case(data=2, time=4)
def dilated_convolutions(mesh, plan):
    """A WaveNet's layers: causal pairs of taps ever further apart, on split time; each layer takes its distance from the left."""
    batch, length, width, dilations = 4, 512, 32, (1, 2, 4, 8, 16, 32, 64)
    plan.permute("ends of the parts", batch // 2, sum(dilations), width)

    def forward(p, x):
        for layer, distance in zip(p, dilations):
            convolve = functools.partial(lax.conv_general_dilated, window_strides=(1,), dimension_numbers=("NWC", "WIO", "NWC"))
            both = convolve(x, layer["in"], padding=[(distance, 0)], rhs_dilation=(distance,))
            filtered, gate = jnp.split(both, 2, axis=-1)
            x = x + (jnp.tanh(filtered) * jax.nn.sigmoid(gate)) @ layer["out"]
        return x

    layer = {"in": sds(2, width, 2 * width), "out": sds(width, width)}
    inputs = P(), P("data", "time")
    return jitted(mesh, forward, inputs, P("data", "time")), ([layer] * len(dilations), sds(batch, length, width))


@case(x=2, y=4)
def shortest_paths(mesh, plan):
    """All shortest paths by Floyd and Warshall, distances in blocks: per step a row goes to the blocks below and above it, a column to
    those beside."""
    size = 256
    plan.all_reduce("row", 2, size // 4, times=size)
    plan.all_reduce("column", 4, size // 2, times=size)

    def paths(d):
        def step(k, d):
            row = lax.dynamic_slice_in_dim(d, k, 1, axis=0)
            column = lax.dynamic_slice_in_dim(d, k, 1, axis=1)
            return jnp.minimum(d, column + row)

        return lax.fori_loop(0, size, step, jnp.abs(d))

    return jitted(mesh, paths, (P("x", "y"),), P("x", "y")), (sds(size, size),)


@case(x=8)
def block_substitution(mesh, plan):
    """A triangular system in blocks, the matrix split by columns: per block the product with what is solved is summed."""
    size, block, right = 1024, 64, 64
    plan.all_reduce("products", 8, block, right, times=size // block)

    def solve(lower, inverses, b):
        def step(k, x):
            rows = lax.dynamic_slice_in_dim(lower, k * block, block)
            rest = lax.dynamic_slice_in_dim(b, k * block, block) - rows @ x
            inverse = lax.dynamic_index_in_dim(inverses, k, keepdims=False)
            return lax.dynamic_update_slice_in_dim(x, inverse @ rest, k * block, axis=0)

        return lax.fori_loop(0, size // block, step, jnp.zeros_like(b))

    arguments = sds(size, size), sds(size // block, block, block), sds(size, right)
    return jitted(mesh, solve, (P(None, "x"), P(), P()), P()), arguments


@case(data=8)
def bodies(mesh, plan):
    """Bodies that attract each other, split: positions are gathered once per step."""
    number, steps = 1024, 6
    plan.all_gather("positions", 8, number, 3, times=steps)

    def run(place, speed):
        def step(state, _):
            place, speed = state
            apart = place[None] - place[:, None]
            pull = jnp.sum(apart * (jnp.sum(apart**2, axis=-1) + 0.1)[..., None] ** -1.5, axis=1) / number
            speed = speed + 0.1 * pull
            return (place + 0.1 * speed, speed), None

        return lax.scan(step, (place, speed), length=steps)[0]

    return jitted(mesh, run, (P("data"), P("data")), (P("data"), P("data"))), (sds(number, 3), sds(number, 3))


@case(rows=8)
def one_sided_edges(mesh, plan):
    """`jnp.gradient` along a split dimension: differences to both sides, at the edges to one; a row from each neighbour."""
    size = 512
    plan.permute("rows", 1, size // 8, times=2)
    function = lambda u: jnp.square(jnp.gradient(jnp.sin(u), axis=0))
    return jitted(mesh, function, (P("rows"),), P("rows")), (sds(size, size // 8),)


@case(time=8)
def recurrence_over_time(mesh, plan):
    """A linear recurrence by `associative_scan` over split time: each device's own, and what the parts make of a state, gathered."""
    length, width = 1024, 64
    plan.all_gather("parts", 8, 8, 2 * width)

    def run(decay, x):
        def combine(left, right):
            return left[0] * right[0], left[1] * right[0] + right[1]

        return lax.associative_scan(combine, (jax.nn.sigmoid(decay), x))[1]

    return jitted(mesh, run, (P("time"), P("time")), P("time")), (sds(length, width), sds(length, width))
