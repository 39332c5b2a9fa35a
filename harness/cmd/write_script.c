#include "cmd/write_script.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/checked.h"
#include "describe/json_write.h"
#include "target/protocol/wire.h"

#define RENDERER    "harness/testees/python/replay_script"
#define ARENA_BYTES (UINT64_C(1) << 30)
#define INPUT_BYTES (UINT64_C(1) << 30)
enum { REASON_BYTES = 160, RENDERER_REFUSES = 3 };

extern char **environ;

/* A divergence with its targets. Borrowed. */
struct script_case {
    struct ndp_descriptor descriptor; /* its route is that of the divergence */
    const struct ndp_divergence *divergence;
    const struct ndp_result *result;
    const struct ndp_target_info *encoder;
    const struct ndp_target_info *decoder;
    struct ndp_bytes encoded; /* the input of the first decoder of the route, if known */
};

static bool put_text(cJSON *object, const char *key, const char *text) {
    return ndp_json_put(object, key, ndp_json_from_text(ndp_bytes_view(text)));
}

static cJSON *differences_to_json(const struct ndp_comparison *comparison) {
    cJSON *list = cJSON_CreateArray();
    bool is_complete = list != NULL;
    for (uint32_t i = 0; i < comparison->count && is_complete; i++) {
        const struct ndp_difference *one = &comparison->list[i];
        cJSON *triple = cJSON_CreateArray();
        is_complete = ndp_json_push(list, triple) &&
                      ndp_json_push(triple, ndp_json_from_text(ndp_bytes_view(one->path))) &&
                      ndp_json_push(triple, ndp_json_from_text(ndp_bytes_view(one->expected))) &&
                      ndp_json_push(triple, ndp_json_from_text(ndp_bytes_view(one->got)));
    }
    if (is_complete) return list;
    cJSON_Delete(list);
    return NULL;
}

static enum ndp_status put_descriptor(cJSON *root, const char *key, const struct ndp_descriptor *descriptor) {
    NDP_BUFFER_SCOPED(text, INPUT_BYTES);
    enum ndp_status status = ndp_descriptor_print(&text, descriptor);
    if (status == NDP_OK) status = ndp_buffer_add(&text, "", 1);
    if (status == NDP_OK && !ndp_json_put(root, key, cJSON_CreateRaw((const char *)text.data))) status = NDP_NOMEM;
    return status;
}

/* Adds the descriptor, and for the property transcode one of the route to the second format. */
static enum ndp_status put_descriptors(cJSON *root, const struct script_case *about) {
    const struct ndp_property *property = about->divergence->property;
    const struct ndp_descriptor second = {.kind = NDP_CASE_DECODE, .route = about->result->second};
    NDP_TRY(put_descriptor(root, "descriptor", &about->descriptor));
    if (property == NULL || (property->needs & 1u << NDP_SLOT_TRANSCODED) == 0) return NDP_OK;
    return put_descriptor(root, "second", &second);
}

/* The first line of the renderer's input: the divergence in words, and the descriptor. */
static enum ndp_status add_about(struct ndp_buffer *out, const struct script_case *about) {
    const struct ndp_divergence *divergence = about->divergence;
    const char *statement =
        divergence->property != NULL ? divergence->property->statement : "The process survives and answers in time.";
    char signature[NDP_SIGNATURE_BYTES];
    ndp_signature_print(&divergence->signature, signature);
    cJSON *root = cJSON_CreateObject();
    const bool is_whole = put_text(root, "signature", signature) && put_text(root, "statement", statement) &&
                          put_text(root, "verdict", ndp_program_verdict_word(divergence->verdict)) &&
                          put_text(root, "field", divergence->judgement.field) &&
                          put_text(root, "outlier", divergence->signature.outlier) &&
                          ndp_json_put(root, "differences", differences_to_json(&divergence->judgement.comparison));
    const enum ndp_status status = is_whole ? put_descriptors(root, about) : NDP_NOMEM;
    if (status != NDP_OK) {
        cJSON_Delete(root);
        return status;
    }
    NDP_TRY(ndp_json_print(out, root));
    return ndp_buffer_add(out, "\n", 1);
}

