/* script.c: the whole script: which question shows the divergence, and everything that it needs around it. */
#include "report/script.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byteorder.h"
#include "report/script_parts.h"

enum { MAX_TEXT_BYTES = 1 << 20, CHILD_SECONDS = 60 };

/* Modules by the words that use them, in the order of their import. */
static const struct module {
    const char *use;
    const char *import;
} modules[] = {
    {"builtins}", "builtins"},
    {"contextlib.", "contextlib"},
    {"copy.", "copy"},
    {"functools.", "functools"},
    {"io.", "io"},
    {"itertools.", "itertools"},
    {"json.", "json"},
    {"multiprocessing.", "multiprocessing"},
    {"os.", "os"},
    {"pickle.", "pickle"},
    {"signal.", "signal"},
    {"struct.", "struct"},
    {"subprocess.", "subprocess"},
    {"sys.", "sys"},
    {"tempfile.", "tempfile"},
    {"threading.", "threading"},
    {"tracemalloc.", "tracemalloc"},
    {"types.", "types"},
    {"astropy.", "astropy.units"},
    {"cloudpickle.", "cloudpickle"},
    {"dill.", "dill"},
    {"joblib.", "joblib"},
    {"multiprocess.", "multiprocess"},
    {"numba.", "numba.typed"},
    {"np.", "numpy as np"},
};

static bool uses(struct ndp_bytes text, const char *word) {
    size_t length = strlen(word);
    for (uint64_t i = 0; i + length <= text.size_bytes; i++) {
        if (memcmp(text.data + i, word, length) != 0) continue;
        uint8_t before = i > 0 ? text.data[i - 1] : '\n';
        if (!isalnum(before) && before != '_' && before != '.') return true;
    }
    return false;
}

static bool is_python(const struct ndp_target_info *info) {
    return strstr(info->language, "Python") != NULL || strstr(info->language, "PyPy") != NULL;
}

static bool has_processes(const struct ndp_script *script) {
    const struct ndp_route *route = &script->about->descriptor->route;
    if (script->about->descriptor->value.kind == NDP_VALUE_DICT) return false;
    return route->is_transport || strcmp(route->decode, "fresh") == 0;
}

static const struct ndp_difference *first_of(const struct ndp_script *script) {
    return &script->about->divergence->judgement.comparison.list[0];
}

/* Does what brings the encoded value to *place, under this number: encodes it, or writes down what another
 * implementation encoded. */
static void encode_value(struct ndp_script *script, const char *value, uint32_t number,
                         struct ndp_script_place *place) {
    const struct ndp_script_case *about = script->about;
    bool is_here = about->descriptor->kind == NDP_CASE_ROUND_TRIP && is_python(about->encoder);
    if (is_here) {
        ndp_script_do(script, ndp_script_encode(script, about->descriptor->route.encode, value, number, place));
        return;
    }
    if (about->result->encoded.data == NULL) ndp_script_refuse(script, "what was to be decoded is not known");
    if (strcmp(about->descriptor->route.buffers, "out-of-band") == 0)
        ndp_script_refuse(script, "the buffers beside a pickle of another implementation are not known");
    place->data = "d1";
    place->file = "";
    ndp_script_do(script, ndp_script_text(script, "d1 = %s", ndp_script_bytes(script, about->result->encoded)));
}

static void take_model(struct ndp_script *script, const struct ndp_descriptor *descriptor) {
    struct ndp_array *model = NDP_ARENA_NEW(script->arena, struct ndp_array);
    enum ndp_status status = model == NULL ? NDP_NOMEM
                                           : ndp_array_build(script->arena, &descriptor->value.array,
                                                             ndp_host_is_little_endian(), model, script->error);
    if (status != NDP_OK) script->status = status;
    if (status == NDP_OK) script->model = model;
}

static void encode(struct ndp_script *script, struct ndp_script_place *place) {
    encode_value(script, "a", 1, place);
}

static bool is_fresh(const struct ndp_script *script) {
    return strcmp(script->about->descriptor->route.decode, "fresh") == 0;
}

