# ndproof: set-up, build, tests. `make help` lists the goals. Objects and programs are in build/<compiler>-<flavour>/.

VERSION := 0.1.0
CC      ?= cc
CXX     ?= c++
PYTHON  ?= python3
FLAVOUR ?= plain
SECONDS ?=
ARGS    ?=
GOALS   := $(or $(MAKECMDGOALS),all)
# A warning of a compiler that we do not know must not stop a user. Whoever changes the code, and .ci/run, insist on none.
WERROR  ?= $(if $(filter all unit check,$(GOALS)),$(if $(PLUGIN),,-Werror))
# PLUGIN=path/to/codec.c (or .cc) builds a target of your own in; harness/target/plugin.h describes it.
PLUGIN       ?=
PLUGIN_FLAGS ?=
PLUGIN_LIBS  ?=
# LIBRARIES=no: only the fuzz targets that need no Python library.
LIBRARIES    ?= yes

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wswitch-enum -Wstrict-prototypes -Wmissing-prototypes \
        -Wvla -Wcast-qual -Wwrite-strings -Wundef -Wno-unknown-warning-option -Wno-format-truncation $(WERROR)
CPPFLAGS += -Iharness -Ifuzzers -Ibuild/generated -D_POSIX_C_SOURCE=200809L
LDLIBS   := -lcjson -lzip -lz -lbz2 -llzma -llz4 -lm $(PLUGIN_LIBS)
COMMA := ,
Q := $(if $(V),,@)
MAKEFLAGS += --no-builtin-rules

# ---- set-up: the groups of .ci/setup.sh that a goal needs; a goal can do without those behind a question mark ----

FUZZ_LIBRARIES  := $(if $(filter no,$(LIBRARIES)),,?libraries)
SETUP_setup     := build test ?python
SETUP_run       := build ?test ?python
SETUP_test      := build test ?python ?libraries ?bigendian
SETUP_check     := build test tidy ?python ?libraries
SETUP_bench     := build test ?python
SETUP_count     := build test
SETUP_coverage  := build test
SETUP_selftest  := build test ?python
SETUP_fuzz      := build clang python3 $(FUZZ_LIBRARIES)
SETUP_afl       := build clang afl python3 $(FUZZ_LIBRARIES)
SETUP_nightly   := build clang afl ?test python3 ?libraries
SETUP_ossfuzz   := build clang python3 ?afl
SETUP_feedback  := build clang $(filter afl,$(ARGS)) ?libraries
SETUP_tidy      := build test tidy ?python
SETUP_bigendian := build test bigendian
SETUP_env       := $(if $(filter bigendian,$(NAME)),build bigendian)
SETUP := $(sort $(foreach goal,$(GOALS),$(SETUP_$(goal))))
# make brings an included file up to date before anything else, and starts again when that changed the file. make -n only shows.
$(if $(SETUP),$(if $(findstring n,$(firstword -$(MAKEFLAGS))),,$(eval include build/setup.mk)))
build/setup.mk: FORCE
	@mkdir -p build
	@PYTHON='$(PYTHON)' .ci/setup.sh $(SETUP)
	@ls build/env 2>/dev/null | sed 's/^/# /' >$@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# ---- sources: everything follows from the names of files; a folder uses only folders before it ----

FOLDERS := base model describe generate codec target planted property engine report cmd
ALL_C   := $(sort $(foreach d,$(FOLDERS),$(wildcard harness/$(d)/*.c) $(filter-out harness/target/example/%,$(wildcard harness/$(d)/*/*.c))))
TESTS   := $(filter %_test.c,$(ALL_C))
BENCHES := $(filter %_bench.c,$(ALL_C))
COUNTS  := $(filter %_count.c,$(ALL_C))
MODULES := $(filter-out $(TESTS) $(BENCHES) $(COUNTS) harness/base/suite_main.c,$(ALL_C))
CMD_C   := $(filter harness/cmd/%,$(MODULES)) build/generated/registry_command.c
LIB_C   := $(filter-out harness/cmd/%,$(MODULES)) $(patsubst %,build/generated/registry_%.c,property planted) \
           $(patsubst %,build/generated/table_%.c,contract corpus)
