#include "core/model/transformer_model.h"

#include "core/attention/rotation.h"
#include "core/attention/spec_words.h"
#include "core/attention/widths.h"
#include "core/model/model_check.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {

using namespace nn;

void TransformerConfiguration::set_mechanism(const AttentionSpec& mechanism) {
    const LayerSpec each{.mechanism = mechanism, .where_possible = true};
    if (has_encoder())
        encoder.assign(encoder.size(), each);
    if (has_decoder())
        decoder.assign(decoder.size(), each);
}

const AttentionSpec* TransformerConfiguration::mechanism() const {
    const std::vector<LayerSpec>& layers = has_decoder() ? decoder : encoder;
    const bool is_of_all = !layers.empty() && layers.front().where_possible && layers.front().mechanism;
    return is_of_all ? &*layers.front().mechanism : nullptr;
}

AttentionSpec TransformerConfiguration::plain_attention() const {
    AttentionSpec spec;
    spec.projections = {.type = ProjectionType::learned, .bias = true};
    spec.score = score;
    spec.normalizer = normalizer;
    spec.heads = {.type = HeadsType::multi, .heads = heads};
    return spec;
}

TransformerModel::TransformerModel(const TransformerConfiguration& configuration)
    : configuration_(configuration) {
    const TransformerConfiguration& c = configuration_;
    check(c);
    for (Index turn = 0; c.turns > 1 && turn < c.turns; ++turn)
        for (Index column = 0; column < c.width; ++column)
            turn_waves_.push_back(sinusoid(static_cast<double>(1 + turn), column, c.width));
    const ModelGraphs graphs = make_graphs();
    const auto add_tokens = [&](const std::string& name, Index vocabulary, Weight& tokens, Weight& places) {
        tokens = layout_.add(name + "_embedding", vocabulary, c.width, Initial::embedding);
        const Index guessed = c.two_streams ? 1 : 0;  // the place behind the last token that is read
        if (c.places == PositionEncoding::learned)
            places = layout_.add(name + "_places", c.longest + guessed, c.width, Initial::embedding);
    };
    const auto add_layers = [&](const std::string& name, const std::vector<LayerGraphs>& of_layers,
                                bool has_cross, std::vector<Layer>& layers, Norm& last) {
        for (const LayerGraphs& each : of_layers)
            layers.push_back(add_layer(name, layers, each, has_cross));
        add_turns(layers);
        if (c.norm == NormPlacement::before)
            last = add_norm(name + ".norm");
    };
    if (c.has_encoder()) {
        add_tokens("source", c.frames.rows_of_weights(c.source_vocabulary), source_embedding_,
                   source_places_);
        add_layers("encoder", graphs.encoder, false, encoder_, encoder_norm_);
    }
    if (c.has_decoder()) {
        add_tokens("target", c.target_vocabulary, target_embedding_, target_places_);
        if (c.two_streams)
            guess_ = layout_.add("guess_embedding", 1, c.width, Initial::embedding);
        add_layers("decoder", graphs.decoder, c.has_encoder(), decoder_, decoder_norm_);
    }
    add_pooling();
    for (const Layer& layer : c.has_decoder() ? decoder_ : encoder_) {
        // An encoder has all its queries at once, but of normalisers padding would take its share.
        Attention own = convolves() ? layer.cross.attention : layer.self.attention;
        if (!c.has_decoder())
            own.score = {};
        require_separate_queries(own, "make a Transformer");
    }
    output_ = layout_.add("W_output", c.width, c.target_vocabulary);
    output_bias_ = layout_.add("b_output", 1, c.target_vocabulary, Initial::zero);
}

/// The layers of further turns, which have the same weights under other names.
void TransformerModel::add_turns(std::vector<Layer>& layers) const {
    const std::size_t count = layers.size();
    for (std::size_t i = count; i < count * static_cast<std::size_t>(configuration_.turns); ++i) {
        Layer layer = layers[i - count];
        const auto rename = [&](std::string& name) {
            const std::size_t before = name.find('.') + 1, behind = name.find('.', before);
            if (behind != std::string::npos)
                name.replace(before, behind - before,
                             std::to_string(std::stoull(name.substr(before, behind - before)) + count));
        };
        for (Site* site : {&layer.self, &layer.query, &layer.cross}) {
            rename(site->name);
            rename(site->keys_of);
        }
        if (layer.shares)
            *layer.shares += count;
        layers.push_back(std::move(layer));
    }
}

TransformerModel::Norm TransformerModel::add_norm(const std::string& name) {
    return {layout_.add(name + ".gain", 1, configuration_.width, Initial::one),
            layout_.add(name + ".bias", 1, configuration_.width, Initial::zero)};
}

