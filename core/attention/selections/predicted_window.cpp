#include "core/attention/component.h"
#include "core/attention/factor_products.h"
#include "core/attention/selected_keys.h"
#include "core/attention/selections/kept_pairs.h"
#include "core/attention/selections/window_shape.h"
#include "core/attention/sigmoid.h"

#include <cmath>

namespace headlight {
namespace {

double radius(const Plan& plan) { return static_cast<double>(plan.selection().count("radius")); }

double sigma(const Plan& plan) {
    const double given = plan.selection().number("sigma");
    return given > 0 ? given : standard_sigma(radius(plan));
}

/// S of the formula: padding is no place to look at.
double source_length(const Plan& plan) {
    const auto real = real_keys(plan);
    return static_cast<double>(real.rend() - std::ranges::find(real.rbegin(), real.rend(), 1));
}

/// Columns of W_p: as many as a given one has, else the query's width.
Index energy_width(const Plan& plan, const Tensor* given) {
    return given && given->rank() == 2 ? given->cols() : plan.head_query_width();
}

/// The same, before parameters are drawn as well.
Index energy_width(const Plan& plan) {
    const auto given = plan.inputs.parameters.find("W_p");
    return energy_width(plan, given == plan.inputs.parameters.end() ? nullptr : &given->second);
}

template <class Real>
void add_predicted_window_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const auto centres =
        std::make_shared<std::vector<double>>(static_cast<std::size_t>(plan.heads * plan.queries));  // [h, n]
    const auto& operands = pipeline.operands;
    const double length = source_length(plan), reach = radius(plan), width = sigma(plan);

    pipeline.prepare.push_back([=, &plan, &operands](Index head, const Recorder& record) {
        const Tensor& W_p = plan.parameter("W_p");
        const Tensor& v_p = plan.parameter("v_p");
        const Index d = plan.head_query_width();
        const auto& kernels = kernels::table<double>(kernels::chosen_level());
        FactorProducts products;
        products.set_right(W_p.view());
        Tensor hidden({std::min(plan.queries, FactorProducts::rows_at_once), W_p.cols()});
        kernels::for_each_part(plan.queries, hidden.rows(), [&](Index first, Index count) {
            products.multiply(operands.query().row_range(first, count).column_range(head * d, d), false,
                              hidden.view().row_range(0, count));
            for (Index i = 0; i < count; ++i) {
                double* energy = hidden.view().row(i);
                kernels.activate(Activation::tanh, energy, W_p.cols());
                const double opening = dot(energy, v_p.data(), W_p.cols());
                const Index at = head * plan.queries + first + i;
                double& centre = (*centres)[static_cast<std::size_t>(at)];
                centre = length * sigmoid(opening);
                record.write("centre_energy", at * W_p.cols(), energy, W_p.cols());
                record.write("centres", at, &centre, 1);
            }
        });
    });

    pipeline.select.push_back([=, &plan](const ScoreRow<Real>& row, const Recorder& record) {
        const Index at = row.head * plan.queries + row.query;
        const double centre = (*centres)[static_cast<std::size_t>(at)];
        const bool shows_gaussian = record.wants("gaussian");
        for (Index key = 0; shows_gaussian && key < plan.keys; ++key) {
            const double factor = window_factor(centre, width, key);
            record.write("gaussian", at * plan.keys + key, &factor, 1);
        }
        forbid_outside_window(centre, reach, row.values, row.size);
    });

