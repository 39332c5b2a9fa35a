/* Routes as Python. Expected: the calls that the libraries document; cmd/test_script.py runs them. */
#include <stdio.h>
#include <string.h>

#include "base/suite.h"
#include "report/script_fixture.h"

/* A big-endian array of Fortran order, which raw bytes tell nothing of. */
static void make(struct making *m, const struct ndp_route *route) {
    making_init(m);
    making_read(m, "{\"value\":{\"array\":{\"base\":{\"dtype\":\">i2\",\"shape\":[2,3],\"order\":\"F\"}}}}");
    m->descriptor.route = *route;
    assert_int_equal(ndp_array_build(&m->arena, &m->descriptor.value.array, true, &m->model, NULL), NDP_OK);
    m->script.model = &m->model;
}

/* What encodes `v`, and what decodes it from there. */
static void every_way_has_its_calls(void **state) {
    (void)state;
    static const struct {
        struct ndp_route route;
        const char *encode;
        const char *decode;
    } rows[] = {
        {{.format = "npy", .encode = "memory", .decode = "memory"},
         "f = io.BytesIO(); np.save(f, v); d1 = f.getvalue()",
         "np.load(io.BytesIO(d1))"},
        {{.format = "npy", .encode = "file", .decode = "file"}, "np.save(\"e1.npy\", v)", "np.load(\"e1.npy\")"},
        {{.format = "npy", .encode = "mapped", .decode = "mmap:r+"},
         "m = np.lib.format.open_memmap(\"e1.npy\", \"w+\", v.dtype, v.shape, v.flags.fnc); m[...] = v; m.flush()",
         "np.load(\"e1.npy\", mmap_mode=\"r+\")"},
        {{.format = "npy", .encode = "file", .decode = "memory"},
         "np.save(\"e1.npy\", v)",
         "np.load(io.BytesIO(open(\"e1.npy\", \"rb\").read()))"},
        {{.format = "npy", .encode = "memory", .decode = "mmap:c"},
         "f = io.BytesIO(); np.save(f, v); d1 = f.getvalue()",
         "with open(\"e0.npy\", \"wb\") as f: f.write(d1)\n"
         "np.load(\"e0.npy\", mmap_mode=\"c\")"},
        {{.format = "npz", .encode = "compressed", .decode = "memory"},
         "f = io.BytesIO(); np.savez_compressed(f, a=v); d1 = f.getvalue()",
         "np.load(io.BytesIO(d1))[\"a\"]"},
        {{.format = "npz", .encode = "file", .decode = "file"},
         "np.savez(\"e1.npz\", a=v)",
         "np.load(\"e1.npz\")[\"a\"]"},
        {{.format = "raw", .encode = "memory", .decode = "memory", .offset_bytes = 7},
         "d1 = b\"\\xee\" * 7 + v.tobytes(\"F\")",
         "np.frombuffer(d1, np.dtype(\">i2\"), 6, 7).reshape((2, 3), order=\"F\")"},
        {{.format = "raw", .encode = "file", .decode = "file", .offset_bytes = 7},
         "with open(\"e1.bin\", \"wb\") as f: f.write(b\"\\xee\" * 7); f.flush(); (v.T if \"F\" == \"F\" else "
         "v).tofile(f)",
         "np.fromfile(\"e1.bin\", np.dtype(\">i2\"), 6, offset=7).reshape((2, 3), order=\"F\")"},
        {{.format = "raw", .encode = "mapped", .decode = "mmap:r"},
         "m = np.memmap(\"e1.bin\", v.dtype, \"w+\", 0, v.shape, \"F\"); m[...] = v; m.flush()\n"
         "with open(\"e1.bin\", \"r+b\") as f: f.write(b\"\\xee\" * 0)",
         "np.memmap(\"e1.bin\", np.dtype(\">i2\"), \"r\", 0, (2, 3), \"F\")"},
        {{.format = "pickle", .protocol = 2, .encode = "c", .decode = "c"},
         "d1 = pickle.dumps(v, 2)",
         "pickle.loads(d1)"},
        {{.format = "pickle", .protocol = 4, .encode = "python", .decode = "python"},
         "f = io.BytesIO(); pickle._Pickler(f, 4).dump(v); d1 = f.getvalue()",
         "pickle._Unpickler(io.BytesIO(d1)).load()"},
        {{.format = "pickle", .protocol = 5, .encode = "c", .decode = "python", .buffers = "out-of-band"},
         "buffers = []; d1 = pickle.dumps(v, 5, buffer_callback=buffers.append)",
         "pickle._Unpickler(io.BytesIO(d1), buffers=buffers).load()"},
        {{.format = "joblib", .protocol = 4, .encode = "file", .decode = "mmap:r"},
         "joblib.dump(v, \"e1.joblib\", protocol=4)",
         "joblib.load(\"e1.joblib\", mmap_mode=\"r\")"},
        {{.format = "joblib", .protocol = 4, .encode = "zlib", .decode = "object"},
         "joblib.dump(v, \"e1.joblib\", compress=(\"zlib\", 3), protocol=4)",
         "joblib.load(open(\"e1.joblib\", \"rb\"))"},
        {{.format = "joblib", .protocol = 4, .encode = "lzma", .decode = "file", .level = 9},
         "joblib.dump(v, \"e1.joblib\", compress=(\"lzma\", 9), protocol=4)",
         "joblib.load(\"e1.joblib\")"},
        {{.format = "cloudpickle", .protocol = 5, .encode = "dumps", .decode = "here"},
         "d1 = cloudpickle.dumps(v, protocol=5)",
         "cloudpickle.loads(d1)"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct making m;
        struct ndp_script_place place;
        make(&m, &rows[i].route);
        assert_true(ndp_script_knows(&m.script, rows[i].route.encode, true));
        assert_true(ndp_script_knows(&m.script, rows[i].route.decode, false));
        assert_string_equal(ndp_script_encode(&m.script, rows[i].route.encode, "v", 1, &place), rows[i].encode);
        const char *decoded = ndp_script_decode(&m.script, rows[i].route.decode, &place);
        assert_string_equal(ndp_script_text(&m.script, "%s%s", making_said(&m), decoded), rows[i].decode);
        assert_int_equal(m.script.status, NDP_OK);
        /* Afterwards its bytes can be had, wherever they are. */
        const char *bytes = ndp_script_bytes_at(&m.script, &place);
        assert_true(strcmp(bytes, "d1") == 0 || strncmp(bytes, "open(\"e1.", 9) == 0);
        making_clear(&m);
    }
}

static void objects_are_read_by_permission(void **state) {
    (void)state;
    struct making m;
    struct ndp_dtype objects;
    struct ndp_script_place place = {"d1", ""};
    make(&m, &(struct ndp_route){.format = "npy"});
    assert_int_equal(ndp_typestr_read(ndp_bytes_view("|O"), &objects, NULL), NDP_OK);
    m.model.dtype = &objects;
    assert_string_equal(ndp_script_decode(&m.script, "memory", &place), "np.load(io.BytesIO(d1), allow_pickle=True)");
    making_clear(&m);
}

static void what_nobody_knows_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *format, *entry;
        bool encodes;
        const char *why;
    } rows[] = {
        {"npy", "unheard-of", true, "no script knows this way of encoding"},
        {"npy", "unheard-of", false, "no script knows this way of decoding"},
        {"unheard-of", "memory", true, "no script knows this way of encoding"},
        {"pickle", "mmap:r", false, "no script knows this way of decoding"},
        {"raw", "memory", false, "nothing says what the bytes are"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct making m;
        struct ndp_script_place place = {"d1", ""};
        make(&m, &(struct ndp_route){.format = "npy"});
        snprintf(m.descriptor.route.format, NDP_WORD_BYTES, "%s", rows[i].format);
        m.script.model = NULL;
        if (i < 4) assert_false(ndp_script_knows(&m.script, rows[i].entry, rows[i].encodes));
        if (rows[i].encodes) (void)ndp_script_encode(&m.script, rows[i].entry, "v", 1, &place);
        if (!rows[i].encodes) (void)ndp_script_decode(&m.script, rows[i].entry, &place);
        expect_refused(&m, rows[i].why);
        making_clear(&m);
    }
}

