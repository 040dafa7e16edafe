#include "core/attention/executor.h"

#include "core/attention/component.h"
#include "core/attention/head_hooks.h"
#include "core/attention/normalizers/kernel_rule.h"
#include "core/attention/operands.h"
#include "core/attention/pipeline_steps.h"
#include "core/attention/program_run.h"
#include "core/attention/sigmoid.h"
#include "core/attention/stages.h"
#include "core/attention/widths.h"
#include "core/attention/work_shares.h"
#include "core/tensor/interruption.h"
#include "core/tensor/parallel.h"
#include "core/tensor/random.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <vector>

namespace headlight {
namespace {

/// [row, head * d] to the stage [head, row, d].
template <class Real>
void record_by_head(const Recorder& record, std::string_view name, MatrixView<Real> from, Index heads) {
    if (record.stage(name).empty())
        return;
    const Index width = from.columns / heads;
    for (Index head = 0; head < heads; ++head)
        for (Index row = 0; row < from.rows; ++row) {
            Interruption::check();
            record.write(name, (head * from.rows + row) * width, from.row(row) + head * width, width);
        }
}

}  // namespace

template <class Real>
struct Executor<Real>::State {
    /// A part of all maps: consecutive heads, consecutive queries of each.
    struct Tile {
        Index head = 0, heads = 0;
        Index query = 0, queries = 0;
    };

    State(std::shared_ptr<const Plan> given, Weights weights, int wanted_threads)
        : plan(std::move(given)), kernels(kernels::table<Real>(kernels::chosen_level())),
          threads(wanted_threads > 0 ? wanted_threads : threads_for(*plan)), operands(*plan, kernels),
          pipeline(*plan, operands), keeps_weights(weights == Weights::keep) {
        add_steps(*plan, pipeline);
        operands.prepare_scores(!pipeline.vectors.empty(), !pipeline.score && !pipeline.algorithm);
        rows_per_block = pipeline.ordered ? plan->queries : block_queries(*plan, sizeof(Real));
        tile = first_tile();
        if (keeps_weights || (!pipeline.algorithm && pipeline.is_mapped()))
            maps = Storage<Real>(tile.heads * tile.queries * plan->keys);
        else if (!pipeline.algorithm)
            scratch = Storage<Real>(threads * rows_per_block * plan->keys);
        if (!pipeline.algorithm && !plan->allowed.rows_from(0))
            allowed = Storage<std::uint8_t>(threads * rows_per_block * plan->keys);
        const Index width = plan->context_width();
        context = Storage<Real>(plan->queries * width);
        prepare_gate();
        if (projects_output(plan->spec) || pipeline.after_output)
            own_output = Storage<Real>(plan->queries * plan->output_width);
        if (projects_output(plan->spec))
            output_products.push_back({
                .left = contexts(),
                .right = operands.matrix("W_o"),
                .bias = operands.vector("b_o", plan->spec.projections.bias),
                .out = row_major(own_output.data(), plan->queries, plan->output_width),
            });
    }

    /// What of all maps there is room for at once: everything where the weights are kept, where nothing needs
    /// whole maps, or where they are small. Otherwise, where heads mix, all heads of some queries; where a
    /// normaliser couples the rows of a head, some heads; where both, everything.
    Tile first_tile() const {
        Tile whole{0, plan->heads, 0, plan->queries};
        if (keeps_weights || !pipeline.is_mapped() || has_room_for_all_maps(*plan))
            return whole;
        const bool mixes = pipeline.mix_scores || pipeline.mix_weights;
        if (!mixes)
            whole.heads = std::min<Index>(whole.heads, threads);
        else if (!pipeline.normalize_head)
            whole.queries = std::min(whole.queries, rows_per_block * threads);
        return whole;
    }

    void prepare_gate() {
        const Gate kind = plan->spec.heads.gate;
        if (kind == Gate::none)
            return;
        const Index width = kind == Gate::headwise ? plan->heads : plan->context_width();
        const auto weights = operands.matrix("W_gate");
        gate = Storage<Real>(plan->queries * width);
        gate_products.push_back({.left = operands.query_tokens(),
                                 .right = weights,
                                 .bias = operands.vector("b_gate"),
                                 .out = row_major(gate.data(), plan->queries, width)});
    }

    MatrixView<Real> contexts() const {
        return row_major(context.data(), plan->queries, plan->context_width());
    }
    std::span<const Real> output() const {
        return own_output.size() == 0 ? context.span() : own_output.span();
    }

