/* whole.h: what an input must be that a decoder has taken, said by other code than the decoder's. All ways of a decoder
 * may make the same mistake; this is where it shows. */
#ifndef NDP_FUZZ_WHOLE_H
#define NDP_FUZZ_WHOLE_H

#include "codec/compress/compress.h"

/* Whether the text is strict UTF-8, as the C library understands it. */
bool fuzz_is_utf8(struct ndp_bytes text);

/* Whether the opcodes of a pickle are whole: its frames hold whole ones, do not nest, and end with it; each finds the
 * values and the mark that it takes, so that one value and no mark are left at its STOP; its protocol is one that there
 * is, and numbers in lines are such to whoever reads them. */
struct fuzz_whole {
    bool are_frames;
    bool is_stack;
};

/* Looks at a pickle, of which these are all bytes up to its STOP. Source: PEP 3154; CPython 3.11, Lib/pickle.py,
 * _Unframer; Lib/pickletools.py, dis. */
struct fuzz_whole fuzz_whole_pickle(struct ndp_bytes pickle);

/* Whether all of that is so of what our own writer made of something in this protocol, its opcodes are CPython's
 * (spelled.h), and they stand in frames where CPython's do. Source: CPython 3.11, Lib/pickle.py, _Framer. */
bool fuzz_is_as_pickled(struct ndp_bytes pickle, uint32_t protocol);

/* Whether what is packed can be unpacked to its end, where checksums are, and gives no more than the limit of output
 * says; a z-file (joblib up to 0.9) exactly what its header says; and whether a .lzma file asks for no larger
 * dictionary than there is memory. True for what is not packed. Source: LZMA SDK 22.01, lzma-specification.txt, header.
 */
bool fuzz_has_whole_stream(struct ndp_bytes bytes, const struct ndp_compress_limits *limits);

#endif
