#include "core/attention/defined_algorithms.h"
#include "core/attention/recurrence.h"
#include "core/kernels/arithmetic.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

double ridge(const Plan& plan) { return plan.algorithm().number("lambda"); }

/// The least squares fit of the keys so far, by orthogonal factors: R [d, d], upper triangular, and Z with
/// R^T R = sum k^T k + lambda I and R^T Z = sum k^T v. Each key is rotated into them (Givens 1958; Golub and
/// Van Loan, section 12.5): unlike an inverse that is updated, this loses no digits where keys are long
/// beside lambda. In double. Beside the values' columns Z can have one for each key, as if key j had the unit
/// vector e_j as value: what is read there are the weights.
class LeastSquares {
public:
    /// `together` tokens at most are taken in one go.
    LeastSquares(Index width, Index value_width, Index keys, Index together, double lambda)
        : width_(width), value_width_(value_width), columns_(value_width + keys), stride_(width + columns_),
          rows_(width * stride_), squares_(static_cast<std::size_t>(width), lambda),
          inverses_(static_cast<std::size_t>(width), 1 / std::sqrt(lambda)), rests_(together * stride_),
          reduced_(together * stride_) {
        for (Index i = 0; i < width; ++i)
            factors(i)[i] = std::sqrt(lambda);
    }

    /// Brings a key as number `token` of those that are taken next.
    template <class Real>
    void bring_key(Index token, const Real* key, const Real* value) {
        double* const rest = rests_.data() + token * stride_;
        std::copy_n(key, width_, rest);
        std::copy_n(value, value_width_, rest + width_);
        std::fill_n(rest + width_ + value_width_, columns_ - value_width_, 0.0);
        if (columns_ > value_width_)
            rest[width_ + value_width_ + taken_ + token] = 1;
    }
    /// Brings a query, which is asked when as many keys have been taken.
    template <class Real>
    void bring_query(Index token, const Real* query) {
        double* const reduced = reduced_.data() + token * stride_;
        std::copy_n(query, width_, reduced);
        std::fill_n(reduced + width_, columns_, 0.0);
    }

    /// Takes the keys that were brought; after key number t, or after none where there are none, query number
    /// t is asked. A row of R and Z has done with all of them before the next one: what tokens do to a row
    /// hardly waits for each other.
    void pass(Index keys, Index queries) {
        for (Index i = 0; i < width_; ++i) {
            Interruption::check();
            by_.rotate_into_row({.row = factors(i),
                                 .diagonal = i,
                                 .square = squares_.data() + i,
                                 .inverse = inverses_.data() + i,
                                 .keys = row_major(rests_.data(), keys, stride_),
                                 .queries = row_major(reduced_.data(), queries, stride_),
                                 .size = stride_});
        }
        taken_ += keys;
        for (Index token = 0; token < queries; ++token)
            for (Index c = width_; c < stride_; ++c) {
                double& answer = reduced_[static_cast<std::size_t>(token * stride_ + c)];
                answer = 0 - answer;
            }
    }
    Index taken() const { return taken_; }
    /// R^-T q, [d], of query number `token`.
    const double* reduced(Index token) const { return reduced_.data() + token * stride_; }
    /// Its product with Z, [columns]: what the fit answers to q.
    const double* answer(Index token) const { return reduced(token) + width_; }

    /// R^-1 R^-T q = (sum k^T k + lambda I)^-1 q, from R^-T q.
    void solve(const double* reduced, double* solution) const {
        for (Index i = width_ - 1; i >= 0; --i) {
            solution[i] = reduced[i];
            for (Index after = i + 1; after < width_; ++after)
                solution[i] -= factors(i)[after] * solution[after];
            solution[i] *= inverses_[static_cast<std::size_t>(i)];
        }
    }

    /// sum k^T v = R^T Z, [d, d_v]
    std::vector<double> products() const {
        std::vector<double> result(static_cast<std::size_t>(width_ * value_width_));
        for (Index i = 0; i < width_; ++i)
            for (Index c = i; c < width_; ++c)
                by_.add_scaled(factors(i)[c], answers(i), value_width_, result.data() + c * value_width_);
        return result;
    }

private:
    /// Row i of R, and behind it that of Z: they are rotated as one.
    double* factors(Index i) { return rows_.data() + i * stride_; }
    const double* factors(Index i) const { return rows_.data() + i * stride_; }
    const double* answers(Index i) const { return factors(i) + width_; }

    const kernels::Arithmetic<double>& by_ = kernels::chosen_arithmetic<double>();
    Index width_, value_width_, columns_, stride_, taken_ = 0;
    Storage<double> rows_;          ///< R [d, d] beside Z [d, columns]
    std::vector<double> squares_;   ///< of the diagonal of R, [d]
    std::vector<double> inverses_;  ///< one over each
    Storage<double> rests_;         ///< what is left of each key that is being taken and of its value
    Storage<double> reduced_;       ///< of each query that is being asked, and what is answered
};

/// Tokens that are taken in one go: one where somebody looks at what each of them leaves.
Index tokens_together(const Plan& plan, bool looks) {
    return looks ? 1 : std::clamp<Index>(plan.keys, 1, kernels::RotatedRow<double>::most);
}

