#include "core/model/recipe.h"

#include "core/attention/spec_words.h"
#include "core/catalog/mechanism.h"
#include "core/model/mechanism_site.h"
#include "core/model/model_check.h"
#include "core/model/model_words.h"
#include "core/model/preset.h"
#include "core/model/sentence_layers.h"
#include "core/model/triangle_layers.h"
#include "core/nn/normalize.h"
#include "core/nn/score.h"
#include "core/tensor/error.h"
#include "core/tensor/memory.h"

#include <algorithm>

namespace headlight {

namespace {

bool is_drawn(const Normalizer& normalizer) { return normalizer.type == NormalizerType::hard; }

/// A story may go on in many right ways. A choice that is drawn is harder to learn than a mean.
double goal(const Task& task, const Normalizer& normalizer) {
    if (task.id == "stories")
        return 0;
    if (is_drawn(normalizer))
        return 0.9;
    return task.id == "translate" ? 0.97 : 0.99;
}

// Attention

/// The part of a host that a name chooses.
struct ChosenAttention {
    Score score;
    Normalizer normalizer;
    LocalWindow window{};
    std::optional<AttentionSpec> mechanism{};  ///< in place of all that
};

/// Mechanisms of the catalogue that are windows of a recurrent host (Luong et al. 2015, section 3.2).
constexpr std::pair<std::string_view, LocalWindow::Kind> windows[] = {
    {"local_m", LocalWindow::Kind::monotonic}, {"local_p", LocalWindow::Kind::predicted}};

/// Layers of these have projections of the host's; others are computed by the mechanism's program.
bool stand_alone(const ChosenAttention& chosen) {
    return nn::stands_alone(chosen.score) && nn::stands_alone(chosen.normalizer);
}

/// What a mechanism of the catalogue weighs with, if that is all there is to it in this host.
std::optional<ChosenAttention> attention_of(const Mechanism& mechanism, HostType host) {
    AttentionSpec spec = build_spec(mechanism, {});
    const ChosenAttention chosen{spec.score, spec.normalizer};
    // The host has projections of its own, and a Transformer heads.
    const AttentionSpec plain;
    spec.score = plain.score;
    spec.normalizer = plain.normalizer;
    spec.source = plain.source;
    spec.projections = plain.projections;
    const Heads of_its_own{
        .type = HeadsType::multi, .heads = spec.heads.heads, .kv_heads = spec.heads.kv_heads};
    if (spec.heads == of_its_own && !is_recurrent(host))  // whose heads neither share nor have gates
        spec.heads = plain.heads;
    return spec == plain && stand_alone(chosen) ? std::optional(chosen) : std::nullopt;
}

std::optional<ChosenAttention> attention_named(const std::string& name, HostType host) {
    ChosenAttention chosen;
    if (is_recurrent(host))
        chosen.score.type = ScoreType::additive;
    if (name.empty())
        return chosen;
    if (const auto score = value_of<ScoreType>(name); score && nn::stands_alone(Score{.type = *score})) {
        chosen.score.type = *score;
        return chosen;
    }
    const auto normalizer = value_of<NormalizerType>(name);
    if (normalizer && nn::stands_alone(Normalizer{.type = *normalizer})) {
        chosen.normalizer.type = *normalizer;
        return chosen;
    }
    for (const auto& [id, kind] : windows)
        if (id == name && is_recurrent(host)) {
            chosen.score.type = ScoreType::general;  // with which the paper's are best
            chosen.window.kind = kind;
            return chosen;
        }
    const Mechanism* mechanism = find_mechanism(name);
    return mechanism ? attention_of(*mechanism, host) : std::nullopt;
}

/// Gradients must find a way through. Recurrent hosts have an estimate of theirs for what is drawn.
bool can_learn(const ChosenAttention& chosen, HostType host) {
    const bool has_estimate = is_drawn(chosen.normalizer) && is_recurrent(host);
    return has_estimate || nn::is_differentiable(chosen.normalizer);
}

// Hosts

/// Where a decoder looks decides above all what it says next: to hold a draw responsible for ever less of
/// what follows makes the estimate a little wrong and much calmer. And the first draws that happen to be good
/// must not end the search: indecision is rewarded. Without these two, dates come out nearly as right (99 %),
/// but the decoder stares at one letter and lets the encoder carry everything there; with them it looks at
/// the digits that it writes.
constexpr Reinforcement calm{.entropy = 0.02, .discount = 0.5};
/// Even so it takes longer than to learn a mean, whose gradient is exact.
constexpr Index drawn_steps = 2;

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
    const AttentionSpec built = build_spec(mechanism(layer.mechanism), layer.values);
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

/// Places of tokens are the mechanisms' business where any has some; a host without stays without.
void leave_places_to_mechanisms(TransformerConfiguration& c, bool any_has) {
    const bool are_waves = !any_has && c.places != PositionEncoding::none;
    c.places = are_waves ? PositionEncoding::sinusoidal : PositionEncoding::none;
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
        detail.got += ", the number if none is given";
        throw Error(detail);
    }
}

TransformerConfiguration transformer(const Recipe& recipe, const Preset& preset, HostType host,
                                     const ChosenAttention& chosen, Index width) {
    TransformerConfiguration c;
    const Architecture& its = architecture(host);
    c.width = width;
    c.heads = recipe.heads.value_or(usual_heads);
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
        const bool has_heads = recipe.heads || !recipe.values.contains("heads");
        c.set_mechanism(has_heads ? with_heads(*chosen.mechanism, c.heads) : *chosen.mechanism);
    }
    check_as_asked(recipe, c);
    return c;
}

