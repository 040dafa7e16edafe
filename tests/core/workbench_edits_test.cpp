// What each edit is called, what becomes of the session, and with what it becomes one step.

#include "core/io/session_model.h"
#include "core/io/shipped_models.h"
#include "core/tensor/error.h"
#include "core/workbench/capture_edits.h"
#include "core/workbench/comparison_edits.h"
#include "core/workbench/edit_step.h"
#include "core/workbench/figure_edits.h"
#include "core/workbench/intervention_edits.h"
#include "core/workbench/mask_edits.h"
#include "core/workbench/mechanism_edits.h"
#include "core/workbench/model_edits.h"
#include "core/workbench/parameter_edits.h"
#include "core/workbench/run_session.h"
#include "core/workbench/sequence_edits.h"
#include "core/workbench/session_edits.h"
#include "tests/support/sample_pictures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace headlight::workbench_edits_test { namespace {

Session with_knobs() {
    Session session = example_session();
    session.mechanism = "multi_head";
    session.values["heads"] = Index(4);
    session.drawn_mask = std::make_shared<const MatrixMask>();
    session.edited["W_q"] = std::make_shared<const Tensor>(Shape{2, 2}, 1.0);
    session.equated["W_k"] = "identity";
    session.compared = {{"additive", {}, {}}, {"scaled_dot_product", {}, {}}};
    session.figure.options.digits = 3;
    session.figure.pinned = {{"", 1}};
    session.figure.hidden_keys = {2};
    session.view.theme = FigureTheme::dark;
    return session;
}

Session with_own_mechanism() {
    Session session = with_knobs();
    adopt(session, {"Mine", session_spec(example_session())});
    return session;
}

/// Three numbers a token, which the eight heads of the catalogue do not divide.
Session with_own_of_narrow_tokens() {
    Session session = example_session();
    session.sequence.vectors.dimension = 3;
    return build_own(choose_mechanism(std::move(session), mechanism("multi_head")).after, "Mine").after;
}

Session with_file() {
    Session session = with_knobs();
    session.sequence.file = std::make_shared<const Inputs>();
    session.sequence.file_name = "vectors.csv";
    return session;
}

Session with_capture() {
    Session session = example_session();
    session.capture = SessionCapture{"layer0.npz", TokenUnit::token, TokenSpelling::text};
    return session;
}

Session with_translator() {
    const std::string name = "dates-additive-gru";
    Session session = with_model(example_session(), name, *open_model(name).model);
    session.model->request.source = "28 July 2008";
    session.model->request.chosen = {"1"};
    return session;
}

struct Row {
    const char* id;
    Session (*begin)();
    std::function<Edit(const Session&)> edit;
    const char* name;
    const char* merge;
    std::function<bool(const Session& after)> is_done;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.id; }

Tensor two_by_two() { return Tensor({2, 2}, 0.5); }

