/* group_model.c: names the features of the cases of a group, and finds routes and properties by features.
 *
 * The words of a route (entry points, protocol, buffers) are separate parameters, so a new combination of two ends
 * costs no row of its own. A rule states which words belong to a route of the group.
 */
#include "engine/group_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe/fault.h"
#include "engine/group_graphs.h"
#include "model/layout.h"

enum { MAX_WORDS = NDP_COVERING_MAX_VALUES, VARIANT_BYTES = NDP_WORD_BYTES + 16 };

/* The words of a route, as values of the parameters. */
struct route_words {
    uint8_t values[NDP_GROUP_VARIANT + 1];
    bool takes[NDP_VALUE_KIND_COUNT];
    bool takes_settings; /* of the encoder: a level; of a transport: max_nbytes and a mode */
    uint32_t histories;  /* mask of NDP_HISTORY_BIT: those of both ends */
};

/* The model, for the rule of one kind of values. */
struct rule_context {
    const struct ndp_group_model *model;
    enum ndp_value_kind kind; /* KIND_COUNT: any */
    bool needs_history;
};

struct ndp_group_model {
    const struct ndp_route_group *group; /* borrowed */
    struct ndp_property_set properties;
    struct ndp_array_plan plan;
    const struct ndp_covering_model *graphs; /* NULL: graphs have no features */
    uint32_t first;                          /* number of the first parameter of the group */
    struct route_words *routes;              /* owned */
    char (*variants)[VARIANT_BYTES];         /* owned; one for each route */
    const char *words[NDP_GROUP_PARAMETERS][MAX_WORDS];
    uint32_t counts[NDP_GROUP_PARAMETERS];
    const struct ndp_fault_row *faults[MAX_WORDS];
    struct rule_context contexts[NDP_VALUE_KIND_COUNT + 1], history_contexts[NDP_VALUE_KIND_COUNT];
    struct ndp_covering_model features;
    struct ndp_covering_model choices[NDP_VALUE_KIND_COUNT], history_choices[NDP_VALUE_KIND_COUNT];
    struct ndp_covering_model units;
};

static const uint64_t raw_offsets[] = {0, 1, 8, 63, 64, 4095, 4096, 4097};
static const char *const raw_offset_words[] = {"0", "1", "8", "63", "64", "4095", "4096", "4097"};
static const char *const level_words[] = {"default", "1", "2-8", "9"};
static const char *const bound_words[] = {"unset", "below", "at", "above", "never"};
static const int64_t bounds[] = {0, 1, 64, 1000, 1 << 16, 1 << 20, -1};
static const char *const bound_setting_words[] = {"unset", "1", "64", "1000", "64K", "1M", "never"};
static const char *const mode_words[] = {"", "r+", "c", "none"};

/* ---- words ---- */

static uint8_t find_word(const char *const *words, uint32_t count, const char *word) {
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0) return (uint8_t)i;
    return NDP_COVERING_FREE;
}

/* The number of the word, which is added if it is new; free when there are too many. */
static uint8_t add_word(struct ndp_group_model *model, enum ndp_group_parameter parameter, const char *word) {
    const uint8_t found = find_word(model->words[parameter], model->counts[parameter], word);
    if (found != NDP_COVERING_FREE || model->counts[parameter] == MAX_WORDS) return found;
    model->words[parameter][model->counts[parameter]] = word;
    return (uint8_t)model->counts[parameter]++;
}

static void take_words(struct ndp_group_model *model, enum ndp_group_parameter parameter, const char *const *words,
                       uint32_t count) {
    for (uint32_t i = 0; i < count; i++) add_word(model, parameter, words[i]);
}

static void print_variant(const struct ndp_route *route, char *out) {
    snprintf(out, VARIANT_BYTES, "%ld%s%s", (long)route->protocol, route->buffers[0] != '\0' ? "/" : "",
             route->buffers);
}

static void add_route(struct ndp_group_model *model, uint32_t at) {
    const struct ndp_route_group *group = model->group;
    const struct ndp_route *route = &group->routes[at];
    const struct ndp_target_info *encoder = &group->encoder->info, *decoder = &group->decoder->info;
    const struct ndp_entry *entry = ndp_entry_find(encoder, route, NDP_END_ENCODER);
    struct route_words *words = &model->routes[at];
    print_variant(route, model->variants[at]);
    const bool is_trip = group->kind == NDP_CASE_ROUND_TRIP;
    words->values[NDP_GROUP_ENCODE] = is_trip ? add_word(model, NDP_GROUP_ENCODE, route->encode) : NDP_COVERING_FREE;
    words->values[NDP_GROUP_DECODE] =
        group->is_transport ? NDP_COVERING_FREE : add_word(model, NDP_GROUP_DECODE, route->decode);
    words->values[NDP_GROUP_VARIANT] = add_word(model, NDP_GROUP_VARIANT, model->variants[at]);
    for (uint32_t kind = 0; kind < NDP_VALUE_KIND_COUNT; kind++)
        words->takes[kind] =
            is_trip ? ndp_route_takes(encoder, decoder, route, (enum ndp_value_kind)kind) : kind == NDP_VALUE_ARRAY;
    words->takes_settings = is_trip && entry != NULL && entry->takes_settings;
    const struct ndp_entry *last = ndp_entry_find(decoder, route, NDP_END_DECODER);
    if (is_trip && entry != NULL && last != NULL) words->histories = entry->histories & last->histories;
}

