# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""libgsvd-cuda, which the package libgsvd opens; nothing to import."""
