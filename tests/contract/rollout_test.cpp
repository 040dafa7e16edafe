// Attention rollout as pictures draw it, against numbers that NumPy computed
// (tests/support/rollout/generate.py), and what has none.

#include "core/analysis/displayed_weights.h"
#include "core/figure/build_figure.h"
#include "core/map/site_name.h"
#include "tests/support/attention_runs.h"
#include "tests/support/refusal.h"

#include <algorithm>

namespace headlight::rollout_test {

using namespace test;

namespace {

constexpr Index tokens = 6, heads = 3;

const Json& golden() {
    static const Json file = read_json(HEADLIGHT_SOURCE_DIR "/tests/support/rollout/golden.json");
    return file;
}

Stage weights_at(const std::string& site) {
    return {.site = site,
            .name = "weights",
            .axes = {Axis::head, Axis::query, Axis::key},
            .shape = {heads, tokens, tokens}};
}

/// Layers of a case of the file, at the sites of a kind.
Trace trace_of(const Json& layers, const std::string& kind = "encoder",
               const std::vector<std::string>& further = {}) {
    std::vector<Stage> stages;
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        stages.push_back(weights_at(site_of(kind, static_cast<Index>(layer))));
    for (const std::string& site : further)
        stages.push_back(weights_at(site));
    Trace trace(stages);
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        std::ranges::copy(flat(layers[layer]), trace.values(trace.stages()[layer]).begin());
    return trace;
}

ViewSettings rollout_at(const std::string& site) {
    ViewSettings settings;
    settings.view = ViewKind::heatmap;
    settings.pooled = PooledHeads::rollout;
    settings.selection.site = site;
    return settings;
}

TEST(Rollout, IsThatOfNumPyThroughEveryLayer) {
    for (const auto& [name, numbers] : golden().items()) {
        const Trace trace = trace_of(numbers["weights"]);
        for (std::size_t layer = 0; layer < numbers["rollout"].size(); ++layer) {
            const std::string site = site_of("encoder", static_cast<Index>(layer));
            const Figure figure = build_figure(trace, rollout_at(site));
            ASSERT_EQ(figure.panels.size(), 1u) << site;
            const Storage<const double>& drawn = figure.panels.front().values;
            EXPECT_TRUE(near(std::span(drawn.data(), drawn.size()), flat(numbers["rollout"][layer]), 1e-14))
                << name << ", " << site;
        }
    }
}

TEST(Rollout, SaysWhatIsDrawn) {
    const Figure figure = build_figure(trace_of(golden()["full"]["weights"]), rollout_at("encoder.2.self"));
    const std::string text = figure.title + figure.panels.front().title;
    EXPECT_NE(text.find("rollout through layers 1 to 3"), std::string::npos) << text;
    EXPECT_NE(figure.caption.find("Abnar and Zuidema 2020"), std::string::npos) << figure.caption;
}

TEST(Rollout, IsDrawnWithoutHiddenKeys) {
    ViewSettings settings = rollout_at("encoder.3.self");
    settings.hidden_keys = {0};
    const Json& numbers = golden()["full"];
    const Panel panel = build_figure(trace_of(numbers["weights"]), settings).panels.front();
    const std::vector<double> rollout = flat(numbers["rollout"][3]);
    EXPECT_TRUE(std::isnan(panel.values[0]));
    EXPECT_NEAR(panel.values[1], rollout[1] / (1 - rollout[0]), 1e-14);
    double hidden = 0;
    for (Index row = 0; row < tokens; ++row)
        hidden += rollout[static_cast<std::size_t>(row * tokens)] / tokens;
    ASSERT_TRUE(panel.hidden_mass);
    EXPECT_NEAR(*panel.hidden_mass, hidden, 1e-14);
}

TEST(Rollout, NeedsEveryLayerBefore) {
    const Json& layers = golden()["full"]["weights"];
    EXPECT_EQ(rollout_lack(trace_of(layers), "encoder.3.self"), "");
    const std::string gap = rollout_lack(trace_of(layers, "encoder", {"encoder.5.self"}), "encoder.5.self");
    EXPECT_NE(gap.find("layer 5, which lies before, are not there"), std::string::npos) << gap;
    const std::string far = "encoder.9000000000000000000.self";
    EXPECT_NE(rollout_lack(trace_of(layers, "encoder", {far}), far), "");
}

TEST(Rollout, GoesThroughLayers) {
    const Trace trace = record(planned(spec("{}"), {.query = Tensor({3, 2}, {1, 0, 0, 1, 1, 1})}));
    EXPECT_NE(rollout_lack(trace, "").find("layers of a model"), std::string::npos);
    expect_refusal([&] { build_figure(trace, rollout_at("")); }, {"layers of a model"});
}

TEST(Rollout, IsOfTokensThatLookAtOneAnother) {
    const Json& layers = golden()["full"]["weights"];
    Trace shared = trace_of(layers);
    shared.joined_specs["encoder.1.self"].source.type = SourceType::cross;
    EXPECT_EQ(rollout_lack(shared, "encoder.0.self"), "");
    EXPECT_NE(rollout_lack(shared, "encoder.1.self").find("values that another has made"), std::string::npos);
    Trace translated = trace_of(layers, "decoder", {"decoder.0.cross"});
    EXPECT_NE(rollout_lack(translated, "decoder.1.self").find("cross-attention"), std::string::npos);
    Trace source = trace_of(layers);
    source.tokens.query = {"a", "b", "c", "d", "e", "f"};
    source.tokens.key = {"u", "v", "w", "x", "y", "z"};
    EXPECT_NE(rollout_lack(source, "encoder.0.self").find("look at one another"), std::string::npos);
    expect_refusal([&] { build_figure(source, rollout_at("encoder.0.self")); }, {"look at one another"});
}

TEST(Rollout, IsOfWeightsNotOfNorms) {
    const std::string site = "encoder.0.self";
    const Stage value{.site = site,
                      .name = "value",
                      .axes = {Axis::head, Axis::key, Axis::feature},
                      .shape = {heads, tokens, 2}};
    const Trace trace({weights_at(site), value});
    ViewSettings settings = rollout_at(site);
    EXPECT_EQ(build_figure(trace, settings).panels.size(), 1u);
    settings.weights = DrawnWeights::value_norms;
    ASSERT_EQ(value_norms_lack(trace, site), "");
    expect_refusal([&] { build_figure(trace, settings); }, {"value-weighted norms"});
}

}  // namespace

}  // namespace headlight::rollout_test
