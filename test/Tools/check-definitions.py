#!/usr/bin/env python3
"""Finds types of one qualified name that two files define: in a program that links both, that violates the one-definition rule, and
no compiler reports it. What stands in an anonymous namespace belongs to its file alone; specialisations and members are not looked at.

Prints every pair as `file:line: ...` and exits with 1 if there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
# Comments, literals and preprocessor lines hold no definitions; their lines stay, so that numbers are right.
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:\\\n|[^\n])*', re.S | re.M)
NAMESPACE = re.compile(r"\bnamespace\s*([\w:]*)\s*$")
TYPE = re.compile(r"^(?:template\s*<.*>\s*)?(?:struct|class|union|enum(?:\s+class)?)\s+(?:\[\[.*?\]\]\s*|alignas\s*\(.*?\)\s*)*([\w:]+)"
                  r"\s*(?:final\s*)?(?::[^;]*)?$", re.S)


def definitions(text):
    """Yields (line, qualified name) of each type that `text` defines in a named namespace or outside any."""
    text = NOISE.sub(lambda match: "\n" * match.group().count("\n") or " ", text)
    scopes, start = [], 0  # A scope: its namespace's name, or None for any other pair of braces.
    for position, character in ((match.start(), match.group()) for match in re.finditer("[{};]", text)):
        head = text[start:position].strip()
        start = position + 1
        if character == "}":
            if scopes:
                scopes.pop()
        elif character == "{":
            namespace, kind = NAMESPACE.search(head), TYPE.match(head)
            if kind and None not in scopes:
                yield text.count("\n", 0, position) + 1, "::".join([name for name in scopes if name] + [kind.group(1)])
            scopes.append(namespace.group(1) or None if namespace else None)


first, pairs = {}, 0
for folder in ("include", "lib", "runtime", "tools"):
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix not in (".h", ".cpp"):
            continue
        for line, name in definitions(path.read_text()):
            place = f"{path.relative_to(ROOT)}:{line}"
            if first.setdefault(name, place).split(":")[0] != place.split(":")[0]:
                pairs += 1
                print(f"{place}: {name} is defined a second time; first at {first[name]}")
print(f"{len(first)} types, {pairs} defined twice")
sys.exit(pairs > 0)
