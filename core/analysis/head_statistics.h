#pragma once

#include "core/map/map_source.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// A number that says what a head looks at: a column of the table of heads.
///
/// Each is the mean, over the rows i that have one, of a number of the row's shares: its weights, or
/// |w_j| / sum |w| where they do not sum to 1. Rows without any weight, and rows with a number that is not
/// finite, have none. A query's place among the keys is its row's, but of two streams (first_query_place()).
/// Hidden keys (LabelledMaps::lens) have no share, the others share the row: what asks for one of them alone
/// is not known. Where queries and keys are one text, the rows of hidden tokens do not count either, but in
/// the share that the hidden keys had, which is one of the whole map.
struct HeadStatistic {
    std::string_view name;    ///< "previous_token": what scripts rely on
    std::string_view title;   ///< "Previous token"
    std::string_view shows;   ///< one sentence without its full stop
    std::string_view unit{};  ///< "bits"; empty of shares
    bool compares = false;    ///< with LabelledMaps::other; without it no head has one
    bool hides = false;       ///< what hidden keys had; where none is hidden no head has one

    /// Every head may have one, whatever it is looked at through.
    bool is_usual() const { return !compares && !hides; }
};

/// "Entropy (bits)"; the title alone of what has no unit.
std::string title_with_unit(const HeadStatistic& statistic);

/// In the order of the table.
std::span<const HeadStatistic> head_statistics();

/// Their names, for lists.
std::vector<std::string> statistic_names();
/// The place of a name in head_statistics().
std::optional<std::size_t> find_statistic(std::string_view name);

/// A number for each of head_statistics(); nothing where no row has one, as where it asks for tokens that
/// nobody named, or for queries and keys to be one text; and of sparse rows, which do not tell.
using HeadNumbers = std::vector<std::optional<double>>;

/// What is counted of a head in one pass over its map.
struct HeadCounts {
    HeadNumbers numbers;
    /// The share of each of DistanceBins: weights on keys so far away, mean over the rows; empty where no row
    /// has any.
    std::vector<double> distances;
};

/// Is told how many more rows are counted, or tell nothing; by any thread.
using RowsCounted = std::function<void(Index rows)>;

/// Can be interrupted.
HeadCounts counts_of(const LabelledMaps& maps, MapPlace place, const RowsCounted& counted = {});
/// Its numbers alone. Can be interrupted.
HeadNumbers statistics_of(const LabelledMaps& maps, MapPlace place);

/// [layer * heads + head], on all processors. Can be interrupted.
std::vector<HeadCounts> counts_of_heads(const LabelledMaps& maps, const RowsCounted& counted = {});

}  // namespace headlight
