#pragma once

#include "core/io/capture_arrays.h"
#include "core/map/map_source.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// The arrays of a file that are read as maps, and those that might have been and are not.
struct MapsAmong {
    std::vector<FoundArray> arrays;
    std::vector<std::string> passed_over;
};

/// `"attn" [2, 3] of <f4, ...`: what a file has, for refusals.
std::string arrays_in_words(const std::vector<FoundArray>& arrays);

/// Whether an array is what np.savez() writes for a None: one of no axes, and of no numbers.
bool stands_for_none(const FoundArray& array);

/// Whether an array has the numbers and the axes of maps: fractions, of two axes at least.
bool may_be_maps(const FoundArray& array);

/// Chooses by name (capture_names.h), and of arrays whose axes nobody named those of three to five; arrays of
/// two axes are maps where there are no others, whole numbers of three or more where there are no fractions.
/// Throws Error where no array may be maps.
MapsAmong maps_among(const std::vector<FoundArray>& all, const AxesNotes& notes);

/// Arrays that are the layers of one kind of maps, or one array of any number of layers. Where each array is
/// one head, those of a layer follow one another.
struct FoundKind {
    std::string name;   ///< of its own among all kinds: "encoder", or what the arrays are called
    std::string words;  ///< ArrayName::kind
    std::vector<const FoundArray*> arrays;
    std::vector<Index> layers;  ///< their numbers in the model; empty of arrays that have their layers
    Index last_layer = 0;       ///< that the file has an array for, if only one for a None
    std::size_t heads = 1;      ///< how many arrays a layer is
    /// The first head, counted from 0, that a layer lacks, where arrays are a head each: each array is then a
    /// map of its own.
    std::optional<MapPlace> lacking{};

    ArrayPart part() const {
        return heads > 1 || lacking ? ArrayPart::head : layers.empty() ? ArrayPart::whole : ArrayPart::layer;
    }
};

/// Arrays of one family are layers, in the order of their numbers, or heads of layers, or heads; a single one
/// is a layer where its name says so. Not where the notes name an axis of layers, or one of heads. Throws
/// Error where all layers have all heads, and those of one differ in shape.
std::vector<FoundKind> kinds_among(const std::vector<FoundArray>& maps, const std::vector<FoundArray>& all,
                                   const AxesNotes& notes);

}  // namespace headlight
