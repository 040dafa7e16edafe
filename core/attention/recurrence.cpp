#include "core/attention/recurrence.h"

#include "core/kernels/arithmetic.h"
#include "core/kernels/multiply_in_parts.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {
namespace {

/// Keys whose features lie in memory at once, to be compared with a query.
Index compared_keys(const Plan& plan, const RecurrenceKind& kind, bool forms_weights) {
    return forms_weights ? plan.keys : std::min(kind.chunk, plan.keys);
}

/// Tokens that pass through the state in one go: as many as leave room in the cache for what they bring.
Index passing_tokens(const Plan& plan, const RecurrenceKind& kind) {
    constexpr Index most = 32, numbers = 1 << 14;
    return std::clamp<Index>(numbers / std::max<Index>(kind.features, 1), 1,
                             std::clamp<Index>(plan.keys, 1, most));
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
            if (mixer_.gates > 0)
                mixer_.log_gate(key, gates_.data() + (key - first) * mixer_.gates);
            strengths_[static_cast<std::size_t>(key - first)] =
                mixer_.has_strength ? mixer_.strength(key) : Number(1);
        }
        Number* const gates = gates_.data() + (from - first) * mixer_.gates;
        by_.exponential(gates, (end - from) * mixer_.gates, gates);
    }
    const Number* features(Index key) const { return features_.data() + (key - first_) * mixer_.features; }
    const Number* gates(Index key) const { return gates_.data() + (key - first_) * mixer_.gates; }
    Number strength(Index key) const { return strengths_[static_cast<std::size_t>(key - first_)]; }

private:
    std::size_t size(Index width) const { return static_cast<std::size_t>((end_ - first_) * width); }

    const Recurrence<Number>& mixer_;
    const kernels::Arithmetic<Number>& by_ = kernels::chosen_arithmetic<Number>();
    Index first_ = 0, end_ = 0;
    std::vector<Number> features_, gates_, strengths_;
};

template <class Real, class Number>
class Run {
public:
    Run(const Plan& plan, const HeadTask<Real>& task, const Recurrence<Number>& mixer, const Recorder& record)
        : plan_(plan), task_(task), mixer_(mixer), record_(record), width_(plan.head_value_width()),
          most_(passing_tokens(plan, mixer)), passing_(mixer, most_),
          compared_(mixer, compared_keys(plan, mixer, task.wants_weights())), state_(mixer.features * width_),
          sums_(count(mixer.features)), queries_(count(most_ * mixer.features)),
          answers_(count(most_ * width_)), values_(count(most_ * width_)),
          written_(count(mixer.has_strength ? most_ * mixer.features : 0)),
          faded_(count(mixer.is_delta && mixer.gates > 0 ? most_ * mixer.features : 0)),
          predicted_(count(mixer.is_delta ? most_ * width_ : 0)), divisors_(count(most_)) {}

    void form_context() {
        const bool shows_state = record_.wants("state");
        for (Index query = 0, together = 1; query < plan_.queries; query += together) {
            Interruption::check();
            const Index end = plan_.allowed.end(query);
            const Index base = mixer_.chunk == 0 || end == 0 ? end : (end - 1) / mixer_.chunk * mixer_.chunk;
            together = 1;
            if (base == end && taken_ < end) {
                take_until(end - 1);
                while (!shows_state && together < most_ && query + together < plan_.queries &&
                       plan_.allowed.end(query + together) == end + together)
                    ++together;
                pass(query, together);
            } else {
                take_until(base);
                sum_features_until(end);
                read(query, base, end);
            }
            write_contexts(query, together);
            record_.write("state", (task_.head * plan_.queries + query) * std::ssize(state_), state_.data(),
                          std::ssize(state_));
        }
    }

