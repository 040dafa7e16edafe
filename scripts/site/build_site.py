"""Pages of HTML from the project's Markdown, with navigation and an index for the search:

    build_site.py ROOT FOLDER PROGRAM

Pages keep the place of their source, so that links between them stay as they are but for the ending; README.md is
index.html. A lesson is the page that PROGRAM, Headlight, makes of it, with its numbers and pictures. Files that pages
link to or show are copied. A link to a file or a heading that is not there is an error. Markdown is read by MD4C, with
which the program itself reads lessons.
"""
import ctypes
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

GITHUB = 0x0004 | 0x0008 | 0x0400 | 0x0100 | 0x0200 | 0x0800  # MD_DIALECT_GITHUB and task lists of md4c.h
ASSETS = ["site.css", "search.js"]
API = "api/index.html"  # of Doxygen, where scripts/build_site.sh has called it
NAVIGATION = [
    ("Headlight", ["README.md"]),
    ("Using it", ["docs/manual.md", "docs/tutorial.md", "docs/lessons.md", "docs/teachers.md", "docs/authors.md",
                  "docs/figures.md", "docs/command-line.md", "docs/keys.md", "docs/files.md", "docs/other-programs.md"]),
    ("Attention", ["docs/catalogue.md", "docs/coverage.md", "docs/components.md", "docs/spec.md", "docs/formula.md", "docs/tasks.md", "docs/learned.md",
                   "docs/word-vectors.md"]),
    ("How it is made", ["CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs/adr/README.md"]),
]


def to_html(markdown):
    library = ctypes.CDLL("libmd4c-html.so.0")
    parts = []
    sink = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_char), ctypes.c_uint, ctypes.c_void_p)(
        lambda text, size, _: parts.append(ctypes.string_at(text, size)))
    source = markdown.encode()
    if library.md_html(source, len(source), sink, None, GITHUB, 0) != 0:
        raise SystemExit("build_site: MD4C cannot read a page")
    return b"".join(parts).decode()


def plain(fragment):
    """Its words: without formulas, and without a space where markup begins within a line."""
    fragment = re.sub(r'<code class="language-math">.*?</code>', "", fragment, flags=re.S)
    fragment = re.sub(r"</?(?:a|code|em|strong|kbd|del)\b[^>]*>", "", fragment)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", fragment)).split())


def anchor(heading, taken):
    """As GitHub names a heading, for which links in the Markdown are written."""
    text = html.unescape(re.sub(r"<[^>]*>", "", heading)).lower()
    name = re.sub(r"[^\w\- ]", "", text).strip().replace(" ", "-")
    taken[name] = taken.get(name, -1) + 1
    return name if taken[name] == 0 else f"{name}-{taken[name]}"


def page_path(source):
    """docs/files.md -> docs/files.html"""
    path = pathlib.PurePosixPath(source)
    return str(path.with_name("index.html") if path.name == "README.md" else path.with_suffix(".html"))


def relative(target, page):
    """How `page` links to `target`; both are paths within the site."""
    up = "../" * (len(pathlib.PurePosixPath(page).parts) - 1)
    return up + target


