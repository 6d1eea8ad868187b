#!/usr/bin/env python3
"""Finds types of one qualified name that two files define: in a program that links both, that violates the one-definition rule, and
no compiler reports it. What stands in an anonymous namespace belongs to its file alone; specialisations and members are not looked at.

Of a library whose files may be compiled together (UNITY in its CMakeLists.txt), finds also what two files define for themselves alike: types and constants of
one name, functions of one name and parameters.

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


OWN = re.compile(r"^(?:template\s*<.*?>\s*(?=\w))?(?:\[\[.*?\]\]\s*)*(?:static|const|constexpr)\b", re.S)
FUNCTION = re.compile(r"^[^=]*?[\s*&>]((?:\w+::)*\w+)\s*\((.*)\)[^)]*$", re.S)
CONSTANT = re.compile(r"^[^=]*?[\s*&>]((?:\w+::)*\w+)\s*(?:\[[^\]]*\]\s*)*(?:=|$)", re.S)


def types_of(parameters):
    """The types of a function's parameters, without their names, defaults and the namespaces that files use."""
    return [re.sub(r"\b(?:mlir|llvm)::", "", re.sub(r"\s*\b\w+\s*(=.*)?$", "", parameter, flags=re.S)).strip() for parameter in parameters.split(",")]


def own_definitions(text):
    """Yields (line, name, parameters) of what `text` defines for itself outside of types and functions; parameters are None but of a function."""
    text = NOISE.sub(lambda match: "\n" * match.group().count("\n") or " ", text)
    scopes, start = [], 0
    for position, character in ((match.start(), match.group()) for match in re.finditer("[{};]", text)):
        head = text[start:position].strip()
        start = position + 1
        if character == "}":
            if scopes:
                scopes.pop()
            continue
        namespace = NAMESPACE.search(head)
        if head and not namespace and None not in scopes and ("" in scopes or OWN.match(head)) and not re.match("using|static_assert", head):
            line, kind, function = text.count("\n", 0, position) + 1, TYPE.match(head), FUNCTION.match(head)
            if kind and character == "{":
                yield line, kind.group(1), None
            elif function and character == "{":
                template = re.match(r"template\s*<.*?>\s*(?=\w)", head, re.S)
                yield line, function.group(1), (template and template.group().strip(), *types_of(function.group(2)))
            elif not kind and not function and (constant := CONSTANT.match(head)):
                yield line, constant.group(1), None
                for name in re.findall(r",\s*(\w+)\s*=", head):
                    yield line, name, None
        if character == "{":
            scopes.append(namespace.group(1) if namespace else None)


DECLARATION = re.compile(r"^(?! )[\w:<>,*& ]*[ *&](\w+)\(([^()]*)\)(?:;| \{)$", re.M)
PUBLIC = re.compile(r'^#include "(tessera/[^"]*)"', re.M)


def own_pairs(library):
    """Prints what two files of the library define alike, or one as a header that the library has or includes declares it; how many."""
    files, pairs = {}, 0
    sources = [path for path in library.rglob("*") if path.suffix in (".h", ".cpp")]
    included = {ROOT / "include" / name for path in sources for name in PUBLIC.findall(path.read_text())}
    for path in sorted({*library.rglob("*.h"), *filter(pathlib.Path.is_file, included)}):
        for name, parameters in DECLARATION.findall(path.read_text()):
            files.setdefault(name, []).append((f"{path.relative_to(ROOT)}:1", (None, *types_of(parameters))))
    for path in sorted(library.rglob("*.cpp")):
        for line, name, parameters in own_definitions(path.read_text()):
            place, known = f"{path.relative_to(ROOT)}:{line}", files.setdefault(name, [])
            for other, others in known:
                if other.split(":")[0] != place.split(":")[0] and "::" not in name and (parameters is None or others is None or parameters == others):
                    pairs += 1
                    print(f"{place}: {name} is another file's, too, which may be compiled together with this one: {other}")
                    break
            known.append((place, parameters))
    return pairs


first, pairs = {}, sum(own_pairs(path.parent) for path in sorted((ROOT / "lib").rglob("CMakeLists.txt"))
                       if re.search(r"^tessera_library\(\w+ UNITY\b", path.read_text(), re.M))
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
