# ndproof: build, set-up, tests. `make help` lists the targets.

CC      ?= cc
PYTHON  ?= python3
FLAVOUR ?= plain
VERSION := 0.1.0

# Object files per compiler and flavour, so that they never mix.
BUILD := build/$(notdir $(CC))-$(FLAVOUR)

WARN   := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wswitch-enum -Wstrict-prototypes -Wmissing-prototypes \
          -Wvla -Wcast-qual -Wwrite-strings -Wundef -Werror
CFLAGS_plain := -O2 -g
CFLAGS_asan  := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -DNDP_ARENA_PER_OBJECT
CPPFLAGS += -Iharness -I$(BUILD) -D_POSIX_C_SOURCE=200809L -DNDP_VERSION='"$(VERSION)"'
ALL_CFLAGS := -std=c11 $(WARN) $(CFLAGS_$(FLAVOUR)) $(CFLAGS)
LDLIBS := -lcjson

FOLDERS := base model describe codec target property engine report cmd
SOURCES := $(filter-out %_test.c,$(foreach d,$(FOLDERS),$(wildcard harness/$(d)/*.c)))
TESTS   := $(foreach d,$(FOLDERS),$(wildcard harness/$(d)/*_test.c))
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o)
LIB_OBJECTS := $(filter-out $(BUILD)/harness/cmd/%,$(OBJECTS))
TEST_BINS := $(TESTS:%.c=$(BUILD)/%)

.PHONY: all unit clean help
all: $(BUILD)/libndproof.a $(if $(wildcard harness/cmd/*.c),$(BUILD)/ndproof)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/libndproof.a: $(LIB_OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/ndproof: $(filter $(BUILD)/harness/cmd/%,$(OBJECTS)) $(BUILD)/libndproof.a
	$(CC) $(ALL_CFLAGS) $^ $(LDLIBS) -o $@

$(BUILD)/%_test: $(BUILD)/%_test.o $(BUILD)/libndproof.a
	$(CC) $(ALL_CFLAGS) $^ $(LDLIBS) -lcmocka -o $@

## unit: every unit test of this flavour
unit: $(TEST_BINS)
	@for t in $(TEST_BINS); do echo "$$t"; $$t || exit 1; done

clean:
	rm -rf build

-include $(OBJECTS:.o=.d) $(TESTS:%.c=$(BUILD)/%.d)
