/* pickle_writer.h: internals shared by the files of the pickle writer. pickle_write.c writes containers and calls;
 * pickle_write_atoms.c writes scalars, texts and names. */
#ifndef NDP_PICKLE_WRITER_H
#define NDP_PICKLE_WRITER_H

#include "codec/pickle/pickle_opcodes.h"
#include "codec/pickle/pickle_output.h"
#include "codec/pickle/pickle_write.h"

/* Names that the writer itself needs for kinds that a protocol encodes as a call. */
enum ndp_pickle_writer_own_global {
    NDP_WRITER_ENCODE,
    NDP_WRITER_BYTES,
    NDP_WRITER_BYTEARRAY,
    NDP_WRITER_SET,
    NDP_WRITER_FROZENSET,
    NDP_WRITER_NEWOBJ,
    NDP_WRITER_NEWOBJ_EX,
    NDP_WRITER_GETATTR,
    NDP_WRITER_NAMES
};

/* A memo place contains index + 1; 0 for none. */
struct ndp_pickle_writer {
    struct ndp_pickle_output output;
    const struct ndp_pickle_form *form;
    uint32_t protocol;
    uint32_t *memo; /* by object number */
    uint32_t memo_count;
    uint32_t texts[257]; /* of the texts of one latin-1 character, and of the empty text */
    uint32_t bytes[257];
    uint32_t latin1; /* of the codec's name */
    uint32_t names[NDP_WRITER_NAMES];
    uint32_t depth;
    struct ndp_error *error;
};

enum ndp_status ndp_pickle_writer_fail(const struct ndp_pickle_writer *w, enum ndp_status status, const char *text);
enum ndp_status ndp_pickle_writer_op(struct ndp_pickle_writer *w, enum ndp_opcode opcode) NDP_MUST_USE;

/* The memo place of the object. */
uint32_t *ndp_pickle_writer_place(struct ndp_pickle_writer *w, const struct ndp_object *object);

/* Refers to a memoized object. */
enum ndp_status ndp_pickle_writer_get(struct ndp_pickle_writer *w, uint32_t place) NDP_MUST_USE;

/* Writes an opcode (0 for none) and memoizes the top of the stack. */
enum ndp_status ndp_pickle_writer_memoize(struct ndp_pickle_writer *w, int opcode, uint32_t *place) NDP_MUST_USE;

enum ndp_status ndp_pickle_writer_own_global(struct ndp_pickle_writer *w,
                                             enum ndp_pickle_writer_own_global name) NDP_MUST_USE;

/* The memo place of a name of the writer if `global` is one; or NULL. Borrows `w`. */
uint32_t *ndp_pickle_writer_own_place(struct ndp_pickle_writer *w, const struct ndp_object *global);

enum ndp_status ndp_pickle_writer_empty_tuple(struct ndp_pickle_writer *w) NDP_MUST_USE;

/* Writers of objects without parts. */
typedef enum ndp_status ndp_pickle_writer_save(struct ndp_pickle_writer *w, const struct ndp_object *object);
ndp_pickle_writer_save ndp_pickle_writer_save_bool, ndp_pickle_writer_save_int, ndp_pickle_writer_save_float,
    ndp_pickle_writer_save_text, ndp_pickle_writer_save_string, ndp_pickle_writer_save_bytes,
    ndp_pickle_writer_save_bytearray, ndp_pickle_writer_save_buffer;

/* Writes the opcode, GLOBAL or INST, and its two lines; below protocol 3 with the names of Python 2. Errors:
 * UNSUPPORTED if the name means another object there. */
enum ndp_status ndp_pickle_writer_global(struct ndp_pickle_writer *w, enum ndp_opcode opcode, struct ndp_bytes module,
                                         struct ndp_bytes name) NDP_MUST_USE;

/* The same for a dotted name: getattr calls on the part before the first dot. */
enum ndp_status ndp_pickle_writer_nested_global(struct ndp_pickle_writer *w, struct ndp_bytes module,
                                                struct ndp_bytes name) NDP_MUST_USE;

#endif
