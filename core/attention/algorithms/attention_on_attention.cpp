#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

#include <string>

namespace headlight {
namespace {

/// o W + x W′ + b, of what attention gives, o, and of the query’s token.
Expression of_both(Composer& composer, const Expression& found, const std::string& name) {
    return composer.projected(found, "W_" + name + "_o") +
           composer.projected(composer.query_tokens, "W_" + name + "_q", "b_" + name);
}

Expression define_attention_on_attention(Composer& composer, const Expression& output) {
    const bool has_name = output->operation == Operation::tensor;
    const Expression found = has_name ? output : composer.let("found", output, "what attention gives");
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
    component.type = AlgorithmType::attention_on_attention;
    component.word = "attention_on_attention";
    component.meaning =
        "o′ = (o W + x W′ + b) ∘ σ(o U + x U′ + c), o what attention gives and x the query’s token: a gate "
        "that reads both lets through what answers the query (Huang et al. 2019, AoA)";
    component.known_parameters = {
        {"W_information_o", {}, "[d_o, d_o]: projects what attention gives (attention_on_attention)"},
        {"W_information_q", {}, "[d_q, d_o]: projects the query’s token (attention_on_attention)"},
        {"b_information", {}, "[d_o]: is added to both (attention_on_attention)"},
        {"W_relevance_o", {}, "[d_o, d_o]: projects what attention gives to the gate"},
        {"W_relevance_q", {}, "[d_q, d_o]: projects the query’s token to the gate"},
        {"b_relevance", {}, "[d_o]: is added to the gate before its sigmoid"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.output_width;
        list.add("W_information_o", {width, width}, "projects what attention gives");
        list.add("W_information_q", {plan.tokens.query_width, width}, "projects the query’s token");
        list.add("b_information", {width}, "is added to both", 0.0);
        list.add("W_relevance_o", {width, width}, "projects what attention gives to the gate");
        list.add("W_relevance_q", {plan.tokens.query_width, width}, "projects the query’s token to the gate");
        list.add("b_relevance", {width}, "is added to the gate before its sigmoid", 0.0);
    };
    component.is_composed = true;
    component.takes_any_mask = true;
    component.stages = [](const Plan& plan, StageList& list) {
        for (const char* name : {"information", "information_gate"})
            list.add(name, {Axis::query, Axis::feature}, {plan.queries, plan.output_width});
    };
    component.declared_stages = {{.name = "information",
                                  .title = "Information",
                                  .subtitle = "of what attention gives and of the query’s token",
                                  .operands = {{"concatenation"}, {"tokens", "and"}},
                                  .operation = "projected,\nadded\n→",
                                  .lights = "output"},
                                 {.name = "information_gate",
                                  .title = "Gate of the information",
                                  .subtitle = "how much of each feature is let through",
                                  .operands = {{"concatenation"}, {"tokens", "and"}},
                                  .operation = "projected,\nadded, σ\n→",
                                  .lights = "output",
                                  .is_share = true},
                                 {.name = "output",
                                  .title = "Output",
                                  .operands = {{"information"}, {"information_gate", "∘"}},
                                  .operation = "="}};
    component.define_output = define_attention_on_attention;
    return component;
}

}  // namespace headlight
