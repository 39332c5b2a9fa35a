#include "engine/signature.h"
#include "model/graph_features.h"

#include <stdio.h>
#include <string.h>

static const char *byte_order_word(const struct ndp_dtype *dtype) {
    bool big = ndp_dtype_has_order(dtype, NDP_ORDER_BIG);
    bool little = ndp_dtype_has_order(dtype, NDP_ORDER_LITTLE);
    if (big && little) return "mixed";
    return big ? ">" : little ? "<" : "|";
}

static const char *memory_order_word(const struct ndp_array *model) {
    uint64_t itemsize = model->dtype->itemsize_bytes;
    bool is_c = ndp_layout_is_c_contiguous(&model->layout, itemsize);
    bool is_f = ndp_layout_is_f_contiguous(&model->layout, itemsize);
    if (is_c && is_f) return "any";
    return is_c ? "C" : is_f ? "F" : "strided";
}

static const char *ndim_word(uint32_t ndim) {
    static const char *const words[] = {"0", "1", "2"};
    return ndim < NDP_ARRAY_LEN(words) ? words[ndim] : "3+";
}

#define CHANCE_WORD "HAZARD|"
#define PLACE_FIELD "flags.aligned"
#define WAY_FORM    "%.90s"

bool ndp_divergence_is_chance(const struct ndp_divergence *divergence) {
    const struct ndp_contract_row *row = divergence->judgement.row;
    return row != NULL && row->promise == NDP_PROMISE_HAZARD;
}

bool ndp_signature_is_chance(const char *signature) {
    return strncmp(signature, CHANCE_WORD, strlen(CHANCE_WORD)) == 0;
}

/* What stays the same however small the case becomes: the entries are not in it, so that shrinking can find out
 * which of them matter, nor the outlier, which is known the better the more was asked for. */
static void fill_core(struct ndp_divergence *divergence) {
    if (ndp_divergence_is_chance(divergence)) {
        snprintf(divergence->core, sizeof divergence->core, CHANCE_WORD "-|%s|process", divergence->route.format);
        return;
    }
    char death[128] = "";
    if (divergence->verdict == NDP_VERDICT_CRASH) {
        snprintf(death, sizeof death, "|%s %d %s", divergence->death.signal != 0 ? "signal" : "exit",
                 divergence->death.signal != 0 ? divergence->death.signal : divergence->death.exit_code,
                 divergence->death.frame);
    }
    /* Of a relay it is the second leg that shows it; through which format the value came there is left to shrinking. */
    const struct ndp_route *route = &divergence->route;
    snprintf(divergence->core, sizeof divergence->core, "%s|%s|%s%s|%s%s", ndp_verdict_word(divergence->verdict),
             divergence->property != NULL ? divergence->property->name : "-", route->is_relayed ? "relayed " : "",
             route->is_relayed ? route->via.format : route->format, divergence->judgement.field, death);
}

/* Of a graph: what is in it. */
static void fill_graph(struct ndp_divergence *divergence, uint64_t features) {
    size_t at = strlen(divergence->signature);
    for (uint32_t bit = 0; bit < NDP_GRAPH_FEATURE_COUNT; bit++) {
        if ((features & UINT64_C(1) << bit) == 0 || at + 24 >= sizeof divergence->signature) continue;
        at += (size_t)snprintf(divergence->signature + at, sizeof divergence->signature - at, "|%s",
                               ndp_graph_feature_word(bit));
    }
}

/* The route as signatures name it. Where the bytes of an element lie depends on all that is before them, and on nothing
 * that is known of it; the protocol is one of a dump's header, so a part of the place. */
static void print_way(const struct ndp_route *route, bool is_about_place, char text[NDP_ROUTE_TEXT_BYTES]) {
    struct ndp_route way = *route;
    if (is_about_place && strcmp(way.format, "joblib") == 0) way.protocol = 0;
    way.offset_bytes = 0;
    way.via.offset_bytes = 0;
    ndp_route_print(&way, text);
}

