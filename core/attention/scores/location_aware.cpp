#include "core/attention/scores/defined_scores.h"
#include "core/attention/scores/energy_parameters.h"
#include "core/attention/scores/energy_rows.h"
#include "core/attention/scores/history.h"
#include "core/attention/work.h"

#include <algorithm>

namespace headlight {
namespace {

Index filters_of(const Plan& plan) { return plan.score().count("filters"); }
Index width_of(const Plan& plan) { return plan.score().count("width"); }

/// f_j = sum over places t of F[., t] a[j + t - (width - 1) / 2], zeros beyond the ends: [filters, size].
template <class Real>
void convolve(const kernels::Arithmetic<Real>& by, const Real* weights, Index keys,
              MatrixView<const Real> filters, MatrixView<Real> out) {
    const Index centre = (filters.columns - 1) / 2;
    for (Index r = 0; r < filters.rows; ++r) {
        std::fill_n(out.row(r), out.columns, Real(0));
        for (Index t = 0; t < filters.columns; ++t) {
            const Index first = std::max<Index>(0, centre - t),
                        end = std::min(out.columns, keys + centre - t);
            if (first < end)
                by.add_scaled(filters(r, t), weights + (first - centre + t), end - first, out.row(r) + first);
        }
    }
}

template <class Real>
void add_location_aware_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    Operands<Real>& operands = pipeline.operands;
    const auto rows = std::make_shared<EnergyRows<Real>>(plan, operands);
    const bool is_sum = plan.score().flag("cumulative");
    const auto history = std::make_shared<History<Real>>(
        plan, operands, is_sum ? History<Real>::Kind::sum : History<Real>::Kind::last);
    project_energy_rows(plan, pipeline, rows);
    pipeline.score = [&plan, rows, history, &by = operands.arithmetic(), filter = operands.vector("F"),
                      U = operands.matrix("U")](const ScoreRow<Real>& row, const Recorder& record) {
        static thread_local std::vector<Real> features, sides;
        const Index filters = filters_of(plan), width = rows->width();
        const Real* seen = history->before(row);
        features.resize(static_cast<std::size_t>(row.size * filters));
        sides.resize(static_cast<std::size_t>(row.size * width));
        if (width > plan.attention_width)  // zeros behind each side
            std::ranges::fill(sides, Real(0));
        const MatrixView<Real> found = row_major(features.data(), filters, row.size);
        convolve(by, seen, plan.keys, row_major<const Real>(filter, filters, width_of(plan)), found);
        const MatrixView<const Real> right = rows->right(row.head).row_range(0, row.size);
        rows->multiply(found.transposed(), U, nullptr, row_major(sides.data(), row.size, width), right);
        rows->score(row, sides.data(), plan.spec.score.activation, record);
        const Index place = (row.head * plan.queries + row.query) * plan.keys;
        record.write("previous_weights", place, seen, plan.keys);
        const std::span<double> shown = record.stage("location_features");
        for (Index key = 0; key < row.size && !shown.empty(); ++key)
            for (Index r = 0; r < filters; ++r)
                shown[static_cast<std::size_t>((place + key) * filters + r)] = found(r, key);
    };
}

/// What the filters find in the weights before, as what it adds to the energy of each key.
std::function<Expression(const RowsBefore&)> define_location_aware_rows(Composer& composer) {
    const EnergyHalves halves = energy_halves(composer, composer.plan.spec.score.bias);
    const Expression v = composer.parameter("v");
    return [&composer, halves, v](const RowsBefore& before) {
        const Index m = composer.plan.keys;
        const Expression F = composer.parameter("F");
        const Index width = F.extent().columns, centre = (width - 1) / 2;
        std::vector<Expression> near;
        for (Index at = 0; at < width; ++at) {
            const Expression neighbour = composer.of_places(
                numbered("neighbour_", at), {0, m, m}, "1 where a filter reads a neighbour of a key",
                [=](Place pair) { return pair.row - pair.column + centre == at ? 1.0 : 0.0; });
            near.push_back(transposed(
                composer.let(numbered("seen_", at) + before.suffix, product(before.seen, neighbour))));
        }
        const Expression neighbours = composer.let("neighbours" + before.suffix, join_columns(near),
                                                   "the weights before around each key");
        const Expression found = composer.let("location_features" + before.suffix,
                                              product_transposed(neighbours, F), "what the filters find");
        const Expression more =
            composer.let("location_energy" + before.suffix, composer.projected(found, "U"),
                         "what the filters add to the energy");
        return define_energy_row(composer, halves, v, more, before);
    };
}

std::vector<Option> location_aware_options() {
    return {
        count_option("filters", "Filters", 4, {1, 128},
                     "How many filters read the previous row of weights around each key."),
        count_option("width", "Filter width", 3, {1, 201},
                     "How many neighbouring keys a filter sees, the key itself in the middle; of an even "
                     "number one more on the right."),
        flag_option(
            "cumulative", "Cumulative", false,
            "The filters read the sum of all rows so far, as in Tacotron 2, in place of the last row."),
        number_option(
            "sharpening", "Sharpening", 1.0, logarithmic_range(0.01, 100),
            "What the scores are multiplied by; speech recognisers use 2 to keep long rows from blurring."),
    };
}

}  // namespace

ScoreComponent declare_scores_location_aware() {
    ScoreComponent component;
    component.meaning = "v · act(q W_1 + k W_2 + f U + b), f what filters F find around each key in the "
                        "weights of the query before (Chorowski et al. 2015, equations 8 and 9; b with "
                        "\"bias\")";
    component.compares_widths = false;
    component.options = location_aware_options();
    component.known_parameters = {{"F", "[filters, width]", "the filters that read the previous weights"},
                                  {"U", "[filters, d_a]", "projects what the filters find to the energy"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        add_energy_parameters(plan, list);
        list.add("F", {filters_of(plan), width_of(plan)});
        list.add("U", {filters_of(plan), plan.attention_width});
    };
    component.check = require_finished_rows;
    component.has_activation = true;
    component.attention_width = given_attention_width;
    component.scale = [](const Plan& plan) { return plan.score().number("sharpening"); };
    component.stages = [](const Plan& plan, StageList& list) {
        list.add_map("previous_weights");
        list.add("location_features", {Axis::head, Axis::query, Axis::key, Axis::attention},
                 {plan.heads, plan.queries, plan.keys, filters_of(plan)});
    };
    component.multiply_adds = [](const Plan& plan) {
        return work_of_energies(plan) +
               work_of_pairs(plan, filters_of(plan) * (width_of(plan) + plan.attention_width));
    };
    component.is_ordered = true;
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        StepMemory memory = energy_rows_memory(plan, needs);
        memory.kept += history_memory(plan, needs);
        const Index widths = kernels::packed_size<double>(1, plan.attention_width) + filters_of(plan);
        memory.working = elements(plan.keys, widths) * needs.real;
        return memory;
    };
    component.declared_stages = {made_stage("previous_weights", "Previous weights", {},
                                            {.is_share = true, .said = "what the queries before looked at"}),
                                 {"location_features", "Location features"}};
    component.steps = [](const Plan& plan, auto& pipeline) { add_location_aware_steps(plan, pipeline); };
    component.define_rows = define_location_aware_rows;
    component.sees_sum = [](const Plan& plan) { return plan.score().flag("cumulative"); };
    return component;
}

}  // namespace headlight
