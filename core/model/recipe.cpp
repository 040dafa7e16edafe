#include "core/model/recipe.h"

#include "core/attention/spec_words.h"
#include "core/catalog/mechanism.h"
#include "core/model/model_words.h"
#include "core/nn/normalize.h"
#include "core/nn/score.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {

template <>
std::span<const Word<HostType>> words() {
    static constexpr Word<HostType> list[] = {
        {HostType::gru, "gru", "encoder and decoder of gated recurrent units"},
        {HostType::lstm, "lstm", "encoder and decoder of long short-term memories"},
        {HostType::rnn, "rnn", "encoder and decoder of plain recurrent cells"},
        {HostType::transformer, "transformer", "a Transformer encoder and decoder"},
        {HostType::gpt, "gpt", "a Transformer decoder alone, which reads source and target as one text"},
        {HostType::encoder, "encoder", "a Transformer encoder that says one label"},
    };
    return list;
}

namespace {

bool is_recurrent(HostType host) {
    return host == HostType::gru || host == HostType::lstm || host == HostType::rnn;
}

// Presets

/// How large a model learns a task, and how long.
struct Preset {
    std::string_view task;
    bool is_recurrent;
    Index width;
    Index steps;
    double peak = 2e-3;  ///< of the learning rate
};
constexpr Preset presets[] = {
    {"copy", true, 128, 1000},      {"reverse", true, 128, 1500},  {"sort", true, 128, 1500},
    {"addition", true, 128, 2000},  {"dates", true, 128, 1000},    {"translate", true, 128, 3000},
    {"copy", false, 64, 1500},      {"reverse", false, 64, 1500},  {"sort", false, 64, 2500},
    {"addition", false, 64, 4000},  {"dates", false, 64, 2000},    {"translate", false, 96, 4000},
    {"induction", false, 64, 2000}, {"brackets", false, 64, 2000}, {"stories", false, 96, 2000},
};
constexpr Preset other_presets[] = {{"", true, 128, 1500}, {"", false, 64, 2000}};

const Preset& preset(std::string_view task, bool for_recurrent) {
    for (const Preset& each : presets)
        if (each.task == task && each.is_recurrent == for_recurrent)
            return each;
    return other_presets[for_recurrent ? 0 : 1];
}

/// A story may go on in many right ways. A choice that is drawn is harder to learn than a mean.
double goal(const Task& task, const Normalizer& normalizer) {
    if (task.id == "stories")
        return 0;
    if (normalizer.type == NormalizerType::hard)
        return 0.9;
    return task.id == "translate" ? 0.97 : 0.99;
}

// Attention

/// The part of a host that a name chooses.
struct ChosenAttention {
    Score score;
    Normalizer normalizer;
    LocalWindow window{};
};

/// Mechanisms of the catalogue that are windows of a recurrent host (Luong et al. 2015, section 3.2).
constexpr std::pair<std::string_view, LocalWindow::Kind> windows[] = {
    {"local_m", LocalWindow::Kind::monotonic}, {"local_p", LocalWindow::Kind::predicted}};

/// What a mechanism of the catalogue weighs with, if that is all there is to it.
std::optional<ChosenAttention> attention_of(const Mechanism& mechanism) {
    AttentionSpec spec = build_spec(mechanism, {});
    const ChosenAttention chosen{spec.score, spec.normalizer};
    // The host has projections and heads of its own.
    const AttentionSpec plain;
    spec.score = plain.score;
    spec.normalizer = plain.normalizer;
    spec.source = plain.source;
    spec.projections = plain.projections;
    if (spec.heads.type == HeadsType::multi)
        spec.heads = plain.heads;
    return spec == plain ? std::optional(chosen) : std::nullopt;
}

template <class Type>
std::optional<Type> value_of(const std::string& name) {
    for (const Word<Type>& word : words<Type>())
        if (word.word == name)
            return word.value;
    return std::nullopt;
}

std::optional<ChosenAttention> attention_named(const std::string& name, HostType host) {
    ChosenAttention chosen;
    if (is_recurrent(host))
        chosen.score.type = ScoreType::additive;
    if (name.empty())
        return chosen;
    if (const auto score = value_of<ScoreType>(name)) {
        chosen.score.type = *score;
        return chosen;
    }
    if (const auto normalizer = value_of<NormalizerType>(name)) {
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
    return mechanism ? attention_of(*mechanism) : std::nullopt;
}

/// Gradients must find a way through. Recurrent hosts have an estimate of theirs for what is drawn.
bool can_learn(const ChosenAttention& chosen, HostType host) {
    const bool is_drawn = chosen.normalizer.type == NormalizerType::hard && is_recurrent(host);
    return nn::is_trainable(chosen.score) && (is_drawn || nn::is_differentiable(chosen.normalizer));
}

// Hosts

RecurrentConfiguration recurrent(const Recipe& recipe, HostType host, const ChosenAttention& chosen,
                                 Index width) {
    RecurrentConfiguration c;
    c.cell = host == HostType::lstm  ? nn::CellType::lstm
             : host == HostType::rnn ? nn::CellType::rnn
                                     : nn::CellType::gru;
    c.width = width;
    c.embedding = std::max<Index>(width / 2, 1);
    c.score = chosen.score;
    c.normalizer = chosen.normalizer;
    c.window = chosen.window;
    c.copies = recipe.copies;
    c.style = recipe.style.value_or(chosen.score.type == ScoreType::additive ? DecoderStyle::bahdanau
                                                                             : DecoderStyle::luong);
    return c;
}

TransformerConfiguration transformer(HostType host, const ChosenAttention& chosen, Index width) {
    if (width % 2 != 0)
        throw Error({"train a Transformer", "width", "an even number: the waves of its places come in pairs",
                     std::to_string(width)});
    TransformerConfiguration c;
    c.kind = host == HostType::gpt       ? TransformerKind::decoder
             : host == HostType::encoder ? TransformerKind::encoder
                                         : TransformerKind::encoder_decoder;
    c.width = width;
    c.heads = width % 4 == 0 ? 4 : 2;
    c.feed_forward = 4 * width;
    c.score = chosen.score;
    c.normalizer = chosen.normalizer;
    return c;
}

/// Scores that multiply queries and keys need both equally wide: the encoder then reads in one direction.
TaskModel::Configuration configured(const Task& task, const Recipe& recipe, HostType host,
                                    const ChosenAttention& chosen, Index width) {
    if (!is_recurrent(host))
        return transformer(host, chosen, width);
    RecurrentConfiguration c = recurrent(recipe, host, chosen, width);
    try {
        TaskModel(task, c);
        return c;
    } catch (const Error&) {
        c.bidirectional = false;
        return c;
    }
}

bool is_possible(const Task& task, const Recipe& recipe, HostType host, const ChosenAttention& chosen) {
    constexpr Index narrow = 8;
    try {
        if (!can_learn(chosen, host))
            return false;
        TaskModel(task, configured(task, recipe, host, chosen, narrow));
        return true;
    } catch (const Error&) {
        return false;
    }
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
    expected += ", or a mechanism of the catalogue that is one of these";
    throw Error({"attention of a " + to_word(host) + " that learns " + task.id, "", expected,
                 quoted_with_hint(excerpt(recipe.attention), names)});
}

/// What suits the task: the first models that attended, unless the attention is a Transformer's.
HostType suited(const Task& task, const std::string& attention) {
    if (task.kind == TaskKind::classification)
        return HostType::encoder;
    if (task.kind == TaskKind::language_model)
        return HostType::gpt;
    const Mechanism* mechanism = find_mechanism(attention);
    const bool has_heads = mechanism && build_spec(*mechanism, {}).heads.type != HeadsType::single;
    return has_heads || attention == "scaled_dot_product" ? HostType::transformer : HostType::gru;
}

bool fits(const Task& task, HostType host) {
    switch (task.kind) {
    case TaskKind::translation:
        return host != HostType::encoder;
    case TaskKind::language_model:
        return host == HostType::gpt;
    case TaskKind::classification:
        return host == HostType::encoder;
    }
    return false;
}

void require_fit(const Task& task, HostType host) {
    if (fits(task, host))
        return;
    std::vector<std::string> hosts;
    for (const Word<HostType>& word : words<HostType>())
        if (fits(task, word.value))
            hosts.emplace_back(word.word);
    throw Error({"host for task " + task.id, "", list_of(hosts), '"' + to_word(host) + '"'});
}

std::string name_of(const Task& task, HostType host, const Recipe& recipe) {
    std::string name = task.id;
    if (is_recurrent(host) && recipe.attention.empty())
        name += '-' + to_word(ScoreType::additive);
    if (!recipe.attention.empty())
        name += '-' + recipe.attention;
    if (recipe.copies)
        name += "-copying";
    return name + '-' + to_word(host);
}

}  // namespace

Preparation prepare(const Recipe& recipe) {
    const Task& task = headlight::task(recipe.task);
    const HostType host = recipe.host.value_or(suited(task, recipe.attention));
    require_fit(task, host);
    const auto chosen = attention_named(recipe.attention, host);
    if (!chosen || !is_possible(task, recipe, host, *chosen))
        refuse_attention(task, recipe, host);

    const Preset& standard = preset(task.id, is_recurrent(host));
    Preparation prepared;
    prepared.name = name_of(task, host, recipe);
    prepared.goal = goal(task, chosen->normalizer);
    TrainingSettings& settings = prepared.settings;
    settings.task = task.id;
    settings.model = configured(task, recipe, host, *chosen, recipe.width.value_or(standard.width));
    settings.seed = recipe.seed;
    settings.parts = recipe.parts;
    settings.steps = recipe.steps.value_or(standard.steps);
    settings.schedule = {.shape = nn::Schedule::Shape::cosine,
                         .peak = standard.peak,
                         .warm_up = std::min<Index>(100, settings.steps / 4),
                         .steps = settings.steps};
    settings.adam.clip = 1;
    TaskModel(task, settings.model);
    return prepared;
}

}  // namespace headlight
