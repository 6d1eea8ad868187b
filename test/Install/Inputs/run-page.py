"""Does what a page says, in a fresh root, and compares what it prints.

Usage: run-page.py PAGE ROOT --build=BUILD [--python=PYTHON] [--with=NEED...]

ROOT/home becomes the home and ROOT/source, with the build tree as `build`, the first folder. In a ```console block, lines after `$ ` are
commands of one shell, and what stands below each must be what it prints: `…` stands for any lines, within a line for any text; times may be any,
numbers with a fraction differ in the fourth digit, those below 1e-5 at will. Any other block behind `<!-- file: NAME -->` is written to that file, a block
behind `<!-- needs: NEED -->` left out unless --with names it. A command must end with status 0 unless `echo $?` follows.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"((?:^<!-- \w+: [^\n]* -->\n)*)^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TIME = re.compile(r"\d[\d.]*(?= (?:ns|us|ms|s)\b)")
NUMBER = re.compile(r"[-+]?\d+\.\d+(?:e[-+]?\d+)?")


class Shell:
    """One bash, with its folder and variables, from command to command."""

    def __init__(self, folder, environment):
        self.process = subprocess.Popen(["bash", "--norc"], cwd=folder, env=environment, text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, command):
        """What `command` prints and its status, which `echo $?` of the next one sees."""
        self.process.stdin.write(f"{command}\n__status=$?; echo; echo '--done--' $__status; (exit $__status)\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if line.startswith("--done-- "):
                while lines and not lines[-1]:
                    lines.pop()
                return lines, int(line.split()[1])
            lines.append(line.rstrip("\n"))
        sys.exit(f"error: the shell ended in: {command}")


def is_close(expected, actual):
    if expected == actual:
        return True
    a, b = float(expected), float(actual)
    return abs(a - b) <= 1e-3 * abs(a) or (abs(a) < 1e-5 and abs(b) < 1e-5)


def agrees(expected, actual):
    """Whether one line of a page is what was printed."""
    expected, actual = TIME.sub("0", expected), TIME.sub("0", actual)
    parts = [re.escape(part) for part in re.split(r"…|[-+]?\d+\.\d+(?:e[-+]?\d+)?(?!\d*…)", expected)]
    holes = re.findall(r"…|[-+]?\d+\.\d+(?:e[-+]?\d+)?(?!\d*…)", expected)
    pattern = parts[0] + "".join((".*" if hole == "…" else f"({NUMBER.pattern})") + part for hole, part in zip(holes, parts[1:]))
    match = re.fullmatch(pattern.rstrip(), actual.rstrip())
    numbers = [hole for hole in holes if hole != "…"]
    return bool(match) and all(map(is_close, numbers, match.groups()))


def find_difference(expected, actual):
    """The first expected line that `actual` does not have in its place; none if all agree."""
    position, skipping = 0, False
    for line in expected:
        if line.strip() == "…":
            skipping = True
            continue
        while position < len(actual) and skipping and not agrees(line, actual[position]):
            position += 1
        if position == len(actual) or not agrees(line, actual[position]):
            return line
        position, skipping = position + 1, False
    return None if skipping or position == len(actual) else "(nothing more)"


def commands_of(text):
    """The commands of a console block, each with the lines below it."""
    commands = []
    for line in text.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif commands:
            commands[-1][1].append(line)
    return commands


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--python", help="what `python3` is on the page")
    parser.add_argument("--with", dest="given", action="append", default=[])
    options = parser.parse_args()
    home, source = options.root / "home", options.root / "source"
    for folder in (home / "bin", source):
        folder.mkdir(parents=True)
    (source / "build").symlink_to(options.build.resolve())
    if options.python:
        (home / "bin" / "python3").write_text(f'#!/bin/sh\nexec "{options.python}" "$@"\n')
        (home / "bin" / "python3").chmod(0o755)
    shell = Shell(source, {"HOME": str(home), "PATH": f"{home}/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"})
    done = skipped = failures = 0
    for remarks, language, text in BLOCK.findall(options.page.read_text(encoding="utf-8")):
        remarks = dict(re.findall(r"<!-- (\w+): (.*) -->", remarks))
        if remarks.get("needs", "") not in ["", *options.given]:
            skipped += 1
            continue
        if "file" in remarks:
            (pathlib.Path(shell.run("pwd")[0][0]) / remarks["file"]).write_text(text, encoding="utf-8")
        if language != "console":
            continue
        commands = commands_of(text)
        for (command, expected), (following, _) in zip(commands, [*commands[1:], ("", [])]):
            actual, status = shell.run(command)
            difference = find_difference(expected, actual)
            done += 1
            if difference is not None or (status and following != "echo $?"):
                failures += 1
                print(f"{options.page}: {command}\n  expected: {difference or 'status 0'}\n  got (status {status}):")
                print("\n".join(f"    {line}" for line in actual[-60:]), flush=True)
    print(f"{done} commands, {failures} differ, {skipped} blocks skipped")
    sys.exit(failures > 0 or not done)


if __name__ == "__main__":
    main()
