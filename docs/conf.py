# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""The site.  scripts/docs.sh runs it, in a copy of docs/ that has the generated pages, too."""
import pathlib
import re

here = pathlib.Path(__file__).parent
top = here.parents[2]  # of build/docs/source

project, author, copyright = "libgsvd", "the libgsvd authors", "the libgsvd authors"
version = release = re.search(r"project\(gsvd VERSION ([\d.]+)",
                              (top / "CMakeLists.txt").read_text())[1]
extensions = ["myst_parser", "numpydoc", "sphinx.ext.autodoc", "sphinx_copybutton",
              "sphinx_gallery.gen_gallery", "sphinxcontrib.katex"]
exclude_patterns = ["design.md", "compare-table.md", "compare-note.md",
                    "examples", "sg_execution_times.rst"]
myst_enable_extensions = ["dollarmath", "amsmath", "deflist"]
myst_heading_anchors = 3
suppress_warnings = ["myst.header", "config.cache"]

# KaTeX runs when the site is built; its fonts lie beside the pages, which need no network
katex_prerender = True
katex_css_path = "katex/katex.min.css"

numpydoc_show_class_members = False
autodoc_member_order = "bysource"
maximum_signature_line_length = 60

sphinx_gallery_conf = {
    "examples_dirs": "examples", "gallery_dirs": "gallery", "filename_pattern": r"/plot_",
    "within_subsection_order": "FileNameSortKey", "show_memory": False,
    "show_signature": False, "min_reported_time": 1e9, "image_scrapers": ("matplotlib",),
    "image_srcset": [], "abort_on_example_error": True, "download_all_examples": False,
    "copyfile_regex": "", "write_computation_times": False,
}

html_theme = "furo"
html_title = f"libgsvd {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_show_copyright = False
html_theme_options = {"sidebar_hide_name": False, "top_of_page_buttons": []}
pygments_style, pygments_dark_style = "friendly", "monokai"
