#include "core/io/capture_kinds.h"

#include "core/io/capture_names.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <iterator>
#include <map>
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

/// np.savez() writes an array of no axes for a None.
bool stands_for_none(const FoundArray& array) { return array.shape.empty() && !array.type; }

/// What has the same name but for the number of a layer.
struct Family {
    std::map<Index, const FoundArray*> layers;
    std::size_t maps = 0, nones = 0;
    Index last_layer = 0;

    /// Whether the name stands for layers: there are several arrays, or it says so itself. "arr_1" and
    /// "arr_01" would be one layer.
    bool is_of_layers(const ArrayName& name) const {
        return layers.size() == maps && (maps + nones > 1 || name.is_layer_alone);
    }
};

Family family_of(const ArrayName& name, const std::vector<FoundArray>& maps,
                 const std::vector<FoundArray>& all) {
    Family family;
    const auto layer_of = [&](const FoundArray& array) {
        const ArrayName other = parse_array_name(array.name);
        return other.family == name.family ? other.layer : std::nullopt;
    };
    for (const FoundArray& array : maps)
        if (const auto layer = layer_of(array)) {
            family.layers.emplace(*layer, &array);
            family.last_layer = std::max(family.last_layer, *layer);
            ++family.maps;
        }
    for (const FoundArray& array : all)
        if (const auto layer = stands_for_none(array) ? layer_of(array) : std::nullopt) {
            family.last_layer = std::max(family.last_layer, *layer);
            ++family.nones;
        }
    return family;
}

/// "blocks.#.attn" without its number: "blocks.attn".
std::string without_number(std::string family) {
    if (const std::size_t at = family.find('#'); at != std::string::npos)
        family.erase(at > 0 ? at - 1 : 0, at > 0 ? 2 : 1);
    return family;
}

FoundKind kind_of_layers(const ArrayName& name, const Family& family) {
    FoundKind kind{without_number(name.family), name.kind, {}, {}, family.last_layer};
    for (const auto& [layer, array] : family.layers) {
        kind.layers.push_back(layer);
        kind.arrays.push_back(array);
    }
    return kind;
}

/// Calls kinds by their words, "encoder", where no other has the same.
void name_by_words(std::vector<FoundKind>& kinds) {
    for (FoundKind& kind : kinds)
        if (!kind.words.empty() && std::ranges::count(kinds, kind.words, &FoundKind::words) == 1 &&
            std::ranges::count(kinds, kind.words, &FoundKind::name) == 0)
            kind.name = kind.words;
}

}  // namespace

std::string arrays_in_words(const std::vector<FoundArray>& arrays) {
    std::string text;
    constexpr std::size_t most_named = 4;
    for (std::size_t i = 0; i < arrays.size() && i < most_named; ++i)
        text += (i == 0 ? "" : ", ") + ('"' + excerpt(arrays[i].name) + "\" " + to_string(arrays[i].shape)) +
                " of " + excerpt(arrays[i].type_name);
    if (arrays.size() > most_named)
        text += ", ...";
    return text.empty() ? "none" : text;
}

bool may_be_maps(const FoundArray& array) {
    return array.is_of_fractions() && array.shape.size() >= axes_of_one_map &&
           std::ranges::find(array.shape, Index(0)) == array.shape.end();
}

MapsAmong maps_among(const std::vector<FoundArray>& all, const AxesNotes& notes) {
    MapsAmong maps;
    std::ranges::copy_if(all, std::back_inserter(maps.arrays), may_be_maps);
    if (maps.arrays.empty())
        throw Error({"read capture", "",
                     "an array [layer, head, query, key], [head, query, key] or [query, key] of float16 to "
                     "float64",
                     arrays_in_words(all)});
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
    const bool may_be_layers = std::ranges::find(notes.names, MapAxis::layer) == notes.names.end();
    std::vector<FoundKind> kinds;
    std::vector<const FoundArray*> taken;
    for (const FoundArray& array : maps) {
        if (std::ranges::find(taken, &array) != taken.end())
            continue;
        const ArrayName name = parse_array_name(array.name);
        FoundKind kind{array.name, name.kind, {&array}, {}};
        if (name.layer && may_be_layers)
            if (const Family family = family_of(name, maps, all); family.is_of_layers(name))
                kind = kind_of_layers(name, family);
        taken.insert(taken.end(), kind.arrays.begin(), kind.arrays.end());
        kinds.push_back(std::move(kind));
    }
    name_by_words(kinds);
    return kinds;
}

}  // namespace headlight
