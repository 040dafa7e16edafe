// Mechanisms of the catalogue as people type them: the weights, the contexts and what they learn are the
// same.

#include "core/attention/executor.h"
#include "core/attention/explain.h"
#include "core/model/mechanism_site.h"
#include "core/model/recipe.h"
#include "core/model/training.h"
#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"
#include "tests/support/trained_models.h"

#include <cstring>
#include <ostream>

namespace headlight::typed_formulas_test {

using namespace test;

namespace {

/// How a parameter of a formula is made of one of the catalogue.
enum class Cut {
    none,
    by_heads,  ///< [r, heads c] to [heads r, c]
};
struct Renamed {
    const char* own;
    const char* of_catalogue;
    Cut cut = Cut::none;
};

/// A formula, and the spec that has its numbers.
struct Typed {
    const char* name;
    const char* formula;
    const char* catalogue;              ///< a spec
    const char* surroundings = "{}";    ///< fields of a spec around the formula
    std::vector<Renamed> parameters{};  ///< the others have the names that they have there
    bool crosses = false;               ///< queries and keys may be of two texts
    Index fewest_heads = 1;
    Index least_tokens = 1;  ///< a model begins with one

    bool says_output() const { return std::string(formula).find("\noutput = ") != std::string::npos; }
    bool has_mask() const { return std::string(formula).find("allowed") != std::string::npos; }
};
void PrintTo(const Typed& row, std::ostream* out) { *out << row.name; }

const std::vector<Typed>& typed() {
    static const std::vector<Typed> all{
        {.name = "scaled_dot",
         .formula = "weights = softmax(where(allowed, q @ k.T / sqrt(d), -inf))\n",
         .catalogue = R"({"score": {"type": "scaled_dot"}})",
         .crosses = true},
        {.name = "additive",
         .formula = "scores = sum(w[d] * tanh((q @ W_1[d, d])[:, None] + (k @ W_2[d, d])[None, :]))\n"
                    "weights = softmax(where(allowed, scores, -inf))\n"
                    "context = weights @ v\n",
         .catalogue = R"({"score": {"type": "additive"}})",
         .parameters = {{"w", "v"}},
         .crosses = true},
        {.name = "general",
         .formula = "weights = softmax(where(allowed, q @ W[d, d] @ k.T, -inf))\n"
                    "context = weights @ v\n",
         .catalogue = R"({"score": {"type": "general"}})",
         .crosses = true},
        {.name = "learned_projections",
         .formula = "weights = softmax(where(allowed, q @ W[d, d] @ k.T, -inf))\n",
         .catalogue = R"({"score": {"type": "general"}, "projections": {"type": "learned"}})",
         .surroundings = R"({"projections": {"type": "learned"}})",
         .crosses = true},
        {.name = "cosine",
         .formula = "lengths = sqrt(sum(q ** 2)) * sqrt(sum(k ** 2)).T\n"
                    "weights = softmax(where(allowed, 5 * q @ k.T / lengths, -inf))\n"
                    "context = weights @ v\n",
         .catalogue = R"({"score": {"type": "cosine", "beta": 5}})",
         .crosses = true},
        {.name = "scaled_cosine",
         .formula = "s = normalize(q) @ normalize(k).T\n"
                    "tau = exp(minimum(log_tau[heads, 1, 1], log(100)))\n"
                    "context = softmax(where(allowed, tau * s, -inf)) @ v\n",
         .catalogue = R"({"score": {"type": "scaled_cosine"}})",
         .parameters = {{"log_tau", "log_tau", Cut::by_heads}},
         .crosses = true},
        {.name = "sparsemax",
         .formula = "weights = sparsemax(where(allowed, q @ k.T / sqrt(d), -inf))\n"
                    "context = weights @ v\n",
         .catalogue = R"({"score": {"type": "scaled_dot"}, "normalizer": {"type": "sparsemax"}})",
         .crosses = true},
        {.name = "alibi",
         .formula = "slope = 2 ** (-8 * head / heads)\n"
                    "weights = softmax(where(allowed, q @ k.T / sqrt(d) - slope * (i - j), -inf))\n"
                    "context = weights @ v\n",
         .catalogue = R"({"score": {"type": "scaled_dot"}, "position": {"type": "alibi"}})",
         .fewest_heads = 2},
        {.name = "rope_half",
         .formula = "theta = 10000 ** (-2 * arange(0, d // 2) / d)\n"
                    "a = i * theta\n"
                    "b = j.T * theta\n"
                    "q1 = q[:, :d // 2]\n"
                    "q2 = q[:, d // 2:]\n"
                    "k1 = k[:, :d // 2]\n"
                    "k2 = k[:, d // 2:]\n"
                    "rq = concat([q1 * cos(a) - q2 * sin(a), q2 * cos(a) + q1 * sin(a)])\n"
                    "rk = concat([k1 * cos(b) - k2 * sin(b), k2 * cos(b) + k1 * sin(b)])\n"
                    "weights = softmax(where(allowed, rq @ rk.T / sqrt(d), -inf))\n"
                    "context = weights @ v\n",
         .catalogue = R"({"score": {"type": "scaled_dot"}, "position": {"type": "rope", "layout": "half"}})"},
        {.name = "t5",
         .formula = "r = abs(i - j)\n"
                    "large = 8 + log(maximum(r, 1) / 8) / log(128 / 8) * 8 // 1\n"
                    "bucket = where(r < 8, r, minimum(large, 15)) + 16 * (j > i)\n"
                    "weights = softmax(where(allowed, q @ k.T + pick(bias[heads, 32, 1], bucket, 0), -inf))\n"
                    "context = weights @ v\n",
         .catalogue = R"({"score": {"type": "dot"}, "position": {"type": "t5"}})",
         .parameters = {{"bias", "relative_bias", Cut::by_heads}},
         .fewest_heads = 2},
        {.name = "gaussian",
         .formula = "scores = -sum((q[:, None] - k[None, :]) ** 2) / (2 * 3 ** 2)\n"
                    "weights = softmax(where(allowed, scores, -inf))\n"
                    "context = weights @ v\n",
         .catalogue = R"({"score": {"type": "gaussian", "sigma": 3}})",
         .crosses = true},
        {.name = "linear_by_scan",
         .formula = "fq = elu(q) + 1\n"
                    "fk = elu(k) + 1\n"
                    "context = scan(S = zeros(d, d_v), z = zeros(1, d),\n"
                    "               S + fk[t].T @ v[t], z + fk[t],\n"
                    "               fq[t] @ S / (fq[t] @ z.T))\n",
         .catalogue = R"({"algorithm": {"type": "linear"}, "mask": {"type": "causal"}})"},
        {.name = "gated_linear_by_scan",
         .formula = "alpha = sigmoid(y @ W_alpha[heads, d_y, d] + b_alpha[heads, 1, d]) ** (1 / 16)\n"
                    "context = scan(S = zeros(d, d_v), alpha[t].T * S + k[t].T @ v[t], q[t] @ S / sqrt(d))\n",
         .catalogue =
             R"({"algorithm": {"type": "gated_linear", "temperature": 16}, "mask": {"type": "causal"}})",
         .parameters = {{"W_alpha", "W_alpha", Cut::by_heads}, {"b_alpha", "b_alpha", Cut::by_heads}}},
        {.name = "retention_by_scan",
         .formula = "gamma = 1 - 2 ** (-4 - head)\n"
                    "context = scan(S = zeros(d, d_v), gamma * S + k[t].T @ v[t], q[t] @ S / sqrt(d))\n",
         .catalogue = R"({"algorithm": {"type": "retention"}, "mask": {"type": "causal"}})"},
        {.name = "retention_at_once",
         .formula = "gamma = 1 - 2 ** (-4 - head)\n"
                    "context = ((q @ k.T / sqrt(d)) * where(j <= i, gamma ** (i - j), 0)) @ v\n",
         .catalogue = R"({"algorithm": {"type": "retention"}, "mask": {"type": "causal"}})"},
        {.name = "delta_by_scan",
         .formula = "kn = normalize(k)\n"
                    "beta = sigmoid(y @ W_beta[heads, d_y, 1] + b_beta[heads, 1, 1])\n"
                    "context = scan(S = zeros(d, d_v), S + beta[t] * kn[t].T @ (v[t] - kn[t] @ S), q[t] @ S "
                    "/ sqrt(d))\n",
         .catalogue = R"({"algorithm": {"type": "delta"}, "mask": {"type": "causal"}})",
         .parameters = {{"W_beta", "W_beta", Cut::by_heads}, {"b_beta", "b_beta", Cut::by_heads}}},
        {.name = "gated_delta_by_scan",
         .formula =
             "kn = normalize(k)\n"
             "beta = sigmoid(y @ W_beta[heads, d_y, 1] + b_beta[heads, 1, 1])\n"
             "alpha = exp(-exp(A_log[heads, 1, 1]) * softplus(y @ W_dt[heads, d_y, 1] + b_dt[heads, 1, 1]))\n"
             "context = scan(S = zeros(d, d_v),\n"
             "               alpha[t] * S + beta[t] * kn[t].T @ (v[t] - kn[t] @ (alpha[t] * S)),\n"
             "               q[t] @ S / sqrt(d))\n",
         .catalogue = R"({"algorithm": {"type": "gated_delta"}, "mask": {"type": "causal"}})",
         .parameters = {{"W_beta", "W_beta", Cut::by_heads},
                        {"b_beta", "b_beta", Cut::by_heads},
                        {"W_dt", "W_dt", Cut::by_heads},
                        {"b_dt", "b_dt", Cut::by_heads},
                        {"A_log", "A_log", Cut::by_heads}}},
        {.name = "differential",
         .formula = "q1 = q[:, :d // 2]\n"
                    "q2 = q[:, d // 2:]\n"
                    "k1 = k[:, :d // 2]\n"
                    "k2 = k[:, d // 2:]\n"
                    "lambda_init = 0.8 - 0.6 * exp(-0.3 * 8)\n"
                    "lam = exp(sum(lambda_q1[d // 2] * lambda_k1[d // 2])) - exp(sum(lambda_q2[d // 2] * "
                    "lambda_k2[d // 2]))\n"
                    "first = softmax(where(allowed, q1 @ k1.T / sqrt(d / 2), -inf))\n"
                    "second = softmax(where(allowed, q2 @ k2.T / sqrt(d / 2), -inf))\n"
                    "weights = first - (lam + lambda_init) * second\n"
                    "c = weights @ v\n"
                    "context = (1 - lambda_init) * (c / sqrt(mean(c ** 2) + 1e-5)) * g_head[d_v]\n",
         .catalogue = R"({"algorithm": {"type": "differential", "layer": 8},
                          "projections": {"type": "learned", "dimension": 8}})",
         .surroundings = R"({"projections": {"type": "learned", "dimension": 8}})",
         .fewest_heads = 2},
        {.name = "talking_heads",
         .formula = "mixed = mix_heads(P_scores[heads, heads], q @ k.T / sqrt(d))\n"
                    "weights = mix_heads(P_weights[heads, heads], softmax(where(allowed, mixed, -inf)))\n"
                    "context = weights @ v\n",
         .catalogue = R"({"score": {"type": "scaled_dot"}, "heads": {"type": "talking"}})",
         .crosses = true,
         .fewest_heads = 2},
        {.name = "sigmoid",
         .formula = "weights = where(allowed, sigmoid(q @ k.T / sqrt(d) - log(sum(allowed))), 0)\n"
                    "context = weights @ v\n",
         .catalogue = R"({"score": {"type": "scaled_dot"}, "normalizer": {"type": "sigmoid"}})",
         .crosses = true},
        {.name = "off_by_one",
         .formula = "e = where(allowed, exp(q @ k.T / sqrt(d)), 0)\n"
                    "weights = e / (1 + sum(e))\n"
                    "context = weights @ v\n",
         .catalogue = R"({"score": {"type": "scaled_dot"}, "normalizer": {"type": "off_by_one"}})",
         .crosses = true},
        {.name = "window",
         .formula = "weights = softmax(where(0 <= i - j < 3, q @ k.T / sqrt(d), -inf))\n"
                    "context = weights @ v\n",
         .catalogue = R"({"score": {"type": "scaled_dot"}, "mask": {"type": "window", "size": 3}})"},
        {.name = "top_k_by_rank",
         .formula = "s = where(allowed, q @ k.T / sqrt(d), -inf)\n"
                    "weights = softmax(where(rank(s) < 2, s, -inf))\n"
                    "context = weights @ v\n",
         .catalogue = R"({"score": {"type": "scaled_dot"}, "selection": {"type": "top_k", "k": 2}})",
         .crosses = true},
        {.name = "top_k_by_sorting",
         .formula = "s = where(allowed, q @ k.T / sqrt(d), -inf)\n"
                    "second = descending(s)[:, 1:2]\n"
                    "weights = softmax(where(s >= second, s, -inf))\n"
                    "context = weights @ v\n",
         .catalogue = R"({"score": {"type": "scaled_dot"}, "selection": {"type": "top_k", "k": 2}})",
         .crosses = true,
         .least_tokens = 2},
        {.name = "efficient",
         .formula = "context = softmax(q) @ (softmax(k, axis=-2).T @ v)\n",
         .catalogue = R"({"algorithm": {"type": "efficient"}})",
         .crosses = true},
        {.name = "sinkhorn_by_repeat",
         .formula = "P = softmax(q @ k.T / sqrt(d))\n"
                    "repeat 9:\n"
                    "    P = P / sum(P, axis=-2)\n"
                    "    P = P / sum(P)\n"
                    "weights = P\n",
         .catalogue =
             R"({"score": {"type": "scaled_dot"}, "normalizer": {"type": "sinkhorn", "iterations": 10}})"},
        {.name = "hopfield_by_repeat",
         .formula = "xi = q\n"
                    "repeat 2:\n"
                    "    xi = softmax(xi @ k.T / sqrt(d)) @ k\n"
                    "weights = softmax(xi @ k.T / sqrt(d))\n"
                    "context = weights @ v\n",
         .catalogue = R"({"algorithm": {"type": "hopfield", "steps": 3}})",
         .crosses = true},
        {.name = "attention_on_attention",
         .formula = "weights = softmax(where(allowed, q @ k.T / sqrt(d), -inf))\n"
                    "context = weights @ v\n"
                    "information = concatenation @ W_information_o[heads * d_v, d_x] + x @ "
                    "W_information_q[d_x, d_x] + b_information[d_x]\n"
                    "information_gate = sigmoid(concatenation @ W_relevance_o[heads * d_v, d_x] + x @ "
                    "W_relevance_q[d_x, d_x] + b_relevance[d_x])\n"
                    "output = information * information_gate\n",
         .catalogue = R"({"algorithm": {"type": "attention_on_attention"}})",
         .crosses = true},
        {.name = "attention_on_attention_of_a_projection",
         .formula = "context = softmax(where(allowed, q @ k.T / sqrt(d), -inf)) @ v\n"
                    "found = concatenation @ W_o[heads * d_v, d_x]\n"
                    "information = found @ W_information_o[d_x, d_x] + x @ W_information_q[d_x, d_x] + "
                    "b_information[d_x]\n"
                    "information_gate = sigmoid(found @ W_relevance_o[d_x, d_x] + x @ W_relevance_q[d_x, "
                    "d_x] + b_relevance[d_x])\n"
                    "output = information * information_gate\n",
         .catalogue =
             R"({"algorithm": {"type": "attention_on_attention"}, "projections": {"type": "learned"}})",
         .surroundings = R"({"projections": {"type": "learned"}})",
         .crosses = true,
         .fewest_heads = 2},
        {.name = "non_local_behind_a_gate",
         .formula = "weights = softmax(where(allowed, q @ k.T / sqrt(d), -inf))\n"
                    "context = weights @ v\n"
                    "output = 0.5 * concatenation + x\n",
         .catalogue =
             R"({"algorithm": {"type": "non_local", "gamma": 0.5}, "heads": {"gate": "elementwise"}})",
         .surroundings = R"({"heads": {"gate": "elementwise"}})",
         .crosses = true},
        {.name = "differential_integral",
         .formula = "first = softmax(q[:, :d // 2] @ k[:, :d // 2].T / sqrt(d / 2))\n"
                    "second = softmax(q[:, d // 2:] @ k[:, d // 2:].T / sqrt(d / 2))\n"
                    "importance = mean(first, axis=-2)\n"
                    "lambda_init = 0.8 - 0.6 * exp(-0.3 * 8)\n"
                    "lam = exp(sum(lambda_q1[d // 2] * lambda_k1[d // 2])) - exp(sum(lambda_q2[d // 2] * "
                    "lambda_k2[d // 2])) + lambda_init\n"
                    "weights = first - lam * second + lam * importance\n"
                    "c = weights @ v\n"
                    "context = (1 - lambda_init) * g_head[d_v] * c / sqrt(mean(c ** 2) + 1e-5)\n",
         .catalogue = R"({"algorithm": {"type": "differential", "layer": 8, "integral": true},
                          "projections": {"type": "learned"}})",
         .surroundings = R"({"projections": {"type": "learned"}})",
         .crosses = true,
         .fewest_heads = 2},
        {.name = "simplicial",
         .formula = "second_key = y @ W_second_key[heads, d_y, d]\n"
                    "second_value = y @ W_second_value[heads, d_y, d_v]\n"
                    "pair = arange(0, m * m).T\n"
                    "first = pair // m == arange(0, m)\n"
                    "second = pair % m == arange(0, m)\n"
                    "seen = (allowed @ first.T) * (allowed @ second.T)\n"
                    "s = q @ ((first @ k) * (second @ second_key)).T / sqrt(d)\n"
                    "A = softmax(where(seen > 0, s, -inf))\n"
                    "weights = A @ first\n"
                    "context = A @ ((first @ v) * (second @ second_value))\n",
         .catalogue = R"({"algorithm": {"type": "simplicial"}})",
         .parameters = {{"W_second_key", "W_second_key", Cut::by_heads},
                        {"W_second_value", "W_second_value", Cut::by_heads}},
         .crosses = true},
        {.name = "laser",
         .formula = "weights = softmax(where(allowed, q @ k.T / sqrt(d), -inf))\n"
                    "top = max(v, axis=-2)\n"
                    "context = log(weights @ exp(v - top)) + top\n",
         .catalogue = R"({"algorithm": {"type": "laser"}})",
         .crosses = true},
        {.name = "forgetting",
         .formula = "f = log_sigmoid(x @ W_f[heads, d_x, 1] + b_f[heads, 1, 1])\n"
                    "c = cumsum(f, axis=-2)\n"
                    "weights = softmax(where(j <= i, q @ k.T / sqrt(d) + c - c.T, -inf))\n",
         .catalogue = R"({"score": {"type": "scaled_dot"}, "position": {"type": "forgetting"},
                          "mask": {"type": "causal"}})",
         .parameters = {{"W_f", "W_f", Cut::by_heads}, {"b_f", "b_f", Cut::by_heads}}},
        {.name = "stick_breaking",
         .formula = "z = q @ k.T / sqrt(d)\n"
                    "left = where(j < i, log_sigmoid(-z), 0)\n"
                    "between = sum(left) - cumsum(left)\n"
                    "weights = where(j < i, exp(log_sigmoid(z) + between), 0)\n",
         .catalogue = R"({"score": {"type": "scaled_dot"}, "mask": {"type": "causal"},
                          "normalizer": {"type": "stick_breaking", "own_key": false}})"},
        {.name = "entmax_by_sorting",
         .formula = "s = where(allowed, q @ k.T / sqrt(d) / 2, -inf)\n"
                    "z = maximum(s - max(s), -2)\n"
                    "sorted = descending(z)\n"
                    "count = arange(1, m + 1)\n"
                    "mean_z = cumsum(sorted) / count\n"
                    "spread = cumsum(sorted ** 2) - count * mean_z ** 2\n"
                    "thresholds = mean_z - sqrt(relu((1 - spread) / count))\n"
                    "support = sum(thresholds <= sorted)\n"
                    "tau = sum(where(count == support, thresholds, 0))\n"
                    "weights = relu(z - tau) ** 2\n",
         .catalogue = R"({"score": {"type": "scaled_dot"}, "normalizer": {"type": "entmax", "alpha": 1.5}})",
         .crosses = true},
        {.name = "selective",
         .formula = "s = q @ k.T / sqrt(d)\n"
                    "erasures = where((1 < j) & (j < i), relu(take_heads(s, [0])), 0)\n"
                    "erased = cumsum(erasures, axis=-2) - erasures\n"
                    "weights = softmax(where(j <= i, s - erased, -inf))\n",
         .catalogue = R"({"score": {"type": "selective"}, "mask": {"type": "causal"}})",
         .fewest_heads = 2},
        {.name = "softpick",
         .formula = "e = where(allowed, exp(q @ k.T / sqrt(d)) - 1, 0)\n"
                    "weights = relu(e) / sum(abs(e))\n",
         .catalogue = R"({"score": {"type": "scaled_dot"}, "normalizer": {"type": "softpick"}})",
         .crosses = true},
        {.name = "kerple",
         .formula =
             "weights = softmax(where(allowed, q @ k.T / sqrt(d) - 1.5 * log(1 + 2 * abs(i - j)), -inf))\n",
         .catalogue = R"({"score": {"type": "scaled_dot"},
                          "position": {"type": "kerple", "r_1": 1.5, "r_2": 2}})"},
        {.name = "parameters_per_head",
         .formula = "Q = x @ A_q[heads, d_x, d]\n"
                    "K = y @ A_k[heads, d_y, d]\n"
                    "V = y @ A_v[heads, d_y, d_v]\n"
                    "weights = softmax(where(allowed, Q @ K.T / sqrt(d), -inf))\n"
                    "context = weights @ V\n",
         .catalogue = R"({"score": {"type": "scaled_dot"}, "projections": {"type": "learned"}})",
         .parameters = {{"A_q", "W_q", Cut::by_heads},
                        {"A_k", "W_k", Cut::by_heads},
                        {"A_v", "W_v", Cut::by_heads}}},
    };
    return all;
}

