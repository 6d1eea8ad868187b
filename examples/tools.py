"""How the scripts of examples find and run the tools: from $TESSERA_BIN, the build tree or the prefix that the examples are installed in."""

import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent


def tools():
    places = [os.environ.get("TESSERA_BIN"), FOLDER.parent / "build" / "bin", FOLDER.parents[2] / "bin"]
    return next(pathlib.Path(place) for place in places if place and (pathlib.Path(place) / "tesserac").exists())


def run(tool, *arguments):
    """What the tool prints; ends the script if it fails."""
    done = subprocess.run([str(tools() / tool), *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{tool} failed")
    return done.stdout
