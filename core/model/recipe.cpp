#include "core/model/recipe.h"

#include "core/attention/spec_words.h"
#include "core/catalog/used_by.h"
#include "core/model/configured_model.h"
#include "core/model/fitting_hosts.h"
#include "core/model/preset.h"
#include "core/tensor/error.h"
#include "core/tensor/memory.h"

#include <algorithm>
#include <cctype>

namespace headlight {

namespace {

/// A story may go on in many right ways. A choice that is drawn is harder to learn than a mean.
double goal(const Task& task, const Normalizer& normalizer) {
    if (task.id == "stories")
        return 0;
    if (is_drawn(normalizer))
        return 0.9;
    return task.id == "translate" ? 0.97 : 0.99;
}

/// Even so it takes longer than to learn a mean, whose gradient is exact.
constexpr Index drawn_steps = 2;

/// Whatever its size: that is refused by itself.
bool is_possible(const Task& task, Recipe recipe, HostType host, const ChosenAttention& chosen) {
    constexpr Index narrow = 8;
    recipe.heads = recipe.turns = {};
    recipe.layers = recipe.hops = 1;
    const MemoryLimit as_without_any(0);
    try {
        if (!can_learn(chosen, host))
            return false;
        configured_model(task, recipe, host, chosen, narrow);
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

/// What attends in all layers, as an error says it.
std::string attention_in_words(const Recipe& recipe) {
    if (!recipe.own)
        return '"' + excerpt(recipe.attention) + '"';
    return recipe.own_name.empty() ? "your mechanism" : "your mechanism \"" + excerpt(recipe.own_name) + '"';
}

/// Throws Error for what learns from weights: of a mechanism's program the output alone passes a gradient on.
void require_no_use_of_weights(const Recipe& recipe) {
    const auto refuse = [&](const char* what) {
        throw Error({what, "",
                     "an attention that is a score or a normaliser with no parameter set: the weights of a "
                     "mechanism's program pass no gradient on",
                     attention_in_words(recipe) + (recipe.own || recipe.values.empty()
                                                       ? ""
                                                       : " with " + recipe.values.begin()->first + " set")});
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
        return host_for_labels(task);
    if (task.kind == TaskKind::language_model)
        return HostType::gpt;
    if (!recipe.attentions.empty() || recipe.own)
        return HostType::transformer;
    const std::string& attention = recipe.attention;
    const Mechanism* mechanism = find_mechanism(attention);
    const bool has_heads = mechanism && build_spec(*mechanism, {}).heads.type != HeadsType::single;
    const bool is_whole = mechanism && !attention_named(attention, HostType::gru);
    return has_heads || is_whole || attention == "scaled_dot_product" ? HostType::transformer : HostType::gru;
}

/// A name as a part of a file's: letters of every alphabet stay.
std::string in_file_name(const std::string& name) {
    constexpr std::size_t readable = 40;
    std::string part;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        const bool begins_letter = (byte & 0xC0) != 0x80;  // UTF-8
        if (begins_letter && part.size() >= readable)
            break;
        part += byte >= 0x80 || std::isalnum(byte) ? c : '_';
    }
    return part;
}

std::string name_of(const Task& task, HostType host, const Recipe& recipe) {
    std::string name = task.id;
    if (recipe.own)
        name += recipe.own_name.empty() ? "-own" : "-own-" + in_file_name(recipe.own_name);
    else if (is_recurrent(host) && recipe.attention.empty())
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
    if (recipe.places)
        name += "-places-" + to_word(*recipe.places);
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
    if (recipe.places && is_recurrent(host))
        refuse("tell tokens their places", "a Transformer: " + hosts_in_words(is_transformer));
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
    if (recipe.own) {
        if (is_recurrent(host))
            require_no_use_of_weights(recipe);
        ChosenAttention chosen;
        chosen.mechanism = recipe.own;
        return chosen;
    }
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
    if (!recipe.attention.empty() || !recipe.values.empty() || recipe.own)
        refuse("", "no other attention beside the list of layers", attention_in_words(recipe));
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

LayerList layers_as_in(const KnownModel& model) {
    LayerList list;
    for (const LayerRun& run : model.pattern)
        for (int layer = 0; layer < run.count; ++layer)
            list.all.push_back({.mechanism = std::string(run.mechanism), .normalizer = run.normalizer});
    return list;
}

Preparation prepare(const Recipe& recipe) {
    const Task& task = headlight::task(recipe.task);
    const HostType host = recipe.host.value_or(suited(task, recipe));
    require_possible_host(task, host);
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
    settings.model = configured_model(task, recipe, host, chosen, recipe.width.value_or(standard.width));
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