/* Properties that judge every case need these slots. Graphs are small: writing to one, calling its functions and
 * sending it again costs little. */
static bool is_cheap(const struct ndp_property *property, enum ndp_value_kind kind) {
    uint32_t slots = 1u << NDP_SLOT_SOURCE | 1u << NDP_SLOT_ENCODED | 1u << NDP_SLOT_RESULT;
    if (kind == NDP_VALUE_GRAPH)
        slots |= 1u << NDP_SLOT_POKED | 1u << NDP_SLOT_RESULT_AFTER | 1u << NDP_SLOT_SOURCE_AFTER |
                 1u << NDP_SLOT_CALLED | 1u << NDP_SLOT_CALLED_ENCODED | 1u << NDP_SLOT_CALLED_RESULT;
    return (property->needs & ~slots) == 0;
}

static bool is_expensive(const struct ndp_group_model *model, const struct ndp_property *property,
                         enum ndp_value_kind kind) {
    return ndp_property_applies(property, model->group->kind, kind) && !is_cheap(property, kind);
}

static void add_judges(struct ndp_group_model *model) {
    const struct ndp_property *property;
    for (uint32_t at = 0; (property = ndp_property_set_next(model->properties, &at)) != NULL; at++)
        for (uint32_t kind = 0; kind < NDP_VALUE_KIND_COUNT; kind++)
            if (ndp_group_model_takes(model, (enum ndp_value_kind)kind) &&
                is_expensive(model, property, (enum ndp_value_kind)kind))
                add_word(model, NDP_GROUP_JUDGE, property->name);
}

static void add_faults(struct ndp_group_model *model) {
    uint32_t count;
    const struct ndp_fault_row *rows = ndp_fault_rows(&count);
    for (uint32_t i = 0; i < count && model->group->kind == NDP_CASE_DECODE; i++) {
        if (strcmp(rows[i].format, model->group->format) != 0) continue;
        const uint8_t at = add_word(model, NDP_GROUP_FAULT, rows[i].name);
        if (at != NDP_COVERING_FREE) model->faults[at] = &rows[i];
    }
}

static void add_words(struct ndp_group_model *model) {
    const struct ndp_route_group *group = model->group;
    bool has_levels = false;
    uint32_t histories = 0;
    for (uint32_t i = 0; i < group->count; i++) {
        add_route(model, i);
        has_levels = has_levels || model->routes[i].takes_settings;
        histories |= model->routes[i].histories;
    }
    /* Their numbers are those of enum ndp_history. */
    if (histories != 0) take_words(model, NDP_GROUP_HISTORY, ndp_history_words, NDP_HISTORY_COUNT);
    add_judges(model);
    add_faults(model);
    if (group->is_transport) {
        take_words(model, NDP_GROUP_BOUND, bound_words, NDP_ARRAY_LEN(bound_words));
        take_words(model, NDP_GROUP_MODE, mode_words, NDP_ARRAY_LEN(mode_words));
    } else if (strcmp(group->format, "raw") == 0) {
        take_words(model, NDP_GROUP_SETTING, raw_offset_words, NDP_ARRAY_LEN(raw_offset_words));
    } else if (has_levels) {
        take_words(model, NDP_GROUP_SETTING, level_words, NDP_ARRAY_LEN(level_words));
    }
}

/* ---- rules ---- */

/* Whether the words of the row are those of a route that takes such values and the setting. */
static bool is_route_fitting(const struct ndp_group_model *model, uint32_t at, const uint8_t *values,
                             enum ndp_value_kind kind) {
    const struct route_words *words = &model->routes[at];
    if (kind != NDP_VALUE_KIND_COUNT && !words->takes[kind]) return false;
    for (uint32_t i = 0; i <= NDP_GROUP_VARIANT; i++)
        if (values[i] != NDP_COVERING_FREE && words->values[i] != NDP_COVERING_FREE && values[i] != words->values[i])
            return false;
    const uint8_t history = values[NDP_GROUP_HISTORY];
    if (history != NDP_COVERING_FREE && history != NDP_HISTORY_NONE &&
        (words->histories & NDP_HISTORY_BIT(history)) == 0)
        return false;
    const bool needs_level = !model->group->is_transport && strcmp(model->group->format, "raw") != 0 &&
                             values[NDP_GROUP_SETTING] != NDP_COVERING_FREE && values[NDP_GROUP_SETTING] != 0;
    const bool needs_settings = needs_level ||
                                (values[NDP_GROUP_BOUND] != NDP_COVERING_FREE && values[NDP_GROUP_BOUND] != 0) ||
                                (values[NDP_GROUP_MODE] != NDP_COVERING_FREE && values[NDP_GROUP_MODE] != 0);
    return !needs_settings || words->takes_settings;
}

