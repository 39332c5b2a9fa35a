/* generate_fault.c: generates decode cases: a value, one fault in its encoding, and the expected result. */
#include "describe/fault.h"
#include "generate/generate_parts.h"

#include <stdio.h>
#include <string.h>

/* After this many values that do not fit the fault, a value is used that fits every fault. */
enum { MAX_TRIES = 6 };

static uint32_t count_rows(const char *format) {
    uint32_t count = 0;
    uint32_t found = 0;
    const struct ndp_fault_row *rows = ndp_fault_rows(&count);
    for (uint32_t i = 0; i < count; i++) found += strcmp(rows[i].format, format) == 0;
    return found;
}

const struct ndp_fault_row *ndp_generate_fault_row(struct ndp_choices *choices, const char *format) {
    uint32_t count = 0;
    uint32_t found = count_rows(format);
    if (found == 0) return NULL;
    uint64_t drawn = ndp_choose(choices, found);
    const struct ndp_fault_row *rows = ndp_fault_rows(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(rows[i].format, format) != 0) continue;
        if (drawn == 0) return &rows[i];
        drawn--;
    }
    return NULL;
}

/* A third each: the bounds of the range, small numbers, any number. */
uint64_t ndp_generate_fault_argument(struct ndp_choices *choices, const struct ndp_fault_row *row) {
    uint64_t span = row->argument_max - row->argument_min;
    const uint64_t choice = ndp_choose(choices, 3);
    if (choice == 0) return ndp_choose_rarely(choices, 2) ? row->argument_max : row->argument_min;
    if (choice == 1) return row->argument_min + ndp_choose(choices, (span < 256 ? span : 256) + 1);
    return ndp_choose_between(choices, row->argument_min, row->argument_max);
}

void ndp_generate_set_fault(struct ndp_descriptor *descriptor, const struct ndp_fault_row *row, uint64_t argument) {
    descriptor->fault = (struct ndp_fault){.argument = argument};
    snprintf(descriptor->fault.name, sizeof descriptor->fault.name, "%s", row->name);
    descriptor->expect = row->expect;
}

static enum ndp_status value_fits(const struct ndp_fault_row *row, const struct ndp_value *value,
                                  const struct ndp_generate_limits *limits, bool *fits) {
    struct ndp_arena scratch;
    struct ndp_array array;
    ndp_generate_scratch_init(&scratch, limits);
    enum ndp_status status = ndp_array_build_layout(&scratch, &value->array, true, &array, NULL);
    *fits = status == NDP_OK && ndp_fault_fits(row, &array);
    ndp_arena_clear(&scratch);
    return status == NDP_NOMEM ? status : NDP_OK;
}

static void take_plain_value(struct ndp_value *value) {
    static const struct ndp_dtype dtype = {.kind = NDP_KIND_INT, .itemsize_bytes = 4, .order = NDP_ORDER_LITTLE};
    static const int64_t shape[] = {3};
    *value = (struct ndp_value){.kind = NDP_VALUE_ARRAY};
    value->array.class_name = ndp_bytes_view("ndarray");
    value->array.base =
        (struct ndp_base){.dtype = &dtype, .ndim = 1, .shape = shape, .data = {.pattern = NDP_PATTERN_INDEX}};
}

enum ndp_status ndp_generate_fault(struct ndp_arena *arena, struct ndp_choices *choices, const char *format,
                                   const struct ndp_generate_limits *limits, struct ndp_descriptor *out) {
    struct ndp_generate_limits resolved = ndp_generate_limits_resolve(limits);
    resolved.without_objects = true;
    resolved.without_maps = true;
    const struct ndp_fault_row *row = ndp_generate_fault_row(choices, format);
    if (row == NULL) return NDP_UNSUPPORTED;

    struct ndp_descriptor descriptor = {.kind = NDP_CASE_DECODE};
    snprintf(descriptor.route.format, sizeof descriptor.route.format, "%s", format);
    ndp_generate_set_fault(&descriptor, row, ndp_generate_fault_argument(choices, row));
    if (strcmp(format, "raw") == 0) {
        static const uint64_t offsets[] = {0, 1, 64, 4095, 4096};
        descriptor.route.offset_bytes = offsets[ndp_choose(choices, NDP_ARRAY_LEN(offsets))];
    }
    bool fits = false;
    for (int i = 0; i < MAX_TRIES && !fits; i++) {
        NDP_TRY(ndp_generate_value(arena, choices, &resolved, &descriptor.value));
        NDP_TRY(value_fits(row, &descriptor.value, &resolved, &fits));
    }
    if (!fits) take_plain_value(&descriptor.value);
    *out = descriptor;
    return NDP_OK;
}
