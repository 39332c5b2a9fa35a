/* interpret_test.c: programs run with a plugin whose behaviour each test sets. */
#include "base/suite.h"
#include "target/interpret.h"
#include "target/plugin.h"

/* The behaviour of the plugin, and a record of its calls. */
static struct {
    enum ndp_plugin_result result;
    const char *reason;
    bool is_misplaced; /* the decoded array points outside its memory */
    int held;          /* decoded and not yet released */
    int decodes;
    char path[512]; /* of the last file */
    uint64_t offset_bytes;
    bool has_text, has_tree; /* the form of the dtype at the last encode */
} fake;

static enum ndp_plugin_result reply(struct ndp_plugin_refusal *refusal) {
    if (fake.result == NDP_PLUGIN_DONE) return NDP_PLUGIN_DONE;
    snprintf(refusal->reason, sizeof refusal->reason, "%s", fake.reason);
    snprintf(refusal->message, sizeof refusal->message, "as the test requests");
    return fake.result;
}

static enum ndp_plugin_result encode(const struct ndp_plugin_entry *entry, const struct ndp_plugin_array *array,
                                     ndp_plugin_write *write, void *sink, struct ndp_plugin_refusal *refusal) {
    (void)entry;
    fake.offset_bytes = array->file_position_bytes;
    fake.has_text = array->dtype_json != NULL;
    fake.has_tree = array->dtype != NULL;
    for (int64_t i = 0; array->ndim == 1 && i < array->shape[0]; i++)
        if (!write(sink, (const uint8_t *)array->data + i * array->strides_bytes[0], 1)) return NDP_PLUGIN_REFUSED;
    return reply(refusal);
}

/* Decodes the bytes in place. */
static enum ndp_plugin_result decode(const struct ndp_plugin_entry *entry, const void *bytes, size_t size_bytes,
                                     const char *path, const struct ndp_plugin_array *as, struct ndp_plugin_array *out,
                                     void **token, struct ndp_plugin_refusal *refusal) {
    struct {
        uint8_t data[16];
        int64_t shape[1], strides[1];
    } *own = calloc(1, sizeof *own);
    (void)as;
    assert_non_null(own);
    fake.decodes++;
    if (reply(refusal) != NDP_PLUGIN_DONE) {
        free(own);
        return fake.result;
    }
    assert_int_equal(strcmp(entry->entry, "memory") == 0, path == NULL);
    if (path != NULL) {
        snprintf(fake.path, sizeof fake.path, "%s", path);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        size_bytes = fread(own->data, 1, sizeof own->data, file);
        assert_int_equal(fclose(file), 0);
    } else {
        assert_in_range(size_bytes, 0, sizeof own->data);
        memcpy(own->data, bytes, size_bytes);
    }
    own->shape[0] = (int64_t)size_bytes;
    own->strides[0] = 1;
    *out = (struct ndp_plugin_array){.dtype_json = fake.is_misplaced ? "\"no such type\"" : "\"|u1\"",
                                     .itemsize_bytes = 1,
                                     .ndim = 1,
                                     .shape = own->shape,
                                     .strides_bytes = own->strides,
                                     .data = own->data,
                                     .is_writeable = true};
    *token = own;
    fake.held++;
    return NDP_PLUGIN_DONE;
}

static void release(struct ndp_plugin_array *array, void *token) {
    (void)array;
    free(token);
    fake.held--;
}

static const struct ndp_plugin_entry entries[] = {{"bytes", "memory", true, true},
                                                  {"bytes", "file", false, true},
                                                  {"pickle:5:in-band", "c", true, false},
                                                  {NULL, NULL, false, false}};

static const struct ndp_plugin plugin = {.abi = NDP_PLUGIN_ABI,
                                         .name = "fake",
                                         .version = "1",
                                         .kinds = "u",
                                         .max_ndim = 99,
                                         .entries = entries,
                                         .encode = encode,
                                         .decode = decode,
                                         .release = release};

