#include "core/io/compared_run.h"

#include "core/attention/executor.h"
#include "core/attention/overflow.h"
#include "core/attention/run_memory.h"
#include "core/attention/spec_words.h"
#include "core/map/lazy_run.h"
#include "core/tensor/memory.h"

#include <algorithm>
#include <array>
#include <new>
#include <numbers>
#include <span>

namespace headlight {
namespace {

constexpr std::string_view compared_stages[] = {"weights", "masked_scores"};

std::shared_ptr<const Plan> planned(const Session& session, const ComparedMechanism& compared,
                                    const Plan& own) {
    const AttentionSpec spec = compared_spec(session, compared);
    if (spec.source.type != own.spec.source.type) {
        const auto reads = [](SourceType type) {
            return type == SourceType::self ? "one sequence (self-attention)"
                                            : "two sequences (cross-attention)";
        };
        throw Error({"compare", "source",
                     std::string(reads(own.spec.source.type)) + ", as the main one reads",
                     reads(spec.source.type)});
    }
    const auto made = std::make_shared<const Plan>(
        plan(spec, session_inputs(session, spec), {.seed = session.seed, .keeps = own.keeps}));
    if (own.keeps == Keeps::rows && !has_lazy_rows(*made))
        throw Error({"compare", "sequence",
                     "fewer tokens, so that maps are kept as a whole, or a mechanism whose rows of weights "
                     "follow from their query and the keys alone",
                     std::to_string(own.queries) + " × " + std::to_string(own.keys) + " tokens"});
    return made;
}

/// What goes wrong with one mechanism is said of it, and the others run.
template <class Work>
void attempt(ComparedRun& compared, const Work& work) {
    try {
        work();
    } catch (const Error& error) {
        compared.refusal = error;
    } catch (const std::bad_alloc&) {
        compared.refusal =
            Error({"compare", compared.name, "a run that fits into memory", "one that does not"});
    }
    if (compared.refusal)
        compared.plan = nullptr;
}

/// Returns the bytes of the stages that are compared. Lazy ones hold nothing.
double compared_bytes(const Plan& plan) {
    return plan.keeps == Keeps::rows ? 0
                                     : static_cast<double>(std::size(compared_stages) * sizeof(double)) *
                                           static_cast<double>(plan.heads) *
                                           static_cast<double>(plan.queries) * static_cast<double>(plan.keys);
}

/// What stays of a run while the others go on: all that its rows follow from, or its maps alone.
double kept_bytes(const Plan& plan) {
    const RunMemory memory = run_memory(plan, plan.keeps);
    return plan.keeps == Keeps::rows ? memory.total() : memory.plan + compared_bytes(plan);
}

/// One run at a time, beside what those before it keep. Each fits alone; one that does not fit beside the
/// others is refused, and those behind it are tried.
void require_memory_of_all(Comparison& comparison) {
    const Plan& own = *comparison.front().plan;
    double kept = run_memory(own, own.keeps).total();
    for (ComparedRun& compared : std::span(comparison).subspan(1))
        if (compared.plan)
            attempt(compared, [&] {
                const Plan& plan = *compared.plan;
                require_memory("compare", compared.name,
                               kept + run_memory(plan, plan.keeps).total() + compared_bytes(plan),
                               ", with what the others keep");
                kept += kept_bytes(plan);
            });
}

}  // namespace

std::vector<std::string> comparison_names(const Session& session) {
    std::vector<std::string> names{session.custom ? session.custom->name : mechanism(session.mechanism).name};
    for (const ComparedMechanism& compared : session.compared) {
        const std::string& name =
            compared.custom ? compared.custom->name : mechanism(compared.mechanism).name;
        std::string unique = name;
        for (int number = 2; std::ranges::count(names, unique) > 0; ++number)
            unique = name + " (" + std::to_string(number) + ")";
        names.push_back(std::move(unique));
    }
    return names;
}

Comparison plan_comparison(const Session& session, std::shared_ptr<const Plan> own) {
    Comparison comparison;
    if (session.compared.empty())
        return comparison;
    const Plan& of_session = *own;
    for (const std::string& name : comparison_names(session))
        comparison.push_back({.name = name, .plan = {}, .refusal = {}, .statistics = {}, .cost = {}});
    comparison.front().plan = std::move(own);
    for (std::size_t i = 1; i < comparison.size(); ++i)
        attempt(comparison[i],
                [&] { comparison[i].plan = planned(session, session.compared[i - 1], of_session); });
    require_memory_of_all(comparison);
    for (ComparedRun& compared : comparison)
        if (compared.plan)
            compared.cost = run_cost(*compared.plan);
    return comparison;
}

std::optional<Trace> run_comparison(Comparison& comparison, const Trace& own,
                                    const std::function<bool()>& cancelled,
                                    const std::function<void(double share)>& progress) {
    if (comparison.empty())
        return own;
    std::vector<Trace> maps(comparison.size());
    std::vector<Trace::Joined> joined;
    for (std::size_t i = 1; i < comparison.size(); ++i) {
        if (cancelled && cancelled())
            return std::nullopt;
        ComparedRun& compared = comparison[i];
        if (!compared.plan)
            continue;
        attempt(compared, [&] {
            TraceOptions options;
            if (progress)
                options.progress = [&, others = static_cast<double>(comparison.size() - 1)](double share) {
                    progress((static_cast<double>(i - 1) + share) / others);
                };
            const Trace trace = record_as_planned(compared.plan, options);
            require_no_overflow(*compared.plan, trace);
            maps[i] = trace.only(compared_stages);
            joined.push_back({compared.name, &maps[i]});
        });
    }
    Trace all = joined.empty() ? own : own.joined(joined);
    all.name = comparison.front().name;
    for (ComparedRun& compared : comparison)
        compared.statistics = weight_statistics(all, &compared == &comparison.front() ? "" : compared.name);
    if (cancelled && cancelled())
        return std::nullopt;
    return all;
}

const MapStatistics* statistics_of(const ComparedRun& compared, Index head) {
    if (compared.statistics.empty())
        return nullptr;
    return &compared.statistics[static_cast<std::size_t>(
        std::clamp<Index>(head, 0, std::ssize(compared.statistics) - 1))];
}

NumberTable comparison_table(const Comparison& comparison, Index head) {
    NumberTable table;
    table.titles = {"mechanism",
                    "entropy (bits)",
                    "effective keys",
                    "exact zeros (share)",
                    "mean distance (tokens)",
                    "row sum, lowest",
                    "row sum, highest",
                    "map (bytes)",
                    "cache per token (bytes)",
                    "state (bytes)",
                    "multiply-adds"};
    for (const ComparedRun& compared : comparison) {
        table.names.push_back(compared.name);
        std::array<std::optional<double>, 10> line;
        if (const MapStatistics* map = statistics_of(compared, head))
            std::ranges::copy(std::array{map->entropy / std::numbers::ln2, map->effective_keys, map->sparsity,
                                         map->distance, map->row_sum_low, map->row_sum_high},
                              line.begin());
        if (compared.plan)
            std::ranges::copy(std::array{compared.cost.map_bytes, compared.cost.cache_bytes,
                                         compared.cost.state_bytes, compared.cost.multiply_adds},
                              line.begin() + 6);
        table.numbers.insert(table.numbers.end(), line.begin(), line.end());
    }
    return table;
}

void complete_comparison(Figure& figure, const Comparison& comparison, Index head) {
    if (comparison.empty())
        return;
    figure.table = comparison_table(comparison, head);
    const auto say = [&](const std::string& sentence) {
        figure.caption += figure.caption.empty() ? "" : "  ";
        figure.caption += sentence;
    };
    const bool is_large = std::ranges::any_of(comparison, [](const ComparedRun& compared) {
        return compared.plan && compared.plan->keeps == Keeps::rows;
    });
    if (is_large)
        say("Statistics of maps of this size are not counted here.");
    else if (!figure.hidden_tokens.empty())
        say("The numbers of the comparison count every key.");
    std::string absent;
    for (const ComparedRun& compared : comparison)
        if (compared.refusal)
            (absent += absent.empty() ? "" : ", ") += compared.name;
    if (!absent.empty())
        say("Cannot run on these inputs: " + absent + ".");
}

}  // namespace headlight
