"""Types of numbers: PyTorch's rules for what an operation computes in.

PyTorch looks at operands by kind (boolean, integer, real, complex): a tensor without dimensions decides the type only where all others are of a lesser kind, and a number of Python only
by its kind. JAX has numbers of Python alone as such.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np


def dtype_of(name, default=None):
    """The type that PyTorch calls `name`, as wide as JAX's modes allow."""
    if name is None:
        return default
    return jax.dtypes.canonicalize_dtype(jnp.dtype(name))


def _kind(dtype):
    if dtype == jnp.bool_:
        return 0
    if jnp.issubdtype(dtype, jnp.integer):
        return 1
    return 2 if jnp.issubdtype(dtype, jnp.floating) else 3


def result_type(*operands):
    """The type that an element-wise operation computes in."""
    tensors = [value for value in operands if hasattr(value, "dtype")]
    numbers = [value for value in operands if not hasattr(value, "dtype") and value is not None]
    full = [value.dtype for value in tensors if value.ndim]
    scalars = [value.dtype for value in tensors if not value.ndim]
    chosen = functools.reduce(jnp.promote_types, full) if full else None
    for kinds in (scalars, [_type_of_number(value) for value in numbers]):
        if kinds:
            other = functools.reduce(jnp.promote_types, kinds)
            if chosen is None or _kind(other) > _kind(chosen):
                chosen = other
    return jax.dtypes.canonicalize_dtype(chosen)


def _type_of_number(value):
    if isinstance(value, (bool, np.bool_)):
        return jnp.dtype(bool)
    if isinstance(value, int):
        return jnp.dtype(np.int64)
    return jnp.dtype(np.complex64) if isinstance(value, complex) else jnp.dtype(np.float32)


def promoted(*operands):
    """The operands in the type that they are computed in together."""
    dtype = result_type(*operands)
    return [jnp.asarray(value, dtype) for value in operands]


def as_real(x):
    """`x` as PyTorch takes it for functions of real numbers: integers become float32."""
    return x if _kind(x.dtype) >= 2 else x.astype(jnp.float32)


def wide(x):
    """`x` in the type that sums of it are computed in: at least float32."""
    return x.astype(jnp.float32) if x.dtype in (jnp.bfloat16, jnp.float16) else x


def magnitude(x):
    """The absolute value, with a derivative of 0 at 0."""
    return x * jnp.sign(x) if jnp.issubdtype(x.dtype, jnp.floating) else jnp.abs(x)


def axes_of(dim, rank):
    """Dimensions as PyTorch gives them, as a tuple of numbers from 0; all, where none are given."""
    if dim is None or (isinstance(dim, (list, tuple)) and not dim):
        return tuple(range(rank))
    dims = dim if isinstance(dim, (list, tuple)) else (dim,)
    return tuple(number % rank if rank else 0 for number in dims) if rank else ()
