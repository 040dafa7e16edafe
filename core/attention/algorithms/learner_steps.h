#pragma once

#include "core/attention/algorithms/delta_states.h"

#include <algorithm>
#include <cmath>

namespace headlight {

// Learners whose answer to a key is not linear in what was written: with a layer norm behind it, or with a
// hidden layer. What a token writes is minus the gradient of its loss by the answer, which is found batch by
// batch, for all tokens of a batch ask the learner with which it begins. What was written of a token is then
// read as before, so that there is a map: of what each token has written, not of its value.

constexpr double smallest_learner_variance = 1e-6;  // as the authors' code has it

inline bool has_learner_norm(const Plan& plan) { return plan.algorithm().flag("norm"); }

inline Option learner_norm_option() {
    return flag_option("norm", "Layer norm inside", false,
                       "Whether the learner is x + LN(x W + b), which is to answer v with it, so that "
                       "gradients go through the norm. Keys keep their length then.");
}

inline std::vector<KnownParameter> learner_norm_names() {
    return {{"gamma_learner", "[h d_v]", "scales what the norm of a learner leaves"},
            {"beta_learner", "[h d_v]", "is added behind it"}};
}
inline void add_learner_norm(const Plan& plan, ParameterList& list) {
    if (!has_learner_norm(plan))
        return;
    list.add("gamma_learner", {plan.context_width()}, 1.0);
    list.add("beta_learner", {plan.context_width()}, 0.0);
}

/// What is to be answered is v − k.
inline void check_learner_norm(const Plan& plan, const std::string& algorithm) {
    if (has_learner_norm(plan))
        require_value_width(plan, algorithm, "keys", plan.head_query_width(), ", which are taken from it");
}

/// The rows of `x` over their deviation, without their mean, and that deviation.
struct NormedRows {
    Expression rows, deviation;
};
inline NormedRows write_normed_rows(Composer& composer, const std::string& name, const Expression& x) {
    const Expression centred = composer.let(name + "_centred", x - mean_of_columns(x));
    // Squares of large numbers overflow; of parts of the largest they do not.
    const Expression largest = composer.let(name + "_largest", larger_of(largest_amount(centred), 1));
    const Expression parts = composer.let(name + "_parts", centred / largest);
    const Expression root =
        composer.let(name + "_root",
                     root_of(mean_of_columns(parts * parts) + smallest_learner_variance / largest / largest));
    return {composer.let(name + "_normed", parts / root), root * largest};
}

/// γ LN(x) + β
inline Expression learner_normed(Composer& composer, const NormedRows& normed) {
    return composer.parameter_of_heads("gamma_learner") * normed.rows +
           composer.parameter_of_heads("beta_learner");
}

/// Minus the gradient by `answers` [h, tokens, d] of ½ |answers − v|², or with the norm of ½ |γ LN(answers) +
/// β − (v − k)|², as `name`.
inline Expression write_learner_steps(Composer& composer, const std::string& name, const Expression& answers,
                                      const Expression& keys, const Expression& values) {
    if (!has_learner_norm(composer.plan))
        return composer.let(name, values - answers, "what the learner should add to its answer");
    const auto width = static_cast<double>(answers.extent().columns);
    const NormedRows normed = write_normed_rows(composer, name, answers);
    const Expression by_norm = composer.let(name + "_by_norm",
                                            (learner_normed(composer, normed) - (values - keys)) *
                                                composer.parameter_of_heads("gamma_learner"),
                                            "the gradient behind the norm");
    return composer.let(name,
                        -(by_norm - sum_of_columns(by_norm) / width -
                          normed.rows * (sum_of_columns(by_norm * normed.rows) / width)) /
                            normed.deviation,
                        "minus the gradient in front of the norm");
}

/// The numbers of the tokens of each batch, one batch after another.
inline std::vector<std::vector<Index>> batches_of_tokens(Index tokens, Index batch) {
    std::vector<std::vector<Index>> batches;
    for (Index first = 0; first < tokens; first += batch)
        batches.push_back(counted(first, std::min(batch, tokens - first)));
    return batches;
}

/// What the tokens of a batch find of what was written before it: the rows of `asked` [h, n, n] and the
/// columns of those tokens, times what they wrote.
inline Expression found_before(const Expression& asked, const std::vector<Index>& batch,
                               const std::vector<Expression>& written) {
    return product(some_columns(some_rows(asked, batch), counted(0, batch.front())), all_rows(written));
}

/// With the norm q + γ LN(answers) + β, else the answers, as `context`.
inline Expression write_learner_answer(Composer& composer, const Expression& answers) {
    if (!has_learner_norm(composer.plan))
        return composer.let("context", answers, "what the learner answers to each query");
    const NormedRows normed = write_normed_rows(composer, "learner_answers", answers);
    return composer.let("context", composer.query + learner_normed(composer, normed),
                        "the query and what the learner answers to it, normed");
}

/// What tokens write to a learner, and the answers.
inline std::vector<DeclaredStage> declared_learner_stages() {
    return {made_stage("written_steps", "What is written",
                       {"minus the gradient of each token’s loss by the answer",
                        {keys_of("value"), keys_of("key", "and")},
                        "batch\nby batch\n→"},
                       {.colours_of = "value", .lights = "output", .is_of_keys = true}),
            declared_weights_stage({"what each query reads of what each token has written",
                                    {{"query"}, times_keys_of("key"), {"write_strengths", "and"}},
                                    "+ 1 for\nthe bias, × β\n→"}),
            made_stage("learner_answers", "Answers",
                       {"of the learner to the queries, before a norm",
                        {{"weights"}, keys_of("written_steps", "×")},
                        "and what it\nbegan with\n→"},
                       {.colours_of = "value", .lights = "context"}),
            declared_own_context_stage({"", {{"learner_answers"}}, "with a norm:\nLN, + q\n→"})};
}

}  // namespace headlight