void ndp_signature_fill(struct ndp_divergence *divergence, const struct ndp_array *model, uint64_t features) {
    fill_core(divergence);
    /* A documented loss is the same one in every entry and for every value. */
    bool is_documented =
        ndp_divergence_is_chance(divergence) ||
        (divergence->verdict == NDP_VERDICT_DIVERGES && divergence->judgement.severity == NDP_SEVERITY_DOCUMENTED_LOSS);
    if (is_documented) {
        snprintf(divergence->way, sizeof divergence->way, "%.200s|%s", divergence->core, divergence->outlier);
        memcpy(divergence->signature, divergence->way, sizeof divergence->signature);
        return;
    }
    const bool is_about_place = strcmp(divergence->judgement.field, PLACE_FIELD) == 0;
    char route[NDP_ROUTE_TEXT_BYTES];
    print_way(&divergence->route, is_about_place, route);
    snprintf(divergence->way, sizeof divergence->way, "%.130s|%s|" WAY_FORM, divergence->core, divergence->outlier,
             route);
    if (model == NULL) {
        memcpy(divergence->signature, divergence->way, sizeof divergence->signature);
        if (features != 0) fill_graph(divergence, features);
        return;
    }
    if (is_about_place) {
        snprintf(divergence->signature, sizeof divergence->signature, "%s|-|-|-|-", divergence->way);
        return;
    }
    features = ndp_array_features(model);
    /* What a library makes of a view of a map can depend on the map and not on the view: a map of one dimension is
     * C- and F-contiguous at once. */
    const bool is_reshaped = model->map.is_backed && model->base_ndim == 1 && model->layout.ndim > 1;
    snprintf(divergence->signature, sizeof divergence->signature, "%s|%c|%s|%s|%s%s%s%s%s%s", divergence->way,
             ndp_kind_codes[model->dtype->kind], byte_order_word(model->dtype), memory_order_word(model),
             ndim_word(model->layout.ndim), (features & NDP_FEATURE_STRUCTURED) != 0 ? "|structured" : "",
             (features & NDP_FEATURE_SUBCLASS) != 0 ? "|subclass" : "",
             (features & NDP_FEATURE_MAP) != 0 ? "|memmap" : "", is_reshaped ? "|1-d-base" : "",
             (features & NDP_FEATURE_ZERO_SIZE) != 0 ? "|zero-size" : "");
}

/* Whether that is one of the words between bars; "" is behind the last. */
static bool is_word(const char *signature, uint32_t number, const char *text) {
    for (uint32_t i = 0; i < number; i++) {
        signature += strcspn(signature, "|");
        if (*signature == '|') signature++;
    }
    const size_t length = strcspn(signature, "|");
    return length == strlen(text) && memcmp(signature, text, length) == 0;
}

bool ndp_signature_names(const char *signature, const struct ndp_route *route) {
    enum { FORMAT = 2, FIELD = 3, OUTLIER = 4 }; /* behind the verdict and the property; the way is behind the last */
    /* A crash says what it died of before whom. */
    const uint32_t way_at = OUTLIER + (is_word(signature, 0, ndp_verdict_word(NDP_VERDICT_CRASH)) ? 2 : 1);
    char format[NDP_ROUTE_TEXT_BYTES], way[NDP_ROUTE_TEXT_BYTES], cut[NDP_ROUTE_TEXT_BYTES];
    snprintf(format, sizeof format, "%s%s", route->is_relayed ? "relayed " : "",
             route->is_relayed ? route->via.format : route->format);
    print_way(route, is_word(signature, FIELD, PLACE_FIELD), way);
    snprintf(cut, sizeof cut, WAY_FORM, way);
    return is_word(signature, FORMAT, format) && (is_word(signature, way_at, "") || is_word(signature, way_at, cut));
}
