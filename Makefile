# The commands of the README. Each does all set-up on a fresh Debian 12.
.PHONY: all demo build check check-sanitizers tidy docs release fuzz dependencies configured
all: build
dependencies:
	@scripts/install-dependencies.sh
# What was configured for the demo alone makes code for GPUs, and compiles file by file, from now on.
configured: dependencies
	@[ -f build/build.ninja ] || cmake --preset release -Wno-dev
	@! grep -q '^TESSERA_GPU:BOOL=OFF' build/CMakeCache.txt || cmake -S . -B build -DTESSERA_GPU=ON -DTESSERA_UNITY=OFF
build: configured
	@ninja -C build
check: build
	@scripts/check.sh
# With AddressSanitizer and UndefinedBehaviorSanitizer, in build-asan: hours on two cores. `make check` does it for what needs no MLIR.
check-sanitizers: dependencies
	@scripts/check-sanitizers.sh
# clang-tidy, with all checks of .clang-tidy, on every file that has changed since it was clean: the first time an hour of processor time. `make check`
# asks only for the order of iteration.
tidy: build
	@scripts/check-tidy.py build
# Builds what it runs: no tests, no code generation for GPUs, no emulator, no other tools; several files at a time, which is
# faster where all are new.
demo: dependencies
	@[ -f build/build.ninja ] || cmake --preset release -Wno-dev -DTESSERA_GPU=OFF -DTESSERA_UNITY=ON
	@ninja -C build tesserac tessera-run
	@examples/gpt/demo.sh
# The pages as a site, in build/site.
docs: dependencies
	@scripts/make-site.py build/site
# Tarballs, Debian packages and a wheel, in build/release.
release: configured
	@ninja -C build programs
	@scripts/make-release.sh build build/release
# Random programs of a new seed, which is printed: COUNT=50000 takes about half an hour.
COUNT ?= 2000
fuzz: build
	@build/bin/tessera-fuzz --count=$(COUNT) --jobs=2
