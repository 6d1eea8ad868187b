#!/usr/bin/env bash
# Runs the suite of this folder, the unpacked archive of make-archive.sh, on this machine's GPU: run.sh [--benchmarks] [--tune]
# BACKEND=emulated runs it without a GPU, PROGRAMS="a b" a part of it. Ends with one line: N passed, N failed.
set -uo pipefail
cd "$(dirname "$0")"
backend=${BACKEND:-cuda}
export LD_LIBRARY_PATH=$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
passed=0 failed=0
report() { # NAME STATUS LOG
  if [ "$2" = 0 ]; then passed=$((passed + 1)); echo "pass $1"
  else failed=$((failed + 1)); echo "FAIL $1 (status $2)"; sed 's/^/  /' "$3" | tail -5; fi
}
log=$(mktemp); trap 'rm -f "$log"' EXIT

echo "commit $(cat commit), back end $backend"
for program in programs/*.tsx; do
  name=$(basename "$program" .tsx)
  [ -z "${PROGRAMS:-}" ] || [[ " $PROGRAMS " == *" $name "* ]] || continue
  timeout 300 bin/tessera-run "$program" --backend="$backend" --inputs="programs/$name.inputs.safetensors" \
    --expect="programs/$name.expected.safetensors" --tolerance=1e-4,1e-5 > "$log" 2>&1
  report "$name" $? "$log"
done

# Five steps of the GPT: every loss within 1e-4 of JAX's.
for suffix in "" -bfloat16; do
  [ -f "gpt/gpt$suffix.tsx" ] && [ -z "${PROGRAMS:-}" ] || continue
  timeout 600 bin/tessera-run "gpt/gpt$suffix.tsx" --backend="$backend" --inputs=gpt/initial.safetensors \
    --batches=gpt/batches.safetensors --steps=5 > "$log" 2>&1
  status=$?
  if [ $status = 0 ]; then
    sed -n 's/^step .* result\[2\]=\([^ ]*\).*/\1/p' "$log" | paste - <(head -5 "gpt/losses$suffix.txt") | awk '
      { d = ($1 - $2) / $2; if ($1 !~ /^[0-9.eE+-]+$/ || d > 1e-4 || d < -1e-4) { print "step " NR ": expected " $2 ", got " $1; bad = 1 } }
      END { if (NR != 5) { print "expected 5 steps, got " NR; bad = 1 } exit bad }' >> "$log"
    status=$?
  fi
  report "gpt$suffix" $status "$log"
done
echo "$passed passed, $failed failed"
for part in "$@"; do
  case $part in
    --benchmarks) script=run ;;
    --tune) script=tune ;; # Writes benchmarks/gpu/tuning.json.
    *) echo "run.sh: expected --benchmarks or --tune, got $part" >&2; exit 1 ;;
  esac
  python3 benchmarks/gpu/$script.py benchmarks/gpu --tool="$PWD/bin/tessera-run" --backend="$backend" || failed=$((failed + 1))
done
[ "$failed" = 0 ]
