"""Tokens a second by the decode step, on four devices of this machine: by Tessera, called from Python, and by jax.jit, in turn.

    pip install ./python[jax] && python examples/generation/measure.py
"""

import statistics
import tempfile
import time

import jax
import numpy as np
from jax.sharding import AxisType

import export
import model
import tessera

ROUNDS = 7
LARGER = model.Config(layers=4, width=256, head_width=32, mlp_width=1024, positions=256)


def compiled(c, folder):
    """A function that generates `steps` tokens of each sequence, and the array of all."""
    files = []
    for name, (function, arguments) in model.examples(c).items():
        files.append(f"{folder}/{name}.mlir")
        tessera.export(function, *arguments, path=files[-1], result_names=export.NAMES[name])
    program = tessera.compile(files)
    program.entry("init").run()
    decode = program.entry("decode")

    def start(prompt):
        program.entry("prefill").run(prompt=prompt)

    def generate(steps):
        for _ in range(steps):
            decode.run()
        return program.get("tokens")

    return start, generate


def jitted(c):
    """As `compiled`, by jax.jit on the same mesh."""
    mesh = jax.make_mesh((2, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
    init, prefill, decode = (function for function, _ in model.examples(c, mesh).values())
    parameters, state = jax.block_until_ready(init()), None

    def start(prompt):
        nonlocal state
        state = jax.block_until_ready(prefill(parameters, prompt))

    def generate(steps):
        nonlocal state
        for _ in range(steps):
            # With calls of several steps under way, XLA's threads, as many as cores, wait for each other's collectives for ever.
            state = jax.block_until_ready(decode(parameters, *state))
        return np.asarray(state[1])

    return start, generate


def measure(c):
    """Tokens a second of each, medians of rounds in turn; the tokens are compared."""
    prompt = np.random.default_rng(0).integers(0, c.vocabulary, (c.batch, c.prompt), np.int32)
    steps = c.positions - c.prompt - 1
    with tempfile.TemporaryDirectory() as folder:
        ways = {"Tessera": compiled(c, folder), "jax.jit": jitted(c)}
    rates, tokens = {name: [] for name in ways}, {}
    for _ in range(ROUNDS):
        for name, (start, generate) in ways.items():
            start(prompt)
            generate(1)
            begin = time.perf_counter()
            tokens[name] = generate(steps - 1)
            rates[name].append(c.batch * (steps - 1) / (time.perf_counter() - begin))
    assert (tokens["Tessera"] == tokens["jax.jit"]).all()
    return {name: statistics.median(values) for name, values in rates.items()}


def main():
    jax.config.update("jax_num_cpu_devices", 4)
    for c in model.Config(), LARGER:
        rates = measure(c)
        print(f"{c.layers} layers, width {c.width}: " + ", ".join(f"{name} {rate:.0f} tokens a second" for name, rate in rates.items()))


if __name__ == "__main__":
    main()
