#include "core/attention/options.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/reference/pair_scores.h"
#include "tests/reference/sequence_scores.h"
#include "tests/reference/window_scores.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

namespace headlight {
namespace {

using reference::Head;
using reference::Matrix;
using reference::Row;

reference::AdditiveRule additive_rule(const OracleParts& parts, reference::Activation activation) {
    const OracleParameters& given = parts.parameters;
    return {given.matrix("W_1"), given.matrix("W_2"), parts.spec.score.bias ? given.row("b") : Row(),
            given.row("v"), activation};
}

/// As Liu et al. say it: at most 100.
std::vector<Number> sharpnesses(const Row& log_tau) {
    std::vector<Number> scales;
    for (const Number logarithm : log_tau)
        scales.push_back(std::min(std::exp(logarithm), Number(100)));
    return scales;
}

void add_pair_scores(const OracleParts& parts, reference::Setting& setting) {
    const Score& score = parts.spec.score;
    const Options& options = score.options;
    const OracleParameters& given = parts.parameters;
    const reference::Activation act = setting.score.activation;
    const Row b = score.bias ? given.row("b") : Row();
    const auto pairs = [&](const PairRule& of_pair) { score_pairs(parts, of_pair, setting); };
    switch (score.type) {
    case ScoreType::cosine:
        setting.scale = options.number("beta");
        return pairs([groups = options.count("groups"),
                      keeps_query = options.word("divided") == "keys"](const Row& q, const Row& k) {
            const Index count = std::gcd(groups, static_cast<Index>(k.size()));
            return reference::cosine_of_groups(q, k, static_cast<std::size_t>(count), keeps_query);
        });
    case ScoreType::scaled_cosine:
        setting.scale = 1;
        setting.head_scales = sharpnesses(given.row("log_tau"));
        return pairs(reference::cosine_score);
    case ScoreType::gaussian:
        setting.scale = 0.5 / std::pow(options.number("sigma"), 2);
        return pairs(reference::negative_squared_distance);
    case ScoreType::euclidean:
        setting.scale.reset();  // what the reference divides by unless told otherwise: sqrt(d)
        return pairs(reference::negative_squared_distance);
    case ScoreType::manhattan:
        return pairs(reference::negative_distance_of_features);
    case ScoreType::dimension_scale:
        setting.scale.reset();
        return pairs([w = given.row("w_dimension")](const Row& q, const Row& k) {
            return reference::rescaled_product(q, k, w);
        });
    case ScoreType::hyperbolic:
        setting.scale = options.number("beta");
        return pairs(reference::negative_hyperbolic_distance);
    case ScoreType::bilinear_pooling:
        return pairs(
            [W_1 = given.matrix("W_1"), W_2 = given.matrix("W_2"), v = given.row("v"),
             act](const Row& q, const Row& k) { return reference::bilinear_score(q, k, W_1, W_2, v, act); });
    case ScoreType::linear:
        return pairs([w = given.row("w"), b](const Row& q, const Row& k) {
            return reference::linear_score(q, k, w, b);
        });
    case ScoreType::graph:
        return pairs([w = given.row("w"), b, slope = options.number("slope")](const Row& q, const Row& k) {
            return reference::leaky(reference::linear_score(q, k, w, b), slope);
        });
    case ScoreType::dynamic_graph:
        return pairs(
            [rule = additive_rule(parts, act), slope = options.number("slope")](const Row& q, const Row& k) {
                return reference::dynamic_graph_score(q, k, rule.W_1, rule.W_2, rule.b, rule.v, slope);
            });
    case ScoreType::normalized_additive:
        setting.scale = given.number("g");
        return pairs([rule = additive_rule(parts, act), always = given.row("b")](const Row& q, const Row& k) {
            return reference::normalized_additive_score(q, k, rule.W_1, rule.W_2, always, rule.v,
                                                        rule.activation);
        });
    case ScoreType::elementwise_additive:
        return pairs([v = given.row("v"), act](const Row& q, const Row& k) {
            return reference::elementwise_score(q, k, 1, v, act);
        });
    case ScoreType::elementwise_concat:
        setting.scale = given.number("g");
        return pairs([s = given.number("s"), act](const Row& q, const Row& k) {
            return reference::elementwise_score(q, k, s, {}, act);
        });
    case ScoreType::mlp:
        return pairs([W = given.matrix("W"), b, v = given.row("v"), act,
                      deep = options.count("layers") > 1 ? given.matrix("W_deep") : Matrix(),
                      compares = options.word("features") == "all"](const Row& q, const Row& k) {
            return reference::network_score(q, k, compares, W, b, deep, v, act);
        });
    default:
        return;
    }
}

void add_sequence_scores(const OracleParts& parts, reference::Setting& setting) {
    const Score& score = parts.spec.score;
    const Options& options = score.options;
    const OracleParameters& given = parts.parameters;
    const bool everything_open = parts.spec.mask_value.has_value();
    switch (score.type) {
    case ScoreType::location:
        setting.scores = [W = given.matrix("W_slots")](const Head& head) {
            return reference::location_scores(head, W);
        };
        return;
    case ScoreType::gaussian_window:
        setting.scores = [W = given.matrix("W_window"), b = given.row("b_window"),
                          has_densities = options.word("form") == "density"](const Head& head) {
            return reference::gaussian_window_scores(head, W, b, has_densities);
        };
        return;
    case ScoreType::dense_synthesizer:
        setting.scores = [W_1 = given.matrix("W_1"), b = score.bias ? given.row("b") : Row(),
                          W = given.matrix("W_slots")](const Head& head) {
            return reference::dense_synthesizer_scores(head, W_1, b, W);
        };
        return;
    case ScoreType::random_synthesizer: {
        const bool is_full = options.count("rank") == 0;
        setting.scores = [R = is_full ? given.matrix("R") : Matrix(), R_1 = given.matrix("R_1"),
                          R_2 = given.matrix("R_2")](const Head& head) {
            return reference::random_synthesizer_scores(head, R, R_1, R_2);
        };
        return;
    }
    case ScoreType::multi_token:
        setting.scores = [theta = given.matrix("theta"), everything_open,
                          rows = static_cast<std::size_t>(options.count("query_width"))](const Head& head) {
            return reference::multi_token_scores(head, theta, rows, everything_open);
        };
        return;
    case ScoreType::selective:
        // The first head comes first.
        setting.scores = [first = std::make_shared<Head>(), everything_open](const Head& head) {
            if (head.number == 0)
                *first = head;
            return reference::selective_scores(head, *first, everything_open);
        };
        return;
    case ScoreType::location_aware:
        setting.scale = options.number("sharpening");
        setting.one_by_one = [rule = additive_rule(parts, setting.score.activation), F = given.matrix("F"),
                              U = given.matrix("U"), cumulative = options.flag("cumulative"),
                              everything_open](const Head& head, const reference::Finish& finish) {
            return reference::location_aware_weights(head, finish, rule, F, U, cumulative, everything_open);
        };
        return;
    case ScoreType::coverage:
        setting.one_by_one = [rule = additive_rule(parts, setting.score.activation),
                              w_c = given.row("w_c")](const Head& head, const reference::Finish& finish) {
            return reference::coverage_weights(head, finish, rule, w_c);
        };
        return;
    default:
        return;
    }
}

}  // namespace

void score_pairs(const OracleParts& parts, const PairRule& score, reference::Setting& setting) {
    setting.scores = [everything_open = parts.spec.mask_value.has_value(), score](const Head& head) {
        Matrix scores(head.q.rows, head.k.rows);
        for (std::size_t i = 0; i < scores.rows; ++i)
            for (std::size_t j = 0; j < scores.cols; ++j)
                if (everything_open || head.allowed[i][j])
                    scores(i, j) = score(head.q.row(i), head.k.row(j));
        return scores;
    };
}

void add_score_oracle(const OracleParts& parts, reference::Setting& setting) {
    add_pair_scores(parts, setting);
    add_sequence_scores(parts, setting);
}

}  // namespace headlight
