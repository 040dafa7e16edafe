#pragma once

#include "core/catalog/mechanism.h"
#include "core/figure/figure.h"

#include <span>

namespace headlight {

/// Pictures of the whole catalogue.

/// A column for each year since 2014, one for all before, and a row for each family.
Figure timeline_figure(std::span<const Mechanism> mechanisms, FigureTheme theme);

/// Families as branches of one tree, and in each who comes from whom: family_tree().
Figure family_tree_figure(std::span<const Mechanism> mechanisms, FigureTheme theme);

/// Either of them, as window and export list them.
struct CataloguePicture {
    const char* word;   ///< "timeline"
    const char* title;  ///< "Timeline"
    Figure (*build)(std::span<const Mechanism> mechanisms, FigureTheme theme);
};
std::span<const CataloguePicture> catalogue_pictures();

}  // namespace headlight
