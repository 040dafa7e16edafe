#!/usr/bin/env python3
"""What every mechanism of the catalogue learns as the layers of the same small model, with the same budget: trains each
on each task and from each seed with `headlight train`, keeps what comes of it, and writes docs/learned.md of it.

    scripts/learned.py                                     # what is missing; stop it at any moment, and it goes on there
    scripts/learned.py --tasks sort,copy --seeds 1         # a part
    scripts/learned.py --at-most 20                        # what should take no longer, by the other runs of a mechanism
    scripts/learned.py --page                              # the page alone, of the results that there are

A run that has ended is a line of docs/learned/results.jsonl, written at once; one that was stopped leaves none and is
done again. A line says which version of the program, which budget (steps, width, heads, layers, rate) and which host it
is of: others are other results, and stay. Mechanisms come first, those that other runs found cheap before the others,
then tasks, then seeds: what is there when it is stopped is most of a table.

Speed is in seconds of the processor and not of the clock, since runs go beside other work: on a pseudo-terminal the
program draws its bar ten times a second, and with each the clock of its process is read. What lies between two bars are
steps, but for the few with a measurement; their median is free of it. The losses come from the bar as well.
"""
import argparse
import fcntl
import html
import json
import math
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE, RESULTS, PICTURE = "docs/learned.md", "docs/learned/results.jsonl", "docs/learned/curves.svg"
SHIPPED = "resources/learned.csv"  # what core/catalog/learned.h reads: the window shows it beside a mechanism
REFERENCE = "scaled_dot_product"  # whose curve every panel has
BINS = 20  # points of a curve
MODEL = {"width": 32, "heads": 4, "layers": 2, "rate": 0.005}
ACROSS = "-across"
# The same GPT, but for brackets, which are put in a class: there an encoder. Then the encoder-decoder, where queries
# and keys are of two sequences.
TASKS = {"sort": ("sort", "gpt"), "copy": ("copy", "gpt"), "induction": ("induction", "gpt"),
         "brackets": ("brackets", "encoder"), "dates": ("dates", "gpt")}
TASKS |= {f"{task}{ACROSS}": (task, "transformer") for task in ("sort", "copy", "dates")}
SAID = {"gpt": "GPT", "encoder": "encoder", "transformer": "encoder-decoder"}
SEEDS = [1, 2, 3]


class Stopped(Exception):
    """By a signal that asks the script to end."""


# Results

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
        torn = len(whole) - (whole.rfind(b"\n") + 1)  # by a machine that went off
        if is_written and torn:
            os.truncate(path, len(whole) - torn)
        for line in whole[:len(whole) - torn].splitlines():
            self.lines.append(json.loads(line))

    def add(self, line):
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
        os.write(self.lock.fileno(), text.encode())  # at once: of O_APPEND
        os.fsync(self.lock.fileno())
        self.lines.append(line)

    def of(self, key):
        """(task, mechanism, seed) -> line, of this version, this budget and the host that the task has now. The last one
        of each counts."""
        def is_of_its_host(line):
            of = TASKS.get(line["task"])
            return of is not None and line.get("host", of[1]) == of[1]  # lines of before have none

        return {(line["task"], line["mechanism"], line["seed"]): line for line in self.lines
                if is_of_its_host(line) and all(line.get(name) == value for name, value in key.items())}


def counts(line, limit):
    """Whether a line is the end of its run: not of one that was stopped, when there is more time now, nor of one that
    failed, unless what it learned grew beyond all numbers."""
    if line is None or "stopped" in line and line["limit"] < limit:
        return False
    return "failed" not in line or "diverged" in line["failed"]


# One run

def clock_of(pid):
    """Seconds of the processor that a process has taken, clock_getcpuclockid(3); None when it has ended."""
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return None


