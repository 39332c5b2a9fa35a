# ndproof: set-up, build, tests. `make help` lists the goals. Build products are in build/<compiler>-<flavour>/.

VERSION := 0.1.0
CC      ?= cc
CXX     ?= c++
PYTHON  ?= python3
FLAVOUR ?= plain
SECONDS ?=
ARGS    ?=
GOALS   := $(or $(MAKECMDGOALS),all)
# Warnings of unknown compilers must not stop a user; the goals for developers, and .ci/run, fail on warnings.
WERROR  ?= $(if $(filter all unit check,$(GOALS)),$(if $(PLUGIN),,-Werror))
# PLUGIN=path/to/codec.c (or .cc) builds your own target in (harness/target/plugin.h).
PLUGIN       ?=
PLUGIN_FLAGS ?=
PLUGIN_LIBS  ?=
# LIBRARIES=no skips the fuzz targets that need a Python library.
LIBRARIES    ?= yes

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wswitch-enum -Wstrict-prototypes -Wmissing-prototypes \
        -Wvla -Wcast-qual -Wwrite-strings -Wundef -Wno-unknown-warning-option -Wno-format-truncation $(WERROR)
CPPFLAGS += -Iharness -Ifuzzers -Ibuild/generated -D_POSIX_C_SOURCE=200809L
LDLIBS   := -lcjson -lzip -lz -lbz2 -llzma -llz4 -lm $(PLUGIN_LIBS)
COMMA := ,
Q := $(if $(V),,@)
MAKEFLAGS += --no-builtin-rules

# ---- set-up: make updates an included file before it builds a goal, except for make -n ----

include .ci/setup.mk
SETUP := $(sort $(foreach goal,$(GOALS),$(SETUP_$(goal))))
$(if $(SETUP),$(if $(findstring n,$(filter-out --%,$(firstword -$(MAKEFLAGS)))),,$(eval include build/setup.mk)))
build/setup.mk: FORCE
	@mkdir -p build
	@PYTHON='$(PYTHON)' .ci/setup.sh $(SETUP)
	@ls build/env 2>/dev/null | sed 's/^/# /' >$@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# ---- sources, by file name; a folder uses only folders before it in the list ----

FOLDERS := base model describe generate codec target planted property engine report cmd
ALL_C   := $(sort $(foreach d,$(FOLDERS),$(wildcard harness/$(d)/*.c) $(filter-out harness/target/example/%,$(wildcard harness/$(d)/*/*.c))))
TESTS   := $(filter %_test.c,$(ALL_C))
BENCHES := $(filter %_bench.c,$(ALL_C))
COUNTS  := $(filter %_count.c,$(ALL_C))
MODULES := $(filter-out $(TESTS) $(BENCHES) $(COUNTS) harness/base/suite_main.c,$(ALL_C))
CMD_C   := $(filter harness/cmd/%,$(MODULES)) build/generated/registry_command.c
LIB_C   := $(filter-out harness/cmd/%,$(MODULES)) $(patsubst %,build/generated/registry_%.c,property planted) \
           $(patsubst %,build/generated/table_%.c,contract corpus)
# Only these depend on PLUGIN.
WITH          := $(if $(PLUGIN),/with-$(basename $(notdir $(PLUGIN))))
PLUGINS_C     := build/generated$(WITH)/registry_plugin.c
FUZZERS       := $(sort $(wildcard fuzzers/fuzz_*.c))
FUZZ_TESTS    := $(sort $(wildcard fuzzers/*/*_test.c))
FUZZ_C        := $(filter-out $(FUZZ_TESTS) fuzzers/runtime/replay.c,$(sort $(wildcard fuzzers/*/*.c)))
# fuzz_<form>_<library>.c runs a Python library in a testee.
WITH_LIBRARY  := $(filter $(foreach l,numpy joblib cloudpickle dill numba,fuzzers/fuzz_%_$(l).c),$(FUZZERS))
CHOSEN        := $(if $(filter no,$(LIBRARIES)),$(filter-out $(WITH_LIBRARY),$(FUZZERS)),$(FUZZERS))
EVERY_C := $(ALL_C) $(LIB_C) $(CMD_C) $(PLUGINS_C) $(FUZZERS) $(FUZZ_C) $(FUZZ_TESTS) fuzzers/runtime/replay.c

