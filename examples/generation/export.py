"""Makes the files of this example that need Python: init.mlir, prefill.mlir and decode.mlir, the prompts, and the tokens that JAX generates.

    pip install ./python[jax] && python examples/generation/export.py
"""

import pathlib

import jax
import numpy as np
from safetensors.numpy import save_file

import model
import tessera

FOLDER = pathlib.Path(__file__).resolve().parent
REPOSITORY = FOLDER.parent.parent
PROMPTS = ("A compiled model", "A tensor is kept", "Between two runs", "Keys and values,")
# Results have the names that the arguments of the other entry points have.
NAMES = {
    "init": lambda name: "p" + name[len("result") :],
    "prefill": lambda name: {"0": "cache", "1": "tokens", "2": "position"}[name[len("result[")]] + name[len("result[0]") :],
}
NAMES["decode"] = NAMES["prefill"]


def export(c):
    for name, (function, arguments) in model.examples(c).items():
        tessera.export(function, *arguments, path=FOLDER / f"{name}.mlir", result_names=NAMES[name], root=REPOSITORY)


def generate(c, prompt):
    """All tokens, by JAX on one device."""
    init, prefill, decode = map(jax.jit, model.make_entry_points(c))
    p = init()
    cache, tokens, position = prefill(p, prompt)
    for _ in range(c.positions - c.prompt - 1):
        cache, tokens, position = decode(p, cache, tokens, position)
    return np.asarray(tokens)


def main():
    c = model.Config()
    export(c)
    prompt = np.array([list(text[: c.prompt].encode()) for text in PROMPTS], np.int32)
    save_file({"prompt": prompt}, FOLDER / "prompt.safetensors")
    save_file({"tokens": generate(c, prompt)}, FOLDER / "tokens.safetensors")


if __name__ == "__main__":
    main()
