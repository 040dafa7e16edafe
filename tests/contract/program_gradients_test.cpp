// Every mechanism's program, differentiated: the gradient of its output with respect to its token vectors and
// parameters is what small changes of these make of it. What gets none says why, by its operations alone.

#include "core/catalog/mechanism.h"
#include "core/graph/differentiate.h"
#include "core/graph/graph_values.h"
#include "core/io/mechanism_example.h"
#include "core/io/program_file.h"
#include "core/io/session_run.h"
#include "tests/support/rounding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <random>

namespace headlight::program_gradients_test { namespace {

using Numbers = std::vector<double>;

Session small_session(const Mechanism& mechanism) {
    Session session = mechanism_example(mechanism);
    session.sequence.vectors.dimension = 16;
    return session;
}

/// A program as a layer that learns has it: its graph once, its numbers for each run.
class Layer {
public:
    explicit Layer(const Program& program)
        : graph(program.given(), program.parts()), output(graph.step_of("output")), values(graph),
          differentiation(graph), generator(29) {
        // Words that occur twice are equal vectors, and a ReLU may be shut for all of them: kinks and zeros,
        // where differences show nothing. Noise tells them apart.
        std::normal_distribution<double> noise(0, 0.3);
        for (const GivenTensor& tensor : program.given()) {
            numbers.push_back(tensor.numbers.all());
            if (tensor.kind != GivenTensor::Kind::constant)
                for (double& number : numbers.back())
                    number += noise(generator);
        }
        for (std::size_t i = 0; i < numbers.size(); ++i)
            values.set(program.given()[i].name, numbers[i]);
        weights.resize(static_cast<std::size_t>(graph.steps()[output].extent.size()));
        std::ranges::generate(weights, [&] { return noise(generator); });
    }
    Layer(const Layer&) = delete;
    Layer& operator=(const Layer&) = delete;

    /// A number that follows from the output: the sum of it times `weights`.
    double result() {
        values.run();
        const auto numbers_of_output = values.of(output);
        double sum = 0;
        for (std::size_t i = 0; i < weights.size(); ++i)
            sum += weights[i] * numbers_of_output[i];
        return sum;
    }
    void differentiate() {
        values.run();
        differentiation.run(values, output, weights);
    }

    Graph graph;
    std::size_t output;
    std::vector<Numbers> numbers;  ///< of each given tensor
    GraphValues values;
    Differentiation differentiation;
    Numbers weights;
    std::mt19937 generator;
};

constexpr double step_of_differences = 1e-5;

double slope(Layer& layer, double& number) {
    const double before = number, change = step_of_differences * std::max(1.0, std::abs(before));
    number = before + change;
    const double above = layer.result();
    number = before - change;
    const double below = layer.result();
    number = before;
    return (above - below) / (2 * change);
}

void print_stopped(const Mechanism& mechanism, const char* stage, const StoppedGradient& stopped) {
    for (const std::string& reason : stopped.reasons)
        std::cout << mechanism.id << ": " << stage << " and " << stopped.tensor << ", " << reason << '\n';
}

class ProgramGradients : public testing::TestWithParam<const Mechanism*> {};

TEST_P(ProgramGradients, AreDifferences) {
    constexpr int samples = 3;
    const Program program = session_program(small_session(*GetParam()));
    Layer layer(program);
    layer.differentiate();
    // What magnifies its rounding is more uncertain by as much.
    constexpr double magnified_rounding = 1e-11;
    const bool is_magnified = test::magnifies_rounding(build_spec(*GetParam(), {}));
    const double size = std::max(1.0, std::abs(layer.result()));
    const double uncertain = size * (is_magnified ? magnified_rounding / step_of_differences : 1e-9);
    for (std::size_t i = 0; i < layer.numbers.size(); ++i) {
        const GivenTensor& tensor = program.given()[i];
        if (tensor.kind == GivenTensor::Kind::constant)
            continue;
        const auto gradient = layer.differentiation.of(tensor.name);
        const auto largest =
            std::ranges::max_element(gradient, {}, [](double number) { return std::abs(number); }) -
            gradient.begin();
        std::uniform_int_distribution<Index> any(0, std::ssize(gradient) - 1);
        for (int sample = 0; sample < samples; ++sample) {
            const auto at = static_cast<std::size_t>(sample == 0 ? largest : any(layer.generator));
            const double difference = slope(layer, layer.numbers[i][at]);
            EXPECT_NEAR(gradient[at], difference, uncertain + 1e-6 * std::abs(difference))
                << tensor.name << ", number " << at;
        }
    }
    for (const StoppedGradient& stopped : stopped_gradients(layer.graph, layer.output)) {
        for (const double number : layer.differentiation.of(stopped.tensor))
            EXPECT_EQ(number, 0) << stopped.tensor;
        print_stopped(*GetParam(), "output", stopped);
    }
    for (const StoppedGradient& stopped : stopped_gradients(layer.graph, layer.graph.step_of("weights")))
        print_stopped(*GetParam(), "weights", stopped);
}

/// The largest distance of numbers from those of a trace, over their size; infinite where one of them is no
/// number and the other is not the same.
double distance(std::span<const double> numbers, std::span<const double> traced) {
    double largest = 0;
    for (std::size_t at = 0; at < numbers.size(); ++at) {
        if (numbers[at] == traced[at])
            continue;
        if (!std::isfinite(numbers[at]) || !std::isfinite(traced[at]))
            return std::numeric_limits<double>::infinity();
        largest = std::max(largest, std::abs(numbers[at] - traced[at]) / std::max(1.0, std::abs(traced[at])));
    }
    return largest;
}

TEST_P(ProgramGradients, FollowFromTheNumbersOfTheTrace) {
    const Session session = small_session(*GetParam());
    const Program program = session_program(session);
    const Trace trace = run_session(session).trace;
    const Graph graph(program.given(), program.parts());
    GraphValues values(graph);
    for (const GivenTensor& tensor : program.given())
        values.set(tensor.name, tensor.numbers.all());
    values.run();
    int compared = 0;
    for (const ProgramPart& part : program.parts())
        for (const ProgramLine& line : part.assignments) {
            const Stage* stage = trace.find(line.name);
            const auto numbers = values.of(line.name);
            if (!stage || stage->is_lazy || stage->size() != std::ssize(numbers))
                continue;
            EXPECT_LT(distance(numbers, trace.values(*stage)), 1e-9) << line.name;
            ++compared;
        }
    EXPECT_GT(compared, 1);
}

std::vector<const Mechanism*> all_mechanisms() {
    std::vector<const Mechanism*> all;
    for (const Mechanism& mechanism : mechanisms())
        all.push_back(&mechanism);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, ProgramGradients, testing::ValuesIn(all_mechanisms()),
                         [](const auto& row) { return std::string(row.param->id); });

}}  // namespace headlight::program_gradients_test
