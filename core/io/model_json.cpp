#include "core/io/model_json.h"

#include "core/attention/component.h"
#include "core/attention/json_object.h"
#include "core/attention/spec_json.h"
#include "core/model/model_check.h"
#include "core/model/model_words.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {

using nlohmann::json;

namespace {

constexpr Index largest_batch = 65536;

double bounded(JsonObject& object, const char* key, double standard, double minimum, double maximum) {
    const double number = object.number(key, standard);
    if (!(number >= minimum && number <= maximum)) {
        std::string expected = "a number from ";
        expected += json(minimum).dump() + " to " + json(maximum).dump();
        object.refuse(key, expected, describe(*object.find(key)));
    }
    return number;
}

template <class Settings>
void numbers_from_json(JsonObject& object, Settings& settings) {
    const SettingNumbers<Settings> all = numbers_of<Settings>();
    for (const auto& number : all.whole)
        if (!number.exists || number.exists(settings))
            settings.*number.value =
                object.integer(number.name, settings.*number.value, number.least, number.most);
    for (const auto& number : all.real)
        settings.*number.value =
            bounded(object, number.name, settings.*number.value, number.least, number.most);
}

template <class Settings>
void numbers_to_json(json& document, const Settings& settings) {
    const Settings standard;
    const auto write = [&](const auto& numbers) {
        for (const auto& number : numbers)
            if ((!number.exists || number.exists(settings)) &&
                (number.is_always_written || settings.*number.value != standard.*number.value))
                document[number.name] = settings.*number.value;
    };
    write(numbers_of<Settings>().whole);
    write(numbers_of<Settings>().real);
}

/// Score and normaliser are written as the parts of a spec that they are, with every option.
json attention_to_json(const Score& score, const Normalizer& normalizer) {
    AttentionSpec spec;
    spec.score = score;
    spec.normalizer = normalizer;
    const json whole = to_json(complete_spec(spec));
    return {{"score", whole.at("score")}, {"normalizer", whole.at("normalizer")}};
}

AttentionSpec attention_from_json(JsonObject& object) {
    JsonObject attention = object.object("attention");
    json parts = json::object();
    for (const char* part : {"score", "normalizer"})
        if (const json* value = attention.find(part))
            parts[part] = *value;
    attention.refuse_other_fields();
    return spec_from_json(parts, object.pointer("attention"));
}

json to_json(const LocalWindow& window) {
    json document = {{"kind", to_word(window.kind)}};
    numbers_to_json(document, window);
    return document;
}

LocalWindow window_from_json(JsonObject object) {
    LocalWindow window;
    window.kind = object.word("kind", window.kind);
    numbers_from_json(object, window);
    object.refuse_other_fields();
    return window;
}

json to_json(const Reinforcement& reinforcement) {
    json document = {{"baseline", to_word(reinforcement.baseline)}};
    numbers_to_json(document, reinforcement);
    return document;
}

Reinforcement reinforcement_from_json(JsonObject object) {
    Reinforcement reinforcement;
    numbers_from_json(object, reinforcement);
    reinforcement.baseline = object.word("baseline", reinforcement.baseline);
    object.refuse_other_fields();
    return reinforcement;
}

json to_json(const RecurrentConfiguration& c) {
    json document = {{"cell", to_word(c.cell)},
                     {"bidirectional", c.bidirectional},
                     {"decoder", to_word(c.style)},
                     {"input_feeding", c.input_feeding},
                     {"attention", attention_to_json(c.score, c.normalizer)},
                     {"window", to_json(c.window)},
                     {"reinforcement", to_json(c.reinforcement)},
                     {"copies", c.copies}};
    numbers_to_json(document, c);
    if (c.points)
        document["points"] = true;
    if (c.mechanism)  // with every option, as it is read again
        document["mechanism"] = to_json(complete_spec(*c.mechanism));
    return document;
}

RecurrentConfiguration recurrent_from_json(JsonObject object) {
    RecurrentConfiguration c;
    numbers_from_json(object, c);
    c.cell = object.word("cell", c.cell);
    c.bidirectional = object.boolean("bidirectional", c.bidirectional);
    c.style = object.word("decoder", c.style);
    c.input_feeding = object.boolean("input_feeding", c.input_feeding);
    const AttentionSpec attention = attention_from_json(object);
    c.score = attention.score;
    c.normalizer = attention.normalizer;
    c.window = window_from_json(object.object("window"));
    c.reinforcement = reinforcement_from_json(object.object("reinforcement"));
    c.copies = object.boolean("copies", c.copies);
    c.points = object.boolean("points", c.points);
    if (const json* mechanism = object.find("mechanism"))
        c.mechanism = spec_from_json(*mechanism, object.pointer("mechanism"));
    object.refuse_other_fields();
    return c;
}

json to_json(const TransformerConfiguration& c) {
    json document = {{"kind", to_word(c.kind)},
                     {"norm", to_word(c.norm)},
                     {"places", to_word(c.places)},
                     {"attention", attention_to_json(c.score, c.normalizer)}};
    numbers_to_json(document, c);
    // Only where there is one: models without keep their bytes. With every option, as it is read again.
    if (c.mixer != Mixer::attention)
        document["mixer"] = to_word(c.mixer);
    if (c.two_streams)
        document["two_streams"] = true;
    if (c.pooling != Pooling::mean)
        document["pooling"] = to_word(c.pooling);
    if (c.pooling_mechanism)
        document["pooling_mechanism"] = to_json(complete_spec(*c.pooling_mechanism));
    if (c.asked_text) {
        document["asked_text"] = {{"mechanism", to_json(complete_spec(c.asked_text->mechanism))}};
        numbers_to_json(document["asked_text"], *c.asked_text);
    }
    if (const AttentionSpec* mechanism = c.mechanism())
        document["mechanism"] = to_json(complete_spec(*mechanism));
    const auto write_stack = [&](const std::string& side, const std::vector<LayerSpec>& layers, bool exists) {
        document[side + "_layers"] = std::ssize(layers);
        if (!exists || !std::ranges::any_of(layers, &LayerSpec::lists_mechanism))
            return;
        json mechanisms = json::array(), shares = json::array();
        for (const LayerSpec& layer : layers) {
            mechanisms.push_back(layer.mechanism ? to_json(complete_spec(*layer.mechanism)) : json());
            shares.push_back(layer.shares ? json(*layer.shares + 1) : json());
        }
        document[side + "_mechanisms"] = std::move(mechanisms);
        if (std::ranges::any_of(layers, [](const LayerSpec& layer) { return layer.shares.has_value(); }))
            document[side + "_shares"] = std::move(shares);
    };
    write_stack("encoder", c.encoder, c.has_encoder());
    write_stack("decoder", c.decoder, c.has_decoder());
    return document;
}

/// A list with an entry for each of so many layers, if there is one; `expected` says so.
const json* layer_entries(JsonObject& object, const std::string& key, std::size_t layers,
                          const std::string& expected) {
    const json* list = object.find(key);
    if (list && (!list->is_array() || list->size() != layers))
        object.refuse(key, expected,
                      list->is_array() ? std::to_string(list->size()) + " entries" : describe(*list));
    return list;
}

/// A stack of layers of which some may have a mechanism of their own, or the keys and values of an earlier
/// one. `exists` is false where a model has no such stack.
void read_stack(JsonObject& object, const std::string& side, bool exists, std::vector<LayerSpec>& layers) {
    layers.resize(static_cast<std::size_t>(
        object.integer(side + "_layers", std::ssize(layers), 1, most_transformer_layers)));
    const std::string of_mechanisms = side + "_mechanisms", of_shares = side + "_shares";
    if (const json* list = object.find(of_mechanisms); list && !exists)
        object.refuse(of_mechanisms, "no such field: the model has no such layers", describe(*list));
    const json* mechanisms =
        layer_entries(object, of_mechanisms, layers.size(),
                      "a list of mechanisms, one for each of " + std::to_string(layers.size()) + " layers");
    for (std::size_t i = 0; mechanisms && i < layers.size(); ++i)
        if (const json& each = (*mechanisms)[i]; !each.is_null())
            layers[i].mechanism = spec_from_json(each, pointer_to(object.pointer(of_mechanisms), i));
    const std::size_t listed = mechanisms ? layers.size() : 0;
    const json* shares = layer_entries(object, of_shares, listed,
                                       "a list with null or the number of a layer for each of the " +
                                           std::to_string(listed) + " mechanisms of layers beside it");
    constexpr auto most = static_cast<std::uint64_t>(most_transformer_layers);
    for (std::size_t i = 0; shares && i < listed; ++i) {
        // Counted from 1, as in the file of layers and in what is refused of them.
        const json& each = (*shares)[i];
        const bool is_number = each.is_number_unsigned() && each.get<std::uint64_t>() - 1 < most;
        if (!is_number && !each.is_null())
            throw Error({object.what(), pointer_to(object.pointer(of_shares), i),
                         "null, or the number of an earlier layer, from 1", describe(each)});
        if (is_number)
            layers[i].shares = each.get<Index>() - 1;
    }
}

AskedText asked_text_from_json(JsonObject object) {
    AskedText asked;
    object.required("question", "how many tokens of a source are the question");
    numbers_from_json(object, asked);
    asked.mechanism = spec_from_json(object.required("mechanism", "by which the text looks at its question"),
                                     object.pointer("mechanism"));
    object.refuse_other_fields();
    return asked;
}

TransformerConfiguration transformer_from_json(JsonObject object) {
    TransformerConfiguration c;
    c.kind = object.word("kind", c.kind);
    c.norm = object.word("norm", c.norm);
    c.places = object.word("places", c.places);
    c.mixer = object.word("mixer", c.mixer);
    numbers_from_json(object, c);
    c.two_streams = object.boolean("two_streams", c.two_streams);
    c.pooling = object.word("pooling", c.pooling);
    if (const json* mechanism = object.find("pooling_mechanism"))
        c.pooling_mechanism = spec_from_json(*mechanism, object.pointer("pooling_mechanism"));
    if (object.find("asked_text"))
        c.asked_text = asked_text_from_json(object.object("asked_text"));
    const AttentionSpec attention = attention_from_json(object);
    c.score = attention.score;
    c.normalizer = attention.normalizer;
    read_stack(object, "encoder", c.has_encoder(), c.encoder);
    read_stack(object, "decoder", c.has_decoder(), c.decoder);
    if (const json* mechanism = object.find("mechanism")) {
        const auto has_own = [](const LayerSpec& layer) { return layer.mechanism.has_value(); };
        if (std::ranges::any_of(c.encoder, has_own) || std::ranges::any_of(c.decoder, has_own))
            object.refuse("mechanism", "none beside those that layers have of their own",
                          describe(*mechanism));
        c.set_mechanism(spec_from_json(*mechanism, object.pointer("mechanism")));
    }
    object.refuse_other_fields();
    return c;
}

json to_json(const nn::Schedule& schedule) {
    return {{"shape", to_word(schedule.shape)},
            {"peak", schedule.peak},
            {"warm_up", schedule.warm_up},
            {"steps", schedule.steps}};
}

nn::Schedule schedule_from_json(JsonObject object) {
    nn::Schedule schedule;
    schedule.shape = object.word("shape", schedule.shape);
    schedule.peak = bounded(object, "peak", schedule.peak, 0, 1000);
    schedule.warm_up = object.integer("warm_up", schedule.warm_up, 0, most_steps);
    schedule.steps = object.integer("steps", schedule.steps, 0, most_steps);
    object.refuse_other_fields();
    return schedule;
}

json to_json(const nn::AdamOptions& adam) {
    return {{"first_decay", adam.first_decay},
            {"second_decay", adam.second_decay},
            {"epsilon", adam.epsilon},
            {"weight_decay", adam.weight_decay},
            {"clip", adam.clip}};
}

nn::AdamOptions adam_from_json(JsonObject object) {
    nn::AdamOptions adam;
    adam.first_decay = bounded(object, "first_decay", adam.first_decay, 0, 1);
    adam.second_decay = bounded(object, "second_decay", adam.second_decay, 0, 1);
    adam.epsilon = bounded(object, "epsilon", adam.epsilon, 0, 1);
    adam.weight_decay = bounded(object, "weight_decay", adam.weight_decay, 0, 1000);
    adam.clip = bounded(object, "clip", adam.clip, 0, 1e9);
    object.refuse_other_fields();
    return adam;
}

/// Throws Error at the place of the setting in a document whose configuration is at `pointer`.
void check_read(const ModelSpec& model, const std::string& pointer) {
    try {
        check(model);
    } catch (const Error& error) {
        ErrorDetail detail = error.detail();
        if (detail.where.find(' ') != std::string::npos)  // "layer 2: shares"
            throw error.within(pointer);
        detail.where = pointer + '/' + detail.where;
        throw Error(detail);
    }
}

enum class HostFamily { recurrent, transformer };

}  // namespace

