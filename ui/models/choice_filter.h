#pragma once

#include <QSortFilterProxyModel>
#include <QStringList>

namespace headlight {

/// Those choices of a list with headings in which every word of a text occurs, and the headings above them. A
/// heading is a row that cannot be selected; the data of a choice (Qt::UserRole) is its name, also that of a
/// mechanism.
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
    bool is_found(int row) const;

    QString text_;
    QStringList words_;  ///< of the text
};

}  // namespace headlight
