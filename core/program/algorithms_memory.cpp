#include "core/attention/options.h"
#include "core/program/algorithms.h"

namespace headlight {
namespace {

/// `row` [h, 1, cells] as one of all keys.
Expression with_unseen_keys(Composer& composer, const std::string& suffix, const Expression& row) {
    const Index unseen = composer.plan.keys - row.extent().columns;
    if (unseen == 0)
        return row;
    return join_columns(
        {row, composer.constant("unseen" + suffix, {composer.heads, 1, unseen}, "keys not yet seen",
                                [](Index, Index, Index) { return 0.0; })});
}

Expression ridge(Composer& composer, Index size, double lambda) {
    return lambda *
           composer.constant(numbered("identity_", size), {0, size, size}, "1 on the diagonal",
                             [](Index, Index row, Index column) { return row == column ? 1.0 : 0.0; });
}

}  // namespace

/// Each query's answer by ridge regression from the keys that it sees: of two systems the smaller one.
Expression write_mesa(Composer& composer) {
    const Plan& plan = composer.plan;
    const double lambda = option<double>(plan.spec.algorithm.options, "lambda");
    std::vector<Expression> rows;
    for (Index query = 0; query < plan.queries; ++query) {
        const std::string suffix = numbered("_", query + 1);
        const Index end = plan.allowed.end(query);
        if (end == 0) {
            rows.push_back(composer.constant("no_weights", {composer.heads, 1, plan.keys}, "nothing is seen",
                                             [](Index, Index, Index) { return 0.0; }));
            continue;
        }
        const Expression keys =
            composer.let("keys" + suffix, some_rows(composer.key, counted(0, end)), "that are seen");
        const Expression asked = composer.let("query" + suffix, some_rows(composer.query, {query}));
        std::optional<Expression> row;
        if (end <= plan.head_query_width()) {
            const Expression system = composer.let(
                "system" + suffix, product_transposed(keys, keys) + ridge(composer, end, lambda), "K Kᵀ + λ");
            row = product(product_transposed(asked, keys), inverse_of(system));
        } else {
            const Expression system = composer.let("system" + suffix,
                                                   product(transposed(keys), keys) +
                                                       ridge(composer, plan.head_query_width(), lambda),
                                                   "Kᵀ K + λ");
            row = product_transposed(product(asked, inverse_of(system)), keys);
        }
        const Expression seen = composer.let("displayed_weights" + suffix, *row);
        rows.push_back(composer.let("weights" + suffix, with_unseen_keys(composer, suffix, seen)));
    }
    return write_attended_values(
        composer, composer.let("weights", join_rows(rows), "what each query gives to each key"));
}

/// Content, interpolation, shift and sharpening, a query after another (Graves et al. 2014, equations 5 to
/// 9).
Expression write_turing(Composer& composer) {
    const Plan& plan = composer.plan;
    const std::string& addressing = option<std::string>(plan.spec.algorithm.options, "addressing");
    const bool by_location = addressing != "content", by_content = addressing != "location";
    const Expression said = composer.let(
        "control_numbers",
        split_heads(composer.projected(composer.query_tokens, "W_control", "b_control"), composer.heads),
        "strength, gate, sharpness and three shifts of each query");
    const Expression cosines = composer.let(
        "cosines", composer.where_open(product_transposed(direction_of(composer, "query", composer.query),
                                                          direction_of(composer, "key", composer.key)),
                                       0));
    Expression focus = composer.constant("first_focus", {composer.heads, 1, plan.keys}, "on the first cell",
                                         [](Index, Index, Index column) { return column == 0 ? 1.0 : 0.0; });
    std::vector<Expression> rows;
    for (Index query = 0; query < plan.queries; ++query) {
        const std::string suffix = numbered("_", query + 1);
        const Index cells = plan.allowed.end(query);
        if (cells == 0) {
            rows.push_back(composer.constant("no_weights", {composer.heads, 1, plan.keys}, "nothing is seen",
                                             [](Index, Index, Index) { return 0.0; }));
            continue;
        }
        const auto control = [&](Index number) { return pick(said, {1, 1, {query}}, {1, 1, {number}}); };
        const Expression near = pick(cosines, {1, 1, {query}}, {1, cells, counted(0, cells)});
        Expression row = softmax_of(composer, "content" + suffix, softplus_of(control(0)) * near);
        if (by_location) {
            const Expression gate = by_content ? sigmoid_of(control(1)) : Expression(0);
            const Expression here = composer.let(
                "here" + suffix, gate * row + (1 - gate) * some_columns(focus, counted(0, cells)),
                "between content and the focus before");
            const Expression shifts =
                softmax_of(composer, "shifts" + suffix, pick(said, {1, 1, {query}}, {1, 3, counted(3, 3)}));
            std::vector<Index> next, previous;
            for (Index cell = 0; cell < cells; ++cell) {
                next.push_back((cell + 1) % cells);
                previous.push_back((cell + cells - 1) % cells);
            }
            const Expression shifted = composer.let(
                "shifted" + suffix,
                some_columns(shifts, {0}) * some_columns(here, next) + some_columns(shifts, {1}) * here +
                    some_columns(shifts, {2}) * some_columns(here, previous),
                "moved by a cell or not");
            const Expression sharp =
                composer.let("sharpened" + suffix,
                             power_of(shifted / maximum_of_columns(shifted), 1 + softplus_of(control(2))));
            row = composer.let("focus" + suffix, sharp / sum_of_columns(sharp), "where the head reads");
        }
        focus = composer.let("weights" + suffix, with_unseen_keys(composer, suffix, row));
        rows.push_back(focus);
    }
    return write_attended_values(composer, composer.let("weights", join_rows(rows), "one row below another"));
}

}  // namespace headlight
