#include "core/io/capture_kinds.h"

#include "core/io/capture_names.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace headlight {
namespace {

constexpr std::size_t axes_of_one_map = 2, most_axes_of_maps = 5;

/// Passes over all arrays that `is_other` holds of, unless it holds of all.
template <class IsOther>
void pass_over(MapsAmong& maps, const IsOther& is_other) {
    if (std::ranges::all_of(maps.arrays, is_other))
        return;
    for (const FoundArray& array : maps.arrays)
        if (is_other(array))
            maps.passed_over.push_back(array.name);
    std::erase_if(maps.arrays, is_other);
}

/// Hard attention, 0 or 1, in whole numbers. Of two axes they would rather be tokens or a mask.
bool may_be_hard_maps(const FoundArray& array) {
    return array.type && !array.is_of_fractions() && array.shape.size() > axes_of_one_map &&
           std::ranges::find(array.shape, Index(0)) == array.shape.end();
}

/// What NumPy makes of a list whose elements differ in their shapes, or are None here and there.
bool is_pickled_list(const FoundArray& array) { return array.is_pickled() && !array.shape.empty(); }

/// What has the same name but for the numbers of a layer and a head.
struct Family {
    std::map<MapPlace, const FoundArray*> arrays;
    std::size_t maps = 0, nones = 0;
    Index last_layer = 0;

    /// Whether the name stands for layers or heads: there are several arrays, or it says so itself. "arr_1"
    /// and "arr_01" would be one layer.
    bool is_of_places(const ArrayName& name) const {
        return arrays.size() == maps && (!is_alone() || (name.layer && name.is_layer_alone));
    }
    bool is_alone() const { return maps + nones == 1; }
};

Family family_of(const ArrayName& name, const std::vector<FoundArray>& maps,
                 const std::vector<FoundArray>& all) {
    Family family;
    const auto place_named = [&](const FoundArray& array) -> std::optional<MapPlace> {
        const ArrayName other = parse_array_name(array.name);
        if (other.family != name.family || (!other.layer && !other.head))
            return std::nullopt;
        return MapPlace{other.layer.value_or(0), other.head.value_or(0)};
    };
    for (const FoundArray& array : maps)
        if (const auto place = place_named(array)) {
            family.arrays.emplace(*place, &array);
            family.last_layer = std::max(family.last_layer, place->layer);
            ++family.maps;
        }
    for (const FoundArray& array : all)
        if (const auto place = stands_for_none(array) ? place_named(array) : std::nullopt) {
            family.last_layer = std::max(family.last_layer, place->layer);
            ++family.nones;
        }
    return family;
}

/// The first head that one of the layers lacks, of as many as are counted from 0; nothing where each has all.
std::optional<MapPlace> first_lacking(const Family& family, const std::vector<Index>& layers, Index heads) {
    for (const Index layer : layers)
        for (Index head = 0; head < heads; ++head)
            if (!family.arrays.contains(MapPlace{layer, head}))
                return MapPlace{layer, head};
    return std::nullopt;
}

/// Throws Error unless the heads of a layer, which has all of them, are of one shape.
void require_one_shape(const Family& family, Index heads) {
    const Shape* shape = &family.arrays.begin()->second->shape;
    for (const auto& [place, array] : family.arrays) {
        if (place.head == 0)
            shape = &array->shape;
        if (array->shape != *shape)
            throw Error(
                {"read capture", array_place(*array),
                 "maps of the " + std::to_string(heads) + " heads of a layer that are all of one shape",
                 to_string(array->shape) + " of layer " + std::to_string(place.layer + 1) + ", head " +
                     std::to_string(place.head + 1)});
    }
}

FoundKind kind_of_places(const ArrayName& name, const Family& family) {
    FoundKind kind{name.rest, name.kind, {}, {}, family.last_layer};
    Index last_head = 0;
    for (const auto& [place, array] : family.arrays) {
        if (kind.layers.empty() || kind.layers.back() != place.layer)
            kind.layers.push_back(place.layer);
        last_head = std::max(last_head, place.head);
        kind.arrays.push_back(array);
    }
    if (name.head && !family.is_alone()) {
        const Index heads = last_head + 1;
        kind.lacking = first_lacking(family, kind.layers, heads);
        if (!kind.lacking) {
            require_one_shape(family, heads);
            kind.heads = static_cast<std::size_t>(heads);
        }
    }
    if (!name.layer)
        kind.layers.clear();
    return kind;
}

/// Calls kinds by their words, "encoder", where no other has the same.
void name_by_words(std::vector<FoundKind>& kinds) {
    for (FoundKind& kind : kinds)
        if (!kind.words.empty() && std::ranges::count(kinds, kind.words, &FoundKind::words) == 1 &&
            std::ranges::count(kinds, kind.words, &FoundKind::name) == 0)
            kind.name = kind.words;
}

/// `"attn" [2, 3] of <f4`, `an array of objects`.
std::string in_words(const FoundArray& array) {
    const bool is_empty = std::ranges::find(array.shape, Index(0)) != array.shape.end();
    return (array.name.empty() ? "an array" : '"' + excerpt(array.name) + '"') +
           (array.shape.empty() ? "" : ' ' + to_string(array.shape)) + " of " +
           (array.is_pickled() ? "objects" : excerpt(array.type_name)) +
           (is_empty ? " with an extent of 0" : "");
}

}  // namespace

