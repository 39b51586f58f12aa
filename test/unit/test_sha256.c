/* SPDX-License-Identifier: MIT */
/* SHA-256 against the examples of FIPS 180-4 and of NIST's test vectors, cut into pieces of every length. */
#include "core/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The digest in hexadecimal, of a text that is added in pieces of `piece` bytes. */
static void digest_of(const char *text, size_t size, size_t piece, char hex[2 * SHA256_SIZE + 1]) {
    unsigned char digest[SHA256_SIZE];
    sha256 hash;
    rill_sha256_start(&hash);
    for (size_t at = 0; at < size; at += piece)
        rill_sha256_add(&hash, text + at, size - at < piece ? size - at : piece);
    rill_sha256_end(&hash, digest);
    for (int k = 0; k < SHA256_SIZE; k++) snprintf(hex + 2 * k, 3, "%02x", digest[k]);
}

static void known_digests(void **state) {
    (void)state;
    static const char *const known[][2] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqr"
         "stu",
         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    };
    char hex[2 * SHA256_SIZE + 1];
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        for (size_t piece = 1; piece < 130; piece++) {
            digest_of(known[k][0], strlen(known[k][0]), piece, hex);
            assert_string_equal(hex, known[k][1]);
        }
}

static void a_million_letters(void **state) {
    (void)state;
    const size_t size = 1000000;
    char *letters = malloc(size), hex[2 * SHA256_SIZE + 1];
    assert_non_null(letters);
    memset(letters, 'a', size);
    digest_of(letters, size, 4097, hex);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(letters);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_digests), cmocka_unit_test(a_million_letters)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
