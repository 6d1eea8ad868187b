#!/bin/sh
# Usage: check-run.sh PREFIX BACKEND MODEL.mlir [tesserac's flags]. Compiles and runs two steps, then checks trace and profile.
set -e
prefix=$1 backend=$2 model=$3
shift 3
here=$(dirname "$0")
tesserac "$model" "$@" -o "$prefix.tsx"
tesserac --inspect --json "$prefix.tsx" > "$prefix.manifest"
tessera-run "$prefix.tsx" --backend="$backend" --random --steps=2 --threads=1 --profile="$prefix.profile" --trace="$prefix.trace" > "$prefix.out"
python3 "$here/../../Tools/check-trace.py" "$prefix.trace" "$prefix.manifest"
python3 "$here/../../Tools/check-profile.py" "$prefix.profile" "$prefix.trace" "$prefix.manifest"
