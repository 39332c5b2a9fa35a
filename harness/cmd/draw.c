#include "cmd/draw.h"

#include <string.h>

#include "base/byteorder.h"
#include "model/graph/graph.h"

enum {
    MAX_ELEMENTS_DRAWN = 24,
    MAX_ITEM_BYTES_DRAWN = 32,
    MAX_BYTE_ROWS_DRAWN = 16,
    MAX_NODES_DRAWN = 64,
    MAX_EDGES_DRAWN = 32
};

static void draw_text(FILE *out, struct ndp_bytes text) {
    for (uint64_t i = 0; i < text.size_bytes; i++) {
        if (text.data[i] < 0x20 || text.data[i] == 0x7f) {
            fprintf(out, "\\x%02x", text.data[i]);
        } else {
            fputc(text.data[i], out);
        }
    }
}

static bool draw_leaf(void *context, const struct ndp_dtype *leaf, uint64_t offset_bytes, const char *path) {
    FILE *out = context;
    NDP_BUFFER_SCOPED(text, 64);
    if (ndp_dtype_add_typestr(&text, leaf) == NDP_OK) {
        fprintf(out, "    %-6llu %-8.*s %s\n", (unsigned long long)offset_bytes, (int)text.size_bytes,
                (const char *)text.data, path);
    }
    return true;
}

static void draw_dtype(FILE *out, const struct ndp_dtype *dtype) {
    NDP_BUFFER_SCOPED(text, 64);
    if (ndp_dtype_add_typestr(&text, dtype) == NDP_OK) {
        fprintf(out, "dtype    %.*s, %llu bytes per item\n", (int)text.size_bytes, (const char *)text.data,
                (unsigned long long)dtype->itemsize_bytes);
    }
    if (dtype->kind == NDP_KIND_STRUCT || dtype->kind == NDP_KIND_SUBARRAY) {
        fprintf(out, "  leaves: offset, type, path\n");
        ndp_dtype_visit(dtype, draw_leaf, out);
    }
}

static void draw_numbers(FILE *out, const char *name, const int64_t *numbers, uint32_t count) {
    fprintf(out, "%-8s (", name);
    for (uint32_t i = 0; i < count; i++) fprintf(out, "%s%lld", i > 0 ? ", " : "", (long long)numbers[i]);
    fprintf(out, ")\n");
}

static void draw_flags(FILE *out, uint32_t flags, uint64_t features) {
    static const char *const flag_words[] = {
#define WORD(name, letter, word) word,
        NDP_FLAG_LIST(WORD)
#undef WORD
    };
    static const char *const feature_words[] = {
#define WORD(name, word) word,
        NDP_FEATURE_LIST(WORD)
#undef WORD
    };
    fprintf(out, "flags   ");
    for (uint32_t i = 0; i < NDP_FLAG_COUNT; i++)
        fprintf(out, " %s=%s", flag_words[i], (flags >> i & 1) != 0 ? "yes" : "no");
    fprintf(out, "\nfeatures");
    for (uint32_t i = 0; i < NDP_FEATURE_COUNT; i++)
        if ((features >> i & 1) != 0) fprintf(out, " %s", feature_words[i]);
    fputc('\n', out);
}

static void draw_elements(FILE *out, const struct ndp_array *array) {
    uint64_t count = ndp_layout_count(&array->layout);
    if (count == 0) {
        fprintf(out, "no elements\n");
        return;
    }
    uint64_t itemsize = array->dtype->itemsize_bytes;
    fprintf(out, "elements: index, offset in memory, bytes\n");
    int64_t index[NDP_MAX_NDIM] = {0};
    uint32_t drawn = 0;
    do {
        if (drawn++ == MAX_ELEMENTS_DRAWN) {
            fprintf(out, "  ... %llu in all\n", (unsigned long long)count);
            return;
        }
        fprintf(out, "  [");
        for (uint32_t i = 0; i < array->layout.ndim; i++) fprintf(out, "%s%lld", i > 0 ? "," : "", (long long)index[i]);
        int64_t at = ndp_layout_at(&array->layout, index);
        fprintf(out, "] @%-6lld ", (long long)at);
        for (uint64_t i = 0; i < itemsize && i < MAX_ITEM_BYTES_DRAWN; i++)
            fprintf(out, "%02x", array->buffer[at + (int64_t)i]);
        fprintf(out, "%s\n", itemsize > MAX_ITEM_BYTES_DRAWN ? "..." : "");
    } while (ndp_layout_next(&array->layout, index));
}

