# cmake -DWORK=FOLDER -DFEATURES=LIST -P run_port.cmake: the port over stand-ins for vcpkg's functions,
# configuring for real.
cmake_minimum_required(VERSION 3.25)
set(PORT libgsvd)
set(CURRENT_PORT_DIR ${CMAKE_CURRENT_LIST_DIR}/ports/libgsvd)
set(CURRENT_PACKAGES_DIR ${WORK}/package)

function(vcpkg_check_features)
    cmake_parse_arguments(PARSE_ARGV 0 a "" OUT_FEATURE_OPTIONS FEATURES)
    while(a_FEATURES)
        list(POP_FRONT a_FEATURES feature option)
        set(on OFF)
        if(feature IN_LIST FEATURES)
            set(on ON)
        endif()
        list(APPEND options -D${option}=${on})
    endwhile()
    set(${a_OUT_FEATURE_OPTIONS} ${options} PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 a "" SOURCE_PATH OPTIONS)
    execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${a_SOURCE_PATH} -B ${WORK}/build
        -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR} ${a_OPTIONS}
        OUTPUT_QUIET ERROR_VARIABLE warnings COMMAND_ERROR_IS_FATAL ANY)
    if(warnings MATCHES "not used by the project")
        message(FATAL_ERROR ${warnings})
    endif()
endfunction()

foreach(name cmake_install cmake_config_fixup fixup_pkgconfig copy_tools)
    function(vcpkg_${name})
    endfunction()
endforeach()
function(vcpkg_install_copyright)
    cmake_parse_arguments(PARSE_ARGV 0 a "" "" FILE_LIST)
    foreach(file IN LISTS a_FILE_LIST)
        if(NOT EXISTS ${file})
            message(FATAL_ERROR "no ${file}")
        endif()
    endforeach()
endfunction()

include(${CURRENT_PORT_DIR}/portfile.cmake)
