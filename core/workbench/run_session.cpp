#include "core/workbench/run_session.h"

#include "core/analysis/run_cost.h"
#include "core/attention/executor.h"
#include "core/attention/run_memory.h"
#include "core/attention/typed_formula.h"
#include "core/figure/comparison.h"
#include "core/figure/opening_query.h"
#include "core/io/drawn_weights.h"
#include "core/io/session_capture.h"
#include "core/io/session_counterpart.h"
#include "core/io/session_model.h"
#include "core/io/shipped_models.h"
#include "core/io/written_by.h"
#include "core/map/lazy_run.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace headlight {
static_assert(most_patches <= longest_sequence);

namespace {

std::optional<OrderDifference> order_difference(const Plan& ran, const Trace& trace) {
    const Stage* weights = trace.find("weights");
    if (!ran.spec.mask_value || !is_masked(ran.spec.mask) || !weights || weights->is_lazy)
        return std::nullopt;
    AttentionSpec other = ran.spec;
    other.mask_order =
        ran.spec.mask_order == MaskOrder::after_scale ? MaskOrder::before_scale : MaskOrder::after_scale;
    Executor<double> executor(std::make_shared<const Plan>(plan(other, ran.inputs, {ran.seed})));
    executor.run();
    const auto these = trace.values(*weights);
    const auto others = executor.weights();
    OrderDifference difference;
    for (std::size_t i = 0; i < these.size() && i < others.size(); ++i) {
        const double change = std::abs(these[i] - others[i]);
        if (change > difference.largest) {
            const Index cell = static_cast<Index>(i);
            difference = {change, cell / (ran.queries * ran.keys), cell / ran.keys % ran.queries,
                          cell % ran.keys};
        }
    }
    return difference;
}

}  // namespace

Run::Explained Run::explained_at(std::string_view site) const {
    if (is_of_mechanism())
        return {plan, trace};
    const SiteRecord* record = transcript ? transcript->find(site) : nullptr;
    return record ? Explained{record->plan, record->trace} : Explained();
}

void require_length(const std::string& sequence, Index tokens, Index most) {
    if (tokens > most)
        throw Error({"sequence is too long for this window", sequence,
                     "at most " + std::to_string(most) + " tokens", std::to_string(tokens) + " tokens"});
}

