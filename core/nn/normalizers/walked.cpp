#include "core/attention/normalizers/walk_rows.h"
#include "core/attention/options.h"
#include "core/nn/normalizers/parts.h"
#include "core/nn/operations.h"

#include <cmath>
#include <vector>

namespace headlight::nn {

namespace {

/// How keys are passed: the chance of stopping at one is sigmoid(s / t + r).
template <class Real>
struct Rule {
    bool is_hard;  ///< it stops at the first key whose chance is above one half
    Real temperature;
    Real given;              ///< r
    Variable<Real> learned;  ///< or [1, 1]

    Real bias() const { return learned.value ? *learned.value : given; }
};

/// Where each query stops, going on from where the one before it stopped; `before`, [b h, m], is where the
/// one before the first did, or nothing: at the first key. A query that may look at nothing stays there.
template <class Real>
class Walk {
public:
    Walk(Tape<Real>& tape, const ScoreMap<Real>& map, const Rule<Real>& rule, Variable<Real> before)
        : map_(map), rule_(rule), before_(before), stops_(tape.variable(map.scores.rows, map.scores.columns)),
          chances_(tape.room(map.scores.size())) {}

    Variable<Real> stops() const { return stops_; }

    void go(const kernels::Table<Real>& kernels) const {
        const Index keys = stops_.columns;
        double* stopped = scratch<double, ScratchRow::stops>(keys);
        for (Index r = 0; r < stops_.rows; ++r) {
            if (map_.query(r) == 0)
                start(r / map_.pairing.queries, stopped);
            if (!map_.is_empty(r)) {
                Real* p = chances_ + r * keys;
                for (Index j = 0; j < keys; ++j)
                    p[j] = map_.scores.row(r)[j] / rule_.temperature + rule_.bias();
                if (rule_.is_hard)
                    for (Index j = 0; j < keys; ++j)
                        p[j] = p[j] > 0 ? Real(1) : Real(0);
                else
                    kernels.activate(Activation::sigmoid, p, keys);
                stop_on_the_way(p, keys, stopped);
            }
            for (Index j = 0; j < keys; ++j)
                stops_.row(r)[j] = static_cast<Real>(stopped[j]);
        }
    }

    /// From the last query of each head to the first: a query hands the gradient of where it came from to the
    /// one before it.
    void go_back() const {
        for (Index head = 0; head < stops_.rows / map_.pairing.queries; ++head)
            for (Index i = map_.pairing.queries; i-- > 0;)
                go_back(head, i);
    }

private:
    void start(Index head, double* stopped) const {
        for (Index j = 0; j < stops_.columns; ++j)
            stopped[j] = before_.value ? static_cast<double>(before_.row(head)[j]) : j == 0 ? 1 : 0;
    }

    void go_back(Index head, Index query) const {
        const Index keys = stops_.columns, r = head * map_.pairing.queries + query;
        const Real* of_stops = stops_.gradient_row(r);
        Real* of_before = query > 0                ? stops_.gradient_row(r - 1)
                          : before_.has_gradient() ? before_.gradient_row(head)
                                                   : nullptr;
        if (map_.is_empty(r)) {
            for (Index j = 0; of_before && j < keys; ++j)
                of_before[j] += of_stops[j];
            return;
        }
        const Real* p = chances_ + r * keys;
        const double* arrivals = arrivals_at(head, query);
        double of_passing = 0;  // the gradient of the chance of going on to the next key
        for (Index j = keys; j-- > 0;) {
            const double of_stop = static_cast<double>(of_stops[j]) - of_passing;
            const double chance = static_cast<double>(p[j]);
            const Real of_score = static_cast<Real>(of_stop * arrivals[j] * chance * (1 - chance));
            map_.scores.gradient_row(r)[j] += of_score / rule_.temperature;
            if (rule_.learned.has_gradient())
                *rule_.learned.gradient() += of_score;
            of_passing += of_stop * chance;
            if (of_before)
                of_before[j] += static_cast<Real>(of_passing);
        }
    }

