"""What tests of captures share: the script, a folder for each test, and what Headlight draws, in numbers. Ends with 77
where there is no NumPy: the test is then skipped."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import headlight_capture  # noqa: E402,F401

PROGRAM = sys.argv.pop(1)


def drawn(file, *options):
    """A map as Headlight draws it, [query, key]."""
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "map.csv"
        subprocess.run([PROGRAM, "render", str(file), *options, "-o", str(table)], check=True)
        rows = [line.split(",")[1:] for line in table.read_text().splitlines()[1:]]
        return np.array([[float(number) for number in row if number] for row in rows])


class InFolder(unittest.TestCase):
    """Each test writes into a folder of its own, and leaves no hidden file there."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)

    def tearDown(self):
        leftovers = [path.name for path in self.folder.iterdir() if path.name.startswith(".")]
        self.temporary.cleanup()
        self.assertEqual(leftovers, [])
