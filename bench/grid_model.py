#!/usr/bin/env python3
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""The model of a decomposition on a grid, out of the JSON lines of bench_grid on a few processes.

    bench/grid_model.py RUNS.jsonl [GPUS.txt ...]   constants, how well they fit, and what they predict, in Markdown

On a p x q grid, P = p q, of processes whose products run at a rate G, of order n,

    seconds = (a3 n^3 + a2 n^2) / (P G)                             arithmetic, from runs on one process
            + latency (n (b1 log2 p + b2 log2 q)                    messages to one process
                       + n (c1 [p > 1] + c2 [q > 1]) log2 max(p,q))   collectives
            + 8 n^2 (d1 / p [q > 1] + d2 / q [p > 1]) / bandwidth   words that a process sends and gets
            + gap e (P - 1)                                         all-to-alls

Constants a come from seconds, all others from counts, which are of no machine; all are least squares
of relative errors.  Nothing of it knows a network: latency, bandwidth and rates below are assumptions.

With the outputs of bench_grid_nccl on one GPU and on two, seconds of one GPU are a3 n^3, and the latency of
the same messages is what fits the seconds of two: the engines' own messages are in it.
"""
import json
import math
import sys

# a node of two processors, as a process; a network of a cluster
NODE = {"rate": 2e12, "latency": 4e-6, "bandwidth": 20e9, "gap": 1e-6}
NODES = [(2, 2), (4, 4), (8, 8), (16, 16), (32, 32)]
ORDERS = [16384, 65536]

# H200s: bytes a second that a GPU sends, assumed
GPUS = [(1, 1), (2, 1), (2, 2), (4, 2), (4, 4), (8, 4), (8, 8)]
GPU = {"bandwidth": 100e9, "gap": 20e-6, "GiB": 139}
GPU_ORDERS = [16384, 32768, 65536]
ENGINE = 4  # matrices of work that cuSOLVERMp's eigensolver takes
LEAST = {1: 8192, 2: 16384}  # orders, by GPUs: of smaller ones the start counts


def fit(rows):
    """x, y of x f + y g = value, from (f, g, value), and the largest relative error"""
    rows = [(f / v, g / v, v) for f, g, v in rows]
    ff, fg, gg = (sum(r[i] * r[j] for r in rows) for i, j in ((0, 0), (0, 1), (1, 1)))
    f1, g1 = sum(r[0] for r in rows), sum(r[1] for r in rows)
    det = ff * gg - fg * fg
    x, y = (f1 * gg - g1 * fg) / det, (ff * g1 - fg * f1) / det
    return x, y, max(abs(r[0] * x + r[1] * y - 1) for r in rows)


def constants(runs):
    alone = [r for r in runs if r["p"] * r["q"] == 1]
    several = [r for r in runs if r["p"] * r["q"] > 1]
    more = lambda x: float(x > 1)
    return {
        "a": fit([(r["n"] ** 3, r["n"] ** 2, r["seconds"] * r["gemm"] * 1e9) for r in alone]),
        "b": fit([(r["n"] * math.log2(r["p"]), r["n"] * math.log2(r["q"]), r["point"]) for r in several]),
        "c": fit([(r["n"] * more(r["p"]), r["n"] * more(r["q"]), r["collective"]) for r in several]),
        "d": fit([(r["n"] ** 2 / r["p"] * more(r["q"]), r["n"] ** 2 / r["q"] * more(r["p"]),
                   r["megabytes"] * 1e6 / 8) for r in several]),
        "e": max(r["all_to_all"] for r in several),
    }


def messages(k, n, p, q):
    return n * (k["b"][0] * math.log2(p) + k["b"][1] * math.log2(q)
                + (k["c"][0] + k["c"][1]) * math.log2(max(p, q)))


def seconds(k, n, p, q, node):
    """The parts: arithmetic, latency, bandwidth, all-to-alls"""
    size = p * q
    return ((k["a"][0] * n ** 3 + k["a"][1] * n ** 2) / size / node["rate"],
            messages(k, n, p, q) * node["latency"],
            8 * n ** 2 * ((q > 1) * k["d"][0] / p + (p > 1) * k["d"][1] / q) / node["bandwidth"],
            node["gap"] * k["e"] * (size - 1))


def digits(x):
    return f"{x:.0f}" if x >= 10 else f"{x:.1f}"


def table(k, matrices):
    """matrices: what a process holds, in n^2 / P"""
    print("| n | " + " | ".join(f"{p * q} nodes" for p, q in NODES) + " |")
    print("|---" * (len(NODES) + 1) + "|")
    for n in ORDERS:
        cells = []
        for p, q in NODES:
            parts = seconds(k, n, p, q, NODE)
            room = 8 * matrices * n * n / (p * q) / 2 ** 30
            cells.append("beyond 32 bits" if 2 * n * n / (p * q) >= 2 ** 31 else
                         f"{digits(sum(parts))} s ({100 * parts[0] / sum(parts):.0f} %), {room:.2g} GiB")
        print(f"| {n} | " + " | ".join(cells) + " |")


def gpu_runs(files, what):
    """{(n, p, q): the least seconds} of square matrices"""
    least = {}
    for file in files:
        with open(file, encoding="utf-8") as lines:
            cases = [json.loads(line) for line in lines if line.startswith('{"case"')]
        for r in cases:
            name, *sizes = r["case"].split(":")
            if name == what and len(sizes) == 1 and r["status"] == 0:
                at = int(sizes[0]), r["p"], r["q"]
                least[at] = min(r["seconds"], least.get(at, math.inf))
    return least


def on_gpus(k, runs):
    """The constants of GPUs: those of a node, but of arithmetic, in seconds, and latency; and their errors"""
    alone = {n: t for (n, p, q), t in runs.items() if p * q == 1 and n >= LEAST[1]}
    x = [n ** 3 / t for n, t in alone.items()]
    a3 = sum(x) / sum(y * y for y in x)
    k = dict(k, a=(a3, 0, max(abs(a3 * y - 1) for y in x)))
    gpu = dict(GPU, rate=1, latency=0)
    two = {at: t for at, t in runs.items() if at[1] * at[2] == 2 and at[0] >= LEAST[2]}
    rows = [(messages(k, *at) / t, 1 - sum(seconds(k, *at, gpu)) / t) for at, t in two.items()]
    gpu["latency"] = sum(x * y for x, y in rows) / sum(x * x for x, _ in rows)
    return k, gpu, max(abs(x * gpu["latency"] - y) for x, y in rows)


def gpu_table(k, gpu, own, callers):
    """own, callers: the matrices of the library and of the caller, in n^2"""
    print("| n | " + " | ".join(f"{p * q}" for p, q in GPUS) + " |")
    print("|---" * (len(GPUS) + 1) + "|")
    for n in GPU_ORDERS:
        cells = []
        for p, q in GPUS:
            room = 8 * (own + callers + ENGINE) * n * n / (p * q) / 2 ** 30
            cells.append(f"{digits(sum(seconds(k, n, p, q, gpu)))} s, {digits(room)} GiB" +
                         (", pages" if room > gpu["GiB"] else ""))
        print(f"| {n} | " + " | ".join(cells) + " |")


def main():
    with open(sys.argv[1], encoding="utf-8") as lines:
        runs = [json.loads(line) for line in lines]
    if any(r["status"] != 0 for r in runs):
        sys.exit("a run failed")
    for what, name, matrices, callers in (("svd", "SVD, U and V", 8, 3), ("pair", "GSVD, U, V and X", 10, 5)):
        k = constants([r for r in runs if r["what"] == what])
        print(f"**{name}.** a3 = {k['a'][0]:.1f}, a2 = {k['a'][1]:.0f}; "
              f"b = {k['b'][0]:.1f}, {k['b'][1]:.1f}; c = {k['c'][0]:.1f}, {k['c'][1]:.1f}; "
              f"d = {k['d'][0]:.1f}, {k['d'][1]:.1f}; e = {k['e']:.0f}. Largest errors of the fits: "
              + ", ".join(f"{c} {100 * k[c][2]:.0f} %" for c in "abcd") + ".\n")
        table(k, matrices)
        print()
        if len(sys.argv) > 2:
            k, gpu, error = on_gpus(k, gpu_runs(sys.argv[2:], what))
            print(f"*GPUs.* a3 = {k['a'][0]:.2e} s (error {100 * k['a'][2]:.0f} %); "
                  f"a message {1e6 * gpu['latency']:.0f} us (error {100 * error:.0f} %).\n")
            gpu_table(k, gpu, matrices, callers)
            print()


main()
