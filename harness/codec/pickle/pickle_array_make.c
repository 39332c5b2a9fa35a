/* pickle_array_make.c: makes the object that NumPy's __reduce_ex__ returns for an array.
 *
 * Problem: NumPy pickles an array as _reconstruct with a byte string or, with protocol 5, as _frombuffer over a buffer,
 * depending on dtype, layout, release and contiguity.
 *
 * Method: protocol 5 takes the buffer if the dtype has a buffer format and the elements are contiguous in C, Fortran
 * or, with order 'K', a permuted order of dimensions. Every other array is copied in C or Fortran order.
 *
 * Cost: linear in dtype and elements; a contiguous array is borrowed, not copied. Limits: no objects. References: NumPy
 * 1.19 to 2.4, multiarray/methods.c, array_reduce_ex.
 */
#include <string.h>

#include "base/byteorder.h"
#include "base/checked.h"
#include "base/text.h"
#include "codec/data_memory.h"
#include "codec/npy/npy_encode.h"
#include "codec/pickle/pickle_array.h"
#include "model/leaf.h"

static enum ndp_status array_make_fail(const struct ndp_pickle_maker *maker, enum ndp_status status, const char *text) {
    return ndp_error_set(maker->error, status, NDP_NO_OFFSET, "array: %s", text);
}

static struct ndp_object *numpy_function(struct ndp_pickle_maker *maker, const char *old_module, const char *module,
                                         const char *name) {
    return ndp_pickle_maker_global(maker, maker->release == NDP_NUMPY_1 ? old_module : module, name);
}

static struct ndp_object *make_tuple(const struct ndp_pickle_maker *maker, uint64_t count,
                                     struct ndp_object *const *items) {
    for (uint64_t i = 0; i < count; i++)
        if (items[i] == NULL) return NULL;
    return ndp_object_tuple(maker->objects, count, items);
}

static struct ndp_object *make_shape(const struct ndp_pickle_maker *maker, const struct ndp_layout *layout) {
    struct ndp_object *extents[NDP_MAX_NDIM];
    for (uint32_t k = 0; k < layout->ndim; k++) extents[k] = ndp_object_int(maker->objects, layout->shape[k]);
    return make_tuple(maker, layout->ndim, extents);
}

/* INT64_MIN, a possible stride of an axis of extent 1, has no magnitude: NumPy leaves it negative, and thus smallest.
 */
static int64_t magnitude(int64_t stride) {
    return stride < 0 && stride != INT64_MIN ? -stride : stride;
}

/* Sorts the axes by descending magnitude of the strides, stable, like NumPy. */
static void sort_axes(const struct ndp_layout *layout, uint32_t *axes) {
    for (uint32_t k = 0; k < layout->ndim; k++) {
        uint32_t at = k;
        const int64_t stride = magnitude(layout->strides_bytes[k]);
        for (; at > 0 && magnitude(layout->strides_bytes[axes[at - 1]]) < stride; at--) axes[at] = axes[at - 1];
        axes[at] = k;
    }
}

/* Whether the elements are contiguous after sorting the axes; `*sorted` is that layout. */
static bool is_permuted(const struct ndp_elements *elements, uint32_t *axes, struct ndp_layout *sorted) {
    const struct ndp_layout *layout = elements->layout;
    sort_axes(layout, axes);
    *sorted = *layout;
    for (uint32_t k = 0; k < layout->ndim; k++) {
        sorted->shape[k] = layout->shape[axes[k]];
        sorted->strides_bytes[k] = layout->strides_bytes[axes[k]];
    }
    return ndp_layout_is_c_contiguous(sorted, elements->dtype->itemsize_bytes);
}

/* Borrows elements that are contiguous in the layout's order, gathers others. */
static enum ndp_status collect_elements(const struct ndp_pickle_maker *maker, const struct ndp_elements *elements,
                                        enum ndp_memory_order order, uint64_t size_bytes, struct ndp_blob *out) {
    struct ndp_walk walk;
    struct ndp_bytes run;
    ndp_strided_walk_init(&walk, elements, order);
    if (size_bytes == 0) {
        *out = (struct ndp_blob){{(const uint8_t *)"", 0}, NULL};
        return NDP_OK;
    }
    if (ndp_strided_walk_is_contiguous(&walk, &run)) {
        *out = (struct ndp_blob){run, NULL};
        return NDP_OK;
    }
    uint8_t *data = ndp_data_new(size_bytes);
    if (data == NULL) return array_make_fail(maker, NDP_NOMEM, "out of memory for the elements");
    (void)ndp_strided_walk_copy(&walk, data, walk.left_elems);
    *out = (struct ndp_blob){{data, size_bytes}, data};
    return NDP_OK;
}

static enum ndp_status make_frombuffer(struct ndp_pickle_maker *maker, const struct ndp_layout *layout,
                                       const char *order, const uint32_t *axes, struct ndp_object *dtype,
                                       struct ndp_object *buffer, struct ndp_object **out) {
    struct ndp_object *numbers[NDP_MAX_NDIM];
    struct ndp_object *args[5] = {buffer, dtype, make_shape(maker, layout), ndp_object_text(maker->objects, order)};
    if (axes != NULL) {
        for (uint32_t k = 0; k < layout->ndim; k++) numbers[axes[k]] = ndp_object_int(maker->objects, k);
        args[4] = make_tuple(maker, layout->ndim, numbers);
    }
    struct ndp_object *callable = numpy_function(maker, "numpy.core.numeric", "numpy._core.numeric", "_frombuffer");
    struct ndp_object *tuple = make_tuple(maker, axes != NULL ? 5 : 4, args);
    struct ndp_object *object =
        callable == NULL || tuple == NULL ? NULL : ndp_object_call(maker->objects, NDP_CALL_REDUCE, callable, tuple);
    if (object == NULL) return array_make_fail(maker, NDP_NOMEM, "out of memory");
    *out = object;
    return NDP_OK;
}

