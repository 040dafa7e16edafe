#include "core/attention/operands.h"

#include "core/attention/position.h"
#include "core/attention/widths.h"

#include <algorithm>
#include <cmath>

namespace headlight {

template <class Real>
Operands<Real>::Operands(const Plan& plan, const kernels::Table<Real>& kernels)
    : plan_(plan), kernels_(kernels) {
    const Inputs& inputs = plan.inputs;
    query_ = tokens(inputs.query, false);
    key_ = inputs.key ? tokens(*inputs.key, true) : query_;
    value_ = inputs.value ? tokens(*inputs.value, true) : key_;
    if (projects_queries(plan.spec)) {
        query_ = project(query_, plan.queries, plan.query_width, "q");
        key_ = project(key_, plan.keys, plan.key_width, "k");
    }
    if (projects_values(plan.spec))
        value_ = project(value_, plan.keys, plan.value_width, "v");

    rule_.scale = static_cast<Real>(plan.scale);
    if (plan.attention_width > 0)
        prepare_energies();
    else
        prepare_products();
    prepare_values();
}

/// A copy in this precision with the position term added. Padding may hold anything: where it holds NaN or
/// infinity, which the plan let pass because nobody looks there, zeros are computed with instead.
template <class Real>
Rows<Real> Operands<Real>::tokens(const Tensor& given, bool may_skip_unused) {
    const Index columns = given.cols();
    const bool has_positions = plan_.spec.position.type == PositionType::sinusoidal;
    const Tensor term = has_positions ? sinusoidal_positions(given.rows(), columns) : Tensor();
    Real* copy = allocate(given.size());
    for (Index row = 0; row < given.rows(); ++row) {
        if (may_skip_unused &&
            !std::ranges::all_of(given.row(row), [](double value) { return std::isfinite(value); }))
            continue;
        for (Index column = 0; column < columns; ++column)
            copy[row * columns + column] =
                static_cast<Real>(given(row, column) + (has_positions ? term(row, column) : 0.0));
    }
    return {copy, columns};
}

template <class Real>
const Real* Operands<Real>::vector(const std::string& name, bool wanted) {
    if (!wanted)
        return nullptr;
    const Tensor& given = plan_.parameter(name);
    Real* copy = allocate(given.size());
    std::ranges::transform(given.values(), copy, [](double value) { return static_cast<Real>(value); });
    return copy;
}

template <class Real>
kernels::Packed<Real> Operands<Real>::matrix(const std::string& name) {
    const Tensor& given = plan_.parameter(name);
    return matrix(given, 0, given.rows());
}

template <class Real>
kernels::Packed<Real> Operands<Real>::matrix(const Tensor& given, Index first_row, Index rows) {
    const Index columns = given.cols();
    Buffer<Real> copy(rows * columns);
    for (Index i = 0; i < copy.size(); ++i)
        copy.data()[i] = static_cast<Real>(given.data()[first_row * columns + i]);
    const kernels::Packing<Real> packing{.from = copy.data(),
                                         .stride = columns,
                                         .depth = rows,
                                         .columns = columns,
                                         .to = allocate(kernels::packed_size<Real>(rows, columns))};
    kernels_.pack(packing);
    return packing.packed();
}

template <class Real>
Rows<Real> Operands<Real>::project(Rows<Real> tokens, Index rows, Index columns, const std::string& suffix) {
    Real* out = allocate(rows * columns);
    const auto weights = matrix("W_" + suffix);
    projections_.push_back({
        .left = tokens.data,
        .left_stride = tokens.stride,
        .right = weights,
        .bias = vector("b_" + suffix, plan_.spec.projections.bias),
        .out = out,
        .out_stride = columns,
        .rows = rows,
        .depth = weights.depth,
        .columns = columns,
    });
    return {out, columns};
}

/// Scores that are products with the keys. q W k^T = (q W) k^T, so that the general score is one of them.
template <class Real>
void Operands<Real>::prepare_products() {
    rule_.width = plan_.head_key_width();
    left_ = query_;
    if (plan_.spec.score.type == ScoreType::general) {
        const auto weights = matrix("W");
        Real* transformed = allocate(plan_.queries * plan_.key_width);
        left_ = {transformed, plan_.key_width};
        for (Index head = 0; head < plan_.heads; ++head)
            score_products_.push_back({
                .left = query_.data + head * plan_.head_query_width(),
                .left_stride = query_.stride,
                .right = weights,
                .out = transformed + head * rule_.width,
                .out_stride = plan_.key_width,
                .rows = plan_.queries,
                .depth = weights.depth,
                .columns = weights.columns,
            });
    }
    for (Index head = 0; head < plan_.heads; ++head) {
        packings_.push_back({.from = key_.data + head * rule_.width,
                             .stride = key_.stride,
                             .is_transposed = true,
                             .depth = rule_.width,
                             .columns = plan_.keys,
                             .to = allocate(kernels::packed_size<Real>(rule_.width, plan_.keys))});
        packed_keys_.push_back(packings_.back().packed());
    }
}

/// [q; k] W = q W_1 + k W_2 with W_1 the upper rows of W: concat is additive, and each half is computed once
/// per token instead of once per pair.
template <class Real>
void Operands<Real>::prepare_energies() {
    const Index d_a = plan_.attention_width;
    const Index block = kernels::padding<Real>;
    rule_.width = (d_a + block - 1) / block * block;
    rule_.energy_width = d_a;
    rule_.activation = plan_.spec.score.activation;
    Real* weights = allocate(rule_.width);
    std::copy_n(vector("v"), d_a, weights);
    rule_.energy = weights;

    const bool concat = plan_.spec.score.type == ScoreType::concat;
    const Index query_width = plan_.head_query_width(), key_width = plan_.head_key_width();
    const auto for_query = concat ? matrix(plan_.parameter("W"), 0, query_width) : matrix("W_1");
    const auto for_key = concat ? matrix(plan_.parameter("W"), query_width, key_width) : matrix("W_2");
    const Index stride = plan_.heads * rule_.width;
    const auto half = [&](Rows<Real> from, Index rows, kernels::Packed<Real> part, const Real* bias) {
        Real* out = allocate(rows * stride);
        for (Index head = 0; head < plan_.heads; ++head)
            score_products_.push_back({
                .left = from.data + head * part.depth,
                .left_stride = from.stride,
                .right = part,
                .bias = bias,
                .out = out + head * rule_.width,
                .out_stride = stride,
                .rows = rows,
                .depth = part.depth,
                .columns = d_a,
            });
        return Rows<Real>{out, stride};
    };
    left_ = half(query_, plan_.queries, for_query, vector("b", plan_.spec.score.bias));
    energies_ = half(key_, plan_.keys, for_key, nullptr);
}

template <class Real>
void Operands<Real>::prepare_values() {
    const Index width = plan_.head_value_width();
    for (Index head = 0; head < plan_.heads; ++head) {
        packings_.push_back({.from = value_.data + head * width,
                             .stride = value_.stride,
                             .depth = plan_.keys,
                             .columns = width,
                             .to = allocate(kernels::packed_size<Real>(plan_.keys, width))});
        packed_values_.push_back(packings_.back().packed());
    }
}

template <class Real>
void Operands<Real>::give(kernels::Block<Real>& block, Index head, Index first_query) const {
    const auto index = static_cast<std::size_t>(head);
    block.score = rule_;
    block.left = left_.data + first_query * left_.stride + head * rule_.width;
    block.left_stride = left_.stride;
    if (rule_.energy) {
        block.energies = energies_.data + head * rule_.width;
        block.energies_stride = energies_.stride;
    } else {
        block.right = packed_keys_[index];
    }
    block.value_width = plan_.head_value_width();
    block.packed_value = packed_values_[index];
    block.value = value_.data + head * block.value_width;
    block.value_stride = value_.stride;
}

template class Operands<float>;
template class Operands<double>;

}  // namespace headlight