static enum ndp_status fill_array(struct ndp_arena *arena, const struct ndp_array_value *value, bool is_little,
                                  struct ndp_program *program, struct ndp_error *error) {
    struct ndp_array *model = NDP_ARENA_NEW(arena, struct ndp_array);
    const struct ndp_dtype *dtype;
    if (model == NULL) return NDP_NOMEM;
    NDP_TRY(ndp_array_build(arena, value, is_little, model, error));
    NDP_TRY(ndp_dtype_resolve(arena, value->base.dtype, is_little, &dtype));
    uint64_t count_elems, size_bytes;
    if (!ndp_checked_extents_fit(value->base.shape, value->base.ndim, dtype->itemsize_bytes, &count_elems, &size_bytes))
        return NDP_LIMIT;
    uint8_t *bytes = ndp_arena_alloc(arena, size_bytes);
    if (bytes == NULL) return NDP_NOMEM;
    NDP_TRY(ndp_array_fill_data(&value->base.data, dtype, count_elems, bytes, size_bytes, error));
    const uint64_t itemsize_bytes = model->dtype->itemsize_bytes;
    const bool is_fortran = ndp_layout_is_f_contiguous(&model->layout, itemsize_bytes) &&
                            !ndp_layout_is_c_contiguous(&model->layout, itemsize_bytes);
    program->value = value;
    program->base_bytes = (struct ndp_bytes){bytes, size_bytes};
    program->as = model;
    program->as_order = is_fortran ? NDP_MEMORY_F : NDP_MEMORY_C;
    return NDP_OK;
}

static enum ndp_status fill_graph(struct ndp_arena *arena, const struct ndp_graph *recipe, bool is_little,
                                  struct ndp_program *program, struct ndp_error *error) {
    struct ndp_graph expected, *sent = NDP_ARENA_NEW(arena, struct ndp_graph);
    struct ndp_node *nodes = ndp_arena_copy(arena, recipe->nodes, recipe->count * sizeof *nodes);
    if (sent == NULL || nodes == NULL) return NDP_NOMEM;
    NDP_TRY(ndp_graph_expect(arena, recipe, is_little, &expected, error));
    for (uint32_t i = 0; i < recipe->count; i++)
        if (nodes[i].kind == NDP_NODE_ARRAY) nodes[i].data = expected.nodes[i].data;
    *sent = (struct ndp_graph){recipe->root, recipe->count, nodes};
    program->graph = sent;
    return NDP_OK;
}

static enum ndp_status fill_program(struct ndp_arena *arena, const struct script_case *about,
                                    struct ndp_program *program, struct ndp_error *error) {
    const struct ndp_value *value = &about->descriptor.value;
    const bool is_bare = about->descriptor.kind == NDP_CASE_DECODE && about->descriptor.fault.name[0] == '\0';
    const bool is_little = about->encoder->is_little_endian;
    program->steps[program->step_count++] = (struct ndp_step){.op = NDP_STEP_BUILD, .to = NDP_SLOT_SOURCE};
    if (about->encoded.data != NULL)
        program->steps[program->step_count++] = (struct ndp_step){.op = NDP_STEP_SUPPLY, .to = NDP_SLOT_ENCODED};
    program->supplied = about->encoded;
    if (value->kind == NDP_VALUE_DICT) program->dict = value->dict;
    if (value->kind == NDP_VALUE_GRAPH) return fill_graph(arena, value->graph, is_little, program, error);
    if (value->kind != NDP_VALUE_ARRAY || is_bare) return NDP_OK;
    return fill_array(arena, &value->array, is_little, program, error);
}

static void set_observation(struct ndp_slot_record *record, const struct ndp_observation *observation) {
    record->state = NDP_SLOT_FILLED;
    record->has_observation = true;
    record->observation = *observation;
}

