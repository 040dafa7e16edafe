#include "core/map/aligned_maps.h"

#include "core/map/forwarding_maps.h"
#include "core/map/site_name.h"
#include "core/tensor/error.h"
#include "core/tensor/extents.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>

namespace headlight {
namespace {

/// Pairs of equal tokens, as many as can be, in order: the longest common subsequence, by its table.
std::vector<TokenPair> common_tokens(const std::vector<std::string>& first,
                                     const std::vector<std::string>& second, TokenPair begin, TokenPair end) {
    const Index rows = end.first - begin.first, columns = end.second - begin.second;
    const auto at = [&](Index row, Index column) {
        return static_cast<std::size_t>(row * (columns + 1) + column);
    };
    const auto are_equal = [&](Index row, Index column) {
        return first[static_cast<std::size_t>(begin.first + row)] ==
               second[static_cast<std::size_t>(begin.second + column)];
    };
    std::vector<std::int32_t> longest(static_cast<std::size_t>((rows + 1) * (columns + 1)));  // from here on
    for (Index row = rows - 1; row >= 0; --row) {
        Interruption::check();
        for (Index column = columns - 1; column >= 0; --column)
            longest[at(row, column)] =
                are_equal(row, column) ? longest[at(row + 1, column + 1)] + 1
                                       : std::max(longest[at(row + 1, column)], longest[at(row, column + 1)]);
    }
    std::vector<TokenPair> pairs;
    for (Index row = 0, column = 0; row < rows && column < columns;) {
        if (are_equal(row, column)) {
            pairs.push_back({begin.first + row++, begin.second + column++});
        } else if (longest[at(row + 1, column)] >= longest[at(row, column + 1)]) {
            ++row;
        } else {
            ++column;
        }
    }
    return pairs;
}

/// [query] and [key] of a map in rising order, or -1 for one that is not there: NaN. Reads what stands side
/// by side at once. [queries, keys] in `to`.
void read_chosen(const MapSource& maps, MapPlace place, std::span<const Index> queries,
                 std::span<const Index> keys, double* to) {
    std::fill_n(to, queries.size() * keys.size(), std::numeric_limits<double>::quiet_NaN());
    const auto is_there = [](Index token) { return token >= 0; };
    const auto first = std::ranges::find_if(keys, is_there);
    if (first == keys.end())
        return;
    const Index last = *std::ranges::find_if(keys.rbegin(), keys.rend(), is_there);
    const Index width = last - *first + 1;
    constexpr Index most_rows = 64, most_numbers = Index(1) << 21;
    const Index at_once = std::clamp<Index>(most_numbers / width, 1, most_rows);
    std::vector<double> rows;
    for (std::size_t at = 0; at < queries.size();) {
        Interruption::check();
        if (queries[at] < 0) {
            ++at;
            continue;
        }
        Index count = 1;
        while (at + static_cast<std::size_t>(count) < queries.size() && count < at_once &&
               queries[at + static_cast<std::size_t>(count)] == queries[at] + count)
            ++count;
        rows.resize(static_cast<std::size_t>(count * width));
        maps.read_block(place, {queries[at], count, *first, width}, rows);
        for (Index row = 0; row < count; ++row, ++at) {
            const double* from = rows.data() + row * width;
            double* cell = to + at * keys.size();
            for (const Index key : keys) {
                if (key >= 0)
                    *cell = from[key - *first];
                ++cell;
            }
        }
    }
}

/// Rows and columns of other maps where somebody looks for them.
class ChosenMaps : public ForwardingMaps {
public:
    /// [query] and [key]: the row and the column of `maps` that stand there, in rising order; -1 where none
    /// does.
    ChosenMaps(std::shared_ptr<const MapSource> maps, std::vector<Index> queries, std::vector<Index> keys)
        : ForwardingMaps(
              {maps->extents().layers, maps->extents().heads, std::ssize(queries), std::ssize(keys)}, {maps}),
          maps_(std::move(maps)), queries_(std::move(queries)), keys_(std::move(keys)),
          has_all_(std::ranges::count(queries_, -1) + std::ranges::count(keys_, -1) == 0) {}

