"""Files as the other tools write them."""

import os
import stat
import sys


def write_text(path, text):
    """Writes `text` to `path`. A regular file appears whole or not at all and keeps its permissions; what else is there (a device, a pipe) is written
    through; symbolic links are followed; `-` is standard output."""
    if path == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    try:
        _write(os.fspath(path), text)
    except OSError as error:
        # What was being written, not what it was called meanwhile.
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


def _write(path, text):
    try:
        status = os.stat(path)
    except FileNotFoundError:
        status = None
    if status and not stat.S_ISREG(status.st_mode):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return
    target = os.path.realpath(path)
    partial = os.path.join(os.path.dirname(target), f".tessera-{os.getpid()}-{id(text)}.partial")
    try:
        with open(partial, "x", encoding="utf-8") as file:
            file.write(text)
        if status:
            os.chmod(partial, stat.S_IMODE(status.st_mode))
        os.replace(partial, target)
    except OSError:
        if os.path.exists(partial):
            os.remove(partial)
        raise