    /// The chance of reaching each key.
    const double* arrivals_at(Index head, Index query) const {
        const Index keys = stops_.columns, r = head * map_.pairing.queries + query;
        double* before = scratch<double, ScratchRow::stops>(keys);
        start(head, before);
        for (Index j = 0; query > 0 && j < keys; ++j)
            before[j] = static_cast<double>(stops_.row(r - 1)[j]);
        double arrives = 0;
        for (Index j = 0; j < keys; ++j) {
            arrives += before[j];
            before[j] = arrives;
            arrives -= static_cast<double>(chances_[r * keys + j]) * arrives;
        }
        return before;
    }

    ScoreMap<Real> map_;
    Rule<Real> rule_;
    Variable<Real> before_;
    Variable<Real> stops_;  ///< [b h n, m]
    Real* chances_;         ///< [b h n, m]
};

/// The weights of monotonic attention: 0 for a query that may look at nothing.
template <class Real>
Variable<Real> where_they_stop(Tape<Real>& tape, const ScoreMap<Real>& map, Variable<Real> stops) {
    const auto is_empty = [&](Index r) { return map.is_empty(r); };
    std::vector<Index> rows(static_cast<std::size_t>(stops.rows));
    bool any = false;
    for (Index r = 0; r < stops.rows; ++r) {
        rows[static_cast<std::size_t>(r)] = is_empty(r) ? -1 : r;
        any = any || is_empty(r);
    }
    return any ? take_rows(tape, stops, std::span<const Index>(rows)) : stops;
}

/// A softmax in the `width` keys that end where the query stops, or in all keys before there for a width of
/// 0.
template <class Real>
class Chunks {
public:
    Chunks(Tape<Real>& tape, const ScoreMap<Real>& map, Index width, Real temperature, Variable<Real> stops)
        : map_(map), width_(width), temperature_(temperature), stops_(stops),
          weights_(tape.variable(stops.rows, stops.columns)) {}

    Variable<Real> weights() const { return weights_; }

    void share() const {
        const Index keys = stops_.columns;
        double* stopped = scratch<double, ScratchRow::stops>(keys);
        double* weights = scratch<double, ScratchRow::shares>(keys);
        for (Index r = 0; r < stops_.rows; ++r) {
            std::fill_n(weights, keys, 0.0);
            if (!map_.is_empty(r)) {
                std::copy_n(stops_.row(r), keys, stopped);
                if (width_ == 0)
                    attend_to_all_before(stopped, logits(r), keys, weights);
                else
                    attend_in_chunks(stopped, logits(r), keys, width_, weights);
            }
            for (Index j = 0; j < keys; ++j)
                weights_.row(r)[j] = static_cast<Real>(weights[j]);
        }
    }

    void share_back() const {
        for (Index r = 0; r < stops_.rows; ++r)
            if (!map_.is_empty(r))
                width_ == 0 ? share_back_all(r) : share_back_chunks(r);
    }

private:
    const Real* logits(Index r) const {
        Real* u = scratch<Real, ScratchRow::logits>(stops_.columns);
        for (Index j = 0; j < stops_.columns; ++j)
            u[j] = map_.scores.row(r)[j] / temperature_;
        return u;
    }

    void share_back_chunks(Index r) const {
        const Index keys = stops_.columns;
        const Real *u = logits(r), *of_weights = weights_.gradient_row(r);
        double* shares = scratch<double, ScratchRow::shares>(keys);
        // The stops as if the query stopped at one key for certain.
        double* alone = scratch<double, ScratchRow::stops>(keys);
        std::fill_n(alone, keys, 0.0);
        for (Index stop = 0; stop < keys; ++stop) {
            if (u[stop] == forbidden<Real>)
                continue;
            alone[stop] = 1;
            const Index first = std::max<Index>(0, stop - width_ + 1);
            attend_in_chunks(alone + first, u + first, stop - first + 1, width_, shares + first);
            alone[stop] = 0;
            double mean = 0;
            for (Index j = first; j <= stop; ++j)
                mean += shares[j] * static_cast<double>(of_weights[j]);
            stops_.gradient_row(r)[stop] += static_cast<Real>(mean);
            const auto factor = static_cast<double>(stops_.row(r)[stop] / temperature_);
            for (Index j = first; j <= stop; ++j)
                map_.scores.gradient_row(r)[j] +=
                    static_cast<Real>(factor * shares[j] * (static_cast<double>(of_weights[j]) - mean));
        }
    }

