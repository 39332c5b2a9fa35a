/* contract_joblib.c: the promises of joblib, of pools and processes, and of copies: what is not NumPy's own pickling,
 * to which contract.c leaves the rest. Rows stand before those of contract_table.c, so that no row here fits all.
 *
 * Words of a source:
 *   "joblib.load", "joblib.Parallel"  documentation of joblib 1.5, and its change log (CHANGES.rst)
 *   "numpy_pickle.py", "_memmapping_reducer.py"  joblib's files of these names, read in 1.1 to 1.6
 *   "process start methods"  Python documentation of multiprocessing: contexts and start methods
 */
#include "property/contract.h"

#define FEATURE(name) ((uint32_t)NDP_FEATURE_##name)
#define ROW(name, kept, ...)                                                                                           \
    { .field = NDP_FIELD_##name, .promise = NDP_PROMISE_##kept, __VA_ARGS__ }

/* ---- joblib.dump and joblib.load ---- */

#define FILE_ROW(name, kept, ...) ROW(name, kept, .format = "joblib", __VA_ARGS__)
#define MAP_ROW(name, kept, how, why)                                                                                  \
    FILE_ROW(name, kept, .encode = (how), .decode = "mmap:*", .without = FEATURE(OBJECT) | FEATURE(SUBCLASS),          \
             .source = why)
#define MAP_ROWS(name, kept, why) MAP_ROW(name, kept, "file", why), MAP_ROW(name, kept, "object", why)
#define LOADED_ROWS(name, kept, why)                                                                                   \
    FILE_ROW(name, kept, .decode = "file", .source = why), FILE_ROW(name, kept, .decode = "object", .source = why)

#define PACKED_CLASS_ROW(how)                                                                                          \
    FILE_ROW(CLASS, SAME, .encode = (how), .decode = "mmap:*", .without = FEATURE(OBJECT) | FEATURE(SUBCLASS),         \
             .source = "joblib.load, mmap_mode: has no effect on compressed files, which are loaded")

/* ---- what reaches the other side as it is ---- */

#define IDENTITY_ROW(name, form, how, why) ROW(name, SAME, .format = (form), .encode = (how), .source = why)
#define IDENTITY_ROWS(name)                                                                                            \
    IDENTITY_ROW(name, "joblib.Parallel", "threading*",                                                                \
                 "joblib.Parallel, threading: the arguments are shared, nothing is copied"),                           \
        IDENTITY_ROW(name, "multiprocessing", "fork:process",                                                          \
                     "process start methods: the child begins as a copy of the parent, nothing is pickled"),           \
        IDENTITY_ROW(name, "joblib.hash", "*", "testee protocol: the array itself is kept, under its hash")

/* ---- joblib.Parallel, arrays that travel as files (NDP_FEATURE_AS_FILE) ---- */

#define SENT NDP_FEATURE_AS_FILE
#define MAPPED_SOURCE(name, kept, why)                                                                                 \
    ROW(name, kept, .format = "joblib.Parallel", .with = SENT | FEATURE(MAP), .source = why)
#define RETURNED(name, kept, has, has_not, why)                                                                        \
    ROW(name, kept, .format = "joblib.Parallel", .encode = "loky:return", .with = (has), .without = (has_not),         \
        .source = why),                                                                                                \
        ROW(name, kept, .format = "joblib.Parallel", .encode = "multiprocessing:return", .with = (has),                \
            .without = (has_not), .source = why)
#define SENT_ROW(name, kept, why) ROW(name, kept, .format = "joblib.Parallel", .with = SENT, .source = why)

#define REDUCED_BACK "_memmapping_reducer.py, reduce_array_memmap_backward: what is no map of the user's is pickled"
#define KEPT_FLAG                                                                                                      \
    REDUCED_BACK "; PEP 574: protocol 5 keeps whether a buffer may be written to, and a map has what its mode says"
#define IN_MEMORY                                                                                                      \
    "_memmapping_reducer.py, get_memmapping_reducers: from workers arrays are always sent in memory, never as the "    \
    "maps of temporary files"
/* What protocol 5 pickles without a buffer, whose flag is lost, or with one for some and not for others. */
#define WITHOUT_BUFFER                                                                                                 \
    (FEATURE(TIME) | FEATURE(OBJECT) | FEATURE(OVERLAP) | FEATURE(ITEMSIZE_ZERO) | FEATURE(LONGDOUBLE) |               \
     FEATURE(STRUCTURED) | FEATURE(SUBCLASS))
#define SAME_MAP "_memmapping_reducer.py, _reduce_memmap_backed: the worker maps the same file in the same strides"
/* What no file says anything of: no byte of it lies there. */
#define NOWHERE (FEATURE(DETACHED) | FEATURE(ZERO_SIZE) | FEATURE(ITEMSIZE_ZERO))
#define SHARED_MAP                                                                                                     \
    "joblib/pool.py, MemmappingPool: a memmap is preserved, its memory shared in the original mode, but for w+, "      \
    "which "                                                                                                           \
    "becomes r+"
#define DUMPED "joblib.Parallel, max_nbytes: larger arrays are dumped and mapped in the workers"

#define FILES_OF_A_POOL                                                                                                \
    "_memmapping_reducer.py, ArrayMemmapForwardReducer: the last reference to a file of a pool goes when the pool is " \
    "terminated, which a reused one is not"

/* ---- joblib.hash ---- */

/* What a copy does not have to keep, and what it does not keep. */
#define UNSTEADY (FEATURE(OBJECT) | FEATURE(PADDING) | FEATURE(LONGDOUBLE) | FEATURE(ITEMSIZE_ZERO) | FEATURE(SUBCLASS))
#define HASH_ROW(has)                                                                                                  \
    ROW(ENCODING, SAME, .format = "joblib.hash", .with = (has), .without = UNSTEADY,                                   \
        .source = "joblib.hash documentation: identifies Python objects containing numpy arrays uniquely")

/* ---- copies ---- */

#define COPY_ROW(name, kept, ...) ROW(name, kept, .format = "copy", __VA_ARGS__)
/* S0 and U0 alone: V0, and what holds them, stays what it is. */
#define SIZELESS_KEPT (FEATURE(VOID) | FEATURE(STRUCTURED) | FEATURE(SUBARRAY))
#define SIZELESS                                                                                                       \
    "multiarray/ctors.c, PyArray_NewFromDescr_int: a new array of text without a size has items of one (1.23 to 2.4)"
#define COPIED "numpy.ndarray.__copy__ and __deepcopy__: a copy with order='K'"

static const struct ndp_contract_row rows[] = {
    /* --- accepted ------------------------------------------------------------------------------------------- */
    FILE_ROW(ACCEPTED, MAY_REFUSE, .encoder = {.name = "numpy", .since = "2.0"},
             .decoder = {.name = "numpy", .before = "2.0"},
             .source = "NumPy 2.0 migration guide: numpy.core became numpy._core, which joblib's pickles name too"),

    /* --- byte order ----------------------------------------------------------------------------------------- */
    IDENTITY_ROWS(BYTE_ORDER),
    COPY_ROW(BYTE_ORDER, SAME, .source = COPIED),
    MAP_ROWS(BYTE_ORDER, SAME, "joblib 1.1.0 release notes: native order when loaded, but for mmap_mode"),
    FILE_ROW(BYTE_ORDER, SAME, .decoder = {.name = "reference"},
             .source = "harness/codec, joblib_read.h: byte order is kept as it is in the file"),
    FILE_ROW(BYTE_ORDER, ANY, .decode = "mmap:*",
             .source = "joblib.load, mmap_mode: has no effect on what is compressed or pickled; nothing says more"),
    FILE_ROW(BYTE_ORDER, ANY, .with = FEATURE(SUBCLASS) | FEATURE(ALL_FIELDS_BIG),
             .source = "numpy_pickle.py: other classes are pickled, and pickles keep the order of structures"),
    FILE_ROW(BYTE_ORDER, SAME, .without = FEATURE(SUBCLASS), .decoder = {.name = "joblib", .before = "1.1.0"},
             .source = "numpy_pickle.py, read_array before joblib 1.1.0: the elements as they are in the file"),
    FILE_ROW(BYTE_ORDER, SAME, .with = FEATURE(SUBCLASS) | FEATURE(MAP),
             .decoder = {.name = "joblib", .before = "1.1.0"},
             .source = "numpy_pickle.py, NumpyPickler.save: a memmap is written as an array is"),
    FILE_ROW(BYTE_ORDER, NATIVE, .without = FEATURE(STRUCTURED),
             .source = "joblib 1.1.0 release notes: arrays in foreign byte order are loaded in native order"),
    FILE_ROW(BYTE_ORDER, NATIVE, .with = FEATURE(STRUCTURED) | FEATURE(ALL_FIELDS_BIG),
             .source =
                 "numpy_pickle_utils.py, _is_numpy_array_byte_order_mismatch: structures of foreign fields alone"),
    FILE_ROW(BYTE_ORDER, SAME, .with = FEATURE(STRUCTURED),
             .source = "numpy_pickle_utils.py: other structures are not converted"),
    RETURNED(BYTE_ORDER, SAME, SENT | FEATURE(MAP), 0, SAME_MAP),
    RETURNED(BYTE_ORDER, ANY, SENT, FEATURE(C_CONTIGUOUS) | FEATURE(F_CONTIGUOUS),
             "README: the order that a pickle keeps depends on contiguity, which changes on the way there"),
    MAPPED_SOURCE(BYTE_ORDER, SAME, SAME_MAP),
    ROW(BYTE_ORDER, SAME, .format = "joblib.Parallel", .encode = "loky", .with = SENT, .source = DUMPED),
    ROW(BYTE_ORDER, SAME, .format = "joblib.Parallel", .encode = "multiprocessing", .with = SENT, .source = DUMPED),
    ROW(BYTE_ORDER, SAME, .format = "joblib.Parallel", .encode = "loky:once", .with = SENT, .source = DUMPED),
    ROW(BYTE_ORDER, SAME, .format = "joblib.Parallel", .encode = "multiprocessing:once", .with = SENT,
        .source = DUMPED),

    /* --- memory order --------------------------------------------------------------------------------------- */
    IDENTITY_ROWS(MEMORY_ORDER),
    COPY_ROW(MEMORY_ORDER, ANY, .with = FEATURE(ITEMSIZE_ZERO),
             .source = "multiarray/ctors.c, _array_fill_strides: an array without bytes has the flag asked for"),
    COPY_ROW(MEMORY_ORDER, CONTIGUOUS, .with = FEATURE(C_CONTIGUOUS), .source = COPIED),
    COPY_ROW(MEMORY_ORDER, CONTIGUOUS, .with = FEATURE(F_CONTIGUOUS), .source = COPIED),
    COPY_ROW(MEMORY_ORDER, PERMUTED, .with = FEATURE(PERMUTED), .source = COPIED),
    COPY_ROW(MEMORY_ORDER, ANY, .source = "numpy.copy documentation: K is as close to the layout as possible"),
    FILE_ROW(MEMORY_ORDER, ANY, .with = FEATURE(ITEMSIZE_ZERO),
             .source = "multiarray/ctors.c, _array_fill_strides: an array without bytes has the flag asked for"),
    FILE_ROW(MEMORY_ORDER, CONTIGUOUS,
             .source = "numpy_pickle.py, _create_array_wrapper: order is F when F- and not C-contiguous, else C"),
    MAPPED_SOURCE(MEMORY_ORDER, SAME, SAME_MAP),
    SENT_ROW(MEMORY_ORDER, CONTIGUOUS, DUMPED),

    /* --- strides -------------------------------------------------------------------------------------------- */
    IDENTITY_ROWS(STRIDES),
    COPY_ROW(STRIDES, SAME, .source = COPIED),
    FILE_ROW(STRIDES, SAME, .source = "numpy_pickle.py, write_array: the elements alone, nothing between them"),
    RETURNED(STRIDES, ANY, 0, 0, REDUCED_BACK),
    MAPPED_SOURCE(STRIDES, ANY,
                  "_memmapping_reducer.py: contiguous arrays are mapped anew, strides of one item differ"),
    SENT_ROW(STRIDES, SAME, DUMPED),

    /* --- dtype ---------------------------------------------------------------------------------------------- */
    COPY_ROW(DTYPE, LOST, .with = FEATURE(ITEMSIZE_ZERO), .without = SIZELESS_KEPT, .source = SIZELESS),
    COPY_ROW(SHAPE, LOST, .with = FEATURE(ITEMSIZE_ZERO), .without = SIZELESS_KEPT, .source = SIZELESS),
    IDENTITY_ROWS(ALIGNED_STRUCT),
    COPY_ROW(ALIGNED_STRUCT, SAME, .source = COPIED),
    FILE_ROW(ALIGNED_STRUCT, SAME, .source = "numpy_pickle.py: the dtype is pickled"),
    SENT_ROW(ALIGNED_STRUCT, SAME, "numpy_pickle.py: the dtype is pickled"),
    IDENTITY_ROWS(METADATA),
    COPY_ROW(METADATA, SAME, .source = COPIED),
    FILE_ROW(METADATA, SAME, .source = "numpy_pickle.py: the dtype is pickled"),
    SENT_ROW(METADATA, SAME, "numpy_pickle.py: the dtype is pickled"),

    /* --- writeable ------------------------------------------------------------------------------------------ */
    IDENTITY_ROWS(WRITEABLE),
    COPY_ROW(WRITEABLE, TRUE, .source = "numpy.copy documentation: a copy is writeable"),
    MAP_ROWS(WRITEABLE, MODE, "joblib.load, mmap_mode: the modes of numpy.memmap"),
    FILE_ROW(WRITEABLE, ANY, .decode = "mmap:*",
             .source = "joblib.load, mmap_mode: has no effect on what is compressed"),
    LOADED_ROWS(WRITEABLE, TRUE, "numpy_pickle.py, read_array: the data are read into a new array"),
    RETURNED(WRITEABLE, MODE, SENT, WITHOUT_BUFFER | FEATURE(MAP), KEPT_FLAG),
    RETURNED(WRITEABLE, ANY, SENT | FEATURE(MAP), 0, REDUCED_BACK),
    RETURNED(WRITEABLE, ANY, SENT | FEATURE(SUBCLASS), 0, REDUCED_BACK),
    RETURNED(WRITEABLE, ANY, SENT | FEATURE(STRUCTURED), 0, REDUCED_BACK),
    RETURNED(WRITEABLE, ANY, SENT | FEATURE(LONGDOUBLE), 0, REDUCED_BACK),
    MAPPED_SOURCE(WRITEABLE, ANY, "_memmapping_reducer.py: the mode is that of the map, whatever the view's flag says"),
    SENT_ROW(WRITEABLE, MODE, "joblib.Parallel, mmap_mode: workers map in this mode, r by default"),

    /* --- alignment ------------------------------------------------------------------------------------------ */
    IDENTITY_ROWS(ALIGNMENT),
    COPY_ROW(ALIGNMENT, TRUE, .source = "multiarray/ctors.c: a new array is aligned for its dtype"),
    FILE_ROW(ALIGNMENT, ANY, .with = FEATURE(SUBCLASS), .source = "nothing is promised where no row says so"),
    LOADED_ROWS(ALIGNMENT, TRUE, "numpy_pickle.py, read_array: the data are read into a new array"),
    MAP_ROWS(ALIGNMENT, TRUE, "joblib 1.2.0 release notes: data in files begin on a multiple of 16 bytes"),
    RETURNED(ALIGNMENT, ANY, 0, 0, REDUCED_BACK),
    MAPPED_SOURCE(ALIGNMENT, ANY, "_memmapping_reducer.py: the array lies where it lies in the file"),
    SENT_ROW(ALIGNMENT, TRUE, "joblib 1.2.0 release notes: data in files begin on a multiple of 16 bytes"),

    /* --- class ---------------------------------------------------------------------------------------------- */
    IDENTITY_ROWS(CLASS),
    COPY_ROW(CLASS, SAME, .source = "numpy.ndarray.__copy__: the copy has the class of the original"),
    MAP_ROWS(CLASS, MEMMAP, "joblib.load, mmap_mode: arrays are memory-mapped"),
    PACKED_CLASS_ROW("zlib"),
    PACKED_CLASS_ROW("gzip"),
    PACKED_CLASS_ROW("bz2"),
    PACKED_CLASS_ROW("lzma"),
    PACKED_CLASS_ROW("xz"),
    PACKED_CLASS_ROW("lz4"),
    FILE_ROW(CLASS, ANY, .decode = "mmap:*", .without = FEATURE(OBJECT) | FEATURE(SUBCLASS),
             .source = "joblib.load, mmap_mode: has no effect on compressed files; bytes of others may be such"),
    FILE_ROW(CLASS, ANY, .decode = "mmap:*", .with = FEATURE(SUBCLASS),
             .source = "joblib.load, mmap_mode: nothing is said of other classes"),
    FILE_ROW(CLASS, ANY, .with = FEATURE(SUBCLASS) | FEATURE(MAP),
             .source = "numpy_pickle.py: a memmap becomes an array"),
    FILE_ROW(CLASS, ANY, .with = FEATURE(SUBCLASS) | FEATURE(DETACHED),
             .source = "numpy_pickle.py: a memmap becomes an array"),
    FILE_ROW(CLASS, ANY, .with = FEATURE(SUBCLASS) | FEATURE(ZERO_SIZE),
             .source = "numpy_pickle.py: a memmap becomes an array"),
    FILE_ROW(CLASS, SAME, .encoder = {.name = "joblib"}, .decoder = {.name = "joblib"},
             .source = "numpy_pickle.py, NumpyArrayWrapper: the class is kept as `subclass`, or pickled"),
    FILE_ROW(CLASS, SAME, .with = NDP_FEATURE_IN_GRAPH,
             .source = "plugin_graph.h: an array among other objects has a class"),
    FILE_ROW(CLASS, NDARRAY, .source = "plugin.h: an array that is no map is an ndarray"),
    RETURNED(CLASS, ANY, FEATURE(SUBCLASS), 0, REDUCED_BACK),
    RETURNED(CLASS, NDARRAY, SENT, FEATURE(MAP), IN_MEMORY),
    RETURNED(CLASS, ANY, SENT | FEATURE(MAP), 0, REDUCED_BACK),
    MAPPED_SOURCE(CLASS, ANY, "_memmapping_reducer.py: a memmap, or an array over one when it is not contiguous"),
    SENT_ROW(CLASS, MEMMAP, DUMPED),

    /* --- backing -------------------------------------------------------------------------------------------- */
    IDENTITY_ROWS(BACKING),
    MAP_ROWS(BACKING, MAPPED, "joblib.load, mmap_mode: arrays are memory-mapped"),
    FILE_ROW(BACKING, ANY, .with = FEATURE(SUBCLASS),
             .source = "joblib.load, mmap_mode: nothing is said of other classes, a memmap among them"),
    FILE_ROW(BACKING, DETACHED, .source = "README: what is not a map of the file does not claim to be one"),
    RETURNED(BACKING, DETACHED, 0, FEATURE(SUBCLASS) | FEATURE(MAP), IN_MEMORY),
    RETURNED(BACKING, ANY, FEATURE(SUBCLASS), 0, REDUCED_BACK),
    RETURNED(BACKING, ANY, FEATURE(MAP), 0, REDUCED_BACK),
    ROW(BACKING, SHARED, .format = "joblib.Parallel", .with = SENT | FEATURE(MAP) | FEATURE(C_CONTIGUOUS),
        .without = NOWHERE, .source = SHARED_MAP),
    ROW(BACKING, SHARED, .format = "joblib.Parallel", .with = SENT | FEATURE(MAP) | FEATURE(F_CONTIGUOUS),
        .without = NOWHERE, .source = SHARED_MAP),
    MAPPED_SOURCE(BACKING, ANY, "_memmapping_reducer.py: views with gaps are arrays over a map"),
    SENT_ROW(BACKING, OWN_MAP, DUMPED ", in the mode of mmap_mode"),

    /* --- temporary files ------------------------------------------------------------------------------------ */
    ROW(FILES, SAME, .format = "joblib.Parallel", .encode = "loky:once",
        .source = "_parallel_backends.py, LokyBackend.terminate: what a call of Parallel made for its arrays is "
                  "removed, though the workers are used again"),
    ROW(FILES, SAME, .format = "joblib.Parallel", .encode = "multiprocessing:once",
        .source = "joblib/pool.py, MemmappingPool: terminate collects the temporary folder"),
    ROW(FILES, ANY, .format = "joblib.Parallel", .encode = "loky*", .source = FILES_OF_A_POOL),
    ROW(FILES, ANY, .format = "joblib.Parallel", .encode = "multiprocessing*", .source = FILES_OF_A_POOL),

    /* --- encoding ------------------------------------------------------------------------------------------- */
    FILE_ROW(ENCODING, ANY, .source = "Python pickle documentation: equal objects may have different pickles"),
    HASH_ROW(FEATURE(C_CONTIGUOUS)),
    HASH_ROW(FEATURE(F_CONTIGUOUS)),
    ROW(ENCODING, ANY, .format = "joblib.hash",
        .source = "hashing.py, NumpyHasher.save: strides, padding, classes and pickles of objects are hashed, too"),
    ROW(ENCODING, ANY, .format = "cloudpickle", .source = "Python pickle documentation: equal objects, other pickles"),
    ROW(ENCODING, ANY, .format = "dill", .source = "Python pickle documentation: equal objects, other pickles"),
};

const struct ndp_contract_row *ndp_contract_library_rows(uint32_t *count) {
    *count = (uint32_t)NDP_ARRAY_LEN(rows);
    return rows;
}
