"""Runs these examples on eight ranks, and compares what every step computes with JAX, and what a device sends with bytes.txt.

    python examples/science/run.py [FOLDER]     keeps what it makes in FOLDER, by default `out` beside this script

Needs Python and the tools, from $TESSERA_BIN, the build tree or the prefix that this example is installed in.
"""

import json
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.append(str(FOLDER.parent))

from tools import run  # noqa: E402: of all examples

TOLERANCE = 1e-4


def check(name, by_hand, pinned, out):
    """Whether example `name` computes what JAX does, and sends no more than `pinned` bytes."""
    state, report = out / f"{name}.safetensors", out / f"{name}.json"
    run("tesserac", FOLDER / f"{name}-initial.mlir", "-o", out / "initial.tsx")
    run("tessera-run", out / "initial.tsx", f"--outputs={state}")
    run("tesserac", FOLDER / f"{name}.mlir", "-o", out / f"{name}.tsx", f"--report={report}")
    expected = [float(line) for line in (FOLDER / f"{name}.txt").read_text().split()]
    printed = run("tessera-run", out / f"{name}.tsx", f"--inputs={state}", f"--steps={len(expected)}")
    values = [float(value) for value in re.findall(r"^step .*result\[1\]\S*=(\S+)", printed, re.MULTILINE)]
    largest = max(map(abs, expected))
    error = max(abs(a - b) for a, b in zip(values, expected)) / largest
    sent = json.loads(report.read_text())["communication"]["bytes"]
    is_good = len(values) == len(expected) and error <= TOLERANCE and sent <= 1.01 * pinned
    print(f"{name}: {len(values)} steps, largest error {error:.1e}; {sent} bytes a step, {by_hand} by hand{'' if is_good else ': WRONG'}")
    return is_good


def main():
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER / "out"
    out.mkdir(parents=True, exist_ok=True)
    rows = [line.split() for line in (FOLDER / "bytes.txt").read_text().splitlines()[1:]]
    return 0 if all([check(name, int(by_hand), int(pinned), out) for name, by_hand, pinned in rows]) else 1


if __name__ == "__main__":
    sys.exit(main())
