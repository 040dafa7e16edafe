#include "core/attention/normalizers/dense_rows.h"
#include "core/attention/options.h"
#include "core/kernels/draw_key.h"
#include "core/nn/normalizers/parts.h"

namespace headlight::nn {

namespace {

/// The seed of a head, as a run of the engine on its sequence has it.
template <class Real>
std::uint64_t stream_of(const ScoreMap<Real>& map, std::uint64_t seed, Index row) {
    const std::uint64_t of_sequence = substream(seed, static_cast<std::uint64_t>(map.sequence(row)));
    return substream(of_sequence, static_cast<std::uint64_t>(map.head(row)));
}

/// One-hot on the largest score, or on a key drawn from the softmax (Xu et al. 2015, section 4.1). No
/// derivative.
template <class Real>
Variable<Real> hard(Tape<Real>& tape, const ScoreMap<Real>& map, const Normalizer& normalizer,
                    std::uint64_t seed, Index first_query) {
    const Variable<Real> scores = map.scores, weights = tape.constant(scores.rows, scores.columns);
    const Index size = scores.columns;
    for (Index r = 0; r < weights.rows; ++r) {
        Real* row = weights.row(r);
        std::copy_n(scores.row(r), size, row);
        if (map.is_empty(r)) {
            std::fill_n(row, size, Real(0));
        } else if (normalizer.mode == HardMode::argmax) {
            choose_largest(row, size);
        } else {
            softmax_row(row, size, tape.kernels(), Unrecorded(), static_cast<Real>(normalizer.temperature));
            const Index drawn =
                kernels::draw_key(row, size, stream_of(map, seed, r), first_query + map.query(r), 0);
            std::fill_n(row, size, Real(0));
            row[drawn] = 1;
        }
    }
    return weights;
}

/// softmax((s + noise) / t), or one-hot on the largest sum with the derivative of that (Jang, Gu & Poole
/// 2017)
template <class Real>
Variable<Real> gumbel(Tape<Real>& tape, const ScoreMap<Real>& map, bool is_hard, Real temperature,
                      std::uint64_t seed, Index first_query) {
    const auto* kernels = &tape.kernels();
    const Index size = map.scores.columns;
    const auto add_noise = [=](Real* row, Index r) {
        const auto query = static_cast<std::uint64_t>(first_query + map.query(r));
        add_gumbel_noise(row, size, substream(stream_of(map, seed, r), query),
                         scratch<Real, ScratchRow::noise>(size));
    };
    const auto forward = [=](Real* row, Index r) {
        add_noise(row, r);
        if (is_hard)
            choose_largest(row, size);
        else
            softmax_row(row, size, *kernels, Unrecorded(), temperature);
    };
    return map_rows(tape, map, forward, [=](const RowSlope<Real>& row) {
        const Real* p = row.p;
        if (is_hard) {
            Real* soft = scratch<Real, ScratchRow::way_back>(size);
            std::copy_n(row.s, size, soft);
            add_noise(soft, row.number);
            softmax_row(soft, size, *kernels, Unrecorded(), temperature);
            p = soft;
        }
        row.by.add_softmax_slopes(p, row.grad_p, 1, size, 1 / temperature, row.grad_s);
    });
}

}  // namespace

template <class Real>
Variable<Real> drawn_weights(Tape<Real>& tape, const ScoreMap<Real>& map, const Normalizer& normalizer,
                             const NormalizerState<Real>& state) {
    if (normalizer.type == NormalizerType::hard)
        return hard(tape, map, normalizer, state.stream, state.query);
    return gumbel(tape, map, option<bool>(normalizer.options, "hard"),
                  static_cast<Real>(normalizer.temperature), state.stream, state.query);
}

template Variable<float> drawn_weights(Tape<float>&, const ScoreMap<float>&, const Normalizer&,
                                       const NormalizerState<float>&);
template Variable<double> drawn_weights(Tape<double>&, const ScoreMap<double>&, const Normalizer&,
                                        const NormalizerState<double>&);

}  // namespace headlight::nn