# Registries: accessor, header, entries.
names = $(sort $(patsubst $(1)%.c,%,$(filter-out %_test.c,$(wildcard $(1)*.c))))
REGISTRY_property := ndp_property_all property/property.h $(call names,harness/property/property_)
REGISTRY_planted  := ndp_planted_list planted/planted.h $(sort $(call names,harness/planted/planted_) $(call names,harness/planted/graph/planted_))
REGISTRY_command  := ndp_commands cmd/command.h $(call names,harness/cmd/cmd_)
REGISTRY_plugin   := ndp_registry_plugins target/registry.h $(sort $(call names,harness/target/plugin_) \
                     $(call names,harness/target/reference/plugin_) $(basename $(notdir $(PLUGIN))))

include .ci/tests.mk

# ---- flavours ----

include .ci/flavours.mk
PLAIN := $(DIR_plain)
ASAN  := $(DIR_asan)
HERE  := $(DIR_$(FLAVOUR))
# The benches that harness/testees/python/bench_codecs.py and test_bench_codecs.py run.
export NDPROOF_BENCHES := $(abspath $(PLAIN))/harness
# make test runs the folders that handle bytes on the big-endian machine, make bigendian runs all folders.
BYTES := $(filter $(addprefix build/s390x/harness/,base/% model/% describe/% generate/% codec/%),$(HARNESS_TESTS:%=build/s390x/%))
BIG   := $(if $(wildcard build/env/bigendian/.made-from),$(HARNESS_TESTS:%=build/s390x/%) build/s390x/ndproof)

# ---- goals ----

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all help env bigendian seeds setup run test check unit selftest bench count coverage fuzz afl nightly release-check ossfuzz feedback format tidy clean FORCE

## all: build/ndproof, its library, and fuzz targets for replay (FLAVOUR=asan, CC=clang, PLUGIN=your_codec.c)
all: $(HERE)$(WITH)/libndproof.a build/ndproof $(FUZZERS:%.c=$(HERE)$(WITH)/%)
## help: this list
help:
	@sed -n 's/^## \([a-z-]*\): /\1\t/p' Makefile | awk -F'\t' '{printf "  make %-13s %s\n", $$1, $$2}'
## setup: install missing Debian packages, and a Python environment in build/venv
setup:
## run: set up, build, and sweep all available targets into reports/latest.json and .html (SECONDS=110)
run: build/ndproof
	@mkdir -p reports
	build/ndproof sweep --seconds $(or $(SECONDS),110) --report reports/latest.json --html reports/latest.html $(ARGS)
## test: set up and run every test; the last line is `N passed, N failed`
test: build/ndproof $(BENCHES:%.c=$(PLAIN)/%) $(PLAIN_TESTS:%=$(PLAIN)/%) $(ALL_TESTS:%=$(ASAN)/%) $(COUNTS:%.c=$(DIR_count)/%) $(FUZZERS:%.c=$(ASAN)/%) $(filter $(BYTES) %/ndproof,$(BIG))
	@.ci/test.sh order openings format scripts python bigendian selftest corpus schema plugin -- $(filter %_test %_count %/tests,$^)
## check: format, folder order, clang-tidy, unit tests under ASan and UBSan, corpus, selftest; run it before a commit
check: build/ndproof tidy $(ALL_TESTS:%=$(ASAN)/%) $(FUZZERS:%.c=$(ASAN)/%)
	@.ci/test.sh order openings format corpus selftest -- $(filter %_test %/tests,$^)
## unit: the unit tests of one flavour (FLAVOUR=asan)
unit: $(ALL_TESTS:%=$(HERE)/%)
	@.ci/test.sh -- $^
## selftest: check that the properties find every planted defect
selftest: build/ndproof
	build/ndproof selftest $(ARGS)
## bench: speed, memory and throughput, compared with NumPy in the same run
bench: build/ndproof $(BENCHES:%.c=$(PLAIN)/%) $(FUZZERS:%.c=$(DIR_speed)/%)
	@.ci/bench.sh $(PLAIN)/harness/target/target_bench $(sort $(wildcard harness/testees/python/bench_*.py))
	@.ci/addresses.sh .ci/fuzz.py bench $(FUZZERS:%.c=$(DIR_speed)/%)
## count: the cost of decoding hostile input, in operations and bytes of memory
count: $(COUNTS:%.c=$(DIR_count)/%)
	@.ci/test.sh -- $^
## coverage: lines and branches of the codecs that the corpus reaches, per file
coverage: $(DIR_cov)/ndproof $(FUZZERS:%.c=$(DIR_cov)/%) $(patsubst %,$(DIR_cov)/%,$(filter harness/codec/%,$(HARNESS_TESTS)))
	@.ci/coverage.sh $(DIR_cov) $(filter %_test %/tests,$^)
