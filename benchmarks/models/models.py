"""Compiles public models as their authors wrote them, on two meshes, and compares what they compute with JAX; see README.md."""

import argparse
import importlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

FOLDER = pathlib.Path(__file__).resolve().parent
FAMILIES = ("bonsai", "flax_examples", "transformers_flax", "packages")
REPOSITORIES = {  # By the family that needs them.
    "bonsai": ("https://github.com/jax-ml/bonsai", "36284254cf738d99c1c5d1e3a292d27656a0a365"),
    "flax_examples": ("https://github.com/google/flax", "18f8f311c275d57f46d95e41b15aa97b454754c0"),
}
MESHES = ({"data": 4}, {"data": 2, "model": 2})


# ---- one model, in a process of its own


def plan_of(mesh, rules):
    """Rows of the batch over `data`; parameters whole, or by the case's rules and what `fsdp` does with the rest over `model`."""
    rows = {"match": "/batch/**", "spec": ["data"]}
    if "model" not in mesh:
        return {"mesh": mesh, "rules": [rows], "default": "replicate"}
    return {"mesh": mesh, "rules": [*rules, rows], "default": "fsdp(model, 256B)", "tolerance": 1}


def difference(results, expected):
    """The largest difference of two trees, relative to the largest number of each tensor, or to 0.001 where that is less."""
    import jax
    import numpy as np

    worst = 0.0
    for (path, a), b in zip(jax.tree_util.tree_leaves_with_path(results), jax.tree.leaves(expected), strict=True):
        a, b = np.asarray(a), np.asarray(b)
        if a.shape != b.shape or a.dtype != b.dtype:
            raise ValueError(f"expected {b.dtype}{b.shape} at {jax.tree_util.keystr(path)}, got {a.dtype}{a.shape}")
        kind = np.complex128 if np.iscomplexobj(a) else np.float64
        a, b = a.astype(kind), b.astype(kind)
        if not np.array_equal(np.isfinite(a), np.isfinite(b)):
            return float("inf")
        a, b = (np.where(np.isfinite(x), x, 0) for x in (a, b))
        if a.size:
            worst = max(worst, float(np.max(np.abs(a - b)) / max(np.max(np.abs(b)), 1e-3)))
    return worst


def measure(name, dump=None):
    """What the table says of a model, a dictionary for each mesh."""
    import jax

    import tessera

    family, function = name.split(".")
    case = getattr(importlib.import_module(f"cases.{family}"), function)()

    def step(state, batch):
        return case.step(state, batch)

    expected = jax.jit(step)(*case.arguments)
    for mesh in MESHES:
        fast = tessera.jit(step, plan=plan_of(mesh, case.rules))
        lowered = fast.lower(*case.arguments)
        operations = len(re.findall(r"^\s+(?:%\S+ = )?\"?(?:stablehlo|chlo|func\.call)", lowered.as_text(), re.MULTILINE))
        if dump:
            tessera.export(jax.jit(step), *case.arguments, path=f"{dump}/{name}.mlir")
        start = time.perf_counter()
        compiled = lowered.compile()
        seconds = time.perf_counter() - start
        results = compiled(*case.arguments)
        wrong = difference(results, expected)
        yield {
            "mesh": "x".join(map(str, mesh.values())),
            "operations": operations,
            "seconds": seconds,
            "difference": wrong,
            "good": wrong <= case.tolerance,
            "bytes": compiled.cost_analysis()["bytes communicated"],
            "collectives": collectives(compiled.as_text()),
        }


def collectives(text):
    """How many collectives of each kind a partitioned program has: `all-reduce 3, all-gather 2`."""
    kinds = re.findall(r"spmd\.(all_reduce|all_gather|reduce_scatter|all_to_all|permute)\b", text)
    return ", ".join(f"{kind.replace('_', '-')} {kinds.count(kind)}" for kind in sorted(set(kinds)))


# ---- all of them


def fetch(family, folder):
    """Clones the repository of a family into `folder`, at the commit that this file names, unless it is there."""
    url, commit = REPOSITORIES.get(family, (None, None))
    if url and not (folder / family).exists():
        for command in (["init", "-q", folder / family], ["-C", folder / family, "fetch", "-q", "--depth=1", url, commit], ["-C", folder / family, "checkout", "-q", "FETCH_HEAD"]):
            subprocess.run(["git", *command], check=True)


def run(name, options):
    """Prints the lines of one model; whether all of them are good."""
    command = [sys.executable, __file__, f"--sources={options.sources}", f"--one={name}", *([f"--dump={options.dump}"] if options.dump else [])]
    lines, errors = [], ""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.timeout)
        errors = done.stderr if done.returncode else ""
        lines = [json.loads(line[2:]) for line in done.stdout.splitlines() if line.startswith("> ")]
        said = [line for line in errors.splitlines() if re.match(r"[\w.]*(Error|Exception)\b", line)]
        reason = said[-1][:300] if said else f"status {done.returncode}"
    except subprocess.TimeoutExpired:
        reason = f"over {options.timeout} s"
    for line in lines:
        print(f"| {name} | {line['operations']} | {line['mesh']} | {line['seconds']:.1f} | {line['difference']:.1e}{'' if line['good'] else ' WRONG'} "
              f"| {line['bytes'] / 1e3:.1f} | {line['collectives']} |", flush=True)
    if len(lines) < len(MESHES):
        print(f"| {name} | | {len(lines) + 1} | | FAILED: {reason} | | |", flush=True)
        if options.verbose:
            print(errors, file=sys.stderr)
    return len(lines) == len(MESHES) and all(line["good"] for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="models, as bonsai.qwen3, or families; all by default")
    parser.add_argument("--sources", type=pathlib.Path, required=True, help="the folder that repositories are cloned into")
    parser.add_argument("--timeout", type=int, default=300, help="seconds for a model")
    parser.add_argument("--dump", help="a folder for the models as StableHLO")
    parser.add_argument("--verbose", action="store_true", help="show whole errors")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    sys.path[:0] = [str(FOLDER), str(FOLDER.parents[1] / "python"), str(options.sources / "bonsai")]
    os.environ["TESSERA_SOURCES"] = str(options.sources)
    if options.one:
        for line in measure(options.one, options.dump):
            print("> " + json.dumps(line), flush=True)
        return 0
    print("| model | operations | mesh | compile, s | largest difference | kB sent | collectives |\n|---|---|---|---|---|---|---|")
    good = []
    for family in FAMILIES:
        names = [f"{family}.{name}" for name in re.findall(r"\w+", (FOLDER / "cases" / f"{family}.py").read_text().split("CASES = [")[1])]
        names = [name for name in names if not options.names or name in options.names or family in options.names]
        if names:
            fetch(family, options.sources)
        good += [run(name, options) for name in names]
    print(f"{sum(good)} of {len(good)} models good")
    return 0 if good and all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
