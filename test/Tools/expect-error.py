#!/usr/bin/env python3
"""Runs a command that must be refused: exit status 1 and exactly one diagnostic, which contains a text.

Usage: expect-error.py TEXT COMMAND...
"""
import subprocess
import sys

text, command = sys.argv[1], sys.argv[2:]
run = subprocess.run(command, capture_output=True, text=True, timeout=60)
errors = [line for line in run.stderr.splitlines() if "error:" in line]
problems = []
if run.returncode != 1:
    problems.append(f"exit status {run.returncode}, expected 1")
if len(errors) != 1:
    problems.append(f"{len(errors)} errors, expected 1")
elif text not in run.stderr:
    problems.append(f"expected the diagnostic to contain: {text}")
if problems:
    sys.exit(f"{' '.join(command)}\n{'; '.join(problems)}\n{run.stderr}")
