# ndproof: set-up, build, tests. `make help` lists the targets; objects live in build/<compiler>-<flavour>/.

VERSION := 0.1.0
CC      ?= cc
CXX     ?= c++
PYTHON  ?= python3
FLAVOUR ?= plain
SECONDS ?=
ARGS    ?=
# Compilers that are newer than we know must not stop who only wants to use it; who changes it, and .ci/run, insist.
WERROR  ?= $(if $(filter all unit check,$(or $(MAKECMDGOALS),all)),$(if $(PLUGIN),,-Werror))
SETUP   := build test ?python
GENERATED := build/generated
# PLUGIN=path/to/codec.c (or .cc) builds your own target in; harness/target/plugin.h says how.
PLUGIN       ?=
PLUGIN_FLAGS ?=
PLUGIN_LIBS  ?=

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wswitch-enum -Wstrict-prototypes -Wmissing-prototypes \
        -Wvla -Wcast-qual -Wwrite-strings -Wundef -Wno-unknown-warning-option -Wno-format-truncation $(WERROR)
SANITIZE := -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
CFLAGS_plain := -O2 -g
CFLAGS_asan  := -O1 $(SANITIZE) -DNDP_ARENA_PER_OBJECT
# Guards between the objects of an arena; what happens in large arrays happens in small ones, too.
FUZZED := -DNDP_ARENA_REDZONES -DNDP_SMALL_PORTIONS
# Where such a pointer is used, ASan sees it; to look at each as it is made takes a fifth of the time. The corpus is
# replayed with all of UBSan (FLAVOUR=asan).
FUZZED += -fno-sanitize=null,object-size,pointer-overflow
# What is on the stack is watched as long as its function runs. To mark every block inside it that begins or ends makes
# gcc's code a tenth larger and slower, and FLAVOUR=asan does; a stack that outlives its functions, which clang has by
# itself since 15, takes a third of the time.
SHORT_STACK_clang := -fno-sanitize-address-use-after-scope -fsanitize-address-use-after-return=never
SHORT_STACK_gcc   := -fno-sanitize-address-use-after-scope --param asan-use-after-return=0
# Comparisons are not traced: it takes a third of the time, and the mutators know the forms. Who calls by a pointer says
# nothing that edges do not; how deep the stack is follows from where the system has put it, and a run would not repeat.
COVERED      := -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp,trace-div,trace-gep,indirect-calls,stack-depth
CFLAGS_fuzz  := -O2 $(SANITIZE) $(FUZZED) $(SHORT_STACK_clang) $(COVERED)
CFLAGS_afl   := -O2 $(SANITIZE) $(FUZZED) $(SHORT_STACK_clang)
# What fuzzing runs, without an engine's counters: for speed by itself.
CFLAGS_speed := -O2 $(SANITIZE) $(FUZZED) $(if $(findstring clang,$(CC)),$(SHORT_STACK_clang),$(SHORT_STACK_gcc))
CFLAGS_pic   := -O2 -g -fPIC
# Every line by itself, and every side of every condition.
CFLAGS_cov   := -O0 -g --coverage
# Every basic block calls a function that counts it, and what moves bytes is a call that says how many.
CFLAGS_count := -O1 -g -fno-builtin -fsanitize-coverage=trace-pc
COUNTED      := memcpy memmove memset memcmp memchr calloc realloc strlen
# What %_failures_test makes fail, call by call.
FAILING      := malloc calloc realloc strdup strndup open openat fcntl read pread write lseek fstat \
                ftruncate mmap \
                $(addprefix ndp_,arena_alloc arena_alloc_items arena_copy buffer_add buffer_extend buffer_printf output_add \
                output_byte)
# A big-endian machine, emulated: headers and libraries are those of its root.
BIG_ROOT     := build/env/bigendian/root
CFLAGS_s390x := -O1 -g --sysroot=$(BIG_ROOT)
CPPFLAGS     += -Iharness -Ifuzzers -I$(GENERATED) -D_POSIX_C_SOURCE=200809L
LDLIBS       := -lcjson -lzip -lz -lbz2 -llzma -llz4 -lm $(PLUGIN_LIBS)

