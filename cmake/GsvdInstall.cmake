# What is installed, in components:
#   runtime   libgsvd, and libgsvd_lapack, libgsvd_lapack64, libgsvd_lapack_eig,
#             libgsvd_lapack_eig64 where they are built
#   cuda      libgsvd-cuda, which a shared libgsvd of a build with CUDA opens
#   grid_openmpi, grid_mpich, grid_nccl  libgsvd-openmpi, -mpich, -nccl, which libgsvd opens for grids of processes
#   dev       headers, CMake package, pkg-config files; static libraries; examples, pages for users
#   tools     the command
# The CMake package: gsvd::gsvd, gsvd::lapack, gsvd::lapack64, gsvd::lapack_eig,
# gsvd::lapack_eig64; see gsvdConfig.cmake.in.  Debian packages: GsvdDebian.cmake.
include(CMakePackageConfigHelpers)

set(gsvd_installed gsvd)
foreach(name lapack lapack64 lapack_eig lapack_eig64)
    if(TARGET gsvd_${name})
        set_target_properties(gsvd_${name} PROPERTIES EXPORT_NAME ${name})
        list(APPEND gsvd_installed gsvd_${name})
    endif()
endforeach()
if(GSVD_HAVE_CUDA)
    # CUDA is often where the loader does not look
    set(linked_to_cuda ${gsvd_installed})
    if(TARGET gsvd_cuda)
        set(linked_to_cuda gsvd_cuda)
    endif()
    if(TARGET gsvd_nccl)
        list(APPEND linked_to_cuda gsvd_nccl)
    endif()
    set_target_properties(${linked_to_cuda} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
endif()

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

set(gsvd_pc_description_gsvd ${PROJECT_DESCRIPTION})
set(gsvd_pc_description_gsvd_lapack "LAPACK's GSVD routines over libgsvd")
set(gsvd_pc_description_gsvd_lapack64
    "LAPACK's GSVD routines over libgsvd, integers of 64 bits")
set(gsvd_pc_description_gsvd_lapack_eig
    "LAPACK's eigenvalues and singular values over libgsvd")
set(gsvd_pc_description_gsvd_lapack_eig64
    "LAPACK's eigenvalues and singular values over libgsvd, integers of 64 bits")
set(gsvd_pc_private_gsvd "")
if(NOT BUILD_SHARED_LIBS)
    set(libraries ${LAPACK_LIBRARIES} ${BLAS_LIBRARIES}
        ${CMAKE_THREAD_LIBS_INIT} ${CMAKE_DL_LIBS})
    if(OpenMP_C_FOUND)
        list(APPEND libraries ${OpenMP_C_LIBRARIES})
    endif()
    if(GSVD_HAVE_CUDA)
        list(APPEND libraries ${CUDA_cusolver_LIBRARY} ${CUDA_cublas_LIBRARY}
            ${CUDA_cudart_LIBRARY} stdc++)
    endif()
    gsvd_linker_flags(gsvd_pc_private_gsvd ${libraries} m)
endif()

write_basic_package_version_file(${PROJECT_BINARY_DIR}/gsvdConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)

# gsvd_install(libdir runtime cuda grid dev [EXCLUDE_FROM_ALL]): libraries, headers and what
# other builds find them by, the libraries in libdir, as these components, and grid_openmpi, grid_mpich.
function(gsvd_install libdir runtime cuda grid dev)
    set(work ${PROJECT_BINARY_DIR}/install/${dev})
    set(also ${ARGN})

    install(TARGETS ${gsvd_installed} EXPORT ${dev}
        LIBRARY DESTINATION ${libdir}
            COMPONENT ${runtime} NAMELINK_COMPONENT ${dev} ${also}
        ARCHIVE DESTINATION ${libdir} COMPONENT ${dev} ${also})
    if(TARGET gsvd_cuda) # no program is linked to it
        install(TARGETS gsvd_cuda LIBRARY DESTINATION ${libdir}
            COMPONENT ${cuda} NAMELINK_SKIP ${also})
    endif()
    foreach(mpi IN LISTS GSVD_GRIDS)
        install(TARGETS gsvd_${mpi} LIBRARY DESTINATION ${libdir}
            COMPONENT ${grid}_${mpi} NAMELINK_SKIP ${also})
    endforeach()
    if(TARGET gsvd_nccl)
        install(TARGETS gsvd_nccl LIBRARY DESTINATION ${libdir}
            COMPONENT ${grid}_nccl NAMELINK_SKIP ${also})
    endif()
    install(FILES ${PROJECT_SOURCE_DIR}/include/gsvd.h
        ${PROJECT_SOURCE_DIR}/include/gsvd_grid.h
        ${PROJECT_SOURCE_DIR}/include/gsvd_grid_typed.h
        ${PROJECT_SOURCE_DIR}/include/gsvd_lapack_eig.h
        ${PROJECT_SOURCE_DIR}/include/gsvd_typed.h
        ${PROJECT_SOURCE_DIR}/include/gsvd_filter.h
        ${PROJECT_SOURCE_DIR}/include/gsvd_filter_typed.h
        ${PROJECT_BINARY_DIR}/include/gsvd_version.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT ${dev} ${also})

    # the CMake package
    set(folder ${libdir}/cmake/gsvd)
    install(EXPORT ${dev} FILE gsvdTargets.cmake NAMESPACE gsvd::
        DESTINATION ${folder} COMPONENT ${dev} ${also})
    configure_package_config_file(
        ${PROJECT_SOURCE_DIR}/cmake/gsvdConfig.cmake.in ${work}/gsvdConfig.cmake
        INSTALL_DESTINATION ${folder}
        NO_SET_AND_CHECK_MACRO)
    install(FILES ${work}/gsvdConfig.cmake
        ${PROJECT_BINARY_DIR}/gsvdConfigVersion.cmake
        DESTINATION ${folder} COMPONENT ${dev} ${also})

    # pkg-config; relocatable: the prefix is found from where the file lies
    set(folder ${libdir}/pkgconfig)
    set(gsvd_pc_prefix ${CMAKE_INSTALL_PREFIX})
    if(NOT IS_ABSOLUTE ${libdir})
        file(RELATIVE_PATH gsvd_pc_prefix /${folder} /)
        string(REGEX REPLACE "/$" "" gsvd_pc_prefix "\${pcfiledir}/${gsvd_pc_prefix}")
    endif()
    set(gsvd_pc_LIBDIR ${libdir})
    set(gsvd_pc_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR})
    foreach(where LIB INCLUDE)
        if(NOT IS_ABSOLUTE ${gsvd_pc_${where}DIR})
            string(PREPEND gsvd_pc_${where}DIR "\${prefix}/")
        endif()
    endforeach()
    foreach(gsvd_pc_name IN LISTS gsvd_installed)
        set(gsvd_pc_description ${gsvd_pc_description_${gsvd_pc_name}})
        set(gsvd_pc_private ${gsvd_pc_private_${gsvd_pc_name}})
        configure_file(${PROJECT_SOURCE_DIR}/cmake/gsvd.pc.in
            ${work}/${gsvd_pc_name}.pc @ONLY)
        install(FILES ${work}/${gsvd_pc_name}.pc
            DESTINATION ${folder} COMPONENT ${dev} ${also})
    endforeach()
endfunction()

# gsvd_install_documents(folder component [EXCLUDE_FROM_ALL]): the examples, and the pages of docs/
# that are for users and need no Sphinx
function(gsvd_install_documents folder component)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${folder}
        COMPONENT ${component} ${ARGN} PATTERN CMakeLists.txt EXCLUDE)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${folder}
        COMPONENT ${component} ${ARGN}
        FILES_MATCHING PATTERN "*.md" PATTERN gsvd.svg PATTERN _static EXCLUDE
        REGEX "/(cite|comparison|design|index|python-reference)\\.md$" EXCLUDE)
endfunction()

gsvd_install(${CMAKE_INSTALL_LIBDIR} runtime cuda grid dev)
gsvd_install_documents(${CMAKE_INSTALL_DOCDIR} dev)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
if(PROJECT_IS_TOP_LEVEL)
    include(GsvdDebian)
endif()
