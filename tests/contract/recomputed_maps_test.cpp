// Maps recomputed from the queries and keys of a run are the weights that the run recorded: what a capture of
// queries and keys shows is what the mechanism computes.

#include "core/attention/pipeline_stages.h"
#include "core/map/query_key_maps.h"
#include "core/map/trace_maps.h"
#include "tests/support/attention_runs.h"
#include "tests/support/generated_maps.h"

namespace headlight::recomputed_maps_test {

using namespace test;

namespace {

constexpr Index tokens = 300, heads = 4, key_heads = 2, width = 8;

struct Recomputed {
    std::string name, mask, more;
    QueryKeyTerms terms;
};
std::ostream& operator<<(std::ostream& out, const Recomputed& row) { return out << row.name; }

/// Queries or keys of a run, [1, head, token, d].
std::shared_ptr<const MapSource> vectors_of(const std::shared_ptr<const Trace>& trace,
                                            const std::string& stage, Index head_count) {
    const Stage* recorded = trace->find(last_form(*trace, stage));
    return std::make_shared<GeneratedMaps>(
        MapSource::Extents{1, head_count, tokens, width}, [=](MapPlace place, Index token, Index feature) {
            return trace->matrix(*recorded, place.head)[static_cast<std::size_t>(token * width + feature)];
        });
}

class RecomputedMaps : public testing::TestWithParam<Recomputed> {};

TEST_P(RecomputedMaps, AreTheWeightsOfTheRun) {
    RandomEngine random(4);
    Inputs inputs;
    inputs.query = random_tensor({tokens, heads * width}, random, 2);
    const auto run = std::make_shared<const Trace>(
        record(planned(spec(R"({"heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
                                "projections": {"type": "learned"}, "mask": )" +
                            GetParam().mask + GetParam().more + "}"),
                       inputs)));
    QueryKeyTerms terms = GetParam().terms;
    terms.scale = 1 / std::sqrt(static_cast<double>(width));
    const QueryKeyMaps maps(vectors_of(run, "query", heads), vectors_of(run, "key", key_heads), terms);
    const auto recorded = maps_of(run).front().maps;
    for (Index head = 0; head < heads; ++head)
        EXPECT_TRUE(within(map_of(maps, {0, head}), map_of(*recorded, {0, head}), 1e-12)) << "head " << head;
}

INSTANTIATE_TEST_SUITE_P(
    , RecomputedMaps,
    testing::Values(
        Recomputed{"plain", R"({"type": "none"})", "", {}},
        Recomputed{"causal", R"({"type": "causal"})", "", {.causal = true}},
        Recomputed{"window",
                   R"({"all": [{"type": "causal"}, {"type": "window", "size": 40}]})",
                   "",
                   {.causal = true, .windows = {Index(40)}}},
        Recomputed{"rotated", R"({"type": "causal"})", R"(, "position": {"type": "rope"})", {.causal = true}},
        Recomputed{"softcap",
                   R"({"type": "causal"})",
                   R"(, "score": {"type": "scaled_dot", "softcap": 3})",
                   {.causal = true, .softcap = 3}},
        Recomputed{"sink",
                   R"({"type": "causal"})",
                   R"(, "normalizer": {"type": "sink", "logit": 1.5})",
                   {.causal = true, .sinks = {{1.5, 1.5, 1.5, 1.5}}}}),
    testing::PrintToStringParamName());

}  // namespace

}  // namespace headlight::recomputed_maps_test
