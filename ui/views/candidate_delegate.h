#pragma once

#include <QStyledItemDelegate>

namespace headlight {

/// A candidate of a decoding step: the word, its probability as a bar on an axis from 0 to 1, and the number.
/// What was said is bold. Reads CandidateModel::Role.
class CandidateDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace headlight
