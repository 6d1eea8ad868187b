#!/usr/bin/env python3
"""Does what `tesserac --explain` advises, in the text of the model, and checks that the collectives go.

Usage: follow-remedies.py MODEL.mlir WORK-FOLDER LEAST. For every group of collectives with advice, the annotations that it names are changed in a
copy of the imported model; the group must be gone from the explanation of the copy. LEAST groups must have advice.
"""
import re
import subprocess
import sys

model, folder, least = sys.argv[1], sys.argv[2], int(sys.argv[3])


def run(*arguments):
    return subprocess.run(["tesserac", *arguments], check=True, capture_output=True, text=True).stdout


def groups(path, *options):
    """Per group of the explanation: kind, axes and place; and what is said of it."""
    text = run(path, "--explain", "--compile-to=partition", "-o", f"{folder}/out.mlir", *options)
    found = []
    for part in re.split(r"\n(?=\d+\. )", text)[1:]:
        kind, axes = re.match(r"\d+\. (\w+) over (.*) of tensor", part).groups()
        place = re.search(r"\n   at (\S+)", part)
        found.append(((kind, axes, place and place.group(1)), part))
    return found


def change(text, advice):
    """`text` with the annotations changed as `advice` says; layers are called `*`."""
    match = re.match(r"annotate (argument|result) '(.*)' with (\[.*\])|remove the annotation of (argument|result) '(.*)'", advice)
    if not match:
        return None
    kind, name, sharding = (match.group(1), match.group(2), match.group(3)) if match.group(1) else (match.group(4), match.group(5), None)
    pattern = re.escape(name).replace(r"\*", r"\d+")
    begin = text.index("func.func @main(")
    middle, last = text.index(") -> ", begin), text.index("\n", begin)
    start, end = (begin, middle) if kind == "argument" else (middle, last)
    part = text[start:end]
    part, count = re.subn(r'(tessera\.name = "' + pattern + r'")(, tessera\.sharding = #tessera\.sharding<@mesh, [^>]*>)?',
                          lambda m: m.group(1) + (f", tessera.sharding = #tessera.sharding<@mesh, {sharding}>" if sharding else ""), part)
    assert count, f"{name} is not in the model"
    return text[:start] + part + text[end:]


run(model, "--compile-to=import", "-o", f"{folder}/imported.mlir")
imported = open(f"{folder}/imported.mlir").read()
followed = 0
for key, text in groups(model):
    advice = re.search(r"\n   to remove it, (.*?); the program then sends (.*) instead of", text)
    if not advice:
        continue
    changed = change(imported, advice.group(1))
    if changed is None:
        continue
    open(f"{folder}/changed.mlir", "w").write(changed)
    after = groups(f"{folder}/changed.mlir", "--compile-from=import")
    assert key not in [other for other, _ in after], f"{advice.group(1)} did not remove {key}"
    followed += 1
assert followed >= least, f"expected advice for {least} groups, got it for {followed}"
