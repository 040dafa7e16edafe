#include "core/attention/algorithms/delta_states.h"
#include "core/attention/algorithms/learner_steps.h"

#include <cmath>
#include <numbers>

namespace headlight {
namespace {

/// What a query reads of each step where the steps of a batch are a mean, [n, n]: a part, by the tokens of
/// the batch that have come, and at last by all of them.
Expression write_parts_of_steps(Composer& composer, Index batch) {
    const Index n = composer.plan.queries;
    return composer.constant("parts_of_steps", {0, n, n}, "1 / the tokens that a step is the mean of",
                             [batch, tokens = tokens_read_after(composer)](Index, Index row, Index column) {
                                 const Index token = tokens[static_cast<std::size_t>(row)];
                                 const bool is_of_last_batch = column / batch == token / batch;
                                 return 1 / static_cast<double>(is_of_last_batch ? token % batch + 1 : batch);
                             });
}

std::vector<Option> ttt_options() {
    return {count_option("batch", "Batch", 4, logarithmic_range(1, 1024),
                         "How many tokens take their gradients at the same weights: with 1 it is DeltaNet, "
                         "with the whole text linear attention."),
            flag_option("mean", "Means of gradients", false,
                        "Whether the steps of a batch are added up, as the paper has them, or their mean is "
                        "taken, which cannot overshoot."),
            learner_norm_option(),
            word_option("learner", "Learner", {"linear", "mlp"},
                        "Whether the model that is trained is one matrix, or has a hidden layer with GELU, "
                        "both layers of which learn (TTT-MLP)."),
            count_option("units", "Hidden units", 8, logarithmic_range(1, 1024),
                         "How many units the hidden layer has; four times the features of a head in the "
                         "paper. Only of the learner with two layers."),
            scaled_option(true)};
}

bool learns_by_two_layers(const Plan& plan) { return plan.algorithm().word("learner") == "mlp"; }
/// One matrix without a norm, whose answers are linear in the values.
bool is_linear_learner(const AttentionSpec& spec) {
    const Options options = complete_options(ttt_options(), spec.algorithm.options, "ttt", "algorithm");
    return options.word("learner") == "linear" && !options.flag("norm");
}
Index learner_units(const Plan& plan) { return plan.algorithm().count("units"); }

/// x W + b as the learner begins with it.
Expression begun(Composer& composer, const Expression& x, const std::string& layer) {
    return product(x, composer.matrices_of_heads("W_learner" + layer)) +
           composer.parameter_of_heads("b_learner" + layer);
}

/// How much of the step of each token [.., n, n] has been taken where a token asks, whose batch has begun,
/// and where a query reads.
struct TakenSteps {
    Expression at_ask, at_read;
};

/// What `x` has for the tokens of the batches before each token's, over their number where a step is a mean.
Expression of_earlier_batches(Composer& composer, const Expression& x) {
    const Index n = composer.plan.queries;
    const Index batch = composer.plan.algorithm().count("batch");
    const Expression is_of_earlier_batch =
        composer.truth("is_of_earlier_batch", {0, n, n}, "tokens of the batches before this token’s",
                       [=](Index row, Index column) { return column / batch < row / batch; });
    const bool is_mean = composer.plan.algorithm().flag("mean");
    return choose(is_of_earlier_batch, is_mean ? x / static_cast<double>(batch) : x, 0);
}

/// What `x` has for the tokens that a query reads: of the newest batch as much as the mean so far has.
Expression of_tokens_that_are_read(Composer& composer, const Expression& x) {
    const Index batch = composer.plan.algorithm().count("batch");
    const bool is_mean = composer.plan.algorithm().flag("mean");
    const Expression parts = is_mean ? x * write_parts_of_steps(composer, batch) : x;
    return composer.where_open(choose(pairs_not_later(composer), parts, 0), 0);
}

TakenSteps write_taken_steps(Composer& composer) {
    const Expression steps = transposed(write_strengths_of_tokens(composer));
    return {composer.let("steps_at_ask", of_earlier_batches(composer, steps),
                         "how much of each step was taken before the batch"),
            composer.let("steps_at_read", of_tokens_that_are_read(composer, steps),
                         "how much of each step was taken where a query reads")};
}

/// The products of two rows and 1, which is what a bias counts for.
Expression products_and_1(const Expression& left, const Expression& right) {
    return product_transposed(left, right) + 1;
}

/// x W + b with a norm behind it.
Expression write_normed_learner(Composer& composer, const TakenSteps& taken, const Expression& queries,
                                const Expression& keys) {
    const Index n = composer.plan.queries, batch = composer.plan.algorithm().count("batch");
    const Expression asked = composer.let("asked_products", products_and_1(keys, keys) * taken.at_ask,
                                          "what each token finds of what each batch before has written");
    const Expression at_first = composer.let("answers_at_first", begun(composer, keys, ""),
                                             "what the learner begins with answers to each key");
    std::vector<Expression> written;
    for (const std::vector<Index>& tokens : batches_of_tokens(n, batch)) {
        const std::string number = std::to_string(tokens.front());
        const Expression before = some_rows(at_first, tokens);
        const Expression answers = composer.let(
            "answers_" + number, written.empty() ? before : before + found_before(asked, tokens, written),
            "to the keys of the batch");
        written.push_back(write_learner_steps(composer, "steps_" + number, answers, some_rows(keys, tokens),
                                              some_rows(composer.value, tokens)));
    }
    const Expression steps = composer.let("written_steps", all_rows(written), "what each token has written");
    const Expression weights = composer.let("weights", products_and_1(queries, keys) * taken.at_read,
                                            "what each query reads of what each token has written");
    return composer.let("learner_answers", begun(composer, queries, "") + product(weights, steps),
                        "of the learner to each query");
}

/// The slope of gelu_of().
Expression gelu_slope(const Expression& all) {
    const double root = std::sqrt(2 / std::numbers::pi);
    constexpr double flat = 30;  // beyond, it is 0 or 1, and squares of large numbers overflow
    const Expression x = larger_of(smaller_of(all, flat), -flat);
    const Expression t = tanh_of(root * (x + 0.044715 * x * x * x));
    return 0.5 * (1 + t) + 0.5 * root * x * (1 - t * t) * (1 + 3 * 0.044715 * x * x);
}

/// gelu(x W_1 + b_1) W_2 + b_2. Both layers learn, each by what it is given: keys, and hidden units.
Expression write_learner_of_two_layers(Composer& composer, const TakenSteps& taken, const Expression& queries,
                                       const Expression& keys) {
    const Index n = composer.plan.queries, batch = composer.plan.algorithm().count("batch");
    const Expression asked = composer.let("asked_products", products_and_1(keys, keys) * taken.at_ask,
                                          "what each token finds of what each batch before has written");
    const Expression at_first =
        composer.let("inputs_at_first", begun(composer, keys, "_1"), "of the hidden units, at first");
    std::vector<Expression> hidden, written, written_below;
    for (const std::vector<Index>& tokens : batches_of_tokens(n, batch)) {
        const std::string number = std::to_string(tokens.front());
        const bool is_first = written.empty();
        const Expression first = some_rows(at_first, tokens);
        const Expression inputs = composer.let(
            "inputs_" + number, is_first ? first : first + found_before(asked, tokens, written_below),
            "of the hidden units");
        const Expression units = composer.let("units_" + number, gelu_of(inputs), "hidden units");
        const Expression before = begun(composer, units, "_2");
        const Index earlier = tokens.front();
        const Expression at_ask = some_columns(some_rows(taken.at_ask, tokens), counted(0, earlier));
        const Expression answers = composer.let(
            "answers_" + number,
            is_first ? before
                     : before + product(products_and_1(units, all_rows(hidden)) * at_ask, all_rows(written)),
            "to the keys of the batch");
        const Expression steps = write_learner_steps(
            composer, "steps_" + number, answers, some_rows(keys, tokens), some_rows(composer.value, tokens));
        const Expression through = product_transposed(steps, composer.matrices_of_heads("W_learner_2"));
        const Expression below = composer.let(
            "steps_below_" + number,
            gelu_slope(inputs) *
                (is_first ? through
                          : through + product(product_transposed(steps, all_rows(written)) * at_ask,
                                              all_rows(hidden))),
            "what the first layer is written");
        hidden.push_back(units);
        written.push_back(steps);
        written_below.push_back(below);
    }
    const Expression units = composer.let("hidden_units", all_rows(hidden), "of each key, as it was written");
    const Expression steps = composer.let("written_steps", all_rows(written), "what each token has written");
    const Expression below = composer.let("steps_below", all_rows(written_below), "and below");
    const Expression read =
        composer.let("read_units",
                     gelu_of(begun(composer, queries, "_1") +
                             product(products_and_1(queries, keys) * taken.at_read, below)),
                     "hidden units of each query");
    const Expression weights = composer.let("weights", products_and_1(read, units) * taken.at_read,
                                            "what each query reads of what each token has written");
    return composer.let("learner_answers", begun(composer, read, "_2") + product(weights, steps),
                        "of the learner to each query");
}

Expression define_nonlinear_learner(Composer& composer) {
    const Expression keys =
        has_learner_norm(composer.plan) ? composer.key : direction_of(composer, "unit_key", composer.key);
    const TakenSteps taken = write_taken_steps(composer);
    const Expression queries =
        composer.let("asking_query", composer.query * scale_of_queries(composer), "as the learner is asked");
    return write_learner_answer(composer, learns_by_two_layers(composer.plan)
                                              ? write_learner_of_two_layers(composer, taken, queries, keys)
                                              : write_normed_learner(composer, taken, queries, keys));
}

/// The gradients of a batch are all taken where it begins: a token asks for what the batches before it have
/// written. What it writes is read by itself and by those after it.
Expression define_ttt(Composer& composer) {
    if (!is_linear_learner(composer.plan.spec))
        return define_nonlinear_learner(composer);
    const Expression keys = direction_of(composer, "unit_key", composer.key);
    const Expression steps = transposed(write_strengths_of_tokens(composer));
    const Expression asked =
        composer.let("asked_products", of_earlier_batches(composer, product_transposed(keys, keys) * steps),
                     "what each token finds of what each batch before has written");
    const Expression products = product_transposed(composer.query, keys) * steps * scale_of_queries(composer);
    const Expression read = composer.let("read_products", of_tokens_that_are_read(composer, products),
                                         "what each query reads of what each token has written");
    return write_inverse_of_values(composer, read, write_inverse_of_asked(composer, asked), composer.value);
}

std::vector<DeclaredStage> ttt_stages(bool is_linear) {
    std::vector<DeclaredStage> stages{declared_unit_keys(), declared_strengths()};
    std::vector<DeclaredStage> products =
        declared_products("unit_key_direction", "unit_key_direction", "query", {{"write_strengths", "∘"}});
    products.back().subtitle = "what each token finds of what the batches before it have written";
    products.back().operation = "batches\nbefore\n→";
    if (is_linear) {
        append(stages, products);
        append(stages, declared_errors("value"));
    } else {
        products.back().operands = {{"key"}, {"write_strengths", "and"}};
        stages.push_back(products.back());
        append(stages, declared_learner_stages());
    }
    return stages;
}

}  // namespace

AlgorithmComponent declare_algorithms_ttt() {
    AlgorithmComponent component;
    component.meaning =
        "W_t = W_{t−1} − β_t ∇ ½ |k_t W − v_t|² at the W with which the batch of t begins, o_t = q_t W_t: a "
        "linear model that is trained on the text as it is read, by mini-batches, k over its length, β = σ(y "
        "W_beta + b_beta), causal whatever the mask (Sun et al. 2025)";
    component.options = ttt_options();
    add_delta_rule_names(component.known_parameters);
    append(component.known_parameters, learner_norm_names());
    append(component.known_parameters,
           {{"W_learner", "[h d_k, d_v]", "the matrix that each head’s learner begins with"},
            {"b_learner", "[h d_v]", "the bias that it begins with"},
            {"W_learner_1", "[h d_k, units]", "the first layer that each head’s learner begins with"},
            {"b_learner_1", "[h units]", "the bias of its first layer"},
            {"W_learner_2", "[h units, d_v]", "the second layer that it begins with"},
            {"b_learner_2", "[h d_v]", "the bias of its second layer"}});
    component.parameters = [](const Plan& plan, ParameterList& list) {
        add_delta_rule_parameters(plan, list);
        add_learner_norm(plan, list);
        const Index keys = plan.heads * plan.head_query_width(), width = plan.head_value_width();
        if (learns_by_two_layers(plan)) {
            const Index units = learner_units(plan);
            list.add("W_learner_1", {keys, units});
            list.add("b_learner_1", {plan.heads * units}, 0.0);
            list.add("W_learner_2", {plan.heads * units, width});
            list.add("b_learner_2", {plan.heads * width}, 0.0);
        } else if (has_learner_norm(plan)) {
            list.add("W_learner", {keys, width});
            list.add("b_learner", {plan.heads * width}, 0.0);
        }
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "ttt", why_state_is_of_one_sequence);
        check_learner_norm(plan, "ttt");
    };
    component.changes_context = [](const AttentionSpec& spec) { return !is_linear_learner(spec); };
    component.declared_stages = ttt_stages(true);
    component.stages_of = [](const AttentionSpec& spec) {
        static const auto linear = shared_stages(ttt_stages(true)), other = shared_stages(ttt_stages(false));
        return is_linear_learner(spec) ? linear : other;
    };
    component.define = define_ttt;
    return component;
}

}  // namespace headlight