class Site:
    def __init__(self, root, folder, program):
        self.root, self.folder, self.program = root, folder, program
        pages = [root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")]
        sources = pages + sorted(root.glob("docs/**/*.md"))
        self.sources = [str(path.relative_to(root)) for path in sources]
        self.anchors, self.bodies, self.titles, self.index, self.files = {}, {}, {}, [], set()
        self.lessons = set()

    def read(self, source):
        text = (self.root / source).read_text(encoding="utf-8")
        text = re.sub(r"<!--.*?-->\n?", "", text, flags=re.S)
        # As a block of code, in which MD4C leaves the signs of TeX alone.
        text = re.sub(r"^\$\$\n(.*?)\n\$\$$", r"```math\n\1\n```", text, flags=re.M | re.S)
        body = to_html(text)
        taken = {}

        def named(match):
            name = anchor(match[2], taken)
            return f'<h{match[1]} id="{name}">{match[2]}</h{match[1]}>'

        body = re.sub(r"<h([1-6])>(.*?)</h\1>", named, body, flags=re.S)
        self.anchors[source] = {match for match in re.findall(r'<h[1-6] id="([^"]*)"', body)}
        self.titles[source] = plain(re.search(r"<h1[^>]*>(.*?)</h1>", body, re.S)[1])
        self.bodies[source] = self.with_formulas(source, body)
        self.add_to_index(source, body)

    def with_formulas(self, source, body):
        """TeX of a mechanism as the picture that the program shows of it, where there is one."""
        mechanism = re.fullmatch(r"docs/catalogue/(\w+)\.md", source)
        formula = mechanism and f"resources/formulas/{mechanism[1]}.svg"
        if not formula or not (self.root / formula).exists():
            return body
        return re.sub(r'<pre><code class="language-math">(.*?)</code></pre>',
                      lambda match: f'<p class="formula"><img src="../../{formula}" alt="{match[1].strip()}"></p>',
                      body, count=1, flags=re.S)

    def add_to_index(self, source, body):
        for part in re.split(r"(?=<h[1-6] id=)", body):
            heading = re.match(r'<h[1-6] id="([^"]*)">(.*?)</h[1-6]>', part, re.S)
            if heading:
                self.index.append([page_path(source) + "#" + heading[1], self.titles[source], plain(heading[2]),
                                   plain(part[heading.end():])])

    def link(self, source, match):
        attribute, address = match[1], urllib.parse.unquote(html.unescape(match[2]))
        if re.match(r"[a-z]+:", address):
            return match[0]
        path, _, fragment = address.partition("#")
        target = (self.root / source).parent.joinpath(path).resolve() if path else self.root / source
        if target.is_dir() and (target / "README.md").exists():
            target = target / "README.md"
        try:
            target = str(target.relative_to(self.root))
        except ValueError:
            raise SystemExit(f"build_site: {source}: {address} is outside of the project")
        page = page_path(source)
        if target in self.bodies:
            if fragment and fragment not in self.anchors[target]:
                raise SystemExit(f"build_site: {source}: there is no heading for {address}")
            place = "" if target == source and fragment else relative(page_path(target), page)
        elif lesson := re.fullmatch(r"resources/lessons/([\w-]+)/lesson\.md", target):
            self.lessons.add(lesson[1])
            place = relative(f"lessons/{lesson[1]}.html", page)
        elif (self.root / target).is_file():
            self.files.add(target)
            place = relative(target, page)
        else:
            raise SystemExit(f"build_site: {source}: there is no file for {address}")
        address = urllib.parse.quote(place) + ("#" + urllib.parse.quote(fragment) if fragment else "")
        return f'{attribute}="{html.escape(address)}"'

    def navigation(self, source):
        page, text = page_path(source), ""
        for title, members in NAVIGATION:
            text += f"<h2>{title}</h2>\n<ul>\n"
            for member in members:
                here = ' aria-current="page"' if member == source else ""
                text += f'<li><a href="{relative(page_path(member), page)}"{here}>{html.escape(self.titles[member])}</a>'
                if member == source:
                    chapters = re.findall(r'<h2 id="([^"]*)">(.*?)</h2>', self.bodies[source], re.S)
                    text += "<ul>" + "".join(f'<li><a href="#{name}">{html.escape(plain(heading), quote=False)}</a></li>'
                                             for name, heading in chapters) + "</ul>"
                text += "</li>\n"
            if title == "How it is made" and (self.folder / API).exists():
                text += f'<li><a href="{relative(API, page)}">The engine\'s headers</a></li>\n'
            text += "</ul>\n"
        return text

    def write_lesson(self, lesson):
        path = self.folder / f"lessons/{lesson}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([self.program, "lesson", lesson, "-o", path], check=True)
        text = path.read_text(encoding="utf-8")
        title, about = re.search(r"<h1>(.*?)</h1>(.*?)(?=<section>)", text, re.S).groups()
        self.index.append([f"lessons/{lesson}.html", plain(title), plain(title), plain(about)])
        for number, part in enumerate(re.split(r"<h2>", text)[1:], 1):
            heading, rest = part.split("</h2>", 1)
            rest = re.sub(r"<(figure|script|style)\b.*?</\1>", " ", rest, flags=re.S)
            self.index.append([f"lessons/{lesson}.html#step-{number}", plain(title), plain(heading), plain(rest)])
        numbers = iter(range(1, text.count("<h2>") + 1))
        text = re.sub("<h2>", lambda _: f'<h2 id="step-{next(numbers)}">', text)
        text = text.replace("<h1>", '<p><a href="../docs/lessons.html">The course</a></p>\n<h1>', 1)
        path.write_text(text, encoding="utf-8")

    def write(self):
        for source in self.sources:
            self.read(source)
        missing = {source for _, members in NAVIGATION for source in members} ^ {
            source for source in self.sources if not re.match(r"docs/(adr/\d|catalogue/)", source)}
        if missing:
            raise SystemExit(f"build_site: the navigation and the pages differ in {', '.join(sorted(missing))}")
        for source, body in self.bodies.items():
            body = re.sub(r'\b(href|src)="([^"]*)"', lambda match: self.link(source, match), body)
            body = re.sub(r"<table>.*?</table>", lambda match: f'<div class="wide">{match[0]}</div>', body, flags=re.S)
            page = page_path(source)
            title = self.titles[source] if source == "README.md" else f"{self.titles[source]} – Headlight"
            text = TEMPLATE.format(title=html.escape(title), root=relative("", page), body=body,
                                   navigation=self.navigation(source))
            path = self.folder / page
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        for lesson in sorted(self.lessons):
            self.write_lesson(lesson)
        for file in sorted(self.files):
            (self.folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.root / file, self.folder / file)
        for asset in ASSETS:
            shutil.copyfile(pathlib.Path(__file__).parent / asset, self.folder / asset)
        # A script and not JSON: pages from the disk may not fetch.
        index = json.dumps(self.index, ensure_ascii=False, separators=(",", ":"))
        (self.folder / "search-index.js").write_text(f"const searchIndex = {index};\n", encoding="utf-8")


TEMPLATE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="stylesheet" href="{root}site.css">
</head>
<body>
<nav data-root="{root}">
<input type="search" id="search" placeholder="Search" aria-label="Search these pages">
{navigation}</nav>
<main>
<ol id="results" hidden></ol>
<article>
{body}</article>
</main>
<script src="{root}search-index.js"></script>
<script src="{root}search.js"></script>
</body>
</html>
"""

if __name__ == "__main__":
    root, folder, program = map(pathlib.Path, sys.argv[1:])
    Site(root.resolve(), folder, program.resolve()).write()
