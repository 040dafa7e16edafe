#include "core/model/transformer_model.h"

#include "core/attention/widths.h"
#include "core/nn/attention.h"
#include "core/nn/operations.h"
#include "core/nn/positions.h"
#include "core/tensor/error.h"
#include "core/tensor/random.h"

#include <algorithm>
#include <cmath>

namespace headlight {

using namespace nn;

namespace {

/// What every site of the model does, without its mask and its places.
AttentionSpec spec_of(const TransformerConfiguration& configuration) {
    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.projections.bias = true;
    spec.score = configuration.score;
    spec.normalizer = configuration.normalizer;
    spec.heads.type = HeadsType::multi;
    spec.heads.heads = configuration.heads;
    return spec;
}

}  // namespace

TransformerModel::TransformerModel(const TransformerConfiguration& configuration)
    : configuration_(configuration) {
    const TransformerConfiguration& c = configuration_;
    if (c.heads < 1 || c.width % c.heads != 0)
        throw Error({"make a Transformer", "heads", "a divisor of the width, " + std::to_string(c.width),
                     std::to_string(c.heads)});
    if (remembers(c.score))
        throw Error({"make a Transformer", "score", "one for all queries at once",
                     "one that follows the weights of the query before (location_aware, coverage)"});
    const ModelGraphs graphs = make_graphs();
    const bool has_encoder = c.kind != TransformerKind::decoder,
               has_decoder = c.kind != TransformerKind::encoder;
    const auto add_tokens = [&](const std::string& name, Index vocabulary, Weight& tokens, Weight& places) {
        tokens = layout_.add(name + "_embedding", vocabulary, c.width, Initial::embedding);
        if (c.places == PositionEncoding::learned)
            places = layout_.add(name + "_places", c.longest, c.width, Initial::embedding);
    };
    const auto add_layers = [&](const std::string& name, const std::vector<LayerGraphs>& of_layers,
                                bool has_cross, std::vector<Layer>& layers, Norm& last) {
        for (const LayerGraphs& each : of_layers)
            layers.push_back(add_layer(name, layers, each, has_cross));
        if (c.norm == NormPlacement::before)
            last = add_norm(name + ".norm");
    };
    if (has_encoder) {
        add_tokens("source", c.source_vocabulary, source_embedding_, source_places_);
        add_layers("encoder", graphs.encoder, false, encoder_, encoder_norm_);
    }
    if (has_decoder) {
        add_tokens("target", c.target_vocabulary, target_embedding_, target_places_);
        add_layers("decoder", graphs.decoder, has_encoder, decoder_, decoder_norm_);
    }
    for (const Layer& layer : has_decoder ? decoder_ : encoder_) {
        // An encoder has all its queries at once, but of normalisers padding would take its share.
        Attention own = layer.self.attention;
        if (!has_decoder)
            own.score = {};
        require_separate_queries(own, "make a Transformer");
    }
    output_ = layout_.add("W_output", c.width, c.target_vocabulary);
    output_bias_ = layout_.add("b_output", 1, c.target_vocabulary, Initial::zero);
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
        if (projects_output(site.graph->spec()) && width == configuration_.width)
            return site;
        site.output = layout_.add(name + ".W_out", width, configuration_.width);
        site.output_bias = layout_.add(name + ".b_out", 1, configuration_.width, Initial::zero);
        return site;
    }
    const auto add_pair = [&](const std::string& letter, Weight& matrix, Weight& bias) {
        matrix = layout_.add(name + ".W_" + letter, configuration_.width, configuration_.width);
        bias = layout_.add(name + ".b_" + letter, 1, configuration_.width, Initial::zero);
    };
    if (projects_queries(spec_of(configuration_))) {
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
    layer.self =
        add_site(name + ".self", graphs.self, graphs.shares ? &before[*graphs.shares].self : nullptr);
    if (has_cross)
        layer.cross = add_site(name + ".cross", graphs.cross);
    const Index width = configuration_.width, inner = configuration_.feed_forward;
    layer.feed_forward.norm = add_norm(name + ".feed_forward.norm");
    layer.feed_forward.first = layout_.add(name + ".feed_forward.W_1", width, inner);
    layer.feed_forward.first_bias = layout_.add(name + ".feed_forward.b_1", 1, inner, Initial::zero);
    layer.feed_forward.second = layout_.add(name + ".feed_forward.W_2", inner, width);
    layer.feed_forward.second_bias = layout_.add(name + ".feed_forward.b_2", 1, width, Initial::zero);
    return layer;
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
    description.spec = spec_of(configuration_);
    if (projects_queries(description.spec))
        description.parameters = {
            {"W_q", site.query}, {"b_q", site.query_bias}, {"W_k", site.key}, {"b_k", site.key_bias}};
    const std::initializer_list<std::pair<std::string, Weight>> others{
        {"W_v", site.value}, {"b_v", site.value_bias}, {"W_o", site.output}, {"b_o", site.output_bias}};
    description.parameters.insert(description.parameters.end(), others);
    for (const auto& each : site.attention.parameters())
        description.parameters.push_back(each);
    return description;
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
    for (const Layer& layer : encoder_) {
        SiteDescription& self = all.emplace_back(describe(layer.self));
        place_itself(self);
        self.in_encoder = true;
    }
    for (const Layer& layer : decoder_) {
        SiteDescription& self = all.emplace_back(describe(layer.self));
        place_itself(self);
        if (!self.is_program)
            self.spec.mask.rule = CausalMask{};
        if (configuration_.kind != TransformerKind::encoder_decoder)
            continue;
        SiteDescription& cross = all.emplace_back(describe(layer.cross));
        cross.spec.source.type = SourceType::cross;
        cross.looks_at_source = true;
    }
    return all;
}

MostTokens TransformerModel::most_tokens() const {
    const auto is_limited = [](const std::vector<Layer>& layers) {
        return std::ranges::any_of(layers, [](const Layer& layer) {
            return layer.self.graph || layer.cross.graph || layer.self.attention.query_places > 0 ||
                   layer.self.attention.key_places > 0;
        });
    };
    if (configuration_.places != PositionEncoding::learned && !is_limited(encoder_) && !is_limited(decoder_))
        return {};
    return {configuration_.longest, configuration_.longest};
}

/// What the layers of one call share.
template <class Real>
struct TransformerModel::Call {
    const TransformerConfiguration& configuration;
    Tape<Real>& tape;
    Index batch;
    Index first;  ///< place of the first token
    std::uint64_t stream;
    Hook<Real>* hook;
    std::uint64_t dropouts = 0;

