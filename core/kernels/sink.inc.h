#pragma once

#include "core/kernels/kernels.h"

namespace headlight::kernels { namespace {

/// Not recording is a type, not a question asked at run time: every call is an empty function.
struct NullSink {
    static constexpr bool records = false;
    template <class Real>
    void row(double* StageSlots::*, Index, const Real*, Index) const {}
    template <class Real>
    void number(double* StageSlots::*, Index, Real) const {}
    void count(double* StageSlots::*, Index, Index) const {}
    void divide(double* StageSlots::*, Index, Index) const {}
    template <class Real>
    void energy(Index, Index, Index, const Real*, Index) const {}
};

/// Copies into the trace. Blocks write to slots of their own, so threads need no lock.
struct RecordingSink {
    static constexpr bool records = true;

    const StageSlots& slots;
    Index keys;
    Index energy_width;

    /// All keys of one query.
    template <class Real>
    void row(double* StageSlots::*stage, Index query, const Real* values, Index size) const {
        copy(slots.*stage, query * keys, values, size);
    }
    /// One number of a query.
    template <class Real>
    void number(double* StageSlots::*stage, Index query, Real value) const {
        copy(slots.*stage, query, &value, 1);
    }
    /// Adds 1 to the cell of one key.
    void count(double* StageSlots::*stage, Index query, Index key) const {
        if (double* to = slots.*stage)
            to[query * keys + key] += 1;
    }
    /// Divides the row of one query.
    void divide(double* StageSlots::*stage, Index query, Index divisor) const {
        double* to = slots.*stage;
        for (Index key = 0; to && key < keys; ++key)
            to[query * keys + key] /= static_cast<double>(divisor);
    }
    /// `size` features of the energy of one pair, from `feature` on.
    template <class Real>
    void energy(Index query, Index key, Index feature, const Real* values, Index size) const {
        const Index left = energy_width - feature;
        copy(slots.energy, (query * keys + key) * energy_width + feature, values, size < left ? size : left);
    }

private:
    template <class Real>
    static void copy(double* stage, Index offset, const Real* values, Index size) {
        if (!stage)
            return;
        for (Index i = 0; i < size; ++i)
            stage[offset + i] = static_cast<double>(values[i]);
    }
};

}}  // namespace headlight::kernels
