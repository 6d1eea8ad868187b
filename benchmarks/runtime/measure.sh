#!/usr/bin/env bash
# Times the collectives and launches of the runtime on N ranks (8 by default) with the tools in build/.
#   benchmarks/runtime/measure.sh [ranks] [options of tessera-run, as --threads=2]
set -euo pipefail
cd "$(dirname "$0")/../.."
ranks=${1:-8}; shift || true
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
cat >"$folder/manifest.json" <<JSON
{"schema": 2, "abi": 7, "target": "cpu", "mesh": [{"name": "x", "size": $ranks}], "arguments": [], "results": [],
 "communicators": [[{"axis": "x"}]], "programs": [{"rank": 0, "entry": "tessera_main", "arena": $((16 << 20))}]}
JSON
clang-22 -O2 -shared -fPIC -Iruntime/include -DRANKS="$ranks" -DMANIFEST="\"$folder/manifest.json\"" \
  benchmarks/runtime/model.c -o "$folder/model.tsx"
python3 test/Tools/tessera-sim/seal.py "$folder/model.tsx"
build/bin/tessera-run "$folder/model.tsx" "$@"
