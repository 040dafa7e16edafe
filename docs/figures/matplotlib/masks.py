import sys
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

data = np.load(sys.argv[1])
titles, tokens = data["titles"], data["rows_1"]
maps = [data[f"values_{i + 1}"] for i in range(6)]
high = max(np.nanmax(each) for each in maps)
plt.rcParams.update({"font.size": 7, "pdf.fonttype": 42})
figure, grid = plt.subplots(2, 3, figsize=(180 / 25.4, 125 / 25.4), layout="constrained")
for axes, title, weights in zip(grid.flat, titles, maps):
    image = axes.imshow(weights, vmin=0, vmax=high, interpolation="nearest")
    axes.set_title(title, loc="left", fontweight="bold", fontsize=8)
    axes.set_xticks([])
    axes.set_yticks([])
for axes in grid[0]:
    axes.set_xticks(range(len(tokens)), tokens, rotation=90)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
for axes in grid[:, 0]:
    axes.set_yticks(range(len(tokens)), tokens)
    axes.tick_params(length=0)
figure.supylabel("query (who looks)", fontsize=7)
figure.colorbar(image, ax=grid, label="weights")
figure.savefig(sys.argv[2], dpi=150)