    void multiply(const std::vector<kernels::Product<Real>>& products) {
        if (products.empty())
            return;
        const auto rows_of = [](const kernels::Product<Real>& product) {
            return product_rows(product.left.columns, product.out.columns);
        };
        const auto tasks_of = [&](const kernels::Product<Real>& product) {
            return parts_of_size(product.out.rows, rows_of(product));
        };
        Index tasks = 0;
        for (const auto& product : products)
            tasks += tasks_of(product);
        parallel_for(tasks, threads, [&](Index task, int) {
            auto product = products.begin();
            for (; task >= tasks_of(*product); ++product)
                task -= tasks_of(*product);
            const Index first = task * rows_of(*product);
            kernels.multiply(
                product->row_range(first, std::min(rows_of(*product), product->out.rows - first)));
        });
    }

    void pack() {
        const auto& packings = operands.packings();
        parallel_for(std::ssize(packings), threads, [&](Index i, int) {
            const auto& [from, to] = packings[static_cast<std::size_t>(i)];
            kernels.pack(from, to);
        });
    }

    /// Norms and rotations of the queries and keys before they meet.
    void change_vectors(const Recorder& record) {
        if (pipeline.vectors.empty())
            return;
        const Plan& p = *plan;
        const auto change = [&](MatrixView<Real> vectors, const auto& function, Index heads) {
            const Index width = vectors.columns / heads;
            if (function)
                parallel_for(vectors.rows, threads, [&](Index token, int) {
                    for (Index head = 0; head < heads; ++head)
                        function(vectors.row(token) + head * width, head, token);
                });
        };
        const MatrixView<Real> query = operands.fresh_compared_query();
        const MatrixView<Real> key = operands.fresh_compared_key();
        for (const auto& step : pipeline.vectors) {
            change(query, step.on_query, p.heads);
            change(key, step.on_key, p.kv_heads);
            record_by_head(record, step.query_stage, query, p.heads);
            record_by_head(record, step.key_stage, key, p.kv_heads);
        }
    }

    /// Returns the map's row of a head and a query of the tile.
    Real* map_at(Index head, Index first) {
        return maps.data() + ((head - tile.head) * tile.queries + first - tile.query) * plan->keys;
    }
    Real* weights_of(Index head, Index first, int thread) {
        return maps.size() > 0 ? map_at(head, first) : scratch.data() + thread * rows_per_block * plan->keys;
    }

    /// The pairs of a block, [queries, keys]: as they lie, or in `room`.
    const std::uint8_t* allowed_rows(Index first, Index queries, std::uint8_t* room) const {
        if (const std::uint8_t* cells = plan->allowed.rows_from(first))
            return cells;
        for (Index query = 0; query < queries; ++query)
            plan->allowed.write_row(first + query, room + query * plan->keys);
        return room;
    }

    /// From scores to weights, `weights` being [queries, keys].
    kernels::Block<Real> block(Index head, Index first, Index queries, Real* weights,
                               std::uint8_t* room_for_allowed) const {
        const Plan& p = *plan;
        kernels::Block<Real> block;
        block.mask = {.excludes = !p.spec.mask_value,
                      .is_prefix = p.allowed.is_prefix(),
                      .before_scale = p.spec.mask_order == MaskOrder::before_scale,
                      .value = p.spec.mask_value.value_or(0)};
        block.normalizer = kernel_rule(p.spec.normalizer);
        block.queries = queries;
        block.keys = p.keys;
        block.allowed = allowed_rows(first, queries, room_for_allowed);
        const auto ends =
            p.allowed.ends().subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(queries));
        block.ends = ends.data();
        block.reach = block.mask.excludes ? std::ranges::max(ends) : p.keys;
        block.is_mapped = pipeline.is_mapped();
        if (block.is_mapped)
            block.reach = p.keys;
        operands.give(block, head, first);
        block.pause = Interruption::check;
        block.stream = substream(p.seed, static_cast<std::uint64_t>(head));
        block.first_query = first;
        block.weights = weights;
        return block;
    }

    /// From scores to context.
    kernels::Block<Real> block(Index head, Index first, int thread) {
        const Plan& p = *plan;
        const Index room = thread * rows_per_block * p.keys;
        kernels::Block<Real> rows =
            block(head, first, std::min(rows_per_block, p.queries - first), weights_of(head, first, thread),
                  allowed.size() > 0 ? allowed.data() + room : nullptr);
        const Index width = p.head_value_width();
        rows.context = contexts().column_range(head * width, width).row_range(first, rows.queries);
        return rows;
    }

