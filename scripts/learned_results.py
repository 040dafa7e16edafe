"""What scripts/learned.py has run: its tasks and its budget, the lines of docs/learned/results.jsonl, and which runs are
missing there."""
import fcntl
import json
import math
import os
import statistics

BINS = 20  # points of a curve
MODEL = {"width": 32, "heads": 4, "layers": 2, "rate": 0.005}
ACROSS = "-across"
# The same GPT, but for brackets, which are put in a class: there an encoder. Then the encoder-decoder, where queries
# and keys are of two sequences.
TASKS = {"sort": ("sort", "gpt"), "copy": ("copy", "gpt"), "induction": ("induction", "gpt"),
         "brackets": ("brackets", "encoder"), "dates": ("dates", "gpt")}
TASKS |= {f"{task}{ACROSS}": (task, "transformer") for task in ("sort", "copy", "dates")}
SEEDS = [1, 2, 3]


class Results:
    """Lines of JSON, each of a run that has ended."""

    def __init__(self, path, is_written):
        self.path, self.lines, self.lock = path, [], None
        if is_written:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.lock = open(path, "ab")
            try:
                fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SystemExit(f"learned: {path}: another run of this script writes there")
        whole = path.read_bytes() if path.exists() else b""
        torn = len(whole) - (whole.rfind(b"\n") + 1)  # the end of a line that a machine that went off cut short
        if is_written and torn:
            os.truncate(path, len(whole) - torn)
        for line in whole[:len(whole) - torn].splitlines():
            self.lines.append(json.loads(line))

    def add(self, line):
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
        os.write(self.lock.fileno(), text.encode())  # one write, which O_APPEND puts at the end as a whole
        os.fsync(self.lock.fileno())
        self.lines.append(line)

    def of(self, key):
        """(task, mechanism, seed) -> line, of this version, this budget and the host that the task has now. The last one
        of each counts."""
        def is_of_its_host(line):
            of = TASKS.get(line["task"])
            return of is not None and line.get("host", of[1]) == of[1]  # older lines do not say theirs

        return {(line["task"], line["mechanism"], line["seed"]): line for line in self.lines
                if is_of_its_host(line) and all(line.get(name) == value for name, value in key.items())}


def counts(line, limit):
    """Whether a line is the end of its run: not of one that was stopped, when there is more time now, nor of one that
    failed, unless what it learned grew beyond all numbers."""
    if line is None or "stopped" in line and line["limit"] < limit:
        return False
    return "failed" not in line or "diverged" in line["failed"]


def cannot_be(line):
    """Whether a mechanism is no such layer, with any seed."""
    return "refused" in line or "crosses" in line


def is_of_all_seeds(line, limit):
    """Whether a run says how those of other seeds end: what was stopped takes as long with each."""
    return cannot_be(line) or "stopped" in line and counts(line, limit)


def expected_seconds(known):
    """(task, mechanism) -> processor seconds that a run should take: those of the task with other seeds, else of the
    mechanism on other tasks; 0 of what is not known. One that was stopped takes that long at least."""
    of_task, of_any = {}, {}
    for (task, name, _), line in known.items():
        if "seconds" in line and "failed" not in line:
            of_task.setdefault((task, name), []).append(line["seconds"])
            of_any.setdefault(name, []).append(line["seconds"])
    return lambda task, name: statistics.fmean(of_task.get((task, name)) or of_any.get(name) or [0])


def missing(mechanisms, tasks, seeds, known, limit, at_most=math.inf):
    """The runs to do, in their order."""
    expected = expected_seconds(known)
    for seed in seeds:
        for task in tasks:
            for mechanism in sorted(mechanisms, key=lambda each: expected(task, each["id"])):
                name = mechanism["id"]
                if any(is_of_all_seeds(known.get((task, name, each), {}), limit) for each in SEEDS):
                    continue
                if not counts(known.get((task, name, seed)), limit) and expected(task, name) <= at_most:
                    yield task, mechanism, seed
