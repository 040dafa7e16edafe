#include "ui/views/flow_layout.h"

#include <QWidget>

#include <algorithm>

namespace headlight {
namespace {

/// As large as the item likes to be; of one that is wider than the line, as high as that makes it.
QSize size_in(const QLayoutItem& item, int room) {
    const QSize size = item.sizeHint();
    if (size.width() <= room)
        return size;
    return {room, item.hasHeightForWidth() ? item.heightForWidth(room) : size.height()};
}

}  // namespace

FlowLayout::FlowLayout(int gap, QWidget* parent) : QLayout(parent), gap_(gap) {}

FlowLayout::~FlowLayout() { qDeleteAll(items_); }

void FlowLayout::addItem(QLayoutItem* item) { items_.append(item); }

int FlowLayout::count() const { return static_cast<int>(items_.size()); }

QLayoutItem* FlowLayout::itemAt(int index) const { return items_.value(index); }

QLayoutItem* FlowLayout::takeAt(int index) {
    return index >= 0 && index < items_.size() ? items_.takeAt(index) : nullptr;
}

int FlowLayout::heightForWidth(int width) const { return flow(QRect(0, 0, width, 0), false); }

QSize FlowLayout::sizeHint() const {
    const QMargins margins = contentsMargins();
    QSize size(margins.left() + margins.right(), margins.top() + margins.bottom());
    int line = 0, before = 0;
    for (const QLayoutItem* item : items_) {
        if (item->isEmpty())
            continue;
        size.rwidth() += before + item->sizeHint().width();
        line = std::max(line, item->sizeHint().height());
        before = gap_;
    }
    return size + QSize(0, line);
}

QSize FlowLayout::minimumSize() const {
    const QMargins margins = contentsMargins();
    QSize size;
    for (const QLayoutItem* item : items_)
        size = size.expandedTo(item->minimumSize());
    return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

void FlowLayout::setGeometry(const QRect& area) {
    QLayout::setGeometry(area);
    flow(area, true);
}

int FlowLayout::flow(const QRect& area, bool place) const {
    const QMargins margins = contentsMargins();
    const QRect inner = area.marginsRemoved(margins);
    int x = inner.left(), y = inner.top();
    qsizetype first = 0;
    int line_height = 0;
    const auto finish_line = [&](qsizetype end) {
        for (int at = inner.left(); place && first < end; ++first) {
            QLayoutItem* item = items_[first];
            if (item->isEmpty())
                continue;
            const QSize size = size_in(*item, inner.width());
            item->setGeometry(QRect(QPoint(at, y + (line_height - size.height()) / 2), size));
            at += size.width() + gap_;
        }
        first = end;
        y += line_height;
    };
    for (qsizetype i = 0; i < items_.size(); ++i) {
        if (items_[i]->isEmpty())
            continue;
        const QSize size = size_in(*items_[i], inner.width());
        if (x > inner.left() && x + size.width() > inner.left() + inner.width()) {
            finish_line(i);
            y += gap_;
            x = inner.left();
            line_height = 0;
        }
        x += size.width() + gap_;
        line_height = std::max(line_height, size.height());
    }
    finish_line(items_.size());
    return y - area.top() + margins.bottom();
}

}  // namespace headlight