    void form_weights() {
        std::ranges::fill(sums_, Number(0));
        taken_ = summed_ = 0;
        const Index keys = plan_.keys;
        std::vector<Number> row(count(keys));
        compared_.load(0, plan_.queries > 0 ? plan_.allowed.end(plan_.queries - 1) : 0);
        for (Index query = 0; query < plan_.queries; ++query) {
            const Index end = plan_.allowed.end(query), at = (task_.head * plan_.queries + query) * keys;
            sum_features_until(end);
            load_query(query, queries_.data());
            const bool vanished = end > 0 && sum_has_vanished(queries_.data(), sum_of(queries_.data()));
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
                mixer_.query(query, queries_.data());
                record_.write("query_features", (task_.head * plan_.queries + query) * r, queries_.data(), r);
            }
        std::vector<Number> cumulative(count(mixer_.gates)), logs(count(mixer_.gates));
        for (Index key = 0; key < end; ++key) {
            const Index at = task_.head * plan_.keys + key;
            passing_.load(key, key + 1);
            record_.write("key_features", at * r, passing_.features(key), r);
            const Number strength = passing_.strength(key);
            record_.write("write_strengths", at, &strength, 1);
            if (mixer_.gates == 0)
                continue;
            mixer_.log_gate(key, logs.data());
            by_.add(logs.data(), mixer_.gates, cumulative.data());
            record_.write("gates", at * mixer_.gates, passing_.gates(key), mixer_.gates);
            record_.write("cumulative_gates", at * mixer_.gates, cumulative.data(), mixer_.gates);
        }
    }

private:
    static std::size_t count(Index size) { return static_cast<std::size_t>(size); }
    /// In loops whose turns are too short to ask in each.
    static void check_now_and_then(Index turn) {
        constexpr Index turns_between_checks = 64;
        if (turn % turns_between_checks == 0)
            Interruption::check();
    }

    void load_query(Index query, Number* to) {
        mixer_.query(query, to);
        if (mixer_.divisor == Divisor::feature_sums)
            for (std::size_t c = 0; c < sums_.size(); ++c)
                to[c] = sums_[c] > 0 ? to[c] / sums_[c] : Number(0);
    }

    static constexpr Number lost = std::numeric_limits<Number>::quiet_NaN();

