#include "tests/reference/attention.h"

#include "tests/reference/masks.h"
#include "tests/reference/position.h"
#include "tests/reference/softmax.h"

#include <cmath>

namespace headlight::reference {
namespace {

Number raw_score(const ScoreRule& rule, const Row& q, const Row& k) {
    using Type = ScoreRule::Type;
    switch (rule.type) {
    case Type::dot:
    case Type::scaled_dot:
    case Type::learned_scale:
    case Type::self_similarity:
        return dot_score(q, k);
    case Type::general:
        return general_score(q, k, rule.W);
    case Type::concat:
        return concat_score(q, k, rule.W, rule.b, rule.v, rule.activation);
    case Type::additive:
        return additive_score(q, k, rule.W_1, rule.W_2, rule.b, rule.v, rule.activation);
    }
    return 0;
}

Number scale_of(const ScoreRule& rule, std::size_t head_key_width) {
    if (rule.type == ScoreRule::Type::scaled_dot)
        return 1 / std::sqrt(static_cast<Number>(head_key_width));
    if (rule.type == ScoreRule::Type::learned_scale)
        return rule.g;
    return 1;
}

Number scale_of(const Setting& setting, std::size_t head_key_width) {
    return setting.scale ? *setting.scale : scale_of(setting.score, head_key_width);
}

/// Scores as they stand before the normaliser, and the keys that count.
struct Scores {
    Matrix values;
    Allowed reachable;
};

Number capped(const Setting& setting, Number score) {
    return setting.softcap ? *setting.softcap * std::tanh(score / *setting.softcap) : score;
}

Scores masked_scores(const Setting& setting, const Head& head, const Matrix& raw) {
    const Number scale =
        scale_of(setting, head.k.cols) * (setting.head_scales.empty() ? 1 : setting.head_scales[head.number]);
    const Matrix bias = setting.bias ? setting.bias(head) : Matrix(raw.rows, raw.cols);
    Scores result{raw, head.allowed};
    for (std::size_t i = 0; i < raw.rows; ++i)
        for (std::size_t j = 0; j < raw.cols; ++j) {
            const Number mask = head.allowed[i][j] ? Number(0) : setting.mask_value.value_or(Number(0));
            Number& score = result.values(i, j);
            score = setting.mask_before_scale ? capped(setting, (score + mask) * scale) + bias(i, j)
                                              : capped(setting, score * scale) + bias(i, j) + mask;
            result.reachable[i][j] = head.allowed[i][j] || setting.mask_value;
        }
    if (setting.select)
        result.reachable = both(result.reachable, setting.select(head, result.values));
    return result;
}

Row normalized_row(const Setting& setting, const Head& head, std::size_t query, const Row& scores,
                   const std::vector<bool>& reachable) {
    if (setting.choice == Choice::argmax)
        return hard_argmax(scores, reachable);
    const Row weights = softmax(scores, reachable, setting.temperature);
    if (setting.choice == Choice::soft)
        return weights;
    return hard_sample(weights, uniform(seed_of_map(setting.seed, head.map), head.number, query, 0));
}

Matrix normalized(const Setting& setting, const Head& head, const Scores& scores) {
    Matrix weights(scores.values.rows, scores.values.cols);
    if (setting.normalize)
        weights = setting.normalize(head, scores.values, scores.reachable);
    else
        for (std::size_t i = 0; i < weights.rows; ++i) {
            const Row row = normalized_row(setting, head, i, scores.values.row(i), scores.reachable[i]);
            for (std::size_t j = 0; j < weights.cols; ++j)
                weights(i, j) = row[j];
        }
    return setting.change_weights ? setting.change_weights(head, weights) : weights;
}

/// Row by row, each finished before the next is scored.
Matrix weights_one_by_one(const Setting& setting, const Head& head) {
    return setting.one_by_one(head, [&](std::size_t query, const Row& raw) {
        Matrix all(head.q.rows, head.k.rows);
        for (std::size_t j = 0; j < raw.size(); ++j)
            all(query, j) = raw[j];
        return normalized(setting, head, masked_scores(setting, head, all)).row(query);
    });
}

/// Mixes each cell over the heads: row i of `mixing` makes head i.
void mix(const Matrix& mixing, std::vector<Matrix>& maps) {
    if (mixing.rows == 0)
        return;
    const std::vector<Matrix> before = maps;
    for (std::size_t to = 0; to < maps.size(); ++to)
        for (std::size_t cell = 0; cell < maps[to].values.size(); ++cell) {
            maps[to].values[cell] = 0;
            for (std::size_t from = 0; from < maps.size(); ++from)
                maps[to].values[cell] += mixing(to, from) * before[from].values[cell];
        }
}

Matrix weighted_values(const Matrix& weights, const Matrix& v) {
    Matrix context(weights.rows, v.cols);
    for (std::size_t i = 0; i < weights.rows; ++i)
        for (std::size_t j = 0; j < weights.cols; ++j)
            for (std::size_t c = 0; c < v.cols && weights(i, j) != 0; ++c)  // 0 times a NaN would be NaN
                context(i, c) += weights(i, j) * v(j, c);
    return context;
}

std::vector<HeadResult> results_of_heads(const Setting& setting, const std::vector<Head>& heads) {
    std::vector<HeadResult> results;
    if (setting.select_for_all) {
        Setting chosen = setting;
        chosen.select_for_all = nullptr;
        chosen.select = [kept = setting.select_for_all(heads)](const Head&, const Matrix&) { return kept; };
        return results_of_heads(chosen, heads);
    }
    if (setting.algorithm_of_all_heads)
        return setting.algorithm_of_all_heads(heads);
    if (setting.algorithm) {
        for (const Head& head : heads)
            results.push_back(setting.algorithm(head));
        return results;
    }
    std::vector<Matrix> maps;
    std::vector<Scores> scores;
    if (setting.one_by_one) {
        for (const Head& head : heads)
            maps.push_back(weights_one_by_one(setting, head));
    } else {
        for (const Head& head : heads)
            scores.push_back(masked_scores(setting, head, raw_scores(setting, head)));
        for (const Scores& each : scores)
            maps.push_back(each.values);
        for (std::size_t h = 0; h < heads.size() && setting.select_together; ++h)
            scores[h].reachable = both(scores[h].reachable, setting.select_together(heads[h], maps));
        mix(setting.mix_scores, maps);
        for (std::size_t h = 0; h < heads.size(); ++h)
            maps[h] = normalized(setting, heads[h], {maps[h], scores[h].reachable});
    }
    mix(setting.mix_weights, maps);
    for (std::size_t h = 0; h < heads.size(); ++h) {
        Matrix context = weighted_values(maps[h], heads[h].v);
        if (setting.add_to_context) {
            const Matrix more = setting.add_to_context(heads[h], maps[h]);
            for (std::size_t at = 0; at < context.values.size(); ++at)
                context.values[at] += more.values[at];
        }
        results.push_back({maps[h], setting.change_context ? setting.change_context(context) : context});
    }
    if (setting.change_contexts)
        setting.change_contexts(heads, results);
    return results;
}

Matrix changed(const Setting& setting, Matrix vectors, bool is_key, std::size_t head) {
    for (const auto& change : setting.change_vector)
        for (std::size_t token = 0; token < vectors.rows; ++token) {
            const Row row = change(vectors.row(token), is_key, head, token);
            for (std::size_t c = 0; c < vectors.cols; ++c)
                vectors(token, c) = row[c];
        }
    return vectors;
}

void apply_gate(const Linear& gate, const Matrix& tokens, Matrix& concatenation) {
    const Matrix open = project(tokens, gate);
    const std::size_t features = concatenation.cols / open.cols;
    for (std::size_t i = 0; i < concatenation.rows; ++i)
        for (std::size_t c = 0; c < concatenation.cols; ++c)
            concatenation(i, c) *= 1 / (1 + std::exp(-open(i, c / features)));
}

}  // namespace

Matrix raw_scores(const Setting& setting, const Head& head) {
    if (setting.select_reads_forbidden) {
        Setting plain = setting;
        plain.select_reads_forbidden = false;
        Head open = head;
        open.allowed = everything(head.q.rows, head.k.rows);
        Matrix scores = raw_scores(plain, open);
        const Matrix seen = raw_scores(plain, head);
        for (std::size_t i = 0; i < scores.rows; ++i)
            for (std::size_t j = 0; j < scores.cols; ++j)
                if (head.allowed[i][j])
                    scores(i, j) = seen(i, j);
        return scores;
    }
    if (setting.scores)
        return setting.scores(head);
    Matrix scores(head.q.rows, head.k.rows);
    for (std::size_t i = 0; i < scores.rows; ++i)
        for (std::size_t j = 0; j < scores.cols; ++j)
            if (head.allowed[i][j] || setting.mask_value)  // padding may hold anything: it is not looked at
                scores(i, j) = raw_score(setting.score, head.q.row(i), head.k.row(j));
    return scores;
}

WeighScores weighing_of(const Setting& setting) {
    return [setting](const Head& head, const Matrix& scores, const Allowed& reachable) {
        const Allowed kept = setting.select ? both(reachable, setting.select(head, scores)) : reachable;
        return normalized(setting, head, {scores, kept});
    };
}

Result attend(const Setting& setting) {
    const auto positioned = [&](const Matrix& tokens, bool is_key) {
        if (setting.place_tokens)
            return setting.place_tokens(tokens, is_key);
        return setting.sinusoidal_position ? add_sinusoidal_position(tokens) : tokens;
    };
    const auto projected = [](const Matrix& x, const std::optional<Linear>& linear) {
        return linear ? project(x, *linear) : x;
    };
    const Matrix x = positioned(setting.query_tokens, false);
    const Matrix y = positioned(setting.key_tokens, true);
    const Matrix queries = projected(x, setting.to_query);
    const Matrix keys = projected(y, setting.to_key);
    const Matrix values =
        setting.values_are_keys ? keys : projected(positioned(setting.value_tokens, true), setting.to_value);

    std::vector<Head> heads;
    for (std::size_t h = 0; h < setting.heads; ++h) {
        const std::size_t kv = h / (setting.heads / setting.kv_heads);
        heads.push_back({h, changed(setting, columns_of_head(queries, h, setting.heads), false, h),
                         changed(setting, columns_of_head(keys, kv, setting.kv_heads), true, kv),
                         columns_of_head(values, kv, setting.kv_heads), x, y, setting.allowed});
    }
    Result result;
    const std::vector<HeadResult> of_heads = results_of_heads(setting, heads);
    Matrix concatenation(queries.rows, setting.heads * of_heads.front().context.cols);
    for (std::size_t h = 0; h < of_heads.size(); ++h) {
        const Matrix& context = of_heads[h].context;
        for (std::size_t i = 0; i < context.rows; ++i)
            for (std::size_t c = 0; c < context.cols; ++c)
                concatenation(i, h * context.cols + c) = context(i, c);
        result.weights.push_back(of_heads[h].weights);
    }
    if (setting.gate)
        apply_gate(*setting.gate, x, concatenation);
    result.output = projected(concatenation, setting.to_output);
    if (setting.change_output)
        result.output = setting.change_output(x, result.output);
    return result;
}

}  // namespace headlight::reference
