#include "core/attention/component.h"
#include "core/attention/positions/pair_offsets.h"

namespace headlight {
namespace {

Index dynamic_columns(const Plan& plan) { return plan.position().count("columns"); }
Index dynamic_depth(const Plan& plan) { return plan.position().count("depth"); }
Index dynamic_width(const Plan& plan) { return plan.position().count("hidden"); }
bool has_dynamic_norm(const Plan& plan) { return plan.position().flag("norm"); }

constexpr Index most_dynamic_layers = 4;

Expression normalized_units(Composer& composer, const Expression& x, Index layer) {
    constexpr double epsilon = 1e-5;  // PyTorch's
    const Expression centred =
        composer.let(numbered("centred_units_", layer), x - mean_of_columns(x), "each row without its mean");
    return composer.let(numbered("normalized_units_", layer),
                        composer.parameter(numbered("g_offset_", layer)) * centred /
                                root_of(mean_of_columns(centred * centred) + epsilon) +
                            composer.parameter(numbered("s_offset_", layer)),
                        "divided by the standard deviation of its row");
}

Expression define_dynamic_bias(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    const bool is_smooth = plan.position().word("activation") == "silu";
    const PairOffsets offsets(plan, dynamic_columns(plan));
    Expression units = offsets.numbers(composer);
    if (plan.position().flag("logarithm"))
        units = PairOffsets::squeezed(composer, units);
    for (Index layer = 1; layer <= dynamic_depth(plan); ++layer) {
        Expression sums = composer.let(
            numbered("offset_sums_", layer),
            composer.projected(units, numbered("W_offset_", layer), numbered("b_offset_", layer)),
            "what each hidden unit gets of each offset");
        if (has_dynamic_norm(plan))
            sums = normalized_units(composer, sums, layer);
        units = composer.let(numbered("offset_units_", layer),
                             is_smooth ? sums * sigmoid_of(sums) : relu_of(sums), "the hidden layer");
    }
    return offsets.of_pairs(composer, composer.let("offset_biases",
                                                   composer.projected(units, "W_offset_out", "b_offset_out"),
                                                   "a number for each head"));
}

std::vector<KnownParameter> known_parameters_of_dynamic_bias() {
    std::vector<KnownParameter> known;
    for (Index layer = 1; layer <= most_dynamic_layers; ++layer)
        append(known, {{numbered("W_offset_", layer), layer == 1 ? "[1 or 2, hidden]" : "[hidden, hidden]",
                        layer == 1 ? "first layer of the network of offsets"
                                   : "a further layer of the network of offsets"},
                       {numbered("b_offset_", layer), "[hidden]", "is added to it"},
                       {numbered("g_offset_", layer), "[hidden]", "what its layer norm multiplies by"},
                       {numbered("s_offset_", layer), "[hidden]", "what its layer norm adds"}});
    append(known, {{"W_offset_out", "[hidden, h]", "last layer, one bias for each head"},
                   {"b_offset_out", "[h]", "is added to that"}});
    return known;
}

}  // namespace

PositionComponent declare_positions_dynamic_bias() {
    PositionComponent component;
    component.meaning = "s + f_h(i − j), f a small network: a bias for every offset, of places or of rows "
                        "and columns, learned as a function and not as a table (CrossFormer, Wang et al. "
                        "2022)";
    component.options = {
        count_option("columns", "Columns", 0, {0, 65536},
                     "How many tokens a row of the grid has, whose rows and columns f then sees; without a "
                     "grid it sees i − j.",
                     "no grid"),
        count_option("depth", "Hidden layers", 2, {1, most_dynamic_layers},
                     "How many layers of hidden units f has; CrossFormer has 3."),
        count_option("hidden", "Hidden units", 16, logarithmic_range(1, 512),
                     "Width of these layers: an offset in, these, one number for each head out."),
        flag_option("logarithm", "Logarithmic", false,
                    "Whether f sees sign(r) ln(1 + |r|) in place of the offset r."),
        flag_option("norm", "Layer norm", false,
                    "Whether a layer norm stands before each activation, as in CrossFormer."),
        word_option("activation", "Activation", {"silu", "relu"},
                    "Of the hidden units: x σ(x), or max(x, 0) as in CrossFormer.")};
    component.known_parameters = known_parameters_of_dynamic_bias();
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index hidden = dynamic_width(plan);
        for (Index layer = 1; layer <= dynamic_depth(plan); ++layer) {
            const Index inputs = layer > 1 ? hidden : dynamic_columns(plan) > 0 ? 2 : 1;
            list.add(numbered("W_offset_", layer), {inputs, hidden});
            list.add(numbered("b_offset_", layer), {hidden});
            if (has_dynamic_norm(plan)) {
                list.add(numbered("g_offset_", layer), {hidden}, 1.0);
                list.add(numbered("s_offset_", layer), {hidden}, 0.0);
            }
        }
        list.add_with_bias("W_offset_out", {hidden, plan.heads});
    };
    component.has_bias = true;
    component.define_bias = define_dynamic_bias;
    return component;
}

}  // namespace headlight