## fuzz: every fuzz target under libFuzzer with ASan and UBSan (SECONDS=60 each; LIBRARIES=no; PLUGIN=your_codec.c)
fuzz: build/ndproof $(CHOSEN:%.c=$(DIR_fuzz)$(WITH)/%)
	@.ci/addresses.sh .ci/fuzz.py libfuzzer $(or $(SECONDS),60) $(CHOSEN:%.c=$(DIR_fuzz)$(WITH)/%)
## afl: the same targets under AFL++ (SECONDS=60 each; LIBRARIES=no; PLUGIN=your_codec.c)
afl: build/ndproof $(CHOSEN:%.c=$(DIR_afl)$(WITH)/%) $(CHOSEN:%.c=$(PLAIN)$(WITH)/%.so)
	@.ci/addresses.sh .ci/fuzz.py afl $(or $(SECONDS),60) $(CHOSEN:%.c=$(DIR_afl)$(WITH)/%) --mutators $(PLAIN)$(WITH)/fuzzers
## nightly: every fuzz target under both engines, a sweep, merge, report and gate (HOURS=8 HISTORY=file.json RELEASED=2026-10-01)
nightly: build/ndproof $(FUZZERS:%.c=$(DIR_fuzz)/%) $(FUZZERS:%.c=$(DIR_afl)/%) $(FUZZERS:%.c=$(PLAIN)/%.so)
	@.ci/addresses.sh .ci/nightly.py $(or $(HOURS),8) --mutators $(PLAIN)/fuzzers $(FUZZERS:fuzzers/%.c=%)
## release-check: a long sweep and the gate, with replays, against the baseline and the last release (LAST=report.json SECONDS=1800)
release-check: build/ndproof
	@.ci/release.sh '$(LAST)' $(or $(SECONDS),1800)
## ossfuzz: build and check the fuzz targets as OSS-Fuzz does
ossfuzz:
	@.ci/oss-fuzz.sh
## feedback: show that feedback from a testee finds a defect that blind generation misses (ARGS='afl 1 2 3': engine, seeds)
feedback: $(if $(filter afl,$(ARGS)),$(DIR_afl)/fuzzers/fuzz_descriptor_numpy $(PLAIN)/fuzzers/fuzz_descriptor_numpy.so, \
    $(DIR_fuzz)/fuzzers/fuzz_descriptor_numpy)
	@MUTATORS=$(PLAIN)/fuzzers .ci/feedback.sh $(ARGS)
## env: make the environment build/env/NAME for --env NAME (NAME=current, seeds, fuzz, bigendian; see .ci/env)
env: $(if $(filter bigendian,$(NAME)),build/s390x/ndproof)
	@PYTHON='$(PYTHON)' .ci/make-env.sh '$(NAME)'
## bigendian: unit tests on an emulated big-endian machine, and round trips to it
bigendian: build/ndproof $(BIG)
	@.ci/test.sh bigendian -- $(filter %_test %/tests,$(BIG))
## seeds: find known defects of old versions (SEED=1 SECONDS=240)
seeds: build/ndproof
	@PYTHON='$(PYTHON)' .ci/make-env.sh seeds
	@.ci/seeds.py $(or $(SEED),1) $(or $(SECONDS),240)
## format: clang-format every C file in place
format:
	@.ci/format.sh
## tidy: clang-tidy for each changed file
tidy: $(patsubst %.c,build/tidy/%.ok,$(filter-out build/%,$(EVERY_C)))
## clean: remove build/
clean:
	rm -rf build

# ---- rules ----

build/tidy/%.ok: %.c .clang-tidy $(ASAN)/%.o
	@mkdir -p $(@D)
	@clang-tidy --quiet --warnings-as-errors='*' $< -- -std=c11 $(CPPFLAGS) 2>/dev/null
	@touch $@

build/ndproof: $(HERE)$(WITH)/ndproof FORCE
	@ln -sf $(patsubst build/%,%,$<) $@

# Replaces a generated file only if its content changes, by a rename, because two calls of make may run at once.
write = @mkdir -p $(@D); $(1) >$@.$$$$ && if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi
build/generated$(WITH)/registry_%.c: FORCE
	$(call write,.ci/registry.sh $* $(REGISTRY_$*))
$(if $(WITH),build/generated/registry_%.c: FORCE ; $$(call write,.ci/registry.sh $$* $$(REGISTRY_$$*)))
$(ALL_TESTS:%=build/generated/suites/%.c) $(COUNTS:%.c=build/generated/suites/%.c): build/generated/suites/%.c: FORCE
	$(call write,.ci/registry.sh suite ndp_suites base/suite.h $(notdir $(basename $(call suites,$*))))