    Variable<Real> normal(Variable<Real> x, const Norm& norm) {
        return layer_norm(tape, x, norm.gain, norm.bias);
    }

    bool drops() const { return tape.differentiates() && configuration.dropout > 0; }
    Variable<Real> drop(Variable<Real> x) {
        return drops() ? dropout(tape, x, configuration.dropout, substream(stream, dropouts++)) : x;
    }

    /// The last product of a sublayer, x W + b, which is not done yet: the residual connection does it with
    /// its sum.
    struct LastProduct {
        Variable<Real> x;
        Weight matrix, bias;
    };

    Variable<Real> sum(Variable<Real> x, const LastProduct& last) {
        return drops() ? add(tape, x, drop(affine(tape, last.x, last.matrix, last.bias)))
                       : add_affine(tape, x, last.x, last.matrix, last.bias);
    }

    Variable<Real> sum(Variable<Real> x, Variable<Real> last) { return add(tape, x, last); }

    /// A sublayer with its residual connection and norm.
    template <class Function>
    Variable<Real> residual(Variable<Real> x, const Norm& norm, const Function& function) {
        if (configuration.norm == NormPlacement::before)
            return sum(x, function(normal(x, norm)));
        return normal(sum(x, function(x)), norm);
    }

    Cache<Real> keys_and_values(const Site& site, Variable<Real> x, bool has_places) {
        const Variable<Real> key =
            normalized_keys(tape, pairing_of(0, x.rows / batch), site.attention.score,
                            projected(x, site.key, site.key_bias), site.attention.score_weights);
        return {turned(key, has_places), affine(tape, x, site.value, site.value_bias)};
    }

    /// Some scores compare the tokens themselves: there is no matrix then.
    Variable<Real> projected(Variable<Real> x, Weight matrix, Weight bias) {
        return matrix.size() > 0 ? affine(tape, x, matrix, bias) : x;
    }

