#include "core/attention/defined_algorithms.h"
#include "core/attention/rotary.h"

#include <numbers>

namespace headlight {
namespace {

/// r e^(i (ω p + θ)) less r e^(i θ): pairs of features of a word, turned by its place at the word's own
/// speed. Places are whole numbers, so that speeds beyond half a turn would be slower ones again.
Expression define_complex_order(Composer& composer, const std::string& name, const Expression& tokens) {
    const Index n = tokens.extent().rows, width = tokens.extent().columns;
    const auto& options = composer.plan.position();
    const Expression shared = composer.constant(
        "shared_speeds", {0, 1, width / 2}, "radians by which each pair of every word turns",
        [frequencies = rotary_frequencies(width, options.number("base"))](Index, Index, Index pair) {
            return frequencies[static_cast<std::size_t>(pair)];
        });
    const Expression speeds = composer.let(
        "word_speeds", shared + std::numbers::pi * tanh_of(composer.projected(tokens, "W_order")),
        "radians by which each pair of this word turns from one place to the next");
    const Expression places =
        composer.constant("word_places", {0, n, 1}, "places of the words, from 0",
                          [](Index, Index row, Index) { return static_cast<double>(row); });
    std::vector<Index> pairs, partners;
    for (Index column = 0; column < width; ++column) {
        pairs.push_back(column / 2);
        partners.push_back(column % 2 == 0 ? column + 1 : column - 1);
    }
    const Expression angles =
        composer.let("word_angles", some_columns(places * speeds, pairs), "place × speed, for both features");
    const Expression signs =
        composer.constant("part_signs", {0, 1, width}, "how the partner of a feature counts",
                          [](Index, Index, Index column) { return column % 2 == 0 ? -1.0 : 1.0; });
    const Expression turned = composer.let(
        "turned_words", tokens * cos_of(angles) + some_columns(tokens, partners) * signs * sin_of(angles),
        "every word, turned by its place at its own speed");
    return composer.let(name, turned - tokens, "what the turn changes");
}

}  // namespace

PositionComponent declare_positions_complex_order() {
    PositionComponent component;
    component.meaning =
        "r e^(i (ω p + θ)): pairs of features of a token vector are complex numbers with a length r and a "
        "phase θ, which turn with the place p at a speed ω that each word has for itself, ω = base^(−2i/d) + "
        "π tanh(x W_order) (Wang et al. 2020)";
    component.options = {base_option(
        "Pair i of every word turns by base^(−2i/d) from one place to the next, beside what is its own.")};
    component.known_parameters = {{"W_order", "[d, d / 2]", "makes the speed of each pair from the word"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.tokens.query_width;
        list.add("W_order", {width, width / 2});
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "complex_order positions", "places are counted along one sequence");
    };
    component.paired = {{.of = "features of a token vector",
                         .why = "two are the parts of a complex number",
                         .count = [](const Plan& plan) { return plan.tokens.query_width; },
                         .way_out = "change the dimension of the vectors"}};
    component.declared_stages = {
        made_stage("word_speeds", "Speeds of the words",
                   {"radians from one place to the next", {{"tokens"}}, "π tanh(x W)\n→"},
                   {.lights = "tokens", .has_features = true, .column = "pair"}),
        made_stage("turned_words", "Turned words", {"", {{"tokens"}}, "turn by place\n× own speed\n→"},
                   {.colours_of = "tokens", .lights = "tokens", .has_features = true}),
        made_stage("position", "Positions", {"", {{"turned_words"}, {"tokens", "−"}}, "="},
                   {.colours_of = "tokens", .lights = "tokens"})};
    component.define_term_of_tokens = define_complex_order;
    return component;
}

}  // namespace headlight