/* Of the entries that the ends claim only those of the route's own format, protocol and buffers count. */
static void entries_are_those_of_the_route(void **state) {
    (void)state;
    struct making m;
    make(&m, &(struct ndp_route){.format = "pickle", .protocol = 4});
    const struct ndp_entry entries[] = {
        {.format = "npy", .entry = "memory", .protocol = 4, .encodes = true, .decodes = true},
        {.format = "pickle", .entry = "old", .protocol = 3, .encodes = true, .decodes = true},
        {.format = "pickle", .entry = "c", .protocol = 4, .encodes = true},
        {.format = "pickle", .entry = "apart", .protocol = 4, .buffers = "out-of-band", .encodes = true},
        {.format = "pickle", .entry = "python", .protocol = 4, .encodes = true, .decodes = true},
    };
    memcpy(m.target.entries, entries, sizeof entries);
    m.target.entry_count = NDP_ARRAY_LEN(entries);
    assert_string_equal(ndp_script_encoder_entry(&m.script, 0), "c");
    assert_string_equal(ndp_script_encoder_entry(&m.script, 1), "python");
    assert_null(ndp_script_encoder_entry(&m.script, 2));
    assert_string_equal(ndp_script_decoder_entry(&m.script, 0), "python");
    assert_null(ndp_script_decoder_entry(&m.script, 1));
    making_clear(&m);
}