    /// Queries or keys after their norm: by their places, where these are rotary.
    Variable<Real> turned(Variable<Real> vectors, bool has_places) {
        return has_places && configuration.places == PositionEncoding::rotary
                   ? rotate(tape, vectors, batch, configuration.heads, first)
                   : vectors;
    }

    Pairing pairing_of(Index queries, Index keys) const {
        return {.batch = batch, .heads = configuration.heads, .queries = queries, .keys = keys};
    }

    ScoreKeys<Real> prepared(const Site& site, Variable<Real> key) {
        return prepare_keys(tape, pairing_of(0, key.rows / batch), site.attention.score, key,
                            site.attention.score_weights);
    }

    /// `stopped` is what the normaliser carries from query to query.
    LastProduct attend(const Site& site, Variable<Real> x, const ScoreKeys<Real>& keys, Variable<Real> value,
                       const Allowed& allowed, bool has_places, Variable<Real>& stopped) {
        const Pairing pairing = pairing_of(x.rows / batch, value.rows / batch);
        require_places(site.attention, first + pairing.queries, pairing.keys);
        const Variable<Real> query = turned(normalized_queries(tape, pairing, site.attention.score,
                                                               projected(x, site.query, site.query_bias),
                                                               site.attention.score_weights),
                                            has_places);
        const bool has_alibi = has_places && configuration.places == PositionEncoding::alibi;
        if (const auto factor = dot_factor(site.attention, query.columns / configuration.heads);
            factor && !hook && !has_alibi) {
            const Variable<Real> context =
                soft_attention(tape, pairing, query, keys.vectors, value, allowed, static_cast<Real>(*factor),
                               static_cast<Real>(site.attention.normalizer.temperature));
            return {context, site.output, site.output_bias};
        }
        AttentionState<Real> state = first_attention_state(tape, pairing, site.attention, allowed, first,
                                                           substream(stream, site.name));
        state.normalizer.stopped = with_columns(stopped, pairing.keys);
        Variable<Real> map = scores(tape, pairing, site.attention.score, query, keys,
                                    site.attention.score_weights, &state.score);
        if (has_alibi)
            map = add_alibi(tape, pairing, map);
        const SiteCall call{site.name, pairing, first, state.normalizer.stream};
        const Attended<Real> attended =
            headlight::attend(tape, call, site.attention, {x, map, value, allowed}, state, hook);
        stopped = state.normalizer.stopped;
        return {attended.context, site.output, site.output_bias};
    }

    /// Where a query stopped, now that there are more keys: not at these.
    Variable<Real> with_columns(Variable<Real> stopped, Index keys) {
        if (!stopped.value || stopped.columns == keys)
            return stopped;
        const Variable<Real> none = tape.constant(stopped.rows, keys - stopped.columns);
        std::fill_n(none.value, none.size(), Real(0));
        return join_columns(tape, stopped, none);
    }

    /// By a mechanism's program. `all` are the queries so far, of which the last were not there before;
    /// `source` are the key tokens, nothing where these are the queries.
    Variable<Real> attend_by_program(const Site& site, Variable<Real> all, Variable<Real> source,
                                     std::span<const Index> lengths, std::span<const Index> source_lengths) {
        const Variable<Real> fresh = all.row_range(first * batch, all.rows - first * batch);
        Variable<Real> maps;
        Variable<Real> out = site.graph->attend(tape, {batch, all, source, lengths, source_lengths, first},
                                                site.graph_weights, hook ? &maps : nullptr);
        if (hook) {
            Pairing pairing = pairing_of(fresh.rows / batch, (source.value ? source.rows : all.rows) / batch);
            pairing.heads = site.graph->spec().heads.count();
            hook->attended({site.name, pairing, first, GraphAttention::draws()}, fresh, maps);
        }
        return drop(site.output.size() > 0 ? affine(tape, out, site.output, site.output_bias) : out);
    }

