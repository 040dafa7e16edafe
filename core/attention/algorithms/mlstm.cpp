#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {
namespace {

/// The parallel form: D says how much of each key is left when a query reads, C what the query finds of it.
Expression define_mlstm(Composer& composer) {
    const Expression not_later = pairs_not_later(composer);
    const Expression log_gates =
        composer.let("log_forget_gates", log_sigmoid_of(numbers_of_tokens(composer, "f")),
                     "ln of what each token keeps of those before");
    const Expression inputs = composer.let("input_exponents", numbers_of_tokens(composer, "i"),
                                           "ln of how much of each token is written");
    // Whatever the largest input gate lets in, nothing is left of it behind such a gate.
    const Expression least = log_of_nothing - larger_of(maximum_of_rows(inputs), 0);
    const Expression so_far = write_summed_gates(composer, "cumulative_gates", log_gates, least);
    const Expression exponents = composer.let(
        "decay_exponents",
        choose(not_later, composer.open_or_forbidden(so_far - transposed(so_far) + transposed(inputs)),
               minus_infinity()),
        "ln of how much of each key is left");
    // The largest of a row may be far below 0, and the exponential of its opposite no number. Every
    // stabiliser gives the same weights: at least 0, this one keeps both exponentials at most 1.
    const Expression stabiliser = composer.let("stabiliser", larger_of(maximum_of_columns(exponents), 0),
                                               "the largest of each row, at least 0");
    const Expression left = composer.let("decay_mask", exp_of(exponents - stabiliser),
                                         "how much of each key is left, beside the largest");
    const Expression similarities =
        composer.let("similarities", scaled_products(composer, composer.query, composer.key), "q · k / √d");
    const Expression found =
        composer.let("gated_similarities", similarities * left, "what each query finds of each key");
    const Expression sum = composer.let("gated_sum", sum_of_columns(found), "q · n, n the normaliser state");
    // Beside a large stabiliser both may be 0: nothing was found then.
    const Expression divisor =
        composer.let("divisor", not_zero(larger_of(absolute_of(sum), exp_of(-stabiliser))),
                     "the amount of the sum, at least exp(−stabiliser)");
    return write_attended_values(
        composer, composer.let("weights", found / divisor, "what each query gives to each key"));
}

}  // namespace

AlgorithmComponent declare_algorithms_mlstm() {
    AlgorithmComponent component;
    component.meaning =
        "C ← f C + g kᵀ v, n ← f n + g k, o = q C / max(|q · n|, 1), f = σ(y W_f + b_f), g = exp(y W_i + "
        "b_i): the matrix memory of xLSTM in its parallel form, q over √d, causal whatever the mask (Beck et "
        "al. 2024)";
    component.known_parameters = {
        {"W_i", "[d, h]", "projects token vectors to the exponent of each head’s input gate"},
        {"b_i", "[h]", "is added to the exponents of the input gates"},
        {"W_f", "[d, h]", "projects token vectors to the forget gate of each head"},
        {"b_f", "[h]", "is added to the forget gates before their sigmoid"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        constexpr double open = 3;  // as the authors begin the first head: it keeps 0.95 of its state
        list.add("W_f", {plan.tokens.key_width, plan.heads});
        list.add("b_f", {plan.heads}, open);
        list.add_with_bias("W_i", {plan.tokens.key_width, plan.heads});
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "mlstm", "each token writes to the memory before it reads");
    };
    component.takes_any_mask = true;
    component.declared_stages = {
        made_stage("log_forget_gates", "Log forget gates",
                   {"ln of what each token keeps of those before it", token_operands(),
                    "× W_f + b_f,\nln sigmoid\n→"},
                   {.lights = "decay_exponents", .is_of_keys = true}),
        declared_cumulative_gates_stage({"log_forget_gates"}, "decay_exponents"),
        made_stage("input_exponents", "Exponents of the input gates",
                   {"ln of how much of each token is written", token_operands(), "× W_i + b_i\n→"},
                   {.lights = "decay_exponents", .is_of_keys = true}),
        made_stage("decay_exponents", "Log decay matrix",
                   {"log forget gates after the key, plus the exponent of its input gate",
                    {{"cumulative_gates"}, {"input_exponents", "and"}},
                    "query − key\n+ input\n→"},
                   {.lights = "decay_mask", .role = StageRole::scores, .leaves_out_masked = true}),
        made_stage("stabiliser", "Stabiliser",
                   {"the largest of each row of the log decay matrix, at least 0"},
                   {.lights = "decay_mask", .role = StageRole::row}),
        declared_decay_mask_stage("how much of each key is left, beside the largest of the row",
                                  {"decay_exponents"}, "− stabiliser,\nexp\n→"),
        declared_similarities_stage("q · k / √d", "÷ √d\n→"),
        made_stage("gated_similarities", "Gated similarities",
                   {"what each query finds of each key", {{"similarities"}, {"decay_mask", "∘"}}},
                   {.lights = "weights", .role = StageRole::weights, .leaves_out_masked = true}),
        made_stage("divisor", "Divisor", {"the amount of the row’s sum, at least exp(−stabiliser)"},
                   {.lights = "weights", .role = StageRole::row}),
        declared_weights_stage({"each row over its divisor", {{"gated_similarities"}}, "÷ divisor\n→"}),
    };
    component.define = define_mlstm;
    return component;
}

}  // namespace headlight