    bool is_zero(MapPlace place, const MapBlock& block) const override {
        return has_all_ && block.size() > 0 && maps_->is_zero(place, around(block));
    }
    KeyRange allowed_keys(MapPlace place, Index query) const override {
        if (!has_all_)
            return MapSource::allowed_keys(place, query);
        const KeyRange allowed = maps_->allowed_keys(place, queries_[static_cast<std::size_t>(query)]);
        const auto before = [&](Index key) { return std::ranges::lower_bound(keys_, key) - keys_.begin(); };
        return {before(allowed.begin), before(allowed.end)};
    }
    void read_rows(MapPlace place, Index first, Index count, std::span<double> to) const override {
        read_block(place, {first, count, 0, extents().keys}, to);
    }
    void read_block(MapPlace place, const MapBlock& block, std::span<double> to) const override {
        const auto part = [](const std::vector<Index>& tokens, Index first, Index count) {
            return std::span(tokens).subspan(static_cast<std::size_t>(first),
                                             static_cast<std::size_t>(count));
        };
        read_chosen(*maps_, place, part(queries_, block.first_row, block.rows),
                    part(keys_, block.first_column, block.columns), to.data());
    }

private:
    void for_each_origin(MapPlace place, const Visit& visit) const override { visit(*maps_, place); }

    /// The smallest block of the other maps in which all of this one lies.
    MapBlock around(const MapBlock& block) const {
        const auto extent = [](const std::vector<Index>& tokens, Index first, Index count) {
            const Index begin = tokens[static_cast<std::size_t>(first)];
            return std::pair(begin, tokens[static_cast<std::size_t>(first + count - 1)] + 1 - begin);
        };
        const auto [row, rows] = extent(queries_, block.first_row, block.rows);
        const auto [column, columns] = extent(keys_, block.first_column, block.columns);
        return {row, rows, column, columns};
    }

    std::shared_ptr<const MapSource> maps_;
    std::vector<Index> queries_, keys_;
    bool has_all_;  ///< no row and no column is missing
};

void require_tokens(const char* axis, const std::vector<Index>& tokens, Index count) {
    const bool ascend = std::ranges::adjacent_find(tokens, std::greater_equal()) == tokens.end();
    if (tokens.empty() || !ascend || tokens.front() < 0 || tokens.back() >= count)
        throw Error({"part of a map", axis,
                     "some of the " + std::to_string(count) + " tokens, in their order",
                     std::to_string(tokens.size()) + " others"});
}

/// An axis of two maps.
struct Axes {
    std::vector<TokenPair> pairs;
    Index left_out_of_first = 0, left_out_of_second = 0;

    std::vector<Index> tokens(Index TokenPair::*text) const {
        std::vector<Index> list;
        for (const TokenPair& pair : pairs)
            list.push_back(pair.*text);
        return list;
    }
    /// [token of the first text]: its partner, or -1.
    std::vector<Index> partners() const {
        std::vector<Index> list(pairs.size() + static_cast<std::size_t>(left_out_of_first), -1);
        for (const TokenPair& pair : pairs)
            list[static_cast<std::size_t>(pair.first)] = pair.second;
        return list;
    }
};

Axes align_axis(const std::vector<std::string>& first, Index of_first, const std::vector<std::string>& second,
                Index of_second) {
    Axes axes;
    if (first.empty() || second.empty())
        for (Index token = 0; token < std::min(of_first, of_second); ++token)
            axes.pairs.push_back({token, token});
    else
        axes.pairs = aligned_tokens(first, second);
    axes.left_out_of_first = of_first - std::ssize(axes.pairs);
    axes.left_out_of_second = of_second - std::ssize(axes.pairs);
    return axes;
}

/// The labels of some tokens; none of none.
std::vector<std::string> chosen(const std::vector<std::string>& labels, const std::vector<Index>& tokens) {
    std::vector<std::string> list;
    for (const Index token : tokens)
        if (!labels.empty())
            list.push_back(labels[static_cast<std::size_t>(token)]);
    return list;
}

std::vector<Index> all_of(Index count) {
    std::vector<Index> list(static_cast<std::size_t>(count));
    std::iota(list.begin(), list.end(), Index(0));
    return list;
}

std::string tokens_text(Index count, const char* of) {
    return std::to_string(count) + (count == 1 ? " token of the " : " tokens of the ") + of;
}

/// "1 token of the first text and 2 tokens of the second text have no partner"; empty where all have one.
std::string without_partner(const Axes& axes) {
    const Index a = axes.left_out_of_first, b = axes.left_out_of_second;
    if (a == 0 && b == 0)
        return {};
    std::string text = a > 0 ? tokens_text(a, "first text") : std::string();
    if (b > 0)
        text += (a > 0 ? " and " : "") + tokens_text(b, "second text");
    return text + (a + b == 1 ? " has no partner" : " have no partner");
}

/// Maps of one kind, and how their axes belong together.
struct PairOfKinds {
    const LabelledMaps &first, &second;
    Axes queries, keys;

