# Campaigns: what takes longer than the tests. Each says what it is for in docs/verification.md.
#
#   SEEDS=A:B            the seeds of `make random`, `make translated` and `make configurations`, one program each
#   CONFIGURATIONS=words the configurations of `make configurations`
#   CONFIGURATION_ANSWERS=20   tests of each vector file there and in `make silicon`
#   FORMAL_ARGS=words    in the names of the proofs wanted
#   UVM_SEEDS=50         random seeds of `make uvm`
#   UVM_TEST=random SEED=7 WAVES=1   one test of `make uvm` (docs/uvm.md); VARIANT=name: one input of it
#   PPA_ARGS=...         options of `lutra ppa`: --configuration one-round, --fpga, --record
#   SPEED_ARGS=...       options of `python -m speed`: --spike, --seconds
#   POWER_LOSS_ARGS=...  options of `python -m power_loss`: shards, seeds, samples, one place again
#   INJECTION_STEP=8     of the cycles in which `make injection` tries faults on the core; the simulator has all
#   FAULTS_ARGS=...      options of `python -m faults`: jobs, samples, shards
#   FUZZ_SECONDS=1200    of each target of `make fuzz`
#   MUTANTS=500          of firmware, of `make proof-mutants`
#   PROTOCOL_FUZZ_SECONDS=3600   of `make fuzz-dap` and of `make fuzz-lsp`
FORMAL_ARGS ?=
FAULTS_ARGS ?=
POWER_LOSS_ARGS ?=
INJECTION_STEP ?= 8
FUZZ_SECONDS ?= 1200
PROTOCOL_FUZZ_SECONDS ?= 3600
MUTATION_ARGS ?=
MUTANTS ?= 500
PPA_ARGS ?=
SPEED_ARGS ?=
NIGHTLY_ARGS ?=
UVM_SEEDS ?= 50
UVM_TEST ?=
VARIANT ?=
SEED ?= 1
WAVES ?= 0
SEEDS ?= 0:1000
CONFIGURATIONS ?= $(filter-out full,$(basename $(notdir $(wildcard isa/configurations/*.toml))))
CONFIGURATION_ANSWERS ?= 20
COVERAGE_SEEDS ?= 200
COVERAGE_COUNTED ?= 60

# A core as silicon has it.
SILICON := build/silicon/python

# A core that counts, and a command on it that leaves functional and code coverage in build/coverage/data.
COUNTS := $(BUILD)/coverage
COUNTING := $(COUNTS)/python
COUNTED = LUTRA_COVERAGE="$(CURDIR)/$(COUNTS)/data" LUTRA_RTL_LIBRARY="$$(ls "$(CURDIR)"/$(COUNTING)/lutra/rtl/_rtl*.so)"

.PHONY: random translated soc-traffic bench-check silicon configurations configuration formal coverage mutation mutation-packets mutation-sample seeded-bugs monte-carlo nightly source-distribution patch-demo patch-stories fresh-machine uvm loader \
    speed ppa ppa-check ppa-peers ppa-tools injection faults power-loss power-loss-bugs fuzz fuzz-bugs fuzz-dap fuzz-lsp proofs proof-mutants

proofs: build ## firmware against its specifications, for all keys, inputs and lengths (docs/proofs.md)
	@$(WITH) python -m proof_results --jobs $(JOBS)

proof-mutants: build ## wrong firmware, of which nothing may be proved (MUTANTS)
	@$(WITH) python -m proof_mutants --count $(MUTANTS) --jobs $(JOBS)

random: build ## random programs, simulator and core in lock-step (SEEDS=A:B)
	@./lutra campaign run --seeds $(SEEDS) --jobs $(JOBS) --out build/cosim-failures

translated: build ## random programs, interpreted and translated, at every level of this machine (SEEDS=A:B)
	@seeds=$(SEEDS); $(WITH) python -m translated --jobs $(JOBS) --seed $${seeds%:*} --programs $$(($${seeds#*:} - $${seeds%:*}))

# TRAFFIC_ARGS="--packets 20000 --shards 8 --seed 3 --dask tcp://192.0.2.1:8786"
soc-traffic: build ## a million random packets through the model of a cluster, compared with peers (an hour; TRAFFIC_ARGS)
	@$(WITH) python -m traffic --jobs $(JOBS) $(TRAFFIC_ARGS)

bench-check: build ## the pages of benchmarks against the core's own counters (three minutes)
	@./lutra bench --page docs/benchmarks.md --cipher-page docs/ciphers.md --check

# Each is built and checked in turn: its core's lint, known answers of the firmware that it can run, that every word is
# one of its instructions or illegal, random programs.
configurations: ## every ready configuration but `full`: build, lint, known answers and random programs in lock-step (CONFIGURATIONS, SEEDS)
	@for name in $(CONFIGURATIONS); do \
	    $(MAKE) build configuration CONFIGURATION=$$name || exit 1; \
	done

configuration: lint-core
	$(SAY) "configuration $(CONFIGURED): known answers"
	@./lutra --configuration $(CONFIGURED) kat --engine cosim --limit $(CONFIGURATION_ANSWERS)
	$(SAY) "configuration $(CONFIGURED): proofs of the decoder"
	@$(if $(EXTENSION),echo "left out: they know no extension from outside",LUTRA_CONFIGURATION=$(CONFIGURED) $(WITH) python -m formal --jobs $(JOBS) unambiguous total)
	$(SAY) "configuration $(CONFIGURED): random programs"
	@./lutra --configuration $(CONFIGURED) campaign run --seeds $(SEEDS) --jobs $(JOBS) --out $(BUILD)/cosim-failures

# Its registers are undefined until they are written, so lock-step, which compares all, is not for it.
silicon: build ## known answers on the core with the parameters that `make ppa` measures (CONFIGURATION_ANSWERS of each file)
	$(SAY) "a core without reset of data and counters of stalls"
	@$(CMAKE) $(CMAKE_OPTIONS) -B build/silicon/cmake -DLUTRA_PYTHON_DIR="$(CURDIR)/$(SILICON)" \
	    -DLUTRA_RTL_PARAMETERS="$$($(WITH) python -c 'from ppa.configurations import SILICON; print(";".join(f"-G{n}={v}" for n, v in SILICON.items()))')"
	@$(CMAKE) --build build/silicon/cmake --target _rtl -j $(JOBS)
	$(SAY) "known answers"
	@LUTRA_RTL_LIBRARY="$$(ls "$(CURDIR)"/$(SILICON)/lutra/rtl/_rtl*.so)" ./lutra kat --engine rtl --limit $(CONFIGURATION_ANSWERS)

speed: build ## how fast simulator, core and commands are on this machine, docs/speed.md (SPEED_ARGS; some minutes)
	@$(WITH) python -m speed --record $(SPEED_ARGS)

ppa: build ## gates and ns of the core by synthesis, docs/ppa.md (PPA_ARGS; network once, 8 minutes on two cores)
	@./lutra ppa --jobs $(JOBS) $(PPA_ARGS)

ppa-check: build ## the same, and fail where it is 3 % worse than synthesis/ppa/figures.json
	@./lutra ppa --jobs $(JOBS) --check $(PPA_ARGS)

ppa-peers: setup ## other AES cores, fetched, through the same flow (network)
	@./lutra ppa --peers $(PPA_ARGS)

ppa-tools: ## fetch what `make ppa` needs beside the Python environment
	@.ci/ppa-tools >/dev/null

formal: build ## proofs about the core (FORMAL_ARGS: words in the names of those wanted)
	@$(WITH) python -m formal --jobs $(JOBS) --json build/formal/results.json $(FORMAL_ARGS)

mutation: build ## all mutants of core and simulator against the tests (long; MUTATION_ARGS)
	@$(WITH) python -m mutation --jobs $(JOBS) $(MUTATION_ARGS)

mutation-packets: build ## all mutants of the protocols of packets against their tests (minutes; MUTATION_ARGS)
	@$(WITH) python -m mutation.packets --jobs $(JOBS) $(MUTATION_ARGS)

mutation-sample: build ## a fixed choice of 40 mutants
	@$(WITH) python -m mutation --jobs $(JOBS) --sample 40

seeded-bugs: build ## bugs put in on purpose must be found
	@$(WITH) python -m seeded_bugs --jobs $(JOBS)

injection: build ## flip every bit of the stream contexts, one by one: what a core with a shadow finds (INJECTION_STEP)
	$(SAY) "faults on the simulator, five words and all"
	@for words in 5 16; do $(WITH) python -m injection --engine iss --shadow $$words --jobs $(JOBS) || exit 1; done
	@$(MAKE) build CONFIGURATION=shadow
	$(SAY) "faults on the core, in lock-step"
	@./lutra --configuration shadow --with python -m injection --engine cosim --step $(INJECTION_STEP) --jobs $(JOBS)
	@./lutra --configuration shadow --with python -m injection.story --engine cosim
	@$(MAKE) build CONFIGURATION=protected
	$(SAY) "what a wipe leaves, and when plaintext leaves the core"
	@./lutra --configuration protected --with python -m injection.leftovers
	@./lutra --configuration protected --with python -m injection.release --engine cosim
	@./lutra --configuration protected --with python -m injection.pack_release --engine cosim
	@./lutra --configuration protected --with python -m injection.pack_release --one-image
	@./lutra --configuration protected --with python -m injection.twice

faults: build ## flips and stuck gates in the synthesized netlist, class by class (FAULTS_ARGS; hours without --sample)
	@$(WITH) python -m faults --jobs $(JOBS) $(FAULTS_ARGS)

power-loss: build ## cut the power at every place of a field update (half an hour; POWER_LOSS_ARGS)
	@$(WITH) python -m power_loss --jobs $(JOBS) $(POWER_LOSS_ARGS)

power-loss-bugs: build ## mistakes in the loader that the loss of power must show
	@$(WITH) python -m power_loss.bugs --jobs $(JOBS)

fuzz: build ## packs, flash and fuses made by coverage, loader and reader (FUZZ_SECONDS for each target)
	@$(WITH) python -m fuzz --seconds $(FUZZ_SECONDS)

fuzz-bugs: build ## mistakes in the loader that fuzzing must find
	@$(WITH) python -m fuzz.bugs --jobs $(JOBS)

fuzz-dap: build ## broken, hostile and mad clients of the debug adapter (PROTOCOL_FUZZ_SECONDS)
	@$(WITH) python -m protocol_fuzz --target dap --seconds $(PROTOCOL_FUZZ_SECONDS)

fuzz-lsp: build ## broken, hostile and mad clients of the language server, edits of real firmware (PROTOCOL_FUZZ_SECONDS)
	@$(WITH) python -m protocol_fuzz --target lsp --seconds $(PROTOCOL_FUZZ_SECONDS)

loader: build ## the loader in C: size and stack on RV32, warnings, coverage by its tests
	@$(WITH) python -m loader_checks --jobs $(JOBS)

monte-carlo: build ## long chains of AES and Camellia against OpenSSL, in lock-step
	@$(WITH) python -m nightly.monte_carlo

nightly: build ## all long campaigns, summary in build/nightly/summary.md (NIGHTLY_ARGS)
	@$(WITH) python -m nightly $(NIGHTLY_ARGS)

source-distribution: setup ## the sources, built and installed by pip in empty environments (network, minutes)
	@env -u MAKEFLAGS -u MFLAGS $(WITH) python -m nightly.source_distribution

patch-demo: build ## a broken cipher is replaced on a device, and a broken patch refused, in lock-step
	@$(WITH) python -m patch_stories --engine cosim zuc broken

patch-stories: build ## all stories of patching
	@$(WITH) python -m patch_stories

fresh-machine: ## the two commands of README.md on a bare Debian 12 (root, debootstrap; 30 minutes)
	@.ci/fresh-machine

uvm: export LUTRA_CONFIGURATION := $(CONFIGURED)
uvm: build ## the UVM bench: all tests and UVM_SEEDS random seeds, or UVM_TEST with SEED (CONFIGURATION)
	@$(WITH) python -m uvm.runner.build --jobs $(JOBS)
	@$(WITH) python -m uvm.runner.regress --jobs $(JOBS) $(if $(UVM_TEST),--test $(UVM_TEST) \
	    $(addprefix --variant ,$(VARIANT)) --seed $(SEED) $(if $(filter 1,$(WAVES)),--waves),--seeds $(UVM_SEEDS))

coverage: export LUTRA_CONFIGURATION := $(CONFIGURED)
coverage: build ## functional coverage to 100 %, code coverage of the core; pages in build/coverage (CONFIGURATION)
	$(SAY) "a core that counts lines, toggles and expressions"
	@rm -rf $(COUNTS)/data $(COUNTS)/tests && mkdir -p $(COUNTS)/data
	@$(CMAKE) $(CMAKE_OPTIONS) -B $(COUNTS)/cmake -DLUTRA_PYTHON_DIR="$(CURDIR)/$(COUNTING)" \
	    -DLUTRA_RTL_COVERAGE=ON
	@$(CMAKE) --build $(COUNTS)/cmake --target _rtl -j $(JOBS)
	$(SAY) "random programs, programs aimed at holes"
	@./lutra campaign run --seeds 0:$(COVERAGE_SEEDS) --jobs $(JOBS) --coverage $(COUNTS)/random.json
	@$(COUNTED) ./lutra campaign run --seeds 0:$(COVERAGE_COUNTED) --steer $(COUNTS)/random.json \
	    --coverage $(COUNTS)/steered.json
	$(SAY) "known answers and tests on the counting core"
	@$(COUNTED) ./lutra kat --engine cosim --limit 4 tests/vectors
	@$(COUNTED) $(WITH) python -m pytest -q -m "nightly or not nightly" tests/cosim/test_any_word.py
	@$(COUNTED) $(WITH) python -m pytest -q -k shrx8 tests/cosim/test_words_nearly_legal.py
	@$(COUNTED) $(WITH) python -m pytest -q tests/iss/test_control.py tests/iss/test_moves.py tests/rtl
	$(SAY) "pages in $(COUNTS)"
	@./lutra coverage $(COUNTS)/random.json $(COUNTS)/steered.json $(COUNTS)/data/*.json \
	    --page $(COUNTS)/functional.md --complete | tail -1
	@$(WITH) python -m rtl_coverage.report $(COUNTS)/data --page $(COUNTS)/rtl.md
