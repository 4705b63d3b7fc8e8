# `make demo` and `make test` need Python 3.11 or newer and nothing else.

PYTHON ?= python3
WORKERS ?= 2
# Passed on to pytest or to the benchmark: make test ARGS="-k ndcg"
ARGS ?=

# Names this interpreter and this folder, so that another Python or a moved checkout gets a new environment.
# Empty if the interpreter is missing or too old.
KEY := $(shell $(PYTHON) -c 'import os, sys, zlib; v = sys.version_info[:2]; v >= (3, 11) and print("%d.%d-%08x" % (v + (zlib.crc32(repr((sys.version, sys.base_prefix, os.getcwd())).encode()),)))' 2>/dev/null)
UV := $(shell uv --version >/dev/null 2>&1 && echo uv || echo .venv-tools/bin/uv)
OWN_UV := $(filter .venv-tools/%,$(UV))
export UV_PYTHON_DOWNLOADS = never
# Trust what the system trusts, as pip may be told to.
export UV_SYSTEM_CERTS = 1
# Without bytecode every process that a test starts would compile all that it loads.
unexport PYTHONDONTWRITEBYTECODE

# uv does not read pip's settings; a mirror that is set for pip serves it too.
ifdef PIP_INDEX_URL
UV_DEFAULT_INDEX ?= $(PIP_INDEX_URL)
export UV_DEFAULT_INDEX
endif

DEMO_ENV := .venv-demo/.ready-$(KEY)
TEST_ENV := .venv/.ready-$(KEY)
BENCH_ENV := .venv-bench/.ready-$(KEY)
DOCS_ENV := .venv-docs/.ready-$(KEY)

RUN := .venv/bin/python -m
PYTEST = $(RUN) pytest -q -n $(WORKERS)

.PHONY: help demo test test-slow bench docs services services-stop lint audit lock clean python

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

demo: $(DEMO_ENV) ## Set up what is needed and run the demonstration
	@.venv-demo/bin/cranfield demo

test: lint ## Check everything: lint, types, layers, doctests, tests
	@$(PYTEST) $(ARGS)

test-slow: $(TEST_ENV) ## Run the second tier: long simulations, fuzzing, load
	@$(PYTEST) -m slow $(ARGS) || { test $$? -eq 5 && echo "There is no slow test to run."; }

bench: $(BENCH_ENV) ## Measure against the peers and print the ratios
	@.venv-bench/bin/python -m bench $(ARGS)

# The notice that it silences is about the theme; the decision page says what follows from it.
docs: $(DOCS_ENV) ## Build the documentation as a site, in site/
	@NO_MKDOCS_2_WARNING=1 .venv-docs/bin/python -m mkdocs build --quiet --strict
	@echo "The documentation is in site/index.html"

# The place for what tests need beyond Python: a browser, a database, a search engine.
services: ## Install and start what some tests need beyond Python
	@PYTHON=$(PYTHON) tools/services.sh

services-stop: ## Stop the servers that `make services` started
	@tools/services.sh stop

lint: $(TEST_ENV) ## Check style, types and layers only
	@$(RUN) ruff check
	@$(RUN) ruff format --check
	@$(RUN) mypy --num-workers $(WORKERS)
	@report=$$(.venv/bin/lint-imports --no-logo) && echo "$$report" | tail -n 1 || { echo "$$report"; exit 1; }

audit: python $(OWN_UV) ## Ask whether vulnerabilities of the locked packages are known
	@$(PYTHON) tools/audit.py $(UV)

COMPILE = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--annotation-style line --custom-compile-command "make lock" $(LOCK_FLAGS)

lock: python $(OWN_UV) ## Renew requirements/*.txt (newest versions: LOCK_FLAGS=--upgrade)
	@$(COMPILE) requirements/tools.in -o requirements/tools.txt
	@$(COMPILE) pyproject.toml requirements/core.in -o requirements/core.txt
	@$(COMPILE) pyproject.toml --all-extras requirements/test.in -c requirements/core.txt -o requirements/test.txt
	@$(COMPILE) pyproject.toml --extra report --extra search --extra logs requirements/demo.in \
		-c requirements/test.txt -o requirements/demo.txt
	@$(COMPILE) requirements/docs.in -c requirements/test.txt -o requirements/docs.txt
	@$(COMPILE) pyproject.toml --all-extras requirements/bench.in -c requirements/test.txt -o requirements/bench.txt

clean: services-stop ## Remove the environments and whatever the tools left behind
	@rm -rf .services
	@rm -rf .venv .venv-demo .venv-bench .venv-docs .venv-tools build dist site htmlcov .coverage .coverage.*
	@rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

python:
	@test -n "$(KEY)" || { echo "Cranfield needs Python 3.11 or newer, but '$(PYTHON) --version' says:" \
		"$$($(PYTHON) --version 2>&1 | head -n 1). To name another: make PYTHON=/path/to/python3.11" >&2; exit 1; }

# An environment holds exactly what its lock lists, and this checkout.
$(DEMO_ENV): LOCK := requirements/demo.txt
$(TEST_ENV): LOCK := requirements/test.txt
$(BENCH_ENV): LOCK := requirements/bench.txt
$(DOCS_ENV): LOCK := requirements/docs.txt
$(DEMO_ENV): requirements/demo.txt
$(TEST_ENV): requirements/test.txt
$(BENCH_ENV): requirements/bench.txt
$(DOCS_ENV): requirements/docs.txt
$(DEMO_ENV) $(TEST_ENV) $(BENCH_ENV) $(DOCS_ENV): pyproject.toml | python $(OWN_UV)
	@echo "Setting up $(@D) from $(LOCK) ..."
	@test -e $@ || { base=$$($(PYTHON) -c 'import sys; print(sys._base_executable)') && rm -rf $(@D) && \
		$(UV) venv --quiet --python "$$base" $(@D); }
	@$(UV) pip sync --quiet --python $(@D) --require-hashes $(LOCK)
	@$(UV) pip install --quiet --python $(@D) --no-deps --no-build-isolation --editable .
	@touch $@

.venv-tools/bin/uv: requirements/tools.txt | python
	@echo "Setting up .venv-tools: uv, which is not installed here ..."
	@$(PYTHON) -m venv --clear .venv-tools
	@.venv-tools/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@
