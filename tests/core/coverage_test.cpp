// What the lists of attentions say shows a kind of attention is there, and takes what is set of it.

#include "core/attention/executor.h"
#include "core/attention/spec_json.h"
#include "core/catalog/bibtex.h"
#include "core/catalog/coverage.h"
#include "core/catalog/coverage_documentation.h"
#include "core/catalog/documentation_text.h"
#include "core/catalog/mechanism.h"
#include "core/catalog/publications.h"
#include "core/catalog/search_text.h"
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

/// What a title names, part by part: "Merged attention, MoSA (2505.00315)" has three.
std::vector<std::string> parts_of(const std::string& title) {
    std::vector<std::string> parts(1);
    for (const char c : title) {
        if (std::string_view(",:;()").find(c) == std::string_view::npos)
            parts.back() += c;
        else
            parts.emplace_back();
    }
    return parts;
}

/// What a mechanism can be named by in a title: its id, its names, and "arXiv:2505.00315" of its papers.
struct Named {
    SearchText name;
    std::ptrdiff_t pluses;  ///< in the name, of whose signs a search passes over: RoPE++ is not RoPE
    std::string id;
};

std::ptrdiff_t pluses_in(std::string_view name) { return std::ranges::count(name, '+'); }

std::vector<Named> names_in_the_catalogue() {
    std::vector<Named> names;
    for (const Mechanism& mechanism : mechanisms()) {
        const auto add = [&](std::string_view name) {
            names.push_back({SearchText(name), pluses_in(name), mechanism.id});
        };
        add(mechanism.id);
        add(mechanism.name);
        std::ranges::for_each(mechanism.also_known_as, add);
        for (const Paper& paper : mechanism.papers)
            if (const Publication* known = find_publication(cited_work(paper.citation).title))
                add(known->venue);
    }
    return names;
}

/// The mechanisms that a part of a title names.
std::set<std::string> named_by(const std::string& part) {
    static const std::vector<Named> names = names_in_the_catalogue();
    const bool is_number = std::regex_match(part, std::regex(R"(\d{4}\.\d{5})"));
    const SearchText words(is_number ? "arXiv:" + part : part);
    std::set<std::string> ids;
    for (const Named& each : names)
        if (!words.is_empty() && each.name == words && each.pluses == pluses_in(part))
            ids.insert(each.id);
    return ids;
}

TEST(Coverage, FindsAMechanismByItsNamesAndThatOfItsPaper) {
    using Ids = std::set<std::string>;
    EXPECT_EQ(parts_of("A, b (2505.00315)"), (std::vector<std::string>{"A", " b ", "2505.00315", ""}));
    EXPECT_EQ(named_by("dynamic_mask"), Ids{"dynamic_mask"});
    EXPECT_EQ(named_by("Merged self and cross attention "), Ids{"merged_sources"});
    EXPECT_EQ(named_by(" MoSA "), Ids{"expert_choice"});
    EXPECT_EQ(named_by("2505.00315"), Ids{"expert_choice"});
    EXPECT_EQ(named_by("attention"), Ids{});
    EXPECT_TRUE(named_by("RoPE").contains("rope"));
    EXPECT_EQ(named_by("RoPE+"), Ids{});
    EXPECT_EQ(named_by(" "), Ids{});
}

/// A row that says that something is missing goes stale when a mechanism of its name comes.
TEST(Coverage, ShowsAMechanismWhereItIsNamed) {
    for (const CoveredAttention& row : all_rows()) {
        if (row.coverage() != AttentionCoverage::none && row.coverage() != AttentionCoverage::in_part)
            continue;
        for (const std::string& part : parts_of(row.title)) {
            const std::set<std::string> ids = named_by(part);
            const bool shows_it = std::ranges::any_of(
                row.shown_by, [&](const ShownBy& shown) { return ids.contains(shown.name); });
            EXPECT_TRUE(ids.empty() || shows_it)
                << row.id << ' ' << row.title << ": `" << part << "` is in the catalogue, and the row says “"
                << to_string(row.coverage()) << "”";
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
