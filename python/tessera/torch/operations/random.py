"""Random numbers: another key for every operation and step. The numbers are not those that PyTorch draws."""

import jax
import jax.numpy as jnp

from .table import operation
from .types import dtype_of


@operation("dropout", random=True)
def dropout(x, p, train=True, *, key):
    return native_dropout(x, p, train, key=key)[0]


@operation("native_dropout", random=True)
def native_dropout(x, p, train=True, *, key):
    if not train or p == 0:
        return x, jnp.ones(x.shape, bool)
    if p == 1:
        return jnp.zeros_like(x), jnp.zeros(x.shape, bool)
    kept = jax.random.bernoulli(key, 1 - p, x.shape)
    return jnp.where(kept, x * jnp.asarray(1 / (1 - p), x.dtype), jnp.zeros_like(x)), kept


@operation("feature_dropout", random=True)
def feature_dropout(x, p, train=True, *, key):
    if not train or p == 0:
        return x
    kept = jax.random.bernoulli(key, 1 - p, x.shape[:2] + (1,) * (x.ndim - 2))
    return jnp.where(kept, x / (1 - p), jnp.zeros_like(x))


@operation("bernoulli", random=True)
def bernoulli(x, p=None, *, key):
    return jax.random.bernoulli(key, x if p is None else p, x.shape).astype(x.dtype)


@operation("rand", random=True)
def rand(size, *, dtype=None, key):
    return jax.random.uniform(key, tuple(size), dtype_of(dtype, jnp.float32))


@operation("randn", random=True)
def randn(size, *, dtype=None, key):
    return jax.random.normal(key, tuple(size), dtype_of(dtype, jnp.float32))


@operation("rand_like", random=True)
def rand_like(x, *, dtype=None, key):
    return jax.random.uniform(key, x.shape, dtype_of(dtype, x.dtype))


@operation("randn_like", random=True)
def randn_like(x, *, dtype=None, key):
    return jax.random.normal(key, x.shape, dtype_of(dtype, x.dtype))


@operation("randint", random=True)
def randint(high, size, *, dtype=None, key):
    return jax.random.randint(key, tuple(size), 0, high, dtype_of(dtype or "int64"))


@operation("randint.low", random=True)
def randint_low(low, high, size, *, dtype=None, key):
    return jax.random.randint(key, tuple(size), low, high, dtype_of(dtype or "int64"))


@operation("randperm", random=True)
def randperm(n, *, dtype=None, key):
    return jax.random.permutation(key, n).astype(dtype_of(dtype or "int64"))


@operation("uniform", random=True)
def uniform(x, low=0.0, high=1.0, *, key):
    return jax.random.uniform(key, x.shape, x.dtype, low, high)


@operation("normal_functional", random=True)
def normal(x, mean=0.0, std=1.0, *, key):
    return mean + std * jax.random.normal(key, x.shape, x.dtype)


@operation("exponential", random=True)
def exponential(x, lambd=1.0, *, key):
    return jax.random.exponential(key, x.shape, x.dtype) / lambd
