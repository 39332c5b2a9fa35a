#include "describe/dict_json.h"

#include <string.h>

#include "describe/json_write.h"

static enum ndp_status read_type(struct ndp_json_reader *reader, const cJSON *item, enum ndp_dict_type *out) {
    if (item == NULL) return NDP_OK;
    for (uint32_t i = 0; cJSON_IsString(item) && i < NDP_DICT_TYPE_COUNT; i++) {
        if (strcmp(item->valuestring, ndp_dict_type_word((enum ndp_dict_type)i)) != 0) continue;
        *out = (enum ndp_dict_type)i;
        return NDP_OK;
    }
    return ndp_json_blame(reader, item, NDP_INVALID, "expected a type of keys or items");
}

static enum ndp_status read_number(struct ndp_json_reader *reader, const cJSON *item, uint32_t *out) {
    if (item == NULL) return NDP_OK;
    return ndp_json_at(reader, item, ndp_json_u32(item, NDP_DICT_MAX_KEYS, out, reader->error));
}

static enum ndp_status read_block(struct ndp_json_reader *reader, const cJSON *item, struct ndp_dict_block *out) {
    const int parts = cJSON_IsArray(item) ? cJSON_GetArraySize(item) : 0;
    if (parts != 3) return ndp_json_blame(reader, item, NDP_INVALID, "a block must be [op, first, count]");
    const cJSON *op = item->child;
    uint32_t i = 0;
    while (i < NDP_DICT_OP_COUNT &&
           !(cJSON_IsString(op) && strcmp(op->valuestring, ndp_dict_op_word((enum ndp_dict_op)i)) == 0))
        i++;
    if (i == NDP_DICT_OP_COUNT) return ndp_json_blame(reader, op, NDP_INVALID, "unknown operation");
    out->op = (enum ndp_dict_op)i;
    NDP_TRY(read_number(reader, op->next, &out->first));
    return read_number(reader, op->next->next, &out->count);
}

static enum ndp_status read_threads(struct ndp_json_reader *reader, const cJSON *list, struct ndp_dict_value *out) {
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) > NDP_DICT_MAX_THREADS)
        return ndp_json_blame(reader, list, NDP_INVALID, "expected a list of up to 8 threads");
    out->thread_count = 0;
    for (const cJSON *item = list->child; item != NULL; item = item->next) {
        struct ndp_dict_thread *thread = &out->threads[out->thread_count++];
        if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) > NDP_DICT_MAX_BLOCKS)
            return ndp_json_blame(reader, item, NDP_INVALID, "expected a list of up to 4 blocks");
        for (const cJSON *block = item->child; block != NULL; block = block->next)
            NDP_TRY(read_block(reader, block, &thread->blocks[thread->block_count++]));
    }
    return NDP_OK;
}

enum ndp_status ndp_dict_read_json(struct ndp_json_reader *reader, const cJSON *item,
                                   const struct ndp_dict_value **out) {
    static const char *const keys[] = {"key", "item", "initial", "rounds", "threads"};
    const cJSON *members[NDP_ARRAY_LEN(keys)];
    NDP_TRY(ndp_json_members(reader, item, keys, NDP_ARRAY_LEN(keys), members));
    struct ndp_dict_value *value = NDP_ARENA_NEW(reader->arena, struct ndp_dict_value);
    if (value == NULL) return ndp_json_blame(reader, item, NDP_NOMEM, "no memory for a dict");
    *value = (struct ndp_dict_value){.rounds = 1, .thread_count = 1};
    NDP_TRY(read_type(reader, members[0], &value->key));
    NDP_TRY(read_type(reader, members[1], &value->item));
    NDP_TRY(read_number(reader, members[2], &value->initial));
    NDP_TRY(read_number(reader, members[3], &value->rounds));
    if (members[4] != NULL) NDP_TRY(read_threads(reader, members[4], value));
    const char *fault = ndp_dict_invalid_reason(value);
    if (fault != NULL) return ndp_json_blame(reader, item, NDP_INVALID, "%s", fault);
    *out = value;
    return NDP_OK;
}

static cJSON *block_to_json(const struct ndp_dict_block *block) {
    cJSON *list = cJSON_CreateArray();
    return ndp_json_finish(list, ndp_json_push(list, cJSON_CreateString(ndp_dict_op_word(block->op))) &&
                                     ndp_json_push(list, ndp_json_from_u64(block->first)) &&
                                     ndp_json_push(list, ndp_json_from_u64(block->count)));
}

static bool put_threads(cJSON *object, const struct ndp_dict_value *value) {
    cJSON *threads = cJSON_CreateArray();
    if (!ndp_json_put(object, "threads", threads)) return false;
    for (uint32_t t = 0; t < value->thread_count; t++) {
        cJSON *blocks = cJSON_CreateArray();
        if (!ndp_json_push(threads, blocks)) return false;
        for (uint32_t b = 0; b < value->threads[t].block_count; b++)
            if (!ndp_json_push(blocks, block_to_json(&value->threads[t].blocks[b]))) return false;
    }
    return true;
}

cJSON *ndp_dict_to_json(const struct ndp_dict_value *value) {
    cJSON *object = cJSON_CreateObject();
    return ndp_json_finish(
        object, ndp_json_put(object, "key", cJSON_CreateString(ndp_dict_type_word(value->key))) &&
                    ndp_json_put(object, "item", cJSON_CreateString(ndp_dict_type_word(value->item))) &&
                    ndp_json_put(object, "initial", ndp_json_from_u64(value->initial)) &&
                    ndp_json_put(object, "rounds", ndp_json_from_u64(value->rounds)) && put_threads(object, value));
}
