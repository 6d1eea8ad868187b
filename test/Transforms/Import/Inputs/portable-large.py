"""Writes small files of portable bytecode that stand for much more than they hold, and checks that `tesserac` refuses each: one error, at once."""
import pathlib
import subprocess
import sys

DIALECTS = BUILTIN, VHLO, SDY = range(3)


def number(value):
    """As MLIR writes numbers: the zeros at the end of the first byte count the bytes that follow."""
    size = max(1, -(-value.bit_length() // 7))
    return ((2 * value + 1) << (size - 1)).to_bytes(size, "little")


class File:
    def __init__(self):
        self.strings, self.attributes, self.types = ["builtin", "vhlo", "sdy", "module", "reverse_v1"], [], []

    def text(self, text):
        self.strings.append(text)
        return len(self.strings) - 1

    def attribute(self, dialect, *numbers, rest=b"", encoded=1):
        self.attributes.append((dialect, b"".join(map(number, numbers)) + rest, encoded))
        return len(self.attributes) - 1

    def type(self, *numbers, rest=b""):
        self.types.append((VHLO, b"".join(map(number, numbers)) + rest, 1))
        return len(self.types) - 1

    def bytes(self, location=None, **named):
        """A module with one operation, `vhlo.reverse_v1`, with these attributes."""
        entries = [each for name, value in named.items() for each in (self.attribute(BUILTIN, 2, self.text(name)), value)]
        names = self.attribute(BUILTIN, 1, len(named), *entries)
        location = self.attribute(BUILTIN, 15) if location is None else location

        def join(*numbers):
            return b"".join(map(number, numbers))

        def section(identifier, contents):
            return bytes([identifier]) + number(len(contents)) + contents

        def sizes(entries):
            return b"".join(join(dialect, 1, 2 * len(contents) + encoded) for dialect, contents, encoded in entries)

        strings = [text.encode() + b"\0" for text in self.strings]
        operation = number(1) + b"\1" + join(location, names)
        body = join(1, 0, 2) + operation
        ir = join(2, 0) + b"\x10" + join(location, 3) + section(4, body)
        return (
            b"ML\xefR" + number(3) + b"StableHLO_v1.9.0\0"
            + section(0, join(len(strings), *(len(text) for text in reversed(strings))) + b"".join(strings))
            + section(1, join(len(DIALECTS), 0, 2, 4, BUILTIN, 1, 3, VHLO, 1, 4))
            + section(2, b"".join(contents for _, contents, _ in self.attributes + self.types))
            + section(3, join(len(self.attributes), len(self.types)) + sizes(self.attributes) + sizes(self.types))
            + section(4, ir)
        )  # fmt: skip


def doubled(make, entry):
    for _ in range(60):
        entry = make(entry)
    return entry


def arrays(file):
    return file.bytes(a=doubled(lambda each: file.attribute(BUILTIN, 0, 2, each, each), file.attribute(BUILTIN, 7)))


def tuples(file):
    """In the text of a type that has no other form here."""
    nested = doubled(lambda each: file.type(23, 2, each, each), file.type(4))
    return file.bytes(a=file.attribute(BUILTIN, 6, file.type(42, 1, nested)))


def locations(file):
    frame = file.attribute(BUILTIN, 11, file.attribute(BUILTIN, 2, file.text("<frame>")), 1, 1)
    return file.bytes(location=doubled(lambda each: file.attribute(BUILTIN, 10, each, each), frame))


def shardings(file):
    count = 1000
    axis = file.attribute(SDY, 4, file.text("x" * count), 0)
    dim = file.attribute(SDY, 5, count, *[axis] * count, rest=b"\1" + number(0))
    mesh = file.attribute(BUILTIN, 4, file.attribute(BUILTIN, 2, file.text("mesh")))
    return file.bytes(a=file.attribute(SDY, 6, mesh, count, *[dim] * count, 0))


def splat(file):
    """2^40 numbers in eight bytes."""
    dims = file.type(20, 1, 2 << 40, file.type(14))
    return file.bytes(dimensions=file.attribute(VHLO, 15, dims, 8, rest=bytes(8)))


def brackets(file):
    return file.bytes(a=file.attribute(BUILTIN, rest=b"[" * 100000 + b"]" * 100000 + b"\0", encoded=0))


REFUSED = {
    arrays: "expected attributes and types of at most 16777216 characters",
    tuples: "expected attributes and types of at most 16777216 characters",
    locations: "expected attributes and types of at most 16777216 characters",
    shardings: "expected attributes and types of at most 16777216 characters",
    splat: "'vhlo.reverse_v1': expected numbers as 'dimensions'",
    brackets: "expected attributes of 'builtin' that can be read, got number 0",
}

wrong = 0
for make, message in REFUSED.items():
    path = pathlib.Path(sys.argv[1]) / f"{make.__name__}.mlirbc"
    path.write_bytes(make(File()))
    done = subprocess.run(["tesserac", str(path), "--compile-to=read", "-o", "-"], capture_output=True, text=True, timeout=60)
    expected = f"{path}:1:1: error: expected StableHLO's portable bytecode: {message}"
    if done.returncode != 1 or done.stderr.partition("\n")[0] != expected or done.stderr.count("error:") != 1:
        wrong += 1
        print(f"{make.__name__}: expected '{message}', got status {done.returncode} and '{done.stderr[:1000]}'")
sys.exit(wrong > 0)