/// Throws Error for what no model can be made of.
void require_model(const Task& task, const ModelSpec& configuration) {
    const TaskModel made(task, configuration);
}

/// What a model can be made of, which is tried: mechanisms take some time, and are made once. Scores that
/// multiply queries and keys need both equally wide: a recurrent encoder then reads in one direction.
ModelSpec configured(const Task& task, const Recipe& recipe, HostType host, const ChosenAttention& chosen,
                     Index width) {
    const auto require = [&](const ModelSpec& configuration) {
        try {
            require_model(task, configuration);
        } catch (const Error& error) {
            if (!chosen.mechanism)
                throw;
            throw error.within("attention " + recipe.attention + " of host " + to_word(host));
        }
        return configuration;
    };
    if (!is_recurrent(host)) {
        TransformerConfiguration c = transformer(recipe, preset(task.id, host), host, chosen, width);
        if (host == HostType::hierarchical)
            keep_to_sentences(c, task.sentence, task.longest_source);
        if (host == HostType::coattention)
            keep_question_apart(c, task.question, task.sentence, task.longest_source);
        if (host == HostType::triangles)
            read_pairs_of(c, task.points);
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

/// Whatever its size: that is refused by itself.
bool is_possible(const Task& task, Recipe recipe, HostType host, const ChosenAttention& chosen) {
    constexpr Index narrow = 8;
    recipe.heads = recipe.turns = {};
    recipe.layers = recipe.hops = 1;
    const MemoryLimit as_without_any(0);
    try {
        if (!can_learn(chosen, host))
            return false;
        configured(task, recipe, host, chosen, narrow);
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// What no attention would make right must not be put down to the one that is named.
void require_coverage_loss(const Recipe& recipe, const ChosenAttention& chosen) {
    if (recipe.coverage_loss != 0 && is_drawn(chosen.normalizer))
        throw Error({"train with a coverage loss", "",
                     "an attention that spreads weights: what is drawn passes no gradient on",
                     '"' + excerpt(recipe.attention) + '"'});
}

/// Throws Error for what learns from weights: of a mechanism's program the output alone passes a gradient on.
void require_no_use_of_weights(const Recipe& recipe) {
    const auto refuse = [&](const char* what) {
        throw Error({what, "",
                     "an attention that is a score or a normaliser with no parameter set: the weights of a "
                     "mechanism's program pass no gradient on",
                     '"' + excerpt(recipe.attention) + '"' +
                         (recipe.values.empty() ? "" : " with " + recipe.values.begin()->first + " set")});
    };
    if (recipe.copies)
        refuse("copy words of the source");
    if (recipe.coverage_loss != 0)
        refuse("train with a coverage loss");
}

[[noreturn]] void refuse_attention(const Task& task, const Recipe& recipe, HostType host) {
    std::vector<std::string> names;
    const auto add = [&](const auto& list) {
        for (const auto& word : list)
            if (const auto chosen = attention_named(std::string(word.word), host);
                chosen && is_possible(task, recipe, host, *chosen))
                names.emplace_back(word.word);
    };
    add(words<ScoreType>());
    add(words<NormalizerType>());
    std::string expected = list_of(names);
    expected += ", or a mechanism of the catalogue";
    throw Error({"attention of host " + to_word(host) + " that learns " + task.id, "", expected,
                 quoted_with_hint(excerpt(recipe.attention), names)});
}

/// What suits the task: the first models that attended, unless the attention is a Transformer's.
HostType suited(const Task& task, const Recipe& recipe) {
    if (task.kind == TaskKind::classification)
        return task.reads_set      ? HostType::set
               : task.points > 0   ? HostType::triangles
               : task.question > 0 ? HostType::coattention
               : task.sentence > 0 ? HostType::hierarchical
                                   : HostType::encoder;
    if (task.kind == TaskKind::language_model)
        return HostType::gpt;
    if (!recipe.attentions.empty())
        return HostType::transformer;
    const std::string& attention = recipe.attention;
    const Mechanism* mechanism = find_mechanism(attention);
    const bool has_heads = mechanism && build_spec(*mechanism, {}).heads.type != HeadsType::single;
    const bool is_whole = mechanism && !attention_named(attention, HostType::gru);
    return has_heads || is_whole || attention == "scaled_dot_product" ? HostType::transformer : HostType::gru;
}

bool knows_no_order(HostType host) { return host == HostType::set || host == HostType::slot_attention; }

}  // namespace

bool fits(const Task& task, HostType host) {
    const ModelSpec spec = architecture(host).spec();
    switch (task.kind) {
    case TaskKind::translation:
        return !spec.says_label() && (!spec.points() || task.quotes_source) &&
               (!task.sound.of || !spec.reads_one_text());  // a decoder alone reads words, no frames
    case TaskKind::language_model:
        return spec.reads_one_text();
    case TaskKind::classification:
        return spec.says_label() && (!knows_no_order(host) || task.reads_set) &&
               (host != HostType::hierarchical || (task.sentence > 0 && task.question == 0)) &&
               (host != HostType::coattention || task.question > 0) &&
               (host != HostType::triangles || task.points > 0);
    }
    return false;
}

namespace {

void require_fit(const Task& task, HostType host) {
    if (fits(task, host))
        return;
    std::vector<std::string> hosts;
    for (const Word<HostType>& word : words<HostType>())
        if (fits(task, word.value))
            hosts.emplace_back(word.word);
    std::string expected = list_of(hosts);
    if (architecture(host).spec().points())
        expected += ", as its answers are not made of words of the source";
    if (knows_no_order(host) && task.kind == TaskKind::classification)
        expected += ", as its answers change with the order of the source";
    if (host == HostType::hierarchical && task.kind == TaskKind::classification)
        expected += ", as its source is not made of sentences of one length";
    if (host == HostType::coattention && task.kind == TaskKind::classification)
        expected += ", as its source begins with no question";
    if (host == HostType::triangles && task.kind == TaskKind::classification)
        expected += ", as its source is not made of pairs of points";
    throw Error({"host for task " + task.id, "", expected, '"' + to_word(host) + '"'});
}

std::string name_of(const Task& task, HostType host, const Recipe& recipe) {
    std::string name = task.id;
    if (is_recurrent(host) && recipe.attention.empty())
        name += '-' + to_word(ScoreType::additive);
    if (!recipe.attention.empty())
        name += '-' + recipe.attention;
    if (!recipe.attentions.empty())
        name += "-layers";
    if (recipe.copies)
        name += "-copying";
    if (recipe.coverage_loss > 0)
        name += "-covering";
    if (recipe.hops > 1)
        name += "-hops";
    if (recipe.turns.value_or(1) > 1)
        name += "-turns";
    if (recipe.segment.value_or(0) > 0)
        name += "-segments";
    if (recipe.style == DecoderStyle::dense)
        name += "-dense";
    return name + '-' + to_word(host);
}

/// Throws Error for what the host has none of, or has already.
void require_parts(const Recipe& recipe, HostType host) {
    const auto refuse = [&](const char* what, const std::string& expected) {
        throw Error({what, "", expected, '"' + to_word(host) + '"'});
    };
    if (recipe.copies && architecture(host).spec().points())
        refuse("copy words of the source",
               "a host that has words of its own beside: " + hosts_in_words(can_copy));
    if (recipe.hops != 1 && !is_recurrent(host))
        refuse("ask several times a step", "a recurrent host: " + hosts_in_words(is_recurrent));
    if (recipe.turns && is_recurrent(host))
        refuse("go through the layers several times", "a Transformer: " + hosts_in_words(is_transformer));
    if (recipe.segment && !can_have_segments(host))
        refuse("read in segments",
               "a Transformer that attends to what it says: " + hosts_in_words(can_have_segments));
}

/// Throws Error unless the attention is a mechanism, which has knobs.
void require_knobs(const Recipe& recipe, const Mechanism* mechanism) {
    if (!mechanism)
        throw Error({"set an attention's parameters", recipe.values.begin()->first,
                     "a mechanism of the catalogue as attention", '"' + excerpt(recipe.attention) + '"'});
}

/// Throws Error where the host cannot have the attention that is named, or cannot learn with it.
ChosenAttention required_attention(const Task& task, const Recipe& recipe, HostType host) {
    auto chosen = attention_named(recipe.attention, host);
    const Mechanism* mechanism = find_mechanism(recipe.attention);
    if (!recipe.values.empty())
        require_knobs(recipe, mechanism);
    if (chosen)
        require_coverage_loss(recipe, *chosen);
    if (!chosen || !recipe.values.empty() || !is_possible(task, recipe, host, *chosen)) {
        if (!mechanism)
            refuse_attention(task, recipe, host);
        if (is_recurrent(host))
            require_no_use_of_weights(recipe);
        chosen.emplace().mechanism = build_spec(*mechanism, recipe.values);
    }
    return *chosen;
}

/// Throws Error unless the list is one of layers that the host has, and says alone how they attend and how
/// many they are.
void require_list(const Recipe& recipe, HostType host) {
    const char* what = "attention of each layer";
    const LayerList& list = recipe.attentions;
    const auto refuse = [&](const char* where, const std::string& expected, const std::string& got) {
        throw Error({what, where, expected, got});
    };
    if (!lists_layers(host))
        refuse("", "host " + hosts_in_words(lists_layers), '"' + to_word(host) + '"');
    if (!recipe.attention.empty() || !recipe.values.empty())
        refuse("", "no other attention beside the list of layers", '"' + excerpt(recipe.attention) + '"');
    const auto require_layers = [&](const char* side, bool has_any, const std::vector<LayerAttention>& own) {
        const std::vector<LayerAttention>& layers = list.all.empty() ? own : list.all;
        const std::string count = std::to_string(layers.size());
        if (!has_any && !own.empty())
            refuse(side, "no such layers in host " + to_word(host), count);
        if (!has_any)
            return;
        if (layers.empty() || std::ssize(layers) > most_transformer_layers)
            refuse(side, "1 to " + std::to_string(most_transformer_layers) + " layers", count);
        if (recipe.layers && *recipe.layers != std::ssize(layers))
            refuse(side, std::to_string(*recipe.layers) + " layers", count);
    };
    const ModelSpec spec = architecture(host).spec();
    require_layers("encoder", !spec.reads_one_text(), list.encoder);
    require_layers("decoder", !spec.says_label(), list.decoder);
}

}  // namespace

Preparation prepare(const Recipe& recipe) {
    const Task& task = headlight::task(recipe.task);
    const HostType host = recipe.host.value_or(suited(task, recipe));
    require_fit(task, host);
    require_parts(recipe, host);
    const bool has_list = !recipe.attentions.empty();
    if (has_list)
        require_list(recipe, host);
    const ChosenAttention chosen = has_list ? ChosenAttention{} : required_attention(task, recipe, host);

    const Preset& standard = preset(task.id, host);
    Preparation prepared;
    prepared.name = name_of(task, host, recipe);
    // None is known of whole mechanisms.
    prepared.goal = has_list || chosen.mechanism ? 0 : goal(task, chosen.normalizer);
    TrainingSettings& settings = prepared.settings;
    settings.task = task.id;
    settings.model = configured(task, recipe, host, chosen, recipe.width.value_or(standard.width));
    settings.seed = recipe.seed;
    settings.parts = recipe.parts;
    settings.steps = recipe.steps.value_or(standard.steps * (is_drawn(chosen.normalizer) ? drawn_steps : 1));
    settings.schedule = {.shape = nn::Schedule::Shape::cosine,
                         .peak = recipe.rate.value_or(standard.peak),
                         .warm_up = std::min<Index>(100, settings.steps / 4),
                         .steps = settings.steps};
    settings.adam.clip = 1;
    return prepared;
}

}  // namespace headlight
