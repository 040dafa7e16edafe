#include "core/io/capture_axes.h"

#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {
namespace {

/// The words that choose one of an axis, or the meaning of all, as they are written into the notes.
std::string as_notes(const std::vector<MapAxis>& names, std::optional<MapAxis> chosen) {
    std::string text = "{";
    if (!names.empty()) {
        std::vector<std::string> words;
        for (const MapAxis axis : names)
            words.push_back('"' + to_word(axis) + '"');
        text += R"("axes": [)";
        for (std::size_t i = 0; i < words.size(); ++i)
            text += (i == 0 ? "" : ", ") + words[i];
        text += ']';
    }
    if (chosen)
        text += std::string(names.empty() ? "" : ", ") + R"("choose": {")" + to_word(*chosen) + R"(": 0})";
    return text + '}';
}

[[noreturn]] void refuse(const std::string& expected, const Shape& shape) {
    throw Error({"name axes", "", expected, to_string(shape)});
}

/// Names that a person gave: each once, a query and a key among them.
void require_meaning(const std::vector<MapAxis>& names, const Shape& shape) {
    for (const MapAxis axis : names)
        if (std::ranges::count(names, axis) > 1)
            refuse("each axis once, not \"" + to_word(axis) + "\" again", shape);
    for (const MapAxis axis : {MapAxis::query, MapAxis::key})
        if (std::ranges::count(names, axis) == 0)
            refuse("an axis \"" + to_word(axis) + '"', shape);
    if (names.size() != shape.size())
        refuse("an array of " + std::to_string(names.size()) + " axes, " + to_string(MapAxes{names}), shape);
}

/// An array of four axes whose name says that it is one layer: transformers give [batch, head, query, key],
/// Swin [window, head, query, key].
std::vector<MapAxis> axes_of_layer(const Shape& shape, const AxesNotes& notes) {
    using enum MapAxis;
    if (notes.window)
        return {window, head, query, key};
    if (notes.batch || shape[0] == 1)
        return {batch, head, query, key};
    refuse("one text, as it is said in " + notes.file + ": of a batch " + as_notes({}, batch) +
               ", of windows " + as_notes({}, window) +
               " (any number from 0), or, where each array has layers, " +
               as_notes({layer, head, query, key}, {}),
           shape);
}

std::vector<MapAxis> axes_of_five(const Shape& shape, bool is_layer, const AxesNotes& notes) {
    using enum MapAxis;
    if (is_layer && shape[0] == 1 && shape[1] == 1)
        return {batch, window, head, query, key};
    const MapAxis chosen = notes.window ? window : batch;
    if (!is_layer && shape[1] == 1)
        return {layer, chosen, head, query, key};
    if (!is_layer && shape[0] == 1)
        return {chosen, layer, head, query, key};
    refuse("what its axes are, as it is said in " + notes.file + ": " +
               as_notes({layer, chosen, head, query, key}, chosen) + ", " +
               as_notes({chosen, layer, head, query, key}, chosen) + " or the like",
           shape);
}

/// An array of three axes or four whose name says that it is one head: what stands before its map is 1, or of
/// a batch or of windows.
std::vector<MapAxis> axes_of_head(const Shape& shape, const AxesNotes& notes) {
    using enum MapAxis;
    const MapAxis chosen = notes.window ? window : batch;
    if (shape.size() == 3 && (shape[0] == 1 || notes.batch || notes.window))
        return {chosen, query, key};
    if (shape.size() == 4 && shape[1] == 1 && (shape[0] == 1 || notes.batch || notes.window))
        return {chosen, head, query, key};
    refuse("a map [query, key], as its name says one head, or what its axes are, as it is said in " +
               notes.file + ": " + as_notes({layer, query, key}, {}) + ", " +
               as_notes({head, query, key}, {}) + " or the like",
           shape);
}

std::vector<MapAxis> names_of(const Shape& shape, ArrayPart part, const AxesNotes& notes) {
    using enum MapAxis;
    if (!notes.names.empty()) {
        require_meaning(notes.names, shape);
        return notes.names;
    }
    if (part == ArrayPart::head && shape.size() > 2)
        return axes_of_head(shape, notes);
    const bool is_layer = part == ArrayPart::layer;
    const bool has_chosen = notes.batch || notes.window;
    const MapAxis chosen = notes.window ? window : batch;
    switch (shape.size()) {
    case 2:
        return {query, key};
    case 3:
        return {has_chosen ? chosen : head, query, key};
    case 4:
        return is_layer || has_chosen ? axes_of_layer(shape, notes)
                                      : std::vector<MapAxis>{layer, head, query, key};
    case 5:
        return axes_of_five(shape, is_layer, notes);
    default:
        refuse("an array [layer, head, query, key], or what its axes are, as it is said in " + notes.file +
                   ": " + as_notes({layer, head, query, key}, {}) + " or the like",
               shape);
    }
}

/// Which one of an axis is read: the only one, or the one that was chosen.
Index chosen_of(MapAxis axis, const MapAxes& axes, const Shape& shape, const std::optional<Index>& chosen,
                const AxesNotes& notes) {
    const auto found = std::ranges::find(axes.names, axis);
    if (found == axes.names.end())
        return 0;
    const Index extent = shape[static_cast<std::size_t>(found - axes.names.begin())];
    if (!chosen && extent > 1)
        refuse("which of the " + std::to_string(extent) + " along \"" + to_word(axis) + "\" is read of " +
                   to_string(axes) + ", as it is said in " + notes.file + ": " + as_notes({}, axis),
               shape);
    if (chosen && *chosen >= extent)
        refuse('"' + to_word(axis) + "\" from 0 to " + std::to_string(extent - 1) + " in " + notes.file +
                   ", not " + std::to_string(*chosen),
               shape);
    return chosen.value_or(0);
}

}  // namespace

