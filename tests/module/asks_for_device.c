/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* asks_for_device.c [1] -- a program that asks for a device and says what it got.
 *
 *     asks_for_device host|any|cuda|ORDINAL [FOLDER]
 *
 * goes to FOLDER first, several threads ask at the same time, and one of them decomposes.
 * cuda is device 0: exit status 77 without it, or 1 where GSVD_TEST_REQUIRE_GPU=1.
 * The output: `host`, `device` or the status; gsvd_last_error(NULL); and the files of
 * CUDA and of libgsvd-cuda that the process has loaded, one a line. */
#include <gsvd.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 4, N = 2 };

typedef struct answer {
    int device; /* asked for                                                 */
    gsvd_status_t status;
    gsvd_handle_t handle;
    char text[256];
} answer_t;

static void *ask(void *data)
{
    answer_t *const a = data;
    a->status = gsvd_create(&a->handle, a->device);
    snprintf(a->text, sizeof a->text, "%s", gsvd_last_error(NULL));
    return NULL;
}

static void fail(const char *what)
{
    fprintf(stderr, "asks_for_device: %s\n", what);
    exit(1);
}

/* A = B = I: alpha = beta = sqrt(1/2) */
static void decompose(gsvd_handle_t h)
{
    double A[] = {1, 0, 0, 1}, B[] = {1, 0, 0, 1}, alpha[N], beta[N];
    double U[N * N], V[N * N], Q[N * N];
    int64_t k, l;
    if (dgsvd(h, 'U', 'V', 'Q', N, N, N, &k, &l, A, N, B, N, alpha, beta, U, N,
              V, N, Q, N, NULL) != GSVD_SUCCESS)
        fail(gsvd_last_error(h));
    for (int i = 0; i < N; ++i)
        if (fabs(alpha[i] - sqrt(0.5)) > 1e-15 ||
            fabs(beta[i] - sqrt(0.5)) > 1e-15)
            fail("wrong values");
}

static void print_loaded(void)
{
    char line[4096], last[4096] = "";
    FILE *const maps = fopen("/proc/self/maps", "r");
    if (!maps)
        fail("/proc/self/maps");
    while (fgets(line, sizeof line, maps)) {
        const char *const path = strchr(line, '/');
        const char *const file = path ? strrchr(path, '/') : NULL;
        if (!file || strcmp(path, last) == 0 ||
            !(strncmp(file, "/libcu", 6) == 0 || strstr(file, "gsvd-cuda")))
            continue;
        strcpy(last, path);
        printf("%s", path);
    }
    fclose(maps);
}

int main(int argc, char **argv)
{
    const char *const where = argc > 1 ? argv[1] : "any";
    const int device = strcmp(where, "host") == 0  ? GSVD_HOST
                       : strcmp(where, "any") == 0 ? GSVD_ANY
                                                   : atoi(where);
    pthread_t thread[THREADS];
    answer_t answer[THREADS];
    int got = GSVD_HOST;

    if (argc > 2 && chdir(argv[2]) != 0)
        fail(argv[2]);
    for (int i = 0; i < THREADS; ++i) {
        answer[i] = (answer_t){.device = device};
        if (pthread_create(&thread[i], NULL, ask, &answer[i]) != 0)
            fail("no thread");
    }
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(thread[i], NULL);
        if (answer[i].status != answer[0].status ||
            strcmp(answer[i].text, answer[0].text) != 0)
            fail("the threads got different answers");
    }

    const gsvd_handle_t h = answer[0].handle;
    if (h) {
        decompose(h);
        gsvd_get_device(h, &got);
    }
    puts(!h                 ? gsvd_status_name(answer[0].status)
         : got == GSVD_HOST ? "host"
                            : "device");
    puts(answer[0].text);
    print_loaded();
    for (int i = 0; i < THREADS; ++i)
        gsvd_destroy(answer[i].handle);
    if (h || strcmp(where, "cuda") != 0)
        return 0;
    const char *const required = getenv("GSVD_TEST_REQUIRE_GPU");
    return required && strcmp(required, "0") != 0 ? 1 : 77;
}
