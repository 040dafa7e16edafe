#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace headlight {

/// A read-only table of quantised word vectors over bytes that somebody else keeps alive (embedded in the
/// program or mapped from a file). Opening reads only the index of the words; a vector is decoded when asked
/// for.
class WordVectors {
public:
    /// Reads the format of docs/word-vectors.md; throws Error for anything else.
    explicit WordVectors(std::span<const std::byte> bytes);

    Index size() const;
    Index dimension() const;
    /// Root mean square of the Euclidean norms of all vectors: how long a vector of this table usually is.
    double typical_norm() const;
    /// The vector of the word, looked up as typed, then in lower case with a straight apostrophe, then
    /// without a possessive ending ("dog's" is found as "dog"), then without the marks on its letters ("café"
    /// as "cafe"); nothing when the word is unknown.
    std::optional<std::vector<double>> find(std::string_view word) const;

private:
    struct Table;
    std::shared_ptr<const Table> table_;
};

/// The English vectors that ship with the program (resources/vectors), opened once.
const WordVectors& english_word_vectors();

}  // namespace headlight