const std::vector<Row>& rows() {
    using S = const Session&;
    using Way = WordChoice::Way;
    static const std::vector<Row> all{
        {"query", with_knobs, [](S s) { return type_query(s, "one two"); }, "Type the query", "query_text:1",
         [](S s) { return s.sequence.query_text == "one two"; }},
        {"key", with_knobs, [](S s) { return type_key(s, "one"); }, "Type the key", "key_text:0",
         [](S s) { return s.sequence.key_text == "one"; }},
        {"split", with_knobs, [](S s) { return choose_split(s, TokenSplit::characters, "Characters"); },
         "Split into characters", "", [](S s) { return s.sequence.split == TokenSplit::characters; }},
        {"vectors", with_knobs, [](S s) { return choose_vectors(s, VectorKind::hashed, "Hashed"); },
         "Vectors: hashed", "", [](S s) { return s.sequence.vectors.kind == VectorKind::hashed; }},
        {"dimension", with_knobs, [](S s) { return set_dimension(s, 12, 7); }, "Dimension 12", "dimension#7",
         [](S s) { return s.sequence.vectors.dimension == 12; }},
        {"reduction", with_knobs, [](S s) { return choose_reduction(s, Reduction::project, "Project"); },
         "Shorten: project", "", [](S s) { return s.sequence.vectors.reduction == Reduction::project; }},
        {"vector_seed", with_knobs, [](S s) { return seed_vectors(s, 9); }, "Seed of the token vectors",
         "vector_seed", [](S s) { return s.sequence.vectors.seed == 9; }},
        {"positions", with_knobs, [](S s) { return add_positions(s, true); }, "Add positions", "",
         [](S s) { return s.position == PositionType::sinusoidal; }},
        {"paste", with_knobs, [](S s) { return paste_image(s, cut(samples::landscape())); }, "Paste an image",
         "", [](S s) { return s.sequence.image && s.sequence.image_name == "Pasted image"; }},
        {"picture", with_knobs, [](S s) { return show_example_picture(s, cut(samples::landscape())); },
         "Example picture", "", [](S s) { return s.view.selection.key == 6 * s.sequence.image.columns + 2; }},
        {"file", with_file, [](S s) { return leave_file(s); }, "Back to text", "",
         [](S s) { return !s.sequence.file && s.sequence.file_name.empty(); }},

        {"origin", with_knobs, [](S s) { return choose_origin(s, ParameterOrigin::identity, "Identity"); },
         "Parameters: identity", "", [](S s) { return s.origin == ParameterOrigin::identity; }},
        {"seed", with_knobs, [](S s) { return seed_parameters(s, 5); }, "Seed of the parameters", "seed",
         [](S s) { return s.seed == 5; }},
        {"again", with_knobs, [](S s) { return draw_parameters_again(s); }, "Draw the parameters again", "",
         [](S s) { return s.seed == example_session().seed + 1; }},
        {"number", with_knobs, [](S s) { return edit_parameter(s, "W_k", two_by_two(), 2, 3); },
         "Edit W_k[3, 4]", "", [](S s) { return s.edited.contains("W_k") && !s.equated.contains("W_k"); }},
        {"forget", with_knobs, [](S s) { return forget_edits_of(s, "W_q"); }, "Undo edits of W_q", "",
         [](S s) { return s.edited.empty() && s.equated.contains("W_k"); }},

        {"mask", with_knobs, [](S s) { return forget_drawn_mask(s); }, "Forget the drawn mask", "",
         [](S s) { return !s.drawn_mask; }},
        {"draw", with_file, [](S s) { return draw_mask(s, std::make_shared<const MatrixMask>()); },
         "Draw the mask", "", [](S s) { return bool(s.drawn_mask); }},
        {"order", with_knobs,
         [](S s) { return choose_mask_order(s, MaskOrder::before_scale, "before the scale"); },
         "Mask before the scale", "", [](S s) { return s.mask_order == MaskOrder::before_scale; }},
        {"finite", with_knobs, [](S s) { return forbid_with_infinity(s, false); }, "Forbid with a number", "",
         [](S s) { return s.mask_value == teaching_mask_value; }},
        {"value", with_knobs, [](S s) { return set_mask_value(s, -9); }, "Mask value", "mask_value",
         [](S s) { return s.mask_value == -9; }},

        {"choose", with_own_mechanism, [](S s) { return choose_mechanism(s, mechanism("additive")); },
         "Choose Additive attention", "",
         [](S s) { return s.mechanism == "additive" && !s.custom && !s.drawn_mask && s.equated.empty(); }},
        {"choose_own", with_knobs,
         [](S s) {
             return choose_own_mechanism(s, {"Mine", session_spec(example_session())});
         },
         "Choose Mine", "", [](S s) { return s.custom && s.equated.empty(); }},
        {"example", with_file, [](S s) { return show_example(s); }, "Show the example", "",
         [](S s) {
             return !s.sequence.file && s.sequence.query_text == mechanism("multi_head").example.query;
         }},
        {"knob", with_knobs,
         [](S s) {
             const auto& knobs = mechanism("multi_head").parameters;
             const auto heads = std::ranges::find(knobs, "heads", &MechanismParameter::name);
             return set_knob(s, *heads, heads->standard, "heads#1");
         },
         "Change heads", "heads#1", [](S s) { return s.values.empty(); }},
        {"reset_knobs", with_knobs, [](S s) { return reset_knobs(s); }, "Reset to defaults", "",
         [](S s) { return s.values.empty(); }},
        {"build", with_knobs, [](S s) { return build_own(s, "My own"); }, "Build your own", "",
         [](S s) { return s.custom && s.custom->name == "My own" && s.values.empty(); }},
        {"mine", with_own_mechanism,
         [](S s) {
             return make_own(s, "Another", {formula_in_place_of({}), "", {{"W_1", two_by_two()}}});
         },
         "Make it mine", "", [](S s) { return s.custom->name == "Mine" && s.edited.contains("W_1"); }},
        {"compose", with_own_mechanism,
         [](S s) {
             return compose_own(
                 s, "Score", [](AttentionSpec& spec) { spec.score.type = ScoreType::dot; }, "k");
         },
         "Compose the score", "k", [](S s) { return s.custom->spec.score.type == ScoreType::dot; }},
        {"formula", with_own_mechanism, [](S s) { return write_formula(s); }, "Write a formula", "",
         [](S s) { return s.custom->spec.algorithm.type == AlgorithmType::formula; }},
        {"type_formula", with_own_mechanism,
         [](S s) { return type_formula(write_formula(s).after, "scores = q @ k.T"); }, "Type the formula",
         "own_formula_text:3",
         [](S s) { return s.custom->spec.algorithm.options.at("text") == OptionValue("scores = q @ k.T"); }},
        {"rename", with_own_mechanism, [](S s) { return rename_own(s, "Ours"); }, "Rename", "own_name",
         [](S s) { return s.custom->name == "Ours"; }},
        {"leave_own", with_own_mechanism, [](S s) { return leave_own(s); }, "Back to the catalogue", "",
         [](S s) { return !s.custom; }},
        {"leave_own_of_narrow_tokens", with_own_of_narrow_tokens, [](S s) { return leave_own(s); },
         "Back to the catalogue", "",
         [](S s) { return !s.custom && s.values == ParameterValues{{"heads", Index(3)}}; }},

        {"head", with_capture, [](S s) { return look_at_captured_head(s, "layer1.npz", "layer 2, head 1"); },
         "Look at layer 2, head 1", "", [](S s) { return s.capture->file == "layer1.npz"; }},
        {"unit", with_capture, [](S s) { return choose_unit(s, TokenUnit::word, "Word"); }, "Units: word", "",
         [](S s) { return s.capture->unit == TokenUnit::word; }},
        {"spelling", with_capture, [](S s) { return choose_spelling(s, TokenSpelling::stored, "As stored"); },
         "Tokens: as stored", "", [](S s) { return s.capture->spelling == TokenSpelling::stored; }},

        {"beside", with_file, [](S s) { return compare_mechanism(s, mechanism("additive")); },
         "Compare with Additive attention", "",
         [](S s) { return s.compared.back().mechanism == "additive" && s.view.view == ViewKind::compare; }},
        {"beside_own", with_knobs,
         [](S s) {
             return compare_own_mechanism(s, {"Mine", session_spec(example_session())});
         },
         "Compare with Mine", "", [](S s) { return bool(s.compared.back().custom); }},
        {"text", with_knobs, [](S s) { return compare_with_text(s); }, "Compare with another text", "",
         [](S s) { return s.counterpart->value == s.sequence.query_text && s.figure.differences; }},
        {"other_text", with_knobs, [](S s) { return type_other_text(s, "a b c"); }, "Type the other text",
         "other_text:2", [](S s) { return s.counterpart->value == "a b c"; }},
        {"other_model", with_translator, [](S s) { return compare_with_model(s, "sorting", "Sorting"); },
         "Compare with Sorting", "",
         [](S s) { return s.counterpart->kind == Counterpart::Kind::model && s.figure.differences; }},
        {"end", [] { return compare_with_text(with_knobs()).after; }, [](S s) { return end_comparison(s); },
         "End the comparison", "", [](S s) { return !s.counterpart && !s.figure.differences; }},

        {"values", with_knobs, [](S s) { return show_values(s, false); }, "Hide values", "",
         [](S s) { return !s.figure.values_in_cells; }},
        {"differences", with_knobs, [](S s) { return show_differences(s, true); }, "Show the difference", "",
         [](S s) { return s.figure.differences; }},
        {"switch", with_knobs,
         [](S s) { return turn_in_figure(s, "Own scales", &FigureSettings::own_scales, true); },
         "Show own scales", "", [](S s) { return s.figure.own_scales; }},
        {"word", with_knobs,
         [](S s) { return choose_in_figure<std::string>(s, "Magma", &FigureSettings::colour_map, "magma"); },
         "Magma", "", [](S s) { return s.figure.colour_map == "magma"; }},
        {"fitted", with_knobs, [](S s) { return fit_range(s); }, "Scale: Fitted", "",
         [](S s) { return s.figure.range == ColourRange(RangeKind::fitted); }},
        {"log", with_knobs, [](S s) { return choose_logarithmic_scale(s); }, "Scale: Log", "",
         [](S s) { return s.figure.scale == ScaleKind::logarithmic; }},
        {"range", with_knobs,
         [](S s) { return choose_range_of(s, ColourRange(RangeKind::percentiles), "a.png"); },
         "Range as in a.png", "", [](S s) { return !(s.figure.range == FigureSettings().range); }},
        {"heads", with_knobs,
         [](S s) {
             return draw_heads(s, {0, 2});
         },
         "Draw heads 1 and 3", "",
         [](S s) {
             return s.figure.options.heads == std::vector<Index>{0, 2};
         }},
        {"hide", with_knobs, [](S s) { return hide_keys(s, "Show all", {}); }, "Show all", "",
         [](S s) { return s.figure.hidden_keys.empty(); }},
        {"pin", with_knobs,
         [](S s) {
             return turn_pin(s, {"", 0});
         },
         "Pin head 1", "", [](S s) { return s.figure.pinned.size() == 2; }},
        {"unpin", with_knobs,
         [](S s) {
             return turn_pin(s, {"", 1});
         },
         "Unpin head 2", "", [](S s) { return s.figure.pinned.empty(); }},
        {"reset_figure", with_knobs, [](S s) { return reset_figure(s); }, "Reset the figure", "",
         [](S s) { return s.figure.options == FigureOptions(); }},

        {"source", with_translator, [](S s) { return type_source(s, "1 May 1999"); }, "Type the source",
         "model_source:2",
         [](S s) { return s.model->request.source == "1 May 1999" && s.model->request.chosen.empty(); }},
        {"target", with_translator, [](S s) { return type_target(s, "1999"); }, "Type the target",
         "model_target:0", [](S s) { return s.model->request.target == "1999"; }},
        {"own_words", with_translator, [](S s) { return leave_words_to_model(s); }, "Its own words", "",
         [](S s) { return s.model->request.chosen.empty(); }},
        {"way", with_translator,
         [](S s) { return change_word_choice(s, "Beam of 3", {.way = Way::beam, .beam_width = 3}, "b#1"); },
         "Beam of 3", "b#1", [](S s) { return s.model->request.choice.beam_width == 3; }},
        {"run_model", with_translator,
         [](S s) {
             return run_model(s, "translate-transformer", *open_model("translate-transformer").model);
         },
         "Run English to French, Transformer", "",
         [](S s) { return s.model->name == "translate-transformer"; }},
        {"leave_model", with_translator, [](S s) { return leave_model(s); }, "Back to the mechanism", "",
         [](S s) { return s.runs_mechanism(); }},

        {"new", with_file, [](S s) { return start_over(s); }, "New session", "",
         [](S s) { return same_edits(s, example_session()) && s.view.theme == FigureTheme::dark; }},
        {"three", with_file, [](S s) { return show_three_words(s); }, "Three words", "",
         [](S s) { return s.sequence.vectors.dimension == 3 && s.view.theme == FigureTheme::dark; }},
        {"stop", with_file, [](S s) { return show_tour_stop(s, mechanism("additive")); },
         "A stop of the tour", "", [](S s) { return s.mechanism == "additive" && s.figure.values_in_cells; }},
        {"sentence", with_file, [](S s) { return write_own_sentence(s); }, "A sentence of your own", "",
         [](S s) { return !s.sequence.file && s.view.selection.stage == "weights"; }},
    };
    return all;
}

