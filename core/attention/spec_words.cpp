#include "core/attention/spec_words.h"

#include "core/attention/component.h"
#include "core/attention/kernel_scores.h"
#include "core/attention/parameters.h"
#include "core/attention/spec_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace headlight {
namespace {

/// What the kernels do themselves, then the components.
template <class Type>
std::vector<Word<Type>> with_components(std::vector<Word<Type>> list, const auto& components) {
    for (const auto& component : components)
        list.push_back({component.type, component.word, component.meaning});
    return list;
}

}  // namespace

template <>
std::span<const Word<SourceType>> words() {
    static constexpr Word<SourceType> list[] = {
        {SourceType::self, "self", "queries, keys and values come from one sequence"},
        {SourceType::cross, "cross", "queries come from one sequence, keys and values from another"},
    };
    return list;
}

template <>
std::span<const Word<ProjectionType>> words() {
    static constexpr Word<ProjectionType> list[] = {
        {ProjectionType::none, "none", "query, key and value are the token vectors"},
        {ProjectionType::identity, "identity", "the same numbers, with the identity matrices shown"},
        {ProjectionType::learned, "learned",
         "query = x W_q, key = y W_k, value = y W_v; several heads add W_o"},
    };
    return list;
}

template <>
std::span<const Word<ScoreType>> words() {
    static const auto list = [] {
        std::vector<Word<ScoreType>> own;
        for (const KernelScore& score : kernel_scores())
            own.push_back({score.type, score.word, score.meaning});
        return with_components<ScoreType>(std::move(own), score_components());
    }();
    return list;
}

template <>
std::span<const Word<Activation>> words() {
    static constexpr Word<Activation> list[] = {
        {Activation::tanh, "tanh", "the hyperbolic tangent"},
        {Activation::relu, "relu", "max(0, x)"},
        {Activation::sigmoid, "sigmoid", "1 / (1 + exp(−x))"},
        {Activation::identity, "identity", "x: every query then gets the same weights"},
    };
    return list;
}

template <>
std::span<const Word<PositionType>> words() {
    static const auto list = with_components<PositionType>(
        {
            {PositionType::none, "none", "the order of the tokens does not matter"},
            {PositionType::sinusoidal, "sinusoidal",
             "sines and cosines of the position are added to the token vectors"},
        },
        position_components());
    return list;
}

template <>
std::span<const Word<MaskLeaf>> words() {
    static constexpr Word<MaskLeaf> list[] = {
        {MaskLeaf::none, "none", "every query may look at every key"},
        {MaskLeaf::causal, "causal", "a query may look at its own position and those before it"},
        {MaskLeaf::padding, "padding", "only the first key_lengths keys may be looked at"},
        {MaskLeaf::matrix, "matrix", "`allowed` says it pair by pair"},
    };
    return list;
}

template <>
std::span<const Word<CausalAlignment>> words() {
    static constexpr Word<CausalAlignment> list[] = {
        {CausalAlignment::top_left, "top_left", "key ≤ query"},
        {CausalAlignment::bottom_right, "bottom_right",
         "key ≤ query + (keys − queries): the last query sees every key"},
    };
    return list;
}

template <>
std::span<const Word<MaskOrder>> words() {
    static constexpr Word<MaskOrder> list[] = {
        {MaskOrder::after_scale, "after_scale", "softmax(scores × scale + mask)"},
        {MaskOrder::before_scale, "before_scale", "softmax((scores + mask) × scale)"},
    };
    return list;
}

template <>
std::span<const Word<NormalizerType>> words() {
    static const auto list = with_components<NormalizerType>(
        {
            {NormalizerType::softmax, "softmax",
             "soft attention: exp(s / temperature) over the sum of its row"},
            {NormalizerType::hard, "hard", "hard attention: all the weight on one key"},
        },
        normalizer_components());
    return list;
}

template <>
std::span<const Word<HardMode>> words() {
    static constexpr Word<HardMode> list[] = {
        {HardMode::argmax, "argmax", "the key with the largest score; the first of equals"},
        {HardMode::sample, "sample", "a key drawn from the softmax row by the seed"},
    };
    return list;
}

