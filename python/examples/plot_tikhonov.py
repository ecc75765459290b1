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

import libgsvd

n = 120
t = np.linspace(0, 1, n)
A = np.exp(-200 * (t[:, None] - t) ** 2) / n
x = np.exp(-60 * (t - 0.35) ** 2) + 0.6 * np.exp(-90 * (t - 0.7) ** 2)
exact = A @ x
noise = np.random.default_rng(1).standard_normal(n)
b = exact + 0.05 * np.linalg.norm(exact) / np.sqrt(n) * noise
L = np.diff(np.eye(n), 2, axis=0)

g = libgsvd.gsvd(A, L, form="xinv")
print(g)

# %%
# The first two :math:`\gamma` are infinite: L does not see straight lines, and their terms are never
# filtered. The solution and both norms of each :math:`\lambda` cost a few sums of n terms.
c = g.U.T @ b
finite = g.beta > 0
gamma = np.full(n, np.inf)
gamma[finite] = g.alpha[finite] / g.beta[finite]


def filtered(lam):
    f = np.ones(n)
    f[finite] = gamma[finite] ** 2 / (gamma[finite] ** 2 + lam**2)
    return f


def solution(lam):
    return g.Y @ (filtered(lam) * c / g.alpha)


def norms(lam):
    f = filtered(lam)
    return np.linalg.norm((1 - f) * c), np.linalg.norm(f * c / g.alpha * g.beta)


# %%
# Two rules that need not know the noise: the corner of the L-curve, where its curvature is largest, and
# generalized cross-validation (GCV).
lam = np.geomspace(1e-5, 1e1, 400)
residual, seminorm = np.array([norms(x) for x in lam]).T
u, v = np.log(residual), np.log(seminorm)
du, dv = np.gradient(u), np.gradient(v)
curvature = (du * np.gradient(dv) - dv * np.gradient(du)) / (du**2 + dv**2) ** 1.5
gcv = [r**2 / (n - filtered(x).sum()) ** 2 for r, x in zip(residual, lam)]
error = [np.linalg.norm(solution(y) - x) / np.linalg.norm(x) for y in lam]
chosen = {"L-curve": lam[5:-5][np.argmax(curvature[5:-5])], "GCV": lam[np.argmin(gcv)],
          "best": lam[np.argmin(error)], "too small": 1e-3}
for rule, y in chosen.items():
    off = np.linalg.norm(solution(y) - x) / np.linalg.norm(x)
    print(f"{rule:9} lambda {y:.1e}  error {off:.3f}")

fig, (left, middle, right) = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
left.semilogy(abs(c), ".", label="$|u_i^T b|$")
left.semilogy(g.alpha, label=r"$\alpha_i$")
left.set(title="Picard plot", xlabel="i")
middle.loglog(residual, seminorm, color="0.4")
right.plot(t, x, "k--", lw=1, label="exact")
for (rule, y), mark in zip(chosen.items(), "os^x"):
    middle.plot(*norms(y), mark, label=f"{rule}, $\\lambda$ = {y:.1e}")
    right.plot(t, solution(y), label=rule)
middle.set(title="L-curve", xlabel="$|A x - b|$", ylabel="$|L x|$")
middle.tick_params(axis="x", which="minor", labelbottom=False)
right.set(title="Solutions", xlabel="t")
for axes in left, middle, right:
    axes.legend(fontsize=8)
plt.show()