class Edits : public testing::TestWithParam<Row> {};

TEST_P(Edits, HaveANameAndAnEffectThatComesBack) {
    const Row& row = GetParam();
    const Session before = row.begin();
    const Edit edit = row.edit(before);
    EXPECT_EQ(edit.name, row.name);
    EXPECT_EQ(edit.merge, row.merge);
    EXPECT_TRUE(row.is_done(edit.after));
    EXPECT_FALSE(same_edits(before, edit.after));
    const EditStep step(before, edit);
    EXPECT_TRUE(same_edits(step.undone(edit.after), before));
    EXPECT_TRUE(same_edits(step.done(before), edit.after));
}

INSTANTIATE_TEST_SUITE_P(All, Edits, testing::ValuesIn(rows()),
                         [](const auto& row) { return std::string(row.param.id); });

TEST(ModelEdits, StayInTheViewThatWasChosenForAnotherModel) {
    const auto after = [](Session session, ViewKind kind, const std::string& name) {
        session.view.view = kind;
        return run_model(session, name, *open_model(name).model).after.view.view;
    };
    const std::string other = "translate-transformer";
    for (const ViewKind kind : {ViewKind::map, ViewKind::stages, ViewKind::grid, ViewKind::heatmap})
        EXPECT_EQ(after(with_translator(), kind, other), kind);
    // Where another model's first view was chosen, or one that no model has, the first of this one is shown.
    for (const ViewKind kind : {ViewKind::steps, ViewKind::image})
        EXPECT_EQ(after(with_translator(), kind, other), ViewKind::steps);
    // Who looked at a mechanism is shown what a model does.
    EXPECT_EQ(after(example_session(), ViewKind::map, other), ViewKind::steps);
}

