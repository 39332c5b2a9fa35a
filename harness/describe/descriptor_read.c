#include <string.h>

#include "describe/descriptor.h"
#include "describe/value_json.h"

const struct ndp_describe_limits ndp_describe_default_limits = {
    .text_bytes = UINT64_C(64) << 20,
    .value_bytes = UINT64_C(1) << 30,
    .depth = 256,
};

/* Reads an optional word. */
static enum ndp_status read_word(struct ndp_json_reader *reader, const cJSON *item, char *out) {
    if (item == NULL) return NDP_OK;
    return ndp_json_at(reader, item, ndp_json_word(item, out, reader->error));
}

static enum ndp_status read_map_mode(struct ndp_json_reader *reader, const cJSON *item, char *out) {
    static const char *const modes[] = {"r", "r+", "c", "none"};
    char word[NDP_WORD_BYTES];
    NDP_TRY(read_word(reader, item, word));
    for (size_t i = 0; i < NDP_ARRAY_LEN(modes); i++)
        if (strcmp(word, modes[i]) == 0) memcpy(out, modes[i], strlen(modes[i]) + 1);
    if (out[0] != '\0') return NDP_OK;
    return ndp_json_blame(reader, item, NDP_INVALID, "\"mmap_mode\" must be r, r+, c or none");
}

/* Reads an optional history. */
static enum ndp_status read_history(struct ndp_json_reader *reader, const cJSON *item, enum ndp_history *out) {
    char word[NDP_WORD_BYTES] = "";
    NDP_TRY(read_word(reader, item, word));
    if (item == NULL || (word[0] != '\0' && ndp_history_find(word, out))) return NDP_OK;
    return ndp_json_blame(reader, item, NDP_INVALID,
                          "unknown history \"%s\"; the histories are reused, failed, freed, threads and forked", word);
}

/* Reads the members that a transport has instead of a format and entry points. */
static enum ndp_status read_transport(struct ndp_json_reader *reader, const cJSON *const *members,
                                      struct ndp_route *route) {
    enum { TRANSPORT, BACKEND, MAX_NBYTES, MAP_MODE, COUNT };
    for (uint32_t i = BACKEND; i < COUNT && members[TRANSPORT] == NULL; i++)
        if (members[i] != NULL) return ndp_json_blame(reader, members[i], NDP_INVALID, "this key needs a transport");
    if (members[TRANSPORT] == NULL) return NDP_OK;
    if (route->format[0] != '\0' || route->encode[0] != '\0' || route->decode[0] != '\0') {
        return ndp_json_blame(reader, members[TRANSPORT], NDP_INVALID,
                              "a transport excludes a format and entry points");
    }
    route->is_transport = true;
    NDP_TRY(read_word(reader, members[TRANSPORT], route->format));
    NDP_TRY(read_word(reader, members[BACKEND], route->encode));
    memcpy(route->decode, route->encode, sizeof route->decode);
    if (members[MAX_NBYTES] != NULL) {
        NDP_TRY(ndp_json_at(reader, members[MAX_NBYTES],
                            ndp_json_i64(members[MAX_NBYTES], &route->max_nbytes, reader->error)));
        if (route->max_nbytes < -1)
            return ndp_json_blame(reader, members[MAX_NBYTES], NDP_INVALID, "\"max_nbytes\" must be at least -1");
    }
    return members[MAP_MODE] == NULL ? NDP_OK : read_map_mode(reader, members[MAP_MODE], route->map_mode);
}

/* Reads an optional small number. */
static enum ndp_status read_number(struct ndp_json_reader *reader, const cJSON *item, uint32_t most, int32_t *out) {
    uint32_t number = 0;
    if (item == NULL) return NDP_OK;
    NDP_TRY(ndp_json_at(reader, item, ndp_json_u32(item, most, &number, reader->error)));
    *out = (int32_t)number;
    return NDP_OK;
}

static enum ndp_status read_offset(struct ndp_json_reader *reader, const cJSON *item, uint64_t *out) {
    return item == NULL ? NDP_OK : ndp_json_at(reader, item, ndp_json_u64(item, out, reader->error));
}

enum { MAX_PROTOCOL = 255, MAX_LEVEL = 9 };

