#include "core/attention/pipeline_stages.h"
#include "core/figure/build_figure.h"
#include "core/figure/declarations.h"
#include "core/figure/fitted_scale.h"
#include "core/figure/panel_numbers.h"
#include "core/figure/panel_part.h"
#include "core/figure/query_key_factors.h"
#include "core/figure/ticks.h"
#include "core/figure/token_page.h"
#include "core/figure/view_titles.h"
#include "core/figure/words.h"
#include "core/tensor/error.h"
#include "core/tensor/number_text.h"
#include "core/tensor/visible_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

namespace headlight {
namespace {

/// The query, or the key, that the scores are made of: turned, normalised, or as it was projected.
std::string factor(const PanelMaker& maker, const std::string& name) {
    return maker.chain().shown_by(last_form(maker.trace(), name, maker.chain().site()));
}

std::string query_key_lacks(const ViewSubject& subject) {
    return subject.has_queries_and_keys
               ? ""
               : "The weights alone are known here, and not the queries and keys that they come from; "
                 "scripts/headlight_capture.py captures these as well";
}

/// Returns all tokens, or, where they are more than maps are kept of, the page that one of them is on.
AxisSlice drawn_tokens(const PanelMaker& maker, Index token, Index tokens) {
    constexpr Index most = 2'048;
    return maker.is_large("weights") ? page_of(token, tokens, most) : AxisSlice{0, tokens};
}

/// Captured vectors [token, d] as columns, as PanelMaker draws those of a stage: of the drawn_tokens().
Panel captured_panel(const PanelMaker& maker, const std::string& stage, Axis axis, const MapSource& vectors,
                     MapPlace place) {
    const TokenLabels& tokens = maker.trace().tokens_at(maker.chain().site());
    Panel panel;
    panel.title = maker.title(stage) + "ᵀ";
    panel.site = maker.chain().site();
    panel.head = place.head;
    panel.transposed = true;
    const Index all = vectors.extents().queries;
    const AxisSlice part =
        drawn_tokens(maker, axis == Axis::query ? maker.query() : maker.settings().selection.key, all);
    panel.columns = part.count;
    panel.rows = vectors.extents().keys;
    panel.row_axis.title = axis_title(stage, Axis::feature, true);
    const AxisLabels whole{axis_title(stage, axis, true), axis_labels(tokens, axis, all),
                           axis_marks(tokens, axis, all)};
    panel.column_axis = part.count < all ? part_of(whole, part) : whole;
    std::vector<double> rows(static_cast<std::size_t>(panel.rows * panel.columns)), columns(rows.size());
    vectors.read_rows(place, part.first, panel.columns, rows);
    NumberRange range;
    for (Index token = 0; token < panel.columns; ++token)
        for (Index d = 0; d < panel.rows; ++d) {
            const double number = rows[static_cast<std::size_t>(token * panel.rows + d)];
            columns[static_cast<std::size_t>(d * panel.columns + token)] = number;
            range.include(number);
        }
    const ViewSettings& settings = maker.settings();
    panel.scale.map = settings.colour_map == "greys" ? settings.colour_map : "diverging";
    panel.scale.high = range.empty() ? 1 : std::max({-range.low, range.high, 1e-12});
    panel.scale.low = -panel.scale.high;
    if (settings.range.kind == RangeKind::percentiles || settings.range.kind == RangeKind::numbers)
        panel.scale = ranged_scale(panel.scale, settings.range, range, columns);
    panel.values = std::move(columns);
    panel.values_in_cells = settings.values_in_cells;
    return panel;
}

/// The queries and the keys of the head in view, [d, token] each.
struct Factors {
    Panel queries, keys;
    std::optional<ScoreFactors> captured{};
};

Factors factors_of(const PanelMaker& maker) {
    if (std::optional<ScoreFactors> captured =
            captured_factors(maker.trace(), maker.chain().site(), maker.head_in("weights"))) {
        Panel queries = captured_panel(maker, "query", Axis::query, *captured->queries, captured->of_queries);
        Panel keys = captured_panel(maker, "key", Axis::key, *captured->keys, captured->of_keys);
        return {std::move(queries), std::move(keys), std::move(captured)};
    }
    const std::string query_stage = factor(maker, "query"), key_stage = factor(maker, "key");
    if (query_stage.empty() || key_stage.empty())
        throw Error({draw_queries_and_keys, maker.chain().site(),
                     "recorded queries and keys, which a capture of weights has not",
                     maker.is_implied("weights")
                         ? "a linear layer, whose decay lies between them"
                         : "weights alone; scripts/headlight_capture.py captures these as well"});
    PanelMaker::Options upright;
    upright.transposed = true;
    Panel queries = maker.panel(query_stage, maker.head_in(query_stage), upright);
    Panel keys = maker.panel(key_stage, maker.head_in(key_stage), upright);
    const auto cut = [&](Panel& panel, Index token) {
        const AxisSlice part = drawn_tokens(maker, token, panel.columns), all{0, panel.rows};
        if (part.count < panel.columns)
            panel = part_of(std::move(panel), all, part);
    };
    cut(queries, maker.query());
    cut(keys, maker.settings().selection.key);
    if (query_stage == key_stage)  // the same tokens, which are looked at here
        keys.column_axis.title =
            axis_title(Axis::key, queries.column_axis.title != axis_title(Axis::query, false));
    return {std::move(queries), std::move(keys)};
}

/// "Σ × 0.125 = score", and what a softcap makes of it.
std::string scores_in_words(const ScoreFactors& factors) {
    const std::string score = "Σ × " + number_text(factors.scale) + " = score";
    if (!factors.softcap)
        return score;
    const std::string cap = number_text(*factors.softcap);
    return score + ", then " + cap + " tanh(score / " + cap + ")";
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

/// "column “bank” sums to its score": without the number, which the cell's report has. A text that changes
/// with every number that is dragged is measured anew each time.
std::string sum_in_words(const Panel& panel, Index column) {
    const auto at = static_cast<std::size_t>(column);
    const std::string name = at < panel.column_axis.labels.size()
                                 ? in_quotes(panel.column_axis.labels[at])
                                 : std::to_string(label_number(panel.column_axis, column));
    return "column " + name + " sums to its score";
}

/// The row of the selected query in a stage of maps, as it is drawn; empty where it was not recorded.
DisplayedWeights::Rows row_of(const PanelMaker& maker, const std::string& stage, Index query) {
    const Stage* found = maker.trace().find(stage, maker.chain().site());
    if (!found || !maker.is_query_by_key(stage))
        return {};
    return maker.rows(stage, maker.head_in(stage), query, 1);
}

bool are_equal(const std::vector<double>& a, const Storage<const double>& b) {
    return a.size() == b.size() && std::ranges::equal(a, b, [](double x, double y) {
               return std::abs(x - y) <= 1e-9 * std::max({1.0, std::abs(x), std::abs(y)});
           });
}

/// What queries or keys are made with, head by head: a row for each of their numbers, a column for each of a
/// token's. Nothing where nobody knows the matrix.
std::optional<Panel> projection_panel(const PanelMaker& maker, const std::string& stage) {
    const std::string& site = maker.chain().site();
    // Where heads share it, W_q makes the keys, too.
    const bool is_key = stage == "key" && maker.trace().parameter_at(site, "W_k");
    const std::string name = is_key ? "W_k" : "W_q";
    const Tensor* matrix = maker.trace().parameter_at(site, name);
    const Stage* made = maker.trace().find(stage, site);
    if (!matrix || !made || made->shape.empty() ||
        matrix->cols() != maker.heads_of(stage) * made->shape.back())
        return std::nullopt;
    const Index width = made->shape.back(), first = maker.head_in(stage) * width;
    Panel panel;
    panel.site = site;
    panel.title = name + "ᵀ";
    const bool is_alone = maker.heads_of(stage) == 1;
    panel.subtitle = is_alone ? stage + " = token × " + name : stage + " = token × " + name + " of the head";
    panel.head = maker.head();
    panel.rows = width;
    panel.columns = matrix->rows();
    panel.row_axis.title = axis_title(Axis::feature, false);
    panel.column_axis.title = "input " + axis_title(Axis::feature, false);
    panel.may_be_left_out = true;
    std::vector<double> numbers;
    for (Index row = 0; row < panel.rows; ++row)
        for (Index column = 0; column < panel.columns; ++column)
            numbers.push_back((*matrix)(column, first + row));
    panel.values = std::move(numbers);
    panel.values_in_cells = maker.settings().values_in_cells;
    return panel;
}

/// One scale for both, zero in its middle.
void share_scale(std::vector<Panel>& panels, const std::string& colours) {
    NumberRange range;
    for (const Panel& panel : panels)
        for (const double number : panel.values)
            range.include(number);
    for (Panel& panel : panels) {
        panel.scale.map = colours == "greys" ? colours : "diverging";
        panel.scale.high = range.empty() ? 1 : std::max({-range.low, range.high, 1e-12});
        panel.scale.low = -panel.scale.high;
    }
}

/// The query's number for every dimension times the keys', on a scale with zero in its middle.
Panel product_panel(const PanelMaker& maker, const Panel& queries, const Panel& keys, Index query) {
    Panel product;
    product.site = keys.site;
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
    return product;
}

/// A row for each key that is drawn: the sum of its products, its score and its weight, as far as these are
/// there.
NumberTable table_of_keys(const PanelMaker& maker, const Panel& product, const std::vector<double>& sums,
                          const Storage<const double>& scores, const Storage<const double>& weights) {
    NumberTable table;
    table.titles = {"key", "sum of the products", "score", maker.has_norms("weights") ? "norm" : "weight"};
    const auto number = [](const Storage<const double>& numbers, std::size_t at) {
        return at < numbers.size() ? std::optional(numbers[at]) : std::nullopt;
    };
    for (Index key = 0; key < product.columns; ++key) {
        const auto at = static_cast<std::size_t>(key);
        table.names.push_back(axis_label(product.column_axis, key));
        table.numbers.insert(table.numbers.end(), {sums[at], number(scores, at), number(weights, at)});
    }
    return table;
}

void build_query_key(const PanelMaker& maker, const PatchedPicture&, Figure& figure) {
    auto [queries, keys, captured] = factors_of(maker);
    if (queries.rows != keys.rows)
        throw Error({draw_queries_and_keys, maker.chain().site(), "queries and keys of one width",
                     std::to_string(queries.rows) + " and " + std::to_string(keys.rows)});
    // On a page of queries, and among all of them.
    const Index query = std::clamp<Index>(maker.query() - queries.column_axis.first, 0, queries.columns - 1),
                query_of_all = queries.column_axis.first + query, first_key = keys.column_axis.first;
    const std::string name = query < std::ssize(queries.column_axis.labels)
                                 ? in_quotes(queries.column_axis.labels[static_cast<std::size_t>(query)])
                                 : "query " + std::to_string(query_of_all + 1);

    Panel product = product_panel(maker, queries, keys, query);
    product.title = name + " × each key";
    const std::vector<double> sums = column_sums(product);
    const auto of_page = [&](const Storage<const double>& numbers) {
        const auto first = static_cast<std::size_t>(first_key), count = sums.size();
        return numbers.size() >= first + count ? numbers.part(first, count) : numbers;
    };
    Storage<const double> scores = of_page(row_of(maker, "scores", query_of_all).weights);
    const DisplayedWeights::Rows row = row_of(maker, "weights", query_of_all);
    const Storage<const double> weights = of_page(row.weights);
    if (maker.hides_keys("weights"))
        product.hidden_mass = row.hidden_mass;
    if (captured) {
        std::vector<double> scaled = sums;
        for (double& sum : scaled)
            sum *= captured->scale;
        scores = std::move(scaled);
        product.subtitle = scores_in_words(*captured);
    } else if (!scores.empty()) {
        const Index key =
            std::clamp<Index>(maker.settings().selection.key - first_key, 0, product.columns - 1);
        product.subtitle = are_equal(sums, scores) ? sum_in_words(product, key) : "not the scores";
    }
    figure.table = table_of_keys(maker, product, sums, scores, weights);
    if (const Index all = maker.trace().find("weights", maker.chain().site())
                              ? maker.trace().find("weights", maker.chain().site())->extent(Axis::key)
                              : 0;
        all > keys.columns)
        product.subtitle =
            join({product.subtitle, page_in_words("keys", {first_key, keys.columns}, all)}, "; ");
    queries.selected_column = query;
    keys.operator_before = "each ×";
    figure.title = join(
        {figure.title, join({name + " and each key", head_title(maker.head(), maker.heads())}, ", ")}, ": ");
    figure.panels = {std::move(queries), std::move(keys), std::move(product)};
    figure.columns = 3;
    std::vector<Panel> projections;
    for (const char* stage : {"query", "key"})
        if (auto panel = projection_panel(maker, stage))
            projections.push_back(std::move(*panel));
    share_scale(projections, maker.settings().colour_map);
    std::ranges::move(projections, std::back_inserter(figure.panels));
}

}  // namespace

View declare_view_query_key() {
    View view{ViewKind::query_key};
    view.order = 12;
    view.title = "Query × key";
    view.shows =
        "What the score of a query and each key is made of: their products, dimension by dimension, and the "
        "matrices W_q and W_k";
    view.stages = View::Stages::weights;
    view.pools_heads = false;
    view.draws_pages = true;
    view.lacks = query_key_lacks;
    view.build = build_query_key;
    return view;
}

}  // namespace headlight
