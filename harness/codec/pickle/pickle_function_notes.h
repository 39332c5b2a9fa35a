/* pickle_function_notes.h: what is told of cells and globals elsewhere than where they are made.
 *
 * cloudpickle makes a function with empty cells and hands their contents to a function that sets its state; dill calls
 * setattr on the cell once the function is there, and fills the globals afterwards. A walk over all objects, before any
 * is read, gathers that.
 * Source: cloudpickle 1.6 to 3.1, _make_function and _function_setstate; dill 0.3.4 to 0.4, _create_function.
 */
#ifndef NDP_PICKLE_FUNCTION_NOTES_H
#define NDP_PICKLE_FUNCTION_NOTES_H

#include "codec/pickle/object.h"

/* Which library made a function that no module has under its name. */
enum ndp_function_form { NDP_FUNCTION_OTHER, NDP_FUNCTION_CLOUDPICKLE, NDP_FUNCTION_DILL };

/* The form of an object that is such a function; OTHER for everything else. */
enum ndp_function_form ndp_function_form_of(const struct ndp_object *object);

/* Whether the object is module.name of cloudpickle, wherever it is kept, or of dill. */
bool ndp_function_is_name(const struct ndp_object *object, enum ndp_function_form library, const char *name);

/* Whether the call is one of that function: the opcodes that make new objects take classes alone. */
bool ndp_function_is_called(const struct ndp_call *call, enum ndp_function_form library, const char *name);

/* The parts of a function of cloudpickle: the dict of attributes and that of everything else; false when its state is
 * not like that. */
bool ndp_function_state(const struct ndp_object *function, const struct ndp_object **attributes,
                        const struct ndp_object **slots);

/* Whether the object is made as a cell, by either library. */
bool ndp_function_is_cell(const struct ndp_object *object);

/* More global names for one dict of globals. */
struct ndp_globals_note {
    struct ndp_globals_note *next;
    const struct ndp_object *globals; /* DICT */
    const struct ndp_object *more;    /* DICT */
};

/* By the number of an object. All memory is the arena's. */
struct ndp_function_notes {
    uint32_t count;
    const struct ndp_object **contents; /* of a cell: what it comes to hold; NULL is what it is made with */
    bool *are_globals;                  /* of a dict: that it is the globals of a function */
    bool has_globals;                   /* some dict is */
    bool has_more;                      /* something else is set or updated later, which has no words */
    struct ndp_globals_note *more;      /* of functions inside of others before those of the others */
};

/* Walks over all that `root` leads to, and leaves arrays that dill wrote as pickle writes them. Time is linear in it.
 * Errors: NOMEM. */
enum ndp_status ndp_function_notes_take(struct ndp_objects *objects, const struct ndp_object *root,
                                        struct ndp_function_notes *out) NDP_MUST_USE;

#endif