/* Sets the promised observation as "source" and the actual one as "result". */
static enum ndp_status fill_outcome(struct ndp_arena *arena, const struct script_case *about,
                                    const struct ndp_program *program, struct ndp_outcome *outcome) {
    const struct ndp_result *result = about->result;
    struct ndp_observation asked;
    if (strcmp(about->divergence->judgement.field, "source") == 0 && program->as != NULL) {
        NDP_TRY(ndp_array_observe(arena, program->as, &asked));
        set_observation(&outcome->slots[NDP_SLOT_SOURCE], &asked);
    } else if (result->has_promised) {
        set_observation(&outcome->slots[NDP_SLOT_SOURCE], &result->promised);
    }
    if (result->has_result) set_observation(&outcome->slots[NDP_SLOT_RESULT], &result->result);
    return NDP_OK;
}

static enum ndp_status add_input(struct ndp_arena *arena, const struct script_case *about, struct ndp_buffer *out,
                                 struct ndp_error *error) {
    struct ndp_program *program = NDP_ARENA_NEW(arena, struct ndp_program);
    struct ndp_outcome *outcome = NDP_ARENA_NEW(arena, struct ndp_outcome);
    if (program == NULL || outcome == NULL) return NDP_NOMEM;
    *program = (struct ndp_program){.step_count = 0};
    *outcome = (struct ndp_outcome){.ended = NDP_VERDICT_PASS};
    NDP_TRY(fill_program(arena, about, program, error));
    NDP_TRY(fill_outcome(arena, about, program, outcome));
    NDP_TRY(add_about(out, about));
    NDP_TRY(ndp_wire_add_hello(out, about->encoder));
    NDP_TRY(ndp_wire_add_hello(out, about->decoder));
    NDP_TRY(ndp_wire_add_batch(out, 1, program, 1));
    return ndp_wire_add_end(out, 1, 0, outcome);
}

/* Runs `interpreter renderer` with its standard streams on two files. Gives its exit code, or -1 after a signal. */
static enum ndp_status run_renderer(char *interpreter, char *renderer, FILE *input, FILE *output, int *code,
                                    struct ndp_error *error) {
    char *const argv[] = {interpreter, renderer, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0;
    if (posix_spawn_file_actions_init(&actions) != 0) return NDP_NOMEM;
    int failure = posix_spawn_file_actions_adddup2(&actions, fileno(input), STDIN_FILENO);
    if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, fileno(output), STDOUT_FILENO);
    if (failure == 0) failure = posix_spawnp(&child, interpreter, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0)
        return ndp_error_set(error, NDP_GONE, NDP_NO_OFFSET,
                             "cannot run %s (%s); scripts are written by Python: install Python 3.8 or later",
                             interpreter, strerror(failure));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return NDP_IO;
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return NDP_OK;
}

static enum ndp_status copy_text(FILE *from, FILE *to) {
    char block[4096];
    size_t size_bytes;
    rewind(from);
    while ((size_bytes = fread(block, 1, sizeof block, from)) > 0)
        if (fwrite(block, 1, size_bytes, to) != size_bytes) return NDP_IO;
    return ferror(from) ? NDP_IO : NDP_OK;
}

/* Replaces a regular file as a whole; writes to anything else, such as a terminal. */
static enum ndp_status write_file(const char *path, FILE *text, struct ndp_error *error) {
    char fresh[4096];
    struct stat old;
    const bool is_direct = stat(path, &old) == 0 && !S_ISREG(old.st_mode);
    const int length = snprintf(fresh, sizeof fresh, is_direct ? "%s" : "%s.part", path);
    if (length < 0 || (size_t)length >= sizeof fresh)
        return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "the path of the script is too long");
    FILE *file = fopen(fresh, "we");
    if (file == NULL) return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot write %s: %s", path, strerror(errno));
    bool is_complete = copy_text(text, file) == NDP_OK;
    if (fclose(file) != 0) is_complete = false;
    if (is_complete && (is_direct || rename(fresh, path) == 0)) return NDP_OK;
    if (!is_direct) (void)remove(fresh);
    return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot write all of %s", path);
}

