import sys
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

data = np.load(sys.argv[1])
tokens = data["rows_1"].astype(float)
plt.rcParams.update({"font.size": 7, "pdf.fonttype": 42})
figure, axes = plt.subplots(figsize=(85 / 25.4, 60 / 25.4), layout="constrained")
for line, name in enumerate(data["columns_1"]):
    values = data["values_1"][:, line]
    known = np.isfinite(values) & (values > 0)
    upper = np.flatnonzero(known)[known.sum() // 2:]
    power = np.polyfit(np.log(tokens[upper]), np.log(values[upper]), 1)[0]
    axes.loglog(tokens[known], values[known], marker="os^Dv"[line], markersize=3, linewidth=1)
    axes.annotate(f"{name}  $n^{{{power:.2f}}}$", (tokens[known][-1], values[known][-1]), xytext=(5, 0),
                  textcoords="offset points", va="center", color=axes.lines[-1].get_color())
axes.set_xticks(tokens, [f"{each:.0f}" for each in tokens])
axes.minorticks_off()
axes.grid(color="#d8d8d8", linewidth=0.5)
axes.spines[["top", "right"]].set_visible(False)
axes.set_xlabel("tokens")
axes.set_ylabel("multiply-adds")
axes.set_title("Multiply-adds of a run", loc="left", fontweight="bold", fontsize=8)
figure.savefig(sys.argv[2], dpi=150)
