#!/usr/bin/env bash
# Makes a wheel of the Python package with the tools, the runtime and the libraries of a prefix inside. Usage: make-wheel.sh PREFIX OUTPUT, where
# PREFIX has everything and what bundle-libraries.py adds. Needs setuptools 70.1 or later.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
prefix=$(realpath "$1") out=$(realpath -m "$2")
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cp -r "$root/python/." "$stage"
rm -rf "$stage/tessera/__pycache__" "$stage"/*.egg-info "$stage/build"
inside=$stage/tessera/prefix
mkdir -p "$inside"
cp -r "$prefix/bin" "$prefix/libexec" "$prefix/share" "$prefix/lib" "$inside"
rm -rf "$inside/lib/python3" "$inside/lib/cmake" "$inside/share/"{man,zsh,fish,bash-completion}
cp "$root/LICENSE" "$stage"
cat >"$stage/setup.py" <<'PY'
# The wheel is for one platform, but for every Python: nothing in it is compiled against Python.
import pathlib

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel


class PlatformWheel(bdist_wheel):
    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", "manylinux_2_36_x86_64"


inside = pathlib.Path("tessera/prefix")
tools = sorted(file.name for file in (inside / "bin").iterdir())
setup(
    cmdclass={"bdist_wheel": PlatformWheel},
    py_modules=["tessera_command"],
    package_data={"tessera": [str(file.relative_to("tessera")) for file in inside.rglob("*") if file.is_file()]},
    entry_points={"console_scripts": ["tessera = tessera.__main__:main", *(f"{tool} = tessera_command:run_tool" for tool in tools)]},
)
PY
# Entry points are those of setup.py, which knows the tools.
sed -i '/^\[project.scripts\]/,/^$/d; s/^version = \(.*\)/version = \1\ndynamic = ["entry-points", "scripts"]/' "$stage/pyproject.toml"
find "$stage" -exec touch -hd "@${SOURCE_DATE_EPOCH:-0}" {} +
python3 -m pip wheel --quiet --no-deps --no-build-isolation --no-cache-dir -w "$out" "$stage"
