# SPDX-License-Identifier: MIT
# The front door: each target does everything that is needed on a fresh Debian machine. CMake does the work.
PREFIX  ?= /usr/local
DESTDIR ?=
SCENE   ?= dam_break_2d
JOBS    ?= $(shell nproc)
EFFORT  ?=
RELEASE := build/release
# A user's compiler may warn of things ours does not: only `make test` makes errors of them.
CONFIGURE_RELEASE = cmake -S . -B $(RELEASE) -DCMAKE_BUILD_TYPE=Release -DRILL_BUILD_TESTS=OFF -DRILL_WERROR=OFF

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' Makefile

run: tool ## simulate SCENE (dam_break_2d) and draw pictures of it, in place of the last such run
	@$(RELEASE)/apps/cli/rill run $(SCENE) --out out/$(SCENE) --overwrite --picture
	@echo "Pictures are in out/$(SCENE)/pictures, the last one is $$(ls out/$(SCENE)/pictures/*.png | tail -n 1)"

view: tool ## play with SCENE (dam_break_2d) in a browser, with this machine as the engine
	@$(RELEASE)/apps/cli/rill view $(SCENE) --open

playground: ## make the page that plays in any browser by itself: a static folder, build/playground
	@scripts/packages playground
	@scripts/playground build $(JOBS)

test: ## build and test everything (gcc, clang, sanitizers, fuzzing, formatting, linting, installing)
	@scripts/packages test
	@scripts/test

test-long: ## what `make test` does, scaled up: long validation, 1000 new random scenes, all scenes sanitized, ten minutes of fuzzing
	@scripts/packages long
	@scripts/test --long

tool: ## build the library and the tool in Release
	@scripts/packages run
	@$(CONFIGURE_RELEASE)
	@cmake --build $(RELEASE) -j $(JOBS)

debug: ## build with -O0, debug information and tests in build/debug
	@scripts/packages test
	@cmake -S . -B build/debug -DCMAKE_BUILD_TYPE=Debug
	@cmake --build build/debug -j $(JOBS)
	@echo "The tool is build/debug/apps/cli/rill; ctest --test-dir build/debug runs the tests."

bench: tool ## measure speed against reference loops
	@$(RELEASE)/apps/cli/rill bench

install: ## install library, headers, tool and scenes to PREFIX (/usr/local), under DESTDIR if it is set
	@scripts/packages run
	@$(CONFIGURE_RELEASE) -DCMAKE_INSTALL_PREFIX="$(PREFIX)"
	@cmake --build $(RELEASE) -j $(JOBS)
	@DESTDIR="$(DESTDIR)" cmake --install $(RELEASE)

deb: tool ## make a Debian package in build/release
	@cd $(RELEASE) && cpack -G DEB
	@echo "Install it with: apt-get install ./$$(ls -t $(RELEASE)/rill_*.deb | head -n 1)"

docs: tool ## renew the pages that are made from the parameter tables
	@$(RELEASE)/apps/cli/rill params --markdown > docs/parameters.md
	@$(RELEASE)/apps/cli/rill schema > docs/scene.schema.json

gallery: tool ## render every scene into docs/images/gallery and docs/gallery.md
	@scripts/packages test
	@scripts/gallery $(RELEASE)/apps/cli/rill

figures: tool ## run and draw the figures of the papers into docs/images (a quarter of an hour)
	@scripts/packages test
	@bench/figures $(RELEASE)/apps/cli/rill

validation: tool ## run all experiments into out/experiments and renew docs/validation.md (a quarter of an hour)
	@$(RELEASE)/apps/cli/rill experiment all --fresh --jobs $(JOBS) --out out/experiments --page docs/validation.md
	@echo "The overview is out/experiments/README.md"

# Runs are kept below the name of the sources that made them: what was interrupted goes on where it was, and changed sources run anew.
report: tool ## run all experiments, going on where the last such run was ended, and renew docs/report and docs/validation.md (EFFORT=--quick|--full)
	@out=out/report/$$(scripts/source_key) && $(RELEASE)/apps/cli/rill experiment all $(EFFORT) --jobs $(JOBS) --out $$out \
	  --report docs/report --page docs/validation.md && echo "The report is docs/report/README.md, the runs are in $$out"

format: ## rewrite the sources with clang-format
	@scripts/packages test
	@scripts/format

clean: ## remove everything that was built or simulated
	@rm -rf build out

.PHONY: help run view playground test test-long tool debug bench install deb docs gallery figures validation report format clean
