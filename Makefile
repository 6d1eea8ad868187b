# The two commands of the README. Each does all set-up on a fresh Debian 12.
.PHONY: all demo check build dependencies
all: build
dependencies:
	@scripts/install-dependencies.sh
build: dependencies
	@[ -f build/build.ninja ] || cmake --preset release -Wno-dev
	@ninja -C build
check: build
	@scripts/check.sh
demo: build
	@examples/gpt/demo.sh
