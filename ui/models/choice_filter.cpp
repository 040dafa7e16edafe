#include "ui/models/choice_filter.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace headlight {
namespace {

/// Null where it is no mechanism, or called like none.
const Mechanism* mechanism_of(const QModelIndex& choice) {
    return find_mechanism(choice.data(Qt::UserRole).toString().toStdString());
}

}  // namespace

void ChoiceFilter::set_text(const QString& text) {
    text_ = text.simplified();
    search();
    invalidateFilter();
}

void ChoiceFilter::search() {
    found_.clear();
    if (text_.isEmpty())
        return;
    std::vector<const Mechanism*> listed;
    bool is_word = false;  // beside which nothing is guessed
    for (int row = 0; row < sourceModel()->rowCount(); ++row) {
        if (!is_choice(row))
            continue;
        is_word = is_word || has_every_word(row);
        if (const Mechanism* mechanism = mechanism_of(sourceModel()->index(row, 0)))
            listed.push_back(mechanism);
    }
    for (FoundMechanism& each : find_mechanisms(text_.toStdString(), listed, {}, is_word))
        found_.emplace(each.mechanism->id, std::move(each));
}

QModelIndex ChoiceFilter::best() const {
    const SearchText typed(text_.toStdString());
    // As the text stands, then part by part; of those that fit as well, the one that stands first.
    using Rank = std::tuple<int, int, int>;
    QModelIndex best;
    Rank best_rank(std::numeric_limits<int>::max(), 0, 0);
    for (int row = 0; row < rowCount(); ++row) {
        const QModelIndex candidate = index(row, 0);
        if (!candidate.flags().testFlag(Qt::ItemIsSelectable))
            continue;
        const Mechanism* mechanism = mechanism_of(candidate);
        const auto how = mechanism ? found_.find(mechanism->id) : found_.end();
        const SearchText::Place place = SearchText(candidate.data().toString().toStdString()).place_of(typed);
        // A word of a list that a mechanism is called like is that word.
        const Rank rank = how != found_.end() && place != SearchText::all
                              ? Rank(how->second.by_name, how->second.by_terms, how->second.by_rarity)
                              : Rank(place, 0, 0);
        if (rank < best_rank) {
            best_rank = rank;
            best = candidate;
        }
    }
    return best;
}

bool ChoiceFilter::is_choice(int row) const {
    return sourceModel()->index(row, 0).flags().testFlag(Qt::ItemIsSelectable);
}

bool ChoiceFilter::has_every_word(int row) const {
    return headlight::has_every_word(sourceModel()->index(row, 0).data(SearchRole).toString().toStdString(),
                                     text_.toStdString());
}

bool ChoiceFilter::is_found(int row) const {
    const Mechanism* mechanism = mechanism_of(sourceModel()->index(row, 0));
    return (mechanism && found_.contains(mechanism->id)) || has_every_word(row);
}

bool ChoiceFilter::filterAcceptsRow(int row, const QModelIndex&) const {
    if (text_.isEmpty())
        return true;
    if (is_choice(row))
        return is_found(row);
    for (int below = row + 1; below < sourceModel()->rowCount() && is_choice(below); ++below)
        if (is_found(below))
            return true;
    return false;
}

}  // namespace headlight
