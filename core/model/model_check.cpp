#include "core/model/model_check.h"

#include "core/attention/arithmetic_text.h"
#include "core/attention/spec_words.h"
#include "core/model/model_words.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr Index widest = 4096;  ///< of a model's vectors
constexpr Index most_learned_places = 65536;
constexpr Index widest_window = 65536;
constexpr Index most_drawn = 1000;  ///< keys for each query in training
constexpr double most_dropped = 0.99, largest_reward = 1000;

/// Throws what a model is refused for.
struct Refusing {
    const char* what;
    [[noreturn]] void operator()(const std::string& where, const std::string& expected,
                                 const std::string& got) const {
        throw Error({what, where, expected, got});
    }
};

/// `prefix` names the settings among those of the model: "window/".
template <class Settings>
void check_numbers(const Settings& settings, const Refusing& refuse, const std::string& prefix = {}) {
    const SettingNumbers<Settings> all = numbers_of<Settings>();
    for (const auto& number : all.whole) {
        const Index value = settings.*number.value;
        const bool exists = !number.exists || number.exists(settings);
        if (exists && (value < number.least || value > number.most))
            refuse(prefix + number.name, std::to_string(number.least) + " to " + std::to_string(number.most),
                   std::to_string(value));
    }
    for (const auto& number : all.real) {
        const double value = settings.*number.value;
        if (!(value >= number.least && value <= number.most))
            refuse(prefix + number.name,
                   "a number from " + format_number(number.least) + " to " + format_number(number.most),
                   format_number(value));
    }
}

// Recurrent models

void check_hops(const RecurrentConfiguration& c, const Refusing& refuse) {
    if (c.hops == 1 || c.mechanism)
        return;
    const std::string hops = std::to_string(c.hops);
    const NormalizerType type = c.normalizer.type;
    if (type == NormalizerType::hard)
        refuse("hops", "1: each draw of hard attention is one answer", hops);
    if (nn::remembers(c.score) || type == NormalizerType::monotonic || type == NormalizerType::chunkwise)
        refuse("hops", "1: what is remembered of the query before is that of one hop", hops);
    if (c.bidirectional && c.layers == 1)
        refuse("hops", "1, or an encoder of one direction, whose states are as wide as what is asked", hops);
}

void check_uses_of_weights(const RecurrentConfiguration& c, const Refusing& refuse) {
    if (c.points && c.copies)
        refuse("copies", "false, of a model that says nothing but words of its source", "true");
    const char* none = "none beside a mechanism: of its program the weights pass no gradient on";
    if (c.mechanism && c.quotes())
        refuse(c.copies ? "copies" : "points", none, "true");
    if (c.mechanism && c.coverage_loss != 0)
        refuse("coverage_loss", none, format_number(c.coverage_loss));
    if (!c.mechanism && c.coverage_loss > 0 && c.normalizer.type == NormalizerType::hard)
        refuse("coverage_loss", "0: the weights of hard attention are drawn, and pass no gradient on",
               format_number(c.coverage_loss));
    const auto is_word = [&](Index word) { return word >= Sequences::none && word < c.target_vocabulary; };
    if (c.quotes() && !c.copied_as.empty() &&
        (std::ssize(c.copied_as) != c.source_vocabulary || !std::ranges::all_of(c.copied_as, is_word)))
        refuse("copied_as",
               "a target word or none for each of " + std::to_string(c.source_vocabulary) + " source words",
               std::to_string(c.copied_as.size()) + " numbers");
}

void check_settings(const RecurrentConfiguration& c) {
    const Refusing refuse{"make a recurrent model"};
    check_numbers(c, refuse);
    check_numbers(c.window, refuse, "window/");
    check_numbers(c.reinforcement, refuse, "reinforcement/");
    const bool has_states = c.style != DecoderStyle::dense;
    if (!has_states && c.layers > 1)
        refuse("layers", "1: a dense decoder has no states", std::to_string(c.layers));
    if (!has_states && c.embedding % 2 != 0)
        refuse("embedding", "an even number: the waves of its places come in pairs",
               std::to_string(c.embedding));
    check_uses_of_weights(c, refuse);
    check_hops(c, refuse);
}

// Transformers

/// Sine waves come in pairs. Every head has an equal part of the width; where rotations turn pairs of
/// numbers, an even one.
void check_width(const TransformerConfiguration& c, const Refusing& refuse) {
    const bool is_turned = c.places == PositionEncoding::rotary;
    const bool has_waves =
        c.places == PositionEncoding::sinusoidal || c.places == PositionEncoding::distances || c.turns > 1;
    if ((is_turned || has_waves) && c.width % 2 != 0)
        refuse("width", "an even number: the waves of its places come in pairs", std::to_string(c.width));
    const Index unit = is_turned ? 2 : 1;
    if (c.width % (unit * c.heads) == 0)
        return;
    std::vector<std::string> possible;
    for (Index number = 1; number <= std::min(c.width, most_heads); ++number)
        if (c.width % (unit * number) == 0)
            possible.push_back(std::to_string(number));
    refuse("heads",
           list_in_words(possible, "or") + ", which cut the width " + std::to_string(c.width) +
               " into equal parts" + (is_turned ? " of an even number" : ""),
           std::to_string(c.heads));
}

