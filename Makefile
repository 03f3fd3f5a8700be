# Saldo. `make` lists what can be done.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
UI_SOURCES := $(shell find ui locales -type f -not -path 'ui/node_modules/*' -not -path 'ui/dist/*' -not -path 'ui/test-results/*' 2>/dev/null)
INSTALLED := ui/node_modules/.saldo-installed
CALLS := ui/src/api/schema.d.ts
BUILT := ui/dist/app/index.html
GO_BUILD := CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X saldo/internal/app.Version=$(VERSION)"

.PHONY: help run build reader ui test test-keycloak test-pdfa contract-fuzz supply-chain soak bench contract format clean

help: ## list these commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

run: build ## build everything and serve a demo fleet at http://localhost:8080/app/
	@exec bin/saldo demo

build: $(BUILT) ## build bin/saldo with the web application inside
	@$(GO_BUILD) -o bin/saldo ./cmd/saldo

reader: ## build bin/reader, which reads pictures of invoices; fetches 60 MB from PyPI
	@scripts/reader/fetch bin/reader
	@$(GO_BUILD) -o bin/reader/saldo-reader ./cmd/saldo-reader

ui: $(BUILT) ## build the web application alone

$(INSTALLED): ui/package-lock.json ui/package.json
	@cd ui && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(CALLS): $(INSTALLED) openapi.json
	@cd ui && npm run --silent api

$(BUILT): $(INSTALLED) $(CALLS) $(UI_SOURCES)
	@cd ui && npm run --silent build
	@touch $@

test: ## run everything there is; installs missing Debian packages when root
	@scripts/test

test-keycloak: ## run the tests that need a real Keycloak, beside one from Maven Central
	@scripts/test-keycloak

test-pdfa: ## let veraPDF and Mustang, from Maven Central, judge the papers that the tests print
	@scripts/test-pdfa

contract-fuzz: build ## let Schemathesis, from PyPI, ask a demo everything in openapi.json, as everybody, on both engines
	@scripts/contract-fuzz

supply-chain: $(INSTALLED) ## list the libraries with their licences (sbom.cdx.json) and look up known weaknesses
	@node scripts/supply-chain.mjs

soak: ## the same tests, longer: SALDO_SOAK times (20), and with the reader of pictures where it can be fetched
	@$(MAKE) --no-print-directory reader || echo "tests that need bin/reader are left out"
	@SALDO_SOAK=$${SALDO_SOAK:-20} scripts/test

bench: build ## run the benchmarks; results go to bench/README.md by hand
	@TMPDIR=$${TMPDIR:-/tmp} scripts/with-postgres bench/run

contract: ## write openapi.json from the Go types
	@go run ./cmd/saldo openapi > openapi.json.new && mv openapi.json.new openapi.json

format: $(INSTALLED) ## format Go and TypeScript
	@gofmt -w $$(git ls-files '*.go') && cd ui && npm run --silent format

clean: ## remove what was built and installed, not the data
	@rm -rf bin ui/node_modules ui/dist/app ui/src/api/schema.d.ts ui/src/i18n/english.d.ts
