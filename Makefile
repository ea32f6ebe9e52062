# `make train` and `make test` set up what they need in .venv; nothing is installed elsewhere.
# Another interpreter: make test PYTHON=python3.12

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
LIBRARIES := .venv-libraries
RLLIB := .venv-rllib
CUDA := .venv-cuda
SITE := .venv-site

# A worker of pytest on each core; one that has no test left takes some from another.
PARALLEL := --numprocesses auto --dist worksteal

# Without its bytecode, every worker and every process that a test starts compiles Python again.
unexport PYTHONDONTWRITEBYTECODE

# How long make hostile tries.
MINUTES := 10

# What is tested on the Gymnasium of RLlib, beside RLlib itself.
WITH_RLLIB := tests/envs tests/rules tests/test_game.py tests/arena \
	tests/training/test_multi_seat_games.py tests/training/test_self_play.py

# What is tested with the compiler, and again without it.
UNCOMPILED := tests/rules tests/test_belief.py tests/test_belief_weights.py \
	tests/envs/test_observation.py tests/envs/test_batch_env.py tests/envs/test_opponents.py \
	tests/envs/test_full_states.py tests/envs/test_padding.py tests/envs/test_scripted_seats.py \
	tests/envs/test_illegal_actions.py tests/agents/test_heuristics.py \
	tests/agents/test_plain_positions.py tests/agents/test_position_features.py \
	tests/agents/test_lookahead.py \
	tests/training/test_features.py tests/training/test_compiled_network.py

# The notebooks are executed for the site when they or the code have changed.
NOTEBOOK_PAGES := $(patsubst %.ipynb,build/site/%.md,$(wildcard notebooks/*.ipynb))
SOURCES = $(shell find mindup_env agents training -name '*.py' -o -name '*.toml')

.PHONY: train test lint types unit hostile slow test-rllib test-cuda golden docs pictures site package clean
.DELETE_ON_ERROR:

train: $(READY)
	$(BIN)/mindup train

test: lint types unit

lint: $(READY)
	$(BIN)/ruff format --check
	$(BIN)/ruff check

types: $(READY)
	$(BIN)/mypy

# Coverage cannot see inside compiled functions, and doubles the time of tests that play in Python.
# So the rules are tested twice: compiled without coverage, and uncompiled with it.
unit: $(READY)
	$(BIN)/coverage erase
	$(BIN)/pytest $(PARALLEL) $(UNCOMPILED)
	$(BIN)/coverage run -m pytest $(PARALLEL) $(UNCOMPILED:%=--ignore=%)
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest $(PARALLEL) $(UNCOMPILED)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# Fuzzers, kills and races. A failure prints the seed: make hostile MINUTES=1 SEED=1234
hostile: $(READY)
	$(BIN)/pytest -m hostile --numprocesses auto tests/hostile --minutes $(MINUTES) \
		$(if $(SEED),--hostile-seed $(SEED))

# What takes too long for every change: the libraries that people train with, which have an
# environment of their own.
slow: $(LIBRARIES)/ready
	$(LIBRARIES)/bin/pytest -m slow tests/envs/test_other_libraries.py tests/envs/test_torchrl.py \
		tests/text/test_textarena.py tests/training/test_logger_libraries.py \
		tests/test_examples.py tests/test_library_pages.py

# RLlib and Ray pin an older Gymnasium, and so have an environment of their own. A test of RLlib
# uses both cores itself.
test-rllib: $(RLLIB)/ready
	$(RLLIB)/bin/pytest tests/rllib
	$(RLLIB)/bin/pytest $(PARALLEL) $(WITH_RLLIB)

# The kernels for GPUs, with the compiler of NVIDIA, which is large; without a GPU, the tests that
# need one are skipped.
test-cuda: $(CUDA)/ready
	$(CUDA)/bin/pytest $(PARALLEL) tests/cuda

# Writes the golden files again, after an intended change of what they show.
golden: $(READY)
	$(BIN)/python -m tools.golden

# Writes the generated tables of the documents.
docs: $(READY)
	$(BIN)/python -m tools.tables

# Draws the pictures of the documents; the screenshots need Chromium.
pictures: $(READY)
	$(BIN)/python -m tools.table_picture
	$(BIN)/python -m tools.play_picture
	$(BIN)/python -m tools.leaderboard_picture
	$(BIN)/python -m tools.review_pictures

# Builds the documentation in build/site/html. Fails on a broken link, on a name of the API
# reference without a docstring, and on anything that a browser would load from another host.
site: $(READY) $(SITE)/ready $(NOTEBOOK_PAGES)
	$(BIN)/python -m tools.site.pages build/site/notebooks build/site/pages
	PATH="$(CURDIR)/$(SITE)/bin:$$PATH" zensical build --strict --clean
	$(BIN)/python -m tools.site.check build/site/html

build/site/notebooks/%.md: notebooks/%.ipynb tools/site/notebooks.py $(SOURCES) | $(READY)
	$(BIN)/python -m tools.site.notebooks $< $(@D)

# Builds the source archive and the wheel in dist/, checks what is in them, and tries the wheel in
# a new environment.
package: $(READY)
	$(BIN)/python -m tools.package dist

# The constraints also bind what a build of the package fetches for itself.
$(LIBRARIES)/ready: pyproject.toml constraints-libraries.txt
	$(PYTHON) -m venv $(LIBRARIES)
	PIP_CONSTRAINT=constraints-libraries.txt $(LIBRARIES)/bin/python -m pip install --quiet torch
	PIP_CONSTRAINT=constraints-libraries.txt $(LIBRARIES)/bin/python -m pip install --quiet \
		--editable '.[mlflow,render,textarena,torchrl,train,wandb]' hypothesis pytest supersuit tianshou
	touch $@

$(RLLIB)/ready: pyproject.toml constraints-rllib.txt
	$(PYTHON) -m venv $(RLLIB)
	PIP_CONSTRAINT=constraints-rllib.txt $(RLLIB)/bin/python -m pip install --quiet torch
	PIP_CONSTRAINT=constraints-rllib.txt $(RLLIB)/bin/python -m pip install --quiet \
		--editable '.[render,rllib]' choix hypothesis pytest pytest-xdist
	touch $@

$(CUDA)/ready: pyproject.toml constraints-cuda.txt
	$(PYTHON) -m venv $(CUDA)
	PIP_CONSTRAINT=constraints-cuda.txt $(CUDA)/bin/python -m pip install --quiet \
		--editable '.[cuda]' hypothesis pytest pytest-xdist
	touch $@

# The API reference is read from the source: the package and its dependencies are not needed here.
$(SITE)/ready: constraints-site.txt
	$(PYTHON) -m venv $(SITE)
	$(SITE)/bin/python -m pip install --quiet --constraint constraints-site.txt \
		mkdocstrings-python ruff zensical
	touch $@

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) $(LIBRARIES) $(RLLIB) $(CUDA) $(SITE) build dist .coverage .coverage.*
	rm -rf .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache
	rm -rf mindup_env/engine/__pycache__  # the compiled code of every state of the source there was
