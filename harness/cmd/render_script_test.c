/* The error paths of scripts; the scripts themselves run in cmd/test_script.py and in
 * testees/python/test_replay_script.py. */
#include "base/suite.h"
#include "cmd/render_script.h"
#include "report/report_json.h"

#include <sys/stat.h>

#define ROUTE                                                                                                          \
    "\"route\":{\"format\":\"npy\",\"encode\":\"memory\",\"decode\":\"file\",\"encoder\":\"numpy\",\"decoder\":"       \
    "\"numpy\"}"
#define TEXT "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\"<i4\",\"shape\":[2]}}}," ROUTE "}"

/* A divergence of a target named numpy, whose scripts go to `path`. */
struct fixture {
    struct ndp_arena arena;
    struct ndp_opened opened;
    struct ndp_target target;
    struct ndp_descriptor descriptor;
    struct ndp_divergence divergence;
    struct ndp_result result;
    char folder[32];
    char path[64];
};

static int set_up(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    if (f == NULL) return -1;
    ndp_arena_init(&f->arena, UINT64_C(1) << 24);
    assert_int_equal(
        ndp_descriptor_read(&f->arena, ndp_bytes_view(TEXT), &ndp_describe_default_limits, &f->descriptor, NULL),
        NDP_OK);
    snprintf(f->target.info.name, sizeof f->target.info.name, "numpy");
    snprintf(f->target.info.implementation, sizeof f->target.info.implementation, "numpy");
    snprintf(f->target.info.language, sizeof f->target.info.language, "CPython 3.11.2");
    snprintf(f->target.info.version, sizeof f->target.info.version, "2.4.6");
    f->target.info.is_little_endian = true;
    f->opened.bench.targets[0] = &f->target;
    f->opened.bench.count = 1;
    f->divergence.verdict = NDP_VERDICT_DIVERGES;
    f->divergence.route = f->descriptor.route;
    ndp_equality_add(&f->divergence.judgement.comparison, "flags.writeable", "true", "false");
    snprintf(f->folder, sizeof f->folder, "/tmp/ndproof-script-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->path, sizeof f->path, "%s/script.py", f->folder);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    (void)unlink(f->path);
    const int left = rmdir(f->folder); /* fails when a temporary file is left */
    ndp_arena_clear(&f->arena);
    free(f);
    return left;
}

static void expect(struct fixture *f, enum ndp_status status, const char *text) {
    struct ndp_error error = {0};
    NDP_BUFFER_SCOPED(script, 1 << 20);
    enum ndp_status got = ndp_render_script(&f->opened, &f->descriptor, &f->divergence, &f->result, &script, &error);
    if (got == NDP_OK)
        got = ndp_report_replace_file(f->path, ndp_buffer_view(&script), &error);
    else
        assert_int_equal(script.size_bytes, 0);
    assert_int_equal(got, status);
    if (strstr(error.text, text) == NULL) fail_msg("expected '%s' in '%s'", text, error.text);
}

static void set_interpreter(struct fixture *f, const char *program) {
    snprintf(f->opened.interpreters[0], sizeof f->opened.interpreters[0], "%s", program);
}

/* Without an interpreter of the target, python3 writes it. */
static void a_script_is_written(void **state) {
    struct fixture *f = *state;
    struct stat info;
    expect(f, NDP_OK, "");
    assert_int_equal(stat(f->path, &info), 0);
    assert_true(info.st_size > 0);
}

static void a_missing_interpreter_is_reported_with_its_remedy(void **state) {
    struct fixture *f = *state;
    set_interpreter(f, "/no/such/python");
    expect(f, NDP_GONE, "cannot run /no/such/python (No such file or directory)");
    expect(f, NDP_GONE, "install Python 3.8 or later");
    assert_int_not_equal(access(f->path, F_OK), 0);
}

static void a_renderer_that_fails_is_reported(void **state) {
    struct fixture *f = *state;
    set_interpreter(f, "false");
    expect(f, NDP_GONE, "replay_script of false failed");
}

static void a_refusal_has_the_renderers_reason_and_keeps_the_old_file(void **state) {
    struct fixture *f = *state;
    char text[8] = "";
    FILE *file = fopen(f->path, "we");
    assert_non_null(file);
    assert_int_equal(fputs("old", file) < 0, 0);
    assert_int_equal(fclose(file), 0);
    snprintf(f->target.info.language, sizeof f->target.info.language, "C");
    expect(f, NDP_UNSUPPORTED, "no Python library is on this route");
    file = fopen(f->path, "re");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    assert_int_equal(fclose(file), 0);
    assert_string_equal(text, "old");
}

static void a_file_that_cannot_be_written_is_reported(void **state) {
    struct fixture *f = *state;
    snprintf(f->path, sizeof f->path, "%s/no/script.py", f->folder);
    expect(f, NDP_IO, "cannot create");
}

static void a_route_without_targets_has_no_script(void **state) {
    struct fixture *f = *state;
    f->opened.bench.count = 0;
    expect(f, NDP_INVALID, "the route names no target");
}

static void a_value_that_cannot_be_built_has_no_script(void **state) {
    struct fixture *f = *state;
    static const struct ndp_view view = {.op = NDP_VIEW_NEWAXIS, .axis = 9};
    f->descriptor.value.array.views = &view;
    f->descriptor.value.array.view_count = 1;
    expect(f, NDP_INVALID, "");
}

NDP_SUITE(render_script_test, cmocka_unit_test_setup_teardown(a_script_is_written, set_up, tear_down),
          cmocka_unit_test_setup_teardown(a_missing_interpreter_is_reported_with_its_remedy, set_up, tear_down),
          cmocka_unit_test_setup_teardown(a_renderer_that_fails_is_reported, set_up, tear_down),
          cmocka_unit_test_setup_teardown(a_refusal_has_the_renderers_reason_and_keeps_the_old_file, set_up, tear_down),
          cmocka_unit_test_setup_teardown(a_file_that_cannot_be_written_is_reported, set_up, tear_down),
          cmocka_unit_test_setup_teardown(a_route_without_targets_has_no_script, set_up, tear_down),
          cmocka_unit_test_setup_teardown(a_value_that_cannot_be_built_has_no_script, set_up, tear_down));
