# Everything that a contributor types. `make` alone lists it.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(firstword $(shell command -v python3.11 python3.12 python3.13 python3))
STAMP := $(VENV)/.installed
KB := .kaoju/demo
CODE := src tests examples bench

.PHONY: help setup demo demo-model test check check-slow bench lock docs clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMP) ## Make .venv with the kaoju command, at the locked versions

$(STAMP): requirements/lock.txt pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; install it, or run make PYTHON=/path/to/python."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is older than Python 3.11; run make PYTHON=/path/to/a/newer/python."; exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@echo "Installing the locked packages into $(VENV); this takes a minute or two."
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -r requirements/lock.txt
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

demo: setup ## Answer five questions over the example collection, without a model
	$(BIN)/python examples/demo.py --kb $(KB)

demo-model: setup ## Pull the local model (1.1 GB, once) and let it answer the same questions
	$(BIN)/kaoju model pull
	$(BIN)/python examples/demo.py --kb $(KB) --model local

test: check ## Checks, then every test that needs neither a model nor minutes
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not slow"

check: setup ## Lint, format, types, import layers
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/mypy
	$(BIN)/lint-imports

check-slow: setup ## Tests that need a local model, or minutes
	$(BIN)/python -m pytest -m slow

bench: setup ## Benchmarks: scheduler, dispatcher and more, each beside a peer where there is one
	@for script in bench/*.py; do echo "== $$script"; $(BIN)/python $$script; done

docs: setup ## Rewrite the generated reference pages
	$(BIN)/python docs/generate.py

lock: setup ## Choose the newest allowed versions again and write requirements/lock.txt
	$(BIN)/python -m pip install -qq --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --no-header --no-emit-index-url \
		--extra local --extra mysql --extra postgres --group dev pyproject.toml -o requirements/lock.txt

clean: ## Remove the environment, caches and demo knowledge bases
	rm -rf $(VENV) .kaoju build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find $(CODE) -name __pycache__ -type d -prune -exec rm -rf {} +