/* An interpreter, a program and its outcome. */
struct world {
    struct ndp_interpreter *interpreter;
    struct ndp_arena arena;
    struct ndp_descriptor descriptor;
    struct ndp_program program;
    struct ndp_outcome outcome;
};

/* The value is three bytes. */
static struct world *make_world(const char *more) {
    static struct world world;
    char text[512];
    struct ndp_error error = {0};
    memset(&world, 0, sizeof world);
    memset(&fake, 0, sizeof fake);
    fake.reason = "";
    ndp_arena_init(&world.arena, 1 << 22);
    snprintf(text, sizeof text, "{\"value\":{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[3]%s}}}}", more);
    if (ndp_descriptor_read(&world.arena, ndp_bytes_view(text), &ndp_describe_default_limits, &world.descriptor,
                            &error) != NDP_OK)
        fail_msg("%s", error.text);
    world.program.case_id = 5;
    world.program.value = &world.descriptor.value.array;
    world.program.base_bytes = ndp_bytes_view("abc");
    world.program.supplied = ndp_bytes_view("xyz");
    assert_int_equal(ndp_interpreter_new(&plugin, &world.interpreter, &error), NDP_OK);
    return &world;
}

static void add_step(struct world *world, enum ndp_step_op op, enum ndp_slot from, enum ndp_slot to,
                     const char *entry) {
    struct ndp_step *step = &world->program.steps[world->program.step_count++];
    *step = (struct ndp_step){.op = op, .from = from, .to = to, .format = "bytes"};
    if (entry != NULL) snprintf(step->entry, sizeof step->entry, "%s", entry);
}

static void run_program(struct world *world) {
    ndp_interpreter_run(world->interpreter, &world->arena, &world->program, &world->outcome);
    assert_int_equal(world->outcome.case_id, 5);
    assert_int_equal(fake.held, 0);
}

static void clear_world(struct world *world) {
    ndp_interpreter_free(world->interpreter);
    ndp_arena_clear(&world->arena);
}

static void expect_elements(const struct ndp_slot_record *record, const char *elements) {
    assert_int_equal(record->state, NDP_SLOT_FILLED);
    assert_true(record->has_observation);
    assert_true(ndp_bytes_is_equal(record->observation.elements, ndp_bytes_view(elements)));
}

static void a_value_makes_a_round_trip(void **state) {
    static const char *const ways[] = {"memory", "file"};
    for (int i = 0; i < 2; i++) {
        struct world *world = make_world("");
        const struct ndp_slot_record *slots = world->outcome.slots;
        add_step(world, NDP_STEP_BUILD, NDP_SLOT_NONE, NDP_SLOT_SOURCE, NULL);
        add_step(world, NDP_STEP_OBSERVE, NDP_SLOT_SOURCE, NDP_SLOT_SOURCE, NULL);
        add_step(world, NDP_STEP_ENCODE, NDP_SLOT_SOURCE, NDP_SLOT_ENCODED, "memory");
        world->program.steps[2].offset_bytes = 77;
        add_step(world, NDP_STEP_FETCH, NDP_SLOT_ENCODED, NDP_SLOT_ENCODED, NULL);
        add_step(world, NDP_STEP_DECODE, NDP_SLOT_ENCODED, NDP_SLOT_RESULT, ways[i]);
        add_step(world, NDP_STEP_OBSERVE, NDP_SLOT_RESULT, NDP_SLOT_RESULT, NULL);
        add_step(world, NDP_STEP_POKE, NDP_SLOT_RESULT, NDP_SLOT_POKED, NULL);
        add_step(world, NDP_STEP_OBSERVE, NDP_SLOT_RESULT, NDP_SLOT_RESULT_AFTER, NULL);
        add_step(world, NDP_STEP_OBSERVE, NDP_SLOT_SOURCE, NDP_SLOT_SOURCE_AFTER, NULL);
        run_program(world);
        assert_int_equal(world->outcome.ended, NDP_VERDICT_PASS);
        expect_elements(&slots[NDP_SLOT_SOURCE], "abc");
        assert_true(ndp_bytes_is_equal(slots[NDP_SLOT_ENCODED].bytes, ndp_bytes_view("abc")));
        expect_elements(&slots[NDP_SLOT_RESULT], "abc");
        /* Every bit of element 0 is inverted, in the result only. */
        assert_int_equal(slots[NDP_SLOT_POKED].state, NDP_SLOT_FILLED);
        expect_elements(&slots[NDP_SLOT_RESULT_AFTER], "\x9e"
                                                       "bc");
        expect_elements(&slots[NDP_SLOT_SOURCE_AFTER], "abc");
        assert_int_equal(fake.offset_bytes, 77);
        if (i == 1) assert_int_equal(access(fake.path, F_OK), -1);
        clear_world(world);
    }
}

