#include "core/figure/apply_options.h"

#include "core/figure/cell_signs.h"
#include "core/figure/fit_scales.h"
#include "core/figure/grid_columns.h"
#include "core/figure/notes.h"
#include "core/figure/panel_numbers.h"
#include "core/figure/panel_part.h"
#include "core/figure/view.h"
#include "core/text/token_pattern.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

namespace headlight {
namespace {

bool has_matrix(const Panel& panel) {
    const bool has_cells = panel.kind == Panel::Kind::heatmap || panel.kind == Panel::Kind::lines;
    return has_cells && !panel.thumbnail && !panel.overlay;
}

void choose_heads(Figure& figure, const FigureOptions& options) {
    std::vector<Panel> chosen;
    for (const Index head : options.heads)
        for (const Panel& panel : figure.panels)
            if (panel.head == head && stands_in_figure(panel))
                chosen.push_back(panel);
    if (chosen.empty())
        return;
    figure.panels = std::move(chosen);
    figure.columns = grid_columns(std::ssize(figure.panels));
}

/// All of the axis where the slice has none of it.
AxisSlice slice_of_axis(const std::optional<AxisSlice>& wanted, Index extent) {
    if (!wanted || wanted->first >= extent)
        return {0, extent};
    return {wanted->first, std::min(wanted->count, extent - wanted->first)};
}

/// Rows, columns and marked cells, of the leading map and the others of its size.
void choose_cells(Figure& figure, const FigureOptions& options, const ColourRange& range) {
    const Panel* leading = leading_map(figure);
    if (!leading)
        return;
    const Index of_rows = leading->rows, of_columns = leading->columns;
    const AxisSlice rows = slice_of_axis(options.rows, of_rows),
                    columns = slice_of_axis(options.columns, of_columns);
    const bool is_part = rows.count < of_rows || columns.count < of_columns;
    std::vector<bool> is_fitted;
    for (Panel& panel : figure.panels) {
        const bool is_chosen = has_matrix(panel) && panel.rows == of_rows && panel.columns == of_columns;
        if (is_chosen && panel.of_rows > 0) {
            // A page of a large map, which its view has cut out of the rows and columns that are asked for.
        } else if (is_chosen) {
            panel.outlined = options.marks;
            panel.notes = options.notes;
            // Also where all are chosen: a mark may lie outside of a matrix that has become smaller.
            panel = part_of(std::move(panel), rows, columns);
            panel.of_rows = is_part ? of_rows : 0;
            panel.of_columns = is_part ? of_columns : 0;
        }
        is_fitted.push_back(is_chosen && is_part && !panel.large && range.follows_numbers());
    }
    fit_scales(figure, is_fitted, range);
}

/// Finds out once what becomes of a label: many panels have the same.
class LabelChanges {
public:
    explicit LabelChanges(const FigureOptions& options) : options_(options) {
        if (!options.hidden_labels.empty())
            pattern_.emplace(options.hidden_labels);
    }

    /// The numbers of a part that a person chose are names to them.
    void rewrite_numbers(AxisLabels& axis, Index extent) {
        if (!axis.labels.empty())
            return;
        const auto changes = [this](const std::string& number) {
            return options_.renamed.contains(number) || (pattern_ && hides(number));
        };
        if (auto numbers = labels_in_full(axis, extent); std::ranges::any_of(numbers, changes))
            axis.labels = std::move(numbers);
    }

    void rewrite(AxisLabels& axis, bool may_hide) {
        for (std::size_t at = 0; at < axis.labels.size(); ++at) {
            std::string& label = axis.labels[at];
            if (may_hide && pattern_ && hides(label)) {
                axis.hidden.resize(axis.labels.size());
                axis.hidden[at] = true;
            }
            if (const auto other = options_.renamed.find(label); other != options_.renamed.end())
                label = other->second;
        }
    }

private:
    bool hides(const std::string& label) {
        const auto [found, is_new] = known_.try_emplace(label, false);
        if (is_new)
            found->second = pattern_->is_in(label);
        return found->second;
    }

