/* descriptor.h: one case as plain structs, and its conversion from and to JSON text.
 *
 * A case is generated, mutated, minimised, stored, replayed and reported as a descriptor and in no other form. The
 * reader checks everything that can be checked without building the value. The printer is canonical: equal descriptors
 * print to equal bytes.
 */
#ifndef NDP_DESCRIPTOR_H
#define NDP_DESCRIPTOR_H

#include "describe/history.h"
#include "model/value.h"

#define NDP_DESCRIPTOR_VERSION 1

/* The route of a value. Words are NUL-terminated, short, [a-z0-9_.+:-]. "" stands for any in a descriptor and never
 * occurs in a planned route. A word has the same meaning for every target (harness/testees/README.md). */
enum { NDP_WORD_BYTES = 32 };

struct ndp_route {
    char format[NDP_WORD_BYTES];  /* npy npz raw pickle ..., or a transport: "joblib.Parallel" */
    int32_t protocol;             /* pickle: 0..5; other formats: 0 */
    char encode[NDP_WORD_BYTES];  /* entry point of the encoder: file memory mapped compressed c python ... */
    char decode[NDP_WORD_BYTES];  /* entry point of the decoder: file memory mmap:r mmap:r+ mmap:c c python ... */
    char buffers[NDP_WORD_BYTES]; /* pickle 5: in-band, out-of-band; otherwise "" */
    uint64_t offset_bytes;        /* raw: number of filler bytes before the data */
    bool is_transport;  /* `format` is a transport of arrays between processes; `encode` and `decode` both name its
                           backend */
    int64_t max_nbytes; /* transports: larger arrays travel as files; -1 never (None), 0 unspecified */
    int32_t level;      /* compression level, 1..9; 0 unspecified or no compression */
    char map_mode[8];   /* transports: mapping mode of those files: r r+ c none; "" unspecified */
    enum ndp_history history;     /* events before and around the calls */
    char encoder[NDP_WORD_BYTES]; /* name of the encoding target */
    char decoder[NDP_WORD_BYTES]; /* name of the decoding target; may equal `encoder` */
};

/* Prints "pickle5:c>python/out-of-band", "npy:file>file~failed" or "joblib.Parallel:loky,r+", without the
 * targets and max_nbytes. Fills `out` of NDP_ROUTE_TEXT_BYTES. */
enum { NDP_ROUTE_TEXT_BYTES = 192 };
void ndp_descriptor_print_route(const struct ndp_route *route, char *out);

enum ndp_case_kind { NDP_CASE_ROUND_TRIP, NDP_CASE_DECODE };

/* The expected result of a decode case. OPEN: determined by the reference decoder and the contract. */
enum ndp_expect { NDP_EXPECT_OPEN, NDP_EXPECT_ACCEPT, NDP_EXPECT_REFUSE };

/* One named fault in otherwise correct bytes, with its argument. Names: describe/fault.h. */
struct ndp_fault {
    char name[NDP_WORD_BYTES]; /* "" for none */
    uint64_t argument;
};

enum { NDP_MAX_PROPERTIES = 32, NDP_FILE_NAME_BYTES = 256 };
struct ndp_descriptor {
    enum ndp_case_kind kind;
    struct ndp_value value; /* ROUND_TRIP; DECODE with a fault: the value that is encoded */
    struct ndp_route route;
    struct ndp_bytes bytes;         /* DECODE: the bytes, or empty if they result from value and fault */
    char file[NDP_FILE_NAME_BYTES]; /* DECODE: name of a corpus file instead; "" for none; never absolute, never ".." */
    struct ndp_fault fault;
    enum ndp_expect expect;
    char properties[NDP_MAX_PROPERTIES][NDP_WORD_BYTES]; /* properties to check; none means all */
    uint32_t property_count;
};

/* Limits of the reader. */
struct ndp_describe_limits {
    uint64_t text_bytes;  /* size of a descriptor */
    uint64_t value_bytes; /* size of a base */
    uint32_t depth;       /* JSON nesting */
    uint64_t values;      /* number of JSON values in one text; 0 means 2^20 */
};
extern const struct ndp_describe_limits ndp_describe_default_limits;

/* Fills *out from JSON text. Memory comes from `arena`. Errors: INVALID (`offset_bytes` is the position in the text,
 * `path` the JSON pointer), LIMIT, NOMEM, UNSUPPORTED (a newer "ndproof" version). */
enum ndp_status ndp_descriptor_read(struct ndp_arena *arena, struct ndp_bytes text,
                                    const struct ndp_describe_limits *limits, struct ndp_descriptor *out,
                                    struct ndp_error *error) NDP_MUST_USE;

/* Appends the canonical text, one line without a line end. */
enum ndp_status ndp_descriptor_print(struct ndp_buffer *buffer, const struct ndp_descriptor *descriptor) NDP_MUST_USE;

/* Fills line and column (both from 1) of a byte offset, for messages. */
void ndp_descriptor_text_place(struct ndp_bytes text, uint64_t offset_bytes, uint64_t *line, uint64_t *column);

/* Checks that the value can be built: views apply, sizes are within limits. Errors: as ndp_array_build. */
enum ndp_status ndp_descriptor_check(struct ndp_arena *arena, const struct ndp_descriptor *descriptor,
                                     struct ndp_error *error) NDP_MUST_USE;

#endif
