#!/usr/bin/env python3
"""What save_weights() and QueryKeyCapture.record() take each axis for, with NumPy alone, read back by Headlight itself.

    weights_test.py HEADLIGHT         ends with 77 where there is no NumPy: the test is then skipped
"""
import json
import subprocess
import types
import unittest

from drawn import PROGRAM, InFolder, drawn, headlight_capture, np


def flat(shape, weight=0.25):
    return np.full(shape, weight, "float32")


def step(rows, keys=4):
    """A step of generate(): row r looks at key r alone."""
    return (np.eye(rows, keys, dtype="float32")[:, None, None],)


def generated(**fields):
    """An output of generate()."""
    nothing = dict.fromkeys(("attentions", "encoder_attentions", "decoder_attentions", "cross_attentions"))
    return types.SimpleNamespace(**{**nothing, **fields})


class Weights(InFolder):
    def saved(self, outputs, name="w.npz", **options):
        headlight_capture.save_weights(self.folder / name, outputs, dtype="float32", **options)
        return dict(np.load(self.folder / name))

    def refused(self, words, outputs, **options):
        with self.assertRaisesRegex(headlight_capture.CaptureError, words):
            self.saved(outputs, "refused.npz", **options)
        self.assertFalse((self.folder / "refused.npz").exists())

    def test_averaged_heads_are_one_head(self):
        layers = [flat((1, 4, 4), weight) for weight in (0.1, 0.2, 0.3)]
        self.assertEqual(self.saved(layers)["attention"].shape, (3, 1, 4, 4))
        several = [np.stack([flat((4, 4), 0.1), flat((4, 4), 0.2)])] * 3
        self.refused("axes=\\('head', 'query', 'key'\\).*axes=\\('batch', 'query', 'key'\\)", several)
        stored = self.saved(several, axes=("batch", "query", "key"), item=1)["attention"]
        self.assertEqual(stored.shape, (3, 1, 4, 4))
        np.testing.assert_allclose(stored, 0.2)
        self.assertEqual(self.saved(several, axes=("head", "query", "key"))["attention"].shape, (3, 2, 4, 4))

    def test_axes_are_named_in_any_order(self):
        windows = np.arange(2 * 3 * 4 * 5, dtype="float32").reshape(2, 3, 4, 5)  # [query, window, key, head]
        stored = self.saved([windows], axes=("query", "window", "key", "head"), item=2)["attention"]
        np.testing.assert_array_equal(stored[0], windows[:, 2].transpose(2, 0, 1))
        self.assertEqual(self.saved([flat((4, 5))])["attention"].shape, (1, 1, 4, 5))

    def test_axes_that_cannot_be_are_refused(self):
        for wrong in (("batch", "query"), ("query", "query", "key"), ("layer", "query", "key"),
                      ("batch", "window", "query", "key")):
            self.refused("expected axes of", [flat((2, 4, 4))], axes=wrong)
        self.refused("expected \\[batch, head, query, key\\], got \\[2, 4, 4\\]", [flat((2, 4, 4))],
                     axes=("batch", "head", "query", "key"))

    def test_a_text_that_is_not_in_the_batch_is_refused(self):
        self.refused("expected item from 0 to 1.*got 2", [flat((2, 1, 4, 4))], item=2)
        self.refused("expected \\[batch, head, query, key\\], got \\[1, 2, 3, 4, 5\\]", [flat((1, 2, 3, 4, 5))])

    def test_beams_are_followed_from_row_to_row(self):
        beams = generated(cross_attentions=tuple(step(3) for _ in range(4)), beam_indices=np.array([[0, 2, 1, -1]]))
        np.testing.assert_array_equal(self.saved(beams)["cross"][0, 0], np.eye(4)[[0, 2, 1]])

    def test_an_answer_belongs_to_one_text(self):
        encoder = (np.stack([flat((1, 4, 4), 0.1), flat((1, 4, 4), 0.2)]),)
        search = generated(encoder_attentions=encoder, cross_attentions=(step(6, 6), step(6, 6)),
                           beam_indices=np.array([[0, 2], [4, 3]]))
        stored = self.saved(search, item=1)
        np.testing.assert_allclose(stored["encoder"], 0.2)
        np.testing.assert_array_equal(stored["cross"][0, 0], np.eye(6)[[4, 3]])
        # Several answers to each text that nobody searched for: a row is an answer from first to last.
        answers = generated(encoder_attentions=encoder, cross_attentions=(step(6, 6), step(6, 6)), sequences=np.zeros((6, 2)))
        stored = self.saved(answers, item=5)
        np.testing.assert_allclose(stored["encoder"], 0.2)
        np.testing.assert_array_equal(stored["cross"][0, 0], np.eye(6)[[5, 5]])

    def test_beams_without_their_ways_are_refused(self):
        steps = (step(3), step(3))
        self.refused("beam_indices", generated(cross_attentions=steps))
        self.refused("output_scores=True", generated(cross_attentions=steps, sequences=np.zeros((1, 2)), beam_indices=None))
        self.refused("beam_indices", [step(3), step(3)])

    def test_chosen_layers_keep_their_numbers(self):
        layers = [flat((1, 1, 4, 4), weight) for weight in (0.1, 0.2, 0.3, 0.4)]
        layers[1] = None
        self.saved(layers, layers=[0, 1, 3])
        self.assertEqual(json.loads((self.folder / "w.json").read_text())["layer_numbers"], {"attention": [0, 3]})
        np.testing.assert_allclose(drawn(self.folder / "w.npz", "--layer", "4"), 0.4, atol=1e-6)
        rows = subprocess.run([PROGRAM, "analyse", str(self.folder / "w.npz")], check=True, capture_output=True, text=True)
        self.assertEqual([line.split(",")[0] for line in rows.stdout.splitlines()], ["layer", "1", "4"])
        self.saved([layers[0], layers[2]])
        self.assertNotIn("layer_numbers", json.loads((self.folder / "w.json").read_text()))

    def test_parts_of_a_pipeline_keep_their_numbers(self):
        for rank, numbers in enumerate(([0, 1], [2, 3])):
            headlight_capture.save_weights(self.folder / "p.npz",
                                           [flat((1, 1, 4, 4), number / 10) if number in numbers else None for number in range(4)],
                                           dtype="float32", part=(rank, 2), parts="layer")
        np.testing.assert_allclose(drawn(self.folder / "p.1-of-2.npz", "--layer", "4"), 0.3, atol=1e-6)
        with self.assertRaisesRegex(headlight_capture.CaptureError, "part="):
            headlight_capture.save_weights(self.folder / "p.npz", [flat((1, 1, 4, 4))], part=(2, 2))


