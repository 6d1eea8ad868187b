"""Shortening of the source locations in printed MLIR.

JAX attaches the whole Python call stack to every operation, with absolute paths. `shorten` rewrites a printed module so
that every operation keeps its name and the user's innermost frame (`"jit(step)/tanh"("model.py":41:8)`), with paths that
mean something on other machines. It works on text, as locations are the one part of MLIR's syntax that is the same in every
printed form: it tokenises strings, so nothing inside an attribute is ever mistaken for a location.
"""

import os
import re
import sys
from dataclasses import dataclass

_STRING = r'"(?:[^"\\]|\\.)*"'
_TOKEN = re.compile(_STRING + r"|#[\w.$-]+|\w+|[^\s\w]")
_STRING_OR_LOCATION = re.compile(_STRING + r"|\bloc\(")
_DEFINITION = re.compile(r"^(#loc\d*) = loc\(", re.MULTILINE)


@dataclass(frozen=True)
class Frame:
    """A place in a source file; `path` keeps MLIR's escapes."""

    path: str
    line: int
    column: int


@dataclass(frozen=True)
class Name:
    """A name around another location, or by itself (the name of an argument)."""

    text: str
    child: object = None


@dataclass(frozen=True)
class Stack:
    """Several locations; the first is the innermost frame of a call stack."""

    parts: tuple


class _Parser:
    """Recursive descent over the text of one location, from just behind `loc(`."""

    def __init__(self, text, position, aliases):
        self.text, self.position, self.aliases = text, position, aliases

    def peek(self):
        match = _TOKEN.search(self.text, self.position)
        return match.group() if match else ""

    def next(self):
        match = _TOKEN.search(self.text, self.position)
        if not match:
            raise ValueError("expected a location, got the end of the file")
        self.position = match.end()
        return match.group()

    def expect(self, token):
        got = self.next()
        if got != token:
            raise ValueError(f"expected '{token}' in a location, got '{got}'")

    def accept(self, token):
        if self.peek() != token:
            return False
        self.next()
        return True

    def location(self):
        token = self.next()
        if token == "unknown":
            return None
        if token.startswith("#"):
            return self.aliases(token)
        if token == "callsite":
            self.expect("(")
            callee = self.location()
            self.expect("at")
            caller = self.location()
            self.expect(")")
            return Stack((callee, caller))
        if token == "fused":
            return self.fused()
        if token.startswith('"'):
            return self.frame_or_name(token[1:-1])
        raise ValueError(f"expected a location, got '{token}'")

    def fused(self):
        if self.accept("<"):
            depth = 1
            while depth:
                depth += {"<": 1, ">": -1}.get(self.next(), 0)
        self.expect("[")
        parts = []
        while not self.accept("]"):
            parts.append(self.location())
            self.accept(",")
        return Stack(tuple(parts))

    def frame_or_name(self, text):
        if self.accept(":"):
            line = int(self.next())
            self.expect(":")
            column = int(self.next())
            if self.accept("to"):
                if self.peek() != ":":
                    self.next()
                self.expect(":")
                self.next()
            return Frame(text, line, column)
        if self.accept("("):
            child = self.location()
            self.expect(")")
            return Name(text, child)
        return Name(text)


def _library_folders():
    """Folders whose frames are never the user's: this package and JAX."""
    folders = [os.path.dirname(os.path.abspath(__file__))]
    for library in ("jax", "jaxlib"):
        path = getattr(sys.modules.get(library), "__file__", None)
        if path:
            folders.append(os.path.dirname(os.path.abspath(path)))
    return tuple(folder + os.sep for folder in folders)


def _relative(path, root):
    """`path` relative to `root`, else to the folder that Python imported it from, else its last component."""
    if not os.path.isabs(path):
        return path
    folders = [root] + sorted((os.path.abspath(entry) for entry in sys.path if entry), key=len, reverse=True)
    for folder in folders:
        if path.startswith(os.path.join(folder, "")):
            return os.path.relpath(path, folder)
    return os.path.basename(path)


class _Shortener:
    """Shortens locations and collects their aliases in order of first use."""

    def __init__(self, root, name):
        self.name = name
        self.root = os.path.abspath(root)
        self.libraries = _library_folders()
        self.aliases = {}

    def frame(self, location):
        """The innermost frame of the user's inside `location`, or None."""
        if isinstance(location, Frame):
            if location.path == "-":  # What MLIR calls a text that it did not read from a file.
                return Frame(self.name, location.line, location.column)
            internal = location.path.startswith(self.libraries) or location.path.startswith("<")
            return None if internal else Frame(_relative(location.path, self.root), location.line, location.column)
        if isinstance(location, Name):
            return self.frame(location.child)
        if isinstance(location, Stack):
            return next((frame for frame in map(self.frame, location.parts) if frame), None)
        return None

    def shorten(self, location):
        frame = self.frame(location)
        if isinstance(location, Stack) and not frame:
            return next((part for part in map(self.shorten, location.parts) if part), None)
        return Name(location.text, frame) if isinstance(location, Name) else frame

    def body(self, location):
        if location is None:
            return "unknown"
        if isinstance(location, Frame):
            return f'"{location.path}":{location.line}:{location.column}'
        if location.child is None:
            return f'"{location.text}"'
        return f'"{location.text}"({self.alias(location.child)})'

    def alias(self, location):
        """The alias of a location that has a frame; one without is short enough to stand where it is used."""
        if location is None or (isinstance(location, Name) and location.child is None):
            return self.body(location)
        if location not in self.aliases:
            body = self.body(location)  # Before the number is taken: an inner alias is numbered and printed first.
            self.aliases[location] = (f"#loc{len(self.aliases) + 1}", body)
        return self.aliases[location][0]


def shorten(text, root=".", name="<stdin>"):
    """Returns the printed module `text` with short locations.

    Paths become relative to the folder `root`. `name` is the file that the module was read from: operations that have no
    other location are located in it.

    Raises ValueError when a location does not parse.
    """
    definitions = {match.group(1): match for match in _DEFINITION.finditer(text)}
    resolved = {}

    def resolve(alias):
        if alias not in resolved:
            if alias not in definitions:
                raise ValueError(f"expected a definition of the location '{alias}'")
            resolved[alias] = _Parser(text, definitions[alias].end(), resolve).location()
        return resolved[alias]

    starts = {match.start() + len(match.group(1)) + 3: match.start() for match in definitions.values()}
    shortener = _Shortener(root, name)
    pieces, position = [], 0
    while match := _STRING_OR_LOCATION.search(text, position):
        if match.group() != "loc(":
            pieces.append(text[position : match.end()])
            position = match.end()
            continue
        parser = _Parser(text, match.end(), resolve)
        location = parser.location()
        parser.expect(")")
        if match.start() in starts:  # A definition: its whole line goes, new ones follow the module.
            pieces.append(text[position : starts[match.start()]])
            position = parser.position + 1
        else:
            pieces.append(f"{text[position:match.start()]}loc({shortener.alias(shortener.shorten(location))})")
            position = parser.position
    pieces.append(text[position:])
    body = "".join(pieces).rstrip("\n") + "\n"
    return body + "".join(f"{alias} = loc({definition})\n" for alias, definition in shortener.aliases.values())