enum class Variant { plain, causal, crossed };

/// What both specs of a comparison begin with.
Json beginning(Index heads, Variant variant) {
    Json fields = Json::object();
    if (heads > 1)
        fields["heads"] = {{"type", "multi"}, {"heads", heads}};
    if (variant == Variant::causal)
        fields["mask"] = {{"type", "causal"}};
    if (variant == Variant::crossed)
        fields["source"] = {{"type", "cross"}};
    return fields;
}
AttentionSpec spec_of_catalogue(const Typed& row, Json fields) {
    fields.merge_patch(Json::parse(row.catalogue));
    return spec_from_json(fields);
}
AttentionSpec spec_of_formula(const Typed& row, Json fields) {
    fields.merge_patch(Json::parse(row.surroundings));
    fields["algorithm"] = {{"type", "formula"}, {"text", row.formula}};
    return spec_from_json(fields);
}

/// Blocks of columns, one for each head, one below another.
Tensor by_heads(const Tensor& tensor, Index heads) {
    const Tensor matrix = as_matrix(tensor);
    const Index width = matrix.cols() / heads;
    Tensor all = columns_of(matrix, 0, width);
    for (Index head = 1; head < heads; ++head)
        all = stacked(all, columns_of(matrix, head * width, width));
    return all;
}

