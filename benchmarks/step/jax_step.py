"""One measurement of JAX: compiles and times the training step, prints one line of JSON. Used by step.py.

With `--prepare=FOLDER` instead: writes the exported program and its initial state for the other systems.
"""

import argparse
import json
import pathlib
import sys
import time

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(REPOSITORY / "examples" / "gpt"), str(REPOSITORY / "python")]


def prepare(c, folder):
    import jax
    import numpy as np
    from safetensors.numpy import save_file

    import model
    import tessera
    from tessera.names import argument_names

    step, arguments = model.example(c)
    tessera.export(step, *arguments, path=folder / f"gpt-{c.layers}.mlir", root=REPOSITORY)
    state = jax.jit(lambda: model.initialize(c))()
    # The batch is the last argument.
    names = argument_names(step, arguments)
    save_file({n: np.asarray(t) for n, t in zip(names, jax.tree.leaves(state))}, folder / f"initial-{c.layers}.safetensors")


def measure(c, mesh_shape, steps, initial, batches):
    import jax
    import jax.numpy as jnp
    import numpy as np
    from safetensors.numpy import load_file

    import model
    from tessera.names import argument_names

    shape = tuple(int(size) for size in mesh_shape.split("x")) if mesh_shape != "1" else (1, 1)
    devices = np.array(jax.devices()[: np.prod(shape)]).reshape(shape)
    step = model.sharded_step(c, jax.sharding.Mesh(devices, ("data", "model")))
    lowered = step.lower(*model.arguments(c))
    start = time.perf_counter()
    compiled = lowered.compile()
    compile_seconds = time.perf_counter() - start

    unrolled = model.Config(layers=c.layers)
    tensors = load_file(initial)
    arguments = model.arguments(unrolled)
    # All but the last, the batch.
    values = [jnp.asarray(tensors[name]) for name in argument_names(model.step, arguments) if name in tensors]
    state = jax.tree.unflatten(jax.tree.structure(arguments[:2]), values)
    if c.scan:
        state = stack_layers(state)
    shardings = compiled.input_shardings[0]
    state = jax.device_put(state, shardings[:2])
    data = load_file(batches)["batch"]
    times, losses = [], []
    for index in range(steps + 1):
        batch = jax.device_put(data[index % len(data)], shardings[2])
        start = time.perf_counter()
        *state, loss = compiled(*state, batch)
        jax.block_until_ready((state, loss))
        times.append(time.perf_counter() - start)
        losses.append(float(loss))
        state = jax.device_put(state, list(shardings[:2]))  # Where XLA chose another sharding for a result: untimed.
    temporary = compiled.memory_analysis().temp_size_in_bytes
    return {"compile": compile_seconds, "steps": times[1:], "temporary": temporary, "losses": losses}


def stack_layers(state):
    """The state of the unrolled model as the one with `scan` has it: a leading dimension for the layers."""
    import jax
    import jax.numpy as jnp

    stack = lambda tree: {**tree, "layers": jax.tree.map(lambda *layers: jnp.stack(layers), *tree["layers"])}
    p, opt = state
    return stack(p), {"m": stack(opt["m"]), "v": stack(opt["v"]), "step": opt["step"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--layers", type=int, required=True)
    parser.add_argument("--scan", action="store_true")
    parser.add_argument("--mesh", default="1")
    parser.add_argument("--steps", type=int)
    parser.add_argument("--initial")
    parser.add_argument("--batches")
    parser.add_argument("--prepare", type=pathlib.Path)
    options = parser.parse_args()

    import jax

    if options.mesh != "1":
        jax.config.update("jax_num_cpu_devices", 8)
    import model

    c = model.Config(layers=options.layers, scan=options.scan)
    if options.prepare:
        prepare(c, options.prepare)
    else:
        print(json.dumps(measure(c, options.mesh, options.steps, options.initial, options.batches)))


if __name__ == "__main__":
    main()