TransformerModel::Site TransformerModel::add_site(const std::string& name,
                                                  std::shared_ptr<const GraphAttention> graph,
                                                  const Site* maker) {
    Site site;
    site.name = name;
    site.norm = add_norm(name + ".norm");
    if (graph) {
        site.graph = std::move(graph);
        if (maker)
            site.keys_of = maker->name;
        site.graph_weights = site.graph->add_parameters(
            layout_, name + ".", maker ? weights_of_keys(maker->graph_weights) : NamedWeights());
        const Index width = site.graph->output_width();
        const AttentionSpec& spec = site.graph->spec();
        if ((projects_output(spec) || makes_output(spec)) && width == configuration_.width)
            return site;
        site.output = layout_.add(name + ".W_out", width, configuration_.width);
        site.output_bias = layout_.add(name + ".b_out", 1, configuration_.width, Initial::zero);
        return site;
    }
    const auto add_pair = [&](const std::string& letter, Weight& matrix, Weight& bias) {
        matrix = layout_.add(name + ".W_" + letter, configuration_.width, configuration_.width);
        bias = layout_.add(name + ".b_" + letter, 1, configuration_.width, Initial::zero);
    };
    if (projects_queries(configuration_.plain_attention())) {
        add_pair("q", site.query, site.query_bias);
        add_pair("k", site.key, site.key_bias);
    }
    add_pair("v", site.value, site.value_bias);
    add_pair("o", site.output, site.output_bias);
    const Index head_width = configuration_.width / configuration_.heads;
    site.attention = add_attention(layout_, name + ".", configuration_.score, configuration_.normalizer,
                                   {.heads = configuration_.heads,
                                    .query_width = head_width,
                                    .key_width = head_width,
                                    .queries = configuration_.longest,
                                    .keys = configuration_.longest});
    return site;
}

TransformerModel::Layer TransformerModel::add_layer(const std::string& side, const std::vector<Layer>& before,
                                                    const LayerGraphs& graphs, bool has_cross) {
    const std::string name = side + "." + std::to_string(before.size());
    Layer layer;
    layer.shares = graphs.shares;
    const Index width = configuration_.width;
    if (convolves())
        layer.convolution = {add_norm(name + ".convolution.norm"),
                             layout_.add(name + ".convolution.W", configuration_.reach * width, 2 * width),
                             layout_.add(name + ".convolution.b", 1, 2 * width, Initial::zero)};
    else
        layer.self =
            add_site(name + ".self", graphs.self, graphs.shares ? &before[*graphs.shares].self : nullptr);
    if (configuration_.places == PositionEncoding::distances && !layer.self.graph) {
        const Index heads = configuration_.heads, head_width = width / heads;
        layer.self.distances = layout_.add(name + ".self.W_r", width, width);
        layer.self.of_contents = layout_.add(name + ".self.u_content", heads, head_width, Initial::zero);
        layer.self.of_distances = layout_.add(name + ".self.u_position", heads, head_width, Initial::zero);
    }
    if (configuration_.two_streams) {
        layer.query = layer.self;
        layer.self.name = name + ".content";
        layer.query.name = name + ".query";
    }
    if (has_cross)
        layer.cross = add_site(name + ".cross", graphs.cross);
    layer.feed_forward = add_feed_forward(name + ".feed_forward");
    return layer;
}

/// Nothing where no layer has one.
TransformerModel::FeedForward TransformerModel::add_feed_forward(const std::string& name) {
    const Index width = configuration_.width, inner = configuration_.feed_forward;
    if (inner == 0)
        return {};
    FeedForward made;
    made.norm = add_norm(name + ".norm");
    made.first = layout_.add(name + ".W_1", width, inner);
    made.first_bias = layout_.add(name + ".b_1", 1, inner, Initial::zero);
    made.second = layout_.add(name + ".W_2", inner, width);
    made.second_bias = layout_.add(name + ".b_2", 1, width, Initial::zero);
    return made;
}

void TransformerModel::add_pooling() {
    if (const auto& asked = configuration_.asked_text) {
        AttentionSpec spec = asked->mechanism;
        spec.source.type = SourceType::cross;
        pooling_.self = add_lone_site(
            "encoder." + std::to_string(encoder_.size()) + ".self", spec,
            {configuration_.width, configuration_.longest - asked->question, asked->question}, "asked_text");
    }
    if (asks_for_label())
        seed_ = layout_.add("seed", configuration_.seeds, configuration_.width);
    if (configuration_.pooling_mechanism)
        return add_pooling_mechanism();
    if (!asks_for_label())
        return;
    pooling_.cross = add_site("decoder.0.cross", nullptr);
    pooling_.feed_forward = add_feed_forward("decoder.0.feed_forward");
    if (configuration_.norm == NormPlacement::before)
        decoder_norm_ = add_norm("decoder.norm");
    require_separate_queries(pooling_.cross.attention, "make a Transformer");
}

void TransformerModel::add_pooling_mechanism() {
    const TransformerConfiguration& c = configuration_;
    AttentionSpec spec = *c.pooling_mechanism;
    spec.source.type = asks_for_label() ? SourceType::cross : SourceType::self;
    if (asks_for_label())
        pooling_.cross =
            add_lone_site("decoder.0.cross", spec, {c.width, c.seeds, c.longest}, "pooling_mechanism");
    else
        pooling_.self = add_lone_site("encoder." + std::to_string(encoder_.size()) + ".self", spec,
                                      {c.width, c.longest, c.longest}, "pooling_mechanism");
}

