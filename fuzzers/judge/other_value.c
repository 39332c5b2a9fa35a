#include "judge/other_value.h"

#include "fuzz.h"
#include "judge/array_counted.h"
#include "judge/flags_again.h"
#include "judge/graph_changed.h"
#include "judge/graph_company.h"
#include "judge/graph_counted.h"
#include "judge/graph_spoilt.h"
#include "judge/leaf_again.h"
#include "judge/view_again.h"
#include "judge/view_spoilt.h"
#include "model/graph_features.h"

enum { ONE_IN = 8 };
#define ROOM_BYTES (UINT64_C(1) << 26)

static struct ndp_arena arena = {.limit_bytes = ROOM_BYTES};

static void check_features(const struct ndp_graph *graph, uint64_t pick) {
    const uint32_t number = (uint32_t)(pick % graph->count);
    FUZZ_HOLDS(ndp_graph_features(graph) == fuzz_count_graph(graph));
    FUZZ_HOLDS(ndp_node_features(graph, number) == fuzz_count_node(graph, number));
}

static void check_graph(const struct ndp_graph *graph, uint64_t pick) {
    struct ndp_graph expected;
    const uint64_t way = pick % ONE_IN;
    if (way == 0) check_features(graph, pick / ONE_IN);
    if (way == 2) (void)fuzz_check_graph_spoilt(&arena, graph, pick);
    if (way >= 4 && way < 6 && ndp_graph_expect(&arena, graph, true, &expected, NULL) == NDP_OK) {
        if (way == 4) (void)fuzz_check_graph_changed(&arena, &expected, pick);
        if (way == 5) fuzz_check_company(&arena, &expected, pick);
    }
}

void fuzz_check_value(const struct ndp_value *value, uint64_t pick) {
    if (value->graph != NULL) check_graph(value->graph, pick);
    if (value->kind == NDP_VALUE_ARRAY && pick % ONE_IN == 0) (void)fuzz_check_array_features(&arena, &value->array);
    if (value->kind == NDP_VALUE_ARRAY && pick % ONE_IN == 5) (void)fuzz_check_flags(&arena, &value->array);
    if (value->kind == NDP_VALUE_ARRAY && pick % ONE_IN == 6)
        (void)fuzz_check_leaf(value->array.base.dtype, pick / ONE_IN);
    if (value->kind == NDP_VALUE_ARRAY && pick % ONE_IN == 7)
        (void)fuzz_check_seed(&arena, &value->array, pick / ONE_IN);
    if (value->kind == NDP_VALUE_ARRAY && pick % ONE_IN == 3) (void)fuzz_check_views(&arena, &value->array, pick);
    if (value->kind == NDP_VALUE_ARRAY && pick % ONE_IN == 1)
        (void)fuzz_check_view_limits(&arena, &value->array, pick / ONE_IN);
    ndp_arena_reset(&arena);
}
