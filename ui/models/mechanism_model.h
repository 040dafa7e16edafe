#pragma once

#include "core/catalog/mechanism.h"
#include "core/io/mechanism_file.h"

#include <QAbstractItemModel>

#include <vector>

namespace headlight {

/// What a composed mechanism is made of, as far as it is not the standard.
QString spec_summary(const AttentionSpec& spec);

/// The catalogue as a tree: families in their order, and in each its mechanisms in teaching order; before
/// them, as a family of their own, those that the person composed.
class MechanismModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Role {
        IdRole = Qt::UserRole,  ///< id of a mechanism of the catalogue; empty for everything else
        SearchRole,             ///< what finds one's own; those of the catalogue find_mechanisms() finds
        YearRole,               ///< of the paper; invalid where there is none
        SummaryRole,            ///< one line about it
        OwnNameRole,            ///< name of one's own mechanism; empty for everything else
        DraftRole,              ///< whether it is one's own that is not saved
    };

    explicit MechanismModel(QObject* parent = nullptr);
    /// Another list, for tests; the mechanisms must outlive the model.
    explicit MechanismModel(std::span<const Mechanism> list, QObject* parent = nullptr);

    /// What stands in the family "Mine", drafts behind what is saved; there is none without any.
    void set_own(const std::vector<CustomMechanism>& saved, const std::vector<CustomMechanism>& drafts = {});

    QModelIndex index_of(const std::string& id) const;
    /// The saved one where there is a draft too.
    QModelIndex index_of_own(const QString& name) const;
    /// The mechanism of a row; null for a family, and for one's own.
    const Mechanism* mechanism_at(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const final;
    QModelIndex parent(const QModelIndex& child) const final;
    int rowCount(const QModelIndex& parent = {}) const final;
    int columnCount(const QModelIndex& parent = {}) const final;
    QVariant data(const QModelIndex& index, int role) const final;
    Qt::ItemFlags flags(const QModelIndex& index) const final;

private:
    struct Entry {
        const Mechanism* mechanism = nullptr;  ///< null: one's own
        QString name;
        QString summary;
        bool is_draft = false;
    };
    struct Family {
        QString name;
        std::vector<Entry> members;
    };
    const Entry* entry_at(const QModelIndex& index) const;
    template <class Is>
    QModelIndex find(const Is& is) const;

    std::vector<Family> families_;
    bool has_own_ = false;  ///< families_ begins with "Mine"
};

}  // namespace headlight
