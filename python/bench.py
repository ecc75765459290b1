# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""CPU time of the package beside C's and, where it is installed, gsvd4py's; best of several.

    OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 python bench.py

C is dgsvd by ctypes with addresses that are ready, less what ctypes takes to call a function of
as many arguments that does nothing.  The three are timed by turns, since a machine has faster and
slower minutes.  The residual of A stands beside each time.
"""
import ctypes
import pathlib
import time

import numpy as np

import libgsvd

try:
    import gsvd4py
except ImportError:
    gsvd4py = None

LIBRARY = ctypes.CDLL(next(pathlib.Path(libgsvd.__path__[0]).glob("lib/libgsvd.so.*")))


def best(f, calls=1, rounds=5):
    """CPU seconds of a call, the least of some rounds: those of one thread, if there is one"""
    f()
    seconds = []
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(calls):
            f()
        seconds.append((time.process_time() - start) / calls)
    return min(seconds)


def by_ctypes(A, B, calls, rounds):
    """dgsvd with factors of economy size and X"""
    (m, n), p = A.shape, len(B)
    a, b = np.asfortranarray(A), np.asfortranarray(B)
    U, V, X = (np.empty((n, x)) for x in (m, p, n))
    alpha, beta, k = np.empty(n), np.empty(n), np.empty(2, np.int64)
    h = ctypes.c_void_p()
    assert LIBRARY.gsvd_create(ctypes.byref(h), -1) == 0
    LIBRARY.gsvd_set_option.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_double]
    assert LIBRARY.gsvd_set_option(h, 1, 1) == 0

    def at(x, offset=0):
        return ctypes.c_void_p(x.ctypes.data + offset)

    size = ctypes.c_int64
    job = ctypes.c_char
    arguments = (h, job(b"S"), job(b"S"), job(b"Q"), size(m), size(n), size(p), at(k), at(k, 8),
                 at(a), size(m), at(b), size(p), at(alpha), at(beta), at(U), size(m), at(V),
                 size(p), at(X), size(n), None)

    def solve():
        a[...], b[...] = A, B
        LIBRARY.dgsvd(*arguments)

    def nothing():
        a[...], b[...] = A, B
        LIBRARY.gsvd_version(*arguments)

    seconds = best(solve, calls, rounds) - best(nothing, calls, rounds)
    LIBRARY.gsvd_destroy(h)
    return seconds


def qr_svd(A, B):
    """What one writes in NumPy: no small value has a digit"""
    Q, R = np.linalg.qr(np.vstack([A, B]))
    U, c, Wh = np.linalg.svd(Q[:len(A)], full_matrices=False)
    V, S = np.linalg.qr(Q[len(A):] @ Wh.T)
    return U, V, (Wh @ R).T, c, np.diag(S)


def residual(A, r):
    return np.linalg.norm(r.U @ r.C @ r.X.swapaxes(-1, -2) - A) / np.linalg.norm(A)


def main():
    rng = np.random.default_rng(0)
    print("GSVD with factors, double, seconds")
    for m, n, p, calls, rounds, turns in ((6, 4, 5, 2000, 5, 8), (208, 200, 205, 1, 5, 20),
                                          (1008, 1000, 1005, 1, 1, 3)):
        A, B = rng.standard_normal((m, n)), rng.standard_normal((p, n))
        python, c, numpy = map(min, zip(*(
            (best(lambda: libgsvd.gsvd(A, B), calls, rounds), by_ctypes(A, B, calls, rounds),
             best(lambda: qr_svd(A, B), calls, rounds)) for _ in range(turns))))
        print(f"{m}x{n}, {p}x{n}: {python:.3e}  C {c:.3e}, {(python - c) * 1e6:.1f} us or "
              f"{python / c - 1:.1%} more  QR + SVD {numpy:.3e}  "
              f"residual {residual(A, libgsvd.gsvd(A, B)):.1e}")
    A, B = rng.standard_normal((1000, 12, 8)), rng.standard_normal((1000, 10, 8))
    many = best(lambda: libgsvd.gsvd(A, B))
    loop = best(lambda: [libgsvd.gsvd(a, b) for a, b in zip(A, B)])
    print(f"1000 pairs 12x8, 10x8: {many:.3e}  one by one {loop:.3e}  "
          f"residual {residual(A, libgsvd.gsvd(A, B)):.1e}")
    if gsvd4py:
        theirs = best(lambda: [gsvd4py.gsvd(a, b, mode="econ") for a, b in zip(A, B)])
        print(f"gsvd4py one by one {theirs:.3e}")


if __name__ == "__main__":
    main()
