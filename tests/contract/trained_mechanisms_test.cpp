// Every mechanism of the catalogue as the attention of a small model, by its program: it learns, its gradient
// is what differences say, and its trace is what the layer used. Those that cannot learn say why.

#include "core/attention/executor.h"
#include "core/model/shared_keys.h"
#include "core/nn/trained_numbers.h"
#include "core/tensor/error.h"
#include "tests/support/trained_models.h"

#include <iostream>
#include <map>
#include <optional>

namespace headlight::trained_mechanisms_test { namespace {

using namespace trained_models;

/// Where they look changes only by leaps. What a test prints says at which operation.
const std::vector<std::string> cannot_learn{"hard", "tropical"};

/// The model that the mechanism fits: a GPT, else an encoder with a decoder; the refusal of a GPT where
/// neither does.
struct Fitting {
    std::unique_ptr<TransformerModel> model;
    std::string refusal;
};

/// Made once for all rows of the mechanism.
const Fitting& fitting_model(const Mechanism& mechanism) {
    static std::map<std::string, Fitting> kept;
    const auto [at, is_new] = kept.try_emplace(mechanism.id);
    Fitting& fitting = at->second;
    if (!is_new)
        return fitting;
    for (const TransformerKind kind : {TransformerKind::decoder, TransformerKind::encoder_decoder}) {
        try {
            fitting.model = std::make_unique<TransformerModel>(small_model(mechanism, kind));
            break;
        } catch (const Error& error) {
            fitting.refusal += (fitting.refusal.empty() ? "" : " | ") + std::string(error.what());
        }
    }
    return fitting;
}

class TrainedMechanism : public testing::TestWithParam<const Mechanism*> {
protected:
    void SetUp() override {
        ASSERT_EQ(fitting.model == nullptr, is_in(cannot_learn, *GetParam())) << fitting.refusal;
        if (!fitting.model)
            GTEST_SKIP() << GetParam()->id << " cannot learn: " << fitting.refusal;
    }
    const Fitting& fitting = fitting_model(*GetParam());
};

TEST_P(TrainedMechanism, Learns) {
    const TransformerModel& model = *fitting.model;
    EXPECT_EQ(model.configuration().kind != TransformerKind::decoder, GetParam()->properties.needs_whole_text)
        << fitting.refusal;
    std::cout << GetParam()->id << ": ";
    for (const SiteDescription& site : model.sites())
        std::cout << site.name << (site.is_program ? " by its program " : " as usual ");
    std::cout << '\n';
    expect_to_learn(model);
}

TEST_P(TrainedMechanism, HasTheGradientOfDifferences) {
    double largest = 0;
    for (const auto& [site, gradient] : expect_gradient_of_differences(*fitting.model, 1e-5))
        largest = std::max(largest, gradient);
    EXPECT_GT(largest, 0);
}

/// What the engine computes for the layer, from the same token vectors and parameters.
Trace engine_run(const nn::GraphAttention& layer, const nn::NamedWeights& places,
                 const std::vector<double>& weights, const Tensor& query, const std::optional<Tensor>& key) {
    Inputs inputs{.query = query, .key = key};
    const Tensor& keys = inputs.key_tokens();
    const TokenDimensions tokens{query.cols(), keys.cols(), keys.cols(), query.rows(), keys.rows()};
    for (const ParameterInfo& info : required_parameters(layer.spec(), tokens, {})) {
        Tensor cut(info.shape);
        nn::for_each_trained_number(
            info.shape, places[info.name], layer.spec().heads.count(), [&](Index to, Index from) {
                cut.values()[static_cast<std::size_t>(to)] = weights[static_cast<std::size_t>(from)];
            });
        inputs.parameters.emplace(info.name, std::move(cut));
    }
    const PlanOptions options{.seed = substream(nn::GraphAttention::draws(), std::uint64_t(0))};
    return record(std::make_shared<const Plan>(plan(layer.spec(), inputs, options)));
}

TEST_P(TrainedMechanism, HasTheNumbersOfTheEngine) {
    int compared = 0;
    for (const SitePlace place :
         {SitePlace::encoder, SitePlace::decoder, SitePlace::cross, SitePlace::step}) {
        const bool is_step = place == SitePlace::step;
        const Index key_width = is_step ? 2 * width : width;  // of an encoder that reads in both directions
        std::shared_ptr<const nn::GraphAttention> layer;
        try {
            layer = mechanism_at(spec_of(*GetParam()), place, width, longest, key_width);
        } catch (const Error& error) {
            EXPECT_NE(place, SitePlace::encoder) << error.what();
            continue;
        }
        for (const std::string& each : layer->unlearned())
            std::cout << GetParam()->id << " does not learn " << each << '\n';
        nn::ParameterLayout layout;
        const nn::NamedWeights places = layer->add_parameters(layout, "");
        const std::vector<double> weights = layout.initial_values<double>(5);
        nn::Tape<double> tape(weights);
        const auto drawn = [&](Index rows, Index columns, std::uint64_t seed) {
            Tensor tokens({rows, columns});
            for (Index i = 0; i < tokens.size(); ++i)
                tokens.values()[static_cast<std::size_t>(i)] =
                    4 * uniform(substream(seed, static_cast<std::uint64_t>(i))) - 2;
            return tokens;
        };
        const auto on_tape = [&](const Tensor& tokens) {
            const nn::Variable<double> made = tape.constant(tokens.rows(), tokens.cols());
            std::ranges::copy(tokens.values(), made.value);
            return made;
        };
        for (const Index queries : is_step ? std::vector<Index>{1} : std::vector<Index>{7, 5}) {
            const Tensor query = drawn(queries, width, 1);
            std::optional<Tensor> key;
            nn::GraphOperands<double> operands;
            operands.query = on_tape(query);
            if (place == SitePlace::cross || is_step) {
                key = drawn(6, key_width, 2);
                operands.key = on_tape(*key);
            }
            nn::Variable<double> maps;
            const nn::Variable<double> output = layer->attend(tape, operands, places, &maps);
            const Trace trace = engine_run(*layer, places, weights, query, key);
            const auto expected = trace.values(*trace.find("output"));
            ASSERT_EQ(output.size(), std::ssize(expected));
            for (Index i = 0; i < output.size(); ++i)
                EXPECT_NEAR(output.value[i], expected[static_cast<std::size_t>(i)],
                            1e-9 * std::max(1.0, std::abs(output.value[i])))
                    << "output, number " << i;
            const Stage* stage = trace.find("weights");
            const bool has_maps = maps.value && stage && stage->size() == maps.size();
            if (has_maps)
                for (Index i = 0; i < maps.size(); ++i) {
                    EXPECT_NEAR(maps.value[i], trace.values(*stage)[static_cast<std::size_t>(i)], 1e-9)
                        << "weights, number " << i;
                }
            ++compared;
        }
    }
    EXPECT_GT(compared, 0);
}

/// Whose keys and values a layer at least can have from another one.
const std::vector<std::string> can_share{
    "scaled_dot_product", "multi_head", "grouped_query", "multi_query", "rope", "window", "alibi",
    "sparsemax",          "linear"};

/// A layer that is given its own tokens as those of another's keys does what it does alone: no part of a spec
/// asks whether queries and keys are one sequence, or the mechanism is refused.
TEST_P(TrainedMechanism, DoesWithItsOwnTokensAsKeysWhatItDoesAlone) {
    const auto own = mechanism_at(spec_of(*GetParam()), SitePlace::encoder, width, longest);
    std::shared_ptr<const nn::GraphAttention> sharing;
    try {
        require_same_keys(*own, *own, "layer 1");
        sharing = with_keys_of_another(*own, SitePlace::encoder, width, longest);
    } catch (const Error& error) {
        std::cout << GetParam()->id << " shares no keys and values: " << error.what() << '\n';
        EXPECT_FALSE(is_in(can_share, *GetParam())) << error.what();
        return;
    }
    ASSERT_EQ(own->parameters().size(), sharing->parameters().size());
    for (std::size_t i = 0; i < own->parameters().size(); ++i) {
        ASSERT_EQ(own->parameters()[i].name, sharing->parameters()[i].name);
        ASSERT_EQ(own->parameters()[i].shape, sharing->parameters()[i].shape);
    }
    nn::ParameterLayout layout;
    const nn::NamedWeights places = own->add_parameters(layout, "");
    const std::vector<double> weights = layout.initial_values<double>(5);
    nn::Tape<double> tape(weights);
    for (const Index tokens : {Index(19), Index(5)}) {
        nn::GraphOperands<double> operands;
        operands.query = tape.constant(tokens, width);
        for (Index i = 0; i < operands.query.size(); ++i)
            operands.query.value[i] = 4 * uniform(substream(1, static_cast<std::uint64_t>(i))) - 2;
        const nn::Variable<double> alone = own->attend(tape, operands, places);
        operands.key = operands.query;
        const nn::Variable<double> output = sharing->attend(tape, operands, places);
        ASSERT_EQ(output.size(), alone.size());
        for (Index i = 0; i < output.size(); ++i)
            EXPECT_NEAR(output.value[i], alone.value[i], 1e-9 * std::max(1.0, std::abs(alone.value[i])))
                << "output, number " << i << " of " << tokens << " tokens";
    }
}

TEST_P(TrainedMechanism, IsReadStepByStep) { expect_to_be_read_step_by_step(*fitting.model); }

INSTANTIATE_TEST_SUITE_P(Catalogue, TrainedMechanism, testing::ValuesIn(all_mechanisms()),
                         [](const auto& row) { return std::string(row.param->id); });

}}  // namespace headlight::trained_mechanisms_test
