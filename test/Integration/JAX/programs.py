"""Small JAX programs with their inputs and what JAX computes, for tests of import and of everything behind it.

    python test/Integration/JAX/programs.py [NAME…]          makes NAME.mlir, NAME.inputs.safetensors, NAME.expected.safetensors
    python test/Integration/JAX/programs.py --lines [NAME…]  only writes the lines that lit runs anew

The files are checked in, so that the tests need no Python. Each program starts with the lines that lit runs: interpret it
on the inputs, compile and run it for one or several meshes, for the CPU and for emulated GPUs of both architectures, compare.
Tensors are named as in the exported file.
"""

import pathlib
import sys

import jax

jax.config.update("jax_num_cpu_devices", 8)

import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
from safetensors.numpy import save_file

FOLDER = pathlib.Path(__file__).resolve().parent
REPOSITORY = FOLDER.parent.parent.parent
sys.path[:0] = [str(REPOSITORY / "python"), str(REPOSITORY / "examples" / "gpt")]

import model as gpt
import tessera
from tessera.names import argument_names, default_result_names

PROGRAMS = {}
RANDOM = np.random.default_rng(0)


def program(*args, tolerance="1e-5", meshes=("",), gpus=("--mesh=data=1,model=1", "--mesh=data=2,model=2"), stages=(), check=False, unsupported=None, reference=None, **options):
    """Registers a function with its arguments; `options` go to `jax.jit`.

    tolerance    largest error of a result, relative to its largest magnitude.
    meshes       what to compile for, as `tesserac --mesh`; "" is the file's own mesh, or one device.
    stages       flags of pipeline parallelism to compile with, one program for each.
    gpus         flags to compile with for GPUs, one program for each.
    check        whether every phase is interpreted and compared with the import as well.
    reference    computes the results of what JAX cannot run on CPUs.
    unsupported  the operation for which the compiler refuses the program, as long as it does.
    """

    def register(function):
        PROGRAMS[function.__name__] = (function, args, options, reference, test_lines(function.__name__, tolerance, meshes, gpus, stages, check, unsupported))
        return function

    return register


def test_lines(name, tolerance, meshes, gpus, stages, check, unsupported):
    if unsupported:
        return (
            "// RUN: not tessera-opt --tessera-import-phase %s 2>&1 | FileCheck %s\n"
            f"// CHECK: error: unsupported operation '{unsupported}'\n"
        )
    files = f"--inputs=%S/{name}.inputs.safetensors --expect=%S/{name}.expected.safetensors --tolerance={tolerance}"
    lines = f"// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir\n// RUN: tessera-interpret %t.mlir {files}\n"
    for mesh in meshes:
        flag = (f" --mesh={mesh}" if mesh else "") + (" --check-phases" if check else "")
        lines += f"// RUN: tesserac %s{flag} -o %t.tsx\n// RUN: tessera-run %t.tsx {files}\n"
    for flags in stages:
        lines += f"// RUN: tesserac %s {flags} -o %t.tsx\n// RUN: tessera-run %t.tsx {files}\n"
    for flags in gpus:
        lines += f"// RUN: tesserac %s {flags + ' ' if flags else ''}--target=cuda --report=%t.json -o %t.tsx\n// RUN: python3 %S/../Inputs/check-spills.py %t.json\n"
        for arch in 80, 90:
            lines += f"// RUN: env TESSERA_EMULATED_ARCH={arch} tessera-run %t.tsx --backend=emulated {files}\n"
    return lines


# Code by hand is for the mesh of its file.
OWN = ("",)


def normal(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def integers(low, high, *shape, dtype=np.int32):
    return RANDOM.integers(low, high, shape, dtype=dtype)


def sharding(*dimensions):
    """A sharding on a mesh of 2 x 4 devices with the axes `data` and `model`."""
    return NamedSharding(Mesh(np.array(jax.devices()).reshape(2, 4), ("data", "model")), P(*dimensions))


# ---- training steps ---------------------------------------------------------------------------------------------------

MLP = {"w1": 0.5 * normal(6, 16), "b1": normal(16), "w2": 0.5 * normal(16, 4), "b2": normal(4)}
MLP_SHARDINGS = {"w1": sharding(None, "model"), "b1": sharding("model"), "w2": sharding("model", None), "b2": None}


@program(
    MLP,
    normal(8, 6),
    normal(8, 4),
    meshes=("", "data=4,model=2", "data=1,model=1"),
    in_shardings=(MLP_SHARDINGS, sharding("data", None), sharding("data", None)),
    donate_argnums=0,
)
def mlp_step(p, x, y):
    """A training step of two layers with gradient descent: batch on `data`, hidden width on `model`."""

    def loss(p):
        hidden = jnp.tanh(x @ p["w1"] + p["b1"])
        return jnp.mean((hidden @ p["w2"] + p["b2"] - y) ** 2)

    value, gradients = jax.value_and_grad(loss)(p)
    return jax.tree.map(lambda p, g: p - 0.1 * g, p, gradients), value


GPT = gpt.Config(layers=2, width=16, heads=8, sequence=8, batch=8, vocabulary=32)


@program(
    *jax.jit(lambda: gpt.initialize(GPT))(),
    (np.arange(72, dtype=np.uint8) * 7 % 32).reshape(8, 9),
    in_shardings=gpt.shardings(GPT, sharding().mesh),
    donate_argnums=(0, 1),
    tolerance="2e-4,1e-6",
    meshes=("", "data=8", "model=8", "data=4,model=2", "data=1,model=1"),
)
def gpt_step(p, opt, batch):
    """The training step of `examples/gpt`, small enough for the interpreters."""
    return gpt.step(p, opt, batch)


@program(
    normal(4, 8, 2, 4),
    normal(4, 8, 2, 4),
    normal(4, 8, 2, 4),
    meshes=("", "data=4"),
    in_shardings=(sharding("data", None, None, None),) * 3,
)
def attention_gradient(q, k, v):
    """Causal attention, forward and backward, with a constraint on the weights in between."""

    def attend(q, k, v):
        scores = jnp.einsum("bshk,bthk->bhst", q, k) * 0.5
        causal = jnp.tril(jnp.ones(scores.shape[-2:], bool))
        weights = jax.nn.softmax(jnp.where(causal, scores, -jnp.inf), axis=-1)
        weights = lax.with_sharding_constraint(weights, sharding("data", None, None, None))
        return jnp.sum(jnp.einsum("bhst,bthk->bshk", weights, v) ** 2)

    return jax.value_and_grad(attend, argnums=(0, 1, 2))(q, k, v)


@program(normal(8, 10), integers(0, 10, 8), in_shardings=(sharding("data", None), sharding("data")))
def cross_entropy(logits, labels):
    """`take_along_axis` gives a gather with batching dimensions; its gradient a scatter."""

    def loss(logits):
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=-1))

    return jax.value_and_grad(loss)(logits)


