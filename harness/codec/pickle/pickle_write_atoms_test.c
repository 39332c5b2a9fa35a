/* pickle_write_atoms_test.c: objects without parts in each protocol. Expected: pickle.dumps(value, protocol) of CPython
 * 3.11. */

#include "base/rng.h"
#include "base/suite.h"
#include "codec/npy/npy_encode.h"
#include "codec/pickle/pickle_read.h"
#include "codec/pickle/pickle_write.h"

enum { ARENA_BYTES = 1 << 22, PROTOCOLS = 6 };

/* The value, its pickle of protocol 5, and the FNV-1a hashes of its pickles of protocols 0 to 5. */
/* clang-format off */
static const struct {
    const char *value;
    const char *hex;
    uint64_t hashes[PROTOCOLS];
} values[] = {
    {"None", "80054e2e",
     {UINT64_C(0x09209a07b5b5db4d), UINT64_C(0x09209a07b5b5db4d), UINT64_C(0x3a08eaaaaf9b1bdf), UINT64_C(0x2fb9bfaaa94c9b00), UINT64_C(0x28deb8aaa5edbda9), UINT64_C(0x1e22edaa9f430e0a)}},
    {"True", "8005882e",
     {UINT64_C(0xfb93033263becf4b), UINT64_C(0xfb93033263becf4b), UINT64_C(0x3af68aaab064c589), UINT64_C(0x324d5faaab7d4ece), UINT64_C(0x263d98aaa3b1a5ff), UINT64_C(0x1d5e0daa9e9bfcb4)}},
    {"False", "8005892e",
     {UINT64_C(0xf2f758325ee2bc6c), UINT64_C(0xf2f758325ee2bc6c), UINT64_C(0x3af368aab06255ec), UINT64_C(0x3250c1aaab802b2b), UINT64_C(0x263a36aaa3aec9a2), UINT64_C(0x1d616faa9e9ed911)}},
    {"0", "80054b002e",
     {UINT64_C(0x4b5dc2d07223a7e4), UINT64_C(0x51a13719d236ed10), UINT64_C(0x51e68a0872fcfe66), UINT64_C(0x91274bfdc637f8bb), UINT64_C(0x349721f7da3186bc), UINT64_C(0xa3f44becb7ac85d9)}},
    {"255", "80054bff2e",
     {UINT64_C(0xd3b41a1f76631470), UINT64_C(0x4ecd1919cfcf7f33), UINT64_C(0x54548c08750d897d), UINT64_C(0x8ff249fdc531a5e8), UINT64_C(0x33c823f7d981ede7), UINT64_C(0xa4d149ecb8685c0a)}},
    {"256", "80059504000000000000004d00012e",
     {UINT64_C(0xed7a771f84ed5f05), UINT64_C(0x2bc3bcae2de1107f), UINT64_C(0xe857aa4ab7f4d77d), UINT64_C(0x1e418f05cc2d442a), UINT64_C(0x1e17d57ab8260f4e), UINT64_C(0x2456df2d0b91c9ff)}},
    {"65535", "80059504000000000000004dffff2e",
     {UINT64_C(0xc827e138f30b7d30), UINT64_C(0x57f221ac029e2940), UINT64_C(0xade8234852f2bc3e), UINT64_C(0x6d980205f980f8e5), UINT64_C(0xe439a078e3874209), UINT64_C(0xfd66442fcb30b6c0)}},
    {"65536", "80059506000000000000004a000001002e",
     {UINT64_C(0xe1ee3e390195c7c5), UINT64_C(0x92b49eb2ec98ff9e), UINT64_C(0xe3fc8290074bf810), UINT64_C(0x57248c5a7e2c47b7), UINT64_C(0x9c89e6f725977df5), UINT64_C(0xfa99625696147fb0)}},
    {"-1", "80059506000000000000004affffffff2e",
     {UINT64_C(0xf514dcd608719b66), UINT64_C(0xb00a177a9f2e9405), UINT64_C(0xc9e200a758332617), UINT64_C(0xc05dd0b8dbd13208), UINT64_C(0xf8c350f0be0c0106), UINT64_C(0xd51f5c17cdd11337)}},
    {"2147483647", "80059506000000000000004affffff7f2e",
     {UINT64_C(0x672c813a51741d68), UINT64_C(0xb1bd177aa0a02885), UINT64_C(0xc82f00a756c19197), UINT64_C(0xc210d0b8dd42c688), UINT64_C(0xfa7650f0bf7d9586), UINT64_C(0xd6d25c17cf42a7b7)}},
    {"-2147483648", "80059506000000000000004a000000802e",
     {UINT64_C(0x65cdc0c006cb338a), UINT64_C(0x99aac9b2f00ee1d9), UINT64_C(0xeaf30d900ac27d6b), UINT64_C(0x4cc8015a77d2995c), UINT64_C(0x922d3bf71f3d993a), UINT64_C(0x018fed56998b050b)}},
    {"2147483648", "80059508000000000000008a0500000080002e",
     {UINT64_C(0xf72c0cdda63d0452), UINT64_C(0xf72c0cdda63d0452), UINT64_C(0x9d794dd84bf0c8c4), UINT64_C(0x3b32e00615592a2b), UINT64_C(0x723c8ee0873c76ab), UINT64_C(0x900df6ceecc74876)}},
    {"-2147483649", "80059508000000000000008a05ffffff7fff2e",
     {UINT64_C(0xfd3fc5b484662bcc), UINT64_C(0xfd3fc5b484662bcc), UINT64_C(0x1ca8400b410d9bbb), UINT64_C(0x343f113ef6535654), UINT64_C(0x73cc6aff71e0c3d4), UINT64_C(0xef0176564caa3e69)}},
    {"549755813888", "80059509000000000000008a060000000080002e",
     {UINT64_C(0x8c701d6008564054), UINT64_C(0x8c701d6008564054), UINT64_C(0xb87225ad8d9a605f), UINT64_C(0xe54c9e68b4307bce), UINT64_C(0x7cd213115ccad0e5), UINT64_C(0xd1a8427b2dfd9dca)}},
    {"-549755813888", "80059508000000000000008a0500000000802e",
     {UINT64_C(0x33d865f8689b7d6b), UINT64_C(0x33d865f8689b7d6b), UINT64_C(0xf3e9cddac161b2c4), UINT64_C(0x91a360088aca142b), UINT64_C(0x1bcc0ede11cb8cab), UINT64_C(0xe67e76d162383276)}},
    {"1099511627776", "80059509000000000000008a060000000000012e",
     {UINT64_C(0x01e1f9de31ec870e), UINT64_C(0x01e1f9de31ec870e), UINT64_C(0x63b143ab19982e82), UINT64_C(0x90928066403402ab), UINT64_C(0xd18c3113d0c74a08), UINT64_C(0x2669647da2003c67)}},
    {"9223372036854775807", "8005950b000000000000008a08ffffffffffffff7f2e",
     {UINT64_C(0xf427ccffd1268a93), UINT64_C(0xf427ccffd1268a93), UINT64_C(0x7cb660bb297f0651), UINT64_C(0x64c9e7c32b73f680), UINT64_C(0x6da342f5adf12da1), UINT64_C(0xd729538702ca051a)}},
    {"-9223372036854775808", "8005950b000000000000008a0800000000000000802e",
     {UINT64_C(0x068e4b509e5b95e5), UINT64_C(0x068e4b509e5b95e5), UINT64_C(0xd2a1b3825a7a3739), UINT64_C(0x15f1738a4f5289c8), UINT64_C(0xbea6944393ce9189), UINT64_C(0x62c005084ee97f02)}},
    {"9223372036854775808", "8005950c000000000000008a090000000000000080002e",
     {UINT64_C(0x849399488c560698), UINT64_C(0x849399488c560698), UINT64_C(0x31f72b879c422ce0), UINT64_C(0x23758bf802c280df), UINT64_C(0x8f26739c88b56583), UINT64_C(0x133db0ee22e99966)}},
    {"1000000000000000000000000000000", "80059510000000000000008a0d00000040eaed7446d09c2c9f0c2e",
     {UINT64_C(0x4c12be3fedfded0e), UINT64_C(0x4c12be3fedfded0e), UINT64_C(0x943198923a55690a), UINT64_C(0x437eb6128d7a2b55), UINT64_C(0xe081bb20ce203dfd), UINT64_C(0x7820286fd09571a0)}},
    {"0.1", "8005950a00000000000000473fb999999999999a2e",
     {UINT64_C(0xa4c849315637950a), UINT64_C(0x3ba1afdf4505d18d), UINT64_C(0x24141f2eaaf3e09f), UINT64_C(0x6150ee30b2fc0a9c), UINT64_C(0x21761420f821a53e), UINT64_C(0xeb274e5073b1c46b)}},
    {"-0.0", "8005950a000000000000004780000000000000002e",
     {UINT64_C(0x1f9f9b66f7ed6aaa), UINT64_C(0x940158d81d944b38), UINT64_C(0x5c50961531351fea), UINT64_C(0xd73a860516d01225), UINT64_C(0x2d65c72b6168ccf7), UINT64_C(0x9c1563ba6471249e)}},
    {"inf", "8005950a00000000000000477ff00000000000002e",
     {UINT64_C(0xfba33b73a204b7bc), UINT64_C(0xadb214050f181345), UINT64_C(0x8e6422f13b1ff4f3), UINT64_C(0xc41bd0329b3b8638), UINT64_C(0x68d48d9440e18806), UINT64_C(0xb572d12451df53bf)}},
    {"''", "80059504000000000000008c00942e",
     {UINT64_C(0x6131ec060863a26d), UINT64_C(0xa68bfa4cf9f43028), UINT64_C(0xbdb154eeabab47e6), UINT64_C(0xf40d2feae8523ca9), UINT64_C(0x782a65b30894efca), UINT64_C(0xc6714ef4b7e2eea3)}},
    {"'a'", "80059505000000000000008c0161942e",
     {UINT64_C(0x3e993089cbf50e3e), UINT64_C(0x80fb39596afbf7ce), UINT64_C(0x785edc19c8f4e3a8), UINT64_C(0x76f6509c120dbf81), UINT64_C(0x00eb34ae3ed15f63), UINT64_C(0x990af5635294aee0)}},
    {"'\\xe9'", "80059506000000000000008c02c3a9942e",
     {UINT64_C(0x88fe84d11ec526c6), UINT64_C(0x94636dd1013cf50a), UINT64_C(0xc404f7d5b570cab8), UINT64_C(0x132895ab1f260a1f), UINT64_C(0x5ad69ff7b37c9ce6), UINT64_C(0x3a0a5b79d3edad47)}},
    {"'\\u03b1'", "80059506000000000000008c02ceb1942e",
     {UINT64_C(0x6be4123a81110114), UINT64_C(0xaa5503814d203245), UINT64_C(0xcb7ac11cfdaa74e3), UINT64_C(0x6c00fab7dfb4070c), UINT64_C(0xc5ba7e58cfb70a93), UINT64_C(0x1544dd613a591ce2)}},
    {"'\\U0001f600'", "80059508000000000000008c04f09f9880942e",
     {UINT64_C(0xc21b8ae7aa4e8195), UINT64_C(0x8cc1618089e9fa17), UINT64_C(0x71f0a5f4565ca609), UINT64_C(0xe7a75890a24744b6), UINT64_C(0x7aa416b7da66872b), UINT64_C(0x60afd9a8317e4b12)}},
    {"'\\ud800'", "80059507000000000000008c03eda080942e",
     {UINT64_C(0x11d12a85f448ed68), UINT64_C(0x07326e63f49a5f24), UINT64_C(0x1dd12d59435a42fa), UINT64_C(0xd247e23a1254ca2b), UINT64_C(0x542179832028df17), UINT64_C(0x0e879250b5b27340)}},
    {"'\\\\\\n\\r\\x00\\x1a'", "80059509000000000000008c055c0a0d001a942e",
     {UINT64_C(0x19d5f2d892715ceb), UINT64_C(0xceb74dd1946d2136), UINT64_C(0x441d7cfe73854518), UINT64_C(0x255d575e83427d55), UINT64_C(0x966e7e5f0057e747), UINT64_C(0x1751fa39a38d6d40)}},
    {"'...",
     "80059503010000000000008cff757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575942e",
     {UINT64_C(0x02b69898e421dc4c), UINT64_C(0x93160ba2d7d6a126), UINT64_C(0x28269205c1922c34), UINT64_C(0xb59fc2bf6c7e9dc1), UINT64_C(0xd4f09b0c1efbd274), UINT64_C(0x8fe64ce546454e0b)}},
    {"'...",
     "8005950701000000000000580001000075757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575757575942e",
     {UINT64_C(0x71a7e4a7e32e416d), UINT64_C(0x2c4bce7ec0c68671), UINT64_C(0x97928ea23c37ca4f), UINT64_C(0xcbda25683fe6b640), UINT64_C(0x866d54d031e61d31), UINT64_C(0xc629cc6b11e7eeb6)}},
    {"b''", "80059504000000000000004300942e",
     {UINT64_C(0x1558b6efc5425111), UINT64_C(0x5907e42975c44d64), UINT64_C(0x5a03c9bf9e0c1ae2), UINT64_C(0x1c773885e1470be0), UINT64_C(0xdf853bacbeb9dfb1), UINT64_C(0xe267311c5d782798)}},
    {"b'a'", "8005950500000000000000430161942e",
     {UINT64_C(0x82985f7a07a72136), UINT64_C(0x499d89d02aee54f8), UINT64_C(0x83a2e07f806915ea), UINT64_C(0x486826b328ff1598), UINT64_C(0x6c9692b1aa54a7aa), UINT64_C(0x3534dc08a1dc97b5)}},
    {"b'\\xe9'", "80059505000000000000004301e9942e",
     {UINT64_C(0xa3a2049b24a81d7e), UINT64_C(0x0523281f310b725c), UINT64_C(0x23de71f729902d8e), UINT64_C(0x759bb2469672e4e0), UINT64_C(0xcf26eaaf0c31abe2), UINT64_C(0x44a6940aee9c130d)}},
    {"b'\\x00\\xff'", "8005950600000000000000430200ff942e",
     {UINT64_C(0xb98dc9e20a5b0f7d), UINT64_C(0x8f7da35e708e3a7b), UINT64_C(0x3cede2b221b6a60d), UINT64_C(0xd341e63f8f1f0365), UINT64_C(0xf594ee6b39444dcc), UINT64_C(0xf7c19add9a236771)}},
    {"b'...",
     "800595030100000000000043ff626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262942e",
     {UINT64_C(0x3e128aaa4224765b), UINT64_C(0xc284df4e830fc3b7), UINT64_C(0x8b95e6e1ffd14ed9), UINT64_C(0x0e9b4c80f7a05bbd), UINT64_C(0xfd124740140a3dfe), UINT64_C(0x385acafe5539d5e5)}},
    {"b'...",
     "8005950701000000000000420001000062626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262942e",
     {UINT64_C(0xbc57111f5ed8d921), UINT64_C(0xdaab673f3ba63719), UINT64_C(0xe7b586dde3f1e087), UINT64_C(0x6c18655d3e225e16), UINT64_C(0xd148d635cc7c9063), UINT64_C(0x77e1863cfed899f0)}},
    {"bytearray(b'')", "8005950b00000000000000960000000000000000942e",
     {UINT64_C(0xf4ced6d0dca4aad9), UINT64_C(0xe6d7a6d7ef5347bc), UINT64_C(0x5e5c10381700ee2e), UINT64_C(0x897c80f165195c98), UINT64_C(0xc94987095a01a233), UINT64_C(0xf199cc0fd4ce01ea)}},
    {"bytearray(b'a')", "8005950c0000000000000096010000000000000061942e",
     {UINT64_C(0x0c9b46d3acade8cf), UINT64_C(0x63bfc81633533058), UINT64_C(0x62c3af0e36f7d519), UINT64_C(0x7ed40585faf0c78c), UINT64_C(0x52e6a44536f6beb5), UINT64_C(0x007accb60eea7f71)}},
    {"bytearray(b'ab')", "8005950d000000000000009602000000000000006162942e",
     {UINT64_C(0x483d85b528f7c74f), UINT64_C(0x3a3829682695d899), UINT64_C(0x69c4a69705117688), UINT64_C(0xaf643e13c0ff2b1d), UINT64_C(0x47d4c5c8411ace65), UINT64_C(0x29fab68356c5233d)}},
    {"('a', 'a', '\\xe9', '\\xe9')", "8005951100000000000000288c01619468008c02c3a994680174942e",
     {UINT64_C(0xdbedba1e85d0a921), UINT64_C(0x45bee067048bc3a2), UINT64_C(0x8c72317e905b22cc), UINT64_C(0x93cb91b1739c8053), UINT64_C(0x798e2fee92ae190c), UINT64_C(0x7383052d6d415a1b)}},
    {"(b'a', b'a', bytearray(b'a'))", "8005951400000000000000430161946800960100000000000000619487942e",
     {UINT64_C(0x911032e9e3d36af0), UINT64_C(0xd288d6fcb0f40a2d), UINT64_C(0x5f8fe2ba167134a1), UINT64_C(0x5c9cb9a7f93e9a07), UINT64_C(0x55505b2dbe57ac75), UINT64_C(0xc10fc62f078db695)}},
    {"(b'ab', b'cd')", "8005950d000000000000004302616294430263649486942e",
     {UINT64_C(0xd8cd6affe043f11f), UINT64_C(0x07946d223f66642e), UINT64_C(0xaadcfac4acbe9790), UINT64_C(0xd27f3398ef287d62), UINT64_C(0xe7a10a74dfb148a3), UINT64_C(0x102cce513efe0dec)}},
};
/* clang-format on */

