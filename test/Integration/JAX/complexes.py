"""Programs of complex numbers; made by `programs.py` as its own are."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from programs import program, sharding

RANDOM = np.random.default_rng(11)


def normal(*shape):
    return (RANDOM.standard_normal(shape) + 1j * RANDOM.standard_normal(shape)).astype(np.complex64)


_PARTS = np.array([0.0, -0.0, 1, -1, 0.5, 2, -3.3, 1e-5, np.pi / 2, 10, -50, 1e10, np.inf, -np.inf, np.nan], np.float32)
EDGES = np.array([complex(a, b) for a in _PARTS for b in _PARTS], np.complex64)


@program(EDGES, gpus=())
def complex_edges(z):
    """Functions of which JAX has the same special values."""
    functions = dict(log=jnp.log, log1p=jnp.log1p, sqrt=jnp.sqrt, sin=jnp.sin, cos=jnp.cos, abs=jnp.abs, sign=jnp.sign)
    functions |= dict(asin=jnp.arcsin, acos=jnp.arccos, asinh=jnp.arcsinh, acosh=jnp.arccosh)
    functions |= dict(logistic=jax.nn.sigmoid, square=jnp.square, equal=lambda z: z == z[::-1], unequal=lambda z: z != 1)
    return {name: function(z) for name, function in functions.items()}


@program(normal(6, 8), meshes=("", "data=2"), tolerance="1e-4")
def complex_functions(z):
    functions = dict(exp=jnp.exp, expm1=jnp.expm1, rsqrt=lax.rsqrt, tan=jnp.tan, tanh=jnp.tanh, sinh=jnp.sinh, cosh=jnp.cosh, atan=jnp.arctan, atanh=jnp.arctanh)
    functions |= dict(cube=lambda z: z**3, power=lambda z: z ** (0.5 + 2j), quotient=lambda z: 1j / z, conj=jnp.conj, angle=jnp.angle)
    return {name: function(z) for name, function in functions.items()}


@program(normal(8, 12), normal(12, 8), np.array([3, 0, 5], np.int32), in_shardings=(sharding("data", "model"), sharding("model", None), None), meshes=("", "data=4,model=2"), check=True)
def complex_tensors(x, y, rows):
    product = x @ y
    image = jnp.stack([x, x * 1j])[..., None]
    return {
        "product": product,
        "contracted": jnp.einsum("ij,ik->jk", x.conj(), x),
        "sum": x.sum(0),
        "mean": x.mean(),
        "prod": (x * 0.5).prod(1),
        "cumsum": jnp.cumsum(x, 1),
        "sorted": jnp.sort(product, 0),
        "gathered": x[rows],
        "scattered": x.at[rows].add(x[:3]),
        "set": x.at[rows].set(2 - 1j),
        "padded": jnp.pad(x, ((1, 2), (0, 1)), constant_values=1j),
        "sliced": lax.dynamic_slice(x, (rows[0], rows[1]), (4, 3)),
        "convolved": lax.conv_general_dilated(image, normal(3, 3, 1, 2), (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")),
        "loop": lax.fori_loop(0, 3, lambda i, z: z * z * 0.1 + x, x),
        "branch": lax.cond(x[0, 0].real > 0, lambda z: z * 1j, lambda z: z.conj(), x),
        "scan": lax.scan(lambda s, e: (s * 0.5 + e, s), x[0], x)[1],
        "identity": jnp.eye(4, dtype=jnp.complex64) + lax.iota(jnp.complex64, 4),
        "selected": jnp.where(jnp.abs(x) > 1, x, 0),
    }


@program(normal(16, 4), normal(4, 4) * 0.5, np.float32(0.1), in_shardings=(sharding(("data", "model"), None), None, None), donate_argnums=0, meshes=("", "data=2,model=1"))
def complex_step(state, gate, rate):
    """A step of gradient descent on amplitudes, which are donated."""

    def loss(state):
        turned = jnp.exp(1j * jnp.angle(state)) * (state @ gate)
        return jnp.mean(jnp.abs(turned - state) ** 2)

    value, gradient = jax.value_and_grad(loss)(state)
    return state - rate * gradient.conj(), value


@program(normal(6, 8), normal(3, 8), np.array([2, 2, 77], np.int32), gpus=("--mesh=data=2,model=2",), in_shardings=(sharding("data", "model"), None, None))
def complex_products(z, w, places):
    """Products along a dimension, and of what meets in a place."""
    return {"running": jnp.cumprod(z, 0), "scattered": z.at[places].mul(w), "sums": jnp.cumsum(z, 1)}