@program({"w": 0.3 * normal(3, 4, 4), "b": normal(3, 4)}, normal(2, 4))
def scan_layers(p, x):
    """A loop over stacked layers, forward and backward: two `while` loops with dynamic slices."""

    def loss(p, x):
        x, norms = lax.scan(lambda x, layer: (jnp.tanh(x @ layer["w"] + layer["b"]), jnp.sum(x * x)), x, p)
        return jnp.sum(x) + jnp.sum(norms)

    return jax.value_and_grad(loss)(p, x)


@program(0.3 * normal(4, 4), normal(2, 4))
def checkpointed(w, x):
    """`jax.checkpoint` recomputes behind an optimization barrier."""

    def loss(w):
        layer = jax.checkpoint(lambda x: jnp.sin(jnp.tanh(x @ w)))
        return jnp.sum(layer(layer(x)))

    return jax.value_and_grad(loss)(w)


@program(normal(4, 6), normal(6, 8))
def mixed_precision(x, w):
    """A product in bfloat16 that accumulates in float32."""
    product = lax.dot(x.astype(jnp.bfloat16), w.astype(jnp.bfloat16), preferred_element_type=jnp.float32)
    return product, jnp.sum(x.astype(jnp.bfloat16)).astype(jnp.float32)


# ---- control flow -----------------------------------------------------------------------------------------------------


@program(normal(3, 5), normal(5, 5))
def recurrent(x, w):
    """A recurrence over the rows of `x` that also stacks every state."""
    return lax.scan(lambda h, row: (jnp.tanh(h @ w + row), h), jnp.zeros(5), x)


@program(np.float32(7.5))
def while_newton(x):
    """A loop whose trip count depends on the data: a square root by Newton's method."""

    def body(state):
        guess, count = state
        return 0.5 * (guess + x / guess), count + 1

    return lax.while_loop(lambda state: jnp.abs(state[0] * state[0] - x) > 1e-4, body, (x, 0))


@program(np.int32(5), normal(4))
def fori_dynamic(count, x):
    """A counted loop whose bound is an argument."""
    return lax.fori_loop(0, count, lambda i, x: x * 0.5 + i.astype(jnp.float32), x)


@program(np.int32(1), normal(4))
def switch(index, x):
    """A choice between branches: `case`."""
    return lax.switch(index, [jnp.sin, lambda x: x * 2.0, lambda x: -x], x), lax.cond(index > 0, jnp.exp, jnp.cos, x)


# ---- indexing ---------------------------------------------------------------------------------------------------------


@program(normal(2, 8, 4), normal(2, 1, 4), np.int32(3))
def decode_cache(cache, key, position):
    """One step of decoding: writes a row into a cache, reads a window back."""
    cache = lax.dynamic_update_slice(cache, key, (0, position, 0))
    window = lax.dynamic_slice(cache, (0, position - 2, 0), (2, 3, 4))
    return cache, window


@program(normal(4, 4), np.int32(3), np.int32(-9))
def dynamic_slice_clamps(x, high, low):
    """Start indices out of range are clamped."""
    update = jnp.ones((2, 2), x.dtype)
    return lax.dynamic_slice(x, (high, low), (2, 2)), lax.dynamic_update_slice(x, update, (low, high))


@program(normal(10, 4), integers(-10, 10, 2, 3))
def embedding_gradient(table, ids):
    """Rows by index (negative ones count from the end), and the gradient: a scatter that adds."""
    return jax.value_and_grad(lambda table: jnp.sum(table[ids] ** 2))(table)


@program(normal(6, 5), integers(0, 6, 7), integers(0, 5, 7))
def gather_points(x, rows, columns):
    return x[rows, columns], jnp.take(x, rows, axis=1, mode="clip"), jnp.take(x, rows + 3, axis=0, mode="fill")


@program(normal(6, 3), integers(0, 6, 4), normal(4, 3))
def scatter_updates(x, rows, updates):
    """Scatters that set, add, multiply and take the maximum; rows beyond the end are dropped."""
    unique = jnp.arange(4, dtype=jnp.int32) * 2
    bits = lambda x: lax.bitcast_convert_type(x, jnp.uint32)
    return (
        x.at[unique].set(updates, mode="drop"),
        x.at[rows].add(updates),
        x.at[rows].multiply(updates),
        x.at[rows].max(updates),
        bits(x).at[rows].max(bits(updates)),
        bits(x).at[rows].min(bits(updates)),
    )


@program(normal(9, 2), integers(0, 4, 9))
def segment_sum(values, segments):
    return jax.ops.segment_sum(values, segments, num_segments=4), jax.ops.segment_max(values, segments, num_segments=4)


# ---- reductions and windows -------------------------------------------------------------------------------------------


@program(normal(3, 5), integers(-9, 9, 3, 5))
def reductions(x, n):
    """Every monoid, over several dimensions, and a reduction with two operands (`argmax`)."""
    return {
        "sum": jnp.sum(x, axis=0),
        "mean": jnp.mean(x, axis=(0, 1)),
        "max": jnp.max(x, axis=1),
        "min": jnp.min(n, axis=0),
        "product": jnp.prod(x, axis=1),
        "all": jnp.all(n > -8, axis=1),
        "any": jnp.any(n > 6, axis=0),
        "argmax": jnp.argmax(x, axis=1),
        "argmin": jnp.argmin(n, axis=0),
        "variance": jnp.var(x, axis=1),
        "logsumexp": jax.nn.logsumexp(x, axis=-1),
    }


@program(normal(3, 6))
def cumulative(x):
    """Prefix sums are windows as long as the dimension. What is summed in logarithms has a body of several operations."""
    sums = jnp.cumsum(x, axis=1), lax.cumsum(x, axis=0, reverse=True), lax.cummax(x, axis=1), lax.cumprod(x, axis=1)
    return *sums, lax.cumlogsumexp(x, axis=1), lax.cumlogsumexp(x, axis=0, reverse=True)