static bool has_route(const struct ndp_group_model *model, const uint8_t *values, enum ndp_value_kind kind) {
    for (uint32_t i = 0; i < model->group->count; i++)
        if (is_route_fitting(model, i, values, kind)) return true;
    return false;
}

static bool has_judge(const struct ndp_group_model *model, uint8_t judge, enum ndp_value_kind kind) {
    if (judge == NDP_COVERING_FREE || kind == NDP_VALUE_KIND_COUNT) return true;
    return is_expensive(model, ndp_property_find(model->words[NDP_GROUP_JUDGE][judge]), kind);
}

/* Whether the property needs so many steps that large arrays would take long. */
static bool is_slow_for_large(const struct ndp_group_model *model, uint8_t judge) {
    enum { MAX_SLOTS = 5 };
    return judge != NDP_COVERING_FREE &&
           __builtin_popcount(ndp_property_find(model->words[NDP_GROUP_JUDGE][judge])->needs) > MAX_SLOTS;
}

/* Large arrays get another property, unless there is none. */
static bool has_time(const struct ndp_group_model *model, uint8_t judge, uint8_t size) {
    bool has_other = false;
    for (uint32_t i = 0; i < model->counts[NDP_GROUP_JUDGE]; i++)
        has_other =
            has_other || (!is_slow_for_large(model, (uint8_t)i) && has_judge(model, (uint8_t)i, NDP_VALUE_ARRAY));
    const bool is_large = size != NDP_COVERING_FREE && size >= NDP_SIZE_256K;
    return !is_large || !has_other || !is_slow_for_large(model, judge);
}

/* Whether the encoder is fast enough for the size: compressing the largest arrays takes most of a second. */
static bool is_fast_enough(const struct ndp_group_model *model, uint8_t encode, uint8_t size) {
    if (encode == NDP_COVERING_FREE || size == NDP_COVERING_FREE || size < NDP_SIZE_1M || model->group->is_transport)
        return true;
    for (uint32_t i = 0; i < model->group->count; i++)
        if (model->routes[i].values[NDP_GROUP_ENCODE] == encode && !model->routes[i].takes_settings) return true;
    return false;
}

/* The kind of the value that the row describes; KIND_COUNT: any; a row with features of two kinds has none. */
static bool find_kind(const struct ndp_group_model *model, const struct ndp_covering_row *row,
                      enum ndp_value_kind *out) {
    bool is_array = false, is_graph = false;
    for (uint32_t i = 0; i < model->first; i++) {
        if (row->values[i] == NDP_COVERING_FREE) continue;
        is_array = is_array || i < NDP_PLAN_PARAMETERS;
        is_graph = is_graph || i >= NDP_PLAN_PARAMETERS;
    }
    *out = is_array ? NDP_VALUE_ARRAY : is_graph ? NDP_VALUE_GRAPH : NDP_VALUE_KIND_COUNT;
    return !is_array || !is_graph;
}

/* Whether a case may follow the row, however long its encoder takes. */
static bool permits_at_any_speed(const struct rule_context *context, const struct ndp_covering_row *row) {
    const struct ndp_group_model *model = context->model;
    const uint8_t *values = row->values + model->first;
    enum ndp_value_kind kind;
    if (!find_kind(model, row, &kind)) return false;
    if (context->needs_history && values[NDP_GROUP_HISTORY] == NDP_HISTORY_NONE) return false;
    if (kind == NDP_VALUE_KIND_COUNT) kind = context->kind;
    if (!has_route(model, values, kind) || !has_judge(model, values[NDP_GROUP_JUDGE], kind)) return false;
    if (!has_time(model, values[NDP_GROUP_JUDGE], row->values[NDP_PLAN_SIZE])) return false;
    const uint8_t fault = values[NDP_GROUP_FAULT];
    return fault == NDP_COVERING_FREE || ndp_generate_fault_permits(model->faults[fault], row);
}

static bool permits_in_group(const struct rule_context *context, const struct ndp_covering_row *row) {
    const uint8_t encode = row->values[context->model->first + NDP_GROUP_ENCODE];
    return is_fast_enough(context->model, encode, row->values[NDP_PLAN_SIZE]) && permits_at_any_speed(context, row);
}