std::string arrays_in_words(const std::vector<FoundArray>& arrays) {
    std::string text;
    constexpr std::size_t most_named = 4;
    for (std::size_t i = 0; i < arrays.size() && i < most_named; ++i)
        text += (i == 0 ? "" : ", ") + in_words(arrays[i]);
    if (arrays.size() > most_named)
        text += ", ...";
    return text.empty() ? "none" : text;
}

bool stands_for_none(const FoundArray& array) { return array.shape.empty() && !array.type; }

bool may_be_maps(const FoundArray& array) {
    return array.is_of_fractions() && array.shape.size() >= axes_of_one_map &&
           std::ranges::find(array.shape, Index(0)) == array.shape.end();
}

MapsAmong maps_among(const std::vector<FoundArray>& all, const AxesNotes& notes) {
    MapsAmong maps;
    std::ranges::copy_if(all, std::back_inserter(maps.arrays), may_be_maps);
    if (maps.arrays.empty())
        std::ranges::copy_if(all, std::back_inserter(maps.arrays), may_be_hard_maps);
    if (maps.arrays.empty())
        throw Error({"read capture", "",
                     "an array [layer, head, query, key], [head, query, key] or [query, key] of float16 to "
                     "float64",
                     arrays_in_words(all) + (std::ranges::any_of(all, is_pickled_list)
                                                 ? ", which pickle wrote and is not read: np.savez(path, "
                                                   "*attentions) writes an array for each layer"
                                                 : "")});
    pass_over(maps, [](const FoundArray& array) { return !is_hooked_pattern(array.name); });
    pass_over(maps, [](const FoundArray& array) { return is_beside_attention(array.name); });
    if (notes.names.empty()) {
        pass_over(maps, [](const FoundArray& array) { return array.shape.size() == axes_of_one_map; });
        pass_over(maps, [](const FoundArray& array) { return array.shape.size() > most_axes_of_maps; });
    }
    return maps;
}

std::vector<FoundKind> kinds_among(const std::vector<FoundArray>& maps, const std::vector<FoundArray>& all,
                                   const AxesNotes& notes) {
    const auto has_axis = [&](MapAxis axis) { return std::ranges::count(notes.names, axis) > 0; };
    std::vector<FoundKind> kinds;
    std::vector<const FoundArray*> taken;
    for (const FoundArray& array : maps) {
        if (std::ranges::find(taken, &array) != taken.end())
            continue;
        const ArrayName name = parse_array_name(array.name);
        FoundKind kind{array.name, name.kind, {&array}, {}};
        const bool may_be_places = name.layer || name.head;
        const bool is_noted =
            (name.layer && has_axis(MapAxis::layer)) || (name.head && has_axis(MapAxis::head));
        if (may_be_places && !is_noted)
            if (const Family family = family_of(name, maps, all); family.is_of_places(name))
                kind = kind_of_places(name, family);
        taken.insert(taken.end(), kind.arrays.begin(), kind.arrays.end());
        kinds.push_back(std::move(kind));
    }
    name_by_words(kinds);
    return kinds;
}

}  // namespace headlight
