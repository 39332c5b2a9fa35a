/* dissect_joblib_test.c: dumps of joblib 1.6.0 with NumPy 2.4.6, and broken ones. */
#include "cmd/dissect_fixture.h"

/* joblib.dump(numpy.arange(2, dtype=">i2"), file) */
static const char plain[] =
    "800495d1000000000000008c136a6f626c69622e6e756d70795f7069636b6c65948c114e756d70794172726179577261707065729493942981"
    "947d94"
    "288c08737562636c617373948c056e756d7079948c076e6461727261799493948c057368617065944b0285948c056f72646572948c0143948c"
    "0564"
    "747970659468068c0564747970659493948c02693294898887945294284b038c013e944e4e4e4affffffff4affffffff4b007494628c0a616c"
    "6c6f"
    "775f6d6d617094888c1b6e756d70795f61727261795f616c69676e6d656e745f6279746573944b10756203ffffff000000012e";

/* The same with compress=("zlib", 3) */
static const char packed[] = "785e358fb10ac2400c866d6b559c14475f40970e3e80206e163ab838963b7b68f5da1e772dd241d041ac90cdf"
                             "8603e91c616ff21fc09df4f924bfbf5"
                             "6e3582d121e332e65e5a24aa0c55bc3d4a81300c7eed426b566e34534a687ce2f48a679c40cf147c2b9931086"
                             "e9d42e8a611fbb104816bf64c09f4"
                             "ed1bf94c4714056b493eca4b9aef3b7f47ac1dcff051dd718d13df016b8e4110ac3ea4baf8ad1c39f49994d92"
                             "94c12a6b082717367bd2d6432dea5"
                             "8948f39097b930e80f0aee5090feb2bc2fac8b5dc8";

/* The pickle has 216 bytes before STOP and the raw bytes: padding of 3 with its length, then 4 bytes at byte 224. */
static void elements_have_their_place(void **state) {
    EXPECT_PARTS(
        "joblib", plain, UINT64_MAX, "not compressed\n", "STACK_GLOBAL     joblib.numpy_pickle NumpyArrayWrapper",
        "BUILD\n", "array: 4 bytes of padding with their length, 4 bytes of elements at byte ", ", can be mapped\n",
        "  STOP\n", "class numpy.ndarray, shape (2,), C order, 4 bytes of elements\n", "dtype >i2, 2 bytes per item\n");
    EXPECT_PARTS("joblib", packed, UINT64_MAX, "compressed by zlib: 199 bytes, decompressed ",
                 "4 bytes of elements at byte ", "shape (2,)");
}

static void broken_dumps_are_read_as_far_as_possible(void **state) {
    const uint64_t size = (sizeof plain - 1) / 2;
    EXPECT_PARTS("joblib", plain, size - 3, "BUILD\n", "4 bytes of elements at byte ", "; 2 bytes are missing\n",
                 "error at byte ", "(input ends too early)");
    EXPECT_PARTS("joblib", plain, size - 1, "4 bytes of elements at byte ", "the pickle ends before STOP\n");
    EXPECT_PARTS("joblib", packed, 100, "compressed by zlib: 100 bytes, decompressed ", " up to an error\n",
                 "(input ends too early)", "PROTO            4\n");
    /* A z-file of joblib before 0.10 begins with ZF; zlib with 0x78 and no stream. */
    EXPECT_PARTS("joblib", "5a46", UINT64_MAX, "unknown opcode 0x5a\n");
    EXPECT_PARTS("joblib", "78ff", UINT64_MAX, "compressed by zlib: 2 bytes, decompressed 0 up to an error\n", "error");
}

NDP_SUITE(dissect_joblib_test, NDP_TEST(elements_have_their_place), NDP_TEST(broken_dumps_are_read_as_far_as_possible));
