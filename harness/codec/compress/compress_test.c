#include "base/bytes.h"
#include "base/suite.h"
#include "codec/compress/compress.h"
#include "codec/npy/npy_encode.h"
#include "codec/source_fixture.h"

enum { PLAIN_BYTES = 700, ARENA_BYTES = 1 << 20 };

/* The 700 bytes of fill_plain compressed by Python 3.11: zlib.compress, zlib.compressobj with wbits 31, bz2.compress,
 * lzma.compress with FORMAT_ALONE and FORMAT_XZ, each level 3, and lz4.frame.compress 4.4 with a checksum. */
/* clang-format off */
static const struct {
    enum ndp_compress_method method;
    const char *hex;
} vectors[] = {
    {NDP_COMPRESS_ZLIB, "785e05c1792c150000c0613173ccf5a6acc6f37265e2f1f05468cb2fc79454bc6cdeb28e990e5e23b9860e7284c6509698a365c37355bc8ee598086dd289e71a39b77aa5acacfeeafbd0d2425b073d034c046cb7c2de094f6f0243909f21218d82321ada79f596a5758c77e0e947542cf915740db2fc07a11bb2188a6a783d85be90e05314d633b68a959473d779328a9e2df2645adf60e0487416bd73d8f993d3c09a29b2145ece230ea3aa0fc15e7294fc7324b58e5f3624d7f2db81ab4de84929e9c63a14e5347e097cd0475183be2f0fc6f14fe38b90825e3c2ea2b620bf8f7d89aceca27a928852cc421931a2609823b71184f3c992da0514edecbf81898c3927bab6503281a293903b88531144b111c08c2bc3963c35a47193ea6f942d52344b9e9a9c4972d5dc9aa578890a0df57f6933a247c87b092b41e89c46988ecf3de4cfc898a64e9721313f23b1cd25ac8bec5554366822712ee3fc180de6ac44e05a49d23cddae18a7737204a5089d2b448ed0e188593697e6190d42da44e5567433895f6546cef111fac157c5634f24adb4b82169e391173e2fe80be2e83bd46751aca39dc75d111215c327b8b08e6139cdde84cfb099cf432f64f3e896d3194c9c160e5dcc2452e541d40f7676b290417320290202a6d9d6ca6216cf2329754761cce115760f61ac4453cae7747a63689151ed4ff11e6eba906e4f9288042be2adb86c4db21d99cee47a517a90da303aa2194865aa988d46cc07705f24cc802431f765f467a2694434ce3123b20ea04ae67b2be235629d698ae36b1bd20d32fc182cc46282181754d730fd488c1b3d058896b97a88fffd8717cb"},
    {NDP_COMPRESS_GZIP, "1f8b080000000000000305c1792c150000c0613173ccf5a6acc6f37265e2f1f05468cb2fc79454bc6cdeb28e990e5e23b9860e7284c6509698a365c37355bc8ee598086dd289e71a39b77aa5acacfeeafbd0d2425b073d034c046cb7c2de094f6f0243909f21218d82321ada79f596a5758c77e0e947542cf915740db2fc07a11bb2188a6a783d85be90e05314d633b68a959473d779328a9e2df2645adf60e0487416bd73d8f993d3c09a29b2145ece230ea3aa0fc15e7294fc7324b58e5f3624d7f2db81ab4de84929e9c63a14e5347e097cd0475183be2f0fc6f14fe38b90825e3c2ea2b620bf8f7d89aceca27a928852cc421931a2609823b71184f3c992da0514edecbf81898c3927bab6503281a293903b88531144b111c08c2bc3963c35a47193ea6f942d52344b9e9a9c4972d5dc9aa578890a0df57f6933a247c87b092b41e89c46988ecf3de4cfc898a64e9721313f23b1cd25ac8bec5554366822712ee3fc180de6ac44e05a49d23cddae18a7737204a5089d2b448ed0e188593697e6190d42da44e5567433895f6546cef111fac157c5634f24adb4b82169e391173e2fe80be2e83bd46751aca39dc75d111215c327b8b08e6139cdde84cfb099cf432f64f3e896d3194c9c160e5dcc2452e541d40f7676b290417320290202a6d9d6ca6216cf2329754761cce115760f61ac4453cae7747a63689151ed4ff11e6eba906e4f9288042be2adb86c4db21d99cee47a517a90da303aa2194865aa988d46cc07705f24cc802431f765f467a2694434ce3123b20ea04ae67b2be235629d698ae36b1bd20d32fc182cc46282181754d730fd488c1b3d058896b97a88ffe7f7cf63bc020000"},
    {NDP_COMPRESS_BZ2, "425a683331415926535923cd2184000042fffffaf7ef6fffbffffcff7ffe6debfeffdffffdbf7df67ffff7dff3ffff7fcffbb04001dd3bb6e00c0883400000d1a01a000000000000000000d0000000d0d0340068d1ea6868001a01a00320d1001a0d34d0034340001a3234d01a6800000c80d0c2034340c800681a340d064d0001a000680000c9a0341001ea00006834d34000d003400000001ea000000c23201880c807a80000d0003468680003d41b5006a7a2a1434f51a0d1ea69ea0001900000d341a1a001a321a641a68fd50d0d0000d341ea34d31068f51a0d0d01a0346868681a643ca3d436d5310651fa87243e2c67a0c448d22c8d3d1acb902b880f1a41447946a887b53e55bbb4d2aa778a251859a4c90809cd65312a8202b7ec3f42c44f3a1b3eb4ae0eeead238c60267c032eee7e6860394168040987b50100305ca663c8d931430174200a0c26200ec769e1e0bc9f7a768d8a6870134408e5951f2fca58a99f1d35d0ff021c01b1305cda46bb228cda38132d6b1f57412a7689517036438e8cbde9f21b6efa09e05400c90ded245542ca13f8f64817f0cc8943ea69067d39ec18df653d5df789c74d64e9e87a9337d98ba6d277617c1b35787738f5a9d70f9a8c81bc2e087b649b110711290ad47798e4fe8f26319d2fe174e13f360d1c73d421dd619dbd303c99e1a992989d6853bde477c78ab6cea86b06411835260a13d266360bab8b4ff41f9fcc5fac431c8b906a952fccc21f743a73678648dcd60f21e7f8f4e052d85eca40e1ca9ea97cfe76dce2b4eb0898f5a01156749d3dc8150ace3c4a37a084b164088237b4bc899a772cbf73519386ea658b008f22c956ed40771c82c71742b8d6931f3f5ebc422428103baefa2ed7337950ce59ab2d1654964796561f0101fde9267ae9af8aa25d91fa9d210cf87ea4159a1eea0104e4acc91dc0402ece918de7ab1436b139f70c095a826df20de58119842f08fe116f23d8f5009332a59f72e8883c6832ffe730e124222988afa4a1b4ea2e6ea7bbe8d99a98e4acd9181869a2cdb7f66f56e877a7d268bc22191414d0964cdb6790096c33746e0638b3b3549387fe2ee48a70a120479a4308"},
    {NDP_COMPRESS_LZMA, "5d00004000ffffffffffffffff00207ffc045240410404a94aa65bd0b53dffcb4f1dab790e5048c863cc65136d72d75fafc48195eaee38594ffaf9c5a6494636c8e63a0382a9fb17bc5edfe81fd2b2b5ec9fedf300f2a075227788bcc885e3697cfeba20b18891e0d9a95332e8ece8a0d641d604b52e1c385becf1c2bc702f3fc4cb887e0e49f944d2cf91ea4da408440496ec1e827dfa37139fd73173f2560a483cb0b3f7c5b7f73c817c17403a36afc5fa730d251d5ed2f3b2d19da4bd9bb5fab1030377940532cb674e8287ae4b5c1d7f0cd356a1ea7b7fc48d2e56e25ff604b3cb591cde2bec7da9067c345a74edafd735fce185ef5342af6e614d6424d951b132012c3eccb43c463828286c7da9470e669fda18f9616c85b7a711b26bd719cd2ed33f2d68db21b912f0e46fefd874140345a3f2939bd1369f54f8b027ce2db46638c34039ed42221f32c1bef757cca00ad371a9fee96b9f63e08d7f2ed4b6ec1712079a6caa0c800233a07422b0f0dce2e55e557cad647b6fc42f1979a1f31edf5ba00b799caf05e85203c0614f5e8513582c01a3c46df3a3d2fc720c91da079ee43925bbef67d38cb7a40ce97a891a62a6f5f8fd53c236df38ef54ae083593c4db1450db5a91a24241d3cac282355b3d2d580e4706cc17e72e1dfe3db0783e0647b754ee1fbfccd8638506d736e8cb8048c389e87a55f1c0292666b5b316e965088e81a76de8a65a7b2a01aee37ec0937fde6bdf901dca351a2ae7a11a9d5b8be6ab0f4e1741d261622153eafcf3ca5a5937c83af8ba9a8174fdce2f7f9a4b317105717db98731c05fa83a63da8fc50c039717b0f6dba7110cee08a5d31a0533fd578742c54a1b420aecdc940c05ce6a33eb5c39aaae916c46f85acfbf47359a4a7d32ef175c025515b04ecbedae66be4b592d2da4a732273da7485a02badcbdbba619feaacfbb1652ffa0fe824d40"},
    {NDP_COMPRESS_XZ, "fd377a585a000004e6d6b4460200210114000000ffe7ec09e002bb029f5d00207ffc045240410404a94aa65bd0b53dffcb4f1dab790e5048c863cc65136d72d75fafc48195eaee38594ffaf9c5a6494636c8e63a0382a9fb17bc5edfe81fd2b2b5ec9fedf300f2a075227788bcc885e3697cfeba20b18891e0d9a95332e8ece8a0d641d604b52e1c385becf1c2bc702f3fc4cb887e0e49f944d2cf91ea4da408440496ec1e827dfa37139fd73173f2560a483cb0b3f7c5b7f73c817c17403a36afc5fa730d251d5ed2f3b2d19da4bd9bb5fab1030377940532cb674e8287ae4b5c1d7f0cd356a1ea7b7fc48d2e56e25ff604b3cb591cde2bec7da9067c345a74edafd735fce185ef5342af6e614d6424d951b132012c3eccb43c463828286c7da9470e669fda18f9616c85b7a711b26bd719cd2ed33f2d68db21b912f0e46fefd874140345a3f2939bd1369f54f8b027ce2db46638c34039ed42221f32c1bef757cca00ad371a9fee96b9f63e08d7f2ed4b6ec1712079a6caa0c800233a07422b0f0dce2e55e557cad647b6fc42f1979a1f31edf5ba00b799caf05e85203c0614f5e8513582c01a3c46df3a3d2fc720c91da079ee43925bbef67d38cb7a40ce97a891a62a6f5f8fd53c236df38ef54ae083593c4db1450db5a91a24241d3cac282355b3d2d580e4706cc17e72e1dfe3db0783e0647b754ee1fbfccd8638506d736e8cb8048c389e87a55f1c0292666b5b316e965088e81a76de8a65a7b2a01aee37ec0937fde6bdf901dca351a2ae7a11a9d5b8be6ab0f4e1741d261622153eafcf3ca5a5937c83af8ba9a8174fdce2f7f9a4b317105717db98731c05fa83a63da8fc50c039717b0f6dba7110cee08a5d31a0533fd578742c54a1b420aecdc940c05ce6a33eb5c39aaae916c46f85acfbf47359a4a7d32ef175c025515b04ecbedae66be4b592d2da4a732273da7485a02badcbdbba619feaacfa974a1cc0000d442c729ff148f9a0001bb05bc050000d28bd72ab1c467fb020000000004595a"},
    {NDP_COMPRESS_LZ4, "04224d186c40bc02000000000000d0bc020080410000410203410709410e1141181c41242941333941454b41596041707841899241a5af41c3ce41e4f0410d19413340415c6a41879641b5c541e5f6411d2f415365418b9e41c6da41081d41485e418aa141cfe7411c3441667f41b3cd41072241597541adca41092741638141bfde4123434184a541e80f41537641bce0412d51419bc04111374184ab41fa274177a041f22141759f41f525417da9410734418fbd411e4d41abdb41407041d208416c9e41083b41a2d641437841e21d4189bf41326941d9164187c041387241e626419cd841559141104d41c90c4189c8414c8c41115241d41b419fe1416caf413c80410e5341de2941b501418fd7416cb4414b94412d7741115c41f34441dc2e41c81b41b70a41a8f7419cec4192e3418bdd4186d94184d84185d94188dd418ee44196ed41a1f941ae0c41be1d41d13041e64641035f411d7a413a984159b8417bdb41a00541c72d41f1584122854151b54182e741b62141ed58412b924167cf41a51341e655412e994174e041bd2e410d7a415bc941ab1f4103734158c941b027411082416de041cd464134a941991441057c416fe741dc594150c941c241413bb641b2334130ad41ac2f4130ae41b135413aba41c046414ed041d961416cf041028641951f4130b641c8544168f0410a9341aa394152dc41f78741a4354153e041059341b448416b004125b541dc72419b32415cef4120b441e17b41aa454176114144db4115ad41e38141b958419131416c0d414ae6412ac7410dab41ed9141d57a41bf6541ac53419c43418e3641832c417a2441741f41701c416f1c41711e417523417c2b418535419142419f5141b06341c47741da8e41f3a84113c44131e341510941742d419a5341c27c41eda8411fd6414f0c41813f41b67541eead412de8416a2b41a96b41ebae4134f3417b4041c58a4116d741652c41b67e410fd341652f41be89411fe5417d494100000000f85e2b58"},
};
/* clang-format on */

