"""What the GPU benchmarks measure: each case is a function in JAX, its arguments, and the work that it must do.

Sizes are such that a case runs well past the launch of a kernel and that memory-bound data is several times a cache.
"""

import math
import pathlib
import sys
from dataclasses import dataclass, field
from typing import Callable, Optional

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True)
class Argument:
    """A tensor: element type by its name in NumPy and JAX, and shape."""

    dtype: str
    shape: tuple

    @property
    def bytes(self):
        return math.prod(self.shape) * {"float32": 4, "int32": 4, "uint8": 1}.get(self.dtype, 2)


@dataclass(frozen=True)
class Case:
    """One thing to measure. `bound` is what limits it: "memory" (`bytes` that must move), "compute" (`flops` of matrix
    products) or "step" (a whole training step, timed on the host)."""

    name: str
    bound: str
    function: Callable
    arguments: tuple
    flops: int = 0
    bytes: int = 0
    options: dict = field(default_factory=dict)

    @property
    def goal(self):
        """The rival, or "copy", whose speed Tessera's is held against, and the ratio to reach; None where no goal is set."""
        if self.bound == "memory":
            return "copy", 0.9
        if self.name.startswith("matmul"):
            return "cuBLASLt", 0.9
        if self.name.startswith("attention"):
            return "torch", 1.0
        return ("JAX", 1.0) if self.bound == "step" else None


# ---- the functions (JAX) ------------------------------------------------------------------------------------------------


def matmul(x, w):
    return x @ w


def mlp(x, w1, b1, w2, b2):
    import jax

    return jax.nn.gelu(x @ w1 + b1, approximate=True) @ w2 + b2


def softmax(x):
    import jax
    import jax.numpy as jnp

    return jax.nn.softmax(x.astype(jnp.float32), axis=-1).astype(x.dtype)


def layer_norm(x, scale, bias):
    import jax.numpy as jnp
    from jax import lax

    wide = x.astype(jnp.float32)
    centred = wide - jnp.mean(wide, axis=-1, keepdims=True)
    variance = jnp.mean(centred * centred, axis=-1, keepdims=True)
    return (centred * lax.rsqrt(variance + 1e-5) * scale + bias).astype(x.dtype)


def adamw(parameters, gradients, m, v):
    """One step over lists of tensors; returns parameters and both moments."""
    import jax
    import jax.numpy as jnp

    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, gradients)
    v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, v, gradients)
    update = lambda p, m, v: p - 1e-3 * (m / (jnp.sqrt(v) + 1e-6) + 0.01 * p)
    return jax.tree.map(update, parameters, m, v), m, v


def attention(q, k, v):
    """Causal; batch, positions, heads, width of a head."""
    import jax
    import jax.numpy as jnp

    scores = jnp.einsum("bshk,bthk->bhst", q, k).astype(jnp.float32) * (q.shape[-1] ** -0.5)
    position = jnp.arange(q.shape[1])
    scores = jnp.where(position[:, None] >= position[None, :], scores, -1e30)
    weights = jax.nn.softmax(scores, axis=-1).astype(q.dtype)
    return jnp.einsum("bhst,bthk->bshk", weights, v)


def attention_gradient(q, k, v, g):
    """The gradients of q, k and v for the gradient g of the result, the forward pass included."""
    import jax

    return jax.vjp(attention, q, k, v)[1](g)


# ---- the cases ----------------------------------------------------------------------------------------------------------


def _matmul(name, dtype, m, n, k):
    return Case(
        f"matmul_{name}_{dtype}",
        "compute",
        matmul,
        (Argument(dtype, (m, k)), Argument(dtype, (k, n))),
        flops=2 * m * n * k,
        options={"m": m, "n": n, "k": k},
    )


def _memory(name, function, arguments, results):
    moved = sum(a.bytes for a in arguments if not isinstance(a, tuple)) + sum(r.bytes for r in results)
    return Case(name, "memory", function, arguments, bytes=moved)


def _adamw(width=1024, layers=12):
    shapes = []
    for _ in range(layers):
        shapes += [(width,), (width, 3 * width), (3 * width,), (width, width), (width,), (width, 4 * width)]
        shapes += [(4 * width,), (4 * width, width), (width,)]
    group = tuple(Argument("float32", shape) for shape in shapes)
    total = sum(a.bytes for a in group)
    return Case("adamw", "memory", adamw, (group,) * 4, bytes=7 * total)


def _attention(name, width, sequence, batch, heads, backward):
    tensor = Argument("bfloat16", (batch, sequence, heads, width))
    product = batch * heads * sequence * sequence * width  # of the causal half; forwards take two, backwards five more
    if backward:
        return Case(name, "compute", attention_gradient, (tensor,) * 4, flops=7 * product)
    return Case(name, "compute", attention, (tensor,) * 3, flops=2 * product)


def gpt_sizes(compute="bfloat16"):
    """The GPT example, of the size of GPT-2 medium with half of its layers."""
    sys.path.insert(0, str(REPOSITORY / "examples" / "gpt"))
    import model

    return model.Config(layers=12, width=1024, heads=16, sequence=1024, batch=8, vocabulary=256, compute=compute)


def _gpt(compute):
    # The function and its arguments come from the example: `export.py` and `rivals.py` ask for them.
    return Case(f"gpt_step_{compute}", "step", None, (), options={"compute": compute})


def all_cases():
    rows = 16384
    cases = []
    for dtype in ("bfloat16", "float16"):
        cases += [
            _matmul("square", dtype, 8192, 8192, 8192),
            _matmul("tall", dtype, 32768, 1024, 4096),
            _matmul("wide", dtype, 1024, 32768, 1024),
            _matmul("ragged", dtype, 4095, 4104, 4088),
            _matmul("small", dtype, 512, 512, 4096),
        ]
    x = Argument("bfloat16", (8192, 2048))
    w1, w2 = Argument("bfloat16", (2048, 8192)), Argument("bfloat16", (8192, 2048))
    b1, b2 = Argument("bfloat16", (8192,)), Argument("bfloat16", (2048,))
    cases.append(Case("mlp_bfloat16", "compute", mlp, (x, w1, b1, w2, b2), flops=4 * 8192 * 2048 * 8192))
    for dtype in ("bfloat16", "float32"):
        x = Argument(dtype, (rows, 8192))
        vector = Argument("float32", (8192,))
        cases.append(_memory(f"softmax_{dtype}", softmax, (x,), (x,)))
        cases.append(_memory(f"layer_norm_{dtype}", layer_norm, (x, vector, vector), (x,)))
    cases.append(_adamw())
    for width in (64, 128):
        cases.append(_attention(f"attention_{width}", width, 4096, 4, 2048 // width, backward=False))
        cases.append(_attention(f"attention_gradient_{width}", width, 4096, 4, 2048 // width, backward=True))
    cases += [_gpt("bfloat16"), _gpt("float32")]
    return cases


def find(name) -> Optional[Case]:
    return next((case for case in all_cases() if case.name == name), None)
