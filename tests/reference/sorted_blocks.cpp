#include "tests/reference/sorted_blocks.h"

#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

/// Returns ln of the sum of exp of some numbers.
Number log_sum_of(const Row& numbers) {
    const Number largest = *std::ranges::max_element(numbers);
    Number sum = 0;
    for (const Number number : numbers)
        sum += std::exp(number - largest);
    return largest + std::log(sum);
}

/// Returns the logarithms of P.
Matrix order_of_blocks(const Matrix& sums, const SortedBlocks& sorting) {
    const std::size_t count = sums.rows;
    Matrix logs(count, count);
    for (std::size_t b = 0; b < count; ++b)
        for (std::size_t c = 0; c < count; ++c) {
            for (std::size_t feature = 0; feature < sums.cols; ++feature)
                logs(b, c) += sums(b, feature) * sorting.W(feature, c);
            logs(b, c) = std::max(logs(b, c), Number(0)) / sorting.temperature;
        }
    for (std::size_t round = 0; round < sorting.rounds && !sorting.is_decoder; ++round) {
        for (std::size_t c = 0; c < count; ++c) {
            Row column;
            for (std::size_t b = 0; b < count; ++b)
                column.push_back(logs(b, c));
            const Number sum = log_sum_of(column);
            for (std::size_t b = 0; b < count; ++b)
                logs(b, c) -= sum;
        }
        for (std::size_t b = 0; b < count; ++b) {
            const Number sum = log_sum_of(logs.row(b));
            for (std::size_t c = 0; c < count; ++c)
                logs(b, c) -= sum;
        }
    }
    return logs;
}

}  // namespace

HeadResult sorted_blocks(const Head& head, const SortedBlocks& sorting) {
    const std::size_t n = head.q.rows;
    const auto real =
        static_cast<std::size_t>(std::count(head.allowed.front().begin(), head.allowed.front().end(), true));
    const std::size_t size = std::max<std::size_t>((n + sorting.blocks - 1) / sorting.blocks, 1),
                      count = std::max<std::size_t>((real + size - 1) / size, 1);
    const Number root = std::sqrt(static_cast<Number>(head.k.cols));
    Matrix sums(count, head.y.cols);
    for (std::size_t block = 0; block < count; ++block)
        for (std::size_t j = 0; j < real; ++j)
            for (std::size_t feature = 0; feature < head.y.cols; ++feature)
                if (sorting.is_decoder ? j <= block * size : j / size == block)
                    sums(block, feature) += head.y(j, feature);
    const Matrix order = order_of_blocks(sums, sorting);

    HeadResult result{Matrix(n, n), Matrix(n, head.v.cols)};
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t own = std::min(i / size, count - 1);
        /// What can be seen: a score, and which tokens it stands for, by how much.
        struct Seen {
            Number score;
            Row shares;
        };
        std::vector<Seen> seen;
        const auto add = [&](const Row& shares) {
            Row key(head.k.cols, Number(0));
            for (std::size_t j = 0; j < n; ++j)
                for (std::size_t c = 0; c < head.k.cols && shares[j] != 0; ++c)
                    key[c] += shares[j] * head.k(j, c);
            seen.push_back({product(head.q.row(i), key) / root, shares});
        };
        for (std::size_t block = 0; block < count; ++block)
            for (std::size_t place = 0; place < std::min(size, real); ++place) {
                if (sorting.cut > 0 ? block >= sorting.cut : block != own)
                    continue;
                Row logs;
                const std::size_t others = sorting.is_decoder ? block : count;
                for (std::size_t other = 0; other < others && other * size + place < real; ++other)
                    logs.push_back(order(block, other));
                if (logs.empty())
                    continue;
                const Row parts = softmax_of_all(logs);
                Row shares(n, Number(0));
                for (std::size_t other = 0; other < parts.size(); ++other)
                    shares[other * size + place] = parts[other];
                add(shares);
            }
        const std::size_t end = std::min((own + 1) * size, real);
        for (std::size_t j = own * size;
             j < (sorting.is_decoder ? std::min(end, i + 1) : end) && sorting.cut == 0; ++j) {
            Row shares(n, Number(0));
            shares[j] = 1;
            add(shares);
        }
        Row scores;
        for (const Seen& each : seen)
            scores.push_back(each.score);
        const Row weights = softmax(scores, std::vector<bool>(seen.size(), true), 1);
        for (std::size_t number = 0; number < seen.size(); ++number)
            for (std::size_t j = 0; j < n; ++j)
                result.weights(i, j) += weights[number] * seen[number].shares[j];
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t c = 0; c < head.v.cols && result.weights(i, j) != 0; ++c)
                result.context(i, c) += result.weights(i, j) * head.v(j, c);
    }
    return result;
}

}  // namespace headlight::reference
