#!/usr/bin/env python3
"""Writes what commands print into the marked blocks of a page of the manual.

Usage: refresh-output.py BUILD PAGE [OUTPUT]. A block is a line `<!-- output: COMMAND -->`, with the tools of BUILD, run in the repository, and the fenced
text behind it.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
build, page = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
output = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else page


def block(match):
    with tempfile.TemporaryDirectory() as folder:
        printed = subprocess.run(match[1], shell=True, cwd=root, check=True, capture_output=True, text=True,
                                 env={**os.environ, "PATH": f"{build}/bin:{os.environ['PATH']}", "OUT": folder}).stdout
    return f"<!-- output: {match[1]} -->\n```\n{printed.rstrip()}\n```"


text = re.sub(r"<!-- output: (.*?) -->\n```\n.*?\n?```", block, page.read_text(), flags=re.S)
output.parent.mkdir(parents=True, exist_ok=True)
output.write_text(text)
