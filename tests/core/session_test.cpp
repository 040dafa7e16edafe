// A session file brings everything back, and refuses files that it cannot mean.

#include "core/attention/component.h"
#include "core/attention/spec_json.h"
#include "core/figure/colour.h"
#include "core/io/json_text.h"
#include "core/io/mechanism_example.h"
#include "core/io/session_words.h"
#include "tests/support/refusal.h"

namespace headlight::session_test {

using namespace test;
using nlohmann::json;

namespace {

/// Every field differs from its default.
Session everything() {
    Session session;
    session.sequence.query_text = "der größte Fluß\n[SEP] \"zitiert\"";
    session.sequence.key_text = "le plus grand fleuve";
    session.sequence.split = TokenSplit::characters;
    session.sequence.vectors = {VectorKind::random, 16, Reduction::project, ~std::uint64_t(0)};
    Inputs inputs;
    inputs.query = Tensor({{1, 2}, {3, 0.1}});
    inputs.key = Tensor({{1, -0.0}});
    inputs.tokens.query = {"a", "b"};
    inputs.parameters["W"] = Tensor({{1, 0.1}, {2, 3}});
    session.sequence.file = std::make_shared<const Inputs>(inputs);
    session.sequence.file_name = "inputs.json";
    session.mechanism = "additive";
    session.values = {{"activation", std::string("relu")}, {"bias", true}, {"attention_dimension", Index(5)}};
    session.custom = CustomMechanism{"Meins, größer", {}};
    session.custom->spec.score.type = ScoreType::additive;
    session.model = SessionModel{"dates-additive-gru", {}};
    session.model->request = {.source = "3rd of May 1979",
                              .chosen = {"1", "</s>"},
                              .target = "1979-05-03",
                              .interventions = {{.kind = Intervention::Kind::set_weight,
                                                 .site = "decoder.cross",
                                                 .head = 1,
                                                 .step = 2,
                                                 .key = 3,
                                                 .weight = 0.25,
                                                 .from_head = 4},
                                                {.kind = Intervention::Kind::zero_column,
                                                 .site = "decoder.cross",
                                                 .head = {},
                                                 .step = {},
                                                 .renormalizes = true},
                                                {.kind = Intervention::Kind::mute_head,
                                                 .site = "decoder.0.self",
                                                 .head = {},
                                                 .step = {}}},
                              .choice = {.way = WordChoice::Way::beam,
                                         .beam_width = 7,
                                         .sampling = {.temperature = 0.5, .top_k = 3, .top_p = 0.9},
                                         .seed = ~std::uint64_t(0)},
                              .followed = {"1", "9"}};
    session.drawn_mask = std::make_shared<const MatrixMask>(MatrixMask{{{true, false}, {true, true}}});
    session.origin = ParameterOrigin::identity;
    session.edited["v"] = std::make_shared<const Tensor>(Tensor({3}, {1, 2, 1.0 / 3}));
    session.edited["W_1"] = std::make_shared<const Tensor>(Tensor({{1, 2}, {3, 4}}));
    session.equated = {{"W_o", "identity"}};
    session.seed = ~std::uint64_t(0);
    session.mask_order = MaskOrder::before_scale;
    session.mask_value = -2.5;
    session.position = PositionType::sinusoidal;
    session.compared = {{"causal", {{"key_lengths", Index(2)}}, {}},
                        {"dot", {}, CustomMechanism{"Mine", AttentionSpec()}}};
    session.figure.own_scales = true;
    session.figure.differences = true;
    session.figure.pinned = {{"encoder.0.self", 2}, {"", 0}};
    session.view.view = ViewKind::lines;
    session.view.selection = {"encoder.0.self", "scores", 1, 2, 3, 4};
    session.view.decoding_step = 2;
    session.view.zoom = ZoomedPart{{40, 2.25, 10.5}, {60, 0, 60}};
    session.view.block = CellBlock{"scores", 40, 60, 3, 4, 59, 1};
    session.view.player = PlayMode::head;
    session.view.speed = 0.5;
    session.figure.colour_map = "magma";
    session.figure.scale = ScaleKind::logarithmic;
    session.figure.range = {RangeKind::percentiles, 2.5, 97};
    session.view.theme = FigureTheme::projector;
    session.figure.values_in_cells = false;
    session.exported = ExportOptions{85.5, 1200, 600, true};
    return session;
}

/// Sessions share their large parts by pointer; a session from a file has parts of its own.
void expect_same(const Session& a, const Session& b) {
    EXPECT_EQ(to_json(a), to_json(b));
    EXPECT_EQ(a.values, b.values);
    EXPECT_EQ(a.view, b.view);
    EXPECT_EQ(a.exported, b.exported);
    EXPECT_EQ(a.sequence.vectors, b.sequence.vectors);
    ASSERT_EQ(a.sequence.file == nullptr, b.sequence.file == nullptr);
    if (a.sequence.file) {
        EXPECT_EQ(*a.sequence.file, *b.sequence.file);
    }
    EXPECT_EQ(a.custom, b.custom);
    EXPECT_EQ(a.model, b.model);
    ASSERT_EQ(a.drawn_mask == nullptr, b.drawn_mask == nullptr);
    if (a.drawn_mask) {
        EXPECT_EQ(*a.drawn_mask, *b.drawn_mask);
    }
    ASSERT_EQ(a.edited.size(), b.edited.size());
    for (const auto& [name, tensor] : a.edited)
        EXPECT_EQ(*tensor, *b.edited.at(name));
}

TEST(SessionFile, BringsEveryFieldBack) {
    for (const Session& session : {Session(), example_session(), everything()}) {
        const std::string text = write_session(session);
        expect_same(parse_session(text), session);
        EXPECT_EQ(write_session(parse_session(text)), text);
    }
}

TEST(SessionFile, EveryFieldOfTheSessionIsInTheFile) {
    const json defaults = to_json(Session()), all = to_json(everything());
    for (const auto& [name, value] : defaults.items()) {
        if (name != "format") {
            EXPECT_NE(value, all.at(name)) << name;
        }
    }
    for (const auto& [name, value] : defaults["view"].items())
        EXPECT_NE(value, all["view"].at(name)) << name;
}

TEST(SessionFile, AlmostNothingIsEnough) {
    expect_same(parse_session(R"({"format": "headlight-session/1"})"), Session());
}

TEST(SessionFile, OfAMechanismSaysNothingOfModels) {
    EXPECT_FALSE(to_json(example_session()).contains("model"));
    EXPECT_TRUE(to_json(everything()).contains("model"));
}

TEST(SessionFile, OfACaptureNamesItsFile) {
    Session session;
    session.capture = SessionCapture{"/home/ann/weights.npz", TokenUnit::sentence};
    EXPECT_EQ(to_json(session).at("capture"),
              json({{"file", "/home/ann/weights.npz"}, {"tokens", "text"}, {"units", "sentences"}}));
    EXPECT_EQ(parse_session(write_session(session)), session);
    EXPECT_FALSE(to_json(example_session()).contains("capture"));
}

TEST(SessionFile, SaysWhatItIsComparedWith) {
    Session session;
    session.counterpart = Counterpart{Counterpart::Kind::text, "the dog sat"};
    EXPECT_EQ(to_json(session).at("counterpart"), json({{"kind", "text"}, {"value", "the dog sat"}}));
    EXPECT_EQ(parse_session(write_session(session)), session);
    session.model = SessionModel{"dates-luong", {}};
    session.counterpart = Counterpart{Counterpart::Kind::model, "dates-additive-gru"};
    EXPECT_EQ(parse_session(write_session(session)), session);
    session.model.reset();
    session.capture = SessionCapture{.file = "a.npz"};
    session.counterpart = Counterpart{Counterpart::Kind::capture, "b.npz"};
    EXPECT_EQ(parse_session(write_session(session)), session);
    EXPECT_FALSE(to_json(example_session()).contains("counterpart"));
}

TEST(SessionFile, RefusesACounterpartThatIsNone) {
    const auto with = [](const json& counterpart) {
        json document = to_json(example_session());
        document["counterpart"] = counterpart;
        return [text = document.dump()] { parse_session(text); };
    };
    expect_refusal(with(3), {"/counterpart", "an object", "3"});
    expect_refusal(with({{"kind", "model"}, {"value", "x"}}),
                   {"/counterpart/kind", "\"text\", as a mechanism attends", "\"model\""});
    json captured = to_json(example_session());
    captured["capture"] = {{"file", "x.npz"}};
    captured["counterpart"] = {{"kind", "capture"}};
    expect_refusal([&] { parse_session(captured.dump()); },
                   {"/counterpart/value", "a name or a path", "nothing"});
    expect_refusal(with({{"kind", "text"}}), {"/counterpart/value", "a text", "nothing"});
    expect_refusal(with({{"value", "the dog sat"}}), {"/counterpart/kind", "\"text\"", "nothing"});
    expect_refusal(with(json::object()), {"/counterpart/kind", "\"text\"", "nothing"});
}

TEST(SessionFile, RefusesACaptureThatIsNone) {
    const auto with = [](const json& capture) {
        json document = to_json(example_session());
        document["capture"] = capture;
        return [text = document.dump()] { parse_session(text); };
    };
    expect_refusal(with(3), {"/capture", "an object", "3"});
    expect_refusal(with(json::object()), {"/capture/file", "the path of a capture", "none"});
    json both = to_json(everything());
    both["capture"] = {{"file", "x.npz"}};
    expect_refusal([&] { parse_session(both.dump()); }, {"/capture", "a model or a capture", "both"});
}

TEST(SessionFile, NamesZoomAndPlayerWhereSomebodyChoseThem) {
    const json plain = to_json(Session())["view"], chosen = to_json(everything())["view"];
    EXPECT_FALSE(plain.contains("zoom") || plain.contains("player") || plain.contains("speed"));
    EXPECT_EQ(chosen["player"], "head");
    EXPECT_EQ(chosen["speed"], 0.5);
    EXPECT_EQ(chosen["zoom"]["rows"], json({{"of", 40}, {"first", 2.25}, {"count", 10.5}}));
}

TEST(SessionFile, RefusesAZoomOutOfReach) {
    const auto with = [](const json& rows) {
        json document = to_json(everything());
        document["view"]["zoom"]["rows"] = rows;
        return [text = document.dump()] { parse_session(text); };
    };
    EXPECT_NO_THROW(with({{"of", 9}, {"first", 2}, {"count", 3.5}})());
    expect_refusal(with(1), {"/view/zoom/rows", "an object", "1"});
    expect_refusal(with({{"of", -1}}), {"/view/zoom/rows/of", "-1"});
    expect_refusal(with({{"of", 1e300}}), {"/view/zoom/rows/of", "1e+300"});
    expect_refusal(with({{"of", 9}, {"first", 10}}), {"/view/zoom/rows/first", "from 0 to 9", "10"});
    expect_refusal(with({{"of", 9}, {"count", -0.5}}), {"/view/zoom/rows/count", "from 0 to 9", "-0.5"});
    json document = to_json(everything());
    document["view"]["player"] = "row";
    expect_refusal([&] { parse_session(document.dump()); }, {"/view/player", "stage", "row"});
    document["view"]["player"] = "head";
    document["view"]["speed"] = 0;
    expect_refusal([&] { parse_session(document.dump()); }, {"/view/speed", "from 0.1 to 10", "0.0"});
}

TEST(SessionFile, RefusesWhatNoModelCouldBeAsked) {
    const auto with = [](const json& model) {
        json document = to_json(example_session());
        document["model"] = model;
        return [text = document.dump()] { parse_session(text); };
    };
    const auto intervened = [&](const json& intervention) {
        return with({{"name", "x"}, {"interventions", json::array({intervention})}});
    };
    expect_refusal(with(3), {"/model", "an object", "3"});
    expect_refusal(with(json::object()), {"/model/name", "the name of a model", "none"});
    expect_refusal(with({{"name", 1}}), {"/model/name", "a string"});
    expect_refusal(with({{"name", "x"}, {"chosen", {"a", 2}}}), {"/model/chosen/1", "a string", "2"});
    expect_refusal(with({{"name", "x"}, {"chosen", std::vector<std::string>(1001, "a")}}),
                   {"/model/chosen", "at most 1000", "1001"});
    expect_refusal(with({{"name", "x"}, {"target", 1}}), {"/model/target", "a string"});
    EXPECT_NO_THROW(with({{"name", "x"}, {"beam", 4}})());  // of a later version
    expect_refusal(with({{"name", "x"}, {"interventions", 1}}), {"/model/interventions", "a list"});
    expect_refusal(intervened({{"kind", "explode"}}), {"/model/interventions/0/kind", "zero_column"});
    expect_refusal(intervened({{"key", -1}}), {"/model/interventions/0/key", "-1"});
    expect_refusal(intervened({{"step", -1}}), {"/model/interventions/0/step", "-1"});
    expect_refusal(intervened({{"weight", 1.5}}), {"/model/interventions/0/weight", "from 0 to 1", "1.5"});
    expect_refusal(intervened({{"kind", "mute_head"}, {"renormalizes", true}}),
                   {"/model/interventions/0/renormalizes", "no weight"});
    expect_refusal(intervened({{"heads", 1}}), {"/model/interventions/0", "heads"});
    const auto chosen = [&](const json& choice) { return with({{"name", "x"}, {"choice", choice}}); };
    expect_refusal(chosen({{"way", "guess"}}), {"/model/choice/way", "beam"});
    expect_refusal(chosen({{"beam_width", 0}}), {"/model/choice/beam_width", "0"});
    expect_refusal(chosen({{"temperature", -1}}), {"/model/choice/temperature", "from 0 to 1000", "-1"});
    expect_refusal(chosen({{"top_p", 2}}), {"/model/choice/top_p", "from 0 to 1", "2"});
    expect_refusal(chosen({{"beam", 2}}), {"/model/choice", "beam"});
    expect_refusal(with({{"name", "x"}, {"followed", {1}}}), {"/model/followed/0", "a string"});
}

TEST(SessionFile, FieldsOfLaterVersionsAreIgnored) {
    json document = to_json(everything());
    document["lesson"] = "later";
    document["view"]["projection"] = 1;
    document["sequence"]["vectors"]["centred"] = true;
    expect_same(session_from_json(document), everything());
}

TEST(SessionFile, ADocumentThatWasNeverPutInWordsIsRead) {
    Session session = everything();
    session.figure.hidden_keys = {0, 2};
    session.figure.options.heads = {1, 0};
    expect_same(session_from_json(to_json(session)), session);
}

TEST(SessionFile, AWholeNumberIsARealOneWhereTheMechanismHasOne) {
    const Session session = parse_session(
        R"({"format": "headlight-session/1", "mechanism": "soft", "values": {"temperature": 2}})");
    EXPECT_EQ(session.values.at("temperature"), ParameterValue(2.0));
}

struct Refused {
    const char* fields;
    std::vector<std::string> parts;
};

class SessionRefusal : public testing::TestWithParam<Refused> {};

TEST_P(SessionRefusal, SaysWhere) {
    const std::string text = R"({"format": "headlight-session/1", )" + std::string(GetParam().fields) + "}";
    expect_refusal([&] { parse_session(text); }, GetParam().parts);
}

INSTANTIATE_TEST_SUITE_P(
    All, SessionRefusal,
    testing::Values(
        Refused{R"("mechanism": "sclaed_dot_product")",
                {"/mechanism", "\"scaled_dot_product\" or another", "did you mean \"scaled_dot_product\"?"}},
        Refused{R"("mechanism": 3)", {"/mechanism", "a string"}},
        Refused{R"("view": {"pinned": [{"head": -1}]})", {"/view/pinned/0", "head", "-1"}},
        Refused{R"("view": {"pinned": {"head": 1}})", {"/view/pinned", "at most 8 maps"}},
        Refused{R"("view": {"block": {"stage": "weights", "rows": {"of": 4, "first": 2, "count": 3},
                                      "columns": {"of": 4, "first": 2, "count": 1}}})",
                {"/view/block/rows", "count", "3"}},
        Refused{R"("view": {"block": {}})", {"/view/block/stage", "the stage", "nothing"}},
        Refused{R"("view": {"block": {"stage": "weights", "rows": {"of": 4, "first": 2, "count": 1}}})",
                {"/view/block/columns", "of, first and count", "nothing"}},
        Refused{R"("view": {"block": {"stage": "weights", "rows": {"of": 4, "count": 1}, "columns": {}}})",
                {"/view/block/rows/first", "a number of cells", "nothing"}},
        Refused{R"("values": {"temprature": 1}, "mechanism": "soft")",
                {"/values", "did you mean \"temperature\"?"}},
        Refused{R"("values": {"temperature": -1}, "mechanism": "soft")", {"/values", "temperature", "-1"}},
        Refused{R"("values": {"temperature": []}, "mechanism": "soft")", {"/values/temperature", "a list"}},
        Refused{R"("values": [])", {"/values", "an object"}},
        Refused{R"("sequence": 1)", {"/sequence", "an object"}},
        Refused{R"("sequence": {"query_text": 1})", {"/sequence/query_text", "a string"}},
        Refused{R"("sequence": {"split": "letters"})", {"/sequence/split", "\"words\" or \"characters\""}},
        Refused{R"("sequence": {"vectors": {"kind": "french"}})", {"/sequence/vectors/kind", "\"english\""}},
        Refused{R"("sequence": {"vectors": {"dimension": 0}})", {"/sequence/vectors/dimension", "1 to 4096"}},
        Refused{R"("sequence": {"vectors": {"seed": -1}})", {"/sequence/vectors/seed"}},
        Refused{R"("sequence": {"file": {}})", {"/sequence/file/inputs"}},
        Refused{R"("sequence": {"file": {"inputs": {"query": [[1], []]}}})",
                {"/sequence/file/inputs/query, row 2: "}},
        Refused{R"("custom": {"spec": {}})", {"/custom/name", "1 to 200 bytes", "none"}},
        Refused{R"("custom": {"name": "a\nb", "spec": {}})", {"/custom/name", "one line"}},
        Refused{R"("custom": {"name": "a"})", {"/custom/spec"}},
        Refused{R"("custom": {"name": "a", "spec": {"score": {"type": "dott"}}})",
                {"/custom/spec/score/type", "did you mean \"dot\"?"}},
        Refused{R"("mask": [[1, 0], [2]])", {"/mask/allowed/1"}},
        Refused{R"("mask": 1)", {"/mask/allowed", "a list of rows"}},
        Refused{R"("origin": "glorot")", {"/origin", "\"xavier\""}},
        Refused{R"("edited": [])", {"/edited", "an object"}},
        Refused{R"("equated": [])", {"/equated", "an object"}},
        Refused{R"("equated": {"W_x": "identity"})", {"/equated", "\"W_q\""}},
        Refused{R"("equated": {"W_q": "twos"})", {"/equated/W_q", "\"identity\""}},
        Refused{R"("edited": {"W_x": [[1]]})", {"/edited", "\"W_q\""}},
        Refused{R"("edited": {"W_q": [["a"]]})", {"/edited/W_q, row 1, column 1: "}},
        Refused{R"("seed": 1.5)", {"/seed"}}, Refused{R"("mask_order": "x")", {"/mask_order"}},
        Refused{R"("mask_value": "x")", {"/mask_value"}},
        Refused{R"("position": {"type": "none"})", {"/position"}},
        Refused{R"("view": {"view": "heat map"})", {"/view/view", "did you mean \"heatmap\"?"}},
        Refused{R"("view": {"colour_map": "jet"})", {"/view/colour_map", "\"viridis\"", "\"jet\""}},
        Refused{R"("view": {"selection": {"head": -1}})", {"/view/selection/head"}},
        Refused{R"("view": {"decoding_step": "last"})", {"/view/decoding_step"}},
        Refused{R"("view": {"values_in_cells": 1})", {"/view/values_in_cells"}},
        Refused{R"("export": 85)", {"/export", "an object"}},
        Refused{R"("export": {"width_mm": 1e9})", {"/export/width_mm", "10.0 to 2000.0", "1000000000"}},
        Refused{R"("export": {"width_px": 1000000})", {"/export/width_px", "20000"}},
        Refused{R"("export": {"dpi": 1e9})", {"/export/dpi", "2400"}}));

