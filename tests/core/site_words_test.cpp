#include "core/figure/site_words.h"

#include "core/catalog/mechanism.h"
#include "core/figure/words.h"
#include "core/io/model_title.h"
#include "core/io/shipped_models.h"
#include "core/map/site_name.h"
#include "core/model/architecture.h"
#include "core/model/tasks/task.h"

#include <gtest/gtest.h>

#include <set>

namespace headlight::site_words_test { namespace {

TEST(SiteWords, CountLayersFromOneAndSayWhereTheyLook) {
    EXPECT_EQ(site_in_words("decoder.1.cross", true), "decoder layer 2, looks at the source");
    EXPECT_EQ(site_in_words("encoder.0.self", true), "encoder layer 1, looks at itself");
    EXPECT_EQ(site_in_words("decoder.0.self", false), "decoder, looks at itself");
    EXPECT_EQ(site_in_words("decoder.cross", true), "decoder, looks at the source");
    EXPECT_EQ(site_title("decoder.11.cross", true), "Decoder layer 12, looks at the source");
}

TEST(SiteWords, NameTheTwoStreams) {
    EXPECT_EQ(site_in_words("decoder.1.content", true), "decoder layer 2, content stream");
    EXPECT_EQ(site_in_words("decoder.0.query", false), "decoder, query stream");
    EXPECT_EQ(short_site_words("decoder.1.content", true), "decoder 2 contents");
    EXPECT_EQ(short_site_words("decoder.1.query", true), "decoder 2 queries");
    EXPECT_EQ(site_in_words("decoder.query", true), "decoder, query stream") << "as decoder.cross";
    EXPECT_EQ(site_of(std::string(content_stream), 3), "decoder.3.content");
    EXPECT_EQ(site_of(std::string(query_stream), 3), "decoder.3.query");
}

// parse_site() of a site_of() gives both back, also where a capture calls its maps as two streams are called.
TEST(SiteNames, AreThoseOfOneKindAndLayer) {
    for (const std::string kind : {"", "encoder", "decoder", "cross", "decoder.content", "decoder.query",
                                   "content", "query", "attention.query"}) {
        const SiteName name = parse_site(site_of(kind, 3));
        EXPECT_EQ(name.kind, kind);
        EXPECT_EQ(name.layer, 3) << kind;
    }
}

TEST(SiteNames, OfACaptureAreNoStreamsOfAModel) {
    EXPECT_EQ(site_of("query", 0), "query.0");
    EXPECT_EQ(site_title("content.1", true), "Content layer 2");
    for (const char* site :
         {"attention.query", "decoder.0.attention.query", "decoder.block.0.query", "decoder..query"}) {
        EXPECT_EQ(parse_site(site).kind, site) << "two of them would be one map's layers";
        EXPECT_EQ(site_title(site, true), site);
    }
}

TEST(SiteWords, KeepTheLayerWhereThereIsLittleRoom) {
    EXPECT_EQ(short_site_words("encoder.0.self", true), "encoder 1");
    EXPECT_EQ(short_site_words("decoder.1.self", true), "decoder 2");
    EXPECT_EQ(short_site_words("decoder.1.cross", true), "decoder 2 → source");
    EXPECT_EQ(short_site_words("decoder.0.cross", false), "decoder → source");
    EXPECT_EQ(short_site_words("layer.11", true), "layer 12");
    EXPECT_EQ(short_site_words("bert.encoder.layer.3", true), "bert.encoder.layer.3");
}

TEST(SiteWords, LeaveOtherNamesAlone) {
    for (const char* name : {"", "bert.encoder.layer.3", "Causal attention", "decoder.output", "encoder."})
        EXPECT_EQ(site_title(name, true), name);
}

TEST(SiteWords, TellLayersApartWhereThereAreSeveral) {
    const auto stage = [](const char* site) {
        return Stage{site, "weights", {Axis::query, Axis::key}, {1, 1}, 0};
    };
    // A decoder alone has one place a layer: two layers are two sites.
    Trace gpt({stage("decoder.0.self"), stage("decoder.1.self")});
    gpt.name = "Sort letters, decoder-only Transformer (GPT)";
    EXPECT_TRUE(has_layers(gpt));
    EXPECT_EQ(trace_title(gpt, "decoder.1.self"), gpt.name + ": decoder layer 2, looks at itself");
    const Trace one({stage("encoder.0.self"), stage("decoder.0.self"), stage("decoder.0.cross")});
    EXPECT_FALSE(has_layers(one));
}

TEST(ModelTitle, SaysWhatAModelDoesAndWhatAttends) {
    EXPECT_EQ(model_title("translate-additive-gru"), "English to French, additive attention (Bahdanau)");
    EXPECT_EQ(model_title("translate-transformer"), "English to French, Transformer");
    EXPECT_TRUE(model_title("dates-luong").ends_with(", general attention (Luong)"));
    EXPECT_TRUE(model_title("hard-attention-dates").ends_with(", hard additive attention (Bahdanau)"));
    EXPECT_TRUE(model_title("sort-gpt").ends_with(", decoder-only Transformer (GPT)"));
    EXPECT_EQ(model_title("race-vit"), "Who is ahead, Vision Transformer (ViT)");
    std::set<std::string> titles;
    for (const ShippedModel& model : shipped_models())
        EXPECT_TRUE(titles.insert(model_title(std::string(model.name))).second) << model.name;
}

TEST(ModelTitle, NamesTwoStreams) {
    TrainingSettings settings;
    settings.task = "sort";
    settings.model = architecture(HostType::two_stream).spec();
    EXPECT_EQ(model_title(settings), task("sort").name + ", two streams (XLNet)");
}

struct LabelledBy {
    const char *mechanism, *title;  ///< what the catalogue calls it
    ParameterValues values = {};
};

TEST(ModelTitle, SaysWhatALabelIsMadeBy) {
    const LabelledBy rows[] = {
        {"slot_attention", "slot attention in rounds"},
        {"hierarchical_pooling", "hierarchical attention (HAN)"},
        {"additive", "additive attention"},
        {"gla", "gated linear attention"},
        {"co_attention", "co-attention (BiDAF)"},
        {"co_attention", "co-attention (DCN)", {{"kind", std::string("dcn")}}},
    };
    for (const LabelledBy& row : rows) {
        const AttentionSpec spec = build_spec(mechanism(row.mechanism), row.values);
        TransformerConfiguration pools{};
        pools.kind = TransformerKind::encoder;
        pools.pooling_mechanism = spec;
        TransformerConfiguration is_asked = pools;
        is_asked.pooling_mechanism.reset();
        is_asked.pooling = Pooling::attention;
        is_asked.asked_text = AskedText{1, spec};
        for (const TransformerConfiguration& each : {pools, is_asked}) {
            TrainingSettings settings;
            settings.task = "reviews";
            settings.model = each;
            EXPECT_EQ(model_title(settings), task("reviews").name + ", " + row.title);
        }
    }
}

TEST(ModelTitle, OfAFolderIsItsName) {
    EXPECT_EQ(model_title("/home/someone/models/mine/"), "mine");
    EXPECT_EQ(model_title("mine"), "mine");
}

}}  // namespace headlight::site_words_test
