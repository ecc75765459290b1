# Options of the build; see the head of the top CMakeLists.txt.
set(GSVD_CUDA AUTO CACHE STRING "Build the CUDA backend: AUTO, ON, OFF or MODULE")
set_property(CACHE GSVD_CUDA PROPERTY STRINGS AUTO ON OFF MODULE)
option(GSVD_CUDA_FAST "Compile kernels in less time, which are slower" OFF)
set(GSVD_GRID AUTO CACHE STRING "Build the module of grids of processes: AUTO, ON or OFF")
set_property(CACHE GSVD_GRID PROPERTY STRINGS AUTO ON OFF)
set(GSVD_NCCL AUTO CACHE STRING "Build the module of grids of GPUs: AUTO, ON or OFF")
set_property(CACHE GSVD_NCCL PROPERTY STRINGS AUTO ON OFF)
set(GSVD_NCCL_ROOT "" CACHE PATH "Folder nvidia/ of the wheels of NCCL, cuBLASMp and cuSOLVERMp")
set(GSVD_PRECISIONS "s;d;c;z" CACHE STRING "Precisions to build: s;d;c;z")
set(GSVD_SANITIZE "" CACHE STRING "Sanitizers, e.g. address;undefined")
option(BUILD_SHARED_LIBS "Build a shared library" ON)
option(GSVD_LAPACK "Build the LAPACK libraries" ON)
option(GSVD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(GSVD_BENCH "Build the benchmarks" ${PROJECT_IS_TOP_LEVEL})
option(GSVD_TOOLS "Build the command gsvd" ON)
option(GSVD_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(GSVD_WERROR "Treat warnings as errors" OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, ..." FORCE)
endif()

foreach(letter s d c z)
    string(TOUPPER ${letter} upper)
    if(letter IN_LIST GSVD_PRECISIONS)
        set(GSVD_HAVE_${upper} 1)
    else()
        set(GSVD_HAVE_${upper} 0)
    endif()
endforeach()
foreach(letter IN LISTS GSVD_PRECISIONS)
    if(NOT letter MATCHES "^[sdcz]$")
        message(FATAL_ERROR "GSVD_PRECISIONS: '${letter}' is none of s, d, c, z")
    endif()
endforeach()

# CMAKE_CUDA_ARCHITECTURES, where nobody has set it: those of these that the compiler
# knows.  From 90 on there is PTX too, for GPUs that come later.
function(gsvd_default_architectures)
    if(DEFINED CMAKE_CUDA_ARCHITECTURES OR DEFINED ENV{CUDAARCHS})
        return()
    endif()
    execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-code
        OUTPUT_VARIABLE known RESULT_VARIABLE failed)
    set(architectures "")
    foreach(number 80 86 89 90 100 120)
        if(failed AND number GREATER 90 OR
           NOT failed AND NOT known MATCHES "sm_${number}[^0-9]")
            continue()
        elseif(number LESS 90)
            list(APPEND architectures ${number}-real)
        else()
            list(APPEND architectures ${number})
        endif()
    endforeach()
    set(CMAKE_CUDA_ARCHITECTURES ${architectures} PARENT_SCOPE)
    message(STATUS "CUDA architectures: ${architectures}")
endfunction()

# GSVD_HAVE_CUDA: what GSVD_CUDA and the machine come to.
# GSVD_KNOWS_CUDA: it is built, or libgsvd opens a libgsvd-cuda of another build.
set(GSVD_HAVE_CUDA 0)
set(GSVD_KNOWS_CUDA 0)
if(GSVD_CUDA STREQUAL "MODULE")
    if(NOT BUILD_SHARED_LIBS)
        message(FATAL_ERROR "GSVD_CUDA=MODULE: only a shared libgsvd opens modules")
    endif()
    set(GSVD_KNOWS_CUDA 1)
elseif(NOT GSVD_CUDA STREQUAL "OFF")
    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
        gsvd_default_architectures()
        enable_language(CUDA)
        find_package(CUDAToolkit 12 REQUIRED)
        set(GSVD_HAVE_CUDA 1)
        set(GSVD_KNOWS_CUDA 1)
    elseif(GSVD_CUDA STREQUAL "ON")
        message(FATAL_ERROR "GSVD_CUDA=ON, but no CUDA compiler was found")
    endif()
endif()

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# Flags of every target of ours.
add_library(gsvd_flags INTERFACE)
target_include_directories(gsvd_flags INTERFACE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src
    ${PROJECT_BINARY_DIR}/include)
target_compile_definitions(gsvd_flags INTERFACE _POSIX_C_SOURCE=200809L)
target_compile_options(gsvd_flags INTERFACE
    $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes
      -Wmissing-prototypes -ffp-contract=off -fno-math-errno>
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)
set(GSVD_FAST_KERNELS 0)
if(GSVD_CUDA_FAST AND GSVD_HAVE_CUDA AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12.9)
    set(GSVD_FAST_KERNELS 1)
    target_compile_options(gsvd_flags INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:--Ofast-compile=min>)
endif()
# Views and execs go by value, made member by member: copied by 16 bytes at once they
# wait for these stores to finish, which costs a pair of order 6 an eighth of its time.
include(CheckCCompilerFlag)
check_c_compiler_flag(-mtune-ctrl=^sse_unaligned_load_optimal GSVD_COPIES_BY_WORD)
if(GSVD_COPIES_BY_WORD)
    target_compile_options(gsvd_flags INTERFACE
        $<$<COMPILE_LANGUAGE:C>:-mtune-ctrl=^sse_unaligned_load_optimal>)
endif()
if(GSVD_WERROR)
    target_compile_options(gsvd_flags INTERFACE
        $<$<COMPILE_LANGUAGE:C>:-Werror>
        $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
endif()
if(GSVD_SANITIZE)
    list(JOIN GSVD_SANITIZE "," sanitizers)
    target_compile_options(gsvd_flags INTERFACE -fsanitize=${sanitizers}
        -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_definitions(gsvd_flags INTERFACE GSVD_NO_CLONES)
    target_link_options(gsvd_flags INTERFACE -fsanitize=${sanitizers})
endif()

configure_file(include/gsvd_version.h.in include/gsvd_version.h @ONLY)