    /// See Executor::read_rows(). What the stage does not have stays as it is in `to`.
    void compute_rows(std::string_view stage, Index head, Index first, Index count,
                      std::span<double> to) const {
        const Index keys = plan->keys, most = std::min(rows_per_block, count);
        const Index blocks = parts_of_size(count, most);
        const bool has_cells = plan->allowed.rows_from(0) != nullptr;
        const int team = omp_in_parallel() ? 1 : static_cast<int>(std::clamp<Index>(blocks, 1, threads));
        Storage<Real> weights(team * most * keys);
        Storage<std::uint8_t> room(has_cells ? 0 : team * most * keys);
        parallel_for(blocks, team, [&](Index each, int thread) {
            const Index done = each * most, queries = std::min(most, count - done);
            const auto part =
                to.subspan(static_cast<std::size_t>(done * keys), static_cast<std::size_t>(queries * keys));
            const Recorder record(stage, part, (head * plan->queries + first + done) * keys);
            const Index at = thread * most * keys;
            kernels::Block<Real> rows = block(head, first + done, queries, weights.data() + at,
                                              has_cells ? nullptr : room.data() + at);
            const HeadHooks<Real> hooks(pipeline, record, head, nullptr);
            if (pipeline.has_row_steps())
                rows.hooks = &hooks;
            const kernels::StageSlots slot = slot_of(stage, part.data());
            kernels.score_rows(rows, &slot);
            kernels.normalize_rows(rows, &slot);
        });
    }

    /// Blocks of queries in the tile.
    Index blocks() const { return parts_of_size(tile.queries, rows_per_block); }

    /// Calls run(block, head, first query) for every block of every head of the tile.
    template <class Run>
    void for_each_block(const Recorder& record, const Run& run) {
        parallel_for(tile.heads * blocks(), threads, [&](Index task, int thread) {
            const Index head = tile.head + task / blocks();
            const Index first = tile.query + task % blocks() * rows_per_block;
            kernels::Block<Real> rows = block(head, first, thread);
            const HeadHooks<Real> hooks(pipeline, record, head,
                                        pipeline.ordered ? weights_of(head, 0, thread) : nullptr);
            if (pipeline.has_row_steps())
                rows.hooks = &hooks;
            run(rows, head, first);
            add_to_context(rows, head);
            if (progress)
                progress(static_cast<double>(blocks_done.fetch_add(1, std::memory_order_relaxed) + 1) /
                         static_cast<double>(tile.heads * blocks()));
        });
    }

    void add_to_context(const kernels::Block<Real>& rows, Index head) {
        for (const auto& step : pipeline.after_context)
            for (Index query = 0; query < rows.queries; ++query)
                step(head, rows.first_query + query, rows.weights + query * rows.keys,
                     rows.context.row(query));
    }

    void for_each_head(const std::vector<typename Pipeline<Real>::HeadFunction>& steps,
                       const Recorder& record) {
        parallel_for(steps.empty() ? 0 : plan->heads, threads, [&](Index head, int) {
            for (const auto& step : steps)
                step(head, record);
        });
    }

    void attend(const Recorder& record, const BlockSlots* slots) {
        for_each_head(pipeline.prepare, record);
        if (pipeline.algorithm)
            return run_algorithm(record);
        if (pipeline.is_mapped())
            return attend_mapped(record, slots);
        for_each_block(record, [&](const kernels::Block<Real>& rows, Index head, Index first) {
            if (slots)
                kernels.attend_recorded(rows, slots->at(head, first));
            else
                kernels.attend(rows);
        });
    }

    /// Tile after tile, because something needs all rows of a head, or of all heads, at once.
    void attend_mapped(const Recorder& record, const BlockSlots* slots) {
        const Tile first = tile;
        for (tile.head = 0; tile.head < plan->heads; tile.head += first.heads) {
            tile.heads = std::min(first.heads, plan->heads - tile.head);
            for (tile.query = 0; tile.query < plan->queries; tile.query += first.queries) {
                tile.queries = std::min(first.queries, plan->queries - tile.query);
                attend_tile(record, slots);
            }
        }
        tile = first;
    }

