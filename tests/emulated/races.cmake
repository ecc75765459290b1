# batched_races.<case>.<letter>.cpu: the text of kernels under ThreadSanitizer, where that has fibers and
# runs.  Some systems lay memory out too much at random for it, which setarch -R ends.
set(tsan -fsanitize=thread)
set(asks ${CMAKE_CURRENT_BINARY_DIR}/has_fibers)
file(WRITE ${asks}.cpp "#include <sanitizer/tsan_interface.h>
int main() { __tsan_destroy_fiber(__tsan_create_fiber(0)); }
")
try_compile(GSVD_HAVE_FIBERS ${CMAKE_CURRENT_BINARY_DIR}/try SOURCES ${asks}.cpp
    COMPILE_DEFINITIONS ${tsan} LINK_OPTIONS ${tsan} COPY_FILE ${asks}.exe)
set(ran "none")
if(GSVD_HAVE_FIBERS)
    execute_process(COMMAND setarch -R ${asks}.exe RESULT_VARIABLE ran OUTPUT_QUIET ERROR_QUIET)
    set(at_fixed_addresses setarch -R)
    if(NOT ran EQUAL 0)
        execute_process(COMMAND ${asks}.exe RESULT_VARIABLE ran OUTPUT_QUIET ERROR_QUIET)
        set(at_fixed_addresses "")
    endif()
endif()
if(NOT ran EQUAL 0)
    message(STATUS "batched_races: left out, ThreadSanitizer does not run here")
    return()
endif()

foreach(letter IN LISTS GSVD_PRECISIONS)
    # objects, so that none of gsvd_test_<letter> takes the place of one of them
    add_library(gsvd_races_${letter} OBJECT ${emulated} emulated/races.cpp emulated/steps.cpp
        emulated/block_sweep.cpp)
    gsvd_letter(gsvd_races_${letter} ${letter})
    target_link_libraries(gsvd_races_${letter} PRIVATE gsvd_test_plain)
    target_compile_options(gsvd_races_${letter} PRIVATE -O1 -g ${tsan})
    gsvd_test_program(races_${letter} batched_races
        LIBRARIES gsvd_races_${letter} gsvd_test_${letter} Threads::Threads ${CMAKE_DL_LIBS})
    target_link_options(races_${letter} PRIVATE ${tsan})
    gsvd_letter(races_${letter} ${letter})
    foreach(case races one_sweep nearly_parallel five_sweeps)
        set(name batched_races.${case}.${letter}.cpu)
        add_test(NAME ${name}
            COMMAND ${at_fixed_addresses} $<TARGET_FILE:races_${letter}> batched_races cpu)
        set_tests_properties(${name} PROPERTIES
            LABELS "batched_races;cpu" TIMEOUT 900 SKIP_RETURN_CODE 77)
        gsvd_only(${name} ${case})
        # minutes each: a part of the cases, in one letter, is enough every time
        if(NOT letter STREQUAL "s")
            set_property(TEST ${name} APPEND PROPERTY LABELS slow)
            set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT GSVD_TEST_ALL=1)
        endif()
    endforeach()
endforeach()