/// The parameters of the formula, with the numbers that those of the catalogue have.
std::map<std::string, Tensor> same_parameters(const Typed& row, const Plan& formula, const Plan& catalogue) {
    std::map<std::string, Tensor> all;
    for (const ParameterInfo& info : formula.parameters) {
        Renamed renamed{info.name.c_str(), info.name.c_str()};
        for (const Renamed& each : row.parameters)
            if (info.name == each.own)
                renamed = each;
        Tensor tensor = catalogue.parameter(renamed.of_catalogue);
        if (renamed.cut == Cut::by_heads)
            tensor = by_heads(tensor, catalogue.heads);
        EXPECT_EQ(tensor.shape(), info.shape) << info.name;
        all.emplace(info.name, std::move(tensor));
    }
    return all;
}

class TypedFormulas : public testing::TestWithParam<Typed> {};

void expect_the_same(const Typed& row, Index heads, Variant variant) {
    RandomEngine random(41);
    Inputs inputs;
    inputs.query = random_tensor({6, 8}, random);
    if (variant == Variant::crossed) {
        inputs.key = random_tensor({7, 8}, random);
        inputs.value = random_tensor({7, 8}, random);
    }
    const Json fields = beginning(heads, variant);
    const auto catalogue = planned(spec_of_catalogue(row, fields), inputs);
    const AttentionSpec spec = spec_of_formula(row, fields);
    inputs.parameters = same_parameters(row, *planned(spec, inputs), *catalogue);
    const Trace expected = record(catalogue), found = record(planned(spec, inputs));
    std::vector<const char*> names{"weights", "context"};
    if (row.says_output())
        names.push_back("output");
    for (const char* name : names) {
        const std::vector<double> numbers = stage(expected, name);
        EXPECT_FALSE(numbers.empty());
        EXPECT_TRUE(near(stage(found, name), numbers, 1e-12)) << name;
    }
}

