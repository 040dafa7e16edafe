#include "core/io/capture_notes.h"

#include "core/attention/json_object.h"
#include "core/io/files.h"
#include "core/io/json_text.h"
#include "core/io/tensor_json.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <limits>
#include <regex>

namespace headlight {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* notes_document = "read notes of a capture";

CaptureLabels::Axes labels_from(JsonObject object) {
    CaptureLabels::Axes axes;
    axes.query = axes.key = object.texts("tokens");
    if (object.find("query_tokens") || object.find("key_tokens")) {
        axes.query = object.texts("query_tokens");
        axes.key = object.texts("key_tokens");
    }
    return axes;
}

/// As notebooks of bertviz say it.
std::map<std::string, CaptureLabels::Axes> views_from(JsonObject object) {
    std::map<std::string, CaptureLabels::Axes> views;
    const json* given = object.find("views");
    if (!given)
        return views;
    if (!given->is_object())
        object.refuse("views", "an object with the labels of each array", describe(*given));
    for (const auto& [name, value] : given->items()) {
        JsonObject view(value, notes_document, pointer_to(object.pointer("views"), name));
        views[name] = {view.texts("left_text"), view.texts("right_text")};
    }
    return views;
}

// Axes

AxesNotes axes_notes_from(JsonObject& object) {
    AxesNotes notes;
    for (const std::string& word : object.texts("axes")) {
        const auto axis = value_of<MapAxis>(word);
        if (!axis)
            object.refuse("axes", list_of(spellings<MapAxis>()),
                          quoted_with_hint(word, spellings<MapAxis>()));
        notes.names.push_back(*axis);
    }
    JsonObject choice = object.object("choose");
    constexpr Index largest = std::numeric_limits<Index>::max();
    notes.batch = choice.optional_integer("batch", 0, largest);
    notes.window = choice.optional_integer("window", 0, largest);
    choice.refuse_other_fields();
    return notes;
}

std::vector<Index> layer_numbers(JsonObject& object, const std::string& key, const json& list) {
    constexpr Index largest = 99'999;
    std::vector<Index> numbers;
    for (const json& number : list) {
        const bool rises = number.is_number_integer() && number >= 0 && number <= largest &&
                           (numbers.empty() || numbers.back() < number.get<Index>());
        if (!rises)
            object.refuse(key, "numbers of layers from 0 that rise", describe(number));
        numbers.push_back(number.get<Index>());
    }
    return numbers;
}

/// A list for all arrays, or one for each by its name.
LayerNumbers layer_numbers_from(JsonObject& object) {
    static const std::string key = "layer_numbers";
    LayerNumbers layers;
    const json* given = object.find(key);
    if (!given || given->is_null())
        return layers;
    if (given->is_array()) {
        layers.everywhere = layer_numbers(object, key, *given);
        return layers;
    }
    if (!given->is_object())
        object.refuse(key, "a list of numbers, or an object with one for each array", describe(*given));
    for (const auto& [name, list] : given->items()) {
        if (!list.is_array())
            object.refuse(key, "a list of numbers for \"" + excerpt(name) + '"', describe(list));
        layers.by_name[name] = layer_numbers(object, key, list);
    }
    return layers;
}

// Terms

/// A window for each layer, or one for all.
std::vector<std::optional<Index>> windows_from(JsonObject& terms) {
    const json* given = terms.find("window");
    if (!given || given->is_null())
        return {};
    const auto window = [&](const json& value) -> std::optional<Index> {
        if (value.is_null())
            return std::nullopt;
        // An unsigned number above Index's range turns negative.
        if (!value.is_number_integer() || value.get<Index>() < 1)
            terms.refuse("window", "null, a number of tokens from 1, or a list of these, one a layer",
                         describe(value));
        return value.get<Index>();
    };
    std::vector<std::optional<Index>> windows;
    if (!given->is_array())
        return {window(*given)};
    for (const json& each : *given)
        windows.push_back(window(each));
    return windows;
}

/// [layer, head], or [head] of a single layer.
std::vector<std::vector<double>> sinks_from(JsonObject& terms) {
    const json* given = terms.find("sinks");
    if (!given || given->is_null())
        return {};
    const Tensor sinks = tensor_from_json(*given, notes_document, terms.pointer("sinks"));
    const Index layers = sinks.rank() == 2 ? sinks.rows() : 1,
                heads = sinks.size() / std::max<Index>(layers, 1);
    std::vector<std::vector<double>> rows;
    for (Index layer = 0; layer < layers; ++layer) {
        const auto row =
            sinks.values().subspan(static_cast<std::size_t>(layer * heads), static_cast<std::size_t>(heads));
        rows.emplace_back(row.begin(), row.end());
    }
    return rows;
}

double scale_from(JsonObject& terms) {
    terms.required("scale", "what q . k is multiplied by");
    return terms.number("scale", 1);
}

/// Reads what a linear layer implies: what belongs to a softmax is refused where it is said.
ImpliedNotes implied_from(JsonObject& object) {
    ImpliedNotes notes;
    notes.terms.scale = scale_from(object);
    notes.terms.causal = object.boolean("causal", false);
    notes.terms.normalised = object.boolean("normalised", false);
    if (const json* given = object.find("decay"); given && !given->is_null()) {
        const std::string form = object.text("decay", "");
        if (form != "factor" && form != "log")
            object.refuse("decay", R"("factor" or "log", what the array "decay" has, or null)",
                          '"' + excerpt(form) + '"');
        notes.decay = form == "factor" ? Decay::Form::factor : Decay::Form::logarithm;
    }
    for (const char* of_softmax : {"window", "softcap", "sinks"})
        if (const json* given = object.find(of_softmax); given && !given->is_null())
            object.refuse(of_softmax, R"(none beside "weights": "implied", which have no softmax)",
                          describe(*given));
    object.refuse_other_fields();
    return notes;
}

QueryKeyTerms terms_from(JsonObject& object) {
    QueryKeyTerms terms;
    terms.scale = scale_from(object);
    terms.causal = object.boolean("causal", false);
    terms.windows = windows_from(object);
    terms.softcap = object.optional_number("softcap");
    if (terms.softcap && !(*terms.softcap > 0))
        object.refuse("softcap", "a number above 0, or null", json(*terms.softcap).dump());
    terms.sinks = sinks_from(object);
    for (const char* of_linear : {"decay", "normalised"})
        if (const json* given = object.find(of_linear); given && !given->is_null())
            object.refuse(of_linear, R"(none without "weights": "implied": after a softmax nothing decays)",
                          describe(*given));
    object.refuse_other_fields();
    return terms;
}

void read_terms(JsonObject object, CaptureNotes& notes) {
    const std::string weights = object.text("weights", "softmax");
    if (weights == "implied")
        notes.implied = implied_from(object);
    else if (weights == "softmax")
        notes.terms = terms_from(object);
    else
        object.refuse("weights", R"("softmax" or "implied")", '"' + excerpt(weights) + '"');
}

void require_one_each(const std::vector<std::string>& labels, Index extent, const std::string& axis,
                      const std::string& name) {
    if (!labels.empty() && std::ssize(labels) != extent)
        throw Error({notes_document, axis,
                     std::to_string(extent) + (extent == 1 ? " token" : " tokens") + ", as " +
                         (name.empty() ? "the array" : "array \"" + excerpt(name) + '"') + " has",
                     std::to_string(labels.size())});
}

/// Returns the notes of attention-0588.json, as the program dodrio has it: sequence "588" of the file of all
/// tokens beside it. The maps go on behind the text: there are padding tokens.
CaptureNotes notes_of_dodrio(const fs::path& capture) {
    static const std::regex name_of_sequence("attention-0*([0-9]+)");
    const fs::path path = capture.parent_path() / "tokens_and_saliency.json";
    const std::string stem = capture.stem().string();
    std::smatch number;
    std::error_code ignored;
    if (!std::regex_match(stem, number, name_of_sequence) || !fs::exists(path, ignored))
        return {};
    return in_file(path.string(), [&]() -> CaptureNotes {
        const JsonDocument document = parse_json(read_document(path));
        JsonObject sequences(*document, notes_document);
        if (!sequences.find(number[1]))
            return {};
        JsonObject sequence = sequences.object(number[1]);
        const json& given = sequence.required("tokens", "a list of tokens");
        if (!given.is_array())
            sequence.refuse("tokens", "a list of tokens", describe(given));
        std::vector<std::string> tokens;
        for (std::size_t at = 0; at < given.size(); ++at)
            tokens.push_back(JsonObject(given[at], notes_document, pointer_to(sequence.pointer("tokens"), at))
                                 .text("token", ""));
        CaptureNotes notes;
        notes.labels = {{tokens, tokens}, {}, "[PAD]"};
        return notes;
    });
}

}  // namespace