/* Does what leaves in `got` what is seen of the result. */
static void travel(struct ndp_script *script) {
    const struct ndp_route *route = &script->about->descriptor->route;
    if (route->is_transport) {
        ndp_script_send(script, "a");
        return;
    }
    struct ndp_script_place place;
    encode(script, &place);
    if (is_fresh(script)) {
        ndp_script_define(script, ndp_script_text(script, "def fresh(d): return look(%s.loads(d))", route->format));
        ndp_script_do(script, ndp_script_text(script,
                                              "with multiprocessing.get_context(\"spawn\").Pool(1) as p: "
                                              "got = p.apply_async(fresh, (%s,)).get(20)",
                                              place.data));
        return;
    }
    ndp_script_do(script, ndp_script_text(script, "got = look(%s)", ndp_script_decode(script, route->decode, &place)));
}

/* The array is promised to be something, and is not. */
static void tell_promised(struct ndp_script *script) {
    const struct ndp_result *result = script->about->result;
    bool has_source = script->model != NULL && script->about->descriptor->kind == NDP_CASE_ROUND_TRIP;
    bool is_own = has_source && is_python(script->about->encoder);
    const char *expected =
        ndp_script_look(script, "", result->has_promised ? &result->promised : NULL, is_own ? "a" : NULL);
    travel(script);
    ndp_script_do(script, ndp_script_text(script, "expected = %s", expected));
}

/* Objects: what the source is, is what must arrive. It is looked at last, because a look may call functions. */
static void tell_graph(struct ndp_script *script) {
    ndp_script_look_at_graph(script, script->about->descriptor->value.graph);
    travel(script);
    ndp_script_do(script, "expected = look(a)");
}

/* Sent as it is, then once more after everything in it was called. */
static void tell_history(struct ndp_script *script) {
    const char *outer = script->indent;
    ndp_script_define(script, "def look(x): return \"accepted\"");
    for (int i = 0; i < 2; i++) {
        if (i == 1) ndp_script_do(script, "expected = got");
        if (i == 1) ndp_script_call_graph(script, script->about->descriptor->value.graph);
        ndp_script_do(script, "try:");
        script->indent = ndp_script_text(script, "%s    ", outer);
        travel(script);
        script->indent = outer;
        ndp_script_do(script, "except Exception as error: print(error); got = \"refused\"");
    }
}

static bool is_called_before(const struct ndp_graph *graph) {
    for (uint32_t i = 0; i < graph->count; i++) {
        if (ndp_node_calls(&graph->nodes[i]) > 0) return true;
    }
    return false;
}

/* The source itself is not what was asked for. */
static void tell_source(struct ndp_script *script) {
    struct ndp_observation expected;
    enum ndp_status status = ndp_array_observe(script->arena, script->model, &expected);
    if (status != NDP_OK) {
        script->status = status;
        return;
    }
    const char *text = ndp_script_look(script, "", &expected, NULL);
    ndp_script_do(script, ndp_script_text(script, "got = look(a)\nexpected = %s", text));
}

/* Something is refused that must not be, or the other way round. */
static void tell_accepted(struct ndp_script *script) {
    bool must_accept = strcmp(first_of(script)->expected, "accepted") == 0;
    const char *outer = script->indent;
    ndp_script_define(script, "def look(x): return \"accepted\"");
    ndp_script_do(script, "try:");
    script->indent = ndp_script_text(script, "%s    ", outer);
    bool is_encoding = !script->about->descriptor->route.is_transport && script->about->result->encoded.data == NULL &&
                       !is_python(script->about->decoder);
    if (is_encoding) {
        struct ndp_script_place place;
        encode(script, &place);
        ndp_script_do(script, "got = \"accepted\"");
    } else {
        travel(script);
    }
    script->indent = outer;
    ndp_script_do(script, ndp_script_text(script, "except Exception as error: got = %s\nexpected = \"%s\"",
                                          must_accept ? "f\"{type(error).__name__}: {error}\"" : "\"refused\"",
                                          must_accept ? "accepted" : "refused"));
}

