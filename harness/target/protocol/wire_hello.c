#include "target/protocol/wire.h"

#include "target/protocol/wire_json.h"

#include <string.h>

static const char *const endian_words[] = {"little", "big"};

enum { MAX_CLAIMED_NDIM = 1024, MAX_PATIENCE = 100, MAX_ALIGNMENT = 16 };

/* ---- reading ---- */

static enum ndp_status read_kinds(struct ndp_json_reader *reader, const cJSON *item, char *out) {
    char kinds[NDP_MAX_KINDS_TEXT];
    NDP_TRY(ndp_wire_json_text(reader, item, kinds, sizeof kinds));
    for (const char *at = kinds; *at; at++) {
        if (!memchr(ndp_kind_codes, *at, sizeof ndp_kind_codes) || strchr(at + 1, *at))
            return ndp_json_blame(reader, item, NDP_INVALID, "unknown or duplicate kind '%c'", *at);
    }
    memcpy(out, kinds, sizeof kinds);
    return NDP_OK;
}

static enum ndp_status read_libraries(struct ndp_json_reader *reader, const cJSON *object,
                                      struct ndp_target_info *info) {
    if (!cJSON_IsObject(object)) return ndp_json_blame(reader, object, NDP_INVALID, "expected an object");
    for (const cJSON *item = object->child; item; item = item->next) {
        if (info->library_count == NDP_MAX_LIBRARIES)
            return ndp_json_blame(reader, item, NDP_LIMIT, "more than %d libraries", NDP_MAX_LIBRARIES);
        struct ndp_library *library = &info->libraries[info->library_count];
        const size_t name_bytes = strlen(item->string);
        if (name_bytes == 0 || name_bytes >= sizeof library->name ||
            ndp_target_library_version(info, item->string) != NULL)
            return ndp_json_blame(reader, item, NDP_INVALID, "invalid or duplicate name of a library");
        NDP_TRY(ndp_wire_json_text(reader, item, library->version, sizeof library->version));
        memcpy(library->name, item->string, name_bytes + 1);
        info->library_count++;
    }
    return NDP_OK;
}

/* Finds the row of entry point `item` with the members of `like`, or adds one. */
static enum ndp_status find_row(struct ndp_json_reader *reader, struct ndp_target_info *info,
                                const struct ndp_entry *like, const cJSON *item, struct ndp_entry **out) {
    struct ndp_entry row = *like;
    NDP_TRY(ndp_json_at(reader, item, ndp_json_word(item, row.entry, reader->error)));
    if (!row.entry[0]) return ndp_json_blame(reader, item, NDP_INVALID, "the name of an entry point is empty");
    for (uint32_t i = 0; i < info->entry_count; i++) {
        struct ndp_entry *known = &info->entries[i];
        if (strcmp(known->format, row.format) != 0 || strcmp(known->entry, row.entry) != 0 ||
            strcmp(known->buffers, row.buffers) != 0 || known->protocol != row.protocol)
            continue;
        if (strcmp(known->library, row.library) != 0)
            return ndp_json_blame(reader, item, NDP_INVALID, "an entry point of two libraries");
        known->histories &= row.histories;
        *out = known;
        return NDP_OK;
    }
    if (info->entry_count == NDP_MAX_ENTRIES)
        return ndp_json_blame(reader, item, NDP_LIMIT, "more than %d entry points", NDP_MAX_ENTRIES);
    *out = &info->entries[info->entry_count++];
    **out = row;
    return NDP_OK;
}

enum direction { ENCODE, DECODE, TRANSPORT, DIRECTIONS };