static void fill_plain(uint8_t *plain) {
    for (uint32_t i = 0; i < PLAIN_BYTES; i++) plain[i] = i % 3 == 0 ? 65 : (uint8_t)(i * i / 7 % 251);
}

/* Reads a whole stream, `room_bytes` at a time. */
static enum ndp_status unpack(enum ndp_compress_method method, struct ndp_bytes packed, uint64_t piece_bytes,
                              uint64_t room_bytes, const struct ndp_compress_limits *limits, struct ndp_buffer *out) {
    struct source source = {ndp_cursor_view(packed), piece_bytes, NDP_OK};
    struct ndp_decompressor *reader = NULL;
    uint8_t room[4096];
    uint64_t got = 1;
    assert_int_equal(ndp_decompress_new(method, read_source, &source, limits, &reader, NULL), NDP_OK);
    enum ndp_status status = NDP_OK;
    while (status == NDP_OK && got > 0) {
        status = ndp_decompress_read(reader, room, room_bytes, &got);
        if (status == NDP_OK) assert_int_equal(ndp_buffer_add(out, room, got), NDP_OK);
    }
    const struct ndp_error *error = ndp_decompress_error(reader);
    assert_int_equal(status == NDP_OK, error == NULL);
    if (error != NULL) assert_int_equal(error->status, status);
    assert_int_equal(ndp_decompress_drain(reader), status);
    ndp_decompress_free(reader);
    return status;
}

