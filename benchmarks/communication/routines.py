"""Programs that call routines of libraries on what is split: Fourier transforms and factors of matrices."""

import jax
import jax.numpy as jnp
import jax.scipy as jsp
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec as P

from case import case, sds
from moves import jitted


def wave_numbers(size):
    """Those along both dimensions of the transform of a real field, and their squares, without zero."""
    kx, ky = jnp.fft.fftfreq(size, 1 / size)[:, None], jnp.fft.rfftfreq(size, 1 / size)[None]
    return kx, ky, jnp.where(kx * kx + ky * ky == 0, 1.0, kx * kx + ky * ky)


@case(x=8)
def navier_stokes(mesh, plan):
    """A pseudo-spectral step of a flow in two dimensions: a field is split by rows, its spectrum by columns, so that each transform
    along both exchanges once what it has transformed along rows."""
    size = 248
    plan.all_to_all("spectra", 8, size // 8, size // 2 + 1, 2, times=7)
    physical, spectral = NamedSharding(mesh, P("x", None)), NamedSharding(mesh, P(None, "x"))

    def step(w):
        kx, ky, squares = wave_numbers(size)
        forward = lambda field: lax.with_sharding_constraint(jnp.fft.rfft2(field), spectral)
        back = lambda spectrum: lax.with_sharding_constraint(jnp.fft.irfft2(lax.with_sharding_constraint(spectrum, spectral)), physical)
        spectrum = forward(w)
        stream = spectrum / squares
        change = back(1j * ky * stream) * back(1j * kx * spectrum) - back(1j * kx * stream) * back(1j * ky * spectrum)
        kept = (jnp.abs(kx) < size / 3) & (ky < size / 3)
        return back((spectrum - 1e-3 * jnp.where(kept, forward(change), 0)) / (1 + 1e-5 * squares))

    return jitted(mesh, step, P("x", None), P("x", None)), (sds(size, size),)


@case(x=2, y=4)
def transform_of_blocks(mesh, plan):
    """A field in blocks, transformed along both dimensions. The spectrum may lie as it comes: an exchange along each axis of
    the mesh makes rows whole, then columns."""
    size = 256
    plan.all_to_all("rows", 4, size // 2, size // 4, 2)
    plan.all_to_all("columns", 8, size // 2, size // 4, 2)
    constrain = lambda x: lax.with_sharding_constraint(x, NamedSharding(mesh, P(None, ("x", "y"))))

    def spectrum(x, y):
        transformed = constrain(jnp.fft.fft2(x + 1j * y))
        return jnp.real(transformed), jnp.imag(transformed)

    return jitted(mesh, spectrum, (P("x", "y"),) * 2, (P(None, ("x", "y")),) * 2), (sds(size, size),) * 2


@case(x=8)
def gaussian_process(mesh, plan):
    """The logarithm of a Gaussian process's evidence: rows of the covariance are split, and so is its factor. A blocked algorithm on
    rows that are dealt out in eight rounds gathers of each round the columns below the diagonal once, and its block."""
    points, features, rounds = 1024, 8, 8
    width = points // rounds
    plan.all_gather("points", 8, points, features)
    plan.all_gather("blocks", 8, width, width, times=rounds)
    for left in range(1, rounds):
        plan.all_gather("columns", 8, left * width, width)
    plan.all_reduce("evidence", 8, width, times=2 * rounds)

    def evidence(x, y):
        squares = jnp.sum(x * x, axis=1)
        distances = squares[:, None] + squares[None] - 2 * x @ x.T
        covariance = jnp.exp(-0.5 * distances) + 0.1 * jnp.eye(points)
        factor = jnp.linalg.cholesky(lax.with_sharding_constraint(covariance, NamedSharding(mesh, P("x", None))))
        factor = lax.with_sharding_constraint(factor, NamedSharding(mesh, P("x", None)))
        solved = jsp.linalg.solve_triangular(factor, y, lower=True)
        return 0.5 * jnp.sum(solved * solved) + jnp.sum(jnp.log(jnp.diagonal(factor)))

    return jitted(mesh, evidence, (P("x", None), P("x")), P()), (sds(points, features), sds(points))
