"""Makes the files of this example that need Python: the exported programs, the batches, and the losses JAX gets.

    pip install ./python[jax] && python examples/gpt/export.py [gpt] [init] [batches] [losses]     (all of them by default)
    python examples/gpt/export.py --compute=bfloat16 gpt losses                 the same step with layers in bfloat16
"""

import argparse
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load_file, save_file

import model
import tessera

FOLDER = pathlib.Path(__file__).resolve().parent
REPOSITORY = FOLDER.parent.parent
STEPS = 30


def suffix(c):
    return "" if c.compute == "float32" else f"-{c.compute}"


def export_gpt(c):
    """gpt.mlir: one training step, annotated for a mesh of 2 x 4 devices."""
    step, arguments = model.example(c)
    tessera.export(step, *arguments, path=FOLDER / f"gpt{suffix(c)}.mlir", root=REPOSITORY)


def export_init(c):
    """init.mlir: the initial parameters and optimizer state, under the names that the step's arguments have."""

    def init():
        return model.initialize(c)

    arguments = {"0": "p", "1": "opt"}
    name = lambda default: arguments[default[len("result[")]] + default[len("result[0]") :]
    tessera.export(init, path=FOLDER / "init.mlir", result_names=name, root=REPOSITORY)


def make_batches(c):
    """batches.safetensors: one batch per step, cut from the project's own documentation."""
    files = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("**/*.md"))]
    text = b"\n".join(file.read_bytes() for file in files if file.is_file())
    length = c.sequence + 1
    if len(text) < length:
        raise SystemExit(f"error: expected at least {length} bytes of documentation, got {len(text)}")
    data = np.frombuffer(text, np.uint8)
    starts = (np.arange(STEPS * c.batch) * c.sequence) % (len(data) - length + 1)
    batches = data[starts[:, None] + np.arange(length)]
    save_file({"batch": batches.reshape(STEPS, c.batch, length)}, FOLDER / "batches.safetensors")


def write_losses(c):
    """losses.txt: what JAX gets for these batches on one device, one loss per line."""
    batches = load_file(FOLDER / "batches.safetensors")["batch"]
    p, opt = jax.jit(lambda: model.initialize(c))()
    step = jax.jit(model.step_of(c), donate_argnums=(0, 1))
    with open(FOLDER / f"losses{suffix(c)}.txt", "w") as file:
        for batch in batches:
            p, opt, loss = step(p, opt, jnp.asarray(batch))
            print(f"{float(loss):.9g}", file=file)


def main():
    parts = {"gpt": export_gpt, "init": export_init, "batches": make_batches, "losses": write_losses}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", default=list(parts), help=", ".join(parts))
    parser.add_argument("--compute", default="float32", choices=["float32", "bfloat16", "float16"])
    options = parser.parse_args()
    c = model.Config(compute=options.compute)
    for part in options.parts:
        parts[part](c)


if __name__ == "__main__":
    main()
