# The programs of unit tests: their suites, the functions that they replace, and the rule that links them.

# The suites of a folder are linked into one program, `tests`, except for those that replace functions at link time: by
# --wrap, or by defining a fuzz target.
COUNTED_C := $(filter $(addprefix harness/,base/% model/% describe/% generate/% codec/% target/process/heap_meter.c),$(LIB_C))
FAILING := malloc calloc realloc strdup strndup open openat fcntl read pread write lseek fstat ftruncate mmap \
           $(addprefix ndp_,arena_alloc arena_alloc_items arena_copy buffer_add buffer_extend buffer_printf pickle_output_add pickle_output_add_byte)
COUNTED := memcpy memmove memset memcmp memchr calloc realloc strlen
ALONE    := $(filter %_failures_test.c $(addprefix fuzzers/,runtime/% mutate/% oracle/read_as%),$(TESTS) $(FUZZ_TESTS)) $(COUNTS)
programs = $(addsuffix tests,$(sort $(dir $(filter-out $(ALONE),$(1))))) $(basename $(filter $(ALONE),$(1)))
suites   = $(if $(filter tests,$(notdir $(1))),$(filter-out $(ALONE),$(wildcard $(dir $(1))*_test.c)),$(1).c)
wraps    = $(addprefix -Wl$(COMMA)--wrap=,$(if $(filter %_failures_test,$(1)),$(FAILING)) $(if $(filter %_count,$(1)),$(COUNTED)))
HARNESS_TESTS := $(call programs,$(TESTS))
ALL_TESTS     := $(HARNESS_TESTS) $(call programs,$(FUZZ_TESTS))
# These also run without ASan, which replaces allocator, arena and signal handlers.
PLAIN_TESTS   := $(filter harness/base/% harness/target/% harness/cmd/%,$(HARNESS_TESTS))

# $(1) flavour, $(2) its folder, $(3) a program of tests
define tests
$(2)/$(3): $(patsubst %.c,$(2)/%.o,$(call suites,$(3)) build/generated/suites/$(3).c harness/base/suite_main.c \
    $(if $(filter harness/cmd/%,$(3)),$(filter-out %/main.c,$(CMD_C)))) \
    $(if $(filter %_count,$(3)),$(COUNTED_C:%.c=$(2)/%.o),$(if $(filter fuzzers/%,$(3)),$(2)/libfuzz.a) $(2)/libndproof.a)
	$(Q)$$(LINK_$(1)) $(call wraps,$(3)) $$^ $$(LDLIBS) -lcmocka -o $$@
endef
