#include "core/attention/recurrence.h"

#include "core/attention/softmax_rows.h"
#include "core/tensor/dot_in_lanes.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {
namespace {

/// to += factor from
template <class Number, class From>
void add(Number* to, Number factor, const From* from, Index size) {
#pragma omp simd
    for (Index i = 0; i < size; ++i)
        to[i] += factor * static_cast<Number>(from[i]);
}

/// Keys whose features lie in memory at once.
Index loaded_keys(const Plan& plan, const RecurrenceKind& kind, bool forms_weights) {
    return forms_weights ? plan.keys : std::min(std::max<Index>(kind.chunk, 1), plan.keys);
}

/// Features, gates and write strengths of some keys in a row, at most `most`.
template <class Number>
class Keys {
public:
    Keys(const Recurrence<Number>& mixer, Index most) : mixer_(mixer) {
        features_.reserve(static_cast<std::size_t>(most * mixer.features));
        gates_.reserve(static_cast<std::size_t>(most * mixer.gates));
        strengths_.reserve(static_cast<std::size_t>(most));
    }

    /// Keys [first, end), unless they are there already.
    void load(Index first, Index end) {
        if (first == first_ && end <= end_)
            return;
        const Index from = first == first_ ? end_ : first;
        first_ = first;
        end_ = end;
        features_.resize(size(mixer_.features));
        gates_.resize(size(mixer_.gates));
        strengths_.resize(size(1));
        for (Index key = from; key < end; ++key) {
            Interruption::check();
            mixer_.key(key, features_.data() + (key - first) * mixer_.features);
            Number* gate = gates_.data() + (key - first) * mixer_.gates;
            if (mixer_.gates > 0)
                mixer_.log_gate(key, gate);
            for (Index i = 0; i < mixer_.gates; ++i)
                gate[i] = std::exp(gate[i]);
            strengths_[static_cast<std::size_t>(key - first)] =
                mixer_.has_strength ? mixer_.strength(key) : Number(1);
        }
    }
    const Number* features(Index key) const { return features_.data() + (key - first_) * mixer_.features; }
    const Number* gates(Index key) const { return gates_.data() + (key - first_) * mixer_.gates; }
    Number strength(Index key) const { return strengths_[static_cast<std::size_t>(key - first_)]; }

private:
    std::size_t size(Index width) const { return static_cast<std::size_t>((end_ - first_) * width); }

    const Recurrence<Number>& mixer_;
    Index first_ = 0, end_ = 0;
    std::vector<Number> features_, gates_, strengths_;
};

template <class Real, class Number>
class Run {
public:
    Run(const Plan& plan, const HeadTask<Real>& task, const Recurrence<Number>& mixer, const Recorder& record)
        : plan_(plan), task_(task), mixer_(mixer), record_(record), width_(plan.head_value_width()),
          one_(mixer, 1), chunk_(mixer, loaded_keys(plan, mixer, task.wants_weights())),
          state_(mixer.features * width_), sums_(count(mixer.features)), query_(count(mixer.features)),
          context_(count(width_)), error_(count(width_)), faded_(count(mixer.is_delta ? mixer.features : 0)) {
    }

    void form_context() {
        for (Index query = 0; query < plan_.queries; ++query) {
            Interruption::check();
            const Index end = plan_.allowed.end(query);
            const Index base = mixer_.chunk == 0 || end == 0 ? end : (end - 1) / mixer_.chunk * mixer_.chunk;
            advance(base, end);
            read(query, base, end);
            Real* context = task_.context.row(query);
            for (Index c = 0; c < width_; ++c)
                context[c] = static_cast<Real>(context_[static_cast<std::size_t>(c)]);
            record_.write("state", (task_.head * plan_.queries + query) * std::ssize(state_), state_.data(),
                          std::ssize(state_));
        }
    }