void CaptureLabels::fill_up(std::vector<std::string>& labels, Index extent) const {
    if (!padding_.empty() && !labels.empty() && std::ssize(labels) < extent)
        labels.resize(static_cast<std::size_t>(extent), padding_);
}

TokenLabels CaptureLabels::of(const std::string& name, const std::string& kind,
                              const MapSource::Extents& extents) const {
    Axes axes = everywhere_;
    if (const auto own = by_name_.find(name); own != by_name_.end())
        axes = own->second;
    else if (by_name_.size() == 1 && everywhere_.query.empty() && everywhere_.key.empty())
        axes = by_name_.begin()->second;
    else if (kind == "encoder" && !axes.key.empty())
        axes.query = axes.key;
    else if (kind == "decoder" && !axes.query.empty())
        axes.key = axes.query;
    fill_up(axes.query, extents.queries);
    fill_up(axes.key, extents.keys);
    require_one_each(axes.query, extents.queries, "tokens of the queries", name);
    require_one_each(axes.key, extents.keys, "tokens of the keys", name);
    const bool is_one_text = kind != "cross" && axes.key == axes.query;
    return {axes.query, is_one_text ? std::vector<std::string>() : axes.key, {}, {}};
}

const std::vector<Index>& LayerNumbers::of(const std::string& name, Index layers) const {
    const auto own = by_name.find(name);
    const std::vector<Index>& numbers = own == by_name.end() ? everywhere : own->second;
    if (!numbers.empty() && std::ssize(numbers) != layers)
        throw Error({notes_document, "/layer_numbers",
                     std::to_string(layers) + (layers == 1 ? " number" : " numbers") + ", as " +
                         (name.empty() ? "the array" : "array \"" + excerpt(name) + '"') + " has layers",
                     std::to_string(numbers.size())});
    return numbers;
}

