#pragma once

#include "core/catalog/mechanism.h"

#include <QAbstractItemModel>

#include <vector>

namespace headlight {

/// How well `typed` names the mechanism, 0 best: its name or id, the beginning of its name, of a word of its
/// name, a part of name or id, and only then its other names and whatever else SearchRole finds.
int search_rank(const Mechanism& mechanism, const QString& typed);

/// The catalogue as a tree: families, and in each its mechanisms, all in teaching order. Never changes.
class MechanismModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Role {
        IdRole = Qt::UserRole,  ///< id of a mechanism; empty for a family
        SearchRole,             ///< everything that a person might type to find it
    };

    explicit MechanismModel(QObject* parent = nullptr);
    /// Another list, for tests; the mechanisms must outlive the model.
    explicit MechanismModel(std::span<const Mechanism> list, QObject* parent = nullptr);

    QModelIndex index_of(const std::string& id) const;
    /// The mechanism of a row; null for a family.
    const Mechanism* mechanism_at(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const final;
    QModelIndex parent(const QModelIndex& child) const final;
    int rowCount(const QModelIndex& parent = {}) const final;
    int columnCount(const QModelIndex& parent = {}) const final;
    QVariant data(const QModelIndex& index, int role) const final;
    Qt::ItemFlags flags(const QModelIndex& index) const final;

private:
    struct Family {
        QString name;
        std::vector<const Mechanism*> members;
    };
    std::vector<Family> families_;
};

}  // namespace headlight
