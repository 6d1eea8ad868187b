"""Compares what `auto` takes for a step with every published schedule within the same memory, as the compiler predicts both.

    compare-auto.py MODEL LEAST-GAIN FLAG...

Prints the figures. Exits with 1 if a published schedule is faster, or if `auto` is not faster than the best that leaves the output layer on one stage by the factor LEAST-GAIN.
"""

import re
import subprocess
import sys

model, least_gain, *flags = sys.argv[1:]
PREDICTED = re.compile(r"schedule '[^']*' of \d+ stages on \d+ pipeline ranks: ([0-9.]+) ms per step.* at most (\d+) bytes")


def predict(name, *more):
    """Milliseconds and bytes under a schedule; nothing where it takes no such step."""
    run = subprocess.run(["tesserac", model, *flags, *more, f"--schedule={name}", "--compile-to=stage", "--remarks", "-o", "-"], capture_output=True, text=True)
    found = PREDICTED.search(run.stdout + run.stderr)
    return (float(found[1]), int(found[2])) if run.returncode == 0 else None


listed = subprocess.run(["tessera-sim", "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
names = [line.split()[0] for line in listed if line and not line[0].isspace()]
published = {name: figures for name in names if (figures := predict(name))}
assert len(published) >= 10, published
failures = 0
for limit in sorted({memory for _, memory in published.values()})[1::4]:
    found = predict("auto", f"--memory-limit={limit}")
    fitting = {name: seconds for name, (seconds, memory) in published.items() if memory <= limit}
    whole = min((seconds for name, seconds in fitting.items() if "vocabulary" not in name), default=float("inf"))
    best = min(fitting, key=fitting.get)
    print(f"{limit} bytes: auto {found[0]} ms, {best} {fitting[best]} ms, {whole / found[0]:.2f} times as fast as with the output layer whole")
    failures += found[0] > fitting[best] * 1.0005 or found[1] > limit or whole < float(least_gain) * found[0]
sys.exit(failures > 0)
