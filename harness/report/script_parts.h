/* script_parts.h: the inside of scripts, for script*.c only.
 *
 * Texts are pieces of Python, in the arena, never NULL. What fails is remembered: every later call does nothing, and
 * ndp_script_print tells.
 */
#ifndef NDP_SCRIPT_PARTS_H
#define NDP_SCRIPT_PARTS_H

#include "report/script.h"

struct ndp_script {
    struct ndp_arena *arena;
    const struct ndp_script_case *about;
    const struct ndp_array *model; /* of an array that is sent, else NULL */
    struct ndp_buffer helpers;     /* definitions, at the top */
    struct ndp_buffer body;        /* what the script does */
    const char *indent;            /* of the body's lines */
    enum ndp_status status;
    struct ndp_error *error;
};

/* Gives formatted text. */
const char *ndp_script_text(struct ndp_script *script, const char *format, ...) NDP_PRINTF(2, 3);

/* Adds lines to the body, or definitions. `text` may hold several lines. */
void ndp_script_do(struct ndp_script *script, const char *text);
void ndp_script_define(struct ndp_script *script, const char *text);

/* Remembers that no script can tell this, and why. */
void ndp_script_refuse(struct ndp_script *script, const char *why);

/* Python's words. */
const char *ndp_script_bytes(struct ndp_script *script, struct ndp_bytes bytes); /* b"..." */
const char *ndp_script_string(struct ndp_script *script, struct ndp_bytes text); /* "...", of generalised UTF-8 */
const char *ndp_script_tuple(struct ndp_script *script, const int64_t *items, uint32_t count);
const char *ndp_script_dtype(struct ndp_script *script, const struct ndp_dtype *dtype);

/* An expression of the array of a value, before it is made another class or read-only; does what comes before. `name`
 * may be used on the way. */
const char *ndp_script_plain(struct ndp_script *script, const struct ndp_array_value *value, const char *name);

/* Does what makes the value, under `name`. The array's memory map, if any, is a file of that name. */
void ndp_script_build(struct ndp_script *script, const struct ndp_array_value *value, const char *name);

/* Adds the views of a value to an expression. */
const char *ndp_script_views(struct ndp_script *script, const struct ndp_array_value *value, const char *expression,
                             const char *name);

/* Where an encoding is: bytes in a variable, or a file. Texts are Python expressions. */
struct ndp_script_place {
    const char *data; /* "" when it is in the file only */
    const char *file; /* its name, quoted; "" when it is in memory only */
};

/* Statements that encode `value` by `entry`; *place is where to, numbered. UNSUPPORTED when there is no such entry. */
const char *ndp_script_encode(struct ndp_script *script, const char *entry, const char *value, uint32_t number,
                              struct ndp_script_place *place);

/* An expression that decodes by `entry` what is at `place`; does what brings it there. */
const char *ndp_script_decode(struct ndp_script *script, const char *entry, struct ndp_script_place *place);

/* Whether there are words for that entry of the route's format. */
bool ndp_script_knows(const struct ndp_script *script, const char *entry, bool encodes);

/* An expression of the bytes at `place`. */
const char *ndp_script_bytes_at(struct ndp_script *script, const struct ndp_script_place *place);

/* The entries of the route's format, the `index`-th; NULL beyond. */
const char *ndp_script_encoder_entry(const struct ndp_script *script, uint32_t index);
const char *ndp_script_decoder_entry(const struct ndp_script *script, uint32_t index);

/* Statements that send `value` to another worker, which looks at it: they leave the answer in `got`. */
void ndp_script_send(struct ndp_script *script, const char *value);

/* Defines `look`, which tells of an array what the differences under `where` are about, and gives the dict that it
 * must give of one that is `promised` (NULL: only texts of the differences are known; then what they do not tell is
 * taken from `source`, an expression). */
const char *ndp_script_look(struct ndp_script *script, const char *where, const struct ndp_observation *promised,
                            const char *source);

/* Does what makes a graph; its root is under `a`. */
void ndp_script_build_graph(struct ndp_script *script, const struct ndp_graph *graph);

/* Defines `look` for what the differences say of a graph. The source, looked at, tells what is expected. */
void ndp_script_look_at_graph(struct ndp_script *script, const struct ndp_graph *graph);

/* Does what calls everything in the graph that can be called, once. */
void ndp_script_call_graph(struct ndp_script *script, const struct ndp_graph *graph);

/* The whole script about a schedule of threads on a dict. */
void ndp_script_tell_dict(struct ndp_script *script, const struct ndp_dict_value *value);

/* The part of a difference's path before ": ", or "". Gives what is behind it. */
const char *ndp_script_where(struct ndp_script *script, const char *path, const char **rest);

/* Adds the lines of `body` to `out`, simple statements of one block beside each other while the line stays short.
 * Errors: NOMEM, LIMIT of `out`. */
enum ndp_status ndp_script_pack(const struct ndp_buffer *body, struct ndp_buffer *out) NDP_MUST_USE;

#endif
