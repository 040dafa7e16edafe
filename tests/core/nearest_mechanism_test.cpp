// Whose formula stands beside a model.

#include "core/catalog/nearest_mechanism.h"

#include <gtest/gtest.h>

namespace headlight::nearest_mechanism_test { namespace {

TEST(NearestMechanism, OfACataloguesSpecHasThatSpec) {
    for (const Mechanism& mechanism : mechanisms()) {
        const AttentionSpec spec = build_spec(mechanism, {});
        const Mechanism* found = nearest_mechanism(spec);
        ASSERT_TRUE(found) << mechanism.id;
        EXPECT_TRUE(build_spec(*found, {}) == spec) << mechanism.id << " and " << found->id;
    }
}

TEST(NearestMechanism, PassesOverWidthsAndMasks) {
    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.heads = {.type = HeadsType::multi, .heads = 3};
    spec.projections = {.type = ProjectionType::learned, .bias = true};
    spec.mask.rule = CausalMask{};
    const Mechanism* found = nearest_mechanism(spec);
    ASSERT_TRUE(found);
    const AttentionSpec theirs = build_spec(*found, {});
    EXPECT_EQ(theirs.heads.type, HeadsType::multi) << found->id;
    EXPECT_EQ(theirs.score.type, ScoreType::scaled_dot) << found->id;

    spec = {};
    spec.score.type = ScoreType::additive;
    spec.source.type = SourceType::cross;
    spec.projections.type = ProjectionType::learned;
    found = nearest_mechanism(spec);
    ASSERT_TRUE(found);
    EXPECT_EQ(build_spec(*found, {}).score.type, ScoreType::additive) << found->id;
}

TEST(NearestMechanism, IsNoneWhereTheCoreIsNobodys) {
    AttentionSpec spec;
    spec.score.type = ScoreType::hyperbolic;
    spec.normalizer.type = NormalizerType::sparsemax;
    spec.heads.gate = Gate::headwise;
    EXPECT_FALSE(nearest_mechanism(spec));
}

}}  // namespace headlight::nearest_mechanism_test
