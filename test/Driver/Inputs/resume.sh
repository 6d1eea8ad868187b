#!/usr/bin/env bash
# Compiles a model in one go and from the dump of every phase; all programs, and the interpreter on all dumps, must give the same results.
# Usage: resume.sh MODEL.mlir FOLDER
set -euo pipefail
rm -rf "$2" && mkdir -p "$2"
tesserac "$1" --dump-phases="$2/ir" -o "$2/whole.tsx"
tessera-run "$2/whole.tsx" --random=7 --outputs="$2/whole.safetensors"
for dump in "$2"/ir/*.mlir; do
  name=$(basename "$dump" .mlir)
  echo "from $name"
  tesserac "$dump" --compile-from="${name#*-}" -o "$2/$name.tsx"
  tessera-run "$2/$name.tsx" --random=7 --expect="$2/whole.safetensors" --tolerance=0
  if [ "$name" != 7-codegen ]; then
    tessera-interpret "$dump" --random=7 --expect="$2/whole.safetensors" --tolerance=1e-5
  fi
done
