"""Fails unless the first program is predicted to take no longer than the second, but for what its calls cost.

    compare-steps.py BIN WITH.tsx WITHOUT.tsx
"""

import json
import subprocess
import sys

CALL_MS = 5e-3


def run(*arguments):
    return json.loads(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout)


tools, with_phase, without = sys.argv[1:]
steps = [run(f"{tools}/tessera-sim", program, "--json")["makespan"] for program in (with_phase, without)]
calls = sum(entry["times"] for entry in run(f"{tools}/tesserac", "--inspect", "--json", without)["collectives"])
assert steps[0] <= 1.001 * steps[1] + CALL_MS * calls, f"{steps[0]} ms with the phase communicate, {steps[1]} ms without"
print(f"{steps[0]:.3f} ms with, {steps[1]:.3f} ms without")
