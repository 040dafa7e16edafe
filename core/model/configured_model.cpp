#include "core/model/configured_model.h"

#include "core/catalog/mechanism.h"
#include "core/model/mechanism_site.h"
#include "core/model/model_check.h"
#include "core/model/preset.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {

namespace {

/// Where a decoder looks decides above all what it says next: to hold a draw responsible for ever less of
/// what follows makes the estimate a little wrong and much calmer. And the first draws that happen to be good
/// must not end the search: indecision is rewarded. Without these two, dates come out nearly as right (99 %),
/// but the decoder stares at one letter and lets the encoder carry everything there; with them it looks at
/// the digits that it writes.
constexpr Reinforcement calm{.entropy = 0.02, .discount = 0.5};
RecurrentConfiguration recurrent(const Recipe& recipe, HostType host, const ChosenAttention& chosen,
                                 Index width) {
    RecurrentConfiguration c;
    c.width = width;
    c.embedding = std::max<Index>(width / 2, 1);
    c.score = chosen.score;
    c.normalizer = chosen.normalizer;
    c.window = chosen.window;
    if (is_drawn(chosen.normalizer))
        c.reinforcement = calm;
    c.copies = recipe.copies;
    c.coverage_loss = recipe.coverage_loss;
    c.mechanism = chosen.mechanism;
    const ScoreType score = chosen.mechanism ? chosen.mechanism->score.type : chosen.score.type;
    c.style = score == ScoreType::additive ? DecoderStyle::bahdanau : DecoderStyle::luong;
    const Architecture& its = architecture(host);
    its.configure(c);
    c.style = recipe.style.value_or(c.style);
    if (c.style == DecoderStyle::dense)
        c.embedding += c.embedding % 2;  // the waves of its places come in pairs
    c.layers = recipe.layers.value_or(std::max<Index>(its.layers, 1));
    c.hops = recipe.hops;
    return c;
}

constexpr Index usual_heads = 4;

/// A mechanism whose heads nobody has set has as many as the model.
AttentionSpec spec_of_layer(const LayerAttention& layer, Index heads) {
    if (layer.spec)
        return *layer.spec;
    AttentionSpec built = build_spec(mechanism(layer.mechanism), layer.values);
    if (layer.normalizer)
        built.normalizer = {.type = *layer.normalizer};
    return layer.values.contains("heads") ? built : with_heads(built, heads);
}

/// `side` says whose layers they are, in an error: " of the encoder".
std::vector<LayerSpec> specs_of(const std::vector<LayerAttention>& layers, Index heads, const char* side) {
    std::vector<LayerSpec> specs;
    for (const LayerAttention& layer : layers) {
        try {
            specs.push_back({.mechanism = spec_of_layer(layer, heads), .shares = layer.shares});
        } catch (const Error& error) {
            throw error.within("layer " + std::to_string(specs.size() + 1) + side);
        }
    }
    return specs;
}

/// Places of tokens are the mechanisms' business where any has some; a host without stays without, and one
/// that learns what it adds to its tokens goes on so.
void leave_places_to_mechanisms(TransformerConfiguration& c, bool any_has) {
    if (any_has)
        c.places = PositionEncoding::none;
    else if (c.places != PositionEncoding::none && c.places != PositionEncoding::learned)
        c.places = PositionEncoding::sinusoidal;
}

/// Throws Error for places that act on queries, keys or scores, where a mechanism's program makes these.
void tell_places(TransformerConfiguration& c, PositionEncoding places) {
    const bool is_of_tokens = places == PositionEncoding::none || places == PositionEncoding::sinusoidal ||
                              places == PositionEncoding::learned;
    const auto has_mechanism = [](const LayerSpec& layer) { return layer.mechanism.has_value(); };
    if (!is_of_tokens &&
        (std::ranges::any_of(c.encoder, has_mechanism) || std::ranges::any_of(c.decoder, has_mechanism)))
        throw Error({"tell tokens their places", "places",
                     "none, sinusoidal or learned: a mechanism has scores of its own", to_word(places)});
    c.places = places;
}

/// There are as many layers as the list has.
void give_each_layer_its_own(TransformerConfiguration& c, const LayerList& list) {
    const auto specs = [&](const std::vector<LayerAttention>& own, const char* side) {
        return list.all.empty() ? specs_of(own, c.heads, side) : specs_of(list.all, c.heads, "");
    };
    if (c.has_encoder())
        c.encoder = specs(list.encoder, " of the encoder");
    if (c.has_decoder())
        c.decoder = specs(list.decoder, " of the decoder");
    // Places of tokens are the mechanisms' business where any has some: others then have none, as in models
    // that turn queries and keys in some of their layers.
    const auto has_places = [](const LayerSpec& layer) {
        return layer.mechanism && layer.mechanism->position.type != PositionType::none;
    };
    const bool any_has =
        std::ranges::any_of(c.encoder, has_places) || std::ranges::any_of(c.decoder, has_places);
    leave_places_to_mechanisms(c, any_has);
    // A stack that is not there is as high as the one that is.
    if (!c.has_encoder())
        c.encoder.resize(c.decoder.size());
    if (!c.has_decoder())
        c.decoder.resize(c.encoder.size());
}

/// Throws Error for a model that there cannot be, and says where nobody has asked for what it cannot have.
void check_as_asked(const Recipe& recipe, const TransformerConfiguration& c) {
    try {
        check(c);
    } catch (const Error& error) {
        ErrorDetail detail = error.detail();
        if (detail.where != "heads" || recipe.heads)
            throw;
        detail.got += recipe.own ? ", the number of your mechanism" : ", the number if none is given";
        throw Error(detail);
    }
}

TransformerConfiguration transformer(const Recipe& recipe, const Preset& preset, HostType host,
                                     const ChosenAttention& chosen, Index width) {
    TransformerConfiguration c;
    const Architecture& its = architecture(host);
    c.width = width;
    c.heads = recipe.heads.value_or(recipe.own ? recipe.own->heads.count() : usual_heads);
    c.feed_forward = 4 * width;
    const Index layers = recipe.layers.value_or(its.layers > 0 ? its.layers : preset.layers);
    // One more than there can be is refused as any other number is that is too large.
    const auto count = static_cast<std::size_t>(std::clamp<Index>(layers, 0, most_transformer_layers + 1));
    c.encoder = c.decoder = std::vector<LayerSpec>(count);
    c.turns = recipe.turns.value_or(std::max<Index>(its.turns, 1));
    c.segment = recipe.segment.value_or(its.segment);
    c.places = preset.places;
    its.configure(c);
    c.score = chosen.score;
    c.normalizer = chosen.normalizer;
    if (!recipe.attentions.empty())
        give_each_layer_its_own(c, recipe.attentions);
    if (chosen.mechanism) {
        leave_places_to_mechanisms(c, chosen.mechanism->position.type != PositionType::none);
        const bool says_heads = recipe.own || recipe.values.contains("heads");
        c.set_mechanism(recipe.heads || !says_heads ? with_heads(*chosen.mechanism, c.heads)
                                                    : *chosen.mechanism);
    }
    if (recipe.places)
        tell_places(c, *recipe.places);
    check_as_asked(recipe, c);
    return c;
}

/// Throws Error where somebody tells triangles of another number of points than the task has: read_pairs_of()
/// would put that one in its place, and say nothing.
void require_columns_of_pairs(const Task& task, const Recipe& recipe) {
    const auto require = [&](const AttentionSpec& spec) {
        const auto columns = spec.algorithm.options.find("columns");
        if (spec.algorithm.type != AlgorithmType::triangle || columns == spec.algorithm.options.end() ||
            columns->second == OptionValue(task.points))
            return;
        throw Error({"set an attention's parameters", "columns",
                     std::to_string(task.points) + ", the points of whose pairs the sources of task " +
                         task.id + " are made",
                     std::to_string(std::get<Index>(columns->second))});
    };
    const auto require_said = [&](const std::string& id, const ParameterValues& values) {
        if (values.contains("columns"))
            require(build_spec(mechanism(id), values));
    };
    if (recipe.own)
        require(*recipe.own);
    else
        require_said(recipe.attention, recipe.values);
    const LayerList& list = recipe.attentions;
    for (const std::vector<LayerAttention>* layers : {&list.all, &list.encoder, &list.decoder})
        for (const LayerAttention& layer : *layers)
            if (layer.spec)
                require(*layer.spec);
            else
                require_said(layer.mechanism, layer.values);
}

/// Throws Error for what no model can be made of.
void require_model(const Task& task, const ModelSpec& configuration) {
    const TaskModel made(task, configuration);
}

}  // namespace

ModelSpec configured_model(const Task& task, const Recipe& recipe, HostType host,
                           const ChosenAttention& chosen, Index width) {
    const auto require = [&](const ModelSpec& configuration) {
        try {
            require_model(task, configuration);
        } catch (const Error& error) {
            if (!chosen.mechanism)
                throw;
            throw error.within(
                (recipe.own ? "your mechanism in host " : "attention " + recipe.attention + " of host ") +
                to_word(host));
        }
        return configuration;
    };
    if (!is_recurrent(host)) {
        TransformerConfiguration c = transformer(recipe, preset(task.id, host), host, chosen, width);
        if (const auto read_task = architecture(host).read_task) {
            if (task.points > 0)
                require_columns_of_pairs(task, recipe);
            read_task(c, task);
        }
        return require(c);
    }
    RecurrentConfiguration c = recurrent(recipe, host, chosen, width);
    try {
        return require(c);
    } catch (const Error&) {
        c.bidirectional = false;
    }
    return require(c);
}

}  // namespace headlight
