import sys
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

data = np.load(sys.argv[1])
steps = [2, 4, 5, 6, 8]
tokens = data["rows_1"]
plt.rcParams.update({"font.size": 7, "pdf.fonttype": 42, "hatch.linewidth": 0.4})
figure, row = plt.subplots(1, len(steps), figsize=(180 / 25.4, 48 / 25.4), sharey=True, layout="constrained")
for number, (axes, step) in enumerate(zip(row, steps), 1):
    weights = data[f"values_{number}"].copy()
    weights[step:] = np.nan
    image = axes.imshow(weights, vmin=0, vmax=1, interpolation="nearest")
    for query in range(step):
        for key in range(query + 1, len(tokens)):
            axes.add_patch(plt.Rectangle((key - 0.5, query - 0.5), 1, 1, fill=True, facecolor="#f4f4f4",
                                         edgecolor="#bdbdbd", hatch="////", linewidth=0))
    axes.add_patch(plt.Rectangle((-0.5, step - 1.5), len(tokens), 1, fill=False, edgecolor="#b3360a", linewidth=1))
    axes.set_title(f"step {step} of {len(tokens)}", loc="left", fontsize=7)
    axes.set_xticks(range(len(tokens)), tokens, rotation=90)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
row[0].set_yticks(range(len(tokens)), tokens)
row[0].set_ylabel("query (who looks)")
figure.colorbar(image, ax=row, label="weights")
figure.savefig(sys.argv[2], dpi=150)
