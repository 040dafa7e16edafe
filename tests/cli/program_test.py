"""The lines of NumPy and PyTorch that compute a trace, held to the trace: of every mechanism.

    program_test.py HEADLIGHT         ends with 77 where there is no NumPy: the test is then skipped
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
try:
    import torch
except ImportError:
    torch = None

PROGRAM = sys.argv.pop(1)

# Settings that change what is written: the other word of a choice, more than one head, padding, a drawn key.
VARIANTS = [
    ("multi_head", "heads=2", "causal=true", "projection_bias=true"),
    ("multi_head", "heads=1"),
    ("grouped_query", "heads=4", "kv_heads=2"),
    ("scaled_dot_product", "source=cross"),
    ("scaled_dot_product", "mask_value=-3", 'mask={"type": "causal"}', "mask_order=before_scale"),
    ("scaled_dot_product", "score.softcap=2", 'mask={"type": "causal"}', "mask_order=before_scale"),
    ("scaled_dot_product", "score.vector_norm=layer"),
    ("scaled_dot_product", "score.vector_norm=l2"),
    ("additive", "score.activation=relu", "score.bias=true"),
    ("rope", "position.scaling=yarn", "position.layout=interleaved"),
    ("alibi", "position.form=key_only"),
    ("kerple", "position.form=power"),
    ("kerple", "heads=2"),
    ("ntm", 'mask={"type": "causal"}'),
    ("entmax", "normalizer.alpha=1.25"),
    ("hard", "normalizer.mode=sample"),
]


def run(folder, *arguments):
    return subprocess.run([PROGRAM, "run", *arguments], cwd=folder, capture_output=True, text=True)


def variables(path):
    """What the lines assign; they print the output."""
    names, printed = {"__name__": "__main__"}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(path.read_text(encoding="utf-8"), path.name, "exec"), names)
    return names, printed.getvalue()


class Programs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def held_to_the_trace(self, arguments, libraries):
        done = run(self.folder, *arguments, "-o", "trace.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        stages = json.loads((self.folder / "trace.json").read_text())["stages"]
        for library in libraries:
            done = run(self.folder, *arguments, "--code", library, "-o", "trace.py")
            self.assertEqual(done.returncode, 0, done.stderr)
            names, printed = variables(self.folder / "trace.py")
            self.assertIn("[", printed)
            compared = set()
            for stage in stages:
                if stage["name"] not in names:
                    continue
                expected = np.array([-np.inf if number is None else number for number in stage["data"]])
                got = np.asarray(names[stage["name"]], dtype=float).ravel()
                np.testing.assert_allclose(got, expected, rtol=1e-6, atol=1e-9,
                                           err_msg=f"{arguments} {library} {stage['name']}")
                compared.add(stage["name"])
            self.assertLessEqual({"weights", "context", "output"}, compared, arguments)

    def test_every_mechanism_has_the_numbers_of_its_trace(self):
        listed = subprocess.run([PROGRAM, "list", "--json"], capture_output=True, text=True, check=True)
        ids = [mechanism["id"] for mechanism in json.loads(listed.stdout)["mechanisms"]]
        libraries = ["numpy", "torch"] if torch else ["numpy"]
        for name in ids:
            with self.subTest(name):
                self.held_to_the_trace([name, "--dimension", "16"], libraries)
        print(f"{len(ids)} mechanisms in {' and '.join(libraries)}")

    def test_settings_are_in_the_lines(self):
        for name, *settings in VARIANTS:
            with self.subTest(f"{name} {settings}"):
                assignments = [word for setting in settings for word in ("--set", setting)]
                self.held_to_the_trace([name, "--dimension", "8", *assignments], ["numpy"])

    def test_numbers_of_any_size_are_those_of_the_trace(self):
        """Tokens so large that powers, gates and sums leave the range of a double on their way."""
        listed = subprocess.run([PROGRAM, "list", "--json"], capture_output=True, text=True, check=True)
        ids = [mechanism["id"] for mechanism in json.loads(listed.stdout)["mechanisms"]]
        tokens, refused = np.random.default_rng(1).standard_normal((6, 8)), []
        # Gates are 0 only where their steps are small as well: these three have such.
        for size, names in [(1e3, ids), (3e4, ["gla", "mamba2", "forgetting"])]:
            (self.folder / "inputs.json").write_text(json.dumps({"query": (size * tokens).tolist()}))
            for name in names:
                arguments = [name, "--inputs", "inputs.json"]
                if "overflow" in run(self.folder, *arguments, "-o", "trace.json").stderr:
                    refused.append(name)
                    continue
                with self.subTest(f"{name} of {size:g}"), np.errstate(over="ignore"):
                    self.held_to_the_trace(arguments, ["numpy"])
        self.assertLessEqual(len(refused), 2, refused)

    def test_tokens_are_no_code(self):
        """Labels and names of files stand in no line; large tensors are read back to the bit."""
        done = run(self.folder, "multi_head", "--text", 'a """ \\ \' print(0)', "-o", "trace.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = (self.folder / "trace.py").read_text(encoding="utf-8")
        self.assertNotIn("print(0)", text)
        self.assertIn("base64", text)
        self.held_to_the_trace(["multi_head", "--text", "a b"], ["numpy"])

    def test_words_that_do_not_fit_are_refused(self):
        for arguments, expected in [(["dot", "--code", "torch", "-o", "t.json"], "-o FILE.py"),
                                    (["dot", "--code", "jax", "-o", "t.py"], "numpy"),
                                    (["dot", "-o", "t.ods"], ".fods or .py")]:
            done = run(self.folder, *arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(expected, done.stderr)
            self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
