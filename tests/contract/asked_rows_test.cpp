// Rows of a program that are computed when they are asked for are those of a run of everything, for every
// line of every mechanism.

#include "core/attention/program_run.h"
#include "core/attention/trace_program.h"
#include "core/graph/asked_rows.h"
#include "tests/support/catalogue_plans.h"

namespace headlight::asked_rows_test {

using namespace test;

namespace {

std::shared_ptr<const Plan> plan_of(const Mechanism& mechanism, Index tokens) {
    const AttentionSpec spec = spec_of_heads(mechanism, 2);
    RandomEngine random(17);
    Inputs inputs;
    inputs.query = random_tensor({tokens, 8}, random);
    if (spec.source.type == SourceType::cross) {
        inputs.key = random_tensor({tokens + 1, 8}, random);
        inputs.value = random_tensor({tokens + 1, 8}, random);
    }
    return planned(spec, inputs);
}

bool near(double a, double b, double size) {
    return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-12 * std::max(size, 1.0);
}

class AskedRowsOf : public testing::TestWithParam<std::string> {};

TEST_P(AskedRowsOf, AreThoseOfARunOfEverything) {
    const auto plan = plan_of(*find_mechanism(GetParam()), 5);
    ProgramNumbers whole(*plan, ProgramNumbers::Kept::lines);
    whole.run();
    AskedRows rows(whole.program(), [](const std::string&, const Extent&, Place) {
        return std::optional<std::span<const double>>();
    });
    for (const ProgramPart& part : whole.program().parts())
        for (const ProgramLine& line : part.assignments) {
            const Expression tensor = whole.program().tensor(line.name);
            const OperandNumbers expected = *whole.find(line.name);
            const Extent& extent = tensor.extent();
            // The last row first: nothing may depend on what was asked before.
            for (Index head = extent.matrices() - 1; head >= 0; --head)
                for (Index row = extent.rows - 1; row >= 0; --row) {
                    const auto asked = rows.row(tensor, {head, row, 0});
                    ASSERT_EQ(std::ssize(asked), extent.columns) << line.name;
                    double size = 0;
                    for (const double number : asked)
                        size = std::isfinite(number) ? std::max(size, std::abs(number)) : size;
                    for (Index column = 0; column < extent.columns; ++column)
                        ASSERT_TRUE(near(asked[static_cast<std::size_t>(column)],
                                         expected.numbers[expected.at({head, row, column})], size))
                            << line.name << " " << head << " " << row << " " << column;
                }
        }
}

/// Loops of one turn: a name that is assigned once before it and once in it.
TEST(AskedRowsOfALine, EndWhereANameIsAssignedTwice) {
    RandomEngine random(3);
    for (const char* part : {R"("normalizer": {"type": "sinkhorn", "iterations": 2})",
                             R"("algorithm": {"type": "nystrom", "iterations": 1})"}) {
        const auto plan =
            planned(spec("{" + std::string(part) + "}"), {.query = random_tensor({6, 4}, random)});
        ProgramNumbers whole(*plan, ProgramNumbers::Kept::lines);
        whole.run();
        AskedRows rows(whole.program(), [](const std::string&, const Extent&, Place) {
            return std::optional<std::span<const double>>();
        });
        const OperandNumbers expected = *whole.find("weights");
        const auto asked = rows.row(whole.program().tensor("weights"), {0, 4, 0});
        for (Index key = 0; key < 6; ++key)
            EXPECT_NEAR(asked[static_cast<std::size_t>(key)], expected.numbers[expected.at({0, 4, key})],
                        1e-12);
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, AskedRowsOf, testing::ValuesIn(every_mechanism()),
                         [](const auto& row) { return row.param; });

TEST(AskedRowsOfALine, AreThoseThatAreKnown) {
    const auto plan = plan_of(*find_mechanism("scaled_dot_product"), 3);
    const Program program = program_of(*plan);
    const std::vector<double> ones(3, 1);
    AskedRows rows(program, [&](const std::string& tensor, const Extent&, Place) {
        return tensor == "scaled_scores" ? std::optional<std::span<const double>>(ones) : std::nullopt;
    });
    EXPECT_DOUBLE_EQ(rows.at(program.tensor("weights"), {0, 1, 2}), 1.0 / 3);
    EXPECT_EQ(rows.line_of("nothing"), nullptr);
}

/// One of the numbers of each pair of a long text is asked for without the others being made.
TEST(AskedRowsOfALine, NeedNoMaskOfALongText) {
    RandomEngine random(3);
    const Index tokens = 5000;
    const auto plan = planned(spec(R"({"mask": {"type": "causal"}, "normalizer": {"type": "sparsemax"},
                                       "position": {"type": "t5"}})"),
                              {.query = random_tensor({tokens, 2}, random)});
    const Program program = program_of(*plan);
    const auto allowed = std::ranges::find(program.given(), "allowed", &GivenTensor::name);
    ASSERT_NE(allowed, program.given().end());
    EXPECT_FALSE(allowed->numbers.are_there());
    AskedRows rows(program, [](const std::string&, const Extent&, Place) {
        return std::optional<std::span<const double>>();
    });
    EXPECT_EQ(rows.at(program.tensor("masked_scores"), {0, 5, 6}), -std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isfinite(rows.at(program.tensor("masked_scores"), {0, tokens - 1, 6})));
    EXPECT_FALSE(allowed->numbers.are_there());
}

TEST(AskedRowsOfALine, AreRefusedWhereTheyNeedTooManyOthers) {
    RandomEngine random(3);
    const auto plan = planned(
        spec(
            R"({"mask": {"type": "causal"}, "normalizer": {"type": "stick_breaking"}, "score": {"type": "dot"}})"),
        {.query = random_tensor({9000, 2}, random)});
    const Program program = program_of(*plan);
    AskedRows rows(program, [](const std::string&, const Extent&, Place) {
        return std::optional<std::span<const double>>();
    });
    EXPECT_THROW(rows.row(program.tensor("weights"), {0, 3, 0}), TooMuch);
    EXPECT_THROW(program_of(*plan, 3), TooMuch);
}

}  // namespace

}  // namespace headlight::asked_rows_test