    std::string unpaired() const {
        std::string text = without_partner(queries);
        return text.empty() ? without_partner(keys) : text;
    }
};

/// The layers of the maps as the model numbers them, from 1: "1, 3, 5".
std::string layer_numbers(const LabelledMaps& maps) {
    std::string text;
    for (Index layer = 0; layer < maps.maps->extents().layers; ++layer)
        text += (layer == 0 ? "" : ", ") +
                std::to_string(parse_site(site_at(maps, layer)).layer.value_or(layer) + 1);
    return text;
}

/// The kinds that both have. Throws Error where there are none, or where one has other layers or heads.
std::vector<PairOfKinds> pairs_of_kinds(const std::vector<LabelledMaps>& first,
                                        const std::vector<LabelledMaps>& second) {
    std::vector<PairOfKinds> pairs;
    for (const LabelledMaps& a : first) {
        // A kind may be in several maps, of layers that are not alike.
        auto same = std::ranges::find_if(second, [&](const LabelledMaps& candidate) {
            return candidate.name == a.name && layer_numbers(candidate) == layer_numbers(a);
        });
        if (same == second.end())
            same = std::ranges::find(second, a.name, &LabelledMaps::name);
        const bool is_alone = first.size() == 1 && second.size() == 1;
        if (same == second.end() && !is_alone)
            continue;
        const LabelledMaps& b = is_alone ? second.front() : *same;
        const MapSource::Extents &of_a = a.maps->extents(), &of_b = b.maps->extents();
        if (of_a.layers != of_b.layers || of_a.heads != of_b.heads)
            throw Error({comparing_maps, a.name,
                         std::to_string(of_a.layers) + " layers of " + std::to_string(of_a.heads) +
                             " heads, as the first has",
                         std::to_string(of_b.layers) + " layers of " + std::to_string(of_b.heads)});
        if (layer_numbers(a) != layer_numbers(b))
            throw Error({comparing_maps, a.name, "layers " + layer_numbers(a) + ", as the first has",
                         layer_numbers(b)});
        const bool is_one_text = a.tokens.key.empty() && b.tokens.key.empty() && of_a.queries == of_a.keys &&
                                 of_b.queries == of_b.keys;
        Axes queries = align_axis(a.tokens.query, of_a.queries, b.tokens.query, of_b.queries);
        Axes keys = is_one_text ? queries : align_axis(a.tokens.key, of_a.keys, b.tokens.key, of_b.keys);
        pairs.push_back({a, b, std::move(queries), std::move(keys)});
    }
    if (pairs.empty())
        throw Error({comparing_maps, "", "maps of the same name in both", "none"});
    return pairs;
}

/// The labels of the partners; "–" for none.
std::vector<std::string> partner_labels(const std::vector<std::string>& labels,
                                        const std::vector<Index>& partners) {
    std::vector<std::string> list;
    for (const Index partner : partners)
        if (!labels.empty())
            list.push_back(partner < 0 ? "–" : labels[static_cast<std::size_t>(partner)]);
    return list;
}

}  // namespace

std::vector<TokenPair> aligned_tokens(const std::vector<std::string>& first,
                                      const std::vector<std::string>& second) {
    const Index a = std::ssize(first), b = std::ssize(second), shorter = std::min(a, b);
    const auto token = [](const std::vector<std::string>& text, Index at) -> const std::string& {
        return text[static_cast<std::size_t>(at)];
    };
    Index front = 0, back = 0;
    while (front < shorter && token(first, front) == token(second, front))
        ++front;
    while (back < shorter - front && token(first, a - 1 - back) == token(second, b - 1 - back))
        ++back;
    const TokenPair begin{front, front}, end{a - back, b - back};
    constexpr double most_pairs = 4e6;
    std::vector<TokenPair> equal;
    for (Index at = 0; at < front; ++at)
        equal.push_back({at, at});
    if (elements(end.first - begin.first, end.second - begin.second) <= most_pairs)
        std::ranges::copy(common_tokens(first, second, begin, end), std::back_inserter(equal));
    for (Index at = back; at > 0; --at)
        equal.push_back({a - at, b - at});

    std::vector<TokenPair> pairs;
    TokenPair next{0, 0};
    equal.push_back({a, b});  // behind both
    for (const TokenPair& pair : equal) {
        while (next.first < pair.first && next.second < pair.second)
            pairs.push_back({next.first++, next.second++});
        if (pair.first < a)
            pairs.push_back(pair);
        next = {pair.first + 1, pair.second + 1};
    }
    return pairs;
}

void add_names(const TokenLabels& tokens, TokenLabels& to) {
    to.query.insert(to.query.end(), tokens.query.begin(), tokens.query.end());
    to.key.insert(to.key.end(), tokens.key.begin(), tokens.key.end());
}

bool have_common_token(const TokenLabels& first, const TokenLabels& second) {
    const auto all = [](const TokenLabels& tokens) {
        std::vector<std::string> names = tokens.query;
        names.insert(names.end(), tokens.key.begin(), tokens.key.end());
        std::ranges::sort(names);
        return names;
    };
    const std::vector<std::string> a = all(first), b = all(second);
    return a.empty() || b.empty() || std::ranges::any_of(a, [&](const std::string& name) {
               return std::ranges::binary_search(b, name);
           });
}

std::shared_ptr<const MapSource> part_of(std::shared_ptr<const MapSource> maps, std::vector<Index> queries,
                                         std::vector<Index> keys) {
    require_tokens("query", queries, maps->extents().queries);
    require_tokens("key", keys, maps->extents().keys);
    const bool is_whole =
        std::ssize(queries) == maps->extents().queries && std::ssize(keys) == maps->extents().keys;
    if (is_whole)
        return maps;
    return std::make_shared<ChosenMaps>(std::move(maps), std::move(queries), std::move(keys));
}

AlignedMaps aligned(const std::vector<LabelledMaps>& first, const std::vector<LabelledMaps>& second) {
    AlignedMaps result;
    const std::vector<PairOfKinds> pairs = pairs_of_kinds(first, second);
    TokenLabels of_first, of_second;
    for (const PairOfKinds& pair : pairs) {
        add_names(pair.first.tokens, of_first);
        add_names(pair.second.tokens, of_second);
    }
    const bool are_by_place = !have_common_token(of_first, of_second);
    for (const PairOfKinds& pair : pairs) {
        const auto shown = [&](const LabelledMaps& maps, Index TokenPair::*text) {
            LabelledMaps part = maps;
            const std::vector<Index> rows = pair.queries.tokens(text), columns = pair.keys.tokens(text);
            part.maps = part_of(maps.maps, rows, columns);
            if (part.values)
                part.values = part_of(part.values, columns, all_of(part.values->extents().keys));
            part.tokens = {chosen(maps.tokens.query, rows), chosen(maps.tokens.key, columns), {}, {}};
            return part;
        };
        result.first.push_back(shown(pair.first, &TokenPair::first));
        result.second.push_back(shown(pair.second, &TokenPair::second));
        result.second.back().name = pair.first.name;
        result.second.back().sites = pair.first.sites;
        if (result.left_out.empty())
            result.left_out = pair.unpaired();
    }
    if (!result.left_out.empty())
        result.left_out +=
            result.left_out.ends_with("has no partner") ? " and is left out." : " and are left out.";
    if (are_by_place)
        result.left_out =
            std::string(paired_by_places) + (result.left_out.empty() ? "" : "  " + result.left_out);
    return result;
}

SpreadMaps spread(const std::vector<LabelledMaps>& first, const std::vector<LabelledMaps>& second) {
    SpreadMaps result;
    for (const PairOfKinds& pair : pairs_of_kinds(first, second)) {
        const std::vector<Index> rows = pair.queries.partners(), columns = pair.keys.partners();
        const TokenLabels& tokens = pair.second.tokens;
        result.maps.push_back(
            {pair.first.name, std::make_shared<ChosenMaps>(pair.second.maps, rows, columns),
             TokenLabels{partner_labels(tokens.query, rows),
                         partner_labels(tokens.key.empty() ? tokens.query : tokens.key, columns),
                         {},
                         {}},
             pair.first.sites});
        if (result.without_partner.empty())
            result.without_partner = pair.unpaired();
    }
    result.is_whole =
        result.without_partner.empty() && result.maps.size() == first.size() && first.size() == second.size();
    if (!result.without_partner.empty())
        result.without_partner += '.';
    return result;
}

}  // namespace headlight
