"""Programs that call routines of libraries: Fourier transforms and linear algebra; made by `programs.py` as its own are."""

import jax
import jax.numpy as jnp
import jax.scipy as jsp
import numpy as np
from jax import lax
from programs import program, sharding

RANDOM = np.random.default_rng(18)
MESHES = ("", "data=4,model=1", "data=1,model=1")


def normal(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def complex_normal(*shape):
    return normal(*shape) + 1j * normal(*shape)


def by_batch(*arguments):
    return tuple(sharding("data", *(None,) * (array.ndim - 1)) for array in arguments)


def with_gradients(functions, *arguments):
    """The value of every function, and what flows back into its arguments."""
    results = {}
    for name, function in functions.items():
        value, pullback = jax.vjp(function, *arguments)
        results[name] = value, pullback(jax.tree.map(lambda v: (0.5 * v + 1).astype(v.dtype), value))
    return results


def projectors(vectors):
    """Of each column v the matrix v v^H, which is the same for both signs: which one comes is up to the library."""
    return jnp.einsum("bik,bjk->bkij", vectors, vectors.conj())


def without_signs(triangle, vectors):
    """What is the same for all signs of the columns of a Schur decomposition."""
    return abs(triangle), abs(vectors), jnp.einsum("bij,bjk,blk->bil", vectors, triangle, vectors.conj())


LINES, WAVES = normal(8, 6, 10), complex_normal(8, 7, 4, 9)


@program(LINES, WAVES, in_shardings=by_batch(LINES, WAVES), meshes=MESHES, gpus=("--mesh=data=2,model=2",), check=True)
def transforms(x, z):
    """All kinds of transforms along one to three dimensions, of lengths with large and small factors."""
    fft = jnp.fft
    return {
        **with_gradients({"rfft": fft.rfft, "rfft2": fft.rfft2, "longer": lambda x: fft.rfft(x, 34), "columns": lambda x: fft.rfft(x, axis=1)}, x),
        **with_gradients({"fft": fft.fft, "ifft": fft.ifft, "fftn": lambda z: fft.fftn(z, axes=(1, 2, 3)), "ifft2": fft.ifft2}, z),
        **with_gradients({"irfft": fft.irfft, "odd": lambda z: fft.irfft(z, 15), "irfft2": fft.irfft2}, z),
        "filtered": fft.irfft(fft.rfft(x) * jnp.exp(-jnp.arange(6.0))),
        "across": fft.fft(z, axis=0),
    }


SQUARE, SIDES = normal(8, 5, 5), normal(8, 5, 3)
POSITIVE = SQUARE @ SQUARE.transpose(0, 2, 1) + 3 * np.eye(5, dtype=np.float32)
INDEFINITE = POSITIVE.copy()
INDEFINITE[3] -= 20 * np.eye(5, dtype=np.float32)


@program(POSITIVE, SQUARE, SIDES, INDEFINITE, in_shardings=by_batch(POSITIVE, SQUARE, SIDES, INDEFINITE), meshes=MESHES, gpus=("--mesh=data=2,model=2",), check=True, tolerance="1e-4")
def linear_systems(positive, square, sides, indefinite):
    """Factors and solutions by batch; the factor of a matrix that has none is NaN."""
    return {
        **with_gradients({"cholesky": jnp.linalg.cholesky, "inverse": jnp.linalg.inv, "slogdet": lambda a: jnp.linalg.slogdet(a)[1]}, positive),
        **with_gradients({"solve": jnp.linalg.solve}, positive, sides),
        **with_gradients({"lower": lambda a, b: lax.linalg.triangular_solve(a + 5 * jnp.eye(5), b, left_side=True, lower=True)}, square, sides),
        "right": lax.linalg.triangular_solve(positive, square, left_side=False, lower=False, transpose_a=True, unit_diagonal=False),
        "indefinite": jnp.linalg.cholesky(indefinite),
        "factors": lax.linalg.lu(square),
        "whole": jsp.linalg.cho_solve((jnp.linalg.cholesky(positive[0]), True), sides[0]),
    }


TALL, HERMITIAN = normal(8, 6, 4), complex_normal(8, 4, 4)
HERMITIAN = HERMITIAN + HERMITIAN.conj().transpose(0, 2, 1)


@program(TALL, POSITIVE, HERMITIAN, in_shardings=by_batch(TALL, POSITIVE, HERMITIAN), meshes=MESHES, gpus=(), check=True, tolerance="1e-3")
def decompositions(tall, positive, hermitian):
    singular = lambda a: jnp.linalg.svd(a, full_matrices=False)
    return {
        **with_gradients({"qr": jnp.linalg.qr, "svd": lambda a: singular(a)[1], "pinv": jnp.linalg.pinv}, tall),
        **with_gradients({"eigh": lambda a: jnp.linalg.eigh(a)[0], "root": lambda a: jnp.einsum("bij,bj,bkj->bik", *(lambda w, v: (v, jnp.sqrt(w), v))(*jnp.linalg.eigh(a)))}, positive),
        "pivoted": jsp.linalg.qr(tall, mode="economic", pivoting=True),
        "vectors": (lambda u, s, v: (projectors(u), s, projectors(v.swapaxes(1, 2))))(*singular(tall)),
        "hermitian": (lambda w, v: (w, projectors(v)))(*jnp.linalg.eigh(hermitian)),
        "complex_qr": jnp.linalg.qr(hermitian),
        "complex_svd": jnp.linalg.svd(hermitian)[1],
        "complex_solution": jnp.linalg.solve(hermitian, hermitian[::-1]),
    }


@program(SQUARE, POSITIVE, SIDES, HERMITIAN, in_shardings=by_batch(SQUARE, POSITIVE, SIDES, HERMITIAN), meshes=MESHES, gpus=(), check=True, tolerance="1e-3")
def spectra(square, positive, sides, hermitian):
    diagonal = lambda offset: square[:, offset] * jnp.array([0.0, 1, 1, 1, 1] if offset == 0 else [1.0, 1, 1, 1, 0])
    return {
        "eig": (lambda w, v: (w, projectors(v)))(*jnp.linalg.eig(square)),
        "complex_eig": jnp.linalg.eig(hermitian)[0],
        "schur": without_signs(*lax.linalg.schur(square)),
        "complex_schur": without_signs(*lax.linalg.schur(hermitian)),
        "hessenberg": lax.linalg.hessenberg(square),
        "tridiagonal": lax.linalg.tridiagonal(positive),
        "along": lax.linalg.tridiagonal_solve(diagonal(0), square[:, 1] + 6, diagonal(2), sides),
        "exponential": jsp.linalg.expm(square[0] / 4),
    }
