#pragma once

#include "core/attention/component.h"
#include "core/attention/selected_keys.h"
#include "core/tensor/interruption.h"

#include <memory>

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
void select_blocks(const Plan& plan, Pipeline<Real>& pipeline, const BlockChoice& choice) {
    const Index d = plan.head_key_width(), size = Summary::size(d), blocks = choice.blocks(plan.keys);
    const auto& operands = pipeline.operands;

    struct Whole {
        std::vector<std::uint8_t> is_real;  ///< [key]
        std::vector<Index> real;            ///< [block]: how many of its keys are
        std::vector<double> summaries;      ///< [kv head, block, size]
    };
    const auto whole = std::make_shared<Whole>();
    whole->is_real = real_keys(plan);
    whole->summaries.resize(static_cast<std::size_t>(plan.kv_heads * blocks * size));
    for (Index block = 0; block < blocks; ++block)
        whole->real.push_back(std::count(
            whole->is_real.begin() + block * choice.size,
            whole->is_real.begin() + std::min((block + 1) * choice.size, plan.keys), std::uint8_t(1)));

    /// Writes the summary of the keys of a block for which includes(key).
    const auto summarise = [=, &plan, &operands](Index kv_head, Index block, double* summary,
                                                 const auto& includes) {
        Summary::begin(summary, d);
        Index count = 0;
        for (Index key = block * choice.size; key < std::min((block + 1) * choice.size, plan.keys); ++key)
            if (includes(key)) {
                Summary::include(summary, operands.compared_key(kv_head).row(key), d);
                ++count;
            }
        Summary::finish(summary, d, count);
    };

    pipeline.prepare.push_back([=, &plan](Index head, const Recorder&) {
        if (!is_first_of_its_keys(plan, head))
            return;
        const Index kv_head = plan.kv_head(head);
        for (Index block = 0; block < blocks; ++block) {
            Interruption::check();
            summarise(kv_head, block, whole->summaries.data() + (kv_head * blocks + block) * size,
                      [&](Index key) { return whole->is_real[static_cast<std::size_t>(key)] != 0; });
        }
    });

    pipeline.select.push_back([=, &plan, &operands](const ScoreRow<Real>& row, const Recorder& record) {
        thread_local std::vector<double> numbers, part;
        thread_local std::vector<std::uint8_t> chosen_blocks, chosen;
        numbers.assign(static_cast<std::size_t>(blocks), -std::numeric_limits<double>::infinity());
        part.resize(static_cast<std::size_t>(size));
        const Index kv_head = plan.kv_head(row.head);
        const Real* query = operands.compared_query(row.head).row(row.query);
        const auto is_seen = [&](Index key) { return counts(plan, row.query, key); };
        for (Index block = 0; block < blocks; ++block) {
            Index seen = 0;
            for (Index key = block * choice.size; key < std::min((block + 1) * choice.size, plan.keys); ++key)
                seen += is_seen(key);
            if (seen == 0)
                continue;
            const double* summary = whole->summaries.data() + (kv_head * blocks + block) * size;
            if (seen < whole->real[static_cast<std::size_t>(block)]) {
                summarise(kv_head, block, part.data(), is_seen);
                summary = part.data();
            }
            numbers[static_cast<std::size_t>(block)] = Summary::number(query, summary, d);
        }
        for (Index key = 0; record && key < plan.keys; ++key)
            record.write(choice.stage, (row.head * plan.queries + row.query) * plan.keys + key,
                         &numbers[static_cast<std::size_t>(key / choice.size)], 1);

        const auto own = static_cast<std::size_t>(row.query / choice.size);
        if (choice.keeps_own && plan.spec.source.type == SourceType::self &&
            numbers[own] > -std::numeric_limits<double>::infinity())
            numbers[own] = std::numeric_limits<double>::infinity();
        chosen_blocks.resize(numbers.size());
        keep_largest(numbers, choice.kept, chosen_blocks);
        chosen.resize(static_cast<std::size_t>(plan.keys));
        for (Index key = 0; key < plan.keys; ++key)
            chosen[static_cast<std::size_t>(key)] =
                chosen_blocks[static_cast<std::size_t>(key / choice.size)];
        forbid_others(row, chosen);
    });
}

}  // namespace headlight
