#!/usr/bin/env python3
"""Checks that only lib/Support/OutputFile.cpp opens files for writing, and checkpoints.

Prints every other place as `file:line: ...` and exits with 1 if there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
HOMES = [ROOT / "lib" / "Support" / "OutputFile.cpp",
         # What must have reached the disk before an index names it, and folders that take their names as a whole.
         ROOT / "runtime" / "checkpoint" / "PieceFile.cpp", ROOT / "runtime" / "checkpoint" / "Store.cpp"]
# What opens, makes or replaces files in the libraries that we use.
WRITES = re.compile(r'\b(std::ofstream|std::fstream|std::filebuf|raw_fd_ostream|raw_fd_stream|ToolOutputFile|openOutputFile|FileOutputBuffer|openFileForWrite'
                    r'|openFileForReadWrite|writeToOutput|O_WRONLY|O_RDWR|O_CREAT|creat|mkstemp|mkostemp|rename|renameat2?|copy_file|freopen)\b'
                    r'|\bfs::TempFile\b|\bfopen\([^;]*"[^"]*[wa+]')
# Memory that has the interface of files.
MEMORY = re.compile(r"memfd_create|shm_open|/dev/shm|/dev/nvidia")
found = 0
for folder in ("lib", "tools", "runtime", "include"):
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix not in (".h", ".cpp", ".c") or path in HOMES:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            code = line.split("//")[0]
            if WRITES.search(code) and not MEMORY.search(code):
                found += 1
                print(f"{path.relative_to(ROOT)}:{number}: write files with tessera/Support/File.h: {line.strip()}")
sys.exit(found > 0)