    void form_weights() {
        std::ranges::fill(sums_, Number(0));
        taken_ = summed_ = 0;
        const Index keys = plan_.keys;
        std::vector<Number> row(count(keys));
        chunk_.load(0, plan_.queries > 0 ? plan_.allowed.end(plan_.queries - 1) : 0);
        for (Index query = 0; query < plan_.queries; ++query) {
            const Index end = plan_.allowed.end(query), at = (task_.head * plan_.queries + query) * keys;
            advance(0, end);
            load_query(query);
            const bool vanished = end > 0 && sum_has_vanished();
            record_pairs(at, end);
            std::ranges::fill(row, Number(0));
            Number sum = 0;
            Interruption::check();
            walk_back(0, end, [&](Index key, Number weight) {
                row[static_cast<std::size_t>(key)] = weight;
                sum += weight;
            });
            if (!mixer_.shows_gates)
                record_.write("similarities", at, row.data(), end);
            const Number divisor = vanished ? lost : divisor_of(sum);
            Real* weights = task_.weights.row(query);
            for (Index key = 0; key < keys; ++key)
                weights[key] = static_cast<Real>(divisor == 0 ? Number(0)
                                                              : row[static_cast<std::size_t>(key)] / divisor);
        }
    }

    /// What queries and keys bring with them, whatever they meet.
    void record_tokens() {
        const Index r = mixer_.features;
        const Index end = plan_.queries > 0 ? plan_.allowed.end(plan_.queries - 1) : 0;
        if (mixer_.shows_features)
            for (Index query = 0; query < plan_.queries; ++query) {
                mixer_.query(query, query_.data());
                record_.write("query_features", (task_.head * plan_.queries + query) * r, query_.data(), r);
            }
        std::vector<Number> cumulative(count(mixer_.gates)), logs(count(mixer_.gates));
        for (Index key = 0; key < end; ++key) {
            const Index at = task_.head * plan_.keys + key;
            one_.load(key, key + 1);
            record_.write("key_features", at * r, one_.features(key), r);
            const Number strength = one_.strength(key);
            record_.write("write_strengths", at, &strength, 1);
            if (mixer_.gates == 0)
                continue;
            mixer_.log_gate(key, logs.data());
            add(cumulative.data(), Number(1), logs.data(), mixer_.gates);
            record_.write("gates", at * mixer_.gates, one_.gates(key), mixer_.gates);
            record_.write("cumulative_gates", at * mixer_.gates, cumulative.data(), mixer_.gates);
        }
    }

private:
    static std::size_t count(Index size) { return static_cast<std::size_t>(size); }
    static constexpr Index turns_between_checks = 64;
    /// In loops whose turns are too short to ask in each.
    static void check_now_and_then(Index turn) {
        if (turn % turns_between_checks == 0)
            Interruption::check();
    }
    /// body(first, end) for all features, a part of them at a time, asking in between: a call within the
    /// innermost loop would have it load all members anew in each turn.
    template <class Body>
    void for_parts_of_features(const Body& body) const {
        for (Index first = 0; first < mixer_.features; first += turns_between_checks) {
            Interruption::check();
            body(first, std::min(first + turns_between_checks, mixer_.features));
        }
    }

    void load_query(Index query) {
        mixer_.query(query, query_.data());
        if (mixer_.divisor == Divisor::feature_sums)
            for (std::size_t c = 0; c < query_.size(); ++c)
                query_[c] = sums_[c] > 0 ? query_[c] / sums_[c] : Number(0);
    }

    static constexpr Number lost = std::numeric_limits<Number>::quiet_NaN();

    /// Whether the row's sum is too small to hold the digits of the weights, though no feature is 0 for good.
    bool sum_has_vanished() const {
        if (mixer_.divisor != Divisor::sum)
            return false;
        const Number smallest = std::numeric_limits<Number>::min() * Number(1e18);
        const Number sum = std::abs(dot_in_lanes<Number>(query_.data(), sums_.data(), mixer_.features));
        if (!(sum < smallest))
            return false;
        if (mixer_.is_positive)
            return true;
        const Number largest[] = {largest_of(query_), largest_of(sums_)};
        return largest[0] > 0 && largest[1] > 0 &&
               std::ilogb(largest[0]) + std::ilogb(largest[1]) < std::ilogb(smallest);
    }
    static Number largest_of(const std::vector<Number>& numbers) {
        Number largest = 0;
        for (const Number number : numbers)
            largest = std::max(largest, std::abs(number));
        return largest;
    }

