#include "core/attention/allowed_pairs.h"

#include "core/attention/component.h"
#include "core/tensor/error.h"
#include "core/tensor/extents.h"
#include "core/tensor/interruption.h"
#include "core/tensor/memory.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <string>
#include <utility>
#include <variant>

namespace headlight {
namespace {

std::string count_of(Index count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// One past the last key that a query may look at.
using End = std::function<Index(Index query)>;

/// Returns where the keys of each query end under a mask that allows the first keys, by its kind; null for
/// any other mask.
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

/// Up to so many pairs any mask keeps a cell for each: 4 MB, which kernels read as they lie.
constexpr double most_cells = 1 << 22;

double bytes_of_blocks(Index queries, Index keys) {
    return elements(queries, sizeof(Index)) + elements(keys) + PairBlocks::most_bytes(queries, keys);
}

void require_memory_of_blocks(Index queries, Index keys) {
    require_memory("mask", "", bytes_of_blocks(queries, keys),
                   ": a bit for each of " + count_of(keys, "key") + " for each query");
}

}  // namespace

bool AllowedPairs::has_cells(Index queries, Index keys) { return elements(queries, keys) <= most_cells; }

double AllowedPairs::most_bytes(const Mask& mask, Index queries, Index keys) {
    const double ends = elements(queries, sizeof(Index));
    if (has_cells(queries, keys))
        return ends + elements(queries, keys);
    if (end_of(mask, queries, keys))
        return ends + elements(2, keys);
    return bytes_of_blocks(queries, keys);
}

std::size_t AllowedPairs::bytes() const {
    return cells_.capacity() + blocks_.bytes() + prefix_.capacity() + ends_.capacity() * sizeof(Index) +
           used_.capacity();
}

AllowedPairs::AllowedPairs(const Mask& mask, Index queries, Index keys) : queries_(queries), keys_(keys) {
    ends_.reserve(static_cast<std::size_t>(queries));
    const bool is_short = has_cells(queries, keys);
    if (const End end = end_of(mask, queries, keys); end && !is_short) {
        for (Index query = 0; query < queries; ++query) {
            ends_.push_back(end(query));
            count_ += ends_.back();
        }
        keep_prefixes();
        return;
    }
    if (!is_short)
        require_memory_of_blocks(queries, keys);
    Drawing drawing(mask, queries, keys);
    draw([&drawing](Index query, std::uint8_t* row) { drawing.write(query, row); });
}

AllowedPairs AllowedPairs::newest(Index count) const {
    assert(is_prefix_);
    AllowedPairs kept;
    kept.queries_ = queries_;
    kept.keys_ = keys_;
    kept.used_ = used_keys();
    if (!has_cells(queries_, keys_))
        require_memory_of_blocks(queries_, keys_);
    kept.draw([this, count](Index query, std::uint8_t* row) {
        const Index last = end(query), first = std::max<Index>(last - count, 0);
        std::fill_n(row, keys_, std::uint8_t(0));
        std::fill_n(row + first, last - first, std::uint8_t(1));
    });
    return kept;
}

void AllowedPairs::draw(const std::function<void(Index query, std::uint8_t* row)>& write) {
    const bool is_short = has_cells(queries_, keys_);
    std::vector<std::uint8_t> drawn;
    if (is_short) {
        cells_.resize(static_cast<std::size_t>(queries_ * keys_));
    } else {
        blocks_ = PairBlocks(queries_, keys_);
        drawn.resize(static_cast<std::size_t>(keys_));
    }
    ends_.reserve(static_cast<std::size_t>(queries_));
    for (Index query = 0; query < queries_; ++query) {
        Interruption::check();
        std::uint8_t* row = is_short ? cells_.data() + query * keys_ : drawn.data();
        write(query, row);
        Index end = keys_;
        while (end > 0 && !row[end - 1])
            --end;
        const Index allowed = std::count(row, row + end, std::uint8_t(1));
        is_prefix_ = is_prefix_ && allowed == end;
        count_ += allowed;
        ends_.push_back(end);
        if (!is_short)
            blocks_.add_row(row);
    }
    blocks_.finish();
    if (is_prefix_ && !is_short) {
        blocks_ = PairBlocks();
        keep_prefixes();
    }
}

void AllowedPairs::keep_prefixes() {
    prefix_.resize(static_cast<std::size_t>(2 * keys_));
    std::fill_n(prefix_.begin(), keys_, std::uint8_t(1));
}

AllowedPairs AllowedPairs::undrawn(Index queries, Index keys) {
    AllowedPairs pairs;
    pairs.queries_ = queries;
    pairs.keys_ = keys;
    pairs.count_ = queries * keys;
    pairs.ends_.assign(static_cast<std::size_t>(queries), keys);
    return pairs;
}

bool AllowedPairs::allowed(Index query, Index key) const {
    if (!cells_.empty())
        return cells_[static_cast<std::size_t>(query * keys_ + key)] != 0;
    return is_prefix_ ? key < end(query) : blocks_.at(query, key);
}

std::span<const std::uint8_t> AllowedPairs::prefix(Index query) const {
    const auto keys = static_cast<std::size_t>(keys_);
    return std::span(prefix_).subspan(keys - static_cast<std::size_t>(end(query)), keys);
}

AllowedRow AllowedPairs::row(Index query) const {
    const auto keys = static_cast<std::size_t>(keys_);
    if (!cells_.empty())
        return AllowedRow(std::span(cells_).subspan(static_cast<std::size_t>(query) * keys, keys));
    if (is_prefix_)
        return AllowedRow(prefix(query));
    std::vector<std::uint8_t> cells(keys);
    blocks_.write_row(query, cells.data());
    return AllowedRow(std::move(cells));
}

void AllowedPairs::write_row(Index query, std::uint8_t* to) const {
    if (cells_.empty() && !is_prefix_)
        return blocks_.write_row(query, to);
    std::ranges::copy(row(query), to);
}

bool AllowedPairs::has_none(Index first_query, Index queries, Index first_key, Index keys) const {
    const auto see_nothing = [&](Index query) { return end(query) <= first_key; };
    bool has_none = true;
    if (is_prefix_ || !cells_.empty()) {
        for (Index query = first_query; has_none && query < first_query + queries; ++query)
            has_none = see_nothing(query);
        return has_none;
    }
    constexpr Index side = PairBlocks::side;
    for (Index row = first_query / side; row * side < first_query + queries; ++row)
        for (Index column = first_key / side; has_none && column * side < first_key + keys; ++column)
            has_none = blocks_.coverage(row, column) == Coverage::none;
    return has_none;
}

std::vector<Index> AllowedPairs::fully_masked_queries() const {
    std::vector<Index> found;
    for (Index query = 0; query < queries_; ++query)
        if (end(query) == 0)
            found.push_back(query);
    return found;
}

std::vector<std::uint8_t> AllowedPairs::used_keys() const {
    if (!used_.empty())
        return used_;
    std::vector<std::uint8_t> used(static_cast<std::size_t>(keys_), 0);
    if (is_prefix_) {
        const Index end = ends_.empty() ? 0 : std::ranges::max(ends_);
        std::fill_n(used.begin(), end, std::uint8_t(1));
        return used;
    }
    std::vector<std::uint8_t> row(used.size());
    for (Index query = 0; query < queries_; ++query) {
        write_row(query, row.data());
        std::ranges::transform(used, row, used.begin(), std::bit_or<std::uint8_t>());
    }
    return used;
}

}  // namespace headlight
