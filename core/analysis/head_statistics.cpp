#include "core/analysis/head_statistics.h"

#include "core/analysis/distance_bins.h"
#include "core/analysis/row_shares.h"
#include "core/map/hidden_keys.h"
#include "core/map/site_name.h"
#include "core/tensor/interruption.h"
#include "core/tensor/parallel.h"
#include "core/text/delimiter.h"
#include "core/text/token_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numbers>
#include <utility>

namespace headlight {
namespace {

/// Between two questions for an interruption.
constexpr Index rows_at_once = 32;

/// What the statistics ask of the tokens.
struct Tokens {
    std::vector<int> kinds;        ///< [token], equal where the tokens are; empty unless queries are the keys
    std::vector<bool> delimiters;  ///< [key] that is not hidden; empty where the keys have no names
    std::vector<bool> hidden;      ///< [key]
    bool is_one_text = false;      ///< queries are the keys

    /// Tokens that a person took away ask nothing either. Queries that are another text than the keys stay.
    bool is_hidden_query(Index query) const { return is_one_text && hidden[static_cast<std::size_t>(query)]; }
};

Tokens tokens_of(const TokenLabels& labels, const std::vector<Index>& hidden_keys,
                 const MapSource::Extents& extents, Index first_place) {
    Tokens tokens;
    tokens.hidden.resize(static_cast<std::size_t>(extents.keys));
    for (const Index key : hidden_keys)
        if (key < extents.keys)
            tokens.hidden[static_cast<std::size_t>(key)] = true;
    const bool have_one_list = labels.key.empty() && extents.keys == extents.queries;
    tokens.is_one_text = have_one_list && first_place == 0;
    const auto& keys = have_one_list ? labels.query : labels.key;
    const std::vector<std::string> texts = token_texts(keys);
    for (std::size_t key = 0; key < keys.size(); ++key)
        tokens.delimiters.push_back(is_delimiter(texts[key]) && !tokens.hidden[key]);
    if (tokens.is_one_text) {
        std::map<std::string_view, int> kinds;
        for (const std::string& key : keys)
            tokens.kinds.push_back(kinds.emplace(key, static_cast<int>(kinds.size())).first->second);
    }
    return tokens;
}

struct Row {
    std::span<const double> shares;
    /// The keys that have a partner in the map that this one is compared with: the row's numbers, and the
    /// other map's, which are empty where there is none.
    std::span<const double> paired, others;
    Index place = 0;
    const Tokens& tokens;