def seconds_a_step(drawn):
    """The median over the steps between two bars; `drawn` has (step, seconds). None where there is too little."""
    spans = sorted(((after - before) / (step - last), step - last)
                   for (last, before), (step, after) in zip(drawn, drawn[1:]) if step > last)
    half, passed = sum(weight for _, weight in spans) / 2, 0
    if len(spans) < 3:
        return None
    for each, weight in spans:
        passed += weight
        if passed >= half:
            return each


def thinned(losses, steps):
    """The mean loss of each twentieth of the steps; null where no bar was drawn."""
    bins = [[] for _ in range(BINS)]
    for step, loss in losses.items():
        if math.isfinite(loss):
            bins[min(BINS - 1, (step - 1) * BINS // steps)].append(loss)
    return [float(f"{statistics.fmean(each):.3g}") if each else None for each in bins]


class Bar:
    """What the program draws on its terminal."""

    def __init__(self, pid):
        self.pid, self.rest, self.said, self.losses, self.drawn = pid, "", "", {}, []

    def read(self, text):
        now = clock_of(self.pid)
        self.said += text
        self.rest += text
        *whole, self.rest = re.split(r"(?<=\x1b\[K)", self.rest)
        for drawing in whole:
            found = re.search(r"(\d+)/\d+  .* left, loss ([-+.\w]+)", drawing)
            if found:
                self.losses[int(found[1])] = float(found[2])
                if now is not None:
                    self.drawn.append((int(found[1]), now))

    def words(self):
        """What it says but for the bar."""
        lines = re.sub(r"\r[^\n]*?\x1b\[K", "", self.said).replace("\r", "").splitlines()
        return " ".join(line.removeprefix("headlight: ") for line in lines if line)


def run(command, limit):
    """(exit status, standard output, bar, processor seconds, whether the limit stopped it)"""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 200, 0, 0))

    def own_terminal():  # whose end is the end of the program too, should this script be killed
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

    # Memory in large pages: a fourth less time.
    tunables = ":".join(filter(None, [os.environ.get("GLIBC_TUNABLES"), "glibc.malloc.hugetlb=1"]))
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive", "LC_ALL": "C.UTF-8",
                                "GLIBC_TUNABLES": tunables}
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=theirs, env=environment,
                                   start_new_session=True, preexec_fn=own_terminal)
        os.close(theirs)
        bar, asked = Bar(process.pid), 0
        try:
            while True:
                if select.select([ours], [], [], 0.5)[0]:
                    try:
                        text = os.read(ours, 65536)
                    except OSError:  # the other end is closed
                        break
                    bar.read(text.decode(errors="replace"))
                spent = clock_of(process.pid) or 0
                if spent > limit and asked == 0 or spent > 1.5 * limit + 10 and asked == 1:
                    # First as Ctrl+C, after the step that it is in; a step that does not end is ended.
                    process.send_signal(signal.SIGKILL if asked else signal.SIGINT)
                    asked += 1
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        finally:
            os.close(ours)
            if process.returncode is None:
                process.kill()
                process.wait()
        output.seek(0)
        return process.returncode, output.read().decode(), bar, usage.ru_utime + usage.ru_stime, asked > 0


def command_of(program, mechanism, words, task, seed, steps, folder):
    of, host = TASKS[task]
    command = [program, "train", of, "--host", host, "--attention", mechanism["id"], "--width", MODEL["width"],
               "--heads", MODEL["heads"], "--layers", MODEL["layers"], "--learning-rate", MODEL["rate"],
               "--steps", steps, "--seed", seed, "--threads", 1, "--restart", "--output", folder]
    if mechanism["id"] in words:  # the name of a score or of a normaliser means that, unless a parameter is set
        knob = mechanism["parameters"][0]
        value = json.dumps(knob["default"]).strip('"')
        command += ["--set", f"{knob['name']}={value}"]
    return [str(each) for each in command]


