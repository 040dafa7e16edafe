"""The .npz of a view as NumPy reads it, beside the .csv of the same view.

    npz_test.py HEADLIGHT         ends with 77 where there is no NumPy: the test is then skipped
"""
import csv
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: Python has no NumPy")
    sys.exit(77)

PROGRAM = sys.argv.pop(1)


class Npz(unittest.TestCase):
    def test_every_panel_has_the_numbers_and_labels_of_the_csv(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)

            def headlight(*arguments):
                subprocess.run([PROGRAM, *arguments], check=True, cwd=folder)

            headlight("run", "multi_head", "--set", "heads=2", "--text", 'naïve "cats", 注意 🙂', "-o", "t.json")
            headlight("render", "t.json", "--view", "grid", "-o", "n.npz")
            headlight("render", "t.json", "--view", "grid", "-o", "n.csv")
            with open(folder / "n.csv", newline="", encoding="utf-8") as file:
                lines = list(csv.reader(file))
            parts, part = [], []
            for line in [*lines, []]:
                if line:
                    part.append(line)
                else:
                    parts.append(part)
                    part = []
            with np.load(folder / "n.npz") as archive:  # no pickles
                self.assertEqual(sorted(archive.files), ["columns_1", "columns_2", "rows_1", "rows_2", "titles",
                                                         "values_1", "values_2"])
                self.assertEqual(list(archive["titles"]), [part[0][0] for part in parts])
                for number, part in enumerate(parts, 1):
                    values = archive[f"values_{number}"]
                    self.assertEqual(values.dtype, np.float64)
                    np.testing.assert_array_equal(
                        values, [[float(cell) for cell in line[1:]] for line in part[2:]])
                    self.assertEqual(list(archive[f"columns_{number}"]), part[1][1:])
                    self.assertEqual(list(archive[f"rows_{number}"]), [line[0] for line in part[2:]])


if __name__ == "__main__":
    unittest.main()
