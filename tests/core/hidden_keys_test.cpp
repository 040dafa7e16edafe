// Weights drawn without some keys: the lens on what heads do beside resting on the first token.

#include "core/figure/build_figure.h"
#include "core/figure/hidden_keys.h"
#include "core/io/session_capture.h"
#include "core/io/session_run.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace headlight;
using namespace headlight::test;

namespace {

TEST(HiddenKeys, ShareTheirWeightOutAmongTheOthersOfTheRow) {
    const MapWithoutKeys seen = without_keys({0.5, 0.3, 0.2, 0.1, 0.1, 0.8}, 2, 3, {0});
    EXPECT_TRUE(std::isnan(seen.weights[0]));
    EXPECT_DOUBLE_EQ(seen.weights[1], 0.6);
    EXPECT_DOUBLE_EQ(seen.weights[2], 0.4);
    EXPECT_TRUE(std::isnan(seen.weights[3]));
    EXPECT_DOUBLE_EQ(seen.weights[4] + seen.weights[5], 1);
    EXPECT_DOUBLE_EQ(seen.hidden_mass, 0.3);
}

TEST(HiddenKeys, LeaveNothingOfARowThatHadNothingElse) {
    const MapWithoutKeys seen = without_keys({1, 0, 0, 0}, 2, 2, {0, 7});
    EXPECT_TRUE(std::isnan(seen.weights[1]));
    EXPECT_EQ(seen.weights[3], 0);  // a row of zeros stays one
    EXPECT_DOUBLE_EQ(seen.hidden_mass, 1);
}

TEST(HiddenKeys, CountNegativeWeightsByTheirSize) {
    const MapWithoutKeys seen = without_keys({-0.5, 0.25, -0.25}, 1, 3, {0});
    EXPECT_DOUBLE_EQ(seen.weights[1], 0.5);
    EXPECT_DOUBLE_EQ(seen.weights[2], -0.5);
    EXPECT_DOUBLE_EQ(seen.hidden_mass, 0.5);
}

TEST(HiddenKeys, AreSaidInTheCaptionAndLeaveTheScale) {
    const Trace trace =
        captured_traces({.file = HEADLIGHT_SOURCE_DIR "/tests/support/captures/causal.npz"}).trace;
    ViewSettings settings;
    settings.view = ViewKind::heatmap;
    settings.range = RangeKind::fitted;
    settings.hidden_keys = {0};
    const Figure figure = build_figure(trace, settings);
    const Panel& panel = figure.panels.front();
    EXPECT_NE(figure.caption.find("Hidden: “"), std::string::npos) << figure.caption;
    EXPECT_NE(figure.caption.find(" % of the weights"), std::string::npos);
    EXPECT_GT(panel.hidden_mass, 0);
    for (Index row = 0; row < panel.rows; ++row)
        EXPECT_TRUE(std::isnan(panel.values[static_cast<std::size_t>(row * panel.columns)]));
    EXPECT_TRUE(panel.row_sums.empty());
}

TEST(HiddenKeys, AreKeptWithASessionAndHostileOnesAreRefused) {
    Session session = example_session();
    session.figure.hidden_keys = {0, 3};
    const std::string text = write_session(session);
    EXPECT_EQ(parse_session(text).figure.hidden_keys, (std::vector<Index>{0, 3}));
    for (const char* list : {"[3, 0]", "[-1]", "[0.5]", "[\"a\"]", "7", "[1e30]", "{}"}) {
        std::string hostile = text;
        const std::size_t from = hostile.find('[', hostile.find("hidden_keys"));
        hostile.replace(from, hostile.find(']', from) + 1 - from, list);
        expect_refusal([&] { parse_session(hostile); }, {"hidden_keys"});
    }
}

}  // namespace
