#include "ui/views/line_focus.h"

#include "core/workbench/figure_edits.h"
#include "ui/models/document.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/hover.h"
#include "ui/views/line_filter.h"
#include "ui/views/lines_bar.h"

#include <algorithm>

namespace headlight {
namespace {

bool has_lines(const Figure& figure) {
    return std::ranges::count(figure.panels, Panel::Kind::lines, &Panel::kind) > 0;
}

}  // namespace

LineFocus::LineFocus(Document& document, FigureCanvas& canvas, LinesBar& bar)
    : QObject(&canvas), document_(document), hover_(HoverState::of(document)), canvas_(canvas), bar_(bar) {
    const auto refresh = [this] {
        if (canvas_.figure() && has_lines(*canvas_.figure()))
            canvas_.refresh();
    };
    connect(&hover_, &HoverState::changed, this, refresh);
    connect(&document_, &Document::run_changed, this, &LineFocus::release_of_another_text);
    connect(&bar_, &LinesBar::chosen, this, &LineFocus::choose);
    connect(&bar_, &LinesBar::release_asked, this, &LineFocus::release);
    connect(&canvas_, &FigureCanvas::place_clicked, this, [this](const std::optional<CellPlace>& place) {
        if (canvas_.figure() && has_lines(*canvas_.figure()))
            hold(place);
    });
}

void LineFocus::filter(Figure& figure) {
    bar_.setVisible(has_lines(figure));
    const auto run = document_.run();
    const std::optional<CellPlace>& place = held_ ? held_ : hover_.place();
    HiddenLines hidden;
    for (Panel& panel : figure.panels) {
        if (panel.kind != Panel::Kind::lines)
            continue;
        hidden += panel.hidden_lines;
        if (!run || !place)
            continue;
        const CellPlace here = linked_place(*run->trace, *place, panel.stage, panel.head);
        !held_ && place->is_cell() ? point_out_line(panel, here) : keep_lines(panel, here);
    }
    bar_.show_choice(document_.session().figure.options.lines);
    bar_.show_hidden(hidden);
}

void LineFocus::choose(const LineChoice& choice) {
    document_.edit(choose_lines(document_.session(), choice));
}

bool LineFocus::release() {
    const bool was_held = held_.has_value();
    hold({});
    return was_held;
}

void LineFocus::release_of_another_text() {
    const auto run = document_.run();
    if (held_ && !(run && run->trace->tokens_at(held_->site) == held_tokens_))
        hold({});
}

void LineFocus::hold(std::optional<CellPlace> place) {
    const bool names_token = place && (place->row || place->column);
    const bool is_held = names_token && held_ && held_->site == place->site && held_->row == place->row &&
                         held_->column == place->column;
    held_ = names_token && !is_held ? place : std::nullopt;
    held_tokens_ = held_ ? document_.run()->trace->tokens_at(held_->site) : TokenLabels();
    bar_.show_held(held_ ? tr("Kept: %1").arg(canvas_.sentence(*held_)) : QString());
    canvas_.refresh();
}

}  // namespace headlight
