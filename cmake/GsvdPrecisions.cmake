# gsvd_add_step(name [TYPED ...] [TYPED_DOUBLE ...] [TYPED_CUDA ...] [PLAIN ...]
#               [PLAIN_CUDA ...])
#
# The sources of one step.  TYPED files are compiled once per precision, those of
# TYPED_DOUBLE for d and z alone, PLAIN files once; those of ..._CUDA only in a build with CUDA, where they are all that
# calls CUDA's libraries; paths are relative to the folder of the step.
# gsvd_link_steps() makes of all objects
#
#   gsvd            the library; gsvd::gsvd
#   gsvd_cuda       where that is shared and there is CUDA: the objects of ..._CUDA
#                   as a library of their own, which gsvd opens
#   gsvd_internal   a static library of both for tests and benches, where nothing is
#                   hidden
function(gsvd_add_step name)
    cmake_parse_arguments(step "" "" "TYPED;TYPED_DOUBLE;TYPED_CUDA;PLAIN;PLAIN_CUDA"
        ${ARGN})
    gsvd_step_objects(${name} "" "${step_PLAIN}" "${step_TYPED}" "${step_TYPED_DOUBLE}")
    if(GSVD_HAVE_CUDA)
        gsvd_step_objects(${name} _cuda "${step_PLAIN_CUDA}" "${step_TYPED_CUDA}" "")
    endif()
endfunction()

# The targets gsvd_<name><side> of plain files and gsvd_<name>_<letter><side> of typed
# ones; side is empty or _cuda.
function(gsvd_step_objects name side plain typed double)
    list(TRANSFORM plain PREPEND ${name}/)
    list(TRANSFORM typed PREPEND ${name}/)
    list(TRANSFORM double PREPEND ${name}/)
    if(plain)
        gsvd_objects(gsvd_${name}${side} "${side}" ${plain})
    endif()
    if(typed)
        foreach(letter IN LISTS GSVD_PRECISIONS)
            gsvd_objects(gsvd_${name}_${letter}${side} "${side}" ${typed})
            gsvd_letter(gsvd_${name}_${letter}${side} ${letter})
            if(letter MATCHES "[dz]")
                target_sources(gsvd_${name}_${letter}${side} PRIVATE ${double})
            endif()
        endforeach()
    endif()
endfunction()

function(gsvd_objects target side)
    add_library(${target} OBJECT ${ARGN})
    target_compile_definitions(${target} PRIVATE GSVD_BUILDING) # gsvd.h
    target_link_libraries(${target} PRIVATE gsvd_flags gsvd${side}_deps)
    set_property(GLOBAL APPEND PROPERTY gsvd_objects${side}
        $<TARGET_OBJECTS:${target}>)
endfunction()

# The definitions that make a typed file one of precision letter.
function(gsvd_letter target letter)
    target_compile_definitions(${target} PRIVATE
        GSVD_LETTER=${letter} GSVD_PREC_${letter})
endfunction()

