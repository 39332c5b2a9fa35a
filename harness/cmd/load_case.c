#include "cmd/load_case.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/file_format.h"
#include "cmd/run_fuzz_target.h"
#include "describe/json_read.h"
#include "describe/json_write.h"
#include "model/graph/graph.h"
#include "property/corpus_index.h"

#define MAX_FILE_BYTES (UINT64_C(256) << 20)

#define ARENA_BYTES (UINT64_C(1) << 30)

/* Reads up to the end of the file, at most `max_bytes`. */
static enum ndp_status read_all(int fd, uint64_t max_bytes, struct ndp_buffer *buffer, struct ndp_error *error) {
    for (;;) {
        uint8_t chunk[65536];
        ssize_t got = read(fd, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return ndp_error_set(error, NDP_IO, buffer->size_bytes, "cannot read: %s", strerror(errno));
        if (got == 0) return NDP_OK;
        enum ndp_status status = ndp_buffer_add(buffer, chunk, (uint64_t)got);
        if (status != NDP_OK) {
            return ndp_error_set(error, status, NDP_NO_OFFSET, "the file has more than %llu bytes",
                                 (unsigned long long)max_bytes);
        }
    }
}

enum ndp_status ndp_load_case_file(struct ndp_arena *arena, const char *path, uint64_t max_bytes, struct ndp_bytes *out,
                                   struct ndp_error *error) {
    enum ndp_status status = NDP_OK;
    bool is_input = strcmp(path, "-") == 0;
    NDP_BUFFER_SCOPED(buffer, max_bytes);
    int fd = is_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0) {
        status = ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot open: %s", strerror(errno));
        goto done;
    }
    if (!is_input && !S_ISREG(info.st_mode)) {
        status = ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "not a regular file");
        goto done;
    }
    status = read_all(fd, max_bytes, &buffer, error);
    if (status != NDP_OK) goto done;
    uint8_t *bytes = ndp_arena_copy(arena, buffer.data, buffer.size_bytes);
    if (bytes == NULL) {
        status = ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "out of memory");
        goto done;
    }
    *out = (struct ndp_bytes){bytes, buffer.size_bytes};
done:
    if (fd >= 0 && !is_input) close(fd);
    return status;
}

void ndp_load_case_print_error(const char *path, struct ndp_bytes text, const struct ndp_error *error) {
    fprintf(stderr, "%s", path);
    if (error->offset_bytes != NDP_NO_OFFSET) {
        uint64_t line, column;
        ndp_descriptor_text_place(text, error->offset_bytes, &line, &column);
        fprintf(stderr, ":%llu:%llu", (unsigned long long)line, (unsigned long long)column);
    }
    fprintf(stderr, ": %s", error->text[0] != '\0' ? error->text : ndp_status_text(error->status));
    if (error->path[0] != '\0') fprintf(stderr, " (at %s)", error->path);
    fputc('\n', stderr);
}

