// headlight cite: BibTeX of the program and of what the catalogue is taken from.

#include "core/catalog/bibtex.h"
#include "core/catalog/mechanism.h"
#include "core/catalog/publications.h"
#include "tests/cli/program.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <utility>

namespace headlight::cite_command_test { namespace {

using test::Workplace;

constexpr const char* of_headlight = R"(@misc{headlight,
  author = {{The Headlight authors}},
  title  = {{Headlight}: see what every attention head looks at},
  year   = {2026},
  note   = {Version 0.2.0, Apache-2.0}
}
)";

TEST(Cite, PrintsTheProgramAndThePapersOfAMechanism) {
    const std::pair<const char*, const char*> rows[] = {
        {"scaled_dot_product", R"(
% equation 1
@inproceedings{vaswani2017attention,
  author    = {Vaswani, Ashish and Shazeer, Noam and Parmar, Niki and Uszkoreit, Jakob and Jones, Llion and Gomez, Aidan N. and Kaiser, Łukasz and Polosukhin, Illia},
  title     = {{Attention Is All You Need}},
  booktitle = {Advances in Neural Information Processing Systems},
  year      = {2017}
}
)"},
        {"gaussian_kernel", R"(
@article{nadaraya1964estimating,
  author  = {Nadaraya, Elizbar A.},
  title   = {{On Estimating Regression}},
  journal = {Theory of Probability and Its Applications},
  year    = {1964}
}

@article{watson1964smooth,
  author  = {Watson, Geoffrey S.},
  title   = {{Smooth Regression Analysis}},
  journal = {Sankhyā: The Indian Journal of Statistics, Series A},
  year    = {1964}
}
)"},
        {"gated_delta", R"(
@inproceedings{yang2025gated,
  author    = {Yang, Songlin and Kautz, Jan and Hatamizadeh, Ali},
  title     = {{Gated Delta Networks: Improving Mamba2 with Delta Rule}},
  booktitle = {International Conference on Learning Representations},
  year      = {2025}
}
)"},
        {"sink_logit", R"(
@misc{openai2025120b,
  author       = {{OpenAI}},
  title        = {{gpt-oss-120b and gpt-oss-20b Model Card}},
  howpublished = {arXiv:2508.10925},
  year         = {2025}
}
)"},
        {"keras_concat", R"(
@misc{keras2022attention,
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
    // Names of at most five words ("Lo Cicero Vaina, Sofia Maria"), and no clause before them.
    const std::regex author(
        R"(  author += \{(\{?[^ {}]+( [^ {}]+){0,4}\}?)( and \{?[^ {}]+( [^ {}]+){0,4}\}?)*\},)");
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
                EXPECT_GT(line.size(), std::string("  title        = {{}},").size()) << line;
            }
        }
    }
}

TEST(Cite, NearlyEveryPaperHasItsAuthorsAndItsVenue) {
    int papers = 0, known = 0;
    for (const Mechanism& mechanism : mechanisms())
        for (const Paper& paper : mechanism.papers) {
            ++papers;
            known += publication_of(paper) ? 1 : 0;
        }
    EXPECT_GT(known, papers * 9 / 10) << "of " << papers;
}

/** What several entries cite is a row of publications(), what one cites may stand in it. */
TEST(Cite, APublicationIsSaidInOnePlace) {
    std::map<std::string, int> citing;
    for (const Mechanism& mechanism : mechanisms())
        for (const Paper& paper : mechanism.papers)
            ++citing[cited_work(paper.citation).title];
    for (const Mechanism& mechanism : mechanisms())
        for (const Paper& paper : mechanism.papers)
            if (paper.publication) {
                EXPECT_EQ(find_publication(paper.publication->title), nullptr) << mechanism.id;
                EXPECT_EQ(citing[std::string(paper.publication->title)], 1) << mechanism.id;
            }
}

TEST(Cite, APaperHasOneEntryWhoeverCitesIt) {
    std::map<std::string, std::string> entries;  // by key
    const std::regex entry(R"(@\w+\{([^,]+),[^@]+\n\}\n)");
    for (const Mechanism& mechanism : mechanisms()) {
        const std::string text = bibtex(mechanism);
        for (std::sregex_iterator at(text.begin(), text.end(), entry), end; at != end; ++at) {
            const auto [known, is_new] = entries.emplace((*at)[1], at->str());
            EXPECT_EQ(known->second, at->str()) << mechanism.id;
        }
    }
    EXPECT_GT(entries.size(), 90u);
    for (auto one = entries.begin(); one != entries.end(); ++one)
        for (auto other = std::next(one); other != entries.end(); ++other)
            EXPECT_NE(one->second.substr(one->second.find(',')),
                      other->second.substr(other->second.find(',')))
                << one->first << " and " << other->first;
}

