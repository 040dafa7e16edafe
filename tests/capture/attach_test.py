#!/usr/bin/env python3
"""QueryKeyCapture.attach() on a stand-in for transformers, with NumPy alone: which options a layer may be given, and
which masks the terms can say.

    attach_test.py HEADLIGHT          ends with 77 where there is no NumPy: the test is then skipped
"""
import contextlib
import io
import json
import sys
import types
import unittest

from drawn import InFolder, drawn, headlight_capture, np
TOKENS = 6


class Functions(dict):
    """As ALL_ATTENTION_FUNCTIONS of transformers.modeling_utils and ALL_MASK_ATTENTION_FUNCTIONS of masking_utils."""

    def register(self, name, function):
        self[name] = function


def causal_mask(window=None):
    behind = np.arange(TOKENS)[:, None] - np.arange(TOKENS)[None, :]
    return np.where((behind < 0) | (behind >= (window or TOKENS)), np.finfo(np.float32).min, 0)[None, None]


class Model:
    """Two layers, four heads of queries on two of keys; `options` are what each layer is given."""

    def __init__(self, mask=None, implementation="sdpa", **options):
        self.config, self.mask, self.options = types.SimpleNamespace(_attn_implementation=implementation), mask, options
        random = np.random.default_rng(3)
        self.layers = [(random.standard_normal((1, 4, TOKENS, 8)), random.standard_normal((1, 2, TOKENS, 8)))
                       for _ in range(2)]

    def set_attn_implementation(self, name):
        self.config._attn_implementation = name

    def __call__(self):
        name = self.config._attn_implementation
        run = sys.modules["transformers.modeling_utils"].ALL_ATTENTION_FUNCTIONS[name]
        # transformers makes no mask for an implementation whose way to make one it does not know.
        mask = self.mask if name in sys.modules["transformers.masking_utils"].ALL_MASK_ATTENTION_FUNCTIONS else None
        return [run(types.SimpleNamespace(layer_idx=number, is_causal=True), query, key, key, mask, **self.options)
                for number, (query, key) in enumerate(self.layers)]


class Attached(InFolder):
    def setUp(self):
        super().setUp()
        functions = Functions(sdpa=lambda *arguments, **options: "what the model computes")
        sys.modules["transformers"] = types.SimpleNamespace(__version__="4.48")
        sys.modules["transformers.modeling_utils"] = types.SimpleNamespace(ALL_ATTENTION_FUNCTIONS=functions)
        sys.modules["transformers.masking_utils"] = types.SimpleNamespace(
            ALL_MASK_ATTENTION_FUNCTIONS=Functions(sdpa="how sdpa has its mask"))

    def captured(self, model):
        with headlight_capture.QueryKeyCapture(self.folder / "q.npz", dtype="float32") as capture:
            capture.attach(model)
            self.assertEqual(model(), ["what the model computes"] * 2)
        self.assertEqual(model.config._attn_implementation, "sdpa")
        self.assertEqual(model(), ["what the model computes"] * 2)  # as it was before

    def test_values_are_written_where_they_are_asked_for(self):
        model = Model(causal_mask(), scaling=0.3)
        with headlight_capture.QueryKeyCapture(self.folder / "q.npz", values=True, dtype="float32") as capture:
            capture.attach(model)
            model()
        stored = np.load(self.folder / "q.npz")
        np.testing.assert_array_equal(stored["v"], stored["k"])  # as the stand-in has it
        weights = drawn(self.folder / "q.npz", "--layer", "2", "--head", "4")
        norms = drawn(self.folder / "q.npz", "--layer", "2", "--head", "4", "--weights", "value_norms")
        np.testing.assert_allclose(norms, weights * np.linalg.norm(stored["v"][1, 1], axis=-1), atol=1e-5)

    def refused(self, words, model):
        with self.assertRaisesRegex(headlight_capture.CaptureError, words):
            self.captured(model)
        self.assertFalse((self.folder / "q.npz").exists())
        self.assertEqual(model.config._attn_implementation, "sdpa")

    def test_layers_are_recomputed(self):
        model = Model(causal_mask(window=3), scaling=0.3, is_causal=None, sliding_window=3, softcap=5.0, dropout=0.0,
                      position_ids=np.arange(TOKENS))
        self.captured(model)
        for layer, (query, key) in enumerate(model.layers):
            scores = 5 * np.tanh(query[0] @ np.repeat(key[0], 2, axis=0).swapaxes(-1, -2) * 0.3 / 5) + causal_mask(3)[0]
            weights = np.exp(scores - scores.max(-1, keepdims=True))
            weights /= weights.sum(-1, keepdims=True)
            for head in range(4):
                np.testing.assert_allclose(
                    drawn(self.folder / "q.npz", "--layer", str(layer + 1), "--head", str(head + 1)),
                    weights[head], atol=1e-5)

    def test_a_scaling_of_0_is_not_left_out(self):
        self.captured(Model(scaling=0.0))
        self.assertEqual(json.loads((self.folder / "q.json").read_text())["terms"]["scale"], 0)
        np.testing.assert_allclose(drawn(self.folder / "q.npz")[3][:4], 0.25, atol=1e-6)
        self.captured(Model())
        self.assertAlmostEqual(json.loads((self.folder / "q.json").read_text())["terms"]["scale"], 8 ** -0.5)

    def test_a_mask_may_be_one_of_truths_or_none(self):
        self.captured(Model(causal_mask() == 0))
        self.captured(Model())

    def test_another_mask_is_refused(self):
        padded = causal_mask()
        padded[..., 0] = padded[..., -1]  # the first token is padding
        self.refused("padding", Model(padded))
        prefix = np.zeros((1, 1, TOKENS, TOKENS), bool)
        self.refused("prefix", Model(~prefix))
        self.refused("packed", Model(np.ones((1, TOKENS), bool)))
        self.refused("added", Model(causal_mask() - 0.5))

    def test_eager_attention_without_its_mask_is_refused(self):
        functions = sys.modules["transformers.modeling_utils"].ALL_ATTENTION_FUNCTIONS
        functions["eager"] = functions["sdpa"]
        model = Model(causal_mask(), implementation="eager")  # nobody knows how eager has its mask here
        with self.assertRaisesRegex(headlight_capture.CaptureError, "causal by its mask alone"):
            self.captured(model)
        self.assertFalse((self.folder / "q.npz").exists())

    def test_an_option_that_terms_do_not_say_is_refused(self):
        self.refused("position_bias", Model(position_bias=np.zeros(1)))
        self.refused("cu_seq_lens_q", Model(cu_seq_lens_q=[0, 3, 6]))


