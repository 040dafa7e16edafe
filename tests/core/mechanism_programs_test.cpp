// The program of every mechanism of the catalogue, on its example: lines, cells, numbers.

#include "core/io/mechanism_example.h"
#include "core/io/program_file.h"
#include "core/io/session_run.h"
#include "core/program/evaluate.h"
#include "core/program/workbook.h"
#include "core/tensor/error.h"
#include "tests/support/catalogue_plans.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace headlight::mechanism_programs_test {

using namespace test;

namespace {

/// The largest distance of an expression's numbers from those of the stage of its name, over their size;
/// nothing where the trace has not recorded as many.
std::optional<double> distance_from(const Trace& trace, const Stage& stage, std::span<const double> numbers) {
    if (stage.is_lazy || stage.size() != std::ssize(numbers))
        return std::nullopt;
    const std::span<const double> traced = trace.values(stage);
    double distance = 0;
    for (std::size_t at = 0; at < numbers.size(); ++at) {
        const double there = std::clamp(traced[at], -cell_infinity, cell_infinity);
        distance = std::max(distance, std::abs(numbers[at] - there) / std::max(1.0, std::abs(there)));
    }
    return distance;
}

class ProgramOfMechanism : public testing::TestWithParam<std::string> {
protected:
    const Mechanism& mechanism() const { return headlight::mechanism(GetParam()); }
};

TEST_P(ProgramOfMechanism, HasLinesAndCells) {
    Session session = mechanism_example(mechanism());
    session.sequence.vectors.dimension = 16;
    const Program program = session_program(session);
    EXPECT_EQ(program.title, mechanism().name);
    EXPECT_TRUE(program.has("weights") && program.has("output"));
    EXPECT_FALSE(workbook(program).sheets.empty());
}

/// The arithmetic of the program, evaluated, against the run that it was written from.
TEST_P(ProgramOfMechanism, EvaluatesToTheNumbersOfItsTrace) {
    const Session session = mechanism_example(mechanism());
    std::optional<Program> program;
    try {
        program = session_program(session);
    } catch (const Error&) {
        return;  // what cannot be written is refused elsewhere
    }
    Evaluation evaluation;
    for (const GivenTensor& tensor : program->given())
        evaluation.set(tensor.name, tensor.numbers);
    const Trace trace = run_session(session).trace;
    std::size_t compared = 0;
    for (const ProgramPart& part : program->parts())
        for (Index time = 0; time < part.times; ++time)
            for (const ProgramLine& line : part.assignments) {
                std::vector<double> numbers = evaluation.numbers_of(line.value);
                const Stage* stage = time + 1 == part.times ? trace.find(line.name) : nullptr;
                if (const auto distance = stage ? distance_from(trace, *stage, numbers) : std::nullopt) {
                    EXPECT_LT(*distance, 1e-9) << line.name;
                    ++compared;
                }
                evaluation.set(line.name, std::move(numbers));
            }
    EXPECT_GT(compared, 0U);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, ProgramOfMechanism, testing::ValuesIn(every_mechanism()),
                         [](const auto& row) { return row.param; });

}  // namespace

}  // namespace headlight::mechanism_programs_test