static enum ndp_status read_route(struct ndp_json_reader *reader, const cJSON *item, struct ndp_route *route) {
    static const char *const keys[] = {"format",     "protocol",  "encode",  "decode",    "buffers",
                                       "offset",     "encoder",   "decoder", "transport", "backend",
                                       "max_nbytes", "mmap_mode", "level",   "via",       "history"};
    const cJSON *members[NDP_ARRAY_LEN(keys)];
    NDP_TRY(ndp_json_members(reader, item, keys, NDP_ARRAY_LEN(keys), members));
    NDP_TRY(read_word(reader, members[0], route->format));
    NDP_TRY(read_number(reader, members[1], MAX_PROTOCOL, &route->protocol));
    NDP_TRY(read_word(reader, members[2], route->encode));
    NDP_TRY(read_word(reader, members[3], route->decode));
    NDP_TRY(read_word(reader, members[4], route->buffers));
    NDP_TRY(read_offset(reader, members[5], &route->offset_bytes));
    NDP_TRY(read_word(reader, members[6], route->encoder));
    NDP_TRY(read_word(reader, members[7], route->decoder));
    NDP_TRY(read_number(reader, members[12], MAX_LEVEL, &route->level));
    NDP_TRY(read_history(reader, members[14], &route->history));
    if (members[13] != NULL)
        return ndp_json_blame(reader, members[13], NDP_INVALID,
                              "routes through a third target (\"via\") are no longer supported; the property "
                              "\"transcode\" checks one target instead");
    return read_transport(reader, &members[8], route);
}

static enum ndp_status read_properties(struct ndp_json_reader *reader, const cJSON *list, struct ndp_descriptor *out) {
    if (!cJSON_IsArray(list))
        return ndp_json_blame(reader, list, NDP_INVALID, "\"properties\" must be an array of names");
    for (const cJSON *item = list->child; item != NULL; item = item->next) {
        if (out->property_count == NDP_MAX_PROPERTIES)
            return ndp_json_blame(reader, item, NDP_LIMIT, "over %d properties", (int)NDP_MAX_PROPERTIES);
        char *name = out->properties[out->property_count];
        NDP_TRY(read_word(reader, item, name));
        if (name[0] == '\0') return ndp_json_blame(reader, item, NDP_INVALID, "the name of a property is empty");
        for (uint32_t i = 0; i < out->property_count; i++) {
            if (strcmp(out->properties[i], name) != 0) continue;
            return ndp_json_blame(reader, item, NDP_INVALID, "duplicate property \"%s\"", name);
        }
        out->property_count++;
    }
    return NDP_OK;
}

static enum ndp_status read_fault(struct ndp_json_reader *reader, const cJSON *item, struct ndp_fault *fault) {
    static const char *const keys[] = {"name", "argument"};
    const cJSON *members[NDP_ARRAY_LEN(keys)];
    NDP_TRY(ndp_json_members(reader, item, keys, NDP_ARRAY_LEN(keys), members));
    NDP_TRY(read_word(reader, members[0], fault->name));
    if (fault->name[0] == '\0') return ndp_json_blame(reader, item, NDP_INVALID, "a fault needs \"name\"");
    if (members[1] == NULL) return NDP_OK;
    return ndp_json_at(reader, members[1], ndp_json_u64(members[1], &fault->argument, reader->error));
}

/* Reports whether `name` stays below its folder. */
static bool is_file_below(const char *name) {
    if (name[0] == '\0' || name[0] == '/') return false;
    for (const char *part = name; part != NULL; part = strchr(part, '/')) {
        if (*part == '/') part++;
        size_t size = strcspn(part, "/");
        if (size == 2 && part[0] == '.' && part[1] == '.') return false;
    }
    return true;
}

static enum ndp_status read_file(struct ndp_json_reader *reader, const cJSON *item, char *file) {
    if (!cJSON_IsString(item)) return ndp_json_blame(reader, item, NDP_INVALID, "expected a file name");
    size_t size = strlen(item->valuestring);
    if (size >= NDP_FILE_NAME_BYTES || !is_file_below(item->valuestring)) {
        return ndp_json_blame(reader, item, NDP_INVALID,
                              "a corpus file name must be a relative path of at most 255 bytes without \"..\"");
    }
    memcpy(file, item->valuestring, size + 1);
    return NDP_OK;
}

static enum ndp_status read_expect(struct ndp_json_reader *reader, const cJSON *item, enum ndp_expect *out) {
    static const struct {
        const char *word;
        enum ndp_expect expect;
    } words[] = {{"open", NDP_EXPECT_OPEN}, {"accept", NDP_EXPECT_ACCEPT}, {"refuse", NDP_EXPECT_REFUSE}};
    for (size_t i = 0; cJSON_IsString(item) && i < NDP_ARRAY_LEN(words); i++) {
        if (strcmp(item->valuestring, words[i].word) != 0) continue;
        *out = words[i].expect;
        return NDP_OK;
    }
    return ndp_json_blame(reader, item, NDP_INVALID, "expected \"open\", \"accept\" or \"refuse\"");
}