static struct ndp_bytes vector_bytes(struct ndp_arena *arena, size_t i) {
    struct ndp_bytes bytes;
    ndp_arena_init(arena, ARENA_BYTES);
    assert_int_equal(ndp_hex_read(arena, vectors[i].hex, &bytes, NULL), NDP_OK);
    return bytes;
}

static void streams_of_other_writers_are_read(void **state) {
    static const uint64_t pieces[] = {1, 7, 4096};
    uint8_t plain[PLAIN_BYTES];
    fill_plain(plain);
    for (size_t i = 0; i < NDP_ARRAY_LEN(vectors) * NDP_ARRAY_LEN(pieces); i++) {
        struct ndp_arena arena;
        const struct ndp_bytes packed = vector_bytes(&arena, i / 3);
        const enum ndp_compress_method method = vectors[i / 3].method;
        NDP_BUFFER_SCOPED(out, PLAIN_BYTES);
        assert_int_equal(ndp_compress_detect(packed), method);
        assert_int_equal(unpack(method, packed, pieces[i % 3], pieces[2 - i % 3], NULL, &out), NDP_OK);
        assert_int_equal(out.size_bytes, PLAIN_BYTES);
        assert_memory_equal(out.data, plain, PLAIN_BYTES);
        ndp_arena_clear(&arena);
    }
}

