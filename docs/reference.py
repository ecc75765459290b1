# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""The C reference, out of the public headers: a page for each section, in reStructuredText.

    reference.py INCLUDE OUT

A comment before declarations, up to the next blank line, is theirs; one before a blank line is the
section's.  Lines "name  in|out|i/o  text" become a table of arguments, indented lines stay as they
are.  A function without a comment, or without a sentence before the table, is an error.
"""
import itertools
import pathlib
import re
import sys

HEADERS = {"gsvd.h": "", "gsvd_filter.h": "Regularization (gsvd_filter.h)",
           "gsvd_grid.h": "Grids of processes (gsvd_grid.h)",
           "gsvd_lapack_eig.h": "LAPACK's eigenvalues (gsvd_lapack_eig.h)"}
TITLES = {"one pair": "One pair", "its two stages": "The two stages of a pair"}
ROW = re.compile(r"(\w[\w, ]{0,24}?)\s+(in|out|i/o)(?:\s{2,}(.*))?$")
FUNCTION = re.compile(r"([\w ]+[ *])(\w+)\((.*)\)$")


def literal(text):
    """Flowing text: what stands for code is shown as code."""
    out = []
    code = r"'[A-Za-z]'|\b(?:[sdcz]?gsvd_\w+(?:\.h|\.md)?|[sdczx]gsvd\b|GSVD_\w+)|[\w-]+\.md\b"
    at = 0
    for found in re.finditer(code, text):
        out.append(re.sub(r"([*`|_\\])", r"\\\1", text[at:found.start()]))
        word = found.group()
        if word.endswith(".md"):
            out.append(f":doc:`/users/{word[:-3]}`")
        elif word in FUNCTIONS:
            out.append(f":c:func:`{word}`")
        else:
            out.append(f"``{word}``")
        at = found.end()
        if re.match(r"[\w(]", text[at:at + 1]):
            out.append("\\ ")
    out.append(re.sub(r"([*`|_\\])", r"\\\1", text[at:]))
    text = "".join(out)
    return re.sub(r"(?<=\w)(:c:func:|:doc:|``')", r"\\ \1", text)


FUNCTIONS = set()


def table(head, rows):
    yield from (".. list-table::", "   :header-rows: 1", "   :class: arguments", "")
    for row in (head, *rows):
        for i, cell in enumerate(row):
            yield f"   {'*' if i == 0 else ' '} - {cell}".rstrip()
    yield ""


def arguments(lines):
    """Rows (names, in or out, text) of a paragraph that is a table of arguments, else None."""
    rows, pending = [], ""
    for line in lines:
        line = re.sub(r"^(\w+_\w+ (?:in|out|i/o)) (?=\S)", r"\1  ", line)  # n_plus leaves one blank
        found = ROW.match((pending + line) if pending else line)
        if found:
            rows.append([found[1], found[2], found[3] or ""])
            pending = ""
        elif line.startswith(" ") and rows and not pending:
            rows[-1][2] += " " + line.strip()
        elif re.fullmatch(r"[\w ]+", line) and not line.startswith(" "):
            pending = line
        elif rows and (found := re.match(r"(\w+)\s{2,}(.*)", line)):
            rows[-1][0] += " " + found[1]
            rows[-1][2] += " " + found[2]
        else:
            return None
    return rows or None


def prose(lines):
    """A comment's lines as paragraphs, tables and literal blocks."""
    paragraphs, blank = [[]], False
    for line in lines:
        if line.strip():
            paragraphs[-1].append(line)
        elif paragraphs[-1]:
            paragraphs.append([])
    merged = []
    for lines in filter(None, paragraphs):
        stands = all(x.startswith("    ") for x in lines)
        if stands and merged and merged[-1][0]:  # a program has blank lines
            merged[-1][1].extend(["", *lines])
        else:
            merged.append((stands, lines))
    for stands, lines in merged:
        if stands:
            kind = "c" if any(x.rstrip().endswith((";", "{")) for x in lines) else "text"
            yield from (f".. code-block:: {kind}", "", *lines, "")
            continue
        rows = arguments(lines)
        if rows:
            names = lambda x: ", ".join(f"``{y}``" for y in re.split(r"[, ]+", x) if y)
            yield from table(("argument", "", "meaning"),
                             [(names(a), b, literal(c)) for a, b, c in rows])
        else:
            yield literal(" ".join(x.strip() for x in lines))
            yield ""


def commented(lines):
    """(code, comment) of lines with comments behind them, which may go on below."""
    found = []
    for line in lines:
        line = line.rstrip()
        if match := re.match(r"(.*?)\s*/\*\s*(.*?)\s*(\*/)?$", line):
            if match[1].strip():
                found.append([match[1].strip(), match[2]])
            elif found:
                found.append(["", match[2]])
        elif match := re.match(r"\s*\*\s?(.*?)\s*(\*/)?$", line):
            found[-1][1] += " " + match[1]
        elif line.strip():
            found.append([line.strip(), ""])
    return found


