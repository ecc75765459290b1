/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* main.c [1] -- runs one of a test program's suites on one backend.
 *
 *     tests_<letter> <step> cpu|cuda [in_double]
 *
 * Exit status 0 passed, 1 failed, 77 skipped: no CUDA device, unless
 * GSVD_TEST_REQUIRE_GPU=1 makes that a failure.  CUDA does not survive fork(),
 * so Check runs without it. */
#include <stdio.h>

#include "harness/plain.h"

enum { PASSED = 0, FAILED = 1, SKIPPED = 77 };

gsvd_handle_t handle;
int on_device;
int quick;
int stride = 1;
int arguments;
char **argument;

static int flag(const char *name)
{
    const char *value = getenv(name);
    return value && *value && strcmp(value, "0") != 0;
}

static const suite_t *find_suite(const char *name)
{
    const suite_t *s = suites;
    while (s->name && strcmp(s->name, name) != 0)
        ++s;
    return s->name ? s : NULL;
}

static int usage(const char *program)
{
    fprintf(stderr, "usage: %s STEP cpu|cuda, STEP one of", program);
    for (const suite_t *s = suites; s->name; ++s)
        fprintf(stderr, " %s", s->name);
    fprintf(stderr, "\n");
    return FAILED;
}

static int run(const suite_t *suite)
{
    SRunner *runner = srunner_create(suite->make());
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? FAILED : PASSED;
}

int main(int argc, char **argv)
{
    const suite_t *const suite = argc > 2 ? find_suite(argv[1]) : NULL;
    gsvd_stream_t stream = NULL;

    if (!suite)
        return usage(argv[0]);
    argv[1] = argv[0];
    arguments = argc - 1;
    argument = argv + 1;
    on_device = strcmp(argument[1], "cuda") == 0;
    quick = getenv("GSVD_TEST_QUICK") ? atoi(getenv("GSVD_TEST_QUICK")) : 0;
    stride = getenv("GSVD_TEST_ONE_IN") ? atoi(getenv("GSVD_TEST_ONE_IN")) : 1;
    stride = stride > 1 ? stride : 1;
    if (!on_device && strcmp(argument[1], "cpu") != 0)
        return usage(argv[0]);
    if (on_device && cuda_devices() == 0) {
        fprintf(stderr, "no CUDA device\n");
        return flag("GSVD_TEST_REQUIRE_GPU") ? FAILED : SKIPPED;
    }
    if (gsvd_create(&handle, on_device ? 0 : GSVD_HOST) != GSVD_SUCCESS) {
        fprintf(stderr, "gsvd_create failed\n");
        return FAILED;
    }
    if (on_device && (!(stream = stream_create()) ||
                      gsvd_set_stream(handle, stream) != GSVD_SUCCESS)) {
        fprintf(stderr, "no stream\n");
        return FAILED;
    }

    const int result = run(suite);

    if (gsvd_destroy(handle) != GSVD_SUCCESS) {
        fprintf(stderr, "gsvd_destroy failed\n");
        return FAILED;
    }
    if (stream)
        stream_destroy(stream);
    return result;
}
