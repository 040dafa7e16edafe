#pragma once

#include "core/attention/typed_formula.h"
#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>

namespace headlight::test {

/// What is wrong at this place of a formula.
struct Broken {
    const char* formula;
    const char* where;  ///< "1, 5" is line 1, column 5
    const char* expected;
    const char* got;
    const char* surroundings = "{}";  ///< fields of the spec around the formula
};
inline void PrintTo(const Broken& row, std::ostream* out) { *out << row.formula; }

/// With projections and one head unless the surroundings say otherwise, of four tokens; of two sequences the
/// other one has five.
inline std::shared_ptr<const Plan> planned_formula(const std::string& text, const std::string& surroundings) {
    Json json = Json::parse(R"({"projections": {"type": "learned"}})");
    json.merge_patch(Json::parse(surroundings));
    json["algorithm"] = {{"type", "formula"}, {"text", text}};
    RandomEngine random(3);
    Inputs inputs;
    inputs.query = random_tensor({4, 8}, random);
    const AttentionSpec made = spec_from_json(json);
    if (made.source.type == SourceType::cross)
        inputs.key = random_tensor({5, 8}, random);
    return planned(made, inputs);
}

inline void expect_refused(const std::string& text, const Broken& row, const std::string& where) {
    try {
        planned_formula(text, row.surroundings);
        ADD_FAILURE() << "was accepted: " << text;
    } catch (const Error& error) {
        EXPECT_EQ(error.detail().what, "formula") << error.what();
        EXPECT_EQ(error.detail().where, where) << error.what();
        EXPECT_NE(error.detail().expected.find(row.expected), std::string::npos) << error.what();
        EXPECT_NE(error.detail().got.find(row.got), std::string::npos) << error.what();
    }
}

}  // namespace headlight::test
