#include "core/attention/executor.h"

#include "core/attention/operands.h"
#include "core/attention/parallel.h"
#include "core/attention/random.h"
#include "core/attention/stages.h"
#include "core/attention/widths.h"

#include <algorithm>

namespace headlight {
namespace {

/// Rows of a projection that one task computes.
constexpr Index projection_rows = 64;

/// Queries of one head that one task computes: few enough for their scores to stay in the L2 cache between
/// the passes over them. Depends on nothing but the shapes, so that results do not depend on the number of
/// threads.
Index block_queries(Index keys, std::size_t element_size) {
    constexpr Index cache_bytes = 256 * 1024;
    return std::clamp<Index>(cache_bytes / (keys * static_cast<Index>(element_size)), 8, 64);
}

/// Short sentences run in the caller's thread: below a millisecond, waking others and waiting for them costs
/// more than they bring, and on a busy machine much more.
int threads_for(const Plan& plan) {
    constexpr double worth_sharing = 3e7;
    const auto n = static_cast<double>(plan.queries), m = static_cast<double>(plan.keys);
    const double width = static_cast<double>(plan.key_width + plan.value_width);
    const double energies = 16.0 * static_cast<double>(plan.attention_width * plan.heads);
    const double multiplications = n * m * (width + energies) + (n + m) * width * width;
    return multiplications < worth_sharing ? 1 : omp_get_max_threads();
}

}  // namespace

template <class Real>
struct Executor<Real>::State {
    State(std::shared_ptr<const Plan> given, Weights weights)
        : plan(std::move(given)), kernels(kernels::table<Real>(kernels::chosen_level())),
          threads(threads_for(*plan)), operands(*plan, kernels),
          rows_per_block(block_queries(plan->keys, sizeof(Real))) {
        const bool keeps = weights == Weights::keep;
        if (keeps)
            kept_weights = Buffer<Real>(plan->heads * plan->queries * plan->keys);
        else
            scratch = Buffer<Real>(threads * rows_per_block * plan->keys);
        context = Buffer<Real>(plan->queries * plan->value_width);
        if (projects_output(plan->spec)) {
            projected = Buffer<Real>(plan->queries * plan->output_width);
            output_products.push_back({
                .left = context.data(),
                .left_stride = plan->value_width,
                .right = operands.matrix("W_o"),
                .bias = operands.vector("b_o", plan->spec.projections.bias),
                .out = projected.data(),
                .out_stride = plan->output_width,
                .rows = plan->queries,
                .depth = plan->value_width,
                .columns = plan->output_width,
            });
        }
    }

    std::span<const Real> output() const {
        return output_products.empty() ? context.span() : projected.span();
    }

    void multiply(const std::vector<kernels::Product<Real>>& products) {
        if (products.empty())
            return;
        const auto tasks_of = [](const kernels::Product<Real>& product) {
            return (product.rows + projection_rows - 1) / projection_rows;
        };
        Index tasks = 0;
        for (const auto& product : products)
            tasks += tasks_of(product);
        parallel_for(tasks, threads, [&](Index task, int) {
            auto product = products.begin();
            for (; task >= tasks_of(*product); ++product)
                task -= tasks_of(*product);
            kernels::Product<Real> part = *product;
            const Index first = task * projection_rows;
            part.left += first * part.left_stride;
            part.out += first * part.out_stride;
            part.rows = std::min(projection_rows, part.rows - first);
            kernels.multiply(part);
        });
    }

    void pack() {
        const auto& packings = operands.packings();
        parallel_for(std::ssize(packings), threads,
                     [&](Index i, int) { kernels.pack(packings[static_cast<std::size_t>(i)]); });
    }

    kernels::Block<Real> block(Index head, Index first, int thread) {
        const Plan& p = *plan;
        const Index queries = std::min(rows_per_block, p.queries - first);
        kernels::Block<Real> block;
        block.mask = {.excludes = !p.spec.mask_value,
                      .is_prefix = p.allowed.is_prefix(),
                      .before_scale = p.spec.mask_order == MaskOrder::before_scale,
                      .value = p.spec.mask_value.value_or(0)};
        block.normalizer = p.spec.normalizer;
        block.queries = queries;
        block.keys = p.keys;
        block.allowed = p.allowed.row(first).data();
        const auto ends =
            p.allowed.ends().subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(queries));
        block.ends = ends.data();
        block.reach = block.mask.excludes ? std::ranges::max(ends) : p.keys;
        operands.give(block, head, first);
        block.stream = substream(p.seed, static_cast<std::uint64_t>(head));
        block.first_query = first;

