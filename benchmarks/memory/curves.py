"""Step time against a limit of memory, for the steps of benchmarks/overlap on a described machine: a table of curves.

    python benchmarks/memory/curves.py [--steps NAME...] [--machine h100x8] [--shares 0.9 0.7 0.5]

Steps are exported with JAX; limits.py compiles each under its limits, checks it, and measures it with virtual kernels.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
REPOSITORY = FOLDER.parent.parent
OVERLAP = REPOSITORY / "benchmarks" / "overlap"
sys.path[:0] = [str(OVERLAP), str(REPOSITORY / "python")]

LINE = re.compile(r"(\S+): limit (\d+), (?:refused, nearest (\d+)|peak (\d+), arena (\d+), (\S+) ms, (\d+) again)")


def curve(options, model, flags):
    """What limits.py prints for a model, by share: its limit, peak, arena, milliseconds and operations that run again."""
    command = [sys.executable, FOLDER / "limits.py", f"--machine={options.description}", model, options.models / "limits"]
    environment = {**os.environ, "PATH": f"{options.bin}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run([*map(str, command), *options.shares, "--", *flags], capture_output=True, text=True, env=environment)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1][:300])
    return {found[1]: found for found in LINE.finditer(done.stdout)}


def describe(found):
    if found is None:
        return "-"
    if found[3]:
        return "refused"
    return f"{int(found[4]) / 1e9:.2f} GB, {float(found[6]):.2f} ms, {found[7]}"


def main():
    import overlap
    import steps

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", nargs="+", choices=list(steps.STEPS), default=list(steps.STEPS))
    parser.add_argument("--machine", choices=list(overlap.MACHINES), default="h100x8")
    parser.add_argument("--shares", nargs="+", default=["0.9", "0.7", "0.5"])
    parser.add_argument("--bin", type=pathlib.Path, default=REPOSITORY / "build" / "bin", help="the tools, build/bin by default")
    parser.add_argument("--models", type=pathlib.Path, default=REPOSITORY / "build" / "overlap", help="where exported models are kept")
    options = parser.parse_args()
    options.models.mkdir(parents=True, exist_ok=True)
    options.description = OVERLAP / f"{options.machine}.yaml"
    columns = ["free", *options.shares, "least"]
    print(f"| step | {' | '.join(columns)} |\n|{'---|' * (len(columns) + 1)}", flush=True)
    failed = False
    for name in options.steps:
        try:
            found = curve(options, *overlap.export(options, name, overlap.MACHINES[options.machine]))
            print(f"| {name} | {' | '.join(describe(found.get(column)) for column in columns)} |", flush=True)
        except RuntimeError as problem:
            failed = True
            print(f"| {name} | {problem} |", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