function(gsvd_link_steps)
    get_property(host GLOBAL PROPERTY gsvd_objects)
    get_property(cuda GLOBAL PROPERTY gsvd_objects_cuda)

    # where CUDA's space is; nvcc's host code needs the C++ runtime, which CMake cannot
    # tell from objects
    set(inside machine/none.c)
    set(runtime "")
    if(GSVD_HAVE_CUDA)
        set(inside ${cuda} machine/linked.c)
        set(runtime stdc++)
    endif()
    gsvd_write_build()

    add_library(gsvd_internal STATIC ${host} ${inside})
    target_link_libraries(gsvd_internal PRIVATE
        gsvd_flags gsvd_deps gsvd_cuda_deps ${runtime})

    if(GSVD_KNOWS_CUDA AND BUILD_SHARED_LIBS)
        add_library(gsvd ${host} machine/opened.c)
        gsvd_open_module()
        if(GSVD_HAVE_CUDA)
            gsvd_link_module(${cuda})
        endif()
    else()
        add_library(gsvd ${host} ${inside})
        target_link_libraries(gsvd PRIVATE
            $<BUILD_INTERFACE:gsvd_cuda_deps> ${runtime})
    endif()
    add_library(gsvd::gsvd ALIAS gsvd)
    target_include_directories(gsvd PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(gsvd PRIVATE
        $<BUILD_INTERFACE:gsvd_flags> $<BUILD_INTERFACE:gsvd_deps>)
    set_target_properties(gsvd gsvd_internal PROPERTIES LINKER_LANGUAGE C)
    gsvd_version_symbols(gsvd ${PROJECT_SOURCE_DIR}/src/exports.map)
    if(GSVD_GRIDS OR GSVD_HAVE_NCCL)
        foreach(letter IN LISTS GSVD_PRECISIONS)
            gsvd_grid_objects(gsvd_on_grid_${letter} ${letter} ${GSVD_GRID_TYPED})
        endforeach()
    endif()
    foreach(mpi IN LISTS GSVD_GRIDS)
        gsvd_link_grid(${mpi})
    endforeach()
    if(GSVD_HAVE_NCCL)
        gsvd_link_nccl(gsvd_nccl "${GSVD_NCCL_TYPED_CUDA}" gsvd_nccl_deps)
        target_link_libraries(gsvd_nccl PRIVATE stdc++)
    endif()
endfunction()

# libgsvd-nccl as `target`: sources of kernels, and what it is built on.  Tests make another one of the same
# texts, over a stand-in for the engines.
function(gsvd_link_nccl target kernels deps)
    list(TRANSFORM GSVD_GRID_PLAIN PREPEND ${PROJECT_SOURCE_DIR}/src/ OUTPUT_VARIABLE plain)
    list(TRANSFORM GSVD_NCCL_PLAIN PREPEND ${PROJECT_SOURCE_DIR}/src/ OUTPUT_VARIABLE own)
    list(TRANSFORM GSVD_NCCL_TYPED PREPEND ${PROJECT_SOURCE_DIR}/src/ OUTPUT_VARIABLE typed)
    list(TRANSFORM kernels PREPEND ${PROJECT_SOURCE_DIR}/src/)
    add_library(${target} SHARED ${plain} ${own})
    foreach(letter IN LISTS GSVD_PRECISIONS)
        gsvd_grid_objects(${target}_${letter} ${letter} ${typed} ${kernels})
        target_compile_definitions(${target}_${letter} PRIVATE GSVD_GRID_NCCL=1)
        target_link_libraries(${target}_${letter} PRIVATE ${deps})
        target_compile_options(${target}_${letter} PRIVATE
            $<$<COMPILE_LANGUAGE:CUDA>:--expt-extended-lambda>)
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${letter}>
            $<TARGET_OBJECTS:gsvd_on_grid_${letter}>)
    endforeach()
    target_compile_definitions(${target} PRIVATE GSVD_BUILDING GSVD_GRID_NCCL=1)
    target_link_options(${target} PRIVATE -Wl,-z,defs)
    target_link_libraries(${target} PRIVATE gsvd_flags gsvd_deps ${deps})
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME gsvd-nccl)
    add_dependencies(${target} gsvd_build)
    gsvd_version_symbols(${target} ${PROJECT_SOURCE_DIR}/src/grid/exports.map)
endfunction()

function(gsvd_grid_objects name letter)
    add_library(${name} OBJECT ${ARGN})
    gsvd_letter(${name} ${letter})
    target_compile_definitions(${name} PRIVATE GSVD_BUILDING GSVD_ON_GRID=1)
    target_link_libraries(${name} PRIVATE gsvd_flags gsvd_deps)
endfunction()

