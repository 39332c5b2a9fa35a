#include "cmd/route_table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define DTYPE_BYTES 4096

/* ---- texts ---- */

/* Replaces control characters, and ends a text that fills its room in "...". */
static void make_printable(char *text, size_t room) {
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f) text[i] = ' ';
    if (length + 1 < room) return;
    length = room - 4;
    while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) length--; /* not inside a character */
    memcpy(text + length, "...", 4);
}

static void NDP_PRINTF(3, 4) set_text(char *out, size_t room, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(out, room, format, arguments);
    va_end(arguments);
    make_printable(out, room);
}

static enum ndp_status NDP_PRINTF(2, 3) add_text(struct ndp_buffer *buffer, const char *format, ...) {
    char text[NDP_ERROR_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t size = length < 0 ? 0 : (size_t)length;
    return ndp_buffer_add(buffer, text, size < sizeof text ? size : sizeof text - 1);
}

/* The part of a name that is printed. */
static int bounded(struct ndp_bytes name) {
    return name.size_bytes < NDP_TABLE_TEXT_BYTES ? (int)name.size_bytes : NDP_TABLE_TEXT_BYTES;
}

static enum ndp_status add_extents(struct ndp_buffer *buffer, const int64_t *shape, uint32_t ndim) {
    NDP_TRY(add_text(buffer, "("));
    for (uint32_t i = 0; i < ndim; i++) NDP_TRY(add_text(buffer, "%s%lld", i > 0 ? ", " : "", (long long)shape[i]));
    return add_text(buffer, ndim == 1 ? ",)" : ")");
}

static enum ndp_status add_dtype(struct ndp_buffer *buffer, const struct ndp_dtype *dtype);

/* "{a: <i4, b: >f8}" */
static enum ndp_status add_fields(struct ndp_buffer *buffer, const struct ndp_dtype *dtype) {
    NDP_TRY(add_text(buffer, "{"));
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        NDP_TRY(add_text(buffer, "%s%.*s: ", i > 0 ? ", " : "", bounded(field->name), (const char *)field->name.data));
        NDP_TRY(add_dtype(buffer, field->dtype));
    }
    return add_text(buffer, "}");
}

/* The depth of a dtype is checked on construction, which bounds the recursion. */
static enum ndp_status add_dtype(struct ndp_buffer *buffer, const struct ndp_dtype *dtype) {
    if (dtype->kind == NDP_KIND_STRUCT) return add_fields(buffer, dtype);
    if (dtype->kind != NDP_KIND_SUBARRAY) return ndp_dtype_add_typestr(buffer, dtype);
    NDP_TRY(add_extents(buffer, dtype->shape, dtype->ndim));
    return add_dtype(buffer, dtype->base);
}

static const char *order_of(const struct ndp_observation *array) {
    if ((array->flags & NDP_FLAG_C_CONTIGUOUS) != 0) return "C";
    return (array->flags & NDP_FLAG_F_CONTIGUOUS) != 0 ? "F" : "strided";
}

/* "(3, 4) >f8 C", and the class unless it is ndarray. */
static enum ndp_status add_array(struct ndp_buffer *buffer, const struct ndp_observation *array) {
    const struct ndp_bytes class = array->class_name;
    NDP_TRY(add_extents(buffer, array->shape, array->ndim));
    NDP_TRY(add_text(buffer, " "));
    NDP_TRY(add_dtype(buffer, array->dtype));
    NDP_TRY(add_text(buffer, " %s", order_of(array)));
    if (class.size_bytes == 0 || ndp_bytes_is_word(class, "ndarray")) return NDP_OK;
    return add_text(buffer, ", %.*s", bounded(class), (const char *)class.data);
}

static void set_array(char *out, size_t room, const struct ndp_observation *array) {
    NDP_BUFFER_SCOPED(text, DTYPE_BYTES);
    (void)add_array(&text, array); /* a text over the limit is cut below in any case */
    set_text(out, room, "%.*s", (int)text.size_bytes, (const char *)text.data);
}

/* ---- cells ---- */

static void set_version(const struct ndp_target *target, const struct ndp_route *route, enum ndp_end end, char *out) {
    if (target == NULL) return;
    const struct ndp_target_info *info = &target->info;
    const char *library = ndp_entry_library(info, route, end);
    const char *version = ndp_target_library_version(info, library);
    if (strcmp(library, info->implementation) == 0) {
        set_text(out, NDP_TABLE_WORD_BYTES, "%s %s", info->name, version != NULL ? version : info->version);
    } else {
        set_text(out, NDP_TABLE_WORD_BYTES, "%s %s in %s", library, version != NULL ? version : "", info->name);
    }
}