/* A user's plugin gets text. A plugin made from parts of ndproof gets the tree itself. */
static void a_dtype_has_the_form_that_the_plugin_takes(void **state) {
    for (int takes_dtype = 0; takes_dtype < 2; takes_dtype++) {
        struct world *world = make_world("");
        struct ndp_plugin other = plugin;
        other.takes_dtype = takes_dtype != 0;
        ndp_interpreter_free(world->interpreter);
        assert_int_equal(ndp_interpreter_new(&other, &world->interpreter, NULL), NDP_OK);
        add_step(world, NDP_STEP_BUILD, NDP_SLOT_NONE, NDP_SLOT_SOURCE, NULL);
        add_step(world, NDP_STEP_ENCODE, NDP_SLOT_SOURCE, NDP_SLOT_ENCODED, "memory");
        run_program(world);
        assert_int_equal(fake.has_text, !takes_dtype);
        assert_int_equal(fake.has_tree, takes_dtype);
        clear_world(world);
    }
}

/* A step whose input was refused is skipped, and its output is absent. */
static void steps_after_a_refusal_are_skipped(void **state) {
    static const struct {
        enum ndp_plugin_result result;
        const char *reason;
        enum ndp_slot_state slot;
        enum ndp_refusal_class class;
        const char *type;
    } rows[] = {
        {NDP_PLUGIN_REFUSED, "value", NDP_SLOT_REFUSED, NDP_REFUSAL_VALUE, "value"},
        {NDP_PLUGIN_REFUSED, "truncated", NDP_SLOT_REFUSED, NDP_REFUSAL_TRUNCATED, "truncated"},
        {NDP_PLUGIN_REFUSED, "because", NDP_SLOT_REFUSED, NDP_REFUSAL_OTHER, "other"},
        {NDP_PLUGIN_REFUSED, "", NDP_SLOT_REFUSED, NDP_REFUSAL_OTHER, "other"},
        {NDP_PLUGIN_UNSUPPORTED, "unsupported", NDP_SLOT_UNSUPPORTED, NDP_REFUSAL_UNSUPPORTED, "unsupported"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct world *world = make_world("");
        const struct ndp_slot_record *slots = world->outcome.slots;
        fake.result = rows[i].result;
        fake.reason = rows[i].reason;
        add_step(world, NDP_STEP_BUILD, NDP_SLOT_NONE, NDP_SLOT_SOURCE, NULL);
        add_step(world, NDP_STEP_ENCODE, NDP_SLOT_SOURCE, NDP_SLOT_ENCODED, "memory");
        add_step(world, NDP_STEP_DECODE, NDP_SLOT_ENCODED, NDP_SLOT_RESULT, "memory");
        add_step(world, NDP_STEP_SUPPLY, NDP_SLOT_NONE, NDP_SLOT_PEER_ENCODED, NULL);
        add_step(world, NDP_STEP_DECODE, NDP_SLOT_PEER_ENCODED, NDP_SLOT_PEER0, "file");
        run_program(world);
        assert_int_equal(world->outcome.ended, NDP_VERDICT_PASS);
        static const enum ndp_slot refused[] = {NDP_SLOT_ENCODED, NDP_SLOT_PEER0};
        for (int k = 0; k < 2; k++) {
            const struct ndp_slot_record *record = &slots[refused[k]];
            assert_int_equal(record->state, rows[i].slot);
            assert_int_equal(record->refusal.reason, rows[i].class);
            assert_string_equal(record->refusal.type, rows[i].type);
            assert_string_equal(record->refusal.message, "as the test requests");
        }
        assert_int_equal(slots[NDP_SLOT_RESULT].state, NDP_SLOT_ABSENT);
        assert_int_equal(fake.decodes, 1);
        clear_world(world);
    }
}

/* The message of each step that cannot work on its input. */
static void steps_refuse_unsuitable_input(void **state) {
    static const struct {
        const char *more; /* of the base */
        enum ndp_step_op op;
        const char *format, *entry;
        bool of_bytes; /* the slot contains bytes instead of the value */
        enum ndp_slot_state slot;
        const char *message;
    } rows[] = {
        {"", NDP_STEP_ENCODE, "other", "memory", false, NDP_SLOT_UNSUPPORTED, "the plugin has no such encoder"},
        {"", NDP_STEP_ENCODE, "bytes", "file", false, NDP_SLOT_UNSUPPORTED, "the plugin has no such encoder"},
        {"", NDP_STEP_ENCODE, "pickle", "c", false, NDP_SLOT_UNSUPPORTED, "the plugin has no such encoder"},
        {"", NDP_STEP_DECODE, "bytes", "mmap:r", true, NDP_SLOT_UNSUPPORTED, "the plugin has no such decoder"},
        {"", NDP_STEP_OBSERVE, "", "", true, NDP_SLOT_REFUSED, "bytes cannot be observed"},
        {"", NDP_STEP_POKE, "", "", true, NDP_SLOT_UNSUPPORTED, "only an array can be modified"},
        {",\"readonly\":true", NDP_STEP_POKE, "", "", false, NDP_SLOT_REFUSED, "assignment destination is read-only"},
        {"", NDP_STEP_FLUSH, "", "", false, NDP_SLOT_REFUSED, "the array is not a memory map"},
        {",\"memmap\":{\"mode\":\"r\"}", NDP_STEP_FLUSH, "", "", false, NDP_SLOT_FILLED, ""},
        {"", NDP_STEP_FETCH, "", "", false, NDP_SLOT_REFUSED, "the array has no file"},
        {",\"memmap\":{\"mode\":\"r\"}", NDP_STEP_FETCH, "", "", false, NDP_SLOT_FILLED, ""},
        {"", NDP_STEP_TRANSPORT, "dict", "locked", false, NDP_SLOT_UNSUPPORTED, "the plugin is not a transport"},
        {"", NDP_STEP_CALL, "", "", false, NDP_SLOT_UNSUPPORTED, "the value is not callable"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct world *world = make_world(rows[i].more);
        const enum ndp_slot from = rows[i].of_bytes ? NDP_SLOT_ENCODED : NDP_SLOT_SOURCE;
        add_step(world, NDP_STEP_BUILD, NDP_SLOT_NONE, NDP_SLOT_SOURCE, NULL);
        add_step(world, NDP_STEP_SUPPLY, NDP_SLOT_NONE, NDP_SLOT_ENCODED, NULL);
        add_step(world, rows[i].op, from, NDP_SLOT_PEER0, rows[i].entry);
        snprintf(world->program.steps[2].format, NDP_WORD_BYTES, "%s", rows[i].format);
        run_program(world);
        const struct ndp_slot_record *record = &world->outcome.slots[NDP_SLOT_PEER0];
        if (record->state != rows[i].slot || strcmp(record->refusal.message, rows[i].message) != 0)
            fail_msg("row %zu: %d %s", i, (int)record->state, record->refusal.message);
        clear_world(world);
    }
}

static void a_case_without_a_value_is_not_built(void **state) {
    struct world *world = make_world("");
    world->program.value = NULL;
    add_step(world, NDP_STEP_BUILD, NDP_SLOT_NONE, NDP_SLOT_SOURCE, NULL);
    add_step(world, NDP_STEP_OBSERVE, NDP_SLOT_SOURCE, NDP_SLOT_SOURCE, NULL);
    run_program(world);
    assert_int_equal(world->outcome.ended, NDP_VERDICT_PASS);
    assert_int_equal(world->outcome.slots[NDP_SLOT_SOURCE].state, NDP_SLOT_REFUSED);
    assert_string_equal(world->outcome.slots[NDP_SLOT_SOURCE].refusal.message, "the case has no value");
    clear_world(world);
    world = make_world("");
    world->program.base_bytes = ndp_bytes_view("ab");
    add_step(world, NDP_STEP_BUILD, NDP_SLOT_NONE, NDP_SLOT_SOURCE, NULL);
    run_program(world);
    assert_int_equal(world->outcome.slots[NDP_SLOT_SOURCE].refusal.reason, NDP_REFUSAL_VALUE);
    clear_world(world);
}

/* An invalid result of a plugin is refused. */
static void an_invalid_array_is_refused(void **state) {
    struct world *world = make_world("");
    fake.is_misplaced = true;
    add_step(world, NDP_STEP_SUPPLY, NDP_SLOT_NONE, NDP_SLOT_ENCODED, NULL);
    add_step(world, NDP_STEP_DECODE, NDP_SLOT_ENCODED, NDP_SLOT_RESULT, "memory");
    add_step(world, NDP_STEP_OBSERVE, NDP_SLOT_RESULT, NDP_SLOT_RESULT, NULL);
    run_program(world);
    const struct ndp_slot_record *record = &world->outcome.slots[NDP_SLOT_RESULT];
    assert_int_equal(record->state, NDP_SLOT_REFUSED);
    assert_int_equal(record->refusal.reason, NDP_REFUSAL_INTERNAL);
    assert_non_null(strstr(record->refusal.message, "the decoder returned an invalid array"));
    assert_false(record->has_observation);
    clear_world(world);
}

/* Each failing allocation is a FAULT, and decoded arrays are released. */
static void lack_of_memory_is_a_fault(void **state) {
    bool is_over = false;
    for (uint64_t call = 1; !is_over; call++) {
        struct world *world = make_world("");
        add_step(world, NDP_STEP_BUILD, NDP_SLOT_NONE, NDP_SLOT_SOURCE, NULL);
        add_step(world, NDP_STEP_ENCODE, NDP_SLOT_SOURCE, NDP_SLOT_ENCODED, "memory");
        add_step(world, NDP_STEP_DECODE, NDP_SLOT_ENCODED, NDP_SLOT_RESULT, "file");
        add_step(world, NDP_STEP_OBSERVE, NDP_SLOT_RESULT, NDP_SLOT_RESULT, NULL);
        ndp_arena_fail_at(&world->arena, call);
        run_program(world);
        is_over = world->arena.fail_at != 0;
        bool is_told = world->outcome.ended == NDP_VERDICT_FAULT;
        for (int i = 0; i < NDP_SLOT_COUNT; i++) is_told = is_told || world->outcome.slots[i].state == NDP_SLOT_REFUSED;
        if (is_told == is_over) fail_msg("allocation %u: %s", (unsigned)call, world->outcome.fault);
        clear_world(world);
    }
}

NDP_SUITE(interpret_test, NDP_TEST(a_value_makes_a_round_trip), NDP_TEST(a_dtype_has_the_form_that_the_plugin_takes),
          NDP_TEST(steps_after_a_refusal_are_skipped), NDP_TEST(steps_refuse_unsuitable_input),
          NDP_TEST(a_case_without_a_value_is_not_built), NDP_TEST(an_invalid_array_is_refused),
          NDP_TEST(lack_of_memory_is_a_fault));
