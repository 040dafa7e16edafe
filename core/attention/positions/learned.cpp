#include "core/attention/component.h"
#include "core/attention/composer.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

Index most_tokens(const Plan& plan) { return std::max(plan.queries, plan.keys); }

/// Row p of the table to the token at place p.
Tensor learned_term(const Plan& plan, Index tokens, Index width) {
    const Tensor& table = plan.parameter("E_pos");
    Tensor term({tokens, width});
    for (Index token = 0; token < tokens; ++token)
        std::ranges::copy(table.row(token), term.row(token).begin());
    return term;
}

void check_learned(const Plan& plan) {
    const TokenDimensions& tokens = plan.tokens;
    if (tokens.key_width != tokens.query_width || tokens.value_width != tokens.query_width)
        throw Error({"learned positions", "token vectors",
                     "queries, keys and values of one width, for one table of places is added to all",
                     std::to_string(tokens.query_width) + ", " + std::to_string(tokens.key_width) + " and " +
                         std::to_string(tokens.value_width)});
}

Expression define_learned(Composer& composer, const std::string& name, Index tokens, Index) {
    return composer.let(name, some_rows(composer.parameter("E_pos"), counted(0, tokens)),
                        "a learned vector for each place");
}

}  // namespace

PositionComponent declare_positions_learned() {
    PositionComponent component;
    component.type = PositionType::learned;
    component.word = "learned";
    component.meaning = "x + E[p]: a learned vector for each place, added to the token vectors before "
                        "projection (BERT, GPT-2)";
    component.known_parameters = {
        {"E_pos", {}, "[tokens, d]: row p is added to the token vector at place p (learned positions)"}};
    component.copies_parameters = false;
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("E_pos", {most_tokens(plan), plan.tokens.query_width},
                 "holds a vector for each place, added to the token there");
    };
    component.check = check_learned;
    component.token_term = learned_term;
    component.define_token_term = define_learned;
    return component;
}

}  // namespace headlight
