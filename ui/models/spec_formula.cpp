#include "ui/models/spec_formula.h"

#include "core/attention/spec_words.h"
#include "core/workbench/spec_axes.h"

#include <algorithm>
#include <string_view>

namespace headlight {
namespace {

constexpr std::string_view ends_of_part = ":,;";
/// An algorithm is several equations, between which commas stand: "S ← α S, then S ← S + …".
constexpr std::string_view ends_of_algorithm = ":;";

/// Where the paper begins that a meaning names, " (Yang et al. 2025)", or behind its end.
std::size_t start_of_paper(std::string_view meaning) {
    for (std::size_t at = meaning.find(" ("); at != std::string_view::npos; at = meaning.find(" (", at + 1)) {
        const std::string_view inside = meaning.substr(at, meaning.find(')', at) - at);
        if (inside.find(" 19") != std::string_view::npos || inside.find(" 20") != std::string_view::npos)
            return at;
    }
    return meaning.size();
}

/// The formula of a component's meaning, "s − m_h (i − j): a penalty that grows …": what stands before the
/// first of these characters outside brackets, and before its paper.
std::string_view formula_of(std::string_view meaning, std::string_view ends) {
    meaning = meaning.substr(0, start_of_paper(meaning));
    int depth = 0;
    for (std::size_t at = 0; at + 1 < meaning.size(); ++at) {
        const char here = meaning[at];
        depth += here == '(' || here == '[';
        depth -= here == ')' || here == ']';
        if (depth == 0 && ends.find(here) != std::string_view::npos && meaning[at + 1] == ' ')
            return meaning.substr(0, at);
    }
    return meaning;
}

}  // namespace

QStringList spec_formula(const AttentionSpec& spec) {
    QStringList lines;
    const auto text = spec.algorithm.options.find("text");
    if (spec.algorithm.type == AlgorithmType::formula && text != spec.algorithm.options.end())
        return QString::fromStdString(std::get<std::string>(text->second))
            .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    const auto add = [&](const SpecAxis& axis, const std::string& word) {
        constexpr std::string_view parts[] = {"score", "position", "selection", "normalizer", "algorithm"};
        if (std::ranges::find(parts, axis.id) == std::end(parts) || word.empty() || word == "none" ||
            word == "composed" || !is_used(axis, spec))
            return;
        const auto chosen = std::ranges::find(axis.words, word, &AxisWord::word);
        if (chosen == axis.words.end())
            return;
        const std::string_view formula =
            formula_of(chosen->meaning, axis.id == "algorithm" ? ends_of_algorithm : ends_of_part);
        lines += QStringLiteral("%1: %2").arg(
            QString::fromStdString(axis.label),
            QString::fromUtf8(formula.data(), static_cast<qsizetype>(formula.size())));
    };
    for (const SpecAxis& axis : spec_axes()) {
        add(axis, axis.word(spec));
        if (axis.id == "position")
            add(axis, to_word(spec.position.second));
    }
    return lines;
}

}  // namespace headlight
