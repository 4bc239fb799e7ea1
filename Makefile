# A thin front door: meson does the work. `make` builds build/whet.
BUILD = build

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD)

$(BUILD)/build.ninja:
	@tools/install-dependencies build
	@meson setup $(BUILD) --prefix=$(or $(PREFIX),/usr/local)

demo: all
	@tools/demo

test:
	@tools/install-dependencies build test
	@$(MAKE) --no-print-directory all
	@tests/run $(BUILD)

bench:
	@tools/install-dependencies build bench
	@$(MAKE) --no-print-directory all
	@bench/run

install: all
	@meson install -C $(BUILD)

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	@rm -rf $(BUILD) build-sanitize build-fuzz

.PHONY: all demo test bench install format clean