void ndp_group_model_choose_for_size(const struct ndp_group_model *model, struct ndp_choices *choices,
                                     struct ndp_covering_row *row) {
    enum { MAX_TRIES = 64 };
    static const uint8_t chosen[] = {NDP_GROUP_ENCODE, NDP_GROUP_JUDGE};
    const struct rule_context context = {.model = model, .kind = NDP_VALUE_ARRAY};
    const uint8_t size = row->values[NDP_PLAN_SIZE];
    uint8_t *values = row->values + model->first;
    memset(values, NDP_COVERING_FREE, NDP_GROUP_PARAMETERS);
    for (uint32_t i = 0; i < MAX_TRIES; i++) {
        for (size_t k = 0; k < NDP_ARRAY_LEN(chosen); k++)
            if (model->counts[chosen[k]] > 0)
                values[chosen[k]] = (uint8_t)ndp_choose(choices, model->counts[chosen[k]]);
        row->values[NDP_PLAN_SIZE] =
            is_fast_enough(model, values[NDP_GROUP_ENCODE], size) ? size : (uint8_t)NDP_SIZE_1M;
        if (permits_at_any_speed(&context, row)) break;
    }
}

struct ndp_covering_row ndp_group_model_graph_row(const struct ndp_group_model *model,
                                                  const struct ndp_covering_row *row) {
    struct ndp_covering_row part;
    memset(part.values, NDP_COVERING_FREE, sizeof part.values);
    memcpy(part.values, row->values + NDP_PLAN_PARAMETERS, model->first - NDP_PLAN_PARAMETERS);
    return part;
}

static bool permits_graph(const struct ndp_group_model *model, ndp_covering_rule *rule,
                          const struct ndp_covering_row *row) {
    const struct ndp_covering_row part = ndp_group_model_graph_row(model, row);
    return rule == NULL || rule(model->graphs->context, &part);
}

static bool permits(const void *context, const struct ndp_covering_row *row) {
    const struct rule_context *rule = context;
    const struct ndp_group_model *model = rule->model;
    if (model->graphs != NULL && !permits_graph(model, model->graphs->rule, row)) return false;
    return ndp_array_plan_permits(&model->plan, row) && permits_in_group(rule, row);
}

static bool permits_further(const void *context, const struct ndp_covering_row *row) {
    const struct rule_context *rule = context;
    const uint8_t *values = row->values + rule->model->first;
    const struct ndp_covering_model *graphs = rule->model->graphs;
    if (!ndp_array_plan_permits_triples(&rule->model->plan, row)) return false;
    if (graphs != NULL &&
        !permits_graph(rule->model, graphs->further_rule != NULL ? graphs->further_rule : graphs->rule, row))
        return false;
    enum ndp_value_kind kind;
    uint32_t words = 0;
    for (uint32_t i = 0; i <= NDP_GROUP_SETTING; i++) words += values[i] != NDP_COVERING_FREE;
    if (words < 2 || !find_kind(rule->model, row, &kind)) return words < 2;
    return has_route(rule->model, values, kind == NDP_VALUE_KIND_COUNT ? rule->kind : kind);
}

static bool permits_unit(const void *context, const struct ndp_covering_row *row) {
    const struct rule_context *rule = context;
    const uint8_t route = row->values[NDP_UNIT_ROUTE], bound = row->values[NDP_UNIT_BOUND];
    if (route == NDP_COVERING_FREE) return true;
    if (rule->model->routes[route].takes_settings) return bound != 0;
    return (bound == NDP_COVERING_FREE || bound == 0) &&
           (row->values[NDP_UNIT_MODE] == NDP_COVERING_FREE || row->values[NDP_UNIT_MODE] == 0);
}

/* ---- models ---- */

static const char *const parameter_names[NDP_GROUP_PARAMETERS] = {
    [NDP_GROUP_ENCODE] = "encode",    [NDP_GROUP_DECODE] = "decode",  [NDP_GROUP_VARIANT] = "protocol",
    [NDP_GROUP_SETTING] = "setting",  [NDP_GROUP_JUDGE] = "judge",    [NDP_GROUP_FAULT] = "fault",
    [NDP_GROUP_BOUND] = "max-nbytes", [NDP_GROUP_MODE] = "mmap-mode", [NDP_GROUP_HISTORY] = "history",
};

