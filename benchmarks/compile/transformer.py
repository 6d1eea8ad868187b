"""The training step that this benchmark compiles: a transformer of the size of GPT-3 with clipped gradients and AdamW.

Parameters are split on the mesh axes `fsdp` and `model`, the batch on `data` and `fsdp`; nothing else is annotated. Nothing is
computed and no devices are needed: all arrays are abstract. Run as a program it writes the model file.
"""

import argparse
import pathlib
import sys
from dataclasses import dataclass

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(REPOSITORY / "examples" / "gpt"), str(REPOSITORY / "python")]

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AbstractMesh, NamedSharding
from jax.sharding import PartitionSpec as P
from model import adamw, layer_norm, mlp

AXES = ("data", "fsdp", "model")


@dataclass(frozen=True)
class Config:
    """Sizes of the model. `scan` stacks the layers' parameters and loops over them instead of unrolling."""

    layers: int = 96
    width: int = 12288
    heads: int = 96
    sequence: int = 2048
    batch: int = 512
    vocabulary: int = 50304
    scan: bool = False


def layer_parameters(c):
    """Name -> (shape, sharding) of one layer's parameters."""
    heads, whole = (c.heads, c.width // c.heads), P()
    projection, projection_bias = ((c.width, *heads), P("fsdp", "model", None)), (heads, P("model", None))
    return {
        "ln1_scale": ((c.width,), whole),
        "ln1_bias": ((c.width,), whole),
        "wq": projection,
        "wk": projection,
        "wv": projection,
        "bq": projection_bias,
        "bk": projection_bias,
        "bv": projection_bias,
        "wo": ((*heads, c.width), P("model", None, "fsdp")),
        "bo": ((c.width,), whole),
        "ln2_scale": ((c.width,), whole),
        "ln2_bias": ((c.width,), whole),
        "w1": ((c.width, 4 * c.width), P("fsdp", "model")),
        "b1": ((4 * c.width,), P("model")),
        "w2": ((4 * c.width, c.width), P("model", "fsdp")),
        "b2": ((c.width,), whole),
    }


def parameters(c, leaf):
    """The tree of `leaf(shape, sharding)` over all parameters; with `scan`, layers are one more leading dimension."""
    layer = layer_parameters(c)
    if c.scan:
        layers = {name: leaf((c.layers, *shape), P(None, *spec)) for name, (shape, spec) in layer.items()}
    else:
        layers = [{name: leaf(shape, spec) for name, (shape, spec) in layer.items()} for _ in range(c.layers)]
    return {
        "wte": leaf((c.vocabulary, c.width), P("model", "fsdp")),
        "wpe": leaf((c.sequence, c.width), P(None, "fsdp")),
        "layers": layers,
        "lnf_scale": leaf((c.width,), P()),
        "lnf_bias": leaf((c.width,), P()),
        "head": leaf((c.width, c.vocabulary), P("fsdp", "model")),
    }


# ---- the step ---------------------------------------------------------------------------------------------------------


def attention(x, layer):
    """Causal multi-head attention; b batch, s and t positions, h heads, k width of a head, d width of the model."""
    q, k, v = (jnp.einsum("bsd,dhk->bshk", x, layer["w" + name]) + layer["b" + name] for name in "qkv")
    scores = jnp.einsum("bshk,bthk->bhst", q, k) * (q.shape[-1] ** -0.5)
    position = jnp.arange(x.shape[1])
    causal = position[:, None] >= position[None, :]
    weights = jax.nn.softmax(jnp.where(causal, scores, -1e30), axis=-1)
    mixed = jnp.einsum("bhst,bthk->bshk", weights, v)
    return jnp.einsum("bshk,hkd->bsd", mixed, layer["wo"]) + layer["bo"]


def block(x, layer):
    x = x + attention(layer_norm(x, layer["ln1_scale"], layer["ln1_bias"]), layer)
    return x + mlp(layer_norm(x, layer["ln2_scale"], layer["ln2_bias"]), layer)


def loss(p, batch):
    """Mean cross entropy. `batch` is [batch, sequence + 1]: inputs and, one position later, targets."""
    inputs, targets = batch[:, :-1], batch[:, 1:]
    x = p["wte"][inputs] + p["wpe"]
    if isinstance(p["layers"], dict):
        x, _ = lax.scan(lambda x, layer: (block(x, layer), None), x, p["layers"])
    else:
        for layer in p["layers"]:
            x = block(x, layer)
    log_probabilities = jax.nn.log_softmax(layer_norm(x, p["lnf_scale"], p["lnf_bias"]) @ p["head"], axis=-1)
    return -jnp.mean(jnp.take_along_axis(log_probabilities, targets[..., None], axis=-1))


def clip(gradients, limit=1.0):
    """Scales all gradients so that their joint norm is at most `limit`."""
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(gradients)))
    scale = limit / jnp.maximum(norm, limit)
    return jax.tree.map(lambda g: g * scale, gradients)


def step(p, opt, batch):
    """Forward, backward, clipping, AdamW."""
    value, gradients = jax.value_and_grad(loss)(p, batch)
    p, opt = adamw(p, clip(gradients), opt)
    return p, opt, value


# ---- shapes and shardings ---------------------------------------------------------------------------------------------


def sharded_step(c, mesh):
    """`step`, jitted with the shardings of parameters and batch; parameters and optimizer state are donated."""
    named = lambda shape, spec: NamedSharding(mesh, spec)
    in_shardings = parameters(c, named), None, NamedSharding(mesh, P(("data", "fsdp"), None))
    return jax.jit(step, in_shardings=in_shardings, donate_argnums=(0, 1))


def arguments(c):
    """Shapes of the arguments of `step`."""
    p = parameters(c, lambda shape, spec: jax.ShapeDtypeStruct(shape, jnp.float32))
    opt = {"m": p, "v": p, "step": jax.ShapeDtypeStruct((), jnp.int32)}
    return p, opt, jax.ShapeDtypeStruct((c.batch, c.sequence + 1), jnp.int32)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layers", type=int, default=96)
    parser.add_argument("--width", type=int, default=12288)
    parser.add_argument("--heads", type=int, default=96)
    parser.add_argument("--mesh", default="16x8x16", help="sizes of data, fsdp and model (default 16x8x16)")
    parser.add_argument("--scan", action="store_true", help="loop over the layers instead of unrolling them")
    parser.add_argument("--gspmd", action="store_true", help="annotate in the older form that XLA's GSPMD reads")
    parser.add_argument("-o", dest="output", default="model.mlir", help="model.mlir by default")
    options = parser.parse_args()

    import tessera

    jax.config.update("jax_use_shardy_partitioner", not options.gspmd)
    c = Config(options.layers, options.width, options.heads, scan=options.scan)
    mesh = AbstractMesh(tuple(map(int, options.mesh.split("x"))), AXES)
    tessera.export(sharded_step(c, mesh), *arguments(c), path=options.output, root=REPOSITORY)


if __name__ == "__main__":
    main()
