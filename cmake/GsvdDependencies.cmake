# gsvd_deps: what the library is built on.
#   BLAS, LAPACK   CMake's FindBLAS/FindLAPACK; BLA_VENDOR chooses, OpenBLAS is
#                  taken first.  Fortran symbols with 32-bit integers.
#   GSVD_BLAS_PREFIX   both in one library whose names have a prefix
#   threads        POSIX's
#   OpenMP         optional: the number of threads, loops in vectors
# gsvd_lapacke: LAPACKE, which tests and benches call.
# gsvd_openmpi_deps, gsvd_mpich_deps: what a module of grids is built on, of each in GSVD_GRIDS.
#   Open MPI       and a ScaLAPACK for it
# gsvd_nccl_deps: what the module of grids of GPUs is built on, if GSVD_HAVE_NCCL.
#   NCCL >= 2.29.2, cuBLASMp, cuSOLVERMp   from GSVD_NCCL_ROOT, where PyPI's wheels are unpacked
# gsvd_cuda_deps: what its CUDA space is built on, if GSVD_HAVE_CUDA.
#   CUDA >= 12     cudart, cuBLAS, cuSOLVER; the driver is opened at run time
add_library(gsvd_deps INTERFACE)
add_library(gsvd_cuda_deps INTERFACE)

if(GSVD_BLAS_PREFIX)
    include(GsvdBlasPrefix)
else()
    if(NOT BLA_VENDOR)
        set(BLA_VENDOR Generic) # the distribution's choice; OpenBLAS on Debian
        find_package(LAPACK QUIET)
        if(NOT LAPACK_FOUND)
            unset(BLA_VENDOR)
        endif()
    endif()
    find_package(BLAS REQUIRED)
    find_package(LAPACK REQUIRED)

    target_link_libraries(gsvd_deps INTERFACE LAPACK::LAPACK BLAS::BLAS m)
endif()

add_library(gsvd_lapacke INTERFACE)
if(GSVD_TESTS OR GSVD_BENCH)
    find_path(LAPACKE_INCLUDE_DIR lapacke.h
        PATH_SUFFIXES lapacke openblas openblas-pthread
        HINTS /usr/include/x86_64-linux-gnu)
    find_library(LAPACKE_LIBRARY lapacke)
    if(NOT LAPACKE_INCLUDE_DIR OR NOT LAPACKE_LIBRARY)
        message(FATAL_ERROR "LAPACKE, which tests and benches call, was not found "
            "(Debian: liblapacke-dev; or GSVD_TESTS=OFF, GSVD_BENCH=OFF)")
    endif()
    target_include_directories(gsvd_lapacke SYSTEM INTERFACE ${LAPACKE_INCLUDE_DIR})
    target_link_libraries(gsvd_lapacke INTERFACE ${LAPACKE_LIBRARY})
endif()

find_package(Threads REQUIRED)
target_link_libraries(gsvd_deps INTERFACE Threads::Threads ${CMAKE_DL_LIBS})

find_package(OpenMP QUIET COMPONENTS C)
if(OpenMP_C_FOUND)
    target_link_libraries(gsvd_deps INTERFACE OpenMP::OpenMP_C)
endif()

if(GSVD_HAVE_CUDA)
    target_link_libraries(gsvd_cuda_deps INTERFACE
        CUDA::cudart CUDA::cublas CUDA::cusolver ${CMAKE_DL_LIBS})
endif()

# GSVD_GRIDS: openmpi, mpich; gsvd_${mpi}_deps, PkgConfig::OPENMPI and OPENMPI_SCALAPACK, or those of MPICH
set(GSVD_GRIDS "")
function(gsvd_find_grid mpi package)
    string(TOUPPER ${mpi} MPI)
    find_library(${MPI}_SCALAPACK scalapack-${mpi})
    pkg_check_modules(${MPI} QUIET IMPORTED_TARGET GLOBAL ${package})
    if(${MPI}_SCALAPACK AND ${MPI}_FOUND)
        add_library(gsvd_${mpi}_deps INTERFACE)
        target_link_libraries(gsvd_${mpi}_deps INTERFACE ${${MPI}_SCALAPACK} PkgConfig::${MPI})
        set(GSVD_GRIDS ${GSVD_GRIDS} ${mpi} PARENT_SCOPE)
    endif()
