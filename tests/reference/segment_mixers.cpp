#include "tests/reference/segment_mixers.h"

#include "tests/reference/linear_mixers.h"
#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

Number score_of(const Head& head, std::size_t i, std::size_t j) {
    return product_of_rows(head.q, i, head.k, j) / std::sqrt(static_cast<Number>(head.q.cols));
}

Row scores_of(const Head& head, std::size_t i) {
    Row scores;
    for (std::size_t j = 0; j < head.k.rows; ++j)
        scores.push_back(score_of(head, i, j));
    return scores;
}

HeadResult nothing_yet(const Head& head) {
    return {Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
}

/// weight_ij += weight, context_i += weight v_j
void give(HeadResult& result, const Head& head, std::size_t i, std::size_t j, Number weight) {
    result.weights(i, j) += weight;
    for (std::size_t c = 0; c < head.v.cols && weight != 0; ++c)  // padding may hold anything
        result.context(i, c) += weight * head.v(j, c);
}

Row elu_features(const Row& x) {
    Row result;
    for (const Number each : x)
        result.push_back(each > 0 ? each + 1 : std::exp(each));
    return result;
}

/// M [d_k, m] of values that are a unit matrix, and z.
struct InfiniMemory {
    Matrix numbers;
    Row sum;

    /// phi M / phi z, the weights of the values; 0 of an empty memory.
    Row answer(const Row& features) const {
        Row result(numbers.cols, Number(0));
        const Number divisor = product(features, sum);
        for (std::size_t j = 0; j < numbers.cols && divisor > 0; ++j)
            for (std::size_t a = 0; a < numbers.rows; ++a)
                result[j] += features[a] * numbers(a, j) / divisor;
        return result;
    }
    void store(const Row& features, const Row& what) {
        for (std::size_t a = 0; a < numbers.rows; ++a) {
            sum[a] += features[a];
            for (std::size_t j = 0; j < numbers.cols; ++j)
                numbers(a, j) += features[a] * what[j];
        }
    }
};

/// What the tokens before `end` leave in the memory, segment after segment.
InfiniMemory memory_of(const Head& head, const InfiniRule& rule, std::size_t end) {
    InfiniMemory memory{Matrix(head.k.cols, head.k.rows), Row(head.k.cols, Number(0))};
    for (std::size_t first = 0; first < end; first += rule.segment) {
        const InfiniMemory before = memory;
        for (std::size_t j = first; j < std::min(first + rule.segment, end); ++j) {
            const Row features = elu_features(head.k.row(j));
            Row stored(head.k.rows, Number(0));
            stored[j] = 1;
            const Row known = before.answer(features);
            for (std::size_t c = 0; c < stored.size() && rule.is_delta; ++c)
                stored[c] -= known[c];
            memory.store(features, stored);
        }
    }
    return memory;
}

}  // namespace

HeadResult infini(const Head& head, const InfiniRule& rule) {
    HeadResult result = nothing_yet(head);
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        const std::size_t first = i / rule.segment * rule.segment;
        const auto seen = static_cast<std::size_t>(std::ranges::count(head.allowed[i], true));
        const Row recalled = memory_of(head, rule, std::min(first, seen)).answer(elu_features(head.q.row(i)));
        std::vector<bool> is_local = head.allowed[i];
        for (std::size_t j = 0; j < is_local.size(); ++j)
            is_local[j] = is_local[j] && j >= first && j < first + rule.segment;
        const Row local = softmax(scores_of(head, i), is_local, 1);
        for (std::size_t j = 0; j < head.k.rows; ++j)
            give(result, head, i, j, rule.memory_share * recalled[j] + (1 - rule.memory_share) * local[j]);
    }
    return result;
}

