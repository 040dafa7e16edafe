#include "core/io/capture_file.h"

#include "core/attention/lazy_maps.h"
#include "core/io/all_maps.h"
#include "core/io/axis_names.h"
#include "core/io/capture_arrays.h"
#include "core/io/capture_kinds.h"
#include "core/io/capture_names.h"
#include "core/io/capture_parts.h"
#include "core/io/capture_vectors.h"
#include "core/io/doubted_weights.h"
#include "core/io/figure_npz.h"
#include "core/io/files.h"
#include "core/io/headvis_tree.h"
#include "core/io/map_table.h"
#include "core/io/safetensors_view.h"
#include "core/map/joined_maps.h"
#include "core/map/site_name.h"
#include "core/tensor/error.h"
#include "core/tensor/words.h"
#include "core/text/utf8_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace headlight {

namespace fs = std::filesystem;

namespace {

std::string quoted_name(const std::string& name) { return '"' + excerpt(name) + '"'; }

/// `"hidden_states", "logits", "loss" and 3 others`
std::string names_in_words(const std::vector<std::string>& names) {
    constexpr std::size_t most_named = 3;
    std::vector<std::string> named;
    for (std::size_t i = 0; i < names.size() && i < most_named; ++i)
        named.push_back(quoted_name(names[i]));
    return list_with_others(named, names.size() - named.size());
}

MapAxes axes_of_array(const FoundArray& array, ArrayPart part, const AxesNotes& notes) {
    try {
        return named_axes(array.shape, part, notes);
    } catch (const Error& error) {
        throw error.within(array_place(array));
    }
}

/// ", text 2 of the batch": what was chosen of several, counted from 1.
std::string chosen_in_words(const MapAxes& axes, const Shape& shape) {
    std::string text;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (axes.names[axis] == MapAxis::batch && shape[axis] > 1)
            text += ", text " + std::to_string(axes.batch + 1) + " of the batch";
        if (axes.names[axis] == MapAxis::window && shape[axis] > 1)
            text += ", window " + std::to_string(axes.window + 1);
    }
    return text;
}

std::shared_ptr<const MapSource> maps_in(const FoundArray& array, const MapAxes& axes) {
    return stored_maps(layout_of(array.shape, axes, array.order), array.bytes, array.begin, *array.type);
}

std::vector<std::string> sites_of_layers(const std::string& name, const std::vector<Index>& layers) {
    std::vector<std::string> sites;
    sites.reserve(layers.size());
    for (const Index layer : layers)
        sites.push_back(site_of(name, layer));
    return sites;
}

/// What a layer has, or all layers where the arrays have them: one array, or one for each of its heads.
std::shared_ptr<const MapSource> layer_in(const FoundKind& kind, std::size_t layer, const MapAxes& axes) {
    std::vector<std::shared_ptr<const MapSource>> heads;
    for (std::size_t head = 0; head < kind.heads; ++head)
        heads.push_back(maps_in(*kind.arrays[layer * kind.heads + head], axes));
    if (heads.size() == 1)
        return heads.front();
    return std::make_shared<JoinedMaps>(std::move(heads), JoinedMaps::Axis::head);
}

/// `"arr_0" to "arr_2" [2, 6, 6]`: arrays that are alike.
std::string shown_arrays(std::span<const FoundArray* const> arrays) {
    const std::string first = arrays.front()->name;
    return (first.empty() ? "" : quoted_name(first) + ' ') +
           (arrays.size() == 1 ? "" : "to " + quoted_name(arrays.back()->name) + ' ') +
           to_string(arrays.front()->shape);
}

/// The labels of maps. A refusal says which axes were taken for those of tokens, unless somebody said so:
/// they may be others.
TokenLabels labels_of_maps(const CaptureNotes& notes, const std::string& name, const std::string& words,
                           const MapSource& maps, const MapAxes& axes) {
    try {
        return notes.labels.of(name, words, maps.extents());
    } catch (const Error& error) {
        if (!notes.axes.names.empty())
            throw;
        const auto& [what, where, expected, got] = error.detail();
        throw Error({what, where, expected,
                     got + " (its axes are taken for " + to_string(axes) + "; " + notes.axes.file +
                         R"( can name others as "axes"))"});
    }
}

