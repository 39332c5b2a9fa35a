/* script_route.c: what a route does, as Python: a row for each entry of a format.
 *
 * In a template $a is the value, $d the variable with the bytes, $f the file's name, $p the protocol, $o the offset,
 * $m the mode of a map, $k the permission to read objects, $t the type, $s the shape, $c the memory order, $l the
 * library, $b the list of buffers, $z the compressor and its level. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/script_parts.h"

enum where { MEMORY, FILE_ONLY };

struct row {
    const char *format;
    const char *entry;
    const char *buffers; /* NULL is any */
    enum where where;    /* an encoder leaves it there, a decoder takes it from there */
    const char *code;
};

#define KEEP "; $d = f.getvalue()"
static const struct row encoders[] = {
    {"npy", "memory", NULL, MEMORY, "f = io.BytesIO(); np.save(f, $a)" KEEP},
    {"npy", "file", NULL, FILE_ONLY, "np.save($f, $a)"},
    {"npy", "mapped", NULL, FILE_ONLY,
     "m = np.lib.format.open_memmap($f, \"w+\", $a.dtype, $a.shape, $a.flags.fnc); m[...] = $a; m.flush()"},
    {"npz", "memory", NULL, MEMORY, "f = io.BytesIO(); np.savez(f, a=$a)" KEEP},
    {"npz", "file", NULL, FILE_ONLY, "np.savez($f, a=$a)"},
    {"npz", "compressed", NULL, MEMORY, "f = io.BytesIO(); np.savez_compressed(f, a=$a)" KEEP},
    {"raw", "memory", NULL, MEMORY, "$d = b\"\\xee\" * $o + $a.tobytes(\"$c\")"},
    {"raw", "file", NULL, FILE_ONLY,
     "with open($f, \"wb\") as f: f.write(b\"\\xee\" * $o); f.flush(); ($a.T if \"$c\" == \"F\" else $a).tofile(f)"},
    {"raw", "mapped", NULL, FILE_ONLY,
     "m = np.memmap($f, $a.dtype, \"w+\", $o, $a.shape, \"$c\"); m[...] = $a; m.flush()\n"
     "with open($f, \"r+b\") as f: f.write(b\"\\xee\" * $o)"},
    {"pickle", "c", "out-of-band", MEMORY, "$b = []; $d = pickle.dumps($a, $p, buffer_callback=$b.append)"},
    {"pickle", "c", NULL, MEMORY, "$d = pickle.dumps($a, $p)"},
    {"pickle", "python", "out-of-band", MEMORY,
     "f = io.BytesIO(); $b = []; pickle._Pickler(f, $p, buffer_callback=$b.append).dump($a)" KEEP},
    {"pickle", "python", NULL, MEMORY, "f = io.BytesIO(); pickle._Pickler(f, $p).dump($a)" KEEP},
    {"joblib", "file", NULL, FILE_ONLY, "joblib.dump($a, $f, protocol=$p)"},
    {"joblib", "object", NULL, FILE_ONLY, "with open($f, \"wb\") as f: joblib.dump($a, f, protocol=$p)"},
    {"joblib", "*", NULL, FILE_ONLY, "joblib.dump($a, $f, compress=$z, protocol=$p)"},
    {"joblib.hash", "here", NULL, MEMORY, "$d = joblib.hash($a).encode()"},
    {"joblib.hash", "copied", NULL, MEMORY, "$d = joblib.hash(copy.deepcopy($a)).encode()"},
    {"joblib.hash", "pickled", NULL, MEMORY, "$d = joblib.hash(pickle.loads(pickle.dumps($a))).encode()"},
    {"cloudpickle", "dumps", NULL, MEMORY, "$d = cloudpickle.dumps($a, protocol=$p)"},
    {"dill", "dumps", NULL, MEMORY, "$d = dill.dumps($a, protocol=$p)"},
};

