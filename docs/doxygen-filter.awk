# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# doxygen-filter.awk: gsvd.h and gsvd_filter.h as Doxygen wants it.  The comments of the header
# are laid out by hand, for readers; here they become Doxygen's: a comment before
# declarations belongs to all of them up to the next blank line, and is shown as
# it stands; its first sentence is the summary.  A comment before a blank line belongs
# to the file, one behind an enumerator, a field or a macro to that.

# What the header does not say because it can be seen; the rest is in api.dox.
BEGIN {
    seen["gsvd_status"] = "What every call returns."
    seen["gsvd_type"] = "A precision, as a value."
    seen["gsvd_routine"] = "A routine, for gsvd_problem_t."
    seen["gsvd_place"] = "Where arrays and lists of a gsvd_problem_t are."
    seen["gsvd_solver"] = "Values of GSVD_SOLVER."
    seen["gsvd_form"] = "Values of GSVD_FORM."
    seen["gsvd_filter"] = "Filters of gsvd_filter: what remains of each term."
    seen["gsvd_choice"] = "Rules of gsvd_choose."
}

# what Doxygen would take for a command
function plain(text)
{
    gsub(/[\\@&$#<>%"]/, "\\\\&", text)
    return text
}

# the first sentence of the comment in lines 1 to n
function summary(    i, text)
{
    text = ""
    for (i = 1; i <= n && line[i] != ""; ++i)
        text = text line[i] (line[i] ~ /\.$/ ? "  " : " ")
    sub(/^[a-z_.]+ -- /, "", text)
    if (match(text, /\.  /)) # two blanks end a sentence, one does not
        text = substr(text, 1, RSTART)
    gsub(/ +/, " ", text)
    sub(/ $/, "", text)
    return plain(text)
}

function print_comment()
{
    print "/** " (is_file ? "@file\n * @brief " : "@brief ") summary()
    if (n == 1 && summary() == plain(line[1])) { # that was all
        print " */"
        return
    }
    print " *"
    print_verbatim()
}

function print_verbatim(    i)
{
    print " * @verbatim"
    for (i = 1; i <= n; ++i)
        print line[i]
    print "@endverbatim */"
}

# the declarations that follow, held back to see whether they are several
function flush_group(    i, several)
{
    if (!grouped)
        return
    several = functions > 1
    if (several)
        print "/** @{ */"
    if (declared) # else the comment is one on conditions of the preprocessor
        print_comment()
    else if (!held) {
        print "/** @file"
        print_verbatim()
    }
    for (i = 1; i <= held; ++i)
        print hold[i]
    if (several)
        print "/** @} */"
    grouped = held = functions = declared = 0
}

function emit(text)
{
    if (!grouped) {
        print text
        return
    }
    hold[++held] = text
    if (text ~ /^GSVD_API/)
        ++functions
    if (text !~ /^#/ || text ~ /^#define/)
        declared = 1
}

# a comment of its own, not a heading or the licence
/^\/\* / && !/^\/\* (----|SPDX)/ {
    flush_group()
    is_file = /^\/\* gsvd(_filter)?\.h --/
    n = 0
    inside = 1
}
inside {
    text = $0
    last = sub(/ *\*\/$/, "", text)
    sub(/^(\/\*| \*)/, "", text)
    sub(/^ /, "", text)
    line[++n] = text
    if (last) {
        inside = 0
        if (is_file)
            print_comment()
        else
            grouped = 1
    }
    next
}

/^$/ {
    flush_group()
    print
    next
}

/^typedef enum/ && !grouped && $3 in seen {
    print "/** " seen[$3] " */"
}

# behind code
/^( +[^ \/*]|#define |typedef ).*[^ ] +\/\* / && !/^ \*/ {
    sub(/\/\* /, "/**< ")
}

{ emit($0) }
END { flush_group() }
