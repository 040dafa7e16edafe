#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

#include <numbers>

namespace headlight {
namespace {

/// Waves over `size` places, [size, size].
struct Waves {
    Expression cosines, sines;
};

/// cos and sin of 2π row column / size, less whole turns. The processor's are next to 0 where they are 0, at
/// an odd (an even) number of quarter turns.
Waves waves_of(Composer& composer, const std::string& name, Index size) {
    const Expression angles = composer.constant(
        "angles_of_" + name, {0, size, size}, "2π i j / their number", [=](Index, Index row, Index column) {
            const double turns = static_cast<double>(row * column % size) / static_cast<double>(size);
            return 2 * std::numbers::pi * turns;
        });
    const auto quarter_turns = [&](const char* without, bool is_odd, const char* note) {
        return composer.truth(without + name, {0, size, size}, note, [=](Index row, Index column) {
            const Index quarters = 4 * (row * column % size);
            return quarters % size == 0 && (quarters / size % 2 == 1) == is_odd;
        });
    };
    return {choose(quarter_turns("no_cosine_of_", true, "a quarter turn, or three"), 0, cos_of(angles)),
            choose(quarter_turns("no_sine_of_", false, "no turn, or half of one"), 0, sin_of(angles))};
}

/// With F = C − i S of the tokens and of the features, the real part of F X F is C X C − S X S.
Expression define_fourier(Composer& composer) {
    const Waves of_tokens = waves_of(composer, "tokens", composer.plan.queries),
                of_features = waves_of(composer, "features", composer.plan.head_query_width());
    const Expression cosines =
        composer.let("weights", of_tokens.cosines, "whatever the tokens say: the cosines of their places");
    const Expression sines = composer.let("sine_weights", of_tokens.sines, "the sines of their places");
    const Expression by_cosines =
        composer.let("cosine_features", product(composer.query, of_features.cosines),
                     "the features of each token, added up by cosines");
    const Expression by_sines = composer.let("sine_features", product(composer.query, of_features.sines),
                                             "the features of each token, added up by sines");
    return composer.let("context", product(cosines, by_cosines) - product(sines, by_sines),
                        "the real part of the transform over tokens and features");
}

void check_fourier(const Plan& plan) {
    const std::string what = "fourier algorithm";
    require_one_sequence(plan, what, "one sequence is transformed");
    refuse_turned_vectors(plan, what, "there are no keys to turn");
    refuse_mask(plan, what, "every output has all tokens in it");
    refuse_shared_heads(plan, what);
    require_values_of_query_width(plan, what);
}

}  // namespace

AlgorithmComponent declare_algorithms_fourier() {
    AlgorithmComponent component;
    component.meaning =
        "Re(Fₙ X F_d) = Cₙ X C_d − Sₙ X S_d: a Fourier transform over the features and over the tokens, and "
        "nothing learned (Lee-Thorp et al. 2022, FNet); the weights shown are the cosines of the tokens, Cₙ";
    component.check = check_fourier;
    component.makes_keys_and_values = true;
    component.changes_context = always;
    component.declared_stages = {
        made_stage("weights", "Weights",
                   {"cos(2π i j / n), whatever the tokens say", {{"tokens"}}, "cosines of\ntheir places\n→"},
                   {.lights = "output", .role = StageRole::weights}),
        made_stage("sine_weights", "Sines of the tokens",
                   {"sin(2π i j / n), whatever the tokens say", {{"tokens"}}, "sines of\ntheir places\n→"},
                   {.colours_of = "weights", .lights = "weights", .role = StageRole::weights}),
        made_stage("cosine_features", "Cosines of the features",
                   {"each token times cos(2π a b / d)", {{"query"}}, "× cosines\n→"}, {.lights = "context"}),
        made_stage("sine_features", "Sines of the features",
                   {"each token times sin(2π a b / d)", {{"query"}}, "× sines\n→"},
                   {.colours_of = "cosine_features", .lights = "context"}),
        made_stage("context", "Context",
                   {"cosines times cosines less sines times sines",
                    {{"weights"}, {"cosine_features", "×"}},
                    "− sines ×\nsines\n→"},
                   {.lights = "output"}),
    };
    component.define = define_fourier;
    return component;
}

}  // namespace headlight
