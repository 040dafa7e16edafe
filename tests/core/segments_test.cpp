// Decoders that read in segments with the program of a mechanism: what is said step by step is what is said
// at once, nothing before the last segment is seen, and traces show the weights that were used. Those whose
// layers have operations of their own are rows of model_hosts_test.cpp.

#include "tests/support/trained_models.h"

namespace headlight::segments_test {

using namespace trained_models;

namespace {

constexpr Index length = 2;

TransformerConfiguration in_segments(const char* id) {
    TransformerConfiguration c = small_model(mechanism(id), TransformerKind::decoder);
    c.decoder.resize(2, c.decoder.front());
    c.segment = length;
    return c;
}

class SegmentedMechanism : public testing::TestWithParam<const char*> {};

TEST_P(SegmentedMechanism, IsReadStepByStepAndLearns) {
    const TransformerModel model(in_segments(GetParam()));
    expect_to_be_read_step_by_step(model);
    expect_to_learn(model);
}

TEST_P(SegmentedMechanism, SeesNothingBeforeTheLastSegment) {
    const ReadModel reading(in_segments(GetParam()), {});
    for (const SiteStep& site : reading.generation.steps().back().sites) {
        const Index query = site.weights.cols() - 1, first = (query / length - 1) * length;
        ASSERT_GT(first, 0);
        for (Index head = 0; head < site.heads; ++head)
            for (Index key = 0; key < first; ++key)
                EXPECT_EQ(site.weights(head, key), 0) << site.site << ", key " << key;
    }
}

INSTANTIATE_TEST_SUITE_P(Some, SegmentedMechanism,
                         testing::Values("multi_head", "window", "rope", "transformer_xl", "grouped_query"),
                         [](const auto& row) { return std::string(row.param); });

TEST(SegmentedLayers, MayShareKeysAndValues) {
    TransformerConfiguration c = in_segments("grouped_query");
    const AttentionSpec mechanism = *c.mechanism();
    c.decoder = {{.mechanism = mechanism}, {.mechanism = mechanism, .shares = 0}};
    const TransformerModel model(c);
    expect_to_be_read_step_by_step(model);
    expect_to_learn(model);
}

}  // namespace

}  // namespace headlight::segments_test