TEST(Cite, KeysAreOfPlainLettersAndOfOneSurname) {
    for (const auto& [id, key] :
         {std::pair("hyperbolic", "gulcehre2019hyperbolic"), std::pair("gat", "velickovic2018graph"),
          std::pair("switch_head", "csordas2024switchhead"), std::pair("nystrom", "xiong2021nystromformer"),
          std::pair("taylor", "debrebisson2016exploration"), std::pair("mesa", "vonoswald2026mesanet"),
          std::pair("dsa", "deepseekai2025deepseek")}) {
        const std::string text = bibtex(mechanism(id));
        EXPECT_NE(text.find('{' + std::string(key) + ",\n"), std::string::npos) << text;
    }
}

TEST(Cite, SeveralMechanismsShareTheirPapers) {
    const Workplace place;
    const std::string both = place.run({"cite", "scaled_dot_product", "multi_head", "additive"}).output;
    EXPECT_EQ(std::ranges::count(both, '@'), 3) << both;
    EXPECT_NE(both.find("@inproceedings{vaswani2017attention,"), std::string::npos);
    EXPECT_NE(both.find("@inproceedings{bahdanau2015neural,"), std::string::npos);
    EXPECT_NE(both.find("\n% equation 1\n"), std::string::npos);
}

TEST(Cite, AModelHasThePapersOfWhatAttendsInIt) {
    const Workplace place;
    for (const auto& [model, key] : {std::pair("dates-luong", "luong2015effective"),
                                     std::pair("translate-transformer", "vaswani2017attention"),
                                     std::pair("dates-additive-gru", "bahdanau2015neural")}) {
        const test::Outcome outcome = place.run({"cite", model});
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        EXPECT_NE(outcome.output.find(key), std::string::npos) << outcome.output;
        EXPECT_EQ(std::ranges::count(outcome.output, '@'), 2) << outcome.output;
    }
}

TEST(Cite, AMechanismMayBeCalledByItsOtherNames) {
    const Workplace place;
    for (const auto& [name, id] :
         {std::pair("GQA", "grouped_query"), std::pair("gqa", "grouped_query"),
          std::pair("Gated DeltaNet", "gated_delta"), std::pair("gated deltanet", "gated_delta"),
          std::pair("Grouped-query attention", "grouped_query"), std::pair("Performer", "performer")}) {
        const test::Outcome outcome = place.run({"cite", name});
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        EXPECT_EQ(outcome.output, bibtex(mechanism(id))) << name;
    }
}

TEST(Cite, RefusesWhatNoMechanismIsCalledOrSeveralAre) {
    for (const auto& [name, near] :
         {std::pair("softmx", "soft"), std::pair("squared ReLU attention", "gau"),
          std::pair("squared ReLU attention", "relu"), std::pair("grouped-quer", "grouped_query")}) {
        const test::Outcome outcome = Workplace().run({"cite", name});
        EXPECT_EQ(outcome.status, 2) << name;
        EXPECT_EQ(outcome.output, "") << name;
        EXPECT_NE(outcome.error.find(name), std::string::npos) << outcome.error;
        EXPECT_NE(outcome.error.find('"' + std::string(near) + '"'), std::string::npos) << outcome.error;
    }
}

TEST(Cite, TheCitationFileIsOfThisVersion) {
    const std::string file = read_file(HEADLIGHT_SOURCE_DIR "/CITATION.cff");
    const std::string version = Workplace().run({"--version"}).output;  // "headlight 0.1.0\n"
    EXPECT_NE(file.find("version: " + version.substr(10)), std::string::npos) << file;
    const std::string entry = bibtex_of_headlight();
    const std::size_t year = entry.find("year   = {") + 10;
    EXPECT_NE(file.find("date-released: " + entry.substr(year, 4)), std::string::npos) << file;
}

}}  // namespace headlight::cite_command_test