TEST(EditsOfWhatIsNotThere, ChangeNothing) {
    const Session session = with_knobs(), own = with_own_mechanism();
    const std::map<std::string, Edit> edits{
        {"own name", rename_own(session, "Ours")}, {"formula", type_formula(session, "scores = 0")},
        {"no name", rename_own(own, "")},          {"head", look_at_captured_head(session, "a", "b")},
        {"weight", set_weight(session, {})},       {"source", type_source(session, "x")},
        {"target", type_target(session, "x")},     {"own words", leave_words_to_model(session)},
    };
    for (const auto& [what, edit] : edits)
        EXPECT_TRUE(same_edits(edit.after, what == "no name" ? own : session)) << what;
}

TEST(MechanismEdits, OfAFormulaAreUndoneWordByWord) {
    const Session session = write_formula(with_own_mechanism()).after;
    const auto key = [&](const char* text) { return type_formula(session, text).merge; };
    EXPECT_EQ(key("soft"), key("softmax"));
    EXPECT_EQ(key("softmax"), key("softmax("));  // with the signs behind it
    EXPECT_NE(key("softmax("), key("softmax(q"));
    EXPECT_NE(key("a\n"), key("a\nb"));
    EXPECT_EQ(key("q @ k."), key("q @ k.T"));
    EXPECT_EQ(key("# pr"), key("# pr\u00fcfen"));
}

