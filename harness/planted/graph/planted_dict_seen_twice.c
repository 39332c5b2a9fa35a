#include "planted/graph_defect.h"

/* Calls the visitor a second time for the first entry. */
struct twice {
    ndp_plugin_visit *visit;
    void *context;
    bool has_begun;
};

static void visit_twice(void *context, int64_t key, int64_t item) {
    struct twice *twice = context;
    if (!twice->has_begun) twice->visit(twice->context, key, item);
    twice->has_begun = true;
    twice->visit(twice->context, key, item);
}

static void each_with_duplicate(void *dict, ndp_plugin_visit *visit, void *context) {
    struct twice twice = {visit, context, false};
    ndp_reference_dict_each(dict, visit_twice, &twice);
}

NDP_PLANT_DICT(dict_seen_twice, "concurrency", "An iteration yields one entry twice.", ndp_reference_dict_set,
               ndp_reference_dict_get, ndp_reference_dict_length, each_with_duplicate);
