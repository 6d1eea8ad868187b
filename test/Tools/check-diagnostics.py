#!/usr/bin/env python3
"""Finds diagnostics that fewer than two tests expect. A diagnostic's text is the longest piece of its message that stands in the sources as one literal, without
the punctuation around it; a test expects it where it stands in a file of test/. Two operations with one text may share its tests: what counts is that two inputs
lead to it.

Usage: check-diagnostics.py ROOT. Prints each text with fewer as `file:line: ...`, and exits with 1 if there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
SITE = re.compile(r"\b(?:emitError|emitOpError|emitWarning|createStringError|attachNote)\s*\(")
# How what has no locations says it: the runtime, readers of files and command lines, the interpreter.
FAILURE_SITE = re.compile(r"\b(?:fail|failure|invalid|Malformed)\s*\(|\b(?:Job)?Failure\s*\{")
PART = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
LITERAL = re.compile(PART.pattern + r"(?:\s*" + PART.pattern + ")*")
WANTED = 2
SHORTEST = 8  # Characters: what is shorter says nothing.
# What tests cannot have said, by its text or by its file, and why.
ELSEWHERE = {
    "this build generates no code for GPUs": "tests run the tools of a build that does",
    "this tesserac was built without code generation for GPUs: expected --target=cpu, got --target=": "tests run the tools of a build that does",
    "expected a program of one device around it": "what has such an operation is run as programs of devices",
    "expected a function of that name": "MLIR's verifier asks first",
    "expected different dimensions, got": "convolutions are checked when they are written",
    "expected types of 'builtin' and 'vhlo', got one of '": "a damaged file whose types are all in their place",
    "expected the name of an entry, got none": "a damaged file that has a text of no letters for something else",
    "regions in one another": "programs of hundreds of loops in one another",
    "expected a reduction of Shardy's, got number": "JAX writes no sums that are something else",
    "expected a zero point for each scale": "types of two lists, of which one is damaged",
    "expected balanced '<' and '>' in '": "MLIR's reader of attributes asks first",
    "' fails for these costs": "orders woven by costs that nobody has thought of",
    "lib/Transforms/Fuse/Attention/AttentionChecks.cpp": "debug output says why something is no attention",
    "lib/Transforms/Fuse/Attention/AttentionMatch.cpp": "debug output says why something is no attention",
    "lib/Transforms/Fuse/Attention/AttentionSinks.cpp": "debug output says why something is no attention",
    "not enough memory": "the system gives more than there is",
    "not enough memory for a copy of the state": "the system gives more than there is",
    "given up": "a checkpoint that is being written when the run ends for another reason, which alone is told",
    "cannot start": "threads that the system does not give",
    "which is behind others on its links": "a message that is later than a timeout of seconds",
    "runtime/processes/Connection.cpp": "sockets that fail",
    "runtime/sockets/PeerConnections.cpp": "sockets that fail",
    "runtime/sockets/Ring.cpp": "shared memory that the system does not give",
    "cannot listen on this machine": "sockets that fail",
    "mismatched collectives in": "two calls with one number that differ nevertheless: a collision of 64 bits",
    "runtime/cuda/Libraries.cpp": "old or damaged libraries of NVIDIA",
    "runtime/processes/ProcessHost.cpp": "processes on several machines, of which one ends",
    "runtime/gpu/Device.cpp": "drivers that fail, GPUs that are too old",
    "runtime/gpu/FloatExtremes.cpp": "devices whose memory is full",
    "runtime/gpu/KernelCode.cpp": "kernels and images that code generation does not make together",
    "runtime/gpu/Rank.cpp": "devices whose memory is full, drivers that fail, programs that are not the same in each step",
    "runtime/gpu/RankCommunication.cpp": "messages that code generation does not make, and sizes that verifiers have compared",
    "runtime/emulated/device/EmulatedDevice.cpp": "launches that the runtime does not ask for",
    "runtime/emulated/device/EmulatedDriver.cpp": "calls that the runtime does not make",
    "runtime/emulated/device/EmulatedNccl.cpp": "calls that the runtime does not make",
}


def texts_of(source, pattern):
    """Yields (line, text) of each diagnostic in a file."""
    for site in pattern.finditer(source):
        end, depth = site.end(), int(site.group().endswith("("))
        # To the end of the statement, or of the lambda or initialiser that holds it.
        while end < len(source) and not (depth <= 0 and source[end] in ";}"):
            literal = PART.match(source, end)
            if literal:
                end = literal.end()
                continue
            depth += {"(": 1, ")": -1}.get(source[end], 0)
            end += 1
        literals = ["".join(PART.findall(match.group())) for match in LITERAL.finditer(source, site.start(), end)]
        text = max(literals, key=len, default="").replace('\\"', '"').replace("\\n", "")
        text = re.sub(r"\{\d\}.*", "", text, flags=re.S).strip(" :;,([")
        if len(text) >= SHORTEST:
            yield source.count("\n", 0, site.start()) + 1, text


def read_tests():
    """What all tests expect, with the literals of C++ and Python that are broken into lines put together."""
    paths = (path for path in sorted((ROOT / "test").rglob("*")) if path.suffix in (".mlir", ".test", ".py", ".cpp") and path.is_file())
    text = "\n".join(path.read_text(errors="replace") for path in paths if path != pathlib.Path(__file__).resolve())
    return re.sub(r'"\n\s*"', "", text).replace('\\"', '"')


places = {}
BOTH = re.compile(f"{SITE.pattern}|{FAILURE_SITE.pattern}")
for folder, pattern in (("lib", BOTH), ("tools", BOTH), ("runtime", FAILURE_SITE)):
    for path in sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in (".cpp", ".h")):
        for line, text in texts_of(path.read_text(), pattern):
            places.setdefault(text, f"{path.relative_to(ROOT)}:{line}")
tests = read_tests()
missing = 0
for text, place in places.items():
    count = tests.count(text)
    if count < WANTED and text not in ELSEWHERE and place.split(":")[0] not in ELSEWHERE:
        missing += 1
        print(f"{place}: expected {WANTED} tests of the diagnostic, got {count}: {text}")
sys.exit(missing > 0)
