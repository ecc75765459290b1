# gsvd_write_build's script: the file BUILD of VERSION and the contents of HEADERS.
foreach(header IN LISTS HEADERS)
    file(SHA256 ${header} hash)
    string(APPEND hashes ${hash})
endforeach()
string(SHA256 hash "${hashes}")
string(SUBSTRING ${hash} 0 16 hash)
file(WRITE ${BUILD} "#define GSVD_BUILD \"${VERSION} (${hash})\"\n")
