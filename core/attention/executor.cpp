#include "core/attention/executor.h"

#include "core/attention/component.h"
#include "core/attention/executor_state.inc.h"
#include "core/attention/stages.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace headlight {

template <class Real>
Executor<Real>::Executor(std::shared_ptr<const Plan> plan, Weights weights, int threads)
    : state_(std::make_unique<State>(std::move(plan), weights, threads)) {}
template <class Real>
Executor<Real>::Executor(Executor&&) noexcept = default;
template <class Real>
Executor<Real>& Executor<Real>::operator=(Executor&&) noexcept = default;
template <class Real>
Executor<Real>::~Executor() = default;

template <class Real>
void Executor<Real>::run() {
    state_->run(Recorder(), nullptr);
}

template <class Real>
void Executor<Real>::run(Trace& trace) {
    record_tokens(*state_->plan, trace);
    const BlockSlots slots(*state_->plan, trace);
    state_->run(Recorder(trace), &slots);
}

template <class Real>
void Executor<Real>::read_rows(std::string_view stage, Index head, Index first, Index count,
                               std::span<double> to) const {
    std::ranges::fill(to, 0.0);  // as in a trace
    state_->compute_rows(stage, head, first, count, to);
}

template <class Real>
void Executor<Real>::report_to(const std::function<void(double share)>& progress) {
    state_->progress = progress;
}

template <class Real>
bool Executor<Real>::has_rows_of(std::string_view stage) const {
    if (is_map_of_kernels(stage))
        return true;
    // A number that no step computes: a NaN that carries a sign and a word.
    constexpr auto untouched = std::uint64_t(0xfff8'0000'dead'beef);
    const auto keys = static_cast<std::size_t>(state_->plan->keys);
    std::vector<double> row(keys, std::bit_cast<double>(untouched));
    state_->compute_rows(stage, 0, state_->plan->queries - 1, 1, row);
    return std::ranges::any_of(
        row, [&](double number) { return std::bit_cast<std::uint64_t>(number) != untouched; });
}

template <class Real>
std::string_view Executor<Real>::repeated_by(std::string_view stage) const {
    const Plan& plan = *state_->plan;
    const Pipeline<Real>& pipeline = state_->pipeline;
    const bool is_masked_first = plan.spec.mask_order == MaskOrder::before_scale;
    const std::string_view unscaled = is_masked_first ? "masked_scores" : "scores";
    const std::string_view unmasked = is_masked_first ? "scores" : "biased_scores";
    if (stage == "scaled_scores" && static_cast<Real>(plan.scale) == Real(1) && pipeline.after_scale.empty())
        return unscaled;
    if (stage == "biased_scores" && pipeline.bias.empty())
        return "scaled_scores";
    const bool is_selected = !is_masked_first && !pipeline.select.empty();
    if (stage == "masked_scores" && plan.allowed.all_allowed() && !is_selected)
        return unmasked;
    return {};
}

bool has_lazy_rows(const AttentionSpec& spec) {
    const NormalizerComponent* normalizer = component_of(spec.normalizer.type);
    const ScoreComponent* score = component_of(spec.score.type);
    return is_composed(spec) && !changes_weights(spec) && spec.heads.type != HeadsType::talking &&
           !(normalizer && normalizer->couples_rows) && !(score && score->is_ordered);
}

template <class Real>
const Plan& Executor<Real>::plan() const {
    return *state_->plan;
}
template <class Real>
std::span<const Real> Executor<Real>::weights() const {
    return state_->keeps_weights ? state_->maps.span() : std::span<const Real>();
}
template <class Real>
std::span<const Real> Executor<Real>::context() const {
    return state_->context.span();
}
template <class Real>
std::span<const Real> Executor<Real>::output() const {
    return state_->output();
}

template class Executor<float>;
template class Executor<double>;

Trace record(std::shared_ptr<const Plan> plan, const TraceOptions& options) {
    Trace trace = empty_trace(*plan, options);
    trace.parameters[""] = {plan, &plan->inputs.parameters};
    Executor<double>(std::move(plan), Executor<double>::Weights::keep, options.threads).run(trace);
    return trace;
}

}  // namespace headlight
