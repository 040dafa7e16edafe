#include "core/attention/component.h"
#include "core/attention/plan.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {
namespace {

using Cells = std::vector<std::uint8_t>;

constexpr Index most_cells = Index(1) << 30;

std::string count_of(Index count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// Writes a mask as one byte per (query, key), 1 = allowed; refuses one that does not fit these sequences.
class Drawing {
public:
    Drawing(Index queries, Index keys) : queries_(queries), keys_(keys) {}

    Cells operator()(const NoMask&) const { return cells(1); }

    Cells operator()(const CausalMask& causal) const {
        const Index shift = causal.alignment == CausalAlignment::bottom_right ? keys_ - queries_ : 0;
        return prefixes([&](Index query) { return query + 1 + shift; });
    }

    Cells operator()(const PaddingMask& padding) const {
        const Index real = padding.key_lengths.value_or(keys_);
        if (real < 0 || real > keys_)
            throw Error({"padding mask", "mask.key_lengths",
                         "0 to " + std::to_string(keys_) + ", the number of keys", std::to_string(real)});
        return prefixes([&](Index) { return real; });
    }

    Cells operator()(const MatrixMask& matrix) const {
        const std::string expected =
            to_string(Shape{queries_, keys_}) + ": a row for each query, a cell for each key";
        if (std::ssize(matrix.allowed) != queries_)
            throw Error(
                {"matrix mask", "mask.allowed", expected, count_of(std::ssize(matrix.allowed), "row")});
        Cells result;
        result.reserve(static_cast<std::size_t>(queries_ * keys_));
        for (std::size_t query = 0; query < matrix.allowed.size(); ++query) {
            const auto& row = matrix.allowed[query];
            if (std::ssize(row) != keys_)
                throw Error({"matrix mask", "mask.allowed, row " + std::to_string(query + 1), expected,
                             count_of(std::ssize(row), "cell")});
            result.insert(result.end(), row.begin(), row.end());
        }
        return result;
    }

    Cells operator()(const PatternMask& pattern) const {
        const MaskComponent& component = *component_of(pattern.type);
        const auto allows = component.allows(
            complete_options(component.options, pattern.options, "mask", "mask"), queries_, keys_);
        Cells result = cells(0);
        for (Index query = 0; query < queries_; ++query)
            for (Index key = 0; key < keys_; ++key)
                result[static_cast<std::size_t>(query * keys_ + key)] = allows(query, key);
        return result;
    }

    Cells operator()(const AllOf& all) const {
        Cells result = cells(1);
        for (const Mask& mask : all.masks)
            std::ranges::transform(result, draw(mask), result.begin(), std::bit_and<std::uint8_t>());
        return result;
    }

    Cells operator()(const AnyOf& any) const {
        Cells result = cells(0);
        for (const Mask& mask : any.masks)
            std::ranges::transform(result, draw(mask), result.begin(), std::bit_or<std::uint8_t>());
        return result;
    }

    Cells operator()(const Not& inverse) const {
        if (inverse.mask.size() != 1)
            throw Error(
                {"negated mask", "mask.not", "exactly one mask", std::to_string(inverse.mask.size())});
        Cells result = draw(inverse.mask.front());
        for (std::uint8_t& cell : result)
            cell = !cell;
        return result;
    }

    Cells draw(const Mask& mask) const { return std::visit(*this, mask.rule); }

private:
    Cells cells(std::uint8_t fill) const { return Cells(static_cast<std::size_t>(queries_ * keys_), fill); }

    template <class End>
    Cells prefixes(End end) const {
        Cells result = cells(0);
        for (Index query = 0; query < queries_; ++query)
            std::fill_n(result.begin() + query * keys_, std::clamp<Index>(end(query), 0, keys_),
                        std::uint8_t(1));
        return result;
    }

    Index queries_;
    Index keys_;
};

Cells draw(const Mask& mask, Index queries, Index keys) {
    if (queries < 0 || keys < 0 || (keys > 0 && queries > most_cells / keys))
        throw Error({"mask", "", "at most " + std::to_string(most_cells) + " pairs of query and key",
                     std::to_string(queries) + " queries and " + std::to_string(keys) + " keys"});
    return Drawing(queries, keys).draw(mask);
}

}  // namespace

AllowedPairs::AllowedPairs(const Mask& mask, Index queries, Index keys)
    : queries_(queries), keys_(keys), is_prefix_(true), cells_(draw(mask, queries, keys)),
      ends_(static_cast<std::size_t>(queries)) {
    for (Index query = 0; query < queries; ++query) {
        const auto cells = row(query);
        Index end = keys;
        while (end > 0 && !cells[static_cast<std::size_t>(end - 1)])
            --end;
        ends_[static_cast<std::size_t>(query)] = end;
        const auto before_end = cells.first(static_cast<std::size_t>(end));
        is_prefix_ = is_prefix_ && std::ranges::find(before_end, 0) == before_end.end();
    }
}

bool AllowedPairs::allowed(Index query, Index key) const {
    return row(query)[static_cast<std::size_t>(key)] != 0;
}

Index AllowedPairs::count() const { return std::ranges::count(cells_, 1); }

std::span<const std::uint8_t> AllowedPairs::row(Index query) const {
    return std::span(cells_).subspan(static_cast<std::size_t>(query * keys_),
                                     static_cast<std::size_t>(keys_));
}

std::vector<Index> AllowedPairs::fully_masked_queries() const {
    std::vector<Index> found;
    for (Index query = 0; query < queries_; ++query)
        if (end(query) == 0)
            found.push_back(query);
    return found;
}

std::vector<std::uint8_t> AllowedPairs::used_keys() const {
    std::vector<std::uint8_t> used(static_cast<std::size_t>(keys_), 0);
    for (Index query = 0; query < queries_; ++query)
        std::ranges::transform(used, row(query), used.begin(), std::bit_or<std::uint8_t>());
    return used;
}

}  // namespace headlight
