#include "core/attention/component.h"
#include "core/attention/composer.h"
#include "core/tensor/error.h"

#include <numbers>

namespace headlight {
namespace {

/// 2π row column / size, [size, size], less whole turns.
Expression angles_of_waves(Composer& composer, const std::string& name, Index size, const std::string& note) {
    return composer.constant(name, {0, size, size}, note, [=](Index, Index row, Index column) {
        const double turns = static_cast<double>(row * column % size) / static_cast<double>(size);
        return 2 * std::numbers::pi * turns;
    });
}

/// Pairs whose angle is an odd (or an even) number of quarter turns: their cosine (their sine) is 0, next to
/// which the processor's is.
Expression quarter_turns(Composer& composer, const std::string& name, bool is_odd, const std::string& note) {
    const Index n = composer.plan.queries;
    return composer.truth(name, {0, n, n}, note, [=](Index row, Index column) {
        const Index quarters = 4 * (row * column % n);
        return quarters % n == 0 && (quarters / n % 2 == 1) == is_odd;
    });
}

/// With F = C − i S of the tokens and of the features, the real part of F X F is C X C − S X S.
Expression define_fourier(Composer& composer) {
    const Expression of_tokens =
        angles_of_waves(composer, "angles_of_tokens", composer.plan.queries, "2π i j / n of two places");
    const Expression of_features = angles_of_waves(
        composer, "angles_of_features", composer.plan.head_query_width(), "2π a b / d of two features");
    const Expression cosines = composer.let(
        "weights",
        choose(quarter_turns(composer, "has_no_cosine", true, "places a quarter turn apart, or three"), 0,
               cos_of(of_tokens)),
        "whatever the tokens say: the cosines of their places");
    const Expression sines = composer.let(
        "sine_weights",
        choose(quarter_turns(composer, "has_no_sine", false, "places no turn apart, or half of one"), 0,
               sin_of(of_tokens)),
        "the sines of their places");
    const Expression by_cosines =
        composer.let("cosine_features", product(composer.query, cos_of(of_features)),
                     "the features of each token, added up by cosines");
    const Expression by_sines = composer.let("sine_features", product(composer.query, sin_of(of_features)),
                                             "the features of each token, added up by sines");
    return composer.let("context", product(cosines, by_cosines) - product(sines, by_sines),
                        "the real part of the transform over tokens and features");
}

void check_fourier(const Plan& plan) {
    const AttentionSpec& spec = plan.spec;
    const auto refuse = [](const char* part, const std::string& expected, const std::string& got) {
        throw Error({"fourier algorithm", part, expected, got});
    };
    if (spec.source.type != SourceType::self)
        refuse("source", "self: one sequence is transformed", "cross");
    if (is_masked(spec.mask))
        refuse("mask", "none: every output has all tokens in it", "a mask");
    const PositionComponent* position = component_of(spec.position.type);
    if (position && position->turns_vectors)
        refuse("position", "none, or one that is added to the tokens: there are no keys to turn",
               position->word);
    if (plan.kv_heads != plan.heads || spec.heads.sharing != Sharing::none)
        refuse("heads", "single or multi: there are no keys and values that heads could share",
               "shared ones");
    if (plan.head_value_width() != plan.head_query_width())
        refuse("value",
               "as many features for each head as queries have, " + std::to_string(plan.head_query_width()),
               std::to_string(plan.head_value_width()));
}

}  // namespace

AlgorithmComponent declare_algorithms_fourier() {
    AlgorithmComponent component;
    component.type = AlgorithmType::fourier;
    component.word = "fourier";
    component.meaning =
        "Re(Fₙ X F_d) = Cₙ X C_d − Sₙ X S_d: a Fourier transform over the features and over the tokens, and "
        "nothing learned (Lee-Thorp et al. 2022, FNet); the weights shown are the cosines of the tokens, Cₙ";
    component.check = check_fourier;
    component.makes_keys_and_values = true;
    component.changes_context = [](const AttentionSpec&) { return true; };
    component.declared_stages = {
        {.name = "weights",
         .title = "Weights",
         .subtitle = "cos(2π i j / n), whatever the tokens say",
         .operands = {{"tokens"}},
         .operation = "cosines of\ntheir places\n→",
         .lights = "output",
         .role = StageRole::weights},
        {.name = "sine_weights",
         .title = "Sines of the tokens",
         .subtitle = "sin(2π i j / n), whatever the tokens say",
         .operands = {{"tokens"}},
         .operation = "sines of\ntheir places\n→",
         .colours_of = "weights",
         .lights = "weights",
         .role = StageRole::weights},
        {.name = "cosine_features",
         .title = "Cosines of the features",
         .subtitle = "each token times cos(2π a b / d)",
         .operands = {{"query"}},
         .operation = "× cosines\n→",
         .lights = "context"},
        {.name = "sine_features",
         .title = "Sines of the features",
         .subtitle = "each token times sin(2π a b / d)",
         .operands = {{"query"}},
         .operation = "× sines\n→",
         .colours_of = "cosine_features",
         .lights = "context"},
        {.name = "context",
         .title = "Context",
         .subtitle = "cosines times cosines less sines times sines",
         .operands = {{"weights"}, {"cosine_features", "×"}},
         .operation = "− sines ×\nsines\n→",
         .lights = "output"},
    };
    component.define = define_fourier;
    return component;
}

}  // namespace headlight