def crosses(program, folder, mechanism):
    """Whether a trained encoder-decoder has the mechanism between encoder and decoder, and not scaled dot products."""
    file = folder.with_name("trace.json")
    said = subprocess.run([program, "attend", folder, "--text", "abc", "-o", file], capture_output=True, text=True)
    if said.returncode != 0:
        raise RuntimeError(said.stderr.strip())
    trace = json.loads(file.read_text())  # whose `spec` is that of the sites that have none of their own
    between, within = (trace["sites"].get(site, {}).get("spec", trace["spec"])
                       for site in ("decoder.0.cross", "encoder.0.self"))
    return all(between[part] == within[part]
               for part in ("score", "normalizer", "position", "selection", "algorithm", "mask", "heads"))


def result_of(program, mechanism, words, task, seed, steps, limit):
    """What a line says of the run."""
    with tempfile.TemporaryDirectory(prefix="learned-") as place:
        folder = pathlib.Path(place) / "model"
        if task.endswith(ACROSS):  # a step tells
            status, *_ = run(command_of(program, mechanism, words, task, seed, 1, folder), limit)
            try:
                if status == 0 and not crosses(program, folder, mechanism):
                    return {"crosses": False}
            except RuntimeError as error:
                return {"refused": str(error)}
        status, output, bar, seconds, is_stopped = run(
            command_of(program, mechanism, words, task, seed, steps, folder), limit)
        step = seconds_a_step(bar.drawn)
        line = {"seconds": round(seconds, 2), "rate": float(f"{1 / step:.3g}") if step else None,
                "loss": thinned(bar.losses, steps)}
        if is_stopped:
            return line | {"stopped": max(bar.losses, default=0), "limit": limit}
        found = re.search(r"exact match ([\d.]+) % of (\d+) held-out examples.*; \d+ steps, (\d+) weights", output)
        if status == 0 and found:
            settings = json.loads((folder / "config.json").read_text())["configuration"]
            own = settings.get("mechanism")
            line |= {"exact": round(float(found[1]) / 100, 4), "examples": int(found[2]), "weights": int(found[3]),
                     "program": own is not None,
                     "heads": 1 if own and own["heads"]["type"] == "single" else settings["heads"]}
            return line
        reason = re.sub(r"^attention \w+ of host \w+: ", "", bar.words())
        return {"refused" if status == 2 else "failed": reason or f"ended with {status}"} | (
            {} if status == 2 else line)


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


# The page

