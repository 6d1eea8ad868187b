#!/usr/bin/env python3
"""Runs clang-tidy over the sources of `lib`, `runtime` and `tools`, and says what it finds.

Usage: check-tidy.py BUILD [--quick] [--jobs=N] [FILE...]. Of BUILD the compile commands are taken; what TableGen makes must be there. A file that was clean is
not read again until it, a header of ours that it includes, its command or .clang-tidy changes: BUILD/tidy has an empty file for each. With FILEs only
these.

All checks take two seconds of a file without MLIR and six and more of others, for most of them read all of its headers. `--quick`, which `make check` runs,
asks only for the order of iteration (custom-iteration-order), a second each, of files where a container is named that has none.
Exits with 1 if there is a finding.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("lib", "runtime", "tools")
CONFIG = ROOT / ".clang-tidy"
UNORDERED = re.compile(r"\b(Small)?Dense(Map|Set)\b|\bSmallPtrSet\b")
ORDER = "--checks=-*,custom-iteration-order"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+[<"]([^>"]+)[>"]', re.M)


def find_tidy():
    for name in ("clang-tidy-22", "clang-tidy"):
        try:
            version = subprocess.run([name, "--version"], capture_output=True, text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            continue
        if "version 22" in version:
            return name, version
    sys.exit("check-tidy.py: expected clang-tidy 22, got none: scripts/install-dependencies.sh installs it")


class Sources:
    """What files include of ours, each file read once."""

    def __init__(self):
        self.texts, self.included = {}, {}

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = path.read_text(errors="replace")
        return self.texts[path]

    def direct(self, path, folders):
        """The files of ours that `path` names, sought beside it and in `folders`."""
        key = (path, folders)
        if key not in self.included:
            found = (next((c for c in (folder / name for folder in (path.parent, *folders)) if c.is_file()), None)
                     for name in INCLUDE.findall(self.text(path)))
            self.included[key] = [pathlib.Path(os.path.normpath(f)) for f in found if f]
        return self.included[key]

    def closure(self, path, folders):
        """`path` and all files of ours behind it."""
        seen, stack = {path}, [path]
        while stack:
            for file in self.direct(stack.pop(), folders):
                if file not in seen and ROOT in file.parents:
                    seen.add(file)
                    stack.append(file)
        return sorted(seen)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    build = options.build.resolve()
    tidy, version = find_tidy()
    chosen = {file.resolve() for file in options.files}
    sources, tasks, known = Sources(), [], 0
    (build / "tidy").mkdir(exist_ok=True)
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file, command = pathlib.Path(entry["file"]), shlex.split(entry["command"])
        if not any(ROOT / folder in file.parents for folder in FOLDERS) or (chosen and file not in chosen):
            continue
        folders = tuple(pathlib.Path(word[2:]) for word in command if word.startswith("-I"))
        files = sources.closure(file, folders)
        checks = []
        if options.quick:
            if not any(UNORDERED.search(sources.text(f)) for f in files if f.is_relative_to(file.parent)):
                continue
            checks = [ORDER]
        key = hashlib.sha256("\0".join([version, CONFIG.read_text(), *checks, entry["command"]]).encode())
        for f in files:
            key.update(f"\0{f.relative_to(ROOT)}\0{sources.text(f)}".encode())
        stamp = build / "tidy" / key.hexdigest()
        if stamp.exists():
            known += 1
        else:
            tasks.append((file, checks, stamp))

    def run(task):
        file, checks, stamp = task
        done = subprocess.run([tidy, "-p", str(build), "--quiet", "--experimental-custom-checks", "--warnings-as-errors=*", *checks, str(file)],
                              capture_output=True, text=True)
        if done.returncode == 0:
            stamp.touch()
        return file, done

    findings = set()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for file, done in pool.map(run, tasks):
            if done.returncode == 0:
                continue
            # A header's finding comes with every file that includes it.
            for finding in re.split(r"^(?=\S+:\d+:\d+: (?:error|warning):)", done.stdout or done.stderr, flags=re.M):
                finding = re.sub(r"^\S+?(?=:\d)", lambda path: os.path.normpath(path.group()), finding)
                if finding.strip() and finding not in findings:
                    findings.add(finding)
                    print(finding.rstrip(), flush=True)
    print(f"clang-tidy: {len(tasks)} files read, {known} unchanged, {len(findings)} findings")
    sys.exit(bool(findings))


main()
