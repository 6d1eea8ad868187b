"""Two deep training steps for limits of memory: `mlp`, layers whose parameters each device has a share of and gathers (FSDP), and `attention`, layers of
attention with residuals. Run as a program it writes the model file.
"""

import argparse
import pathlib
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(REPOSITORY / "python")]

import jax
import jax.numpy as jnp
from jax.sharding import AbstractMesh, NamedSharding
from jax.sharding import PartitionSpec as P

RATE = 1e-3


def mlp_loss(p, x):
    for w, v in p:
        x = x + jax.nn.gelu(x @ w) @ v
    return jnp.mean(x * x)


def attention_loss(p, x, heads=4):
    batch, sequence, width = x.shape
    for w, v in p:
        q, k, value = jnp.split((x @ w).reshape(batch, sequence, heads, 3 * width // heads), 3, axis=-1)
        scores = jax.nn.softmax(jnp.einsum("bqhf,bkhf->bhqk", q, k) * (width // heads) ** -0.5)
        x = x + jnp.einsum("bhqk,bkhf->bqhf", scores, value).reshape(batch, sequence, width) @ v
    return jnp.mean(x * x)


def step_of(loss, place):
    def step(p, x):
        p = jax.tree.map(lambda w: place(w, P("data", None)), p)
        value, gradients = jax.value_and_grad(loss)(p, place(x, P("data")))
        return jax.tree.map(lambda w, g: w - RATE * g, p, gradients), value

    return jax.jit(step, donate_argnums=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chain", choices=["mlp", "attention"])
    parser.add_argument("--layers", type=int, default=24)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--devices", type=int, default=4)
    parser.add_argument("-o", dest="output", default="model.mlir", help="model.mlir by default")
    options = parser.parse_args()

    import tessera

    mesh = AbstractMesh((options.devices,), ("data",))
    place = lambda value, spec: jax.lax.with_sharding_constraint(value, NamedSharding(mesh, spec))
    n = options.width
    array = lambda *shape: jax.ShapeDtypeStruct(shape, jnp.float32)
    if options.chain == "mlp":
        loss, x, layer = mlp_loss, array(512, n), (array(n, 4 * n), array(4 * n, n))
    else:
        loss, x, layer = attention_loss, array(8, 128, n), (array(n, 3 * n), array(n, n))
    tessera.export(step_of(loss, place), [layer] * options.layers, x, path=options.output, root=REPOSITORY)


if __name__ == "__main__":
    main()
