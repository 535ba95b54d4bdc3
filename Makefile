# Railwright. `make play` and `make test` do all the setting up themselves.
#   play      a game in the terminal; ARGS="chicago-express --players 4" is passed on
#   test      the tests                    lint      ruff and mypy
#   soak      long random play             sanitize  the core's tests in an ASan and UBSan build
#   bench     speeds and ratios            annotate  how Cython sees the core: yellow lines touch Python
#   tournament, ladder  matches between agents, into bench/RESULTS.md; an evening with FRESH=--fresh
#   wheel     sdist and wheel, tested in an environment of their own
#   clean     what was built goes, the environment stays

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := play
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
ARGS ?=
FRESH ?=
VENV := .venv
RUN := $(VENV)/bin/python
PIP := $(RUN) -m pip --disable-pip-version-check -qq
CORE := $(wildcard cext/*.pyx cext/*.pxd cext/*.pxi)
CORE_TESTS := tests/test_conformance.py tests/test_lockstep.py tests/test_perft.py tests/test_properties.py tests/games \
	tests/ai/test_search.py tests/ai/test_solver.py
SANITIZED := $(CURDIR)/build/sanitize/lib
WHEEL := build/wheel
comma := ,

.PHONY: play test soak bench tournament ladder lint sanitize wheel annotate clean

play: $(VENV)/built
	@$(VENV)/bin/railwright play $(ARGS)

test: $(VENV)/built
	@$(RUN) -m pytest -n 2 $(ARGS)

soak: $(VENV)/built
	@$(RUN) -m pytest -n 2 -m slow $(ARGS)

bench: $(VENV)/built
	@$(RUN) -m pytest bench -m "" --benchmark-only --benchmark-disable-gc --benchmark-columns=min,median,ops --benchmark-sort=name $(ARGS)

tournament: $(VENV)/built
	@$(RUN) bench/tournament.py $(FRESH) $(ARGS)

ladder: $(VENV)/built
	@$(RUN) bench/tournament.py --only '*-level-*' $(FRESH) $(ARGS)

lint: $(VENV)/built
	@$(VENV)/bin/ruff check -q .
	@$(VENV)/bin/mypy --no-error-summary engine ai cli

# --- setting up ------------------------------------------------------------------
# A stamp is touched only when its step went well. A step's talk goes into a log, which is shown when the step fails.
define missing
{ echo "error: $(1)" >&2; exit 1; }
endef
define logged
mkdir -p build; { $(1); } >build/log 2>&1 || { cat build/log >&2; echo "error: $(2)" >&2; exit 1; }
endef

$(VENV)/made:
	@command -v $(PYTHON) >/dev/null || $(call missing,no $(PYTHON) here; expected Python 3.11 or newer$(comma) name it with PYTHON=...)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| $(call missing,$(PYTHON) is $$($(PYTHON) -V 2>&1); expected Python 3.11 or newer$(comma) name it with PYTHON=...)
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null \
		|| $(call missing,$(PYTHON) has no venv module; expected it$(comma) on Debian and Ubuntu the package python3-venv)
	@$(PYTHON) -c 'import os, sysconfig; os.stat(sysconfig.get_paths()["include"] + "/Python.h")' 2>/dev/null \
		|| $(call missing,$(PYTHON) has no C headers; expected Python.h$(comma) on Debian and Ubuntu the package python3-dev)
	@command -v $${CC:-$$($(PYTHON) -c 'import sysconfig; print((sysconfig.get_config_var("CC") or "cc").split()[0])')} >/dev/null \
		|| $(call missing,no C compiler here; expected gcc or clang$(comma) on Debian and Ubuntu the package build-essential)
	@echo "setting up $(VENV), once" >&2
	@$(call logged,$(PYTHON) -m venv $(VENV),the environment cannot be made)
	@touch $@

$(VENV)/installed: pyproject.toml setup.py | $(VENV)/made
	@echo "installing what Railwright needs and building its core" >&2
	@rm -f cext/*.so
	@$(call logged,$(PIP) install $$($(RUN) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml"$(comma) "rb"))["build-system"]["requires"])') \
		&& $(PIP) install --no-build-isolation -e '.[dev]',the installation failed)
	@touch $@

$(VENV)/built: $(CORE) $(VENV)/installed
	@$(call logged,$(RUN) setup.py -q build_ext --inplace,the core does not build)
	@touch $@

# --- other builds ----------------------------------------------------------------
# The sanitizers' runtime must be in the process before Python, whose own allocator would hide faults; -s lets them speak.
sanitize: $(VENV)/built
	@echo "building the core with sanitizers" >&2
	@rm -rf build/sanitize
	@$(call logged,RAILWRIGHT_SANITIZE=1 $(RUN) setup.py -q build --build-base build/sanitize --build-lib $(SANITIZED),the core does not build)
	@export PYTHONPATH=$(SANITIZED) PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD=$$($${CC:-gcc} -print-file-name=libasan.so); \
		$(RUN) -c 'from railwright.cext import game; assert game.__file__.startswith("$(SANITIZED)"), game.__file__'; \
		$(RUN) -m pytest -s -p no:cacheprovider $(CORE_TESTS) $(ARGS)

wheel: $(VENV)/built
	@echo "building sdist and wheel" >&2
	@rm -rf dist $(WHEEL)
	@$(call logged,$(RUN) -m build --outdir dist .,the wheel does not build)
	@$(call logged,$(RUN) -m venv $(WHEEL) \
		&& $(WHEEL)/bin/python -m pip --disable-pip-version-check -qq install "$$(echo dist/*.whl)[dev]",the wheel cannot be installed)
	@cd $(WHEEL) && bin/python -c 'from railwright.cext import game; assert "/site-packages/" in game.__file__, game.__file__'
	@$(WHEEL)/bin/pytest -p no:cacheprovider $(ARGS)
	@ls dist

annotate: $(VENV)/built
	@$(call logged,RAILWRIGHT_ANNOTATE=1 CYTHON_FORCE_REGEN=1 $(RUN) setup.py -q --version,the core does not compile)
	@ls build/c/cext/*.html

clean:
	@rm -rf build dist *.egg-info cext/*.so $(VENV)/built .benchmarks .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +
