# Entry points of a checkout. Everything made goes to build/ and .venv/. Set-up and build: setup.mk; long campaigns:
# verification/campaigns.mk.
#
#   PYTHON=python3.12   the interpreter that .venv is made from
#   RTL=0               build without the Verilated core (faster while working on the simulator)
#   CONFIGURATION=lte   what the core has: a name of isa/configurations/, or a file of yours
#   EXTENSION=dir       an extension from outside this repository; several are separated by spaces
#   OPTIMISATION=-O3    of C++; with -O0 a build takes a fraction of the time, and its simulation several times as long
#   JOBS=2              processes at a time
#   PYTEST_ARGS=...     further arguments of pytest
#   LUTRA_VECTORS=dir   known-answer files for `make kat` and the tests, one folder per cipher
#   CODE=code           the editor that `make extension-install` installs the extension into
#   LUTRA_UVM=0         leave the UVM bench, whose library is fetched, out of `make test`
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
# Built-in rules would compile rtl/lutra.f as Fortran and assemble the firmware.
MAKEFLAGS += --no-print-directory --no-builtin-rules
.SUFFIXES:

PYTHON ?= python3
RTL ?= 1
CONFIGURATION ?= full
EXTENSION ?=
OPTIMISATION ?= -O3
JOBS ?= 2
PYTEST_ARGS ?=
LUTRA_VECTORS ?= ../shared/vectors
export LUTRA_UVM ?= 1
# Thousands of processes would each compile all that they import; what they write is in .gitignore.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
WITH := ./lutra --with
SAY := @echo "==>"

