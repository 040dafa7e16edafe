#include "ui/models/mechanism_model.h"

#include "core/attention/spec_words.h"
#include "core/catalog/documentation_text.h"
#include "core/catalog/family.h"
#include "ui/render/subscripts.h"

#include <QFont>

#include <algorithm>

namespace headlight {
namespace {

// An index carries 0 for a family and the family's row + 1 for a mechanism.
constexpr quintptr family_id = 0;

}  // namespace

QString spec_summary(const AttentionSpec& spec) {
    QStringList parts;
    const auto add = [&](const auto& type, const auto& standard) {
        if (type != standard)
            parts << QString::fromStdString(to_word(type)).replace(QChar('_'), QChar(' '));
    };
    add(spec.score.type, ScoreType::scaled_dot);
    add(spec.position.type, PositionType::none);
    add(spec.position.second, PositionType::none);
    add(spec.selection.type, SelectionType::none);
    add(spec.normalizer.type, NormalizerType::softmax);
    add(spec.heads.type, HeadsType::single);
    add(spec.algorithm.type, AlgorithmType::composed);
    if (is_masked(spec.mask))
        parts << MechanismModel::tr("masked");
    return parts.isEmpty() ? MechanismModel::tr("scaled dot products, softmax")
                           : parts.join(QStringLiteral(", "));
}

MechanismModel::MechanismModel(QObject* parent) : MechanismModel(mechanisms(), parent) {}

MechanismModel::MechanismModel(std::span<const Mechanism> list, QObject* parent)
    : QAbstractItemModel(parent) {
    // Those that nobody listed stand behind those that are.
    for (const headlight::Family& family : headlight::families())
        families_.push_back({QString::fromStdString(family.name), {}});
    for (const Mechanism& mechanism : list) {
        const QString name = QString::fromStdString(mechanism.family);
        auto family = std::ranges::find(families_, name, &Family::name);
        if (family == families_.end())
            family = families_.insert(families_.end(), {name, {}});
        family->members.push_back({&mechanism, QString::fromStdString(mechanism.name),
                                   QString::fromStdString(first_sentence(mechanism.explanation))});
    }
    std::erase_if(families_, [](const Family& family) { return family.members.empty(); });
}

void MechanismModel::set_own(const std::vector<CustomMechanism>& saved,
                             const std::vector<CustomMechanism>& drafts) {
    beginResetModel();
    if (has_own_)
        families_.erase(families_.begin());
    has_own_ = !saved.empty() || !drafts.empty();
    if (has_own_) {
        Family mine{tr("Mine"), {}};
        for (const std::vector<CustomMechanism>* own : {&saved, &drafts})
            for (const CustomMechanism& each : *own)
                mine.members.push_back(
                    {nullptr, QString::fromStdString(each.name), spec_summary(each.spec), own == &drafts});
        families_.insert(families_.begin(), std::move(mine));
    }
    endResetModel();
}

template <class Is>
QModelIndex MechanismModel::find(const Is& is) const {
    for (std::size_t family = 0; family < families_.size(); ++family) {
        const auto found = std::ranges::find_if(families_[family].members, is);
        if (found != families_[family].members.end())
            return createIndex(static_cast<int>(found - families_[family].members.begin()), 0,
                               static_cast<quintptr>(family) + 1);
    }
    return {};
}

QModelIndex MechanismModel::index_of(const std::string& id) const {
    return find([&](const Entry& entry) { return entry.mechanism && entry.mechanism->id == id; });
}

QModelIndex MechanismModel::index_of_own(const QString& name) const {
    return find([&](const Entry& entry) { return !entry.mechanism && entry.name == name; });
}

const MechanismModel::Entry* MechanismModel::entry_at(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == family_id)
        return nullptr;
    return &families_[index.internalId() - 1].members[static_cast<std::size_t>(index.row())];
}

const Mechanism* MechanismModel::mechanism_at(const QModelIndex& index) const {
    const Entry* entry = entry_at(index);
    return entry ? entry->mechanism : nullptr;
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
    const Entry* entry = entry_at(index);
    if (!entry) {
        const QString& name = families_[static_cast<std::size_t>(index.row())].name;
        if (role == Qt::FontRole) {
            QFont bold;
            bold.setBold(true);
            return bold;
        }
        return role == Qt::DisplayRole ? QVariant(name) : QVariant();
    }
    const Mechanism* mechanism = entry->mechanism;
    const QString shown = entry->is_draft ? tr("%1 (not saved)").arg(entry->name) : entry->name;
    switch (role) {
    case Qt::DisplayRole:
        return shown;
    case SummaryRole:
        return entry->summary;
    case Qt::ToolTipRole:
        return QStringLiteral("<p>%1</p>")
            .arg(html_with_subscripts(mechanism ? QString::fromStdString(mechanism->explanation)
                                                : entry->summary));
    case Qt::AccessibleTextRole:
        return mechanism ? tr("%1, %2. %3").arg(entry->name).arg(mechanism->year()).arg(entry->summary)
                         : tr("%1, in Mine: %2").arg(shown, entry->summary);
    case IdRole:
        return mechanism ? QString::fromStdString(mechanism->id) : QString();
    case OwnNameRole:
        return mechanism ? QString() : entry->name;
    case DraftRole:
        return entry->is_draft;
    case YearRole:
        return mechanism ? QVariant(mechanism->year()) : QVariant();
    case SearchRole:
        return mechanism ? QString()
                         : QStringLiteral("%1 %2 %3").arg(shown, entry->summary, families_.front().name);
    default:
        return {};
    }
}

Qt::ItemFlags MechanismModel::flags(const QModelIndex& index) const {
    if (!index.isValid())
        return Qt::NoItemFlags;
    return entry_at(index) ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren
                           : Qt::ItemFlags(Qt::ItemIsEnabled);
}

}  // namespace headlight
