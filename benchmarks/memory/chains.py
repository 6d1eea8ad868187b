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


def mlp_layer(p, x):
    w, v = p
    return x + jax.nn.gelu(x @ w) @ v


def attention_layer(p, x, heads=4):
    (w, v), (batch, sequence, width) = p, x.shape
    q, k, value = jnp.split((x @ w).reshape(batch, sequence, heads, 3 * width // heads), 3, axis=-1)
    scores = jax.nn.softmax(jnp.einsum("bqhf,bkhf->bhqk", q, k) * (width // heads) ** -0.5)
    return x + jnp.einsum("bhqk,bkhf->bqhf", scores, value).reshape(batch, sequence, width) @ v


def loss_of(layer):
    def loss(layers, x):
        for p in layers:
            x = layer(p, x)
        return jnp.mean(x * x)

    return loss


def step_of(loss, place):
    def step(p, x):
        p = jax.tree.map(lambda w: place(w, P("data", None)), p)
        value, gradients = jax.value_and_grad(loss)(p, place(x, P("data")))
        return jax.tree.map(lambda w, g: w - RATE * g, p, gradients), value

    return jax.jit(step, donate_argnums=0)


def build(chain, layers, width, devices, wrap=lambda layer: layer):
    """The jitted step of a chain and its arguments; `wrap` is done to the function of a layer."""
    mesh = AbstractMesh((devices,), ("data",))
    place = lambda value, spec: jax.lax.with_sharding_constraint(value, NamedSharding(mesh, spec)) if devices > 1 else value
    array = lambda *shape: jax.ShapeDtypeStruct(shape, jnp.float32)
    if chain == "mlp":
        layer, x, parameters = mlp_layer, array(512, width), (array(width, 4 * width), array(4 * width, width))
    else:
        layer, x, parameters = attention_layer, array(8, 128, width), (array(width, 3 * width), array(width, width))
    return step_of(loss_of(wrap(layer)), place), ([parameters] * layers, x)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chain", choices=["mlp", "attention"])
    parser.add_argument("--layers", type=int, default=24)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--devices", type=int, default=4)
    parser.add_argument("-o", dest="output", default="model.mlir", help="model.mlir by default")
    options = parser.parse_args()

    import tessera

    step, arguments = build(options.chain, options.layers, options.width, options.devices)
    tessera.export(step, *arguments, path=options.output, root=REPOSITORY)


if __name__ == "__main__":
    main()
