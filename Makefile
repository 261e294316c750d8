# Everything that a checkout can do. Needs Python 3.11 or newer, make and the package registry, nothing else;
# the sample bots in other languages need those languages.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help demo test soak bench bots proto freeze-proto clean

# Somebody may have switched the bytecode cache off; without it every command would compile all it imports anew.
unexport PYTHONDONTWRITEBYTECODE
export PIP_DISABLE_PIP_VERSION_CHECK := 1
unexport PIP_USER PYTHONPATH PYTHONHOME

BIN := .venv/bin
OLD := .venv-oldest/bin
# A Python can be there in name only, or lack the parts that make an environment: the first that works is taken.
PYTHONS := $(or $(PYTHON),python3.13 python3.12 python3.11 python3 python3.14 python)
WORKS := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))

# What runs on Windows and macOS too: the SDK for bots with all that it stands on, and the sample bots in Python.
SDK := -p arena.bot -p arena.wire -p arena.v1 -m arena.loopback -m arena.errors -p engine -p sample_bots

help: ## Say what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

demo: .venv/server ## Set up and play one match between sample bots; GAME=name for another game
	@$(BIN)/arena demo $(if $(GAME),--game $(GAME))

test: .venv/dev .venv-oldest/dev ## Set up and pass every check, the cheap ones first
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32 $(SDK)
	$(BIN)/mypy --platform darwin --cache-dir .mypy_cache/darwin $(SDK)
	$(BIN)/lint-imports --no-logo
	$(BIN)/python tests/budgets.py
	$(BIN)/buf lint proto
	$(BIN)/buf breaking proto --against proto/landed.binpb
	PYTHONWARNINGS=ignore $(OLD)/python proto/generate.py --check
	$(OLD)/python -m pytest -q tests/transport
	$(BIN)/python -m pytest -q --numprocesses logical --dist loadfile --no-loadscope-reorder

soak: .venv/dev ## Run the tests that have a full size at that size; takes hours
	ARENA_SOAK=1 $(BIN)/python -m pytest -v -o faulthandler_timeout=3600

bench: .venv/bench ## Measure the engine, the server, the bridge, start-up, the ladder and a long run beside their references
	$(BIN)/python tests/bench/engine_playouts.py
	$(BIN)/python tests/bench/server_decision.py
	$(BIN)/python tests/bench/many_bots.py
	$(BIN)/python tests/bench/bridge.py
	$(BIN)/python tests/bench/flood.py
	$(BIN)/python tests/bench/startup.py
	$(BIN)/python tests/bench/ladder_fit.py
	$(BIN)/python tests/bench/long_run.py

# What builds a sample bot, and what is built. `make bots` names those whose language is not installed, and builds the
# others; under CI it builds all.
BOTS := go=sample_bots/go/go_bot npm=sample_bots/node/dist/node_bot.js mvn=sample_bots/java/target/java_bot.jar
BOTS += cargo=sample_bots/rust/target/release/rust_bot grpc_cpp_plugin=sample_bots/cpp/build/cpp_bot
INSTALL_grpc_cpp_plugin := ; apt-get install cmake g++ libgrpc++-dev protobuf-compiler-grpc libprotobuf-dev \
    protobuf-compiler (Debian 12, Ubuntu 24.04), or brew install cmake grpc protobuf (macOS)
tool = $(firstword $(subst =, ,$(1)))
program = $(lastword $(subst =, ,$(1)))
UNBUILT := $(if $(CI),,$(foreach bot,$(BOTS),$(if $(shell command -v $(call tool,$(bot)) 2>/dev/null),,$(bot))))

bots: $(foreach bot,$(filter-out $(UNBUILT),$(BOTS)),$(call program,$(bot))) ## Build the sample bots in the languages that are installed
	@$(foreach bot,$(UNBUILT),echo "$(call tool,$(bot)) is not installed: $(call program,$(bot)) is not built$(INSTALL_$(call tool,$(bot)))" >&2;)