@program(normal(1, 6, 6, 2))
def pooling_gradient(x):
    """Maxima, minima and means over windows; the gradient of extremes selects and scatters."""

    def loss(x):
        largest = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        overlapping = lax.reduce_window(jnp.round(2 * x), -jnp.inf, lax.max, (1, 3, 2, 1), (1, 2, 1, 1), "SAME")
        ties = lax.reduce_window(jnp.round(x), -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
        least = lax.reduce_window(x, jnp.inf, lax.min, (1, 3, 3, 1), (1, 1, 1, 1), "SAME")
        means = lax.reduce_window(x, 0.0, lax.add, (1, 3, 3, 1), (1, 1, 1, 1), "SAME") / 9
        return sum(jnp.sum(y**2) for y in (largest, overlapping, ties * x[:, ::2, ::2], least, means))

    return jax.value_and_grad(loss)(x)


CONVOLUTIONS = {
    "padded": ((2, 3, 9), (4, 3, 4), dict(window_strides=(1,), padding="SAME")),
    "strided": ((2, 3, 9), (4, 3, 4), dict(window_strides=(3,), padding=[(2, 5)])),
    "cropped": ((2, 3, 9), (4, 3, 4), dict(window_strides=(2,), padding=[(-1, 3)], rhs_dilation=(2,))),
    "dilated": ((2, 3, 5), (4, 3, 4), dict(window_strides=(1,), padding=[(3, 1)], lhs_dilation=(2,))),
    "strided and dilated": ((2, 3, 5), (4, 3, 4), dict(window_strides=(2,), padding=[(3, 4)], lhs_dilation=(3,))),
    "dilated twice": ((2, 3, 5), (4, 3, 3), dict(window_strides=(2,), padding=[(4, 4)], lhs_dilation=(3,), rhs_dilation=(2,))),
    "far apart": ((2, 3, 5), (4, 3, 3), dict(window_strides=(1,), padding=[(2, 1)], lhs_dilation=(4,))),
    "patches": ((2, 3, 13), (4, 3, 3), dict(window_strides=(4,), padding="VALID")),
    "interleaved": ((2, 3, 12), (4, 3, 3), dict(window_strides=(1,), padding=[(0, 1)], rhs_dilation=(5,))),
    "groups": ((2, 6, 7), (4, 3, 3), dict(window_strides=(2,), padding="SAME", feature_group_count=2)),
    "depthwise": ((2, 4, 7), (8, 1, 3), dict(window_strides=(1,), padding="SAME", feature_group_count=4)),
    "batch groups": ((6, 2, 7), (4, 2, 3), dict(window_strides=(1,), padding="VALID", batch_group_count=2)),
    "plane": ((1, 2, 6, 5), (3, 2, 3, 2), dict(window_strides=(2, 1), padding="SAME")),
    "last channels": (
        (1, 6, 5, 2),
        (3, 2, 2, 3),
        dict(window_strides=(1, 2), padding="VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")),
    ),
    "one channel": ((2, 1, 6, 5), (3, 1, 3, 3), dict(window_strides=(1, 1), padding="SAME")),
    "space": ((1, 2, 3, 4, 3), (2, 2, 2, 2, 2), dict(window_strides=(1, 2, 1), padding="SAME")),
    "no window": ((3, 4), (5, 4), dict(window_strides=(), padding=[])),
}


@program({name: (normal(*x), normal(*w)) for name, (x, w, _) in CONVOLUTIONS.items()})
def convolutions(operands):
    """Convolutions of every kind, and their gradients with respect to both operands."""
    results = {}
    for name, (x, w) in operands.items():
        y, pullback = jax.vjp(lambda x, w: lax.conv_general_dilated(x, w, **CONVOLUTIONS[name][2]), x, w)
        results[name] = (y, *pullback(jnp.cos(y)))
    return results


@program(
    normal(2, 8, 3),
    normal(3, 3, 4),
    integers(-5, 5, 2, 1, 8, dtype=np.int8),
    integers(-5, 5, 1, 1, 3, dtype=np.int8),
)
def short_convolutions(x, w, n, m):
    """Sums of short numbers are kept in longer ones; integers; `jnp.convolve` reverses the kernel."""
    half = lax.conv_general_dilated(
        x.astype(jnp.bfloat16), w.astype(jnp.bfloat16), (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC")
    )
    return {
        "half": half,
        "integers": lax.conv_general_dilated(n, m, (1,), "SAME", preferred_element_type=jnp.int32),
        "convolve": jnp.convolve(x[0, :, 0], w[:, 0, 0], mode="full"),
        "patches": lax.conv_general_dilated_patches(x, (3,), (2,), "SAME", dimension_numbers=("NWC", "WIO", "NWC")),
    }


# ---- orders -----------------------------------------------------------------------------------------------------------

TIES = np.array([[2.0, -0.0, 1.0, 0.0, np.nan, 2.0, -np.inf, 1.0], [3.0, 3.0, np.inf, -1.0, 3.0, -np.nan, 0.5, np.inf]], np.float32)


@program(TIES, integers(0, 4, 2, 8), integers(0, 250, 8, dtype=np.uint8))
def orders(x, n, bytes):
    """Sorts by one key and by several, with NaN, zeros of both signs and ties; the largest and their places."""
    return {
        "sort": jnp.sort(x, axis=-1),
        "descending": jnp.sort(x, axis=0, descending=True),
        "argsort": jnp.argsort(x, axis=-1),
        "bytes": jnp.sort(bytes),
        "keys": lax.sort((n, x), num_keys=1),
        "two keys": lax.sort((n, x), num_keys=2),
        "lexsort": jnp.lexsort((x[0], n[0])),
        "top": lax.top_k(x, 3),
        "top of integers": lax.top_k(n, 8),
        "median": jnp.median(x[:, :3], axis=1),
        "unique": jnp.unique(n, size=5),
        "partition": jnp.argpartition(bytes, 3),
        "found": jnp.searchsorted(jnp.sort(n[0]), jnp.arange(5)),
    }


@program(normal(8, 8), in_shardings=(sharding("data", "model"),), meshes=("", "data=8", "model=2"), check=True)
def sorted_gradient(x):
    """Orders of rows that are split: the sorted dimension is gathered, the others are not."""

    def loss(x):
        values, _ = lax.top_k(x, 2)
        return jnp.sum(jnp.sort(x, axis=1) * jnp.arange(8.0)) + jnp.sum(values**2)

    return jax.value_and_grad(loss)(x), jnp.argsort(x, axis=0)


# ---- element-wise, shapes, bits ---------------------------------------------------------------------------------------


@program(normal(8), np.abs(normal(8)) + 0.1)
def elementwise(x, positive):
    unary = [jnp.exp, jnp.expm1, jnp.sin, jnp.cos, jnp.tanh, jnp.abs, jnp.sign, jnp.floor, jnp.ceil, jnp.round]
    unary += [jax.nn.sigmoid, jax.nn.silu, jax.nn.relu, jax.nn.gelu, jax.nn.softplus, jnp.square, jnp.negative]
    on_positive = [jnp.log, jnp.log1p, jnp.sqrt, lax.rsqrt, jnp.cbrt, jnp.reciprocal]
    binary = [jnp.add, jnp.subtract, jnp.multiply, jnp.divide, jnp.maximum, jnp.minimum, jnp.fmod, jnp.arctan2]
    return {
        **{function.__name__: function(x) for function in unary},
        **{function.__name__: function(positive) for function in on_positive},
        **{function.__name__: function(x, positive) for function in binary},
        "power": positive**x,
        "cube": x**3,
        "clip": jnp.clip(x, -0.5, 0.5),
        "where": jnp.where(x > 0, x, 10.0 * positive),
        "isfinite": jnp.isfinite(x / (x - x[0])),
    }


@program(normal(8))
def error_function(x):
    """The exact GELU and the inverse error function: CHLO operations."""
    return jax.nn.gelu(x, approximate=False), lax.erf_inv(jnp.tanh(x))


@program(
    np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 2e-38, 0.3, 2.5, -0.7, -7.7, 100.0, 0.5, 1e-5, -3.0], np.float32)
)
def special_functions(x):
    """Neighbours of numbers, the gamma function, and an operation that is its body."""
    composite = lax.composite(lambda x: jnp.tanh(x) * 2, "library.twice_tanh")
    return {
        "towards zero": jnp.nextafter(x, jnp.zeros_like(x)),
        "upwards": jnp.nextafter(x, jnp.full_like(x, np.inf)),
        "lgamma": lax.lgamma(jnp.where(jnp.abs(x) < 1e-3, 0.7, x)),
        "digamma": lax.digamma(jnp.where(jnp.abs(x) < 1e-3, 0.7, x)),
        "composite": composite(x),
    }


