#include "ui/models/mechanism_model.h"

#include <QFont>

#include <algorithm>

namespace headlight {
namespace {

// An index carries 0 for a family and the family's row + 1 for a mechanism.
constexpr quintptr family_id = 0;

QString search_text(const Mechanism& mechanism) {
    QString text = QString::fromStdString(mechanism.name + " " + mechanism.id + " " + mechanism.family + " " +
                                          mechanism.paper + " ") +
                   QString::number(mechanism.year);
    for (const std::string& name : mechanism.also_known_as)
        text += " " + QString::fromStdString(name);
    return text;
}

/// 0: all of `name`; 1: its beginning; 2: the beginning of one of its words; 3: a part of it; 4: not in it.
int place_in(const QString& name, const QString& typed) {
    const qsizetype at = name.indexOf(typed, 0, Qt::CaseInsensitive);
    if (at < 0)
        return 4;
    if (at == 0)
        return name.size() == typed.size() ? 0 : 1;
    return name[at - 1].isLetterOrNumber() ? 3 : 2;
}

}  // namespace

int search_rank(const Mechanism& mechanism, const QString& typed) {
    constexpr int elsewhere = 4;
    const int in_name = std::min(place_in(QString::fromStdString(mechanism.name), typed),
                                 place_in(QString::fromStdString(mechanism.id), typed));
    if (in_name < elsewhere)
        return in_name;
    int in_alias = elsewhere;
    for (const std::string& name : mechanism.also_known_as)
        in_alias = std::min(in_alias, place_in(QString::fromStdString(name), typed));
    return elsewhere + in_alias;
}

MechanismModel::MechanismModel(QObject* parent) : MechanismModel(mechanisms(), parent) {}

MechanismModel::MechanismModel(std::span<const Mechanism> list, QObject* parent)
    : QAbstractItemModel(parent) {
    for (const Mechanism& mechanism : list) {
        const QString name = QString::fromStdString(mechanism.family);
        auto family = std::find_if(families_.begin(), families_.end(),
                                   [&](const Family& candidate) { return candidate.name == name; });
        if (family == families_.end())
            family = families_.insert(families_.end(), {name, {}});
        family->members.push_back(&mechanism);
    }
}

QModelIndex MechanismModel::index_of(const std::string& id) const {
    for (std::size_t family = 0; family < families_.size(); ++family) {
        const auto& members = families_[family].members;
        for (std::size_t row = 0; row < members.size(); ++row)
            if (members[row]->id == id)
                return createIndex(static_cast<int>(row), 0, static_cast<quintptr>(family + 1));
    }
    return {};
}

const Mechanism* MechanismModel::mechanism_at(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == family_id)
        return nullptr;
    return families_[index.internalId() - 1].members[static_cast<std::size_t>(index.row())];
}

QModelIndex MechanismModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row() + 1) : family_id);
}

QModelIndex MechanismModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == family_id)
        return {};
    return createIndex(static_cast<int>(child.internalId() - 1), 0, family_id);
}

int MechanismModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid())
        return static_cast<int>(families_.size());
    if (parent.internalId() != family_id || parent.column() > 0)
        return 0;
    return static_cast<int>(families_[static_cast<std::size_t>(parent.row())].members.size());
}

int MechanismModel::columnCount(const QModelIndex&) const { return 1; }

QVariant MechanismModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const Mechanism* mechanism = mechanism_at(index);
    if (!mechanism) {
        const QString& name = families_[static_cast<std::size_t>(index.row())].name;
        if (role == Qt::FontRole) {
            QFont bold;
            bold.setBold(true);
            return bold;
        }
        return role == Qt::DisplayRole ? QVariant(name) : QVariant();
    }
    switch (role) {
    case Qt::DisplayRole:
        return QString::fromStdString(mechanism->name);
    case Qt::ToolTipRole:
        return QString::fromStdString(mechanism->explanation);
    case IdRole:
        return QString::fromStdString(mechanism->id);
    case SearchRole:
        return search_text(*mechanism);
    default:
        return {};
    }
}

Qt::ItemFlags MechanismModel::flags(const QModelIndex& index) const {
    if (!index.isValid())
        return Qt::NoItemFlags;
    return mechanism_at(index) ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren
                               : Qt::ItemFlags(Qt::ItemIsEnabled);
}

}  // namespace headlight
