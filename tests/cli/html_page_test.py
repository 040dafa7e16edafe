"""A figure exported as HTML in a browser: the number under the pointer is the number of the view.

    html_page_test.py HEADLIGHT         ends with 77 where there is no Chromium: the test is then skipped
"""
import csv
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BROWSER = shutil.which("chromium")
if not BROWSER:
    print("skipped: there is no chromium")
    sys.exit(77)

PROGRAM = sys.argv.pop(1)

# Moves a pointer over the middle of every cell and keeps what the page says of it; then walks with the arrow keys.
DRIVER = """<pre id="said"></pre><script>
const figure = document.querySelector('figure.headlight'), svg = figure.querySelector('svg');
const known = JSON.parse(figure.querySelector('script[type="application/json"]').textContent);
const reading = figure.querySelector('.reading');
const said = {panels: [], outside: null, keys: []};
const point = (x, y) => {
  const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
  svg.dispatchEvent(new PointerEvent('pointermove', {clientX: at.x, clientY: at.y}));
  return getComputedStyle(reading).visibility === 'visible' ? reading.textContent : null;
};
for (const panel of known.panels) {
  const rows = [];
  for (let row = 0; row < panel.rows; ++row) {
    rows.push([]);
    for (let column = 0; column < panel.columns; ++column)
      rows[row].push(point(panel.x + (column + 0.5) * panel.w / panel.columns,
                           panel.y + (row + 0.5) * panel.h / panel.rows));
  }
  said.panels.push(rows);
}
said.outside = point(-10, -10);
for (const key of ['ArrowDown', 'ArrowRight']) {
  svg.dispatchEvent(new KeyboardEvent('keydown', {key, cancelable: true}));
  said.keys.push(reading.textContent);
}
document.getElementById('said').textContent = JSON.stringify(said);
</script>"""


