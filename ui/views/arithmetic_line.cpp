#include "ui/views/arithmetic_line.h"

#include "ui/jobs/job.h"
#include "ui/models/document.h"
#include "ui/views/cell_text.h"
#include "ui/views/changed_cells.h"
#include "ui/views/hover.h"
#include "ui/views/role.h"

#include <QCursor>
#include <QEvent>

namespace headlight {
namespace {

constexpr int most_lines = 3;
constexpr int edge_gap = 8;  // to the edges of the picture

}  // namespace

ArithmeticLine::ArithmeticLine(Document& document, QWidget* picture) : QLabel(picture), document_(document) {
    setObjectName(QStringLiteral("arithmetic"));
    setAccessibleName(tr("Arithmetic of the cell"));
    setWordWrap(true);
    setMargin(6);
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    give_role(*this, Role::overlay);
    setAttribute(Qt::WA_TransparentForMouseEvents);  // what it covers can still be pointed at
    hide();
    picture->installEventFilter(this);
    connect(&document_, &Document::run_changed, this, &ArithmeticLine::refresh);
    connect(&document_, &Document::site_run_changed, this, &ArithmeticLine::refresh);
    connect(&document_, &Document::view_changed, this, &ArithmeticLine::refresh);
    connect(&HoverState::of(document_), &HoverState::changed, this, &ArithmeticLine::refresh);
}

void ArithmeticLine::set_wanted(bool wanted) {
    is_wanted_ = wanted;
    refresh();
}

void ArithmeticLine::refresh() {
    const auto& hovered = HoverState::of(document_).place();
    if (!is_wanted_ || !document_.run() || !hovered)
        return hide();
    setText(text_at(*hovered));
    setVisible(!text().isEmpty());
    place();
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
        return arithmetic_line(report, [this](const QString& line) { return fits(line); });
    } catch (...) {
        return current_problem("explain a cell");
    }
}

bool ArithmeticLine::fits(const QString& line) const {
    const QRect room(0, 0, parentWidget()->width() - 2 * (edge_gap + margin()), 1);
    return fontMetrics().boundingRect(room, Qt::TextWordWrap, line).height() <=
           most_lines * fontMetrics().lineSpacing();
}

void ArithmeticLine::place() {
    const QRect picture = parentWidget()->rect().adjusted(edge_gap, edge_gap, -edge_gap, -edge_gap);
    const int height = heightForWidth(picture.width());
    // The tooltip hangs below the pointer, and takes about as much room as the line.
    const bool is_in_the_way =
        parentWidget()->mapFromGlobal(QCursor::pos()).y() > picture.bottom() - 3 * height;
    setGeometry(picture.left(), is_in_the_way ? picture.top() : picture.bottom() + 1 - height,
                picture.width(), height);
    raise();
}

bool ArithmeticLine::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible())
        place();
    return QLabel::eventFilter(watched, event);
}

}  // namespace headlight