/* The class of `form`, numpy.ndarray by default. */
static struct ndp_object *make_class(struct ndp_pickle_maker *maker, const struct ndp_array_form *form) {
    if (form->class_module == NULL) return ndp_pickle_maker_numpy_global(maker, "ndarray");
    return ndp_pickle_maker_global(maker, form->class_module, form->class_name);
}

/* Makes _reconstruct(class, (0,), b'b') with the state (1, shape, dtype, is_fortran, bytes). */
static enum ndp_status make_reconstruct(struct ndp_pickle_maker *maker, const struct ndp_elements *elements,
                                        const struct ndp_array_form *form, struct ndp_object *dtype,
                                        struct ndp_bytes bytes, struct ndp_object **out) {
    struct ndp_objects *objects = maker->objects;
    struct ndp_object *zero = ndp_object_int(objects, 0);
    struct ndp_object *args[3] = {make_class(maker, form), make_tuple(maker, 1, &zero),
                                  ndp_object_bytes(objects, NDP_OBJECT_BYTES, ndp_bytes_view("b"))};
    struct ndp_object *state[5] = {ndp_object_int(objects, 1), make_shape(maker, elements->layout), dtype,
                                   ndp_object_bool(objects, ndp_npy_is_fortran_order(elements)),
                                   ndp_object_bytes(objects, NDP_OBJECT_BYTES, bytes)};
    struct ndp_object *callable =
        numpy_function(maker, "numpy.core.multiarray", "numpy._core.multiarray", "_reconstruct");
    struct ndp_object *tuple = make_tuple(maker, 3, args);
    struct ndp_object *object =
        callable == NULL || tuple == NULL ? NULL : ndp_object_call(objects, NDP_CALL_REDUCE, callable, tuple);
    if (object != NULL) object->call->state = make_tuple(maker, 5, state);
    if (object == NULL || object->call->state == NULL) return array_make_fail(maker, NDP_NOMEM, "out of memory");
    *out = object;
    return NDP_OK;
}

static struct ndp_object *make_buffer(const struct ndp_pickle_maker *maker, const struct ndp_array_form *form,
                                      struct ndp_bytes bytes) {
    struct ndp_object *object = NULL;
    if (form->is_out_of_band) {
        object = ndp_object_new(maker->objects, NDP_OBJECT_BUFFER);
    } else {
        const enum ndp_object_kind kind = form->is_readonly ? NDP_OBJECT_BYTES : NDP_OBJECT_BYTEARRAY;
        object = ndp_object_bytes(maker->objects, kind, bytes);
    }
    if (object != NULL) object->is_readonly = form->is_readonly;
    return object;
}

/* The `order` argument of _frombuffer, or NULL for an array that takes _reconstruct. */
static const char *buffer_order(const struct ndp_pickle_maker *maker, const struct ndp_elements *elements,
                                const struct ndp_array_form *form, uint32_t *axes, struct ndp_layout *sorted) {
    const uint64_t itemsize = elements->dtype->itemsize_bytes;
    if (form->protocol < 5 || form->class_module != NULL || itemsize == 0 ||
        !ndp_dtype_has_buffer_format(elements->dtype, ndp_byteorder_host_is_little()))
        return NULL;
    if (ndp_layout_is_c_contiguous(elements->layout, itemsize)) return "C";
    if (ndp_layout_is_f_contiguous(elements->layout, itemsize)) return "F";
    if (maker->release >= NDP_NUMPY_2_3 && is_permuted(elements, axes, sorted)) return "K";
    return NULL;
}

enum ndp_status ndp_pickle_array_make(struct ndp_pickle_maker *maker, const struct ndp_elements *elements,
                                      const struct ndp_array_form *form, struct ndp_object **out,
                                      struct ndp_blob *data) {
    const struct ndp_layout *layout = elements->layout;
    struct ndp_layout sorted;
    uint32_t axes[NDP_MAX_NDIM];
    uint64_t count = 0;
    uint64_t size = 0;
    struct ndp_blob blob = {0};
    struct ndp_object *dtype = NULL;
    if (ndp_dtype_has_object(elements->dtype)) return array_make_fail(maker, NDP_UNSUPPORTED, "elements are objects");
    if (!ndp_checked_extents_fit(layout->shape, layout->ndim, elements->dtype->itemsize_bytes, &count, &size))
        return array_make_fail(maker, NDP_LIMIT, "size exceeds 2^63 - 1 bytes");
    const char *order = buffer_order(maker, elements, form, axes, &sorted);
    const bool is_sorted = order != NULL && order[0] == 'K';
    const struct ndp_elements taken = {elements->dtype, is_sorted ? &sorted : layout, elements->data};
    NDP_TRY(ndp_pickle_dtype_make(maker, elements->dtype, form->is_record, &dtype));
    NDP_TRY(
        collect_elements(maker, &taken, ndp_npy_is_fortran_order(&taken) ? NDP_MEMORY_F : NDP_MEMORY_C, size, &blob));
    enum ndp_status status;
    if (order == NULL) {
        status = make_reconstruct(maker, elements, form, dtype, blob.bytes, out);
    } else {
        status = make_frombuffer(maker, taken.layout, order, is_sorted ? axes : NULL, dtype,
                                 make_buffer(maker, form, blob.bytes), out);
    }
    if (status != NDP_OK) {
        ndp_data_free(blob.owned);
        return status;
    }
    *data = blob;
    return NDP_OK;
}
