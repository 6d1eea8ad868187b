"""Programs with floats of eight bits and fewer, and integers of four and two."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from programs import program, sharding

RANDOM = np.random.default_rng(8)
FLOATS = [
    jnp.float8_e4m3fn,
    jnp.float8_e5m2,
    jnp.float8_e4m3b11fnuz,
    jnp.float8_e4m3fnuz,
    jnp.float8_e5m2fnuz,
    jnp.float8_e4m3,
    jnp.float8_e3m4,
    jnp.float8_e8m0fnu,
    jnp.float4_e2m1fn,
]
INTEGERS = [jnp.int2, jnp.uint2, jnp.int4, jnp.uint4]
# All magnitudes that any of the formats has, halves between its numbers, and what none has.
SPREAD = np.ldexp(RANDOM.standard_normal((8, 64)).astype(np.float32), np.arange(-24, 40, dtype=np.int32))
SPREAD[0, :16] = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0625, 1.1875, 448.0, 464.0, 465.0, 57344.0, 61440.0, 2.0**-10, 3 * 2.0**-11, 5.0, 1.5]


def normal(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


@program(SPREAD, check=True, tolerance="0", gpus=("--mesh=data=2,model=2",), in_shardings=(sharding("data", "model"),))
def short_floats(x):
    """Rounded to every format and back, by their bits, and computed with."""
    results = {}
    for format in FLOATS:
        short = x.astype(format)
        half = (0.5 * x).astype(format)
        name = np.dtype(format).name
        results[name] = short.astype(jnp.float32)
        results[name + "_sum"] = (short + half).astype(jnp.bfloat16)
        results[name + "_moved"] = jnp.roll(short, 3, 1).at[:, 0].set(half[:, 0]).astype(jnp.float16)
        results[name + "_largest"] = jnp.argmax(jnp.where(jnp.isnan(x), 0, x).astype(format), 1)
        results[name + "_less"] = short < half
        if name != "float4_e2m1fn":
            results[name + "_bits"] = lax.bitcast_convert_type(short, jnp.uint8)
    return results


def integers(x, y):
    """XLA wraps what it computes in one kernel at its end at most, what it computes alone always."""
    results = {}
    for type in INTEGERS:
        a, b = x.astype(type), y.astype(type)
        name = np.dtype(type).name
        results[name] = (a * b + a - b).astype(jnp.int8)
        results[name + "_nearest"] = (x / 16.0).astype(type).astype(jnp.int16)
        results[name + "_less"] = a < b
        results[name + "_bits"] = ((a & b) | (a ^ ~b)).astype(jnp.int8)
    parts = lax.bitcast_convert_type(x, jnp.int4)
    results["parts"] = parts.astype(jnp.float32)
    results["joined"] = lax.bitcast_convert_type(parts[..., ::-1], jnp.int8)
    results["wide"] = lax.bitcast_convert_type(lax.bitcast_convert_type(y, jnp.int4) + jnp.int4(1), jnp.int32)
    return results


@program(RANDOM.integers(-128, 128, (8, 16), dtype=np.int8), RANDOM.integers(-9, 10, (8, 16), dtype=np.int32), check=True, reference=lambda *arguments: jax.disable_jit()(integers)(*map(jnp.asarray, arguments)), tolerance="0", gpus=("--mesh=data=2,model=2",), in_shardings=(sharding("data", "model"), None))
def short_integers(x, y):
    """Integers that wrap to four and two bits, and two of them in a byte."""
    return integers(x, y)


def products(x, w, scale, factor, short):
    """`factor` is the type of factors of four bits, which XLA does not multiply on CPUs, `short` that of those whose product is as short, which XLA rounds twice."""
    first, second = x.astype(jnp.float8_e4m3fn), w.astype(jnp.float8_e5m2)
    integers = jnp.round(4 * w).astype(jnp.int4)
    table = jnp.asarray(np.linspace(-2, 2, 8), jnp.float8_e4m3fn)
    product = lax.dot(first, second, preferred_element_type=jnp.float32)
    return {
        "product": product,
        "short": lax.dot(first.astype(short), first.T.astype(short)).astype(jnp.float8_e4m3fn).astype(jnp.float32),
        "scaled": (x @ (integers.astype(jnp.float32) * scale)),
        "integers": lax.dot(x.astype(jnp.int4).astype(factor), integers.astype(factor), preferred_element_type=jnp.int32),
        "mixed": lax.dot_general(x.astype(jnp.bfloat16), second, (((1,), (0,)), ((), ())), preferred_element_type=jnp.float32),
        "constant": product * table.astype(jnp.float32),
    }


@program(normal(16, 32), normal(32, 8), normal(1, 8), gpus=("--mesh=data=2,model=2",), check=True, reference=lambda *arguments: products(*arguments, jnp.int8, jnp.float32), in_shardings=(sharding("data", "model"), sharding("model", None), None))
def short_products(x, w, scale):
    """Factors of eight and of four bits, with scales; a constant of them."""
    return products(x, w, scale, jnp.int4, jnp.float8_e4m3fn)


def sums(values):
    """Of numbers in single precision, rounded once, as a compiled body has them wherever its elements lie."""
    windows = values[:, :-1] + values[:, 1:]
    return {name: np.asarray(value).astype(jnp.float8_e4m3fn).astype(np.float32) for name, value in (("first", values.sum(1)), ("second", -values.sum(1)), ("called", values.sum(1)), ("windows", windows))}


def bodies(x, numbers, places, updates):
    short, bits = x.astype(jnp.float8_e4m3fn), numbers.astype(jnp.uint4)
    zero = jnp.zeros((), short.dtype)
    add = jax.jit(lambda a, b: a + b)
    first, second = lax.reduce((short, -short), (zero, zero), lambda a, b: (a[0] + b[0], a[1] + b[1]), (1,))
    return {
        "first": first.astype(jnp.float32),
        "second": second.astype(jnp.float32),
        "called": lax.reduce(short, zero, add, (1,)).astype(jnp.float32),
        "windows": lax.reduce_window(short, zero, add, (1, 2), (1, 1), "valid").astype(jnp.float32),
        "shifted": lax.shift_right_arithmetic(bits, bits[:, ::-1] & jnp.uint4(3)).astype(jnp.int8),
        "set": lax.bitcast_convert_type(short.at[places].set(updates.astype(short.dtype)), jnp.uint8),
    }


def bodies_in_single(x, *others):
    results = jax.jit(bodies)(x, *others)
    return {**results, **sums(np.asarray(x.astype(jnp.float8_e4m3fn)).astype(np.float32))}


SIGNED_NANS = np.array([0x7FC00000, 0xFFC00000, 0xFF800000, 0x3F800000] * 4, np.uint32).view(np.float32).reshape(2, 8)


@program(RANDOM.integers(-12, 30, (8, 8)).astype(np.float32), RANDOM.integers(0, 16, (8, 8), dtype=np.int32), np.array([6, 1], np.int32), SIGNED_NANS, check=True, reference=bodies_in_single, tolerance="0", gpus=("--mesh=data=2,model=2",), in_shardings=(sharding("data", "model"), None, None, None))
def short_bodies(x, numbers, places, updates):
    """Bodies of several results, or that are functions; shifts that bring in signs, and signs of NaN."""
    return bodies(x, numbers, places, updates)
