// What the lists of attentions say shows a kind of attention is there, and takes what is set of it.

#include "core/attention/executor.h"
#include "core/attention/spec_json.h"
#include "core/catalog/coverage.h"
#include "core/catalog/coverage_documentation.h"
#include "core/catalog/documentation_text.h"
#include "core/catalog/mechanism.h"
#include "core/io/shipped_models.h"
#include "core/model/tasks/task.h"
#include "core/tensor/error.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace headlight::coverage_test { namespace {

using nlohmann::json;

std::string text_of(const std::string& page) {
    std::stringstream text;
    text << std::ifstream(HEADLIGHT_SOURCE_DIR "/docs/" + page).rdbuf();
    return text.str();
}

/// Every row of both lists.
std::vector<CoveredAttention> all_rows() {
    std::vector<CoveredAttention> rows(catalogue_numbers().begin(), catalogue_numbers().end());
    for (const PublicCatalogue& catalogue : public_catalogues())
        rows.insert(rows.end(), catalogue.items.begin(), catalogue.items.end());
    return rows;
}

TEST(CatalogueNumbers, AreThoseOfTheListInItsOrder) {
    std::vector<std::string> expected, numbers;
    struct Section {
        char letter;
        int first, last;
    };
    for (const Section& section : {Section{'S', 1, 32}, Section{'P', 0, 32}, Section{'M', 1, 52},
                                   Section{'N', 1, 31}, Section{'H', 1, 25}, Section{'K', 1, 47},
                                   Section{'E', 1, 12}, Section{'R', 1, 40}, Section{'X', 1, 36}})
        for (int number = section.first; number <= section.last; ++number)
            expected.push_back(section.letter + std::to_string(number));
    for (const CoveredAttention& number : catalogue_numbers())
        numbers.push_back(number.id);
    EXPECT_EQ(numbers.size(), 308u);
    EXPECT_EQ(numbers, expected);
}

TEST(CatalogueNumbers, AreAttentionButForFive) {
    std::set<std::string> none;
    for (const CoveredAttention& number : catalogue_numbers())
        if (!number.is_attention)
            none.insert(number.id);
    EXPECT_EQ(none, (std::set<std::string>{"E12", "X25", "X26", "X31", "X36"}));
    EXPECT_EQ(catalogue_numbers().size() - none.size(), 303u);
}

TEST(Coverage, SaysWhyWhereSomethingIsMissing) {
    for (const CoveredAttention& row : all_rows()) {
        const std::string name = row.id + ' ' + row.title;
        EXPECT_FALSE(row.title.empty()) << name;
        EXPECT_TRUE(row.is_attention || row.shown_by.empty()) << name;
        EXPECT_TRUE(!row.shown_by.empty() || !row.reason.empty()) << name;
        EXPECT_TRUE(row.reason.empty() || row.reason.ends_with('.')) << name << ": " << row.reason;
        for (const std::string& words : {row.title, row.reason})
            EXPECT_EQ(words.find('|'), std::string::npos) << name << ": would part a cell of the page";
    }
}

TEST(Coverage, HasARowOnce) {
    std::set<std::string> titles;
    for (const CoveredAttention& number : catalogue_numbers())
        EXPECT_TRUE(titles.insert(number.id + number.title).second) << number.id;
    for (const PublicCatalogue& catalogue : public_catalogues())
        for (const CoveredAttention& item : catalogue.items)
            EXPECT_TRUE(titles.insert(catalogue.title + item.title).second) << item.title;
}

/// The mechanism with what is set of it, as `headlight run --set` builds it.
AttentionSpec spec_of(const ShownBy& shown) {
    const Mechanism& found = mechanism(shown.name);
    ParameterValues values;
    std::vector<std::pair<std::string, std::string>> fields;
    for (const std::string& setting : shown.settings) {
        const auto equals = setting.find('=');
        const std::string name = setting.substr(0, equals), value = setting.substr(equals + 1);
        const auto knob = std::ranges::find(found.parameters, name, &MechanismParameter::name);
        if (knob != found.parameters.end())
            values[name] = parse_value(*knob, value);
        else
            fields.emplace_back('/' + name, value);
    }
    json document = to_json(build_spec(found, values));
    for (auto& [path, value] : fields) {
        std::ranges::replace(path, '.', '/');
        document[json::json_pointer(path)] = json::accept(value) ? json::parse(value) : json(value);
    }
    return spec_from_json(document);
}

TEST(Coverage, NamesMechanismsThatTakeWhatIsSet) {
    for (const CoveredAttention& row : all_rows())
        for (const ShownBy& shown : row.shown_by) {
            if (shown.kind != ShownBy::Kind::mechanism)
                continue;
            SCOPED_TRACE(row.id + ' ' + row.title + ": " + shown.name);
            ASSERT_NE(find_mechanism(shown.name), nullptr);
            try {
                const AttentionSpec spec = spec_of(shown);
                const Index width = 8 * spec.heads.count();
                required_parameters(spec, {width, width, width}, {});
            } catch (const Error& error) {
                ADD_FAILURE() << error.what();
            }
        }
}

TEST(Coverage, NamesModelsAndTasksThatThereAre) {
    for (const CoveredAttention& row : all_rows())
        for (const ShownBy& shown : row.shown_by) {
            if (shown.kind == ShownBy::Kind::model) {
                EXPECT_EQ(std::ranges::count(shipped_models(), shown.name, &ShippedModel::name), 1)
                    << row.id << ": " << shown.name;
            } else if (shown.kind == ShownBy::Kind::training) {
                EXPECT_EQ(std::ranges::count(tasks(), shown.name, &Task::id), 1)
                    << row.id << ": " << shown.name;
            }
        }
}

TEST(CoverageDocs, SayWhatTheTablesSay) {
    EXPECT_TRUE(text_of("coverage.md") == coverage_markdown())
        << "docs/coverage.md is stale: run scripts/build_docs.sh";
}

TEST(CoverageDocs, LinksLeadToHeadingsAndPages) {
    const std::regex heading("\n#{2,3} ([^\n]+)"), link(R"(\]\(([^)#]*)#?([^)]*)\))");
    const std::string page = coverage_markdown();
    std::set<std::string> headings;
    for (std::sregex_iterator found(page.begin(), page.end(), heading), end; found != end; ++found)
        EXPECT_TRUE(headings.insert(heading_anchor((*found)[1])).second) << "two headings: " << (*found)[1];
    for (std::sregex_iterator found(page.begin(), page.end(), link), end; found != end; ++found)
        EXPECT_TRUE((*found)[1].length() == 0
                        ? headings.contains((*found)[2])
                        : std::filesystem::exists(HEADLIGHT_SOURCE_DIR "/docs/" + (*found)[1].str()))
            << found->str();
}

}}  // namespace headlight::coverage_test
