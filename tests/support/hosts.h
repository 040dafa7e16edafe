#pragma once

// Small hosts of every kind, for the tests of what all of them do.

#include "core/model/model_spec.h"
#include "core/tensor/random.h"

#include <functional>
#include <ostream>
#include <string>

namespace headlight::test {

struct HostCase {
    std::string name;
    std::function<std::unique_ptr<Host>()> make;
    bool has_source = true;
    bool is_classifier = false;
    bool draws = false;  ///< when it learns: its loss is not that of what it says
};
inline void PrintTo(const HostCase& each, std::ostream* out) { *out << each.name; }

inline constexpr Index source_words = 6, target_words = 7;

inline RecurrentConfiguration small_recurrent(DecoderStyle style, ScoreType score) {
    RecurrentConfiguration c;
    c.source_vocabulary = source_words;
    c.target_vocabulary = target_words;
    c.embedding = 4;
    c.width = 6;
    c.style = style;
    c.score.type = score;
    c.longest = 10;
    return c;
}

/// A source that is seen: patches of three pixels, of which each token always has the same.
inline SourceFrames small_patches() {
    constexpr Index pixels = 3;
    return {pixels, [](std::span<const Index> tokens) {
                std::vector<float> all;
                for (const Index token : tokens)
                    for (Index pixel = 0; pixel < pixels; ++pixel)
                        all.push_back(static_cast<float>((token * pixels + pixel) * 5 % 7) / 8);
                return FloatTensor({std::ssize(tokens), pixels}, std::move(all));
            }};
}

inline TransformerConfiguration small_transformer(TransformerKind kind, PositionEncoding places) {
    TransformerConfiguration c;
    c.kind = kind;
    c.source_vocabulary = source_words;
    c.target_vocabulary = target_words;
    c.width = 8;
    c.heads = 2;
    c.feed_forward = 12;
    c.longest = 10;
    c.places = places;
    return c;
}

inline std::vector<HostCase> host_cases() {
    using enum DecoderStyle;
    std::vector<HostCase> all;
    const auto add = [&](const std::string& name, const auto& configuration) -> HostCase& {
        return all.emplace_back(HostCase{name, [configuration] { return make_host(configuration); }});
    };
    const auto add_recurrent = [&](const std::string& name, DecoderStyle style, ScoreType score,
                                   const auto& change) -> HostCase& {
        RecurrentConfiguration c = small_recurrent(style, score);
        change(c);
        return add(name, c);
    };
    const auto as_it_is = [](auto&) {};
    add_recurrent("bahdanau_gru", bahdanau, ScoreType::additive, as_it_is);
    add_recurrent("luong_lstm", luong, ScoreType::general, [](auto& c) { c.cell = nn::CellType::lstm; });
    add_recurrent("luong_dot_rnn", luong, ScoreType::dot, [](auto& c) {
        c.cell = nn::CellType::rnn;
        c.bidirectional = c.input_feeding = false;
    });
    add_recurrent("wrapper_concat", wrapper, ScoreType::concat, [](auto& c) { c.score.bias = true; });
    add_recurrent("location_aware", bahdanau, ScoreType::location_aware, as_it_is);
    add_recurrent("coverage", luong, ScoreType::coverage, as_it_is);
    add_recurrent("location", luong, ScoreType::location, as_it_is);
    add_recurrent("random_synthesizer", luong, ScoreType::random_synthesizer,
                  [](auto& c) { c.bidirectional = false; });
    add_recurrent("local_m", luong, ScoreType::general, [](auto& c) {
        c.window = {LocalWindow::Kind::monotonic, 1};
    });
    add_recurrent("local_p", luong, ScoreType::general, [](auto& c) {
        c.window = {LocalWindow::Kind::predicted, 2};
    });
    add_recurrent("pointer", bahdanau, ScoreType::additive, [](auto& c) { c.copies = true; });
    add_recurrent("pointer_network", luong, ScoreType::additive, [](auto& c) {
        c.points = true;
        c.input_feeding = false;
    });
    add_recurrent("pointer_network_bahdanau", bahdanau, ScoreType::additive,
                  [](auto& c) { c.points = true; });
    add_recurrent("gnmt", bahdanau, ScoreType::additive, [](auto& c) {
        c.cell = nn::CellType::lstm;
        c.layers = 3;
    });
    add_recurrent("luong_layers", luong, ScoreType::general, [](auto& c) { c.layers = 4; });
    add_recurrent("hops", luong, ScoreType::dot, [](auto& c) {
        c.bidirectional = false;
        c.hops = 3;
    });
    add_recurrent("dense", dense, ScoreType::additive, as_it_is);
    for (const auto& [name, type] : {std::pair{"sparsemax", NormalizerType::sparsemax},
                                     {"sink", NormalizerType::sink},
                                     {"monotonic", NormalizerType::monotonic},
                                     {"stick_breaking", NormalizerType::stick_breaking}})
        add_recurrent(name, bahdanau, ScoreType::additive,
                      [type = type](auto& c) { c.normalizer.type = type; });
    add_recurrent("hard", bahdanau, ScoreType::additive, [](auto& c) {
        c.normalizer.type = NormalizerType::hard;
    }).draws = true;
    add_recurrent("gumbel", bahdanau, ScoreType::additive,
                  [](auto& c) { c.normalizer.type = NormalizerType::gumbel; });

    const auto add_transformer = [&](const std::string& name, TransformerKind kind, PositionEncoding places,
                                     const auto& change) -> HostCase& {
        TransformerConfiguration c = small_transformer(kind, places);
        change(c);
        HostCase& made = add(name, c);
        made.has_source = kind != TransformerKind::decoder;
        made.is_classifier = kind == TransformerKind::encoder;
        return made;
    };
    constexpr auto both = TransformerKind::encoder_decoder, decoder = TransformerKind::decoder;
    add_transformer("transformer", both, PositionEncoding::sinusoidal, as_it_is);
    add_transformer("transformer_norm_after", both, PositionEncoding::learned,
                    [](auto& c) { c.norm = NormPlacement::after; });
    add_transformer("gpt_rotary", decoder, PositionEncoding::rotary, as_it_is);
    add_transformer("gpt_alibi", decoder, PositionEncoding::alibi, as_it_is);
    add_transformer("encoder", TransformerKind::encoder, PositionEncoding::learned, as_it_is);
    for (const NormPlacement norm : {NormPlacement::before, NormPlacement::after})
        add_transformer(norm == NormPlacement::before ? "set_norm_before" : "set", TransformerKind::encoder,
                        PositionEncoding::none, [norm](auto& c) {
                            c.pooling = Pooling::attention;
                            c.norm = norm;
                        });
    add_transformer("vision", TransformerKind::encoder, PositionEncoding::learned, [](auto& c) {
        c.pooling = Pooling::attention;
        c.frames = small_patches();
    });
    add_transformer("encoder_asked_additively", TransformerKind::encoder, PositionEncoding::rotary,
                    [](auto& c) {
                        c.pooling = Pooling::attention;
                        c.score.type = ScoreType::additive;
                        c.normalizer.type = NormalizerType::sparsemax;
                        c.feed_forward = 0;
                    });
    add_transformer("universal", both, PositionEncoding::sinusoidal, [](auto& c) {
        c.encoder = c.decoder = std::vector<LayerSpec>(1);
        c.turns = 3;
    });
    add_transformer("gpt_turns", decoder, PositionEncoding::alibi, [](auto& c) { c.turns = 2; });
    add_transformer("convolutional", both, PositionEncoding::learned, [](auto& c) {
        c.mixer = Mixer::convolution;
        c.feed_forward = 0;
    });
    add_transformer("convolutional_wide", both, PositionEncoding::sinusoidal, [](auto& c) {
        c.mixer = Mixer::convolution;
        c.reach = 4;
        c.norm = NormPlacement::after;
    });
    add_transformer("gpt_segments", decoder, PositionEncoding::rotary, [](auto& c) { c.segment = 2; });
    add_transformer("gpt_segments_sparsemax", decoder, PositionEncoding::alibi, [](auto& c) {
        c.segment = 1;
        c.normalizer.type = NormalizerType::sparsemax;
    });
    add_transformer("xl", decoder, PositionEncoding::distances, [](auto& c) { c.segment = 1; });
    add_transformer("xl_norm_after", decoder, PositionEncoding::distances, [](auto& c) {
        c.segment = 2;
        c.norm = NormPlacement::after;
    });
    add_transformer("two_streams", decoder, PositionEncoding::sinusoidal, [](auto& c) {
        c.two_streams = true;
    }).draws = true;
    add_transformer("two_streams_norm_after", decoder, PositionEncoding::learned, [](auto& c) {
        c.two_streams = true;
        c.norm = NormPlacement::after;
        c.normalizer.type = NormalizerType::sparsemax;
    }).draws = true;
    add_transformer("two_streams_turns", decoder, PositionEncoding::sinusoidal, [](auto& c) {
        c.two_streams = true;
        c.turns = 2;
    }).draws = true;
    add_transformer("transformer_segments", both, PositionEncoding::sinusoidal, [](auto& c) {
        c.segment = 1;
        c.turns = 2;
    });
    add_transformer("transformer_distances", both, PositionEncoding::distances, as_it_is);
    add_transformer("transformer_additive", both, PositionEncoding::sinusoidal,
                    [](auto& c) { c.score.type = ScoreType::additive; });
    add_transformer("transformer_synthesizer", both, PositionEncoding::sinusoidal,
                    [](auto& c) { c.score.type = ScoreType::random_synthesizer; });
    add_transformer("transformer_monotonic", both, PositionEncoding::sinusoidal,
                    [](auto& c) { c.normalizer.type = NormalizerType::monotonic; });
    add_transformer("gpt_sink", decoder, PositionEncoding::rotary,
                    [](auto& c) { c.normalizer.type = NormalizerType::sink; });
    add_transformer("gpt_qk_norm", decoder, PositionEncoding::sinusoidal,
                    [](auto& c) { c.score.vector_norm = VectorNorm::rms; });
    return all;
}

/// Numbers large enough that everything makes a difference.
inline std::vector<float> lively_weights(const nn::ParameterLayout& layout, std::uint64_t seed = 1) {
    std::vector<float> weights(static_cast<std::size_t>(layout.size()));
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = static_cast<float>(2 * uniform(substream(seed, i)) - 1);
    return weights;
}

}  // namespace headlight::test