/// What one array has, which may be several layers, or one for each head.
void add_array(const FoundKind& kind, const std::string& name, const CaptureNotes& notes, Capture& to) {
    const FoundArray& array = *kind.arrays.front();
    const MapAxes axes = axes_of_array(array, kind.part(), notes.axes);
    LabelledMaps maps{name, layer_in(kind, 0, axes), {}};
    maps.tokens =
        labels_of_maps(notes, kind.heads == 1 ? array.name : kind.name, kind.words, *maps.maps, axes);
    const std::vector<Index>& layers = notes.layers.of(kind.name, maps.maps->extents().layers);
    maps.sites = sites_of_layers(name, layers);
    to.add(std::move(maps),
           shown_arrays(kind.arrays) +
               (kind.heads == 1 ? " is " : " are " + std::to_string(kind.heads) + " heads, each ") +
               to_string(axes) + chosen_in_words(axes, array.shape) +
               (layers.empty() ? "" : ", of " + layers_in_words(layers)));
}

/// The layers `first` to before `end`, whose arrays are alike.
void add_alike(const FoundKind& kind, std::size_t first, std::size_t end, const std::vector<Index>& numbers,
               const std::string& name, const CaptureNotes& notes, Capture& to) {
    const std::span arrays = std::span(kind.arrays).subspan(first * kind.heads, (end - first) * kind.heads);
    const FoundArray& array = *arrays.front();
    const MapAxes axes = axes_of_array(array, kind.part(), notes.axes);
    std::vector<std::shared_ptr<const MapSource>> layers;
    std::vector<Index> own;
    for (std::size_t at = first; at < end; ++at) {
        layers.push_back(layer_in(kind, at, axes));
        own.push_back(numbers[at]);
    }
    const auto joined = std::make_shared<JoinedMaps>(std::move(layers), JoinedMaps::Axis::layer);
    const bool is_one = arrays.size() == 1;
    to.add({name, joined, labels_of_maps(notes, kind.name, kind.words, *joined, axes),
            sites_of_layers(name, own)},
           shown_arrays(arrays) + (is_one ? " is " : " are ") + layers_in_words(own) +
               (kind.heads == 1 ? "" : " of " + std::to_string(kind.heads) + " heads") +
               (is_one ? ", " : ", each ") + to_string(axes) + chosen_in_words(axes, array.shape));
}

/// Calls `take` with the first layer of each run of layers that are alike, and the one behind its last. An
/// array that is a map of its own counts as a layer.
template <class Take>
void for_each_run(const FoundKind& kind, const Take& take) {
    const std::size_t layers = kind.arrays.size() / kind.heads;
    const auto shape_of = [&](std::size_t layer) { return kind.arrays[layer * kind.heads]->shape; };
    for (std::size_t first = 0; first < layers;) {
        std::size_t end = first + 1;
        while (end < layers && shape_of(end) == shape_of(first))
            ++end;
        take(first, end);
        first = end;
    }
}

/// Layers that are arrays of their own, joined as long as they are alike: the levels of a pyramid have maps
/// of other sizes.
void add_layers(const FoundKind& kind, const std::string& name, const CaptureNotes& notes, Capture& to) {
    const std::vector<Index>& noted = notes.layers.of(kind.name, std::ssize(kind.layers));
    for_each_run(kind, [&](std::size_t first, std::size_t end) {
        add_alike(kind, first, end, noted.empty() ? kind.layers : noted, name, notes, to);
    });
    if (const std::string missing = missing_layers(kind.layers, kind.last_layer);
        noted.empty() && !missing.empty())
        to.reading += " The file lacks " + missing + '.';
}

/// What makes the name of an array a site without layers, in which a dot would set one apart (parse_site()).
std::string site_of_array(std::string name) {
    std::ranges::replace(name, '.', '_');
    return name;
}

