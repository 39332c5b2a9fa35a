/* pickle_graph_vectors.h: NumPy's pickles of small graphs: lengths and hashes (FNV-1a, base/rng.h) of
 * pickle.dumps(root, protocol) for protocols 0 to 5, by the C pickler of CPython 3.11.
 *
 * The Python testee builds the graphs from their recipes with the classes of
 * harness/testees/python/numpy_testee/graph_classes.py. A row of zeros marks a result that depends on CPython: whether
 * the letter b of _mareconstruct and that of _reconstruct are one object.
 */
#ifndef NDP_PICKLE_GRAPH_VECTORS_H
#define NDP_PICKLE_GRAPH_VECTORS_H

#include <stdint.h>

struct graph_vector {
    const char *what;
    const char *nodes; /* of the recipe; node 0 is the root */
    struct {
        uint64_t size_bytes;
        uint64_t hash;
    } releases[2][6]; /* NumPy 1.26.4, then 2.4.6 */
};

/* clang-format off */
static const struct graph_vector graph_vectors[] = {
    {"scalars in a list",
     "{\"list\":[1,2,3,4,5,6,7,8,9,10]},{\"none\":true},{\"bool\":true},{\"int\":\"-5\"},{\"int\":\"2147483648\"},"
     "{\"int\":\"-9223372036854775808\"},{\"int\":\"1208925819614629174706176\"},{\"float\":\"3ff8000000000000\"},"
     "{\"text\":\"caf\\u00e9\"},{\"bytes\":\"00ff0a\"},{\"float\":\"7ff8000000000001\"}",
     {{{165, UINT64_C(0x665503c99077cf0e)}, {159, UINT64_C(0xc56238cff8b1134c)}, {123, UINT64_C(0x739b07203019a892)}, {82, UINT64_C(0xe4b0c9850e15ee9a)}, {85, UINT64_C(0x2fabd4f8130aec6e)}, {85, UINT64_C(0x479b0825c41bf54f)}},
      {{165, UINT64_C(0x665503c99077cf0e)}, {159, UINT64_C(0xc56238cff8b1134c)}, {123, UINT64_C(0x739b07203019a892)}, {82, UINT64_C(0xe4b0c9850e15ee9a)}, {85, UINT64_C(0x2fabd4f8130aec6e)}, {85, UINT64_C(0x479b0825c41bf54f)}}}},
    {"a list in itself, an item twice",
     "{\"list\":[0,1,1]},{\"list\":[]}",
     {{{20, UINT64_C(0x826849ad9171301e)}, {13, UINT64_C(0xc79fe37128173be4)}, {15, UINT64_C(0x833f9b3e4db1d5e6)}, {15, UINT64_C(0x2946d031bca677ab)}, {22, UINT64_C(0xbec45a16fc14d9b3)}, {22, UINT64_C(0xe5e9915ccbe77b8c)}},
      {{20, UINT64_C(0x826849ad9171301e)}, {13, UINT64_C(0xc79fe37128173be4)}, {15, UINT64_C(0x833f9b3e4db1d5e6)}, {15, UINT64_C(0x2946d031bca677ab)}, {22, UINT64_C(0xbec45a16fc14d9b3)}, {22, UINT64_C(0xe5e9915ccbe77b8c)}}}},
    {"a cycle through a tuple",
     "{\"list\":[1]},{\"tuple\":[0,2]},{\"int\":\"1\"}",
     {{{18, UINT64_C(0x65dde928a14c3fa2)}, {13, UINT64_C(0xd65ae5fb6d320ba4)}, {14, UINT64_C(0x1bbeb4beb8d3a94e)}, {14, UINT64_C(0x4c488d0caaa36519)}, {21, UINT64_C(0x149980ba42324816)}, {21, UINT64_C(0x3df72e8c34bc8d6b)}},
      {{18, UINT64_C(0x65dde928a14c3fa2)}, {13, UINT64_C(0xd65ae5fb6d320ba4)}, {14, UINT64_C(0x1bbeb4beb8d3a94e)}, {14, UINT64_C(0x4c488d0caaa36519)}, {21, UINT64_C(0x149980ba42324816)}, {21, UINT64_C(0x3df72e8c34bc8d6b)}}}},
    {"a tuple that holds the list that holds it",
     "{\"tuple\":[1]},{\"list\":[0,0]}",
     {{{25, UINT64_C(0x4ae1a646467f00b7)}, {18, UINT64_C(0x08b806a497daf591)}, {18, UINT64_C(0x742734b7f594d67b)}, {18, UINT64_C(0xbfa42ad6c3fa5f5c)}, {25, UINT64_C(0x932df5a3ccdf66f5)}, {25, UINT64_C(0x29a8a03c9622b28c)}},
      {{25, UINT64_C(0x4ae1a646467f00b7)}, {18, UINT64_C(0x08b806a497daf591)}, {18, UINT64_C(0x742734b7f594d67b)}, {18, UINT64_C(0xbfa42ad6c3fa5f5c)}, {25, UINT64_C(0x932df5a3ccdf66f5)}, {25, UINT64_C(0x29a8a03c9622b28c)}}}},
    {"a long tuple in a cycle",
     "{\"tuple\":[1,2,2,2]},{\"list\":[0]},{\"int\":\"1\"}",
     {{{42, UINT64_C(0x80250324e187e6c2)}, {27, UINT64_C(0xce699a0d687f822a)}, {29, UINT64_C(0xa833e3052375d76c)}, {29, UINT64_C(0xccbf52567bb8bd0d)}, {36, UINT64_C(0x56fe9a599e01f6ef)}, {36, UINT64_C(0x66eb786261c897f8)}},
      {{42, UINT64_C(0x80250324e187e6c2)}, {27, UINT64_C(0xce699a0d687f822a)}, {29, UINT64_C(0xa833e3052375d76c)}, {29, UINT64_C(0xccbf52567bb8bd0d)}, {36, UINT64_C(0x56fe9a599e01f6ef)}, {36, UINT64_C(0x66eb786261c897f8)}}}},
    {"a dict in itself",
     "{\"dict\":[[1,0],[2,3]]},{\"text\":\"self\"},{\"int\":\"2\"},{\"tuple\":[]}",
     {{{25, UINT64_C(0x409fcab1208b4bb4)}, {22, UINT64_C(0x378a34255ae9b108)}, {24, UINT64_C(0x6be2308a84ead646)}, {24, UINT64_C(0x8ca08ec97d2d2a51)}, {28, UINT64_C(0xe5dd40833e26d9c1)}, {28, UINT64_C(0x489dee0fd40c930a)}},
      {{25, UINT64_C(0x409fcab1208b4bb4)}, {22, UINT64_C(0x378a34255ae9b108)}, {24, UINT64_C(0x6be2308a84ead646)}, {24, UINT64_C(0x8ca08ec97d2d2a51)}, {28, UINT64_C(0xe5dd40833e26d9c1)}, {28, UINT64_C(0x489dee0fd40c930a)}}}},
    {"an array twice",
     "{\"list\":[1,1]},"
     "{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"000000000000f03f0000000000000040\"}}}}",
     {{{334, UINT64_C(0x9e2c9d5a8b8dad74)}, {243, UINT64_C(0x467e83e91f671cf1)}, {230, UINT64_C(0x0c2e006f9bed49cb)}, {176, UINT64_C(0x9b47d454d4e70083)}, {169, UINT64_C(0xffae3fbcb7971304)}, {148, UINT64_C(0x5075ebe26d528abf)}},
      {{335, UINT64_C(0x2066abf8200250bb)}, {244, UINT64_C(0x77ba087838000952)}, {231, UINT64_C(0x4136ca229ce66fde)}, {177, UINT64_C(0xeba23cc6918dcc90)}, {170, UINT64_C(0x44b351860e7c251f)}, {149, UINT64_C(0xb94a34ded3962a40)}}}},
    {"two arrays",
     "{\"list\":[1,2]},"
     "{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"000000000000f03f0000000000000040\"}}}},"
     "{\"array\":{\"base\":{\"dtype\":\"<i4\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"0100000002000000\"}}}}",
     {{{502, UINT64_C(0xad148126249c8787)}, {353, UINT64_C(0x40bb3982488583d7)}, {326, UINT64_C(0x72d4128a9aff0bd9)}, {259, UINT64_C(0xb55799b4317c2f61)}, {239, UINT64_C(0xa82a6aa8a976868d)}, {213, UINT64_C(0x5da8a8ffdcbd1e9c)}},
      {{503, UINT64_C(0xa5ba4eb16b756180)}, {354, UINT64_C(0x2221e8bcc7b44470)}, {327, UINT64_C(0xd1650eb857dc511c)}, {260, UINT64_C(0xeb6b4ea5d480aed0)}, {240, UINT64_C(0x92dc75e694729136)}, {214, UINT64_C(0x59f8c847753e5b41)}}}},
    {"an array and a view",
     "{\"list\":[1,2]},"
     "{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"000000000000f03f0000000000000040\"}}}},"
     "{\"view\":{\"of\":1,\"views\":[{\"slice\":[[0,1,2]]}]}}",
     {{{490, UINT64_C(0xcfbfeb76ebc5369c)}, {314, UINT64_C(0x9cd56106a0bc47f5)}, {294, UINT64_C(0x5e8284637608047a)}, {226, UINT64_C(0x7cfb1197e4bb8566)}, {213, UINT64_C(0x55f3ecbabc9b6de5)}, {187, UINT64_C(0x07a4c6a181e23122)}},
      {{491, UINT64_C(0x8ed026f122812caf)}, {315, UINT64_C(0xcd858d6e3d2f51e8)}, {295, UINT64_C(0xcd48173888938767)}, {227, UINT64_C(0x357b90549d8b57ed)}, {214, UINT64_C(0x1f3f0d4564e6e8b2)}, {188, UINT64_C(0xf5a60a16cd307a2b)}}}},
    {"a transposed view",
     "{\"tuple\":[1,2]},"
     "{\"array\":{\"base\":{\"dtype\":\"<i4\",\"shape\":[2,1],\"data\":{\"pattern\":\"hex\",\"hex\":\"0100000002000000\"}}}},"
     "{\"view\":{\"of\":1,\"views\":[{\"transpose\":[1,0]}]}}",
     {{{408, UINT64_C(0x0fa0921e944a5541)}, {299, UINT64_C(0xf8582c7ffe5d5870)}, {278, UINT64_C(0x6b2082593ef59857)}, {212, UINT64_C(0xcfc4d85600e6e519)}, {199, UINT64_C(0x9578edd237dafea1)}, {173, UINT64_C(0x3dd9d7908e703bde)}},
      {{409, UINT64_C(0x6768a07c482687e6)}, {300, UINT64_C(0x24f778f5b89884f9)}, {279, UINT64_C(0x35118170d7c5ab8a)}, {213, UINT64_C(0x7cdd289b3f4c7982)}, {200, UINT64_C(0xb792a9949fe50ba4)}, {174, UINT64_C(0xb7abbb4985ef4bb5)}}}},
    {"objects",
     "{\"objects\":{\"shape\":[2,2],\"items\":[1,2,1,0]}},{\"text\":\"x\"},"
     "{\"array\":{\"base\":{\"dtype\":\"<i4\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"0100000002000000\"}}}}",
     {{{421, UINT64_C(0x5090ef08353733c4)}, {338, UINT64_C(0xa8d73dea95b8073c)}, {312, UINT64_C(0x20cbc78fff9cbf8d)}, {259, UINT64_C(0x72dd42906cf1cc5f)}, {232, UINT64_C(0x03f75c178a95d8fa)}, {264, UINT64_C(0xfaa4f4d8925b29b8)}},
      {{422, UINT64_C(0xc92c068af1f26863)}, {339, UINT64_C(0xfdeab851afbee07d)}, {313, UINT64_C(0xae5c6b184be3fbd0)}, {260, UINT64_C(0x88f7f8e08d94fd16)}, {233, UINT64_C(0x0f99edaed5146535)}, {266, UINT64_C(0xb50d63f4b82602dc)}}}},
    {"objects in Fortran order",
     "{\"objects\":{\"shape\":[2,3],\"items\":[1,2,1,2,0,1],\"order\":\"F\"}},{\"int\":\"7\"},{\"text\":\"x\"}",
     {{{257, UINT64_C(0x74156057edcabf88)}, {226, UINT64_C(0xad9df50a886219a6)}, {214, UINT64_C(0x2c1b523703b43cfd)}, {174, UINT64_C(0x4acf1114f7231adf)}, {164, UINT64_C(0xb777ca78417cf237)}, {164, UINT64_C(0xe9b411e67699f81c)}},
      {{258, UINT64_C(0x12037a4d902f4837)}, {227, UINT64_C(0x022f91ae298649a3)}, {215, UINT64_C(0x1ff52f43ce0f4f5c)}, {175, UINT64_C(0x927168c9b3bde490)}, {165, UINT64_C(0x5e30566c4894725c)}, {165, UINT64_C(0x5ac854460c7b6889)}}}},
    {"objects of no items",
     "{\"objects\":{\"shape\":[0],\"items\":[]}}",
     {{{225, UINT64_C(0xa8369a1c8d262b81)}, {204, UINT64_C(0x241d601dedfe3ce2)}, {192, UINT64_C(0x28c35f87011f7928)}, {152, UINT64_C(0x2587a6afefb2d966)}, {146, UINT64_C(0x405a4ef21030a431)}, {146, UINT64_C(0x1bb4123d93b477aa)}},
      {{226, UINT64_C(0xcd720a4d1d9ea08a)}, {205, UINT64_C(0xf0a0cddc33d1a79f)}, {193, UINT64_C(0x08392c3c3cf71c55)}, {153, UINT64_C(0x09eafaa5e17dab75)}, {147, UINT64_C(0x028bb9d32d7298be)}, {147, UINT64_C(0xcec40f5bae28eb3b)}}}},
    {"objects without axes",
     "{\"objects\":{\"shape\":[],\"items\":[0]}}",
     {{{222, UINT64_C(0x9e9903b5064c782e)}, {202, UINT64_C(0x889d542971f5c547)}, {191, UINT64_C(0x67e016626262177a)}, {151, UINT64_C(0xa3f241eccfed26c4)}, {146, UINT64_C(0xc506a5e1d9ea42f0)}, {146, UINT64_C(0xf849ff2214f9c07f)}},
      {{223, UINT64_C(0xc6637b04ab358bf7)}, {203, UINT64_C(0x11e92a4d9214a85e)}, {192, UINT64_C(0xae9411e49a6b781d)}, {152, UINT64_C(0x30870b2e0ce029ed)}, {147, UINT64_C(0x0dc53521f48a78a3)}, {147, UINT64_C(0x5e0107ebb16937de)}}}},
    {"plain",
     "{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"000000000000f03f0000000000000040\"}},\"class\":{\"name\":\"plain\"}},\"attributes\":{\"extra\":1}},"
     "{\"text\":\"kept\"}",
     {{{341, UINT64_C(0xda9c2c2f80fff688)}, {255, UINT64_C(0x7b202b41331f5368)}, {242, UINT64_C(0x3c103ad5e90ecaea)}, {188, UINT64_C(0xd1cb814195dacd32)}, {188, UINT64_C(0xc9168bd482730589)}, {188, UINT64_C(0x9bf850df255ca9ae)}},
      {{342, UINT64_C(0xa68612127a228f13)}, {256, UINT64_C(0x981ad7521b3c92a3)}, {243, UINT64_C(0x960d48c1121743db)}, {189, UINT64_C(0x10fa5500c70dac89)}, {189, UINT64_C(0x6c31e82299d0efbe)}, {189, UINT64_C(0x414afb72f4a2c2ef)}}}},
    {"finalize_none",
     "{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"000000000000f03f0000000000000040\"}},\"class\":{\"name\":\"finalize_none\"}},\"attributes\":{\"extra\":1}},"
     "{\"text\":\"kept\"}",
     {{{349, UINT64_C(0xa3f2128b2a3225ad)}, {263, UINT64_C(0x3420ed329381e9fb)}, {250, UINT64_C(0xb5b8ab7a578bacc9)}, {196, UINT64_C(0x1ac672b1af827acd)}, {196, UINT64_C(0xab71e907ec9b0b4c)}, {196, UINT64_C(0x256f77b2bebc744b)}},
      {{350, UINT64_C(0x2fb17648cf2817ae)}, {264, UINT64_C(0xce97356a5fbcdf00)}, {251, UINT64_C(0x8de06a94f9ed691c)}, {197, UINT64_C(0xbf1bde072fee09fe)}, {197, UINT64_C(0xa41729e3b298af4b)}, {197, UINT64_C(0xa2460afc5b0a29ca)}}}},
    {"finalize_getattr",
     "{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"000000000000f03f0000000000000040\"}},\"class\":{\"name\":\"finalize_getattr\"}},\"attributes\":{\"extra\":1}},"
     "{\"text\":\"kept\"}",
     {{{352, UINT64_C(0xf16c271270d55a20)}, {266, UINT64_C(0xfee9c9b828ba7296)}, {253, UINT64_C(0x4dacb5d00828befc)}, {199, UINT64_C(0x5d5b844098c23322)}, {199, UINT64_C(0x199cb822c9afb625)}, {199, UINT64_C(0xa0bdb9292f1372dc)}},
      {{353, UINT64_C(0x4da40db0b7862d0d)}, {267, UINT64_C(0x35cf7236d671dbcb)}, {254, UINT64_C(0x8ef1192a2cdca8db)}, {200, UINT64_C(0x9957b41534359dcb)}, {200, UINT64_C(0x053cfeab203b0698)}, {200, UINT64_C(0x39b9c30d24cc3e6b)}}}},
    {"reduce_setstate",
     "{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"000000000000f03f0000000000000040\"}},\"class\":{\"name\":\"reduce_setstate\"}},\"attributes\":{\"extra\":1}},"
     "{\"text\":\"kept\"}",
     {{{379, UINT64_C(0x7962564e581885bb)}, {292, UINT64_C(0x7eaf0a260062be22)}, {279, UINT64_C(0x426b32d11c230330)}, {225, UINT64_C(0x773d2fbd203792a2)}, {216, UINT64_C(0xa396e9a12b7df578)}, {216, UINT64_C(0x16903fc3e2d403fb)}},
      {{380, UINT64_C(0x8559420f5f6a2210)}, {293, UINT64_C(0x8e6df295605e5bd3)}, {280, UINT64_C(0xc6e87908bf3692cf)}, {226, UINT64_C(0x5db215fb37ce804f)}, {217, UINT64_C(0xe725dbd47485bfb3)}, {217, UINT64_C(0xfe296b9ff70e4c5e)}}}},
    {"reduce_pair",
     "{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"000000000000f03f0000000000000040\"}},\"class\":{\"name\":\"reduce_pair\"}},\"attributes\":{\"extra\":1}},"
     "{\"text\":\"kept\"}",
     {{{381, UINT64_C(0xa53295e848907efa)}, {292, UINT64_C(0xf8bd9b6e8f1eb658)}, {278, UINT64_C(0x6660ef90df7bc246)}, {224, UINT64_C(0xafc62549be136f82)}, {214, UINT64_C(0xbb5e0d111171c06d)}, {214, UINT64_C(0x73ed0d3e3c3fc2ba)}},
      {{382, UINT64_C(0x8b912755d64069f1)}, {293, UINT64_C(0x92263a6c48de2905)}, {279, UINT64_C(0x9351f40588313c17)}, {225, UINT64_C(0x60346646fc61495d)}, {215, UINT64_C(0xa7d6e9d24109d40e)}, {215, UINT64_C(0xff74a0390ae6795f)}}}},
    {"reduce_only",
     "{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"000000000000f03f0000000000000040\"}},\"class\":{\"name\":\"reduce_only\"}},\"attributes\":{\"extra\":1}},"
     "{\"text\":\"kept\"}",
     {{{445, UINT64_C(0x59e51fdb8f44dd48)}, {350, UINT64_C(0x5076ec8914a4ae4b)}, {336, UINT64_C(0x95f9b6ac48b77c0c)}, {282, UINT64_C(0xabe94bd6c6bb74ec)}, {244, UINT64_C(0xfb77ff8a0666a31e)}, {223, UINT64_C(0x809e6d531f2aa8c5)}},
      {{446, UINT64_C(0x0d6e8a378b7be7f3)}, {351, UINT64_C(0xb92f45e1840f9c56)}, {337, UINT64_C(0x111925c9c6405ce3)}, {283, UINT64_C(0x496b01ebc89560bd)}, {245, UINT64_C(0xf559a234e42d25f7)}, {224, UINT64_C(0x456aaa2ba280ace8)}}}},
    {"reduce_ex",
     "{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"000000000000f03f0000000000000040\"}},\"class\":{\"name\":\"reduce_ex\"}},\"attributes\":{\"extra\":1}},"
     "{\"text\":\"kept\"}",
     {{{443, UINT64_C(0xbe3a8aa30cc833d3)}, {348, UINT64_C(0x48029b46231608f8)}, {334, UINT64_C(0x768922964dbe3561)}, {280, UINT64_C(0xbbcb3e80b2fc2581)}, {242, UINT64_C(0x71f631145e455667)}, {221, UINT64_C(0x09bd0c5415d23e26)}},
      {{444, UINT64_C(0x622036f1a17b46d6)}, {349, UINT64_C(0x7fc10622f3e401fb)}, {335, UINT64_C(0x9316586f6c6d8e8c)}, {281, UINT64_C(0x102fd19e451aa4c6)}, {243, UINT64_C(0x89777ebf8ce05d3c)}, {222, UINT64_C(0x7127bbff60ffd39d)}}}},
    {"slots",
     "{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"000000000000f03f0000000000000040\"}},\"class\":{\"name\":\"slots\"}},\"attributes\":{\"extra\":1}},"
     "{\"text\":\"kept\"}",
     {{{341, UINT64_C(0x2dda143a4e1df329)}, {255, UINT64_C(0x3d58664cc8b4030f)}, {242, UINT64_C(0x64cdc9f0d36a7c55)}, {188, UINT64_C(0x085a659372d02a79)}, {188, UINT64_C(0x91e627e4b6c54080)}, {188, UINT64_C(0xb2ba576792488b0f)}},
      {{342, UINT64_C(0x17c6ae1e544be61a)}, {256, UINT64_C(0xde7cd257f5b38c9c)}, {243, UINT64_C(0xb3d61564126d6c68)}, {189, UINT64_C(0xe52534ba38f0b60a)}, {189, UINT64_C(0xdb16925a58a51b1f)}, {189, UINT64_C(0xdc0013e9d8de5bb6)}}}},
    {"reduce_setstate in itself",
     "{\"list\":[1,1]},"
     "{\"array\":{\"base\":{\"dtype\":\">i4\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"0100000002000000\"}},\"class\":{\"name\":\"reduce_setstate\"}},\"attributes\":{\"extra\":1,\"note\":0}}",
     {{{356, UINT64_C(0xa256f8131331dc8b)}, {295, UINT64_C(0x2104672ee196e860)}, {282, UINT64_C(0x6ce2d2b7e2436d12)}, {229, UINT64_C(0x4ece5365784141a6)}, {219, UINT64_C(0x889f065434d021aa)}, {219, UINT64_C(0x41eec8034b6c3a57)}},
      {{357, UINT64_C(0x9d2efb6787933fcc)}, {296, UINT64_C(0x6efab6844340d4bb)}, {283, UINT64_C(0x704674324d5d284b)}, {230, UINT64_C(0x69b6787d7512e16b)}, {220, UINT64_C(0x6758c3c0b9835b25)}, {220, UINT64_C(0xbc02f10b5b308eaa)}}}},
    {"reduce_pair in itself",
     "{\"list\":[1,1]},"
     "{\"array\":{\"base\":{\"dtype\":\">i4\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"0100000002000000\"}},\"class\":{\"name\":\"reduce_pair\"}},\"attributes\":{\"extra\":1,\"note\":0}}",
     {{{358, UINT64_C(0xc70800f8e1be7cf5)}, {295, UINT64_C(0x89e74c556bc67feb)}, {281, UINT64_C(0xf012b99de1e79a31)}, {228, UINT64_C(0x082b158f9495128d)}, {217, UINT64_C(0x4bec8a82cfe92acf)}, {217, UINT64_C(0x125868c9be176662)}},
      {{359, UINT64_C(0x79323e6c41d77f4e)}, {296, UINT64_C(0x270f0eeedcebe1a4)}, {282, UINT64_C(0x9a3070f99e57a56a)}, {229, UINT64_C(0xea60a541190e2692)}, {218, UINT64_C(0xa1f2d89e97cf2b3c)}, {218, UINT64_C(0x7101502c3ca3d383)}}}},
    {"reduce_only with a view of itself",
     "{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"000000000000f03f0000000000000040\"}},\"class\":{\"name\":\"reduce_only\"}},\"attributes\":{\"extra\":1,\"unit\":2}},"
     "{\"view\":{\"of\":0,\"views\":[{\"slice\":[[0,1,1]]}]}},{\"text\":\"m\"}",
     {{{570, UINT64_C(0x9c4f24f343a04ddd)}, {424, UINT64_C(0x2744d417b406ee9f)}, {403, UINT64_C(0xb0aa57638270b051)}, {335, UINT64_C(0xa428af7ebb4d2f27)}, {287, UINT64_C(0x4631c5d5ed9e4edc)}, {261, UINT64_C(0x9bc11f10e38a1304)}},
      {{571, UINT64_C(0xa249240236731488)}, {425, UINT64_C(0x36c08f44595e28b6)}, {404, UINT64_C(0x58ea2d688b0c0798)}, {336, UINT64_C(0x4ddf127be3e55958)}, {288, UINT64_C(0xa9595576bfb92d3d)}, {262, UINT64_C(0x04f5a23f6b545749)}}}},
    {"two of one class",
     "{\"list\":[1,2,3]},"
     "{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"000000000000f03f0000000000000040\"}},\"class\":{\"name\":\"reduce_pair\"}},\"attributes\":{\"extra\":3}},"
     "{\"array\":{\"base\":{\"dtype\":\"<i4\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"0100000002000000\"}},\"class\":{\"name\":\"reduce_pair\"}},\"attributes\":{\"extra\":4}},"
     "{\"list\":[]},{\"text\":\"other\"}",
     {{{590, UINT64_C(0x41693e1667302c6e)}, {425, UINT64_C(0xe91acd8a050c0697)}, {396, UINT64_C(0x29f20277a473bbaf)}, {329, UINT64_C(0x597c81c96937f755)}, {302, UINT64_C(0xa982e225ad4eade4)}, {302, UINT64_C(0x619c067ab7dd0f13)}},
      {{591, UINT64_C(0x10ca3ef873128ef5)}, {426, UINT64_C(0x8b256d788ab36e24)}, {397, UINT64_C(0x391f8dac8f08c31a)}, {330, UINT64_C(0x38d6bb318c062570)}, {303, UINT64_C(0xcbb32ca9ac6f0397)}, {303, UINT64_C(0xb36f9c4143348072)}}}},
    {"matrix",
     "{\"array\":{\"base\":{\"dtype\":\"<i4\",\"shape\":[1,2],\"data\":{\"pattern\":\"hex\",\"hex\":\"0100000002000000\"}},\"class\":{\"name\":\"matrix\"}}}",
     {{{281, UINT64_C(0x22ed7dc25fcf4d0d)}, {228, UINT64_C(0x767c54b76706abbe)}, {215, UINT64_C(0x19e730cd7195d58f)}, {162, UINT64_C(0x4d4d30a9d92b6d7b)}, {156, UINT64_C(0xcbad9da606e79b65)}, {156, UINT64_C(0xa371c105e7d5d996)}},
      {{282, UINT64_C(0xf5f5c8846eaedc42)}, {229, UINT64_C(0x8fd4c00a8ba7b50f)}, {216, UINT64_C(0x6f28e1a933866508)}, {163, UINT64_C(0x97cfa8a5be727794)}, {157, UINT64_C(0x930226023ffc8ce6)}, {157, UINT64_C(0x8f307f6b6b3efe07)}}}},
    {"recarray",
     "{\"array\":{\"base\":{\"dtype\":{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":\"<i4\"},{\"name\":\"b\",\"offset\":4,\"dtype\":\">f8\"}],\"itemsize\":12},\"shape\":[1],\"data\":{\"pattern\":\"hex\",\"hex\":\"010000003ff0000000000000\"}},\"class\":{\"name\":\"recarray\"}}}",
     {{{480, UINT64_C(0x73f7ad1ceadd549b)}, {379, UINT64_C(0x82a9199f8d185a29)}, {349, UINT64_C(0xa0c59738b96962a3)}, {301, UINT64_C(0xcac7835ebfd95468)}, {262, UINT64_C(0xfcec9ca052caafa0)}, {262, UINT64_C(0xf9f2f429113c9533)}},
      {{485, UINT64_C(0x7c3e3901adaf4962)}, {384, UINT64_C(0x3cf084df45ba1b1a)}, {354, UINT64_C(0xbd93a47f198b61e8)}, {306, UINT64_C(0xf6147c3f2c7ae66d)}, {273, UINT64_C(0x659e3a8c0795976f)}, {273, UINT64_C(0x2e7b6e9885533ea2)}}}},
    {"recarray without fields",
     "{\"array\":{\"base\":{\"dtype\":\"<i4\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"0100000002000000\"}},\"class\":{\"name\":\"recarray\"}}}",
     {{{280, UINT64_C(0x01655d61817f323b)}, {228, UINT64_C(0xa3363878aae282e4)}, {215, UINT64_C(0x5983ae45b167f816)}, {162, UINT64_C(0x10e02b6702e4c468)}, {156, UINT64_C(0x4845ddfd810ba84a)}, {156, UINT64_C(0x7863ca40bcf7d215)}},
      {{285, UINT64_C(0x75f1e97e681734a2)}, {233, UINT64_C(0x12e51e429195ef41)}, {220, UINT64_C(0xa68479a1213e47f5)}, {167, UINT64_C(0x652b70093e60899b)}, {167, UINT64_C(0xed7fab0a0629e528)}, {167, UINT64_C(0x42e4b8ef0b36b729)}}}},
    {"masked",
     "{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"000000000000f03f0000000000000040\"}},\"class\":{\"name\":\"MaskedArray\"}},\"mask\":1},"
     "{\"array\":{\"base\":{\"dtype\":\"|b1\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"0001\"}}}}",
     {{{363, UINT64_C(0x89228b0d6d35272f)}, {269, UINT64_C(0xa26d99a66036e8a6)}, {257, UINT64_C(0x4f25c07c67c841f7)}, {203, UINT64_C(0x1394837b0e7fafef)}, {182, UINT64_C(0xb719b4e34ad9e5da)}, {182, UINT64_C(0x3862a83392a2effd)}},
      {{358, UINT64_C(0x3c11ab89e97b73be)}, {264, UINT64_C(0x4f5a79139359f993)}, {252, UINT64_C(0x367fde92d3cec46e)}, {198, UINT64_C(0xa17ad93338be5ff0)}, {191, UINT64_C(0xbefb3181e87afd69)}, {191, UINT64_C(0x30da0d824bce22f0)}}}},
    {"masked, nomask",
     "{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"000000000000f03f0000000000000040\"}},\"class\":{\"name\":\"MaskedArray\"}}}",
     {{{368, UINT64_C(0xcc940eeea032f585)}, {269, UINT64_C(0x0985a71d22635e3d)}, {257, UINT64_C(0xb843aa78df3b1d04)}, {203, UINT64_C(0xf2803205dc6510e4)}, {182, UINT64_C(0x2300dbaa4d0198b9)}, {182, UINT64_C(0xa9205ac63289d76e)}},
      {{363, UINT64_C(0x4c98d44cd4671b52)}, {264, UINT64_C(0xc67a298e9db3ef44)}, {252, UINT64_C(0xdb199b1fd68ff4b1)}, {198, UINT64_C(0x0ed76e8adfa8837b)}, {191, UINT64_C(0x05fbe93bfc9c060a)}, {191, UINT64_C(0xb55ad3dad282b677)}}}},
    {"masked, fill value",
     "{\"array\":{\"base\":{\"dtype\":\"<i4\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"0100000002000000\"}},\"class\":{\"name\":\"MaskedArray\"}},\"mask\":1,\"fill_value\":\"09000000\"},"
     "{\"array\":{\"base\":{\"dtype\":\"|b1\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"0100\"}}}}",
     {{{0, UINT64_C(0x0000000000000000)}, {0, UINT64_C(0x0000000000000000)}, {0, UINT64_C(0x0000000000000000)}, {269, UINT64_C(0x920237c2577130a1)}, {245, UINT64_C(0xc8db66693f2117ec)}, {236, UINT64_C(0x49819feb3459f633)}},
      {{0, UINT64_C(0x0000000000000000)}, {0, UINT64_C(0x0000000000000000)}, {0, UINT64_C(0x0000000000000000)}, {265, UINT64_C(0x865b2dd3a9d7ae79)}, {255, UINT64_C(0x88a200971fb6f222)}, {246, UINT64_C(0x74dc0ee12f79af12)}}}},
    {"masked, big-endian, Fortran order",
     "{\"array\":{\"base\":{\"dtype\":\">i4\",\"shape\":[2,2],\"data\":{\"pattern\":\"hex\",\"hex\":\"01000000020000000100000002000000\"},\"order\":\"F\"},\"class\":{\"name\":\"MaskedArray\"}},\"mask\":1,\"fill_value\":\"09000000\"},"
     "{\"array\":{\"base\":{\"dtype\":\"|b1\",\"shape\":[2,2],\"data\":{\"pattern\":\"hex\",\"hex\":\"01000001\"},\"order\":\"F\"},\"class\":{\"name\":\"ndarray\"}}}",
     {{{0, UINT64_C(0x0000000000000000)}, {0, UINT64_C(0x0000000000000000)}, {0, UINT64_C(0x0000000000000000)}, {281, UINT64_C(0x9ec77368fc863bca)}, {257, UINT64_C(0x0b8ba3059577acd1)}, {248, UINT64_C(0x8fd0b056caf679f4)}},
      {{0, UINT64_C(0x0000000000000000)}, {0, UINT64_C(0x0000000000000000)}, {0, UINT64_C(0x0000000000000000)}, {277, UINT64_C(0xd05c7a1c4fe5f7dc)}, {267, UINT64_C(0x863bea9f4325ec5e)}, {258, UINT64_C(0xce6bd221fe6e25cb)}}}},
    {"masked, mask in another order",
     "{\"array\":{\"base\":{\"dtype\":\"<i4\",\"shape\":[2,2],\"data\":{\"pattern\":\"hex\",\"hex\":\"01000000020000000100000002000000\"},\"order\":\"F\"},\"class\":{\"name\":\"MaskedArray\"}},\"mask\":1},"
     "{\"array\":{\"base\":{\"dtype\":\"|b1\",\"shape\":[2,2],\"data\":{\"pattern\":\"hex\",\"hex\":\"01000001\"}}}}",
     {{{368, UINT64_C(0xe8dcd0f83d13b1f6)}, {272, UINT64_C(0x88a6e18bad60df0f)}, {260, UINT64_C(0x4e46540f6d4a60d3)}, {207, UINT64_C(0xd0e7c68d1c809525)}, {186, UINT64_C(0x8278d8689ca483e2)}, {186, UINT64_C(0x34c2912c2ad560c5)}},
      {{363, UINT64_C(0x20fea978ea4e28f5)}, {267, UINT64_C(0x25095c0051705570)}, {255, UINT64_C(0x8264ae5b336376c0)}, {202, UINT64_C(0x993ce879572be9c2)}, {195, UINT64_C(0xaa657cdb6f313831)}, {195, UINT64_C(0xde67b2843495bb30)}}}},
    {"masked, no axes",
     "{\"array\":{\"base\":{\"dtype\":\"<i4\",\"shape\":[],\"data\":{\"pattern\":\"hex\",\"hex\":\"01000000\"}},\"class\":{\"name\":\"MaskedArray\"}},\"mask\":1},"
     "{\"array\":{\"base\":{\"dtype\":\"|b1\",\"shape\":[],\"data\":{\"pattern\":\"hex\",\"hex\":\"01\"}}}}",
     {{{288, UINT64_C(0xd122d103a0296498)}, {250, UINT64_C(0x56b12950196dde81)}, {239, UINT64_C(0xebaaa58279c9d871)}, {186, UINT64_C(0x594e56f3fbf19459)}, {166, UINT64_C(0x96860cc43a7f16ff)}, {166, UINT64_C(0x3998cc53c45502f4)}},
      {{283, UINT64_C(0x9197c0b479f59ea7)}, {245, UINT64_C(0xa9fbf2ecb73db72a)}, {234, UINT64_C(0x9d85e5bf9ee55ab0)}, {181, UINT64_C(0x414fb479ab98e494)}, {175, UINT64_C(0x2c7e37c210182db6)}, {175, UINT64_C(0xf9746be6ce3fcdef)}}}},
    {"two masked arrays share a mask",
     "{\"list\":[1,2,3]},"
     "{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"000000000000f03f0000000000000040\"}},\"class\":{\"name\":\"MaskedArray\"}},\"mask\":3},"
     "{\"array\":{\"base\":{\"dtype\":\"<i4\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"0100000002000000\"}},\"class\":{\"name\":\"MaskedArray\"}},\"mask\":3},"
     "{\"array\":{\"base\":{\"dtype\":\"|b1\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"0001\"}}}}",
     {{{0, UINT64_C(0x0000000000000000)}, {0, UINT64_C(0x0000000000000000)}, {0, UINT64_C(0x0000000000000000)}, {424, UINT64_C(0xfa90ffce472bcfb6)}, {374, UINT64_C(0xcffe04828d50a350)}, {365, UINT64_C(0x6191c2f21485d57a)}},
      {{0, UINT64_C(0x0000000000000000)}, {0, UINT64_C(0x0000000000000000)}, {0, UINT64_C(0x0000000000000000)}, {420, UINT64_C(0x9a786888ef1e7176)}, {384, UINT64_C(0x7f6722464a7d606f)}, {375, UINT64_C(0x9390894499902462)}}}},
    {"attributes that are arrays",
     "{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"000000000000f03f0000000000000040\"}},\"class\":{\"name\":\"reduce_setstate\"}},\"attributes\":{\"extra\":1}},"
     "{\"array\":{\"base\":{\"dtype\":\"<i4\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"0100000002000000\"}},\"class\":{\"name\":\"reduce_pair\"}},\"attributes\":{\"extra\":2}},"
     "{\"array\":{\"base\":{\"dtype\":\"|S3\",\"shape\":[1],\"data\":{\"pattern\":\"hex\",\"hex\":\"616200\"}}}}",
     {{{758, UINT64_C(0xa7c71a79dbb8767c)}, {565, UINT64_C(0x7d9df750904f67f8)}, {523, UINT64_C(0xe28afd2b474e1e98)}, {443, UINT64_C(0x64408bb90c5ed6d4)}, {379, UINT64_C(0xf3081b4b3d2965ba)}, {399, UINT64_C(0x74d521c8b94050ef)}},
      {{759, UINT64_C(0xbf940f4a65fb3609)}, {566, UINT64_C(0x4f91ebf0187a1d6f)}, {524, UINT64_C(0x042cfef0ec3168bf)}, {444, UINT64_C(0x97bce5f11e57ecbd)}, {380, UINT64_C(0xcebcd1130fb0968d)}, {401, UINT64_C(0xdab0b31ec9f5d55f)}}}},
    {"many kinds of elements",
     "{\"list\":[1,2,3,4,5,6]},"
     "{\"array\":{\"base\":{\"dtype\":\"<M8[ns]\",\"shape\":[1],\"data\":{\"pattern\":\"hex\",\"hex\":\"0100000000000000\"}}}},"
     "{\"array\":{\"base\":{\"dtype\":\"<U2\",\"shape\":[1],\"data\":{\"pattern\":\"hex\",\"hex\":\"6100000000000000\"}}}},"
     "{\"array\":{\"base\":{\"dtype\":\"|V3\",\"shape\":[1],\"data\":{\"pattern\":\"hex\",\"hex\":\"010203\"}}}},"
     "{\"array\":{\"base\":{\"dtype\":\"|b1\",\"shape\":[2],\"data\":{\"pattern\":\"hex\",\"hex\":\"0001\"}}}},"
     "{\"array\":{\"base\":{\"dtype\":{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":\"<i4\"},{\"name\":\"b\",\"offset\":4,\"dtype\":\">f8\"}],\"itemsize\":12},\"shape\":[1],\"data\":{\"pattern\":\"hex\",\"hex\":\"010000003ff0000000000000\"}}}},"
     "{\"array\":{\"base\":{\"dtype\":\"<f2\",\"shape\":[0],\"data\":{\"pattern\":\"hex\",\"hex\":\"\"}}}}",
     {{{1305, UINT64_C(0x21f883537d06200f)}, {950, UINT64_C(0xc227af1bec0b19cf)}, {849, UINT64_C(0x9d87aa0071fed105)}, {715, UINT64_C(0xcebb3cdb35ff93d4)}, {605, UINT64_C(0xb34c9e887646d932)}, {617, UINT64_C(0x4e6f41ee2ce296e1)}},
      {{1300, UINT64_C(0x2bbf0d70920275a5)}, {949, UINT64_C(0xbff389c67535ba1e)}, {848, UINT64_C(0xac1a414a808649ba)}, {714, UINT64_C(0xc310b35e77d61d9e)}, {605, UINT64_C(0xde2ab1cf54972a67)}, {618, UINT64_C(0x6d1f1c3e6df0a2d5)}}}},
    {"long double",
     "{\"array\":{\"base\":{\"dtype\":\"<c16\",\"shape\":[1],\"data\":{\"pattern\":\"hex\",\"hex\":\"000000000000f03f0000000000000040\"}}}}",
     {{{323, UINT64_C(0x099ad410b1259f04)}, {237, UINT64_C(0xe7fdf3f557da138d)}, {224, UINT64_C(0x6def04adae83b3db)}, {170, UINT64_C(0x749ee1e823ec4665)}, {164, UINT64_C(0x9bafcb719d387ad8)}, {143, UINT64_C(0xd98508bf467a8d98)}},
      {{324, UINT64_C(0x6718452788860133)}, {238, UINT64_C(0xcb0fc7433d3fe7be)}, {225, UINT64_C(0x9efd8ef5e0b98d36)}, {171, UINT64_C(0x9431def83ec6d2ea)}, {165, UINT64_C(0x05b741be92e9e6cf)}, {144, UINT64_C(0xa3d32a68c9f64d93)}}}},
};
/* clang-format on */

#endif