struct fixture {
    struct ndp_arena arena;
    struct ndp_objects objects;
    struct ndp_buffer out;
    struct ndp_error error;
};

static void set_up(struct fixture *fixture) {
    *fixture = (struct fixture){.error = {0}};
    ndp_arena_init(&fixture->arena, ARENA_BYTES);
    ndp_objects_init(&fixture->objects, &fixture->arena);
    ndp_buffer_init(&fixture->out, ARENA_BYTES);
}

static void tear_down(struct fixture *fixture) {
    ndp_buffer_clear(&fixture->out);
    ndp_objects_clear(&fixture->objects);
    ndp_arena_clear(&fixture->arena);
}

static enum ndp_status write_object(struct fixture *fixture, const struct ndp_object *root, uint32_t protocol,
                                    bool is_python) {
    const struct ndp_pickle_form form = {.protocol = protocol, .is_python = is_python};
    fixture->out.size_bytes = 0;
    return ndp_pickle_write(&fixture->objects, root, &form, ndp_write_to_buffer, &fixture->out, &fixture->error);
}

static void pickles_equal_cpythons(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(values); i++) {
        struct fixture fixture;
        struct ndp_bytes bytes;
        struct ndp_pickle read;
        set_up(&fixture);
        assert_int_equal(ndp_hex_read(&fixture.arena, values[i].hex, &bytes, NULL), NDP_OK);
        struct ndp_source source = ndp_source_memory(bytes);
        assert_int_equal(ndp_pickle_read(&fixture.objects, &source, NULL, &read, NULL), NDP_OK);
        for (uint32_t protocol = 0; protocol < PROTOCOLS; protocol++) {
            assert_int_equal(write_object(&fixture, read.root, protocol, false), NDP_OK);
            if (ndp_hash_bytes(fixture.out.data, fixture.out.size_bytes, NDP_HASH_START) != values[i].hashes[protocol])
                fail_msg("%s in protocol %u: %.*s", values[i].value, protocol, (int)fixture.out.size_bytes,
                         (const char *)fixture.out.data);
        }
        tear_down(&fixture);
    }
}

