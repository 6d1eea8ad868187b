"""Programs that leave it to several hands where data is: axes by hand inside of one another, axes that are part of types, and heads that do not divide."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P

from programs import OWN, program, sharding

RANDOM = np.random.default_rng(12)


def normal(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


CUBE = Mesh(np.array(jax.devices()).reshape(2, 2, 2), ("a", "b", "c"))


@program(normal(8, 8), check=True, gpus=OWN, in_shardings=(NamedSharding(CUBE, P("a", ("b", "c"))),))
def regions_three_deep(x):
    """Each region is over one axis more; what each sums up is the same on all devices of its own."""
    inner = lambda x: lax.psum(x * x, "c")
    middle = lambda x: lax.pmean(jax.shard_map(inner, in_specs=P(None, "c"), out_specs=P(), axis_names={"c"})(x) + jnp.sum(x), "b")
    outer = lambda x: lax.psum(jax.shard_map(middle, in_specs=P(None, "b"), out_specs=P(), axis_names={"b"})(jnp.tanh(x)), "a")
    return jax.shard_map(outer, mesh=CUBE, in_specs=P("a"), out_specs=P(), axis_names={"a"})(x) + x[:4, :2]


def branched(x):
    """What `regions_that_branch` does, in which XLA's devices wait for each other in vain."""
    return np.concatenate([np.cumsum(x[:4], 1), np.flip(x[4:], 1)])


@program(normal(8, 12), check=True, gpus=OWN, reference=branched, in_shardings=(sharding("data", "model"),))
def regions_that_branch(x):
    """Rows of devices take different branches; the columns, which are split by annotation, are exchanged in either."""

    def body(x):
        split = lambda x: lax.with_sharding_constraint(x, P(None, "model"))
        accumulate, turn = lambda x: split(jnp.cumsum(split(x), 1)), lambda x: split(jnp.flip(split(x), 1))
        return lax.cond(lax.axis_index("data") == 0, accumulate, turn, x)

    return jax.shard_map(body, mesh=sharding().mesh, in_specs=P("data"), out_specs=P("data"), axis_names={"data"})(x)


TYPED = Mesh(np.array(jax.devices()).reshape(2, 4), ("data", "model"), axis_types=(AxisType.Explicit, AxisType.Explicit))


def typed(array, *dimensions):
    return jax.device_put(array, NamedSharding(TYPED, P(*dimensions)))


@program(typed(normal(8, 16), "data", "model"), typed(normal(16, 6), "model", None), check=True, gpus=OWN)
def axes_in_types(x, w):
    """Explicit sharding: sums that stay pending where the program says so, through an addition and back in the gradient."""
    on = lambda *dimensions, **rest: NamedSharding(TYPED, P(*dimensions, **rest))

    def loss(x, w):
        pending = jnp.dot(x, w, out_sharding=on("data", None, unreduced={"model"}))
        twice = jax.sharding.reshard(pending + pending, on("data", None))
        rows = jax.sharding.reshard(jnp.tanh(twice), on(("data", "model"), None))
        return jnp.sum(jnp.einsum("ij,kj->ik", rows, rows, out_sharding=on(None, None)))

    return jax.value_and_grad(loss, argnums=(0, 1))(x, w)


COLUMNS, ROWS = sharding(None, "model"), sharding("model", None)


@program(
    normal(4, 8, 12),
    [0.3 * normal(12, 20) for _ in range(3)],
    0.3 * normal(20, 12),
    check=True,
    meshes=("", "data=1,model=8"),
    in_shardings=(sharding("data"), [COLUMNS] * 3, ROWS),
)
def undivided_heads(x, projections, mix):
    """Five heads, projected to by columns that are split in four: the batch takes over within attention."""

    def loss(projections, mix):
        q, k, v = ((x @ p).reshape(4, 8, 5, 4) for p in projections)
        weights = jax.nn.softmax(jnp.einsum("bshd,bthd->bhst", q, k), axis=-1)
        return jnp.sum((jnp.einsum("bhst,bthd->bshd", weights, v).reshape(4, 8, 20) @ mix) ** 2)

    return jax.value_and_grad(loss, argnums=(0, 1))(projections, mix)


def along_one(body, mesh, axes, **options):
    """`body` by hand over `axes` of `mesh`, along which there is one device."""
    return jax.shard_map(body, mesh=mesh, in_specs=(P(axes), P()), out_specs=P(axes), axis_names=set(axes), check_vma=False, **options)


def collectives(axis):
    """Everything that devices do together along `axis`."""

    def body(x, w):
        y = jnp.tanh(x @ w)
        count = lax.axis_size(axis)
        around = lax.ppermute(y, axis, [(k, (k + 1) % count) for k in range(count)])
        joined = lax.all_gather(y, axis, tiled=True).sum() + lax.psum_scatter(y, axis, tiled=True).mean() + lax.all_to_all(y, axis, 0, 0, tiled=True).max()
        return (y + lax.axis_index(axis) + around) / lax.psum(1 + jnp.sum(y * y), axis) + joined + lax.pmax(y.min(), axis)

    return body


ONE = Mesh(np.array(jax.devices()[:1]), ("data",))
ONE_OF_TWO = Mesh(np.array(jax.devices()[:2]).reshape(1, 2), ("data", "model"))
SQUARE = 0.5 * normal(8, 8)


@program(normal(8, 8), SQUARE, meshes=("", "data=1"), check=True, gpus=OWN)
def region_of_one_device(x, w):
    """A mesh of one device: JAX leaves out the region and the mesh, but not the collectives."""
    return along_one(collectives("data"), ONE, ("data",))(x, w)


@program(normal(8, 8), SQUARE, check=True, gpus=OWN, meshes=("", "data=1,model=1", "data=4,model=2"), in_shardings=(NamedSharding(ONE_OF_TWO, P("data", "model")), None))
def region_along_one_device(x, w):
    """One device along the axis that is by hand, two along the other."""
    return along_one(collectives("data"), ONE_OF_TWO, ("data",))(x, w)


@program(normal(8, 8), SQUARE, check=True, gpus=OWN)
def region_along_one_of_two_axes(x, w):
    """Both axes are by hand, and there is one device along one of them."""
    body = lambda x, w: collectives("data")(x, w) + lax.psum(jnp.sum(x), ("data", "model")) + collectives("model")(x, w)
    return along_one(body, ONE_OF_TWO, ("data", "model"))(x, w)


@program(normal(8, 8), SQUARE, gpus=OWN)
def region_of_no_axes(x, w):
    """A region over no axis at all."""
    body = lambda x, w: jnp.tanh(x @ w)
    return jax.shard_map(body, mesh=ONE_OF_TWO, in_specs=(P(), P()), out_specs=P(), axis_names=set())(x, w)


@program(normal(8, 8), check=True, gpus=OWN, in_shardings=(sharding("data", "model"),))
def annotated_initial_values(x):
    """Where reductions begin is annotated."""
    zero, low = (lax.with_sharding_constraint(jnp.float32(v), sharding()) for v in (0, -np.inf))
    windows = [lax.reduce_window(x, zero, lax.add, (3, 3), (1, 1), "SAME"), lax.reduce_window(x, low, lax.max, (2, 2), (2, 2), "VALID")]
    return windows, lax.reduce(x, low, lax.max, (0,)), lax.pad(x, zero, ((1, 0, 0), (0, 2, 1)))
