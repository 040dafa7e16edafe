#include "core/attention/run_memory.h"

#include "core/attention/component.h"
#include "core/attention/position.h"
#include "core/attention/program_run.h"
#include "core/attention/stages.h"
#include "core/attention/trace_program.h"
#include "core/attention/widths.h"
#include "core/attention/work_shares.h"
#include "core/kernels/kernels.h"
#include "core/tensor/extents.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <type_traits>

namespace headlight {
namespace {

constexpr double number_bytes = sizeof(double);
constexpr double small_things = 1 << 17;  // names, functions, lists

/// A matrix as the kernels read it, its columns filled up.
double packed(Index rows, Index columns) {
    return elements(rows, columns) + elements(rows, kernels::padding<double> - 1);
}

double bytes_of(const Tensor& tensor) { return elements(tensor.size()) * number_bytes; }

/// A label is a string, short or on the heap as well.
double bytes_of(const std::vector<std::string>& labels) {
    return std::accumulate(labels.begin(), labels.end(), 0.0, [](double bytes, const std::string& label) {
        return bytes + elements(sizeof(std::string) + label.capacity());
    });
}

double plan_bytes(const Plan& plan) {
    const Inputs& inputs = plan.inputs;
    double bytes =
        small_things + bytes_of(inputs.query) + bytes_of(inputs.tokens.query) + bytes_of(inputs.tokens.key);
    for (const auto* optional : {&inputs.key, &inputs.value})
        bytes += *optional ? bytes_of(**optional) : 0;
    for (const auto& [name, tensor] : inputs.parameters)
        bytes += bytes_of(tensor);
    for (const ParameterInfo& info : plan.parameters)
        if (!inputs.parameters.contains(info.name))
            bytes += elements(element_count(info.shape)) * number_bytes;
    return bytes + std::max(AllowedPairs::most_bytes(plan.spec.mask, plan.queries, plan.keys),
                            static_cast<double>(plan.allowed.bytes()));  // more where a cache draws it anew
}

/// Some component reads it where the plan has it.
bool is_read_in_place(const AttentionSpec& spec, const std::string& parameter) {
    bool is_read = false;
    for_each_component(spec, [&](const auto& component) {
        is_read |= !component.copies_parameters &&
                   std::ranges::count(component.known_parameters, parameter, &KnownParameter::name) > 0;
    });
    return is_read;
}

/// Each parameter as the kernels read it, and the largest of them while it is rearranged.
double parameter_numbers(const Plan& plan) {
    double numbers = 0, largest = 0;
    for (const ParameterInfo& info : plan.parameters) {
        if (is_read_in_place(plan.spec, info.name))
            continue;
        const double size = elements(element_count(info.shape));
        numbers += info.shape.size() == 2 ? packed(info.shape[0], info.shape[1]) : size;
        largest = std::max(largest, size);
        if (info.name == "W_q" && plan.spec.heads.sharing == Sharing::query_key)
            numbers += packed(info.shape[0], info.shape[1]);  // for the keys once more
    }
    return numbers + largest;
}

double token_numbers(const Plan& plan) {
    const Inputs& inputs = plan.inputs;
    double numbers = elements(inputs.query.size());
    for (const auto* optional : {&inputs.key, &inputs.value})
        numbers += *optional ? elements((**optional).size()) : 0;
    if (adds_to_tokens(plan.spec))  // the term, while it is added
        numbers += elements(std::max(inputs.query.size(), inputs.key_tokens().size()));
    return numbers;
}

/// q, k and v, the copies that norms change, and what the scores are computed from.
double vector_numbers(const Plan& plan) {
    const AttentionSpec& spec = plan.spec;
    const double queries = elements(plan.queries, plan.query_width),
                 keys = elements(plan.keys, plan.key_width);
    const bool makes_own = makes_keys_and_values(spec);
    double numbers = packed(plan.keys, plan.value_width);
    if (projects_queries(spec))
        numbers += queries;
    if (projects_queries(spec) || makes_own)
        numbers += keys;
    if (projects_values(spec) || makes_own)
        numbers += elements(plan.keys, plan.value_width);
    if (spec.score.vector_norm != VectorNorm::none)
        numbers += queries + keys;
    if (!is_composed(spec))
        return numbers;
    if (plan.attention_width > 0) {
        if (component_of(spec.score.type))  // which has energies of its own
            return numbers;
        const double width = elements(plan.attention_width + kernels::padding<double> - 1);
        return numbers + width * (elements(plan.queries, plan.heads) + elements(plan.keys, plan.kv_heads));
    }
    if (spec.score.type == ScoreType::general)
        numbers += elements(plan.queries, plan.heads, plan.head_key_width());
    return numbers + packed(plan.key_width, plan.keys);
}

/// The queries of a head that a thread works on at once; Executor's blocks.
Index rows_at_once(const Plan& plan) {
    const NormalizerComponent* normalizer = component_of(plan.spec.normalizer.type);
    const ScoreComponent* score = component_of(plan.spec.score.type);
    const bool whole_heads = (normalizer && normalizer->couples_rows) || (score && score->is_ordered);
    return whole_heads ? plan.queries : std::min<Index>(plan.queries, block_queries(plan, sizeof(double)));
}

/// The pairs that the kernels read, where the plan has no cells for them.
double allowed_bytes(const Plan& plan, int threads) {
    if (!is_composed(plan.spec) || AllowedPairs::has_cells(plan.queries, plan.keys))
        return 0;
    return elements(rows_at_once(plan), plan.keys) * threads;
}

/// What of the weights there is at once; Executor's tiles.
double map_numbers(const Plan& plan, Keeps keeps, int threads) {
    const double all = elements(plan.heads, plan.queries, plan.keys);
    if (keeps == Keeps::weights || keeps == Keeps::trace)
        return all;
    if (!is_composed(plan.spec))
        return 0;
    const NormalizerComponent* normalizer = component_of(plan.spec.normalizer.type);
    const bool mixes = plan.spec.heads.type == HeadsType::talking;
    const bool couples = normalizer && normalizer->couples_rows;
    if ((mixes && couples) || ((mixes || couples) && has_room_for_all_maps(plan)))
        return all;
    return elements(mixes ? plan.heads : 1, rows_at_once(plan), plan.keys) * threads;
}

double step_bytes(const Plan& plan, Keeps keeps, int threads) {
    const RunNeeds needs{.real = number_bytes,
                         .forms_weights = keeps == Keeps::weights || keeps == Keeps::trace};
    // Rows that normalisers and positions work in.
    double bytes = elements(6 * plan.keys + plan.queries) * number_bytes * threads;
    for_each_component(plan.spec, [&](const auto& component) {
        if (!component.memory)
            return;
        const StepMemory memory = component.memory(plan, needs);
        Index at_work = threads;
        if constexpr (std::is_same_v<decltype(component), const AlgorithmComponent&>)
            if (!component.is_composed)  // head by head
                at_work = std::min<Index>(threads, plan.heads);
        bytes += memory.kept + memory.working * static_cast<double>(at_work);
    });
    return bytes;
}

/// Stages that are recorded, with maps or without, and the words of the tokens. `stages_of(options)` are
/// recorded_stages() or listed_stages().
template <class StagesOf>
double trace_bytes(const Plan& plan, Keeps keeps, TraceOptions recorded, const StagesOf& stages_of) {
    if (keeps != Keeps::trace && keeps != Keeps::rows)
        return 0;
    recorded.has_maps = keeps == Keeps::trace;
    return stages_of(recorded).bytes() + bytes_of(plan.inputs.tokens.query) +
           bytes_of(plan.inputs.tokens.key);
}

/// What a run by the program takes. Without parameters there is none yet: it has the scores, the weights and
/// one map between them at least, where these are kept.
RunMemory memory_by_program(const Plan& plan, Keeps keeps, const TraceOptions& options) {
    using Kept = ProgramNumbers::Kept;
    const Kept kept = keeps == Keeps::weights  ? Kept::weights
                      : keeps == Keeps::output ? Kept::ends
                      : keeps == Keeps::rows   ? Kept::rows
                                               : Kept::lines;
    const int threads = options.threads > 0 ? options.threads : threads_for(plan);
    RunMemory memory;
    memory.plan = plan_bytes(plan);
    const double map = elements(plan.heads, plan.queries, plan.keys);
    const bool keeps_weights = keeps == Keeps::weights || keeps == Keeps::trace;
    memory.maps =
        ((keeps_weights ? map : 0) + elements(plan.queries, plan.context_width() + plan.output_width)) *
        number_bytes;
    const bool has_parameters = std::ranges::all_of(plan.parameters, [&](const ParameterInfo& info) {
        return plan.inputs.parameters.contains(info.name);
    });
    std::optional<Program> program;
    if (has_parameters)
        program = outline_of(plan);
    memory.steps = program                ? program_bytes(plan, *program, kept, threads)
                   : keeps == Keeps::rows ? 0
                                          : 3 * map * number_bytes;
    memory.trace = trace_bytes(plan, keeps, options, [&](const TraceOptions& recorded) {
        return program ? recorded_stages(plan, *program, recorded) : listed_stages(plan, recorded);
    });
    return memory;
}

}  // namespace

RunMemory run_memory(const Plan& plan, Keeps keeps, const TraceOptions& options) {
    if (runs_by_program(plan.spec))
        return memory_by_program(plan, keeps, options);
    const int threads = options.threads > 0 ? options.threads : threads_for(plan);
    RunMemory memory;
    memory.plan = plan_bytes(plan);
    memory.operands = (parameter_numbers(plan) + token_numbers(plan) + vector_numbers(plan)) * number_bytes;
    const Index gates = plan.spec.heads.gate == Gate::none ? 0 : plan.context_width();
    memory.maps = (map_numbers(plan, keeps, threads) +
                   elements(plan.queries, plan.context_width() + plan.output_width + gates)) *
                      number_bytes +
                  allowed_bytes(plan, threads);
    memory.steps = step_bytes(plan, keeps, threads);
    memory.trace = trace_bytes(plan, keeps, options,
                               [&](const TraceOptions& recorded) { return listed_stages(plan, recorded); });
    return memory;
}

}  // namespace headlight
