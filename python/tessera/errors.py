"""What goes wrong outside of Python."""


class TesseraError(RuntimeError):
    """A tool or the runtime failed. `status` is its exit status: 1 the request is wrong, 3 values differ, 4 a rank failed."""

    def __init__(self, tool, status, message):
        super().__init__(message or f"{tool} ended with status {status}")
        self.status = status


class LocatedError(ValueError):
    """What is wrong with a line of the user's; the message begins with that line: `model.py:12: error: …`."""
