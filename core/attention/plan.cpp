#include "core/attention/plan.h"

#include "core/attention/component.h"
#include "core/attention/finite.h"
#include "core/attention/kernel_scores.h"
#include "core/attention/key_spans.h"
#include "core/attention/run_memory.h"
#include "core/attention/spec_words.h"
#include "core/attention/typed_formula.h"
#include "core/attention/widths.h"
#include "core/tensor/error.h"
#include "core/tensor/memory.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace headlight {
namespace {

void require_matrix(const Tensor& tensor, const std::string& name) {
    if (tensor.rank() != 2)
        throw Error({"token vectors", name, "a matrix with a row for each token",
                     "a tensor of shape " + to_string(tensor.shape())});
    if (tensor.rows() == 0)
        throw Error({"token vectors", name, "at least one token", "an empty sequence"});
    if (tensor.cols() == 0)
        throw Error({"token vectors", name, "at least one number for each token",
                     "shape " + to_string(tensor.shape())});
}

void require_labels(const std::vector<std::string>& labels, Index tokens, const std::string& name) {
    if (!labels.empty() && std::ssize(labels) != tokens)
        throw Error({"token labels", name, std::to_string(tokens) + ", one for each row",
                     std::to_string(labels.size())});
}

void check_sequences(const Inputs& inputs) {
    require_matrix(inputs.query, "query");
    if (inputs.key)
        require_matrix(*inputs.key, "key");
    if (inputs.value)
        require_matrix(*inputs.value, "value");
    const Index keys = inputs.key_tokens().rows();
    if (inputs.value_tokens().rows() != keys)
        throw Error({"token vectors", "value", std::to_string(keys) + " rows, one for each key",
                     std::to_string(inputs.value->rows())});
    require_labels(inputs.tokens.query, inputs.query.rows(), "tokens.query");
    require_labels(inputs.tokens.key, keys, "tokens.key");
}

void check_numbers(const AttentionSpec& spec) {
    const Normalizer& normalizer = spec.normalizer;
    if (!std::isfinite(normalizer.temperature) || normalizer.temperature <= 0)
        throw Error({"normalizer", "normalizer.temperature", "a finite number above 0",
                     std::to_string(normalizer.temperature)});
    if (normalizer.draws < 1 || normalizer.draws > most_draws)
        throw Error({"normalizer", "normalizer.draws", "1 to " + std::to_string(most_draws),
                     std::to_string(normalizer.draws)});
    if (spec.mask_value && !std::isfinite(*spec.mask_value))
        throw Error({"mask", "mask_value", "a finite number; leave it out for minus infinity",
                     std::to_string(*spec.mask_value)});
}

void check_names(const Plan& plan, const std::map<std::string, Tensor>& given) {
    if (given.empty())
        return;  // without declaring all components for their names
    const auto& known = known_parameters();
    const auto own = plan.spec.algorithm.type == AlgorithmType::formula ? formula_parameters(plan)
                                                                        : std::vector<DeclaredParameter>();
    for (const auto& [name, tensor] : given) {
        if (std::ranges::count(known, name, &KnownParameter::name) > 0 ||
            std::ranges::count(own, name, &DeclaredParameter::name) > 0)
            continue;
        std::vector<std::string> names;
        names.reserve(known.size());
        for (const KnownParameter& info : known)
            names.push_back(info.name);
        throw Error({"parameter", "parameters", "a name that \"headlight list --json\" has",
                     quoted_with_hint(excerpt(name), names)});
    }
}

void check_memory(const Plan& plan, Keeps keeps) {
    const auto counted = [](Index count, const char* one, const char* many) {
        return std::to_string(count) + (count == 1 ? one : many);
    };
    require_memory("run", "", run_memory(plan, keeps).total(),
                   ": " + counted(plan.heads, " head, ", " heads, ") +
                       counted(plan.queries, " query, ", " queries, ") + counted(plan.keys, " key", " keys"));
}

double scale_of(const AttentionSpec& spec, const Plan& plan) {
    if (const ScoreComponent* component = component_of(spec.score.type))
        return component->scale ? component->scale(plan) : 1;
    if (spec.score.type == ScoreType::learned_scale)
        return plan.parameter("g").values().front();
    return kernel_scale(spec.score.type, plan.head_key_width());
}

/// Keys whose vectors are read. A finite mask value forbids nothing: every key then has a weight.
std::vector<std::uint8_t> read_keys(const Plan& plan) {
    return plan.spec.mask_value ? std::vector<std::uint8_t>() : plan.allowed.used_keys();
}

void check_finite(const Plan& plan) {
    require_finite(plan.inputs.query, "query");
    const auto read = read_keys(plan);
    if (plan.inputs.key)
        require_finite(*plan.inputs.key, "key", read);
    if (plan.inputs.value)
        require_finite(*plan.inputs.value, "value", read);
    for (const ParameterInfo& info : plan.parameters)
        require_finite(plan.parameter(info.name), info.name);
}

std::string words_of_positions(const Position& position) {
    const bool has_second = position.second != PositionType::none;
    return to_word(position.type) + (has_second ? " and " + to_word(position.second) : "");
}

/// Two positions at once each do something that the other does not.
void check_two_positions(const Position& position) {
    if (position.second == PositionType::none)
        return;
    const auto refuse = [&](const std::string& expected) {
        throw Error({"two positions at once", "position.second", expected, words_of_positions(position)});
    };
    if (position.type == PositionType::none)
        refuse("none, for there is no first");
    const PositionComponent *first = component_of(position.type), *second = component_of(position.second);
    const auto adds_to_tokens = [](const PositionComponent* each) {
        return !each || each->token_term || each->define_term_of_tokens;  // no component: sinusoidal
    };
    if (adds_to_tokens(first) && adds_to_tokens(second))
        refuse("one of the two that is not added to the tokens");
    if (!first || !second)
        return;
    if (first->turns_vectors && second->turns_vectors)
        refuse("one of the two that does not turn queries and keys");
    if (first->acts_on_scores && second->acts_on_scores)
        refuse("one of the two that leaves the scores of content as they are");
    if ((first->turns_vectors && second->acts_on_scores) || (first->acts_on_scores && second->turns_vectors))
        refuse("no turn beside a position that asks with queries and keys as they are");
    const auto has_gates = [](const PositionComponent* each) {
        return std::ranges::count(each->declared_stages, std::string("cumulative_gates"),
                                  &DeclaredStage::name) > 0;
    };
    if (has_gates(first) && has_gates(second))
        refuse("one of the two without gates of its own, for those of both have one name");
    if (first->define_context && second->define_context)
        refuse("one of the two that leaves the context as it is");
    if ((first->define_scale && second->define_scale) || (first->has_bias && second->has_bias))
        refuse("one of the two that adds nothing to the scaled scores");
}

/// Refuses other masks than prefixes where the algorithm takes none.
void check_prefixes(const Plan& plan, const AlgorithmComponent& algorithm, const std::string& what) {
    const bool has_prefixes = plan.allowed.is_prefix() && std::ranges::is_sorted(plan.allowed.ends());
    if (algorithm.takes_any_mask || has_prefixes)
        return;
    if (!algorithm.takes_documents)
        throw Error(
            {what, "mask",
             "a mask that lets each query see the first keys, and no query fewer than the one before, as "
             "none, causal and padding do",
             "another mask"});
    if (!spans_of_keys(plan.allowed))
        throw Error(
            {what, "mask",
             "a mask that lets each query see the first keys of all, or of its own document, as none, "
             "causal, padding and documents do: what a key writes depends on what all before it have "
             "written, so that a state without the oldest, as in a window, would be another one for "
             "each query",
             "another mask"});
}

/// Refuses options that the algorithm would ignore: silence would suggest that they apply.
void check_algorithm(const Plan& plan) {
    const AttentionSpec& spec = plan.spec;
    const AlgorithmComponent* algorithm = component_of(spec.algorithm.type);
    if (!algorithm)
        return;
    const std::string what = to_word(spec.algorithm.type) + " algorithm";
    if (!is_composed(spec)) {
        const auto refuse = [&](const std::string& part, const std::string& got) {
            throw Error({what, part, "nothing there: this graph of stages has none", got});
        };
        Score rest = spec.score;
        if (algorithm->takes_vector_norm)
            rest.vector_norm = VectorNorm::none;
        if (!is_plain_product(rest))
            refuse("score", to_word(spec.score.type));
        if (!is_plain_softmax(spec.normalizer) && !algorithm->takes_normalizer)
            refuse("normalizer", to_word(spec.normalizer.type));
        const SelectionComponent* selection = component_of(spec.selection.type);
        if (selection && !algorithm->why_no_selection.empty())
            throw Error({what, "selection", "none: " + algorithm->why_no_selection, selection->word});
        if (selection && !algorithm->takes_selection)
            refuse("selection", selection->word);
        if (selection && !selection->reads_no_keys)
            throw Error({what, "selection",
                         "one that chooses by scores, tokens or places: this algorithm makes keys of its own",
                         selection->word});
        if (spec.mask_value)
            refuse("mask_value", std::to_string(*spec.mask_value));
        if (!acts_on_vectors_alone(spec.position))
            refuse("position", words_of_positions(spec.position));
        if (spec.heads.type == HeadsType::talking)
            refuse("heads", to_word(spec.heads.type));
    }
    const auto ends = plan.allowed.ends();
    const bool has_one_end =
        plan.allowed.is_prefix() && std::ranges::adjacent_find(ends, std::not_equal_to()) == ends.end();
    if (algorithm->needs_one_end && !has_one_end)
        throw Error({what, "mask", "none or padding: " + algorithm->why_one_end,
                     "a mask that gives queries different keys"});
    check_prefixes(plan, *algorithm, what);
    if (algorithm->needs_own_token && algorithm->needs_own_token(spec))
        for (Index token = 0; token < plan.queries; ++token)
            if (!plan.allowed.allowed(token, token))
                throw Error({what, "mask", "none that hides a token from itself, for it is written",
                             "one that does"});
}

/// Kernels, definitions and the parts of the spec all see what the algorithm leaves.
void leave_newest_keys(Plan& plan) {
    if (const Index count = newest_keys(plan.spec); count > 0 && count < plan.keys)
        plan.allowed = plan.allowed.newest(count);
}

void check_components(const Plan& plan) {
    const AttentionSpec& spec = plan.spec;
    if (spec.score.softcap && !(*spec.score.softcap > 0 && std::isfinite(*spec.score.softcap)))
        throw Error({"score", "score.softcap", "a finite number above 0; leave it out for none",
                     std::to_string(*spec.score.softcap)});
    if (spec.score.activation != Score{}.activation && !has_activation(spec.score.type))
        throw Error({"score", "score.activation",
                     to_word(Score{}.activation) + ", the default: the score " + to_word(spec.score.type) +
                         " has no hidden units to pass through another",
                     to_word(spec.score.activation)});
    if (spec.heads.type == HeadsType::talking && spec.selection.type != SelectionType::none)
        throw Error({"talking heads", "selection",
                     "none: heads mix the scores of every key that the mask allows",
                     to_word(spec.selection.type)});
    check_two_positions(spec.position);
    for_each_component(spec, [&](const auto& component) { check_component(component, plan); });
}

/// Given rows take the place of what the normaliser makes of the scores.
void check_given_rows(const Plan& plan) {
    if (!plan.given)
        return;
    const Shape map{plan.heads, plan.queries, plan.keys};
    if (plan.given->weights.shape() != map || std::ssize(plan.given->forbidden) != element_count(map))
        throw Error({"given rows", "weights", "a tensor of shape " + to_string(map),
                     "one of shape " + to_string(plan.given->weights.shape())});
    const bool has_rows =
        is_composed(plan.spec) && plan.spec.heads.type != HeadsType::talking && !runs_by_program(plan.spec);
    if (!has_rows)
        throw Error({"given rows", "", "attention whose normaliser has the last word on a row of weights",
                     "an algorithm, heads that mix their weights, or a component without a kernel"});
}

/// What is known without the inputs.
Plan checked_parts(const AttentionSpec& spec, const TokenDimensions& tokens) {
    check_numbers(spec);
    Plan plan = plan_extents(spec, tokens, {});
    check_components(plan);
    plan.allowed = AllowedPairs(plan.spec.mask, plan.queries, plan.keys);
    check_algorithm(plan);
    return plan;
}

}  // namespace

