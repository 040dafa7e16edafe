#include "core/figure/panel_numbers.h"

#include "core/figure/ticks.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>

namespace headlight {

std::vector<const Panel*> panels_with_numbers(const Figure& figure, const std::string& operation) {
    std::vector<const Panel*> panels;
    for (const Panel& panel : figure.panels) {
        const bool is_in_table = panel.marks && !figure.table.names.empty();
        if (panel.thumbnail || panel.blank || is_in_table)
            continue;
        if (panel.large)
            throw Error({operation, panel.title, "a map of which all numbers are drawn",
                         std::to_string(panel.rows) + " × " + std::to_string(panel.columns) + " of them"});
        panels.push_back(&panel);
    }
    return panels;
}

std::string axis_label(const AxisLabels& axis, Index at) {
    const auto i = static_cast<std::size_t>(at);
    return i < axis.labels.size() ? axis.labels[i] : std::to_string(label_number(axis, at));
}

std::vector<std::string> labels_in_full(const AxisLabels& axis, Index extent) {
    std::vector<std::string> labels;
    for (Index at = 0; at < extent; ++at)
        labels.push_back(axis_label(axis, at));
    return labels;
}

namespace {

/// A token as it is drawn, "␣the", without the signs of its spaces; one of spaces alone as it is.
std::string_view word_of_drawn(std::string_view token) {
    constexpr std::string_view space = "␣";
    std::string_view word = token;
    while (word.starts_with(space))
        word.remove_prefix(space.size());
    while (word.ends_with(space))
        word.remove_suffix(space.size());
    return word.empty() ? token : word;
}

}  // namespace

std::vector<std::string> labels_without_spaces(const AxisLabels& axis, Index extent) {
    constexpr std::string_view partner = " ↔ ";  // of a token of one text and its partner in another
    std::vector<std::string> labels = labels_in_full(axis, extent);
    for (std::string& label : labels) {
        const std::size_t at = label.find(partner);
        const std::string_view drawn = label;
        std::string word(word_of_drawn(drawn.substr(0, at)));
        if (at != std::string::npos)
            (word += partner) += word_of_drawn(drawn.substr(at + partner.size()));
        label = std::move(word);
    }
    return labels;
}

int usual_decimals(const Panel& panel) {
    double largest = 0;
    for (const double value : panel.values)
        if (std::isfinite(value))
            largest = std::max(largest, std::abs(value));
    return panel.digits.value_or(std::clamp(useful_decimals(largest), 0, 2));
}

std::string cell_text(double value, int decimals) { return value == 0 ? "0" : format_fixed(value, decimals); }

int decimals_of_sums(const std::vector<double>& sums) {
    constexpr double least_of_two = 0.02, least_of_four = 5e-5;
    double largest = 0;
    for (const double sum : sums)
        largest = std::max(largest, std::abs(sum));
    return largest < least_of_two && largest >= least_of_four ? 4 : 2;
}

bool reads_as_zero(std::string_view text) { return text.find_first_not_of("0.") == std::string_view::npos; }

}  // namespace headlight
