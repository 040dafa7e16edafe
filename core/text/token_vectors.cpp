#include "core/text/token_vectors.h"

#include "core/tensor/error.h"
#include "core/tensor/random.h"
#include "core/text/random_projection.h"
#include "core/text/word_vectors.h"

#include <cmath>
#include <map>
#include <optional>

namespace headlight {
namespace {

using Vector = std::vector<double>;
using Tokens = std::vector<std::string>;

/// A vector in a random direction, of the typical length.
Vector random_vector(std::uint64_t stream, Index dimension) {
    Vector vector(static_cast<std::size_t>(dimension));
    double squares = 0;
    for (std::size_t c = 0; c < vector.size(); ++c) {
        vector[c] = normal(substream(stream, c));
        squares += vector[c] * vector[c];
    }
    const double length = typical_component * std::sqrt(static_cast<double>(dimension));
    for (double& component : vector)
        component *= squares > 0 ? length / std::sqrt(squares) : 0;
    return vector;
}

Vector hashed_vector(std::string_view word, Index dimension) {
    return random_vector(substream(0, word), dimension);
}

void assign_row(Tensor& vectors, std::size_t row, const Vector& vector) {
    std::copy(vector.begin(), vector.end(), vectors.row(static_cast<Index>(row)).begin());
}

TokenVectors vectors_by_row(const Tokens& tokens, Index dimension, auto&& vector_of_row) {
    TokenVectors result{Tensor(Shape{std::ssize(tokens), dimension}), std::vector<bool>(tokens.size())};
    for (std::size_t row = 0; row < tokens.size(); ++row)
        assign_row(result.vectors, row, vector_of_row(row));
    return result;
}

/// From the table's dimension to the wanted one.
class Reducer {
public:
    Reducer(Index from, const VectorSettings& settings) : to_(settings.dimension) {
        if (settings.reduction == Reduction::project || to_ > from)
            projection_.emplace(from, to_, substream(settings.seed, "projection of word vectors"));
    }

    Vector operator()(const Vector& vector) const {
        return projection_ ? (*projection_)(vector) : Vector(vector.begin(), vector.begin() + to_);
    }

private:
    Index to_;
    std::optional<RandomProjection> projection_;
};

SequenceVectors english(const Tokens& query, const Tokens& key, const VectorSettings& settings) {
    const WordVectors& table = english_word_vectors();
    const Reducer reduce(table.dimension(), settings);
    const double scale =
        typical_component * std::sqrt(static_cast<double>(table.dimension())) / table.typical_norm();
    const auto sequence = [&](const Tokens& tokens) {
        std::vector<bool> unknown(tokens.size());
        TokenVectors result = vectors_by_row(tokens, settings.dimension, [&](std::size_t row) {
            auto vector = table.find(tokens[row]);
            unknown[row] = !vector;
            if (!vector)
                return reduce(hashed_vector(tokens[row], table.dimension()));
            for (double& component : *vector)
                component *= scale;
            return reduce(*vector);
        });
        result.unknown = std::move(unknown);
        return result;
    };
    return {sequence(query), sequence(key)};
}

SequenceVectors hashed(const Tokens& query, const Tokens& key, Index dimension) {
    const auto sequence = [dimension](const Tokens& tokens) {
        return vectors_by_row(tokens, dimension,
                              [&](std::size_t row) { return hashed_vector(tokens[row], dimension); });
    };
    return {sequence(query), sequence(key)};
}

SequenceVectors random(const Tokens& query, const Tokens& key, const VectorSettings& settings) {
    const auto sequence = [&](const Tokens& tokens, std::string_view name) {
        const std::uint64_t stream = substream(settings.seed, name);
        return vectors_by_row(tokens, settings.dimension, [&](std::size_t row) {
            return random_vector(substream(stream, row), settings.dimension);
        });
    };
    return {sequence(query, "query vectors"), sequence(key, "key vectors")};
}

SequenceVectors one_hot(const Tokens& query, const Tokens& key, Index dimension) {
    std::map<std::string, Index> axes;
    for (const Tokens* tokens : {&query, &key})
        for (const std::string& token : *tokens)
            axes.emplace(token, std::ssize(axes));
    if (std::ssize(axes) > dimension)
        throw Error(
            {.what = "one-hot vectors",
             .where = "dimension",
             .expected = "at least " + std::to_string(axes.size()) + ", one axis for each distinct token",
             .got = std::to_string(dimension)});
    const auto sequence = [&](const Tokens& tokens) {
        return vectors_by_row(tokens, dimension, [&](std::size_t row) {
            Vector vector(static_cast<std::size_t>(dimension), 0.0);
            vector[static_cast<std::size_t>(axes.at(tokens[row]))] = 1;
            return vector;
        });
    };
    return {sequence(query), sequence(key)};
}

}  // namespace

SequenceVectors token_vectors(const Tokens& query, const Tokens& key, const VectorSettings& settings) {
    if (settings.dimension < 1 || settings.dimension > largest_dimension)
        throw Error({.what = "token vectors",
                     .where = "dimension",
                     .expected = "1 to " + std::to_string(largest_dimension),
                     .got = std::to_string(settings.dimension)});
    switch (settings.kind) {
    case VectorKind::english:
        return english(query, key, settings);
    case VectorKind::hashed:
        return hashed(query, key, settings.dimension);
    case VectorKind::one_hot:
        return one_hot(query, key, settings.dimension);
    case VectorKind::random:
        return random(query, key, settings);
    }
    throw Error({.what = "token vectors", .where = "kind", .expected = "a kind of vector", .got = "none"});
}

}  // namespace headlight
