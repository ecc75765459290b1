# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""Time and worst digit of a GSVD with all factors, double, beside LAPACK, NumPy and gsvd4py.

    OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 python compare.py [--sizes 25,50,...] RESULT.jsonl
    python compare.py --figure FIGURE.svg RESULT.jsonl       (draws; computes nothing)
    python compare.py --table RESULT.jsonl                   (the README's table)
    python compare.py --note RESULT.jsonl                    (what docs/comparison.md says of it)

scripts/compare.sh does all of it.

Times are CPU time of pairs of normal numbers, the least of some runs.  Digits are those of the worst
generalized value of a graded pair, whose values are known:

    A = H diag(a) P,  B = H' P,  a from 1 to 2^-60,  P = I + N / 2

H and H' are the first and the last n columns of Hadamard's matrix of the next power of two, and N has
ones below its diagonal.  All entries are exact in double, and the values are a.  An error of each column of A and B
relative to that column's norm changes each value by as much, times a small number.
"""
import argparse
import ctypes
import datetime
import hashlib
import json
import pathlib
import platform
import subprocess
import time

import numpy as np

from bench import best, qr_svd

WAYS = {"libgsvd": "libgsvd", "lapack": "LAPACK dggsvd3", "numpy": "QR + SVD, NumPy",
        "gsvd4py": "gsvd4py"}


def hadamard(n):
    H = np.ones((1, 1))
    while len(H) < n:
        H = np.block([[H, H], [H, -H]])
    return H


def graded(n):
    """A, B and the values"""
    H, P = hadamard(n), np.eye(n) + np.eye(n, k=-1) / 2
    a = 2.0 ** -np.round(np.linspace(0, 60, n))
    return H[:, :n] @ (a[:, None] * P), H[:, :-n - 1:-1] @ P, a


def by_libgsvd():
    import libgsvd

    def gsvd(A, B):
        r = libgsvd.gsvd(A, B)
        return r.alpha, r.beta, r.U @ r.C @ r.X.T
    return lambda A, B: libgsvd.gsvd(A, B), gsvd


def by_lapack():
    """DGGSVD3 of the OpenBLAS that libgsvd's wheel has inside, on copies by columns"""
    import libgsvd
    call = ctypes.CDLL(str(pathlib.Path(libgsvd.__path__[0]) / "lib/libscipy_openblas.so")
                       ).scipy_dggsvd3_

    def run(A, B):
        n, p = A.shape[1], len(B)
        m = len(A)
        a, b = np.asfortranarray(A).copy("F"), np.asfortranarray(B).copy("F")
        U, V, Q = (np.empty((x, x), order="F") for x in (m, p, n))
        alpha, beta = np.empty(n), np.empty(n)
        k, l, info = (ctypes.c_int() for _ in range(3))
        iwork = np.empty(n, np.int32)

        def dggsvd3(work, lwork):
            sizes = [ctypes.byref(ctypes.c_int(x)) for x in (m, n, p, lwork)]
            ref, at = ctypes.byref, lambda x: ctypes.c_void_p(x.ctypes.data)
            M, N, P, L = sizes
            call(b"U", b"V", b"Q", M, N, P, ref(k), ref(l), at(a), M, at(b), P, at(alpha),
                 at(beta), at(U), M, at(V), P, at(Q), N, at(work), L, at(iwork), ref(info),
                 *[ctypes.c_size_t(1)] * 3)
            if info.value:
                raise RuntimeError(f"dggsvd3: info {info.value}")
        work = np.empty(1)
        dggsvd3(work, -1)
        dggsvd3(np.empty(int(work[0])), int(work[0]))
        return alpha, beta, U, a, Q, k.value + l.value

    def gsvd(A, B):
        alpha, beta, U, R, Q, r = run(A, B)
        n = A.shape[1]
        return alpha[:r], beta[:r], U[:, :r] * alpha[:r] @ np.triu(R[:r, n - r:]) @ Q[:, n - r:].T
    return run, gsvd


def by_numpy():
    def gsvd(A, B):
        U, V, X, c, s = qr_svd(A, B)
        return c, abs(s), U * c @ X.T
    return qr_svd, gsvd


def by_gsvd4py():
    import gsvd4py

    def gsvd(A, B):
        U, V, C, S, X = gsvd4py.gsvd(A, B)
        return C.diagonal(), S.diagonal(), U @ C @ X.T
    return gsvd4py.gsvd, gsvd


def digits(alpha, beta, exact):
    """of the worst value; 0: some value has none"""
    if len(alpha) != len(exact):
        return 0.0  # a rank that is too small
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.sort(alpha / beta)[::-1]
    error = np.max(np.abs(values - exact) / exact)
    return float(np.clip(-np.log10(max(error, 1e-17)), 0, 16)) if np.isfinite(error) else 0.0


def measure(sizes, result):
    import scipy
    import libgsvd
    ways = dict(libgsvd=by_libgsvd(), lapack=by_lapack(), numpy=by_numpy(), gsvd4py=by_gsvd4py())
    rng = np.random.default_rng(0)
    library = next(pathlib.Path(libgsvd.__path__[0]).glob("lib/libgsvd.so.*")).read_bytes()
    model = next((x.split(":")[1].strip() for x in open("/proc/cpuinfo") if "model name" in x), "")
    load = pathlib.Path("/proc/loadavg").read_text().split()[0]
    describe = ["git", "-C", str(pathlib.Path(__file__).parent), "describe", "--always", "--dirty"]
    sources = subprocess.run(describe, check=True, capture_output=True, text=True).stdout.strip()
    with open(result, "w") as out:
        def put(**line):
            print(json.dumps(line), file=out, flush=True)
            print(line)
        put(date=datetime.date.today().isoformat(), processor=model, threads=1, load=float(load),
            python=platform.python_version(), numpy=np.__version__, scipy=scipy.__version__,
            libgsvd=libgsvd.version(),
            library=hashlib.sha256(library).hexdigest(), clock="CPU time",
            wheel=f"of the sources at {sources}")
        for n in sizes:
            A, B = rng.standard_normal((n, n)), rng.standard_normal((n, n))
            G = graded(n)
            for by, (run, gsvd) in ways.items():
                slow = n > 256 and by in ("lapack", "gsvd4py")
                if n > 400 and by == "gsvd4py":
                    continue  # LAPACK's routine, again
                start = time.process_time()
                residual = np.linalg.norm(gsvd(A, B)[2] - A) / np.linalg.norm(A)
                ms = 1e3 * (time.process_time() - start if slow else
                            best(lambda: run(A, B), max(1, 20000 // n**2), 7))
                alpha, beta, _ = gsvd(*G[:2])
                put(n=n, by=by, ms=round(ms, 5), residual=float(f"{residual:.2g}"),
                    digits=round(digits(alpha, beta, G[2]), 1))


def read(result):
    """The head, the sizes, and the lines by way and size"""
    with open(result) as lines:
        head, *rest = map(json.loads, lines)
    return head, sorted({x["n"] for x in rest}), {(x["by"], x["n"]): x for x in rest}


def figure(result, to):
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    plt.rcParams.update({"svg.hashsalt": "libgsvd", "font.size": 10, "axes.grid": True,
                         "grid.alpha": 0.3})
    head, sizes, lines = read(result)
    fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    for (by, title), mark, color in zip(WAYS.items(), "os^D",
                                        ("C0", "C3", "C1", "0.5")):
        style = dict(marker=mark, color=color, ms=5, lw=2 if by == "libgsvd" else 1.2, label=title)
        there = [n for n in sizes if (by, n) in lines]
        left.loglog(there, [lines[by, n]["ms"] for n in there], **style)
        right.semilogx(there, [lines[by, n]["digits"] for n in there], **style)
    for axes in left, right:
        axes.set_xticks(sizes, list(map(str, sizes)))
        axes.minorticks_off()
        axes.set_xlabel("n  (A and B are n x n)")
    left.set(ylabel="ms, one thread", title="Time, normal numbers")
    right.set(ylabel="digits", ylim=(-0.5, 16.5), title="Digits of the worst value, graded pair")
    left.legend()
    fig.savefig(to, metadata={"Date": None})


def number(x):
    return f"{x:.2f}" if x < 10 else f"{x:.3g}" if x < 1000 else f"{x:.0f}"


def table(result):
    _, sizes, lines = read(result)
    rows = ["| n | " + " | ".join(f"{x}, ms | digits" for x in WAYS.values()) + " |",
            "|---" * (1 + 2 * len(WAYS)) + "|"]
    for n in sizes:
        cells = [f"{number(lines[by, n]['ms'])} | {lines[by, n]['digits']:.0f}"
                 if (by, n) in lines else " | " for by in WAYS]
        rows.append(f"| {n} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def note(result):
    head, sizes, lines = read(result)
    times = max(lines["lapack", n]["ms"] / lines["libgsvd", n]["ms"] for n in sizes)
    return (f"""LAPACK takes up to {times:.0f} times as long as libgsvd. The numbers are CPU time of one thread
of an {head["processor"]}, as `python/compare.py` left them in `bench/results/cpu/{pathlib.Path(result).name}`;
libgsvd and LAPACK use the same OpenBLAS, that of the wheel, {head["wheel"]}. The machine's
load was {head["load"]:.1f} when the run began.""")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", default="25,50,100,200,400,800")
    parser.add_argument("--figure")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--note", action="store_true")
    parser.add_argument("result")
    args = parser.parse_args()
    if args.table:
        print(table(args.result))
    elif args.note:
        print(note(args.result))
    elif args.figure:
        figure(args.result, args.figure)
    else:
        measure([int(n) for n in args.sizes.split(",")], args.result)


if __name__ == "__main__":
    main()
