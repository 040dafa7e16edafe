// Every mechanism of the catalogue as the attention of a small model, by its program: it learns, its gradient
// is what differences say, and its trace is what the layer used. Those that cannot learn say why. The same of
// models whose layers differ, and of recurrent ones, which ask one query a step.

#include "core/attention/executor.h"
#include "core/catalog/mechanism.h"
#include "core/model/generation_trace.h"
#include "core/model/mechanism_site.h"
#include "core/model/recurrent_model.h"
#include "core/model/shared_keys.h"
#include "core/model/transformer_model.h"
#include "core/nn/optimizer.h"
#include "core/nn/trained_numbers.h"
#include "core/tensor/error.h"
#include "core/tensor/random.h"
#include "tests/support/gradients.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <optional>

namespace headlight::trained_mechanisms_test { namespace {

constexpr Index words = 6, width = 8, heads = 2, longest = 32;

/// Where they look changes only by leaps. What a test prints says at which operation.
const std::vector<std::string> cannot_learn{"hard"};

/// Those whose queries depend on later ones, whatever the mask, or, bigbird, hstu and block_diffusion, on how
/// many there are: nothing for a decoder. docs/command-line.md names them.
const std::vector<std::string> look_ahead{"bigbird",
                                          "block_diffusion",
                                          "local_p",
                                          "linformer",
                                          "nystrom",
                                          "cosformer",
                                          "routing",
                                          "sinkhorn",
                                          "slot",
                                          "dual_softmax",
                                          "external_memory",
                                          "squeeze_excitation",
                                          "eca",
                                          "cbam",
                                          "simam",
                                          "inducing_points",
                                          "agent",
                                          "cross_covariance",
                                          "hstu",
                                          "lambda_layer",
                                          "fastformer",
                                          "separable",
                                          "fourier"};

bool is_in(const std::vector<std::string>& ids, const Mechanism& mechanism) {
    return std::ranges::find(ids, mechanism.id) != ids.end();
}

AttentionSpec spec_of(const Mechanism& mechanism) { return with_heads(build_spec(mechanism, {}), heads); }

TransformerConfiguration small_model(const Mechanism& mechanism, TransformerKind kind) {
    TransformerConfiguration c;
    c.kind = kind;
    c.source_vocabulary = c.target_vocabulary = words;
    c.width = width;
    c.heads = heads;
    c.feed_forward = 8;
    c.encoder_layers = c.decoder_layers = 1;
    c.longest = longest;
    c.mechanism = spec_of(mechanism);
    return c;
}

/// The model that the mechanism fits: a GPT, else an encoder with a decoder; the refusal of a GPT where
/// neither does.
struct Fitting {
    std::unique_ptr<TransformerModel> model;
    std::string refusal;
};

Fitting fitting_model(const Mechanism& mechanism) {
    Fitting fitting;
    for (const TransformerKind kind : {TransformerKind::decoder, TransformerKind::encoder_decoder}) {
        try {
            fitting.model = std::make_unique<TransformerModel>(small_model(mechanism, kind));
            return fitting;
        } catch (const Error& error) {
            fitting.refusal += (fitting.refusal.empty() ? "" : " | ") + std::string(error.what());
        }
    }
    return fitting;
}

/// Sequences of 5 to 7 tokens.
Batch small_batch() {
    const std::vector<std::vector<Index>> sources{{1, 2, 0, 2, 5, 3}, {3, 1, 4, 4, 1}, {0, 5, 1, 2, 3, 4, 2}},
        inputs{{0, 2, 3, 1, 5}, {0, 4, 2, 2, 3, 1, 5}, {0, 1, 1, 3, 5, 2}},
        labels{{2, 3, 1, 5, 2}, {4, 2, 2, 3, 1, 5, 1}, {1, 1, 3, 5, 2, 4}};
    return {side_by_side(sources), side_by_side(inputs), side_by_side(labels)};
}

/// 20 steps of Adam in float lower the loss.
void expect_to_learn(const TransformerModel& model) {
    const Batch batch = small_batch();
    std::vector<float> weights = model.layout().initial_values<float>(1), gradient(weights.size());
    nn::Adam<float> adam(std::ssize(weights), {});
    std::vector<float> losses;
    nn::Tape<float> tape(weights, gradient);
    for (int step = 0; step <= 20; ++step) {
        tape.clear();
        std::ranges::fill(gradient, 0.0f);
        const nn::Variable<float> loss = model.loss(tape, batch, 18.0f);
        losses.push_back(*loss.value);
        ASSERT_TRUE(std::isfinite(losses.back())) << "step " << step;
        tape.backward(loss);
        adam.step(weights, gradient, 0.01);
    }
    EXPECT_LT(losses.back(), losses.front());
}

/// Sampled weights have the gradient of central differences. Returns the largest gradient of what each site
/// has learned, by its name.
std::map<std::string, double> expect_gradient_of_differences(const TransformerModel& model, double change) {
    const Batch batch = small_batch();
    const test::Loss loss = [&](nn::Tape<double>& tape) { return model.loss(tape, batch, 18.0); };
    std::vector<double> weights = model.layout().initial_values<double>(3);
    // Embeddings begin so small that every token is nearly the same; constants stand at kinks.
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] += 0.4 * uniform(substream(7, i)) - 0.2;
    const std::vector<double> gradient = test::gradient_at(weights, loss);
    std::uint64_t draw = 0;
    std::map<std::string, double> largest_of;
    for (const auto& entry : model.layout().entries()) {
        const auto first = static_cast<std::size_t>(entry.weight.offset);
        const auto size = static_cast<std::size_t>(entry.weight.size());
        const auto of = std::span(gradient).subspan(first, size);
        const auto largest =
            std::ranges::max_element(of, {}, [](double number) { return std::abs(number); }) - of.begin();
        const std::size_t part = std::min(entry.name.find(".self."), entry.name.find(".cross."));
        const bool is_inside = part != std::string::npos;
        const auto any = static_cast<std::size_t>(uniform(substream(11, draw++)) * static_cast<double>(size));
        const bool is_parameter = is_inside && entry.name.find("norm.") == std::string::npos;
        if (is_parameter) {
            double& known = largest_of[entry.name.substr(0, entry.name.find('.', part + 1))];
            known = std::max(known, std::abs(of[static_cast<std::size_t>(largest)]));
        }
        std::vector<std::size_t> places{first + static_cast<std::size_t>(largest)};
        if (is_inside)
            places.push_back(first + any);
        for (const std::size_t place : places) {
            const double at = weights[place];
            weights[place] = at + change;
            const double above = test::loss_at(weights, loss);
            weights[place] = at - change;
            const double below = test::loss_at(weights, loss);
            weights[place] = at;
            const double expected = (above - below) / (2 * change);
            EXPECT_NEAR(gradient[place], expected, 1e-6 * std::max(1.0, std::abs(expected)))
                << entry.name << "[" << place - first << "]";
        }
    }
    return largest_of;
}

const std::vector<Index> source_tokens{1, 2, 0, 4, 5}, read_tokens{0, 3, 2, 5, 1};

/// A model with its first weights that has read `read_tokens` step by step.
struct ReadModel {
    template <class Configuration>
    ReadModel(const Configuration& configuration, const std::vector<Index>& source)
        : host(make_host(configuration)), weights(host->layout().initial_values<float>(1)),
          generation(*host, weights, source), source_size(source.size()) {
        for (const Index token : read_tokens)
            generation.read(token);
    }

