"""What scripts/learned.py writes of its results: docs/learned.md, the picture of curves in it, and the table that the
window reads."""
import html
import re
import statistics

from learned_results import ACROSS, BINS, MODEL, SEEDS, TASKS, cannot_be, expected_seconds, missing

PAGE, PICTURE = "docs/learned.md", "docs/learned/curves.svg"
SHIPPED = "resources/learned.csv"  # what core/catalog/learned.h reads: the window shows it beside a mechanism
REFERENCE = "scaled_dot_product"  # whose curve every panel has
SAID = {"gpt": "GPT", "encoder": "encoder", "transformer": "encoder-decoder"}


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
