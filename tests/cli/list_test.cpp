// list as a script uses it.

#include "core/attention/known_stages.h"
#include "core/attention/parameters.h"
#include "core/attention/spec_words.h"
#include "core/catalog/mechanism.h"
#include "core/io/json_text.h"
#include "core/io/shipped_models.h"
#include "tests/cli/run_here.h"
#include "tests/support/long_tests.h"

#include <algorithm>
#include <map>
#include <regex>
#include <set>

namespace headlight::list_test {

using namespace headlight::test;
using nlohmann::json;

namespace {

using Words = std::vector<std::string>;

Outcome run(const Words& arguments) { return Workplace().run(arguments); }

TEST(List, NamesEverythingThatCanBeRun) {
    const Outcome outcome = run({"list", "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const json list = *parse_json(outcome.output);

    ASSERT_EQ(list["mechanisms"].size(), mechanisms().size());
    for (std::size_t i = 0; i < mechanisms().size(); ++i) {
        const Mechanism& mechanism = mechanisms()[i];
        const json& entry = list["mechanisms"][i];
        EXPECT_EQ(entry["id"], mechanism.id);
        ASSERT_EQ(entry["parameters"].size(), mechanism.parameters.size());
        for (std::size_t k = 0; k < mechanism.parameters.size(); ++k)
            EXPECT_EQ(entry["parameters"][k]["name"], mechanism.parameters[k].name);
    }
    std::size_t row = 0;
    for (const SpecField& field : spec_fields()) {
        EXPECT_EQ(list["spec"][row]["field"], field.path);
        EXPECT_EQ(list["spec"][row++].value("words", json::array()).size(), field.words.size());
    }
    row = 0;
    for (const KnownParameter& parameter : known_parameters()) {
        EXPECT_EQ(list["parameters"][row]["name"], parameter.name);
        EXPECT_GE(list["parameters"][row++]["shapes"].size(), 1u);
    }
    row = 0;
    for (const Stage& stage : known_stages()) {
        EXPECT_EQ(list["stages"][row]["name"], stage.name);
        EXPECT_EQ(list["stages"][row++]["axes"].size(), stage.axes.size());
    }
    EXPECT_EQ(list["parameters"][7]["shapes"], json::parse(R"(["[d_q, d_a]"])")) << list["parameters"][7];
    EXPECT_GE(list["colour_maps"].size(), 5u);
    EXPECT_EQ(list["models"].size(), shipped_models().size());
    EXPECT_EQ(list["tasks"].size(), tasks().size());
    EXPECT_EQ(list["reductions"].size(), words<Reduction>().size());
    EXPECT_EQ(list["reductions"][1]["word"], "project");
}

/// Every field that is listed is one that the reader asks for, and there is no other.
TEST(List, NamesTheFieldsOfInputsThatTheReaderAccepts) {
    const json list = *parse_json(run({"list", "--json"}).output);
    std::set<std::string> fields, groups;
    for (const json& field : list["inputs"]) {
        const auto path = field["field"].get<std::string>();
        (path.starts_with("tokens.") ? fields : groups).insert(path.substr(path.find('.') + 1));
    }
    groups.insert("tokens");
    const auto asked_for = [](const std::string& document) {
        Workplace place;
        place.write("i.json", document);
        const std::string error = place.run({"run", "dot", "--inputs", "i.json", "-o", "-"}).error;
        const std::string names = error.substr(0, error.find(", got"));
        const std::regex quoted("\"([a-z_]+)\"");
        std::set<std::string> found;
        for (auto match = std::sregex_iterator(names.begin(), names.end(), quoted);
             match != std::sregex_iterator(); ++match)
            found.insert((*match)[1]);
        return found;
    };
    EXPECT_EQ(groups, asked_for(R"({"query": [[1]], "nothing": 1})"));
    EXPECT_EQ(fields, asked_for(R"({"query": [[1]], "tokens": {"nothing": []}})"));
    EXPECT_TRUE(fields.contains("query_unknown"));
}

TEST(List, GivesInputsTheShapesThatAMechanismRunsOn) {
    const json list = *parse_json(run({"list", "--json"}).output);
    const std::map<std::string, Index> different{{"n", 2}, {"m", 3}, {"d_q", 16}, {"d_k", 24}, {"d_v", 8}};
    const std::map<std::string, Index> equal{{"n", 2}, {"m", 3}, {"d_q", 16}, {"d_k", 16}, {"d_v", 16}};
    const std::set<std::string> of_one_width{"learned_positions",
                                             "aft",
                                             "rwkv4",
                                             "squeeze_excitation",
                                             "eca",
                                             "cbam",
                                             "simam",
                                             "coordinate",
                                             "triplet",
                                             "bam",
                                             "selective_kernel",
                                             "group_enhance",
                                             "polarized",
                                             "outlook",
                                             "spatial_reduction",
                                             "window_tokens",
                                             "region_tokens",
                                             "contextual",
                                             "shuffle",
                                             "attention_gate",
                                             "deformable",
                                             "autoformer",
                                             "co_attention",
                                             "matchability",
                                             "dat",
                                             "acmix",
                                             "global_filter",
                                             "pyramid_split",
                                             "danet",
                                             "triangle",
                                             "non_local",
                                             "gcnet",
                                             "cross_covariance",
                                             "fastformer",
                                             "efficient_additive",
                                             "separable",
                                             "structured_embedding",
                                             "gated_pooling",
                                             "hierarchical_pooling",
                                             "class_residual",
                                             "memory_hops",
                                             "memory_tokens",
                                             "merged_sources",
                                             "slot_attention",
                                             "object_queries",
                                             "realformer",
                                             "value_residual",
                                             "attention_residuals",
                                             "two_stream",
                                             "hyena",
                                             "mega",
                                             "hgrn",
                                             "spatial_gating",
                                             "fourier",
                                             "energy_descent",
                                             "large_kernel",
                                             "focal_modulation",
                                             "scse"};
    for (const json& mechanism : list["mechanisms"]) {
        const auto& extents = of_one_width.contains(mechanism["id"]) ? equal : different;
        Words arguments{"run", mechanism["id"].get<std::string>(), "--inputs", "i.json", "-o", "-"};
        json inputs = json::object();
        for (const json& field : mechanism["inputs"]) {
            const auto shape = field["shape"].get<std::string>();
            const auto comma = shape.find(", ");
            const Index rows = extents.at(shape.substr(1, comma - 1));
            const Index columns = extents.at(shape.substr(comma + 2, shape.size() - comma - 3));
            inputs[field["field"].get<std::string>()] =
                json(static_cast<std::size_t>(rows), json(static_cast<std::size_t>(columns), 0.5));
            if (field.contains("when"))
                arguments.insert(arguments.end(), {"--set", field["when"].get<std::string>()});
        }
        Workplace place;
        place.write("i.json", inputs.dump());
        const Outcome outcome = place.run(arguments);
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        EXPECT_EQ(outcome.error, "") << "all of them are used";
    }
}

TEST(List, NamesTheParametersThatSomeSettingAsksFor) {
    const json list = *parse_json(run({"list", "--json"}).output);
    const std::map<std::string, Words> expected{
        {"basic_self_attention", {}},
        {"dot", {"W_q", "b_q", "W_k", "b_k", "W_v", "b_v"}},
        {"scaled_dot_product", {"W_q", "b_q", "W_k", "b_k", "W_v", "b_v", "g"}},
        {"general", {"W_q", "b_q", "W_k", "b_k", "W_v", "b_v", "W"}},
        {"multi_head", {"W_q", "b_q", "W_k", "b_k", "W_v", "b_v", "W_o", "b_o"}}};
    const std::map<std::string, Words> by_default{
        {"dot", {}}, {"general", {"W"}}, {"multi_head", {"W_q", "W_k", "W_v", "W_o"}}};
    for (const json& mechanism : list["mechanisms"]) {
        const auto id = mechanism["id"].get<std::string>();
        if (const auto row = expected.find(id); row != expected.end()) {
            EXPECT_EQ(mechanism["learned"].get<Words>(), row->second) << id;
        }
        if (const auto row = by_default.find(id); row != by_default.end()) {
            EXPECT_EQ(mechanism["learned_by_default"].get<Words>(), row->second) << id;
        }
    }
}

TEST(List, SaysInWhichYearAMechanismCouldFirstBeRead) {
    const json list = *parse_json(run({"list", "--json"}).output);
    for (const json& mechanism : list["mechanisms"]) {
        SCOPED_TRACE(mechanism["id"].dump());
        ASSERT_FALSE(mechanism["papers"].empty());
        EXPECT_EQ(mechanism["year"], mechanism["papers"][0]["first_year"]);
        for (const json& paper : mechanism["papers"])
            EXPECT_LE(paper["first_year"].get<int>(), paper["year"].get<int>());
        if (mechanism["id"] == "additive") {
            EXPECT_EQ(mechanism["papers"][0]["first_year"], 2014);
            EXPECT_EQ(mechanism["papers"][0]["year"], 2015);
        }
    }
}

TEST(List, IsReadableWithoutJson) {
    const Outcome outcome = run({"list"});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    for (const Mechanism& mechanism : mechanisms())
        EXPECT_NE(outcome.output.find("  " + mechanism.id + ": " + mechanism.name), std::string::npos);
    for (const char* words : {"temperature=1", "score.activation", "W_q", "scaled_scores", "viridis"})
        EXPECT_NE(outcome.output.find(words), std::string::npos) << words;
}

TEST(List, EveryValueThatItNamesIsAccepted) {
    const json list = *parse_json(run({"list", "--json"}).output);
    std::set<std::string> known;  // of several mechanisms: the short form tries it in the first
    for (const json& mechanism : list["mechanisms"]) {
        for (const json& knob : mechanism["parameters"]) {
            if (!known.insert(knob.dump()).second && !is_long())
                continue;
            Words values{knob["default"].is_string() ? knob["default"].get<std::string>()
                                                     : knob["default"].dump()};
            if (knob.contains("choices"))
                values = knob["choices"].get<Words>();
            for (const std::string& value : values) {
                Words asked{"run",   mechanism["id"].get<std::string>(),           "-o", "-",
                            "--set", knob["name"].get<std::string>() + "=" + value};
                Outcome outcome = run_here(asked);
                // What another parameter says nothing reads: beside the field that it names it is read.
                std::smatch beside;
                const std::regex named("expected ([a-z._]+=[a-z0-9_]+).* beside it");
                if (outcome.status == 2 && std::regex_search(outcome.error, beside, named)) {
                    asked.insert(asked.end(), {"--set", beside[1]});
                    outcome = run_here(asked);
                }
                EXPECT_EQ(outcome.status, 0) << outcome.error;
            }
        }
    }
}

}  // namespace
}  // namespace headlight::list_test
