"""Exports the cases with JAX and compiles them: `export.py FOLDER [--cases=PATTERN] [--bin=build/bin] [--target=cuda]`.

Writes FOLDER/NAME.tsx for every case, which `run.py` takes to a machine with a GPU. Needs JAX, no GPU.
"""

import argparse
import fnmatch
import pathlib
import subprocess
import sys

import jax

from cases import REPOSITORY, Argument, all_cases, gpt_sizes

sys.path.insert(0, str(REPOSITORY / "python"))
import tessera


def shapes_of(arguments):
    if isinstance(arguments, Argument):
        return jax.ShapeDtypeStruct(arguments.shape, arguments.dtype)
    return tuple(shapes_of(a) for a in arguments)


def export(case, path):
    if case.bound == "step":
        sizes = gpt_sizes(case.options["compute"])
        import model

        step = jax.jit(model.step_of(sizes), donate_argnums=(0, 1))
        tessera.export(step, *model.arguments(sizes), path=path, root=REPOSITORY)
        return
    donated = (0, 2, 3) if case.name == "adamw" else ()
    tessera.export(jax.jit(case.function, donate_argnums=donated), *shapes_of(case.arguments), path=path, root=REPOSITORY)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--cases", default="*", help="names to take, with * and ?")
    parser.add_argument("--bin", type=pathlib.Path, default=REPOSITORY / "build" / "bin")
    parser.add_argument("--target", default="cuda")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    for case in all_cases():
        if not fnmatch.fnmatch(case.name, options.cases):
            continue
        model = options.folder / f"{case.name}.mlir"
        export(case, model)
        command = [options.bin / "tesserac", model, f"--target={options.target}", "-o", model.with_suffix(".tsx")]
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
        print(f"{case.name}: {'compiled' if done.returncode == 0 else done.stderr.strip()[-300:]}", flush=True)
        failed += done.returncode != 0
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