TransformerModel::Site TransformerModel::add_lone_site(const std::string& name, const AttentionSpec& spec,
                                                       const GraphSite& place, const char* field) {
    Site site;
    site.name = name;
    try {
        site.graph = std::make_shared<const GraphAttention>(spec, place);
    } catch (const Error& error) {
        throw error.within(field);
    }
    if (site.graph->output_width() != configuration_.width)
        throw Error({"make a Transformer", field,
                     "an output as wide as the model, " + std::to_string(configuration_.width),
                     std::to_string(site.graph->output_width())});
    site.graph_weights = site.graph->add_parameters(layout_, name + ".");
    return site;
}

SiteDescription TransformerModel::describe(const Site& site) const {
    SiteDescription description;
    description.name = site.name;
    if (site.graph) {
        description.spec = site.graph->spec();
        description.parameters.assign(site.graph_weights.begin(), site.graph_weights.end());
        description.is_program = true;
        description.keys_of = site.keys_of;
        return description;
    }
    description.spec = configuration_.plain_attention();
    if (projects_queries(description.spec))
        description.parameters = {
            {"W_q", site.query}, {"b_q", site.query_bias}, {"W_k", site.key}, {"b_k", site.key_bias}};
    const std::initializer_list<std::pair<std::string, Weight>> others{
        {"W_v", site.value}, {"b_v", site.value_bias}, {"W_o", site.output}, {"b_o", site.output_bias}};
    description.parameters.insert(description.parameters.end(), others);
    for (const auto& each : site.attention.parameters())
        description.parameters.push_back(each);
    if (site.distances.size() > 0) {
        description.spec.position.type = PositionType::transformer_xl;
        description.parameters.insert(
            description.parameters.end(),
            {{"W_r", site.distances}, {"u_content", site.of_contents}, {"u_position", site.of_distances}});
    }
    return description;
}

Mask TransformerModel::within_segments(const Mask& mask) const {
    if (configuration_.segment == 0)
        return mask;
    // On a grid of one column the cells of a block are a segment, and those around it the ones beside it.
    const PatternMask near{
        MaskPattern::halo,
        {{"columns", Index(1)}, {"size", configuration_.segment}, {"halo", configuration_.segment}}};
    return joined_masks({near}, mask);
}

std::vector<SiteDescription> TransformerModel::sites() const {
    const auto place_itself = [&](SiteDescription& site) {
        if (site.is_program)
            return;
        if (configuration_.places == PositionEncoding::rotary)
            site.spec.position = {PositionType::rope, {{"layout", std::string("half")}}};
        if (configuration_.places == PositionEncoding::alibi)
            site.spec.position = {PositionType::alibi, {{"form", std::string("absolute")}}};
    };
    std::vector<SiteDescription> all;
    const auto with_self = [&](const std::vector<Layer>& layers) {
        return convolves() ? std::span<const Layer>() : std::span<const Layer>(layers);
    };
    const auto add_cross = [&](const Layer& layer) {
        SiteDescription& cross = all.emplace_back(describe(layer.cross));
        cross.spec.source.type = SourceType::cross;
        cross.looks_at_source = true;
    };
    for (const Layer& layer : with_self(encoder_)) {
        SiteDescription& self = all.emplace_back(describe(layer.self));
        place_itself(self);
        self.in_encoder = true;
    }
    for (const Layer& layer : decoder_) {
        if (!convolves()) {
            SiteDescription& self = all.emplace_back(describe(layer.self));
            place_itself(self);
            if (!self.is_program)
                self.spec.mask = within_segments({CausalMask{}});
        }
        if (configuration_.two_streams) {
            SiteDescription& query = all.emplace_back(describe(layer.query));
            query.spec.source.type = SourceType::cross;  // the keys are those of the contents
            query.spec.mask = {CausalMask{}};
            query.keys_of = layer.self.name;
            query.guesses = true;
        }
        if (configuration_.kind == TransformerKind::encoder_decoder)
            add_cross(layer);
    }
    if (pooling_.self.graph)
        all.emplace_back(describe(pooling_.self)).in_encoder = true;
    if (asks_for_label()) {
        add_cross(pooling_);
        all.back().seeds = pooling_.cross.graph ? configuration_.seeds : 0;
    }
    if (configuration_.asked_text)
        for (SiteDescription* site : {&all[all.size() - 2], &all.back()})
            site->question = configuration_.asked_text->question;
    return all;
}

MostTokens TransformerModel::most_tokens() const {
    const auto is_limited = [](const std::vector<Layer>& layers) {
        return std::ranges::any_of(layers, [](const Layer& layer) {
            return layer.self.graph || layer.cross.graph || layer.self.attention.query_places > 0 ||
                   layer.self.attention.key_places > 0;
        });
    };
    if (configuration_.places != PositionEncoding::learned && !is_limited(encoder_) &&
        !is_limited(decoder_) && !is_limited({pooling_}))
        return {};
    return {configuration_.longest, configuration_.longest};
}

}  // namespace headlight
