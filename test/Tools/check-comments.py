#!/usr/bin/env python3
"""Finds functions of more than LONGEST lines without `///`, above the definition or above a declaration of the same name. What a pass does
(`runOnOperation`) is said in Passes.td. Finds such comments, too, that an access specifier parts from what they are about.

Usage: check-comments.py ROOT. Prints each as `file:line: ...` and exits with 1 if there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
LONGEST = 30
NOISE = re.compile(r'/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:\\\n|[^\n])*|//[^\n]*', re.S | re.M)
# What precedes the body of a function: a list of parameters, then qualifiers, a result or initialisers.
HEAD = re.compile(r"([~\w]+|operator\s*\S+)\s*\(", re.S)
NO_FUNCTION = {"if", "for", "while", "switch", "catch", "namespace", "class", "struct", "union", "enum", "return", "do", "else"}
SCOPE = re.compile(r"(^|[;{}\s])(namespace|class|struct|union|enum|extern)\b[^()]*$|^\s*extern\s*$", re.S)


def functions(text):
    """Yields (first line, name, lines) of each function that is defined outside others."""
    blank = NOISE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    scopes, start = [], 0  # Of each open brace whether functions may stand behind it, or the function that it opens.
    for match in re.finditer("[{};]", blank):
        position, character = match.start(), match.group()
        inside = next((scope for scope in scopes if scope is not True), None)
        if character == "{":
            head = blank[start:position]
            name = HEAD.search(re.sub(r"template\s*<[^{;]*?>\s*(?=\w)|__attribute__\s*\(\(.*?\)\)|\balignas\s*\(.*?\)", lambda m: " " * len(m.group()), head, flags=re.S))
            if inside is not None:
                scopes.append(False)
            elif name and name.group(1) not in NO_FUNCTION and "=" not in head[:name.start()]:
                first = start + len(head) - len(head.lstrip())
                scopes.append((first, name.group(1), position))
            else:
                scopes.append(True if SCOPE.search(head) else False)
            start = position + 1
        elif character == "}":
            if scopes:
                scope = scopes.pop()
                if isinstance(scope, tuple):
                    first, name, _ = scope
                    yield text.count("\n", 0, first) + 1, name, text.count("\n", first, position) + 1
            start = position + 1
        elif inside is None:
            start = position + 1


def documented(lines, number):
    """Whether a comment of three slashes ends right above a line, counted from 1."""
    number -= 2
    while number >= 0 and re.match(r"\s*(template|static|\[\[|LLVM_|TESSERA_)", lines[number]) and not lines[number].rstrip().endswith((";", "}")):
        number -= 1
    return number >= 0 and lines[number].lstrip().startswith(("///", "*/", "/**"))


sources = {path: path.read_text() for folder in ("include", "lib", "runtime", "tools") for path in sorted((ROOT / folder).rglob("*"))
           if path.suffix in (".h", ".cpp")}
declared = set()  # Names with a comment above a declaration.
for path, text in sources.items():
    for match in re.finditer(r"^[ \t]*///[^\n]*\n((?:[ \t]*(?!///)[^\n]*\n){1,6})", text, re.M):
        name = re.search(r"([~\w]+)\s*\(", NOISE.sub("", match.group(1)))
        if name:
            declared.add(name.group(1))
long = missing = 0
for path, text in sources.items():
    lines = text.splitlines()
    for match in re.finditer(r"^[ \t]*///[^\n]*\n[ \t]*(private|public|protected):", text, re.M):
        missing += 1
        print(f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, match.start()) + 1}: expected the comment behind '{match.group(1)}:'")
    for first, name, count in functions(text):
        if count <= LONGEST or name == "runOnOperation":
            continue
        long += 1
        if name not in declared and not documented(lines, first):
            missing += 1
            print(f"{path.relative_to(ROOT)}:{first}: {name} has {count} lines and no ///")
print(f"{long} functions of more than {LONGEST} lines, {missing} without a comment")
sys.exit(missing > 0)
