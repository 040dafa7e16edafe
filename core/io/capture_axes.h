#pragma once

#include "core/io/stored_maps.h"
#include "core/tensor/tensor.h"
#include "core/tensor/words.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// What an axis of a captured array counts. Texts of a batch ran together and windows of a picture attend
/// apart: of either one is read.
enum class MapAxis { layer, batch, window, head, query, key };

template <>
std::span<const Word<MapAxis>> words();

/// What the notes beside a capture say of the axes of its arrays.
struct AxesNotes {
    std::vector<MapAxis> names;          ///< of each array, in their order; empty where nobody said
    std::optional<Index> batch, window;  ///< which text and which window is read, from 0
    std::string file = "the notes";      ///< what the notes are called, or would be: "x.json"
};

/// The axes of an array by their names, and which text and window is read of it.
struct MapAxes {
    std::vector<MapAxis> names;
    Index batch = 0, window = 0;
};

/// What an array is by its name: all that was captured, or one layer, or one head.
enum class ArrayPart { whole, layer, head };

/// Names the axes of an array of attention, once for every format. Where the notes say nothing they follow
/// from how many there are: [query, key], [head, query, key], [layer, head, query, key]; of an array that
/// is a layer, [batch, head, query, key] with a batch of 1; of one that is a head, [query, key] behind axes
/// of 1; of five, the one of the first two that is 1 is the batch. Throws Error where an array has several
/// meanings: it lists them, and what to write into the notes for each.
MapAxes named_axes(const Shape& shape, ArrayPart part, const AxesNotes& notes);

/// "[layer, head, query, key]"
std::string to_string(const MapAxes& axes);

/// Which axis of an array changes fastest: the last in C's order, the first in Fortran's.
enum class ArrayOrder { c, fortran };

/// Where the numbers of the maps lie in an array with those axes. An axis that it lacks is one of 1.
MapLayout layout_of(const Shape& shape, const MapAxes& axes, ArrayOrder order);

}  // namespace headlight
