#include "ui/views/arithmetic_view.h"

#include "ui/actions/context_menu.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QStringList>
#include <QStyle>
#include <QStyleOptionFocusRect>

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr double above_step = 1, below_step = 1, between_columns = 8;
/// The share of the width that a name has at least beside a long result, as a number in words is.
constexpr double least_name = 0.4;

QFont bold_font(QFont font, bool is_bold) {
    font.setBold(is_bold);
    return font;
}

}  // namespace

ArithmeticView::ArithmeticView(QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setFocusPolicy(Qt::StrongFocus);  // its scroll area takes the keys that lead through it
    QAction* copy = make_action(QStringLiteral("copy_arithmetic"), this);
    connect(copy, &QAction::triggered, this, &ArithmeticView::copy);
    addAction(copy);
    setContextMenuPolicy(Qt::ActionsContextMenu);
}

void ArithmeticView::show_steps(const std::vector<ArithmeticStep>& steps) {
    const QString lines = arithmetic_lines(steps);
    if (lines == text() && steps.size() == steps_.size())
        return;
    steps_ = steps;
    setText(lines);
    setAccessibleDescription(lines);
    fit();
}

void ArithmeticView::copy() const { QGuiApplication::clipboard()->setText(text()); }

QSize ArithmeticView::minimumSizeHint() const { return {80, minimumHeight()}; }

void ArithmeticView::fit() {
    set_.clear();
    double top = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        set_.push_back(set_step(steps_[i], i + 1 == steps_.size(), top));
        top = set_.back().bottom;
    }
    setFixedHeight(static_cast<int>(std::ceil(top)));
    update();
}

ArithmeticView::SetStep ArithmeticView::set_step(const ArithmeticStep& step, bool is_last, double top) const {
    const double all = std::max(width(), 1);
    const QFont row = bold_font(font(), is_last);
    SetStep set;
    set.result = set_words(QString::fromStdString(step.result), row,
                           std::max(1.0, (1 - least_name) * all - between_columns));
    const double left = all - set.result.size.width();
    set.name = set_words(QString::fromStdString(step.name), row, std::max(1.0, left - between_columns));
    // A bracket at the end of a line has ink beyond its advance.
    set.expression = set_arithmetic(QString::fromStdString(step.expression), font(), std::max(1.0, all - 1));
    const double high = std::max(set.name.size.height(), set.result.size.height());
    const double behind = set.name.size.width() + fontMetrics().horizontalAdvance(QLatin1Char(' '));
    const bool is_one_line = set.name.baselines.size() == 1 && set.result.baselines.size() == 1 &&
                             set.expression.baselines.size() == 1;
    set.name_at = {0, top + above_step};
    set.result_at = {left, set.name_at.y()};
    set.expression_at = {0, set.name_at.y() + high};
    set.bottom = set.expression_at.y() + set.expression.size.height() + below_step;
    if (!is_one_line || behind + set.expression.size.width() + between_columns > left)
        return set;
    // A fraction is higher than words: all three stand on one line.
    const double line = set.name_at.y() + std::max({set.name.baselines.front(), set.result.baselines.front(),
                                                    set.expression.baselines.front()});
    set.name_at.setY(line - set.name.baselines.front());
    set.result_at.setY(line - set.result.baselines.front());
    set.expression_at = {behind, line - set.expression.baselines.front()};
    set.bottom =
        std::max(set.name_at.y() + high, set.expression_at.y() + set.expression.size.height()) + below_step;
    return set;
}

void ArithmeticView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    for (const SetStep& step : set_) {
        painter.setPen(palette().color(QPalette::WindowText));
        step.name.paint(painter, step.name_at);
        step.result.paint(painter, step.result_at);
        painter.setPen(palette().color(QPalette::PlaceholderText));
        step.expression.paint(painter, step.expression_at);
        painter.setPen(palette().color(QPalette::Mid));
        painter.drawLine(QPointF(0, step.bottom - 0.5), QPointF(width(), step.bottom - 0.5));
    }
    if (!hasFocus())
        return;
    QStyleOptionFocusRect focus;
    focus.initFrom(this);
    focus.rect = rect();
    style()->drawPrimitive(QStyle::PE_FrameFocusRect, &focus, &painter, this);
}

void ArithmeticView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        copy();
    else
        QLabel::keyPressEvent(event);
}

void ArithmeticView::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        fit();
}

void ArithmeticView::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
}

QString arithmetic_lines(const std::vector<ArithmeticStep>& steps) {
    QStringList lines;
    for (const ArithmeticStep& step : steps)
        lines += QStringLiteral("%1 = %2 = %3")
                     .arg(QString::fromStdString(step.name), QString::fromStdString(step.expression),
                          QString::fromStdString(step.result));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace headlight