template <class Real>
void run_mesa(const Plan& plan, const HeadTask<Real>& task, const Recorder& record) {
    const Index d = plan.head_query_width(), d_v = plan.head_value_width(), m = plan.keys;
    const Index most = tokens_together(plan, task.wants_weights());
    LeastSquares fit(d, d_v, task.wants_weights() ? m : 0, most, ridge(plan));
    std::vector<double> solution(static_cast<std::size_t>(d));
    const auto take_until = [&](Index end) {
        while (fit.taken() < end) {
            const Index count = std::min(most, end - fit.taken());
            for (Index i = 0; i < count; ++i)
                fit.bring_key(i, task.key.row(fit.taken() + i), task.value.row(fit.taken() + i));
            fit.pass(count, 0);
        }
    };
    for (Index query = 0, together = 1; query < plan.queries; query += together) {
        const Index end = plan.allowed.end(query), at = task.head * plan.queries + query;
        take_until(end - 1);
        const Index keys = end - fit.taken();  // one, or none where the query before saw as many
        together = 1;
        while (keys == 1 && !record && together < most && query + together < plan.queries &&
               plan.allowed.end(query + together) == end + together)
            ++together;
        for (Index i = 0; i < together; ++i) {
            if (keys == 1)
                fit.bring_key(i, task.key.row(end - 1 + i), task.value.row(end - 1 + i));
            fit.bring_query(i, task.query.row(query + i));
        }
        fit.pass(keys * together, together);
        for (Index i = 0; i < together; ++i)
            std::transform(fit.answer(i), fit.answer(i) + d_v, task.context.row(query + i),
                           [](double number) { return static_cast<Real>(number); });
        if (record) {
            fit.solve(fit.reduced(0), solution.data());
            record.write("solutions", at * d, solution.data(), d);
            record.write("state", at * d * d_v, fit.products().data(), d * d_v);
        }
        for (Index key = 0; task.wants_weights() && key < m; ++key)
            task.weights.row(query)[key] = static_cast<Real>(fit.answer(0)[d_v + key]);
    }
}

Expression ridge_matrix(Composer& composer, Index size) {
    return ridge(composer.plan) * unit_matrix(composer, size, numbered("identity_", size));
}

/// Each query's answer by ridge regression from the keys that it sees: of two systems the smaller one.
Expression define_mesa(Composer& composer) {
    const Plan& plan = composer.plan;
    std::vector<Expression> rows;
    for (Index query = 0; query < plan.queries; ++query) {
        const std::string suffix = numbered("_", query + 1);
        const Index end = plan.allowed.end(query);
        if (end == 0) {
            rows.push_back(write_no_weights(composer));
            continue;
        }
        const Expression keys =
            composer.let("keys" + suffix, some_rows(composer.key, counted(0, end)), "that are seen");
        const Expression asked = composer.let("query" + suffix, some_rows(composer.query, {query}));
        std::optional<Expression> row;
        if (end <= plan.head_query_width()) {
            const Expression system = composer.let(
                "system" + suffix, product_transposed(keys, keys) + ridge_matrix(composer, end), "K Kᵀ + λ");
            row = product(product_transposed(asked, keys), inverse_of(system));
        } else {
            const Expression system = composer.let("system" + suffix,
                                                   product(transposed(keys), keys) +
                                                       ridge_matrix(composer, plan.head_query_width()),
                                                   "Kᵀ K + λ");
            row = product_transposed(product(asked, inverse_of(system)), keys);
        }
        const Expression seen = composer.let("displayed_weights" + suffix, *row);
        rows.push_back(composer.let("weights" + suffix, with_unseen_keys(composer, suffix, seen)));
    }
    return write_attended_values(
        composer, composer.let("weights", join_rows(rows), "what each query gives to each key"));
}

}  // namespace

AlgorithmComponent declare_algorithms_mesa() {
    AlgorithmComponent component;
    component.meaning =
        "o = Gᵀ (H + λ I)⁻¹ q with H = Σ kᵀ k and G = Σ kᵀ v: the least squares fit of values to keys, "
        "asked at q (von Oswald et al. 2025)";
    component.options = {number_option(
        "lambda", "Ridge λ", 1.0, logarithmic_range(0.001, 1e6),
        "How strongly the fit is held to 0; the larger, the more it is linear attention divided by λ.")};
    component.stages = [](const Plan& plan, StageList& list) {
        using enum Axis;
        list.add_vectors("solutions", query, plan.head_query_width());
        list.add("state", {head, query, feature, attention},
                 {plan.heads, plan.queries, plan.head_query_width(), plan.head_value_width()});
    };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        const Index d = plan.head_query_width(), d_v = plan.head_value_width();
        const Index columns = d_v + (needs.forms_weights ? plan.keys : 0);
        const Index tokens = 2 * tokens_together(plan, needs.forms_weights);
        return StepMemory{
            .working = (elements(d, d + columns + d_v) + elements(tokens, d + columns) + elements(3 * d)) *
                       sizeof(double)};
    };
    component.declared_stages = {
        {"similarities", "Similarities"},
        made_stage("solutions", "Solutions", {}, {.said = "(Σ kᵀ k + λ I)⁻¹ q over the keys so far"}),
        made_stage("state", "State", {}, {.said = "Σ kᵀ v over the keys so far"})};
    component.steps = [](const Plan& plan, auto& pipeline) {
        pipeline.algorithm = [&plan](const auto& task, const Recorder& record) {
            run_mesa(plan, task, record);
        };
    };
    component.cost = [](const Plan& plan) {
        const auto d = static_cast<double>(plan.head_query_width());
        const double d_v = static_cast<double>(plan.head_value_width());
        const double heads = static_cast<double>(plan.heads);
        // A rotation takes four products for each pair of numbers; half of R is zeros.
        const double key = 4 * (d * (d + 1) / 2 + d * d_v), query = d * (d - 1) / 2 + d * d_v;
        return AlgorithmCost{.multiply_adds = heads * (static_cast<double>(plan.keys) * key +
                                                       static_cast<double>(plan.queries) * query),
                             .state_numbers = heads * d * (d + d_v)};
    };
    component.define = define_mesa;
    return component;
}

}  // namespace headlight
