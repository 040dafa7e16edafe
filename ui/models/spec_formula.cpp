#include "ui/models/spec_formula.h"

#include "core/attention/spec_words.h"
#include "core/workbench/spec_axes.h"

#include <algorithm>
#include <string_view>

namespace headlight {
namespace {

/// The formula of a component's meaning, "s − m_h (i − j): a penalty that grows …": what stands before the
/// first colon, comma or semicolon outside brackets.
std::string_view formula_of(std::string_view meaning) {
    int depth = 0;
    for (std::size_t at = 0; at + 1 < meaning.size(); ++at) {
        const char here = meaning[at];
        depth += here == '(' || here == '[';
        depth -= here == ')' || here == ']';
        if (depth == 0 && std::string_view(":,;").find(here) != std::string_view::npos &&
            meaning[at + 1] == ' ')
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
            word == "composed")
            return;
        const auto chosen = std::ranges::find(axis.words, word, &AxisWord::word);
        if (chosen == axis.words.end())
            return;
        const std::string_view formula = formula_of(chosen->meaning);
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
