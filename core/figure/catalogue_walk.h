#pragma once

#include "core/figure/figure.h"

#include <optional>
#include <string>

namespace headlight {

// A picture of the catalogue as one walks through it: its names are those of a table, or the nodes of a tree,
// in the order of reading. `panel` is that of the picture.

Index name_count(const Panel& panel);
/// The id of its mechanism; empty for what only has others below it.
const std::string& id_of_name(const Panel& panel, Index name);
/// Nothing where the picture has no such mechanism.
std::optional<Index> name_with_id(const Panel& panel, const std::string& id);
/// The year of its paper, of a branch that of its oldest one; nothing where the picture does not say it.
std::optional<int> year_of_name(const Panel& panel, Index name);

/// "Multi-query attention, 2019, Heads", "Rotary positions, 2021, related to Sinusoidal positions".
std::string name_in_words(const Panel& panel, Index name);

enum class NameStep { left, right, up, down, first, last };
/// Returns where a step leads: in a table left and right in the family, up and down in the year; in a tree to
/// the parent, to the first child, and to those beside it in its step. `name` itself where nothing is there.
Index stepped(const Panel& panel, Index name, NameStep step);

}  // namespace headlight
