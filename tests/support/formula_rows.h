#pragma once

#include "core/tensor/tensor.h"

#include <ostream>
#include <string>
#include <vector>

// Mechanisms of the catalogue as people type them.

namespace headlight::test {

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
struct FormulaRow {
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
inline void PrintTo(const FormulaRow& row, std::ostream* out) { *out << row.name; }

inline const std::vector<FormulaRow>& formula_rows() {
    static const std::vector<FormulaRow> all{
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
        {.name = "gaussian_with_new_axes",
         .formula = "scores = -sum((q[:, np.newaxis] - k[np.newaxis, :]) ** 2) / (2 * 3 ** 2)\n"
                    "weights = softmax(where(allowed, scores, -inf))\n",
         .catalogue = R"({"score": {"type": "gaussian", "sigma": 3}})",
         .crosses = true},
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
        {.name = "retention_turned",  // the state as papers write it, features of values in its rows
         .formula = "gamma = 1 - 2 ** (-4 - head)\n"
                    "context = scan(S = zeros(d_v, d), gamma * S + v[t].T @ k[t], q[t] @ S.T / sqrt(d))\n",
         .catalogue = R"({"algorithm": {"type": "retention"}, "mask": {"type": "causal"}})"},
        {.name = "gated_linear_turned",
         .formula = "alpha = sigmoid(y @ W_alpha[heads, d_y, d] + b_alpha[heads, 1, d]) ** (1 / 16)\n"
                    "context = scan(S = zeros(d_v, d), S * alpha[t] + (k[t].T @ v[t]).T, (S @ q[t].T).T / "
                    "sqrt(d))\n",
         .catalogue =
             R"({"algorithm": {"type": "gated_linear", "temperature": 16}, "mask": {"type": "causal"}})",
         .parameters = {{"W_alpha", "W_alpha", Cut::by_heads}, {"b_alpha", "b_alpha", Cut::by_heads}}},
        {.name = "delta_turned",
         .formula = "kn = normalize(k)\n"
                    "beta = sigmoid(y @ W_beta[heads, d_y, 1] + b_beta[heads, 1, 1])\n"
                    "context = scan(S = zeros(d_v, d),\n"
                    "               S @ (eye(d) - beta[t] * kn[t].T @ kn[t]) + beta[t] * v[t].T @ kn[t],\n"
                    "               q[t] @ S.T / sqrt(d))\n",
         .catalogue = R"({"algorithm": {"type": "delta"}, "mask": {"type": "causal"}})",
         .parameters = {{"W_beta", "W_beta", Cut::by_heads}, {"b_beta", "b_beta", Cut::by_heads}}},
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

}  // namespace headlight::test
