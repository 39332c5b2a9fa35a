/* descriptor.h: one case as plain structs, and its JSON text both ways.
 *
 * A descriptor is the one form in which a case is generated, mutated, shrunk, stored, replayed and
 * reported. Text -> struct checks everything that can be said without building the value; struct -> text is
 * canonical: the same descriptor always prints to the same bytes.
 */
#ifndef NDP_DESCRIPTOR_H
#define NDP_DESCRIPTOR_H

#include "model/value.h"

#define NDP_DESCRIPTOR_VERSION 1

/* How a value travels. Words are NUL-terminated, short, [a-z0-9_.+:-]; "" is "any" in a descriptor and never
 * occurs in a planned route. The same words mean the same in every target (harness/testees/README.md). */
enum { NDP_WORD_BYTES = 32 };

struct ndp_route {
    char format[NDP_WORD_BYTES];  /* npy npz raw pickle ..., or a transport: "joblib.Parallel" */
    int32_t protocol;             /* pickle: 0..5; elsewhere 0 */
    char encode[NDP_WORD_BYTES];  /* entry point of the encoder: file memory mapped compressed c python ... */
    char decode[NDP_WORD_BYTES];  /* entry point of the decoder: file memory mmap:r mmap:r+ mmap:c c python ... */
    char buffers[NDP_WORD_BYTES]; /* pickle 5: in-band, out-of-band; elsewhere "" */
    uint64_t offset_bytes;        /* raw: this many filler bytes stand before the data */
    bool is_transport;  /* `format` sends arrays between processes; `encode` and `decode` are both its backend */
    int64_t max_nbytes; /* transports: larger arrays travel as files; -1 is never (None), 0 is not given */
    int32_t level;      /* of compression, 1..9; 0 is not given, or nothing is compressed */
    char map_mode[8];   /* transports: how those files are mapped: r r+ c none; "" is not given */
    char encoder[NDP_WORD_BYTES]; /* name of the target that encodes */
    char decoder[NDP_WORD_BYTES]; /* name of the target that decodes; may be the same */
};

/* Prints "pickle5:c>python/out-of-band" or "joblib.Parallel:loky,r+": the targets and max_nbytes are left out. `out`
 * has NDP_ROUTE_TEXT_BYTES. */
enum { NDP_ROUTE_TEXT_BYTES = 192 };
void ndp_route_print(const struct ndp_route *route, char *out);

enum ndp_case_kind { NDP_CASE_ROUND_TRIP, NDP_CASE_DECODE };

/* What a decode case's bytes must lead to. OPEN: the reference decoder and the contract say. */
enum ndp_expect { NDP_EXPECT_OPEN, NDP_EXPECT_ACCEPT, NDP_EXPECT_REFUSE };

/* One named fault in otherwise right bytes, with its argument. Names: describe/fault.h. */
struct ndp_fault {
    char name[NDP_WORD_BYTES]; /* "" is none */
    uint64_t argument;
};

enum { NDP_MAX_PROPERTIES = 32, NDP_FILE_NAME_BYTES = 256 };
struct ndp_descriptor {
    enum ndp_case_kind kind;
    struct ndp_value value; /* ROUND_TRIP; DECODE with a fault: the value the bytes come from */
    struct ndp_route route;
    struct ndp_bytes bytes;         /* DECODE: the bytes themselves, or empty when they come from value + fault */
    char file[NDP_FILE_NAME_BYTES]; /* DECODE: a file of the corpus instead; "" is none; never absolute, never ".." */
    struct ndp_fault fault;
    enum ndp_expect expect;
    char properties[NDP_MAX_PROPERTIES][NDP_WORD_BYTES]; /* which to judge; none named is all */
    uint32_t property_count;
};

/* Limits of reading. */
struct ndp_describe_limits {
    uint64_t text_bytes;  /* of a descriptor */
    uint64_t value_bytes; /* of a base */
    uint32_t depth;       /* of JSON nesting */
    uint64_t values;      /* of JSON in one text; 0 is 2^20 */
};
extern const struct ndp_describe_limits ndp_describe_default_limits;

/* Fills *out from JSON text. Errors: INVALID (`offset_bytes` is the place in the text, `path` the JSON
 * pointer), LIMIT, NOMEM, UNSUPPORTED (a newer "ndproof" version). Gives memory of `arena` only. */
enum ndp_status ndp_descriptor_read(struct ndp_arena *arena, struct ndp_bytes text,
                                    const struct ndp_describe_limits *limits, struct ndp_descriptor *out,
                                    struct ndp_error *error) NDP_MUST_USE;

/* Appends the canonical text on one line, without a line end. */
enum ndp_status ndp_descriptor_print(struct ndp_buffer *buffer, const struct ndp_descriptor *descriptor) NDP_MUST_USE;

/* Line and column (both from 1) of a byte offset, for messages. */
void ndp_text_place(struct ndp_bytes text, uint64_t offset_bytes, uint64_t *line, uint64_t *column);

/* Whether the value can be built: views apply, sizes within limits. Errors: as ndp_array_build. */
enum ndp_status ndp_descriptor_check(struct ndp_arena *arena, const struct ndp_descriptor *descriptor,
                                     struct ndp_error *error) NDP_MUST_USE;

#endif
