"""Sums, means, largest elements, and softmax."""

import math

import jax
import jax.numpy as jnp

from .table import operation
from .types import as_real, axes_of, dtype_of, magnitude, wide


def _summed(x, dtype):
    """`x` in the type of its sum: of integers, the widest."""
    if dtype is not None:
        return x.astype(dtype_of(dtype))
    return x.astype(dtype_of("int64")) if x.dtype == jnp.bool_ or jnp.issubdtype(x.dtype, jnp.integer) else x


@operation("sum")
def sum(x, dim=None, keepdim=False, *, dtype=None):
    return jnp.sum(_summed(x, dtype), axes_of(dim, x.ndim), keepdims=keepdim)


@operation("nansum")
def nansum(x, dim=None, keepdim=False, *, dtype=None):
    return jnp.nansum(_summed(x, dtype), axes_of(dim, x.ndim), keepdims=keepdim)


@operation("mean")
def mean(x, dim=None, keepdim=False, *, dtype=None):
    return jnp.mean(_summed(x, dtype), axes_of(dim, x.ndim), keepdims=keepdim)


@operation("prod")
def prod(x, dim=None, keepdim=False, *, dtype=None):
    return jnp.prod(_summed(x, dtype), axes_of(dim, x.ndim), keepdims=keepdim)


@operation("amax")
def amax(x, dim=(), keepdim=False):
    return jnp.max(x, axes_of(dim, x.ndim), keepdims=keepdim)


@operation("amin")
def amin(x, dim=(), keepdim=False):
    return jnp.min(x, axes_of(dim, x.ndim), keepdims=keepdim)


@operation("max")
def max(x):
    return jnp.max(x)


@operation("min")
def min(x):
    return jnp.min(x)


def _picked(x, places, dim, keepdim):
    """The elements at `places` along a dimension, which alone have a gradient, and the places."""
    if not x.ndim:
        return x, places
    places = jnp.expand_dims(places, dim)
    values = jnp.take_along_axis(x, places, dim)
    return (values, places) if keepdim else (values.squeeze(dim), places.squeeze(dim))


@operation("max.dim")
def max_dim(x, dim, keepdim=False):
    return _picked(x, jnp.argmax(x, dim) if x.ndim else jnp.int32(0), dim, keepdim)


@operation("min.dim")
def min_dim(x, dim, keepdim=False):
    return _picked(x, jnp.argmin(x, dim) if x.ndim else jnp.int32(0), dim, keepdim)


@operation("argmax")
def argmax(x, dim=None, keepdim=False):
    return jnp.argmax(x, dim, keepdims=keepdim)


@operation("argmin")
def argmin(x, dim=None, keepdim=False):
    return jnp.argmin(x, dim, keepdims=keepdim)


def _divisor(x, axes, correction):
    return math.prod(x.shape[axis] for axis in axes) - correction


@operation("var")
def var(x, dim=None, unbiased=True, keepdim=False, *, correction=None):
    return var_mean(x, dim, unbiased, keepdim, correction=correction)[0]


@operation("var_mean")
def var_mean(x, dim=None, unbiased=True, keepdim=False, *, correction=None):
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    axes = axes_of(dim, x.ndim)
    centre = jnp.mean(x, axes, keepdims=True)
    correction = (1 if unbiased else 0) if correction is None else correction
    spread = jnp.sum(jnp.square(x - centre), axes, keepdims=keepdim) / _divisor(x, axes, correction)
    return spread, centre if keepdim else centre.squeeze(axes)


@operation("std")
def std(x, dim=None, unbiased=True, keepdim=False, *, correction=None):
    return _root(var(x, dim, unbiased, keepdim, correction=correction))


@operation("std_mean")
def std_mean(x, dim=None, unbiased=True, keepdim=False, *, correction=None):
    spread, centre = var_mean(x, dim, unbiased, keepdim, correction=correction)
    return _root(spread), centre


def _root(x):
    """The square root, with a derivative of 0 at 0."""
    return jnp.where(x == 0, 0, jnp.sqrt(jnp.where(x == 0, 1, x))).astype(x.dtype)


@operation("linalg_vector_norm", "norm")
def linalg_vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    x = as_real(_summed(x, dtype))
    axes = axes_of(dim, x.ndim)
    ord = 2 if ord is None else ord
    if ord == 2:
        return _root(jnp.sum(jnp.square(x), axes, keepdims=keepdim))
    if ord == 1:
        return jnp.sum(magnitude(x), axes, keepdims=keepdim)
    if ord == 0:
        return jnp.sum(x != 0, axes, keepdims=keepdim).astype(x.dtype)
    if math.isinf(ord):
        return (jnp.max if ord > 0 else jnp.min)(magnitude(x), axes, keepdims=keepdim)
    return jnp.power(jnp.sum(jnp.power(magnitude(x), ord), axes, keepdims=keepdim), 1 / ord)


@operation("logsumexp")
def logsumexp(x, dim, keepdim=False):
    return jax.nn.logsumexp(as_real(x), axes_of(dim, x.ndim), keepdims=keepdim)


@operation("softmax", "_softmax")
def softmax(x, dim, dtype=None):
    x = as_real(x) if dtype is None or isinstance(dtype, bool) else x.astype(dtype_of(dtype))
    return jax.nn.softmax(wide(x), dim).astype(x.dtype) if x.ndim else jnp.ones_like(x)


@operation("_safe_softmax")
def safe_softmax(x, dim, dtype=None):
    """Rows of which nothing is above -inf are 0."""
    hidden = jnp.all(x == -jnp.inf, dim, keepdims=True)
    return jnp.where(hidden, 0, softmax(jnp.where(hidden, 0, x), dim, dtype))


@operation("log_softmax", "_log_softmax")
def log_softmax(x, dim, dtype=None):
    x = as_real(x) if dtype is None or isinstance(dtype, bool) else x.astype(dtype_of(dtype))
    return jax.nn.log_softmax(wide(x), dim).astype(x.dtype) if x.ndim else jnp.zeros_like(x)


@operation("all")
def all(x, dim=None, keepdim=False):
    return jnp.all(x, axes_of(dim, x.ndim), keepdims=keepdim)


@operation("any")
def any(x, dim=None, keepdim=False):
    return jnp.any(x, axes_of(dim, x.ndim), keepdims=keepdim)


@operation("count_nonzero")
def count_nonzero(x, dim=None):
    return jnp.count_nonzero(x, axes_of(dim, x.ndim))


@operation("trace")
def trace(x):
    return jnp.trace(x)


@operation("cumsum")
def cumsum(x, dim, *, dtype=None):
    return jnp.cumsum(_summed(x, dtype), dim) if x.ndim else _summed(x, dtype)


@operation("cumprod")
def cumprod(x, dim, *, dtype=None):
    return jnp.cumprod(_summed(x, dtype), dim)


@operation("logcumsumexp")
def logcumsumexp(x, dim):
    return jax.lax.cumlogsumexp(x, dim % x.ndim)


@operation("histc")
def histc(x, bins=100, min=0, max=0):
    if min == max:
        raise NotImplementedError("histc between the values of a tensor")
    places = jnp.floor((x.reshape(-1) - min) * (bins / (max - min))).astype(jnp.int32)
    # The last interval has its end.
    places = jnp.where(x.reshape(-1) == max, bins - 1, places)
    return jnp.sum(places[:, None] == jnp.arange(bins), 0).astype(x.dtype)
