"""Tensors made of nothing but numbers."""

import jax.numpy as jnp

from .table import operation
from .types import dtype_of

_REAL = jnp.float32


def _dtype(dtype, *numbers):
    """The type asked for, else that of the numbers."""
    if dtype is not None:
        return dtype_of(dtype)
    if any(isinstance(number, float) for number in numbers):
        return _REAL
    return dtype_of("bool" if numbers and all(isinstance(number, bool) for number in numbers) else "int64")


@operation("zeros", "empty", "empty_strided")
def zeros(size, *_, dtype=None):
    return jnp.zeros(tuple(size), dtype_of(dtype, _REAL))


@operation("ones")
def ones(size, *_, dtype=None):
    return jnp.ones(tuple(size), dtype_of(dtype, _REAL))


@operation("full")
def full(size, fill_value, *, dtype=None):
    return jnp.full(tuple(size), fill_value, _dtype(dtype, fill_value))


@operation("zeros_like", "empty_like")
def zeros_like(x, *, dtype=None):
    return jnp.zeros(x.shape, dtype_of(dtype, x.dtype))


@operation("ones_like")
def ones_like(x, *, dtype=None):
    return jnp.ones(x.shape, dtype_of(dtype, x.dtype))


@operation("full_like")
def full_like(x, fill_value, *, dtype=None):
    return jnp.full(x.shape, fill_value, dtype_of(dtype, x.dtype))


@operation("new_zeros", "new_empty", "new_empty_strided")
def new_zeros(x, size, *_, dtype=None):
    return jnp.zeros(tuple(size), dtype_of(dtype, x.dtype))


@operation("new_ones")
def new_ones(x, size, *, dtype=None):
    return jnp.ones(tuple(size), dtype_of(dtype, x.dtype))


@operation("new_full")
def new_full(x, size, fill_value, *, dtype=None):
    return jnp.full(tuple(size), fill_value, dtype_of(dtype, x.dtype))


@operation("arange")
def arange(end, *, dtype=None):
    return jnp.arange(end, dtype=_dtype(dtype, end))


@operation("arange.start", "arange.start_step")
def arange_start(start, end, step=1, *, dtype=None):
    return jnp.arange(start, end, step, dtype=_dtype(dtype, start, end, step))


@operation("linspace")
def linspace(start, end, steps, *, dtype=None):
    return jnp.linspace(start, end, steps, dtype=dtype_of(dtype, _REAL))


@operation("logspace")
def logspace(start, end, steps, base=10.0, *, dtype=None):
    return jnp.logspace(start, end, steps, base=base, dtype=dtype_of(dtype, _REAL))


@operation("eye")
def eye(n, *, dtype=None):
    return jnp.eye(n, dtype=dtype_of(dtype, _REAL))


@operation("eye.m")
def eye_m(n, m, *, dtype=None):
    return jnp.eye(n, m, dtype=dtype_of(dtype, _REAL))


@operation("scalar_tensor", "tensor")
def scalar_tensor(value, *, dtype=None):
    return jnp.asarray(value, dtype_of(dtype, _REAL))


@operation("tril_indices")
def tril_indices(row, col, offset=0, *, dtype=None):
    return jnp.stack(jnp.tril_indices(row, offset, col)).astype(dtype_of(dtype or "int64"))


@operation("triu_indices")
def triu_indices(row, col, offset=0, *, dtype=None):
    return jnp.stack(jnp.triu_indices(row, offset, col)).astype(dtype_of(dtype or "int64"))
