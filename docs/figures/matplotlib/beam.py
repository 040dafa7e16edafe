import sys
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

data = np.load(sys.argv[1])
texts, numbers = [str(each) for each in data["rows_1"]], data["values_1"][:, 0]
texts[0] = ""
# Parents are not in a table of numbers: the longest other text that begins this one.
parents = [-1]
for at in range(1, len(texts)):
    fits = [other for other in range(at) if texts[at].startswith(texts[other])]
    parents.append(max(fits, key=lambda other: (len(texts[other]), other)))
depths, rows, taken = [0], [0], {0: 1}
for at in range(1, len(texts)):
    depths.append(depths[parents[at]] + 1)
    rows.append(taken.get(depths[at], 0))
    taken[depths[at]] = rows[at] + 1
best, way = max((a for a in range(len(texts)) if depths[a] == max(depths)), key=lambda a: numbers[a]), set()
while best >= 0:
    way.add(best)
    best = parents[best]
plt.rcParams.update({"font.size": 6, "pdf.fonttype": 42})
figure, axes = plt.subplots(figsize=(180 / 25.4, 30 / 25.4), layout="constrained")
for at, text in enumerate(texts):
    chosen = at in way
    word = text[len(texts[parents[at]]):] or "end" if at else "start"
    if at:
        axes.plot([depths[parents[at]] + 0.3, depths[at] - 0.35], [-rows[parents[at]], -rows[at]],
                  color="#b3360a" if chosen else "black", linewidth=1.4 if chosen else 0.5, zorder=1)
    axes.text(depths[at], -rows[at], f"{word}  {numbers[at]:.2f}" if at else word, ha="center", va="center",
              fontweight="bold" if chosen else "normal",
              bbox={"boxstyle": "round", "facecolor": "white", "edgecolor": "#b3360a" if chosen else "black",
                    "linewidth": 0.5})
axes.set_xlim(-0.5, max(depths) + 0.5)
axes.set_ylim(-max(rows) - 0.6, 0.6)
axes.set_axis_off()
axes.set_title("Beam search", loc="left", fontweight="bold", fontsize=8)
figure.savefig(sys.argv[2], dpi=150)
