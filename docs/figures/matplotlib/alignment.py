import sys
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

data = np.load(sys.argv[1])
weights, target, source = data["values_1"], data["rows_1"], data["columns_1"]
plt.rcParams.update({"font.size": 7, "pdf.fonttype": 42})
figure, axes = plt.subplots(figsize=(85 / 25.4, 85 / 25.4 * weights.shape[0] / weights.shape[1]),
                            layout="constrained")
image = axes.imshow(weights, cmap="viridis", vmin=0, vmax=1, interpolation="nearest", aspect="auto")
axes.set_xticks(range(len(source)), source)
axes.set_yticks(range(len(target)), target)
axes.xaxis.tick_top()
axes.xaxis.set_label_position("top")
axes.set_xlabel("source")
axes.set_ylabel("target")
axes.tick_params(length=0)
for row in range(weights.shape[0]):
    for column in range(weights.shape[1]):
        value = weights[row, column]
        axes.text(column, row, f"{value:.2f}", ha="center", va="center",
                  color="white" if value < 0.6 else "black")
figure.colorbar(image, label="weights")
figure.savefig(sys.argv[2], dpi=150)
