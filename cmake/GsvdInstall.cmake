# What is installed and packaged, in three components:
#   runtime   libgsvd, and libgsvd_lapack, libgsvd_lapack64 where they are built
#   dev       headers, CMake package, pkg-config file; static libraries
#   tools     the command
# The CMake package: gsvd::gsvd, gsvd::lapack, gsvd::lapack64; see
# gsvdConfig.cmake.in.
include(CMakePackageConfigHelpers)
set(gsvd_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gsvd)
set(gsvd_pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# ---- libraries and headers ----------------------------------------------------

set(gsvd_installed gsvd)
foreach(name lapack lapack64)
    if(TARGET gsvd_${name})
        set_target_properties(gsvd_${name} PROPERTIES EXPORT_NAME ${name})
        list(APPEND gsvd_installed gsvd_${name})
    endif()
endforeach()
if(GSVD_HAVE_CUDA)
    # CUDA is often where the loader does not look
    set_target_properties(${gsvd_installed} PROPERTIES
        INSTALL_RPATH_USE_LINK_PATH ON)
endif()
install(TARGETS ${gsvd_installed} EXPORT gsvdTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        COMPONENT runtime NAMELINK_COMPONENT dev
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(FILES ${PROJECT_SOURCE_DIR}/include/gsvd.h
    ${PROJECT_BINARY_DIR}/include/gsvd_version.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)

# ---- the CMake package --------------------------------------------------------

install(EXPORT gsvdTargets NAMESPACE gsvd::
    DESTINATION ${gsvd_cmake_dir} COMPONENT dev)
configure_package_config_file(
    ${PROJECT_SOURCE_DIR}/cmake/gsvdConfig.cmake.in
    ${PROJECT_BINARY_DIR}/gsvdConfig.cmake
    INSTALL_DESTINATION ${gsvd_cmake_dir}
    NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gsvdConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gsvdConfig.cmake
    ${PROJECT_BINARY_DIR}/gsvdConfigVersion.cmake
    DESTINATION ${gsvd_cmake_dir} COMPONENT dev)

# ---- pkg-config ---------------------------------------------------------------

# The files of libraries as flags of the linker: -L for a folder where the linker
# does not look by itself, -l for the file.
function(gsvd_linker_flags result)
    set(flags "")
    foreach(library IN LISTS ARGN)
        if(NOT IS_ABSOLUTE "${library}")
            if(NOT library MATCHES "^-")
                set(library -l${library})
            endif()
            list(APPEND flags ${library})
            continue()
        endif()
        get_filename_component(folder ${library} DIRECTORY)
        get_filename_component(name ${library} NAME_WE)
        string(REGEX REPLACE "^lib" "-l" name ${name})
        if(NOT folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
            list(APPEND flags -L${folder})
        endif()
        list(APPEND flags ${name})
    endforeach()
    list(REMOVE_DUPLICATES flags)
    list(JOIN flags " " flags)
    set(${result} ${flags} PARENT_SCOPE)
endfunction()

set(gsvd_pc_private "")
if(NOT BUILD_SHARED_LIBS)
    set(libraries ${LAPACKE_LIBRARY} ${LAPACK_LIBRARIES} ${BLAS_LIBRARIES}
        ${CMAKE_THREAD_LIBS_INIT})
    if(OpenMP_C_FOUND)
        list(APPEND libraries ${OpenMP_C_LIBRARIES})
    endif()
    if(GSVD_HAVE_CUDA)
        list(APPEND libraries ${CUDA_cusolver_LIBRARY} ${CUDA_cublas_LIBRARY}
            ${CUDA_cudart_LIBRARY} stdc++)
    endif()
    gsvd_linker_flags(gsvd_pc_private ${libraries} m)
endif()
# relocatable: the prefix is found from where the file lies
set(gsvd_pc_prefix ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
    file(RELATIVE_PATH gsvd_pc_prefix /${gsvd_pc_dir} /)
    string(REGEX REPLACE "/$" "" gsvd_pc_prefix "\${pcfiledir}/${gsvd_pc_prefix}")
endif()
foreach(folder LIB INCLUDE)
    set(gsvd_pc_${folder}DIR ${CMAKE_INSTALL_${folder}DIR})
    if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_${folder}DIR})
        string(PREPEND gsvd_pc_${folder}DIR "\${prefix}/")
    endif()
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/cmake/gsvd.pc.in
    ${PROJECT_BINARY_DIR}/gsvd.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gsvd.pc
    DESTINATION ${gsvd_pc_dir} COMPONENT dev)

# ---- Debian packages: cpack -G DEB --------------------------------------------

if(NOT PROJECT_IS_TOP_LEVEL)
    return()
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME libgsvd)
set(CPACK_PACKAGE_CONTACT "the libgsvd authors")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_COMPONENTS_ALL runtime dev)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libgsvd${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
if(GSVD_HAVE_CUDA)
    # NVIDIA's packages carry no shlibs files, so that dpkg-shlibdeps says nothing
    # of them; recommended, not depended on: CUDA may have come another way
    string(REGEX REPLACE "^([0-9]+)\\.([0-9]+).*" "\\1-\\2" cuda
        ${CUDAToolkit_VERSION})
    set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS
        "cuda-cudart-${cuda}, libcublas-${cuda}, libcusolver-${cuda}")
endif()
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libgsvd-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
if(NOT BUILD_SHARED_LIBS)
    # what a program needs to be linked to the archive
    set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
        "libblas-dev, liblapack-dev, liblapacke-dev")
endif()
if(TARGET gsvd_command)
    list(APPEND CPACK_COMPONENTS_ALL tools)
    set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME gsvd)
    set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION math)
endif()
include(CPack)
cpack_add_component(runtime DESCRIPTION "Shared library")
cpack_add_component(dev DESCRIPTION "Headers and development files"
    DEPENDS runtime)
cpack_add_component(tools DESCRIPTION "The command gsvd" DEPENDS runtime)
