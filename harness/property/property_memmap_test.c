#include "base/suite.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_memmap;

enum { PREFIX = 128 };

/* A trip through a file with a header of PREFIX bytes, written and flushed like a correct map. */
static struct ndp_observation *make_trial(struct fixture *f, bool reaches_array, bool reaches_file) {
    struct ndp_observation *result = fixture_trip(f);
    uint8_t file[PREFIX + 64] = {0};
    struct ndp_bytes elements = f->trial.expected.elements;
    memcpy(file + PREFIX, elements.data, elements.size_bytes);
    struct ndp_bytes bytes = {file, PREFIX + elements.size_bytes};
    fixture_bytes(f, NDP_SLOT_ENCODED, bytes);
    result->backing.has_offset = result->backing.has_position = true;
    result->backing.offset_bytes = result->backing.position_bytes = PREFIX;
    f->outcome.slots[NDP_SLOT_POKED].state = NDP_SLOT_FILLED;
    if (!reaches_array) fixture_refuse(f, NDP_SLOT_POKED);
    fixture_observe(f, NDP_SLOT_RESULT_AFTER, result);
    uint8_t *after = fixture_bytes(f, NDP_SLOT_FILE_AFTER, bytes);
    for (int i = 0; i < 8 && reaches_array; i++) fixture_elements(f, NDP_SLOT_RESULT_AFTER)[i] ^= 0xff;
    for (int i = 0; i < 8 && reaches_file; i++) after[PREFIX + i] ^= 0xff;
    return result;
}

static void each_mode_writes_as_promised(void **state) {
    static const char *const entries[] = {"mmap:r", "mmap:r+", "mmap:c"};
    for (int i = 0; i < 3; i++) {
        (void)state;
        FIXTURE(f, "<f8", "npy", "file", entries[i], 0);
        make_trial(&f, i > 0, i == 1);
        expect_pass(&f, &ndp_property_memmap);
        assert_true(f.judgement.comparison.comparisons > 8);
    }
}

static void a_lost_write_is_reported(void **state) {
    FIXTURE(f, "<f8", "npy", "file", "mmap:r+", 0);
    make_trial(&f, true, false);
    expect_broken(&f, &ndp_property_memmap, "file_after");
}

static void a_private_write_to_the_file_is_reported(void **state) {
    FIXTURE(f, "<f8", "npy", "file", "mmap:c", 0);
    make_trial(&f, true, true);
    expect_broken(&f, &ndp_property_memmap, "file_after");
}

static void a_write_beside_element_0_is_seen(void **state) {
    FIXTURE(f, "<f8", "npy", "file", "mmap:r+", 0);
    make_trial(&f, true, true);
    ((uint8_t *)(uintptr_t)f.outcome.slots[NDP_SLOT_FILE_AFTER].bytes.data)[PREFIX + 8] ^= 1;
    expect_broken(&f, &ndp_property_memmap, "file_after");
}

static void a_write_to_a_read_only_map_is_reported(void **state) {
    FIXTURE(f, "<f8", "npy", "file", "mmap:r", 0);
    make_trial(&f, true, false);
    expect_broken(&f, &ndp_property_memmap, "poked");
}

static void a_refused_write_is_reported(void **state) {
    FIXTURE(f, "<f8", "npy", "file", "mmap:r+", 0);
    make_trial(&f, false, false);
    expect_broken(&f, &ndp_property_memmap, "poked");
}

static void offset_mode_and_file_are_compared(void **state) {
    for (int i = 0; i < 5; i++) {
        (void)state;
        FIXTURE(f, "<f8", "npy", "file", "mmap:r+", 0);
        struct ndp_backing *backing = &make_trial(&f, true, true)->backing;
        if (i == 0) backing->offset_bytes = 0;
        if (i == 1) backing->mode = NDP_MAP_READ;
        if (i == 2) backing->claims = NDP_BACKING_OTHER;
        if (i == 3) backing->is_mapped = false;
        if (i == 4) backing->position_bytes = 64;
        expect_broken(&f, &ndp_property_memmap, "backing");
    }
}

static void a_detached_copy_must_not_claim_to_be_a_map(void **state) {
    FIXTURE(f, "<f8", "npy", "file", "file", 0);
    struct ndp_observation *result = fixture_trip(&f);
    expect_pass(&f, &ndp_property_memmap);
    result->backing.claims = NDP_BACKING_CASE;
    expect_broken(&f, &ndp_property_memmap, "backing");
}

static void the_class_is_compared(void **state) {
    FIXTURE(f, "<f8", "npy", "file", "mmap:r", 0);
    make_trial(&f, false, false)->class_name = ndp_bytes_view("ndarray");
    expect_broken(&f, &ndp_property_memmap, "class");
}

static void padding_is_not_compared(void **state) {
    static const struct ndp_dtype leaf = {.kind = NDP_KIND_INT, .itemsize_bytes = 1};
    static const struct ndp_field field = {.name = {(const uint8_t *)"a", 1}, .offset_bytes = 2, .dtype = &leaf};
    FIXTURE(f, "<f8", "raw", "file", "mmap:r+", 0);
    f.dtype = (struct ndp_dtype){.kind = NDP_KIND_STRUCT, .itemsize_bytes = 4, .fields = &field, .field_count = 1};
    fixture_trip(&f);
    uint8_t *after = fixture_bytes(&f, NDP_SLOT_FILE_AFTER, f.outcome.slots[NDP_SLOT_ENCODED].bytes);
    f.outcome.slots[NDP_SLOT_POKED].state = NDP_SLOT_FILLED;
    after[2] ^= 0xff;
    expect_pass(&f, &ndp_property_memmap);
    after[0] ^= 0xff;
    expect_pass(&f, &ndp_property_memmap);
    after[2] ^= 0xff;
    expect_broken(&f, &ndp_property_memmap, "file_after");
}

NDP_SUITE(property_memmap_test, NDP_TEST(each_mode_writes_as_promised), NDP_TEST(a_lost_write_is_reported),
          NDP_TEST(a_private_write_to_the_file_is_reported), NDP_TEST(a_write_beside_element_0_is_seen),
          NDP_TEST(a_write_to_a_read_only_map_is_reported), NDP_TEST(a_refused_write_is_reported),
          NDP_TEST(offset_mode_and_file_are_compared), NDP_TEST(a_detached_copy_must_not_claim_to_be_a_map),
          NDP_TEST(the_class_is_compared), NDP_TEST(padding_is_not_compared));
