# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""check_site.py HTML: links within the site lead somewhere, nothing is fetched from elsewhere; and, in
Chromium where there is one, pages of 1280 and of 390 pixels do not overflow, and no glyph is missing.
"""
import html.parser
import os
import pathlib
import shutil
import sys
import urllib.parse

LOADED = {"script": "src", "img": "src", "link": "href", "source": "src", "iframe": "src"}

# the characters of a page's text that its own fonts and the system's show as an empty box
MISSING = """() => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 48;
    const context = canvas.getContext('2d', {willReadFrequently: true});
    const picture = (text, font) => {
        context.font = font;
        context.clearRect(0, 0, 48, 48);
        context.fillText(text, 8, 36);
        return context.getImageData(0, 0, 48, 48).data.join();
    };
    const seen = {}, missing = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const style = getComputedStyle(walker.currentNode.parentElement);
        const font = `${style.fontStyle} ${style.fontWeight} 24px ${style.fontFamily}`;
        for (const c of walker.currentNode.data)
            if (c > ' ' && !(font + c in seen)) {
                seen[font + c] = true;
                if (c > '~' && picture(c, font) === picture('\\u{10fff0}', font))
                    missing.add(c);
            }
    }
    return [...missing];
}"""

# what sticks out of the page, unless a box around it scrolls
WIDE = """() => {
    const wide = [];
    if (document.documentElement.scrollWidth <= innerWidth) return wide;
    for (const e of document.querySelectorAll('article *')) {
        const box = e.getBoundingClientRect();
        if (box.right <= innerWidth + 1) continue;
        let p = e.parentElement;
        while (p && !/auto|scroll|hidden/.test(getComputedStyle(p).overflowX)) p = p.parentElement;
        if (!p) wide.push(e.tagName + ' ' + e.textContent.slice(0, 60));
    }
    return wide.length ? wide.slice(0, 3) : ['?'];
}"""


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads = set(), [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.ids |= {a[x] for x in ("id", "name") if a.get(x)}
        if tag == "a" and a.get("href"):
            self.links.append(a["href"])
        if a.get(LOADED.get(tag)) and a.get("rel") not in ("index", "search", "next", "prev"):
            self.loads.append(a[LOADED[tag]])


def links(top):
    pages = {x: Page(x) for x in sorted(top.rglob("*.html"))}
    for path, page in pages.items():
        for link in page.links + page.loads:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                if link in page.loads and url.scheme != "data":
                    yield f"{path}: loads {link}"
                continue
            to = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            if not to.is_file():
                yield f"{path}: no {link}"
            elif url.fragment and to in pages and path.name not in ("genindex.html",) \
                    and urllib.parse.unquote(url.fragment) not in pages[to].ids:
                yield f"{path}: no {link}"


def looks(top):
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser",
                                                    "google-chrome"))), None)
    if not chromium:
        print("check_site.py: left out, there is no Chromium: widths and glyphs")
        return
    from playwright.sync_api import sync_playwright
    pictures = os.environ.get("GSVD_SITE_PICTURES")
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for width in 1280, 390:
            page = browser.new_page(viewport={"width": width, "height": 900})
            asked = []
            page.on("request", lambda r: asked.append(r.url))
            for path in sorted(top.rglob("*.html")):
                page.goto(path.as_uri())
                page.evaluate("document.fonts.ready")
                for what, found in ("is too wide", page.evaluate(WIDE)), \
                        ("lacks glyphs", page.evaluate(MISSING) if width > 999 else []):
                    if found:
                        yield f"{path}: {what} at {width}: {found}"
                if pictures:
                    name = "-".join(path.relative_to(top).with_suffix("").parts)
                    page.screenshot(path=f"{pictures}/{name}-{width}.png", full_page=True)
            yield from (f"asks the network for {x}" for x in asked if not x.startswith(
                ("file:", "data:", "blob:")))
        browser.close()


def main():
    top = pathlib.Path(sys.argv[1]).resolve()
    found = [*links(top), *looks(top)]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