/// Only layers that list their mechanisms have keys and values that others could share.
void check_shares(const std::vector<LayerSpec>& layers, std::size_t layer, const Refusing& refuse) {
    require_earlier_keys(shares_of(layers), layer, refuse.what, "shares");
    const LayerSpec& maker = layers[static_cast<std::size_t>(*layers[layer].shares)];
    for (const LayerSpec* each : {&layers[layer], &maker})
        if (!each->lists_mechanism())
            refuse("shares", "a mechanism of its own, here and in the layer that it names", "none");
}

void check_layers(const TransformerConfiguration& c, const Refusing& refuse) {
    const auto check_stack = [&](const std::vector<LayerSpec>& layers, const char* name, const char* side) {
        if (layers.empty() || std::ssize(layers) > most_transformer_layers)
            refuse(name, "1 to " + std::to_string(most_transformer_layers), std::to_string(layers.size()));
        for (std::size_t i = 0; i < layers.size(); ++i)
            if (layers[i].shares)
                try {
                    check_shares(layers, i, refuse);
                } catch (const Error& error) {
                    const bool has_both = c.has_encoder() && c.has_decoder();
                    throw error.within("layer " + std::to_string(i + 1) + (has_both ? side : ""));
                }
    };
    check_stack(c.encoder, "encoder_layers", " of the encoder");
    check_stack(c.decoder, "decoder_layers", " of the decoder");
    if (std::ranges::none_of(c.encoder, &LayerSpec::where_possible) &&
        std::ranges::none_of(c.decoder, &LayerSpec::where_possible))
        return;
    TransformerConfiguration alike = c;
    if (const AttentionSpec* mechanism = c.mechanism())
        alike.set_mechanism(*mechanism);
    if (!c.mechanism() || alike.encoder != c.encoder || alike.decoder != c.decoder)
        refuse("mechanism", "the same in all layers, where it is had wherever possible",
               "layers that differ");
}

void check_convolutions(const TransformerConfiguration& c, const Refusing& refuse) {
    if (c.mixer != Mixer::convolution)
        return;
    if (c.places == PositionEncoding::rotary || c.places == PositionEncoding::alibi ||
        c.places == PositionEncoding::distances)
        refuse("places", "sinusoidal, learned or none: a convolution has neither queries nor scores",
               to_word(c.places));
    if (c.kind != TransformerKind::encoder_decoder)
        refuse("mixer", "attention: a model with one stack would not attend", "convolution");
    if (std::ranges::any_of(c.encoder, &LayerSpec::lists_mechanism) ||
        std::ranges::any_of(c.decoder, &LayerSpec::lists_mechanism))
        refuse("mixer", "attention, as layers have mechanisms of their own", "convolution");
    if (c.segment > 0)
        refuse("segment", "0: a convolution attends to no text of its own", std::to_string(c.segment));
}

/// It goes by where tokens lie, one behind the other, and not by what they are.
bool goes_by_order(ScoreType score) {
    using enum ScoreType;
    return score == location || score == dense_synthesizer || score == random_synthesizer ||
           score == multi_token;
}

bool goes_by_order(NormalizerType normalizer) {
    using enum NormalizerType;
    return normalizer == monotonic || normalizer == chunkwise || normalizer == stick_breaking ||
           normalizer == adaptive_span || normalizer == chain || normalizer == forward;
}

/// Tokens lie in the order of their turns, which is another for each text: their places alone tell where they
/// stand.
void check_two_streams(const TransformerConfiguration& c, const Refusing& refuse) {
    if (!c.two_streams)
        return;
    if (c.kind != TransformerKind::decoder)
        refuse("two_streams", "false: only a decoder alone reads its text in any order", "true");
    if (std::ranges::any_of(c.decoder, [](const LayerSpec& layer) { return layer.mechanism.has_value(); }))
        refuse("mechanism", "none beside two streams: a program knows one, in the order of its text", "one");
    if (c.places != PositionEncoding::sinusoidal && c.places != PositionEncoding::learned)
        refuse("places", "sinusoidal or learned, as a query that knows no word is told its place",
               to_word(c.places));
    const char* anywhere = "one that is the same in whatever order two streams read";
    if (goes_by_order(c.score.type))
        refuse("score", anywhere, to_word(c.score.type));
    if (goes_by_order(c.normalizer.type))
        refuse("normalizer", anywhere, to_word(c.normalizer.type));
    if (c.segment > 0)
        refuse("segment", "0: words that have their turns one behind the other are not side by side",
               std::to_string(c.segment));
}

