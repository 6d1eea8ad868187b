"""A Gaussian process: gradient ascent of the logarithm of its evidence in the three numbers of its kernel.

Rows of the covariance are split over eight devices, and so is its factor. By hand, for 512 points in eight rounds: points are
gathered once; the factor's columns below the diagonal are gathered round by round, and once more for the systems of the gradient;
rows are dealt out and collected again, and one product of the factor with its cotangent is scattered.
"""

import jax
import jax.numpy as jnp
import jax.scipy as jsp
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec as P

MESH = {"x": 8}
POINTS, FEATURES, STEPS = 512, 3, 10


def bytes_by_hand():
    rounds, width = 8, POINTS // 8
    columns = sum(left * width * width for left in range(1, rounds)) + rounds * width * width
    whole = POINTS * POINTS
    exchanges = 5 * whole // 8
    return (POINTS * FEATURES + 2 * columns + whole + exchanges) * 4 * 7 // 8


def initial():
    places, noise = jax.random.split(jax.random.key(18))
    x = jax.random.uniform(places, (POINTS, FEATURES), minval=-2, maxval=2)
    y = jnp.sin(2 * x[:, 0]) + 0.5 * x[:, 1] ** 2 + 0.1 * jax.random.normal(noise, POINTS)
    return {"theta": jnp.zeros(3)}, {"x": x, "y": y - jnp.mean(y)}


def step(mesh):
    rows = NamedSharding(mesh, P("x", None))

    def evidence(theta, x, y):
        amplitude, length, noise = jnp.exp(theta)
        x = x / length
        squares = jnp.sum(x * x, axis=1)
        distances = squares[:, None] + squares[None] - 2 * x @ x.T
        covariance = amplitude * jnp.exp(-0.5 * distances) + (0.05 + 0.1 * noise) * jnp.eye(POINTS)
        factor = jnp.linalg.cholesky(lax.with_sharding_constraint(covariance, rows), symmetrize_input=False)
        factor = lax.with_sharding_constraint(factor, rows)
        solved = jsp.linalg.solve_triangular(factor, y, lower=True)
        return -0.5 * jnp.sum(solved * solved) - jnp.sum(jnp.log(jnp.diagonal(factor))) - POINTS / 2 * jnp.log(2 * jnp.pi)

    def advance(state, points):
        value, gradient = jax.value_and_grad(evidence)(state["theta"], points["x"], points["y"])
        return {"theta": state["theta"] + 0.05 * gradient / jnp.linalg.norm(gradient)}, {"evidence": value}

    return advance, {"theta": P()}, {"x": P("x", None), "y": P("x")}
