"""Functions of single elements."""

import jax
import jax.numpy as jnp

from .table import operation
from .types import as_real, dtype_of, magnitude, promoted, result_type

_REAL = {
    "exp": jnp.exp, "exp2": jnp.exp2, "expm1": jnp.expm1, "log": jnp.log, "log2": jnp.log2, "log10": jnp.log10, "log1p": jnp.log1p,
    "sqrt": jnp.sqrt, "rsqrt": jax.lax.rsqrt, "sin": jnp.sin, "cos": jnp.cos, "tan": jnp.tan, "asin": jnp.arcsin, "acos": jnp.arccos, "atan": jnp.arctan,
    "sinh": jnp.sinh, "cosh": jnp.cosh, "tanh": jnp.tanh, "asinh": jnp.arcsinh, "acosh": jnp.arccosh, "atanh": jnp.arctanh, "erf": jax.scipy.special.erf,
    "erfc": jax.scipy.special.erfc, "erfinv": jax.scipy.special.erfinv, "sigmoid": jax.nn.sigmoid, "reciprocal": jnp.reciprocal, "lgamma": jax.scipy.special.gammaln,
    "digamma": jax.scipy.special.digamma, "silu": jax.nn.silu, "mish": jax.nn.mish, "log_sigmoid": jax.nn.log_sigmoid, "selu": jax.nn.selu,
    "deg2rad": jnp.deg2rad, "rad2deg": jnp.rad2deg, "sinc": jnp.sinc,
}  # fmt: skip
_ANY = {
    "abs": magnitude, "neg": jnp.negative, "sign": jnp.sign, "sgn": jnp.sign, "relu": jax.nn.relu, "square": jnp.square, "logical_not": jnp.logical_not, "bitwise_not": jnp.invert,
    "isnan": jnp.isnan, "isinf": jnp.isinf, "isfinite": jnp.isfinite, "floor": jnp.floor, "ceil": jnp.ceil, "trunc": jnp.trunc, "fix": jnp.trunc, "frac": lambda x: x - jnp.trunc(x),
    "positive": lambda x: x, "real": jnp.real, "imag": jnp.imag, "angle": jnp.angle, "conj": jnp.conj, "signbit": jnp.signbit, "nan_to_num": lambda x, nan=0.0, posinf=None, neginf=None: jnp.nan_to_num(x, nan=nan or 0.0, posinf=posinf, neginf=neginf),
}  # fmt: skip
_PAIRS = {
    "mul": jnp.multiply, "remainder": jnp.remainder, "fmod": jnp.fmod, "maximum": jnp.maximum, "minimum": jnp.minimum, "max.other": jnp.maximum, "min.other": jnp.minimum,
    "fmax": jnp.fmax, "fmin": jnp.fmin, "multiply": jnp.multiply, "bitwise_and": jnp.bitwise_and, "bitwise_or": jnp.bitwise_or, "bitwise_xor": jnp.bitwise_xor, "__and__": jnp.bitwise_and,
    "__or__": jnp.bitwise_or, "__xor__": jnp.bitwise_xor, "bitwise_left_shift": jnp.left_shift, "bitwise_right_shift": jnp.right_shift, "__lshift__": jnp.left_shift, "__rshift__": jnp.right_shift,
    "eq": jnp.equal, "ne": jnp.not_equal, "lt": jnp.less, "le": jnp.less_equal, "gt": jnp.greater, "ge": jnp.greater_equal,
    "logical_and": jnp.logical_and, "logical_or": jnp.logical_or, "logical_xor": jnp.logical_xor, "floor_divide": jnp.floor_divide,
}  # fmt: skip
_REAL_PAIRS = {"atan2": jnp.arctan2, "hypot": jnp.hypot, "logaddexp": jnp.logaddexp, "xlogy": jax.scipy.special.xlogy}


def _enter_all():
    for name, function in _REAL.items():
        operation(name)(lambda x, function=function: function(as_real(x)))
    for name, function in _ANY.items():
        operation(name)(function)
    for name, function in _PAIRS.items():
        operation(name)(lambda x, y, function=function: function(*promoted(x, y)))
    for name, function in _REAL_PAIRS.items():
        operation(name)(lambda x, y, function=function: function(*map(as_real, promoted(x, y))))


_enter_all()


@operation("add")
def add(x, y, alpha=1):
    x, y = promoted(x, y)
    return (x | y) if x.dtype == jnp.bool_ else x + (y if alpha == 1 else jnp.asarray(alpha, x.dtype) * y)


@operation("sub", "subtract")
def sub(x, y, alpha=1):
    x, y = promoted(x, y)
    return x - (y if alpha == 1 else jnp.asarray(alpha, x.dtype) * y)


@operation("rsub")
def rsub(x, y, alpha=1):
    return sub(y, x, alpha)


