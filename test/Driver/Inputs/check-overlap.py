"""Fails unless the step of which --explain speaks takes as long as tessera-sim says, within a hundredth.

    check-overlap.py SIM PROGRAM.tsx EXPLANATION
"""

import json
import pathlib
import re
import subprocess
import sys

MILLISECONDS = {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3}

simulator, program, explanation = sys.argv[1:]
text = pathlib.Path(explanation).read_text()
number, unit = re.search(r"^overlap: of a step of ([0-9.]+) (\w+)", text, re.MULTILINE).groups()
explained = float(number) * MILLISECONDS[unit]
output = subprocess.run([simulator, program, "--json"], check=True, capture_output=True, text=True).stdout
predicted = json.loads(output)["makespan"]
assert abs(explained - predicted) <= 0.01 * predicted, f"{explained} ms explained, {predicted} ms predicted"
