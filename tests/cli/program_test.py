"""The lines of NumPy and PyTorch that compute a trace, held to the trace: of every mechanism.

    program_test.py HEADLIGHT MANY_RUNS         ends with 77 where there is no NumPy: the test is then skipped
"""
import json
import unittest

from trace_program import TraceProgram, mechanisms, run

try:
    import torch
except ImportError:
    torch = None


class Programs(TraceProgram):
    def test_every_mechanism_has_the_numbers_of_its_trace(self):
        ids = mechanisms()
        libraries = ["numpy", "torch"] if torch else ["numpy"]
        for name in ids:
            with self.subTest(name):
                self.held_to_the_trace([name, "--dimension", "16"], libraries)
        print(f"{len(ids)} mechanisms in {' and '.join(libraries)}")

    def test_settings_are_in_the_lines(self):
        """The settings that stand beside the oracles of tests/oracle."""
        settings = self.many.settings()
        for spec in settings:
            with self.subTest(spec):
                (self.folder / "spec.json").write_text(spec)
                is_cross = json.loads(spec).get("source", {}).get("type") == "cross"
                text = ["--text", "the cat and the dog sleep", *(["--target", "a small kitten naps"] if is_cross else [])]
                self.held_to_the_trace(["--spec", "spec.json", "--dimension", "8", *text], ["numpy"])
        print(f"{len(settings)} settings")

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
                                    (["dot", "-o", "t.ods"], ".py or .formula")]:
            done = run(self.folder, *arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(expected, done.stderr)
            self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
