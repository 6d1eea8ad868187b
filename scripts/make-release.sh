#!/usr/bin/env bash
# Makes what is released, from a finished build (`ninja -C BUILD programs`). Usage: make-release.sh BUILD OUTPUT [KIND...], where a KIND is one of
#   runtime  tessera-runtime-VERSION-x86_64-linux.tar.gz: what only runs programs, three files and the licence
#   tarball  tessera-VERSION-x86_64-linux.tar.gz: everything, with LLVM's libraries and a linker
#   deb      tessera-runtime_VERSION_amd64.deb and tessera_VERSION_amd64.deb, which depends on Debian's LLVM
#   wheel    tessera-VERSION-py3-none-manylinux_2_36_x86_64.whl: as the tarball, inside a Python package
# All by default. Each has a bill of materials beside it (CycloneDX); SHA256SUMS lists them. The same build gives the same bytes: times are those
# of SOURCE_DATE_EPOCH, by default of the last commit.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(realpath "$1") out=$(realpath -m "$2")
shift 2
kinds=${*:-runtime tarball deb wheel}
version=$("$build/bin/tesserac" --version | sed 's/.* //')
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}
export LC_ALL=C
umask 022
mkdir -p "$out"
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

# install COMPONENT FOLDER: stripped, with the licence.
install_component() {
  cmake --install "$build" --prefix "$2" --component "$1" --strip >/dev/null
  install -Dm644 "$root/LICENSE" "$2/share/doc/${3:-tessera}/LICENSE"
}

# Bundled: everything, and the libraries and the linker that a system without LLVM 22 lacks.
bundled() {
  [ -d "$stage/bundled" ] && return
  install_component everything "$stage/bundled"
  "$root/scripts/bundle-libraries.py" "$stage/bundled"
}

# archive NAME FOLDER: a tarball of the folder's content below NAME/.
archive() {
  "$root/scripts/make-sbom.py" "$2" --version="$version" --name="${1%%-[0-9]*}" -o "$out/$1.cdx.json"
  tar -C "$2" --transform="s|^\.|$1|" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --mode=u+rw,go+r-w -cf - . | gzip -n >"$out/$1.tar.gz"
}

make_runtime() {
  install_component runtime "$stage/runtime" tessera-runtime
  archive "tessera-runtime-$version-x86_64-linux" "$stage/runtime"
}

make_tarball() {
  bundled
  archive "tessera-$version-x86_64-linux" "$stage/bundled"
}

# control FOLDER PACKAGE DEPENDS DESCRIPTION: the package's description, with what its programs and libraries need.
control() {
  local folder=$1 package=$2 depends=$3 description=$4 libraries
  mkdir -p "$stage/shlibs/debian"
  printf 'Source: tessera\n\nPackage: %s\nArchitecture: amd64\n' "$package" >"$stage/shlibs/debian/control"
  libraries=$(cd "$stage/shlibs" && find "$folder" -type f \( -perm -100 -o -name '*.so' \) -exec sh -c 'head -c4 "$1" | grep -q ELF' _ {} \; -print |
    xargs dpkg-shlibdeps --ignore-missing-info -l"$build/lib" -O 2>/dev/null | sed 's/^shlibs:Depends=//')
  mkdir "$folder/DEBIAN"
  {
    echo "Package: $package"
    echo "Version: $version"
    echo "Architecture: amd64"
    echo "Maintainer: Tessera's authors <tessera@localhost>"
    echo "Section: science"
    echo "Priority: optional"
    echo "Installed-Size: $(du -sk --exclude=DEBIAN "$folder" | cut -f1)"
    echo "Depends: $libraries${depends:+, $depends}"
    [ "$package" = tessera ] && echo "Recommends: python3, python3-numpy"
    echo "Description: $description"
  } >"$folder/DEBIAN/control"
  (cd "$folder" && find usr -type f -printf '%P\n' | sort | sed 's|^|usr/|' | xargs -d '\n' md5sum) >"$folder/DEBIAN/md5sums"
  find "$folder" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
  "$root/scripts/make-sbom.py" "$folder/usr" --version="$version" --name="$package" -o "$out/${package}_${version}_amd64.cdx.json"
  dpkg-deb -Zgzip --root-owner-group --build "$folder" "$out/${package}_${version}_amd64.deb" >/dev/null
}

make_deb() {
  local runtime=$stage/deb-runtime everything=$stage/deb
  install_component runtime "$runtime/usr" tessera-runtime
  install_component everything "$everything/usr"
  # What the runtime's package has, the other one has not.
  (cd "$runtime/usr" && find bin lib -type f) | sed "s|^|$everything/usr/|" | xargs rm
  gzip -n9 "$everything"/usr/share/man/man1/*.1
  mkdir -p "$runtime/usr/share/man/man1"
  mv "$everything/usr/share/man/man1/tessera-run.1.gz" "$runtime/usr/share/man/man1"
  # As Debian calls them.
  for doc in "$runtime/usr/share/doc/tessera-runtime" "$everything/usr/share/doc/tessera"; do
    mv "$doc/LICENSE" "$doc/copyright"
    gzip -n9 <"$root/CHANGELOG.md" >"$doc/changelog.gz"
    rm -f "$doc/CHANGELOG.md"
  done
  control "$runtime" tessera-runtime "" "runs compiled models on the ranks of a machine or a cluster
 The program tessera-run and the runtime that it and other programs load: models
 compiled by Tessera run on threads of one machine."
  control "$everything" tessera "tessera-runtime (= $version), lld-22 | lld | binutils" "compiler for machine-learning models on many devices
 Compiles a model written for one device, with a few sharding annotations, into
 the program that every device of a cluster runs."
}

make_wheel() {
  bundled
  "$root/scripts/make-wheel.sh" "$stage/bundled" "$out"
  "$root/scripts/make-sbom.py" "$stage/bundled" --version="$version" --name=tessera -o "$out/tessera-$version-py3-none-manylinux_2_36_x86_64.cdx.json"
}

for kind in $kinds; do
  case $kind in
  runtime | tarball | deb | wheel) "make_$kind" ;;
  *) echo "error: expected runtime, tarball, deb or wheel, got '$kind'" >&2 && exit 1 ;;
  esac
done
(cd "$out" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs -d '\n' sha256sum) >"$out/SHA256SUMS"
(cd "$out" && ls -l --block-size=K | awk 'NR > 1 { print $5, $9 }')
