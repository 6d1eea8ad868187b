#!/usr/bin/env python3
"""Copies into a prefix the shared libraries that its programs need and that a system without LLVM 22 may lack, and a linker.

Usage: bundle-libraries.py PREFIX

Libraries go to lib/tessera, the linker to libexec/tessera; both look for libraries in lib/tessera alone. What every Linux of today has stays out:
the C library and the runtime libraries of GCC. lib/tessera/SOURCES lists each library with the package that it is from.
"""
import pathlib
import re
import shutil
import subprocess
import sys

# The libraries that manylinux_2_36 promises, as far as anything here needs them.
SYSTEM = re.compile(r"^(lib(c|m|dl|pthread|rt|util|resolv|stdc\+\+|gcc_s)\.so|ld-linux)")
LINKERS = ("ld.lld-22", "ld.lld")


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def needed(file):
    """The libraries that loading `file` loads, as (name, path or none)."""
    return re.findall(r"^\s*(\S+) => (\S+)? ?\(0x", output_of("ldd", file), re.MULTILINE)


def package_of(file):
    """The Debian package that `file` is from, with its version; "" if none."""
    resolved = str(pathlib.Path(file).resolve())
    # Packages name their files as they were before /lib became a link to /usr/lib.
    for path in (resolved, resolved.removeprefix("/usr"), str(file)):
        found = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True)
        if found.returncode == 0:
            name = found.stdout.split(": ")[0].split(",")[0]
            return output_of("dpkg-query", "-W", "-f=${source:Package} ${source:Version}", name)
    return ""


def is_program(file):
    with open(file, "rb") as stream:
        return stream.read(4) == b"\x7fELF"


def main():
    prefix = pathlib.Path(sys.argv[1])
    if not shutil.which("patchelf"):
        sys.exit("error: expected patchelf on the path, got none")
    linker = next((found for name in LINKERS if (found := shutil.which(name))), None)
    if not linker:
        sys.exit(f"error: expected a linker ({' or '.join(LINKERS)}) on the path, got none")
    libraries, programs = prefix / "lib" / "tessera", prefix / "libexec" / "tessera"
    libraries.mkdir(parents=True)
    programs.mkdir(parents=True)
    shutil.copy(pathlib.Path(linker).resolve(), programs / "ld.lld")
    own = {file.name for file in (prefix / "lib").glob("*.so")}
    sources = {"ld.lld": package_of(pathlib.Path(linker))}
    # What programs load only when they call routines of LAPACK; those of a back end (MPI, CUDA) are the machine's.
    loaded = [file for file in (prefix / "lib").glob("*.so") if not file.name.startswith("libtessera_backend_")]
    installed = [file for file in [*(prefix / "bin").iterdir(), *loaded] if is_program(file)]
    for program in [*installed, pathlib.Path(linker).resolve()]:
        for name, path in needed(program):
            if name in own or name in sources or SYSTEM.match(name):
                continue
            shutil.copy(pathlib.Path(path).resolve(), libraries / name)
            (libraries / name).chmod(0o644)
            sources[name] = package_of(pathlib.Path(path))
    for file in libraries.iterdir():
        subprocess.run(["patchelf", "--set-rpath", "$ORIGIN", file], check=True)
    subprocess.run(["patchelf", "--set-rpath", "$ORIGIN/../../lib/tessera", programs / "ld.lld"], check=True)
    # No place of the machine that this was built on.
    for file in installed:
        path = output_of("patchelf", "--print-rpath", file).strip().split(":")
        subprocess.run(["patchelf", "--set-rpath", ":".join(p for p in path if p.startswith("$ORIGIN")), file], check=True)
    (libraries / "SOURCES").write_text("".join(f"{name} {sources[name]}\n" for name in sorted(sources)), encoding="utf-8")


if __name__ == "__main__":
    main()
