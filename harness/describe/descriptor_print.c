#include "describe/descriptor.h"
#include "describe/json_write.h"
#include "describe/value_json.h"

static bool put_word(cJSON *object, const char *key, const char *word) {
    return word[0] == '\0' || ndp_json_put(object, key, cJSON_CreateString(word));
}

/* A format has two entry points, a transport has one backend. */
static bool put_entry_points(cJSON *object, const struct ndp_route *route) {
    bool has_protocol = route->protocol != 0;
    if (!route->is_transport) {
        return put_word(object, "format", route->format) &&
               (!has_protocol || ndp_json_put(object, "protocol", ndp_json_from_i64(route->protocol))) &&
               put_word(object, "encode", route->encode) && put_word(object, "decode", route->decode) &&
               (route->level == 0 || ndp_json_put(object, "level", ndp_json_from_i64(route->level)));
    }
    return put_word(object, "transport", route->format) &&
           (!has_protocol || ndp_json_put(object, "protocol", ndp_json_from_i64(route->protocol))) &&
           put_word(object, "backend", route->encode) &&
           (route->max_nbytes == 0 || ndp_json_put(object, "max_nbytes", ndp_json_from_i64(route->max_nbytes))) &&
           put_word(object, "mmap_mode", route->map_mode);
}

static bool put_offset(cJSON *object, uint64_t offset_bytes) {
    return offset_bytes == 0 || ndp_json_put(object, "offset", ndp_json_from_u64(offset_bytes));
}

static bool put_route(cJSON *root, const struct ndp_route *route) {
    cJSON *object = cJSON_CreateObject();
    bool is_whole = put_entry_points(object, route) && put_word(object, "buffers", route->buffers) &&
                    put_offset(object, route->offset_bytes) &&
                    put_word(object, "history", ndp_history_words[route->history]) &&
                    put_word(object, "encoder", route->encoder) && put_word(object, "decoder", route->decoder);
    bool is_empty = object != NULL && object->child == NULL;
    if (is_whole && !is_empty) return ndp_json_put(root, "route", object);
    cJSON_Delete(object);
    return is_whole && is_empty;
}

static bool put_properties(cJSON *root, const struct ndp_descriptor *descriptor) {
    if (descriptor->property_count == 0) return true;
    cJSON *list = cJSON_CreateArray();
    if (!ndp_json_put(root, "properties", list)) return false;
    for (uint32_t i = 0; i < descriptor->property_count && i < NDP_MAX_PROPERTIES; i++)
        if (!ndp_json_push(list, cJSON_CreateString(descriptor->properties[i]))) return false;
    return true;
}

static bool put_fault(cJSON *root, const struct ndp_fault *fault) {
    if (fault->name[0] == '\0') return true;
    cJSON *object = cJSON_CreateObject();
    return ndp_json_put(root, "fault", object) && put_word(object, "name", fault->name) &&
           (fault->argument == 0 || ndp_json_put(object, "argument", ndp_json_from_u64(fault->argument)));
}

/* Reports whether `value` equals the value of `{}`. */
static bool is_smallest(const struct ndp_value *value) {
    if (value->kind != NDP_VALUE_ARRAY) return false;
    const struct ndp_array_value *array = &value->array;
    const struct ndp_base *base = &array->base;
    const struct ndp_dtype *dtype = base->dtype;
    bool is_u1 = dtype == NULL ||
                 (dtype->kind == NDP_KIND_UINT && dtype->itemsize_bytes == 1 && dtype->metadata.size_bytes == 0);
    bool is_ndarray = array->class_name.size_bytes == 0 || ndp_bytes_is_word(array->class_name, "ndarray");
    return is_u1 && is_ndarray && base->ndim == 0 && base->order == NDP_MEMORY_C &&
           base->data.pattern == NDP_PATTERN_ZEROS && base->misalign_bytes == 0 && !base->is_readonly &&
           !base->has_map && array->view_count == 0 && !array->is_readonly;
}

/* A round trip always prints its value; a decode case only if it differs from the smallest one. */
static bool put_value(cJSON *root, const struct ndp_descriptor *descriptor) {
    if (descriptor->kind == NDP_CASE_DECODE && is_smallest(&descriptor->value)) return true;
    return ndp_json_put(root, "value", ndp_value_to_json(&descriptor->value, true));
}

static bool put_decode(cJSON *root, const struct ndp_descriptor *descriptor) {
    if (descriptor->kind != NDP_CASE_DECODE) return true;
    bool has_file = descriptor->file[0] != '\0';
    bool has_bytes = !has_file && (descriptor->bytes.size_bytes > 0 || descriptor->fault.name[0] == '\0');
    const char *expect = descriptor->expect == NDP_EXPECT_ACCEPT   ? "accept"
                         : descriptor->expect == NDP_EXPECT_REFUSE ? "refuse"
                                                                   : "";
    return (!has_bytes || ndp_json_put(root, "bytes", ndp_json_from_hex(descriptor->bytes))) &&
           put_word(root, "file", descriptor->file) && put_fault(root, &descriptor->fault) &&
           put_word(root, "expect", expect);
}

enum ndp_status ndp_descriptor_print(struct ndp_buffer *buffer, const struct ndp_descriptor *descriptor) {
    cJSON *root = cJSON_CreateObject();
    if (ndp_json_put(root, "ndproof", ndp_json_from_u64(NDP_DESCRIPTOR_VERSION)) && put_value(root, descriptor) &&
        put_decode(root, descriptor) && put_route(root, &descriptor->route) && put_properties(root, descriptor)) {
        return ndp_json_print(buffer, root);
    }
    cJSON_Delete(root);
    return NDP_NOMEM;
}