/* t = [chr(97 + i % 26) + str(i) for i in range(300)]; t + [t[0], t[255], t[256], t[299]]: memo indices of one byte, of
 * four bytes, and in decimal. */
static void memo_indices_have_every_width(void **state) {
    static const uint64_t hashes[PROTOCOLS] = {UINT64_C(0x77439cb0bb91f5a9), UINT64_C(0x699e28270c824d67),
                                               UINT64_C(0xefe046ccc60b20cd), UINT64_C(0xfea9bb0c03208a3a),
                                               UINT64_C(0x657110d612126d02), UINT64_C(0x9b9e05d08ee20c27)};
    static const uint32_t again[] = {0, 255, 256, 299};
    static char texts[300][8];
    struct fixture fixture;
    set_up(&fixture);
    struct ndp_object *list = ndp_object_new(&fixture.objects, NDP_OBJECT_LIST);
    for (uint32_t i = 0; i < 300; i++) {
        (void)snprintf(texts[i], sizeof(texts[i]), "%c%u", (char)('a' + i % 26), i);
        assert_true(ndp_object_append(&fixture.objects, &list->list, ndp_object_text(&fixture.objects, texts[i])));
    }
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(again); i++)
        assert_true(ndp_object_append(&fixture.objects, &list->list, list->list.items[again[i]]));
    for (uint32_t protocol = 0; protocol < PROTOCOLS; protocol++) {
        assert_int_equal(write_object(&fixture, list, protocol, false), NDP_OK);
        if (ndp_hash_bytes(fixture.out.data, fixture.out.size_bytes, NDP_HASH_START) != hashes[protocol])
            fail_msg("protocol %u", protocol);
    }
    tear_down(&fixture);
}