TEST_P(TypedFormulas, HaveTheNumbersOfTheCatalogue) {
    for (Index heads = GetParam().fewest_heads; heads <= 2; ++heads)
        for (const Variant variant : {Variant::plain, Variant::causal, Variant::crossed}) {
            if ((variant == Variant::causal && !GetParam().has_mask()) ||
                (variant == Variant::crossed && !GetParam().crosses))
                continue;
            SCOPED_TRACE(std::to_string(heads) + " heads, variant " +
                         std::to_string(static_cast<int>(variant)));
            try {
                expect_the_same(GetParam(), heads, variant);
            } catch (const Error& error) {
                ADD_FAILURE() << error.what();
            }
        }
}

/// A mask that a formula would pass over is none that it could be run under.
TEST_P(TypedFormulas, AskForTheMaskOrAreRefusedUnderOne) {
    Inputs inputs;
    inputs.query = Tensor({6, 8}, 0.5);
    const AttentionSpec masked = spec_of_formula(GetParam(), beginning(2, Variant::causal));
    if (GetParam().has_mask()) {
        EXPECT_NO_THROW(planned(masked, inputs));
    } else {
        EXPECT_THROW(planned(masked, inputs), Error);
    }
}

/// The same bytes on one thread and on two, recorded or not.
TEST_P(TypedFormulas, GiveTheSameBytesOnThreads) {
    RandomEngine random(43);
    Inputs inputs;
    inputs.query = random_tensor({70, 8}, random);
    const auto made = planned(spec_of_formula(GetParam(), beginning(2, Variant::plain)), inputs);
    const Trace of_one = record(made, {.threads = 1}), of_two = record(made, {.threads = 2});
    for (const Stage& each : of_one.stages()) {
        const Stage* again = of_two.find(each.name);
        ASSERT_NE(again, nullptr) << each.name;
        const auto one = of_one.values(each), two = of_two.values(*again);
        ASSERT_EQ(one.size(), two.size()) << each.name;
        EXPECT_EQ(std::memcmp(one.data(), two.data(), one.size_bytes()), 0) << each.name;
    }
    const Numbers alone = run(made);
    EXPECT_TRUE(stage(of_one, "weights") == alone.weights);
    EXPECT_TRUE(stage(of_one, "output") == alone.output);
}

