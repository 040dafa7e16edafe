#pragma once

#include "core/graph/formula_builder.h"
#include "core/graph/graph_values.h"
#include "core/graph/program.h"
#include "tests/support/attention_runs.h"

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

// Programs of formulas on small matrices, and the numbers that they give.
namespace headlight::formula_programs {

using namespace test;

/// What a formula gives: a matrix, or one for each head.
struct FormulaResult {
    Extent extent;
    std::vector<double> numbers;
};

/// From nested brackets, two or three levels of them.
inline FormulaResult formula_result(const std::string& json) {
    const Json all = Json::parse(json);
    const bool has_heads = all.at(0).at(0).is_array();
    const Json& matrix = has_heads ? all[0] : all;
    return {{has_heads ? std::ssize(all) : 0, std::ssize(matrix), std::ssize(matrix[0])}, flat(all)};
}

/// What formulas begin with here.
inline const std::vector<std::pair<std::string, std::string>> given_tensors{
    {"a", "[[1, 2, 3], [4, 5, 6]]"},
    {"b", "[[2, -1, 0.5], [-3, 4, 1]]"},
    {"c", "[[1, 2], [3, 4], [5, 6]]"},
    {"s", "[[2, 1], [1, 3]]"},
    {"u", "[[1, -2, 3]]"},
    {"w", "[[2], [5]]"},
    {"h", "[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]"},
    {"o", "[[0]]"},
    {"p", "[[1, 2, 3], [4, 5, 6], [7, 8, 9]]"},
    {"k", "[[1, 0], [2, 1], [-1, 3]]"},
    {"v", "[[1, 2], [3, 4], [5, 6]]"},
    {"i", "[[1], [2], [3]]"},
    {"j", "[[1, 2, 3]]"},
    {"head_number", "[[[1]], [[2]]]"},
};
inline const std::vector<std::pair<std::string, double>> given_numbers{{"n", 3}, {"d", 2}, {"heads", 2}};

/// A program that has the lines of a formula of two heads and three tokens.
inline Program program_of(const std::string& formula) {
    Program program;
    FormulaNames names;
    names.heads = 2;
    names.tokens = 3;
    for (const auto& [name, json] : given_tensors) {
        const FormulaResult tensor = formula_result(json);
        const bool is_of_places = name == "i" || name == "j" || name == "head_number";
        program.give({name, is_of_places ? GivenTensor::Kind::constant : GivenTensor::Kind::input,
                      tensor.extent, tensor.numbers, ""});
        names.known.push_back(name);
    }
    names.find = [&](const std::string& name) -> std::optional<Expression> {
        for (const auto& [number, value] : given_numbers)
            if (number == name)
                return Expression(value);
        return std::ranges::count(names.known, name) > 0 ? std::optional(program.tensor(name)) : std::nullopt;
    };
    build_formula(parse_formula(formula), names, program);
    return program;
}

inline FormulaResult value_of(const Program& program, const std::string& name) {
    const Graph graph(program.given(), program.parts());
    GraphValues values(graph);
    for (const GivenTensor& tensor : program.given())
        values.set(tensor.name, tensor.numbers.all());
    values.run();
    const auto numbers = values.of(name);
    return {program.tensor(name).extent(), {numbers.begin(), numbers.end()}};
}

/// The numbers of the line `z`, also where that is a name for a number, or true and false.
inline FormulaResult z_of(const std::string& formula) {
    return value_of(program_of(formula + "\nof_z = z + o"), "of_z");
}

inline void expect_result(const FormulaResult& found, const FormulaResult& expected,
                          double tolerance = 1e-12) {
    EXPECT_EQ(found.extent, expected.extent)
        << to_string(found.extent) << ", expected " << to_string(expected.extent);
    EXPECT_TRUE(near(found.numbers, expected.numbers, tolerance));
}

/// Lines of which one gives `z`, and what it is.
struct Row {
    const char* name;
    const char* formula;
    const char* expected;
};
inline void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

}  // namespace headlight::formula_programs
