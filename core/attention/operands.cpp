#include "core/attention/operands.h"
#include "core/tensor/interruption.h"

#include "core/attention/kernel_scores.h"
#include "core/attention/position.h"
#include "core/attention/widths.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

bool is_energy(ScoreType type) {
    const KernelScore* score = kernel_score(type);
    return score && score->has_energy;
}

}  // namespace

template <class Real>
Operands<Real>::Operands(const Plan& plan, const kernels::Table<Real>& kernels)
    : plan_(plan), kernels_(kernels) {
    const Inputs& inputs = plan.inputs;
    query_tokens_ = tokens(inputs.query, false);
    key_tokens_ = inputs.key ? tokens(*inputs.key, true) : query_tokens_;
    project_all(inputs.value ? tokens(*inputs.value, true) : key_tokens_);
    compared_query_ = query_;
    compared_key_ = key_;
}

template <class Real>
void Operands<Real>::project_all(MatrixView<const Real> value_tokens) {
    const Sharing sharing = plan_.spec.heads.sharing;
    query_ = query_tokens_;
    key_ = key_tokens_;
    value_ = value_tokens;
    if (projects_queries(plan_.spec))
        query_ = project(query_tokens_, "q");
    if (makes_keys_and_values(plan_.spec)) {  // somebody else
        key_ = allocate(plan_.keys, plan_.key_width);
        value_ = allocate(plan_.keys, plan_.value_width);
        return;
    }
    if (projects_queries(plan_.spec))
        key_ = project(key_tokens_, sharing == Sharing::query_key ? "q" : "k");
    if (sharing == Sharing::key_value)
        value_ = key_;
    else if (projects_values(plan_.spec))
        value_ = project(value_tokens, "v");
}

template <class Real>
void Operands<Real>::prepare_scores(bool has_vector_steps, bool has_product) {
    if (has_vector_steps) {
        compared_query_ = own_query_ = allocate(plan_.queries, plan_.query_width);
        compared_key_ = own_key_ = allocate(plan_.keys, plan_.key_width);
    }
    rule_.scale = static_cast<Real>(plan_.scale);
    if (has_product && is_energy(plan_.spec.score.type))
        prepare_energies();
    else if (has_product)
        prepare_products();
    prepare_values();
}

template <class Real>
void Operands<Real>::own_product_vectors() {
    product_query_ = allocate(plan_.queries, plan_.query_width);
    product_key_ = allocate(plan_.keys, plan_.key_width);
}

template <class Real>
MatrixView<Real> Operands<Real>::fresh_compared_query() {
    for (Index row = 0; row < plan_.queries; ++row)
        std::copy_n(query_.row(row), plan_.query_width, own_query_.row(row));
    return own_query_;
}

template <class Real>
MatrixView<Real> Operands<Real>::fresh_compared_key() {
    for (Index row = 0; row < plan_.keys; ++row)
        std::copy_n(key_.row(row), plan_.key_width, own_key_.row(row));
    return own_key_;
}

/// A copy in this precision with the position term added. Padding may hold anything: where it holds NaN or
/// infinity, which the plan let pass because nobody looks there, zeros are computed with instead.
template <class Real>
MatrixView<const Real> Operands<Real>::tokens(const Tensor& given, bool may_skip_unused) {
    const Index columns = given.cols();
    const bool has_positions = adds_to_tokens(plan_.spec);
    const Tensor term = has_positions ? token_term(plan_, given.rows(), columns) : Tensor();
    const MatrixView<Real> copy = allocate(given.rows(), columns);
    for (Index row = 0; row < given.rows(); ++row) {
        Interruption::check();
        if (may_skip_unused &&
            !std::ranges::all_of(given.row(row), [](double value) { return std::isfinite(value); }))
            continue;
        for (Index column = 0; column < columns; ++column)
            copy.row(row)[column] =
                static_cast<Real>(given(row, column) + (has_positions ? term(row, column) : 0.0));
    }
    return copy;
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
    Storage<Real> copy(rows * columns);
    for (Index i = 0; i < std::ssize(copy); ++i)
        copy.data()[i] = static_cast<Real>(given.data()[first_row * columns + i]);
    return kernels_.pack(row_major<const Real>(copy.data(), rows, columns),
                         allocate(kernels::packed_size<Real>(rows, columns)));
}

template <class Real>
MatrixView<const Real> Operands<Real>::project(MatrixView<const Real> tokens, const std::string& suffix) {
    return projected(tokens, "W_" + suffix, plan_.spec.projections.bias ? "b_" + suffix : "");
}

