#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/normalizers/balancing.h"
#include "core/attention/normalizers/row_arithmetic.h"

namespace headlight {
namespace {

constexpr double learned_bin = -20;  // the smallest: a bin that next to nothing goes to
// The logarithms of the factors grow with the scores: beyond this their last digits are no longer those of
// the weights, and nothing is right that is made of them.
constexpr double widest_scores = 1e7;

/// Each row's scores less their largest, which the row's own factor makes up for. Returns whether an allowed
/// one is then below `least`.
template <class Real>
bool count_from_largest(Real* scores, Index queries, Index keys, Real least,
                        const kernels::Table<Real>& kernels) {
    unsigned any_below = 0;  // without a branch: a loop that runs in vectors
    for (Index query = 0; query < queries; ++query) {
        Real* row = scores + query * keys;
        const Real largest = kernels.maximum(row, keys);
        if (largest == forbidden<Real>)
            continue;
        for (Index key = 0; key < keys; ++key) {
            const Real score = row[key] - largest;
            row[key] = score;
            any_below |= unsigned(score < least) & unsigned(score != forbidden<Real>);
        }
    }
    return any_below != 0;
}

/// Alternately rows and columns of exp(S) are brought to their sums, ending with rows.
template <class Real>
void balance(const Plan& plan, Index head, Real* scores, Index iterations, const Recorder& recorder,
             const kernels::Table<Real>& kernels) {
    constexpr Real widest = widest_scores;
    const Index queries = plan.queries, keys = plan.keys;
    if (count_from_largest(scores, queries, keys, -widest, kernels) && iterations > 1) {
        std::transform(scores, scores + queries * keys, scores, [](Real score) {
            return score == forbidden<Real> ? Real(0) : std::numeric_limits<Real>::quiet_NaN();
        });
        return;
    }
    const Balancing<Real> balancing(scores, queries, keys, kernels);
    Real* of_row = scratch<Real>(queries);
    Real* of_column = scratch<Real, ScratchRow::beside>(keys);
    std::fill(of_column, of_column + keys, Real(0));
    balancing.balance_rows(of_column, of_row);
    Real* row = scratch<Real, ScratchRow::weighed>(keys);
    if (recorder)
        for (Index query = 0; query < queries; ++query) {
            balancing.weigh(query, of_column, row);
            RowRecord<Real>(recorder, plan, head, query).row("soft_weights", row, keys);
        }
    for (Index iteration = 1; iteration < iterations; ++iteration) {
        balancing.balance_columns(of_row, of_column);
        balancing.balance_rows(of_column, of_row);
    }
    for (Index query = 0; query < queries; ++query) {
        balancing.weigh(query, of_column, row);
        std::copy(row, row + keys, scores + query * keys);
    }
}

template <class Real>
void add_sinkhorn_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const Index iterations = plan.normalizer().count("iterations");
    pipeline.normalize_head = [=, &plan, kernels = &kernels_of(pipeline)](Index head, Real* scores,
                                                                          const Recorder& record) {
        divide(scores, plan.queries * plan.keys, static_cast<Real>(plan.spec.normalizer.temperature));
        balance(plan, head, scores, iterations, record, *kernels);
    };
}

bool has_dustbin(const Options& options) { return options.flag("dustbin"); }

/// Logarithms of rows that are too far apart for what is added up of them become no number, for infinity is
/// taken off infinity; the others stay. All in the line that asks, whose names are given others later.
Expression without_lost_digits(const Expression& logs) {
    const Expression beyond = choose(
        both_of(is_above(-widest_scores, logs), is_above(logs, minus_infinity())), minus_infinity(), 0);
    return logs + beyond - beyond;
}

/// The scores [h, n + 1, m + 1] with a row and a column of the bin's own score. The bin has room for all
/// queries and for all keys; those with nothing that they may look at, or be looked at by, have no share.
Expression define_weights_beside_dustbin(DefinedRows& rows) {
    const Expression bin = rows.of_head("bin_score", learned_bin, "b_bin");
    const auto where_open = [&](const Expression& largest) {
        return choose(is_above(largest, minus_infinity()), bin, minus_infinity());
    };
    const auto counted_as_one = [](const Expression& largest) {
        return as_number(is_above(largest, minus_infinity()));
    };
    const Expression largest_of_queries = rows.let("largest_of_query", maximum_of_columns(rows.scores));
    const Expression largest_of_keys = rows.let("largest_of_key", maximum_of_rows(rows.scores));
    const Expression open_queries = rows.let("open_queries", counted_as_one(largest_of_queries));
    const Expression open_keys = rows.let("open_keys", counted_as_one(largest_of_keys));
    const Expression queries = rows.let("query_count", not_zero(sum_of_rows(open_queries)));
    const Expression keys = rows.let("key_count", not_zero(sum_of_columns(open_keys)));
    const Expression log_of_rows =
        rows.let("log_row_targets", join_rows({0 * open_queries, log_of(keys)}),
                 "ln of what each row sums to: 1, and the bin’s as much as there are keys");
    const Expression log_of_columns =
        rows.let("log_column_targets", join_columns({0 * open_keys, log_of(queries)}),
                 "ln of what each column sums to: 1, and the bin’s as much as there are queries");
    const Expression of_pairs =
        rows.let("log_unbalanced", join_columns({rows.open_over_temperature(rows.scores),
                                                 rows.let("bin_column", where_open(largest_of_queries))}));
    const Expression of_bin = rows.let(
        "bin_row", join_columns({where_open(largest_of_keys), 0 * queries + bin}), "the bin’s own row");
    const Expression whole = rows.let("log_with_bin", join_rows({of_pairs, of_bin}));
    const Index iterations = rows.options().count("iterations");
    Expression first = whole - rows.log_sums_of_rows(whole) + log_of_rows;
    if (iterations > 1)
        first = without_lost_digits(first);
    const Expression logs = rows.let("log_balanced", first, "rows that sum to their share");
    rows.composer.program.repeat(iterations - 1, [&] {
        rows.let("log_balanced", logs - rows.log_sums_of_columns(logs) + log_of_columns,
                 "columns that sum to theirs");
        rows.let("log_balanced", logs - rows.log_sums_of_rows(logs) + log_of_rows,
                 "rows that sum to their share");
    });
    const Extent given = rows.scores.extent();
    const Expression of_queries = rows.let("transport", exp_of(some_rows(logs, counted(0, given.rows))),
                                           "what each query gives to keys and bin");
    rows.let("unassigned", some_columns(of_queries, {given.columns}), "what goes to the bin");
    return some_columns(of_queries, counted(0, given.columns));
}

Expression define_sinkhorn_weights(DefinedRows& rows) {
    if (has_dustbin(rows.options()))
        return define_weights_beside_dustbin(rows);
    // Rows and columns with nothing in them have no share in what the others are brought to.
    const auto counted_as_one = [](const Expression& largest) {
        return as_number(is_above(largest, minus_infinity()));
    };
    const Plan& plan = rows.composer.plan;
    const auto some = [&](const Expression& count) { return rows.may_be_empty ? not_zero(count) : count; };
    const Expression column_target =
        rows.has_forbidden
            ? log_of(
                  some(rows.let("row_count", sum_of_rows(counted_as_one(maximum_of_columns(rows.scores))))) /
                  some(
                      rows.let("column_count", sum_of_columns(counted_as_one(maximum_of_rows(rows.scores))))))
            : Expression(std::log(static_cast<double>(plan.queries) / static_cast<double>(plan.keys)));
    // In logarithms: what underflows in one step may be all that a row has in the next.
    const Expression whole = rows.let("log_unbalanced", rows.open_over_temperature(rows.scores));
    const Expression logs =
        rows.let("log_balanced", whole - rows.log_sums_of_rows(whole), "rows that sum to 1");
    rows.composer.program.repeat(rows.options().count("iterations") - 1, [&] {
        rows.let("log_balanced", logs - rows.log_sums_of_columns(logs) + column_target, "columns of one sum");
        rows.let("log_balanced", logs - rows.log_sums_of_rows(logs), "rows that sum to 1");
    });
    return exp_of(logs);
}

}  // namespace