    const FigureOptions& options_;
    std::optional<TokenPattern> pattern_;
    std::unordered_map<std::string, bool> known_;
};

void rewrite_labels(Figure& figure, const FigureOptions& options) {
    if (options.hidden_labels.empty() && options.renamed.empty())
        return;
    LabelChanges changes(options);
    for (Panel& panel : figure.panels) {
        const bool may_hide = panel.kind != Panel::Kind::text;  // its tokens are the picture
        if (panel.of_rows > 0) {
            changes.rewrite_numbers(panel.row_axis, panel.rows);
            changes.rewrite_numbers(panel.column_axis, panel.columns);
        }
        changes.rewrite(panel.row_axis, may_hide);
        changes.rewrite(panel.column_axis, may_hide);
    }
}

void give_axis_title(AxisLabels& axis, const std::string& ours, const std::optional<std::string>& given) {
    if (!given || axis.title != ours)
        return;
    axis.meaning = axis.title;
    axis.title = *given;
}

void give_letters(Figure& figure, LetterPlace place) {
    if (std::ranges::count_if(figure.panels, stands_in_figure) < 2)
        return;  // nothing to tell it from
    Index number = 0;
    figure.letters_at = place;
    for (Panel& panel : figure.panels) {
        if (!stands_in_figure(panel))
            continue;
        std::string letter = panel_letter(number++);
        const bool has_corner = panel.kind == Panel::Kind::heatmap || panel.kind == Panel::Kind::mosaic;
        if (place == LetterPlace::outside || (place == LetterPlace::inside && has_corner)) {
            panel.letter = std::move(letter);
            continue;
        }
        if (!panel.title.empty())
            (letter += ' ') += panel.title;
        panel.title = std::move(letter);
    }
    const auto has_title = [](const Panel& panel) { return stands_in_figure(panel) && !panel.title.empty(); };
    figure.has_panel_titles |= place == LetterPlace::outside || std::ranges::any_of(figure.panels, has_title);
}

void retitle(Figure& figure, const FigureOptions& options) {
    if (options.subtitle) {
        figure.subtitle = *options.subtitle;
        for (Panel& panel : figure.panels)
            panel.subtitle.clear();
    }
    figure.has_panel_titles = options.panel_titles;
    if (!options.panel_titles)
        for (Panel& panel : figure.panels)
            if (stands_in_figure(panel)) {
                panel.title.clear();
                panel.subtitle.clear();
            }
    if (options.bar_title) {
        figure.bar_title = *options.bar_title;
        figure.bar_titled = options.bar_title->empty() ? Figure::BarTitle::none : Figure::BarTitle::given;
    }
    const Panel* leading = leading_map(figure);
    const auto drawn = std::ranges::find_if(figure.panels, stands_in_figure);
    if (!leading && drawn == figure.panels.end())
        return;
    const std::string across = (leading ? *leading : *drawn).column_axis.title,
                      down = (leading ? *leading : *drawn).row_axis.title;
    for (Panel& panel : figure.panels) {
        give_axis_title(panel.column_axis, across, options.x_title);
        give_axis_title(panel.row_axis, down, options.y_title);
    }
}

}  // namespace

bool stands_in_figure(const Panel& panel) { return !panel.thumbnail && !panel.blank && !panel.lies_over; }

std::string panel_letter(Index number) {
    std::string letters;
    for (++number; number > 0; number = (number - 1) / 26)
        letters.insert(letters.begin(), static_cast<char>('a' + (number - 1) % 26));
    return '(' + letters + ')';
}

const Panel* leading_map(const Figure& figure) {
    const auto leads = [](const Panel& panel) { return has_matrix(panel) && !panel.blank; };
    const auto in_focus = std::ranges::find_if(
        figure.panels, [&](const Panel& panel) { return leads(panel) && panel.in_focus; });
    if (in_focus != figure.panels.end())
        return &*in_focus;
    const auto first = std::ranges::find_if(figure.panels, leads);
    return first == figure.panels.end() ? nullptr : &*first;
}

Index heads_to_choose(const Figure& figure) {
    Index heads = figure.of_heads;
    for (const Panel& panel : figure.panels)
        heads = std::max(heads, panel.head + 1);
    return heads;
}

void apply_options(Figure& figure, const ViewSettings& settings) {
    const FigureOptions& options = settings.options;
    if (options == FigureOptions())
        return;
    if (view(settings.view).all_heads && !options.heads.empty())
        choose_heads(figure, options);
    if (view(settings.view).all_heads && options.panel_columns) {
        figure.columns = std::min(*options.panel_columns, static_cast<Index>(std::ssize(figure.panels)));
        figure.columns_are_asked = true;
    }
    if (options.rows || options.columns || !options.marks.empty() || !options.notes.empty())
        choose_cells(figure, options, settings.range);
    rewrite_labels(figure, options);
    drop_unneeded_notes(figure);
    tell_cell_signs(figure);
    figure.title = options.title.value_or(figure.title);
    figure.description = figure_description(figure);  // before matrices lose their names
    retitle(figure, options);
    if (options.letters)
        give_letters(figure, options.letters_at);
    for (Panel& panel : figure.panels)
        panel.digits = options.digits;
    figure.show_colour_bar = figure.show_colour_bar && options.colour_bar;
    figure.has_caption = options.caption;
    figure.type = options.type;
    figure.transparent = options.transparent;
}

}  // namespace headlight
