"""The commands by which a wheel with tools inside puts them on the path; apart from the package, so that they need no other module."""

import os
import pathlib
import sys


def run_tool():
    """Becomes the tool whose name the command has that calls this."""
    tool = pathlib.Path(__file__).resolve().parent / "tessera" / "prefix" / "bin" / pathlib.Path(sys.argv[0]).name
    os.execv(tool, [str(tool), *sys.argv[1:]])
