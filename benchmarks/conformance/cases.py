"""What is compared: operation x element type, on edge values."""

import zlib

import jax
import jax.numpy as jnp
import jax.scipy.special as special
import ml_dtypes
import numpy as np
from jax import lax

FLOATS = ["float16", "bfloat16", "float32", "float64"]
SHORT_FLOATS = [
    "float8_e4m3fn",
    "float8_e5m2",
    "float8_e4m3b11fnuz",
    "float8_e4m3fnuz",
    "float8_e5m2fnuz",
    "float8_e4m3",
    "float8_e3m4",
    "float8_e8m0fnu",
    "float4_e2m1fn",
]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
SHORT_INTEGERS = ["int2", "int4", "uint2", "uint4"]
COMPLEX = ["complex64", "complex128"]
ALL = FLOATS + SHORT_FLOATS + INTEGERS + SHORT_INTEGERS + ["bool"] + COMPLEX

# Units of the last place, and error relative to the largest result.
EXACT = (0, 0)
ROUNDED = (3, 0)
SUMS = (4, 1e-5)
# JAX rounds every step of a sum in few bits, Tessera its end.
SHORT_SUMS = (32, 0.25)


def dtype_of(name):
    return np.dtype(getattr(ml_dtypes, name)) if hasattr(ml_dtypes, name) else np.dtype(name)


def kind(name):
    if name in FLOATS or name in SHORT_FLOATS:
        return "float"
    return "bool" if name == "bool" else "complex" if name in COMPLEX else "integer"


