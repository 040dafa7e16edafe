#!/usr/bin/env python3
"""scripts/headlight_capture.py on linear layers, with NumPy alone, read back by Headlight itself.

    implied_test.py HEADLIGHT         ends with 77 where there is no NumPy: the test is then skipped
"""
import json
import subprocess
import sys
import unittest

from drawn import PROGRAM, InFolder, drawn, headlight_capture, np


class Implied(InFolder):
    def linear_layers(self, form, tokens=7):
        """Two layers with four heads on two of keys, in which what is before a token fades, and the weights of the
        recurrence S <- diag(a) S + k v^T: a value that is a unit vector for each token reads them off."""
        random = np.random.default_rng(5)
        shape = {"head": (2, 4), "token": (2, 4, tokens), "channel": (2, 4, tokens, 6)}[form]
        query, key = random.standard_normal((2, 4, tokens, 6)), random.standard_normal((2, 2, tokens, 6))
        factor = random.uniform(0.2, 1, shape)
        gates = np.broadcast_to(factor.reshape(shape + (1,) * (4 - len(shape))), query.shape)
        weights = np.zeros((2, 4, tokens, tokens))
        for layer, head in np.ndindex(2, 4):
            state = np.zeros((6, tokens))
            for token in range(tokens):
                state = gates[layer, head, token][:, None] * state
                state[:, token] += key[layer, head // 2, token]
                weights[layer, head, token] = 0.5 * query[layer, head, token] @ state
        return query, key, factor, weights

    def test_implied_weights_of_linear_layers(self):
        for form in ("head", "token", "channel"):
            for decay_is in ("factor", "log"):
                query, key, factor, weights = self.linear_layers(form)
                decay = factor if decay_is == "factor" else np.log(factor)
                headlight_capture.save_implied(self.folder / "l.npz", query, key, decay, scale=0.5, decay_is=decay_is,
                                               tokens=list("abcdefg"), dtype="float64")
                for layer, head in np.ndindex(2, 4):
                    table = drawn(self.folder / "l.npz", "--view", "heatmap", "--layer", str(layer + 1),
                                  "--head", str(head + 1))
                    np.testing.assert_allclose(table[:7, :7], weights[layer, head], atol=1e-6)
                headlight_capture.save_weights(self.folder / "w.npz", [each[None] for each in weights], dtype="float64")
                rows = list(headlight_capture.check(self.folder / "l.npz", self.folder / "w.npz"))
                self.assertTrue(all(difference < 1e-12 and not is_weak for _, _, difference, is_weak in rows), rows)
                headlight_capture.save_weights(self.folder / "x.npz", [-each[None] for each in weights], dtype="float64")
                self.assertTrue(all(row[2] > 0.1 for row in
                                    headlight_capture.check(self.folder / "l.npz", self.folder / "x.npz")))
        self.assertEqual(subprocess.run([sys.executable, headlight_capture.__file__, "--check", self.folder / "l.npz",
                                         self.folder / "w.npz"], capture_output=True).returncode, 0)

    def test_implied_weights_that_are_shares(self):
        query, key, factor, _ = self.linear_layers("token")
        query, key = abs(query), abs(key)
        headlight_capture.save_implied(self.folder / "l.npz", query, key, factor, scale=0.5, normalised=True,
                                       dtype="float64")
        np.testing.assert_allclose(drawn(self.folder / "l.npz", "--view", "heatmap").sum(-1), 1, atol=1e-6)
        # A slow decay is more than float16 could tell from none.
        headlight_capture.save_implied(self.folder / "s.npz", query, key, np.full((2, 4), 0.9999), scale=0.5)
        stored = np.load(self.folder / "s.npz")
        self.assertEqual((stored["q"].dtype, stored["decay"].dtype), (np.float16, np.float32))
        self.assertAlmostEqual(float(stored["decay"][0, 0]), 0.9999, 6)

    def test_a_decay_that_is_none_is_refused(self):
        query, key, factor, _ = self.linear_layers("token")
        for wrong, says in ((factor + 1, "from 0 to 1"), (factor * np.nan, "got nan"), (factor[:, :, :4], "as the keys"),
                            (factor[:1], "as many layers")):
            with self.assertRaisesRegex(headlight_capture.CaptureError, says):
                headlight_capture.save_implied(self.folder / "l.npz", query, key, wrong, scale=0.5)
        with self.assertRaisesRegex(headlight_capture.CaptureError, "at most 0"):
            headlight_capture.save_implied(self.folder / "l.npz", query, key, factor, scale=0.5, decay_is="log")
        self.assertFalse((self.folder / "l.npz").exists())
        # A delta rule in a file that others wrote.
        np.savez(self.folder / "d.npz", q=query, k=key, beta=factor)
        (self.folder / "d.json").write_text(json.dumps({"terms": {"weights": "implied", "scale": 1, "causal": True}}))
        refusal = subprocess.run([PROGRAM, "analyse", str(self.folder / "d.npz")], capture_output=True, text=True)
        self.assertEqual(refusal.returncode, 1)
        self.assertIn("delta rule", refusal.stderr)
        self.assertEqual(len(refusal.stderr.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