/* Renders `input` and writes the script, or sets the renderer's reason. */
static enum ndp_status render_script(const char *path, char *interpreter, FILE *input, FILE *output,
                                     struct ndp_error *error) {
    char renderer[4096], reason[REASON_BYTES] = "";
    int code = -1;
    if (!ndp_open_targets_tree_file(RENDERER "/__main__.py", renderer, sizeof renderer))
        return ndp_error_set(error, NDP_GONE, NDP_NO_OFFSET, "%s is not in the source tree of this program", RENDERER);
    NDP_TRY(run_renderer(interpreter, renderer, input, output, &code, error));
    if (code == 0) return write_file(path, output, error);
    if (code != RENDERER_REFUSES)
        return ndp_error_set(error, NDP_GONE, NDP_NO_OFFSET,
                             "%s of %s failed (exit code %d): it needs Python 3.8 or later", RENDERER, interpreter,
                             code);
    rewind(output);
    if (fgets(reason, sizeof reason, output) != NULL) reason[strcspn(reason, "\n")] = '\0';
    return ndp_error_set(error, NDP_UNSUPPORTED, NDP_NO_OFFSET, "%s", reason);
}

static enum ndp_status write_input(const struct script_case *about, FILE *input, struct ndp_error *error) {
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    NDP_BUFFER_SCOPED(text, INPUT_BYTES);
    enum ndp_status status = add_input(&arena, about, &text, error);
    if (status == NDP_OK && fwrite(text.data, 1, (size_t)text.size_bytes, input) != text.size_bytes) status = NDP_IO;
    if (status == NDP_OK && fflush(input) != 0) status = NDP_IO;
    rewind(input);
    return status;
}

/* Chooses the interpreter of the decoder, else of the encoder, else python3. */
static void find_interpreter(const struct ndp_opened *opened, const struct script_case *about, char *out,
                             size_t out_bytes) {
    const struct ndp_target_info *ends[] = {about->encoder, about->decoder};
    snprintf(out, out_bytes, "python3");
    for (uint32_t end = 0; end < 2; end++)
        for (uint32_t i = 0; i < opened->bench.count; i++)
            if (&opened->bench.targets[i]->info == ends[end] && opened->interpreters[i][0] != '\0')
                snprintf(out, out_bytes, "%s", opened->interpreters[i]);
}

enum ndp_status ndp_write_script(const char *path, const struct ndp_opened *opened,
                                 const struct ndp_descriptor *descriptor, const struct ndp_divergence *divergence,
                                 const struct ndp_result *result, struct ndp_error *error) {
    const struct ndp_target *decoder = ndp_bench_find(&opened->bench, divergence->route.decoder);
    const struct ndp_target *encoder = ndp_bench_find(&opened->bench, divergence->route.encoder);
    if (decoder == NULL) return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "the route names no target");
    struct script_case about = {.descriptor = *descriptor,
                                .divergence = divergence,
                                .result = result,
                                .encoder = encoder != NULL ? &encoder->info : &decoder->info,
                                .decoder = &decoder->info};
    about.descriptor.route = divergence->route;
    about.encoded = result->encoded;
    char interpreter[NDP_INTERPRETER_BYTES];
    find_interpreter(opened, &about, interpreter, sizeof interpreter);
    FILE *input = tmpfile(), *output = tmpfile();
    enum ndp_status status = NDP_IO;
    if (input != NULL && output != NULL) status = write_input(&about, input, error);
    if (input != NULL && output != NULL && status == NDP_OK)
        status = render_script(path, interpreter, input, output, error);
    if (input != NULL) fclose(input);
    if (output != NULL) fclose(output);
    return status;
}