@program(integers(-99, 99, 8), integers(1, 9, 8), integers(0, 2**32, 8, dtype=np.uint32))
def integer_arithmetic(a, b, bits):
    """Signed and unsigned: division, remainder, shifts and comparison differ."""
    unsigned = b.astype(jnp.uint32)
    return {
        "divide": lax.div(a, b),
        "remainder": lax.rem(a, b),
        "floor_divide": a // b,
        "modulo": a % b,
        "shift_right": a >> 1,
        "shift_left": a << b,
        "unsigned_divide": lax.div(bits, unsigned),
        "unsigned_remainder": lax.rem(bits, unsigned),
        "unsigned_shift_right": bits >> 3,
        "unsigned_less": bits < (bits ^ unsigned),
        "unsigned_max": jnp.maximum(bits, unsigned << 30),
        "unsigned_to_float": bits.astype(jnp.float32),
        "signed_to_float": a.astype(jnp.float32),
        "and_or_xor_not": (a & b) | (a ^ ~b),
        "wrap": bits * jnp.uint32(2654435769),
        "population": lax.population_count(bits),
        "leading_zeros": lax.clz(bits >> b.astype(jnp.uint32)),
        "narrow": a.astype(jnp.int8),
        "widen": a.astype(jnp.int8).astype(jnp.int32),
        "byte": bits.astype(jnp.uint8),
    }


@program(normal(8), np.array([-3.7, 300.5, 1e10, -0.5], np.float32))
def conversions(x, wide):
    return {
        "half": x.astype(jnp.float16).astype(jnp.float32),
        "brain": x.astype(jnp.bfloat16).astype(jnp.float32),
        "integer": jnp.clip(wide, -1e9, 1e9).astype(jnp.int32),
        "boolean": (x > 0).astype(jnp.float32),
        "to_boolean": wide.astype(bool),
        "bits": lax.bitcast_convert_type(x, jnp.uint32),
    }


@program(normal(2, 3, 4), normal(2, 3, 4))
def shapes(x, y):
    return {
        "transpose": jnp.transpose(x, (2, 0, 1)),
        "reshape": x.reshape(4, 6),
        "concatenate": jnp.concatenate([x, y, x], axis=1),
        "pad": lax.pad(x, jnp.float32(9), ((1, 0, 0), (-1, 2, 0), (0, 1, 2))),
        "strided": x[:, ::2, 1::2],
        "reverse": x[:, ::-1],
        "stack": jnp.stack([x, y], axis=2),
        "broadcast": jnp.broadcast_to(x[:, :1], (2, 3, 4)) + y,
        "roll": jnp.roll(x, 1, axis=2),
        "iota": lax.broadcasted_iota(jnp.int32, (2, 3), 1),
        "eye": jnp.eye(3, 4),
        "table": jnp.asarray(np.arange(120, dtype=np.float32).reshape(2, 60))[:, ::20],
    }


@program(normal(2, 3, 4, 5), normal(3, 5, 2, 6))
def contractions(x, y):
    """Products with batching dimensions in any place, several contracted ones, none."""
    return {
        "batched": jnp.einsum("abcd,bdae->abce", x, y),
        "contract_two": jnp.einsum("abcd,bdae->ce", x, y),
        "outer": jnp.einsum("abcd,bdae->abcde", x, y)[0, 0, 0],
        "vector": x[0, 0] @ y[0, :, 0, 0],
        "inner": jnp.vdot(x[0, 0, 0], y[0, :, 0, 0]),
    }


@program(np.array([7, 42], np.uint32), normal(4, 6))
def dropout(key, x):
    """Random bits by Threefry: integer arithmetic in private functions."""
    keep = jax.random.bernoulli(jax.random.wrap_key_data(key), 0.75, x.shape)
    return jnp.where(keep, x / 0.75, 0.0)


# ---- devices by hand --------------------------------------------------------------------------------------------------


def by_hand(in_specs, out_specs, axes=("data", "model"), **options):
    """`jax.shard_map` over `axes` of the mesh of 2 x 4 devices; the others stay automatic."""
    return lambda body: jax.shard_map(
        body, mesh=sharding().mesh, in_specs=in_specs, out_specs=out_specs, axis_names=set(axes), **options
    )


@program(normal(8, 4), normal(4, 8), check=True, gpus=OWN)
def shard_map_collectives(x, w):
    """Per-device code: every collective that JAX has."""
    specs = (P("data", None), P(None, "model"))
    outputs = (P(), P("data", "model"), P(None, "model"), P("data", None))

    @by_hand(specs, outputs, check_vma=False)
    def body(x, w):
        total = lax.psum(x, "data")
        gathered = lax.all_gather(w, "model", axis=1, tiled=True)
        scattered = lax.psum_scatter(total @ w, "data", scatter_dimension=0, tiled=True)
        shifted = lax.ppermute(w, "model", [(i, (i + 1) % 4) for i in range(4)])
        exchanged = lax.all_to_all(x, "data", split_axis=1, concat_axis=0, tiled=True)
        position = lax.axis_index("model").astype(jnp.float32)
        return lax.pmean(jnp.sum(gathered), "model"), scattered, shifted + position, exchanged

    return body(x, w)


# ---- the edges of arithmetic ------------------------------------------------------------------------------------------

