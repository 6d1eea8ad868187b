#!/usr/bin/env python3
"""Writes the IR of examples/mlp after each phase into the marked blocks of docs/architecture.md.

Usage: refresh-architecture.py BUILD [OUTPUT]. A block is a line `<!-- ir: PHASE -->` and the fenced code behind it.
"""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
build = pathlib.Path(sys.argv[1]).resolve()
page = root / "docs" / "architecture.md"
output = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else page


def run(command, text=None):
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True, input=text).stdout


def ir_after(phase):
    """The module's text without locations. Of `codegen` it is the host program before it becomes calls, for kernels are long."""
    stop = "schedule" if phase == "codegen" else phase
    printed = run([build / "bin/tesserac", "examples/mlp/mlp.mlir", f"--compile-to={stop}", "-o", "-"])
    passes = ["--tessera-lower-to-rt"] if phase == "codegen" else []
    lines = run([build / "bin/tessera-opt", *passes], printed).strip().splitlines()
    start = lines.index("  module @program {") if phase == "codegen" else 1
    return "\n".join(line.removeprefix("  ") for line in lines[start:-1])  # without the module around it


def block(match):
    return f"<!-- ir: {match[1]} -->\n```mlir\n{ir_after(match[1])}\n```"


text = re.sub(r"<!-- ir: (\w+) -->\n```mlir\n.*?\n?```", block, page.read_text(), flags=re.S)
output.parent.mkdir(parents=True, exist_ok=True)
output.write_text(text)
