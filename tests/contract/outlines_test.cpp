// An outline needs no parameter: of every mechanism its lines are those of a run, whose parameters are drawn.
// What follows from places grows with a text only where somebody reads it.

#include "core/attention/trace_program.h"
#include "core/tensor/error.h"
#include "tests/support/catalogue_plans.h"

#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace headlight::outlines_test {

using namespace test;

namespace {

struct Named {
    std::string name;
    Extent extent;
    bool operator==(const Named&) const = default;
};
void PrintTo(const Named& each, std::ostream* out) {
    *out << each.name << " [" << each.extent.heads << ", " << each.extent.rows << ", " << each.extent.columns
         << "]";
}

std::vector<Named> given_of(const Program& program) {
    std::vector<Named> all;
    for (const GivenTensor& tensor : program.given())
        all.push_back({tensor.name, tensor.extent});
    return all;
}

std::vector<Named> lines_of(const Program& program) {
    std::vector<Named> all;
    for (const ProgramPart& part : program.parts())
        for (const ProgramLine& line : part.assignments)
            all.push_back({line.name, line.value.extent()});
    return all;
}

class OutlineOf : public testing::TestWithParam<std::string> {};

TEST_P(OutlineOf, HasTheLinesOfARun) {
    const AttentionSpec spec = spec_of_heads(*find_mechanism(GetParam()), 2);
    RandomEngine random(17);
    const Inputs inputs = few_inputs(spec, 6, random);
    const Plan undrawn = undrawn_plan(spec, inputs);
    EXPECT_TRUE(undrawn.inputs.parameters.empty());
    const Program outline = outline_of(undrawn);
    const auto drawn = planned(spec, inputs);
    const Program whole = program_of(*drawn);
    EXPECT_EQ(given_of(outline), given_of(whole));
    EXPECT_EQ(lines_of(outline), lines_of(whole));
}

INSTANTIATE_TEST_SUITE_P(Catalogue, OutlineOf, testing::ValuesIn(every_mechanism()),
                         [](const auto& row) { return row.param; });

class PlacesOf : public testing::TestWithParam<std::string> {};

/// No table with a number for each pair is made with a program; what is read of one is what another program
/// of the plan says, long after both were written.
TEST_P(PlacesOf, AreNumbersOnceTheyAreRead) {
    constexpr Index tokens = 300;  // more pairs than are made at once
    const AttentionSpec spec = spec_of_heads(*find_mechanism(GetParam()), 2);
    RandomEngine random(17);
    std::shared_ptr<const Plan> made;
    try {
        made = planned(spec, few_inputs(spec, tokens, random));
    } catch (const Error&) {
        return;  // it does not take so many
    }
    const Program program = program_of(*made), again = program_of(*made);
    for (std::size_t i = 0; i < program.given().size(); ++i) {
        const GivenTensor& tensor = program.given()[i];
        if (tensor.kind != GivenTensor::Kind::constant || tensor.extent.size() < tokens * tokens)
            continue;
        SCOPED_TRACE(tensor.name);
        EXPECT_FALSE(tensor.numbers.are_there());
        const std::vector<double>& all = again.given()[i].numbers;
        for (const Index at :
             {Index(0), Index(1), tokens, tensor.extent.size() / 2, tensor.extent.size() - 1})
            EXPECT_EQ(tensor.numbers[at], all[static_cast<std::size_t>(at)]) << at;
        EXPECT_FALSE(tensor.numbers.are_there());
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, PlacesOf, testing::ValuesIn(every_mechanism()),
                         [](const auto& row) { return row.param; });

TEST(UndrawnPlans, AreRefusedAsPlansAre) {
    RandomEngine random(3);
    const Inputs odd{.query = random_tensor({4, 5}, random)};
    const AttentionSpec heads = spec(R"({"heads": {"type": "multi", "heads": 2}})");
    EXPECT_THROW(planned(heads, odd), Error);
    EXPECT_THROW(undrawn_plan(heads, odd), Error);
    EXPECT_THROW(undrawn_plan({}, Inputs()), Error);
}

}  // namespace

}  // namespace headlight::outlines_test
