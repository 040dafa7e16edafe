#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::nn {

/// Where one learned matrix lies among the numbers of a model: [rows, columns] from `offset` on, row by row.
/// Matrices are stored (in, out): y = x W. A vector is a matrix of one row.
struct Weight {
    Index offset = 0;
    Index rows = 0;
    Index columns = 0;

    Index size() const { return rows * columns; }
    /// Some of its rows: the part of a matrix that meets a part of a concatenation.
    Weight row_range(Index first, Index count) const { return {offset + first * columns, count, columns}; }
    bool operator==(const Weight&) const = default;
};

/// What a matrix holds before training.
enum class Initial {
    zero,
    one,
    constant,   ///< Entry::constant
    xavier,     ///< uniform in +-sqrt(6 / (rows + columns))                  (Glorot & Bengio 2010, eq. 16)
    recurrent,  ///< uniform in +-1/sqrt(columns of one gate): as PyTorch starts its recurrent layers
    embedding,  ///< normal with a standard deviation of 0.02                 (Radford et al. 2019)
};

/// Names and places of a model's weights. The numbers themselves are one flat vector beside it, so that
/// gradients, moments and checkpoints are flat vectors of the same layout.
class ParameterLayout {
public:
    struct Entry {
        std::string name;  ///< "encoder.forward.W_hidden"
        Weight weight;
        Initial initial = Initial::xavier;
        Index gates = 1;  ///< columns hold this many matrices side by side; each is drawn for itself
        double constant = 0;
    };

    /// Throws Error when the name is taken.
    Weight add(const std::string& name, Index rows, Index columns, Initial initial = Initial::xavier,
               Index gates = 1);

    /// The same, every number of it `constant`.
    Weight add_constant(const std::string& name, Index rows, Index columns, double constant);

    Index size() const { return size_; }
    const std::vector<Entry>& entries() const { return entries_; }
    /// Throws Error, naming what there is, when there is none of that name.
    Weight find(std::string_view name) const;

    /// Numbers to start training from. Each name has its own stream of the seed.
    template <class Real>
    std::vector<Real> initial_values(std::uint64_t seed) const;

private:
    std::vector<Entry> entries_;
    Index size_ = 0;
};

extern template std::vector<float> ParameterLayout::initial_values(std::uint64_t) const;
extern template std::vector<double> ParameterLayout::initial_values(std::uint64_t) const;

}  // namespace headlight::nn
