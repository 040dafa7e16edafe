#pragma once

#include "tests/reference/attention.h"

#include <string>
#include <vector>

namespace headlight::reference {

/// sum_c q_ic k_jc f_tc ..., f_t = sigmoid(y_t W + b), the head's own columns, over the tokens t after the
/// earlier one of the pair up to the later one (Wall attention, Tilde Research 2026). W [d, h d_k].
Matrix wall_scores(const Head& head, const Matrix& W, const Row& b);

struct TupeRule {
    Matrix P;              ///< [tokens, d]
    Matrix U_Q, U_K;       ///< [d, h d_k]
    Row theta_1, theta_2;  ///< [h]; empty: the first token has a place like others
};
/// (p_i U_Q) . (p_j U_K) / sqrt(2 d_k), theta_1 in the first row, theta_2 in the rest of the first column (Ke
/// et al. 2021, equations 7 and 10).
Matrix tupe_bias(const Head& head, const TupeRule& rule);

/// q_i . R_h[dy] + q_i . R_w[dx], tables [2 w - 1, d_k] of the query's row and column minus the key's, held
/// within them (Li et al. 2022, section 4.1).
Matrix decomposed_terms(const Head& head, std::size_t columns, const Matrix& R_h, const Matrix& R_w);

/// How pairs of features are turned from one place to the next.
struct PairTurning {
    bool interleaved = false;
    Number base = 10000;
};

/// sum_j A_ij (R_(j-i) - 1) v_j: what turned values have more than those that are not.
Matrix turned_values(const Head& head, const Matrix& weights, const PairTurning& turning);

/// r e^(i (w p + theta)) for every pair (2c, 2c + 1) of a word's features, read as r e^(i theta), p its
/// place, w = base^(-2c/d) + pi tanh(x W) (Wang et al. 2020, equation 6, with speeds from the word's vector).
Matrix turned_words(const Matrix& tokens, const Matrix& W, Number base);

struct ExtendRule {
    std::size_t window = 4, group = 2;
    std::string far = "groups";
    PairTurning turning;
};
/// The distance at which two places meet: r = i - j nearer than the window; beyond, floor(i / G) - floor(j /
/// G) + w - floor(w / G) (Jin et al. 2024, section 3.2), w + (r - w) / G or w (Su 2023). Keys after the query
/// as those before it, with the other sign.
Number extended_distance(const ExtendRule& rule, std::size_t query, std::size_t key);
/// How many keys that the query may see lie from the key up to before the query, or, with the other sign,
/// from the query up to before the key: places within a cache (Xiao et al. 2024, section 3.2).
Number distance_in_cache(const std::vector<bool>& seen, std::size_t query, std::size_t key);
/// q . R_(-r) k at that distance.
Matrix extended_scores(const Matrix& q, const Matrix& k, const ExtendRule& rule, const Allowed& allowed);

struct ChunkRule {
    std::size_t chunk = 4, window = 2;
    PairTurning turning;
};
/// The place of a query, from that of a key: i - j in one chunk; s + min(i mod s, w - 1) - j mod s in the
/// next one; s + w - 1 - j mod s in later ones (An et al. 2024, equations 2, 5 and 7, with c = s + w). Keys
/// of later chunks as those of earlier ones, with the other sign.
Number chunk_distance(const ChunkRule& rule, std::size_t query, std::size_t key);
/// q . R_(-r) k at that distance.
Matrix chunk_scores(const Matrix& q, const Matrix& k, const ChunkRule& rule);

/// 1 + a ln(1 + floor((i + 1) / L)), i from 0, counted length by length.
Number query_temperature(std::size_t place, std::size_t length, Number growth);

struct PlaceKernel {
    std::size_t columns = 0;  ///< 0: on a line
    std::size_t size = 3;     ///< on a grid, of each side
    bool looks_back = false;  ///< the token stands at its end, else in its middle
    Matrix K;                 ///< [size or size^2, d]
    Row b;                    ///< [d]
};
/// x_ic + b_c + sum_r K_rc x_(i+r)c over the places of the kernel that lie on a token which somebody reads
/// (Chu et al. 2023, section 3.2).
Matrix convolved_tokens(const Matrix& x, const PlaceKernel& kernel, const std::vector<bool>& is_read);
/// The kernel with which that is a token shift: part s of the features, of as many parts as it has places, is
/// that of the token at the place s before the last; what is left over stays.
PlaceKernel shifting(PlaceKernel kernel, std::size_t width);

/// table[phi(i, j)], phi the number of steps of the shortest path, and its last row where that is longer than
/// the others or there is none (Ying et al. 2021, equation 6). Paths are found as the smallest of all sums of
/// two (Floyd 1962, Warshall 1962). Edges that hold a kind add the mean over the path of of_edges[kind l +
/// s], s the step and l the longest path that counts (equation 7); before the end of a path is, of several
/// tokens as near to its start, the first.
struct GraphPaths {
    std::string graph;
    std::vector<std::size_t> edges, kinds;
    Matrix of_lengths, of_edges;
};
Matrix graph_bias(std::size_t nodes, const GraphPaths& paths, std::size_t head);

}  // namespace headlight::reference
