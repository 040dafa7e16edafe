#include "core/attention/algorithms/delta_states.h"

#include <string>
#include <vector>

namespace headlight {
namespace {

/// What a query reads of each step where the steps of a batch are a mean, [n, n]: a part, by the tokens of
/// the batch that have come, and at last by all of them.
Expression write_parts_of_steps(Composer& composer, Index batch) {
    const Index n = composer.plan.queries;
    const std::vector<Index> tokens = tokens_read_after(composer);
    return composer.constant("parts_of_steps", {0, n, n}, "1 / the tokens that a step is the mean of",
                             [&](Index, Index row, Index column) {
                                 const Index token = tokens[static_cast<std::size_t>(row)];
                                 const bool is_of_last_batch = column / batch == token / batch;
                                 return 1 / static_cast<double>(is_of_last_batch ? token % batch + 1 : batch);
                             });
}

/// The gradients of a batch are all taken where it begins: a token asks for what the batches before it have
/// written. What it writes is read by itself and by those after it.
Expression define_ttt(Composer& composer) {
    const Index n = composer.plan.queries;
    const Index batch = option<Index>(algorithm_options(composer), "batch");
    const bool is_mean = option<bool>(algorithm_options(composer), "mean");
    const Expression keys = direction_of(composer, "unit_key", composer.key);
    const Expression steps = transposed(write_strengths_of_tokens(composer));
    const Expression is_of_earlier_batch =
        composer.truth("is_of_earlier_batch", {0, n, n}, "tokens of the batches before this token’s",
                       [=](Index row, Index column) { return column / batch < row / batch; });
    const Expression found = product_transposed(keys, keys) * steps;
    const Expression asked =
        composer.let("asked_products",
                     choose(is_of_earlier_batch, is_mean ? found / static_cast<double>(batch) : found, 0),
                     "what each token finds of what each batch before has written");
    const Expression products = product_transposed(composer.query, keys) * steps * scale_of_queries(composer);
    const Expression read = composer.let(
        "read_products",
        composer.where_open(choose(pairs_not_later(composer),
                                   is_mean ? products * write_parts_of_steps(composer, batch) : products, 0),
                            0),
        "what each query reads of what each token has written");
    return write_inverse_of_values(composer, read, write_inverse_of_asked(composer, asked), composer.value);
}

}  // namespace

AlgorithmComponent declare_algorithms_ttt() {
    AlgorithmComponent component;
    component.type = AlgorithmType::ttt;
    component.word = "ttt";
    component.meaning =
        "W_t = W_{t−1} − β_t ∇ ½ |k_t W − v_t|² at the W with which the batch of t begins, o_t = q_t W_t: a "
        "linear model that is trained on the text as it is read, by mini-batches, k over its length, β = σ(y "
        "W_beta + b_beta), causal whatever the mask (Sun et al. 2025)";
    component.options = {{.name = "batch",
                          .label = "Batch",
                          .standard = Index(4),
                          .minimum = 1,
                          .maximum = 1024,
                          .logarithmic = true,
                          .help = "How many tokens take their gradients at the same weights: with 1 it is "
                                  "DeltaNet, with the whole text linear attention."},
                         {.name = "mean",
                          .label = "Means of gradients",
                          .standard = false,
                          .help =
                              "Whether the steps of a batch are added up, as the paper has them, or their "
                              "mean is taken, which cannot overshoot."},
                         scaled_option(true)};
    add_delta_rule_names(component.known_parameters);
    component.parameters = add_delta_rule_parameters;
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "ttt", why_state_is_of_one_sequence);
    };
    component.declared_stages = {declared_unit_keys(), declared_strengths()};
    std::vector<DeclaredStage> products =
        declared_products("unit_key_direction", "unit_key_direction", "query", {{"write_strengths", "∘"}});
    products.back().subtitle = "what each token finds of what the batches before it have written";
    products.back().operation = "batches\nbefore\n→";
    declare_all(component, products);
    declare_all(component, declared_errors("value"));
    component.define = define_ttt;
    return component;
}

}  // namespace headlight
