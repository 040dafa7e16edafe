import sys
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

data = np.load(sys.argv[1])
plt.rcParams.update({"font.size": 7, "pdf.fonttype": 42})
figure = plt.figure(figsize=(180 / 25.4, 95 / 25.4), layout="constrained")
above, below = figure.subfigures(2, 1, height_ratios=[1.1, 1])
curves = above.subplots(1, 2)
for axes, number, title, label in zip(curves, (1, 2), ("Loss", "Exact match of held-out examples"),
                                      ("cross-entropy", "all right")):
    steps = data[f"rows_{number}"].astype(float)
    for line, name in enumerate(data[f"columns_{number}"]):
        values = data[f"values_{number}"][:, line]
        known = np.isfinite(values)
        axes.plot(steps[known], values[known], label=name, linewidth=1)
    axes.set_title(title, loc="left", fontweight="bold", fontsize=8)
    axes.set_xlabel("steps")
    axes.set_ylabel(label)
    axes.set_ylim(bottom=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
curves[1].yaxis.set_major_formatter(matplotlib.ticker.PercentFormatter())
maps = below.subplots(1, 4, sharey=True)
for number, axes in enumerate(maps, 3):
    image = axes.imshow(data[f"values_{number}"], vmin=0, vmax=1, interpolation="nearest", aspect="auto")
    axes.set_xticks(range(len(data[f"columns_{number}"])), data[f"columns_{number}"], fontsize=5)
    axes.xaxis.tick_top()
    axes.set_xlabel(f"step {(100, 400)[(number - 3) % 2]}")
    axes.tick_params(length=0)
maps[0].set_yticks(range(len(data["rows_3"])), data["rows_3"], fontsize=5)
maps[0].set_title("additive", fontweight="bold", fontsize=8)
maps[2].set_title("dot", fontweight="bold", fontsize=8)
below.colorbar(image, ax=maps, label="weights")
figure.savefig(sys.argv[2], dpi=150)