INSTANTIATE_TEST_SUITE_P(Rows, TypedFormulas, testing::ValuesIn(typed()),
                         [](const auto& row) { return std::string(row.param.name); });

/// What stands behind the heads is a matrix for all of them, and comes after the contexts.
TEST(TypedOutputs, AreOfAllHeads) {
    Inputs inputs;
    RandomEngine random(19);
    inputs.query = random_tensor({6, 8}, random);
    const Json fields = {{"heads", {{"type", "multi"}, {"heads", 2}}},
                         {"algorithm",
                          {{"type", "formula"},
                           {"text", "context = softmax(q @ k.T) @ v\n"
                                    "share = sigmoid(concatenation @ u[8, 1])\n"
                                    "near = softmax(x @ y.T)\n"
                                    "apart = split_heads(concatenation, heads)\n"
                                    "output = concat([share * concatenation, near @ x])\n"}}}};
    const auto made = planned(spec_from_json(fields), inputs);
    EXPECT_EQ(made->output_width, 16);
    const Trace trace = record(made);
    using enum Axis;
    const std::vector<std::pair<std::string, std::vector<Axis>>> expected{{"weights", {head, query, key}},
                                                                          {"context", {head, query, feature}},
                                                                          {"concatenation", {query, feature}},
                                                                          {"share", {query, feature}},
                                                                          {"near", {query, key}},
                                                                          {"apart", {head, query, feature}},
                                                                          {"output", {query, feature}}};
    std::vector<std::pair<std::string, std::vector<Axis>>> found;
    for (const Stage& each : trace.stages())
        if (std::ranges::count(expected, each.name, &std::pair<std::string, std::vector<Axis>>::first) > 0)
            found.emplace_back(each.name, each.axes);
    EXPECT_TRUE(found == expected);
    EXPECT_EQ(trace.find("output")->shape, Shape({6, 16}));
}

