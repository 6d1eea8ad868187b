"""Programs with what few models have: keys of another generator, functions applied in place, approximate maxima."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, PartitionSpec as P

from programs import program, sharding

RANDOM = np.random.default_rng(6)


def normal(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def integers(low, high, *shape):
    return RANDOM.integers(low, high, shape, dtype=np.int32)


# As of `jax_default_prng_impl=rbg`. The second number is about to overflow.
KEY = np.array([0x12345678, 0x9ABCDEF0, 0xFFFFFFFE, 0xFFFFFFFF], np.uint32)


@program(KEY, normal(8, 16), check=True, meshes=("", "data=4,model=2", "data=1,model=1"), in_shardings=(None, sharding("data", "model")))
def random_bits(key, x):
    """`jax.random` with keys of XLA's generator: the same bits, on any mesh."""
    key = jax.random.wrap_key_data(key, impl="rbg")
    first, second = jax.random.split(key)
    bits = jax.random.key_data(key)
    return {
        "dropout": jnp.where(jax.random.bernoulli(first, 0.75, x.shape), x / 0.75, 0.0),
        "uniform": jax.random.uniform(second, (3, 5)),
        "normal": x + jax.random.normal(key, x.shape),
        "integers": jax.random.randint(key, (7,), 0, 1000),
        "bytes": jax.random.bits(key, (2, 3), jnp.uint8),
        "shorts": jax.random.bits(key, (5, 8), jnp.uint16),
        "one": jax.random.bits(key),
        "bits": lax.rng_bit_generator(bits, (3, 3)),
        "permutation": jax.random.permutation(first, 16),
    }


@program(KEY, check=True, tolerance="0", meshes=("", "data=4,model=2"), out_shardings=(sharding(), sharding("data", "model"), None))
def threefry_bits(key):
    """Bits of the other generator that XLA has, in any shape: even and odd sizes, scalars, other widths."""
    bits = lambda shape, dtype=jnp.uint32: lax.rng_bit_generator(key, shape, dtype, algorithm=lax.RandomAlgorithm.RNG_THREE_FRY)
    shapes = [(), (1,), (7,), (3, 5), (3, 4, 5), (5, 3)]
    return *bits((8, 16)), [bits(s) for s in shapes] + [bits((5, 6), jnp.uint8), bits((3, 3), jnp.uint16)]


@program(normal(8, 8), integers(0, 8, 5), integers(0, 8, 5), check=True, in_shardings=(sharding("data", "model"), None, None))
def functions_in_place(x, rows, columns):
    """A function of the element instead of an update: as often as the element is named."""
    rows = rows.at[1].set(rows[0]).at[2].set(rows[0])
    columns = columns.at[1].set(columns[0])
    return {
        "rows": x.at[rows].apply(jnp.sin),
        "points": x.at[rows, columns].apply(lambda v: v * 0.5 + 1.0),
        "slice": x.at[2:5].apply(jnp.exp),
        "unique": x.at[jnp.array([1, 7, 4])].apply(jnp.square, unique_indices=True),
        "outside": x.at[jnp.array([3, 9, -1])].apply(jnp.cos, mode="drop"),
        "called": x.at[rows].apply(jax.nn.silu),
        "clipped": x.at[rows].apply(lambda v: jnp.clip(jax.nn.relu(v), 0, 1)),
        "integers": rows.at[columns].apply(lambda v: v * 3 - 7, mode="drop"),
    }


@program(normal(8, 40), check=True, in_shardings=(sharding("data", None),))
def approximate_maxima(x):
    """The largest and least elements, in either dimension: exactly."""
    return lax.approx_max_k(x, 5), lax.approx_min_k(x, 3, reduction_dimension=0), lax.approx_max_k(x[0], 2, recall_target=0.5)


@program(integers(-(2**30), 2**30, 4, 2), normal(3, 4), check=True)
def widths(n, x):
    """Elements taken apart into narrower ones, and put together again."""
    halves = lax.bitcast_convert_type(x, jnp.uint16)
    bytes = lax.bitcast_convert_type(n, jnp.uint8)
    return {
        "halves": halves,
        "bytes": bytes,
        "numbers": lax.bitcast_convert_type(halves, jnp.float32),
        "turned": lax.bitcast_convert_type(bytes[..., ::-1], jnp.int32),
        "bfloat16": lax.bitcast_convert_type(x, jnp.bfloat16).astype(jnp.float32)[..., 1],
    }


@program(normal(8, 8) > 0, normal(8, 8) > 1, normal(3, 8, 4) > 0, check=True, meshes=("", "data=1,model=1"), in_shardings=(sharding("data", "model"), sharding("model", None), None))
def booleans(a, b, c):
    """Products of truth values: whether there is any; a split sum of them is one over devices."""
    reached = lax.fori_loop(0, 3, lambda _, r: r | (r @ a), b)
    return {"product": a @ b, "batched": jnp.einsum("nij,nik->njk", c, c), "reached": reached, "any": jnp.any(a, 0), "all": jnp.all(a | b), "parity": (a ^ b).sum(1) % 2}


@program(normal(4, 0, 3), normal(0), check=True, meshes=("", "data=1,model=1"), in_shardings=(sharding("model", "data"), sharding("data")))
def no_elements(a, b):
    """Tensors without elements: as arguments and results, reduced, carried by a loop."""
    grown, sums = lax.scan(lambda c, x: (c * 2.0, x.sum(0) + 1.0), b, a)
    return {"argument": b, "sum": a.sum(), "sums": a.sum(1), "doubled": jnp.concatenate([a, a], 1), "moved": a.T + 1.0, "grown": grown, "rows": sums, "product": a[:, :, 0] @ jnp.zeros((0, 5))}


# Rows that device i has for device j, where they begin at i, and where at j.
SENT = integers(0, 4, 8, 8)
BEGIN = np.cumsum(SENT, 1, dtype=np.int32) - SENT
ARRIVE = np.cumsum(SENT, 0, dtype=np.int32) - SENT
LINE = Mesh(np.array(jax.devices()), ("expert",))


def exchanged(x, weights, sent):
    """What `ragged_exchange` does, row by row."""
    most, out = x.shape[0] // 8, np.full((8 * 24, x.shape[1]), -1.0, np.float32)
    gradient = np.zeros_like(x)
    for i, j in np.ndindex(8, 8):
        here, there = i * most + BEGIN[i, j] + np.arange(sent[i, j]), j * 24 + ARRIVE[i, j] + np.arange(sent[i, j])
        out[there] = x[here]
        gradient[here] = weights[there]
    return out, gradient


@program(normal(8 * 28, 6), normal(8 * 24, 6), SENT, check=True, gpus=("",), reference=exchanged)
def ragged_exchange(x, weights, sent):
    """As many rows to each device as it turns out, and back in the gradient: experts without a capacity."""
    spec = P("expert")

    @lambda body: jax.shard_map(body, mesh=LINE, in_specs=(spec, spec, spec), out_specs=spec, check_vma=False)
    def exchange(x, sent, begin):
        sent, begin = sent[0], begin[0]
        arrive = jnp.cumsum(lax.all_gather(sent, "expert"), 0)[lax.axis_index("expert")] - sent
        received = lax.all_to_all(sent, "expert", 0, 0, tiled=True)
        return lax.ragged_all_to_all(x, jnp.full((24, x.shape[1]), -1.0), begin, sent, arrive, received, axis_name="expert")

    begin = jnp.cumsum(sent, 1) - sent
    out, pullback = jax.vjp(lambda x: exchange(x, sent, begin), x)
    return out, pullback(weights)[0]
