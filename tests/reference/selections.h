#pragma once

#include "tests/reference/masks.h"
#include "tests/reference/matrix.h"

namespace headlight::reference {

// Each returns the keys that stay; `allowed` are those that the mask lets a query see. Keys that no query
// sees are padding: they count nowhere.

/// Allowed keys with fewer than k allowed keys of a larger score in their row (Zhao et al. 2019): ties with
/// the k-th stay.
Allowed top_k(const Matrix& scores, const Allowed& allowed, std::size_t k);

/// What one head sees: places around that of the query, and first keys.
struct HeadWindow {
    std::size_t reach = 0;
    std::ptrdiff_t shift = 0;  ///< of the middle, towards later keys
    std::size_t stride = 1;
    std::size_t first = 0;
};
/// Allowed keys that lie at most `reach` places from the middle, a multiple of the stride away, or are first.
Allowed in_head_window(const Allowed& allowed, const HeadWindow& window);

/// Allowed keys of the k largest scores; of equal scores those of the lowest keys.
Allowed exactly_top_k(const Matrix& scores, const Allowed& allowed, std::size_t k);

/// Quest (Tang et al. 2024, section 3.3): pages of `size` keys with the largest upper bound on q . k over
/// those of their keys that the query sees.
Allowed pages(const Matrix& q, const Matrix& k, const Allowed& allowed, std::size_t size, std::size_t kept);

/// MoBA (Lu et al. 2025, equations 5 and 6): blocks of `size` keys whose mean has the largest product with
/// the query; with `own` that of the query's place goes first. The mean is over the keys that it sees.
Allowed block_means(const Matrix& q, const Matrix& k, const Allowed& allowed, std::size_t size,
                    std::size_t kept, bool own);

/// MiniMax sparse attention (Lai et al. 2026, equations 5 to 7): the same with the largest product of an
/// index query and the index keys of the block in the place of the mean.
Allowed block_indexer(const Matrix& index_q, const Matrix& index_k, const Allowed& allowed, std::size_t size,
                      std::size_t kept, bool own);

/// Reformer's hash (Kitaev et al. 2020, section 2): the number of the largest of [x R; -x R] for R [d, r].
std::size_t bucket(const Row& x, const Matrix& R);
/// Pairs that share a bucket in some round. R [d, rounds r].
Allowed same_bucket(const Matrix& q, const Matrix& k, const Allowed& allowed, const Matrix& R,
                    std::size_t rounds);

/// Without each token's own key where another is allowed (Kitaev et al. 2020, section 2).
Allowed own_key_last(const Allowed& allowed);
/// The same with the buckets sorted and cut into chunks (section 2, equation 6): pairs of a query and a key
/// of its own chunk or of the one before, in the order of buckets, and in a bucket of places, padding last.
/// `is_one_sequence`: queries are padding where keys are.
Allowed near_in_hash_order(const Matrix& q, const Matrix& k, const Allowed& allowed, const Matrix& R,
                           std::size_t rounds, std::size_t chunk, bool is_one_sequence);

/// Routing Transformer (Roy et al. 2021, section 4.1): every centroid takes the `members` queries and keys of
/// the largest cosine with it; 0 members is an equal share, rounded up.
Allowed same_cluster(const Matrix& q, const Matrix& k, const Allowed& allowed, const Matrix& centroids,
                     std::size_t members);

/// DeepSeek-V3.2 (2025, equation 1): I_ts = sum_j w_tj max(0, q_tj . k_s) with q = x W_q in heads, k = y W_k,
/// w = x W_w.
Matrix index_scores(const Matrix& x, const Matrix& y, const Matrix& W_q, const Matrix& W_k,
                    const Matrix& W_w);

/// Local-p (Luong et al. 2015, equations 9 and 10): p_t = S sigmoid(v_p . tanh(q_t W_p)) for S source words,
/// those up to the last that some query sees.
Row predicted_places(const Matrix& q, const Allowed& allowed, const Matrix& W_p, const Row& v_p);
Allowed around(const Row& places, const Allowed& allowed, Number radius);
/// Weights times exp(-(j - p_t)^2 / (2 sigma^2)).
Matrix gaussian_weights(const Matrix& weights, const Row& places, Number sigma);

}  // namespace headlight::reference
