// Finite inputs whose products are beyond what a double holds.

#include "core/attention/executor.h"
#include "core/attention/overflow.h"
#include "core/attention/spec_json.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace headlight::overflow_test { namespace {

void run(const std::string& spec, const Inputs& inputs) {
    const auto ready =
        std::make_shared<const Plan>(plan(spec_from_json(nlohmann::json::parse(spec)), inputs));
    require_no_overflow(*ready, record(ready));
}

struct Row {
    const char* name;
    const char* spec;
    Inputs inputs;
    const char* place;  ///< "" when nothing overflows
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

Inputs self(Tensor query, std::map<std::string, Tensor> parameters = {}) {
    Inputs inputs;
    inputs.query = std::move(query);
    inputs.parameters = std::move(parameters);
    return inputs;
}

Inputs cross(Tensor query, Tensor key) {
    Inputs inputs = self(std::move(query));
    inputs.key = std::move(key);
    return inputs;
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const char* const crossing = R"({"source": {"type": "cross"}})";
const char* const crossing_without_the_last =
    R"({"source": {"type": "cross"}, "mask": {"type": "padding", "key_lengths": 1}})";

const Row rows[] = {
    {"ordinary", "{}", self(Tensor{{1, 2}, {3, 4}}), ""},
    {"large_but_fine", "{}", self(Tensor{{1e150, 2}, {3, 4}}), ""},
    {"scores", "{}", self(Tensor{{1, 2}, {1e300, 3}}), "scores, head 1, query 2, key 2: "},
    {"minus_infinity", crossing, cross(Tensor{{1e300}}, Tensor{{1}, {-1e300}}),
     "scores, head 1, query 1, key 2: overflow: expected numbers below 1.8e308 at every stage (smaller token "
     "vectors or parameters), got minus infinity"},
    {"projection", R"({"projections": {"type": "learned"}})",
     self(Tensor{{1}, {1e200}}, {{"W_v", Tensor{{1e200}}}}), "value, head 1, key 2, column 1: "},
    {"output", R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 1}})",
     self(Tensor{{1}}, {{"W_v", Tensor{{1e200}}}, {"W_o", Tensor{{1e200}}}}), "output, query 1, column 1: "},
    {"a_forbidden_pair", crossing_without_the_last, cross(Tensor{{1e200}}, Tensor{{1}, {1e200}}), ""},
    {"padding", crossing_without_the_last, cross(Tensor{{1}}, Tensor{{1}, {nan}}), ""},
    {"a_finite_mask",
     R"({"source": {"type": "cross"}, "mask": {"type": "padding", "key_lengths": 1}, "mask_value": -1})",
     cross(Tensor{{1e200}}, Tensor{{1}, {1e200}}), "scores, head 1, query 1, key 2: "},
    {"fully_masked_rows",
     R"({"mask": {"type": "padding", "key_lengths": 0}, "normalizer": {"type": "hard", "mode": "sample"}})",
     self(Tensor{{1, 2}, {3, 4}}), ""},
    {"a_typed_logarithm", R"-({"algorithm": {"type": "formula", "text": "weights = log(q @ k.T)"}})-",
     self(Tensor{{1, -1}, {-1, 1}}),
     "weights, head 1, query 1, key 2: overflow: expected numbers that are finite: no logarithm of 0 or "
     "less, in line 1 (log(maximum(x, 1e-9)) is finite), got NaN"},
    {"a_typed_power", R"-({"algorithm": {"type": "formula", "text": "z = 1\nweights = (q @ k.T) ** 0.5"}})-",
     self(Tensor{{1, -1}, {-1, 1}}),
     "weights, head 1, query 1, key 2: overflow: expected numbers that are finite: no power of a number "
     "below 0, in line 2 (maximum(x, 1e-9) ** p is finite), got NaN"},
    {"a_typed_division", R"-({"algorithm": {"type": "formula", "text": "weights = q @ k.T / (i - j)"}})-",
     self(Tensor{{1, -1}, {-1, 1}}),
     "weights, head 1, query 1, key 1: overflow: expected numbers that are finite: no division by 0, in "
     "line 1 (x / (y + 1e-9) is finite for y from 0 on), got infinity"},
    {"a_typed_division_that_is_repeated",
     R"-({"algorithm": {"type": "formula", "text": "repeat 2:\n    z = q @ k.T / (i - j)\nweights = z + 1"}})-",
     self(Tensor{{1, -1}, {-1, 1}}),
     "weights, head 1, query 1, key 1: overflow: expected numbers that are finite: no division by 0, in "
     "line 2 (x / (y + 1e-9) is finite for y from 0 on), got infinity"},
    {"typed_infinities",
     R"-({"algorithm": {"type": "formula", "text": "s1 = where(j <= 0, q @ k.T, -inf)\nweights = s1 - max(s1)"}})-",
     self(Tensor{{1, -1}, {-1, 1}}),
     "weights, head 1, query 1, key 1: overflow: expected numbers that are finite: no inf beside inf"},
    {"a_typed_product", R"-({"algorithm": {"type": "formula", "text": "weights = q @ k.T"}})-",
     self(Tensor{{1e200}, {1}}),
     "weights, head 1, query 1, key 1: overflow: expected numbers below 1.8e308 at every stage"},
};

class Overflow : public testing::TestWithParam<Row> {};

TEST_P(Overflow, IsRefusedAtItsFirstCell) {
    const Row& row = GetParam();
    if (std::string(row.place).empty())
        EXPECT_NO_THROW(run(row.spec, row.inputs));
    else
        test::expect_refusal([&] { run(row.spec, row.inputs); }, {row.place, "overflow"});
}

std::string name_of(const testing::TestParamInfo<Row>& row) { return row.param.name; }
INSTANTIATE_TEST_SUITE_P(Rows, Overflow, testing::ValuesIn(rows), name_of);

}}  // namespace headlight::overflow_test