/* Arrays and graphs are families of parameters. */
static void fill_model(struct ndp_group_model *model, enum ndp_value_kind kind, struct ndp_covering_model *out) {
    *out = (struct ndp_covering_model){
        .rule = permits, .further_rule = permits_further, .context = &model->contexts[kind]};
    ndp_array_plan_add_parameters(out);
    for (uint32_t i = 0; model->graphs != NULL && i < model->graphs->count; i++)
        out->parameters[out->count++] = model->graphs->parameters[i];
    model->first = out->count;
    const bool takes_arrays = ndp_group_model_takes(model, NDP_VALUE_ARRAY);
    for (uint32_t i = 0; i < model->first; i++) {
        const bool is_of_array = i < NDP_PLAN_PARAMETERS;
        if (is_of_array && !takes_arrays) out->parameters[i].count = 0;
        if (model->graphs != NULL && takes_arrays) out->parameters[i].family = is_of_array ? 1 : 2;
    }
    for (uint32_t i = 0; i < NDP_GROUP_PARAMETERS; i++)
        out->parameters[out->count++] = (struct ndp_covering_parameter){
            .name = parameter_names[i], .values = model->words[i], .count = model->counts[i]};
}

/* Leaves only the choices of a case with or without a history. */
static void reduce_to_choices(const struct ndp_group_model *model, enum ndp_value_kind kind, bool has_history,
                              struct ndp_covering_model *out) {
    for (uint32_t p = 0; p < out->count; p++) {
        const bool is_of_array = p < NDP_PLAN_PARAMETERS, is_of_graph = !is_of_array && p < model->first;
        const bool is_history = p == model->first + NDP_GROUP_HISTORY;
        const bool is_of_unit =
            model->group->is_transport && p >= model->first && !is_history && p != model->first + NDP_GROUP_JUDGE;
        if ((is_of_array && kind != NDP_VALUE_ARRAY) || (is_of_graph && kind != NDP_VALUE_GRAPH) || is_of_unit ||
            (is_history && !has_history))
            out->parameters[p].count = 0;
        out->parameters[p].family = 0;
    }
}

static void fill_units(struct ndp_group_model *model) {
    const uint32_t count = model->group->count < MAX_WORDS ? model->group->count : MAX_WORDS;
    if (!model->group->is_transport) return;
    model->units = (struct ndp_covering_model){
        .count = NDP_UNIT_PARAMETERS, .rule = permits_unit, .context = &model->contexts[NDP_VALUE_KIND_COUNT]};
    model->units.parameters[NDP_UNIT_ROUTE] = (struct ndp_covering_parameter){.name = "route", .count = count};
    model->units.parameters[NDP_UNIT_BOUND] = (struct ndp_covering_parameter){
        .name = "max-nbytes", .values = bound_setting_words, .count = NDP_ARRAY_LEN(bound_setting_words)};
    model->units.parameters[NDP_UNIT_MODE] =
        (struct ndp_covering_parameter){.name = "mmap-mode", .values = mode_words, .count = NDP_ARRAY_LEN(mode_words)};
}

/* Whether both ends have the package whose types are generated. */
static bool has_registered(const struct ndp_route_group *group) {
    const struct ndp_target *const ends[] = {group->encoder != NULL ? group->encoder : group->decoder, group->decoder};
    for (size_t end = 0; end < NDP_ARRAY_LEN(ends); end++)
        if (ndp_target_library_version(&ends[end]->info, "ml_dtypes") == NULL) return false;
    return group->kind != NDP_CASE_DECODE;
}

/* Both ends must have the kinds of an element. */
static void allow_elements(struct ndp_group_model *model) {
    static const char codes[NDP_ELEMENT_COUNT][3] = {
        [NDP_ELEMENT_UINT] = "u",         [NDP_ELEMENT_INT] = "i",        [NDP_ELEMENT_BOOL] = "b",
        [NDP_ELEMENT_FLOAT] = "f",        [NDP_ELEMENT_COMPLEX] = "c",    [NDP_ELEMENT_LONGDOUBLE] = "f",
        [NDP_ELEMENT_BYTES] = "S",        [NDP_ELEMENT_TEXT] = "U",       [NDP_ELEMENT_VOID] = "V",
        [NDP_ELEMENT_DATETIME] = "M",     [NDP_ELEMENT_TIMEDELTA] = "m",  [NDP_ELEMENT_OBJECT] = "O",
        [NDP_ELEMENT_PACKED] = "R",       [NDP_ELEMENT_ALIGNED] = "R",    [NDP_ELEMENT_PADDED] = "R",
        [NDP_ELEMENT_NESTED] = "R",       [NDP_ELEMENT_SUBARRAYS] = "RA", [NDP_ELEMENT_OVERLAPPING] = "R",
        [NDP_ELEMENT_WITH_OBJECT] = "RO", [NDP_ELEMENT_REGISTERED] = "X"};
    const char *const ends[] = {model->group->encoder != NULL ? model->group->encoder->info.kinds : "",
                                model->group->decoder->info.kinds};
    if (has_registered(model->group)) model->plan.allowed[NDP_PLAN_ELEMENT] |= UINT32_C(1) << NDP_ELEMENT_REGISTERED;
    for (uint32_t element = 0; element < NDP_ELEMENT_COUNT; element++)
        for (size_t end = 0; end < NDP_ARRAY_LEN(ends); end++)
            for (const char *code = codes[element]; *code != '\0'; code++)
                if (ends[end][0] != '\0' && strchr(ends[end], *code) == NULL)
                    model->plan.allowed[NDP_PLAN_ELEMENT] &= ~(UINT32_C(1) << element);
}

