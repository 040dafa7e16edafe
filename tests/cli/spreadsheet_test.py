"""Spreadsheets as LibreOffice calculates them after one number was changed, beside a run on that number.

    spreadsheet_test.py HEADLIGHT         ends with 77 where LibreOffice or NumPy is absent: the test is then skipped
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

OFFICE = shutil.which("soffice") or shutil.which("libreoffice")
try:
    import numpy as np
except ImportError:
    np = None
if not OFFICE or np is None:
    print("skipped: no LibreOffice" if np is not None else "skipped: Python has no NumPy")
    sys.exit(77)

PROGRAM = sys.argv.pop(1)
STAGES = ["query", "scores", "scaled_scores", "masked_scores", "weights", "context", "output"]
MINUS_INFINITY = -1e300
WIDTH = 8  # of token vectors
DOCUMENTS_AT_ONCE = 100  # of 351 LibreOffice 7.4 converted 247 and ended, without an error

OF_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
OF_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"


def cells_of(path, sheet):
    """[row][column]: numbers, and texts of the others."""
    rows = []
    for table in ElementTree.parse(path).getroot().iter(OF_TABLE + "table"):
        if table.get(OF_TABLE + "name") != sheet:
            continue
        for row in table.iter(OF_TABLE + "table-row"):
            cells = []
            for cell in row:
                value = cell.get(OF_OFFICE + "value")
                words = "".join(cell.itertext()).strip()
                count = min(int(cell.get(OF_TABLE + "number-columns-repeated", "1")), 1100)
                cells += [float(value) if value is not None else words] * count
            rows += [cells] * min(int(row.get(OF_TABLE + "number-rows-repeated", "1")), 100)
    return rows


def shown_numbers(path):
    """(number, text that is shown) of every cell with a number."""
    for cell in ElementTree.parse(path).getroot().iter(OF_TABLE + "table-cell"):
        if cell.get(OF_OFFICE + "value") is not None:
            yield float(cell.get(OF_OFFICE + "value")), "".join(cell.itertext()).strip()


def block(rows, name):
    """Numbers of the tensor below its title, "weights [2, 7, 7]"; nothing where the sheet has none."""
    for at, row in enumerate(rows):
        title = re.fullmatch(re.escape(name) + r" \[([\d, ]+)\]", row[0]) if row and isinstance(row[0], str) else None
        if not title:
            continue
        shape = [int(number) for number in title[1].split(",")]
        numbers = []
        for cells in rows[at + 1:]:
            line = cells[1:1 + shape[-1]]
            if len(line) == shape[-1] and all(isinstance(cell, float) for cell in line):
                numbers += line
            if len(numbers) == np.prod(shape):
                return np.array(numbers)
    return None


class Spreadsheets(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_headlight(self, *arguments):
        return subprocess.run([PROGRAM, "run", *arguments], cwd=self.folder, capture_output=True, text=True)

    def stages(self, *arguments):
        done = self.run_headlight(*arguments, "-o", "trace.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return {stage["name"]: stage for stage in json.loads((self.folder / "trace.json").read_text())["stages"]}

    def changed(self, name):
        """Changes one number of a mechanism's spreadsheet, and returns the stages of a run on that number."""
        path = self.folder / f"{name}.fods"
        rows, inputs = cells_of(path, "Inputs"), {}
        for tensor, field in (("tokens", "query"), ("key_tokens", "key"), ("value_tokens", "value")):
            numbers = block(rows, tensor)
            if numbers is not None:
                inputs[field] = numbers.reshape(-1, WIDTH).tolist()
        inputs["query"][1][2] += 0.125
        (self.folder / "inputs.json").write_text(json.dumps(inputs))
        text = path.read_text(encoding="utf-8")
        row = list(re.finditer(r"<table:table-row>.*style-name=\"input\".*", text))[1]
        cell = list(re.finditer(r'office:value="([^"]*)"', row[0]))[2]
        start, end = row.start() + cell.start(1), row.start() + cell.end(1)
        self.assertAlmostEqual(float(text[start:end]), inputs["query"][1][2] - 0.125)
        path.write_text(text[:start] + repr(inputs["query"][1][2]) + text[end:], encoding="utf-8")
        return self.stages(name, "--inputs", "inputs.json")

    def calculated(self, names):
        """What LibreOffice makes of the spreadsheet of each name, in the folder "calculated"."""
        profile = (self.folder / "profile").as_uri()
        for first in range(0, len(names), DOCUMENTS_AT_ONCE):
            paths = [self.folder / f"{name}.fods" for name in names[first:first + DOCUMENTS_AT_ONCE]]
            done = subprocess.run([OFFICE, "--headless", f"-env:UserInstallation={profile}", "--convert-to", "fods",
                                   "--outdir", str(self.folder / "calculated"), *map(str, paths)],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            missing = [path.name for path in paths if not (self.folder / "calculated" / path.name).exists()]
            self.assertEqual(missing, [], done.stdout[-1000:] + done.stderr)

    def test_a_changed_number_changes_every_stage_as_in_the_program(self):
        listed = subprocess.run([PROGRAM, "list", "--json"], capture_output=True, text=True, check=True)
        expected = {}
        for mechanism in json.loads(listed.stdout)["mechanisms"]:
            name = mechanism["id"]
            if self.run_headlight(name, "--dimension", str(WIDTH), "-o", f"{name}.fods").returncode == 0:
                expected[name] = self.changed(name)
        self.assertGreater(len(expected), 100)
        self.calculated(list(expected))
        for name, stages in expected.items():
            with self.subTest(name):
                rows = cells_of(self.folder / "calculated" / f"{name}.fods", "Stages")
                compared = 0
                for stage in STAGES:
                    got = block(rows, stage)
                    if stage not in stages or got is None:
                        continue
                    data = [MINUS_INFINITY if number is None else number for number in stages[stage]["data"]]
                    is_open = np.array(data) != MINUS_INFINITY
                    np.testing.assert_allclose(got[is_open], np.array(data)[is_open], rtol=0, atol=1e-9,
                                               err_msg=f"{name} {stage}")
                    self.assertTrue((got[~is_open] < -1e299).all(), f"{name} {stage}")
                    compared += 1
                self.assertGreaterEqual(compared, 4)
        signs = set()
        for number, text in shown_numbers(self.folder / "calculated" / "causal.fods"):
            if number < -1e299:
                self.assertEqual(text, "−∞")
            else:
                self.assertLess(abs(float(text) - number), 1e-6)
            signs.add(text[0])
        self.assertLessEqual({"-", "−", "0"}, signs)
        print(f"{len(expected)} mechanisms calculated by LibreOffice")

    def test_a_tiny_temperature_leaves_the_range_of_no_cell(self):
        """A spreadsheet has no infinity: what stands for minus infinity must not be divided by the temperature."""
        expected = {}
        for name in ["scaled_dot_product", "sparsemax", "entmax", "budget", "normmax", "off_by_one", "sink_logit", "slot"]:
            settings = ["--set", "normalizer.temperature=1e-9", "--set", 'mask={"type": "causal"}', "--dimension", str(WIDTH)]
            done = self.run_headlight(name, *settings, "-o", f"{name}.fods")
            self.assertEqual(done.returncode, 0, done.stderr)
            expected[name] = self.stages(name, *settings)["weights"]["data"]
        self.calculated(list(expected))
        for name, weights in expected.items():
            with self.subTest(name):
                got = block(cells_of(self.folder / "calculated" / f"{name}.fods", "Stages"), "weights")
                self.assertIsNotNone(got, "a cell has no number")
                np.testing.assert_allclose(got, weights, rtol=0, atol=1e-6)  # of scores of some 1e9


if __name__ == "__main__":
    unittest.main()
