"""Rows that go to where a number says: experts that drop nothing or choose themselves, experts on three axes, tables of recommenders."""

import functools

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from architectures import count, descent
from case import case, constraints, sds
from experts import CAPACITY, EXPERTS, mixture


@case(data=2, model=4)
def dropless_experts(mesh, plan):
    """A Mixtral without capacity: in a `shard_map` over `data` only, every device sorts its tokens by expert and multiplies runs of
    rows (`ragged_dot`). The hidden layer of every expert is split over `model`: one sum of the tokens per pass."""
    width, hidden, experts, batch, sequence, chosen = 128, 256, 4, 8, 32, 2
    shapes = {"in": (width, width), "router": (width, experts), "up": (experts, width, hidden), "down": (experts, hidden, width)}
    plan.all_reduce("tokens, both passes", 4, batch // 2, sequence, width, times=2)
    plan.all_reduce("gradients", 2, count(shapes) - 2 * experts * width * hidden + 2 * experts * width * hidden // 4)
    plan.all_reduce("loss", 2)

    @functools.partial(
        jax.shard_map, mesh=mesh, in_specs=(P("data"), P(), P(), P()), out_specs=P("data"), axis_names={"data"}, check_vma=False
    )
    def mixture(x, router, up, down):
        tokens = x.reshape(-1, width)
        weights, best = lax.top_k(jax.nn.softmax(tokens @ router, axis=-1), chosen)
        order = jnp.argsort(best.reshape(-1))
        sizes = jnp.bincount(best.reshape(-1), length=experts).astype(jnp.int32)
        inner = jax.nn.gelu(lax.ragged_dot(tokens[order // chosen], up, sizes), approximate=True)
        outer = lax.ragged_dot(inner, down, sizes) * weights.reshape(-1)[order][:, None]
        return jnp.zeros_like(tokens).at[order // chosen].add(outer).reshape(x.shape)

    def loss(p, x):
        x = jnp.tanh(x @ p["in"])
        return jnp.mean(jnp.square(x + mixture(x, p["router"], p["up"], p["down"])))

    specs = {"in": P(), "router": P(), "up": P(None, None, "model"), "down": P(None, "model", None)}
    return descent(mesh, loss, shapes, specs, (sds(batch, sequence, width),), (P("data"),))


@case(data=2, expert=2, model=2)
def experts_on_three_axes(mesh, plan):
    """Experts on one axis, their hidden layer on another, the batch on two: one exchange each way, and the sum over the hidden
    layer only of the tokens that came back, which are fewer than the places for them."""
    width, hidden, experts, capacity, batch, sequence = 256, 512, EXPERTS, CAPACITY, 16, 128
    shapes = {"in": (width, width), "router": (width, experts), "up": (experts, width, hidden), "down": (experts, hidden, width)}
    slots = experts, batch // 4, capacity, width
    plan.all_to_all("tokens to experts and back, both passes", 2, *slots, times=4)
    plan.all_reduce("tokens, both passes", 2, batch // 4, sequence, width, times=2)
    plan.all_reduce("gradients outside of the experts", 4, width * width + width * experts)
    plan.all_reduce("gradients of the experts", 2, 2 * experts * width * hidden // 4)
    plan.all_reduce("loss", 4)
    annotate = constraints(mesh, experts=P("expert", "data"), residual=P(("data", "expert")))

    def loss(p, x):
        x = jnp.tanh(x @ p["in"])
        return jnp.mean(jnp.square(x + mixture(x, p, annotate)))

    specs = {"in": P(), "router": P(), "up": P("expert", None, "model"), "down": P("expert", "model", None)}
    return descent(mesh, loss, shapes, specs, (sds(batch, sequence, width),), (P(("data", "expert")),))


@case(data=8)
def experts_choose(mesh, plan):
    """Every expert takes the tokens of a sequence that it likes best: gathered by number on the sequence's device, exchanged,
    exchanged back, and added to where they came from."""
    width, hidden, experts, capacity, batch, sequence = 256, 512, 8, 32, 16, 128
    shapes = {"in": (width, width), "router": (width, experts), "up": (experts, width, hidden), "down": (experts, hidden, width)}
    plan.all_to_all("tokens to experts and back, both passes", 8, experts, batch // 8, capacity, width, times=4)
    plan.all_reduce("gradients outside of the experts", 8, width * width + width * experts)
    plan.all_reduce("loss", 8)
    annotate = constraints(mesh, experts=P("data"), tokens=P("data"))

    def mixture(p, x):
        gates = jax.nn.softmax(x @ p["router"], axis=-1)
        weights, chosen = lax.top_k(jnp.swapaxes(gates, 1, 2), capacity)
        taken = jax.vmap(lambda x, i: x[i])(x, chosen)
        inputs = annotate(jnp.swapaxes(taken, 0, 1), "experts")
        inner = jax.nn.gelu(jnp.einsum("ebcd,edf->ebcf", inputs, p["up"]), approximate=True)
        outputs = annotate(jnp.einsum("ebcf,efd->ebcd", inner, p["down"]), "experts")
        outputs = jnp.swapaxes(outputs, 0, 1) * weights[..., None]
        return annotate(jax.vmap(lambda i, y: jnp.zeros((sequence, width)).at[i].add(y))(chosen, outputs), "tokens")

    def loss(p, x):
        x = jnp.tanh(x @ p["in"])
        return jnp.mean(jnp.square(x + mixture(p, x)))

    specs = {"in": P(), "router": P(), "up": P("data"), "down": P("data")}
    return descent(mesh, loss, shapes, specs, (sds(batch, sequence, width),), (P("data"),))


def recommender(mesh, table_spec, rows):
    """A DLRM: 8 tables, a number for each per example; their rows' products with each other and a dense part make the score."""
    tables, width, batch = 8, 64, 512
    shapes = {"tables": (tables, rows, width), "dense": (width, width), "score": (tables + 1, tables + 1)}

    def loss(p, numbers, features, clicked):
        found = jax.vmap(lambda table, i: table[i], in_axes=(0, 1), out_axes=1)(p["tables"], numbers)
        both = jnp.concatenate([jnp.tanh(features @ p["dense"])[:, None], found], axis=1)
        score = jnp.einsum("bik,bjk,ij->b", both, both, p["score"])
        return jnp.mean(jnp.logaddexp(0.0, score) - clicked * score)

    arrays = sds(batch, tables, dtype="int32"), sds(batch, width), sds(batch)
    specs = {"tables": table_spec, "dense": P(), "score": P()}
    return descent(mesh, loss, shapes, specs, arrays, (P("data"),) * 3)


@case(data=8, limit=1024)
def recommender_by_tables(mesh, plan):
    """Every device has one whole table: numbers go to the tables, rows come back, and the rows' gradients go again."""
    tables, width, batch = 8, 64, 512
    plan.all_to_all("numbers", 8, batch, tables // 8)
    plan.all_to_all("rows and their gradients", 8, batch, tables // 8, width, times=2)
    plan.all_reduce("gradients of the dense part", 8, width * width + (tables + 1) ** 2)
    plan.all_reduce("loss", 8)
    return recommender(mesh, P("data"), 1024)


@case(data=8, limit=16384)
def recommender_by_rows(mesh, plan):
    """Every device has some rows of all tables, which are too large to be moved: all numbers are gathered, what was found is reduce-scattered to the examples, and its
    gradient gathered."""
    tables, width, batch = 8, 64, 512
    plan.all_gather("numbers", 8, batch, tables)
    plan.reduce_scatter("rows", 8, batch, tables, width)
    plan.all_gather("gradients of rows", 8, batch, tables, width)
    plan.all_reduce("gradients of the dense part", 8, width * width + (tables + 1) ** 2)
    plan.all_reduce("loss", 8)
    return recommender(mesh, P(None, "data"), 16384)
