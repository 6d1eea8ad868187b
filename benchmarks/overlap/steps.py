"""Twelve training steps, with the shapes of real models and few layers, under the usual ways to parallelize them.

A step is built for a number of devices, from the transformers of benchmarks/communication; nothing is allocated.
"""

import dataclasses
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "communication"))

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import PartitionSpec as P

import experts
from case import constraints
from training import FULLY_SHARDED, TENSOR_PARALLEL, TWO_DIMENSIONAL, training
from transformer import Config, named

STEPS = {}


@dataclasses.dataclass(frozen=True)
class Step:
    """A step: `axes` and `build` are functions, of the number of devices to the sizes of the mesh's axes, and of a mesh to
    the jitted function and its arguments. `flags` are those of tesserac."""

    name: str
    axes: callable
    build: callable
    flags: tuple = ()


def step(axes, *flags):
    def register(build):
        STEPS[build.__name__] = Step(build.__name__, axes, build, flags)
        return build

    return register


# A layer of GPT with 1.3 billion parameters, of Llama 3 8B and of 70B; of the vocabularies the share of so few layers.
SMALL = Config(layers=4, width=2048, heads=16, kv_heads=16, hidden=8192, sequence=2048, vocabulary=8192, optimizer="adamw")
LLAMA_8B = Config(layers=4, width=4096, heads=32, kv_heads=8, hidden=14336, gated=True, sequence=4096, batch=8, vocabulary=16384, optimizer="adamw")
LLAMA_70B = Config(layers=2, width=8192, heads=64, kv_heads=8, hidden=28672, gated=True, sequence=4096, batch=8, vocabulary=8192, optimizer="adamw")

only = lambda name: lambda devices: {name: devices}
pair = lambda second: lambda devices: {"data": devices // second, "model": second}


def size(mesh, name):
    return dict(mesh.shape)[name]


def for_batch(c, sequences):
    return dataclasses.replace(c, batch=sequences)


@step(only("data"))
def data_parallel(mesh):
    """Replicated parameters, four sequences on each device."""
    c = for_batch(SMALL, 4 * size(mesh, "data"))
    return training(mesh, c, named({}, c, P()))


@step(only("data"))
def fsdp(mesh):
    """Parameters and moments split, one sequence on each device."""
    c = for_batch(LLAMA_8B, size(mesh, "data"))
    return training(mesh, c, named(FULLY_SHARDED, c, None), annotate=constraints(mesh, residual=P("data", None, None)))


@step(only("data"))
def fsdp_loop(mesh):
    """The same with all 32 layers, in a loop that is computed again in the backward pass."""
    c = for_batch(dataclasses.replace(LLAMA_8B, layers=32, scan=True, recompute=True, vocabulary=131072), size(mesh, "data"))
    return training(mesh, c, named(FULLY_SHARDED, c, None), annotate=constraints(mesh, residual=P("data", None, None)))


@step(pair(8))
def tensor_parallel(mesh):
    """Heads and columns split on eight devices."""
    c = for_batch(LLAMA_8B, 2 * size(mesh, "data"))
    return training(mesh, c, named(TENSOR_PARALLEL, c, None))


@step(pair(8))
def sequence_parallel(mesh):
    """The same with the residual stream split by positions."""
    c = for_batch(LLAMA_8B, 2 * size(mesh, "data"))
    return training(mesh, c, named(TENSOR_PARALLEL, c, None), annotate=constraints(mesh, residual=P("data", "model", None)))


@step(pair(2))
def two_dimensional(mesh):
    """FSDP over `data` of what tensor parallelism on two devices leaves."""
    c = for_batch(LLAMA_8B, size(mesh, "data"))
    annotate = constraints(mesh, residual=P("data", None, None))
    return training(mesh, c, named(TWO_DIMENSIONAL, c, P()), annotate=annotate)


@step(only("data"))
def expert_parallel(mesh):
    """As many experts as devices, one on each, with two sequences."""
    devices = size(mesh, "data")
    experts.LAYERS, experts.WIDTH, experts.HEADS, experts.HIDDEN = 2, 2048, 16, 8192
    experts.EXPERTS, experts.CAPACITY, experts.SEQUENCE, experts.VOCABULARY = devices, 2048 // devices * 5 // 4, 2048, 8192
    experts.BATCH = 2 * devices
    return experts.mixture_of_experts(mesh, "data", "data", constraints(mesh, experts=P("data"), residual=P("data")))


@step(lambda devices: {"data": devices // 8, "sequence": 8})
def long_context(mesh):
    """Sequences of 32,768 positions, split on eight devices; keys and values are gathered."""
    c = for_batch(dataclasses.replace(SMALL, layers=2, kv_heads=4, sequence=32768), size(mesh, "data"))
    annotate = constraints(mesh, residual=P("data", "sequence", None), kv=P("data", None, None, None))
    return training(mesh, c, named({}, c, P()), tokens=P("data", "sequence"), annotate=annotate)


@step(pair(2))
def microbatches(mesh):
    """Four microbatches in a loop, tensor parallelism on two devices."""
    c = for_batch(SMALL, 8 * size(mesh, "data"))
    return training(mesh, c, named(TENSOR_PARALLEL, c, None), microbatches=4)


@step(lambda devices: {"data": devices // 8, "model": 2}, "--stages=4", "--microbatches=8", "--schedule=1f1b")
def stages(mesh):
    """Four stages of two devices each, eight microbatches."""
    c = for_batch(SMALL, 16 * size(mesh, "data"))
    return training(mesh, c, named(TENSOR_PARALLEL, c, None))


@step(only("data"))
def zero1_8b(mesh):
    """Of two layers of 8B the moments alone are split."""
    c = for_batch(dataclasses.replace(LLAMA_8B, layers=2), size(mesh, "data"))
    return training(mesh, c, named({}, c, P()), named(FULLY_SHARDED, c, None))


@step(lambda devices: {"data": max(devices // 8, 1), "model": 8})
def sequence_parallel_70b(mesh):
    """70B: FSDP over the nodes, sequence parallelism in each."""
    c = for_batch(LLAMA_70B, size(mesh, "data"))
    annotate = constraints(mesh, residual=P("data", "model", None))
    return training(mesh, c, named(TWO_DIMENSIONAL, c, P()), annotate=annotate)


def build(name, devices):
    """The jitted step for so many devices, its arguments in bfloat16, and the sizes of its mesh's axes."""
    axes = STEPS[name].axes(devices)
    mesh = jax.sharding.AbstractMesh(tuple(axes.values()), tuple(axes))
    jitted, arguments = STEPS[name].build(mesh)
    half = lambda leaf: jax.ShapeDtypeStruct(leaf.shape, jnp.bfloat16 if np.issubdtype(leaf.dtype, np.floating) else leaf.dtype)
    return jitted, jax.tree.map(half, arguments), axes
