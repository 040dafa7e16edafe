// The weights that a capture of a linear layer implies are those that a run of the mechanism records: its
// queries, keys and gates, as another program would save them, are enough.

#include "core/map/implied_maps.h"
#include "core/map/trace_maps.h"
#include "tests/support/attention_runs.h"
#include "tests/support/generated_maps.h"

namespace headlight::implied_weights_test {

using namespace test;

namespace {

constexpr Index tokens = 300, heads = 2, width = 8;

struct Mechanism {
    std::string name, algorithm;
    /// What the keys are multiplied by before they are saved, and the features that are saved.
    bool has_strengths = false, has_features = false;
    bool has_gates = true, normalised = false;
    double scale = 1 / std::sqrt(8.0);
};
std::ostream& operator<<(std::ostream& out, const Mechanism& row) { return out << row.name; }

using TracePointer = std::shared_ptr<const Trace>;

/// A stage [head, token] or [head, token, width], as an array [1, head, token, width].
std::shared_ptr<const MapSource> saved(const TracePointer& trace, const std::string& name,
                                       const std::string& times = {}) {
    const Stage* recorded = trace->find(name);
    const Stage* factor = times.empty() ? nullptr : trace->find(times);
    const Index columns = recorded->shape.size() > 2 ? recorded->shape.back() : 1;
    return std::make_shared<GeneratedMaps>(
        MapSource::Extents{1, heads, tokens, columns}, [=](MapPlace place, Index token, Index column) {
            const auto row = static_cast<std::size_t>(place.head * tokens + token);
            const auto at = row * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column);
            return trace->values(*recorded)[at] * (factor ? trace->values(*factor)[row] : 1);
        });
}

class ImpliedWeights : public testing::TestWithParam<Mechanism> {};

TEST_P(ImpliedWeights, AreThoseOfTheRun) {
    const Mechanism& mechanism = GetParam();
    RandomEngine random(4);
    Inputs inputs;
    inputs.query = random_tensor({tokens, heads * width}, random, 1);
    const auto run = std::make_shared<const Trace>(
        record(planned(spec(R"({"heads": {"type": "multi", "heads": 2}, "projections": {"type": "learned"},
                                "mask": {"type": "causal"}, "algorithm": )" +
                            mechanism.algorithm + "}"),
                       inputs)));
    const char* query = mechanism.has_features ? "query_features" : "query";
    const char* key = mechanism.has_features ? "key_features" : "key";
    std::shared_ptr<const Decay> decay;
    if (mechanism.has_gates)
        decay = std::make_shared<Decay>(saved(run, "gates"), Decay::Form::factor);
    const ImpliedMaps maps(saved(run, query),
                           saved(run, key, mechanism.has_strengths ? "write_strengths" : ""), decay,
                           {.scale = mechanism.scale, .causal = true, .normalised = mechanism.normalised});
    const auto recorded = maps_of(run).front().maps;
    for (Index head = 0; head < heads; ++head) {
        const auto weights = map_of(*recorded, {0, head});
        EXPECT_TRUE(within(map_of(maps, {0, head}), weights, 1e-9)) << "head " << head;
        EXPECT_GT(std::ranges::max(weights), 0.01) << "or there is nothing to compare";
    }
}

INSTANTIATE_TEST_SUITE_P(
    , ImpliedWeights,
    testing::Values(Mechanism{"retention", R"({"type": "retention"})"},
                    Mechanism{"retention_of_one_decay", R"({"type": "retention", "gamma": 0.7})"},
                    Mechanism{"gla", R"({"type": "gated_linear", "temperature": 4})"},
                    Mechanism{"ssd", R"({"type": "state_space"})", true, false, true, false, 1},
                    Mechanism{"linear", R"({"type": "linear"})", false, true, false, true, 1}),
    testing::PrintToStringParamName());

}  // namespace

}  // namespace headlight::implied_weights_test
