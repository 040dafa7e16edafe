#include "core/attention/algorithms/gated_image.h"
#include "core/attention/algorithms/image_grid.h"

namespace headlight {
namespace {

constexpr Index most_focal_levels = 4;

Index focal_levels(const Plan& plan) { return plan.algorithm().count("levels"); }

/// That of a level, counted from 0: each is two taps wider than the one before.
ImageKernel focal_kernel(const Plan& plan, Index level) { return {kernel_side(plan) + 2 * level}; }

/// Contexts of ever wider surroundings, each by the gate of the place, made into what its query is multiplied
/// by (Yang et al. 2022).
Expression define_focal_modulation(Composer& composer) {
    const Plan& plan = composer.plan;
    const ImageGrid grid(plan);
    const Index levels = focal_levels(plan);
    const auto of_tokens = [&](const std::string& name) {
        return composer.projected_by_heads(composer.query_tokens, "W_" + name, "b_" + name);
    };
    const Expression gates =
        composer.let("focal_gates", of_tokens("focal_gates"), "a number for each level, and for the image");
    Expression level = composer.let("focal_features", of_tokens("focal"), "what contexts are made of");
    std::optional<Expression> gathered;
    const auto gather = [&](const Expression& context, Index at) {
        const Expression part = context * some_columns(gates, {at});
        gathered = gathered ? *gathered + part : part;
    };
    for (Index at = 0; at < levels; ++at) {
        const std::string name = numbered("focal_level_", at + 1);
        const Expression convolved = composer.let(
            name + "_convolved",
            convolved_channels(composer, name, level, composer.parameter(numbered("W_focal_kernel_", at + 1)),
                               grid, focal_kernel(plan, at)),
            "each channel with what lies around");
        level = composer.let(name, exact_gelu_of(convolved), "GELU of it");
        gather(level, at);
    }
    const Expression mean = composer.let("focal_mean", mean_of_rows(level), "of the whole image");
    gather(composer.let("focal_image", exact_gelu_of(mean), "GELU of it"), levels);
    const Expression context =
        composer.let("gathered_contexts", *gathered, "the levels by their gates, added up");
    const Expression modulator =
        composer.let("modulator", composer.projected(context, "W_modulator", "b_modulator"),
                     "what the query is multiplied by");
    write_gates_as_weights(composer, modulator);
    return composer.let("context", composer.query * modulator, "every number times its own");
}

void add_focal_parameters(const Plan& plan, ParameterList& list) {
    const Index width = plan.tokens.query_width, channels = plan.head_query_width(),
                levels = focal_levels(plan);
    list.add_with_bias("W_focal", {width, plan.query_width});
    list.add_with_bias("W_focal_gates", {width, plan.heads * (levels + 1)});
    for (Index level = 0; level < levels; ++level)
        list.add(numbered("W_focal_kernel_", level + 1), {focal_kernel(plan, level).taps(), channels});
    list.add_with_bias("W_modulator", {channels, channels});
}

}  // namespace

AlgorithmComponent declare_algorithms_focal_modulation() {
    AlgorithmComponent component;
    component.meaning =
        "o = q ∘ (m W + b), m = Σ_l g_l z_l + g_(L+1) gelu(mean z_L), z_l = gelu(kernel_l ∗ z_(l−1)), z_0 = "
        "x W_z, g = x W_g: a place gathers ever wider surroundings of a grid, each by a gate of its own, and "
        "multiplies its query by that (FocalNet, Yang et al. 2022); the weights shown are a diagonal, the "
        "mean of what it is multiplied by, which may be below 0";
    component.options = {
        columns_option(),
        count_option("levels", "Levels L", 2, {1, static_cast<double>(most_focal_levels)},
                     "How many kernels follow one another; the mean of the image comes on top. FocalNets "
                     "have 2 or 3, and 4 for detection."),
        kernel_option("The first kernel; each level’s is two taps wider. FocalNets begin with 3x3.")};
    component.known_parameters = {
        {"W_focal", "[d, h C]", "projects token vectors to what contexts are made of"},
        {"b_focal", "[h C]", "is added to it"},
        {"W_focal_gates", "[d, h (L + 1)]", "projects token vectors to the gates of the levels"},
        {"b_focal_gates", "[h (L + 1)]", "is added to them"}};
    for (Index level = 1; level <= most_focal_levels; ++level)
        component.known_parameters.push_back(
            {numbered("W_focal_kernel_", level), "[taps, C] per head, shared by the heads",
             "the kernel of each channel in level " + std::to_string(level) + ", tap by tap"});
    append(component.known_parameters,
           {{"W_modulator", "[C, C] per head, shared by the heads",
             "makes what a query is multiplied by of all its channels"},
            {"b_modulator", "[C] per head, shared by the heads", "is added to it"}});
    component.parameters = add_focal_parameters;
    component.check = [](const Plan& plan) { check_gated_image(plan, "focal_modulation"); };
    component.makes_keys_and_values = true;
    component.changes_context = always;
    component.declared_stages = {
        made_stage("focal_gates", "Gates of the levels",
                   {"x W + b: a number for each level, the image last", {{"tokens"}}, "× W, + b\n→"},
                   {.lights = "gathered_contexts", .has_features = true, .column = "level"}),
        made_stage("focal_features", "Features to be gathered",
                   {"x W + b: what contexts are made of", {{"tokens"}}, "× W, + b\n→"},
                   {.lights = "focal_level_1", .has_features = true})};
    std::vector<StageOperand> gathered{{"focal_gates"}};
    for (Index level = 1; level <= most_focal_levels; ++level) {
        gathered.push_back(optional_stage(numbered("focal_level_", level), "and"));
        component.declared_stages.push_back(
            made_stage(numbered("focal_level_", level), "Level " + std::to_string(level),
                       {"each channel by a kernel of " + std::string(level > 1 ? "wider reach" : "its own"),
                        {{level > 1 ? numbered("focal_level_", level - 1) : "focal_features"}},
                        "kernel,\nGELU\n→"},
                       {.lights = "gathered_contexts", .has_features = true}));
    }
    gathered.push_back({"focal_image", "and"});
    append(
        component.declared_stages,
        {made_stage("focal_image", "The whole image",
                    {"GELU of the mean of the last level", {{"focal_level_1"}}, "last level,\nmean, GELU\n→"},
                    {.lights = "gathered_contexts", .is_of_features = true}),
         made_stage("gathered_contexts", "Contexts, gathered",
                    {"the levels by their gates, added up", gathered, "by their\ngates\n→"},
                    {.lights = "modulator", .has_features = true}),
         made_stage("modulator", "Modulator",
                    {"all channels of a place together", {{"gathered_contexts"}}, "× W, + b\n→"},
                    {.lights = "output", .has_features = true}),
         declared_gates_as_weights("modulator", false), declared_gated_features("modulator")});
    component.define = define_focal_modulation;
    return component;
}

}  // namespace headlight