# What is built follows from the names of files. A folder uses only folders before it.
FOLDERS := base model describe generate codec target planted property engine report cmd
ALL_C   := $(sort $(foreach d,$(FOLDERS),$(wildcard harness/$(d)/*.c) $(filter-out harness/target/example/%,$(wildcard harness/$(d)/*/*.c))))
TESTS   := $(filter %_test.c,$(ALL_C))
CODEC_TESTS := $(filter harness/codec/%,$(TESTS))
BENCHES := $(filter %_bench.c,$(ALL_C))
COUNTS  := $(filter %_count.c,$(ALL_C))
CMD_C   := $(filter-out $(TESTS) $(BENCHES) $(COUNTS),$(filter harness/cmd/%,$(ALL_C)))
LIB_C   := $(filter-out $(TESTS) $(BENCHES) $(COUNTS) $(CMD_C),$(ALL_C))
FUZZERS := $(sort $(wildcard fuzzers/fuzz_*.c))
# LIBRARIES=no: fuzz targets that drive the reference alone.
LIBRARIES ?= yes
BY_ITSELF := $(filter no,$(LIBRARIES))
CHOSEN    := $(if $(BY_ITSELF),$(shell grep -L 'with_testee = true' $(FUZZERS)),$(FUZZERS))
FUZZ_TESTS := $(sort $(wildcard fuzzers/*/*_test.c))
FUZZ_C  := $(filter-out $(FUZZ_TESTS) fuzzers/runtime/replay.c,$(sort $(wildcard fuzzers/*/*.c)))
# An emulated machine has no fuzzers.
HERE_TESTS := $(TESTS) $(FUZZ_TESTS)

# Registries: accessor, header, names of what is listed. $(call names,prefix): what follows it in file names.
names = $(sort $(patsubst $(1)%.c,%,$(filter-out %_test.c,$(wildcard $(1)*.c))))
PLUGIN_NAME       := $(basename $(notdir $(PLUGIN)))
REGISTRY_property := ndp_properties property/property.h $(call names,harness/property/property_)
REGISTRY_planted  := ndp_planted_list planted/planted.h $(call names,harness/planted/planted_)
REGISTRY_plugin   := ndp_plugins target/registry.h $(sort $(call names,harness/target/plugin_) $(call names,harness/target/reference/plugin_) $(PLUGIN_NAME))
REGISTRY_command  := ndp_commands cmd/command.h $(call names,harness/cmd/cmd_)
LIB_C += $(patsubst %,$(GENERATED)/registry_%.c,property planted plugin)
# Tables that are data: what generates the C of each, the headers that list its words, and the data.
TABLE_contract := .ci/contract.awk $(addprefix harness/,property/contract.h model/array.h model/graph_features.h property/contract.table)
TABLE_corpus   := .ci/corpus_index.awk corpus/index.json
LIB_C += $(patsubst %,$(GENERATED)/table_%.c,contract corpus)
CMD_C += $(if $(wildcard harness/cmd/command.h),$(GENERATED)/registry_command.c)

