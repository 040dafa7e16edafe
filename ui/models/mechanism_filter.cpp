#include "ui/models/mechanism_filter.h"

#include "core/analysis/run_cost.h"
#include "core/tensor/error.h"
#include "ui/models/mechanism_model.h"
#include "ui/models/search_text.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace headlight {

namespace {

/// At so many tokens, of a width that splits into eight heads of even width.
double multiply_adds(const AttentionSpec& spec, Index tokens) {
    constexpr Index width = 32;
    Inputs inputs;
    inputs.query = Tensor({tokens, width}, 0.5);
    if (spec.source.type == SourceType::cross)
        inputs.key = inputs.query;
    return run_cost(plan(spec, inputs)).multiply_adds;
}

}  // namespace

CostGrowth cost_growth(const Mechanism& mechanism) {
    constexpr Index tokens = 32;
    constexpr double noticeable = 0.02;
    try {
        const AttentionSpec spec = build_spec(mechanism, {});
        const double once = multiply_adds(spec, tokens), twice = multiply_adds(spec, 2 * tokens),
                     four_times = multiply_adds(spec, 4 * tokens);
        // 0 for a + b n, whatever a and b are.
        const double bend = four_times - 3 * twice + 2 * once;
        return bend < noticeable * four_times ? CostGrowth::linear : CostGrowth::beyond_linear;
    } catch (const Error&) {
        return CostGrowth::beyond_linear;  // it does not run on such tokens
    }
}

bool in_first_course(const Mechanism& mechanism) {
    constexpr int advanced = 5000;  // where the second part of the teaching order begins
    return mechanism.order < advanced;
}

bool MechanismCriteria::asks_for_properties() const {
    MechanismCriteria others;
    others.text = text;
    return !(others == *this);
}

/// One of its papers is of the years that are asked for.
bool is_of_its_time(const Mechanism& mechanism, const MechanismCriteria& criteria) {
    if (!criteria.from_year && !criteria.to_year)
        return true;
    return std::ranges::any_of(mechanism.papers, [&](const Paper& paper) {
        return paper.year >= criteria.from_year.value_or(std::numeric_limits<int>::min()) &&
               paper.year <= criteria.to_year.value_or(std::numeric_limits<int>::max());
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
    setSourceModel(&model);
    setRecursiveFilteringEnabled(true);
}

void MechanismFilter::set_criteria(const MechanismCriteria& criteria) {
    criteria_ = criteria;
    words_ = criteria.text.simplified().split(QChar(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

int MechanismFilter::count() const {
    int found = 0;
    for (int family = 0; family < rowCount(); ++family)
        found += rowCount(index(family, 0));
    return found;
}

CostGrowth MechanismFilter::growth_of(const Mechanism& mechanism) const {
    const auto known = growths_.find(&mechanism);
    if (known != growths_.end())
        return known->second;
    return growths_.emplace(&mechanism, cost_growth(mechanism)).first->second;
}

bool MechanismFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const QModelIndex index = model_.index(row, 0, parent);
    if (!index.flags().testFlag(Qt::ItemIsSelectable))
        return false;  // a family is there for its members
    const Mechanism* mechanism = model_.mechanism_at(index);
    if (mechanism ? !meets(*mechanism, criteria_) : criteria_.asks_for_properties())
        return false;
    if (mechanism && criteria_.cost && growth_of(*mechanism) != *criteria_.cost)
        return false;
    const SearchText known(index.data(MechanismModel::SearchRole).toString());
    return std::ranges::all_of(words_, [&](const QString& word) { return known.contains(SearchText(word)); });
}

QModelIndex MechanismFilter::best() const {
    QModelIndex best;
    const QString typed = criteria_.text.simplified();
    // As the text stands, then word by word; of those that fit as well, the one that is taught first, and
    // one's own before all.
    using Rank = std::tuple<int, int, int>;
    const auto rank_of = [&](const auto& named, int order) {
        int by_word = 0;
        for (const QString& word : words_)
            by_word += search_rank(named, word);
        return Rank(search_rank(named, typed), by_word, order);
    };
    Rank best_rank(std::numeric_limits<int>::max(), 0, 0);
    for (int family = 0; family < rowCount(); ++family) {
        const QModelIndex parent = index(family, 0);
        for (int row = 0; row < rowCount(parent); ++row) {
            const QModelIndex candidate = index(row, 0, parent);
            const Mechanism* mechanism = model_.mechanism_at(mapToSource(candidate));
            const Rank rank =
                mechanism ? rank_of(*mechanism, mechanism->order) : rank_of(candidate.data().toString(), -1);
            if (rank < best_rank) {
                best_rank = rank;
                best = candidate;
            }
        }
    }
    return best;
}

}  // namespace headlight