static void init_plan(struct ndp_group_model *model, uint64_t value_bytes) {
    if (model->group->kind == NDP_CASE_DECODE) {
        ndp_array_plan_init_for_faults(&model->plan);
    } else {
        ndp_array_plan_init(value_bytes, &model->plan);
        model->plan.limits.between_processes = model->group->is_transport;
    }
    allow_elements(model);
}

enum ndp_status ndp_group_model_new(const struct ndp_route_group *group, struct ndp_property_set properties,
                                    uint64_t value_bytes, struct ndp_group_model **out) {
    struct ndp_group_model *model = calloc(1, sizeof *model);
    if (model == NULL) return NDP_NOMEM;
    model->group = group;
    model->properties = properties;
    model->routes = calloc(group->count + 1, sizeof *model->routes);
    model->variants = calloc(group->count + 1, sizeof *model->variants);
    if (model->routes == NULL || model->variants == NULL) {
        ndp_group_model_free(model);
        return NDP_NOMEM;
    }
    init_plan(model, value_bytes);
    add_words(model);
    if (ndp_group_model_takes(model, NDP_VALUE_GRAPH)) model->graphs = ndp_group_graphs_model(group);
    for (uint32_t kind = 0; kind <= NDP_VALUE_KIND_COUNT; kind++)
        model->contexts[kind] = (struct rule_context){model, (enum ndp_value_kind)kind, false};
    fill_model(model, NDP_VALUE_KIND_COUNT, &model->features);
    for (uint32_t kind = 0; kind < NDP_VALUE_KIND_COUNT; kind++) {
        fill_model(model, (enum ndp_value_kind)kind, &model->choices[kind]);
        reduce_to_choices(model, (enum ndp_value_kind)kind, false, &model->choices[kind]);
        model->history_contexts[kind] = (struct rule_context){model, (enum ndp_value_kind)kind, true};
        fill_model(model, (enum ndp_value_kind)kind, &model->history_choices[kind]);
        reduce_to_choices(model, (enum ndp_value_kind)kind, true, &model->history_choices[kind]);
        model->history_choices[kind].context = &model->history_contexts[kind];
    }
    fill_units(model);
    *out = model;
    return NDP_OK;
}

void ndp_group_model_free(struct ndp_group_model *model) {
    if (model == NULL) return;
    free(model->routes);
    free(model->variants);
    free(model);
}

bool ndp_group_model_takes(const struct ndp_group_model *model, enum ndp_value_kind kind) {
    for (uint32_t i = 0; i < model->group->count; i++)
        if (model->routes[i].takes[kind]) return true;
    return false;
}

const struct ndp_covering_model *ndp_group_model_features(const struct ndp_group_model *model) {
    return &model->features;
}

const struct ndp_covering_model *ndp_group_model_choices(const struct ndp_group_model *model,
                                                         enum ndp_value_kind kind) {
    return &model->choices[kind];
}

const struct ndp_covering_model *ndp_group_model_history_choices(const struct ndp_group_model *model,
                                                                 enum ndp_value_kind kind) {
    return &model->history_choices[kind];
}

bool ndp_group_model_has_history(const struct ndp_group_model *model, enum ndp_value_kind kind) {
    for (uint32_t i = 0; i < model->group->count; i++)
        if (model->routes[i].takes[kind] && model->routes[i].histories != 0) return true;
    return false;
}

const struct ndp_covering_model *ndp_group_model_units(const struct ndp_group_model *model) {
    return &model->units;
}

const struct ndp_array_plan *ndp_group_model_arrays(const struct ndp_group_model *model) {
    return &model->plan;
}

/* ---- routes ---- */

/* The level of a compressor that takes one; 0 is its default. */
static int32_t draw_level(struct ndp_choices *choices, uint8_t setting) {
    if (setting == NDP_COVERING_FREE) setting = (uint8_t)ndp_choose(choices, NDP_ARRAY_LEN(level_words));
    return setting == 0 ? 0 : setting == 1 ? 1 : setting == 3 ? 9 : 2 + (int32_t)ndp_choose(choices, 7);
}

/* Whether both routes have the same words. */
static bool is_same_way(const struct ndp_route *a, const struct ndp_route *b) {
    return a->protocol == b->protocol && ndp_bytes_word_is(a->encode, b->encode) &&
           ndp_bytes_word_is(a->decode, b->decode) && ndp_bytes_word_is(a->buffers, b->buffers);
}

