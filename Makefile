# Every command of the project. `make` lists them.

SHELL := /bin/bash
VENV := .venv
PYTHON := $(VENV)/bin/python
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
PIP := $(PYTHON) -m pip --quiet --disable-pip-version-check install --require-hashes
# Python's and Node's packages are fetched at the same time, and their tests run side by side.
MAKEFLAGS += --jobs=2
# Images for containers set it: each of the tests' many processes would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE
# Not locked, and in the Dockerfile as well: its packages differ by machine, and on Linux the plain one brings gigabytes for graphics cards.
TORCH_VERSION := 2.13.0
# Empty: the build for the processor alone, where pip's index has one.
TORCH ?=
PORT ?= 8000
export PORT

CORE := $(VENV)/.core-installed
NEURAL := $(VENV)/.neural-installed
DEV := $(VENV)/.dev-installed
NODE_PACKAGES := frontend/node_modules/.installed
FRONTEND := frontend/dist/.built
FRONTEND_SOURCES := $(shell find frontend/src frontend/public -type f 2>/dev/null) $(wildcard frontend/*.json frontend/*.ts frontend/*.js frontend/*.html)

.PHONY: help demo run user neural parquet anthropic gemini audit build wheel check check-backend check-frontend fix schema test test-backend test-frontend test-services prove bench screenshots clean

# A file's tests stay together, files in the order of tests/conftest.py, which says how many run at once.
TESTS := $(PYTHON) -m pytest -n auto --dist loadfile --no-loadscope-reorder

help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

demo: $(CORE) $(FRONTEND) ## start Assay with a demo study in it (PORT=8000)
	@ASSAY_DATA=$${ASSAY_DATA:-data/demo} $(PYTHON) manage.py demo

run: $(CORE) $(FRONTEND) ## start Assay, empty or as it was left (PORT=8000)
	@$(PYTHON) manage.py serve

user: $(CORE) ## make an account: make user NAME=you
	@$(PYTHON) manage.py migrate --verbosity 0 && $(PYTHON) manage.py create_user $(NAME)

neural: $(NEURAL) ## install what judges with models need (TORCH=torch==…)

build: $(FRONTEND) ## build the pages

wheel: $(DEV) $(FRONTEND) ## build a wheel with the pages in it, into dist/
	$(PYTHON) -m hatchling build --target wheel --directory dist

check: check-backend check-frontend ## format, lint, types, import contracts, schema drift

check-backend: $(DEV) $(NODE_PACKAGES)
	ruff format --check .
	ruff check .
	mypy .
	lint-imports
	$(PYTHON) manage.py makemigrations --check --dry-run
	$(PYTHON) tools/schema.py --check

# It speaks once, as the tests of the pages do.
check-frontend: $(NODE_PACKAGES)
	@said=$$(cd frontend && npm run --silent format:check 2>&1 && npm run --silent lint 2>&1 \
		&& npm run --silent types 2>&1); status=$$?; printf '\n== checks of the pages\n%s\n' "$$said"; exit $$status

fix: $(DEV) $(NODE_PACKAGES) ## mend what format and lint can mend
	ruff format .
	ruff check --fix .
	cd frontend && npm run --silent format && npm run --silent lint -- --fix

schema: $(DEV) $(NODE_PACKAGES) ## write the API's schema and the types made from it
	$(PYTHON) tools/schema.py

test: test-backend test-frontend ## run all tests (fast forms)

test-backend: $(DEV) $(FRONTEND)
	@tools/ensure-chromium
	$(TESTS)

# It speaks once, when it is done: what runs beside it draws its line of dots meanwhile.
test-frontend: $(FRONTEND)
	@said=$$(cd frontend && npm run --silent test 2>&1 && npm run --silent size 2>&1); status=$$?; \
		printf '\n== tests of the pages\n%s\n' "$$said"; exit $$status

# Without those that reach neither, nor start a process: `make test` runs them, and they would do the same here.
test-services: $(DEV) $(FRONTEND) ## run what reaches a database or Redis on PostgreSQL and Redis
	@tools/ensure-chromium
	$(PYTHON) tools/with_services.py $(TESTS) -p tests.reach

prove: $(DEV) $(FRONTEND) ## run the long proofs, on SQLite and on PostgreSQL
	$(PYTHON) -m pytest -m prove
	$(PYTHON) tools/with_services.py $(PYTHON) -m pytest -m prove

bench: $(DEV) ## measure speed side by side with the alternatives
	$(PYTHON) -m benchmarks

screenshots: $(DEV) $(FRONTEND) ## take pictures of every page, and the tutorial's
	@tools/ensure-chromium
	$(PYTHON) -m pytest -m screenshots tests/e2e

clean: ## remove everything that was installed or built (data stays)
	rm -rf $(VENV) frontend/node_modules frontend/dist

$(PYTHON):
	@tools/make-environment $(VENV)

$(CORE): requirements/core.txt | $(PYTHON)
	@echo "Installing Python packages into $(VENV) …"
	@$(PIP) --no-compile -r requirements/core.txt
	@touch $@

# The lists are complete but for torch, which is not in them: nothing is looked up beside them.
$(NEURAL): requirements/neural.txt $(CORE)
	@echo "Installing what judges with models need …"
	@$(PIP) --no-compile --no-deps -r requirements/neural.txt
	@tools/install-torch $(PYTHON) $(TORCH_VERSION) $(TORCH)
	@touch $@

parquet: $(CORE) ## install what reads and writes Parquet
	@$(PIP) --no-compile --no-deps -r requirements/parquet.txt

anthropic: $(CORE) ## install the library for models over Anthropic's API
	@$(PIP) --no-compile --no-deps -r requirements/anthropic.txt

gemini: $(CORE) ## install the library for models over Google's Gemini API
	@$(PIP) --no-compile --no-deps -r requirements/gemini.txt

# Its packages stand apart: they are of the tool, and no part of what is installed.
audit: $(CORE) $(NODE_PACKAGES) ## look all packages up in lists of known vulnerabilities
	@$(PYTHON) -m venv $(VENV)/audit
	@$(VENV)/audit/bin/python -m pip --quiet --disable-pip-version-check install --require-hashes --no-deps -r requirements/audit.txt
	@$(VENV)/audit/bin/python tools/locks/audit.py torch==$(TORCH_VERSION)

$(DEV): requirements/dev.txt $(NEURAL)
	@echo "Installing what checks and tests need …"
	@$(PIP) --no-compile --no-deps -r requirements/dev.txt
	@touch $@

$(NODE_PACKAGES): frontend/package-lock.json | $(PYTHON)
	@tools/ensure-node
	@echo "Installing the front end's packages …"
	@cd frontend && npm ci --no-audit --no-fund --no-update-notifier --loglevel error >/dev/null
	@touch $@

$(FRONTEND): $(NODE_PACKAGES) $(FRONTEND_SOURCES) $(CORE)
	@echo "Building the pages …"
	@cd frontend && npx --no-install vite build --logLevel warn
	@$(PYTHON) -m whitenoise.compress --quiet frontend/dist/assets
	@touch $@