NUMBERS = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, -3.5, 1e-8, 1e30, -1e30, np.inf, -np.inf, np.nan], np.float32)
INTEGERS = np.array([0, 1, -1, 2, -7, 31, 32, 33, -(2**31), 2**31 - 1, 100, -100, 5, -(2**31)], np.int32)
OTHERS = np.array([0, 0, -1, 3, 2, -2, 31, 32, -1, 40, 0, -7, -3, 0], np.int32)


@program(NUMBERS)
def edge_numbers(x):
    """Zeros of both signs, infinities and NaN, in every operation on numbers."""
    y = x[::-1]
    unary = [
        jnp.abs, jnp.arctan, jnp.ceil, jnp.cos, jnp.cosh, jnp.exp, jnp.expm1, jnp.floor, jnp.isfinite, jnp.isinf, jnp.isnan,
        jnp.log, jnp.log1p, jnp.negative, jnp.sign, jnp.sin, jnp.sqrt, jnp.square, jnp.tan, jnp.tanh, lax.cbrt, lax.erf,
        lax.logistic, lax.rsqrt, lax.round, lax.is_finite,
    ]  # fmt: skip
    binary = [
        lax.add, lax.atan2, lax.div, lax.eq, lax.ge, lax.gt, lax.le, lax.lt, lax.max, lax.min, lax.mul, lax.ne, lax.pow, lax.rem,
        lax.sub,
    ]  # fmt: skip
    results = {f"unary{i}": f(x) for i, f in enumerate(unary)} | {f"binary{i}": f(x, y) for i, f in enumerate(binary)}
    results["clamp"] = lax.clamp(-1.0, x, 1.0)
    results["round_even"] = lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN)
    results["reduce_precision"] = lax.reduce_precision(x, 8, 7)
    results["bits"] = lax.bitcast_convert_type(x, jnp.int32)
    return results


@program(INTEGERS, OTHERS)
def edge_integers(a, b):
    """Divisions by zero, shifts by the width and more, the least integer by -1; signed and unsigned."""
    operations = [
        lax.add, lax.div, lax.eq, lax.ge, lax.gt, lax.le, lax.lt, lax.max, lax.min, lax.mul, lax.ne, lax.rem, lax.shift_left,
        lax.shift_right_arithmetic, lax.shift_right_logical, lax.sub, lax.bitwise_xor,
    ]  # fmt: skip
    u, v = a.astype(jnp.uint32), b.astype(jnp.uint32)
    results = {f"signed{i}": f(a, b) for i, f in enumerate(operations)}
    results |= {f"unsigned{i}": f(u, v) for i, f in enumerate(operations)}
    results |= {"abs": lax.abs(a), "sign": lax.sign(a), "sign_unsigned": lax.sign(u), "not": ~a, "negate": -u}
    results |= {"clz": lax.clz(a), "ones": lax.population_count(u)}
    results |= {"clamp": lax.clamp(jnp.uint32(3), u, jnp.uint32(2**31 + 5)), "clamp_signed": lax.clamp(jnp.int32(-3), a, jnp.int32(9))}
    return results


@program(NUMBERS, INTEGERS)
def edge_conversions(x, n):
    """Every pair of types, with numbers that do not fit."""
    types = [
        jnp.int8, jnp.int16, jnp.int32, jnp.uint8, jnp.uint16, jnp.uint32, jnp.float16, jnp.bfloat16, jnp.float32, jnp.bool_,
    ]  # fmt: skip
    wide = lambda t: t.astype(jnp.float32) if t.dtype in (jnp.float16, jnp.bfloat16) else t
    results = {}
    for source in types:
        start = (x if jnp.issubdtype(source, jnp.floating) else n).astype(source)
        results |= {f"{source.__name__}_to_{target.__name__}": wide(start.astype(target)) for target in types}
    return results


@program(normal(7, 9))
def windows(x):
    """Windows with strides, dilations and padding, of sizes that are no powers of two."""
    return {
        "strided": lax.reduce_window(x, -jnp.inf, lax.max, (3, 2), (2, 1), "SAME"),
        "wide": lax.reduce_window(x, 0.0, lax.add, (2, 7), (1, 2), "VALID"),
        "dilated": lax.reduce_window(
            x, 0.0, lax.add, (2, 3), (1, 1), ((1, 2), (0, 3)), base_dilation=(2, 1), window_dilation=(1, 2)
        ),
        "least": lax.reduce_window(x, jnp.inf, lax.min, (7, 1), (1, 1), ((6, 0), (0, 0))),
        "reversed": lax.cumsum(x, 1, reverse=True),
    }


# ---- more devices by hand ---------------------------------------------------------------------------------------------


@program(normal(8, 8), integers(-50, 50, 8, 8), check=True, gpus=OWN)
def shard_map_reductions(x, n):
    """Sums, maxima and minima over one axis, both, and parts of one; of signed and unsigned integers too."""
    both = P("data", "model")
    outputs = {"sum": P("data"), "most": P(), "least": P(None, "model"), "halves": both, "pairs": both, "n": P(), "u": P("data"), "v": P()}

    @by_hand((both, both), outputs, check_vma=False)
    def body(x, n):
        u = n.astype(jnp.uint32)
        return {
            "sum": lax.psum(x, "model"),
            "most": lax.pmax(x, ("data", "model")),
            "least": lax.pmin(x, "data"),
            "halves": lax.psum(x, "model", axis_index_groups=[[0, 1], [2, 3]]),
            "pairs": lax.psum(x, "model", axis_index_groups=[[0, 2], [1, 3]]),
            "n": lax.psum(n, ("model", "data")),
            "u": lax.pmax(u, "model"),
            "v": lax.pmin(u, ("data", "model")),
        }

    return body(x, n)


@program(normal(8, 16), check=True, gpus=OWN)
def shard_map_exchanges(x):
    """Gathers and exchanges over both axes in either order, with and without new dimensions; shifts that leave some without."""
    both = P("data", "model")
    outputs = [P(), P(), both, P(("model", "data"), None), P(("data", "model"), None), both, P("model", "data"), both, both]

    @by_hand(both, outputs, check_vma=False)
    def body(x):
        i, j = lax.axis_index(("data", "model")), lax.axis_index(("model", "data"))
        return [
            lax.all_gather(x, ("data", "model"))[:, 0, 0],
            lax.all_gather(x, ("model", "data"))[:, 0, 0],
            lax.all_gather(x, "model", axis=1)[:, 1, :],
            lax.psum_scatter(x.reshape(8, 2), ("model", "data"), tiled=True),
            lax.psum_scatter(x.reshape(8, 2), ("data", "model"), scatter_dimension=0).reshape(1, 2),
            lax.all_to_all(x, "model", 0, 1, tiled=True).reshape(4, 4),
            lax.all_to_all(x, "model", 0, 0).T,
            lax.ppermute(x, "model", [(0, 3), (3, 1)]) + lax.ppermute(x, ("data", "model"), [(0, 5), (7, 0)]),
            x * i + j,
        ]

    return body(x)


HAND = {"w1": normal(8, 16), "w2": normal(16, 8)}


@program(HAND, normal(4, 8), check=True, gpus=OWN)
def shard_map_gradient(p, x):
    """A layer split by hand over both axes and its gradient, with JAX's checks of what varies where."""

    @by_hand(({"w1": P(None, "model"), "w2": P("model", None)}, P("data", None)), P("data", None))
    def layer(p, x):
        return lax.psum(jnp.tanh(x @ p["w1"]) @ p["w2"], "model")

    return jax.value_and_grad(lambda p: jnp.mean(layer(p, x) ** 2))(p)


@program(HAND, normal(4, 8), check=True, meshes=("", "data=4,model=4", "model=4"), in_shardings=(None, sharding("data", None)), gpus=OWN)
def shard_map_partial(p, x):
    """Only `model` is by hand; the batch is split over `data` by annotation, inside as outside. With its gradient."""

    @by_hand(({"w1": P(None, "model"), "w2": P("model", None)}, P()), P(None, "model"), axes=["model"])
    def layer(p, x):
        partial = jnp.tanh(x @ p["w1"]) @ p["w2"]
        return lax.psum_scatter(partial, "model", scatter_dimension=1, tiled=True) + lax.axis_index("model")

    return jax.value_and_grad(lambda p: jnp.mean(layer(p, x) ** 2))(p)


@program(normal(4, 8, 8), check=True, meshes=("", "data=4,model=4", "model=4"), in_shardings=(sharding("data", None, None),), gpus=OWN)
def shard_map_ulysses(x):
    """Heads for sequence by an exchange, and back, while the batch stays where it is."""

    @by_hand(P(None, "model", None), P(None, "model", None), axes=["model"])
    def attend(x):
        q = lax.all_to_all(x, "model", split_axis=2, concat_axis=1, tiled=True)
        a = jax.nn.softmax(jnp.einsum("bsd,btd->bst", q, q), axis=-1)
        return lax.all_to_all(jnp.einsum("bst,btd->bsd", a, q), "model", split_axis=1, concat_axis=2, tiled=True)

    return attend(x * 2.0) + 1.0


@program(normal(8, 16), check=True, gpus=OWN)
def shard_map_nested(x):
    """A region in a region, each over one axis; the inner one also reduces over the outer's."""

    @by_hand(P("data", None), P("data", None), axes=["data"])
    def outer(x):
        x = x * (1.0 + lax.axis_index("data"))

        @lambda body: jax.shard_map(body, in_specs=P(None, "model"), out_specs=P(None, "model"), axis_names={"model"})
        def inner(y):
            return y - lax.pmean(y, ("model", "data")) * lax.axis_index("model")

        return jnp.sin(inner(x)) + lax.psum(x, "data")

    return outer(x)


@program(normal(8, 16), 0.3 * normal(16, 4), tolerance="1e-4", check=True, gpus=OWN)
def shard_map_loops(x, w):
    """A loop in per-device code in a loop, and its gradient."""

    @by_hand((P("data", None), P(None, "model")), P("data", None), check_vma=False)
    def region(x, w):
        def body(c, _):
            c = lax.ppermute(c, "data", [(0, 1), (1, 0)])
            return jnp.tanh(c + lax.psum(c @ w @ w.T, "model")), None

        return lax.scan(body, x, None, length=3)[0]

    step = lambda c, _: (region(c, w), None)
    return jax.value_and_grad(lambda x: jnp.sum(lax.scan(step, x, None, length=2)[0]))(x)


# ---- attention --------------------------------------------------------------------------------------------------------


def transformer_layer(x, layer):
    """Pre-norm attention of two heads, causal, and an MLP, as a scan over layers has them."""
    heads = jnp.split((x - jnp.mean(x, -1, keepdims=True)) @ layer["qkv"], 3, axis=-1)
    q, k, v = (h.reshape(*x.shape[:2], 2, -1) for h in heads)
    scores = jnp.einsum("bshk,bthk->bhst", q, k) * 0.25
    causal = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    weights = jax.nn.softmax(jnp.where(causal, scores, -1e30), axis=-1)
    x = x + jnp.einsum("bhst,bthk->bshk", weights, v).reshape(x.shape) @ layer["o"]
    return x + jnp.tanh(x @ layer["a"]) @ layer["b"], None


LAYERS = {"qkv": 0.1 * normal(3, 32, 96), "o": 0.1 * normal(3, 32, 32), "a": 0.1 * normal(3, 32, 64), "b": 0.1 * normal(3, 64, 32)}


@program(LAYERS, normal(4, 24, 32), tolerance="1e-4", meshes=("", "data=2"), in_shardings=(None, sharding("data", None, None)))
def scan_attention(p, x):
    """A scan over layers with attention, forward and backward: two loops, between which residuals are stacked."""
    return jax.value_and_grad(lambda p: jnp.mean(lax.scan(transformer_layer, x, p)[0] ** 2))(p)


@program(LAYERS, normal(4, 24, 32), tolerance="1e-4")
def scan_attention_saved(p, x):
    """The same, where the backward loop computes all again but products of matrices, scores among them."""
    layer = jax.checkpoint(transformer_layer, policy=jax.checkpoint_policies.dots_saveable)
    return jax.value_and_grad(lambda p: jnp.mean(lax.scan(layer, x, p)[0] ** 2))(p)


@program(LAYERS, normal(4, 24, 32), tolerance="1e-4")
def scan_attention_recomputed(p, x):
    """The same, where the backward loop computes all again."""
    return jax.value_and_grad(lambda p: jnp.mean(lax.scan(jax.checkpoint(transformer_layer), x, p)[0] ** 2))(p)


BFLOAT16 = lambda *shape: normal(*shape).astype(jnp.bfloat16)


@program(
    BFLOAT16(2, 16, 4, 16), BFLOAT16(2, 24, 2, 16), BFLOAT16(2, 24, 2, 16), BFLOAT16(1, 4, 16, 24),
    RANDOM.random((2, 1, 16, 24)) > 0.3, integers(5, 24, 2), tolerance="2e-2",
)  # fmt: skip
def library_attention(q, k, v, bias, mask, lengths):
    """`jax.nn.dot_product_attention` in bf16, whose products name their algorithm: grouped heads, scale, window, bias, mask, lengths."""
    attend = jax.nn.dot_product_attention
    variants = [
        lambda *a: attend(*a),
        lambda *a: attend(*a, is_causal=True, scale=0.3),
        lambda *a: attend(*a, is_causal=True, local_window_size=8),
        lambda *a: attend(*a, local_window_size=(6, 3)),
        lambda *a: attend(*a, bias=bias),
        lambda *a: attend(*a, mask=mask, is_causal=True),
        lambda *a: attend(*a, key_value_seq_lengths=lengths),
    ]
    loss = lambda f: lambda *a: jnp.sum(f(*a).astype(jnp.float32) ** 2)
    # Other queries each time, so that no two share their scores.
    return [jax.value_and_grad(loss(f), argnums=(0, 1, 2))(q * (1 + i / 4), k, v) for i, f in enumerate(variants)]


