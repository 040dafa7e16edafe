#include "core/catalog/component_documentation.h"
#include "core/catalog/documentation.h"
#include "core/catalog/mechanism.h"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

using namespace headlight;

namespace {

TEST(CatalogueDocs, SayWhatTheDeclarationsSay) {
    std::ifstream file(HEADLIGHT_SOURCE_DIR "/docs/catalogue.md");
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_TRUE(text.str() == catalogue_markdown())
        << "docs/catalogue.md is stale: build the target catalogue_docs";
}

TEST(CatalogueDocs, SayWhatTheComponentsSay) {
    std::ifstream file(HEADLIGHT_SOURCE_DIR "/docs/components.md");
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_TRUE(text.str() == components_markdown())
        << "docs/components.md is stale: build the target catalogue_docs";
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
        "\\alpha", "\\arg",    "\\ast",   "\\beta",  "\\bmod",         "\\cdot", "\\class", "\\cos",
        "\\delta", "\\ell",    "\\exp",   "\\frac",  "\\gamma",        "\\in",   "\\infty", "\\lambda",
        "\\lceil", "\\ldots",  "\\le",    "\\left",  "\\lfloor",       "\\ln",   "\\log",   "\\max",
        "\\min",   "\\mu",     "\\odot",  "\\omega", "\\operatorname", "\\prod", "\\psi",   "\\quad",
        "\\rceil", "\\rfloor", "\\right", "\\sigma", "\\sim",          "\\sin",  "\\sqrt",  "\\sum",
        "\\tanh",  "\\tau",    "\\text",  "\\theta", "\\tilde",        "\\ge", "\\times", "\\top",  "\\xi",    "\\Delta",
        "\\phi",   "\\pi",     "\\rho",   "\\zeta"};
    const std::regex command(R"(\\[A-Za-z]+)");
    for (const Mechanism& each : mechanisms())
        for (const std::string& formula : {each.formula, without_classes(each.formula)})
            for (std::sregex_iterator found(formula.begin(), formula.end(), command), end; found != end;
                 ++found)
                EXPECT_TRUE(known.contains(found->str())) << each.id << ": " << found->str();
}

}  // namespace