/* "numpy 1.26.4", or both ends of a route between two libraries. */
static void set_library(const struct ndp_bench *bench, const struct ndp_descriptor *descriptor, char *out) {
    const struct ndp_route *route = &descriptor->route;
    char ends[2][NDP_TABLE_WORD_BYTES] = {"", ""};
    set_version(ndp_bench_find(bench, route->encoder), route, NDP_END_ENCODER, ends[0]);
    set_version(ndp_bench_find(bench, route->decoder), route, NDP_END_DECODER, ends[1]);
    const bool is_one = descriptor->kind == NDP_CASE_DECODE || route->is_transport || strcmp(ends[0], ends[1]) == 0;
    set_text(out, NDP_TABLE_LIBRARY_BYTES, "%s%s%s", is_one ? "" : ends[0], is_one ? "" : " to ", ends[1]);
}

static void set_refusal(const struct ndp_refusal *refusal, char *out) {
    const char *between = refusal->type[0] != '\0' && refusal->message[0] != '\0' ? ": " : "";
    set_text(out, NDP_TABLE_TEXT_BYTES, "%s%s%s", refusal->type, between, refusal->message);
}

static void set_slot(const struct ndp_slot_record *slot, struct ndp_table_row *row) {
    static const char *const words[] = {[NDP_SLOT_ABSENT] = "not reached",
                                        [NDP_SLOT_FILLED] = "accepted",
                                        [NDP_SLOT_REFUSED] = "refused",
                                        [NDP_SLOT_UNSUPPORTED] = "unsupported"};
    set_text(row->outcome, sizeof row->outcome, "%s", words[slot->state]);
    if (slot->state == NDP_SLOT_REFUSED) {
        set_refusal(&slot->refusal, row->value);
    } else if (slot->state == NDP_SLOT_UNSUPPORTED) {
        set_text(row->value, sizeof row->value, "%s", slot->refusal.message);
    } else if (slot->has_observation) {
        set_array(row->value, sizeof row->value, &slot->observation);
    } else if (slot->graph != NULL && slot->graph->count > 0) {
        set_text(row->value, sizeof row->value, "%s, %u objects",
                 ndp_graph_words_node(slot->graph->nodes[slot->graph->root].kind), (unsigned)slot->graph->count);
    } else if (slot->dict != NULL) {
        set_text(row->value, sizeof row->value, "dict");
    }
}

static bool has_ended(enum ndp_verdict verdict) {
    return verdict == NDP_VERDICT_CRASH || verdict == NDP_VERDICT_TIMEOUT || verdict == NDP_VERDICT_OOM;
}

/* The outcome of the route and the value, the error, or how the process ended. */
static void set_outcome(const struct ndp_result *result, struct ndp_table_row *row) {
    for (uint32_t i = 0; i < result->divergence_count; i++) {
        const struct ndp_divergence *divergence = &result->divergences[i];
        if (!has_ended(divergence->verdict)) continue;
        set_text(row->outcome, sizeof row->outcome, "%s", ndp_program_verdict_word(divergence->verdict));
        if (divergence->death.signal != 0)
            set_text(row->value, sizeof row->value, "%s %s", strsignal(divergence->death.signal),
                     divergence->death.frame);
        return;
    }
    if (result->verdict == NDP_VERDICT_FAULT ||
        (result->verdict == NDP_VERDICT_UNSUPPORTED && result->detail[0] != '\0')) {
        set_text(row->outcome, sizeof row->outcome, "%s",
                 result->verdict == NDP_VERDICT_FAULT ? "error" : "unsupported");
        set_text(row->value, sizeof row->value, "%s", result->detail);
        return;
    }
    const struct ndp_slot_record *encoding = result->encoding;
    if (encoding != NULL && (encoding->state == NDP_SLOT_REFUSED || encoding->state == NDP_SLOT_UNSUPPORTED)) {
        set_slot(encoding, row);
    } else if (result->decoding != NULL) {
        set_slot(result->decoding, row);
    }
}

/* ---- against the specification ---- */