def table(head, rows):
    align = "|" + "---|" + "---:|" * (len(head) - 1)
    return "\n".join(["| " + " | ".join(head) + " |", align] + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def plain(text):
    return html.escape(text, quote=False).replace("|", "\\|")


def exact_words(lines):
    """0.93 ± 0.02"""
    shares = [line["exact"] for line in lines if "exact" in line]
    if not shares:
        return "–"
    mean = f"{statistics.fmean(shares):.3f}"
    return mean if len(shares) < 2 else f"{mean} ± {statistics.stdev(shares):.3f}"


def outcome(lines):
    """The same, or why there is none."""
    if any("exact" in line for line in lines):
        return exact_words(lines)
    for line in lines:
        for word, said in [("stopped",) * 2, ("failed",) * 2, ("refused",) * 2, ("crosses", "does not cross")]:
            if word in line:
                return said
    return ""


def rate_words(lines):
    rates = [line["rate"] for line in lines if line.get("rate")]
    return f"{statistics.fmean(rates):.3g}" if rates else "–"


class Page:
    def __init__(self, mechanisms, known, key, limit):
        self.mechanisms, self.known, self.key, self.limit = mechanisms, known, key, limit
        self.names = {each["id"]: each["name"] for each in mechanisms}
        self.tasks = [task for task in TASKS if any(of == task for of, _, _ in known)]

    def lines(self, task, mechanism):
        return [self.known[task, mechanism, seed] for seed in SEEDS if (task, mechanism, seed) in self.known]

    def text(self):
        steps = self.key["budget"]["steps"]
        parts = [
            "<!-- Written by scripts/learned.py from docs/learned/results.jsonl: run it again, do not edit. -->\n",
            "# What was learned\n",
            f"Every mechanism of the catalogue as the layers of the same small model, trained with the same budget by "
            f"`headlight train`: {MODEL['layers']} layers, width {MODEL['width']}, {MODEL['heads']} heads, {steps} steps "
            f"of 64 examples, learning rate {MODEL['rate']} at its peak, one thread; parameters of mechanisms as the "
            f"catalogue has them. Version {self.key['version']}. The [tasks](tasks.md) are learned by a GPT, brackets by an "
            f"encoder; “across” is an encoder-decoder, for mechanisms that it has between the two as well.\n",
            f"- **exact match**: the share of 2,000 held-out examples of which all is right, after the last step. The mean "
            f"over the seeds that were run, ± their standard deviation where there are two or more.\n"
            f"- **steps/s**: steps a second of processor time, without the measurements; roughly, as runs went beside "
            f"other work, and some with their memory in large pages, which takes a fourth less time.\n"
            f"- **parameters**: numbers that are learned, of the whole model.\n"
            f"- **heads**: those of a layer; a mechanism that the catalogue has with a single head keeps it.\n"
            f"- **by**: `kernels` where layers are computed by operations of their own, `program` where by the "
            f"mechanism's program ([what can learn](command-line.md#what-can-learn)).\n"
            f"- *stopped*: took more processor time than a run may: {self.limits()}.\n",
            self.progress(), self.curves(), self.overview()]
        parts += [self.of_task(task) for task in self.tasks]
        parts.append(self.refusals())
        return "\n".join(part for part in parts if part)

    def limits(self):
        """60 or 180 seconds: those that there were."""
        limits = {line["limit"] for line in self.known.values() if "stopped" in line} or {self.limit}
        return " or ".join(f"{each:g}" for each in sorted(limits)) + " seconds"

    def progress(self):
        rows, seconds, expected = [], 0, expected_seconds(self.known)
        for task in TASKS:
            never = sum(1 for each in self.mechanisms
                        if any(cannot_be(line) for line in self.lines(task, each["id"])))
            row = [self.title(task), str(never) if never else "–"]
            for seed in SEEDS:
                left = list(missing(self.mechanisms, [task], [seed], self.known, 0))
                row.append(f"{len(self.mechanisms) - never - len(left)} of {len(self.mechanisms) - never}")
                seconds += sum(expected(task, mechanism["id"]) for _, mechanism, _ in left)
            rows.append(row)
        text = ("## What was run\n\nMechanisms that were trained, of those that can be such layers; one that was stopped with a "
                "seed is not begun with another. `scripts/learned.py` runs what is missing.")
        if seconds >= 1800:
            text += f" By the runs of each mechanism that there are, that takes {seconds / 3600:.0f} hours of one processor."
        return text + "\n\n" + table(["task", "cannot be", *(f"seed {seed}" for seed in SEEDS)], rows)

    @staticmethod
    def title(task):
        of, host = TASKS[task]
        return of + (" across" if task.endswith(ACROSS) else "") + f", {SAID[host]}"

    def anchor(self, task):
        return re.sub(r"[^\w\- ]", "", self.title(task).lower()).replace(" ", "-")

    def curves(self):
        if not any("loss" in line for line in self.known.values()):
            return ""
        picture = PICTURE.removeprefix("docs/")
        return ("## Curves\n\n[![Loss while learning: a panel for each family and task, a line for each mechanism"
                f"]({picture})]({picture})\n\nThe loss over the steps, the mean of the seeds that were run: a panel for each "
                f"family and task, a line for each mechanism; the thick grey one is {self.names.get(REFERENCE, REFERENCE)}. "
                "Opened alone, the picture names the line that is pointed at.\n")

    def overview(self):
        rows = []
        for each in sorted(self.mechanisms, key=lambda each: each["name"].lower()):
            name = each["id"]
            row = [f'<a id="{name}"></a>{plain(each["name"])} `{name}`', self.heads(name)]
            rows.append(row + [outcome(self.lines(task, name)) for task in self.tasks])
        if not self.tasks:
            return ""
        heads = [f"[{task.replace(ACROSS, ' across')}](#{self.anchor(task)})" for task in self.tasks]
        return "## All of them\n\nExact match.\n\n" + table(["mechanism", "heads", *heads], rows)

    def heads(self, mechanism):
        """Those of its layers; empty where no run has come to its end."""
        known = {line["heads"] for task in self.tasks for line in self.lines(task, mechanism) if "heads" in line}
        return ", ".join(map(str, sorted(known)))

    def of_task(self, task):
        rows = []
        for each in self.mechanisms:
            lines = self.lines(task, each["id"])
            done = [line for line in lines if "exact" in line]
            if done:
                row = [plain(each["name"]), exact_words(done), str(len(done)), f"{done[0]['weights']:,}", rate_words(done),
                       str(done[0]["heads"]), "program" if done[0]["program"] else "kernels"]
                rows.append((-statistics.fmean(line["exact"] for line in done), row))
        rows.sort(key=lambda row: row[0])
        text = f"## {self.title(task)}\n\n"
        if rows:
            text += table(["mechanism", "exact match", "seeds", "parameters", "steps/s", "heads", "by"],
                          [row for _, row in rows])
        for each in self.mechanisms:
            for line in self.lines(task, each["id"]):
                name = f"- {plain(each['name'])}, seed {line['seed']}: "
                if "stopped" in line:
                    text += f"{name}stopped at {line['limit']:g} s, after step {line['stopped']} of {self.key['budget']['steps']}"
                    text += f", {line['rate']:.3g} steps/s\n" if line["rate"] else "\n"
                elif "failed" in line:
                    text += f"{name}failed: {plain(line['failed'])}\n"
        within = [plain(each["name"]) for each in self.mechanisms
                  if any("crosses" in line for line in self.lines(task, each["id"]))]
        if within:
            text += f"- Not trained, since the program has scaled dot products in their place between encoder and decoder: "
            text += ", ".join(within) + ".\n"
        return re.sub(r"\|\n- ", "|\n\n- ", text)

    def shipped(self):
        """A line for each mechanism and task of which a run has come to its end."""
        rows = ["mechanism,task,host,heads,exact_match,deviation,seeds"]
        for each in self.mechanisms:
            for task in self.tasks:
                done = [line for line in self.lines(task, each["id"]) if "exact" in line]
                if done:
                    shares = [line["exact"] for line in done]
                    deviation = f"{statistics.stdev(shares):.4f}" if len(shares) > 1 else ""
                    rows.append(",".join([each["id"], *TASKS[task], str(done[0]["heads"]),
                                          f"{statistics.fmean(shares):.4f}", deviation, str(len(shares))]))
        return "\n".join(rows) + "\n"

    def refusals(self):
        reasons = {}
        for task in self.tasks:
            for each in self.mechanisms:
                for line in self.lines(task, each["id"]):
                    if "refused" in line:
                        hosts = reasons.setdefault((each["id"], line["refused"]), [])
                        host = SAID[TASKS[task][1]]
                        hosts += [host] if host not in hosts else []
        if not reasons:
            return ""
        rows = [[plain(self.names[name]), ", ".join(hosts), plain(reason)] for (name, reason), hosts in reasons.items()]
        text = table(["mechanism", "as layers of", "in the words of the refusal"], rows).replace("---:|", "---|")
        return "## What cannot be in such a model\n\n" + text


# The picture

# Colours stand twice instead of in variables, which few programs but browsers know.
STYLE = """
text { font: 11px sans-serif; fill: #222 } .tick { font-size: 9px; fill: #666 } .title { font-weight: bold }
.page { fill: #fff } .frame { fill: none; stroke: #ccc }
path { fill: none; stroke-width: 1.1; stroke-linejoin: round; opacity: .8 } path:hover { stroke-width: 3; opacity: 1 }
.reference { stroke: #888; stroke-width: 3.5; opacity: .55 }
@media (prefers-color-scheme: dark) {
text { fill: #ddd } .tick { fill: #999 } .page { fill: #161616 } .frame { stroke: #444 }
}
"""


def mean_curve(lines):
    """Over the seeds, of the points that each has; [] where there is none."""
    curves = [line["loss"] for line in lines if any(point is not None for point in line.get("loss") or [])]
    points = []
    for bin in range(BINS):
        known = [curve[bin] for curve in curves if curve[bin] is not None]
        if known:
            points.append(((bin + 0.5) / BINS, statistics.fmean(known)))
    return points


def picture(page):
    """Rows are families, columns tasks; an axis of losses for each column."""
    steps, width, height, left, top, gap_x, gap_y = page.key["budget"]["steps"], 150, 92, 150, 46, 34, 26
    families = list(dict.fromkeys(each["family"] for each in page.mechanisms))
    curves = {(task, each["id"]): mean_curve(page.lines(task, each["id"]))
              for task in page.tasks for each in page.mechanisms}
    tasks = [task for task in page.tasks if any(curves[task, each["id"]] for each in page.mechanisms)]
    w, h = left + len(tasks) * (width + gap_x), top + len(families) * (height + gap_y) + 24
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img">',
           "<title>Loss while learning, by family and task</title>", f"<style>{STYLE}</style>",
           f'<rect class="page" width="{w}" height="{h}"/>']

    def path(points, x, y, most, name, look):
        where = "L".join(f"{x + at * width:.1f},{y + height * (1 - min(loss / most, 1)):.1f}" for at, loss in points)
        return f"<path {look} d=\"M{where}\"><title>{html.escape(name)}</title></path>"

    for column, task in enumerate(tasks):
        x = left + column * (width + gap_x)
        most = max(loss for each in page.mechanisms for _, loss in curves[task, each["id"]][:1] or [(0, 1e-9)])
        most = min(most, 4.0) or 1.0  # a few begin far above a guess at random
        out.append(f'<text class="title" x="{x}" y="20">{html.escape(page.title(task).split(" across,")[0])}'
                   f'{" across" if task.endswith(ACROSS) else ""}</text>')
        for row, family in enumerate(families):
            y = top + row * (height + gap_y)
            if column == 0:
                out.append(f'<text class="title" x="8" y="{y + 14}">{html.escape(family)}</text>')
                out.append(f'<text class="tick" transform="translate({x - 24} {y + height / 2}) rotate(-90)" '
                           'text-anchor="middle">loss</text>')
            out.append(f'<rect class="frame" x="{x}" y="{y}" width="{width}" height="{height}"/>')
            for value in (0, most / 2, most):
                out.append(f'<text class="tick" x="{x - 4}" y="{y + height * (1 - value / most) + 3:.1f}" '
                           f'text-anchor="end">{value:.2g}</text>')
            for value in (0, steps):
                out.append(f'<text class="tick" x="{x + width * value / steps}" y="{y + height + 11}" '
                           f'text-anchor="middle">{value}</text>')
            out.append(f'<text class="tick" x="{x + width / 2}" y="{y + height + 11}" text-anchor="middle">steps</text>')
            if curves.get((task, REFERENCE)):
                out.append(path(curves[task, REFERENCE], x, y, most, page.names[REFERENCE], 'class="reference"'))
            members = [each for each in page.mechanisms if each["family"] == family]
            for number, each in enumerate(members):
                if curves[task, each["id"]] and each["id"] != REFERENCE:
                    # A lightness that is read on white and on black, hues in turn.
                    look = f'stroke="hsl({number * 360 // len(members)} 60% 50%)"'
                    out.append(path(curves[task, each["id"]], x, y, most, each["name"], look))
    return "\n".join([*out, "</svg>", ""]) if tasks else ""


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    new.write_text(text, encoding="utf-8")
    new.replace(path)