proto: .venv-oldest/dev ## Generate the stubs in arena/v1 from proto
	PYTHONWARNINGS=ignore $(OLD)/python proto/generate.py

freeze-proto: .venv/dev ## Take the protocol as it is for the one that must not be broken
	$(BIN)/buf breaking proto --against proto/landed.binpb
	$(BIN)/buf build proto --exclude-source-info -o proto/landed.binpb

clean: ## Remove the environments and all caches; the data of matches stays
	rm -rf .venv .venv-oldest build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	rm -rf sample_bots/go/gen sample_bots/go/go_bot $(addprefix sample_bots/node/,dist gen node_modules)
	rm -rf sample_bots/java/target sample_bots/rust/target sample_bots/cpp/build
	find arena engine sample_bots proto tests -name __pycache__ -type d -prune -exec rm -rf {} +

# Sample bots. Their stubs are made anew from proto, and their libraries are those that the folder pins.
PROTO := $(wildcard proto/arena/v1/*.proto)

sample_bots/go/go_bot: $(wildcard sample_bots/go/*.go) sample_bots/go/go.mod sample_bots/go/buf.gen.yaml $(PROTO) | .venv/dev
	cd $(@D) && ../../$(BIN)/buf generate && go build -buildvcs=false -o $(@F) .
	@touch $@

sample_bots/node/dist/node_bot.js: $(wildcard sample_bots/node/*.ts sample_bots/node/*.json) $(PROTO)
	cd sample_bots/node && npm ci --silent && npm run --silent build
	@touch $@

sample_bots/java/target/java_bot.jar: $(wildcard sample_bots/java/src/main/java/bot/*.java) sample_bots/java/pom.xml $(PROTO)
	cd sample_bots/java && mvn -q -B clean package -DskipTests
	@touch $@

sample_bots/rust/target/release/rust_bot: $(wildcard sample_bots/rust/*.* sample_bots/rust/src/*.rs) $(PROTO)
	cd sample_bots/rust && cargo build --quiet --release --locked
	@touch $@

sample_bots/cpp/build/cpp_bot: $(wildcard sample_bots/cpp/*.?pp) sample_bots/cpp/CMakeLists.txt $(PROTO)
	@for tool in cmake protoc grpc_cpp_plugin; do command -v $$tool >/dev/null || { \
	    echo "$$tool is not installed: $@ is not built$(INSTALL_grpc_cpp_plugin)" >&2; exit 2; }; done
	cd sample_bots/cpp && cmake -S . -B build >/dev/null && cmake --build build --parallel 2 >/dev/null
	@touch $@

# Environments. Each has stamp files, as old as the installation that they stand for.
.venv/pyvenv.cfg .venv-oldest/pyvenv.cfg:
	@for python in $(PYTHONS); do \
	    if $$python -c '$(WORKS)' >/dev/null 2>&1; then exec $$python -m venv --clear $(@D); fi; \
	done; \
	echo "No Python 3.11 or newer that can make environments, tried: $(PYTHONS)." \
	     "Say where one is with make PYTHON=/path/to/python (Debian, Ubuntu: install python3-venv too)." >&2; exit 2

.venv/server: pyproject.toml | .venv/pyvenv.cfg
	$(BIN)/python -m pip install --quiet --editable '.[server]'
	$(BIN)/python -m compileall -q arena engine sample_bots
	@touch $@

.venv/dev: pyproject.toml | .venv/pyvenv.cfg
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --upgrade --upgrade-strategy eager --editable '.[server]' --group dev
	$(BIN)/python -m compileall -q arena engine sample_bots
	@touch .venv/server $@

.venv/bench: .venv/dev
	$(BIN)/python -m pip install --quiet --group bench
	@touch $@

.venv-oldest/dev: pyproject.toml | .venv-oldest/pyvenv.cfg
	$(OLD)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(OLD)/python -m pip install --quiet --no-compile --editable '.[server]' --group oldest
	@touch $@