static bool is_acceptance(const char *path) {
    static const char word[] = "accepted";
    return strncmp(path, word, sizeof word - 1) == 0 && (path[sizeof word - 1] == '\0' || path[sizeof word - 1] == '.');
}

/* Adds a word to a list with commas unless it is in there. */
static void add_word(char *list, size_t room, const char *word) {
    const size_t length = strlen(list);
    if (strstr(list, word) == NULL && length + 3 < room)
        (void)snprintf(list + length, room - length, "%s%s", length > 0 ? ", " : "", word);
}

static bool is_about_another_entry(const struct ndp_divergence *divergence) {
    return divergence->property != NULL && strcmp(divergence->property->name, "entry_points") == 0;
}

/* Describes one divergence: "refused, must be accepted", or the field that differs. */
static void add_difference(const struct ndp_divergence *divergence, char *list, size_t room) {
    const struct ndp_comparison *comparison = &divergence->judgement.comparison;
    if (divergence->property == NULL) {
        add_word(list, room, "the process ended");
    } else if (comparison->count > 0 && is_acceptance(comparison->list[0].path)) {
        const bool is_refused = strcmp(comparison->list[0].expected, "accepted") == 0;
        add_word(list, room, is_refused ? "refused, must be accepted" : "accepted, must be refused");
    } else {
        char text[NDP_TABLE_TEXT_BYTES];
        snprintf(text, sizeof text, "differs: %s", divergence->judgement.field);
        add_word(list, room, text);
    }
}

/* Describes the divergences of a severity, except those about another entry point; returns whether there are any. */
static bool set_differences(const struct ndp_result *result, enum ndp_severity severity, const char *prefix,
                            struct ndp_table_row *row) {
    char list[NDP_TABLE_TEXT_BYTES * 2] = "";
    for (uint32_t i = 0; i < result->divergence_count; i++) {
        const struct ndp_divergence *divergence = &result->divergences[i];
        if (divergence->judgement.severity == severity && !is_about_another_entry(divergence))
            add_difference(divergence, list, sizeof list);
    }
    if (list[0] != '\0') set_text(row->against, sizeof row->against, "%s%s", prefix, list);
    return list[0] != '\0';
}

static bool is_answer(const struct ndp_slot_record *slot) {
    return slot != NULL && (slot->state == NDP_SLOT_FILLED || slot->state == NDP_SLOT_REFUSED);
}

/* The words for a result without a difference of its own. Bytes have a specified result if the corpus lists one or the
 * reference reads their format; otherwise only the entry points of a library can be compared with each other. */
static const char *words_without_difference(const struct ndp_descriptor *descriptor, const struct ndp_result *result) {
    const bool is_specified =
        descriptor->kind != NDP_CASE_DECODE || descriptor->expect != NDP_EXPECT_OPEN || is_answer(result->oracle);
    bool has_other = false;
    for (uint32_t i = 0; i < result->divergence_count; i++)
        has_other |= is_about_another_entry(&result->divergences[i]);
    if (result->verdict == NDP_VERDICT_FAULT) return "not comparable";
    if (has_other) return is_specified ? "as specified; another entry point differs" : "another entry point differs";
    if (result->comparisons == 0 && result->verdict != NDP_VERDICT_REJECTS) return "not comparable";
    return is_specified ? "as specified" : "not specified; entry points agree";
}

static void set_against(const struct ndp_descriptor *descriptor, const struct ndp_result *result,
                        struct ndp_table_row *row) {
    if (set_differences(result, NDP_SEVERITY_DEFECT, "", row)) return;
    if (set_differences(result, NDP_SEVERITY_DOCUMENTED_LOSS, "documented loss: ", row)) return;
    if (set_differences(result, NDP_SEVERITY_HAZARD, "documented hazard: ", row)) return;
    set_text(row->against, sizeof row->against, "%s", words_without_difference(descriptor, result));
}

/* ---- the table ---- */

