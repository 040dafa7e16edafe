#include "core/io/drawn_weights.h"

#include "core/io/figure_source.h"
#include "core/io/mechanism_example.h"
#include "core/io/session_run.h"

#include <gtest/gtest.h>

namespace headlight::drawn_weights_test { namespace {

Session session_of(const char* mechanism) {
    Session session = example_session();
    session.mechanism = mechanism;
    session.sequence.vectors.kind = VectorKind::hashed;
    session.seed = 7;
    return session;
}

const std::string note = "Random weights, seed 7: see the shape, not the words";

TEST(DrawnWeights, ArePointedOutWhereverTheSeedMadeThem) {
    EXPECT_EQ(run_session(session_of("multi_head")).random_weights, note);
    EXPECT_EQ(run_session(session_of("additive")).random_weights, note);
    EXPECT_EQ(run_session(session_of("scaled_dot_product")).random_weights, "");  // has no parameters
}

TEST(DrawnWeights, AreNoneWhereEveryParameterIsGiven) {
    Session session = session_of("multi_head");
    session.origin = ParameterOrigin::identity;
    EXPECT_EQ(run_session(session).random_weights, "");
    session = session_of("self_attention");
    const Plan drawn = plan(session_spec(session), session_inputs(session), {.seed = session.seed});
    for (const ParameterInfo& parameter : drawn.parameters) {
        EXPECT_EQ(random_weights_note(session, drawn), note) << "without " << parameter.name;
        session.edited[parameter.name] = std::make_shared<const Tensor>(drawn.parameter(parameter.name));
    }
    EXPECT_EQ(random_weights_note(session, drawn), "");
}

TEST(DrawnWeights, AreNotInTheExampleOfHeads) {
    EXPECT_EQ(run_session(mechanism_example(mechanism("multi_head"))).random_weights, "");
}

TEST(DrawnWeights, OfAComparedMechanismAreToldWhereItIsShown) {
    Session session = session_of("scaled_dot_product");
    session.compared = {{.mechanism = "multi_head", .values = {}}};
    const FigureSource source = source_of(session);
    ViewSettings view = source.view;
    view.view = ViewKind::heatmap;
    EXPECT_EQ(plain_figure(source, view).caption.find("Random"), std::string::npos) << "its own has none";
    view.view = ViewKind::compare;
    const std::string named =
        "Random weights in " + mechanism("multi_head").name + ", seed 7: see the shape, not the words.";
    EXPECT_EQ(plain_figure(source, view).caption.find(named), 0u) << plain_figure(source, view).caption;
    session.mechanism = "additive";
    const FigureSource both = source_of(session);
    EXPECT_EQ(plain_figure(both, view).caption.find(note), 0u) << "all of them have";
}

TEST(DrawnWeights, StandFirstInTheCaption) {
    Figure figure;
    figure.caption = "Σ: row sums.";
    caption_random_weights(figure, "");
    EXPECT_EQ(figure.caption, "Σ: row sums.");
    caption_random_weights(figure, note);
    EXPECT_EQ(figure.caption, note + ".  Σ: row sums.");
}

}}  // namespace headlight::drawn_weights_test
