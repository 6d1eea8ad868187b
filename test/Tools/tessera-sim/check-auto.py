#!/usr/bin/env python3
"""Checks that `auto` is at least as fast as every published schedule that keeps the memory limit, by the figure that it minimizes. Prints its figures.

Usage: check-auto.py RANKS MICROBATCHES LIMIT FLAG...
"""
import json
import subprocess
import sys

ranks, microbatches, limit, *flags = sys.argv[1:]
common = [f"--stages={ranks}", f"--microbatches={microbatches}", f"--memory-limit={limit}", "--json", *flags]


def simulate(name):
    run = subprocess.run(["tessera-sim", f"--schedule={name}", *common], capture_output=True, text=True)
    return json.loads(run.stdout) if run.returncode == 0 else None


found = simulate("auto")
if found is None or found["peak_memory"] > float(limit) * (1 + 1e-6):
    sys.exit(f"error: expected a schedule within {limit}, got {found}")
figure = "longest_stage" if "--minimize=longest-stage" in flags else "makespan"
common = [flag for flag in common if not flag.startswith("--minimize")]
names = [schedule["name"] for schedule in json.loads(subprocess.check_output(["tessera-sim", "--list", "--json"]))]
kept = {name: figures[figure] for name in names if (figures := simulate(name))}
for name, time in kept.items():
    if found[figure] > time * (1 + 1e-9):
        sys.exit(f"error: {name} takes {time} ms, auto {found[figure]} ms")
best = min(kept.values(), default=None)
if kept and abs(found["published"][figure] - best) > 1e-6 * best:
    sys.exit(f"error: expected {best} ms as the best published, got {found['published']}")
if found["bound"] > found[figure] * (1 + 1e-9):
    sys.exit(f"error: a bound of {found['bound']} ms above {found[figure]} ms")
print(json.dumps(found, indent=1))