template <class Real>
MatrixView<const Real> Operands<Real>::projected(MatrixView<const Real> tokens, const std::string& name,
                                                 const std::string& bias) {
    const auto weights = matrix(name);
    const MatrixView<Real> out = allocate(tokens.rows, weights.columns);
    projections_.push_back({
        .left = tokens,
        .right = weights,
        .bias = vector(bias, !bias.empty()),
        .out = out,
    });
    return out;
}

template <class Real>
kernels::Packed<Real> Operands<Real>::add_packing(MatrixView<const Real> from) {
    Real* to =
        packings_.emplace_back(Packing{from, allocate(kernels::packed_size<Real>(from.rows, from.columns))})
            .to;
    return {to, from.rows, from.columns};
}

/// Scores that are products with the keys. q W k^T = (q W) k^T, so that the general score is one of them.
template <class Real>
void Operands<Real>::prepare_products() {
    rule_.width = plan_.head_key_width();
    left_ = product_query_.data ? product_query_ : compared_query_;
    const MatrixView<const Real> keys = product_key_.data ? product_key_ : compared_key_;
    if (plan_.spec.score.type == ScoreType::general) {
        const auto weights = matrix("W");
        const MatrixView<Real> transformed = allocate(plan_.queries, plan_.heads * rule_.width);
        left_ = transformed;
        for (Index head = 0; head < plan_.heads; ++head)
            score_products_.push_back({
                .left = compared_query(head),
                .right = weights,
                .out = transformed.column_range(head * rule_.width, rule_.width),
            });
    }
    for (Index head = 0; head < plan_.kv_heads; ++head) {
        packed_keys_.push_back(add_packing(keys.column_range(head * rule_.width, rule_.width).transposed()));
    }
}

/// [q; k] W = q W_1 + k W_2 with W_1 the upper rows of W: concat is additive, and each half is computed once
/// per token instead of once per pair.
template <class Real>
void Operands<Real>::prepare_energies() {
    const Index d_a = plan_.attention_width;
    const Index block = kernels::padding<Real>;
    rule_.width = parts_of_size(d_a, block) * block;
    rule_.energy_width = d_a;
    rule_.activation = plan_.spec.score.activation;
    Real* weights = allocate(rule_.width);
    std::copy_n(vector("v"), d_a, weights);
    rule_.energy = weights;

    const bool concat = plan_.spec.score.type == ScoreType::concat;
    const Index query_width = plan_.head_query_width(), key_width = plan_.head_key_width();
    const auto for_query = concat ? matrix(plan_.parameter("W"), 0, query_width) : matrix("W_1");
    const auto for_key = concat ? matrix(plan_.parameter("W"), query_width, key_width) : matrix("W_2");
    const auto half = [&](MatrixView<const Real> from, Index heads, kernels::Packed<Real> part,
                          const Real* bias) {
        const MatrixView<Real> out = allocate(from.rows, heads * rule_.width);
        for (Index head = 0; head < heads; ++head)
            score_products_.push_back({
                .left = from.column_range(head * part.depth, part.depth),
                .right = part,
                .bias = bias,
                .out = out.column_range(head * rule_.width, d_a),
            });
        return out;
    };
    left_ = half(compared_query_, plan_.heads, for_query, vector("b", plan_.spec.score.bias));
    energies_ = half(compared_key_, plan_.kv_heads, for_key, nullptr);
}

template <class Real>
void Operands<Real>::prepare_values() {
    const Index width = plan_.head_value_width();
    for (Index head = 0; head < plan_.kv_heads; ++head) {
        packed_values_.push_back(add_packing(value_.column_range(head * width, width)));
    }
}

template <class Real>
void Operands<Real>::give(kernels::Block<Real>& block, Index head, Index first_query) const {
    const Index kv_head = plan_.kv_head(head);
    const auto index = static_cast<std::size_t>(kv_head);
    block.score = rule_;
    if (left_.data)
        block.left =
            left_.column_range(head * rule_.width, rule_.width).row_range(first_query, block.queries);
    if (rule_.energy) {
        block.energies = energies_.column_range(kv_head * rule_.width, rule_.width);
    } else if (!packed_keys_.empty()) {
        block.right = packed_keys_[index];
    }
    block.packed_value = packed_values_[index];
    block.value = value_.column_range(kv_head * plan_.head_value_width(), plan_.head_value_width());
}

template class Operands<float>;
template class Operands<double>;

}  // namespace headlight
