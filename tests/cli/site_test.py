"""The site of scripts/build_site.sh: every link and image leads somewhere, and the search finds what is there.

    site_test.py HEADLIGHT SOURCE_FOLDER
"""
import html.parser
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

SOURCE = pathlib.Path(sys.argv.pop())
PROGRAM = sys.argv.pop()
OTHER_PAGES = ["CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]  # beside README.md and docs


class Page(html.parser.HTMLParser):
    """The addresses that a page asks for, and the names that it has."""

    def __init__(self, text):
        super().__init__()
        self.addresses, self.names = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src"):
                self.addresses.append((tag, value))
            elif name == "id":
                self.names.add(value)


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.site = pathlib.Path(cls.folder.name) / "site"
        subprocess.run([sys.executable, SOURCE / "scripts/site/build_site.py", SOURCE, cls.site, PROGRAM], check=True)
        cls.pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in cls.site.rglob("*.html")}
        script = (cls.site / "search-index.js").read_text(encoding="utf-8")
        cls.index = json.loads(script[script.index("["):script.rindex(";")])

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def leads_somewhere(self, page, address):
        path, _, name = urllib.parse.unquote(address).partition("#")
        target = (page.parent / path).resolve() if path else page
        self.assertTrue(target.is_file(), f"{page}: {address}")
        self.assertTrue(target.is_relative_to(self.site.resolve()), address)
        if name:
            self.assertIn(name, self.pages[target].names, f"{page}: {address}")

    def test_every_markdown_file_is_a_page(self):
        sources = ["README.md", *OTHER_PAGES] + [str(path.relative_to(SOURCE)) for path in SOURCE.glob("docs/**/*.md")]
        pages = [page for page in self.pages if page.parent.name != "lessons"]
        self.assertEqual(len(pages), len(sources))
        self.assertGreater(len(sources), 20)

    def test_every_lesson_is_a_page_with_its_numbers_and_pictures(self):
        lessons = [path.name for path in (SOURCE / "resources/lessons").iterdir() if path.is_dir()]
        pages = {page.stem: page for page in self.pages if page.parent.name == "lessons"}
        self.assertEqual(sorted(pages), sorted(lessons))
        for page in pages.values():
            text = page.read_text(encoding="utf-8")
            self.assertNotIn("{{", text)
            self.assertIn('<figure class="headlight">', text)
            self.assertIn("step-2", self.pages[page].names)

    def test_every_link_and_image_leads_somewhere(self):
        inside = 0
        for page, parsed in self.pages.items():
            for tag, address in parsed.addresses:
                if urllib.parse.urlparse(address).scheme:
                    self.assertEqual(tag, "a", f"{page} needs {address} from elsewhere")
                else:
                    self.leads_somewhere(page, address)
                    inside += 1
        self.assertGreater(inside, 1000)

    def test_every_entry_of_the_index_leads_to_its_heading(self):
        for address, *_ in self.index:
            self.leads_somewhere(self.site.resolve() / "index.html", address)

    def test_what_is_no_page_of_the_site_is_refused(self):
        copy = pathlib.Path(self.folder.name) / "copy"
        for broken, reason in {"[x](nowhere.md)": "no file for nowhere.md", "[x](#nowhere)": "no heading for #nowhere",
                               "![x](../../x.png)": "outside of the project"}.items():
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(SOURCE / "docs", copy / "docs", ignore=shutil.ignore_patterns("mechanisms", "catalogue"))
            (copy / "README.md").write_text(f"# Headlight\n\n{broken}\n", encoding="utf-8")
            for page in [*(copy / name for name in OTHER_PAGES), *copy.glob("docs/**/*.md")]:
                page.write_text("# Page\n", encoding="utf-8")
            run = subprocess.run([sys.executable, SOURCE / "scripts/site/build_site.py", copy, copy / "site", PROGRAM],
                                 capture_output=True, encoding="utf-8")
            self.assertEqual(run.returncode, 1, broken)
            self.assertIn(reason, run.stderr)

    def test_the_search_finds_words_and_headings_first(self):
        if not shutil.which("node"):
            self.skipTest("node is not installed")
        script = """
            const search = require(process.argv[1] + '/search.js'), fs = require('fs');
            const index = new Function(fs.readFileSync(process.argv[1] + '/search-index.js', 'utf8') + 'return searchIndex;')();
            console.log(JSON.stringify(process.argv.slice(2).map(typed => search(index, typed).map(each => each.address))));"""
        asked = ["sparsemax", "HEADLIGHT_ISA", "exit status", "Nyström", "Rama Dasaratha", "cross attention",
                 "linear attention", "zzzq", "   "]
        said = json.loads(subprocess.run(["node", "-e", script, self.site, *asked], check=True, encoding="utf-8",
                                         stdout=subprocess.PIPE).stdout)
        found = dict(zip(asked, said))
        self.assertEqual(found["sparsemax"][0], "docs/catalogue/sparsemax.html#sparsemax")
        self.assertIn("docs/adr/0005-kernels-per-processor.html#0005-kernels-compiled-per-processor-level-chosen-at-run-time",
                      found["HEADLIGHT_ISA"])
        self.assertIn("docs/command-line.html#the-command-line", found["exit status"])
        self.assertEqual(found["Nyström"][0], "docs/catalogue/nystrom.html#nyströmformer")
        self.assertIn("lessons/query-key-value.html#step-5", found["Rama Dasaratha"])
        self.assertEqual(found["cross attention"][:2],
                         ["docs/catalogue/cross.html#cross-attention", "lessons/cross.html"])
        self.assertEqual(found["linear attention"][0], "docs/catalogue/linear.html#linear-attention")
        self.assertEqual(found["zzzq"], [])
        self.assertEqual(found["   "], [])

    def test_a_browser_searches_from_the_disk(self):
        browser = shutil.which("chromium")
        if not browser:
            self.skipTest("chromium is not installed")
        said = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
                               f"file://{self.site}/docs/files.html?q=sparsemax"], check=True, encoding="utf-8",
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        self.assertIn('<a href="../docs/catalogue/sparsemax.html#sparsemax">', said)


if __name__ == "__main__":
    unittest.main()