static void transports_send_and_look(void **state) {
    (void)state;
    static const struct {
        struct ndp_route route;
        const char *said;
    } rows[] = {
        {{.format = "joblib.Parallel", .encode = "loky"},
         "with joblib.Parallel(2, backend=\"loky\", timeout=20) as p: got = p([joblib.delayed(look)(v)])[0]\n"},
        {{.format = "joblib.Parallel", .encode = "threading:return", .max_nbytes = -1},
         "def same(x): return x\n"
         "with joblib.Parallel(2, backend=\"threading\", timeout=20, max_nbytes=None) as p: got = "
         "look(p([joblib.delayed(same)(v)])[0])\n"},
        {{.format = "joblib.Parallel", .encode = "loky", .max_nbytes = 64, .map_mode = "none"},
         "with joblib.Parallel(2, backend=\"loky\", timeout=20, max_nbytes=64, mmap_mode=None) as p: got = "
         "p([joblib.delayed(look)(v)])[0]\n"},
        {{.format = "joblib.Parallel", .encode = "multiprocessing", .map_mode = "r+"},
         "with joblib.Parallel(2, backend=\"multiprocessing\", timeout=20, mmap_mode=\"r+\") as p: got = "
         "p([joblib.delayed(look)(v)])[0]\n"},
        {{.format = "multiprocessing", .encode = "spawn:pool"},
         "with multiprocessing.get_context(\"spawn\").Pool(1) as p: got = p.apply_async(look, (v,)).get(20)\n"},
        {{.format = "multiprocessing", .encode = "fork:process"},
         "def tell(sink, x): sink.send(look(x))\n"
         "c = multiprocessing.get_context(\"fork\"); source, sink = c.Pipe(False)\n"
         "p = c.Process(target=tell, args=(sink, v)); p.start(); sink.close()\n"
         "got = source.recv() if source.poll(20) else \"no answer\"; p.kill()\n"},
        {{.format = "multiprocess", .encode = "pool"},
         "with multiprocess.get_context(\"fork\").Pool(1) as p: got = p.apply_async(look, (v,)).get(20)\n"},
        {{.format = "copy", .encode = "deepcopy"}, "got = look(copy.deepcopy(v))\n"},
    };
    struct making m;
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        make(&m, &rows[i].route);
        ndp_script_send(&m.script, "v");
        assert_int_equal(m.script.status, NDP_OK);
        assert_string_equal(making_said(&m), rows[i].said);
        making_clear(&m);
    }
    make(&m, &(struct ndp_route){.format = "carrier", .encode = "pigeon"});
    ndp_script_send(&m.script, "v");
    expect_refused(&m, "no script knows this transport");
    making_clear(&m);
}

NDP_SUITE(script_route_test, cmocka_unit_test(every_way_has_its_calls),
          cmocka_unit_test(objects_are_read_by_permission), cmocka_unit_test(what_nobody_knows_is_refused),
          cmocka_unit_test(entries_are_those_of_the_route), cmocka_unit_test(transports_send_and_look));
