/* generate_fault.c: generates decode cases: a value, one fault in its encoding, and the expected result. */
#include "describe/fault.h"
#include "generate/array_plan.h"
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

/* Fills *out with a value for the fault. */
static enum ndp_status generate_with(struct ndp_arena *arena, struct ndp_choices *choices,
                                     const struct ndp_fault_row *fault, const struct ndp_array_plan *plan,
                                     const struct ndp_covering_row *row, struct ndp_descriptor *out) {
    struct ndp_descriptor descriptor = {.kind = NDP_CASE_DECODE};
    snprintf(descriptor.route.format, sizeof descriptor.route.format, "%s", fault->format);
    ndp_generate_set_fault(&descriptor, fault, ndp_generate_fault_argument(choices, fault));
    if (strcmp(fault->format, "raw") == 0) {
        static const uint64_t offsets[] = {0, 1, 64, 4095, 4096};
        descriptor.route.offset_bytes = offsets[ndp_choose(choices, NDP_ARRAY_LEN(offsets))];
    }
    bool fits = false;
    for (int i = 0; i < MAX_TRIES && !fits; i++) {
        NDP_TRY(ndp_generate_array_by_plan(arena, choices, plan, row, &descriptor.value));
        NDP_TRY(value_fits(fault, &descriptor.value, &plan->limits, &fits));
    }
    if (!fits) take_plain_value(&descriptor.value);
    *out = descriptor;
    return NDP_OK;
}

enum ndp_status ndp_generate_fault(struct ndp_arena *arena, struct ndp_choices *choices, const char *format,
                                   const struct ndp_generate_limits *limits, struct ndp_descriptor *out) {
    struct ndp_array_plan plan = {.limits = ndp_generate_limits_resolve(limits)};
    struct ndp_covering_row row;
    plan.limits.without_objects = true;
    plan.limits.without_maps = true;
    memset(row.values, NDP_COVERING_FREE, sizeof row.values);
    const struct ndp_fault_row *fault = ndp_generate_fault_row(choices, format);
    return fault == NULL ? NDP_UNSUPPORTED : generate_with(arena, choices, fault, &plan, &row, out);
}

enum ndp_status ndp_generate_fault_by_plan(struct ndp_arena *arena, struct ndp_choices *choices,
                                           const struct ndp_fault_row *fault, const struct ndp_array_plan *plan,
                                           const struct ndp_covering_row *row, struct ndp_descriptor *out) {
    return generate_with(arena, choices, fault, plan, row, out);
}

/* ---- rules ---- */

static bool is_among(const struct ndp_covering_row *row, uint32_t parameter, uint32_t values) {
    const uint8_t value = row->values[parameter];
    return value != NDP_COVERING_FREE && (values >> value & 1) != 0;
}

bool ndp_generate_fault_permits(const struct ndp_fault_row *fault, const struct ndp_covering_row *row) {
    const bool is_empty = is_among(row, NDP_PLAN_SIZE, 1u << NDP_SIZE_EMPTY);
    const bool has_no_bytes = is_among(row, NDP_PLAN_ITEM, 1u << NDP_ITEM_ZERO);
    const uint32_t few_axes = 1u << NDP_AXES_ZERO | 1u << NDP_AXES_ONE;
    const uint32_t orders = 1u << NDP_LEAVES_LITTLE | 1u << NDP_LEAVES_BIG;
    if ((fault->needs & NDP_NEED_DIM) != 0 && is_among(row, NDP_PLAN_AXES, 1u << NDP_AXES_ZERO)) return false;
    if ((fault->needs & NDP_NEED_DATA) != 0 && (is_empty || has_no_bytes)) return false;
    if ((fault->needs & NDP_NEED_ITEMSIZE) != 0 && has_no_bytes) return false;
    if ((fault->needs & NDP_NEED_ELEMENTS) != 0 && is_empty) return false;
    if ((fault->needs & NDP_NEED_BOTH_ORDERS) != 0 && is_among(row, NDP_PLAN_AXES, ~few_axes)) return false;
    if ((fault->needs & NDP_NEED_ASCII) != 0 && is_among(row, NDP_PLAN_NOTES, 1u << NDP_NOTES_ODD_NAMES)) return false;
    if ((fault->needs & (NDP_NEED_LEAF | NDP_NEED_MULTIBYTE)) != 0 &&
        is_among(row, NDP_PLAN_ELEMENT, UINT32_MAX << NDP_ELEMENT_PACKED))
        return false;
    return (fault->needs & NDP_NEED_MULTIBYTE) == 0 || !is_among(row, NDP_PLAN_ORDER, ~orders);
}
