"""Products of matrices."""

import jax
import jax.numpy as jnp

from .table import operation


@operation("linear")
def linear(x, weight, bias=None):
    y = jnp.matmul(x, jnp.swapaxes(weight, -1, -2)) if weight.ndim > 1 else x @ weight
    return y if bias is None else y + bias


@operation("matmul", "mm", "bmm", "mv", "dot")
def matmul(x, y, *_):
    return jnp.matmul(x, y)


operation("vdot")(jnp.vdot)
operation("inner")(jnp.inner)


def _scaled(x, factor):
    return x if factor == 1 else x * jnp.asarray(factor, x.dtype)


@operation("addmm", "baddbmm", "addmv")
def addmm(x, first, second, *, beta=1, alpha=1):
    product = _scaled(jnp.matmul(first, second), alpha)
    return product if beta == 0 else _scaled(x, beta) + product


@operation("outer", "ger")
def outer(x, y):
    return x[:, None] * y


@operation("einsum")
def einsum(equation, tensors, path=None):
    return jnp.einsum(equation, *tensors)


@operation("tensordot")
def tensordot(x, y, dims_self, dims_other):
    return jnp.tensordot(x, y, (dims_self, dims_other))


@operation("bilinear")
def bilinear(x, y, weight, bias=None):
    z = jnp.einsum("...i,oij,...j->...o", x, weight, y)
    return z if bias is None else z + bias


@operation("linalg_cross")
def linalg_cross(x, y, dim=-1):
    return jnp.cross(x, y, axis=dim)


@operation("cross")
def cross(x, y, dim=None):
    """Along the first dimension of three elements, if none is given."""
    return jnp.cross(x, y, axis=x.shape.index(3) if dim is None else dim)


@operation("cosine_similarity")
def cosine_similarity(x, y, dim=1, eps=1e-8):
    def norm(z):
        return jnp.sqrt(jnp.maximum(jnp.sum(z * z, dim), eps * eps))

    return jnp.sum(x * y, dim) / (norm(x) * norm(y))


@operation("_grouped_mm", "transformers.grouped_mm_fallback")
def grouped_mm(x, weights, offsets=None, bias=None, out_dtype=None):
    """Products of the rows up to each offset with a matrix of their own."""
    if offsets is None or x.ndim != 2 or weights.ndim != 3:
        raise NotImplementedError("grouped_mm of other operands than rows, matrices and offsets")
    sizes = jnp.diff(offsets, prepend=0).astype(jnp.int32)
    y = jax.lax.ragged_dot(x, weights, sizes)
    return y if bias is None else y + bias