    std::vector<SiteRecord> records() const {
        const GeneratedWords said{.source = std::vector<std::string>(source_size, "s"),
                                  .read = std::vector<std::string>(read_tokens.size(), "r"),
                                  .said = std::vector<std::string>(read_tokens.size(), "w")};
        return site_records(*host, weights, generation, said);
    }

    std::unique_ptr<Host> host;
    std::vector<float> weights;
    Generation generation;
    std::size_t source_size;
};

/// Read step by step, the model says what it says at once, and what its sites saw is what their traces show.
void expect_to_be_read_step_by_step(const TransformerModel& model) {
    const TransformerConfiguration& configuration = model.configuration();
    const bool has_source = configuration.kind == TransformerKind::encoder_decoder;
    const std::vector<Index> source = has_source ? source_tokens : std::vector<Index>();
    const ReadModel reading(configuration, source);
    const Generation& generation = reading.generation;
    const std::vector<SiteRecord> records = reading.records();
    EXPECT_EQ(records.size(), reading.host->sites().size());
    // All at once: the logits of the last step.
    nn::Tape<float> tape(reading.weights);
    const Sequences sources = side_by_side(std::span(&source, 1)),
                    tokens = side_by_side(std::span(&read_tokens, 1));
    nn::Variable<float> encoded;
    if (has_source)
        encoded = model.encode(tape, sources);
    auto memory = model.remember(tape, encoded, sources);
    const nn::Variable<float> logits = model.logits(tape, model.decode(tape, memory, tokens));
    for (Index i = 0; i < logits.columns; ++i)
        EXPECT_NEAR(logits.row(logits.rows - 1)[i],
                    generation.steps().back().logits[static_cast<std::size_t>(i)], 1e-4);
    for (const SiteRecord& record : records) {
        const auto steps = steps_of(record.site, generation);
        const Stage* stage = record.trace->find("weights");
        if (!record.site.is_program || record.site.in_encoder || !stage ||
            steps.back()->weights.size() != steps.back()->heads * stage->shape.back())
            continue;
        const auto traced = record.trace->values(*stage);
        const SiteStep& last = *steps.back();
        const Index keys = stage->shape.back(), rows = std::ssize(traced) / keys / last.heads;
        for (Index head = 0; head < last.heads; ++head)
            for (Index key = 0; key < keys; ++key)
                EXPECT_NEAR(last.weights(head, key),
                            traced[static_cast<std::size_t>((head * rows + rows - 1) * keys + key)], 1e-5)
                    << record.site.name;
    }
}

class TrainedMechanism : public testing::TestWithParam<const Mechanism*> {
protected:
    void SetUp() override {
        fitting = fitting_model(*GetParam());
        ASSERT_EQ(fitting.model == nullptr, is_in(cannot_learn, *GetParam())) << fitting.refusal;
        if (!fitting.model)
            GTEST_SKIP() << GetParam()->id << " cannot learn: " << fitting.refusal;
    }
    Fitting fitting;
};

TEST_P(TrainedMechanism, Learns) {
    const TransformerModel& model = *fitting.model;
    EXPECT_EQ(model.configuration().kind != TransformerKind::decoder, is_in(look_ahead, *GetParam()))
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

std::vector<const Mechanism*> all_mechanisms() {
    std::vector<const Mechanism*> all;
    for (const Mechanism& mechanism : mechanisms())
        all.push_back(&mechanism);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, TrainedMechanism, testing::ValuesIn(all_mechanisms()),
                         [](const auto& row) { return std::string(row.param->id); });

/// Those of which each query knows its answer by itself, and those of which it cannot; what the others are is
/// decided by their numbers.
const std::vector<std::string> asked_one_at_a_time{
    "multi_head",     "multi_query", "grouped_query",   "gated",   "headwise_gate",
    "self_attention", "cross",       "additive",        "general", "sparsemax",
    "entmax",         "softcap",     "inducing_points", "coda",    "persistent_memory"};
const std::vector<std::string> never_asked_one_at_a_time{"causal",
                                                         "window",
                                                         "cross_covariance",
                                                         "local_m",
                                                         "rope",
                                                         "agent",
                                                         "sinkhorn",
                                                         "slot",
                                                         "coverage",
                                                         "location_aware",
                                                         "mocha",
                                                         "simam",
                                                         "external_memory",
                                                         "path",
                                                         "squeeze_excitation",
                                                         "hard",
                                                         "monotonic",
                                                         "dual_softmax",
                                                         "dynamic_convolution"};

/// A recurrent model with the mechanism; the reason where there can be none.
struct FittingRecurrent {
    std::unique_ptr<RecurrentModel> model;
    std::string refusal;
};

FittingRecurrent fitting_recurrent(const Mechanism& mechanism) {
    RecurrentConfiguration c;
    c.source_vocabulary = c.target_vocabulary = words;
    c.embedding = 4;
    c.width = width;
    c.longest = longest;
    c.mechanism = spec_of(mechanism);
    FittingRecurrent fitting;
    for (const bool bidirectional : {true, false}) {
        c.bidirectional = bidirectional;
        c.style = bidirectional ? DecoderStyle::luong : DecoderStyle::bahdanau;
        try {
            fitting.model = std::make_unique<RecurrentModel>(c);
            return fitting;
        } catch (const Error& error) {
            fitting.refusal += (fitting.refusal.empty() ? "" : " | ") + std::string(error.what());
        }
    }
    return fitting;
}

class RecurrentMechanism : public testing::TestWithParam<const Mechanism*> {
protected:
    void SetUp() override {
        fitting = fitting_recurrent(*GetParam());
        if (is_in(asked_one_at_a_time, *GetParam())) {
            ASSERT_TRUE(fitting.model) << fitting.refusal;
        }
        if (is_in(never_asked_one_at_a_time, *GetParam())) {
            ASSERT_FALSE(fitting.model);
        }
        if (!fitting.model) {
            EXPECT_NE(fitting.refusal.find("expected "), std::string::npos) << fitting.refusal;
            GTEST_SKIP() << GetParam()->id << " is not asked one at a time: " << fitting.refusal;
        }
    }
    FittingRecurrent fitting;
};

TEST_P(RecurrentMechanism, LearnsInARecurrentModel) {
    const RecurrentModel& model = *fitting.model;
    const Batch batch = small_batch();
    std::vector<float> weights = model.layout().initial_values<float>(1), gradient(weights.size());
    nn::Adam<float> adam(std::ssize(weights), {});
    nn::Tape<float> tape(weights, gradient);
    std::vector<float> losses;
    for (int step = 0; step <= 2; ++step) {
        tape.clear();
        std::ranges::fill(gradient, 0.0f);
        const nn::Variable<float> loss = model.loss(tape, batch, 18.0f);
        losses.push_back(*loss.value);
        tape.backward(loss);
        ASSERT_TRUE(std::isfinite(losses.back())) << "step " << step;
        bool has_parameters = false, learns_one = false;
        for (const auto& entry : model.layout().entries())
            if (entry.name.starts_with("attention.")) {
                has_parameters = true;
                const auto of = std::span(gradient).subspan(static_cast<std::size_t>(entry.weight.offset),
                                                            static_cast<std::size_t>(entry.weight.size()));
                learns_one = learns_one || std::ranges::any_of(of, [](float each) { return each != 0; });
            }
        EXPECT_EQ(has_parameters, learns_one);
        adam.step(weights, gradient, 0.01);
    }
    EXPECT_LT(losses.back(), losses.front());
}

// Row t of the trace of a site, which the engine computes of all steps together, is what step t saw.
TEST_P(RecurrentMechanism, IsTracedAsItWasAsked) {
    const ReadModel reading(fitting.model->configuration(), source_tokens);
    const std::vector<SiteRecord> records = reading.records();
    ASSERT_EQ(records.size(), 1u);
    const SiteRecord& record = records.front();
    EXPECT_TRUE(record.site.is_program && record.site.looks_at_source);
    EXPECT_EQ(record.plan->queries, std::ssize(read_tokens));
    const auto steps = steps_of(record.site, reading.generation);
    ASSERT_EQ(steps.size(), read_tokens.size());
    const Stage* stage = record.trace->find("weights");
    const Index maps = steps.front()->heads, rows = std::ssize(read_tokens), keys = std::ssize(source_tokens);
    if (!stage || stage->size() != maps * rows * keys || steps.front()->weights.size() == 0)
        GTEST_SKIP() << GetParam()->id << " has no map of its own";
    const auto traced = record.trace->values(*stage);
    for (Index row = 0; row < rows; ++row)
        for (Index head = 0; head < maps; ++head)
            for (Index key = 0; key < keys; ++key)
                EXPECT_NEAR(steps[static_cast<std::size_t>(row)]->weights(head, key),
                            traced[static_cast<std::size_t>((head * rows + row) * keys + key)], 1e-5)
                    << "step " << row << ", head " << head << ", key " << key;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, RecurrentMechanism, testing::ValuesIn(all_mechanisms()),
                         [](const auto& row) { return std::string(row.param->id); });

struct Layered {
    std::string name;
    TransformerKind kind;
    std::vector<std::string> encoder, decoder;
    SharedKeys encoder_shares{}, decoder_shares{};
};
void PrintTo(const Layered& row, std::ostream* out) { *out << row.name; }

TransformerConfiguration layered_model(const Layered& row) {
    TransformerConfiguration c = small_model(mechanism("window"), row.kind);
    c.mechanism.reset();
    for (const std::string& id : row.encoder)
        c.encoder_mechanisms.push_back(spec_of(mechanism(id)));
    for (const std::string& id : row.decoder)
        c.decoder_mechanisms.push_back(spec_of(mechanism(id)));
    c.encoder_layers = std::ssize(row.encoder);
    c.decoder_layers = std::ssize(row.decoder);
    c.encoder_shares = row.encoder_shares;
    c.decoder_shares = row.decoder_shares;
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
    TransformerConfiguration short_list = layered_model(gpt);
    short_list.decoder_layers = 3;
    EXPECT_EQ(refusal_of(short_list),
              "decoder: make a Transformer: expected 3 mechanisms, one for each layer, "
              "or none, got 2");
}

}}  // namespace headlight::trained_mechanisms_test