    Number divisor_of(Number sum) const {
        switch (mixer_.divisor) {
        case Divisor::sum:
            return sum;
        case Divisor::sum_above_one:
            return std::max(std::abs(sum), Number(1));
        default:
            return 1;
        }
    }

    /// Takes the keys before `base` into the state and those before `end` into the sums of features.
    void advance(Index base, Index end) {
        const Index r = mixer_.features;
        for (; taken_ < base; ++taken_) {
            one_.load(taken_, taken_ + 1);
            if (summed_ == taken_)
                sum_features(summed_++);
            if (mixer_.is_delta)
                erase_and_write(taken_);
            else
                write(taken_);
        }
        for (; r > 0 && mixer_.divisor != Divisor::none && summed_ < end; ++summed_) {
            one_.load(summed_, summed_ + 1);
            sum_features(summed_);
        }
    }

    /// The gate of feature c.
    Number gate(Index key, Index c) const {
        return mixer_.gates == 0 ? Number(1) : one_.gates(key)[mixer_.gates == 1 ? 0 : c];
    }

    void sum_features(Index key) {
        const Number* features = one_.features(key);
        for (Index c = 0; c < mixer_.features; ++c)
            sums_[count(c)] = gate(key, c) * sums_[count(c)] + one_.strength(key) * features[c];
    }

    /// The state of the features [first, end).
    MatrixView<const Number> state_rows(Index first, Index end) const {
        return row_major<const Number>(state_.data(), mixer_.features, width_).row_range(first, end - first);
    }

    void write(Index key) { fade_and_add(key, task_.value.row(key)); }

    /// The state, faded by the key's gates, and the key's features times `what` [d_v] in it.
    template <class From>
    void fade_and_add(Index key, const From* what) {
        const Number* features = one_.features(key);
        for_parts_of_features([&](Index first, Index end) {
            for (Index c = first; c < end; ++c) {
                Number* row = state_.data() + c * width_;
                const Number kept = gate(key, c), written = one_.strength(key) * features[c];
#pragma omp simd
                for (Index i = 0; i < width_; ++i)
                    row[i] = kept * row[i] + written * static_cast<Number>(what[i]);
            }
        });
    }

    /// Only what the state does not yet answer to the key is written (Widrow and Hoff 1960).
    void erase_and_write(Index key) {
        const Real* value = task_.value.row(key);
        // The faded state answers to the key what the state answers to the faded key.
        for (Index c = 0; c < mixer_.features; ++c)
            faded_[count(c)] = gate(key, c) * one_.features(key)[c];
        std::ranges::fill(error_, Number(0));
        for_parts_of_features([&](Index first, Index end) {
            add_scaled_rows(faded_.data() + first, state_rows(first, end), error_.data());
        });
        const Index at = (task_.head * plan_.keys + key) * width_;
        record_.write("predictions", at, error_.data(), width_);
        for (Index i = 0; i < width_; ++i)
            error_[count(i)] = static_cast<Number>(value[i]) - error_[count(i)];
        record_.write("errors", at, error_.data(), width_);
        fade_and_add(key, error_.data());
    }

