#include "core/attention/component.h"
#include "core/attention/interruption.h"
#include "core/attention/plan.h"
#include "core/tensor/error.h"
#include "core/tensor/extents.h"
#include "core/tensor/memory.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <variant>

namespace headlight {
namespace {

std::string count_of(Index count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// One past the last key that a query may look at.
using End = std::function<Index(Index query)>;

/// Of a mask that lets every query see the first keys, by its kind; null for any other.
End end_of(const Mask& mask, Index queries, Index keys) {
    if (std::holds_alternative<NoMask>(mask.rule))
        return [keys](Index) { return keys; };
    if (const auto* causal = std::get_if<CausalMask>(&mask.rule)) {
        const Index shift = causal->alignment == CausalAlignment::bottom_right ? keys - queries : 0;
        return [shift, keys](Index query) { return std::clamp<Index>(query + 1 + shift, 0, keys); };
    }
    if (const auto* padding = std::get_if<PaddingMask>(&mask.rule)) {
        const Index real = padding->key_lengths.value_or(keys);
        if (real < 0 || real > keys)
            throw Error({"padding mask", "mask.key_lengths",
                         "0 to " + std::to_string(keys) + ", the number of keys", std::to_string(real)});
        return [real](Index) { return real; };
    }
    return {};
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
        if (const End end = end_of(mask, queries_, keys_))
            return [this, end](Index query, std::uint8_t* row) {
                const Index allowed = end(query);
                std::fill_n(row, allowed, std::uint8_t(1));
                std::fill_n(row + allowed, keys_ - allowed, std::uint8_t(0));
            };
        return std::visit([this](const auto& rule) { return writer(rule); }, mask.rule);
    }

    template <class Prefix>
    RowWriter writer(const Prefix&) {  // NoMask, CausalMask, PaddingMask
        return {};
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

namespace {

/// Of so many pairs cells are kept for any mask: 4 MB, which kernels read as they lie.
constexpr double always_kept = 1 << 22;

}  // namespace

double AllowedPairs::bytes(const Mask& mask, Index queries, Index keys) {
    const double cells = elements(queries, keys), ends = elements(queries, sizeof(Index));
    return ends + (cells > always_kept && end_of(mask, queries, keys) ? elements(2, keys) : cells);
}

void AllowedPairs::keep_cells() {
    require_memory("mask", "", elements(queries_, keys_),
                   ": a cell for each of " + count_of(keys_, "key") + " for each query");
    cells_.resize(static_cast<std::size_t>(queries_ * keys_));
}

AllowedPairs::AllowedPairs(const Mask& mask, Index queries, Index keys) : queries_(queries), keys_(keys) {
    const bool is_long = elements(queries, keys) > always_kept;
    if (const End end = end_of(mask, queries, keys); end && is_long) {
        for (Index query = 0; query < queries; ++query)
            ends_.push_back(end(query));
        keep_prefixes();
        return;
    }
    if (!is_long)
        keep_cells();
    std::vector<std::uint8_t> drawn(static_cast<std::size_t>(keys));
    Drawing drawing(mask, queries, keys);
    for (Index query = 0; query < queries; ++query) {
        Interruption::check();
        std::uint8_t* row = cells_.empty() ? drawn.data() : cells_.data() + query * keys;
        drawing.write(query, row);
        Index end = keys;
        while (end > 0 && !row[end - 1])
            --end;
        is_prefix_ = is_prefix_ && std::find(row, row + end, 0) == row + end;
        if (!is_prefix_ && cells_.empty()) {
            keep_cells();  // those before are prefixes
            for (Index before = 0; before < query; ++before)
                std::fill_n(cells_.data() + before * keys, ends_[static_cast<std::size_t>(before)],
                            std::uint8_t(1));
            std::ranges::copy(drawn, cells_.data() + query * keys);
        }
        ends_.push_back(end);
    }
    if (cells_.empty())
        keep_prefixes();
}

void AllowedPairs::keep_prefixes() {
    prefix_.resize(static_cast<std::size_t>(2 * keys_));
    std::fill_n(prefix_.begin(), keys_, std::uint8_t(1));
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

Index AllowedPairs::count() const {
    return is_prefix_ ? std::accumulate(ends_.begin(), ends_.end(), Index(0)) : std::ranges::count(cells_, 1);
}

std::span<const std::uint8_t> AllowedPairs::row(Index query) const {
    const auto keys = static_cast<std::size_t>(keys_);
    if (cells_.empty())
        return std::span(prefix_).subspan(keys - static_cast<std::size_t>(end(query)), keys);
    return std::span(cells_).subspan(static_cast<std::size_t>(query) * keys, keys);
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
    if (is_prefix_) {
        const Index end = ends_.empty() ? 0 : std::ranges::max(ends_);
        std::fill_n(used.begin(), end, std::uint8_t(1));
        return used;
    }
    for (Index query = 0; query < queries_; ++query)
        std::ranges::transform(used, row(query), used.begin(), std::bit_or<std::uint8_t>());
    return used;
}

}  // namespace headlight
