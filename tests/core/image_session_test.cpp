// A session on the patches of an image: what it runs on, what follows its grid, and how it is stored.

#include "core/attention/executor.h"
#include "core/io/grid_columns.h"
#include "core/io/image_session.h"
#include "core/io/json_text.h"
#include "tests/support/refusal.h"
#include "tests/support/sample_pictures.h"

namespace headlight::image_session_test {

using namespace test;
using nlohmann::json;

namespace {

Session on_landscape(const std::string& mechanism = "scaled_dot_product") {
    Session session = example_session();
    session.mechanism = mechanism;
    session.sequence.vectors.kind = VectorKind::hashed;
    PatchedPicture image = cut(samples::landscape());
    image.columns = 6;
    return with_image(session, image, "landscape.png");
}

Trace run(const Session& session) {
    return record(
        std::make_shared<const Plan>(plan(session_spec(session), session_inputs(session), {session.seed})));
}

TEST(ImageSession, ItsTokensAreThePatches) {
    const Inputs inputs = session_inputs(on_landscape());
    EXPECT_EQ(inputs.query.shape(), (Shape{24, 64}));
    EXPECT_FALSE(inputs.key);
    EXPECT_EQ(inputs.tokens.query.front(), "1,1");
    EXPECT_EQ(inputs.tokens.query.back(), "4,6");
    EXPECT_TRUE(inputs.tokens.query_unknown.empty());
}

TEST(ImageSession, LikePatchesLookAtOneAnother) {
    const Trace trace = run(on_landscape());
    const auto weights = trace.matrix(*trace.find("weights"), 0);
    const auto weight = [&](Index query, Index key) {
        return weights[static_cast<std::size_t>(query * 24 + key)];
    };
    EXPECT_GT(weight(7, 10), 5 * weight(7, 20)) << "the two red squares, and the meadow";
}

TEST(ImageSession, InCrossAttentionTheWordsLookAtThePatches) {
    Session session = on_landscape("cross");
    session.sequence.query_text = "a red square";
    const Inputs inputs = session_inputs(session);
    EXPECT_EQ(inputs.query.shape(), (Shape{3, 64}));
    EXPECT_EQ(inputs.tokens.query[1], "red");
    ASSERT_TRUE(inputs.key);
    EXPECT_EQ(inputs.key->shape(), (Shape{24, 64}));
    EXPECT_EQ(inputs.tokens.key.back(), "4,6");
    EXPECT_NO_THROW(run(session));
    session.sequence.query_text = " ";
    expect_refusal([&] { session_inputs(session); }, {"query text", "empty text"});
}

/// Every grid in the mask, whatever it is composed of.
TEST(ImageSession, WhatKnowsOfAGridLiesOnThatOfTheImage) {
    for (const char* id :
         {"swin", "shifted_swin", "axial", "neighbourhood", "halo", "grid_stride", "sliding_tile"}) {
        Session session = on_landscape(id);
        session.values["columns"] = Index(2);
        const auto pattern = std::get<PatternMask>(session_spec(session).mask.rule);
        EXPECT_EQ(std::get<Index>(pattern.options.at("columns")), 6) << id;
        session.compared = {{id, {{"columns", Index(2)}}, {}}};
        const AttentionSpec compared = compared_spec(session, session.compared.front());
        EXPECT_EQ(std::get<Index>(std::get<PatternMask>(compared.mask.rule).options.at("columns")), 6) << id;
        EXPECT_EQ(session_spec(without_image(session)).mask,
                  build_spec(mechanism(id), {{"columns", Index(2)}}).mask)
            << "on text the knob counts again";
        EXPECT_NO_THROW(run(session));
    }
}

TEST(ImageSession, PositionsOnAGridLieOnThatOfTheImage) {
    for (const char* id :
         {"grid_rope", "m_rope", "grid_bias", "dynamic_bias", "decomposed", "page", "convolutional"}) {
        Session session = on_landscape(id);
        session.values["columns"] = Index(2);
        EXPECT_EQ(std::get<Index>(session_spec(session).position.options.at("columns")), 6) << id;
        EXPECT_NO_THROW(run(session));
    }
}

TEST(ImageSession, GatesAndWindowsOfImagesLieOnItsGrid) {
    for (const char* id :
         {"cbam", "coordinate", "triplet", "bam", "selective_kernel", "outlook", "spatial_reduction",
          "window_tokens", "region_tokens", "contextual", "attention_gate", "deformable", "dat", "acmix",
          "global_filter", "pyramid_split", "triangle"}) {
        Session session = on_landscape(id);
        session.values["columns"] = Index(2);
        EXPECT_EQ(std::get<Index>(session_spec(session).algorithm.options.at("columns")), 6) << id;
        EXPECT_NO_THROW(run(session));
    }
}

TEST(ImageSession, AComposedMaskFollowsTheGridWhereItHasOne) {
    Session session = on_landscape();
    AttentionSpec spec;
    spec.mask = {
        AllOf{{Mask{Not{{Mask{PatternMask{MaskPattern::axial, {}}}}}},
               Mask{AnyOf{{Mask{PatternMask{MaskPattern::window, {{"size", Index(3)}}}},
                           Mask{PatternMask{MaskPattern::grid_window, {{"columns", Index(9)}}}}}}}}}};
    adopt(session, {"Mine", spec});
    const json document = (*parse_json(write_session(session)))["custom"];
    const Mask mask = session_spec(session).mask;
    const auto& all = std::get<AllOf>(mask.rule).masks;
    EXPECT_EQ(
        std::get<Index>(std::get<PatternMask>(std::get<Not>(all[0].rule).mask[0].rule).options.at("columns")),
        6);
    const auto& any = std::get<AnyOf>(all[1].rule).masks;
    EXPECT_FALSE(std::get<PatternMask>(any[0].rule).options.contains("columns"));
    EXPECT_EQ(std::get<Index>(std::get<PatternMask>(any[1].rule).options.at("columns")), 6);
    EXPECT_EQ(session.custom->spec.mask, spec.mask) << "what was composed stays as it is";
}

// What opening an image does

TEST(WithImage, ShowsItAndKeepsTheText) {
    Session before = example_session();
    before.drawn_mask = std::make_shared<const MatrixMask>(MatrixMask{{{true}}});
    before.sequence.file = std::make_shared<const Inputs>();
    const Session after = with_image(before, cut(samples::landscape()), "x.png");
    EXPECT_EQ(after.sequence.query_text, before.sequence.query_text);
    EXPECT_EQ(after.sequence.file, nullptr);
    EXPECT_EQ(after.drawn_mask, nullptr);
    EXPECT_EQ(after.view.view, ViewKind::image);
    EXPECT_EQ(after.figure.range, ColourRange(RangeKind::fitted));
    const Session back = without_image(after);
    EXPECT_FALSE(back.sequence.image);
    EXPECT_EQ(back.sequence.query_text, before.sequence.query_text);
    EXPECT_NE(back.view.view, ViewKind::image);
}

TEST(WithPatchColumns, KeepsLookingAtTheSamePlace) {
    Session session = on_landscape();
    session.view.selection.query = 2 * 6 + 4;  // of 4 × 6
    session = with_patch_columns(session, 12);
    EXPECT_EQ(session.sequence.image.grid(), (PatchGrid{8, 12}));
    EXPECT_EQ(session.view.selection.query, 5 * 12 + 9);
    session = with_patch_columns(session, 6);
    EXPECT_EQ(session.view.selection.query, 2 * 6 + 4);
    EXPECT_EQ(with_patch_columns(session, 100'000).sequence.image.columns,
              most_patch_columns(*session.sequence.image.picture));
}

// Files

TEST(ImageFile, ComesBack) {
    const Session session = on_landscape();
    const std::string text = write_session(session);
    const Session back = parse_session(text);
    EXPECT_EQ(*back.sequence.image.picture, *session.sequence.image.picture);
    EXPECT_EQ(back.sequence.image.columns, 6);
    EXPECT_EQ(back.sequence.image_name, "landscape.png");
    EXPECT_EQ(write_session(back), text);
    const json image = (*parse_json(text))["sequence"]["image"];
    EXPECT_EQ(image["width"], 48);
    EXPECT_EQ(image["rgb"].get<std::string>().size(), 48u * 32u * 4u);
    EXPECT_TRUE(image["rgb"].get<std::string>().starts_with("WqDm")) << "90, 160, 230 in base64";
}

struct Refused {
    const char* name;
    json change;  ///< to a right image
    std::vector<std::string> parts;
};
void PrintTo(const Refused& row, std::ostream* out) { *out << row.name; }

class ImageRefusal : public testing::TestWithParam<Refused> {};

TEST_P(ImageRefusal, SaysWhere) {
    json document = {
        {"format", "headlight-session/1"},
        {"sequence", {{"image", {{"width", 2}, {"height", 1}, {"columns", 1}, {"rgb", "AAAA////"}}}}}};
    EXPECT_NO_THROW(session_from_json(document));
    document["sequence"]["image"].merge_patch(GetParam().change);
    expect_refusal([&] { session_from_json(document); }, GetParam().parts);
}

INSTANTIATE_TEST_SUITE_P(
    All, ImageRefusal,
    testing::Values(
        Refused{"no_width", {{"width", nullptr}}, {"/sequence/image/width", "none"}},
        Refused{"no_height", {{"height", nullptr}}, {"/sequence/image/height", "none"}},
        Refused{"too_wide", {{"width", 257}}, {"/sequence/image/width", "256"}},
        Refused{"negative", {{"height", -1}}, {"/sequence/image/height"}},
        Refused{"huge", {{"height", 1e18}}, {"/sequence/image/height"}},
        Refused{"more_pixels_than_bytes", {{"height", 2}}, {"/sequence/image/rgb", "16 characters", "got 8"}},
        Refused{"no_pixels", {{"rgb", nullptr}}, {"/sequence/image/rgb", "got 0"}},
        Refused{"no_text", {{"rgb", 3}}, {"/sequence/image/rgb", "a string"}},
        Refused{"no_base64", {{"rgb", "AAAA///="}}, {"/sequence/image/rgb", "\"=\" as character 8"}},
        Refused{"no_columns", {{"columns", 0}}, {"/sequence/image/columns"}},
        Refused{"more_columns_than_pixels", {{"columns", 3}}, {"/sequence/image/columns", "1 to 2"}},
        Refused{"name", {{"name", 1}}, {"/sequence/image/name", "a string"}}),
    [](const auto& row) { return row.param.name; });

}  // namespace

}  // namespace headlight::image_session_test