/* Another entry point gives something else. */
static void tell_peer(struct ndp_script *script, const char *entry) {
    ndp_script_define(script, "def see(load):\n    try: return look(load())\n    except Exception as error: return "
                              "\"refused\"");
    ndp_script_look(script, entry, NULL, NULL);
    struct ndp_script_place place;
    encode(script, &place);
    const char *own = ndp_script_decode(script, script->about->descriptor->route.decode, &place);
    const char *other = ndp_script_decode(script, entry, &place);
    ndp_script_do(script, ndp_script_text(script, "expected = see(lambda: %s)\ngot = see(lambda: %s)", own, other));
}

/* The other encoder writes something else, or refuses. */
static void tell_peer_encoder(struct ndp_script *script, const char *entry) {
    const char *own_entry = script->about->descriptor->route.encode;
    const char *names[] = {"expected", "got"};
    for (int i = 0; i < 2; i++) {
        struct ndp_script_place place;
        const char *code = ndp_script_encode(script, i == 0 ? own_entry : entry, "a", (uint32_t)i + 1, &place);
        const char *bytes = ndp_script_bytes_at(script, &place);
        const char *outer = script->indent;
        ndp_script_do(script, "try:");
        script->indent = ndp_script_text(script, "%s    ", outer);
        ndp_script_do(script, ndp_script_text(script, "%s\n%s = %s", code, names[i], bytes));
        script->indent = outer;
        ndp_script_do(script, ndp_script_text(script, "except Exception: %s = \"refused\"", names[i]));
    }
}

/* The entry of the encoder beside the route's own, as engine/plan.c chooses it. */
static const char *other_encoder(const struct ndp_script *script) {
    const struct ndp_route *route = &script->about->descriptor->route;
    const char *others[NDP_MAX_ENTRIES];
    uint32_t count = 0, turn = 0;
    const char *entry;
    for (uint32_t i = 0; (entry = ndp_script_encoder_entry(script, i)) != NULL && count < NDP_MAX_ENTRIES; i++) {
        if (strcmp(entry, route->encode) != 0) others[count++] = entry;
    }
    for (uint32_t i = 0; (entry = ndp_script_decoder_entry(script, i)) != NULL; i++) {
        if (strcmp(entry, route->decode) == 0) turn = i;
    }
    return count > 0 ? others[turn % count] : "";
}

/* A second trip gives something else than the first. */
static void tell_again(struct ndp_script *script, bool is_bytes) {
    const struct ndp_route *route = &script->about->descriptor->route;
    struct ndp_script_place first, second;
    if (!is_bytes) ndp_script_look(script, "again", NULL, NULL);
    encode(script, &first);
    if (is_bytes) ndp_script_do(script, ndp_script_text(script, "expected = %s", ndp_script_bytes_at(script, &first)));
    ndp_script_do(script, ndp_script_text(script, "b = %s", ndp_script_decode(script, route->decode, &first)));
    if (!is_bytes) ndp_script_do(script, "expected = look(b)");
    ndp_script_do(script, ndp_script_encode(script, route->encode, "b", 2, &second));
    const char *got = is_bytes ? ndp_script_bytes_at(script, &second)
                               : ndp_script_text(script, "look(%s)", ndp_script_decode(script, route->decode, &second));
    ndp_script_do(script, ndp_script_text(script, "got = %s", got));
}

/* Element 0 is inverted: whether that is possible, and who sees it. */
static void tell_write(struct ndp_script *script) {
    const struct ndp_route *route = &script->about->descriptor->route;
    struct ndp_script_place place;
    encode(script, &place);
    ndp_script_do(script, ndp_script_text(script, "b = %s", ndp_script_decode(script, route->decode, &place)));
    const char *path = first_of(script)->path;
    const char *item = "i = (slice(0, 1),) * b.ndim + (...,); v = bytes(255 - n for n in b[i].tobytes())";
    const char *poke = "b[i] = np.ndarray((1,) * b.ndim, b.dtype, v)";
    ndp_script_do(script, item);
    if (strcmp(path, "poked") == 0) {
        ndp_script_do(script, ndp_script_text(script,
                                              "try: %s; got = \"written\"\nexcept ValueError: got = \"refused\"\n"
                                              "expected = \"%s\"",
                                              poke, first_of(script)->expected));
        return;
    }
    bool is_file = strncmp(path, "file_after", 10) == 0;
    const char *now = is_file ? ndp_script_text(script, "open(%s, \"rb\").read()", place.file) : "b.tobytes()";
    bool is_changed = !is_file || strcmp(route->decode, "mmap:r+") == 0;
    int behind = strcmp(route->format, "joblib") == 0 && is_file ? 1 : 0;
    const char *at = is_file ? ndp_script_text(script, "len(old) - b.nbytes - %d", behind) : "0";
    ndp_script_do(script, ndp_script_text(script,
                                          "old = %s; at = %s\n"
                                          "try: %s; b.flush()\nexcept ValueError: pass\n"
                                          "got = %s\nexpected = %s",
                                          now, at, poke, now, is_changed ? "old[:at] + v + old[at + len(v):]" : "old"));
}

