"""Where the tools are, and the commands by which a wheel puts them on the path."""

import os
import pathlib
import shutil
import sys

_PACKAGE = pathlib.Path(__file__).resolve().parent


def _folders():
    """Where tools lie beside this package: inside it in a wheel, else in a prefix that holds lib/python3/dist-packages/tessera, or in a build tree."""
    yield _PACKAGE / "prefix" / "bin"
    if _PACKAGE.parts[-4:-1] == ("lib", "python3", "dist-packages"):
        yield _PACKAGE.parents[3] / "bin"
    yield _PACKAGE.parents[1] / "build" / "bin"


def find_tool(name):
    """The path of a tool: in the folder `$TESSERA_BIN` if that is set, else beside this package or on the path."""
    folder = os.environ.get("TESSERA_BIN")
    for candidate in [pathlib.Path(folder)] if folder else _folders():
        if (candidate / name).is_file():
            return str(candidate / name)
    found = None if folder else shutil.which(name)
    if not found:
        raise FileNotFoundError(f"'{name}' not found in {folder or 'build/bin and on the path'} (set TESSERA_BIN)")
    return found


def run_tool():
    """Becomes the tool of a wheel whose name the command has that calls this."""
    tool = _PACKAGE / "prefix" / "bin" / pathlib.Path(sys.argv[0]).name
    if not tool.is_file():
        sys.exit(f"error: this package was installed without {tool.name}; see docs/install.md")
    os.execv(tool, [str(tool), *sys.argv[1:]])
