#!/usr/bin/env python3
"""Checks that every folder says what it is for, and that what is said can be found.

A folder of lib/ or runtime/ with more than two source files opens its CMakeLists.txt with a comment of at least five lines: the question that
the folder answers, the order to read its files in, what must not move. A folder without such a file is described, by name, in that of the
folder above it. Then:

- a file that the comment names by its name alone lies in the same part (`lib/Transforms/Shard` with its public headers, `runtime/gpu`), any
  other is named by its path;
- the comment names each folder in the folder and, of a phase of lib/Transforms, each pass;
- more than 30 sources in one folder need a reason in the comment (`34 sources, because ...`).

`docs/architecture.md` has a row for each folder with such a comment, with the question that its comment begins with; the paths in it and in
docs/rationale/ exist.

Prints every violation as `file:line: ...` and exits with 1 if there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
SOURCES = (".cpp", ".c")
LEAST_SOURCES, LEAST_LINES, MOST_SOURCES = 3, 5, 30
# A file in a comment, maybe behind a path.
FILE = re.compile(r"(?<![\w/.*-])((?:[\w.-]+/)*[\w-]+\.(?:h|cpp|td|py|md|json))\b")
CODE_PATH = re.compile(r"`((?:lib/[A-Z]|(?:runtime|include|tools|test|scripts|examples|benchmarks)/)[^`\s]*)`")
violations = 0


def report(path, line, text):
    global violations
    violations += 1
    print(f"{path.relative_to(ROOT)}:{line}: {text}")


def header(path):
    """The lines of the comment that `path` opens with."""
    lines = []
    for line in path.read_text().splitlines():
        if not line.startswith("#"):
            break
        lines.append(line[1:].strip())
    return lines


def part_of(folder):
    """The folders whose files a comment in `folder` may name by name alone: its library and the public headers of that."""
    parts = folder.relative_to(ROOT).parts
    length = 3 if parts[:2] in (("lib", "Transforms"), ("lib", "Codegen")) else 2
    part = ROOT.joinpath(*parts[:length])
    if parts[0] == "lib":
        return [part, ROOT.joinpath("include", "tessera", *parts[1:length])]
    return [part]


def sources_in(folder):
    return [path for path in folder.iterdir() if path.suffix in SOURCES]


def folders_in(folder):
    return sorted(path for path in folder.iterdir() if path.is_dir() and (sources_in(path) or any(path.rglob("CMakeLists.txt"))))


def check_names(path, lines):
    known = {file.name for part in part_of(path.parent) for file in part.rglob("*")}
    for number, line in enumerate(lines, 1):
        for name in FILE.findall(line):
            if "/" not in name and name not in known:
                report(path, number, f"names {name}, which is not in this part: name it by its path")
            elif "/" in name and not any((base / name).exists() for base in (ROOT, path.parent)):
                report(path, number, f"names {name}, which does not exist")


def check_folder(folder):
    path = folder / "CMakeLists.txt"
    sources = len(sources_in(folder))
    if not path.exists():
        above = folder.parent / "CMakeLists.txt"
        if sources >= LEAST_SOURCES and not (above.exists() and re.search(rf"\b{folder.name}\b", "\n".join(header(above)))):
            report(above, 1, f"does not say what the folder {folder.name} is for")
        return
    lines = header(path)
    text = "\n".join(lines)
    if sources >= LEAST_SOURCES and len(lines) < LEAST_LINES:
        report(path, 1, f"expected a comment of {LEAST_LINES} lines or more on what the folder is for, got {len(lines)}")
    if sources > MOST_SOURCES and not re.search(rf"\b{sources} sources, because ", " ".join(lines)):
        report(path, 1, f"{sources} sources in one folder: expected at most {MOST_SOURCES}, or '{sources} sources, because ...'")
    check_names(path, lines)
    if lines:
        for inner in folders_in(folder):
            if inner.name != "include" and not re.search(rf"\b{inner.name}\b", text):
                report(path, 1, f"does not name the folder {inner.name}")
        passes = (folder / "Phase.cpp").read_text() if folder.parent.name == "Transforms" else ""
        for name in re.findall(r"\bcreate(\w+?)(?:Pass)?\(", passes):
            if not re.search(rf"\b{name}\b", text):
                report(path, 1, f"does not name the pass {name}")


def question_of(folder):
    """The first paragraph of its comment."""
    lines = header(folder / "CMakeLists.txt") + [""]
    return " ".join(lines[: lines.index("")])


def check_pages(folders):
    page = ROOT / "docs" / "architecture.md"
    rows = page.read_text().splitlines()
    for folder in folders:
        row = f"| `{folder.relative_to(ROOT)}` | {question_of(folder)} |"
        if row not in rows:
            report(page, 1, f"has no row '{row}'")
    for path in [page] + sorted((ROOT / "docs" / "rationale").glob("*.md")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for name in CODE_PATH.findall(line):
                # Maybe several files, or a class without the suffix of its file.
                if not any(ROOT.glob(name)) and not any(ROOT.glob(name + ".*")):
                    report(path, number, f"names {name}, which does not exist")


described = []
for base in (ROOT / "lib", ROOT / "runtime"):
    for folder in [base] + sorted(path for path in base.rglob("*") if path.is_dir()):
        check_folder(folder)
        if (folder / "CMakeLists.txt").exists() and len(header(folder / "CMakeLists.txt")) >= LEAST_LINES:
            described.append(folder)
for folder in sorted((ROOT / "tools").rglob("*")):
    if (folder / "CMakeLists.txt").exists():
        check_names(folder / "CMakeLists.txt", header(folder / "CMakeLists.txt"))
check_pages(described)
sys.exit(violations > 0)