        block.weights = kept_weights.size() > 0 ? kept_weights.data() + (head * p.queries + first) * p.keys
                                                : scratch.data() + thread * rows_per_block * p.keys;
        block.context = context.data() + first * p.value_width + head * p.head_value_width();
        block.context_stride = p.value_width;
        return block;
    }

    /// Calls run(block, head, first query) for every block of every head.
    template <class Run>
    void attend(const Run& run) {
        const Index blocks = (plan->queries + rows_per_block - 1) / rows_per_block;
        parallel_for(plan->heads * blocks, threads, [&](Index task, int thread) {
            const Index head = task / blocks;
            const Index first = task % blocks * rows_per_block;
            run(block(head, first, thread), head, first);
        });
    }

    std::shared_ptr<const Plan> plan;
    const kernels::Table<Real>& kernels;
    int threads;
    Operands<Real> operands;
    Index rows_per_block;
    Buffer<Real> kept_weights;  ///< [head, query, key]
    Buffer<Real> scratch;       ///< [thread, query of a block, key], when weights are not kept
    Buffer<Real> context;       ///< [query, head * d_v]
    Buffer<Real> projected;     ///< [query, d_out]; empty when the context is the output
    std::vector<kernels::Product<Real>> output_products;
};

namespace {

/// [row, head * d] to the stage [head, row, d].
template <class Real>
void record_by_head(Trace& trace, std::string_view name, Rows<Real> from) {
    const Stage& stage = *trace.find(name);
    const Index heads = stage.shape[0], rows = stage.shape[1], width = stage.shape[2];
    double* to = trace.values(stage).data();
    for (Index head = 0; head < heads; ++head)
        for (Index row = 0; row < rows; ++row)
            to = std::copy_n(from.data + row * from.stride + head * width, width, to);
}

}  // namespace

template <class Real>
Executor<Real>::Executor(std::shared_ptr<const Plan> plan, Weights weights)
    : state_(std::make_unique<State>(std::move(plan), weights)) {}
template <class Real>
Executor<Real>::Executor(Executor&&) noexcept = default;
template <class Real>
Executor<Real>& Executor<Real>::operator=(Executor&&) noexcept = default;
template <class Real>
Executor<Real>::~Executor() = default;

template <class Real>
void Executor<Real>::run() {
    State& state = *state_;
    state.multiply(state.operands.projections());
    state.multiply(state.operands.score_products());
    state.pack();
    state.attend([&](const kernels::Block<Real>& block, Index, Index) { state.kernels.attend(block); });
    state.multiply(state.output_products);
}

template <class Real>
void Executor<Real>::run(Trace& trace) {
    State& state = *state_;
    record_tokens(*state.plan, trace);
    const BlockSlots slots(*state.plan, trace);
    state.multiply(state.operands.projections());
    record_by_head(trace, "query", state.operands.query());
    record_by_head(trace, "key", state.operands.key());
    record_by_head(trace, "value", state.operands.value());
    state.multiply(state.operands.score_products());
    state.pack();
    state.attend([&](const kernels::Block<Real>& block, Index head, Index first) {
        state.kernels.attend_recorded(block, slots.at(head, first));
    });
    record_by_head(trace, "context", Rows<Real>{state.context.data(), state.plan->value_width});
    std::ranges::copy(state.context.span().first(stage_values(trace, "concatenation").size()),
                      stage_values(trace, "concatenation").begin());
    state.multiply(state.output_products);
    std::ranges::copy(state.output(), stage_values(trace, "output").begin());
}

template <class Real>
const Plan& Executor<Real>::plan() const {
    return *state_->plan;
}
template <class Real>
std::span<const Real> Executor<Real>::weights() const {
    return state_->kept_weights.span();
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
    Executor<double>(std::move(plan)).run(trace);
    return trace;
}

}  // namespace headlight
