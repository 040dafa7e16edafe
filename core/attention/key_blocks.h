#pragma once

#include "core/attention/component.h"
#include "core/attention/selected_keys.h"
#include "core/kernels/kernels.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
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
    const auto packed = [size](Index summaries) {
        return static_cast<double>(kernels::packed_size<double>(size, summaries));
    };
    return {.kept = elements(plan.kv_heads, packed(blocks), sizeof(double)) + elements(plan.keys),
            .working =
                (elements(blocks + 1, size) + elements(blocks + 2 * size) + packed(1)) * sizeof(double) +
                elements(2 * plan.keys)};
}

/// Keeps, for each query, the keys of the blocks with the largest numbers; of equal ones the first. A block's
/// number is the product of a summary of those of its keys that the query sees, so that nothing is known of
/// keys that the mask forbids, and what is asked of it. Summary has, for keys of width d:
/// - size(d): how many numbers a summary is
/// - begin(summary, d), include(summary, key, d), finish(summary, d, count)
/// - ask(query, d, asked): what the query multiplies a summary by
template <class Summary, class Real>
class BlockSelection {
public:
    BlockSelection(const Plan& plan, const Operands<Real>& operands, const BlockChoice& choice)
        : plan_(plan), operands_(operands), choice_(choice), width_(plan.head_key_width()),
          size_(Summary::size(width_)), blocks_(choice.blocks(plan.keys)), is_real_(real_keys(plan)),
          packed_size_(kernels::packed_size<double>(size_, blocks_)),
          packed_(static_cast<std::size_t>(plan.kv_heads * packed_size_)) {
        for (Index block = 0; block < blocks_; ++block)
            real_.push_back(counted(is_real_, block));
    }

    /// Before the rows: the summaries of all keys that are no padding, which most queries go by.
    void summarise(Index head) {
        if (!is_first_of_its_keys(plan_, head))
            return;
        const Index kv_head = plan_.kv_head(head);
        Tensor summaries({blocks_, size_});
        for (Index block = 0; block < blocks_; ++block) {
            Interruption::check();
            write_summary(kv_head, block, summaries.view().row(block), is_real_);
        }
        kernels_.pack(std::as_const(summaries).view().transposed(), packed_.data() + kv_head * packed_size_);
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
        for (Index block = 0; block < blocks_; ++block)
            std::fill(chosen.begin() + begin_of(block), chosen.begin() + end_of(block),
                      chosen_blocks[static_cast<std::size_t>(block)]);
        forbid_others(row, chosen);
    }

private:
    Index begin_of(Index block) const { return block * choice_.size; }
    Index end_of(Index block) const { return std::min((block + 1) * choice_.size, plan_.keys); }
    /// How many of the block's keys are among those of `keys`, [key].
    Index counted(const auto& keys, Index block) const {
        return std::count(keys.begin() + begin_of(block), keys.begin() + end_of(block), std::uint8_t(1));
    }

    /// The summary of the block's keys that are among those of `keys`, [key].
    void write_summary(Index kv_head, Index block, double* summary, const auto& keys) const {
        Summary::begin(summary, width_);
        Index count = 0;
        for (Index key = begin_of(block); key < end_of(block); ++key)
            if (keys[static_cast<std::size_t>(key)]) {
                Summary::include(summary, operands_.compared_key(kv_head).row(key), width_);
                ++count;
            }
        Summary::finish(summary, width_, count);
    }

    /// Minus infinity for a block of which the query sees no key.
    void number_blocks(const ScoreRow<Real>& row, std::vector<double>& numbers) const {
        thread_local std::vector<double> asked, part, packed_part;
        const Index kv_head = plan_.kv_head(row.head);
        asked.resize(static_cast<std::size_t>(size_));
        Summary::ask(operands_.compared_query(row.head).row(row.query), width_, asked.data());
        numbers.resize(static_cast<std::size_t>(blocks_));
        const auto multiply = [&](const kernels::Packed<double>& summaries, double* to, Index count) {
            kernels_.multiply({.left = row_major<const double>(asked.data(), 1, size_),
                               .right = summaries,
                               .out = row_major(to, 1, count)});
        };
        multiply({packed_.data() + kv_head * packed_size_, size_, blocks_}, numbers.data(), blocks_);
        if (plan_.spec.mask_value)
            return;  // which forbids nothing: all keys are seen

        part.resize(static_cast<std::size_t>(size_));
        packed_part.resize(static_cast<std::size_t>(kernels::packed_size<double>(size_, 1)));
        const AllowedRow allowed = plan_.allowed.row(row.query);
        for (Index block = 0; block < blocks_; ++block) {
            double& number = numbers[static_cast<std::size_t>(block)];
            const Index seen = counted(allowed, block);
            if (seen == 0) {
                number = -std::numeric_limits<double>::infinity();
            } else if (seen < real_[static_cast<std::size_t>(block)]) {
                // By the same kernel, so that equal summaries have equal numbers.
                write_summary(kv_head, block, part.data(), allowed);
                multiply(kernels_.pack(row_major<const double>(part.data(), size_, 1), packed_part.data()),
                         &number, 1);
            }
        }
    }

    const Plan& plan_;
    const Operands<Real>& operands_;
    BlockChoice choice_;
    Index width_, size_, blocks_;
    std::vector<std::uint8_t> is_real_;  ///< [key]
    std::vector<Index> real_;            ///< [block]: how many of its keys are
    const kernels::Table<double>& kernels_ = kernels::table<double>(kernels::chosen_level());
    Index packed_size_;           ///< of one head's summaries
    std::vector<double> packed_;  ///< [kv head, packed_size_]: summaries as columns
};

template <class Summary, class Real>
void select_blocks(const Plan& plan, Pipeline<Real>& pipeline, const BlockChoice& choice) {
    const auto selection = std::make_shared<BlockSelection<Summary, Real>>(plan, pipeline.operands, choice);
    pipeline.prepare.push_back([selection](Index head, const Recorder&) { selection->summarise(head); });
    pipeline.select.push_back(
        [selection](const ScoreRow<Real>& row, const Recorder& record) { selection->select(row, record); });
}

}  // namespace headlight
