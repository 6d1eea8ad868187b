"""A two-dimensional flow, pseudo-spectral: the state is its vorticity.

Rows of fields are split over eight devices, and columns of spectra, so that a transform along both dimensions exchanges once what it
has transformed along rows. By hand: seven transforms a step, each an all-to-all of a device's part of a spectrum.
"""

import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec as P

MESH = {"x": 8}
SIZE, STEPS = 248, 20


def bytes_by_hand():
    part = SIZE // 8 * (SIZE // 2 + 1) * 8
    return 7 * part * 7 // 8


def wave_numbers():
    kx, ky = jnp.fft.fftfreq(SIZE, 1 / SIZE)[:, None], jnp.fft.rfftfreq(SIZE, 1 / SIZE)[None]
    return kx, ky, jnp.where(kx * kx + ky * ky == 0, 1.0, kx * kx + ky * ky)


def initial():
    """Rolled-up shear layers: two of opposite sign, and a small wave along them."""
    places = jnp.arange(SIZE) * (2 * jnp.pi / SIZE)
    x, y = places[:, None], places[None]
    shear = jnp.cosh(6 * (y - jnp.pi / 2)) ** -2 - jnp.cosh(6 * (y - 3 * jnp.pi / 2)) ** -2
    return {"vorticity": 6 * shear + 0.3 * jnp.cos(2 * x)}, {}


def step(mesh):
    physical, spectral = NamedSharding(mesh, P("x", None)), NamedSharding(mesh, P(None, "x"))

    def forward(field):
        return lax.with_sharding_constraint(jnp.fft.rfft2(field), spectral)

    def back(spectrum):
        spectrum = lax.with_sharding_constraint(spectrum, spectral)
        return lax.with_sharding_constraint(jnp.fft.irfft2(spectrum, (SIZE, SIZE)), physical)

    def advance(state, _):
        """One explicit step of the nonlinear term, an implicit one of viscosity; two thirds of the waves are kept."""
        vorticity, (kx, ky, squares) = forward(state["vorticity"]), wave_numbers()
        stream = vorticity / squares
        change = back(1j * ky * stream) * back(1j * kx * vorticity) - back(1j * kx * stream) * back(1j * ky * vorticity)
        kept = (jnp.abs(kx) < SIZE / 3) & (ky < SIZE / 3)
        vorticity = (vorticity - 2e-3 * jnp.where(kept, forward(change), 0)) / (1 + 2e-6 * squares)
        # Waves along the last dimension stand for two each, but for the first and the last.
        times = jnp.where((ky == 0) | (ky == SIZE // 2), 0.5, 1)
        energy = jnp.sum(times * jnp.abs(vorticity) ** 2 / squares) / float(SIZE) ** 4
        return {"vorticity": back(vorticity)}, {"energy": energy}

    return advance, {"vorticity": P("x", None)}, {}
