import sys
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

data = np.load(sys.argv[1])
titles = data["titles"]
maps = [data[f"values_{i + 1}"] for i in range(len(titles))]
tokens = data["rows_1"]
high = max(each.max() for each in maps)
plt.rcParams.update({"font.size": 7, "pdf.fonttype": 42})
figure, grid = plt.subplots(2, 2, figsize=(85 / 25.4, 80 / 25.4), sharex=True, sharey=True, layout="constrained")
for axes, title, weights in zip(grid.flat, titles, maps):
    image = axes.imshow(weights, vmin=0, vmax=high, interpolation="nearest")
    axes.set_title(title, loc="left", fontweight="bold", fontsize=8)
    axes.tick_params(length=0)
for axes in grid[0]:
    axes.set_xticks(range(len(tokens)), tokens, rotation=90)
    axes.xaxis.tick_top()
    axes.tick_params(labeltop=True, labelbottom=False)
for axes in grid[1]:
    axes.tick_params(labelbottom=False, labeltop=False)
for axes in grid[:, 0]:
    axes.set_yticks(range(len(tokens)), tokens)
figure.supylabel("query (who looks)", fontsize=7)
figure.suptitle("key (what is seen)", fontsize=7)
figure.colorbar(image, ax=grid, label="weights")
figure.savefig(sys.argv[2], dpi=150)
