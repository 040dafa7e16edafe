#!/usr/bin/env python3
"""scripts/headlight_capture.py on small models of PyTorch, read back by Headlight itself.

    capture_test.py HEADLIGHT         ends with 77 where there is no PyTorch: the test is then skipped
"""
import json
import math
import subprocess
import sys
import types
import unittest

try:
    import torch
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

from drawn import PROGRAM, InFolder, drawn, headlight_capture, np  # noqa: E402


class Captured(InFolder):
    def setUp(self):
        super().setUp()
        torch.manual_seed(3)

    def test_encoder_by_hooks(self):
        model = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 3).eval()
        x = torch.randn(1, 5, 8)
        with torch.no_grad():
            before = model(x)
            with headlight_capture.hooked(model, self.folder / "e.npz", tokens=list("abcde"), dtype="float32"):
                during = model(x)
            after = model(x)
            state = x
            expected = []
            for layer in model.layers:
                expected.append(layer.self_attn(state, state, state, average_attn_weights=False)[1][0])
                state = layer(state)
        torch.testing.assert_close(during, before)
        torch.testing.assert_close(after, before)
        stored = np.load(self.folder / "e.npz")["attention"]
        np.testing.assert_allclose(stored, torch.stack(expected).numpy(), atol=1e-6)
        np.testing.assert_allclose(drawn(self.folder / "e.npz", "--layer", "2", "--head", "2"), stored[1][1], atol=1e-6)

    def test_encoder_decoder_by_hooks(self):
        model = torch.nn.Transformer(8, 2, 2, 2, 16, batch_first=True).eval()
        source, target = torch.randn(1, 6, 8), torch.randn(1, 4, 8)
        mask = model.generate_square_subsequent_mask(4)
        with torch.no_grad(), headlight_capture.hooked(model, self.folder / "t.npz", query_tokens=list("wxyz"),
                                                       key_tokens=list("abcdef"), heads=[1]):
            model(source, target, tgt_mask=mask)
        stored = np.load(self.folder / "t.npz")
        self.assertEqual({name: stored[name].shape for name in stored.files},
                         {"encoder": (2, 1, 6, 6), "decoder": (2, 1, 4, 4), "cross": (2, 1, 4, 6)})
        self.assertEqual(stored["decoder"][0, 0, 0, 1], 0)
        np.testing.assert_allclose(drawn(self.folder / "t.npz", "--site", "cross", "--layer", "2"),
                                   stored["cross"][1][0], atol=1e-3)

    def test_values_of_multihead_attention(self):
        """What a head makes of the tokens: without the output matrix, its values sum to what comes out."""
        model = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2).eval()
        x = torch.randn(2, 5, 8)
        with torch.no_grad():
            with headlight_capture.hooked(model, self.folder / "e.npz", tokens=list("abcde"), values=True, item=1,
                                          dtype="float32"):
                model(x)
            layer = model.layers[0].self_attn
            output = layer(x, x, x)[0][1]
        stored = np.load(self.folder / "e.npz")
        self.assertEqual({name: stored[name].shape for name in stored.files},
                         {"attention": (2, 2, 5, 5), "attention.v": (2, 2, 5, 4)})
        heads = stored["attention"][0] @ stored["attention.v"][0]
        np.testing.assert_allclose((torch.from_numpy(np.concatenate(list(heads), axis=-1)) @ layer.out_proj.weight.T
                                   + layer.out_proj.bias).detach().numpy(), output.numpy(), atol=1e-5)
        norms = stored["attention"][1, 1] * np.linalg.norm(stored["attention.v"][1, 1], axis=-1)
        np.testing.assert_allclose(
            drawn(self.folder / "e.npz", "--layer", "2", "--head", "2", "--weights", "value_norms"), norms, atol=1e-6)

    def test_values_of_an_encoder_decoder(self):
        model = torch.nn.Transformer(8, 2, 1, 1, 16).eval()  # [token, batch, d]
        source, target = torch.randn(6, 1, 8), torch.randn(4, 1, 8)
        with torch.no_grad(), headlight_capture.hooked(model, self.folder / "t.npz", values=True, heads=[1]):
            model(source, target)
        stored = np.load(self.folder / "t.npz")
        self.assertEqual({name: stored[name].shape for name in stored.files if name.endswith(".v")},
                         {"encoder.v": (1, 1, 6, 4), "decoder.v": (1, 1, 4, 4), "cross.v": (1, 1, 6, 4)})
        weights, values = stored["cross"][0, 0].astype(float), stored["cross.v"][0, 0].astype(float)
        np.testing.assert_allclose(
            drawn(self.folder / "t.npz", "--site", "cross", "--layer", "1", "--weights", "value_norms"),
            weights * np.linalg.norm(values, axis=-1), atol=1e-3)

    def test_values_beside_queries_and_keys(self):
        weights, values = [], []
        with headlight_capture.QueryKeyCapture(self.folder / "q.npz", values=True, dtype="float32") as capture:
            for layer, query, key, terms, eager in self.decoder():
                values.append(torch.randn(1, 2, 7, 5))
                capture.record(layer, query, key, values[-1], **terms)
                weights.append(eager)
        headlight_capture.save_weights(self.folder / "w.npz", weights, dtype="float32",
                                       values=[each.repeat_interleave(2, dim=1) for each in values])
        expected = weights[1][0, 3] * values[1][0, 1].norm(dim=-1)
        for name in ("q.npz", "w.npz"):
            np.testing.assert_allclose(
                drawn(self.folder / name, "--layer", "2", "--head", "4", "--weights", "value_norms"),
                expected.numpy(), atol=1e-5)
        rows = list(headlight_capture.check(self.folder / "q.npz", self.folder / "w.npz"))
        self.assertTrue(len(rows) == 8 and all(row[2] < 1e-6 for row in rows), rows)
        with self.assertRaisesRegex(headlight_capture.CaptureError, "values=True"):
            with headlight_capture.QueryKeyCapture(self.folder / "n.npz", values=True) as capture:
                capture.record(0, query, key, scale=1.0)
        added = torch.nn.MultiheadAttention(8, 2, add_zero_attn=True)
        with self.assertRaisesRegex(headlight_capture.CaptureError, "add_zero_attn"):
            with headlight_capture.hooked(added, self.folder / "a.npz", values=True):
                added(torch.randn(5, 8), torch.randn(5, 8), torch.randn(5, 8))

    def test_outputs_of_transformers(self):
        layers = tuple(torch.softmax(torch.randn(2, 3, 4, 4), -1) for _ in range(2))
        headlight_capture.save_weights(self.folder / "o.npz", types.SimpleNamespace(attentions=layers), item=1,
                                       layers=[1], heads=[0, 2])
        np.testing.assert_allclose(np.load(self.folder / "o.npz")["attention"], layers[1][None, 1, [0, 2]], atol=1e-3)
        steps = [[torch.softmax(torch.randn(1, 2, rows, keys), -1)] for rows, keys in ((3, 3), (1, 4), (1, 5))]
        headlight_capture.save_weights(self.folder / "g.npz", steps, dtype="float32")
        grown = np.load(self.folder / "g.npz")["attention"]
        self.assertEqual(grown.shape, (1, 2, 5, 5))
        np.testing.assert_allclose(grown.sum(-1), 1, atol=1e-6)
        self.assertEqual(grown[0, 0, 2, 3], 0)

    def decoder(self, tokens=7, window=3, softcap=4.0):
        """Two layers with four heads on two of keys: queries, keys, terms and weights, as a model computes them."""
        places = torch.arange(tokens)[:, None] - torch.arange(tokens)[None, :]
        for layer in range(2):
            query, key = torch.randn(1, 4, tokens, 6), torch.randn(1, 2, tokens, 6)
            sinks = torch.randn(4)
            terms = dict(scale=1 / math.sqrt(6), causal=True, window=[None, window][layer], softcap=softcap, sinks=sinks)
            scores = query @ key.repeat_interleave(2, dim=1).transpose(-1, -2) * terms["scale"]
            scores = softcap * torch.tanh(scores / softcap)
            hidden = (places < 0) | ((places >= window) & (layer == 1))
            scores = torch.cat([scores.masked_fill(hidden, -math.inf), sinks[None, :, None, None].expand(1, 4, tokens, 1)], -1)
            yield layer, query, key, terms, torch.softmax(scores, -1)[..., :-1]

    def test_queries_and_keys_are_recomputed(self):
        weights = []
        with headlight_capture.QueryKeyCapture(self.folder / "q.npz", tokens=list("abcdefg"), dtype="float32") as capture:
            for layer, query, key, terms, eager in self.decoder():
                capture.record(layer, query, key, **terms)
                weights.append(eager)
        headlight_capture.save_weights(self.folder / "w.npz", weights, dtype="float32")
        for layer in range(2):
            for head in range(4):
                np.testing.assert_allclose(
                    drawn(self.folder / "q.npz", "--layer", str(layer + 1), "--head", str(head + 1)),
                    weights[layer][0, head].numpy(), atol=1e-5)
        rows = list(headlight_capture.check(self.folder / "q.npz", self.folder / "w.npz"))
        self.assertEqual(len(rows), 8)
        self.assertTrue(all(difference < 1e-6 and not is_weak for _, _, difference, is_weak in rows), rows)
        # Weights of another model are told.
        headlight_capture.save_weights(self.folder / "x.npz", [each.flip(-1) for each in weights], dtype="float32")
        self.assertTrue(all(row[2] > 1e-3 for row in headlight_capture.check(self.folder / "q.npz", self.folder / "x.npz")))

    def test_parts_of_several_processes_open_as_one(self):
        layers = list(self.decoder())
        headlight_capture.save_weights(self.folder / "w.npz", [layer[4] for layer in layers], dtype="float32")
        for rank in range(2):  # each has two heads of queries and the one of keys that they share
            with headlight_capture.QueryKeyCapture(self.folder / "q.npz", dtype="float32", part=(rank, 2)) as capture:
                for layer, query, key, terms, _ in layers:
                    own = {**terms, "sinks": terms["sinks"][2 * rank:2 * rank + 2]}
                    capture.record(layer, query[:, 2 * rank:2 * rank + 2], key[:, rank:rank + 1], **own)
        for head in range(4):
            np.testing.assert_allclose(drawn(self.folder / "q.2-of-2.npz", "--layer", "2", "--head", str(head + 1)),
                                       layers[1][4][0, head].numpy(), atol=1e-5)
        for name in ("q.npz", "q.1-of-2.npz"):
            rows = list(headlight_capture.check(self.folder / name, self.folder / "w.npz"))
            self.assertEqual(len(rows), 8)
            self.assertTrue(all(difference < 1e-6 for _, _, difference, _ in rows), rows)
        (self.folder / "q.2-of-2.npz").unlink()
        with self.assertRaisesRegex(headlight_capture.CaptureError, "all parts"):
            list(headlight_capture.check(self.folder / "q.npz", self.folder / "w.npz"))

    def test_four_parts_of_a_head_each_open_as_one(self):
        """Each of four processes has a head; of the weights, each has one too."""
        layers = list(self.decoder())
        for rank in range(4):
            with headlight_capture.QueryKeyCapture(self.folder / "q.npz", dtype="float32", part=(rank, 4)) as capture:
                for layer, query, key, terms, _ in layers:
                    own = {**terms, "sinks": terms["sinks"][rank:rank + 1]}
                    capture.record(layer, query[:, rank:rank + 1], key[:, rank // 2:rank // 2 + 1], **own)
            headlight_capture.save_weights(self.folder / "w.npz", [layer[4] for layer in layers], heads=[rank],
                                           dtype="float32", part=(rank, 4))
        for layer in range(2):
            for head in range(4):
                for name in ("q.3-of-4.npz", "w.4-of-4.npz"):
                    np.testing.assert_allclose(
                        drawn(self.folder / name, "--layer", str(layer + 1), "--head", str(head + 1)),
                        layers[layer][4][0, head].numpy(), atol=1e-5)
        rows = list(headlight_capture.check(self.folder / "q.npz", self.folder / "w.npz"))
        self.assertTrue(len(rows) == 8 and all(row[2] < 1e-6 for row in rows), rows)

    def test_a_check_that_could_not_fail_says_so(self):
        query = torch.randn(1, 1, 5, 6)
        weights = torch.softmax(query @ query.transpose(-1, -2), -1)
        with headlight_capture.QueryKeyCapture(self.folder / "q.npz", dtype="float32") as capture:
            capture.record(0, query, query, scale=1.0, window=None)
        headlight_capture.save_weights(self.folder / "w.npz", [weights], dtype="float32")
        self.assertTrue(next(headlight_capture.check(self.folder / "q.npz", self.folder / "w.npz"))[3])

    def test_what_is_not_known_is_refused(self):
        query = torch.randn(1, 2, 3, 4)
        with self.assertRaisesRegex(headlight_capture.CaptureError, "alibi"):
            with headlight_capture.QueryKeyCapture(self.folder / "q.npz") as capture:
                capture.record(0, query, query, scale=1.0, alibi=[1, 2])
        self.assertFalse((self.folder / "q.npz").exists())
        with self.assertRaisesRegex(headlight_capture.CaptureError, "no layer that is captured has run"):
            headlight_capture.save_weights(self.folder / "n.npz", types.SimpleNamespace(attentions=()))
        with self.assertRaisesRegex(headlight_capture.CaptureError, "MultiheadAttention"):
            with headlight_capture.hooked(torch.nn.Linear(2, 2), self.folder / "l.npz"):
                pass
        with self.assertRaisesRegex(headlight_capture.CaptureError, "named .npz"):
            headlight_capture.save_weights(self.folder / "n.json", [query])
        # An unknown term in a file that others wrote.
        np.savez(self.folder / "u.npz", q=query.numpy(), k=query.numpy())
        (self.folder / "u.json").write_text(json.dumps({"terms": {"scale": 1, "alibi": True}}))
        refusal = subprocess.run([PROGRAM, "analyse", str(self.folder / "u.npz")], capture_output=True, text=True)
        self.assertEqual(refusal.returncode, 1)
        self.assertIn("alibi", refusal.stderr)


if __name__ == "__main__":
    unittest.main()
