"""What a comparison with PyTorch owes its reader: that the peer runs on a library worth comparing with, and how far both
are from what the processor itself can do.

With the reference BLAS that Debian installs beside python3-torch where nothing else is there, PyTorch multiplies
matrices a hundred times slower than the processor could, and any engine looks good beside it.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import time

SMALLEST_SHARE = 1 / 3  # of the processor's rate that PyTorch's own product has to reach


def answer(command, environment):
    return json.loads(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)


def rate(folder, benchmark, environment):
    """GFLOP/s of one of engine_bench's benchmarks."""
    rows = answer([folder / "engine_bench", f"--benchmark_filter=^{benchmark}(/|$)", "--benchmark_format=json"],
                  environment)
    return max(row["GFLOP/s"] for row in rows["benchmarks"])


def product_rate(torch, seconds=1.0):
    """GFLOP/s of PyTorch's product of two matrices, the fastest of as many as fit into the time."""
    size, best, end = 768, 1e9, time.perf_counter() + seconds
    a, b = torch.randn(size, size), torch.randn(size, size)
    while best == 1e9 or time.perf_counter() < end:
        start = time.perf_counter()
        a @ b
        best = min(best, time.perf_counter() - start)
    return 2 * size**3 / best / 1e9


def product_libraries():
    """The files of this process that multiply matrices; PyTorch's own where there is none beside it."""
    mapped = (line.split()[-1] for line in pathlib.Path("/proc/self/maps").read_text().splitlines() if "/" in line)
    return sorted({os.path.realpath(name) for name in mapped if re.search(r"blas|mkl|blis|atlas", name)}) or ["PyTorch's own"]


def unfairness(product, processor, libraries):
    """Why nothing is to be compared; None where it is fair."""
    if product >= SMALLEST_SHARE * processor:
        return None
    return (f"PyTorch multiplies matrices at {product:.1f} GFLOP/s, {100 * product / processor:.0f} % of the processor's own "
            f"{processor:.0f}, by {', '.join(libraries)}: nothing is compared. Debian's libopenblas0-pthread is a better "
            f"library (update-alternatives --config libblas.so.3-x86_64-linux-gnu).")


def require_fair(torch, folder, environment):
    """The processor's own rate in GFLOP/s; ends the program where PyTorch cannot use a third of it."""
    processor, product = rate(folder, "processor_rate", environment), product_rate(torch)
    if reason := unfairness(product, processor, product_libraries()):
        sys.exit(reason)
    print(f"Multiply-adds in registers and nothing else: {processor:.0f} GFLOP/s; PyTorch's product of matrices "
          f"{product:.0f} GFLOP/s by {', '.join(product_libraries())}")
    return processor


def product_operations(torch, function):
    """Multiplications and additions in the products of matrices that a call does, those of its gradients included."""
    from torch.utils._python_dispatch import TorchDispatchMode

    class Count(TorchDispatchMode):
        operations = 0

        def __torch_dispatch__(self, operation, types, arguments=(), named=None):
            name = operation.__name__.split(".")[0]
            if name in ("mm", "bmm", "addmm", "baddbmm"):
                left, right = arguments[-2:]
                self.operations += 2 * left.numel() * right.shape[-1]
            return operation(*arguments, **(named or {}))

    with Count() as count:
        function()
    return count.operations


def share(operations, seconds, processor):
    """"41 % of the processor": of operations done in the time."""
    return f"{100 * operations / seconds / 1e9 / processor:.0f} % of the processor"
