#include "ui/views/formula_view.h"

#include "core/catalog/mechanism.h"

#include <QEvent>
#include <QFile>
#include <QPainter>

namespace headlight {

FormulaView::FormulaView(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Formula"));
}

void FormulaView::set_formula(const std::string& mechanism, const std::string& lit_stage) {
    if (mechanism == mechanism_ && lit_stage == lit_stage_)
        return;
    if (mechanism != mechanism_) {
        QFile file(QStringLiteral(":/headlight/formulas/%1.svg").arg(QString::fromStdString(mechanism)));
        svg_ = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    mechanism_ = mechanism;
    lit_stage_ = lit_stage;
    light();
}

void FormulaView::light() {
    renderer_.load(svg_);
    updateGeometry();
    update();
}

QSize FormulaView::sizeHint() const {
    const int line = fontMetrics().height();
    return {400, line * 3};
}

QSize FormulaView::minimumSizeHint() const { return {160, sizeHint().height()}; }

void FormulaView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        light();
    QWidget::changeEvent(event);
}

void FormulaView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (!renderer_.isValid()) {
        const Mechanism* mechanism = find_mechanism(mechanism_);
        painter.drawText(rect(), Qt::AlignCenter,
                         mechanism ? QString::fromStdString(mechanism->name) : QString());
        return;
    }
    QSizeF size = renderer_.defaultSize();
    size.scale(QSizeF(rect().adjusted(8, 4, -8, -4).size()), Qt::KeepAspectRatio);
    QRectF target(QPointF(), size);
    target.moveCenter(QRectF(rect()).center());
    renderer_.render(&painter, target);
}

}  // namespace headlight
