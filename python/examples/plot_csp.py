# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
r"""
Common spatial patterns of two classes
======================================

Twelve channels record two tasks. Two sources tell them apart: one is strong in the first task, one in
the second. Common spatial patterns (Koles 1990) are filters w of the channels whose part of the
variance differs most,

.. math:: X_1^T X_1 w = \mu\, X_2^T X_2 w.

The GSVD finds them from the data: :math:`\alpha^2` is class 1's part of the variance behind a filter,
Y has the filters and X the patterns.
"""
import matplotlib.pyplot as plt
import numpy as np

import libgsvd

rng = np.random.default_rng(0)
channels, trials, samples = 12, 40, 250
angle = 2 * np.pi * np.arange(channels) / channels
mixing = np.array([np.exp(3 * (np.cos(angle - a) - 1)) for a in rng.uniform(0, 2 * np.pi, 12)])
power = {1: np.ones(12), 2: np.ones(12)}
power[1][3], power[2][3] = 2.5, 0.8
power[1][8], power[2][8] = 0.8, 2.5


def record(task):
    """trials x samples x channels"""
    sources = rng.standard_normal((trials, samples, 12)) * power[task]
    return sources @ mixing + 0.1 * rng.standard_normal((trials, samples, channels))


first, second = record(1), record(2)
train = slice(0, trials // 2)
g = libgsvd.gsvd(first[train].reshape(-1, channels), second[train].reshape(-1, channels),
                 form="xinv")
print(g)
print("class 1's part of the variance:", np.round(g.alpha**2, 3))

# %%
# The first filter is for class 1, the last one for class 2. The logarithm of the variance behind the two
# separates trials that were not used to find them.
W = g.Y[:, [0, -1]]
features = [np.log(np.var(x[trials // 2:] @ W, axis=1)) for x in (first, second)]
axis = features[0].mean(0) - features[1].mean(0)
middle = (features[0].mean(0) + features[1].mean(0)) / 2
right_ones = sum(np.sum(sign * (f - middle) @ axis > 0) for f, sign in zip(features, (1, -1)))
print(f"{right_ones} of {trials} new trials are told apart")

X = np.linalg.pinv(g.Y).T
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
for j, source, color in (0, 3, "C0"), (-1, 8, "C3"):
    sign = np.sign(X[:, j] @ mixing[source])
    left.plot(sign * X[:, j] / np.linalg.norm(X[:, j]), "o-", color=color, label=f"pattern {j % 12 + 1}")
    left.plot(mixing[source] / np.linalg.norm(mixing[source]), "--", color=color,
              label=f"source {source + 1}")
left.set(title="Patterns and the sources behind them", xlabel="channel")
for f, name, color in zip(features, ("task 1", "task 2"), ("C0", "C3")):
    right.plot(*f.T, "o", color=color, label=name)
right.set(title="New trials", xlabel="log variance, filter 1", ylabel="log variance, filter 12")
left.legend(fontsize=8), right.legend()
plt.show()
