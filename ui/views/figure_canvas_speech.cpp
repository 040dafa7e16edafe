// What a canvas has to say to a screen reader, cell by cell.

#include "core/figure/view.h"
#include "core/figure/words.h"
#include "ui/models/document.h"
#include "ui/views/cell_text.h"
#include "ui/views/comparison_text.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/motion_clock.h"
#include "ui/views/patch_place.h"
#include "ui/views/patch_tool.h"

namespace headlight {

QString FigureCanvas::sentence(const CellPlace& place) const {
    const QString words = document_.run() ? sentence_of_place(place) : QString();
    std::vector<Index> heads;
    if (const Figure* now = figure())
        for (const Panel& panel : now->panels)
            if (!panel.head_title.empty())
                heads.push_back(panel.head);
    if (words.isEmpty() || heads.empty())
        return words;
    // A line is one head's, a token has the lines of all of them.
    return place.is_cell() ? tr("%1, head %2").arg(words, QString::number(place.head + 1))
                           : tr("%1, heads %2").arg(words, QString::fromStdString(head_numbers(heads)));
}

QString FigureCanvas::sentence_of_place(const CellPlace& place) const {
    const std::shared_ptr<const Run> run = document_.run();
    if (view(view_).all_sites && run->is_of_mechanism())
        return comparison_sentence(*run->trace, place, selection());
    const QString now = cell_sentence(*run->trace, place, selection());
    const WeightLens lens = drawn_lens(document_.view().view, document_.session().figure);
    if (const auto both = weight_in_both(*run, place, selection(), lens))
        return (run->session->has_counterpart() ? tr("%1, in the other one %2, difference %3")
                                                : tr("%1, untouched %2, difference %3"))
            .arg(now, readable_number(both->second), signed_difference(*both));
    const auto drawn = drawn_weight(*run->trace, place, lens);
    if (!drawn)
        return now;
    if (lens.pooled == PooledHeads::rollout)
        return tr("%1, rollout %2").arg(now, readable_number(*drawn));
    if (lens.pooled_layers)
        return (lens.pooled ? tr("%1, of all layers and heads %2") : tr("%1, of all layers %2"))
            .arg(now, readable_number(*drawn));
    if (lens.pooled)
        return tr("%1, of all heads %2").arg(now, readable_number(*drawn));
    if (lens.weights == DrawnWeights::value_norms)
        return (lens.hidden_keys.empty() ? tr("%1, norm %2") : tr("%1, norm without the hidden keys %2"))
            .arg(now, readable_number(*drawn));
    return tr("%1, without the hidden keys %2").arg(now, readable_number(*drawn));
}

void FigureCanvas::say_moment() {
    says_motion_ = shows_motion();
    // While it runs a screen reader would never come to the end of a sentence.
    if (hasFocus() && says_motion_ && !motion_.is_playing())
        announce_cell(*this);
}

QString FigureCanvas::current_sentence() const {
    const bool is_between = motion_.moment() > 0 && motion_.moment() < 1;
    if (shows_motion() && (says_motion_ || is_between))
        return QString::fromStdString(motion_.now().words);
    if (const auto part = lit_part())
        return sentence_of(*part);
    const auto place = current_place();
    const QStringList block = block_words();
    if (!place || block.isEmpty())
        return place ? sentence(*place) : QString();
    return block.join(QStringLiteral(". ")) + QStringLiteral(". ") + sentence(*place);
}

std::optional<CellPlace> FigureCanvas::place_of(const Cell& cell) const {
    const ShownFigure& now = *shown();
    const Panel& panel = now.panel(cell.panel);
    if (panel.overlay) {
        const Index patch = cell.row * panel.columns + cell.column;
        return CellPlace{panel.site,
                         panel.stage,
                         panel.head,
                         panel.overlay->row(patch),
                         panel.overlay->column(patch),
                         stands_for_keys(panel)};
    }
    return has_cells_of_stage(panel) ? std::optional(now.place_of(cell.panel, cell.row, cell.column))
                                     : std::nullopt;
}

std::optional<AccessibleFigure::Cell> FigureCanvas::current_cell() const {
    const auto place = current_place();
    if (!place)
        return std::nullopt;
    if (const auto part = lit_part())
        return part;
    const Index lead = shown()->leading_panel(selection());
    const Panel& panel = shown()->panel(lead);
    if (panel.kind == Panel::Kind::text)
        return Cell{lead, 0, panel.selected_column.value_or(panel.selected_row.value_or(0))};
    if (panel.overlay) {
        const CellPlace patch = outlined_cell(panel);
        return Cell{lead, patch.row.value_or(0), patch.column.value_or(0)};
    }
    const auto cell = has_cells_of_stage(panel) ? shown()->cell_of(lead, *place) : std::nullopt;
    return cell ? std::optional(Cell{lead, cell->first, cell->second}) : std::nullopt;
}

QString FigureCanvas::sentence_of(const Cell& cell) const {
    const Panel& panel = shown()->panel(cell.panel);
    if (panel.newest_row && cell.row > *panel.newest_row)
        return tr("Not there before a later step");
    const auto place = place_of(cell);
    const QString of_stage = place ? sentence(*place) : QString();
    return of_stage.isEmpty() ? cell_in_words(panel, cell.row, cell.column) : of_stage;
}

QRectF FigureCanvas::area_of(const Cell& cell) const {
    const Panel& panel = shown()->panel(cell.panel);
    const PanelLayout& place = shown()->panel_layout(cell.panel);
    if (panel.kind == Panel::Kind::text)
        return place.tokens[static_cast<std::size_t>(cell.column)];
    if (panel.flow)
        return place.parts[static_cast<std::size_t>(cell.row)];
    return area_of_cells(panel, place.cells, cell.row, cell.column);
}

QRectF FigureCanvas::panel_area(Index panel) const { return shown()->panel_layout(panel).frame; }

void FigureCanvas::choose_cell(const Cell& cell) {
    const Panel& panel = shown()->panel(cell.panel);
    if (panel.flow)
        choose_part(cell);
    else if (panel.overlay)
        patch_tool_->choose(cell.panel, cell.row * panel.columns + cell.column);
    else if (panel.kind == Panel::Kind::text)
        choose(shown()->place_of(cell.panel, panel.selected_row ? std::optional(cell.column) : std::nullopt,
                                 panel.selected_row ? std::nullopt : std::optional(cell.column)));
    else if (const auto place = place_of(cell))
        choose(*place);
}

}  // namespace headlight
