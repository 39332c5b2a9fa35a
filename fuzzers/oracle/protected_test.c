#include "oracle/protected.h"

#include <sys/mman.h>

#include "base/suite.h"
#include "runtime/hits_fixture.h"

static void pages_are_as_they_are_mapped(void **state) {
    (void)state;
    static const struct {
        int protection, flags;
        bool is_protected;
    } rows[] = {{PROT_READ, MAP_SHARED, true},
                {PROT_READ, MAP_PRIVATE, true},
                {PROT_READ | PROT_WRITE, MAP_SHARED, false},
                {PROT_READ | PROT_WRITE, MAP_PRIVATE, false}};
    uint8_t own = 0;
    (void)fuzz_path(npy_bytes.data, (size_t)npy_bytes.size_bytes);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        uint8_t *map = mmap(NULL, 1, rows[i].protection, rows[i].flags, fuzz_fd(), 0);
        assert_true(map != MAP_FAILED);
        assert_int_equal(fuzz_is_protected(map), rows[i].is_protected);
        assert_int_equal(munmap(map, 1), 0);
    }
    assert_false(fuzz_is_protected(&own));
    assert_int_equal(own, npy_bytes.data[0]);
}

NDP_SUITE(protected_test, cmocka_unit_test(pages_are_as_they_are_mapped));
