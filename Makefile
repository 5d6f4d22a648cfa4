# The whole workflow. Every target sets up what it needs on a machine with Python and make only.
PY ?= python3
V := .venv
B := $(V)/bin

.PHONY: run test check code-check setup screens web-fixtures web-test web-check web-demo format bench soak mutation lock clean

# The demonstration floor, until Ctrl-C; PORT= chooses another port, DATA= another folder for its journal.
PORT ?= 8000
DATA ?= data
run: setup
	$(B)/croupier serve --demonstration --data $(DATA) --port $(PORT)

# What fails is run once more by itself: a test that a busy machine upset passes then, and a wrong one does not.
# The tests start hundreds of processes, so what Python compiles for one is kept for the next. Many of them wait
# for a browser, a timer or a disk: one worker more than there are processors has something to do meanwhile.
test: export PYTHONDONTWRITEBYTECODE =
test: $(V)/.dev
	$(B)/python -m pytest -n $$(($$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1) + 1)) || $(B)/python -m pytest -n 0 --last-failed --last-failed-no-failures none
	$(MAKE) web-test

# Code and screens are looked at side by side; where make can, it keeps apart what the two of them say.
check: $(V)/.dev
	$(MAKE) -j2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) code-check web-check

code-check: $(V)/.dev
	$(B)/ruff format --check .
	$(B)/ruff check .
	$(B)/mypy
	MYPYPATH=src:tests:bench $(B)/mypy bench/*.py
	$(B)/lint-imports

setup: $(V)/.run screens

$(V)/.run: requirements.lock pyproject.toml
	test -x $(B)/python || $(PY) -m venv $(V)
	$(B)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	$(B)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

$(V)/.dev: requirements-dev.lock $(V)/.run
	$(B)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.lock
	touch $@

# The screens are built with the package; this looks whether their sources have changed since.
screens: $(V)/.run
	$(B)/python hatch_build.py

# The tests and the development page of the screens draw every book there is.
web-fixtures: $(V)/.run
	$(B)/python scripts/book_fixtures.py

web-test: screens web-fixtures
	$(B)/python hatch_build.py node node_modules/vitest/vitest.mjs run
	$(B)/python hatch_build.py node scripts/budget.mjs

web-check: $(V)/.run
	$(B)/python hatch_build.py node node_modules/svelte-check/bin/svelte-check --tsconfig ./tsconfig.json

# The screens with fixtures instead of a table, rebuilt while one edits: open /demo.html.
web-demo: web-fixtures
	$(B)/python hatch_build.py node node_modules/vite/bin/vite.js

format: $(V)/.dev
	$(B)/ruff format .
	$(B)/ruff check --fix .

# Every figure in the documents that names a benchmark comes from here.
bench: $(V)/.dev
	$(B)/python bench/settlement.py
	$(B)/python bench/table.py
	$(B)/python bench/lab.py
	$(B)/python bench/journal.py
	$(B)/python bench/journal_rounds.py
	$(B)/python bench/server.py
	$(B)/python bench/several.py
	$(B)/python bench/screens.py

# The seeded simulation for as long as asked, with a progress line.
MINUTES ?= 10
soak: $(V)/.dev
	$(B)/python -m croupier.floor.simulation --minutes $(MINUTES)

# How many of a seeded sample of small faults in the rules the tests find; PART=floor takes the accounts,
# ONLY="table/settling table/ledger" some modules alone.
SAMPLE ?= 300
PART ?= core
mutation: $(V)/.dev
	$(B)/python scripts/mutation.py --part $(PART) --sample $(SAMPLE) $(if $(ONLY),--only $(ONLY))

# Needs uv; the locks carry hashes and name no host.
lock:
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q --extra server --extra wheel --extra lab --extra postgres --group build -o requirements.lock pyproject.toml
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q --extra server --extra wheel --extra cluster --extra postgres --group dev -o requirements-dev.lock pyproject.toml

clean:
	rm -rf $(V) build dist web/node_modules web/fixtures src/croupier/server/static .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
