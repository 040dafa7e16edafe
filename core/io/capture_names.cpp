#include "core/io/capture_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <span>
#include <string_view>
#include <utility>

namespace headlight {
namespace {

using namespace std::string_view_literals;

constexpr Index largest_layer = 99'999;

/// A run of letters in small ones, or of digits.
struct NamePart {
    std::string text;
    std::size_t begin = 0, end = 0;

    bool is_number() const { return std::isdigit(static_cast<unsigned char>(text.front())) != 0; }
};

std::vector<NamePart> parts_of(const std::string& name) {
    std::vector<NamePart> parts;
    const auto kind_of = [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return std::isdigit(byte) ? 1 : std::isalpha(byte) ? 2 : 0;
    };
    for (std::size_t at = 0; at < name.size(); ++at) {
        const int kind = kind_of(name[at]);
        if (kind == 0)
            continue;
        const bool goes_on = !parts.empty() && parts.back().end == at && kind_of(name[at - 1]) == kind;
        if (!goes_on)
            parts.push_back({"", at, at});
        parts.back().text += static_cast<char>(std::tolower(static_cast<unsigned char>(name[at])));
        parts.back().end = at + 1;
    }
    return parts;
}

bool is_one_of(const std::string& word, std::span<const std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

/// The part that counts layers: behind a word for a layer, else behind one for attention or alone.
const NamePart* number_of_layer(const std::vector<NamePart>& parts, bool is_alone) {
    static constexpr std::array of_layers{"layer"sv, "layers"sv, "block"sv, "blocks"sv, "h"sv};
    static constexpr std::array of_attention{"arr"sv,        "attn"sv,    "attns"sv,   "attention"sv,
                                             "attentions"sv, "weights"sv, "encoder"sv, "decoder"sv,
                                             "cross"sv,      "self"sv,    "pattern"sv};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!parts[i].is_number())
            continue;
        const bool is_head = i > 1 && parts[i - 1].text == "h" && parts[i - 2].is_number();  // "L5H8"
        if (i > 0 && is_one_of(parts[i - 1].text, of_layers) && !is_head)
            return &parts[i];
        if (!is_alone && (i > 0 ? is_one_of(parts[i - 1].text, of_attention) : parts.size() == 1))
            return &parts[i];
    }
    return nullptr;
}

std::string kind_in_name(const std::vector<NamePart>& parts) {
    const auto says = [&](std::string_view word) {
        return std::ranges::any_of(
            parts, [&](const NamePart& part) { return part.text.find(word) != std::string::npos; });
    };
    if (says("cross") || says("encdec") || (says("encoder") && says("decoder")))
        return "cross";
    return says("encoder") ? "encoder" : says("decoder") ? "decoder" : "";
}

/// Returns the kind that the name of an array of all layers says: "cross", as transformers call it
/// "cross_attentions". Others keep their names.
std::string kind_of_array(const std::vector<NamePart>& parts) {
    static constexpr std::array kinds{"encoder"sv, "decoder"sv, "cross"sv};
    const bool is_kind = parts.size() == 1 || (parts.size() == 2 && parts[1].text.starts_with("att"));
    return is_kind && is_one_of(parts[0].text, kinds) ? parts[0].text : std::string();
}

/// From the first layer to the last, both from 0.
using LayerRun = std::pair<Index, Index>;

std::string in_words(const std::vector<LayerRun>& runs) {
    std::vector<std::string> numbers;
    for (const auto& [first, last] : runs) {
        const std::string from = std::to_string(first + 1), to = std::to_string(last + 1);
        if (last > first + 1) {
            numbers.push_back(from + " to " + to);
        } else {
            numbers.push_back(from);
            if (last > first)
                numbers.push_back(to);
        }
    }
    const bool is_one = numbers.size() == 1 && runs.front().first == runs.front().second;
    std::string text = is_one ? "layer " : "layers ";
    for (std::size_t i = 0; i < numbers.size(); ++i)
        text += (i == 0 ? "" : i + 1 == numbers.size() ? " and " : ", ") + numbers[i];
    return text;
}

}  // namespace

ArrayName parse_array_name(const std::string& name) {
    const std::vector<NamePart> parts = parts_of(name);
    ArrayName parsed{"", name, {}};
    const NamePart* number = number_of_layer(parts, true);
    parsed.is_layer_alone = number != nullptr;
    if (!number)
        number = number_of_layer(parts, false);
    Index layer = 0;
    if (number &&
        std::from_chars(number->text.data(), number->text.data() + number->text.size(), layer).ec ==
            std::errc() &&
        layer <= largest_layer) {
        parsed.layer = layer;
        parsed.family = name.substr(0, number->begin) + '#' + name.substr(number->end);
    }
    parsed.kind = parsed.layer ? kind_in_name(parts) : kind_of_array(parts);
    return parsed;
}

bool is_beside_attention(const std::string& name) {
    static constexpr std::array words{"hidden"sv, "logits"sv,    "logit"sv,      "loss"sv,  "pooler"sv,
                                      "mask"sv,   "embeds"sv,    "embeddings"sv, "past"sv,  "cache"sv,
                                      "resid"sv,  "embedding"sv, "mlp"sv,        "embed"sv, "bias"sv};
    return std::ranges::any_of(parts_of(name),
                               [](const NamePart& part) { return is_one_of(part.text, words); });
}

bool is_hooked_pattern(const std::string& name) { return name.ends_with("hook_pattern"); }

std::string layers_in_words(const std::vector<Index>& layers) {
    std::vector<LayerRun> runs;
    for (const Index layer : layers) {
        if (!runs.empty() && runs.back().second + 1 == layer)
            runs.back().second = layer;
        else
            runs.emplace_back(layer, layer);
    }
    return in_words(runs);
}

std::string missing_layers(const std::vector<Index>& layers, Index last) {
    std::vector<LayerRun> runs;
    Index next = 0;
    for (const Index layer : layers) {
        if (layer > next)
            runs.emplace_back(next, layer - 1);
        next = layer + 1;
    }
    if (last >= next)
        runs.emplace_back(next, last);
    return runs.empty() ? std::string() : in_words(runs);
}

}  // namespace headlight