HeadResult memorizing(const Head& head, std::size_t segment, std::size_t kept, Number share) {
    HeadResult result = nothing_yet(head);
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        const Row scores = scores_of(head, i);
        std::vector<bool> is_local, is_found;
        for (std::size_t j = 0; j < scores.size(); ++j) {
            std::size_t better = 0;
            for (std::size_t other = 0; other < scores.size(); ++other)
                if (other / segment < i / segment && head.allowed[i][other] && scores[other] > scores[j])
                    ++better;
            is_local.push_back(head.allowed[i][j] && j / segment == i / segment);
            is_found.push_back(head.allowed[i][j] && j / segment < i / segment && better < kept);
        }
        const Row local = softmax(scores, is_local, 1), found = softmax(scores, is_found, 1);
        for (std::size_t j = 0; j < scores.size(); ++j)
            give(result, head, i, j, share * found[j] + (1 - share) * local[j]);
    }
    return result;
}

HeadResult dilated_segments(const Head& head, const std::vector<DilatedPattern>& patterns) {
    HeadResult result = nothing_yet(head);
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        // What each pattern holds for this query, and the logarithm of its denominator.
        std::vector<std::vector<bool>> held;
        std::vector<bool> holds_any;
        Row denominators;
        for (const DilatedPattern& pattern : patterns) {
            const std::size_t offset = head.number % pattern.step;
            const auto takes_part = [&](std::size_t token) {
                return token / pattern.segment == i / pattern.segment &&
                       token % pattern.segment % pattern.step == offset;
            };
            std::vector<bool> here(head.k.rows, false);
            Number largest = 0, sum = 0;
            bool is_first = true;
            for (std::size_t j = 0; j < head.k.rows && takes_part(i); ++j)
                if (takes_part(j) && head.allowed[i][j]) {
                    here[j] = true;
                    largest = is_first ? score_of(head, i, j) : std::max(largest, score_of(head, i, j));
                    is_first = false;
                }
            for (std::size_t j = 0; j < head.k.rows; ++j)
                if (here[j])
                    sum += std::exp(score_of(head, i, j) - largest);
            held.push_back(here);
            holds_any.push_back(!is_first);
            denominators.push_back(is_first ? 0 : largest + std::log(sum));
        }
        const Row shares = softmax(denominators, holds_any, 1);
        for (std::size_t pattern = 0; pattern < patterns.size(); ++pattern) {
            const Row weights = softmax(scores_of(head, i), held[pattern], 1);
            for (std::size_t j = 0; j < head.k.rows; ++j)
                give(result, head, i, j, shares[pattern] * weights[j]);
        }
    }
    return result;
}

HeadResult landmark_attention(const Head& head, std::size_t block) {
    const std::size_t n = head.k.rows;
    // p: the place of the landmark of each token's block; n where it has none.
    std::vector<std::size_t> p;
    for (std::size_t j = 0; j < n; ++j)
        p.push_back(std::min((j / block + 1) * block - 1, n));
    HeadResult result = nothing_yet(head);
    for (std::size_t i = 0; i < n; ++i) {
        // Numbers of groups are those of landmarks; n + 1 stands for the landmark that is left out.
        std::vector<std::size_t> group;
        for (std::size_t j = 0; j < n; ++j)
            group.push_back(p[j] != j ? p[j] : p[i] == j ? n + 1 : p[i]);
        const auto grouped_softmax = [&](std::size_t j) {
            std::vector<bool> is_of_group;
            for (std::size_t other = 0; other < n; ++other)
                is_of_group.push_back(group[other] == group[j] && head.allowed[i][other]);
            return softmax(scores_of(head, i), is_of_group, 1)[j];
        };
        for (std::size_t j = 0; j < n; ++j) {
            if (p[j] == j)
                continue;
            if (p[j] == p[i])
                give(result, head, i, j, grouped_softmax(j));
            else if (p[j] < n)
                give(result, head, i, j, grouped_softmax(j) * grouped_softmax(p[j]));
        }
    }
    return result;
}

}  // namespace headlight::reference