/* A refusal for want of memory took nothing: what was asked for was not given. */
static void tell_peak(struct ndp_script *script) {
    struct ndp_script_place place;
    encode(script, &place);
    const char *load = ndp_script_decode(script, script->about->descriptor->route.decode, &place);
    const char *expected = first_of(script)->expected;
    unsigned long long bound = strtoull(expected + strcspn(expected, "0123456789"), NULL, 10);
    ndp_script_do(script, ndp_script_text(script,
                                          "tracemalloc.start()\ntry: %s\nexcept MemoryError: "
                                          "tracemalloc.clear_traces()\nexcept Exception: pass\n"
                                          "peak = tracemalloc.get_traced_memory()[1]; expected = \"%s\"\n"
                                          "got = expected if peak <= %llu else f\"{peak} bytes\"",
                                          load, expected, bound));
}

/* Statements in a child that goes on when the library refuses. */
static void try_in_child(struct ndp_script *script, const char *code) {
    const char *outer = script->indent;
    const char *head = "with contextlib.suppress(Exception):";
    if (strchr(code, '\n') == NULL && strncmp(code, "with ", 5) != 0) {
        ndp_script_do(script, ndp_script_text(script, "%s %s", head, code));
        return;
    }
    ndp_script_do(script, head);
    script->indent = ndp_script_text(script, "%s    ", outer);
    ndp_script_do(script, code);
    script->indent = outer;
}

/* Everything that was asked for when the process ended: both trips by all entries. */
static void do_everything(struct ndp_script *script) {
    const struct ndp_route *route = &script->about->descriptor->route;
    const char *entry;
    if (route->is_transport) {
        travel(script);
        return;
    }
    if (script->about->descriptor->kind == NDP_CASE_ROUND_TRIP && is_python(script->about->encoder)) {
        for (uint32_t i = 0; (entry = ndp_script_encoder_entry(script, i)) != NULL; i++) {
            struct ndp_script_place place;
            if (strcmp(entry, route->encode) != 0 && ndp_script_knows(script, entry, true))
                try_in_child(script, ndp_script_encode(script, entry, "a", i + 3, &place));
        }
    }
    struct ndp_script_place first, second;
    encode(script, &first);
    bool is_read = is_fresh(script) || ndp_script_knows(script, route->decode, false);
    if (!is_python(script->about->decoder) || !is_read) return;
    for (uint32_t i = 0; (entry = ndp_script_decoder_entry(script, i)) != NULL; i++) {
        if (strcmp(entry, route->decode) == 0 || !ndp_script_knows(script, entry, false)) continue;
        const char *load = ndp_script_decode(script, entry, &first);
        try_in_child(script, load);
    }
    if (is_fresh(script) || script->about->descriptor->kind != NDP_CASE_ROUND_TRIP) {
        if (!is_fresh(script)) ndp_script_do(script, ndp_script_decode(script, route->decode, &first));
        return;
    }
    ndp_script_do(script, ndp_script_text(script, "b = %s", ndp_script_decode(script, route->decode, &first)));
    ndp_script_do(script, ndp_script_encode(script, route->encode, "b", 2, &second));
    ndp_script_do(script, ndp_script_decode(script, route->decode, &second));
}

/* The process died: the same in a child, whose end the script tells. What such a child leaves, its parent clears away.
 */
