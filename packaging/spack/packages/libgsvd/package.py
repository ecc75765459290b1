# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""spack repo add packaging/spack && spack dev-build libgsvd@0.1.0, in a checkout of the sources"""

from spack.package import *

try:  # Spack 1
    from spack_repo.builtin.build_systems.cmake import CMakePackage
    from spack_repo.builtin.build_systems.cuda import CudaPackage
except ImportError:  # Spack 0, whose spack.package has both
    pass


class Libgsvd(CMakePackage, CudaPackage):
    """Generalized singular value decomposition on CPUs and GPUs: the GSVD of two dense
    matrices, SVD, hyperbolic SVD, symmetric eigenvalues, and batches of them."""

    license("BSD-3-Clause")

    version("0.1.0")

    variant("shared", default=True, description="Build shared libraries")
    variant("tools", default=True, description="Build the command gsvd")
    # libgsvd-openmpi is for Open MPI
    variant("mpi", default=False, description="Build the module for grids of processes")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+cuda")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build", when="+mpi")
    depends_on("blas")
    depends_on("lapack")
    depends_on("cuda@12:", when="+cuda")
    depends_on("openmpi", when="+mpi")
    depends_on("scalapack", when="+mpi")

    generator("ninja")
    requires("platform=linux")
    conflicts("cuda_arch=none", when="+cuda", msg="cuda_arch is needed")
    conflicts("~shared", when="+mpi", msg="a static libgsvd opens no module")

    def cmake_args(self):
        args = [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("GSVD_TOOLS", "tools"),
            self.define_from_variant("GSVD_CUDA", "cuda"),
            self.define_from_variant("GSVD_GRID", "mpi"),
            self.define("GSVD_TESTS", False),
            self.define("GSVD_BENCH", False),
            self.define("GSVD_EXAMPLES", False),
            self.define("BLAS_LIBRARIES", self.spec["blas"].libs.joined(";")),
            self.define("LAPACK_LIBRARIES", self.spec["lapack"].libs.joined(";")),
        ]
        if self.spec.satisfies("+cuda"):
            args.append(
                self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value)
            )
        if self.spec.satisfies("+mpi"):
            args.append(self.define("SCALAPACK_LIBRARY", self.spec["scalapack"].libs[0]))
        return args
