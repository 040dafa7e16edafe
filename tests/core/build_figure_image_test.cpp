// The image view as a plain value: which line of which stage lies over the patches.

#include "core/attention/executor.h"
#include "core/figure/build_figure.h"
#include "core/figure/image_view.h"
#include "core/io/image_session.h"
#include "core/io/seen_picture.h"
#include "core/io/session_model.h"
#include "core/io/view_subject.h"
#include "core/model/generator.h"
#include "tests/support/refusal.h"
#include "tests/support/sample_pictures.h"
#include "tests/support/small_models.h"

namespace headlight::build_figure_image_test {

using namespace test;

namespace {

Session on_landscape(const std::string& mechanism, Index heads = 1) {
    Session session = example_session();
    session.mechanism = mechanism;
    if (heads > 1)
        session.values["heads"] = heads;
    session.sequence.vectors.kind = VectorKind::hashed;
    session.sequence.query_text = "a red square";
    PatchedPicture image = cut(samples::landscape());
    image.columns = 6;
    session = with_image(session, image, "landscape.png");
    session.view.selection.query = 7;
    return session;
}

Trace run(const Session& session) {
    return record(
        std::make_shared<const Plan>(plan(session_spec(session), session_inputs(session), {session.seed})));
}

Figure figure_of(const Session& session) {
    return build_figure(run(session), view_settings(session), session.sequence.image);
}

GenerationRequest asked_of(const std::string& text) {
    GenerationRequest request;
    request.source = text;
    return request;
}

// What a model that sees looks at lies over the picture of its task, at each of its places.
TEST(ImageView, LaysTheLookOfAModelOverThePictureThatItSees) {
    const auto model = std::make_shared<const TrainedModel>(
        small_trained({"patches of a picture", "race", HostType::vision}));
    const Task& race = model->model->task;
    const std::string text = text_of(race, race.shown->source, Side::source);
    const Transcript said = *Generator(model).generate(asked_of(text));
    ASSERT_TRUE(said.picture);
    EXPECT_EQ(*said.picture.picture, *race.sight.picture(race.shown->source).picture);
    const Trace trace = trace_of(said, "race");
    for (const char* site : {"decoder.0.cross", "encoder.0.self", "encoder.1.self"}) {
        SCOPED_TRACE(site);
        ViewSettings view;
        view.view = ViewKind::image;
        view.selection.site = site;
        const bool patches_look = site != std::string("decoder.0.cross");
        view.selection.query = patches_look ? 7 : 0;
        const Figure figure = build_figure(trace, view, said.picture);
        ASSERT_EQ(figure.panels.size(), 4u) << "a panel for each head";
        for (Index head = 0; head < 4; ++head) {
            const Panel& panel = figure.panels[static_cast<std::size_t>(head)];
            EXPECT_EQ(panel.rows, race.sight.grid.rows);
            EXPECT_EQ(panel.columns, race.sight.grid.columns);
            ASSERT_TRUE(panel.overlay);
            EXPECT_EQ(panel.overlay->picture, said.picture.picture);
            EXPECT_EQ(panel.overlay->patches_look, patches_look);
            const auto row = trace.matrix(*trace.find("weights", site), head)
                                 .subspan(static_cast<std::size_t>(patches_look ? 7 * 36 : 0), 36);
            EXPECT_TRUE(std::ranges::equal(panel.values, row));
        }
    }
    const Transcript short_one = *Generator(model).generate(asked_of(".c...."));
    EXPECT_FALSE(short_one.picture) << "one lane is no picture";
    const Transcript of_words =
        *Generator(std::make_shared<const TrainedModel>(small_trained({"set", "distinct", HostType::set})))
             .generate(asked_of("cab"));
    EXPECT_FALSE(of_words.picture);
}

TEST(ImageView, IsWhereAModelThatSeesOpensAndIsMissingToOneThatReadsWords) {
    const auto model = std::make_shared<const TrainedModel>(
        small_trained({"patches of a picture", "race", HostType::vision}));
    const Session session = with_model(example_session(), "folder of a model", *model->model);
    EXPECT_EQ(session.view.view, ViewKind::image);
    const auto lacks = [&](const Session& asked, const Transcript* said) {
        return missing_for(ViewKind::image, view_subject(asked, nullptr, said));
    };
    const Transcript said = *Generator(model).generate(session.model->request);
    EXPECT_EQ(lacks(session, &said), "");
    EXPECT_EQ(seen_picture(session, &said), said.picture);
    const Transcript short_one = *Generator(model).generate(asked_of(".c...."));
    EXPECT_NE(lacks(session, &short_one), "");
    Session of_words = session;
    of_words.model->name = "reverse-transformer";
    EXPECT_NE(lacks(of_words, nullptr), "") << "before it has run";
    of_words.sequence.image = cut(samples::landscape());
    EXPECT_NE(lacks(of_words, nullptr), "") << "an image that waits for a mechanism";
    of_words.model.reset();
    EXPECT_EQ(lacks(of_words, nullptr), "");
}

TEST(ImageView, LaysTheRowOfTheSelectedQueryOverTheImage) {
    const Session session = on_landscape("scaled_dot_product");
    const Trace trace = run(session);
    const Figure figure = build_figure(trace, view_settings(session), session.sequence.image);
    ASSERT_EQ(figure.panels.size(), 1u);
    const Panel& panel = figure.panels.front();
    EXPECT_EQ(panel.stage, "weights");
    EXPECT_EQ(panel.rows, 4);
    EXPECT_EQ(panel.columns, 6);
    EXPECT_EQ(panel.title, "Weights");
    EXPECT_EQ(panel.subtitle, "patch 2,2 looks");
    ASSERT_TRUE(panel.overlay);
    EXPECT_EQ(panel.overlay->picture, session.sequence.image.picture);
    EXPECT_TRUE(panel.overlay->is_row);
    EXPECT_EQ(panel.overlay->line, 7);
    EXPECT_TRUE(panel.overlay->patches_look);
    EXPECT_EQ(panel.overlay->outlined, 7);
    const auto row = trace.matrix(*trace.find("weights"), 0).subspan(std::size_t(7) * 24, 24);
    EXPECT_TRUE(std::ranges::equal(panel.values, row));
    EXPECT_DOUBLE_EQ(panel.scale.low, *std::ranges::min_element(row)) << "fitted to what is shown";
    EXPECT_DOUBLE_EQ(panel.scale.high, *std::ranges::max_element(row));
    EXPECT_EQ(figure.caption, "The image shows through as light and dark; outlined: the patch that looks.");
    EXPECT_NE(figure.description.find("Largest: patch 2,2"), std::string::npos) << figure.description;
}

TEST(ImageView, KeepsTheUnitScaleWhereItIsAskedFor) {
    Session session = on_landscape("scaled_dot_product");
    session.figure.range = RangeKind::unit;
    EXPECT_EQ(figure_of(session).panels.front().scale, (ColourScale{"viridis", ScaleKind::linear, 0, 1}));
}

TEST(ImageView, HatchesWhatTheMaskForbids) {
    Session session = on_landscape("swin");  // windows of 2 × 2
    const Panel panel = figure_of(session).panels.front();
    ASSERT_EQ(panel.forbidden.size(), 24u);
    for (std::size_t patch = 0; patch < 24; ++patch) {
        const bool in_window = patch / 6 < 2 && patch % 6 < 2;  // as patch 2,2 is
        EXPECT_EQ(panel.forbidden[patch], !in_window) << patch;
    }
}

TEST(ImageView, ShowsEveryHeadAndTheSelectedOneInFocus) {
    Session session = on_landscape("multi_head", 4);
    session.view.selection.head = 2;
    const Figure figure = figure_of(session);
    ASSERT_EQ(figure.panels.size(), 4u);
    for (Index head = 0; head < 4; ++head) {
        const Panel& panel = figure.panels[static_cast<std::size_t>(head)];
        EXPECT_EQ(panel.head, head);
        EXPECT_EQ(panel.in_focus, head == 2);
        EXPECT_EQ(panel.title, "Head " + std::to_string(head + 1));
        EXPECT_EQ(panel.scale, figure.panels.front().scale);
    }
    EXPECT_TRUE(figure.title.ends_with(": weights, patch 2,2 looks")) << figure.title;
}

TEST(ImageView, LaysAFeatureOfEveryTokenOverTheImage) {
    Session session = on_landscape("scaled_dot_product");
    session.view.selection.stage = "context";
    session.view.selection.feature = 5;
    const Trace trace = run(session);
    const Panel panel = build_figure(trace, view_settings(session), session.sequence.image).panels.front();
    EXPECT_EQ(panel.subtitle, "feature 6 of 64");
    ASSERT_TRUE(panel.overlay);
    EXPECT_FALSE(panel.overlay->is_row);
    const auto context = trace.matrix(*trace.find("context"), 0);
    for (std::size_t patch = 0; patch < 24; ++patch)
        EXPECT_EQ(panel.values[patch], context[patch * 64 + 5]);
}

TEST(ImageView, InCrossAttentionAWordLooks) {
    Session session = on_landscape("cross");
    session.view.selection.query = 1;
    session.view.selection.key = 3;
    const Panel panel = figure_of(session).panels.front();
    EXPECT_EQ(panel.subtitle, "“red” looks");
    EXPECT_FALSE(panel.overlay->patches_look);
    EXPECT_EQ(panel.overlay->line, 1);
    EXPECT_EQ(panel.overlay->outlined, 3);
    session.view.selection.stage = "query";  // of words
    EXPECT_EQ(figure_of(session).panels.front().stage, "weights");
}

TEST(ImageView, ItsNumbersAreAGrid) {
    const std::string csv = to_csv(figure_of(on_landscape("scaled_dot_product")));
    EXPECT_TRUE(csv.starts_with(",1,2,3,4,5,6\r\n1,")) << csv.substr(0, 60);
    EXPECT_EQ(std::ranges::count(csv, '\n'), 5);
}

TEST(ImageView, ClampsSelectionsThatAreElsewhere) {
    for (const char* stage : {"weights", "scores", "query", "context", "row_sum", "output", "nothing"}) {
        Session session = on_landscape("multi_head", 2);
        session.view.selection = {"", stage, 99, 99'999, 99'999, 99'999};
        EXPECT_NO_THROW(figure_of(session)) << stage;
    }
}

TEST(ImageView, RefusesWhatIsNoImage) {
    const Session session = on_landscape("scaled_dot_product");
    const Trace trace = run(session);
    expect_refusal([&] { build_figure(trace, view_settings(session)); }, {"an image"});
    PatchedPicture other = session.sequence.image;
    other.columns = 5;
    expect_refusal([&] { build_figure(trace, view_settings(session), other); }, {"15 patches", "none"});
}

}  // namespace

}  // namespace headlight::build_figure_image_test
