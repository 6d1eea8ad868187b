#!/usr/bin/env bash
# Builds with AddressSanitizer, UndefinedBehaviorSanitizer and the assertions of the standard library, and runs the tests, or with --without-mlir
# the unit tests of what needs no MLIR; less the unit tests that only measure time or take minutes of trying everything. Expects
# what scripts/install-dependencies.sh installs. Results of the unit tests are in FOLDER/test-results/ctest.xml of build-asan and build-asan-without-mlir.
set -euo pipefail
cd "$(dirname "$0")/.."
# LLVM and MLIR are Debian's, without sanitizers. Their allocators are templates: what our code poisons of a block theirs hands out without
# unpoisoning it, so poisoning by hand is off. Heap, stack and globals are watched as ever. The runtime has signal stacks of its own.
export ASAN_OPTIONS=allow_user_poisoning=0:detect_stack_use_after_return=1:use_sigaltstack=0 UBSAN_OPTIONS=print_stacktrace=1
export ASAN_SYMBOLIZER_PATH=/usr/lib/llvm-22/bin/llvm-symbolizer
preset=asan
if [ "${1-}" = --without-mlir ]; then
  preset=asan-without-mlir
fi
filter=(-'*InTime*' '*Sampled*' '*BruteForce*' '*FindsTheOptimum*' '*IsNeverSlower*' '*FillsGaps*' '*AllItTakes' '*PlacementSays'
  '*TagStayInOrder*' '*StaySeparate*' '*InGroupOrder*' '*TransposesChunks*' '*EveryGroupShape*'
  'Backends/Conformance.*/emulated' 'SmallMeshes/AllPairs*.*/8' 'SmallMeshes/AllPairs*.*/9' 'SmallMeshes/AllPairs*.*/??')
export GTEST_FILTER; GTEST_FILTER=$(IFS=:; echo "${filter[*]}")
build=build-$preset
[ -f "$build/build.ninja" ] || cmake --preset "$preset" -Wno-dev > /dev/null
ninja -C "$build"
status=0
(cd "$build" && ctest --output-on-failure --output-junit "$PWD/test-results/ctest.xml" -j2) || status=$?
if [ "$preset" = asan ]; then
  python3 -c 'from lit.main import main; main()' -q test --param build="$build" || status=$?
fi
exit $status