# gsvd_openmpi or gsvd_mpich, the module of grids: the drivers that it shares with gsvd are compiled anew, for views
# of distributed arrays.  It needs no gsvd: gsvd opens it.
function(gsvd_link_grid mpi)
    add_library(gsvd_${mpi} SHARED ${GSVD_GRID_PLAIN} ${GSVD_GRID_MPI_PLAIN})
    foreach(letter IN LISTS GSVD_PRECISIONS)
        gsvd_grid_objects(gsvd_${mpi}_${letter} ${letter} ${GSVD_GRID_MPI})
        target_link_libraries(gsvd_${mpi}_${letter} PRIVATE gsvd_${mpi}_deps)
        target_sources(gsvd_${mpi} PRIVATE $<TARGET_OBJECTS:gsvd_${mpi}_${letter}>
            $<TARGET_OBJECTS:gsvd_on_grid_${letter}>)
    endforeach()
    target_compile_definitions(gsvd_${mpi} PRIVATE GSVD_BUILDING GSVD_GRID_LIBRARY="libgsvd-${mpi}")
    target_link_options(gsvd_${mpi} PRIVATE -Wl,-z,defs)
    target_link_libraries(gsvd_${mpi} PRIVATE gsvd_flags gsvd_deps gsvd_${mpi}_deps)
    set_target_properties(gsvd_${mpi} PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME gsvd-${mpi})
    add_dependencies(gsvd_${mpi} gsvd_build)
    gsvd_version_symbols(gsvd_${mpi} ${PROJECT_SOURCE_DIR}/src/grid/exports.map)
endfunction()

# gsvd_cuda of these objects
function(gsvd_link_module)
    add_library(gsvd_cuda SHARED ${ARGN})
    # no symbol is left to chance: each one is CUDA's, or in exports.map
    target_link_options(gsvd_cuda PRIVATE -Wl,-z,defs)
    target_link_libraries(gsvd_cuda PRIVATE gsvd gsvd_cuda_deps stdc++)
    set_target_properties(gsvd_cuda PROPERTIES LINKER_LANGUAGE C
        OUTPUT_NAME gsvd-cuda INSTALL_RPATH "$ORIGIN")
    gsvd_version_symbols(gsvd_cuda ${PROJECT_SOURCE_DIR}/src/machine/exports.map)
endfunction()

# What gsvd needs to open gsvd_cuda.
function(gsvd_open_module)
    add_dependencies(gsvd gsvd_build)
    set_source_files_properties(machine/opened.c PROPERTIES COMPILE_DEFINITIONS
        "GSVD_CUDA_MODULE=\"libgsvd-cuda.so.${PROJECT_VERSION_MAJOR}\"")
    # what the module calls is visible, and called from inside as before: directly
    set_source_files_properties(${GSVD_CALLED_BY_MODULE} PROPERTIES COMPILE_OPTIONS
        "-fvisibility=default;-fno-semantic-interposition")
    target_link_options(gsvd PRIVATE -Wl,-Bsymbolic-functions)
endfunction()

# The version of a library, and its symbols where it is shared: hidden functions have
# helpers that are not, a compiler's resolvers.
function(gsvd_version_symbols target exports)
    set_target_properties(${target} PROPERTIES
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
    if(BUILD_SHARED_LIBS)
        target_link_options(${target} PRIVATE -Wl,--version-script=${exports})
        set_target_properties(${target} PROPERTIES LINK_DEPENDS ${exports})
    endif()
endfunction()

# gsvd_build.h: GSVD_BUILD, by which gsvd and its modules know that they belong together.
# It is the version and a hash of all headers, which hold all that one knows of the other.
function(gsvd_write_build)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/*.h
        ${PROJECT_SOURCE_DIR}/src/*.h)
    set(build ${PROJECT_BINARY_DIR}/include/gsvd_build.h)
    set(script ${PROJECT_SOURCE_DIR}/cmake/write_build.cmake)
    set(version ${PROJECT_BINARY_DIR}/include/gsvd_version.h)
    add_custom_command(OUTPUT ${build}
        COMMAND ${CMAKE_COMMAND} "-DHEADERS=${headers};${version}"
            -DVERSION=${PROJECT_VERSION} -DBUILD=${build} -P ${script}
        DEPENDS ${headers} ${version} ${script} VERBATIM)
    add_custom_target(gsvd_build DEPENDS ${build})
    add_dependencies(gsvd_grid gsvd_build)
    if(GSVD_HAVE_CUDA)
        add_dependencies(gsvd_machine_cuda gsvd_build)
    endif()
endfunction()