# This list alone depends on PLUGIN.
WITH          := $(if $(PLUGIN),/with-$(basename $(notdir $(PLUGIN))))
PLUGINS_C     := build/generated$(WITH)/registry_plugin.c
FUZZERS       := $(sort $(wildcard fuzzers/fuzz_*.c))
FUZZ_TESTS    := $(sort $(wildcard fuzzers/*/*_test.c))
FUZZ_C        := $(filter-out $(FUZZ_TESTS) fuzzers/runtime/replay.c,$(sort $(wildcard fuzzers/*/*.c)))
# A fuzz target with a third word that names a library, fuzz_<form>_<library>.c, runs it in a testee.
WITH_LIBRARY  := $(filter $(foreach l,numpy joblib cloudpickle dill numba,fuzzers/fuzz_%_$(l).c),$(FUZZERS))
CHOSEN        := $(if $(filter no,$(LIBRARIES)),$(filter-out $(WITH_LIBRARY),$(FUZZERS)),$(FUZZERS))
EVERY_C := $(ALL_C) $(LIB_C) $(CMD_C) $(PLUGINS_C) $(FUZZERS) $(FUZZ_C) $(FUZZ_TESTS) fuzzers/runtime/replay.c

# Registries: accessor, header and names of the entries.
names = $(sort $(patsubst $(1)%.c,%,$(filter-out %_test.c,$(wildcard $(1)*.c))))
REGISTRY_property := ndp_properties property/property.h $(call names,harness/property/property_)
REGISTRY_planted  := ndp_planted_list planted/planted.h $(call names,harness/planted/planted_)
REGISTRY_command  := ndp_commands cmd/command.h $(call names,harness/cmd/cmd_)
REGISTRY_plugin   := ndp_plugins target/registry.h $(sort $(call names,harness/target/plugin_) \
                     $(call names,harness/target/reference/plugin_) $(basename $(notdir $(PLUGIN))))

# The suites of a folder are one program, `tests`. A test that replaces functions of ours at link time is a program of
# its own: by --wrap, or because it plays the fuzz target that fuzzers/runtime and fuzzers/mutate work for.
COUNTED_C := $(filter $(addprefix harness/,base/% model/% describe/% generate/% codec/% target/process/heap_meter.c),$(LIB_C))
FAILING := malloc calloc realloc strdup strndup open openat fcntl read pread write lseek fstat ftruncate mmap \
           $(addprefix ndp_,arena_alloc arena_alloc_items arena_copy buffer_add buffer_extend buffer_printf output_add output_byte)
COUNTED := memcpy memmove memset memcmp memchr calloc realloc strlen
ALONE    := $(filter %_failures_test.c $(addprefix fuzzers/,runtime/% mutate/% oracle/read_as%),$(TESTS) $(FUZZ_TESTS)) $(COUNTS)
programs = $(addsuffix tests,$(sort $(dir $(filter-out $(ALONE),$(1))))) $(basename $(filter $(ALONE),$(1)))
suites   = $(if $(filter tests,$(notdir $(1))),$(filter-out $(ALONE),$(wildcard $(dir $(1))*_test.c)),$(1).c)
wraps    = $(addprefix -Wl$(COMMA)--wrap=,$(if $(filter %_failures_test,$(1)),$(FAILING)) $(if $(filter %_count,$(1)),$(COUNTED)))
HARNESS_TESTS := $(call programs,$(TESTS))
ALL_TESTS     := $(HARNESS_TESTS) $(call programs,$(FUZZ_TESTS))
# ASan replaces the allocator, the arena and the handlers of signals: these run without it, too.
PLAIN_TESTS   := $(filter harness/base/% harness/target/% harness/cmd/%,$(HARNESS_TESTS))

# ---- flavours ----

include .ci/flavours.mk
PLAIN := $(DIR_plain)
ASAN  := $(DIR_asan)
HERE  := $(DIR_$(FLAVOUR))
# The benches that harness/testees/python/bench_codecs.py and test_bench_codecs.py run.
export NDPROOF_BENCHES := $(abspath $(PLAIN))/harness
# On the big-endian machine make test runs the folders that handle bytes, make bigendian all of them.
BYTES := $(filter $(addprefix build/s390x/harness/,base/% model/% describe/% generate/% codec/%),$(HARNESS_TESTS:%=build/s390x/%))
BIG   := $(if $(wildcard build/env/bigendian/.made-from),$(HARNESS_TESTS:%=build/s390x/%) build/s390x/ndproof)

# ---- goals ----

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all help env bigendian seeds setup run test check unit selftest bench count coverage fuzz afl nightly ossfuzz feedback format tidy clean FORCE

## all: build/ndproof, the library behind it, fuzz targets to replay with (FLAVOUR=asan, CC=clang, PLUGIN=your_codec.c)
all: $(HERE)$(WITH)/libndproof.a build/ndproof $(FUZZERS:%.c=$(HERE)$(WITH)/%)
## help: this list
help:
	@sed -n 's/^## \([a-z]*\): /\1\t/p' Makefile | awk -F'\t' '{printf "  make %-9s %s\n", $$1, $$2}'
