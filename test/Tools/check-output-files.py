#!/usr/bin/env python3
"""Checks what every tool does with every file that it can be told to write: devices, pipes and symbolic links are written through, a regular file is
replaced whole and keeps its permissions or stays as it was, and whatever cannot be written is one line with the file's name and exit status 1, or 4
behind a run.

Usage: check-output-files.py SOURCE FOLDER
"""
import os
import pathlib
import re
import resource
import stat
import subprocess
import sys
import threading

SOURCE, FOLDER = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
MODEL = str(SOURCE / "examples" / "mlp" / "mlp.mlir")
PROGRAM = str(FOLDER / "mlp.tsx")
SCHEDULE = ["tessera-sim", "--schedule=1f1b", "--stages=2", "--microbatches=4"]
# Of each tool: commands, the flag before the file's name, and how the name must end.
OUTPUTS = [
    (["tesserac", MODEL], "-o", ".tsx"),
    (["tesserac", MODEL, "--compile-to=partition"], "-o", ".mlir"),
    (["tesserac", MODEL, "-o", str(FOLDER / "other.tsx")], "--report=", ".json"),
    (["tesserac", MODEL, "-o", str(FOLDER / "other.tsx")], "--report=", ".html"),
    (["tesserac", MODEL, "-o", str(FOLDER / "other.tsx")], "--timing=", ".json"),
    (["tessera-opt", MODEL, "--canonicalize"], "-o", ".mlir"),
    (["tessera-interpret", MODEL, "--random"], "--outputs=", ".safetensors"),
    (["tessera-run", PROGRAM, "--random"], "--outputs=", ".safetensors"),
    (["tessera-run", PROGRAM, "--random"], "--trace=", ".json"),
    (["tessera-run", PROGRAM, "--random"], "--profile=", ".json"),
    (SCHEDULE, "--svg=", ".svg"),
    (SCHEDULE, "--html=", ".html"),
    (SCHEDULE, "--trace=", ".json"),
    (SCHEDULE, "--csv=", ".csv"),
]
# What takes files to read, folders, or no file at all.
INPUTS = {"tesserac": {"schedule", "cluster", "plan", "tuning", "dump-phases"}, "tessera-interpret": {"inputs", "batches", "expect"},
          "tessera-run": {"inputs", "batches", "expect", "init", "links", "virtual-kernels", "checkpoint"}, "tessera-sim": {"schedule", "cluster", "times"}}
STANDARD = [["tesserac", MODEL, "--compile-to=import", "-o", "-"], ["tesserac", MODEL, "-o", "-"], ["tesserac", "--inspect", PROGRAM],
            ["tesserac", MODEL, "--explain", "-o", str(FOLDER / "other.tsx")], ["tesserac", "--print-cluster"], ["tessera-opt", MODEL],
            ["tessera-interpret", MODEL, "--random"], ["tessera-run", PROGRAM, "--random"], SCHEDULE, SCHEDULE + ["--json"],
            SCHEDULE + ["--csv=-"], ["tessera-sim", "--list"]]
STANDARD += [[tool, flag] for tool in ("tesserac", "tessera-opt", "tessera-interpret", "tessera-run", "tessera-sim", "tessera-fuzz")
             for flag in ("--help", "--version")]
problems = []


def run(command, stdout=subprocess.PIPE, before=None, environment=None):
    done = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, preexec_fn=before, timeout=120, env={**os.environ, **(environment or {})})
    return done.returncode, done.stderr.decode(errors="replace")


def complain(command, what, error=""):
    problems.append(f"{' '.join(map(str, command))}\n  {what}\n  {error.strip()}")


def expect_refusal(command, outcome, name, statuses):
    """Whether it ended with one of the statuses and one line that has `name`."""
    status, error = outcome
    lines = [line for line in error.splitlines() if not line.startswith("check-phases")]
    if status not in statuses:
        complain(command, f"exit status {status}, expected {statuses}", error)
    elif len(lines) != 1 or "error: " not in lines[0] or str(name) not in lines[0] or "LLVM ERROR" in error:
        complain(command, f"expected one line with {name}", error)


def with_output(command, flag, path):
    return command + ([flag + str(path)] if flag.endswith("=") else [flag, str(path)])


def expect_success(command, outcome):
    if outcome[0] != 0:
        complain(command, f"exit status {outcome[0]}, expected 0", outcome[1])
    return outcome[0] == 0