template <>
std::span<const Word<HeadsType>> words() {
    static constexpr Word<HeadsType> list[] = {
        {HeadsType::single, "single", "one head over the whole width"},
        {HeadsType::multi, "multi", "the width cut into heads that attend side by side"},
        {HeadsType::multi_query, "multi_query", "all heads share one head of keys and values"},
        {HeadsType::grouped_query, "grouped_query",
         "groups of consecutive heads share a head of keys and values, kv_heads of them"},
        {HeadsType::talking, "talking",
         "the heads' scores are mixed by P_scores, their weights by P_weights"},
    };
    return list;
}

template <>
std::span<const Word<Sharing>> words() {
    static constexpr Word<Sharing> list[] = {
        {Sharing::none, "none", "query, key and value have a projection each"},
        {Sharing::query_key, "query_key", "keys are projected by W_q too"},
        {Sharing::key_value, "key_value", "the values are the keys"},
    };
    return list;
}

template <>
std::span<const Word<Gate>> words() {
    static constexpr Word<Gate> list[] = {
        {Gate::none, "none", "the context goes on as it is"},
        {Gate::elementwise, "elementwise", "context × sigmoid(x W_gate + b_gate), number by number"},
        {Gate::headwise, "headwise", "each head's context × one number, sigmoid(x W_gate + b_gate)"},
    };
    return list;
}

template <>
std::span<const Word<VectorNorm>> words() {
    static constexpr Word<VectorNorm> list[] = {
        {VectorNorm::none, "none", "queries and keys meet as they are"},
        {VectorNorm::l2, "l2", "each is divided by its length"},
        {VectorNorm::layer, "layer",
         "each is centred and divided by its standard deviation, times g_q or g_k"},
        {VectorNorm::rms, "rms", "each is divided by its root mean square, times g_q or g_k"},
    };
    return list;
}

template <>
std::span<const Word<MaskPattern>> words() {
    static const auto list = with_components<MaskPattern>({}, mask_components());
    return list;
}

template <>
std::span<const Word<SelectionType>> words() {
    static const auto list = with_components<SelectionType>(
        {{SelectionType::none, "none", "every key that the mask allows"}}, selection_components());
    return list;
}

template <>
std::span<const Word<AlgorithmType>> words() {
    static const auto list = with_components<AlgorithmType>(
        {{AlgorithmType::composed, "composed", "the parts of the spec, one after another"}},
        algorithm_components());
    return list;
}