namespace {

/// Throws Error where every map would have to be kept, and these are too many.
void require_lazy_rows(const Plan& plan) {
    require_rows_of_formula(plan);
    if (!has_lazy_rows(plan))
        throw Error(
            {"sequence is too long for this window", "query and key",
             "at most " + std::to_string(most_pairs) +
                 " pairs of tokens where a row of weights does not follow from its query and the keys "
                 "alone",
             std::to_string(plan.queries) + " × " + std::to_string(plan.keys)});
}

/// Refuses a long text before anything of its size is allocated; a book is not even split.
void require_short_text(const std::string& which, const std::string& text, TokenSplit split) {
    if (text.size() > longest_text)
        throw Error({"text is too long for this window", which,
                     "at most " + std::to_string(longest_sequence) + " tokens",
                     std::to_string(text.size() / 1024) + " KB of text"});
    if (text.size() > longest_sequence)
        require_length(which, static_cast<Index>(split_text(text, split).size()));
}

/// Throws Error for what cannot run.
std::shared_ptr<const Plan> plan_in_window(const Session& session) {
    const AttentionSpec spec = session_spec(session);
    const SequenceSettings& sequence = session.sequence;
    const bool is_cross = spec.source.type == SourceType::cross;
    const bool is_text = !sequence.image && !sequence.file;
    if (is_text || (sequence.image && is_cross))
        require_short_text("query text", sequence.query_text, sequence.split);
    if (is_text && is_cross)
        require_short_text("key text", sequence.key_text, sequence.split);
    const Inputs inputs = session_inputs(session);
    const Index queries = inputs.query.rows(), keys = inputs.key_tokens().rows();
    require_length("query", queries);
    require_length("key", keys);
    const Keeps keeps = queries * keys <= most_pairs ? Keeps::trace : Keeps::rows;
    auto made = std::make_shared<const Plan>(plan(spec, inputs, {.seed = session.seed, .keeps = keeps}));
    if (keeps == Keeps::rows)
        require_lazy_rows(*made);
    return made;
}

/// Puts the session's run beside that of its counterpart.
void compare_with(Run& run, Trace own, Trace other) {
    ComparedTraces traces = beside_counterpart(*run.session, std::move(own), std::move(other));
    run.trace = std::make_shared<const Trace>(std::move(traces.trace));
    run.untouched = std::move(traces.other);
}

Generator& opened(const SessionModel& model, OpenModel& open) {
    if (!open.generator || open.name != model.name) {
        open.generator =
            std::make_unique<Generator>(std::make_shared<const TrainedModel>(open_model(model.name)));
        open.name = model.name;
    }
    return *open.generator;
}

/// From the share `first` on, in `part` of all that there is to do.
std::optional<Transcript> generate(const SessionModel& model, OpenModel& open,
                                   const std::function<bool()>& cancelled,
                                   const std::function<void(double share)>& progress, double first,
                                   double part) {
    Generator& generator = opened(model, open);
    const auto rounds = static_cast<double>(generator.cost(model.request).rounds);
    Index round = 0;
    return generator.generate(model.request, [&] {
        if (progress)
            progress(first + part * std::min(static_cast<double>(round++) / rounds, 1.0));
        return cancelled && cancelled();
    });
}

}  // namespace

PreparedRun prepare_run(const Session& session) {
    PreparedRun prepared;
    prepared.plan = plan_in_window(session);
    if (session.has_counterpart())
        prepared.counterpart = plan_in_window(counterpart_session(session));
    else
        prepared.comparison = plan_comparison(session, prepared.plan);
    return prepared;
}

RunEstimate estimate_of(const PreparedRun& prepared) {
    RunEstimate estimate;
    const auto add = [&estimate](const Plan& plan) {
        // A score that bends sums of vectors has a tanh or the like for every number that it adds.
        const double multiply_adds_a_second = plan.attention_width > 0 ? 1.1e9 : 3.5e10;
        constexpr double weights_a_second = 6e8;
        const RunCost cost = run_cost(plan);
        estimate.seconds +=
            cost.multiply_adds / multiply_adds_a_second + cost.map_bytes / sizeof(float) / weights_a_second;
        estimate.bytes += run_memory(plan, plan.keeps).total();
    };
    add(*prepared.plan);
    if (prepared.counterpart)
        add(*prepared.counterpart);
    for (const ComparedRun& each : prepared.comparison)
        if (each.plan && each.plan != prepared.plan)
            add(*each.plan);
    return estimate;
}

std::shared_ptr<const Run> finish_run(std::shared_ptr<const Session> session, PreparedRun prepared,
                                      const std::function<void(double share)>& progress) {
    const auto start = std::chrono::steady_clock::now();
    auto run = std::make_shared<Run>();
    // With a counterpart, or others that are compared, there is as much to do again for each.
    const std::size_t others = prepared.comparison.empty() ? 0 : prepared.comparison.size() - 1;
    const double of_own = 1 / static_cast<double>(1 + (prepared.counterpart ? 1 : others));
    const auto told = [&](double from, double share_of_all) -> std::function<void(double)> {
        if (!progress)
            return {};
        return [&progress, from, share_of_all](double share) { progress(from + share_of_all * share); };
    };
    Trace trace = record_as_planned(prepared.plan, {.progress = told(0, of_own)});
    trace.name = comparison_names(*session).front();
    std::optional<Trace> other;
    if (prepared.counterpart)
        other = record_as_planned(prepared.counterpart, {.progress = told(of_own, 1 - of_own)});
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    run->milliseconds = taken.count();
    run->order_difference = order_difference(*prepared.plan, trace);
    if (!prepared.comparison.empty())
        trace = *run_comparison(prepared.comparison, trace, {}, told(of_own, 1 - of_own));
    run->random_weights = random_weights_note(*session, *prepared.plan);
    run->session = std::move(session);
    run->plan = std::move(prepared.plan);
    run->comparison = std::move(prepared.comparison);
    if (other)
        compare_with(*run, std::move(trace), std::move(*other));
    else
        run->trace = std::make_shared<const Trace>(std::move(trace));
    return run;
}

