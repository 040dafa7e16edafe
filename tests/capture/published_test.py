#!/usr/bin/env python3
"""What heads of published captures look at, by Headlight and with whole matrices of NumPy.

    HEADLIGHT_SHARED=FOLDER published_test.py HEADLIGHT

The captures lie in FOLDER/models/captures, and no number of theirs is kept here: both sides are computed when this runs.
Ends with 77 where there is no such folder, or no NumPy: the test is then skipped.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import unicodedata
import unittest

from drawn import PROGRAM, np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support/captures"))
from head_statistics import head_statistics

FOLDER = pathlib.Path(os.environ.get("HEADLIGHT_SHARED", "")) / "models" / "captures"
if not os.environ.get("HEADLIGHT_SHARED") or not FOLDER.is_dir():
    print("skipped: HEADLIGHT_SHARED has no models/captures")
    sys.exit(77)


def is_delimiter(token):
    """Punctuation, the end of a line, or a special token; marks in front of a word do not count."""
    if len(token) > 2 and (token[0] + token[-1] == "<>" or re.fullmatch(r"\[[A-Z0-9_]+\]", token)):
        return True
    bare = re.sub("^##(?=.)", "", token)
    signs = [sign for sign in bare if sign not in "\u2581\u0120 "]
    return bool(signs) and all(sign in "\n\u010a" or unicodedata.category(sign)[0] == "P" for sign in signs)


def counted(file, *options):
    return json.loads(subprocess.run([PROGRAM, "analyse", str(file), "--format", "json", *options], check=True,
                                     capture_output=True, text=True).stdout)


class Published(unittest.TestCase):
    def expect_alike(self, file, maps, query_tokens, key_tokens, rows):
        """`maps` [layer, head, query, key]; `rows` as Headlight counted them."""
        self.assertEqual(len(rows), maps.shape[0] * maps.shape[1])
        for row in rows:
            expected = head_statistics(maps[row["layer"] - 1, row["head"] - 1].astype(float), query_tokens, key_tokens,
                                       is_delimiter)
            for name, number in expected.items():
                where = f"{file.name}, layer {row['layer']}, head {row['head']}: {name}"
                if number is None:
                    self.assertIsNone(row[name], where)
                else:
                    self.assertAlmostEqual(row[name], number, delta=1e-9, msg=where)

    def test_gpt2(self):
        for name in ("ex0", "ex1"):
            file = FOLDER / f"{name}.npz"
            tokens = json.loads(file.with_suffix(".json").read_text())["tokens"]
            maps = np.load(file)["attentions"]
            rows = counted(file)
            self.expect_alike(file, maps, tokens, tokens, rows)
            # Most of what the heads look at is the first token.
            self.assertGreater(sum(row["first_token"] for row in rows) / len(rows), 0.5)

    def test_bert(self):
        file = FOLDER / "head_view_bert.npz"
        view = json.loads(file.with_suffix(".json").read_text())["views"]["all"]
        self.assertEqual(view["left_text"], view["right_text"])
        self.expect_alike(file, np.load(file)["all"], view["left_text"], view["left_text"], counted(file))

    def test_marian(self):
        file = FOLDER / "encoder_decoder.npz"
        views = json.loads(file.with_suffix(".json").read_text())["views"]
        rows = counted(file)
        with np.load(file) as arrays:
            for name in ("encoder", "decoder", "cross"):
                query, key = views[name]["left_text"], views[name]["right_text"]
                own = [row for row in rows if row["maps"] == name]
                self.expect_alike(file, arrays[name], query, query if name != "cross" else key, own)

    def test_dodrio(self):
        file = FOLDER / "attention-0588.json"
        texts = json.loads((FOLDER / "tokens_and_saliency.json").read_text())
        tokens = [each["token"] for each in texts["588"]["tokens"]]
        maps = np.array(json.loads(file.read_text()))
        tokens += ["[PAD]"] * (maps.shape[-1] - len(tokens))
        self.expect_alike(file, maps, tokens, tokens, counted(file))


if __name__ == "__main__":
    unittest.main()
