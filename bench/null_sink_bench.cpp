// What the possibility of recording costs a run that does not record: the engine's kernel with the null sink
// beside loops written without any sink, from the same parts, compiled alike in this file, run in turns on
// one thread.

#define Eigen Eigen_bench
#include "core/kernels/attend.inc.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

namespace headlight::kernels { namespace {

/// Softmax attention of one block with nothing to record and nothing to choose.
void attend_bare(const Block<float>& block) {
    Product<float> product;
    product.left = block.left;
    product.right = block.right;
    product.out = block.map();
    multiply(product);
    const auto scale = fill(block.score.scale);
    for (Index query = 0; query < block.queries; ++query) {
        float* row = block.weights + query * block.keys;
        transform(row, block.keys, [scale](Packet<float> score) { return packet::pmul(score, scale); });
        const auto sum = fill(exponentials(row, block.keys, maximum(row, block.keys), 1.0f));
        transform(row, block.keys, [sum](Packet<float> power) { return packet::pdiv(power, sum); });
    }
    sum_values(block);
}

constexpr Index tokens = 1024, width = 64, rows = 64;

std::vector<float> numbers(Index count, unsigned seed) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values)
        value = static_cast<float>((seed = seed * 1664525u + 1013904223u) >> 8) * 0x1p-23f - 1;
    return values;
}

double seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> values) {
    std::ranges::nth_element(values, values.begin() + std::ssize(values) / 2);
    return values[values.size() / 2];
}

}}  // namespace headlight::kernels

int main() {
    using namespace headlight;
    using namespace headlight::kernels;
    const auto query = numbers(tokens * width, 1), key = numbers(tokens * width, 2),
               value = numbers(tokens * width, 3);
    std::vector<float> packed_key(packed_size<float>(width, tokens)),
        packed_value(packed_size<float>(tokens, width));
    pack(row_major(key.data(), tokens, width).transposed(), packed_key.data());
    pack(row_major(value.data(), tokens, width), packed_value.data());
    std::vector<float> weights(tokens * tokens), context(tokens * width);
    const std::vector<Index> ends(tokens, tokens);
    const std::vector<std::uint8_t> allowed(tokens * tokens, 1);

    const auto head = [&](auto attend_block) {
        const double start = seconds();
        for (Index first = 0; first < tokens; first += rows) {
            Block<float> block;
            block.score = {.width = width, .scale = 0.125f};
            block.mask.excludes = true;
            block.queries = rows;
            block.keys = block.reach = tokens;
            block.left = row_major(query.data(), tokens, width).row_range(first, rows);
            block.right = {packed_key.data(), width, tokens};
            block.packed_value = {packed_value.data(), tokens, width};
            block.value = row_major(value.data(), tokens, width);
            block.allowed = allowed.data() + first * tokens;
            block.ends = ends.data() + first;
            block.weights = weights.data() + first * tokens;
            block.context = row_major(context.data(), tokens, width).row_range(first, rows);
            attend_block(block);
        }
        return seconds() - start;
    };

    std::vector<double> bare, null_sink, ratios;
    for (int round = 0; round < 2000; ++round) {
        const bool bare_first = round % 2 == 0;
        if (bare_first)
            bare.push_back(head(attend_bare));
        null_sink.push_back(head(attend<float>));
        if (!bare_first)
            bare.push_back(head(attend_bare));
        ratios.push_back(null_sink.back() / bare.back());
    }
    std::printf("one head, %td tokens, width %td, float, one thread, 2000 rounds in turns\n", tokens, width);
    std::printf("  bare loop   fastest %.4f ms, median %.4f ms\n", 1e3 * std::ranges::min(bare),
                1e3 * median(bare));
    std::printf("  null sink   fastest %.4f ms, median %.4f ms\n", 1e3 * std::ranges::min(null_sink),
                1e3 * median(null_sink));
    std::printf("  cost of the null sink: %+.2f %% (fastest), %+.2f %% (median of the rounds' ratios)\n",
                100 * (std::ranges::min(null_sink) / std::ranges::min(bare) - 1), 100 * (median(ratios) - 1));
}
