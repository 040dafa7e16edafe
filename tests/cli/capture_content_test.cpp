// What a capture holds beside numbers: tokens, arrays that are passed over, numbers of layers; and figures
// that remember whose numbers they have.

#include "tests/cli/refusal.h"
#include "tests/cli/written_arrays.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace headlight::capture_content_test {

using namespace headlight::test;
using written_arrays::layer;
using written_arrays::npy;
using written_arrays::npy_of;
using written_arrays::npy_texts;
using written_arrays::npz;

namespace {

TEST(CaptureTokens, InsideTheArchiveAreShownUnlessOthersStandBeside) {
    Workplace place;
    place.write("x.npz",
                npz({{"attn", npy({{'h', 1}, {'q', 2}, {'k', 2}})}, {"tokens", npy_texts({"the", "cat"})}}));
    const auto header = [&] {
        place.run({"render", "x.npz", "-o", "m.csv", "--strip"});
        const std::string table = place.read("m.csv");
        return table.substr(0, table.find('\r'));
    };
    EXPECT_NE(header().find("the,cat"), std::string::npos) << header();
    place.write("x.json", R"({"tokens": ["a", "dog"]})");
    EXPECT_NE(header().find("a,dog"), std::string::npos) << header();
}

TEST(CaptureTokens, AreReadByTheNamesThatPeopleGiveThem) {
    Workplace place;
    const auto table = [&] {
        EXPECT_EQ(place.run({"render", "x.npz", "-o", "m.csv", "--strip"}).status, 0);
        return place.read("m.csv");
    };
    for (const char* name : {"words", "labels"}) {
        place.write("x.npz",
                    npz({{"attn", npy({{'h', 1}, {'q', 2}, {'k', 2}})}, {name, npy_texts({"the", "cat"})}}));
        EXPECT_NE(table().find("the,cat"), std::string::npos) << name;
    }
    place.write("x.npz", npz({{"attn", npy({{'h', 1}, {'q', 2}, {'k', 3}})},
                              {"tgt_tokens", npy_texts({"le", "mot"})},
                              {"src_tokens", npy_texts({"the", "cat", "sat"})}}));
    EXPECT_NE(table().find("the,cat,sat"), std::string::npos);
    EXPECT_NE(table().find("\nle,"), std::string::npos);
}

TEST(CaptureTokens, BesideAnArrayMayBeAListAlone) {
    Workplace place;
    place.write("x.npy", npy({{'h', 1}, {'q', 2}, {'k', 2}}));
    place.write("x.json", R"(["the", "cat"])");
    EXPECT_EQ(place.run({"render", "x.npy", "-o", "m.csv", "--strip"}).status, 0);
    EXPECT_NE(place.read("m.csv").find("the,cat"), std::string::npos);
}

TEST(CaptureTokens, WithoutAPartnerInTheOtherTextAreCounted) {
    Workplace place;
    place.write("x.json", R"({"tokens": ["a", "b"], "attentions": [[[0.5, 0.5], [0.2, 0.8]]]})");
    place.write("y.json", R"({"tokens": ["a", "b", "c"],
                              "attentions": [[[0.5, 0.5, 0], [0.2, 0.8, 0], [0, 0, 1]]]})");
    const Outcome outcome = place.run({"analyse", "x.json", "--with", "y.json", "--by", "change"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.error,
              "headlight: x.json: \"attentions\" [1, 2, 2] is [head, query, key]. The other: "
              "\"attentions\" [1, 3, 3] is [head, query, key]. 1 token of the second text has no "
              "partner and is left out.\n");
}

TEST(CaptureArrays, ThatAreNotReadAreNamed) {
    const std::string whole = npy_of("{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }",
                                     std::string(16, '\1')),
                      objects =
                          npy_of("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", "\x80\x04.");
    const std::string pickled =
        " Objects of Python are pickled, which is not read: np.array(tokens, dtype=str) is "
        "text.";
    struct Known {
        std::string name, array, says;
    };
    for (const Known& known :
         {Known{"tokens", whole, " Passed over: \"tokens\"."},
          Known{"input_ids", whole, " Passed over: \"input_ids\"."},
          Known{"tokens", objects, " Passed over: \"tokens\"." + pickled},
          Known{"labels", npy_texts({"x", "y", "z", "u", "v"}), " Passed over: \"labels\"."},
          Known{"titles", npy_texts({"x"}), " Passed over: \"titles\"."},
          Known{"tokens", npy_texts({"the", "cat"}), ""}}) {
        Workplace place;
        place.write("x.npz", npz({{"attn", npy({{'h', 1}, {'q', 2}, {'k', 2}})}, {known.name, known.array}}));
        const Outcome outcome = place.run({"analyse", "x.npz"});
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        EXPECT_EQ(outcome.error,
                  "headlight: x.npz: \"attn\" [1, 2, 2] is [head, query, key]." + known.says + "\n");
    }
}

TEST(CaptureFigures, SayWhenTheCaptureHoldsSomethingElse) {
    Workplace place;
    const auto remarks = [&](const std::string& from) {
        const Outcome outcome = place.run({"render", from, "-o", "again.csv"});
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        return outcome.error;
    };
    place.write("x.npy", npy(layer));
    for (const char* figure : {"f.svg", "f.csv"}) {
        place.write("x.npy", npy(layer));
        place.run({"render", "x.npy", "-o", figure});
        EXPECT_EQ(remarks(figure).find("held something else"), std::string::npos) << figure;
        place.write("x.npy", npy({{'h', 2}, {'q', 3}, {'k', 3}}));
        EXPECT_NE(
            remarks(figure).find("x.npy held something else: its numbers and tokens may have been others"),
            std::string::npos)
            << figure;
    }
    place.write("x.npy", npy(layer));
    place.write("y.npy", npy(layer));
    place.run({"render", "x.npy", "--with", "y.npy", "-o", "both.svg"});
    EXPECT_EQ(remarks("both.svg").find("held something else"), std::string::npos);
    std::string other = npy(layer);
    other[other.size() - 2] ^= 1;
    place.write("y.npy", other);
    EXPECT_NE(remarks("both.svg").find("held something else"), std::string::npos);
}

TEST(CaptureLayers, KeepTheirNumbersInFiguresAndPanels) {
    Workplace place;
    place.write("x.npz", npz({{"layers.1.npy", npy(layer)}, {"layers.4.npy", npy(layer)}}));
    const auto drawn = [&](std::vector<std::string> arguments) {
        std::vector<std::string> all{"render", "x.npz", "-o", "f.svg"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const Outcome outcome = place.run(all);
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        return place.read("f.svg");
    };
    EXPECT_NE(drawn({"--layer", "5"}).find("layer 5"), std::string::npos);
    EXPECT_NE(drawn({"--view", "model_grid"}).find(">layer 5<"), std::string::npos);
    expect_refused(place, {"render", "x.npz", "--layer", "3", "-o", "f.svg"}, 2,
                   "a layer that was recorded, 2, 5, got 3");
    place.write("y.npz", npz({{"layers.1.npy", npy(layer)}, {"layers.2.npy", npy(layer)}}));
    expect_refused(place, {"analyse", "x.npz", "--with", "y.npz"}, 1,
                   "layers 2, 5, as the first has, got 2, 3");
}

}  // namespace

}  // namespace headlight::capture_content_test