    /// With L_k = ln of the sum of exp(u_l), l <= k: what a stop at k hands on is the mean h_k of the
    /// gradients before it, of which h_(k-1) has the share exp(L_(k-1) - L_k); and what u_j gets is exp(u_j -
    /// L_j) times g_j t_j - (the same sum as t_j with a_k h_k in place of a_k), t as in attend_to_all_before.
    void share_back_all(Index r) const {
        const Index keys = stops_.columns;
        const Real *u = logits(r), *of_weights = weights_.gradient_row(r);
        double* sums = scratch<double, ScratchRow::chunk>(keys);
        double* means = scratch<double, ScratchRow::shares>(keys);
        double sum = forbidden<double>, mean = 0;
        for (Index j = 0; j < keys; ++j) {
            const auto score = static_cast<double>(u[j]);
            const double high = std::max(score, sum), low = std::min(score, sum);
            const double next = high == forbidden<double> ? high : high + std::log1p(std::exp(low - high));
            if (next != forbidden<double>)
                mean =
                    mean * std::exp(sum - next) + static_cast<double>(of_weights[j]) * std::exp(score - next);
            sums[j] = sum = next;
            means[j] = mean;
            if (u[j] != forbidden<Real>)
                stops_.gradient_row(r)[j] += static_cast<Real>(mean);
        }
        double stopped = 0, weighted = 0;
        for (Index j = keys; j-- > 0 && sums[j] != forbidden<double>;) {
            const double kept = j + 1 < keys ? std::exp(sums[j] - sums[j + 1]) : 0;
            const auto stop = static_cast<double>(stops_.row(r)[j]);
            stopped = stopped * kept + stop;
            weighted = weighted * kept + stop * means[j];
            const double share = std::exp(static_cast<double>(u[j]) - sums[j]);
            map_.scores.gradient_row(r)[j] +=
                static_cast<Real>(share * (static_cast<double>(of_weights[j]) * stopped - weighted) /
                                  static_cast<double>(temperature_));
        }
    }

    ScoreMap<Real> map_;
    Index width_;
    Real temperature_;
    Variable<Real> stops_, weights_;
};

}  // namespace

template <class Real>
Variable<Real> walked_weights(Tape<Real>& tape, const ScoreMap<Real>& map, const Normalizer& normalizer,
                              const NormalizerWeights& learned, NormalizerState<Real>& state) {
    const Options& options = normalizer.options;
    const Rule<Real> rule{.is_hard = option<std::string>(options, "alignment") == "hard",
                          .temperature = static_cast<Real>(normalizer.temperature),
                          .given = static_cast<Real>(option<double>(options, "bias")),
                          .learned = learned.has("bias") ? tape.weight(learned["bias"]) : Variable<Real>{}};
    const Walk<Real> walk(tape, map, rule, state.stopped);
    walk.go(tape.kernels());
    const Variable<Real> stops = rule.is_hard ? walk.stops().without_gradient() : walk.stops();
    if (!rule.is_hard)
        tape.on_backward([walk](Tape<Real>&) { walk.go_back(); });

    const Index queries = map.pairing.queries;
    std::vector<Index> last;
    for (Index row = queries - 1; row < stops.rows; row += queries)
        last.push_back(row);
    state.stopped = queries == 1 ? stops : take_rows(tape, stops, std::span<const Index>(last));

    if (normalizer.type == NormalizerType::monotonic)
        return where_they_stop(tape, map, stops);
    const Chunks<Real> chunks(tape, map, option<Index>(options, "width"), rule.temperature,
                              tape.with_gradient(stops));
    chunks.share();
    tape.on_backward([chunks](Tape<Real>&) { chunks.share_back(); });
    return chunks.weights();
}

template Variable<float> walked_weights(Tape<float>&, const ScoreMap<float>&, const Normalizer&,
                                        const NormalizerWeights&, NormalizerState<float>&);
template Variable<double> walked_weights(Tape<double>&, const ScoreMap<double>&, const Normalizer&,
                                         const NormalizerWeights&, NormalizerState<double>&);

}  // namespace headlight::nn
