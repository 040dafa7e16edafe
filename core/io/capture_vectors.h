#pragma once

#include "core/io/capture_arrays.h"
#include "core/io/capture_notes.h"

#include <map>
#include <string>
#include <vector>

namespace headlight {

// Arrays of vectors in a capture: queries and keys, from which weights are recomputed, and values.

/// Whether weights follow from two arrays q and k.
bool has_queries_and_keys(const std::vector<FoundArray>& arrays);

/// Maps that are recomputed from the arrays q and k, [layer, head, token, d] or [head, token, d]: by a
/// softmax, or as a linear layer implies them, where an array decay may say what fades and any array but
/// these is refused. Throws Error where the notes do not say how.
std::shared_ptr<const MapSource> recomputed_maps(const std::vector<FoundArray>& arrays,
                                                 const CaptureNotes& notes);

/// `"q" [2, 8, 9, 64] is [layer, head, token, d], "k" ...`: what was made of the arrays of vectors.
std::string vectors_in_words(const std::vector<FoundArray>& arrays);

/// By the name of the maps whose keys have them; empty for "v" of whatever is the one kind.
using FoundValues = std::map<std::string, FoundArray, std::less<>>;

/// Takes the arrays out that are the values of others: "cross.v" beside an array "cross", and "v" beside
/// queries and keys or the maps of one kind.
FoundValues taken_values(std::vector<FoundArray>& arrays);

/// Gives maps of that name their values, if there are some. Throws Error unless there is one for each key.
void give_values(LabelledMaps& maps, const std::string& name, const FoundValues& values);

}  // namespace headlight
