#include "ui/views/stages_view.h"

#include "ui/models/document.h"
#include "ui/views/cell_text.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/formula_view.h"
#include "ui/views/hover.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight {
namespace {

constexpr int lines_of_arithmetic = 3;

}  // namespace

StagesView::StagesView(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), formula_(new FormulaView),
      canvas_(new FigureCanvas(document, ViewKind::stages)), arithmetic_(new QLabel) {
    canvas_->setAccessibleName(tr("Stages"));
    arithmetic_->setObjectName(QStringLiteral("arithmetic"));
    arithmetic_->setAccessibleName(tr("Arithmetic of the cell"));
    arithmetic_->setWordWrap(true);
    arithmetic_->setMargin(6);
    arithmetic_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    arithmetic_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(formula_);
    layout->addWidget(canvas_, 1);
    layout->addWidget(arithmetic_);
    setFocusProxy(canvas_);

    connect(&document_, &Document::run_changed, this, &StagesView::update_stage);
    connect(&document_, &Document::site_run_changed, this, &StagesView::update_arithmetic);
    connect(&document_, &Document::session_changed, this, &StagesView::update_stage);
    connect(&document_, &Document::view_changed, this, &StagesView::update_stage);
    connect(&HoverState::of(document_), &HoverState::changed, this, &StagesView::update_arithmetic);
    update_stage();
}

void StagesView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    // The picture comes first: a formula of many lines gets smaller here, and is in full size in its panel.
    formula_->setMaximumHeight(std::max(formula_->minimumSizeHint().height(), height() / 3));
    update_arithmetic();
}

void StagesView::update_stage() {
    const Session& session = document_.session();
    const auto run = document_.run();
    const Selection shown = run ? shown_selection(*run->trace, session.view) : session.view.selection;
    formula_->set_formula(session.mechanism, shown.stage);
    formula_->setVisible(!session.custom && !session.model);  // it would be the formula of another
    update_arithmetic();
}

void StagesView::update_arithmetic() {
    // Always the same room, so that the picture above does not jump while the pointer moves.
    arithmetic_->setFixedHeight(arithmetic_->fontMetrics().lineSpacing() * lines_of_arithmetic +
                                2 * arithmetic_->margin());
    const auto run = document_.run();
    if (!run)
        return;
    const Selection selection = shown_selection(*run->trace, document_.session().view);
    const auto& hovered = HoverState::of(document_).place();
    const auto place = hovered ? hovered : selected_place(*run->trace, selection);
    if (!place || !place->is_cell()) {
        arithmetic_->setText(place ? cell_sentence(*run->trace, *place, selection) : QString());
        return;
    }
    try {
        const SiteRun source = document_.run_at(place->site);
        CellPlace there = *place;
        if (source.trace && source.trace != run->trace)
            there.site.clear();
        const CellReport report = report_cell(source.trace ? *source.plan : *run->plan,
                                              source.trace ? *source.trace : *run->trace, there, selection);
        arithmetic_->setText(arithmetic_line(report, [this](const QString& line) {
            const QRect room = arithmetic_->rect().marginsRemoved(QMargins() + arithmetic_->margin());
            return arithmetic_->fontMetrics().boundingRect(room, Qt::TextWordWrap, line).height() <=
                   room.height();
        }));
    } catch (const Error& error) {
        arithmetic_->setText(QString::fromStdString(error.what()));
    }
}

}  // namespace headlight
