"""scripts/learned.py goes on where it was stopped, and its page, picture and table have what was run.

    learned_script_test.py HEADLIGHT
"""
import csv
import importlib.util
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = sys.argv.pop()
COMMAND = [sys.executable, ROOT / "scripts/learned.py", "--program", PROGRAM]
# Brackets are put in a class, which is soon measured; the choice of hard attention has no gradient.
FEW = ["--only", "scaled_dot_product,rope,hard", "--tasks", "brackets", "--budget", "3"]


class Learned(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def command(self, *options):
        return [*COMMAND, "--folder", self.folder, *options]

    def run_script(self, *options, status=0):
        done = subprocess.run(self.command(*options), capture_output=True, encoding="utf-8")
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def results(self):
        return self.text("docs/learned/results.jsonl").splitlines(keepends=True)

    def text(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def test_it_goes_on_where_it_was_stopped(self):
        with subprocess.Popen(self.command(*FEW, "--seeds", "1,2"), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as script:
            self.assertTrue(script.stdout.readline().startswith(b"1 of "))
            script.terminate()
            self.assertIn(b"goes on from there", script.communicate()[1])
            self.assertEqual(script.returncode, 128 + signal.SIGTERM)
        before = self.results()
        self.assertIn(len(before), [1, 2])
        with open(self.folder / "docs/learned/results.jsonl", "a") as file:
            file.write('{"task": "brackets", "mech')  # as a machine that goes off leaves it

        self.run_script(*FEW, "--seeds", "1,2")
        after = self.results()
        self.assertEqual(after[:len(before)], before)
        self.assertEqual(sorted((line["seed"], line["mechanism"]) for line in map(json.loads, after)),
                         [(1, "hard"), (1, "rope"), (1, "scaled_dot_product"), (2, "rope"), (2, "scaled_dot_product")])
        self.assertEqual(self.run_script(*FEW, "--seeds", "1,2").stdout, "")
        self.assertEqual(self.results(), after)

        self.page_has_what_was_run([json.loads(line) for line in after])
        page = self.text("docs/learned.md")
        self.assertEqual(self.run_script("--page", "--budget", "3").stdout, "")
        self.assertEqual(self.text("docs/learned.md"), page)

        # Another budget is another result, and does not touch these.
        self.run_script("--only", "rope", "--tasks", "brackets", "--seeds", "1", "--budget", "2")
        self.assertEqual(self.results()[:-1], after)

    def page_has_what_was_run(self, results):
        page = self.text("docs/learned.md")
        listed = json.loads(subprocess.run([PROGRAM, "list", "--json"], capture_output=True, check=True).stdout)
        for mechanism in listed["mechanisms"]:
            self.assertEqual(page.count(f'<a id="{mechanism["id"]}"></a>'), 1)
        shares = [line["exact"] for line in results if line["mechanism"] == "rope"]
        mean = f"{sum(shares) / 2:.3f} ± "
        rows = [row for row in page.splitlines() if "Rotary positions |" in row]
        self.assertTrue(any(f"| {mean}" in row and "| 2 |" in row and row.endswith("| program |") for row in rows), rows)
        self.assertIn("expected weights that change smoothly", page)
        self.assertIn("| brackets, encoder | 1 | 2 of ", page)

        picture = xml.etree.ElementTree.fromstring(self.text("docs/learned/curves.svg"))
        curves = [path[0].text for path in picture.iter("{http://www.w3.org/2000/svg}path")]
        self.assertIn("Rotary positions", curves)

        table = list(csv.DictReader(self.text("resources/learned.csv").splitlines()))
        self.assertEqual([(row["mechanism"], row["task"], row["host"], row["heads"], row["seeds"]) for row in table],
                         [("scaled_dot_product", "brackets", "encoder", "4", "2"), ("rope", "brackets", "encoder", "1", "2")])

    def test_a_run_over_its_limit_is_stopped_and_said_so(self):
        options = ["--only", "rope", "--tasks", "brackets", "--seeds", "1", "--budget", "100000", "--limit-seconds"]
        self.run_script(*options, "0.5")
        line = json.loads(self.results()[0])
        self.assertGreater(line["stopped"], 0)
        self.assertGreater(line["rate"], 1)
        self.assertIn(f"stopped at 0.5 s, after step {line['stopped']} of 100000", self.text("docs/learned.md"))
        self.assertEqual(self.run_script(*options, "0.5").stdout, "")
        self.assertNotEqual(self.run_script(*options, "0.7").stdout, "")  # has more time now

    def test_what_should_be_soonest_done_is_first(self):
        spec = importlib.util.spec_from_file_location("learned_results", ROOT / "scripts/learned_results.py")
        learned_results = importlib.util.module_from_spec(spec)
        sys.dont_write_bytecode = True
        spec.loader.exec_module(learned_results)
        known = {("sort", "slow", 1): {"seconds": 90, "exact": 1}, ("copy", "slow", 1): {"seconds": 8, "exact": 1},
                 ("sort", "cheap", 1): {"seconds": 10, "exact": 1}, ("sort", "never", 1): {"refused": "no"}}
        mechanisms = [{"id": each} for each in ("slow", "cheap", "new", "never")]

        def runs(tasks, seeds, *at_most):
            return [(task, each["id"], seed)
                    for task, each, seed in learned_results.missing(mechanisms, tasks, seeds, known, 180, *at_most)]

        self.assertEqual(runs(["sort"], [1, 2]), [("sort", "new", 1), ("sort", "new", 2), ("sort", "cheap", 2),
                                                  ("sort", "slow", 2)])
        self.assertEqual(runs(["sort"], [2], 20), [("sort", "new", 2), ("sort", "cheap", 2)])
        # By its own runs of the task, or else by those of others: 49 seconds.
        self.assertEqual(runs(["copy"], [2], 20)[-2:], [("copy", "slow", 2), ("copy", "cheap", 2)])
        # What was stopped is not begun with another seed, unless it has more time.
        known["sort", "long", 1] = {"seconds": 180, "stopped": 3, "limit": 180}
        mechanisms.append({"id": "long"})
        self.assertNotIn(("sort", "long", 2), runs(["sort"], [2]))
        known["sort", "long", 1]["limit"] = 60
        self.assertIn(("sort", "long", 2), runs(["sort"], [2]))

        self.assertNotIn(("dates", "slow", 1), runs(["dates"], [1], 48))
        self.assertIn(("dates", "slow", 1), runs(["dates"], [1], 50))

    def test_a_training_ends_with_the_script(self):
        with subprocess.Popen(self.command("--tasks", "brackets", "--budget", "100000"), stdout=subprocess.DEVNULL) as script:
            children, end = [], time.monotonic() + 60
            while time.monotonic() < end:
                for child in pathlib.Path(f"/proc/{script.pid}/task/{script.pid}/children").read_text().split():
                    command = pathlib.Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
                    children += [child] if b"train" in command else []
                if children:
                    break
                time.sleep(0.02)
            self.assertTrue(children)
            second = subprocess.run(self.command(*FEW), capture_output=True, encoding="utf-8")
            self.assertIn("another run of this script writes there", second.stderr)
            script.kill()
        while os.path.exists(f"/proc/{children[0]}") and time.monotonic() < end:
            time.sleep(0.02)
        self.assertFalse(os.path.exists(f"/proc/{children[0]}"))

    def test_the_encoder_decoder_is_for_what_crosses(self):
        self.run_script("--only", "window,rope", "--tasks", "copy-across", "--seeds", "1", "--budget", "2")
        self.assertEqual({line["mechanism"]: "exact" in line for line in map(json.loads, self.results())},
                         {"rope": True, "window": False})  # a mask of places is of one sequence
        self.assertIn("between encoder and decoder: Sliding window attention.",
                      self.text("docs/learned.md"))

    def test_words_that_there_are_not_are_refused(self):
        for options, said in [(["--only", "ropes"], '"ropes"'), (["--tasks", "sorts"], '"sorts"'), (["--seeds", "4"], '"4"')]:
            self.assertIn(f"got {said}", self.run_script(*options, status=1).stderr)


if __name__ == "__main__":
    unittest.main()
