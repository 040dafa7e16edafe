#include "ui/views/formula_view.h"

#include "core/catalog/mechanism.h"
#include "core/figure/formula.h"

#include <QEvent>
#include <QFile>
#include <QFontInfo>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

/// One em of the typeset formulas, in the units of their width and height.
constexpr double formula_em = 20;
/// Formulas have small indices, and are read from afar.
constexpr double formula_scale = 1.5;
constexpr int padding = 8;

std::string blend(const QColor& ink, const QColor& paper, double share) {
    const auto mix = [share](int a, int b) { return static_cast<int>(a + (b - a) * share); };
    return QColor(mix(ink.red(), paper.red()), mix(ink.green(), paper.green()), mix(ink.blue(), paper.blue()))
        .name()
        .toStdString();
}

}  // namespace

FormulaView::FormulaView(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Formula"));
}

void FormulaView::set_formula(const std::string& mechanism, const std::string& lit_stage) {
    if (mechanism == mechanism_ && lit_stage == lit_stage_)
        return;
    if (mechanism != mechanism_) {
        QFile file(QStringLiteral(":/headlight/formulas/%1.svg").arg(QString::fromStdString(mechanism)));
        svg_ = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        setAccessibleDescription(QString::fromStdString(formula_source(svg_.toStdString())));
    }
    mechanism_ = mechanism;
    lit_stage_ = lit_stage;
    light();
}

void FormulaView::light() {
    // What is not lit steps back, so that the lit term stands out in black and white too.
    const QColor text = palette().color(QPalette::WindowText), paper = palette().color(QPalette::Window);
    const std::string lit = palette().color(QPalette::Highlight).name().toStdString();
    if (svg_.isEmpty() || !renderer_.load(QByteArray::fromStdString(
                              light_formula(svg_.toStdString(), lit_stage_, lit, blend(text, paper, 0.35)))))
        svg_.clear();
    updateGeometry();
    update();
}

QSizeF FormulaView::natural_size() const {
    const double scale = QFontInfo(font()).pixelSize() * formula_scale / formula_em;
    return svg_.isEmpty() ? QSizeF(0, fontMetrics().height()) : QSizeF(renderer_.defaultSize()) * scale;
}

QSize FormulaView::sizeHint() const { return natural_size().toSize() + QSize(2 * padding, 2 * padding); }

QSize FormulaView::minimumSizeHint() const { return {160, fontMetrics().height() + 2 * padding}; }

int FormulaView::heightForWidth(int width) const {
    const QSizeF natural = natural_size();
    const double shrink = std::min(1.0, (width - 2 * padding) / std::max(natural.width(), 1.0));
    return std::max(static_cast<int>(std::ceil(natural.height() * shrink)) + 2 * padding,
                    minimumSizeHint().height());
}

void FormulaView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        light();
    QWidget::changeEvent(event);
}

void FormulaView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (svg_.isEmpty()) {
        const Mechanism* mechanism = find_mechanism(mechanism_);
        painter.drawText(rect(), Qt::AlignCenter,
                         QString::fromStdString(mechanism ? mechanism->name : mechanism_));
        return;
    }
    const QRectF room = QRectF(rect()).adjusted(padding, padding, -padding, -padding);
    QSizeF size = natural_size();
    if (size.width() > room.width() || size.height() > room.height())
        size.scale(room.size(), Qt::KeepAspectRatio);
    QRectF target(QPointF(), size);
    target.moveCenter(room.center());
    renderer_.render(&painter, target);
}

}  // namespace headlight
