# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
r"""
Discriminant analysis with fewer samples than features
======================================================

Linear discriminant analysis looks for directions that separate the means of classes and keep each
class together: :math:`S_b\,g = \mu\,S_w\,g`. With 90 samples of 400 features the matrix
:math:`S_w` is singular, and the textbook's method stops. The GSVD of the factors,
:math:`S_b = H_b^T H_b` and :math:`S_w = H_w^T H_w`, needs neither an inverse nor the
squares (Howland and Park, IEEE PAMI 26, 2004).
"""
import matplotlib.pyplot as plt
import numpy as np

import libgsvd

rng = np.random.default_rng(0)
features, classes, each = 400, 3, 30
spread = rng.standard_normal((features, 60)) / np.sqrt(60)  # features are correlated
means = 0.55 * rng.standard_normal((classes, features))


def sample(count):
    return [m + rng.standard_normal((count, 60)) @ spread.T * 3 + rng.standard_normal((count, features))
            for m in means]


train, test = sample(each), sample(100)
centre = np.mean([x.mean(0) for x in train], axis=0)
Hb = np.array([np.sqrt(each) * (x.mean(0) - centre) for x in train])
Hw = np.concatenate([x - x.mean(0) for x in train])

g = libgsvd.gsvd(Hb, Hw, form="xinv")
print(g)

# %%
# alpha and beta of the first columns: what separates the classes, and by how much. With classes in 400
# dimensions there are directions in which the means differ and no class spreads (beta = 0).
print("alpha", g.alpha[:3].round(6), " beta", g.beta[:3].round(6))
G = g.Y[:, :classes - 1]


def right_ones(project):
    centres = np.array([project(x).mean(0) for x in train])
    hits = [np.argmin(((project(x)[:, None] - centres) ** 2).sum(-1), axis=1) == i
            for i, x in enumerate(test)]
    return np.mean(hits)


everything = np.concatenate(train) - centre
pca = np.linalg.svd(everything, full_matrices=False)[2][:2].T
for name, matrix in ("GSVD", G), ("two principal components", pca):
    print(f"{name}: {right_ones(lambda x: (x - centre) @ matrix):.0%} of {3 * 100} new samples")

fig, axes = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
for ax, matrix, name in zip(axes, (pca, G), ("Principal components", "Discriminants of the GSVD")):
    for i, (x, y) in enumerate(zip(train, test)):
        ax.plot(*((y - centre) @ matrix).T, ".", color=f"C{i}", alpha=0.4, ms=4)
        ax.plot(*((x - centre) @ matrix).T, "x", color=f"C{i}", label=f"class {i + 1}")
    ax.set(title=name, xticks=[], yticks=[])
axes[0].legend(title="x: training, dots: new")
plt.show()
