"""Programs with per-device code over several meshes of the same devices."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

from programs import OWN, program

RANDOM = np.random.default_rng(4)


def normal(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def grid(sizes, axes):
    """A mesh of the first devices."""
    return Mesh(np.array(jax.devices()[: np.prod(sizes)]).reshape(sizes), axes)


def exchange(mesh):
    """By hand over both axes of `mesh`: positions, a ring along the second axis, sums over either."""
    first, second = mesh.axis_names
    ring = [(i, (i + 1) % mesh.shape[second]) for i in range(mesh.shape[second])]

    @lambda body: jax.shard_map(body, mesh=mesh, in_specs=P(first, second), out_specs=P(first, second))
    def body(x):
        x = x * (1.0 + lax.axis_index(first)) + lax.ppermute(x, second, ring)
        return x - lax.pmean(x, first) + lax.all_gather(x, second, axis=1, tiled=True)[:, : x.shape[1]]

    return body


TWO, THREE = grid((2, 3), ("x", "y")), grid((3, 2), ("u", "v"))


@program(
    normal(12, 12),
    normal(12, 6),
    check=True,
    gpus=OWN,
    in_shardings=(NamedSharding(TWO, P("x", "y")), NamedSharding(THREE, P("u"))),
)
def meshes_by_hand(x, w):
    """2 x 3 and 3 x 2 devices: no grid has the axes of both."""
    x = exchange(THREE)(exchange(TWO)(x) * 2.0)
    return lax.with_sharding_constraint(x @ w, NamedSharding(THREE, P()))


@program(
    normal(12, 12),
    normal(12, 12),
    check=True,
    gpus=OWN,
    in_shardings=(NamedSharding(TWO, P("x", "y")), NamedSharding(THREE, P(("u", "v")))),
)
def meshes_partly_by_hand(x, w):
    """The same two, each with one of its axes by hand and the other split by annotation."""
    swap = lambda a: lax.ppermute(a, "x", [(0, 1), (1, 0)]) * (1.0 + lax.axis_index("x"))
    scatter = lambda a: lax.psum_scatter(a * (1.0 + lax.axis_index("u")), "u", scatter_dimension=1, tiled=True)
    swapped = jax.shard_map(swap, mesh=TWO, in_specs=P("x"), out_specs=P("x"), axis_names={"x"})
    scattered = jax.shard_map(scatter, mesh=THREE, in_specs=P("u"), out_specs=P("u"), axis_names={"u"})
    loss = lambda x, w: jnp.sum(jnp.tanh(scattered(swapped(x) @ w)) ** 2)
    return jax.value_and_grad(loss, argnums=(0, 1))(x, w)


_WINDOWS = np.random.default_rng(50)
_drawn = lambda *shape: _WINDOWS.standard_normal(shape, np.float32)
SPLIT = grid((2, 2), ("rows", "columns"))
_BOTH, _LINE = NamedSharding(SPLIT, P(None, "rows", "columns")), NamedSharding(SPLIT, P(None, ("rows", "columns")))
_WHOLE = NamedSharding(SPLIT, P())


# The emulator would take minutes.
@program(
    _drawn(1, 24, 20, 2),
    _drawn(15, 13, 2, 3) / np.float32(20),
    _drawn(2, 88, 2),
    _drawn(61, 2, 3) / np.float32(12),
    check=True,
    gpus=(),
    in_shardings=(_BOTH, _WHOLE, _LINE, _WHOLE),
    out_shardings=((_BOTH, _BOTH, _WHOLE), (_LINE, _LINE, _WHOLE)),
)
def split_windows(picture, filters, line, taps):
    """Convolutions whose windows have more places than are written out, and their gradients, over split dimensions: windows that reach
    beyond the neighbour's part."""

    def both(x, w, numbers):
        convolve = lambda x, w: lax.conv_general_dilated(x, w, (1,) * (x.ndim - 2), "SAME", dimension_numbers=numbers)
        y, pullback = jax.vjp(convolve, x, w)
        return y, *pullback(jnp.cos(y))

    return both(picture, filters, ("NHWC", "HWIO", "NHWC")), both(line, taps, ("NWC", "WIO", "NWC"))