## setup: install what is missing: Debian packages, a Python environment under build/venv
setup:
## run: set up, build, sweep everything available for two minutes (SECONDS=110) into reports/latest.json
run: build/ndproof
	@mkdir -p reports
	build/ndproof sweep --seconds $(or $(SECONDS),110) --report reports/latest.json $(ARGS)
## test: set up and run every test; the last line is `N passed, N failed`
test: build/ndproof $(BENCHES:%.c=$(PLAIN)/%) $(PLAIN_TESTS:%=$(PLAIN)/%) $(ALL_TESTS:%=$(ASAN)/%) $(COUNTS:%.c=$(DIR_count)/%) $(FUZZERS:%.c=$(ASAN)/%) $(filter $(BYTES) %/ndproof,$(BIG))
	@.ci/test.sh order format scripts python bigendian selftest corpus schema plugin -- $(filter %_test %_count %/tests,$^)
## check: before a commit, in two minutes: format, folders, clang-tidy, units under ASan and UBSan, corpus, selftest
check: build/ndproof tidy $(ALL_TESTS:%=$(ASAN)/%) $(FUZZERS:%.c=$(ASAN)/%)
	@.ci/test.sh order format corpus selftest -- $(filter %_test %/tests,$^)
## unit: the unit tests of one flavour (FLAVOUR=asan)
unit: $(ALL_TESTS:%=$(HERE)/%)
	@.ci/test.sh -- $^
## selftest: every planted defect against every property
selftest: build/ndproof
	build/ndproof selftest $(ARGS)
## bench: speed, memory and throughput, beside NumPy in the same run
bench: build/ndproof $(BENCHES:%.c=$(PLAIN)/%) $(FUZZERS:%.c=$(DIR_speed)/%)
	@.ci/bench.sh $(PLAIN)/harness/target/target_bench $(sort $(wildcard harness/testees/python/bench_*.py))
	@.ci/addresses.sh .ci/fuzz.py bench $(FUZZERS:%.c=$(DIR_speed)/%)
## count: the cost of decoders of hostile input, in operations and bytes of memory
count: $(COUNTS:%.c=$(DIR_count)/%)
	@.ci/test.sh -- $^
## coverage: which lines and branches of the codecs the corpus reaches, file by file
coverage: $(DIR_cov)/ndproof $(FUZZERS:%.c=$(DIR_cov)/%) $(patsubst %,$(DIR_cov)/%,$(filter harness/codec/%,$(HARNESS_TESTS)))
	@.ci/coverage.sh $(DIR_cov) $(filter %_test %/tests,$^)
## fuzz: every fuzz target under libFuzzer, ASan and UBSan (SECONDS=60 each; LIBRARIES=no: the reference alone)
fuzz: build/ndproof $(CHOSEN:%.c=$(DIR_fuzz)$(WITH)/%)
	@.ci/addresses.sh .ci/fuzz.py libfuzzer $(or $(SECONDS),60) $(CHOSEN:%.c=$(DIR_fuzz)$(WITH)/%)
## afl: the same targets under AFL++ (SECONDS=60 each; LIBRARIES=no)
afl: build/ndproof $(CHOSEN:%.c=$(DIR_afl)$(WITH)/%) $(CHOSEN:%.c=$(PLAIN)$(WITH)/%.so)
	@.ci/addresses.sh .ci/fuzz.py afl $(or $(SECONDS),60) $(CHOSEN:%.c=$(DIR_afl)$(WITH)/%) --mutators $(PLAIN)$(WITH)/fuzzers
## nightly: every fuzz target under both engines, then a sweep, merge, report and gate (HOURS=8; fractions work)
nightly: build/ndproof $(FUZZERS:%.c=$(DIR_fuzz)/%) $(FUZZERS:%.c=$(DIR_afl)/%) $(FUZZERS:%.c=$(PLAIN)/%.so)
	@.ci/addresses.sh .ci/nightly.py $(or $(HOURS),8) --mutators $(PLAIN)/fuzzers $(FUZZERS:fuzzers/%.c=%)
## ossfuzz: build and check the targets as OSS-Fuzz does, in an empty folder
ossfuzz:
	@.ci/oss-fuzz.sh
## feedback: show that feedback from a testee finds what blind generation does not (ARGS='afl 1 2 3'; some minutes a seed)
feedback: $(if $(filter afl,$(ARGS)),$(DIR_afl)/fuzzers/fuzz_descriptor_numpy $(PLAIN)/fuzzers/fuzz_descriptor_numpy.so, \
    $(DIR_fuzz)/fuzzers/fuzz_descriptor_numpy)
	@MUTATORS=$(PLAIN)/fuzzers .ci/feedback.sh $(ARGS)