template <>
std::span<const Word<HostFamily>> words() {
    static constexpr Word<HostFamily> list[] = {
        {HostFamily::recurrent, "recurrent", "recurrent cells with attention between them"},
        {HostFamily::transformer, "transformer", "attention all the way"},
    };
    return list;
}

json to_json(const TrainingSettings& settings) {
    return {
        {"task", settings.task},
        {"architecture",
         to_word(settings.model.is_recurrent() ? HostFamily::recurrent : HostFamily::transformer)},
        {"configuration", std::visit([](const auto& each) { return to_json(each); }, settings.model)},
        {"training",
         {{"seed", settings.seed},
          {"batch", settings.batch},
          {"parts", settings.parts},
          {"steps", settings.steps},
          {"schedule", to_json(settings.schedule)},
          {"adam", to_json(settings.adam)}}},
    };
}

TrainingSettings training_settings_from_json(const json& document) {
    JsonObject object(document, model_document);
    TrainingSettings settings;
    object.required("task", "what the model was trained on");
    settings.task = object.text("task", {});
    try {
        task(settings.task);
    } catch (const Error& error) {
        throw error.within(object.pointer("task"));
    }
    object.required("architecture", list_of(spellings<HostFamily>()));
    if (object.word("architecture", HostFamily::recurrent) == HostFamily::recurrent)
        settings.model = recurrent_from_json(object.object("configuration"));
    else
        settings.model = transformer_from_json(object.object("configuration"));
    check_read(settings.model, object.pointer("configuration"));
    JsonObject training = object.object("training");
    settings.seed = training.unsigned_integer("seed", settings.seed);
    settings.batch = training.integer("batch", settings.batch, 1, largest_batch);
    // Each is a thread, and the OpenMP runtime dies of more than it can begin.
    settings.parts = training.integer("parts", settings.parts, 1, std::min(settings.batch, most_parts));
    settings.steps = training.integer("steps", settings.steps, 0, most_steps);
    settings.schedule = schedule_from_json(training.object("schedule"));
    settings.adam = adam_from_json(training.object("adam"));
    for (const char* field : training_record_fields)
        training.find(field);
    training.refuse_other_fields();
    return settings;
}

namespace {

std::shared_ptr<const TaskModel> require_size(std::shared_ptr<const TaskModel> model) {
    const Index size = model->host->layout().size();
    if (size > most_weights)
        throw Error({model_document, "/configuration", "at most " + std::to_string(most_weights) + " weights",
                     std::to_string(size)});
    return model;
}

}  // namespace

std::shared_ptr<const TaskModel> model_of(const TrainingSettings& settings) {
    return require_size(std::make_shared<const TaskModel>(task(settings.task), settings.model));
}

std::shared_ptr<const TaskModel> model_of(const TrainingSettings& settings, Vocabulary source,
                                          Vocabulary target) {
    return require_size(std::make_shared<const TaskModel>(task(settings.task), settings.model,
                                                          std::move(source), std::move(target)));
}

}  // namespace headlight
