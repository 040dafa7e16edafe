#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/recurrence.h"
#include "core/kernels/arithmetic.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace headlight {
namespace {

double ridge(const Plan& plan) { return option<double>(plan.spec.algorithm.options, "lambda"); }

/// The least squares fit of the keys so far, by orthogonal factors: R [d, d], upper triangular, and Z with
/// R^T R = sum k^T k + lambda I and R^T Z = sum k^T v. Each key is rotated into them (Givens 1958; Golub and
/// Van Loan, section 12.5): unlike an inverse that is updated, this loses no digits where keys are long
/// beside lambda. In double. Beside the values' columns Z can have one for each key, as if key j had the unit
/// vector e_j as value: what is read there are the weights.
class LeastSquares {
public:
    LeastSquares(Index width, Index value_width, Index keys, double lambda)
        : width_(width), value_width_(value_width), columns_(value_width + keys), stride_(width + columns_),
          rows_(static_cast<std::size_t>(width * stride_)),
          inverses_(static_cast<std::size_t>(width), 1 / std::sqrt(lambda)),
          rest_(static_cast<std::size_t>(stride_)) {
        for (Index i = 0; i < width; ++i)
            factors(i)[i] = std::sqrt(lambda);
    }

    /// Numbers in a row of R and of Z.
    Index stride() const { return stride_; }

    /// Key number `taken`.
    template <class Real>
    void take(const Real* key, const Real* value) {
        Interruption::check();
        std::copy_n(key, width_, rest_.data());
        std::copy_n(value, value_width_, rest_.data() + width_);
        std::fill(rest_.begin() + width_ + value_width_, rest_.end(), 0.0);
        if (columns_ > value_width_)
            rest_[static_cast<std::size_t>(width_ + value_width_ + taken_)] = 1;
        ++taken_;
        for (Index i = 0; i < width_; ++i) {
            double *row = factors(i) + i, *rest = rest_.data() + i;
            if (*rest == 0)
                continue;
            const double square = *row * *row + *rest * *rest;
            // The square root takes a third of the time where the squares are within range.
            const double length = std::isnormal(square) ? std::sqrt(square) : std::hypot(*row, *rest);
            const double inverse = inverses_[static_cast<std::size_t>(i)] = 1 / length;
            by_.rotate(*row * inverse, *rest * inverse, stride_ - i, row, rest);
        }
    }

    /// R^-T q, [d], and behind it its product with Z, [columns]: what the fit answers to q.
    template <class Real>
    void ask(const Real* query, double* reduced) const {
        std::copy_n(query, width_, reduced);
        std::fill_n(reduced + width_, columns_, 0.0);
        // What is taken from the rest of q by R is added to the answer by Z: both at once, with the answer's
        // sign turned.
        for (Index i = 0; i < width_; ++i) {
            const double share = reduced[i] *= inverses_[static_cast<std::size_t>(i)];
            by_.add_scaled(-share, factors(i) + i + 1, stride_ - i - 1, reduced + i + 1);
        }
        for (Index c = width_; c < stride_; ++c)
            reduced[c] = 0 - reduced[c];
    }

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
    std::vector<double> rows_;      ///< R [d, d] beside Z [d, columns]
    std::vector<double> inverses_;  ///< of the diagonal of R, [d]
    std::vector<double> rest_;      ///< what is left of the key that is being taken and of its value
};

template <class Real>
void run_mesa(const Plan& plan, const HeadTask<Real>& task, const Recorder& record) {
    const Index d = plan.head_query_width(), d_v = plan.head_value_width(), m = plan.keys;
    LeastSquares fit(d, d_v, task.wants_weights() ? m : 0, ridge(plan));
    std::vector<double> reduced(static_cast<std::size_t>(fit.stride())),
        solution(static_cast<std::size_t>(d));
    const double* answer = reduced.data() + d;
    Index taken = 0;
    for (Index query = 0; query < plan.queries; ++query) {
        Interruption::check();
        const Index end = plan.allowed.end(query), at = task.head * plan.queries + query;
        for (; taken < end; ++taken)
            fit.take(task.key.row(taken), task.value.row(taken));
        fit.ask(task.query.row(query), reduced.data());
        for (Index c = 0; c < d_v; ++c)
            task.context.row(query)[c] = static_cast<Real>(answer[c]);
        if (record) {
            fit.solve(reduced.data(), solution.data());
            record.write("solutions", at * d, solution.data(), d);
            record.write("state", at * d * d_v, fit.products().data(), d * d_v);
        }
        for (Index key = 0; task.wants_weights() && key < m; ++key)
            task.weights.row(query)[key] = static_cast<Real>(answer[d_v + key]);
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
            rows.push_back(composer.constant("no_weights", {composer.heads, 1, plan.keys}, "nothing is seen",
                                             [](Index, Index, Index) { return 0.0; }));
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
    component.type = AlgorithmType::mesa;
    component.word = "mesa";
    component.meaning =
        "o = Gᵀ (H + λ I)⁻¹ q with H = Σ kᵀ k and G = Σ kᵀ v: the least squares fit of values to keys, "
        "asked at q (von Oswald et al. 2025)";
    component.options = {
        {.name = "lambda",
         .label = "Ridge λ",
         .standard = 1.0,
         .minimum = 0.001,
         .maximum = 1e6,
         .logarithmic = true,
         .help = "How strongly the fit is held to 0; the larger, the more it is linear attention "
                 "divided by λ."}};
    component.stages = [](const Plan& plan, StageList& list) {
        using enum Axis;
        list.add_vectors("solutions", query, plan.head_query_width());
        list.add("state", {head, query, feature, attention},
                 {plan.heads, plan.queries, plan.head_query_width(), plan.head_value_width()});
    };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        const Index d = plan.head_query_width(), d_v = plan.head_value_width();
        const Index columns = d_v + (needs.forms_weights ? plan.keys : 0);
        const Index rows = 4 * d + 2 * columns;
        return StepMemory{.working = (elements(d, d + columns + d_v) + elements(rows)) * sizeof(double)};
    };
    component.declared_stages = {
        {"similarities", "Similarities"},
        {.name = "solutions", .title = "Solutions", .said = "(Σ kᵀ k + λ I)⁻¹ q over the keys so far"},
        {.name = "state", .title = "State", .said = "Σ kᵀ v over the keys so far"}};
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