namespace {

/// The words without their values: fields of different enumerations in one list.
template <class Value>
std::vector<Word<int>> plain_words() {
    std::vector<Word<int>> list;
    for (const Word<Value>& word : words<Value>())
        list.push_back({static_cast<int>(word.value), word.word, word.meaning});
    return list;
}

std::vector<Word<int>> mask_words() {
    std::vector<Word<int>> list = plain_words<MaskLeaf>();
    for (const Word<MaskPattern>& word : words<MaskPattern>())
        list.push_back({static_cast<int>(word.value), word.word, word.meaning});
    return list;
}

std::string json_text(const OptionValue& value) {
    return std::visit([](const auto& each) { return nlohmann::json(each).dump(); }, value);
}

/// What several components read with the same beside them stands there once.
void add_component(std::vector<std::vector<ReadWith>>& read_where, std::vector<ReadWith> where) {
    const auto is_alike = [&](const std::vector<ReadWith>& other) {
        return std::ranges::equal(std::span(other).subspan(1), std::span(where).subspan(1));
    };
    const auto found = std::ranges::find_if(read_where, is_alike);
    if (found == read_where.end())
        read_where.push_back(std::move(where));
    else
        found->front().words.push_back(where.front().words.front());
}

/// The options of every component of a part; one name in several components is one field.
void add_options(std::vector<SpecField>& fields, const std::string& part, const auto& components) {
    std::vector<std::string> types{part + ".type"};
    if (part == "position")
        types.push_back("position.second");
    for (const auto& component : components)
        for (const Option& option : component.options) {
            const std::string path = part + "." + option.name;
            const std::string text = component.word + ": " + option.help;
            std::vector<ReadWith> where{{types, {component.word}}};
            if (!option.read_with.name.empty())
                where.push_back({{part + "." + option.read_with.name}, option.read_with.words});
            const auto found = std::ranges::find(fields, path, &SpecField::path);
            if (found == fields.end()) {
                fields.push_back(
                    {path, accepted_values(option), {}, json_text(option.standard), text, {where}});
                continue;
            }
            found->meaning += "; " + text;
            if (!found->read_where.empty())
                add_component(found->read_where, std::move(where));
        }
}

/// The words whose value is one that `is_one` accepts.
template <class Value>
ReadWith read_with_words(const char* path, const auto& is_one) {
    ReadWith where{{path}, {}};
    for (const Word<Value>& word : words<Value>())
        if (is_one(word.value))
            where.words.emplace_back(word.word);
    return where;
}

template <class Value>
ReadWith read_with(const char* path, Value value) {
    return {{path}, {to_word(value)}};
}

/// Scores that have other parameters once the change is made: they read what it changes.
ReadWith scores_changed_by(void (*change)(Score& score)) {
    const auto parameters = [](const AttentionSpec& spec) {
        std::vector<std::pair<std::string, Shape>> list;
        for (const ParameterInfo& info : required_parameters(spec, {4, 4, 4, 2, 2}, {}))
            list.emplace_back(info.name, info.shape);
        return list;
    };
    return read_with_words<ScoreType>("score.type", [&](ScoreType type) {
        AttentionSpec plain;
        plain.score.type = type;
        AttentionSpec changed = plain;
        change(changed.score);
        return parameters(changed) != parameters(plain);
    });
}

std::string whole(Index from, Index to) {
    return "integer, " + std::to_string(from) + " to " + std::to_string(to);
}

SpecField in_place_of_mask_type(const char* path, const char* kind, const std::string& meaning) {
    SpecField field{path, kind, {}, "", "in place of type: " + meaning};
    field.in_place_of = "mask.type";
    return field;
}

/// The default as the writer writes it, so that it cannot be told wrongly here.
std::string standard(const std::string& path) {
    static const nlohmann::json defaults = to_json(AttentionSpec{});
    std::string pointer = '/' + path;
    for (char& c : pointer)
        c = c == '.' ? '/' : c;
    return defaults.at(nlohmann::json::json_pointer(pointer)).dump();
}

}  // namespace

