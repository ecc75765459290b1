/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* resources.c -- do the kernels fit every architecture that they are compiled for?
 *
 *     resources_<letter> [fast] OBJECT...
 *
 * fast: the kernels were compiled in less time (GSVD_CUDA_FAST).  Their registers are not those of the kernels
 * that run, and are not looked at; their shared memory is.
 *
 * The compiled kernels lie in the object files: a fat binary holds one ELF file for
 * each architecture, and this has for a kernel K
 *
 *     .nv.shared.K   whose size is K's static shared memory
 *     .nv.info.K     attribute 0x05: the most threads of a block, by launch bounds
 *     .nv.info       attribute 0x2f: registers of a thread, by symbol
 *
 * What launches add, threads and dynamic shared memory, is what the launchers
 * themselves take (demand.h of each folder).  No GPU is needed.  A line for each launch with dynamic
 * shared memory and each size of it is printed; exit status 1: something does not
 * fit. */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/demand.h"
#include "jacobi/demand.h"
#include "pivot/demand.h"
#include "qr/demand.h"

/* Bytes of shared memory that a block may have on GPUs of compute capability 12 and
 * 8.6 to 8.9, 8.0, 9 and 10: CUDA C++ Programming Guide, technical specifications per
 * compute capability.  Code for 8.0 runs on 8.6 too, and static shared memory hardly
 * depends on the architecture: each file has to fit all of them. */
static const int limit[] = {101376, 166912, 232448};
enum {
    LIMITS = sizeof limit / sizeof *limit,
    WIDE =
        90, /* Only these machines' numbers want cholesky_wide and fused_sketch
                  (tuning.h), ...                                            */
    ON_WIDE = 232448, /* ... and there a block may have this.                 */
    REGISTERS = 65536, /* of a block, on all of these                        */
    ALWAYS = 49152,    /* shared memory without asking for it                */
    MOST_THREADS =
        1024 /* of a kernel without launch bounds                    */
};

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
static const char letter[] = TEXT(GSVD_LETTER);

static int failures, kernels, launches, is_fast;

#define FAIL(...)                                                              \
    do {                                                                       \
        printf("FAILED: " __VA_ARGS__);                                        \
        printf("\n");                                                          \
        ++failures;                                                            \
    } while (0)

/* -- what the launchers take --------------------------------------------------- */

/* The launches of the kernels of a source file, on every device, or on those of WIDE alone */
static int demands_of(const char *file, int shared, demand_t *d)
{
    if (strncmp(file, "panel.cu", 8) == 0)
        return X(panel_demands)(shared, d);
    if (strncmp(file, "householder_strip.cu", 20) == 0)
        return X(householder_strip_demands)(shared, d);
    if (strncmp(file, "r_only.cu", 9) == 0)
        return X(r_only_demands)(shared, d);
    if (strncmp(file, "reflect.cu", 10) == 0)
        return X(reflect_demands)(shared, d);
    if (strncmp(file, "tridiagonal.cu", 14) == 0)
        return X(tridiagonal_demands)(shared, d);
    if (strncmp(file, "tridiagonal_panel.cu", 20) == 0)
        return X(tridiagonal_panel_demands)(shared, d);
    if (strncmp(file, "band.cu", 7) == 0)
        return X(band_demands)(d);
    if (strncmp(file, "bidiagonal_band.cu", 18) == 0)
        return X(bidiagonal_band_demands)(d);
    if (strncmp(file, "two_sided.cu", 12) == 0)
        return X(two_sided_demands)(d);
    if (strncmp(file, "block_sweep.cu", 14) == 0)
        return X(block_sweep_demands)(d);
    if (strncmp(file, "eigh.cu", 7) == 0)
        return X(eigh_demands)(shared, d);
    if (strncmp(file, "blocks.cu", 9) == 0)
        return X(svd_blocks_demands)(shared, d);
    if (strncmp(file, "gsvd.cu", 7) == 0)
        return X(gsvd_batched_demands)(shared, d);
    if (strncmp(file, "gsvd_columns.cu", 15) == 0)
        return X(gsvd_columns_demands)(d);
    return 0;
}

static int wide_demands_of(const char *file, demand_t *d)
{
    if (strncmp(file, "cholesky_wide.cu", 16) == 0)
        return X(cholesky_wide_demands)(d);
    if (strncmp(file, "update_sketch.cu", 16) == 0)
        return X(update_sketch_demands)(d);
    return 0;
}

/* Is that the mangled name of the kernel of d? */
static int is_kernel(const char *mangled, const demand_t *d)
{
    char what[80];
    snprintf(what, sizeof what, d->variant ? "%zu%sILi%dE" : "%zu%s",
             strlen(d->name), d->name, d->variant);
    return strstr(mangled, what) != NULL;
}

