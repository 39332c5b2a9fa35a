/* pickle_code.h: code objects, which stay opaque: kept as a pickle of their own, so that a node of a graph holds plain
 * bytes, and written back from it for either library.
 *
 * A body is the pickle (protocol 4) of (arguments of types.CodeType, dict of what a function has beside its
 * attributes: texts and None of ndp_function_own, and the modules that its code imports). It belongs to the interpreter
 * that made it. Code inside of code is a call of types.CodeType, which every reader has.
 *
 * Source: cloudpickle 1.6 to 3.1, _code_reduce; dill 0.3.4 to 0.4, save_code and _create_code.
 */
#ifndef NDP_PICKLE_CODE_H
#define NDP_PICKLE_CODE_H

#include "codec/pickle/pickle_function_notes.h"
#include "model/graph.h"

/* What a function has beside its own dict. In a graph these are attributes, where they say anything. */
enum { NDP_FUNCTION_OWN = 4 };
extern const char *const ndp_function_own[NDP_FUNCTION_OWN];

/* The module of functions that are made from templates. */
extern const char ndp_function_dynamic_module[];

/* What their qualified names begin with, before the name. */
extern const char ndp_function_inside[];

/* What a node keeps of a code object. */
struct ndp_taken_code {
    bool is_opaque;        /* of no template: another program's */
    enum ndp_code code;    /* the template of graph nodes that it says it was made from */
    struct ndp_bytes body; /* of the arena of the objects */
};

/* Of the code `object` of `function`; `slots` (DICT) may be NULL. Errors: UNSUPPORTED (no code object), LIMIT (it leads
 * back to the function), NOMEM, as ndp_pickle_write. */
enum ndp_status ndp_code_take(struct ndp_objects *objects, const struct ndp_object *function,
                              const struct ndp_object *object, const struct ndp_object *slots,
                              struct ndp_taken_code *out, struct ndp_error *error) NDP_MUST_USE;

/* Gives the code object of a body as `library` pickles one, and the dict beside it. Errors: INVALID (no body), NOMEM.
 */
enum ndp_status ndp_code_make(struct ndp_objects *objects, struct ndp_bytes body, enum ndp_function_form library,
                              struct ndp_object **code, const struct ndp_object **slots,
                              struct ndp_error *error) NDP_MUST_USE;

/* The type of that name as `library` pickles it: a call. NULL without memory. */
struct ndp_object *ndp_code_type(struct ndp_objects *objects, enum ndp_function_form library,
                                 const char *name) NDP_MUST_USE;

/* Whether the object is that. */
bool ndp_code_is_type(const struct ndp_object *object, const char *name);

/* A name of the library's own module. NULL without memory. */
struct ndp_object *ndp_code_library_name(struct ndp_objects *objects, enum ndp_function_form library,
                                         const char *name) NDP_MUST_USE;

#endif