CAUSAL = jnp.tril(jnp.ones((24, 24), bool))


@program(normal(2, 24, 2, 16), normal(2, 24, 2, 16), normal(2, 24, 2, 16), tolerance="1e-4")
def captured_mask(q, k, v):
    """A mask that is a table of the model: a large constant of `i1`. Single heads are mapped over."""

    def head(q, k, v):
        return jax.nn.softmax(jnp.where(CAUSAL, q @ k.T * 0.25, -jnp.inf), axis=-1) @ v

    heads = jax.vmap(jax.vmap(head, 1, 1))
    return jax.value_and_grad(lambda *a: jnp.sum(heads(*a) ** 2), argnums=(0, 1, 2))(q, k, v)


@program(
    BFLOAT16(2, 40, 4, 16), BFLOAT16(2, 40, 2, 16), BFLOAT16(2, 40, 2, 16), normal(32, 4), normal(4), RANDOM.random((2, 1, 1, 40)) > 0.2,
    RANDOM.random((2, 4, 40, 40)) > 0.2, tolerance="2e-2", gpus=("--mesh=data=1,model=1",),
)  # fmt: skip
def attention_variants(q, k, v, table, slopes, valid, keep):
    """Attention with a cap and grouped heads, position biases that are learned, dropout, `log_softmax`, and a softmax of some keys only."""
    places = jnp.arange(40)
    distance = places[:, None] - places[None, :]

    def attend(q, k, v, change, keep=1.0):
        scores = jnp.einsum("bskgh,btkh->bkgst", q.reshape(2, 40, 2, 2, 16), k, preferred_element_type=jnp.float32)
        weights = (change(scores.reshape(2, 4, 40, 40) / 4) * keep).astype(v.dtype)
        return jnp.einsum("bkgst,btkh->bskgh", weights.reshape(2, 2, 2, 40, 40), v).astype(jnp.float32)

    def capped(scores):
        return jax.nn.softmax(jnp.where(distance >= 0, jnp.tanh(scores / 2) * 2, -2.4e38))

    hidden = jnp.where(valid, 0, -1e9)

    def buckets(q, k, v, table):
        bias = table[jnp.clip(distance + 16, 0, 31)].transpose(2, 0, 1) + hidden
        return attend(q, k, v, lambda scores: jax.nn.softmax(scores + bias))

    def linear(q, k, v, slopes):
        return attend(q, k, v, lambda scores: jax.nn.softmax(scores - slopes[:, None, None] * abs(distance) + hidden))

    variants = [
        (lambda q, k, v, _: attend(q, k, v, capped), ()),
        (buckets, table),
        (linear, slopes),
        (lambda q, k, v, _: attend(q, k, v, jax.nn.softmax, keep / 0.8), ()),
        (lambda q, k, v, _: attend(q, k, v, lambda scores: jnp.exp(jax.nn.log_softmax(scores))), ()),
        (lambda q, k, v, _: attend(q, k, v, lambda scores: jax.nn.softmax(scores, where=valid)), ()),
    ]
    loss = lambda f: lambda *a: jnp.sum(f(*a) ** 2)
    return [jax.value_and_grad(loss(f), argnums=(0, 1, 2, 3))(q * (1 + i / 4), k, v, p) for i, (f, p) in enumerate(variants)]


SPELLINGS = np.random.default_rng(7)
OPERAND = lambda *shape: jnp.asarray(SPELLINGS.standard_normal(shape), jnp.bfloat16)


@program(
    OPERAND(2, 40, 4, 16), OPERAND(2, 40, 2, 16), OPERAND(2, 40, 2, 16), OPERAND(4, 16, 32),
    np.sort(SPELLINGS.integers(0, 4, (2, 40)), 1).astype(np.int32), tolerance="2e-2", gpus=("--mesh=data=1,model=1",),
)  # fmt: skip
def attention_spellings(q, k, v, w, segments):
    """Attention that is divided by the sums of exponentials after its product, in a sliding window, and within segments of a row, with a matrix behind it."""
    places = jnp.arange(40)
    distance = places[:, None] - places[None, :]

    def project(output):
        return jnp.einsum("bskgh,kghf->bsf", output, w.reshape(2, 2, 16, 32)).astype(jnp.float32)

    def scores(q, k):
        return jnp.einsum("bskgh,btkh->bkgst", q.reshape(2, 40, 2, 2, 16), k, preferred_element_type=jnp.float32) / 4

    def divided(q, k, v):
        hidden = jnp.where(distance >= 0, scores(q, k), -2.4e38)
        weights = jnp.exp(hidden - jnp.max(hidden, -1, keepdims=True))
        sums = jnp.moveaxis(jnp.sum(weights, -1, keepdims=True), 3, 1)
        return project(jnp.einsum("bkgst,btkh->bskgh", weights.astype(v.dtype), v) / sums.astype(v.dtype))

    def masked(mask):
        def attend(q, k, v):
            weights = jax.nn.softmax(jnp.where(mask, scores(q, k), -1e30)).astype(v.dtype)
            return project(jnp.einsum("bkgst,btkh->bskgh", weights, v))

        return attend

    same = (segments[:, :, None] == segments[:, None, :])[:, None, None]
    variants = [divided, masked((distance >= 0) & (distance < 8)), masked(same & (distance >= 0))]
    loss = lambda f: lambda *a: jnp.sum(f(*a) ** 2)
    return [jax.value_and_grad(loss(f), argnums=(0, 1, 2))(q * (1 + i / 4), k, v) for i, f in enumerate(variants)]


