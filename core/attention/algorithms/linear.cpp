#include "core/attention/component.h"
#include "core/attention/journey.h"

#include <cmath>

namespace headlight {
namespace {

/// phi(x) = elu(x) + 1, above 0 everywhere.
template <class Real>
Real feature(Real x) {
    return x > 0 ? x + 1 : std::exp(x);
}

/// o_t = phi(q_t) S_t / phi(q_t) z_t with S_t = sum phi(k)^T v, z_t = sum phi(k) over the keys that t sees:
/// no map is ever formed.
template <class Real>
void recur(const Plan& plan, const HeadTask<Real>& task) {
    const Index d = plan.head_query_width(), d_v = plan.head_value_width();
    std::vector<Real> state(static_cast<std::size_t>(d * d_v)), sum(static_cast<std::size_t>(d));
    Index taken = 0;
    const auto take = [&](Index end) {
        for (; taken < end; ++taken) {
            const Real* value = task.value.data + taken * task.value.stride;
            for (Index i = 0; i < d; ++i) {
                const Real phi = feature(task.key.data[taken * task.key.stride + i]);
                sum[static_cast<std::size_t>(i)] += phi;
                Real* row = state.data() + i * d_v;
                for (Index c = 0; c < d_v; ++c)
                    row[c] += phi * value[c];
            }
        }
    };
    for (Index t = 0; t < plan.queries; ++t) {
        take(plan.allowed.end(t));
        Real* context = task.context + t * task.context_stride;
        std::fill_n(context, d_v, Real(0));
        if (taken == 0)
            continue;
        Real denominator = 0;
        for (Index i = 0; i < d; ++i) {
            const Real phi = feature(task.query.data[t * task.query.stride + i]);
            denominator += phi * sum[static_cast<std::size_t>(i)];
            const Real* row = state.data() + i * d_v;
            for (Index c = 0; c < d_v; ++c)
                context[c] += phi * row[c];
        }
        for (Index c = 0; c < d_v; ++c)
            context[c] /= denominator;
    }
}

/// The weights that were never formed: A_ij = phi(q_i) . phi(k_j) / their sum over the keys that i sees.
template <class Real>
void form_weights(const Plan& plan, const HeadTask<Real>& task, const Recorder& record) {
    const Index n = plan.queries, m = plan.keys, d = plan.head_query_width();
    for (Index i = 0; i < n; ++i) {
        Real* row = task.weights + i * m;
        std::fill_n(row, m, Real(0));
        Real sum = 0;
        for (Index j = 0; j < plan.allowed.end(i); ++j) {
            for (Index c = 0; c < d; ++c)
                row[j] += feature(task.query.data[i * task.query.stride + c]) *
                          feature(task.key.data[j * task.key.stride + c]);
            sum += row[j];
        }
        record.write("similarities", (task.head * n + i) * m, row, m);
        for (Index j = 0; j < plan.allowed.end(i); ++j)
            row[j] /= sum;
    }
}

}  // namespace

AlgorithmComponent declare_algorithms_linear() {
    AlgorithmComponent component;
    component.type = AlgorithmType::linear;
    component.word = "linear";
    component.meaning =
        "o = φ(q) Σ φ(k)ᵀ v / φ(q) Σ φ(k)ᵀ with φ(x) = elu(x) + 1, as a running sum: time grows with "
        "the length, not its square (Katharopoulos et al. 2020)";
    component.stages = [](const Plan&, StageList& list) { list.add_map("similarities"); };
    component.steps = [](const Plan& plan, auto& journey) {
        journey.algorithm = [&plan](const auto& task, const Recorder& record) {
            recur(plan, task);
            if (task.weights)
                form_weights(plan, task, record);
        };
    };
    return component;
}

}  // namespace headlight
