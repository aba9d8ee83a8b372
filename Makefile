# Sets hoyle up and checks it. Needs make and Python 3.11 or later; all else goes into .venv here.
#
#   make demo    play a thousand games of DOS with random bots
#   make test    run the tests
#   make lint    style, types and layers of the code
#   make check   lint, then test
#   make bench   measure the speed (some minutes)
#   make clean   remove .venv and what the tools left behind
#
# PYTHON=python3.12 chooses the Python, GAMES=100 the number of games of the demo.

SHELL = /bin/sh
BIN = .venv/bin
GAMES = 1000

.PHONY: help demo test lint check bench generated clean anew
.NOTPARALLEL:

help:
	@sed -n '/^#   make/s/^# //p' Makefile

demo: .venv/run.stamp
	$(BIN)/hoyle simulate dos --games $(GAMES)

test: .venv/dev.stamp
	$(BIN)/python -m pytest -n auto --dist loadgroup

lint: .venv/dev.stamp
	$(BIN)/python -m ruff check
	$(BIN)/python -m ruff format --check
	$(BIN)/python -m mypy
	$(BIN)/lint-imports --no-logo

check: lint test

bench: .venv/dev.stamp
	$(BIN)/python tests/bench/bench.py

generated: .venv/dev.stamp
	$(BIN)/hoyle compile specs/*.hoyle -o generated

clean:
	rm -rf .venv dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- set-up: once, and again when pyproject.toml changes ---------------------------------------------

# A .venv is of no use when its Python is gone, or when it came along with a copy of this folder: it holds
# the path it was made for, and would run the code there.
STALE := $(shell test ! -f .venv/place || { test -x $(BIN)/python && test "$$(cat .venv/place)" = "$$(pwd -P)"; } || echo anew)

.venv/run.stamp: pyproject.toml $(STALE)
	$(make-venv)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

.venv/dev.stamp: pyproject.toml $(STALE)
	$(make-venv)
	@# No marker tells musl from glibc: where OpenSpiel has no wheel after all, its test is skipped.
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary open_spiel -e '.[dev,rl]' || \
	{ echo "Going on without OpenSpiel: the tests against it will be skipped."; \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'; }
	@touch .venv/run.stamp $@

anew:
	@echo "This .venv belongs to another folder or Python: setting it up anew."
	@rm -rf .venv

# Makes .venv unless there is one that works. Says in words what is missing.
define make-venv
@if $(BIN)/python -m pip --version >/dev/null 2>&1; then pwd -P >.venv/place; exit 0; fi; \
found=; bare=; \
for python in $(or $(PYTHON),python3 python3.13 python3.12 python3.11 python); do \
    "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue; \
    if "$$python" -c 'import venv, ensurepip' >/dev/null 2>&1; then found=$$python; break; fi; \
    bare=$${bare:-$$python}; \
done; \
if test -z "$$found" && test -n "$$bare"; then \
    echo "$$bare is new enough, but lacks the modules venv and ensurepip." >&2; \
    echo "On Debian and Ubuntu they come with: apt-get install python3-venv" >&2; \
    exit 1; \
elif test -z "$$found"; then \
    echo "hoyle needs Python 3.11 or later; found none as: $(or $(PYTHON),python3 python3.13 python3.12 python3.11 python)." >&2; \
    echo "Install one (https://www.python.org/downloads), or name it: make PYTHON=/path/to/python3" >&2; \
    exit 1; \
fi; \
echo "Setting up .venv with $$("$$found" --version). This is done once and may take a minute."; \
"$$found" -m venv --clear .venv && pwd -P >.venv/place
endef
