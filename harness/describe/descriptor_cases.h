/* descriptor_cases.h: hand-written descriptors shared by the tests of the reader and the printer. */
#ifndef NDP_DESCRIPTOR_CASES_H
#define NDP_DESCRIPTOR_CASES_H

/* Canonical texts: the printer reproduces them byte for byte. */
static const char *const canonical_descriptors[] = {
    "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[]}}}}",
    "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\">f8\",\"shape\":[15],\"data\":{\"pattern\":\"index\"},"
    "\"memmap\":{\"mode\":\"r\"}},\"views\":[{\"reshape\":[5,3]},{\"transpose\":[1,0]}],\"writeable\":false}},"
    "\"route\":{\"format\":\"npy\",\"encode\":\"file\",\"decode\":\"mmap:r\",\"encoder\":\"numpy\",\"decoder\":"
    "\"reference\"},\"properties\":[\"values\",\"byte_order\",\"memory_order\"]}",
    "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\"<i8\",\"shape\":[0,3,1],\"order\":\"F\",\"data\":{"
    "\"pattern\":\"random\",\"seed\":\"18446744073709551615\"},\"misalign\":15,\"readonly\":true}}},\"route\":{"
    "\"format\":\"pickle\",\"protocol\":5,\"encode\":\"c\",\"decode\":\"python\",\"buffers\":\"out-of-band\"}}",
    "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\"<f4\",\"shape\":[2],\"data\":{\"pattern\":\"hex\","
    "\"hex\":\"0000c07f010080ff\"}},\"class\":{\"name\":\"Plain\"}}},\"route\":{\"format\":\"raw\",\"offset\":"
    "9007199254740991}}",
    "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\"<c16\",\"shape\":[4,4],\"data\":{\"pattern\":"
    "\"special\",\"seed\":7},\"memmap\":{\"mode\":\"w+\",\"offset\":4097}},\"views\":[{\"slice\":[[3,-1,4],[0,2,2]]},"
    "{\"newaxis\":1},{\"broadcast\":[4,3,2]},{\"real\":true},{\"imag\":true},{\"reshape\":[24],\"order\":\"F\"},"
    "{\"as_dtype\":\"|V8\"},{\"strided\":[3,2],\"strides\":[-8,0],\"offset\":16},{\"strided\":[],\"strides\":[]}]}}}",
    "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":{\"fields\":[{\"name\":{\"codepoints\":[0,55296,128512]},"
    "\"title\":\"T\",\"offset\":0,\"dtype\":{\"base\":\"=i2\",\"shape\":[2]}},{\"name\":\"\xf0\x9f\x98\x80\","
    "\"offset\":"
    "8,\"dtype\":{\"type\":\"<M8[25us]\",\"metadata\":{\"a\":[1,null]}}}],\"itemsize\":16,\"aligned\":true},\"shape\":"
    "[1]},\"views\":[{\"field\":{\"codepoints\":[0,55296,128512]}}]}}}",
    "{\"ndproof\":1,\"bytes\":\"\"}",
    "{\"ndproof\":1,\"bytes\":\"934e554d505900ff\",\"expect\":\"refuse\",\"route\":{\"format\":\"npy\"}}",
    "{\"ndproof\":1,\"bytes\":\"93\",\"fault\":{\"name\":\"cut\",\"argument\":\"9007199254740992\"}}",
    "{\"ndproof\":1,\"file\":\"npy/good/a..b.npy\",\"fault\":{\"name\":\"version\"},\"expect\":\"accept\"}",
    "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[3]}}},\"fault\":{\"name\":\"cut\","
    "\"argument\":3},\"expect\":\"refuse\",\"route\":{\"format\":\"npy\"}}",
    "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[3]}}},\"bytes\":\"00\",\"route\":{"
    "\"format\":\"raw\"}}",
    "{\"ndproof\":1,\"fault\":{\"name\":\"extra\"}}",
    "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\">i4\",\"shape\":[2]}}},\"route\":{\"transport\":"
    "\"joblib.Parallel\",\"backend\":\"loky\",\"max_nbytes\":1,\"mmap_mode\":\"r+\",\"encoder\":\"numpy\"}}",
    "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[]}}},\"route\":{\"transport\":"
    "\"copy\","
    "\"max_nbytes\":-1}}",
    "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[]}}},\"route\":{\"format\":\"joblib\","
    "\"encode\":\"zlib\",\"level\":9}}",
    "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[]}}},\"route\":{\"format\":\"raw\","
    "\"encode\":\"file\",\"offset\":8,\"history\":\"failed\",\"encoder\":\"numpy\"}}",
};

#endif
