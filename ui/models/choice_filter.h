#pragma once

#include "core/catalog/search.h"

#include <QSortFilterProxyModel>
#include <QString>

#include <map>
#include <string>

namespace headlight {

/// Those choices of a list with headings in which every word of a text occurs, and the headings above them;
/// mechanisms as find_mechanisms() finds them, too. A heading is a row that cannot be selected; the data of a
/// choice (Qt::UserRole) is its name, also that of a mechanism.
class ChoiceFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    enum Role { SearchRole = Qt::UserRole + 1 };  ///< of the list: what might be typed to find the choice

    using QSortFilterProxyModel::QSortFilterProxyModel;

    void set_text(const QString& text);
    /// The choice that the text most likely means; invalid without one.
    QModelIndex best() const;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    bool is_choice(int row) const;
    bool has_every_word(int row) const;
    bool is_found(int row) const;
    void search();

    QString text_;
    std::map<std::string, FoundMechanism> found_;  ///< by id, by the text
};

}  // namespace headlight
