#include "base/suite.h"
#include "property/corpus_index.h"

/* The folder of a file states what the reference does with it. */
static void folders_match_expectations(void **state) {
    static const char *const folders[] = {
        [NDP_EXPECT_OPEN] = "/open/", [NDP_EXPECT_ACCEPT] = "/accept/", [NDP_EXPECT_REFUSE] = "/refuse/"};
    uint32_t count;
    const struct ndp_corpus_file *files = ndp_corpus_index_files(&count);
    assert_true(count > 400);
    for (uint32_t i = 0; i < count; i++) {
        assert_non_null(strstr(files[i].path, folders[files[i].expect]));
        assert_ptr_equal(ndp_corpus_index_find(files[i].path), &files[i]);
        if (i > 0) assert_true(strcmp(files[i - 1].path, files[i].path) < 0);
    }
}

static void only_listed_paths_are_found(void **state) {
    assert_null(ndp_corpus_index_find(""));
    assert_null(ndp_corpus_index_find("npy/accept/f8_c"));
    assert_null(ndp_corpus_index_find("npy/accept/f8_c.npy "));
    assert_null(ndp_corpus_index_find("value/permuted.json"));
    const struct ndp_corpus_file *file = ndp_corpus_index_find("pickle/accept/f8_fortran_p5.pkl");
    assert_non_null(file);
    assert_int_equal(file->protocol, 5);
    assert_string_equal(file->buffers, "in-band");
    assert_int_equal(file->library_count, 0);
}

/* Expected: numpy.load and pickle of NumPy 2.4.6 and CPython 3.11 with these files. */
static void libraries_are_found_by_entry_point(void **state) {
    const struct ndp_corpus_library *library = ndp_corpus_index_find_library("pickle/open/frame_short.pkl", "c");
    assert_non_null(library);
    assert_int_equal(library->expect, NDP_EXPECT_ACCEPT);
    assert_null(ndp_corpus_index_find_library("pickle/open/frame_short.pkl", "python"));
    assert_null(ndp_corpus_index_find_library("pickle/accept/frame_short.pkl", "c"));
    assert_null(ndp_corpus_index_find_library("", "c"));
    library = ndp_corpus_index_find_library("joblib/open/order_other.joblib", "mmap:r+");
    assert_non_null(library);
    assert_int_equal(library->expect, NDP_EXPECT_REFUSE);
    assert_null(ndp_corpus_index_find_library("joblib/open/order_other.joblib", "file"));
    assert_non_null(ndp_corpus_index_find_library("npz/open/bomb.npz", "memory"));
    assert_null(ndp_corpus_index_find_library("npy/open/object.npy", "memory")); /* only graphs differ */
}

NDP_SUITE(corpus_index_test, NDP_TEST(folders_match_expectations), NDP_TEST(only_listed_paths_are_found),
          NDP_TEST(libraries_are_found_by_entry_point));
