/* npy_vectors.h: arrays and NumPy's files of them, for the tests of encoder and decoder.
 *
 * Lengths and hashes (FNV-1a, base/rng.h) are of numpy.save(array, allow_pickle=False) in NumPy 2.4.6 on CPython 3.11;
 * NumPy 1.24.4 and 2.5 agree. Some rows were also checked against a separately computed SHA-256.
 */
#ifndef NDP_NPY_VECTORS_H
#define NDP_NPY_VECTORS_H

#include "model/layout.h"

struct npy_vector {
    const char *dtype; /* JSON text (describe/dtype_json.h) */
    uint32_t ndim;
    int64_t shape[NDP_MAX_NDIM];
    bool is_fortran; /* memory order */
    const char *hex; /* its memory; NULL: byte i is (7 * i + 3) % 256 */
    uint64_t size_bytes;
    uint64_t hash;
};

/* clang-format off */
static const struct npy_vector npy_vectors[] = {
    /* Rows that were also checked against the SHA-256. */
    {"\"<i4\"", 1, {6}, false, "000000000100000002000000030000000400000005000000", 152, UINT64_C(0x0b9107ece6be649f)},
    {"\"<f8\"", 2, {2, 3}, false, "0000000000000000000000000000f03f0000000000000040000000000000084000000000000010400000000000001440", 176, UINT64_C(0xc594ded592c74a3b)},
    {"\">i8\"", 0, {0}, false, "0000000000000007", 136, UINT64_C(0xcf676baf594bffbf)},
    {"\"|b1\"", 1, {3}, false, "010001", 131, UINT64_C(0x9ded5066ce855c9b)},
    {"\"<U2\"", 1, {2}, false, "61000000620000006300000000000000", 144, UINT64_C(0x6efa5597f582bec0)},
    {"\"|S2\"", 1, {2}, false, "61626300", 132, UINT64_C(0x324dccf16ffe0a9a)},
    {"{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":\"<i4\"},{\"name\":\"b\",\"offset\":4,\"dtype\":\">f8\"}],\"itemsize\":12}", 1, {2}, false, "000000000000000000000000000000000000000000000000", 152, UINT64_C(0x68421c780fae7b03)},
    {"{\"fields\":[{\"name\":\"a\",\"title\":\"T\",\"offset\":0,\"dtype\":\"<i4\"}],\"itemsize\":4}", 1, {2}, false, "0000000000000000", 136, UINT64_C(0xedf5692b728fdb1b)},
    /* Kinds. */
    {"\"|i1\"", 1, {2}, false, NULL, 130, UINT64_C(0x27d9d6726a05a694)},
    {"\"<u2\"", 1, {2}, false, NULL, 132, UINT64_C(0x98d2720bffc3d5f0)},
    {"\">u2\"", 1, {2}, false, NULL, 132, UINT64_C(0x9ce60dd4bd301ede)},
    {"\"<f2\"", 1, {2}, false, NULL, 132, UINT64_C(0xb7a82514768f383b)},
    {"\">f4\"", 1, {2}, false, NULL, 136, UINT64_C(0x4404ed485e65b873)},
    {"\"<f16\"", 1, {2}, false, NULL, 160, UINT64_C(0x707215e9e0becb58)},
    {"\"<c8\"", 1, {2}, false, NULL, 144, UINT64_C(0x1bceeec67010c250)},
    {"\">c16\"", 1, {2}, false, NULL, 160, UINT64_C(0x92368f3a1911feef)},
    {"\"<c32\"", 1, {2}, false, NULL, 192, UINT64_C(0x6b2dd7ff19632177)},
    {"\"<M8\"", 1, {2}, false, NULL, 144, UINT64_C(0x90dc429b7b481612)},
    {"\"<M8[ns]\"", 1, {2}, false, NULL, 144, UINT64_C(0x95765a4c8c1f3cb7)},
    {"\">m8[25us]\"", 1, {2}, false, NULL, 144, UINT64_C(0xddd3034687328173)},
    {"\"<M8[2147483647s]\"", 1, {2}, false, NULL, 144, UINT64_C(0x813a8f31b6ecc679)},
    {"\"|V5\"", 1, {2}, false, NULL, 138, UINT64_C(0xefb0a1507722fb43)},
    {"\"|S0\"", 1, {2}, false, NULL, 128, UINT64_C(0x320fd5278e07b338)},
    {"\"<U0\"", 1, {2}, false, NULL, 128, UINT64_C(0xacda746cc4fe5f92)},
    {"\"|V0\"", 1, {2}, false, NULL, 128, UINT64_C(0xe7726fd6c1b68279)},
    {"\">U3\"", 1, {2}, false, NULL, 152, UINT64_C(0x680ffdb016f2f921)},
    /* Shapes and order. */
    {"\"<i2\"", 0, {0}, false, NULL, 130, UINT64_C(0x91f2151f94d3a8d3)},
    {"\"<i2\"", 1, {0}, false, NULL, 128, UINT64_C(0x8babcffdc4a85746)},
    {"\"<i2\"", 1, {1}, false, NULL, 130, UINT64_C(0xebce34f44422c8e8)},
    {"\"<i2\"", 2, {0, 3}, false, NULL, 128, UINT64_C(0xb76a5895a3aa29e1)},
    {"\"<i2\"", 2, {3, 0}, false, NULL, 128, UINT64_C(0x6f501ff2c6a0fe03)},
    {"\"<i2\"", 2, {2, 3}, false, NULL, 140, UINT64_C(0xa47f83593978560f)},
    {"\"<i2\"", 3, {1, 1, 1}, false, NULL, 130, UINT64_C(0xfed277a604fdb7e6)},
    {"\"<i2\"", 2, {5, 1}, false, NULL, 138, UINT64_C(0xbc9f8e489a7c26c1)},
    {"\"<i2\"", 3, {2, 3, 4}, false, NULL, 176, UINT64_C(0x2f2f89203bafa77f)},
    {"\"<i2\"", 1, {10}, false, NULL, 148, UINT64_C(0x9d91f64891b8f6ed)},
    {"\"<i2\"", 2, {123456789012, 0}, false, NULL, 128, UINT64_C(0x78f93c03343c6b44)},
    {"\"<i2\"", 2, {2, 3}, true, NULL, 140, UINT64_C(0x85f6ae7bdebfde2e)},
    {"\"<i2\"", 3, {2, 3, 4}, true, NULL, 176, UINT64_C(0x64a39dc42b4cd8ea)},
    {"\"<i2\"", 2, {1, 5}, true, NULL, 138, UINT64_C(0x1f4b5cbcbd97f8a9)},
    {"\"<i2\"", 2, {5, 1}, true, NULL, 138, UINT64_C(0xbc9f8e489a7c26c1)},
    {"\"<i2\"", 2, {0, 4}, true, NULL, 128, UINT64_C(0x64be2a05bddd5a22)},
    {"\"<i2\"", 3, {3, 1, 2}, true, NULL, 140, UINT64_C(0xba9375f01c379acb)},
    {"\"|u1\"", 64, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, false, NULL, 321, UINT64_C(0x644f3f5cabdcd5d5)},
    {"\"|u1\"", 32, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, true, NULL, 193, UINT64_C(0x81e2888236434a08)},
    /* Structures: padding, nesting, sub-arrays, titles. */
    {"{\"fields\":[],\"itemsize\":0}", 1, {2}, false, NULL, 128, UINT64_C(0xd9023aade811c901)},
    {"{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":{\"fields\":[],\"itemsize\":0}}],\"itemsize\":0}", 1, {2}, false, NULL, 128, UINT64_C(0x834aae7d9280ce55)},
    {"{\"fields\":[],\"itemsize\":8}", 1, {2}, false, NULL, 144, UINT64_C(0xdd47837fa214f40a)},
    {"{\"fields\":[{\"name\":\"a\",\"offset\":4,\"dtype\":\"|u1\"},{\"name\":\"b\",\"offset\":8,\"dtype\":\"<i4\"}],\"itemsize\":16}", 1, {3}, false, NULL, 240, UINT64_C(0x90a96240e06e268c)},
    {"{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":{\"base\":\"<i4\",\"shape\":[2,3]}},{\"name\":\"b\",\"offset\":24,\"dtype\":{\"base\":{\"fields\":[{\"name\":\"c\",\"offset\":0,\"dtype\":\">u2\"},{\"name\":\"d\",\"offset\":2,\"dtype\":{\"base\":\"|S3\",\"shape\":[1]}}],\"itemsize\":5},\"shape\":[2]}}],\"itemsize\":34}", 2, {2, 2}, true, NULL, 328, UINT64_C(0x8ae81e4fde8531e9)},
    {"{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":{\"base\":{\"base\":\"<i4\",\"shape\":[2]},\"shape\":[3]}}],\"itemsize\":24}", 1, {2}, false, NULL, 176, UINT64_C(0x0c0e3366ee54a078)},
    {"{\"fields\":[{\"name\":\"v\",\"offset\":0,\"dtype\":\"|V0\"},{\"name\":\"w\",\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}", 1, {2}, false, NULL, 132, UINT64_C(0x5c9bdd51cc21a5a5)},
    {"{\"fields\":[{\"name\":\"a\",\"title\":\"\",\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}", 1, {1}, false, NULL, 130, UINT64_C(0x2926b321101363f1)},
    {"{\"fields\":[{\"name\":\"f0\",\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}", 1, {1}, false, NULL, 130, UINT64_C(0xec66e93e9be52299)},
    {"{\"fields\":[{\"name\":\"a\",\"title\":\"Long title\",\"offset\":3,\"dtype\":\"<i4\"}],\"itemsize\":9}", 1, {2}, false, NULL, 210, UINT64_C(0x3ad48c9b9f21dd11)},
    {"{\"fields\":[{\"name\":\"n\",\"offset\":0,\"dtype\":{\"fields\":[{\"name\":\"n\",\"offset\":0,\"dtype\":{\"fields\":[{\"name\":\"n\",\"offset\":0,\"dtype\":{\"fields\":[{\"name\":\"n\",\"offset\":0,\"dtype\":{\"fields\":[{\"name\":\"n\",\"offset\":0,\"dtype\":{\"fields\":[{\"name\":\"n\",\"offset\":0,\"dtype\":{\"fields\":[{\"name\":\"n\",\"offset\":0,\"dtype\":{\"fields\":[{\"name\":\"n\",\"offset\":0,\"dtype\":{\"fields\":[{\"name\":\"n\",\"offset\":0,\"dtype\":{\"fields\":[{\"name\":\"n\",\"offset\":0,\"dtype\":{\"fields\":[{\"name\":\"n\",\"offset\":0,\"dtype\":{\"fields\":[{\"name\":\"n\",\"offset\":0,\"dtype\":{\"fields\":[{\"name\":\"n\",\"offset\":0,\"dtype\":{\"fields\":[{\"name\":\"n\",\"offset\":0,\"dtype\":{\"fields\":[{\"name\":\"n\",\"offset\":0,\"dtype\":{\"fields\":[{\"name\":\"n\",\"offset\":0,\"dtype\":{\"fields\":[{\"name\":\"n\",\"offset\":0,\"dtype\":{\"fields\":[{\"name\":\"n\",\"offset\":0,\"dtype\":{\"fields\":[{\"name\":\"n\",\"offset\":0,\"dtype\":{\"fields\":[{\"name\":\"n\",\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}}],\"itemsize\":2}}],\"itemsize\":2}}],\"itemsize\":2}}],\"itemsize\":2}}],\"itemsize\":2}}],\"itemsize\":2}}],\"itemsize\":2}}],\"itemsize\":2}}],\"itemsize\":2}}],\"itemsize\":2}}],\"itemsize\":2}}],\"itemsize\":2}}],\"itemsize\":2}}],\"itemsize\":2}}],\"itemsize\":2}}],\"itemsize\":2}}],\"itemsize\":2}}],\"itemsize\":2}}],\"itemsize\":2}", 1, {1}, false, NULL, 322, UINT64_C(0x882c10bede8507e3)},
    /* Names in the form of repr(); the last three need version 3.0. */
    {"{\"fields\":[{\"name\":\"it's\",\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}", 1, {1}, false, NULL, 130, UINT64_C(0x2fba6c3c99e1de08)},
    {"{\"fields\":[{\"name\":\"say \\\"x\\\"\",\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}", 1, {1}, false, NULL, 130, UINT64_C(0xfbcf34bdb0868430)},
    {"{\"fields\":[{\"name\":\"both '\\\"\",\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}", 1, {1}, false, NULL, 130, UINT64_C(0xc8a2e2a603a3678d)},
    {"{\"fields\":[{\"name\":\"back\\\\slash\",\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}", 1, {1}, false, NULL, 130, UINT64_C(0x0c22e9510b28b19f)},
    {"{\"fields\":[{\"name\":\"new\\nline\\t\\r\",\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}", 1, {1}, false, NULL, 130, UINT64_C(0xdecf76c01a11ccab)},
    {"{\"fields\":[{\"name\":{\"codepoints\":[110,117,108,0,120]},\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}", 1, {1}, false, NULL, 130, UINT64_C(0x27ba36f628176dd4)},
    {"{\"fields\":[{\"name\":\"\\u0001\177\302\200\302\237\302\240\302\255\303\277\",\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}", 1, {1}, false, NULL, 130, UINT64_C(0x1ca22ce683107bbd)},
    {"{\"fields\":[{\"name\":{\"codepoints\":[55296]},\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}", 1, {1}, false, NULL, 130, UINT64_C(0xaaf42c26b69ec09e)},
    {"{\"fields\":[{\"name\":\"\342\200\213\",\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}", 1, {1}, false, NULL, 130, UINT64_C(0x3e7642abf68642ca)},
    {"{\"fields\":[{\"name\":\"\342\200\250\",\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}", 1, {1}, false, NULL, 130, UINT64_C(0x8a5187c9629a59ea)},
    {"{\"fields\":[{\"name\":\"\315\270\",\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}", 1, {1}, false, NULL, 130, UINT64_C(0x389ee99ca7e46228)},
    {"{\"fields\":[{\"name\":\"\363\240\200\201\",\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}", 1, {1}, false, NULL, 130, UINT64_C(0x4c5de2be2d48d01e)},
    {"{\"fields\":[{\"name\":\"\357\277\277\",\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}", 1, {1}, false, NULL, 130, UINT64_C(0x6ba01c6af7675f72)},
    {"{\"fields\":[{\"name\":\"\303\251\",\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}", 1, {1}, false, NULL, 130, UINT64_C(0x65b7069f93cef1f8)},
    {"{\"fields\":[{\"name\":\"\316\261\",\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}", 1, {1}, false, NULL, 130, UINT64_C(0x20325ea7af76dda8)},
    {"{\"fields\":[{\"name\":\"\360\237\230\200\",\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}", 1, {1}, false, NULL, 130, UINT64_C(0xf0ddc0f9d888de3c)},
    {"{\"fields\":[{\"name\":\"\303\251\314\201\",\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}", 1, {1}, false, NULL, 130, UINT64_C(0x4974bd793131bb7e)},
};
/* clang-format on */

#endif
