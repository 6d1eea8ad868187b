"""Regions by hand (`shard_map`) in loops and beside annotations, and programs on several meshes."""

import functools

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

from case import case, sds
from moves import jitted


@case(data=2, model=4)
def scanned_region(mesh, plan):
    """A loop over layers in which a region by hand gathers the sequence, multiplies, and scatters sums; the batch is left to the compiler."""
    layers, batch, length, width, hidden = 4, 4, 128, 128, 512
    plan.all_gather("sequence", 4, batch // 2, length, width, times=layers)
    plan.reduce_scatter("sums", 4, batch // 2, length, width, times=layers)
    sequence = P(None, "model")

    @functools.partial(
        jax.shard_map, mesh=mesh, in_specs=(sequence, P(None, "model"), P("model")), out_specs=sequence, axis_names={"model"}
    )
    def layer(x, up, down):
        whole = lax.all_gather(x, "model", axis=1, tiled=True)
        return lax.psum_scatter(jax.nn.relu(whole @ up) @ down, "model", scatter_dimension=1, tiled=True)

    def forward(p, x):
        return lax.scan(lambda x, now: (x + layer(jnp.tanh(x), now["up"], now["down"]), None), x, p)[0]

    p = {"up": sds(layers, width, hidden), "down": sds(layers, hidden, width)}
    specs = {"up": P(None, None, "model"), "down": P(None, "model")}
    return jitted(mesh, forward, (specs, P("data", "model")), P("data", "model")), (p, sds(batch, length, width))


@case(data=2, expert=2, model=2)
def experts_by_hand(mesh, plan):
    """Tokens exchanged by hand along one axis, experts' matrices split by annotation along another, groups of tokens along the third: what
    is exchanged has its groups split, and sums over the matrices' axis are of that part."""
    experts, groups, tokens, width, hidden = 4, 8, 32, 64, 256
    plan.all_to_all("there and back", 2, experts, groups // 2, tokens // 2, width, times=2)
    plan.all_reduce("results", 2, experts // 2, groups // 2, tokens, width)
    spec, tokens_spec = P("expert"), P(None, None, "expert")

    @functools.partial(
        jax.shard_map, mesh=mesh, in_specs=(spec, spec, tokens_spec), out_specs=tokens_spec, axis_names={"expert"}
    )
    def apply(up, down, x):
        x = lax.all_to_all(x, "expert", split_axis=0, concat_axis=2, tiled=True)
        x = jnp.einsum("egth,ehd->egtd", jax.nn.relu(jnp.einsum("egtd,edh->egth", x, up)), down)
        return lax.all_to_all(x, "expert", split_axis=2, concat_axis=0, tiled=True)

    def forward(p, x):
        return apply(p["up"], p["down"], x)

    p = {"up": sds(experts, width, hidden), "down": sds(experts, hidden, width)}
    specs = {"up": P("expert", None, "model"), "down": P("expert", "model")}
    batch = P(None, "data", "expert")
    return jitted(mesh, forward, (specs, batch), batch), (p, sds(experts, groups, tokens, width))


@case(x=2, y=4)
def halos_by_hand(mesh, plan):
    """Steps of a heat equation with hand-written permutes in a loop, the norm by hand, and the right side made outside by annotation."""
    size, steps = 256, 6
    plan.permute("rows", size // 4, times=2 * steps)
    plan.permute("columns", size // 2, times=2 * steps)
    plan.all_reduce("norm", 8)
    spec = P("x", "y")

    def shifted(u, axis, name, forward):
        n = lax.axis_size(name)
        ring = [(i, (i + 1) % n) if forward else ((i + 1) % n, i) for i in range(n)]
        edge = lax.slice_in_dim(u, -1, None, axis=axis) if forward else lax.slice_in_dim(u, 0, 1, axis=axis)
        came = lax.ppermute(edge, name, ring)
        kept = lax.slice_in_dim(u, 0, -1, axis=axis) if forward else lax.slice_in_dim(u, 1, None, axis=axis)
        return jnp.concatenate([came, kept] if forward else [kept, came], axis=axis)

    @functools.partial(jax.shard_map, mesh=mesh, in_specs=spec, out_specs=(spec, P()))
    def heat(u):
        def step(_, u):
            around = sum(shifted(u, axis, name, way) for axis, name in ((0, "x"), (1, "y")) for way in (True, False))
            return u + 0.1 * (around - 4 * u)

        u = lax.fori_loop(0, steps, step, u)
        return u, jnp.sqrt(lax.psum(jnp.sum(u * u), ("x", "y")))

    return jitted(mesh, lambda u: heat(jnp.sin(u)), (spec,), (spec, P())), (sds(size, size),)


@case(x=2, y=4)
def two_meshes(mesh, plan):
    """Rows on a mesh of one axis, then blocks on a mesh of two: one exchange along the second axis, of the first product's result; the second
    product is summed."""
    rows, width, hidden = 512, 256, 512
    plan.all_to_all("rows for columns", 4, rows // 8, hidden)
    plan.reduce_scatter("second product", 4, rows // 2, width)
    line = Mesh(mesh.devices.reshape(-1), ("all",))

    def forward(x, a, b):
        x = jax.nn.relu(x @ a)
        x = lax.with_sharding_constraint(x, NamedSharding(mesh, P("x", "y")))
        return x @ b

    on_line = lambda *spec: NamedSharding(line, P(*spec))
    inputs = on_line("all"), on_line(), NamedSharding(mesh, P("y"))
    return jax.jit(forward, in_shardings=inputs, out_shardings=on_line("all")), (
        sds(rows, width), sds(width, hidden), sds(hidden, width),
    )  # fmt: skip


@case(data=2, seq=4)
def rings_in_layers(mesh, plan):
    """Ring attention by hand in a loop over layers whose projections are left to the compiler: keys and values go round, weights stay."""
    layers, batch, length, width, heads = 3, 4, 256, 128, 4
    head = width // heads
    plan.permute("keys and values", batch // 2, length // 4, heads, head, times=2 * 3 * layers)
    spec = P("data", "seq")

    @functools.partial(jax.shard_map, mesh=mesh, in_specs=(spec,) * 3, out_specs=spec)
    def attention(q, k, v):
        n = lax.axis_size("seq")
        ring = [(i, (i + 1) % n) for i in range(n)]
        total, mixed = 0.0, 0.0
        for turn in range(n):
            weights = jnp.exp(jnp.einsum("bshk,bthk->bhst", q, k))
            total = total + jnp.sum(weights, axis=-1)
            mixed = mixed + jnp.einsum("bhst,bthk->bhsk", weights, v)
            if turn < n - 1:
                k, v = lax.ppermute(k, "seq", ring), lax.ppermute(v, "seq", ring)
        return jnp.einsum("bhsk->bshk", mixed / total[..., None])

    def forward(p, x):
        def layer(x, w):
            q, k, v = (jnp.einsum("bsd,dhk->bshk", x, w[name]) for name in "qkv")
            return x + jnp.einsum("bshk,hkd->bsd", attention(q, k, v), w["o"]), None

        return lax.scan(layer, x, p)[0]

    p = {name: sds(layers, width, heads, head) for name in "qkv"} | {"o": sds(layers, heads, head, width)}
    return jitted(mesh, forward, (P(), spec), spec), (p, sds(batch, length, width))
