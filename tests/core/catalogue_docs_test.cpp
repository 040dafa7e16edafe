#include "core/catalog/component_documentation.h"
#include "core/catalog/documentation.h"
#include "core/catalog/family.h"
#include "core/catalog/mechanism.h"
#include "core/io/mechanism_example.h"
#include "core/io/session_run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace headlight::catalogue_docs_test { namespace {

std::string in_words(const Mechanism& mechanism) {
    return session_figure(mechanism_example(mechanism)).description;
}

TEST(CatalogueDocs, SayWhatTheDeclarationsSay) {
    std::ifstream file(HEADLIGHT_SOURCE_DIR "/docs/catalogue.md");
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_TRUE(text.str() == catalogue_markdown(in_words))
        << "docs/catalogue.md is stale: run scripts/build_docs.sh";
}

/// GitHub's rule: letters and digits of any script and hyphens stay, a space becomes a hyphen.
std::string anchor(const std::string& heading) {
    static const std::regex punctuation("[!-,./:-@\\[-^`{-~]|\xE2\x80[\x90-\xBF]");
    std::string text = std::regex_replace(heading, punctuation, "");
    for (char& c : text)
        c = c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

TEST(CatalogueDocs, EveryLinkLeadsSomewhere) {
    const std::string book = catalogue_markdown([](const Mechanism&) { return "words"; });
    std::set<std::string> anchors;
    const std::regex heading("\n#{2,3} ([^\n]+)"), link("\\]\\(#([^)]+)\\)"),
        picture("\\]\\((images/[^)]+)\\)");
    for (std::sregex_iterator found(book.begin(), book.end(), heading), end; found != end; ++found)
        EXPECT_TRUE(anchors.insert(anchor((*found)[1])).second) << "two headings: " << (*found)[1];
    for (std::sregex_iterator found(book.begin(), book.end(), link), end; found != end; ++found)
        EXPECT_TRUE(anchors.contains((*found)[1])) << (*found)[1];
    for (std::sregex_iterator found(book.begin(), book.end(), picture), end; found != end; ++found)
        EXPECT_TRUE(std::filesystem::exists(HEADLIGHT_SOURCE_DIR "/docs/" + (*found)[1].str()))
            << (*found)[1];
}

TEST(CatalogueDocs, EveryMechanismIsInOneChapter) {
    const std::string book = catalogue_markdown([](const Mechanism&) { return "words"; });
    for (const Mechanism& each : mechanisms()) {
        const std::string heading = "\n### " + each.name + "\n";
        const auto place = book.find(heading);
        ASSERT_NE(place, std::string::npos) << each.id;
        EXPECT_EQ(book.find(heading, place + 1), std::string::npos) << each.id;
        const auto chapter = book.rfind("\n## ", place);
        EXPECT_EQ(book.compare(chapter + 4, each.family.size() + 1, each.family + "\n"), 0) << each.id;
    }
    for (const Family& family : families())
        EXPECT_GT(family.introduction.size(), 200u) << family.name;
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

TEST(CatalogueDocs, SayWhatTheComponentsSay) {
    std::ifstream file(HEADLIGHT_SOURCE_DIR "/docs/components.md");
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_TRUE(text.str() == components_markdown())
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
        "\\alpha",  "\\arg",        "\\ast",   "\\beta",         "\\bmod",   "\\cdot",  "\\class",  "\\cos",
        "\\cosh",   "\\ni",         "\\ne",    "\\sinh",         "\\arcosh", "\\delta", "\\ell",    "\\exp",
        "\\frac",   "\\tfrac",      "\\neq",   "\\gamma",        "\\in",     "\\infty", "\\lambda", "\\lceil",
        "\\ldots",  "\\le",         "\\left",  "\\lfloor",       "\\ln",     "\\log",   "\\max",    "\\min",
        "\\mu",     "\\odot",       "\\omega", "\\operatorname", "\\prod",   "\\psi",   "\\quad",   "\\rceil",
        "\\rfloor", "\\right",      "\\sigma", "\\sim",          "\\sin",    "\\sqrt",  "\\sum",    "\\tanh",
        "\\tau",    "\\text",       "\\theta", "\\tilde",        "\\ge",     "\\times", "\\top",    "\\xi",
        "\\Delta",  "\\phi",        "\\pi",    "\\rho",          "\\zeta",   "\\hat",   "\\bar",    "\\Phi",
        "\\kappa",  "\\varepsilon", "\\eta",   "\\circ",         "\\lVert",  "\\rVert", "\\varphi"};
    const std::regex command(R"(\\[A-Za-z]+)");
    for (const Mechanism& each : mechanisms())
        for (const std::string& formula : {each.formula, without_classes(each.formula)})
            for (std::sregex_iterator found(formula.begin(), formula.end(), command), end; found != end;
                 ++found)
                EXPECT_TRUE(known.contains(found->str())) << each.id << ": " << found->str();
}

}}  // namespace headlight::catalogue_docs_test
