#include "report/observation_json.h"

#include <stdio.h>
#include <string.h>

#include "describe/dtype_json.h"
#include "describe/json_write.h"

static cJSON *flags_to_json(uint32_t flags) {
    static const char *const words[] = {
#define FLAG_WORD(name, letter, word) word,
        NDP_FLAG_LIST(FLAG_WORD)};
    cJSON *list = cJSON_CreateArray();
    for (uint32_t bit = 0; list != NULL && bit < NDP_ARRAY_LEN(words); bit++) {
        if ((flags >> bit & 1) == 0 || ndp_json_push(list, cJSON_CreateString(words[bit]))) continue;
        cJSON_Delete(list);
        return NULL;
    }
    return list;
}

static cJSON *backing_to_json(const struct ndp_backing *backing) {
    static const char *const claims[] = {"none", "case", "other"};
    cJSON *object = cJSON_CreateObject();
    if (ndp_json_put(object, "class", cJSON_CreateBool(backing->is_map_class)) &&
        ndp_json_put(object, "claims", cJSON_CreateString(claims[backing->claims])) &&
        ndp_json_put(object, "mapped", cJSON_CreateBool(backing->is_mapped)) &&
        (!backing->has_mode || ndp_json_put(object, "mode", cJSON_CreateString(ndp_map_mode_words[backing->mode]))) &&
        (!backing->has_offset || ndp_json_put(object, "offset", ndp_json_from_u64(backing->offset_bytes))) &&
        (!backing->has_position || ndp_json_put(object, "position", ndp_json_from_u64(backing->position_bytes)))) {
        return object;
    }
    cJSON_Delete(object);
    return NULL;
}

cJSON *ndp_observation_json_of(const struct ndp_observation *observation) {
    struct ndp_bytes shown = observation->elements;
    if (shown.size_bytes > NDP_REPORT_ELEMENT_BYTES) shown.size_bytes = NDP_REPORT_ELEMENT_BYTES;
    const struct ndp_backing *backing = &observation->backing;
    bool has_backing = backing->is_map_class || backing->is_mapped || backing->claims != NDP_BACKING_NONE;
    cJSON *object = cJSON_CreateObject();
    if (ndp_json_put(object, "class", ndp_json_from_text(observation->class_name)) &&
        ndp_json_put(object, "dtype", ndp_dtype_to_json(observation->dtype)) &&
        ndp_json_put(object, "shape", ndp_json_from_extents(observation->shape, observation->ndim)) &&
        ndp_json_put(object, "strides", ndp_json_from_extents(observation->strides_bytes, observation->ndim)) &&
        ndp_json_put(object, "flags", flags_to_json(observation->flags)) &&
        ndp_json_put(object, "elements", ndp_json_from_hex(shown)) &&
        ndp_json_put(object, "elements_bytes", ndp_json_from_u64(observation->elements.size_bytes)) &&
        (!has_backing || ndp_json_put(object, "backing", backing_to_json(backing)))) {
        return object;
    }
    cJSON_Delete(object);
    return NULL;
}

/* "values is as in the source (numpy.lib.format, 2.0)" */
static cJSON *promise_to_json(const struct ndp_contract_row *row) {
    char text[512];
    snprintf(text, sizeof text, "%s is %s (%s)", ndp_contract_field_word(row->field),
             ndp_contract_promise_meaning(row->promise), row->source);
    return cJSON_CreateString(text);
}

static cJSON *death_to_json(const struct ndp_divergence *divergence) {
    const struct ndp_death *death = &divergence->death;
    cJSON *object = cJSON_CreateObject();
    if (ndp_json_put(object, "signal", ndp_json_from_i64(death->signal)) &&
        ndp_json_put(object, "exit_code", ndp_json_from_i64(death->exit_code)) &&
        ndp_json_put(object, "frame", cJSON_CreateString(death->frame))) {
        return object;
    }
    cJSON_Delete(object);
    return NULL;
}

cJSON *ndp_observation_json_evidence(const struct ndp_divergence *divergence, const struct ndp_result *result) {
    const struct ndp_contract_row *row = divergence->judgement.row;
    bool has_death = divergence->verdict == NDP_VERDICT_CRASH;
    cJSON *object = cJSON_CreateObject();
    if ((row == NULL || ndp_json_put(object, "promised", promise_to_json(row))) &&
        (!result->has_source || ndp_json_put(object, "source", ndp_observation_json_of(&result->source))) &&
        (!result->has_result || ndp_json_put(object, "result", ndp_observation_json_of(&result->result))) &&
        (!has_death || ndp_json_put(object, "death", death_to_json(divergence))) && object != NULL) {
        return object;
    }
    cJSON_Delete(object);
    return NULL;
}
