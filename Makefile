# SPDX-License-Identifier: Apache-2.0
# The commands of a developer. Every target first installs what it needs (tools/setup.sh).
.PHONY: help demo build wheel dist release test test-long docs fuzz mutants bench format lint clean
.DEFAULT_GOAL := help
SHELL := /bin/bash

FILES ?=
DATA ?=
BENCH ?=
PART ?=
AGAIN ?=
# 64-bit ARM by a cross compiler: MACHINE=aarch64
MACHINE ?=
SECONDS_EACH ?= 60
PARTS = python3 tools/parts.py
PART_OPTIONS = $(if $(PART),--part $(PART)) $(if $(AGAIN),--again)
# What `make demo` runs: the program of `make build`, or one that is compiled soon and runs slowly.
DEMO = $(if $(wildcard build/release/bough),release,demo)

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

build: ## Build the library, build/release/bough and a .venv with the Python package
	@tools/setup.sh core package
	@tools/build.sh release bough bough_cli bough_python
	@.venv/bin/python tools/sbom.py -o build/release/bough.cdx.json
	@tools/package.sh

wheel: ## Build a wheel for every Linux of this age or newer, every library inside, into build/dist (MACHINE=aarch64)
	@tools/setup.sh core package wheel $(MACHINE)
	@tools/wheel.sh $(MACHINE)

dist: ## Pack the command line as one file that needs no library, with man page and completions, into build/dist (MACHINE=aarch64)
	@tools/setup.sh core wheel $(MACHINE)
	@tools/dist.sh $(MACHINE)

release: ## Build and check everything that a version consists of (wheel, program, sdist, .deb, site); uploads nothing
	@tools/setup.sh core python package wheel release docs
	@tools/build.sh release bough bough_cli bough_python
	@tools/package.sh
	@tools/release.sh

demo: ## Build, then train on an embedded data set (DATA=titanic for another)
	@tools/setup.sh core
	@tools/build.sh $(DEMO) bough_cli
	@build/$(DEMO)/bough demo $(DATA)

test: ## Check format and layers, build, then run the tests (release, sanitizers, Python side); half an hour from nothing
	@tools/setup.sh core format fuzz python
	@tools/test.sh

test-long: ## Run the long tests in parts that can be resumed (PART=3/8 or by name, AGAIN=1; tools/parts.py)
	@tools/setup.sh core python docs bench long ort16 ort23 package wheel release aarch64
	@$(PARTS) test-long $(PART_OPTIONS)

docs: ## Build the documentation site: build/docs/html/index.html (needs no network once set up)
	@tools/setup.sh core python docs
	@tools/build.sh release bough bough_cli bough_python
	@tools/package.sh
	@tools/docs.sh

mutants: ## Change the core in hundreds of places and count how many changes the tests notice (PART=prune, JOBS=2)
	@tools/setup.sh core python mutants
	@$(PARTS) mutants $(PART_OPTIONS)

fuzz: ## Throw hostile bytes at what reads them (SECONDS_EACH=600, PART=csv,model for some, see fuzz/README.md)
	@tools/setup.sh core fuzz
	@SECONDS_EACH=$(SECONDS_EACH) $(PARTS) fuzz $(PART_OPTIONS)

bench: ## Run the benchmarks beside the peers (BENCH=quick for ten minutes, PART=ordinary, or BENCH="targets --only gini" for a part of one, see bench/README.md)
	@tools/setup.sh core python bench treeple
	@$(if $(BENCH),bench/run.sh $(BENCH),$(PARTS) bench $(PART_OPTIONS))

format: ## Format the sources in place
	@tools/setup.sh format
	@tools/lint.sh format $(FILES)

lint: ## Check format, layers and clang-tidy (FILES="a.cpp b.cpp" for some, default: those changed since HEAD)
	@tools/setup.sh core format lint
	@tools/lint.sh check $(FILES)

clean: ## Remove what was built (build/, demo/); .venv and bench/.venv stay
	rm -rf build demo
