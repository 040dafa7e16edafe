#include "core/attention/component.h"
#include "core/attention/interruption.h"
#include "core/attention/plan.h"
#include "core/tensor/error.h"
#include "core/tensor/extents.h"
#include "core/tensor/memory.h"

#include <algorithm>
#include <functional>

namespace headlight {
namespace {

std::string count_of(Index count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// Writes a mask row by row, one byte per key, 1 = allowed; refuses one that does not fit these sequences. So
/// a composed mask takes no more memory than its rows, and can be interrupted in between.
class Drawing {
public:
    Drawing(const Mask& mask, Index queries, Index keys)
        : queries_(queries), keys_(keys), write_(writer_of(mask)) {}

    /// [m]
    void write(Index query, std::uint8_t* row) { write_(query, row); }

private:
    using RowWriter = std::function<void(Index query, std::uint8_t* row)>;

    RowWriter writer_of(const Mask& mask) {
        return std::visit([this](const auto& rule) { return writer(rule); }, mask.rule);
    }

    RowWriter writer(const NoMask&) {
        return prefixes([this](Index) { return keys_; });
    }

    RowWriter writer(const CausalMask& causal) {
        const Index shift = causal.alignment == CausalAlignment::bottom_right ? keys_ - queries_ : 0;
        return prefixes([shift](Index query) { return query + 1 + shift; });
    }

    RowWriter writer(const PaddingMask& padding) {
        const Index real = padding.key_lengths.value_or(keys_);
        if (real < 0 || real > keys_)
            throw Error({"padding mask", "mask.key_lengths",
                         "0 to " + std::to_string(keys_) + ", the number of keys", std::to_string(real)});
        return prefixes([real](Index) { return real; });
    }

    RowWriter writer(const MatrixMask& matrix) {
        const std::string expected =
            to_string(Shape{queries_, keys_}) + ": a row for each query, a cell for each key";
        if (std::ssize(matrix.allowed) != queries_)
            throw Error(
                {"matrix mask", "mask.allowed", expected, count_of(std::ssize(matrix.allowed), "row")});
        for (std::size_t query = 0; query < matrix.allowed.size(); ++query)
            if (std::ssize(matrix.allowed[query]) != keys_)
                throw Error({"matrix mask", "mask.allowed, row " + std::to_string(query + 1), expected,
                             count_of(std::ssize(matrix.allowed[query]), "cell")});
        return [&matrix](Index query, std::uint8_t* row) {
            std::ranges::copy(matrix.allowed[static_cast<std::size_t>(query)], row);
        };
    }

    RowWriter writer(const PatternMask& pattern) {
        const MaskComponent& component = *component_of(pattern.type);
        const auto allows = component.allows(
            complete_options(component.options, pattern.options, "mask", "mask"), queries_, keys_);
        return [this, allows](Index query, std::uint8_t* row) {
            for (Index key = 0; key < keys_; ++key)
                row[key] = allows(query, key);
        };
    }

    RowWriter writer(const AllOf& all) { return composed(all.masks, 1, std::bit_and<std::uint8_t>()); }
    RowWriter writer(const AnyOf& any) { return composed(any.masks, 0, std::bit_or<std::uint8_t>()); }

    RowWriter writer(const Not& inverse) {
        if (inverse.mask.size() != 1)
            throw Error(
                {"negated mask", "mask.not", "exactly one mask", std::to_string(inverse.mask.size())});
        return [this, inner = writer_of(inverse.mask.front())](Index query, std::uint8_t* row) {
            inner(query, row);
            for (Index key = 0; key < keys_; ++key)
                row[key] = !row[key];
        };
    }

    template <class End>
    RowWriter prefixes(End end) {
        return [this, end](Index query, std::uint8_t* row) {
            const Index allowed = std::clamp<Index>(end(query), 0, keys_);
            std::fill_n(row, allowed, std::uint8_t(1));
            std::fill_n(row + allowed, keys_ - allowed, std::uint8_t(0));
        };
    }

    /// `join` of all parts, from `start` on. Masks of one depth share a row for their parts.
    template <class Join>
    RowWriter composed(const std::vector<Mask>& masks, std::uint8_t start, Join join) {
        const std::size_t depth = depth_++;
        if (parts_.size() < depth_)
            parts_.emplace_back(static_cast<std::size_t>(keys_));
        std::vector<RowWriter> writers;
        writers.reserve(masks.size());
        for (const Mask& mask : masks)
            writers.push_back(writer_of(mask));
        --depth_;
        return [this, depth, writers, start, join](Index query, std::uint8_t* row) {
            std::fill_n(row, keys_, start);
            std::uint8_t* part = parts_[depth].data();
            for (const RowWriter& write_part : writers) {
                Interruption::check();
                write_part(query, part);
                std::transform(row, row + keys_, part, row, join);
            }
        };
    }

    Index queries_;
    Index keys_;
    std::vector<std::vector<std::uint8_t>> parts_;  ///< [depth][key]
    std::size_t depth_ = 0;                         ///< of the mask whose writer is being made
    RowWriter write_;
};

}  // namespace

AllowedPairs::AllowedPairs(const Mask& mask, Index queries, Index keys) : queries_(queries), keys_(keys) {
    require_memory("mask", "", elements(queries, keys),
                   ": a cell for each of " + count_of(keys, "key") + " for each query");
    cells_.resize(static_cast<std::size_t>(queries * keys));
    Drawing drawing(mask, queries, keys);
    for (Index query = 0; query < queries; ++query) {
        Interruption::check();
        std::uint8_t* cells = cells_.data() + query * keys;
        drawing.write(query, cells);
        Index end = keys;
        while (end > 0 && !cells[end - 1])
            --end;
        ends_.push_back(end);
        is_prefix_ = is_prefix_ && std::find(cells, cells + end, 0) == cells + end;
    }
}

AllowedPairs AllowedPairs::undrawn(Index queries, Index keys) {
    AllowedPairs pairs;
    pairs.queries_ = queries;
    pairs.keys_ = keys;
    pairs.ends_.assign(static_cast<std::size_t>(queries), keys);
    return pairs;
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