void ndp_draw_array(FILE *out, const struct ndp_array *array, const struct ndp_observation *observation) {
    fprintf(out, "class    ");
    draw_text(out, observation->class_name);
    if (array->map.is_backed) {
        fprintf(out, ", a map of a file, mode %s, offset %llu", ndp_map_mode_words[array->map.mode],
                (unsigned long long)array->map.offset_bytes);
    }
    fputc('\n', out);
    draw_dtype(out, array->dtype);
    draw_numbers(out, "shape", array->layout.shape, array->layout.ndim);
    draw_numbers(out, "strides", array->layout.strides_bytes, array->layout.ndim);
    fprintf(out, "memory   %llu bytes, element 0 at %lld\n", (unsigned long long)array->buffer_bytes,
            (long long)array->layout.offset_bytes);
    draw_flags(out, observation->flags, ndp_array_features(array));
    draw_elements(out, array);
}

void ndp_draw_bytes(FILE *out, struct ndp_bytes bytes, uint32_t max_rows) {
    for (uint64_t at = 0; at < bytes.size_bytes; at += 16) {
        if (at / 16 == max_rows) {
            fprintf(out, "  ... %llu bytes in all\n", (unsigned long long)bytes.size_bytes);
            return;
        }
        uint64_t end = at + 16 < bytes.size_bytes ? at + 16 : bytes.size_bytes;
        fprintf(out, "  %06llx  ", (unsigned long long)at);
        for (uint64_t i = at; i < at + 16; i++) {
            if (i < end) {
                fprintf(out, "%02x ", bytes.data[i]);
            } else {
                fprintf(out, "   ");
            }
        }
        fputc(' ', out);
        for (uint64_t i = at; i < end; i++)
            fputc(bytes.data[i] >= 0x20 && bytes.data[i] < 0x7f ? bytes.data[i] : '.', out);
        fputc('\n', out);
    }
}

void ndp_draw_promise_rows(FILE *out, const struct ndp_bench *bench, const struct ndp_route *route, uint64_t features) {
    const struct ndp_target *decoder = ndp_bench_find(bench, route->decoder);
    const struct ndp_target *encoder = route->encoder[0] == '\0' ? decoder : ndp_bench_find(bench, route->encoder);
    if (encoder == NULL || decoder == NULL) return;
    for (int field = 0; field < NDP_FIELD_ATTRIBUTES; field++) {
        const struct ndp_contract_row *row =
            ndp_contract_find((enum ndp_contract_field)field, route, &encoder->info, &decoder->info, features);
        if (row->promise == NDP_PROMISE_SAME) continue;
        fprintf(out, "  %-14s %-13s %s\n", ndp_contract_field_word(row->field), ndp_contract_promise_word(row->promise),
                row->source);
    }
}

void ndp_draw_promises(FILE *out, const struct ndp_bench *bench, const struct ndp_route *route, uint64_t features) {
    char text[NDP_ROUTE_TEXT_BYTES];
    if (ndp_bench_find(bench, route->encoder) == NULL || ndp_bench_find(bench, route->decoder) == NULL) return;
    ndp_descriptor_print_route(route, text);
    fprintf(out, "%s, %s to %s\n", text, route->encoder, route->decoder);
    ndp_draw_promise_rows(out, bench, route, features);
}

static void draw_edges(FILE *out, const struct ndp_node *node) {
    for (uint32_t k = 0; k < node->edge_count && k < MAX_EDGES_DRAWN; k++) {
        const struct ndp_edge *edge = &node->edges[k];
        fprintf(out, "  %s%s", ndp_graph_words_edge(edge->role), edge->name.size_bytes > 0 ? "." : "");
        draw_text(out, edge->name);
        fprintf(out, " -> %u", edge->to);
    }
    if (node->edge_count > MAX_EDGES_DRAWN) fprintf(out, "  ... %u edges in all", node->edge_count);
}

/* The import path and what must survive. */
static void draw_instance(FILE *out, const struct ndp_node *node) {
    fputc(' ', out);
    draw_text(out, node->import);
    for (uint32_t i = 0; i < node->keep_count; i++) {
        fprintf(out, "%s", i == 0 ? " keep " : ", ");
        draw_text(out, node->keep[i]);
    }
}

