#include "core/attention/pipeline_steps.h"

#include "core/attention/component.h"
#include "core/attention/soft_cap.h"
#include "core/attention/vector_norm.h"
#include "core/kernels/arithmetic.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {
namespace {

template <class Real>
void add_norm(const Plan& plan, Pipeline<Real>& pipeline) {
    const VectorNorm norm = plan.spec.score.vector_norm;
    if (norm == VectorNorm::none)
        return;
    const bool has_gain = norm != VectorNorm::l2;
    const auto step = [norm](const Real* gain, Index width) {
        return [=](Real* vector, Index, Index) {
            normalize_vector(vector, width, measure(vector, width, norm), gain, vector);
        };
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
            to_soft_capped(row.values, row.size, cap, table);
        });
}

/// map[i] of every cell becomes sum_h mixing[i, h] map[h] (Shazeer et al. 2020, section 3).
template <class Real>
typename Pipeline<Real>::MixFunction mix_heads(const Plan& plan, const Real* mixing, const char* stage) {
    const Index heads = plan.heads, keys = plan.keys, queries = plan.queries;
    return [=, &by = kernels::chosen_arithmetic<Real>()](MatrixView<Real> maps, Index first, Index count,
                                                         const Recorder& record) {
        constexpr Index cells = 256;  // of every head at a time
        std::vector<Real> before(static_cast<std::size_t>(heads * cells));
        for (Index at = 0; at < count * keys; at += cells) {
            Interruption::check();
            const Index size = std::min(cells, count * keys - at);
            for (Index head = 0; head < heads; ++head)
                std::copy_n(maps.row(head) + at, size, before.data() + head * cells);
            for (Index to = 0; to < heads; ++to) {
                Real* mixed = maps.row(to) + at;
                std::fill_n(mixed, size, Real(0));
                by.add_scaled_rows(mixing + to * heads, {before.data(), heads, size, cells}, mixed);
                for (Index i = 0; i < size; ++i)  // forbidden in every head
                    mixed[i] = std::isinf(before[static_cast<std::size_t>(i)])
                                   ? before[static_cast<std::size_t>(i)]
                                   : mixed[i];
            }
        }
        for (Index head = 0; head < heads; ++head)
            record.write(stage, (head * queries + first) * keys, maps.row(head), count * keys);
    };
}

template <class Real>
void add_head_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    if (plan.spec.heads.type != HeadsType::talking)
        return;
    pipeline.mix_scores = mix_heads(plan, pipeline.operands.vector("P_scores"), "mixed_scores");
    pipeline.mix_weights = mix_heads(plan, pipeline.operands.vector("P_weights"), "weights");
}

/// After everything else: what is given holds.
template <class Real>
void add_given_rows(const Plan& plan, Pipeline<Real>& pipeline) {
    if (!plan.given)
        return;
    const auto place = [&plan](const ScoreRow<Real>& row) {
        return static_cast<std::size_t>((row.head * plan.queries + row.query) * plan.keys);
    };
    pipeline.select.push_back([&plan, place](const ScoreRow<Real>& row, const Recorder&) {
        const std::uint8_t* forbidden = plan.given->forbidden.data() + place(row);
        for (Index key = 0; key < row.size; ++key)
            row.values[key] = forbidden[key] ? -std::numeric_limits<Real>::infinity() : row.values[key];
    });
    pipeline.finish_row = [&plan, place](const ScoreRow<Real>& row, const Recorder&) {
        const double* weights = plan.given->weights.data() + place(row);
        for (Index key = 0; key < row.size; ++key)
            row.values[key] = static_cast<Real>(weights[key]);
    };
}

}  // namespace

template <class Real>
void add_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const ScoreComponent* score = component_of(plan.spec.score.type);
    pipeline.ordered = score && score->is_ordered;
    add_norm(plan, pipeline);
    for_each_component(plan.spec, [&](const auto& component) { component.steps(plan, pipeline); });
    add_softcap(plan, pipeline);
    add_head_steps(plan, pipeline);
    add_given_rows(plan, pipeline);
}

template void add_steps(const Plan&, Pipeline<float>&);
template void add_steps(const Plan&, Pipeline<double>&);

}  // namespace headlight
