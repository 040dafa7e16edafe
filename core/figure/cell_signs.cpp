#include "core/figure/cell_signs.h"

#include "core/figure/cell_codes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace headlight {
namespace {

/// The most cells with a sign in a figure, and in a panel: a page with more has cells of less than 5 points.
constexpr Index most_signed_cells = 6'400;

constexpr std::string_view note_begins = "In cells: ", between_notes = "  ";

bool may_have_signs(const Panel& panel) {
    return !panel.thumbnail && !panel.blank && !panel.large && panel.kind == Panel::Kind::heatmap &&
           panel.rows * panel.columns <= most_signed_cells &&
           std::ssize(panel.values) == panel.rows * panel.columns;
}

std::optional<CellSign> sign_of(double value, const ColourScale& scale, bool marks_gaps) {
    if (std::isnan(value))
        return marks_gaps ? std::optional(CellSign::no_number) : std::nullopt;
    if (std::isinf(value))
        return CellSign::infinite;
    if (scale.clips_high && value > scale.high)
        return CellSign::above;
    if (scale.clips_low && value < scale.low)
        return CellSign::below;
    return std::nullopt;
}

}  // namespace

std::vector<SignedCell> signed_cells(const Panel& panel) {
    std::vector<SignedCell> cells;
    if (!may_have_signs(panel))
        return cells;
    const auto gaps = std::ranges::count_if(panel.values, [](double value) { return std::isnan(value); });
    const bool marks_gaps = panel.marks_gaps || (!panel.hidden_mass && 2 * gaps <= std::ssize(panel.values));
    for (Index row = 0; row < drawn_rows(panel); ++row)
        for (Index column = 0; column < panel.columns; ++column) {
            const double value = panel.values[static_cast<std::size_t>(row * panel.columns + column)];
            if (const auto sign = sign_of(value, panel.scale, marks_gaps);
                sign && !is_forbidden(panel, row, column))
                cells.push_back({row, column, *sign});
        }
    return cells;
}

std::string cell_signs_note(const Figure& figure) {
    Index all = 0;
    for (const Panel& panel : figure.panels)
        if (may_have_signs(panel))
            all += panel.rows * panel.columns;
    if (all > most_signed_cells)
        return {};
    static constexpr std::array meanings{"▲ above the range of colours", "▼ below the range of colours",
                                         "○ infinite", "× no number"};
    std::array<bool, meanings.size()> are_there{};
    for (const Panel& panel : figure.panels)
        for (const SignedCell& cell : signed_cells(panel))
            are_there[static_cast<std::size_t>(cell.sign)] = true;
    std::string text;
    for (std::size_t sign = 0; sign < meanings.size(); ++sign)
        if (are_there[sign])
            text += (text.empty() ? "" : ", ") + std::string(meanings[sign]);
    return text.empty() ? text : std::string(note_begins) + text + '.';
}

void tell_cell_signs(Figure& figure) {
    std::string& caption = figure.caption;
    if (const std::size_t at = caption.find(note_begins); at != std::string::npos) {
        const std::size_t end = std::min(caption.find('.', at), caption.size() - 1) + 1;
        const bool follows = at >= between_notes.size();
        const std::size_t begin = follows ? at - between_notes.size() : at;
        caption.erase(begin, (follows ? end : std::min(caption.size(), end + between_notes.size())) - begin);
    }
    const std::string note = cell_signs_note(figure);
    if (!note.empty())
        caption += (caption.empty() ? "" : std::string(between_notes)) + note;
}

}  // namespace headlight