void ndp_draw_graph(FILE *out, const struct ndp_graph *graph) {
    for (uint32_t i = 0; i < graph->count && i < MAX_NODES_DRAWN; i++) {
        const struct ndp_node *node = &graph->nodes[i];
        fprintf(out, "%c%3u %s", i == graph->root ? '*' : ' ', i, ndp_graph_words_node(node->kind));
        if (node->kind == NDP_NODE_ARRAY) {
            fputc(' ', out);
            draw_text(out, node->array.class_name);
        }
        if (node->kind == NDP_NODE_INSTANCE) draw_instance(out, node);
        if (node->kind == NDP_NODE_OBJECTS && node->is_string)
            fprintf(out, " StringDType%s", node->is_strict ? " without coercion" : "");
        if (node->kind == NDP_NODE_FUNCTION) fprintf(out, " %s", ndp_graph_words_code(node->code));
        draw_edges(out, node);
        fputc('\n', out);
    }
    if (graph->count > MAX_NODES_DRAWN) fprintf(out, "  ... %u nodes in all\n", graph->count);
}

void ndp_draw_dict(FILE *out, const struct ndp_dict_value *dict) {
    fprintf(out, "dict of %s to %s: %u items at the start, %u rounds of %u threads\n", ndp_dict_type_word(dict->key),
            ndp_dict_type_word(dict->item), dict->initial, dict->rounds, dict->thread_count);
    for (uint32_t i = 0; i < dict->thread_count; i++) {
        const struct ndp_dict_thread *thread = &dict->threads[i];
        fprintf(out, "  thread %u:", i);
        for (uint32_t k = 0; k < thread->block_count; k++) {
            const struct ndp_dict_block *block = &thread->blocks[k];
            fprintf(out, "%s %s", k > 0 ? "," : "", ndp_dict_op_word(block->op));
            if (block->op == NDP_DICT_OP_ITERATE) continue;
            fprintf(out, " %u keys from %u", block->count, block->first);
        }
        fputc('\n', out);
    }
}

static enum ndp_status draw_built_array(FILE *out, struct ndp_arena *arena, const struct ndp_array_value *value,
                                        struct ndp_error *error) {
    struct ndp_array array;
    struct ndp_observation observation;
    NDP_TRY(ndp_array_build(arena, value, ndp_byteorder_host_is_little(), &array, error));
    NDP_TRY(ndp_array_observe(arena, &array, &observation));
    ndp_draw_array(out, &array, &observation);
    return NDP_OK;
}

/* Draws the bytes of a decode case that names them, and returns whether it does; else they are an encoding of the
 * value. */
static bool draw_given_bytes(FILE *out, const struct ndp_descriptor *descriptor) {
    const bool has_file = descriptor->file[0] != '\0', has_bytes = descriptor->bytes.size_bytes > 0;
    const bool has_fault = descriptor->fault.name[0] != '\0';
    if (has_fault)
        fprintf(out, "the fault %s %llu changes the encoded bytes before they are decoded\n", descriptor->fault.name,
                (unsigned long long)descriptor->fault.argument);
    if (has_file) fprintf(out, "corpus file %s\n", descriptor->file);
    if (has_bytes || (!has_file && !has_fault)) {
        fprintf(out, "%llu bytes to decode\n", (unsigned long long)descriptor->bytes.size_bytes);
        ndp_draw_bytes(out, descriptor->bytes, MAX_BYTE_ROWS_DRAWN);
    }
    return has_file || has_bytes || !has_fault;
}

enum ndp_status ndp_draw_descriptor(FILE *out, struct ndp_arena *arena, const struct ndp_descriptor *descriptor,
                                    struct ndp_error *error) {
    if (descriptor->kind == NDP_CASE_DECODE && draw_given_bytes(out, descriptor)) return NDP_OK;
    switch (descriptor->value.kind) {
    case NDP_VALUE_GRAPH:
        ndp_draw_graph(out, descriptor->value.graph);
        return NDP_OK;
    case NDP_VALUE_DICT:
        ndp_draw_dict(out, descriptor->value.dict);
        return NDP_OK;
    case NDP_VALUE_ARRAY:
    case NDP_VALUE_KIND_COUNT:
        break;
    }
    return draw_built_array(out, arena, &descriptor->value.array, error);
}
