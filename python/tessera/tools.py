"""Where the tools and the runtime are."""

import os
import pathlib
import shutil

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


def find_library(name):
    """The path of a shared library, which lies in the folder `lib` beside that of the tools."""
    prefix = pathlib.Path(find_tool("tessera-run")).resolve().parent.parent
    for folder in ("lib", "lib64"):
        if (prefix / folder / name).is_file():
            return str(prefix / folder / name)
    raise FileNotFoundError(f"'{name}' not found in {prefix / 'lib'}")