static const struct row decoders[] = {
    {"npy", "memory", NULL, MEMORY, "np.load(io.BytesIO($d)$k)"},
    {"npy", "file", NULL, FILE_ONLY, "np.load($f$k)"},
    {"npy", "mmap:*", NULL, FILE_ONLY, "np.load($f, mmap_mode=\"$m\"$k)"},
    {"npz", "memory", NULL, MEMORY, "np.load(io.BytesIO($d)$k)[\"a\"]"},
    {"npz", "file", NULL, FILE_ONLY, "np.load($f$k)[\"a\"]"},
    {"raw", "memory", NULL, MEMORY, "np.frombuffer($d, $t, $n, $o).reshape($s, order=\"$c\")"},
    {"raw", "file", NULL, FILE_ONLY, "np.fromfile($f, $t, $n, offset=$o).reshape($s, order=\"$c\")"},
    {"raw", "mmap:*", NULL, FILE_ONLY, "np.memmap($f, $t, \"$m\", $o, $s, \"$c\")"},
    {"pickle", "c", "out-of-band", MEMORY, "pickle.loads($d, buffers=$b)"},
    {"pickle", "c", NULL, MEMORY, "pickle.loads($d)"},
    {"pickle", "python", "out-of-band", MEMORY, "pickle._Unpickler(io.BytesIO($d), buffers=$b).load()"},
    {"pickle", "python", NULL, MEMORY, "pickle._Unpickler(io.BytesIO($d)).load()"},
    {"joblib", "file", NULL, FILE_ONLY, "joblib.load($f)"},
    {"joblib", "object", NULL, FILE_ONLY, "joblib.load(open($f, \"rb\"))"},
    {"joblib", "mmap:*", NULL, FILE_ONLY, "joblib.load($f, mmap_mode=\"$m\")"},
    {"cloudpickle", "here", NULL, MEMORY, "cloudpickle.loads($d)"},
    {"dill", "here", NULL, MEMORY, "dill.loads($d)"},
};

static const struct ndp_route *route_of(const struct ndp_script *script) {
    return &script->about->descriptor->route;
}

/* Whether a word fits a pattern that may end in '*'. */
static bool fits(const char *pattern, const char *word) {
    size_t length = strcspn(pattern, "*");
    if (pattern[length] == '*') return strncmp(pattern, word, length) == 0;
    return strcmp(pattern, word) == 0;
}

static const struct row *find(const struct ndp_script *script, const struct row *rows, size_t count,
                              const char *entry) {
    const struct ndp_route *route = route_of(script);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].format, route->format) != 0 || !fits(rows[i].entry, entry)) continue;
        if (rows[i].buffers == NULL || strcmp(rows[i].buffers, route->buffers) == 0) return &rows[i];
    }
    return NULL;
}

/* A compressor with its level; 3 is what the Python testee takes where none is given. */
static const char *compressor(struct ndp_script *script, const char *entry) {
    const struct ndp_route *route = route_of(script);
    return ndp_script_text(script, "(\"%s\", %d)", entry, route->level != 0 ? (int)route->level : 3);
}

static bool is_f_only(const struct ndp_array *model) {
    return ndp_layout_is_f_contiguous(&model->layout, model->dtype->itemsize_bytes) &&
           !ndp_layout_is_c_contiguous(&model->layout, model->dtype->itemsize_bytes);
}

static bool has_objects(const struct ndp_script *script) {
    if (script->about->descriptor->value.kind == NDP_VALUE_GRAPH) return true;
    return script->model != NULL && ndp_dtype_has_object(script->model->dtype);
}