/// A few chosen heads, of which layers have other ones: maps of their own, called as their arrays, since the
/// heads of a layer are counted without a gap.
void add_chosen_heads(const FoundKind& kind, const CaptureNotes& notes, const FoundValues& values,
                      Capture& to) {
    for_each_run(kind, [&](std::size_t first, std::size_t end) {
        const std::span arrays = std::span(kind.arrays).subspan(first, end - first);
        const Shape& shape = arrays.front()->shape;
        const MapAxes axes = axes_of_array(*arrays.front(), kind.part(), notes.axes);
        for (const FoundArray* array : arrays) {
            LabelledMaps maps{array->name, maps_in(*array, axes), {}};
            maps.tokens = labels_of_maps(notes, array->name, kind.words, *maps.maps, axes);
            maps.sites = {site_of_array(array->name)};
            give_values(maps, array->name, values);
            to.maps.push_back(std::move(maps));
        }
        to.say(shown_arrays(arrays) +
               (arrays.size() == 1 ? " is one head, "
                                   : " are " + std::to_string(arrays.size()) + " heads, each ") +
               to_string(axes) + chosen_in_words(axes, shape));
    });
    const auto [layer, head] = *kind.lacking;
    to.reading += " The file lacks " + (kind.layers.empty() ? "" : layers_in_words({layer}) + ", ") +
                  "head " + std::to_string(head + 1) + ": each head is called as its array.";
}

/// Whether an array of text has a name that is read as tokens whatever its length is. Others might be
/// anything: they are tokens where some axis of the maps is as long.
bool is_surely_of_tokens(const std::string& name) {
    return name == "tokens" || name == "query_tokens" || name == "key_tokens";
}

/// Tokens that the archive itself has, where nothing beside it has some. Returns the names of their arrays,
/// or of those that the ones beside it replace.
std::vector<std::string> take_tokens(const std::vector<FoundArray>& arrays, CaptureNotes& notes) {
    std::vector<std::string> taken;
    if (!notes.labels.is_empty()) {
        for (const FoundArray& array : arrays)
            if (labelled_axis(array.name))
                taken.push_back(array.name);
        return taken;
    }
    CaptureLabels::Axes axes;
    for (const FoundArray& array : arrays) {
        const auto axis = labelled_axis(array.name);
        if (!axis || array.texts.empty())
            continue;
        const Index count = array.shape.empty() ? 1 : array.shape.back(),
                    texts = std::ssize(array.texts) / count;
        const bool is_sure = is_surely_of_tokens(array.name);
        if (!is_sure && std::ranges::none_of(arrays, [&](const FoundArray& maps) {
                return may_be_maps(maps) && std::ranges::count(maps.shape, count) > 0;
            }))
            continue;
        const Index text = texts == 1 ? 0 : notes.axes.batch.value_or(texts);
        if (text >= texts)
            throw Error({"read capture", array_place(array),
                         "the tokens of one text, or which of them it is, as " + notes.axes.file +
                             R"( says it: {"choose": {"batch": 0}})",
                         to_string(array.shape)});
        const auto begin = array.texts.begin() + text * count;
        const std::vector<std::string> tokens(begin, begin + count);
        if (*axis != LabelledAxis::key && (is_sure || axes.query.empty()))
            axes.query = tokens;
        if (*axis != LabelledAxis::query && (is_sure || axes.key.empty()))
            axes.key = tokens;
        taken.push_back(array.name);
    }
    notes.labels = {std::move(axes), {}};
    return taken;
}

/// Layers that are counted from 1, as they are counted from 0; empty unless they are whole and rise.
std::vector<Index> layers_from_one(const std::vector<double>& numbers) {
    constexpr double largest = 100'000;
    std::vector<Index> layers;
    for (const double number : numbers) {
        if (!(number >= 1 && number <= largest && number == std::floor(number)) ||
            (!layers.empty() && static_cast<Index>(number) - 1 <= layers.back()))
            return {};
        layers.push_back(static_cast<Index>(number) - 1);
    }
    return layers;
}

/// The names and numbers that maps_npz() has written beside its arrays; nothing where an array lacks them.
std::optional<CaptureNotes> notes_of_all_maps(const std::vector<FoundArray>& arrays) {
    std::map<std::string, CaptureLabels::Axes> labels;
    CaptureNotes notes;
    for (const FoundArray& array : arrays) {
        if (!may_be_maps(array))
            continue;
        const std::string prefix = prefix_in_all_maps(array.name);
        const auto* queries = texts_called(arrays, prefix + "queries");
        const auto* keys = texts_called(arrays, prefix + "keys");
        constexpr std::size_t axes = 4;
        if (!queries || !keys || array.shape.size() != axes || std::ssize(*queries) != array.shape[2] ||
            std::ssize(*keys) != array.shape[3])
            return std::nullopt;
        const TokenLabels read = labels_read(*queries, *keys);
        labels[array.name] = {read.query, read.key.empty() ? read.query : read.key};
        if (const std::vector<Index> layers = layers_from_one(numbers_called(arrays, prefix + "layers"));
            std::ssize(layers) == array.shape[0])
            notes.layers.by_name[array.name] = layers;
    }
    notes.labels = {{}, std::move(labels)};
    return notes.labels.is_empty() ? std::nullopt : std::optional(std::move(notes));
}

