#!/usr/bin/env python3
"""Checks what includes what, from the layers (docs/architecture.md) down to single files:

- Includes point down the list of layers, of the compiler and of the runtime. A phase knows of another at most the passes of an earlier one (whose
  verifier states what it may rely on); a tool knows of the runtime its C ABI and the files of checkpoints, and of other tools nothing.
- Inside a folder no circle goes through a sub-folder: all of that is one, and a header with the source of its name.
- What stands under include/ is used outside its library, or by such a header; nothing else of a library is included from outside, but by its tests.
- The include guard of a header is its path.

Prints every violation as `file:line: ...` and exits with 1 if there is one.
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1]).resolve()
# From the bottom up; folders of one entry may include one another.
COMPILER = [["Support"], ["Sharding"], ["Stages", "Cluster"], ["Interfaces", "Dialect"], ["Interpreter"], ["Transforms"], ["Codegen"],
            ["Package", "Simulator"], ["Driver"]]
RUNTIME = [["Support"], ["runtime/include"], ["runtime/checkpoint"], ["runtime/core"], ["runtime/routines"], ["runtime/pjrt"], ["runtime/local"], ["runtime/processes"], ["runtime/gpu"], ["runtime/emulated"],
           ["runtime/cuda"], ["runtime/sockets"]]
PHASES = ["Import", "Shard", "Stage", "Partition", "Communicate", "Fuse", "Schedule"]
INCLUDE = re.compile(r'#include "([^"]+)"')
SOURCES = (".h", ".cpp", ".c", ".td")
violations = 0


def report(path, number, text):
    global violations
    violations += 1
    print(f"{path}:{number}: {text}")


def files_under(*folders):
    """Of the sources in some folders their paths from the root, sorted."""
    return sorted(path.relative_to(ROOT) for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in SOURCES)


def place_of(path):
    """Where a file is seen from a distance: without `lib` or `include/tessera`, which hold one tree."""
    parts = path.parts
    return pathlib.Path(*parts[2:] if parts[:2] == ("include", "tessera") else parts[1:] if parts[0] == "lib" else parts)


def layer_of(path):
    """The folder that stands in the lists of layers: `Sharding`, `runtime/core`, `tools/tesserac`."""
    place = place_of(path)
    return "/".join(place.parts[:2] if place.parts[0] in ("runtime", "tools", "test", "benchmarks") else place.parts[:1])


def library_of(path):
    """The folder, as of place_of, whose CMake list declares the library or tool that a file belongs to."""
    folder = place_of(path).parent
    while len(folder.parts) > 1 and folder not in LIBRARIES:
        folder = folder.parent
    return folder


def resolve(path, name):
    """The file that `path` includes as `name`, or None for one of another project or one that the build makes."""
    for root in [pathlib.Path("include"), pathlib.Path("runtime/include"), *list(path.parents)[:-1]]:
        target = pathlib.Path(*(ROOT / root / name).resolve().parts[len(ROOT.parts):])
        if target in FILES:
            return target
    # By the include folders of a library that it links.
    found = [other for other in BY_NAME[pathlib.Path(name).name] if other.parts[-len(pathlib.Path(name).parts):] == pathlib.Path(name).parts]
    return found[0] if len(found) == 1 else None


def check_layers(path, number, target):
    here, there = layer_of(path), layer_of(target)
    if here == there:
        phase, other = place_of(path).parts[1], place_of(target).parts[1]
        if here == "Transforms" and phase != other and not (PHASES.index(other) < PHASES.index(phase) and target.name.startswith("Passes.h")):
            report(path, number, f"phase {phase} must not include {target.name} of phase {other}")
    elif here.startswith("tools/"):
        if there.startswith("tools/") or there.startswith("runtime/") and there not in ("runtime/include", "runtime/checkpoint"):
            report(path, number, f"{here} must not include {target} of {there}")
    else:
        chain = next(chain for chain in (COMPILER, RUNTIME) if [here] in chain or any(here in names for names in chain))
        rank = {name: height for height, names in enumerate(chain) for name in names}
        if there not in rank:
            report(path, number, f"{here} must not include {target}, which it does not stand on")
        elif rank[there] > rank[here]:
            report(path, number, f"{here} must not include {there}, which stands above it")
    if here != there and target.parts[0] != "include" and not there.startswith("runtime/"):
        report(path, number, f"{target} is a private header of another library")


def find_circle(edges, start):
    """The shortest list of nodes that begins and ends with `start` in which each leads to the next, or None."""
    paths, reached = collections.deque([[start]]), set()
    while paths:
        path = paths.popleft()
        for node in sorted(edges.get(path[-1], ())):
            if node == start:
                return path + [start]
            if node not in reached:
                reached.add(node)
                paths.append(path + [node])
    return None


def check_circles(includes):
    """Reports in each folder circles through its sub-folders. The layers are checked elsewhere, and a class in several files is no circle."""
    edges = collections.defaultdict(lambda: collections.defaultdict(dict))
    for path, number, target in includes:
        here, there = place_of(path).with_suffix("").parts, place_of(target).with_suffix("").parts
        depth = next((depth for depth, (a, b) in enumerate(zip(here, there)) if a != b), None)
        if depth:
            edges["/".join(here[:depth])][here[depth]].setdefault(there[depth], f"{path}:{number}")
    for folder, graph in sorted(edges.items()):
        reported = set()
        for room in sorted(graph):
            circle = room not in reported and f"{folder}/{room}" in FOLDERS and find_circle(graph, room)
            if circle:
                reported.update(circle)
                steps = [f"{a} includes {b} in {graph[a][b]}" for a, b in zip(circle, circle[1:])]
                report(folder, 1, f"includes of {room} go in a circle: " + "; ".join(steps))


def check_public(includes):
    """Reports every header of include/ that only its own library uses."""
    public, stack = set(), [target for path, _, target in includes if library_of(path) != library_of(target)]
    includes_of = collections.defaultdict(list)
    for path, _, target in includes:
        includes_of[path].append(target)
    while stack:
        header = stack.pop()
        if header not in public and header.parts[0] == "include":
            public.add(header)
            stack += includes_of[header]
    for path in FILES:
        if path.parts[0] == "include" and path.suffix == ".h" and path not in public:
            report(path, 1, f"no other library uses this header: it belongs into lib/{library_of(path)}")


def check_guard(path):
    name = re.sub("^(runtime/)?include/tessera/|^lib/", "", str(path))
    guard = "TESSERA_" + re.sub("[^A-Z0-9]+", "_", name.upper())
    text = (ROOT / path).read_text()
    match = re.search(r"^#ifndef (\w+)\n#define (\w+)$", text, re.M)
    if not match or match.groups() != (guard, guard) or not text.rstrip().endswith((f"#endif // {guard}", f"#endif /* {guard} */")):
        report(path, 1, f"expected the include guard {guard}")


for chain in (COMPILER, RUNTIME):
    for name in [name for names in chain for name in names]:
        if not (ROOT / "lib" / name).is_dir() and not (ROOT / name).is_dir():
            report("test/Tools/check-layers.py", 1, f"there is no folder {name}")
for name in sorted(set(PHASES) ^ {folder.name for folder in (ROOT / "lib" / "Transforms").iterdir() if folder.is_dir()}):
    report("test/Tools/check-layers.py", 1, f"phase {name} is not both in the list and a folder of lib/Transforms")
KNOWN = {name for chain in (COMPILER, RUNTIME) for names in chain for name in names}
FILES = files_under("include", "lib", "runtime", "tools", "test", "benchmarks")
LIBRARIES = {place_of(path.relative_to(ROOT)).parent for folder in ("lib", "runtime", "tools") for path in (ROOT / folder).rglob("CMakeLists.txt")
             if re.search(r"^(tessera|add)_(library|tool|backend|mlir\w*)\(", path.read_text(), re.M)}
BY_NAME = collections.defaultdict(list)
for file in FILES:
    BY_NAME[file.name].append(file)
FOLDERS = {"/".join(place_of(file).parts[:depth]) for file in FILES for depth in range(1, len(place_of(file).parts))}
FILES = dict.fromkeys(FILES)
edges = []
for file in FILES:
    if file.parts[0] in ("include", "lib", "runtime", "tools") and layer_of(file) not in KNOWN and file.parts[0] != "tools":
        report(file, 1, f"folder {layer_of(file)} stands in no layer: add it to test/Tools/check-layers.py")
        continue
    for line, text in enumerate((ROOT / file).read_text().splitlines(), 1):
        name = INCLUDE.match(text)
        included = name and resolve(file, name.group(1))
        if name and not included and name.group(1).startswith("tessera/") and name.group(1).endswith(".h"):
            report(file, line, f"includes {name.group(1)}, which is nowhere")
        if included:
            edges.append((file, line, included))
            if file.parts[0] not in ("test", "benchmarks"):
                check_layers(file, line, included)
    if file.suffix == ".h":
        check_guard(file)
check_circles(edges)
check_public(edges)
print(f"{len(FILES)} files, {len(edges)} includes, {len(LIBRARIES)} libraries, {violations} violations")
sys.exit(violations > 0)
