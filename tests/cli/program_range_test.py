"""The same lines where numbers are so large that a careless order of operations leaves the range of a double.

    program_range_test.py HEADLIGHT MANY_RUNS   ends with 77 where there is no NumPy: the test is then skipped
"""
import json
import os
import unittest

from trace_program import TraceProgram, mechanisms, np


class ProgramsOfLargeNumbers(TraceProgram):
    def test_numbers_of_any_size_are_those_of_the_trace(self):
        """Tokens so large that powers, gates and sums leave the range of a double on their way."""
        ids = mechanisms()
        if "HEADLIGHT_LONG_TESTS" not in os.environ:
            ids = ids[::2]
        tokens, refused = np.random.default_rng(1).standard_normal((6, 8)), []
        # Gates are 0 only where their steps are small as well: these three have such.
        for size, names in [(1e3, ids), (3e4, ["gla", "mamba2", "forgetting"])]:
            (self.folder / "inputs.json").write_text(json.dumps({"query": (size * tokens).tolist()}))
            for name in names:
                arguments = [name, "--inputs", "inputs.json"]
                runs = self.runs(arguments, ["numpy"])
                if "overflow" in runs[0].stderr:
                    refused.append(name)
                    continue
                with self.subTest(f"{name} of {size:g}"), np.errstate(over="ignore"):
                    self.held_to_the_trace(arguments, ["numpy"], runs)
        self.assertLessEqual(len(refused), 2, refused)


if __name__ == "__main__":
    unittest.main()
