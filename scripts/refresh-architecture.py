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


def ir_after(phase):
    """The module's text without locations."""
    printed = subprocess.run([build / "bin/tesserac", "examples/mlp/mlp.mlir", f"--compile-to={phase}", "--cpu=x86-64-v3", "-o", "-"],
                             cwd=root, check=True, capture_output=True, text=True).stdout
    plain = subprocess.run([build / "bin/tessera-opt"], input=printed, check=True, capture_output=True, text=True).stdout
    lines = plain.splitlines()[1:-1]  # without `module {` and `}`
    if phase == "codegen":  # the host program; kernels are long
        lines = select_host_program(lines)
    return "\n".join(line.removeprefix("  ") for line in lines).strip()


def select_host_program(lines):
    """The function that calls the runtime."""
    start = next(i for i, line in enumerate(lines) if "@tessera_main" in line)
    end = next(i for i in range(start, len(lines)) if lines[i] == "  }")
    return lines[start:end + 1]


def block(match):
    return f"<!-- ir: {match[1]} -->\n```mlir\n{ir_after(match[1])}\n```"


text = re.sub(r"<!-- ir: (\w+) -->\n```mlir\n.*?\n?```", block, page.read_text(), flags=re.S)
output.parent.mkdir(parents=True, exist_ok=True)
output.write_text(text)