    Number sum_of(const Number* query) const {
        return by_.inner_product(query, sums_.data(), mixer_.features);
    }
    /// Whether the row's sum is too small to hold the digits of the weights, though no feature is 0 for good.
    bool sum_has_vanished(const Number* query, Number sum) const {
        if (mixer_.divisor != Divisor::sum)
            return false;
        const Number smallest = std::numeric_limits<Number>::min() * Number(1e18);
        if (!(std::abs(sum) < smallest))
            return false;
        if (mixer_.is_positive)
            return true;
        const Number largest[] = {largest_of(query), largest_of(sums_.data())};
        return largest[0] > 0 && largest[1] > 0 &&
               std::ilogb(largest[0]) + std::ilogb(largest[1]) < std::ilogb(smallest);
    }
    /// Of the features.
    Number largest_of(const Number* numbers) const {
        Number largest = 0;
        for (Index c = 0; c < mixer_.features; ++c)
            largest = std::max(largest, std::abs(numbers[c]));
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

    /// Takes the keys before `end` into the state.
    void take_until(Index end) {
        while (taken_ < end) {
            const Index tokens = std::min(most_, end - taken_);
            bring_keys(tokens);
            for (Index key = taken_; key < taken_ + tokens; ++key)
                sum_features(key);
            pass_through_state(tokens, false);
        }
    }

    /// The keys that are next, as many as queries: after each of them one of these reads the state.
    void pass(Index query, Index tokens) {
        bring_keys(tokens);
        for (Index i = 0; i < tokens; ++i) {
            sum_features(taken_ + i);
            load_and_sum_query(query, i);
        }
        std::fill_n(answers_.begin(), tokens * width_, Number(0));
        fetch(task_.query, query + tokens);
        fetch(task_.key, taken_ + tokens);
        fetch(task_.value, taken_ + tokens);
        pass_through_state(tokens, true);
    }

    /// Asks for the rows that are read next while those before pass: a head's rows lie far from one another,
    /// where the processor does not look by itself.
    void fetch(MatrixView<const Real> vectors, Index first) const {
        constexpr Index line = 64 / sizeof(Real);
        for (Index row = first; row < std::min(first + most_, vectors.rows); ++row)
            for (Index c = 0; c < vectors.columns; c += line)
                __builtin_prefetch(vectors.row(row) + c);
    }

    /// Number i of the queries from `first` on: its features, and the sum that its answer is divided by.
    void load_and_sum_query(Index first, Index i) {
        Number* const features = queries_.data() + i * mixer_.features;
        load_query(first + i, features);
        const bool sees_keys = plan_.allowed.end(first + i) > 0;
        const bool is_wanted = mixer_.divisor == Divisor::sum || mixer_.divisor == Divisor::sum_above_one;
        const Number sum = sees_keys && (is_wanted || record_) ? sum_of(features) : Number(0);
        record_.write("row_sum", task_.head * plan_.queries + first + i, &sum, 1);
        divisors_[count(i)] = sees_keys && sum_has_vanished(features, sum) ? lost : divisor_of(sum);
    }

    /// What the next keys bring, number by number: features times strengths, and, by the delta rule, features
    /// through the gates: the faded state answers to the key what the state answers to the faded key.
    void bring_keys(Index tokens) {
        passing_.load(taken_, taken_ + tokens);
        const Index r = mixer_.features;
        for (Index i = 0; i < tokens; ++i) {
            const Index key = taken_ + i;
            const Number *features = passing_.features(key), *gates = passing_.gates(key);
            const Number strength = passing_.strength(key);
            if (!written_.empty())
                for (Index c = 0; c < r; ++c)
                    written_[count(i * r + c)] = strength * features[c];
            if (!faded_.empty())
                for (Index c = 0; c < r; ++c)
                    faded_[count(i * r + c)] = gates[mixer_.gates == 1 ? 0 : c] * features[c];
            const Real* value = task_.value.row(key);
            for (Index c = 0; c < width_; ++c)
                values_[count(i * width_ + c)] = static_cast<Number>(value[c]);
        }
    }

    /// What was brought enters the state, and where `reads` says so queries_ read it into answers_.
    void pass_through_state(Index tokens, bool reads) {
        const Index r = mixer_.features;
        const auto brought = [&](const Number* data, Index columns) {
            return row_major<const Number>(data, tokens, columns);
        };
        kernels::StateTokens<Number> step{
            .state = row_major(state_.data(), r, width_),
            .written = brought(written_.empty() ? passing_.features(taken_) : written_.data(), r),
            .what = brought(values_.data(), width_),
        };
        if (mixer_.gates > 0) {
            step.kept = brought(passing_.gates(taken_), mixer_.gates);
            step.kept_step = mixer_.gates == 1 ? 0 : 1;
        }
        if (mixer_.is_delta) {
            step.erased = brought(faded_.empty() ? passing_.features(taken_) : faded_.data(), r);
            step.predicted = row_major(predicted_.data(), tokens, width_);
        }
        if (reads) {
            step.query = brought(queries_.data(), r);
            step.answer = row_major(answers_.data(), tokens, width_);
        }
        for_parts_of_features(tokens,
                              [&](Index first, Index rows) { by_.pass_tokens(step.row_range(first, rows)); });
        if (mixer_.is_delta && record_)
            record_errors(tokens);
        taken_ += tokens;
    }

    /// Only what the state does not yet answer to the key is written (Widrow and Hoff 1960).
    void record_errors(Index tokens) {
        const Index at = (task_.head * plan_.keys + taken_) * width_, size = tokens * width_;
        record_.write("predictions", at, predicted_.data(), size);
        by_.add_scaled(-1, predicted_.data(), size, values_.data());
        record_.write("errors", at, values_.data(), size);
    }

    /// body(first, rows) for all rows of the state, a part of them at a time where they are many.
    template <class Body>
    void for_parts_of_features(Index tokens, const Body& body) const {
        const Index most = mixer_.is_delta
                               ? mixer_.features
                               : kernels::rows_within(3 * elements(tokens, width_), mixer_.features);
        kernels::for_each_part(mixer_.features, std::max<Index>(most, 1), body);
    }

    /// Takes the keys before `end` into the sums of features.
    void sum_features_until(Index end) {
        while (mixer_.divisor != Divisor::none && summed_ < end) {
            passing_.load(summed_, summed_ + 1);
            sum_features(summed_);
        }
    }
    /// The key that is next, unless it was there already.
    void sum_features(Index key) {
        if (mixer_.divisor == Divisor::none || summed_ > key)
            return;
        const Number* const features = passing_.features(key);
        const Number* const gates = mixer_.gates == 0 ? nullptr : passing_.gates(key);
        by_.fade_and_add(gates, mixer_.gates == 1 ? 0 : 1, passing_.strength(key), features, mixer_.features,
                         sums_.data());
        ++summed_;
    }

    /// The weights of the keys from end - 1 down to first. What is left of the query on the way, seen through
    /// the gates and the erasures of the keys after, stays in its features: q^T (I - w k k^T) diag(a) ...
    template <class Each>
    void walk_back(Index first, Index end, const Each& each) {
        const Index r = mixer_.features;
        Number* const query = queries_.data();
        for (Index key = end; key-- > first;) {
            check_now_and_then(key);
            const Number* features = compared_.features(key);
            const Number weight = compared_.strength(key) * by_.inner_product(query, features, r);
            each(key, weight);
            if (mixer_.is_delta)
                by_.add_scaled(-weight, features, r, query);
            const Number* gates = compared_.gates(key);
            if (mixer_.gates == 1)
                for (Index c = 0; c < r; ++c)
                    query[c] *= gates[0];
            else
                for (Index c = 0; c < mixer_.gates; ++c)
                    query[c] *= gates[c];
        }
    }

    /// One query, after the keys before `base`, which are in the state, and those from there to `end`, one by
    /// one.
    void read(Index query, Index base, Index end) {
        load_and_sum_query(query, 0);
        std::fill_n(answers_.begin(), width_, Number(0));
        if (base < end) {
            compared_.load(base, end);
            walk_back(base, end, [&](Index key, Number weight) {
                std::copy_n(task_.value.row(key), width_, values_.begin());
                by_.add_scaled(weight, values_.data(), width_, answers_.data());
            });
        }
        const auto state = row_major<const Number>(state_.data(), mixer_.features, width_);
        if (base > 0)
            for_parts_of_features(1, [&](Index first, Index rows) {
                by_.add_scaled_rows(queries_.data() + first, state.row_range(first, rows), answers_.data());
            });
    }

    void write_contexts(Index first, Index queries) {
        for (Index i = 0; i < queries; ++i) {
            const Number divisor = divisors_[count(i)], *answer = answers_.data() + i * width_;
            Real* context = task_.context.row(first + i);
            for (Index c = 0; c < width_; ++c)
                context[c] = static_cast<Real>(divisor == 0 ? Number(0) : answer[c] / divisor);
        }
    }

    /// The products of features alone, and what the gates between leave of them. Gates that are not shown
    /// only keep exponentials from overflowing: they belong to the products.
    void record_pairs(Index at, Index end) {
        Number left = 1;
        for (Index key = end; record_ && mixer_.shows_gates && key-- > 0;) {
            const Number similarity =
                by_.inner_product(queries_.data(), compared_.features(key), mixer_.features);
            record_.write("similarities", at + key, &similarity, 1);
            if (mixer_.gates == 1) {
                record_.write("decay_mask", at + key, &left, 1);
                left *= compared_.gates(key)[0];
            }
        }
    }

    const Plan& plan_;
    const HeadTask<Real>& task_;
    const Recurrence<Number>& mixer_;
    const Recorder& record_;
    Index width_;
    Index most_;                ///< tokens that pass through the state in one go
    Keys<Number> passing_;      ///< through the state, or into the sums
    Keys<Number> compared_;     ///< with a query
    Storage<Number> state_;     ///< [r, d_v], of the keys before taken_
    std::vector<Number> sums_;  ///< [r], of the keys before summed_
    Index taken_ = 0, summed_ = 0;
    const kernels::Arithmetic<Number>& by_ = kernels::chosen_arithmetic<Number>();
    // A row for each token that passes.
    std::vector<Number> queries_, answers_, values_, written_, faded_, predicted_, divisors_;
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
    const Index r = kind.features, width = plan.head_value_width(), passing = passing_tokens(plan, kind);
    const double keys =
        elements(passing + compared_keys(plan, kind, needs.forms_weights), r + kind.gates + 1);
    const Index of_strength = kind.has_strength ? r : 0;
    const Index of_delta = kind.is_delta ? width + (kind.gates > 0 ? r : 0) : 0;
    const double tokens = elements(passing, r + 2 * width + 1 + of_strength + of_delta);
    const double vectors = elements(r + 2 * kind.gates + plan.keys);
    return {.working = (keys + tokens + elements(r, width) + vectors) * number};
}

template void run_recurrence(const Plan&, const HeadTask<float>&, const Recurrence<float>&, const Recorder&);
template void run_recurrence(const Plan&, const HeadTask<float>&, const Recurrence<double>&, const Recorder&);
template void run_recurrence(const Plan&, const HeadTask<double>&, const Recurrence<double>&,
                             const Recorder&);

}  // namespace headlight