CaptureNotes parse_capture_notes(std::string_view text) {
    const JsonDocument document = parse_json(text, {.repeated_fields = true});
    CaptureNotes notes;
    if (document->is_array()) {  // the tokens alone
        notes.labels = {labels_from(JsonObject(json::object({{"tokens", *document}}), notes_document)), {}};
        return notes;
    }
    JsonObject object(*document, notes_document);
    notes.labels = {labels_from(object), views_from(object)};
    notes.axes = axes_notes_from(object);
    notes.layers = layer_numbers_from(object);
    const std::string parts = object.text("parts", "head");
    if (parts != "head" && parts != "layer")
        object.refuse("parts", "\"head\" or \"layer\"", '"' + excerpt(parts) + '"');
    notes.parts_along = parts == "head" ? JoinedMaps::Axis::head : JoinedMaps::Axis::layer;
    if (object.find("terms"))
        read_terms(object.object("terms"), notes);
    return notes;
}

fs::path notes_file(const fs::path& capture) {
    fs::path path = capture;
    return path.replace_extension(capture.extension() == ".json" ? ".tokens.json" : ".json");
}

CaptureNotes notes_beside(const fs::path& capture) {
    const fs::path path = notes_file(capture);
    std::error_code ignored;
    CaptureNotes notes;
    if (fs::exists(path, ignored))
        notes = in_file(path.string(), [&] { return parse_capture_notes(read_document(path)); });
    else if (capture.extension() == ".json")
        notes = notes_of_dodrio(capture);
    notes.axes.file = path.filename().string();
    return notes;
}

}  // namespace headlight
