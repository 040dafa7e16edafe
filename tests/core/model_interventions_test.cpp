// Interventions one by one, on a Transformer's last cross attention: two heads, five keys; and on rows where
// one key has all or nearly all.

#include "tests/support/told_hosts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

namespace headlight::model_interventions_test {

using namespace test;

namespace {

class Interventions : public testing::Test {
protected:
    SiteStep last_step(const std::vector<Intervention>& interventions) {
        Generation generation(*host, weights, host_sources[0]);
        generation.set_interventions(interventions);
        for (const Index token : told_texts[0])
            generation.read(token);
        return generation.steps().back().sites.back();
    }
    const std::unique_ptr<Host> host =
        make_host(small_transformer(TransformerKind::encoder_decoder, PositionEncoding::sinusoidal));
    const std::vector<float> weights = lively_weights(host->layout());
    const std::string site = "decoder.1.cross";
    const SiteStep before = last_step({});
};

TEST_F(Interventions, SetAWeightAndKeepTheProportionsOfTheOthers) {
    const SiteStep step = last_step(
        {{.kind = Intervention::Kind::set_weight, .site = site, .head = 1, .key = 2, .weight = 0.5}});
    EXPECT_EQ(step.weights(1, 2), 0.5f);
    for (const Index key : {0, 1, 3, 4}) {
        EXPECT_EQ(step.weights(0, key), before.weights(0, key));
        EXPECT_NEAR(step.weights(1, key), before.weights(1, key) * 0.5f / (1 - before.weights(1, 2)), 1e-6);
    }
}

TEST_F(Interventions, ZeroAColumnAndLeaveTheRestAlone) {
    const SiteStep step =
        last_step({{.kind = Intervention::Kind::zero_column, .site = site, .step = 3, .key = 2}});
    for (const Index head : {0, 1})
        for (const Index key : {0, 1, 2, 3, 4})
            EXPECT_EQ(step.weights(head, key), key == 2 ? 0 : before.weights(head, key));
}

TEST_F(Interventions, ZeroAColumnAndRenormaliseTheRow) {
    const SiteStep step = last_step(
        {{.kind = Intervention::Kind::zero_column, .site = site, .step = 3, .key = 2, .renormalizes = true}});
    for (const Index head : {0, 1})
        for (const Index key : {0, 1, 2, 3, 4})
            EXPECT_NEAR(step.weights(head, key),
                        key == 2 ? 0 : before.weights(head, key) / (1 - before.weights(head, 2)), 1e-6);
}

TEST_F(Interventions, ForbidAKeyAndGiveTheOthersItsShare) {
    const SiteStep step = last_step({{.kind = Intervention::Kind::forbid_key, .site = site, .key = 2}});
    // Earlier steps changed too, and with them the scores of this one: only the row's form is known.
    for (const Index head : {0, 1}) {
        float sum = 0;
        for (const Index key : {0, 1, 2, 3, 4})
            sum += step.weights(head, key);
        EXPECT_EQ(step.weights(head, 2), 0);
        EXPECT_NEAR(sum, 1, 1e-6);
    }
    const SiteStep once =
        last_step({{.kind = Intervention::Kind::forbid_key, .site = site, .step = 3, .key = 2}});
    EXPECT_NEAR(once.weights(0, 0), before.weights(0, 0) / (1 - before.weights(0, 2)), 1e-6);
}

TEST_F(Interventions, MakeARowUniform) {
    const SiteStep step =
        last_step({{.kind = Intervention::Kind::uniform_row, .site = site, .head = 0, .step = 3}});
    for (const Index key : {0, 1, 2, 3, 4}) {
        EXPECT_FLOAT_EQ(step.weights(0, key), 0.2f);
        EXPECT_EQ(step.weights(1, key), before.weights(1, key));
    }
}

// Where all weight is on one key, the others have nothing to keep proportions of.
TEST(InterventionsOfHardAttention, ShareAmongTheKeysThatTheWindowAllows) {
    RecurrentConfiguration configuration = small_recurrent(DecoderStyle::luong, ScoreType::additive);
    configuration.normalizer.type = NormalizerType::hard;
    configuration.window = {LocalWindow::Kind::monotonic, 1};
    const auto host = make_host(configuration);
    const std::vector<float> weights = lively_weights(host->layout());
    const auto row_with = [&](const Intervention& intervention) {
        Generation generation(*host, weights, host_sources[0]);
        generation.set_interventions({intervention});
        generation.read(0);
        const auto row = generation.read(2).sites.front().weights.row(0);
        return std::vector<float>(row.begin(), row.end());
    };
    const std::string site = "decoder.cross";
    const std::vector<float> before = row_with({.site = "none"});
    const Index key = std::ranges::max_element(before) - before.begin();
    ASSERT_LT(key, 3);
    std::vector<float> expected{0.25f, 0.25f, 0.25f, 0, 0};
    expected[static_cast<std::size_t>(key)] = 0.5f;
    EXPECT_EQ(row_with({.site = site, .key = key, .weight = 0.5}), expected);
    const float third = 1.0f / 3;
    EXPECT_EQ(row_with({.kind = Intervention::Kind::uniform_row, .site = site}),
              (std::vector<float>{third, third, third, 0, 0}));
}

// A row as a softmax leaves it where one key has nearly everything: people take that key away, or some of it.
struct NearlyAllOnOneKey {
    const char* name;
    std::vector<float> weights;
    Intervention intervention;
    std::vector<float> expected;
};

void PrintTo(const NearlyAllOnOneKey& row, std::ostream* out) { *out << row.name; }

class InterventionsOnTheLargestKey : public testing::TestWithParam<NearlyAllOnOneKey> {};

TEST_P(InterventionsOnTheLargestKey, KeepTheProportionsOfTheOthers) {
    const auto& [name, weights, intervention, expected] = GetParam();
    nn::Tape<float> tape({});
    const auto row_of = [&](const std::vector<float>& numbers) {
        const nn::Variable<float> row = tape.constant(1, std::ssize(numbers));
        std::ranges::copy(numbers, row.value);
        return row;
    };
    const SiteCall call{"decoder.cross", {.queries = 1, .keys = std::ssize(weights)}};
    Intervening intervening({intervention});
    intervening.scores(call, {}, row_of(std::vector<float>(weights.size())));
    const nn::Variable<float> row = row_of(weights);
    intervening.weights(call, row);
    for (std::size_t key = 0; key < expected.size(); ++key)
        EXPECT_FLOAT_EQ(row.value[key], expected[key]) << key;
}

const Intervention taken_away{
    .kind = Intervention::Kind::zero_column, .site = "decoder.cross", .renormalizes = true};
const Intervention halved{.kind = Intervention::Kind::set_weight, .site = "decoder.cross", .weight = 0.5};

INSTANTIATE_TEST_SUITE_P(
    All, InterventionsOnTheLargestKey,
    testing::Values(NearlyAllOnOneKey{"rounded_away", {1, 3e-9f, 1e-9f}, taken_away, {0, 0.75f, 0.25f}},
                    NearlyAllOnOneKey{
                        "rounded_coarsely", {0.9999997f, 2e-7f, 1e-7f}, taken_away, {0, 2.0f / 3, 1.0f / 3}},
                    NearlyAllOnOneKey{"smallest_numbers", {1, 3e-45f, 0}, taken_away, {0, 1, 0}},
                    NearlyAllOnOneKey{"half_is_left", {1, 3e-9f, 1e-9f}, halved, {0.5f, 0.375f, 0.125f}},
                    NearlyAllOnOneKey{"nothing_else", {1, 0, 0}, taken_away, {0, 0.5f, 0.5f}}),
    [](const auto& row) { return row.param.name; });

TEST_F(Interventions, CopyAHead) {
    const SiteStep step = last_step(
        {{.kind = Intervention::Kind::copy_head, .site = site, .head = 0, .step = 3, .from_head = 1}});
    for (const Index key : {0, 1, 2, 3, 4})
        EXPECT_EQ(step.weights(0, key), before.weights(1, key));
}

TEST_F(Interventions, MuteAHead) {
    const SiteStep step =
        last_step({{.kind = Intervention::Kind::mute_head, .site = site, .head = 1, .step = 3}});
    for (Index c = 0; c < step.context.cols(); ++c)
        EXPECT_EQ(step.context(0, c), c < step.context.cols() / 2 ? before.context(0, c) : 0);
}

TEST_F(Interventions, LeaveOtherSitesAndStepsAlone) {
    for (const Intervention& each :
         {Intervention{.kind = Intervention::Kind::mute_head, .site = "decoder.9.cross"},
          Intervention{.kind = Intervention::Kind::mute_head, .site = site, .step = 7}})
        EXPECT_EQ(last_step({each}).weights, before.weights);
}

}  // namespace

}  // namespace headlight::model_interventions_test