static void every_cut_is_refused(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(vectors); i++) {
        struct ndp_arena arena;
        const struct ndp_bytes packed = vector_bytes(&arena, i);
        for (uint64_t size = 0; size < packed.size_bytes; size++) {
            uint8_t *exact = malloc(size == 0 ? 1 : (size_t)size);
            assert_non_null(exact);
            memcpy(exact, packed.data, (size_t)size);
            NDP_BUFFER_SCOPED(out, PLAIN_BYTES);
            assert_int_equal(unpack(vectors[i].method, (struct ndp_bytes){exact, size}, 4096, 4096, NULL, &out),
                             NDP_TRUNCATED);
            free(exact);
        }
        ndp_arena_clear(&arena);
    }
}

/* Formats with a checksum detect every change of their data; .lzma has none. */
static void changed_bytes_are_refused(void **state) {
    uint8_t plain[PLAIN_BYTES];
    fill_plain(plain);
    for (size_t i = 0; i < NDP_ARRAY_LEN(vectors); i++) {
        struct ndp_arena arena;
        const struct ndp_bytes packed = vector_bytes(&arena, i);
        uint8_t *bytes = ndp_arena_copy(&arena, packed.data, packed.size_bytes);
        assert_non_null(bytes);
        for (uint64_t at = 0; at < packed.size_bytes; at++) {
            bytes[at] ^= 0x04;
            NDP_BUFFER_SCOPED(out, 1 << 20);
            const enum ndp_status status =
                unpack(vectors[i].method, (struct ndp_bytes){bytes, packed.size_bytes}, 4096, 4096, NULL, &out);
            if (status == NDP_OK && vectors[i].method != NDP_COMPRESS_LZMA) {
                assert_int_equal(out.size_bytes, PLAIN_BYTES);
                assert_memory_equal(out.data, plain, PLAIN_BYTES);
            }
            bytes[at] ^= 0x04;
        }
        ndp_arena_clear(&arena);
    }
}