    /// The weights of the keys from end - 1 down to first. What is left of the query on the way, seen through
    /// the gates and the erasures of the keys after, stays in query_: q^T (I - w k k^T) diag(a) ...
    template <class Each>
    void walk_back(Index first, Index end, const Each& each) {
        const Index r = mixer_.features;
        for (Index key = end; key-- > first;) {
            check_now_and_then(key);
            const Number* features = chunk_.features(key);
            const Number weight = chunk_.strength(key) * dot_in_lanes<Number>(query_.data(), features, r);
            each(key, weight);
            if (mixer_.is_delta)
                add(query_.data(), -weight, features, r);
            const Number* gates = chunk_.gates(key);
            if (mixer_.gates == 1)
                for (Index c = 0; c < r; ++c)
                    query_[count(c)] *= gates[0];
            else
                for (Index c = 0; c < mixer_.gates; ++c)
                    query_[count(c)] *= gates[c];
        }
    }

    void read(Index query, Index base, Index end) {
        std::ranges::fill(context_, Number(0));
        load_query(query);
        const Number sum =
            end == 0 ? Number(0) : dot_in_lanes<Number>(query_.data(), sums_.data(), mixer_.features);
        const bool vanished = end > 0 && sum_has_vanished();
        if (base < end) {
            chunk_.load(base, end);
            walk_back(base, end, [&](Index key, Number weight) {
                add(context_.data(), weight, task_.value.row(key), width_);
            });
        }
        if (base > 0)
            for_parts_of_features([&](Index first, Index last) {
                add_scaled_rows(query_.data() + first, state_rows(first, last), context_.data());
            });
        const Number divisor = vanished ? lost : divisor_of(sum);
        for (Number& each : context_)
            each = divisor == 0 ? Number(0) : each / divisor;
        record_.write("row_sum", task_.head * plan_.queries + query, &sum, 1);
    }

    /// The products of features alone, and what the gates between leave of them. Gates that are not shown
    /// only keep exponentials from overflowing: they belong to the products.
    void record_pairs(Index at, Index end) {
        Number left = 1;
        for (Index key = end; record_ && mixer_.shows_gates && key-- > 0;) {
            const Number similarity =
                dot_in_lanes<Number>(query_.data(), chunk_.features(key), mixer_.features);
            record_.write("similarities", at + key, &similarity, 1);
            if (mixer_.gates == 1) {
                record_.write("decay_mask", at + key, &left, 1);
                left *= chunk_.gates(key)[0];
            }
        }
    }

    const Plan& plan_;
    const HeadTask<Real>& task_;
    const Recurrence<Number>& mixer_;
    const Recorder& record_;
    Index width_;
    Keys<Number> one_;          ///< that is written
    Keys<Number> chunk_;        ///< that a query is compared with
    Storage<Number> state_;     ///< [r, d_v], of the keys before taken_
    std::vector<Number> sums_;  ///< [r], of the keys before summed_
    Index taken_ = 0, summed_ = 0;
    std::vector<Number> query_, context_, error_, faded_;
};

}  // namespace

template <class Real, class Number>
void run_recurrence(const Plan& plan, const HeadTask<Real>& task, const Recurrence<Number>& mixer,
                    const Recorder& record) {
    Run<Real, Number> run(plan, task, mixer, record);
    run.form_context();
    if (record)
        run.record_tokens();
    if (task.wants_weights())
        run.form_weights();
}

StepMemory recurrence_memory(const Plan& plan, const RecurrenceKind& kind, const RunNeeds& needs,
                             double number) {
    const double of_a_key = elements(kind.features + kind.gates + 1);
    const double loaded = elements(1 + loaded_keys(plan, kind, needs.forms_weights)) * of_a_key;
    const double state = elements(kind.features, plan.head_value_width());
    const double faded = kind.is_delta ? elements(kind.features) : 0;
    const double vectors =
        faded + elements(2 * (kind.features + plan.head_value_width() + kind.gates) + plan.keys);
    return {.working = (loaded + state + vectors) * number};
}

template void run_recurrence(const Plan&, const HeadTask<float>&, const Recurrence<float>&, const Recorder&);
template void run_recurrence(const Plan&, const HeadTask<float>&, const Recurrence<double>&, const Recorder&);
template void run_recurrence(const Plan&, const HeadTask<double>&, const Recurrence<double>&,
                             const Recorder&);

}  // namespace headlight
