"""The comparisons with PyTorch refuse a peer on a crippled library.

    fair_peer_test.py HEADLIGHT         what needs PyTorch is skipped by name where there is none
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

BENCH = pathlib.Path(__file__).parents[2] / "bench"
sys.path.insert(0, str(BENCH))
sys.argv[1:] = []

import fair_peer

try:
    import torch
except ImportError:
    torch = None

REFERENCE = ["/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0"]


class FairPeer(unittest.TestCase):
    def test_a_third_of_the_processors_rate_is_enough(self):
        for product, processor, is_fair in [(90, 270, True), (89, 270, False), (3, 270, False), (270, 270, True)]:
            with self.subTest(f"{product} of {processor}"):
                self.assertEqual(fair_peer.unfairness(product, processor, REFERENCE) is None, is_fair)

    def test_a_refusal_names_rates_and_library(self):
        reason = fair_peer.unfairness(3, 270, REFERENCE)
        for words in ["3.0 GFLOP/s", "1 % of the processor's own 270", REFERENCE[0], "nothing is compared"]:
            self.assertIn(words, reason)

    def test_shares_are_of_the_processors_rate(self):
        self.assertEqual(fair_peer.share(1e9, 0.1, 100), "10 % of the processor")

    @unittest.skipUnless(torch, "Python has no PyTorch")
    def test_products_of_matrices_are_counted_with_those_of_their_gradients(self):
        layer, x = torch.nn.Linear(4, 8), torch.randn(3, 4)
        self.assertEqual(fair_peer.product_operations(torch, lambda: layer(x)), 2 * 3 * 4 * 8)
        self.assertEqual(fair_peer.product_operations(torch, lambda: layer(x).sum().backward()), 2 * 2 * 3 * 4 * 8)

    @unittest.skipUnless(torch, "Python has no PyTorch")
    def test_every_comparison_refuses(self):
        with tempfile.TemporaryDirectory() as folder:
            engine_bench = pathlib.Path(folder) / "engine_bench"  # of a processor that no library can keep up with
            engine_bench.write_text('#!/bin/sh\necho \'{"benchmarks": [{"GFLOP/s": 1e9}]}\'\n')
            engine_bench.chmod(0o755)
            for script in ["compare_pytorch.py", "compare_mechanisms.py", "compare_training.py"]:
                done = subprocess.run([sys.executable, BENCH / script, folder, "1"], capture_output=True, text=True)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("nothing is compared", done.stderr)


if __name__ == "__main__":
    unittest.main()
