"""A circuit of 10 qubits and the gradient of an energy in the angles of its gates.

The state has a dimension of two for each of the first three qubits, which are split over eight devices, and one for all others. By
hand: a gate on one of these three takes what the device with the other half has, a device's part of the state; gates on others, and
all controlled phases, take nothing. The gradient of the angles is summed over all devices.
"""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec as P

MESH = {"x": 2, "y": 2, "z": 2}
QUBITS, SPLIT, LAYERS, STEPS = 10, 3, 3, 10
SHAPE = (2,) * SPLIT + (2 ** (QUBITS - SPLIT),)


def bytes_by_hand():
    part = 2**QUBITS // 8 * 8
    # Of every layer three qubits: forward, and backward for the state's cotangent.
    return LAYERS * SPLIT * part * 2 + 2 * LAYERS * QUBITS * 2 * 4 * 7 // 8


def initial():
    return {"angles": jax.random.uniform(jax.random.key(18), (LAYERS, QUBITS, 2), minval=-1, maxval=1)}, {}


def gate(angles):
    """A rotation around y, then one around z."""
    c, s = jnp.cos(angles[0] / 2), jnp.sin(angles[0] / 2)
    phase = jnp.exp(0.5j * angles[1].astype(jnp.complex64))
    return jnp.array([[c / phase, -s / phase], [s * phase, c * phase]])


def bit(qubit):
    """For each amplitude of the state whether `qubit` is one."""
    if qubit < SPLIT:
        return lax.broadcasted_iota(jnp.int32, SHAPE, qubit)
    return lax.broadcasted_iota(jnp.int32, SHAPE, SPLIT) >> (QUBITS - 1 - qubit) & 1


def apply(matrix, state, qubit):
    if qubit < SPLIT:
        return jnp.moveaxis(jnp.tensordot(matrix, state, axes=(1, qubit)), 0, qubit)
    parts = state.reshape(2, 2, 2, 2 ** (qubit - SPLIT), 2, -1)
    return jnp.einsum("ij,xyzljr->xyzlir", matrix, parts).reshape(SHAPE)


def step(mesh):
    split = NamedSharding(mesh, P("x", "y", "z", None))

    def energy(angles):
        """The expected value of neighbouring spins' products, and of a field along x on the last qubit."""
        spins = [1 - 2 * bit(qubit) for qubit in range(QUBITS)]
        neighbours = sum(a * b for a, b in zip(spins, spins[1:] + spins[:1]))
        # Controlled phases of neighbours: a sign for each pair of ones.
        pairs = sum(bit(q) * bit((q + 1) % QUBITS) for q in range(QUBITS))
        signs = (1 - 2 * (pairs % 2)).astype(jnp.float32)

        def layer(state, gates):
            for qubit in range(QUBITS):
                state = apply(gates[qubit], state, qubit)
            return lax.with_sharding_constraint(state * signs, split), None

        state = jnp.zeros(SHAPE, jnp.complex64).at[0, 0, 0, 0].set(1)
        state, _ = lax.scan(layer, lax.with_sharding_constraint(state, split), jax.vmap(jax.vmap(gate))(angles))
        flipped = jnp.flip(state.reshape(2, 2, 2, -1, 2), -1).reshape(SHAPE)
        likely = jnp.real(state) ** 2 + jnp.imag(state) ** 2
        return jnp.sum(likely * neighbours) + jnp.real(jnp.sum(jnp.conj(state) * flipped))

    def advance(state, _):
        value, gradient = jax.value_and_grad(energy)(state["angles"])
        return {"angles": state["angles"] - 0.05 * gradient}, {"energy": value}

    return advance, {"angles": P()}, {}