    pipeline.after_normalize.push_back([=, &plan](const ScoreRow<Real>& row, const Recorder& record) {
        const Index at = row.head * plan.queries + row.query;
        const double centre = (*centres)[static_cast<std::size_t>(at)];
        record.write("windowed_weights", at * plan.keys, row.values, row.size);
        for (Index key = 0; key < row.size; ++key)
            if (row.values[key] != 0)  // far away exp() takes longest to find its 0
                row.values[key] *= static_cast<Real>(window_factor(centre, width, key));
    });
}

/// Where each query expects to look, [h, n, 1].
Expression expected_places(Composer& composer) {
    if (composer.program.has("centres"))
        return composer.program.tensor("centres");
    const double length = source_length(composer.plan);
    const Expression hidden =
        composer.let("centre_energy", tanh_of(composer.projected(composer.plain_query, "W_p")));
    return composer.let("centres", length * sigmoid_of(product_transposed(hidden, composer.parameter("v_p"))),
                        "where each query expects to look");
}

std::optional<Expression> define_predicted_window(Composer& composer, const Expression&) {
    const Expression away = absolute_of(composer.key_places() - expected_places(composer));
    return and_allowed(composer, is_at_least(radius(composer.plan), away));
}

Expression define_faded_window(Composer& composer, const Expression& weights) {
    const double width = sigma(composer.plan);
    const Expression away = composer.key_places() - expected_places(composer);
    const Expression gaussian = composer.let("gaussian", exp_of(power_of(away, 2) / (-2 * width * width)),
                                             "what is left of a weight so far from that place");
    return weights * gaussian;
}

}  // namespace

SelectionComponent declare_selections_predicted_window() {
    SelectionComponent component;
    component.meaning =
        "keys with |j − p| ≤ radius around a place p = S sigmoid(v_p · tanh(q W_p)) that the query predicts, "
        "S the number of keys up to the last that some query may see; the weights are multiplied by exp(−(j "
        "− p)² / (2 σ²)) and not normalised again, so that rows sum to less than 1 (local-p, Luong et al. "
        "2015). The place follows from the query as it was projected, where other selections compare queries "
        "and keys after their norm and rotation";
    component.options = {
        count_option("radius", "Radius", 2, {1, 65536},
                     "D: how far from p the window reaches, 2 D keys or 2 D + 1; the paper has 10."),
        number_option(
            "sigma", "Sigma", 0.0, {0, 1000},
            "Width of the Gaussian; the larger, the flatter, until the row is the softmax over the window.",
            "half the radius")};
    component.known_parameters = {
        {"W_p", "[d_q, d_q] per head, shared by the heads", "projects a query to the energy of its place"},
        {"v_p", "[d_q]", "weighs the energy of a place to one number"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = energy_width(plan, list.given("W_p"));
        list.add("W_p", {plan.head_query_width(), width});
        list.add("v_p", {width});
    };
    component.stages = [](const Plan& plan, StageList& list) {
        list.add_vectors("centre_energy", Axis::query, energy_width(plan));
        list.add_column("centres");
        list.add_map("gaussian");
        list.add_map("windowed_weights");
    };
    component.copies_parameters = false;
    component.memory = [](const Plan& plan, const RunNeeds&) {
        const Index d = plan.head_query_width(), width = energy_width(plan);
        const Index rows = std::min(plan.queries, FactorProducts::rows_at_once);
        // A run in float copies as many rows of queries to double as well, which is not counted.
        const double factors = elements(rows, width) + FactorProducts::packed_numbers(d, width);
        return StepMemory{.kept = elements(plan.heads, plan.queries, sizeof(double)),
                          .working = factors * sizeof(double)};
    };
    component.declared_stages = {
        {"centre_energy", "Energy of the centres"},
        {"centres", "Predicted centres"},
        made_stage("gaussian", "Gaussian", {}, {.is_share = true, .leaves_out_masked = true}),
        made_stage("windowed_weights", "Softmax over the window", {},
                   {.form_of = "weights",
                    .colours_of = "weights",
                    .role = StageRole::weights,
                    .is_share = true,
                    .leaves_out_masked = true}),
        made_stage("weights", "Weights",
                   {"softmax over the window × Gaussian", {{"windowed_weights"}, {"gaussian", "∘"}}, "="})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_predicted_window_steps(plan, pipeline); };
    component.define = define_predicted_window;
    component.define_faded = define_faded_window;
    return component;
}

}  // namespace headlight