RunEstimate estimate_of(const Session& session, OpenModels& open) {
    RunEstimate estimate;
    const auto add = [&estimate](const SessionModel& model, OpenModel& in) {
        constexpr double multiply_adds_a_second = 2e9;  // of one token at a time
        const GenerationCost cost = opened(model, in).cost(model.request);
        estimate.seconds += cost.multiply_adds / multiply_adds_a_second;
        estimate.bytes += cost.bytes;
    };
    add(*session.model, open.own);
    if (session.has_counterpart())
        add(*counterpart_session(session).model, open.other);
    return estimate;
}

std::shared_ptr<const Run> generate_run(const std::shared_ptr<const Session>& session, OpenModels& open,
                                        const std::function<bool()>& cancelled,
                                        const std::function<void(double share)>& progress) {
    const SessionModel& model = *session->model;
    const auto start = std::chrono::steady_clock::now();
    const double of_own = session->has_counterpart() ? 0.5 : 1;
    std::optional<Transcript> said = generate(model, open.own, cancelled, progress, 0, of_own), other;
    std::optional<SessionModel> of_other;
    if (said && session->has_counterpart()) {
        of_other = counterpart_session(*session).model;
        other = generate(*of_other, open.other, cancelled, progress, of_own, 1 - of_own);
    }
    if (!said || (of_other && !other))
        return nullptr;
    auto run = std::make_shared<Run>();
    run->session = session;
    run->plan = leading_site(said->sites).plan;
    run->transcript = std::make_shared<const Transcript>(std::move(*said));
    Trace trace = trace_of(*run->transcript, model.name);
    if (other) {
        compare_with(*run, std::move(trace), trace_of(*other, of_other->name));
    } else {
        run->trace = std::make_shared<const Trace>(std::move(trace));
        if (!run->transcript->untouched_sites.empty())
            run->untouched = std::make_shared<const Trace>(untouched_trace(*run->transcript, model.name));
        if (const auto& before = run->transcript->sites_before; !before.empty())
            run->before = std::make_shared<const Trace>(trace_of(before, model.name));
    }
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    run->milliseconds = taken.count();
    return run;
}

std::shared_ptr<const Run> captured_run(std::shared_ptr<const Session> session) {
    const auto start = std::chrono::steady_clock::now();
    auto run = std::make_shared<Run>();
    ComparedTraces traces = captured_traces(*session->capture, other_capture(*session));
    // Hashes are kept from here on: who saves the session does not wait for them.
    capture_hash(session->capture->file);
    if (const auto other = other_capture(*session))
        capture_hash(*other);
    run->trace = std::make_shared<const Trace>(std::move(traces.trace));
    run->untouched = std::move(traces.other);
    run->reading = std::move(traces.reading);
    if (const std::vector<std::string> sites = sites_with_weights(*run->trace); !sites.empty())
        run->opening_query = opening_query(*run->trace, sites.front());
    run->tree = headvis_tree_around(session->capture->file);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    run->milliseconds = taken.count();
    run->session = std::move(session);
    return run;
}

bool same_run(const Session& a, const Session& b) {
    SessionEdits other = b;
    other.figure = a.figure;
    return static_cast<const SessionEdits&>(a) == other;
}

}  // namespace headlight
