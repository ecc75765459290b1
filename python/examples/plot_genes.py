# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
r"""
Comparing the gene expression of two organisms
==============================================

Two tables have genes as rows and the same 18 times as columns; the genes differ. Alter, Brown and
Botstein (PNAS 100, 2003) decompose both by one GSVD,

.. math:: A = U C X^T, \qquad B = V S X^T,

whose rows of :math:`X^T` are expression patterns over time that both have in common. The angular
distance :math:`\arctan(\alpha/\beta) - \pi/4` of a pattern says whose it is: 0 is shared,
:math:`\pi/4` is A's alone, :math:`-\pi/4` is B's.

The data are made: both organisms have a cell cycle, and each has a response of its own.
"""
import matplotlib.pyplot as plt
import numpy as np

import libgsvd

rng = np.random.default_rng(0)
times = np.arange(18)
cycle = np.array([np.cos(2 * np.pi * times / 9), np.sin(2 * np.pi * times / 9)])
stress = np.exp(-times / 4.0)
mating = 1 / (1 + np.exp(-(times - 11)))


def organism(genes, response):
    phases = rng.uniform(0, 2 * np.pi, genes)
    cycling = 3 * np.array([np.cos(phases), np.sin(phases)]).T @ cycle
    return (cycling + 3 * rng.standard_normal((genes, 1)) * response
            + 0.3 * rng.standard_normal((genes, 18)))


A, B = organism(4000, stress), organism(1500, mating)
B *= np.linalg.norm(A) / np.linalg.norm(B)
g = libgsvd.gsvd(A, B)
print(g)
distance = g.angular_distance()

# %%
# How much of each table a pattern explains is its part of the sum of squares. Of the patterns that matter
# one is A's alone, one is B's alone, and two are shared: the cycle.
size = np.linalg.norm(g.X, axis=0)
part_a = (g.alpha * size) ** 2 / np.sum((g.alpha * size) ** 2)
part_b = (g.beta * size) ** 2 / np.sum((g.beta * size) ** 2)
matter = np.flatnonzero(np.maximum(part_a, part_b) > 0.1)
for j in matter:
    print(f"pattern {j + 1:2}: {distance[j] / np.pi * 4:+.2f} pi/4, "
          f"{part_a[j]:.0%} of A, {part_b[j]:.0%} of B")

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
left.barh(np.arange(1, 19), distance, color=["C3" if j in matter else "0.7" for j in range(18)])
left.set(xlim=(-np.pi / 4, np.pi / 4), ylabel="pattern", title="Angular distance",
         xlabel="B's        shared        A's")
left.set_yticks(range(1, 19, 2))
left.set_xticks([-np.pi / 4, 0, np.pi / 4], [r"$-\pi/4$", "0", r"$\pi/4$"])
left.invert_yaxis()
for j in matter:
    right.plot(times, g.X[:, j] / size[j], "o-", ms=3, label=f"pattern {j + 1}")
right.set(title="Patterns that matter", xlabel="time")
right.legend(fontsize=8)
plt.show()