static void tell_death(struct ndp_script *script) {
    bool is_late = script->about->divergence->verdict == NDP_VERDICT_TIMEOUT;
    ndp_script_define(script, "def look(x): return np.asarray(x).copy().tobytes()[:0]");
    do_everything(script);
    ndp_script_define(
        script, ndp_script_text(script,
                                "if sys.argv[1:] != [\"child\"] and __name__ == \"__main__\":\n"
                                "    home = tempfile.TemporaryDirectory()\n"
                                "    %scode = subprocess.run([sys.executable, __file__, \"child\"], timeout=%d, "
                                "env={**os.environ, \"TMPDIR\": home.name}).returncode\n"
                                "%s"
                                "    print(\"expected: it lives, and answers or refuses\\ngot: it ended with\", code)\n"
                                "    sys.exit(int(code not in (0, 1)))",
                                is_late ? "try: " : "", CHILD_SECONDS,
                                is_late ? "    except subprocess.TimeoutExpired: code = \"no answer\"\n" : ""));
}

static void tell_end(struct ndp_script *script) {
    ndp_script_do(script, "print(\"expected:\", expected)\nprint(\"got:     \", got)\nsys.exit(int(got != expected))");
}

/* The question that fits the first difference. */
static void tell(struct ndp_script *script) {
    const struct ndp_judgement *judgement = &script->about->divergence->judgement;
    if (script->about->divergence->verdict != NDP_VERDICT_DIVERGES) {
        tell_death(script);
        return;
    }
    if (judgement->comparison.count == 0) {
        ndp_script_refuse(script, "the divergence names no difference");
        return;
    }
    const char *path = first_of(script)->path;
    const char *rest;
    const char *where = ndp_script_where(script, path, &rest);
    const struct ndp_value *value = &script->about->descriptor->value;
    bool is_history = strcmp(path, "history") == 0;
    if (strcmp(judgement->field, "source") == 0) {
        tell_source(script);
    } else if (is_history && !is_called_before(value->graph)) {
        tell_history(script);
    } else if (is_history || strncmp(path, "accepted", 8) == 0) {
        tell_accepted(script);
    } else if (value->kind == NDP_VALUE_GRAPH) {
        tell_graph(script);
    } else if (strcmp(path, "encoder.accepted") == 0) {
        tell_peer_encoder(script, other_encoder(script));
    } else if (strncmp(rest, "encoded", 7) == 0) {
        tell_peer_encoder(script, where);
    } else if (strcmp(where, "again") == 0 || strcmp(path, "again") == 0) {
        tell_again(script, false);
    } else if (strncmp(path, "reencoded", 9) == 0) {
        tell_again(script, true);
    } else if (where[0] != '\0') {
        tell_peer(script, where);
    } else if (strcmp(path, "poked") == 0 || strncmp(path, "file_after", 10) == 0 ||
               strncmp(path, "result_after", 12) == 0) {
        tell_write(script);
    } else if (strcmp(path, "peak") == 0) {
        tell_peak(script);
    } else if (strcmp(path, "partial") == 0) {
        ndp_script_refuse(script, "a partial array behind a refusal is seen by nobody who calls the library");
    } else {
        tell_promised(script);
    }
    tell_end(script);
}

static void build(struct ndp_script *script) {
    const struct ndp_script_case *first = script->about;
    const struct ndp_descriptor *descriptor = first->descriptor;
    if (descriptor->value.kind == NDP_VALUE_GRAPH) {
        ndp_script_build_graph(script, descriptor->value.graph);
        return;
    }
    if (descriptor->value.kind != NDP_VALUE_ARRAY) {
        ndp_script_refuse(script, "no script can build this kind of value");
        return;
    }
    if (descriptor->kind == NDP_CASE_DECODE && descriptor->fault.name[0] == '\0') return;
    take_model(script, descriptor);
    if (script->model != NULL && descriptor->kind == NDP_CASE_ROUND_TRIP && is_python(first->encoder))
        ndp_script_build(script, &descriptor->value.array, "a");
}

