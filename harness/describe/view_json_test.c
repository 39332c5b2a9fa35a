/* view_json_test.c: conversion of one view operation from and to JSON: accepted forms and errors. Expected:
 * harness/testees/README.md. */
#include "base/arena_fixture.h"
#include "base/suite.h"
#include "describe/json_fixture.h"
#include "describe/value_json.h"

enum { ARENA_BYTES = 1 << 20 };

static enum ndp_status read_view(struct ndp_arena *arena, const char *text, struct ndp_view *out,
                                 struct ndp_error *error) {
    struct ndp_json_reader reader = {.arena = arena, .limits = &ndp_describe_default_limits, .error = error};
    cJSON *tree = NULL;
    assert_int_equal(ndp_json_parse(ndp_json_quoted(arena, text), &ndp_describe_default_limits, &tree, error), NDP_OK);
    const enum ndp_status status = ndp_value_view_read_json(&reader, tree, out);
    if (status != NDP_OK) ndp_json_locate(&reader, tree, (struct ndp_bytes){NULL, 0});
    cJSON_Delete(tree);
    return status;
}

static void every_operation_has_its_operands(void **state) {
    struct ndp_arena *arena = *state;
    struct ndp_view view;
    assert_int_equal(read_view(arena, "{'order':'F','reshape':[2,'9223372036854775807',0]}", &view, NULL), NDP_OK);
    assert_int_equal(view.op, NDP_VIEW_RESHAPE);
    assert_int_equal(view.order, NDP_MEMORY_F);
    assert_int_equal(view.ndim, 3);
    assert_true(view.shape[0] == 2 && view.shape[1] == INT64_MAX && view.shape[2] == 0);
    assert_int_equal(read_view(arena, "{'transpose':[2,0,1]}", &view, NULL), NDP_OK);
    assert_int_equal(view.op, NDP_VIEW_TRANSPOSE);
    assert_int_equal(view.ndim, 3);
    assert_true(view.axes[0] == 2 && view.axes[1] == 0 && view.axes[2] == 1);
    assert_int_equal(read_view(arena, "{'slice':[[5,-2,3],['-9223372036854775808',1,0]]}", &view, NULL), NDP_OK);
    assert_int_equal(view.op, NDP_VIEW_SLICE);
    assert_int_equal(view.ndim, 2);
    assert_true(view.slices[0].start == 5 && view.slices[0].step == -2 && view.slices[0].count == 3);
    assert_true(view.slices[1].start == INT64_MIN && view.slices[1].step == 1 && view.slices[1].count == 0);
    assert_int_equal(read_view(arena, "{'newaxis':63}", &view, NULL), NDP_OK);
    assert_int_equal(view.op, NDP_VIEW_NEWAXIS);
    assert_int_equal(view.axis, 63);
    assert_int_equal(read_view(arena, "{'broadcast':[0,4]}", &view, NULL), NDP_OK);
    assert_int_equal(view.op, NDP_VIEW_BROADCAST);
    assert_true(view.ndim == 2 && view.shape[0] == 0 && view.shape[1] == 4);
    assert_int_equal(read_view(arena, "{'field':{'codepoints':[0,55296]}}", &view, NULL), NDP_OK);
    assert_int_equal(view.op, NDP_VIEW_FIELD);
    assert_int_equal(view.name.size_bytes, 4);
    assert_memory_equal(view.name.data, "\0\xed\xa0\x80", 4);
    assert_int_equal(read_view(arena, "{'as_dtype':'>f8'}", &view, NULL), NDP_OK);
    assert_int_equal(view.op, NDP_VIEW_AS_DTYPE);
    assert_true(view.dtype->kind == NDP_KIND_FLOAT && view.dtype->order == NDP_ORDER_BIG);
    assert_int_equal(read_view(arena, "{'real':true}", &view, NULL), NDP_OK);
    assert_int_equal(view.op, NDP_VIEW_REAL);
    assert_int_equal(read_view(arena, "{'imag':true}", &view, NULL), NDP_OK);
    assert_int_equal(view.op, NDP_VIEW_IMAG);
    assert_int_equal(read_view(arena, "{'strided':[2,3],'strides':[-8,0],'offset':-16}", &view, NULL), NDP_OK);
    assert_int_equal(view.op, NDP_VIEW_STRIDED);
    assert_int_equal(view.offset_bytes, -16);
    assert_true(view.ndim == 2 && view.shape[1] == 3 && view.strides_bytes[0] == -8 && view.strides_bytes[1] == 0);
}

