// headlight cite: BibTeX of the program and of what the catalogue is taken from.

#include "core/catalog/mechanism.h"
#include "tests/cli/program.h"

#include <algorithm>
#include <regex>
#include <sstream>
#include <string>
#include <utility>

namespace headlight { namespace {

using test::Workplace;

constexpr const char* of_headlight = R"(@misc{headlight,
  author = {{The Headlight authors}},
  title  = {{Headlight}: see what every attention head looks at},
  note   = {Version 0.2.0, Apache-2.0}
}
)";

TEST(Cite, PrintsTheProgramAndThePapersOfAMechanism) {
    const std::pair<const char*, const char*> rows[] = {
        {"scaled_dot_product", R"(
@misc{vaswani2017attention,
  author = {Vaswani and others},
  title  = {{Attention Is All You Need}},
  year   = {2017},
  note   = {equation 1}
}
)"},
        {"gaussian_kernel", R"(
@misc{nadaraya1964estimatinga,
  author = {Nadaraya},
  title  = {{On Estimating Regression}},
  year   = {1964}
}

@misc{watson1964smoothb,
  author = {Watson},
  title  = {{Smooth Regression Analysis}},
  year   = {1964}
}
)"},
        {"gated_delta", R"(
@misc{yang2025gated,
  author = {Yang and Kautz and Hatamizadeh},
  title  = {{Gated Delta Networks: Improving Mamba2 with Delta Rule}},
  year   = {2025}
}
)"},
        {"sink_logit", R"(
@misc{openai2025120b,
  author = {OpenAI},
  title  = {{gpt-oss-120b and gpt-oss-20b Model Card}},
  year   = {2025}
}
)"},
        {"keras_concat", R"(
@misc{keras2022layer,
  author = {Keras},
  title  = {{the layer Attention with score\_mode="concat"}},
  year   = {2022}
}
)"},
    };
    const Workplace place;
    for (const auto& [id, papers] : rows) {
        const test::Outcome outcome = place.run({"cite", id});
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        EXPECT_EQ(outcome.output, std::string(of_headlight) + papers);
    }
    EXPECT_EQ(place.run({"cite"}).output, of_headlight);
}

TEST(Cite, EveryCitationOfTheCatalogueHasAuthorsAndATitle) {
    const Workplace place;
    // A name of at most three words, and no clause before the names.
    const std::regex author(
        R"(  author = \{(\{?[^ {}]+( [^ {}]+){0,2}\}?)( and \{?[^ {}]+( [^ {}]+){0,2}\}?)*\},)");
    for (const Mechanism& mechanism : mechanisms()) {
        const std::string text = place.run({"cite", mechanism.id}).output;
        EXPECT_EQ(std::ranges::count(text, '@'), 1 + static_cast<std::ptrdiff_t>(mechanism.papers.size()))
            << mechanism.id;
        EXPECT_EQ(std::ranges::count(text, '{'), std::ranges::count(text, '}')) << text;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("  author")) {
                EXPECT_TRUE(std::regex_match(line, author)) << line;
            }
            if (line.starts_with("  title")) {
                EXPECT_GT(line.size(), std::string("  title  = {{}},").size()) << line;
            }
        }
    }
}

TEST(Cite, RefusesWhatNoMechanismIsCalled) {
    const test::Outcome outcome = Workplace().run({"cite", "softmx"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.output, "");
    EXPECT_NE(outcome.error.find("softmx"), std::string::npos) << outcome.error;
}

TEST(Cite, TheCitationFileIsOfThisVersion) {
    const std::string file = read_file(HEADLIGHT_SOURCE_DIR "/CITATION.cff");
    const std::string version = Workplace().run({"--version"}).output;  // "headlight 0.1.0\n"
    EXPECT_NE(file.find("version: " + version.substr(10)), std::string::npos) << file;
}

}}  // namespace headlight
