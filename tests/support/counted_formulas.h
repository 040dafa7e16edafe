#pragma once

// Formulas as loops over single numbers that count every multiplication of a product or a sum of products,
// each product computed once. What they compute is held to the engine, so that what they count is what it
// takes.

#include "tests/support/attention_runs.h"

#include <functional>

namespace headlight::test {

class CountedFormulas {
public:
    explicit CountedFormulas(const std::shared_ptr<const Plan>& plan) : plan_(*plan), trace_(record(plan)) {}

    double count = 0;

    const Plan& plan() const { return plan_; }
    const Tensor& parameter(const std::string& name) const { return plan_.parameter(name); }
    double number(const std::string& name) const { return plan_.parameter(name)[0]; }
    /// A stage of the only head, as a matrix of its last two extents.
    Tensor matrix(const std::string& name) const {
        const Stage* found = trace_.find(name);
        EXPECT_NE(found, nullptr) << name;
        const std::size_t rank = found->shape.size();
        return Tensor({rank > 1 ? found->shape[rank - 2] : 1, found->shape[rank - 1]}, stage(trace_, name));
    }
    std::vector<double> numbers(const std::string& name) const { return stage(trace_, name); }
    bool allowed(Index query, Index key) const { return plan_.allowed.allowed(query, key); }

    double times(double a, double b) {
        ++count;
        return a * b;
    }
    double dot(std::span<const double> a, std::span<const double> b) {
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
            sum += times(a[i], b[i]);
        return sum;
    }
    /// a b
    Tensor product(const Tensor& a, const Tensor& b) {
        Tensor result({a.rows(), b.cols()});
        for (Index r = 0; r < a.rows(); ++r)
            for (Index c = 0; c < b.cols(); ++c)
                for (Index i = 0; i < a.cols(); ++i)
                    result(r, c) += times(a(r, i), b(i, c));
        return result;
    }
    /// x / |x| of every row.
    Tensor directions(Tensor x) {
        for (Index r = 0; r < x.rows(); ++r) {
            const double length = std::sqrt(dot(x.row(r), x.row(r)));
            for (double& each : x.row(r))
                each /= length;
        }
        return x;
    }
    /// score(i, j) of every pair that the mask allows.
    std::vector<double> of_pairs(const std::function<double(Index query, Index key)>& score) const {
        std::vector<double> scores;
        for (Index i = 0; i < plan_.queries; ++i)
            for (Index j = 0; j < plan_.keys; ++j)
                scores.push_back(allowed(i, j) ? score(i, j) : 0);
        return scores;
    }
    /// A state that fades, is written by each key and read by each query after the last key that it sees:
    /// S <- diag(gate) S + strength k (v - error S^T k), o = S^T q / divisor.
    struct Mixer {
        Tensor query, key, value;
        Tensor gates = {};      ///< [m, 1 or r]; empty: none
        Tensor strengths = {};  ///< [m, 1]; empty: 1
        bool is_delta = false;
        bool divides = false;
    };
    std::vector<double> mixed(const Mixer& mixer) {
        const Index r = mixer.key.cols(), d_v = mixer.value.cols();
        Tensor state({r, d_v});
        std::vector<double> sums(static_cast<std::size_t>(r)), output;
        Index taken = 0;
        for (Index i = 0; i < plan_.queries; ++i) {
            for (; taken < plan_.allowed.end(i); ++taken)
                take(mixer, taken, state, sums);
            const double divisor = mixer.divides ? dot(mixer.query.row(i), sums) : 1;
            for (Index c = 0; c < d_v; ++c) {
                double sum = 0;
                for (Index f = 0; f < r; ++f)
                    sum += times(mixer.query(i, f), state(f, c));
                output.push_back(divisor == 0 ? 0 : sum / divisor);
            }
        }
        return output;
    }

private:
    void take(const Mixer& mixer, Index key, Tensor& state, std::vector<double>& sums) {
        const Index r = state.rows(), d_v = state.cols();
        const double strength = mixer.strengths.empty() ? 1 : mixer.strengths[key];
        for (Index f = 0; f < r && !mixer.gates.empty(); ++f)
            for (Index c = 0; c < d_v; ++c)
                state(f, c) = times(state(f, c), mixer.gates(key, mixer.gates.cols() == 1 ? 0 : f));
        std::vector<double> error(mixer.value.row(key).begin(), mixer.value.row(key).end());
        for (Index c = 0; c < d_v && mixer.is_delta; ++c)
            for (Index f = 0; f < r; ++f)
                error[static_cast<std::size_t>(c)] -= times(state(f, c), mixer.key(key, f));
        for (Index f = 0; f < r; ++f) {
            const double written = strength * mixer.key(key, f);
            for (Index c = 0; c < d_v; ++c)
                state(f, c) += times(written, error[static_cast<std::size_t>(c)]);
            if (mixer.divides)
                sums[static_cast<std::size_t>(f)] += times(1, written);
        }
    }

    const Plan& plan_;
    Trace trace_;
};

}  // namespace headlight::test
