#include "core/attention/component.h"
#include "core/attention/normalizers/stopping.h"

namespace headlight {
namespace {

/// b_j = sum over the stops k of a_k times the softmax of the scores u in the chunk of `width` keys that ends
/// at k (Chiu and Raffel 2018, eq. 10).
template <class Real>
void attend_in_chunks(const double* stopped, const Real* u, Index keys, Index width, double* weights) {
    std::fill(weights, weights + keys, 0.0);
    double* powers = scratch<double, 4>(width);
    for (Index stop = 0; stop < keys; ++stop) {
        if (stopped[stop] == 0)
            continue;
        const Index first = std::max<Index>(0, stop - width + 1);
        const double largest = static_cast<double>(*std::max_element(u + first, u + stop + 1));
        double sum = 0;
        for (Index key = first; key <= stop; ++key)
            sum += powers[key - first] = std::exp(static_cast<double>(u[key]) - largest);
        for (Index key = first; key <= stop; ++key)
            weights[key] += stopped[stop] * powers[key - first] / sum;
    }
}

/// The same with every chunk beginning at the first key (Arivazhagan et al. 2019), in one pass forth and one
/// back. L_k = ln of the sum of exp(u_l), l <= k, never falls, so that t_j = sum over k >= j of a_k
/// exp(L_j - L_k) cannot overflow; b_j = exp(u_j - L_j) t_j.
template <class Real>
void attend_to_all_before(const double* stopped, const Real* u, Index keys, double* weights) {
    double* sums = scratch<double, 4>(keys);
    double sum = forbidden<double>;
    for (Index key = 0; key < keys; ++key) {
        const double score = static_cast<double>(u[key]);
        const double high = std::max(score, sum), low = std::min(score, sum);
        sums[key] = sum = high == forbidden<double> ? high : high + std::log1p(std::exp(low - high));
    }
    double t = 0;
    for (Index key = keys - 1; key >= 0; --key) {
        weights[key] = 0;
        if (sums[key] == forbidden<double>)
            continue;
        if (key + 1 < keys)
            t *= std::exp(sums[key] - sums[key + 1]);
        t += stopped[key];
        weights[key] = std::exp(static_cast<double>(u[key]) - sums[key]) * t;
    }
}

template <class Real>
void add_steps(const Plan& plan, Journey<Real>& journey) {
    const Index width = option<Index>(plan.spec.normalizer.options, "width");
    journey.normalize_head = [=, &plan, kernels = &kernels_of(journey)](Index head, Real* scores,
                                                                        const Recorder& recorder) {
        const Index keys = plan.keys;
        Stopping<Real> stopping(plan, *kernels);
        double* weights = scratch<double, 5>(keys);
        for (Index query = 0; query < plan.queries; ++query) {
            Real* row = scores + query * keys;
            const RowRecord<Real> record(recorder, plan, head, query);
            const double* stopped = stopping.next(row, record);
            if (!stopped) {
                std::fill(row, row + keys, Real(0));
                continue;
            }
            record.row("stopping_weights", stopped, keys);
            if (width == 0)
                attend_to_all_before(stopped, row, keys, weights);
            else
                attend_in_chunks(stopped, row, keys, width, weights);
            for (Index key = 0; key < keys; ++key)
                row[key] = static_cast<Real>(weights[key]);
        }
    };
}

}  // namespace

NormalizerComponent declare_normalizers_chunkwise() {
    NormalizerComponent component;
    component.type = NormalizerType::chunkwise;
    component.word = "chunkwise";
    component.meaning = "monotonic attention chooses where a chunk of w keys ends; inside it a softmax "
                        "(Chiu and Raffel 2018, MoChA; without a limit Arivazhagan et al. 2019, MILk)";
    component.options = stopping_options();
    component.options.insert(component.options.begin(),
                             {.name = "width",
                              .label = "Chunk width w",
                              .standard = Index(3),
                              .minimum = 0,
                              .maximum = 1024,
                              .logarithmic = false,
                              .help = "How many keys, up to the one where the query stops, share its weight.",
                              .minimum_word = "all before"});
    component.stages = [](const Plan&, StageList& list) {
        add_stopping_stages(list);
        list.add_map("stopping_weights");
    };
    component.steps = [](const Plan& plan, auto& journey) { add_steps(plan, journey); };
    component.explain = [](const ExplainedCell& cell, std::string_view stage) -> std::string {
        const std::string text = explain_stopping(cell, stage);
        if (!text.empty())
            return text;
        if (stage == "stopping_weights")
            return cell.shown("stopping_probabilities") + " × the chance of arriving at this key";
        return "its share of every chunk that it lies in, times the chance that the chunk ends there";
    };
    return component;
}

}  // namespace headlight
