import sys
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

data = np.load(sys.argv[1])
pixels = plt.imread("landscape.png")[:, :, :3]
weights = data["values_1"]
plt.rcParams.update({"font.size": 7, "pdf.fonttype": 42})
figure, axes = plt.subplots(figsize=(85 / 25.4, 62 / 25.4), layout="constrained")
extent = (0, weights.shape[1], weights.shape[0], 0)
axes.imshow(pixels.mean(axis=2), cmap="gray", extent=extent)
image = axes.imshow(weights, vmin=0, vmax=weights.max(), alpha=0.65, extent=extent, interpolation="nearest")
axes.add_patch(plt.Rectangle((6, 8), 1, 1, fill=False, edgecolor="#b3360a", linewidth=1.5))
axes.set_axis_off()
axes.set_title("What patch 9,7 looks at", loc="left", fontweight="bold", fontsize=8)
figure.colorbar(image, label="weights")
figure.savefig(sys.argv[2], dpi=150)
