#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headlight {

enum class VectorKind {
    english,  ///< trained word vectors; unknown words get their hashed vector and are marked
    hashed,   ///< a stable pseudo-random unit vector per spelling: same word, same vector, on every machine
    one_hot,  ///< one axis per distinct token, in order of appearance; dimension = number of distinct tokens
              ///< at least
    random,   ///< a fresh vector per position, drawn from the seed: same word, different vectors
};
enum class Reduction {
    truncate,  ///< the first numbers of the vector; above the table's dimension there are none, so `project`
               ///< is used
    project,   ///< a seeded random projection that keeps angles in expectation (Johnson & Lindenstrauss 1984)
};

struct VectorSettings {
    VectorKind kind = VectorKind::english;
    Index dimension = 64;
    Reduction reduction = Reduction::truncate;
    std::uint64_t seed = 0;
    bool operator==(const VectorSettings&) const = default;
};

/// Root mean square of a component of every vector but the one-hot ones, whatever their kind and dimension d,
/// so that a vector is typically 0.7 sqrt(d) long. Chosen so that pictures show structure with English
/// vectors at d = 64: rows of scaled dot-product attention are neither one-hot nor uniform, and those after
/// Xavier projections are not flat. Unscaled dot products then saturate as d grows, which is why the scale
/// was invented (Vaswani et al. 2017, 3.2.1).
inline constexpr double typical_component = 0.7;

struct TokenVectors {
    Tensor vectors;             ///< [n, dimension]
    std::vector<bool> unknown;  ///< [n]; true where `english` did not know the word
};

inline constexpr Index largest_dimension = 4096;

/// Vectors for both sequences at once, because one-hot axes are shared between them. `key` may be empty.
/// Throws Error for a dimension below 1 or above largest_dimension, or one_hot with fewer dimensions than
/// distinct tokens.
struct SequenceVectors {
    TokenVectors query;
    TokenVectors key;
};
SequenceVectors token_vectors(const std::vector<std::string>& query, const std::vector<std::string>& key,
                              const VectorSettings& settings);

}  // namespace headlight
