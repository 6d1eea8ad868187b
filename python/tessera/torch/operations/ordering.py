"""Sorting, and the largest few."""

import jax
import jax.numpy as jnp

from .table import operation


def _take(x, places, dim):
    return jnp.take_along_axis(x, places, dim), places


@operation("sort")
def sort(x, dim=-1, descending=False, **options):
    dim = options.get("dim", dim)
    return _take(x, argsort(x, dim, descending), dim)


@operation("sort.stable")
def sort_stable(x, *, stable=None, dim=-1, descending=False):
    return sort(x, dim, descending)


@operation("argsort")
def argsort(x, dim=-1, descending=False):
    return jnp.argsort(x, dim, stable=True, descending=descending)


@operation("argsort.stable")
def argsort_stable(x, *, stable, dim=-1, descending=False):
    return argsort(x, dim, descending)


@operation("topk")
def topk(x, k, dim=-1, largest=True, sorted=True):
    moved = jnp.moveaxis(x, dim, -1)
    # The complement of an integer has the other order, also where it has no negative.
    turned = jnp.invert(moved) if jnp.issubdtype(x.dtype, jnp.integer) else -moved
    places = jax.lax.top_k(jax.lax.stop_gradient(moved if largest else turned), k)[1]
    return _take(x, jnp.moveaxis(places, -1, dim), dim)


@operation("kthvalue")
def kthvalue(x, k, dim=-1, keepdim=False):
    places = jax.lax.index_in_dim(argsort(x, dim), k - 1, dim)
    values = jnp.take_along_axis(x, places, dim)
    return (values, places) if keepdim else (values.squeeze(dim), places.squeeze(dim))


@operation("median.dim")
def median(x, dim=-1, keepdim=False):
    return kthvalue(x, (x.shape[dim] + 1) // 2, dim, keepdim)


@operation("cummax")
def cummax(x, dim):
    return _running(x, dim, jnp.greater_equal)


@operation("cummin")
def cummin(x, dim):
    return _running(x, dim, jnp.less_equal)


def _running(x, dim, before):
    """The elements that come first so far in an order, and where they are."""

    def later(one, other):
        takes = before(other[0], one[0])
        return jnp.where(takes, other[0], one[0]), jnp.where(takes, other[1], one[1])

    places = jax.lax.broadcasted_iota(jnp.int32, x.shape, dim % x.ndim)
    return jax.lax.associative_scan(later, (x, places), axis=dim % x.ndim)
