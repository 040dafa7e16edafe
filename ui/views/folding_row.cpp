#include "ui/views/folding_row.h"

#include <QBoxLayout>
#include <QEvent>

#include <algorithm>

namespace headlight {

FoldingRow::FoldingRow(QWidget* first, QWidget* second, QWidget* parent)
    : QWidget(parent), first_(first), second_(second), line_(new QBoxLayout(QBoxLayout::LeftToRight, this)) {
    line_->setContentsMargins(0, 0, 0, 0);
    line_->setSpacing(6);
    line_->addWidget(first_, 1);
    line_->addWidget(second_);
}

QSize FoldingRow::minimumSizeHint() const {
    const QSize first = first_->minimumSizeHint(), second = second_->minimumSizeHint();
    return {std::max(first.width(), second.width()), line_->minimumSize().height()};
}

bool FoldingRow::event(QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)
        fold();
    return QWidget::event(event);
}

void FoldingRow::fold() {
    const int both =
        first_->minimumSizeHint().width() + line_->spacing() + second_->minimumSizeHint().width();
    const auto direction = both <= width() ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom;
    if (line_->direction() != direction)
        line_->setDirection(direction);
}

}  // namespace headlight
