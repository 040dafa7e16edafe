#pragma once

#include "ui/models/choice_filter.h"
#include "ui/panels/search_popup.h"

class QAbstractItemDelegate;
class QAbstractItemModel;
class QComboBox;
class QKeyEvent;

namespace headlight {

/// The choices of a drop-down list or a button, under their headings, if it has some, with a search line
/// above them.
class ChoicePopup : public SearchPopup {
    Q_OBJECT
public:
    /// What it says of itself; how wide it is, in letters.
    struct Words {
        QString search, effect, placeholder;
        QString rows, rows_effect;
        QString nothing;  ///< where nothing is found
        int letters = 56;
    };

    /// Its parts are called as the list is, with "_search" and the like behind it.
    ChoicePopup(QComboBox& list, const Words& words);
    /// Those of a button, which is at none of them.
    ChoicePopup(QWidget& button, QAbstractItemModel& choices, const Words& words);

    /// Whether a key that is pressed on the list or the button is a letter to search for.
    static bool begins_search(const QKeyEvent& event);
    /// Below the list or the button, with `typed` in the search line.
    void open(const QString& typed);
    /// Draws the rows; is its own from then on.
    void draw_rows_with(QAbstractItemDelegate* delegate);

    void filter() override;

signals:
    /// A row of the choices.
    void picked(int row);
    /// A row of them that cannot be chosen now.
    void refused(int row);

protected:
    void accept(const QModelIndex& index) override;
    /// Says why over the row: the list covers what else says it.
    void refuse(const QModelIndex& index) override;

private:
    QWidget& anchor_;
    QAbstractItemModel& choices_;
    const QComboBox* list_ = nullptr;  ///< which is at one of them
    int letters_;
    ChoiceFilter found_;
};

}  // namespace headlight
