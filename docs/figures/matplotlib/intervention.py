import sys
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

data = np.load(sys.argv[1])
before, after, change = (data[f"values_{i}"] for i in (1, 2, 3))
rows, columns = data["rows_1"], data["columns_1"]
largest = np.abs(change).max()
plt.rcParams.update({"font.size": 7, "pdf.fonttype": 42})
figure, axes = plt.subplots(1, 3, figsize=(180 / 25.4, 62 / 25.4), layout="constrained")
shown = [("(a) Before", before, "viridis", 0, 1), ("(b) First layer muted", after, "viridis", 0, 1),
         ("(c) What changed", change, "RdBu_r", -largest, largest)]
images = []
for each, (title, numbers, colours, low, high) in zip(axes, shown):
    images.append(each.imshow(numbers, cmap=colours, vmin=low, vmax=high, interpolation="nearest"))
    each.set_title(title, loc="left", fontweight="bold", fontsize=8)
    each.set_xticks(range(len(columns)), columns, rotation=90)
    each.set_yticks(range(len(rows)), rows)
    each.xaxis.tick_top()
    each.tick_params(length=0)
    each.set_xlabel("key (what is seen)")
    each.xaxis.set_label_position("top")
axes[0].set_ylabel("query (who looks)")
figure.colorbar(images[0], ax=axes[:2], location="bottom", label="weights", aspect=40)
figure.colorbar(images[2], ax=axes[2], location="bottom", label="change", aspect=20)
figure.savefig(sys.argv[2], dpi=150)