@operation("div", "divide", "true_divide")
def div(x, y, rounding_mode=None):
    x, y = promoted(x, y)
    if rounding_mode == "floor":
        return jnp.floor_divide(x, y)
    if rounding_mode == "trunc":
        return jax.lax.div(*jnp.broadcast_arrays(x, y)) if jnp.issubdtype(x.dtype, jnp.integer) else jnp.trunc(x / y)
    return as_real(x) / as_real(y)


@operation("pow")
def pow(x, exponent):
    dtype = result_type(x, exponent)
    x = jnp.asarray(x, dtype)
    if isinstance(exponent, (int, float)) and float(exponent).is_integer() and abs(exponent) < 64:
        return jax.lax.integer_pow(x, int(exponent))
    if exponent == 0.5 if isinstance(exponent, float) else False:
        return jnp.sqrt(x)
    return jnp.power(x, jnp.asarray(exponent, dtype))


@operation("round")
def round(x, decimals=0):
    return jnp.round(x, decimals)


@operation("where")
def where(condition, x=None, y=None):
    x, y = promoted(x, y)
    return jnp.where(condition.astype(bool), x, y)


@operation("clamp", "clip")
def clamp(x, min=None, max=None):
    """At a limit that is a number the derivative is 0; at one that is a tensor, 1/2."""
    dtype = result_type(x, min, max)
    x = x.astype(dtype)
    for limit, is_beyond, bound in ((min, jnp.less_equal, jnp.maximum), (max, jnp.greater_equal, jnp.minimum)):
        if hasattr(limit, "dtype"):
            x = bound(x, limit.astype(dtype))
        elif limit is not None:
            x = jnp.where(is_beyond(x, limit), jnp.asarray(limit, dtype), x)
    return x


@operation("clamp_min")
def clamp_min(x, min):
    return clamp(x, min)


@operation("clamp_max")
def clamp_max(x, max):
    return clamp(x, None, max)


@operation("hardtanh")
def hardtanh(x, min_val=-1, max_val=1):
    x = jnp.where(x <= min_val, jnp.asarray(min_val, x.dtype), x)
    return jnp.where(x >= max_val, jnp.asarray(max_val, x.dtype), x)


@operation("relu6")
def relu6(x):
    return hardtanh(x, 0, 6)


@operation("hardsigmoid")
def hardsigmoid(x):
    return hardtanh(x / 6 + 0.5, 0, 1)


@operation("hardswish")
def hardswish(x):
    return jnp.where(x <= -3, jnp.zeros_like(x), jnp.where(x < 3, x * (x / 6 + 0.5), x))


@operation("gelu")
def gelu(x, approximate="none"):
    return jax.nn.gelu(x, approximate=approximate == "tanh")


@operation("leaky_relu")
def leaky_relu(x, negative_slope=0.01):
    return jnp.where(x > 0, x, x * negative_slope)


@operation("prelu", "_prelu_kernel")
def prelu(x, weight):
    shape = [1] * x.ndim
    if weight.size > 1:
        shape[1] = weight.size
    return jnp.where(x > 0, x, x * weight.reshape(shape))


@operation("elu")
def elu(x, alpha=1, scale=1, input_scale=1):
    negative = jnp.where(x > 0, 0, x)
    return scale * jnp.where(x > 0, x, alpha * jnp.expm1(negative * input_scale))


@operation("celu")
def celu(x, alpha=1.0):
    return elu(x, alpha, 1, 1 / alpha)


@operation("softplus")
def softplus(x, beta=1, threshold=20):
    scaled = x * beta
    return jnp.where(scaled > threshold, x, jax.nn.softplus(scaled) / beta)


@operation("threshold")
def threshold(x, threshold, value):
    return jnp.where(x > threshold, x, jnp.asarray(value, x.dtype))


@operation("glu")
def glu(x, dim=-1):
    half, gate = jnp.split(x, 2, dim)
    return half * jax.nn.sigmoid(gate)


@operation("lerp")
def lerp(start, end, weight):
    return start + jnp.asarray(weight, start.dtype) * (end - start)


@operation("addcmul")
def addcmul(x, first, second, value=1):
    return x + value * first * second


@operation("addcdiv")
def addcdiv(x, first, second, value=1):
    return x + value * first / second


@operation("masked_fill")
def masked_fill(x, mask, value):
    return jnp.where(mask, jnp.asarray(value, x.dtype), x)


@operation("_to_copy", "to", "_to_dtype", "type_as")
def to_copy(x, dtype=None, *_, **__):
    dtype = dtype.dtype if hasattr(dtype, "dtype") else dtype_of(dtype, x.dtype)
    return x.astype(dtype)


@operation("complex")
def complex(real, imag):
    return jax.lax.complex(real, imag)


@operation("view_as_complex")
def view_as_complex(x):
    return jax.lax.complex(x[..., 0], x[..., 1])


@operation("view_as_real")
def view_as_real(x):
    return jnp.stack([jnp.real(x), jnp.imag(x)], -1)


@operation("polar")
def polar(magnitude, angle):
    return jax.lax.complex(magnitude * jnp.cos(angle), magnitude * jnp.sin(angle))