endfunction()
if(NOT GSVD_GRID STREQUAL "OFF" AND NOT GSVD_SANITIZE)
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
        gsvd_find_grid(openmpi ompi-c)
        gsvd_find_grid(mpich mpich)
    endif()
    if(GSVD_GRID STREQUAL "ON" AND NOT GSVD_GRIDS)
        message(FATAL_ERROR "GSVD_GRID=ON, but neither Open MPI nor MPICH was found with its ScaLAPACK "
            "(Debian: libopenmpi-dev, libscalapack-openmpi-dev; libmpich-dev, libscalapack-mpich-dev)")
    endif()
endif()

# GSVD_HAVE_NCCL and gsvd_nccl_deps
set(GSVD_HAVE_NCCL OFF)
function(gsvd_find_nccl)
    set(wheels ${GSVD_NCCL_ROOT})
    find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${wheels}/nccl/include NO_CMAKE_PATH)
    find_path(CUBLASMP_INCLUDE_DIR cublasmp.h HINTS ${wheels}/cublasmp/cu13/include)
    find_path(CUSOLVERMP_INCLUDE_DIR cusolverMp.h HINTS ${wheels}/cu13/include)
    find_library(NCCL_LIBRARY NAMES libnccl.so.2 nccl HINTS ${wheels}/nccl/lib)
    find_library(CUBLASMP_LIBRARY NAMES libcublasmp.so.0 cublasmp HINTS ${wheels}/cublasmp/cu13/lib)
    find_library(CUSOLVERMP_LIBRARY NAMES libcusolverMp.so.0 cusolverMp HINTS ${wheels}/cu13/lib)
    set(missing "")
    foreach(found NCCL_INCLUDE_DIR CUBLASMP_INCLUDE_DIR CUSOLVERMP_INCLUDE_DIR NCCL_LIBRARY CUBLASMP_LIBRARY
            CUSOLVERMP_LIBRARY)
        if(NOT ${found})
            list(APPEND missing ${found})
        endif()
    endforeach()
    if(NOT GSVD_HAVE_CUDA)
        list(APPEND missing "CUDA")
    elseif(NCCL_INCLUDE_DIR)
        file(STRINGS ${NCCL_INCLUDE_DIR}/nccl.h version REGEX "define NCCL_(MAJOR|MINOR|PATCH)")
        string(REGEX REPLACE "[^0-9;]" "" version "${version}")
        list(JOIN version "." version)
        if(version VERSION_LESS 2.29.2)
            list(APPEND missing "NCCL >= 2.29.2, ${NCCL_INCLUDE_DIR} has ${version}")
        endif()
    endif()
    if(missing)
        list(JOIN missing ", " missing)
        set(why "libgsvd-nccl needs NCCL, cuBLASMp and cuSOLVERMp (PyPI: nvidia-nccl-cu13, nvidia-cublasmp-cu13, nvidia-cusolvermp-cu13; GSVD_NCCL_ROOT is their folder nvidia/); missing: ${missing}")
        if(GSVD_NCCL STREQUAL "ON")
            message(FATAL_ERROR "GSVD_NCCL=ON, but ${why}")
        endif()
        message(STATUS "Without libgsvd-nccl: ${why}")
        return()
    endif()
    add_library(gsvd_nccl_deps INTERFACE)
    target_include_directories(gsvd_nccl_deps SYSTEM BEFORE INTERFACE ${NCCL_INCLUDE_DIR}
        ${CUBLASMP_INCLUDE_DIR} ${CUSOLVERMP_INCLUDE_DIR})
    target_link_libraries(gsvd_nccl_deps INTERFACE ${CUSOLVERMP_LIBRARY} ${CUBLASMP_LIBRARY} ${NCCL_LIBRARY}
        CUDA::cudart CUDA::cublas CUDA::cusolver)
    # the wheels find their own libraries by their places
    target_link_options(gsvd_nccl_deps INTERFACE -Wl,--allow-shlib-undefined)
    set(GSVD_HAVE_NCCL ON PARENT_SCOPE)
endfunction()
if(NOT GSVD_NCCL STREQUAL "OFF" AND NOT GSVD_SANITIZE AND BUILD_SHARED_LIBS)
    gsvd_find_nccl()
endif()