/// What is said of arrays that are neither maps nor tokens nor a None; empty where there are none.
std::string passed_over_in_words(const std::vector<FoundArray>& all, const MapsAmong& maps,
                                 const std::vector<std::string>& tokens) {
    std::vector<std::string> names = maps.passed_over;
    bool is_pickled = false;
    for (const FoundArray& array : all) {
        const bool is_known = stands_for_none(array) ||
                              std::ranges::count(maps.arrays, array.name, &FoundArray::name) > 0 ||
                              std::ranges::count(maps.passed_over, array.name) > 0 ||
                              std::ranges::count(tokens, array.name) > 0;
        if (is_known)
            continue;
        names.push_back(array.name);
        is_pickled |= array.is_pickled();
    }
    if (names.empty())
        return {};
    return " Passed over: " + names_in_words(names) + '.' +
           (is_pickled
                ? " Objects of Python are pickled, which is not read: np.array(tokens, dtype=str) is text."
                : "");
}

Capture captured_weights(const std::vector<FoundArray>& all, const FoundValues& values,
                         const CaptureNotes& notes, bool keeps_kinds) {
    const MapsAmong found = maps_among(all, notes.axes);
    const std::vector<FoundKind> kinds = kinds_among(found.arrays, all, notes.axes);
    Capture capture;
    for (const FoundKind& kind : kinds) {
        if (kind.lacking) {
            add_chosen_heads(kind, notes, values, capture);
            continue;
        }
        const bool is_unnamed = keeps_kinds ? prefix_in_all_maps(kind.name).empty() : kinds.size() == 1;
        const std::string name = is_unnamed ? "" : kind.name;
        if (kind.layers.empty())
            add_array(kind, name, notes, capture);
        else
            add_layers(kind, name, notes, capture);
        give_values(capture.maps.back(), kind.layers.empty() ? kind.arrays.front()->name : kind.name, values);
    }
    return capture;
}

/// What is said of a capture behind what it is: arrays that were passed over, and numbers that may be none of
/// weights.
std::string remarks_on(const Capture& capture, const std::vector<FoundArray>& all, const CaptureNotes& notes,
                       const std::vector<std::string>& tokens) {
    const std::string doubt = doubted_weights(*capture.maps.front().maps);
    return passed_over_in_words(all, maps_among(all, notes.axes), tokens) +
           (doubt.empty() ? "" : ' ' + doubt);
}

Capture capture_of(const std::shared_ptr<const StoredBytes>& file, std::string_view extension,
                   CaptureNotes notes) {
    std::vector<FoundArray> all = arrays_of_capture(file, extension);
    const bool says_nothing = notes.labels.is_empty() && notes.axes.names.empty();
    if (says_nothing)
        if (auto figure = maps_in_figure_npz(all))
            return std::move(*figure);
    const std::optional<CaptureNotes> own = says_nothing ? notes_of_all_maps(all) : std::nullopt;
    if (own) {
        notes.labels = own->labels;
        notes.layers = own->layers;
    }
    const std::vector<std::string> named_tokens = take_tokens(all, notes);
    const FoundValues values = taken_values(all);
    Capture capture;
    if (has_queries_and_keys(all)) {
        auto maps = recomputed_maps(all, notes);
        const MapSource::Extents& extents = maps->extents();
        TokenLabels tokens = notes.labels.of("", "", extents);
        capture.add({"", maps, std::move(tokens), sites_of_layers("", notes.layers.of("q", extents.layers))},
                    vectors_in_words(all));
    } else if (notes.implied) {
        throw Error({"read capture", "", "arrays q and k, as the terms say", arrays_in_words(all)});
    } else {
        capture = captured_weights(all, values, notes, own.has_value());
        if (!own)
            capture.reading += remarks_on(capture, all, notes, named_tokens);
    }
    if (capture.maps.size() == 1)
        give_values(capture.maps.front(), "", values);
    return capture;
}

}  // namespace

