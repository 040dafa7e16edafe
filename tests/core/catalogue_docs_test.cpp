// docs/catalogue.md and the pages in docs/catalogue: what they say, and where their links lead.

#include "core/analysis/cost_growth.h"
#include "core/catalog/catalogue_documentation.h"
#include "core/catalog/component_documentation.h"
#include "core/catalog/documentation_text.h"
#include "core/catalog/family.h"
#include "core/catalog/lessons.h"
#include "core/catalog/mechanism_documentation.h"
#include "core/io/mechanism_example.h"
#include "core/io/session_run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace headlight::catalogue_docs_test { namespace {

namespace fs = std::filesystem;

const fs::path docs = HEADLIGHT_SOURCE_DIR "/docs";

std::string text_of(const fs::path& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

const std::string& index_page() {
    static const std::string page = catalogue_markdown(is_linear_in_tokens);
    return page;
}

TEST(CatalogueDocs, SayWhatTheDeclarationsSay) {
    EXPECT_TRUE(text_of(docs / "catalogue.md") == index_page())
        << "docs/catalogue.md is stale: run scripts/build_docs.sh";
}

TEST(CatalogueDocs, EveryMechanismHasItsPageAndNobodyElse) {
    std::set<std::string> declared, found;
    for (const Mechanism& each : mechanisms()) {
        const std::string file = each.id + ".md";
        declared.insert(file);
        const std::string in_words = session_figure(mechanism_example(each)).description;
        EXPECT_TRUE(text_of(docs / "catalogue" / file) == mechanism_markdown(each, in_words))
            << "docs/catalogue/" << file << " is stale: run scripts/build_docs.sh";
    }
    if (fs::exists(docs / "catalogue"))
        for (const auto& file : fs::directory_iterator(docs / "catalogue"))
            found.insert(file.path().filename().string());
    EXPECT_EQ(found, declared);
}

/// GitHub's rule: letters and digits of any script and hyphens stay, a space becomes a hyphen.
std::string anchor(const std::string& heading) {
    static const std::regex punctuation("[!-,./:-@\\[-^`{-~]|\xE2\x80[\x90-\xBF]");
    std::string text = std::regex_replace(heading, punctuation, "");
    for (char& c : text)
        c = c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::set<std::string> anchors_of_the_index() {
    static const std::regex heading("\n#{2,3} ([^\n]+)");
    std::set<std::string> anchors;
    for (std::sregex_iterator found(index_page().begin(), index_page().end(), heading), end; found != end;
         ++found)
        EXPECT_TRUE(anchors.insert(anchor((*found)[1])).second) << "two headings: " << (*found)[1];
    return anchors;
}

/// A link is "FILE", "#HEADING" or "FILE#HEADING"; the index alone has headings that are led to.
void expect_links_lead_somewhere(const fs::path& file, const std::string& page,
                                 const std::set<std::string>& anchors) {
    static const std::regex link(R"(\]\(([^)#]*)(?:#([^)]+))?\))");
    for (std::sregex_iterator found(page.begin(), page.end(), link), end; found != end; ++found) {
        const std::string path = (*found)[1];
        const fs::path target = path.empty() ? file : (file.parent_path() / path).lexically_normal();
        EXPECT_TRUE(fs::exists(target)) << file << ": " << found->str();
        if ((*found)[2].matched) {
            EXPECT_EQ(target, docs / "catalogue.md") << file << ": " << found->str();
            EXPECT_TRUE(anchors.contains((*found)[2])) << file << ": " << found->str();
        }
    }
}

TEST(CatalogueDocs, EveryLinkLeadsSomewhere) {
    const std::set<std::string> anchors = anchors_of_the_index();
    expect_links_lead_somewhere(docs / "catalogue.md", index_page(), anchors);
    for (const Mechanism& each : mechanisms())
        expect_links_lead_somewhere(docs / "catalogue" / (each.id + ".md"), mechanism_markdown(each, "words"),
                                    anchors);
}

TEST(CatalogueDocs, APageSaysWhoHasItAndEndsWithWhatCitesIt) {
    const std::string page = mechanism_markdown(mechanism("sink_logit"), "words");
    EXPECT_NE(page.find("\n- **In models.** gpt-oss"), std::string::npos) << page;
    EXPECT_NE(page.find("\n  - gpt-oss: Layers that see a sliding window and layers"), std::string::npos)
        << page;
    for (const Mechanism& each : mechanisms()) {
        const std::string all = mechanism_markdown(each, "words");
        const auto begin = all.find("\n```bibtex\n");
        ASSERT_NE(begin, std::string::npos) << each.id;
        EXPECT_TRUE(all.ends_with("\n}\n```\n")) << each.id;
        std::size_t entries = 0;
        for (auto at = all.find("\n@", begin); at != std::string::npos; at = all.find("\n@", at + 1))
            ++entries;
        EXPECT_GE(entries, 1u) << each.id;
        EXPECT_LE(entries, each.papers.size()) << each.id;
    }
}

TEST(CatalogueDocs, EveryMechanismIsInOneChapter) {
    const std::string& index = index_page();
    for (const Mechanism& each : mechanisms()) {
        const std::string row = "\n| [" + each.name + "](catalogue/" + each.id + ".md) | ";
        const auto place = index.find(row);
        ASSERT_NE(place, std::string::npos) << each.id;
        EXPECT_EQ(index.find(row, place + 1), std::string::npos) << each.id;
        const auto chapter = index.rfind("\n## ", place);
        EXPECT_EQ(index.compare(chapter + 4, each.family.size() + 1, each.family + "\n"), 0) << each.id;
    }
    for (const Family& family : families())
        EXPECT_GT(family.introduction.size(), 200u) << family.name;
}

TEST(CatalogueDocs, LinesOfTheIndexSayHowPagesBegin) {
    EXPECT_EQ(first_sentence("Where is it? Nearly 0.5 to the left. Look."),
              "Where is it? Nearly 0.5 to the left.");
    EXPECT_EQ(first_sentence("One alone."), "One alone.");
    EXPECT_EQ(table_cell("v/|v|"), R"(v/\|v\|)");
}

TEST(CatalogueDocs, EveryLineOfTheIndexHasFourCells) {
    static const std::regex row(R"(\n\| \[[^\n]+)"), bar(R"([^\\]\|)");
    const std::string& index = index_page();
    std::size_t rows = 0;
    for (std::sregex_iterator found(index.begin(), index.end(), row), end; found != end; ++found, ++rows) {
        const std::string line = found->str();
        EXPECT_EQ(std::distance(std::sregex_iterator(line.begin(), line.end(), bar), end), 5) << line;
    }
    EXPECT_EQ(rows, mechanisms().size());
}

/// Ids of the mechanisms that are come by from `first` on, by the pages' notes of that title.
std::vector<std::string> followed(const Mechanism& first, const std::string& title) {
    const std::regex next("\n- \\*\\*" + title + R"(\.\*\*[^\n]*[Bb]efore \[[^\]]+\]\((\w+)\.md\))");
    std::vector<std::string> ids{first.id};
    std::smatch found;
    for (std::string page = mechanism_markdown(first, "words");
         std::regex_search(page, found, next) && ids.size() <= mechanisms().size();
         page = mechanism_markdown(mechanism(ids.back()), "words"))
        ids.push_back(found[1]);
    return ids;
}

std::vector<std::string> ids_of(const std::vector<const Mechanism*>& list) {
    std::vector<std::string> ids;
    for (const Mechanism* each : list)
        ids.push_back(each->id);
    return ids;
}

TEST(CatalogueDocs, PagesLeadThroughChaptersAndCourse) {
    for (const Family& family : families()) {
        const auto members = mechanisms_of(family.name);
        EXPECT_EQ(followed(*members.front(), "In the chapter"), ids_of(members)) << family.name;
    }
    EXPECT_EQ(followed(*lessons().front(), "In the course"), ids_of(lessons()));
}

// A stage that does not exist would silently be drawn as the weights.
TEST(CatalogueDocs, PicturesShowWhatTheExamplesAskFor) {
    for (const Mechanism& each : mechanisms()) {
        const Figure figure = session_figure(mechanism_example(each));
        EXPECT_EQ(figure.panels.front().stage, each.example.stage) << each.id;
        EXPECT_EQ(figure.panels.size() > 1 && figure.title == "Weights compared",
                  !each.example.beside.empty())
            << each.id;
        if (!each.example.beside.empty()) {
            EXPECT_EQ(figure.panels.back().title, mechanism(each.example.beside).name) << each.id;
            EXPECT_EQ(figure.panels.back().columns, figure.panels.front().columns) << each.id;
        }
    }
}

TEST(CatalogueDocs, FewColumnsMakeANarrowPicture) {
    for (const auto& [id, width] : {std::pair("flamingo", 330),
                                    {"spatial_reduction", 330},
                                    {"rope", 520},
                                    {"area", 520},
                                    {"multi_head", 520}})
        EXPECT_EQ(mechanism_example(mechanism(id)).exported->width_px, width) << id;
}

TEST(CatalogueDocs, EveryRowOfTheIndexIsFullAndNoCommonKnobIsThereTwice) {
    EXPECT_EQ(index_page().find("|  |"), std::string::npos);
    std::set<std::string> knobs;
    std::istringstream lines(index_page().substr(index_page().find("## Common knobs")));
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("| `")) {
            EXPECT_TRUE(knobs.insert(line.substr(0, line.find('`', 3))).second) << line;
        }
    EXPECT_GT(knobs.size(), 10u);
}

TEST(CatalogueDocs, SayWhatTheComponentsSay) {
    EXPECT_TRUE(text_of(docs / "components.md") == components_markdown())
        << "docs/components.md is stale: run scripts/build_docs.sh";
}

TEST(CatalogueDocs, FormulasLoseTheirWrappersAndNothingElse) {
    EXPECT_EQ(without_classes(R"(\class{stage-output}{\frac{\class{stage-query}{Q}}{\sqrt{d}}\,V})"),
              R"(\frac{Q}{\sqrt{d}}\,V)");
    EXPECT_EQ(without_classes(R"(W^\top\class{stage-query}{q})"), R"(W^\top q)");
    EXPECT_EQ(without_classes(R"(x + 1)"), R"(x + 1)");
    for (const Mechanism& each : mechanisms())
        EXPECT_EQ(without_classes(each.formula).find("class"), std::string::npos) << each.id;
}

// A command runs on to the next character that is not a letter: \quad followed by j is another command.
TEST(CatalogueDocs, FormulasUseCommandsThatExist) {
    const std::set<std::string> known{
        "\\alpha",        "\\arg",       "\\ast",        "\\beta",  "\\bmod",  "\\cdot",   "\\class",
        "\\cos",          "\\cosh",      "\\ni",         "\\ne",    "\\sinh",  "\\arcosh", "\\delta",
        "\\ell",          "\\exp",       "\\frac",       "\\tfrac", "\\neq",   "\\gamma",  "\\in",
        "\\infty",        "\\lambda",    "\\lceil",      "\\ldots", "\\le",    "\\left",   "\\lfloor",
        "\\ln",           "\\log",       "\\max",        "\\min",   "\\mu",    "\\odot",   "\\omega",
        "\\operatorname", "\\prod",      "\\psi",        "\\quad",  "\\rceil", "\\rfloor", "\\right",
        "\\sigma",        "\\sim",       "\\sin",        "\\sqrt",  "\\sum",   "\\tanh",   "\\tau",
        "\\text",         "\\theta",     "\\tilde",      "\\ge",    "\\times", "\\top",    "\\xi",
        "\\Delta",        "\\phi",       "\\pi",         "\\rho",   "\\zeta",  "\\hat",    "\\bar",
        "\\Phi",          "\\kappa",     "\\varepsilon", "\\eta",   "\\circ",  "\\lVert",  "\\rVert",
        "\\varphi",       "\\leftarrow", "\\partial",    "\\Theta"};
    const std::regex command(R"(\\[A-Za-z]+)");
    for (const Mechanism& each : mechanisms())
        for (const std::string& formula : {each.formula, without_classes(each.formula)})
            for (std::sregex_iterator found(formula.begin(), formula.end(), command), end; found != end;
                 ++found)
                EXPECT_TRUE(known.contains(found->str())) << each.id << ": " << found->str();
}

// A bias that is taken off has one sign, "− m": "+ −m" reads as a slip of the pen.
TEST(CatalogueDocs, FormulasHaveNoTwoSignsInARow) {
    const std::regex signs(R"([+-]([\s{(]|\\[,;:!])*-)");
    EXPECT_TRUE(std::regex_search(std::string(R"(\frac{a}{b} + {-m_h\,(i - j)})"), signs));
    EXPECT_FALSE(std::regex_search(std::string(R"(\frac{a}{b} {} - m_h\,(i - j))"), signs));
    for (const Mechanism& each : mechanisms())
        EXPECT_FALSE(std::regex_search(without_classes(each.formula), signs))
            << each.id << ": " << each.formula;
}

}}  // namespace headlight::catalogue_docs_test