/* -- one ELF file of a fat binary ------------------------------------------------ */

typedef struct cubin {
    const char *file;
    unsigned number; /* of the architecture                                  */
    const unsigned char *at;
    const Elf64_Shdr *section;
    int sections;
    const char *names;
} cubin_t;

static const char *name_of(const cubin_t *c, int i)
{
    return c->names + c->section[i].sh_name;
}

static int find_section(const cubin_t *c, const char *prefix, const char *name)
{
    for (int i = 0; i < c->sections; ++i) {
        const size_t n = strlen(prefix);
        if (strncmp(name_of(c, i), prefix, n) == 0 &&
            strcmp(name_of(c, i) + n, name) == 0)
            return i;
    }
    return -1;
}

/* The value of an attribute of format 4, for which a byte each says format and
 * attribute and two the size; NULL: there are not so many.  which: 0, 1, ... */
static const unsigned *attribute(const cubin_t *c, int info, unsigned char what,
                                 int which)
{
    const unsigned char *x = c->at + c->section[info].sh_offset;
    const unsigned char *const end = x + c->section[info].sh_size;
    while (x + 4 <= end) {
        const unsigned size = x[2] + 256u * x[3];
        if (x[0] == 4 && x[1] == what && which-- == 0)
            return (const unsigned *)(const void *)(x + 4);
        x += 4 + (x[0] == 4 ? size : 0);
    }
    return NULL;
}

/* The symbols of the file, NULL: it has none */
static const Elf64_Sym *symbols_of(const cubin_t *c, int *count)
{
    const int at = find_section(c, ".symtab", "");
    *count = at >= 0 ? (int)(c->section[at].sh_size / sizeof(Elf64_Sym)) : 0;
    const void *const table = at >= 0 ? c->at + c->section[at].sh_offset : NULL;
    return (const Elf64_Sym *)table;
}

/* Is section i the code of a kernel, and not of a function that kernels call? */
static int is_entry(const cubin_t *c, int i)
{
    enum { ENTRY = 0x10 }; /* STO_CUDA_ENTRY, in st_other                    */
    int count;
    const Elf64_Sym *const symbol = symbols_of(c, &count);
    if (strncmp(name_of(c, i), ".text.", 6) != 0)
        return 0;
    for (int k = 0; k < count; ++k)
        if (symbol[k].st_shndx == i && symbol[k].st_other & ENTRY)
            return 1;
    return 0;
}

/* Registers of a thread of the kernel whose code is section text, 0: not said */
static unsigned registers_of(const cubin_t *c, int text)
{
    const int info = find_section(c, ".nv.info", "");
    const unsigned *pair;
    unsigned most = 0;
    int count;
    const Elf64_Sym *const symbol = symbols_of(c, &count);
    if (info < 0 || !symbol)
        return 0;
    for (int k = 0; (pair = attribute(c, info, 0x2f, k)); ++k)
        if (symbol[pair[0]].st_shndx == text && pair[1] > most)
            most = pair[1];
    return most;
}

typedef struct kernel {
    const char *name;
    size_t fixed; /* static shared memory                                    */
    unsigned registers, threads;
} kernel_t;

static kernel_t kernel_of(const cubin_t *c, int text)
{
    kernel_t k = {name_of(c, text) + strlen(".text."), 0, 0, MOST_THREADS};
    const int info = find_section(c, ".nv.info.", k.name);
    const int memory = find_section(c, ".nv.shared.", k.name);
    const unsigned *const bound =
        info >= 0 ? attribute(c, info, 0x05, 0) : NULL;
    if (memory >= 0)
        k.fixed = (size_t)c->section[memory].sh_size;
    if (bound)
        k.threads = bound[0];
    k.registers = registers_of(c, text);
    return k;
}

/* -- checks ----------------------------------------------------------------------- */

/* a kernel as it is compiled */
static void check_kernel(const cubin_t *c, const kernel_t *k)
{
    const unsigned warps = (k->threads + 31) / 32;
    ++kernels;
    if (k->registers == 0)
        FAIL("%s: no registers of %s", c->file, k->name);
    if (!is_fast && (k->registers + 7) / 8 * 8 * 32 * warps > REGISTERS)
        FAIL("sm_%u: %s: %u registers, %u threads", c->number, k->name,
             k->registers, k->threads);
    if (k->fixed > ALWAYS)
        FAIL("sm_%u: %s: %zu bytes of static shared memory", c->number, k->name,
             k->fixed);
}