## env: the environment build/env/NAME, for --env NAME (NAME=current, seeds, bigendian; see .ci/env)
env: $(if $(filter bigendian,$(NAME)),build/s390x/ndproof)
	@PYTHON='$(PYTHON)' .ci/make-env.sh '$(NAME)'
## bigendian: the unit tests on an emulated big-endian machine, and arrays to it and back
bigendian: build/ndproof $(BIG)
	@.ci/test.sh bigendian -- $(filter %_test %/tests,$(BIG))
## seeds: find again what old versions are known to break (SEED=1 SECONDS=240)
seeds: build/ndproof
	@PYTHON='$(PYTHON)' .ci/make-env.sh seeds
	@.ci/seeds.py $(or $(SEED),1) $(or $(SECONDS),240)
## format: clang-format every C file in place
format:
	@.ci/format.sh
## tidy: clang-tidy, file by file, again only where something changed
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

# Written only when the content changes, under another name first: two calls of make may do it at once.
write = @mkdir -p $(@D); $(1) >$@.$$$$ && if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi
build/generated$(WITH)/registry_%.c: FORCE
	$(call write,.ci/registry.sh $* $(REGISTRY_$*))
$(if $(WITH),build/generated/registry_%.c: FORCE ; $$(call write,.ci/registry.sh $$* $$(REGISTRY_$$*)))
$(ALL_TESTS:%=build/generated/suites/%.c) $(COUNTS:%.c=build/generated/suites/%.c): build/generated/suites/%.c: FORCE
	$(call write,.ci/registry.sh suite ndp_suites base/suite.h $(notdir $(basename $(call suites,$*))))
# Tables of data that become C: the program that compiles each, and its inputs.
build/generated/table_contract.c: .ci/contract.awk $(addprefix harness/,property/contract.h model/array.h model/graph_features.h property/contract.table)
build/generated/table_corpus.c: .ci/corpus_index.awk corpus/index.json
$(patsubst %,build/generated/table_%.c,contract corpus):
	@mkdir -p $(@D)
	@awk -f $^ >$@.$$$$ && mv $@.$$$$ $@
build/generated/version.h: FORCE
	$(call write,printf '#define NDP_VERSION "$(VERSION)"\n#define NDP_COMMIT "%s"\n' "$$(git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown)")

# $(1) flavour, $(2) its folder for objects, $(3) its folder for everything that PLUGIN is part of
define flavour
LINK_$(1) := $(if $(filter oss,$(1)),$(CXX_$(1)) $(CXXFLAGS),$(if $(filter-out %.c,$(PLUGIN)),$(CXX_$(1)),$(CC_$(1))) $(CFLAGS_$(1))) $(LDFLAGS)

$(2)/%.o: %.c Makefile | build/generated/version.h
	@mkdir -p $$(@D)
	$(if $(Q),@echo '  CC   $$@')
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
# The mutator of a target for AFL++.
$(3)/fuzzers/fuzz_%.so: $(2)/fuzzers/fuzz_%.o $(2)/libfuzz.a $(3)/libndproof.a
	@mkdir -p $$(@D)
	$(Q)$$(LINK_$(1)) -shared -Wl,-u,afl_custom_fuzz $$^ $$(LDLIBS) -o $$@

-include $(patsubst %.c,$(2)/%.d,$(EVERY_C)) $(3)/plugin.d
endef
# $(1) flavour, $(2) its folder, $(3) a program of tests
define tests
$(2)/$(3): $(patsubst %.c,$(2)/%.o,$(call suites,$(3)) build/generated/suites/$(3).c harness/base/suite_main.c \
    $(if $(filter harness/cmd/%,$(3)),$(filter-out %/main.c,$(CMD_C)))) \
    $(if $(filter %_count,$(3)),$(COUNTED_C:%.c=$(2)/%.o),$(if $(filter fuzzers/%,$(3)),$(2)/libfuzz.a) $(2)/libndproof.a)
	$(Q)$$(LINK_$(1)) $(call wraps,$(3)) $$^ $$(LDLIBS) -lcmocka -o $$@
endef
$(foreach f,$(FLAVOURS),$(eval $(call flavour,$(f),$(DIR_$(f)),$(DIR_$(f))$(WITH)))\
    $(foreach p,$(ALL_TESTS) $(COUNTS:%.c=%),$(eval $(call tests,$(f),$(DIR_$(f)),$(p)))))
# The file that counts is not counted.
$(COUNTS:%.c=$(DIR_count)/%.o) $(DIR_count)/harness/base/suite_main.o: CFLAGS_count := -O1 -g