/* What stands for `letter`. */
static const char *filling(struct ndp_script *script, char letter, const char *entry, const char *value,
                           const struct ndp_script_place *place) {
    const struct ndp_route *route = route_of(script);
    const struct ndp_array *model = script->model;
    bool needs_model = strchr("tsnc", letter) != NULL;
    if (needs_model && model == NULL) {
        ndp_script_refuse(script, "nothing says what the bytes are");
        return "";
    }
    switch (letter) {
    case 'a':
        return value;
    case 'd':
        return place->data;
    case 'f':
        return place->file;
    case 'b':
        return "buffers";
    case 'p':
        return ndp_script_text(script, "%d", (int)route->protocol);
    case 'o':
        return ndp_script_text(script, "%" PRIu64, route->offset_bytes);
    case 'm':
        return entry + strlen("mmap:");
    case 'k':
        return has_objects(script) ? ", allow_pickle=True" : "";
    case 't':
        return ndp_script_dtype(script, model->dtype);
    case 's':
        return ndp_script_tuple(script, model->layout.shape, model->layout.ndim);
    case 'n':
        return ndp_script_text(script, "%" PRIu64, ndp_layout_count(&model->layout));
    case 'c':
        return is_f_only(model) ? "F" : "C";
    case 'z':
        return compressor(script, entry);
    default:
        return "";
    }
}

static const char *fill(struct ndp_script *script, const char *code, const char *entry, const char *value,
                        const struct ndp_script_place *place) {
    const char *text = "";
    while (*code != '\0') {
        size_t length = strcspn(code, "$");
        text = ndp_script_text(script, "%s%.*s", text, (int)length, code);
        code += length;
        if (*code == '\0') break;
        text = ndp_script_text(script, "%s%s", text, filling(script, code[1], entry, value, place));
        code += 2;
    }
    return text;
}

static const char *file_name(struct ndp_script *script, uint32_t number) {
    const char *format = route_of(script)->format;
    const char *ending = strcmp(format, "raw") == 0 ? "bin" : strcmp(format, "pickle") == 0 ? "pkl" : format;
    return ndp_script_text(script, "\"e%u.%s\"", (unsigned)number, ending);
}

const char *ndp_script_encode(struct ndp_script *script, const char *entry, const char *value, uint32_t number,
                              struct ndp_script_place *place) {
    const struct row *row = find(script, encoders, NDP_ARRAY_LEN(encoders), entry);
    *place = (struct ndp_script_place){"", ""};
    if (row == NULL) {
        ndp_script_refuse(script, "no script knows this way of encoding");
        return "";
    }
    place->data = row->where == MEMORY ? ndp_script_text(script, "d%u", (unsigned)number) : "";
    place->file = row->where == FILE_ONLY ? file_name(script, number) : "";
    return fill(script, row->code, entry, value, place);
}

const char *ndp_script_decode(struct ndp_script *script, const char *entry, struct ndp_script_place *place) {
    const struct row *row = find(script, decoders, NDP_ARRAY_LEN(decoders), entry);
    if (row == NULL) {
        ndp_script_refuse(script, "no script knows this way of decoding");
        return "";
    }
    if (row->where == FILE_ONLY && place->file[0] == '\0') {
        place->file = file_name(script, 0);
        ndp_script_do(script,
                      ndp_script_text(script, "with open(%s, \"wb\") as f: f.write(%s)", place->file, place->data));
    }
    struct ndp_script_place from = *place;
    if (row->where == MEMORY) from.data = ndp_script_bytes_at(script, place);
    return fill(script, row->code, entry, "", &from);
}

bool ndp_script_knows(const struct ndp_script *script, const char *entry, bool encodes) {
    if (encodes) return find(script, encoders, NDP_ARRAY_LEN(encoders), entry) != NULL;
    return find(script, decoders, NDP_ARRAY_LEN(decoders), entry) != NULL;
}

const char *ndp_script_bytes_at(struct ndp_script *script, const struct ndp_script_place *place) {
    if (place->data[0] != '\0') return place->data;
    return ndp_script_text(script, "open(%s, \"rb\").read()", place->file);
}

