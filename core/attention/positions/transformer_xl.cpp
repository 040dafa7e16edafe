#include "core/attention/arithmetic_text.h"
#include "core/attention/component.h"
#include "core/attention/explained_cell.h"
#include "core/attention/pipeline.h"
#include "core/attention/positions/pair_places.h"
#include "core/attention/refusals.h"
#include "core/attention/rotation.h"
#include "core/tensor/interruption.h"

#include <string_view>

namespace headlight {
namespace {

/// R_r W_r of one head: R_r the sinusoids of the distance r = i - j, which may be negative.
std::vector<double> projected_distance(const Plan& plan, Index head, Index distance) {
    const Tensor& matrix = plan.parameter("W_r");
    const Index d = plan.head_query_width();
    std::vector<double> projected(static_cast<std::size_t>(d));
    for (Index f = 0; f < matrix.rows(); ++f) {
        const double feature = sinusoid(static_cast<double>(distance), f, matrix.rows());
        for (Index c = 0; c < d; ++c)
            projected[static_cast<std::size_t>(c)] += feature * matrix(f, head * d + c);
    }
    return projected;
}

/// The same of all distances, a column for each j - i + n - 1.
Tensor projected_distances(const Plan& plan, Index head) {
    const Index d = plan.head_query_width(), distances = plan.queries + plan.keys - 1;
    Tensor table({d, distances});
    for (Index at = 0; at < distances; ++at) {
        Interruption::check();
        const std::vector<double> column = projected_distance(plan, head, plan.queries - 1 - at);
        for (Index c = 0; c < d; ++c)
            table(c, at) = column[static_cast<std::size_t>(c)];
    }
    return table;
}

/// The four terms of equation 5 of Dai et al. 2019: q . k, q . R, u . k, v . R.
template <class Real>
struct Terms {
    Pipeline<Real>& pipeline;
    std::vector<MatrixView<const Real>> distances;  ///< [head]: [d, distances]
    const Real* u = nullptr;                        ///< [h, d]
    Real* global_position = nullptr;                ///< [h, distances]: v . R
    Real* global_content = nullptr;                 ///< [h, m]: u . k, of this run

    Terms(const Plan& plan, Pipeline<Real>& the_pipeline) : pipeline(the_pipeline) {
        Operands<Real>& operands = pipeline.operands;
        const Index d = plan.head_query_width(), count = plan.queries + plan.keys - 1;
        u = operands.vector("u_content");
        const Real* v = operands.vector("u_position");
        global_position = operands.allocate(plan.heads * count);
        global_content = operands.allocate(plan.heads * plan.keys);
        for (Index head = 0; head < plan.heads; ++head) {
            const Tensor table = projected_distances(plan, head);
            const MatrixView<Real> copy = operands.allocate(d, count);
            std::ranges::transform(table.values(), copy.data, [](double x) { return static_cast<Real>(x); });
            distances.push_back(copy);
            operands.multiply_columns(v + head * d, distances.back(), global_position + head * count);
        }
    }

    void prepare(const Plan& plan, Index head) const {
        const Index d = plan.head_query_width();
        const MatrixView<const Real> keys = pipeline.operands.compared_key(plan.kv_head(head));
        const auto& by = pipeline.operands.arithmetic();
        for (Index key = 0; key < plan.keys; ++key)
            global_content[head * plan.keys + key] = by.inner_product(u + head * d, keys.row(key), d);
    }