@program(
    OPERAND(2, 40, 4, 16), OPERAND(2, 40, 2, 16), OPERAND(2, 40, 2, 16), OPERAND(4), tolerance="2e-2", gpus=("--mesh=data=1,model=1",),
)  # fmt: skip
def attention_sinks(q, k, v, sinks):
    """Attention with sinks, scores of no key: as a column that is dropped after the softmax, added to the sums, and zero; and the logarithms of sums as a result."""
    causal = jnp.tril(jnp.ones((40, 40), bool))
    scores = lambda q, k: jnp.where(causal, jnp.einsum("bskgh,btkh->bkgst", q.reshape(2, 40, 2, 2, 16), k, preferred_element_type=jnp.float32) / 4, -1e30)
    weigh = lambda weights, v: jnp.einsum("bkgst,btkh->bskgh", weights.astype(v.dtype), v).astype(jnp.float32)
    columns = lambda sinks: jnp.broadcast_to(sinks.astype(jnp.float32).reshape(1, 2, 2, 1, 1), (2, 2, 2, 40, 1))

    def column(q, k, v, sinks):
        return weigh(jax.nn.softmax(jnp.concatenate([scores(q, k), columns(sinks)], -1))[..., :-1], v)

    def added(q, k, v, sinks):
        hidden, sink = scores(q, k), columns(sinks)
        largest = lax.stop_gradient(jnp.maximum(jnp.max(hidden, -1, keepdims=True), sink))
        weights = jnp.exp(hidden - largest)
        return weigh(weights / (jnp.sum(weights, -1, keepdims=True) + jnp.exp(sink - largest)), v)

    loss = lambda f: lambda *a: jnp.sum(f(*a) ** 2)
    gradients = [jax.value_and_grad(loss(f), argnums=(0, 1, 2, 3))(q * (1 + i / 4), k, v, sinks) for i, f in enumerate((column, added))]
    gradients.append(jax.value_and_grad(loss(lambda *a: added(*a, jnp.zeros(4))), argnums=(0, 1, 2))(q * 2, k, v))
    hidden = scores(q * 3, k)
    largest = jnp.max(hidden, -1, keepdims=True)
    weights = jnp.exp(hidden - largest)
    sums = jnp.sum(weights, -1, keepdims=True)
    return gradients, weigh(weights / sums, v), jnp.log(sums) + largest


@program(
    OPERAND(2, 40, 4, 16), OPERAND(2, 40, 4, 8), OPERAND(2, 40, 4, 16), OPERAND(2, 40, 8), OPERAND(2, 40, 4, 16), tolerance="2e-2",
    gpus=("--mesh=data=1,model=1",),
)  # fmt: skip
def attention_parts(q, q_rotated, k, k_rotated, v):
    """Scores that are the sum of two matmuls, with keys of their own and ones that all heads share; and with values that are such keys."""
    causal = jnp.tril(jnp.ones((40, 40), bool))
    product = lambda keys: lambda q, k: jnp.einsum(f"bshd,{keys}->bhst", q, k, preferred_element_type=jnp.float32)
    weigh = lambda scores: jax.nn.softmax(jnp.where(causal, scores, -1e30)).astype(v.dtype)

    def latent_attention(q, q_rotated, k, k_rotated, v):
        scores = (product("bthd")(q, k) + product("btd")(q_rotated, k_rotated)) * 0.2
        return jnp.einsum("bhst,bthd->bshd", weigh(scores), v)

    def absorbed(q, q_rotated, k, k_rotated, v):
        latent = k[:, :, 0] + v[:, :, 0]
        scores = product("btd")(q, latent) * 0.2 + product("btd")(q_rotated, k_rotated) * 0.3
        return jnp.einsum("bhst,btd->bshd", weigh(scores), latent)

    loss = lambda f: lambda *a: jnp.sum(f(*a).astype(jnp.float32) ** 2)
    return [jax.value_and_grad(loss(f), argnums=(0, 1, 2, 3, 4))(q, q_rotated, k, k_rotated, v) for f in (latent_attention, absorbed)]


# ---- windows over whose places programs loop ---------------------------------------------------------------------------

_WINDOWS = np.random.default_rng(49)
_drawn = lambda *shape: _WINDOWS.standard_normal(shape, np.float32)
LARGE_WINDOWS = {
    # 12 x 12 places, of which one dimension is written out; then with every other output, and as the gradient of that.
    "square": ((2, 18, 17, 2), (12, 12, 2, 3), ((1, 1), "SAME", {})),
    "strided": ((2, 25, 21, 2), (12, 9, 2, 3), ((2, 2), "SAME", {})),
    # Each dimension alone is too long.
    "line": ((2, 1, 140, 2), (1, 103, 2, 3), ((1, 1), "SAME", {})),
    "spread": ((1, 30, 16, 2), (8, 8, 2, 2), ((1, 1), "VALID", {"rhs_dilation": (3, 2)})),
    "depthwise": ((2, 16, 16, 3), (11, 11, 1, 3), ((1, 1), "SAME", {"feature_group_count": 3})),
    # More places of the kernel than outputs.
    "few outputs": ((1, 40, 40, 1), (32, 33, 1, 2), ((1, 1), "VALID", {})),
}


_LARGE = {name: (_drawn(*x), _drawn(*w) / np.float32(np.sqrt(np.prod(w[:-1])))) for name, (x, w, _) in LARGE_WINDOWS.items()}


# The emulator would take minutes.
@program(_LARGE, gpus=())
def large_windows(operands):
    """Convolutions with windows of more places than are written out, and their gradients."""
    results = {}
    for name, (x, w) in operands.items():
        strides, padding, options = LARGE_WINDOWS[name][2]
        convolve = lambda x, w: lax.conv_general_dilated(x, w, strides, padding, dimension_numbers=("NHWC", "HWIO", "NHWC"), **options)
        y, pullback = jax.vjp(convolve, x, w)
        results[name] = (y, *pullback(jnp.cos(y)))
    return results


# ---- files ------------------------------------------------------------------------------------------------------------


def write(name):
    function, args, options, reference, lines = PROGRAMS[name]
    text = tessera.export(jax.jit(function, **options), *args, root=REPOSITORY)
    (FOLDER / f"{name}.mlir").write_text(lines + text)
    # Results without shardings or donation: what one device computes, unless the program itself is for several.
    results = (reference or jax.jit(function))(*args)
    tensors = lambda names, tree: {n: np.asarray(t, order="C") for n, t in zip(names, jax.tree.leaves(tree), strict=True)}
    save_file(tensors(argument_names(function, args), args), FOLDER / f"{name}.inputs.safetensors")
    save_file(tensors(default_result_names(results), results), FOLDER / f"{name}.expected.safetensors")


def write_lines(name):
    path = FOLDER / f"{name}.mlir"
    text = path.read_text()
    path.write_text(PROGRAMS[name][-1] + "".join(line for line in text.splitlines(True) if not line.startswith("// RUN:")))


if __name__ == "__main__":
    # The programs of these are registered here, where they find `program`.
    sys.modules["programs"] = sys.modules["__main__"]
    import complexes  # noqa: F401
    import libraries  # noqa: F401
    import meshes  # noqa: F401
    import models  # noqa: F401
    import others  # noqa: F401
    import regions  # noqa: F401
    import short_types  # noqa: F401
    import staged  # noqa: F401
    import whole  # noqa: F401

    only_lines = sys.argv[1:2] == ["--lines"]
    for name in sys.argv[1 + only_lines :] or PROGRAMS:
        (write_lines if only_lines else write)(name)