static void check_output(const struct fixture *fixture, const char *expected, size_t size) {
    assert_int_equal(fixture->out.size_bytes, size);
    assert_memory_equal(fixture->out.data, expected, size);
}
#define CHECK_OUT(fixture, expected) check_output((fixture), (expected), sizeof(expected) - 1)

/* pickle.dumps((t, t), 0) and pickle._dumps((t, t), 0) of t = "a\nb": the Python pickler does not memoize it. */
static void the_python_pickler_does_not_memoize_escaped_text(void **state) {
    struct fixture fixture;
    set_up(&fixture);
    struct ndp_object *text = ndp_object_text(&fixture.objects, "a\nb");
    const struct ndp_object *pair = ndp_object_tuple(&fixture.objects, 2, (struct ndp_object *[]){text, text});
    assert_int_equal(write_object(&fixture, pair, 0, false), NDP_OK);
    CHECK_OUT(&fixture, "(Va\\u000ab\np0\ng0\ntp1\n.");
    assert_int_equal(write_object(&fixture, pair, 0, true), NDP_OK);
    CHECK_OUT(&fixture, "(Va\\u000ab\np0\nVa\\u000ab\np1\ntp2\n.");
    assert_int_equal(write_object(&fixture, pair, 1, true), NDP_OK);
    CHECK_OUT(&fixture, "(X\x03\x00\x00\x00"
                        "a\nbq\x00h\x00tq\x01.");
    tear_down(&fixture);
}

