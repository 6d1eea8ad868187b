#!/usr/bin/env bash
# Installs what building, testing and releasing Tessera needs on Debian 12: packages from Debian, and from PyPI lit (with psutil, by which
# it ends tests that take too long), markdown for the pages and setuptools for the wheel. Does nothing where everything is present already.
set -euo pipefail
packages=(libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools clang-22 libclang-rt-22-dev clang-format-14 clang-tidy-22 lld-22 cmake ninja-build ccache libgtest-dev
  liblapack-dev nlohmann-json3-dev zlib1g-dev libzstd-dev patchelf python3 python3-pip python3-venv)
missing=()
for package in "${packages[@]}"; do
  dpkg -s "$package" 2>/dev/null | grep -q '^Status: install ok installed' || missing+=("$package")
done
if ((${#missing[@]})); then
  sudo=""; [ "$(id -u)" = 0 ] || sudo=sudo
  echo "installing ${missing[*]}"
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq "${missing[@]}" >/dev/null
fi
modules=(lit psutil markdown 'setuptools>=70.1')
python3 -c 'import lit, psutil, markdown, setuptools.command.bdist_wheel' 2>/dev/null ||
  python3 -m pip install --quiet --break-system-packages "${modules[@]}" 2>/dev/null || python3 -m pip install --quiet "${modules[@]}"
