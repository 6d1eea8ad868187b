"""What the kernel benchmarks measure: small JAX functions, each with the shapes of its arguments.

Arguments are f32 and between 0.5 and 1.5. On two devices the dimension of each argument that `split` names is sharded.
"""

from dataclasses import dataclass
from typing import Callable


@dataclass(frozen=True)
class Case:
    """One thing to measure. `split` has the sharded dimension of each argument, None for one that is whole on every device."""

    group: str
    name: str
    function: Callable
    shapes: tuple
    split: tuple
    dtype: str = "float32"


# ---- the functions (JAX) ------------------------------------------------------------------------------------------------


def vdot(u, v):
    import jax.numpy as jnp

    return jnp.vdot(u, v)


def sum_of_products(u, v):
    return (u * v).sum()


def einsum(equation):
    def function(*operands):
        import jax.numpy as jnp

        return jnp.einsum(equation, *operands)

    return function


def roll(x, shift, axis):
    import jax.numpy as jnp

    return jnp.roll(x, shift, axis)


def laplacian(x, axes):
    """The sum of both neighbours along each axis, less the point itself."""
    neighbours = sum(roll(x, 1, axis) + roll(x, -1, axis) for axis in axes)
    return neighbours - 2 * len(axes) * x


def heat(x):
    return x + 0.1 * laplacian(x, range(x.ndim))


def nine_points(x):
    across = [roll(roll(x, i, 0), j, 1) for i in (1, -1) for j in (1, -1)]
    return x + 0.1 * (4 * laplacian(x, (0, 1)) + sum(across) - 4 * x) / 6


def fourth_order(x):
    """The second derivative of fourth order along the last axis."""
    axis = x.ndim - 1
    near, far = roll(x, 1, axis) + roll(x, -1, axis), roll(x, 2, axis) + roll(x, -2, axis)
    return x + 0.1 * (16 * near - far - 30 * x) / 12


def wave(x, before):
    return 2 * x - before + 0.25 * laplacian(x, (0, 1)), x


def gray_scott(u, v):
    reaction = u * v * v
    return (
        u + 0.16 * laplacian(u, (0, 1)) - reaction + 0.06 * (1 - u),
        v + 0.08 * laplacian(v, (0, 1)) + reaction - 0.122 * v,
    )


def shallow_water(h, u, v):
    """A step of forward differences on a periodic grid."""
    difference = lambda x, axis: 0.5 * (roll(x, -1, axis) - roll(x, 1, axis))
    return (
        h - 0.01 * (difference(h * u, 0) + difference(h * v, 1)),
        u - 0.01 * (u * difference(u, 0) + v * difference(u, 1) + difference(h, 0)),
        v - 0.01 * (u * difference(v, 0) + v * difference(v, 1) + difference(h, 1)),
    )


def wrapped_heat(x):
    """The five-point stencil on an array padded by its other end."""
    import jax.numpy as jnp

    p = jnp.pad(x, 1, mode="wrap")
    return x + 0.1 * (p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4 * x)


def enclosed_heat(x):
    """The five-point stencil between walls: padded with zeros."""
    import jax.numpy as jnp

    p = jnp.pad(x, 1)
    return x + 0.1 * (p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4 * x)


def euler(rho, momentum_x, momentum_y, energy):
    """A step of the compressible Euler equations: linear reconstruction in space, local Lax-Friedrichs fluxes."""
    import jax.numpy as jnp

    gamma, dt = 5 / 3, 1e-3
    vx, vy = momentum_x / rho, momentum_y / rho
    pressure = (gamma - 1) * (4 + energy - 0.5 * rho * (vx**2 + vy**2))
    state = (rho, vx, vy, pressure)
    updated = [rho, momentum_x, momentum_y, energy]
    for axis in (0, 1):
        slopes = [0.5 * (roll(q, -1, axis) - roll(q, 1, axis)) for q in state]
        left = [q + 0.5 * slope for q, slope in zip(state, slopes)]
        right = [roll(q - 0.5 * slope, -1, axis) for q, slope in zip(state, slopes)]
        flows, speeds, conserved = [], [], []
        for r, x, y, p in (left, right):
            normal = (x, y)[axis]
            e = p / (gamma - 1) + 0.5 * r * (x**2 + y**2)
            across = [r * normal * x, r * normal * y]
            across[axis] = across[axis] + p
            flows.append((r * normal, *across, (e + p) * normal))
            speeds.append(jnp.sqrt(gamma * p / r) + jnp.abs(normal))
            conserved.append((r, r * x, r * y, e))
        speed = jnp.maximum(*speeds)
        for i in range(4):
            flow = 0.5 * (flows[0][i] + flows[1][i] - speed * (conserved[1][i] - conserved[0][i]))
            updated[i] = updated[i] - dt * (flow - roll(flow, 1, axis))
    return tuple(updated)