static void own_streams_are_read(void **state) {
    uint8_t plain[PLAIN_BYTES];
    fill_plain(plain);
    for (size_t i = 0; i < NDP_ARRAY_LEN(vectors); i++) {
        struct ndp_compressor *writer = NULL;
        NDP_BUFFER_SCOPED(packed, 1 << 24);
        NDP_BUFFER_SCOPED(out, 1 << 24);
        assert_int_equal(ndp_compress_new(vectors[i].method, 3, NULL, ndp_write_to_buffer, &packed, &writer, NULL),
                         NDP_OK);
        for (uint32_t k = 0; k < 1000; k++)
            assert_int_equal(ndp_compress_write(writer, plain, k % (PLAIN_BYTES + 1)), NDP_OK);
        assert_int_equal(ndp_compress_finish(writer), NDP_OK);
        ndp_compress_free(writer);
        assert_int_equal(ndp_compress_detect(ndp_buffer_view(&packed)), vectors[i].method);
        assert_int_equal(unpack(vectors[i].method, ndp_buffer_view(&packed), 4096, 4096, NULL, &out), NDP_OK);
        const uint8_t *at = out.data;
        for (uint32_t k = 0; k < 1000; k++) {
            assert_memory_equal(at, plain, k % (PLAIN_BYTES + 1));
            at += k % (PLAIN_BYTES + 1);
        }
        assert_int_equal(at - out.data, out.size_bytes);
    }
}

/* A stream of a small input needs little memory in its reader, also near the size where the dictionary changes. */
static void small_streams_need_little_memory(void **state) {
    static const uint64_t sizes[] = {0, 1, 4095, 4096, 65535, 65536, 65537, 200000};
    static const enum ndp_compress_method methods[] = {NDP_COMPRESS_LZMA, NDP_COMPRESS_XZ};
    const struct ndp_compress_limits little = {.memory_bytes = 1 << 18};
    for (size_t i = 0; i < NDP_ARRAY_LEN(sizes) * NDP_ARRAY_LEN(methods); i++) {
        const uint64_t size = sizes[i / 2];
        uint8_t *plain = malloc(size + 1);
        struct ndp_compressor *writer = NULL;
        assert_non_null(plain);
        for (uint64_t k = 0; k < size; k++) plain[k] = (uint8_t)(k * k / 7 % 251);
        NDP_BUFFER_SCOPED(packed, 1 << 20);
        NDP_BUFFER_SCOPED(out, 1 << 20);
        assert_int_equal(ndp_compress_new(methods[i % 2], 3, NULL, ndp_write_to_buffer, &packed, &writer, NULL),
                         NDP_OK);
        assert_int_equal(ndp_compress_write(writer, plain, size / 3), NDP_OK);
        assert_int_equal(ndp_compress_write(writer, plain + size / 3, size - size / 3), NDP_OK);
        assert_int_equal(ndp_compress_finish(writer), NDP_OK);
        ndp_compress_free(writer);
        const struct ndp_compress_limits *limits = size <= 65536 ? &little : NULL;
        assert_int_equal(unpack(methods[i % 2], ndp_buffer_view(&packed), 4096, 4096, limits, &out), NDP_OK);
        assert_int_equal(out.size_bytes, size);
        if (size > 0) assert_memory_equal(out.data, plain, size);
        free(plain);
    }
}