/* Objects that Python 3 lacks. Source: Lib/pickletools.py: STRING, SHORT_BINSTRING, NEXT_BUFFER, READONLY_BUFFER. */
static void python_2_strings_and_buffers_have_opcodes(void **state) {
    struct fixture fixture;
    set_up(&fixture);
    const struct ndp_object *string =
        ndp_object_bytes(&fixture.objects, NDP_OBJECT_STRING, ndp_bytes_view("a'\\\xff\n"));
    assert_int_equal(write_object(&fixture, string, 0, false), NDP_OK);
    CHECK_OUT(&fixture, "S'a\\x27\\x5c\\xff\\x0a'\np0\n.");
    assert_int_equal(write_object(&fixture, string, 1, false), NDP_OK);
    CHECK_OUT(&fixture, "U\x05"
                        "a'\\\xff\nq\x00.");
    struct ndp_object *buffer = ndp_object_new(&fixture.objects, NDP_OBJECT_BUFFER);
    assert_int_equal(write_object(&fixture, buffer, 4, false), NDP_UNSUPPORTED);
    assert_true(fixture.error.text[0] != '\0');
    assert_int_equal(write_object(&fixture, buffer, 5, false), NDP_OK);
    CHECK_OUT(&fixture, "\x80\x05\x97.");
    buffer->is_readonly = true;
    assert_int_equal(write_object(&fixture, buffer, 5, false), NDP_OK);
    CHECK_OUT(&fixture, "\x80\x05\x97\x98.");
    tear_down(&fixture);
}