/* a launch where a block may have so many bytes */
static void check_launch(const cubin_t *c, const demand_t *d, int shared)
{
    int found = 0;
    for (int i = 0; i < c->sections; ++i) {
        if (!is_entry(c, i) || !is_kernel(name_of(c, i), d))
            continue;
        const kernel_t k = kernel_of(c, i);
        ++found;
        printf("sm_%-3u %6d: %c %s %d: %zu + %zu bytes, %u registers, %d "
               "threads\n",
               c->number, shared, letter[0], d->name, d->variant, d->bytes,
               k.fixed, k.registers, d->threads);
        if (d->bytes + k.fixed > (size_t)shared)
            FAIL("sm_%u: %s: %zu bytes of shared memory, %d are allowed",
                 c->number, k.name, d->bytes + k.fixed, shared);
        if (shared != ON_WIDE && k.fixed > STATIC_SHARED)
            FAIL("sm_%u: %s: more than STATIC_SHARED", c->number, k.name);
        if ((unsigned)d->threads > k.threads)
            FAIL("sm_%u: %s: %d threads, %u are allowed", c->number, k.name,
                 d->threads, k.threads);
    }
    if (!found)
        FAIL("%s: no kernel %s %d", c->file, d->name, d->variant);
    launches += found;
}

static void check_cubin(const cubin_t *c)
{
    demand_t d[DEMANDS];
    for (int i = 0; i < c->sections; ++i)
        if (is_entry(c, i)) {
            const kernel_t k = kernel_of(c, i);
            check_kernel(c, &k);
        }
    for (int l = 0; l < LIMITS; ++l)
        for (int x = demands_of(c->file, limit[l], d); x > 0; --x)
            check_launch(c, &d[x - 1], limit[l]);
    if (c->number == WIDE)
        for (int x = wide_demands_of(c->file, d); x > 0; --x)
            check_launch(c, &d[x - 1], ON_WIDE);
}

/* -- files --------------------------------------------------------------------------- */

/* An entry of a fat binary, in a copy: it need not lie at a multiple of 8 */
static void check_elf(const char *file, unsigned number,
                      const unsigned char *at, size_t bytes)
{
    unsigned char *const copy = malloc(bytes);
    const Elf64_Ehdr *const head = (const Elf64_Ehdr *)(void *)copy;
    if (!copy)
        abort();
    memcpy(copy, at, bytes);
    if (bytes < sizeof *head || memcmp(copy, ELFMAG, SELFMAG) != 0) {
        FAIL("%s: sm_%u is no ELF file: compressed?", file, number);
    } else {
        const void *const table = copy + head->e_shoff;
        const Elf64_Shdr *const section = (const Elf64_Shdr *)table;
        const char *const names =
            (const char *)copy + section[head->e_shstrndx].sh_offset;
        const cubin_t c = {file, number, copy, section, head->e_shnum, names};
        check_cubin(&c);
    }
    free(copy);
}

/* little-endian numbers of the given bytes */
static uint64_t number_at(const unsigned char *x, int bytes)
{
    uint64_t value = 0;
    while (bytes-- > 0)
        value = value << 8 | x[bytes];
    return value;
}

/* A fat binary: 16 bytes, the last 8 the size of its entries; an entry: what it is
 * (2: ELF), the size of its head at 4, of what follows at 8, the architecture at 28 */
static void check_fat(const char *file, const unsigned char *x,
                      const unsigned char *end)
{
    const unsigned char *const stop = x + 16 + number_at(x + 8, 8);
    for (x += 16; stop <= end && x + 32 <= stop;) {
        const uint64_t head = number_at(x + 4, 4), bytes = number_at(x + 8, 8);
        if (number_at(x, 2) == 2)
            check_elf(file, (unsigned)number_at(x + 28, 4), x + head, bytes);
        x += head + bytes;
    }
}

static void check_file(const char *path)
{
    static const unsigned char magic[8] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0};
    const char *const slash = strrchr(path, '/');
    FILE *const f = fopen(path, "rb");
    unsigned char *data = NULL;
    size_t bytes = 0;

    if (f && fseek(f, 0, SEEK_END) == 0 && (bytes = (size_t)ftell(f)) > 0 &&
        fseek(f, 0, SEEK_SET) == 0 && (data = malloc(bytes)) &&
        fread(data, 1, bytes, f) == bytes) {
        for (size_t i = 0; i + 16 <= bytes; i += 8)
            if (memcmp(data + i, magic, sizeof magic) == 0)
                check_fat(slash ? slash + 1 : path, data + i, data + bytes);
    } else {
        FAIL("%s cannot be read", path);
    }
    free(data);
    if (f)
        fclose(f);
}

int main(int argc, char **argv)
{
    is_fast = argc > 1 && strcmp(argv[1], "fast") == 0;
    for (int i = 1 + is_fast; i < argc; ++i)
        check_file(argv[i]);
    if (kernels == 0 || launches == 0)
        FAIL("no kernels");
    printf("%d kernels, %d launches, %d failures\n", kernels, launches,
           failures);
    return failures > 0;
}
