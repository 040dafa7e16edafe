#include "core/attention/operands.h"

#include "core/attention/position.h"
#include "core/attention/widths.h"

#include <algorithm>
#include <cmath>

namespace headlight {

template <class Real>
Operands<Real>::Operands(const Plan& plan) : plan_(plan) {
    const Inputs& inputs = plan.inputs;
    query_ = tokens(inputs.query, false);
    key_ = inputs.key ? tokens(*inputs.key, true) : query_;
    value_ = inputs.value ? tokens(*inputs.value, true) : key_;
    if (projects_queries(plan.spec)) {
        query_ = project(query_, plan.queries, inputs.query.cols(), plan.query_width, "q");
        key_ = project(key_, plan.keys, inputs.key_tokens().cols(), plan.key_width, "k");
    }
    if (projects_values(plan.spec))
        value_ = project(value_, plan.keys, inputs.value_tokens().cols(), plan.value_width, "v");

    left_ = query_;
    right_ = key_;
    rule_.width = plan.head_key_width();
    rule_.scale = static_cast<Real>(plan.scale);
    if (plan.attention_width > 0)
        prepare_energies();
    else if (plan.spec.score.type == ScoreType::general)
        prepare_general();
}

/// A copy in this precision with the position term added. Padding may hold anything: where it holds NaN or
/// infinity, which the plan let pass because nobody looks there, zeros are computed with instead.
template <class Real>
Rows<Real> Operands<Real>::tokens(const Tensor& given, bool may_skip_unused) {
    const Index columns = given.cols();
    const bool positions = plan_.spec.position.type == PositionType::sinusoidal;
    const Tensor term = positions ? sinusoidal_positions(given.rows(), columns) : Tensor();
    Real* copy = allocate(given.size());
    for (Index row = 0; row < given.rows(); ++row) {
        const auto from = given.row(row);
        if (may_skip_unused && !std::ranges::all_of(from, [](double value) { return std::isfinite(value); }))
            continue;
        for (Index column = 0; column < columns; ++column)
            copy[row * columns + column] =
                static_cast<Real>(given(row, column) + (positions ? term(row, column) : 0.0));
    }
    return {copy, columns};
}

template <class Real>
const Real* Operands<Real>::parameter(const std::string& name) {
    const auto [entry, is_new] = parameters_.try_emplace(name, nullptr);
    if (is_new) {
        const Tensor& given = plan_.parameter(name);
        Real* copy = allocate(given.size());
        std::ranges::transform(given.values(), copy, [](double value) { return static_cast<Real>(value); });
        entry->second = copy;
    }
    return entry->second;
}

template <class Real>
Rows<Real> Operands<Real>::project(Rows<Real> tokens, Index rows, Index depth, Index columns,
                                   const std::string& suffix) {
    Real* out = allocate(rows * columns);
    projections_.push_back({
        .left = tokens.data,
        .left_stride = tokens.stride,
        .right = parameter("W_" + suffix),
        .right_stride = columns,
        .bias = plan_.spec.projections.bias ? parameter("b_" + suffix) : nullptr,
        .out = out,
        .out_stride = columns,
        .rows = rows,
        .depth = depth,
        .columns = columns,
    });
    return {out, columns};
}

/// q W k^T = (q W) k^T: the scores are then products like any other.
template <class Real>
void Operands<Real>::prepare_general() {
    const Index stride = plan_.key_width;
    Real* transformed = allocate(plan_.queries * stride);
    for (Index head = 0; head < plan_.heads; ++head)
        score_products_.push_back({
            .left = query_.data + head * plan_.head_query_width(),
            .left_stride = query_.stride,
            .right = parameter("W"),
            .right_stride = plan_.head_key_width(),
            .out = transformed + head * plan_.head_key_width(),
            .out_stride = stride,
            .rows = plan_.queries,
            .depth = plan_.head_query_width(),
            .columns = plan_.head_key_width(),
        });
    left_ = {transformed, stride};
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
    std::copy_n(parameter("v"), d_a, weights);
    rule_.energy = weights;

    const bool concat = plan_.spec.score.type == ScoreType::concat;
    const Real* of_query = parameter(concat ? "W" : "W_1");
    const Real* of_key = concat ? of_query + plan_.head_query_width() * d_a : parameter("W_2");
    const Real* bias = plan_.spec.score.bias ? parameter("b") : nullptr;
    const Index stride = plan_.heads * rule_.width;
    const auto part = [&](Rows<Real> from, Index rows, Index depth, const Real* matrix,
                          const Real* added) -> Rows<Real> {
        Real* out = allocate(rows * stride);
        for (Index head = 0; head < plan_.heads; ++head)
            score_products_.push_back({
                .left = from.data + head * depth,
                .left_stride = from.stride,
                .right = matrix,
                .right_stride = d_a,
                .bias = added,
                .out = out + head * rule_.width,
                .out_stride = stride,
                .rows = rows,
                .depth = depth,
                .columns = d_a,
            });
        return {out, stride};
    };
    left_ = part(query_, plan_.queries, plan_.head_query_width(), of_query, bias);
    right_ = part(key_, plan_.keys, plan_.head_key_width(), of_key, nullptr);
}

template class Operands<float>;
template class Operands<double>;

}  // namespace headlight
