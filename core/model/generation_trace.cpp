#include "core/model/generation_trace.h"

#include "core/attention/executor.h"
#include "core/model/intervention_text.h"
#include "core/model/step_rows.h"
#include "core/nn/trained_numbers.h"
#include "core/tensor/error.h"
#include "core/tensor/random.h"

#include <algorithm>
#include <limits>

namespace headlight {

namespace {

Tensor widened(const FloatTensor& from) {
    return Tensor(from.shape(), std::vector<double>(from.values().begin(), from.values().end()));
}

/// The matrices one under the other.
FloatTensor stacked(const std::vector<const FloatTensor*>& parts) {
    std::vector<float> numbers;
    Index rows = 0;
    for (const FloatTensor* part : parts) {
        numbers.insert(numbers.end(), part->values().begin(), part->values().end());
        rows += part->rows();
    }
    return FloatTensor({rows, parts.front()->cols()}, std::move(numbers));
}

/// The part of a trained parameter that so short a text needs.
Tensor parameter(const ParameterInfo& info, const nn::Weight& weight, std::span<const float> weights,
                 Index heads) {
    Tensor cut(info.shape);
    nn::for_each_trained_number(info.shape, weight, heads, [&](Index to, Index from) {
        cut.values()[static_cast<std::size_t>(to)] =
            static_cast<double>(weights[static_cast<std::size_t>(from)]);
    });
    return cut;
}

/// The steps of the site of this name.
std::vector<const SiteStep*> steps_at(const std::string& name, bool in_encoder,
                                      const Generation& generation) {
    std::vector<const SiteStep*> found;
    const auto take = [&](const std::vector<SiteStep>& sites) {
        for (const SiteStep& step : sites)
            if (step.site == name)
                found.push_back(&step);
    };
    if (in_encoder)
        take(generation.encoder_sites());
    else
        for (const GenerationStep& step : generation.steps())
            take(step.sites);
    return found;
}

/// What the rows of a site are called whose keys are other tokens.
std::vector<std::string> askers_of(const SiteDescription& site, const GeneratedWords& words) {
    if (site.seeds == 0)
        return words.said;
    std::vector<std::string> slots;
    for (Index seed = 1; seed <= site.seeds; ++seed)
        slots.push_back("slot " + std::to_string(seed));
    return slots;
}

/// With what a site was asked in these steps, one row below another.
Tensor asked_with(const std::vector<const SiteStep*>& steps) {
    std::vector<const FloatTensor*> queries;
    queries.reserve(steps.size());
    for (const SiteStep* step : steps)
        queries.push_back(&step->query);
    return widened(stacked(queries));
}

Tensor rows_between(const Tensor& of, Index first, Index end) {
    const auto begin = of.values().begin();
    return Tensor({end - first, of.cols()},
                  std::vector<double>(begin + first * of.cols(), begin + end * of.cols()));
}

Inputs inputs_of(const SiteDescription& site, const std::vector<const SiteStep*>& steps,
                 std::span<const float> weights, const Generation& generation, const GeneratedWords& words) {
    Inputs inputs;
    inputs.query = asked_with(steps);
    const auto text = words.source.begin() + site.question;
    if (site.looks_at_source) {
        inputs.key = widened(generation.source_states());
        inputs.tokens.query = askers_of(site, words);
        inputs.tokens.key = {text, words.source.end()};
    } else if (site.question > 0) {
        inputs.key = rows_between(inputs.query, 0, site.question);
        inputs.tokens.key = {words.source.begin(), text};
        inputs.query = rows_between(inputs.query, site.question, inputs.query.rows());
        inputs.tokens.query = {text, words.source.end()};
    } else {
        const std::vector<std::string>& text_read = site.in_encoder ? words.source : words.read;
        inputs.tokens.query = site.guesses ? askers_of(site, words) : text_read;
        if (!site.keys_of.empty()) {
            inputs.key = asked_with(steps_at(site.keys_of, site.in_encoder, generation));
            inputs.tokens.key = text_read;
        }
    }
    const TokenDimensions tokens{.query_width = inputs.query.cols(),
                                 .key_width = inputs.key_tokens().cols(),
                                 .value_width = inputs.key_tokens().cols(),
                                 .queries = inputs.query.rows(),
                                 .keys = inputs.key_tokens().rows()};
    for (const ParameterInfo& info : required_parameters(site.spec, tokens, {}))
        for (const auto& [name, weight] : site.parameters)
            if (name == info.name)
                inputs.parameters.emplace(name, parameter(info, weight, weights, site.spec.heads.count()));
    return inputs;
}

/// The rows that the model went on with, a later step's keys forbidden to those before it by the mask.
std::shared_ptr<const GivenRows> used_rows(const std::vector<const SiteStep*>& steps) {
    const StepRows all = step_rows(steps);
    auto used = std::make_shared<GivenRows>();
    used->weights = Tensor({all.heads, all.rows, all.columns});
    used->forbidden.resize(static_cast<std::size_t>(all.size()));
    for_each_weight(steps, [&](std::size_t to, const SiteStep& step, Index row, Index column) {
        used->weights.values()[to] = static_cast<double>(step.weights(row, column));
        used->forbidden[to] = step.scores(row, column) == -std::numeric_limits<float>::infinity();
    });
    return used;
}

/// What interventions set at the site, as a trace marks it.
std::vector<ChangedByHand> changes_at(const SiteDescription& site, Index heads, const TokenLabels& tokens,
                                      const std::vector<Intervention>& interventions) {
    using Kind = Intervention::Kind;
    std::vector<ChangedByHand> changes;
    for (const Intervention& each : interventions) {
        if (each.site != site.name)
            continue;
        changes.push_back({.site = {},
                           .stage = each.kind == Kind::forbid_key ? "masked_scores" : "weights",
                           .head = each.head,
                           .query = each.step,
                           .key = is_about_key(each.kind) ? std::optional(each.key) : std::nullopt,
                           .words = intervention_effect(each, tokens) + intervention_rows(each, heads)});
    }
    return changes;
}

/// The numbers of all steps, row by row.
template <class Numbers>
std::vector<double> rows_of(const Generation& generation, const Numbers& numbers) {
    std::vector<double> rows;
    for (const GenerationStep& step : generation.steps())
        for (const float each : numbers(step))
            rows.push_back(static_cast<double>(each));
    return rows;
}

/// What the steps said, in the order of output_stages().
std::vector<std::vector<double>> said_numbers(const Generation& generation) {
    std::vector<std::vector<double>> numbers{
        rows_of(generation, [](const GenerationStep& step) { return std::span(step.logits); })};
    if (!generation.steps().front().copying)
        return numbers;
    std::vector<double>& generates = numbers.emplace_back();
    for (const GenerationStep& step : generation.steps())
        generates.push_back(step.copying->generates);
    numbers.push_back(
        rows_of(generation, [](const GenerationStep& step) { return std::span(step.copying->vocabulary); }));
    numbers.push_back(
        rows_of(generation, [](const GenerationStep& step) { return std::span(step.copying->copied); }));
    return numbers;
}

Trace said_trace(const Generation& generation, const GeneratedWords& words,
                 const std::vector<std::string>& vocabulary) {
    const Index steps = std::ssize(generation.steps());
    const std::vector<std::vector<double>> numbers = said_numbers(generation);
    std::vector<Stage> stages(output_stages().begin(),
                              output_stages().begin() + static_cast<std::ptrdiff_t>(numbers.size()));
    for (std::size_t i = 0; i < stages.size(); ++i)
        stages[i].shape = {steps, std::ssize(numbers[i]) / steps};
    Trace trace(std::move(stages));
    for (std::size_t i = 0; i < numbers.size(); ++i)
        std::ranges::copy(numbers[i], trace.values(trace.stages()[i]).begin());
    trace.tokens.query = words.said;
    trace.tokens.key = vocabulary;
    return trace;
}

std::shared_ptr<const Plan> plan_of(const SiteDescription& site, const std::vector<const SiteStep*>& steps,
                                    std::span<const float> weights, const Generation& generation,
                                    const GeneratedWords& words,
                                    std::shared_ptr<const GivenRows> given = nullptr) {
    // The one sequence of a generation draws with the first stream of its batch.
    const PlanOptions options{.seed = substream(steps.front()->stream, std::uint64_t(0)),
                              .given = std::move(given)};
    return std::make_shared<const Plan>(
        plan(site.spec, inputs_of(site, steps, weights, generation, words), options));
}

}  // namespace

namespace {

const std::vector<DeclaredStage>& said_declarations() {
    static const std::vector<DeclaredStage> stages{
        {"logits", "Logits"},
        made_stage("generation_probability", "Probability of generating", {}, {.is_share = true}),
        made_stage("vocabulary_distribution", "Words if generated", {}, {.is_share = true}),
        made_stage("copied_distribution", "Words if copied", {}, {.is_share = true})};
    return stages;
}

}  // namespace

const std::vector<Stage>& output_stages() {
    static const std::vector<Stage> stages = [] {
        std::vector<Stage> made;
        for (const DeclaredStage& stage : said_declarations()) {
            const bool is_one_number = stage.name == "generation_probability";
            made.push_back(
                {{}, stage.name, {Axis::query, is_one_number ? Axis::feature : Axis::key}, {1, 1}, 0});
        }
        return made;
    }();
    return stages;
}

const DeclaredStage* declared_said_stage(std::string_view stage) {
    const auto found = std::ranges::find(said_declarations(), stage, &DeclaredStage::name);
    return found == said_declarations().end() ? nullptr : &*found;
}

std::vector<const SiteStep*> steps_of(const SiteDescription& site, const Generation& generation) {
    return steps_at(site.name, site.in_encoder, generation);
}

std::optional<Trace> engine_trace(const SiteDescription& site, std::span<const float> weights,
                                  const Generation& generation, const GeneratedWords& words) {
    const std::vector<const SiteStep*> steps = steps_of(site, generation);
    if (steps.empty())
        return std::nullopt;
    return record(plan_of(site, steps, weights, generation, words));
}

std::vector<SiteRecord> site_records(const Host& host, std::span<const float> weights,
                                     const Generation& generation, const GeneratedWords& words) {
    std::vector<SiteRecord> records;
    for (SiteDescription& site : host.sites()) {
        const std::vector<const SiteStep*> steps = steps_of(site, generation);
        if (steps.empty())
            continue;
        auto made =
            plan_of(site, steps, weights, generation, words, site.is_program ? nullptr : used_rows(steps));
        auto trace = std::make_shared<Trace>(record(made));
        if (!site.in_encoder)  // which has read before a person can change anything
            trace->by_hand = changes_at(site, made->heads, trace->tokens, generation.interventions());
        records.push_back({std::move(site), std::move(made), std::move(trace)});
    }
    if (records.empty())
        throw Error({"trace a model", "", "a text that has been begun", "none"});
    return records;
}

const SiteRecord& leading_site(std::span<const SiteRecord> sites) {
    for (auto each = sites.rbegin(); each != sites.rend(); ++each)
        if (each->site.looks_at_source)
            return *each;
    return sites.back();
}

Trace joined_sites(std::span<const SiteRecord> sites) {
    std::vector<Trace::Joined> joined;
    for (const SiteRecord& each : sites)
        joined.push_back({each.site.name, each.trace.get()});
    Trace whole;
    whole.spec = leading_site(sites).trace->spec;
    return whole.joined(joined);
}

Trace generation_trace(const Host& host, std::span<const float> weights, const Generation& generation,
                       const GeneratedWords& words, const std::vector<std::string>& vocabulary) {
    const Trace attended = joined_sites(site_records(host, weights, generation, words));
    const Trace said = said_trace(generation, words, vocabulary);
    const char* site = host.is_classifier() ? says_in_encoder : says_in_decoder;
    const Trace::Joined joined[] = {{site, &said}};
    Trace whole = attended.joined(joined);
    whole.joined_specs.erase(site);  // nothing attends there
    return whole;
}

}  // namespace headlight