std::vector<LabelledMaps> parse_capture(const std::shared_ptr<const StoredBytes>& file,
                                        std::string_view extension, const CaptureNotes& notes) {
    return capture_of(file, extension, notes).maps;
}

fs::path captured_file(const fs::path& path) {
    if (!is_headvis_tree(path))
        return path;
    const HeadVisTree tree = read_headvis_tree(path);
    return headvis_head_file(tree, tree.heads.front());
}

std::vector<fs::path> captured_files(const fs::path& path) {
    if (!is_capture(path))
        return {path};
    if (const fs::path head = captured_file(path); head != path || is_headvis_head(path))
        return {head};
    std::vector<fs::path> files;
    for (const fs::path& part : part_files(path)) {
        files.push_back(part);
        files.push_back(notes_file(part));
    }
    return files;
}

Capture open_capture(const fs::path& path) {
    if (const fs::path head = captured_file(path); head != path || is_headvis_head(path))
        return {read_headvis_head(head), {}};
    if (extension_of(path) == ".csv") {
        Capture table;
        table.maps = in_file(path.string(), [&] { return read_map_table(path); });
        table.reading = "A table of weights, with their tokens.";
        return table;
    }
    std::vector<CapturePart> parts;
    for (const fs::path& part : part_files(path)) {
        const auto file = std::make_shared<const FileBytes>(part);  // whose refusals name it already
        parts.push_back(in_file(part.string(), [&] {
            const CaptureNotes notes = notes_beside(part);
            return CapturePart{capture_of(file, extension_of(part), notes), notes.parts_along};
        }));
    }
    return parts.size() == 1 ? std::move(parts.front().capture)
                             : in_file(path.string(), [&] { return joined_parts(parts); });
}

std::vector<LabelledMaps> read_capture(const fs::path& path) { return open_capture(path).maps; }

bool has_large_maps(const fs::path& path) try {
    const std::string extension = extension_of(path);
    if (extension != ".npz" && extension != ".npy" && extension != ".safetensors")
        return false;
    const std::vector<FoundArray> arrays =
        arrays_of_capture(std::make_shared<const FileBytes>(path), extension, Compressed::passed_over);
    const bool are_vectors = has_queries_and_keys(arrays);
    return std::ranges::any_of(arrays, [&](const FoundArray& array) {
        if (!may_be_maps(array))
            return false;
        const Index rows = array.shape[array.shape.size() - 2], columns = array.shape.back();
        return static_cast<double>(rows) * static_cast<double>(are_vectors ? rows : columns) >
               static_cast<double>(LazyMaps::most_kept);
    });
} catch (const Error&) {
    return false;
}

bool is_capture(const fs::path& path) try {
    if (is_headvis_tree(path) || is_headvis_head(path))
        return true;
    const std::string extension = extension_of(path);
    if (extension == ".json") {
        constexpr std::size_t most_tokens = std::size_t(1) << 20;  // of text before the weights
        const FileBytes file(path);
        const std::string bytes = file.text(0, std::min<std::size_t>(file.size(), most_tokens));
        const std::string_view begin = without_byte_order_mark(bytes);
        const std::size_t first = begin.find_first_not_of(" \t\r\n");
        if (first == std::string::npos || begin[first] == '[')
            return first != std::string::npos;
        return begin.find("\"headlight-") == std::string::npos && is_object_of_weights(begin);
    }
    if (extension == ".safetensors") {
        const SafetensorsHeader header = read_safetensors_header(FileBytes(path));
        const auto format = header.metadata().find("format");
        const bool is_ours = format != header.metadata().end() && format->second.starts_with("headlight-");
        return !is_ours && std::ranges::any_of(header.entries(), [](const auto& named) {
            return named.second.shape.size() >= 3 && !named.first.ends_with(".weight");
        });
    }
    return extension == ".npz" || extension == ".npy" || is_map_table(path);
} catch (const Error&) {
    return false;
}

}  // namespace headlight
