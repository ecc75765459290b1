# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
r"""
Small eigenvalues of an indefinite matrix
=========================================

A symmetric matrix that is known as :math:`H = G J G^T`, with J = diag(1 or -1) -- a difference of two
covariances, say -- has as many positive and negative eigenvalues as J has signs. Who forms H loses all
eigenvalues below rounding of the largest one. The hyperbolic SVD takes G itself,

.. math:: G = U \Sigma V^T, \quad V^T J V = J', \qquad H = U\,\Sigma^2 J'\,U^T.

Here the columns of G are scaled from 1 to :math:`10^{-12}`, so that eigenvalues reach from 1 to
:math:`10^{-24}`. They are compared with those in 80 digits.
"""
import matplotlib.pyplot as plt
import mpmath
import numpy as np

import libgsvd

n = 16
rng = np.random.default_rng(0)
scale = 10.0 ** -np.linspace(0, 12, n)
J = np.where(np.arange(n) % 2 == 0, 1, -1)
G = (np.eye(n) + 0.3 * rng.standard_normal((n, n)) / np.sqrt(n)) * scale

mpmath.mp.dps = 80
exact_g = mpmath.matrix(G.tolist())
exact = np.array([float(x) for x in mpmath.eigsy(
    exact_g * mpmath.diag([int(x) for x in J]) * exact_g.T, eigvals_only=True)])

H = G * J @ G.T
ways = {"hsvd(G, J)": libgsvd.hsvd(G, J).eigenvalues, "numpy eigvalsh(H)": np.linalg.eigvalsh(H),
        "eigh(H)": libgsvd.eigh(H).eigenvalues}

# %%
# Values in the order of their size; an error of 1 or more is no digit. ``eigh`` of H sees what rounding
# has left of it.
order = np.argsort(-abs(exact))
fig, axes = plt.subplots(figsize=(7, 3.8), layout="constrained")
for (name, values), mark in zip(ways.items(), "os^"):
    error = abs(np.sort(values) - np.sort(exact))[np.argsort(-abs(np.sort(exact)))]
    error = np.maximum(error / abs(np.sort(exact)[np.argsort(-abs(np.sort(exact)))]), 1e-17)
    axes.loglog(abs(exact[order]), error, mark + "-", label=name)
    print(f"{name:18} worst relative error {error.max():.0e}, "
          f"{(values > 0).sum()} positive, {(values < 0).sum()} negative")
axes.axhline(1, color="0.6", lw=1)
axes.invert_xaxis()
axes.set(xlabel="size of the eigenvalue", ylabel="relative error")
axes.legend()
plt.show()