static void levels_and_words(void **state) {
    struct ndp_compressor *writer = NULL;
    for (size_t i = 0; i < NDP_ARRAY_LEN(vectors); i++) {
        const enum ndp_compress_method method = vectors[i].method;
        assert_int_equal(ndp_compress_find(ndp_compress_word(method)), method);
        if (method == NDP_COMPRESS_LZ4) continue;
        assert_int_equal(ndp_compress_new(method, 10, NULL, ndp_write_to_buffer, NULL, &writer, NULL), NDP_INVALID);
        assert_null(writer);
    }
    assert_int_equal(ndp_compress_find("zip"), NDP_COMPRESS_NONE);
    assert_int_equal(ndp_compress_detect((struct ndp_bytes){(const uint8_t *)"\x80\4", 2}), NDP_COMPRESS_NONE);
    assert_int_equal(ndp_compress_detect((struct ndp_bytes){NULL, 0}), NDP_COMPRESS_NONE);
    assert_int_equal(ndp_compress_detect((struct ndp_bytes){(const uint8_t *)"\xfd\x37zX", 4}), NDP_COMPRESS_NONE);
}

static void output_and_ratio_are_limited(void **state) {
    const struct ndp_compress_limits output = {.output_bytes = PLAIN_BYTES - 1};
    const struct ndp_compress_limits ratio = {.ratio = 1, .free_bytes = 300};
    const struct ndp_compress_limits memory = {.memory_bytes = 1 << 16};
    static const uint64_t pieces[] = {1, 7, 4096};
    uint8_t plain[PLAIN_BYTES];
    fill_plain(plain);
    for (size_t i = 0; i < NDP_ARRAY_LEN(vectors); i++) {
        struct ndp_arena arena;
        const struct ndp_bytes packed = vector_bytes(&arena, i);
        const enum ndp_compress_method method = vectors[i].method;
        NDP_BUFFER_SCOPED(out, PLAIN_BYTES);
        for (size_t k = 0; k < NDP_ARRAY_LEN(pieces); k++) {
            out.size_bytes = 0;
            assert_int_equal(unpack(method, packed, pieces[k], 4096, &output, &out), NDP_LIMIT);
            assert_int_equal(out.size_bytes, PLAIN_BYTES - 1);
            assert_memory_equal(out.data, plain, PLAIN_BYTES - 1);
        }
        out.size_bytes = 0;
        if (packed.size_bytes < PLAIN_BYTES)
            assert_int_equal(unpack(method, packed, 4096, 4096, &ratio, &out), NDP_LIMIT);
        if (method == NDP_COMPRESS_LZMA || method == NDP_COMPRESS_XZ)
            assert_int_equal(unpack(method, packed, 4096, 4096, &memory, &out), NDP_LIMIT);
        ndp_arena_clear(&arena);
    }
}

static enum ndp_status write_nothing(void *sink, const void *bytes, uint64_t size_bytes) {
    (void)sink;
    (void)bytes;
    (void)size_bytes;
    return NDP_IO;
}

static void failures_of_reads_and_writes_are_returned(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(vectors); i++) {
        struct ndp_arena arena;
        const struct ndp_bytes packed = vector_bytes(&arena, i);
        struct source source = {ndp_cursor_view((struct ndp_bytes){packed.data, 20}), 4096, NDP_GONE};
        struct ndp_decompressor *reader = NULL;
        struct ndp_compressor *writer = NULL;
        assert_int_equal(ndp_decompress_new(vectors[i].method, read_source, &source, NULL, &reader, NULL), NDP_OK);
        assert_int_equal(ndp_decompress_drain(reader), NDP_GONE);
        ndp_decompress_free(reader);
        assert_int_equal(ndp_compress_new(vectors[i].method, 3, NULL, write_nothing, NULL, &writer, NULL), NDP_OK);
        assert_int_equal(ndp_compress_finish(writer), NDP_IO);
        ndp_compress_free(writer);
        ndp_arena_clear(&arena);
    }
}

NDP_SUITE(compress_test, NDP_TEST(streams_of_other_writers_are_read), NDP_TEST(every_cut_is_refused),
          NDP_TEST(changed_bytes_are_refused), NDP_TEST(own_streams_are_read),
          NDP_TEST(small_streams_need_little_memory), NDP_TEST(levels_and_words),
          NDP_TEST(output_and_ratio_are_limited), NDP_TEST(failures_of_reads_and_writes_are_returned));
