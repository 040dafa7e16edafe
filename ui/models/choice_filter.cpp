#include "ui/models/choice_filter.h"

#include "core/catalog/search.h"

#include <algorithm>
#include <limits>

namespace headlight {

void ChoiceFilter::set_text(const QString& text) {
    text_ = text.simplified();
    words_ = text_.split(QChar(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

QModelIndex ChoiceFilter::best() const {
    const SearchText typed(text_.toStdString());
    QModelIndex best;
    int best_rank = std::numeric_limits<int>::max();
    for (int row = 0; row < rowCount(); ++row) {
        const QModelIndex candidate = index(row, 0);
        if (!candidate.flags().testFlag(Qt::ItemIsSelectable))
            continue;
        // A mechanism has other names, too. Of those that fit as well, the one that stands first.
        const Mechanism* mechanism = find_mechanism(candidate.data(Qt::UserRole).toString().toStdString());
        const int rank = mechanism ? name_rank(*mechanism, typed)
                                   : SearchText(candidate.data().toString().toStdString()).place_of(typed);
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

bool ChoiceFilter::is_found(int row) const {
    const SearchText known(sourceModel()->index(row, 0).data(SearchRole).toString().toStdString());
    return std::ranges::all_of(
        words_, [&](const QString& word) { return known.contains(SearchText(word.toStdString())); });
}

bool ChoiceFilter::filterAcceptsRow(int row, const QModelIndex&) const {
    if (words_.isEmpty())
        return true;
    if (is_choice(row))
        return is_found(row);
    for (int below = row + 1; below < sourceModel()->rowCount() && is_choice(below); ++below)
        if (is_found(below))
            return true;
    return false;
}

}  // namespace headlight
