// headlight list: what is used by whom, what was learned, --search, --timeline and --tree.

#include "core/catalog/learned.h"
#include "core/catalog/mechanism.h"
#include "core/catalog/used_by.h"
#include "core/io/json_text.h"
#include "tests/cli/run_here.h"

#include <algorithm>

namespace headlight::list_search_test {

using namespace headlight::test;
using nlohmann::json;

namespace {

using Words = std::vector<std::string>;

TEST(ListSearch, SaysWhichModelsUseAMechanism) {
    const Outcome outcome = Workplace().run({"list", "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const json list = *parse_json(outcome.output);
    for (const json& entry : list["mechanisms"]) {
        const std::string id = entry["id"];
        const std::vector<const KnownModel*> models = used_by(id);
        ASSERT_EQ(entry["used_by"].size(), models.size()) << id;
        for (std::size_t i = 0; i < models.size(); ++i) {
            EXPECT_EQ(entry["used_by"][i]["model"], std::string(models[i]->name));
            EXPECT_EQ(entry["used_by"][i]["year"], models[i]->year);
            EXPECT_EQ(entry["used_by"][i].value("layers", std::string()), std::string(models[i]->layers));
        }
    }
}

TEST(ListSearch, SaysWhatSmallModelsLearnedWithAMechanism) {
    const Outcome outcome = Workplace().run({"list", "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const json list = *parse_json(outcome.output);
    for (const json& entry : list["mechanisms"]) {
        const std::string id = entry["id"];
        const std::span<const LearnedResult> results = learned_by(id);
        ASSERT_EQ(entry["trained"].size(), results.size()) << id;
        for (std::size_t i = 0; i < results.size(); ++i) {
            EXPECT_EQ(entry["trained"][i]["task"], results[i].task) << id;
            EXPECT_EQ(entry["trained"][i]["heads"], results[i].heads) << id;
            EXPECT_EQ(entry["trained"][i]["exact_match"], results[i].exact_match) << id;
            EXPECT_EQ(entry["trained"][i].contains("deviation"), results[i].deviation.has_value()) << id;
        }
    }
}

TEST(ListSearch, PrintsWhatIsFoundAndWhy) {
    const Workplace place;
    const Outcome text = place.run({"list", "--search", "linear 2020"});
    ASSERT_EQ(text.status, 0) << text.error;
    EXPECT_TRUE(text.output.starts_with("  linear ")) << text.output;
    EXPECT_NE(text.output.find("published in 2020"), std::string::npos);
    const json found = *parse_json(place.run({"list", "--json", "--search", "used in Qwen3-Next"}).output);
    EXPECT_EQ(found["query"], "used in Qwen3-Next");
    EXPECT_TRUE(std::ranges::any_of(found["found"], [](const json& each) {
        return each["id"] == "gated_delta" && each["why"] == "used in Qwen3-Next";
    })) << found;
}

TEST(ListSearch, SaysThatNothingIsFound) {
    for (const char* query : {"zzz", "(["}) {
        const Outcome outcome = Workplace().run({"list", "--search", query});
        EXPECT_EQ(outcome.status, 0);
        EXPECT_EQ(outcome.output, "");
        EXPECT_NE(outcome.error.find("No mechanism"), std::string::npos) << outcome.error;
    }
}

TEST(ListSearch, DrawsTheCatalogue) {
    const Workplace place;
    for (const char* picture : {"--timeline", "--tree"}) {
        const Outcome outcome = place.run({"list", picture, "--theme", "dark", "-o", "catalogue.svg"});
        ASSERT_EQ(outcome.status, 0) << outcome.error;
        EXPECT_EQ(outcome.error, "");
        const std::string svg = place.read("catalogue.svg");
        for (const char* word : {"Positions", "ALiBi", "2017"})
            EXPECT_NE(svg.find(word), std::string::npos) << picture << ' ' << word;
    }
    const Outcome few = place.run({"list", "--search", "positions", "--tree", "-o", "few.svg"});
    ASSERT_EQ(few.status, 0) << few.error;
    EXPECT_EQ(place.read("few.svg").find("Gated DeltaNet"), std::string::npos);
    EXPECT_EQ(place.run({"list", "--timeline", "-o", "timeline.csv"}).status, 0);
    EXPECT_NE(place.read("timeline.csv").find(",2017"), std::string::npos);
}

TEST(ListSearch, RefusesWhatGoesWithNoPicture) {
    const Workplace place;
    for (const Words& arguments :
         {Words{"list", "--timeline"}, Words{"list", "--timeline", "--tree", "-o", "a.svg"},
          Words{"list", "--tree", "-o", "a.nothing"}, Words{"list", "--tree", "-o", "a.py"},
          Words{"list", "--search", "zzz", "--tree", "-o", "a.svg"}, Words{"list", "--theme", "dark"},
          Words{"list", "-o", "a.svg"}, Words{"list", "--json", "--tree", "-o", "a.svg"}}) {
        const Outcome outcome = place.run(arguments);
        EXPECT_EQ(outcome.status, 2) << outcome.error;
        EXPECT_EQ(std::ranges::count(outcome.error, '\n'), 1) << outcome.error;
    }
    EXPECT_FALSE(place.has("a.svg"));
}

TEST(ListSearch, OffersTheFormatsThatItCanWrite) {
    const Workplace place;
    for (const Words& arguments : {Words{"list", "--timeline"}, Words{"list", "--timeline", "-o", "a.fods"},
                                   Words{"list", "--timeline", "-o", "a.nothing"},
                                   Words{"list", "--timeline", "-o", "-", "--format", "py"}}) {
        const Outcome outcome = place.run(arguments);
        EXPECT_EQ(outcome.status, 2) << outcome.error;
        const std::string expected = outcome.error.substr(0, outcome.error.find(", got "));
        EXPECT_NE(expected.find("npz"), std::string::npos) << outcome.error;
        EXPECT_EQ(expected.find("fods"), std::string::npos) << outcome.error;
        EXPECT_EQ(expected.find("py\""), std::string::npos) << outcome.error;
    }
}

}  // namespace

}  // namespace headlight::list_search_test
