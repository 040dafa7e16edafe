#include "tests/reference/drawn_together.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

/// Scores that are one.
struct Block {
    Number level = 0;
    std::size_t size = 1;
};

Block put_together(const Block& a, const Block& b) {
    const Number size = Number(a.size + b.size);
    return {(a.level * Number(a.size) + b.level * Number(b.size)) / size, a.size + b.size};
}

Row written_out(const std::vector<Block>& blocks) {
    Row levels;
    for (const Block& block : blocks)
        levels.insert(levels.end(), block.size, block.level);
    return levels;
}

Number sign_of(Number x) { return Number(x > 0) - Number(x < 0); }

/// Also those that two meetings at once have left next to one another.
void join_equal_neighbours(std::vector<Block>& blocks) {
    for (std::size_t k = 0; k + 1 < blocks.size();) {
        const Number gap = std::abs(blocks[k].level - blocks[k + 1].level);
        if (gap > 1e-17 * std::max(Number(1), std::abs(blocks[k].level))) {
            ++k;
            continue;
        }
        blocks[k] = put_together(blocks[k], blocks[k + 1]);
        blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    }
}

Row levels_of_runs(const Row& scores, Number strength) {
    std::vector<Block> blocks;
    for (const Number score : scores)
        blocks.push_back({score, 1});
    for (Number left = strength; left > 0 && blocks.size() > 1;) {
        join_equal_neighbours(blocks);
        std::vector<Number> speeds;
        for (std::size_t k = 0; k < blocks.size(); ++k) {
            Number pull = 0;
            if (k > 0)
                pull += sign_of(blocks[k - 1].level - blocks[k].level);
            if (k + 1 < blocks.size())
                pull += sign_of(blocks[k + 1].level - blocks[k].level);
            speeds.push_back(pull / Number(blocks[k].size));
        }
        Number step = left;
        std::size_t meet = blocks.size();
        for (std::size_t k = 0; k + 1 < blocks.size(); ++k) {
            const Number gap = blocks[k + 1].level - blocks[k].level;
            const Number closing = (speeds[k] - speeds[k + 1]) * sign_of(gap);
            if (closing > 0 && std::abs(gap) / closing <= step) {
                step = std::abs(gap) / closing;
                meet = k;
            }
        }
        for (std::size_t k = 0; k < blocks.size(); ++k)
            blocks[k].level += step * speeds[k];
        if (meet < blocks.size()) {
            blocks[meet] = put_together(blocks[meet], blocks[meet + 1]);
            blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(meet) + 1);
        }
        left -= step;
    }
    return written_out(blocks);
}

Row levels_of_groups(const Row& scores, Number strength) {
    std::vector<std::size_t> order(scores.size());
    for (std::size_t j = 0; j < order.size(); ++j)
        order[j] = j;
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    std::vector<Block> blocks;
    for (std::size_t k = 0; k < order.size(); ++k) {
        blocks.push_back({scores[order[k]] - strength * Number(order.size() - 1 - k), 1});
        while (blocks.size() > 1 && blocks[blocks.size() - 2].level <= blocks.back().level) {
            const Block last = blocks.back();
            blocks.pop_back();
            blocks.back() = put_together(blocks.back(), last);
        }
    }
    const Row sorted = written_out(blocks);
    Row levels(scores.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        levels[order[k]] = sorted[k];
    return levels;
}

/// Sparsemax of what `draw` makes of the allowed scores.
template <class Draw>
Row of_allowed(const Row& scores, const Mask& allowed, Number temperature, const Draw& draw) {
    Row open;
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j])
            open.push_back(scores[j] / temperature);
    const Row drawn = draw(open);
    Row levels(scores.size(), Number(0));
    std::size_t next = 0;
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j])
            levels[j] = drawn[next++];
    return sparsemax(levels, allowed, 1);
}

}  // namespace

Row fusedmax(const Row& scores, const Mask& allowed, Number temperature, Number strength) {
    return of_allowed(scores, allowed, temperature,
                      [&](const Row& open) { return levels_of_runs(open, strength); });
}

Row oscarmax(const Row& scores, const Mask& allowed, Number temperature, Number strength) {
    return of_allowed(scores, allowed, temperature,
                      [&](const Row& open) { return levels_of_groups(open, strength); });
}

}  // namespace headlight::reference
