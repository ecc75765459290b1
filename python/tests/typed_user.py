# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""A user's program, for mypy --strict: what the package's types say."""
from typing import assert_type

import numpy as np

import libgsvd
from libgsvd.applications import Tikhonov


def values(seed: int) -> float:
    rng = np.random.default_rng(seed)
    A, B = rng.standard_normal((6, 4)), rng.standard_normal((5, 4))
    result = libgsvd.gsvd(A, B, form="xinv", rank="rows")
    assert_type(result, libgsvd.GSVDResult)
    assert_type(result.shape, tuple[int, int, int])
    assert_type(libgsvd.error_bounds(A, B, result), libgsvd.ErrorBounds)
    problem = Tikhonov.of(A, A[:, 0], B, filter="damped")
    assert_type(problem, Tikhonov)
    assert_type(problem.lambda_range, tuple[float, float])
    assert_type(libgsvd.svd(A), libgsvd.SVDResult)
    assert_type(libgsvd.eigh(A.T @ A, method="factor"), libgsvd.EighResult)
    assert_type(libgsvd.qr(A, "r"), libgsvd.QRResult)
    alpha, beta = libgsvd.gsvdvals(A, B)
    stats = result.stats
    if stats is not None:
        assert_type(stats.solver, str)
        assert_type(stats.converged, bool)
    try:
        libgsvd.gsvd(A, B, form="y")  # type: ignore[arg-type]
    except ValueError:
        pass
    except libgsvd.LinAlgError as error:
        assert_type(error.info, int)
    return float((alpha / beta).sum())


assert_type(libgsvd.__version__, str)
