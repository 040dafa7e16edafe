#include "ui/models/mechanism_filter.h"

#include "core/catalog/search_text.h"
#include "ui/models/mechanism_model.h"
#include "ui/render/subscripts.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <tuple>
#include <utility>

namespace headlight {

bool in_first_course(const Mechanism& mechanism) {
    constexpr int advanced = 5000;  // where the second part of the teaching order begins
    return mechanism.order < advanced;
}

bool MechanismCriteria::asks_for_properties() const {
    MechanismCriteria others;
    others.text = text;
    return !(others == *this);
}

bool MechanismCriteria::asks_for_growths() const {
    return cost || text.contains(QLatin1String("lin"), Qt::CaseInsensitive);
}

/// One of its papers is of the years that are asked for.
bool is_of_its_time(const Mechanism& mechanism, const MechanismCriteria& criteria) {
    if (!criteria.from_year && !criteria.to_year)
        return true;
    const auto is_asked_for = [&](int year) {
        return year >= criteria.from_year.value_or(std::numeric_limits<int>::min()) &&
               year <= criteria.to_year.value_or(std::numeric_limits<int>::max());
    };
    return std::ranges::any_of(mechanism.papers, [&](const Paper& paper) {
        return is_asked_for(paper.year) || is_asked_for(paper.first());
    });
}

bool meets(const Mechanism& mechanism, const MechanismCriteria& criteria) {
    const MechanismProperties& has = mechanism.properties;
    return (criteria.family.isEmpty() || criteria.family == QString::fromStdString(mechanism.family)) &&
           is_of_its_time(mechanism, criteria) && (!criteria.first_course || in_first_course(mechanism)) &&
           (!criteria.row_stochastic || has.row_stochastic) && (!criteria.causal || has.causal) &&
           (!criteria.sparse || has.sparse) && (!criteria.streaming || has.streaming) &&
           (!criteria.is_signed || has.is_signed);
}

MechanismFilter::MechanismFilter(MechanismModel& model, QObject* parent)
    : QSortFilterProxyModel(parent), model_(model) {
    search();
    setSourceModel(&model);
    setRecursiveFilteringEnabled(true);
}

void MechanismFilter::set_criteria(const MechanismCriteria& criteria) {
    criteria_ = criteria;
    words_ = criteria.text.simplified().split(QChar(' '), Qt::SkipEmptyParts);
    search();
    if (criteria.asks_for_growths() && growths_.empty() && !counting_.is_running())
        count_growths();
    invalidateFilter();
    // Rows that stay say something else now.
    for (int family = 0; family < rowCount(); ++family) {
        const QModelIndex parent = index(family, 0);
        emit dataChanged(index(0, 0, parent), index(rowCount(parent) - 1, 0, parent));
    }
}

std::vector<const Mechanism*> MechanismFilter::listed() const {
    std::vector<const Mechanism*> all;
    for (int family = 0; family < model_.rowCount(); ++family) {
        const QModelIndex parent = model_.index(family, 0);
        for (int row = 0; row < model_.rowCount(parent); ++row)
            if (const Mechanism* each = model_.mechanism_at(model_.index(row, 0, parent)))
                all.push_back(each);
    }
    return all;
}

bool MechanismFilter::has_every_word(const QModelIndex& own) const {
    return headlight::has_every_word(own.data(MechanismModel::SearchRole).toString().toStdString(),
                                     criteria_.text.toStdString());
}

bool MechanismFilter::finds_own() const {
    if (criteria_.asks_for_properties())
        return false;
    const QModelIndex mine = model_.index(0, 0);  // the first family, where there is any of one's own
    for (int row = 0; row < model_.rowCount(mine); ++row) {
        const QModelIndex index = model_.index(row, 0, mine);
        if (!model_.mechanism_at(index) && has_every_word(index))
            return true;
    }
    return false;
}

void MechanismFilter::search() {
    const std::vector<const Mechanism*> all = listed();
    found_.clear();
    const auto is_linear = [this](const Mechanism& each) { return growth_of(each) == CostGrowth::linear; };
    for (FoundMechanism& each : find_mechanisms(criteria_.text.toStdString(), all, is_linear, finds_own()))
        found_.emplace(each.mechanism, std::move(each));
}

void MechanismFilter::count_growths() {
    counting_.start(
        "count how costs grow",
        [this, all = listed()](const Cancellation& cancellation) -> LatestJob::Delivery {
            const auto growths = std::make_shared<std::map<const Mechanism*, CostGrowth>>();
            for (const Mechanism* each : all) {
                if (cancellation.requested())
                    return {};
                growths->emplace(each, cost_growth(*each));
            }
            return [this, growths] {
                growths_ = *growths;
                set_criteria(criteria_);
                emit counted();
            };
        },
        [](const Error&) {});  // what does not run is beyond linear
}

const FoundMechanism* MechanismFilter::found(const Mechanism& mechanism) const {
    const auto place = found_.find(&mechanism);
    return place == found_.end() ? nullptr : &place->second;
}

int MechanismFilter::count() const {
    int found = 0;
    for (int family = 0; family < rowCount(); ++family)
        found += rowCount(index(family, 0));
    return found;
}

std::optional<CostGrowth> MechanismFilter::growth_of(const Mechanism& mechanism) const {
    const auto known = growths_.find(&mechanism);
    return known == growths_.end() ? std::nullopt : std::optional(known->second);
}

bool MechanismFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const QModelIndex index = model_.index(row, 0, parent);
    if (!index.flags().testFlag(Qt::ItemIsSelectable))
        return false;  // a family is there for its members
    const Mechanism* mechanism = model_.mechanism_at(index);
    if (mechanism ? !meets(*mechanism, criteria_) : criteria_.asks_for_properties())
        return false;
    if (mechanism && criteria_.cost && growth_of(*mechanism).value_or(*criteria_.cost) != *criteria_.cost)
        return false;
    return mechanism ? found(*mechanism) != nullptr : has_every_word(index);
}

