#pragma once

// One row for each case of the reference numbers: which tensors of the case are the inputs, which spec they
// run through, which of its numbers must come out.

#include "tests/oracle/oracle.h"
#include "tests/support/attention_runs.h"

#include <functional>

namespace headlight::test {

/// A tensor of a case: where it stands in the case, or how it comes out of what stands there.
using Operand = std::function<Tensor(const Json& fixture)>;

inline Operand at(const std::string& pointer) {
    return [=](const Json& fixture) { return tensor(fixture.at(Json::json_pointer(pointer))); };
}
inline Operand row_at(const std::string& pointer) {
    return [=](const Json& fixture) { return as_matrix(at(pointer)(fixture)); };
}
inline Operand column_at(const std::string& pointer) {
    return [=](const Json& fixture) { return transposed(row_at(pointer)(fixture)); };
}
/// Stored (out, in) there, (in, out) here.
inline Operand transposed_at(const std::string& pointer) {
    return [=](const Json& fixture) { return transposed(at(pointer)(fixture)); };
}
inline Operand beside(Operand left, Operand right) {
    return [=](const Json& fixture) { return side_by_side(left(fixture), right(fixture)); };
}
inline Operand literal(const std::string& json) {
    return [=](const Json&) { return tensor(Json::parse(json)); };
}
inline Operand unit(Index width) {
    return [=](const Json&) { return identity(width); };
}
inline Operand filled(Shape shape, double value) {
    return [=](const Json&) { return Tensor(shape, value); };
}
/// 0, 1, 2, ... by rows.
inline Operand counting(Shape shape) {
    return [=](const Json&) {
        Tensor numbers(shape);
        for (Index i = 0; i < numbers.size(); ++i)
            numbers[i] = static_cast<double>(i);
        return numbers;
    };
}

struct Check {
    std::string stage;
    std::string pointer;                ///< of the numbers in the case
    std::optional<Index> row = {};      ///< one row of the stage; all of it if absent
    std::optional<double> within = {};  ///< the case's tolerance if absent
};

struct Row {
    std::string name;
    std::string fixture;  ///< id of a published case, or of a derived one
    std::string spec;
    std::map<std::string, Operand> operands;  ///< query, key, value and parameters
    std::vector<Check> checks;
    std::string mask = {};  ///< pointer to an explicit mask in the case
    double oracle_within = 1e-12;
};

inline void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

/// Runs the row and compares, engine and oracle; `tolerance` where a check has none of its own.
inline void check(const Row& row, const Json& fixture, double tolerance) {
    AttentionSpec spec = test::spec(row.spec);
    if (!row.mask.empty())
        spec.mask = mask_from_json(
            {{"type", "matrix"}, {"allowed", fixture.at(Json::json_pointer(row.mask))}}, "mask");
    Inputs inputs;
    for (const auto& [name, operand] : row.operands) {
        if (name == "query")
            inputs.query = operand(fixture);
        else if (name == "key")
            inputs.key = operand(fixture);
        else if (name == "value")
            inputs.value = operand(fixture);
        else
            inputs.parameters[name] = operand(fixture);
    }
    const auto plan = planned(spec, inputs);
    const Trace trace = record(plan);
    for (const Check& each : row.checks)
        EXPECT_TRUE(meets(trace, {each.stage, each.row, flat(fixture.at(Json::json_pointer(each.pointer))),
                                  each.within.value_or(tolerance)}))
            << each.pointer;
    const OracleResult oracle = scalar_oracle(plan->spec, plan->inputs, plan->seed);
    EXPECT_TRUE(near({oracle.weights, oracle.output}, run(plan), row.oracle_within)) << "oracle";
}

/// Empty when this machine has none.
inline std::string shared_folder() {
    const char* folder = std::getenv("HEADLIGHT_SHARED");
    return folder ? folder : "";
}

inline const Json& fixtures() {
    static const Json file = read_json(shared_folder() + "/reference/fixtures.json");
    return file;
}

inline const Json& by_id(const Json& list, const std::string& id) {
    for (const Json& each : list)
        if (each["id"] == id)
            return each;
    throw std::runtime_error("no fixture " + id);
}

/// A row of the published cases; skipped by name where the collection is not.
inline void check_published(const Row& row) {
    if (shared_folder().empty())
        GTEST_SKIP() << "HEADLIGHT_SHARED is not set";
    const Json& fixture = by_id(fixtures()["published"], row.fixture);
    check(row, fixture, fixture["tol"]);
}

/// A row of the derived matrices: the case is at "/case", the canonical Q, K, V at "/canon".
inline void check_derived(const Row& row) {
    if (shared_folder().empty())
        GTEST_SKIP() << "HEADLIGHT_SHARED is not set";
    Json fixture = fixtures()["derived"];
    if (row.fixture != "sinusoidal")
        fixture["case"] = by_id(fixture["cases"], row.fixture);
    check(row, fixture, 1e-10);
}

}  // namespace headlight::test
