"""What a call from Python takes with tessera.jit and with jax.jit; see README.md."""

import argparse
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec

import tessera


def step(p, x, y):
    """A step of gradient descent on an MLP."""

    def loss_of(p):
        return jnp.mean((jnp.tanh(x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"] - y) ** 2)

    loss, gradients = jax.value_and_grad(loss_of)(p)
    return jax.tree.map(lambda p, g: p - 0.1 * g, p, gradients), loss


def mlp(devices, size, hidden, batch):
    """(function, its options, arguments) of a training step."""
    random = np.random.default_rng(0)
    shapes = {"w1": (size, hidden), "b1": (hidden,), "w2": (hidden, size), "b2": (size,)}
    p = {name: 0.1 * random.standard_normal(shape, np.float32) for name, shape in shapes.items()}
    x = random.standard_normal((batch, size), np.float32)
    options = {"donate_argnums": 0}
    if devices == 1:
        return step, options, jax.tree.map(jnp.asarray, (p, x, x))
    mesh = jax.make_mesh((2, devices // 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
    place = {"w1": (None, "model"), "b1": ("model",), "w2": ("model", None), "b2": ()}
    shardings = {name: NamedSharding(mesh, PartitionSpec(*axes)) for name, axes in place.items()}
    rows, whole = NamedSharding(mesh, PartitionSpec("data")), NamedSharding(mesh, PartitionSpec())
    options["out_shardings"] = (shardings, whole)
    return step, options, jax.device_put((p, x, x), (shardings, rows, rows))


def programs(devices):
    x = jnp.arange(16.0)
    yield "add", (lambda p, x: (p + 1, x[0])), {}, (x, x)
    yield "small", *mlp(devices, 64, 128, 32)
    yield "large", *mlp(devices, 512, 2048, 256)


class Caller:
    """Calls a function on its own results again and again."""

    def __init__(self, function, arguments):
        self.function = function
        # Arrays of its own, since they are donated.
        first = jax.tree.map(lambda a: jax.device_put(np.array(a), a.sharding) if a.committed else jnp.array(a), arguments[0])
        self.state, self.rest, self.wall, self.cpu = first, arguments[1:], [], []

    def call(self):
        self.state, loss = self.function(self.state, *self.rest)
        return jax.block_until_ready((self.state, loss))

    def measure(self, calls):
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in range(calls):
            self.call()
        self.wall.append((time.perf_counter() - wall) / calls)
        self.cpu.append((time.process_time() - cpu) / calls)


def compare(function, options, arguments, rounds, seconds):
    """Microseconds of a call: by system, (wall, cpu)."""
    jits = {"jax": jax.jit, "tessera": tessera.jit}
    callers = {name: Caller(jit(function, **options), arguments) for name, jit in jits.items()}
    for got, expected in zip(*(jax.tree.leaves(caller.call()) for caller in callers.values())):
        np.testing.assert_allclose(got, expected, rtol=1e-3, atol=1e-4)
    begin = time.perf_counter()
    for _ in range(5):
        callers["jax"].call()
    calls = max(3, int(seconds * 5 / (time.perf_counter() - begin)))
    for _ in range(rounds):
        for caller in callers.values():
            caller.measure(calls)
    return {name: (1e6 * statistics.median(caller.wall), 1e6 * statistics.median(caller.cpu)) for name, caller in callers.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--devices", type=int, default=1, help="1, or an even number")
    parser.add_argument("--programs", default="add,small,large")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=0.2, help="how long a round of jax.jit takes, about")
    options = parser.parse_args()
    jax.config.update("jax_num_cpu_devices", options.devices)
    print("| program | devices | jax.jit, us | tessera.jit, us | ratio | jax.jit, us cpu | tessera.jit, us cpu | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    for name, *program in programs(options.devices):
        if name not in options.programs.split(","):
            continue
        times = compare(*program, options.rounds, options.seconds)
        (wall, cpu), (our_wall, our_cpu) = times["jax"], times["tessera"]
        figures = f"{wall:.0f} | {our_wall:.0f} | {our_wall / wall:.2f} | {cpu:.0f} | {our_cpu:.0f} | {our_cpu / cpu:.2f}"
        print(f"| `{name}` | {options.devices} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
