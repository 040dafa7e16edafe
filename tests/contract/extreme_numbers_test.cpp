// Vectors and scores of every size that a double can hold: what comes out is right, or the run is refused
// with a message. The oracles, which compute in a wider number (tests/reference/matrix.h), say what is right.

#include "core/attention/overflow.h"
#include "core/catalog/mechanism.h"
#include "core/tensor/error.h"
#include "tests/oracle/oracle.h"
#include "tests/support/catalogue_plans.h"
#include "tests/support/normalizer_rows.h"

namespace headlight::extreme_numbers_test {

using namespace test;

namespace {

const std::vector<double> sizes{1e-300, 1e-200, 1e-160, 1e-100, 1e-20, 1e-12, 1e-6,  1,
                                1e4,    1e8,    1e16,   1e100,  1e154, 1e160, 1e200, 1e300};

/// Every number within `tolerance` of the expected one, relative to the largest expected number of its row.
/// What is itself at the end of the range has fewer digits.
testing::AssertionResult right(std::span<const double> got, std::span<const double> expected,
                               std::size_t width, double tolerance) {
    if (got.size() != expected.size())
        return testing::AssertionFailure() << got.size() << " numbers, expected " << expected.size();
    for (std::size_t first = 0; first < got.size(); first += width) {
        constexpr double end_of_range = 1e-317;
        double largest = 0;
        for (std::size_t i = first; i < first + width; ++i)
            largest = std::max(largest, std::abs(expected[i]));
        for (std::size_t i = first; i < first + width; ++i)
            if (!(std::abs(got[i] - expected[i]) <= tolerance * largest + end_of_range))
                return testing::AssertionFailure() << "number " << i - first << " of row " << first / width
                                                   << " is " << got[i] << ", expected " << expected[i];
    }
    return testing::AssertionSuccess();
}

/// The trace of a run, or nothing when it was refused.
std::optional<Trace> run_or_refusal(const std::shared_ptr<const Plan>& plan) {
    Trace trace = record(plan);
    try {
        require_no_overflow(*plan, trace);
    } catch (const Error& error) {
        EXPECT_FALSE(error.detail().expected.empty()) << error.what();
        return std::nullopt;
    }
    return trace;
}

void expect_right_or_refused(const std::shared_ptr<const Plan>& plan) {
    const std::optional<Trace> trace = run_or_refusal(plan);
    if (!trace)
        return;
    const OracleResult oracle = scalar_oracle(plan->spec, plan->inputs, plan->seed);
    const auto width = static_cast<std::size_t>(plan->keys);
    EXPECT_TRUE(right(stage(*trace, "weights"), oracle.weights, width, 1e-8)) << "weights";
    EXPECT_TRUE(right(stage(*trace, "output"), oracle.output, oracle.output.size(), 1e-8)) << "output";
}

class ExtremeMechanism : public testing::TestWithParam<std::string> {};

TEST_P(ExtremeMechanism, IsRightOrRefused) {
    const AttentionSpec spec = build_spec(mechanism(GetParam()), {});
    for (const double size : sizes) {
        SCOPED_TRACE(size);
        RandomEngine random(11);
        Inputs inputs{.query = times(random_tensor({5, 8}, random), size)};
        if (spec.source.type == SourceType::cross) {
            inputs.key = times(random_tensor({6, 8}, random), size);
            inputs.value = random_tensor({6, 8}, random);
        }
        expect_right_or_refused(planned(spec, inputs));
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, ExtremeMechanism, testing::ValuesIn(every_mechanism()),
                         [](const auto& row) { return row.param; });

class ExtremeNormalizer : public testing::TestWithParam<std::string> {};

/// Scores of one size, and scores that differ by a little around a large one.
TEST_P(ExtremeNormalizer, IsRightOrRefused) {
    for (const double size : sizes)
        for (const double spread : {0.0, 1.0}) {
            SCOPED_TRACE(size);
            SCOPED_TRACE(spread);
            std::vector<double> scores;
            for (const double each : {0.5, -0.25, 0.75, 0.125, -1.0})
                scores.push_back(spread == 0 ? each * size : size + each);
            expect_right_or_refused(planned(normalized_by(GetParam()), scores_as_keys(scores)));
        }
}

INSTANTIATE_TEST_SUITE_P(Normalizers, ExtremeNormalizer, testing::ValuesIn(every_normalizer()),
                         [](const auto& row) { return row.param; });

/// What exact arithmetic says of the formulas that large, small and nearly equal numbers are hardest on.
const Json& exact_rows() {
    static const Json file = read_json(HEADLIGHT_SOURCE_DIR "/tests/support/exact_numbers/golden.json");
    return file["rows"];
}

class ExactRow : public testing::TestWithParam<std::size_t> {};

TEST_P(ExactRow, GivesTheSameNumbers) {
    const Json& row = exact_rows()[GetParam()];
    const auto plan = planned(spec_from_json(row["spec"]), golden_inputs(row));
    const Trace trace = record(plan);
    EXPECT_NO_THROW(require_no_overflow(*plan, trace));
    const OracleResult oracle = scalar_oracle(plan->spec, plan->inputs, plan->seed);
    const auto keys = static_cast<std::size_t>(plan->keys),
               width = static_cast<std::size_t>(plan->output_width);
    EXPECT_TRUE(right(stage(trace, "weights"), flat(row["weights"]), keys, 1e-12)) << "weights";
    EXPECT_TRUE(right(stage(trace, "output"), flat(row["output"]), width, 1e-12)) << "output";
    EXPECT_TRUE(right(oracle.weights, flat(row["weights"]), keys, 1e-12)) << "oracle";
}

INSTANTIATE_TEST_SUITE_P(Golden, ExactRow, testing::Range(std::size_t(0), exact_rows().size()),
                         [](const auto& index) {
                             std::string name = exact_rows()[index.param]["name"];
                             std::ranges::replace_if(
                                 name, [](char c) { return c == '-' || c == '+' || c == '.'; }, '_');
                             return name + "_" + std::to_string(index.param);
                         });

}  // namespace

}  // namespace headlight::extreme_numbers_test
