// Traces come back from both formats as they were written, and files that lie about themselves are refused.

#include "core/attention/executor.h"
#include "core/attention/spec_json.h"
#include "core/io/inputs_file.h"
#include "core/io/json_text.h"
#include "core/attention/known_stages.h"
#include "core/io/safetensors.h"
#include "core/io/trace_file.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

namespace headlight::trace_file_test {

using namespace test;
using nlohmann::json;

namespace {

Trace run(const std::string& spec_text) {
    Inputs inputs;
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    inputs.query = Tensor({3, 4});
    for (double& value : inputs.query.values())
        value = normal(random);
    inputs.tokens.query = {"größe", "\"b\"", ""};
    inputs.tokens.query_unknown = {false, true, false};
    const AttentionSpec spec = spec_from_json(json::parse(spec_text));
    if (spec.source.type == SourceType::cross) {
        inputs.key = Tensor({5, 4}, 0.25);
        inputs.value = Tensor({5, 2}, -0.5);
        inputs.tokens.key = {"k1", "k2", "k3", "k4", "k5"};
    }
    return record(std::make_shared<const Plan>(plan(spec, inputs, {.seed = ~std::uint64_t(0)})));
}

/// Bit for bit: NaN equals itself, and -0 is not 0.
void expect_same(const Trace& a, const Trace& b) {
    EXPECT_EQ(a.spec, b.spec);
    EXPECT_EQ(a.tokens, b.tokens);
    EXPECT_EQ(a.joined_specs, b.joined_specs);
    EXPECT_EQ(a.joined_tokens, b.joined_tokens);
    EXPECT_EQ(a.seed, b.seed);
    EXPECT_EQ(a.fully_masked_queries, b.fully_masked_queries);
    EXPECT_EQ(a.omitted, b.omitted);
    EXPECT_EQ(a.by_hand, b.by_hand);
    ASSERT_EQ(a.stages().size(), b.stages().size());
    for (std::size_t i = 0; i < a.stages().size(); ++i) {
        const Stage &x = a.stages()[i], &y = b.stages()[i];
        EXPECT_EQ(x.site, y.site);
        EXPECT_EQ(x.name, y.name);
        EXPECT_EQ(x.axes, y.axes) << x.name;
        ASSERT_EQ(x.shape, y.shape) << x.name;
        EXPECT_EQ(std::memcmp(a.values(x).data(), b.values(y).data(), a.values(x).size_bytes()), 0) << x.name;
    }
}

void expect_round_trips(const Trace& trace) {
    const std::string text = write_trace_json(trace);
    expect_same(parse_trace_json(text), trace);
    EXPECT_EQ(write_trace_json(parse_trace_json(text)), text);
    const std::string bytes = write_trace_safetensors(trace);
    expect_same(parse_trace_safetensors(bytes), trace);
    EXPECT_EQ(write_trace_safetensors(parse_trace_safetensors(bytes)), bytes);
}

class TraceFormats : public testing::TestWithParam<const char*> {};

TEST_P(TraceFormats, BringEveryNumberBack) { expect_round_trips(run(GetParam())); }

INSTANTIATE_TEST_SUITE_P(
    Specs, TraceFormats,
    testing::Values(
        "{}", R"({"mask": {"type": "causal"}, "heads": {"type": "multi", "heads": 2}})",
        R"({"source": {"type": "cross"}, "score": {"type": "additive", "bias": true}, "position": {"type": "sinusoidal"}})",
        R"({"score": {"type": "concat"}, "heads": {"type": "multi", "heads": 2}, "normalizer": {"type": "hard", "mode": "sample", "draws": 3}})",
        R"({"mask": {"type": "padding", "key_lengths": 0}, "mask_order": "before_scale"})",
        R"({"mask": {"type": "causal"}, "mask_value": -1e9, "projections": {"type": "learned", "bias": true}})"));

TEST(TraceFile, AModelsSitesKeepTheirNames) {
    Trace trace({{"encoder.0.self", "weights", {Axis::head, Axis::query, Axis::key}, {1, 2, 2}, 0},
                 {"decoder.0.cross", "weights", {Axis::head, Axis::query, Axis::key}, {2, 3, 2}, 0}});
    double next = 0.125;
    for (const Stage& stage : trace.stages())
        for (double& value : trace.values(stage))
            value = next *= -3;
    trace.omitted = {"energy: 1.1 GB, over the limit of 256 MB"};
    trace.by_hand = {
        {"decoder.0.cross", "weights", 1, {}, 0, "“a” gets no weight (rows renormalised), head 2"},
        {"decoder.0.cross", "masked_scores", {}, 2, {}, "“b” is forbidden, step 3"}};
    expect_round_trips(trace);
    EXPECT_TRUE(parse_safetensors(write_trace_safetensors(trace)).tensors.contains("encoder.0.self/weights"));
}

/// Two sites of a model, which read different sequences.
Trace model_trace() {
    const std::string_view names[] = {"scores", "weights", "context"};
    const Trace self = run(R"({"mask": {"type": "causal"}})").only(names);
    const Trace cross = run(R"({"source": {"type": "cross"}, "score": {"type": "additive"}})").only(names);
    const Trace::Joined sites[] = {{"decoder.0.self", &self}, {"decoder.0.cross", &cross}};
    Trace trace;
    trace.spec = cross.spec;
    return trace.joined(sites);
}

TEST(TraceFile, EverySiteOfAModelKeepsItsSpecAndItsTokens) {
    const Trace trace = model_trace();
    ASSERT_EQ(trace.joined_specs.size(), 2u);
    ASSERT_EQ(trace.joined_tokens.size(), 2u);
    expect_round_trips(trace);
    const Trace read = parse_trace_json(write_trace_json(trace));
    EXPECT_EQ(read.tokens_at("decoder.0.cross").key.size(), 5u);
    EXPECT_EQ(read.spec_at("decoder.0.cross").score.type, ScoreType::additive);
    const json document = json::parse(write_trace_json(trace));
    EXPECT_EQ(document["sites"]["decoder.0.cross"]["tokens"]["key"][4], "k5");
    EXPECT_EQ(document["sites"]["decoder.0.self"]["spec"]["mask"]["type"], "causal");
}

TEST(TraceFile, WhatIsNotFiniteComesBack) {
    Trace trace({{"", "scores", {Axis::head, Axis::query, Axis::key}, {1, 1, 4}, 0}});
    const double infinity = std::numeric_limits<double>::infinity();
    std::ranges::copy(std::initializer_list<double>{-infinity, infinity, std::nan(""), -0.0},
                      trace.values(trace.stages()[0]).begin());
    expect_round_trips(trace);
    const json document = json::parse(write_trace_json(trace));
    EXPECT_EQ(document["stages"][0]["data"], json::parse(R"([null, "Infinity", "NaN", -0.0])"));
}

TEST(TraceFile, TheDocumentIsWhatTheManualSays) {
    const json document = json::parse(write_trace_json(run(R"({"mask": {"type": "causal"}})")));
    EXPECT_EQ(document["format"], "headlight-trace/1");
    EXPECT_EQ(document["spec"]["mask"]["type"], "causal");
    EXPECT_EQ(document["seed"], ~std::uint64_t(0));
    EXPECT_EQ(document["tokens"]["query"][0], "größe");
    const auto& stages = document["stages"];
    const auto weights =
        std::ranges::find(stages, "weights", [](const json& stage) { return stage["name"]; });
    ASSERT_NE(weights, stages.end());
    EXPECT_EQ((*weights)["axes"], json::parse(R"(["head", "query", "key"])"));
    EXPECT_EQ((*weights)["shape"], json::parse("[1, 3, 3]"));
    EXPECT_EQ((*weights)["data"].size(), 9u);
    EXPECT_EQ((*weights)["data"][1], 0) << "the causal mask's zero";
    const auto masked =
        std::ranges::find(stages, "masked_scores", [](const json& stage) { return stage["name"]; });
    EXPECT_TRUE((*masked)["data"][1].is_null()) << "minus infinity";
}

TEST(TraceFile, EveryStageIsKnown) {
    std::vector<std::string> names;
    for (const Stage& stage : known_stages())
        names.push_back(stage.name);
    for (const char* name :
         {"tokens",        "query",         "key",         "value",        "scores",
          "scaled_scores", "masked_scores", "weights",     "context",      "output",
          "energy",        "position",      "row_maximum", "exponentials", "row_sum",
          "concatenation", "draw",          "frequencies", "soft_weights", "biased_scores"})
        EXPECT_EQ(std::ranges::count(names, name), 1) << name;
}

TEST(TraceFile, IsWrittenAndReadByItsExtension) {
    const TemporaryFolder folder;
    const Trace trace = run("{}");
    for (const char* name : {"t.json", "t.safetensors", "T.JSON"}) {
        write_trace(trace, folder / name);
        expect_same(read_trace(folder / name), trace);
    }
    expect_refusal([&] { write_trace(trace, folder / "t.csv"); }, {"t.csv", "\".csv\""});
    expect_refusal([&] { write_trace(trace, folder / "no" / "t.json"); }, {"no/t.json"});
    expect_refusal([&] { read_trace(folder.write("x.json", "{}")); },
                   {"x.json: /format", "headlight-trace/1"});
    EXPECT_EQ(folder.size(), 4);
}

// Refusals: one change to a right file.

json small_trace() {
    return json::parse(
        R"({"format": "headlight-trace/1", "spec": {}, "seed": 1, "tokens": {"query": ["a", "b"]},
        "parameters": [{"site": "", "name": "W_o", "shape": [1, 2], "data": [3, 4]}],
        "stages": [{"site": "", "name": "weights", "axes": ["head", "query", "key"], "shape": [1, 2, 2],
                    "data": [1, 0, 0.5, 0.5]},
                   {"site": "", "name": "output", "axes": ["query", "d"], "shape": [2, 1], "data": [1, 2]}]})");
}

struct Change {
    const char* pointer;
    const char* value;  ///< nullptr takes the field away
    std::vector<std::string> parts;
};

class TraceRefusal : public testing::TestWithParam<Change> {};

TEST_P(TraceRefusal, SaysWhere) {
    const auto& [pointer, value, parts] = GetParam();
    json document = small_trace();
    const json::json_pointer place(pointer);
    if (value)
        document[place] = json::parse(value);
    else
        document[place.parent_pointer()].erase(place.back());
    expect_refusal([&] { parse_trace_json(document.dump()); }, parts);
}

INSTANTIATE_TEST_SUITE_P(
    All, TraceRefusal,
    testing::Values(
        Change{"/format", R"("headlight-trace/2")", {"/format", "headlight-trace/1", "headlight-trace/2"}},
        Change{"/format", nullptr, {"/format", "none"}}, Change{"/spec", nullptr, {"/spec", "nothing"}},
        Change{"/spec", R"({"score": {"type": "x"}})", {"/spec/score/type"}},
        Change{"/seed", "-1", {"/seed"}},
        Change{"/tokens", R"({"query": ["a"]})", {"/tokens/query", "2", "got 1"}},
        Change{"/tokens", R"({"key": ["a"]})", {"/tokens/key", "2", "got 1"}},
        Change{"/fully_masked_queries", "[2]", {"/fully_masked_queries/0", "0 to 1", "got 2"}},
        Change{"/fully_masked_queries", "3", {"/fully_masked_queries", "a list"}},
        Change{"/by_hand", "3", {"/by_hand", "a list"}},
        Change{"/by_hand", R"([{"query": -1}])", {"/by_hand/0/query", "-1"}},
        Change{"/omitted", "[3]", {"/omitted/0", "a string"}}, Change{"/stages", nullptr, {"/stages"}},
        Change{"/stages", "{}", {"/stages", "a list of stages"}},
        Change{"/stages/0", "1", {"/stages/0", "an object"}},
        Change{"/stages/0/name", nullptr, {"/stages/0/name"}},
        Change{"/stages/1/name", R"("weights")", {"/stages/1"}},
        Change{"/stages/0/axes", R"(["head", "query", "keys"])", {"/stages/0/axes", "did you mean \"key\"?"}},
        Change{"/stages/0/axes", R"(["head", "query"])", {"/stages/0/shape", "an extent for each axis"}},
        Change{"/stages/0/axes", R"(["head", "key", "query"])", {"/stages/0/axes", "head, query, key"}},

        Change{"/stages/1/axes", R"(["d", "d"])", {"/stages/1/axes"}},
        Change{"/stages/0/shape", "[1, 2]", {"/stages/0/shape"}},
        Change{"/stages/0/shape", "[1, 2, 0]", {"/stages/0/shape"}},
        Change{"/stages/0/shape", "[1, 2, -2]", {"/stages/0/shape"}},
        Change{"/stages/0/shape", "[1, 2, 3]", {"/stages/0/data", "6 numbers", "got 4"}},
        Change{"/stages/1/shape", "[2, 4611686018427387904]", {"/stages/1/shape", "fits in memory"}},
        Change{"/stages/1/shape", "[2, 1000000000000]", {"/stages/1/data", "got 2"}},
        Change{"/stages/1/shape", "[1, 2]", {"/stages/1/shape", "\"query\" to count 2"}},
        Change{
            "/stages/0/data", R"([1, 0, 1.5, -0.5])", {"/stages/0/data/2", "0 to 1", "softmax", "got 1.5"}},
        Change{"/stages/0/data", "[1, 0, 1, -0.25]", {"/stages/0/data/3", "0 to 1", "got -0.25"}},
        Change{"/stages/0/data", R"([1, 0, 1, "NaN"])", {"/stages/0/data/3", "a finite weight", "NaN"}},
        Change{"/stages/0/data", R"(["Infinity", 0, 1, 0])", {"/stages/0/data/0", "a finite weight"}},
        Change{"/stages/0/data", "[1, 0, 1, null]", {"/stages/0/data/3", "a finite weight", "-Infinity"}},
        Change{"/stages/0/data", nullptr, {"/stages/0/data"}},
        Change{"/stages/0/data", "1", {"/stages/0/data"}},
        Change{"/stages/0/data", R"([1, 0, "x", 1])", {"/stages/0/data/2", "a number", "\"x\""}},
        Change{"/stages/0/data", "[1, 0, 1]", {"/stages/0/data", "4 numbers", "got 3"}},
        Change{"/parameters", "{}", {"/parameters", "a list of parameters"}},
        Change{"/parameters/0/name", nullptr, {"/parameters/0/name"}},
        Change{"/parameters/0/shape", "[2]", {"/parameters/0/shape", "an extent for each axis"}},
        Change{"/parameters/0/shape", "[1, 1000000000000]", {"/parameters/0/data", "got 2"}},
        Change{"/parameters/0/data", R"([3, "NaN"])", {"/parameters/0", "finite numbers"}},
        Change{"/parameters/1",
               R"({"site": "", "name": "W_o", "shape": [1, 1], "data": [1]})",
               {"/parameters/1", "every parameter once"}}));

class SiteRefusal : public testing::TestWithParam<Change> {};

TEST_P(SiteRefusal, SaysWhere) {
    const auto& [pointer, value, parts] = GetParam();
    json document = json::parse(write_trace_json(model_trace()));
    document[json::json_pointer(pointer)] = json::parse(value);
    expect_refusal([&] { parse_trace_json(document.dump()); }, parts);
}

INSTANTIATE_TEST_SUITE_P(
    All, SiteRefusal,
    testing::Values(Change{"/sites", "[]", {"/sites", "an object with an entry for each site", "a list"}},
                    Change{"/sites", "null", {"/sites", "got null"}},
                    Change{"/sites/decoder.0.self", "3", {"/sites/decoder.0.self", "an object"}},
                    Change{"/sites/decoder.0.self/spec", "[]", {"/sites/decoder.0.self/spec", "an object"}},
                    Change{"/sites/decoder.0.self/spec/score/type",
                           R"("dott")",
                           {"/sites/decoder.0.self/spec/score/type", "did you mean \"dot\""}},
                    Change{"/sites/decoder.0.self/tokens/query",
                           R"(["a", "b"])",
                           {"/sites/decoder.0.self/tokens/query", "3", "got 2"}},
                    Change{"/sites/decoder.0.cross/tokens/key",
                           R"(["a"])",
                           {"/sites/decoder.0.cross/tokens/key", "5", "got 1"}},
                    Change{"/sites/decoder.0.cross/tokens/key", "[1]", {"/sites/decoder.0.cross/tokens/key"}},
                    Change{"/sites/decoder.0.cross/tokens/query_unknown",
                           "[true]",
                           {"/sites/decoder.0.cross/tokens/query_unknown", "3", "got 1"}}));

TEST(TraceFile, SitesWithoutStagesAreHarmless) {
    json document = json::parse(write_trace_json(model_trace()));
    document["sites"]["nowhere/~"] = {{"spec", json::object()}, {"tokens", {{"query", {"a"}}}}, {"later", 1}};
    document["sites"]["decoder.0.self"] = json::object();
    const Trace trace = parse_trace_json(document.dump());
    EXPECT_EQ(trace.spec_at("decoder.0.self"), trace.spec) << "the trace's own, where it has none";
    expect_round_trips(trace);
}

TEST(TraceFile, ExtentsThatContradictOneAnotherAreRefused) {
    json document = small_trace();
    json& weights = document["stages"][0];
    weights["shape"] = {1, 2, 3};
    weights["data"] = {1, 0, 0, 0, 0, 1};
    expect_refusal([&] { parse_trace_json(document.dump()); },
                   {"/stages/0/shape", "as many keys as queries in self attention, 2", "got 3"});
    document["spec"]["source"] = {{"type", "cross"}};
    EXPECT_NO_THROW(parse_trace_json(document.dump()));

    document = small_trace();
    for (const auto& [name, heads] : {std::pair{"query", 6}, {"key", 3}, {"value", 4}})
        document["stages"].push_back({{"site", ""},
                                      {"name", name},
                                      {"axes", {"head", name == std::string("query") ? "query" : "key", "d"}},
                                      {"shape", {heads, 2, 1}},
                                      {"data", std::vector<int>(static_cast<std::size_t>(heads) * 2)}});
    expect_refusal([&] { parse_trace_json(document.dump()); },
                   {"/stages/4/shape", "\"head\" to count what divides the 6 heads", "got 4"});
    document["stages"].erase(4);
    EXPECT_NO_THROW(parse_trace_json(document.dump()));
}

TEST(TraceFile, WeightsThatNobodyBoundsAreRead) {
    for (const char* spec :
         {R"({"normalizer": {"type": "none"}})", R"({"normalizer": {"type": "signed_softmax"}})",
          R"({"normalizer": {"type": "relu"}})", R"({"heads": {"type": "talking", "heads": 1}})",
          R"({"algorithm": {"type": "differential"}, "heads": {"type": "multi", "heads": 2}})"}) {
        json document = small_trace();
        document["spec"] = json::parse(spec);
        document["stages"][0]["data"] = {3, -2, 0.5, 0.5};
        EXPECT_NO_THROW(parse_trace_json(document.dump())) << spec;
    }
}

TEST(TraceFile, FieldsOfLaterVersionsAreIgnored) {
    json document = small_trace();
    document["capture"] = {{"from", "elsewhere"}};
    document["stages"][0]["unit"] = 1;
    document["stages"][0]["name"] = "a stage of later";
    EXPECT_NO_THROW(parse_trace_json(document.dump()));
}

TEST(TraceFile, SafetensorsMustHaveTheTensorsThatTheHeaderNames) {
    const SafetensorsFile good =
        parse_safetensors(write_trace_safetensors(parse_trace_json(small_trace().dump())));
    const auto refused = [&](auto change, const std::vector<std::string>& parts) {
        SafetensorsFile file = good;
        change(file);
        expect_refusal([&] { parse_trace_safetensors(write_safetensors(file)); }, parts);
    };
    refused([](SafetensorsFile& file) { file.tensors.erase("weights"); },
            {"tensor \"weights\"", "no such tensor"});
    refused([](SafetensorsFile& file) { file.tensors["weights"] = Tensor({4}, 1); },
            {"tensor \"weights\"", "shape [4]"});
    refused([](SafetensorsFile& file) { file.metadata.clear(); }, {"/format"});
    refused([](SafetensorsFile& file) { file.metadata["stages"] = "["; }, {"metadata \"stages\"", "line 1"});
    refused([](SafetensorsFile& file) { file.metadata["spec"] = "[]"; }, {"/spec", "an object"});
}

/// What opens a session may be older than what wrote it, and a trace older than both.
TEST(TraceSession, IsCarriedByBothFormatsAndMayBeAbsent) {
    Trace trace({{"", "weights", {Axis::head, Axis::query, Axis::key}, {1, 1, 1}, 0}});
    for (const std::string session : {"", R"({"format":"headlight-session/1","later":[1,"ü"]})"}) {
        trace.session = session;
        EXPECT_EQ(parse_trace_json(write_trace_json(trace)).session, session);
        EXPECT_EQ(parse_trace_safetensors(write_trace_safetensors(trace)).session, session);
    }
    trace.session = "[1]";
    expect_refusal([&] { parse_trace_json(write_trace_json(trace)); }, {"/session", "a session"});
}

TEST(TraceJson, IsNotReadBeyondItsLimit) {
    const TemporaryFolder folder;
    for (const char* name : {"t.json", "i.json"}) {
        const auto path = folder.write(name, "{}");
        std::filesystem::resize_file(path, json_text_limit + 1);  // sparse: takes no room
    }
    const std::vector<std::string> parts{"at most 268435456 bytes of JSON", ".safetensors", "got 268435457"};
    expect_refusal([&] { read_trace(folder / "t.json"); }, parts);
    expect_refusal([&] { read_inputs(folder / "i.json"); }, parts);
}

TEST(TraceJson, IsNotWrittenBeyondItsLimit) {
    constexpr Index side = 3700;  // of numbers with some twenty digits each
    Trace trace({{"", "weights", {Axis::head, Axis::query, Axis::key}, {1, side, side}, 0}});
    std::ranges::fill(trace.values(trace.stages()[0]), -1.0 / 3);
    const TemporaryFolder folder;
    expect_refusal([&] { write_trace(trace, folder / "t.json"); },
                   {"t.json", "at most 268435456 bytes", ".safetensors has room"});
    EXPECT_EQ(folder.size(), 0);
}

}  // namespace

}  // namespace headlight::trace_file_test