TEST(TypedOutputs, MayBeRepeated) {
    Inputs inputs;
    RandomEngine random(19);
    inputs.query = random_tensor({6, 8}, random);
    const Json fields = {{"heads", {{"type", "multi"}, {"heads", 2}}},
                         {"algorithm",
                          {{"type", "formula"},
                           {"text", "context = softmax(q @ k.T) @ v\n"
                                    "more = 2 * concatenation\n"
                                    "repeat 2:\n"
                                    "    output = concat([more, x])\n"}}}};
    const auto made = planned(spec_from_json(fields), inputs);
    const Trace trace = record(made);
    ASSERT_GE(trace.stages().size(), 2u);
    const auto last = trace.stages().last(2);
    EXPECT_EQ(last[0].name, "more");
    EXPECT_EQ(last[1].name, "output");
    for (const Stage& each : last)
        EXPECT_FALSE(explain_cell(*made, trace, each.name, 0, 5, each.shape.back() - 1).empty());
    const std::vector<double> more = stage(trace, "more"), output = stage(trace, "output");
    ASSERT_EQ(output.size(), 2 * more.size());
    for (std::size_t row = 0; row < 6; ++row)
        for (std::size_t column = 0; column < 8; ++column)
            EXPECT_EQ(output[row * 16 + column], more[row * 8 + column]);
}