# The folder of the flavour that is asked for, and those that tests use.
HERE  := build/$(notdir $(CC))-$(FLAVOUR)
PLAIN := build/$(notdir $(CC))-plain
ASAN  := build/$(notdir $(CC))-asan
COV   := build/$(notdir $(CC))-cov
SPEED := build/$(notdir $(CC))-speed
COUNT := build/$(notdir $(CC))-count
PROGRAM := $(if $(wildcard harness/cmd/*.c),build/ndproof)
# These set up what is missing before anything is compiled.
WITH_SETUP := $(if $(filter run test check bench count coverage selftest fuzz afl nightly feedback tidy,$(MAKECMDGOALS)),setup)

COMMA := ,
Q := $(if $(V),,@)
MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all help env bigendian bigendian-units seeds setup run test check unit selftest bench count coverage fuzz afl nightly \
        ossfuzz feedback format tidy clean FORCE

## all: build/ndproof, the library behind it, fuzz targets to replay with (FLAVOUR=asan, CC=clang, PLUGIN=your_codec.c)
all: $(HERE)/libndproof.a $(PROGRAM) $(FUZZERS:%.c=$(HERE)/%)

## help: this list
help:
	@sed -n 's/^## \([a-z]*\): /\1\t/p' Makefile | awk -F'\t' '{printf "  make %-9s %s\n", $$1, $$2}'

## setup: install what is missing: Debian packages, a Python environment under build/venv
setup:
	@PYTHON='$(PYTHON)' .ci/setup $(SETUP)

## run: set up, build, sweep everything available for two minutes (SECONDS=110) into reports/latest.json
run: SETUP := build ?test ?python
run: $(PROGRAM)
	@mkdir -p reports
	build/ndproof sweep --seconds $(or $(SECONDS),110) --report reports/latest.json $(ARGS)

## test: set up and run every test; the last line is `N passed, N failed`
test: SETUP := build test ?python ?libraries ?emulator
test: $(PROGRAM) $(HERE_TESTS:%.c=$(PLAIN)/%) $(HERE_TESTS:%.c=$(ASAN)/%) $(COUNTS:%.c=$(COUNT)/%) $(FUZZERS:%.c=$(ASAN)/%)
	@.ci/test order format scripts selftest corpus schema python plugin bigendian -- $(HERE_TESTS:%.c=$(PLAIN)/%) \
	    $(HERE_TESTS:%.c=$(ASAN)/%) $(COUNTS:%.c=$(COUNT)/%)

## check: before a commit, in two minutes: format, folders, clang-tidy, units under ASan and UBSan, corpus, selftest
check: SETUP := build test tidy ?python ?libraries
check: $(PROGRAM) tidy $(HERE_TESTS:%.c=$(ASAN)/%) $(FUZZERS:%.c=$(ASAN)/%)
	@.ci/test order format corpus selftest -- $(HERE_TESTS:%.c=$(ASAN)/%)

## unit: the unit tests of one flavour (FLAVOUR=asan)
unit: $(HERE_TESTS:%.c=$(HERE)/%)
	@.ci/test -- $(HERE_TESTS:%.c=$(HERE)/%)

## selftest: every planted defect against every property
selftest: $(PROGRAM)
	build/ndproof selftest $(ARGS)

## bench: speed, memory and throughput, beside NumPy in the same run
bench: $(PROGRAM) $(BENCHES:%.c=$(PLAIN)/%) $(FUZZERS:%.c=$(SPEED)/%)
	@.ci/bench $(BENCHES:%.c=$(PLAIN)/%) $(sort $(wildcard harness/testees/python/bench_*.py))
	@.ci/bench-fuzz $(FUZZERS:%.c=$(SPEED)/%)

## count: what decoders of hostile input cost, in operations and bytes of memory
count: SETUP := build test
count: $(COUNTS:%.c=$(COUNT)/%)
	@for program in $^; do $$program || exit 1; done

## coverage: which lines and branches of the codecs the corpus reaches, file by file
coverage: SETUP := build test
coverage: $(COV)/ndproof $(FUZZERS:%.c=$(COV)/%) $(CODEC_TESTS:%.c=$(COV)/%)
	@.ci/coverage $(COV) $(CODEC_TESTS:%.c=$(COV)/%)

## fuzz: every fuzz target under libFuzzer, ASan and UBSan (SECONDS=60 each; LIBRARIES=no: the reference alone)
fuzz: SETUP := build clang $(if $(BY_ITSELF),,?python ?libraries)
fuzz: $(PROGRAM) $(CHOSEN:%.c=build/clang-fuzz/%)
	@.ci/fuzz libfuzzer $(or $(SECONDS),60) $(CHOSEN:%.c=build/clang-fuzz/%)

## afl: the same targets under AFL++ (SECONDS=60 each; LIBRARIES=no)
afl: SETUP := build clang afl $(if $(BY_ITSELF),,?python ?libraries)
afl: $(PROGRAM) $(CHOSEN:%.c=build/afl/%) $(CHOSEN:%.c=build/$(notdir $(CC))-pic/%.so)
	@.ci/fuzz afl $(or $(SECONDS),60) $(CHOSEN:%.c=build/afl/%)

## nightly: every fuzz target under both engines, then a sweep, merge, report and gate (HOURS=8; fractions work)
nightly: SETUP := build clang afl ?test ?python ?libraries
nightly: $(PROGRAM) $(FUZZERS:%.c=build/clang-fuzz/%) $(FUZZERS:%.c=build/afl/%) \
    $(FUZZERS:%.c=build/$(notdir $(CC))-pic/%.so)
	@.ci/nightly $(or $(HOURS),8) $(FUZZERS:fuzzers/%.c=%)

## ossfuzz: build and check the targets as OSS-Fuzz does, in an empty folder
ossfuzz: SETUP := build clang zip ?afl
ossfuzz: setup
	@.ci/oss-fuzz

## feedback: show that feedback from a testee finds what blind generation does not (ARGS='afl 1 2 3'; some minutes a seed)
feedback: SETUP := build clang $(filter afl,$(ARGS)) ?libraries
feedback: $(if $(filter afl,$(ARGS)),build/afl/fuzzers/fuzz_descriptor_numpy \
    build/$(notdir $(CC))-pic/fuzzers/fuzz_descriptor_numpy.so,build/clang-fuzz/fuzzers/fuzz_descriptor_numpy)
	@.ci/feedback $(ARGS)

## env: the environment build/env/NAME, for --env NAME (NAME=current, seeds, bigendian; see .ci/env)
env:
	@PYTHON='$(PYTHON)' .ci/make-env '$(NAME)'
	@$(if $(filter bigendian,$(NAME)),$(MAKE) --no-print-directory build/s390x/ndproof)

## bigendian: the unit tests on an emulated big-endian machine, and arrays to it and back
bigendian: $(PROGRAM)
	@.ci/make-env bigendian
	@$(MAKE) --no-print-directory $(TESTS:%.c=build/s390x/%)
	@EMULATOR=build/env/bigendian/bin/run .ci/test bigendian -- $(TESTS:%.c=build/s390x/%)

bigendian-units: $(TESTS:%.c=build/s390x/%)
	@EMULATOR=build/env/bigendian/bin/run .ci/test -- $^

## seeds: find again what old versions are known to break (SEED=1 SECONDS=240)
seeds: $(PROGRAM)
	@PYTHON='$(PYTHON)' .ci/make-env seeds
	@.ci/seeds $(or $(SEED),1) $(or $(SECONDS),240)

## format: clang-format every C file in place
format:
	@.ci/format

## tidy: clang-tidy, file by file, again only where something changed
tidy: SETUP := build test tidy ?python
tidy: $(patsubst %.c,build/tidy/%.ok,$(filter-out build/%,$(ALL_C) $(FUZZERS) $(FUZZ_C) $(FUZZ_TESTS) fuzzers/runtime/replay.c))

## clean: remove build/
clean:
	rm -rf build

build/tidy/%.ok: %.c .clang-tidy $(PLAIN)/%.o
	@mkdir -p $(@D)
	@clang-tidy --quiet --warnings-as-errors='*' $< -- -std=c11 $(CPPFLAGS) 2>/dev/null
	@touch $@

build/ndproof: $(HERE)/ndproof FORCE
	@ln -sf $(patsubst build/%,%,$<) $@

# Written only when their content changes, under a name of their own: two calls of make may do it at once.
REPLACE = if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi

$(patsubst %,$(GENERATED)/registry_%.c,property planted plugin command): $(GENERATED)/registry_%.c: FORCE
	@mkdir -p $(@D)
	@.ci/registry $* $(REGISTRY_$*) >$@.$$$$ && $(REPLACE)

$(GENERATED)/table_contract.c: $(TABLE_contract)
$(GENERATED)/table_corpus.c: $(TABLE_corpus)
$(patsubst %,$(GENERATED)/table_%.c,contract corpus):
	@mkdir -p $(@D)
	@awk -f $^ >$@.$$$$ && mv $@.$$$$ $@

$(GENERATED)/version.h: FORCE
	@mkdir -p $(@D)
	@{ echo '#define NDP_VERSION "$(VERSION)"'; \
	   echo "#define NDP_COMMIT \"$$(git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown)\""; } >$@.$$$$ && $(REPLACE)

# $(1) flavour, $(2) C compiler, $(3) C++ compiler, $(4) folder
LINK = $(if $(filter oss,$(1))$(filter-out %.c,$(PLUGIN)),$(3),$(2)) $(or $(LINK_FLAGS_$(1)),$(CFLAGS_$(1))) $(LDFLAGS)
define flavour
$(4)/%.o: %.c Makefile | $(WITH_SETUP) $(GENERATED)/version.h
	@mkdir -p $$(@D)
	$(if $(Q),@echo '  CC   $$@')
	$(Q)$(2) $$(CPPFLAGS) -std=c11 $$(WARN) $$(CFLAGS_$(1)) $$(CFLAGS) -MMD -MP -c $$< -o $$@

$(4)/plugin/%.o: $(PLUGIN) Makefile | $(WITH_SETUP)
	@mkdir -p $$(@D)
	$(Q)$(if $(filter %.c,$(PLUGIN)),$(2) -std=c11,$(3) -std=c++17) $$(CPPFLAGS) -Wall $$(CFLAGS_$(1)) $$(PLUGIN_FLAGS) \
	    -MMD -MP -c $$< -o $$@

$(4)/libndproof.a: $(LIB_C:%.c=$(4)/%.o) $(PLUGIN_NAME:%=$(4)/plugin/%.o)
	@rm -f $$@
	$(Q)$$(AR) rcs $$@ $$^

$(4)/ndproof: $(CMD_C:%.c=$(4)/%.o) $(4)/libndproof.a
	$(Q)$(LINK) $$^ $$(LDLIBS) -o $$@

# What commands share is in no library.
$(4)/harness/cmd/%_test: $(4)/harness/cmd/%_test.o $(patsubst %.c,$(4)/%.o,$(filter-out harness/cmd/main.c,$(CMD_C))) \
    $(4)/libndproof.a
	$(Q)$(LINK) $$^ $$(LDLIBS) -lcmocka -o $$@

$(4)/%_test: $(4)/%_test.o $(4)/libndproof.a
	$(Q)$(LINK) $$^ $$(LDLIBS) -lcmocka -o $$@

$(4)/%_failures_test: $(4)/%_failures_test.o $(4)/libndproof.a
	$(Q)$(LINK) $(addprefix -Wl$(COMMA)--wrap=,$(FAILING)) $$^ $$(LDLIBS) -lcmocka -o $$@

$(4)/%_count: $(4)/%_count.o $(4)/libndproof.a
	$(Q)$(LINK) $(addprefix -Wl$(COMMA)--wrap=,$(COUNTED)) $$^ $$(LDLIBS) -lcmocka -o $$@

$(4)/%_bench: $(4)/%_bench.o $(4)/libndproof.a
	$(Q)$(LINK) $$^ $$(LDLIBS) -o $$@

# The test of a bench calls its main() by another name.
$(BENCHES:%.c=$(4)/%_called.o): CPPFLAGS += -Dmain=bench_main
$(BENCHES:%.c=$(4)/%_called.o): $(4)/%_called.o: %.c Makefile | $(WITH_SETUP) $(GENERATED)/version.h
	@mkdir -p $$(@D)
	$(Q)$(2) $$(CPPFLAGS) -std=c11 $$(WARN) $$(CFLAGS_$(1)) $$(CFLAGS) -MMD -MP -c $$< -o $$@

$(BENCHES:%.c=$(4)/%_test): $(4)/%_test: $(4)/%_test.o $(4)/%_called.o $(4)/libndproof.a
	$(Q)$(LINK) $$^ $$(LDLIBS) -lcmocka -o $$@

# What counts is not counted itself.
$(4)/%_count.o: CFLAGS_count := -O1 -g

# What targets share; only what one of them uses is linked into it. A target knows its name.
$(4)/libfuzz.a: $(FUZZ_C:%.c=$(4)/%.o)
	@rm -f $$@
	$(Q)$$(AR) rcs $$@ $$^

$(4)/fuzzers/%_test: $(4)/fuzzers/%_test.o $(4)/libfuzz.a $(4)/libndproof.a
	$(Q)$(LINK) $$^ $$(LDLIBS) -lcmocka -o $$@

$(4)/fuzzers/fuzz_%.o: CPPFLAGS += -DNDP_FUZZ_NAME='"$$(patsubst fuzz_%,%,$$(notdir $$*))"'

$(4)/fuzzers/fuzz_%: $(4)/fuzzers/fuzz_%.o $(FUZZ_MAIN_$(1):%=$(4)/%) $(4)/libfuzz.a $(4)/libndproof.a
	$(Q)$(LINK) $(FUZZ_FLAGS_$(1)) $(FUZZ_ENTRIES) $$^ $$(LDLIBS) -o $$@

# The mutator of a target for AFL++.
$(4)/fuzzers/fuzz_%.so: $(4)/fuzzers/fuzz_%.o $(4)/libfuzz.a $(4)/libndproof.a
	$(Q)$(LINK) -shared -Wl,-u,afl_custom_fuzz $$^ $$(LDLIBS) -o $$@

-include $(BENCHES:%.c=$(4)/%_called.d) $(patsubst %.c,$(4)/%.d,$(ALL_C) $(LIB_C) $(CMD_C) $(FUZZERS) $(FUZZ_C) $(FUZZ_TESTS) fuzzers/runtime/replay.c) \
    $(PLUGIN_NAME:%=$(4)/plugin/%.d)
endef
# An engine brings its own main(); everywhere else replay.c runs files.
FUZZ_MAIN_plain := fuzzers/runtime/replay.o
FUZZ_MAIN_asan  := fuzzers/runtime/replay.o
FUZZ_MAIN_cov   := fuzzers/runtime/replay.o
FUZZ_MAIN_speed := fuzzers/runtime/replay.o
FUZZ_FLAGS_fuzz := -fsanitize=fuzzer
# Engines look for these and do not ask the archive for them.
FUZZ_ENTRIES := $(addprefix -Wl$(COMMA)-u$(COMMA),LLVMFuzzerTestOneInput LLVMFuzzerInitialize LLVMFuzzerCustomMutator \
                LLVMFuzzerCustomCrossOver)
AFL_MAP         := -Wl,--defsym=fuzz_afl_map=__afl_area_ptr
FUZZ_FLAGS_afl  := -fsanitize=fuzzer $(AFL_MAP)
$(eval $(call flavour,plain,$(CC),$(CXX),$(PLAIN)))
$(eval $(call flavour,asan,$(CC),$(CXX),$(ASAN)))
$(eval $(call flavour,speed,$(CC),$(CXX),$(SPEED)))
$(eval $(call flavour,pic,$(CC),$(CXX),build/$(notdir $(CC))-pic))
$(eval $(call flavour,count,$(CC),$(CXX),$(COUNT)))
$(eval $(call flavour,cov,$(CC),$(CXX),$(COV)))
$(eval $(call flavour,s390x,s390x-linux-gnu-gcc,,build/s390x))
$(eval $(call flavour,fuzz,clang,clang++,build/clang-fuzz))
# Coverage is of what is tested. What judges it tells engines nothing and takes time; what waits for a testee, keeps memory
# from one input to the next or runs an input again when the machine was busy would be something new, or unstable.
WAITS     := $(addprefix process/,process_start process_target supervise guard spares census heap_meter)
KEEPS     := harness/base/arena harness/base/block_pool harness/base/temporary fuzzers/runtime/heap_watch
ENGINES   := $(addprefix fuzzers/runtime/,coverage findings runtime stats)
UNCOUNTED := harness/property/% harness/engine/% harness/report/% $(WAITS:%=harness/target/%) $(KEEPS) $(ENGINES)
$(foreach o,$(UNCOUNTED),$(eval build/clang-fuzz/$(o).o: CFLAGS_fuzz := $(CFLAGS_afl)))
$(foreach o,$(UNCOUNTED),$(eval build/afl/$(o).o: export AFL_NOOPT := 1))
$(ENGINES:%=build/afl/%.o): CPPFLAGS += -D__AFL_COMPILER
# Code that runs as often as the code under test has no sanitizers; its tests do: mutators, code that runs a case or
# compares observations (engines count what it reaches), code that looks up routes and promises, the runtime of targets,
# and memory that marks its objects itself.
BARE     := -O2 -g -fno-omit-frame-pointer $(filter -D%,$(FUZZED))
MUTATORS := $(patsubst %.c,%,$(wildcard fuzzers/mutate/*.c))
RUNNERS  := $(addprefix harness/target/,claims interpret interpret_codec program target) \
            $(addprefix fuzzers/runtime/,cases graph_cases observed_value routes_by_cost) \
            $(addprefix harness/model/,equality equality_dtype equality_values graph_compare)
AROUND   := harness/base/arena $(patsubst %.c,%,$(filter-out %_test.c,$(wildcard harness/engine/*.c harness/property/*.c))) \
            fuzzers/runtime/heap_watch $(ENGINES)
$(foreach o,$(MUTATORS) $(RUNNERS) $(AROUND),$(eval $(SPEED)/$(o).o: CFLAGS_speed := $(BARE)) \
    $(eval build/afl/$(o).o: CFLAGS_afl := $(BARE)) \
    $(eval build/clang-fuzz/$(o).o: CFLAGS_fuzz := $(BARE) $(if $(filter $(RUNNERS),$(o)),$(COVERED))))
# What OSS-Fuzz brings: compilers, flags and the engine, whose own C++ library $CXXFLAGS name; without an engine replay.c
# runs files. Libraries are looked for beside the binary.
CFLAGS_oss      := $(CFLAGS)
LINK_FLAGS_oss  := $(CXXFLAGS)
FUZZ_MAIN_oss   := $(if $(filter none,$(FUZZING_ENGINE)),fuzzers/runtime/replay.o)
FUZZ_FLAGS_oss  := $(if $(filter none,$(FUZZING_ENGINE)),,$(LIB_FUZZING_ENGINE)) $(if $(filter afl,$(FUZZING_ENGINE)),$(AFL_MAP)) -Wl,--disable-new-dtags -Wl,-rpath,'$$$$ORIGIN/lib'
$(eval $(call flavour,oss,$(CC),$(CXX),build/oss))
$(eval $(call flavour,afl,afl-clang-fast,afl-clang-fast++,build/afl))