bool is_dropped(const Plan& plan, Index query, Index key) {
    // A cache takes masks that let a query see a prefix of the keys.
    return newest_keys(plan.spec) > 0 && key < plan.allowed.end(query) && !plan.allowed.allowed(query, key);
}

Plan plan_extents(const AttentionSpec& spec, const TokenDimensions& tokens,
                  const std::map<std::string, Tensor>& given) {
    Plan plan;
    plan.spec = complete_spec(spec);
    const Widths widths = widths_of(plan.spec, tokens, given);
    plan.tokens = tokens;
    plan.heads = plan.spec.heads.count();
    plan.kv_heads = plan.spec.heads.kv_count();
    plan.queries = tokens.queries;
    plan.keys = tokens.keys;
    plan.query_width = widths.query;
    plan.key_width = widths.key;
    plan.value_width = widths.value;
    plan.output_width = widths.output;
    plan.attention_width = widths.attention;
    const ScoreComponent* score = component_of(plan.spec.score.type);
    if (score && score->attention_width)
        plan.attention_width = score->attention_width(plan);
    const AlgorithmComponent* algorithm = component_of(plan.spec.algorithm.type);
    if (algorithm && algorithm->output_width)
        plan.output_width = algorithm->output_width(plan);
    return plan;
}

void check_parts(const AttentionSpec& spec, const TokenDimensions& tokens) { checked_parts(spec, tokens); }