static enum ndp_status read_points(struct ndp_json_reader *reader, const cJSON *array, const struct ndp_entry *like,
                                   enum direction direction, struct ndp_target_info *info) {
    if (!array) return NDP_OK;
    if (!cJSON_IsArray(array)) return ndp_json_blame(reader, array, NDP_INVALID, "expected a list");
    for (const cJSON *item = array->child; item; item = item->next) {
        struct ndp_entry *row = NULL;
        NDP_TRY(find_row(reader, info, like, item, &row));
        bool *claim = direction == ENCODE ? &row->encodes : direction == DECODE ? &row->decodes : &row->transports;
        if (*claim) return ndp_json_blame(reader, item, NDP_INVALID, "duplicate entry point");
        *claim = true;
    }
    return NDP_OK;
}

/* An entry takes arrays, graphs, both, only dicts, or only lists of scalars. */
static enum ndp_status read_values(struct ndp_json_reader *reader, const cJSON *array, struct ndp_entry *like) {
    static const char *const words[] = {"array", "graph", "dict", "instance", "scalars"};
    bool is_claimed[NDP_ARRAY_LEN(words)] = {false};
    if (!cJSON_IsArray(array)) return ndp_json_blame(reader, array, NDP_INVALID, "expected a list");
    for (const cJSON *item = array->child; item; item = item->next) {
        uint32_t word;
        NDP_TRY(ndp_wire_json_word(reader, item, words, NDP_ARRAY_LEN(words), &word));
        if (is_claimed[word]) return ndp_json_blame(reader, item, NDP_INVALID, "duplicate kind of value");
        is_claimed[word] = true;
    }
    if (is_claimed[2] + is_claimed[4] + (is_claimed[0] || is_claimed[1]) != 1)
        return ndp_json_blame(reader, array, NDP_INVALID,
                              "an entry point takes arrays and graphs, only dicts, or only lists of scalars");
    if (is_claimed[3] && !is_claimed[1])
        return ndp_json_blame(reader, array, NDP_INVALID, "an instance is a node of a graph");
    like->takes_instances = is_claimed[3];
    like->takes_scalars = is_claimed[4];
    like->takes_graphs = is_claimed[1] || is_claimed[4];
    like->takes_no_arrays = like->takes_graphs && !is_claimed[0];
    like->takes_dicts = is_claimed[2];
    return NDP_OK;
}

static enum ndp_status read_histories(struct ndp_json_reader *reader, const cJSON *array, uint32_t *out) {
    if (!cJSON_IsArray(array)) return ndp_json_blame(reader, array, NDP_INVALID, "expected a list");
    for (const cJSON *item = array->child; item; item = item->next) {
        uint32_t history;
        NDP_TRY(ndp_wire_json_word(reader, item, ndp_history_words, NDP_HISTORY_COUNT, &history));
        if (history == NDP_HISTORY_NONE) return ndp_json_blame(reader, item, NDP_INVALID, "the history is empty");
        *out |= NDP_HISTORY_BIT(history);
    }
    return NDP_OK;
}