def advection(q, velocity):
    """An upwind step by slices that are concatenated with the periodic end."""
    import jax.numpy as jnp

    left = jnp.concatenate([q[-1:], q[:-1]], axis=0)
    below = jnp.concatenate([q[:, -1:], q[:, :-1]], axis=1)
    return q - 0.1 * velocity * (2 * q - left - below)


def affine_chain(x, scale, bias, rows):
    import jax.numpy as jnp

    y = x * scale + bias
    y = jnp.where(y > rows[:, None], y - rows[:, None], y * 0.5)
    return y * scale - bias


def reduction(name, axis):
    def function(x):
        import jax.numpy as jnp

        return getattr(jnp, name)(x, axis=axis)

    return function


def transposition(*axes):
    return lambda x: x.transpose(axes) * 2.0


# ---- the table ----------------------------------------------------------------------------------------------------------


def _vdots():
    for n in (256, 512, 1000, 2048):
        yield Case("vdot", f"vdot {n}x{n}", vdot, ((n, n),) * 2, (0, 0))
    yield Case("vdot", "vdot 1000003", vdot, ((1000003,),) * 2, (None, None))
    yield Case("vdot", "sum(u*v) 512x512", sum_of_products, ((512, 512),) * 2, (0, 0))
    yield Case("vdot", "ij,ij-> 333x1017", einsum("ij,ij->"), ((333, 1017),) * 2, (None, None))
    yield Case("vdot", "ij,ji-> 512x512", einsum("ij,ji->"), ((512, 512),) * 2, (0, 1))
    yield Case("vdot", "bi,bi->b 512x2048", einsum("bi,bi->b"), ((512, 2048),) * 2, (0, 0))
    yield Case("vdot", "ib,ib->b 2048x512", einsum("ib,ib->b"), ((2048, 512),) * 2, (1, 1))
    yield Case("vdot", "bij,bij->b 17x333x64", einsum("bij,bij->b"), ((17, 333, 64),) * 2, (None, None))


def _vectors():
    for m, k in ((512, 512), (1000, 1000), (2048, 2048), (333, 4096), (16384, 64), (65536, 8), (17, 65536)):
        split = 0 if m % 2 == 0 else None
        yield Case("matvec", f"A x {m}x{k}", einsum("ij,j->i"), ((m, k), (k,)), (split, None))
        yield Case("matvec", f"x A {m}x{k}", einsum("i,ij->j"), ((m, k), (m,))[::-1], (None, None))
    yield Case("matvec", "batched A x 64x128x128", einsum("bij,bj->bi"), ((64, 128, 128), (64, 128)), (0, 0))
    yield Case("matvec", "batched x A 64x128x128", einsum("bi,bij->bj"), ((64, 128), (64, 128, 128)), (0, 0))


def _thin():
    for m in (1, 2, 4, 8, 16):
        yield Case("thin", f"{m}x2048 @ 2048x2048", einsum("ij,jk->ik"), ((m, 2048), (2048, 2048)), (None, 1))
        yield Case("thin", f"{m}x2048 @ (2048x2048).T", einsum("ij,kj->ik"), ((m, 2048), (2048, 2048)), (None, 0))
        yield Case("thin", f"2048x2048 @ 2048x{m}", einsum("ij,jk->ik"), ((2048, 2048), (2048, m)), (0, None))
    yield Case("thin", "3x1000 @ 1000x333", einsum("ij,jk->ik"), ((3, 1000), (1000, 333)), (None, None))
    yield Case("thin", "(2048x2048).T @ 2048x4", einsum("ji,jk->ik"), ((2048, 2048), (2048, 4)), (1, None))
    yield Case("thin", "outer 2048, 2048", einsum("i,j->ij"), ((2048,), (2048,)), (0, None))
    yield Case("thin", "outer 1000, 333", einsum("i,j->ij"), ((1000,), (333,)), (None, None))
    for k in (2, 4, 8, 17):
        yield Case("thin", f"2048x{k} @ {k}x2048", einsum("ij,jk->ik"), ((2048, k), (k, 2048)), (0, None))
    yield Case("thin", "heads 64x1x64 @ 64x64x512", einsum("bij,bjk->bik"), ((64, 1, 64), (64, 64, 512)), (0, 0))
    yield Case("thin", "heads 64x1x64 @ (64x512x64).T", einsum("bij,bkj->bik"), ((64, 1, 64), (64, 512, 64)), (0, 0))