    void add(const Plan& plan, const ScoreRow<Real>& row, const Recorder& record) const {
        thread_local std::vector<Real> content_position;
        content_position.resize(static_cast<std::size_t>(row.size));
        const MatrixView<const Real> table = distances[static_cast<std::size_t>(row.head)];
        const Index first = plan.queries - 1 - row.query;
        pipeline.operands.multiply_columns(pipeline.operands.compared_query(row.head).row(row.query),
                                           table.column_range(first, row.size), content_position.data());
        const Real* content = global_content + row.head * plan.keys;
        const Real* position = global_position + row.head * table.columns + first;
        const Index place = (row.head * plan.queries + row.query) * plan.keys;
        record.write("content_scores", place, row.values, row.size);
        record.write("content_position_scores", place, content_position.data(), row.size);
        record.write("global_content_scores", place, content, row.size);
        record.write("global_position_scores", place, position, row.size);
        for (Index key = 0; key < row.size; ++key)
            row.values[key] += content_position[static_cast<std::size_t>(key)] + content[key] + position[key];
    }
};

template <class Real>
void add_transformer_xl_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const auto terms = std::make_shared<const Terms<Real>>(plan, pipeline);
    pipeline.prepare.push_back([terms, &plan](Index head, const Recorder&) { terms->prepare(plan, head); });
    pipeline.after_score.push_back(
        [terms, &plan](const ScoreRow<Real>& row, const Recorder& record) { terms->add(plan, row, record); });
}

void check_transformer_xl(const Plan& plan) { require_keys_of_query_width(plan, "transformer_xl positions"); }

Expression define_transformer_xl(Composer& composer, const Expression& scores) {
    const Plan& plan = composer.plan;
    const Expression content = composer.let("content_scores", scores, "without places");
    const Index distances = plan.queries + plan.keys - 1;
    const Expression W_r = composer.parameter("W_r");
    const Index width = W_r.extent().rows;
    const Expression sinusoids =
        composer.constant("distance_sinusoids", {0, distances, width}, "sines and cosines of each distance",
                          [width, last = plan.queries - 1](Index, Index row, Index column) {
                              return sinusoid(static_cast<double>(last - row), column, width);
                          });
    const Expression table =
        composer.let("distance_keys", split_heads(product(sinusoids, W_r), composer.heads), "R W_r");
    const Expression u = composer.let("u", composer.matrices_of_heads("u_content"));
    const Expression asking =
        composer.let("query_that_asks", composer.query + composer.matrices_of_heads("u_position"), "q + v");
    const Expression of_place =
        composer.let("distance_scores", product_transposed(asking, table), "(q + v) · R for each distance");
    return content + product_transposed(u, composer.key) +
           by_distance(composer, of_place,
                       [last = plan.queries - 1](Index query, Index key) { return last - query + key; });
}

/// The terms that the program adds up without a line for each.
Arithmetic explain_transformer_xl(const ExplainedCell& cell, std::string_view stage) {
    const Plan& plan = cell.plan;
    if (stage == "global_content_scores")
        return "u · k = " +
               sum_of_products(plan.parameter("u_content").row(cell.head),
                               cell.row_of(cell.compared_key(), plan.kv_head(cell.head), cell.column));
    const std::vector<double> place = projected_distance(plan, cell.head, cell.row - cell.column);
    if (stage == "content_position_scores")
        return "q · R W_r = " +
               sum_of_products(cell.row_of(cell.compared_query(), cell.head, cell.row), place);
    if (stage == "global_position_scores")
        return "v · R W_r = " + sum_of_products(plan.parameter("u_position").row(cell.head), place);
    return {};
}

}  // namespace

PositionComponent declare_positions_transformer_xl() {
    PositionComponent component;
    component.meaning =
        "q · k + q · R_(i−j) + u · k + v · R_(i−j), R sinusoids of the distance times W_r: four terms "
        "that add up (Dai et al. 2019, equation 5). Beside scores with a scale of their own "
        "(multi_token, selective) the terms of the place are added as they are";
    component.known_parameters = {
        {"W_r", "[d, D]", "projects the sinusoids of a distance, as W_k does a token"},
        {"u_content", "[h, d_k]", "u, stands in for the query where its content is not asked for"},
        {"u_position", "[h, d_k]", "v, stands in for the query where its place is not asked for"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_r", {plan.tokens.query_width, plan.query_width});
        list.add("u_content", {plan.heads, plan.head_query_width()});
        list.add("u_position", {plan.heads, plan.head_query_width()});
    };
    component.check = check_transformer_xl;
    component.acts_on_scores = true;
    component.stages = [](const Plan&, StageList& list) {
        for (const char* term :
             {"content_scores", "content_position_scores", "global_content_scores", "global_position_scores"})
            list.add_map(term);
    };
    component.copies_parameters = false;
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        const Index distances = plan.queries + plan.keys;
        const double tables = elements(plan.heads, distances, plan.head_query_width() + 1);
        const double drawn = elements(distances, plan.head_query_width(), sizeof(double));  // of one head
        return StepMemory{.kept = (tables + elements(plan.heads, plan.keys)) * needs.real + drawn};
    };
    component.declared_stages = {{"content_scores", "Scores of the content"},
                                 {"content_position_scores", "Content of the query, place of the key"},
                                 {"global_content_scores", "Content of the key alone"},
                                 {"global_position_scores", "Distance alone"},
                                 made_stage("scores", "Scores",
                                            {"",
                                             {{"content_scores"},
                                              {"content_position_scores", "+"},
                                              {"global_content_scores", "+"},
                                              {"global_position_scores", "+"}},
                                             "="})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_transformer_xl_steps(plan, pipeline); };
    component.define_scores = define_transformer_xl;
    component.explain = explain_transformer_xl;
    return component;
}

}  // namespace headlight