static const char *entry_of(const struct ndp_target_info *info, const struct ndp_route *route, bool encodes,
                            uint32_t index) {
    for (uint32_t i = 0; i < info->entry_count; i++) {
        const struct ndp_entry *entry = &info->entries[i];
        bool is_way = strcmp(entry->format, route->format) == 0 && entry->protocol == route->protocol &&
                      strcmp(entry->buffers, route->buffers) == 0;
        if (is_way && (encodes ? entry->encodes : entry->decodes) && index-- == 0) return entry->entry;
    }
    return NULL;
}

const char *ndp_script_encoder_entry(const struct ndp_script *script, uint32_t index) {
    return entry_of(script->about->encoder, route_of(script), true, index);
}

const char *ndp_script_decoder_entry(const struct ndp_script *script, uint32_t index) {
    return entry_of(script->about->decoder, route_of(script), false, index);
}

/* joblib's pool with the settings of the route. */
static void send_by_joblib(struct ndp_script *script, const char *value, const char *backend, bool is_return) {
    const struct ndp_route *route = route_of(script);
    const char *settings = "";
    if (route->max_nbytes < 0) settings = ", max_nbytes=None";
    if (route->max_nbytes > 0) settings = ndp_script_text(script, ", max_nbytes=%" PRId64, route->max_nbytes);
    if (strcmp(route->map_mode, "none") == 0) settings = ndp_script_text(script, "%s, mmap_mode=None", settings);
    if (route->map_mode[0] != '\0' && strcmp(route->map_mode, "none") != 0)
        settings = ndp_script_text(script, "%s, mmap_mode=\"%s\"", settings, route->map_mode);
    const char *call = ndp_script_text(script, "p([joblib.delayed(%s)(%s)])[0]", is_return ? "same" : "look", value);
    ndp_script_do(script,
                  ndp_script_text(script, "with joblib.Parallel(2, backend=\"%s\", timeout=20%s) as p: got = %s%s%s",
                                  backend, settings, is_return ? "look(" : "", call, is_return ? ")" : ""));
}

static void send_by_pool(struct ndp_script *script, const char *value, const char *library, const char *method) {
    ndp_script_do(script,
                  ndp_script_text(script,
                                  "with %s.get_context(\"%s\").Pool(1) as p: got = p.apply_async(look, (%s,)).get(20)",
                                  library, method, value));
}

static void send_by_process(struct ndp_script *script, const char *value, const char *method) {
    ndp_script_define(script, "def tell(sink, x): sink.send(look(x))");
    ndp_script_do(script, ndp_script_text(script,
                                          "c = multiprocessing.get_context(\"%s\"); source, sink = c.Pipe(False)\n"
                                          "p = c.Process(target=tell, args=(sink, %s)); p.start(); sink.close()\n"
                                          "got = source.recv() if source.poll(20) else \"no answer\"; p.kill()",
                                          method, value));
}

void ndp_script_send(struct ndp_script *script, const char *value) {
    const struct ndp_route *route = route_of(script);
    const char *colon = strchr(route->encode, ':');
    size_t length = colon != NULL ? (size_t)(colon - route->encode) : strlen(route->encode);
    const char *backend = ndp_script_text(script, "%.*s", (int)length, route->encode);
    const char *tail = colon != NULL ? colon + 1 : "";
    if (strcmp(route->format, "joblib.Parallel") == 0) {
        if (strcmp(tail, "return") == 0) ndp_script_define(script, "def same(x): return x");
        send_by_joblib(script, value, backend, strcmp(tail, "return") == 0);
    } else if (strcmp(route->format, "multiprocessing") == 0 && strcmp(tail, "process") == 0) {
        send_by_process(script, value, backend);
    } else if (strcmp(route->format, "multiprocessing") == 0) {
        send_by_pool(script, value, "multiprocessing", backend);
    } else if (strcmp(route->format, "multiprocess") == 0) {
        send_by_pool(script, value, "multiprocess", "fork");
    } else if (strcmp(route->format, "copy") == 0) {
        ndp_script_do(script, ndp_script_text(script, "got = look(copy.%s(%s))", route->encode, value));
    } else {
        ndp_script_refuse(script, "no script knows this transport");
    }
}
