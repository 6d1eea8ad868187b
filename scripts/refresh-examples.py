#!/usr/bin/env python3
"""Writes the examples of all passes into the descriptions in their Passes.td: what a pass takes is cut from its test, what it makes is what it prints.

Usage: refresh-examples.py BUILD [--check]. With --check nothing is written, and what would be is an error. An example is a line

    <!-- example: TEST.mlir @FUNCTION -> @SYMBOL run FLAGS lines REGEX -->

in a description, and the fenced code behind it. TEST.mlir lies in the folder of test/ that mirrors that of Passes.td. If a line `becomes …` and a second block
follow, the latter shows what SYMBOL is afterwards: FUNCTION, if it is left out. FLAGS, with paths from the root, if it is not the pass alone that is run, and REGEX, if only those lines of
a body are shown that match, may be left out too. Of a case that is refused (`expected-error`) the diagnostic is a part.
"""
import pathlib
import re
import shlex
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
PASS = re.compile(r'def \w+\s*:\s*Pass<\s*"([^"]+)".*?^}', re.S | re.M)
EXAMPLE = re.compile(r"( *<!-- example: (\S+) (@\w+)(?: -> (@\w+))?(?: run (.+?))?(?: lines (.+?))? -->\n) *```mlir\n.*? ```\n(?:( *becomes.*\n) *```mlir\n.*? ```\n)?", re.S)
# A function or the like, and what is expected of it.
DEFINITION = r"(^ *// expected-.*\n)*^ *[\w.]+ (private |public )?%s\b"


def nesting(line):
    return sum((character in "({") - (character in ")}") for character in re.sub(r'"[^"]*"|//.*', "", line))


def cut(text, symbol):
    """The lines that define `symbol`, without comments but those about errors."""
    lines = text[re.search(DEFINITION % symbol, text, re.M).start():].splitlines() + [""]
    indent = re.match(" *", lines[0])[0]
    last = next(i for i, line in enumerate(lines) if "expected-" not in line)
    depth = nesting(lines[last])
    while depth > 0 or re.match(rf"{indent}\s+(->|attributes)", lines[last + 1]):
        last += 1
        depth += nesting(lines[last])
    return [line.removeprefix(indent) for line in lines[:last + 1] if "expected-" in line or not re.match(r"\s*(//|$)", line)]


def fold(lines, shown):
    """Only those lines of a body that match the regular expression `shown`, if there is one; `...` for the others."""
    if not shown:
        return lines
    body = next(i for i, line in enumerate(lines) if line.endswith("{"))
    result = lines[:body + 1]
    for line in lines[body + 1:-1]:
        if re.search(shown, line):
            result.append(line)
        elif not result[-1].endswith(" ..."):
            result.append(re.match(r"\s*", line)[0] + "...")
    return result + lines[-1:]


def fence(lines):
    """As a block of a description, which `}]` would end."""
    return "".join(f"    {line}\n".replace("}]", "} ]") for line in ["```mlir", *lines, "```"])


def fill(build, table, flag, example):
    marker, name, symbol, made, run, shown, becomes = example.groups()
    test = root / "test" / table.parent.relative_to(root / "include" / "tessera") / name
    cases = re.split(r"^// -----.*\n", test.read_text(), flags=re.M)
    case = next(case for case in cases if re.search(DEFINITION % symbol, case, re.M))
    text = marker + fence(fold(cut(case, symbol), shown))
    if becomes:
        command = [build / "bin/tessera-opt", *shlex.split(run or f"--{flag}")]
        printed = subprocess.run(command, check=True, capture_output=True, text=True, input=case, cwd=root).stdout
        text += becomes + fence(fold(cut(printed, made or symbol), shown))
    return text


if __name__ == "__main__":
    build = pathlib.Path(sys.argv[1]).resolve()
    rotten = []
    for table in sorted((root / "include" / "tessera").rglob("Passes.td")):
        old = table.read_text()
        new = PASS.sub(lambda match: EXAMPLE.sub(lambda example: fill(build, table, match[1], example), match[0]), old)
        if new != old:
            rotten.append(table)
            if "--check" not in sys.argv:
                table.write_text(new)
    if "--check" in sys.argv and rotten:
        sys.exit("\n".join(f"{table.relative_to(root)}: examples are not what tests and passes give, run scripts/refresh-examples.py BUILD" for table in rotten))
