#include "core/catalog/search.h"

#include "core/analysis/cost_growth.h"
#include "core/catalog/coverage.h"
#include "core/catalog/used_by.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

namespace headlight::search_test { namespace {

std::vector<FoundMechanism> found(std::string_view query) {
    return find_mechanisms(query, is_linear_in_tokens);
}

/// Why each was found, by id.
std::map<std::string, std::string> reasons(std::string_view query) {
    std::map<std::string, std::string> list;
    for (const FoundMechanism& each : found(query))
        list.emplace(each.mechanism->id, each.why);
    return list;
}

struct Row {
    const char* query;
    const char* first;     ///< id
    const char* why = "";  ///< of that one
};

TEST(Search, FindsTheBestFirst) {
    for (const auto& [query, first, why] : {
             Row{"linear 2020", "linear", "published in 2020"},
             Row{"2020 linear", "linear", "published in 2020"},
             Row{"multi", "multi_head"},
             Row{"product", "product_keys"},
             Row{"product attention", "dot"},
             Row{"self-attention", "self_attention"},
             Row{"scaled_dot_product", "scaled_dot_product"},
             Row{"MULTIHEAD", "multi_head"},
             Row{"m\u00fcltih\u00e9ad", "multi_head"},
             Row{"nystromformer", "nystrom"},
             Row{"prope", "p_rope"},
             Row{"sliding attention", "window"},
             Row{"causal", "causal"},
             Row{"GDN", "gated_delta", "also called GDN"},
             Row{"DeepSeek-V3.2 selections", "dsa"},
             Row{"Attention is all you need", "scaled_dot_product"},
             Row{"neural machine translation by jointly learning to align and translate", "additive"},
             Row{"RoFormer: Enhanced Transformer with Rotary", "rope"},
             Row{"linear in tokens", "linear", "linear in tokens"},
             Row{"not linear in tokens", "gaussian_kernel", "not linear in tokens"},
             Row{"Mistral's sliding window", "window"},
             Row{"Mistral\u2019s sliding window", "window"},
             Row{"Gemma 3's local attention", "window"},
             Row{"Oja's rule", "gated_oja"},
         }) {
        const auto all = found(query);
        ASSERT_FALSE(all.empty()) << query;
        EXPECT_EQ(all.front().mechanism->id, first) << query;
        EXPECT_TRUE(*why == 0 || all.front().why == why) << query << ": " << all.front().why;
    }
}

// In names and other names a whole word or its beginning comes before what only has the letters somewhere.
TEST(Search, BeginningsOfWordsComeBeforePartsOfThem) {
    constexpr int inside_words = 6;
    for (const char* query : {"table", "max", "former", "lin", "rope", "soft"}) {
        bool is_inside = false;
        for (const FoundMechanism& each : found(query)) {
            const SearchText typed(query);
            const auto begins = [&](const std::string& name) {
                return SearchText(name).place_of(typed) <= SearchText::beginning_of_word;
            };
            const bool is_begun = begins(each.mechanism->name) || begins(each.mechanism->id) ||
                                  std::ranges::any_of(each.mechanism->also_known_as, begins);
            EXPECT_EQ(is_begun, each.by_name < inside_words) << query << ": " << each.mechanism->id;
            EXPECT_FALSE(is_begun && is_inside) << query << ": " << each.mechanism->id;
            is_inside = is_inside || !is_begun;
        }
    }
}

TEST(Search, EveryMechanismIsTheFirstThatItsNameAndItsIdFind) {
    for (const Mechanism& each : mechanisms())
        for (const std::string& query : {each.name, each.id}) {
            const auto all = found(query);
            ASSERT_FALSE(all.empty()) << query;
            // Another one may be called so, too.
            EXPECT_EQ(all.front().by_name, 0) << query;
            EXPECT_TRUE(std::ranges::any_of(all, [&](const FoundMechanism& other) {
                return other.mechanism->id == each.id && other.by_name == 0;
            })) << query;
        }
}

TEST(Search, FindsByWhatIsKnownOfAMechanismAndSaysWhy) {
    const auto why = [](const char* query, const char* id) {
        const auto all = reasons(query);
        const auto place = all.find(id);
        return place == all.end() ? std::string("not found") : place->second;
    };
    EXPECT_EQ(why("bahdanau", "additive").substr(0, 6), "also c");
    EXPECT_EQ(why("extrapolation", "alibi").substr(0, 18), "Press, Smith and L");
    EXPECT_EQ(why("images", "swin"), "family Images");
    EXPECT_EQ(why("katharopoulos", "linear").substr(0, 13), "Katharopoulos");
    EXPECT_EQ(why("causal", "retention"), "causal");
    EXPECT_EQ(why("causal", "causal"), "");
    EXPECT_EQ(why("signed weights", "gated_delta"), "signed weights");
    EXPECT_EQ(why("used in Qwen3-Next", "gated"), "used in Qwen3-Next");
    EXPECT_EQ(why("qwen3", "grouped_query"), "used in Qwen3 and Qwen3-Next");
    EXPECT_EQ(why("causal used in rwkv-7", "rwkv7"), "causal; used in RWKV-7");
}

TEST(Search, FindsByTheNumberAndTheTitleOfAKindOfAttention) {
    const auto first = [](std::string_view query) {
        const auto all = found(query);
        return all.empty() ? std::pair<std::string, std::string>()
                           : std::pair(all.front().mechanism->id, all.front().why);
    };
    for (const CoveredAttention& kind : catalogue_numbers()) {
        const auto why = reasons(kind.id);
        for (const ShownBy& shown : kind.shown_by) {
            if (shown.kind == ShownBy::Kind::mechanism) {
                EXPECT_TRUE(why.contains(shown.name)) << kind.id << ": " << shown.name;
            }
        }
    }
    EXPECT_EQ(first("E6").first, "kv_cache");
    EXPECT_EQ(first("target attention of recommenders").first, "mlp_score");
    EXPECT_NE(first("target attention of recommenders").second.find("R39"), std::string::npos);
}

TEST(Search, WhoIsUsedInAModelIsUsedInNoOther) {
    for (const KnownModel& model : known_models()) {
        const auto all = found("used in " + std::string(model.name));
        EXPECT_EQ(all.size(), model.mechanisms.size()) << model.name;
        for (const FoundMechanism& each : all) {
            EXPECT_EQ(each.why, "used in " + std::string(model.name));
            EXPECT_TRUE(std::ranges::count(model.mechanisms, each.mechanism->id)) << each.mechanism->id;
        }
    }
}

TEST(Search, OfAModelWhatFewestOthersHaveComesFirst) {
    for (const auto& [query, id] :
         {std::pair{"Qwen3-Next", "gated_delta"}, std::pair{"used in Qwen3-Next", "gated_delta"},
          std::pair{"Jamba", "mamba"}}) {
        const auto all = found(query);
        ASSERT_FALSE(all.empty()) << query;
        EXPECT_EQ(all.front().mechanism->id, id) << query;
        for (const FoundMechanism& each : all)
            EXPECT_EQ(each.by_rarity, std::ssize(used_by(each.mechanism->id))) << each.mechanism->id;
    }
    EXPECT_EQ(found("gated").front().by_rarity, 0) << "where no model is meant";
}

TEST(Search, AQuestionFindsWhatItAsksFor) {
    const auto used = reasons("used in Qwen3-Next");
    for (const char* query :
         {"the attention that Qwen3-Next uses", "what attention does Qwen3-Next use?", "Qwen3-Next uses",
          "attention used by qwen3-next", "Which attentions has Qwen3-Next"})
        EXPECT_EQ(reasons(query), used) << query;
    EXPECT_EQ(found("what is sparsemax?").front().mechanism->id, "sparsemax");
    EXPECT_EQ(found("the attention").size(), found("attention").size());
}

TEST(Search, AWordThatSaysNothingOfAModelIsLeftOut) {
    const auto used = reasons("used in Falcon-H1");
    for (const char* query : {"Falcon H1 hybrid", "used in Falcon-H1 hybrid", "Falcon-H1\u2019s hybrid"}) {
        const auto all = reasons(query);
        EXPECT_EQ(all.size(), used.size()) << query;
        for (const auto& [id, why] : all)
            EXPECT_EQ(why, "used in Falcon-H1; without \u201chybrid\u201d") << query << ": " << id;
    }
    EXPECT_TRUE(reasons("Falcon H1 hybrid rotary").contains("rope"));
    EXPECT_FALSE(reasons("Falcon H1 hybrid rotary").contains("mamba2")) << "the other word holds";
    EXPECT_TRUE(found("Falcon H1 1999").empty()) << "a year is meant as it is typed";
    EXPECT_TRUE(found("hybrid Falconry").empty()) << "no model is named";
    EXPECT_TRUE(reasons("Llama's rotary positions").contains("rope_interleaved"));
    EXPECT_EQ(reasons("Llama's rotary positions"), reasons("Llama rotary positions"));
}

TEST(Search, WordsBehindUsedInThatNameNoModelAreWordsAgain) {
    for (const auto& [id, why] : reasons("used in Llama 2 heads"))
        EXPECT_TRUE(mechanism(id).family == "Heads" || why.find("used in Llama 2") != std::string::npos)
            << id;
    EXPECT_TRUE(reasons("used in Llama 2 heads").contains("grouped_query"));
    EXPECT_FALSE(reasons("used in Llama 2 heads").contains("rope_interleaved"));
}

TEST(Search, PropertiesAreThoseThatAreDeclared) {
    const std::map<std::string, bool MechanismProperties::*> rows{
        {"autoregressive", &MechanismProperties::causal},
        {"row-stochastic", &MechanismProperties::row_stochastic},
        {"rows sum to 1", &MechanismProperties::row_stochastic},
        {"permutation-equivariant", &MechanismProperties::permutation_equivariant},
        {"data-dependent mask", &MechanismProperties::data_dependent_mask},
        {"signed weights", &MechanismProperties::is_signed},
        {"sparse weights", &MechanismProperties::sparse},
        {"needs the whole text", &MechanismProperties::needs_whole_text},
    };
    for (const auto& [query, property] : rows) {
        const auto all = reasons(query);
        for (const Mechanism& each : mechanisms()) {
            if (each.properties.*property) {
                EXPECT_TRUE(all.contains(each.id)) << query << ": " << each.id;
            }
        }
    }
}

TEST(Search, WhatIsLinearInTokensIsCounted) {
    const auto all = reasons("linear in tokens");
    for (const char* id : {"performer", "retention", "window", "linformer"})
        EXPECT_EQ(all.contains(id) ? all.at(id) : "", "linear in tokens") << id;
    for (const char* id : {"scaled_dot_product", "causal", "multi_head"})
        EXPECT_FALSE(all.contains(id)) << id;
    EXPECT_TRUE(find_mechanisms("linear in tokens", IsLinear()).empty()) << "where nobody counts";
}

TEST(Search, APropertyCanBeNegated) {
    for (const char* query : {"not causal", "non-causal", "Non causal", "mechanisms that are not causal"}) {
        const bool asks_for_word = std::string_view(query).starts_with("mech");
        const auto all = reasons(query);
        for (const Mechanism& each : mechanisms())
            if (!asks_for_word) {
                EXPECT_EQ(all.contains(each.id), !each.properties.causal) << query << ": " << each.id;
            }
        for (const auto& [id, why] : all)
            EXPECT_NE(why.find("not causal"), std::string::npos) << query << ": " << id << ", " << why;
    }
    for (const auto& [id, why] : reasons("not stochastic"))  // "stochastic sampling" is another property
        EXPECT_FALSE(mechanism(id).properties.row_stochastic) << id << ", " << why;
    EXPECT_TRUE(find_mechanisms("not linear in tokens", IsLinear()).empty()) << "where nobody counts";
    EXPECT_EQ(found("non-local block").front().mechanism->id, "non_local") << "no property is meant";
}

TEST(Search, AYearIsFirstThatOfTheMechanism) {
    const auto all = reasons("sliding window 2020");
    ASSERT_TRUE(all.contains("window"));
    EXPECT_NE(all.at("window").find("another paper published in 2020"), std::string::npos)
        << all.at("window");
    const auto preprint = reasons("GDN 2025");
    ASSERT_TRUE(preprint.contains("gated_delta"));
    EXPECT_NE(preprint.at("gated_delta").find("published in 2025 (preprint 2024)"), std::string::npos)
        << preprint.at("gated_delta");
}

TEST(Search, YearsAreThoseOfPapers) {
    struct YearRow {
        const char* query;
        int first, last;
    };
    for (const auto& [query, first, last] : {
             YearRow{"2020-2022", 2020, 2022},
             YearRow{"2022\u20132020", 2020, 2022},
             YearRow{"2020 - 2022", 2020, 2022},
             YearRow{"before 2018", 0, 2017},
             YearRow{"until 2018", 0, 2018},
             YearRow{"after 2024", 2025, 9999},
             YearRow{"since 2024", 2024, 9999},
             YearRow{"from 2016 to 2017", 2016, 2017},
         }) {
        const auto all = reasons(query);
        for (const Mechanism& each : mechanisms()) {
            const bool is_of_them =
                std::ranges::any_of(each.papers, [first = first, last = last](const Paper& paper) {
                    return (paper.year >= first && paper.year <= last) ||
                           (paper.first() >= first && paper.first() <= last);
                });
            const bool has_both = std::string(query).starts_with("from");  // two parts, a paper for each
            if (is_of_them || !has_both) {
                EXPECT_EQ(all.contains(each.id), is_of_them) << query << ": " << each.id;
            }
        }
    }
}

TEST(Search, ALetterMayBeWrongWhereNothingElseIsFound) {
    for (const auto& [query, id] : {
             std::pair{"perfomer", "performer"},
             std::pair{"perfformer", "performer"},
             std::pair{"pergormer", "performer"},
             std::pair{"prefromer", "performer"},  // two letters: not found below
             std::pair{"longfromer", "longformer"},
             std::pair{"used in qwne3-next", "gated_delta"},
         }) {
        const auto all = reasons(query);
        EXPECT_EQ(all.contains(id), std::string_view(query) != "prefromer") << query;
        if (all.contains(id)) {
            EXPECT_NE(all.at(id).find("like \u201c"), std::string::npos) << all.at(id);
        }
    }
    EXPECT_TRUE(found("zzz").empty());
    EXPECT_TRUE(found("MiMo").empty()) << "too short to be told from memory and mimicry";
    EXPECT_TRUE(found("1873").empty());
    EXPECT_TRUE(found("scaled 1999").empty()) << "a year is none of another";
    // Where something is found nothing is guessed.
    for (const FoundMechanism& each : found("performer"))
        EXPECT_EQ(each.why.find("like \u201c"), std::string::npos) << each.mechanism->id;
}

TEST(Search, AQueryThatSaysNothingFindsEverythingInItsOrder) {
    for (const char* query : {"", "  "}) {
        const auto all = found(query);
        ASSERT_EQ(all.size(), mechanisms().size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            EXPECT_EQ(all[i].mechanism, &mechanisms()[i]);
            EXPECT_EQ(all[i].why, "");
        }
    }
}

TEST(Search, SignsAloneFindNothing) {
    for (const char* query : {"([", "\u2014 ?"})
        EXPECT_TRUE(found(query).empty()) << query;
    EXPECT_EQ(found("- sparsemax").front().mechanism->id, "sparsemax");
    EXPECT_TRUE(has_every_word("my own softmax", "soft - OWN"));
    EXPECT_TRUE(has_every_word("my own softmax", " "));
    EXPECT_FALSE(has_every_word("my own softmax", "(["));
    EXPECT_FALSE(has_every_word("my own softmax", "own rope"));
}

TEST(Search, PartsOfAQuery) {
    const auto parts = [](const char* query) {
        std::string text;
        for (const SearchTerm& each : search_terms(query))
            text += '[' + each.typed + (each.is_range ? " years" : "") + (each.is_of_model ? " model" : "") +
                    (each.is_negated ? " negated" : "") + ']';
        return text;
    };
    EXPECT_EQ(parts("linear in tokens before 2018"), "[linear in tokens][before 2018 years]");
    EXPECT_EQ(parts("causal used in Kimi Linear 2025"), "[causal][Kimi Linear model][2025]");
    EXPECT_EQ(parts("llama 3 rotary"), "[llama 3][rotary]");
    EXPECT_EQ(parts("used"), "[used]");
    EXPECT_EQ(parts("used in"), "[used][in]");
    EXPECT_EQ(parts("the"), "[the]");
    EXPECT_EQ(parts("the mechanisms that learn in Qwen3-Next"), "[learn][Qwen3-Next]");
    EXPECT_EQ(parts("before"), "[before]");
    EXPECT_EQ(parts("- \u2013 2020"), "[2020]");
    EXPECT_EQ(parts("not causal sparse"), "[not causal negated][sparse]");
    EXPECT_EQ(parts("non-causal"), "[non-causal negated]");
    EXPECT_EQ(parts("not needs the whole text"), "[not needs the whole text negated]");
    EXPECT_EQ(parts("not Performer"), "[not][Performer]");
    EXPECT_EQ(parts("Gemma 3's Oja\u2019s 's"), "[Gemma 3][Oja]['s]");
}

TEST(Search, ModelsThatAQueryNames) {
    const auto named = [](const char* query) {
        std::string text;
        for (const KnownModel* each : models_named_in(query))
            text += '[' + std::string(each->name) + ']';
        return text;
    };
    EXPECT_EQ(named("qwen3-next"), "[Qwen3-Next]");
    EXPECT_EQ(named("causal used in Kimi Linear"), "[Kimi Linear]");
    EXPECT_EQ(named("which attention has gemma 2?"), "[Gemma 2]");
    EXPECT_EQ(named("qwen"), "") << "the beginning of several";
    EXPECT_EQ(named(""), "");
}

TEST(Search, PlacesOfATextInAnother) {
    const SearchText name("Multi-head self-attention, as in \u0141ukasz\u2019 Nystr\u00f6m\u00adformer");
    const auto place = [&](const char* typed) { return name.place_of(SearchText(typed)); };
    EXPECT_EQ(place("multi"), SearchText::beginning);
    EXPECT_EQ(place("Self"), SearchText::beginning_of_word);
    EXPECT_EQ(place("tention"), SearchText::in_word);
    EXPECT_EQ(place("lukasz"), SearchText::beginning_of_word);
    EXPECT_EQ(place("nystrom"), SearchText::beginning_of_word);
    EXPECT_EQ(place("cross"), SearchText::nowhere);
    EXPECT_EQ(SearchText("e-e").place_of(SearchText("ee")), SearchText::all);
    EXPECT_EQ(SearchText("attend end").place_of(SearchText("end")), SearchText::beginning_of_word)
        << "the best of its places";
}

}}  // namespace headlight::search_test