/* C order and offset 0 are omitted. */
static void a_view_is_printed_in_its_canonical_form(void **state) {
    static const struct {
        const char *text, *canonical;
    } rows[] = {
        {"{'order':'C','reshape':[3,2]}", "{'reshape':[3,2]}"},
        {"{'order':'F','reshape':[]}", "{'reshape':[],'order':'F'}"},
        {"{'strides':[4],'offset':0,'strided':[1]}", "{'strided':[1],'strides':[4]}"},
        {"{'offset':-4,'strides':[4],'strided':[1]}", "{'strided':[1],'strides':[4],'offset':-4}"},
        {"{'slice':[['1',2,'3']]}", "{'slice':[[1,2,3]]}"},
        {"{'reshape':[2,'9223372036854775807']}", "{'reshape':[2,'9223372036854775807']}"},
        {"{'transpose':[]}", "{'transpose':[]}"},
        {"{'transpose':[2,0,1]}", "{'transpose':[2,0,1]}"},
        {"{'slice':[['-9223372036854775808',-3,0]]}", "{'slice':[['-9223372036854775808',-3,0]]}"},
        {"{'newaxis':63}", "{'newaxis':63}"},
        {"{'broadcast':[0,1]}", "{'broadcast':[0,1]}"},
        {"{'field':''}", "{'field':''}"},
        {"{'real':true}", "{'real':true}"},
        {"{'imag':true}", "{'imag':true}"},
        {"{'as_dtype':{'base':'=f4','shape':[2]}}", "{'as_dtype':{'base':'=f4','shape':[2]}}"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_view view;
        assert_int_equal(read_view(*state, rows[i].text, &view, NULL), NDP_OK);
        ndp_json_check_text(ndp_value_view_to_json(&view), rows[i].canonical);
    }
    const struct ndp_view none = {.op = NDP_VIEW_COUNT};
    assert_null(ndp_value_view_to_json(&none));
}

#define TEN         "0,0,0,0,0,0,0,0,0,0,"
#define TWENTY      TEN TEN
#define SIXTY_FIVE  "[" TWENTY TWENTY TWENTY "0,0,0,0,0]"
#define TEN_AXES    "[0,1,1],[0,1,1],[0,1,1],[0,1,1],[0,1,1],[0,1,1],[0,1,1],[0,1,1],[0,1,1],[0,1,1],"
#define THIRTY_AXES TEN_AXES TEN_AXES TEN_AXES

static void errors_are_reported_with_their_pointer(void **state) {
    static const struct {
        const char *text, *path;
        enum ndp_status status;
    } rows[] = {
        {"[]", "", NDP_INVALID},
        {"{}", "", NDP_INVALID},
        {"{'turn':[1,0]}", "", NDP_INVALID},
        {"{'Reshape':[1]}", "", NDP_INVALID},
        {"{'reshape':[1],'transpose':[0]}", "/transpose", NDP_INVALID},
        {"{'transpose':[0],'order':'C'}", "/order", NDP_INVALID},
        {"{'reshape':[1],'offset':0}", "/offset", NDP_INVALID},
        {"{'transpose':[0],'strides':[1]}", "/strides", NDP_INVALID},
        {"{'reshape':3}", "/reshape", NDP_INVALID},
        {"{'reshape':[-1]}", "/reshape/0", NDP_INVALID},
        {"{'reshape':[1],'order':'A'}", "/order", NDP_INVALID},
        {"{'reshape':[1],'order':null}", "/order", NDP_INVALID},
        {"{'reshape':[1],'order':'FF'}", "/order", NDP_INVALID},
        {"{'reshape':" SIXTY_FIVE "}", "/reshape", NDP_LIMIT},
        {"{'transpose':[0,2]}", "/transpose", NDP_INVALID},
        {"{'transpose':[0,0]}", "/transpose", NDP_INVALID},
        {"{'transpose':[-1]}", "/transpose/0", NDP_INVALID},
        {"{'transpose':{}}", "/transpose", NDP_INVALID},
        {"{'slice':{}}", "/slice", NDP_INVALID},
        {"{'slice':[3]}", "/slice/0", NDP_INVALID},
        {"{'slice':[[0,1,1],[0,1]]}", "/slice/1", NDP_INVALID},
        {"{'slice':[[0,1,2,3]]}", "/slice/0", NDP_LIMIT},
        {"{'slice':[[0,0,1]]}", "/slice/0", NDP_INVALID},
        {"{'slice':[[0,1,-1]]}", "/slice/0", NDP_INVALID},
        {"{'slice':[[0,1,1.5]]}", "/slice/0/2", NDP_INVALID},
        {"{'slice':[" THIRTY_AXES THIRTY_AXES "[0,1,1],[0,1,1],[0,1,1],[0,1,1],[0,1,1]]}", "/slice", NDP_LIMIT},
        {"{'newaxis':64}", "/newaxis", NDP_INVALID},
        {"{'newaxis':-1}", "/newaxis", NDP_INVALID},
        {"{'newaxis':[0]}", "/newaxis", NDP_INVALID},
        {"{'broadcast':[-1]}", "/broadcast/0", NDP_INVALID},
        {"{'field':0}", "/field", NDP_INVALID},
        {"{'as_dtype':'<f3'}", "/as_dtype", NDP_INVALID},
        {"{'real':false}", "/real", NDP_INVALID},
        {"{'imag':1}", "/imag", NDP_INVALID},
        {"{'strided':[1]}", "/strided", NDP_INVALID},
        {"{'strided':[1,2],'strides':[1]}", "/strides", NDP_INVALID},
        {"{'strided':[-1],'strides':[1]}", "/strided/0", NDP_INVALID},
        {"{'strided':[1],'strides':['x']}", "/strides/0", NDP_INVALID},
        {"{'strided':[1],'strides':[1],'offset':0.5}", "/offset", NDP_INVALID},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_view view = {.op = NDP_VIEW_COUNT};
        struct ndp_error error = {.path = ""};
        const enum ndp_status status = read_view(*state, rows[i].text, &view, &error);
        if (status != rows[i].status || strcmp(error.path, rows[i].path) != 0)
            fail_msg("%s: %s at %s: %s", rows[i].text, ndp_status_name(status), error.path, error.text);
        assert_int_equal(view.op, NDP_VIEW_COUNT);
    }
}

static cJSON *make_tree(const void *view) {
    return ndp_value_view_to_json(view);
}

static void every_failing_allocation_is_reported(void **state) {
    static const char *const texts[] =
        NDP_ROWS("{'reshape':[3,2],'order':'F'}", "{'transpose':[1,0]}", "{'slice':[[0,1,2],[3,-1,2]]}",
                 "{'newaxis':1}", "{'field':'abc'}", "{'as_dtype':{'base':'<f4','shape':[2]}}", "{'real':true}",
                 "{'strided':[1],'strides':[4],'offset':8}");
    for (size_t i = 0; i < NDP_ARRAY_LEN(texts); i++) {
        enum ndp_status status = NDP_NOMEM;
        struct ndp_view view;
        NDP_ARENA_SCOPED(kept, ARENA_BYTES);
        cJSON *tree = NULL;
        assert_int_equal(ndp_json_parse(ndp_json_quoted(&kept, texts[i]), &ndp_describe_default_limits, &tree, NULL),
                         NDP_OK);
        for (uint64_t call = 1; status != NDP_OK; call++) {
            struct ndp_json_reader reader = {.arena = &kept, .limits = &ndp_describe_default_limits};
            view.op = NDP_VIEW_COUNT;
            ndp_arena_fail_at(&kept, call);
            status = ndp_value_view_read_json(&reader, tree, &view);
            if (status == NDP_OK && kept.fail_at == 0)
                fail_msg("%s: failure of allocation %u was not reported", texts[i], (unsigned)call);
            if (status == NDP_OK) continue;
            assert_int_equal(status, NDP_NOMEM);
            assert_int_equal(view.op, NDP_VIEW_COUNT);
            assert_int_equal(kept.fail_at, 0);
        }
        ndp_json_starve(make_tree, &view, 2);
        cJSON_Delete(tree);
    }
}

NDP_SUITE_FIXTURE(view_json_test, make_arena, clear_arena, NDP_TEST(every_operation_has_its_operands),
                  NDP_TEST(a_view_is_printed_in_its_canonical_form), NDP_TEST(errors_are_reported_with_their_pointer),
                  NDP_TEST(every_failing_allocation_is_reported));
