#include "tests/reference/clustered.h"

#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace headlight::reference {
namespace {

Number squared_distance(const Row& a, const Row& b) {
    Number sum = 0;
    for (std::size_t c = 0; c < a.size(); ++c)
        sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

/// The mean of the rows that belong to a cluster; an empty row where none does.
Row mean_of(const Matrix& x, const std::vector<std::size_t>& cluster_of, std::size_t cluster) {
    Row sum(x.cols, Number(0));
    Number size = 0;
    for (std::size_t i = 0; i < x.rows; ++i)
        if (cluster_of[i] == cluster) {
            size += 1;
            for (std::size_t c = 0; c < x.cols; ++c)
                sum[c] += x(i, c);
        }
    if (size == 0)
        return {};
    for (Number& number : sum)
        number /= size;
    return sum;
}

}  // namespace

HeadResult clustered(const Head& head, const Clusters& given) {
    const std::size_t n = head.q.rows, m = head.k.rows, count = std::min(given.count, n);
    std::vector<Row> centres;
    for (std::size_t cluster = 0; cluster < count; ++cluster)
        centres.push_back(head.q.row(cluster * n / count));
    std::vector<std::size_t> cluster_of(n, 0);
    for (std::size_t step = 0; step < given.steps; ++step) {
        for (std::size_t i = 0; i < n; ++i) {
            cluster_of[i] = 0;
            for (std::size_t cluster = 1; cluster < count; ++cluster)
                if (squared_distance(head.q.row(i), centres[cluster]) <
                    squared_distance(head.q.row(i), centres[cluster_of[i]]))
                    cluster_of[i] = cluster;
        }
        for (std::size_t cluster = 0; cluster < count; ++cluster)
            if (const Row mean = mean_of(head.q, cluster_of, cluster); !mean.empty())
                centres[cluster] = mean;
    }
    HeadResult result{Matrix(n, m), Matrix(n, head.v.cols)};
    const auto scores_of = [&](const Row& query) {
        Row scores;
        for (std::size_t j = 0; j < m; ++j)
            scores.push_back(product(query, head.k.row(j)) / std::sqrt(static_cast<Number>(head.k.cols)));
        return scores;
    };
    for (std::size_t i = 0; i < n; ++i) {
        const std::vector<bool>& seen = head.allowed[i];
        const Row scores = scores_of(centres[cluster_of[i]]);
        Row weights = softmax(scores, seen, 1);
        Row largest_first;
        for (std::size_t j = 0; j < m; ++j)
            if (seen[j])
                largest_first.push_back(scores[j]);
        std::ranges::sort(largest_first, std::greater());
        if (const std::size_t kept = std::min(given.exact_keys, largest_first.size()); kept > 0) {
            std::vector<bool> is_kept(m, false);
            Number share = 0;
            for (std::size_t j = 0; j < m; ++j)
                if (seen[j] && scores[j] >= largest_first[kept - 1]) {
                    is_kept[j] = true;
                    share += weights[j];
                }
            const Row exact = softmax(scores_of(head.q.row(i)), is_kept, 1);
            for (std::size_t j = 0; j < m; ++j)
                if (is_kept[j])
                    weights[j] = share * exact[j];
        }
        for (std::size_t j = 0; j < m; ++j) {
            result.weights(i, j) = weights[j];
            for (std::size_t c = 0; c < head.v.cols; ++c)
                result.context(i, c) += weights[j] * head.v(j, c);
        }
    }
    return result;
}

}  // namespace headlight::reference