// The picture of the token vectors would be the same as before.
TEST(MechanismEdits, ShowWhereTheChoiceMakesADifference) {
    const auto at = [](Session session, const char* stage) {
        session.view.selection.stage = stage;
        return session;
    };
    const auto seen = [](const Edit& edit) { return edit.after.view.selection.stage; };
    const Mechanism& other = mechanism("window");
    for (const char* stage : {"tokens", "key_tokens", "value_tokens"}) {
        const Session before = at(with_knobs(), stage);
        EXPECT_EQ(seen(choose_mechanism(before, other)), "weights") << stage;
        EXPECT_EQ(seen(choose_own_mechanism(before, *with_own_mechanism().custom)), "weights") << stage;
        EXPECT_EQ(seen(choose_mechanism(before, mechanism(before.mechanism))), stage) << "the same again";
        EXPECT_EQ(seen(choose_mechanism(at(with_own_mechanism(), stage), mechanism("multi_head"))),
                  "weights");
    }
    for (const char* stage : {"query", "masked_scores", "output"})
        EXPECT_EQ(seen(choose_mechanism(at(with_knobs(), stage), other)), stage);
}

TEST(ComparisonEdits, NameWhoComesAndGoes) {
    const Session session = with_knobs();
    const Edit removed = remove_compared(session, 0);
    EXPECT_EQ(removed.name, "Remove " + comparison_names(session)[1]);
    ASSERT_EQ(removed.after.compared.size(), 1U);
    EXPECT_EQ(removed.after.compared[0].mechanism, "scaled_dot_product");
    const Edit turned = use_as_main(session, 0);
    EXPECT_EQ(turned.name, "Use " + comparison_names(session)[1] + " as main");
    EXPECT_EQ(turned.after.mechanism, "additive");
    EXPECT_EQ(turned.after.compared[0].mechanism, "multi_head");
}