    /// The share of a key; nothing where there is no such key, or it is hidden.
    std::optional<double> at(Index key) const {
        const auto place_of_key = static_cast<std::size_t>(key);
        return key >= 0 && key < std::ssize(shares) && !tokens.hidden[place_of_key]
                   ? std::optional(shares[place_of_key])
                   : std::nullopt;
    }
    bool is_repeated_by(Index earlier) const {
        return tokens.kinds[static_cast<std::size_t>(earlier)] ==
               tokens.kinds[static_cast<std::size_t>(place)];
    }
};

/// The mass on what is `after` tokens behind each earlier place of the row's own token.
std::optional<double> mass_after_repeated(const Row& row, Index after) {
    if (row.tokens.kinds.empty())
        return std::nullopt;
    std::optional<double> mass;
    for (Index earlier = 0; earlier < row.place; ++earlier)
        if (row.is_repeated_by(earlier))
            if (const auto share = row.at(earlier + after))
                mass = mass.value_or(0) + *share;
    return mass;
}

std::optional<double> mass_on_delimiters(const Row& row) {
    if (!std::ranges::count(row.tokens.delimiters, true))
        return std::nullopt;
    double mass = 0;
    for (std::size_t key = 0; key < row.shares.size(); ++key)
        mass += row.tokens.delimiters[key] ? row.shares[key] : 0;
    return mass;
}

/// Weights that sum to 1 but for rounding are shares as they stand. False for a row that has none.
bool make_shares(std::span<double> weights) {
    constexpr double rounding = 0.01;  // of float16, and of texts with a few digits
    double sum = 0, mass = 0;
    for (const double weight : weights) {
        sum += weight;
        mass += std::abs(weight);
    }
    if (!(mass > 0 && std::isfinite(mass)))
        return false;
    if (sum == mass && std::abs(sum - 1) <= rounding)
        return true;
    for (double& weight : weights)
        weight = std::abs(weight) / mass;
    return true;
}

/// Leaves of both rows the keys that have a partner in the other text. How many of these are not hidden.
Index leave_pairs(std::span<double> own, std::span<double> other, const std::vector<bool>& hidden) {
    Index pairs = 0;
    for (std::size_t key = 0; key < own.size(); ++key) {
        if (std::isnan(other[key]))
            own[key] = other[key] = 0;
        else
            pairs += !hidden[key];
    }
    return pairs;
}

/// Takes the hidden keys out of a row; the share that it gave to them, where it gave any.
std::optional<double> without_hidden(std::span<double> weights, const std::vector<Index>& keys) {
    if (keys.empty())
        return std::nullopt;
    const RestOfRow rest = rest_of_row(weights, keys);
    hide_keys(weights, keys, rest);
    for (const Index key : keys)
        if (key < std::ssize(weights))
            weights[static_cast<std::size_t>(key)] = 0;
    return std::isnan(rest.hidden) ? std::nullopt : std::optional(rest.hidden);
}

/// The total variation of two distributions.
std::optional<double> moved_mass(const Row& row) {
    if (row.others.empty())
        return std::nullopt;
    double moved = 0;
    for (std::size_t key = 0; key < row.others.size(); ++key)
        moved += std::abs(row.paired[key] - row.others[key]);
    return moved / 2;
}

struct DeclaredStatistic {
    HeadStatistic says;
    std::optional<double> (*of_row)(const Row&);
};
constexpr std::array declared{
    DeclaredStatistic{
        {"entropy", "Entropy", "Bits that say which key a query looks at: 0 is a single key", "bits"},
        [](const Row& row) { return std::optional(entropy_of(row.shares) / std::numbers::ln2); }},
    DeclaredStatistic{{"distance", "Distance", "Tokens between a query and what it looks at", "tokens"},
                      [](const Row& row) { return std::optional(distance_of(row.shares, row.place)); }},
    DeclaredStatistic{{"top_1", "Largest weight", "Share of the key that a query looks at most"},
                      [](const Row& row) { return std::optional(std::ranges::max(row.shares)); }},
    DeclaredStatistic{{"first_token", "First token", "Share of the first key"},
                      [](const Row& row) { return row.at(0); }},
    DeclaredStatistic{{"previous_token", "Previous token", "Share of the key before the query's place"},
                      [](const Row& row) { return row.at(row.place - 1); }},
    DeclaredStatistic{{"diagonal", "Diagonal", "Share of the key in the query's own place"},
                      [](const Row& row) { return row.at(row.place); }},
    DeclaredStatistic{{"next_token", "Next token", "Share of the key behind the query's place"},
                      [](const Row& row) { return row.at(row.place + 1); }},
    DeclaredStatistic{{"duplicate", "Duplicate", "Share of earlier places of the query's own token"},
                      [](const Row& row) { return mass_after_repeated(row, 0); }},
    DeclaredStatistic{
        {"induction", "Induction", "Share of what followed earlier places of the query's own token"},
        [](const Row& row) { return mass_after_repeated(row, 1); }},
    DeclaredStatistic{{"delimiter", "Delimiter", "Share of punctuation and of special tokens"},
                      mass_on_delimiters},
    DeclaredStatistic{
        {"hidden", "Hidden", "Share of the keys that are hidden, before they were", {}, false, true},
        nullptr},  // counted where they are hidden
    DeclaredStatistic{
        {"change", "Change", "Share that lies elsewhere in what this is compared with", {}, true},
        moved_mass},
};

}  // namespace

std::string title_with_unit(const HeadStatistic& statistic) {
    std::string title(statistic.title);
    if (!statistic.unit.empty())
        ((title += " (") += statistic.unit) += ')';
    return title;
}

std::span<const HeadStatistic> head_statistics() {
    static const auto list = [] {
        std::array<HeadStatistic, declared.size()> says;
        std::ranges::transform(declared, says.begin(), &DeclaredStatistic::says);
        return says;
    }();
    return list;
}

std::vector<std::string> statistic_names() {
    std::vector<std::string> names;
    for (const HeadStatistic& each : head_statistics())
        names.emplace_back(each.name);
    return names;
}

std::optional<std::size_t> find_statistic(std::string_view name) {
    const auto found = std::ranges::find(head_statistics(), name, &HeadStatistic::name);
    return found == head_statistics().end() ? std::nullopt
                                            : std::optional<std::size_t>(found - head_statistics().begin());
}

HeadNumbers statistics_of(const LabelledMaps& maps, MapPlace place) { return counts_of(maps, place).numbers; }

HeadCounts counts_of(const LabelledMaps& maps, MapPlace place, const RowsCounted& counted) {
    const MapSource::Extents& extents = maps.maps->extents();
    // The few rows of which every weight is known are not like the others: the first ones of a text.
    if (!maps.maps->left_out().empty()) {
        if (counted)
            counted(extents.queries);
        return {HeadNumbers(declared.size()), {}};
    }
    // Nor is what sparse rows of another one have in common with these all that they have.
    const MapSource* other = maps.other && maps.other->left_out().empty() ? maps.other.get() : nullptr;
    const std::vector<Index>& hidden_keys = maps.lens.hidden_keys;
    const Index first_place = first_query_place(maps, place.layer);
    const Tokens tokens = tokens_of(maps.tokens, hidden_keys, extents, first_place);
    static const std::size_t hidden_place = *find_statistic("hidden");
    const auto keys = static_cast<std::size_t>(extents.keys);
    std::vector<double> rows(static_cast<std::size_t>(std::min(rows_at_once, extents.queries)) * keys);
    std::vector<double> others(other ? rows.size() : 0), paired(other ? keys : 0);
    std::array<double, declared.size()> sums{};
    std::array<Index, declared.size()> counts{};
    const DistanceBins bins(extents.queries, extents.keys, first_place);
    std::vector<double> distances(static_cast<std::size_t>(bins.count()));
    Index rows_with_shares = 0;
    for (Index first = 0; first < extents.queries; first += rows_at_once) {
        Interruption::check();
        const Index count = std::min(rows_at_once, extents.queries - first);
        maps.maps->read_rows(place, first, count, rows);
        if (other)
            other->read_rows(place, first, count, others);
        for (Index query = 0; query < count; ++query) {
            const auto at = static_cast<std::size_t>(query) * keys;
            const auto shares = std::span(rows).subspan(at, keys);
            auto of_other = std::span(others);
            if (other) {
                of_other = of_other.subspan(at, keys);
                std::ranges::copy(shares, paired.begin());
                const Index pairs = leave_pairs(paired, of_other, tokens.hidden);
                without_hidden(paired, hidden_keys);
                without_hidden(of_other, hidden_keys);
                // All of a row that has but one key lies there, whatever it looks at.
                if (pairs < 2 || !make_shares(paired) || !make_shares(of_other))
                    of_other = {};
            }
            if (const auto hidden = without_hidden(shares, hidden_keys)) {
                sums[hidden_place] += *hidden;
                ++counts[hidden_place];
            }
            if (tokens.is_hidden_query(first + query) || !make_shares(shares))
                continue;
            ++rows_with_shares;
            const Index place_of_query = first_place + first + query;
            for (Index key = 0; key < extents.keys; ++key)
                distances[static_cast<std::size_t>(bins.bin_of(std::abs(place_of_query - key)))] +=
                    shares[static_cast<std::size_t>(key)];
            const Row row{shares, paired, of_other, place_of_query, tokens};
            for (std::size_t i = 0; i < declared.size(); ++i)
                if (const auto number = declared[i].of_row ? declared[i].of_row(row) : std::nullopt) {
                    sums[i] += *number;
                    ++counts[i];
                }
        }
        if (counted)
            counted(count);
    }
    HeadNumbers means(declared.size());
    for (std::size_t i = 0; i < declared.size(); ++i)
        if (counts[i] > 0)
            means[i] = sums[i] / static_cast<double>(counts[i]);
    for (double& share : distances)
        share /= static_cast<double>(std::max<Index>(1, rows_with_shares));
    if (rows_with_shares == 0)
        distances.clear();
    return {std::move(means), std::move(distances)};
}

std::vector<HeadCounts> counts_of_heads(const LabelledMaps& maps, const RowsCounted& counted) {
    const MapSource::Extents& extents = maps.maps->extents();
    std::vector<HeadCounts> heads(static_cast<std::size_t>(extents.layers * extents.heads));
    parallel_for(std::ssize(heads), omp_get_max_threads(), [&](Index head, int) {
        heads[static_cast<std::size_t>(head)] =
            counts_of(maps, {head / extents.heads, head % extents.heads}, counted);
    });
    return heads;
}

}  // namespace headlight
