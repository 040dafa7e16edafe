#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/work.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

bool reads_query(const Plan& plan) { return plan.algorithm().flag("reads_query"); }

/// o W + x W′ + b, of what attention gives, o, and of the query’s token where that is read.
Expression of_both(Composer& composer, const Expression& found, const std::string& name) {
    if (!reads_query(composer.plan))
        return composer.projected(found, "W_" + name + "_o", "b_" + name);
    return composer.projected(found, "W_" + name + "_o") +
           composer.projected(composer.query_tokens, "W_" + name + "_q", "b_" + name);
}

bool has_two_gates(const Plan& plan) { return plan.algorithm().word("gates") == "both"; }

Index units_of_found(const Plan& plan) { return plan.algorithm().count("units"); }

/// What attention gives, through a layer of units where there is one.
Expression write_found(Composer& composer, const Expression& output) {
    const bool has_name = output->operation == Operation::tensor;
    const Expression found = has_name ? output : composer.let("found", output, "what attention gives");
    if (units_of_found(composer.plan) == 0)
        return found;
    const Expression units =
        composer.let("found_units", relu_of(composer.projected(found, "W_found_1", "b_found_1")),
                     "of what attention gives");
    return composer.let("found_layer", composer.projected(units, "W_found_2", "b_found_2"),
                        "what the layer makes of it");
}

/// A gate of the token and a gate of what attention gives, and their sum (Zhang et al. 2018).
Expression with_two_gates(Composer& composer, const Expression& found) {
    const Expression own = composer.let("token_gate", sigmoid_of(of_both(composer, found, "information")),
                                        "how much of each feature of the token is kept");
    const Expression others =
        composer.let("information_gate", sigmoid_of(of_both(composer, found, "relevance")),
                     "how much of each feature is let through");
    return own * composer.query_tokens + others * found;
}

Expression define_attention_on_attention(Composer& composer, const Expression& output) {
    const Expression found = write_found(composer, output);
    if (has_two_gates(composer.plan))
        return with_two_gates(composer, found);
    const Expression information = composer.let("information", of_both(composer, found, "information"),
                                                "what attention gives and what was asked, side by side");
    const Expression gate =
        composer.let("information_gate", sigmoid_of(of_both(composer, found, "relevance")),
                     "how much of each feature is let through");
    return information * gate;
}

}  // namespace

AlgorithmComponent declare_algorithms_attention_on_attention() {
    AlgorithmComponent component;
    component.meaning =
        "o′ = (o W + x W′ + b) ∘ σ(o U + x U′ + c), o what attention gives and x the query’s token: a gate "
        "that reads both lets through what answers the query (Huang et al. 2019, AoA); with both gates x ∘ "
        "σ(o W + x W′ + b) + o ∘ σ(o U + x U′ + c), o after a layer, as behind the averages of Zhang et al. "
        "2018 (AAN)";
    component.options = {
        word_option("gates", "Gates", {"information", "both"},
                    "Whether what is made of token and attention is gated, or each of the two by a gate of "
                    "its own, and both are added."),
        count_option(
            "units", "Units of a layer", 0, logarithmic_range(0, 65536),
            "How many hidden units, with relu, a layer has that what attention gives goes through first.",
            "no layer"),
        flag_option("reads_query", "Reads the query", true,
                    "Information and gate are made of the query’s token too; otherwise of what attention "
                    "gives alone, as in x-transformers.")};
    component.known_parameters = {
        {"W_information_o", "[d_o, d_o]", "projects what attention gives"},
        {"W_information_q", "[d_q, d_o]", "projects the query’s token"},
        {"b_information", "[d_o]", "is added to both"},
        {"W_relevance_o", "[d_o, d_o]", "projects what attention gives to the gate"},
        {"W_relevance_q", "[d_q, d_o]", "projects the query’s token to the gate"},
        {"b_relevance", "[d_o]", "is added to the gate before its sigmoid"},
        {"W_found_1", "[d_o, units]", "projects what attention gives; with units"},
        {"b_found_1", "[units]", "is added before relu"},
        {"W_found_2", "[units, d_o]", "projects the units"},
        {"b_found_2", "[d_o]", "is added to what the layer makes"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.output_width;
        list.add("W_information_o", {width, width});
        if (reads_query(plan))
            list.add("W_information_q", {plan.tokens.query_width, width});
        list.add("b_information", {width}, 0.0);
        list.add("W_relevance_o", {width, width});
        if (reads_query(plan))
            list.add("W_relevance_q", {plan.tokens.query_width, width});
        list.add("b_relevance", {width}, 0.0);
        if (const Index units = units_of_found(plan); units > 0) {
            list.add_with_bias("W_found_1", {width, units});
            list.add_with_bias("W_found_2", {units, width});
        }
    };
    component.check = [](const Plan& plan) {
        if (has_two_gates(plan) && plan.tokens.query_width != plan.output_width)
            throw Error(
                {"attention_on_attention", "gates",
                 "outputs as wide as the tokens that are added, " + std::to_string(plan.tokens.query_width),
                 std::to_string(plan.output_width)});
    };
    component.is_composed = true;
    component.cost = [](const Plan& plan) -> AlgorithmCost {
        const Index read = plan.output_width + (reads_query(plan) ? plan.tokens.query_width : 0);
        return {.multiply_adds = work({plan.queries, 2 * (read + units_of_found(plan)), plan.output_width})};
    };
    component.takes_any_mask = true;
    component.declared_stages = {
        made_stage("found_layer", "What attention gives, through a layer",
                   {"", {{"concatenation"}}, "× W, relu,\n× W\n→"},
                   {.lights = "information_gate", .has_features = true, .is_of_all_heads = true}),
        made_stage("token_gate", "Gate of the token",
                   {"how much of each feature of the token is kept",
                    {{"concatenation"}, {"tokens", "and"}},
                    "projected,\nadded, σ\n→"},
                   {.lights = "output", .has_features = true, .is_share = true, .is_of_all_heads = true}),
        made_stage("information", "Information",
                   {"of what attention gives and of the query’s token",
                    {{"concatenation"}, {"tokens", "and"}},
                    "projected,\nadded\n→"},
                   {.lights = "output", .has_features = true, .is_of_all_heads = true}),
        made_stage("information_gate", "Gate of the information",
                   {"how much of each feature is let through",
                    {{"concatenation"}, {"tokens", "and"}},
                    "projected,\nadded, σ\n→"},
                   {.lights = "output", .has_features = true, .is_share = true, .is_of_all_heads = true}),
        made_stage(
            "output", "Output",
            {"",
             {optional_stage("information"), optional_stage("token_gate"), {"information_gate", "and"}},
             "∘\n→"})};
    component.define_output = define_attention_on_attention;
    return component;
}

}  // namespace headlight
