"""Look-ups: what is read or written where indices say."""

import math

import jax
import jax.numpy as jnp

from .table import operation
from .types import dtype_of


@operation("embedding")
def embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    rows = jnp.take(weight, indices, axis=0)
    if padding_idx is None or padding_idx < 0:
        return rows
    # The row for padding has no gradient.
    return jnp.where((indices == padding_idx)[..., None], jax.lax.stop_gradient(rows), rows)


def _subscripts(x, indices):
    """Indices as JAX takes them: a mask is one dimension each, all of them or none."""
    found = []
    for index in indices:
        if index is not None and index.dtype == jnp.bool_:
            raise NotImplementedError("a mask as an index, whose result has a size that depends on values")
        found.append(jnp.s_[:] if index is None else index)
    return tuple(found)


@operation("index", "_unsafe_index")
def index(x, indices):
    return x[_subscripts(x, indices)]


@operation("index_put", "_unsafe_index_put", "_index_put_impl")
def index_put(x, indices, values, accumulate=False, unsafe=False):
    masks = [place for place, index in enumerate(indices) if index is not None and index.dtype == jnp.bool_]
    if len(masks) == 1 and len([index for index in indices if index is not None]) == 1 and values.size == 1:
        mask = indices[masks[0]]
        mask = mask.reshape(*[1] * masks[0], *mask.shape, *[1] * (x.ndim - masks[0] - mask.ndim))
        value = values.reshape(()).astype(x.dtype)
        return jnp.where(mask, x + value if accumulate else value, x)
    places = x.at[_subscripts(x, indices)]
    return places.add(values.astype(x.dtype)) if accumulate else places.set(values.astype(x.dtype))


@operation("index_select")
def index_select(x, dim, index):
    return jnp.take(x, index.reshape(-1), dim) if x.ndim else x


@operation("gather")
def gather(x, dim, index, sparse_grad=False):
    if not x.ndim:
        return jnp.broadcast_to(x, index.shape)
    dim %= x.ndim
    x = x[tuple(jnp.s_[:] if place == dim else jnp.s_[: index.shape[place]] for place in range(x.ndim))]
    return jnp.take_along_axis(x, index, dim)


@operation("take_along_dim")
def take_along_dim(x, indices, dim=None):
    return jnp.take_along_axis(x.reshape(-1), indices.reshape(-1), 0) if dim is None else jnp.take_along_axis(x, indices, dim)


def _along(index, dim):
    """The places that the elements of `index` name along one dimension, in the others their own."""
    grid = list(jnp.meshgrid(*[jnp.arange(extent) for extent in index.shape], indexing="ij", sparse=True))
    grid[dim % index.ndim] = index
    return tuple(grid)


def _source(source, index):
    if not hasattr(source, "shape") or not source.shape:
        return source
    return source[tuple(jnp.s_[:extent] for extent in index.shape)]


@operation("scatter")
def scatter(x, dim, index, source, reduce=None):
    places = x.at[_along(index, dim)]
    source = jnp.asarray(_source(source, index), x.dtype)
    return {None: places.set, "add": places.add, "multiply": places.multiply}[reduce](source)


@operation("scatter_add")
def scatter_add(x, dim, index, source):
    return x.at[_along(index, dim)].add(_source(source, index))


@operation("scatter_reduce")
def scatter_reduce(x, dim, index, source, reduce, include_self=True):
    if not include_self or reduce == "mean":
        raise NotImplementedError("scatter_reduce with 'mean' or without the tensor itself")
    places = x.at[_along(index, dim)]
    return {"sum": places.add, "prod": places.multiply, "amax": places.max, "amin": places.min}[reduce](_source(source, index))


@operation("index_add")
def index_add(x, dim, index, source, alpha=1):
    return x.at[(jnp.s_[:],) * (dim % x.ndim) + (index,)].add(alpha * source)


@operation("index_copy")
def index_copy(x, dim, index, source):
    return x.at[(jnp.s_[:],) * (dim % x.ndim) + (index,)].set(source)


@operation("index_fill")
def index_fill(x, dim, index, value):
    return x.at[(jnp.s_[:],) * (dim % x.ndim) + (index,)].set(jnp.asarray(value, x.dtype))


@operation("masked_scatter")
def masked_scatter(x, mask, source):
    mask = jnp.broadcast_to(mask, x.shape).reshape(-1)
    taken = jnp.take(source.reshape(-1), jnp.cumsum(mask) - 1, mode="clip").reshape(-1)
    return jnp.where(mask, taken, x.reshape(-1)).reshape(x.shape)


@operation("one_hot")
def one_hot(x, num_classes=-1):
    return jax.nn.one_hot(x, num_classes, dtype=dtype_of("int64"))


@operation("fill")
def fill(x, value):
    return jnp.full(x.shape, value, x.dtype)


@operation("diagonal_scatter")
def diagonal_scatter(x, source, offset=0, dim1=0, dim2=1):
    x = jnp.moveaxis(x, (dim1, dim2), (-2, -1))
    places = jnp.arange(source.shape[-1])
    rows, columns = places + max(-offset, 0), places + max(offset, 0)
    return jnp.moveaxis(x.at[..., rows, columns].set(source), (-2, -1), (dim1, dim2))


@operation("bucketize")
def bucketize(x, boundaries, out_int32=False, right=False):
    return jnp.searchsorted(boundaries, x, side="right" if right else "left")


@operation("searchsorted")
def searchsorted(sorted_sequence, x, out_int32=False, right=False, side=None, sorter=None):
    side = side or ("right" if right else "left")
    rows = sorted_sequence.reshape(-1, sorted_sequence.shape[-1])
    found = jax.vmap(lambda row, values: jnp.searchsorted(row, values, side=side))(rows, x.reshape(math.prod(sorted_sequence.shape[:-1]), -1))
    return found.reshape(x.shape)


@operation("isin")
def isin(elements, test_elements, assume_unique=False, invert=False):
    return jnp.isin(elements, test_elements, invert=invert)
