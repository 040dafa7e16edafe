#include "core/attention/composer.h"
#include "core/attention/position_bias.h"
#include "core/attention/positions/pair_places.h"
#include "core/attention/positions/t5_buckets.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {
namespace {

T5Buckets buckets(const Plan& plan) {
    const Options& options = plan.position();
    return {options.count("buckets"), options.count("max_distance"), options.flag("bidirectional")};
}

bool has_bias_gate(const AttentionSpec& spec) { return spec.position.options.flag("gate"); }

void check_t5(const Plan& plan) {
    require_buckets(buckets(plan), "t5 positions", "buckets", "max_distance");
    if (has_bias_gate(plan.spec) && plan.tokens.query_width % plan.heads != 0)
        throw Error({"t5 positions", "position.gate",
                     "token vectors of whose features each head has as many, for its gate is made of these",
                     std::to_string(plan.tokens.query_width) + " features for " + std::to_string(plan.heads) +
                         " heads"});
}

void add_t5_steps(const Plan& plan, auto& pipeline) {
    using Real = std::remove_cvref_t<decltype(*pipeline.operands.vector(""))>;
    const T5Buckets bucket = buckets(plan);
    const Tensor& table = plan.parameter("relative_bias");
    const Index distances = plan.queries + plan.keys - 1;
    // [head, j - i + n - 1]: rows read along it.
    Real* biases = pipeline.operands.allocate(plan.heads * distances);
    for (Index head = 0; head < plan.heads; ++head)
        for (Index at = 0; at < distances; ++at)
            biases[head * distances + at] = static_cast<Real>(table(bucket(at - plan.queries + 1), head));
    add_position_bias(plan, pipeline, [biases, distances, n = plan.queries](const auto& row, Real* numbers) {
        std::copy_n(biases + row.head * distances + n - 1 - row.query, row.size, numbers);
    });
}

/// What each query's bias is multiplied by, [h, n, 1], from the head's own part of its token vector: the
/// released code adds four numbers up to one of the two, which is a projection to two.
Expression write_bias_gate(Composer& composer) {
    const Expression parts = composer.let("token_parts", split_heads(composer.query_tokens, composer.heads),
                                          "each head's part of the token vectors");
    const Expression gates =
        composer.let("bias_gate_parts", sigmoid_of(composer.projected(parts, "W_bias_gate", "b_bias_gate")),
                     "a and b of each query");
    const Expression a = some_columns(gates, {0}), b = some_columns(gates, {1});
    return composer.let("bias_gate", a * (b * composer.parameter_of_heads("c_bias_gate") - 1) + 2,
                        "2 + a (b c − 1)");
}

Expression define_t5(Composer& composer, const Expression&) {
    const T5Buckets bucket = buckets(composer.plan);
    const Expression table = composer.let(
        "bias_of_buckets", split_rows(transposed(composer.parameter("relative_bias")), composer.heads),
        "a number for each bucket of distances");
    const Index n = composer.plan.queries, m = composer.plan.keys;
    const Expression bias =
        from_row(table, n, m, [=](Index query, Index key) { return bucket(key - query); });
    if (!has_bias_gate(composer.plan.spec))
        return bias;
    return write_bias_gate(composer) * composer.let("bias_of_distance", bias, "before the gate");
}

}  // namespace

PositionComponent declare_positions_t5() {
    PositionComponent component;
    component.meaning =
        "s + b_h[bucket(j − i)]: a learned number for each bucket of distances, narrow ones near, "
        "wide ones far (Raffel et al. 2020); times a gate of the query (WavLM, Chen et al. 2022)";
    component.options = {
        count_option("buckets", "Buckets", 32, logarithmic_range(4, 1024),
                     "Rows of the table; half of them hold one distance each, the others ever wider ranges."),
        count_option("max_distance", "Largest distance", 128, logarithmic_range(2, 65536),
                     "From here on every distance shares the last bucket."),
        flag_option("bidirectional", "Both directions", true,
                    "Half of the buckets for keys after the query; otherwise those share the bucket of "
                    "distance 0, as in a decoder."),
        flag_option("gate", "Gate", false,
                    "Multiplies each query’s biases by 2 + a (b c − 1), a and b sigmoids of its token "
                    "vector: what the token is decides how much places count (WavLM)."),
    };
    component.known_parameters = {
        {"relative_bias", "[buckets, h]", "the bias of each bucket of distances, for each head"},
        {"W_bias_gate", "[d_q / h, 2]",
         "projects each head’s part of a token vector to what gates its biases"},
        {"b_bias_gate", "[2]", "is added before the two sigmoids"},
        {"c_bias_gate", "[h]", "what the second of them is multiplied by"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("relative_bias", {buckets(plan).all, plan.heads});
        if (!has_bias_gate(plan.spec))
            return;
        list.add_with_bias("W_bias_gate", {std::max<Index>(1, plan.tokens.query_width / plan.heads), 2});
        list.add("c_bias_gate", {plan.heads}, 1.0);
    };
    component.check = check_t5;
    component.has_bias = true;
    component.copies_parameters = false;
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        return StepMemory{.kept = elements(plan.heads, plan.queries + plan.keys) * needs.real};
    };
    component.passes_to_definition = has_bias_gate;
    component.declared_stages = {made_stage("bias_gate", "Gate of the biases",
                                            {"2 + a (b c − 1)", {{"tokens"}}, "× W + b,\nsigmoids\n→"},
                                            {.lights = "position_bias"})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_t5_steps(plan, pipeline); };
    component.define_bias = define_t5;
    return component;
}

}  // namespace headlight
