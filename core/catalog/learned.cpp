#include "core/catalog/learned.h"

#include "core/tensor/error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

// Placed in the program by headlight_embed() in CMakeLists.txt.
extern "C" const std::byte headlight_learned_results[], headlight_learned_results_end[];

namespace headlight {

namespace {

using LearnedFields = std::array<std::string_view, 7>;
constexpr std::string_view learned_header = "mechanism,task,host,heads,exact_match,deviation,seeds";

[[noreturn]] void refuse_learned(std::size_t line, const std::string& expected, std::string_view got) {
    throw Error(
        {"read what was learned", "line " + std::to_string(line), expected, '"' + std::string(got) + '"'});
}

LearnedFields learned_fields(std::string_view text, std::size_t line) {
    LearnedFields fields;
    std::string_view rest = text;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::size_t comma = rest.find(',');
        const bool is_last = i + 1 == fields.size();
        if ((comma == std::string_view::npos) != is_last)
            refuse_learned(line, std::string(learned_header), text);
        fields[i] = rest.substr(0, comma);
        if (!is_last)
            rest.remove_prefix(comma + 1);
    }
    return fields;
}

/// All of the text as a number; nothing where it is none.
template <class Number>
std::optional<Number> learned_number(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

double learned_share(std::string_view text, std::size_t line) {
    const std::optional<double> share = learned_number<double>(text);
    if (!share || !(*share >= 0 && *share <= 1))
        refuse_learned(line, "a share from 0 to 1", text);
    return *share;
}

int learned_count(std::string_view text, const std::string& of, std::size_t line) {
    const std::optional<int> count = learned_number<int>(text);
    if (!count || *count < 1)
        refuse_learned(line, "a number of " + of + ", 1 at least", text);
    return *count;
}

/// The same in every locale.
std::string three_digits(double share) {
    std::array<char, 16> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), share, std::chars_format::fixed, 3).ptr;
    return {text.data(), end};
}

}  // namespace

std::vector<LearnedResult> parse_learned_results(std::string_view csv) {
    std::vector<LearnedResult> results;
    for (std::size_t line = 1; !csv.empty(); ++line) {
        const std::size_t end = csv.find('\n');
        const std::string_view text = csv.substr(0, end);
        csv.remove_prefix(end == std::string_view::npos ? csv.size() : end + 1);
        if (line == 1) {
            if (text != learned_header)
                refuse_learned(line, std::string(learned_header), text);
            continue;
        }
        const auto [mechanism, task, host, heads, exact_match, deviation, seeds] = learned_fields(text, line);
        LearnedResult result;
        result.mechanism = mechanism;
        result.task = task;
        result.host = host;
        result.heads = learned_count(heads, "heads", line);
        result.exact_match = learned_share(exact_match, line);
        if (!deviation.empty())
            result.deviation = learned_share(deviation, line);
        result.seeds = learned_count(seeds, "seeds", line);
        results.push_back(std::move(result));
    }
    return results;
}

std::span<const LearnedResult> learned_results() {
    static const std::vector<LearnedResult> results = parse_learned_results(
        {reinterpret_cast<const char*>(headlight_learned_results),
         static_cast<std::size_t>(headlight_learned_results_end - headlight_learned_results)});
    return results;
}

std::span<const LearnedResult> learned_by(std::string_view mechanism) {
    const std::span<const LearnedResult> all = learned_results();
    const auto is_its = [&](const LearnedResult& each) { return each.mechanism == mechanism; };
    const auto first = std::ranges::find_if(all, is_its);
    return {first, std::find_if_not(first, all.end(), is_its)};
}

std::string to_string(std::span<const LearnedResult> results) {
    std::string text;
    for (const LearnedResult& each : results) {
        text += (text.empty() ? "" : ", ") + each.task + (each.host == "transformer" ? " across " : " ");
        text += three_digits(each.exact_match);
        if (each.deviation)
            text += " ± " + three_digits(*each.deviation);
        text += " (" + std::to_string(each.seeds) + (each.seeds == 1 ? " seed)" : " seeds)");
    }
    return text;
}

}  // namespace headlight
