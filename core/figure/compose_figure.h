#pragma once

#include "core/figure/figure.h"
#include "core/figure/panel_choice.h"

#include <vector>

namespace headlight {

/// The figure of one panel's words, with its own options applied.
struct FigurePart {
    Figure figure;
    PanelChoice choice;
    std::string source{};  ///< what is drawn is called so; empty where its titles say it, or nobody does
    std::string run{};     ///< "Untouched" or "Changed", of a model that a person has changed inside
};

/// The panels of several figures as one: in rows, on the scales that they share, with the titles and notes of
/// all. A part of several matrices brings them one after another, without thumbnails. `settings` are those of
/// the whole figure. Throws Error where no part has a panel.
Figure compose_figure(std::vector<FigurePart> parts, const ViewSettings& settings);

}  // namespace headlight