class Vectors(InFolder):
    def refused(self, words, query, key, value=None):
        with self.assertRaisesRegex(headlight_capture.CaptureError, words):
            with headlight_capture.QueryKeyCapture(self.folder / "q.npz", values=value is not None) as capture:
                capture.record(0, query, key, value, scale=1.0)
        self.assertFalse((self.folder / "q.npz").exists())

    def test_vectors_of_other_axes_are_refused(self):
        vectors = np.zeros((1, 4, 6, 8))
        self.refused("q, layer 0: expected \\[batch, head, token, d\\], got \\[4, 6, 8\\]", vectors[0], vectors)
        self.refused("k, layer 0: expected \\[batch, head, token, d\\]", vectors, vectors[0])
        self.refused("v, layer 0: expected \\[batch, head, token, d\\]", vectors, vectors, vectors[0])
        self.refused("k, layer 0: expected heads", vectors, vectors[:, :3])
        self.refused("k, layer 0: expected heads", vectors, vectors[..., :4])
        for query, key, words in ((vectors, vectors[0], "q, layer 0: expected \\[head, token, d\\]"),
                                  (vectors[0], vectors, "k, layer 0: expected \\[key head, token, d\\]")):
            with self.assertRaisesRegex(headlight_capture.CaptureError, words):
                headlight_capture.save_implied(self.folder / "l.npz", [query], [key], scale=1.0)

    def test_chosen_layers_keep_their_numbers(self):
        vectors = np.random.default_rng(1).standard_normal((1, 2, 4, 3))
        with headlight_capture.QueryKeyCapture(self.folder / "q.npz", layers=[2, 5], dtype="float64") as capture:
            for layer in range(6):
                capture.record(layer, vectors, vectors, scale=1.0)
        self.assertEqual(json.loads((self.folder / "q.json").read_text())["layer_numbers"], {"q": [2, 5], "k": [2, 5]})
        drawn(self.folder / "q.npz", "--layer", "6")
        weights = headlight_capture.recomputed(vectors[0], vectors[0], {"scale": 1.0}, 0)[None]
        headlight_capture.save_weights(self.folder / "w.npz", [None, None, weights, None, None, weights], dtype="float64")
        rows = list(headlight_capture.check(self.folder / "q.npz", self.folder / "w.npz"))
        self.assertEqual([row[0] for row in rows], [2, 2, 5, 5])
        headlight_capture.save_weights(self.folder / "w.npz", [weights, weights], dtype="float64")
        with self.assertRaisesRegex(headlight_capture.CaptureError, "expected layers"):
            list(headlight_capture.check(self.folder / "q.npz", self.folder / "w.npz"))


if __name__ == "__main__":
    unittest.main()