static enum ndp_status read_entry(struct ndp_json_reader *reader, const cJSON *object, struct ndp_target_info *info) {
    static const char *const keys[] = {"encode",  "decode",    "transport", "format",   "library", "protocol",
                                       "buffers", "values",    "cost",      "settings", "local",   "functions",
                                       "inert",   "instances", "variant",   "histories"};
    enum {
        FORMAT = DIRECTIONS,
        LIBRARY,
        PROTOCOL,
        BUFFERS,
        VALUES,
        COST,
        SETTINGS,
        LOCAL,
        FUNCTIONS,
        INERT,
        INSTANCES,
        VARIANT,
        HISTORIES
    };
    const cJSON *member[NDP_ARRAY_LEN(keys)];
    struct ndp_entry like = {.protocol = 0};
    uint32_t protocol = 0;
    bool takes_functions = true;
    NDP_TRY(ndp_json_members(reader, object, keys, NDP_ARRAY_LEN(keys), member));
    NDP_TRY(ndp_wire_json_required(reader, object, member[FORMAT], "format"));
    NDP_TRY(ndp_json_at(reader, member[FORMAT], ndp_json_word(member[FORMAT], like.format, reader->error)));
    if (!like.format[0]) return ndp_json_blame(reader, member[FORMAT], NDP_INVALID, "the name of a format is empty");
    memcpy(like.library, info->implementation, sizeof like.library);
    if (member[LIBRARY])
        NDP_TRY(ndp_json_at(reader, member[LIBRARY], ndp_json_word(member[LIBRARY], like.library, reader->error)));
    if (!ndp_target_library_version(info, like.library))
        return ndp_json_blame(reader, object, NDP_INVALID, "\"libraries\" does not contain \"%s\"", like.library);
    if (member[PROTOCOL])
        NDP_TRY(ndp_json_at(reader, member[PROTOCOL], ndp_json_u32(member[PROTOCOL], 255, &protocol, reader->error)));
    like.protocol = (int32_t)protocol;
    if (member[BUFFERS])
        NDP_TRY(ndp_json_at(reader, member[BUFFERS], ndp_json_word(member[BUFFERS], like.buffers, reader->error)));
    if (member[VALUES]) NDP_TRY(read_values(reader, member[VALUES], &like));
    if (member[INSTANCES]) {
        NDP_TRY(
            ndp_json_at(reader, member[INSTANCES], ndp_json_word(member[INSTANCES], like.instances_of, reader->error)));
        if (!like.takes_instances || !like.takes_no_arrays)
            return ndp_json_blame(reader, object, NDP_INVALID,
                                  "\"instances\" needs the values graph and instance alone");
    }
    if (member[COST])
        NDP_TRY(ndp_json_at(reader, member[COST], ndp_json_u32(member[COST], 64, &like.cost, reader->error)));
    if (member[SETTINGS]) {
        NDP_TRY(ndp_json_at(reader, member[SETTINGS],
                            ndp_json_bool(member[SETTINGS], &like.takes_settings, reader->error)));
    }
    if (member[LOCAL])
        NDP_TRY(ndp_json_at(reader, member[LOCAL], ndp_json_bool(member[LOCAL], &like.is_local, reader->error)));
    if (member[INERT])
        NDP_TRY(ndp_json_at(reader, member[INERT], ndp_json_bool(member[INERT], &like.is_inert, reader->error)));
    if (member[VARIANT])
        NDP_TRY(ndp_json_at(reader, member[VARIANT], ndp_json_bool(member[VARIANT], &like.is_variant, reader->error)));
    if (member[FUNCTIONS])
        NDP_TRY(
            ndp_json_at(reader, member[FUNCTIONS], ndp_json_bool(member[FUNCTIONS], &takes_functions, reader->error)));
    like.lacks_functions = !takes_functions || like.takes_scalars;
    if (member[HISTORIES]) NDP_TRY(read_histories(reader, member[HISTORIES], &like.histories));
    for (uint32_t i = 0; i < DIRECTIONS; i++) NDP_TRY(read_points(reader, member[i], &like, (enum direction)i, info));
    return NDP_OK;
}

static enum ndp_status read_entries(struct ndp_json_reader *reader, const cJSON *array, struct ndp_target_info *info) {
    if (!cJSON_IsArray(array)) return ndp_json_blame(reader, array, NDP_INVALID, "expected a list");
    for (const cJSON *item = array->child; item; item = item->next) NDP_TRY(read_entry(reader, item, info));
    return NDP_OK;
}

/* The keys of HELLO, required ones first. */
static const char *const hello_keys[] = {
    "protocol", "implementation",       "version", "language",   "endian",    "kinds",
    "max_ndim", "max_value_bytes",      "entries", "tells_peak", "libraries", "feedback",
    "patience", "longdouble_alignment", "forks"};
enum {
    PROTOCOL,
    IMPLEMENTATION,
    VERSION,
    LANGUAGE,
    ENDIAN,
    KINDS,
    MAX_NDIM,
    MAX_VALUE_BYTES,
    ENTRIES,
    TELLS_PEAK,
    LIBRARIES,
    FEEDBACK,
    PATIENCE,
    LONGDOUBLE_ALIGNMENT,
    FORKS
};