enum key { VERSION, VALUE, BYTES, FILE_NAME, FAULT, EXPECT, ROUTE, PROPERTIES, KEY_COUNT };

/* Reads the members of a decode case. Its bytes come from a single source. */
static enum ndp_status read_decode(struct ndp_json_reader *reader, const cJSON *const *members,
                                   struct ndp_descriptor *out) {
    const cJSON *bytes = members[BYTES];
    const cJSON *file = members[FILE_NAME];
    const cJSON *fault = members[FAULT];
    if (bytes == NULL && file == NULL && fault == NULL) {
        if (members[EXPECT] == NULL) return NDP_OK;
        return ndp_json_blame(reader, members[EXPECT], NDP_INVALID,
                              "\"expect\" needs \"bytes\", \"file\" or \"fault\"");
    }
    out->kind = NDP_CASE_DECODE;
    if (bytes != NULL && file != NULL)
        return ndp_json_blame(reader, file, NDP_INVALID, "\"bytes\" and \"file\" exclude each other");
    if (bytes != NULL) {
        if (!cJSON_IsString(bytes)) return ndp_json_blame(reader, bytes, NDP_INVALID, "expected hexadecimal digits");
        NDP_TRY(
            ndp_json_at(reader, bytes, ndp_hex_read(reader->arena, bytes->valuestring, &out->bytes, reader->error)));
        if (out->bytes.size_bytes == 0 && fault != NULL) {
            return ndp_json_blame(reader, bytes, NDP_INVALID,
                                  "\"bytes\" is empty, but the fault needs bytes to change");
        }
    }
    if (file != NULL) NDP_TRY(read_file(reader, file, out->file));
    if (fault != NULL) NDP_TRY(read_fault(reader, fault, &out->fault));
    return members[EXPECT] == NULL ? NDP_OK : read_expect(reader, members[EXPECT], &out->expect);
}

/* The version is checked first, because a newer descriptor may have unknown keys. */
static enum ndp_status check_version(struct ndp_json_reader *reader, const cJSON *root) {
    const cJSON *item = cJSON_IsObject(root) ? cJSON_GetObjectItemCaseSensitive(root, "ndproof") : NULL;
    if (item == NULL) return NDP_OK;
    uint64_t version = 0;
    NDP_TRY(ndp_json_at(reader, item, ndp_json_u64(item, &version, reader->error)));
    if (version == 0) return ndp_json_blame(reader, item, NDP_INVALID, "the smallest version of a descriptor is 1");
    if (version <= NDP_DESCRIPTOR_VERSION) return NDP_OK;
    return ndp_json_blame(reader, item, NDP_UNSUPPORTED,
                          "the descriptor has version %llu; this ndproof reads versions up to %d",
                          (unsigned long long)version, NDP_DESCRIPTOR_VERSION);
}

static enum ndp_status read_root(struct ndp_json_reader *reader, const cJSON *root, struct ndp_descriptor *out) {
    static const char *const keys[] = {"ndproof", "value", "bytes", "file", "fault", "expect", "route", "properties"};
    const cJSON *members[KEY_COUNT];
    NDP_TRY(check_version(reader, root));
    NDP_TRY(ndp_json_members(reader, root, keys, KEY_COUNT, members));
    NDP_TRY(ndp_value_read_json(reader, members[VALUE], &out->value));
    NDP_TRY(read_decode(reader, members, out));
    if (members[ROUTE] != NULL) NDP_TRY(read_route(reader, members[ROUTE], &out->route));
    if (members[PROPERTIES] != NULL) NDP_TRY(read_properties(reader, members[PROPERTIES], out));
    return NDP_OK;
}

enum ndp_status ndp_descriptor_read(struct ndp_arena *arena, struct ndp_bytes text,
                                    const struct ndp_describe_limits *limits, struct ndp_descriptor *out,
                                    struct ndp_error *error) {
    struct ndp_json_reader reader = {.arena = arena, .limits = limits, .error = error};
    struct ndp_descriptor descriptor = {.kind = NDP_CASE_ROUND_TRIP};
    cJSON *root = NULL;
    NDP_TRY(ndp_json_parse(text, limits, &root, error));
    enum ndp_status status = read_root(&reader, root, &descriptor);
    if (status == NDP_OK) {
        *out = descriptor;
    } else {
        ndp_json_locate(&reader, root, text);
    }
    cJSON_Delete(root);
    return status;
}
