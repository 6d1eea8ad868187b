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


def flow(mesh, plan, spectral, physical):
    """A step of a flow; `spectral` and `physical` say where a spectrum and a field lie."""
    size = 248
    plan.all_to_all("spectra", 8, size // 8, size // 2 + 1, 2, times=7)

    def step(w):
        kx, ky, squares = wave_numbers(size)
        forward = lambda field: spectral(jnp.fft.rfft2(field))
        back = lambda spectrum: physical(jnp.fft.irfft2(spectral(spectrum)))
        spectrum = forward(w)
        stream = spectrum / squares
        change = back(1j * ky * stream) * back(1j * kx * spectrum) - back(1j * kx * stream) * back(1j * ky * spectrum)
        kept = (jnp.abs(kx) < size / 3) & (ky < size / 3)
        return back((spectrum - 1e-3 * jnp.where(kept, forward(change), 0)) / (1 + 1e-5 * squares))

    return jitted(mesh, step, P("x", None), P("x", None)), (sds(size, size),)


@case(x=8)
def navier_stokes(mesh, plan):
    """A pseudo-spectral step of a flow in two dimensions: a field is split by rows, its spectrum by columns, so that each transform
    along both exchanges once what it has transformed along rows."""
    on = lambda *spec: lambda x: lax.with_sharding_constraint(x, NamedSharding(mesh, P(*spec)))
    return flow(mesh, plan, on(None, "x"), on("x", None))


@case(x=8)
def navier_stokes_free(mesh, plan):
    """The same without a word on where spectra lie: they stay where a transform leaves them."""
    return flow(mesh, plan, lambda x: x, lambda x: x)


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


def triangle(plan, what, size, rounds):
    """A triangular matrix of `size` rows, dealt out over all devices in rounds: of each, its block and the columns below."""
    width = size // rounds
    plan.all_gather(f"{what}: blocks", 8, width, width, times=rounds)
    for left in range(1, rounds):
        plan.all_gather(f"{what}: columns", 8, left * width, width)


@case(x=8)
def factor_gradient(mesh, plan):
    """A loss of a Cholesky factor, and its gradient. Rows are dealt out for the factor and collected; going back, the product of the
    factor and its cotangent is scattered, and both systems read the factor's columns, gathered once, with right-hand
    sides that are split by columns, then by rows."""
    size = 512
    plan.all_gather("argument", 8, size, size)
    plan.all_to_all("dealt and collected", 8, size // 8, size, times=2)
    triangle(plan, "factor", size, 8)
    plan.reduce_scatter("product of factor and cotangent", 8, size, size)
    triangle(plan, "systems", size, 8)
    plan.all_to_all("sides, and their sum's other half", 8, size // 8, size, times=3)
    rows = NamedSharding(mesh, P("x", None))

    def loss(a, weights):
        positive = lax.with_sharding_constraint(20 * a @ a.T + jnp.eye(size), rows)
        return jnp.sum(lax.with_sharding_constraint(jnp.linalg.cholesky(positive), rows) * weights)

    return jitted(mesh, jax.value_and_grad(loss), (P("x", None),) * 2, (P(), P("x", None))), (sds(size, size),) * 2


@case(x=2, y=4)
def system_gradient(mesh, plan):
    """A triangular system in blocks with many right-hand sides, and its gradient by both. Sides are split by columns over all
    devices, for which the matrix is gathered by columns, once for both directions; its gradient is scattered."""
    size = 512
    plan.all_to_all("matrix, sides, weights, gradient", 8, size // 8, size, times=4)
    triangle(plan, "systems", size, 8)
    plan.reduce_scatter("gradient of the matrix", 8, size, size)

    def loss(a, sides, weights):
        found = lax.linalg.triangular_solve(a / 4 + 3 * jnp.eye(size), sides, left_side=True, lower=True)
        return jnp.sum(found * found * weights)

    blocks = P("x", "y")
    return jitted(mesh, jax.value_and_grad(loss, argnums=(0, 1)), (blocks,) * 3, (P(), (blocks,) * 2)), (sds(size, size),) * 3