TEST(SessionFile, OtherDocumentsAreRefused) {
    expect_refusal([] { parse_session("{}"); }, {"/format", "headlight-session/1", "none"});
    expect_refusal([] { parse_session(R"({"format": "headlight-session/2"})"); },
                   {"/format", "headlight-session/2"});
    expect_refusal([] { parse_session("[]"); }, {"an object"});
    expect_refusal([] { parse_session("\x89PNG"); }, {"line 1"});
}

TEST(MechanismFile, ComesBack) {
    const CustomMechanism mine = *everything().custom;
    EXPECT_EQ(parse_mechanism(write_mechanism(mine)), mine);
    const CustomMechanism plain =
        parse_mechanism(R"({"format": "headlight-mechanism/1", "name": "a", "spec": {}})");
    EXPECT_EQ(plain.spec, AttentionSpec());
}

TEST(MechanismFile, HasTheDefaultsOfEveryPart) {
    CustomMechanism mine{"mine", {}};
    mine.spec.position.type = PositionType::deberta;
    mine.spec.mask.rule = PatternMask{MaskPattern::local, {}};
    const AttentionSpec complete = complete_spec(mine.spec);
    ASSERT_FALSE(complete.position.options.empty());
    ASSERT_NE(complete, mine.spec);
    const std::string text = write_mechanism(mine);
    for (const auto& [name, value] : complete.position.options)
        EXPECT_NE(text.find('"' + name + '"'), std::string::npos) << text;
    for (const auto& [name, value] : std::get<PatternMask>(complete.mask.rule).options)
        EXPECT_NE(text.find('"' + name + '"'), std::string::npos) << text;
    EXPECT_EQ(parse_mechanism(text).spec, complete);
    mine.spec.position.options["of no component"] = Index(1);
    EXPECT_NE(write_mechanism(mine).find("of no component"), std::string::npos);
}

TEST(MechanismFile, OtherDocumentsAreRefused) {
    expect_refusal([] { parse_mechanism("{}"); }, {"/format", "headlight-mechanism/1", "none"});
    expect_refusal([] { parse_mechanism(R"({"format": "headlight-mechanism/2"})"); },
                   {"/format", "headlight-mechanism/2"});
    expect_refusal([] { parse_mechanism("[]"); }, {"an object"});
    expect_refusal([] { parse_mechanism(R"({"format": "headlight-mechanism/1", "name": " ", "spec": {}})"); },
                   {"/name"});
    expect_refusal(
        [] { parse_mechanism(R"({"format": "headlight-mechanism/1", "name": "a", "spec": {"x": 1}})"); },
        {"/spec", "\"x\""});
}

}  // namespace

}  // namespace headlight::session_test