std::vector<SpecField> spec_fields() {
    static const ReadWith with_bias = scores_changed_by([](Score& score) { score.bias = true; });
    static const ReadWith with_width = scores_changed_by([](Score& score) { score.attention_dimension = 5; });
    const ReadWith if_learned = read_with("projections.type", ProjectionType::learned);
    const ReadWith if_hard = read_with("normalizer.type", NormalizerType::hard);
    std::vector<SpecField> fields{
        {"source.type", "word", plain_words<SourceType>(), "", "where queries, keys and values come from"},
        {"projections.type", "word", plain_words<ProjectionType>(), "",
         "how tokens become query, key and value"},
        {"projections.bias",
         "boolean",
         {},
         "",
         "learned: adds b_q, b_k, b_v, and b_o with several heads",
         {{if_learned}}},
        {"projections.dimension",
         whole(1, largest_width) + ", or null",
         {},
         "",
         "learned: width of query and key over all heads; null is the query tokens' width",
         {{if_learned}}},
        {"score.type", "word", plain_words<ScoreType>(), "", "how a query and a key become a number"},
        {"score.activation",
         "word",
         plain_words<Activation>(),
         "",
         "scores with a hidden layer, such as concat and additive: act",
         {{read_with_words<ScoreType>("score.type", has_activation)}}},
        {"score.bias",
         "boolean",
         {},
         "",
         "concat, additive and others that have a b: whether it is added",
         {{with_bias}}},
        {"score.attention_dimension",
         whole(1, largest_width) + ", or null",
         {},
         "",
         "scores with a hidden layer: d_a; null is the query's width per head",
         {{with_width}}},
        {"score.vector_norm", "word", plain_words<VectorNorm>(), "",
         "what is done to every query and key before they meet"},
        {"score.softcap",
         "number above 0, or null",
         {},
         "",
         "c of c tanh(s / c) on the scaled scores; null is none"},
        {"position.type", "word", plain_words<PositionType>(), "",
         "what the token vectors say of their place"},
        {"position.second", "word", plain_words<PositionType>(), "",
         "a second position, which acts elsewhere than the first: rope on queries and keys, alibi on scores"},
        {"mask.type", "word", mask_words(), "", "which keys a query may look at"},
        {"mask.align",
         "word",
         plain_words<CausalAlignment>(),
         "\"top_left\"",
         "causal: which corner the diagonal starts from when there are more keys than queries",
         {{read_with("mask.type", MaskLeaf::causal)}}},
        {"mask.key_lengths",
         whole(0, largest_width) + ", or null",
         {},
         "null",
         "padding: how many keys are real; null is all of them",
         {{read_with("mask.type", MaskLeaf::padding)}}},
        {"mask.allowed",
         "rows of 0 and 1, or of false and true",
         {},
         "",
         "matrix: [query][key], 1 where the query may look at the key",
         {{read_with("mask.type", MaskLeaf::matrix)}}},
        in_place_of_mask_type("mask.all", "list of masks", "allowed where every one of them allows"),
        in_place_of_mask_type("mask.any", "list of masks", "allowed where one of them allows"),
        in_place_of_mask_type("mask.not", "mask", "allowed where it forbids"),
        {"mask_order", "word", plain_words<MaskOrder>(), "",
         "whether the mask is added before the scale or after it"},
        {"mask_value",
         "number, or null",
         {},
         "",
         "what a forbidden score gets added; null is minus infinity, which is a weight of exactly 0"},
        {"selection.type", "word", plain_words<SelectionType>(), "",
         "which of the allowed keys a query chooses by what they hold"},
        {"normalizer.type", "word", plain_words<NormalizerType>(), "", "how a row of scores becomes weights"},
        {"normalizer.temperature", "number above 0", {}, "", "scores are divided by it before the softmax"},
        {"normalizer.mode", "word", plain_words<HardMode>(), "", "hard: how the key is chosen", {{if_hard}}},
        {"normalizer.draws",
         whole(1, most_draws),
         {},
         "",
         "sample: how many draws the stage frequencies counts",
         {{if_hard, read_with("normalizer.mode", HardMode::sample)}}},
        {"heads.type", "word", plain_words<HeadsType>(), "", "one head or several"},
        {"heads.heads",
         whole(1, largest_width),
         {},
         "",
         "multi: how many; must divide the widths",
         {{read_with_words<HeadsType>("heads.type",
                                      [](HeadsType type) { return type != HeadsType::single; })}}},
        {"heads.kv_heads",
         whole(1, largest_width),
         {},
         "",
         "grouped_query: heads of keys and values; must divide heads",
         {{read_with("heads.type", HeadsType::grouped_query)}}},
        {"heads.sharing", "word", plain_words<Sharing>(), "", "which of query, key and value are the same"},
        {"heads.gate", "word", plain_words<Gate>(), "", "what each context is multiplied by"},
        {"algorithm.type", "word", plain_words<AlgorithmType>(), "",
         "composed, or another graph of stages than the parts of the spec make"},
    };
    add_options(fields, "score", score_components());
    add_options(fields, "position", position_components());
    add_options(fields, "mask", mask_components());
    add_options(fields, "selection", selection_components());
    add_options(fields, "normalizer", normalizer_components());
    add_options(fields, "algorithm", algorithm_components());
    for (SpecField& field : fields)
        if (field.standard.empty() && !(field.path.starts_with("mask.") && field.path != "mask.type"))
            field.standard = standard(field.path);
    return fields;
}

bool is_read_beside(const std::string& path, const std::string& type) {
    static const std::vector<SpecField> fields = spec_fields();
    const auto field = std::ranges::find(fields, path, &SpecField::path);
    const auto has_type = [&](const std::vector<ReadWith>& all) {
        return std::ranges::count(all.front().words, type) > 0;
    };
    return field != fields.end() &&
           (field->read_where.empty() || std::ranges::any_of(field->read_where, has_type));
}

}  // namespace headlight