    LastProduct feed_forward(const FeedForward& weights, Variable<Real> x) {
        return {affine(tape, x, weights.first, weights.first_bias, Activation::relu), weights.second,
                weights.second_bias};
    }
};

template <class Real>
Variable<Real> TransformerModel::embed(Tape<Real>& tape, Weight embedding, const Sequences& tokens,
                                       Index first) const {
    const Variable<Real> found = take_rows(tape, tape.weight(embedding), tokens.tokens);
    const auto larger =
        std::sqrt(static_cast<Real>(configuration_.width));  // Vaswani et al. 2017, section 3.4
    if (configuration_.places == PositionEncoding::sinusoidal)
        return add_sinusoids(tape, scale(tape, found, larger), tokens.batch, first);
    if (configuration_.places != PositionEncoding::learned)
        return scale(tape, found, larger);
    if (first + tokens.steps > configuration_.longest)
        throw Error(
            {"read tokens", "",
             "at most " + std::to_string(configuration_.longest) + ", for which the model has learned places",
             std::to_string(first + tokens.steps)});
    const Weight places = embedding == source_embedding_ ? source_places_ : target_places_;
    std::vector<Index> rows(tokens.tokens.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = first + static_cast<Index>(i) / tokens.batch;
    return add(tape, found, take_rows(tape, tape.weight(places), rows));
}

template <class Real>
Variable<Real> TransformerModel::encode(Tape<Real>& tape, const Sequences& source, std::uint64_t stream,
                                        Hook<Real>* hook) const {
    Call<Real> call{configuration_, tape, source.batch, 0, substream(stream, "encoder"), hook};
    Variable<Real> x = call.drop(embed(tape, source_embedding_, source, 0));
    std::vector<Variable<Real>> asked(encoder_.size());  // with what each layer was asked
    for (std::size_t i = 0; i < encoder_.size(); ++i) {
        const Layer& layer = encoder_[i];
        if (layer.self.graph)
            x = call.residual(x, layer.self.norm, [&](Variable<Real> in) {
                asked[i] = in;
                const Variable<Real> keys = layer.shares ? asked[*layer.shares] : Variable<Real>();
                return call.attend_by_program(layer.self, in, keys, source.lengths, source.lengths);
            });
        else
            x = call.residual(x, layer.self.norm, [&](Variable<Real> in) {
                const Cache<Real> own = call.keys_and_values(layer.self, in, true);
                Variable<Real> stopped;
                return call.attend(layer.self, in, call.prepared(layer.self, own.key), own.value,
                                   {source.lengths, false}, true, stopped);
            });
        x = call.residual(x, layer.feed_forward.norm,
                          [&](Variable<Real> in) { return call.feed_forward(layer.feed_forward, in); });
    }
    return configuration_.norm == NormPlacement::before ? call.normal(x, encoder_norm_) : x;
}

template <class Real>
TransformerModel::Memory<Real> TransformerModel::remember(Tape<Real>& tape, Variable<Real> encoded,
                                                          const Sequences& source) const {
    Memory<Real> memory;
    memory.own.resize(decoder_.size());
    memory.own_stopped.resize(decoder_.size());
    memory.source_stopped.resize(decoder_.size());
    memory.asked.resize(decoder_.size());
    if (configuration_.kind != TransformerKind::encoder_decoder)
        return memory;
    Call<Real> call{configuration_, tape, source.batch, 0, 0, nullptr};
    memory.source_lengths = source.lengths;
    for (const Layer& layer : decoder_) {
        if (layer.cross.graph) {
            memory.source.push_back({{}, encoded});
            continue;
        }
        const Cache<Real> read = call.keys_and_values(layer.cross, encoded, false);
        memory.source.push_back({call.prepared(layer.cross, read.key), read.value});
    }
    return memory;
}

template <class Real>
Variable<Real> TransformerModel::decode(Tape<Real>& tape, Memory<Real>& memory, const Sequences& tokens,
                                        std::uint64_t stream, Hook<Real>* hook) const {
    Call<Real> call{configuration_, tape, tokens.batch, memory.places, substream(stream, "decoder"), hook};
    Variable<Real> x = call.drop(embed(tape, target_embedding_, tokens, memory.places));
    const bool has_source = !memory.source.empty();
    std::vector<Index> read_lengths;
    read_lengths.reserve(tokens.lengths.size());
    for (const Index length : tokens.lengths)
        read_lengths.push_back(memory.places + length);
    for (std::size_t i = 0; i < decoder_.size(); ++i) {
        const Layer& layer = decoder_[i];
        Cache<Real>& own = memory.own[i];
        const auto behind = [&](Variable<Real> known, Variable<Real> added) {
            return known.value ? join_rows<Real>(tape, std::vector{known, added}) : added;
        };
        if (layer.self.graph)
            x = call.residual(x, layer.self.norm, [&](Variable<Real> in) {
                own.key = behind(own.key, in);
                const Variable<Real> keys = layer.shares ? memory.own[*layer.shares].key : Variable<Real>();
                return call.attend_by_program(layer.self, own.key, keys, read_lengths, read_lengths);
            });
        else
            x = call.residual(x, layer.self.norm, [&](Variable<Real> in) {
                const Cache<Real> fresh = call.keys_and_values(layer.self, in, true);
                own = {behind(own.key, fresh.key), behind(own.value, fresh.value)};
                return call.attend(layer.self, in, call.prepared(layer.self, own.key), own.value, {{}, true},
                                   true, memory.own_stopped[i]);
            });
        if (has_source && layer.cross.graph)
            x = call.residual(x, layer.cross.norm, [&](Variable<Real> in) {
                memory.asked[i] = behind(memory.asked[i], in);
                return call.attend_by_program(layer.cross, memory.asked[i], memory.source[i].value,
                                              read_lengths, memory.source_lengths);
            });
        else if (has_source)
            x = call.residual(x, layer.cross.norm, [&](Variable<Real> in) {
                const Source<Real>& read = memory.source[i];
                return call.attend(layer.cross, in, read.keys, read.value, {memory.source_lengths, false},
                                   false, memory.source_stopped[i]);
            });
        x = call.residual(x, layer.feed_forward.norm,
                          [&](Variable<Real> in) { return call.feed_forward(layer.feed_forward, in); });
    }
    memory.places += tokens.steps;
    return configuration_.norm == NormPlacement::before ? call.normal(x, decoder_norm_) : x;
}

template <class Real>
Variable<Real> TransformerModel::logits(Tape<Real>& tape, Variable<Real> decoded) const {
    return affine(tape, decoded, output_, output_bias_);
}

template <class Real>
Variable<Real> TransformerModel::label_logits(Tape<Real>& tape, Variable<Real> encoded,
                                              const Sequences& source) const {
    // The mean over the tokens of a sequence is attention with equal weights.
    const Pairing pairing{.batch = source.batch, .heads = 1, .queries = 1, .keys = source.steps};
    const Variable<Real> equal = tape.constant(source.batch, source.steps);
    for (Index i = 0; i < source.batch; ++i)
        for (Index t = 0; t < source.steps; ++t) {
            const Index length = source.lengths[static_cast<std::size_t>(i)];
            equal.row(i)[t] = t < length ? 1 / static_cast<Real>(length) : Real(0);
        }
    return logits(tape, mix_values(tape, pairing, equal, encoded));
}

template <class Real>
Variable<Real> TransformerModel::loss(Tape<Real>& tape, const Batch& batch, Real divisor,
                                      std::uint64_t stream) const {
    Variable<Real> encoded;
    if (configuration_.kind != TransformerKind::decoder)
        encoded = encode(tape, batch.source, stream);
    if (configuration_.kind == TransformerKind::encoder)
        return cross_entropy<Real>(tape, label_logits(tape, encoded, batch.source), batch.labels.tokens,
                                   divisor);
    Memory<Real> memory = remember(tape, encoded, batch.source);
    const Variable<Real> decoded = decode(tape, memory, batch.inputs, stream);
    return cross_entropy<Real>(tape, logits(tape, decoded), batch.labels.tokens, divisor);
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Variable<Real> TransformerModel::encode(Tape<Real>&, const Sequences&, std::uint64_t,           \
                                                     Hook<Real>*) const;                                     \
    template TransformerModel::Memory<Real> TransformerModel::remember(Tape<Real>&, Variable<Real>,          \
                                                                       const Sequences&) const;              \
    template Variable<Real> TransformerModel::decode(Tape<Real>&, Memory<Real>&, const Sequences&,           \
                                                     std::uint64_t, Hook<Real>*) const;                      \
    template Variable<Real> TransformerModel::logits(Tape<Real>&, Variable<Real>) const;                     \
    template Variable<Real> TransformerModel::label_logits(Tape<Real>&, Variable<Real>, const Sequences&)    \
        const;                                                                                               \
    template Variable<Real> TransformerModel::loss(Tape<Real>&, const Batch&, Real, std::uint64_t) const;
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight
