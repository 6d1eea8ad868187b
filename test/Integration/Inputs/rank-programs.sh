#!/usr/bin/env bash
# Usage: rank-programs.sh STEP.mlir PREFIX. Runs a step of four stages and four microbatches under several schedules, and as one loop.
set -euo pipefail
step=$1 prefix=$2
sed -e 's/NAME/"sequential"/' -e 's/, .RANKS.>/, [""]>/' "$step" > "$prefix.whole.mlir"
tessera-interpret "$prefix.whole.mlir" --random=3 --outputs="$prefix.expected.safetensors"

check() { # NAME TASKS
  sed -e "s/NAME/\"$1\"/" -e "s/RANKS/$2/" "$step" > "$prefix.$1.mlir"
  tessera-opt --tessera-split-programs "$prefix.$1.mlir" -o "$prefix.$1.ranks.mlir"
  tesserac "$prefix.$1.ranks.mlir" --compile-from=partition --check-phases -o "$prefix.$1.tsx"
  tessera-run "$prefix.$1.tsx" --random=3 --expect="$prefix.expected.safetensors" --tolerance=1e-5 --trace="$prefix.$1.json"
  tessera-run "$prefix.$1.tsx" --random=3 --steps=2 --outputs="$prefix.$1.safetensors"
  python3 "$(dirname "$0")/compare-tasks.py" "$prefix.$1.json" 2 "$2"
}

check 1f1b '"0F0 0F1 0F2 0F3 0B0 0B1 0B2 0B3", "1F0 1F1 1F2 1B0 1F3 1B1 1B2 1B3", "2F0 2F1 2B0 2F2 2B1 2F3 2B2 2B3", "3F0 3B0 3F1 3B1 3F2 3B2 3F3 3B3"'
check v '"0F0 0F1 0F2 0F3 3F0 3F1 3F2 3F3 3B3 3B2 3B1 3B0 0B3 0B2 0B1 0B0", "1F0 1F1 1F2 1F3 2F0 2F1 2F2 2F3 2B3 2B2 2B1 2B0 1B3 1B2 1B1 1B0"'
check bidirectional '"0F0 3F1 0F2 3F3 3B1 0B0 3B3 0B2", "1F0 2F1 1F2 2F3 2B1 1B0 2B3 1B2", "1F1 2F0 1F3 2F2 2B0 1B1 2B2 1B3", "0F1 3F0 0F3 3F2 3B0 0B1 3B2 0B3"'

# All schedules train alike.
for name in v bidirectional; do
  tessera-run "$prefix.$name.tsx" --random=3 --steps=2 --expect="$prefix.1f1b.safetensors" --tolerance=1e-5
done
tessera-run "$prefix.v.tsx" --random=3 --ranks=4 --steps=2 | grep "2 steps on 4 ranks (2 x x=2)"

# The manifest says who has what.
tesserac --inspect "$prefix.v.tsx" > "$prefix.inspect.txt"
grep "schedule v: 4 stages, 4 microbatches" "$prefix.inspect.txt"
grep "pipeline rank 1, .* 1F0 1F1 1F2 1F3 2F0" "$prefix.inspect.txt"
grep "w3 .*donated to result 3  on pipeline ranks 0$" "$prefix.inspect.txt"
