# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
r"""
Beamforming: a GSVD for each frequency bin
==========================================

Eight microphones in a line hear a speaker, two other sources and noise of their own. In each frequency
bin A has the frames while somebody speaks, B those of noise alone. The multichannel Wiener filter
(Doclo and Moonen 2002), which estimates the speech at the first microphone, is

.. math:: w = Y \operatorname{diag}\!\bigl(\max(0,\; 1 - \beta^2 / \alpha^2)\bigr)\, X^H e_1,
          \qquad Y = X^{-H}.

All bins are one call. The same program in C is ``examples/bins.c``.
"""
import matplotlib.pyplot as plt
import numpy as np

import libgsvd

rng = np.random.default_rng(0)
mics, bins, frames = 8, 257, 200
frequency = np.linspace(100, 8000, bins)
sine = np.array([0.17, -0.77, 0.64])  # where the speaker and the others are
delay = 0.04 * np.arange(mics) / 343  # 4 cm apart
steer = np.exp(-2j * np.pi * frequency[:, None, None] * sine[:, None] * delay)


def normal(*shape):
    return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)) / np.sqrt(2)


def hear():
    """bins x frames x microphones: speech, and what disturbs it"""
    source = normal(bins, frames, 3) * np.array([1, 1, 0.7])
    noise = source[..., 1:] @ steer[:, 1:] + 0.1 * normal(bins, frames, mics)
    return source[..., :1] @ steer[:, :1], noise


speech, noise = hear()
silence = hear()[1]
A = libgsvd.qr((speech + noise).conj(), mode="r").R  # 8 x 8: the same A^H A
B = libgsvd.qr(silence.conj(), mode="r").R
x_form = libgsvd.gsvd(A, B)
print(x_form)

# %%
# The filters of all bins:
X, alpha, beta = x_form.X, x_form.alpha, x_form.beta
gain = np.maximum(0, 1 - (beta / alpha) ** 2)
w = np.linalg.solve(X.conj().swapaxes(-1, -2), (gain * X[:, 0].conj())[..., None])

new_speech, new_noise = hear()


def decibel(x, y):
    return 10 * np.log10(np.mean(abs(x) ** 2, axis=1) / np.mean(abs(y) ** 2, axis=1))


before = decibel(new_speech[..., 0], new_noise[..., 0])
after = decibel((new_speech @ w.conj())[..., 0], (new_noise @ w.conj())[..., 0])
print(f"signal to noise, dB, mean of bins: {before.mean():.1f} before, {after.mean():.1f} after")

at = np.linspace(-1, 1, 301)
bin = np.argmin(abs(frequency - 3000))
beam = abs(np.exp(-2j * np.pi * frequency[bin] * at[:, None] * delay) @ w[bin].conj())[:, 0]
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
left.plot(frequency, before, color="0.6", label="first microphone")
left.plot(frequency, after, label="filtered")
left.set(title="Signal to noise, new frames", xlabel="Hz", ylabel="dB", ylim=(-12, 24))
left.legend(loc="lower right")
right.plot(at, 20 * np.log10(beam))
for s, name, color in zip(sine, ("speaker", "others", None), ("C2", "C3", "C3")):
    right.axvline(s, color=color, ls="--", label=name)
right.set(title="Beam at 3 kHz", xlabel="sine of the angle", ylabel="dB", ylim=(-50, 20))
right.set_xticks([-1, -0.5, 0, 0.5, 1])
right.legend(loc="upper left")
plt.show()
