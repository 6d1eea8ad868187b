#!/usr/bin/env bash
# Runs every test, prints what those that failed ran and printed, and ends with one line: N passed, N failed. Expects a finished
# build in build/.
# Code for CPUs is executed with the instructions of x86-64-v3, and where there is AVX-512 with that, too. What needs no MLIR is built and tested
# a second time with sanitizers, in build-asan-without-mlir/. What clang-tidy finds in a few minutes (scripts/check-tidy.py) counts as one test.
set -uo pipefail
cd "$(dirname "$0")/.."
results=build/test-results; mkdir -p "$results"; rm -f "$results"/lit*.json
lit_status=0
# lit NAME ARGUMENTS...: prints of each test that failed the last lines at once, before other tests have their say.
# pip may put `lit` where the path does not lead, and the package cannot be run with -m.
lit() {
  local file=$results/$1.json; shift
  python3 -c 'from lit.main import main; main()' -q test -o "$file" "$@" || lit_status=$?
  [ ! -f "$file" ] || python3 - "$file" <<'PY'
import json, sys
LONGEST = 200  # Lines of one test: the last ones, behind which it ended.
for test in json.load(open(sys.argv[1]))["tests"]:
    if test["code"] not in ("PASS", "XFAIL", "UNSUPPORTED", "SKIPPED", "EXCLUDED"):
        lines = test.get("output", "").splitlines()
        print(f"\n{test['code']}: {test['name']}", *([f"[{len(lines) - LONGEST} lines before these]"] if len(lines) > LONGEST else []),
              *lines[-LONGEST:], sep="\n")
PY
}
lit lit "$@"
if grep -q avx512bw /proc/cpuinfo; then
  lit lit-native --param cpu=native "$@"
fi
(cd build && ctest --output-on-failure --output-junit "$PWD/test-results/ctest.xml" -j2); ctest_status=$?
sanitized=build-asan-without-mlir/test-results/ctest.xml; rm -f "$sanitized"
scripts/check-sanitizers.sh --without-mlir; sanitizers_status=$?
scripts/check-tidy.py build --quick; tidy_status=$?
python3 - "$results" "$sanitized" "$tidy_status" <<'PY'
import glob, json, os, sys, xml.etree.ElementTree as xml
passed = failed = skipped = 0
for test in [test for file in glob.glob(os.path.join(sys.argv[1], "lit*.json")) for test in json.load(open(file))["tests"]]:
    if test["code"] in ("PASS", "XFAIL"): passed += 1
    elif test["code"] in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"): skipped += 1
    else: failed += 1
for file in (os.path.join(sys.argv[1], "ctest.xml"), sys.argv[2]):
    if not os.path.exists(file):  # What does not build has no results.
        failed += 1
        continue
    suite = xml.parse(file).getroot()
    tests, failures, left_out = (sum(int(suite.get(key, 0)) for key in keys) for keys in (["tests"], ["failures"], ["skipped", "disabled"]))
    passed += tests - failures - left_out; failed += failures; skipped += left_out
failed += sys.argv[3] != "0"; passed += sys.argv[3] == "0"
print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
sys.exit(failed != 0)
PY
status=$?
exit $((lit_status || ctest_status || sanitizers_status || tidy_status || status))