QModelIndex MechanismFilter::best() const {
    QModelIndex best;
    // As the text stands, then part by part; of what a model has what the fewest others have; of those that
    // fit as well, the one that is taught first, and one's own before all.
    using Rank = std::tuple<int, int, int, int>;
    const SearchText typed(criteria_.text.toStdString());
    const auto rank_of_own = [&](const QString& name) {
        const SearchText own(name.toStdString());
        int by_word = 0;
        for (const QString& word : words_)
            by_word += own.place_of(SearchText(word.toStdString()));
        return Rank(own.place_of(typed), by_word, 0, -1);
    };
    Rank best_rank(std::numeric_limits<int>::max(), 0, 0, 0);
    for (int family = 0; family < rowCount(); ++family) {
        const QModelIndex parent = index(family, 0);
        for (int row = 0; row < rowCount(parent); ++row) {
            const QModelIndex candidate = index(row, 0, parent);
            const Mechanism* mechanism = model_.mechanism_at(mapToSource(candidate));
            const FoundMechanism* how = mechanism ? found(*mechanism) : nullptr;
            const Rank rank = how ? Rank(how->by_name, how->by_terms, how->by_rarity, mechanism->order)
                                  : rank_of_own(candidate.data().toString());
            if (rank < best_rank) {
                best_rank = rank;
                best = candidate;
            }
        }
    }
    return best;
}

QModelIndex MechanismFilter::nearest(const QModelIndex& row_of_model) const {
    const std::pair place(row_of_model.parent().row(), row_of_model.row());
    QModelIndex before;
    for (int family = 0; family < rowCount(); ++family) {
        const QModelIndex parent = index(family, 0);
        for (int row = 0; row < rowCount(parent); ++row) {
            const QModelIndex left = index(row, 0, parent), known = mapToSource(left);
            if (std::pair(known.parent().row(), known.row()) >= place)
                return left;
            before = left;
        }
    }
    return before;
}

QVariant MechanismFilter::data(const QModelIndex& index, int role) const {
    const QVariant known = QSortFilterProxyModel::data(index, role);
    if (role != MechanismModel::SummaryRole && role != Qt::ToolTipRole && role != Qt::AccessibleTextRole)
        return known;
    const Mechanism* mechanism = model_.mechanism_at(mapToSource(index));
    const FoundMechanism* how = mechanism ? found(*mechanism) : nullptr;
    if (!how || how->why.empty())
        return known;
    const QString why = QString::fromStdString(how->why);
    switch (role) {
    case MechanismModel::SummaryRole:
        return tr("%1 · %2", "why it was found, and a line about it").arg(why, known.toString());
    case Qt::ToolTipRole:
        return QStringLiteral("<p>%1</p>%2")
            .arg(html_with_subscripts(tr("Found by: %1").arg(why)), known.toString());
    default:
        return tr("%1 Found by: %2.").arg(known.toString(), why);
    }
}

}  // namespace headlight