/// A gate that a formula would pass by is none that it could be run with.
TEST(TypedOutputs, AskForTheGate) {
    Inputs inputs;
    inputs.query = Tensor({6, 8}, 0.5);
    const auto planned_with = [&](const char* output) {
        const std::string text = std::string("context = softmax(q @ k.T) @ v\noutput = ") + output;
        const Json fields = {{"heads", {{"type", "multi"}, {"heads", 2}, {"gate", "headwise"}}},
                             {"algorithm", {{"type", "formula"}, {"text", text}}}};
        return planned(spec_from_json(fields), inputs);
    };
    EXPECT_NO_THROW(planned_with("concatenation + x"));
    EXPECT_THROW(planned_with("join_heads(context) + x"), Error);
}

// As the attention of a small model.

TransformerConfiguration small_model(const Typed& row, TransformerKind kind) {
    TransformerConfiguration c;
    c.kind = kind;
    c.source_vocabulary = c.target_vocabulary = trained_models::vocabulary;
    c.width = trained_models::width;
    c.heads = trained_models::heads;
    c.feed_forward = 8;
    c.encoder = c.decoder = std::vector<LayerSpec>(1);
    c.longest = trained_models::longest;
    c.set_mechanism(with_heads(spec_of_formula(row, beginning(2, Variant::plain)), trained_models::heads));
    return c;
}

