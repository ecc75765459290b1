# gsvd_add_step(name [TYPED ...] [TYPED_CUDA ...] [PLAIN ...] [PLAIN_CUDA ...])
#
# The sources of one step.  TYPED files are compiled once per precision, PLAIN
# files once; those of ..._CUDA only in a build with CUDA; paths are relative to
# the folder of the step.  gsvd_link_steps() makes of all objects gsvd (the
# library) and gsvd_internal (a static library for tests and benches, where
# nothing is hidden).
function(gsvd_add_step name)
    cmake_parse_arguments(step "" "" "TYPED;TYPED_CUDA;PLAIN;PLAIN_CUDA" ${ARGN})
    if(GSVD_HAVE_CUDA)
        list(APPEND step_TYPED ${step_TYPED_CUDA})
        list(APPEND step_PLAIN ${step_PLAIN_CUDA})
    endif()
    list(TRANSFORM step_TYPED PREPEND ${name}/)
    list(TRANSFORM step_PLAIN PREPEND ${name}/)
    if(step_PLAIN)
        gsvd_objects(gsvd_${name} ${step_PLAIN})
    endif()
    if(step_TYPED)
        foreach(letter IN LISTS GSVD_PRECISIONS)
            gsvd_objects(gsvd_${name}_${letter} ${step_TYPED})
            gsvd_letter(gsvd_${name}_${letter} ${letter})
        endforeach()
    endif()
endfunction()

# The definitions that make a typed file one of precision letter.
function(gsvd_letter target letter)
    target_compile_definitions(${target} PRIVATE
        GSVD_LETTER=${letter} GSVD_PREC_${letter})
endfunction()

function(gsvd_objects target)
    add_library(${target} OBJECT ${ARGN})
    target_compile_definitions(${target} PRIVATE GSVD_BUILDING) # gsvd.h
    target_link_libraries(${target} PRIVATE gsvd_flags gsvd_deps)
    set_property(GLOBAL APPEND PROPERTY gsvd_object_targets ${target})
endfunction()

function(gsvd_link_steps)
    get_property(steps GLOBAL PROPERTY gsvd_object_targets)
    list(TRANSFORM steps REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)

    add_library(gsvd ${objects})
    add_library(gsvd::gsvd ALIAS gsvd)
    target_include_directories(gsvd PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(gsvd PRIVATE
        $<BUILD_INTERFACE:gsvd_flags> $<BUILD_INTERFACE:gsvd_deps>)
    set_target_properties(gsvd PROPERTIES
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
    if(BUILD_SHARED_LIBS)
        # hidden functions have helpers that are not: a compiler's resolvers
        set(exports ${PROJECT_SOURCE_DIR}/src/exports.map)
        target_link_options(gsvd PRIVATE -Wl,--version-script=${exports})
        set_target_properties(gsvd PROPERTIES LINK_DEPENDS ${exports})
    endif()

    add_library(gsvd_internal STATIC ${objects})
    target_link_libraries(gsvd_internal PRIVATE gsvd_flags gsvd_deps)

    # nvcc's host code needs the C++ runtime; CMake cannot tell from objects
    if(GSVD_HAVE_CUDA)
        set_target_properties(gsvd gsvd_internal PROPERTIES LINKER_LANGUAGE C)
        target_link_libraries(gsvd PRIVATE stdc++)
        target_link_libraries(gsvd_internal PRIVATE stdc++)
    endif()
endfunction()
