# The two commands of the README. Each does all set-up on a fresh Debian 12.
.PHONY: all demo check docs fuzz build dependencies
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
# The pages as a site, in build/site.
docs: dependencies
	@scripts/make-site.py build/site
# Random programs of a new seed, which is printed: COUNT=50000 takes about half an hour.
COUNT ?= 2000
fuzz: build
	@build/bin/tessera-fuzz --count=$(COUNT) --jobs=2
