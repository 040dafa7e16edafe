#pragma once

#include "ui/views/tabular_delegate.h"

namespace headlight {

/// Numbers in a table, on a bar as long as the share that the item has in its column.
class ShareDelegate : public TabularDelegate {
    Q_OBJECT
public:
    /// `role`: that of the share, from 0 to 1; no bar where there is none.
    explicit ShareDelegate(int role, QObject* parent = nullptr) : TabularDelegate(parent), role_(role) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

private:
    int role_;
};

}  // namespace headlight
