# A thin front door: meson does the work. `make` builds build/whet; `make test` builds the rest too.
BUILD = build

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) whet

everything: $(BUILD)/build.ninja
	@ninja -C $(BUILD)

$(BUILD)/build.ninja:
	@tools/install-dependencies build
	@meson setup $(BUILD) --prefix=$(or $(PREFIX),/usr/local) $(if $(CHECKS),-Dwerror=true)

demo:
	@tools/install-dependencies build
	@$(MAKE) --no-print-directory all
	@tools/demo

# make test CHECKS=1, as CI does it: a warning of gcc or clang is an error, and clang-tidy has nothing to say
test:
	@tools/install-dependencies build test editors cluster format $(if $(CHECKS),check)
	@$(MAKE) --no-print-directory everything
	@tests/run $(BUILD) $(if $(CHECKS),--checks)

# Only those: make check WHAT=tidy
check:
	@tools/install-dependencies build test format check
	@tests/check-build $(WHAT)

# ThreadSanitizer on the threads of engine explicit
tsan:
	@tools/install-dependencies build
	@tests/tsan

# make fuzz MINUTES=10 WHAT=certificate; WHAT is input if it is not given, or certificate, tree, smt2, vmt or svlib
fuzz:
	@tools/install-dependencies build fuzz
	@tests/fuzz $(or $(MINUTES),3) $(or $(WHAT),input)

# Lines that the tests reach, by room; make coverage LINES=src/proof lists those of a folder that none does
coverage:
	@tools/install-dependencies build test coverage
	@tools/coverage $(if $(LINES),--lines $(LINES))

bench:
	@tools/install-dependencies build bench
	@$(MAKE) --no-print-directory everything
	@bench/run

# Random models for a while: make campaign SECONDS=3600 SEED=1
campaign: everything
	@tests/campaign $(BUILD) --seconds $(or $(SECONDS),300) $(if $(SEED),--first $(SEED))

# Only what is installed is built. DESTDIR is as everywhere.
install: $(BUILD)/build.ninja
	@ninja -C $(BUILD) installed
	@meson install -C $(BUILD) --no-rebuild

# What `make install` has installed with the same PREFIX and DESTDIR
uninstall: $(BUILD)/build.ninja
	@tools/uninstall $(BUILD)

# Packages for Debian, in the folder above, as dpkg-buildpackage leaves them; lintian has nothing to say about them
deb:
	@tools/install-dependencies build package
	@dpkg-buildpackage -us -uc -b
	@lintian --fail-on error,warning ../whet_$$(dpkg-parsechangelog -S Version)_$$(dpkg --print-architecture).changes

format:
	@tools/install-dependencies format
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	@rm -rf $(BUILD) build-sanitize build-tsan build-fuzz build-coverage build-gcc build-clang

.PHONY: all everything campaign fuzz demo test check tsan coverage bench install uninstall deb format clean
