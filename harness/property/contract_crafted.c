/* contract_crafted.c: the table. harness/testees/python/test_agreement.py reads the rows, too, and holds each against
 * the libraries that are installed. */
#include "property/contract_crafted.h"

#include <stdio.h>
#include <string.h>

#define CRAFTED(name, entries, what, where, why)                                                                       \
    { .file = (name), .decode = (entries), .does = NDP_CRAFTED_##what, .clause = (where), .reason = (why) }

static const struct ndp_crafted_row rows[] = {
    CRAFTED("npy/refuse/cut_data", "mmap:r+", TAKES, "8.4 row 42",
            "memmap.py: a file that is too short for mode r+ is made longer, and what was not there is zero"),
    CRAFTED("npy/refuse/cut_byte", "mmap:r+", TAKES, "8.4 row 42",
            "memmap.py: a file that is too short for mode r+ is made longer, and what was not there is zero"),
    CRAFTED("npy/refuse/cut_item", "mmap:r+", TAKES, "8.4 row 42",
            "memmap.py: a file that is too short for mode r+ is made longer, and what was not there is zero"),
    CRAFTED("npy/refuse/no_data", "mmap:r+", TAKES, "8.4 row 42",
            "memmap.py: a file that is too short for mode r+ is made longer, and what was not there is zero"),
    CRAFTED("npy/open/native_order", "*", TAKES, "8.2 row 14",
            "numpy.dtype documentation: = is the order of the machine that reads; no writer says it, so the strict "
            "mode leaves it"),
    CRAFTED("npy/open/type_name", "*", TAKES, "8.2 row 24",
            "numpy.dtype documentation: names are types; no writer says them, so the strict mode leaves them"),
    CRAFTED("npy/open/pad_behind_newline", "*", EITHER, "8.4 row 39",
            "ast.literal_eval documentation: any literal of Python; up to 3.11 blanks behind the last line end are "
            "nothing, from 3.12 on they are an indentation; no writer leaves them, nor does the strict mode take them"),
    CRAFTED("npy/refuse/header_10001", "graph:*", TAKES, "8.4 row 38",
            "numpy.load documentation: max_header_size is ignored when allow_pickle is passed"),
    CRAFTED("npy/open/object", "graph:*", TAKES, "8.4 row 43",
            "numpy/lib/_format_impl.py, read_array: what the pickle gives is the result, whatever the header says"),
    CRAFTED("npy/open/object_not_array", "graph:*", TAKES, "8.4 row 43",
            "numpy/lib/_format_impl.py, read_array: what the pickle gives is the result, whatever the header says"),
    CRAFTED("npy/open/object_other_shape", "graph:*", TAKES, "8.4 row 43",
            "numpy/lib/_format_impl.py, read_array: what the pickle gives is the result, whatever the header says"),
    CRAFTED("npz/open/object_not_array", "graph:*", TAKES, "8.4 row 43",
            "numpy/lib/_format_impl.py, read_array: what the pickle gives is the result, whatever the header says"),
    CRAFTED("npz/refuse/member_text", "graph:*", TAKES, "8.4 row 44",
            "numpy/lib/_npyio_impl.py, NpzFile: a member without the magic of NPY is given as its bytes"),
    CRAFTED("npy/open/unit_generic", "*", TAKES, "8.2 row 22",
            "datetime.c, parse_datetime_unit_from_string: generic is a unit; no writer says it, so the strict mode "
            "leaves it"),
    CRAFTED("npy/open/unit_greek", "*", TAKES, "8.2 row 22",
            "datetime.c, parse_datetime_unit_from_string: the Greek letter is a u; no writer says it, so the strict "
            "mode leaves it"),
    CRAFTED(
        "npy/open/field_list", "*", TAKES, "8.3 row 26",
        "_format_impl.py, descr_to_dtype: unpacks any sequence; writers give tuples, so the strict mode leaves lists"),
    CRAFTED("npy/open/continued_line", "*", TAKES, "8.4 row 40",
            "ast.literal_eval documentation: any literal of Python; no writer breaks its lines so"),
    CRAFTED("npz/accept/lzma", "*", EITHER, "8.4 row 44",
            "zipfile documentation: ZIP_LZMA; whether libzip inflates it depends on how it was built (Debian 12: no)"),
    CRAFTED(
        "npz/open/size_more", "*", EITHER, "8.4 row 44",
        "zipfile.py: sizes and CRC are checked at the end of a member, which numpy.load does not read on to; from "
        "3.11.8, 3.12.2 and 3.13 on, and with Debian's patches, a member that reaches into what follows is refused"),
    CRAFTED("npz/open/crc_behind_tail", "*", TAKES, "8.4 row 44",
            "zipfile.py, ZipExtFile: sizes and CRC are checked at the end of a member, which numpy.load does not read "
            "on to"),
    CRAFTED("npz/open/bomb", "*", TAKES, "8.4 row 44",
            "numpy.load documentation: nothing bounds what a member inflates to; the reference has a bound that a "
            "caller can move"),
    CRAFTED("npz/open/comment_end", "*", REFUSES, "8.4 row 44",
            "zipfile.py, _EndRecData: the last signature is the end of the directory, also inside a comment"),
    CRAFTED("npz/open/local_name", "*", REFUSES, "8.4 row 44",
            "zipfile.py, ZipFile.open: the name in the local header must be that of the directory"),
    CRAFTED("npz/open/nul_name", "*", TAKES, "8.4 row 44",
            "zipfile.py, ZipInfo: a name ends at its first NUL, where libzip has a space"),
    CRAFTED("npz/open/overlap", "*", EITHER, "8.4 row 44",
            "zipfile.py, ZipFile.open: members that overlap are refused from 3.11.8, 3.12.2 and 3.13 on"),
    CRAFTED("npz/open/flag_patch", "*", REFUSES, "8.4 row 44",
            "zipfile.py, ZipFile.open: patched data are not implemented; libzip does not look at the flag"),
    CRAFTED("npz/open/version_needed", "*", REFUSES, "8.4 row 44",
            "zipfile.py, _RealGetContents: versions over 6.3 are not implemented; libzip does not look at it"),
    CRAFTED("npz/open/entries_none", "*", TAKES, "8.4 row 44",
            "zipfile.py, _RealGetContents: the size of the directory counts; libzip holds the number against it"),
    CRAFTED("npz/open/disk", "*", TAKES, "8.4 row 44",
            "zipfile.py: numbers of disks are not looked at; libzip says that it does not support several"),
    CRAFTED("npz/open/deflate_more", "*", TAKES, "8.4 row 44",
            "zipfile.py, ZipExtFile: stops at the size of the directory; the reference goes to the end of the data"),
    CRAFTED("pickle/accept/python2_p0", "*", REFUSES, "8.5 row 61",
            "pickle.load documentation: strings of Python 2 are ASCII unless encoding says latin1"),
    CRAFTED("pickle/accept/python2_p2", "*", REFUSES, "8.5 row 61",
            "pickle.load documentation: strings of Python 2 are ASCII unless encoding says latin1"),
    CRAFTED("pickle/open/opcodes", "graph:*", REFUSES, "8.5 row 61",
            "pickle.load documentation: strings of Python 2 are ASCII unless encoding says latin1"),
    CRAFTED("pickle/refuse/frame_long", "python", TAKES, "8.5 row 49",
            "pickle.py, _Unframer: what is left of the input is the frame; _pickle.c asks for all of it"),
    CRAFTED("pickle/open/frame_nested", "c", TAKES, "8.5 row 49",
            "_pickle.c, load_frame: only makes sure of the bytes; pickle.py refuses a frame inside a frame, and so "
            "does the reference"),
    CRAFTED("pickle/open/frame_short", "c", TAKES, "8.5 row 49",
            "_pickle.c, load_frame: only makes sure of the bytes; pickle.py refuses an argument across the end, and so "
            "does the reference"),
    CRAFTED(
        "pickle/open/memo_sparse", "c", EITHER, "8.5 row 51",
        "_pickle.c, _Unpickler_MemoPut: the memo is as long as its highest index, for which there is memory or not"),
    CRAFTED("pickle/open/closure_cloudpickle_p4", "*", EITHER, "8.5 row 60",
            "cloudpickle README: only between the very same versions of Python; what the byte code of 3.11 does in "
            "another is not said, and it may end it"),
    CRAFTED("pickle/open/closure_cloudpickle_p5", "*", EITHER, "8.5 row 60",
            "cloudpickle README: only between the very same versions of Python; what the byte code of 3.11 does in "
            "another is not said, and it may end it"),
    CRAFTED("pickle/open/vectorize_cloudpickle", "*", EITHER, "8.5 row 60",
            "cloudpickle README: only between the very same versions of Python; what the byte code of 3.11 does in "
            "another is not said, and it may end it"),
    CRAFTED("pickle/open/alignment_zero", "*", TAKES, "8.5 row 56",
            "descriptor.c, arraydescr_setstate: the alignment is taken unseen"),
    CRAFTED("pickle/open/dtype_no_state", "*", TAKES, "8.5 row 56",
            "multiarraymodule.c, numpy.dtype: the type is whole without its state; the reference wants what every "
            "writer gives"),
    CRAFTED("pickle/open/dtype_no_copy", "*", TAKES, "8.5 row 56",
            "descriptor.c, arraydescr_setstate: the types that all share keep nothing of a state; no writer leaves the "
            "copy out"),
    CRAFTED("pickle/open/dtype_no_copy_void", "*", TAKES, "8.5 row 56",
            "descriptor.c, arraydescr_setstate: a void without a size is shared, too"),
    CRAFTED("pickle/open/dtype_order_x", "*", TAKES, "8.5 row 56",
            "descriptor.c, arraydescr_setstate: the character of byte order is taken unseen"),
    CRAFTED("pickle/open/field_far", "*", EITHER, "8.5 row 56",
            "descriptor.c, arraydescr_setstate: offsets are not held against the itemsize"),
    CRAFTED("pickle/open/field_negative", "*", EITHER, "8.5 row 56",
            "descriptor.c, arraydescr_setstate: offsets are not held against the itemsize"),
    CRAFTED("pickle/open/field_outside", "*", EITHER, "8.5 row 56",
            "descriptor.c, arraydescr_setstate: offsets are not held against the itemsize"),
    CRAFTED("pickle/open/names_twice", "*", TAKES, "8.5 row 56",
            "descriptor.c, arraydescr_setstate: names are not held against each other"),
    CRAFTED("pickle/open/subarray_negative", "*", EITHER, "8.5 row 56",
            "descriptor.c, arraydescr_setstate: the shape of a sub-array is taken unseen"),
    CRAFTED("pickle/open/subarray_size", "*", EITHER, "8.5 row 56",
            "descriptor.c, arraydescr_setstate: the size of a sub-array is not held against the itemsize"),
    CRAFTED("pickle/open/buffer_minus_one", "*", TAKES, "8.5 row 57",
            "numeric.py, _frombuffer: reshape works out an extent of -1; no writer says it"),
    CRAFTED("pickle/open/buffer_order_a", "*", TAKES, "8.5 row 57",
            "numeric.py, _frombuffer: reshape takes order A; no writer says it"),
    CRAFTED("pickle/open/object_list_short", "*", EITHER, "8.5 row 55",
            "methods.c, _setobject_pkl: as many objects are taken from the list as the shape says, unseen"),
    CRAFTED("pickle/open/masked", "*", TAKES, "8.5 row 59",
            "numpy.ma documentation: a masked array is an array; decoding one array, the reference gives no mask and "
            "refuses"),
    CRAFTED("pickle/refuse/float_over", "graph:python", TAKES, "8.5 row 62",
            "pickle.py, load_float: float() of what is too large is infinity; _pickle.c says that it is too large"),
    CRAFTED("pickle/refuse/put_large", "graph:python", TAKES, "8.5 row 51",
            "pickle.py, load_long_binput: the memo is a dict, whatever the index"),
    CRAFTED("pickle/open/int_nul", "graph:c", TAKES, "8.5 row 62",
            "_pickle.c, load_int: strtol ends at the NUL, and so does the line for it"),
    CRAFTED("pickle/open/mark_left", "graph:*", TAKES, "8.5 row 52",
            "pickle.py, load_stop: the last value is the result, whatever else is on the stack"),
    CRAFTED("pickle/open/values_left", "graph:*", TAKES, "8.5 row 52",
            "pickle.py, load_stop: the last value is the result, whatever else is on the stack"),
    CRAFTED("pickle/open/names_differ", "graph:*", EITHER, "8.5 row 56",
            "descriptor.c, arraydescr_setstate: names are not looked for among the fields"),
    CRAFTED("pickle/open/graph_class_int", "graph:*", REFUSES, "8.5 row 54",
            "multiarraymodule.c, _reconstruct: the class must be an array's; the reference executes nothing and keeps "
            "the name of any class"),
    CRAFTED("pickle/open/graph_no_state", "graph:*", TAKES, "8.5 row 55",
            "multiarraymodule.c, _reconstruct: gives an array already; no writer leaves out its state"),
    CRAFTED("pickle/open/graph_object_long", "graph:*", TAKES, "8.5 row 55",
            "methods.c, _setobject_pkl: as many objects are taken from the list as the shape says, unseen"),
    CRAFTED("pickle/open/graph_state_list", "graph:*", TAKES, "8.5 row 55",
            "methods.c, array_setstate: PyArg_ParseTuple takes any sequence; every writer gives a tuple"),
    CRAFTED("pickle/open/scalar_long", "graph:*", TAKES, "8.5 row 58",
            "multiarraymodule.c, array_scalar: only too few bytes are refused"),
    CRAFTED("pickle/open/scalar_missing", "graph:*", TAKES, "8.5 row 58",
            "multiarraymodule.c, array_scalar: without bytes the scalar is zero; no writer leaves them out"),
    CRAFTED("pickle/open/masked_no_state", "graph:*", TAKES, "8.5 row 59",
            "numpy/ma/core.py, _mareconstruct: gives an array already; no writer leaves out its state"),
    CRAFTED("pickle/open/masked_version_2", "graph:*", TAKES, "8.5 row 59",
            "numpy/ma/core.py, MaskedArray.__setstate__: the version is taken unseen"),
    CRAFTED(
        "pickle/open/lines_crlf", "graph:python", TAKES, "8.5 row 62",
        "pickle.py, load_put, load_float: int() and float() leave blanks out; _pickle.c asks for the end of the line"),
    CRAFTED("pickle/open/state_twice", "*", TAKES, "8.5 row 55",
            "methods.c, array_setstate: may be called again; no writer does"),
    CRAFTED("pickle/open/dtype_itemsize", "*", TAKES, "8.5 row 56",
            "descriptor.c, arraydescr_setstate: the itemsize of other than flexible types is not looked at"),
    CRAFTED("pickle/open/dtype_list", "*", TAKES, "8.5 row 56",
            "numpy.dtype documentation: a list is a structure; no pickler gives one"),
    CRAFTED("pickle/open/bytes_called", "*", TAKES, "8.5 row 55",
            "pickle.py, load_reduce: what is called is called; the reference executes nothing, and knows the calls "
            "that picklers write"),
    CRAFTED("pickle/open/encode_utf8", "*", TAKES, "8.5 row 54",
            "pickle.py, save_bytes: writes latin1 alone; the reference knows no other encoding"),
    CRAFTED(
        "pickle/open/unit_events", "*", TAKES, "8.5 row 56",
        "descriptor.c, convert_datetime_metadata_tuple_to_datetime_metadata: the number of events is not looked at"),
    CRAFTED("pickle/open/buffer_shape_int", "*", TAKES, "8.5 row 57",
            "numeric.py, _frombuffer: reshape takes a number; no writer gives one"),
    CRAFTED("pickle/open/buffer_order_none", "*", TAKES, "8.5 row 57",
            "numeric.py, _frombuffer: reshape takes None for C; no writer gives it"),
    CRAFTED("pickle/open/buffer_axis_negative", "*", TAKES, "8.5 row 57",
            "numeric.py, _frombuffer: transpose counts from the end; no writer does"),
    CRAFTED("pickle/open/buffer_dtype_text", "*", TAKES, "8.5 row 57",
            "numeric.py, _frombuffer: frombuffer takes what numpy.dtype takes; picklers give dtypes"),
    CRAFTED(
        "joblib/open/bomb", "*", TAKES, "8.4 row 46",
        "joblib.load documentation: nothing bounds what is inflated; the reference has a bound that a caller can move"),
    CRAFTED("joblib/open/memo_wrapper", "graph:*", TAKES, "8.4 row 46",
            "pickle.py, load_stop: the last value is the result, whatever else is on the stack"),
    CRAFTED("joblib/open/order_other", "mmap:*", REFUSES, "8.4 row 46",
            "numpy_pickle.py, read_mmap: numpy.memmap takes C and F alone; read_array takes what is not F for C"),
    CRAFTED("joblib/open/zlib_cut", "*", TAKES, "8.4 row 46",
            "numpy_pickle.py, _unpickle: what stands behind the pickle is not read, and the checksum of the stream "
            "with it"),
    CRAFTED("joblib/open/order_none", "*", TAKES, "8.4 row 46",
            "numpy_pickle.py, read_array: what is not F is C; numpy.memmap takes None for C; writers give text"),
    CRAFTED("joblib/open/shape_list", "*", TAKES, "8.4 row 46",
            "numpy_pickle.py, read_array: sets the shape to any sequence; writers give tuples"),
    CRAFTED("joblib/open/alignment_text", "*", TAKES, "8.4 row 46",
            "numpy_pickle.py, safe_get_numpy_array_alignment_bytes: anything but None says that there is padding"),
    CRAFTED(
        "joblib/open/bzip2_two", "*", TAKES, "8.4 row 46",
        "bz2.BZ2File documentation: several streams are one; the reference reads the one stream that joblib writes"),
    CRAFTED(
        "joblib/open/xz_two", "*", TAKES, "8.4 row 46",
        "lzma.LZMAFile documentation: several streams are one; the reference reads the one stream that joblib writes"),
};

const struct ndp_crafted_row *ndp_crafted_rows(uint32_t *count) {
    *count = (uint32_t)NDP_ARRAY_LEN(rows);
    return rows;
}

static bool entry_fits(const char *pattern, const char *decode) {
    const size_t length = strcspn(pattern, "*");
    return strncmp(pattern, decode, length) == 0 && (pattern[length] == '*' || decode[length] == '\0');
}

const struct ndp_crafted_row *ndp_crafted_find(const char *file, const char *decode) {
    const size_t length = strcspn(file, ".");
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        if (strlen(rows[i].file) != length || strncmp(rows[i].file, file, length) != 0) continue;
        if (entry_fits(rows[i].decode, decode)) return &rows[i];
    }
    return NULL;
}
