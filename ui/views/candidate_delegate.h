#pragma once

#include "ui/views/painted_delegate.h"

namespace headlight {

/// A candidate of a decoding step: the word, its probability as a bar on an axis from 0 to 1, and the number.
/// What was said is bold. Of a model that copies, the part of the bar that is copied is hatched. Reads
/// CandidateModel::Role.
class CandidateDelegate : public PaintedDelegate {
    Q_OBJECT
public:
    using PaintedDelegate::PaintedDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace headlight