def edges(name):
    """Edge values of the element type, and some between."""
    dtype = dtype_of(name)
    if name == "bool":
        return np.array([False, True])
    if kind(name) == "integer":
        info = ml_dtypes.iinfo(dtype)
        values = [0, 1, 2, 3, 5, 7, -1, -2, -3, -8, 100, info.min, info.min + 1, info.max, info.max - 1, 1 << (info.bits // 2)]
        return np.array([dtype.type(v) for v in sorted({int(v) for v in values if info.min <= v <= info.max})])
    if kind(name) == "complex":
        parts = [0.0, -0.0, 1.0, -1.5, 0.3, 20.0, np.inf, -np.inf, np.nan]
        return np.array([complex(a, b) for a in parts for b in parts], dtype)
    if name in SHORT_FLOATS:
        bits = {"float4_e2m1fn": 4}.get(name, 8)
        # The least of E8M0 is subnormal in single precision, which XLA computes it in.
        return np.arange(name == "float8_e8m0fnu", 2**bits, dtype=np.uint8).view(dtype)
    info = ml_dtypes.finfo(dtype)
    values = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -3.0, 0.1, -0.7, 1e-4, -1e-4, 7.3, -12.7, 33.3, 100.0, -100.0, 1e4, -1e4]
    values += [0.99, 1.01, -0.99, -1.01, 1e-3, 2.0, 4.0, 170.5, -33.5, np.pi, -np.pi / 2, np.e, np.inf, -np.inf, np.nan]
    values += [float(v) for v in (info.max, info.min, info.tiny, -info.tiny, info.eps, 1 + info.eps, np.sqrt(float(info.max)) / 2)]
    if name == "float16":  # XLA flushes those of the wider types to zero on the CPU.
        values += [float(info.smallest_subnormal), float(info.tiny) / 3]
    return np.array(values).astype(dtype)


def pairs(name, limit=24):
    """Two arrays: every edge value with every other one of a selection."""
    values = edges(name)
    if len(values) > limit:
        chosen = np.unique(np.linspace(0, len(values) - 1, limit).astype(int))
        values = values[chosen]
    return np.repeat(values, len(values)), np.tile(values, len(values))


def random(name, shape, seed=0):
    """Ordinary values of the element type."""
    generator = np.random.default_rng(seed)
    if name == "bool":
        return generator.integers(0, 2, shape).astype(bool)
    if kind(name) == "integer":
        info = ml_dtypes.iinfo(dtype_of(name))
        return generator.integers(max(info.min, -9), min(info.max, 9) + 1, shape).astype(dtype_of(name))
    if kind(name) == "complex":
        return (generator.standard_normal(shape) + 1j * generator.standard_normal(shape)).astype(dtype_of(name))
    values = generator.standard_normal(shape)
    return (np.exp2(np.round(values)) if name == "float8_e8m0fnu" else values).astype(dtype_of(name))


class Case:
    """`function` of `arguments`; or `text`, a StableHLO module."""

    def __init__(self, name, function, arguments, tolerance=EXACT, text=None):
        is_short = any(short in name for short in SHORT_FLOATS)
        self.name, self.function, self.arguments, self.text = name, function, arguments, text
        self.tolerance = SHORT_SUMS if tolerance == SUMS and is_short else tolerance

    def is_drawn(self, part, parts):
        return zlib.crc32(self.name.encode()) % parts == part


UNARY = {
    # name: (function, kinds, tolerance)
    "abs": (lax.abs, "float integer complex", EXACT),
    "acos": (lax.acos, "float complex", ROUNDED),
    "acosh": (lax.acosh, "float complex", ROUNDED),
    "asin": (lax.asin, "float complex", ROUNDED),
    "asinh": (lax.asinh, "float complex", ROUNDED),
    "atan": (lax.atan, "float complex", ROUNDED),
    "atanh": (lax.atanh, "float complex", ROUNDED),
    "bessel_i0e": (lax.bessel_i0e, "float", ROUNDED),
    "bessel_i1e": (lax.bessel_i1e, "float", ROUNDED),
    "cbrt": (lax.cbrt, "float", ROUNDED),
    "ceil": (lax.ceil, "float", EXACT),
    "clz": (lax.clz, "integer", EXACT),
    "conj": (jnp.conj, "complex", EXACT),
    "cos": (lax.cos, "float complex", ROUNDED),
    "cosh": (lax.cosh, "float complex", ROUNDED),
    "digamma": (lax.digamma, "float", ROUNDED),
    "erf": (lax.erf, "float", ROUNDED),
    "erf_inv": (lax.erf_inv, "float", ROUNDED),
    "erfc": (lax.erfc, "float", ROUNDED),
    "exp": (lax.exp, "float complex", ROUNDED),
    "exp2": (lax.exp2, "float", ROUNDED),
    "expm1": (lax.expm1, "float complex", ROUNDED),
    "floor": (lax.floor, "float", EXACT),
    "is_finite": (lax.is_finite, "float", EXACT),
    "lgamma": (lax.lgamma, "float", ROUNDED),
    "log": (lax.log, "float complex", ROUNDED),
    "log1p": (lax.log1p, "float complex", ROUNDED),
    "logistic": (lax.logistic, "float complex", ROUNDED),
    "neg": (lax.neg, "float integer complex", EXACT),
    "not": (lax.bitwise_not, "integer bool", EXACT),
    "population_count": (lax.population_count, "integer", EXACT),
    "real": (lax.real, "complex", EXACT),
    "imag": (lax.imag, "complex", EXACT),
    "round_away": (lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO), "float", EXACT),
    "round_even": (lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN), "float", EXACT),
    "rsqrt": (lax.rsqrt, "float complex", ROUNDED),
    "sign": (lax.sign, "float integer complex", EXACT),
    "sin": (lax.sin, "float complex", ROUNDED),
    "sinh": (lax.sinh, "float complex", ROUNDED),
    "sqrt": (lax.sqrt, "float complex", ROUNDED),
    "square": (lax.square, "float integer complex", EXACT),
    "tan": (lax.tan, "float complex", ROUNDED),
    "tanh": (lax.tanh, "float complex", ROUNDED),
    "cube": (lambda x: lax.integer_pow(x, 3), "float integer complex", ROUNDED),
    "reciprocal_cube": (lambda x: lax.integer_pow(x, -3), "float", ROUNDED),
    "ndtri": (special.ndtri, "float", ROUNDED),
    "log_ndtr": (special.log_ndtr, "float", ROUNDED),
    "i0": (special.i0, "float", ROUNDED),
    "expi": (special.expi, "float", ROUNDED),
    "spence": (special.spence, "float", ROUNDED),
    "relu": (lambda x: jnp.maximum(x, 0), "float integer", EXACT),
    "empty": (lambda x: lax.neg(x[:0]), "float integer", EXACT),
}