def tables(path):
    """The panels of a .csv: their rows of numbers, and the labels of rows and columns."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = [*csv.reader(file), []]
    panels, part = [], []
    for line in lines:
        if line:
            part.append(line)
            continue
        head = part.index(next(each for each in part if each[0] == ""))
        panels.append(([each[0] for each in part[head + 1:]], part[head][1:],
                       [[float(cell) for cell in each[1:]] for each in part[head + 1:]]))
        part = []
    return panels


class Page(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)

    def headlight(self, *arguments):
        subprocess.run([PROGRAM, *arguments], check=True, cwd=self.folder)

    def in_browser(self, name):
        """What the driver has put down in the page."""
        page = self.folder / name
        text = page.read_text(encoding="utf-8")
        self.assertNotRegex(text, r"(src|href)=\"https?:")
        page.write_text(text.replace("</body>", DRIVER + "</body>"), encoding="utf-8")
        dom = subprocess.run(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,1000",
             f"--user-data-dir={self.folder / 'profile'}", "--virtual-time-budget=10000", "--dump-dom", page.as_uri()],
            check=True, capture_output=True, timeout=120, cwd=self.folder).stdout.decode("utf-8")
        said = re.search(r'<pre id="said">(.*?)</pre>', dom, re.DOTALL)
        self.assertTrue(said, dom[-500:])
        return json.loads(html.unescape(said.group(1)))

    def test_the_number_under_the_pointer_is_that_of_the_view(self):
        self.headlight("run", "multi_head", "--set", "heads=2", "--text", 'the "cat" sat, </s> 注意', "-o", "t.json")
        self.headlight("render", "t.json", "--view", "grid", "-o", "p.html")
        self.headlight("render", "t.json", "--view", "grid", "-o", "p.csv")
        said = self.in_browser("p.html")
        panels = tables(self.folder / "p.csv")
        self.assertEqual(len(said["panels"]), len(panels))
        for shown, (rows, columns, numbers) in zip(said["panels"], panels):
            for row, label in enumerate(rows):
                for column, other in enumerate(columns):
                    words = shown[row][column]
                    self.assertTrue(words.startswith(f"{label} → {other}: "), words)
                    number = float(re.search(r": ([^ ]+)(?: \(.*\))?$", words).group(1))
                    self.assertEqual(number, float(f"{numbers[row][column]:.4g}"))
        self.assertIsNone(said["outside"])
        rows, columns, _ = panels[0]
        self.assertTrue(said["keys"][0].startswith(f"{rows[0]} → {columns[0]}: "), said["keys"])
        self.assertTrue(said["keys"][1].startswith(f"{rows[0]} → {columns[1]}: "), said["keys"])

    def test_numbers_of_every_size_are_told(self):
        numbers = [[0, 1, -0.5, 1e-9], [-2.34567e-300, 5e-324, 1.7e308, 9999.6], [123456, -7654321, 0.00012345678, 3],
                   [1000, 1e22, -9.9999, 0.1]]
        self.headlight("run", "dot", "--text", "a b c d", "-o", "t.json")
        trace = json.loads((self.folder / "t.json").read_text(encoding="utf-8"))
        stage = next(each for each in trace["stages"] if each["name"] == "scores")
        stage["data"] = sum(numbers, [])
        (self.folder / "n.json").write_text(json.dumps(trace), encoding="utf-8")
        self.headlight("render", "n.json", "--stage", "scores", "--range", "fitted", "-o", "p.html")
        shown = self.in_browser("p.html")["panels"][0]
        for row, expected in zip(shown, numbers):
            self.assertEqual([float(words.split(": ")[1]) for words in row], [float(f"{each:.4g}") for each in expected])

    def test_a_page_of_eight_heads_is_small(self):
        words = "the river bank flooded after heavy rain while children watched from an old stone bridge".split()
        text = " ".join(words[7 * at * at % len(words)] for at in range(64))
        self.headlight("run", "multi_head", "--set", "heads=8", "--text", text, "-o", "t.json")
        self.headlight("render", "t.json", "--view", "grid", "-o", "p.html")
        page = (self.folder / "p.html").read_text(encoding="utf-8")
        panels = json.loads(re.search(r'<script type="application/json">(.*?)</script>', page).group(1))["panels"]
        self.assertEqual([(panel["rows"], panel["columns"]) for panel in panels], 8 * [(64, 64)])
        self.assertLess(len(page.encode("utf-8")), 300_000)

    def test_what_a_decoder_has_yet_to_say_is_not_told(self):
        self.headlight("run", "causal", "--text", "a b c d", "-o", "t.json")
        self.headlight("render", "t.json", "--view", "steps", "--step", "2", "-o", "p.html")
        rows = self.in_browser("p.html")["panels"][0]
        self.assertTrue(rows[1][0].startswith("b → a: "), rows)
        self.assertEqual(rows[2:], 2 * [4 * [None]])

    def test_words_of_html_are_words(self):
        self.headlight("run", "dot", "--text", "a b", "-o", "t.json")
        self.headlight("render", "t.json", "--panel", 'title="<!--<script></script>" head=1', "-o", "p.html")
        rows = self.in_browser("p.html")["panels"][0]
        self.assertTrue(rows[0][1].startswith("a → b: "), rows)

    def test_what_the_mask_forbids_is_said(self):
        self.headlight("run", "causal", "--text", "a b c", "-o", "t.json")
        self.headlight("render", "t.json", "-o", "p.html")
        rows = self.in_browser("p.html")["panels"][0]
        self.assertTrue(rows[0][1].endswith(": forbidden by the mask"), rows)
        self.assertFalse(rows[1][0].endswith(": forbidden by the mask"), rows)

    def test_what_a_selection_leaves_out_is_no_matter_of_a_mask(self):
        self.headlight("run", "top_k", "--set", "k=1", "--text", "a b c", "-o", "t.json")
        self.headlight("render", "t.json", "-o", "p.html")
        cells = sum(self.in_browser("p.html")["panels"][0], [])
        self.assertTrue(any(cell.endswith(": forbidden by the selection of keys") for cell in cells), cells)
        self.assertFalse(any("mask" in cell for cell in cells), cells)


if __name__ == "__main__":
    unittest.main()
