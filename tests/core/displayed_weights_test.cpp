// Norms of what keys give in place of weights: where they are known, what pictures say of them, and maps that
// are read lazily.

#include "core/analysis/displayed_weights.h"
#include "core/analysis/head_statistics.h"
#include "core/analysis/value_norms.h"
#include "core/attention/executor.h"
#include "core/catalog/mechanism.h"
#include "core/figure/build_figure.h"
#include "core/io/mechanism_example.h"
#include "core/io/session_capture.h"
#include "core/io/session_run.h"
#include "core/io/trace_file.h"
#include "core/map/lazy_run.h"
#include "core/map/trace_maps.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headlight::displayed_weights_test {

using namespace test;

namespace {

Session with_heads(const char* mechanism, Index heads) {
    Session session = example_session();
    session.mechanism = mechanism;
    session.values["heads"] = heads;
    return session;
}

ViewSettings norms_in(ViewKind view) {
    ViewSettings settings;
    settings.view = view;
    settings.weights = DrawnWeights::value_norms;
    return settings;
}

/// |A_ij v_j W_o^h| by the definition, one number after another; without W_o where there is none.
double norm_of(const Trace& trace, Index head, Index query, Index key) {
    const Stage &weights = *trace.find("weights"), &value = *trace.find("value");
    const Index heads = weights.extent(Axis::head), groups = value.extent(Axis::head),
                width = value.shape.back();
    const double weight =
        trace.matrix(weights, head)[static_cast<std::size_t>(query * weights.shape.back() + key)];
    const auto values = trace.matrix(value, head / (heads / groups));
    const Tensor* matrix = trace.parameter_at("", "W_o");
    double squares = 0;
    for (Index to = 0; to < (matrix ? matrix->cols() : width); ++to) {
        double number = 0;
        for (Index from = 0; from < width; ++from)
            number += weight * values[static_cast<std::size_t>(key * width + from)] *
                      (matrix       ? (*matrix)(head * width + from, to)
                       : from == to ? 1.0
                                    : 0.0);
        squares += number * number;
    }
    return std::sqrt(squares);
}

TEST(ValueNorms, AreDrawnInPlaceOfWeights) {
    for (const char* mechanism : {"multi_head", "grouped_query"}) {
        const Trace trace = run_session(with_heads(mechanism, 4)).trace;
        const Figure figure = build_figure(trace, norms_in(ViewKind::grid));
        ASSERT_EQ(figure.panels.size(), 4u);
        double largest = 0;
        for (const Panel& panel : figure.panels)
            for (Index row = 0; row < panel.rows; ++row)
                for (Index column = 0; column < panel.columns; ++column) {
                    const double expected = norm_of(trace, panel.head, row, column);
                    largest = std::max(largest, expected);
                    EXPECT_NEAR(panel.values[static_cast<std::size_t>(row * panel.columns + column)],
                                expected, 1e-12);
                }
        EXPECT_NEAR(figure.panels.front().scale.high, largest, 1e-12) << "one scale for all heads";
        EXPECT_EQ(figure.panels.front().scale.low, 0);
        EXPECT_TRUE(figure.panels.front().row_sums.empty()) << "norms do not sum to 1, and need not";
        EXPECT_EQ(figure.bar_title, "norm");
        EXPECT_NE(figure.title.find("value-weighted norms"), std::string::npos) << figure.title;
        EXPECT_NE(figure.caption.find("Norm of each weight times its value times Wₒ"), std::string::npos)
            << figure.caption;
    }
}

TEST(ValueNorms, OfAMechanismWithoutOutputMatrixAreThoseOfTheValues) {
    Session session = example_session();
    session.mechanism = "scaled_dot_product";
    const Trace trace = run_session(session).trace;
    ASSERT_FALSE(trace.parameter_at("", "W_o"));
    const Figure figure = build_figure(trace, norms_in(ViewKind::heatmap));
    const Panel& panel = figure.panels.front();
    EXPECT_NEAR(panel.values[static_cast<std::size_t>(2 * panel.columns + 1)], norm_of(trace, 0, 2, 1),
                1e-12);
    EXPECT_EQ(panel.title, "Value-weighted norms");
    EXPECT_EQ(panel.subtitle, "norm of weight × value");
    EXPECT_NE(figure.caption.find("Norm of each weight times its value (Kobayashi"), std::string::npos)
        << figure.caption;
}

TEST(ValueNorms, AreThoseOfTheSessionInItsTrace) {
    const Trace trace = run_session(with_heads("multi_head", 2)).trace;
    const ViewSettings settings = norms_in(ViewKind::heatmap);
    const std::vector<double> expected = build_figure(trace, settings).panels.front().values.copy();
    for (const Trace& read : {parse_trace_json(write_trace_json(trace)),
                              parse_trace_safetensors(write_trace_safetensors(trace))}) {
        const Figure figure = build_figure(read, settings);
        EXPECT_EQ(figure.panels.front().values.copy(), expected);
        EXPECT_NE(figure.caption.find("times Wₒ (Kobayashi"), std::string::npos) << figure.caption;
    }
}

TEST(ValueNorms, WithoutTheMatrixThatThereWasAreRefused) {
    Trace trace = run_session(with_heads("multi_head", 2)).trace;
    trace.parameters.clear();  // as a trace that an older version has written
    expect_refusal([&] { build_figure(trace, norms_in(ViewKind::heatmap)); },
                   {"draw value-weighted norms", "W_o", "session"});
}

// A context that is more than weights times values has no such norms, and one that is not is given them: the
// trace tells which.
TEST(ValueNorms, AreOfContextsThatAreWeightsTimesValues) {
    Index refused = 0;
    for (const Mechanism& each : mechanisms()) {
        const Trace trace = run_session(mechanism_example(each)).trace;
        const Stage *weights = trace.find("weights"), *value = trace.find("value"),
                    *context = trace.find("context");
        const bool has_values = weights && value && context && value->shape.back() == context->shape.back() &&
                                value->has_axis(Axis::key) && weights->heads() % value->heads() == 0;
        const bool is_scaled_by_one = each.id == "head_scale";  // until it has learned
        if (!has_values || is_scaled_by_one)
            continue;
        bool is_sum = !trace.find("gate");
        const Index keys = weights->shape.back(), width = value->shape.back();
        for (Index head = 0; head < weights->heads(); ++head) {
            const auto map = trace.matrix(*weights, head), contexts = trace.matrix(*context, head);
            const auto values = trace.matrix(*value, head / (weights->heads() / value->heads()));
            for (std::size_t cell = 0; cell < contexts.size(); ++cell) {
                const Index query = static_cast<Index>(cell) / width,
                            feature = static_cast<Index>(cell) % width;
                double sum = 0;
                for (Index key = 0; key < keys; ++key)
                    sum += map[static_cast<std::size_t>(query * keys + key)] *
                           values[static_cast<std::size_t>(key * width + feature)];
                is_sum = is_sum && std::abs(sum - contexts[cell]) < 1e-9;
            }
        }
        EXPECT_EQ(value_norms_lack(trace, "").empty(), is_sum)
            << each.id << ": " << value_norms_lack(trace, "");
        refused += !is_sum;
    }
    EXPECT_GE(refused, 6);
}

TEST(ValueNorms, AreLengthsOfVectorsOfAnySize) {
    for (const double size : {1e-300, 1e-160, 1.0, 1e160, 1e300}) {
        const Tensor values({1, 1, 2}, {3 * size, 4 * size});
        EXPECT_DOUBLE_EQ(norms_of_keys(values)[0], 5 * size);
    }
}

TEST(ValueNorms, OfWeightsAloneAreRefused) {
    const Trace trace =
        captured_traces({.file = HEADLIGHT_SOURCE_DIR "/tests/support/captures/causal.npz"}).trace;
    EXPECT_FALSE(value_norms_lack(trace, trace.stages().front().site).empty());
    for (const ViewKind kind :
         {ViewKind::heatmap, ViewKind::grid, ViewKind::statistics, ViewKind::model_grid})
        expect_refusal([&] { build_figure(trace, norms_in(kind)); },
                       {"draw value-weighted norms", "values of the keys are not known"});
}

TEST(ValueNorms, AreWhatStatisticsCountAndKeysAreHiddenFrom) {
    const auto trace = std::make_shared<const Trace>(run_session(with_heads("multi_head", 2)).trace);
    const Stage& weights = *trace->find("weights");
    const Index queries = weights.extent(Axis::query), keys = weights.extent(Axis::key);
    const auto maps = seen_maps(trace, nullptr, {DrawnWeights::value_norms, {1}});
    const HeadNumbers numbers = statistics_of(maps.front(), {0, 1});
    double first = 0, hidden = 0;
    for (Index query = 0; query < queries; ++query) {
        double whole = 0;
        for (Index key = 0; key < keys; ++key)
            whole += norm_of(*trace, 1, query, key);
        if (query != 1)  // of one text: what is hidden asks no more either
            first += norm_of(*trace, 1, query, 0) / (whole - norm_of(*trace, 1, query, 1));
        hidden += norm_of(*trace, 1, query, 1) / whole;
    }
    EXPECT_NEAR(*numbers[*find_statistic("first_token")], first / static_cast<double>(queries - 1), 1e-12);
    EXPECT_NEAR(*numbers[*find_statistic("hidden")], hidden / static_cast<double>(queries), 1e-12);
}

TEST(ValueNorms, OfALazyRunAreThoseOfAFullOne) {
    const Session session = with_heads("multi_head", 2);
    const auto planned = [&](Keeps keeps) {
        return std::make_shared<const Plan>(
            plan(session_spec(session), session_inputs(session), {.seed = 1, .keeps = keeps}));
    };
    const Trace lazy = record_lazy(planned(Keeps::rows)), full = record(planned(Keeps::trace));
    const Stage& weights = *lazy.find("weights");
    ASSERT_TRUE(weights.is_large());
    const WeightLens lens{DrawnWeights::value_norms, {0}};
    const auto tiles = DisplayedWeights(lazy, "", lens).tiles(weights);
    EXPECT_EQ(tiles, DisplayedWeights(lazy, "", lens).tiles(weights)) << "every picture has the same tiles";
    EXPECT_NE(tiles, DisplayedWeights(lazy, "", {DrawnWeights::raw, {0}}).tiles(weights));
    const Index keys = weights.extent(Axis::key);
    std::vector<double> row(static_cast<std::size_t>(keys));
    tiles->maps()->read_rows({lazy.lazy_maps(weights).origin().layer, 1}, 2, 1, row);
    const Storage<const double> expected =
        DisplayedWeights(full, "", lens).rows(*full.find("weights"), 1, 2, 1).weights;
    ASSERT_EQ(expected.size(), row.size());
    EXPECT_TRUE(std::isnan(row[0]));
    for (std::size_t key = 1; key < row.size(); ++key)
        EXPECT_DOUBLE_EQ(row[key], expected[key]);
}

TEST(ValueNorms, AreKeptWithASession) {
    Session session = example_session();
    session.figure.weights = DrawnWeights::value_norms;
    std::string text = write_session(session);
    EXPECT_EQ(parse_session(text).figure.weights, DrawnWeights::value_norms);
    text.replace(text.find("value_norms"), 11, "value_norm?");
    expect_refusal([&] { parse_session(text); }, {"weights", "raw"});
    EXPECT_EQ(write_session(example_session()).find("\"weights\": \"raw\""), std::string::npos);
}

}  // namespace

}  // namespace headlight::displayed_weights_test
