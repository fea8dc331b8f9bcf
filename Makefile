# What CI runs, and the chores.  PYTHON=.venv/bin/python picks the environment.
PYTHON ?= python3
SOURCES = cli compiler retrograd runtime tests examples benchmarks tools

.PHONY: help check format lint types rules rules-fresh test quick full comparisons surface fuzz texts site gallery bench

help:  ## this list
	@grep -E '^[a-z-]+: .*##|^[a-z-]+:  ##' Makefile | sed -E 's/:[^#]*##/\t/' | expand -t 16

check: lint types rules-fresh full  ## everything CI runs, and all of the tests

format:  ## rewrite the sources in the house format
	$(PYTHON) -m ruff format $(SOURCES)
	$(PYTHON) -m ruff check --fix $(SOURCES)

lint:  ## format and lint, without changing anything
	$(PYTHON) -m ruff format --check $(SOURCES)
	$(PYTHON) -m ruff check $(SOURCES)

types:  ## mypy, strict
	$(PYTHON) -m mypy

rules:  ## write runtime/generated/adjoints.py and runtime/helper_index.py anew
	$(PYTHON) -m retrograd.compiler.bookgen.adjoint_modules
	$(PYTHON) -m retrograd.compiler.bookgen.helper_index

rules-fresh:  ## are the generated modules of runtime/ what the sources give?
	$(PYTHON) -m pytest -q -p no:cacheprovider tests/test_house.py -k fresh

test:  ## the tests, on all cores
	$(PYTHON) -m pytest -n auto

quick:  ## the tests of a minute: golden texts, one sample of each rule, the house, a smoke of the face
	$(PYTHON) -m pytest -n auto --quick

full: comparisons  ## the tests with every sample and every case, and against PyTorch, JAX and autograd
	$(PYTHON) -m pytest -n auto --full

comparisons:  ## install what the full tests compare with, where it can be had
	$(PYTHON) -m tests.comparisons

surface:  ## how many rows of the eager surface pass, here and on PyTorch
	$(PYTHON) -m tests.autograd.report

fuzz:  ## a thousand random programs, other ones every time
	$(PYTHON) -m tests.fuzz.run --count 1000 --seed $$(date +%s) --jobs 2

texts:  ## write the golden texts and the documentation anew
	$(PYTHON) -m tests.regenerate
	$(PYTHON) -m tests.update_docs
	$(PYTHON) -m tools.gallery --pages

site:  ## the documentation as a site, in build/site; needs ".[docs]"
	$(PYTHON) -m tools.site build/site

gallery:  ## draw the pictures of the gallery and write its pages; needs ".[docs]"
	$(PYTHON) -m tools.gallery

bench:  ## gradient times against hand-written adjoints and the peers
	$(PYTHON) -m benchmarks.bench --json benchmarks/bench.json --svg benchmarks/bench.svg
	$(PYTHON) -m benchmarks.kernels --json benchmarks/kernels.json
	$(PYTHON) -m benchmarks.latency
	$(PYTHON) -m benchmarks.latency --programs
	$(PYTHON) -m benchmarks.floats
	$(PYTHON) -m benchmarks.scaling