NormalizerComponent declare_normalizers_sinkhorn() {
    NormalizerComponent component;
    component.phrase = "rows and columns brought to equal sums";
    component.meaning = "exp(S) with its rows and columns brought to equal sums in turn: no query and no key "
                        "gets more than its share (Sander et al. 2022); with a dustbin for those without a "
                        "partner (Sarlin et al. 2020)";
    component.options = {
        count_option("iterations", "Iterations", 10, logarithmic_range(1, 1000),
                     "How often the rows are normalised, with the columns in between; once is the softmax."),
        flag_option("dustbin", "Dustbin", false,
                    "One more key and one more query, for those that have no partner: the bin has room for "
                    "all of them (SuperGlue)."),
        number_option("bin_score", "Score of the bin", learned_bin, {learned_bin, 100},
                      "What a pair must score for its partners not to be left to the bin.",
                      "learned for each head")};
    component.known_parameters = {{"b_bin", "[h]", "the score of each head’s dustbin"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Options& options = plan.normalizer();
        if (has_dustbin(options) && options.number("bin_score") == learned_bin)
            list.add("b_bin", {plan.heads});
    };
    component.couples_rows = true;
    component.passes_to_definition = [](const AttentionSpec& spec) {
        return has_dustbin(spec.normalizer.options);
    };
    component.stages = [](const Plan&, StageList& list) { list.add_map("soft_weights"); };
    component.declared_stages = {
        declared_shares_stage("soft_weights", "Soft weights", {"softmax of each row"},
                              {.said = "the softmax of the row, where the iterations begin"}),
        made_stage("unassigned", "Weight of no key", {"what goes to the bin"},
                   {.said = "what of the query goes to the bin"})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_sinkhorn_steps(plan, pipeline); };
    component.define = define_sinkhorn_weights;
    return component;
}

}  // namespace headlight
