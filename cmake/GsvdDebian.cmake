# Debian packages, by cpack -G DEB from any shared build:
#   libgsvdN     the libraries, in the multiarch folder
#   libgsvd-cudaN  the library that libgsvd opens where there is a GPU
#   libgsvd-openmpiN, libgsvd-mpichN  the library that libgsvd opens for grids of MPI processes
#   libgsvd-dev  headers, links, CMake package, pkg-config files, examples, pages for users
#   gsvd         the command
# They lie under /usr whatever prefix the build has; debian/stage.cmake brings the
# installed files into Debian's form, debian/control.cmake the archives.
set(gsvd_debian ${PROJECT_SOURCE_DIR}/cmake/debian)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME libgsvd)
set(GSVD_PACKAGE_CONTACT "the libgsvd authors <libgsvd@packages.invalid>" CACHE
    STRING "Maintainer of the Debian packages, with an address")
set(CPACK_PACKAGE_CONTACT ${GSVD_PACKAGE_CONTACT})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PRE_BUILD_SCRIPTS ${gsvd_debian}/stage.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${gsvd_debian}/control.cmake)

# ---- libraries and headers ----------------------------------------------------

set(libdir ${CMAKE_INSTALL_LIBDIR})
if(CMAKE_LIBRARY_ARCHITECTURE)
    set(libdir lib/${CMAKE_LIBRARY_ARCHITECTURE})
endif()
gsvd_install(${libdir} debian_runtime debian_cuda debian_grid debian_dev EXCLUDE_FROM_ALL)
gsvd_install_documents(share/doc/libgsvd-dev debian_dev EXCLUDE_FROM_ALL)
set(CPACK_COMPONENTS_ALL debian_runtime debian_dev)

set(CPACK_DEBIAN_DEBIAN_RUNTIME_PACKAGE_NAME libgsvd${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${gsvd_debian}/triggers)
set(CPACK_DEBIAN_DEBIAN_RUNTIME_DESCRIPTION
    "Computes the GSVD of two dense matrices with the same number of columns,
of any shape and rank, in single and double precision, real and complex.

This package has the shared libraries: libgsvd, libgsvd_lapack, which
serves programs that call LAPACK's GSVD, and libgsvd_lapack_eig, for those
that call LAPACK's eigenvalues and singular values.")
if(TARGET gsvd_cuda)
    list(APPEND CPACK_COMPONENTS_ALL debian_cuda)
    set(cuda_package libgsvd-cuda${PROJECT_VERSION_MAJOR})
    set(CPACK_DEBIAN_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS ${cuda_package})
    set(CPACK_DEBIAN_DEBIAN_CUDA_PACKAGE_NAME ${cuda_package})
    set(CPACK_DEBIAN_DEBIAN_CUDA_PACKAGE_SECTION libs)
    set(CPACK_DEBIAN_DEBIAN_CUDA_PACKAGE_CONTROL_EXTRA ${gsvd_debian}/triggers)
    set(CPACK_DEBIAN_DEBIAN_CUDA_DESCRIPTION
        "What of libgsvd computes on GPUs of NVIDIA. libgsvd opens it when a program
asks for a GPU, and does without it where it is not installed.")
    # NVIDIA's packages carry no shlibs files, so that dpkg-shlibdeps says nothing
    # of them; recommended, not depended on: CUDA may have come another way
    list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS
        ${CUDAToolkit_LIBRARY_DIR})
    string(REGEX REPLACE "^([0-9]+)\\.([0-9]+).*" "\\1-\\2" cuda
        ${CUDAToolkit_VERSION})
    # cuSPARSE and nvJitLink are cuSOLVER's
    foreach(package cuda-cudart libcublas libcusolver libcusparse libnvjitlink)
        list(APPEND recommended ${package}-${cuda})
    endforeach()
    list(JOIN recommended ", " CPACK_DEBIAN_DEBIAN_CUDA_PACKAGE_RECOMMENDS)
endif()
foreach(mpi IN LISTS GSVD_GRIDS)
    list(APPEND CPACK_COMPONENTS_ALL debian_grid_${mpi})
    string(TOUPPER DEBIAN_GRID_${mpi} component)
    list(APPEND grid_packages libgsvd-${mpi}${PROJECT_VERSION_MAJOR})
    set(CPACK_DEBIAN_${component}_PACKAGE_NAME libgsvd-${mpi}${PROJECT_VERSION_MAJOR})
    set(CPACK_DEBIAN_${component}_PACKAGE_SECTION libs)
    set(CPACK_DEBIAN_${component}_PACKAGE_CONTROL_EXTRA ${gsvd_debian}/triggers)
    set(CPACK_DEBIAN_${component}_DESCRIPTION
        "What of libgsvd computes on grids of MPI processes, over ScaLAPACK. libgsvd
opens it when a program asks for a grid, and does without it where it is not
installed.")
endforeach()
if(GSVD_GRIDS)
    list(JOIN grid_packages ", " CPACK_DEBIAN_DEBIAN_RUNTIME_PACKAGE_SUGGESTS)
endif()
set(CPACK_DEBIAN_DEBIAN_DEV_PACKAGE_NAME libgsvd-dev)
set(CPACK_DEBIAN_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEBIAN_DEV_DESCRIPTION
    "Headers, the links that the linker follows, a CMake package (gsvd::gsvd,
gsvd::lapack, gsvd::lapack_eig) and pkg-config files (gsvd, gsvd_lapack,
gsvd_lapack_eig) of libgsvd; examples, and pages for users.")
if(NOT BUILD_SHARED_LIBS)
    # what a program needs to be linked to the archive
    set(CPACK_DEBIAN_DEBIAN_DEV_PACKAGE_DEPENDS
        "libblas-dev, liblapack-dev")
endif()

# ---- the command --------------------------------------------------------------

if(TARGET gsvd_command)
    list(APPEND CPACK_COMPONENTS_ALL tools)
    set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME gsvd)
    set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION math)
    set(CPACK_DEBIAN_TOOLS_DESCRIPTION
        "The command gsvd decomposes one matrix or two in Matrix Market, NumPy, CSV
or MATLAB files: generalized values, residuals, factors on request, a plot.")
endif()

# ---- documents of each package ------------------------------------------------

set(gsvd_package_version
    ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
string(TIMESTAMP gsvd_package_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(${gsvd_debian}/changelog.in
    ${PROJECT_BINARY_DIR}/debian/changelog.Debian @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/CHANGELOG.md
    ${PROJECT_BINARY_DIR}/debian/changelog COPYONLY)
configure_file(${PROJECT_SOURCE_DIR}/LICENSE
    ${PROJECT_BINARY_DIR}/debian/copyright COPYONLY)
set(CPACK_GSVD_DOCUMENTS ${PROJECT_BINARY_DIR}/debian)

include(CPack)
cpack_add_component(debian_runtime DESCRIPTION "Shared libraries")
cpack_add_component(debian_cuda DESCRIPTION "Computes on GPUs" DEPENDS debian_runtime)
foreach(mpi IN LISTS GSVD_GRIDS)
    cpack_add_component(debian_grid_${mpi} DESCRIPTION "Computes on grids of processes"
        DEPENDS debian_runtime)
endforeach()
cpack_add_component(debian_dev DESCRIPTION "Headers and development files"
    DEPENDS debian_runtime)
cpack_add_component(tools DESCRIPTION "The command gsvd" DEPENDS debian_runtime)
