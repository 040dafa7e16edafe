#include "core/catalog/coverage.h"

#include "core/catalog/declared_coverage.h"

namespace headlight {
namespace {

/// The parts of `text` between separators that stand in no bracket; none of an empty one.
std::vector<std::string> parts_outside_brackets(std::string_view text, char separator) {
    std::vector<std::string> parts;
    int depth = 0;
    bool begins = true;
    for (const char c : text) {
        depth += static_cast<int>(c == '{' || c == '[') - static_cast<int>(c == '}' || c == ']');
        if (c == separator && depth == 0) {
            begins = true;
            continue;
        }
        if (begins)
            parts.emplace_back();
        begins = false;
        parts.back() += c;
    }
    return parts;
}

ShownBy parse_shown_by(const std::string& text) {
    std::vector<std::string> words = parts_outside_brackets(text, ' ');
    ShownBy shown;
    if (words.front() == "model" || words.front() == "train") {
        shown.kind = words.front() == "model" ? ShownBy::Kind::model : ShownBy::Kind::training;
        words.erase(words.begin());
    }
    shown.name = words.front();
    shown.settings.assign(words.begin() + 1, words.end());
    return shown;
}

CoveredAttention covered_attention(const DeclaredNumber& row) {
    CoveredAttention attention;
    attention.id = row.id;
    attention.title = row.title;
    for (const std::string& part : parts_outside_brackets(row.shown_by, ';'))
        attention.shown_by.push_back(parse_shown_by(part));
    attention.reason = row.reason;
    attention.is_attention = row.is_attention;
    return attention;
}

}  // namespace

std::vector<CoveredAttention> covered_attentions(std::span<const DeclaredItem> items) {
    std::vector<CoveredAttention> attentions;
    attentions.reserve(items.size());
    for (const DeclaredItem& item : items)
        attentions.push_back(
            covered_attention({"", item.title, item.shown_by, item.reason, item.is_attention}));
    return attentions;
}

std::vector<CoveredAttention> covered_attentions(std::span<const DeclaredNumber> numbers) {
    std::vector<CoveredAttention> attentions;
    attentions.reserve(numbers.size());
    for (const DeclaredNumber& number : numbers)
        attentions.push_back(covered_attention(number));
    return attentions;
}

AttentionCoverage CoveredAttention::coverage() const {
    if (!is_attention)
        return AttentionCoverage::no_attention;
    if (shown_by.empty())
        return AttentionCoverage::none;
    return reason.empty() ? AttentionCoverage::whole : AttentionCoverage::in_part;
}

std::string to_string(AttentionCoverage coverage) {
    switch (coverage) {
    case AttentionCoverage::whole:
        return "whole";
    case AttentionCoverage::in_part:
        return "in part";
    case AttentionCoverage::none:
        return "none";
    case AttentionCoverage::no_attention:
        return "no attention";
    }
    return "";
}

}  // namespace headlight
