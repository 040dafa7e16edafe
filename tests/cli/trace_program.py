"""Holds the lines of NumPy and PyTorch that compute a trace to the trace, for program_test.py and
program_range_test.py. Ends with 77 where there is no NumPy: the test is then skipped.
"""
import contextlib
import io
import json
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

PROGRAM, MANY_RUNS = sys.argv.pop(1), sys.argv.pop(1)


def run(folder, *arguments):
    return subprocess.run([PROGRAM, "run", *arguments], cwd=folder, capture_output=True, text=True)


class ManyRuns:
    """Runs in one process, many_runs.cpp: to start the program for each would take most of the test's time."""

    def __init__(self):
        self.process = subprocess.Popen([MANY_RUNS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def answer(self, asked):
        print(json.dumps(asked), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{MANY_RUNS} ended with {self.process.wait()} at {asked}")
        return json.loads(line)

    def settings(self):
        """Specs in JSON that are worth being tried."""
        return self.answer("settings")

    def run(self, folder, *arguments):
        asked = {"folder": str(folder), "arguments": ["run", *arguments]}
        answer = self.answer(asked)
        return subprocess.CompletedProcess(asked["arguments"], answer["status"], stderr=answer["error"])

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait()


def mechanisms():
    listed = subprocess.run([PROGRAM, "list", "--json"], capture_output=True, text=True, check=True)
    return [mechanism["id"] for mechanism in json.loads(listed.stdout)["mechanisms"]]


def variables(path):
    """What the lines assign; they print the output."""
    names, printed = {"__name__": "__main__"}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(path.read_text(encoding="utf-8"), path.name, "exec"), names)
    return names, printed.getvalue()


class TraceProgram(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.many = ManyRuns()

    @classmethod
    def tearDownClass(cls):
        if status := cls.many.end():
            raise RuntimeError(f"{MANY_RUNS} ended with {status}")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def runs(self, arguments, libraries):
        """The run that writes the trace, then those that write lines."""
        asked = [["-o", "trace.json"]] + [["--code", library, "-o", f"{library}_lines.py"] for library in libraries]
        return [self.many.run(self.folder, *arguments, *more) for more in asked]

    def held_to_the_trace(self, arguments, libraries, runs=None):
        for done in runs or self.runs(arguments, libraries):
            self.assertEqual(done.returncode, 0, done.stderr)
        stages = json.loads((self.folder / "trace.json").read_text())["stages"]
        for library in libraries:
            names, printed = variables(self.folder / f"{library}_lines.py")
            self.assertIn("[", printed)
            compared = set()
            for stage in stages:
                if stage["name"] not in names:
                    continue
                expected = np.array([-np.inf if number is None else number for number in stage["data"]])
                got = np.asarray(names[stage["name"]], dtype=float).ravel()
                if got.size < expected.size and stage["axes"][0] == "head":
                    got = np.tile(got, stage["shape"][0])  # one for all heads
                np.testing.assert_allclose(got, expected, rtol=1e-6, atol=1e-9,
                                           err_msg=f"{arguments} {library} {stage['name']}")
                compared.add(stage["name"])
            self.assertLessEqual({"weights", "context", "output"}, compared, arguments)