static bool is_json(struct ndp_bytes bytes) {
    for (uint64_t i = 0; i < bytes.size_bytes; i++) {
        uint8_t byte = bytes.data[i];
        if (byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r') continue;
        return byte == '{';
    }
    return false;
}

static bool has_proto(struct ndp_bytes bytes) {
    return bytes.size_bytes >= 1 && bytes.data[0] == 0x80;
}

/* The format of the fuzz target that the path of an artifact names, or NULL. */
static const char *format_of_artifact(const char *path) {
    static const char *const formats[] = {"npy", "npz", "pickle", "joblib"};
    struct ndp_fuzz_target_list oracles;
    char form[NDP_WORD_BYTES];
    ndp_run_fuzz_target_candidates(path, &oracles);
    if (!oracles.is_named) return NULL;
    ndp_run_fuzz_target_form(oracles.names[0], form);
    for (size_t i = 0; i < NDP_ARRAY_LEN(formats); i++)
        if (strcmp(form, formats[i]) == 0) return formats[i];
    return NULL;
}

/* Finds the index entry of a path such as "corpus/npy/accept/f8_c.npy", relative or absolute; NULL if there is none. */
static const struct ndp_corpus_file *find_in_corpus(const char *path) {
    static const char folder[] = "corpus/";
    const struct ndp_corpus_file *file = NULL;
    for (const char *at = strstr(path, folder); at != NULL && file == NULL; at = strstr(at + 1, folder))
        if (at == path || at[-1] == '/') file = ndp_corpus_index_find(at + sizeof folder - 1);
    return file;
}

/* Fills route and expectation from the corpus index. The bytes still come from the file at the path. */
static void describe_corpus_file(const struct ndp_corpus_file *file, struct ndp_descriptor *out) {
    snprintf(out->file, sizeof out->file, "%s", file->path);
    snprintf(out->route.format, NDP_WORD_BYTES, "%.*s", (int)strcspn(file->path, "/"), file->path);
    snprintf(out->route.buffers, NDP_WORD_BYTES, "%s", file->buffers);
    out->route.protocol = file->protocol;
    out->expect = file->expect;
}

/* Returns the protocol that the PROTO opcode states; readers of protocol 5 get unknown protocols. */
static int32_t protocol_of(struct ndp_bytes bytes) {
    if (!has_proto(bytes) || bytes.size_bytes < 2) return 0;
    return bytes.data[1] <= 5 ? bytes.data[1] : 5;
}

/* Makes a decode case of a file that is no JSON. */
static enum ndp_status load_bytes(struct ndp_arena *arena, const char *path, struct ndp_bytes bytes,
                                  struct ndp_loaded *out, struct ndp_error *error) {
    struct ndp_loaded_case *item = NDP_ARENA_NEW(arena, struct ndp_loaded_case);
    if (item == NULL) return NDP_NOMEM;
    struct ndp_descriptor *descriptor = &item->descriptor;
    const struct ndp_corpus_file *file = find_in_corpus(path);
    descriptor->kind = NDP_CASE_DECODE;
    descriptor->bytes = bytes;
    if (file != NULL) {
        describe_corpus_file(file, descriptor);
    } else {
        const char *format = ndp_file_format_find(path, bytes);
        if (format == NULL) format = format_of_artifact(path);
        if (format == NULL)
            return ndp_error_set(
                error, NDP_INVALID, NDP_NO_OFFSET,
                "unknown format; expected a descriptor, a finding or a report (JSON), or a file of NPY, NPZ, "
                "pickle or joblib; a damaged file needs its ending, such as .npy");
        snprintf(descriptor->route.format, NDP_WORD_BYTES, "%s", format);
        if (strcmp(descriptor->route.format, "pickle") == 0) descriptor->route.protocol = protocol_of(bytes);
    }
    *out = (struct ndp_loaded){item, 1};
    return NDP_OK;
}

/* Whether the severity of a finding is that of a documented loss or hazard. */
static bool is_documented(const cJSON *severity) {
    return cJSON_IsString(severity) &&
           strcmp(severity->valuestring, ndp_contract_severity_word(NDP_SEVERITY_DEFECT)) != 0;
}

/* Reads the descriptor of `finding`: prints it, reads that text, and maps an error to its place in the file. */
static enum ndp_status load_finding(struct ndp_json_reader *reader, const cJSON *finding, struct ndp_loaded_case *out) {
    const cJSON *descriptor = cJSON_GetObjectItemCaseSensitive(finding, "descriptor");
    const cJSON *signature = cJSON_GetObjectItemCaseSensitive(finding, "signature");
    if (!cJSON_IsObject(descriptor))
        return ndp_json_blame(reader, descriptor != NULL ? descriptor : finding, NDP_INVALID, "expected a descriptor");
    char *text = ndp_json_print_exact(descriptor);
    if (text == NULL) return ndp_json_blame(reader, descriptor, NDP_NOMEM, "out of memory");
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    enum ndp_status status = ndp_descriptor_read(reader->arena, ndp_bytes_view(text), &ndp_describe_default_limits,
                                                 &out->descriptor, &error);
    cJSON_free(text);
    if (status != NDP_OK) {
        const cJSON *culprit = ndp_json_resolve(descriptor, error.path);
        return ndp_json_blame(reader, culprit, status, "%s",
                              error.text[0] != '\0' ? error.text : ndp_status_text(status));
    }
    if (cJSON_IsString(signature)) snprintf(out->signature, sizeof out->signature, "%s", signature->valuestring);
    out->is_documented = is_documented(cJSON_GetObjectItemCaseSensitive(finding, "severity"));
    return NDP_OK;
}

static enum ndp_status load_findings(struct ndp_json_reader *reader, const cJSON *findings, struct ndp_loaded *out) {
    int count = cJSON_GetArraySize(findings);
    struct ndp_loaded_case *cases = NDP_ARENA_ITEMS(reader->arena, struct ndp_loaded_case, (uint64_t)count);
    if (cases == NULL) return NDP_NOMEM;
    uint32_t filled = 0;
    const cJSON *finding;
    cJSON_ArrayForEach(finding, findings) {
        NDP_TRY(load_finding(reader, finding, &cases[filled++]));
    }
    *out = (struct ndp_loaded){cases, filled};
    return NDP_OK;
}

static enum ndp_status load_tree(struct ndp_arena *arena, const cJSON *root, struct ndp_bytes text,
                                 struct ndp_loaded *out, struct ndp_error *error) {
    const cJSON *findings = cJSON_GetObjectItemCaseSensitive(root, "findings");
    bool is_report = cJSON_IsArray(findings);
    bool is_finding = cJSON_GetObjectItemCaseSensitive(root, "descriptor") != NULL;
    struct ndp_json_reader reader = {.arena = arena, .limits = &ndp_describe_default_limits, .error = error};
    struct ndp_loaded_case *item = NDP_ARENA_NEW(arena, struct ndp_loaded_case);
    if (item == NULL) return NDP_NOMEM;
    struct ndp_loaded loaded = {item, 1};
    enum ndp_status status = NDP_OK;
    if (!is_report && !is_finding) {
        status = ndp_descriptor_read(arena, text, &ndp_describe_default_limits, &item->descriptor, error);
        const struct ndp_descriptor *read = &item->descriptor;
        /* Without this check, a graph that cannot be built would look like a fault of the testee. */
        if (status == NDP_OK && read->kind == NDP_CASE_ROUND_TRIP && read->value.kind == NDP_VALUE_GRAPH)
            status = ndp_graph_check(arena, read->value.graph, error);
    } else {
        status = is_report ? load_findings(&reader, findings, &loaded) : load_finding(&reader, root, item);
        if (status != NDP_OK) ndp_json_locate(&reader, root, text);
    }
    if (status == NDP_OK) *out = loaded;
    return status;
}

enum ndp_status ndp_load_case_text(struct ndp_arena *arena, struct ndp_bytes text, struct ndp_loaded *out,
                                   struct ndp_error *error) {
    struct ndp_describe_limits limits = ndp_describe_default_limits;
    limits.text_bytes = MAX_FILE_BYTES;
    cJSON *root;
    NDP_TRY(ndp_json_parse(text, &limits, &root, error));
    enum ndp_status status = load_tree(arena, root, text, out, error);
    cJSON_Delete(root);
    return status;
}

enum ndp_status ndp_load_case(struct ndp_arena *arena, const char *path, struct ndp_loaded *out,
                              struct ndp_error *error) {
    struct ndp_bytes bytes;
    NDP_TRY(ndp_load_case_file(arena, path, MAX_FILE_BYTES, &bytes, error));
    return is_json(bytes) ? ndp_load_case_text(arena, bytes, out, error) : load_bytes(arena, path, bytes, out, error);
}

bool ndp_load_case_or_print(struct ndp_arena *arena, const char *path, struct ndp_loaded *out) {
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    if (ndp_load_case(arena, path, out, &error) == NDP_OK) return true;
    struct ndp_bytes text = {0};
    if (ndp_load_case_file(arena, path, MAX_FILE_BYTES, &text, NULL) != NDP_OK) text.size_bytes = 0;
    ndp_load_case_print_error(path, text, &error);
    return false;
}

bool ndp_load_case_all_readable(const struct ndp_words *files) {
    bool is_readable = true;
    for (uint32_t i = 0; i < files->count && is_readable; i++) {
        if (strcmp(files->list[i], "-") == 0) continue;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        struct ndp_loaded loaded;
        is_readable = ndp_load_case_or_print(&arena, files->list[i], &loaded);
    }
    return is_readable;
}
