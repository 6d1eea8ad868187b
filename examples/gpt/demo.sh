#!/usr/bin/env bash
# Trains the example for 30 steps on 8 ranks and on 1 and compares the losses with each other and with JAX's.
# Needs the tools and nothing else: the exported programs, the batches and JAX's losses are checked in. Usage: demo.sh [FOLDER]
# The tools are those of $TESSERA_BIN, of the build tree or of the prefix that this example is installed in; what is made is
# kept in FOLDER, by default `out` beside this script, or a temporary folder where that cannot be written.
set -euo pipefail
out=$(realpath -m "${1:-$(dirname "$0")/out}")
cd "$(dirname "$0")"
bin=${TESSERA_BIN:-$([ -d ../../build/bin ] && echo ../../build/bin || echo ../../../../bin)}
steps=30 tolerance=1e-4
mkdir -p "$out" 2>/dev/null || out=$(mktemp -d)

echo "compiling for 8 ranks (data=2,model=4) and for 1"
"$bin/tesserac" init.mlir -o "$out/init.tsx"
"$bin/tesserac" gpt.mlir --mesh=data=2,model=4 -o "$out/gpt-8.tsx"
"$bin/tesserac" gpt.mlir --mesh=data=1,model=1 -o "$out/gpt-1.tsx"

echo "making the initial parameters and optimizer state"
"$bin/tessera-run" "$out/init.tsx" --outputs="$out/initial.safetensors"

for ranks in 8 1; do
  echo "training $steps steps on $ranks rank$([ $ranks = 1 ] || echo s)"
  "$bin/tessera-run" "$out/gpt-$ranks.tsx" --inputs="$out/initial.safetensors" --batches=batches.safetensors \
    --steps=$steps >"$out/gpt-$ranks.log"
  # One line a step: `step 1/30 result[1]['step']=1 result[2]=5.56369543 (12 ms)`.
  sed -n 's/^step .* result\[2\]=\([^ ]*\).*/\1/p' "$out/gpt-$ranks.log" >"$out/losses-$ranks.txt"
done

paste "$out/losses-8.txt" "$out/losses-1.txt" losses.txt | awk -v steps=$steps -v tolerance=$tolerance '
  function off(a, b) { d = (a - b) / b; return d < 0 ? -d : d }
  # Written so that a value that is no number fails.
  function agrees(a, b) { return a ~ /^[0-9.eE+-]+$/ && b ~ /^[0-9.eE+-]+$/ && off(a, b) <= tolerance }
  BEGIN { FS = "\t"; printf "\nstep     8 ranks      1 rank         JAX\n" }
  {
    bad = !(agrees($1, $3) && agrees($2, $3) && agrees($1, $2))
    failures += bad
    printf "%4d  %10.6f  %10.6f  %10.6f%s\n", NR, $1, $2, $3, bad ? "  differs" : ""
    for (i = 1; i <= 2; i++) if (off($i, $3) > largest) largest = off($i, $3)
  }
  END {
    if (NR != steps) { printf "error: expected %d steps, got %d\n", steps, NR > "/dev/stderr"; exit 1 }
    if (failures) { printf "error: %d of %d steps differ by more than %g\n", failures, steps, tolerance > "/dev/stderr"; exit 1 }
    printf "all %d steps agree; largest relative difference from JAX %.1e\n", steps, largest
  }'
