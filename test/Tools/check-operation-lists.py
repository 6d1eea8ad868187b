#!/usr/bin/env python3
"""Counts the lists of four or more operations (or types) in one `isa<>`, and the type switches, in lib/, and compares them with operation-lists.txt, which
says of each why no interface says what it asks: an operation is added by its definition and its interfaces, not by looking for lists.

Prints every list without a reason as `file:line: ...`, and every reason without its list, and exits with 1 if there is one.
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
REASONS = ROOT / "test" / "Tools" / "operation-lists.txt"
LIST = re.compile(r"\bisa(?:_and_nonnull|_and_present)?<((?:[^<>()]|<[^<>]*>)*)>\s*\(|\bTypeSwitch<|//[^\n]*")

reasons = collections.Counter()
for number, line in enumerate(REASONS.read_text().splitlines(), 1):
    if not line or line.startswith("#"):
        continue
    entry = re.fullmatch(r"(\w+\.(?:cpp|h): (?:isa of \d+|type switch)): \S.*", line)
    if not entry:
        sys.exit(f"{REASONS.name}:{number}: expected `FILE: isa of N: WHY` or `FILE: type switch: WHY`, got `{line}`")
    reasons[entry.group(1)] += 1

missing = 0
for path in sorted(path for folder in ("include", "lib") for path in (ROOT / folder).rglob("*") if path.suffix in (".h", ".cpp")):
    text = path.read_text()
    for match in LIST.finditer(text):
        if match.group().startswith("//"):
            continue
        size = match.group(1).count(",") + 1 if match.group(1) else 0
        if 0 < size < 4:
            continue
        key = f"{path.name}: " + (f"isa of {size}" if size else "type switch")
        if reasons[key] > 0:
            reasons[key] -= 1
            continue
        missing += 1
        line = text.count("\n", 0, match.start()) + 1
        print(f"{path.relative_to(ROOT)}:{line}: ask an interface, or add to test/Tools/{REASONS.name}: `{key}: WHY`")
stale = [key for key, count in reasons.items() if count > 0]
for key in stale:
    print(f"test/Tools/{REASONS.name}: `{key}` is no longer there: remove its line")
sys.exit(missing + len(stale) > 0)
