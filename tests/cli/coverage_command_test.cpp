// What headlight list says shows a kind of attention, headlight run and headlight train do.

#include "core/catalog/coverage.h"
#include "core/io/json_text.h"
#include "tests/cli/run_here.h"

#include <set>

namespace headlight::coverage_command_test {

using namespace headlight::test;
using nlohmann::json;

namespace {

using Words = std::vector<std::string>;

/// What shows something in one of the lists, each with its settings once.
std::vector<ShownBy> all_shown(ShownBy::Kind kind) {
    std::vector<ShownBy> list;
    std::set<std::pair<std::string, Words>> seen;
    const auto add = [&](std::span<const CoveredAttention> rows) {
        for (const CoveredAttention& row : rows)
            for (const ShownBy& shown : row.shown_by)
                if (shown.kind == kind && seen.emplace(shown.name, shown.settings).second)
                    list.push_back(shown);
    };
    add(catalogue_numbers());
    for (const PublicCatalogue& catalogue : public_catalogues())
        add(catalogue.items);
    return list;
}

TEST(Catalogue, IsListedForScripts) {
    const Outcome outcome = run_here({"list", "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const json list = *parse_json(outcome.output);
    const json& numbers = list.at("catalogue");
    ASSERT_EQ(numbers.size(), catalogue_numbers().size());
    std::set<std::string> mechanisms;
    for (const json& mechanism : list.at("mechanisms"))
        mechanisms.insert(mechanism.at("id").get<std::string>());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const CoveredAttention& number = catalogue_numbers()[i];
        EXPECT_EQ(numbers[i].at("number"), number.id);
        EXPECT_EQ(numbers[i].at("title"), number.title);
        EXPECT_EQ(numbers[i].at("coverage"), to_string(number.coverage()));
        EXPECT_EQ(numbers[i].at("reason"), number.reason);
        ASSERT_EQ(numbers[i].at("shown_by").size(), number.shown_by.size()) << number.id;
        for (const json& shown : numbers[i].at("shown_by"))
            if (shown.contains("mechanism")) {
                EXPECT_TRUE(mechanisms.contains(shown.at("mechanism").get<std::string>())) << shown;
                EXPECT_TRUE(shown.at("set").is_array()) << shown;
            } else {
                EXPECT_TRUE(shown.contains("model") || shown.at("options").is_array()) << shown;
            }
    }
}

TEST(Catalogue, RunsAsItSays) {
    for (const ShownBy& shown : all_shown(ShownBy::Kind::mechanism)) {
        Words arguments{"run", shown.name};
        for (const std::string& setting : shown.settings)
            arguments.insert(arguments.end(), {"--set", setting});
        arguments.insert(arguments.end(), {"-o", "-"});
        const Outcome outcome = run_here(arguments);
        EXPECT_EQ(outcome.status, 0) << testing::PrintToString(arguments) << outcome.error;
    }
}

// Options and layers are read before memory is asked for: with next to none only that is refused, and nothing
// is trained. 16 KB have no room for a model, but for a file of layers, which is held to the same bound.
TEST(Catalogue, TrainsAsItSays) {
    Workplace place;
    for (const ShownBy& shown : all_shown(ShownBy::Kind::training)) {
        Words arguments{"train", shown.name, "--memory", "16KB", "-o", "model"};
        for (const std::string& setting : shown.settings) {
            const auto equals = setting.find('=');
            const std::string option = setting.substr(0, equals);
            arguments.push_back("--" + option);
            if (equals == std::string::npos)
                continue;
            const std::string value = setting.substr(equals + 1);
            arguments.push_back(option == "layers" ? "layers.json" : value);
            if (option == "layers")
                place.write("layers.json", value);
        }
        const Outcome outcome = place.run(arguments);
        EXPECT_NE(outcome.error.find("as --memory says"), std::string::npos)
            << testing::PrintToString(arguments) << outcome.error;
    }
}

}  // namespace

}  // namespace headlight::coverage_command_test
