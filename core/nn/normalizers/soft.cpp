#include "core/attention/normalizers/dense_rows.h"
#include "core/attention/options.h"
#include "core/nn/normalizers/parts.h"

#include <cmath>

namespace headlight::nn {

namespace {

constexpr double learned_logit = -20, learned_strength = 0;  // as the engine's options say it

/// exp(s / t) / (exp(b) + sum of exp(s / t)): b is the same for all heads, or [1, h].
template <class Real>
Variable<Real> with_sink(Tape<Real>& tape, const ScoreMap<Real>& map, Real temperature, Real same,
                         Variable<Real> of_head) {
    const auto* kernels = &tape.kernels();
    const auto forward = [=](Real* row, Index r) {
        softmax_row(row, map.scores.columns, *kernels, Unrecorded(), temperature,
                    of_head.value ? of_head.value[map.head(r)] : same);
    };
    return map_rows(tape, map, forward, [=](const RowSlope<Real>& row) {
        row.add_softmax_slopes(1 / temperature);
        if (!of_head.has_gradient())
            return;
        Real left = 1;  // of the sink
        for (Index j = 0; j < row.size; ++j)
            left -= row.p[j];
        of_head.gradient()[map.head(row.number)] -= left * row.mean();
    });
}

/// softmax(z ln(n) s / t), n the keys that count; z is the same for all heads, or [1, h] (Nakanishi 2025)
template <class Real>
Variable<Real> length_scaled(Tape<Real>& tape, const ScoreMap<Real>& map, Real temperature, Real same,
                             Variable<Real> of_head) {
    const auto* kernels = &tape.kernels();
    const auto logarithm = [](const Real* scores, Index size) {
        return std::log(static_cast<Real>(count_allowed(scores, size)));
    };
    const auto strength = [=](Index r) { return of_head.value ? of_head.value[map.head(r)] : same; };
    const auto forward = [=](Real* row, Index r) {
        const Index size = map.scores.columns;
        const Real factor = strength(r) * logarithm(row, size) / temperature;
        for (Index j = 0; j < size; ++j)  // 0 times infinity is NaN
            row[j] = row[j] == forbidden<Real> ? forbidden<Real> : row[j] * factor;
        softmax_row(row, size, *kernels, Unrecorded(), Real(1));
    };
    return map_rows(tape, map, forward, [=](const RowSlope<Real>& row) {
        const Real of_strength = logarithm(row.s, row.size) / temperature;
        const Real factor = strength(row.number) * of_strength;
        row.add_softmax_slopes(factor);
        if (!of_head.has_gradient())
            return;
        const Real mean = row.mean();
        for (Index j = 0; j < row.size; ++j)
            if (row.s[j] != forbidden<Real>)
                of_head.gradient()[map.head(row.number)] +=
                    of_strength * row.s[j] * row.p[j] * (row.grad_p[j] - mean);
    });
}

/// clip((high - low) softmax(s / t) + low, 0, 1) (Bondarenko et al. 2023)
template <class Real>
Variable<Real> clipped(Tape<Real>& tape, const ScoreMap<Real>& map, Real temperature, Real low, Real high) {
    const auto* kernels = &tape.kernels();
    const auto forward = [=](Real* row, Index) {
        to_clipped(row, map.scores.columns, low, high, temperature, *kernels, Unrecorded());
    };
    return map_rows(tape, map, forward, [=](const RowSlope<Real>& row) {
        Real* soft = scratch<Real, ScratchRow::way_back>(row.size);
        Real* of_soft = scratch<Real, ScratchRow::beside_way_back>(row.size);
        std::copy_n(row.s, row.size, soft);
        softmax_row(soft, row.size, *kernels, Unrecorded(), temperature);
        for (Index j = 0; j < row.size; ++j)
            of_soft[j] = row.p[j] > 0 && row.p[j] < 1 ? (high - low) * row.grad_p[j] : Real(0);
        row.by.add_softmax_slopes(soft, of_soft, 1, row.size, 1 / temperature, row.grad_s);
    });
}

/// sign(s) softmax(|s| / t) (Lv et al. 2024)
template <class Real>
Variable<Real> signed_softmax(Tape<Real>& tape, const ScoreMap<Real>& map, Real temperature) {
    const auto* kernels = &tape.kernels();
    const auto forward = [=](Real* row, Index) {
        to_signed_softmax(row, map.scores.columns, temperature, *kernels, Unrecorded());
    };
    return map_rows(tape, map, forward, [=](const RowSlope<Real>& row) {
        const Real mean = row.mean();  // the signs meet twice
        for (Index j = 0; j < row.size; ++j)
            row.grad_s[j] += (std::abs(row.p[j]) * row.grad_p[j] - row.p[j] * mean) / temperature;
    });
}

}  // namespace

template <class Real>
Variable<Real> soft_weights(Tape<Real>& tape, const ScoreMap<Real>& map, const Normalizer& normalizer,
                            const NormalizerWeights& learned) {
    const Real temperature = static_cast<Real>(normalizer.temperature);
    const auto number = [&](const char* name) {
        return static_cast<Real>(option<double>(normalizer.options, name));
    };
    const auto of_head = [&](const char* name, bool wanted) {
        return wanted ? tape.weight(learned[name]) : Variable<Real>{};
    };
    switch (normalizer.type) {
    case NormalizerType::off_by_one:
        return with_sink(tape, map, temperature, Real(0), {});
    case NormalizerType::sink: {
        const Real logit = number("logit");
        return with_sink(tape, map, temperature, logit, of_head("b_sink", logit == Real(learned_logit)));
    }
    case NormalizerType::length_scaled: {
        const Real strength = number("strength");
        return length_scaled(tape, map, temperature, strength,
                             of_head("s_length", strength == Real(learned_strength)));
    }
    case NormalizerType::clipped:
        return clipped(tape, map, temperature, number("low"), number("high"));
    case NormalizerType::signed_softmax:
        return signed_softmax(tape, map, temperature);
    default:
        return softmax(tape, map.scores, temperature);
    }
}

template Variable<float> soft_weights(Tape<float>&, const ScoreMap<float>&, const Normalizer&,
                                      const NormalizerWeights&);
template Variable<double> soft_weights(Tape<double>&, const ScoreMap<double>&, const Normalizer&,
                                       const NormalizerWeights&);

}  // namespace headlight::nn
