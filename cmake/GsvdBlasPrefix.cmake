# gsvd_deps of a library with BLAS and LAPACK whose names have the prefix
# GSVD_BLAS_PREFIX.  A header that is included before all else renames the functions that
# the library calls.  A name that is missing here is undefined when the library is linked.
if(NOT BLAS_LIBRARIES)
    message(FATAL_ERROR "GSVD_BLAS_PREFIX asks for BLAS_LIBRARIES")
endif()

set(names ilaenv_ openblas_get_num_threads)
foreach(letter s d c z)
    foreach(name gemm gemv trsm syrk herk
            bdsdc bdsqr gebrd ormbr unmbr syev heev syevd heevd sytrd hetrd sterf tgsja)
        list(APPEND names ${letter}${name}_)
    endforeach()
endforeach()
list(TRANSFORM names REPLACE "(.+)" "#define \\1 ${GSVD_BLAS_PREFIX}\\1\n")
list(JOIN names "" names)
set(header ${PROJECT_BINARY_DIR}/include/gsvd_blas_prefix.h)
file(CONFIGURE OUTPUT ${header} CONTENT "${names}" @ONLY)

target_compile_options(gsvd_deps INTERFACE
    "$<$<COMPILE_LANGUAGE:C>:SHELL:-include ${header}>")
target_link_libraries(gsvd_deps INTERFACE ${BLAS_LIBRARIES} m)