class Checked(InFolder):
    """What `--check` says of the weights of q and k, [layer, head, query, key], and its status."""

    def setUp(self):
        super().setUp()
        random = np.random.default_rng(5)
        self.query, self.key = random.standard_normal((1, 2, TOKENS, 4)), random.standard_normal((1, 2, TOKENS, 4))

    def checked(self, change=lambda weights: weights, **terms):
        terms = {"scale": 0.5, "causal": True, **terms}
        np.savez(self.folder / "q.npz", q=self.query, k=self.key)
        (self.folder / "q.json").write_text(json.dumps({"terms": terms}))
        weights = headlight_capture.recomputed(self.query[0], self.key[0], terms, 0)[None]
        np.savez(self.folder / "w.npz", attention=change(weights))
        said, given = io.StringIO(), sys.argv
        sys.argv = ["headlight_capture.py", "--check", str(self.folder / "q.npz"), str(self.folder / "w.npz")]
        try:
            with contextlib.redirect_stdout(said), self.assertRaises(SystemExit) as ended:
                headlight_capture.main()
        finally:
            sys.argv = given
        return ended.exception.code, said.getvalue().splitlines()

    def test_the_right_weights_pass(self):
        status, lines = self.checked(softcap=0.5)
        self.assertEqual((status, len(lines)), (0, 2))
        for line in lines:
            self.assertNotIn("too far", line)
            self.assertNotIn("could not fail", line)

    def test_a_check_that_could_not_fail_is_named_and_passes(self):
        status, lines = self.checked(softcap=1e9)
        self.assertEqual(status, 0)
        self.assertTrue(all(line.endswith("this could not fail for it)") for line in lines), lines)

    def test_other_weights_are_too_far_and_nothing_else_is_said(self):
        for softcap in (0.5, 1e9):  # where the terms matter, and where leaving them out changes nothing
            status, lines = self.checked(lambda weights: weights[..., ::-1], softcap=softcap)
            self.assertEqual(status, 1)
            self.assertTrue(all(line.endswith(" too far") for line in lines), lines)

    def test_one_head_that_is_far_fails_alone(self):
        def change(weights):
            weights[0, 1] = 1 / TOKENS
            return weights
        status, lines = self.checked(change, softcap=0.5)
        self.assertEqual(status, 1)
        self.assertNotIn("too far", lines[0])
        self.assertIn("head 2", lines[1])
        self.assertTrue(lines[1].endswith(" too far"), lines)

    def test_what_is_no_number_is_too_far(self):
        def change(weights):
            weights[0, 0, 2, 1] = np.nan
            return weights
        status, lines = self.checked(change)
        self.assertEqual(status, 1)
        self.assertTrue(lines[0].endswith("nan too far"), lines)
        self.assertNotIn("too far", lines[1])


if __name__ == "__main__":
    unittest.main()
