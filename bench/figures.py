#!/usr/bin/env python3
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""The figures of Flegar 2016, chapter 3, from the JSON lines of bench_thesis.

    bench/figures.py RUN.jsonl FOLDER   thesis-speed.svg, thesis-ranks.svg,
                                        thesis-errors.svg, thesis-values.svg
    bench/figures.py RUN.jsonl          a table in Markdown on standard output

Double precision; colours as in the thesis: ours green, LAPACK red, MKL blue.
OpenBLAS runs LAPACK's code: the figures leave it out.
"""
import json
import sys

COLOUR = {"libgsvd": "#2a9d3a", "LAPACK": "#c8372d", "MKL": "#2b5fb4"}
WIDTH, HEIGHT, MARGIN, GAP = 300, 220, 52, 24


def read(path):
    """{ratio: {m: {name: measured}}} of the lines in double precision"""
    runs = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            r = json.loads(line)
            if r["letter"] != "d" or r["step"] != "preprocess":
                continue
            at = runs.setdefault(r["m"] // r["n"], {}).setdefault(r["m"], {})
            at["libgsvd"] = measured(r, "")
            if r["peer"]:
                at[r["peer"]] = measured(r, "peer_")
    return runs


def measured(r, prefix):
    return {
        "n": r["n"],
        "ms": r[prefix + "ms"],
        "ms_min": r[prefix + "ms_min"],
        "speed": r["m"] * r["n"] ** 2 / r[prefix + "ms"] * 1e-6,
        "l": r[prefix + "l"],
        "k + l": r[prefix + "k"] + r[prefix + "l"],
        "A": r[prefix + "digits_a"],
        "B": r[prefix + "digits_b"],
        "values": r[prefix + "digits_values"],
    }


# ---- figures -----------------------------------------------------------------


def ticks(least, most):
    """a few round numbers in [least, most]"""
    step = 1e-3
    for step in (f * 10.0**e for e in range(-3, 7) for f in (1, 2, 5)):
        if (most - least) / step <= 5:
            break
    first = -(-least // step)
    return [t * step for t in range(int(first), int(most / step + 1e-9) + 1)]


def panel(out, left, title, curves, least, most):
    """curves: (name, dashed, [(m, y)])"""
    xs = [x for _, _, points in curves for x, _ in points]
    right = max(xs)

    def px(x):
        return left + x / right * WIDTH

    def py(y):
        return GAP + HEIGHT - (y - least) / ((most - least) or 1) * HEIGHT

    out.append(f'<text x="{left + WIDTH / 2}" y="{GAP - 8}" '
               f'text-anchor="middle">{title}</text>')
    for t in ticks(least, most):
        out.append(f'<path d="M{left} {py(t):.1f}h{WIDTH}" stroke="#ddd"/>'
                   f'<text x="{left - 5}" y="{py(t) + 4:.1f}" '
                   f'text-anchor="end">{t:g}</text>')
    for t in ticks(0, right):
        out.append(f'<text x="{px(t):.1f}" y="{GAP + HEIGHT + 15}" '
                   f'text-anchor="middle">{t:g}</text>')
    out.append(f'<rect x="{left}" y="{GAP}" width="{WIDTH}" '
               f'height="{HEIGHT}" fill="none" stroke="#888"/>')
    for name, dashed, points in curves:
        path = "L".join(f"{px(x):.1f} {py(y):.1f}" for x, y in points)
        dash = ' stroke-dasharray="5 3"' if dashed else ""
        out.append(f'<path d="M{path}" fill="none" stroke="{COLOUR[name]}" '
                   f'stroke-width="1.8"{dash}/>')


def figure(runs, path, what, full, dashed, zero):
    names = [n for n in COLOUR
             if any(n in at for by_m in runs.values() for at in by_m.values())]
    panels = []
    for ratio in sorted(runs):
        curves = []
        for name in names:
            for key, dash in ((full, False), (dashed, True)):
                points = [(m, at[name][key])
                          for m, at in sorted(runs[ratio].items())
                          if key and name in at and at[name][key] is not None]
                if points:
                    curves.append((name, dash, points))
        if curves:
            panels.append((f"m : n = {ratio} : 1", curves))
    ys = [y for _, curves in panels for _, _, pts in curves for _, y in pts]
    least, most = (0 if zero else min(ys) - 0.1), max(ys) * 1.02
    width = len(panels) * (WIDTH + MARGIN) + GAP
    height = HEIGHT + 2 * GAP + 44
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
           f'height="{height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    for i, (title, curves) in enumerate(panels):
        panel(out, MARGIN + i * (WIDTH + MARGIN), title, curves, least, most)
    x, y = MARGIN, GAP + HEIGHT + 40
    for name in names:
        out.append(f'<path d="M{x} {y - 4}h24" stroke="{COLOUR[name]}" '
                   f'stroke-width="2"/><text x="{x + 30}" y="{y}">{name}</text>')
        x += 110
    out.append(f'<text x="{x}" y="{y}">{what}</text></svg>')
    with open(path, "w", encoding="utf-8") as svg:
        svg.write("\n".join(out) + "\n")


# ---- table -------------------------------------------------------------------


def number(x, form):
    return "-" if x is None else format(x, form)


def table(runs):
    print("| ratio | m | n | ours, ms | LAPACK / ours | MKL / ours | k + l, l "
          "| A: ours, LAPACK, MKL | B: ours, LAPACK, MKL | values: ours, MKL |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    none = {key: None for key in ("ms_min", "A", "B", "values")}
    for ratio in sorted(runs):
        for m, at in sorted(runs[ratio].items()):
            ours = at["libgsvd"]
            peers = [at.get(name, none) for name in ("LAPACK", "MKL")]
            ranks = {(x["k + l"], x["l"]) for x in at.values()}
            cells = [f"{ratio}:1", m, ours["n"], f"{ours['ms']:.2f}"]
            cells += [number(x["ms_min"] and x["ms_min"] / ours["ms_min"],
                             ".2f") for x in peers]
            cells.append("; ".join(f"{r}, {l}" for r, l in sorted(ranks)))
            for key in "AB":
                cells.append(", ".join(number(x[key], ".2f")
                                       for x in [ours] + peers))
            cells.append(", ".join(number(x["values"], ".2f")
                                   for x in (ours, peers[1])))
            print("| " + " | ".join(str(c) for c in cells) + " |")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    runs = read(sys.argv[1])
    if len(sys.argv) == 2:
        table(runs)
        return
    folder = sys.argv[2]
    figure(runs, f"{folder}/thesis-speed.svg",
           "m n^2 / time, 10^9 a second, over m", "speed", None, True)
    figure(runs, f"{folder}/thesis-ranks.svg",
           "k + l (full) and l (dashed) over m", "k + l", "l", True)
    figure(runs, f"{folder}/thesis-errors.svg",
           "correct digits of A (full) and B (dashed) over m", "A", "B", False)
    figure(runs, f"{folder}/thesis-values.svg",
           "digits in which the generalized values agree with LAPACK's, over m",
           "values", None, False)


main()
