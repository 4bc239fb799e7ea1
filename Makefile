# A thin front door: meson does the work. `make` builds build/whet.
BUILD = build

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD)

$(BUILD)/build.ninja:
	@tools/install-dependencies build
	@meson setup $(BUILD) --prefix=$(or $(PREFIX),/usr/local)

demo:
	@tools/install-dependencies build
	@$(MAKE) --no-print-directory all
	@tools/demo

test:
	@tools/install-dependencies build test
	@$(MAKE) --no-print-directory all
	@tests/run $(BUILD)

bench:
	@tools/install-dependencies build bench
	@$(MAKE) --no-print-directory all
	@bench/run

# Random models for a while: make campaign SECONDS=3600 SEED=1
campaign: all
	@tests/campaign $(BUILD) --seconds $(or $(SECONDS),300) $(if $(SEED),--first $(SEED))

install: all
	@meson install -C $(BUILD)

format:
	@tools/install-dependencies format
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	@rm -rf $(BUILD) build-sanitize build-fuzz

.PHONY: all campaign demo test bench install format clean