static void check_targets(struct ndp_script *script) {
    const struct ndp_script_case *about = script->about;
    const struct ndp_target_info *ends[] = {about->encoder, about->decoder};
    if (!is_python(ends[0]) && !is_python(ends[1])) ndp_script_refuse(script, "no Python library is on this route");
    for (int i = 0; i < 2; i++) {
        if (!is_python(ends[i]) && strcmp(about->divergence->signature.outlier, ends[i]->implementation) == 0)
            ndp_script_refuse(script, "what is wrong is no Python library");
    }
}

static enum ndp_status add_imports(struct ndp_script *script, struct ndp_buffer *out) {
    const char *separator = "import ";
    for (size_t i = 0; i < NDP_ARRAY_LEN(modules); i++) {
        if (!uses(ndp_buffer_view(&script->helpers), modules[i].use) &&
            !uses(ndp_buffer_view(&script->body), modules[i].use))
            continue;
        NDP_TRY(ndp_buffer_printf(out, "%s%s", separator, modules[i].import));
        separator = ", ";
    }
    return ndp_buffer_printf(out, "\n");
}

static enum ndp_status put_together(struct ndp_script *script, const struct ndp_buffer *body, struct ndp_buffer *out) {
    const struct ndp_divergence *divergence = script->about->divergence;
    char signature[NDP_SIGNATURE_BYTES];
    ndp_signature_print(&divergence->signature, signature);
    NDP_TRY(ndp_buffer_printf(out, "# %s\n# %s\n", signature,
                              divergence->property != NULL ? divergence->property->statement
                                                           : "The process lives, and answers in time."));
    NDP_TRY(add_imports(script, out));
    NDP_TRY(ndp_buffer_add(out, script->helpers.data, script->helpers.size_bytes));
    if (has_processes(script)) NDP_TRY(ndp_buffer_printf(out, "if __name__ == \"__main__\":\n"));
    return ndp_buffer_add(out, body->data, body->size_bytes);
}

static uint64_t lines_of(const struct ndp_buffer *buffer) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < buffer->size_bytes; i++) count += buffer->data[i] == '\n' ? 1 : 0;
    return count;
}

static enum ndp_status put_shorter(struct ndp_script *script, struct ndp_buffer *out) {
    struct ndp_buffer packed;
    ndp_buffer_init(&packed, 2 * MAX_TEXT_BYTES);
    enum ndp_status status = ndp_script_pack(&script->body, &packed);
    out->size_bytes = 0;
    if (status == NDP_OK) status = put_together(script, &packed, out);
    ndp_buffer_clear(&packed);
    return status;
}

enum ndp_status ndp_script_print(struct ndp_arena *arena, const struct ndp_script_case *about, struct ndp_buffer *out,
                                 struct ndp_error *error) {
    struct ndp_script script = {.arena = arena, .about = about, .indent = "", .error = error};
    struct ndp_buffer text;
    ndp_buffer_init(&script.helpers, MAX_TEXT_BYTES);
    ndp_buffer_init(&script.body, MAX_TEXT_BYTES);
    ndp_buffer_init(&text, 2 * MAX_TEXT_BYTES);
    check_targets(&script);
    if (has_processes(&script)) script.indent = "    ";
    if (about->descriptor->value.kind == NDP_VALUE_DICT) {
        ndp_script_tell_dict(&script, about->descriptor->value.dict);
    } else {
        ndp_script_do(&script, "home = tempfile.TemporaryDirectory(); os.chdir(home.name)");
        build(&script);
        tell(&script);
    }
    if (script.status == NDP_OK) script.status = put_together(&script, &script.body, &text);
    if (script.status == NDP_OK && lines_of(&text) > NDP_SCRIPT_MAX_LINES) script.status = put_shorter(&script, &text);
    if (script.status == NDP_OK && lines_of(&text) > NDP_SCRIPT_MAX_LINES)
        ndp_script_refuse(&script, "a script that tells it has more than 30 lines");
    if (script.status == NDP_OK) script.status = ndp_buffer_add(out, text.data, text.size_bytes);
    ndp_buffer_clear(&script.helpers);
    ndp_buffer_clear(&script.body);
    ndp_buffer_clear(&text);
    return script.status;
}