# Tables of data that are compiled to C.
build/generated/table_contract.c: .ci/contract.awk $(addprefix harness/,property/contract.h model/array.h model/graph/graph_features.h property/contract.table)
build/generated/table_corpus.c: .ci/corpus_index.awk corpus/index.json
$(patsubst %,build/generated/table_%.c,contract corpus):
	@mkdir -p $(@D)
	@awk -f $^ >$@.$$$$ && mv $@.$$$$ $@
build/generated/version.h: FORCE
	$(call write,printf '#define NDP_VERSION "$(VERSION)"\n#define NDP_COMMIT "%s"\n' "$$(git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown)")

# $(1) flavour, $(2) its folder, $(3) its folder for files that depend on PLUGIN
define flavour
LINK_$(1) := $(if $(filter oss,$(1)),$(CXX_$(1)) $(CXXFLAGS),$(if $(filter-out %.c,$(PLUGIN)),$(CXX_$(1)),$(CC_$(1))) $(CFLAGS_$(1))) $(LDFLAGS)

$(2)/%.o: %.c Makefile .ci/flavours.mk | build/generated/version.h
	@mkdir -p $$(@D)
	$(if $(Q),@echo '  CC   $$@' >&2)
	$(Q)$$(or $$(and $$(filter $(NOT_INSTRUMENTED),$$*),$(BARE_$(1))),$(CC_$(1)) $$(CFLAGS_$(1))) \
	    $$(CPPFLAGS) -std=c11 $$(WARN) $$(CFLAGS) -MMD -MP -c $$< -o $$@

$(3)/plugin.o: $(PLUGIN) Makefile
	@mkdir -p $$(@D)
	$(Q)$(if $(filter %.c,$(PLUGIN)),$(CC_$(1)) -std=c11,$(CXX_$(1)) -std=c++17) $$(CPPFLAGS) -Wall $$(CFLAGS_$(1)) $$(PLUGIN_FLAGS) \
	    -MMD -MP -c $$< -o $$@

$(3)/libndproof.a: $(patsubst %.c,$(2)/%.o,$(LIB_C) $(PLUGINS_C)) $(if $(PLUGIN),$(3)/plugin.o)
$(2)/libfuzz.a: $(FUZZ_C:%.c=$(2)/%.o)
$(sort $(3)/libndproof.a $(2)/libfuzz.a):
	@mkdir -p $$(@D); rm -f $$@
	$(Q)$$(AR) rcs $$@ $$^

$(3)/ndproof: $(CMD_C:%.c=$(2)/%.o) $(3)/libndproof.a
	$(Q)$$(LINK_$(1)) $$^ $$(LDLIBS) -o $$@

$(2)/%_bench: $(2)/%_bench.o $(2)/libndproof.a
	$(Q)$$(LINK_$(1)) $$^ $$(LDLIBS) -o $$@

$(3)/fuzzers/fuzz_%: $(2)/fuzzers/fuzz_%.o $(if $(filter $(1),$(REPLAYED)),$(2)/fuzzers/runtime/replay.o) $(2)/libfuzz.a $(3)/libndproof.a
	@mkdir -p $$(@D)
	$(Q)$$(LINK_$(1)) $(ENGINE_$(1)) $(ENTRIES) $$^ $$(LDLIBS) -o $$@
$(2)/fuzzers/fuzz_%.o: CPPFLAGS += -DNDP_FUZZ_NAME='"$$(patsubst fuzz_%,%,$$(notdir $$*))"'
# The mutator of a target, for AFL++.
$(3)/fuzzers/fuzz_%.so: $(2)/fuzzers/fuzz_%.o $(2)/libfuzz.a $(3)/libndproof.a
	@mkdir -p $$(@D)
	$(Q)$$(LINK_$(1)) -shared -Wl,-u,afl_custom_fuzz $$^ $$(LDLIBS) -o $$@

-include $(patsubst %.c,$(2)/%.d,$(EVERY_C)) $(3)/plugin.d
endef
$(foreach f,$(FLAVOURS),$(eval $(call flavour,$(f),$(DIR_$(f)),$(DIR_$(f))$(WITH)))\
    $(foreach p,$(ALL_TESTS) $(COUNTS:%.c=%),$(eval $(call tests,$(f),$(DIR_$(f)),$(p)))))
# The counters themselves are not instrumented.
$(COUNTS:%.c=$(DIR_count)/%.o) $(DIR_count)/harness/base/suite_main.o: CFLAGS_count := -O1 -g