    /// In three sweeps.
    void attend_tile(const Recorder& record, const BlockSlots* slots) {
        const Plan& p = *plan;
        const auto sweep = [&](auto kernel) {
            for_each_block(record, [&](const kernels::Block<Real>& rows, Index head, Index first) {
                const kernels::StageSlots at = slots ? slots->at(head, first) : kernels::StageSlots();
                kernel(rows, slots ? &at : nullptr);
            });
        };
        const auto mix = [&](const auto& function) {
            parallel_for(function ? blocks() : 0, threads, [&](Index task, int) {
                const Index done = task * rows_per_block;
                const Index count = std::min(rows_per_block, tile.queries - done);
                function({.data = maps.data() + done * p.keys,
                          .rows = tile.heads,
                          .columns = count * p.keys,
                          .stride = tile.queries * p.keys},
                         tile.query + done, count, record);
            });
        };
        sweep(kernels.score_rows);
        mix(pipeline.mix_scores);
        if (pipeline.normalize_head)
            parallel_for(tile.heads, threads, [&](Index i, int) {
                const Index head = tile.head + i, size = p.queries * p.keys;
                Real* map = map_at(head, 0);
                pipeline.normalize_head(head, map, record);
                for (Index query = 0; query < p.queries; ++query) {
                    const ScoreRow<Real> row{head, query, map + query * p.keys, p.keys};
                    for (const auto& step : pipeline.after_normalize)
                        step(row, record);
                    if (pipeline.finish_row)
                        pipeline.finish_row(row, record);
                }
                record.write("weights", head * size, map, size);
            });
        else
            sweep(kernels.normalize_rows);
        mix(pipeline.mix_weights);
        sweep(
            [&](const kernels::Block<Real>& rows, const kernels::StageSlots*) { kernels.sum_values(rows); });
    }

    void run_algorithm(const Recorder& record) {
        const Plan& p = *plan;
        parallel_for(p.heads, threads, [&](Index head, int) {
            const Index kv_head = p.kv_head(head);
            const Index width = p.head_value_width(), map = p.queries * p.keys;
            HeadTask<Real> task;
            task.head = head;
            task.query = operands.compared_query(head);
            task.key = operands.compared_key(kv_head);
            task.value = operands.value().column_range(kv_head * width, width);
            task.context = contexts().column_range(head * width, width);
            if (keeps_weights)
                task.weights = row_major(map_at(head, 0), p.queries, p.keys);
            pipeline.algorithm(task, record);
            if (task.wants_weights())
                record.write("weights", head * map, task.weights.data, map);
        });
    }

    void apply_gate(const Recorder& record) {
        if (gate_products.empty())
            return;
        const Plan& p = *plan;
        multiply(gate_products);
        const Index width = gate_products.front().out.columns, per_gate = p.context_width() / width;
        parallel_for(p.queries, threads, [&](Index query, int) {
            Real* openings = gate.data() + query * width;
            Real* gated = context.data() + query * p.context_width();
            for (Index i = 0; i < width; ++i) {
                const Real opening = sigmoid(openings[i]);
                openings[i] = opening;
                for (Index c = 0; c < per_gate; ++c)
                    gated[i * per_gate + c] *= opening;
            }
        });
        record.write("gate", 0, gate.data(), std::ssize(gate));
        record_by_head(record, "gated_context", contexts(), p.heads);
    }

    /// From the contexts to the output.
    void finish_output(const Recorder& record) {
        multiply(output_products);
        if (!pipeline.after_output)
            return;
        if (output_products.empty())
            std::ranges::copy(context.span(), own_output.data());
        for (Index query = 0; query < plan->queries; ++query) {
            Interruption::check();
            pipeline.after_output(query, own_output.data() + query * plan->output_width, record);
        }
    }

    /// From q, k and v to the output; the trace is empty when nothing is recorded.
    void run(const Recorder& record, const BlockSlots* slots) {
        const Plan& p = *plan;
        blocks_done = 0;
        multiply(operands.projections());
        record_by_head(record, "query", operands.query(), p.heads);
        record_by_head(record, "key", operands.key(), p.kv_heads);
        record_by_head(record, "value", operands.value(), p.kv_heads);
        change_vectors(record);
        for_each_head(pipeline.before_product, record);
        multiply(operands.score_products());
        pack();
        attend(record, slots);
        record_by_head(record, "context", contexts(), p.heads);
        apply_gate(record);
        record.write("concatenation", 0, context.data(), std::ssize(context));
        finish_output(record);
        record.write("output", 0, output().data(), std::ssize(output()));
    }