BINARY = {
    "add": (lax.add, "float integer complex bool", EXACT),
    "and": (lax.bitwise_and, "integer bool", EXACT),
    "atan2": (lax.atan2, "float", ROUNDED),
    "div": (lax.div, "float integer complex", EXACT),
    "eq": (lax.eq, "float integer complex bool", EXACT),
    "ge": (lax.ge, "float integer bool", EXACT),
    "gt": (lax.gt, "float integer bool", EXACT),
    "le": (lax.le, "float integer bool", EXACT),
    "lt": (lax.lt, "float integer bool", EXACT),
    "ne": (lax.ne, "float integer complex bool", EXACT),
    "max": (lax.max, "float integer bool", EXACT),
    "min": (lax.min, "float integer bool", EXACT),
    "mul": (lax.mul, "float integer complex bool", EXACT),
    "mulhi": (getattr(lax, "mulhi", None), "integer", EXACT),
    "nextafter": (lax.nextafter, "float", EXACT),
    "or": (lax.bitwise_or, "integer bool", EXACT),
    "pow": (lax.pow, "float complex", ROUNDED),
    "rem": (lax.rem, "float integer", EXACT),
    "shift_left": (lax.shift_left, "integer", EXACT),
    "shift_right_arithmetic": (lax.shift_right_arithmetic, "integer", EXACT),
    "shift_right_logical": (lax.shift_right_logical, "integer", EXACT),
    "sub": (lax.sub, "float integer complex", EXACT),
    "xor": (lax.bitwise_xor, "integer bool", EXACT),
    "clamp": (lambda a, b: lax.clamp(a, b, jnp.full_like(a, 3)), "float integer", EXACT),
    "select": (lambda a, b: lax.select(a == b, a, b), "float integer complex", EXACT),
    "logaddexp": (jnp.logaddexp, "float", ROUNDED),
    "zeta": (lax.zeta, "float", ROUNDED),
    "igamma": (lax.igamma, "float", (64, 1e-5)),
    "igammac": (lax.igammac, "float", (64, 1e-5)),
    "complex": (lax.complex, "float", EXACT),
}


