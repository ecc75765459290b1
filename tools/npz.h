/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* npz.h -- reads and writes a NumPy .npz file: a zip archive of .npy files, which are stored and not
 * compressed, as numpy.savez writes it.
 *
 * Source: PKWARE, APPNOTE.TXT - .ZIP File Format Specification, 6.3.10; sizes of 64 bits throughout.
 */
#ifndef GSVD_TOOLS_NPZ_H
#define GSVD_TOOLS_NPZ_H

#include "source.h"

/* Reads the array of that name or, if it is NULL, the only one.  False, told and with A empty, if
 * that cannot be done. */
bool npz_parse(source_t *s, const char *name, matrix_t *A);

enum { NPZ_MOST = 8 };

typedef struct npz {
    FILE *out;
    uint64_t at; /* bytes that are written                                   */
    int count;
    struct {
        char name[16];
        uint32_t crc;
        uint64_t size, at;
    } member[NPZ_MOST];
} npz_t;

/* Writes A as npy_write does, as `name`, of at most 11 characters.  z begins as {out}.  npz_end comes
 * last.  False if a write failed. */
bool npz_write(npz_t *z, const char *name, const matrix_t *A, bool single,
               bool vector);
bool npz_end(npz_t *z);

#endif /* GSVD_TOOLS_NPZ_H */
