#include "core/attention/component.h"
#include "core/attention/explained_cell.h"
#include "core/attention/interruption.h"
#include "core/attention/recurrence.h"

#include <algorithm>

namespace headlight {
namespace {

double ridge(const Plan& plan) { return option<double>(plan.spec.algorithm.options, "lambda"); }

/// P = (sum k^T k + lambda I)^-1 and G = sum k^T v of the keys so far, in double.
class LeastSquares {
public:
    LeastSquares(Index width, Index value_width, double lambda)
        : width_(width), value_width_(value_width), inverse_(size(width, width)),
          products_(size(width, value_width)), step_(size(width, 1)) {
        for (Index i = 0; i < width; ++i)
            inverse_[size(i, width) + static_cast<std::size_t>(i)] = 1 / lambda;
    }

    /// One more key: P - P k k^T P / (1 + k^T P k), the formula of Sherman and Morrison (1950).
    template <class Real>
    void take(const Real* key, const Real* value) {
        double answer = 1;
        for (Index i = 0; i < width_; ++i) {
            double& sum = step_[static_cast<std::size_t>(i)];
            sum = 0;
            for (Index c = 0; c < width_; ++c)
                sum += inverse_[size(i, width_) + static_cast<std::size_t>(c)] * static_cast<double>(key[c]);
            answer += sum * static_cast<double>(key[i]);
        }
        for (Index i = 0; i < width_; ++i) {
            double* row = inverse_.data() + i * width_;
            const double share = step_[static_cast<std::size_t>(i)] / answer;
            for (Index c = 0; c < width_; ++c)
                row[c] -= share * step_[static_cast<std::size_t>(c)];
            double* sums = products_.data() + i * value_width_;
            for (Index c = 0; c < value_width_; ++c)
                sums[c] += static_cast<double>(key[i]) * static_cast<double>(value[c]);
        }
    }

    /// P q
    template <class Real>
    void solve(const Real* query, double* solution) const {
        for (Index i = 0; i < width_; ++i) {
            solution[i] = 0;
            for (Index c = 0; c < width_; ++c)
                solution[i] +=
                    inverse_[size(i, width_) + static_cast<std::size_t>(c)] * static_cast<double>(query[c]);
        }
    }

    const std::vector<double>& products() const { return products_; }

private:
    static std::size_t size(Index rows, Index columns) { return static_cast<std::size_t>(rows * columns); }

    Index width_, value_width_;
    std::vector<double> inverse_;   ///< P [d, d]
    std::vector<double> products_;  ///< G [d, d_v]
    std::vector<double> step_;      ///< P k
};

template <class Real>
void run(const Plan& plan, const HeadTask<Real>& task, const Recorder& record) {
    const Index d = plan.head_query_width(), d_v = plan.head_value_width(), m = plan.keys;
    LeastSquares fit(d, d_v, ridge(plan));
    std::vector<double> solution(static_cast<std::size_t>(d)), context(static_cast<std::size_t>(d_v));
    Index taken = 0;
    for (Index query = 0; query < plan.queries; ++query) {
        Interruption::check();
        const Index end = plan.allowed.end(query), at = task.head * plan.queries + query;
        for (; taken < end; ++taken)
            fit.take(task.key.data + taken * task.key.stride, task.value.data + taken * task.value.stride);
        fit.solve(task.query.data + query * task.query.stride, solution.data());
        std::ranges::fill(context, 0.0);
        for (Index i = 0; i < d; ++i)
            for (Index c = 0; c < d_v; ++c)
                context[static_cast<std::size_t>(c)] += solution[static_cast<std::size_t>(i)] *
                                                        fit.products()[static_cast<std::size_t>(i * d_v + c)];
        for (Index c = 0; c < d_v; ++c)
            task.context[query * task.context_stride + c] =
                static_cast<Real>(context[static_cast<std::size_t>(c)]);
        record.write("solutions", at * d, solution.data(), d);
        record.write("state", at * d * d_v, fit.products().data(), d * d_v);
        for (Index key = 0; task.weights && key < m; ++key) {
            double weight = 0;
            for (Index c = 0; key < end && c < d; ++c)
                weight += solution[static_cast<std::size_t>(c)] *
                          static_cast<double>(task.key.data[key * task.key.stride + c]);
            task.weights[query * m + key] = static_cast<Real>(weight);
        }
    }
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
    component.declared_stages = {
        {"similarities", "Similarities"}, {"solutions", "Solutions"}, {"state", "State"}};
    component.steps = [](const Plan& plan, auto& pipeline) {
        pipeline.algorithm = [&plan](const auto& task, const Recorder& record) { run(plan, task, record); };
    };
    component.cost = [](const Plan& plan) {
        const auto d = static_cast<double>(plan.head_query_width());
        const double state = d * (d + static_cast<double>(plan.head_value_width()));
        const double heads = static_cast<double>(plan.heads);
        return AlgorithmCost{.multiply_adds = heads * (static_cast<double>(plan.keys) * (state + d * d) +
                                                       static_cast<double>(plan.queries) * state),
                             .state_numbers = heads * state};
    };
    component.explain = [](const ExplainedCell& cell, std::string_view stage) -> Arithmetic {
        if (stage == "solutions")
            return "feature " + std::to_string(cell.column + 1) +
                   " of (Σ kᵀ k + λ I)⁻¹ q over the keys so far";
        return stage == "weights" ? "(Σ kᵀ k + λ I)⁻¹ q times the key" : "";
    };
    return component;
}

}  // namespace headlight
