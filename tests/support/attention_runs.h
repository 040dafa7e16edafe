#pragma once

// What the contract tests share: making inputs, running specs, comparing rows of numbers readably.

#include "core/attention/executor.h"
#include "core/attention/plan.h"
#include "core/attention/spec_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace headlight::test {

using Json = nlohmann::json;
using RandomEngine = std::mt19937_64;

/// The numbers of one run, as double whatever it ran in.
struct Numbers {
    std::vector<double> weights;  ///< [head, query, key]
    std::vector<double> output;   ///< [query, d_out]
};

inline AttentionSpec spec(const std::string& json) { return spec_from_json(Json::parse(json)); }

inline std::shared_ptr<const Plan> planned(const AttentionSpec& spec, const Inputs& inputs,
                                           std::uint64_t seed = 1) {
    return std::make_shared<const Plan>(plan(spec, inputs, {.seed = seed}));
}

template <class Real = double>
Numbers run(const std::shared_ptr<const Plan>& plan) {
    Executor<Real> executor(plan);
    executor.run();
    return {{executor.weights().begin(), executor.weights().end()},
            {executor.output().begin(), executor.output().end()}};
}

template <class Real = double>
Numbers run(const AttentionSpec& spec, const Inputs& inputs, std::uint64_t seed = 1) {
    return run<Real>(planned(spec, inputs, seed));
}

/// A recorded stage's numbers; a failed test and nothing when it was not recorded.
inline std::vector<double> stage(const Trace& trace, const std::string& name) {
    const Stage* found = trace.find(name);
    if (!found) {
        ADD_FAILURE() << "the trace has no stage " << name;
        return {};
    }
    const auto values = trace.values(*found);
    return {values.begin(), values.end()};
}

/// What an example says about one stage: all of its numbers, or the first ones of one row of one head.
struct Expectation {
    std::string stage;
    std::optional<Index> row;
    std::vector<double> numbers;
    double tolerance;
};

inline Tensor random_tensor(Shape shape, RandomEngine& random, double scale = 0.7) {
    std::normal_distribution<double> normal(0, scale);
    Tensor tensor(std::move(shape));
    for (double& value : tensor.values())
        value = normal(random);
    return tensor;
}

inline Tensor identity(Index width) {
    Tensor tensor({width, width});
    for (Index i = 0; i < width; ++i)
        tensor(i, i) = 1;
    return tensor;
}

inline Tensor transposed(const Tensor& matrix) {
    Tensor result({matrix.cols(), matrix.rows()});
    for (Index r = 0; r < matrix.rows(); ++r)
        for (Index c = 0; c < matrix.cols(); ++c)
            result(c, r) = matrix(r, c);
    return result;
}

inline Tensor product(const Tensor& a, const Tensor& b) {
    Tensor result({a.rows(), b.cols()});
    for (Index r = 0; r < a.rows(); ++r)
        for (Index c = 0; c < b.cols(); ++c)
            for (Index i = 0; i < a.cols(); ++i)
                result(r, c) += a(r, i) * b(i, c);
    return result;
}

inline std::vector<double> times(std::vector<double> numbers, double factor) {
    for (double& number : numbers)
        number *= factor;
    return numbers;
}
inline Tensor times(Tensor tensor, double factor) {
    for (double& number : tensor.values())
        number *= factor;
    return tensor;
}

/// The rows of `matrix` that `order` names, in that order.
inline Tensor rows_of(const Tensor& matrix, const std::vector<Index>& order) {
    Tensor result({std::ssize(order), matrix.cols()});
    for (std::size_t r = 0; r < order.size(); ++r)
        std::ranges::copy(matrix.row(order[r]), result.row(static_cast<Index>(r)).begin());
    return result;
}

inline Tensor columns_of(const Tensor& matrix, Index first, Index count) {
    Tensor result({matrix.rows(), count});
    for (Index r = 0; r < matrix.rows(); ++r)
        for (Index c = 0; c < count; ++c)
            result(r, c) = matrix(r, first + c);
    return result;
}