# What is written by hand in C++ and C, and all packages of Python.
CPP_FILES := $(sort $(wildcard iss/src/*.[ch]pp iss/src/translate/*.[ch]pp iss/stencils/*.cpp rtl/sim/*.[ch]pp synthesis/fixed_function/bench/*.cpp soc/checker/bench/*.cpp verification/lockstep/*.[ch]pp \
    verification/collector/*.[ch]pp debugger/profile/*.[ch]pp verification/uvm/dpi/*.[ch]pp verification/uvm/soc/dpi/*.cpp patch/loader/binding/*.[ch]pp \
    patch/loader/src/*.[ch] tests/loader/*.[ch] soc/driver/*/*.[ch] soc/driver/*/*.[ch]pp soc/model/*/*.[ch] \
    soc/model/*/*.[ch]pp soc/rtl/sim/*.[ch]pp tests/soc/*.[ch] tests/soc/*/*.[ch]pp \
    verification/power_loss/*/*.[ch]pp verification/formulas/*.cpp verification/faults/*.cpp verification/faults/engine/*.[ch]pp verification/fuzz/targets/*.[ch]pp verification/fuzz/check.c \
    soc/systems/host/*.[ch] soc/systems/sim/*.cpp))
# mypy does not walk a package that several folders hold parts of.
PYTHON_PACKAGES := lutra $(addprefix lutra.,isa asm optimize iss rtl firmware firmware.device firmware.pack soc debug profile editor random coverage cosim prove) isagen models \
    faults formal formulas uvm.runner mutation patch_stories injection proof_mutants proof_results power_loss ppa fixed_function fuzz protocol_fuzz editors seeded_bugs nightly rtl_coverage loader_checks assembly_speed translated speed traffic

# Those of the vectors' folders whose cipher has firmware; SNOW 2.0 is served by that of SNOW 3G.
# One file of SM4's has a chain of a million blocks: on the simulator only (tests/firmware/test_known_answers.py).
KAT_FOLDERS = $(wildcard $(LUTRA_VECTORS)/snow2 $(patsubst firmware/%/firmware.toml,$(LUTRA_VECTORS)/%,$(filter-out %/sm4/firmware.toml,$(wildcard firmware/*/firmware.toml)))) \
    $(filter-out %/gbt32907.json,$(wildcard $(LUTRA_VECTORS)/sm4/*.json))

# Tests of a module mostly stay with one process, which has made what they share; who has nothing to do takes some over.
PYTEST := python -m pytest -n $(JOBS) --dist worksteal -q

.PHONY: help demo test test-quick test-nightly kat bench lint lint-core lint-style lint-types lint-imports format reference screenshots docs clean distclean

help: ## show this list
	@echo "Lutra. Targets:"
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

demo: build ## a guided run: assemble, simulate, cosimulate
	@./lutra demo
	@echo "Next, in this folder:"
	@echo "  README.md, First firmware     ten lines of assembly, and the three commands that run them"
	@echo "  ./lutra new otter             a cipher of your own, with vectors, tests and what to type then"
	@echo "  ./lutra --help, ./lutra isa   all commands, all instructions"
	@echo "Then, for lutra as a command in any folder:"
	@echo '  export PATH="$$PWD:$$PATH"'

test: build node ## lint, then all tests
	@$(MAKE) lint
	$(SAY) "tests"
	@$(WITH) $(PYTEST) --times build/test-times.txt $(PYTEST_ARGS) tests

# Each folder's fast files; what is left out takes longer or needs a build of its own.
QUICK := $(addprefix tests/,suite docs/test_words.py docs/test_links.py asm/test_cases.py asm/test_encoding.py asm/test_errors.py \
    asm/test_lint.py asm/test_round_trip.py isa/test_tables.py isa/test_refusals.py iss/test_control.py iss/test_functions.py \
    iss/test_moves.py iss/test_traps.py iss/test_timing.py cosim/test_random_words.py cosim/test_every_source_waits.py \
    firmware/test_headers.py firmware/test_known_answers.py firmware/test_manifest.py loader/test_life.py loader/test_refusals.py \
    pack/test_encoding.py device/test_refusals.py debug/test_commands.py cli/test_main.py cli/test_run.py cli/test_crypt.py)

test-quick: build ## what to run before each commit: lint, and tests of every folder (three minutes)
	@$(MAKE) lint
	$(SAY) "tests, a cross-section"
	@$(WITH) $(PYTEST) -k "not collection" $(PYTEST_ARGS) $(QUICK)

test-nightly: build node ## the tests that `make test` leaves to the nightly run, with the reasons in docs/verification.md
	@$(WITH) $(PYTEST) -m nightly $(PYTEST_ARGS) tests

kat: build ## known answers, simulator and core in lock-step (LUTRA_VECTORS)
	@./lutra kat --engine cosim $(or $(KAT_FOLDERS),tests/vectors)

bench: build ## cycles and throughput of the firmware
	@./lutra bench

# One mypy at a time, since they share a cache; the rest is done meanwhile.
lint: build ## style and types of Python, C++ and assembly, import contracts, Verilator's lint of the core
	@$(MAKE) -j $(JOBS) --output-sync=target lint-types lint-style lint-imports lint-core \
	    PARAMETERS="-GROUNDS_PER_INSTR=1 -GROUNDS_PER_INSTR=2 -GSTREAM_CONTEXTS=1"

lint-style:
	$(SAY) "lint: ruff"
	@$(WITH) ruff check --quiet .
	@$(WITH) ruff format --quiet --check . || { echo "run: make format"; exit 1; }
	$(SAY) "lint: assembly"
	@./lutra fmt --check firmware soc/firmware || { echo "run: make format"; exit 1; }
	$(SAY) "lint: clang-format"
	@$(WITH) clang-format --dry-run -Werror $(CPP_FILES) || { echo "run: make format"; exit 1; }

lint-types:
	$(SAY) "lint: mypy"
	@$(WITH) mypy --no-error-summary --cache-dir build/mypy $(addprefix -p ,$(PYTHON_PACKAGES))
	@MYPYPATH=tests $(WITH) mypy --no-error-summary --cache-dir build/mypy tests
	@MYPYPATH=docs/pictures $(WITH) mypy --no-error-summary --cache-dir build/mypy docs/pictures

lint-imports:
	$(SAY) "lint: imports go one way"
	@$(WITH) python -c 'import lutra, importlinter.cli as linter; linter.lint_imports_command()' --no-cache

# Of a configuration: the core that it is, without further parameters.
lint-core: build
	@for parameters in $(or $(PARAMETERS),-DCONFIGURED); do \
	    echo "==> lint: core, $(if $(PARAMETERS),$${parameters#-G},$(CONFIGURED))"; \
	    $(WITH) verilator_bin --lint-only -Wall --no-timing --assert --quiet --top-module lutra_core \
	        $$parameters rtl/lint.vlt rtl/sim/state.vlt +incdir+rtl -F $(BUILD)/gen/sv/lutra_packages.f \
	        -F rtl/lutra.f -F $(BUILD)/gen/sv/lutra_modules.f $(BUILD)/gen/sim/lutra_state_pkg.sv rtl/sim/lutra_state.sv; \
	done

format: build ## rewrite Python, C++ and assembly in the project's style
	@$(WITH) ruff check --quiet --fix-only .
	@$(WITH) ruff format --quiet .
	@$(WITH) clang-format -i $(CPP_FILES)
	@./lutra fmt firmware soc/firmware

# Committed, so that links to it work where nothing is built; tests compare.
reference: build ## write the ISA reference and the diagrams in docs/, and the editor's grammar, from isa/*.td
	@cp build/gen/docs/isa-reference.md docs/isa-reference.md
	@$(WITH) python docs/pictures/dataflow.py
	@$(WITH) python docs/pictures/overview.py
	@$(WITH) python -m lutra.asm.text.textmate > build/gen/lutra.tmLanguage.json
	@cp build/gen/lutra.tmLanguage.json editor/vscode/syntaxes/lutra.tmLanguage.json
	@$(WITH) python -m lutra.soc.reference

screenshots: build ## the pictures of the debugger's screen in docs/pictures
	@$(WITH) python docs/pictures/make.py

docs: build ## the manual as HTML in build/docs
	$(SAY) "documentation in build/docs"
	@$(WITH) sphinx-build -q -W --keep-going -b html -d build/docs-cache docs build/docs

clean: ## remove what was built, keep .venv
	@rm -rf build

distclean: clean ## remove .venv as well
	@rm -rf $(VENV)

include setup.mk editor/vscode/extension.mk soc/soc.mk verification/campaigns.mk