template <>
std::span<const Word<MapAxis>> words() {
    using enum MapAxis;
    static constexpr Word<MapAxis> list[] = {{layer, "layer", "layers of the model"},
                                             {batch, "batch", "texts that ran together"},
                                             {window, "window", "parts of a picture that attend apart"},
                                             {head, "head", "heads of a layer"},
                                             {query, "query", "who looks"},
                                             {key, "key", "what is looked at"}};
    return list;
}

MapAxes named_axes(const Shape& shape, ArrayPart part, const AxesNotes& notes) {
    MapAxes axes{names_of(shape, part, notes)};
    axes.batch = chosen_of(MapAxis::batch, axes, shape, notes.batch, notes);
    axes.window = chosen_of(MapAxis::window, axes, shape, notes.window, notes);
    return axes;
}

std::string to_string(const MapAxes& axes) {
    std::string text;
    for (const MapAxis axis : axes.names)
        text += (text.empty() ? "" : ", ") + to_word(axis);
    return '[' + text + ']';
}

MapLayout layout_of(const Shape& shape, const MapAxes& axes, ArrayOrder order) {
    using enum MapAxis;
    MapLayout layout;
    layout.extents = {1, 1, 1, 1};
    Index step = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const std::size_t axis = order == ArrayOrder::c ? shape.size() - 1 - i : i;
        const auto count = [&](Index& extent, Index& distance) {
            extent = shape[axis];
            distance = step;
        };
        switch (axes.names[axis]) {
        case layer:
            count(layout.extents.layers, layout.layer);
            break;
        case head:
            count(layout.extents.heads, layout.head);
            break;
        case query:
            count(layout.extents.queries, layout.query);
            break;
        case key:
            count(layout.extents.keys, layout.key);
            break;
        case batch:
            layout.first += axes.batch * step;
            break;
        case window:
            layout.first += axes.window * step;
            break;
        }
        step *= shape[axis];
    }
    return layout;
}

}  // namespace headlight
