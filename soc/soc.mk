# Targets of the system on chip. Included by the Makefile.
SOC_GEN := build/gen/soc
SOC_STAMP := $(SOC_GEN)/.stamp
SOC_LINT = verilator_bin --lint-only -Wall --no-timing --assert --quiet soc/rtl/lint.vlt rtl/lint.vlt \
    -F $(BUILD)/gen/sv/lutra_packages.f -F rtl/lutra.f -F $(BUILD)/gen/sv/lutra_modules.f -F soc/rtl/lutra_soc.f
CLUSTER_LINT = $(SOC_LINT) soc/cluster/lint.vlt -F soc/cluster/lutra_cluster.f --top-module lutra_cluster

# Cores and lock-step pairs: one core alone, and a pair next to a single core. The other shapes differ in widths only, and
# would take two minutes of lint here: `make soc-cluster`.
CLUSTER_SHAPES := 1:0 3:1
soc-cluster: CLUSTER_SHAPES += 2:0 2:1 4:2 4:0 8:0 8:4

.PHONY: soc-generated lint-soc soc-axi soc-rtl soc-device soc-answers soc-rates soc-uvm soc-package soc-linux \
    soc-cluster soc-cluster-rates

# Registers and layouts, as RTL and as C headers.
$(SOC_STAMP): $(wildcard soc/registers/*.rdl) $(wildcard soc/lutra/soc/*.py soc/lutra/soc/templates/*.j2) $(IN_PLACE_STAMP)
	$(SAY) "generating registers of the system on chip"
	@$(WITH) python -m lutra.soc.generate --out $(SOC_GEN)
	@touch $@

soc-generated: $(SOC_STAMP)

build: soc-generated

lint: lint-soc

lint-soc: build
	$(SAY) "lint: system on chip"
	@$(WITH) $(SOC_LINT) --top-module lutra_axi
	@$(WITH) $(SOC_LINT) --top-module lutra_axi -GDATA_WIDTH=128
	@for shape in $(CLUSTER_SHAPES); do \
	    $(WITH) $(CLUSTER_LINT) -GCORES=$${shape%:*} -GLOCKSTEP_PAIRS=$${shape#*:} || exit 1; done

# The suite of the model on the RTL, without and with stalls. The first build takes minutes.
SOC_RTL_TESTS := $(addprefix tests/soc/,test_messages.py test_descriptors.py test_rings.py test_faults.py test_driver.py \
    test_driver_cache.py test_driver_rv32.py test_loader.py test_known_answers.py test_stream_operations.py \
    test_stream_known_answers.py test_tenants.py test_leftovers.py test_mac_pairs.py)

soc-device: build
	$(SAY) "building lutra_axi"
	@$(CMAKE) --build $(BUILD)/cmake -j $(JOBS) --target _axi _axi_stub -- --quiet

soc-rtl: soc-device ## the system on chip's tests on its RTL (ten minutes)
	$(SAY) "tests of the device, on the RTL"
	@LUTRA_SOC_DEVICES=rtl,rtl-slow $(WITH) $(PYTEST) $(PYTEST_ARGS) $(SOC_RTL_TESTS)

# SOC_ANSWERS_ARGS="--device model-fast --only stream --limit 10".
soc-answers: soc-device ## known answers through the ring of lutra_axi (LUTRA_VECTORS)
	$(SAY) "known answers through the ring"
	@$(WITH) python -m lutra.soc.answers $(SOC_ANSWERS_ARGS) $(or $(KAT_FOLDERS),tests/vectors)

soc-rates: build ## cycles per message on the RTL, the table of docs/system-on-chip.md (three minutes, after soc-rtl's build)
	@$(CMAKE) --build $(BUILD)/cmake -j $(JOBS) --target _axi -- --quiet
	@$(WITH) python -m lutra.soc.rates

# SOC_CLUSTER_CORES=8: cores that are built, of which a host enables as many as it wants.
SOC_CLUSTER_CORES ?= 4
soc-cluster: lint-soc ## a cluster of cores on its RTL: random packets, faults, order (minutes to build)
	$(SAY) "building lutra_cluster"
	@$(CMAKE) --log-level=WARNING -DLUTRA_CLUSTER_CORES=$(SOC_CLUSTER_CORES) $(BUILD)/cmake >/dev/null
	@$(CMAKE) --build $(BUILD)/cmake -j $(JOBS) --target _cluster -- --quiet
	@$(WITH) $(PYTEST) $(PYTEST_ARGS) tests/soc/test_cluster.py tests/soc/test_cluster_pdcp.py tests/soc/test_cluster_pairs.py

soc-cluster-rates: soc-cluster ## bytes per cycle of 1 to 8 cores, the tables of docs/cluster.md
	@$(WITH) python -m lutra.soc.cluster

# SOC_UVM_TEST=errors SEED=7 WAVES=1: one test; SOC_UVM_SEEDS=8: more seeds.
SOC_UVM_SEEDS ?= 4
soc-uvm: build ## the UVM bench of lutra_axi: all tests, SOC_UVM_SEEDS seeds, coverage (SOC_UVM_TEST, SEED, WAVES)
	@$(WITH) python -m uvm.runner.build --bench soc --jobs $(JOBS)
	@$(WITH) python -m uvm.runner.soc --jobs $(JOBS) $(if $(SOC_UVM_TEST),--test $(SOC_UVM_TEST) \
	    $(addprefix --firmware ,$(VARIANT)) --seed $(SEED) $(if $(filter 1,$(WAVES)),--waves),--seeds $(SOC_UVM_SEEDS))

soc-axi: build ## lutra_axi on its bench: messages, refusals, faults (four minutes of processor time)
	@$(WITH) python -m pytest -q -m nightly $(PYTEST_ARGS) tests/soc/test_axi.py

soc-package: build ## manifests of lutra_axi for FuseSoC, Bender and IP-XACT, from its lists of files
	@$(WITH) python -m lutra.soc.packaging

CPP_FILES += $(wildcard soc/linux/*.[ch] soc/linux/*/*.[ch])

# Debian's kernel in QEMU with the module, on the device model; SOC_LINUX_ARGS="--device stand-in --show".
soc-linux: build ## the kernel module in QEMU: self-tests of the kernel, messages through AF_ALG
	$(SAY) "Linux module"
	@$(WITH) python -m lutra.soc.linux $(SOC_LINUX_ARGS)

CPP_FILES += $(wildcard soc/cluster/sim/*.[ch]pp)

include soc/systems/systems.mk
