#include "cmd/render_script.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/checked.h"
#include "describe/json_write.h"
#include "target/protocol/wire.h"

#define RENDERER    "harness/testees/python/replay_script"
#define ARENA_BYTES (UINT64_C(1) << 30)
#define INPUT_BYTES (UINT64_C(1) << 30)
enum { REASON_BYTES = 160 };

extern char **environ;

/* A divergence with its targets. Borrowed. */
struct script_case {
    struct ndp_descriptor descriptor; /* its route is that of the divergence */
    const struct ndp_divergence *divergence;
    const struct ndp_result *result;
    const struct ndp_target_info *encoder;
    const struct ndp_target_info *decoder;
    const struct ndp_opened *opened;
    struct ndp_bytes encoded;               /* the input of the first decoder of the route, if known */
    const struct ndp_slot_record *encoding; /* its out-of-band buffers; NULL if unknown */
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

static cJSON *codecs_to_json(const struct ndp_opened *opened) {
    cJSON *list = cJSON_CreateArray();
    bool is_complete = list != NULL;
    for (uint32_t i = 0; i < opened->codec_count && is_complete; i++)
        is_complete = ndp_json_push(list, ndp_json_from_text(ndp_bytes_view(opened->codecs[i])));
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

/* Adds the descriptor, and one of the route to the second format for the property transcode and for the end of a
 * process that used one. */
static enum ndp_status put_descriptors(cJSON *root, const struct script_case *about) {
    const struct ndp_property *property = about->divergence->property;
    const struct ndp_descriptor second = {.kind = NDP_CASE_DECODE, .route = about->result->second};
    NDP_TRY(put_descriptor(root, "descriptor", &about->descriptor));
    const bool is_used =
        property != NULL ? (property->needs & 1u << NDP_SLOT_TRANSCODED) != 0 : about->result->second.format[0] != '\0';
    if (!is_used) return NDP_OK;
    return put_descriptor(root, "second", &second);
}

/* The first line of the renderer's input: the divergence in words, and the descriptor. */
static enum ndp_status add_about(struct ndp_buffer *out, const struct script_case *about) {
    const struct ndp_divergence *divergence = about->divergence;
    const char *statement =
        divergence->property != NULL ? divergence->property->statement : "The process survives and answers in time.";
    const char *operation = divergence->judgement.operation != NULL ? divergence->judgement.operation : "";
    char signature[NDP_SIGNATURE_BYTES];
    ndp_signature_print(&divergence->signature, signature);
    cJSON *root = cJSON_CreateObject();
    const bool is_whole = put_text(root, "signature", signature) && put_text(root, "statement", statement) &&
                          put_text(root, "verdict", ndp_program_verdict_word(divergence->verdict)) &&
                          put_text(root, "field", divergence->judgement.field) &&
                          put_text(root, "operation", operation) &&
                          put_text(root, "outlier", divergence->signature.outlier) &&
                          ndp_json_put(root, "codecs", codecs_to_json(about->opened)) &&
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
    if (about->encoding != NULL) {
        program->supplied_buffer_count = about->encoding->buffer_count;
        memcpy(program->supplied_buffers, about->encoding->buffers, sizeof program->supplied_buffers);
    }
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

/* ---- the renderer ---- */

/* A renderer that waits for the next case. Starting one takes longer than rendering. It ends with this process. */
struct renderer {
    char interpreter[NDP_INTERPRETER_BYTES];
    int fd;
    pid_t child;
    pid_t owner; /* the process that started it; 0: none runs */
};

static struct renderer running;

static void stop_renderer(void) {
    if (running.owner == getpid()) {
        (void)close(running.fd);
        while (waitpid(running.child, NULL, 0) < 0 && errno == EINTR) continue;
    }
    running.owner = 0;
}

static enum ndp_status start_renderer(char *interpreter, struct ndp_error *error) {
    char renderer[4096], mode[] = "serve";
    char *const argv[] = {interpreter, renderer, mode, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int ends[2];
    if (!ndp_open_targets_tree_file(RENDERER "/__main__.py", renderer, sizeof renderer))
        return ndp_error_set(error, NDP_GONE, NDP_NO_OFFSET, "%s is not in the source tree of this program", RENDERER);
    *strrchr(renderer, '/') = '\0';
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return NDP_IO;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    if (failure == 0) failure = posix_spawnp(&child, interpreter, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    (void)close(ends[1]);
    if (failure != 0) {
        (void)close(ends[0]);
        return ndp_error_set(error, NDP_GONE, NDP_NO_OFFSET,
                             "cannot run %s (%s); scripts are written by Python: install Python 3.8 or later",
                             interpreter, strerror(failure));
    }
    running = (struct renderer){.fd = ends[0], .child = child, .owner = getpid()};
    snprintf(running.interpreter, sizeof running.interpreter, "%s", interpreter);
    return NDP_OK;
}

static bool send_all(const void *bytes, uint64_t size_bytes) {
    const uint8_t *at = bytes;
    while (size_bytes > 0) {
        const ssize_t sent = send(running.fd, at, size_bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        at += sent;
        size_bytes -= (uint64_t)sent;
    }
    return true;
}

static bool receive_all(void *bytes, uint64_t size_bytes) {
    uint8_t *at = bytes;
    while (size_bytes > 0) {
        const ssize_t got = recv(running.fd, at, size_bytes, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        size_bytes -= (uint64_t)got;
    }
    return true;
}

/* Appends the text for `input` to `text`. False if the renderer has failed. */
static bool ask_renderer(struct ndp_bytes input, struct ndp_buffer *text, uint64_t *code) {
    struct {
        uint64_t code;
        uint64_t size_bytes;
    } answer;
    uint8_t *room;
    if (!send_all(&input.size_bytes, sizeof input.size_bytes) || !send_all(input.data, input.size_bytes)) return false;
    if (!receive_all(&answer, sizeof answer) || answer.size_bytes > INPUT_BYTES) return false;
    *code = answer.code;
    return ndp_buffer_extend(text, answer.size_bytes, &room) == NDP_OK && receive_all(room, answer.size_bytes);
}

/* Appends the script for `input` to `out`, or sets the renderer's reason. */
static enum ndp_status render(char *interpreter, struct ndp_bytes input, struct ndp_buffer *out,
                              struct ndp_error *error) {
    const uint64_t before_bytes = out->size_bytes;
    uint64_t code = 0;
    if (running.owner != getpid() || strcmp(running.interpreter, interpreter) != 0) {
        stop_renderer();
        NDP_TRY(start_renderer(interpreter, error));
    }
    if (!ask_renderer(input, out, &code)) {
        stop_renderer();
        out->size_bytes = before_bytes;
        return ndp_error_set(error, NDP_GONE, NDP_NO_OFFSET, "%s of %s failed: it needs Python 3.8 or later", RENDERER,
                             interpreter);
    }
    if (code == 0) return NDP_OK;
    const uint64_t size_bytes = out->size_bytes - before_bytes;
    out->size_bytes = before_bytes;
    return ndp_error_set(error, NDP_UNSUPPORTED, NDP_NO_OFFSET, "%.*s",
                         (int)(size_bytes < REASON_BYTES ? size_bytes : REASON_BYTES),
                         size_bytes > 0 ? (const char *)out->data + before_bytes : "");
}

static enum ndp_status make_input(const struct script_case *about, struct ndp_buffer *out, struct ndp_error *error) {
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    return add_input(&arena, about, out, error);
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

enum ndp_status ndp_render_script(const struct ndp_opened *opened, const struct ndp_descriptor *descriptor,
                                  const struct ndp_divergence *divergence, const struct ndp_result *result,
                                  struct ndp_buffer *out, struct ndp_error *error) {
    const struct ndp_target *decoder = ndp_bench_find(&opened->bench, divergence->route.decoder);
    const struct ndp_target *encoder = ndp_bench_find(&opened->bench, divergence->route.encoder);
    if (decoder == NULL) return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "the route names no target");
    struct script_case about = {.descriptor = *descriptor,
                                .divergence = divergence,
                                .result = result,
                                .encoder = encoder != NULL ? &encoder->info : &decoder->info,
                                .decoder = &decoder->info,
                                .opened = opened};
    about.descriptor.route = divergence->route;
    about.encoded = result->encoded;
    about.encoding = result->encoding;
    char interpreter[NDP_INTERPRETER_BYTES];
    find_interpreter(opened, &about, interpreter, sizeof interpreter);
    NDP_BUFFER_SCOPED(input, INPUT_BYTES);
    NDP_TRY(make_input(&about, &input, error));
    return render(interpreter, ndp_buffer_view(&input), out, error);
}