    std::shared_ptr<const Plan> plan;
    const kernels::Table<Real>& kernels;
    int threads;
    Operands<Real> operands;
    Pipeline<Real> pipeline;
    bool keeps_weights;
    std::function<void(double share)> progress;
    std::atomic<Index> blocks_done = 0;
    Index rows_per_block = 1;
    Tile tile;              ///< that is worked on
    Storage<Real> maps;     ///< of a tile, [head, query, key]: of everything when the weights are kept
    Storage<Real> scratch;  ///< [thread, query of a block, key], where no map is needed whole
    Storage<std::uint8_t> allowed;  ///< the same, 1 = allowed, where the plan has no cells
    Storage<Real> context;          ///< [query, head * d_v]
    Storage<Real> gate;             ///< [query, head * d_v] or [query, head]; empty when there is none
    Storage<Real> own_output;       ///< [query, d_out]; empty when the context is the output
    std::vector<kernels::Product<Real>> gate_products;
    std::vector<kernels::Product<Real>> output_products;
};

template <class Real>
Executor<Real>::Executor(std::shared_ptr<const Plan> plan, Weights weights, int threads) {
    if (runs_by_program(plan->spec))
        program_ = std::make_unique<ProgramRun<Real>>(plan, weights == Weights::keep,
                                                      threads > 0 ? threads : threads_for(*plan));
    else
        state_ = std::make_unique<State>(std::move(plan), weights, threads);
}
template <class Real>
Executor<Real>::Executor(Executor&&) noexcept = default;
template <class Real>
Executor<Real>& Executor<Real>::operator=(Executor&&) noexcept = default;
template <class Real>
Executor<Real>::~Executor() = default;

template <class Real>
void Executor<Real>::run() {
    if (program_)
        program_->run(nullptr);
    else
        state_->run(Recorder(), nullptr);
}

template <class Real>
void Executor<Real>::run(Trace& trace) {
    record_tokens(plan(), trace);
    if (program_)
        return program_->run(&trace);
    const BlockSlots slots(*state_->plan, trace);
    state_->run(Recorder(trace), &slots);
}

template <class Real>
void Executor<Real>::read_rows(std::string_view stage, Index head, Index first, Index count,
                               std::span<double> to) const {
    std::ranges::fill(to, 0.0);  // as in a trace
    if (program_)
        return program_->read_rows(stage, head, first, count, to);
    state_->compute_rows(stage, head, first, count, to);
}

template <class Real>
void Executor<Real>::report_to(const std::function<void(double share)>& progress) {
    if (program_)
        program_->report_to(progress);
    else
        state_->progress = progress;
}

template <class Real>
bool Executor<Real>::has_rows_of(std::string_view stage) const {
    if (program_)
        return program_->has_rows_of(stage);
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
std::string Executor<Real>::repeated_by(std::string_view stage) const {
    if (program_)
        return program_->repeated_by(stage);
    const Plan& plan = *state_->plan;
    const Pipeline<Real>& pipeline = state_->pipeline;
    const bool is_masked_first = plan.spec.mask_order == MaskOrder::before_scale;
    const std::string_view unscaled = is_masked_first ? "masked_scores" : "scores";
    const std::string_view unmasked = is_masked_first ? "scores" : "biased_scores";
    if (stage == "scaled_scores" && static_cast<Real>(plan.scale) == Real(1) && pipeline.after_scale.empty())
        return std::string(unscaled);
    if (stage == "biased_scores" && pipeline.bias.empty())
        return "scaled_scores";
    const bool is_selected = !is_masked_first && !pipeline.select.empty();
    if (stage == "masked_scores" && plan.allowed.all_allowed() && !is_selected)
        return std::string(unmasked);
    return {};
}

bool has_lazy_rows(const Plan& plan) {
    const AttentionSpec& spec = plan.spec;
    if (runs_by_program(spec))
        return !made_whole(plan);
    const NormalizerComponent* normalizer = component_of(spec.normalizer.type);
    const ScoreComponent* score = component_of(spec.score.type);
    return is_composed(spec) && !changes_weights(spec) && spec.heads.type != HeadsType::talking &&
           !(normalizer && normalizer->couples_rows) && !(score && score->is_ordered);
}

template <class Real>
const Plan& Executor<Real>::plan() const {
    return program_ ? program_->plan() : *state_->plan;
}
template <class Real>
std::span<const Real> Executor<Real>::weights() const {
    if (program_)
        return program_->weights();
    return state_->keeps_weights ? state_->maps.span() : std::span<const Real>();
}
template <class Real>
std::span<const Real> Executor<Real>::context() const {
    return program_ ? program_->context() : state_->context.span();
}
template <class Real>
std::span<const Real> Executor<Real>::output() const {
    return program_ ? program_->output() : state_->output();
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
