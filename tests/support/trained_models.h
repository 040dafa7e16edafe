#pragma once

// What the tests share of mechanisms that learn as the attention of a small model: the model, what it is held
// to, and how it is read step by step.

#include "core/catalog/mechanism.h"
#include "core/model/generation_trace.h"
#include "core/model/mechanism_site.h"
#include "core/model/model_spec.h"
#include "core/nn/optimizer.h"
#include "core/tensor/random.h"
#include "tests/support/gradients.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace headlight::trained_models {

inline constexpr Index vocabulary = 6, width = 8, heads = 2, longest = 32;

inline bool is_in(const std::vector<std::string>& ids, const Mechanism& mechanism) {
    return std::ranges::find(ids, mechanism.id) != ids.end();
}

inline AttentionSpec spec_of(const Mechanism& mechanism) {
    return with_heads(build_spec(mechanism, {}), heads);
}

inline TransformerConfiguration small_model(const Mechanism& mechanism, TransformerKind kind) {
    TransformerConfiguration c;
    c.kind = kind;
    c.source_vocabulary = c.target_vocabulary = vocabulary;
    c.width = width;
    c.heads = heads;
    c.feed_forward = 8;
    c.encoder = c.decoder = std::vector<LayerSpec>(1);
    c.longest = longest;
    c.set_mechanism(spec_of(mechanism));
    return c;
}

inline std::vector<const Mechanism*> all_mechanisms() {
    std::vector<const Mechanism*> all;
    for (const Mechanism& mechanism : mechanisms())
        all.push_back(&mechanism);
    return all;
}

/// Sequences of 5 to 7 tokens.
inline Batch small_batch() {
    const std::vector<std::vector<Index>> sources{{1, 2, 0, 2, 5, 3}, {3, 1, 4, 4, 1}, {0, 5, 1, 2, 3, 4, 2}},
        inputs{{0, 2, 3, 1, 5}, {0, 4, 2, 2, 3, 1, 5}, {0, 1, 1, 3, 5, 2}},
        labels{{2, 3, 1, 5, 2}, {4, 2, 2, 3, 1, 5, 1}, {1, 1, 3, 5, 2, 4}};
    return {side_by_side(sources), side_by_side(inputs), side_by_side(labels)};
}

/// 20 steps of Adam in float lower the loss.
inline void expect_to_learn(const TransformerModel& model) {
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
inline std::map<std::string, double> expect_gradient_of_differences(const TransformerModel& model,
                                                                    double change) {
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

inline const std::vector<Index> source_tokens{1, 2, 0, 4, 5}, read_tokens{0, 3, 2, 5, 1};

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
inline void expect_to_be_read_step_by_step(const TransformerModel& model) {
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

}  // namespace headlight::trained_models
