#pragma once

#include "core/attention/component.h"
#include "core/attention/selected_keys.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace headlight {

/// How a query chooses among blocks of consecutive keys.
struct BlockChoice {
    Index size = 1;          ///< keys of a block; the last may have fewer
    Index kept = 1;          ///< blocks that a query keeps
    bool keeps_own = false;  ///< in self attention the query's own block is one of them, whatever its number
    const char* stage = "";  ///< records each block's number at all of its keys, [h, n, m]
    Index blocks(Index keys) const { return parts_of_size(keys, size); }
};

/// What select_blocks() allocates with summaries of `size` numbers.
inline StepMemory select_blocks_memory(const Plan& plan, Index block, Index size) {
    const Index blocks = BlockChoice{.size = block}.blocks(plan.keys);
    return {.kept = elements(plan.kv_heads * blocks, size + 1, sizeof(double)) + elements(plan.keys),
            .working = elements(blocks + size, 2 * sizeof(double)) + elements(plan.keys)};
}

/// Keeps, for each query, the keys of the blocks with the largest numbers; of equal ones the first. A block's
/// number comes from a summary of those of its keys that the query sees, so that nothing is known of keys
/// that the mask forbids. Summary has, for keys of width d:
/// - size(d): how many numbers a summary is
/// - begin(summary, d), include(summary, key, d), finish(summary, d, count)
/// - number(query, summary, d)
template <class Summary, class Real>
class BlockSelection {
public:
    BlockSelection(const Plan& plan, const Operands<Real>& operands, const BlockChoice& choice)
        : plan_(plan), operands_(operands), choice_(choice), width_(plan.head_key_width()),
          size_(Summary::size(width_)), blocks_(choice.blocks(plan.keys)), is_real_(real_keys(plan)),
          summaries_(static_cast<std::size_t>(plan.kv_heads * blocks_ * size_)) {
        for (Index block = 0; block < blocks_; ++block)
            real_.push_back(std::count(is_real_.begin() + block * choice.size,
                                       is_real_.begin() + end_of(block), std::uint8_t(1)));
    }

    /// Before the rows: the summaries of all keys that are no padding, which most queries go by.
    void summarise(Index head) {
        if (!is_first_of_its_keys(plan_, head))
            return;
        const Index kv_head = plan_.kv_head(head);
        for (Index block = 0; block < blocks_; ++block) {
            Interruption::check();
            write_summary(kv_head, block, summaries_.data() + (kv_head * blocks_ + block) * size_,
                          [this](Index key) { return is_real_[static_cast<std::size_t>(key)] != 0; });
        }
    }

    void select(const ScoreRow<Real>& row, const Recorder& record) const {
        thread_local std::vector<double> numbers;
        thread_local std::vector<std::uint8_t> chosen_blocks, chosen;
        number_blocks(row, numbers);
        for (Index key = 0; record && key < plan_.keys; ++key)
            record.write(choice_.stage, (row.head * plan_.queries + row.query) * plan_.keys + key,
                         &numbers[static_cast<std::size_t>(key / choice_.size)], 1);

        const auto own = static_cast<std::size_t>(row.query / choice_.size);
        if (choice_.keeps_own && plan_.spec.source.type == SourceType::self &&
            numbers[own] > -std::numeric_limits<double>::infinity())
            numbers[own] = std::numeric_limits<double>::infinity();
        chosen_blocks.resize(numbers.size());
        keep_largest(numbers, choice_.kept, chosen_blocks);
        chosen.resize(static_cast<std::size_t>(plan_.keys));
        for (Index key = 0; key < plan_.keys; ++key)
            chosen[static_cast<std::size_t>(key)] =
                chosen_blocks[static_cast<std::size_t>(key / choice_.size)];
        forbid_others(row, chosen);
    }

private:
    Index end_of(Index block) const { return std::min((block + 1) * choice_.size, plan_.keys); }

    /// The summary of the keys of a block for which includes(key).
    void write_summary(Index kv_head, Index block, double* summary, const auto& includes) const {
        Summary::begin(summary, width_);
        Index count = 0;
        for (Index key = block * choice_.size; key < end_of(block); ++key)
            if (includes(key)) {
                Summary::include(summary, operands_.compared_key(kv_head).row(key), width_);
                ++count;
            }
        Summary::finish(summary, width_, count);
    }

    /// Minus infinity for a block of which the query sees no key.
    void number_blocks(const ScoreRow<Real>& row, std::vector<double>& numbers) const {
        thread_local std::vector<double> part;
        numbers.assign(static_cast<std::size_t>(blocks_), -std::numeric_limits<double>::infinity());
        part.resize(static_cast<std::size_t>(size_));
        const Index kv_head = plan_.kv_head(row.head);
        const Real* query = operands_.compared_query(row.head).row(row.query);
        const auto is_seen = [&](Index key) { return counts(plan_, row.query, key); };
        for (Index block = 0; block < blocks_; ++block) {
            Index seen = 0;
            for (Index key = block * choice_.size; key < end_of(block); ++key)
                seen += is_seen(key);
            if (seen == 0)
                continue;
            const double* summary = summaries_.data() + (kv_head * blocks_ + block) * size_;
            if (seen < real_[static_cast<std::size_t>(block)]) {
                write_summary(kv_head, block, part.data(), is_seen);
                summary = part.data();
            }
            numbers[static_cast<std::size_t>(block)] = Summary::number(query, summary, width_);
        }
    }

    const Plan& plan_;
    const Operands<Real>& operands_;
    BlockChoice choice_;
    Index width_, size_, blocks_;
    std::vector<std::uint8_t> is_real_;  ///< [key]
    std::vector<Index> real_;            ///< [block]: how many of its keys are
    std::vector<double> summaries_;      ///< [kv head, block, size]
};

template <class Summary, class Real>
void select_blocks(const Plan& plan, Pipeline<Real>& pipeline, const BlockChoice& choice) {
    const auto selection = std::make_shared<BlockSelection<Summary, Real>>(plan, pipeline.operands, choice);
    pipeline.prepare.push_back([selection](Index head, const Recorder&) { selection->summarise(head); });
    pipeline.select.push_back(
        [selection](const ScoreRow<Real>& row, const Recorder& record) { selection->select(row, record); });
}

}  // namespace headlight