struct ndp_route ndp_group_model_route(const struct ndp_group_model *model, struct ndp_choices *choices,
                                       const struct ndp_covering_row *row, enum ndp_value_kind kind) {
    const uint8_t *values = row->values + model->first;
    const uint32_t count = model->group->count;
    const uint64_t from = ndp_choose(choices, count);
    uint32_t at = (uint32_t)from;
    /* A row that fits no route for this kind of value gets any. */
    for (uint32_t i = 0; i < 2 * count; i++) {
        at = (uint32_t)((from + i) % count);
        if (i < count ? is_route_fitting(model, at, values, kind) : model->routes[at].takes[kind]) break;
    }
    struct ndp_route route = model->group->routes[at];
    const uint8_t setting = values[NDP_GROUP_SETTING];
    if (strcmp(route.format, "raw") == 0)
        route.offset_bytes =
            raw_offsets[setting != NDP_COVERING_FREE ? setting : ndp_choose(choices, NDP_ARRAY_LEN(raw_offsets))];
    if (model->routes[at].takes_settings) route.level = draw_level(choices, setting);
    return route;
}

enum ndp_history ndp_group_model_history(const struct ndp_group_model *model, struct ndp_choices *choices,
                                         const struct ndp_covering_row *row, const struct ndp_route *route) {
    const uint8_t wanted = row->values[model->first + NDP_GROUP_HISTORY];
    uint32_t histories = 0, count = 0;
    for (uint32_t i = 0; i < model->group->count; i++)
        if (is_same_way(&model->group->routes[i], route)) histories = model->routes[i].histories;
    if (wanted != NDP_COVERING_FREE && (histories & NDP_HISTORY_BIT(wanted)) != 0) return (enum ndp_history)wanted;
    for (uint32_t i = 0; i < NDP_HISTORY_COUNT; i++) count += (histories & NDP_HISTORY_BIT(i)) != 0;
    uint64_t left = count > 0 ? ndp_choose(choices, count) : 0;
    for (uint32_t i = 0; i < NDP_HISTORY_COUNT; i++)
        if ((histories & NDP_HISTORY_BIT(i)) != 0 && left-- == 0) return (enum ndp_history)i;
    return NDP_HISTORY_NONE;
}

/* Most random bounds lie near 64 bytes, because half of the random arrays are larger. No bound, or one above every
 * random array, is rare: max_nbytes has no effect then. */
static int64_t draw_bound(struct ndp_choices *choices) {
    static const int64_t sizes[] = {1, 8, 64, 1, 1000, 64, 1, 1 << 20};
    const int64_t bound = sizes[ndp_choose(choices, NDP_ARRAY_LEN(sizes))];
    return bound == 1 << 20 && ndp_choose_rarely(choices, 2) ? -1 : bound;
}

struct ndp_route ndp_group_model_unit_route(const struct ndp_group_model *model, struct ndp_choices *choices,
                                            const struct ndp_covering_row *row) {
    const uint8_t wanted = row->values[NDP_UNIT_ROUTE], bound = row->values[NDP_UNIT_BOUND];
    const uint64_t at = wanted != NDP_COVERING_FREE ? wanted : ndp_choose(choices, model->group->count);
    struct ndp_route route = model->group->routes[at];
    if (!model->routes[at].takes_settings) return route;
    uint64_t mode = row->values[NDP_UNIT_MODE];
    route.max_nbytes = bound != NDP_COVERING_FREE ? bounds[bound] : draw_bound(choices);
    if (mode == NDP_COVERING_FREE)
        mode = ndp_choose_rarely(choices, 2) ? ndp_choose(choices, NDP_ARRAY_LEN(mode_words)) : 0;
    memcpy(route.map_mode, mode_words[mode], strlen(mode_words[mode]) + 1);
    return route;
}

const struct ndp_fault_row *ndp_group_model_fault(const struct ndp_group_model *model, struct ndp_choices *choices,
                                                  const struct ndp_covering_row *row) {
    const uint8_t fault = row->values[model->first + NDP_GROUP_FAULT];
    const uint32_t count = model->counts[NDP_GROUP_FAULT];
    if (fault != NDP_COVERING_FREE) return model->faults[fault];
    return count > 0 ? model->faults[ndp_choose(choices, count)] : NULL;
}

/* ---- properties ---- */

