#pragma once

#include "ui/models/choice_filter.h"
#include "ui/panels/search_popup.h"

class QComboBox;

namespace headlight {

/// The choices of a drop-down list under their headings, with a search line above them.
class AttentionPopup : public SearchPopup {
    Q_OBJECT
public:
    explicit AttentionPopup(QComboBox& list);

    /// Below the list, with `typed` in the search line.
    void open(const QString& typed);

    void filter() override;

signals:
    /// A row of the list.
    void picked(int row);

protected:
    void accept(const QModelIndex& index) override;

private:
    QComboBox& list_;
    ChoiceFilter found_;
};

}  // namespace headlight