/// Those whose queries depend on later ones: nothing for a decoder.
const std::vector<std::string> look_ahead{"efficient", "sinkhorn_by_repeat", "hopfield_by_repeat",
                                          "differential_integral"};

std::vector<Typed> learned() {
    std::vector<Typed> all = typed();
    std::erase_if(all, [](const Typed& row) { return row.least_tokens > 1; });
    return all;
}

class LearnedFormula : public testing::TestWithParam<Typed> {
protected:
    void SetUp() override {
        const bool looks_ahead = std::ranges::count(look_ahead, std::string(GetParam().name)) > 0;
        try {
            model = std::make_unique<TransformerModel>(small_model(GetParam(), TransformerKind::decoder));
            EXPECT_FALSE(looks_ahead) << "a decoder looked ahead";
        } catch (const Error& error) {
            ASSERT_TRUE(looks_ahead) << error.what();
            model =
                std::make_unique<TransformerModel>(small_model(GetParam(), TransformerKind::encoder_decoder));
        }
        bool is_program = false;
        for (const SiteDescription& site : model->sites())
            is_program |= site.is_program;
        EXPECT_TRUE(is_program) << "no site attends by the formula";
    }
    std::unique_ptr<TransformerModel> model;
};

TEST_P(LearnedFormula, Learns) { trained_models::expect_to_learn(*model); }

TEST_P(LearnedFormula, HasTheGradientOfDifferences) {
    double largest = 0;
    for (const auto& [site, gradient] : trained_models::expect_gradient_of_differences(*model, 1e-5))
        largest = std::max(largest, gradient);
    EXPECT_GT(largest, 0);
}

TEST_P(LearnedFormula, IsReadStepByStep) { trained_models::expect_to_be_read_step_by_step(*model); }

INSTANTIATE_TEST_SUITE_P(Rows, LearnedFormula, testing::ValuesIn(learned()),
                         [](const auto& row) { return std::string(row.param.name); });

/// The layers of a recipe attend by formulas: 20 steps of a small GPT stay finite and go down.
TEST(LearnedFormulas, AreLayersOfARecipe) {
    for (const char* name :
         {"scaled_dot", "additive", "linear_by_scan", "gated_delta_by_scan", "talking_heads"}) {
        SCOPED_TRACE(name);
        const auto row = std::ranges::find(typed(), std::string(name), &Typed::name);
        ASSERT_NE(row, typed().end());
        LayerAttention layer;
        layer.spec = spec_of_formula(*row, beginning(2, Variant::plain));
        Recipe recipe;
        recipe.task = "sort";
        recipe.host = HostType::gpt;
        recipe.attentions.all = {layer};
        recipe.width = 8;
        recipe.heads = 2;
        recipe.steps = 20;
        recipe.seed = 3;
        TrainingSettings settings = prepare(recipe).settings;
        settings.batch = 8;
        settings.schedule = {.shape = nn::Schedule::Shape::constant, .peak = 0.01};
        Training training(settings);
        std::vector<double> losses;
        for (int step = 0; step < 20; ++step) {
            losses.push_back(training.step());
            ASSERT_TRUE(std::isfinite(losses.back())) << "step " << step;
        }
        EXPECT_LT(losses[17] + losses[18] + losses[19], losses[0] + losses[1] + losses[2]);
    }
}

/// What follows a layer has one width, whatever the number of tokens.
TEST(LearnedFormulas, NeedAnOutputOfOneWidth) {
    Typed row{.name = "products",
              .formula = "context = softmax(where(allowed, q @ k.T, -inf)) @ v\n"
                         "output = concatenation @ concatenation.T",
              .catalogue = "{}"};
    for (const TransformerKind kind : {TransformerKind::decoder, TransformerKind::encoder_decoder}) {
        try {
            const TransformerModel model(small_model(row, kind));
            ADD_FAILURE() << "learns";
        } catch (const Error& error) {
            EXPECT_NE(error.detail().expected.find("the longest text"), std::string::npos) << error.what();
        }
    }
}

/// What has no gradient says at which function.
TEST(LearnedFormulas, NeedAGradient) {
    Typed row{.name = "steps", .formula = "weights = floor(where(allowed, q @ k.T, 0))", .catalogue = "{}"};
    for (const TransformerKind kind : {TransformerKind::decoder, TransformerKind::encoder_decoder}) {
        try {
            const TransformerModel model(small_model(row, kind));
            ADD_FAILURE() << "learns";
        } catch (const Error& error) {
            EXPECT_NE(error.detail().got.find("floor"), std::string::npos) << error.what();
        }
    }
}

}  // namespace

}  // namespace headlight::typed_formulas_test
