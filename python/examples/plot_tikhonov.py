# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
r"""
Tikhonov regularization and the L-curve
=======================================

A blurred signal with noise is to be sharpened: an integral equation of the first kind. What is asked
is small in its second derivative, L x:

.. math:: \min_x \lVert A x - b\rVert^2 + \lambda^2 \lVert L x \rVert^2

One GSVD of (A, L), with the vectors :math:`Y = X^{-T}`, serves every :math:`\lambda`:

.. math:: x_\lambda = \sum_i \frac{\gamma_i^2}{\gamma_i^2 + \lambda^2}\,
          \frac{u_i^T b}{\alpha_i}\, y_i, \qquad \gamma_i = \alpha_i / \beta_i
"""
import matplotlib.pyplot as plt
import numpy as np

from libgsvd.applications import Tikhonov

n = 120
t = np.linspace(0, 1, n)
A = np.exp(-200 * (t[:, None] - t) ** 2) / n
x = np.exp(-60 * (t - 0.35) ** 2) + 0.6 * np.exp(-90 * (t - 0.7) ** 2)
exact = A @ x
noise = np.random.default_rng(1).standard_normal(n)
b = exact + 0.05 * np.linalg.norm(exact) / np.sqrt(n) * noise
L = np.diff(np.eye(n), 2, axis=0)

problem = Tikhonov.of(A, b, L)
print(problem)

# %%
# The first two :math:`\gamma` are infinite: L does not see straight lines, and their terms are never
# filtered. The solution and both norms of each :math:`\lambda` cost a few sums of n terms. Four rules
# choose one; of these only the discrepancy principle must know the noise.
lam = np.geomspace(1e-5, 1e1, 400)


def error(y):
    return np.linalg.norm(problem.solution(y) - x, axis=-1) / np.linalg.norm(x)


chosen = {"L-curve": problem.choose("lcurve"), "GCV": problem.choose("gcv"),
          "discrepancy": problem.choose("discrepancy", delta=np.linalg.norm(b - exact)),
          "quasi-optimality": problem.choose("quasi"),
          "best": lam[np.argmin(error(lam))], "too small": 1e-3}
for rule, y in chosen.items():
    print(f"{rule:16} lambda {y:.1e}  error {error(y):.3f}")

fig, (left, middle, right) = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
left.semilogy(abs(problem.coefficients), ".", label="$|u_i^T b|$")
left.semilogy(problem.alpha, label=r"$\alpha_i$")
left.set(title="Picard plot", xlabel="i")
middle.loglog(*problem.norms(lam), color="0.4")
right.plot(t, x, "k--", lw=1, label="exact")
for (rule, y), mark in zip(chosen.items(), "osDv^x"):
    middle.plot(*problem.norms(y), mark, label=f"{rule}, $\\lambda$ = {y:.1e}")
    if rule in ("L-curve", "GCV", "too small"):
        right.plot(t, problem.solution(y), label=rule)
middle.set(title="L-curve", xlabel="$|A x - b|$", ylabel="$|L x|$")
middle.tick_params(axis="x", which="minor", labelbottom=False)
right.set(title="Solutions", xlabel="t")
for axes in left, middle, right:
    axes.legend(fontsize=8)
plt.show()
