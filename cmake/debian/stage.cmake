# Before the archives are made: each component is installed below
# CPACK_TEMPORARY_DIRECTORY.  No path of the machine that built it stays in a
# program, and the documents that a Debian package has are where it has them.
find_program(GZIP gzip REQUIRED)

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX})
    string(TOUPPER ${component} upper)
    set(documents ${root}/share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
    file(MAKE_DIRECTORY ${documents})
    file(COPY ${CPACK_GSVD_DOCUMENTS}/changelog
        ${CPACK_GSVD_DOCUMENTS}/changelog.Debian ${CPACK_GSVD_DOCUMENTS}/copyright
        DESTINATION ${documents}
        FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)

    # where Debian's zsh looks
    if(EXISTS ${root}/share/zsh/site-functions)
        file(RENAME ${root}/share/zsh/site-functions
            ${root}/share/zsh/vendor-completions)
    endif()

    file(GLOB_RECURSE compressed ${documents}/changelog* ${root}/share/man/*)
    foreach(file IN LISTS compressed)
        execute_process(COMMAND ${GZIP} -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
    endforeach()

    file(GLOB_RECURSE files ${root}/bin/* ${root}/lib/*)
    foreach(file IN LISTS files)
        if(NOT IS_SYMLINK ${file} AND file MATCHES "/bin/|\\.so")
            file(RPATH_REMOVE FILE ${file})
        endif()
    endforeach()

    # whatever the umask is
    file(GLOB_RECURSE files LIST_DIRECTORIES true ${root}/*)
    foreach(file IN LISTS root files)
        if(IS_DIRECTORY ${file})
            file(CHMOD ${file} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
                GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
        endif()
    endforeach()
endforeach()
