import sys
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

data = np.load(sys.argv[1])
sites = ["encoder.0.self", "encoder.1.self", "decoder.0.self", "decoder.1.self", "decoder.0.cross", "decoder.1.cross"]
names = ["encoder 1", "encoder 2", "decoder 1", "decoder 2", "source 1", "source 2"]
maps = [np.load(f"site-{site}.npz") for site in sites]
plt.rcParams.update({"font.size": 7, "pdf.fonttype": 42})
figure = plt.figure(figsize=(180 / 25.4, 85 / 25.4), layout="constrained")
left, right = figure.subfigures(1, 2, width_ratios=[1, 1.2])
grid = left.subplots(len(sites), 4)
for row, name, site in zip(grid, names, maps):
    for number, axes in enumerate(row, 1):
        axes.set_axis_off()
        axes.imshow(site[f"values_{number}"], vmin=0, vmax=1, interpolation="nearest", aspect="auto")
    row[0].text(-0.1, 0.5, name, transform=row[0].transAxes, ha="right", va="center")
for number, axes in enumerate(grid[0], 1):
    axes.set_title(number, fontsize=7)
left.suptitle("(a) All heads", x=0.02, ha="left", fontweight="bold", fontsize=8)
weights, rows, columns = data["values_1"], data["rows_1"], data["columns_1"]
axes = right.subplots()
image = axes.imshow(weights, vmin=0, vmax=1, interpolation="nearest")
axes.set_title("(b) The source, layer 2, head 4", loc="left", fontweight="bold", fontsize=8)
axes.set_xticks(range(len(columns)), columns, rotation=90)
axes.set_yticks(range(len(rows)), rows)
axes.xaxis.tick_top()
axes.tick_params(length=0)
axes.annotate("adjective", xy=(1, 2), xytext=(0.2, 4), arrowprops={"arrowstyle": "-|>", "color": "#b3360a"},
              bbox={"facecolor": "white", "alpha": 0.88, "linewidth": 0}, fontweight="bold")
right.colorbar(image, label="weights")
figure.savefig(sys.argv[2], dpi=150)