static enum ndp_status read_identity(struct ndp_json_reader *reader, const cJSON *const *member,
                                     struct ndp_target_info *info) {
    uint32_t protocol;
    NDP_TRY(
        ndp_json_at(reader, member[PROTOCOL], ndp_json_u32(member[PROTOCOL], UINT16_MAX, &protocol, reader->error)));
    if (protocol != NDP_WIRE_PROTOCOL)
        return ndp_json_blame(reader, member[PROTOCOL], NDP_UNSUPPORTED, "protocol version %u, expected %d", protocol,
                              NDP_WIRE_PROTOCOL);
    NDP_TRY(ndp_json_at(reader, member[IMPLEMENTATION],
                        ndp_json_word(member[IMPLEMENTATION], info->implementation, reader->error)));
    if (!info->implementation[0])
        return ndp_json_blame(reader, member[IMPLEMENTATION], NDP_INVALID, "the name of the implementation is empty");
    NDP_TRY(ndp_wire_json_text(reader, member[VERSION], info->version, sizeof info->version));
    return ndp_wire_json_text(reader, member[LANGUAGE], info->language, sizeof info->language);
}

static enum ndp_status read_abilities(struct ndp_json_reader *reader, const cJSON *const *member,
                                      struct ndp_target_info *info) {
    uint32_t endian, max_ndim;
    NDP_TRY(ndp_wire_json_word(reader, member[ENDIAN], endian_words, NDP_ARRAY_LEN(endian_words), &endian));
    NDP_TRY(read_kinds(reader, member[KINDS], info->kinds));
    NDP_TRY(ndp_json_at(reader, member[MAX_NDIM],
                        ndp_json_u32(member[MAX_NDIM], MAX_CLAIMED_NDIM, &max_ndim, reader->error)));
    NDP_TRY(ndp_json_at(reader, member[MAX_VALUE_BYTES],
                        ndp_json_u64(member[MAX_VALUE_BYTES], &info->max_value_bytes, reader->error)));
    if (member[TELLS_PEAK])
        NDP_TRY(ndp_json_at(reader, member[TELLS_PEAK],
                            ndp_json_bool(member[TELLS_PEAK], &info->tells_peak, reader->error)));
    if (member[FEEDBACK])
        NDP_TRY(
            ndp_json_at(reader, member[FEEDBACK], ndp_json_bool(member[FEEDBACK], &info->has_feedback, reader->error)));
    if (member[FORKS])
        NDP_TRY(ndp_json_at(reader, member[FORKS], ndp_json_bool(member[FORKS], &info->forks, reader->error)));
    if (member[PATIENCE])
        NDP_TRY(ndp_json_at(reader, member[PATIENCE],
                            ndp_json_u32(member[PATIENCE], MAX_PATIENCE, &info->patience, reader->error)));
    if (member[LONGDOUBLE_ALIGNMENT])
        NDP_TRY(ndp_json_at(reader, member[LONGDOUBLE_ALIGNMENT],
                            ndp_json_u32(member[LONGDOUBLE_ALIGNMENT], MAX_ALIGNMENT, &info->longdouble_alignment_bytes,
                                         reader->error)));
    info->is_little_endian = endian == 0;
    info->max_ndim = max_ndim < NDP_MAX_NDIM ? max_ndim : NDP_MAX_NDIM;
    return NDP_OK;
}

/* The default: the implementation is the only library. */
static void add_own_library(struct ndp_target_info *info) {
    if (info->library_count == NDP_MAX_LIBRARIES || ndp_target_library_version(info, info->implementation)) return;
    struct ndp_library *own = &info->libraries[info->library_count++];
    memcpy(own->name, info->implementation, sizeof own->name);
    memcpy(own->version, info->version, sizeof own->version);
}