Plan undrawn_plan(const AttentionSpec& spec, const Inputs& given) {
    Inputs inputs = inputs_for(spec.source.type, given);
    inputs.parameters.clear();
    check_sequences(inputs);
    const TokenDimensions tokens = dimensions_of(inputs);
    Plan plan = checked_parts(spec, tokens);
    plan.parameters = required_parameters(plan.spec, tokens, {});
    plan.inputs = std::move(inputs);
    leave_newest_keys(plan);
    return plan;
}

Plan plan(const AttentionSpec& spec, const Inputs& given, const PlanOptions& options) {
    Inputs inputs = inputs_for(spec.source.type, given);
    check_sequences(inputs);
    check_numbers(spec);
    const TokenDimensions tokens = dimensions_of(inputs);
    Plan plan = plan_extents(spec, tokens, inputs.parameters);
    check_components(plan);
    check_names(plan, inputs.parameters);
    plan.inputs = std::move(inputs);
    plan.seed = options.seed;
    plan.keeps = options.keeps;
    plan.parameters = required_parameters(plan.spec, tokens, plan.inputs.parameters);
    make_columns(plan.parameters, plan.inputs.parameters);
    plan.allowed = AllowedPairs::undrawn(plan.queries, plan.keys);
    check_memory(plan, options.keeps);
    plan.allowed = AllowedPairs(plan.spec.mask, plan.queries, plan.keys);
    check_algorithm(plan);
    leave_newest_keys(plan);
    plan.given = options.given;
    check_given_rows(plan);
    plan.inputs.parameters =
        resolve_parameters(plan.parameters, std::move(plan.inputs.parameters), options.seed);
    plan.scale = scale_of(plan.spec, plan);
    check_finite(plan);
    if (runs_by_program(plan.spec))  // now that there is what its program is made of
        check_memory(plan, options.keeps);
    return plan;
}

}  // namespace headlight
