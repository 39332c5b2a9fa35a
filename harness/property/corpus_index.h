/* corpus_index.h: the files of the corpus and what decoders must do with them. The rows are data: corpus/index.json.
 *
 * The index lists the encoded files of each format. `expect` applies to the reference. A library that differs from it
 * has its own expectation for some of its entry points; NDP_EXPECT_OPEN there means that its version, the machine or
 * memory outside the file decides.
 */
#ifndef NDP_CORPUS_INDEX_H
#define NDP_CORPUS_INDEX_H

#include "describe/descriptor.h"

/* The expectation for a library, if it differs. */
struct ndp_corpus_library {
    const char *decode; /* the entry points; may end in '*' */
    enum ndp_expect expect;
};

struct ndp_corpus_file {
    const char *path;    /* in the corpus, "npy/accept/f8_c.npy" */
    const char *buffers; /* of the route, "" or "in-band" */
    int32_t protocol;    /* of the route, 0 where the format has none */
    enum ndp_expect expect;
    const struct ndp_corpus_library *libraries;
    uint32_t library_count;
};

/* All files in the order of their paths. They are constants of the program. */
const struct ndp_corpus_file *ndp_corpus_index_files(uint32_t *count);

/* The file whose path in the corpus is `path`, or NULL. */
const struct ndp_corpus_file *ndp_corpus_index_find(const char *path);

/* The expectation for the libraries with entry point `decode`, or NULL if it does not differ or there is no such file.
 */
const struct ndp_corpus_library *ndp_corpus_index_find_library(const char *path, const char *decode);

#endif
