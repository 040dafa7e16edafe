#include "ui/views/arithmetic_line.h"

#include "core/figure/view.h"
#include "ui/jobs/job.h"
#include "ui/models/document.h"
#include "ui/views/cell_text.h"
#include "ui/views/changed_cells.h"
#include "ui/views/hover.h"

#include <QApplication>

#include <algorithm>

namespace headlight {

ArithmeticLine::ArithmeticLine(Document& document, QWidget* parent)
    : ElidedLabel(parent), document_(document) {
    setObjectName(QStringLiteral("arithmetic"));
    setAccessibleName(tr("Arithmetic of the cell"));
    setContentsMargins(8, 4, 8, 4);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setAlignment(Qt::AlignCenter);
    hide();
    connect(&document_, &Document::run_changed, this, &ArithmeticLine::refresh);
    connect(&document_, &Document::site_run_changed, this, &ArithmeticLine::refresh);
    connect(&document_.looking(), &Looking::view_changed, this, &ArithmeticLine::refresh);
    connect(&HoverState::of(document_), &HoverState::changed, this, &ArithmeticLine::refresh);
}

void ArithmeticLine::set_wanted(bool wanted) {
    is_wanted_ = wanted;
    setVisible(is_wanted_ && !is_withheld_);
    refresh();
}

void ArithmeticLine::withhold(bool withheld) {
    is_withheld_ = withheld;
    setVisible(is_wanted_ && !is_withheld_);
    refresh();
}

void ArithmeticLine::refresh() {
    if (!is_wanted_)
        return;
    if (is_withheld_ || !document_.run())
        return clear();
    const std::optional<CellPlace>& hovered = HoverState::of(document_).place();
    const std::optional<CellPlace> place = hovered ? hovered : selected();
    setText(place ? text_at(*place) : QString());
}

std::optional<CellPlace> ArithmeticLine::selected() const {
    const View& shown = view(document_.view().view);
    if (shown.all_sites || shown.reads_every_head)
        return std::nullopt;
    const Trace& trace = *document_.run()->trace;
    return selected_place(trace, shown_selection(trace, document_.view()));
}

QString ArithmeticLine::text_at(const CellPlace& place) const {
    const Run& run = *document_.run();
    const Selection selection = shown_selection(*run.trace, document_.view());
    if (!place.is_cell())
        return cell_sentence(*run.trace, place, selection);
    try {
        const SiteRun source = document_.run_at(place.site);
        CellPlace there = place;
        if (source.trace && source.trace != run.trace)
            there.site.clear();
        const Trace& trace = source.trace ? *source.trace : *run.trace;
        CellReport report =
            report_cell((source.trace ? source.plan : run.plan).get(), trace, there, selection);
        mark_changes(report, run, place.site, trace, there);
        name_steps_at(report, place.site);
        return arithmetic_line(report, [this](const QString& line) { return fits(line); });
    } catch (...) {
        return current_problem("explain a cell");
    }
}

bool ArithmeticLine::fits(const QString& line) const {
    return fontMetrics().horizontalAdvance(line) <= contentsRect().width();
}

QSize ArithmeticLine::sizeHint() const {
    const QMargins around = contentsMargins();
    const int own = fontMetrics().lineSpacing() + around.top() + around.bottom();
    const QFontMetrics menus(QApplication::font());
    constexpr int edges = 4;
    // Where a class reads in it messages lie over it, the longer ones on two lines in the letters of menus.
    const int said = fontMetrics().height() > menus.height() ? 2 * menus.lineSpacing() + edges : 0;
    return {0, std::max(own, said)};  // also while it says nothing
}

void ArithmeticLine::resizeEvent(QResizeEvent* event) {
    ElidedLabel::resizeEvent(event);
    refresh();
}

}  // namespace headlight
