#pragma once

#include "core/kernels/normalize.inc.h"
#include "core/kernels/scores.inc.h"
#include "core/kernels/sink.inc.h"

namespace headlight::kernels { namespace {

/// sum_j weights_j value_j over the allowed keys alone. Slower than the matrix product, which also adds 0 x
/// value for the forbidden ones: harmless unless such a value is infinite or NaN.
template <class Real>
void sum_allowed_values(const Block<Real>& block, Index query, Real* context) {
    for (Index column = 0; column < block.value.columns; ++column)
        context[column] = 0;
    const Index end = block.mask.excludes ? block.ends[query] : block.keys;
    const Real* value = block.value.data;
    for (Index key = 0; key < end; ++key, value += block.value.stride) {
        if (block.mask.excludes && !block.allowed[query * block.keys + key])
            continue;
        const Real weight = block.weights[query * block.keys + key];
        for (Index column = 0; column < block.value.columns; ++column)
            context[column] += weight * value[column];
    }
}

/// Every lane of 0 x value is zero unless a value is infinite or NaN.
template <class Real>
bool is_finite(const Real* values, Index count) {
    Packet<Real> zeros = fill(Real(0));
    for (Index i = 0; i < count; i += lanes<Real>)
        zeros = packet::pmadd(load_part(values + i, count - i, Real(0)), fill(Real(0)), zeros);
    return packet::predux(zeros) == Real(0);
}

template <class Real>
void sum_values(const Block<Real>& block) {
    Product<Real> product;
    product.left = block.map().column_range(0, block.reach);
    product.right = block.packed_value;
    product.out = block.context;
    multiply(product);
    for (Index query = 0; query < block.queries; ++query) {
        Real* context = block.context.row(query);
        if (!is_finite(context, block.context.columns))  // 0 x infinity, or a NaN
            sum_allowed_values(block, query, context);
    }
}

template <class Real, class Sink>
void attend_with(const Block<Real>& block, const Sink& sink) {
    score(block, sink, Sink::records ? block.keys : block.reach);
    for (Index query = 0; query < block.queries; ++query) {
        Row<Real, Sink> row(block, sink, query);
        row.scores_to_masked();
        row.masked_to_weights();
    }
    sum_values(block);
}

template <class Real, class Sink>
void score_rows_with(const Block<Real>& block, const Sink& sink) {
    score(block, sink, block.keys);
    for (Index query = 0; query < block.queries; ++query)
        Row<Real, Sink>(block, sink, query).scores_to_masked();
}

template <class Real>
void score_rows(const Block<Real>& block, const StageSlots* slots) {
    if (slots)
        score_rows_with(block, RecordingSink{*slots, block.keys, block.score.energy_width});
    else
        score_rows_with(block, NullSink{});
}

template <class Real, class Sink>
void normalize_rows_with(const Block<Real>& block, const Sink& sink) {
    for (Index query = 0; query < block.queries; ++query)
        Row<Real, Sink>(block, sink, query).masked_to_weights();
}

template <class Real>
void normalize_rows(const Block<Real>& block, const StageSlots* slots) {
    if (slots)
        normalize_rows_with(block, RecordingSink{*slots, block.keys, block.score.energy_width});
    else
        normalize_rows_with(block, NullSink{});
}

template <class Real>
void attend(const Block<Real>& block) {
    attend_with(block, NullSink{});
}

template <class Real>
void attend_recorded(const Block<Real>& block, const StageSlots& slots) {
    attend_with(block, RecordingSink{slots, block.keys, block.score.energy_width});
}

}}  // namespace headlight::kernels