/// a's columns, then b's.
inline Tensor side_by_side(const Tensor& a, const Tensor& b) {
    Tensor result({a.rows(), a.cols() + b.cols()});
    for (Index r = 0; r < a.rows(); ++r) {
        std::ranges::copy(a.row(r), result.row(r).begin());
        std::ranges::copy(b.row(r), result.row(r).begin() + a.cols());
    }
    return result;
}

/// a's rows, then b's.
inline Tensor stacked(const Tensor& a, const Tensor& b) {
    return transposed(side_by_side(transposed(a), transposed(b)));
}

/// Every number within `tolerance` of the expected one.
inline testing::AssertionResult within(std::span<const double> got, std::span<const double> expected,
                                       double tolerance) {
    if (got.size() != expected.size())
        return testing::AssertionFailure() << got.size() << " numbers, expected " << expected.size();
    for (std::size_t i = 0; i < got.size(); ++i)
        if (!(std::abs(got[i] - expected[i]) <= tolerance))
            return testing::AssertionFailure() << "number " << i << " of " << got.size() << " is " << got[i]
                                               << ", expected " << expected[i] << " within " << tolerance;
    return testing::AssertionSuccess();
}

/// within(), relative to the larger of 1 and the largest expected number.
inline testing::AssertionResult near(std::span<const double> got, std::span<const double> expected,
                                     double tolerance) {
    double scale = 1;
    for (const double value : expected)
        scale = std::max(scale, std::abs(value));
    return within(got, expected, tolerance * scale);
}

inline testing::AssertionResult near(const Numbers& got, const Numbers& expected, double tolerance) {
    if (auto weights = near(got.weights, expected.weights, tolerance); !weights)
        return weights << " in the weights";
    return near(got.output, expected.output, tolerance) << " in the output";
}

inline testing::AssertionResult meets(const Trace& trace, const Expectation& expected) {
    std::vector<double> numbers = stage(trace, expected.stage);
    if (expected.row) {
        const Index width = trace.find(expected.stage)->shape.back();
        numbers.erase(numbers.begin(), numbers.begin() + *expected.row * width);
        numbers.resize(expected.numbers.size());
    }
    return within(numbers, expected.numbers, expected.tolerance) << " in " << expected.stage;
}

/// Numbers of any nesting, flattened in reading order.
inline std::vector<double> flat(const Json& json) {
    if (json.is_number())
        return {json.get<double>()};
    std::vector<double> numbers;
    for (const Json& each : json)
        for (const double value : flat(each))
            numbers.push_back(value);
    return numbers;
}

/// A vector or matrix from nested arrays.
inline Tensor tensor(const Json& json) {
    const Index rows = std::ssize(json);
    if (rows > 0 && json[0].is_array())
        return Tensor({rows, std::ssize(json[0])}, flat(json));
    return Tensor({rows}, flat(json));
}

/// What a row asks the engine with, `inputs` and `parameters` as the generators of such rows write them.
inline Inputs golden_inputs(const Json& row) {
    Inputs inputs;
    inputs.query = tensor(row["inputs"]["query"]);
    if (row["inputs"].contains("key"))
        inputs.key = tensor(row["inputs"]["key"]);
    if (row["inputs"].contains("value"))
        inputs.value = tensor(row["inputs"]["value"]);
    for (const auto& [name, numbers] : row["parameters"].items())
        inputs.parameters[name] = tensor(numbers);
    return inputs;
}

inline Tensor as_matrix(const Tensor& tensor) {
    if (tensor.rank() == 2)
        return tensor;
    return Tensor({1, tensor.size()}, {tensor.values().begin(), tensor.values().end()});
}

inline Json read_json(const std::string& path) {
    std::ifstream file(path);
    if (!file)
        throw std::runtime_error("cannot open " + path);
    return Json::parse(file);
}

}  // namespace headlight::test
