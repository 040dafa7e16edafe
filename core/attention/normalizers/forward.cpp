#include "core/attention/component.h"
#include "core/attention/defined_rows.h"

#include <algorithm>

namespace headlight {
namespace {

bool is_stepwise(const DefinedRows& rows) { return rows.options().word("rule") == "stepwise"; }

/// A row moved on by one key; `first` stands where nothing comes from.
class OneKeyOn {
public:
    explicit OneKeyOn(Composer& composer)
        : is_first_(composer.truth("is_first_key", {0, 1, composer.plan.keys}, "the first key",
                                   [](Index, Index column) { return column == 0; })) {
        for (Index key = 0; key < composer.plan.keys; ++key)
            before_.push_back(std::max<Index>(key - 1, 0));
    }
    Expression of(const Expression& row, const Expression& first) const {
        return choose(is_first_, first, some_columns(row, before_));
    }

private:
    Expression is_first_;
    std::vector<Index> before_;
};

/// 1 for the first key: where the walk begins.
Expression first_key(DefinedRows& rows) {
    return rows.composer.constant("start", {rows.composer.heads, 1, rows.composer.plan.keys},
                                  "the walk begins at the first key",
                                  [](Index, Index, Index column) { return column == 0 ? 1.0 : 0.0; });
}

/// α_t(j) ∝ (α_{t−1}(j) + α_{t−1}(j − 1)) e^s, in logarithms: what is next to nothing in one row may be all
/// that the next one can reach.
Expression define_forward_rows(DefinedRows& rows) {
    const Index queries = rows.composer.plan.queries;
    const Expression s = rows.temperature == 1
                             ? rows.scores
                             : rows.let("tempered_scores", rows.open_over_temperature(rows.scores));
    const OneKeyOn moved(rows.composer);
    Expression before = rows.let("log_alignment_0", choose(is_above(first_key(rows), 0), 0, minus_infinity()),
                                 "ln of the weights before the first query");
    std::vector<Expression> arrivals, alignments;
    for (Index query = 0; query < queries; ++query) {
        const auto name = [&](const char* of) { return numbered(of, query + 1); };
        const Expression on =
            rows.let(name("moved_"), moved.of(before, minus_infinity()), "the same a key on");
        const Expression top = rows.let(name("larger_"), larger_of(before, on), "the larger of both");
        const Expression is_reached = is_above(top, minus_infinity());
        const Expression reach = choose(is_reached, top, 0);
        const Expression sum = exp_of(before - reach) + exp_of(on - reach);
        const Expression arrives = rows.let(
            name("log_arrivals_"), choose(is_reached, reach + log_of(not_zero(sum)), minus_infinity()),
            "ln of the weight that stays or comes");
        arrivals.push_back(exp_of(arrives));
        const Expression reached = rows.let(name("reached_scores_"), some_rows(s, {query}) + arrives);
        const Expression largest = rows.let(name("largest_"), maximum_of_columns(reached));
        const Expression has_key = is_above(largest, minus_infinity());
        const Expression below =
            rows.let(name("below_"), reached - (rows.has_forbidden ? choose(has_key, largest, 0) : largest));
        const Expression exponentials = rows.let(name("exponentials_"), exp_of(below));
        const Expression whole = rows.let(name("sum_"), sum_of_columns(exponentials));
        alignments.push_back(rows.let(
            name("alignment_"), rows.has_forbidden ? exponentials / not_zero(whole) : exponentials / whole,
            "where this query looks"));
        if (query + 1 == queries)
            break;
        const Expression logs =
            choose(is_above(below, minus_infinity()), below - log_of(not_zero(whole)), minus_infinity());
        // A query that reaches nothing is passed over.
        before = rows.let(name("log_alignment_"), rows.has_forbidden ? choose(has_key, logs, before) : logs);
    }
    rows.let("arrivals", join_rows(arrivals), "the weight that each query finds at each key");
    return join_rows(alignments);
}

/// α_t(j) = α_{t−1}(j) p_t(j) + α_{t−1}(j − 1) (1 − p_t(j − 1)), p the sigmoid of the score: to stay.
Expression define_stepwise_rows(DefinedRows& rows) {
    const Expression s = rows.open_scores();
    const Expression stays =
        rows.let("staying_probabilities", rows.open_only(sigmoid_of(s)), "the chance of staying at each key");
    const Expression goes =
        rows.let("moving_probabilities",
                 rows.has_forbidden ? choose(rows.is_open(), sigmoid_of(-s), 1) : sigmoid_of(-s),
                 "the chance of going on to the next");
    const OneKeyOn moved(rows.composer);
    Expression before = first_key(rows);
    std::vector<Expression> alignments;
    for (Index query = 0; query < rows.composer.plan.queries; ++query) {
        const std::string number_of = numbered("_", query + 1);
        const Expression on = rows.let("comes" + number_of, moved.of(before * some_rows(goes, {query}), 0),
                                       "what comes from the key before");
        Expression row = before * some_rows(stays, {query}) + on;
        if (rows.has_forbidden)
            row = choose(is_above(some_rows(rows.scores, {query}), minus_infinity()), row, 0);
        row = rows.let("alignment" + number_of, row, "where this query looks");
        alignments.push_back(row);
        if (!rows.may_be_empty || query + 1 == rows.composer.plan.queries) {
            before = row;
            continue;
        }
        const Expression has_key =
            is_above(maximum_of_columns(some_rows(rows.scores, {query})), minus_infinity());
        before = rows.let("stands" + number_of, choose(has_key, row, before), "where the next one begins");
    }
    return join_rows(alignments);
}

}  // namespace

NormalizerComponent declare_normalizers_forward() {
    NormalizerComponent component;
    component.phrase = "each query a key on, or none";
    component.meaning =
        "α_t(j) ∝ (α_{t−1}(j) + α_{t−1}(j − 1)) exp(s): each query stays or goes a key on (Zhang, Ling and "
        "Dai 2018); stepwise: α_t(j) = α_{t−1}(j) p(j) + α_{t−1}(j − 1) (1 − p(j − 1)), p = sigmoid(s) (He, "
        "Deng and He 2019)";
    component.options = {
        word_option("rule", "Rule", {"forward", "stepwise"},
                    "forward: what can be reached, weighed by the softmax and divided by its sum. stepwise: "
                    "the sigmoid of a key’s score is the chance of staying there.")};
    component.couples_rows = true;
    component.declared_stages = {
        made_stage("arrivals", "What stays or comes", {"the row before, and the same a key on"},
                   {.colours_of = "weights", .lights = "weights", .role = StageRole::weights}),
        made_stage(
            "staying_probabilities", "Chances of staying", {"sigmoid of the scores"},
            {.lights = "weights", .role = StageRole::weights, .is_share = true, .leaves_out_masked = true})};
    component.define = [](DefinedRows& rows) {
        return is_stepwise(rows) ? define_stepwise_rows(rows) : define_forward_rows(rows);
    };
    return component;
}

}  // namespace headlight
