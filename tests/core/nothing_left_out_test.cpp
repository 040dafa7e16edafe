#include "core/workbench/nothing_left_out.h"

#include "core/io/session_run.h"

#include <gtest/gtest.h>

namespace headlight::nothing_left_out_test { namespace {

std::string note_of(const char* mechanism, const char* text) {
    Session session = example_session();
    session.mechanism = mechanism;
    session.values.clear();
    session.sequence.query_text = text;
    session.sequence.key_text.clear();
    session.sequence.vectors.kind = VectorKind::hashed;
    const Plan planned = plan(session_spec(session), session_inputs(session), {.seed = session.seed});
    return nothing_left_out_note(planned, run_session(session).trace);
}

constexpr const char* three = "queen king bank";
constexpr const char* eleven = "the cat sat on the mat and the king saw paris";

TEST(NothingLeftOut, IsSaidOfATextThatIsNoLongerThanWhatIsKept) {
    for (const char* mechanism : {"dsa", "minimax_sparse", "window"}) {
        EXPECT_EQ(note_of(mechanism, three).find("Nothing is left out of these 3 tokens: "), 0U) << mechanism;
        EXPECT_EQ(note_of(mechanism, eleven), "") << mechanism;
    }
    EXPECT_EQ(note_of("window", "queen").find("Nothing is left out of one token: "), 0U);
}

TEST(NothingLeftOut, IsNotSaidWhereNothingCouldBe) {
    for (const char* mechanism : {"scaled_dot_product", "causal"})
        EXPECT_EQ(note_of(mechanism, three), "") << mechanism;
}

TEST(NothingLeftOut, IsNotSaidWhereASelectionKeepsTwoOfThree) { EXPECT_EQ(note_of("top_k", three), ""); }

}}  // namespace headlight::nothing_left_out_test