def enum_or_struct(code):
    kind, body, name = re.match(r"typedef (enum|struct) \w+ \{\n(.*)\} (\w+);", "\n".join(code),
                                re.S).groups()
    rows = []
    for text, comment in commented(body.split("\n")):
        if kind == "enum":
            for one in re.findall(r"(\w+) = ([^,]+)", text):
                rows.append((f"``{one[0]}``", f"``{one[1].strip()}``", literal(comment)))
        elif text:
            rows.append((f"``{text.rstrip(';')}``", literal(comment)))
        elif rows and comment:
            rows.append(("", literal(comment)))
    yield f".. c:{kind}:: {name}"
    yield ""
    head = ("name", "value", "meaning") if kind == "enum" else ("member", "meaning")
    yield from ("   " + x if x else x for x in table(head, rows))


def declarations(code, comment, where):
    """The directives of the lines of code that a comment stands before."""
    text = "\n".join(code)
    functions = [re.sub(r"\s+", " ", x).strip() for x in
                 re.findall(r"GSVD_API\s+([^;]*);", text)]
    if functions:
        if not comment or arguments(list(itertools.takewhile(str.strip, comment))):
            sys.exit(f"{where}: no comment, or no sentence in it: {functions[0]}")
        for i, function in enumerate(functions):
            yield f"{'.. c:function::' if i == 0 else '                '} {function}"
        yield ""
        yield from ("   " + x if x else x for x in prose(comment))
        return
    if comment:
        yield from prose(comment)
    while code:
        line = code[0]
        if re.match(r"typedef (enum|struct) \w+ \{", line):
            end = next(i for i, x in enumerate(code) if x.startswith("}"))
            yield from enum_or_struct(code[:end + 1])
            code = code[end + 1:]
        elif line.startswith("typedef"):
            statement, note = commented([line])[0]
            found = re.match(r"typedef (.*?)(\w+);", statement)
            name = found[2] if found else re.search(r"\(\*(\w+)\)", statement)[1]
            yield from (f".. c:type:: {name}", "", f"   ``{statement}`` {literal(note)}", "")
            code = code[1:]
        elif line.startswith("#define") and not line.rstrip().endswith("_H"):
            statement, note = commented([line])[0]
            yield from (f".. c:macro:: {statement.split()[1]}", "",
                        f"   {' '.join(statement.split()[2:])}: {literal(note)}", "")
            code = code[1:]
        else:
            code = code[1:]


def items(text):
    """('section', title), ('comment', lines, code) of a header, in their order."""
    lines = text.split("\n")
    i = 0
    while i < len(lines):
        line = lines[i]
        if found := re.match(r"/\* ---- (.*?) -+ \*/", line):
            yield "section", re.sub(r"^\d+\. ", "", found[1])
            i += 1
        elif line.startswith(("/*", "typedef", "#define", "GSVD_API")) and "SPDX" not in line:
            comment = []
            if line.startswith("/*"):
                while True:
                    one = lines[i]
                    comment.append(re.sub(r"^(/\*| \*) ?|\s*\*/$", "", one))
                    i += 1
                    if one.endswith("*/"):
                        break
            code = []
            braces = 0
            while i < len(lines) and (lines[i].strip() or braces):
                braces += lines[i].count("{") - lines[i].count("}")
                code.append(lines[i])
                i += 1
            yield "item", comment, code
        else:
            i += 2 if line.startswith("/* SPDX") else 1


def file_name(title):
    return re.sub(r"\W+", "-", title.lower()).strip("-")


def page(title, body):
    return "\n".join([title, "=" * len(title), "", *body, ""])


def main(include, out):
    out.mkdir(parents=True, exist_ok=True)
    pages = []
    count = 0
    texts = {name: (include / name).read_text() for name in HEADERS}
    for text in texts.values():
        FUNCTIONS.update(re.findall(r"GSVD_API[^(;]*?(\w+)\(", text))
    for name, title in HEADERS.items():
        body = []
        intro = []
        for what, *rest in items(texts[name]):
            if what == "section":
                if title:
                    pages.append((title, body))
                first = re.split("[,:]", rest[0])[0] if rest[0] in TITLES else rest[0]
                title, body = TITLES.get(first, rest[0][0].upper() + rest[0][1:]), []
                continue
            comment, code = rest
            if comment and comment[0].startswith(name):
                first = comment[0].split("-- ", 1)[1]
                comment[0] = first[0].upper() + first[1:]
                intro = list(prose(comment))
                if title:
                    body += intro
                continue
            if not title or any("__cplusplus" in x for x in code[:1]):
                continue
            count += sum(x.startswith("GSVD_API") for x in code)
            body += declarations(code, comment, name)
        pages.append((title, body))
        if name == "gsvd.h":
            start = intro
    if count != sum(x.count("\nGSVD_API") for x in texts.values()):
        sys.exit("reference.py: functions were left out")
    for title, body in pages:
        (out / f"{file_name(title)}.rst").write_text(page(title, body))
    index = [*start, ".. toctree::", "   :maxdepth: 1", "",
             *[f"   {file_name(title)}" for title, _ in pages]]
    (out / "index.rst").write_text(page("C", index))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