def elementwise():
    for op, (function, kinds, tolerance) in UNARY.items():
        for name in ALL:
            if kind(name) in kinds.split():
                yield Case(f"{op}.{name}", function, [edges(name)], tolerance)
    for op, (function, kinds, tolerance) in BINARY.items():
        for name in ALL:
            if function and kind(name) in kinds.split():
                a, b = pairs(name)
                if op.startswith("shift"):
                    b = np.abs(b.astype(np.int64) % 70).astype(b.dtype)
                yield Case(f"{op}.{name}", function, [a, b], tolerance)
    for name in FLOATS:
        n, x = np.meshgrid([0.0, 1.0, 2.0, 5.0], [0.1, 0.5, 1.0, 2.5, 7.3, 100.0])
        dtype = dtype_of(name)
        yield Case(f"polygamma.{name}", lax.polygamma, [n.astype(dtype), x.astype(dtype)], ROUNDED)
        a, b = np.meshgrid([0.5, 1.0, 2.5, 7.0], [0.3, 1.0, 4.0])
        x = np.full_like(a, 0.3)
        yield Case(f"betainc.{name}", lax.betainc, [v.astype(dtype) for v in (a, b, x)], (64, 1e-5))
    for name in ["int32", "int8", "uint8", "int64"]:
        a, b = pairs(name)
        b = np.abs(b.astype(np.int64) % 9).astype(b.dtype)
        yield Case(f"integer_power.{name}", lax.pow, [a, b])
    for name in FLOATS:
        a, _ = pairs(name)
        exponents = np.tile(np.array([-3, -1, 0, 1, 2, 3, 7, 31], np.int32), len(a) // 8 + 1)[: len(a)]
        yield Case(f"float_integer_power.{name}", lax.pow, [a, exponents], (4, 1e-6))


def conversions():
    for source in ALL:
        for target in ALL:
            if source != target and kind(source) != "complex":
                yield Case(f"convert.{source}.{target}", lambda x, t=target: lax.convert_element_type(x, dtype_of(t)), [edges(source)])
    for name in FLOATS:
        for exponent, mantissa in [(8, 7), (5, 10), (8, 23), (4, 3), (5, 2), (3, 2), (2, 1), (8, 0), (1, 0), (11, 52), (6, 12), (3, 20)]:
            yield Case(f"reduce_precision.{name}.{exponent}.{mantissa}", lambda x, e=exponent, m=mantissa: lax.reduce_precision(x, e, m), [edges(name)])
    for source, target in [("float32", "int32"), ("float8_e4m3fn", "uint8"), ("uint8", "float8_e5m2"), ("int4", "uint4"), ("float64", "uint32"), ("uint8", "float32"), ("int8", "int4"), ("float4_e2m1fn", "uint4"), ("uint8", "float4_e2m1fn"), ("int32", "int8"), ("int32", "int4"), ("uint2", "int2"), ("float32", "float8_e4m3fn"), ("bfloat16", "float16")]:
        x = edges(source)[:8] if len(edges(source)) >= 8 else edges(source)
        x = x[: len(x) // 4 * 4].reshape(-1, 4)
        ratio = width(target) // width(source)
        if ratio > 1:
            x = np.resize(x, (3, ratio))
        yield Case(f"bitcast.{source}.{target}", lambda x, t=target: lax.bitcast_convert_type(x, dtype_of(t)), [x])


def width(name):
    """Bits of an element."""
    return {"int2": 2, "uint2": 2, "int4": 4, "uint4": 4, "float4_e2m1fn": 4}.get(name, 8 * dtype_of(name).itemsize)


def movement():
    """What moves elements, and bodies of reductions, of every element type."""
    for name in ALL:
        x = random(name, (4, 6))
        v = random(name, (6,), 1)
        dtype = dtype_of(name)
        yield Case(f"transpose.{name}", lambda x: x.T, [x])
        yield Case(f"reshape.{name}", lambda x: x.reshape(3, 8), [x])
        yield Case(f"broadcast.{name}", lambda v: jnp.broadcast_to(v, (3, 6)), [v])
        yield Case(f"concatenate.{name}", lambda x, v: jnp.concatenate([x, v[None]]), [x, v])
        yield Case(f"pad.{name}", lambda x: lax.pad(x, jnp.array(1, dtype), [(1, -1, 1), (-1, 2, 0)]), [x], EXACT)
        yield Case(f"reverse.{name}", lambda x: lax.rev(x, (0, 1)), [x])
        yield Case(f"slice.{name}", lambda x: x[1:4:2, ::2], [x])
        for mode in ("clip", "fill"):
            indices = np.array([0, 3, -1, 4, 100, -100], np.int32)
            yield Case(f"gather_{mode}.{name}", lambda x, i, m=mode: x.at[i].get(mode=m, **({"fill_value": 1} if m == "fill" and kind(str(x.dtype)) != "bool" else {})), [x, indices])
        yield Case(f"dynamic_slice.{name}", lambda x, i: lax.dynamic_slice(x, (i, i), (2, 3)), [x, np.int32(7)])
        yield Case(f"dynamic_update_slice.{name}", lambda x, v, i: lax.dynamic_update_slice(x, v[None, :2], (i, i)), [x, v, np.int32(-9)])
        yield Case(f"scatter_set.{name}", lambda x, i, v: x.at[i].set(v), [x, np.array([2, 77], np.int32), v])
        yield Case(f"while.{name}", lambda x: lax.fori_loop(0, 3, lambda i, x: jnp.roll(x, 1), x), [x])
        yield Case(f"cond.{name}", lambda x, p: lax.cond(p, lambda x: x[::-1], lambda x: x, x), [x, np.bool_(True)])
        yield Case(f"constant.{name}", lambda x: jnp.concatenate([jnp.asarray(random(name, (6,), 5)), x[0]]), [x])
        if kind(name) != "complex":
            yield Case(f"sort.{name}", lambda x: lax.sort(x, dimension=1), [edges(name)[None]])
            yield Case(f"sort_pairs.{name}", lambda x, v: lax.sort((v, x[0]), num_keys=1), [x, v])
        if kind(name) in ("float", "integer"):
            yield Case(f"iota.{name}", lambda x: x + lax.iota(dtype, 6), [x])
            yield Case(f"argmax.{name}", lambda x: (jnp.argmax(x, 1), jnp.argmin(x)), [x])
            yield Case(f"argmax_edges.{name}", lambda x: lax.argmax(x, 0, np.int32), [edges(name)])
            yield Case(f"top_k.{name}", lambda x: lax.top_k(x, 3), [x])
            for op, f in {"max": lax.reduce_max, "min": lax.reduce_min}.items():
                yield Case(f"reduce_{op}.{name}", lambda x, f=f: f(x, (1,)), [x])
                yield Case(f"reduce_{op}_edges.{name}", lambda x, f=f: f(x, (1,)), [np.stack(pairs(name), 1)])
                yield Case(f"reduce_{op}_empty.{name}", lambda x, f=f: f(x[:, :0], (1,)), [x])
            yield Case(f"scatter_max.{name}", lambda x, i, v: x.at[i].max(v), [x, np.array([2, 2, 77], np.int32), v])
            yield Case(f"scatter_min.{name}", lambda x, i, v: x.at[i].min(v), [x, np.array([2, 2, 77], np.int32), v])
            yield Case(f"reduce_window_max.{name}", lambda x: largest(x, (2, 2)), [x])
            if kind(name) == "float":
                yield Case(f"select_and_gather.{name}", lambda x: jax.vjp(lambda x: largest(x, (1, 2)), x)[1](largest(x, (1, 2))), [x])
        if kind(name) != "bool":
            yield Case(f"reduce_sum.{name}", lambda x: lax.reduce_sum(x, (1,)), [x], SUMS)
            yield Case(f"reduce_prod.{name}", lambda x: lax.reduce_prod(x, (1,)), [x], SUMS)
            yield Case(f"reduce_general.{name}", lambda x: lax.reduce(x, jnp.array(2, dtype), lambda a, b: a * b + a * 0, (1,)), [x], SUMS)
            yield Case(f"cumsum.{name}", lambda x: lax.cumsum(x, 1), [x], SUMS)
            yield Case(f"cumprod.{name}", lambda x: lax.cumprod(x, 1), [x], SUMS)
            yield Case(f"scatter_add.{name}", lambda x, i, v: x.at[i].add(v), [x, np.array([2, 2, 77], np.int32), v], SUMS)
            yield Case(f"scatter_mul.{name}", lambda x, i, v: x.at[i].mul(v, unique_indices=False), [x, np.array([2, 2, 77], np.int32), v], SUMS)
            yield Case(f"reduce_window_sum.{name}", lambda x: lax.reduce_window(x, jnp.array(2, dtype), lax.add, (2, 3), (1, 2), "VALID"), [x], SUMS)
        if kind(name) in ("integer", "bool"):
            for op, f in {"or": lax.reduce_or, "and": lax.reduce_and, "xor": lax.reduce_xor}.items():
                yield Case(f"reduce_{op}.{name}", lambda x, f=f: f(x, (1,)), [x])


def largest(x, window):
    """The largest elements of windows, each begun with the least number of the type."""
    least = ml_dtypes.finfo(x.dtype).min if kind(x.dtype.name) == "float" else ml_dtypes.iinfo(x.dtype).min
    return lax.reduce_window(x, x.dtype.type(least), lax.max, window, (1, 2), "VALID")


def products():
    for name in ALL:
        if kind(name) == "bool":
            continue
        a, b = random(name, (4, 6)), random(name, (6, 5), 1)
        yield Case(f"dot.{name}", lambda a, b: lax.dot(a, b), [a, b], SUMS)
        wide = {"float": jnp.float32, "integer": jnp.int32, "complex": None}[kind(name)]
        if wide and name not in ("float64", "int64", "uint64"):
            yield Case(f"dot_wide.{name}", lambda a, b, w=wide: lax.dot(a, b, preferred_element_type=w), [a, b], SUMS)
        yield Case(f"dot_batched.{name}", lambda a, b: jnp.einsum("bij,bjk->bki", a[None], b[None]), [a, b], SUMS)
        image, kernel = random(name, (2, 3, 6, 6)), random(name, (4, 3, 3, 3), 1)
        yield Case(f"conv.{name}", lambda x, k: lax.conv_general_dilated(x, k, (1, 2), "SAME", rhs_dilation=(1, 2)), [image, kernel], SUMS)
    for left, right in [("float8_e4m3fn", "float8_e5m2"), ("bfloat16", "float32"), ("int8", "uint8"), ("int4", "bfloat16"), ("int8", "float32"), ("int4", "int8")]:
        a, b = random(left, (4, 6)), random(right, (6, 5), 1)
        yield Case(f"dot_mixed.{left}.{right}", lambda a, b: lax.dot_general(a, b, (((1,), (0,)), ((), ())), preferred_element_type=jnp.float32), [a, b], SUMS)
    for algorithm in lax.DotAlgorithmPreset:
        for name in ("float32", "bfloat16", "float8_e4m3fn"):
            a, b = random(name, (4, 6)), random(name, (6, 5), 1)
            yield Case(f"dot_algorithm.{algorithm.name}.{name}", lambda a, b, p=algorithm: lax.dot(a, b, precision=p, preferred_element_type=jnp.float32), [a, b], (4, 2e-2))
    for precision in lax.Precision:
        a, b = random("float32", (4, 6)), random("float32", (6, 5), 1)
        yield Case(f"dot_precision.{precision.name}", lambda a, b, p=precision: lax.dot(a, b, precision=p), [a, b], SUMS)


def everything():
    for family in (elementwise, conversions, movement, products):
        yield from (case for case in family() if case)
    import modules

    yield from modules.cases()
