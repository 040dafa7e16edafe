#include "ui/views/copy_bar.h"

#include "ui/models/candidate_model.h"

#include <QPainter>

namespace headlight {
namespace {

constexpr int bar_height = 10, gap = 3;

}  // namespace

void fill_copied(QPainter& painter, const QRectF& bar, const QColor& colour) {
    constexpr float paler = 0.25F;
    QColor pale = colour;
    pale.setAlphaF(paler * colour.alphaF());
    painter.fillRect(bar, pale);
    painter.fillRect(bar, QBrush(colour, Qt::BDiagPattern));
}

CopyBar::CopyBar(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setToolTip(explanation());
}

QString CopyBar::explanation() const {
    if (points_)
        return tr(
            "Pointer network (Vinyals, Fortunato and Jaitly 2015): at each step a gate decides how likely "
            "the text ends here. Otherwise it says a word of the source, each as much as the attention "
            "points at it; it has no other words");
    return tr(
        "Pointer-generator (See, Liu and Manning 2017, equations 8 and 9): before each word the model "
        "decides by p_gen how much it writes with words of its own and how much it copies. What it "
        "copies are the words of the source, each as much as the attention looks at it. In the "
        "candidates below, the filled part of a bar is generated, the hatched part is copied. Source "
        "words that it looks at but cannot say, and weights that you took away, leave less to copy: the "
        "candidates are scaled to 100 % again, and what is generated is more of them than up here");
}

void CopyBar::show_step(std::optional<double> generates, bool points) {
    setVisible(generates.has_value());
    if (!generates)
        return;
    generates_ = *generates;
    points_ = points;
    setToolTip(explanation());
    setAccessibleName(generated_text() + QStringLiteral(", ") + copied_text());
    update();
}

QString CopyBar::generated_text() const {
    return (points_ ? tr("Ends %1") : tr("Generates %1")).arg(percent_text(generates_));
}

QString CopyBar::copied_text() const {
    return (points_ ? tr("points %1") : tr("copies %1")).arg(percent_text(1 - generates_));
}

QSize CopyBar::sizeHint() const { return {160, fontMetrics().height() + gap + bar_height}; }

void CopyBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRect line(0, 0, width(), fontMetrics().height());
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, generated_text());
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, copied_text());
    const QRectF bar(0, line.bottom() + 1 + gap, width(), bar_height);
    const QColor colour = palette().color(QPalette::Highlight);
    const double border = bar.left() + bar.width() * generates_;
    painter.fillRect(bar, palette().color(QPalette::AlternateBase));
    painter.fillRect(QRectF(bar.topLeft(), QPointF(border, bar.bottom())), colour);
    fill_copied(painter, QRectF(QPointF(border, bar.top()), bar.bottomRight()), colour);
}

}  // namespace headlight
