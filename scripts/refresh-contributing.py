#!/usr/bin/env python3
"""Writes what the sources say today into the diffs of docs/contributing.md.

Usage: refresh-contributing.py [OUTPUT]. A diff is a line `<!-- diff: PATH -->`, or `<!-- diff: PATH at TEXT -->` once for each place, and the fenced code behind it,
which shows the first lines of the file, or what begins at the first line with TEXT, as added: a comment with what follows it, a definition, an entry of a list. A file
or a text that is not there any more is an error.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
page = root / "docs" / "contributing.md"
output = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else page
DIFF = re.compile(r"((?:<!-- diff: .*? -->\n)+)```diff\n.*?^```$", re.S | re.M)
LONGEST = 14  # lines of one place; `...` for more


def is_comment(line):
    return re.match(r"\s*(//|#[^i]|/\*\*)", line)


def indent(line):
    return len(line) - len(line.lstrip())


def place(path, text):
    """The lines of `path` that `text` begins."""
    lines = (root / path).read_text().splitlines() + [""]
    if text is None:
        last = next(i for i, line in enumerate(lines) if not is_comment(line))
        return [line for line in lines[:last] if not re.match(r"//=*===//$", line)]
    first = last = next((i for i, line in enumerate(lines) if text in line), None)
    if first is None:
        sys.exit(f"docs/contributing.md: {path} does not say '{text}'")
    while is_comment(lines[last]):
        last += 1
    start = indent(lines[last])
    while last + 2 < len(lines) and (not lines[last + 1] or indent(lines[last + 1]) > start):
        last += 1
    last += bool(re.match(r"\s*[})]", lines[last + 1]))
    while not lines[last]:
        last -= 1
    found = lines[first:last + 1]
    return found if len(found) <= LONGEST else found[:LONGEST - 2] + ["..."] + found[-1:]


def block(match):
    lines, before = [], None
    for path, text in re.findall(r"<!-- diff: (\S+?)(?: at (.+?))? -->", match[1]):
        lines += [f"+++ {path}"] if path != before else ["..."]
        lines += [f"+{line}" if line != "..." else line for line in place(path, text or None)]
        before = path
    return match[1] + "```diff\n" + "\n".join(lines) + "\n```"


text = DIFF.sub(block, page.read_text())
# Whatever else the page names in code with a folder in it must be there.
for name in re.findall(r"`((?:lib|include|test|runtime|tools|scripts|docs|examples|python)/[\w./-]+)`", text):
    if not (root / name).exists():
        sys.exit(f"docs/contributing.md: there is no {name}")
output.parent.mkdir(parents=True, exist_ok=True)
output.write_text(text)
