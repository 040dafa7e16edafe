#pragma once

#include "tests/reference/attention.h"

#include <vector>

namespace headlight::reference {

/// Tokens that ask with projections of their own. All matrices are those of one head.
struct GlobalProjections {
    std::vector<bool> is_global;                          ///< [n]
    Matrix query = {}, key = {}, value = {};              ///< of global queries
    bool in_pieces = false;                               ///< keys and values also differ by who is looked at
    Matrix key_from_local = {}, value_from_local = {};    ///< of global tokens, for local queries
    Matrix key_from_global = {}, value_from_global = {};  ///< of global tokens, for global queries
    bool by_question = false;  ///< queries differ by who is looked at, nothing else
    Matrix query_from_local = {},
           query_from_global = {};           ///< of local and of global queries, at global tokens
    std::size_t reach = 0;                   ///< of the labels; 0: there are none
    Matrix labels = {};                      ///< [2 reach + 3, d_k]
    std::vector<std::size_t> segments = {};  ///< of the local tokens
    WeighScores weigh;                       ///< in the place of the softmax
};

/// Pair by pair: q . (k + a) / sqrt d with the q, k and v that its two tokens have together. Two of one kind
/// have the label of their distance, clipped; a global token and a local one the last but one where the
/// number of the local token's segment is that of the global token among its kind, else the last (Beltagy et
/// al. 2020, section 3.1; Ainslie et al. 2020, section 3; by_question: Yamada et al. 2020, section 3.2).
HeadResult global_projections(const Head& head, const GlobalProjections& given);

}  // namespace headlight::reference