static enum ndp_status read_tree(struct ndp_json_reader *reader, const cJSON *tree, struct ndp_target_info *info) {
    const cJSON *member[NDP_ARRAY_LEN(hello_keys)];
    NDP_TRY(ndp_json_members(reader, tree, hello_keys, NDP_ARRAY_LEN(hello_keys), member));
    for (uint32_t i = PROTOCOL; i <= ENTRIES; i++)
        NDP_TRY(ndp_wire_json_required(reader, tree, member[i], hello_keys[i]));
    NDP_TRY(read_identity(reader, member, info));
    NDP_TRY(read_abilities(reader, member, info));
    if (member[LIBRARIES]) NDP_TRY(read_libraries(reader, member[LIBRARIES], info));
    add_own_library(info);
    return read_entries(reader, member[ENTRIES], info);
}

enum ndp_status ndp_wire_read_hello(const struct ndp_frame *frame, struct ndp_target_info *out,
                                    struct ndp_error *error) {
    cJSON *tree;
    if (frame->type != NDP_FRAME_HELLO || frame->index != 0 || frame->sequence != 0 || frame->binary.size_bytes != 0)
        return ndp_error_set(error, NDP_INVALID, 0, "HELLO must not have an index, a sequence number or a binary part");
    NDP_TRY(ndp_json_parse(frame->json, &ndp_wire_json_limits, &tree, error));
    struct ndp_json_reader reader = {.limits = &ndp_wire_json_limits, .error = error};
    struct ndp_target_info info = {.entry_count = 0};
    const enum ndp_status status = read_tree(&reader, tree, &info);
    if (status == NDP_OK) *out = info;
    if (status != NDP_OK) ndp_json_locate(&reader, tree, frame->json);
    cJSON_Delete(tree);
    return status;
}

/* ---- writing ---- */

static enum ndp_status add_member(struct ndp_buffer *out, const char *key, const char *text) {
    NDP_TRY(ndp_wire_json_add(out, key));
    return ndp_wire_json_add_string(out, text);
}

static enum ndp_status add_histories(struct ndp_buffer *out, uint32_t histories) {
    const char *before = ",\"histories\":[";
    for (uint32_t i = 0; i < NDP_HISTORY_COUNT; i++) {
        if ((histories & NDP_HISTORY_BIT(i)) == 0) continue;
        NDP_TRY(add_member(out, before, ndp_history_words[i]));
        before = ",";
    }
    return ndp_wire_json_add(out, "]");
}

static enum ndp_status add_entry(struct ndp_buffer *out, const struct ndp_entry *entry) {
    NDP_TRY(add_member(out, "{\"format\":", entry->format));
    NDP_TRY(add_member(out, ",\"library\":", entry->library));
    if (entry->protocol != 0) NDP_TRY(ndp_buffer_printf(out, ",\"protocol\":%d", entry->protocol));
    if (entry->buffers[0]) NDP_TRY(add_member(out, ",\"buffers\":", entry->buffers));
    if (entry->takes_scalars) NDP_TRY(ndp_wire_json_add(out, ",\"values\":[\"scalars\"]"));
    if (entry->takes_graphs && !entry->takes_scalars)
        NDP_TRY(ndp_buffer_printf(out, ",\"values\":[%s\"graph\"%s]", entry->takes_no_arrays ? "" : "\"array\",",
                                  entry->takes_instances ? ",\"instance\"" : ""));
    if (entry->takes_dicts) NDP_TRY(ndp_wire_json_add(out, ",\"values\":[\"dict\"]"));
    if (entry->instances_of[0]) NDP_TRY(add_member(out, ",\"instances\":", entry->instances_of));
    if (entry->is_local) NDP_TRY(ndp_buffer_printf(out, ",\"local\":true"));
    if (entry->lacks_functions) NDP_TRY(ndp_wire_json_add(out, ",\"functions\":false"));
    if (entry->is_inert) NDP_TRY(ndp_wire_json_add(out, ",\"inert\":true"));
    if (entry->histories != 0) NDP_TRY(add_histories(out, entry->histories));
    if (entry->is_variant) NDP_TRY(ndp_wire_json_add(out, ",\"variant\":true"));
    if (entry->cost > 1) NDP_TRY(ndp_buffer_printf(out, ",\"cost\":%u", (unsigned)entry->cost));
    const struct {
        const char *key;
        bool is_claimed;
    } points[] = {
        {",\"encode\":[", entry->encodes}, {",\"decode\":[", entry->decodes}, {",\"transport\":[", entry->transports}};
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(points); i++) {
        if (!points[i].is_claimed) continue;
        NDP_TRY(add_member(out, points[i].key, entry->entry));
        NDP_TRY(ndp_wire_json_add(out, "]"));
    }
    return ndp_wire_json_add(out, "}");
}