def check_regular(base, flag, ending, folder):
    """New files obey the umask, old ones keep what they are; nothing else is left in the folder."""
    path = folder / ("new" + ending)
    command = with_output(base, flag, path)
    if not expect_success(command, run(command, before=lambda: os.umask(0o027))):
        return
    if path.stat().st_mode & 0o777 != 0o640:
        complain(command, f"mode {path.stat().st_mode:o}, expected that of the umask")
    size = path.stat().st_size
    path.write_bytes(b"old")
    path.chmod(0o604)
    if expect_success(command, run(command)) and (path.stat().st_mode & 0o777 != 0o604 or path.stat().st_size < size // 2):
        complain(command, f"mode {path.stat().st_mode:o} and {path.stat().st_size} bytes of the replaced file")
    if len(list(folder.iterdir())) != 1:
        complain(command, f"left in the folder: {list(folder.iterdir())}")
    path.unlink()


def check_links(base, flag, ending, folder):
    """A link stays one; what it leads to is written, also if it does not exist yet."""
    inner = folder / "inner"
    inner.mkdir()
    link = folder / ("link" + ending)
    link.symlink_to(f"inner/target{ending}")
    command = with_output(base, flag, link)
    for _ in range(2):
        if expect_success(command, run(command)) and not (link.is_symlink() and (inner / ("target" + ending)).stat().st_size):
            complain(command, "the link was replaced")
    link.unlink()
    link.symlink_to("/dev/null")
    expect_success(command, run(command))
    if not link.is_symlink() or not stat.S_ISCHR(os.stat("/dev/null").st_mode):
        complain(command, "the link to /dev/null was replaced")
    link.unlink()
    link.symlink_to(link.name)
    expect_refusal(command, run(command), link, {1})
    link.unlink()


def check_pipe(base, flag, ending, folder):
    """A pipe stays one, and its reader gets everything."""
    pipe = folder / ("pipe" + ending)
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    command = with_output(base, flag, pipe)
    if expect_success(command, run(command)):
        reader.join(timeout=60)
        if not read or not read[0] or not stat.S_ISFIFO(pipe.lstat().st_mode):
            complain(command, "the pipe was replaced")
    pipe.unlink()


def check_failures(base, flag, ending, folder):
    """What cannot be written is told in one line and leaves what was there."""
    late = {4} if base[0] == "tessera-run" else {1}
    full = folder / ("full" + ending)
    full.symlink_to("/dev/full")
    command = with_output(base, flag, full)
    expect_refusal(command, run(command), full, late)
    full.unlink()
    missing = folder / "missing" / ("file" + ending)
    command = with_output(base, flag, missing)
    expect_refusal(command, run(command), missing, {1})
    # The superuser may write everywhere but here.
    locked = pathlib.Path("/sys/kernel" if os.geteuid() == 0 else "/etc") / ("file" + ending)
    command = with_output(base, flag, locked)
    expect_refusal(command, run(command), locked, {1})
    directory = folder / ("directory" + ending)
    directory.mkdir()
    if flag != "--outputs=":
        command = with_output(base, flag, directory)
        expect_refusal(command, run(command), directory, {1})
    # A file must not be larger than this: so ends a disk.
    path = folder / ("limited" + ending)
    path.write_bytes(b"old")
    command = with_output(base, flag, path)
    outcome = run(command, before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16)))
    if base[0] == "tesserac" and ending == ".tsx":
        expect_refusal(command, outcome, "error: cannot", {1})
    elif base[0] == "tesserac" and flag != "-o":
        expect_refusal(command, outcome, "", {1})  # The program is larger, too.
    else:
        expect_refusal(command, outcome, path, late)
    if path.read_bytes() != b"old":
        complain(command, "the old file is not what it was")
    left = sorted(entry.name for entry in folder.iterdir())
    if left != sorted([directory.name, "inner", path.name]):
        complain(command, f"left in the folder: {left}")


def check_table():
    """Every flag whose value is a file stands in one of the tables."""
    for tool in ("tesserac", "tessera-interpret", "tessera-run", "tessera-sim"):
        text = subprocess.run([tool, "--help"], capture_output=True, text=True).stdout
        known = {flag.strip("-=") for base, flag, _ in OUTPUTS if base[0] == tool} | INPUTS[tool]
        for name, value in re.findall(r"^ +--?([a-z0-9-]+)\[?=<?([^ >\]]*)", text, re.M):
            if re.search(r"(?i)file|dir\b", value) and name not in known:
                complain([tool, "--" + name], "takes a file: add it to test/Tools/check-output-files.py")


def check_full_disk():
    """A disk that is full while the program is linked."""
    script = 'mkdir -p "$0" && mount -t tmpfs -o size=24k none "$0" && TMPDIR="$0" exec "$@"'
    probe = ["unshare", "-m", "sh", "-c", script, str(FOLDER / "disk")]
    if subprocess.run(probe + ["true"], capture_output=True).returncode != 0:
        print("no file system can be mounted here: a full disk was not tried")
        return
    command = ["tesserac", MODEL, "-o", str(FOLDER / "other.tsx")]
    expect_refusal(command, run(probe + command), "error: cannot", {1})
    for base, flag, ending in OUTPUTS:
        if base[0] != "tesserac":
            continue
        script = 'mount -t tmpfs -o size=4k none "$0" && head -c 4096 /dev/zero > "$0/filler" && exec "$@"'
        command = with_output(base, flag, FOLDER / "disk" / ("file" + ending))
        expect_refusal(command, run(["unshare", "-m", "sh", "-c", script, str(FOLDER / "disk")] + command), FOLDER / "disk", {1})


subprocess.run(["tesserac", MODEL, "-o", PROGRAM], check=True)
check_table()
for number, (base, flag, ending) in enumerate(OUTPUTS):
    folder = FOLDER / str(number)
    folder.mkdir()
    for check in (check_regular, check_links, check_pipe, check_failures):
        check(base, flag, ending, folder)
for command in STANDARD:
    late = {4} if command[0] == "tessera-run" and len(command) > 2 else {1}
    with open("/dev/full", "wb") as full:
        expect_refusal(command + [">/dev/full"], run(command, stdout=full), "standard output: No space left on device", late)
    reading, writing = os.pipe()
    os.close(reading)
    expect_refusal(command + ["| true"], run(command, stdout=writing), "standard output: Broken pipe", late)
    os.close(writing)
check_full_disk()
sys.exit("\n".join(problems) if problems else 0)
