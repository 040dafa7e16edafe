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

from learned_page import outcome, write_page
from learned_results import ACROSS, BINS, MODEL, SEEDS, TASKS, Results, is_of_all_seeds, missing

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = "docs/learned/results.jsonl"


class Stopped(Exception):
    """By a signal that asks the script to end."""


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
