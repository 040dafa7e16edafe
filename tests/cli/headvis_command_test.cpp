// Trees of heads as HeadVis publishes them, on the command line.

#include "tests/cli/program.h"
#include "tests/support/headvis_tree.h"

namespace headlight::headvis_command_test {

using namespace headlight::test;
using nlohmann::json;

namespace {

class HeadVisCommands : public testing::Test {
protected:
    HeadVisCommands() { write_headvis_tree(place_.folder()); }
    Outcome run(std::vector<std::string> arguments) const { return place_.run(std::move(arguments)); }

    Workplace place_;
};

TEST_F(HeadVisCommands, AnalysePrintsTheMetricsOfTheTree) {
    for (const char* path : {"tree", "tree/", "tree/config.json"}) {
        const Outcome outcome = run({"analyse", path});
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        EXPECT_EQ(outcome.output, "layer,head,pattern_entropy,induction_score\n1,1,1.5,\n1,2,1.5,0.125\n"
                                  "6,1,6.5,\n6,2,6.5,0.125\n");
    }
    const Outcome chosen = run({"analyse", "tree", "--by", "induction_score", "--format", "json"});
    EXPECT_EQ(chosen.status, 0) << chosen.error;
    const json rows = json::parse(chosen.output);
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_EQ(rows[3], (json{{"layer", 6}, {"head", 2}, {"induction_score", 0.125}}));
    EXPECT_TRUE(rows[2]["induction_score"].is_null());
}

TEST_F(HeadVisCommands, AnalyseRefusesWhatTheTreeHasNot) {
    const Outcome unknown = run({"analyse", "tree", "--by", "entropy"});
    EXPECT_EQ(unknown.status, 2);
    EXPECT_NE(unknown.error.find("pattern_entropy"), std::string::npos) << unknown.error;
    const Outcome sparse = run({"analyse", "tree/heads/L0H1.json"});
    EXPECT_EQ(sparse.status, 1);
    EXPECT_NE(sparse.error.find("sparse rows"), std::string::npos) << sparse.error;
}

TEST_F(HeadVisCommands, ScatterIsOfTheMetricsOfTheTree) {
    for (const char* path : {"tree", "tree/heads/L5H1.json"}) {
        const Outcome outcome = run({"render", path, "--view", "scatter", "-o", "all.csv"});
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        // The heads whose second metric is null have no place.
        EXPECT_EQ(place_.read("all.csv"), "head,pattern_entropy,induction_score,induction_score\r\n"
                                          "\"layer 1, head 2\",1.5,0.125,0.125\r\n"
                                          "\"layer 6, head 2\",6.5,0.125,0.125\r\n");
    }
    const std::vector<std::string> asked{"render",          "tree", "--view",          "scatter", "--across",
                                         "induction_score", "--up", "pattern_entropy", "-o",      "one.svg"};
    EXPECT_EQ(run(asked).status, 0);
    EXPECT_NE(place_.read("one.svg").find("Counted by who"), std::string::npos);
    EXPECT_EQ(place_.read("one.svg").find("sparse rows"), std::string::npos);
    // The session in the picture draws it again, with the metrics that were asked for.
    EXPECT_EQ(run({"render", "one.svg", "-o", "again.csv"}).status, 0);
    EXPECT_TRUE(place_.read("again.csv").starts_with("head,induction_score,pattern_entropy,"))
        << place_.read("again.csv");
}

TEST_F(HeadVisCommands, ScatterRefusesWhatTheTreeHasNot) {
    const Outcome unknown = run({"render", "tree", "--view", "scatter", "--up", "entropy", "-o", "f.svg"});
    EXPECT_EQ(unknown.status, 2);
    EXPECT_NE(unknown.error.find("induction_score"), std::string::npos) << unknown.error;
    // Heads are drawn without metrics, which only the scatter needs.
    place_.write("tree/scatter_data.json", "no list");
    EXPECT_EQ(run({"render", "tree", "-o", "map.svg"}).status, 0);
    const Outcome none = run({"render", "tree", "--view", "scatter", "-o", "f.svg"});
    EXPECT_EQ(none.status, 1);
    EXPECT_NE(none.error.find("rows of which every weight is known"), std::string::npos) << none.error;
}

TEST_F(HeadVisCommands, RenderDrawsTheHeadOfALayerAndReadsNoOther) {
    for (const char* other : {"L0H0", "L0H1", "L5H0"})
        place_.write("tree/heads/" + std::string(other) + ".json", "{ no head at all");
    const Outcome outcome = run({"render", "tree", "--layer", "6", "--head", "2", "-o", "map.csv"});
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    const std::string table = place_.read("map.csv");
    EXPECT_NE(table.find(",L5H1,t1,t2,t3,t4"), std::string::npos) << table;
    EXPECT_NE(table.find("\nt1,0.25,0.5625,nan,nan,nan"), std::string::npos) << table;
    const Outcome site = run({"render", "tree/heads/L5H1.json", "--site", "interval 1 #1", "-o", "map.svg"});
    EXPECT_EQ(site.status, 0) << site.error;
    EXPECT_NE(place_.read("map.svg").find("interval 1 #1"), std::string::npos);
}

TEST_F(HeadVisCommands, RenderRefusesAHeadThatIsNotThere) {
    const Outcome outcome = run({"render", "tree", "--layer", "2", "-o", "map.csv"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.error.find("one of its 4 heads, L0H0 to L5H1 (layers and heads from 0), got L1H0"),
              std::string::npos)
        << outcome.error;
    EXPECT_EQ(run({"render", "tree", "--layer", "0", "-o", "map.csv"}).status, 2);
    place_.write("tree/heads/L5H0.json", R"({"sequences": [{"tokens": []}]})");
    const Outcome broken = run({"render", "tree", "--layer", "6", "-o", "map.csv"});
    EXPECT_EQ(broken.status, 1);
    EXPECT_NE(broken.error.find("L5H0.json"), std::string::npos) << broken.error;
    EXPECT_FALSE(place_.has("map.csv"));
}

}  // namespace

}  // namespace headlight::headvis_command_test