def _stencils():
    yield Case("roll", "roll 1048576", lambda x: roll(x, 1, 0), ((1048576,),), (0,))
    yield Case("roll", "roll 1024x1024 along 1", lambda x: roll(x, 3, 1), ((1024, 1024),), (0,))
    yield Case("roll", "1-D 1000003", heat, ((1000003,),), (None,))
    yield Case("roll", "1-D fourth order 1048576", fourth_order, ((1048576,),), (0,))
    for n in (512, 1000, 1024):
        yield Case("roll", f"5 points {n}x{n}", heat, ((n, n),), (0,))
    yield Case("roll", "5 points 333x1017", heat, ((333, 1017),), (None,))
    yield Case("roll", "5 points 1024x1024, padded by its ends", wrapped_heat, ((1024, 1024),), (0,))
    yield Case("roll", "5 points 1024x1024, padded by zeros", enclosed_heat, ((1024, 1024),), (0,))
    yield Case("roll", "9 points 1024x1024", nine_points, ((1024, 1024),), (0,))
    yield Case("roll", "7 points 128x128x128", heat, ((128, 128, 128),), (0,))
    yield Case("roll", "7 points 100x101x17", heat, ((100, 101, 17),), (0,))
    yield Case("roll", "wave 1024x1024", wave, ((1024, 1024),) * 2, (0, 0))
    yield Case("roll", "Gray-Scott 512x512", gray_scott, ((512, 512),) * 2, (0, 0))
    yield Case("roll", "shallow water 512x512", shallow_water, ((512, 512),) * 3, (0, 0, 0))
    yield Case("flow", "upwind 1000x1000", advection, ((1000, 1000),) * 2, (0, 0))
    for n in (128, 333, 512):
        yield Case("flow", f"Euler {n}x{n}", euler, ((n, n),) * 4, (0 if n % 2 == 0 else None,) * 4)


def _others():
    for name in ("sum", "max"):
        for axis in (0, 1, None):
            yield Case("reduce", f"{name} 2048x1000 along {axis}", reduction(name, axis), ((2048, 1000),), (0,))
    yield Case("reduce", "sum 64x333x64 along 1", reduction("sum", 1), ((64, 333, 64),), (0,))
    yield Case("reduce", "sum 128x64x64 along 0, 2", reduction("sum", (0, 2)), ((128, 64, 64),), (0,))
    yield Case("reduce", "sum 65536x17 along 1", reduction("sum", 1), ((65536, 17),), (0,))
    yield Case("reduce", "sum 65536x3 along 1", reduction("sum", 1), ((65536, 3),), (0,))
    yield Case("reduce", "cumsum 1024x1024 along 1", reduction("cumsum", 1), ((1024, 1024),), (0,))
    yield Case("reduce", "cumsum 1024x1024 along 0", reduction("cumsum", 0), ((1024, 1024),), (1,))
    yield Case("move", "transpose 2048x2048", transposition(1, 0), ((2048, 2048),), (0,))
    yield Case("move", "transpose 64x333x17 (0, 2, 1)", transposition(0, 2, 1), ((64, 333, 17),), (0,))
    yield Case("move", "transpose 64x128x128 (1, 0, 2)", transposition(1, 0, 2), ((64, 128, 128),), (0,))
    yield Case("move", "affine chain 2048x1000", affine_chain, ((2048, 1000), (1000,), (1000,), (2048,)), (0, None, None, 0))


CASES = [*_vdots(), *_vectors(), *_thin(), *_stencils(), *_others()]