def write_page(folder, mechanisms, results, key, limit):
    page = Page(mechanisms, results.of(key), key, limit)
    curves = picture(page)
    if curves:
        write(folder / PICTURE, curves)
    write(folder / PAGE, page.text())
    write(folder / SHIPPED, page.shipped())


# The command line

def chosen(text, possible, what):
    names = text.split(",")
    for name in names:
        if name not in possible:
            raise SystemExit(f"learned: {what}: expected some of {', '.join(map(str, possible))}, got \"{name}\"")
    return [each for each in possible if each in names]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="ID,...", help="of these mechanisms")
    parser.add_argument("--tasks", metavar="TASK,...", help=f"of {', '.join(TASKS)}")
    parser.add_argument("--seeds", metavar="N,...", help="of 1, 2, 3")
    parser.add_argument("--budget", metavar="STEPS", type=int, default=500, help="steps of a training (500)")
    parser.add_argument("--limit-seconds", metavar="S", type=float, default=180,
                        help="processor time after which a run is stopped (180)")
    parser.add_argument("--at-most", metavar="S", type=float, default=math.inf,
                        help="only runs that should take no more processor time, by the other runs of a mechanism, and "
                             "those of mechanisms without any")
    parser.add_argument("--page", action="store_true", help="only write the page, of the results that there are")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/release/headlight",
                        help="headlight (build/release/headlight)")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT,
                        help="the project's folder, in which page and results are (this one)")
    return parser.parse_args()