TEST(FigureEdits, PinAsManyMapsAsThereIsRoomFor) {
    Session session = with_knobs();
    for (Index head = 0; head < 3 * most_pinned; ++head)
        if (!is_pinned(session, {"", head}))
            session = turn_pin(session, {"", head}).after;
    EXPECT_EQ(std::ssize(session.figure.pinned), most_pinned);
    EXPECT_FALSE(can_pin_more(session));
}

TEST(SequenceEdits, GiveOneHotVectorsAnAxisForEveryToken) {
    Session session = with_knobs();
    session.sequence.query_text = "a b c a";
    session.sequence.key_text = "c d";
    session.sequence.vectors.dimension = 2;
    EXPECT_EQ(choose_vectors(session, VectorKind::one_hot, "One-hot").after.sequence.vectors.dimension, 4);
    session.sequence.query_text.clear();  // refused where it is run
    EXPECT_EQ(choose_vectors(session, VectorKind::one_hot, "One-hot").after.sequence.vectors.dimension, 2);
}

/// A model that has said something, once for all tests.
const Run& said() {
    static const std::shared_ptr<const Run> run = [] {
        Session session = with_translator();
        session.model->request.chosen.clear();
        OpenModels models;
        return generate_run(std::make_shared<const Session>(session), models);
    }();
    return *run;
}

TEST(ModelEdits, ChooseAWordAndLeaveWhatTheModelWouldSayAnyway) {
    const Transcript& transcript = *said().transcript;
    const auto& choices = transcript.steps[1].choices;
    ASSERT_GE(choices.size(), 2U);
    const Edit other = choose_word(*said().session, transcript, 1, choices[1].word);
    EXPECT_EQ(other.after.model->request.chosen,
              (std::vector<std::string>{transcript.steps[0].said, choices[1].word}));
    EXPECT_TRUE(other.name.starts_with("Choose “")) << other.name;
    const Edit same = choose_word(*said().session, transcript, 1, choices[0].word);
    EXPECT_TRUE(same.after.model->request.chosen.empty());
    EXPECT_TRUE(same_edits(choose_word(*said().session, transcript, 99, "x").after, *said().session));
}

TEST(ModelEdits, ForgetChangesInsideWithOtherWordsAlone) {
    Session session = *said().session;
    session = intervene(session, "Mute a head", {.kind = Intervention::Kind::mute_head}).after;
    ASSERT_EQ(session.model->request.interventions.size(), 1U);
    EXPECT_EQ(intervene(session, "Again", {.kind = Intervention::Kind::mute_head})
                  .after.model->request.interventions.size(),
              1U);
    const Session spaced = type_source(session, "  28\tJuly \u00a0 2008 ").after;
    EXPECT_EQ(spaced.model->request.interventions.size(), 1U);
    EXPECT_FALSE(has_lost_interventions(session, spaced));
    const Session other = type_source(session, "28 June 2008").after;
    EXPECT_TRUE(other.model->request.interventions.empty());
    EXPECT_TRUE(has_lost_interventions(session, other));
    const Edit back = take_back(session, 0, "a head is mute");
    EXPECT_EQ(back.name, "Take back: a head is mute");
    EXPECT_TRUE(back.after.model->request.interventions.empty());
}

TEST(ModelEdits, SetAWeightInPlaceOfWhatWasSetThere) {
    Intervention weight{.kind = Intervention::Kind::set_weight};
    weight.site = "decoder";
    weight.step = 2;
    weight.key = 3;
    weight.weight = 0.5;
    const Session once = set_weight(*said().session, weight).after;
    weight.weight = 0.75;
    const Edit twice = set_weight(once, weight, weight_key(weight));
    EXPECT_EQ(twice.merge, "weight:decoder/0/2/3");
    ASSERT_EQ(twice.after.model->request.interventions.size(), 1U);
    EXPECT_EQ(twice.after.model->request.interventions[0].weight, 0.75);
}

}}  // namespace headlight::workbench_edits_test
