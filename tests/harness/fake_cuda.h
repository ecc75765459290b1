/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* fake_cuda.h [1] -- a driver and a runtime with devices that compute nothing, and
 * copy memory of the host as late as they may: what gsvd_create asks of CUDA, and copies of
 * arrays, for machines that have no GPU. */
#ifndef GSVD_TESTS_FAKE_CUDA_H
#define GSVD_TESTS_FAKE_CUDA_H

enum { FAKE_DEVICES = 4, FAKE_DEPTH = 16 };

/* The last: another stream is, for which the default one would wait. */
typedef enum fake_capture {
    FAKE_NO_CAPTURE,
    FAKE_ACTIVE,
    FAKE_INVALID,
    FAKE_OTHER
} fake_capture_t;

typedef struct fake {
    int devices;
    int no_driver;
    int without_code[FAKE_DEVICES]; /* for this one the library has none     */
    int calls;    /* that can fail                                           */
    int fails_at; /* the number of the one that does                         */

    /* Devices of the thread's primary contexts, or FAKE_DEVICES + those of others ... */
    int stack[FAKE_DEPTH];
    int depth;                  /* ... so many                                */
    int held[2 * FAKE_DEVICES]; /* retained primary contexts                 */
    int touched[FAKE_DEVICES];  /* a primary context was made there           */
    int objects;            /* memory, events, streams, libraries alive      */
    int streams, libraries; /* streams, cuBLAS's and cuSOLVER's handles made */
    int last_error;         /* of the runtime                                */
    int library_error;      /* with which cuBLAS and cuSOLVER refuse a handle */
    int leaves_error;       /* ... and what they leave to the runtime then   */
    int full;               /* There is 1 MiB of memory, not 80 GiB.         */
    int copies;             /* asked for                                     */
    const void *recorded;   /* the stream of the last event, ...             */
    const void *waits;      /* ... and that which waits for one              */
    const void *pinned;     /* memory of the caller's that is                */
    int captured; /* The streams are, into a graph: one of fake_capture_t    */
    int harmed;   /* calls that a capture does not survive                   */
    int capture_mode; /* the thread's: cudaStreamCaptureMode           */
} fake_t;

__attribute__((visibility("default"))) extern fake_t fake;

#endif /* GSVD_TESTS_FAKE_CUDA_H */
