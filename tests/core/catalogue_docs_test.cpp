#include "core/catalog/documentation.h"
#include "core/catalog/mechanism.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

using namespace headlight;

namespace {

TEST(CatalogueDocs, SayWhatTheDeclarationsSay) {
    std::ifstream file(HEADLIGHT_SOURCE_DIR "/docs/catalogue.md");
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(text.str(), catalogue_markdown()) << "stale: build the target catalogue_docs";
}

TEST(CatalogueDocs, FormulasLoseTheirWrappersAndNothingElse) {
    EXPECT_EQ(without_classes(R"(\class{stage-output}{\frac{\class{stage-query}{Q}}{\sqrt{d}}\,V})"),
              R"(\frac{Q}{\sqrt{d}}\,V)");
    EXPECT_EQ(without_classes(R"(W^\top\class{stage-query}{q})"), R"(W^\top q)");
    EXPECT_EQ(without_classes(R"(x + 1)"), R"(x + 1)");
    for (const Mechanism& each : mechanisms())
        EXPECT_EQ(without_classes(each.formula).find("class"), std::string::npos) << each.id;
}

}  // namespace
