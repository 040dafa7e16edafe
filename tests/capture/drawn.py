"""What tests of captures share: a folder for each, and what Headlight draws, in numbers."""
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np


def drawn_by(program, file, *options):
    """A map as Headlight draws it, [query, key]."""
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "map.csv"
        subprocess.run([program, "render", str(file), *options, "-o", str(table)], check=True)
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
