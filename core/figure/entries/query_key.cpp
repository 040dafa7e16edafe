#include "core/attention/pipeline_stages.h"
#include "core/figure/build_figure.h"
#include "core/figure/declarations.h"
#include "core/figure/fitted_scale.h"
#include "core/figure/view_titles.h"
#include "core/figure/words.h"
#include "core/tensor/csv.h"
#include "core/tensor/error.h"
#include "core/tensor/visible_text.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

/// The query, or the key, that the scores are made of: turned, normalised, or as it was projected.
std::string factor(const PanelMaker& maker, const std::string& name) {
    return maker.chain().shown_by(last_form(maker.trace(), name, maker.chain().site()));
}

std::string query_key_lacks(const ViewSubject& subject) {
    return subject.runs_mechanism ? ""
                                  : "Its queries and keys are not known here: choose a mechanism to see them";
}

/// q_d k_jd for every dimension d and key j of both panels, [d, key].
std::vector<double> products(const Panel& queries, const Panel& keys, Index query) {
    std::vector<double> numbers;
    for (Index d = 0; d < keys.rows; ++d)
        for (Index key = 0; key < keys.columns; ++key)
            numbers.push_back(queries.values[static_cast<std::size_t>(d * queries.columns + query)] *
                              keys.values[static_cast<std::size_t>(d * keys.columns + key)]);
    return numbers;
}

std::vector<double> column_sums(const Panel& panel) {
    std::vector<double> sums(static_cast<std::size_t>(panel.columns), 0);
    for (std::size_t i = 0; i < panel.values.size(); ++i)
        sums[i % sums.size()] += panel.values[i];
    return sums;
}

/// The row of the selected query in a stage of maps; empty where it was not recorded.
std::vector<double> row_of(const PanelMaker& maker, const std::string& stage, Index query) {
    const Stage* found = maker.trace().find(stage, maker.chain().site());
    if (!found || !maker.is_query_by_key(stage))
        return {};
    const auto map = maker.trace().matrix(*found, maker.head_in(stage));
    const auto keys = static_cast<std::size_t>(found->extent(Axis::key));
    const auto row = map.subspan(static_cast<std::size_t>(query) * keys, keys);
    return {row.begin(), row.end()};
}

bool are_equal(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && std::ranges::equal(a, b, [](double x, double y) {
               return std::abs(x - y) <= 1e-9 * std::max({1.0, std::abs(x), std::abs(y)});
           });
}

void build_query_key(const PanelMaker& maker, const PatchedPicture&, Figure& figure) {
    const std::string query_stage = factor(maker, "query"), key_stage = factor(maker, "key");
    if (query_stage.empty() || key_stage.empty())
        throw Error({"draw queries and keys", maker.chain().site(),
                     "recorded queries and keys, which a capture of weights has not", "none"});
    PanelMaker::Options upright;
    upright.transposed = true;
    Panel queries = maker.panel(query_stage, maker.head_in(query_stage), upright);
    Panel keys = maker.panel(key_stage, maker.head_in(key_stage), upright);
    if (queries.rows != keys.rows)
        throw Error({"draw queries and keys", maker.chain().site(), "queries and keys of one width",
                     std::to_string(queries.rows) + " and " + std::to_string(keys.rows)});
    const Index query = std::clamp<Index>(maker.query(), 0, queries.columns - 1);
    const std::string name = query < std::ssize(queries.column_axis.labels)
                                 ? in_quotes(queries.column_axis.labels[static_cast<std::size_t>(query)])
                                 : "query " + std::to_string(query + 1);

    Panel product;
    product.site = keys.site;
    product.title = name + " × each key";
    product.rows = keys.rows;
    product.columns = keys.columns;
    product.row_axis = keys.row_axis;
    product.column_axis = keys.column_axis;
    product.head = maker.head();
    product.transposed = true;
    product.values = products(queries, keys, query);
    NumberRange range;
    for (const double number : product.values)
        range.include(number);
    product.scale = keys.scale;
    product.scale.high = range.empty() ? 1 : std::max({-range.low, range.high, 1e-12});
    product.scale.low = -product.scale.high;
    product.scale.clips_low = product.scale.clips_high = false;
    if (maker.settings().range.kind != RangeKind::fitted)
        product.scale = ranged_scale(product.scale, maker.settings().range, range, product.values.copy());
    product.values_in_cells = keys.values_in_cells;
    product.in_focus = true;
    product.operator_before = "=";

    const std::vector<double> sums = column_sums(product), scores = row_of(maker, "scores", query),
                              weights = row_of(maker, "weights", query);
    if (!scores.empty())
        product.subtitle = are_equal(sums, scores) ? "sums = scores" : "not the scores";
    figure.table = {{"key", "sum of the products", "score", "weight"}};
    for (Index key = 0; key < product.columns; ++key) {
        const auto at = static_cast<std::size_t>(key);
        const auto& labels = product.column_axis.labels;
        figure.table.push_back({at < labels.size() ? labels[at] : std::to_string(key + 1),
                                csv_number(sums[at]), at < scores.size() ? csv_number(scores[at]) : "",
                                at < weights.size() ? csv_number(weights[at]) : ""});
    }
    queries.selected_column = query;
    keys.operator_before = "each ×";
    figure.title = join(
        {figure.title, join({name + " and each key", head_title(maker.head(), maker.heads())}, ", ")}, ": ");
    figure.panels = {std::move(queries), std::move(keys), std::move(product)};
    figure.columns = 3;
}

}  // namespace

View declare_view_query_key() {
    View view{ViewKind::query_key};
    view.order = 12;
    view.title = "Query × key";
    view.shows = "What the score of a query and each key is made of: their products, dimension by dimension";
    view.stages = View::Stages::weights;
    view.lacks = query_key_lacks;
    view.build = build_query_key;
    return view;
}

}  // namespace headlight
