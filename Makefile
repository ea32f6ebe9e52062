# `make train` installs what training needs in .venv, `make test` the tools of development beside it;
# nothing is installed elsewhere. The constraints also bind what a build of the package fetches.
# Another interpreter: make test PYTHON=python3.12

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TRAIN := $(VENV)/ready-to-train
READY := $(VENV)/ready
LIBRARIES := .venv-libraries
# Python compiles the modules that are imported; pip would compile all of them, to 240 MB.
INSTALL := python -m pip install -qq --no-compile

# A worker of pytest on each core; one that has no test left takes some from another. A test that
# hangs ends its worker and fails, and what each thread was doing is printed.
PARALLEL := --numprocesses auto --dist worksteal \
	-o faulthandler_timeout=900 -o faulthandler_exit_on_timeout=true

# Without its bytecode, every worker and every process that a test starts compiles Python again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: train test lint types unit bounds slow libraries learns golden docs pictures site package clean
.DELETE_ON_ERROR:

train: $(TRAIN)
	$(BIN)/mindup train $(if $(OUT),--out $(OUT))

# The types are checked while the tests run; their faults are shown below those of the tests.
test: lint | build
	@$(BIN)/mypy > build/mypy.txt 2>&1 & mypy=$$!; \
	$(MAKE) --no-print-directory unit; unit=$$?; \
	wait $$mypy; types=$$?; cat build/mypy.txt; \
	exit $$((unit + types))

lint: $(READY)
	$(BIN)/ruff format --check
	$(BIN)/ruff check

types: $(READY)
	$(BIN)/mypy

# Workers that find no compiled code would each compile all of it.
unit: $(READY)
	$(BIN)/python -m tests.compile_once
	$(BIN)/pytest $(PARALLEL)

# The rules and the environments, compiled with checks that an index is within its array.
bounds: export NUMBA_BOUNDSCHECK = 1
bounds: $(READY)
	$(BIN)/python -m tests.compile_once random greedy predictor
	$(BIN)/pytest $(PARALLEL) tests/rules tests/envs

# What takes too long for every change: fuzzers, documented commands, examples and notebooks.
slow: $(READY)
	$(BIN)/python -m tests.compile_once
	$(BIN)/pytest $(PARALLEL) -m slow

# Other libraries, and the environments on the older Gymnasium that some of them need; the kernels
# for GPUs, with the compiler of NVIDIA. Without a GPU, the tests that need one are skipped.
libraries: $(LIBRARIES)/ready
	$(LIBRARIES)/bin/python -m tests.compile_once
	$(LIBRARIES)/bin/pytest $(PARALLEL) -m "not slow" tests/envs tests/cuda tests/ray tests/test_examples.py

# Installs and trains as on a new machine, and fails if the policy is weaker than any should be.
learns:
	rm -rf build/training
	$(MAKE) train VENV=build/venv-train OUT=build/training
	$(PYTHON) tests/check_training.py build/training

# Writes the golden files again, after an intended change of what they show.
golden: $(READY)
	$(BIN)/python -m tools.golden

# Writes the generated tables of the documents.
docs: $(READY)
	$(BIN)/python -m tools.tables

# Draws the pictures of the documents; the screenshots need Chromium.
pictures: $(READY)
	$(BIN)/python -m tools.pictures

# Builds the documentation in build/site/html. Fails on a link to a page that is missing.
site: $(READY)
	rm -rf build/site && mkdir -p build/site/pages
	git ls-files | tar --create --files-from - | tar --extract --directory build/site/pages
	$(BIN)/zensical build --strict --clean

# Builds the source archive and the wheel in dist/, checks what is in them, and tries the wheel in
# a new environment.
package: $(READY)
	$(BIN)/python -m tools.package dist

# Exported, so that the commands that make shows fit a terminal.
$(TRAIN) $(READY): export PIP_CONSTRAINT = constraints.txt
$(LIBRARIES)/ready: export PIP_CONSTRAINT = constraints-libraries.txt

# What training needs, and the page on which its policy plays.
$(TRAIN): pyproject.toml constraints.txt
	@echo "Installs what training needs in $(VENV): one to five minutes, 1.4 GB with PyTorch."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/$(INSTALL) --editable '.[play,train]'
	touch $@

# The tools of development, beside it.
$(READY): $(TRAIN)
	@echo "Installs the tools of development beside it: half a minute, 0.4 GB."
	$(BIN)/$(INSTALL) --editable '.[dev]'
	touch $@

# Libraries that need older versions than ours, or that are large, share an environment.
$(LIBRARIES)/ready: pyproject.toml constraints-libraries.txt
	$(PYTHON) -m venv $(LIBRARIES)
	$(LIBRARIES)/bin/$(INSTALL) \
		--editable '.[cuda,open-spiel,render,train]' hypothesis pytest pytest-xdist \
		jax 'minari[hdf5]' openai optuna pgx pygame 'ray[rllib]' rlcard supersuit tianshou torchrl
	touch $@

build:
	mkdir -p build

clean:
	rm -rf $(VENV) $(LIBRARIES) build dist
	rm -rf .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache
	rm -rf mindup_env/engine/__pycache__  # the compiled code of every state of the source there was
