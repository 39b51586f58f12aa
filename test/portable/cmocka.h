/* SPDX-License-Identifier: MIT */
/* The part of cmocka that tests of the engine use, for target systems without it (Windows, ARM). A failed test prints
   its place and ends by longjmp, as with cmocka. */
#ifndef RILL_TEST_PORTABLE_CMOCKA_H
#define RILL_TEST_PORTABLE_CMOCKA_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef void (*CMUnitTestFunction)(void **state);
typedef int (*CMFixtureFunction)(void **state);
struct CMUnitTest {
    const char *name;
    CMUnitTestFunction test;
    CMFixtureFunction set_up, tear_down;
};
#define cmocka_unit_test(function) \
    { #function, function, NULL, NULL }
#define cmocka_unit_test_setup_teardown(function, set_up, tear_down) \
    { #function, function, set_up, tear_down }

/* Each program is one source file that includes this. */
static struct {
    jmp_buf failed;
    const char *filter;
    void *state;
} portable_test;

#if defined(__MINGW32__)
#define PORTABLE_PRINTF gnu_printf
#else
#define PORTABLE_PRINTF printf
#endif
static inline void print_message(const char *format, ...) __attribute__((format(PORTABLE_PRINTF, 1, 2)));
static inline void print_message(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}
#define print_error print_message

_Noreturn static inline void _fail(const char *file, int line) {
    printf("%s:%d: failed\n", file, line);
    longjmp(portable_test.failed, 1);
}

#define fail_msg(...) (print_message(__VA_ARGS__), print_message("\n"), _fail(__FILE__, __LINE__))
#define portable_check(good, text) \
    ((good) ? (void)0 : (print_message("not true: %s\n", text), _fail(__FILE__, __LINE__)))
#define assert_true(value)              portable_check((value), #value)
#define assert_false(value)             portable_check(!(value), "not " #value)
#define assert_null(value)              portable_check((value) == NULL, #value " is NULL")
#define assert_non_null(value)          portable_check((value) != NULL, #value " is not NULL")
#define assert_ptr_equal(a, b)          portable_check((const void *)(a) == (const void *)(b), #a " is " #b)
#define assert_int_equal(a, b)          portable_check((long long)(a) == (long long)(b), #a " is " #b)
#define assert_int_not_equal(a, b)      portable_check((long long)(a) != (long long)(b), #a " is not " #b)
#define assert_string_equal(a, b)       portable_check(strcmp(a, b) == 0, #a " is " #b)
#define assert_string_not_equal(a, b)   portable_check(strcmp(a, b) != 0, #a " is not " #b)
#define assert_memory_equal(a, b, size) portable_check(memcmp(a, b, size) == 0, #a " is " #b)
#define assert_float_equal(a, b, within) \
    portable_check(fabs((double)(a) - (double)(b)) <= (double)(within), #a " is " #b)
#define assert_in_range(value, low, high) \
    portable_check((value) >= (low) && (value) <= (high), #value " is in its range")

static inline void cmocka_set_test_filter(const char *name) {
    portable_test.filter = name;
}

/* True if the test passed. */
static inline int portable_run(const struct CMUnitTest *test) {
    void **state = &portable_test.state;
    *state = NULL;
    printf("[ RUN      ] %s\n", test->name);
    fflush(stdout);
    if (setjmp(portable_test.failed)) {
        printf("[  FAILED  ] %s\n", test->name);
        return 0;
    }
    if (test->set_up && test->set_up(state) != 0) _fail(test->name, 0);
    test->test(state);
    if (test->tear_down && test->tear_down(state) != 0) _fail(test->name, 0);
    printf("[       OK ] %s\n", test->name);
    return 1;
}

/* Returns the number of failed tests, or 1 if no test ran. */
static inline int portable_run_all(const struct CMUnitTest *tests, size_t count) {
    int failed = 0, ran = 0;
    for (size_t k = 0; k < count; k++) {
        if (portable_test.filter && strcmp(portable_test.filter, tests[k].name) != 0) continue;
        ran++;
        failed += !portable_run(&tests[k]);
    }
    printf("%d of %d tests passed\n", ran - failed, ran);
    return ran == 0 ? 1 : failed;
}
#define cmocka_run_group_tests(tests, set_up, tear_down) portable_run_all(tests, sizeof(tests) / sizeof *(tests))
#define cmocka_run_group_tests_name(name, tests, set_up, tear_down) \
    portable_run_all(tests, sizeof(tests) / sizeof *(tests))

#endif
