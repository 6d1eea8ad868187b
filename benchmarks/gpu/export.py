"""Exports the cases with JAX and compiles them: `export.py FOLDER [--cases=PATTERN] [--bin=build/bin] [--target=cuda] [--tune]`.

Writes FOLDER/NAME.tsx for every case, which `run.py` takes to a machine with a GPU; with --tune also what `tune.py` tries there:
FOLDER/tune has a program for each candidate, and candidates.json says which is which. Needs JAX, no GPU.
"""

import argparse
import fnmatch
import json
import pathlib
import subprocess
import sys

import jax

import candidates
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


def run_compiler(options, *arguments):
    """None, or what the compiler says."""
    done = subprocess.run([str(a) for a in (options.bin / "tesserac", *arguments)], capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr.strip()[-300:]


def compile_candidates(options, case, model):
    """What tuning tries of a case: its default and every record that makes a difference, for each architecture."""
    folder = options.folder / "tune"
    folder.mkdir(exist_ok=True)
    tried = []
    for arch, target in ((80, "cuda:sm_80"), (90, "cuda:sm_90a")):
        records, known = candidates.records(case, arch), set()
        for number, record in enumerate([None, *records] if records else []):
            program, flags = folder / f"{case.name}.{arch}.{number}.tsx", []
            if record:
                file = folder / "record.json"
                file.write_text(json.dumps({"records": [record]}))
                flags = [f"--tuning={file}"]
            why = run_compiler(options, model, f"--target={target}", *flags, "-o", program)
            # A record that does not apply leaves the program as it was.
            if why or program.read_bytes() in known:
                program.unlink(missing_ok=True)
                continue
            known.add(program.read_bytes())
            tried.append({"case": case.name, "arch": arch, "record": record, "program": program.name})
    return tried


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--cases", default="*", help="names to take, with * and ?")
    parser.add_argument("--bin", type=pathlib.Path, default=REPOSITORY / "build" / "bin")
    parser.add_argument("--target", default="cuda")
    parser.add_argument("--tune", action="store_true", help="compile the candidates of tune.py too")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    failed, tried = 0, []
    for case in all_cases():
        if not fnmatch.fnmatch(case.name, options.cases):
            continue
        model = options.folder / f"{case.name}.mlir"
        export(case, model)
        why = run_compiler(options, model, f"--target={options.target}", "-o", model.with_suffix(".tsx"))
        print(f"{case.name}: {why or 'compiled'}", flush=True)
        failed += why is not None
        if options.tune:
            tried += compile_candidates(options, case, model)
    if options.tune:
        (options.folder / "tune" / "record.json").unlink(missing_ok=True)
        (options.folder / "tune" / "candidates.json").write_text(json.dumps(tried, indent=1))
        print(f"{len(tried)} candidates")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