struct ndp_property_set ndp_group_model_judges(const struct ndp_group_model *model, struct ndp_choices *choices,
                                               const struct ndp_descriptor *descriptor, struct ndp_covering_row *row) {
    const enum ndp_value_kind kind = descriptor->value.kind;
    const struct ndp_property *property, *expensive[NDP_MAX_PROPERTIES];
    struct ndp_property_set chosen = {0};
    uint32_t count = 0;
    uint8_t *judge = &row->values[model->first + NDP_GROUP_JUDGE];
    for (uint32_t at = 0; (property = ndp_property_set_next(model->properties, &at)) != NULL; at++) {
        if (!ndp_property_applies(property, descriptor->kind, kind)) continue;
        if (is_cheap(property, kind)) {
            ndp_property_set_add(&chosen, property);
        } else {
            expensive[count++] = property;
        }
    }
    if (*judge == NDP_COVERING_FREE && count > 0)
        *judge = find_word(model->words[NDP_GROUP_JUDGE], model->counts[NDP_GROUP_JUDGE],
                           expensive[ndp_choose(choices, count)]->name);
    if (*judge != NDP_COVERING_FREE)
        ndp_property_set_add(&chosen, ndp_property_find(model->words[NDP_GROUP_JUDGE][*judge]));
    /* An empty set would select all properties in ndp_batch_add. */
    return ndp_property_set_is_empty(chosen) ? model->properties : chosen;
}

/* ---- measurement ---- */

static uint8_t measure_setting(const struct ndp_group_model *model, const struct ndp_route *route) {
    if (model->counts[NDP_GROUP_SETTING] == 0) return NDP_COVERING_FREE;
    for (size_t i = 0; i < NDP_ARRAY_LEN(raw_offsets) && strcmp(route->format, "raw") == 0; i++)
        if (raw_offsets[i] == route->offset_bytes) return (uint8_t)i;
    if (strcmp(route->format, "raw") == 0) return NDP_COVERING_FREE;
    return route->level == 0 ? 0 : route->level == 1 ? 1 : route->level == 9 ? 3 : 2;
}

/* max_nbytes compared with the size of an array. */
static uint8_t measure_bound(const struct ndp_route *route, const struct ndp_descriptor *descriptor,
                             uint64_t size_bytes) {
    if (route->max_nbytes == 0) return 0;
    if (route->max_nbytes < 0) return NDP_ARRAY_LEN(bound_words) - 1;
    if (descriptor->value.kind != NDP_VALUE_ARRAY) return NDP_COVERING_FREE;
    const uint64_t bound = (uint64_t)route->max_nbytes;
    return bound < size_bytes ? 1 : bound == size_bytes ? 2 : 3;
}

enum ndp_status ndp_group_model_measure(const struct ndp_group_model *model, const struct ndp_descriptor *descriptor,
                                        const struct ndp_covering_row *judged, struct ndp_covering_row *out) {
    const struct ndp_route *route = &descriptor->route;
    uint8_t *values = out->values + model->first;
    char variant[VARIANT_BYTES];
    uint64_t size_bytes = 0;
    memset(out->values, NDP_COVERING_FREE, sizeof out->values);
    if (descriptor->value.kind == NDP_VALUE_ARRAY && descriptor->value.array.base.dtype != NULL)
        NDP_TRY(ndp_array_plan_features(&descriptor->value.array, out, &size_bytes));
    if (descriptor->value.kind == NDP_VALUE_GRAPH && model->graphs != NULL) {
        struct ndp_covering_row part;
        ndp_group_graphs_features(descriptor->value.graph, &part);
        memcpy(out->values + NDP_PLAN_PARAMETERS, part.values, model->graphs->count);
    }
    print_variant(route, variant);
    values[NDP_GROUP_ENCODE] =
        find_word(model->words[NDP_GROUP_ENCODE], model->counts[NDP_GROUP_ENCODE], route->encode);
    values[NDP_GROUP_DECODE] =
        find_word(model->words[NDP_GROUP_DECODE], model->counts[NDP_GROUP_DECODE], route->decode);
    values[NDP_GROUP_VARIANT] = find_word(model->words[NDP_GROUP_VARIANT], model->counts[NDP_GROUP_VARIANT], variant);
    values[NDP_GROUP_SETTING] = measure_setting(model, route);
    if (judged != NULL) values[NDP_GROUP_JUDGE] = judged->values[model->first + NDP_GROUP_JUDGE];
    values[NDP_GROUP_FAULT] =
        find_word(model->words[NDP_GROUP_FAULT], model->counts[NDP_GROUP_FAULT], descriptor->fault.name);
    if (model->counts[NDP_GROUP_HISTORY] > 0) values[NDP_GROUP_HISTORY] = (uint8_t)route->history;
    if (!model->group->is_transport) return NDP_OK;
    values[NDP_GROUP_BOUND] = measure_bound(route, descriptor, size_bytes);
    values[NDP_GROUP_MODE] = find_word(mode_words, NDP_ARRAY_LEN(mode_words), route->map_mode);
    return NDP_OK;
}
