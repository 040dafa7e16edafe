// The step that lets a session run whose token vectors have a width that does not fit.

#include "core/io/session_model.h"
#include "core/tensor/error.h"
#include "core/workbench/mechanism_edits.h"
#include "core/workbench/mending_edits.h"
#include "core/workbench/run_session.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace headlight::workbench_mending_test { namespace {

Session three_words() {
    Session session = example_session();
    session.sequence.query_text = "king queen bread";
    session.sequence.vectors.dimension = 3;
    return session;
}

Session with_heads(Session session, Index heads) {
    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads.type = HeadsType::multi;
    spec.heads.heads = heads;
    adopt(session, {"Mine", std::move(spec)});
    return session;
}

Session with_mechanism(Session session, const std::string& id) {
    session.mechanism = id;
    session.values.clear();
    return session;
}

/// Why the session cannot run.
std::optional<Error> refusal_of(const Session& session) {
    try {
        prepare_run(session);
        return std::nullopt;
    } catch (const Error& error) {
        return error;
    }
}

std::optional<Edit> mended(const Session& session) {
    const std::optional<Error> error = refusal_of(session);
    return error ? mending_edit(session, *error) : std::nullopt;
}

void expect_mended(const Session& session, const std::string& name) {
    ASSERT_TRUE(refusal_of(session));
    const std::optional<Edit> edit = mended(session);
    ASSERT_TRUE(edit);
    EXPECT_EQ(edit->name, name);
    EXPECT_EQ(edit->merge, "");
    EXPECT_FALSE(refusal_of(edit->after));
}

TEST(MendingEdit, TakesTheNextDimensionThatFits) {
    expect_mended(with_heads(three_words(), 8), "Dimension 8");
    expect_mended(with_heads(three_words(), 2), "Dimension 4");
    expect_mended(with_mechanism(three_words(), "xpos"), "Dimension 4");
    expect_mended(with_mechanism(three_words(), "product_keys"), "Dimension 4");
    Session turned = with_heads(three_words(), 4);  // of which each turns pairs
    turned.custom->spec.position.type = PositionType::rope;
    expect_mended(turned, "Dimension 8");
    Session masked = with_heads(three_words(), 8);
    masked.custom->spec.mask = {CausalMask{}};
    expect_mended(masked, "Dimension 8");
}

TEST(MendingEdit, LeavesTheRestAsItIs) {
    const Session before = with_heads(three_words(), 8);
    Session after = mended(before)->after;
    EXPECT_EQ(after.sequence.vectors.dimension, 8);
    after.sequence.vectors.dimension = 3;
    EXPECT_TRUE(after == before);
}

TEST(MendingEdit, TakesOtherHeadsForTheVectorsOfAFile) {
    Session session = with_heads(three_words(), 8);
    auto file = std::make_shared<Inputs>();
    file->query = Tensor({4, 6}, 0.5);
    session.sequence.file = std::move(file);
    session.sequence.file_name = "vectors.csv";
    expect_mended(session, "Heads: 6");
    EXPECT_EQ(mended(session)->after.custom->spec.heads.heads, 6);
}

TEST(MendingEdit, IsNoneWhereWidthsAreNotWhatIsWrong) {
    const Error refused({"split into heads", "queries", "1 head", "8 heads"});
    EXPECT_FALSE(mending_edit(with_heads(three_words(), 3), refused));  // it runs
    Session empty = with_heads(three_words(), 3);
    empty.sequence.query_text.clear();
    ASSERT_TRUE(refusal_of(empty));
    EXPECT_FALSE(mended(empty));
    // Numbers that a person has set are as wide as they were.
    Session edited = with_heads(three_words(), 8);
    edited.edited["W_q"] = std::make_shared<const Tensor>(Shape{3, 3}, 1.0);
    EXPECT_FALSE(mending_edit(edited, refused));
    Session of_capture = with_heads(three_words(), 8);
    of_capture.capture = SessionCapture{"layer0.npz", TokenUnit::token, TokenSpelling::text};
    EXPECT_FALSE(mending_edit(of_capture, refused));
}

TEST(MendingEdit, IsNoneWhereNoDimensionFits) {
    Session session = three_words();
    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.projections.dimension = 9;
    spec.heads.type = HeadsType::multi;
    spec.heads.heads = 2;
    adopt(session, {"Mine", spec});
    ASSERT_TRUE(refusal_of(session));
    EXPECT_FALSE(mended(session));
}

}}  // namespace headlight::workbench_mending_test
