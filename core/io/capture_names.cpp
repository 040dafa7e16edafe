#include "core/io/capture_names.h"

#include "core/tensor/words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <functional>
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

bool counts_layers(const std::string& word) {
    static constexpr std::array words{"layer"sv, "layers"sv, "block"sv, "blocks"sv, "h"sv};
    return is_one_of(word, words);
}

/// Whether a number behind the word counts layers where several arrays differ in it alone.
bool may_count_layers(const std::string& word) {
    static constexpr std::array words{"arr"sv,        "attn"sv,    "attns"sv,   "attention"sv,
                                      "attentions"sv, "weights"sv, "encoder"sv, "decoder"sv,
                                      "cross"sv,      "self"sv,    "pattern"sv, "l"sv};
    return counts_layers(word) || is_one_of(word, words);
}

/// Whether part `i` is a number behind "head", or behind the "h" of "L5H8", which follows the number of a
/// layer.
bool is_number_of_head(const std::vector<NamePart>& parts, std::size_t i) {
    if (i == 0 || i >= parts.size() || !parts[i].is_number())
        return false;
    const bool is_behind_layer =
        i > 1 && parts[i - 2].is_number() && (i == 2 || may_count_layers(parts[i - 3].text));
    return parts[i - 1].text == "head" || (parts[i - 1].text == "h" && is_behind_layer);
}

const NamePart* number_of_head(const std::vector<NamePart>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (is_number_of_head(parts, i))
            return &parts[i];
    return nullptr;
}

/// The part that counts layers: behind a word for a layer, else behind one for attention or alone.
const NamePart* number_of_layer(const std::vector<NamePart>& parts, bool is_alone) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!parts[i].is_number() || is_number_of_head(parts, i))
            continue;
        if (i > 0 && counts_layers(parts[i - 1].text))
            return &parts[i];
        const bool is_bare = i == 0 && (parts.size() == 1 || is_number_of_head(parts, 2));  // "5H8"
        if (!is_alone && (is_bare || (i > 0 && may_count_layers(parts[i - 1].text))))
            return &parts[i];
    }
    return nullptr;
}

/// The number, unless it is none that a layer or a head has.
std::optional<Index> counted(const NamePart* number) {
    Index value = 0;
    if (!number ||
        std::from_chars(number->text.data(), number->text.data() + number->text.size(), value).ec !=
            std::errc() ||
        value > largest_layer)
        return std::nullopt;
    return value;
}

/// Takes a number out of a name, with what sets it apart: "blocks.3.attn" is "blocks.attn", "attn[3]" is
/// "attn".
void take_out(std::string& name, const NamePart& number) {
    const auto is_letter = [&](std::size_t at) {
        return std::isalnum(static_cast<unsigned char>(name[at])) != 0;
    };
    std::size_t begin = number.begin, end = number.end;
    const bool is_bracketed =
        begin > 0 && end < name.size() && (name[begin - 1] == '[' || name[begin - 1] == '(');
    if (is_bracketed || (begin == 0 && end < name.size() && !is_letter(end)))
        ++end;
    if (begin > 0 && !is_letter(begin - 1))
        --begin;
    name.erase(begin, end - begin);
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
    return (is_one ? "layer " : "layers ") + list_in_words(numbers, "and");
}

}  // namespace

ArrayName parse_array_name(const std::string& name) {
    const std::vector<NamePart> parts = parts_of(name);
    ArrayName parsed{"", name, name};
    const NamePart* head = number_of_head(parts);
    const NamePart* layer = number_of_layer(parts, true);
    parsed.is_layer_alone = layer || head;
    if (!layer)
        layer = number_of_layer(parts, false);
    parsed.layer = counted(layer);
    parsed.head = counted(head);
    std::vector<const NamePart*> numbers;
    if (parsed.layer)
        numbers.push_back(layer);
    if (parsed.head)
        numbers.push_back(head);
    // From the last one on, so that the places of the others hold.
    std::ranges::sort(numbers, std::greater(), &NamePart::begin);
    for (const NamePart* number : numbers) {
        parsed.family.replace(number->begin, number->end - number->begin, "#");
        take_out(parsed.rest, *number);
    }
    parsed.kind = !numbers.empty() ? kind_in_name(parts) : kind_of_array(parts);
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