def main():
    asked = arguments()
    program = shutil.which(asked.program)
    if program is None:
        raise SystemExit(f"learned: --program: expected headlight, got {asked.program} (scripts/build.sh makes it)")
    said = lambda *words: subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout
    listed = json.loads(said("list", "--json"))
    mechanisms = listed["mechanisms"]
    words = {word["word"] for field in listed["spec"] if field["field"] in ("score.type", "normalizer.type")
             for word in field["words"]}
    words -= {each for mechanism in mechanisms for each in
              (mechanism["spec"]["score"]["type"], mechanism["spec"]["normalizer"]["type"]) if each == mechanism["id"]}
    key = {"version": said("--version").split()[-1], "budget": {"steps": asked.budget, **MODEL}}
    results = Results(asked.folder / RESULTS, not asked.page)
    page = lambda: write_page(asked.folder, mechanisms, results, key, asked.limit_seconds)
    if asked.page:
        page()
        return 0

    ids = [each["id"] for each in mechanisms]
    only = chosen(asked.only, ids, "--only") if asked.only else ids
    tasks = chosen(asked.tasks, list(TASKS), "--tasks") if asked.tasks else list(TASKS)
    seeds = [int(each) for each in chosen(asked.seeds, [str(each) for each in SEEDS], "--seeds")] if asked.seeds else SEEDS

    def stop(number, _):
        raise Stopped(number)

    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(each) != signal.SIG_IGN:  # as nohup leaves it
            signal.signal(each, stop)
    status, before, settled = 0, None, set()
    try:
        todo = list(missing([each for each in mechanisms if each["id"] in only], tasks, seeds, results.of(key),
                            asked.limit_seconds, asked.at_most))
        for number, (task, mechanism, seed) in enumerate(todo, 1):
            if before not in (None, (task, seed)):
                page()
            before = task, seed
            if (task, mechanism["id"]) in settled:
                continue
            line = result_of(program, mechanism, words, task, seed, asked.budget, asked.limit_seconds)
            settled |= {(task, mechanism["id"])} if is_of_all_seeds(line, asked.limit_seconds) else set()
            results.add({"task": task, "host": TASKS[task][1], "mechanism": mechanism["id"], "seed": seed, **key, **line})
            print(f"{number} of {len(todo)}: {task}, {mechanism['id']}, seed {seed}: {outcome([line])}, "
                  f"{line.get('seconds', 0)} s", flush=True)
    except Stopped as stopped:
        status = 128 + stopped.args[0]
        print("stopped; the same command goes on from there", file=sys.stderr)
    finally:  # whatever ended it, what was run is on the page
        page()
    return status


if __name__ == "__main__":
    sys.exit(main())
