#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headlight {

enum class VectorKind {
    english,  ///< trained word vectors; unknown words get their hashed vector and are marked
    hashed,   ///< a stable pseudo-random unit vector per spelling: same word, same vector, on every machine
    one_hot,  ///< one axis per distinct token, in order of appearance; dimension = number of distinct tokens at least
    random,   ///< a fresh vector per position, drawn from the seed: same word, different vectors
};
enum class Reduction {
    truncate,  ///< the first numbers of the vector
    project,   ///< a seeded random orthonormal-in-expectation projection (Johnson-Lindenstrauss)
};

struct VectorSettings {
    VectorKind kind = VectorKind::english;
    Index dimension = 64;
    Reduction reduction = Reduction::truncate;
    std::uint64_t seed = 0;
    bool operator==(const VectorSettings&) const = default;
};

struct TokenVectors {
    Tensor vectors;             ///< [n, dimension]
    std::vector<bool> unknown;  ///< [n]; true where `english` did not know the word
};

/// Vectors for both sequences at once, because one-hot axes are shared between them. `key` may be empty. Throws Error
/// for a dimension below 1 or above 4096, or one_hot with fewer dimensions than distinct tokens.
struct SequenceVectors {
    TokenVectors query;
    TokenVectors key;
};
SequenceVectors token_vectors(const std::vector<std::string>& query, const std::vector<std::string>& key,
                              const VectorSettings& settings);

}  // namespace headlight