static enum ndp_status add_json(struct ndp_buffer *out, const struct ndp_target_info *info) {
    NDP_TRY(ndp_buffer_printf(out, "{\"protocol\":%d", NDP_WIRE_PROTOCOL));
    NDP_TRY(add_member(out, ",\"implementation\":", info->implementation));
    NDP_TRY(add_member(out, ",\"version\":", info->version));
    NDP_TRY(add_member(out, ",\"language\":", info->language));
    NDP_TRY(add_member(out, ",\"endian\":", endian_words[info->is_little_endian ? 0 : 1]));
    NDP_TRY(add_member(out, ",\"kinds\":", info->kinds));
    NDP_TRY(ndp_buffer_printf(out, ",\"max_ndim\":%u,\"max_value_bytes\":", info->max_ndim));
    NDP_TRY(ndp_wire_json_add_u64(out, info->max_value_bytes));
    if (info->patience > 1) NDP_TRY(ndp_buffer_printf(out, ",\"patience\":%u", (unsigned)info->patience));
    if (info->longdouble_alignment_bytes != 0)
        NDP_TRY(ndp_buffer_printf(out, ",\"longdouble_alignment\":%u", (unsigned)info->longdouble_alignment_bytes));
    if (info->forks) NDP_TRY(ndp_wire_json_add(out, ",\"forks\":true"));
    NDP_TRY(ndp_wire_json_add(out, info->tells_peak ? ",\"tells_peak\":true" : ",\"tells_peak\":false"));
    NDP_TRY(ndp_wire_json_add(out, ",\"libraries\":{"));
    for (uint32_t i = 0; i < info->library_count; i++) {
        if (i > 0) NDP_TRY(ndp_wire_json_add(out, ","));
        NDP_TRY(ndp_wire_json_add_string(out, info->libraries[i].name));
        NDP_TRY(add_member(out, ":", info->libraries[i].version));
    }
    NDP_TRY(ndp_wire_json_add(out, "},\"entries\":["));
    for (uint32_t i = 0; i < info->entry_count; i++) {
        if (i > 0) NDP_TRY(ndp_wire_json_add(out, ","));
        NDP_TRY(add_entry(out, &info->entries[i]));
    }
    return ndp_wire_json_add(out, "]}");
}

static enum ndp_status add_hello(struct ndp_buffer *out, const struct ndp_target_info *info) {
    uint64_t at_bytes;
    NDP_TRY(ndp_frame_start(out, NDP_FRAME_HELLO, 0, 0, &at_bytes));
    NDP_TRY(add_json(out, info));
    NDP_TRY(ndp_frame_end_json(out, at_bytes));
    ndp_frame_end(out, at_bytes);
    return NDP_OK;
}

enum ndp_status ndp_wire_add_hello(struct ndp_buffer *out, const struct ndp_target_info *info) {
    const uint64_t before_bytes = out->size_bytes;
    const enum ndp_status status = add_hello(out, info);
    if (status != NDP_OK) out->size_bytes = before_bytes;
    return status;
}