void check_asked_text(const TransformerConfiguration& c, const Refusing& refuse) {
    if (!c.asked_text)
        return;
    check_numbers(*c.asked_text, refuse, "asked_text/");
    const Index question = c.asked_text->question;
    if (c.kind != TransformerKind::encoder || c.pooling != Pooling::attention)
        refuse("asked_text", "none: only an encoder that is asked for a label reads a question",
               "a question of " + std::to_string(question) + " tokens");
    if (question >= c.longest)
        refuse("asked_text/question", "1 to " + std::to_string(c.longest - 1) + ", fewer than all tokens",
               std::to_string(question));
}

void check_pooling(const TransformerConfiguration& c, const Refusing& refuse) {
    const bool says_label = c.kind == TransformerKind::encoder;
    const bool asks_for_label = c.pooling == Pooling::attention;
    if (asks_for_label && !says_label)
        refuse("pooling", "mean: only an encoder that says a label is asked for it", to_word(c.pooling));
    if (c.pooling_mechanism && !says_label)
        refuse("pooling_mechanism", "none: only an encoder that says a label pools its tokens",
               to_word(c.kind));
    if (c.seeds > 1 && !(asks_for_label && c.pooling_mechanism))
        refuse("seeds", "1, unless learned queries ask by a mechanism", std::to_string(c.seeds));
    check_asked_text(c, refuse);
}

void check_settings(const TransformerConfiguration& c) {
    const Refusing refuse{"make a Transformer"};
    check_numbers(c, refuse);
    check_width(c, refuse);
    if (nn::remembers(c.score))
        refuse("score", "one for all queries at once",
               "one that follows the weights of the query before (location_aware, coverage)");
    check_layers(c, refuse);
    const Index layers = std::max(std::ssize(c.encoder), std::ssize(c.decoder));
    if (c.turns > 1 && layers * c.turns > most_turned_layers)
        refuse("turns", "at most " + std::to_string(most_turned_layers) + " layers in all turns",
               std::to_string(layers) + " in " + std::to_string(c.turns) + " turns");
    check_convolutions(c, refuse);
    if (c.segment > 0 && c.kind == TransformerKind::encoder)
        refuse("segment", "0: an encoder reads its source as one", std::to_string(c.segment));
    check_pooling(c, refuse);
    check_two_streams(c, refuse);
    if (c.places == PositionEncoding::distances && !product_factor(c.score, c.width / c.heads))
        refuse("score", "dot or scaled_dot without a cap, beside places that are distances",
               c.score.softcap ? "a cap" : to_word(c.score.type));
}

}  // namespace

template <>
SettingNumbers<RecurrentConfiguration> numbers_of() {
    using C = RecurrentConfiguration;
    static constexpr SettingNumber<C, Index> whole[] = {
        {"embedding", &C::embedding, 1, widest},
        {"width", &C::width, 1, widest},
        {"longest", &C::longest, 1, most_learned_places},
        {"layers", &C::layers, 1, most_recurrent_layers, false},
        {"hops", &C::hops, 1, most_hops, false},
    };
    static constexpr SettingNumber<C, double> real[] = {
        {"coverage_loss", &C::coverage_loss, 0, largest_coverage_loss, false},
    };
    return {whole, real};
}

template <>
SettingNumbers<TransformerConfiguration> numbers_of() {
    using C = TransformerConfiguration;
    static constexpr SettingNumber<C, Index> whole[] = {
        {"width", &C::width, 1, widest},
        {"heads", &C::heads, 1, widest},
        {"feed_forward", &C::feed_forward, 0, 4 * widest},
        {"longest", &C::longest, 1, most_learned_places},
        {"turns", &C::turns, 1, most_turns, false},
        {"reach", &C::reach, 1, widest_convolution, true,
         [](const C& c) { return c.mixer == Mixer::convolution; }},
        {"segment", &C::segment, 0, longest_segment, false},
        {"seeds", &C::seeds, 1, most_seeds, false},
    };
    static constexpr SettingNumber<C, double> real[] = {{"dropout", &C::dropout, 0, most_dropped}};
    return {whole, real};
}

template <>
SettingNumbers<AskedText> numbers_of() {
    static constexpr SettingNumber<AskedText, Index> whole[] = {
        {"question", &AskedText::question, 1, most_learned_places}};
    return {whole, {}};
}

template <>
SettingNumbers<LocalWindow> numbers_of() {
    static constexpr SettingNumber<LocalWindow, Index> whole[] = {
        {"radius", &LocalWindow::radius, 1, widest_window}};
    return {whole, {}};
}

template <>
SettingNumbers<Reinforcement> numbers_of() {
    using R = Reinforcement;
    static constexpr SettingNumber<R, Index> whole[] = {{"draws", &R::draws, 1, most_drawn}};
    static constexpr SettingNumber<R, double> real[] = {
        {"reward", &R::reward, 0, largest_reward},
        {"entropy", &R::entropy, 0, largest_reward},
        {"discount", &R::discount, 0, 1},
    };
    return {whole, real};
}

void check(const ModelSpec& spec) {
    std::visit([](const auto& each) { check_settings(each); }, spec);
}

}  // namespace headlight
