# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""Generalized singular value decomposition on CPUs and NVIDIA GPUs.

gsvd      A = U C X^H and B = V S X^H of two matrices with the same number of columns
gsvdvals  the pairs (alpha, beta) alone; error_bounds: how far they may be off
svd       singular value decomposition; svdvals: the values alone
hsvd      hyperbolic SVD: eigenvalues of an indefinite G J G^H from G
eigh      eigenvalues and eigenvectors of a Hermitian matrix
qr        QR factorization
geqp      QR factorization with column pivoting, which reveals the rank
urv       complete orthogonal decomposition

applications.Tikhonov  regularized solutions of A x = b, and the choice of lambda

Leading dimensions are stacks of problems.  Arrays of NumPy, PyTorch, JAX and others that have
DLPack's protocol give arrays of the same package.
"""
from . import applications
from ._bounds import ErrorBounds, error_bounds
from ._decompose import (eigh, geqp, gsvd, gsvdvals, hsvd, qr, show_config, svd, svdvals, urv,
                         version)
from ._results import (ConvergenceWarning, EighResult, GeqpResult, GSVDResult, HSVDResult,
                       LinAlgError, QRResult, Stats, SVDResult, URVResult)

__version__ = version()
__all__ = [
    "gsvd", "gsvdvals", "error_bounds", "svd", "svdvals", "hsvd", "eigh", "qr", "geqp", "urv",
    "show_config", "applications", "ErrorBounds",
    "GSVDResult", "SVDResult", "HSVDResult", "EighResult", "QRResult", "GeqpResult", "URVResult",
    "Stats", "LinAlgError", "ConvergenceWarning"]