/* Keeps the specified result of bytes: the expectation of the descriptor, else the result of the reference. */
static void set_expected(struct ndp_route_table *table, const struct ndp_descriptor *descriptor,
                         const struct ndp_result *result) {
    const bool is_open = descriptor->expect == NDP_EXPECT_OPEN;
    const bool is_answered = is_answer(result->oracle);
    if (table->has_expected || descriptor->kind != NDP_CASE_DECODE || (is_open && !is_answered)) return;
    table->has_expected = true;
    memset(&table->expected, 0, sizeof table->expected);
    if (is_answered) set_slot(result->oracle, &table->expected);
    if (is_open) return;
    const bool is_refused = descriptor->expect == NDP_EXPECT_REFUSE;
    if (is_answered && is_refused != (result->oracle->state == NDP_SLOT_REFUSED)) table->expected.value[0] = '\0';
    set_text(table->expected.outcome, sizeof table->expected.outcome, "%s", is_refused ? "refused" : "accepted");
}

enum ndp_status ndp_route_table_add(struct ndp_route_table *table, const struct ndp_bench *bench,
                                    const struct ndp_descriptor *descriptor, const struct ndp_result *result) {
    if (table->count == table->room) {
        const uint32_t room = table->room == 0 ? 64 : table->room * 2;
        struct ndp_table_row *rows = realloc(table->rows, room * sizeof *rows);
        if (rows == NULL) return NDP_NOMEM;
        table->rows = rows;
        table->room = room;
    }
    struct ndp_table_row *row = &table->rows[table->count++];
    memset(row, 0, sizeof *row);
    set_library(bench, descriptor, row->library);
    ndp_descriptor_print_route(&descriptor->route, row->route);
    set_outcome(result, row);
    set_against(descriptor, result, row);
    set_expected(table, descriptor, result);
    return NDP_OK;
}

static int wider(int width, const char *text) {
    const int length = (int)strlen(text);
    return length > width ? length : width;
}

/* The length of the format and protocol at the beginning of a route. */
static size_t format_length(const struct ndp_table_row *row) {
    return strcspn(row->route, ":>");
}

static bool is_alike(const struct ndp_table_row *a, const struct ndp_table_row *b) {
    const size_t length = format_length(a);
    return length == format_length(b) && strncmp(a->route, b->route, length) == 0 &&
           strcmp(a->library, b->library) == 0 && strcmp(a->outcome, b->outcome) == 0 &&
           strcmp(a->value, b->value) == 0 && strcmp(a->against, b->against) == 0;
}

/* Lets rows with equal cells share the first of them, and returns the new number of rows. */
static uint32_t join_rows(struct ndp_table_row *rows, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = 0;
        while (k < kept && !is_alike(&rows[k], &rows[i])) k++;
        if (k == kept) rows[kept++] = rows[i];
        rows[k].shared++;
    }
    for (uint32_t i = 0; i < kept; i++)
        if (rows[i].shared > 1)
            snprintf(rows[i].route + format_length(&rows[i]), sizeof rows[i].route - format_length(&rows[i]),
                     ": %u routes", (unsigned)rows[i].shared);
    return kept;
}

static void print_rows(FILE *out, const struct ndp_table_row *rows, uint32_t count) {
    static const char *const header[] = {"library", "route", "result", "value or error", "against the specification"};
    int widths[4];
    for (size_t k = 0; k < NDP_ARRAY_LEN(widths); k++) widths[k] = (int)strlen(header[k]);
    for (uint32_t i = 0; i < count; i++) {
        const char *const cells[] = {rows[i].library, rows[i].route, rows[i].outcome, rows[i].value};
        for (size_t k = 0; k < NDP_ARRAY_LEN(widths); k++) widths[k] = wider(widths[k], cells[k]);
    }
    for (uint32_t i = 0; i < count + 1; i++) {
        const struct ndp_table_row *row = i > 0 ? &rows[i - 1] : NULL;
        fprintf(out, "  %-*s  %-*s  %-*s  %-*s  %s\n", widths[0], row != NULL ? row->library : header[0], widths[1],
                row != NULL ? row->route : header[1], widths[2], row != NULL ? row->outcome : header[2], widths[3],
                row != NULL ? row->value : header[3], row != NULL ? row->against : header[4]);
    }
}

void ndp_route_table_print(FILE *out, struct ndp_route_table *table) {
    if (table->has_expected)
        fprintf(out, "  specification: %s%s%s\n", table->expected.outcome, table->expected.value[0] != '\0' ? ", " : "",
                table->expected.value);
    if (table->count > NDP_TABLE_MAX_ROWS) table->count = join_rows(table->rows, table->count);
    print_rows(out, table->rows, table->count);
}

void ndp_route_table_clear(struct ndp_route_table *table) {
    free(table->rows);
    *table = (struct ndp_route_table){0};
}
