# `make train` and `make test` set up what they need in .venv; nothing is installed elsewhere.
# Another interpreter: make test PYTHON=python3.12

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
LIBRARIES := .venv-libraries

# A worker of pytest on each core; one that has no test left takes some from another. A test that
# hangs ends its worker and fails, and what each thread was doing is printed.
PARALLEL := --numprocesses auto --dist worksteal \
	-o faulthandler_timeout=900 -o faulthandler_exit_on_timeout=true

# Without its bytecode, every worker and every process that a test starts compiles Python again.
unexport PYTHONDONTWRITEBYTECODE

# How long make hostile tries.
MINUTES := 10

# What is tested on the Gymnasium of RLlib, beside RLlib itself.
WITH_RLLIB := tests/envs tests/training/test_games.py tests/training/test_self_play.py

# What is tested with the compiler, and again without it.
UNCOMPILED := tests/rules tests/test_belief.py tests/test_belief_odds.py \
	tests/envs/test_observation.py tests/envs/test_batch_env.py tests/envs/test_opponents.py \
	tests/envs/test_full_states.py tests/envs/test_padding.py tests/envs/test_scripted_seats.py \
	tests/envs/test_illegal_actions.py tests/agents/test_features.py \
	tests/agents/test_heuristics.py tests/agents/test_plain_positions.py \
	tests/training/test_policy_evaluation.py::test_logits_and_values_are_those_of_pytorch \
	tests/training/test_bidding.py::test_compiled_code_computes_what_pytorch_does[small] \
	tests/training/test_bidding.py::test_only_cards_that_an_opponent_can_hold_are_predicted[small]

# The part of them that make test runs without the compiler too.
QUICK_UNCOMPILED := tests/rules tests/envs/test_observation.py

.PHONY: train test lint types unit coverage hostile slow test-rllib test-cuda golden docs pictures site package clean
.DELETE_ON_ERROR:

train: $(READY)
	$(BIN)/mindup train

test: lint types unit

lint: $(READY)
	$(BIN)/ruff format --check
	$(BIN)/ruff check

types: $(READY)
	$(BIN)/mypy

# A part of the rules is tested without the compiler too: an error of Python that compiled code
# would hide, such as an index outside of an array, shows there.
unit: $(READY)
	$(BIN)/pytest $(PARALLEL)
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest $(PARALLEL) $(QUICK_UNCOMPILED)

# All tests, with the documented commands. Coverage cannot see inside compiled functions, and slows
# tests that play in Python. So the rules are tested twice: compiled without coverage, and uncompiled
# with it.
coverage: $(READY)
	$(BIN)/coverage erase
	$(BIN)/pytest $(PARALLEL) $(UNCOMPILED)
	$(BIN)/coverage run -m pytest $(PARALLEL) -m "not slow and not hostile" \
		$(UNCOMPILED:%=--deselect=%)
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest $(PARALLEL) $(UNCOMPILED)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# Fuzzers and kills. A failure prints the seed: make hostile MINUTES=1 SEED=1234
hostile: $(READY)
	$(BIN)/pytest -m hostile --numprocesses auto tests/hostile --minutes $(MINUTES) \
		$(if $(SEED),--hostile-seed $(SEED))

# What takes too long for every change: the libraries that people train with, which have an
# environment of their own.
slow: $(LIBRARIES)/ready
	$(LIBRARIES)/bin/pytest -m slow tests/envs/test_other_libraries.py \
		tests/training/test_logger_libraries.py

# A test of RLlib uses both cores itself. RLlib pins an older Gymnasium, and so the environments
# are tested on that one too.
test-rllib: $(LIBRARIES)/ready
	$(LIBRARIES)/bin/pytest tests/rllib
	$(LIBRARIES)/bin/pytest $(PARALLEL) $(WITH_RLLIB)

# The kernels for GPUs, with the compiler of NVIDIA; without a GPU, the tests that need one are
# skipped.
test-cuda: $(LIBRARIES)/ready
	$(LIBRARIES)/bin/pytest $(PARALLEL) -m "not hostile" tests/cuda

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

# Libraries that need older versions than ours, or that are large, share an environment. The
# constraints also bind what a build of the package fetches for itself.
$(LIBRARIES)/ready: pyproject.toml constraints-libraries.txt
	$(PYTHON) -m venv $(LIBRARIES)
	PIP_CONSTRAINT=constraints-libraries.txt $(LIBRARIES)/bin/python -m pip install --quiet torch
	PIP_CONSTRAINT=constraints-libraries.txt $(LIBRARIES)/bin/python -m pip install --quiet \
		--editable '.[cuda,mlflow,render,rllib,train,wandb]' \
		choix hypothesis pytest pytest-xdist supersuit tianshou torchrl
	touch $@

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) $(LIBRARIES) build dist .coverage .coverage.*
	rm -rf .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache
	rm -rf mindup_env/engine/__pycache__  # the compiled code of every state of the source there was