static void invalid_text_and_excessive_length_are_refused(void **state) {
    static uint8_t digits[1800];
    struct fixture fixture;
    set_up(&fixture);
    assert_int_equal(write_object(&fixture, ndp_object_text(&fixture.objects, "a\xff"), 0, false), NDP_INVALID);
    assert_int_equal(fixture.error.status, NDP_INVALID);
    digits[sizeof(digits) - 1] = 1;
    const struct ndp_object *number = ndp_object_long(&fixture.objects, (struct ndp_bytes){digits, sizeof(digits)});
    assert_int_equal(write_object(&fixture, number, 1, false), NDP_LIMIT);
    assert_int_equal(write_object(&fixture, number, 2, false), NDP_OK);
    assert_memory_equal(fixture.out.data, "\x80\x02\x8b\x08\x07\x00\x00", 7);
    tear_down(&fixture);
}

/* CPython 3.11: pickle.dumps(1 << 524286, 4)[:16], a single frame. */
static void a_large_integer_is_inside_a_frame(void **state) {
    static uint8_t digits[1 << 16];
    struct fixture fixture;
    set_up(&fixture);
    digits[sizeof(digits) - 1] = 0x40;
    const struct ndp_object *number = ndp_object_long(&fixture.objects, (struct ndp_bytes){digits, sizeof(digits)});
    assert_int_equal(write_object(&fixture, number, 4, false), NDP_OK);
    assert_memory_equal(fixture.out.data, "\x80\x04\x95\x06\0\x01\0\0\0\0\0\x8b\0\0\x01\0", 16);
    tear_down(&fixture);
}

NDP_SUITE(pickle_write_atoms_test, NDP_TEST(pickles_equal_cpythons), NDP_TEST(memo_indices_have_every_width),
          NDP_TEST(the_python_pickler_does_not_memoize_escaped_text),
          NDP_TEST(python_2_strings_and_buffers_have_opcodes), NDP_TEST(invalid_text_and_excessive_length_are_refused),
          NDP_TEST(a_large_integer_is_inside_a_frame));
