#include "core/attention/pipeline_steps.h"

#include "core/attention/component.h"
#include "core/attention/vector_length.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr double smallest_variance = 1e-6;  // as PyTorch's RMSNorm and Qwen3 have it

template <class Real>
void normalize(Real* vector, Index width, VectorNorm norm, const Real* gain) {
    double mean = 0;
    for (Index i = 0; i < width && norm == VectorNorm::layer; ++i)
        mean += static_cast<double>(vector[i]) / static_cast<double>(width);
    const Length length = length_around(vector, width, mean, norm != VectorNorm::l2, smallest_variance);
    for (Index i = 0; i < width; ++i)
        vector[i] = static_cast<Real>(length.divide(static_cast<double>(vector[i]) - mean)) *
                    (gain ? gain[i] : Real(1));
}

template <class Real>
void add_norm(const Plan& plan, Pipeline<Real>& pipeline) {
    const VectorNorm norm = plan.spec.score.vector_norm;
    if (norm == VectorNorm::none)
        return;
    const bool has_gain = norm != VectorNorm::l2;
    const auto step = [norm](const Real* gain, Index width) {
        return [=](Real* vector, Index, Index) { normalize(vector, width, norm, gain); };
    };
    pipeline.vectors.push_back({"normalized_query", "normalized_key",
                                step(pipeline.operands.vector("g_q", has_gain), plan.head_query_width()),
                                step(pipeline.operands.vector("g_k", has_gain), plan.head_key_width())});
}

template <class Real>
void add_softcap(const Plan& plan, Pipeline<Real>& pipeline) {
    if (!plan.spec.score.softcap)
        return;
    const Real cap = static_cast<Real>(*plan.spec.score.softcap);
    pipeline.after_scale.push_back(
        [cap, &table = pipeline.operands.table()](const ScoreRow<Real>& row, const Recorder&) {
            constexpr Index part = 256;
            Real capped[part];
            for (Index first = 0; first < row.size; first += part) {
                Real* scores = row.values + first;
                const Index count = std::min(part, row.size - first);
                for (Index key = 0; key < count; ++key)
                    capped[key] = scores[key] / cap;
                table.activate(Activation::tanh, capped, count);
                for (Index key = 0; key < count; ++key)
                    scores[key] = std::isinf(scores[key]) ? scores[key] : cap * capped[key];
            }
        });
}

/// map[i] of every cell becomes sum_h mixing[i, h] map[h] (Shazeer et al. 2020, section 3).
template <class Real>
typename Pipeline<Real>::MixFunction mix_heads(const Plan& plan, const Real* mixing, const char* stage) {
    const Index heads = plan.heads, keys = plan.keys, head_size = plan.queries * plan.keys;
    return [=](Real* map, Index first, Index count, const Recorder& record) {
        constexpr Index cells = 256;  // of every head at a time
        std::vector<Real> before(static_cast<std::size_t>(heads * cells));
        const Index end = (first + count) * keys;
        for (Index at = first * keys; at < end; at += cells) {
            const Index size = std::min(cells, end - at);
            for (Index head = 0; head < heads; ++head)
                std::copy_n(map + head * head_size + at, size, before.data() + head * cells);
            for (Index to = 0; to < heads; ++to) {
                Real* mixed = map + to * head_size + at;
                std::fill_n(mixed, size, Real(0));
                for (Index from = 0; from < heads; ++from)
                    for (Index i = 0; i < size; ++i)
                        mixed[i] +=
                            mixing[to * heads + from] * before[static_cast<std::size_t>(from * cells + i)];
                for (Index i = 0; i < size; ++i)  // forbidden in every head
                    mixed[i] = std::isinf(before[static_cast<std::size_t>(i)])
                                   ? before[static_cast<std::size_t>(i)]
                                   : mixed[i];
            }
        }
        for (Index head = 0; head < heads; ++head)
            record.write(stage, head * head_size + first * keys, map + head * head_size + first * keys,
                         count * keys);
    };
}

template <class Real>
void add_head_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    if (plan.spec.heads.type != HeadsType::talking)
        return;
    pipeline.mix_scores = mix_heads(plan, pipeline.operands.vector("P_scores"), "mixed_scores");
    pipeline.mix_weights = mix_heads(plan, pipeline.operands.vector("P_weights"), "weights");
}

}  // namespace

template <class Real>
void add_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    add_norm(plan, pipeline);
    for_each_component(plan.spec, [&](const auto& component) { component.steps(plan, pipeline); });
    add_softcap(plan, pipeline);
    add_head_steps(plan, pipeline);
}

template void add_steps(const Plan&, Pipeline<float>&);
template void add_steps(const Plan&, Pipeline<double>&);

}  // namespace headlight
