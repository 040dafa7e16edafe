// Models whose layers have different mechanisms, or the keys of another layer: each has its own, learns, has
// the gradient of differences, and is read step by step.

#include "core/model/shared_keys.h"
#include "tests/support/refusal.h"
#include "tests/support/trained_models.h"

#include <optional>
#include <ostream>

namespace headlight::trained_layers_test { namespace {

using namespace trained_models;

struct Layered {
    std::string name;
    TransformerKind kind;
    std::vector<std::string> encoder, decoder;
    SharedKeys encoder_shares{}, decoder_shares{};
};
void PrintTo(const Layered& row, std::ostream* out) { *out << row.name; }

TransformerConfiguration layered_model(const Layered& row) {
    TransformerConfiguration c = small_model(mechanism("window"), row.kind);
    const auto stack = [](const std::vector<std::string>& ids, const SharedKeys& shares) {
        std::vector<LayerSpec> layers(std::max<std::size_t>(ids.size(), 1));
        for (std::size_t i = 0; i < ids.size(); ++i)
            layers[i] = {.mechanism = spec_of(mechanism(ids[i])),
                         .shares = shares.empty() ? std::nullopt : shares[i]};
        return layers;
    };
    c.encoder = stack(row.encoder, row.encoder_shares);
    c.decoder = stack(row.decoder, row.decoder_shares);
    return c;
}

class LayersThatDiffer : public testing::TestWithParam<Layered> {
protected:
    const TransformerModel model_{layered_model(GetParam())};
};

TEST_P(LayersThatDiffer, HaveTheirOwn) {
    const std::vector<SiteDescription> sites = model_.sites();
    const auto expect_own = [&](const std::string& side, const std::vector<std::string>& ids,
                                const SharedKeys& shares, SitePlace place) {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const std::string name = side + "." + std::to_string(i) + ".self";
            const auto site = std::ranges::find(sites, name, &SiteDescription::name);
            ASSERT_TRUE(site != sites.end()) << name;
            EXPECT_TRUE(site->is_program) << name;
            AttentionSpec expected = mechanism_at(spec_of(mechanism(ids[i])), place, width, longest)->spec();
            const bool has_other_keys = !shares.empty() && shares[i];
            if (has_other_keys)
                expected.source.type = SourceType::cross;
            EXPECT_EQ(site->spec, expected) << name;
            EXPECT_EQ(site->keys_of,
                      has_other_keys ? side + "." + std::to_string(*shares[i]) + ".self" : std::string())
                << name;
        }
    };
    expect_own("encoder", GetParam().encoder, GetParam().encoder_shares, SitePlace::encoder);
    expect_own("decoder", GetParam().decoder, GetParam().decoder_shares, SitePlace::decoder);
    EXPECT_EQ(model_.most_tokens().target, longest);
}

TEST_P(LayersThatDiffer, Learn) { expect_to_learn(model_); }

TEST_P(LayersThatDiffer, HaveTheGradientOfDifferences) {
    // More units than in a model of one layer: a smaller step meets fewer of their kinks.
    const auto largest = expect_gradient_of_differences(model_, 1e-6);
    EXPECT_EQ(largest.size(), model_.sites().size());
    for (const auto& [site, gradient] : largest)
        EXPECT_GT(gradient, 0) << site;
}

TEST_P(LayersThatDiffer, AreReadStepByStep) { expect_to_be_read_step_by_step(model_); }

INSTANTIATE_TEST_SUITE_P(
    Models, LayersThatDiffer,
    testing::Values(Layered{"gpt", TransformerKind::decoder, {}, {"window", "gla"}},
                    Layered{"local_local_global", TransformerKind::decoder, {}, {"window", "window", "rope"}},
                    Layered{"encoder_and_decoder",
                            TransformerKind::encoder_decoder,
                            {"linformer", "symmetric_window"},
                            {"grouped_query", "delta"}},
                    Layered{.name = "gpt_that_shares",
                            .kind = TransformerKind::decoder,
                            .encoder = {},
                            .decoder = {"window", "scaled_dot_product", "window"},
                            .decoder_shares = {std::nullopt, 0, 0}},
                    Layered{.name = "gpt_that_shares_turned_keys",
                            .kind = TransformerKind::decoder,
                            .encoder = {},
                            .decoder = {"rope", "rope"},
                            .decoder_shares = {std::nullopt, 0}},
                    Layered{.name = "gpt_that_shares_states",
                            .kind = TransformerKind::decoder,
                            .encoder = {},
                            .decoder = {"linear", "linear"},
                            .decoder_shares = {std::nullopt, 0}},
                    Layered{.name = "encoder_and_decoder_that_share",
                            .kind = TransformerKind::encoder_decoder,
                            .encoder = {"symmetric_window", "symmetric_window"},
                            .decoder = {"grouped_query", "grouped_query", "grouped_query"},
                            .encoder_shares = {std::nullopt, 0},
                            .decoder_shares = {std::nullopt, std::nullopt, 1}}),
    [](const auto& row) { return row.param.name; });

TEST(LayersThatCannotBe, AreRefusedByTheirNumber) {
    const auto refusal_of = [](const TransformerConfiguration& c) {
        return test::refusal([&c] { const TransformerModel made(c); });
    };
    const Layered gpt{"", TransformerKind::decoder, {}, {"window", "linformer"}};
    const std::string ahead = refusal_of(layered_model(gpt));
    EXPECT_TRUE(ahead.starts_with("layer 2: ")) << ahead;
    EXPECT_NE(ahead.find("the keys are summed up before any query sees them"), std::string::npos) << ahead;
    const Layered both{
        "", TransformerKind::encoder_decoder, {"linformer", "window"}, {"window", "linformer"}};
    const std::string of_decoder = refusal_of(layered_model(both));
    EXPECT_TRUE(of_decoder.starts_with("layer 2 of the decoder: ")) << of_decoder;
}

}}  // namespace headlight::trained_layers_test
